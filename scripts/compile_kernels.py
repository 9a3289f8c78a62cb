"""Compile every kernel, several at a time: python scripts/compile_kernels.py 2

Kernels are compiled once per installation, by the first process that needs them. Where several processes begin at a time, as the
workers of a build or of the tests do, each would compile all of them. What a neighbouring environment has compiled of the same
sources, with the same versions, is copied.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from shutil import copytree

from puzzlemill.solvers import kernels
from puzzlemill.solvers.kernels.compile import cache_folder


def load(name: str) -> None:
    import_module(f"{kernels.__name__}.{name}")


def copy_from_neighbours() -> None:
    folder, here = cache_folder(), Path(sys.prefix)
    for neighbour in sorted(here.parent.iterdir()):
        compiled = neighbour / folder.relative_to(here) if folder.is_relative_to(here) else folder
        if compiled != folder and compiled.is_dir():
            copytree(compiled, folder, dirs_exist_ok=True)
            return


def main() -> None:
    parser = argparse.ArgumentParser(description="Compile every kernel, several at a time.")
    parser.add_argument("workers", type=int)
    arguments = parser.parse_args()
    copy_from_neighbours()
    with get_context("spawn").Pool(arguments.workers) as pool:
        pool.map(load, (*kernels.MODULES, *kernels.TIERS.values()), chunksize=1)


if __name__ == "__main__":
    main()
