"""Binary lines: balanced rows and columns without three equal cells in a run, optionally all rows and all columns different, and
extra constraints on groups of cells.

A position is an int64 array [2, rows + columns + 1] of bit masks: position[v, l] has bit i set when cell i of line l is known to
hold v. Lines 0..rows-1 are the rows from the top, the next ones the columns from the left; every known cell stands in both of its
lines. The last entries are the search's own and the mask of the extra constraints in force.

A line is narrowed to what all of its *fitting patterns* agree on: the balanced patterns without a run of three that agree with
its known cells and, under `distinct`, differ from every complete line of the same direction. They are never listed (see
`patterns`). An extra constraint sets what its bounds leave no choice in (a pair with one known cell, a count that is reached, the
first places of the greater of two lines); lines and constraints take turns. Finding.nodes counts the cells a search guessed; 0
means that narrowing lines and extra constraints one at a time decides the table.

The search guesses in lines that failed often ("dom/wdeg", Boussemart et al., ECAI 2004), which is what makes 20x20 possible: with
the shortest line first, one minimal 20x20 puzzle took over 10,000,000 guesses; so it takes about 1,000.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadRow, Discarded
from puzzlemill.core.model import GROUP_RELATIONS, Finding, LinesTable, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels.bits import popcount
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.driver import anew, cells_of, even, grid_of, is_only, pairs, slots
from puzzlemill.solvers.kernels.patterns import MOST, fit, fit_but
from puzzlemill.solvers.kernels.random import below, next64, state_of

EXTRAS = 60  # extra constraints of one table: their masks are of one word
# The book of a table's extra constraints: row 0 holds for every line the mask of those that speak of it; row 1 + e is constraint
# e: code, k, size of group A, number of cells, mask of its lines, cells.
_HEAD = 5
_EQUAL, _OPPOSITE, _UNEQUAL, _COUNT, _PARITY, _MORE, _GREATER = range(len(GROUP_RELATIONS))


@kernel("int64(int64[:,::1], int64, int64)")
def _value(at, cols, cell):
    """The known value of a cell, -1 if it is open."""
    r, c = cell // cols, cell % cols
    if at[1, r] >> c & 1:
        return 1
    return 0 if at[0, r] >> c & 1 else -1


@kernel("int64(int64[:,::1], int64, int64, int64, int64)")
def _know(at, rows, cols, cell, value):
    """Write down that a cell holds a value, in both of its lines. Returns the mask of the two lines."""
    r, c = cell // cols, cell % cols
    at[value, r] |= 1 << c
    at[value, rows + c] |= 1 << r
    return 1 << r | 1 << (rows + c)


@kernel("int64(int64[:,::1], int64, int64, int64[::1], int64, int64, int64)")
def _settle(at, rows, cols, fact, first, last, value):
    """Give the open cells among cells first..last-1 of a constraint this value. Returns the mask of their lines."""
    touched = 0
    for i in range(_HEAD + first, _HEAD + last):
        if _value(at, cols, fact[i]) < 0:
            touched |= _know(at, rows, cols, fact[i], value)
    return touched


@kernel("int64(int64[:,::1], int64, int64, int64[::1])")
def _greater(at, rows, cols, fact):
    """_apply for "greater": from the first place on, A holds no less than B, until it holds more."""
    size = fact[2]
    touched = 0
    for i in range(_HEAD, _HEAD + size):
        a, b = _value(at, cols, fact[i]), _value(at, cols, fact[i + size])
        if a == 0 and b == 1:
            return -1
        if a == 1 and b == 0:
            return touched
        if a == 0 or b == 1:  # the other one is the same, and a later place decides
            if b < 0:
                touched |= _know(at, rows, cols, fact[i + size], 0)
            if a < 0:
                touched |= _know(at, rows, cols, fact[i], 1)
            continue
        if a == b == 1:
            continue
        for j in range(i + 1, _HEAD + size):
            most, least = _value(at, cols, fact[j]) != 0, _value(at, cols, fact[j + size]) == 1
            if most and not least:
                return touched  # a later place may decide
            if least and not most:
                break
        if a < 0:
            touched |= _know(at, rows, cols, fact[i], 1)
        if b < 0:
            touched |= _know(at, rows, cols, fact[i + size], 0)
        return touched
    return -1


@kernel("int64(int64[:,::1], int64, int64, int64[::1])")
def _apply(at, rows, cols, fact):
    """Set the cells in which an extra constraint leaves no choice. Returns the mask of their lines, -1 for a contradiction.

    A constraint whose cells are all known is decided.
    """
    code, k, size, total = fact[0], fact[1], fact[2], fact[3]
    touched = 0
    if code <= _UNEQUAL:
        open_, chosen, known = 0, -1, -1
        for i in range(_HEAD, _HEAD + size):
            a, b = _value(at, cols, fact[i]), _value(at, cols, fact[i + size])
            if code == _UNEQUAL:
                if a < 0 or b < 0:
                    open_ += 1
                    chosen, known = (fact[i], b) if a < 0 else (fact[i + size], a)
                elif a != b:
                    return 0
            elif a >= 0 and b >= 0:
                if (a == b) == (code == _OPPOSITE):
                    return -1
            elif a >= 0:
                touched |= _know(at, rows, cols, fact[i + size], a ^ (code == _OPPOSITE))
            elif b >= 0:
                touched |= _know(at, rows, cols, fact[i], b ^ (code == _OPPOSITE))
        if code == _UNEQUAL:
            if open_ == 0:
                return -1
            if open_ == 1 and known >= 0:
                touched = _know(at, rows, cols, chosen, 1 - known)
        return touched
    if code == _GREATER:
        return _greater(at, rows, cols, fact)
    ones = blanks = 0
    for i in range(_HEAD, _HEAD + size):
        v = _value(at, cols, fact[i])
        ones += v == 1
        blanks += v < 0
    if code == _COUNT:
        if ones > k or ones + blanks < k:
            return -1
        if blanks and ones == k:
            return _settle(at, rows, cols, fact, 0, size, 0)
        if blanks and ones + blanks == k:
            return _settle(at, rows, cols, fact, 0, size, 1)
        return 0
    if code == _PARITY:
        if blanks == 0 and ones & 1 != k:
            return -1
        if blanks == 1:
            return _settle(at, rows, cols, fact, 0, size, ones & 1 ^ k)
        return 0
    less = 0
    for i in range(_HEAD + size, _HEAD + total):
        less += _value(at, cols, fact[i]) == 1
    if ones + blanks <= less:
        return -1
    if ones + blanks == less + 1:
        touched = _settle(at, rows, cols, fact, 0, size, 1)
        touched |= _settle(at, rows, cols, fact, size, total, 0)
    return touched


@kernel("int64(int64, int64[:,::1])")
def _speaking(touched, book):
    """The mask of the constraints that speak of any of these lines."""
    asks = 0
    while touched:
        low = touched & -touched
        touched ^= low
        asks |= book[0, popcount(low - 1)]
    return asks


@kernel("boolean(int64[:,::1], int64, int64, boolean, int64[:,::1], int64, int64[:,::1])")
def _narrow(at, rows, cols, distinct, book, touched, room):
    """Narrow lines until nothing changes, starting with those in the mask `touched`. False if a line has no fitting pattern.

    Cheap rules come first (pairs, gaps, a full count), then extra constraints in force, then whole lines by themselves, then
    lines parallel to the complete ones. room[MOST + 5] counts the failures of each line.
    """
    taken, fails = room[MOST + 4], room[MOST + 5]
    quick = whole = unlike = touched
    force = at[1, rows + cols]
    asks = _speaking(touched, book) & force if force else 0
    while True:
        if quick:
            low = quick & -quick
            quick ^= low
            kind = 0
        elif asks:
            low = asks & -asks
            asks ^= low
            fact = book[1 + popcount(low - 1)]
            new = _apply(at, rows, cols, fact)
            if new < 0:
                for line in range(rows + cols):
                    fails[line] += fact[4] >> line & 1
                return False
            quick |= new
            whole |= new
            unlike |= new
            asks |= _speaking(new, book) & force
            continue
        elif whole:
            low = whole & -whole
            whole ^= low
            kind = 1
        elif distinct and unlike:
            low = unlike & -unlike
            unlike ^= low
            kind = 2
        else:
            return True
        line = popcount(low - 1)
        is_row = line < rows
        n = cols if is_row else rows
        full = (1 << n) - 1
        ones, zeros = at[1, line], at[0, line]
        new_ones, new_zeros = ones, zeros
        if kind == 0:
            while True:
                pair = new_ones & (new_ones << 1)
                zero = (pair << 1 | pair >> 2 | ((new_ones << 1) & (new_ones >> 1))) & full
                pair = new_zeros & (new_zeros << 1)
                one = (pair << 1 | pair >> 2 | ((new_zeros << 1) & (new_zeros >> 1))) & full
                if zero & ~new_zeros == 0 and one & ~new_ones == 0:
                    break
                new_ones |= one
                new_zeros |= zero
                if new_ones & new_zeros:
                    fails[line] += 1
                    return False
            count_ones, count_zeros = 2 * popcount(new_ones), 2 * popcount(new_zeros)
            if count_ones > n or count_zeros > n:
                fails[line] += 1
                return False
            if count_ones == n:
                new_zeros = full ^ new_ones
            elif count_zeros == n:
                new_ones = full ^ new_zeros
            if new_ones != ones or new_zeros != zeros:
                quick |= low  # the filled cells may have made a run
        elif kind == 1:
            if ones | zeros == full:
                continue
            if not fit(ones, zeros, n, room):
                fails[line] += 1
                return False
            new_ones, new_zeros = room[0, 0], room[0, 1]
        else:
            known = ones | zeros
            many = 0
            first = 0 if is_row else rows
            for other in range(first, first + (rows if is_row else cols)):
                if at[0, other] | at[1, other] == full:
                    if (at[1, other] ^ ones) & known == 0 and other != line:
                        if known == full:
                            fails[line] += 1
                            return False
                        taken[many] = at[1, other]
                        many += 1
                elif known == full and (at[1, other] & ~ones) | (at[0, other] & ones) == 0:
                    unlike |= 1 << other
            if many == 0:
                continue
            if not fit_but(ones, zeros, n, taken, many, room):
                fails[line] += 1
                return False
            new_ones, new_zeros = room[0, 0], room[0, 1]
        new = (new_ones ^ ones) | (new_zeros ^ zeros)
        if new == 0:
            continue
        at[1, line], at[0, line] = new_ones, new_zeros
        unlike |= low
        if force:
            asks |= book[0, line] & force
        own = line if is_row else line - rows
        beyond = rows if is_row else 0
        while new:
            cell = new & -new
            new ^= cell
            crossing = popcount(cell - 1) + beyond
            at[1 if new_ones & cell else 0, crossing] |= 1 << own
            quick |= 1 << crossing
            whole |= 1 << crossing
            unlike |= 1 << crossing


@kernel("int64(int64[:,::1], int64, int64, int64[:,::1])")
def _guess(at, rows, cols, room):
    """The unknown cell whose lines failed most often for the unknown cells they have; -1 if all cells are known."""
    fails = room[MOST + 5]
    best, chosen = -1, -1
    for r in range(rows):
        blank = ~(at[0, r] | at[1, r]) & ((1 << cols) - 1)
        if blank == 0:
            continue
        across = (fails[r] << 20) // popcount(blank)
        while blank:
            cell = blank & -blank
            blank ^= cell
            c = popcount(cell - 1)
            down = (fails[rows + c] << 20) // (rows - popcount(at[0, rows + c] | at[1, rows + c]))
            if across + down > best:
                best, chosen = across + down, r * cols + c
    return chosen


@kernel("boolean(int64[:,:,::1], int64, int64, int64, boolean, int64[:,::1], int64[:,::1], int64[::1], int64[::1], int64[:,::1])")
def _search(stack, base, rows, cols, distinct, book, found, prefer, tally, room):
    """Look for the answers of the narrowed position stack[base] until `found` is full. True if there are no others.

    stack: scratch above base. found: [answers, rows] masks of ones. prefer: [rows] masks of the values to try first.
    tally: guesses still allowed, answers found, depth to go on from (left by the call that filled `found`; -1: start afresh).
    """
    lines = rows + cols  # stack[d, 0, lines]: the cell guessed at depth d, already written with its other value
    tally[1] = 0
    depth = base
    alive = True
    if tally[2] >= 0:
        depth = tally[2]
        alive = False
    while True:
        while not alive:
            depth -= 1
            if depth < base:
                return True
            cell = stack[depth, 0, lines]
            touched = 1 << (cell // cols) | 1 << (rows + cell % cols)
            alive = _narrow(stack[depth], rows, cols, distinct, book, touched, room)
        cell = _guess(stack[depth], rows, cols, room)
        if cell < 0:
            for r in range(rows):
                found[tally[1], r] = stack[depth, 1, r]
            tally[1] += 1
            if tally[1] == found.shape[0]:
                tally[2] = depth
                return False
            alive = False
            continue
        if tally[0] == 0:
            return False
        tally[0] -= 1
        value = (prefer[cell // cols] >> (cell % cols)) & 1
        stack[depth + 1] = stack[depth]
        _know(stack[depth], rows, cols, cell, 1 - value)
        stack[depth, 0, lines] = cell
        depth += 1
        touched = _know(stack[depth], rows, cols, cell, value)
        alive = _narrow(stack[depth], rows, cols, distinct, book, touched, room)


@kernel("boolean(int64[:,::1], int64, int64, boolean, int64[:,::1], int64[::1], int64[::1], int64[:,::1])")
def _begin(at, rows, cols, distinct, book, cells, values, room):
    """Write down these clues (a cell with its value, or -1 with the number of an extra constraint) and narrow every line.

    False if that contradicts itself.
    """
    at[:] = 0
    for i in range(cells.shape[0]):
        if cells[i] < 0:
            at[1, rows + cols] |= 1 << values[i]
        else:
            _know(at, rows, cols, cells[i], values[i])
    for line in range(rows + cols):
        if at[0, line] & at[1, line]:
            return False
    return _narrow(at, rows, cols, distinct, book, (1 << (rows + cols)) - 1, room)


@kernel("int64(int64, int64, boolean, int64[:,::1], int64[::1], int64[::1], int64[::1], int64[::1], int64, int64)")
def _thin(rows, cols, distinct, book, cells, values, order, stays, keep, budget):
    """Leave out clues in this order while one answer remains, down to `keep`; stays[i] becomes 0 for what is left out.

    1 if done, 0 if the budget of guesses ran out, -1 if the clues do not have exactly one answer.

    Equal to trying one clue at a time, but positions are shared: a frame (lo, hi) stands on the clues that stayed so far and on
    everything after hi, narrowed. If that already decides the grid, order[lo:hi] is left out at once; else it is halved, and each
    half only adds the other half's clues to the frame's position. A given whose cell its frame knows follows from the others; one
    whose cell is open is needed exactly if the opposite value has an answer; an extra constraint if the frame has two answers.
    """
    lines = rows + cols
    levels = 12  # halvings of at most 400 givens and 60 extra constraints, and one
    stack = np.zeros((levels + rows * cols + 2, 2, lines + 1), dtype=np.int64)
    room = np.ones((MOST + 6, 48), dtype=np.int64)
    found = np.zeros((2, rows), dtype=np.int64)
    prefer = np.zeros(rows, dtype=np.int64)
    tally = np.array([budget, 0, -1], dtype=np.int64)
    if not _begin(stack[0], rows, cols, distinct, book, cells, values, room):
        return -1
    if not _search(stack, 0, rows, cols, distinct, book, found, prefer, tally, room):
        return -1 if tally[1] == 2 else 0
    if tally[1] != 1:
        return -1
    prefer[:] = found[0]
    one = np.zeros((1, rows), dtype=np.int64)
    frames = np.zeros((levels, 3), dtype=np.int64)  # lo, hi, halves done
    remaining = cells.shape[0]
    for i in range(order.shape[0]):
        stays[order[i]] = 0  # for now: the root stands on the clues that are never tried
    at = stack[0]
    at[:] = 0
    for i in range(cells.shape[0]):
        if stays[i] and cells[i] < 0:
            at[1, lines] |= 1 << values[i]
        elif stays[i]:
            _know(at, rows, cols, cells[i], values[i])
        stays[i] = 1
    _narrow(at, rows, cols, distinct, book, (1 << lines) - 1, room)
    frames[0, 1] = order.shape[0]
    level = min(order.shape[0], 1) - 1
    while level >= 0 and remaining > keep:
        lo, hi, done = frames[level, 0], frames[level, 1], frames[level, 2]
        at = stack[level]
        if done == 0:
            if _guess(at, rows, cols, room) < 0:
                for i in range(lo, hi):
                    if remaining > keep:
                        stays[order[i]] = 0
                        remaining -= 1
                level -= 1
                continue
            if hi - lo == 1:
                clue = order[lo]
                cell, value = cells[clue], values[clue]
                needed = False
                if cell < 0:
                    stack[level + 1] = at
                    tally[2] = -1
                    if not _search(stack, level + 1, rows, cols, distinct, book, found, prefer, tally, room):
                        if tally[1] < 2:
                            return 0
                        needed = True
                elif not (at[0, cell // cols] | at[1, cell // cols]) >> (cell % cols) & 1:
                    other = stack[level + 1]
                    other[:] = at
                    touched = _know(other, rows, cols, cell, 1 - value)
                    if _narrow(other, rows, cols, distinct, book, touched, room):
                        tally[2] = -1
                        if not _search(stack, level + 1, rows, cols, distinct, book, one, prefer, tally, room):
                            if tally[1] == 0:
                                return 0
                            needed = True
                if not needed:
                    stays[clue] = 0
                    remaining -= 1
                level -= 1
                continue
        if done == 2:
            level -= 1
            continue
        middle = (lo + hi) >> 1
        frames[level, 2] += 1
        other = stack[level + 1]
        other[:] = at
        first, last = (middle, hi) if done == 0 else (lo, middle)
        touched = 0
        for i in range(first, last):
            clue = order[i]
            cell = cells[clue]
            if cell < 0:
                if stays[clue]:
                    other[1, lines] |= 1 << values[clue]
                    touched |= book[1 + values[clue], 4]
            elif stays[clue] and not (at[0, cell // cols] | at[1, cell // cols]) >> (cell % cols) & 1:
                touched |= _know(other, rows, cols, cell, values[clue])
        _narrow(other, rows, cols, distinct, book, touched, room)
        level += 1
        frames[level, 0], frames[level, 1] = (lo, middle) if done == 0 else (middle, hi)
        frames[level, 2] = 0
    return 1


@kernel("boolean(int64, int64)")
def _runs(line, full):
    """Return whether a complete line has three equal cells in a run."""
    zeros = full ^ line
    return ((line & (line << 1) & (line << 2)) | (zeros & (zeros << 1) & (zeros << 2))) != 0


_CUTS = sum((65536 % m) << 4 * m for m in range(1, MOST // 2 + 1))


@kernel("boolean(int64[::1], int64, int64, int64[:,::1], int64, int64[:,::1])")
def _keeps(line, rows, cols, book, asks, at):
    """Return whether a complete grid keeps the constraints of a mask. line: masks of ones. at: scratch for a position."""
    for r in range(rows):
        at[1, r] = line[r]
        at[0, r] = ~line[r]
    while asks:
        low = asks & -asks
        asks ^= low
        if _apply(at, rows, cols, book[1 + popcount(low - 1)]) < 0:
            return False
    return True


@kernel("int64(int64[::1], int64, int64, int64[:,::1], int64, int64[::1], boolean, int64, uint64[::1])")
def _walk(line, rows, cols, book, force, free, distinct, steps, state):
    """Walk at random through complete legal grids; returns how many steps moved.

    line: [rows + cols] masks of ones, changed in place. free: [rows] masks of the cells that may change. force: mask of the extra
    constraints that hold now and go on holding: a step that breaks one is not made.
    One step takes one word of the stream. It draws two rows, and two columns where these read 1 0 over 0 1, and turns that into
    0 1 over 1 0 if no run of three arises; the counts never change. Draws that are out of range leave the grid as it is, and the
    ranges are the same after the change, so a step and its reverse are equally likely: in the long run all grids that can be
    reached are. distinct: a new pair of equal lines is accepted with probability 1/4 only (and never more than seven at once,
    there or back), which keeps all grids without equal lines equally likely and visits them often.
    """
    moved = 0
    full_row, full_col = (1 << cols) - 1, (1 << rows) - 1
    pairs = rows * (rows - 1) // 2
    upper, lower = np.empty(pairs, dtype=np.int64), np.empty(pairs, dtype=np.int64)
    i = 0
    for r in range(rows):
        for q in range(r):
            upper[i], lower[i] = q, r
            i += 1
    pairs_cut = 65536 % pairs
    at = np.zeros((2, rows + cols + 1), dtype=np.int64)
    for _ in range(steps):
        word = np.int64(next64(state) >> np.uint64(1))
        draw = (word & 65535) * pairs
        pair = draw >> 16
        a, b = line[upper[pair]], line[lower[pair]]
        either = free[upper[pair]] & free[lower[pair]]
        only_a, only_b = a & ~b & either, b & ~a & either
        size_a, size_b = popcount(only_a), popcount(only_b)
        draw_a, draw_b = ((word >> 16) & 65535) * size_a, ((word >> 32) & 65535) * size_b
        # a draw of 16 bits falls evenly into m parts once those whose low half is below 65536 % m are refused
        if (
            (draw & 65535) < pairs_cut
            or (draw_a & 65535) < (_CUTS >> 4 * size_a & 15)
            or (draw_b & 65535) < (_CUTS >> 4 * size_b & 15)
        ):
            continue
        if only_a == 0 or only_b == 0:
            continue
        i, j = draw_a >> 16, draw_b >> 16
        while i:
            only_a &= only_a - 1
            i -= 1
        while j:
            only_b &= only_b - 1
            j -= 1
        x, y = only_a & -only_a, only_b & -only_b
        new_a, new_b = a ^ x ^ y, b ^ x ^ y
        if _runs(new_a, full_row) or _runs(new_b, full_row):
            continue
        c1, c2 = rows + popcount(x - 1), rows + popcount(y - 1)
        r1, r2 = upper[pair], lower[pair]
        ends = 1 << r1 | 1 << r2
        c, d = line[c1], line[c2]
        new_c, new_d = c ^ ends, d ^ ends
        if _runs(new_c, full_col) or _runs(new_d, full_col):
            continue
        if distinct:
            more = 0
            for r in range(rows):
                if r != r1 and r != r2:
                    more += (line[r] == new_a) + (line[r] == new_b) - (line[r] == a) - (line[r] == b)
            for k in range(rows, rows + cols):
                if k != c1 and k != c2:
                    more += (line[k] == new_c) + (line[k] == new_d) - (line[k] == c) - (line[k] == d)
            if more > 7 or more < -7 or (more > 0 and word >> 48 & ((1 << 2 * more) - 1)):
                continue
        line[r1], line[r2], line[c1], line[c2] = new_a, new_b, new_c, new_d
        if force and not _keeps(line, rows, cols, book, _speaking(ends | 1 << c1 | 1 << c2, book) & force, at):
            line[r1], line[r2], line[c1], line[c2] = a, b, c, d
            continue
        moved += 1
    return moved


_CHUNK = 4096  # answers fetched at a time


def _check(table: LinesTable) -> tuple[Any, Any, Any]:
    """The book of the extra constraints; of each clue the cell and the value, or -1 and the number of its constraint.

    Raises BadRow for a table that describes no grid.
    """
    rows, cols = table.rows, table.cols
    if rows % 2 or cols % 2 or not 2 <= rows <= MOST or not 2 <= cols <= MOST:
        raise BadRow(f"binary lines have even lengths from 2 to {MOST}, got {rows} x {cols}")
    extras = [clue for clue in table.clues if len(clue) > 2]
    if len(extras) > EXTRAS:
        raise BadRow(f"binary lines take at most {EXTRAS} extra constraints, got {len(extras)}")
    givens = [clue if len(clue) == 2 else (0, 0) for clue in table.clues] if extras else table.clues
    cells, values = pairs(givens, rows * cols, 2, f"{rows} x {cols} binary lines")
    book = np.zeros((1 + len(extras), max([2 * MOST, *[_HEAD + len(clue) for clue in extras]])), dtype=np.int64)
    for e, clue in enumerate(extras):
        code, k, size, *places = clue
        paired = code in (_EQUAL, _OPPOSITE, _UNEQUAL, _GREATER)
        fits = len(places) == 2 * size if paired else len(places) == size if code in (_COUNT, _PARITY) else len(places) > size
        if not (0 <= code < len(GROUP_RELATIONS) and size > 0 and fits and len(set(places)) == len(places)):
            raise BadRow(f"an extra constraint of binary lines has a relation, a size and groups that fit them, got {clue}")
        if not (0 <= min(places) <= max(places) < rows * cols):
            raise BadRow(f"an extra constraint of {rows} x {cols} binary lines has cells below {rows * cols}, got {clue}")
        if not 0 <= k <= (1 if code == _PARITY else size if code == _COUNT else 0):
            raise BadRow(f"an extra constraint of binary lines has a number k that fits its relation, got {clue}")
        lines = 0
        for cell in places:
            lines |= 1 << cell // cols | 1 << (rows + cell % cols)
        book[1 + e, : _HEAD + len(places)] = code, k, size, len(places), lines, *places
        for line in range(rows + cols):
            book[0, line] |= (lines >> line & 1) << e
    if extras:
        which = np.array([len(clue) > 2 for clue in table.clues])
        cells[which], values[which] = -1, np.arange(len(extras))
    return book, cells, values


def _room() -> Any:
    return np.ones((MOST + 6, 48), dtype=np.int64)


def _stack(table: LinesTable) -> Any:
    """Positions for a search: the root, and one for each guess."""
    return np.zeros((table.rows * table.cols + 2, 2, table.rows + table.cols + 1), dtype=np.int64)


def _masks(table: LinesTable, limit: int, budget: int) -> tuple[Any, bool, int]:
    """Row masks of up to `limit` answers, whether there are no others, and the guesses made."""
    book, cells, values = _check(table)
    shape = table.rows, table.cols, table.distinct, book
    stack, room = _stack(table), _room()
    prefer = np.zeros(table.rows, dtype=np.int64)
    tally = np.array([budget, 0, -1], dtype=np.int64)
    parts = [np.empty((0, table.rows), dtype=np.int64)]
    total, exhausted = 0, not _begin(stack[0], *shape, cells, values, room)
    while total < limit and not exhausted:
        found = np.empty((min(limit - total, _CHUNK), table.rows), dtype=np.int64)
        exhausted = bool(_search(stack, 0, *shape, found, prefer, tally, room))
        parts.append(found[: tally[1]])
        total += int(tally[1])
        if tally[1] < len(found):
            break
    return np.concatenate(parts), exhausted, budget - int(tally[0])


def answers(table: LinesTable, limit: int, budget: int) -> Finding:
    """Up to `limit` different answers; `budget` bounds guesses. Raises BadRow for a table that describes no grid."""
    masks, exhausted, guesses = _masks(table, limit, budget)
    return Finding(tuple(map(tuple, cells_of(masks, table.cols).tolist())), exhausted, guesses)


def minimize(table: LinesTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """See kernels.minimize; `budget` bounds guesses in all."""
    book, cells, values = _check(table)
    stays = np.ones(len(cells), dtype=np.int64)
    positions = np.array(order, dtype=np.int64)
    done = _thin(table.rows, table.cols, table.distinct, book, cells, values, positions, stays, keep, budget)
    return slots(np.flatnonzero(stays)) if is_only((0, -1, 1)[done + 1]) else None


_LISTED = 2_000  # answers under clues that are listed and drawn from
_LISTED_CELLS = 40  # without clues: all answers of 4x4 to 4x10 and 6x6 (at most 44,052) are listed, once
_ROUNDS = 400  # walks until no two lines are equal; the worst size ends with equal lines 3 times in 4


@lru_cache(maxsize=8)
def _blank(rows: int, cols: int, distinct: bool) -> Any:
    """Row masks of every answer of a small table without clues."""
    return _masks(LinesTable(rows, cols, distinct, ()), 1 << 20, 1 << 30)[0]


def _first(table: LinesTable, state: Any) -> Any:
    """Row masks of an answer near a random grid: the first one of a search that prefers its values. None if there is none."""
    rows, cols, distinct = table.rows, table.cols, table.distinct
    book, cells, values = _check(table)
    stack, room = _stack(table), _room()
    found = np.empty((1, rows), dtype=np.int64)
    if not _begin(stack[0], rows, cols, distinct, book, cells, values, room):
        return None
    root = stack[0].copy()

    def once(budget: int) -> int:
        stack[0] = root
        prefer = np.array([below(state, 1 << cols) for _ in range(rows)], dtype=np.int64)
        tally = np.array([budget, 0, -1], dtype=np.int64)
        exhausted = _search(stack, 0, rows, cols, distinct, book, found, prefer, tally, room)
        return 0 if exhausted else 1 if tally[1] else -1

    return found[0] if anew(once, rows * cols, f"{rows} x {cols} binary lines") else None


def sample(table: LinesTable, rng: Rng) -> Slots | None:
    """A random answer, None if there is none. Moves `rng` on. Raises Discarded if the search finds nothing in its budget.

    Exactly even where the answers can be listed: without clues up to 40 cells, with clues up to 2,000 answers. Else a randomised
    search finds an answer and a reversible walk of (cells ** 2) / 2 steps forgets it; all answers are equally likely in the limit
    wherever the walk connects them: without clues it does on every board that was enumerated (up to 6x8; walks between grids
    with equal lines and rests only on one without). What is left after these steps of the agreement with the first grid,
    measured from 4x12 to 20x20: under 1 %. With clues that leave more than 2,000 answers the walk moves only free cells, never
    breaks an extra constraint, and may not connect everything.
    """
    own = rng.child("lines", rng.next64())
    rows, cols = table.rows, table.cols
    if table.clues:
        few, exhausted, _ = _masks(table, _LISTED + 1, 20 * _LISTED)
        if exhausted and len(few) <= _LISTED:
            return grid_of(even(few, own), cols)
    elif rows * cols <= _LISTED_CELLS:
        every = _blank(rows, cols, table.distinct)
        return grid_of(even(every, own), cols)
    state = state_of(own)
    first = _first(table, state)
    if first is None:
        return None
    grid = cells_of(first[None], cols).reshape(rows, cols)
    line = np.concatenate([first, (grid << np.arange(rows)[:, None]).sum(axis=0)])
    free = np.full(rows, (1 << cols) - 1, dtype=np.int64)
    book, cells, _ = _check(table)
    for cell in cells[cells >= 0].tolist():
        free[cell // cols] &= ~(1 << cell % cols)
    force = (1 << len(book) - 1) - 1
    for _ in range(_ROUNDS):
        _walk(line, rows, cols, book, force, free, table.distinct, (rows * cols) ** 2 // 2, state)
        if not table.distinct or (len(set(line[:rows].tolist())) == rows and len(set(line[rows:].tolist())) == cols):
            return grid_of(line[:rows], cols)
    raise Discarded("budget", f"equal lines in {_ROUNDS} random grids of {rows} x {cols}")
