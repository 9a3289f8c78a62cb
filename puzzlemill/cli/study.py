"""`puzzlemill study`: let people play the dialogues of a release in a browser on this machine."""

from __future__ import annotations

import argparse
import secrets
import time
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    command = commands.add_parser("study", help="let people play dialogues in a browser on this machine", description=__doc__)
    command.add_argument("folder", metavar="DIR", type=Path, help="a release with kumo rows")
    command.add_argument("--out", required=True, metavar="FILE", type=Path, help="JSON lines; the same command goes on with it")
    command.add_argument("--split", default="test", metavar="SPLIT", help="train, validation, test or all (test)")
    command.add_argument("--limit", type=int, default=0, metavar="N", help="the first N games")
    command.add_argument("--word", default="study", help="another word gives the players their tasks in other orders (study)")
    command.add_argument("--port", type=int, default=0, metavar="N", help="of 127.0.0.1 (a free one)")
    command.set_defaults(run=_run, resumes=True)


def _run(options: argparse.Namespace) -> int:
    from puzzlemill.factory.read import open_release
    from puzzlemill.kumo.people import Server, Study, games_of

    rows = games_of(open_release(options.folder), "" if options.split == "all" else options.split, options.limit)
    with Server(Study(rows, options.out, options.word, time.time), options.port, secrets.token_urlsafe(16)) as server:
        print(f"{len(rows)} games at {server.url} (stop with Ctrl-C); finished ones go to {options.out}", flush=True)
        server.serve_forever()
    return 0
