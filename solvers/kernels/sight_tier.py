"""The tier of Latin grids with sight hints (SightTable) as solvers/deduce/sight.py finds it, without steps.

A tier is the least one whose techniques, with those below it, fill every cell, or end in a contradiction: the more is known, the
more each of them finds, so that no order matters. The deducer gives up after so many cells that it has filled under suppositions;
where a kernel fills a fair part of these, it says that it does not know.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from puzzlemill.core.model import SightTable
from puzzlemill.solvers.deduce.orders import ends_of, orders, union_of
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.sight import _clues, answers, narrow_apart
from puzzlemill.solvers.kernels.techniques import fish, keep, singles, subsets, xy_wings

_FILLED = 1_000  # cells filled under suppositions, up to which the deducer, which fills more of them, does not give up
_FAILS = 6  # suppositions that fail before all that is known is looked at again
_LISTED = 4  # orders of a line that the deducer lists
_BUDGET = 200_000  # branchings to find the answer


@kernel("int64(int64[::1], int64, int64[::1], int64[:,::1], int64[:,::1], int64[:,::1], int64, boolean, uint8[::1])")
def _lines(c, n, every, spans, units, of, most, drops, dirty):
    """Narrow the lines that have hints to their orders, those with at most so many. Returns 1 if that changed anything, -1 for a
    line without an order. every, spans: orders as masks, and where those of each line begin and end. drops: or only look.
    """
    full, changed = (1 << n) - 1, 0
    for k in range(spans.shape[0]):
        if spans[k, 0] == spans[k, 1]:
            continue
        mask, union, fits = 0, 0, 0
        for p in range(n):
            mask |= c[units[k, p]] << n * p
        gone = ~mask
        for x in range(spans[k, 0], spans[k, 1]):
            if every[x] & gone == 0:
                union |= every[x]
                fits += 1
                if union == mask or (not drops and fits):
                    break
        if fits == 0:
            return -1
        if union == mask or fits > most or not drops:
            continue
        for p in range(n):
            i = units[k, p]
            left = union >> n * p & full
            if left != c[i]:
                keep(c, i, left, of, dirty)
                changed = 1
    return changed


@kernel("int64(int64[::1], int64, int64[:,::1], int64[::1], boolean, int64[:,::1], boolean, uint8[::1])")
def _diagonals(c, n, cells, numbers, summed, of, drops, dirty):
    """The same of diagonals: cells and number of each, the number 0 where there is none."""
    room = np.empty((2, (n + 1) * (n + 1)), dtype=np.int64)
    line = np.empty(n, dtype=np.int32)
    left = np.empty(n, dtype=np.int32)
    changed = 0
    for d in range(4):
        if numbers[d] == 0:
            continue
        for p in range(n):
            line[p] = c[cells[d, p]]
        if not narrow_apart(line, n, numbers[d], summed, room, left):
            return -1
        for p in range(n):
            if drops and left[p] != line[p]:
                keep(c, cells[d, p], left[p], of, dirty)
                changed = 1
    return changed


@kernel(
    "int64(int64[::1], int64, int64, boolean, int64[::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[::1], "
    "uint8[:,::1], uint8[::1])"
)
def _close(c, n, top, summed, every, spans, units, of, crossing, numbers, peers, dirty):
    """Apply the techniques up to tier 3 or 4 until none gives anything. Returns the number of open cells, -1: a contradiction."""
    while True:
        if singles(c, n, False, units, of, dirty) < 0:
            return -1
        changed = subsets(c, n, units, of, dirty)
        found = _lines(c, n, every, spans, units, of, _LISTED, True, dirty)
        if found < 0:
            return -1
        if not changed and not found and top > 3:
            found = _diagonals(c, n, crossing, numbers, summed, of, True, dirty)
            if found < 0:
                return -1
            changed = fish(c, n, 3, of, dirty) or xy_wings(c, peers, of, dirty)
            if not changed and not found:
                found = _lines(c, n, every, spans, units, of, every.shape[0], True, dirty)
        if not changed and found <= 0:
            break
    blank = 0
    for i in range(n * n):
        blank += c[i] & (c[i] - 1) != 0
    return -1 if found < 0 else blank


@kernel(
    "int64(int64[::1], int64, boolean, boolean, int64[::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[::1], "
    "uint8[::1])"
)
def _assume(c, n, deep, summed, every, spans, units, of, crossing, numbers, dirty):
    """Go on from a supposition by singles, deep: and by lines. Returns how many cells that fills, -1 - that: a contradiction."""
    filled = 1
    while True:
        more = singles(c, n, False, units, of, dirty)
        if more < 0:
            return -1 - filled
        filled += more
        found = _lines(c, n, every, spans, units, of, every.shape[0], deep, dirty)
        if found >= 0:
            crossed = _diagonals(c, n, crossing, numbers, summed, of, deep, dirty)
            found = -1 if crossed < 0 else found + crossed
        if found < 0:
            return -1 - filled
        if found == 0:
            return filled


@kernel(
    "int64(int64[::1], int64, boolean, int64[:,:,::1], boolean, int64[::1], int64[:,::1], int64[:,::1], int64[:,::1], "
    "int64[:,::1], int64[::1], uint8[:,::1], uint8[::1])"
)
def _early(c, n, odd, says, summed, every, spans, units, of, crossing, numbers, peers, dirty):
    """The tier if it is below 5, else 0. odd: whether no order fits the hints of some unit. says: what hints say by themselves,
    in the deducer's order, as cells and what is left to them, with the tier in the last place.

    One by one, since where all cells are filled only whole lines are looked at.
    """
    turns = says.shape[0]
    for turn in range(turns + 3):
        top, blank = 0, -1
        if turn > turns:
            top = 2 + turn - turns
            blank = _close(c, n, top, summed, every, spans, units, of, crossing, numbers, peers, dirty)
        else:
            if turn:
                top = says[turn - 1, 0, n]
                for p in range(n):
                    i, own = says[turn - 1, 0, p], says[turn - 1, 1, p]
                    if c[i] & ~own:
                        keep(c, i, c[i] & own, of, dirty)
            if singles(c, n, False, units, of, dirty) >= 0:
                blank = 0
                for i in range(n * n):
                    blank += c[i] & (c[i] - 1) != 0
        if blank < 0:
            return max(1, top)
        if blank == 0:
            if _lines(c, n, every, spans, units, of, 0, False, dirty) < 0:
                return max(3, top)
            return max(1, top) if _diagonals(c, n, crossing, numbers, summed, of, False, dirty) == 0 else 4
        if turn == 0 and odd:
            return 2
    return 0


@kernel(
    "int64(int64[::1], int64, int64[::1], boolean, int64[::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[:,::1], "
    "int64[::1], uint8[:,::1], uint8[::1])"
)
def _late(c, n, answer, summed, every, spans, units, of, crossing, numbers, peers, dirty):
    """The tier from 5 on; 0 if the deducer may give up before. answer: -1 in every cell if there is none."""
    own, marks = c.copy(), dirty.copy()
    tier, spent = 5, 0
    while True:
        fails = 0
        for deep in range(2):
            for size in range(2, n + 1):
                for i in range(n * n):
                    many = 0
                    for v in range(n):
                        many += c[i] >> v & 1
                    if many != size or fails >= _FAILS:
                        continue
                    for v in range(n):
                        if not c[i] >> v & 1 or v == answer[i] or c[i] == 1 << v:
                            continue
                        own[:] = c
                        marks[:] = dirty
                        keep(own, i, 1 << v, of, marks)
                        found = _assume(own, n, deep > 0, summed, every, spans, units, of, crossing, numbers, marks)
                        spent += (found if found > 0 else -1 - found) * (1 + deep)
                        if spent > _FILLED:
                            return 0
                        if found < 0:
                            fails += 1
                            keep(c, i, c[i] & ~(1 << v), of, dirty)
            if fails:
                tier = max(tier, 5 + deep)
                break
        if fails == 0:
            return 7
        blank = _close(c, n, 4, summed, every, spans, units, of, crossing, numbers, peers, dirty)
        if blank < 0:
            return tier
        if blank == 0:
            return tier  # where a hint is broken, that is easier to see


# ---- tables -------------------------------------------------------------------------------------------------------------


_NONE = np.empty(0, dtype=np.int64)  # the orders of a line without a hint
_NEVER = np.full(1, -1, dtype=np.int64)  # of a line that has none: what fits nothing


@lru_cache(maxsize=8)
def _geometry(n: int) -> tuple[Any, ...]:
    """The units (rows, then columns), the units of each cell, which cells see each other, the diagonals as lines of hints have
    them, and the cells of each line of hints, the nearest first.
    """
    grid = np.arange(n * n, dtype=np.int64).reshape(n, n)
    units = np.concatenate([grid, grid.T])
    of = np.stack([grid.ravel() // n, n + grid.ravel() % n], axis=1)
    peers = ((of[:, None] == of[None]).any(axis=2) & ~np.eye(n * n, dtype=bool)).astype(np.uint8)
    falling, rising = grid.diagonal(), grid[:, ::-1].diagonal()
    crossing = np.ascontiguousarray([falling, rising, rising[::-1], falling[::-1]])
    straight = np.concatenate([grid.T, grid.T[:, ::-1], grid, grid[:, ::-1]])
    return units, of, peers, crossing, tuple(map(tuple, np.concatenate([straight, crossing]).tolist()))


@lru_cache(maxsize=4096)
def _orders(n: int, summed: bool, near: int, far: int) -> Any:
    return np.array(orders(n, summed, near, far), dtype=np.uint64).view(np.int64)


@lru_cache(maxsize=4096)
def _split(n: int, summed: bool, near: int, far: int) -> tuple[int, ...]:
    """What the orders with these hints have in each place."""
    union = union_of(n, summed, near, far)
    return tuple([union >> n * p & (1 << n) - 1 for p in range(n)])


def _alone(n: int, summed: bool, hint: dict[int, int]) -> Any:
    """What hints say by themselves, see _early()."""
    full = (1 << n) - 1
    units, _, _, _, cells = _geometry(n)
    least, most = (n, n * (n + 1) // 2) if summed else (1, n)
    lines = sorted(hint)
    straight = [line for line in lines if line < 4 * n]
    said: list[tuple[Any, Any, int]] = [
        (cells[line], (full & ~(full >> 1), *[full >> 1] * (n - 1)), 1) for line in straight if hint[line] == least
    ]
    said += [(cells[line], [1 << v for v in range(n)], 1) for line in lines if hint[line] == most]
    for line in lines if not summed else ():
        said.append((cells[line], [(1 << min(n, n - hint[line] + p + 1)) - 1 for p in range(n)], 2))
    ends = [(k, end, line) for k in range(2 * n) for end, line in enumerate(ends_of(n, k)) if line in hint]
    for k, end, line in sorted(ends, key=lambda each: each[2]):
        said.append((units[k], _split(n, summed, *((0, hint[line]) if end else (hint[line], 0))), 2))
    for k in range(2 * n):
        near, far = [hint.get(line, 0) for line in ends_of(n, k)]
        if near and far:
            said.append((units[k], _split(n, summed, near, far), 2))
    return np.array([((*where, top), (*left, 0)) for where, left, top in said], dtype=np.int64).reshape(len(said), 2, n + 1)


def tier(table: SightTable) -> int | None:
    """See kernels.tier. Raises BadRow for a table that describes no grid."""
    _clues(table)
    n, summed = table.n, table.summed
    units, of, peers, crossing, _ = _geometry(n)
    c = np.full(n * n, (1 << n) - 1, dtype=np.int64)
    hint: dict[int, int] = {}
    for place, number in table.clues:
        line = place - n * n
        if line < 0:
            c[place] &= 1 << number
        elif (table.diagonals or line < 4 * n) and hint.setdefault(line, number) != number:
            return 1
    if (summed and table.diagonals) or not (c & c - 1).any():
        return None
    ends = [[hint.get(line, 0) for line in ends_of(n, k)] for k in range(2 * n)]
    lists = [_orders(n, summed, *pair) if any(pair) else _NONE for pair in ends]
    odd = any(all(pair) and not len(each) for pair, each in zip(ends, lists, strict=True))
    lists = [each if len(each) or not any(pair) else _NEVER for pair, each in zip(ends, lists, strict=True)]
    stops = np.cumsum([0, *map(len, lists)])
    spans = np.stack([stops[:-1], stops[1:]], axis=1)
    numbers = np.array([hint.get(line, 0) for line in range(4 * n, 4 * n + 4)], dtype=np.int64)
    rest = summed, np.concatenate(lists), spans, units, of, crossing, numbers, peers, np.ones(2 * n, dtype=np.uint8)
    early = _early(c, n, odd, _alone(n, summed, hint), *rest)
    if early:
        return int(early)
    found = answers(table, 2, _BUDGET)
    if not found.decided(2) or len(found.answers) > 1:
        return None
    answer = np.array(found.answers[0] if found.answers else [-1] * (n * n), dtype=np.int64)
    return int(_late(c, n, answer, *rest)) or None
