"""Statements of a logic grid, and their opposites, as what they say of pairs of items and of places on a scale.

Item (c, v) is number c * items + v. Nothing here knows of a board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from puzzlemill.core.model import GRID_COMPOSITES, GRID_RELATIONS, Fact, GridTable

BOTH, ONE_OF, IF, EITHER = GRID_COMPOSITES[:4]
ARITY = {"either_or": 3, "neither": 3, "pair": 4, "between": 3}  # 2 of the others; "different" has 3 to 5
ORDERS = ("before", "exactly", "apart", "at_least", "between")


class Link(NamedTuple):
    """Two items, the one with the smaller number first, that are of one entity, or are not."""

    x: int
    y: int
    yes: bool


def link(x: int, y: int, yes: bool) -> Link:
    """The same for two items in any order."""
    return Link(x, y, yes) if x < y else Link(y, x, yes)


class LinkSlots:
    """Slots of links. Those of the form say of each entity which item of a category it has; further ones say of each item of a
    category which item of a later one goes with it.
    """

    def __init__(self, categories: int, items: int) -> None:
        self.m, self.n = categories, items
        pairs = [(0, c) for c in range(1, categories)] + [(b, c) for b in range(1, categories) for c in range(b + 1, categories)]
        self.pairs = pairs
        self.first = {pair: k * items for k, pair in enumerate(pairs)}

    def fact(self, x: int, y: int) -> Fact:
        """Two items, the first of an earlier category, as a slot with its value."""
        n = self.n
        return self.first[x // n, y // n] + x % n, y % n

    def items(self, slot: int, value: int) -> tuple[int, int]:
        """The two items of a slot's value."""
        b, c = self.pairs[slot // self.n]
        return b * self.n + slot % self.n, c * self.n + value


@dataclass(frozen=True, slots=True)
class Relation:
    """tuples: the places on a scale of so many items that are right. images[k][mask] of two: where the other one may be if the
    k-th is at a place of the mask.
    """

    tuples: tuple[tuple[int, ...], ...]
    images: tuple[tuple[int, ...], ...]

    def narrowed(self, masks: Sequence[int]) -> list[int]:
        """The places of each item that are in some right tuple."""
        if self.images:
            return [masks[0] & self.images[1][masks[1]], masks[1] & self.images[0][masks[0]]]
        left = [0, 0, 0]
        x, y, z = masks
        for p, q, r in self.tuples:
            if x >> p & 1 and y >> q & 1 and z >> r & 1:
                left[0] |= 1 << p
                left[1] |= 1 << q
                left[2] |= 1 << r
        return left


@lru_cache(maxsize=4096)
def relation(kind: str, truth: bool, d: int, numbers: tuple[int, ...], apart: tuple[tuple[int, int], ...]) -> Relation:
    """apart: pairs of the items that are of one category, so that no two stand at one place."""
    places = range(len(numbers))
    right = [
        at
        for at in product(places, repeat=ARITY.get(kind, 2))
        if _in_order(kind, [numbers[p] for p in at], d) is truth and all(at[j] != at[k] for j, k in apart)
    ]
    images: list[tuple[int, ...]] = []
    for k in (0, 1) if ARITY.get(kind, 2) == 2 else ():
        row = [0] * (1 << len(numbers))
        for mask in range(1, len(row)):
            low = mask & -mask
            row[mask] = sum([1 << at[1 - k] for at in right if 1 << at[k] == low]) if mask == low else row[low] | row[mask ^ low]
        images.append(tuple(row))
    return Relation(tuple(right), tuple(images))


def _in_order(kind: str, at: Sequence[int], d: int) -> bool:
    gap = at[1] - at[0]
    if kind == "between":
        return min(at[1:]) < at[0] < max(at[1:])
    return {"before": gap > 0, "exactly": gap == d, "apart": abs(gap) == d, "at_least": gap >= d}[kind]


Way = tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A plain statement that is true (truth), or false. clue, part: of which clue, and which part of a composite (else -1).

    ways: in one of these ways, all of its links, it holds; no link is of two items of one category. On a scale, which is a
    category (else -1), its items stand at places as the relation has it.
    """

    clue: int
    part: int
    kind: str
    truth: bool
    items: tuple[int, ...]
    ways: tuple[Way, ...]
    scale: int = -1
    number: int = 0
    relation: Relation = Relation((), ())

    def partners(self, live: Sequence[Way]) -> dict[int, list[int]]:
        """Of each item that has a partner in all of these ways, its partners in them."""
        found: dict[int, list[int]] = {}
        for x in self.items:
            mine = [[y for pair in way if pair.yes and x in pair[:2] for y in pair[:2] if y != x] for way in live]
            if all(mine):
                found[x] = [ys[0] for ys in mine]
        return found


def claims(table: GridTable) -> list[tuple[tuple[Claim, Claim], ...]]:
    """Of each clue its parts, of a plain one itself: as true, and as false."""
    found = []
    for i, row in enumerate(table.clues):
        composite = GRID_RELATIONS[row[0]] in GRID_COMPOSITES
        rows = table.parts[row[2] : row[2] + row[1]] if composite else (row,)
        parts = [
            (_claim(table, i, k if composite else -1, part, True), _claim(table, i, k if composite else -1, part, False))
            for k, part in enumerate(rows)
        ]
        found.append(tuple(parts))
    return found


def _claim(table: GridTable, clue: int, part: int, row: Sequence[int], truth: bool) -> Claim:
    n, kind = table.items, GRID_RELATIONS[row[0]]
    items = tuple([row[2 + 2 * k] * n + row[3 + 2 * k] for k in range(row[1])])
    if kind not in ORDERS:
        ways = [_possible(way, n) for way in _ways(kind, truth, items)]
        return Claim(clue, part, kind, truth, items, tuple([way for way in ways if way is not None]))
    category, numbers = table.scales[row[12]]
    apart = tuple([(j, k) for j, k in combinations(range(len(items)), 2) if items[j] // n == items[k] // n])
    right = relation(kind, truth, row[13], numbers, apart)
    never = [
        link(items[j], items[k], False)
        for j, k in combinations(range(len(items)), 2)
        if all(at[j] != at[k] for at in right.tuples)
    ]
    return Claim(clue, part, kind, truth, items, (_possible(never, n) or (),), category, row[13], right)


def _possible(way: Sequence[Link], n: int) -> Way | None:
    """The links of two categories; None if it makes two items of one category one."""
    if any(pair.yes and pair.x // n == pair.y // n for pair in way):
        return None
    return tuple([pair for pair in way if pair.x // n != pair.y // n])


def _ways(kind: str, truth: bool, items: tuple[int, ...]) -> list[list[Link]]:
    w, x, *others = items
    if kind in ("is", "is_not"):
        return [[link(w, x, (kind == "is") is truth)]]
    if kind == "different":
        pairs = list(combinations(items, 2))
        return [[link(*pair, False) for pair in pairs]] if truth else [[link(*pair, True)] for pair in pairs]
    y = others[0]
    if kind == "neither":
        return [[link(w, x, False), link(w, y, False)]] if truth else [[link(w, x, True)], [link(w, y, True)]]
    if kind == "either_or":
        apart = link(x, y, False)
        right = [[link(w, x, True), link(w, y, False), apart], [link(w, y, True), link(w, x, False), apart]]
        return right if truth else [[link(w, x, True), link(w, y, True)], [link(w, x, False), link(w, y, False)]]
    z = others[1]
    both = [link(w, x, False), link(y, z, False)]
    one, two = [link(w, y, True), link(x, z, True)], [link(w, z, True), link(x, y, True)]
    if truth:
        return [[*one, *both, link(w, z, False), link(x, y, False)], [*two, *both, link(w, y, False), link(x, z, False)]]
    return [[link(w, x, True)], *[[link(*a[:2], False), link(*b[:2], False)] for a in one for b in two]]
