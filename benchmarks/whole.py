"""Whole rows by family, as a release has them, and what a first command costs in a new environment.

A row is drawn, proved by two formulations, keyed, worded and given its gold reply. "no trace" leaves out its deduction's
steps (`trace: false`) and nothing else.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree
from tempfile import TemporaryDirectory

from measure import Line, clock, rates

import puzzlemill
from puzzlemill.factory.build import build_group
from puzzlemill.factory.recipe import Recipe
from puzzlemill.solvers import kernels

TURNS, SECONDS = 3, 1.5  # turns of a line, and about how long each takes
# family: parameters, rows a second that we set out to reach
FAMILIES: dict[str, tuple[dict[str, int], float]] = {
    "sudoku": ({"size": 9}, 300),
    "skyscraper": ({"size": 6}, 100),
    "kakurasu": ({"rows": 8, "cols": 8}, 200),
    "hitori": ({"rows": 8, "cols": 8}, 250),
    "minesweeper": ({"rows": 9, "cols": 9}, 300),
    "binario": ({"rows": 8, "cols": 8}, 400),
    "zebra": ({}, 300),
    "kumo": ({}, 300),
    "navigation": ({}, 1_500),
    "crypto": ({}, 1_500),
    "hanoi": ({"disks": 7}, 1_000),
    "logic_grid": ({}, 100),
    "seating": ({}, 100),
    "ordering": ({}, 100),
    "blood_relations": ({}, 100),
    "number_series": ({}, 300),
    "coding": ({}, 300),
    "cryptogram": ({}, 0),
    "drop_quote": ({}, 0),
    "crossword": ({}, 0),
    "acrostic": ({}, 0),
}


class Rows:
    """A family's next rows, one after another: call it for a batch."""

    def __init__(self, family: str, params: dict[str, int], trace: bool) -> None:
        stratum = {"family": family, "params": params, "counts": {"train": 1}, "trace": trace}
        self.recipe = Recipe.from_plain({"name": "benchmark", "seed": "benchmark", "strata": [stratum]})
        self.index = 0

    def __call__(self) -> int:
        begun, made = clock(), 0
        while clock() - begun < SECONDS:
            for _ in range(4):
                made += len(build_group(self.recipe, self.recipe.strata[0], "train", self.index).rows)
                self.index += 1
        return made


def lines() -> Iterator[Line]:
    for family, (params, goal) in FAMILIES.items():
        of = " ".join(f"{name}={value}" for name, value in params.items())
        bare, traced = (rates(Rows(family, params, trace), repeats=TURNS)[0] for trace in (False, True))
        what = f"{family} {of}".strip()
        note = "two proofs, key, prompt and gold"
        yield Line(
            f"row: {what}, no trace", "rows/s", bare, f">= {goal:,.0f}" if goal else "", bare >= goal if goal else None, note=note
        )
        yield Line(f"row: {what}, with its steps in words", "rows/s", traced, note=note)


def cold() -> Iterator[Line]:
    """CPU time of first commands with no compiled kernel, in processes of their own, on a copy of the package."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        copytree(Path(puzzlemill.__file__).parent, place / "puzzlemill", ignore=ignore_patterns("__pycache__"))
        _spent(["-m", "compileall", "-q", "puzzlemill"], place)
        for family in FAMILIES:
            spent, again = (_spent(["-m", "puzzlemill", "show", family], place) for _ in range(2))
            _forget(place)
            yield Line(f"first `show {family}`", "s", spent, "<= 5", spent <= 5, note=f"CPU; again {again:.2g} s")
        every = f"from {kernels.__name__} import MODULES, warm; [warm(name) for name in MODULES]"
        spent = _spent(["-c", every], place)
    yield Line("every kernel compiled", "s", spent, "<= 30", spent <= 30, note="CPU, one process")


def _spent(words: list[str], place: Path) -> float:
    begun = clock()
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL, cwd=place)
    return clock() - begun


def _forget(place: Path) -> None:
    for folder in place.glob("puzzlemill/solvers/kernels/__pycache__/numba-*"):
        rmtree(folder)
