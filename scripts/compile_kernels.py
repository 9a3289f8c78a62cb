"""Compile every kernel, several at a time: python scripts/compile_kernels.py 2

Kernels are compiled once per installation, by the first process that needs them. Where several processes begin at a time, as the
workers of a build or of the tests do, each would compile all of them.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from multiprocessing import get_context

from puzzlemill.solvers import kernels


def load(name: str) -> None:
    import_module(f"{kernels.__name__}.{name}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Compile every kernel, several at a time.")
    parser.add_argument("workers", type=int)
    with get_context("spawn").Pool(parser.parse_args().workers) as pool:
        pool.map(load, kernels.MODULES, chunksize=1)


if __name__ == "__main__":
    main()
