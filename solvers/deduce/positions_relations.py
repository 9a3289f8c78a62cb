"""Kinds of statements as the tuples of places that make them true, and what follows for masks of places.

Nothing here knows of a board: an item may be anything that has one place of n.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from puzzlemill.core.model import COMPOSITES
from puzzlemill.rules.positions import is_true

IF = COMPOSITES[1]
UNARY = ("at", "not_at", "end", "not_end", "up_to", "from")
_SUPPORTED = ("at", "end", "same", "next", "just_left", "apart", "far", "ahead")  # one item's place names those of the other


@dataclass(frozen=True, slots=True)
class Relation:
    """tuples: the places of the items that are right; having[k][p]: those where the k-th item is at p. images: see narrowed().

    direct: see _SUPPORTED.
    """

    arity: int
    tuples: tuple[tuple[int, ...], ...]
    having: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
    images: tuple[tuple[int, ...], ...]
    direct: bool

    def having_all(self, fixed: dict[int, int]) -> tuple[tuple[int, ...], ...]:
        """The right tuples with this place of one item, or all if none is fixed."""
        if not fixed:
            return self.tuples
        ((k, p),) = fixed.items()
        return self.having[k][p]

    def narrowed(self, masks: Sequence[int]) -> list[int]:
        """The places of each item that are in some right tuple."""
        if self.arity == 1:
            return [masks[0] & self.images[0][0]]
        if self.arity == 2:
            return [masks[0] & self.images[1][masks[1]], masks[1] & self.images[0][masks[0]]]
        left = [0, 0, 0]
        x, y, z = masks
        for p, q, r in self.tuples:
            if x >> p & 1 and y >> q & 1 and z >> r & 1:
                left[0] |= 1 << p
                left[1] |= 1 << q
                left[2] |= 1 << r
        return left

    def possible(self, masks: Sequence[int]) -> bool:
        """Return whether some right tuple is within these places."""
        if self.arity == 1:
            return masks[0] & self.images[0][0] != 0
        if self.arity == 2:
            return masks[0] & self.images[1][masks[1]] != 0
        x, y, z = masks
        return any(x >> p & 1 and y >> q & 1 and z >> r & 1 for p, q, r in self.tuples)


@dataclass(frozen=True, slots=True)
class Statement:
    """A relation of items: items[i] stands at the i-th place of a right tuple.

    via: by which clues these items stand for those that the statement names.
    """

    relation: Relation
    items: tuple[int, ...]
    via: tuple[int, ...]


@lru_cache(maxsize=2048)
def relation(name: str, d: int, n: int, truth: bool, alike: tuple[int, ...] = ()) -> Relation:
    """alike[k]: the first of the items that the k-th one is merged with, if any two are."""
    arity = 1 if name in UNARY else 3 if name == "between" else 2
    tuples = tuple(
        [
            places
            for places in product(range(n), repeat=arity)
            if is_true(name, places, d, n) == truth and all(places[k] == places[first] for k, first in enumerate(alike))
        ]
    )
    images: list[tuple[int, ...]] = []
    if arity == 1:
        images = [(sum([1 << p for (p,) in tuples]),)]
    if arity == 2:
        for way in (0, 1):
            row = [0] * (1 << n)
            for mask in range(1, 1 << n):
                low = mask & -mask
                reach = sum([1 << places[1 - way] for places in tuples if 1 << places[way] == low]) if mask == low else row[low]
                row[mask] = reach | row[mask ^ low]
            images.append(tuple(row))
    having = tuple([tuple([tuple([each for each in tuples if each[k] == p]) for p in range(n)]) for k in range(arity)])
    return Relation(arity, tuples, having, tuple(images), truth and name in _SUPPORTED and not alike)


def forced(kind: str, parts: Sequence[tuple[Statement, Statement]], places: Sequence[int]) -> list[tuple[int, int, list[int]]]:
    """(part, truth, because) for parts of a composite that others decide; part -1 if these cannot agree."""
    states = []
    for true, false in parts:
        can = [each.relation.possible([places[x] for x in each.items]) for each in (false, true)]
        states.append(-1 if all(can) else int(can[1]))
    if kind == IF:
        if states[0] == 1 and states[1] < 1:
            return [(-1, 0, [0, 1]) if states[1] == 0 else (1, 1, [0])]
        return [(0, 0, [1])] if states == [-1, 0] else []
    true_ones = [k for k, state in enumerate(states) if state == 1]
    false_ones = [k for k, state in enumerate(states) if state == 0]
    open_ones = [k for k, state in enumerate(states) if state < 0]
    if len(true_ones) > 1 or len(false_ones) == len(parts):
        return [(-1, 0, true_ones[:2] or false_ones)]
    if true_ones:
        return [(k, 0, true_ones) for k in open_ones]
    return [(open_ones[0], 1, false_ones)] if len(open_ones) == 1 else []
