"""`puzzlemill audit CORPUS DIR`: which rows of a release occur in a text corpus."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from puzzlemill.cli.progress import Bar


def add(commands: Any) -> None:
    command = commands.add_parser("audit", help="which rows occur in a text corpus")
    command.add_argument("corpus", metavar="CORPUS", type=Path, help="a text, JSON lines or Parquet file, or a folder of them")
    command.add_argument("folder", metavar="DIR", type=Path, help="a release")
    command.add_argument("--workers", type=int, default=2, metavar="N", help="processes (2)")
    command.add_argument("--json", action="store_true", help="as one JSON object")
    command.add_argument("--out", type=Path, metavar="FILE", help="write it there instead of printing it")
    command.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    from puzzlemill.analysis.audit import audit, to_json, to_text
    from puzzlemill.core.errors import BadFile
    from puzzlemill.factory.read import open_release

    with Bar("MB") as bar:
        found = audit(
            open_release(options.folder),
            options.corpus,
            options.workers,
            lambda files, size: bar.show(size // 1_000_000, max(1, size // 1_000_000), f"{files} files"),
        )
    if options.json:
        import json

        text = json.dumps(to_json(found), indent=2)
    else:
        text = to_text(found)
    if options.out is None:
        print(text)
    else:
        try:
            options.out.write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise BadFile(f"{options.out}: {error.strerror}; choose a file that can be written with --out") from None
    for problem in found.problems:
        print(f"error: {problem}", file=sys.stderr)
    return 2 if found.problems else 1 if found.findings else 0
