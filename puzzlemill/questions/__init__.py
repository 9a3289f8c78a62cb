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
from typing import Any

from puzzlemill.core.family import AnyFamily, Family
from puzzlemill.core.types import AnyPuzzle, QuestionKind, Spec
from puzzlemill.questions.base import Strategy


def is_dialogue(kind: str) -> bool:
    """Return whether rows with this text in the column `question` are played by messages; False if it names no kind."""
    return kind == QuestionKind.PLAY.value


@cache
def strategy(kind: QuestionKind) -> Strategy:
    """The strategy of a kind of question."""
    found: Strategy = import_module(f"{__name__}.{kind.value}").STRATEGY
    return found


def may_grade(family: AnyFamily, spec: Spec[Any]) -> bool:
    """Return whether puzzles of this spec can be easy, medium or hard; False if nothing is there that would grade them.

    Deductions need a table; least moves and dialogues have figures of their own.
    """
    asks = type(strategy(family.question(spec).kind))
    tabled = type(family).table is not Family.table or type(family).deduction_table is not Family.deduction_table
    return tabled or asks.difficulty is not Strategy.difficulty


def asked(puzzle: AnyPuzzle) -> Strategy:
    """The strategy of a puzzle's question."""
    return strategy(puzzle.question.kind)
