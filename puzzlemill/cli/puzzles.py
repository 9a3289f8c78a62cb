"""`puzzlemill list`, `show` and `play`: what there is, and one puzzle at a time."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.core.errors import BadParams
from puzzlemill.envs.terminal import FORMAT, terminal
from puzzlemill.factory.catalogue import catalogue, entry, overview, sheet
from puzzlemill.factory.make import group
from puzzlemill.generators import family_named


def list_families(options: argparse.Namespace) -> int:
    if options.family:
        family = family_named(options.family)
        print(json.dumps({family.name: entry(family)}, indent=2) if options.json else sheet(family))
    elif options.json:
        print(json.dumps(catalogue(), indent=2))
    else:
        print(overview())
        print(
            "\n`puzzlemill list FAMILY` has a line for each parameter, rule and variant; `puzzlemill show FAMILY` makes a puzzle."
        )
    return 0


def show(options: argparse.Namespace) -> int:
    row = _one(options, options.format)
    print(row["prompt"])
    if options.answer:
        print(f"\n---- a right reply ({row['status']}) ----\n{row['gold_reply']}")
    return 0


def play(options: argparse.Namespace) -> int:
    def read() -> str | None:
        try:
            return input("> " if sys.stdin.isatty() else "")
        except EOFError:
            return None

    terminal(_one(options, FORMAT), read, print).play()
    return 0


def _one(options: argparse.Namespace, reply_format: str) -> dict[str, Any]:
    """Make the row that `show` and `play` ask for."""
    positional, settings = options.variant, list(options.settings)
    if "=" in positional:
        positional, settings = "", [positional, *settings]
    taken = {name: value for name, _, value in [setting.partition("=") for setting in settings]}
    for name in ("family", "release", "count", "out", "exclude"):
        if name in taken:
            raise BadParams(f"{name}: one puzzle of {options.family} is made here; leave it out, or use `puzzlemill generate`")
    if positional and "variant" in taken:
        raise BadParams(f"variant: {positional} and {taken['variant']} are two variants; leave one out")
    others = [setting for setting in settings if setting.partition("=")[0] != "index"]
    composed = compose([f"family={options.family}", f"variant={positional or 'canonical'}", "count=1", *others])
    given = {"seed": options.seed} if "seed" not in taken else {}
    if not {"reply_format", "reply_formats"} & set(taken):
        given["reply_formats"] = [reply_format]
    asked = composed["variant"]
    if type(asked) is list and len(asked) > 1:
        raise BadParams(f"variant: one puzzle is made here, and {taken['variant']} are several variants; leave all but one out")
    canonical = asked == ["canonical"] or (type(asked) is dict and asked.get("name") == "canonical")
    recipe = recipe_of({**composed, "lopsided": not canonical or bool(composed["lopsided"]), **given})
    return group(recipe, _index(taken, options.index)).rows[-1]


def _index(taken: Mapping[str, str], usual: int) -> int:
    text = taken.get("index", str(usual))
    if not text.isdecimal() or len(text) > 9:
        raise BadParams(f"index: puzzles are numbered from 0, got {text[:40]}")
    return int(text)
