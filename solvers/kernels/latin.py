"""Latin grids (LatinTable): n x n cells, every row, column and further unit holds each of n values once, n <= 25.

9x9 grids with the nine standard boxes and no more go to `bands`; everything else to the search here. It propagates
  naked and hidden singles, and what a placed value forbids beside it (`apart`);
and where these are stuck
  locked sets: a value that a unit can only take where it crosses another unit leaves the rest of that other;
  apart: a cell with two or three candidates within v-1 .. v+1 takes v (or both of two) from the cells beside it, and a value with
    two places in a unit takes its neighbours from the cells in or beside both;
  heaviest: the most that the first group can weigh and the least that another can, from the candidates cell by cell and, for a
    group that is a unit, from its open values in rising or falling order, take candidates that exceed them.
Then it branches on a cell with the fewest candidates or, where that is more than two, on a value with two places in a unit.

Nodes are branchings. Where there was none but the first line alone was stuck, one node is reported: nodes == 0 says exactly that
naked and hidden singles (and placed values, with `apart`) decide the puzzle, on both paths. `heaviest` is only checked there.

Samples. Plain grids (boxes of equal shape or none): see `_plain`. Others up to 6x6 are drawn exactly evenly from a list of all.
A heaviest group is waited for up to 9x9 in plain grids: the draws are those of plain grids that fit, about 1 in n.
All others, and with clues those with more than 1,000 answers, come from a random search that is given up early and begun anew,
then a walk of 40 steps (see `walk`) whose limit is exactly even. How near that is, by the mean number of cycles between two rows
of 9x9 grids (summed over pairs of rows; 300 draws, standard error 0.28): with diagonals 70.7 after the search, 71.5 after
40 steps, 71.1 after 120; in one set of irregular zones 69.2, 70.5 and 70.7. With `apart` (40 draws, error 1.3 to 2): 73, 76 and
74, which shows no bias and would show no small one; only about a third of the steps change such a grid.
Minimal 9x9 grids with `apart` have 6 to 8 clues and take seconds; with 10 clues kept they take 10 ms and with 12 2 ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadRow, Discarded
from puzzlemill.core.model import BLANK, Finding, LatinTable, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels import bands
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.random import below, shuffle, state_of

_DONE = 1 << 30  # set in a cell's candidates when its single value has been taken from its peers
_EVEN = 1_000  # a puzzle with at most this many answers is sampled exactly evenly
_EVEN_CLUELESS = 40_000  # the same, for answers with a fixed first row when there are no clues (6x6 sudoku: 39,168)

_SMALL = 6  # up to this size all answers are listed
_MIDDLE = 9  # up to this size a heaviest group is waited for
_TRIES = 60  # of a random search, with growing budgets
_STARTS = 300  # of a random search before a walk, with growing budgets
_DRAWS = 500  # until the first group is heaviest
_STEPS = 40  # of a walk
_LOOSE = np.array([2, 3, 3, 4], dtype=np.int64)  # values and units that a step frees, at least and at most
_TIGHT = np.array([5, 6, 5, 6], dtype=np.int64)  # the same if neighbours stay apart: answers are few and far between
# units [m, n]; units of a cell [n*n, k]; crossings [p, 4, n]; cells beside a cell [n*n, 4], [0, 4] unless they stay apart;
# groups of `heaviest` [g, 1 + longest], each behind a 1 if it is a unit, else 0; -1 pads
_Arrays = tuple[Any, Any, Any, Any, Any]
_GRID = "int32[:,::1], int32[:,::1], int32[:,:,::1], int32[:,::1], int32[:,::1]"


@kernel("int64(int32[::1], int64, int64, int64, int32[:,::1], int32[::1], int64, uint8[::1])")
def strike(s: Any, j: Any, gone: Any, full: Any, member: Any, queue: Any, waiting: Any, dirty: Any) -> Any:
    """Take candidates from cell j, if they are there: how many cells wait in the queue then, -1 if none is left to the cell."""
    if s[j] & gone == 0:
        return waiting
    c = s[j] & ~gone
    s[j] = c
    if c & full == 0:
        return -1
    for k in member[j]:
        if k < 0:
            break
        dirty[k] = 3
    if c & (c - 1) == 0:
        queue[waiting] = j
        return waiting + 1
    return waiting


@kernel("int64(int32[::1], int64, int32[:,::1], int32[:,::1], int32[::1], int64, uint8[::1], int32[:,::1])")
def keep_apart(s: Any, n: Any, units: Any, member: Any, queue: Any, waiting: Any, dirty: Any, near: Any) -> Any:
    """What `apart` says beyond placed values. As `strike`; the queue is empty before, and changed units are marked 2."""
    full = (1 << n) - 1
    for i in range(s.shape[0]):
        c = np.int64(s[i])
        low = c & -c
        if c & _DONE or c & ~(7 * low):
            continue
        # whichever of its two or three candidates (within v-1 .. v+1) the cell holds, it excludes v from the cells beside it
        gone = low << 1 if c & low << 2 else c
        for j in near[i]:
            if j >= 0 and s[j] & gone:
                waiting = strike(s, j, gone, full, member, queue, waiting, dirty)
                if waiting < 0:
                    return -1
    for k in range(units.shape[0]):
        if not dirty[k] & 2:
            continue
        once, twice, thrice = 0, 0, 0
        for j in units[k]:
            thrice |= twice & s[j]
            twice |= once & s[j]
            once |= s[j]
        pairs = twice & ~thrice & full
        while pairs:
            # a value with two places: what is in or beside both holds no value next to it
            bit = pairs & -pairs
            pairs ^= bit
            gone = (bit << 1 | bit >> 1) & full
            first, second = -1, -1
            for j in units[k]:
                if s[j] & bit:
                    second = first
                    first = j
            if second < 0:
                continue  # gone since
            for t in range(-1, 4):
                i = first if t < 0 else near[first, t]
                if i < 0 or s[i] & gone == 0:
                    continue
                if i == second or near[second, 0] == i or near[second, 1] == i or near[second, 2] == i or near[second, 3] == i:
                    waiting = strike(s, i, gone, full, member, queue, waiting, dirty)
                    if waiting < 0:
                        return -1
    return waiting


@kernel("int64(int32[::1], int64, int32[:,::1], int32[::1], int64, uint8[::1], int32[:,::1])")
def weigh(s: Any, n: Any, member: Any, queue: Any, waiting: Any, dirty: Any, groups: Any) -> Any:
    """Take candidates that `heaviest` excludes. As `strike`; -1 also if the first group cannot be heaviest."""
    top, floor = 0, 0  # what the first group can weigh at most, and the heaviest other one at least
    full = (1 << n) - 1
    for g in range(groups.shape[0]):
        low, high, open_low, open_high, taken = 0, 0, 0, 0, 0
        for p in range(1, groups.shape[1]):
            i = groups[g, p]
            if i < 0:
                break
            c = np.int64(s[i]) & full
            least, most = 0, 0
            while c >> least & 1 == 0:
                least += 1
            while c >> most > 1:
                most += 1
            low += p * (least + 1)
            high += p * (most + 1)
            if s[i] & _DONE:
                taken |= c
                open_low += p * (least + 1)
        if groups[g, 0]:  # its cells hold every value once: the free ones in falling or in rising order are extremes
            open_high = open_low
            rising, falling = 0, n - 1
            for p in range(1, n + 1):
                if s[groups[g, p]] & _DONE:
                    continue
                while taken >> rising & 1:
                    rising += 1
                while taken >> falling & 1:
                    falling -= 1
                open_high += p * (rising + 1)
                open_low += p * (falling + 1)
                rising += 1
                falling -= 1
            low, high = max(low, open_low), min(high, open_high)
        if g == 0:
            top = high
        elif low > floor:
            floor = low
    if groups.shape[0] > 1 and top <= floor:
        return -1
    for g in range(groups.shape[0]):
        slack = -1  # by how much the group may be lighter (the first) or heavier (another) than its cells one by one allow
        for p in range(1, groups.shape[1]):
            i = groups[g, p]
            if i < 0:
                break
            c = np.int64(s[i]) & full
            extreme = 0
            while c >> extreme > 1 if g == 0 else c >> extreme & 1 == 0:
                extreme += 1
            slack += p * (extreme + 1)
        slack = slack - floor if g == 0 else top - 2 - slack
        if slack < 0:
            return -1
        for p in range(1, groups.shape[1]):
            i = groups[g, p]
            if i < 0:
                break
            c = np.int64(s[i]) & full
            if c & (c - 1) == 0:
                continue
            extreme = 0
            while c >> extreme > 1 if g == 0 else c >> extreme & 1 == 0:
                extreme += 1
            last = max(extreme - slack // p, 0) if g == 0 else min(extreme + slack // p, n)
            gone = c & ((1 << last) - 1) if g == 0 else c & ~((1 << last + 1) - 1)
            if gone:
                waiting = strike(s, i, gone, full, member, queue, waiting, dirty)
                if waiting < 0:
                    return -1
    return waiting


@kernel(f"UniTuple(int64, 2)(int32[:,::1], int64, {_GRID}, int32[::1], uint8[::1], int64, boolean)")
def settle(
    stack: Any,
    at: Any,
    units: Any,
    member: Any,
    crossings: Any,
    near: Any,
    groups: Any,
    queue: Any,
    dirty: Any,
    first: Any,
    deep: Any,
) -> Any:
    """Propagate position stack[at] until nothing changes: (-1 contradiction, 0 stuck or 1 solved; 1 if singles were not enough).

    first: the cell that changed, -1 to look at all. deep: go on where singles are stuck.
    queue [n*n] and dirty [m] are scratch space; dirty[k]: unit k has changed since it was searched for hidden singles (bit 0) and
    for what lies deeper (bit 1).
    """
    s = stack[at]
    n = units.shape[1]
    full = (1 << n) - 1
    used = 0
    waiting = 0
    if first < 0:
        dirty[:] = 3
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
                dirty[k] = 3
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
                    if s[j] & bit and j != i:  # as in strike, but calls cost time here
                        c = s[j] & ~bit
                        s[j] = c
                        if c & full == 0:
                            return -1, used
                        if c & (c - 1) == 0:
                            queue[waiting] = j
                            waiting += 1
                        for m in member[j]:
                            if m >= 0:
                                dirty[m] = 3
            if near.shape[0]:
                for j in near[i]:
                    if j >= 0 and s[j] & (bit << 1 | bit >> 1):
                        waiting = strike(s, j, (bit << 1 | bit >> 1) & full, full, member, queue, waiting, dirty)
                        if waiting < 0:
                            return -1, used
        for k in range(units.shape[0]):
            if dirty[k] & 1 == 0:
                continue
            dirty[k] &= 2
            once, twice = 0, 0
            for j in units[k]:
                twice |= once & s[j]
                once |= s[j]
            if once & full != full:
                return -1, used
            hidden = once & ~twice & full
            if hidden:
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
                                dirty[m] = 3
            if waiting:
                break
        if waiting:
            continue
        pending = False
        for k in range(units.shape[0]):
            pending = pending or dirty[k] & 1 != 0
        if pending:
            continue
        blank = False
        for i in range(s.shape[0]):
            blank = blank or s[i] & _DONE == 0
        if not blank:
            if groups.shape[0] and weigh(s, n, member, queue, 0, dirty, groups) < 0:
                return -1, used
            return 1, used
        if not deep:
            return 0, 0
        used = 1
        for k in range(crossings.shape[0]):
            if dirty[crossings[k, 3, 0]] == 0:
                continue
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
                    waiting = strike(s, j, locked, full, member, queue, waiting, dirty)
                    if waiting < 0:
                        return -1, 1
        if near.shape[0]:
            waiting = keep_apart(s, n, units, member, queue, waiting, dirty, near)
            if waiting < 0:
                return -1, 1
        if groups.shape[0]:
            waiting = weigh(s, n, member, queue, waiting, dirty, groups)
            if waiting < 0:
                return -1, 1
        moved = waiting > 0
        for k in range(units.shape[0]):
            if dirty[k] & 1:
                moved = True  # bit 1 stays: what was searched before this change may find more now
            else:
                dirty[k] = 0
        if not moved:
            return 0, 1


@kernel(f"UniTuple(int64, 2)(int32[:,::1], {_GRID}, int64, int64, int8[:,::1], uint64[::1], boolean)")
def search(
    stack: Any,
    units: Any,
    member: Any,
    crossings: Any,
    near: Any,
    groups: Any,
    limit: Any,
    budget: Any,
    found: Any,
    state: Any,
    anywhere: Any,
) -> Any:
    """Answers of position 0, at most `limit`, and nodes; -1 - (answers so far) if `budget` branchings did not settle it.

    The first answers are written to found, as many as it has rows [., n*n]. stack [n*n + 1, n*n] holds masks of candidates.
    state: the words of a random stream, for random choices between values and, if `anywhere`, among equally good cells, else the
    first of them is taken; empty for none.
    """
    n = units.shape[1]
    full = (1 << n) - 1
    queue = np.empty(stack.shape[1], dtype=np.int32)
    dirty = np.zeros(units.shape[0], dtype=np.uint8)
    branched = np.empty(stack.shape[0], dtype=np.int32)  # the cell of each open branching
    count, nodes, hard, at, first = 0, 0, 0, 0, -1
    while at >= 0:
        outcome, used = settle(stack, at, units, member, crossings, near, groups, queue, dirty, first, True)
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
            elif size == fewest and anywhere:
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
def dig(cells: Any, units: Any, member: Any, crossings: Any, near: Any, groups: Any, order: Any, keep: Any, budget: Any) -> Any:
    """As `bands.dig`, for any units."""
    n = units.shape[1]
    stack = np.empty((cells.shape[0] + 1, cells.shape[0]), dtype=np.int32)
    room = np.empty((0, cells.shape[0]), dtype=np.int8)
    sure = np.empty(0, dtype=np.uint64)
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
        count, nodes = search(stack, units, member, crossings, near, groups, min(block, 2), budget - spent, room, sure, False)
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


@kernel("boolean(int8[::1], int32[:,::1])")
def weighs_most(cells: Any, groups: Any) -> Any:
    """Return whether the first group is the heaviest one in a full grid."""
    first = 0
    for g in range(groups.shape[0]):
        total = 0
        for p in range(1, groups.shape[1]):
            if groups[g, p] >= 0:
                total += p * (cells[groups[g, p]] + 1)
        if g == 0:
            first = total
        elif total >= first:
            return False
    return True


@kernel(f"int64(int8[::1], boolean[::1], {_GRID}, boolean, int64, int64[::1], int64, uint64[::1], int8[:,::1])")
def walk(
    cells: Any,
    fixed: Any,
    units: Any,
    member: Any,
    crossings: Any,
    near: Any,
    groups: Any,
    relabel: Any,
    moves: Any,
    blocks: Any,
    budget: Any,
    state: Any,
    found: Any,
) -> Any:
    """Walk from a full grid through the grids of the same table, `moves` steps; returns how many changed it.

    A step frees all cells of some values, rows, columns or further units but fixed ones, lists every way to fill them, and takes
    one evenly. Where they are more than found [., n*n] has rows, or cannot be listed in `budget` branchings, the grid stays:
    that depends on what was not freed alone, so every step is as likely as the one back, and even grids stay even.
    blocks: least and most values, least and most units to free. relabel: values may change places (and the first group is
    to stay heaviest).
    """
    n = units.shape[1]
    size = cells.shape[0]
    stack = np.empty((size + 1, size), dtype=np.int32)
    sure = np.empty(0, dtype=np.uint64)
    order = np.empty(max(n, units.shape[0]), dtype=np.int64)
    full = (1 << n) - 1
    changed = 0
    for _ in range(moves):
        if relabel:
            for v in range(n):
                order[v] = v
            shuffle(state, order[:n])
            for i in range(size):
                found[0, i] = order[cells[i]]
            if weighs_most(found[0], groups):
                cells[:] = found[0]
        kind = below(state, 2 * (blocks[1] > 0) + (2 + (units.shape[0] > 2 * n)) * (blocks[3] > 0))
        if blocks[1] == 0:
            kind += 2
        if kind < 2:
            for v in range(n):
                order[v] = v
            shuffle(state, order[:n])
            freed = 0
            for t in range(min(n, blocks[0] + below(state, blocks[1] - blocks[0] + 1))):
                freed |= 1 << order[t]
            for i in range(size):
                bit = 1 << cells[i]
                stack[0, i] = freed if freed & bit and not fixed[i] else bit
        else:
            start = (kind - 2) * n
            end = start + n if kind < 4 else units.shape[0]
            for k in range(start, end):
                order[k - start] = k
            shuffle(state, order[: end - start])
            for i in range(size):
                stack[0, i] = 1 << cells[i]
            for t in range(min(end - start, blocks[2] + below(state, blocks[3] - blocks[2] + 1))):
                for i in units[order[t]]:
                    if not fixed[i]:
                        stack[0, i] = full
        count, _ = search(stack, units, member, crossings, near, groups, found.shape[0] + 1, budget, found, sure, False)
        if 1 < count <= found.shape[0]:
            took = below(state, count)
            for i in range(size):
                if cells[i] != found[took, i]:
                    changed += 1
                    cells[:] = found[took]
                    break
    return changed


# ---- from and to plain values -------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _grid(n: int, units: tuple[tuple[int, ...], ...], apart: bool, heaviest: tuple[tuple[int, ...], ...]) -> _Arrays:
    """The arrays of `_GRID`."""
    if not 1 <= n <= 25:
        raise BadRow(f"a Latin grid has 1 to 25 values, got {n}")
    for unit in units:
        if len(unit) != n or sorted(set(unit)) != sorted(unit) or not 0 <= min(unit) <= max(unit) < n * n:
            raise BadRow(f"a unit of a Latin grid of {n} is {n} different cells of it, got {str(unit)[:80]}")
    for group in heaviest:
        if not group or len(set(group)) != len(group) or not 0 <= min(group) <= max(group) < n * n:
            raise BadRow(f"a group of a Latin grid of {n} is different cells of it, got {str(group)[:80]}")
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
    for k, a in enumerate(every):
        for b in every:
            shared = [i for i in a if i in b]
            if 2 <= len(shared) < n:
                pairs.append(([i for i in a if i not in b], shared, [i for i in b if i not in a], [k]))
    crossings = np.full((len(pairs), 4, n), -1, dtype=np.int32)
    for p, parts in enumerate(pairs):
        for q, part in enumerate(parts):
            crossings[p, q, : len(part)] = part
    near = np.full((n * n if apart else 0, 4), -1, dtype=np.int32)
    for i in range(len(near)):
        beside = [j for j in (i - n, i + n) if 0 <= j < n * n]
        beside += [j for j in (i - 1, i + 1) if j >= 0 and j // n == i // n]
        near[i, : len(beside)] = beside
    groups = np.full((len(heaviest), 1 + max(map(len, heaviest), default=0)), -1, dtype=np.int32)
    sets = {frozenset(unit) for unit in every}
    for g, group in enumerate(heaviest):
        groups[g, 0] = frozenset(group) in sets
        groups[g, 1 : len(group) + 1] = group
    return np.array(every, dtype=np.int32), member, crossings, near, groups


@lru_cache(maxsize=64)
def _boxed(n: int, units: tuple[tuple[int, ...], ...]) -> bool:
    """Return whether the units are boxes of equal shape that cover the grid, in any order."""
    for high in range(1, n + 1):
        if n % high == 0:
            wide = n // high
            corners = [n * top + left for top in range(0, n, high) for left in range(0, n, wide)]
            boxes = [[corner + n * r + c for r in range(high) for c in range(wide)] for corner in corners]
            if sorted(map(sorted, units)) == sorted(boxes):
                return True
    return False


def _nine(table: LatinTable) -> bool:
    """Return whether this is the grid that `bands` knows: 9x9 with its nine standard boxes, in any order."""
    return table.n == 9 and not table.apart and not table.heaviest and _boxed(table.n, table.units)


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
    grid = _grid(table.n, table.units, table.apart, table.heaviest)
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


def _search(table: LatinTable, grid: _Arrays, cells: Any, limit: int, budget: int, found: Any) -> tuple[int, int]:
    size = len(cells)
    if not _nine(table):
        stack = np.empty((size + 1, size), dtype=np.int32)
        load(stack, cells, table.n)
        count, nodes = search(stack, *grid, limit, budget, found, _SURE, False)
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


def minimize(table: LatinTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """Positions of the clues that stay, ascending, when clues are left out in this order while one answer remains.

    Stops at `keep` clues. None if `budget` branchings in all were not enough.
    Raises ValueError unless the table has exactly one answer and names no cell twice.
    """
    grid = _grid(table.n, table.units, table.apart, table.heaviest)
    cells = _cells(table)
    clues = table.clues
    if cells is None or len(clues) != np.count_nonzero(cells >= 0) or len(set(order)) != len(order):
        raise ValueError("minimize needs clues for different cells, and every position in order once")
    room = np.empty((0, len(cells)), dtype=np.int8)
    count, nodes = _search(table, grid, cells, 2, budget, room)
    if count < 0:
        return None
    if count != 1:
        raise ValueError("minimize needs a table with exactly one answer")
    cells_in_order = np.array([clues[position][0] for position in order], dtype=np.int64)
    if _nine(table):
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


@kernel("int64(int64[::1], int64[::1], int32[:,::1], int32[:,::1], int8[:,::1])")
def pack(masks: Any, shadows: Any, cells: Any, options: Any, found: Any) -> Any:
    """Every grid made of one template for each value, to found [., n*n]; -1 if it has too few rows.

    A template is a set of cells that a value can have: its cells [t, n], the same as bits (masks [t]), and the cells that the
    next value then cannot have (shadows [t]). options [n, k]: templates of each value, -1 behind the last.
    """
    n = options.shape[0]
    chosen = np.full(n, -1, dtype=np.int64)
    taken = np.zeros(n + 1, dtype=np.int64)
    count, v = 0, 0
    while v >= 0:
        chosen[v] += 1
        t = options[v, chosen[v]] if chosen[v] < options.shape[1] else -1
        if t < 0:
            chosen[v] = -1
            v -= 1
            continue
        if masks[t] & taken[v] or (v > 0 and masks[t] & shadows[options[v - 1, chosen[v - 1]]]):
            continue
        taken[v + 1] = taken[v] | masks[t]
        if v < n - 1:
            v += 1
            continue
        if count == found.shape[0]:
            return -1
        for u in range(n):
            for i in cells[options[u, chosen[u]]]:
                found[count, i] = u
        count += 1
    return count


@lru_cache(maxsize=8)
def _all_small(n: int, units: tuple[tuple[int, ...], ...], apart: bool) -> Any:
    """Every answer without clues, n <= 6, int8 [k, n*n], of those that renamed values connect only one unless `apart`.

    None if there are more than `_EVEN_CLUELESS`.
    """
    cells = np.array([[n * r + c for r, c in enumerate(columns)] for columns in permutations(range(n))], dtype=np.int32)
    for unit in units:
        cells = cells[np.isin(cells, unit).sum(axis=1) == 1]
    masks = (np.int64(1) << cells.astype(np.int64)).sum(axis=1)
    shadows = np.zeros(len(cells), dtype=np.int64)
    starts = [np.flatnonzero(cells[:, 0] == v) for v in range(n)]
    if apart:
        near = _grid(n, units, True, ())[3]
        shadows = np.array([sum({1 << int(j) for j in near[t].flat if j >= 0}) for t in cells], dtype=np.int64)
        starts = [np.arange(len(cells))] * n
    options = np.full((n, max(map(len, starts))), -1, dtype=np.int32)
    for v, some in enumerate(starts):
        options[v, : len(some)] = some
    found = np.empty((_EVEN_CLUELESS, n * n), dtype=np.int8)
    count = pack(masks, shadows, np.ascontiguousarray(cells), options, found)
    return found[:count].copy() if count >= 0 else None


def sample(table: LatinTable, rng: Rng) -> Slots | None:
    """A random answer, None if there is none. Moves `rng` on; how even answers are is told at the top.

    Raises Discarded if it finds none and no proof that there is none.
    """
    grid = _grid(table.n, table.units, table.apart, table.heaviest)
    cells = _cells(table)
    if cells is None:
        return None
    own = rng.child("latin", rng.next64())
    if table.clues:
        few = answers(table, _EVEN + 1, 100 * _EVEN)
        if few.exhausted:
            return own.pick(few.answers) if few.answers else None
    plain = not table.apart and (not table.units or _boxed(table.n, table.units))
    if plain and not table.heaviest:
        return _plain(table, cells, own)
    small = not table.clues and table.n <= _SMALL and (plain or _all_small(table.n, table.units, table.apart) is not None)
    if not small and (table.clues or not plain or table.n > _MIDDLE):
        return _walked(table, grid, cells, own, plain)
    for _ in range(_DRAWS):
        one = own.child("draw", own.next64())
        if plain:
            drawn = _plain(table, cells, one)
        else:
            every = _all_small(table.n, table.units, table.apart)
            if not len(every):
                return None
            values = list(range(table.n)) if table.apart else one.shuffled(range(table.n))
            drawn = tuple([values[v] for v in every[one.below(len(every))].tolist()])
        if drawn is None or not table.heaviest or weighs_most(np.array(drawn, dtype=np.int8), grid[4]):
            return drawn
    if answers(table, 1, 100 * _EVEN).exhausted:
        return None
    raise Discarded("budget", f"no random answer of a Latin grid of {table.n} with a heaviest group in {_DRAWS} draws")


def _plain(table: LatinTable, cells: Any, own: Rng) -> Slots | None:
    """A random answer without regard to `heaviest`, for boxes of equal shape or none.

    Exactly even without clues up to 6x6. Else a random search: every answer can come up and symmetric ones are equally likely
    (see bands.draw), but of answers that no symmetry connects some are likelier than others.
    """
    n, size = table.n, len(cells)
    if not table.clues and n <= _SMALL:
        every = _all_with_first_row(n, table.units)
        if every is not None:
            values = own.shuffled(range(n))
            return tuple([values[v] for v in every[own.below(len(every))].tolist()])
    state = state_of(own)
    room = np.empty((1, size), dtype=np.int8)
    if n == 9 and table.units and bands.draw(state, cells, _TRIES, room, bands.room_for_search()):
        return tuple(room[0].tolist())
    grid = _grid(n, table.units, False, ())
    stack = np.empty((size + 1, size), dtype=np.int32)
    for attempt in range(_TRIES):
        load(stack, cells, n)
        count, _ = search(stack, *grid, 1, size << attempt // 4, room, state, True)
        if count >= 0:
            return tuple(room[0].tolist()) if count else None
    raise Discarded("budget", f"no random answer of a Latin grid of {n} in {_TRIES} tries")


def _renamed(cells: Any, groups: Any, own: Rng) -> Any:
    """The grid with its values renamed so that the first group is heaviest, None if random names do not do that soon."""
    values = range(int(cells.max()) + 1)
    for _ in range(8 * len(values)):
        renamed = np.array(own.shuffled(values), dtype=np.int8)[cells]
        if weighs_most(renamed, groups):
            return renamed
    return None


def _walked(table: LatinTable, grid: _Arrays, cells: Any, own: Rng, plain: bool) -> Slots | None:
    """A random answer by random search, then a walk."""
    n, size = table.n, len(cells)
    state = state_of(own.child("walk"))
    free = bool(table.heaviest) and not table.apart and not table.clues  # values may change places
    searched = _grid(n, table.units, table.apart, ()) if free else grid
    room = np.empty((1, size), dtype=np.int8)
    stack = np.empty((size + 1, size), dtype=np.int32)
    full = None
    for attempt in range(_STARTS):
        load(stack, cells, n)
        count, _ = search(stack, *searched, 1, size << attempt // 100, room, state, plain)
        if count == 0:
            return None
        if count > 0:
            full = _renamed(room[0], grid[4], own) if free else room[0]
            if full is not None:
                break
    if full is None:
        raise Discarded("budget", f"no random answer of a Latin grid of {n} in {_STARTS} tries")
    blocks, most = (_TIGHT, 400) if table.apart else (_LOOSE, 256)
    walk(full, cells >= 0, *grid, free, _STEPS, blocks, 2 * most, state, np.empty((most, size), dtype=np.int8))
    return tuple(full.tolist())
