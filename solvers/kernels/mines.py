"""Minesweeper: which cells can be safe and which can hold a mine, over all boards that fit the numbers, without listing them.

Closed cells that share a number (or touch, where mines may not) form components. A component is swept cell by cell along the
longer side of the board. A state of the sweep is what the open numbers still ask for: of each number the mines around it so far,
up to what makes no difference to the cells still to come (`_RESIDUE`), and the cells that a later mine must not touch. Equal
states are one. Going forward, a state gathers the numbers of mines that lead to it; going backward, those from which the rest
can be met, the other components and the cells beyond all numbers included where the total is known. A cell can hold a value
exactly if a step with that value lies on such a way. All sets are exact; nothing is estimated.

The budget counts states.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import BLANK, Common, Finding, MinesTable
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.driver import listed, one_by_one, pairs

_RING = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))  # neighbours in the order of the sweep


def _groups(mask: int) -> int:
    """How many groups of touching cells these of the eight neighbours form."""
    left = [place for i, place in enumerate(_RING) if mask >> i & 1]
    count = 0
    while left:
        count += 1
        reached = [left.pop()]
        while reached:
            r, c = reached.pop()
            near = [(a, b) for a, b in left if max(abs(a - r), abs(b - c)) == 1]
            left = [place for place in left if place not in near]
            reached += near
    return count


@cache
def _residues(clusters: bool) -> Any:
    """[number, neighbours still to come, mines so far] -> the least set of mines that leaves the same open; -1 if none fits."""
    shown = [_groups(mask) if clusters else mask.bit_count() for mask in range(256)]
    out = np.full((9, 256, 256), -1, np.int16)
    for number in range(9):
        for ahead in range(256):
            known: dict[int, int] = {}
            subsets = [s for s in range(256) if s & ahead == s]
            for mines in range(256):
                if mines & ahead:
                    continue
                fits = 0
                for i, more in enumerate(subsets):
                    if shown[mines | more] == number:
                        fits |= 1 << i
                if fits:
                    out[number, ahead, mines] = known.setdefault(fits, mines)
    return out


@kernel("int64(uint64[:, ::1], int64[::1], uint64[::1], int64)")
def _place(keys, slots, key, count):
    """Where this key stands among the first `count` states (slots: index + 1, 0 free), put at the end if it is new."""
    words = key.shape[0]
    mask = slots.shape[0] - 1
    h = np.uint64(1469598103934665603)
    for w in range(words):
        h = (h ^ key[w]) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    at = np.int64(h & np.uint64(mask))
    while slots[at]:
        state = slots[at] - 1
        same = True
        for w in range(words):
            if keys[state, w] != key[w]:
                same = False
                break
        if same:
            return int(state)
        at = (at + 1) & mask
    slots[at] = count + 1
    for w in range(words):
        keys[count, w] = key[w]
    return count


@kernel("void(uint64[::1], int64, int64)")
def _put(key, register, value):
    shift = np.uint64(8 * (register & 7))
    key[register >> 3] = (key[register >> 3] & ~(np.uint64(255) << shift)) | (np.uint64(value) << shift)


@kernel("int64(uint64[::1], int64)")
def _get(key, register):
    return int((key[register >> 3] >> np.uint64(8 * (register & 7))) & np.uint64(255))


@kernel("int64(int64, int64, int64, int64)")
def _ahead(ring, cell, cols, at):
    """The neighbours of a cell among these (bits in the order of _RING) to which a sweep that stands at `at` has yet to come."""
    ahead = 0
    spot = 0
    for dr in range(-1, 2):
        for dc in range(-1, 2):
            if dr == 0 and dc == 0:
                continue
            if ring >> spot & 1 and cell + dr * cols + dc > at:
                ahead |= 1 << spot
            spot += 1
    return ahead


# Sets of numbers of mines are bits in words of 64, the lowest first.


@kernel("void(uint64[::1], uint64[::1], uint64, int64)")
def _shift(a, out, last, by):
    """Adds to `out` each number of `a` plus `by`, as far as the words go; `last` masks the last one."""
    words = a.shape[0]
    whole, part = by >> 6, np.uint64(by & 63)
    for w in range(whole, words):
        bits = a[w - whole] << part
        if part and w > whole:
            bits |= a[w - whole - 1] >> (np.uint64(64) - part)
        out[w] |= bits
    out[words - 1] &= last


@kernel("void(uint64[::1], uint64[::1], uint64[::1], uint64)")
def _sums(a, b, out, last):
    """out: which numbers are a sum of one of a and one of b, as far as out goes."""
    out[:] = 0
    for n in range(64 * a.shape[0]):
        if a[n >> 6] >> np.uint64(n & 63) & np.uint64(1):
            _shift(b, out, last, n)


@kernel("boolean(uint64[:, ::1], int64, uint64, uint64[:, ::1])")
def _shares(sums, total, last, allowed):
    """allowed: of the numbers of mines of each part, those with which the others can make up the total. False: none can."""
    parts, wide = sums.shape
    one = np.uint64(1)
    before = np.zeros((parts + 1, wide), np.uint64)
    after = np.zeros((parts + 1, wide), np.uint64)
    before[0, 0] = 1
    after[parts, 0] = 1
    for k in range(parts):
        _sums(before[k], sums[k], before[k + 1], last)
    for k in range(parts - 1, -1, -1):
        _sums(after[k + 1], sums[k], after[k], last)
    both = np.zeros(wide, np.uint64)
    for k in range(parts):
        _sums(before[k], after[k + 1], both, last)
        for n in range(total + 1):
            rest = total - n
            if both[rest >> 6] >> np.uint64(rest & 63) & one:
                allowed[k, n >> 6] |= one << np.uint64(n & 63)
    return bool(after[0, total >> 6] >> np.uint64(total & 63) & one)


@kernel("UniTuple(int64, 2)(int64, int64, int64, int64, int64[::1], int64[::1], int16[:, :, ::1], int64, uint8[::1])")
def _possible(rows, cols, apart, mines, opened, numbers, residue, budget, out):
    """out[cell]: 1 if it can be safe, 2 if it can hold a mine, 3 both. Gives (1 if a board fits, 0 if none, -1 if the budget
    ran out, states). mines: -1 if the total is unknown. apart: 1 if mines may not touch. rows >= cols is faster.
    """
    cells = rows * cols
    total = mines if mines >= 0 else 0
    size = total + 1
    wide = (size + 63) >> 6
    one = np.uint64(1)
    last = ~np.uint64(0)
    if size & 63:
        last = (one << np.uint64(size & 63)) - one
    number = np.full(cells, -1, np.int64)
    out[:] = 0
    for i in range(opened.shape[0]):
        if number[opened[i]] >= 0 and number[opened[i]] != numbers[i]:
            return 0, 0
        number[opened[i]] = numbers[i]
    if mines > cells:
        return 0, 0
    # what each number still has around it, as a mask of the ring
    around = np.zeros(cells, np.int64)
    for i in range(cells):
        if number[i] < 0:
            continue
        out[i] = 1
        r, c = i // cols, i % cols
        bit = 0
        for dr in range(-1, 2):
            for dc in range(-1, 2):
                if dr == 0 and dc == 0:
                    continue
                a, b = r + dr, c + dc
                if 0 <= a < rows and 0 <= b < cols and number[a * cols + b] < 0:
                    around[i] |= 1 << bit
                bit += 1
        if number[i] > 8 or residue[number[i], around[i], 0] < 0:
            return 0, 0
    # components of closed cells
    comp = np.full(cells, -1, np.int64)
    queue = np.zeros(cells, np.int64)
    comps, free = 0, 0
    for start in range(cells):
        if number[start] >= 0 or comp[start] != -1:
            continue
        comp[start] = comps
        queue[0] = start
        head, tail = 0, 1
        ruled = False
        while head < tail:
            i = queue[head]
            head += 1
            r, c = i // cols, i % cols
            for dr in range(-1, 2):
                for dc in range(-1, 2):
                    a, b = r + dr, c + dc
                    if (dr == 0 and dc == 0) or not (0 <= a < rows and 0 <= b < cols):
                        continue
                    j = a * cols + b
                    if number[j] >= 0:
                        ruled = True
                        for er in range(-1, 2):
                            for ec in range(-1, 2):
                                x, y = a + er, b + ec
                                if 0 <= x < rows and 0 <= y < cols:
                                    k = x * cols + y
                                    if number[k] < 0 and comp[k] == -1:
                                        comp[k] = comps
                                        queue[tail] = k
                                        tail += 1
                    elif apart and comp[j] == -1:
                        ruled = True
                        comp[j] = comps
                        queue[tail] = j
                        tail += 1
        if ruled:
            comps += 1
        else:
            comp[start] = -2
            free += 1
    sums = np.zeros((comps + 1, wide), np.uint64)  # of each component alone; the last: cells beyond all numbers
    for n in range(min(size, free + 1)):
        sums[comps, n >> 6] |= one << np.uint64(n & 63)
    allowed = np.zeros((comps + 1, wide), np.uint64)
    # registers: of a number while it has cells on both sides of the sweep, of a closed cell while a later one touches it
    register = np.full(2 * cells, -1, np.int64)
    order = np.zeros(cells, np.int64)
    holder = np.zeros(2 * cells, np.int64)
    counting = np.zeros((8, 4), np.int64)  # of the numbers around a cell: register, bit of the cell, what is to come, number
    touching, ending = np.zeros(8, np.int64), np.zeros(9, np.int64)  # registers of closed cells
    capacity = 1024
    spent = 0
    # where the total is known, what a component may come to depends on the others: all are swept, the largest last; then its way
    # back is gone at once, and the others are swept again
    sizes = np.zeros(comps + 1, np.int64)
    for i in range(cells):
        if comp[i] >= 0:
            sizes[comp[i]] += 1
    largest = np.argmax(sizes)
    if mines >= 0 and comps == 0 and not _shares(sums, total, last, allowed):
        return 0, 0
    for turn in range(max(0, 2 * comps - 1) if mines >= 0 else comps):
        k = turn % comps
        if mines >= 0:
            # the largest goes to the end of the first round
            place = turn if turn < comps else turn - comps
            k = largest if turn == comps - 1 else place + 1 if place >= largest else place
        length = 0
        for i in range(cells):
            if comp[i] == k:
                order[length] = i
                length += 1
        # give out registers
        holder[:] = 0
        most = 0
        register[:] = -1
        for at in range(length):
            i = order[at]
            r, c = i // cols, i % cols
            for dr in range(-1, 2):
                for dc in range(-1, 2):
                    a, b = r + dr, c + dc
                    if 0 <= a < rows and 0 <= b < cols:
                        j = a * cols + b
                        which = -1
                        if number[j] >= 0 and register[j] < 0:
                            which = j
                        elif apart and j == i:
                            which = cells + i
                        if which >= 0:
                            free_register = 0
                            while holder[free_register]:
                                free_register += 1
                            register[which] = free_register
                            holder[free_register] = which + 1
                            most = max(most, free_register + 1)
            # give back those that end here
            for g in range(most):
                if holder[g]:
                    what = holder[g] - 1
                    j = what if what < cells else what - cells
                    ends = True
                    for dr in range(-1, 2):
                        for dc in range(-1, 2):
                            a, b = j // cols + dr, j % cols + dc
                            if 0 <= a < rows and 0 <= b < cols:
                                x = a * cols + b
                                if number[x] < 0 and x > i:
                                    ends = False
                    if ends:
                        holder[g] = 0
        words = max(1, (most + 7) // 8)
        keys = np.zeros((capacity, words), np.uint64)
        nexts = np.full((capacity, 2), -1, np.int64)
        reach = np.zeros((capacity, wide), np.uint64)
        layer = np.zeros(length + 2, np.int64)
        layer[1] = 1
        reach[0, 0] = 1
        count = 1
        key = np.zeros(words, np.uint64)
        slots = np.zeros(2 * capacity, np.int64)
        for at in range(length):
            i = order[at]
            r, c = i // cols, i % cols
            low, high = layer[at], layer[at + 1]
            slots[:] = 0
            # what a value of this cell means, the same for all states
            counted, touched, ended = 0, 0, 0
            bit = 0
            for dr in range(-1, 2):
                for dc in range(-1, 2):
                    if dr == 0 and dc == 0:
                        continue
                    place = 7 - bit  # seen from there, this cell stands opposite in the ring
                    bit += 1
                    a, b = r + dr, c + dc
                    if not (0 <= a < rows and 0 <= b < cols):
                        continue
                    j = a * cols + b
                    if number[j] >= 0:
                        ahead = _ahead(around[j], j, cols, i)
                        counting[counted, 0] = register[j]
                        counting[counted, 1] = place
                        counting[counted, 2] = ahead
                        counting[counted, 3] = number[j]
                        counted += 1
                    elif apart and j < i:
                        touching[touched] = register[cells + j]
                        touched += 1
            if apart:
                # what no later cell touches is forgotten, so that equal states meet
                for dr in range(-1, 1):
                    for dc in range(-1, 2):
                        a, b = r + dr, c + dc
                        if (dr == 0 and dc > 0) or not (0 <= a < rows and 0 <= b < cols):
                            continue
                        j = a * cols + b
                        if number[j] >= 0 or comp[j] != k:
                            continue
                        ends = True
                        for er in range(-1, 2):
                            for ec in range(-1, 2):
                                x, y = a + er, b + ec
                                inside = 0 <= x < rows and 0 <= y < cols
                                if inside and number[x * cols + y] < 0 and x * cols + y > i:
                                    ends = False
                        if ends:
                            ending[ended] = register[cells + j]
                            ended += 1
            for state in range(low, high):
                if count + 2 > capacity:
                    spent_now = spent + count
                    if spent_now > budget:
                        return -1, spent_now
                    old = capacity
                    capacity *= 2
                    more = np.zeros((capacity, words), np.uint64)
                    more[:old] = keys
                    keys = more
                    steps = np.full((capacity, 2), -1, np.int64)
                    steps[:old] = nexts
                    nexts = steps
                    reached = np.zeros((capacity, wide), np.uint64)
                    reached[:old] = reach
                    reach = reached
                    slots = np.zeros(2 * capacity, np.int64)
                    again = count
                    for other in range(high, again):  # put the new layer's states in again
                        _place(keys, slots, keys[other].copy(), other)
                for value in range(2):
                    for w in range(words):
                        key[w] = keys[state, w]
                    fits = True
                    for t in range(counted):
                        g = counting[t, 0]
                        ahead = counting[t, 2]
                        left = residue[counting[t, 3], ahead, _get(key, g) | (value << counting[t, 1])]
                        if left < 0:
                            fits = False
                            break
                        _put(key, g, left if ahead else 0)
                    if fits and value:
                        for t in range(touched):
                            if _get(key, touching[t]):
                                fits = False
                                break
                    if not fits:
                        continue
                    if apart:
                        _put(key, register[cells + i], value)
                        for t in range(ended):
                            _put(key, ending[t], 0)
                    target = _place(keys, slots, key, count)
                    if target == count:
                        count += 1
                    nexts[state, value] = target
                    if mines >= 0:
                        _shift(reach[state], reach[target], last, value)
            layer[at + 2] = count
            if count == layer[at + 1]:
                return 0, spent + count
        spent += count
        if spent > budget:
            return -1, spent
        if mines >= 0 and turn < comps:
            for state in range(layer[length], layer[length + 1]):
                for w in range(wide):
                    sums[k, w] |= reach[state, w]
            if turn < comps - 1:
                continue
            if not _shares(sums, total, last, allowed):
                return 0, spent
        # backward: from how many mines so far the rest can be met
        good = np.zeros((count, wide), np.uint64)
        for state in range(layer[length], layer[length + 1]):
            if mines >= 0:
                good[state] = allowed[k]
            else:
                good[state, 0] = 1
        for at in range(length - 1, -1, -1):
            for state in range(layer[at], layer[at + 1]):
                for value in range(2):
                    target = nexts[state, value]
                    if target < 0:
                        continue
                    met = False
                    for w in range(wide):
                        bits = good[target, w]
                        if mines >= 0:
                            if value:
                                bits >>= one
                                if w + 1 < wide:
                                    bits |= good[target, w + 1] << np.uint64(63)
                            met = met or reach[state, w] & bits != 0
                        else:
                            met = bits != 0
                        good[state, w] |= bits
                    if met:
                        out[order[at]] |= 1 << value
    for i in range(cells):
        if comp[i] == -2:
            if mines < 0:
                out[i] = 3
            else:
                for n in range(min(size, free + 1)):
                    if allowed[comps, n >> 6] >> np.uint64(n & 63) & one:
                        if n < free:
                            out[i] |= 1
                        if n > 0:
                            out[i] |= 2
    return 1, spent


@kernel(
    "int64(int64, int64, int64, int64, int64[::1], int64, uint8[::1], int16[:, :, ::1], int64[::1], uint8[:, ::1], int64[::1])"
)
def _list(rows, cols, apart, mines, number, limit, possible, residue, spent, found, around):
    """Boards that fit, cell by cell; at most `limit`. spent: [branchings so far, budget]. -1 if the budget ran out."""
    cells = rows * cols
    value = np.full(cells, -1, np.int64)
    mask = np.zeros(cells, np.int64)
    count, placed, i = 0, 0, 0
    while i >= 0:
        if i == cells:
            if mines < 0 or placed == mines:
                if count >= limit:
                    return count
                for j in range(cells):
                    found[count, j] = value[j]
                count += 1
                if count == limit:
                    return count
            i -= 1
            continue
        # take back what stands here and try the next value
        r, c = i // cols, i % cols
        if value[i] == 1:
            placed -= 1
            bit = 0
            for dr in range(-1, 2):
                for dc in range(-1, 2):
                    if dr == 0 and dc == 0:
                        continue
                    a, b = r + dr, c + dc
                    if 0 <= a < rows and 0 <= b < cols:
                        mask[a * cols + b] &= ~(1 << (7 - bit))
                    bit += 1
        value[i] += 1
        while value[i] < 2 and not possible[i] >> value[i] & 1:
            value[i] += 1
        if value[i] > 1:
            value[i] = -1
            i -= 1
            continue
        spent[0] += 1
        if spent[0] > spent[1]:
            return -1
        if value[i] == 1:
            placed += 1
            bit = 0
            for dr in range(-1, 2):
                for dc in range(-1, 2):
                    if dr == 0 and dc == 0:
                        continue
                    a, b = r + dr, c + dc
                    if 0 <= a < rows and 0 <= b < cols:
                        mask[a * cols + b] |= 1 << (7 - bit)
                    bit += 1
        fits = mines < 0 or (placed <= mines and placed + cells - 1 - i >= mines)
        bit = 0
        for dr in range(-1, 2):
            for dc in range(-1, 2):
                if dr == 0 and dc == 0:
                    continue
                a, b = r + dr, c + dc
                if 0 <= a < rows and 0 <= b < cols:
                    j = a * cols + b
                    if number[j] >= 0 and residue[number[j], _ahead(around[j], j, cols, i), mask[j]] < 0:
                        fits = False
                    if apart and value[i] == 1 and j < i and value[j] == 1:
                        fits = False
                bit += 1
        if fits:
            i += 1
    return count


def _arrays(table: MinesTable) -> tuple[int, int, Any, Any]:
    """Rows, columns and clues, turned so that the sweep goes along the longer side."""
    rows, cols = table.rows, table.cols
    if rows < 1 or cols < 1:
        raise BadRow(f"a board of mines has cells, got {rows} x {cols}")
    cells, numbers = pairs(table.clues, rows * cols, 9, f"a board of {rows} x {cols} cells")
    if cols > rows:
        return cols, rows, cells % cols * rows + cells // cols, numbers
    return rows, cols, cells, numbers


def _turned_back(table: MinesTable, values: Any) -> Any:
    """Values of cells in the table's own order."""
    if table.cols > table.rows:
        return np.ascontiguousarray(values.reshape(table.cols, table.rows).T).reshape(-1)
    return values


def possible(table: MinesTable, budget: int) -> tuple[int, int, Any]:
    """(1 if a board fits, 0 if none does, -1 if the budget ran out; states; per cell 1 can be safe, 2 can be a mine, 3 both)."""
    rows, cols, opened, numbers = _arrays(table)
    out = np.zeros(rows * cols, np.uint8)
    fits, states = _possible(rows, cols, int(table.apart), table.mines, opened, numbers, _residues(table.clusters), budget, out)
    return fits, states, _turned_back(table, out)


def common(table: MinesTable, budget: int) -> Common:
    """All that holds in every board. nodes counts states of the sweep."""
    fits, states, out = possible(table, budget)
    if fits < 0:
        return Common(None, False, states)
    if not fits:
        return Common(None, True, states)
    return Common(tuple([(BLANK, 0, 1, BLANK)[v] for v in out.tolist()]), True, states)


def answers(table: MinesTable, limit: int, budget: int) -> Finding:
    """Up to `limit` boards that fit the numbers."""
    fits, states, can = possible(table, budget)
    if fits < 1:
        return Finding((), fits == 0, states)
    rows, cols = table.rows, table.cols
    number = np.full(rows * cols, -1, np.int64)
    for cell, shown in table.clues:
        number[cell] = shown
    around = np.zeros(rows * cols, np.int64)
    for cell, _ in table.clues:
        for bit, (dr, dc) in enumerate(_RING):
            r, c = cell // cols + dr, cell % cols + dc
            if 0 <= r < rows and 0 <= c < cols:
                around[cell] |= 1 << bit
    shape = rows, cols, int(table.apart), table.mines, number

    def search(found: Any) -> tuple[int, int]:
        spent = np.array([0, budget], np.int64)
        count = _list(*shape, len(found), can, _residues(table.clusters), spent, found, around)
        return count, states if count >= 0 else states + int(spent[0])

    return listed(search, limit, rows * cols, np.uint8)


def minimize(table: MinesTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """Leave out numbers while the cells that must be mines stay the same, down to `keep` numbers; `budget` bounds each proof."""
    wanted = None

    def count(stays: Any) -> int:
        nonlocal wanted
        found = common(table.with_clues(np.flatnonzero(stays).tolist()), budget)
        wanted = wanted or found  # all numbers stay at first
        return -1 if not found.decided else 1 if found.backbone() == wanted.backbone() else 2

    return one_by_one(len(table.clues), order, keep, count)
