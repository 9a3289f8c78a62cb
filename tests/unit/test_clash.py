"""Clash: how far it looks for a change of the wanted depth. What it makes is the contract suite's."""

from __future__ import annotations

from typing import Any

import pytest

from puzzlemill.core.errors import Discarded
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Depth, Oracle
from puzzlemill.generators import family_named
from puzzlemill.transforms.clash import GLANCES, LOOKS, QUIET, Clash
from rows import drafts

FAMILY = family_named("hitori")


class Told:
    """An engine that refutes every change, by these numbers of guesses in turn, and says that the clash has this depth.

    first: how many clashes are shallow before that.
    """

    def __init__(self, depth: Depth, *nodes: int, first: int = 0) -> None:
        self.last, self.guesses, self.first = depth, nodes, first
        self.looked = self.asked = 0

    def count(self, puzzle: AnyPuzzle, limit: int = 2) -> int:
        return 0

    def nodes(self, puzzle: AnyPuzzle) -> int:
        self.asked += 1
        return self.guesses[self.asked % len(self.guesses)]

    def depth(self, puzzle: AnyPuzzle) -> Depth:
        self.looked += 1
        return self.last if self.looked > self.first else Depth.SHALLOW

    def unsat_core(self, puzzle: AnyPuzzle) -> tuple[str, ...]:
        return tuple([clue.id for clue in puzzle.clues])


def edited(clash: Clash, told: Any, number: int = 0) -> AnyDraft | None:
    ask: Oracle = told
    try:
        return clash.edit(FAMILY, drafts(FAMILY, 1)[0], stream("tests", "clash", number), ask)
    except Discarded:
        return None


@pytest.mark.parametrize(
    ("nodes", "most"),
    [((1,), LOOKS), ((0,), QUIET), ((0, 0, 0, 0, 1), LOOKS)],
    ids=["all take a guess", "none does", "some do"],
)
def test_a_puzzle_without_the_wanted_depth_is_given_up(nodes: tuple[int, ...], most: int) -> None:
    """Finding out the depth of every change takes minutes."""
    told = Told(Depth.SHALLOW, *nodes)
    assert edited(Clash("deep_clash", Depth.DEEP), told) is None
    assert 0 < told.looked <= most + 1  # what would be taken is asked once more


def test_what_is_refuted_without_a_guess_is_looked_at_last_but_looked_at() -> None:
    """A puzzle whose deep clashes all take no guess has none."""
    told = Told(Depth.DEEP, 0, first=4)
    made = edited(Clash("deep_clash", Depth.DEEP), told)
    assert made is not None and made.answer is None and told.looked == 5


@pytest.mark.parametrize(("has", "most"), [(Depth.SHALLOW, LOOKS), (Depth.DEEP, GLANCES)])
def test_where_either_depth_will_do_the_other_is_taken_in_the_end(has: Depth, most: int) -> None:
    """A recipe of unsolvable puzzles waits for a depth that a puzzle hardly has."""
    for number in range(8):
        told = Told(has, 1)
        assert edited(Clash(), told, number) is not None
        assert told.looked <= most


def test_where_either_depth_will_do_half_are_deep_though_most_changes_are_shallow() -> None:
    """Unsolvable rows are shallow, nearly all, as the first 30 changes of a minesweeper often are."""
    looked = []
    for number in range(24):
        told = Told(Depth.DEEP, 1, first=100)
        assert edited(Clash(), told, number) is not None
        looked.append(told.looked)
    assert 6 <= looked.count(101) <= 18
