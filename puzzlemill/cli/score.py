"""`puzzlemill score`: score replies to a release."""

from __future__ import annotations

import argparse

from puzzlemill.envs.judging import open_rows
from puzzlemill.envs.programs import refuse_programs
from puzzlemill.factory.read import rows
from puzzlemill.scoring import main
from puzzlemill.scoring.score import COLUMNS


def run(options: argparse.Namespace) -> int:
    refuse_programs(options.replies)
    release = open_rows(options.dir)
    return main.run(lambda: rows(release, COLUMNS), options.replies, options.json)
