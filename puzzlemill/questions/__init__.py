"""Kinds of question, one module each: how a puzzle that asks it is made, proved, judged, graded and checked again.

whole    the one assignment of all slots
forced   which slots hold 1 in every way of keeping the rules
choice   one of several options, or a value without them
least    an answer of least cost
play     a dialogue

Standard library only, since judging travels in scorer.zip: engines come in as the Prover argument (base.py).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from puzzlemill.core.types import AnyPuzzle, QuestionKind
from puzzlemill.questions.base import Strategy


def is_dialogue(kind: str) -> bool:
    """Return whether rows with this text in the column `question` are played by messages; False if it names no kind."""
    return kind == QuestionKind.PLAY.value


@cache
def strategy(kind: QuestionKind) -> Strategy:
    """The strategy of a kind of question."""
    found: Strategy = import_module(f"{__name__}.{kind.value}").STRATEGY
    return found


def asked(puzzle: AnyPuzzle) -> Strategy:
    """The strategy of a puzzle's question."""
    return strategy(puzzle.question.kind)
