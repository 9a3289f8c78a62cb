"""Outcomes that do not come up alike: what the prompt says is how worlds are drawn, and what the best play is best for.

Everything is computed once more from the board alone, as the prompt tells it: a world that keeps the promise is as likely as the
product of its outcomes' numbers says.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from scipy.stats import chisquare

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import Spec
from puzzlemill.factory.make import make
from puzzlemill.generators.kumo import FAMILY, Params
from puzzlemill.kumo.domain.domain import CHANCES, Action, Domain
from puzzlemill.solvers.engines import Budget, Engines

SMALL: dict[str, Any] = {"truths": 3, "actions": 4, "domain": "invented:0", "edition": "chances", "chances": True}


def row_of(number: int, **params: Any) -> dict[str, Any]:
    return make("kumo", index=number, **{**SMALL, **params})


def board_of(row: dict[str, Any]) -> Domain:
    board = loads(puzzle_type(FAMILY), row["puzzle"], "puzzle").board
    assert isinstance(board, Domain)
    return board


def worlds(board: Domain) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """Every world that keeps the promise for one truth: it, the outcomes, and its weight."""
    for outcomes in product(*[range(action.size) for action in board.actions]):
        left = set(range(len(board.truths)))
        weight = 1
        for action, s in zip(board.actions, outcomes, strict=True):
            left -= set(action.excludes[s])
            weight *= action.chances[s]
        if len(left) == 1:
            yield left.pop(), outcomes, weight


def least(board: Domain) -> Fraction:
    """The expected number of actions of the best play, by trying every action in every state of knowledge."""

    @cache
    def total(seen: tuple[int, ...]) -> Fraction:
        """Weighted cost of all worlds that agree with what was seen; -1 where nothing was."""
        fitting = [(t, w) for t, outcomes, w in worlds(board) if all(s in (-1, o) for s, o in zip(seen, outcomes, strict=True))]
        if len({t for t, _ in fitting}) <= 1:
            return Fraction(0)
        ways = []
        for a, s in enumerate(seen):
            if s == -1:
                after = [(*seen[:a], o, *seen[a + 1 :]) for o in range(board.actions[a].size)]
                ways.append(sum([total(each) for each in after], Fraction(0)))
        return sum([w for _, w in fitting]) + min(ways)

    return total((-1,) * len(board.actions)) / sum([w for _, _, w in worlds(board)])


def test_the_best_play_is_the_best_under_the_chances_told() -> None:
    """Of ten tasks; and at least one would cost otherwise if all outcomes came up alike."""
    otherwise = 0
    for number in range(10):
        row = row_of(number)
        board = board_of(row)
        assert row["play"]["exact"] == pytest.approx(float(least(board)), abs=1e-6)
        alike = Domain(**{**_fields(board), "actions": tuple([_even(action) for action in board.actions])})
        otherwise += least(alike) != least(board)
    assert otherwise > 0


def _fields(board: Domain) -> dict[str, Any]:
    return {name: getattr(board, name) for name in Domain.__dataclass_fields__}


def _even(action: Action) -> Action:
    return Action(**{name: getattr(action, name) for name in Action.__dataclass_fields__} | {"chances": (1,) * action.size})


def test_worlds_are_drawn_as_the_prompt_says() -> None:
    """Given truths and actions, a world is drawn as often as its weight says: chi-square over 4,000 draws."""
    puzzle = loads(puzzle_type(FAMILY), row_of(0)["puzzle"], "puzzle")
    board: Domain = puzzle.board
    expected = {outcomes: weight for _, outcomes, weight in worlds(board)}
    assert len(expected) > 5 and len(set(expected.values())) > 1
    engines, rng = Engines(FAMILY, Budget(10_000, 10_000, 10_000, 10_000, 10_000)), stream("chances")
    found: Counter[tuple[int, ...]] = Counter()
    for i in range(4_000):
        actions, _, ways = engines.deal_game(FAMILY.dialogue.game(puzzle), len(board.actions), rng.child(i))
        assert list(actions) == list(range(len(board.actions)))
        found[tuple([action.shown(way) for action, way in zip(board.actions, ways, strict=True)])] += 1
    assert set(found) <= set(expected)
    total = sum(expected.values())
    seen: Sequence[int] = [found[each] for each in expected]
    assert chisquare(seen, [4_000 * weight / total for weight in expected.values()]).pvalue > 0.001


def test_the_prompt_tells_every_chance() -> None:
    row = row_of(1)
    for action in board_of(row).actions:
        assert sum(action.chances) == CHANCES and min(action.chances) >= 1 and len(action.chances) == action.size
        told = "; ".join([f"{action.clause(s)} ({chance})" for s, chance in enumerate(action.chances)])
        assert f"- {action.name}: {told}\n" in row["prompt"]
    assert "equally likely. By itself" in row["prompt"] and "as likely as any other" not in row["prompt"]
    plain = make("kumo", **{**SMALL, "chances": False})
    assert "as likely as any other" in plain["prompt"] and not any(action.chances for action in board_of(plain).actions)


def test_ways_are_outcomes_with_their_repetitions() -> None:
    action = Action("A", "do", ("x is", "y is", "z is"), ((0,), (), (1, 2)), chances=(1, 3, 2))
    domain = Domain("d", "", "", "", "", "", "", "", "", "", ("p", "q", "r"), (action,))
    assert domain.ways() == ((1, 0, 6, 0, 0, 6),)
    assert [action.shown(way) for way in range(6)] == [0, 1, 2, 1, 1, 2]
    assert Domain(**{**_fields(domain), "actions": (_even(action),)}).ways() == domain.masks()


def test_tasks_that_differ_in_a_chance_are_two_tasks() -> None:
    puzzle = loads(puzzle_type(FAMILY), row_of(0)["puzzle"], "puzzle")
    first = puzzle.board.actions[0]
    assert first.size > 1
    turned = replace(first, chances=(*first.chances[1:], first.chances[0]))
    other = replace(puzzle, board=replace(puzzle.board, actions=(turned, *puzzle.board.actions[1:])))
    assert sorted(FAMILY.symmetry(puzzle).colours) == sorted(FAMILY.symmetry(other).colours)
    most, rarest = (pick(range(first.size), key=lambda s: first.chances[s]) for pick in (max, min))
    spread = replace(first, chances=tuple([c - (s == most) + (s == rarest) for s, c in enumerate(first.chances)]))
    assert sorted(spread.chances) != sorted(first.chances)
    other = replace(puzzle, board=replace(puzzle.board, actions=(spread, *puzzle.board.actions[1:])))
    assert sorted(FAMILY.symmetry(puzzle).colours) != sorted(FAMILY.symmetry(other).colours)
    plain = [replace(action, chances=()) for action in puzzle.board.actions]
    even = replace(puzzle, board=replace(puzzle.board, actions=tuple(plain)))
    even = replace(even, spec=replace(even.spec, params=replace(even.spec.params, chances=False)))
    assert sorted(FAMILY.symmetry(puzzle).colours) != sorted(FAMILY.symmetry(even).colours)


def test_chances_are_for_dialogues() -> None:
    for params in ({"told": True}, {"actions": 21, "truths": 12}):
        with pytest.raises(BadParams, match=r"kumo\.chances"):
            FAMILY.validate(Spec(Params(**{"chances": True, **params})))
    text = FAMILY.text.format(loads(puzzle_type(FAMILY), row_of(0)["puzzle"], "puzzle"))
    for damaged in (text.replace(" play", "", 1), text.replace(" @ ", " @ 1", 1), re.sub(" @ [0-9]", "", text, count=1)):
        with pytest.raises(BadRow, match=r"^line "):
            FAMILY.text.parse(lines_of(damaged))
    assert json.loads(row_of(0)["hidden"])["outcomes"]
