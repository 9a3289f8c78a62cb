"""`puzzlemill prove`: a row's proof as files that other checkers read."""

from __future__ import annotations

import argparse

from puzzlemill.factory.prove import prove_row
from puzzlemill.factory.read import open_release
from puzzlemill.solvers.rup import check_files


def run(options: argparse.Namespace) -> int:
    written = prove_row(open_release(options.dir), options.id, options.out)
    print(f"{options.id}: {written.claim}, {written.steps} steps")
    print(f"{written.cnf_sha256}  {written.cnf}\n{written.drat_sha256}  {written.drat}")
    if not options.check:
        return 0
    problem = check_files(written.cnf, written.drat)
    print(f"checked: {problem or 'every step follows'}")
    return 1 if problem else 0
