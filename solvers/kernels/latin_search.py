"""The search for Latin grids of `latin`, with any further units.

It propagates
  naked and hidden singles, and what a placed value forbids next to it (`apart`);
and where these are stuck
  locked sets: a value that a unit can only take where it crosses another unit leaves the rest of that other;
  apart: a cell with two or three candidates within v-1 .. v+1 takes v (or both of two) from the cells next to it; a value with
    two places in a unit takes its neighbours from the cells in or next to both;
  heaviest: the most that the first group can weigh and the least that another can, from the candidates cell by cell and, for a
    group that is a unit, from its open values in rising or falling order, take candidates that exceed them.
Then it branches on a cell with the fewest candidates or, where that is more than two, on a value with two places in a unit.

Nodes are branchings; one is reported where there was none, but naked and hidden singles (and placed values, with `apart`) were
stuck. `heaviest` is only checked there.
"""

from __future__ import annotations

import numpy as np

from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.random import below

_DONE = 1 << 30  # set in a cell's candidates when its single value has been taken from its peers
# units [m, n]; units of a cell [n*n, k]; crossings [p, 4, n]; cells next to a cell [n*n, 4], [0, 4] unless they stay apart;
# groups of `heaviest` [g, 1 + longest], each behind a 1 if it is a unit, else 0; -1 pads
GRID = "int32[:,::1], int32[:,::1], int32[:,:,::1], int32[:,::1], int32[:,::1]"


@kernel("int64(int32[::1], int64, int64, int64, int32[:,::1], int32[::1], int64, uint8[::1])")
def strike(s, j, gone, full, member, queue, waiting, dirty):
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
def keep_apart(s, n, units, member, queue, waiting, dirty, near):
    """Apply `apart` beyond placed values. As `strike`; the queue is empty before, and changed units are marked 2."""
    full = (1 << n) - 1
    for i in range(s.shape[0]):
        c = np.int64(s[i])
        low = c & -c
        if c & _DONE or c & ~(7 * low):
            continue
        # whichever of its two or three candidates (within v-1 .. v+1) the cell holds, it excludes v from the cells next to it
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
            # a value with two places: what is in or next to both holds no value next to it
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
def weigh(s, n, member, queue, waiting, dirty, groups):
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


@kernel(f"UniTuple(int64, 2)(int32[:,::1], int64, {GRID}, int32[::1], uint8[::1], int64, boolean)")
def settle(stack, at, units, member, crossings, near, groups, queue, dirty, first, deep):
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


@kernel(f"UniTuple(int64, 2)(int32[:,::1], {GRID}, int64, int64, int8[:,::1], uint64[::1], boolean)")
def search(stack, units, member, crossings, near, groups, limit, budget, found, state, anywhere):
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
def load(stack, cells, n):
    """Position 0 from n*n cells, -1 where blank."""
    for i in range(cells.shape[0]):
        stack[0, i] = (1 << n) - 1 if cells[i] < 0 else 1 << cells[i]


@kernel(f"int64(int8[::1], {GRID}, int64[::1], int64, int64)")
def dig(cells, units, member, crossings, near, groups, order, keep, budget):
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
