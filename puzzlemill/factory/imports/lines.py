"""Whole grids in lines, as collections of sudokus have them, and the text forms of docs/formats.md."""

from __future__ import annotations

import re
from collections.abc import Iterator

from puzzlemill.core.errors import BadInput
from puzzlemill.core.text import printable
from puzzlemill.factory.check import entries
from puzzlemill.factory.imports.forms import NONSENSE, Asked, Item, numbered, puzzle_of
from puzzlemill.generators import families, family_named

_CELLS = (16, 36, 64, 81, 144, 256, 625)  # of a whole grid
_PART = re.compile(r"[^\s,;|:]+")
_OPEN = str.maketrans("*-_x?", ".....")  # what else stands for an empty cell
_SOLVED = re.compile(r"[1-9A-Za-z]+")
_DIGITS = re.compile(r"[0-9.]+")
SUDOKU = "sudoku"


class _Grids:
    name = "lines"
    about = "sudokus of whole grids in one line each (81 characters for 9x9), with the solution behind it if there is one"

    def fits(self, head: str, asked: Asked) -> bool:
        if asked.family not in ("", SUDOKU):
            return False
        lines = [line for _, line in numbered(head)]
        found = [_grid(_PART.findall(line)) for line in lines[:20]]
        tall = len(lines) == 16 and all(len(line.split()) == 1 and len(line.strip()) == 16 for line in lines)
        return bool(found) and found[0] is not None and not tall

    def items(self, text: str, asked: Asked) -> Iterator[Item]:
        del asked
        family = family_named(SUDOKU)
        for number, line in numbered(text):
            parts = _PART.findall(line.partition("#")[0])
            at = _grid(parts)
            note = line.partition("#")[2]
            if at is None:
                sizes = ", ".join(map(str, _CELLS))
                got = f"{len(parts[0])}" if parts else "none"
                yield Item(number, "", SUDOKU, None, problem=f"expected a whole grid of {sizes} cells, got {got} characters")
                continue
            grid, rest = parts[at].translate(_OPEN), parts[at + 1 :]
            solved = bool(rest) and len(rest[0]) == len(grid) and bool(_SOLVED.fullmatch(rest[0]))
            name = " ".join([*parts[:at], *rest[solved:], *note.split()])
            try:
                yield Item(number, name, SUDOKU, puzzle_of(grid, family), rest[0] if solved else None)
            except BadInput as error:
                yield Item(number, name, SUDOKU, None, rest[0] if solved else None, str(error))


def _grid(parts: list[str]) -> int | None:
    """The place of the part that is a whole grid: the longest of those that may be one; names and hashes stand beside it."""
    sized = [(len(part), -i) for i, part in enumerate(parts) if len(part) in _CELLS and _is_grid(part.translate(_OPEN))]
    return -max(sized)[1] if sized else None


def _is_grid(part: str) -> bool:
    most = {16: 4, 36: 6, 64: 8, 81: 9}.get(len(part), 0)
    return bool(_DIGITS.fullmatch(part)) if most else bool(re.fullmatch(r"[0-9A-Za-z.]+", part))


class _Text:
    name = "text"
    about = "the text forms of docs/formats.md: a heading with the family's name, and the lines below it"

    def fits(self, head: str, asked: Asked) -> bool:
        words = next((line.split() for _, line in numbered(head)), [])
        return bool(words) and (words[0].casefold() in families() or bool(asked.family))

    def items(self, text: str, asked: Asked) -> Iterator[Item]:
        try:
            for entry in entries(text, asked.family or None):
                problem = re.sub(rf"^line {entry.line} ", "", entry.problem)
                yield Item(entry.line, entry.name, entry.family, entry.puzzle, problem=problem)
        except NONSENSE as error:  # what a family's own reader does not foresee ends this file, and says so
            yield Item(1, "", "", None, problem=printable(f"cannot be read on ({type(error).__name__}: {error})"))


GRIDS, TEXT = _Grids(), _Text()
