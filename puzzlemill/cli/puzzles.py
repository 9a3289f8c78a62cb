"""`puzzlemill list`, `show` and `play`: what there is, and one puzzle at a time."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from puzzlemill.cli.settings import compose, recipe_of, variants_of
from puzzlemill.envs.terminal import FORMAT, terminal
from puzzlemill.factory.make import catalogue, group


def list_families(options: argparse.Namespace) -> int:
    entries = catalogue(variants_of)
    if options.json:
        print(json.dumps(entries, indent=2))
        return 0
    for name, entry in entries.items():
        params = [f"{field}={entry['params'][field]['default']}" for field in entry["params"]]
        width = max(map(len, entry["variants"]))
        print(f"{name}  {entry['title']}, version {entry['version']}")
        print(f"  params    {' '.join(params)}")
        print(f"  rules     {', '.join(entry['rules']) or 'only its own'}")
        for i, (variant, about) in enumerate(entry["variants"].items()):
            print(f"  {'' if i else 'variants':<8}  {variant:<{width}}  {about}")
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
    variant, settings = options.variant, list(options.settings)
    if "=" in variant:
        variant, settings = "canonical", [variant, *settings]
    composed = compose([f"family={options.family}", f"variant={variant}", "count=1", *settings])
    recipe = recipe_of({**composed, "lopsided": variant != "canonical", "seed": options.seed, "reply_formats": [reply_format]})
    return group(recipe, options.index).rows[-1]
