"""Constraints on cells, lines and blocks of a grid of two values. Each kind is a class with all that is said of it, side by side:
which arguments it takes, its clauses, its entry in a table, a plain check, its sentence, its mirror images and its text form.

Clauses, table and check are written apart from each other: a proof rests on their independence. An axis is 0 for rows and 1 for
columns, lines count from 0; a block is its top row, left column, bottom row and right column.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from puzzlemill.core.model import GROUP_RELATIONS, Constraints
from puzzlemill.core.words import NUMBERS

Args = tuple[int, ...]
Lits = Sequence[Sequence[int]]  # [r][c]: the literal that this cell holds a 1
Group = tuple[str, int, list[int], list[int]]  # relation, k, cells of A and of B as LinesTable (core/model.py) has them

_CELL = "r([1-9][0-9]?)c([1-9][0-9]?)"
_BLOCK = f"{_CELL}-{_CELL}"
_LINE = "(row|column)([1-9][0-9]?)"


@dataclass(frozen=True, slots=True)
class Turn:
    """A symmetry of a grid: rows change places (upside), columns do (behind), rows and columns do (over), 0 and 1 do (swap); in
    this order.
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

    def cell(self, cell: int) -> int:
        r, c = self.place(*divmod(cell, self.cols))
        return r * (self.rows if self.over else self.cols) + c

    def line(self, axis: int, i: int) -> int:
        """The number that a line of this axis has afterwards."""
        turned, last = ((self.upside, self.rows - 1), (self.behind, self.cols - 1))[axis]
        return last - i if turned else i

    def block(self, top: int, left: int, bottom: int, right: int) -> Args:
        (r, c), (s, d) = self.place(top, left), self.place(bottom, right)
        return min(r, s), min(c, d), max(r, s), max(c, d)


@dataclass(frozen=True)
class Constraint(ABC):
    """A kind of constraint. sign: what stands for it in the text form."""

    kind: str
    sign: str = ""
    form: ClassVar[str]  # the text form without blanks, as a regular expression; SIGN stands for the sign

    @abstractmethod
    def fits(self, args: Args, rows: int, cols: int) -> bool:
        """Whether these arguments, as many as the kind has, make a constraint of this grid."""

    @abstractmethod
    def state(self, m: Constraints, one: Lits, args: Args, label: str) -> None:
        """Add the clauses."""

    @abstractmethod
    def group(self, args: Args, rows: int, cols: int) -> Group:
        """The constraint for a table."""

    @abstractmethod
    def broken(self, args: Args, across: Sequence[str], down: Sequence[str]) -> bool:
        """Whether rows and columns as text ("." is a blank) break it however the blanks are filled."""

    @abstractmethod
    def says(self, args: Args, cols: int, zero: str, one: str) -> str:
        """The sentence, where 0 and 1 are written so."""

    @abstractmethod
    def turned(self, args: Args, turn: Turn) -> Args:
        """The arguments after a symmetry."""

    @abstractmethod
    def format(self, args: Args, cols: int) -> str:
        """The text form."""

    @abstractmethod
    def parse(self, words: Sequence[str], n: Sequence[int], cols: int) -> Args:
        """The inverse of format; () for what is no constraint. words, n: what `form` found: words, and numbers less 1."""


class Cells(Constraint):
    """(cell, later cell): they hold the same value, or they do not."""

    form = f"{_CELL}SIGN{_CELL}"

    def fits(self, args: Args, rows: int, cols: int) -> bool:
        return len(args) == 2 and 0 <= args[0] < args[1] < rows * cols

    def state(self, m: Constraints, one: Lits, args: Args, label: str) -> None:
        a, b = (one[cell // len(one[0])][cell % len(one[0])] for cell in args)
        _equal(m, a, b if self.kind == "same" else -b, label)

    def group(self, args: Args, rows: int, cols: int) -> Group:
        return "equal" if self.kind == "same" else "opposite", 0, [args[0]], [args[1]]

    def broken(self, args: Args, across: Sequence[str], down: Sequence[str]) -> bool:
        cols = len(down)
        a, b = across[args[0] // cols][args[0] % cols], across[args[1] // cols][args[1] % cols]
        return a != "." and b != "." and (a == b) == (self.kind == "differ")

    def says(self, args: Args, cols: int, zero: str, one: str) -> str:
        a, b = [f"row {cell // cols + 1} column {cell % cols + 1}" for cell in args]
        noun = value_noun(zero, one)
        return f"R{a[1:]} and {b} hold {f'the same {noun}' if self.kind == 'same' else f'different {noun}s'}."

    def turned(self, args: Args, turn: Turn) -> Args:
        return tuple(sorted([turn.cell(cell) for cell in args]))

    def format(self, args: Args, cols: int) -> str:
        a, b = [f"r{cell // cols + 1}c{cell % cols + 1}" for cell in args]
        return f"{a} {self.sign} {b}"

    def parse(self, words: Sequence[str], n: Sequence[int], cols: int) -> Args:
        return tuple(sorted([n[0] * cols + n[1], n[2] * cols + n[3]])) if max(n[1], n[3]) < cols else ()


class TwoLines(Constraint):
    """(axis, line, later line): the two are equal, or not, or one is the other with 0 and 1 swapped, or read backwards.

    A line may be its own mirror image.
    """

    form = f"{_LINE}SIGN{_LINE}"

    def fits(self, args: Args, rows: int, cols: int) -> bool:
        if len(args) != 3 or args[0] not in (0, 1):
            return False
        axis, i, j = args
        return 0 <= i <= j < (rows, cols)[axis] and (i < j or self.kind == "lines_mirrored")

    def state(self, m: Constraints, one: Lits, args: Args, label: str) -> None:
        lines = [list(column) for column in zip(*one, strict=True)] if args[0] else one
        first, second = lines[args[1]], lines[args[2]]
        if self.kind == "lines_differ":
            differ = []
            for a, b in zip(first, second, strict=True):
                differ.append(m.var())
                m.require(-differ[-1], a, b, label=label)
                m.require(-differ[-1], -a, -b, label=label)
            m.require(*differ, label=label)
            return
        for a, b in zip(first, second[::-1] if self.kind == "lines_mirrored" else second, strict=True):
            _equal(m, a, -b if self.kind == "lines_opposite" else b, label)

    def group(self, args: Args, rows: int, cols: int) -> Group:
        first, second = _line_cells(args[0], args[1], rows, cols), _line_cells(args[0], args[2], rows, cols)
        if self.kind != "lines_mirrored":
            relation = {"lines_same": "equal", "lines_differ": "unequal", "lines_opposite": "opposite"}[self.kind]
            return relation, 0, first, second
        second.reverse()
        half = len(first) // 2 if args[1] == args[2] else len(first)  # half of a line and its own mirror image says everything
        return "equal", 0, first[:half], second[:half]

    def broken(self, args: Args, across: Sequence[str], down: Sequence[str]) -> bool:
        lines = down if args[0] else across
        first, second = lines[args[1]], lines[args[2]]
        if self.kind == "lines_differ":
            return "." not in first and first == second
        if self.kind == "lines_mirrored":
            second = second[::-1]
        wrong = ("00", "11") if self.kind == "lines_opposite" else ("01", "10")
        return any(a + b in wrong for a, b in zip(first, second, strict=True))

    def says(self, args: Args, cols: int, zero: str, one: str) -> str:
        name, forth, back = _AXES[args[0]]
        i, j = args[1] + 1, args[2] + 1
        big = name.capitalize()
        if self.kind == "lines_opposite":
            return f"{big} {j} is {name} {i} with {zero} and {one} swapped."
        if self.kind != "lines_mirrored":
            return f"{big}s {i} and {j} are {'not ' if self.kind == 'lines_differ' else ''}the same."
        if i == j:
            return f"{big} {i} reads the same from {forth} and from {back}."
        return f"{big} {j} read from {back} is the same as {name} {i} read from {forth}."

    def turned(self, args: Args, turn: Turn) -> Args:
        return args[0] ^ turn.over, *sorted([turn.line(args[0], i) for i in args[1:]])

    def format(self, args: Args, cols: int) -> str:
        name = _AXES[args[0]][0]
        return f"{name}{args[1] + 1} {self.sign} {name}{args[2] + 1}"

    def parse(self, words: Sequence[str], n: Sequence[int], cols: int) -> Args:
        return (int(words[0] == "column"), min(n), max(n)) if words[0] == words[-1] else ()


class Greater(Constraint):
    """(axis, line, other line, back): the first is the greater binary number (back: both read from the far end)."""

    form = f"{_LINE}(>>?){_LINE}"

    def fits(self, args: Args, rows: int, cols: int) -> bool:
        if len(args) != 4 or args[0] not in (0, 1):
            return False
        most = (rows, cols)[args[0]]
        return 0 <= args[1] < most and 0 <= args[2] < most and args[1] != args[2] and args[3] in (0, 1)

    def state(self, m: Constraints, one: Lits, args: Args, label: str) -> None:
        lines = [list(column) for column in zip(*one, strict=True)] if args[0] else one
        pairs = list(zip(lines[args[1]], lines[args[2]], strict=True))[:: -1 if args[3] else 1]
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

    def group(self, args: Args, rows: int, cols: int) -> Group:
        first, second = _line_cells(args[0], args[1], rows, cols), _line_cells(args[0], args[2], rows, cols)
        return ("greater", 0, first[::-1], second[::-1]) if args[3] else ("greater", 0, first, second)

    def broken(self, args: Args, across: Sequence[str], down: Sequence[str]) -> bool:
        lines = down if args[0] else across
        first, second = lines[args[1]], lines[args[2]]
        if args[3]:
            first, second = first[::-1], second[::-1]
        return first.replace(".", "1") <= second.replace(".", "0")

    def says(self, args: Args, cols: int, zero: str, one: str) -> str:
        name, forth, back = _AXES[args[0]]
        i, j = sorted([args[1] + 1, args[2] + 1])
        first = f"{name} {args[1] + 1} holds {one} where they first differ"
        return f"{name.capitalize()}s {i} and {j} are not the same: read from {back if args[3] else forth}, {first}."

    def turned(self, args: Args, turn: Turn) -> Args:
        axis, i, j, back = args
        i, j = turn.line(axis, i), turn.line(axis, j)
        if turn.swap:
            i, j = j, i
        return axis ^ turn.over, i, j, back ^ (turn.upside if axis else turn.behind)

    def format(self, args: Args, cols: int) -> str:
        name = _AXES[args[0]][0]
        return f"{name}{args[1] + 1} {'>>' if args[3] else '>'} {name}{args[2] + 1}"

    def parse(self, words: Sequence[str], n: Sequence[int], cols: int) -> Args:
        return (int(words[0] == "column"), n[0], n[1], int(words[1] == ">>")) if words[0] == words[-1] else ()


class Diagonal(Constraint):
    """(0 from the top left or 1 from the top right corner, number): so many 1s are on it; in square grids."""

    form = "ones(falling|rising)=([0-9]{1,2})"

    def fits(self, args: Args, rows: int, cols: int) -> bool:
        return len(args) == 2 and rows == cols and args[0] in (0, 1) and 0 <= args[1] <= rows

    def state(self, m: Constraints, one: Lits, args: Args, label: str) -> None:
        m.exactly([row[-1 - r if args[0] else r] for r, row in enumerate(one)], args[1], label=label)

    def group(self, args: Args, rows: int, cols: int) -> Group:
        return "count", args[1], [r * cols + (cols - 1 - r if args[0] else r) for r in range(rows)], []

    def broken(self, args: Args, across: Sequence[str], down: Sequence[str]) -> bool:
        cells = [row[len(row) - 1 - r] if args[0] else row[r] for r, row in enumerate(across)]
        return not cells.count("1") <= args[1] <= len(cells) - cells.count("0")

    def says(self, args: Args, cols: int, zero: str, one: str) -> str:
        start, end = ("top right", "bottom left") if args[0] else ("top left", "bottom right")
        return f"On the diagonal from the {start} corner to the {end} corner, {_so_many(args[1])} {one}."

    def turned(self, args: Args, turn: Turn) -> Args:
        return args[0] ^ turn.upside ^ turn.behind, turn.rows - args[1] if turn.swap else args[1]

    def format(self, args: Args, cols: int) -> str:
        return f"ones {'rising' if args[0] else 'falling'} = {args[1]}"

    def parse(self, words: Sequence[str], n: Sequence[int], cols: int) -> Args:
        return int(words[0] == "rising"), n[0] + 1


class Count(Constraint):
    """(block, number): so many 1s are in it."""

    form = f"ones{_BLOCK}=([0-9]{{1,3}})"

    def fits(self, args: Args, rows: int, cols: int) -> bool:
        return len(args) == 5 and _within(args, rows, cols) and 0 <= args[4] <= self.most(args)

    def most(self, args: Args) -> int:
        return (args[2] - args[0] + 1) * (args[3] - args[1] + 1)

    def state(self, m: Constraints, one: Lits, args: Args, label: str) -> None:
        m.exactly(_lits(one, *args[:4]), args[4], label=label)

    def group(self, args: Args, rows: int, cols: int) -> Group:
        return self.kind, args[4], _block_cells(cols, *args[:4]), []

    def broken(self, args: Args, across: Sequence[str], down: Sequence[str]) -> bool:
        text = _text(across, *args[:4])
        return not text.count("1") <= args[4] <= len(text) - text.count("0")

    def says(self, args: Args, cols: int, zero: str, one: str) -> str:
        return f"In the block in {_block_words(*args[:4])}, {_so_many(args[4])} {one}."

    def turned(self, args: Args, turn: Turn) -> Args:
        return *turn.block(*args[:4]), Count.most(self, args) - args[4] if turn.swap else args[4]

    def format(self, args: Args, cols: int) -> str:
        return f"ones {_corners(*args[:4])} = {args[4]}"

    def parse(self, words: Sequence[str], n: Sequence[int], cols: int) -> Args:
        return *n[:4], n[4] + 1


class Parity(Count):
    """(block, 0 or 1): the number of 1s in it is even or odd."""

    form = f"ones{_BLOCK}(even|odd)"

    def most(self, args: Args) -> int:
        return 1

    def state(self, m: Constraints, one: Lits, args: Args, label: str) -> None:
        so_far = _lits(one, *args[:4])
        while len(so_far) > 1:  # two of them become their exclusive or
            a, b, x = so_far.pop(), so_far.pop(), m.var()
            for p, q, r in ((a, b, -x), (-a, -b, -x), (a, -b, x), (-a, b, x)):
                m.require(p, q, r, label=label)
            so_far.append(x)
        m.require(so_far[0] if args[4] else -so_far[0], label=label)

    def broken(self, args: Args, across: Sequence[str], down: Sequence[str]) -> bool:
        text = _text(across, *args[:4])
        return "." not in text and text.count("1") % 2 != args[4]

    def says(self, args: Args, cols: int, zero: str, one: str) -> str:
        odd = "odd" if args[4] else "even"
        return f"In the block in {_block_words(*args[:4])}, the number of cells that hold {one} is {odd}."

    def turned(self, args: Args, turn: Turn) -> Args:
        return *turn.block(*args[:4]), args[4] ^ (turn.swap and Count.most(self, args) & 1)

    def format(self, args: Args, cols: int) -> str:
        return f"ones {_corners(*args[:4])} {'odd' if args[4] else 'even'}"

    def parse(self, words: Sequence[str], n: Sequence[int], cols: int) -> Args:
        return *n, int(words[0] == "odd")


class More(Constraint):
    """(block, top row and left column of another one of that size): more 1s are in the first than in the second."""

    form = f"ones{_BLOCK}>ones{_BLOCK}"

    def fits(self, args: Args, rows: int, cols: int) -> bool:
        if len(args) != 6 or not _within(args, rows, cols):
            return False
        high, wide = args[2] - args[0] + 1, args[3] - args[1] + 1
        apart = abs(args[4] - args[0]) >= high or abs(args[5] - args[1]) >= wide
        return apart and 0 <= args[4] <= rows - high and 0 <= args[5] <= cols - wide

    def other(self, args: Args) -> tuple[int, int, int, int]:
        """The other block, for words and text."""
        return args[4], args[5], args[4] + args[2] - args[0], args[5] + args[3] - args[1]

    def state(self, m: Constraints, one: Lits, args: Args, label: str) -> None:
        top, left, bottom, right, other_top, other_left = args
        much = _lits(one, top, left, bottom, right)
        little = _lits(one, other_top, other_left, other_top + bottom - top, other_left + right - left)
        # ones of the first and zeros of the second together are more than one of the two has cells
        m.at_least([*much, *[-lit for lit in little]], len(much) + 1, label=label)

    def group(self, args: Args, rows: int, cols: int) -> Group:
        first = _block_cells(cols, *args[:4])
        moved = (args[4] - args[0]) * cols + args[5] - args[1]
        return "more", 0, first, [cell + moved for cell in first]

    def broken(self, args: Args, across: Sequence[str], down: Sequence[str]) -> bool:
        text = _text(across, *args[:4])
        down_by, right_by = args[4] - args[0], args[5] - args[1]
        other = _text(across, args[0] + down_by, args[1] + right_by, args[2] + down_by, args[3] + right_by)
        return len(text) - text.count("0") <= other.count("1")

    def says(self, args: Args, cols: int, zero: str, one: str) -> str:
        here, there = _block_words(*args[:4]), _block_words(*self.other(args))
        return f"More cells hold {one} in the block in {here} than in the block in {there}."

    def turned(self, args: Args, turn: Turn) -> Args:
        here, there = turn.block(*args[:4]), turn.block(*self.other(args))
        return (*there, *here[:2]) if turn.swap else (*here, *there[:2])

    def format(self, args: Args, cols: int) -> str:
        return f"ones {_corners(*args[:4])} > ones {_corners(*self.other(args))}"

    def parse(self, words: Sequence[str], n: Sequence[int], cols: int) -> Args:
        return tuple(n[:6]) if (n[6] - n[4], n[7] - n[5]) == (n[2] - n[0], n[3] - n[1]) else ()


KINDS: Mapping[str, Constraint] = {
    constraint.kind: constraint
    for constraint in (
        Cells("same", "="),
        Cells("differ", "!="),
        TwoLines("lines_same", "="),
        TwoLines("lines_differ", "!="),
        TwoLines("lines_opposite", "opposite"),
        TwoLines("lines_mirrored", "mirrors"),
        Count("count"),
        Diagonal("diagonal"),
        Parity("parity"),
        More("more"),
        Greater("greater"),
    )
}
_FORMS = {kind: re.compile(each.form.replace("SIGN", re.escape(each.sign))) for kind, each in KINDS.items()}


def parse(text: str, cols: int) -> tuple[str, Args] | None:
    """Kind and arguments of a constraint in its text form, () for what cannot be compared; None if the text is of no form."""
    text = "".join(text.split())
    for kind, form in _FORMS.items():
        found = form.fullmatch(text)
        if found is not None:
            parts = found.groups()
            words, numbers = [part for part in parts if not part.isdigit()], [int(part) - 1 for part in parts if part.isdigit()]
            return kind, KINDS[kind].parse(words, numbers, cols)
    return None


def encoded(kind: str, args: Args, rows: int, cols: int) -> tuple[int, ...]:
    """A constraint as LinesTable (core/model.py) has it."""
    relation, k, first, second = KINDS[kind].group(args, rows, cols)
    return (GROUP_RELATIONS.index(relation), k, len(first), *first, *second)


# ---- geometry: of words and text, of clauses, of tables, of the plain check ---------------------------------------------------

_AXES = (("row", "left to right", "right to left"), ("column", "top to bottom", "bottom to top"))


def value_noun(zero: str, one: str) -> str:
    """What a value is called that is written so."""
    return "digit" if (zero + one).isdigit() else "symbol"


def _so_many(k: int) -> str:
    if k < 2:
        return "exactly one cell holds" if k else "no cell holds"
    return f"exactly {NUMBERS[k]} cells hold"


def _block_words(top: int, left: int, bottom: int, right: int) -> str:
    rows = f"row {top + 1}" if top == bottom else f"rows {top + 1} to {bottom + 1}"
    return f"{rows} and {f'column {left + 1}' if left == right else f'columns {left + 1} to {right + 1}'}"


def _corners(top: int, left: int, bottom: int, right: int) -> str:
    return f"r{top + 1}c{left + 1}-r{bottom + 1}c{right + 1}"


def _within(args: Args, rows: int, cols: int) -> bool:
    return 0 <= args[0] <= args[2] < rows and 0 <= args[1] <= args[3] < cols


def _equal(m: Constraints, a: int, b: int, label: str) -> None:
    """Two literals are both true or both false."""
    m.require(a, -b, label=label)
    m.require(-a, b, label=label)


def _lits(one: Lits, top: int, left: int, bottom: int, right: int) -> list[int]:
    return [lit for row in one[top : bottom + 1] for lit in row[left : right + 1]]


def _line_cells(axis: int, i: int, rows: int, cols: int) -> list[int]:
    return [r * cols + i for r in range(rows)] if axis else [i * cols + c for c in range(cols)]


def _block_cells(cols: int, top: int, left: int, bottom: int, right: int) -> list[int]:
    return [r * cols + c for r in range(top, bottom + 1) for c in range(left, right + 1)]


def _text(across: Sequence[str], top: int, left: int, bottom: int, right: int) -> str:
    return "".join([row[left : right + 1] for row in across[top : bottom + 1]])
