"""Sudoku (also Number Place).

Fill an n x n grid that is divided into n boxes of equal shape with n symbols:
  row      every row holds every symbol once;
  column   every column holds every symbol once;
  box      every box holds every symbol once.
A cell that is given stays as it is.

Slots are the cells, row by row, and values are 0 .. n-1; people see the symbols of the look, usually "1" .. "n".
Source: Howard Garns, "Number Place", Dell Pencil Puzzles & Word Games 16 (May 1979); name and 9x9 form by Nikoli.
Seen in HardcoreLogic (2510.12563) and in LR2Bench (4x4 and 9x9).
broken_rules returns the rule's name, or the id of a given that is broken.

Clue kinds: given (cell, value). Limits: the grid of 25 is dug to half of its cells at most, since proofs get slow below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from math import log10
from typing import Any, ClassVar, final

from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.model import BLANK, Constraints, LatinTable, Slots
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

Grid = tuple[tuple[int, ...], ...]  # n rows of n values, BLANK unknown

BOXES = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 12: (3, 4), 16: (4, 4), 25: (5, 5)}  # size: rows, columns of a box

# Fewest clues that can be asked for. 4: by enumeration; 9: G. McGuire, B. Tugemann, G. Civario, "There is no 16-clue Sudoku",
# Experimental Mathematics 23 (2014); 25: half of the cells.
_FEWEST = {4: 4, 9: 17, 25: 313}

# Puzzles of size 4 up to symmetry by `givens`: those with that many clues and one answer, and the minimal ones with more.
# By enumeration over the two classes of grids (tests/unit/test_sudoku.py).
_CAPACITY_4 = {0: 36, 4: 36, 5: 97, 6: 376, 7: 711, 8: 1040, 9: 980, 10: 788, 11: 414, 12: 210, 13: 56, 14: 22, 15: 2}


@dataclass(frozen=True, slots=True)
class Params:
    """size: rows and columns, one of BOXES.

    givens: how many clues stay where that leaves one answer (else a few more do); 0: a minimal set of clues.
    """

    size: int = 9
    givens: int = 0


@final
class Sudoku(Family[Params, NoBoard, Grid, Grid]):
    name: ClassVar[str] = "sudoku"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Sudoku"
    params: ClassVar[Any] = Params
    answer: ClassVar[Any] = Grid
    source: ClassVar[str] = 'Howard Garns, "Number Place", Dell Pencil Puzzles & Word Games 16, May 1979'

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        size, givens = spec.params.size, spec.params.givens
        if size not in BOXES:
            raise BadParams(f"sudoku.size must be one of {', '.join(map(str, BOXES))}, got {size}; set family.params.size")
        if size == 25 and givens < _FEWEST[25]:
            raise BadParams(
                f"sudoku.givens must be {_FEWEST[25]} to 624 for size 25, which keeps at least half of its cells, got {givens}; "
                "set family.params.givens"
            )
        least = _FEWEST.get(size, 1)
        if givens != 0 and not least <= givens < size * size:
            raise BadParams(
                f"sudoku.givens must be {least} to {size * size - 1} for size {size}, or 0 for a minimal set of clues, "
                f"got {givens}; set family.params.givens"
            )

    def fill(self, spec: Spec[Params], rng: Rng, ask: Ask) -> Grid:
        n = spec.params.size
        values = ask.sample(Puzzle(self.name, self.version, spec, NoBoard(), (), Question(), _look(n)), rng)
        if values is None:
            raise AssertionError("an empty sudoku grid has answers")
        return self.assemble(spec, NoBoard(), values)

    def pose(self, spec: Spec[Params], hidden: Grid, rng: Rng) -> Draft[Params, NoBoard, Grid, Grid]:
        n = spec.params.size
        values = [v for row in hidden for v in row]
        clues = tuple([choices[v] for choices, v in zip(_all_givens(n), values, strict=True)])
        return Draft(Puzzle(self.name, self.version, spec, NoBoard(), clues, Question(), _look(n)), hidden, hidden)

    def clues_kept(self, spec: Spec[Params]) -> int:
        return spec.params.givens

    def alternatives(self, puzzle: Puzzle[Params, NoBoard], clue: Clue, rng: Rng) -> Iterator[Clue]:
        n = puzzle.spec.params.size
        cell, value = _given(clue, n)
        for other in rng.shuffled(range(n)):
            if other != value:
                yield Clue(clue.id, clue.kind, (cell, other))

    def additions(self, puzzle: Puzzle[Params, NoBoard], rng: Rng) -> Iterator[Clue]:
        shown = set(self.given_slots(puzzle))
        givens = _all_givens(puzzle.spec.params.size)
        for cell in rng.shuffled([i for i in range(len(givens)) if i not in shown]):
            yield from rng.shuffled(givens[cell])

    # ---- meaning

    def model(self, spec: Spec[Params], board: NoBoard) -> Constraints:
        n = spec.params.size
        m = Constraints()
        holds = [m.slot(n) for _ in range(n * n)]  # holds[i][v]: cell i holds value v
        for label, cells in _units(spec):
            for v in range(n):
                m.exactly_one([holds[i][v] for i in cells], label=label)
        return m

    def state(self, m: Constraints, spec: Spec[Params], board: NoBoard, clue: Clue) -> None:
        cell, value = _given(clue, spec.params.size)
        m.require(m.key[cell][value], label=clue.id)

    def table(self, puzzle: Puzzle[Params, NoBoard]) -> LatinTable:
        n = puzzle.spec.params.size
        return LatinTable(n, _zone_units(_zones(puzzle.spec)), tuple([_given(clue, n) for clue in puzzle.clues]))

    def slots(self, spec: Spec[Params], board: NoBoard) -> tuple[int, ...]:
        n = spec.params.size
        return (n,) * (n * n)

    def assemble(self, spec: Spec[Params], board: NoBoard, values: Slots) -> Grid:
        n = spec.params.size
        return tuple([values[n * r : n * r + n] for r in range(n)])

    def slot_values(self, spec: Spec[Params], board: NoBoard, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def broken_rules(self, puzzle: Puzzle[Params, NoBoard], answer: Grid, partial: bool = False) -> list[str]:
        n = puzzle.spec.params.size
        least = BLANK if partial else 0
        if len(answer) != n:
            return ["shape"]
        for row in answer:
            if len(row) != n or min(row) < least or max(row) >= n:
                return ["shape"]
        broken = []
        for row in answer:
            shown = [v for v in row if v >= 0]
            if len(set(shown)) < len(shown):
                broken.append("row")
                break
        for column in zip(*answer, strict=True):
            shown = [v for v in column if v >= 0]
            if len(set(shown)) < len(shown):
                broken.append("column")
                break
        high, wide = BOXES[n]
        for top in range(0, n, high):
            band = answer[top : top + high]
            for left in range(0, n, wide):
                shown = [v for row in band for v in row[left : left + wide] if v >= 0]
                if len(set(shown)) < len(shown):
                    broken.append("box")
                    break
            if broken and broken[-1] == "box":
                break
        for clue in puzzle.clues:
            cell, value = _given(clue, n)
            if answer[cell // n][cell % n] not in (value, BLANK):
                broken.append(clue.id)
        return broken

    def given_slots(self, puzzle: Puzzle[Params, NoBoard]) -> tuple[int, ...]:
        n = puzzle.spec.params.size
        return tuple([_given(clue, n)[0] for clue in puzzle.clues])

    def search_space_log10(self, puzzle: Puzzle[Params, NoBoard]) -> float:
        n = puzzle.spec.params.size
        return (n * n - len(puzzle.clues)) * log10(n)

    def shape(self, puzzle: Puzzle[Params, NoBoard]) -> ColouredGraph:
        # One vertex for each clue, joined to its row, its column and its value; a row belongs to a band of boxes, a band to the
        # side of rows, and so for columns. So rows move within bands, bands as a whole, values freely, and the two sides change
        # places exactly if boxes are square: the whole group of the grid, without a vertex for any box or blank cell.
        n = puzzle.spec.params.size
        colours, edges = _frame(n)
        clue_edges = []
        at = len(colours)
        for clue in puzzle.clues:
            cell, value = _given(clue, n)
            clue_edges += [(cell // n, at), (n + cell % n, at), (2 * n + value, at)]
            at += 1
        return ColouredGraph(colours + (3,) * len(puzzle.clues), edges + tuple(clue_edges))

    def capacity(self, spec: Spec[Params]) -> int | None:
        return _CAPACITY_4.get(spec.params.givens) if spec.params.size == 4 else None

    # ---- text

    def render(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        n = puzzle.spec.params.size
        high, wide = BOXES[n]
        symbols = puzzle.look.symbols
        cells = ["."] * (n * n)
        for clue in puzzle.clues:
            cell, value = _given(clue, n)
            cells[cell] = symbols[value]
        width = max(map(len, symbols))
        lines = [" ".join([text.rjust(width) for text in cells[n * r : n * r + n]]) for r in range(n)]
        board = "\n".join(lines)
        if symbols == _numbers(n):
            write, every, given = f"a number from 1 to {n}", f"every number from 1 to {n}", "Numbers"
        else:
            write, every, given = f"one of the symbols {_listed(symbols)}", "each of these symbols", "Symbols"
        bands = _listed([f"{top + 1}-{top + high}" for top in range(0, n, high)])
        stacks = _listed([f"{left + 1}-{left + wide}" for left in range(0, n, wide)])
        return (
            f"Solve this {n}x{n} Sudoku. Write {write} in every empty cell, shown as a dot, so that each row, each column and "
            f"each box contains {every} exactly once. {given} that are already in the grid stay as they are.\n\n"
            f"The {n} boxes are {high} rows high and {wide} columns wide: rows {bands} by columns {stacks}.\n\n"
            f"{board}"
        )

    def layout(self, puzzle: Puzzle[Params, NoBoard]) -> Layout:
        n = puzzle.spec.params.size
        return Layout(
            _columns(puzzle.look.symbols), n, n, True, "Give the complete grid, row by row, with the given cells included."
        )

    def write(self, puzzle: Puzzle[Params, NoBoard], answer: Grid) -> Rows:
        symbols = puzzle.look.symbols
        return tuple([tuple([symbols[v] for v in row]) for row in answer])

    def read(self, puzzle: Puzzle[Params, NoBoard], rows: Rows) -> Grid | None:
        value = {symbol: v for v, symbol in enumerate(puzzle.look.symbols)}
        return tuple([tuple([value[token] for token in row]) for row in rows])

    def draw(self, puzzle: Puzzle[Params, NoBoard], answer: Grid | None = None) -> str:
        n = puzzle.spec.params.size
        zones = _zones(puzzle.spec)
        shown = dict([_given(clue, n) for clue in puzzle.clues])
        side, edge = 40, 10
        span = side * n
        parts = [f'<rect x="{edge}" y="{edge}" width="{span}" height="{span}" fill="#fff"/>']
        for i in range(n * n):
            x, y = edge + side * (i % n), edge + side * (i // n)
            value = shown.get(i, BLANK if answer is None else answer[i // n][i % n])
            if value != BLANK:
                look = 'font-weight="bold" fill="#111"' if i in shown else 'fill="#1a5fb4"'
                text = escape(puzzle.look.symbols[value])
                parts.append(f'<text x="{x + side // 2}" y="{y + 28}" text-anchor="middle" font-size="22" {look}>{text}</text>')
        thin: list[str] = []
        thick: list[str] = []
        for k in range(n + 1):
            for j in range(n):
                # a border of a box lies between cells of different zones, and around the grid
                upright = k in (0, n) or zones[n * j + k - 1] != zones[n * j + k]
                level = k in (0, n) or zones[n * (k - 1) + j] != zones[n * k + j]
                (thick if upright else thin).append(f"M{edge + side * k} {edge + side * j}v{side}")
                (thick if level else thin).append(f"M{edge + side * j} {edge + side * k}h{side}")
        parts.append(f'<path d="{"".join(thin)}" stroke="#999" stroke-width="1" fill="none"/>')
        parts.append(f'<path d="{"".join(thick)}" stroke="#111" stroke-width="3" stroke-linecap="square" fill="none"/>')
        box = span + 2 * edge
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box} {box}" font-family="sans-serif">{"".join(parts)}</svg>'
        )

    # ---- evidence

    def examples(self) -> tuple[Example[Params, NoBoard, Grid], ...]:
        def example(shown: str, answer: str, source: str) -> Example[Params, NoBoard, Grid]:
            givens = tuple([_all_givens(9)[i][int(symbol) - 1] for i, symbol in enumerate(shown) if symbol != "."])
            spec = Spec(Params(9, len(givens)))
            puzzle = Puzzle(self.name, self.version, spec, NoBoard(), givens, Question(), _look(9))
            return Example(puzzle, self.assemble(spec, NoBoard(), tuple([int(symbol) - 1 for symbol in answer])), source)

        return (
            example(
                "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
                "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
                'Wikipedia, "Sudoku", the article\'s first figure',
            ),
            example(
                ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...",
                "693784512487512936125963874932651487568247391741398625319475268856129743274836159",
                "Gordon Royle, collection of 17-clue Sudokus, University of Western Australia, first entry",
            ),
        )

    def smallest(self) -> tuple[Spec[Params], ...]:
        return (Spec(Params(4)), Spec(Params(6)))


# ---- geometry -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _zones(spec: Spec[Params]) -> tuple[int, ...]:
    """The zone of every cell: everything but the checker reads zones from here, whatever their form."""
    n = spec.params.size
    if n not in BOXES:
        raise BadRow(f"sudoku.size must be one of {', '.join(map(str, BOXES))}, got {n}")
    high, wide = BOXES[n]
    return tuple([i // n // high * (n // wide) + i % n // wide for i in range(n * n)])


@lru_cache(maxsize=64)
def _zone_units(zones: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The cells of every zone, ascending."""
    return tuple([tuple([i for i, zone in enumerate(zones) if zone == k]) for k in range(max(zones) + 1)])


def _units(spec: Spec[Params]) -> list[tuple[str, tuple[int, ...]]]:
    """The groups of cells that hold every value once, with the name of their rule."""
    n = spec.params.size
    rows = [("row", tuple(range(n * r, n * r + n))) for r in range(n)]
    columns = [("column", tuple(range(c, n * n, n))) for c in range(n)]
    return [*rows, *columns, *[("box", cells) for cells in _zone_units(_zones(spec))]]


@lru_cache(maxsize=16)
def _frame(n: int) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    """Vertices and edges of the shape without clues: n rows, n columns, n values, then bands, stacks and the two sides."""
    high, wide = BOXES[n]
    across = int(high != wide)  # 1 keeps rows and columns apart
    bands, stacks = n // high, n // wide
    colours = (0,) * n + (4 * across,) * n + (1,) * n + (2,) * bands + (2 + 4 * across,) * stacks + (5, 5 + 2 * across)
    band, stack, side = 3 * n, 3 * n + bands, 3 * n + bands + stacks
    edges = [(r, band + r // high) for r in range(n)] + [(n + c, stack + c // wide) for c in range(n)]
    edges += [(band + b, side) for b in range(bands)] + [(stack + s, side + 1) for s in range(stacks)]
    return colours, tuple(edges)


# ---- clues and looks ----------------------------------------------------------------------------------------------------


def _given(clue: Clue, n: int) -> tuple[int, int]:
    """Cell and value of a clue; raises BadRow for what is no given of this grid."""
    args = clue.args
    if len(args) == 2:
        cell, value = args
        if type(cell) is int and type(value) is int and 0 <= cell < n * n and 0 <= value < n:
            return cell, value
    raise BadRow(f"clue {clue.id}: expected a cell below {n * n} and a value below {n}, got {str(args)[:60]}")


@lru_cache(maxsize=16)
def _all_givens(n: int) -> tuple[tuple[Clue, ...], ...]:
    """Every clue there can be, by cell and value: they are shared, since stating a grid is on the path of every puzzle."""
    return tuple([tuple([Clue(f"r{i // n + 1}c{i % n + 1}", "given", (i, v)) for v in range(n)]) for i in range(n * n)])


@lru_cache(maxsize=16)
def _numbers(n: int) -> tuple[str, ...]:
    return tuple([str(v + 1) for v in range(n)])


def _listed(parts: Sequence[str]) -> str:
    """ "a, b and c"."""
    return ", ".join(parts[:-1]) + " and " + parts[-1]


@lru_cache(maxsize=16)
def _look(n: int) -> Look:
    return Look(symbols=_numbers(n))


@lru_cache(maxsize=64)
def _columns(symbols: tuple[str, ...]) -> tuple[Column, ...]:
    return tuple([Column(f"column {c + 1}", symbols) for c in range(len(symbols))])


FAMILY = Sudoku()
