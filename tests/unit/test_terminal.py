"""A puzzle played by typing."""

from __future__ import annotations

from typing import Any

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.envs.terminal import FORMAT, Terminal
from puzzlemill.factory.make import make
from puzzlemill.generators import family_named


def played(row: dict[str, Any], *lines: str) -> tuple[bool, str]:
    """(solved, everything that was told)."""
    typed = iter(lines)
    told: list[str] = []
    game = Terminal(row, lambda: next(typed, None), told.append)
    return game.play(), "\n".join(told)


@pytest.fixture(scope="module")
def sudoku() -> dict[str, Any]:
    return make("sudoku", size=4, reply_format=FORMAT)


def grid(row: dict[str, Any]) -> list[list[int]]:
    return [[value + 1 for value in line] for line in loads(family_named(row["family"]).answer, row["answer"])]


def test_a_grid_is_filled_cell_by_cell(sudoku: dict[str, Any]) -> None:
    lines = [f"r{r + 1}c{c + 1}={value}" for r, line in enumerate(grid(sudoku)) for c, value in enumerate(line)]
    solved, told = played(sudoku, *lines)
    assert solved
    assert told.endswith("Solved.")
    assert "is given." in told  # givens were set too, and refused


def test_rows_are_typed(sudoku: dict[str, Any]) -> None:
    assert played(sudoku, *[" ".join(map(str, line)) for line in grid(sudoku)])[0]


def test_what_is_broken_is_told_in_words(sudoku: dict[str, Any]) -> None:
    solved, told = played(sudoku, "1 1 1 1", "1 1 1 1", "1 1 1 1", "1 1 1 1")
    assert not solved
    assert "Not yet:" in told
    assert "broken:" in told


def test_hints_lead_to_the_answer(sudoku: dict[str, Any]) -> None:
    steps = sudoku["trace"]
    solved, told = played(sudoku, *["hint"] * (len(steps) + 1), "r1c1=.")
    assert all(step["text"] in told for step in steps)
    assert "There are no more steps" in told
    board = told.split("There are no more steps")[0].splitlines()[-4:]
    assert [[int(token) for token in line.split()] for line in board] == grid(sudoku)
    assert not solved


@pytest.mark.parametrize(
    ("line", "told"), [("r9c9=1", "no cell r9c9"), ("r1c1=x", ""), ("help", "Type 4 rows"), ("nonsense", "")]
)
def test_odd_lines_do_not_end_the_game(sudoku: dict[str, Any], line: str, told: str) -> None:
    assert told in played(sudoku, line, "quit")[1]


def test_a_puzzle_without_an_answer_is_recognised() -> None:
    row = make("sudoku", size=6, transforms=["clash"], reply_format=FORMAT)
    assert played(row, "none") == (True, played(row)[1] + "\nSolved.")
    parent = make("sudoku", size=6, reply_format=FORMAT)
    assert not played(parent, "none")[0]


def test_moves_may_be_typed_with_spaces() -> None:
    row = make("hanoi", disks=3, reply_format=FORMAT)
    moves = loads(family_named("hanoi").answer, row["answer"])
    lines = [f"{disk + 1} {'ABC'[source]} {'ABC'[target]}" for disk, source, target in moves]
    assert played(row, *lines, "")[0]
    assert "shorter way" in played(row, "1 A B", "1 B A", *lines, "")[1]
    assert row["gold_reply"] in played(row, "answer")[1]
