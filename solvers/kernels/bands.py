"""9x9 Latin grids with the nine standard boxes: bitboards and a search with strong propagation.

A band is three rows, 27 cells, one bit each: bit 9*r + c for row r of the band and column c. A position is one row of a stack of
int32 words [34]:
    0..26   cells where digit d may stand in band b, at 9*b + d
    27..29  cells of band b that hold no digit yet
    30..32  cells of band b with exactly two candidates, valid after `settle`
    33      digits that changed since they were last looked at, one bit each
For one digit, a band is a 3x3 pattern of minirows (row x box) of which the digit takes one per row and one per box, so that
the minirows it can use are a lookup among 512 patterns; a stack of three boxes is the same pattern of columns x boxes. Closing a
digit under both lookups gives every hidden single and every locked set (pointing and claiming) at once. Naked singles come from
counting candidates in all 27 cells of a band in parallel. Where this is stuck, the search branches.
The idea of band words and minirow patterns is folklore of fast sudoku solvers (see T. Dillon's notes on tdoku, 2019).
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np

from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels.bits import popcount
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.random import below, shuffle, state_of

_ALL = 0o777777777  # the 27 cells of a band
_WORDS = 34
_DEPTH = 82  # every push places a digit for good


def _tables() -> tuple[Any, ...]:
    mini, lone, only = (np.zeros(512, dtype=np.int32) for _ in range(3))
    keep = np.zeros(512, dtype=np.int32)
    columns = np.zeros((3, 512), dtype=np.int32)
    ways = [sum(1 << 3 * i + j for i, j in enumerate(order)) for order in permutations(range(3))]
    for x in range(512):
        mini[x] = sum(1 << j for j in range(3) if x >> 3 * j & 7)
        lone[x] = x if x.bit_count() == 1 else 0
        only[x] = 511 if x == 0 else lone[x]
        usable = 0
        for way in ways:
            if way & x == way:
                usable |= way
        keep[x] = sum(7 << 3 * k for k in range(9) if usable >> k & 1)
        for stack in range(3):
            columns[stack, x] = sum((usable >> 3 * band & 7) << 9 * band + 3 * stack for band in range(3))
    return mini, lone, only, keep, columns[0], columns[1], columns[2]


# by a row's 9 bits: which of its minirows are possible; the bit if it is alone; what the row keeps once the digit is placed there
# by a 3x3 pattern: the band's cells that stay possible; the columns that stay possible, 9 bits per band, for stack 0, 1, 2
_MINI, _LONE, _ONLY, _KEEP, _COLS0, _COLS1, _COLS2 = _tables()


# by a cell of a band: the others of its row and box
_NEAR = np.array([(511 << 9 * (i // 9) | 0o007007007 << 3 * (i % 9 // 3)) & ~(1 << i) for i in range(27)], dtype=np.int64)


@kernel("int64(int32[:,::1], int64)")
def settle(stack, at):
    """Propagate position `at` until nothing changes: -1 contradiction, 0 stuck, 1 solved."""
    s = stack[at]
    dirty = np.int64(s[33])
    while True:
        while dirty:
            d = popcount((dirty & -dirty) - 1) & 15  # what is known not to be negative needs no test
            dirty &= ~(1 << d)
            p0, p1, p2 = np.int64(s[d]), np.int64(s[9 + d]), np.int64(s[18 + d])
            while True:
                k0 = np.int64(_KEEP[_MINI[p0 & 511] | _MINI[p0 >> 9 & 511] << 3 | _MINI[p0 >> 18 & 511] << 6])
                k1 = np.int64(_KEEP[_MINI[p1 & 511] | _MINI[p1 >> 9 & 511] << 3 | _MINI[p1 >> 18 & 511] << 6])
                k2 = np.int64(_KEEP[_MINI[p2 & 511] | _MINI[p2 >> 9 & 511] << 3 | _MINI[p2 >> 18 & 511] << 6])
                if k0 == 0 or k1 == 0 or k2 == 0:
                    return -1
                q0, q1, q2 = p0 & k0, p1 & k1, p2 & k2
                cols = (
                    ((q0 | q0 >> 9 | q0 >> 18) & 511)
                    | ((q1 | q1 >> 9 | q1 >> 18) & 511) << 9
                    | ((q2 | q2 >> 9 | q2 >> 18) & 511) << 18
                )
                x = cols & 0o007007007
                y = cols >> 3 & 0o007007007
                z = cols >> 6 & 0o007007007
                a0 = np.int64(_COLS0[(x | x >> 6 | x >> 12) & 511])
                a1 = np.int64(_COLS1[(y | y >> 6 | y >> 12) & 511])
                a2 = np.int64(_COLS2[(z | z >> 6 | z >> 12) & 511])
                if a0 == 0 or a1 == 0 or a2 == 0:
                    return -1
                usable = a0 | a1 | a2
                p0 = q0 & (usable & 511) * 0o001001001
                p1 = q1 & (usable >> 9 & 511) * 0o001001001
                p2 = q2 & (usable >> 18) * 0o001001001
                if q0 == p0 and q1 == p1 and q2 == p2:
                    break  # bands keep all that they kept before
            s[d], s[9 + d], s[18 + d] = p0, p1, p2
            for b in range(3):
                p = p0 if b == 0 else p1 if b == 1 else p2
                placed = (_LONE[p & 511] | _LONE[p >> 9 & 511] << 9 | _LONE[p >> 18 & 511] << 18) & s[27 + b]
                if placed:
                    s[27 + b] &= ~placed
                    hit = 0
                    for e in range(9):  # no branches: which digits lose a cell cannot be predicted
                        q = s[9 * b + e]
                        hit |= (q & placed != 0) << e
                        s[9 * b + e] = q & ~placed
                    s[9 * b + d] = p
                    dirty |= hit & ~(1 << d)
        for b in range(3):
            once, twice, thrice = np.int64(0), np.int64(0), np.int64(0)
            for d in range(9):
                p = np.int64(s[9 * b + d])
                thrice |= twice & p
                twice |= once & p
                once |= p
            if once != _ALL:
                return -1
            s[30 + b] = twice & ~thrice
            naked = once & ~twice & np.int64(s[27 + b])
            if naked:
                for d in range(9):
                    p = np.int64(s[9 * b + d]) & naked
                    if p:
                        s[9 * b + d] &= _ONLY[p & 511] | _ONLY[p >> 9 & 511] << 9 | _ONLY[p >> 18 & 511] << 18
                        dirty |= 1 << d
        if not dirty:
            s[33] = 0
            return 1 if s[27] | s[28] | s[29] == 0 else 0


@kernel("void(int32[:,::1], int64, int64, int64, int64)")
def place(stack, at, b, bit, v):
    """Put digit v on one cell of band b: no other digit stands there, and the digit nowhere else in the row."""
    s = stack[at]
    for d in range(9):
        if d != v and s[9 * b + d] & bit:
            s[9 * b + d] &= ~bit
            s[33] |= 1 << d
    row = 511 if bit <= 511 else 511 << 9 if bit <= 511 << 9 else 511 << 18
    s[9 * b + v] &= ~row | bit
    s[33] |= 1 << v


@kernel("Tuple((int64, int64))(int32[::1], int32[::1])")
def pair(s, score):
    """The cell with two candidates, as (band, bit), that rules most out whichever it holds; (-1, 0) if there is none.

    Cells that lose one of two candidates count four times: the search goes on by itself there. score [81]: zeros, also after.
    """
    for d in range(9):
        for b in range(3):
            c, e = (b + 1) % 3, (b + 2) % 3
            here, there = np.int64(s[9 * b + d]), np.int64(s[9 * c + d]) | np.int64(s[9 * e + d]) << 32
            twos, far = here & s[30 + b], there & (np.int64(s[30 + c]) | np.int64(s[30 + e]) << 32)
            left = twos
            while left:
                i = popcount((left & -left) - 1)
                left &= left - 1
                near, column = _NEAR[i], (0o001001001 | 0o001001001 << 32) << i % 9
                less = popcount(here & near) + popcount(there & column)
                score[27 * b + i] += less + 3 * (popcount(twos & near) + popcount(far & column))
    best, bit, most = -1, np.int64(0), -1
    for b in range(3):
        left = np.int64(s[30 + b])
        while left:
            i = popcount((left & -left) - 1)
            if score[27 * b + i] > most:
                best, bit, most = b, left & -left, score[27 * b + i]
            score[27 * b + i] = 0
            left &= left - 1
    return best, bit


@kernel("Tuple((int64, int64))(int32[:,::1], int64, int64, int8[:,::1])")
def search(stack, limit, budget, found):
    """Answers of position 0, at most `limit`, and branching nodes; -1 answers if `budget` nodes did not settle it.

    The first answers are written to found, as many as it has rows [., 81]. Where it has none, other cells are chosen: that takes
    fewer nodes, but more time for each, and finds answers in another order.
    """
    score = np.empty(0, dtype=np.int32)
    count, nodes, at = 0, 0, 0
    while at >= 0:
        state = settle(stack, at)
        if state == 1:
            if count < found.shape[0]:
                for b in range(3):
                    for d in range(9):
                        for i in range(27):
                            if stack[at, 9 * b + d] >> i & 1:
                                found[count, 27 * b + i] = d
            count += 1
            if count >= limit:
                return count, nodes
        if state != 0:
            at -= 1
            continue
        if nodes >= budget:
            return -1 - count, nodes
        nodes += 1
        s = stack[at]
        best, bit, v = -1, np.int64(0), -1
        if found.shape[0] == 0:
            if score.shape[0] == 0:
                score = np.zeros(81, dtype=np.int32)
            best, bit = pair(s, score)
        else:
            # A cell with two candidates, in the band that has most of them, with another such cell in its column if there is one:
            # what follows from a wrong choice then runs far, which halves the nodes of hard puzzles.
            most = 0
            for b in range(3):
                size, left = 0, np.int64(s[30 + b])
                while left:
                    left &= left - 1
                    size += 1
                if size > most:
                    best, most = b, size
            if best >= 0:
                pairs = np.int64(s[30 + best])
                others = np.int64(s[30 + (best + 1) % 3] | s[30 + (best + 2) % 3])
                linked = pairs & ((others | others >> 9 | others >> 18) & 511) * 0o001001001
                bit = linked & -linked if linked else pairs & -pairs
        if best < 0:  # a digit with two places in a row or box
            for k in range(162):
                p = np.int64(s[k // 6]) & (511 << 9 * (k % 6) if k % 6 < 3 else 0o007007007 << 3 * (k % 6 - 3))
                rest = p & (p - 1)
                if rest and rest & (rest - 1) == 0:
                    best, bit, v = k // 54, p & -p, k // 6 % 9
                    break
        if best < 0:  # a cell with fewest candidates
            fewest = 10
            for b in range(3):
                for i in range(27):
                    if s[27 + b] >> i & 1:
                        size = 0
                        for d in range(9):
                            size += s[9 * b + d] >> i & 1
                        if size < fewest:
                            best, bit, fewest = b, np.int64(1) << i, size
        if v < 0:
            v = 0
            while not s[9 * best + v] & bit:
                v += 1
        for i in range(_WORDS):
            stack[at + 1, i] = s[i]
        s[9 * best + v] &= ~bit  # what is left to try when the digit fails or is counted
        s[33] = 1 << v
        at += 1
        place(stack, at, best, bit, v)
    return count, nodes


@kernel("void(int32[:,::1], int8[::1])")
def load(stack, cells):
    """Position 0 from 81 cells, -1 where blank."""
    s = stack[0]
    for b in range(3):
        given = 0
        for d in range(9):
            s[9 * b + d] = 0
        for i in range(27):
            v = cells[27 * b + i]
            if v >= 0:
                given |= 1 << i
                s[9 * b + v] |= 1 << i
        for d in range(9):
            p = np.int64(s[9 * b + d])
            s[9 * b + d] = (p | ~given) & _ALL & (_ONLY[p & 511] | _ONLY[p >> 9 & 511] << 9 | _ONLY[p >> 18 & 511] << 18)
        s[27 + b] = _ALL
    s[33] = 511


@kernel("int64(int8[:,::1], int64, int64, int64[::1])")
def count_many(puzzles, limit, budget, counts):
    """Answers of many puzzles [k, 81] (-1 is blank), each at most `limit`; returns all branching nodes.

    counts [k]: -1 - (answers so far) where a puzzle spent `budget` nodes.
    """
    stack = np.empty((_DEPTH, _WORDS), dtype=np.int32)
    found = np.empty((0, 81), dtype=np.int8)
    total = 0
    for k in range(puzzles.shape[0]):
        load(stack, puzzles[k])
        counts[k], nodes = search(stack, limit, budget, found)
        total += nodes
    return total


@kernel("int64(int8[::1], int64[::1], int64, int64, int8[:,::1], int32[:,::1])")
def dig(cells, order, keep, budget, room, stack):
    """Blank cells of a puzzle with one answer, in this order, while it keeps one answer and more than `keep` clues.

    cells [81] is changed in place. order: cells with clues. room: int8 [0, 81]. Returns branching nodes, -1 if over `budget`.
    """
    clues = 0
    for i in range(81):
        clues += cells[i] >= 0
    spent = 0
    tried, block = 0, 32
    old = np.empty(32, dtype=np.int8)
    while tried < order.shape[0] and clues > keep:
        # What cannot be told apart from one answer with a whole block blank cannot with less: most early cells fall together.
        block = min(block, order.shape[0] - tried, clues - keep)
        for j in range(block):
            old[j] = cells[order[tried + j]]
            cells[order[tried + j]] = -1
        load(stack, cells)
        if block == 1:
            cell, v = order[tried], old[0]
            stack[0, 9 * (cell // 27) + v] &= ~(1 << cell % 27)  # any answer left is a second one
            count, nodes = search(stack, 1, budget - spent, room)
            second = count != 0
        else:
            count, nodes = search(stack, 2, budget - spent, room)
            second = count != 1
        spent += nodes
        if count < 0:
            return -1
        if not second:
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


@kernel("boolean(uint64[::1], int8[::1], int64, int8[:,::1], int32[:,::1])")
def draw(state, cells, tries, room, stack):
    """A random answer of the puzzle in cells [81] (-1 is blank) to room[0]; False if every try met a contradiction.

    Cells are filled in an even random order with an even random candidate, and a try that fails is thrown away whole: nothing
    in this prefers one digit, row, column, band or stack, so grids that a symmetry carries to each other are equally likely.
    room: int8 [1, 81].
    """
    order = np.arange(81)
    for _ in range(tries):
        shuffle(state, order)
        load(stack, cells)
        outcome = settle(stack, 0)
        at = 0
        while outcome == 0:
            while not stack[0, 27 + order[at] // 27] >> order[at] % 27 & 1:
                at += 1
            b, i = order[at] // 27, order[at] % 27
            size = 0
            for d in range(9):
                size += stack[0, 9 * b + d] >> i & 1
            nth = below(state, size)
            v = -1
            while nth >= 0:
                v += 1
                nth -= stack[0, 9 * b + v] >> i & 1
            place(stack, 0, b, np.int64(1) << i, v)
            outcome = settle(stack, 0)
        if outcome > 0:
            search(stack, 1, 0, room)  # writes the solved position out
            return True
    return False


@kernel("boolean(uint64[::1], int64, int64, int8[:,::1], int8[:,::1])")
def mint(state, keep, budget, puzzles, answers):
    """Fill answers with random grids and puzzles with those dug down to `keep` clues where one answer allows it, both [k, 81].

    False if a puzzle is over budget.
    """
    stack = np.empty((_DEPTH, _WORDS), dtype=np.int32)
    room = np.empty((1, 81), dtype=np.int8)
    order = np.arange(81)
    for k in range(puzzles.shape[0]):
        answers[k] = -1
        while not draw(state, answers[k], 100, room, stack):
            pass
        puzzles[k] = answers[k] = room[0]
        shuffle(state, order)
        if dig(puzzles[k], order, keep, budget, room[:0], stack) < 0:
            return False
    return True


def room_for_search() -> Any:
    """A stack of positions, deep enough for every search."""
    return np.empty((_DEPTH, _WORDS), dtype=np.int32)


def minimal(rng: Rng, count: int, *, keep: int = 0) -> tuple[Any, Any]:
    """`count` random puzzles and their answers for work in bulk, int8 [count, 81] each, -1 where blank.

    Every puzzle is minimal or has `keep` clues.
    """
    puzzles, answers = np.empty((count, 81), dtype=np.int8), np.empty((count, 81), dtype=np.int8)
    if not mint(state_of(rng), keep, 1 << 40, puzzles, answers):
        raise AssertionError("a 9x9 puzzle took 2**40 nodes")
    return puzzles, answers
