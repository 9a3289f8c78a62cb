"""`puzzlemill effects`: estimate from replies what the kinds of transforms do to models."""

from __future__ import annotations

import argparse

from puzzlemill.analysis.effects import effects, to_json
from puzzlemill.analysis.effects_page import page, to_text
from puzzlemill.analysis.pages import write_page
from puzzlemill.cli.output import text_of
from puzzlemill.cli.report import given_files, page_file
from puzzlemill.factory.read import open_release


def run(options: argparse.Namespace) -> int:
    release = open_release(options.dir)
    out = page_file(options.out or options.replies[0].with_suffix(".effects.html"), release, options.replies)
    found = effects(release, given_files(options.replies)[0], options.cells, options.answered)
    write_page(page(release, found), out)
    print(text_of(found, options.json, to_json, lambda found: f"{to_text(found)}\n\n{out}"))
    return 0
