"""Binario (also Takuzu, Binairo, Unruly, Tohu-Wa-Vohu).

Fill the grid with 0 and 1:
  balance   every row, and every column, holds as many 0s as 1s;
  triples   no three equal digits stand next to each other in a row or a column;
  distinct  no two rows are equal, and no two columns (only under the rule "distinct");
  a given   stays as it is.
Source: Adolfo Zanellati, "Tohu wa Vohu"; with distinct lines as "Binairo" by Peter De Schepper and Frank Coussement (2009).
Seen in HardcoreLogic (2510.12563), appendix B. broken_rules returns the names above, the ids of givens, or "shape".

Two puzzles are the same up to symmetry if turning, mirroring or swapping 0 and 1 carries one to the other. Short lines have more
symmetries than these: in lines of 4 balance implies triples, so lines that cross them may change places at will, and lines of 6
are legal exactly if they are so read as a ring. From 8 cells on there are none (all found by listing; see the tests).
Known limit: the walk that draws large grids is even in the limit only (solvers/kernels/lines.py states what was measured).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from math import log10
from typing import Any, ClassVar, final

from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.model import BLANK, Constraints, LinesTable, Slots
from puzzlemill.core.rng import Rng
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
    Rule,
    Spec,
)

Grid = tuple[tuple[int, ...], ...]  # rows of 0, 1, or BLANK where unknown

SMALLEST, LARGEST = 4, 20
DISTINCT = Rule("distinct")
_PATTERNS = {4: 6, 6: 14}  # legal lines of these lengths: no more lines that cross them can be distinct; 8 cells have 34

_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

# Puzzles of 4x4 up to symmetry, by the number of givens asked for (0 to 15) and distinct or not. Enumerated in the tests.
_CAPACITY_4X4 = {
    False: (9, 9, 9, 9, 9, 17, 72, 183, 345, 384, 340, 193, 104, 31, 13, 2),
    True: (8, 8, 8, 8, 8, 14, 67, 173, 299, 315, 262, 144, 73, 21, 8, 1),
}


@dataclass(frozen=True, slots=True)
class Params:
    """rows, cols: even, 4 to 20.

    givens: leaving out clues stops at this many; where fewer than are needed are asked for, more stay. 0: a minimal set of clues.
    """

    rows: int = 8
    cols: int = 8
    givens: int = 0


@final
class Binario(Family[Params, NoBoard, Grid, Grid]):
    """One slot per cell, row by row."""

    name: ClassVar[str] = "binario"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Binario"
    params: ClassVar[Any] = Params
    answer: ClassVar[Any] = Grid
    rules: ClassVar[tuple[str, ...]] = ("distinct",)
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
        for rule in spec.rules:
            if rule != DISTINCT:
                raise BadParams(f"binario knows the rule distinct, without arguments, got {str(rule)[:60]}; set family.rules")
        if spec.rules:
            for name, crossing, length in (("cols", cols, rows), ("rows", rows, cols)):
                if crossing > _PATTERNS.get(length, LARGEST):
                    raise BadParams(
                        f"binario.{name} must be at most {_PATTERNS[length]} under distinct, since so many legal lines have "
                        f"{length} cells, got {crossing}; set family.params.{name}, or family.rules=[]"
                    )

    def fill(self, spec: Spec[Params], rng: Rng, ask: Ask) -> Grid:
        values = ask.sample(_puzzle(spec, ()), rng)
        if values is None:
            raise AssertionError("every size that validate lets pass has a legal grid")
        return self.assemble(spec, NoBoard(), values)

    def pose(self, spec: Spec[Params], hidden: Grid, rng: Rng) -> Draft[Params, NoBoard, Grid, Grid]:
        values = [v for row in hidden for v in row]
        clues = [both[v] for both, v in zip(_givens(spec.params.rows, spec.params.cols), values, strict=True)]
        return Draft(_puzzle(spec, tuple(clues)), hidden, hidden)

    def clues_kept(self, spec: Spec[Params]) -> int:
        return spec.params.givens

    def alternatives(self, puzzle: Puzzle[Params, NoBoard], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """The other digit. In a minimal puzzle that leaves an answer: there is one without the clue, and it has that digit."""
        cell, value = _given(puzzle.spec, clue)
        yield Clue(clue.id, clue.kind, (cell, 1 - value))

    def additions(self, puzzle: Puzzle[Params, NoBoard], rng: Rng) -> Iterator[Clue]:
        shown = set(self.given_slots(puzzle))
        givens = _givens(puzzle.spec.params.rows, puzzle.spec.params.cols)
        for cell in rng.shuffled([i for i in range(len(givens)) if i not in shown]):
            yield from rng.shuffled(givens[cell])

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
        cell, value = _given(spec, clue)
        m.require(m.key[cell][value], label=clue.id)

    def table(self, puzzle: Puzzle[Params, NoBoard]) -> LinesTable:
        spec = puzzle.spec
        clues = tuple([_given(spec, clue) for clue in puzzle.clues])
        return LinesTable(spec.params.rows, spec.params.cols, spec.rule("distinct") is not None, clues)

    def slots(self, spec: Spec[Params], board: NoBoard) -> tuple[int, ...]:
        return (2,) * (spec.params.rows * spec.params.cols)

    def assemble(self, spec: Spec[Params], board: NoBoard, values: Slots) -> Grid:
        rows, cols = spec.params.rows, spec.params.cols
        return tuple([tuple(values[r * cols : (r + 1) * cols]) for r in range(rows)])

    def slot_values(self, spec: Spec[Params], board: NoBoard, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def broken_rules(self, puzzle: Puzzle[Params, NoBoard], answer: Grid, partial: bool = False) -> list[str]:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        least = BLANK if partial else 0
        if len(answer) != rows:
            return ["shape"]
        for row in answer:
            if len(row) != cols or min(row) < least or max(row) > 1:
                return ["shape"]
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
            cell, value = _given(puzzle.spec, clue)
            if text[cell] != "." and text[cell] != "01"[value]:
                broken.append(clue.id)
        return broken

    def given_slots(self, puzzle: Puzzle[Params, NoBoard]) -> tuple[int, ...]:
        return tuple([_given(puzzle.spec, clue)[0] for clue in puzzle.clues])

    def search_space_log10(self, puzzle: Puzzle[Params, NoBoard]) -> float:
        # 2 ** blanks, as in HardcoreLogic, table 5
        blanks = puzzle.spec.params.rows * puzzle.spec.params.cols - len(set(self.given_slots(puzzle)))
        return blanks * log10(2)

    def shape(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        """The least drawing of the givens among all that a symmetry makes of it."""
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        text = "".join(_drawing(puzzle, ".", ("0", "1")))
        across, down = [text[r * cols : (r + 1) * cols] for r in range(rows)], [text[c::cols] for c in range(cols)]
        # columns of the shorter side are compared; both ways round if the grid is square
        sides = [down] if rows < cols else [across] if rows > cols else [down, across]
        least = min([_least(side) for side in sides] + [_least([line.translate(_SWAP) for line in side]) for side in sides])
        named = ",".join([rule.name for rule in puzzle.spec.rules])
        return f"{min(rows, cols)}x{max(rows, cols)} {named} {' '.join(least)}"

    def capacity(self, spec: Spec[Params]) -> int | None:
        if (spec.params.rows, spec.params.cols) != (4, 4):
            return None
        return _CAPACITY_4X4[spec.rule("distinct") is not None][spec.params.givens]

    # ---- text

    def render(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        zero, one = puzzle.look.symbols
        half = f"{_NUMBERS[cols // 2]} {zero}s and {_NUMBERS[cols // 2]} {one}s"
        if rows == cols:
            balance = f"Every row and every column contains {half}."
        else:
            balance = (
                f"Every row contains {half}; "
                f"every column contains {_NUMBERS[rows // 2]} {zero}s and {_NUMBERS[rows // 2]} {one}s."
            )
        kind = "digit" if (zero + one).isdigit() else "symbol"
        rules = [balance, f"Nowhere in a row or a column do three cells next to each other hold the same {kind}."]
        if puzzle.spec.rule("distinct"):
            rules.append("No two rows are the same, and no two columns are the same.")
        drawing = _drawing(puzzle, ".", puzzle.look.symbols)
        lines = [" ".join(drawing[r * cols : (r + 1) * cols]) for r in range(rows)]
        return "\n".join(
            [
                f"This Binario grid has {rows} rows and {cols} columns. Fill every empty cell, shown as a dot, with {zero} or "
                f"{one}, so that the rules below hold. The {kind}s that are given must stay where they are.",
                "",
                *[f"{i}. {rule}" for i, rule in enumerate(rules, 1)],
                "",
                *lines,
            ]
        )

    def layout(self, puzzle: Puzzle[Params, NoBoard]) -> Layout:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        note = "Give the completed grid row by row, from top to bottom, with the given cells included."
        return Layout(_columns(cols, puzzle.look.symbols), rows, rows, True, note)

    def write(self, puzzle: Puzzle[Params, NoBoard], answer: Grid) -> Rows:
        symbols = puzzle.look.symbols
        return tuple([tuple([symbols[v] for v in row]) for row in answer])

    def read(self, puzzle: Puzzle[Params, NoBoard], rows: Rows) -> Grid | None:
        symbols = puzzle.look.symbols
        return tuple([tuple([symbols.index(token) for token in row]) for row in rows])

    def draw(self, puzzle: Puzzle[Params, NoBoard], answer: Grid | None = None) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        given = _drawing(puzzle, "", puzzle.look.symbols)
        shades, texts = [], []
        for i, text in enumerate(given):
            x, y = 10 + 36 * (i % cols), 10 + 36 * (i // cols)
            ink = 'font-weight="bold" fill="#111"'
            if text:
                shades.append(f"M{x} {y}h36v36h-36z")
            elif answer is not None:
                text = puzzle.look.symbols[answer[i // cols][i % cols]]
                ink = 'fill="#1a5fb4"'
            if text:
                texts.append(f'<text x="{x + 18}" y="{y + 25}" text-anchor="middle" {ink}>{text}</text>')
        wide, high = 36 * cols, 36 * rows
        bars = [f"M{10 + 36 * c} 10v{high}" for c in range(1, cols)] + [f"M10 {10 + 36 * r}h{wide}" for r in range(1, rows)]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide + 20} {high + 20}" '
            'font-family="sans-serif" font-size="20">'
            f'<rect x="10" y="10" width="{wide}" height="{high}" fill="#fff"/><path d="{"".join(shades)}" fill="#ececec"/>'
            f'<path d="{"".join(bars)}" stroke="#999" fill="none"/>'
            f'<rect x="10" y="10" width="{wide}" height="{high}" fill="none" stroke="#111" stroke-width="2"/>'
            f"{''.join(texts)}</svg>"
        )

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

    def smallest(self) -> tuple[Spec[Params], ...]:
        small = (Params(4, 4), Params(4, 6))
        return (*[Spec(params) for params in small], *[Spec(params, (DISTINCT,)) for params in small])


# ---- clues and looks ------------------------------------------------------------------------------------------------


def _puzzle(spec: Spec[Params], clues: tuple[Clue, ...]) -> Puzzle[Params, NoBoard]:
    return Puzzle(Binario.name, Binario.version, spec, NoBoard(), clues, Question(), _LOOK)


_LOOK = Look(symbols=("0", "1"))


@lru_cache(maxsize=64)
def _givens(rows: int, cols: int) -> tuple[tuple[Clue, Clue], ...]:
    """The two clues that each cell can have; shared, since stating a grid is on the path of every puzzle."""
    ids = [f"r{i // cols + 1}c{i % cols + 1}" for i in range(rows * cols)]
    return tuple([(Clue(id_, "given", (i, 0)), Clue(id_, "given", (i, 1))) for i, id_ in enumerate(ids)])


def _given(spec: Spec[Params], clue: Clue) -> tuple[int, int]:
    """Cell and value of a clue; raises BadRow for what is no given of this grid."""
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
        cell, value = _given(puzzle.spec, clue)
        out[cell] = symbols[value]
    return out


@lru_cache(maxsize=64)
def _columns(cols: int, symbols: tuple[str, ...]) -> tuple[Column, ...]:
    return tuple([Column(f"column {c + 1}", symbols) for c in range(cols)])


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


FAMILY = Binario()
