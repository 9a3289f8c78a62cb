"""The text form of puzzles whose clues are values of cells: a heading and the cells, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from puzzlemill.core.clues import CellClues
from puzzlemill.core.errors import BadRow
from puzzlemill.core.family import AnyFamily, TextForm
from puzzlemill.core.form import CellForm, GridForm, RowForm
from puzzlemill.core.model import BLANK
from puzzlemill.core.text import Line, Word, grid_of, heading, signs
from puzzlemill.core.types import AnyPuzzle, Rule, Spec


@dataclass(frozen=True)
class CellText(TextForm[Any, Any]):
    """One sign for each cell: a symbol of the canonical style, or `blank`. Optional rules without arguments are options.

    least, most: rows or columns that are read.
    """

    least: int
    most: int
    blank: str = "."

    def parse(self, lines: Sequence[Line]) -> AnyPuzzle:
        family = self.family
        clues, form = _cells_of(family)
        flags = heading(lines, family.name, [name for name, rule in family.rules.items() if rule.check is None])
        body = [signs(line, "".join(self._symbols(family, self.most)) + self.blank) for line in lines[1:]]
        rows, cols = self._size(form, lines, body)
        named = {form.rows: rows, form.cols: cols} if isinstance(form, GridForm) else {form.count: cols}
        sizes = {name: size for name, size in named.items() if isinstance(name, str)}
        spec = Spec(family.params(**sizes), tuple([Rule(name) for name in sorted(flags)]))
        value = {symbol: v for v, symbol in enumerate(family.style(spec).symbols)}
        found = []
        for r, (line, words) in enumerate(zip(lines[1:], body, strict=True)):
            for c, word in enumerate(words):
                if word.text in value:
                    found.append(clues.at(spec, r * cols + c, value[word.text]))
                elif word.text != self.blank:
                    known = ", ".join([*value, self.blank])
                    raise line.bad(word.column, f"expected one of {known}, got {word.text[:20]!r}")
        return family.puzzle(spec, found)

    def format(self, puzzle: AnyPuzzle) -> str:
        family = self.family
        clues, form = _cells_of(family)
        cells = [cell for cell, _ in clues.all_placed(puzzle.spec, puzzle.clues)]
        if len(set(cells)) < len(cells):
            raise BadRow(f"{family.name}: the text form has no way to give a cell two values")
        symbols = family.style(puzzle.spec).symbols
        texts = [self.blank if v == BLANK else symbols[v] for v in clues.shown(puzzle)]
        cols = form.board(puzzle.spec)[1]
        rows = [" ".join(texts[start : start + cols]) for start in range(0, len(texts), cols)]
        return "\n".join([" ".join([family.name, *[rule.name for rule in puzzle.spec.rules]]), *rows]) + "\n"

    def _size(self, form: CellForm[Any], lines: Sequence[Line], body: Sequence[Sequence[Word]]) -> tuple[int, int]:
        if isinstance(form, GridForm):
            return grid_of(lines, body, self.least, self.most, "cells")
        if len(body) != 1:
            raise BadRow(f"line {lines[-1].number}: expected one row of cells below the heading, got {len(body)}")
        if not self.least <= len(body[0]) <= self.most:
            raise lines[1].bad(0, f"expected {self.least} to {self.most} cells, got {len(body[0])}")
        return 1, len(body[0])

    def _symbols(self, family: AnyFamily, size: int) -> tuple[str, ...]:
        """The signs that may stand together in one word: symbols of one character."""
        symbols = family.style(Spec(family.params())).symbols
        return tuple([symbol for symbol in symbols[:size] if len(symbol) == 1])


def _cells_of(family: AnyFamily) -> tuple[CellClues, GridForm | RowForm]:
    clues = family.clues
    if not isinstance(clues, CellClues) or not isinstance(clues.form, GridForm | RowForm):
        raise TypeError(f"{family.name}: CellText reads and writes clues about cells of a grid or a row")
    return clues, clues.form
