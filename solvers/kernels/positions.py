"""Items on positions: every attribute is a permutation, clues relate items (PositionTable).

An item (a, v) is number a*positions + v; its domain is a bit mask of the positions where it may stand. Propagation repeats, until
nothing changes: naked and hidden singles within each attribute, and full arc consistency of every clue. Then it branches on the
item with the fewest positions. A node is one position tried; 0 nodes means that propagation alone decides the puzzle.

A clue becomes one line of six integers, by its `op`:
    UNARY    (op, X, mask)         X stands within the mask
    BINARY   (op, X, Y, f, b)      a mask of X allows Y the mask image[f, mask]; a mask of Y allows X image[b, mask]
    BETWEEN  (op, X, Y, Z)         X stands between Y and Z
    ONE_OF   (op, f, number)       exactly one of the lines f, f+1, ... f+number-1 is true; EITHER is a ONE_OF of two
    IF       (op, f, 2)            line f is false or line f+1 is true
The lines of parts come after those of the clues and are never active themselves. The domains show that a part is true, that
it is false, or neither: it may be true (false) while some positions of its items make it so. What the parts whose value is known
leave for the others, these are revised by, as true or as false. That a part is true or false in general is not looked at: parts
that contradict each other are found by branching.

An image has one entry per mask, 2**positions of them, so positions <= 8; then 64 items at most fit the bits of one word.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from math import factorial
from typing import Any

import numpy as np

from puzzlemill.core.errors import Discarded
from puzzlemill.core.model import RELATIONS, Finding, PositionTable, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.driver import SURE, even, is_only, listed, slots
from puzzlemill.solvers.kernels.random import below, state_of

UNARY, BINARY, BETWEEN, ONE_OF, IF = range(5)
_AT, _NOT_AT, _END, _SAME, _NOT_SAME, _NEXT, _JUST_LEFT, _LEFT, _APART, _BETWEEN = range(10)
_FAR, _ONE_OF, _IF, _EITHER, _NOT_END, _UP_TO, _FROM, _AHEAD = range(10, len(RELATIONS))
_MAX = 8  # positions and attributes
# rows of the table of images: a relation's own code; above all codes the other directions and a row per distance, exact or least;
# and all of these once more for the relation's opposite
_BEFORE, _JUST_RIGHT, _RIGHT, _DISTANCE, _AT_LEAST, _AFTER, _OPPOSITE = 24, 32, 33, 40, 48, 56, 64
_EVEN_BELOW = 4096  # sample() draws evenly if there are fewer answers than this
_SAMPLE_NODES = 2_000_000
OUT_OF_BUDGET = -1


def _allowed(relation: int, d: int, positions: int, x: int) -> int:
    """Mask of the positions y that stand in this relation to position x."""
    mask = 0
    for y in range(positions):
        if (
            (relation == _SAME and y == x)
            or (relation == _NOT_SAME and y != x)
            or (relation == _NEXT and (y == x + 1 or y == x - 1))
            or (relation == _JUST_LEFT and y == x + 1)
            or (relation == _JUST_RIGHT and y == x - 1)
            or (relation == _LEFT and y > x)
            or (relation == _RIGHT and y < x)
            or (relation == _APART and (y - x == d or x - y == d))
            or (relation == _FAR and (y - x >= d or x - y >= d))
            or (relation == _AHEAD and y - x == d)
            or (relation == _AFTER and x - y == d)
        ):
            mask |= 1 << y
    return mask


def _row(relation: int, d: int) -> int:
    """The row of `_images` that belongs to a relation."""
    above = {_APART: _DISTANCE, _FAR: _AT_LEAST, _AHEAD: _BEFORE, _AFTER: _AFTER}
    return above[relation] + d if relation in above else relation


@cache
def _images(positions: int) -> Any:
    """image[row, mask]: where Y may stand if X stands somewhere in the mask. int64 [rows, 2**positions]."""
    image = np.zeros((2 * _OPPOSITE, 1 << positions), dtype=np.int64)
    kinds = [(relation, 0) for relation in (_SAME, _NOT_SAME, _NEXT, _JUST_LEFT, _JUST_RIGHT, _LEFT, _RIGHT)]
    full = (1 << positions) - 1
    for relation, d in kinds + [(relation, d) for relation in (_APART, _FAR, _AHEAD, _AFTER) for d in range(positions)]:
        row = _row(relation, d)
        allowed = [_allowed(relation, d, positions, x) for x in range(positions)]
        for mask in range(1, 1 << positions):
            low = mask & -mask
            x = low.bit_length() - 1
            image[row, mask] = image[row, mask ^ low] | allowed[x]
            image[row + _OPPOSITE, mask] = image[row + _OPPOSITE, mask ^ low] | (full & ~allowed[x])
    return image


@kernel("int64[:, ::1](int64[:, ::1], int64)")
def _lines(clues, positions):
    """Rows of a table, int64 [rows, 8], as lines, int64 [rows, 6]. The codes are constants of the compiled function.

    A composite's first part is given as a number of a row here.
    """
    lines = np.zeros((clues.shape[0], 6), dtype=np.int64)
    for i in range(clues.shape[0]):
        code, d = clues[i, 0], clues[i, 7]
        x = clues[i, 1] * positions + clues[i, 2]
        y = clues[i, 3] * positions + clues[i, 4]
        z = clues[i, 5] * positions + clues[i, 6]
        full = (np.int64(1) << positions) - 1
        lines[i, 1] = x
        if code in (_ONE_OF, _IF, _EITHER):
            lines[i, 0] = IF if code == _IF else ONE_OF
            lines[i, 1] = clues[i, 1]
            lines[i, 2] = clues[i, 2]
        elif code in (_AT, _NOT_AT, _END, _NOT_END, _UP_TO, _FROM):
            lines[i, 0] = UNARY
            if code == _AT:
                lines[i, 2] = np.int64(1) << d
            elif code == _NOT_AT:
                lines[i, 2] = full & ~(np.int64(1) << d)
            elif code == _NOT_END:
                lines[i, 2] = full & ~(np.int64(1) | (np.int64(1) << (positions - 1)))
            elif code == _UP_TO:
                lines[i, 2] = (np.int64(2) << d) - 1
            elif code == _FROM:
                lines[i, 2] = full & ~((np.int64(1) << d) - 1)
            else:
                lines[i, 2] = np.int64(1) | (np.int64(1) << (positions - 1))
        elif code == _BETWEEN:
            lines[i, 0] = BETWEEN
            lines[i, 2] = y
            lines[i, 3] = z
        else:
            lines[i, 0] = BINARY
            lines[i, 2] = y
            lines[i, 3] = code
            lines[i, 4] = code
            if code == _JUST_LEFT:
                lines[i, 4] = _JUST_RIGHT
            elif code == _LEFT:
                lines[i, 4] = _RIGHT
            elif code == _APART:
                lines[i, 3] = _DISTANCE + d
                lines[i, 4] = _DISTANCE + d
            elif code == _FAR:
                lines[i, 3] = _AT_LEAST + d
                lines[i, 4] = _AT_LEAST + d
            elif code == _AHEAD:
                lines[i, 3] = _BEFORE + d
                lines[i, 4] = _AFTER + d
    return lines


@kernel("int64(int64)")
def _count(mask):
    bits = 0
    while mask:
        mask &= mask - 1
        bits += 1
    return bits


@kernel("int64(int64, int64, int64, int64)")
def sides(own, middle, other, positions):
    """Positions of `own` on one side of some position of `middle` that has a position of `other` on its far side."""
    kept = np.int64(0)
    reach = np.int64(0)  # positions below some usable middle, seen from above
    seen = False
    for p in range(positions - 1, -1, -1):
        if reach:
            kept |= own & (np.int64(1) << p)
        if (middle >> p) & 1 and seen:
            reach = np.int64(1)
        if (other >> p) & 1:
            seen = True
    reach = np.int64(0)
    seen = False
    for p in range(positions):
        if reach:
            kept |= own & (np.int64(1) << p)
        if (middle >> p) & 1 and seen:
            reach = np.int64(1)
        if (other >> p) & 1:
            seen = True
    return kept


@kernel("int64(int64, int64, int64, int64)")
def inside(own, one, two, positions):
    """Positions of `own` with a position of `one` on one side and a position of `two` on the other."""
    kept = np.int64(0)
    for p in range(positions):
        bit = np.int64(1) << p
        under = bit - 1
        over = ~(under | bit)
        if own & bit and ((one & under and two & over) or (two & under and one & over)):
            kept |= bit
    return kept


@kernel("int64(int64, int64, int64, int64)")
def outside(own, one, two, positions):
    """Positions of `own` that do not stand between some position of `one` and some position of `two`."""
    kept = np.int64(0)
    for p in range(positions):
        bit = np.int64(1) << p
        upto = bit | (bit - 1)
        since = ~(bit - 1)
        if own & bit and ((one & upto and two & upto) or (one & since and two & since)):
            kept |= bit
    return kept


@kernel("int64(int64, int64, int64, int64)")
def beside(own, middle, other, positions):
    """Positions of `own` for which some position of `middle` does not stand between them and some position of `other`."""
    kept = np.int64(0)
    for q in range(positions):
        if not (own >> q) & 1:
            continue
        for p in range(positions):
            bit = np.int64(1) << p
            if middle & bit and ((q <= p and other & (bit | (bit - 1))) or (q >= p and other & ~(bit - 1))):
                kept |= np.int64(1) << q
                break
    return kept


@kernel("boolean(int64[::1], int64[::1], boolean, int64, int64[:, ::1])")
def _possible(domain, line, truth, positions, image):
    """Return whether some positions of its items make this line, which is no composite, true (or false)."""
    x = domain[line[1]]
    if line[0] == UNARY:
        return (x & line[2] if truth else x & ~line[2]) != 0
    y = domain[line[2]]
    if line[0] == BINARY:
        return y & image[line[3] if truth else line[3] + _OPPOSITE, x] != 0
    z = domain[line[3]]
    return (inside(x, y, z, positions) if truth else outside(x, y, z, positions)) != 0


@kernel("uint64(int64[::1], int64[::1], boolean, int64, int64[:, ::1])")
def _revise(domain, line, truth, positions, image):
    """Prune what would make this line, which is no composite, false (or true); an item may be left without a position.

    Returns the bits of the items that changed.
    """
    x, y, z = line[1], line[2], line[3]
    dirty = np.uint64(0)
    one = np.uint64(1)
    if line[0] == UNARY:
        left = domain[x] & line[2] if truth else domain[x] & ~line[2]
        if left != domain[x]:
            domain[x] = left
            dirty |= one << np.uint64(x)
        return dirty
    if line[0] == BINARY:
        more = 0 if truth else _OPPOSITE
        left = domain[y] & image[line[3] + more, domain[x]]
        if left != domain[y]:
            domain[y] = left
            dirty |= one << np.uint64(y)
        left = domain[x] & image[line[4] + more, domain[y]]
        if left != domain[x]:
            domain[x] = left
            dirty |= one << np.uint64(x)
        return dirty
    if truth:
        left = inside(domain[x], domain[y], domain[z], positions)
    else:
        left = outside(domain[x], domain[y], domain[z], positions)
    if left != domain[x]:
        domain[x] = left
        dirty |= one << np.uint64(x)
    if truth:
        left = sides(domain[y], domain[x], domain[z], positions)
    else:
        left = beside(domain[y], domain[x], domain[z], positions)
    if left != domain[y]:
        domain[y] = left
        dirty |= one << np.uint64(y)
    if truth:
        left = sides(domain[z], domain[x], domain[y], positions)
    else:
        left = beside(domain[z], domain[x], domain[y], positions)
    if left != domain[z]:
        domain[z] = left
        dirty |= one << np.uint64(z)
    return dirty


@kernel("uint64(int64[::1], int64[::1], int64, int64[:, ::1], int64[:, ::1])")
def _combine(domain, line, positions, lines, image):
    """Prune by a composite line. Returns the bits of the items that changed; one has no position left if it cannot hold."""
    first, number = line[1], line[2]
    dirty = np.uint64(0)
    if line[0] == IF:
        if not _possible(domain, lines[first], False, positions, image):
            dirty |= _revise(domain, lines[first + 1], True, positions, image)
        elif not _possible(domain, lines[first + 1], True, positions, image):
            dirty |= _revise(domain, lines[first], False, positions, image)
        return dirty
    sure: Any = -1  # a part that is true whatever comes
    open_: Any = -1  # a part that may be true, and how many these are
    many = 0
    for k in range(first, first + number):
        if _possible(domain, lines[k], True, positions, image):
            many += 1
            open_ = k
            if sure < 0 and not _possible(domain, lines[k], False, positions, image):
                sure = k
    if many == 0:
        x = lines[first, 1]
        domain[x] = 0
        return np.uint64(1) << np.uint64(x)
    if sure >= 0 or many == 1:
        true = sure if sure >= 0 else open_
        for k in range(first, first + number):
            dirty |= _revise(domain, lines[k], k == true, positions, image)
    return dirty


@kernel("boolean(int64[::1], uint64, int64, int64, int64[:, ::1], int64[::1], int64, int64[:, ::1])")
def _propagate(domain, dirty, positions, attributes, lines, active, many, image):
    """Prune `domain` in place to a fixpoint; False if an item has no position left. dirty: bits of the items that changed."""
    full = (np.int64(1) << positions) - 1
    group = (np.uint64(1) << np.uint64(positions)) - np.uint64(1)
    one = np.uint64(1)
    while dirty:
        now = dirty
        dirty = np.uint64(0)
        for a in range(attributes):
            if not now & (group << np.uint64(a * positions)):
                continue
            first = a * positions
            again = True
            while again:
                again = False
                fixed = np.int64(0)
                once = np.int64(0)
                twice = np.int64(0)
                for i in range(first, first + positions):
                    mask = domain[i]
                    twice |= once & mask
                    once |= mask
                    if mask & (mask - 1) == 0:
                        if mask == 0 or fixed & mask:
                            return False
                        fixed |= mask
                if once != full:
                    return False
                only = once & ~twice
                for i in range(first, first + positions):
                    mask = domain[i]
                    if mask & (mask - 1) == 0:
                        continue
                    left = mask & ~fixed
                    alone = left & only
                    if alone:
                        left = alone
                        if left & (left - 1):
                            return False
                    if left != mask:
                        if left == 0:
                            return False
                        domain[i] = left
                        dirty |= one << np.uint64(i)
                        again = True
        now |= dirty
        for k in range(many):
            line = active[k]
            op = lines[line, 0]
            x = lines[line, 1]
            if op >= ONE_OF:
                dirty |= _combine(domain, lines[line], positions, lines, image)
                continue
            if op == UNARY:
                left = domain[x] & lines[line, 2]
                if left != domain[x]:
                    if left == 0:
                        return False
                    domain[x] = left
                    dirty |= one << np.uint64(x)
                continue
            y = lines[line, 2]
            if op == BINARY:
                touched = (one << np.uint64(x)) | (one << np.uint64(y))
                if not (now | dirty) & touched:
                    continue
                left = domain[y] & image[lines[line, 3], domain[x]]
                if left != domain[y]:
                    if left == 0:
                        return False
                    domain[y] = left
                    dirty |= one << np.uint64(y)
                left = domain[x] & image[lines[line, 4], domain[y]]
                if left != domain[x]:
                    if left == 0:
                        return False
                    domain[x] = left
                    dirty |= one << np.uint64(x)
                continue
            z = lines[line, 3]
            touched = (one << np.uint64(x)) | (one << np.uint64(y)) | (one << np.uint64(z))
            if not (now | dirty) & touched:
                continue
            # one after the other, each from what the last one left: a clue may name an item twice
            left = inside(domain[x], domain[y], domain[z], positions)
            if left != domain[x]:
                domain[x] = left
                dirty |= one << np.uint64(x)
            left = sides(domain[y], domain[x], domain[z], positions)
            if left != domain[y]:
                domain[y] = left
                dirty |= one << np.uint64(y)
            left = sides(domain[z], domain[x], domain[y], positions)
            if left != domain[z]:
                domain[z] = left
                dirty |= one << np.uint64(z)
            if domain[x] == 0 or domain[y] == 0 or domain[z] == 0:
                return False
    return True


@kernel(
    "int64(int64, int64, int64[:, ::1], int64[::1], int64, int64[:, ::1], int64[::1], uint64[::1], int64[:, ::1], int64[::1])"
)
def _search(positions, attributes, lines, active, many, image, avoid, state, found, nodes):
    """Find answers other than `avoid` under the first `many` lines of `active`, up to the rows of `found`.

    avoid: domains of a known answer, or empty. state: a random stream for a random order, or empty. found[k]: domains of
    answer k. nodes: [spent, budget], spent is added to. Returns how many were found, or OUT_OF_BUDGET.
    """
    items = positions * attributes
    stack = np.empty((items + 1, items), dtype=np.int64)
    chosen = np.empty(items + 1, dtype=np.int64)
    rest = np.empty(items + 1, dtype=np.int64)  # positions of chosen[depth] that are still to be tried
    full = (np.int64(1) << positions) - 1
    stack[0, :] = full
    every = ~np.uint64(0)
    if items < 64:
        every = (np.uint64(1) << np.uint64(items)) - np.uint64(1)
    count = 0
    if not _propagate(stack[0], every, positions, attributes, lines, active, many, image):
        return count
    depth = 0
    fresh = True  # the domains of this depth have not been looked at yet
    while True:
        if fresh:
            fresh = False
            best = -1
            size = np.int64(positions + 1)
            ties = 0
            for i in range(items):
                mask = stack[depth, i]
                if mask & (mask - 1) == 0:
                    continue
                bits = _count(mask)
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
                    for i in range(items):
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
            skip = below(state, _count(rest[depth]))
            mask = rest[depth]
            for _ in range(skip):
                mask &= mask - 1
            bit = mask & -mask
        rest[depth] ^= bit
        stack[depth + 1, :] = stack[depth]
        stack[depth + 1, item] = bit
        if _propagate(stack[depth + 1], np.uint64(1) << np.uint64(item), positions, attributes, lines, active, many, image):
            depth += 1
            fresh = True


@kernel("boolean(int64[::1], int64[::1], int64[:, ::1])")
def _part_holds(answer, line, image):
    """Return whether one line that is no composite holds for an answer given as domains of one position each."""
    x = answer[line[1]]
    if line[0] == UNARY:
        return x & line[2] != 0
    y = answer[line[2]]
    if line[0] == BINARY:
        return y & image[line[3], x] != 0
    z = answer[line[3]]
    return (y < x and x < z) or (z < x and x < y)


@kernel("boolean(int64[::1], int64[::1], int64[:, ::1], int64[:, ::1])")
def _holds(answer, line, lines, image):
    """Return whether one line holds for an answer given as domains of one position each."""
    if line[0] < ONE_OF:
        return _part_holds(answer, line, image)
    first = line[1]
    if line[0] == IF:
        return not _part_holds(answer, lines[first], image) or _part_holds(answer, lines[first + 1], image)
    true = 0
    for k in range(first, first + line[2]):
        if _part_holds(answer, lines[k], image):
            true += 1
    return true == 1


@kernel("int64(int64, int64, int64[:, ::1], int64[:, ::1], int64[::1], int64, int64, boolean[::1])")
def _thin(positions, attributes, lines, image, order, keep, budget, stays):
    """Mark in `stays` what is left when clues are left out in this order. Returns 1, 0 (not one answer), or OUT_OF_BUDGET.

    Fewer clues never have fewer answers, so a whole block may be tried at once: the outcome is the same as one by one. A second
    answer that appears without a block breaks some of its clues; the block may only go up to the last of these.
    """
    clues = stays.shape[0]
    items = positions * attributes
    none = np.empty(0, dtype=np.int64)
    still = np.empty(0, dtype=np.uint64)
    found = np.empty((2, items), dtype=np.int64)
    other = np.empty((1, items), dtype=np.int64)
    nodes = np.array([0, budget], dtype=np.int64)
    active = np.arange(clues)
    stays[:] = True
    status = _search(positions, attributes, lines, active, clues, image, none, still, found, nodes)
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
            status = _search(positions, attributes, lines, active, many, image, found[0], still, other, nodes)
            for k in range(at, at + size):
                stays[order[k]] = True
            if status < 0:
                return status
            if status == 0:
                good = size
            else:
                last = at + size - 1
                while last > at and _holds(other[0], lines[order[last]], lines, image):
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


def _translated(table: PositionTable) -> Any:
    """The table's clues and then its parts as lines, int64 [clues + parts, 6].

    Anything out of range is a ValueError, since kernels check nothing.
    """
    n, m = table.positions, table.attributes
    if not (2 <= n <= _MAX and 1 <= m <= _MAX):
        raise ValueError(f"a PositionTable has 2 to {_MAX} positions and 1 to {_MAX} attributes, got {n} and {m}")
    flat = np.fromiter(chain.from_iterable(chain(table.clues, table.parts)), dtype=np.int64)
    many, parts = len(table.clues), len(table.parts)
    if flat.size != 8 * (many + parts):
        raise ValueError("a clue of a PositionTable has 8 integers")
    rows = flat.reshape(many + parts, 8)
    plain = np.ones(many + parts, dtype=np.bool_)
    composite = (rows[:, 0] >= _ONE_OF) & (rows[:, 0] <= _EITHER)
    plain[:many] = ~composite[:many]
    top = np.array([len(RELATIONS), m, n, m, n, m, n, n])
    if rows.size and (not ((rows[plain] >= 0) & (rows[plain] < top)).all() or composite[many:].any()):
        raise ValueError(f"a clue of a PositionTable is out of range for {m} attributes of {n} positions")
    for i in np.flatnonzero(~plain).tolist():
        code, first, number = rows[i, :3].tolist()
        if rows[i, 3:].any() or number != (3 if code == _ONE_OF else 2) or not 0 <= first <= parts - number:
            raise ValueError(f"clue {i} of a PositionTable is no {RELATIONS[code]} of {parts} parts, got {rows[i].tolist()}")
        rows[i, 1] += many
    return _lines(rows, n)


def _values(found: Any, positions: int) -> Any:
    """Answers [k, items] as domains of one position each, as the values at each position, by slot."""
    return found.reshape(len(found), found.shape[1] // positions, positions).argsort(axis=2).reshape(found.shape)


_NONE = np.empty(0, dtype=np.int64)


def answers(table: PositionTable, limit: int, budget: int) -> Finding:
    """See kernels.answers; at most `budget` positions are tried."""
    n, m = table.positions, table.attributes
    lines = _translated(table)
    active = np.arange(len(table.clues))

    def search(found: Any) -> tuple[int, int]:
        nodes = np.array([0, budget], dtype=np.int64)
        found[:, 0] = 0  # rows are filled in turn: one that begins with 0 holds none when the budget is spent
        status = _search(n, m, lines, active, len(active), _images(n), _NONE, SURE, found, nodes)
        return -1 - int(np.count_nonzero(found[:, 0])) if status == OUT_OF_BUDGET else status, int(nodes[0])

    return listed(search, min(limit, factorial(n) ** m + 1), n * m, np.int64, lambda found: _values(found, n))


def minimize(table: PositionTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """See kernels.minimize; `budget` bounds each proof."""
    lines = _translated(table)
    stays = np.ones(len(table.clues), dtype=np.bool_)
    n, m = table.positions, table.attributes
    status = _thin(n, m, lines, _images(n), np.array(order, dtype=np.int64), keep, budget, stays)
    return slots(np.flatnonzero(stays)) if is_only(status) else None


def sample(table: PositionTable, rng: Rng) -> Slots | None:
    """A random answer: an even draw where there are fewer than 4,096, else the end of a random dive. None if there is none."""
    first = answers(table, _EVEN_BELOW, _SAMPLE_NODES)
    if first.exhausted:
        return even(first.answers, rng)
    n, m = table.positions, table.attributes
    lines = _translated(table)
    found = np.empty((1, n * m), dtype=np.int64)
    nodes = np.array([0, _SAMPLE_NODES], dtype=np.int64)
    state = state_of(rng.child("positions"))
    if _search(n, m, lines, np.arange(len(table.clues)), len(table.clues), _images(n), _NONE, state, found, nodes) != 1:
        raise Discarded("budget", f"no answer within {_SAMPLE_NODES} nodes")
    return slots(_values(found, n)[0])
