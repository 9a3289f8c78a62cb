"""The tier of binary lines (LinesTable) as solvers/deduce/lines.py finds it, without steps.

A tier is the least one whose techniques, with those below it, set every cell, or end in a contradiction: the more is known, the
more each of them finds, so that no order matters. Not found are puzzles that need suppositions within suppositions, and those
for which the deducer might spend its suppositions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from puzzlemill.core.model import LinesTable
from puzzlemill.solvers.kernels.bits import popcount, unknown
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.lines import _apply, _check, _know, _narrow, _room, _speaking

_PROBES = 6_000  # suppositions of the deducer
_EXCLUSIONS = 256  # patterns of a line that the deducer compares with others
_COPIES = 2  # codes of extra constraints below this one are of the first tier


@kernel("boolean(int64[:,::1], int64, int64, int64[:,::1], int64, int64)")
def _ease(at, rows, cols, book, touched, top):
    """Apply the techniques of tier 1, or of 1 and 2, to the lines in `touched` and to what changes. False for a contradiction."""
    force = at[1, rows + cols]
    asks = _speaking(touched, book) & force if force else 0
    while touched or asks:
        if not touched:
            low = asks & -asks
            asks ^= low
            fact = book[1 + popcount(low - 1)]
            if top > 1 or fact[0] < _COPIES:
                touched = _apply(at, rows, cols, fact)
                if touched < 0:
                    return False
                asks |= _speaking(touched, book) & force
            continue
        low = touched & -touched
        touched ^= low
        line = popcount(low - 1)
        n = cols if line < rows else rows
        full = (1 << n) - 1
        ones, zeros = at[1, line], at[0, line]
        pair = ones & (ones << 1)
        zero = (pair << 1 | pair >> 2 | ((ones << 1) & (ones >> 1))) & full
        pair = zeros & (zeros << 1)
        one = (pair << 1 | pair >> 2 | ((zeros << 1) & (zeros >> 1))) & full
        if top > 1:
            many, few = 2 * popcount(ones), 2 * popcount(zeros)
            if many > n or few > n:
                return False
            if many == n:
                zero |= full ^ ones
            if few == n:
                one |= full ^ zeros
        if one & (zeros | zero) or zero & ones:
            return False
        new = one & ~ones | zero & ~zeros
        while new:
            cell = new & -new
            new ^= cell
            i = popcount(cell - 1)
            place = line * cols + i if line < rows else i * cols + line - rows
            lines = _know(at, rows, cols, place, 1 if one & cell else 0)
            touched |= lines
            if force:
                asks |= _speaking(lines, book) & force
    return True


@kernel("int64(int64[:,::1], int64, int64, boolean, int64[:,::1], int64[::1], int64[::1], int64[:,::1])")
def _exclude(at, rows, cols, distinct, book, across, down, alone):
    """Set what the patterns of each line agree on that are not of another complete line and break no constraint of that line.

    across, down: the legal patterns of rows and columns. alone: scratch like `at`. Returns the mask of the lines that changed; -1
    for a contradiction.
    """
    changed = 0
    for line in range(rows + cols):
        n = cols if line < rows else rows
        full = (1 << n) - 1
        patterns = across if line < rows else down
        first, last = (0, rows) if line < rows else (rows, rows + cols)
        ones, known = at[1, line], at[0, line] | at[1, line]
        fits = 0
        for pattern in patterns:
            fits += pattern & known == ones
        if fits > _EXCLUSIONS:
            continue
        every, some, left = full, 0, 0
        for pattern in patterns:
            if pattern & known != ones:
                continue
            fine = True
            if distinct:
                for other in range(first, last):
                    if other != line and at[0, other] | at[1, other] == full and at[1, other] == pattern:
                        fine = False
            inner = book[0, line] & at[1, rows + cols]
            while inner and fine:
                low = inner & -inner
                inner ^= low
                fact = book[1 + popcount(low - 1)]
                within = True
                for j in range(fact[3]):
                    r, c = fact[5 + j] // cols, fact[5 + j] % cols
                    within &= (r if line < rows else rows + c) == line
                if within:
                    for i in range(n):
                        r, c = (line, i) if line < rows else (i, line - rows)
                        bit = 1 << c
                        value = pattern >> i & 1
                        alone[value, r] |= bit
                        alone[1 - value, r] &= ~bit
                    fine = _apply(alone, rows, cols, fact) >= 0
            if fine:
                every &= pattern
                some |= pattern
                left += 1
        if left == 0:
            return -1
        one, zero = every & ~known, full & ~some & ~known
        new = one | zero
        while new:
            cell = new & -new
            new ^= cell
            i = popcount(cell - 1)
            place = line * cols + i if line < rows else i * cols + line - rows
            changed |= _know(at, rows, cols, place, 1 if one & cell else 0)
    return changed


@kernel("int64(int64[:,::1], int64, int64, boolean, int64[:,::1], int64[::1], int64[::1], int64[:,:,::1], int64[:,::1])")
def _tier(at, rows, cols, distinct, book, across, down, boards, room):
    """The tier; 0 where it is not found. at: the givens. boards: scratch, two like `at`."""
    lines = rows + cols
    every = (1 << lines) - 1
    for top in range(1, 3):
        if not _ease(at, rows, cols, book, every, top):
            return top
        if unknown(at, rows, cols) == 0 and (top > 1 or _ease(at, rows, cols, book, every, 2)):
            return top if _exclude(at, rows, cols, distinct, book, across, down, boards[0]) == 0 else 4
    if not _narrow(at, rows, cols, False, book, every, room):
        return 3
    if unknown(at, rows, cols) == 0:
        return 3 if _exclude(at, rows, cols, distinct, book, across, down, boards[0]) == 0 else 4
    tier, first = 4, 0
    while True:
        while True:
            changed = _exclude(at, rows, cols, distinct, book, across, down, boards[0])
            if changed < 0 or (changed and not _narrow(at, rows, cols, False, book, changed, room)):
                break
            if changed == 0:
                break
        failed = changed != 0
        blank = unknown(at, rows, cols)
        if first == 0:
            first = blank
        if failed or blank == 0:
            probes = first * (first + 1) // 2 * (2 if failed else 1) * (tier - 4)
            return tier if probes <= _PROBES else 0
        found = False
        for deep in range(2):
            for cell in range(rows * cols):
                r, c = cell // cols, cell % cols
                for value in range(2):
                    if (at[0, r] | at[1, r]) >> c & 1:
                        continue
                    boards[1] = at
                    touched = _know(boards[1], rows, cols, cell, value)
                    if deep:
                        stands = _narrow(boards[1], rows, cols, distinct, book, touched, room)
                    else:
                        stands = _ease(boards[1], rows, cols, book, touched, 2)
                    if not stands:
                        found = True
                        touched = _know(at, rows, cols, cell, 1 - value)
                        if not _narrow(at, rows, cols, False, book, touched, room):
                            probes = first * (first + 1) * (max(tier, 5 + deep) - 4)
                            return max(tier, 5 + deep) if probes <= _PROBES else 0
                        if deep:
                            break
                if found and deep:
                    break
            if found:
                tier = max(tier, 5 + deep)
                break
        if not found:
            return 0


@lru_cache(maxsize=16)
def _legal(length: int) -> Any:
    """The masks of the ones of every line that is balanced and has no three equal cells in a run."""
    found = [0]
    for i in range(length):
        longer = [mask | bit << i for mask in found for bit in (0, 1) if i < 2 or mask >> i - 2 != 3 * bit]
        found = [mask for mask in longer if max(mask.bit_count(), i + 1 - mask.bit_count()) <= length // 2]
    return np.array(found, dtype=np.int64)


def tier(table: LinesTable) -> int | None:
    """See kernels.tier. Raises BadRow for a table that describes no grid."""
    rows, cols = table.rows, table.cols
    book, cells, values = _check(table)
    boards = np.zeros((3, 2, rows + cols + 1), dtype=np.int64)
    at = boards[2]
    for cell, value in zip(cells.tolist(), values.tolist(), strict=True):
        if cell < 0:
            at[1, rows + cols] |= 1 << value
            continue
        r, c = divmod(cell, cols)
        if at[1 - value, r] >> c & 1:
            return 1
        at[value, r] |= 1 << c
        at[value, rows + c] |= 1 << r
    if unknown(at, rows, cols) == 0:
        return None  # nothing is left to find
    found = _tier(at, rows, cols, table.distinct, book, _legal(cols), _legal(rows), boards, _room())
    return int(found) or None
