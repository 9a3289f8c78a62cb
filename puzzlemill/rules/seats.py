"""Statements about persons on seats, and what each kind means as a relation between states.

An item (g, v) is value v of group g: of the persons (group 0) or of a second attribute (group 1), of which each person has one
value. Seats count from 0 here and from 1 in words:
  row       from west to east
  rows      two rows that face each other: the northern one from west to east, then the southern one from west to east
  circle    clockwise, as seen from above, from the seat of the first person
  square    likewise; one seat at each corner, and as many as there are left over in the middle of the sides
Who sits on a seat faces one of two ways: north (0) or south (1) in rows, in (0) or out (1) around a table. The kinds:
  at, not_at            an item is, or is not, on a seat
  end, not_end          it is, or is not, at an end of its row
  row                   it is in the northern (0) or the southern (1) row
  corner, side          it is at a corner, or not
  faces                 it faces this way
  same, not_same        two items are, or are not, on one seat
  next, not_next        two items are, or are not, on neighbouring seats of one row, or around the table
  opposite, not_opposite
  left, right           the first item is d seats to the left (right) of the second, as the person there sees it
  left_of, right_of     the same at any distance; not around a table
  gap                   exactly k persons, k >= 1, are between two items in a row, or around the table on one of both ways
  between               the first item is next to each of the two others, which are on two seats
  alike, unlike         two persons face the same way, or different ways
and composites of two statements of the kinds in PARTS:
  either                exactly one of them is true
  if                    the second one is true or the first one is false

Clauses: seats_model.py; a plain checker: seats_check.py; the relations of a table are here. None is made from another. Drawing:
seats_draw.py; words and the text form: seats_words.py; deduction: solvers/deduce/seats.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple

from puzzlemill.core.clues import Clues
from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import SEAT_CLUES, SeatTable
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyPuzzle, Arg, Clue, Spec

SHAPES = ("row", "rows", "circle", "square")
FACINGS = ("in", "out", "mixed", "found")
LEAST, MOST = 4, 12  # seats that are read
CORNERS = 4
NEAR = 4  # the farthest that a step to the left or right is drawn
SEAT, STEP, COUNT, WAY, ROW = "seat", "step", "count", "way", "row"

Item = tuple[int, int]  # (group, value)


@dataclass(frozen=True, slots=True)
class Places:
    """ways: that of each seat; () where they are to be found. corner: the first corner of a square table, else 0."""

    ways: tuple[int, ...] = ()
    corner: int = 0


class Plan(NamedTuple):
    """Where seats are. groups: 2 with a second attribute, else 1. ways, corner: as in Places."""

    shape: str
    seats: int
    groups: int
    ways: tuple[int, ...]
    corner: int = 0

    @property
    def ring(self) -> bool:
        """Return whether the seats are around a table."""
        return self.shape in ("circle", "square")

    @property
    def line(self) -> int:
        """The number of seats that are in one row, or around the table."""
        return self.seats // 2 if self.shape == "rows" else self.seats

    @property
    def turns(self) -> int:
        """In how many ways a person may face on a seat."""
        return 1 if self.ways else 2

    @property
    def crosses(self) -> bool:
        """Return whether seats have opposites."""
        return self.shape == "rows" or (self.ring and self.seats % 2 == 0)

    def is_corner(self, seat: int) -> bool:
        """Return whether a seat of a square table is at a corner."""
        return (seat - self.corner) % (self.seats // CORNERS) == 0


PlanOf = Callable[[Spec[Any], Any], Plan]


class Kind(NamedTuple):
    """items: how many a statement names. number: what its last argument is, "" without one. parts: of a composite.

    free: items (or parts) from this one on mean the same in any order.
    """

    items: int = 0
    number: str = ""
    free: int = 0
    parts: int = 0


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "at": Kind(1, SEAT),
        "not_at": Kind(1, SEAT),
        "end": Kind(1),
        "not_end": Kind(1),
        "row": Kind(1, ROW),
        "corner": Kind(1),
        "side": Kind(1),
        "faces": Kind(1, WAY),
        "same": Kind(2),
        "not_same": Kind(2),
        "next": Kind(2),
        "not_next": Kind(2),
        "opposite": Kind(2),
        "not_opposite": Kind(2),
        "left": Kind(2, STEP, 2),
        "right": Kind(2, STEP, 2),
        "left_of": Kind(2, free=2),
        "right_of": Kind(2, free=2),
        "gap": Kind(2, COUNT),
        "between": Kind(3, free=1),
        "alike": Kind(2),
        "unlike": Kind(2),
        "either": Kind(parts=2),
        "if": Kind(parts=2, free=2),
    }
)
PLAIN = tuple([name for name, kind in KINDS.items() if kind.items])
PARTS = ("at", "end", "row", "corner", "side", "same", "next", "opposite", "left", "right", "left_of", "right_of", "gap")
_ALL, _EITHER, _IF = range(len(SEAT_CLUES))


@lru_cache(maxsize=256)
def numbers_of(plan: Plan) -> Mapping[str, range]:
    """The kinds that such a plan knows, each with the numbers that it may have; range(1) for kinds without one."""
    n, line, ring, one = plan.seats, plan.line, plan.ring, range(1)
    found = {"next": one, "not_next": one, "left": range(1, line), "right": range(1, line), "at": range(n), "not_at": range(n)}
    if line > 2:
        found["between"] = one
    if (line - 2 if not ring else line // 2 - 1) > 0:
        found["gap"] = range(1, line // 2 if ring else line - 1)
    if not ring:
        found.update({"end": one, "not_end": one, "left_of": one, "right_of": one})
    if plan.shape == "rows":
        found["row"] = range(2)
    if plan.shape == "square":
        found.update({"corner": one, "side": one})
    if plan.crosses:
        found.update({"opposite": one, "not_opposite": one})
    if not plan.ways:
        found.update({"faces": range(2), "alike": one, "unlike": one})
    if plan.groups > 1:
        found.update({"same": one, "not_same": one})
    return {kind: found[kind] for kind in PLAIN if kind in found}


class Statement(NamedTuple):
    """number: as the kind says, 0 for kinds without one. parts: of a composite, which names no items itself."""

    kind: str
    items: tuple[Item, ...] = ()
    number: int = 0
    parts: tuple[Statement, ...] = ()

    @property
    def args(self) -> tuple[Arg, ...]:
        """The arguments of a clue that says this."""
        if self.parts:
            return tuple([(part.kind, *part.args) for part in self.parts])
        flat = [part for item in self.items for part in item]
        return (*flat, self.number) if KINDS[self.kind].number else tuple(flat)

    def clue(self, id_: str) -> Clue:
        return Clue(id_, self.kind, self.args)


def stated(kind: str, items: Sequence[Item], number: int = 0) -> Statement:
    """A plain statement, with its items in the one order that stands for all orders of the same meaning."""
    free = KINDS[kind].free
    return Statement(kind, (*items[:free], *sorted(items[free:])), number)


def combined(kind: str, parts: Sequence[Statement]) -> Statement:
    """A composite, with its parts in the one order that stands for all orders of the same meaning."""
    free = KINDS[kind].free
    rest = sorted(parts[free:], key=lambda part: repr((part.kind, *part.args)))
    return Statement(kind, parts=(*parts[:free], *rest))


@lru_cache(maxsize=1 << 15)  # a scorer and a search read the same clues over and over
def read(clue: Clue, plan: Plan) -> Statement:
    """The statement that a clue makes. Raises BadRow if it is none of this plan."""
    kind = KINDS.get(clue.kind)
    if kind is None or not kind.parts:
        return _plain(clue, plan)
    parts = []
    for arg in clue.args:
        if type(arg) is not tuple or not arg or type(arg[0]) is not str or arg[0] not in PARTS:
            raise BadRow(f"clue {clue.id}: a part of {clue.kind} is a list [kind, ...] of one of {PARTS}, got {str(arg)[:60]}")
        parts.append(_plain(Clue(clue.id, arg[0], arg[1:]), plan))
    if len(parts) != kind.parts:
        raise BadRow(f"clue {clue.id}: {clue.kind} has {kind.parts} parts, got {len(parts)}")
    return Statement(clue.kind, parts=tuple(parts))


def _plain(clue: Clue, plan: Plan) -> Statement:
    kind, known, args = KINDS.get(clue.kind), numbers_of(plan), clue.args
    if kind is None or clue.kind not in known:
        raise BadRow(f"clue {clue.id}: these seats know no clue of the kind {clue.kind[:40]!r}; known: {', '.join(known)}")
    number = args[-1] if kind.number and args else 0
    items: list[Item] = []
    if len(args) == 2 * kind.items + bool(kind.number) and type(number) is int and (number in known[clue.kind]):
        for g, v in zip(args[::2], args[1::2], strict=False):
            if type(g) is int and type(v) is int and 0 <= g < plan.groups and 0 <= v < plan.seats:
                items.append((g, v))
    if len(set(items)) != kind.items or type(number) is not int:
        raise BadRow(f"clue {clue.id}: {clue.kind} {str(args)[:60]} names no {kind.items} item(s) on {plan.seats} seats")
    return Statement(clue.kind, tuple(items), number)


# ---- in a table ----------------------------------------------------------------------------------------------------------


def _left(plan: Plan, way: int) -> int:
    """By how many seats the left neighbour of somebody who faces this way comes later."""
    return 1 if plan.ring is (way == 0) else -1


def _related(plan: Plan, kind: str, d: int, one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Return whether a statement is true of items at these seats that face these ways; twice the same if it names one."""
    (p, way), (q, other) = one, two
    n, line = plan.seats, plan.line
    if kind in ("at", "not_at"):
        return (p == d) is (kind == "at")
    if kind in ("end", "not_end"):
        return (p % line in (0, line - 1)) is (kind == "end")
    if kind == "row":
        return p // line == d
    if kind in ("corner", "side"):
        return plan.is_corner(p) is (kind == "corner")
    if kind == "faces":
        return way == d
    if kind in ("alike", "unlike"):
        return (way == other) is (kind == "alike")
    if kind in ("same", "not_same"):
        return (p == q) is (kind == "same")
    if kind in ("opposite", "not_opposite"):
        return (abs(p - q) * 2 == n) is (kind == "opposite")
    apart = p - q
    if plan.ring:
        near = min(apart % n, -apart % n)
    else:
        near = abs(apart) if p // line == q // line else n
    if kind in ("next", "not_next"):
        return (near == 1) is (kind == "next")
    if kind == "gap":
        return near == d + 1
    towards = _left(plan, other) * (1 if kind in ("left", "left_of") else -1)
    if kind in ("left", "right"):
        return apart % n == towards * d % n if plan.ring else near == d and apart == towards * d
    return near < n and apart * towards > 0


@lru_cache(maxsize=4096)
def relation(plan: Plan, kind: str, number: int) -> tuple[int, ...]:
    """The states of the second item for each state of the first, as masks; the same state where only one is named."""
    states = [(seat, way) for seat in range(plan.seats) for way in ((plan.ways[seat],) if plan.ways else (0, 1))]
    if KINDS[kind].items == 1:
        return tuple([1 << s if _related(plan, kind, number, one, one) else 0 for s, one in enumerate(states)])
    return tuple([sum([1 << t for t, two in enumerate(states) if _related(plan, kind, number, one, two)]) for one in states])


def atoms_of(said: Statement) -> tuple[tuple[str, Item, Item, int], ...]:
    """A plain statement as statements about one or two items that are true together: their kind, items, number."""
    if said.kind == "between":
        x, y, z = said.items
        both = ("next", x, y, 0), ("next", x, z, 0)
        return both if y[0] == z[0] else (*both, ("not_same", y, z, 0))  # a person and a value might be on one side
    return ((said.kind, said.items[0], said.items[-1], said.number),)


def table(plan: Plan, statements: Sequence[Statement]) -> SeatTable:
    """The statements for a kernel; core/model.py says what its rows hold."""
    n, relations = plan.seats, dict[tuple[str, int], int]()
    atoms: list[tuple[int, int, int]] = []
    clues: list[tuple[int, int, int]] = []
    for said in statements:
        rows = [atom for part in said.parts or (said,) for atom in atoms_of(part)]
        clues.append((_EITHER if said.kind == "either" else _IF if said.kind == "if" else _ALL, len(atoms), len(rows)))
        for kind, (g, v), (h, w), number in rows:
            atoms.append((g * n + v, h * n + w, relations.setdefault((kind, number), len(relations))))
    turns = plan.turns
    full = (1 << n * turns) - 1
    first = (1 << turns) - 1  # all states of seat 0
    start = [full if not plan.ring else first if x == 0 else full & ~first if x < n else full for x in range(n * plan.groups)]
    masks = tuple([relation(plan, *key) for key in relations])
    return SeatTable(n, plan.groups, turns, tuple(start), masks, tuple(atoms), tuple(clues))


# ---- as clues ------------------------------------------------------------------------------------------------------------


class Statements(Clues[Any, Any]):
    """Clues that are statements about seats; slots are as SeatTable has them."""

    lists_clues = True

    def __init__(self, plan: PlanOf) -> None:
        self.plan = plan

    def all(self, puzzle: AnyPuzzle) -> list[Statement]:
        """The statement of each clue of a puzzle."""
        plan = self.plan(puzzle.spec, puzzle.board)
        return [read(clue, plan) for clue in puzzle.clues]

    def given_slots(self, puzzle: AnyPuzzle) -> tuple[int, ...]:
        plan = self.plan(puzzle.spec, puzzle.board)
        shown = {said.items[0][0] * plan.seats + said.number for said in self.all(puzzle) if said.kind == "at"}
        return tuple(sorted(shown | {0} if plan.ring else shown))

    def alternatives(self, puzzle: AnyPuzzle, clue: Clue, rng: Rng) -> Iterator[Clue]:
        """Turned round, or with one item, number or side changed; never what another clue already says."""
        plan = self.plan(puzzle.spec, puzzle.board)
        said = read(clue, plan)
        present = [(other.kind, other.args) for other in puzzle.clues]
        found = _altered(said, plan) if not said.parts else []
        for k, part in enumerate(said.parts):
            for other in _altered(part, plan):
                if other not in said.parts:
                    found.append(combined(said.kind, (*said.parts[:k], other, *said.parts[k + 1 :])))
        for one in rng.shuffled(found):
            if (one.kind, one.args) not in present:
                yield one.clue(clue.id)


_TURNED = {"left": "right", "right": "left", "left_of": "right_of", "right_of": "left_of", "corner": "side", "side": "corner"}


def _altered(said: Statement, plan: Plan) -> list[Statement]:
    """A plain statement with its other side, or with one number or item changed."""
    kind, items, number, _ = said
    found = [stated(_TURNED[kind], items, number)] if kind in _TURNED else []
    usual = min(NEAR + 1, plan.line - 1) if KINDS[kind].number in (STEP, COUNT) else plan.seats
    found += [stated(kind, items, d) for d in numbers_of(plan)[kind] if d != number and d < usual and KINDS[kind].number]
    for k, g, v in product(range(len(items)), range(plan.groups), range(plan.seats)):
        changed = (*items[:k], (g, v), *items[k + 1 :])
        if (g, v) not in items and not (kind in ("same", "not_same") and changed[0][0] == changed[1][0]):
            found.append(stated(kind, changed, number))
    return found
