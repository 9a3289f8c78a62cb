"""`puzzlemill agreement`: how far annotators agree on what went wrong in replies."""

from __future__ import annotations

import argparse

from puzzlemill.analysis.agreement import agreement, read_labels, to_json, to_text
from puzzlemill.cli.output import text_of


def run(options: argparse.Namespace) -> int:
    print(text_of(agreement(read_labels(options.labels, options.scheme)), options.json, to_json, to_text))
    return 0
