"""The tier of items at positions (PositionTable) as solvers/deduce/positions.py finds it, without steps.

A tier is the least one whose techniques, with those below it, place every item: the more is known, the more each of them finds.
Not found are tables that need cases or suppositions, those without an answer, and easy ones with clues that make an order, which
the deducer reads before anything easier. Items that clues merge share their places at every tier.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzlemill.core.model import RELATIONS, PositionTable
from puzzlemill.solvers.kernels.bits import popcount
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.positions import (
    _SAME,
    BETWEEN,
    BINARY,
    IF,
    ONE_OF,
    UNARY,
    _combine,
    _images,
    _revise,
    _translated,
)

_SINGLES, _PAIRS, _SUBSETS = 1, 2, 3  # what a closure uses: single places and placed items, all places, and subsets too
_BEFORE = tuple([RELATIONS.index(name) for name in ("just_left", "left")])


@kernel("boolean(int64[::1], int64, int64)")
def _settle(domain, first, n):
    """Leave an attribute's items the places that single places and single items leave."""
    changed = False
    once, twice = 0, 0
    for x in range(first, first + n):
        twice |= once & domain[x]
        once |= domain[x]
    for x in range(first, first + n):
        mask = domain[x]
        if popcount(mask) == 1:
            for y in range(first, first + n):
                if y != x and domain[y] & mask:
                    domain[y] &= ~mask
                    changed = True
        elif mask & ~twice and mask & twice:
            domain[x] = mask & ~twice  # the only item for a place
            changed = True
    return changed


@kernel("boolean(int64[::1], int64, int64)")
def _subset(domain, first, n):
    """Leave two or three items their two or three places, or so many places their items."""
    changed, loose = False, 0
    for x in range(first, first + n):
        if popcount(domain[x]) > 1:
            loose |= domain[x]
    for chosen in range(1, 1 << n):
        if not 2 <= popcount(chosen) <= 3:
            continue
        mask, open_ = 0, True
        for v in range(n):
            if chosen >> v & 1:
                mask |= domain[first + v]
                open_ &= popcount(domain[first + v]) > 1
        if open_ and popcount(mask) == popcount(chosen):
            for v in range(n):
                if not chosen >> v & 1 and domain[first + v] & mask:
                    domain[first + v] &= ~mask
                    changed = True
        if chosen & ~loose == 0:  # read as places
            many = 0
            for v in range(n):
                many += domain[first + v] & chosen != 0
            if many == popcount(chosen):
                for v in range(n):
                    if domain[first + v] & chosen and domain[first + v] & ~chosen:
                        domain[first + v] &= chosen
                        changed = True
    return changed


@kernel("boolean(int64[::1], int64[::1], int64[::1], int64, int64[:, ::1])")
def _placed(domain, view, line, n, image):
    """Narrow by a clue what its placed items say of the others."""
    full = (1 << n) - 1
    items = 1 if line[0] == UNARY else 2 if line[0] == BINARY else 3
    for k in range(1, items + 1):
        x = line[k]
        view[x] = domain[x] if popcount(domain[x]) == 1 else full
    _revise(view, line, True, n, image)
    changed = False
    for k in range(1, items + 1):
        x = line[k]
        if domain[x] & ~view[x]:
            domain[x] &= view[x]
            changed = True
    return changed


@kernel("boolean(int64[::1], int64[::1], int64, int64, int64[:, ::1], int64[:, ::1], int64)")
def _close(domain, view, n, clues, lines, image, top):
    """Narrow the places of all items as far as these techniques go. False for a contradiction."""
    again = True
    while again:
        again = False
        for first in range(0, len(domain), n):
            while _settle(domain, first, n):
                again = True
        for i in range(clues):
            line = lines[i]
            if line[0] == ONE_OF or line[0] == IF:
                again |= top > 1 and _combine(domain, line, n, lines, image) != 0
            elif top > 1 or (line[0] == BINARY and line[3] == _SAME):
                again |= _revise(domain, line, True, n, image) != 0
            else:
                again |= _placed(domain, view, line, n, image)
        for x in range(len(domain)):
            if domain[x] == 0:
                return False
        if not again and top > 2:
            for first in range(0, len(domain), n):
                again |= _subset(domain, first, n)
    return True


@kernel("int64(int64[::1], int64[::1], int64, int64, int64[:, ::1], int64[:, ::1])")
def _tier(domain, view, n, clues, lines, image):
    """The tier; 0 where it is not found."""
    for top in range(1, 4):
        if not _close(domain, view, n, clues, lines, image, top):
            return 0
        done = True
        for x in range(len(domain)):
            done &= popcount(domain[x]) == 1
        if done:  # nothing that is placed breaks a clue
            return top if _close(domain, view, n, clues, lines, image, 2) else 0
    return 0


def tier(table: PositionTable) -> int | None:
    """See kernels.tier. Raises ValueError for what is out of range."""
    n, many = table.positions, len(table.clues)
    lines = _translated(table)
    stands = list(range(n * table.attributes))
    rows = lines.tolist()
    for row in rows[:many]:
        if row[0] == BINARY and row[3] == _SAME:
            one, other = stands[row[1]], stands[row[2]]
            stands = [one if x == other else x for x in stands]
    before, after = set[int](), set[int]()
    for i, row in enumerate(rows):
        if row[0] in (BINARY, BETWEEN):
            named = [stands[x] for x in row[1 : 3 if row[0] == BINARY else 4]]
            same = row[0] == BINARY and row[3] == _SAME and i < many
            if len(set(named)) < len(named) and not same:
                return None
            if i < many and table.clues[i][0] in _BEFORE:
                before.add(named[0])
                after.add(named[1])
    domain = np.full(len(stands), (1 << n) - 1, np.int64)
    found: Any = int(_tier(domain, domain.copy(), n, many, lines, _images(n)))
    return None if not found or (found == 1 and before & after) else int(found)
