"""`puzzlemill preview`: a gallery of a data set."""

from __future__ import annotations

import argparse

from puzzlemill.analysis.preview import write_preview
from puzzlemill.factory.read import open_release


def run(options: argparse.Namespace) -> int:
    release, folder = open_release(options.dir), options.dir.resolve()
    out = options.out or folder.with_name(f"{folder.name}-preview.html")
    write_preview(release, out, options.rows)
    print(out)
    return 0
