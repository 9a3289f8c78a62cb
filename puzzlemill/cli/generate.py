"""`puzzlemill generate`: make a data set."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from omegaconf import OmegaConf

from puzzlemill.analysis.rows import band_order
from puzzlemill.analysis.tables import counted, text_table
from puzzlemill.cli.progress import Bar, Progress
from puzzlemill.cli.settings import compose, recipe_of, workers_of
from puzzlemill.core.errors import BadParams
from puzzlemill.factory import run as factory
from puzzlemill.factory.exclusions import exclusions_of
from puzzlemill.factory.read import open_release


def run(options: argparse.Namespace) -> int:
    settings = compose(options.settings)
    if options.cfg:
        print(OmegaConf.to_yaml(settings), end="")
        return 0
    out = settings.get("out", "")
    if type(out) is not str or not out:
        raise BadParams("out: missing; name the folder to write to, as in out=out/demo")
    workers, recipe = workers_of(settings), recipe_of(settings)
    exclude = None
    if settings.get("exclude"):
        folder = Path(settings["exclude"])
        if not recipe.excludes:  # any recipe can be kept apart from a release, and then says so
            recipe = replace(recipe, excludes=str(open_release(folder).manifest.get("release")))
        exclude = exclusions_of(recipe, folder)
    with Bar("groups") as bar:
        summary = factory.run(recipe, Path(out), workers, Progress(recipe, bar).event, exclude=exclude)
    if summary.reused:
        print(f"{summary.out} holds this release already; nothing was made")
    print(
        text_table(
            ["family", "split", "groups", "rows", "dropped", "difficulty"],
            [
                (cell.family, cell.split, cell.groups, cell.rows, _most(cell.dropped), _bands(dict(cell.bands)))
                for cell in summary.cells
            ],
        )
    )
    print(f"\n{summary.rows} rows in {summary.out}\n\n{_next(summary.out)}")
    return 0


def _next(out: Path) -> str:
    """The commands that one gives next."""
    place = shlex.quote(str(out))
    beside = shlex.quote(f"{out}-trl"), shlex.quote(f"{out}-replies.jsonl")
    commands = {
        f"puzzlemill preview {place}": "look at its boards in a browser",
        f"puzzlemill verify {place}": "prove every row again",
        f"puzzlemill export {place} --to trl --out {beside[0]}": "train on it, here with TRL",
        f"puzzlemill run {place} --base-url URL --model NAME --out {beside[1]}": "ask a model",
        f"puzzlemill score {place} {beside[1]}": "score its replies",
    }
    return "\n".join(["next:", *[f"  {command}  # {why}" for command, why in commands.items()]])


def _most(dropped: Sequence[tuple[str, int]]) -> str:
    """The three most frequent reasons, and how often there was another; `puzzlemill stats` has all of them."""
    order = sorted(dropped, key=lambda item: (-item[1], item[0]))
    others = sum(times for _, times in order[3:])
    return counted({**dict(order[:3]), **({"others": others} if others else {})}) or "-"


def _bands(bands: Mapping[str, int]) -> str:
    """easy 3, medium 2: in the order of difficulty."""
    return ", ".join(f"{band} {bands[band]}" for band in sorted(bands, key=band_order) if bands[band]) or "-"
