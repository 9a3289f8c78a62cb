"""Zebra puzzles: who lives where, and what belongs to whom.

Places stand in a row (or follow each other in time, or lie above each other). Every place has one value of each attribute:
  once      every value of an attribute stands at exactly one place;
  clues     every clue is true of the items that it names, by its kind:
    at, not_at       an item stands, or does not stand, at a place
    end              an item stands at the first or the last place
    same, not_same   two items stand, or do not stand, at one place
    next             two items stand at neighbouring places, in either order
    just_left, left  the first item stands one place before the second, or any number of places before it
    apart            the numbers of two items' places differ by exactly d, d >= 2, in either order
    between          the first item stands strictly between the two others, whichever of these comes first
An item (a, v) is value v of attribute a. Places count from 0 inside and from 1 in words.
Source: "Who owns the zebra?", Life International, 17 December 1962. Seen in HardcoreLogic (2510.12563), which takes its puzzles
from ZebraLogic (2502.01100). broken_rules returns "once" or the ids of clues, and "shape" for what is no table.

Clues are drawn from the true ones by kind (_SHARES) and then left out until each is needed; of those that stay 12 to 18 %
are negative and 6 % an "at" (measured in tests/unit/test_zebra.py). Not here yet: composite clues, as either ... or.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import product
from math import factorial, log10
from typing import Any, ClassVar, final
from zlib import crc32

from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.model import BLANK, RELATIONS, Constraints, PositionTable, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.core.shape import ColouredGraph
from puzzlemill.core.types import (
    Ask,
    Clue,
    Column,
    Draft,
    Example,
    Family,
    Layout,
    Look,
    NoBoard,
    Puzzle,
    Question,
    Rows,
    Spec,
)
from puzzlemill.domains.themes import THEMES, Attribute, Theme

Cells = tuple[tuple[int, ...], ...]  # cells[a][p]: the value of attribute a at place p, or BLANK
Item = tuple[int, int]  # (attribute, value)

_ITEMS = {
    "at": 1,
    "not_at": 1,
    "end": 1,
    "same": 2,
    "not_same": 2,
    "next": 2,
    "just_left": 2,
    "left": 2,
    "apart": 2,
    "between": 3,
}  # how many items a kind names
_NUMBERED = ("at", "not_at", "apart")  # kinds whose last argument is a place or a distance
_CODES = {kind: code for code, kind in enumerate(RELATIONS)}
_MIRRORED = ("same", "not_same", "next", "apart")  # whichever item comes first; the lesser one is written first

# How many clues of a kind are drawn for every 8 items of the puzzle. Of two clues, the one that says more is more often needed
# in the end, so these are not the shares in finished puzzles. Every "at" is drawn too, so that there is one answer for certain.
_SHARES = {
    "same": 4,
    "next": 5,
    "just_left": 4,
    "left": 6,
    "apart": 4,
    "between": 3,
    "end": 2,
    "not_same": 8,
    "not_at": 8,
}
_AT_LATE = 4  # one "at" in so many may be left over like any other clue


@dataclass(frozen=True, slots=True)
class Params:
    """positions: places in the row, 2 to 8. attributes: 2 to 8."""

    positions: int = 4
    attributes: int = 4


@final
class Zebra(Family[Params, NoBoard, Cells, Cells]):
    name: ClassVar[str] = "zebra"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Zebra puzzle"
    params: ClassVar[Any] = Params
    answer: ClassVar[Any] = Cells
    tells_clues: ClassVar[bool] = True
    source: ClassVar[str] = "Life International, 17 December 1962, Who owns the zebra?"

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        for name, value in (("positions", spec.params.positions), ("attributes", spec.params.attributes)):
            if not 2 <= value <= 8:
                raise BadParams(f"zebra.{name} must be 2 to 8, got {value}; set family.params.{name}")

    def fill(self, spec: Spec[Params], rng: Rng, ask: Ask) -> Cells:
        return tuple([tuple(rng.shuffled(range(spec.params.positions))) for _ in range(spec.params.attributes)])

    def pose(self, spec: Spec[Params], hidden: Cells, rng: Rng) -> Draft[Params, NoBoard, Cells, Cells]:
        statements = rng.shuffled(_true_statements(hidden, rng))
        clues = tuple([Clue(f"k{i + 1}", kind, args) for i, (kind, args) in enumerate(statements)])
        puzzle = Puzzle(self.name, self.version, spec, NoBoard(), clues, Question(), _look(spec, rng))
        return Draft(puzzle, hidden, hidden)

    def removal_order(self, draft: Draft[Params, NoBoard, Cells, Cells], rng: Rng) -> list[int]:
        """Most clues that give a place away go first, if they can; what is tried last mostly stays, so the rest is even.

        With two places the order is quite even, so that every minimal set of clues can come out (capacity counts them).
        """
        clues = draft.puzzle.clues
        at = rng.shuffled([i for i, clue in enumerate(clues) if clue.kind == "at"])
        late = len(at) // _AT_LATE if draft.puzzle.spec.params.positions > 2 else len(at)
        return at[late:] + rng.shuffled([*at[:late], *[i for i, clue in enumerate(clues) if clue.kind != "at"]])

    def alternatives(self, puzzle: Puzzle[Params, NoBoard], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """Turned round, or with one item, place or distance changed; never what another clue already says."""
        n, m = puzzle.spec.params.positions, puzzle.spec.params.attributes
        items, number = _read(clue, puzzle.spec.params)
        said = [(other.kind, other.args) for other in puzzle.clues]
        found = []
        if clue.kind in ("just_left", "left"):
            found.append((items[::-1], number))
        if clue.kind in _NUMBERED:
            low = 2 if clue.kind == "apart" else 0
            found += [(items, d) for d in range(low, n) if d != number]
        for k, a, v in product(range(len(items)), range(m), range(n)):
            changed = (*items[:k], (a, v), *items[k + 1 :])
            if (a, v) not in items and not (clue.kind in ("same", "not_same") and changed[0][0] == changed[1][0]):
                found.append((changed, number))
        for changed, number in rng.shuffled(found):
            args = _args(clue.kind, changed, number)
            if (clue.kind, args) not in said:
                yield Clue(clue.id, clue.kind, args)

    # ---- meaning

    def model(self, spec: Spec[Params], board: NoBoard) -> Constraints:
        n = spec.params.positions
        m = Constraints()
        for _ in range(spec.params.attributes):
            cells = [m.slot(n) for _ in range(n)]  # cells[p][v]: value v of this attribute stands at place p
            for v in range(n):
                m.exactly_one([cell[v] for cell in cells], label="once")
        return m

    def state(self, m: Constraints, spec: Spec[Params], board: NoBoard, clue: Clue) -> None:
        """Which pairs or triples of places are refused, or which places support which."""
        n = spec.params.positions
        items, number = _read(clue, spec.params)
        stands = [[m.key[a * n + p][v] for p in range(n)] for a, v in items]  # stands[k][p]: item k stands at place p
        x = stands[0]
        if clue.kind == "at":
            m.require(x[number], label=clue.id)
        elif clue.kind == "not_at":
            m.require(-x[number], label=clue.id)
        elif clue.kind == "end":
            m.require(x[0], x[-1], label=clue.id)
        elif clue.kind == "between":
            y, z = stands[1:]
            for p, q in product(range(n), range(n)):
                beyond = z[p + 1 :] if q < p else z[:p] if q > p else []
                m.require(-x[p], -y[q], *beyond, label=clue.id)
        else:
            y = stands[1]
            for p in range(n):
                if clue.kind == "same":
                    m.require(-x[p], y[p], label=clue.id)
                    m.require(x[p], -y[p], label=clue.id)
                elif clue.kind == "not_same":
                    m.require(-x[p], -y[p], label=clue.id)
                elif clue.kind == "left":
                    for q in range(p + 1):
                        m.require(-x[p], -y[q], label=clue.id)
                elif clue.kind == "just_left":
                    m.require(-x[p], *y[p + 1 : p + 2], label=clue.id)
                    m.require(*x[max(p - 1, 0) : p], -y[p], label=clue.id)
                else:
                    d = 1 if clue.kind == "next" else number
                    m.require(-x[p], *y[max(p - d, 0) : max(p - d + 1, 0)], *y[p + d : p + d + 1], label=clue.id)
                    m.require(-y[p], *x[max(p - d, 0) : max(p - d + 1, 0)], *x[p + d : p + d + 1], label=clue.id)

    def table(self, puzzle: Puzzle[Params, NoBoard]) -> PositionTable:
        rows = []
        for clue in puzzle.clues:
            items, number = _read(clue, puzzle.spec.params)
            flat = [part for item in items for part in item]
            rows.append((_CODES[clue.kind], *flat, *(0,) * (6 - len(flat)), number))
        return PositionTable(puzzle.spec.params.positions, puzzle.spec.params.attributes, tuple(rows))

    def slots(self, spec: Spec[Params], board: NoBoard) -> tuple[int, ...]:
        return (spec.params.positions,) * (spec.params.positions * spec.params.attributes)

    def assemble(self, spec: Spec[Params], board: NoBoard, values: Slots) -> Cells:
        n = spec.params.positions
        return tuple([values[a * n : a * n + n] for a in range(spec.params.attributes)])

    def slot_values(self, spec: Spec[Params], board: NoBoard, answer: Cells) -> Slots:
        return tuple([v for row in answer for v in row])

    def broken_rules(self, puzzle: Puzzle[Params, NoBoard], answer: Cells, partial: bool = False) -> list[str]:
        n, m = puzzle.spec.params.positions, puzzle.spec.params.attributes
        if type(answer) is not tuple or len(answer) != m:
            return ["shape"]
        for row in answer:
            if type(row) is not tuple or len(row) != n:
                return ["shape"]
            for value in row:
                if type(value) is not int or not (0 <= value < n or (partial and value == BLANK)):
                    return ["shape"]
        # spots[a][v]: where the item may stand: its place, or any blank of its row; nowhere if it stands twice
        spots = []
        broken: list[str] = []
        for row in answer:
            blank = [p for p in range(n) if row[p] == BLANK]
            places = [[p for p in range(n) if row[p] == v] for v in range(n)]
            if any(len(found) > 1 for found in places) or sum(not found for found in places) > len(blank):
                broken = ["once"]
            spots.append([found if len(found) == 1 else [] if found else blank for found in places])
        for clue in puzzle.clues:
            items, number = _read(clue, puzzle.spec.params)
            choices = [spots[a][v] for a, v in items]
            if all(len(places) == 1 for places in choices):
                right = _true(clue.kind, tuple([places[0] for places in choices]), number, n)
            else:
                right = any(_true(clue.kind, places, number, n) for places in product(*choices))
            if not right:
                broken.append(clue.id)
        return broken

    def given_slots(self, puzzle: Puzzle[Params, NoBoard]) -> tuple[int, ...]:
        n = puzzle.spec.params.positions
        shown = {clue.ints()[0] * n + clue.ints()[2] for clue in puzzle.clues if clue.kind == "at"}
        return tuple(sorted(shown))

    def search_space_log10(self, puzzle: Puzzle[Params, NoBoard]) -> float:
        """(N!)**M. HardcoreLogic's tables give zebra no formula; this is that of ZebraLogic, its source of puzzles."""
        return puzzle.spec.params.attributes * log10(factorial(puzzle.spec.params.positions))

    def shape(self, puzzle: Puzzle[Params, NoBoard]) -> ColouredGraph:
        """Symmetries: rename attributes, rename the values of each attribute, look at the row from behind (left becomes right).

        Vertices: attributes, items (joined to their attribute), places (a path, whose one symmetry is the mirror), and one per
        clue, coloured by kind and distance, joined to what it names. The ends of the path stand for left and right: a directed
        clue has one port for each of its items, joined to the clue, the item and the end on whose side that item is. The middle
        item of a "between" has a port as well. Colours keep these sorts of vertices apart, and each clue can be read back from
        its vertex, so a graph isomorphism is exactly a renaming of attributes, values and sides that carries clues to clues.
        """
        n, m = puzzle.spec.params.positions, puzzle.spec.params.attributes
        colours = [_ATTRIBUTE] * m + [_ITEM] * (m * n) + [_PLACE] * n
        edges = [(a, m + a * n + v) for a in range(m) for v in range(n)]
        place = m + m * n
        edges += [(place + p, place + p + 1) for p in range(n - 1)]

        def vertex(colour: int, *joined: int) -> int:
            colours.append(colour)
            edges.extend((other, len(colours) - 1) for other in joined)
            return len(colours) - 1

        for clue in puzzle.clues:
            items, number = _read(clue, puzzle.spec.params)
            named = [m + a * n + v for a, v in items]
            colour = _FIRST_KIND + _CODES[clue.kind]
            if clue.kind in ("at", "not_at"):
                vertex(colour, *named, place + number)
            elif clue.kind == "apart":
                vertex(_FIRST_KIND + len(RELATIONS) + number, *named)
            elif clue.kind == "between":
                vertex(_PORT, named[0], vertex(colour, *named[1:]))
            elif clue.kind in ("just_left", "left"):
                middle = vertex(colour)
                vertex(_PORT, middle, named[0], place)
                vertex(_PORT, middle, named[1], place + n - 1)
            else:
                vertex(colour, *named)
        return ColouredGraph(tuple(colours), tuple(edges))

    def capacity(self, spec: Spec[Params]) -> int | None:
        # minimal clue sets of two places, counted in tests/unit/test_zebra.py; 3 x 2 has thousands
        return {(2, 2): 11, (2, 3): 72}.get((spec.params.positions, spec.params.attributes))

    # ---- text

    def render(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        theme, attributes = _vocabulary(puzzle)
        n = puzzle.spec.params.positions
        lines = [f"{theme.intro(n)} {theme.numbering(n)}", ""]
        lines += [theme.once(), ""]
        for attribute, names in zip(attributes, puzzle.look.names, strict=True):
            lines.append(f"- {attribute.title}: {', '.join(attribute.listed(names))}")
        told = puzzle.told()
        meanings = theme.meanings([clue.kind for clue in told], n)
        if meanings:
            lines += ["", "How the clues are meant:"]
            lines += [f"- {meaning}" for meaning in meanings]
        lines += ["", "Clues:"]
        lines += [f"{i + 1}. {_sentence(puzzle, theme, attributes, clue)}" for i, clue in enumerate(told)]
        lines += ["", theme.question()]
        return "\n".join(lines)

    def layout(self, puzzle: Puzzle[Params, NoBoard]) -> Layout:
        theme, attributes = _vocabulary(puzzle)
        n = puzzle.spec.params.positions
        columns = [Column(theme.place, tuple([str(p + 1) for p in range(n)]))]
        for attribute, names in zip(attributes, puzzle.look.names, strict=True):
            columns.append(Column(attribute.title, attribute.listed(names)))
        return Layout(tuple(columns), n, n, False, f"Give one row per {theme.place}, {theme.order}.")

    def write(self, puzzle: Puzzle[Params, NoBoard], answer: Cells) -> Rows:
        names = puzzle.look.names
        return tuple(
            [(str(p + 1), *[names[a][row[p]] for a, row in enumerate(answer)]) for p in range(puzzle.spec.params.positions)]
        )

    def read(self, puzzle: Puzzle[Params, NoBoard], rows: Rows) -> Cells | None:
        """Rows may come in any order, since each names its place; every place must have one."""
        n = puzzle.spec.params.positions
        values = [{name.casefold(): v for v, name in enumerate(names)} for names in puzzle.look.names]
        places = {str(p + 1): p for p in range(n)}
        columns: dict[int, tuple[int, ...]] = {}
        for row in rows:
            if len(row) != len(values) + 1 or row[0] not in places:
                return None
            found = [known.get(token.casefold(), BLANK) for known, token in zip(values, row[1:], strict=True)]
            if BLANK in found or places[row[0]] in columns:
                return None
            columns[places[row[0]]] = tuple(found)
        if len(columns) != n:
            return None
        return tuple([tuple([columns[p][a] for p in range(n)]) for a in range(len(values))])

    def draw(self, puzzle: Puzzle[Params, NoBoard], answer: Cells | None = None) -> str:
        """A table of places and attributes with what the clues show outright; the clues below; an answer's values are shaded."""
        theme, attributes = _vocabulary(puzzle)
        n, names = puzzle.spec.params.positions, puzzle.look.names
        shown = {(a, p): v for a, v, p in (clue.ints() for clue in puzzle.clues if clue.kind == "at")}
        told = [f"{i + 1}. {_sentence(puzzle, theme, attributes, clue)}" for i, clue in enumerate(puzzle.told())]
        wide, high = 118, 28
        parts = []

        def cell(column: int, line: int, text: str, fill: str) -> None:
            x, y = 6 + column * wide, 6 + line * high
            parts.append(f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" fill="{fill}" stroke="#333"/>')
            parts.append(f'<text x="{x + wide // 2}" y="{y + 19}" text-anchor="middle" font-size="13">{escape(text)}</text>')

        for p in range(n):
            cell(p + 1, 0, f"{theme.place} {p + 1}", "#ddd")
        for a, attribute in enumerate(attributes):
            cell(0, a + 1, attribute.title, "#ddd")
            for p in range(n):
                if (a, p) in shown:
                    cell(p + 1, a + 1, names[a][shown[a, p]], "#eee")
                else:
                    cell(p + 1, a + 1, "" if answer is None else names[a][answer[a][p]], "#fff" if answer is None else "#dfd")
        top = 12 + high * (len(attributes) + 1)
        for i, sentence in enumerate(told):
            parts.append(f'<text x="6" y="{top + 20 * (i + 1)}" font-size="13">{escape(sentence)}</text>')
        width = max([12 + wide * (n + 1), *[12 + 7 * len(sentence) for sentence in told]])
        size = f"0 0 {width} {top + 20 * (len(told) + 1)}"
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" font-family="sans-serif">{"".join(parts)}</svg>'

    # ---- evidence

    def examples(self) -> tuple[Example[Params, NoBoard, Cells], ...]:
        return (_life_1962(), _fish())

    def smallest(self) -> tuple[Spec[Params], ...]:
        return (Spec(Params(2, 3)), Spec(Params(3, 2)), Spec(Params(4, 2)))


_ATTRIBUTE, _ITEM, _PLACE, _PORT, _FIRST_KIND = range(5)  # colours of shape()


@lru_cache(maxsize=1 << 15)  # a scorer and a search read the same clues over and over
def _read(clue: Clue, params: Params) -> tuple[tuple[Item, ...], int]:
    """The items that a clue names, and its place or distance (0 if it has none). BadRow if it is no clue of this size."""
    count = _ITEMS.get(clue.kind)
    if count is None:
        raise BadRow(f"clue {clue.id}: zebra knows no kind {clue.kind[:40]!r}; known: {', '.join(_ITEMS)}")
    args = clue.args
    items: list[Item] = []
    number = 0
    good = len(args) == 2 * count + (clue.kind in _NUMBERED)
    for k in range(count if good else 0):
        a, v = args[2 * k], args[2 * k + 1]
        if type(a) is int and type(v) is int and 0 <= a < params.attributes and 0 <= v < params.positions:
            items.append((a, v))
    if good and clue.kind in _NUMBERED:
        last = args[-1]
        if type(last) is int and 0 <= last < params.positions:
            number = last
        else:
            good = False
    if not good or len(items) != count:
        raise BadRow(
            f"clue {clue.id}: {clue.kind} {str(args)[:60]} names no {count} item(s) "
            f"of {params.attributes} attributes at {params.positions} places"
        )
    return tuple(items), number


def _args(kind: str, items: Sequence[Item], number: int) -> tuple[int, ...]:
    """A clue's arguments, in the one order that stands for all orders of the same meaning."""
    if kind in _MIRRORED:
        items = sorted(items)
    elif kind == "between":
        items = [items[0], *sorted(items[1:])]
    flat = [part for item in items for part in item]
    return (*flat, number) if kind in _NUMBERED else tuple(flat)


def _true(kind: str, places: Sequence[int], number: int, positions: int) -> bool:
    """Whether a clue of this kind is true of items at these places."""
    x = places[0]
    if kind == "at":
        return x == number
    if kind == "not_at":
        return x != number
    if kind == "end":
        return x == 0 or x == positions - 1
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
    return min(y, places[2]) < x < max(y, places[2])


def _true_statements(cells: Cells, rng: Rng) -> list[tuple[str, tuple[int, ...]]]:
    """Every true "at", and random true statements of the other kinds by _SHARES; with two places all true statements."""
    m, n = len(cells), len(cells[0])
    found: list[tuple[str, tuple[int, ...]]] = [("at", (a, v, p)) for a, row in enumerate(cells) for p, v in enumerate(row)]
    seen: set[tuple[str, tuple[int, ...]]] = set()  # only asked for membership

    def item(p: int) -> Item:
        a = rng.below(m)
        return a, cells[a][p]

    if n == 2:  # the other kinds are always true or say the same as one of these, and all of these are few
        for a, b, p in product(range(m), range(m), range(2)):
            if a < b:
                found.append(("same", (a, cells[a][p], b, cells[b][p])))
                found.append(("not_same", (a, cells[a][p], b, cells[b][1 - p])))
        return found + [("left", (a, cells[a][0], b, cells[b][1])) for a, b in product(range(m), range(m))]
    for kind, share in _SHARES.items():
        for _ in range(max(1, m * n * share // 8)):
            number = 0
            if kind == "not_at":
                p = rng.below(n)
                items = [item(p)]
                number = (p + 1 + rng.below(n - 1)) % n
            elif kind == "end":
                items = [item(rng.pick((0, n - 1)))]
            elif kind in ("same", "not_same"):
                a, b = rng.sample(range(m), 2)
                p = rng.below(n)
                q = p if kind == "same" else (p + 1 + rng.below(n - 1)) % n
                items = [(a, cells[a][p]), (b, cells[b][q])]
            elif kind == "between":
                places = sorted(rng.sample(range(n), 3))
                items = [item(places[1]), item(places[0]), item(places[2])]
            else:
                low = 2 if kind == "apart" else 1
                high = n - 1 if kind in ("apart", "left") else 1
                number = rng.between(low, high)
                p = rng.below(n - number)
                items = [item(p), item(p + number)]
            statement = (kind, _args(kind, items, number))
            if statement not in seen:
                seen.add(statement)
                found.append(statement)
    return found


def _look(spec: Spec[Params], rng: Rng) -> Look:
    """A random theme, attributes of it, values of each, and a phrasing."""
    theme = THEMES[rng.pick(tuple(THEMES))]
    attributes = rng.sample(theme.attributes, spec.params.attributes)
    names = tuple([tuple(rng.sample(attribute.values, spec.params.positions)) for attribute in attributes])
    return Look(names=names, theme=theme.name, phrasing=rng.below(1000))


def _vocabulary(puzzle: Puzzle[Params, NoBoard]) -> tuple[Theme, list[Attribute]]:
    """The puzzle's theme and attributes. BadRow if its look does not come from one theme."""
    look, n, m = puzzle.look, puzzle.spec.params.positions, puzzle.spec.params.attributes
    theme = THEMES.get(look.theme)
    if theme is None:
        raise BadRow(f"zebra: unknown theme {look.theme[:40]!r}; known: {', '.join(THEMES)}")
    if len(look.names) != m or any(len(set(names)) != n for names in look.names):
        raise BadRow(f"zebra: look.names must hold {n} different names for each of {m} attributes")
    attributes = [theme.attribute(names) for names in look.names]
    if len({attribute.title for attribute in attributes}) != m:
        raise BadRow("zebra: look.names holds one attribute of the theme twice")
    return theme, attributes


def _sentence(puzzle: Puzzle[Params, NoBoard], theme: Theme, attributes: Sequence[Attribute], clue: Clue) -> str:
    """One clue in words. Its wording depends on the look and the clue's id alone."""
    items, number = _read(clue, puzzle.spec.params)
    named = [(attributes[a], puzzle.look.names[a][v]) for a, v in items]
    choice = puzzle.look.phrasing + crc32(clue.id.encode())
    return theme.sentence(clue.kind, named, number, puzzle.spec.params.positions, choice)


def _five_houses(
    source: str, rows: Sequence[Sequence[str]], statements: Sequence[tuple[str, tuple[str, ...], int]]
) -> Example[Params, NoBoard, Cells]:
    """A puzzle of our street theme from its answer, house by house, and statements that name values."""
    names = tuple([tuple(sorted(row)) for row in rows])
    item = {name: (a, v) for a, row in enumerate(names) for v, name in enumerate(row)}
    clues = [
        Clue(f"k{i + 1}", kind, _args(kind, [item[name] for name in named], number))
        for i, (kind, named, number) in enumerate(statements)
    ]
    spec = Spec(Params(len(rows[0]), len(rows)))
    look = Look(names=names, theme="street")
    puzzle = Puzzle(Zebra.name, Zebra.version, spec, NoBoard(), tuple(clues), Question(), look)
    return Example(puzzle, tuple([tuple([item[name][1] for name in row]) for row in rows]), source)


def _life_1962() -> Example[Params, NoBoard, Cells]:
    """Tobacco brands became pastimes."""
    return _five_houses(
        "Life International, 17 December 1962; answer of 25 March 1963: the Norwegian drinks water, the Japanese owns the zebra",
        (
            ("yellow", "blue", "red", "ivory", "green"),
            ("Norway", "Ukraine", "England", "Spain", "Japan"),
            ("water", "tea", "milk", "orange juice", "coffee"),
            ("chess", "origami", "archery", "juggling", "pottery"),
            ("fox", "horse", "snail", "dog", "zebra"),
        ),
        (
            ("same", ("England", "red"), 0),
            ("same", ("Spain", "dog"), 0),
            ("same", ("coffee", "green"), 0),
            ("same", ("Ukraine", "tea"), 0),
            ("just_left", ("ivory", "green"), 0),
            ("same", ("archery", "snail"), 0),
            ("same", ("chess", "yellow"), 0),
            ("at", ("milk",), 2),
            ("at", ("Norway",), 0),
            ("next", ("origami", "fox"), 0),
            ("next", ("chess", "horse"), 0),
            ("same", ("juggling", "orange juice"), 0),
            ("same", ("Japan", "pottery"), 0),
            ("next", ("Norway", "blue"), 0),
        ),
    )


def _fish() -> Example[Params, NoBoard, Cells]:
    """Tobacco brands became pastimes, beer lemonade, white ivory, the fish a zebra; names of countries were changed to ours."""
    return _five_houses(
        "J. Stangroom, Einstein's Riddle (2009), title puzzle: the German keeps the fish, in the fourth house",
        (
            ("yellow", "blue", "red", "green", "ivory"),
            ("Norway", "Denmark", "England", "Germany", "Sweden"),
            ("water", "tea", "milk", "coffee", "lemonade"),
            ("chess", "origami", "archery", "pottery", "juggling"),
            ("cat", "horse", "parrot", "zebra", "dog"),
        ),
        (
            ("same", ("England", "red"), 0),
            ("same", ("Sweden", "dog"), 0),
            ("same", ("Denmark", "tea"), 0),
            ("just_left", ("green", "ivory"), 0),
            ("same", ("green", "coffee"), 0),
            ("same", ("archery", "parrot"), 0),
            ("same", ("yellow", "chess"), 0),
            ("at", ("milk",), 2),
            ("at", ("Norway",), 0),
            ("next", ("origami", "cat"), 0),
            ("next", ("horse", "chess"), 0),
            ("same", ("juggling", "lemonade"), 0),
            ("same", ("Germany", "pottery"), 0),
            ("next", ("Norway", "blue"), 0),
            ("next", ("origami", "water"), 0),
        ),
    )


FAMILY = Zebra()
