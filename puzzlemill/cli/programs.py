"""`puzzlemill programs`: programs that models wrote, to a sandbox and back."""

from __future__ import annotations

import argparse
import sys

from puzzlemill.envs.programs import read_outputs, write_programs


def run(options: argparse.Namespace) -> int:
    if options.out is None:
        print(f"{write_programs(options.replies, options.folder)} programs in {options.folder}; none was run")
        return 0
    count, lacking = read_outputs(options.replies, options.folder, options.out)
    print(f"{count} outputs as replies in {options.out}")
    if lacking:
        print(f"{lacking} programs have no output in {options.folder}; their replies are missing", file=sys.stderr)
    return 1 if lacking else 0
