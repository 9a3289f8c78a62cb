"""Boards that a person fills in cell by cell: which answers are such, and what a puzzle shows of them."""

from __future__ import annotations

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import BLANK
from puzzlemill.core.types import AnyPuzzle, Layout


def by_cells(family: AnyFamily, puzzle: AnyPuzzle, layout: Layout) -> bool:
    """Return whether the answer is a grid whose cells are the slots, row by row."""
    slots = len(family.form.slots(puzzle.spec, puzzle.board))
    fixed = layout.grid and not layout.text and layout.max_rows == layout.min_rows
    return fixed and slots == layout.max_rows * len(layout.columns) > 0


def token(family: AnyFamily, puzzle: AnyPuzzle, layout: Layout, slot: int, value: int) -> str:
    """What is written into the cell of a slot for a value."""
    sizes = family.form.slots(puzzle.spec, puzzle.board)
    filled = tuple(value if s == slot else 0 for s in range(len(sizes)))
    rows = family.form.write(puzzle, family.form.assemble(puzzle.spec, puzzle.board, filled))
    wide = len(layout.columns)
    return rows[slot // wide][slot % wide]


def given_grid(family: AnyFamily, puzzle: AnyPuzzle, layout: Layout) -> list[list[str]]:
    """What the puzzle shows: of each given slot the one value that no clue forbids; "" where a cell is open."""
    sizes = family.form.slots(puzzle.spec, puzzle.board)
    wide = len(layout.columns)
    grid = [[""] * wide for _ in range(layout.max_rows)]
    ids = {clue.id for clue in puzzle.clues}
    for slot in family.clues.given_slots(puzzle):
        for value in range(sizes[slot]):
            alone = tuple(value if s == slot else BLANK for s in range(len(sizes)))
            broken = family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, alone), partial=True)
            if not ids.intersection(broken):
                grid[slot // wide][slot % wide] = token(family, puzzle, layout, slot, value)
                break
    return grid
