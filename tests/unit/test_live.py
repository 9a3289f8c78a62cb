"""Rows that are made as they are asked for, for environments that never run out."""

from __future__ import annotations

from dataclasses import replace

import pytest

import puzzlemill.envs.live as live_rows
from puzzlemill.core.errors import BadParams
from puzzlemill.envs.live import Live
from puzzlemill.factory.build import GroupResult, build_group
from puzzlemill.factory.recipe import Recipe, Stratum
from puzzlemill.scoring.score import score


def test_a_number_decides_its_row() -> None:
    """Training that is begun again must see the same puzzles, in whatever order they are asked for."""
    live, again = (Live("binario", seed="live", params={"rows": 6, "cols": [6, 8]}) for _ in range(2))
    rows = [live.row(i) for i in range(6)]
    assert [again.row(i) for i in reversed(range(6))] == rows[::-1]
    assert len({row["id"] for row in rows}) == 6
    assert all(score(row["gold_reply"], row).solved for row in rows)
    assert {row["prompt"].count("8 columns") for row in rows} == {0, 1}, "values of a list take turns"
    other = Live("binario", seed="other", params={"rows": 6, "cols": [6, 8]})
    assert not {row["canonical_key"] for row in rows} & {other.row(i)["canonical_key"] for i in range(6)}


def test_transformed_and_canonical_puzzles_are_mixed() -> None:
    """If every puzzle had no answer, always saying so would be the best policy."""
    live = Live("sudoku", seed="live", params={"size": 6}, transforms=["clash"])
    statuses = [live.row(i)["status"] for i in range(30)]
    assert 6 <= statuses.count("unsolvable") <= 24


def test_a_band_is_kept() -> None:
    live = Live("sudoku", seed="live", params={"size": 9}, band="easy")
    assert {live.row(i)["difficulty"]["band"] for i in range(3)} == {"easy"}


def test_a_group_that_is_given_up_is_replaced_by_one_of_no_other_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same group is tried eight times over, or the row of another number is given twice."""
    asked: list[int] = []

    def failing(recipe: Recipe, part: Stratum, split: str, number: int) -> GroupResult:
        asked.append(number)
        found = build_group(recipe, part, split, number)
        return replace(found, rows=()) if len(asked) < 3 else found

    monkeypatch.setattr(live_rows, "build_group", failing)
    assert Live("sudoku", seed="live", params={"size": 4}).row(5)["family"] == "sudoku"
    assert asked[0] == 5 and len(set(asked)) == 3 and min(asked[1:]) >= 1 << 60


@pytest.mark.parametrize("number", [-1, 1 << 60, True, "1"])
def test_other_numbers_are_refused(number: int) -> None:
    with pytest.raises(BadParams, match="numbered from 0"):
        Live("sudoku", seed="live", params={"size": 4}).row(number)


def test_what_makes_no_puzzle_is_refused() -> None:
    """At once where the parameters say so, and after a number of draws where nothing usable comes of them."""
    with pytest.raises(BadParams, match=r"sudoku\.size"):
        Live("sudoku", seed="live", params={"size": 7})
    with pytest.raises(BadParams, match="no puzzle number 0 in 8 groups"):
        Live("hanoi", seed="live", params={"disks": 3}, band="hard").row(0)
