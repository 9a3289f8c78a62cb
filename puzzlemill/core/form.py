"""Answer forms: how an answer of a family's own type is laid out in slots, and how it is written and read.

An answer is a value of the family's own type (a grid, a table, a list of moves). Two neutral forms connect it to the rest:
*slots* (core/model.py) for engines and partial credit, and *rows of tokens* for text, in whatever reply format.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar, cast

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import BLANK, Slots
from puzzlemill.core.types import Ask, Column, Layout, Puzzle, Rows, Spec

P = TypeVar("P")
B = TypeVar("B")
A = TypeVar("A")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Grid = tuple[tuple[int, ...], ...]  # rows of values, BLANK where unknown
Moves = tuple[tuple[int, ...], ...]  # each a position in every one of its columns' names


class Form(ABC, Generic[P, B, A]):
    """The form of a family's answers.

    asks: the requests for less than the whole answer that fit it (questions/asks.py). mixed: its columns hold things of several
    kinds, so that the best constant reply has one text for each column.
    """

    asks: ClassVar[tuple[Ask, ...]] = ()
    mixed: ClassVar[bool] = False

    def legend(self, puzzle: Puzzle[P, B]) -> str:
        """What the signs of an answer mean, where the puzzle itself does not use them."""
        return ""

    def slots(self, spec: Spec[P], board: B) -> tuple[int, ...]:
        """Number of values of each slot; () for families whose answers are routes."""
        return ()

    def assemble(self, spec: Spec[P], board: B, values: Slots) -> A:
        """The answer with these slot values; BLANK slots give a partial answer for broken_rules(partial=True)."""
        raise TypeError(f"{type(self).__name__} has no slots")

    def values(self, spec: Spec[P], board: B, answer: A) -> Slots:
        """The inverse of assemble."""
        return ()

    def entry_of(self, puzzle: Puzzle[P, B], slot: int) -> tuple[int, int]:
        """Row and column of a slot in written answers."""
        raise TypeError(f"{type(self).__name__} has no slots")

    @abstractmethod
    def layout(self, puzzle: Puzzle[P, B]) -> Layout:
        """The rows and columns of written answers. Must not give anything of the answer away (say, the least number of moves)."""

    @abstractmethod
    def write(self, puzzle: Puzzle[P, B], answer: A) -> Rows:
        """The answer as rows of tokens in this style."""

    @abstractmethod
    def read(self, puzzle: Puzzle[P, B], rows: Rows) -> A | None:
        """The inverse of write. Rows already fit layout(); None if they still spell no answer."""


class CellForm(Form[Any, Any, A]):
    """Answers made of cells that all hold as many values, one slot each."""

    asks: ClassVar[tuple[Ask, ...]] = (Ask.CELL, Ask.NUMBER, Ask.OPTION, Ask.STEP)
    note: str
    tokens: tuple[str, ...]

    @abstractmethod
    def cells(self, spec: Spec[Any]) -> int:
        """The number of cells."""

    @abstractmethod
    def holds(self, spec: Spec[Any]) -> int:
        """The number of values of a cell."""

    @abstractmethod
    def board(self, spec: Spec[Any]) -> tuple[int, int]:
        """Rows and columns of the cells in a picture."""

    @abstractmethod
    def place(self, spec: Spec[Any], cell: int) -> str:
        """The short name of a cell, as ids of clues have it: "r3c7"."""

    def slots(self, spec: Spec[Any], board: Any) -> tuple[int, ...]:
        return (self.holds(spec),) * self.cells(spec)

    def entry_of(self, puzzle: Puzzle[Any, Any], slot: int) -> tuple[int, int]:
        return divmod(slot, self.board(puzzle.spec)[1])

    def written(self, puzzle: Puzzle[Any, Any]) -> tuple[str, ...]:
        """How values 0, 1, ... are written: the form's own tokens, or the symbols of the style."""
        return self.tokens or puzzle.style.symbols


@dataclass(frozen=True)
class GridForm(CellForm[Grid]):
    """A board of cells, row by row; every row of the board is a row of the answer.

    rows, cols, each: the parameters that say how many rows, columns and values of each cell there are, or the numbers.
    note: the sentence of the layout. tokens: how values 0, 1, ... are written; () for the symbols of the style. signs: what they
    mean.
    """

    rows: int | str
    cols: int | str
    each: int | str
    note: str
    tokens: tuple[str, ...] = ()
    signs: str = ""

    def legend(self, puzzle: Puzzle[Any, Any]) -> str:
        return self.signs

    def board(self, spec: Spec[Any]) -> tuple[int, int]:
        return _number(spec, self.rows), _number(spec, self.cols)

    def cells(self, spec: Spec[Any]) -> int:
        rows, cols = self.board(spec)
        return rows * cols

    def holds(self, spec: Spec[Any]) -> int:
        return _number(spec, self.each)

    def place(self, spec: Spec[Any], cell: int) -> str:
        cols = _number(spec, self.cols)
        return f"r{cell // cols + 1}c{cell % cols + 1}"

    def assemble(self, spec: Spec[Any], board: Any, values: Slots) -> Grid:
        rows, cols = self.board(spec)
        return tuple([tuple(values[cols * r : cols * r + cols]) for r in range(rows)])

    def values(self, spec: Spec[Any], board: Any, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def fits(self, spec: Spec[Any], answer: Grid, partial: bool) -> bool:
        """Return whether the answer has the board's size and only values of its cells, or blanks where it may be partial."""
        rows, cols = self.board(spec)
        least, most = BLANK if partial else 0, self.holds(spec) - 1
        return len(answer) == rows and all(len(row) == cols and min(row) >= least and max(row) <= most for row in answer)

    def layout(self, puzzle: Puzzle[Any, Any]) -> Layout:
        rows, cols = self.board(puzzle.spec)
        return Layout(_columns("column", cols, self.written(puzzle)), rows, rows, True, self.note)

    def write(self, puzzle: Puzzle[Any, Any], answer: Grid) -> Rows:
        tokens = self.written(puzzle)
        return tuple([tuple([tokens[v] for v in row]) for row in answer])

    def read(self, puzzle: Puzzle[Any, Any], rows: Rows) -> Grid | None:
        value = {token: v for v, token in enumerate(self.written(puzzle))}
        return tuple([tuple([value[token] for token in row]) for row in rows])


def SquareGrid(size: str, note: str) -> GridForm:
    """A square board whose cells hold as many values as it has rows, written with the symbols of the style."""
    return GridForm(size, size, size, note)


@dataclass(frozen=True)
class RowForm(CellForm[Slots]):
    """One row of cells; an answer is the tuple of their values. name: what a cell is called ("coin")."""

    name: str
    count: int | str
    each: int | str
    note: str
    tokens: tuple[str, ...] = ()

    def board(self, spec: Spec[Any]) -> tuple[int, int]:
        return 1, _number(spec, self.count)

    def cells(self, spec: Spec[Any]) -> int:
        return _number(spec, self.count)

    def holds(self, spec: Spec[Any]) -> int:
        return _number(spec, self.each)

    def place(self, spec: Spec[Any], cell: int) -> str:
        return f"{self.name[0]}{cell + 1}"

    def assemble(self, spec: Spec[Any], board: Any, values: Slots) -> Slots:
        return values

    def values(self, spec: Spec[Any], board: Any, answer: Slots) -> Slots:
        return answer

    def fits(self, spec: Spec[Any], answer: Slots, partial: bool) -> bool:
        """Return whether the answer has as many cells and only their values, or blanks where it may be partial."""
        least, most = BLANK if partial else 0, self.holds(spec) - 1
        return len(answer) == self.cells(spec) and min(answer) >= least and max(answer) <= most

    def layout(self, puzzle: Puzzle[Any, Any]) -> Layout:
        return Layout(_columns(self.name, self.cells(puzzle.spec), self.written(puzzle)), 1, 1, True, self.note)

    def write(self, puzzle: Puzzle[Any, Any], answer: Slots) -> Rows:
        tokens = self.written(puzzle)
        return (tuple([tokens[v] for v in answer]),)

    def read(self, puzzle: Puzzle[Any, Any], rows: Rows) -> Slots | None:
        value = {token: v for v, token in enumerate(self.written(puzzle))}
        return tuple([value[token] for token in rows[0]])


@dataclass(frozen=True)
class LetterForm(Form[Any, Any, str]):
    """A text of capital letters without spaces, one slot each, "?" where unknown.

    count: of a board's letters. note: the sentence of the layout. text: what it is called in a sentence ("plain text").
    words: of a board, those that a reply may give beside the text (Layout.words).
    """

    count: Callable[[Any], int]
    note: Callable[[Any], str]
    text: str
    words: Callable[[Any], tuple[tuple[str, tuple[int, ...]], ...]] = lambda _: ()

    asks = (Ask.CELL,)

    def entry_of(self, puzzle: Puzzle[Any, Any], slot: int) -> tuple[int, int]:
        return 0, slot

    def slots(self, spec: Spec[Any], board: Any) -> tuple[int, ...]:
        return (26,) * self.count(board)

    def assemble(self, spec: Spec[Any], board: Any, values: Slots) -> str:
        return "".join(["?" if v == BLANK else _LETTERS[v] for v in values])

    def values(self, spec: Spec[Any], board: Any, answer: str) -> Slots:
        return tuple([_LETTERS.find(sign) for sign in answer])

    def layout(self, puzzle: Puzzle[Any, Any]) -> Layout:
        columns = _columns("letter", self.count(puzzle.board), tuple(_LETTERS))
        return Layout(columns, 1, 1, True, self.note(puzzle.board), self.text, words=self.words(puzzle.board))

    def write(self, puzzle: Puzzle[Any, Any], answer: str) -> Rows:
        return (tuple(answer),)

    def read(self, puzzle: Puzzle[Any, Any], rows: Rows) -> str:
        return "".join(rows[0]).upper()


@dataclass(frozen=True)
class MovesForm(Form[Any, Any, A]):
    """Moves in their order, a row each; a cell names one of the names of the style.

    columns: the title of each, and which group of style.names it takes. most: how many rows there may be at most. note: the
    sentence of the layout. A family whose answers are no Moves says by to_moves() and from_moves() how they become some.
    """

    columns: tuple[tuple[str, int], ...]
    most: Callable[[Puzzle[Any, Any]], int]
    note: str
    least: int = 1

    def to_moves(self, answer: A) -> Moves:
        """The rows of an answer, as positions in the columns' names."""
        return cast(Moves, answer)

    def from_moves(self, moves: Moves) -> A | None:
        """The inverse of to_moves(); None if they are no answer."""
        return cast(A, moves)

    def layout(self, puzzle: Puzzle[Any, Any]) -> Layout:
        names = puzzle.style.names
        if any(group >= len(names) for _, group in self.columns):
            raise BadRow(
                f"style.names: expected names for {', '.join([title for title, _ in self.columns])}, got {str(names)[:60]}"
            )
        columns = tuple([Column(title, names[group]) for title, group in self.columns])
        return Layout(columns, self.least, self.most(puzzle), False, self.note)

    def write(self, puzzle: Puzzle[Any, Any], answer: A) -> Rows:
        named = [puzzle.style.names[group] for _, group in self.columns]
        return tuple([tuple([names[at] for names, at in zip(named, move, strict=True)]) for move in self.to_moves(answer)])

    def read(self, puzzle: Puzzle[Any, Any], rows: Rows) -> A | None:
        numbers = [_numbered(puzzle.style.names[group]) for _, group in self.columns]
        if len(rows) > self.most(puzzle):
            return None
        moves = []
        for row in rows:
            if len(row) != len(numbers):
                return None
            move = tuple([known.get(name.casefold(), -1) for known, name in zip(numbers, row, strict=True)])
            if -1 in move:
                return None
            moves.append(move)
        return self.from_moves(tuple(moves))


@lru_cache(maxsize=256)
def _numbered(names: tuple[str, ...]) -> Mapping[str, int]:
    """The position of each name, whatever the case of its letters."""
    return MappingProxyType({name.casefold(): at for at, name in enumerate(names)})


def _number(spec: Spec[Any], name: int | str) -> int:
    found: int = name if isinstance(name, int) else getattr(spec.params, name)
    return found


@lru_cache(maxsize=256)
def _columns(name: str, count: int, tokens: tuple[str, ...]) -> tuple[Column, ...]:
    return tuple([Column(f"{name} {c + 1}", tokens) for c in range(count)])
