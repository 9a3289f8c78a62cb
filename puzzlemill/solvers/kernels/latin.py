"""Latin grids (LatinTable): n x n cells, every row, column and further unit holds each of n values once, n <= 25.

9x9 grids with the nine standard boxes go to `bands`; everything else to the search here, which propagates naked and hidden
singles, then locked sets (a value that a unit can only take where it crosses another unit leaves the rest of that other), and
branches on a cell with the fewest candidates or, where that is more than two, on a value with two places in a unit.

Nodes are branchings. Where there was none but singles alone were stuck, one node is reported: nodes == 0 says exactly that
naked and hidden singles decide the puzzle, on both paths.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadRow, Discarded
from puzzlemill.core.model import BLANK, Finding, LatinTable, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels import bands
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.random import below, state_of

_DONE = 1 << 30  # set in a cell's candidates when its single value has been taken from its peers
_EVEN = 1_000  # a puzzle with at most this many answers is sampled exactly evenly
_EVEN_CLUELESS = 40_000  # the same, for answers with a fixed first row when there are no clues (6x6 sudoku: 39,168)

_TRIES = 60  # of a random search, with growing budgets
_GRID = "int32[:,::1], int32[:,::1], int32[:,:,::1]"  # units [m, n]; units of a cell [n*n, k]; crossings [p, 3, n]; -1 pads


@kernel(f"UniTuple(int64, 2)(int32[:,::1], int64, {_GRID}, int32[::1], uint8[::1], int64, boolean)")
def settle(stack: Any, at: Any, units: Any, member: Any, crossings: Any, queue: Any, dirty: Any, first: Any, deep: Any) -> Any:
    """Propagate position stack[at] until nothing changes: (-1 contradiction, 0 stuck or 1 solved; 1 if locked sets were needed).

    first: the cell that changed, -1 to look at all. deep: go on to locked sets where singles are stuck.
    queue [n*n] and dirty [m] are scratch space.
    """
    s = stack[at]
    n = units.shape[1]
    full = (1 << n) - 1
    used = 0
    waiting = 0
    if first < 0:
        dirty[:] = 1
        for i in range(s.shape[0]):
            c = s[i]
            if c == 0:
                return -1, 0
            if c & (c - 1) == 0:
                queue[waiting] = i
                waiting += 1
    else:
        dirty[:] = 0
        for k in member[first]:
            if k >= 0:
                dirty[k] = 1
        c = s[first]
        if c & (c - 1) == 0:
            queue[0] = first
            waiting = 1
    while True:
        while waiting:
            waiting -= 1
            i = queue[waiting]
            bit = s[i]
            s[i] |= _DONE
            for k in member[i]:
                if k < 0:
                    break
                for j in units[k]:
                    if s[j] & bit and j != i:
                        c = s[j] & ~bit
                        s[j] = c
                        if c & full == 0:
                            return -1, used
                        if c & (c - 1) == 0:
                            queue[waiting] = j
                            waiting += 1
                        for m in member[j]:
                            if m >= 0:
                                dirty[m] = 1
        for k in range(units.shape[0]):
            if not dirty[k]:
                continue
            dirty[k] = 0
            once, twice = 0, 0
            for j in units[k]:
                twice |= once & s[j]
                once |= s[j]
            if once & full != full:
                return -1, used
            hidden = once & ~twice & full
            for j in units[k]:
                h = s[j] & hidden
                if h and s[j] & _DONE == 0 and s[j] != h:
                    if h & (h - 1):
                        return -1, used
                    s[j] = h
                    queue[waiting] = j
                    waiting += 1
                    for m in member[j]:
                        if m >= 0:
                            dirty[m] = 1
            if waiting:
                break
        if waiting:
            continue
        pending = False
        for k in range(units.shape[0]):
            pending = pending or dirty[k] != 0
        if pending:
            continue
        blank = False
        for i in range(s.shape[0]):
            blank = blank or s[i] & _DONE == 0
        if not blank:
            return 1, used
        if not deep:
            return 0, 0
        used = 1
        moved = False
        for k in range(crossings.shape[0]):
            outside, shared = 0, 0
            for j in crossings[k, 0]:
                if j < 0:
                    break
                outside |= s[j]
            for j in crossings[k, 1]:
                if j < 0:
                    break
                shared |= s[j]
            locked = shared & ~outside & full
            if not locked:
                continue
            for j in crossings[k, 2]:
                if j < 0:
                    break
                if s[j] & locked:
                    c = s[j] & ~locked
                    s[j] = c
                    if c & full == 0:
                        return -1, 1
                    if c & (c - 1) == 0:
                        queue[waiting] = j
                        waiting += 1
                    for m in member[j]:
                        if m >= 0:
                            dirty[m] = 1
                    moved = True
        if not moved:
            return 0, 1


@kernel(f"UniTuple(int64, 2)(int32[:,::1], {_GRID}, int64, int64, int8[:,::1], uint64[::1])")
def search(stack: Any, units: Any, member: Any, crossings: Any, limit: Any, budget: Any, found: Any, state: Any) -> Any:
    """Answers of position 0, at most `limit`, and nodes; -1 - (answers so far) if `budget` branchings did not settle it.

    The first answers are written to found, as many as it has rows [., n*n]. stack [n*n + 1, n*n] holds masks of candidates.
    state: the words of a random stream, for random choices among equally good cells and between values; empty for none.
    """
    n = units.shape[1]
    full = (1 << n) - 1
    queue = np.empty(stack.shape[1], dtype=np.int32)
    dirty = np.zeros(units.shape[0], dtype=np.uint8)
    branched = np.empty(stack.shape[0], dtype=np.int32)  # the cell of each open branching
    count, nodes, hard, at, first = 0, 0, 0, 0, -1
    while at >= 0:
        outcome, used = settle(stack, at, units, member, crossings, queue, dirty, first, True)
        hard |= used
        s = stack[at]
        if outcome == 1:
            if count < found.shape[0]:
                for i in range(s.shape[0]):
                    v = 0
                    while not s[i] >> v & 1:
                        v += 1
                    found[count, i] = v
            count += 1
            if count >= limit:
                return count, max(nodes, hard)
        if outcome != 0:
            at -= 1
            if at >= 0:
                first = branched[at]
            continue
        if nodes >= budget:
            return -1 - count, max(nodes, hard)
        nodes += 1
        cell, fewest, ties = -1, n + 1, 0
        for i in range(s.shape[0]):
            if s[i] & _DONE:
                continue
            size, c = 0, s[i]
            while c:
                c &= c - 1
                size += 1
            if size < fewest:
                cell, fewest, ties = i, size, 1
            elif size == fewest and state.shape[0]:
                ties += 1
                if below(state, ties) == 0:
                    cell = i
        bit = s[cell] & -s[cell]
        if state.shape[0]:
            for _ in range(below(state, fewest)):
                c = s[cell] & ~((bit << 1) - 1)
                bit = c & -c
        elif fewest > 2:
            for k in range(units.shape[0]):
                once, twice, thrice = 0, 0, 0
                for j in units[k]:
                    thrice |= twice & s[j]
                    twice |= once & s[j]
                    once |= s[j]
                pair = twice & ~thrice & full
                if pair:
                    bit = pair & -pair
                    for j in units[k]:
                        if s[j] & bit:
                            cell = j
                    break
        stack[at + 1] = s
        stack[at + 1, cell] = bit
        s[cell] &= ~bit  # what is left to try when this value fails or is counted
        branched[at] = cell
        first = cell
        at += 1
    return count, max(nodes, hard)


@kernel("void(int32[:,::1], int8[::1], int64)")
def load(stack: Any, cells: Any, n: Any) -> None:
    """Position 0 from n*n cells, -1 where blank."""
    for i in range(cells.shape[0]):
        stack[0, i] = (1 << n) - 1 if cells[i] < 0 else 1 << cells[i]


@kernel(f"int64(int8[::1], {_GRID}, int64[::1], int64, int64)")
def dig(cells: Any, units: Any, member: Any, crossings: Any, order: Any, keep: Any, budget: Any) -> Any:
    """As `bands.dig`, for any units."""
    n = units.shape[1]
    stack = np.empty((cells.shape[0] + 1, cells.shape[0]), dtype=np.int32)
    room = np.empty((0, cells.shape[0]), dtype=np.int8)
    state = np.empty(0, dtype=np.uint64)
    clues = 0
    for i in range(cells.shape[0]):
        clues += cells[i] >= 0
    spent = 0
    tried, block = 0, 128
    old = np.empty(block, dtype=np.int8)
    while tried < order.shape[0] and clues > keep:
        block = min(block, order.shape[0] - tried, clues - keep)
        for j in range(block):
            old[j] = cells[order[tried + j]]
            cells[order[tried + j]] = -1
        load(stack, cells, n)
        if block == 1:
            stack[0, order[tried]] &= ~(1 << old[0])  # any answer left is a second one
        count, nodes = search(stack, units, member, crossings, min(block, 2), budget - spent, room, state)
        spent += nodes
        if count < 0:
            return -1
        if count == (0 if block == 1 else 1):
            tried += block
            clues -= block
            continue
        for j in range(block):
            cells[order[tried + j]] = old[j]
        if block > 1:
            block //= 2
        else:
            tried += 1
    return spent


# ---- from and to plain values -------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _grid(n: int, units: tuple[tuple[int, ...], ...]) -> tuple[Any, Any, Any]:
    """The arrays of `_GRID`."""
    if not 1 <= n <= 25:
        raise BadRow(f"a Latin grid has 1 to 25 values, got {n}")
    for unit in units:
        if len(unit) != n or sorted(set(unit)) != sorted(unit) or not 0 <= min(unit) <= max(unit) < n * n:
            raise BadRow(f"a unit of a Latin grid of {n} is {n} different cells of it, got {str(unit)[:80]}")
    rows = [tuple(range(n * r, n * r + n)) for r in range(n)]
    columns = [tuple(range(c, n * n, n)) for c in range(n)]
    every = [*rows, *columns, *units]
    of_cell: list[list[int]] = [[] for _ in range(n * n)]
    for k, unit in enumerate(every):
        for i in unit:
            of_cell[i].append(k)
    member = np.full((n * n, max(map(len, of_cell))), -1, dtype=np.int32)
    for i, ks in enumerate(of_cell):
        member[i, : len(ks)] = ks
    pairs = []
    for a in every:
        for b in every:
            shared = [i for i in a if i in b]
            if 2 <= len(shared) < n:
                pairs.append(([i for i in a if i not in b], shared, [i for i in b if i not in a]))
    crossings = np.full((len(pairs), 3, n), -1, dtype=np.int32)
    for p, parts in enumerate(pairs):
        for q, part in enumerate(parts):
            crossings[p, q, : len(part)] = part
    return np.array(every, dtype=np.int32), member, crossings


@lru_cache(maxsize=64)
def _nine(n: int, units: tuple[tuple[int, ...], ...]) -> bool:
    """Whether this is the grid that `bands` knows: 9x9 with its nine standard boxes, in any order."""
    boxes = [[27 * (k // 3) + 3 * (k % 3) + 9 * r + c for r in range(3) for c in range(3)] for k in range(9)]
    return n == 9 and sorted(map(sorted, units)) == boxes


def _cells(table: LatinTable) -> Any:
    """int8 [n*n], -1 where blank; None if two clues contradict each other in one cell."""
    n = table.n
    cells = np.full(n * n, BLANK, dtype=np.int8)
    if table.clues:
        clues = np.array(table.clues, dtype=np.int64)
        where, values = clues[:, 0], clues[:, 1]
        if where.min() < 0 or where.max() >= n * n or values.min() < 0 or values.max() >= n:
            raise BadRow(f"a clue of a Latin grid of {n} is a cell below {n * n} and a value below {n}")
        cells[where] = values
        if (cells[where] != values).any():
            return None
    return cells


def answers(table: LatinTable, limit: int, budget: int) -> Finding:
    """Up to `limit` different answers; `budget` bounds branchings. Raises BadRow for a table that describes no grid."""
    grid = _grid(table.n, table.units)
    cells = _cells(table)
    if cells is None:
        return Finding((), True, 0)
    found = np.empty((min(limit, 4096), len(cells)), dtype=np.int8)
    while True:
        count, nodes = _search(table, grid, cells, limit, budget, found)
        total = count if count >= 0 else -1 - count
        if total <= len(found):
            break
        found = np.empty((total, len(cells)), dtype=np.int8)  # once more: answers and their order are the same
    exhausted = 0 <= count < limit
    return Finding(tuple(map(tuple, found[:total].tolist())), exhausted, nodes)


def _search(table: LatinTable, grid: tuple[Any, Any, Any], cells: Any, limit: int, budget: int, found: Any) -> tuple[int, int]:
    size = len(cells)
    if not _nine(table.n, table.units):
        stack = np.empty((size + 1, size), dtype=np.int32)
        load(stack, cells, table.n)
        count, nodes = search(stack, *grid, limit, budget, found, _SURE)
        return count, nodes
    stack = bands.room_for_search()
    bands.load(stack, cells)
    count, nodes = bands.search(stack, limit, budget, found)
    if nodes == 0:  # bands does locked sets together with singles
        stack = np.empty((1, size), dtype=np.int32)
        load(stack, cells, 9)
        scratch = np.empty(size, dtype=np.int32), np.empty(len(grid[0]), dtype=np.uint8)
        nodes = int(settle(stack, 0, *grid, *scratch, -1, False)[0] == 0)
    return count, nodes


_SURE = np.empty(0, dtype=np.uint64)  # no random choices


def thin(table: LatinTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """Positions of the clues that stay, ascending, when clues are left out in this order while one answer remains.

    Stops at `keep` clues. None if `budget` branchings in all were not enough.
    Raises ValueError unless the table has exactly one answer and names no cell twice.
    """
    grid = _grid(table.n, table.units)
    cells = _cells(table)
    clues = table.clues
    if cells is None or len(clues) != np.count_nonzero(cells >= 0) or len(set(order)) != len(order):
        raise ValueError("thin needs clues for different cells, and every position in order once")
    room = np.empty((0, len(cells)), dtype=np.int8)
    count, nodes = _search(table, grid, cells, 2, budget, room)
    if count < 0:
        return None
    if count != 1:
        raise ValueError("thin needs a table with exactly one answer")
    cells_in_order = np.array([clues[position][0] for position in order], dtype=np.int64)
    if _nine(table.n, table.units):
        spent = bands.dig(cells, cells_in_order, keep, budget - nodes, room, bands.room_for_search())
    else:
        spent = dig(cells, *grid, cells_in_order, keep, budget - nodes)
    if spent < 0:
        return None
    stays = cells.tolist()
    return tuple([position for position, (cell, _) in enumerate(clues) if stays[cell] >= 0])


@lru_cache(maxsize=8)
def _all_with_first_row(n: int, units: tuple[tuple[int, ...], ...]) -> Any:
    """Every clueless answer whose first row is 0, 1, ..., int8 [k, n*n]; None if there are more than `_EVEN_CLUELESS`."""
    first = LatinTable(n, units, tuple((i, i) for i in range(n)))
    found = answers(first, _EVEN_CLUELESS + 1, 1 << 40)
    return np.array(found.answers, dtype=np.int8) if found.exhausted else None


def sample(table: LatinTable, rng: Rng) -> Slots | None:
    """A random answer, None if there is none. Moves `rng` on.

    Exactly even where the answers can be listed: at most `_EVEN` under the clues, or no clues and n <= 6 with few enough answers.
    Else a random search: every answer can come up and symmetric ones are equally likely (see bands.draw), but of answers that no
    symmetry connects some are likelier than others. Raises Discarded if it finds nothing.
    """
    grid = _grid(table.n, table.units)
    cells = _cells(table)
    if cells is None:
        return None
    n, size = table.n, len(cells)
    own = rng.child("latin", rng.next64())
    if not table.clues and n <= 6:
        every = _all_with_first_row(n, table.units)
        if every is not None:
            values = own.shuffled(range(n))
            return tuple([values[v] for v in every[own.below(len(every))].tolist()])
    elif table.clues:
        few = answers(table, _EVEN + 1, 100 * _EVEN)
        if few.exhausted:
            return own.pick(few.answers) if few.answers else None
    state = state_of(own)
    room = np.empty((1, size), dtype=np.int8)
    if _nine(n, table.units) and bands.draw(state, cells, _TRIES, room, bands.room_for_search()):
        return tuple(room[0].tolist())
    stack = np.empty((size + 1, size), dtype=np.int32)
    for attempt in range(_TRIES):
        load(stack, cells, n)
        count, _ = search(stack, *grid, 1, size << attempt // 4, room, state)
        if count >= 0:
            return tuple(room[0].tolist()) if count else None
    raise Discarded("budget", f"no random answer of a Latin grid of {n} in {_TRIES} tries")
