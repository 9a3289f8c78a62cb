"""`puzzlemill effects`: what the kinds of transforms do to models, estimated from their replies."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    command = commands.add_parser(
        "effects", help="what transforms do to models: regressions and correlations", description=__doc__
    )
    command.add_argument("folder", metavar="DIR", type=Path, help="the release")
    command.add_argument("replies", metavar="REPLIES.JSONL", type=Path, nargs="+", help="a file for each model")
    command.add_argument("--out", metavar="FILE", type=Path, help="where to write it (beside the first replies, .effects.html)")
    command.add_argument("--cells", default="variant", metavar="CELLS", help="observations: variant or row (variant)")
    command.add_argument("--answered", action="store_true", help="leave out rows without any reply")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from puzzlemill.analysis.effects import effects, to_json
    from puzzlemill.analysis.effects_page import page, to_text
    from puzzlemill.analysis.pages import write_page
    from puzzlemill.cli.report import given_files, page_file
    from puzzlemill.factory.read import open_release

    release = open_release(options.folder)
    out = page_file(options.out or options.replies[0].with_suffix(".effects.html"), release, options.replies)
    files, _ = given_files(options.replies)
    found = effects(release, files, options.cells, options.answered)
    write_page(page(release, found), out)
    if options.json:
        import json

        print(json.dumps(to_json(found), indent=2))
    else:
        print(to_text(found))
        print(f"\n{out}")
    return 0
