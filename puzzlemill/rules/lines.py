"""Constraints on cells, lines and blocks of a grid of two values: "row 2 is row 1 with 0 and 1 swapped", "more 1s are here".

A constraint relates one or two *shapes*. Clauses (state), table entry (encoded) and plain check (broken) are written apart from
each other, and so are the three ways in which a shape's cells are found (lits, cells, read): a proof rests on that. Its sentence,
its mirror images and its text form stand next to them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from puzzlemill.core.model import GROUP_RELATIONS, Constraints
from puzzlemill.core.words import NUMBERS, capital, listed, pick

Args = tuple[int, ...]
Lits = Sequence[Sequence[int]]  # [r][c]: the literal that this cell holds a 1


@dataclass(frozen=True, slots=True)
class Turn:
    """A symmetry of a grid of so many rows and columns: rows change places (upside), columns do (behind), rows and columns do
    (over), 0 and 1 do (swap); in this order.
    """

    rows: int
    cols: int
    upside: bool
    behind: bool
    over: bool
    swap: bool

    def place(self, r: int, c: int) -> tuple[int, int]:
        r, c = (self.rows - 1 - r if self.upside else r), (self.cols - 1 - c if self.behind else c)
        return (c, r) if self.over else (r, c)


# ---- shapes -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    row: int
    col: int

    def fits(self, rows: int, cols: int) -> bool:
        return 0 <= self.row < rows and 0 <= self.col < cols

    def lits(self, one: Lits) -> list[int]:
        return [one[self.row][self.col]]

    def cells(self, rows: int, cols: int) -> list[int]:
        return [self.row * cols + self.col]

    def read(self, across: Sequence[str], down: Sequence[str]) -> str:
        return across[self.row][self.col]

    def turned(self, turn: Turn) -> Cell:
        return Cell(*turn.place(self.row, self.col))

    def says(self) -> str:
        return f"row {self.row + 1} column {self.col + 1}"

    def text(self) -> str:
        return f"r{self.row + 1}c{self.col + 1}"


@dataclass(frozen=True, slots=True, order=True)
class Line:
    """A row (axis 0) or a column (axis 1)."""

    axis: int
    i: int

    def fits(self, rows: int, cols: int) -> bool:
        return self.axis in (0, 1) and 0 <= self.i < (rows, cols)[self.axis]

    def lits(self, one: Lits) -> list[int]:
        return [row[self.i] for row in one] if self.axis else list(one[self.i])

    def cells(self, rows: int, cols: int) -> list[int]:
        return [r * cols + self.i for r in range(rows)] if self.axis else [self.i * cols + c for c in range(cols)]

    def read(self, across: Sequence[str], down: Sequence[str]) -> str:
        return down[self.i] if self.axis else across[self.i]

    def turned(self, turn: Turn) -> Line:
        turned, last = ((turn.upside, turn.rows - 1), (turn.behind, turn.cols - 1))[self.axis]
        return Line(self.axis ^ turn.over, last - self.i if turned else self.i)

    def says(self) -> str:
        return f"{'column' if self.axis else 'row'} {self.i + 1}"

    def text(self) -> str:
        return f"{'column' if self.axis else 'row'}{self.i + 1}"


@dataclass(frozen=True, slots=True)
class Block:
    top: int
    left: int
    bottom: int
    right: int

    @property
    def size(self) -> tuple[int, int]:
        return self.bottom - self.top + 1, self.right - self.left + 1

    def fits(self, rows: int, cols: int) -> bool:
        return 0 <= self.top <= self.bottom < rows and 0 <= self.left <= self.right < cols

    def lits(self, one: Lits) -> list[int]:
        return [lit for row in one[self.top : self.bottom + 1] for lit in row[self.left : self.right + 1]]

    def cells(self, rows: int, cols: int) -> list[int]:
        high, wide = self.size
        return [(self.top + n // wide) * cols + self.left + n % wide for n in range(high * wide)]

    def read(self, across: Sequence[str], down: Sequence[str]) -> str:
        return "".join([row[self.left : self.right + 1] for row in across[self.top : self.bottom + 1]])

    def turned(self, turn: Turn) -> Block:
        (r, c), (s, d) = turn.place(self.top, self.left), turn.place(self.bottom, self.right)
        return Block(min(r, s), min(c, d), max(r, s), max(c, d))

    def says(self) -> str:
        rows = f"row {self.top + 1}" if self.top == self.bottom else f"rows {self.top + 1} to {self.bottom + 1}"
        cols = f"column {self.left + 1}" if self.left == self.right else f"columns {self.left + 1} to {self.right + 1}"
        return f"the block in {rows} and {cols}"

    def text(self) -> str:
        return f"ones r{self.top + 1}c{self.left + 1}-r{self.bottom + 1}c{self.right + 1}"


@dataclass(frozen=True, slots=True)
class Diagonal:
    """From the top left (0) or the top right corner (1) of a square grid."""

    rising: int

    def fits(self, rows: int, cols: int) -> bool:
        return rows == cols and self.rising in (0, 1)

    def lits(self, one: Lits) -> list[int]:
        return [row[-1 - r if self.rising else r] for r, row in enumerate(one)]

    def cells(self, rows: int, cols: int) -> list[int]:
        return [r * cols + (cols - 1 - r if self.rising else r) for r in range(rows)]

    def read(self, across: Sequence[str], down: Sequence[str]) -> str:
        return "".join([row[len(row) - 1 - r] if self.rising else row[r] for r, row in enumerate(across)])

    def turned(self, turn: Turn) -> Diagonal:
        return Diagonal(self.rising ^ turn.upside ^ turn.behind)

    def says(self) -> str:
        start, end = ("top right", "bottom left") if self.rising else ("top left", "bottom right")
        return f"the diagonal from the {start} corner to the {end} corner"

    def text(self) -> str:
        return f"ones {'rising' if self.rising else 'falling'}"


# ---- constraints --------------------------------------------------------------------------------------------------------

# Kind: its shapes (int: a number), with the sign or signs between them in the text form, and what its arguments are. An axis is 0
# for rows and 1 for columns, lines count from 0, a block is its top row, left column, bottom row and right column.
KINDS: Mapping[str, tuple[type, tuple[str, ...], type]] = {
    "same": (Cell, ("=",), Cell),  # cell, later cell: they hold the same
    "differ": (Cell, ("!=",), Cell),  # cell, later cell: they do not
    "lines_same": (Line, ("=",), Line),  # axis, line, later line: the two are equal
    "lines_differ": (Line, ("!=",), Line),  # axis, line, later line: they are not
    "lines_opposite": (Line, ("opposite",), Line),  # axis, line, later line: one is the other with 0 and 1 swapped
    "lines_mirrored": (Line, ("mirrors",), Line),  # axis, line, the same or a later line: one is the other read backwards
    "count": (Block, ("=",), int),  # block, number: so many 1s are in it
    "diagonal": (Diagonal, ("=",), int),  # 0 or 1, number: so many 1s are on it
    "parity": (Block, ("even", "odd"), type(None)),  # block, 0 or 1: the number of 1s in it is even or odd
    "more": (Block, (">",), Block),  # block, top row and left column of another one of its size: more 1s are in the first
    "greater": (Line, (">", ">>"), Line),  # axis, line, other line, back: the first is greater (back: read from the far end)
}


@dataclass(frozen=True, slots=True)
class Constraint:
    """shapes: one or two. k: the number of 1s; or which of the kind's signs it has."""

    kind: str
    shapes: tuple[Any, ...]
    k: int = 0

    def args(self, cols: int) -> Args:
        """The arguments in a grid of so many columns; see KINDS."""
        match self.shapes:
            case (Cell() as a, Cell() as b):
                return a.row * cols + a.col, b.row * cols + b.col
            case (Line() as a, Line() as b):
                return (a.axis, a.i, b.i, self.k) if self.kind == "greater" else (a.axis, a.i, b.i)
            case (Block() as a, Block() as b):
                return a.top, a.left, a.bottom, a.right, b.top, b.left
            case (Block() as a,):
                return a.top, a.left, a.bottom, a.right, self.k
        return self.shapes[0].rising, self.k

    def fits(self, rows: int, cols: int) -> bool:
        """Return whether it is a constraint of this grid."""
        if not all(shape.fits(rows, cols) for shape in self.shapes):
            return False
        match self.shapes:
            case (Cell() as a, Cell() as b):
                return a < b
            case (Line() as a, Line() as b):
                mirrored = self.kind == "lines_mirrored" and a == b
                return a.axis == b.axis and (a.i != b.i and self.k in (0, 1) if self.kind == "greater" else a < b or mirrored)
            case (Block() as a, Block() as b):
                high, wide = a.size
                return a.size == b.size and (abs(a.top - b.top) >= high or abs(a.left - b.left) >= wide)
            case (Block() as a,):
                return 0 <= self.k <= (1 if self.kind == "parity" else a.size[0] * a.size[1])
        return 0 <= self.k <= rows

    def state(self, m: Constraints, one: Lits, label: str) -> None:
        """Add the clauses."""
        first, second = (self.shapes[0].lits(one), self.shapes[-1].lits(one))
        match self.kind:
            case "same" | "differ" | "lines_same" | "lines_opposite" | "lines_mirrored":
                for a, b in zip(first, second[::-1] if self.kind == "lines_mirrored" else second, strict=True):
                    same = -b if self.kind in ("differ", "lines_opposite") else b
                    m.require(a, -same, label=label)
                    m.require(-a, same, label=label)
            case "lines_differ":
                differ = []
                for a, b in zip(first, second, strict=True):
                    differ.append(m.var())
                    m.require(-differ[-1], a, b, label=label)
                    m.require(-differ[-1], -a, -b, label=label)
                m.require(*differ, label=label)
            case "count" | "diagonal":
                m.exactly(first, self.k, label=label)
            case "parity":
                while len(first) > 1:  # two of them become their exclusive or
                    a, b, x = first.pop(), first.pop(), m.var()
                    for p, q, r in ((a, b, -x), (-a, -b, -x), (a, -b, x), (-a, b, x)):
                        m.require(p, q, r, label=label)
                    first.append(x)
                m.require(first[0] if self.k else -first[0], label=label)
            case "more":
                # ones of the first and zeros of the second together are more than one of the two has cells
                m.at_least([*first, *[-lit for lit in second]], len(first) + 1, label=label)
            case "greater":
                pairs = list(zip(first, second, strict=True))[:: -1 if self.k else 1]
                places: list[int] = []  # the first place in which they differ is this one
                for i, (a, b) in enumerate(pairs):
                    x = m.var()
                    m.require(-x, a, label=label)
                    m.require(-x, -b, label=label)
                    for c, d in pairs[:i]:
                        m.require(-x, c, -d, label=label)
                        m.require(-x, -c, d, label=label)
                    places.append(x)
                m.require(*places, label=label)

    def encoded(self, rows: int, cols: int) -> tuple[int, ...]:
        """The entry in a LinesTable (core/model.py)."""
        first, *others = [shape.cells(rows, cols) for shape in self.shapes]
        second = others[0] if others else []
        relations = {"same": "equal", "differ": "opposite", "lines_same": "equal", "lines_differ": "unequal", "diagonal": "count"}
        relation = {**relations, "lines_opposite": "opposite", "lines_mirrored": "equal"}.get(self.kind, self.kind)
        if self.kind == "lines_mirrored":
            second.reverse()
            if self.shapes[0] == self.shapes[1]:  # half of a line and its own mirror image says everything
                first, second = first[: len(first) // 2], second[: len(second) // 2]
        if self.kind == "greater" and self.k:
            first, second = first[::-1], second[::-1]
        return GROUP_RELATIONS.index(relation), 0 if others else self.k, len(first), *first, *second

    def broken(self, across: Sequence[str], down: Sequence[str]) -> bool:
        """Return whether rows and columns as text ("." is a blank) break it however the blanks are filled."""
        first: str = self.shapes[0].read(across, down)
        second: str = self.shapes[-1].read(across, down)
        most = len(first) - first.count("0")  # 1s of the first
        match self.kind:
            case "count" | "diagonal":
                return not first.count("1") <= self.k <= most
            case "parity":
                return "." not in first and first.count("1") % 2 != self.k
            case "more":
                return most <= second.count("1")
            case "lines_differ":
                return "." not in first and first == second
            case "greater":
                if self.k:
                    first, second = first[::-1], second[::-1]
                return first.replace(".", "1") <= second.replace(".", "0")
        if self.kind == "lines_mirrored":
            second = second[::-1]
        wrong = ("00", "11") if self.kind in ("differ", "lines_opposite") else ("01", "10")
        return any(a + b in wrong for a, b in zip(first, second, strict=True))

    def turned(self, turn: Turn) -> Constraint:
        """The constraint after a symmetry."""
        shapes, k = [shape.turned(turn) for shape in self.shapes], self.k
        if self.kind in ("count", "parity", "diagonal") and turn.swap:
            cells = turn.rows if self.kind == "diagonal" else shapes[0].size[0] * shapes[0].size[1]
            k = k ^ (cells & 1) if self.kind == "parity" else cells - k
        if self.kind == "greater":
            k ^= turn.upside if self.shapes[0].axis else turn.behind
        if self.kind not in ("more", "greater"):
            shapes.sort()
        elif turn.swap:
            shapes.reverse()
        return Constraint(self.kind, tuple(shapes), k)

    def says(self, zero: str, one: str, voice: int = 0) -> str:
        """The sentence, where 0 and 1 are written so. voice: which of its wordings, see pick()."""
        return pick(voice, *self._said(zero, one))

    def _said(self, zero: str, one: str) -> tuple[str, ...]:
        """Every wording, the plainest first."""
        a, b = self.shapes[0].says(), self.shapes[-1].says()
        if self.kind in ("same", "differ"):
            noun, same = value_noun(zero, one), self.kind == "same"
            what = f"the same {noun}" if same else f"different {noun}s"
            return (
                f"{capital(a)} and {b} hold {what}.",
                f"There {'is' if same else 'are'} {what} in {a} and in {b}.",
                f"{capital(b)} holds {'the same' if same else 'a different'} {noun} {'as' if same else 'from'} {a}.",
                f"The {noun}s of {a} and {b} are {'equal' if same else 'not equal'}.",
            )
        if self.kind in ("count", "diagonal"):
            where, number = f"{'on' if self.kind == 'diagonal' else 'in'} {a}", NUMBERS[self.k]
            hold = f"exactly {number} cells hold" if self.k > 1 else ("no cell holds", "exactly one cell holds")[self.k]
            return (
                f"{capital(where)}, {hold} {one}.",
                f"{capital(hold)} {one} {where}.",
                f"The number of cells {where} that hold {one} is {number}.",
                f"Of the cells {where}, {f'exactly {number}' if self.k else 'none'} {'hold' if self.k > 1 else 'holds'} {one}.",
            )
        if self.kind == "parity":
            kind = "odd" if self.k else "even"
            return (
                f"In {a}, the number of cells that hold {one} is {kind}.",
                f"The number of cells with {one} in {a} is {kind}.",
                f"An {kind} number of cells in {a} hold {one}.",
                f"{capital(a)} has an {kind} number of cells that hold {one}.",
            )
        if self.kind == "more":
            return (
                f"More cells hold {one} in {a} than in {b}.",
                f"There are more cells with {one} in {a} than in {b}.",
                f"In {b}, fewer cells hold {one} than in {a}.",
                f"The number of cells with {one} is greater in {a} than in {b}.",
            )
        if self.kind == "lines_opposite":
            return (
                f"{capital(b)} is {a} with {zero} and {one} swapped.",
                f"Where {a} holds {zero}, {b} holds {one}, and the other way round.",
                f"With {zero} and {one} exchanged, {a} becomes {b}.",
                f"{capital(a)} and {b} differ in every cell: where one holds {zero}, the other holds {one}.",
            )
        axis, i, j = self.shapes[0].axis, *sorted([shape.i + 1 for shape in self.shapes])
        pair = f"{('Rows', 'Columns')[axis]} {i} and {j}"
        ways = (("left to right", "right to left"), ("top to bottom", "bottom to top"))[axis]
        if self.kind == "greater":
            way = ways[self.k]
            return (
                f"{pair} are not the same: read from {way}, {a} holds {one} where they first differ.",
                f"{pair} differ, and in the first cell where they do, read from {way}, {a} holds {one}.",
                f"Read {pair.lower()} from {way}: they are not the same, and where they first differ {a} holds {one}.",
            )
        if self.kind == "lines_differ":
            return (f"{pair} are not the same.", f"{pair} differ in one cell or more.", f"{pair} are not equal.")
        if self.kind != "lines_mirrored":
            return (f"{pair} are the same.", f"{pair} are equal, cell by cell.", f"{pair} are equal in every cell.")
        if i == j:
            return (
                f"{capital(a)} reads the same from {ways[0]} and from {ways[1]}.",
                f"{capital(a)} is its own mirror image: it reads the same from {ways[0]} and from {ways[1]}.",
                f"Read from {ways[0]} or from {ways[1]}, {a} is the same.",
            )
        return (
            f"{capital(b)} read from {ways[1]} is the same as {a} read from {ways[0]}.",
            f"{capital(a)} read from {ways[0]} is what {b} is from {ways[1]}.",
            f"{capital(b)} is {a} reversed.",
        )

    def checked(self, across: Sequence[str], down: Sequence[str], zero: str, one: str, voice: int = 0) -> str:
        """The sentence with what a complete grid, as text, has for it: "Rows 1 and 2 are equal: row 1 reads ..."."""
        parts = []
        for shape in dict.fromkeys(self.shapes):
            read = shape.read(across, down)
            if self.kind in ("count", "diagonal", "parity", "more"):
                ones = read.count("1")
                parts.append(f"{shape.says()} has {NUMBERS[ones] if ones < len(NUMBERS) else ones} {one}{'s' * (ones != 1)}")
            else:
                reads = " ".join([(zero, one)[int(sign)] for sign in read])
                parts.append(f"{shape.says()} {'reads' if len(read) > 1 else 'holds'} {reads}")
        return f"{self.says(zero, one, voice).removesuffix('.')}: {listed(parts)}."

    def text(self) -> str:
        """The text form."""
        _, signs, last = KINDS[self.kind]
        number = [str(self.k)] if last is int else []
        first, *others = [shape.text() for shape in self.shapes]
        return " ".join([first, signs[self.k if len(signs) > 1 else 0], *others, *number])


@lru_cache(maxsize=4096)
def constraint(kind: str, args: Args, cols: int) -> Constraint | None:
    """The constraint with these arguments; None for an unknown kind or another number of them. Checkers ask this very often."""
    match kind, args:
        case "same" | "differ", (a, b):
            return Constraint(kind, (Cell(*divmod(a, cols)), Cell(*divmod(b, cols))))
        case "lines_same" | "lines_differ" | "lines_opposite" | "lines_mirrored", (axis, i, j):
            return Constraint(kind, (Line(axis, i), Line(axis, j)))
        case "greater", (axis, i, j, back):
            return Constraint(kind, (Line(axis, i), Line(axis, j)), back)
        case "count" | "parity", (top, left, bottom, right, k):
            return Constraint(kind, (Block(top, left, bottom, right),), k)
        case "diagonal", (rising, k):
            return Constraint(kind, (Diagonal(rising),), k)
        case "more", (top, left, bottom, right, above, before):
            return Constraint(kind, (Block(*args[:4]), Block(above, before, above + bottom - top, before + right - left)))
    return None


_SIGNS = re.compile("(!=|=|opposite|mirrors|>>|>|even|odd)")
_PARTS = {
    Cell: re.compile("r([1-9][0-9]?)c([1-9][0-9]?)"),
    Line: re.compile("(row|column)([1-9][0-9]?)"),
    Block: re.compile("onesr([1-9][0-9]?)c([1-9][0-9]?)-r([1-9][0-9]?)c([1-9][0-9]?)"),
    Diagonal: re.compile("ones(falling|rising)"),
    int: re.compile("[0-9]{1,3}"),
}


def parse(text: str) -> Constraint | None:
    """The inverse of text(), blanks apart; None for what is no constraint. Whether it fits the grid is still to be asked."""
    parts = _SIGNS.split("".join(text.split()), maxsplit=1)
    if len(parts) != 3:
        return None
    first, sign, second = _part(parts[0]), parts[1], _part(parts[2])
    for kind, (one, signs, other) in KINDS.items():
        if type(first) is one and sign in signs and type(second) is other and (second is not None or not parts[2]):
            shapes = (first,) if other in (int, type(None)) else (first, second)
            made = Constraint(kind, shapes, second if isinstance(second, int) else signs.index(sign))
            return made if kind in ("more", "greater") else replace(made, shapes=tuple(sorted(shapes)))
    return None


def _part(text: str) -> Any:
    """A shape or a number, None for anything else."""
    for kind, form in _PARTS.items():
        found = form.fullmatch(text)
        if found is not None:
            words = {"row": 0, "column": 1, "falling": 0, "rising": 1}
            return (
                int(text) if kind is int else kind(*[words[part] if part in words else int(part) - 1 for part in found.groups()])
            )
    return None


def value_noun(zero: str, one: str) -> str:
    """The name of a value that is written so."""
    return "digit" if (zero + one).isdigit() else "symbol"
