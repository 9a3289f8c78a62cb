"""Weighted lines: a cell of column c counts c in its row and a cell of row r counts r in its column, both from 1.

A position is an int64 array [2, rows + columns] of bit masks: position[v, l] has bit i set when cell i of line l is known to be
chosen (v = 1) or not (v = 0). Lines 0..rows-1 are the rows from the top, the next ones the columns from the left; every known
cell stands in both of its lines.

A line with a sum is narrowed to what all of its ways to reach that sum agree on. They are never listed: bit k of a word says that
the cells so far can add up to k, one more cell is a shift and an OR, and a second pass from the far end finds the cells that
must, or must not, be chosen. The largest sum is 1 + ... + 10 = 55, so one word is enough. The search guesses the heaviest open
cell of the line with the fewest open cells, weighing lines by how often they failed ("dom/wdeg", Boussemart et al., ECAI 2004).
Finding.nodes counts the cells a search guessed; 0 means that narrowing lines one at a time decides the table.

A grid that its sums single out is drawn by rejection. Most grids fall to a test that finds a switch: columns A and B with equal
sums of their numbers, rows P where the cells of A are not chosen and those of B are, rows N where it is the other way round,
some of P and some of N with equal sums. Turning over all of these cells keeps every sum. What is left is searched.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadRow, Discarded
from puzzlemill.core.model import Finding, Slots, SumsTable
from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels.bits import popcount
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.driver import anew, cells_of, even, grid_of, one_by_one, pairs, slots
from puzzlemill.solvers.kernels.random import below, next64, state_of

MOST = 10  # longest line


@kernel("boolean(int64[:,::1], int64, int64, int64, int64[::1])")
def _fit(at, line, n, total, reached):
    """Write into `at` what all ways to reach this sum agree on in a line of n cells. False if there is none."""
    ones, zeros = at[1, line], at[0, line]
    within = (np.int64(2) << total) - 1  # sums 0..total
    w = np.int64(1)
    reached[0] = 1
    for i in range(n):
        after = np.int64(0)
        if not (ones >> i) & 1:
            after = w
        if not (zeros >> i) & 1:
            after |= (w << (i + 1)) & within
        w = after
        reached[i + 1] = w
    back = np.int64(1) << total
    if not w & back:
        return False
    for i in range(n - 1, -1, -1):
        w = reached[i]
        before = np.int64(0)
        if not (ones >> i) & 1:
            if w & back:
                before = back
            else:
                ones |= 1 << i
        if not (zeros >> i) & 1:
            shifted = back >> (i + 1)
            if w & shifted:
                before |= shifted
            else:
                zeros |= 1 << i
        back = before & w
    at[1, line], at[0, line] = ones, zeros
    return True


@kernel("boolean(int64[:,::1], int64, int64, int64[::1], int64, int64[::1], int64[::1])")
def _narrow(at, rows, cols, sums, touched, reached, fails):
    """Narrow lines until nothing changes, from those in the mask `touched`. False if a line cannot reach its sum."""
    while touched:
        low = touched & -touched
        touched ^= low
        line = popcount(low - 1)
        if sums[line] < 0:
            continue
        ones, zeros = at[1, line], at[0, line]
        n = cols if line < rows else rows
        if not _fit(at, line, n, sums[line], reached):
            fails[line] += 1
            return False
        first, me = (rows, np.int64(1) << line) if line < rows else (np.int64(0), np.int64(1) << (line - rows))
        for value in range(2):
            new = at[value, line] & ~(ones if value else zeros)
            while new:
                bit = new & -new
                new ^= bit
                other = first + popcount(bit - 1)
                at[value, other] |= me
                touched |= np.int64(1) << other
    return True


@kernel("int64(int64[:,::1], int64, int64, int64[::1], int64[::1])")
def _choose(at, rows, cols, sums, fails):
    """The cell to guess next, -1 if every cell is known."""
    best_open, best_fails, best_line = np.int64(1 << 30), np.int64(1), np.int64(-1)
    for line in range(rows + cols):
        n = cols if line < rows else rows
        open_ = n - popcount((at[0, line] | at[1, line]) & ((1 << n) - 1))
        if open_ == 0:
            continue
        if sums[line] < 0:
            open_ += 2 * MOST  # a line without a sum narrows nothing
        if open_ * best_fails < best_open * fails[line]:
            best_open, best_fails, best_line = open_, fails[line], np.int64(line)
    if best_line < 0:
        return np.int64(-1)
    known = at[0, best_line] | at[1, best_line]
    i = (cols if best_line < rows else rows) - 1
    while (known >> i) & 1:
        i -= 1
    return best_line * cols + i if best_line < rows else i * cols + best_line - rows


@kernel("int64(int64[:,::1], int64, int64, int64)")
def _know(at, rows, cell, cols):
    """Mark a cell as chosen if cell >= 0, and cell -1 - cell as not chosen otherwise. Returns the mask of its two lines."""
    value = 1 if cell >= 0 else 0
    if cell < 0:
        cell = -1 - cell
    r, c = cell // cols, cell % cols
    at[value, r] |= np.int64(1) << c
    at[value, rows + c] |= np.int64(1) << r
    return np.int64(1) << r | np.int64(1) << (rows + c)


@kernel("boolean(int64[:,:,::1], int64, int64, int64[::1], int64[:,::1], int64[::1], int64[::1])")
def _search(stack, rows, cols, sums, found, prefer, tally):
    """All answers from stack[0], into found (masks of the rows) until that is full. True if there are no others.

    prefer: masks of the rows; a guess first gives the cell the value it has there. tally: [nodes left, answers found].
    """
    reached = np.zeros(MOST + 1, dtype=np.int64)
    fails = np.ones(rows + cols, dtype=np.int64)
    touched = np.zeros(stack.shape[0], dtype=np.int64)
    touched[0] = (np.int64(1) << (rows + cols)) - 1
    depth = 0
    while depth >= 0:
        at = stack[depth]
        if not _narrow(at, rows, cols, sums, touched[depth], reached, fails):
            depth -= 1
            continue
        cell = _choose(at, rows, cols, sums, fails)
        if cell < 0:
            if tally[1] == found.shape[0]:
                return False
            for r in range(rows):
                found[tally[1], r] = at[1, r]
            tally[1] += 1
            depth -= 1
            continue
        if tally[0] == 0:
            return False
        tally[0] -= 1
        stack[depth + 1] = at
        first = cell if (prefer[cell // cols] >> (cell % cols)) & 1 else -1 - cell
        touched[depth] = _know(stack[depth], rows, -1 - first, cols)
        touched[depth + 1] = _know(stack[depth + 1], rows, first, cols)
        depth += 1
    return True


@kernel("boolean(int64[:,::1], int64, int64, int64[::1], int64[::1], int64[::1], int64[::1])")
def _begin(at, rows, cols, blocked, lines, totals, sums):
    """The root: blocked cells are not chosen, and sums[l] is the sum of line l, -1 without one. False if that cannot be."""
    at[:] = 0
    sums[:] = -1
    for cell in blocked:
        _know(at, rows, -1 - cell, cols)
    for i in range(len(lines)):
        line, total = lines[i], totals[i]
        n = cols if line < rows else rows
        if total > n * (n + 1) // 2 or (sums[line] >= 0 and sums[line] != total):
            return False
        sums[line] = total
    return True


@kernel("boolean(int64[::1], int64[::1], int64[::1], int64[:,::1], int64[::1])")
def _switched(grid, open_, down, switches, weights):
    """Return whether a switch keeps all sums of this grid (see the module): then it has another answer. False says nothing.

    grid, open_: masks of the rows, of the chosen cells and of those that are not blocked. down: room for a word per column, its
    chosen cells and above them its open ones. switches [k, 2]: masks of the columns A and B. weights[m]: bit s is set when some
    of the cells of mask m add up to s.
    """
    rows, cols = len(grid), len(down)
    every = (np.int64(1) << rows) - 1
    for c in range(cols):
        down[c] = 0
        for r in range(rows):
            down[c] |= ((grid[r] >> c) & 1) << r | ((open_[r] >> c) & 1) << (r + MOST)
    for k in range(len(switches)):
        first, second = every, every
        for side in range(2):
            columns = switches[k, side]
            while columns:
                bit = columns & -columns
                columns ^= bit
                column = down[popcount(bit - 1)]
                chosen, free = column & every, column >> MOST
                first &= (chosen if side else ~chosen) & free
                second &= (~chosen if side else chosen) & free
        if weights[first] & weights[second] & ~np.int64(1):
            return True
    return False


@kernel(
    "int64(int64, int64, int64[::1], int64[::1], int64[:,::1], int64[::1], int64, int64, uint64[::1], "
    "int64[:,:,::1], int64[:,::1], int64[::1])"
)
def _devise(rows, cols, open_, blocked, switches, weights, grids, budget, random, stack, found, sums):
    """Draw a grid that its sums single out into found[0], the sums too. 1, or 0 if so many grids had other answers, or -1 if the
    budget of guesses ran out.

    open_: masks of the rows' open cells. stack, found (at least 2), sums: as _search takes them.
    """
    down = np.zeros(cols, dtype=np.int64)
    grid = np.zeros(rows, dtype=np.int64)
    other = np.zeros(rows, dtype=np.int64)
    tally = np.zeros(2, dtype=np.int64)
    tally[0] = budget
    for _ in range(grids):
        for r in range(rows):
            grid[r] = np.int64(next64(random) >> np.uint64(64 - cols)) & open_[r]
        if _switched(grid, open_, down, switches, weights):
            continue
        stack[0, :, :] = 0
        for cell in blocked:
            _know(stack[0], rows, -1 - cell, cols)
        sums[:] = 0
        for r in range(rows):
            other[r] = ~grid[r]  # what is guessed first: another answer is looked for
            for c in range(cols):
                if (grid[r] >> c) & 1:
                    sums[r] += c + 1
                    sums[rows + c] += r + 1
        tally[1] = 0
        exhausted = _search(stack, rows, cols, sums, found, other, tally)
        if tally[1] == 1:
            return 1 if exhausted else -1
        if tally[1] == 0:
            return -1
    return 0


def _check(table: SumsTable) -> tuple[Any, Any, Any]:
    """Blocked cells, and of each clue the line and the sum. Raises BadRow for a table that describes no grid."""
    rows, cols = table.rows, table.cols
    if not 1 <= rows <= MOST or not 1 <= cols <= MOST:
        raise BadRow(f"weighted lines have 1 to {MOST} cells, got {rows} x {cols}")
    if table.blocked and not 0 <= min(table.blocked) <= max(table.blocked) < rows * cols:
        raise BadRow(f"blocked cells of {rows} x {cols} weighted lines are below {rows * cols}, got {table.blocked}")
    return np.array(table.blocked, dtype=np.int64), *pairs(table.clues, rows + cols, 1 << 31, f"{rows} x {cols} weighted lines")


def _masks(table: SumsTable, clues: tuple[Any, Any, Any], limit: int, budget: int, prefer: Any = None) -> tuple[Any, bool, int]:
    """Row masks of up to `limit` answers under clues (blocked cells, lines, sums), whether these are all, and the guesses."""
    rows, cols = table.rows, table.cols
    stack = np.empty((rows * cols + 2, 2, rows + cols), dtype=np.int64)
    sums = np.empty(rows + cols, dtype=np.int64)
    if not _begin(stack[0], rows, cols, *clues, sums):
        return np.empty((0, rows), dtype=np.int64), True, 0
    if prefer is None:
        prefer = np.full(rows, (1 << cols) - 1, dtype=np.int64)
    found = np.empty((limit, rows), dtype=np.int64)
    tally = np.array([budget, 0], dtype=np.int64)
    exhausted = bool(_search(stack, rows, cols, sums, found, prefer, tally))
    return found[: tally[1]], exhausted, budget - int(tally[0])


def answers(table: SumsTable, limit: int, budget: int) -> Finding:
    """Up to `limit` different answers; `budget` bounds guesses. Raises BadRow for a table that describes no grid."""
    masks, exhausted, guesses = _masks(table, _check(table), limit, budget)
    return Finding(tuple(map(tuple, cells_of(masks, table.cols).tolist())), exhausted, guesses)


def minimize(table: SumsTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """See kernels.minimize; `budget` bounds guesses in all."""
    rows, cols = table.rows, table.cols
    blocked, lines, totals = _check(table)
    stack = np.empty((rows * cols + 2, 2, rows + cols), dtype=np.int64)
    sums = np.empty(rows + cols, dtype=np.int64)
    found = np.empty((2, rows), dtype=np.int64)
    prefer = np.full(rows, (1 << cols) - 1, dtype=np.int64)
    tally = np.array([budget, 0], dtype=np.int64)

    def count(stays: Any) -> int:
        tally[1] = 0
        if not _begin(stack[0], rows, cols, blocked, lines[stays], totals[stays], sums):
            return 0
        exhausted = _search(stack, rows, cols, sums, found, prefer, tally)
        return int(tally[1]) if exhausted or tally[1] == 2 else -1

    return one_by_one(len(lines), order, keep, count)


GRIDS = 4_000  # drawn until one has no other answer; of 10x10 one in 23 has none
GUESSES = 20_000_000  # in all of them
_TERMS = 4  # columns of a switch; more find hardly more


@lru_cache(maxsize=1)
def _weights() -> Any:
    """For every mask of cells, the word whose bit s is set when some of them add up to s."""
    found = [1]
    for i in range(MOST):
        found += [word | word << (i + 1) for word in found]
    return np.array(found, dtype=np.int64)


@lru_cache(maxsize=MOST)
def _switches(cols: int) -> Any:
    """Pairs of masks of columns, apart and with equal sums, those of few columns first."""
    total = [sum([c + 1 for c in range(cols) if mask >> c & 1]) for mask in range(1 << cols)]
    few = [mask for mask in range(1, 1 << cols) if mask.bit_count() < _TERMS]
    pairs = [
        (a, b)
        for a in few
        for b in few
        if a < b and not a & b and total[a] == total[b] and a.bit_count() + b.bit_count() <= _TERMS
    ]
    pairs.sort(key=lambda pair: (pair[0] | pair[1]).bit_count())
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def devise(table: SumsTable, rng: Rng) -> tuple[Slots, tuple[int, ...]] | None:
    """A grid, even among those that their sums single out, and these sums, row by row and then column by column.

    Clues are not read. None if no grid of 4,000 was such a one. Raises Discarded if 20 million guesses were not enough.
    """
    rows, cols = table.rows, table.cols
    blocked, _, _ = _check(table)
    open_ = np.full(rows, (1 << cols) - 1, dtype=np.int64)
    for cell in set(table.blocked):
        open_[cell // cols] &= ~(1 << cell % cols)
    stack = np.empty((rows * cols + 2, 2, rows + cols), dtype=np.int64)
    sums = np.empty(rows + cols, dtype=np.int64)
    found = np.empty((2, rows), dtype=np.int64)
    state = state_of(rng.child("sums", rng.next64()))
    done = _devise(rows, cols, open_, blocked, _switches(cols), _weights(), GRIDS, GUESSES, state, stack, found, sums)
    if done < 0:
        raise Discarded("budget", f"{GUESSES:,} guesses did not show which grids of {rows} x {cols} have one answer")
    return (slots(cells_of(found[:1], cols)[0]), slots(sums)) if done else None


_LISTED = 2_000  # answers under clues that are listed and drawn from


def sample(table: SumsTable, rng: Rng) -> Slots | None:
    """A random answer, None if there is none. Moves `rng` on. Raises Discarded if the search finds nothing in its budget.

    Exactly even without clues, where every cell that is not blocked is drawn by itself, and with clues that leave at most 2,000
    answers, which are listed. Else the first answer of a search that prefers the values of a random grid: not even.
    """
    own = rng.child("sums", rng.next64())
    rows, cols = table.rows, table.cols
    clues = _check(table)
    if not table.clues:
        blocked = set(table.blocked)
        word = own.next64() | own.next64() << 64
        return tuple([0 if i in blocked else word >> i & 1 for i in range(rows * cols)])
    few, exhausted, _ = _masks(table, clues, _LISTED + 1, 20 * _LISTED)
    if exhausted:
        return grid_of(even(few, own), cols)
    state = state_of(own)
    one = np.zeros(rows, dtype=np.int64)

    def once(budget: int) -> int:
        prefer = np.array([below(state, 1 << cols) for _ in range(rows)], dtype=np.int64)
        found, exhausted, _ = _masks(table, clues, 1, budget, prefer)
        if len(found):
            one[:] = found[0]
        return len(found) if exhausted or len(found) else -1

    return grid_of(one, cols) if anew(once, rows * cols, f"{rows} x {cols} weighted lines") else None
