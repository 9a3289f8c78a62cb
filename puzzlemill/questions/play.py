"""A dialogue of a limited number of turns: each does an action of the game, or gives the answer.

What is hidden is not in the puzzle, so that the stored answer decides; all messages are judged by scoring/plays.py. A dialogue is
proved by what can come to light: once all outcomes are seen there is one answer, by two formulations; and what the best play
costs, by two as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, final

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.types import AnyPuzzle, QuestionKind, Rows
from puzzlemill.questions.base import Case, Certificate, Claim, PlayFigures, Prover, Recheck, Strategy, Verdict, banded, share
from puzzlemill.questions.whole import STRATEGY as WHOLE


@final
class Play(Strategy):
    kind = QuestionKind.PLAY
    dialogue = True
    may_be_unsolvable = False

    def certify(self, prover: Prover, puzzle: AnyPuzzle, answer: Any | None, hidden: Any | None) -> Certificate:
        if answer is None or hidden is None:
            raise Discarded("unsolvable", "a dialogue has an answer, and something hidden")
        known = WHOLE.certify(prover, prover.family.dialogue.revealed(puzzle, hidden), answer, None)
        play, formulations = prover.play(puzzle, hidden)
        return replace(known, formulations=(*known.formulations, *formulations), nodes=play.nodes, play=play, scope=None)

    def efforts(self, prover: Prover, puzzle: AnyPuzzle, answer: Any | None, hidden: Any | None) -> dict[str, int]:
        return WHOLE.efforts(prover, prover.family.dialogue.revealed(puzzle, hidden), answer, None)

    def recheck(self, prover: Prover, puzzle: AnyPuzzle, claim: Claim, engine: str, hidden: Any | None) -> Recheck:
        """The claim is about what comes to light."""
        return WHOLE.recheck(prover, prover.family.dialogue.revealed(puzzle, hidden), claim, engine, None)

    def judge(self, case: Case, answer: Any, rows: Rows) -> Verdict:
        verdict = super().judge(case, answer, rows)
        if verdict.solved and answer != case.gold:  # rules and clues do not determine the answer
            return Verdict(False, 0.0, share(case, answer), 1.0, "wrong", answer=rows)
        return verdict

    def difficulty(
        self, family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None, graded: Any | None, play: PlayFigures | None
    ) -> dict[str, Any]:
        """By the least expected number of actions, which is the score too."""
        if play is None:
            return super().difficulty(family, puzzle, answer, graded, play)
        return {"band": banded(family, play.exact), "tier": None, "score": round(float(play.exact), 3)}

    def graded_before_proof(self) -> bool:
        return False

    def hidden_of(self, family: AnyFamily, row: Mapping[str, Any], answer: Any | None) -> Any | None:
        return loads(family.hidden, row["hidden"] or "null", "hidden")


STRATEGY = Play()
