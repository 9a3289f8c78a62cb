"""Hashi: what only this family promises; what all families promise is in tests/contract.

These tests hold for the copied template. Replace each when you replace the rule it is about.
"""

from __future__ import annotations

from puzzlemill.core.model import BLANK
from puzzlemill.core.rng import stream
from puzzlemill.core.types import Spec
from puzzlemill.generators.hashi import FAMILY, Params
from puzzlemill.solvers.engines import Engines


def test_the_rules_refuse_what_they_should() -> None:
    """broken_rules names the rule or the clue that is broken, and nothing else."""
    puzzle = FAMILY.examples()[1].puzzle
    assert FAMILY.broken_rules(puzzle, (0, 1, 0)) == []
    assert FAMILY.broken_rules(puzzle, (1, 1, 0)) == ["differ"]
    assert FAMILY.broken_rules(puzzle, (1, 0, 1)) == ["c2"]
    assert FAMILY.broken_rules(puzzle, (0, 1)) == ["malformed"]
    assert FAMILY.broken_rules(puzzle, (BLANK, 1, 0), partial=True) == []


def test_the_number_of_answers_is_the_one_worked_out_by_hand() -> None:
    """Without clues a row of coins has two answers; a rule too many or too few changes that."""
    spec = Spec(Params(5))
    oracle = Engines(FAMILY)
    hidden = FAMILY.sample_solution(spec, stream("hashi", 0), oracle)
    draft = FAMILY.make_puzzle(spec, hidden, stream("hashi", 1))
    assert oracle.count(draft.puzzle.with_clues(()), 10) == 2
    assert oracle.count(draft.puzzle, 10) == 1


def test_the_text_shows_the_puzzle() -> None:
    """The board stands in the prompt as its picture says."""
    assert "? T ?" in FAMILY.render(FAMILY.examples()[1].puzzle)
