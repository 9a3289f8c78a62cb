"""`puzzlemill import`: make a release of puzzles that were written elsewhere, or list what is wrong with them."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from puzzlemill.analysis.tables import text_table
from puzzlemill.cli.progress import Bar
from puzzlemill.core.errors import BadParams
from puzzlemill.factory.imports import run as imports
from puzzlemill.factory.imports.forms import MOST, Asked
from puzzlemill.factory.imports.tables import columns_of
from puzzlemill.factory.imports.tally import HEADER, Tally
from puzzlemill.scoring.prompt import FORMATS

_SETTING = re.compile(r"(out|workers)=(.*)", re.DOTALL)
_SHOWN = 20  # problems that are printed without --all


def run(options: argparse.Namespace) -> int:
    paths, settings = _parted(options.files)
    workers = _number(settings.get("workers", "1"), "workers", 1_000)
    asked = Asked(options.family or "", columns_of(options.columns or ""))
    most = _number(str(options.most), "--most", MOST) if options.most else 0
    with Bar("puzzles") as bar:
        if options.audit:
            if "out" in settings:
                raise BadParams("out: --audit writes nothing; leave one of them out")
            tally = imports.audit(paths, asked, options.form or "", most, workers, bar.show)
            result = None
        else:
            result = imports.run(paths, _out(settings), _wanted(options, paths, asked, most), workers, bar.show)
            found = result.tally
    if result is None:
        _show(tally, options)
        return 1 if tally.found() else 0
    summary = result.summary
    if found is None:
        print(f"{summary.out} holds this release already; nothing was made")
    else:
        _show(found, options)
    bad, rows = sum([sum(dict(cell.depths).values()) for cell in summary.cells]), summary.rows
    if 2 * bad > rows:
        print(f"\nnote: {bad} of {rows} rows have no answer, so that always saying so pays more than `guess_baseline` tells")
    print(f"\n{summary.rows} rows in {summary.out}; what did not become a row is in {summary.out / imports.AUDIT}")
    return 0


def _parted(given: Sequence[str]) -> tuple[list[Path], dict[str, str]]:
    """Files, and settings NAME=VALUE among them; a file whose name looks like a setting is written ./NAME."""
    settings: dict[str, str] = {}
    paths = []
    for text in given:
        found = _SETTING.fullmatch(text)
        if found is None:
            paths.append(Path(text))
        elif found[1] in settings:
            raise BadParams(f"{found[1]}: is given twice")
        else:
            settings[found[1]] = found[2]
    return paths, settings


def _out(settings: dict[str, str]) -> Path:
    if not settings.get("out"):
        raise BadParams("out: missing; name the folder to write to, as in out=out/mine, or look at the files alone with --audit")
    return Path(settings["out"])


def _number(text: str, where: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
        raise BadParams(f"{where}: expected 1 to {most}, got {text[:20]!r}")
    return int(text)


def _wanted(options: argparse.Namespace, paths: Sequence[Path], asked: Asked, most: int) -> imports.Wanted:
    stem = re.sub(r"[^a-z0-9]+", "-", paths[0].stem.lower() if paths else "").strip("-")[:50]
    return imports.Wanted(
        options.name or f"imported-{stem or 'puzzles'}",
        options.split,
        options.license,
        tuple(options.reply_formats.split(",")) if options.reply_formats else FORMATS,
        tuple(sorted(set(options.keep))),
        options.form or "",
        asked,
        most,
    )


def _show(tally: Tally, options: argparse.Namespace) -> None:
    """Print the table of the source and the first problems, or all of it as JSON."""
    if options.json:
        print(json.dumps(tally.to_json(), indent=2, ensure_ascii=False))
        return
    print(text_table(HEADER, tally.rows()))
    shown = tally.problems if options.all else tally.problems[:_SHOWN]
    if shown:
        print()
    for problem in shown:
        print(problem)
    if len(shown) < len(tally.problems):
        print(f"... and {len(tally.problems) - len(shown)} more; --all prints them")
    sys.stdout.flush()
