"""`puzzlemill study`: let people solve the rows of a release in a browser on this machine."""

from __future__ import annotations

import argparse
import secrets
import time

from puzzlemill.cli.output import line
from puzzlemill.factory.read import open_release
from puzzlemill.kumo.people import Server, Study, games_of


def run(options: argparse.Namespace) -> int:
    rows = games_of(open_release(options.dir), "" if options.split == "all" else options.split, options.limit, options.family)
    with (
        Study(rows, options.out, options.seed, time.time, lambda: secrets.token_hex(6)) as study,
        Server(study, options.port, secrets.token_urlsafe(16)) as server,
    ):
        line(f"{len(rows)} tasks at {server.url} (stop with Ctrl-C); finished ones go to {options.out}")
        server.serve_forever()
    return 0
