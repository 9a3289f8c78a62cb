"""Minesweeper: which closed cells must hold a mine?

Every cell is safe or holds one mine. Some safe cells are opened:
  a number           an opened cell shows how many of the up to eight cells around it hold a mine; with the rule "clusters",
                     how many groups these mines form, where mines that touch, also at a corner, are of one group;
  total              where the number of all mines is told (a parameter), so many there are;
  no_touching_mines  no two mines touch, not even at a corner (only under this rule).
The question is a FORCED one (core/types.py): the answer is the set of closed cells that hold a mine in every arrangement that
fits; cells that differ between arrangements do not belong to it. It exists and is the only right reply wherever an arrangement
fits, and certificates show each cell both ways. broken_rules is about arrangements; it returns the names above and the ids of
clues, or "malformed". The rule no_touching_mines is needed by every puzzle that has it: without it other cells are forced. The
total is told whether or not it is needed.

Puzzles in which no closed cell is forced, or every one, or every one beside a number, are thrown away: a constant reply or one
that only looks where numbers are would be right. Two puzzles are the same up to symmetry if turning or mirroring the board
carries one to the other.
Source: Curt Johnson and Robert Donner, Microsoft Minesweeper (1990), and Ian Andrew, Mined-Out (1983). Clusters are seen in
HardcoreLogic (2510.12563), appendix B.
Known limit: where mines may not touch and are too many for drawing until it fits, a random walk draws them, which is even in the
limit only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product
from math import log10
from typing import Any, ClassVar, final

from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.family import AnyFamily, Family, Legacy, Pairing, Relation, Transform
from puzzlemill.core.model import BLANK, Constraints, MinesTable, Slots, Step
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
    QuestionKind,
    Rows,
    Rule,
    Spec,
    Style,
)
from puzzlemill.transforms.forms import AddRule, Restyle, valid

Grid = tuple[tuple[int, ...], ...]  # rows of 0 (safe, or not forced), 1 (a mine), or BLANK where unknown

SMALLEST, NARROW, LARGEST = 4, 16, 30  # the shorter side has at most NARROW cells
CLUSTERS, APART = Rule("clusters"), Rule("no_touching_mines")
NUMBERS = tuple("012345678")
LETTERS = tuple("ZABCDEFGH")
OTHER, MUST = "-", "X"  # in replies
CLOSED = "#"
_REJECTED = 4_000  # draws of mines that may touch before the walk takes over
_WALK = 60  # moves per mine


@dataclass(frozen=True, slots=True)
class Params:
    """rows, cols: 4 to 30, one of them 16 at most. mines: how many there are.

    opened: percent of the safe cells that are opened, 1 to 99; at least one is, and one is not. total: the prompt tells how many
    mines there are.
    """

    rows: int = 9
    cols: int = 9
    mines: int = 16
    opened: int = 50
    total: bool = False


@final
@dataclass(frozen=True, slots=True)
class MoreMines(Transform):
    """A board of the same size with more mines, drawn anew. percent: of the parent's number."""

    name: str = "more_mines"
    kind: Kind = Kind.IC1
    relation: Relation = Relation.RESIZE
    pairing: Pairing = Pairing.NONE
    percent: int = 150
    args: tuple[str, ...] = ("percent",)

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        if family.name != Minesweeper.name or not 100 < self.percent <= 1_000:
            return False
        return self._more(spec) != spec and valid(family, self._more(spec))

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return self._more(spec)

    def _more(self, spec: Spec[Any]) -> Spec[Any]:
        return replace(spec, params=replace(spec.params, mines=spec.params.mines * self.percent // 100))


@final
class Minesweeper(Legacy, Family[Params, NoBoard, Grid, Grid]):
    """One slot per cell, row by row: 1 is a mine."""

    name: ClassVar[str] = "minesweeper"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Minesweeper"
    params: ClassVar[Any] = Params
    answer: ClassVar[Any] = Grid
    rules: ClassVar[Any] = ("clusters", "no_touching_mines")
    replaced: ClassVar[tuple[str, ...]] = ("clusters",)
    transforms: ClassVar[tuple[Transform, ...]] = (
        MoreMines(),
        Restyle("letters", Kind.UE1),
        AddRule("clusters", Kind.UE2),
        AddRule("no_touching_mines", Kind.UE2),
    )
    questions: ClassVar[tuple[QuestionKind, ...]] = (QuestionKind.FORCED,)
    sought: ClassVar[str] = "mines that are certain"
    source: ClassVar[str] = 'Curt Johnson and Robert Donner, "Minesweeper" (Microsoft, 1990); Ian Andrew, "Mined-Out" (1983)'

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        rows, cols, mines, opened = spec.params.rows, spec.params.cols, spec.params.mines, spec.params.opened
        for name, length in (("rows", rows), ("cols", cols)):
            if not SMALLEST <= length <= LARGEST:
                raise BadParams(f"minesweeper.{name} must be {SMALLEST} to {LARGEST}, got {length}; set family.params.{name}")
        if min(rows, cols) > NARROW:
            raise BadParams(
                f"minesweeper.rows or minesweeper.cols must be at most {NARROW}, got {rows} and {cols}; set family.params.rows"
            )
        for rule in spec.rules:
            if rule not in (CLUSTERS, APART):
                raise BadParams(
                    f"minesweeper knows the rules clusters and no_touching_mines, without arguments, got {str(rule)[:60]}; "
                    f"set family.rules"
                )
        if len(spec.rules) > 1:
            raise BadParams(
                "minesweeper.rules: of mines that do not touch each is a group of its own, so that clusters and "
                "no_touching_mines do not go together; set family.rules to one of them"
            )
        # a third of the most that fit without touching is far from where a walk gets stuck
        most = max(2, (rows + 1) // 2 * ((cols + 1) // 2) * 2 // 3) if spec.rule("no_touching_mines") else rows * cols - 3
        if not 1 <= mines <= most:
            raise BadParams(f"minesweeper.mines must be 1 to {most} here, got {mines}; set family.params.mines")
        if not 1 <= opened <= 99:
            raise BadParams(f"minesweeper.opened must be 1 to 99 percent, got {opened}; set family.params.opened")

    def sample_solution(self, spec: Spec[Params], rng: Rng, oracle: Oracle) -> Grid:
        cells = spec.params.rows * spec.params.cols
        mines = set(_apart(spec, rng) if spec.rule("no_touching_mines") else rng.sample(range(cells), spec.params.mines))
        return self.assemble(spec, NoBoard(), tuple([int(i in mines) for i in range(cells)]))

    def make_puzzle(self, spec: Spec[Params], hidden: Grid, rng: Rng) -> Draft[Params, NoBoard, Grid, Grid]:
        """Opens safe cells; the answer is what their numbers force, which the middle finds out. Until then it is the board."""
        values = [v for row in hidden for v in row]
        safe = [i for i, v in enumerate(values) if not v]
        count = min(max(1, len(safe) * spec.params.opened // 100), len(safe) - 1)
        clues = []
        for i in sorted(rng.sample(safe, count)):
            mines = [j for j in _around(spec.params.rows, spec.params.cols)[i] if values[j]]
            clues.append(_number(spec, i, _groups(mines, spec.params.cols) if spec.rule("clusters") else len(mines)))
        return Draft(_puzzle(spec, tuple(clues)), hidden, hidden)

    def removal_order(self, draft: Draft[Params, NoBoard, Grid, Grid], rng: Rng) -> list[int]:
        """None: how many cells are opened is a parameter."""
        return []

    def usable(self, draft: Draft[Params, NoBoard, Grid, Grid]) -> bool:
        """Whether some closed cells are forced, but not all, and not all of those beside numbers."""
        puzzle = draft.puzzle
        forced = {i for i, v in enumerate([v for row in draft.answer or () for v in row]) if v}
        opened = set(self.clues.given_slots(puzzle))
        around = _around(puzzle.spec.params.rows, puzzle.spec.params.cols)
        beside = {j for i in opened for j in around[i]} - opened
        return bool(forced) and forced != beside and len(forced) + len(opened) < len(around)

    def alternatives(self, puzzle: Puzzle[Params, NoBoard], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """The other numbers that the cell could show, the nearest first."""
        cell, number = _read(puzzle.spec, clue)
        others = [k for k in range(_most(puzzle.spec, cell) + 1) if k != number]
        for k in sorted(rng.shuffled(others), key=lambda k: abs(k - number)):
            yield Clue(clue.id, clue.kind, (cell, k))

    def additions(self, puzzle: Puzzle[Params, NoBoard], rng: Rng) -> Iterator[Clue]:
        """Further cells opened, with any number."""
        opened = set(self.clues.given_slots(puzzle))
        for cell in rng.shuffled([i for i in range(puzzle.spec.params.rows * puzzle.spec.params.cols) if i not in opened]):
            for k in rng.shuffled(range(_most(puzzle.spec, cell) + 1)):
                yield _number(puzzle.spec, cell, k)

    def larger(self, spec: Spec[Params]) -> Spec[Params] | None:
        """Three more rows and columns with the same share of mines."""
        rows, cols, mines = spec.params.rows, spec.params.cols, spec.params.mines
        grown = (rows + 3) * (cols + 3)
        wanted = replace(spec, params=replace(spec.params, rows=rows + 3, cols=cols + 3, mines=mines * grown // (rows * cols)))
        return wanted if valid(self, wanted) else None

    # ---- meaning

    def model(self, spec: Spec[Params], board: NoBoard) -> Constraints:
        m = Constraints()
        rows, cols = spec.params.rows, spec.params.cols
        mine = [[m.slot(2)[1] for _ in range(cols)] for _ in range(rows)]  # mine[r][c]: the cell holds a mine
        if spec.params.total:
            m.exactly([lit for row in mine for lit in row], spec.params.mines, label="total")
        if spec.rule("no_touching_mines"):
            for r, c in product(range(rows), range(cols)):
                for dr, dc in ((0, 1), (1, -1), (1, 0), (1, 1)):
                    if r + dr < rows and 0 <= c + dc < cols:
                        m.require(-mine[r][c], -mine[r + dr][c + dc], label="no_touching_mines")
        return m

    def state(self, m: Constraints, spec: Spec[Params], board: NoBoard, clue: Clue) -> None:
        cell, number = _read(spec, clue)
        r, c, rows, cols = *divmod(cell, spec.params.cols), spec.params.rows, spec.params.cols
        m.require(m.key[cell][0], label=clue.id)
        steps = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr or dc) and 0 <= r + dr < rows and 0 <= c + dc < cols]
        lits = [m.key[(r + dr) * cols + c + dc][1] for dr, dc in steps]
        if not spec.rule("clusters"):
            m.exactly(lits, number, label=clue.id, plain=True)
            return
        for signs in _refused(tuple(steps), number):
            m.require(*[sign * lit for sign, lit in zip(signs, lits, strict=True) if sign], label=clue.id)

    def table(self, puzzle: Puzzle[Params, NoBoard]) -> MinesTable:
        spec = puzzle.spec
        return MinesTable(
            spec.params.rows,
            spec.params.cols,
            spec.params.mines if spec.params.total else -1,
            tuple([_read(spec, clue) for clue in puzzle.clues]),
            spec.rule("clusters") is not None,
            spec.rule("no_touching_mines") is not None,
        )

    def slots(self, spec: Spec[Params], board: NoBoard) -> tuple[int, ...]:
        return (2,) * (spec.params.rows * spec.params.cols)

    def assemble(self, spec: Spec[Params], board: NoBoard, values: Slots) -> Grid:
        cols = spec.params.cols
        return tuple([tuple(values[start : start + cols]) for start in range(0, len(values), cols)])

    def values(self, spec: Spec[Params], board: NoBoard, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def broken_rules(self, puzzle: Puzzle[Params, NoBoard], answer: Grid, partial: bool = False) -> list[str]:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        flat = [v for row in answer for v in row]
        if len(answer) != rows or {len(row) for row in answer} != {cols}:
            return ["malformed"]
        whole = {0, 1}.issuperset(flat)  # nothing is open
        if not whole and not (partial and {BLANK, 0, 1}.issuperset(flat)):
            return ["malformed"]
        around = _around(rows, cols)
        broken = []
        if puzzle.spec.params.total:
            sure = flat.count(1)
            if not sure <= puzzle.spec.params.mines <= sure + flat.count(BLANK):
                broken.append("total")
        if puzzle.spec.rule("no_touching_mines") and any(
            v == 1 and any(flat[j] == 1 for j in around[i]) for i, v in enumerate(flat)
        ):
            broken.append("no_touching_mines")
        groups = puzzle.spec.rule("clusters") is not None
        for clue in puzzle.clues:
            cell, number = _read(puzzle.spec, clue)
            if whole and not groups:  # it is one number against another
                if flat[cell] or sum([flat[j] for j in around[cell]]) != number:
                    broken.append(clue.id)
                continue
            mines = [j for j in around[cell] if flat[j] == 1]
            unknown = [j for j in around[cell] if flat[j] == BLANK]
            if flat[cell] == 1:
                broken.append(clue.id)
            elif groups:
                here = cell - cols - 1  # the numbers of the cells do not matter, only how they lie
                if number not in _group_counts(tuple([j - here for j in mines]), tuple([j - here for j in unknown]), cols):
                    broken.append(clue.id)
            elif not len(mines) <= number <= len(mines) + len(unknown):
                broken.append(clue.id)
        return broken

    def given_slots(self, puzzle: Puzzle[Params, NoBoard]) -> tuple[int, ...]:
        return tuple(dict.fromkeys([_read(puzzle.spec, clue)[0] for clue in puzzle.clues]))

    def search_space_log10(self, puzzle: Puzzle[Params, NoBoard]) -> float:
        """HardcoreLogic, table 5: the product over numbers of the ways to place their mines around them.

        Under clusters, of the ways in which the closed cells around form so many groups.
        """
        cols = puzzle.spec.params.cols
        opened = set(self.clues.given_slots(puzzle))
        around = _around(puzzle.spec.params.rows, cols)
        space = 0.0
        for clue in puzzle.clues:
            cell, number = _read(puzzle.spec, clue)
            closed = [j for j in around[cell] if j not in opened]
            clusters = puzzle.spec.rule("clusters") is not None
            ways = sum(
                (_groups(some, cols) if clusters else len(some)) == number
                for size in range(len(closed) + 1)
                for some in combinations(closed, size)
            )
            space += log10(max(1, ways))
        return space

    def symmetry(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        """The least drawing among the turned and mirrored ones, the shorter side across."""
        spec = puzzle.spec
        rows, cols = spec.params.rows, spec.params.cols
        drawing = _drawing(puzzle, CLOSED, NUMBERS)
        lines = [drawing[r * cols : (r + 1) * cols] for r in range(rows)]
        found = []
        for over, upside, behind in product((False, True), repeat=3):
            turned = [list(column) for column in zip(*lines, strict=True)] if over else lines
            if len(turned) < len(turned[0]):
                continue
            found.append(" ".join(["".join(row[:: -1 if behind else 1]) for row in turned[:: -1 if upside else 1]]))
        told = str(spec.params.mines) if spec.params.total else "?"
        return f"{min(rows, cols)}x{max(rows, cols)} {','.join([rule.name for rule in spec.rules])} {told} {min(found)}"

    # ---- text

    def render(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        drawing = _drawing(puzzle, CLOSED, puzzle.style.symbols)
        told = ["number", "total", *[rule.name for rule in puzzle.spec.rules if rule != CLUSTERS]]
        numbers = [str(i) for i in range(1, len(told) + 1)]
        shown = "number" if puzzle.style.symbols == NUMBERS else "letter"
        return "\n".join(
            [
                f"This Minesweeper board has {rows} rows and {cols} columns. Every cell is either safe or holds one mine. Some "
                f"safe cells have been opened; the cells shown as {CLOSED} are closed.",
                "",
                *[f"{i}. {self.describe(puzzle, label)}" for i, label in enumerate(told, 1)],
                "",
                *[" ".join(drawing[r * cols : (r + 1) * cols]) for r in range(rows)],
                "",
                "Which closed cells must hold a mine? An arrangement of mines fits if no opened cell holds a mine, every "
                f"{shown} shown is right, and points {', '.join(numbers[:-1])} and {numbers[-1]} hold. Wanted are the cells that "
                "hold a mine in every arrangement that fits. A cell that is safe in some such arrangement is not one of them, "
                "even if it holds a mine in others."
                + (" If no arrangement fits, the puzzle has no solution." if puzzle.question.may_be_unsolvable else ""),
            ]
        )

    def describe(self, puzzle: Puzzle[Params, NoBoard], label: str) -> str:
        symbols = puzzle.style.symbols
        clue = next((clue for clue in puzzle.clues if clue.id == label), None)
        if clue is not None:
            cell, number = _read(puzzle.spec, clue)
            r, c = divmod(cell, puzzle.spec.params.cols)
            return f"Row {r + 1} column {c + 1} is safe and shows {symbols[number]}."
        if label == "total":
            if not puzzle.spec.params.total:
                return "How many mines there are in all is not known."
            mines = puzzle.spec.params.mines
            return (
                f"There {'is' if mines == 1 else 'are'} exactly {mines} {'mine' if mines == 1 else 'mines'} on the whole board."
            )
        if label == "no_touching_mines":
            return "No two mines touch each other, not even at a corner."
        if label not in ("number", "clusters"):
            return label
        code = ""
        if symbols != NUMBERS:
            most = 4 if puzzle.spec.rule("clusters") else 8
            code = " Numbers are written as letters: " + ", ".join([f"{symbols[k]} is {k}" for k in range(most + 1)]) + "."
        if puzzle.spec.rule("clusters"):
            return (
                "An opened cell shows how many groups are formed by the mines among the up to eight cells around it. Two of "
                "these mines that touch, along a side or at a corner, belong to the same group; mines farther away join nothing. "
                "Three mines side by side above an opened cell, for instance, are one group." + code
            )
        return (
            "An opened cell shows how many of the up to eight cells around it, along a side or at a corner, hold a mine." + code
        )

    def explain(self, puzzle: Puzzle[Params, NoBoard], step: Step) -> str:
        text = _told(puzzle, step)
        ends = not step.sets and step.technique != "search"  # which says so itself
        return text[0].upper() + text[1:] + "." + (" So no arrangement of mines fits." if ends else "")

    def restyle(self, puzzle: Puzzle[Params, NoBoard], way: str, rng: Rng) -> Style:
        """Letters: Z for 0 and A to H for 1 to 8."""
        if way != "letters":
            return super().restyle(puzzle, way, rng)
        return replace(puzzle.style, symbols=LETTERS)

    def layout(self, puzzle: Puzzle[Params, NoBoard]) -> Layout:
        note = (
            f"Give the whole board row by row, from top to bottom: {MUST} for each closed cell that must hold a mine, "
            f"{OTHER} for every other cell, opened or closed."
        )
        rows = puzzle.spec.params.rows
        return Layout(_columns(puzzle.spec.params.cols), rows, rows, True, note)

    def write(self, puzzle: Puzzle[Params, NoBoard], answer: Grid) -> Rows:
        return tuple([tuple([MUST if v == 1 else OTHER for v in row]) for row in answer])

    def read(self, puzzle: Puzzle[Params, NoBoard], rows: Rows) -> Grid | None:
        return tuple([tuple([int(token == MUST) for token in row]) for row in rows])

    def draw(self, puzzle: Puzzle[Params, NoBoard], answer: Grid | None = None, marked: Collection[str] = ()) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        side = 32
        shown = _drawing(puzzle, "", puzzle.style.symbols)
        lit = {_read(puzzle.spec, clue)[0] for clue in puzzle.clues if clue.id in marked}
        parts = []
        for i, text in enumerate(shown):
            x, y = 8 + side * (i % cols), 8 + side * (i // cols)
            fill = "#f6b6ae" if i in lit else "#fff" if text else "#c8ccd2"
            parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{fill}" stroke="#888"/>')
            if text:
                parts.append(f'<text x="{x + 16}" y="{y + 22}" text-anchor="middle" fill="#111">{text}</text>')
            elif answer is not None and answer[i // cols][i % cols] == 1:
                parts.append(f'<circle cx="{x + 16}" cy="{y + 16}" r="8" fill="#1a5fb4"/>')
        below, wide = 8 + side * rows, max(16 + side * cols, 420)
        if answer is not None:
            below += 20
            parts.append(
                f'<text x="8" y="{below}" font-size="12" fill="#1a5fb4">Dots: closed cells that must hold a mine.</text>'
            )
        for label in ("total", *[rule.name for rule in puzzle.spec.rules]):
            if label == "total" and not puzzle.spec.params.total:
                continue
            below += 20
            ink = 'font-weight="bold" fill="#c01c28"' if label in marked else 'fill="#333"'
            words = "Numbers count groups of touching mines." if label == "clusters" else self.describe(puzzle, label)
            parts.append(f'<text x="8" y="{below}" font-size="12" {ink}>{words}</text>')
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {below + 10}" font-family="sans-serif" '
            f'font-size="18">{"".join(parts)}</svg>'
        )

    # ---- puzzles from elsewhere

    def parse(self, lines: Sequence[Line]) -> Puzzle[Params, NoBoard]:
        options = heading(lines, self.name, self.rules, ("mines",))
        body = [(line, line.text.replace(" ", "")) for line in lines[1:]]
        rows, cols = len(body), len(body[0][1]) if body else 0
        for name, size in (("rows", rows), ("columns", cols)):
            if not 1 <= size <= LARGEST:
                raise lines[0].bad(0, f"expected 1 to {LARGEST} {name} of 0 to 8 and . for a closed cell, got {size}")
        if min(rows, cols) > NARROW:
            raise lines[0].bad(0, f"expected at most {NARROW} rows or columns, got {rows} and {cols}")
        told = options.get("mines")
        if told is not None and (not told.isdecimal() or not told.isascii() or len(told) > 3):
            raise lines[0].bad(0, f"expected mines=NUMBER, got mines={told[:20]}")
        rules = tuple([Rule(name) for name in sorted(set(options) & set(self.rules))])
        if len(rules) > 1:
            raise lines[0].bad(0, "clusters and no_touching_mines do not go together")
        mines = 1 if told is None else int(told)
        if mines > rows * cols:
            raise lines[0].bad(0, f"expected at most {rows * cols} mines, got {mines}")
        spec = Spec(Params(rows, cols, mines, 50, told is not None), rules)
        clues = []
        for r, (line, text) in enumerate(body):
            if len(text) != cols:
                raise line.bad(0, f"expected {cols} cells as in the first row, got {len(text)}")
            for c, sign in enumerate(text):
                if sign in NUMBERS:
                    clues.append(_number(spec, r * cols + c, int(sign)))
                elif sign != ".":
                    raise line.bad(line.text.index(sign), f"expected 0 to 8 or . for a closed cell, got {sign!r}")
        return _puzzle(spec, tuple(clues))

    def format(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        shown = [_read(puzzle.spec, clue)[0] for clue in puzzle.clues]
        if len(set(shown)) < len(shown):
            raise BadRow("minesweeper: the text form has no way to open a cell twice")
        cols = puzzle.spec.params.cols
        cells = _drawing(puzzle, ".", NUMBERS)
        told = [f"mines={puzzle.spec.params.mines}"] if puzzle.spec.params.total else []
        head = " ".join([self.name, *[rule.name for rule in puzzle.spec.rules], *told])
        return "\n".join([head, *["".join(cells[i : i + cols]) for i in range(0, len(cells), cols)]]) + "\n"

    # ---- evidence

    def examples(self) -> tuple[Example[Params, NoBoard, Grid], ...]:
        def example(shown: str, answer: str, total: int, source: str) -> Example[Params, NoBoard, Grid]:
            lines = shown.split()
            spec = Spec(Params(len(lines), len(lines[0]), max(1, total), 50, total > 0))
            clues = [_number(spec, i, int(sign)) for i, sign in enumerate("".join(lines)) if sign != CLOSED]
            return Example(_puzzle(spec, tuple(clues)), tuple([tuple([int(v) for v in row]) for row in answer.split()]), source)

        return (
            example("##### 11211 00000 00000", "01010 00000 00000 00000", 0, "MinesweeperWiki, Patterns: the 1-2-1 along a wall"),
            example("#### 1221 0000 0000", "0110 0000 0000 0000", 0, "MinesweeperWiki, Patterns: the 1-2-2-1 along a wall"),
            # here the total matters: without it fewer cells are forced
            example("1##0 1#21 #### #12#", "0000 0000 0001 1001", 4, "made up for Puzzlemill"),
        )

    @property
    def smallest(self) -> tuple[Spec[Params], ...]:  # type: ignore[override]
        return (
            Spec(Params(4, 4, 3, 60, True)),
            Spec(Params(4, 6, 7, 70, False)),
            Spec(Params(4, 4, 5, 80, True), (CLUSTERS,)),
            Spec(Params(4, 4, 2, 30, True), (APART,)),
        )


# ---- clues and looks ------------------------------------------------------------------------------------------------


def _puzzle(spec: Spec[Params], clues: tuple[Clue, ...]) -> Puzzle[Params, NoBoard]:
    look = Style(symbols=NUMBERS)
    return Puzzle(Minesweeper.name, Minesweeper.version, spec, NoBoard(), clues, Question(QuestionKind.FORCED), look)


def _number(spec: Spec[Params], cell: int, number: int) -> Clue:
    return Clue(f"r{cell // spec.params.cols + 1}c{cell % spec.params.cols + 1}", "number", (cell, number))


def _read(spec: Spec[Params], clue: Clue) -> tuple[int, int]:
    """Cell and number of a clue; raises BadRow for what is no number on this board."""
    args, cells = clue.args, spec.params.rows * spec.params.cols
    if clue.kind == "number" and len(args) == 2:
        cell, number = args
        if type(cell) is type(number) is int and 0 <= cell < cells and 0 <= number <= 8:
            return cell, number
    raise BadRow(f"clue {clue.id}: expected a number 0 to 8 in a cell below {cells}, got {clue.kind} {str(args)[:60]}")


@lru_cache(maxsize=64)
def _around(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """The up to eight cells around each cell."""
    out = []
    for r, c in product(range(rows), range(cols)):
        near = [(a, b) for a in range(max(0, r - 1), min(rows, r + 2)) for b in range(max(0, c - 1), min(cols, c + 2))]
        out.append(tuple([a * cols + b for a, b in near if (a, b) != (r, c)]))
    return tuple(out)


def _most(spec: Spec[Params], cell: int) -> int:
    """The greatest number that a cell can show by its place on the board."""
    near = len(_around(spec.params.rows, spec.params.cols)[cell])
    return {3: 1, 5: 2}.get(near, 4) if spec.rule("clusters") else near


def _groups(cells: Sequence[int], cols: int) -> int:
    """How many groups of touching cells these form, on a board of so many columns."""
    count = 0
    left = set(cells)
    while left:
        count += 1
        stack = [left.pop()]
        while stack:
            r, c = divmod(stack.pop(), cols)
            near = {j for j in left if abs(j // cols - r) <= 1 and abs(j % cols - c) <= 1}
            left -= near
            stack += near
    return count


@lru_cache(maxsize=65_536)
def _group_counts(mines: tuple[int, ...], unknown: tuple[int, ...], cols: int) -> frozenset[int]:
    """How many groups the mines around a cell can form. Cells count from the one up and to the left of it, row by row."""

    def place(j: int) -> tuple[int, int]:
        r = 0 if j <= 2 else 1 if j <= cols + 2 else 2
        return r, j - r * cols

    found = set()
    for some in product((False, True), repeat=len(unknown)):
        left = [place(j) for j in mines] + [place(j) for j, mine in zip(unknown, some, strict=True) if mine]
        label = list(range(len(left)))
        for a, (r, c) in enumerate(left):
            for b in range(a):
                if abs(left[b][0] - r) <= 1 and abs(left[b][1] - c) <= 1:
                    old, new = label[a], label[b]
                    label = [new if one == old else one for one in label]
        found.add(len(set(label)))
    return frozenset(found)


@lru_cache(maxsize=256)
def _refused(steps: tuple[tuple[int, int], ...], number: int) -> tuple[tuple[int, ...], ...]:
    """Clauses, a sign per neighbour and 0 where it does not matter, that together refuse all but so many groups of mines.

    Each refuses a part of the cube of all arrangements that holds none that is allowed, and cannot be made larger.
    """
    n = len(steps)

    def touches(i: int, j: int) -> bool:
        return max(abs(steps[i][0] - steps[j][0]), abs(steps[i][1] - steps[j][1])) == 1

    def shows(mines: tuple[int, ...]) -> int:
        chosen = [i for i in range(n) if mines[i]]
        seen: set[int] = set()
        count = 0
        for i in chosen:
            if i not in seen:
                count += 1
                work = [i]
                while work:
                    a = work.pop()
                    seen.add(a)
                    work += [b for b in chosen if b not in seen and touches(a, b)]
        return count

    every = list(product((0, 1), repeat=n))
    right = [mines for mines in every if shows(mines) == number]
    clauses: dict[tuple[int, ...], None] = {}
    covered: set[tuple[int, ...]] = set(right)
    for wrong in every:
        if wrong in covered:
            continue
        care = list(range(n))
        for i in range(n):
            fewer = [j for j in care if j != i]
            if not any(all(mines[j] == wrong[j] for j in fewer) for mines in right):
                care = fewer
        clauses[tuple([(-1 if wrong[i] else 1) if i in care else 0 for i in range(n)])] = None
        covered.update([mines for mines in every if all(mines[j] == wrong[j] for j in care)])
    return tuple(clauses)


def _drawing(puzzle: Puzzle[Params, NoBoard], closed: str, symbols: Sequence[str]) -> list[str]:
    """One text per cell, row by row."""
    out = [closed] * (puzzle.spec.params.rows * puzzle.spec.params.cols)
    for clue in puzzle.clues:
        cell, number = _read(puzzle.spec, clue)
        out[cell] = symbols[number]
    return out


@lru_cache(maxsize=64)
def _columns(cols: int) -> tuple[Column, ...]:
    return tuple([Column(f"column {c + 1}", (OTHER, MUST)) for c in range(cols)])


# ---- deductions in words ------------------------------------------------------------------------------------------------


def _told(puzzle: Puzzle[Params, NoBoard], step: Step) -> str:
    """A step as a sentence without its capital and its full stop; see solvers/deduce/mines.py for `about`."""
    cols, total = puzzle.spec.params.cols, puzzle.spec.params.mines
    about = step.about

    def listed(cells: Iterable[int]) -> str:
        by_row: dict[int, list[str]] = {}
        for r, c in sorted([divmod(cell, cols) for cell in cells]):
            by_row.setdefault(r, []).append(str(c + 1))
        parts = [f"row {r + 1} column{'s' if len(there) > 1 else ''} {_and(there)}" for r, there in by_row.items()]
        return f"{', '.join(parts[:-1])}, and {parts[-1]}" if len(parts) > 2 else " and ".join(parts)

    def hold(cells: Collection[int]) -> str:
        return f"{listed(cells)} {'hold mines' if len(cells) > 1 else 'holds a mine'}"

    def safe(cells: Collection[int]) -> str:
        return f"{listed(cells)} {'are' if len(cells) > 1 else 'is'} safe"

    def outcome() -> str:
        mines = [cell for cell, value in step.sets if value]
        others = [cell for cell, value in step.sets if not value]
        return ", and ".join([*([hold(mines)] if mines else []), *([safe(others)] if others else [])])

    def shows(clue: int) -> str:
        cell, number = _read(puzzle.spec, puzzle.clues[clue])
        symbol = puzzle.style.symbols[number]
        return f"{listed([cell])} shows {symbol}{'' if symbol == str(number) else f' ({number})'}"

    def number_of(clue: int) -> int:
        return _read(puzzle.spec, puzzle.clues[clue])[1]

    def mines(count: int) -> str:
        return f"{count} mine{'' if count == 1 else 's'}"

    if step.technique == "satisfied":
        clue, *cells = about
        if not cells:
            return f"{shows(clue)}, so {outcome()}"
        if not step.sets:
            return f"{shows(clue)}, but {hold(cells)}"
        return f"{shows(clue)}, and {listed(cells)} hold{'s' if len(cells) == 1 else ''} all of that, so {outcome()}"
    if step.technique == "needs_all":
        clue, *cells = about
        if not step.sets:
            room = f"only {listed(cells)} can hold mines around it" if cells else "no cell around it can hold a mine"
            return f"{shows(clue)}, but {room}"
        return f"{shows(clue)}, and only {listed(cells)} can hold mines around it, so {outcome()}"
    if step.technique == "apart":
        if not step.sets:
            return f"{hold(about)}, but they touch"
        return f"{hold(about)}, and mines do not touch, so {outcome()}"
    if step.technique == "ways":
        return f"{shows(about[0])}{_placed(puzzle, step, listed)}{f'so {outcome()}' if step.sets else ''}".removesuffix(", ")
    if step.technique in ("subset", "overlap"):
        one, other, lacks, wants, least, most, first, second, *cells = about
        own, others = cells[:first], cells[first:]
        assert len(others) == second
        text = f"{shows(one)} and still needs {mines(lacks)} among {listed(own)}; "
        text += f"{shows(other)} and still needs {mines(wants)} among {listed(others)}"
        if not step.sets:
            return f"{text}; the two cannot both be met"
        common = sorted(set(own) & set(others))
        bounds = str(least) if least == most else f"at least {least} and at most {most}"
        where = f"{listed(common)}, which {'are' if len(common) > 1 else 'is'} around both numbers,"
        return f"{text}; {where} can only hold {bounds} of these, so {outcome()}"
    if step.technique == "total":
        known, *cells = about
        left = total - known
        if left < 0:
            return f"{mines(known)} would be on the board, but there are exactly {total}"
        if left > len(cells):
            return f"{mines(left)} of {total} would be missing, with room for {len(cells)} only"
        if not left:
            return f"all {mines(total)} are known, so {outcome()}" if total > 1 else f"the only mine is known, so {outcome()}"
        lacking = f"{left} {'is' if left == 1 else 'are'} missing"
        return f"of the {mines(total)} {lacking}, with room for no more than that, so {outcome()}"
    if step.technique == "total_rest":
        count, *rest = about
        clues, known, missing, cells = rest[:count], rest[count], rest[count + 1 : 2 * count + 1], rest[2 * count + 1 :]
        left = total - known - sum(missing)
        needs = [f"{shows(clue)} and still needs {lacks}" for clue, lacks in zip(clues, missing, strict=True)]
        apart = ", each in closed cells of its own" if count > 1 else ""
        have = f", of which {known} {'is' if known == 1 else 'are'} known" if known else ""
        text = f"there are {mines(total)}{have}; {'; '.join(needs)}{apart}"
        if left < 0:
            return f"{text}; that is more than {total} in all"
        if not step.sets:
            return f"{text}; that leaves {mines(left)} for the other closed cells, which are only {len(cells)}"
        return f"{text}; that leaves {mines(left) if left else 'no mine'} for {listed(cells)}, so {outcome()}"
    if step.technique == "search":
        text = "none of the usual techniques leads on; going through all possibilities, "
        return text + (f"in every arrangement that fits {outcome()}" if step.sets else "no arrangement of mines fits")
    cell, supposed = about
    tale = "; ".join([_told(puzzle, part) for part in step.within])
    start = f"suppose {listed([cell])} {'held a mine' if supposed else 'were safe'}"
    return f"{start}: then {tale}, which cannot be, so {safe([cell]) if supposed else hold([cell])}"


def _placed(puzzle: Puzzle[Params, NoBoard], step: Step, listed: Callable[[Iterable[int]], str]) -> str:
    """The ways to place the mines around a number, up to the ", " before the conclusion."""
    clue, count, *rest = step.about
    places = _around(puzzle.spec.params.rows, puzzle.spec.params.cols)[_read(puzzle.spec, puzzle.clues[clue])[0]]
    facts, ways = rest[:count], rest[count:]
    known = {fact // 2: fact % 2 for fact in facts}
    text = ""
    for value, word in ((1, "hold"), (0, "are safe")):
        cells = [cell for cell, v in known.items() if v == value]
        if cells and value:
            text += f", and {listed(cells)} {'hold mines' if len(cells) > 1 else 'holds a mine'}"
        elif cells:
            text += f", and {listed(cells)} {word if len(cells) > 1 else 'is safe'}"
    rule = "; mines do not touch" if puzzle.spec.rule("no_touching_mines") else ""
    if not step.sets:
        return f"{text}{rule}; no way to place the mines around it is left, "
    if not ways:
        return f"{text}{rule}; all ways to place the mines around it have this in common, "
    told = []
    for way in ways:
        cells = [cell for i, cell in enumerate(places) if way >> i & 1 and cell not in known]
        told.append(f"in {listed(cells)}" if cells else "nowhere")
    other = "other " if any(known.values()) else ""
    return f"{text}{rule}; the {other}mines around it can only be {', or '.join(told)}, "


def _and(words: Sequence[str]) -> str:
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} and {words[-1]}"


# ---- mines that do not touch ------------------------------------------------------------------------------------------


def _apart(spec: Spec[Params], rng: Rng) -> list[int]:
    """Cells of mines that do not touch, drawn until they do not; if that takes too long, by a walk over such sets.

    The walk moves a random mine to a random cell wherever it touches no other: all its steps can be taken back, so that in the
    limit every set is as likely as any other.
    """
    rows, cols, count = spec.params.rows, spec.params.cols, spec.params.mines
    around = _around(rows, cols)
    cells = rows * cols
    for _ in range(_REJECTED if count * count * 5 < 8 * cells else 0):
        mines = rng.sample(range(cells), count)
        held = set(mines)
        if not any(held.intersection(around[i]) for i in mines):
            return mines
    placed = [(r * cols + c) for r in range(0, rows, 2) for c in range(0, cols, 2)]
    if len(placed) < count:
        raise Discarded("no_room", f"{count} mines that do not touch")
    placed = rng.sample(placed, count)
    held = set(placed)
    for _ in range(_WALK * max(count, 20)):
        which, cell = rng.below(count), rng.below(cells)
        old = placed[which]
        held.discard(old)
        if cell in held or held.intersection(around[cell]):
            held.add(old)
        else:
            placed[which] = cell
            held.add(cell)
    return placed


FAMILY = Minesweeper()
