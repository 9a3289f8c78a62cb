"""The tier of boards of which cells are erased (ErasureTable) as solvers/deduce/erase.py finds it, without steps.

A tier is the least one whose techniques, with those below it, set every cell: the more is known, the more each of them finds.
Not found are boards that need suppositions, and those without an answer.
"""

from __future__ import annotations

import numpy as np

from puzzlemill.core.model import ErasureTable
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.erase import CROWD, join, read, roots

LINKS = 8  # of a chain, at most


@kernel("void(int64[:,::1], int64[::1], int64, int64, int64, int64)")
def _set(state, queue, rows, cols, cell, value):
    """Keep (1) or erase (2) a cell that is open. queue: the cells that are set, and their number in its last place."""
    if state[0, cell] != 0:
        return
    if value == 2:
        join(state, rows, cols, cell)
    state[0, cell] = value
    queue[queue[rows * cols]] = cell
    queue[rows * cols] += 1


@kernel("void(int64[:,::1], int64[::1], int64[::1], int64[::1], int64, int64, int64, int64, int64)")
def _follow(state, symbols, braced, queue, first, braces, rows, cols, top):
    """Set what tier 1 of the deductions, or tiers 1 and 2, make of the set cells from queue[first] on."""
    cells = rows * cols
    while first < queue[cells]:
        cell = queue[first]
        first += 1
        r, c = cell // cols, cell % cols
        if state[0, cell] == 1:
            for i in range(cols + rows):
                other = r * cols + i if i < cols else (i - cols) * cols + c
                if other != cell and symbols[cell] >= 0 and symbols[other] == symbols[cell]:
                    _set(state, queue, rows, cols, other, 2)
            continue
        for way in range(4):
            y = r - 1 if way == 0 else r + 1 if way == 1 else r
            x = c - 1 if way == 2 else c + 1 if way == 3 else c
            if y < 0 or x < 0 or y >= rows or x >= cols:
                continue
            _set(state, queue, rows, cols, y * cols + x, 1)
            if top == 1:
                continue
            ways, last = 0, -1
            for v, u in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
                if v >= 0 and u >= 0 and v < rows and u < cols and state[0, v * cols + u] != 2:
                    ways += 1
                    last = v * cols + u
            if ways == 1:
                _set(state, queue, rows, cols, last, 1)
        if not braces or top == 1:
            continue
        for y in range(max(0, r - 1), min(rows, r + 2)):
            for x in range(max(0, c - 1), min(cols, c + 2)):
                if not braced[y * cols + x]:
                    continue
                count = 0
                for v in range(max(0, y - 1), min(rows, y + 2)):
                    for u in range(max(0, x - 1), min(cols, x + 2)):
                        count += state[0, v * cols + u] == 2
                if count == CROWD:
                    for v in range(max(0, y - 1), min(rows, y + 2)):
                        for u in range(max(0, x - 1), min(cols, x + 2)):
                            _set(state, queue, rows, cols, v * cols + u, 1)


@kernel("boolean(int64[:,::1], int64[::1], int64, int64, int64, int64, int64[::1])")
def _refuted(state, symbols, rows, cols, start, square, seen):
    """Return whether a chain of LINKS links at most leads from a literal (2 * cell, and 1 more if it is erased) to its opposite.

    square: unless it is negative, a corner cell; the chain stays among it and the three cells that touch it. seen: scratch.
    """
    queue = seen[2 * rows * cols :]
    for i in range(2 * rows * cols):
        seen[i] = -1
    seen[start] = 0
    queue[0] = start
    first, many = 0, 1
    while first < many:
        literal = queue[first]
        first += 1
        if seen[literal] == LINKS:
            return False
        cell, erased = literal >> 1, literal & 1
        r, c = cell // cols, cell % cols
        for i in range(6 if erased else rows + cols):
            if not erased:
                other = r * cols + i if i < cols else (i - cols) * cols + c
                if other == cell or symbols[cell] < 0 or symbols[other] != symbols[cell]:
                    continue
            else:
                # next to it; and, for a cell next to a corner, the other cell next to that corner
                y = r - 1 if i == 0 else r + 1 if i == 1 else r
                x = c - 1 if i == 2 else c + 1 if i == 3 else c
                if i > 3 and (r == 0 or r == rows - 1) and (c == 1 if i == 4 else c == cols - 2):
                    y, x = 1 if r == 0 else rows - 2, 0 if i == 4 else cols - 1
                elif i > 3 and (c == 0 or c == cols - 1) and (r == 1 if i == 4 else r == rows - 2):
                    y, x = 0 if i == 4 else rows - 1, 1 if c == 0 else cols - 2
                elif i > 3:
                    continue
                if y < 0 or x < 0 or y >= rows or x >= cols:
                    continue
                other = y * cols + x
            after = 2 * other + 1 - erased
            if state[0, other] != 0 or seen[after] >= 0:
                continue
            if square >= 0 and (abs(other // cols - square // cols) > 1 or abs(other % cols - square % cols) > 1):
                continue
            if after == start ^ 1:
                return True
            seen[after] = seen[literal] + 1
            queue[many] = after
            many += 1
    return False


@kernel("void(int64[:,::1], int64[::1], int64[::1], int64[::1], int64, int64)")
def _begin(state, symbols, braced, queue, rows, cols):
    """Set what equal symbols next to each other, or with one cell between them, say, and keep braced cells."""
    for cell in range(rows * cols):
        if braced[cell]:
            _set(state, queue, rows, cols, cell, 1)
    for cell in range(rows * cols):
        r, c = cell // cols, cell % cols
        for way in range(2):  # to the right, and down
            step, room = (1, cols - 1 - c) if way == 0 else (cols, rows - 1 - r)
            if room > 1 and symbols[cell] >= 0 and symbols[cell] == symbols[cell + 2 * step]:
                _set(state, queue, rows, cols, cell + step, 1)
            if room > 0 and symbols[cell] >= 0 and symbols[cell] == symbols[cell + step]:
                for i in range(cols if way == 0 else rows):
                    other = r * cols + i if way == 0 else i * cols + c
                    if other not in (cell, cell + step) and symbols[other] == symbols[cell]:
                        _set(state, queue, rows, cols, other, 2)


@kernel("boolean(int64[:,::1], int64[::1], int64[::1], int64, int64, int64[::1])")
def _right(state, symbols, braced, rows, cols, stack):
    """Return whether a full board breaks no rule. stack: scratch."""
    cells, kept, many = rows * cols, 0, 0
    for cell in range(cells):
        r, c = cell // cols, cell % cols
        if state[0, cell] == 2:
            if (c + 1 < cols and state[0, cell + 1] == 2) or (r + 1 < rows and state[0, cell + cols] == 2) or braced[cell]:
                return False
            continue
        kept += 1
        state[1, cell] = 0
        if many == 0:
            stack[0], many, state[1, cell] = cell, 1, 1
        for other in range(cell + 1, cells):
            in_line = other // cols == r or other % cols == c
            if in_line and state[0, other] == 1 and symbols[cell] >= 0 and symbols[other] == symbols[cell]:
                return False
        if braced[cell]:
            count = 0
            for y in range(max(0, r - 1), min(rows, r + 2)):
                for x in range(max(0, c - 1), min(cols, c + 2)):
                    count += state[0, y * cols + x] == 2
            if count > CROWD:
                return False
    while many:
        many -= 1
        cell = stack[many]
        kept -= 1
        r, c = cell // cols, cell % cols
        for y, x in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            if 0 <= y < rows and 0 <= x < cols and state[0, y * cols + x] == 1 and state[1, y * cols + x] == 0:
                state[1, y * cols + x] = 1
                stack[many] = y * cols + x
                many += 1
    return kept == 0


@kernel("int64(int64[:,::1], int64[::1], int64[::1], int64, int64, int64[::1], int64[::1])")
def _stages(state, symbols, braced, rows, cols, queue, seen):
    """The tier at which every cell is set; 0 if those up to 4 leave some open."""
    cells, braces = rows * cols, 0
    for cell in range(cells):
        braces += braced[cell] != 0
    _begin(state, symbols, braced, queue, rows, cols)
    _follow(state, symbols, braced, queue, 0, braces, rows, cols, 1)
    if queue[cells] == cells:
        return 1
    _follow(state, symbols, braced, queue, 0, braces, rows, cols, 2)
    for corner in range(4):
        square = (corner >> 1) * (rows - 1) * cols + (corner & 1) * (cols - 1)
        for y in range(2):
            for x in range(2):
                cell = abs((corner >> 1) * (rows - 1) - y) * cols + abs((corner & 1) * (cols - 1) - x)
                for value in range(2):
                    if state[0, cell] == 0 and _refuted(state, symbols, rows, cols, 2 * cell + value, square, seen):
                        before = queue[cells]
                        _set(state, queue, rows, cols, cell, 2 - value)
                        _follow(state, symbols, braced, queue, before, braces, rows, cols, 2)
    if queue[cells] == cells:
        return 2
    tier, linked = 3, True
    while True:
        before = queue[cells]
        for cell in range(cells):
            if state[0, cell] == 0 and not roots(state, rows, cols, cell):
                _set(state, queue, rows, cols, cell, 1)
        if queue[cells] == before and linked:
            linked = False
            for literal in range(2 * cells):
                if state[0, literal >> 1] == 0 and _refuted(state, symbols, rows, cols, literal, -1, seen):
                    _set(state, queue, rows, cols, literal >> 1, 2 - (literal & 1))
                    tier, linked = 4, True
                    break
        if queue[cells] == cells:
            return tier
        if queue[cells] == before:
            return 0
        _follow(state, symbols, braced, queue, before, braces, rows, cols, 2)


def tier(table: ErasureTable) -> int | None:
    """See kernels.tier; None for what needs suppositions or has no answer. Raises BadRow for a malformed table."""
    symbols, braced = read(table)
    cells = table.rows * table.cols
    state, queue, seen = np.zeros((2, cells), np.int64), np.zeros(cells + 1, np.int64), np.zeros(4 * cells, np.int64)
    found = int(_stages(state, symbols, braced, table.rows, table.cols, queue, seen))
    return found if found and _right(state, symbols, braced, table.rows, table.cols, seen) else None
