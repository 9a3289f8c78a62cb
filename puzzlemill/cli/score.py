"""`puzzlemill score`: score replies to a release, or to boards that were made elsewhere."""

from __future__ import annotations

import argparse
import json

from puzzlemill.analysis import lr2bench, tables
from puzzlemill.analysis.boards_files import score_boards
from puzzlemill.cli.output import in_order
from puzzlemill.core.errors import BadParams
from puzzlemill.envs.judging import open_rows
from puzzlemill.envs.programs import refuse_programs
from puzzlemill.factory.read import rows
from puzzlemill.scoring import main
from puzzlemill.scoring.score import COLUMNS


def run(options: argparse.Namespace) -> int:
    in_order(options.dir, [options.replies], "score")
    refuse_programs(options.replies)
    if options.dir.is_file():
        if options.answered:
            raise BadParams("--answered: is for replies to a release; the figures of boards are over all of them, leave it out")
        found = score_boards(options.dir, options.replies)
        print(json.dumps(tables.to_json(found), indent=2) if options.json else lr2bench.to_text(found))
        return 0
    release = open_rows(options.dir)
    return main.run(lambda: rows(release, COLUMNS), options.replies, options.json, options.all, options.answered)
