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
    far              the numbers of two items' places differ by at least d, d >= 2, in either order
    between          the first item stands strictly between the two others, whichever of these comes first
  and composites, whose arguments are two or three statements (kind, ...) of the kinds above:
    one_of           exactly one of three statements is true
    if               the second statement is true or the first one is false
    either           exactly one of two statements is true
An item (a, v) is value v of attribute a. Places count from 0 inside and from 1 in words.
Source: "Who owns the zebra?", Life International, 17 December 1962. Seen in HardcoreLogic (2510.12563), which takes its puzzles
from ZebraLogic (2502.01100). broken_rules returns "once" or the ids of clues, and "malformed" for what is no table.

Clues are drawn from the true ones by kind (_SHARES) and then left out until each is needed; of those that stay 12 to 18 %
are negative and 6 % an "at" (measured in tests/unit/test_zebra.py). Parameters ask for composites of a sort (some are drawn, and
left out last, so that at least two stay or the draft is not used) and for looser clues: then no statement fixes a place or a
distance. "far" is drawn for these only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from itertools import combinations, count, product
from math import factorial, log10
from textwrap import wrap
from typing import Any, ClassVar, final
from zlib import crc32

from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.family import Family, Legacy, Pairing, Relation, Transform
from puzzlemill.core.model import BLANK, COMPOSITES, RELATIONS, Constraints, PositionTable, Slots, Step
from puzzlemill.core.rng import Rng
from puzzlemill.core.shape import ColouredGraph
from puzzlemill.core.text import Line, heading
from puzzlemill.core.types import (
    Arg,
    Clue,
    Column,
    Draft,
    Example,
    Kind,
    Layout,
    NoBoard,
    Oracle,
    Puzzle,
    Question,
    Rows,
    Spec,
    Style,
)
from puzzlemill.transforms.forms import Restyle, SetParam
from puzzlemill.vocabulary.themes import Attribute, Theme, themes

Cells = tuple[tuple[int, ...], ...]  # cells[a][p]: the value of attribute a at place p, or BLANK
Item = tuple[int, int]  # (attribute, value)
Said = tuple[str, tuple[Arg, ...]]  # kind and arguments of a clue
Atom = tuple[str, tuple[Item, ...], int]  # kind, items, and the place or distance (0 if it has none)

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
    "far": 2,
}  # how many items a kind names
_PARTS = {"one_of": 3, "if": 2, "either": 2}  # how many statements a composite has
_NUMBERED = ("at", "not_at", "apart", "far")  # kinds whose last argument is a place or a distance
_CODES = {kind: code for code, kind in enumerate(RELATIONS)}
_MIRRORED = ("same", "not_same", "next", "apart", "far")  # whichever item comes first; the lesser one is written first

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
_LOOSE_SHARES = {"left": 8, "far": 5, "between": 6, "end": 2, "not_same": 9, "not_at": 8}  # where clues are to be looser
# Of 20 parts of composites so many are of a kind: those that read well inside a sentence, and no denials.
_PART_SHARES = {"same": 5, "next": 3, "left": 3, "just_left": 3, "at": 3, "apart": 2, "between": 1}
_LOOSE_PART_SHARES = {"same": 4, "left": 8, "between": 4, "far": 4}
_ASKED = {"one_of_three": "one_of", "implication": "if", "exclusive_or": "either"}  # parameter: what it asks for
_FEWEST = 2  # clues of a kind that is asked for


@dataclass(frozen=True, slots=True)
class Params:
    """positions: places in the row, 2 to 8. attributes: 2 to 8. The others need 3 places.

    looser: no clue fixes a place or a distance, unless it is a composite. one_of_three, implication, exclusive_or: at least two
    clues of this sort; in small puzzles there is no room for two or three sorts.
    """

    positions: int = 4
    attributes: int = 4
    looser: bool = False
    one_of_three: bool = False
    implication: bool = False
    exclusive_or: bool = False

    def asked(self) -> tuple[str, ...]:
        """The kinds of composites that are asked for."""
        return tuple([kind for name, kind in _ASKED.items() if getattr(self, name)])


def _entangle(name: str, param: str, about: str) -> SetParam:
    return SetParam(name, Kind.IC2, Relation.EDIT, Pairing.SAME_ANSWER, ((param, True),), about)


@final
class Zebra(Legacy, Family[Params, NoBoard, Cells, Cells]):
    name: ClassVar[str] = "zebra"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Zebra puzzle"
    params: ClassVar[Any] = Params
    answer: ClassVar[Any] = Cells
    lists_clues: bool = True
    transforms: ClassVar[tuple[Transform, ...]] = (
        _entangle("looser_clues", "looser", "inequalities in place of equalities"),  # no clue fixes a place or a distance
        _entangle("one_of_three", "one_of_three", "clues of which exactly one of three statements is true"),
        _entangle("implication", "implication", "clues of the form if ... then"),
        _entangle("exclusive_or", "exclusive_or", "clues of the form either ... or"),
        Restyle("rename", Kind.SURFACE, Relation.SURFACE, about="other names"),
        Restyle("paraphrase", Kind.SURFACE, Relation.SURFACE, about="other words for the same clues"),
        Restyle("red_herring", Kind.SURFACE, Relation.SURFACE, about="remarks that say nothing about the answer"),  # 1 to 3
    )
    source: ClassVar[str] = "Life International, 17 December 1962, Who owns the zebra?"

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        for name, value in (("positions", spec.params.positions), ("attributes", spec.params.attributes)):
            if not 2 <= value <= 8:
                raise BadParams(f"zebra.{name} must be 2 to 8, got {value}; set family.params.{name}")
        if spec.params.positions < 3:
            for name in ("looser", *_ASKED):
                if getattr(spec.params, name):
                    raise BadParams(f"zebra.{name} needs 3 places or more, got 2; set family.params.positions or leave it out")
        names = [name for name in _ASKED if getattr(spec.params, name)]
        items, fewest = spec.params.positions * spec.params.attributes, 4 * len(names)
        if items < fewest:
            raise BadParams(
                f"zebra: {', '.join(names)} together need {fewest} values or more (places x attributes), got {items}; "
                "set family.params.positions or attributes, or leave one out"
            )

    def sample_solution(self, spec: Spec[Params], rng: Rng, oracle: Oracle) -> Cells:
        return tuple([tuple(rng.shuffled(range(spec.params.positions))) for _ in range(spec.params.attributes)])

    def make_puzzle(self, spec: Spec[Params], hidden: Cells, rng: Rng) -> Draft[Params, NoBoard, Cells, Cells]:
        true = _loose_statements(hidden, rng) if spec.params.looser else _true_statements(hidden, rng)
        asked = spec.params.asked()
        if asked:
            true = [*true, *_composites(hidden, asked, spec.params.looser, rng.child("composites"))]
        statements = rng.shuffled(true)
        clues = tuple([Clue(f"k{i + 1}", kind, args) for i, (kind, args) in enumerate(statements)])
        puzzle = Puzzle(self.name, self.version, spec, NoBoard(), clues, Question(), _look(spec, rng))
        return Draft(puzzle, hidden, hidden)

    def removal_order(self, draft: Draft[Params, NoBoard, Cells, Cells], rng: Rng) -> list[int]:
        """Most clues that give a place away go first, if they can; what is tried last mostly stays, so the rest is even.

        With two places the order is quite even, so that every minimal set of clues can come out (capacity counts them). Where
        clues are looser, the orders within each attribute go first; composites go last.
        """
        params = draft.puzzle.spec.params
        first, rest, last = [], [], []
        for i, clue in enumerate(draft.puzzle.clues):
            if clue.kind in _PARTS:
                last.append(i)
            elif clue.kind == "left" and clue.args[0] == clue.args[2] if params.looser else clue.kind == "at":
                first.append(i)
            else:
                rest.append(i)
        first = rng.shuffled(first)
        late = len(first) // _AT_LATE if params.positions > 2 else len(first)
        return first[late:] + rng.shuffled([*first[:late], *rest]) + rng.shuffled(last)

    def usable(self, draft: Draft[Params, NoBoard, Cells, Cells]) -> bool:
        """Whether enough composites of every sort that is asked for are needed."""
        kinds = Counter(clue.kind for clue in draft.puzzle.clues)
        return all(kinds[kind] >= _FEWEST for kind in draft.puzzle.spec.params.asked())

    def larger(self, spec: Spec[Params]) -> Spec[Params] | None:
        """One more place; the attributes stay."""
        params = spec.params
        return replace(spec, params=replace(params, positions=params.positions + 1)) if params.positions < 8 else None

    def alternatives(self, puzzle: Puzzle[Params, NoBoard], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """Turned round, or with one item, place or distance changed; never what another clue already says.

        In a composite, one part is changed so, or an implication is turned round.
        """
        said = [(other.kind, other.args) for other in puzzle.clues]
        if clue.kind not in _PARTS:
            found = _altered(clue, puzzle.spec.params)
        else:
            parts = [(part.kind, part.args) for part in _parts(clue, puzzle.spec.params)]
            found = [(clue.kind, _joined(clue.kind, parts[::-1]))] if clue.kind == "if" else []
            for k, part in enumerate(_parts(clue, puzzle.spec.params)):
                others = [*parts[:k], *parts[k + 1 :]]
                for other in _altered(part, puzzle.spec.params):
                    if other not in others:
                        found.append((clue.kind, _joined(clue.kind, [*parts[:k], other, *parts[k + 1 :]])))
        for statement in rng.shuffled(found):
            if statement not in said:
                yield Clue(clue.id, *statement)

    def restyle(self, puzzle: Puzzle[Params, NoBoard], way: str, rng: Rng) -> Style:
        """rename: no entity keeps its name. paraphrase: no clue keeps its template. red_herring: one to three asides."""
        look = puzzle.style
        if way == "rename":
            renamed = _renamed(puzzle, rng)
            places = [place for place, _ in look.asides]
            return replace(renamed, asides=_asides(replace(puzzle, style=renamed), places, rng.child("asides")))
        if way == "paraphrase":
            return replace(look, phrasing=look.phrasing + rng.pick(_TURNS))
        if way == "red_herring":
            places = sorted(rng.below(len(puzzle.clues) + 1) for _ in range(rng.between(1, 3)))
            return replace(look, asides=_asides(puzzle, places, rng.child("asides")))
        raise TypeError(f"{self.name} has no look of the sort {way!r}")

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
        """Which pairs or triples of places are refused, or which places support which.

        A part of a composite has a variable that is true exactly when the part is.
        """
        if clue.kind in _PARTS:
            whether = [_reified(m, spec, part) for part in _parts(clue, spec.params)]
            if clue.kind == "if":
                m.require(-whether[0], whether[1], label=clue.id)
            else:
                m.exactly_one(whether, label=clue.id)
            return
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
                elif clue.kind == "far":
                    m.require(-x[p], *y[: max(p - number + 1, 0)], *y[p + number :], label=clue.id)
                    m.require(-y[p], *x[: max(p - number + 1, 0)], *x[p + number :], label=clue.id)
                else:
                    d = 1 if clue.kind == "next" else number
                    m.require(-x[p], *y[max(p - d, 0) : max(p - d + 1, 0)], *y[p + d : p + d + 1], label=clue.id)
                    m.require(-y[p], *x[max(p - d, 0) : max(p - d + 1, 0)], *x[p + d : p + d + 1], label=clue.id)

    def table(self, puzzle: Puzzle[Params, NoBoard]) -> PositionTable:
        rows: list[tuple[int, ...]] = []
        parts: list[tuple[int, ...]] = []
        for clue in puzzle.clues:
            if clue.kind in _PARTS:
                own = [_row(part, puzzle.spec.params) for part in _parts(clue, puzzle.spec.params)]
                rows.append((_CODES[clue.kind], len(parts), len(own), 0, 0, 0, 0, 0))
                parts += own
            else:
                rows.append(_row(clue, puzzle.spec.params))
        return PositionTable(puzzle.spec.params.positions, puzzle.spec.params.attributes, tuple(rows), tuple(parts))

    def slots(self, spec: Spec[Params], board: NoBoard) -> tuple[int, ...]:
        return (spec.params.positions,) * (spec.params.positions * spec.params.attributes)

    def assemble(self, spec: Spec[Params], board: NoBoard, values: Slots) -> Cells:
        n = spec.params.positions
        return tuple([values[a * n : a * n + n] for a in range(spec.params.attributes)])

    def values(self, spec: Spec[Params], board: NoBoard, answer: Cells) -> Slots:
        return tuple([v for row in answer for v in row])

    def broken_rules(self, puzzle: Puzzle[Params, NoBoard], answer: Cells, partial: bool = False) -> list[str]:
        n, m = puzzle.spec.params.positions, puzzle.spec.params.attributes
        if type(answer) is not tuple or len(answer) != m:
            return ["malformed"]
        for row in answer:
            if type(row) is not tuple or len(row) != n:
                return ["malformed"]
            for value in row:
                if type(value) is not int or not (0 <= value < n or (partial and value == BLANK)):
                    return ["malformed"]
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
            if clue.kind in _PARTS:
                parts = _parts(clue, puzzle.spec.params)
                right = _may_hold(clue.kind, [_outcomes(part, spots, puzzle.spec.params) for part in parts])
            else:
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

    def symmetry(self, puzzle: Puzzle[Params, NoBoard]) -> ColouredGraph:
        """Symmetries: rename attributes, rename the values of each attribute, look at the row from behind (left becomes right).

        Vertices: attributes, items (joined to their attribute), places (a path, whose one symmetry is the mirror), and one per
        clue, coloured by kind and distance, joined to what it names. The ends of the path stand for left and right: a directed
        clue has one port for each of its items, joined to the clue, the item and the end on whose side that item is. The middle
        item of a "between" has a port as well. A composite's parts have vertices like clues, joined to its own; the condition of
        an "if" is joined through a port. Colours keep these sorts of vertices apart, and each clue can be read back from
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

        def stated(clue: Clue) -> int:
            items, number = _read(clue, puzzle.spec.params)
            named = [m + a * n + v for a, v in items]
            colour = _FIRST_KIND + _CODES[clue.kind]
            if clue.kind in ("at", "not_at"):
                return vertex(colour, *named, place + number)
            if clue.kind in ("apart", "far"):
                return vertex((_FIRST_APART if clue.kind == "apart" else _FIRST_FAR) + number, *named)
            middle = vertex(colour, *(named[1:] if clue.kind == "between" else () if clue.kind in _DIRECTED else named))
            if clue.kind == "between":
                vertex(_PORT, named[0], middle)
            elif clue.kind in _DIRECTED:
                vertex(_PORT, middle, named[0], place)
                vertex(_PORT, middle, named[1], place + n - 1)
            return middle

        for clue in puzzle.clues:
            if clue.kind in _PARTS:
                parts = [stated(part) for part in _parts(clue, puzzle.spec.params)]
                if clue.kind == "if":
                    parts[0] = vertex(_PORT, parts[0])
                vertex(_FIRST_COMPOSITE + COMPOSITES.index(clue.kind), *parts)
            else:
                stated(clue)
        return ColouredGraph(tuple(colours), tuple(edges))

    def puzzles(self, spec: Spec[Params]) -> int | None:
        # where anything is asked for there are three places at least
        # minimal clue sets of two places, counted in tests/unit/test_zebra.py; 3 x 2 has thousands
        return {(2, 2): 11, (2, 3): 72}.get((spec.params.positions, spec.params.attributes))

    # ---- text

    def render(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        theme, attributes = _vocabulary(puzzle)
        n = puzzle.spec.params.positions
        lines = [f"{theme.intro(n)} {theme.numbering(n)}", ""]
        lines += [theme.once(), ""]
        for attribute, names in zip(attributes, puzzle.style.names, strict=True):
            lines.append(f"- {attribute.title}: {', '.join(attribute.listed(names))}")
        told = puzzle.clues_in_order()
        meanings = theme.meanings([kind for clue in told for kind in _kinds(clue, puzzle.spec.params)], n)
        if meanings:
            lines += ["", "How the clues are meant:"]
            lines += [f"- {meaning}" for meaning in meanings]
        lines += ["", "Clues:"]
        lines += [f"{i + 1}. {sentence}" for i, (_, sentence) in enumerate(_sentences(puzzle))]
        lines += ["", theme.question()]
        return "\n".join(lines)

    def layout(self, puzzle: Puzzle[Params, NoBoard]) -> Layout:
        n = puzzle.spec.params.positions
        if not puzzle.style.theme:
            own = [Column(title, names) for title, names in zip(_titles(puzzle), puzzle.style.names, strict=True)]
            places = Column("place", tuple([str(p + 1) for p in range(n)]))
            return Layout((places, *own), n, n, False, "Give one row per place, from the first to the last.")
        theme, attributes = _vocabulary(puzzle)
        columns = [Column(theme.place, tuple([str(p + 1) for p in range(n)]))]
        for attribute, names in zip(attributes, puzzle.style.names, strict=True):
            columns.append(Column(attribute.title, attribute.listed(names)))
        return Layout(tuple(columns), n, n, False, f"Give one row per {theme.place}, {theme.order}.")

    def write(self, puzzle: Puzzle[Params, NoBoard], answer: Cells) -> Rows:
        names = puzzle.style.names
        return tuple(
            [(str(p + 1), *[names[a][row[p]] for a, row in enumerate(answer)]) for p in range(puzzle.spec.params.positions)]
        )

    def read(self, puzzle: Puzzle[Params, NoBoard], rows: Rows) -> Cells | None:
        """Rows may come in any order, since each names its place; every place must have one."""
        n = puzzle.spec.params.positions
        values = [{name.casefold(): v for v, name in enumerate(names)} for names in puzzle.style.names]
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

    def draw(self, puzzle: Puzzle[Params, NoBoard], answer: Cells | None = None, marked: Collection[str] = ()) -> str:
        """A table of places and attributes with what clues show outright and a shaded answer; the clues, marked ones shaded."""
        theme, attributes = _vocabulary(puzzle)
        n, names = puzzle.spec.params.positions, puzzle.style.names
        shown = {(a, p): v for a, v, p in (clue.ints() for clue in puzzle.clues if clue.kind == "at")}
        told = [(name, f"{i + 1}. {sentence}") for i, (name, sentence) in enumerate(_sentences(puzzle))]
        if "once" in marked:
            told.append(("once", self.describe(puzzle, "once")))
        wide, high = 118, 28
        width = 12 + wide * max(n + 1, 6)  # for the clues too, which are wrapped
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
                    value = BLANK if answer is None else answer[a][p]
                    cell(p + 1, a + 1, "" if value == BLANK else names[a][value], "#fff" if value == BLANK else "#dfd")
        top = 12 + high * (len(attributes) + 1)
        y = top
        for name, sentence in told:
            lines = wrap(sentence, (width - 30) // 7)
            if name and name in marked:
                parts.append(f'<rect x="2" y="{y + 5}" width="{width - 4}" height="{20 * len(lines)}" fill="#fd8"/>')
            for line in lines:
                y += 20
                x = 6 if line is lines[0] else 24
                parts.append(f'<text x="{x}" y="{y}" font-size="13">{escape(line)}</text>')
        size = f"0 0 {width} {y + 20}"
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" font-family="sans-serif">{"".join(parts)}</svg>'

    def describe(self, puzzle: Puzzle[Params, NoBoard], label: str) -> str:
        clue = next((clue for clue in puzzle.clues if clue.id == label), None)
        if clue is None and label != "once":
            raise BadRow(f"zebra: {label[:40]!r} is no clue of this puzzle and no rule; expected an id of a clue, or once")
        if not puzzle.style.theme:
            return "Every value stands at exactly one place." if clue is None else _spelled(puzzle, clue)
        theme, attributes = _vocabulary(puzzle)
        if clue is None:
            return f"Every {theme.who} has exactly one of the values of each line, and no two {theme.whos} have the same one."
        return _sentence(puzzle, theme, attributes, clue)

    def explain(self, puzzle: Puzzle[Params, NoBoard], step: Step) -> str:
        text = _Teller(puzzle).told(step)
        ends = not step.sets and not step.drops and step.technique != "search"  # which says so itself
        return text[0].upper() + text[1:] + "." + (" So there is no answer." if ends else "")

    # ---- puzzles from elsewhere

    def parse(self, lines: Sequence[Line]) -> Puzzle[Params, NoBoard]:
        """Its look has no theme: symbols are the attributes' titles, and clues are told as they are written."""
        heading(lines, self.name)
        lists = [line for line in lines[1:] if ":" in line.text.partition("(")[0]]
        told = [line for line in lines[1:] if line not in lists]
        if not 2 <= len(lists) <= 8:
            raise lines[0].bad(0, f"expected 2 to 8 attributes such as `drink: tea, milk, water`, got {len(lists)}")
        if len(told) > _MOST_TOLD:
            raise told[_MOST_TOLD].bad(0, f"at most {_MOST_TOLD} clues are read")
        titles, names = [], []
        for line in lists:
            title, _, values = line.text.partition(":")
            titles.append(title.strip())
            names.append(tuple([" ".join(value.split()) for value in values.split(",")]))
            for name in (titles[-1], *names[-1]):
                if not _may_stand(name):
                    raise line.bad(0, f"expected a name without brackets and = before each comma, got {name[:40]!r}")
            if len({name.casefold() for name in names[-1]}) < len(names[-1]) or not 2 <= len(names[-1]) <= 8:
                raise line.bad(len(title) + 1, f"expected 2 to 8 different values, got {len(names[-1])}")
            if len(names[-1]) != len(names[0]):
                raise line.bad(len(title) + 1, f"expected {len(names[0])} values, as many as above, got {len(names[-1])}")
        if len({title.casefold() for title in titles}) < len(titles):
            raise lists[-1].bad(0, f"two attributes have one title: {', '.join(titles)[:80]}")
        spec = Spec(Params(len(names[0]), len(titles)))
        look = Style(symbols=tuple(titles), names=tuple(names))
        reader = _ClueReader(look, spec.params)
        clues = tuple([Clue(f"k{i}", *reader.statement(line)) for i, line in enumerate(told, 1)])
        return Puzzle(self.name, self.version, spec, NoBoard(), clues, Question(), look)

    def format(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        lines = [self.name]
        for title, names in zip(_titles(puzzle), puzzle.style.names, strict=True):
            strange = next((name for name in (title, *names) if not _may_stand(name)), None)
            if strange is not None or ":" in title:
                raise BadRow(f"zebra: the text form has no way to write the name {strange or title!r}")
            lines.append(f"{title}: {', '.join(names)}")
        return "\n".join([*lines, *[_spelled(puzzle, clue) for clue in puzzle.clues_in_order()]]) + "\n"

    # ---- evidence

    def examples(self) -> tuple[Example[Params, NoBoard, Cells], ...]:
        return (_life_1962(), _fish())

    @property
    def smallest(self) -> tuple[Spec[Params], ...]:  # type: ignore[override]
        asked = [Params(3, 2, looser=True), *[replace(Params(3, 3), **{name: True}) for name in _ASKED]]
        return (Spec(Params(2, 3)), Spec(Params(3, 2)), Spec(Params(4, 2)), *[Spec(params) for params in asked])


_ATTRIBUTE, _ITEM, _PLACE, _PORT, _FIRST_KIND = range(5)  # colours of shape(); a colour per kind, place apart and distance
_FIRST_APART = _FIRST_KIND + 10
_FIRST_FAR = _FIRST_APART + 8
_FIRST_COMPOSITE = _FIRST_FAR + 8
_DIRECTED = ("just_left", "left")
_TURNS = (1, 7, 11, 13, 17, 19, 23, 29)  # of phrasings: prime to the number of templates of every kind


@lru_cache(maxsize=1 << 15)  # a scorer and a search read the same clues over and over
def _read(clue: Clue, params: Params) -> tuple[tuple[Item, ...], int]:
    """The items that a clue names, and its place or distance (0 if it has none). BadRow if it is no clue of this size."""
    count = _ITEMS.get(clue.kind)
    if count is None:
        known = f"{', '.join(_ITEMS)}, and made of these {', '.join(_PARTS)}"
        raise BadRow(f"clue {clue.id}: zebra knows no kind {clue.kind[:40]!r} here; known: {known}")
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


@lru_cache(maxsize=1 << 15)
def _parts(clue: Clue, params: Params) -> tuple[Clue, ...]:
    """The statements that a composite combines, each as a clue with its id. BadRow if they are no statements of this size."""
    parts = []
    for arg in clue.args:
        if type(arg) is not tuple or not arg or type(arg[0]) is not str:
            raise BadRow(f"clue {clue.id}: a part of {clue.kind} is a list [kind, ...], got {str(arg)[:60]}")
        part = Clue(clue.id, arg[0], arg[1:])
        _read(part, params)
        parts.append(part)
    if len(parts) != _PARTS[clue.kind]:
        raise BadRow(f"clue {clue.id}: {clue.kind} has {_PARTS[clue.kind]} parts, got {len(parts)}")
    return tuple(parts)


def _kinds(clue: Clue, params: Params) -> tuple[str, ...]:
    """The kind of a clue and those of its parts."""
    return (clue.kind, *[part.kind for part in _parts(clue, params)]) if clue.kind in _PARTS else (clue.kind,)


def _joined(kind: str, parts: Sequence[Said]) -> tuple[Arg, ...]:
    """A composite's arguments, in the one order that stands for all orders of the same meaning."""
    told = [(part, *args) for part, args in parts]
    return tuple(told if kind == "if" else sorted(told, key=repr))


def _altered(clue: Clue, params: Params) -> list[Said]:
    """A plain statement turned round, or with one item, place or distance changed."""
    items, number = _read(clue, params)
    found = []
    if clue.kind in _DIRECTED:
        found.append((items[::-1], number))
    if clue.kind in _NUMBERED:
        low = 2 if clue.kind in ("apart", "far") else 0
        found += [(items, d) for d in range(low, params.positions) if d != number]
    for k, a, v in product(range(len(items)), range(params.attributes), range(params.positions)):
        changed = (*items[:k], (a, v), *items[k + 1 :])
        if (a, v) not in items and not (clue.kind in ("same", "not_same") and changed[0][0] == changed[1][0]):
            found.append((changed, number))
    return [(clue.kind, _args(clue.kind, changed, number)) for changed, number in found]


def _row(clue: Clue, params: Params) -> tuple[int, ...]:
    """A plain statement as a row of a PositionTable."""
    items, number = _read(clue, params)
    flat = [part for item in items for part in item]
    return (_CODES[clue.kind], *flat, *(0,) * (6 - len(flat)), number)


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
    }[kind]


def _reified(m: Constraints, spec: Spec[Params], clue: Clue) -> int:
    """A new variable that is true exactly when this statement is."""
    n = spec.params.positions
    items, number = _read(clue, spec.params)
    stands = [[m.key[a * n + p][v] for p in range(n)] for a, v in items]
    t = m.var()

    def decides(when: Sequence[int], good: Sequence[int], bad: Sequence[int]) -> None:
        """Where all of `when` hold, exactly one of `good` and `bad` does, and it tells whether the statement is true."""
        m.require(-t, *[-lit for lit in when], *good, label=clue.id)
        m.require(t, *[-lit for lit in when], *bad, label=clue.id)

    x = stands[0]
    if len(items) == 1:
        good = {"at": [number], "not_at": [p for p in range(n) if p != number], "end": [0, n - 1]}[clue.kind]
        decides((), [x[p] for p in sorted(set(good))], [x[p] for p in range(n) if p not in good])
    elif clue.kind == "between":
        y, z = stands[1:]
        for p, q in product(range(n), range(n)):
            good = [r for r in range(n) if q < p < r or r < p < q]
            decides((x[p], y[q]), [z[r] for r in good], [z[r] for r in range(n) if r not in good])
    else:
        y = stands[1]
        after = _differences(clue.kind, number, n)
        for p in range(n):
            good = [q for q in range(n) if q - p in after]
            decides((x[p],), [y[q] for q in good], [y[q] for q in range(n) if q not in good])
            good = [q for q in range(n) if p - q in after]
            decides((y[p],), [x[q] for q in good], [x[q] for q in range(n) if q not in good])
    return t


def _outcomes(part: Clue, spots: Sequence[Sequence[Sequence[int]]], params: Params) -> tuple[bool, bool]:
    """Whether a part of a composite may be true, and whether it may be false, of items that stand at one of their spots."""
    items, number = _read(part, params)
    true = false = False
    for places in product(*[spots[a][v] for a, v in items]):
        if _true(part.kind, places, number, params.positions):
            true = True
        else:
            false = True
        if true and false:
            break
    return true, false


def _may_hold(kind: str, outcomes: Sequence[tuple[bool, bool]]) -> bool:
    """Whether a composite may be true, by what its parts may be."""
    for truths in product((True, False), repeat=len(outcomes)):
        possible = all(may[0] if truth else may[1] for truth, may in zip(truths, outcomes, strict=True))
        if possible and (not truths[0] or truths[1] if kind == "if" else sum(truths) == 1):
            return True
    return False


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
    if kind == "far":
        return abs(x - y) >= number
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


def _loose_statements(cells: Cells, rng: Rng) -> list[Said]:
    """Each attribute's order, one neighbour after the other, told as "left"; random true statements by _LOOSE_SHARES."""
    m, n = len(cells), len(cells[0])
    found: list[Said] = [("left", (a, row[p], a, row[p + 1])) for a, row in enumerate(cells) for p in range(n - 1)]
    seen = set(found)  # only asked for membership
    for kind, share in _LOOSE_SHARES.items():
        for _ in range(max(1, m * n * share // 8)):
            kind, args = _drawn(cells, kind, True, None, rng)
            if (kind, args) not in seen:
                seen.add((kind, args))
                found.append((kind, args))
    return found


def _composites(cells: Cells, asked: Sequence[str], loose: bool, rng: Rng) -> list[Said]:
    """True composites of these kinds. A part may be about an item of the one before; no two are about two same items."""
    shares = _LOOSE_PART_SHARES if loose else _PART_SHARES
    kinds = [kind for kind, share in shares.items() for _ in range(share)]
    many = max(_FEWEST + 2, len(cells) * len(cells[0]) // (3 * len(asked)))
    found: list[Said] = []
    for composite in asked:
        done = -many if composite == "if" else 0  # an implication says little: half of them or more are idle
        while done < many:
            truths: tuple[bool, ...]
            if composite == "if":
                truths = rng.pick(((True, True), (True, True), (False, True), (False, False)))
            else:
                true = rng.below(_PARTS[composite])
                truths = tuple([k == true for k in range(_PARTS[composite])])
            parts: list[Said] = []
            for truth in truths:
                shared = rng.pick(_named(parts[-1])) if parts and rng.chance(1, 2) else None
                parts.append(_drawn(cells, rng.pick(kinds), truth, shared, rng))
            statement = (composite, _joined(composite, parts))
            crossed = any(len({*_named(one)} & {*_named(two)}) > 1 for one, two in combinations(parts, 2))
            if not crossed and len(set(parts)) == len(parts) and statement not in found:
                found.append(statement)
                done += 1
    return found


def _named(said: Said) -> list[Item]:
    """The items of a plain statement."""
    kind, args = said
    flat = [arg for arg in args if type(arg) is int]
    return [(flat[2 * k], flat[2 * k + 1]) for k in range(_ITEMS[kind])]


def _drawn(cells: Cells, kind: str, truth: bool, shared: Item | None, rng: Rng) -> Said:
    """A random true (or false) statement of this kind about different items; it might also be otherwise.

    `shared` is among them unless 64 draws do not find it so (in a row of three, nothing is two places from the middle).
    """
    m, n = len(cells), len(cells[0])
    for attempt in count():
        items = [(rng.below(m), rng.below(n)) for _ in range(_ITEMS[kind])]
        if shared is not None and attempt < 64:
            items[rng.below(len(items))] = shared
        number = rng.between(2, n - 1) if kind in ("apart", "far") else rng.below(n) if kind in _NUMBERED else 0
        if len(set(items)) < len(items) or (kind in ("same", "not_same") and items[0][0] == items[1][0]):
            continue
        if _true(kind, [cells[a].index(v) for a, v in items], number, n) == truth:
            return kind, _args(kind, items, number)
    raise AssertionError("some statement of every kind is true, and some is false")


def _look(spec: Spec[Params], rng: Rng) -> Style:
    """A random theme, attributes of it, values of each, and a phrasing."""
    theme = themes()[rng.pick(tuple(themes()))]
    attributes = rng.sample(theme.attributes, spec.params.attributes)
    names = tuple([tuple(rng.sample(attribute.values, spec.params.positions)) for attribute in attributes])
    return Style(names=names, theme=theme.name, phrasing=rng.below(1000))


def _renamed(puzzle: Puzzle[Params, NoBoard], rng: Rng) -> Style:
    """Other names for all, none of them a name of the puzzle: of the same attributes if they have so many, or another theme."""
    theme, attributes = _vocabulary(puzzle)
    look, n, m = puzzle.style, puzzle.spec.params.positions, puzzle.spec.params.attributes
    taken = {name.casefold() for names in look.names for name in names}

    def spare(attribute: Attribute) -> list[str]:
        return [value for value in attribute.values if value.casefold() not in taken]

    others = rng.shuffled([other for other in themes().values() if other != theme])
    if all(len(spare(attribute)) >= n for attribute in attributes) and rng.chance(1, 2):
        return replace(look, names=tuple([tuple(rng.sample(spare(attribute), n)) for attribute in attributes]))
    for other in others:
        found = [attribute for attribute in other.attributes if len(spare(attribute)) >= n]
        if len(found) >= m:
            names = tuple([tuple(rng.sample(spare(attribute), n)) for attribute in rng.sample(found, m)])
            return replace(look, theme=other.name, names=names)
    raise Discarded("no_other_names")


def _asides(puzzle: Puzzle[Params, NoBoard], places: Sequence[int], rng: Rng) -> tuple[tuple[int, str], ...]:
    """Different remarks about different items, to be told after so many clues."""
    theme, attributes = _vocabulary(puzzle)
    items = [(attributes[a], name) for a, names in enumerate(puzzle.style.names) for name in names]
    about, choices = rng.sample(items, len(places)), rng.sample(range(len(theme.asides)), len(places))
    return tuple([(place, theme.aside(item, choice)) for place, item, choice in zip(places, about, choices, strict=True)])


def _vocabulary(puzzle: Puzzle[Params, NoBoard]) -> tuple[Theme, list[Attribute]]:
    """The puzzle's theme and attributes. BadRow if its look does not come from one theme."""
    look, n, m = puzzle.style, puzzle.spec.params.positions, puzzle.spec.params.attributes
    theme = themes().get(look.theme)
    if theme is None:
        raise BadRow(f"zebra: unknown theme {look.theme[:40]!r}; known: {', '.join(themes())}")
    if len(look.names) != m or any(len(set(names)) != n for names in look.names):
        raise BadRow(f"zebra: look.names must hold {n} different names for each of {m} attributes")
    attributes = [theme.attribute(names) for names in look.names]
    if len({attribute.title for attribute in attributes}) != m:
        raise BadRow("zebra: look.names holds one attribute of the theme twice")
    return theme, attributes


def _sentence(puzzle: Puzzle[Params, NoBoard], theme: Theme, attributes: Sequence[Attribute], clue: Clue) -> str:
    """One clue in words. Its wording depends on the look and the clue's id alone."""
    params = puzzle.spec.params
    choice = puzzle.style.phrasing + crc32(clue.id.encode())

    def named(statement: Clue) -> tuple[list[tuple[Attribute, str]], int]:
        items, number = _read(statement, params)
        return [(attributes[a], puzzle.style.names[a][v]) for a, v in items], number

    if clue.kind not in _PARTS:
        return theme.sentence(clue.kind, *named(clue), params.positions, choice)
    parts = enumerate(_parts(clue, params))
    clauses = [theme.clause(part.kind, *named(part), params.positions, choice + k) for k, part in parts]
    return theme.composite(clue.kind, clauses, choice)


def _sentences(puzzle: Puzzle[Params, NoBoard]) -> list[tuple[str, str]]:
    """What the prompt tells one by one: a clue's id and its sentence, or "" and an aside."""
    theme, attributes = _vocabulary(puzzle)
    told = [(clue.id, _sentence(puzzle, theme, attributes, clue)) for clue in puzzle.clues_in_order()]
    if puzzle.style.asides:
        items = [(attributes[a], name) for a, names in enumerate(puzzle.style.names) for name in names]
        known = {theme.aside(item, choice) for item in items for choice in range(len(theme.asides))}
        strange = next((aside for _, aside in puzzle.style.asides if aside not in known), None)
        if strange is not None:
            raise BadRow(f"zebra: look.asides holds no remark of this theme: {strange[:60]!r}")
    for place, aside in reversed(puzzle.style.asides):
        if not 0 <= place <= len(puzzle.clues):
            raise BadRow(f"zebra: look.asides tells one after {place} of {len(puzzle.clues)} clues")
        told.insert(place, ("", aside))
    return told


# ---- puzzles from elsewhere -----------------------------------------------------------------------------------------

_MOST_TOLD = 200  # clues
_ALIASES = {"left_of": "left", "next_to": "next", "beside": "next", "just_left_of": "just_left"}
_TURNED = {"right": "left", "right_of": "left", "just_right": "just_left", "just_right_of": "just_left"}  # items change places
_TOKEN = re.compile(r"\s*([(),]|[^(),]+)")


def _may_stand(name: str) -> bool:
    return bool(name) and name == " ".join(name.split()) and not any(sign in "(),=#" for sign in name)


def _titles(puzzle: Puzzle[Params, NoBoard]) -> tuple[str, ...]:
    """What the attributes are called."""
    look, n, m = puzzle.style, puzzle.spec.params.positions, puzzle.spec.params.attributes
    if look.theme:
        return tuple([attribute.title for attribute in _vocabulary(puzzle)[1]])
    if len(look.symbols) != m or len(look.names) != m or any(len(set(names)) != n for names in look.names):
        raise BadRow(f"zebra: a look without a theme needs titles of {m} attributes and {n} different names for each")
    return look.symbols


def _spelled(puzzle: Puzzle[Params, NoBoard], clue: Clue) -> str:
    """A clue as _ClueReader reads it: same(England, red)."""
    if clue.kind in _PARTS:
        return f"{clue.kind}({', '.join([_spelled(puzzle, part) for part in _parts(clue, puzzle.spec.params)])})"
    items, number = _read(clue, puzzle.spec.params)
    every = Counter([name.casefold() for names in puzzle.style.names for name in names])
    told = []
    for a, v in items:
        name = puzzle.style.names[a][v]
        told.append(name if every[name.casefold()] == 1 else f"{_titles(puzzle)[a]}={name}")
    if clue.kind in _NUMBERED:
        told.append(str(number + 1 if clue.kind in ("at", "not_at") else number))
    return f"{clue.kind}({', '.join(told)})"


class _ClueReader:
    """Clues as they are written: kind(item, ..., number), and one_of, if and either of such statements."""

    def __init__(self, look: Style, params: Params) -> None:
        self.params = params
        self.items: dict[str, list[Item]] = {}
        for a, (title, names) in enumerate(zip(look.symbols, look.names, strict=True)):
            for v, name in enumerate(names):
                self.items.setdefault(name.casefold(), []).append((a, v))
                self.items[f"{title.casefold()}={name.casefold()}"] = [(a, v)]

    def statement(self, line: Line) -> Said:
        tokens = [(found.start(1), found.group(1).strip()) for found in _TOKEN.finditer(line.text)]
        tokens = [token for token in tokens if token[1]]
        said, rest = self._statement(line, tokens, True)
        if rest:
            raise line.bad(rest[0][0], f"expected the end of the line, got {rest[0][1][:40]!r}")
        return said

    def _statement(self, line: Line, tokens: list[tuple[int, str]], whole: bool) -> tuple[Said, list[tuple[int, str]]]:
        column, name = tokens[0] if tokens else (len(line.text), "")
        name = name.casefold()
        kind = _ALIASES.get(name) or _TURNED.get(name) or name
        if kind not in _ITEMS and not (whole and kind in _PARTS):
            known = ", ".join([*_ITEMS, *(_PARTS if whole else ())])
            raise line.bad(column, f"expected a clue such as same(tea, red) of one of the kinds {known}, got {name[:40]!r}")
        parts: list[Said] = []
        named: list[tuple[int, str]] = []
        sign = "("
        tokens = tokens[1:]
        while True:
            end = tokens[0] if tokens else (len(line.text), "")
            if end[1] != sign:
                raise line.bad(end[0], f"expected {sign!r}, got {end[1][:40]!r}")
            if sign == ")":
                break
            if kind in _PARTS:
                said, tokens = self._statement(line, tokens[1:], False)
                parts.append(said)
            else:
                named.append(tokens[1] if len(tokens) > 1 else (len(line.text), ""))
                tokens = tokens[2:]
            many = len(parts) + len(named)
            sign = "," if many < (_PARTS.get(kind) or _ITEMS[kind] + (kind in _NUMBERED)) else ")"
        if kind in _PARTS:
            return (kind, _joined(kind, parts)), tokens[1:]
        items = [self._item(line, *told) for told in named[: _ITEMS[kind]]]
        if len(set(items)) < len(items):
            raise line.bad(column, "names one item twice")
        number = self._number(line, kind, *named[-1]) if kind in _NUMBERED else 0
        return (kind, _args(kind, items[::-1] if name in _TURNED else items, number)), tokens[1:]

    def _item(self, line: Line, column: int, text: str) -> Item:
        title, sign, name = text.partition("=")
        key = " ".join(text.split()) if not sign else f"{' '.join(title.split())}={' '.join(name.split())}"
        found = self.items.get(key.casefold(), [])
        if len(found) != 1:
            what = f"{text[:40]!r} is no value of any attribute" if not found else f"write {text[:40]!r} as attribute=value"
            raise line.bad(column, f"expected the value of an attribute: {what}")
        return found[0]

    def _number(self, line: Line, kind: str, column: int, text: str) -> int:
        first = 1 if kind in ("at", "not_at") else 2
        last = self.params.positions - (first == 2)
        if not (text.isascii() and text.isdigit() and len(text) < 3 and first <= int(text) <= last):
            raise line.bad(
                column, f"expected a {'place' if first == 1 else 'distance'} from {first} to {last}, got {text[:40]!r}"
            )
        return int(text) - (first == 1)


class _Teller:
    """Steps of a deduction in the words of a puzzle; solvers/deduce/positions.py says what `about` of a step holds."""

    def __init__(self, puzzle: Puzzle[Params, NoBoard]) -> None:
        self.puzzle, self.n = puzzle, puzzle.spec.params.positions
        self.theme, self.attributes = _vocabulary(puzzle)
        self.number = {name: i + 1 for i, (name, _) in enumerate(_sentences(puzzle))}

    def told(self, step: Step) -> str:
        """Without capital and full stop."""
        about, kind = step.about, step.technique
        if kind == "once":
            return self._once(step)
        if kind in ("clue", "reach"):
            return self._clue(step, self._known(about[1:], step), "")
        if kind == "composite":
            clue = self.puzzle.clues[about[0]]
            known = self._known(about[3:], step)
            if about[1] < 0:
                return self._clue(step, known, "")
            choice = self.puzzle.style.phrasing + crc32(clue.id.encode()) + about[1]
            part = _parts(clue, self.puzzle.spec.params)[about[1]]
            items, number = _read(part, self.puzzle.spec.params)
            named = [(self.attributes[a], self.puzzle.style.names[a][v]) for a, v in items]
            clause = self.theme.clause(part.kind, named, number, self.n, choice)
            return self._clue(step, known, f"it is {'true' if about[2] else 'not true'} that {clause}")
        if kind == "subset":
            return self._subset(step)
        if kind == "search":
            way = "none of the usual ways leads on; going through all possibilities"
            if not step.sets:
                return f"{way} shows that there is no answer"
            return f"{way} leaves one way only: {self._conclusion(step)}"
        x, p = about
        story = "; ".join([self.told(part) for part in step.within])
        return f"suppose that {self._stands(x, p)}. Then {story}. That cannot be, so {self._stands_not(x, [p])}"

    def _clue(self, step: Step, known: str, hence: str) -> str:
        clue = self.puzzle.clues[step.about[0]]
        text = f"clue {self.number[clue.id]} ({self._sentence(clue).rstrip('.')})"
        if hence:
            known = f"since {known}, {hence}" if known else hence
            return f"by {text}, {known}; so {self._conclusion(step)}"
        if clue.kind in ("at", "not_at") and (step.sets or step.drops) and not known:
            return f"clue {self.number[clue.id]} says that {self._conclusion(step)}"
        if not step.sets and not step.drops:
            return f"{text} cannot hold{f', since {known}' if known else ''}"
        return f"by {text}, {f'since {known}, ' if known else ''}{self._conclusion(step)}"

    def _sentence(self, clue: Clue) -> str:
        return _sentence(self.puzzle, self.theme, self.attributes, clue)

    def _once(self, step: Step) -> str:
        x, way, *other = step.about
        steps, place = _steps(step), self.theme.place
        if other:
            return f"{self._item(x)} and {self._item(other[0])} would be {self.theme.at} one {place}{steps}"
        if not step.sets:
            if way == 0:
                return f"no {place} is left for {self._item(x)}{steps}"
            title = self.attributes[x // self.n].title
            return f"{place} {x % self.n + 1} can have no {title} at all{steps}"
        p = step.sets[0][0] % self.n
        if way == 0:
            return f"the only {place} left for {self._item(x)} is {place} {p + 1}{steps}"
        title = self.attributes[x // self.n].title
        return f"{place} {p + 1} can have no other {title}{steps}, so {self._stands(x, p)}"

    def _subset(self, step: Step) -> str:
        way, mask, *items = step.about
        names, places = _listed([self._item(x) for x in items]), self._places(mask)
        title = self.attributes[items[0] // self.n].title
        if way == 0:
            return f"{names} take {places} between them{_steps(step)}, so {self._conclusion(step)}"
        return f"{places} can have no {title} but those of {names}{_steps(step)}, so {self._conclusion(step)}"

    def _conclusion(self, step: Step) -> str:
        drops: dict[int, list[int]] = {}
        for slot, v in step.drops:
            drops.setdefault(slot - slot % self.n + v, []).append(slot % self.n)
        parts = [self._stands(slot - slot % self.n + v, slot % self.n) for slot, v in step.sets]
        return _listed(parts + [self._stands_not(x, places) for x, places in drops.items()])

    def _known(self, pairs: Sequence[int], step: Step) -> str:
        parts = []
        for x, mask in zip(pairs[::2], pairs[1::2], strict=True):
            places = [p for p in range(self.n) if mask >> p & 1]
            parts.append(self._stands(x, -1 - mask) if mask < 0 else self._stands_not(x, places))
        return _listed(parts) + _steps(step) if parts else ""

    def _item(self, x: int) -> str:
        a, v = divmod(x, self.n)
        return self.theme.noun((self.attributes[a], self.puzzle.style.names[a][v]))

    def _stands(self, x: int, p: int) -> str:
        return f"{self._item(x)} {self.theme.stands} {self.theme.at} {self.theme.place} {p + 1}"

    def _stands_not(self, x: int, places: Sequence[int]) -> str:
        told = _listed([str(p + 1) for p in places], "or")
        return f"{self._item(x)} {self.theme.stands_not} {self.theme.at} {self.theme.place} {told}"

    def _places(self, mask: int) -> str:
        return f"{self.theme.places} {_listed([str(p + 1) for p in range(self.n) if mask >> p & 1])}"


def _listed(parts: Sequence[str], last: str = "and") -> str:
    return "".join(parts) if len(parts) < 2 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def _steps(step: Step) -> str:
    """The earlier steps that a step leans on: " (steps 3 and 5)"; "" if there are none."""
    numbers = [use[1:] for use in step.uses if use.startswith("#")]
    return f" (step{'s' if len(numbers) > 1 else ''} {_listed(numbers)})" if numbers else ""


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
    look = Style(names=names, theme="street")
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
