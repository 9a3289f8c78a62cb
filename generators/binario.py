"""Binario (also Takuzu, Binairo, Unruly, Tohu-Wa-Vohu).

Fill the grid with 0 and 1:
  balance   every row, and every column, holds as many 0s as 1s;
  triples   no three equal digits stand next to each other in a row or a column;
  distinct  no two rows are equal, and no two columns (only under the rule "distinct");
  a given   stays as it is.
With `extras`, a puzzle has extra constraints beside its givens, drawn for it and stated in words (`EXTRAS` lists their kinds);
none of them can be left out. Grids are drawn without them, and they are chosen from what is true of the grid: draws stay even.
Source: Adolfo Zanellati, "Tohu wa Vohu"; with distinct lines as "Binairo" by Peter De Schepper and Frank Coussement (2009).
Seen in HardcoreLogic (2510.12563), appendix B. broken_rules returns the names above, the ids of clues, or "malformed".

Two puzzles are the same up to symmetry if turning, mirroring or swapping 0 and 1 carries one to the other. Short lines have more
symmetries than these: in lines of 4 balance implies triples, so lines that cross them may change places at will, and lines of 6
are legal exactly if they are so read as a ring. From 8 cells on there are none (all found by listing; see the tests). Most extra
constraints speak of places, so puzzles that have any are compared by turning, mirroring and swapping alone.
Known limit: the walk that draws large grids is even in the limit only (solvers/kernels/lines.py states what was measured).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, permutations, product
from math import log10
from textwrap import wrap
from typing import Any, ClassVar, final

from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.family import AnyFamily, Family, Legacy, Pairing, Relation, Transform
from puzzlemill.core.model import BLANK, GROUP_RELATIONS, Constraints, LinesTable, Slots, Step
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import Line, heading
from puzzlemill.core.types import (
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
    Rule,
    Spec,
    Style,
)
from puzzlemill.transforms.forms import AddRule

Grid = tuple[tuple[int, ...], ...]  # rows of 0, 1, or BLANK where unknown

SMALLEST, LARGEST = 4, 20
DISTINCT = Rule("distinct")
_PATTERNS = {4: 6, 6: 14}  # legal lines of these lengths: no more lines that cross them can be distinct; 8 cells have 34

# The kinds of extra constraints with what their arguments are. An axis is 0 for rows and 1 for columns, lines count from 0; a
# rectangle is its top row, left column, bottom row and right column.
EXTRAS = (
    "same",  # cell, later cell: they hold the same
    "differ",  # cell, later cell: they do not
    "lines_same",  # axis, line, later line: the two are equal
    "lines_differ",  # axis, line, later line: they are not
    "lines_opposite",  # axis, line, later line: one is the other with 0 and 1 swapped
    "lines_mirrored",  # axis, line, the same or a later line: one is the other read backwards
    "count",  # rectangle, number: so many 1s are in it
    "diagonal",  # 0 from the top left or 1 from the top right corner, number: so many 1s are on it (square grids)
    "parity",  # rectangle, 0 or 1: the number of 1s in it is even or odd
    "more",  # rectangle, top row and left column of another one of that size: more 1s are in the first than in the second
    "greater",  # axis, line, other line, back: the first is the greater binary number (back: both read from the far end)
)
MOST_EXTRAS = 12
_LONG = 10  # longer lines are hardly ever equal, opposite or mirrored
_LEAST = {4: 0, 6: 2, 8: 2, 9: 4, 12: 5, 16: 6}  # 1s that blocks of 2 to 4 rows and columns hold at least, found by listing
_DRAWS = 40  # statements of one kind looked at before another kind is tried

_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)

# Puzzles of 4x4 up to symmetry, by the number of givens asked for (from 0) and distinct or not. Enumerated in the tests.
# Under distinct only those count that have several answers without it.
_CAPACITY_4X4 = {
    False: (9, 9, 9, 9, 9, 17, 72, 183, 345, 384, 340, 193, 104, 31, 13, 2),
    True: (5, 5, 5, 5, 5, 5, 17, 35, 42, 24, 11, 2, 1),
}


@dataclass(frozen=True, slots=True)
class Params:
    """rows, cols: even, 4 to 20.

    givens: leaving out clues stops at this many; where fewer than are needed are asked for, more stay. 0: a minimal set of clues.
    extras: about so many extra constraints, at least one, 0 to 12. Each stays needed, and there may be fewer givens for that.
    """

    rows: int = 8
    cols: int = 8
    givens: int = 0
    extras: int = 0


@final
@dataclass(frozen=True, slots=True)
class ExtraConstraints(Transform):
    """The parent's answer posed anew with extra constraints, which take the place of givens."""

    name: str = "extra_constraint"
    kind: Kind = Kind.IC2
    relation: Relation = Relation.RULE
    pairing: Pairing = Pairing.SAME_ANSWER
    extras: int = 3
    args: tuple[str, ...] = ("extras",)
    about: str = "fewer givens, and constraints on lines and groups of cells"

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return family.name == Binario.name and not spec.params.extras and 0 < self.extras <= MOST_EXTRAS

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return replace(spec, params=replace(spec.params, extras=self.extras))


@final
class Binario(Legacy, Family[Params, NoBoard, Grid, Grid]):
    """One slot per cell, row by row."""

    name: ClassVar[str] = "binario"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Binario"
    params: ClassVar[Any] = Params
    answer: ClassVar[Any] = Grid
    rules: ClassVar[Any] = ("distinct",)
    transforms: ClassVar[tuple[Transform, ...]] = (
        ExtraConstraints(),
        AddRule("distinct", Kind.IC2, about="no two rows and no two columns are equal"),
    )
    source: ClassVar[str] = 'Adolfo Zanellati, "Tohu wa Vohu"; Peter De Schepper and Frank Coussement, "Binairo" (2009)'

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        rows, cols, givens = spec.params.rows, spec.params.cols, spec.params.givens
        for name, length in (("rows", rows), ("cols", cols)):
            if length % 2 or not SMALLEST <= length <= LARGEST:
                raise BadParams(
                    f"binario.{name} must be even and {SMALLEST} to {LARGEST}, got {length}; set family.params.{name}"
                )
        if not 0 <= givens < rows * cols:
            raise BadParams(
                f"binario.givens must be 0 (a minimal set of clues) to {rows * cols - 1}, got {givens}; set family.params.givens"
            )
        if not 0 <= spec.params.extras <= MOST_EXTRAS:
            raise BadParams(f"binario.extras must be 0 to {MOST_EXTRAS}, got {spec.params.extras}; set family.params.extras")
        for rule in spec.rules:
            if rule != DISTINCT:
                raise BadParams(f"binario knows the rule distinct, without arguments, got {str(rule)[:60]}; set family.rules")
        if spec.rules:
            if givens > rows * cols - 4:
                raise BadParams(
                    f"binario.givens must be at most {rows * cols - 4} under distinct, since two lines that the rule tells apart "
                    f"cross two others in four open cells, got {givens}; set family.params.givens, or family.rules=[]"
                )
            for name, crossing, length in (("cols", cols, rows), ("rows", rows, cols)):
                if crossing > _PATTERNS.get(length, LARGEST):
                    raise BadParams(
                        f"binario.{name} must be at most {_PATTERNS[length]} under distinct, since so many legal lines have "
                        f"{length} cells, got {crossing}; set family.params.{name}, or family.rules=[]"
                    )

    def sample_solution(self, spec: Spec[Params], rng: Rng, oracle: Oracle) -> Grid:
        values = oracle.sample(_puzzle(spec, ()), rng)
        if values is None:
            raise AssertionError("every size that validate lets pass has a legal grid")
        return self.assemble(spec, NoBoard(), values)

    def make_puzzle(self, spec: Spec[Params], hidden: Grid, rng: Rng) -> Draft[Params, NoBoard, Grid, Grid]:
        values = [v for row in hidden for v in row]
        clues = [both[v] for both, v in zip(_givens(spec.params.rows, spec.params.cols), values, strict=True)]
        return Draft(_puzzle(spec, (*clues, *_true_extras(spec, hidden, rng))), hidden, hidden)

    def removal_order(self, draft: Draft[Params, NoBoard, Grid, Grid], rng: Rng) -> list[int]:
        """Givens first, so that extra constraints take their place.

        Under distinct, three times in four, first of all the givens of four cells that only distinct decides, if there are any.
        Not so in 4x4, of which there are so few that each has to come up.
        """
        puzzle = draft.puzzle
        places = rng.shuffled(range(len(puzzle.clues)))
        small = self.puzzles(puzzle.spec) is not None
        if puzzle.spec.rule("distinct") and not small and draft.answer is not None and rng.child("decide").chance(3, 4):
            decided = rng.child("decided").shuffled(_decided_by_distinct(draft.answer))
            first = set(decided[0]) if decided else set()
            places.sort(key=lambda i: puzzle.clues[i].args[0] not in first or puzzle.clues[i].kind != "given")
        return sorted(places, key=lambda i: puzzle.clues[i].kind != "given")

    def kept(self, spec: Spec[Params]) -> int:
        return 0 if spec.params.extras else spec.params.givens

    def usable(self, draft: Draft[Params, NoBoard, Grid, Grid]) -> bool:
        """Whether an extra constraint is left if any were asked for."""
        return not draft.puzzle.spec.params.extras or any(clue.kind != "given" for clue in draft.puzzle.clues)

    def finish(self, draft: Draft[Params, NoBoard, Grid, Grid], rng: Rng, oracle: Oracle) -> Draft[Params, NoBoard, Grid, Grid]:
        """With extra constraints: number them as they stay, and give back givens, up to those asked for, that make none idle."""
        puzzle = draft.puzzle
        if not puzzle.spec.params.extras:
            return draft
        shown = [clue for clue in puzzle.clues if clue.kind == "given"]
        extras = [replace(clue, id=f"x{i}") for i, clue in enumerate([c for c in puzzle.clues if c.kind != "given"], 1)]
        if len(shown) < puzzle.spec.params.givens:
            shown += self._given_back(puzzle, draft.hidden, rng, oracle)[: puzzle.spec.params.givens - len(shown)]
            shown.sort(key=lambda clue: clue.args)
        return replace(draft, puzzle=puzzle.with_clues([*shown, *extras]))

    def _given_back(self, puzzle: Puzzle[Params, NoBoard], hidden: Grid, rng: Rng, oracle: Oracle) -> list[Clue]:
        """Further givens, in random order, beside which each extra constraint still keeps out an answer.

        That answer is one that the puzzle has without the constraint: the closest to the hidden one of a dozen drawn.
        """
        right = self.form.values(puzzle.spec, puzzle.board, hidden)
        open_ = set(range(len(right))) - set(self.clues.given_slots(puzzle))
        for extra in [clue for clue in puzzle.clues if clue.kind != "given"]:
            free = puzzle.with_clues([clue for clue in puzzle.clues if clue != extra])
            drawn = [oracle.sample(free, rng.child("without", extra.id, i)) for i in range(12)]
            apart = [[i for i, v in enumerate(values) if v != right[i]] for values in drawn if values and values != right]
            if not apart:
                return []
            open_.difference_update(min([(len(cells), cells) for cells in apart])[1])
        givens = _givens(puzzle.spec.params.rows, puzzle.spec.params.cols)
        return [givens[i][right[i]] for i in rng.child("back").shuffled(sorted(open_))]

    def alternatives(self, puzzle: Puzzle[Params, NoBoard], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """The other digit, or an extra constraint changed as little as its kind allows.

        In a minimal puzzle another digit leaves an answer: there is one without the given, and it has that digit.
        """
        if clue.kind == "given":
            cell, value = _given(puzzle.spec, clue)
            yield Clue(clue.id, clue.kind, (cell, 1 - value))
            return
        for kind, args in rng.shuffled(_others(puzzle.spec, clue.kind, _args(puzzle.spec, clue))):
            yield Clue(clue.id, kind, args)

    def additions(self, puzzle: Puzzle[Params, NoBoard], rng: Rng) -> Iterator[Clue]:
        """Givens of open cells; in puzzles with extra constraints, one of these after each fourth given."""
        shown = set(self.clues.given_slots(puzzle))
        givens = _givens(puzzle.spec.params.rows, puzzle.spec.params.cols)
        taken = {clue.id for clue in puzzle.clues}
        name = next(f"x{i}" for i in range(1, len(taken) + 2) if f"x{i}" not in taken)
        stated = {(clue.kind, clue.args) for clue in puzzle.clues}
        for n, cell in enumerate(rng.shuffled([i for i in range(len(givens)) if i not in shown])):
            yield from rng.shuffled(givens[cell])
            if n % 2 and puzzle.spec.params.extras:
                here = rng.child("extra", n)
                kind = here.pick(_kinds(puzzle.spec))
                args = next(_statements(puzzle.spec, kind, here.child(kind)), None)
                if args is not None and (kind, args) not in stated:
                    stated.add((kind, args))
                    yield Clue(name, kind, args)

    def larger(self, spec: Spec[Params]) -> Spec[Params] | None:
        """Two more rows and columns; of the cells the same share is given."""
        rows, cols, givens = spec.params.rows, spec.params.cols, spec.params.givens
        grown = (rows + 2) * (cols + 2)
        wanted = replace(spec, params=replace(spec.params, rows=rows + 2, cols=cols + 2, givens=givens * grown // (rows * cols)))
        try:
            self.validate(wanted)
        except BadParams:
            return None
        return wanted

    # ---- meaning

    def model(self, spec: Spec[Params], board: NoBoard) -> Constraints:
        m = Constraints()
        rows, cols = spec.params.rows, spec.params.cols
        one = [[m.slot(2)[1] for _ in range(cols)] for _ in range(rows)]  # one[r][c]: the cell holds a 1
        across, down = one, [list(column) for column in zip(*one, strict=True)]
        for line in (*across, *down):
            m.exactly(line, len(line) // 2, label="balance")
            for a, b, c in zip(line, line[1:], line[2:], strict=False):
                m.require(a, b, c, label="triples")
                m.require(-a, -b, -c, label="triples")
        if spec.rule("distinct"):
            for lines in (across, down):
                for first, second in combinations(lines, 2):
                    differ = [m.var() for _ in first]  # differ[i] -> the lines differ in cell i
                    for d, a, b in zip(differ, first, second, strict=True):
                        m.require(-d, a, b, label="distinct")
                        m.require(-d, -a, -b, label="distinct")
                    m.require(*differ, label="distinct")
        return m

    def state(self, m: Constraints, spec: Spec[Params], board: NoBoard, clue: Clue) -> None:
        if clue.kind == "given":
            cell, value = _given(spec, clue)
            m.require(m.key[cell][value], label=clue.id)
            return
        args, cols = _args(spec, clue), spec.params.cols
        one = [[lits[1] for lits in m.key[start : start + cols]] for start in range(0, len(m.key), cols)]
        lines = (one, [list(column) for column in zip(*one, strict=True)])
        match clue.kind:
            case "same" | "differ":
                a, b = m.key[args[0]][1], m.key[args[1]][clue.kind == "same"]
                _equal(m, a, b, clue.id)
            case "lines_same" | "lines_opposite" | "lines_mirrored":
                first, second = lines[args[0]][args[1]], lines[args[0]][args[2]]
                if clue.kind == "lines_mirrored":
                    second = second[::-1]
                for a, b in zip(first, second, strict=True):
                    _equal(m, a, -b if clue.kind == "lines_opposite" else b, clue.id)
            case "lines_differ":
                differ = []
                for a, b in zip(lines[args[0]][args[1]], lines[args[0]][args[2]], strict=True):
                    differ.append(m.var())
                    m.require(-differ[-1], a, b, label=clue.id)
                    m.require(-differ[-1], -a, -b, label=clue.id)
                m.require(*differ, label=clue.id)
            case "count":
                top, left, bottom, right, k = args
                m.exactly([lit for row in one[top : bottom + 1] for lit in row[left : right + 1]], k, label=clue.id)
            case "diagonal":
                which, k = args
                m.exactly([row[-1 - r if which else r] for r, row in enumerate(one)], k, label=clue.id)
            case "parity":
                top, left, bottom, right, odd = args
                so_far = [lit for row in one[top : bottom + 1] for lit in row[left : right + 1]]
                while len(so_far) > 1:  # two of them become their exclusive or
                    a, b, x = so_far.pop(), so_far.pop(), m.var()
                    for p, q, r in ((a, b, -x), (-a, -b, -x), (a, -b, x), (-a, b, x)):
                        m.require(p, q, r, label=clue.id)
                    so_far.append(x)
                m.require(so_far[0] if odd else -so_far[0], label=clue.id)
            case "more":
                top, left, bottom, right, other_top, other_left = args
                much = [lit for row in one[top : bottom + 1] for lit in row[left : right + 1]]
                rows_below = one[other_top : other_top + bottom - top + 1]
                little = [lit for row in rows_below for lit in row[other_left : other_left + right - left + 1]]
                # ones of the first and zeros of the second together are more than one of the two has cells
                m.at_least([*much, *[-lit for lit in little]], len(much) + 1, label=clue.id)
            case "greater":
                axis, line, other, back = args
                pairs = list(zip(lines[axis][line], lines[axis][other], strict=True))
                places: list[int] = []  # the first place in which they differ is this one
                for i, (a, b) in enumerate(pairs[::-1] if back else pairs):
                    x = m.var()
                    m.require(-x, a, label=clue.id)
                    m.require(-x, -b, label=clue.id)
                    for c, d in (pairs[::-1] if back else pairs)[:i]:
                        m.require(-x, c, -d, label=clue.id)
                        m.require(-x, -c, d, label=clue.id)
                    places.append(x)
                m.require(*places, label=clue.id)

    def table(self, puzzle: Puzzle[Params, NoBoard]) -> LinesTable:
        spec = puzzle.spec
        clues = tuple([_given(spec, clue) if clue.kind == "given" else _encoded(spec, clue) for clue in puzzle.clues])
        return LinesTable(spec.params.rows, spec.params.cols, spec.rule("distinct") is not None, clues)

    def slots(self, spec: Spec[Params], board: NoBoard) -> tuple[int, ...]:
        return (2,) * (spec.params.rows * spec.params.cols)

    def assemble(self, spec: Spec[Params], board: NoBoard, values: Slots) -> Grid:
        rows, cols = spec.params.rows, spec.params.cols
        return tuple([tuple(values[r * cols : (r + 1) * cols]) for r in range(rows)])

    def values(self, spec: Spec[Params], board: NoBoard, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def broken_rules(self, puzzle: Puzzle[Params, NoBoard], answer: Grid, partial: bool = False) -> list[str]:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        least = BLANK if partial else 0
        if len(answer) != rows:
            return ["malformed"]
        for row in answer:
            if len(row) != cols or min(row) < least or max(row) > 1:
                return ["malformed"]
        # as text, since this is asked very often: "." is a blank
        text = "".join(["01."[v] for row in answer for v in row])
        across = [text[r * cols : (r + 1) * cols] for r in range(rows)]
        down = [text[c::cols] for c in range(cols)]
        broken = []
        for line in across + down:
            if 2 * line.count("0") > len(line) or 2 * line.count("1") > len(line):
                broken.append("balance")
                break
        for line in across + down:
            if "000" in line or "111" in line:
                broken.append("triples")
                break
        if puzzle.spec.rule("distinct"):
            for lines in (across, down):
                complete = [line for line in lines if "." not in line]
                if len(set(complete)) < len(complete):
                    broken.append("distinct")
                    break
        for clue in puzzle.clues:
            if clue.kind != "given":
                if _breaks(clue.kind, _args(puzzle.spec, clue), across, down):
                    broken.append(clue.id)
                continue
            cell, value = _given(puzzle.spec, clue)
            if text[cell] != "." and text[cell] != "01"[value]:
                broken.append(clue.id)
        return broken

    def given_slots(self, puzzle: Puzzle[Params, NoBoard]) -> tuple[int, ...]:
        return tuple([_given(puzzle.spec, clue)[0] for clue in puzzle.clues if clue.kind == "given"])

    def search_space_log10(self, puzzle: Puzzle[Params, NoBoard]) -> float:
        # 2 ** blanks, as in HardcoreLogic, table 5
        blanks = puzzle.spec.params.rows * puzzle.spec.params.cols - len(set(self.clues.given_slots(puzzle)))
        return blanks * log10(2)

    def symmetry(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        """The least drawing of the givens, and list of extra constraints, among all that a symmetry makes of them."""
        if any(clue.kind != "given" for clue in puzzle.clues):
            return _least_with_extras(puzzle)
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        text = "".join(_drawing(puzzle, ".", ("0", "1")))
        across, down = [text[r * cols : (r + 1) * cols] for r in range(rows)], [text[c::cols] for c in range(cols)]
        # columns of the shorter side are compared; both ways round if the grid is square
        sides = [down] if rows < cols else [across] if rows > cols else [down, across]
        least = min([_least(side) for side in sides] + [_least([line.translate(_SWAP) for line in side]) for side in sides])
        named = ",".join([rule.name for rule in puzzle.spec.rules])
        return f"{min(rows, cols)}x{max(rows, cols)} {named} {' '.join(least)}"

    def puzzles(self, spec: Spec[Params]) -> int | None:
        # with one extra constraint, 2,789 drawn puzzles of 4x4 were 2,656 different ones: there are some 30,000
        if (spec.params.rows, spec.params.cols) != (4, 4) or spec.params.extras:
            return None
        return _CAPACITY_4X4[spec.rule("distinct") is not None][spec.params.givens]

    # ---- text

    def render(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        zero, one = puzzle.style.symbols
        kind = _sort_of(puzzle.style.symbols)
        told = ["balance", "triples", *[rule.name for rule in puzzle.spec.rules]]
        own = len(told)
        told += [clue.id for clue in puzzle.clues_in_order() if clue.kind != "given"]
        particular = ""
        if len(told) > own:
            last = len(told)
            which = f"Rule {last} is" if last == own + 1 else f"Rules {own + 1} {'and' if last == own + 2 else 'to'} {last} are"
            particular = f" {which} particular to this grid."
        drawing = _drawing(puzzle, ".", puzzle.style.symbols)
        lines = [" ".join(drawing[r * cols : (r + 1) * cols]) for r in range(rows)]
        return "\n".join(
            [
                f"This Binario grid has {rows} rows and {cols} columns. Fill every empty cell, shown as a dot, with {zero} or "
                f"{one}, so that the rules below hold."
                + (f" The {kind}s that are given must stay where they are." if self.clues.given_slots(puzzle) else "")
                + particular,
                "",
                *[f"{i}. {self.describe(puzzle, label)}" for i, label in enumerate(told, 1)],
                "",
                *lines,
            ]
        )

    def describe(self, puzzle: Puzzle[Params, NoBoard], label: str) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        zero, one = puzzle.style.symbols
        clue = next((clue for clue in puzzle.clues if clue.id == label), None)
        if clue is not None and clue.kind == "given":
            cell, value = _given(puzzle.spec, clue)
            return f"Row {cell // cols + 1} column {cell % cols + 1} holds {puzzle.style.symbols[value]}."
        if clue is not None:
            return _words(clue.kind, _args(puzzle.spec, clue), cols, puzzle.style.symbols)
        if label == "balance":
            half = f"{_NUMBERS[cols // 2]} {zero}s and {_NUMBERS[cols // 2]} {one}s"
            if rows == cols:
                return f"Every row and every column contains {half}."
            return (
                f"Every row contains {half}; "
                f"every column contains {_NUMBERS[rows // 2]} {zero}s and {_NUMBERS[rows // 2]} {one}s."
            )
        if label == "triples":
            return f"Nowhere in a row or a column do three cells next to each other hold the same {_sort_of((zero, one))}."
        if label == "distinct":
            return "No two rows are the same, and no two columns are the same."
        return label

    def explain(self, puzzle: Puzzle[Params, NoBoard], step: Step) -> str:
        text = _told(puzzle, step, {clue.id: self.describe(puzzle, clue.id) for clue in puzzle.clues if clue.id in step.uses})
        ends = not step.sets and step.technique != "search"  # which says so itself
        return text[0].upper() + text[1:] + "." + (" So there is no answer." if ends else "")

    def layout(self, puzzle: Puzzle[Params, NoBoard]) -> Layout:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        note = "Give the completed grid row by row, from top to bottom, with the given cells included."
        return Layout(_columns(cols, puzzle.style.symbols), rows, rows, True, note)

    def write(self, puzzle: Puzzle[Params, NoBoard], answer: Grid) -> Rows:
        symbols = puzzle.style.symbols
        return tuple([tuple([symbols[v] for v in row]) for row in answer])

    def read(self, puzzle: Puzzle[Params, NoBoard], rows: Rows) -> Grid | None:
        symbols = puzzle.style.symbols
        return tuple([tuple([symbols.index(token) for token in row]) for row in rows])

    def draw(self, puzzle: Puzzle[Params, NoBoard], answer: Grid | None = None, marked: Collection[str] = ()) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        given = _drawing(puzzle, "", puzzle.style.symbols)
        wide, high = 36 * cols, 36 * rows
        shades, lit, texts = [], [], []
        for i, text in enumerate(given):
            x, y = 10 + 36 * (i % cols), 10 + 36 * (i // cols)
            ink = 'font-weight="bold" fill="#111"'
            if text:
                shades.append(f"M{x} {y}h36v36h-36z")
            elif answer is not None and answer[i // cols][i % cols] != BLANK:
                text = puzzle.style.symbols[answer[i // cols][i % cols]]
                ink = 'fill="#1a5fb4"'
            if text:
                texts.append(f'<text x="{x + 18}" y="{y + 25}" text-anchor="middle" {ink}>{text}</text>')
        below, box = high + 10, wide + 20
        captions = [clue.id for clue in puzzle.clues_in_order() if clue.kind != "given"]
        captions += [label for label in ("balance", "triples", "distinct") if label in marked]
        if captions:
            box = max(box, 340)
        for label in captions:
            look = 'font-weight="bold" fill="#c01c28"' if label in marked else 'fill="#333"'
            for n, line in enumerate(wrap(self.describe(puzzle, label), (box - 20) // 8, initial_indent="\u2022 ")):
                below += 18 if n else 22
                texts.append(f'<text x="{10 if n == 0 else 19}" y="{below}" font-size="12" {look}>{line}</text>')
        for clue in puzzle.clues:
            if clue.id in marked:
                cells = [_given(puzzle.spec, clue)[0]] if clue.kind == "given" else _encoded(puzzle.spec, clue)[3:]
                lit += [f"M{10 + 36 * (i % cols)} {10 + 36 * (i // cols)}h36v36h-36z" for i in cells]
        bars = [f"M{10 + 36 * c} 10v{high}" for c in range(1, cols)] + [f"M10 {10 + 36 * r}h{wide}" for r in range(1, rows)]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box} {below + 10}" '
            'font-family="sans-serif" font-size="20">'
            f'<rect x="10" y="10" width="{wide}" height="{high}" fill="#fff"/><path d="{"".join(shades)}" fill="#ececec"/>'
            + (f'<path d="{"".join(lit)}" fill="#f6b6ae"/>' if lit else "")
            + f'<path d="{"".join(bars)}" stroke="#999" fill="none"/>'
            f'<rect x="10" y="10" width="{wide}" height="{high}" fill="none" stroke="#111" stroke-width="2"/>'
            f"{''.join(texts)}</svg>"
        )

    # ---- puzzles from elsewhere

    def parse(self, lines: Sequence[Line]) -> Puzzle[Params, NoBoard]:
        options = heading(lines, self.name, ("distinct",))
        body = [(line, line.text.replace(" ", "")) for line in lines[1:]]
        rows = [(line, text) for line, text in body if not text.strip("01._")]
        if rows != body[: len(rows)]:
            raise rows[-1][0].bad(0, "expected all rows of the grid before the extra constraints")
        height, width = len(rows), len(rows[0][1]) if rows else 0
        for name, size in (("rows", height), ("columns", width)):
            if size % 2 or not 2 <= size <= LARGEST:
                raise lines[0].bad(0, f"expected an even number of {name} of 0, 1 or ., 2 to {LARGEST}, got {size}")
        clues = []
        for r, (line, text) in enumerate(rows):
            if len(text) != width:
                raise line.bad(0, f"expected {width} cells as in the first row, got {len(text)}")
            clues += [_givens(height, width)[r * width + c][int(sign)] for c, sign in enumerate(text) if sign in "01"]
        extras = body[height:]
        if len(extras) > MOST_EXTRAS:
            raise extras[MOST_EXTRAS][0].bad(0, f"at most {MOST_EXTRAS} extra constraints are read")
        spec = Spec(Params(height, width, 0, len(extras)), tuple([Rule(name) for name in options]))
        for number, (line, _) in enumerate(extras, 1):
            clues.append(_extra_of(spec, line, f"x{number}"))
        return _puzzle(spec, tuple(clues))

    def format(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        spec, cols = puzzle.spec, puzzle.spec.params.cols
        shown = self.clues.given_slots(puzzle)
        if len(set(shown)) < len(shown):
            raise BadRow("binario: the text form has no way to give a cell twice")
        cells = _drawing(puzzle, ".", ("0", "1"))
        lines = [" ".join([self.name, *[rule.name for rule in spec.rules]])]
        lines += ["".join(cells[start : start + cols]) for start in range(0, len(cells), cols)]
        lines += [_spelled(clue.kind, _args(spec, clue), cols) for clue in puzzle.clues if clue.kind != "given"]
        return "\n".join(lines) + "\n"

    # ---- evidence

    def examples(self) -> tuple[Example[Params, NoBoard, Grid], ...]:
        def example(rules: tuple[Rule, ...], shown: str, answer: str, source: str) -> Example[Params, NoBoard, Grid]:
            cells, filled = shown.split(), answer.split()
            spec = Spec(Params(len(cells), len(cells[0])), rules)
            both = _givens(spec.params.rows, spec.params.cols)
            clues = [both[i][int(symbol)] for i, symbol in enumerate("".join(cells)) if symbol != "."]
            grid = tuple([tuple([int(symbol) for symbol in row]) for row in filled])
            return Example(_puzzle(spec, tuple(clues)), grid, source)

        return (
            example(
                (DISTINCT,),
                ".1.0 ..0. .0.. 11.0",
                "0110 1001 0011 1100",
                'Wikipedia, "Takuzu", the article\'s example',
            ),
            example(
                (),
                "..11.... 1...0..1 ..0..... ...1..11 1.0..... 1.....1.",
                "00110101 10100101 01011010 00110011 11001100 11001010",
                "Simon Tatham's Portable Puzzle Collection, Unruly, game 8x6dn#1",
            ),
            example(
                (DISTINCT,),
                ".0.....0 1....1.. ........ .....1.0 ...0.... ..00...0",
                "00110110 10100101 01011001 01010110 10101001 11001010",
                "Simon Tatham's Portable Puzzle Collection, Unruly with unique rows and columns, game 8x6udn#1, second puzzle",
            ),
        )

    @property
    def smallest(self) -> tuple[Spec[Params], ...]:  # type: ignore[override]
        small = (Params(4, 4), Params(4, 6))
        with_extras = (Spec(Params(4, 4, 0, 4)), Spec(Params(4, 6, 0, 3), (DISTINCT,)))
        return (*[Spec(params) for params in small], *[Spec(params, (DISTINCT,)) for params in small], *with_extras)


# ---- clues and looks ------------------------------------------------------------------------------------------------


def _puzzle(spec: Spec[Params], clues: tuple[Clue, ...]) -> Puzzle[Params, NoBoard]:
    return Puzzle(Binario.name, Binario.version, spec, NoBoard(), clues, Question(), _LOOK)


_LOOK = Style(symbols=("0", "1"))


@lru_cache(maxsize=64)
def _givens(rows: int, cols: int) -> tuple[tuple[Clue, Clue], ...]:
    """The two clues that each cell can have; shared, since stating a grid is on the path of every puzzle."""
    ids = [f"r{i // cols + 1}c{i % cols + 1}" for i in range(rows * cols)]
    return tuple([(Clue(id_, "given", (i, 0)), Clue(id_, "given", (i, 1))) for i, id_ in enumerate(ids)])


def _given(spec: Spec[Params], clue: Clue) -> tuple[int, int]:
    """Cell and value of a given; raises BadRow for what is no given of this grid."""
    args, cells = clue.args, spec.params.rows * spec.params.cols
    if len(args) == 2:
        cell, value = args
        if type(cell) is int and type(value) is int and 0 <= cell < cells and 0 <= value <= 1:
            return cell, value
    raise BadRow(f"clue {clue.id}: expected a cell below {cells} and a value 0 or 1, got {str(args)[:60]}")


def _drawing(puzzle: Puzzle[Params, NoBoard], blank: str, symbols: tuple[str, ...]) -> list[str]:
    """One text per cell, row by row."""
    out = [blank] * (puzzle.spec.params.rows * puzzle.spec.params.cols)
    for clue in puzzle.clues:
        if clue.kind == "given":
            cell, value = _given(puzzle.spec, clue)
            out[cell] = symbols[value]
    return out


@lru_cache(maxsize=64)
def _columns(cols: int, symbols: tuple[str, ...]) -> tuple[Column, ...]:
    return tuple([Column(f"column {c + 1}", symbols) for c in range(cols)])


def _sort_of(symbols: tuple[str, ...]) -> str:
    return "digit" if "".join(symbols).isdigit() else "symbol"


# ---- puzzles from elsewhere -----------------------------------------------------------------------------------------

_CELL = "r([1-9][0-9]?)c([1-9][0-9]?)"
_BLOCK = f"{_CELL}-{_CELL}"
_LINE = "(row|column)([1-9][0-9]?)"
_FORMS = {  # of lines that tell an extra constraint, without blanks
    "cells": re.compile(f"{_CELL}(=|!=){_CELL}"),
    "lines": re.compile(f"{_LINE}(=|!=|opposite|mirrors|>|>>){_LINE}"),
    "diagonal": re.compile(r"ones(falling|rising)=([0-9]{1,2})"),
    "block": re.compile(rf"ones{_BLOCK}(?:=([0-9]{{1,3}})|(even|odd))"),
    "more": re.compile(f"ones{_BLOCK}>ones{_BLOCK}"),
}
_SIGN_OF = {"lines_same": "=", "lines_differ": "!=", "lines_opposite": "opposite", "lines_mirrored": "mirrors"}


def _extra_of(spec: Spec[Params], line: Line, name: str) -> Clue:
    """An extra constraint as docs/formats.md writes it, with this id."""
    text = "".join(line.text.split())
    form, found = next(((form, match) for form, how in _FORMS.items() if (match := how.fullmatch(text))), ("", None))
    if found is None:
        raise line.bad(0, f"expected a row of 0, 1 and ., or a constraint such as r1c2 != r3c4 or row1 = row3, got {text[:40]!r}")
    parts = found.groups("")
    n = [int(part) - 1 for part in parts if part.isdigit()]
    cols = spec.params.cols
    kind, args = "", tuple(n)
    if form == "cells":
        if max(n[1], n[3]) < cols:
            kind, args = "same" if parts[2] == "=" else "differ", tuple(sorted([n[0] * cols + n[1], n[2] * cols + n[3]]))
    elif form == "lines":
        axis, sign = int(parts[0] == "column"), parts[2]
        if parts[0] == parts[3] and sign in (">", ">>"):
            kind, args = "greater", (axis, n[0], n[1], int(sign == ">>"))
        elif parts[0] == parts[3]:
            kind = next(kind for kind, known in _SIGN_OF.items() if known == sign)
            args = (axis, min(n), max(n))
    elif form == "diagonal":
        kind, args = "diagonal", (int(parts[0] == "rising"), n[0] + 1)
    elif form == "block":
        kind, last = ("parity", int(parts[5] == "odd")) if parts[5] else ("count", n[-1] + 1)
        args = (*n[:4], last)
    elif n[6] - n[4] == n[2] - n[0] and n[7] - n[5] == n[3] - n[1]:
        kind, args = "more", tuple(n[:6])
    clue = Clue(name, kind, args)
    try:
        _args(spec, clue)
    except BadRow:
        problem = f"{text[:40]!r} does not fit {spec.params.rows} rows and {cols} columns, or names what cannot be compared"
        raise line.bad(0, problem) from None
    return clue


def _spelled(kind: str, args: tuple[int, ...], cols: int) -> str:
    """The inverse of _extra_of."""

    def cell(r: int, c: int) -> str:
        return f"r{r + 1}c{c + 1}"

    if kind in ("same", "differ"):
        a, b = [cell(*divmod(place, cols)) for place in args]
        return f"{a} {'=' if kind == 'same' else '!='} {b}"
    if kind in _SIGN_OF or kind == "greater":
        name = "column" if args[0] else "row"
        sign = _SIGN_OF.get(kind) or (">>" if args[3] else ">")
        return f"{name}{args[1] + 1} {sign} {name}{args[2] + 1}"
    if kind == "diagonal":
        return f"ones {'rising' if args[0] else 'falling'} = {args[1]}"
    block = f"ones {cell(*args[:2])}-{cell(*args[2:4])}"
    if kind == "more":
        top, left, bottom, right, other_top, other_left = args
        other = cell(other_top + bottom - top, other_left + right - left)
        return f"{block} > ones {cell(other_top, other_left)}-{other}"
    return f"{block} = {args[4]}" if kind == "count" else f"{block} {'odd' if args[4] else 'even'}"


# ---- extra constraints ----------------------------------------------------------------------------------------------


def _args(spec: Spec[Params], clue: Clue) -> tuple[int, ...]:
    """The arguments of an extra constraint; raises BadRow for what is none of this grid."""
    args, sides = clue.ints(), (spec.params.rows, spec.params.cols)
    rows, cols = sides
    match clue.kind, args:
        case "same" | "differ", (a, b):
            fits = 0 <= a < b < rows * cols
        case "lines_same" | "lines_differ" | "lines_opposite" | "lines_mirrored", (axis, i, j):
            fits = axis in (0, 1) and 0 <= i <= j < sides[axis] and (i < j or clue.kind == "lines_mirrored")
        case "count" | "parity", (top, left, bottom, right, k):
            fits = 0 <= top <= bottom < rows and 0 <= left <= right < cols
            fits = fits and 0 <= k <= (1 if clue.kind == "parity" else (bottom - top + 1) * (right - left + 1))
        case "diagonal", (which, k):
            fits = rows == cols and which in (0, 1) and 0 <= k <= rows
        case "more", (top, left, bottom, right, other_top, other_left):
            high, wide = bottom - top + 1, right - left + 1
            fits = 0 <= top <= bottom < rows and 0 <= left <= right < cols
            fits = fits and 0 <= other_top <= rows - high and 0 <= other_left <= cols - wide
            fits = fits and (abs(other_top - top) >= high or abs(other_left - left) >= wide)
        case "greater", (axis, i, j, back):
            fits = axis in (0, 1) and 0 <= i < sides[axis] and 0 <= j < sides[axis] and i != j and back in (0, 1)
        case _:
            fits = False
    if not fits:
        raise BadRow(
            f"clue {clue.id}: expected a given or an extra constraint that fits {rows} x {cols} cells, "
            f"got {clue.kind[:20]} {str(args)[:60]}"
        )
    return args


def _kinds(spec: Spec[Params]) -> tuple[str, ...]:
    """The kinds of extra constraints that say something in puzzles of this spec and are now and then true."""
    rows, cols = spec.params.rows, spec.params.cols
    out = set()
    if spec.rule("distinct"):
        out |= {"lines_same", "lines_differ"}
    if min(rows, cols) > _LONG:
        out |= {"lines_same", "lines_opposite", "lines_mirrored"}
    if rows != cols:
        out.add("diagonal")
    return tuple([kind for kind in EXTRAS if kind not in out])


def _statements(spec: Spec[Params], kind: str, rng: Rng) -> Iterator[tuple[int, ...]]:
    """Arguments of extra constraints of one kind, true or not, in random order; some of them where there are very many."""
    rows, cols = spec.params.rows, spec.params.cols
    if kind in ("same", "differ"):
        for _ in range(_DRAWS):
            a, b = sorted(rng.sample(range(rows * cols), 2))
            yield a, b
    elif kind == "diagonal":
        yield from rng.shuffled(list(product((0, 1), range(rows + 1))))
    elif kind == "greater":
        for _ in range(_DRAWS):
            axis = rng.below(2)
            i, j = rng.sample(range((rows, cols)[axis]), 2)
            yield axis, i, j, rng.below(2)
    elif kind.startswith("lines_"):
        pairs = []
        for axis, (count, length) in enumerate(((rows, cols), (cols, rows))):
            if length <= _LONG or kind == "lines_differ":
                pairs += [(axis, i, j) for i, j in combinations(range(count), 2)]
            if kind == "lines_mirrored" and length <= _LONG and length % 4 == 0:  # else the halves cannot hold as many 1s
                pairs += [(axis, i, i) for i in range(count)]
        yield from rng.shuffled(pairs)
    else:
        for _ in range(_DRAWS):
            # a rectangle as wide or as high as the grid would hold as many 1s as 0s in any case
            high, wide = rng.between(2, min(4, rows - 1)), rng.between(2, min(4, cols - 1))
            top, left = rng.below(rows - high + 1), rng.below(cols - wide + 1)
            box = (top, left, top + high - 1, left + wide - 1)
            if kind == "more":
                other_top, other_left = rng.below(rows - high + 1), rng.below(cols - wide + 1)
                if abs(other_top - top) >= high or abs(other_left - left) >= wide:
                    yield (*box, other_top, other_left)
            else:
                for k in rng.shuffled(range(2) if kind == "parity" else _range(high * wide)):
                    yield (*box, k)


def _range(cells: int) -> range:
    """Numbers of 1s that a block of so many cells can hold in grids of every size, wherever it stands: no other one is told."""
    least = _LEAST.get(cells, cells // 3)
    return range(least, cells - least + 1)


def _true_extras(spec: Spec[Params], hidden: Grid, rng: Rng) -> list[Clue]:
    """Extra constraints that are true of a grid, of all kinds in turn, more than are asked for: some will not be needed.

    Two lines are said to differ where they nearly are the same: anything else hardly ever says something new.
    """
    if not spec.params.extras:
        return []
    across = ["".join(["01"[v] for v in row]) for row in hidden]
    down = ["".join(column) for column in zip(*across, strict=True)]
    found: dict[tuple[str, tuple[int, ...]], None] = {}
    wanted = spec.params.extras + (spec.params.extras + 2) // 3
    kinds = rng.child("kinds").shuffled(_kinds(spec))
    for turn in range(4 * wanted):
        kind = kinds[turn % len(kinds)]
        for args in _statements(spec, kind, rng.child("statements", turn)):
            if (kind, args) in found or _breaks(kind, args, across, down):
                continue
            if kind == "lines_differ":
                lines = (across, down)[args[0]]
                if sum(a != b for a, b in zip(lines[args[1]], lines[args[2]], strict=True)) != 2:
                    continue
            found[kind, args] = None
            break
        if len(found) == wanted:
            break
    return [Clue(f"x{i}", kind, args) for i, (kind, args) in enumerate(found, 1)]


def _others(spec: Spec[Params], kind: str, args: tuple[int, ...]) -> list[tuple[str, tuple[int, ...]]]:
    """Extra constraints that differ from this one in one thing and could stand in a puzzle of this spec."""
    if kind in ("same", "differ"):
        return [("differ" if kind == "same" else "same", args)]
    if kind.startswith("lines_"):
        axis, i, j = args
        short = (spec.params.cols, spec.params.rows)[axis] <= _LONG
        others = [
            other for other in _kinds(spec) if other.startswith("lines_") and (short or other == "lines_differ") and other != kind
        ]
        if i == j:
            others = []
        count = (spec.params.rows, spec.params.cols)[axis]
        moved = [(axis, *sorted((i, n))) for n in range(count) if n not in (i, j)] if short else []
        return [(other, args) for other in others] + [(kind, where) for where in moved]
    if kind in ("count", "diagonal"):
        known = range(spec.params.rows + 1)
        if kind == "count":
            known = _range((args[2] - args[0] + 1) * (args[3] - args[1] + 1))
        return [(kind, (*args[:-1], args[-1] + d)) for d in (-2, -1, 1, 2) if args[-1] + d in known]
    if kind == "parity":
        return [(kind, (*args[:-1], 1 - args[-1]))]
    if kind == "more":
        top, left, bottom, right, other_top, other_left = args
        return [(kind, (other_top, other_left, other_top + bottom - top, other_left + right - left, top, left))]
    axis, i, j, back = args
    return [(kind, (axis, j, i, back)), (kind, (axis, i, j, 1 - back))]


def _equal(m: Constraints, a: int, b: int, label: str) -> None:
    """Two literals are both true or both false."""
    m.require(a, -b, label=label)
    m.require(-a, b, label=label)


def _encoded(spec: Spec[Params], clue: Clue) -> tuple[int, ...]:
    """An extra constraint as core/model.py's LinesTable has it."""
    rows, cols, kind, args = spec.params.rows, spec.params.cols, clue.kind, _args(spec, clue)

    def line(axis: int, i: int) -> list[int]:
        return [i * cols + c for c in range(cols)] if axis == 0 else [r * cols + i for r in range(rows)]

    def box(top: int, left: int, high: int, wide: int) -> list[int]:
        return [(top + n // wide) * cols + left + n % wide for n in range(high * wide)]

    k, first, second = 0, [args[0]], [args[1]]
    relation = {"same": "equal", "differ": "opposite", "lines_same": "equal", "lines_opposite": "opposite"}.get(kind, kind)
    if kind.startswith("lines_"):
        first, second = line(args[0], args[1]), line(args[0], args[2])
        if kind == "lines_differ":
            relation = "unequal"
        elif kind == "lines_mirrored":
            relation = "equal"
            second.reverse()
            if first[0] == second[-1]:  # one line and its own mirror image: half of it says everything
                first, second = first[: len(first) // 2], second[: len(second) // 2]
    elif kind in ("count", "parity"):
        first, second, k = box(args[0], args[1], args[2] - args[0] + 1, args[3] - args[1] + 1), [], args[4]
    elif kind == "diagonal":
        relation, second, k = "count", [], args[1]
        first = [r * cols + (cols - 1 - r if args[0] else r) for r in range(rows)]
    elif kind == "more":
        high, wide = args[2] - args[0] + 1, args[3] - args[1] + 1
        first, second = box(args[0], args[1], high, wide), box(args[4], args[5], high, wide)
    elif kind == "greater":
        first, second = line(args[0], args[1]), line(args[0], args[2])
        if args[3]:
            first, second = first[::-1], second[::-1]
    return (GROUP_RELATIONS.index(relation), k, len(first), *first, *second)


def _breaks(kind: str, args: tuple[int, ...], across: list[str], down: list[str]) -> bool:
    """Whether rows and columns as text ("." is a blank) break an extra constraint however the blanks are filled."""
    if kind in ("same", "differ"):
        cols = len(down)
        a, b = across[args[0] // cols][args[0] % cols], across[args[1] // cols][args[1] % cols]
        return a != "." and b != "." and (a == b) == (kind == "differ")
    if kind.startswith("lines_") or kind == "greater":
        lines = down if args[0] else across
        first, second = lines[args[1]], lines[args[2]]
        if kind == "greater":
            if args[3]:
                first, second = first[::-1], second[::-1]
            return first.replace(".", "1") <= second.replace(".", "0")
        if kind == "lines_differ":
            return "." not in first and first == second
        if kind == "lines_mirrored":
            second = second[::-1]
        wrong = ("00", "11") if kind == "lines_opposite" else ("01", "10")
        return any(a + b in wrong for a, b in zip(first, second, strict=True))
    if kind == "diagonal":
        which, k = args
        cells = [row[len(row) - 1 - r] if which else row[r] for r, row in enumerate(across)]
        return not cells.count("1") <= k <= len(cells) - cells.count("0")
    top, left, bottom, right = args[:4]
    text = "".join([row[left : right + 1] for row in across[top : bottom + 1]])
    if kind == "count":
        return not text.count("1") <= args[4] <= len(text) - text.count("0")
    if kind == "parity":
        return "." not in text and text.count("1") % 2 != args[4]
    down_by, right_by = args[4] - top, args[5] - left
    other = "".join([row[left + right_by : right + right_by + 1] for row in across[top + down_by : bottom + down_by + 1]])
    return len(text) - text.count("0") <= other.count("1")


def _box_words(top: int, left: int, bottom: int, right: int) -> str:
    rows = f"row {top + 1}" if top == bottom else f"rows {top + 1} to {bottom + 1}"
    cols = f"column {left + 1}" if left == right else f"columns {left + 1} to {right + 1}"
    return f"{rows} and {cols}"


def _words(kind: str, args: tuple[int, ...], cols: int, symbols: tuple[str, ...]) -> str:
    """An extra constraint as a sentence."""
    zero, one = symbols
    if kind in ("same", "differ"):
        a, b = [f"row {cell // cols + 1} column {cell % cols + 1}" for cell in args]
        sort = _sort_of(symbols)
        return f"R{a[1:]} and {b} hold {f'the same {sort}' if kind == 'same' else f'different {sort}s'}."
    if kind.startswith("lines_") or kind == "greater":
        name, forth, back = (("row", "left to right", "right to left"), ("column", "top to bottom", "bottom to top"))[args[0]]
        i, j = args[1] + 1, args[2] + 1
        pair = f"{name.capitalize()}s {i} and {j}"
        if kind == "lines_same":
            return f"{pair} are the same."
        if kind == "lines_differ":
            return f"{pair} are not the same."
        if kind == "lines_opposite":
            return f"{name.capitalize()} {j} is {name} {i} with {zero} and {one} swapped."
        if kind == "greater":
            way = back if args[3] else forth
            pair = f"{name.capitalize()}s {min(i, j)} and {max(i, j)}"
            return f"{pair} are not the same: read from {way}, {name} {i} holds {one} where they first differ."
        if i == j:
            return f"{name.capitalize()} {i} reads the same from {forth} and from {back}."
        return f"{name.capitalize()} {j} read from {back} is the same as {name} {i} read from {forth}."
    if kind == "diagonal":
        start, end = ("top right", "bottom left") if args[0] else ("top left", "bottom right")
        return f"On the diagonal from the {start} corner to the {end} corner, {_so_many(args[1])} {one}."
    box = _box_words(*args[:4])
    if kind == "count":
        return f"In the block in {box}, {_so_many(args[4])} {one}."
    if kind == "parity":
        return f"In the block in {box}, the number of cells that hold {one} is {'odd' if args[4] else 'even'}."
    top, left, bottom, right, other_top, other_left = args
    other = _box_words(other_top, other_left, other_top + bottom - top, other_left + right - left)
    return f"More cells hold {one} in the block in {box} than in the block in {other}."


def _so_many(k: int) -> str:
    if k < 2:
        return "exactly one cell holds" if k else "no cell holds"
    return f"exactly {_NUMBERS[k]} cells hold"


def _decided_by_distinct(grid: Grid) -> list[tuple[int, int, int, int]]:
    """Sets of four cells which another legal filling fits too, if the lines need not be distinct.

    Two rows and two columns that cross in 0 1 over 1 0: the other way round nothing is out of balance, but two lines are equal.
    """
    cols = len(grid[0])
    found = set()
    for axis, lines in enumerate((grid, tuple(zip(*grid, strict=True)))):
        for i, j in permutations(range(len(lines)), 2):
            apart = [n for n, (a, b) in enumerate(zip(lines[i], lines[j], strict=True)) if a != b]
            if len(apart) != 2:
                continue
            a, b = apart  # line i becomes line j if it swaps a and b with any line k that holds the opposite there
            for k in range(len(lines)):
                if k == i or lines[k][a] != lines[i][b] or lines[k][b] != lines[i][a]:
                    continue
                four = [(i, a), (i, b), (k, a), (k, b)]
                changed = [list(line) for line in lines]
                for line, n in four:
                    changed[line][n] = 1 - changed[line][n]
                whole = [*changed, *[list(column) for column in zip(*changed, strict=True)]]
                if not any(x == y == z for line in whole for x, y, z in zip(line, line[1:], line[2:], strict=False)):
                    cells = sorted([line * cols + n if axis == 0 else n * cols + line for line, n in four])
                    found.add((cells[0], cells[1], cells[2], cells[3]))
    return sorted(found)


# ---- symmetries -----------------------------------------------------------------------------------------------------

_SWAP = str.maketrans("01", "10")


def _turned(line: str) -> list[str]:
    """The line in every order of its cells that keeps legal lines legal."""
    if len(line) == 4:
        return ["".join(cells) for cells in permutations(line)]
    if len(line) == 6:
        twice = line + line
        back = twice[::-1]
        return [twice[i : i + 6] for i in range(6)] + [back[i : i + 6] for i in range(6)]
    return [line, line[::-1]]


def _least(lines: list[str]) -> list[str]:
    """The least list that a symmetry of the grid makes of these parallel lines, leaving values alone and lines parallel."""
    count = len(lines)
    least: list[str] | None = None
    for turned in zip(*[_turned(line) for line in lines], strict=True):
        order = list(turned)
        if count == 4:
            choices = [sorted(order)]
        elif count == 6:
            twice = order + order
            back = twice[::-1]
            choices = [twice[i : i + 6] for i in range(6)] + [back[i : i + 6] for i in range(6)]
        else:
            choices = [order, order[::-1]]
        best = min(choices)
        if least is None or best < least:
            least = best
    assert least is not None
    return least


def _turned_extra(
    kind: str, args: tuple[int, ...], rows: int, cols: int, upside: bool, behind: bool, over: bool, swap: bool
) -> tuple[str, tuple[int, ...]]:
    """An extra constraint after rows change places (upside), columns do (behind), rows and columns do (over), 0 and 1 do (swap).

    In this order.
    """

    def place(r: int, c: int) -> tuple[int, int]:
        r, c = (rows - 1 - r if upside else r), (cols - 1 - c if behind else c)
        return (c, r) if over else (r, c)

    wide = rows if over else cols  # columns afterwards
    if kind in ("same", "differ"):
        a, b = sorted([r * wide + c for r, c in [place(*divmod(cell, cols)) for cell in args]])
        return kind, (a, b)
    if kind.startswith("lines_") or kind == "greater":
        axis, i, j = args[:3]
        if behind if axis else upside:
            last = (cols if axis else rows) - 1
            i, j = last - i, last - j
        if kind == "greater":
            if swap:
                i, j = j, i
            return kind, (axis ^ over, i, j, args[3] ^ (upside if axis else behind))
        return kind, (axis ^ over, min(i, j), max(i, j))
    if kind == "diagonal":
        return kind, (args[0] ^ upside ^ behind, rows - args[1] if swap else args[1])

    def box(top: int, left: int, bottom: int, right: int) -> tuple[int, int, int, int]:
        (r, c), (s, d) = place(top, left), place(bottom, right)
        return min(r, s), min(c, d), max(r, s), max(c, d)

    top, left, bottom, right = args[:4]
    cells = (bottom - top + 1) * (right - left + 1)
    here = box(top, left, bottom, right)
    if kind == "more":
        there = box(args[4], args[5], args[4] + bottom - top, args[5] + right - left)
        return kind, (*there, *here[:2]) if swap else (*here, *there[:2])
    k = args[4]
    if swap:
        k = k ^ (cells & 1) if kind == "parity" else cells - k
    return kind, (*here, k)


def _least_with_extras(puzzle: Puzzle[Params, NoBoard]) -> str:
    """shape() of a puzzle with extra constraints."""
    rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
    drawing = _drawing(puzzle, ".", ("0", "1"))
    extras = [(clue.kind, _args(puzzle.spec, clue)) for clue in puzzle.clues if clue.kind != "given"]
    found = []
    for upside, behind, over, swap in product((False, True), repeat=4):
        if over != (rows > cols) and rows != cols:
            continue  # the shorter side is the left one
        lines = [drawing[r * cols : (r + 1) * cols][:: -1 if behind else 1] for r in range(rows)][:: -1 if upside else 1]
        if over:
            lines = [list(column) for column in zip(*lines, strict=True)]
        text = " ".join(["".join(line) for line in lines])
        turned = sorted([_turned_extra(*extra, rows, cols, upside, behind, over, swap) for extra in extras])
        found.append((text.translate(_SWAP) if swap else text, turned))
    text, turned = min(found)
    named = ",".join([rule.name for rule in puzzle.spec.rules])
    told = " ".join([f"{kind}({','.join(map(str, args))})" for kind, args in turned])
    return f"{min(rows, cols)}x{max(rows, cols)} {named} {text} {told}"


# ---- deductions in words ------------------------------------------------------------------------------------------------


def _told(puzzle: Puzzle[Params, NoBoard], step: Step, said: Mapping[str, str]) -> str:
    """A step without capital and full stop; solvers/deduce/lines.py says what `about` holds. said: sentences of its clues."""
    rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
    symbols, about = puzzle.style.symbols, step.about

    def name(line: int) -> str:
        return f"row {line + 1}" if line < rows else f"column {line - rows + 1}"

    def along(line: int, places: Sequence[int]) -> str:
        word = "column" if line < rows else "row"
        return f"{word}{'s' if len(places) > 1 else ''} {_and([str(place + 1) for place in places])}"

    def row_of(line: int, known: int, ones: int) -> str:
        length = cols if line < rows else rows
        texts = [symbols[ones >> i & 1] if known >> i & 1 else "." for i in range(length)]
        return " ".join(texts)

    def holding(facts: Sequence[tuple[int, int]], line: int = -1) -> str:
        """ "columns 3 and 6 hold 0" in a line, or "row 2 columns 3 and 6 hold 0"."""
        groups: dict[tuple[int, int], list[int]] = {}
        for cell, value in facts:
            row = -1 if line >= 0 else cell // cols
            groups.setdefault((row, value), []).append(cell % cols if line < rows else cell // cols)
        parts = []
        for (row, value), places in groups.items():
            where = along(line, places) if row < 0 else f"{name(row)} {along(row, places)}"
            parts.append(f"{where} {'hold' if len(places) > 1 else 'holds'} {symbols[value]}")
        return _and(parts)

    def story() -> str:
        return "; ".join([_told(puzzle, part, said) for part in step.within])

    if step.technique == "runs":
        line, *places = about
        here = f"in {name(line)}, {along(line, places)}"
        if not step.sets:
            return f"{here} hold the same {_sort_of(symbols)}, three in a run"
        held = symbols[1 - step.sets[0][1]]
        between = ", which lies between them," if places[1] - places[0] == 2 else ""
        so = holding(step.sets, line)
        if between:
            so = so.replace(" holds", f"{between} holds", 1)
        return f"{here} both hold {held}, so {so}"
    if step.technique == "counts":
        line, value = about
        half = f"{_NUMBERS[(cols if line < rows else rows) // 2]} {symbols[value]}s"
        if not step.sets:
            return f"{name(line)} has more than {half}"
        return f"{name(line)} already has its {half}, so {holding(step.sets, line)}"
    if step.technique in ("copy", "group"):
        facts = [(about[k], about[k + 1]) for k in range(1, len(about), 2)]
        clue = said.get(puzzle.clues[about[0]].id, "").rstrip(".")
        if step.technique == "copy" and not step.sets and facts[0][0] == facts[1][0]:
            return f"row {facts[0][0] // cols + 1} column {facts[0][0] % cols + 1} is given twice, with different values"
        given = holding(facts)
        if not step.sets:
            return f"this is against the constraint “{clue}”: {given}" if given else f"nothing fits the constraint “{clue}”"
        so = f": {given}, so" if given else ","
        return f"by the constraint “{clue}”{so} {holding(step.sets)}"
    if step.technique in ("completion", "distinct", "line_clue"):
        line, known, ones, ways, *rest = about
        so = holding(step.sets, line)
        full = f"{name(line)} reads {row_of(line, known, ones)} so far" if known else f"nothing of {name(line)} is filled"
        if step.technique != "completion":
            bad = []
            for why in dict.fromkeys(rest[1::2]):
                out = [row_of(line, -1, rest[k]) for k in range(0, len(rest), 2) if rest[k + 1] == why]
                ways_out = _and(out) if len(out) < 4 else f"{', '.join(out[:3])} and {len(out) - 3} more"
                if why < rows + cols:
                    bad.append(f"{ways_out} would repeat {name(why)}")
                else:
                    clue = said.get(puzzle.clues[why - rows - cols].id, "").rstrip(".")
                    bad.append(f"{ways_out} would break the constraint “{clue}”")
            if not step.sets:
                return f"{full}, and no way to complete it is left: {_and(bad)}"
            left = "so" if ways - len(rest) // 2 == 1 else "and the other ways agree:"
            return f"{full}; {_and(bad)}, {left} {so}"
        if step.within:
            ((cell, value),) = step.sets
            place = along(line, [cell % cols if line < rows else cell // cols])
            return f"in {name(line)}, if {place} held {symbols[1 - value]}, then {story()}; so {place} holds {symbols[value]}"
        if not step.sets:
            return f"{name(line)} cannot be completed from {row_of(line, known, ones)}"
        if len(rest) == 1:
            return f"{full}, and the one legal way to complete it is {row_of(line, -1, rest[0])}; so {so}"
        if rest:
            return f"{full}, and can only become {_or([row_of(line, -1, one) for one in rest])}; so {so}"
        return f"{full}, and in every legal way to complete it {so}"
    if step.technique == "search":
        if not step.sets:
            return "none of the usual techniques leads on, and going through all possibilities shows that there is no answer"
        return f"none of the usual techniques leads on; going through all possibilities leaves one way only: {holding(step.sets)}"
    cell, value = about
    where = f"row {cell // cols + 1} column {cell % cols + 1}"
    return f"suppose {where} held {symbols[value]}: then {story()}, which cannot be, so {where} holds {symbols[1 - value]}"


def _and(words: Sequence[str], last: str = "and") -> str:
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def _or(words: Sequence[str]) -> str:
    return _and(words, "or")


FAMILY = Binario()
