"""The tier of Latin grids (LatinTable) as solvers/deduce/latin.py finds it, without steps.

A tier is the least one whose techniques, with those below it, fill every cell, or end in a contradiction: the more is known, the
more each of them finds, so that no order matters. Not known are tables with a heaviest group. The deducer gives up after so many
cells that it has filled under suppositions, or candidates that chains have reached; where a kernel comes to a fair part of these,
it says that it does not know.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import LatinTable
from puzzlemill.solvers.kernels.bits import popcount
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.latin import answers
from puzzlemill.solvers.kernels.techniques import fish, keep, singles, subsets, xy_wings

_MOST = 25  # longest line
_LINKS = 10  # strong links of a chain
_REACHED = 60_000  # candidates reached by chains, up to which the deducer does not give up
_FILLED = 1_000  # cells filled under suppositions, likewise
_FAILS = 6  # suppositions that fail before all that is known is looked at again
_BUDGET = 200_000  # branchings to find the answer


@kernel("boolean(int64[::1], int64, int64[:,::1], int64[:,::1], uint8[::1])")
def locked(c, n, units, of, dirty):
    """All places of a value in a unit lie in a second one, whose rest does not have it. True if that changed anything."""
    changed = False
    for u in range(units.shape[0]):
        for v in range(n):
            bit, first, held = 1 << v, -1, False
            for i in units[u]:
                if c[i] & bit:
                    held |= c[i] == bit
                    first = i if first < 0 else first
            if held or first < 0:
                continue
            for other in of[first]:
                if other < 0 or other == u:
                    continue
                within = True
                for i in units[u]:
                    if c[i] & bit and within:
                        within = False
                        for k in of[i]:
                            within |= k == other
                if not within:
                    continue
                for i in units[other]:
                    if c[i] & bit and c[i] != bit:
                        shared = False
                        for k in of[i]:
                            shared |= k == u
                        if not shared:
                            keep(c, i, c[i] & ~bit, of, dirty)
                            changed = True
    return changed


@kernel("boolean(int64[::1], int64, boolean, uint8[:,::1], uint8[:,::1], int64[:,::1], int64[:,::1], uint8[::1])")
def common_peers(c, n, apart, peers, beside, units, of, dirty):
    """What conflicts with every place of a value in a unit, or with every value of a cell of up to three. True if it is any."""
    changed = False
    for u in range(units.shape[0]):
        for v in range(n):
            bit, held, many = 1 << v, False, 0
            for i in units[u]:
                held |= c[i] == bit
                many += c[i] & bit != 0
            if held or many == 0:
                continue
            for side in range(-1 if apart else 0, 2 if apart else 1):
                if not 0 <= v + side < n:
                    continue
                other = 1 << v + side
                for j in range(n * n):
                    if not c[j] & other or c[j] & (c[j] - 1) == 0:
                        continue
                    near = True
                    for i in units[u]:
                        if c[i] & bit and near:
                            near = peers[j, i] != 0 if side == 0 else beside[j, i] != 0
                    if near:
                        keep(c, j, c[j] & ~other, of, dirty)
                        changed = True
    if apart:
        for i in range(n * n):
            if not 2 <= popcount(c[i]) <= 3:
                continue
            for j in range(n * n):
                if not beside[i, j] or c[j] & (c[j] - 1) == 0:
                    continue
                for w in range(n):
                    if c[j] >> w & 1 and c[i] & ~((7 << w) >> 1) == 0:
                        keep(c, j, c[j] & ~(1 << w), of, dirty)
                        changed = True
    return changed


@kernel("boolean(int64[::1], uint8[:,::1], int64[:,::1], uint8[::1])")
def xyz_wings(c, peers, of, dirty):
    """As xy_wings(), where the first cell may be c too: what sees all three is not c."""
    changed = False
    cells = c.shape[0]
    for i in range(cells):
        for j in range(cells):
            if not peers[i, j] or popcount(c[i]) != 3 or popcount(c[j]) != 2 or c[j] & ~c[i]:
                continue
            for k in range(j + 1, cells):
                if not peers[i, k] or popcount(c[k]) != 2 or c[k] == c[j] or c[j] | c[k] != c[i]:
                    continue
                value = c[j] & c[k]
                for x in range(cells):
                    if peers[x, i] and peers[x, j] and peers[x, k] and c[x] & value and c[x] & (c[x] - 1):
                        keep(c, x, c[x] & ~value, of, dirty)
                        changed = True
                if popcount(c[i]) != 3 or popcount(c[j]) != 2:
                    break
    return changed


@kernel("boolean(int64[::1], int64, uint8[:,::1], int64[:,::1], int64[:,::1], uint8[::1])")
def w_wings(c, n, peers, units, of, dirty):
    """Two cells have a or b, and each sees one of the two places of a in a unit: one of them is b. True if that is news."""
    changed = False
    cells = c.shape[0]
    for u in range(units.shape[0]):
        for v in range(n):
            bit, many, one, two, held = 1 << v, 0, -1, -1, False
            for i in units[u]:
                if c[i] & bit:
                    held |= c[i] == bit
                    one, two = two, i
                    many += 1
            if many != 2 or held:
                continue
            for i in range(cells):
                if not peers[i, one] or popcount(c[i]) != 2 or not c[i] & bit or i == two:
                    continue
                other = c[i] & ~bit
                for j in range(cells):
                    if j in (i, one) or c[j] != c[i] or not peers[j, two]:
                        continue
                    for x in range(cells):
                        if peers[x, i] and peers[x, j] and c[x] & other and c[x] & (c[x] - 1):
                            keep(c, x, c[x] & ~other, of, dirty)
                            changed = True
                    if popcount(c[i]) != 2:
                        break
    return changed


@kernel("int64(int64[::1], int64, boolean, int64, uint8[:,::1], uint8[:,::1], int64[:,::1], int64[:,::1], uint8[::1])")
def chains(c, n, apart, most, peers, beside, units, of, dirty):
    """What both ends of a chain exclude, one of which is true: up to `most` strong links, one by one with weak ones between.

    Returns how many candidates were reached; -1 - that if it changed nothing.
    """
    cells = c.shape[0]
    size = n * cells  # candidates are v * cells + cell
    strong = np.full((size, of.shape[1] + 1), -1, dtype=np.int64)
    for u in range(units.shape[0] + cells):
        for v in range(n if u < units.shape[0] else 1):
            one, two, many, held = -1, -1, 0, False
            if u < units.shape[0]:
                for i in units[u]:
                    if c[i] >> v & 1:
                        held |= c[i] == 1 << v
                        one, two = two, v * cells + i
                        many += 1
            else:
                i = u - units.shape[0]
                for w in range(n):
                    if c[i] >> w & 1:
                        one, two = two, w * cells + i
                        many += 1
            if many != 2 or held:
                continue
            for side in range(2):
                x, y = (one, two) if side else (two, one)
                for k in range(strong.shape[1]):
                    if strong[x, k] == y:
                        break
                    if strong[x, k] < 0:
                        strong[x, k] = y
                        break
    width = of.shape[1] * n + n + 8
    weak = np.empty((size, width), dtype=np.int64)
    many_of = np.zeros(size, dtype=np.int64)
    for i in range(cells):
        for v in range(n):
            if not c[i] >> v & 1 or c[i] & (c[i] - 1) == 0:
                continue
            x, many = v * cells + i, 0
            for w in range(n):
                if w != v and c[i] >> w & 1:
                    weak[x, many] = w * cells + i
                    many += 1
            for j in range(cells):
                if c[j] & (c[j] - 1) == 0:
                    continue
                if peers[i, j] and c[j] >> v & 1:
                    weak[x, many] = v * cells + j
                    many += 1
                for w in range(v - 1, v + 2, 2) if apart and beside[i, j] else range(0):
                    if 0 <= w < n and c[j] >> w & 1:
                        weak[x, many] = w * cells + j
                        many += 1
            many_of[x] = many
    near = np.full(size, -1, dtype=np.int64)  # excluded by the start; reached as true; reached as false: of the latest start
    trues, falses = near.copy(), near.copy()
    gone = np.zeros(size, dtype=np.uint8)
    front, ahead = near.copy(), near.copy()
    reached, changed = 0, False
    for start in range(size):
        if strong[start, 0] < 0:
            continue
        for k in range(many_of[start]):
            near[weak[start, k]] = start
        falses[start] = start
        front[0], many = start, 1
        for _ in range(most):
            after = 0
            for k in range(many):
                for true in strong[front[k]]:
                    if true < 0 or trues[true] == start:
                        continue
                    trues[true] = start
                    for m in range(many_of[true]):
                        x = weak[true, m]
                        if near[x] == start and not gone[x]:
                            gone[x] = 1
                            changed = True
                        if strong[x, 0] >= 0 and falses[x] != start:
                            falses[x] = start
                            ahead[after] = x
                            after += 1
            front, ahead = ahead, front
            many = after
            reached += after
    for x in range(size):
        if gone[x]:
            keep(c, x % cells, c[x % cells] & ~(1 << x // cells), of, dirty)
    return reached if changed else -1 - reached


@kernel(
    "int64(int64[::1], int64, int64, boolean, boolean, uint8[:,::1], uint8[:,::1], int64[:,::1], int64[:,::1], uint8[::1], "
    "int64[::1])"
)
def _close(c, n, top, apart, crossed, peers, beside, units, of, dirty, spent):
    """Apply the techniques up to this tier until none gives anything. Returns the number of open cells, -1: a contradiction.

    spent[0]: candidates that chains have reached so far.
    """
    while True:
        if singles(c, n, apart, units, of, dirty) < 0:
            return -1
        changed = False
        if top > 1:
            changed = locked(c, n, units, of, dirty)
            if crossed and not changed:
                changed = common_peers(c, n, apart, peers, beside, units, of, dirty)
        if top > 2 and not changed:
            changed = subsets(c, n, units, of, dirty)
        if top > 3 and not changed:
            changed = fish(c, n, 4, of, dirty) or xy_wings(c, peers, of, dirty)
            if not changed:
                changed = xyz_wings(c, peers, of, dirty) or w_wings(c, n, peers, units, of, dirty)
        if top > 4 and not changed:
            reached = chains(c, n, apart, _LINKS, peers, beside, units, of, dirty)
            changed = reached >= 0
            spent[0] += reached if changed else -1 - reached
        if not changed:
            break
    blank = 0
    for i in range(n * n):
        blank += c[i] & (c[i] - 1) != 0
    return blank


@kernel(
    "int64(int64[::1], int64, int64[::1], boolean, boolean, uint8[:,::1], uint8[:,::1], int64[:,::1], int64[:,::1], uint8[::1], "
    "int64[::1])"
)
def _late(c, n, answer, apart, crossed, peers, beside, units, of, dirty, spent):
    """The tier from 6 on; 0 if the deducer may give up before. answer: -1 in every cell if there is none."""
    own, marks = c.copy(), dirty.copy()
    filled = 0
    while True:
        fails = 0
        for deep in range(2):
            for size in range(2, n + 1):
                for i in range(n * n):
                    if popcount(c[i]) != size or fails >= _FAILS:
                        continue
                    for v in range(n):
                        if not c[i] >> v & 1 or v == answer[i] or c[i] == 1 << v:
                            continue
                        own[:] = c
                        marks[:] = dirty
                        keep(own, i, 1 << v, of, marks)
                        before = filled
                        filled += 1 + deep
                        while True:
                            more = singles(own, n, apart, units, of, marks)
                            if more > 0:
                                filled += more * (1 + deep)
                            if more < 0 or not deep or not locked(own, n, units, of, marks):
                                break
                            filled += 2
                        if more < 0:
                            filled = max(filled, before + 8)
                            fails += 1
                            keep(c, i, c[i] & ~(1 << v), of, dirty)
                        if filled > _FILLED:
                            return 0
            if fails:
                break
        if fails == 0:
            return 7
        if _close(c, n, 5, apart, crossed, peers, beside, units, of, dirty, spent) <= 0:
            return 6
        if spent[0] > _REACHED:
            return 0


# ---- tables -------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def _geometry(n: int, further: tuple[tuple[int, ...], ...]) -> tuple[Any, ...]:
    """The units, the units of each cell, which cells see each other, which are side by side; whether a unit is no rectangle."""
    grid = np.arange(n * n, dtype=np.int64).reshape(n, n)
    units = np.concatenate([np.array(further, dtype=np.int64).reshape(len(further), n), grid, grid.T])
    member = np.zeros((n * n, len(units)), dtype=bool)
    for u, unit in enumerate(units):
        member[unit, u] = True
    of = np.full((n * n, int(member.sum(axis=1).max())), -1, dtype=np.int64)
    for i, row in enumerate(member):
        of[i, : row.sum()] = np.flatnonzero(row)
    peers = ((member.astype(np.int64) @ member.T > 0) & ~np.eye(n * n, dtype=bool)).astype(np.uint8)
    r, c = np.divmod(np.arange(n * n), n)
    beside = (abs(r[:, None] - r) + abs(c[:, None] - c) == 1).astype(np.uint8)
    crossed = any(len({i // n for i in unit}) * len({i % n for i in unit}) != n for unit in further)
    return units, of, peers, beside, crossed


def tier(table: LatinTable) -> int | None:
    """See kernels.tier. Raises BadRow for a table that describes no grid."""
    n = table.n
    if table.heaviest or n < 2 or n > _MOST:
        return None
    if any(len(unit) != n or not 0 <= min(unit) <= max(unit) < n * n for unit in table.units):
        raise BadRow(f"a unit of a Latin grid of {n} has as many cells below {n * n}")
    units, of, peers, beside, crossed = _geometry(n, table.units)
    c = np.full(n * n, (1 << n) - 1, dtype=np.int64)
    for cell, value in table.clues:
        if not (0 <= cell < n * n and 0 <= value < n):
            raise BadRow(f"a clue of a Latin grid of {n} is a cell below {n * n} and a value below {n}, got {cell}, {value}")
        c[cell] &= 1 << value
    if not (c & c - 1).any():
        return None  # nothing is left to find
    spent = np.zeros(1, dtype=np.int64)
    rest = table.apart, crossed or table.apart, peers, beside, units, of, np.ones(len(units), dtype=np.uint8), spent
    for top in range(1, 6):
        if _close(c, n, top, *rest) <= 0:
            return top if spent[0] <= _REACHED else None
    found = answers(table, 2, _BUDGET)
    if spent[0] > _REACHED or not found.decided(2) or len(found.answers) > 1:
        return None
    answer = np.array(found.answers[0] if found.answers else [-1] * (n * n), dtype=np.int64)
    return int(_late(c, n, answer, *rest)) or None
