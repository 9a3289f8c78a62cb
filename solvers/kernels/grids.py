"""Entities with one item of every category: each category is a permutation, clues relate items (GridTable).

An item (c, v) is number c*items + v; its domain is a bit mask of the entities that may have it, for category 0 the entity itself.
Propagation repeats, until nothing changes: naked and hidden singles within each category, and every clue whose items changed.
Then it branches on the item with the fewest entities. A node is one entity tried; 0 nodes means that propagation decides alone.

A clue becomes one line of integers: its `op`, five items, the first item of its scale, and for a comparison of two numbers the
places of the scale that each place of the first item allows the second, and the other way round. The numbers that an item may
have are the places of the scale whose entities it may be of. The lines of parts come after those of the clues; a composite names
its first part and their number, and is revised as its parts may be true or false. What a line says is checked in full as soon as
its items are settled; before that some of its consequences may be missed, and are found by branching.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import factorial
from typing import Any

import numpy as np

from puzzlemill.core.errors import Discarded
from puzzlemill.core.model import GRID_ITEMS, GRID_RELATIONS, Finding, GridTable, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels.bits import popcount
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.driver import SURE, even, is_only, listed, slots
from puzzlemill.solvers.kernels.positions import beside, inside, outside, sides
from puzzlemill.solvers.kernels.random import below, state_of

(_IS, _IS_NOT, _EITHER_OR, _NEITHER, _PAIR, _DIFFERENT, _BEFORE, _EXACTLY, _APART, _AT_LEAST, _BETWEEN) = range(11)
_BOTH, _ONE_OF, _IF, _EITHER, _ALL_BUT_ONE = range(11, len(GRID_RELATIONS))
_CATEGORIES, _ITEMS = 6, 8  # at most
_WIDTH = 4 + 2 * GRID_ITEMS  # of a table's row
_MANY, _BASE, _FORTH = 6, 7, 8  # of a line: how many items, the first item of its scale, two times 8 masks
_BACK = _FORTH + _ITEMS
_LINE = _BACK + _ITEMS
_EVEN_BELOW = 4096  # sample() draws evenly if there are fewer answers than this
_SAMPLE_NODES = 2_000_000
OUT_OF_BUDGET = -1


# ---- what lines say ------------------------------------------------------------------------------------------------------


@kernel("boolean(int64)", inlined=True)
def _single(mask):
    return mask & (mask - 1) == 0


@kernel("uint64(int64[::1], int64, int64)", inlined=True)
def _narrow(domain, x, mask):
    """Keep what is in the mask; the bit of the item if that changes it."""
    left = domain[x] & mask
    if left == domain[x]:
        return np.uint64(0)
    domain[x] = left
    return np.uint64(1) << np.uint64(x)


@kernel("uint64(int64[::1], int64, int64)", inlined=True)
def _same(domain, x, y):
    return _narrow(domain, x, domain[y]) | _narrow(domain, y, domain[x])


@kernel("uint64(int64[::1], int64, int64)", inlined=True)
def _apart(domain, x, y):
    dirty = np.uint64(0)
    if _single(domain[x]):
        dirty |= _narrow(domain, y, ~domain[x])
    if _single(domain[y]):
        dirty |= _narrow(domain, x, ~domain[y])
    return dirty


@kernel("int64(int64)", inlined=True)
def _sure(mask):
    """The mask if it is a single entity, else nothing."""
    return mask if mask & (mask - 1) == 0 else np.int64(0)


@kernel("int64(int64[::1], int64, int64, int64)")
def _reach(domain, x, base, items):
    """The places of a scale where an item may be."""
    reach = np.int64(0)
    for v in range(items):
        if domain[base + v] & domain[x]:
            reach |= np.int64(1) << v
    return reach


@kernel("uint64(int64[::1], int64, int64, int64, int64)")
def _keep(domain, x, base, places, items):
    """Let an item be at these places of a scale only."""
    union = np.int64(0)
    for v in range(items):
        if (places >> v) & 1:
            union |= domain[base + v]
    dirty = _narrow(domain, x, union)
    if _single(domain[x]):
        for v in range(items):
            if not (places >> v) & 1:
                dirty |= _narrow(domain, base + v, ~domain[x])
    return dirty


@kernel("int64(int64[::1], int64, int64, int64, boolean)")
def _image(line, first, places, items, truth):
    """The places that some of these places allow (or, if not truth, do not allow)."""
    full = (np.int64(1) << items) - 1
    image = np.int64(0)
    for v in range(items):
        if (places >> v) & 1:
            image |= line[first + v] if truth else full & ~line[first + v]
    return image


@kernel("boolean(int64[::1], int64[::1], boolean, int64)")
def _possible(domain, line, truth, items):
    """Return whether a line that is no composite may be true (or false); exact if its items and their numbers are settled."""
    op = line[0]
    x, y = domain[line[1]], domain[line[2]]
    if op in (_IS, _IS_NOT):
        if truth == (op == _IS):
            return x & y != 0
        return not (_single(x) and x == y)
    if op == _DIFFERENT:
        for i in range(1, line[_MANY] + 1):
            for j in range(1, i):
                a, b = domain[line[i]], domain[line[j]]
                if truth and _single(a) and a == b:
                    return False
                if not truth and a & b:
                    return True
        return truth
    z = domain[line[3]]
    if op == _EITHER_OR:
        if truth:
            return x & ((y & ~_sure(z)) | (z & ~_sure(y))) != 0
        return x & y & z != 0 or not (_single(x) and x in (y, z))
    if op == _NEITHER:
        if truth:
            return not (_single(x) and x in (y, z))
        return x & (y | z) != 0
    if op == _PAIR:
        w = domain[line[4]]
        if truth:
            return not (_single(x) and x == y) and ((x & z != 0 and y & w != 0) or (x & w != 0 and y & z != 0))
        return not (
            _single(x) and _single(y) and _single(z) and _single(w) and x != y and ((x == z and y == w) or (x == w and y == z))
        )
    base = line[_BASE]
    p, q = _reach(domain, line[1], base, items), _reach(domain, line[2], base, items)
    if op == _BETWEEN:
        r = _reach(domain, line[3], base, items)
        return (inside(p, q, r, items) if truth else outside(p, q, r, items)) != 0
    return _image(line, _FORTH, p, items, truth) & q != 0


@kernel("uint64(int64[::1], int64[::1], boolean, int64)")
def _revise(domain, line, truth, items):
    """Prune what would make a line, which is no composite, false (or true); an item may be left without an entity.

    Returns the bits of the items that changed.
    """
    op = line[0]
    x, y = line[1], line[2]
    dirty = np.uint64(0)
    if op in (_IS, _IS_NOT):
        return _same(domain, x, y) if truth == (op == _IS) else _apart(domain, x, y)
    if op == _DIFFERENT and truth:
        for i in range(1, line[_MANY] + 1):
            for j in range(1, i):
                dirty |= _apart(domain, line[i], line[j])
        return dirty
    if op < _BEFORE:
        z = line[3]
        if op == _EITHER_OR and truth:
            only_y, only_z = domain[y] & ~_sure(domain[z]), domain[z] & ~_sure(domain[y])
            dirty |= _narrow(domain, x, only_y | only_z)
            for one, two in ((y, z), (z, y)):
                # `one` goes with x while `two` is elsewhere, or `two` goes with x while `one` is elsewhere
                others = domain[x] & domain[two]
                elsewhere = ~others if _single(others) else np.int64(-1)
                if others == 0:
                    elsewhere = np.int64(0)
                dirty |= _narrow(domain, one, (domain[x] & ~_sure(domain[two])) | elsewhere)
            return dirty
        if (op == _NEITHER and truth) or (op == _EITHER_OR and domain[x] & domain[y] & domain[z] == 0):
            return _apart(domain, x, y) | _apart(domain, x, z)
        if op == _NEITHER:
            dirty |= _narrow(domain, x, domain[y] | domain[z])
            if domain[x] & domain[y] == 0:
                dirty |= _same(domain, x, z)
            elif domain[x] & domain[z] == 0:
                dirty |= _same(domain, x, y)
            return dirty
        if op == _PAIR and truth:
            w = line[4]
            straight = domain[x] & domain[z] != 0 and domain[y] & domain[w] != 0
            crossed = domain[x] & domain[w] != 0 and domain[y] & domain[z] != 0
            dirty |= _apart(domain, x, y) | _apart(domain, z, w)
            if straight and crossed:
                dirty |= _narrow(domain, x, domain[z] | domain[w]) | _narrow(domain, y, domain[z] | domain[w])
                return dirty | _narrow(domain, z, domain[x] | domain[y]) | _narrow(domain, w, domain[x] | domain[y])
            if crossed:
                return dirty | _same(domain, x, w) | _same(domain, y, z)
            return dirty | _same(domain, x, z) | _same(domain, y, w)
        if not _possible(domain, line, truth, items):
            dirty |= _narrow(domain, x, np.int64(0))
        return dirty
    base = line[_BASE]
    p, q = _reach(domain, x, base, items), _reach(domain, y, base, items)
    if op == _BETWEEN:
        z = line[3]
        r = _reach(domain, z, base, items)
        p = inside(p, q, r, items) if truth else outside(p, q, r, items)
        q = sides(q, p, r, items) if truth else beside(q, p, r, items)
        r = sides(r, p, q, items) if truth else beside(r, p, q, items)
        return _keep(domain, x, base, p, items) | _keep(domain, y, base, q, items) | _keep(domain, z, base, r, items)
    q &= _image(line, _FORTH, p, items, truth)
    p &= _image(line, _BACK, q, items, truth)
    return _keep(domain, x, base, p, items) | _keep(domain, y, base, q, items)


@kernel("uint64(int64[::1], int64[::1], int64, int64[:, ::1])")
def _combine(domain, line, items, lines):
    """Prune by a composite line. Returns the bits of the items that changed; one has no entity left if it cannot hold."""
    first, number = line[1], line[2]
    dirty = np.uint64(0)
    if line[0] == _BOTH:
        return _revise(domain, lines[first], True, items) | _revise(domain, lines[first + 1], True, items)
    if line[0] == _IF:
        if not _possible(domain, lines[first], False, items):
            dirty |= _revise(domain, lines[first + 1], True, items)
        elif not _possible(domain, lines[first + 1], True, items):
            dirty |= _revise(domain, lines[first], False, items)
        return dirty
    odd = line[0] != _ALL_BUT_ONE  # what exactly one part is: true, or false
    sure: Any = -1  # a part that is so whatever comes
    open_: Any = -1  # a part that may be so, and how many these are
    many = 0
    for k in range(first, first + number):
        if _possible(domain, lines[k], odd, items):
            many += 1
            open_ = k
            if sure < 0 and not _possible(domain, lines[k], not odd, items):
                sure = k
    if many == 0:
        return _narrow(domain, lines[first, 1], np.int64(0))
    if sure >= 0 or many == 1:
        one = sure if sure >= 0 else open_
        for k in range(first, first + number):
            dirty |= _revise(domain, lines[k], (k == one) == odd, items)
    return dirty


# ---- search --------------------------------------------------------------------------------------------------------------


@kernel("uint64(int64[::1], int64, int64)")
def _settle(domain, first, items):
    """Naked and hidden singles of one category, until nothing changes. The bits of what changed; all bits if it has no way."""
    full = (np.int64(1) << items) - 1
    dirty = np.uint64(0)
    again = True
    while again:
        again = False
        fixed = np.int64(0)
        once = np.int64(0)
        twice = np.int64(0)
        for i in range(first, first + items):
            mask = domain[i]
            twice |= once & mask
            once |= mask
            if _single(mask):
                if mask == 0 or fixed & mask:
                    return ~np.uint64(0)
                fixed |= mask
        if once != full:
            return ~np.uint64(0)
        only = once & ~twice
        for i in range(first, first + items):
            mask = domain[i]
            if _single(mask):
                continue
            left = mask & ~fixed
            if left & only:
                left &= only
                if left & (left - 1):
                    return ~np.uint64(0)
            if left != mask:
                if left == 0:
                    return ~np.uint64(0)
                domain[i] = left
                dirty |= np.uint64(1) << np.uint64(i)
                again = True
    return dirty


@kernel("boolean(int64[::1], uint64, int64, int64, int64[:, ::1], uint64[::1], int64[::1], int64)")
def _propagate(domain, dirty, items, categories, lines, touch, active, many):
    """Prune `domain` in place to a fixpoint; False if an item has no entity left. dirty: bits of the items that changed."""
    group = (np.uint64(1) << np.uint64(items)) - np.uint64(1)
    while dirty:
        now = dirty
        dirty = np.uint64(0)
        for c in range(categories):
            if now & (group << np.uint64(c * items)):
                changed = _settle(domain, c * items, items)
                if changed == ~np.uint64(0):
                    return False
                dirty |= changed
        now |= dirty
        for k in range(many):
            line = active[k]
            if not (now | dirty) & touch[line]:
                continue
            if lines[line, 0] >= _BOTH:
                dirty |= _combine(domain, lines[line], items, lines)
            else:
                dirty |= _revise(domain, lines[line], True, items)
    return True


@kernel("int64(int64, int64, int64[:, ::1], uint64[::1], int64[::1], int64, int64[::1], uint64[::1], int64[:, ::1], int64[::1])")
def _search(items, categories, lines, touch, active, many, avoid, state, found, nodes):
    """Find answers other than `avoid` under the first `many` lines of `active`, up to the rows of `found`.

    avoid: domains of a known answer, or empty. state: a random stream for a random order, or empty. found[k]: domains of
    answer k. nodes: [spent, budget], spent is added to. Returns how many were found, or OUT_OF_BUDGET.
    """
    every = items * categories
    stack = np.empty((every + 1, every), dtype=np.int64)
    chosen = np.empty(every + 1, dtype=np.int64)
    rest = np.empty(every + 1, dtype=np.int64)  # entities of chosen[depth] that are still to be tried
    stack[0, :] = (np.int64(1) << items) - 1
    for e in range(items):
        stack[0, e] = np.int64(1) << e
    count = 0
    all_ = (np.uint64(1) << np.uint64(every)) - np.uint64(1)
    if not _propagate(stack[0], all_, items, categories, lines, touch, active, many):
        return count
    depth = 0
    fresh = True  # the domains of this depth have not been looked at yet
    while True:
        if fresh:
            fresh = False
            best = -1
            size = np.int64(items + 1)
            ties = 0
            for i in range(items, every):
                mask = stack[depth, i]
                if _single(mask):
                    continue
                bits = popcount(mask)
                if bits < size:
                    best, size, ties = i, bits, 1
                elif bits == size and state.shape[0] > 0:
                    ties += 1
                    if below(state, ties) == 0:
                        best = i
                if size == 2 and state.shape[0] == 0:
                    break
            if best < 0:
                known = avoid.shape[0] > 0
                if known:
                    for i in range(items, every):
                        if stack[depth, i] != avoid[i]:
                            known = False
                            break
                if not known:
                    found[count, :] = stack[depth]
                    count += 1
                    if count == found.shape[0]:
                        return count
                depth -= 1
            else:
                chosen[depth] = best
                rest[depth] = stack[depth, best]
        while depth >= 0 and rest[depth] == 0:
            depth -= 1
        if depth < 0:
            return count
        if nodes[0] >= nodes[1]:
            return OUT_OF_BUDGET
        nodes[0] += 1
        item = chosen[depth]
        bit = rest[depth] & -rest[depth]
        if state.shape[0] > 0:
            skip = below(state, popcount(rest[depth]))
            mask = rest[depth]
            for _ in range(skip):
                mask &= mask - 1
            bit = mask & -mask
        rest[depth] ^= bit
        stack[depth + 1, :] = stack[depth]
        stack[depth + 1, item] = bit
        if _propagate(stack[depth + 1], np.uint64(1) << np.uint64(item), items, categories, lines, touch, active, many):
            depth += 1
            fresh = True


@kernel("boolean(int64[::1], int64[::1], int64[:, ::1], int64)")
def _holds(answer, line, lines, items):
    """Return whether one line holds for an answer given as domains of one entity each."""
    op = line[0]
    if op < _BOTH:
        return _possible(answer, line, True, items)
    first, number = line[1], line[2]
    if op == _IF:
        return not _possible(answer, lines[first], True, items) or _possible(answer, lines[first + 1], True, items)
    true = 0
    for k in range(first, first + number):
        if _possible(answer, lines[k], True, items):
            true += 1
    return true == (number - 1 if op == _ALL_BUT_ONE else 2 if op == _BOTH else 1)


@kernel("int64(int64, int64, int64[:, ::1], uint64[::1], int64[::1], int64, int64, boolean[::1])")
def _thin(items, categories, lines, touch, order, keep, budget, stays):
    """Mark in `stays` what is left when clues are left out in this order. Returns 1, 0 (not one answer), or OUT_OF_BUDGET.

    Fewer clues never have fewer answers, so a whole block may be tried at once: the outcome is the same as one by one. A second
    answer that appears without a block breaks some of its clues; the block may only go up to the last of these.
    """
    clues = stays.shape[0]
    none = np.empty(0, dtype=np.int64)
    still = np.empty(0, dtype=np.uint64)
    found = np.empty((2, items * categories), dtype=np.int64)
    other = np.empty((1, items * categories), dtype=np.int64)
    nodes = np.array([0, budget], dtype=np.int64)
    active = np.arange(clues)
    stays[:] = True
    status = _search(items, categories, lines, touch, active, clues, none, still, found, nodes)
    if status != 1:
        return min(status, 0)
    left = clues
    at = 0  # order[:at] is decided
    block = order.shape[0] // 2
    while at < order.shape[0] and left > keep:
        block = max(1, min(block, order.shape[0] - at, left - keep))
        good = 0  # this many from `at` can be left out
        bad = block + 1  # this many cannot
        size = block
        while good + 1 < bad:
            for k in range(at, at + size):
                stays[order[k]] = False
            many = 0
            for i in range(clues):
                if stays[i]:
                    active[many] = i
                    many += 1
            nodes[0] = 0
            status = _search(items, categories, lines, touch, active, many, found[0], still, other, nodes)
            for k in range(at, at + size):
                stays[order[k]] = True
            if status < 0:
                return status
            if status == 0:
                good = size
            else:
                last = at + size - 1
                while last > at and _holds(other[0], lines[order[last]], lines, items):
                    last -= 1
                bad = last - at + 1
            size = (good + bad) // 2
        for k in range(at, at + good):
            stays[order[k]] = False
        left -= good
        at += good
        if bad <= block:
            at += 1  # order[at] is needed
            block = 2
        else:
            block = 2 * block
    return 1


# ---- tables --------------------------------------------------------------------------------------------------------------


@kernel("void(int64[:, ::1], int64, int64[:, ::1], int64[:, ::1], uint64[::1])")
def _write_lines(rows, items, scales, lines, touch):
    """Rows of a table as lines, and the bits of the items that each is about. scales: category and numbers of each."""
    scale = (np.uint64(1) << np.uint64(items)) - np.uint64(1)
    for i in range(rows.shape[0]):
        op = rows[i, 0]
        lines[i, 0] = op
        if op >= _BOTH:
            lines[i, 1], lines[i, 2] = rows[i, 2], rows[i, 1]
            continue
        lines[i, _MANY] = rows[i, 1]
        for k in range(rows[i, 1]):
            lines[i, 1 + k] = rows[i, 2 + 2 * k] * items + rows[i, 3 + 2 * k]
            touch[i] |= np.uint64(1) << np.uint64(lines[i, 1 + k])
        if op < _BEFORE:
            continue
        s, d = rows[i, _WIDTH - 2], rows[i, _WIDTH - 1]
        lines[i, _BASE] = scales[s, 0] * items
        touch[i] |= scale << np.uint64(lines[i, _BASE])
        for p in range(items):
            for q in range(items):
                gap = scales[s, 1 + q] - scales[s, 1 + p]
                if (
                    (op == _BEFORE and gap > 0)
                    or (op == _EXACTLY and gap == d)
                    or (op == _APART and (gap == d or gap == -d))
                    or (op == _AT_LEAST and gap >= d)
                ):
                    lines[i, _FORTH + p] |= np.int64(1) << q
                    lines[i, _BACK + q] |= np.int64(1) << p
    for i in range(rows.shape[0]):
        if lines[i, 0] >= _BOTH:
            for k in range(lines[i, 1], lines[i, 1] + lines[i, 2]):
                touch[i] |= touch[k]


_LEAST = (2, 2, 3, 3, 4, 3, 2, 2, 2, 2, 3)  # items of each relation
_MOST = (2, 2, 3, 3, 4, 5, 2, 2, 2, 2, 3)


def _translated(table: GridTable) -> tuple[Any, Any]:
    """The table's clues and then its parts as lines, and the items that each is about.

    Anything out of range is a ValueError, since kernels check nothing.
    """
    n, m = table.items, table.categories
    if not (2 <= n <= _ITEMS and 2 <= m <= _CATEGORIES):
        raise ValueError(f"a GridTable has 2 to {_CATEGORIES} categories of 2 to {_ITEMS} items, got {m} of {n}")
    for category, numbers in table.scales:
        rising = all(a < b for a, b in zip(numbers, numbers[1:], strict=False))
        if not 0 <= category < m or len(numbers) != n or not rising or not 0 <= numbers[0] <= numbers[-1] < 1 << 40:
            raise ValueError(f"a scale of a GridTable is a category and {n} rising numbers, got {category} and {numbers}")
    scales = np.array([(category, *numbers) for category, numbers in table.scales] or [(0,) * (n + 1)], dtype=np.int64)
    flat = np.fromiter(chain.from_iterable(chain(table.clues, table.parts)), dtype=np.int64)
    many, parts = len(table.clues), len(table.parts)
    if flat.size != _WIDTH * (many + parts):
        raise ValueError(f"a clue of a GridTable has {_WIDTH} integers")
    rows = flat.reshape(many + parts, _WIDTH)
    plain = np.ones(many + parts, dtype=np.bool_)
    plain[:many] = (rows[:many, 0] < _BOTH) | (rows[:many, 0] > _ALL_BUT_ONE)
    top = np.array([_BOTH, GRID_ITEMS + 1, *[m, n] * GRID_ITEMS, max(1, len(table.scales)), 1 << 40])
    here = rows[plain]
    if here.size:
        right = bool((here >= 0).all() and (here < top).all())
        if right:
            codes, counts = here[:, 0], here[:, 1]
            right = bool(((counts >= np.array(_LEAST)[codes]) & (counts <= np.array(_MOST)[codes])).all())
            right = right and (len(table.scales) > 0 or bool((codes < _BEFORE).all()))
        if not right:
            raise ValueError(f"a clue of a GridTable is out of range for {m} categories of {n} items")
    for i in np.flatnonzero(~plain).tolist():
        code, number, first = rows[i, :3].tolist()
        few = number < 2 if code == _ALL_BUT_ONE else number != (3 if code == _ONE_OF else 2)
        if rows[i, 3:].any() or few or not 0 <= first <= parts - number:
            raise ValueError(f"clue {i} of a GridTable is no {GRID_RELATIONS[code]} of {parts} parts, got {rows[i].tolist()}")
        rows[i, 2] += many
    lines = np.zeros((many + parts, _LINE), dtype=np.int64)
    touch = np.zeros(many + parts, dtype=np.uint64)
    _write_lines(rows, n, scales, lines, touch)
    return lines, touch


def _values(found: Any, items: int) -> Any:
    """Answers [k, items of all categories] as domains of one entity each, as the item of each entity, by slot."""
    own = found[:, items:]
    return own.reshape(len(found), own.shape[1] // items, items).argsort(axis=2).reshape(own.shape)


_NONE = np.empty(0, dtype=np.int64)


def answers(table: GridTable, limit: int, budget: int) -> Finding:
    """See kernels.answers; at most `budget` entities are tried."""
    n, m = table.items, table.categories
    lines, touch = _translated(table)
    active = np.arange(len(table.clues))

    def search(found: Any) -> tuple[int, int]:
        nodes = np.array([0, budget], dtype=np.int64)
        found[:, n] = 0  # rows are filled in turn: one without a first item holds no answer when the budget is spent
        status = _search(n, m, lines, touch, active, len(active), _NONE, SURE, found, nodes)
        return -1 - int(np.count_nonzero(found[:, n])) if status == OUT_OF_BUDGET else status, int(nodes[0])

    return listed(search, min(limit, factorial(n) ** (m - 1) + 1), n * m, np.int64, lambda found: _values(found, n))


def minimize(table: GridTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """See kernels.minimize; `budget` bounds each proof."""
    lines, touch = _translated(table)
    stays = np.ones(len(table.clues), dtype=np.bool_)
    status = _thin(table.items, table.categories, lines, touch, np.array(order, dtype=np.int64), keep, budget, stays)
    return slots(np.flatnonzero(stays)) if is_only(status) else None


def sample(table: GridTable, rng: Rng) -> Slots | None:
    """A random answer: an even draw where there are fewer than 4,096, else the end of a random dive. None if there is none."""
    first = answers(table, _EVEN_BELOW, _SAMPLE_NODES)
    if first.exhausted:
        return even(first.answers, rng)
    n, m = table.items, table.categories
    lines, touch = _translated(table)
    found = np.empty((1, n * m), dtype=np.int64)
    nodes = np.array([0, _SAMPLE_NODES], dtype=np.int64)
    state = state_of(rng.child("grids"))
    if _search(n, m, lines, touch, np.arange(len(table.clues)), len(table.clues), _NONE, state, found, nodes) != 1:
        raise Discarded("budget", f"no answer within {_SAMPLE_NODES} nodes")
    return slots(_values(found, n)[0])
