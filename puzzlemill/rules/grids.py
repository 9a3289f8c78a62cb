"""Statements about entities that have one item of every category, with what each kind means to a plain checker.

Category 0 names the entities; every other category is a permutation of its items over them. An item (c, v) is value v of category
c. Some categories are *scales*: their items are numbers, in ascending order, and steps between them need not be even. X ~ Y says
that one entity has both items. The kinds:
  is, is_not       X ~ Y; not X ~ Y
  either_or        of the three items W, X and Y exactly one of W ~ X and W ~ Y holds
  neither          neither W ~ X nor W ~ Y
  pair             W and X are of two entities, one of which has Y and the other Z
  different        three to five items are of as many entities
  before           the first item's number on a scale is smaller than the second's
  exactly          the second item's number is the first one's and d more
  apart            the two numbers differ by d, whichever is larger
  at_least         the second item's number is larger by d or more
  between          the first item's number lies strictly between the two others, whichever of these is larger
and composites, whose parts are two or three statements of the kinds above:
  both             both statements are true
  one_of           exactly one of three statements is true
  if               the second statement is true or the first one is false
  either           exactly one of two statements is true
  all_but_one      exactly one of two statements or more is false: all clues of a puzzle with a false one

One category may be *shared*: one of its items belongs to two entities and one to none. X ~ Y then says that an entity has
both, and statements name its items only as what others have or have not (describes()).

may_hold() is the plain checker's; the model's and the kernel's meanings are written apart (grids_model.py). What has one order of
statements among several of the same meaning is made by stated() and combined().
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from types import MappingProxyType
from typing import Any, NamedTuple

from puzzlemill.core.errors import BadRow
from puzzlemill.core.form import Grid
from puzzlemill.core.model import GRID_COMPOSITES
from puzzlemill.core.types import Arg, Clue, Spec
from puzzlemill.rules import grids_twice

Item = tuple[int, int]  # (category, value)
Spots = Sequence[Sequence[Sequence[int]]]  # spots[c][v]: the entities that may have the item


@dataclass(frozen=True, slots=True)
class Scales:
    """The ordered categories of a puzzle, its board. numbers: of each, the last categories first to last, what its items measure
    from the first item on, in units: 0, 4, 7, 12. The last category is the last scale.
    """

    numbers: tuple[tuple[int, ...], ...] = ()


class Size(NamedTuple):
    """The number of categories, that of items of each, and the scales, each a category and its numbers, ascending from 0.

    shared: the category of which one item belongs to two entities and one to none; 0 if there is none.
    """

    categories: int
    items: int
    scales: tuple[tuple[int, tuple[int, ...]], ...] = ()
    shared: int = 0


def size_of(categories: int, items: int, board: Scales, shared: int = 0) -> Size:
    """The size with its scales: the last categories."""
    first = categories - len(board.numbers)
    return Size(categories, items, tuple([(first + k, numbers) for k, numbers in enumerate(board.numbers)]), shared)


def paper_bound(size: Size) -> str:
    """What LR2Bench's table 5 (2502.17848) prints for its four sizes, "(4!)^6" for 4x7. There are (7!)^3 answers: it has the
    categories in place of the items, and the items in place of the categories.
    """
    return f"({size.categories}!)^{size.items - 1}" if size.categories == 4 and 4 <= size.items <= 7 else ""


SizeOf = Callable[[Spec[Any], Scales], Size]


class Kind(NamedTuple):
    """items: how many a statement names at least, most: and at most. scale, number: whether it has one. parts: of a composite,
    at least; `most` if more than that.

    free: groups of items (or parts) that mean the same in any order, by their places.
    """

    items: int = 0
    most: int = 0
    scale: bool = False
    number: bool = False
    parts: int = 0
    free: tuple[tuple[int, ...], ...] = ()


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "is": Kind(2, 2, free=((0, 1),)),
        "is_not": Kind(2, 2, free=((0, 1),)),
        "either_or": Kind(3, 3, free=((1, 2),)),
        "neither": Kind(3, 3, free=((1, 2),)),
        "pair": Kind(4, 4, free=((0, 1), (2, 3))),
        "different": Kind(3, 5, free=((0, 1, 2, 3, 4),)),
        "before": Kind(2, 2, scale=True),
        "exactly": Kind(2, 2, scale=True, number=True),
        "apart": Kind(2, 2, scale=True, number=True, free=((0, 1),)),
        "at_least": Kind(2, 2, scale=True, number=True),
        "between": Kind(3, 3, scale=True, free=((1, 2),)),
        "both": Kind(parts=2, free=((0, 1),)),
        "one_of": Kind(parts=3, free=((0, 1, 2),)),
        "if": Kind(parts=2),
        "either": Kind(parts=2, free=((0, 1),)),
        "all_but_one": Kind(parts=2, most=80),  # in the order in which a prompt lists them
    }
)
# The places of items that a statement may name as what the others have, where several may have them.
_HAD = {
    "is": ((0,), (1,)),
    "is_not": ((0,), (1,)),
    "either_or": ((0,), (1, 2)),
    "neither": ((0,), (1, 2)),
    "pair": ((0, 1), (2, 3)),
}
LISTING = "all_but_one"  # the kind of a clue whose parts are the clues of a prompt
PLAIN = tuple([name for name, kind in KINDS.items() if kind.items])


class Statement(NamedTuple):
    """scale: an index in Size.scales, number: a difference in units; 0 for kinds without. parts: of a composite, which names no
    items itself.
    """

    kind: str
    items: tuple[Item, ...] = ()
    scale: int = 0
    number: int = 0
    parts: tuple[Statement, ...] = ()

    @property
    def args(self) -> tuple[Arg, ...]:
        """The arguments of a clue that says this: items as pairs in a row, then scale and number of kinds that have them."""
        if self.parts:
            return tuple([(part.kind, *part.args) for part in self.parts])
        kind = KINDS[self.kind]
        flat = [part for item in self.items for part in item]
        return (*flat, *[self.scale] * kind.scale, *[self.number] * kind.number)

    def clue(self, id_: str) -> Clue:
        return Clue(id_, self.kind, self.args)


def stated(kind: str, items: Sequence[Item], scale: int = 0, number: int = 0) -> Statement:
    """A plain statement, with its items in the one order that stands for all orders of the same meaning."""
    ordered = list(items)
    for group in KINDS[kind].free:
        places = [k for k in group if k < len(ordered)]
        for k, item in zip(places, sorted([ordered[k] for k in places]), strict=True):
            ordered[k] = item
    if kind == "pair" and ordered[2:] < ordered[:2]:  # of A and B one is C and the other D: and the other way round
        ordered = [*ordered[2:], *ordered[:2]]
    return Statement(kind, tuple(ordered), scale, number)


def combined(kind: str, parts: Sequence[Statement]) -> Statement:
    """A composite, with its parts in the one order that stands for all orders of the same meaning."""
    if KINDS[kind].free:
        parts = sorted(parts, key=lambda part: repr((part.kind, *part.args)))
    return Statement(kind, parts=tuple(parts))


@lru_cache(maxsize=1 << 15)  # a scorer and a search read the same clues over and over
def read(clue: Clue, size: Size) -> Statement:
    """The statement that a clue makes. Raises BadRow if it is none of this size."""
    kind = KINDS.get(clue.kind)
    if kind is None or not kind.parts:
        return _plain(clue, size)
    parts = []
    for arg in clue.args:
        if type(arg) is not tuple or not arg or type(arg[0]) is not str:
            raise BadRow(f"clue {clue.id}: a part of {clue.kind} is a list [kind, ...], got {str(arg)[:60]}")
        parts.append(_plain(Clue(clue.id, arg[0], arg[1:]), size))
    if not kind.parts <= len(parts) <= max(kind.parts, kind.most):
        raise BadRow(f"clue {clue.id}: {clue.kind} has {kind.parts} parts, got {len(parts)}")
    return Statement(clue.kind, parts=tuple(parts))


def _plain(clue: Clue, size: Size) -> Statement:
    kind, args = KINDS.get(clue.kind), clue.args
    if kind is None or kind.parts:
        known = f"{', '.join(PLAIN)}, and made of these {', '.join(GRID_COMPOSITES)}"
        raise BadRow(f"clue {clue.id}: no statement of a logic grid is of the kind {clue.kind[:40]!r} here; known: {known}")
    tail = kind.scale + kind.number
    count = (len(args) - tail) // 2
    numbers = [arg for arg in args if type(arg) is int]
    if len(numbers) != len(args) or len(args) != 2 * count + tail or not kind.items <= count <= kind.most:
        raise BadRow(f"clue {clue.id}: {clue.kind} has {kind.items} items or more, each two integers, got {str(args)[:60]}")
    items = tuple(zip(numbers[: 2 * count : 2], numbers[1 : 2 * count : 2], strict=True))
    scale = numbers[2 * count] if kind.scale else 0
    number = numbers[-1] if kind.number else 0
    if not all(0 <= c < size.categories and 0 <= v < size.items for c, v in items) or len(set(items)) < count:
        raise BadRow(
            f"clue {clue.id}: {clue.kind} {str(args)[:60]} names no {count} different items "
            f"of {size.categories} categories of {size.items}"
        )
    if kind.scale and not 0 <= scale < len(size.scales):
        raise BadRow(f"clue {clue.id}: {clue.kind} names scale {scale}, but there are {len(size.scales)}")
    if kind.number and not 0 < number <= size.scales[scale][1][-1]:
        raise BadRow(f"clue {clue.id}: {clue.kind} needs a difference from 1 to {size.scales[scale][1][-1]}, got {number}")
    said = Statement(clue.kind, items, scale, number)
    if not describes(said, size):
        raise BadRow(
            f"clue {clue.id}: {clue.kind} {str(args)[:60]} speaks of the entity that has an item of category {size.shared}, "
            "where two may have it"
        )
    return said


def describes(said: Statement, size: Size) -> bool:
    """Return whether a plain statement names items of a shared category, if any, only as what others have or have not."""
    named = tuple([k for k, (c, _) in enumerate(said.items) if c == size.shared and c])
    return not named or named in _HAD.get(said.kind, ())


# ---- in a plain checker --------------------------------------------------------------------------------------------------


def is_true(said: Statement, of: Callable[[Item], int], at: Callable[[int, int], int]) -> bool:
    """Return whether a statement is true. of(item): its entity. at(scale, entity): the entity's number there."""
    kind = said.kind
    if said.parts:
        truths = [is_true(part, of, at) for part in said.parts]
        if kind == "both":
            return all(truths)
        if kind == LISTING:
            return truths.count(False) == 1
        return not truths[0] or truths[1] if kind == "if" else sum(truths) == 1
    e = [of(item) for item in said.items]
    if not KINDS[kind].scale:
        return is_linked(said, lambda x, y: e[x] == e[y])
    numbers = [at(said.scale, entity) for entity in e]
    gap = numbers[1] - numbers[0]
    if kind == "before":
        return gap > 0
    if kind == "exactly":
        return gap == said.number
    if kind == "apart":
        return abs(gap) == said.number
    if kind == "at_least":
        return gap >= said.number
    return min(numbers[1:]) < numbers[0] < max(numbers[1:])


def misplaced(answer: Grid, size: Size) -> tuple[list[str], Spots]:
    """The rules about items that the rows of an answer break, and the entities that may have each item.

    These are its own, or all whose place is blank (negative); none if it stands twice.
    """
    n = size.items
    spots = [[[e] for e in range(n)]]
    broken: list[str] = []
    for c, row in enumerate(answer, 1):
        if c == size.shared and grids_twice.breaks(row):
            broken.append(grids_twice.NAME)
        blank = [e for e in range(n) if row[e] < 0]
        places = [[e for e in range(n) if row[e] == v] for v in range(n)]
        if c != size.shared and (any(len(found) > 1 for found in places) or sum(not found for found in places) > len(blank)):
            broken = [*broken, *["once"] * ("once" not in broken)]
        spots.append([found if len(found) == 1 else [] if found else blank for found in places])
    return broken, spots


def is_linked(said: Statement, same: Callable[[int, int], bool]) -> bool:
    """Return whether a plain statement without a scale is true. same: whether an entity has both items, by their places in it."""
    kind = said.kind
    if kind in ("is", "is_not"):
        return same(0, 1) == (kind == "is")
    if kind == "either_or":
        return same(0, 1) != same(0, 2)
    if kind == "neither":
        return not same(0, 1) and not same(0, 2)
    if kind == "pair":
        return not same(0, 1) and ((same(0, 2) and same(1, 3)) or (same(0, 3) and same(1, 2)))
    return not any(same(x, y) for x, y in combinations(range(len(said.items)), 2))


def may_hold(said: Statement, spots: Spots, answer: Grid, size: Size) -> bool:
    """Return whether a statement may be true of items that each belong to one of their spots."""
    outcomes = [_outcomes(part, spots, answer, size) for part in said.parts or (said,)]
    if not said.parts:
        return True in outcomes[0]
    if said.kind == LISTING:  # as far as each part by itself may be false, or must be
        return sum(False in truths for truths in outcomes) >= 1 and sum(True not in truths for truths in outcomes) <= 1
    for truths in product(*outcomes):
        if said.kind == "both":
            right = all(truths)
        elif said.kind == "if":
            right = not truths[0] or truths[1]
        else:
            right = sum(truths) == 1
        if right:
            return True
    return False


def _outcomes(part: Statement, spots: Spots, answer: Grid, size: Size) -> list[bool]:
    """Whether a plain statement may be true, and whether it may be false: the truths that it may have."""
    if size.shared and any(c == size.shared for c, _ in part.items):
        return _shared_outcomes(part, spots, answer[size.shared - 1], size.shared)
    choices = [spots[c][v] for c, v in part.items]
    if KINDS[part.kind].scale:
        category, numbers = size.scales[part.scale]
        row = answer[category - 1]
        left = [numbers[v] for v in range(size.items) if v not in row]
        choices = [
            [numbers[v]]
            if c == category
            else sorted({d for e in spots[c][v] for d in ([numbers[row[e]]] if row[e] >= 0 else left)})
            for c, v in part.items
        ]
    found: list[bool] = []
    place = {item: k for k, item in enumerate(part.items)}
    for chosen in product(*choices):
        if KINDS[part.kind].scale:
            truth = is_true(part, place.__getitem__, lambda _, k: chosen[k])  # noqa: B023
        else:
            truth = is_true(part, lambda item: chosen[place[item]], lambda _, e: e)  # noqa: B023
        if truth not in found:
            found.append(truth)
            if len(found) == 2:
                break
    return found


def _shared_outcomes(part: Statement, spots: Spots, row: Sequence[int], shared: int) -> list[bool]:
    """The same of a statement about what entities have of a shared category, whose row of the answer this is."""
    choices = [(0,) if c == shared else spots[c][v] for c, v in part.items]
    found: set[bool] = set()
    for chosen in product(*choices):
        if any(c != shared and row[e] < 0 for (c, _), e in zip(part.items, chosen, strict=True)):
            return [True, False]  # as far as the place of one of them is open

        def same(x: int, y: int) -> bool:
            (b, v), (c, w) = part.items[x], part.items[y]
            if shared not in (b, c):
                return chosen[x] == chosen[y]  # noqa: B023
            return b != c and (row[chosen[y]] == v if b == shared else row[chosen[x]] == w)  # noqa: B023

        found.add(is_linked(part, same))
    return sorted(found)
