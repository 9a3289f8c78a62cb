"""`puzzlemill export`: a release in the form that a training or evaluation tool reads."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    command = commands.add_parser("export", help="a data set as the files of a training or evaluation tool")
    command.add_argument("folder", metavar="DIR", type=Path)
    command.add_argument(
        "--to", required=True, metavar="TOOL", help="trl, verl, verifiers, lm-eval or inspect; or plain columns: chat or sft"
    )
    command.add_argument("--out", required=True, metavar="FOLDER", type=Path, help="where to write")
    command.add_argument("--split", action="append", default=[], metavar="SPLIT", help="only this split; again for more (all)")
    command.add_argument(
        "--reply-format",
        action="append",
        default=[],
        metavar="FORMAT",
        help="only rows that ask for json, tags, boxed or table; again for more (all)",
    )
    command.add_argument("--single", action="store_true", help="leave rows that are dialogues out")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from puzzlemill.envs.export import export
    from puzzlemill.factory.read import open_release

    release = open_release(options.folder)
    counts = export(release, options.to, options.out, options.split, options.reply_format, options.single)
    print(f"{', '.join(f'{split} {count} rows' for split, count in counts.items())} in {options.out}")
    return 0
