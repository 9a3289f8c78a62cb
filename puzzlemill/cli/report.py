"""`puzzlemill report`: a page on the replies of models to a release."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from puzzlemill.analysis.pages import write_page
from puzzlemill.analysis.report import Given, figures, judging_text, lr2bench_text, page, surface_text
from puzzlemill.cli.output import in_order
from puzzlemill.cli.progress import Bar
from puzzlemill.core.errors import BadParams
from puzzlemill.core.text import printable
from puzzlemill.envs.judging import open_rows
from puzzlemill.envs.programs import refuse_programs
from puzzlemill.envs.run import read_settings
from puzzlemill.envs.turns import MOST_TURNS, guess_baseline, known_turns
from puzzlemill.factory.read import MANIFEST, Release
from puzzlemill.scoring.metrics import Spent
from puzzlemill.scoring.summary import lacking

_FACTS = (
    "mitigation",
    "temperature",
    "top_p",
    "max_tokens",
    "seed",
    "reasoning_effort",
    "reasoning_budget",
    "turns",
    "answer_call",
)


def run(options: argparse.Namespace) -> int:
    in_order(options.dir, options.replies, "report")
    release = open_rows(options.dir)
    out = page_file(options.out or options.replies[0].with_suffix(".html"), release, options.replies)
    files, turns = given_files(options.replies)
    for path in options.replies:
        refuse_programs(path)

    def guess(row: Mapping[str, Any], given: Given, samples: int) -> float:
        return guess_baseline(row, min(MOST_TURNS, samples * turns[given.path]))

    with Bar("rows") as bar:
        models = figures(release, files, guess, options.worst, options.answered, lambda done: bar.show(done, None, "scoring"))
        write_page(page(release, models, options.worst), out)
    for model in models:
        if model.found.sections:
            exact = model.found.sections[0].metrics["exact"]
            right = f"{100 * exact.value:.1f} % right ({100 * exact.low:.1f} to {100 * exact.high:.1f})"
            print(f"{model.given.name}: {right}, {model.found.sections[0].replies} replies{_took(model.spent)}")
            for line in lacking(model.found.sections[0], model.samples):
                print(f"  {line}")
        else:
            print(f"{model.given.name}: no replies")
    robustness = surface_text(models)
    if robustness:
        print(f"\nchanges of the surface, with 95 % intervals and McNemar's exact test\n{robustness}\n")
    measures = lr2bench_text([model for model in models if any(family != "sudoku" for family, _ in model.levels)])
    if measures:
        print(f"\nLR2Bench's measures\n{measures}\n")
    judging = judging_text(models)
    if judging:
        print(f"\nverdicts, with 95 % intervals\n{judging}\n")
    print(out)
    return 0


def page_file(out: Path, release: Release, replies: list[Path]) -> Path:
    """The place for a page. Raises BadParams for a file of replies, or one of the release."""
    if out.resolve() in [path.resolve() for path in replies]:
        raise BadParams(f"--out: {out} holds replies; name another file")
    if out.resolve() in [(release.folder / path).resolve() for path in (MANIFEST, *release.files)]:
        raise BadParams(f"--out: {out} is a file of the release, and these are fixed; name another file")
    return out


def given_files(paths: list[Path]) -> tuple[list[Given], dict[Path, int]]:
    """Names, facts and turns from FILE.run.json where there is one; else the file's name and one turn. No two names are equal."""
    known: list[tuple[Path, dict[str, Any]]] = [(path, (read_settings(path) or {}).get("settings", {})) for path in paths]
    names = [_short(_name(path, settings)) for path, settings in known]
    often = Counter(names)
    names = [name if often[name] == 1 else _short(f"{name} ({path.stem})") for (path, _), name in zip(known, names, strict=True)]
    often = Counter(names)
    names = [name if often[name] == 1 else f"{number}: {name}" for number, name in enumerate(names, 1)]
    files, turns = [], {}
    for (path, settings), name in zip(known, names, strict=True):
        facts = {key.replace("_", " "): _short(settings[key]) for key in _FACTS if settings.get(key) not in (None, "")}
        if settings.get("turns") == 1:
            del facts["turns"]
        files.append(Given(name, path, facts))
        turns[path] = known_turns(settings.get("turns", 1))
    return files, turns


def _name(path: Path, settings: Mapping[str, Any]) -> str:
    """The model, and the mitigation where there is one."""
    model, mitigation = (settings.get(key) for key in ("model", "mitigation"))
    name = model if type(model) is str else path.stem
    return f"{name}, {mitigation[:40]}" if type(mitigation) is str else name


def _took(spent: Mapping[str, Spent]) -> str:
    """The end of a sentence: calls and tokens of a reply, where they are stated."""
    parts = [
        f"{spent[kind].in_all / spent[kind].replies:,.1f} {words}"
        for kind, words in (("calls", "calls"), ("prompt", "tokens read"), ("completion", "written"))
        if kind in spent
    ]
    return f"; a reply took {', '.join(parts)}" if parts else ""


def _short(value: object) -> str:
    """A text from a file, as much of it as fits a heading and a terminal."""
    return printable(str(value)[:120])
