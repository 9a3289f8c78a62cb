"""Compile every kernel, several at a time: python scripts/compile_kernels.py 2 [--keep FOLDER]

A command compiles what it uses at its first use. Images and continuous integration compile all at once: --keep names a folder
that they carry from build to build; what is there is not compiled again, and all is copied there. What a neighbouring environment
has compiled with the same versions is taken as well.
"""

from __future__ import annotations

import argparse
import sys
from multiprocessing import get_context
from pathlib import Path
from shutil import copyfile

from puzzlemill.solvers import kernels
from puzzlemill.solvers.kernels.compile import cache_folder, usable


def neighbours() -> list[Path]:
    """The folders of kernels that environments beside this one have."""
    folder, here = cache_folder(), Path(sys.prefix)
    if not folder.is_relative_to(here):
        return []
    places = [neighbour / folder.relative_to(here) for neighbour in sorted(here.parent.iterdir())]
    return [place for place in places if place != folder and place.is_dir()]


def copy(source: Path, target: Path) -> None:
    for file in source.iterdir():
        if file.suffix != ".lock" and not (target / file.name).exists():
            copyfile(file, target / file.name)


def main() -> None:
    parser = argparse.ArgumentParser(description="Compile every kernel, several at a time.")
    parser.add_argument("workers", type=int)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="take what is there of kernels, and leave all there")
    arguments = parser.parse_args()
    folder = cache_folder()
    kept = [arguments.keep / folder.name] if arguments.keep else []
    for place in [*neighbours(), *kept]:
        if not usable(place):
            sys.exit(f"{place}: no place for machine code: it must be a folder that is yours, and that nobody else can write")
        copy(place, folder)
    with get_context("spawn").Pool(arguments.workers) as pool:
        pool.map(kernels.warm, kernels.missing(), chunksize=1)
    for place in kept:
        copy(folder, place)


if __name__ == "__main__":
    main()
