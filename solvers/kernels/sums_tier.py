"""The tier of weighted lines (SumsTable) as solvers/deduce/sums.py finds it, without steps.

A tier is the least one whose techniques, with those below it, set every cell: the more is known, the more each of them finds, so
that no order matters. Of a contradiction the deducer keeps only the steps that lead to it, which may leave out the hardest
one: the kernel knows only those that the easiest techniques find. An exception is `two_ways`, which the deducer leaves out if its
story is long. So the tier is found twice, as if it always did and as if it never did so: where that differs, the kernel does not
know it. Nor does it know puzzles that need suppositions within suppositions.
"""

from __future__ import annotations

import numpy as np

from puzzlemill.core.model import SumsTable
from puzzlemill.solvers.kernels.bits import popcount, unknown
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.sums import MOST, _check, _fit

_TOO_MUCH = 60  # more than any line can make, and few enough for a word
_WAYS = 10  # of a line, which the deducer tries


@kernel("int64(int64)")
def _weight(mask):
    """What the cells of a mask add up to."""
    found = 0
    while mask:
        low = mask & -mask
        mask ^= low
        found += popcount(low - 1) + 1
    return found


@kernel("int64(int64[:,::1], int64, int64, int64, int64)")
def _know(at, rows, line, mask, value):
    """Set cells of a line. Returns the mask of the lines that this changes; -1 if one of them is set otherwise."""
    new = mask & ~at[value, line]
    if new & at[1 - value, line]:
        return -1
    at[value, line] |= new
    first, me = (rows, 1 << line) if line < rows else (0, 1 << (line - rows))
    touched = 1 << line if new else 0
    while new:
        bit = new & -new
        new ^= bit
        other = first + popcount(bit - 1)
        if at[1 - value, other] & me:
            return -1
        at[value, other] |= me
        touched |= 1 << other
    return touched


@kernel("boolean(int64[:,::1], int64, int64, int64[::1], int64, int64, int64[:,::1])")
def _close(at, rows, cols, sums, touched, top, room):
    """Apply tiers 1 to 3 until none gives anything, from the lines in `touched`. False for a contradiction. room: one line."""
    reached = room[2]
    while touched:
        low = touched & -touched
        touched ^= low
        line = popcount(low - 1)
        if sums[line] < 0:
            continue
        n = cols if line < rows else rows
        full = (1 << n) - 1
        ones, zeros = at[1, line], at[0, line]
        one, zero = 0, 0
        if top == 3:
            room[0, 0], room[1, 0] = zeros, ones
            if not _fit(room, 0, n, sums[line], reached):
                return False
            one, zero = room[1, 0] & ~ones, room[0, 0] & ~zeros
        else:
            blank = full & ~ones & ~zeros
            missing = sums[line] - _weight(ones)
            spare = _weight(blank) - missing
            if missing < 0 or spare < 0:
                return False
            if top == 1:
                zero = blank if missing == 0 else 0
                one = blank if spare == 0 else 0
            else:
                zero = blank >> missing << missing
                one = blank >> spare << spare
            if zero & one:
                return False
        for value in range(2):
            mask = one if value else zero
            if mask:
                new = _know(at, rows, line, mask, value)
                if new < 0:
                    return False
                touched |= new
    return True


@kernel("int64(int64[:,::1], int64, int64, int64[::1], int64[:,::1])")
def _double(at, rows, cols, sums, room):
    """Count all cells by rows and by columns. Returns the mask of the lines that this changes; -1 for a contradiction."""
    counted = np.zeros(2, dtype=np.int64)
    unknown = -1
    for line in range(rows + cols):
        across = 0 if line < rows else 1
        n = rows if across else cols
        number = line + 1 - across * rows
        if sums[line] >= 0:
            counted[across] += number * sums[line]
        elif at[0, line] | at[1, line] == (1 << n) - 1:
            counted[across] += number * _weight(at[1, line])
        elif unknown >= 0:
            return 0
        else:
            unknown = line
    if unknown < 0:
        return -1 if counted[0] != counted[1] else 0
    across = 0 if unknown < rows else 1
    n = rows if across else cols
    number = unknown + 1 - across * rows
    rest = counted[1 - across] - counted[across]
    if rest < 0 or rest % number or rest // number > n * (n + 1) // 2:
        return -1
    room[0, 0], room[1, 0] = at[0, unknown], at[1, unknown]
    if not _fit(room, 0, n, rest // number, room[2]):
        return -1
    return _know(at, rows, unknown, room[1, 0], 1) | _know(at, rows, unknown, room[0, 0], 0)


@kernel("int64(int64[:,::1], int64, int64, int64[::1], int64, int64[:,:,::1], int64[:,::1])")
def _ways(at, rows, cols, sums, top, boards, room):
    """Try all ways of each line that has few of them, as all_ways(): two by tiers 1 and 2 (top: 2), or more by tier 3 too.

    Returns the mask of the lines that this changes; -1 for a contradiction.
    """
    changed = 0
    for line in range(rows + cols):
        n = cols if line < rows else rows
        full = (1 << n) - 1
        ones, known = at[1, line], at[0, line] | at[1, line]
        if sums[line] < 0 or known == full:
            continue
        many, blank = 0, full & ~known
        some = blank
        missing = sums[line] - _weight(ones)
        while many <= _WAYS:  # over the subsets of the open cells
            many += _weight(some) == missing
            if some == 0:
                break
            some = (some - 1) & blank
        if not 2 <= many <= (2 if top == 2 else _WAYS):
            continue
        stand, some = 0, blank
        while True:
            if _weight(some) == missing:
                own = boards[0]
                own[:] = at
                touched = _know(own, rows, line, some, 1) | _know(own, rows, line, blank & ~some, 0)
                if touched >= 0 and _close(own, rows, cols, sums, touched, top, room):
                    if stand == 0:
                        boards[1] = own
                    else:
                        boards[1] &= own
                    stand += 1
            if some == 0:
                break
            some = (some - 1) & blank
        if stand == 0:
            return -1
        for other in range(rows):
            for value in range(2):
                new = _know(at, rows, other, boards[1, value, other], value)
                if new < 0:
                    return -1
                changed |= new
    return changed


@kernel("int64(int64[:,::1], int64, int64, int64[::1], boolean, int64[:,:,::1], int64[:,::1])")
def _tier(at, rows, cols, sums, two, boards, room):
    """The tier; 0 where it is not found. two: whether two ways are tried in tier 4."""
    every = (1 << (rows + cols)) - 1
    tier, touched = 1, every
    while True:
        while tier <= 3:
            if not _close(at, rows, cols, sums, every, tier, room):
                return tier if tier == 1 else 0
            if unknown(at, rows, cols) == 0:
                return tier if _double(at, rows, cols, sums, room) == 0 else 0
            tier += 1
        touched = _double(at, rows, cols, sums, room)
        if touched == 0 and two:
            touched = _ways(at, rows, cols, sums, 2, boards, room)
        if touched == 0:
            for top in range(2, 4):
                for cell in range(rows * cols):
                    r, c = cell // cols, cell % cols
                    for value in range(2):
                        if touched < 0 or (at[0, r] | at[1, r]) >> c & 1:
                            continue
                        own = boards[0]
                        own[:] = at
                        if not _close(own, rows, cols, sums, _know(own, rows, r, 1 << c, value), top, room):
                            touched |= _know(at, rows, r, 1 << c, 1 - value)
                if touched:
                    tier = max(tier, 3 + top)
                    break
        if touched == 0:
            touched = _ways(at, rows, cols, sums, 3, boards, room)
            tier = max(tier, 7)
            if touched == 0:
                return 0
        if touched < 0 or not _close(at, rows, cols, sums, touched, 3, room):
            return 0
        if unknown(at, rows, cols) == 0:
            return tier


def tier(table: SumsTable) -> int | None:
    """See kernels.tier. Raises BadRow for a table that describes no grid."""
    rows, cols = table.rows, table.cols
    _, lines, totals = _check(table)
    if len(set(lines.tolist())) < len(lines):
        return None  # several sums of a line
    sums = np.full(rows + cols, -1, dtype=np.int64)
    sums[lines] = np.minimum(totals, _TOO_MUCH)
    start = np.zeros((2, rows + cols), dtype=np.int64)
    for cell in set(table.blocked):
        r, c = divmod(cell, cols)
        start[0, r] |= 1 << c
        start[0, rows + c] |= 1 << r
    if unknown(start, rows, cols) == 0:
        return None  # nothing is left to find
    boards, room = np.empty((2, 2, rows + cols), dtype=np.int64), np.zeros((3, MOST + 2), dtype=np.int64)
    with_two, without = [int(_tier(start.copy(), rows, cols, sums, two, boards, room)) for two in (True, False)]
    return with_two if with_two == without and with_two else None
