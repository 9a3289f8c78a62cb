"""Human-style deduction on items at positions (PositionTable).

The board is in positions_board.py, what statements say of masks of places in positions_relations.py. Techniques by what they look
at: one attribute (positions_singles.py), one clue (positions_clues.py), several clues (positions_several.py), suppositions
(positions_ahead.py). Whole traces are compared in positions_traces.py. Findings and their sentences, which need PlaceWords
(puzzlemill/rules/positions_words.py): positions_findings.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlemill.core.model import PositionTable, Slots, Step
from puzzlemill.rules.positions_words import PlaceWords
from puzzlemill.solvers.deduce.board import Board, Look, newest
from puzzlemill.solvers.deduce.positions_ahead import LookingAhead
from puzzlemill.solvers.deduce.positions_clues import Clues
from puzzlemill.solvers.deduce.positions_findings import LONGEST, TECHNIQUES, PlaceSay, Search
from puzzlemill.solvers.deduce.positions_several import SeveralClues
from puzzlemill.solvers.deduce.positions_singles import Singles
from puzzlemill.solvers.deduce.positions_traces import first_uses, shortest
from puzzlemill.solvers.deduce.steps import sentence

__all__ = ["HARD", "MEDIUM", "TECHNIQUES", "board", "deduce", "explain"]

MEDIUM, HARD = 3, 5


def deduce(table: PositionTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    board = _Board(table, ids)
    steps = board.trace(answer)
    return first_uses(shortest(board, steps, TECHNIQUES) if answer is None else steps, table.positions)


def board(table: PositionTable, ids: Sequence[str]) -> Board:
    """The board that finds them; see the package."""
    return _Board(table, ids)


def explain(words: PlaceWords, table: PositionTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    text = sentence(PlaceSay(words, table), step)
    return text if len(text) <= LONGEST or step.within else sentence(PlaceSay(words, table, terse=True), step)


class _Board(Singles, Clues, SeveralClues, LookingAhead):
    """All techniques, in the order of their tiers; contradictions that stand come first."""

    SEARCH = Search
    TOP = 7

    def looks(self, top: int) -> Sequence[Look]:
        looks = (self._once, self._clue, self._reach, self._composite, self._subset, self._cases, self._chain)
        ends = (self._unplaced, self._unheld)
        every: list[Look] = [(look, fresh, newest) for look, fresh in zip((*looks, *ends), self.fresh, strict=True)]
        once, clue, reach, composite, subset, cases, chain, *contradictions = every
        if top < len(looks):
            return [*contradictions, *every[:top]]
        return [*contradictions, chain, once, clue, reach, composite, cases, subset]
