"""Lazy policies: what they choose, and that the answer only judges it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from puzzlemill.core.text import lines_of
from puzzlemill.factory.lazy import Truth, constant, fewest_moves, guess, least_named, nearest_first, straight
from puzzlemill.generators import family_named

NAVIGATION, HANOI, KUMO, HITORI = [family_named(name) for name in ("navigation", "hanoi", "kumo", "hitori")]
TOWER = "hanoi\nstart\nA: {0}\nB:\nC:\ngoal\nA: {1}\nB: {2}\nC: {3}"


def test_fewest_paths_and_nearest_first() -> None:
    """Figure 24.6: the route of two paths costs 11 at least, the greedy one A D E C 13, the best one 9."""
    puzzle = NAVIGATION.text.parse(lines_of(NAVIGATION.worked[0][0]))
    answer = ((0, 3), (3, 1), (1, 2))
    assert [fewest_moves(NAVIGATION, puzzle, Truth(answer, cost)) for cost in (9, 11, 13)] == [0, 1, 0]
    assert [nearest_first(NAVIGATION, puzzle, Truth(answer, cost)) for cost in (9, 11, 13)] == [0, 0, 1]
    assert guess(NAVIGATION, puzzle, Truth(answer, 11)) == 1
    assert guess(NAVIGATION, puzzle, Truth(None)) == 0


@pytest.mark.parametrize(("boards", "length", "right"), [(("2 1", "", "1", "2"), 2, 1.0), (("2 1", "", "", "2 1"), 3, 0.0)])
def test_disks_that_go_straight_home(boards: tuple[str, ...], length: int, right: float) -> None:
    puzzle = HANOI.text.parse(lines_of(TOWER.format(*boards)))
    assert straight(HANOI, puzzle, Truth(((0, 0, 2),), length)) == right


@pytest.mark.parametrize(
    ("excludes", "valid", "answer", "chance"),
    [
        ([(0, 1), (1, 2)], 1, (3,), 1),  # 3 is never named
        ([(0, 1), (1, 2)], 1, (1,), 0),
        ([(0, 1), (0, 1)], 1, (3,), 1 / 2),  # 2 and 3 are not named
        ([(0, 1), (1, 2)], 2, (0, 3), 1 / 2),  # 3, and one of 0 and 2
        ([(0, 1), (1, 2)], 2, (0, 1), 0),
    ],
)
def test_the_least_named_truth(excludes: list[tuple[int, ...]], valid: int, answer: tuple[int, ...], chance: float) -> None:
    board = SimpleNamespace(truths=range(4), actions=[SimpleNamespace(excludes=excludes)])
    puzzle: Any = SimpleNamespace(board=board, spec=SimpleNamespace(params=SimpleNamespace(valid=valid)))
    assert least_named(KUMO, puzzle, Truth(answer)) == chance


def test_one_value_everywhere() -> None:
    puzzle = HITORI.text.parse(lines_of(HITORI.worked[0][0]))
    slots = HITORI.form.slots(puzzle.spec, puzzle.board)
    for values, right in (((0,) * len(slots), 1.0), ((1, *[0] * (len(slots) - 1)), 0.0)):
        assert constant(HITORI, puzzle, Truth(HITORI.form.assemble(puzzle.spec, puzzle.board, values))) == right
