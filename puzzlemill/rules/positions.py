"""Statements about items at places, with what each kind means to a model, a table, a plain checker and a shape.

An item (a, v) is value v of attribute a. Places stand in a row, and every value of an attribute stands at one of them. Places
count from 0 here and from 1 in words. The kinds:
  at, not_at       an item stands, or does not stand, at a place
  end, not_end     an item stands at the first or the last place, or at neither
  up_to, from      an item stands at this place or before it, or at this place or after it
  same, not_same   two items stand, or do not stand, at one place
  next             two items stand at neighbouring places, in either order
  just_left, left  the first item stands one place before the second, or any number of places before it
  ahead            the first item stands exactly d places before the second, d >= 2
  apart            the numbers of two items' places differ by exactly d, d >= 2, in either order
  far              the numbers of two items' places differ by at least d, d >= 2, in either order
  between          the first item stands strictly between the two others, whichever of these comes first
and composites, whose parts are two or three statements of the kinds above:
  one_of           exactly one of three statements is true
  if               the second statement is true or the first one is false
  either           exactly one of two statements is true

state(), table() and may_hold() say what they mean three times over, and none of them is made from another. What has one order of
statements among several of the same meaning is made by stated() and combined(). Drawing: positions_draw.py; words and the text
form: positions_words.py; deduction: solvers/deduce/positions.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple

from puzzlemill.core.clues import Clues
from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import COMPOSITES, RELATIONS, Constraints, PositionTable
from puzzlemill.core.rng import Rng
from puzzlemill.core.shape import ColouredGraph
from puzzlemill.core.types import AnyPuzzle, Arg, Clue, Spec

Item = tuple[int, int]  # (attribute, value)
Stands = Callable[[Item], Sequence[int]]  # the literals that an item stands at place 0, 1, ...
Spots = Sequence[Sequence[Sequence[int]]]  # spots[a][v]: the places where the item may stand

PLACE, DISTANCE = "place", "distance"


class Size(NamedTuple):
    """The number of attributes, and that of places, which is that of each attribute's values as well.

    values: of each attribute, where several may stand at one place; 0 where none do.
    """

    attributes: int
    places: int
    values: int = 0

    @property
    def many(self) -> int:
        """The number of values of each attribute."""
        return self.values or self.places


SizeOf = Callable[[Spec[Any]], Size]


class Kind(NamedTuple):
    """items: how many a statement names. number: its last argument, PLACE or DISTANCE, "" without one. parts: of a composite.

    free: items (or parts) from this one on mean the same in any order.
    """

    items: int = 0
    number: str = ""
    free: int = 0
    parts: int = 0

    @property
    def directed(self) -> bool:
        """Return whether the first of two items stands on a certain side of the other."""
        return self.items == self.free == 2


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "at": Kind(1, PLACE),
        "not_at": Kind(1, PLACE),
        "end": Kind(1),
        "same": Kind(2),
        "not_same": Kind(2),
        "next": Kind(2),
        "just_left": Kind(2, free=2),
        "left": Kind(2, free=2),
        "apart": Kind(2, DISTANCE),
        "between": Kind(3, free=1),
        "far": Kind(2, DISTANCE),
        "not_end": Kind(1),
        "up_to": Kind(1, PLACE),
        "from": Kind(1, PLACE),
        "ahead": Kind(2, DISTANCE, free=2),
        "one_of": Kind(parts=3),
        "if": Kind(parts=2, free=2),
        "either": Kind(parts=2),
    }
)
PLAIN = tuple([name for name, kind in KINDS.items() if kind.items])
_CODES = {name: code for code, name in enumerate(RELATIONS)}


class Statement(NamedTuple):
    """number: a place, or a distance, 0 for kinds without one. parts: of a composite, which names no items itself."""

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
    if len(parts) != kind.parts:
        raise BadRow(f"clue {clue.id}: {clue.kind} has {kind.parts} parts, got {len(parts)}")
    return Statement(clue.kind, parts=tuple(parts))


def _plain(clue: Clue, size: Size) -> Statement:
    m, n = size.attributes, size.places
    kind, args = KINDS.get(clue.kind), clue.args
    if kind is None or kind.parts:
        known = f"{', '.join(PLAIN)}, and made of these {', '.join(COMPOSITES)}"
        raise BadRow(f"clue {clue.id}: no statement about places is of the kind {clue.kind[:40]!r} here; known: {known}")
    count, number = kind.items, args[-1] if kind.number and args else 0
    items: list[Item] = []
    if len(args) == 2 * count + bool(kind.number) and type(number) is int and 0 <= number < n:
        for a, v in zip(args[::2], args[1::2], strict=False):
            if type(a) is int and type(v) is int and 0 <= a < m and 0 <= v < size.many:
                items.append((a, v))
    if len(items) != count or type(number) is not int:
        raise BadRow(f"clue {clue.id}: {clue.kind} {str(args)[:60]} names no {count} item(s) of {m} attributes at {n} places")
    return Statement(clue.kind, tuple(items), number)


# ---- in a model ----------------------------------------------------------------------------------------------------------


def state(m: Constraints, said: Statement, stands: Stands, label: str) -> None:
    """Add which pairs or triples of places are refused, or which places support which.

    A part of a composite has a variable that is true exactly when the part is.
    """
    if said.parts:
        truths = [reified(m, part, stands, label) for part in said.parts]
        if said.kind == "if":
            m.require(-truths[0], truths[1], label=label)
        else:
            m.exactly_one(truths, label=label)
        return
    kind, _, number, _ = said
    x, *others = [stands(item) for item in said.items]  # x[p]: the first item stands at place p
    n = len(x)
    if kind == "at":
        m.require(x[number], label=label)
    elif kind == "not_at":
        m.require(-x[number], label=label)
    elif kind == "end":
        m.require(x[0], x[-1], label=label)
    elif kind in ("not_end", "up_to", "from"):
        for p in range(n):
            if p in (0, n - 1) if kind == "not_end" else p > number if kind == "up_to" else p < number:
                m.require(-x[p], label=label)
    elif kind == "between":
        y, z = others
        for p, q in product(range(n), range(n)):
            beyond = z[p + 1 :] if q < p else z[:p] if q > p else []
            m.require(-x[p], -y[q], *beyond, label=label)
    else:
        (y,) = others
        for p in range(n):
            if kind == "same":
                m.require(-x[p], y[p], label=label)
                m.require(x[p], -y[p], label=label)
            elif kind == "not_same":
                m.require(-x[p], -y[p], label=label)
            elif kind == "left":
                for q in range(p + 1):
                    m.require(-x[p], -y[q], label=label)
            elif kind == "just_left":
                m.require(-x[p], *y[p + 1 : p + 2], label=label)
                m.require(*x[max(p - 1, 0) : p], -y[p], label=label)
            elif kind == "ahead":
                m.require(-x[p], *y[p + number : p + number + 1], label=label)
                m.require(*(x[p - number : p - number + 1] if p >= number else ()), -y[p], label=label)
            elif kind == "far":
                m.require(-x[p], *y[: max(p - number + 1, 0)], *y[p + number :], label=label)
                m.require(-y[p], *x[: max(p - number + 1, 0)], *x[p + number :], label=label)
            else:
                d = 1 if kind == "next" else number
                m.require(-x[p], *y[max(p - d, 0) : max(p - d + 1, 0)], *y[p + d : p + d + 1], label=label)
                m.require(-y[p], *x[max(p - d, 0) : max(p - d + 1, 0)], *x[p + d : p + d + 1], label=label)


def reified(m: Constraints, said: Statement, stands: Stands, label: str) -> int:
    """A new variable that is true exactly when this plain statement is."""
    kind, _, number, _ = said
    t = m.var()

    def decides(when: Sequence[int], good: Sequence[int], bad: Sequence[int]) -> None:
        """Where all of `when` hold, exactly one of `good` and `bad` does, and this says whether the statement is true."""
        m.require(-t, *[-lit for lit in when], *good, label=label)
        m.require(t, *[-lit for lit in when], *bad, label=label)

    x, *others = [stands(item) for item in said.items]
    n = len(x)
    if not others:
        good = {
            "at": [number],
            "not_at": [p for p in range(n) if p != number],
            "end": [0, n - 1],
            "not_end": [*range(1, n - 1)],
            "up_to": [*range(number + 1)],
            "from": [*range(number, n)],
        }[kind]
        decides((), [x[p] for p in sorted(set(good))], [x[p] for p in range(n) if p not in good])
    elif kind == "between":
        y, z = others
        for p, q in product(range(n), range(n)):
            good = [r for r in range(n) if q < p < r or r < p < q]
            decides((x[p], y[q]), [z[r] for r in good], [z[r] for r in range(n) if r not in good])
    else:
        (y,) = others
        after = _differences(kind, number, n)
        for p in range(n):
            good = [q for q in range(n) if q - p in after]
            decides((x[p],), [y[q] for q in good], [y[q] for q in range(n) if q not in good])
            good = [q for q in range(n) if p - q in after]
            decides((y[p],), [x[q] for q in good], [x[q] for q in range(n) if q not in good])
    return t


def _differences(kind: str, d: int, n: int) -> list[int]:
    """By how many places the second item may stand after the first, in a kind of two items."""
    return {
        "same": [0],
        "not_same": [*range(1 - n, 0), *range(1, n)],
        "next": [-1, 1],
        "just_left": [1],
        "left": [*range(1, n)],
        "apart": [-d, d],
        "far": [*range(1 - n, 1 - d), *range(d, n)],
        "ahead": [d],
    }[kind]


# ---- in a table ----------------------------------------------------------------------------------------------------------


def table(size: Size, statements: Sequence[Statement]) -> PositionTable:
    """The statements for a kernel; core/model.py says what its rows hold."""
    rows: list[tuple[int, ...]] = []
    parts: list[tuple[int, ...]] = []
    for said in statements:
        if said.parts:
            rows.append((_CODES[said.kind], len(parts), len(said.parts), 0, 0, 0, 0, 0))
            parts += [_row(part) for part in said.parts]
        else:
            rows.append(_row(said))
    return PositionTable(size.places, size.attributes, tuple(rows), tuple(parts))


def _row(said: Statement) -> tuple[int, ...]:
    flat = [part for item in said.items for part in item]
    return (_CODES[said.kind], *flat, *(0,) * (6 - len(flat)), said.number)


# ---- in a plain checker --------------------------------------------------------------------------------------------------


def may_hold(said: Statement, spots: Spots, n: int) -> bool:
    """Return whether a statement may be true of items that each stand at one of their spots, among n places."""
    if not said.parts:
        choices = [spots[a][v] for a, v in said.items]
        return any(is_true(said.kind, places, said.number, n) for places in product(*choices))
    outcomes = [_outcomes(part, spots, n) for part in said.parts]
    for truths in product((True, False), repeat=len(outcomes)):
        possible = all(may[0] if truth else may[1] for truth, may in zip(truths, outcomes, strict=True))
        if possible and (not truths[0] or truths[1] if said.kind == "if" else sum(truths) == 1):
            return True
    return False


def _outcomes(part: Statement, spots: Spots, n: int) -> tuple[bool, bool]:
    """Return whether a part of a composite may be true, and whether it may be false."""
    true = false = False
    for places in product(*[spots[a][v] for a, v in part.items]):
        if is_true(part.kind, places, part.number, n):
            true = True
        else:
            false = True
        if true and false:
            break
    return true, false


def is_true(kind: str, places: Sequence[int], number: int, n: int) -> bool:
    """Return whether a plain statement of this kind is true of items at these places, of n."""
    x = places[0]
    if kind == "at":
        return x == number
    if kind == "not_at":
        return x != number
    if kind == "end":
        return x == 0 or x == n - 1
    if kind == "not_end":
        return 0 < x < n - 1
    if kind == "up_to":
        return x <= number
    if kind == "from":
        return x >= number
    y = places[1]
    if kind == "same":
        return x == y
    if kind == "not_same":
        return x != y
    if kind == "next":
        return abs(x - y) == 1
    if kind == "just_left":
        return x + 1 == y
    if kind == "left":
        return x < y
    if kind == "apart":
        return abs(x - y) == number
    if kind == "far":
        return abs(x - y) >= number
    if kind == "ahead":
        return y - x == number
    return min(y, places[2]) < x < max(y, places[2])


# ---- in a shape ----------------------------------------------------------------------------------------------------------

_ATTRIBUTE, _ITEM, _PLACE, _PORT, _FIRST_KIND = range(5)  # colours; one per kind, and per distance of these two
_FIRST_APART = _FIRST_KIND + 10
_FIRST_FAR = _FIRST_APART + 8
_FIRST_COMPOSITE = _FIRST_FAR + 8
_NOT_END = _FIRST_COMPOSITE + len(COMPOSITES)
_REACH = _NOT_END + 1  # of "up_to" and "from", which a mirror exchanges
_FIRST_AHEAD = _REACH + 1


def symmetry(size: Size, statements: Sequence[Statement]) -> ColouredGraph:
    """Symmetries: rename attributes, rename the values of each attribute, look at the row from behind (left becomes right).

    Vertices: attributes, items (joined to their attribute), places (a path, whose one symmetry is the mirror), and one per
    statement, coloured by kind and distance, joined to what it names. The ends of the path stand for left and right: a directed
    statement has one port for each of its items, joined to the statement, the item and the end on whose side that item is;
    "up_to" and "from" have one port, joined to the end that they reach. The middle item of a "between" has a port as well. A
    composite's parts have vertices like statements, joined to its own; the condition of an "if" is joined through a port.
    Colours keep these sorts of vertices apart, and each statement can be read back from its vertex, so a graph isomorphism is
    exactly a renaming of attributes, values and sides that carries statements to statements.
    """
    m, n, k = size.attributes, size.places, size.many
    colours = [_ATTRIBUTE] * m + [_ITEM] * (m * k) + [_PLACE] * n
    edges = [(a, m + a * k + v) for a in range(m) for v in range(k)]
    place = m + m * k
    edges += [(place + p, place + p + 1) for p in range(n - 1)]

    def vertex(colour: int, *joined: int) -> int:
        colours.append(colour)
        edges.extend((other, len(colours) - 1) for other in joined)
        return len(colours) - 1

    def plain(said: Statement) -> int:
        named = [m + a * k + v for a, v in said.items]
        colour = _FIRST_KIND + _CODES[said.kind]
        if said.kind == "not_end":
            return vertex(_NOT_END, *named)
        if said.kind in ("up_to", "from"):
            middle = vertex(_REACH, *named, place + said.number)
            vertex(_PORT, middle, place if said.kind == "up_to" else place + n - 1)
            return middle
        if KINDS[said.kind].number == PLACE:
            return vertex(colour, *named, place + said.number)
        if KINDS[said.kind].number == DISTANCE and said.kind != "ahead":
            return vertex((_FIRST_APART if said.kind == "apart" else _FIRST_FAR) + said.number, *named)
        directed = KINDS[said.kind].directed
        colour = _FIRST_AHEAD + said.number if said.kind == "ahead" else colour
        middle = vertex(colour, *(named[1:] if said.kind == "between" else () if directed else named))
        if said.kind == "between":
            vertex(_PORT, named[0], middle)
        elif directed:
            vertex(_PORT, middle, named[0], place)
            vertex(_PORT, middle, named[1], place + n - 1)
        return middle

    for said in statements:
        if said.parts:
            parts = [plain(part) for part in said.parts]
            if said.kind == "if":
                parts[0] = vertex(_PORT, parts[0])
            vertex(_FIRST_COMPOSITE + COMPOSITES.index(said.kind), *parts)
        else:
            plain(said)
    return ColouredGraph(tuple(colours), tuple(edges))


# ---- as clues ------------------------------------------------------------------------------------------------------------


class Statements(Clues[Any, Any]):
    """Clues that are statements about places, where slot a * places + p holds the value of attribute a at place p."""

    lists_clues = True

    def __init__(self, size: SizeOf) -> None:
        self.size = size

    def all(self, puzzle: AnyPuzzle) -> list[Statement]:
        """The statement of each clue of a puzzle."""
        size = self.size(puzzle.spec)
        return [read(clue, size) for clue in puzzle.clues]

    def state(self, m: Constraints, spec: Spec[Any], board: Any, clue: Clue) -> None:
        size = self.size(spec)
        n = size.places
        state(m, read(clue, size), lambda item: [m.key[item[0] * n + p][item[1]] for p in range(n)], clue.id)

    def given_slots(self, puzzle: AnyPuzzle) -> tuple[int, ...]:
        n = self.size(puzzle.spec).places
        shown = {said.items[0][0] * n + said.number for said in self.all(puzzle) if said.kind == "at"}
        return tuple(sorted(shown))

    def alternatives(self, puzzle: AnyPuzzle, clue: Clue, rng: Rng) -> Iterator[Clue]:
        """Turned round, or with one item, place or distance changed; never what another clue already says.

        In a composite, one part is changed so, or an implication is turned round.
        """
        size = self.size(puzzle.spec)
        said = read(clue, size)
        present = [(other.kind, other.args) for other in puzzle.clues]
        if not said.parts:
            found = _altered(said, size)
        else:
            found = [combined("if", said.parts[::-1])] if said.kind == "if" else []
            for k, part in enumerate(said.parts):
                before, after = said.parts[:k], said.parts[k + 1 :]
                for other in _altered(part, size):
                    if other not in before and other not in after:
                        found.append(combined(said.kind, (*before, other, *after)))
        for one in rng.shuffled(found):
            if (one.kind, one.args) not in present:
                yield one.clue(clue.id)


def _altered(said: Statement, size: Size) -> list[Statement]:
    """A plain statement turned round, or with one item, place or distance changed."""
    kind, items, number, _ = said
    found: list[tuple[Sequence[Item], int]] = []
    if KINDS[kind].directed:
        found.append((items[::-1], number))
    if KINDS[kind].number:
        inner = kind in ("up_to", "from")  # at the ends they say nothing, or that it stands there
        low = 2 if KINDS[kind].number == DISTANCE else int(inner)
        found += [(items, d) for d in range(low, size.places - inner) if d != number]
    for k, a, v in product(range(len(items)), range(size.attributes), range(size.many)):
        changed = (*items[:k], (a, v), *items[k + 1 :])
        if (a, v) not in items and (size.values or not (kind in ("same", "not_same") and changed[0][0] == changed[1][0])):
            found.append((changed, number))
    return [stated(kind, changed, number) for changed, number in found]
