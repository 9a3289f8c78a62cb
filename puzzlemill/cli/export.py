"""`puzzlemill export`: write a release in the form that a training or evaluation tool reads."""

from __future__ import annotations

import argparse

from puzzlemill.envs.export import export
from puzzlemill.factory.read import open_release


def run(options: argparse.Namespace) -> int:
    counts = export(open_release(options.dir), options.to, options.out, options.split, options.reply_format, options.single)
    print(f"{', '.join(f'{split} {count} rows' for split, count in counts.items())} in {options.out}")
    return 0
