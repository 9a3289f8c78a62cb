"""Boards of which cells are erased (hitori): answers, and the drawing of a board with its one answer.

Kept cells are connected exactly if no erased ones shut any off. Erased cells do not touch along a side, so what shuts off is a
ring of erased cells that touch at corners, or a row of such cells from edge to edge. Hence the rule is kept as a forest: erased
cells that touch at corners are joined, the edge of the board is one more vertex, and a cell may be erased only if that joins
different trees. Model and plain checker ask for the connection itself.

A state holds per cell 0 open, 1 kept or 2 erased, and the tree of each erased cell (its name is one of its cells, or the edge's).

How a board is drawn. An answer is the only one only if no kept cell could be erased as well, so erasures are drawn among those
to which none can be added (maximal). A random greedy start is followed by a walk: the cells of a small window become a random
set of cells that do not touch, and the step is taken if the board stays legal and maximal. Steps there and back are equally
likely, so the walk is even over all that it reaches, in the limit (measured: chi-square 1,828 with 1,803 degrees of freedom for
20,000 draws of 5x5). Kept cells get the symbols of a random Latin square, drawn row by row; each erased cell gets the symbol of a
kept one in its lines. While there is another answer, a cell that only this one keeps gets the symbol of a cell that both keep;
that refutes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import ErasureTable, Finding, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.driver import listed, one_by_one, pairs, slots
from puzzlemill.solvers.kernels.random import below, shuffle, state_of

WALK = 8  # proposed steps of the walk for each cell
REPAIRS = 80  # answers refuted before the symbols are drawn again
NUMBERINGS = 12  # drawings of symbols before the erasures are drawn again
PATTERNS = 60  # erasures drawn before the board is given up
EFFORT = 400  # branchings of one check while a board is drawn
CROWD = 3  # erased cells around a braced one, at most


def _sets(high: int, wide: int) -> list[int]:
    """Sets of cells of a window, as bits, of which no two touch along a side."""
    right = sum([1 << y * wide + x for y in range(high) for x in range(wide - 1)])  # cells with one at their right
    return [bits for bits in range(1 << high * wide) if not bits & bits >> 1 & right and not bits & bits >> wide]


_WINDOWS = [_sets(high, wide) for high in (2, 3) for wide in (2, 3)]
_SETS = np.array([bits for sets in _WINDOWS for bits in sets])
_FIRST = np.array([sum([len(sets) for sets in _WINDOWS[:k]]) for k in range(5)])


@kernel("int64(int64[:,::1], int64, int64, int64)")
def roots(state, rows, cols, cell):
    """Return whether erasing this cell joins different trees only: 1 if so, 0 if it would shut something off."""
    r, c = cell // cols, cell % cols
    a = b = d = -1
    edge = rows * cols
    if r == 0 or c == 0 or r == rows - 1 or c == cols - 1:
        a = edge
    for way in range(4):
        y, x = r + 2 * (way >> 1) - 1, c + 2 * (way & 1) - 1
        if y < 0 or x < 0 or y >= rows or x >= cols:
            continue
        other = y * cols + x
        if state[0, other] != 2:
            continue
        tree = state[1, other]
        if tree in (a, b, d):
            return 0
        if a < 0:
            a = tree
        elif b < 0:
            b = tree
        elif d < 0:
            d = tree
    return 1


@kernel("void(int64[:,::1], int64, int64, int64)")
def join(state, rows, cols, cell):
    """Give an erased cell its tree, and make one of the trees that it touches."""
    r, c = cell // cols, cell % cols
    edge = rows * cols
    name = edge if r == 0 or c == 0 or r == rows - 1 or c == cols - 1 else cell
    state[1, cell] = name
    for way in range(4):
        y, x = r + 2 * (way >> 1) - 1, c + 2 * (way & 1) - 1
        if y < 0 or x < 0 or y >= rows or x >= cols:
            continue
        other = y * cols + x
        if state[0, other] != 2:
            continue
        tree = state[1, other]
        if tree == name:
            continue
        gone = tree
        if tree == edge:
            gone, name = name, edge
        for i in range(edge):
            if state[0, i] == 2 and state[1, i] == gone:
                state[1, i] = name
        state[1, cell] = name


@kernel("int64(int64[:,::1], int64[::1], int64, int64, int64)")
def _crowded(state, braced, rows, cols, cell):
    """Return whether a braced cell around this one has as many erased neighbours as it may."""
    r, c = cell // cols, cell % cols
    for y in range(max(0, r - 1), min(rows, r + 2)):
        for x in range(max(0, c - 1), min(cols, c + 2)):
            if not braced[y * cols + x] or y * cols + x == cell:
                continue
            count = 0
            for v in range(max(0, y - 1), min(rows, y + 2)):
                for u in range(max(0, x - 1), min(cols, x + 2)):
                    if (v != y or u != x) and state[0, v * cols + u] == 2:
                        count += 1
            if count >= CROWD:
                return 1
    return 0


@kernel("boolean(int64[:,::1], int64[::1], int64[::1], int64[::1], int64, int64, int64, int64)")
def _narrow(state, symbols, braced, queue, many, braces, rows, cols):
    """Set what follows from the cells in queue[:many], which are set. False on a contradiction. symbols: -1 is none."""
    cells = rows * cols
    first = 0
    while True:
        while first < many:
            cell = queue[first]
            first += 1
            r, c = cell // cols, cell % cols
            if state[0, cell] == 2:
                state[0, cell] = 0  # until it is asked whether it may be erased
                if braced[cell] or not roots(state, rows, cols, cell) or (braces and _crowded(state, braced, rows, cols, cell)):
                    return False
                state[0, cell] = 2
                join(state, rows, cols, cell)
                for way in range(4):
                    y = r - 1 if way == 0 else r + 1 if way == 1 else r
                    x = c - 1 if way == 2 else c + 1 if way == 3 else c
                    if y < 0 or x < 0 or y >= rows or x >= cols:
                        continue
                    other = y * cols + x
                    if state[0, other] == 2:
                        return False
                    if state[0, other] == 0:
                        state[0, other] = 1
                        queue[many] = other
                        many += 1
            elif symbols[cell] >= 0:
                for i in range(cols + rows):
                    other = r * cols + i if i < cols else (i - cols) * cols + c
                    if other == cell or symbols[other] != symbols[cell]:
                        continue
                    if state[0, other] == 1:
                        return False
                    if state[0, other] == 0:
                        # what is erased has a tree: joined at once, or trees would be read that are not there yet
                        if (
                            braced[other]
                            or not roots(state, rows, cols, other)
                            or (braces and _crowded(state, braced, rows, cols, other))
                        ):
                            return False
                        state[0, other] = 2
                        join(state, rows, cols, other)
                        y, x = other // cols, other % cols
                        for way in range(4):
                            v = y - 1 if way == 0 else y + 1 if way == 1 else y
                            u = x - 1 if way == 2 else x + 1 if way == 3 else x
                            if v < 0 or u < 0 or v >= rows or u >= cols:
                                continue
                            beside = v * cols + u
                            if state[0, beside] == 2:
                                return False
                            if state[0, beside] == 0:
                                state[0, beside] = 1
                                queue[many] = beside
                                many += 1
        before = many
        for cell in range(cells):
            if state[0, cell] == 0 and (
                not roots(state, rows, cols, cell) or (braces and _crowded(state, braced, rows, cols, cell))
            ):
                state[0, cell] = 1
                queue[many] = cell
                many += 1
        if many == before:
            return True


@kernel("int64(int64[:,::1], int64[::1], int64, int64)")
def _branch(state, symbols, rows, cols):
    """An open cell: with the most open cells of its symbol in its lines. -1 if there is none."""
    chosen, most = -1, -1
    for cell in range(rows * cols):
        if state[0, cell] != 0:
            continue
        r, c = cell // cols, cell % cols
        count = 0
        if symbols[cell] >= 0:
            for i in range(cols + rows):
                other = r * cols + i if i < cols else (i - cols) * cols + c
                if other != cell and symbols[other] == symbols[cell] and state[0, other] == 0:
                    count += 1
        if count > most:
            chosen, most = cell, count
    return chosen


@kernel("int64(int64[::1], int64[::1], int64, int64, int64, int64, int64[::1], int64[:,::1], int64[::1])")
def _search(symbols, braced, rows, cols, limit, budget, avoid, found, spent):
    """Up to `limit` answers (1 is erased) into the rows of `found`; an answer equal to `avoid` is not counted, if it has cells.

    Returns their number; spent[0]: branchings, spent[1]: 1 if the budget ran out.
    """
    cells = rows * cols
    states = np.zeros((cells + 2, 2, cells), dtype=np.int64)
    choice = np.zeros(cells + 2, dtype=np.int64)
    tried = np.zeros(cells + 2, dtype=np.int64)
    queue = np.zeros(cells + 8, dtype=np.int64)
    spent[0] = spent[1] = 0
    count = 0
    many = 0
    braces = 0
    for cell in range(cells):
        if braced[cell]:
            braces += 1
            states[0, 0, cell] = 1
            queue[many] = cell
            many += 1
    if not _narrow(states[0], symbols, braced, queue, many, braces, rows, cols):
        return 0
    depth = 0
    choice[0] = _branch(states[0], symbols, rows, cols)
    while depth >= 0:
        cell = choice[depth]
        if cell < 0 or tried[depth] == 2:
            if cell < 0:
                same = avoid.shape[0] == cells
                for i in range(cells):
                    found[count, i] = 1 if states[depth, 0, i] == 2 else 0
                    if same and found[count, i] != avoid[i]:
                        same = False
                if not same:
                    count += 1
                    if count == limit:
                        return count
            depth -= 1
            continue
        if spent[0] >= budget:
            spent[1] = 1
            return count
        spent[0] += 1
        tried[depth] += 1
        for i in range(cells):
            states[depth + 1, 0, i] = states[depth, 0, i]
            states[depth + 1, 1, i] = states[depth, 1, i]
        states[depth + 1, 0, cell] = 2 if tried[depth] == 1 else 1
        queue[0] = cell
        if _narrow(states[depth + 1], symbols, braced, queue, 1, braces, rows, cols):
            depth += 1
            tried[depth] = 0
            choice[depth] = _branch(states[depth], symbols, rows, cols)
    return count


# ---- drawing --------------------------------------------------------------------------------------------------------


@kernel("int64(int64[:,::1], int64)")
def _root(state, cell):
    """The cell, or the edge, that names a cell's tree, where state[1] leads from cell to cell."""
    while state[1, cell] != cell:
        state[1, cell] = state[1, state[1, cell]]
        cell = state[1, cell]
    return cell


@kernel("boolean(int64[::1], int64[::1], int64, int64, int64, int64[:,::1])")
def _legal(pattern, braced, braces, rows, cols, state):
    """Return whether these erasures are legal and maximal. state: scratch, one more column than cells, for the edge."""
    cells = rows * cols
    state[1, cells] = cells
    for i in range(cells):
        state[0, i] = 1
    for i in range(cells):
        if not pattern[i]:
            continue
        r, c = i // cols, i % cols
        if braced[i] or (c > 0 and pattern[i - 1]) or (r > 0 and pattern[i - cols]):
            return False
        if braces and _crowded(state, braced, rows, cols, i):
            return False
        state[0, i] = 2
        state[1, i] = i
        if r == 0 or c == 0 or r == rows - 1 or c == cols - 1:
            state[1, i] = cells
        for way in range(2):  # those below are joined when it is their turn
            x = c + 2 * way - 1
            if r == 0 or x < 0 or x >= cols or not pattern[(r - 1) * cols + x]:
                continue
            here, there = _root(state, i), _root(state, (r - 1) * cols + x)
            if here == there:
                return False
            if here == cells:
                state[1, there] = here
            else:
                state[1, here] = there
    for i in range(cells):
        if pattern[i] or braced[i]:
            continue
        r, c = i // cols, i % cols
        if (c > 0 and pattern[i - 1]) or (r > 0 and pattern[i - cols]):
            continue
        if (c < cols - 1 and pattern[i + 1]) or (r < rows - 1 and pattern[i + cols]):
            continue
        a = b = d = -1
        if r == 0 or c == 0 or r == rows - 1 or c == cols - 1:
            a = cells
        shuts = False
        for way in range(4):
            y, x = r + 2 * (way >> 1) - 1, c + 2 * (way & 1) - 1
            if y < 0 or x < 0 or y >= rows or x >= cols or not pattern[y * cols + x]:
                continue
            tree = _root(state, y * cols + x)
            if tree in (a, b, d):
                shuts = True
                break
            if a < 0:
                a = tree
            elif b < 0:
                b = tree
            elif d < 0:
                d = tree
        if not shuts and not (braces and _crowded(state, braced, rows, cols, i)):
            return False
    return True


@kernel("boolean(int64[::1], int64, int64, int64, int64, int64, int64)")
def _gap(pattern, rows, cols, top, left, high, wide):
    """Return whether a cell in or around this window can be erased as well, plain from the cells around it alone: none next to it
    is erased, and it touches one erased cell or edge at most. Only for boards without braces."""
    for r in range(max(0, top - 1), min(rows, top + high + 1)):
        for c in range(max(0, left - 1), min(cols, left + wide + 1)):
            i = r * cols + c
            if pattern[i] or (c > 0 and pattern[i - 1]) or (c < cols - 1 and pattern[i + 1]):
                continue
            if (r > 0 and pattern[i - cols]) or (r < rows - 1 and pattern[i + cols]):
                continue
            touched = 1 if r == 0 or c == 0 or r == rows - 1 or c == cols - 1 else 0
            if r > 0 and c > 0:
                touched += pattern[i - cols - 1]
            if r > 0 and c < cols - 1:
                touched += pattern[i - cols + 1]
            if r < rows - 1 and c > 0:
                touched += pattern[i + cols - 1]
            if r < rows - 1 and c < cols - 1:
                touched += pattern[i + cols + 1]
            if touched < 2:
                return True
    return False


@kernel("void(int64[::1], int64, int64, int64, uint64[::1], int64[::1])")
def _pattern(braced, rows, cols, steps, random, pattern):
    """Draw maximal erasures into `pattern`, 1 is erased."""
    cells = rows * cols
    state = np.zeros((2, cells + 1), dtype=np.int64)
    order = np.arange(cells)
    braces = 0
    for i in range(cells):
        braces += braced[i]
        state[0, i] = 1
        pattern[i] = 0
    shuffle(random, order)
    for k in range(cells):
        i = order[k]
        r, c = i // cols, i % cols
        if braced[i] or (c > 0 and pattern[i - 1]) or (r > 0 and pattern[i - cols]):
            continue
        if (c < cols - 1 and pattern[i + 1]) or (r < rows - 1 and pattern[i + cols]):
            continue
        if not roots(state, rows, cols, i) or (braces and _crowded(state, braced, rows, cols, i)):
            continue
        pattern[i] = 1
        state[0, i] = 2
        join(state, rows, cols, i)
    saved = np.zeros(9, dtype=np.int64)
    for _ in range(steps):
        shape = below(random, 4)
        high, wide = 2 + (shape >> 1), 2 + (shape & 1)
        top, left = below(random, rows - high + 1), below(random, cols - wide + 1)
        bits = _SETS[_FIRST[shape] + below(random, _FIRST[shape + 1] - _FIRST[shape])]
        changed = False
        good = True
        for k in range(high * wide):
            y, x = k // wide, k % wide
            i = (top + y) * cols + left + x
            saved[k] = pattern[i]
            new = bits >> k & 1
            if new != pattern[i]:
                changed = True
            if new:
                if braced[i]:
                    good = False
                if (x == 0 and left > 0 and pattern[i - 1]) or (x == wide - 1 and left + wide < cols and pattern[i + 1]):
                    good = False
                if (y == 0 and top > 0 and pattern[i - cols]) or (y == high - 1 and top + high < rows and pattern[i + cols]):
                    good = False
            if not good:
                break
        if not good or not changed:
            continue
        for k in range(high * wide):
            pattern[(top + k // wide) * cols + left + k % wide] = bits >> k & 1
        if (not braces and _gap(pattern, rows, cols, top, left, high, wide)) or not _legal(
            pattern, braced, braces, rows, cols, state
        ):
            for k in range(high * wide):
                pattern[(top + k // wide) * cols + left + k % wide] = saved[k]


@kernel("void(int64, int64, uint64[::1], int64[::1])")
def _latin(height, width, random, symbols):
    """Draw a Latin rectangle: line by line a random matching of places and symbols that the places have not had.

    Lines along the longer side hold every symbol; so however the first ones are filled there is a way to fill the next one
    (M. Hall, 1945: a Latin rectangle is the top of a Latin square). Along the shorter side there might be none.
    """
    flat = width >= height
    rows, cols = (height, width) if flat else (width, height)
    n = cols
    used = np.zeros((cols, n), dtype=np.int64)
    order = np.arange(n)
    columns = np.arange(cols)
    holder = np.zeros(n, dtype=np.int64)
    source = np.zeros(n, dtype=np.int64)
    queue = np.zeros(cols + 1, dtype=np.int64)
    got = np.zeros(cols, dtype=np.int64)
    for r in range(rows):
        shuffle(random, columns)
        for s in range(n):
            holder[s] = -1
        for k in range(cols):
            shuffle(random, order)
            for s in range(n):
                source[s] = -1
            queue[0] = columns[k]
            first, many, free = 0, 1, -1
            while first < many and free < 0:
                c = queue[first]
                first += 1
                for j in range(n):
                    s = order[j]
                    if used[c, s] or source[s] >= 0:
                        continue
                    source[s] = c
                    if holder[s] < 0:
                        free = s
                        break
                    queue[many] = holder[s]
                    many += 1
            while True:  # along the way back every column takes the symbol that led on
                c = source[free]
                before = got[c]
                holder[free] = c
                got[c] = free
                if c == columns[k]:
                    break
                free = before
        for c in range(cols):
            symbols[r * cols + c if flat else c * rows + r] = got[c]
            used[c, got[c]] = 1


@kernel("boolean(int64[::1], int64[::1], int64[::1], int64, int64, int64, uint64[::1])")
def _reason(symbols, pattern, other, cell, rows, cols, random):
    """Give an erased cell the symbol of a random cell in its lines that neither of two answers erases. False if there is none."""
    r, c = cell // cols, cell % cols
    count, chosen = 0, -1
    for i in range(cols + rows):
        at = r * cols + i if i < cols else (i - cols) * cols + c
        if at != cell and not pattern[at] and not other[at]:
            count += 1
            if below(random, count) == 0:
                chosen = symbols[at]
    if chosen >= 0:
        symbols[cell] = chosen
    return chosen >= 0


@kernel("boolean(int64[::1], int64, int64, int64, uint64[::1], int64[::1], int64[::1])")
def _devise(braced, rows, cols, steps, random, pattern, symbols):
    """Draw erasures, and symbols for which they are the only answer. False if all attempts are spent.

    With braced cells, symbols are preferred for which there are other answers without the braces; erasures for which none such
    come up are kept nevertheless, so that their draw stays even.
    """
    cells = rows * cols
    free = np.zeros(cells, dtype=np.int64)
    spare = np.zeros(cells, dtype=np.int64)
    braces = 0
    for i in range(cells):
        braces += braced[i]
    found = np.zeros((1, cells), dtype=np.int64)
    spent = np.zeros(2, dtype=np.int64)
    for _ in range(PATTERNS):
        _pattern(braced, rows, cols, steps, random, pattern)
        idle = False
        for _ in range(NUMBERINGS):
            _latin(rows, cols, random, symbols)
            for i in range(cells):
                if pattern[i]:
                    _reason(symbols, pattern, pattern, i, rows, cols, random)
            for _ in range(REPAIRS):
                others = _search(symbols, braced, rows, cols, 1, EFFORT, pattern, found, spent)
                if spent[1]:
                    break
                if others == 0:
                    if not braces or _search(symbols, free, rows, cols, 1, EFFORT, pattern, found, spent) > 0:
                        return True
                    idle = True
                    spare[:] = symbols
                    break
                count, chosen = 0, -1
                for i in range(cells):
                    if pattern[i] and not found[0, i]:
                        count += 1
                        if below(random, count) == 0:
                            chosen = i
                if chosen < 0 or not _reason(symbols, pattern, found[0], chosen, rows, cols, random):
                    break
        if idle:
            symbols[:] = spare
            return True
    return False


# ---- from tables ----------------------------------------------------------------------------------------------------


def read(table: ErasureTable) -> tuple[Any, Any]:
    size = table.rows * table.cols
    if size < 1 or (table.braced and not 0 <= min(table.braced) <= max(table.braced) < size):
        raise BadRow(f"braced cells of {table.rows} x {table.cols} cells are below {size}, got {table.braced}")
    symbols, braced = np.full(size, -1, dtype=np.int64), np.zeros(size, dtype=np.int64)
    cells, shown = pairs(table.clues, size, 1 << 31, f"{table.rows} x {table.cols} cells to erase")
    symbols[cells] = shown
    braced[list(table.braced)] = 1
    return symbols, braced


def answers(table: ErasureTable, limit: int, budget: int) -> Finding:
    """See kernels.answers; a node is a cell that is guessed."""
    symbols, braced = read(table)
    return listed(lambda found: _count(table, symbols, braced, limit, budget, found), limit, len(symbols), np.int64)


def _count(table: ErasureTable, symbols: Any, braced: Any, limit: int, budget: int, found: Any) -> tuple[int, int]:
    spent = np.zeros(2, dtype=np.int64)
    nobody = np.zeros(0, dtype=np.int64)
    count = _search(symbols, braced, table.rows, table.cols, min(limit, len(found)), budget, nobody, found, spent)
    return -1 - count if spent[1] else count, int(spent[0])


def minimize(table: ErasureTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """See kernels.minimize; `budget` bounds the guesses of each proof."""
    symbols, braced = read(table)
    cells = np.array([cell for cell, _ in table.clues], dtype=np.int64)
    shown, some = symbols[cells], symbols.copy()
    found = np.empty((2, len(symbols)), dtype=np.int64)

    def count(stays: Any) -> int:
        some[cells] = np.where(stays, shown, -1)
        return _count(table, some, braced, 2, budget, found)[0]

    return one_by_one(len(cells), order, keep, count)


def devise(table: ErasureTable, rng: Rng) -> tuple[Slots, tuple[int, ...]] | None:
    """Erasures and the symbols of all cells for which they are the only answer; None if all attempts are spent.

    Reads the size and the braced cells of the table, not its clues.
    """
    cells = table.rows * table.cols
    _, braced = read(table)
    pattern, symbols = np.zeros(cells, dtype=np.int64), np.zeros(cells, dtype=np.int64)
    if not _devise(braced, table.rows, table.cols, WALK * cells, state_of(rng), pattern, symbols):
        return None
    return slots(pattern), slots(symbols)


def band(table: ErasureTable) -> str:
    """How hard the deductions find a board with one answer; what deduce() says, without its steps."""
    from puzzlemill.solvers.kernels.erase_tier import tier  # compiled only where it is asked for

    found = tier(table)
    return "hard" if found is None else "easy" if found < 3 else "medium"
