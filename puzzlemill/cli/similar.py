"""`puzzlemill similar`: find prompts of different groups that are nearly the same."""

from __future__ import annotations

import argparse

from puzzlemill.analysis.similar import similar, to_json, to_text
from puzzlemill.cli.output import text_of
from puzzlemill.factory.read import open_release


def run(options: argparse.Namespace) -> int:
    others = [open_release(folder) for folder in options.other]
    found = similar(open_release(options.dir), others, options.threshold)
    print(text_of(found, options.json, to_json, to_text))
    return 1 if found.near else 0
