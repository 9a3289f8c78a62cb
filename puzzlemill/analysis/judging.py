"""Measures of judgements, after RiddleBench (sections 5.2, 5.3): of rows that ask for one, and of models that judge themselves.

A trial is one verdict, with what was shown: of two answers the place of the right one, of a reasoning whether it is flawed. Its
outcome is right, wrong, exhausted (cut off at the limit of tokens before a verdict) or none (a reply without a verdict). Rates
are of the trials of a kind:
  hallucination cascade  flawed reasonings of others that are endorsed (verdict YES)
  self-confirmation      the same of a model's own; that it is wrong is known of its answer
  error fixation         flawed reasonings that it endorsed once and, asked again, does not reject
A verdict NO has a correction, right or wrong, if it gives an answer. Intervals are Wilson's, with as many cases as groups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from puzzlemill.scoring.judging import ANSWERS, JUDGEMENT, NO, REASONING, YES, Said, said, sheet_of
from puzzlemill.scoring.metrics import wilson
from puzzlemill.scoring.score import corrected, prepared, score

RIGHT, WRONG, EXHAUSTED, NONE = "right", "wrong", "exhausted", "none"
OWN = "own reasoning"
NAMES = {ANSWERS: "choice of two answers", REASONING: "a reasoning", OWN: OWN}
ORDER = tuple(f"{name}{again}" for name in NAMES.values() for again in ("", ", again"))
SHOWN = ("flawed", "sound", "right one first", "right one second")


@dataclass(frozen=True, slots=True)
class Trial:
    """A verdict. kind: one of ORDER; shown: one of SHOWN. correction: the worth of the answer after NO, "" for none."""

    kind: str
    shown: str
    outcome: str
    correction: str
    group: str


@dataclass(frozen=True, slots=True)
class Rate:
    """The trials of a kind. outcomes, corrections: how many of each. low, high: 95 % interval of the share of right ones."""

    kind: str
    shown: str
    trials: int
    outcomes: Mapping[str, int]
    corrections: Mapping[str, int]
    low: float
    high: float


def trials(row: Mapping[str, Any], line: Mapping[str, Any]) -> Iterator[Trial]:
    """The verdicts in a line of a file of replies. row: with COLUMNS of puzzlemill.scoring.score."""
    calls: list[Mapping[str, Any]] = [
        step for step in line.get("steps") or () if type(step) is dict and type(step.get("reply")) is str
    ]
    if row["reply_format"] == JUDGEMENT:
        sheet = sheet_of(row)
        task, right = sheet.task, sheet.right
        kind = NAMES[task]
    else:
        if [call.get("step") for call in calls[1:2]] != ["validate"]:
            return
        own = score(calls[0]["reply"], row)
        if own.answer is None:
            return
        task, right, kind, calls = REASONING, YES if own.solved else NO, OWN, calls[1:]
    shown = {"1": "right one first", "2": "right one second", YES: "sound", NO: "flawed"}[right]
    for again, call in enumerate(calls[:2] or [line]):
        found = said(call["reply"], task)
        worth = corrected(found.correction, prepared(row)) if found.verdict == NO else ""
        yield Trial(f"{kind}{', again' * again}", shown, _outcome(found, right, call), worth, row["group_id"])


def _outcome(found: Said, right: str, call: Mapping[str, Any]) -> str:
    if found.verdict:
        return RIGHT if found.verdict == right else WRONG
    return EXHAUSTED if call.get("finish_reason") == "length" else NONE


def rates(found: Sequence[Trial]) -> list[Rate]:
    """The rates of each kind of trial, in ORDER."""
    by_kind: dict[tuple[str, str], list[Trial]] = {}
    for trial in found:
        by_kind.setdefault((trial.kind, trial.shown), []).append(trial)
    out = []
    for kind, shown in sorted(by_kind, key=lambda key: (ORDER.index(key[0]), SHOWN.index(key[1]))):
        some = by_kind[kind, shown]
        outcomes, corrections = Counter(one.outcome for one in some), Counter(one.correction for one in some)
        low, high = wilson(outcomes[RIGHT] / len(some), len({one.group for one in some}))
        out.append(Rate(kind, shown, len(some), outcomes, corrections, low, high))
    return out
