"""`puzzlemill similar DIR [OTHER ...]`: prompts of different groups that are nearly the same."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    command = commands.add_parser("similar", help="prompts that are nearly the same, across splits and releases")
    command.add_argument("folder", metavar="DIR", type=Path)
    command.add_argument("others", metavar="OTHER", type=Path, nargs="*", help="releases to compare it with")
    command.add_argument(
        "--threshold", type=float, default=0.7, metavar="X", help="similarity from which on pairs are told (0.7)"
    )
    command.add_argument("--json", action="store_true", help="as one JSON object")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from puzzlemill.analysis.similar import similar, to_json, to_text
    from puzzlemill.factory.read import open_release

    others = [open_release(folder) for folder in options.others]
    found = similar(open_release(options.folder), others, options.threshold)
    if options.json:
        import json

        print(json.dumps(to_json(found), indent=2))
    else:
        print(to_text(found))
    return 1 if found.near else 0
