"""Latin grids with sight hints (SightTable), n <= 8.

A position is an int32 array of candidate masks, one for each cell. Propagation is naked and hidden singles and, where these are
stuck, lines that have a hint: a row or column is narrowed to the candidates of all its permutations that fit both of its hints at
once, exactly. These permutations are never listed (8 cells have 40,320). Read cell by cell, a permutation is a path through the
sets of the values read so far, and what can be seen is a matter of these sets alone: up to the tallest one, a value is seen from
the front if it is above all of the set; behind the tallest one, it is seen from the back if it is above all that is not yet read.
So one pass forwards over the 2^n sets, each with the totals that can have been reached as bits, and one backwards with the totals
that still come out right, find every candidate that some permutation takes. Up to 6 cells the permutations are few, and lists of
those with given hints are faster.
On a diagonal values may repeat; there each hint is narrowed on its own, by the tallest value so far.

Nodes are branchings, on a cell with the fewest candidates: nodes == 0 says that singles and one line at a time decide the puzzle.

Samples. Without hints they are those of `latin` (exactly even up to 6x6). With hints and at most 1,000 answers they are exactly
even; with more answers they come from a random search, in which some answers are likelier than others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import Finding, LatinTable, SightTable, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels import latin
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.driver import SURE, anew, even, is_only, listed, slots
from puzzlemill.solvers.kernels.random import below, state_of

MOST = 8  # longest line
LISTED = 6  # longest line whose permutations are listed
_EVEN = 1_000  # a puzzle with at most this many answers is sampled exactly evenly
_SIZE = np.array([bin(s).count("1") for s in range(1 << MOST)], dtype=np.int64)  # members of a set of values
_ANY = (1 << 40) - 1  # every total that heights 1 .. 8 can add up to, as bits


@kernel("boolean(int32[::1], int64, int64, int64, boolean, int64[:,::1], int32[::1])")
def narrow(line, n, front, back, summed, room, left):
    """The candidates (to `left`) that some permutation within `line` takes which fits both hints (0: none). False if none does.

    room [2, 2^n] is scratch: the totals reached by each set of values, then those that still come out right. They are seen from
    the front as long as the tallest value is not in the set, and from the back afterwards.
    """
    full = (1 << n) - 1
    half = 1 << (n - 1)
    tallest = n if summed else 1
    reached, right = room[0], room[1]
    before = _ANY if front == 0 else 0  # totals before the tallest value
    if front >= tallest:
        before = 1 << (front - tallest)
    for s in range(full + 1):
        reached[s] = 0
        right[s] = 0
    reached[0] = 1
    for s in range(full):
        here = reached[s]
        if here == 0:
            continue
        free = line[_SIZE[s]] & ~s
        v = 0
        while free >> v:
            bit = 1 << v
            if free & bit:
                height = v + 1 if summed else 1
                if s >= half:
                    reached[s | bit] |= here << height if full & ~(s | bit) < bit else here
                elif bit < half:
                    reached[s | bit] |= here << height if s < bit else here
                elif here & before:
                    reached[s | bit] |= 1 << tallest
            v += 1
    right[full] = _ANY if back == 0 else 1 << back
    if reached[full] & right[full] == 0:
        return False
    for p in range(n):
        left[p] = 0
    for s in range(full - 1, -1, -1):
        here = reached[s]
        if here == 0:
            continue
        p = _SIZE[s]
        free = line[p] & ~s
        total = 0
        v = 0
        while free >> v:
            bit = 1 << v
            if free & bit and right[s | bit]:
                height = v + 1 if summed else 1
                then = right[s | bit]
                if s >= half:
                    then = then >> height if full & ~(s | bit) < bit else then
                elif bit < half:
                    then = then >> height if s < bit else then
                else:
                    then = before if then >> tallest & 1 else 0
                if then & here:
                    left[p] |= bit
                    total |= then
            v += 1
        right[s] = total
    return True


@kernel("boolean(int32[::1], int64, int64, boolean, int64[:,::1], int32[::1])")
def narrow_apart(line, n, front, summed, room, left):
    """The same for one hint of a line whose values may repeat."""
    reached, right = room[0], room[1]  # by place and tallest value so far, 0 for none
    wide = n + 1
    for k in range(wide * wide):
        reached[k] = 0
        right[k] = 0
    reached[0] = 1
    for p in range(n):
        for top in range(wide):
            here = reached[p * wide + top]
            if here:
                for v in range(n):
                    if line[p] >> v & 1:
                        if v >= top:
                            reached[(p + 1) * wide + v + 1] |= here << (v + 1 if summed else 1)
                        else:
                            reached[(p + 1) * wide + top] |= here
    fits = False
    for top in range(wide):
        right[n * wide + top] = 1 << front
        fits = fits or reached[n * wide + top] >> front & 1 != 0
    if not fits:
        return False
    for p in range(n - 1, -1, -1):
        left[p] = 0
        for top in range(wide):
            here = reached[p * wide + top]
            if here:
                total = 0
                for v in range(n):
                    if line[p] >> v & 1:
                        if v >= top:
                            then = right[(p + 1) * wide + v + 1] >> (v + 1 if summed else 1)
                        else:
                            then = right[(p + 1) * wide + top]
                        if then & here:
                            left[p] |= 1 << v
                            total |= then
                right[p * wide + top] = total
    return True


@kernel(
    "boolean(int32[::1], int64, int64[::1], boolean, int64, uint8[::1], int64[:,::1], int32[:,::1], int64[::1], int64[:,:,::1])"
)
def settle(s, n, hints, summed, first, dirty, room, lines, orders, ranges):
    """Propagate until nothing changes; False on a contradiction.

    first: the cell that changed, -1 to look at all. dirty [2n+2]: rows, columns and diagonals that changed since they were
    searched for singles (bit 0) and narrowed by hints (bit 1). lines [2, n] is scratch. orders, ranges: see `_orders`.
    """
    full = (1 << n) - 1
    if first < 0:
        dirty[:] = 3
    else:
        dirty[: 2 * n] = 0
        dirty[2 * n :] = 2
        dirty[first // n] = 3
        dirty[n + first % n] = 3
    line, left = lines[0], lines[1]
    while True:
        moved = False
        for k in range(2 * n):
            if dirty[k] & 1 == 0:
                continue
            dirty[k] &= 2
            start, step = (k * n, 1) if k < n else (k - n, n)
            once, twice, single = 0, 0, 0
            for p in range(n):
                c = s[start + p * step]
                if c == 0:
                    return False
                twice |= once & c
                once |= c
                if c & (c - 1) == 0:
                    if single & c:
                        return False
                    single |= c
            if once != full:
                return False
            hidden = once & ~twice
            for p in range(n):
                i = start + p * step
                c = s[i]
                new = c
                if c & (c - 1):
                    new = c & ~single
                    if c & hidden:
                        new = c & hidden
                        if new & (new - 1):
                            return False
                if new != c:
                    if new == 0:
                        return False
                    s[i] = new
                    dirty[i // n] = 3
                    dirty[n + i % n] = 3
                    dirty[2 * n :] = 2
                    moved = True
        if moved:
            continue
        for k in range(2 * n + 2):
            if dirty[k] & 2 == 0:
                continue
            dirty[k] &= 1
            if k < n:
                start, step, front, back = k * n, 1, hints[2 * n + k], hints[3 * n + k]
            elif k < 2 * n:
                start, step, front, back = k - n, n, hints[k - n], hints[k]
            elif k == 2 * n:
                start, step, front, back = 0, n + 1, hints[4 * n], hints[4 * n + 3]
            else:
                start, step, front, back = n - 1, n - 1, hints[4 * n + 1], hints[4 * n + 2]
            if front == 0 and back == 0:
                continue
            if k < 2 * n and orders.shape[0]:
                mask, union = 0, 0
                for p in range(n - 1, -1, -1):
                    mask = mask << n | s[start + p * step]
                for x in range(ranges[front, back, 0], ranges[front, back, 1]):
                    if orders[x] & ~mask == 0:
                        union |= orders[x]
                        if union == mask:
                            break
                if union == mask:
                    continue
                if union == 0:
                    return False
                for p in range(n):
                    left[p] = union >> (n * p) & full
            else:
                for p in range(n):
                    line[p] = s[start + p * step]
            if k < 2 * n:
                if orders.shape[0] == 0 and not narrow(line, n, front, back, summed, room, left):
                    return False
            else:
                if front:
                    if not narrow_apart(line, n, front, summed, room, left):
                        return False
                    for p in range(n):
                        line[p] = left[p]
                if back:
                    for p in range(n // 2):
                        line[p], line[n - 1 - p] = line[n - 1 - p], line[p]
                    if not narrow_apart(line, n, back, summed, room, left):
                        return False
                    for p in range(n // 2):
                        left[p], left[n - 1 - p] = left[n - 1 - p], left[p]
            for p in range(n):
                i = start + p * step
                if left[p] != s[i]:
                    s[i] = left[p]
                    dirty[i // n] |= 1
                    dirty[n + i % n] |= 1
                    if k >= n:
                        dirty[i // n] = 3
                    if k < n or k >= 2 * n:
                        dirty[n + i % n] = 3
                    if k >= 2 * n:
                        dirty[k] = 2
                        dirty[4 * n + 1 - k] = 2
                    else:
                        dirty[2 * n :] = 2
                    moved = True
            if moved:
                break
        if not moved:
            return True


@kernel(
    "UniTuple(int64, 2)(int32[:,::1], int64, int64[::1], boolean, int64, int64, int8[:,::1], int8[::1], uint64[::1], "
    "uint8[::1], int64[:,::1], int32[:,::1], int64[::1], int64[:,:,::1])"
)
def search(stack, n, hints, summed, limit, budget, found, known, state, dirty, room, lines, orders, ranges):
    """(answers, branchings) of position stack[0], up to `limit`; -1 - answers if the budget ran out first.

    The first answers that there is room for go to `found`. known: an answer that is not counted, and tried last; none if it is
    empty. state: random choices, none if it is empty.
    """
    size = n * n
    where = np.zeros(stack.shape[0], dtype=np.int64)
    count, nodes, at = 0, 0, 0
    fine = settle(stack[0], n, hints, summed, -1, dirty, room, lines, orders, ranges)
    while True:
        s = stack[at]
        if fine:
            best, least = -1, n + 1
            for i in range(size):
                many = _SIZE[s[i]]
                if 1 < many < least:
                    best, least = i, many
            if best >= 0:
                if nodes == budget:
                    return -1 - count, nodes
                nodes += 1
                turn = below(state, least) if state.shape[0] else 0
                rest = s[best]
                while turn:
                    rest &= rest - 1
                    turn -= 1
                if known.shape[0] and rest & (rest - 1):
                    rest &= ~(1 << known[best])
                bit = rest & -rest
                stack[at + 1] = s
                stack[at + 1, best] = bit
                s[best] ^= bit
                where[at] = best
                at += 1
                fine = settle(stack[at], n, hints, summed, best, dirty, room, lines, orders, ranges)
                continue
            new = known.shape[0] == 0
            for i in range(known.shape[0]):
                new = new or s[i] != 1 << known[i]
            if new:
                if count < found.shape[0]:
                    for i in range(size):
                        found[count, i] = _SIZE[s[i] - 1]
                count += 1
                if count >= limit:
                    return count, nodes
        at -= 1
        if at < 0:
            return count, nodes
        fine = settle(stack[at], n, hints, summed, where[at], dirty, room, lines, orders, ranges)


@kernel("boolean(int32[::1], int64, int64, int64[:,::1], int64[::1], uint8[::1])")
def load(s, n, lines, clues, hints, stays):
    """The position and the hints (of the first `lines` lines) of those clues that stay; False if two contradict in one place."""
    s[:] = (1 << n) - 1
    hints[:] = 0
    for k in range(clues.shape[0]):
        if stays[k]:
            place, value = clues[k, 0], clues[k, 1]
            if place < n * n:
                s[place] &= 1 << value
                if s[place] == 0:
                    return False
            elif place < n * n + lines:
                line = place - n * n
                if hints[line] not in (0, value):
                    return False
                hints[line] = value
    return True


@kernel(
    "int64(int32[:,::1], int64, int64, int64[:,::1], uint8[::1], boolean, int64[::1], int64, int64, int8[::1], "
    "int64[::1], uint8[::1], int64[:,::1], int32[:,::1], int64[::1], int64[:,:,::1])"
)
def dig(stack, n, seen, clues, stays, summed, order, keep, budget, known, hints, dirty, room, lines, orders, ranges):
    """Leave out clues in this order (in `stays`) while `known` is the one answer, down to `keep`. Branchings, -1 if too many.

    What can be left out together can be left out one after the other, so clues are tried in blocks, each twice as long as the one
    before as long as that succeeds: the outcome is that of trying them one by one.
    """
    found = np.empty((0, n * n), dtype=np.int8)
    sure = np.empty(0, dtype=np.uint64)
    left = clues.shape[0]
    spent, at, block = 0, 0, 1
    while at < order.shape[0] and left > keep:
        block = min(block, order.shape[0] - at, left - keep)
        for k in order[at : at + block]:
            stays[k] = 0
        load(stack[0], n, seen, clues, hints, stays)
        place = clues[order[at], 0]
        if block == 1 and place < n * n:
            stack[0, place] ^= 1 << known[place]  # with this value there is no answer but the known one
        count, nodes = search(stack, n, hints, summed, 1, budget - spent, found, known, sure, dirty, room, lines, orders, ranges)
        if count < 0:
            return -1
        spent += nodes
        if count == 0:
            left -= block
            at += block
            block *= 2
            continue
        for k in order[at : at + block]:
            stays[k] = 1
        if block == 1:
            at += 1
        else:
            block //= 2
    return spent


# ---- from and to plain values -------------------------------------------------------------------------------------------


def _clues(table: SightTable) -> Any:
    """int64 [k, 2]. Raises BadRow for a table that describes no grid."""
    n = table.n
    if not 1 <= n <= MOST:
        raise BadRow(f"a grid with sight hints has 1 to {MOST} values, got {n}")
    clues = np.array(table.clues, dtype=np.int64).reshape(len(table.clues), 2)
    most = n * (n + 1) // 2 if table.summed else n
    for place, value in table.clues:
        if not (0 <= value < n if 0 <= place < n * n else n * n <= place < n * n + 4 * n + 4 and 1 <= value <= most):
            raise BadRow(
                f"a clue of a grid of {n} with hints is a cell below {n * n} with a value below {n}, or {n * n} plus a line "
                f"with a hint of 1 to {most}; got {place} with {value}"
            )
    return clues


def _lines(table: SightTable) -> int:
    """How many lines have hints that count."""
    return 4 * table.n + 4 if table.diagonals else 4 * table.n


def _room(n: int, summed: bool) -> tuple[Any, ...]:
    """Scratch space for `settle`, and its orders."""
    room = np.empty((2, max(1 << n, (n + 1) ** 2)), dtype=np.int64)
    return (np.empty(2 * n + 2, dtype=np.uint8), room, np.empty((2, n), dtype=np.int32), *_orders(n, summed))


@lru_cache(maxsize=2 * MOST)
def _orders(n: int, summed: bool) -> tuple[Any, Any]:
    """All permutations of up to 6 values by their hints; none for more values.

    A permutation is a mask: bit n*p + v says that place p holds v. Those with the hints (front, back), 0 for none, are
    orders[a:b] with a, b = ranges[front, back].
    """
    if n > LISTED:
        return np.empty(0, dtype=np.int64), np.zeros((1, 1, 2), dtype=np.int64)
    groups: dict[tuple[int, int], list[int]] = {}
    for order in permutations(range(n)):
        front, back = (sum([v + 1 if summed else 1 for v in _rising(way)]) for way in (order, order[::-1]))
        mask = sum([1 << n * p + v for p, v in enumerate(order)])
        for hints in ((front, back), (front, 0), (0, back)):
            groups.setdefault(hints, []).append(mask)
    most = n * (n + 1) // 2 + 1
    ranges = np.zeros((most, most, 2), dtype=np.int64)
    orders: list[int] = []
    for (front, back), masks in groups.items():
        ranges[front, back] = len(orders), len(orders) + len(masks)
        orders += masks
    return np.array(orders, dtype=np.int64), ranges


def _rising(order: Sequence[int]) -> list[int]:
    """The values that are above all before them."""
    return [v for p, v in enumerate(order) if v == max(order[: p + 1])]


_NONE = np.empty(0, dtype=np.int8)  # no answer is known


def _search(table: SightTable, clues: Any, limit: int, budget: int, found: Any, state: Any = SURE) -> tuple[int, int]:
    n = table.n
    stack = np.empty((n * n + 1, n * n), dtype=np.int32)
    hints = np.empty(4 * n + 4, dtype=np.int64)
    if not load(stack[0], n, _lines(table), clues, hints, np.ones(len(clues), dtype=np.uint8)):
        return 0, 0
    count, nodes = search(stack, n, hints, table.summed, limit, budget, found, _NONE, state, *_room(n, table.summed))
    return count, nodes


def answers(table: SightTable, limit: int, budget: int) -> Finding:
    """Up to `limit` different answers; `budget` bounds branchings. Raises BadRow for a table that describes no grid."""
    clues = _clues(table)
    return listed(lambda found: _search(table, clues, limit, budget, found), limit, table.n * table.n)


def minimize(table: SightTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """See kernels.minimize; `budget` bounds branchings in all."""
    clues = _clues(table)
    n = table.n
    known = np.empty((1, n * n), dtype=np.int8)
    count, nodes = _search(table, clues, 2, budget, known)
    if not is_only(count):
        return None
    stack = np.empty((n * n + 1, n * n), dtype=np.int32)
    stays = np.ones(len(clues), dtype=np.uint8)
    hints = np.empty(4 * n + 4, dtype=np.int64)
    where = np.array(order, dtype=np.int64)
    spent = dig(
        stack, n, _lines(table), clues, stays, table.summed, where, keep, budget - nodes, known[0], hints, *_room(n, table.summed)
    )
    return None if spent < 0 else tuple(np.flatnonzero(stays).tolist())


def sample(table: SightTable, rng: Rng) -> Slots | None:
    """A random answer, None if there is none. Moves `rng` on; the top of this module says how even answers are.

    Raises Discarded if it finds none and no proof that there is none.
    """
    clues = _clues(table)
    cells = table.n * table.n
    if all(place < cells for place, _ in table.clues):
        return latin.sample(LatinTable(table.n, (), table.clues), rng)
    own = rng.child("sight", rng.next64())
    few = answers(table, _EVEN + 1, 100 * _EVEN)
    if few.exhausted:
        return even(few.answers, own)
    state = state_of(own.child("search"))
    room = np.empty((1, cells), dtype=np.int8)
    what = f"a grid of {table.n} with sight hints"
    return slots(room[0]) if anew(lambda most: _search(table, clues, 1, most, room, state)[0], cells, what) else None
