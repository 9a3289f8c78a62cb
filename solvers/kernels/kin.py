"""Families of one couple, their descendants and whom these married (KinTable): names on the places of every shape of family.

A *shape* is such a family without names: there are some hundreds of ten people at most in three generations. In each shape every
kin word is a matrix of its places, so that a statement says which places two people may have together. Names are put on places,
those with the fewest places first, and what statements leave for the others is narrowed at once. Of brothers and sisters whose
families look alike, the smaller number comes first: so every family is found once. A node is one name on one place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import KIN_STATEMENTS, KIN_WORDS, Finding, KinTable, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.driver import even, listed, one_by_one

_MOST = 10  # people
_SINGLE, _COUNTED, _TOTAL = (KIN_STATEMENTS.index(name) for name in ("man", "children", "men"))
_WIDTH = 7  # of a clue
_EVEN_BELOW = 4096  # sample() draws evenly if there are fewer answers under clues than this
_NODES = 2_000_000


# ---- shapes --------------------------------------------------------------------------------------------------------------

Unit = tuple[int, Any]  # a descendant: gender, and the units of the children, None if unmarried


@lru_cache(maxsize=256)
def _units(size: int, depth: int, alike: bool) -> tuple[Unit, ...]:
    """All descendants that, with spouse and descendants, are so many people in so many generations at most."""
    if size == 1:
        return (0, None), (1, None)
    return tuple([(gender, children) for gender in (0, 1) for children in _forests(size - 2, depth - 1, alike)])


@lru_cache(maxsize=256)
def _forests(size: int, depth: int, alike: bool) -> tuple[tuple[Unit, ...], ...]:
    """All sets of brothers and sisters of so many people in all; those that look alike stand side by side."""
    if not size:
        return ((),)
    every = [(part, unit) for part in range(1, size + 1) for unit in _units(part, depth, alike)] if depth else []
    found: list[tuple[Unit, ...]] = []

    def add(start: int, left: int, chosen: tuple[Unit, ...]) -> None:
        if not left:
            found.append(chosen)
        else:
            for i in range(start, len(every)):
                if every[i][0] <= left and not (alike and chosen and chosen[0][0] != every[i][1][0]):
                    add(i, left - every[i][0], (*chosen, every[i][1]))

    add(0, size, ())
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Shapes:
    """slots: [S, 4, n] gender, spouse, father and mother of each place, itself for nobody. before: [S, n] a place whose name has
    the smaller number, or -1. kin: [S, W, n] the places, as a mask, that are this to a place. single: [S, 6, n] whether a place
    is so. counted: [S, 5, n]; totals: [S, 3]. weight: how many families have the shape.
    """

    slots: Any
    before: Any
    kin: Any
    single: Any
    counted: Any
    totals: Any
    weight: tuple[int, ...]


def _placed(children: Sequence[Unit], parents: tuple[int, int], rows: list[list[int]], before: list[int]) -> int:
    """Put units on the next places; the number of ways in which brothers and sisters that look alike can change places."""
    ways, alike, last = 1, 1, -1
    for k, (gender, own) in enumerate(children):
        here = len(rows)
        rows.append([gender, here, *parents])
        same = k > 0 and children[k - 1] == (gender, own)
        before.append(last if same else -1)
        alike = alike + 1 if same else 1
        ways, last = ways * alike, here
        if own is not None:
            rows[here][1] = here + 1
            rows.append([1 - gender, here, here + 1, here + 1])
            before.append(-1)
            ways *= _placed(own, (here, here + 1) if gender == 0 else (here + 1, here), rows, before)
    return ways


def _depth(children: Sequence[Unit]) -> int:
    return 1 + max([_depth(own or ()) for _, own in children], default=0)


@lru_cache(maxsize=64)
def _shapes(people: int, generations: int, alike: bool) -> _Shapes:
    slots, befores, weights = [], [], []
    for children in _forests(people - 2, generations - 1, alike):
        if _depth(children) == generations:
            rows, before = [[0, 1, 0, 0], [1, 0, 1, 1]], [-1, -1]
            weights.append(factorial(people) // _placed(children, (0, 1), rows, before))
            slots.append(rows)
            befores.append(before)
    table = np.array(slots, dtype=np.int64).reshape(-1, people, 4).transpose(0, 2, 1).copy()
    kin, single, counted, totals = _facts(table)
    return _Shapes(table, np.array(befores, dtype=np.int64).reshape(-1, people), kin, single, counted, totals, tuple(weights))


def _facts(slots: Any) -> tuple[Any, Any, Any, Any]:
    """Matrices of kin words, and what single statements and counts say, of all shapes at once."""
    shapes, _, n = slots.shape
    places, woman = np.arange(n), slots[:, 0, :] == 1
    own = np.eye(n, dtype=bool)

    def points(field: int) -> Any:
        """[S, p, q]: p is in this field of q."""
        return (slots[:, None, field, :] == places[None, :, None]) & ~own

    father, mother, wed = points(2), points(3), points(1)

    def then(one: Any, two: Any) -> Any:
        return np.matmul(one.astype(np.int64), two.astype(np.int64)) > 0

    parent = father | mother
    child = parent.transpose(0, 2, 1)
    sibling = then(child, father) & ~own
    beside = then(sibling, parent)
    uncle = beside | then(wed, beside)
    grand = then(parent, parent)
    great = then(parent, grand)
    law, beside_law = then(parent, wed), then(sibling, wed) | then(wed, sibling)

    def back(matrix: Any) -> Any:
        return matrix.transpose(0, 2, 1)

    plain: tuple[Any, ...] = (parent, child, wed, sibling, grand, back(grand), great, back(great), uncle, back(uncle))
    plain = (*plain, then(child, beside), law, back(law), beside_law)
    every = []
    for k, matrix in enumerate(plain):
        if k != _COUSIN:
            every += [matrix & ~woman[:, :, None], matrix & woman[:, :, None]]
        every.append(matrix)
    every += [_alone(every[KIN_WORDS.index(name.removeprefix("only_"))]) for name in KIN_WORDS[len(every) :]]
    bits = (np.int64(1) << places)[None, :, None]
    kin = np.stack([(matrix * bits).sum(axis=1) for matrix in every], axis=1) if shapes else np.zeros((0, len(KIN_WORDS), n))
    married = slots[:, 1, :] != places
    single = (~woman, woman, married, ~married, ~child.any(axis=1), ~sibling.any(axis=1))
    words = ("child", "son", "daughter", "brother", "sister")
    counted = [every[KIN_WORDS.index(word)].sum(axis=1) for word in words]
    totals = ((~woman).sum(axis=1), woman.sum(axis=1), married.sum(axis=1) // 2)
    return (
        np.ascontiguousarray(kin, dtype=np.int64),
        np.stack(single, axis=1).astype(np.int64),
        np.stack(counted, axis=1).astype(np.int64),
        np.stack(totals, axis=1).astype(np.int64),
    )


_COUSIN = 10  # the kinship that has one word


def _alone(matrix: Any) -> Any:
    return matrix & (matrix.sum(axis=1) == 1)[:, None, :]


# ---- the search ----------------------------------------------------------------------------------------------------------


@kernel("void(int64[::1], int64[:, :, ::1], int64[:, ::1], int64[:, ::1])")
def _related(clue, kin, forth, back):
    """Of each shape forth[s, q]: the places of x where y is at q; back[s, p]: those of y where x is at p."""
    n = kin.shape[2]
    for s in range(kin.shape[0]):
        for q in range(n):
            mask = np.int64(1) << q
            for k in range(_WIDTH - 1, 3, -1):
                if clue[k] >= 0:
                    reached = np.int64(0)
                    for z in range(n):
                        if (mask >> z) & 1:
                            reached |= kin[s, clue[k], z]
                    mask = reached
            forth[s, q] = mask
            for p in range(n):
                if (mask >> p) & 1:
                    back[s, p] |= np.int64(1) << q


@kernel("int64(int64)", inlined=True)
def _few(mask):
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel("boolean(int64[:, ::1], boolean[::1], int64[:, :, ::1], int64[:, :, ::1], int64[:, :, ::1], int64[::1], int64)")
def _begin(clues, active, may, forth, back, domain, s):
    """Set what statements leave for each name in a shape; False if nothing for one."""
    n = domain.shape[0]
    for x in range(n):
        domain[x] = (np.int64(1) << n) - 1
    for c in range(clues.shape[0]):
        if active[c]:
            domain[clues[c, 1]] &= may[c, s, 0]
            domain[clues[c, 2]] &= may[c, s, 1]
            if domain[clues[c, 1]] == 0 or domain[clues[c, 2]] == 0:
                return False
    for _ in range(2):
        for c in range(clues.shape[0]):
            if active[c] and clues[c, 0] == 0:
                x, y = clues[c, 1], clues[c, 2]
                mx, my = np.int64(0), np.int64(0)
                for p in range(n):
                    if (domain[y] >> p) & 1:
                        mx |= forth[c, s, p]
                domain[x] &= mx
                for p in range(n):
                    if (domain[x] >> p) & 1:
                        my |= back[c, s, p]
                domain[y] &= my
                if domain[x] == 0 or domain[y] == 0:
                    return False
    return True


@kernel("boolean(int64[:, ::1], boolean[::1], int64[:, :, ::1], int64[:, :, ::1], int64[::1], int64, int64, int64)")
def _narrow(clues, active, forth, back, domain, s, x, p):
    """Take what is left for the others when a name is at a place; False if nothing for one."""
    n = domain.shape[0]
    for c in range(clues.shape[0]):
        if active[c] and clues[c, 0] == 0:
            if clues[c, 1] == x:
                domain[clues[c, 2]] &= back[c, s, p]
            elif clues[c, 2] == x:
                domain[clues[c, 1]] &= forth[c, s, p]
    mine = ~(np.int64(1) << p)
    for other in range(n):
        if other != x:
            domain[other] &= mine
            if domain[other] == 0:
                return False
    return True


@kernel(
    "int64(int64[:, :, ::1], int64[:, ::1], int64[:, ::1], int64[:, :, ::1], int64[:, :, ::1], int64[:, :, ::1], boolean[::1], "
    "int64, int64[:, ::1], int64[::1])"
)
def _search(slots, before, clues, may, forth, back, active, limit, found, nodes):
    """Count answers up to the limit, and write those for which there is room. nodes: [used, budget]."""
    n = slots.shape[2]
    total = np.int64(0)
    domain = np.zeros((n + 1, n), dtype=np.int64)
    chosen = np.zeros(n + 1, dtype=np.int64)  # the name that is placed at each depth
    left = np.zeros(n + 1, dtype=np.int64)  # its places that are still to be tried
    place = np.full(n, -1, dtype=np.int64)
    name_at = np.full(n, -1, dtype=np.int64)
    for s in range(slots.shape[0]):
        if not _begin(clues, active, may, forth, back, domain[0], s):
            continue
        depth = 0
        place[:] = -1
        name_at[:] = -1
        fresh = True
        while depth >= 0:
            if depth == n:
                if total < found.shape[0]:
                    for x in range(n):
                        p = place[x]
                        found[total, 4 * x] = slots[s, 0, p]
                        for field in range(1, 4):
                            found[total, 4 * x + field] = name_at[slots[s, field, p]]
                total += 1
                if total >= limit:
                    return total
                depth -= 1
                fresh = False
                continue
            if fresh:
                best, size = -1, 99
                for x in range(n):
                    if place[x] < 0:
                        many = _few(domain[depth, x])
                        if many < size:
                            best, size = x, many
                chosen[depth] = best
                left[depth] = domain[depth, best]
            else:
                x = chosen[depth]
                name_at[place[x]] = -1
                place[x] = -1
            x = chosen[depth]
            down = False
            while left[depth]:
                p = 0
                while not (left[depth] >> p) & 1:
                    p += 1
                left[depth] &= ~(np.int64(1) << p)
                nodes[0] += 1
                if nodes[0] > nodes[1]:
                    return -1 - total
                wrong = before[s, p] >= 0 and name_at[before[s, p]] > x
                for q in range(p + 1, n):
                    if before[s, q] == p and 0 <= name_at[q] < x:
                        wrong = True
                if wrong:
                    continue
                for other in range(n):
                    domain[depth + 1, other] = domain[depth, other]
                domain[depth + 1, x] = np.int64(1) << p
                if _narrow(clues, active, forth, back, domain[depth + 1], s, x, p):
                    place[x] = p
                    name_at[p] = x
                    down = True
                    break
            if down:
                depth += 1
                fresh = True
            else:
                depth -= 1
                fresh = False
    return total


# ---- what others call -----------------------------------------------------------------------------------------------------


Row = tuple[int, ...]


@lru_cache(maxsize=512)  # puzzles that differ in one statement have the others in common
def _meaning(people: int, generations: int, alike: bool, clue: Row) -> tuple[Any, Any, Any]:
    """What a statement leaves in each shape: [S, 2] for both of its people, and for each place of one the places of the other."""
    shapes = _shapes(people, generations, alike)
    code, number, many = clue[0], clue[3], len(shapes.weight)
    full = (1 << people) - 1
    may, forth, back = np.full((many, 2), full, dtype=np.int64), *[np.zeros((many, people), dtype=np.int64) for _ in range(2)]
    if code == 0:
        _related(np.array(clue, dtype=np.int64), shapes.kin, forth, back)
        may[:, 0], may[:, 1] = np.bitwise_or.reduce(forth, axis=1), np.bitwise_or.reduce(back, axis=1)
    elif code >= _TOTAL:
        may[:, 0] = np.where(shapes.totals[:, code - _TOTAL] == number, full, 0)
    else:
        so = shapes.counted[:, code - _COUNTED] == number if code >= _COUNTED else shapes.single[:, code - _SINGLE] == 1
        may[:, 0] = (so * (1 << np.arange(people))).sum(axis=1)
    return may, forth, back


def _read(table: KinTable) -> tuple[Any, Any, Any, Any, Any, Any]:
    """The arrays of a search. Raises BadRow for what compiled code could not read."""
    n = table.people
    if not 3 <= n <= _MOST or table.generations < 2:
        raise BadRow(f"a family has 3 to {_MOST} people in 2 generations or more, got {n} in {table.generations}")
    for clue in table.clues:
        sound = len(clue) == _WIDTH and 0 <= clue[0] < len(KIN_STATEMENTS) and all(0 <= x < n for x in clue[1:3])
        if not sound or not all(-1 <= word < len(KIN_WORDS) for word in clue[4:]):
            raise BadRow(f"a clue of a family of {n} is seven numbers in range, got {str(clue)[:60]}")
    shapes = _shapes(n, table.generations, table.alike)
    clues = np.array(table.clues, dtype=np.int64).reshape(-1, _WIDTH)
    if not table.clues:
        empty = np.empty((0, len(shapes.weight), n), dtype=np.int64)
        return shapes.slots, shapes.before, clues, empty, empty, empty
    meanings = [_meaning(n, table.generations, table.alike, clue) for clue in table.clues]
    may, forth, back = [np.stack([meaning[k] for meaning in meanings]) for k in range(3)]
    return shapes.slots, shapes.before, clues, may, forth, back


def answers(table: KinTable, limit: int, budget: int) -> Finding:
    """See kernels.answers."""
    arrays = _read(table)
    active = np.ones(len(table.clues), dtype=np.bool_)

    def search(found: Any) -> tuple[int, int]:
        nodes = np.array([0, budget], dtype=np.int64)
        return _search(*arrays, active, limit, found, nodes), int(nodes[0])

    return listed(search, limit, 4 * table.people, np.int64)


def minimize(table: KinTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """See kernels.minimize; `budget` bounds each proof."""
    arrays, found = _read(table), np.empty((0, 4 * table.people), dtype=np.int64)

    def count(stays: Any) -> int:
        return int(_search(*arrays, stays, 2, found, np.array([0, budget], dtype=np.int64)))

    return one_by_one(len(table.clues), order, keep, count)


def sample(table: KinTable, rng: Rng) -> Slots | None:
    """A random answer: an even draw of all families without clues, and under clues where there are fewer than 4,096."""
    if table.clues:
        return even(answers(table, _EVEN_BELOW, _NODES).answers, rng)
    shapes = _shapes(table.people, table.generations, table.alike)
    if not shapes.weight:
        return None
    drawn = rng.below(sum(shapes.weight))
    shape = next(_until(shapes.weight, drawn))
    return named(shapes.slots[shape].tolist(), rng.shuffled(range(table.people)))


def _until(weights: Sequence[int], drawn: int) -> Iterator[int]:
    for i, weight in enumerate(weights):
        drawn -= weight
        if drawn < 0:
            yield i


def named(fields: Sequence[Sequence[int]], names: Sequence[int]) -> Slots:
    """The answer in which names stand on the places of a shape, in this order."""
    row = dict(zip(names, zip(*fields, strict=True), strict=True))
    return tuple([v for x in range(len(names)) for v in (row[x][0], *[names[p] for p in row[x][1:]])])
