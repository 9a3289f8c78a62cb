"""`puzzlemill verify`: check the files of releases and prove their rows again."""

from __future__ import annotations

import argparse

from puzzlemill.cli.output import line
from puzzlemill.cli.progress import Bar
from puzzlemill.factory.overlap import verify_disjoint
from puzzlemill.factory.verify import verify
from puzzlemill.publish import published


def run(options: argparse.Namespace) -> int:
    with Bar("rows") as bar:
        how = {
            "further": published,
            "engine": options.engine,
            "workers": options.workers,
            "progress": lambda done, total: bar.show(done, total, "verifying"),
        }
        if len(options.dir) == 1:
            reports, apart = [verify(options.dir[0], line, **how)], None
        else:
            reports, apart = verify_disjoint(options.dir, line, **how)
    for folder, report in zip(options.dir, reports, strict=True):
        print(f"{folder}: {report}" if apart else report)
    if apart:
        print(apart)
    return 1 if (apart and apart.shared) or any(report.problems for report in reports) else 0
