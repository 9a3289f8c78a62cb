"""Answer forms: how an answer of a family's own type is laid out in slots, and how it is written and read.

An answer is a value of the family's own type (a grid, a table, a list of moves). Two neutral forms connect it to the rest:
*slots* (core/model.py) for engines and partial credit, and *rows of tokens* for text, in whatever reply format.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from puzzlemill.core.model import BLANK, Slots
from puzzlemill.core.types import Column, Layout, Puzzle, Rows, Spec

P = TypeVar("P")
B = TypeVar("B")
A = TypeVar("A")
Grid = tuple[tuple[int, ...], ...]  # rows of values, BLANK where unknown


class Form(ABC, Generic[P, B, A]):
    """The form of a family's answers."""

    def slots(self, spec: Spec[P], board: B) -> tuple[int, ...]:
        """Number of values of each slot; () for families whose answers are routes."""
        return ()

    def assemble(self, spec: Spec[P], board: B, values: Slots) -> A:
        """The answer with these slot values; BLANK slots give a partial answer for broken_rules(partial=True)."""
        raise TypeError(f"{type(self).__name__} has no slots")

    def values(self, spec: Spec[P], board: B, answer: A) -> Slots:
        """The inverse of assemble."""
        return ()

    @abstractmethod
    def layout(self, puzzle: Puzzle[P, B]) -> Layout:
        """The rows and columns of written answers. Must not give anything of the answer away (say, the least number of moves)."""

    @abstractmethod
    def write(self, puzzle: Puzzle[P, B], answer: A) -> Rows:
        """The answer as rows of tokens in this style."""

    @abstractmethod
    def read(self, puzzle: Puzzle[P, B], rows: Rows) -> A | None:
        """The inverse of write. Rows already fit layout(); None if they still spell no answer."""


@dataclass(frozen=True)
class GridForm(Form[Any, Any, Grid]):
    """A board of cells, one slot each, row by row; every row of the board is a row of the answer.

    rows, cols: the parameters that say how many there are. holds: the number of values of a cell, or the parameter that says it.
    note: the sentence of the layout. tokens: how values 0, 1, ... are written; () for the symbols of the style.
    """

    rows: str
    cols: str
    holds: int | str
    note: str
    tokens: tuple[str, ...] = ()

    def size(self, spec: Spec[Any]) -> tuple[int, int]:
        """Rows and columns."""
        return getattr(spec.params, self.rows), getattr(spec.params, self.cols)

    def cells(self, spec: Spec[Any]) -> int:
        """The number of cells."""
        rows, cols = self.size(spec)
        return rows * cols

    def slots(self, spec: Spec[Any], board: Any) -> tuple[int, ...]:
        holds = self.holds if isinstance(self.holds, int) else getattr(spec.params, self.holds)
        return (holds,) * self.cells(spec)

    def assemble(self, spec: Spec[Any], board: Any, values: Slots) -> Grid:
        rows, cols = self.size(spec)
        return tuple([tuple(values[cols * r : cols * r + cols]) for r in range(rows)])

    def values(self, spec: Spec[Any], board: Any, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def fits(self, spec: Spec[Any], answer: Grid, partial: bool) -> bool:
        """Whether the answer has the board's rows and columns and only values of its cells, or blanks where it may be partial."""
        rows, cols = self.size(spec)
        least, most = BLANK if partial else 0, self.slots(spec, None)[0] - 1
        return len(answer) == rows and all(len(row) == cols and min(row) >= least and max(row) <= most for row in answer)

    def layout(self, puzzle: Puzzle[Any, Any]) -> Layout:
        rows, cols = self.size(puzzle.spec)
        return Layout(_columns(cols, self.tokens or puzzle.style.symbols), rows, rows, True, self.note)

    def write(self, puzzle: Puzzle[Any, Any], answer: Grid) -> Rows:
        tokens = self.tokens or puzzle.style.symbols
        return tuple([tuple([tokens[v] for v in row]) for row in answer])

    def read(self, puzzle: Puzzle[Any, Any], rows: Rows) -> Grid | None:
        value = {token: v for v, token in enumerate(self.tokens or puzzle.style.symbols)}
        return tuple([tuple([value[token] for token in row]) for row in rows])


def SquareGrid(size: str, note: str) -> GridForm:
    """A square board whose cells hold as many values as it has rows, written with the symbols of the style."""
    return GridForm(size, size, size, note)


@lru_cache(maxsize=256)
def _columns(cols: int, tokens: tuple[str, ...]) -> tuple[Column, ...]:
    return tuple([Column(f"column {c + 1}", tokens) for c in range(cols)])
