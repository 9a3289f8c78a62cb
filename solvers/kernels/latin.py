"""Latin grids (LatinTable): n x n cells, every row, column and further unit holds each of n values once, n <= 25.

9x9 grids with the nine standard boxes and no more go to `bands`; everything else to `latin_search`.

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
from puzzlemill.solvers.kernels.driver import SURE, anew, even, is_only, listed, pairs, slots
from puzzlemill.solvers.kernels.latin_search import GRID, dig, load, search, settle
from puzzlemill.solvers.kernels.random import below, shuffle, state_of

_EVEN = 1_000  # a puzzle with at most this many answers is sampled exactly evenly
_EVEN_CLUELESS = 40_000  # the same, for answers with a fixed first row when there are no clues (6x6 sudoku: 39,168)

_SMALL = 6  # up to this size all answers are listed
_MIDDLE = 9  # up to this size a heaviest group is waited for
_TRIES = 60  # to fill a 9x9 grid cell by cell
_STARTS = 300  # of a random search before a walk, with growing budgets
_DRAWS = 500  # until the first group is heaviest
_STEPS = 40  # of a walk
_LOOSE = np.array([2, 3, 3, 4], dtype=np.int64)  # values and units that a step frees, at least and at most
_TIGHT = np.array([5, 6, 5, 6], dtype=np.int64)  # the same if neighbours stay apart: answers are few and far between
_Arrays = tuple[Any, Any, Any, Any, Any]  # those of GRID


@kernel("boolean(int8[::1], int32[:,::1])")
def weighs_most(cells, groups):
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


@kernel(f"int64(int8[::1], boolean[::1], {GRID}, boolean, int64, int64[::1], int64, uint64[::1], int8[:,::1])")
def walk(cells, fixed, units, member, crossings, near, groups, relabel, moves, blocks, budget, state, found):
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
    """The arrays of GRID."""
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
    if not table.clues:
        return cells
    where, values = pairs(table.clues, n * n, n, f"a Latin grid of {n}")
    cells[where] = values
    return None if (cells[where] != values).any() else cells


def answers(table: LatinTable, limit: int, budget: int) -> Finding:
    """Up to `limit` different answers; `budget` bounds branchings. Raises BadRow for a table that describes no grid."""
    grid = _grid(table.n, table.units, table.apart, table.heaviest)
    cells = _cells(table)
    if cells is None:
        return Finding((), True, 0)
    return listed(lambda found: _search(table, grid, cells, limit, budget, found), limit, len(cells))


def _search(table: LatinTable, grid: _Arrays, cells: Any, limit: int, budget: int, found: Any) -> tuple[int, int]:
    size = len(cells)
    if not _nine(table):
        stack = np.empty((size + 1, size), dtype=np.int32)
        load(stack, cells, table.n)
        count, nodes = search(stack, *grid, limit, budget, found, SURE, False)
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


def minimize(table: LatinTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """See kernels.minimize; `budget` bounds branchings in all."""
    grid = _grid(table.n, table.units, table.apart, table.heaviest)
    cells = _cells(table)
    clues = table.clues
    room = np.empty((0, len(cells)), dtype=np.int8)
    count, nodes = _search(table, grid, cells, 2, budget, room)
    if not is_only(count):
        return None
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
def pack(masks, shadows, cells, options, found):
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
    """A random answer, None if there is none. Moves `rng` on; the top of this module says how even answers are.

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
            return even(few.answers, own)
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
        return slots(room[0])
    grid = _grid(n, table.units, False, ())
    stack = np.empty((size + 1, size), dtype=np.int32)

    def once(budget: int) -> int:
        load(stack, cells, n)
        return int(search(stack, *grid, 1, budget, room, state, True)[0])

    return slots(room[0]) if anew(once, size, f"a Latin grid of {n}") else None


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

    def once(budget: int) -> int:
        load(stack, cells, n)
        count = int(search(stack, *searched, 1, budget, room, state, plain)[0])
        if count > 0 and free:
            renamed = _renamed(room[0], grid[4], own)
            if renamed is None:
                return -1
            room[0] = renamed
        return count

    if not anew(once, size, f"a Latin grid of {n}", _STARTS, 100):
        return None
    full = room[0]
    blocks, most = (_TIGHT, 400) if table.apart else (_LOOSE, 256)
    walk(full, cells >= 0, *grid, free, _STEPS, blocks, 2 * most, state, np.empty((most, size), dtype=np.int8))
    return slots(full)
