"""`puzzlemill generate`: make a data set."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from omegaconf import OmegaConf

from puzzlemill.analysis.rows import band_order
from puzzlemill.analysis.tables import counted, text_table
from puzzlemill.cli.progress import Bar, Progress
from puzzlemill.cli.settings import compose, named_by, recipe_of, several, workers_of
from puzzlemill.core.errors import BadParams
from puzzlemill.factory import run as factory
from puzzlemill.factory.exclusions import keeping_apart
from puzzlemill.factory.recipe import split_order
from puzzlemill.publish.rows import folders_of


def run(options: argparse.Namespace) -> int:
    if not options.multirun:
        return _one(options.settings, options.cfg)
    runs = several(options.settings)
    out = next((each.partition("=")[2] for each in options.settings if each.startswith("out=")), "")
    if not out and not options.cfg:
        raise BadParams("out: missing; name a folder for all the releases, as in out=out/several")
    for name, settings in runs:
        kept = [each for each in settings if not each.startswith("out=")]
        print(f"---- {name}", flush=True)
        _one([*kept, f"out={Path(out) / name}"], options.cfg)
    return 0


def _one(given: Sequence[str], shown: bool) -> int:
    """Make one release, or show its settings."""
    settings = compose(given)
    if shown:
        print(OmegaConf.to_yaml(settings), end="")
        return 0
    out = settings.get("out", "")
    if type(out) is not str or not out:
        raise BadParams("out: missing; name the folder to write to, as in out=out/demo")
    workers, recipe = workers_of(settings), recipe_of(settings)
    exclude = None
    if settings.get("exclude"):
        recipe, exclude = keeping_apart(recipe, *folders_of(settings["exclude"]))
    with Bar("groups") as bar, named_by(settings):
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
    print(f"\n{summary.rows} rows in {summary.out}\n\n{_next(summary)}")
    return 0


def _next(summary: factory.Summary) -> str:
    """The commands that one gives next. `run` asks test rows unless it is told otherwise."""
    out, splits = summary.out, sorted({cell.split for cell in summary.cells}, key=split_order)
    split = "" if "test" in splits else f" --split {splits[0]}"
    place = shlex.quote(str(out))
    beside = shlex.quote(f"{out}-trl"), shlex.quote(f"{out}-replies.jsonl")
    commands = {
        f"puzzlemill preview {place}": "look at its boards in a browser",
        f"puzzlemill verify {place}": "prove every row again",
        f"puzzlemill export {place} --to trl --out {beside[0]}": "train on it, here with TRL",
        f"puzzlemill run {place}{split} --base-url URL --model NAME --out {beside[1]}": "ask a model",
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
