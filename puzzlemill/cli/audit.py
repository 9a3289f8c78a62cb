"""`puzzlemill audit`: find which rows of a release occur in a text corpus."""

from __future__ import annotations

import argparse
import sys

from puzzlemill.analysis.audit import audit, to_json, to_text
from puzzlemill.cli.output import text_of
from puzzlemill.cli.progress import Bar
from puzzlemill.core.errors import BadFile
from puzzlemill.factory.read import open_release


def run(options: argparse.Namespace) -> int:
    with Bar("MB") as bar:
        found = audit(
            open_release(options.dir),
            options.corpus,
            options.workers,
            lambda files, size: bar.show(size // 1_000_000, None, f"{files} files"),
        )
    text = text_of(found, options.json, to_json, to_text)
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
