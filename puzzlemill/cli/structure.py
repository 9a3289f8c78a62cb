"""`puzzlemill structure`: test whether the structure of truth-finding tasks goes with models' replies."""

from __future__ import annotations

import argparse

from puzzlemill.cli.output import text_of
from puzzlemill.cli.report import given_files
from puzzlemill.factory.read import open_release
from puzzlemill.kumo.association import structure, to_json, to_text


def run(options: argparse.Namespace) -> int:
    files, _ = given_files(options.replies)
    found = structure(open_release(options.dir), files, options.scores, options.answered)
    print(text_of(found, options.json, to_json, to_text))
    return 0
