"""Kumo rows that somebody wrote: boards that mean nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadRow
from puzzlemill.core.family import puzzle_type
from puzzlemill.factory.build import build_group
from puzzlemill.factory.recipe import Recipe
from puzzlemill.generators.kumo import FAMILY
from puzzlemill.scoring.score import score


@lru_cache(maxsize=1)
def rows() -> tuple[Any, Any]:
    """A dialogue with a numeric action, and its told child."""
    told = {"name": "told", "transforms": ["told"]}
    part = {"family": "kumo", "params": {"domain": "river_fish"}, "variants": [told], "counts": {"test": 8}}
    recipe = Recipe.from_plain({"name": "hostile", "seed": "hostile", "strata": [part]})
    for index in range(8):
        found = build_group(recipe, recipe.strata[0], "test", index).rows
        if len(found) == 2 and any(action.numeric for action in puzzle_of(found[0]).board.actions):
            return found[0], found[1]
    raise AssertionError("no dialogue with a numeric action")


def puzzle_of(row: Any) -> Any:
    return loads(puzzle_type(FAMILY), row["puzzle"])


def damaged(puzzle: Any, a: int, **changes: Any) -> Any:
    """The puzzle with an action that has other fields."""
    actions = puzzle.board.actions
    return replace(puzzle, board=replace(puzzle.board, actions=(*actions[:a], replace(actions[a], **changes), *actions[a + 1 :])))


def numeric_action(puzzle: Any) -> int:
    return next(a for a, action in enumerate(puzzle.board.actions) if action.numeric)


@pytest.mark.parametrize(
    "damage",
    [
        lambda p: replace(p, board=replace(p.board, truths=p.board.truths[1:])),
        lambda p: replace(p, board=replace(p.board, truths=(p.board.truths[1], *p.board.truths[1:]))),
        lambda p: replace(p, board=replace(p.board, actions=p.board.actions[1:])),
        lambda p: replace(p, board=replace(p.board, actions=(p.board.actions[1], *p.board.actions[1:]))),
        lambda p: damaged(p, 0, excludes=()),
        lambda p: damaged(p, 0, outcomes=(), excludes=(), bounds=()),
        lambda p: damaged(p, 0, excludes=((-1,), *p.board.actions[0].excludes[1:])),
        lambda p: damaged(p, 0, excludes=((10**12,), *p.board.actions[0].excludes[1:])),
        lambda p: damaged(p, 0, excludes=((2, 1), *p.board.actions[0].excludes[1:])),
        lambda p: damaged(p, 0, chances=(6,)),
        lambda p: damaged(p, numeric_action(p), decimals=10**9),
        lambda p: damaged(p, numeric_action(p), bounds=p.board.actions[numeric_action(p)].bounds[::-1]),
        lambda p: damaged(p, numeric_action(p), bounds=tuple([10**30 + b for b in p.board.actions[numeric_action(p)].bounds])),
    ],
)
def test_a_board_that_means_nothing_is_refused_in_one_line(damage: Any) -> None:
    """A row that somebody wrote, which ends a scorer with an IndexError in the middle of a game, or takes all of its memory."""
    dialogue, told = rows()
    puzzle = damage(puzzle_of(dialogue))
    for use in (FAMILY.dialogue.game, FAMILY.form.layout, FAMILY.symmetry, FAMILY.render, FAMILY.text.format, FAMILY.draw):
        with pytest.raises(BadRow, match=r"board\.[^\n]*$"):
            use(puzzle)
    for forged in (dialogue, told):
        with pytest.raises(BadRow, match=r"board\.[^\n]*$"):
            score("", {**forged, "puzzle": dumps(damage(puzzle_of(forged)))})
