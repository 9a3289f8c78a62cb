"""For hitori alone: clauses of its rules without braces, words of its cipher, numbers of its answers, cells side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from puzzlemill.core.model import Constraints
from puzzlemill.core.types import Spec

LETTERS = "ABCDEFGHIJKL"


def near(a: int, b: int, cols: int) -> bool:
    """Return whether two cells are the same or share a side or a corner."""
    return abs(a // cols - b // cols) < 2 and abs(a % cols - b % cols) < 2


def equals(values: Sequence[int], cells: Sequence[int], cols: int) -> int:
    """Count the cells in the rows and columns of these that show their number."""
    found = 0
    for cell in cells:
        r, c = divmod(cell, cols)
        found += values[r * cols : (r + 1) * cols].count(values[cell]) + values[c::cols].count(values[cell])
    return found


@lru_cache(maxsize=64)
def model_base(rows: int, cols: int, n: int) -> Constraints:
    """The rules without braces; copied before anything is added.

    Variables in order: erased[cell], then shows[cell][value]; a cell without a number shows nothing.
    """
    m = Constraints()
    erased = [m.slot(2)[1] for _ in range(rows * cols)]
    shows = [[m.var() for _ in range(n)] for _ in range(rows * cols)]
    for lits in shows:
        m.at_most_one(lits)
    lines = [range(r * cols, (r + 1) * cols) for r in range(rows)] + [range(c, rows * cols, cols) for c in range(cols)]
    for line in lines:
        for a, b in combinations(line, 2):
            for v in range(n):
                m.require(erased[a], erased[b], -shows[a][v], -shows[b][v], label="repeat")
    neighbours = [pair for line in lines for pair in zip(line, line[1:], strict=False)]
    for a, b in neighbours:
        m.require(-erased[a], -erased[b], label="adjacent")
    _forcing(m, erased, shows, lines)
    # a shortest way never holds all four cells of a square: of each square of two by two it has three at most, and all of what is
    # left at a side of odd length
    longest = rows * cols - (rows // 2) * (cols // 2)
    m.connected([-lit for lit in erased], neighbours, longest - 1, label="connected")
    return m


def _forcing(m: Constraints, erased: Sequence[int], shows: Sequence[Sequence[int]], lines: Sequence[Sequence[int]]) -> None:
    """Clauses that follow from "repeat" and "adjacent" together, so that propagation sets what a reader sees at a glance.

    A cell between two that show the same stays; of two side by side that show the same one stays, so the others of the line that
    do are erased. A literal says that "repeat" is in force: these clauses are labelled "adjacent" and mean nothing without both.
    """
    both = m.var()
    m.require(both, label="repeat")
    for line in lines:
        for a, middle, b in zip(line, line[1:], line[2:], strict=False):
            for one, other in zip(shows[a], shows[b], strict=True):
                m.require(-both, -one, -other, -erased[middle], label="adjacent")
        for a, b in zip(line, line[1:], strict=False):
            for i in line:
                if i not in (a, b):
                    for one, other, third in zip(shows[a], shows[b], shows[i], strict=True):
                        m.require(-both, -one, -other, -third, erased[i], label="adjacent")


@lru_cache(maxsize=128)
def neighbours_of(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """The cells that share a side with each cell; for the plain checker alone."""
    around = []
    for i in range(rows * cols):
        r, c = divmod(i, cols)
        near = ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
        around.append(tuple([y * cols + x for y, x in near if 0 <= y < rows and 0 <= x < cols]))
    return tuple(around)


def erasures(spec: Spec[Any]) -> int | None:
    """Maximal legal erasures of small grids, listed in the tests."""
    return None if spec.rules else {(4, 4): 110, (4, 5): 382}.get(_sides(spec))


def solutions(spec: Spec[Any]) -> int | None:
    """Answers up to symmetry where they are few: by capture and recapture (docs/design/answer_spaces.tsv)."""
    if spec.rules:
        return {(5, 6): 5_717}.get(_sides(spec))
    return {(4, 4): 17, (4, 5): 106, (5, 5): 253, (5, 6): 2_006, (6, 6): 5_880}.get(_sides(spec))


def _sides(spec: Spec[Any]) -> tuple[int, int]:
    """The shorter and the longer side."""
    return min(spec.params.rows, spec.params.cols), max(spec.params.rows, spec.params.cols)
