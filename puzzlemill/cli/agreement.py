"""`puzzlemill agreement`: how far annotators agree on what went wrong in replies."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    command = commands.add_parser("agreement", help="agreement of annotators on what went wrong in replies", description=__doc__)
    command.add_argument(
        "labels", metavar="LABELS.JSONL", type=Path, nargs="+", help='lines of {"id", "model", "annotator", "label"}'
    )
    command.add_argument(
        "--scheme", default="errors", metavar="SCHEME", help="the labels: errors, unsolvable or justification (errors)"
    )
    command.add_argument("--json", action="store_true", help="as one JSON object")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from puzzlemill.analysis.agreement import agreement, read_labels, to_json, to_text

    found = agreement(read_labels(options.labels, options.scheme))
    if options.json:
        import json

        print(json.dumps(to_json(found), indent=2))
    else:
        print(to_text(found))
    return 0
