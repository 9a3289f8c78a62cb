"""The tier of Minesweeper boards (MinesTable) as solvers/deduce/mines.py finds it, without steps.

A tier is the least one whose techniques, with those below it, find every cell that must be a mine: the more is known, the more
each of them finds. Not found are boards that need more than pairs of numbers and the total, those whose numbers count groups or
whose mines do not touch, and those without an answer.
"""

from __future__ import annotations

import numpy as np

from puzzlemill.core.model import MinesTable
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.mines import common

_STATES = 1_000_000  # of the sweep that finds which cells must be mines
OPEN, MINE, SAFE = range(3)


@kernel("int64(int64[::1], int64[:,::1], int64, int64, int64)")
def _put(state, reach, i, j, value):
    """Make the open cells around number i mines or safe: those that number j has too, or those that it has not if j < -1 (~j).

    j = -1: all of them. Returns how many there are.
    """
    many = 0
    for k in range(reach[i, 8]):
        cell = reach[i, k]
        if state[cell] != OPEN:
            continue
        fits = j == -1
        if not fits:
            other, shared = j if j >= 0 else -2 - j, False
            for m in range(reach[other, 8]):
                shared |= reach[other, m] == cell
            fits = shared == (j >= 0)
        if fits:
            many += 1
            if value != OPEN:
                state[cell] = value
    return many


@kernel("int64(int64[::1], int64[:,::1], int64[::1], int64)")
def _missing(state, reach, shown, i):
    """The mines of a number that are not known."""
    left = shown[i]
    for k in range(reach[i, 8]):
        left -= state[reach[i, k]] == MINE
    return left


@kernel("int64(int64[::1], int64[:,::1], int64[::1])")
def _numbers(state, reach, shown):
    """Conclude what single numbers say, once. Returns how many cells are new, -1 for a contradiction."""
    new = 0
    for i in range(len(shown)):
        blank, missing = _put(state, reach, i, -1, OPEN), _missing(state, reach, shown, i)
        if missing < 0 or missing > blank:
            return -1
        if blank and missing in (0, blank):
            new += _put(state, reach, i, -1, MINE if missing else SAFE)
    return new


@kernel("int64(int64[::1], int64[:,::1], int64[::1], boolean)")
def _pairs(state, reach, shown, loose):
    """Conclude what a pair of numbers says, of which each has open cells that the other has not if loose. As _numbers()."""
    for i in range(len(shown)):
        for j in range(i):
            both = _put(state, reach, i, j, OPEN)
            if both == 0:
                continue
            own, others = _put(state, reach, i, -2 - j, OPEN), _put(state, reach, j, -2 - i, OPEN)
            if (own > 0 and others > 0) != loose:
                continue
            mine, other = _missing(state, reach, shown, i), _missing(state, reach, shown, j)
            least, most = max(0, mine - own, other - others), min(both, mine, other)
            if least > most:
                return -1
            new = 0
            if least == both or most == 0:
                new += _put(state, reach, i, j, MINE if most else SAFE)
            if own and (mine - most == own or mine == least):
                new += _put(state, reach, i, -2 - j, MINE if mine - most == own else SAFE)
            if others and (other - most == others or other == least):
                new += _put(state, reach, j, -2 - i, MINE if other - most == others else SAFE)
            if new:
                return new
    return 0


@kernel("int64(int64[::1], int64)")
def _total(state, mines):
    """Conclude what the total says. As _numbers()."""
    blank, left = 0, mines
    for cell in range(len(state)):
        blank += state[cell] == OPEN
        left -= state[cell] == MINE
    if left < 0 or left > blank:
        return -1
    if blank == 0 or left not in (0, blank):
        return 0
    for cell in range(len(state)):
        if state[cell] == OPEN:
            state[cell] = MINE if left else SAFE
    return blank


@kernel("int64(int64[::1], int64[:,::1], int64[::1], int64, int64[::1])")
def _tier(state, reach, shown, mines, wanted):
    """The tier at which every wanted cell is known to be a mine; 0 if it is not found."""
    top = 1
    while True:
        done = True
        for cell in wanted:
            done &= state[cell] == MINE
        if done:
            return top
        new = _numbers(state, reach, shown)
        if new == 0:
            top = max(top, 2)
            new = _pairs(state, reach, shown, False)
        if new == 0:
            top = 3
            new = _pairs(state, reach, shown, True)
            if new == 0 and mines >= 0:
                new = _total(state, mines)
        if new <= 0:
            return 0


def tier(table: MinesTable) -> int | None:
    """See kernels.tier; None for what needs more than the third tier. Raises BadRow for a malformed table."""
    if table.clusters or table.apart:
        return None
    found = common(table, _STATES)
    if not found.decided or found.values is None:
        return None
    wanted = np.array([cell for cell, value in enumerate(found.values) if value == 1], np.int64)
    if not len(wanted):
        return 0
    state = np.zeros(table.rows * table.cols, np.int64)
    reach = np.zeros((len(table.clues), 9), np.int64)
    for i, (cell, _) in enumerate(table.clues):
        state[cell] = SAFE
        r, c = divmod(cell, table.cols)
        near = [
            y * table.cols + x
            for y in range(max(r - 1, 0), min(r + 2, table.rows))
            for x in range(max(c - 1, 0), min(c + 2, table.cols))
            if (y, x) != (r, c)
        ]
        reach[i, : len(near)], reach[i, 8] = near, len(near)
    shown = np.array([number for _, number in table.clues], np.int64)
    return int(_tier(state, reach, shown, table.mines, wanted)) or None
