"""Human-style deduction: which techniques a puzzle needs, and its solution as steps that each name what they follow from.

A module per type of table (core/model.py), as kernels are:

    TECHNIQUES: dict[str, int]       tier of each technique, 1 is the easiest; the last is "search"
    MEDIUM, HARD: int                the tiers at which these bands begin
    deduce(table, ids, answer) -> list[Step]
    explain(words, table, step) -> str
    board(table, ids) -> Board       if wrong values can be tried on it (supposition)

Its board builds on Board (board.py), which notes steps and looks ahead. Each technique is a Found (steps.py) with its sentence
with it; the family gives the nouns (core/words.py: Words).
ids[i] is the id of the clue table.clues[i]; answer: slot values, None if there is no answer. A deducer always takes the easiest
technique that gives anything, and steps that give nothing new are left out. It ends when every slot is set, or with a step that
concludes nothing but a contradiction. Where all of its techniques are stuck, one step "search" uses everything and sets what is
left (or ends in the contradiction): what the answer is for. Everything is plain integers, the same on every machine.
check.py replays steps against the model, which is written apart.
Of a question for least moves the answer is the list of moves; steps say why it is one, and that none is shorter (routes.py,
moves.py). There are no slots then: each of the two says what numbers its steps conclude. A trace that would be too long is left
out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from math import log10
from typing import Any

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import (
    AcrosticTable,
    CaseTable,
    CipherTable,
    CodeTable,
    DropTable,
    ErasureTable,
    ExclusionTable,
    FillTable,
    GridTable,
    KinTable,
    LatinTable,
    LinesTable,
    MinesTable,
    MovesTable,
    PhraseTable,
    PositionTable,
    RoadsTable,
    SeatTable,
    SeriesTable,
    SightTable,
    Step,
    SubstitutionTable,
    SumsTable,
    Table,
)
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.questions import asked
from puzzlemill.solvers import kernels
from puzzlemill.solvers.deduce.board import Board

_MODULES: Mapping[type, str] = {
    AcrosticTable: "acrostics",
    CaseTable: "codes",
    CipherTable: "ciphers",
    CodeTable: "codes",
    DropTable: "drops",
    ErasureTable: "erase",
    ExclusionTable: "exclusions",
    FillTable: "fills",
    GridTable: "grids",
    KinTable: "kin",
    LatinTable: "latin",
    LinesTable: "lines",
    MinesTable: "mines",
    MovesTable: "moves",
    PhraseTable: "codes",
    PositionTable: "positions",
    RoadsTable: "routes",
    SeatTable: "seats",
    SeriesTable: "series",
    SightTable: "sight",
    SubstitutionTable: "substitution",
    SumsTable: "sums",
}


@dataclass(frozen=True, slots=True)
class Grade:
    """tier: the highest among the techniques of the steps, 0 without steps. band: easy, medium or hard, by tier.

    score: log10 of 1 + the sum over steps of 3 ** (tier - 1): it grows with hard steps and with the number of steps. None where
    the steps are not asked for.
    """

    tier: int
    band: str
    score: float | None
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Supposition:
    """A wrong value that is tried and refuted, for a worked reply. It is no step of a trace.

    after: how many steps of the trace are known then. step: that the value is not so, with all that the refutation uses, so that
    check.py can replay it after the trace's own steps. fact, story, back: the value, what follows from it down to the
    contradiction, and that it is not so, in words.
    """

    after: int
    step: Step
    fact: str
    story: tuple[str, ...]
    back: str


_TRIES = 16  # places in a trace where a wrong value is tried
_LATER = 8  # steps on, at most, to the one that sets the cell
_STORY = (2, 5)  # steps of a refutation that is worth reading


def supposition(family: AnyFamily, puzzle: AnyPuzzle, steps: Sequence[Step], rng: Rng) -> Supposition | None:
    """A wrong value of a cell that a later step sets alone, refuted by easy techniques from what is known at some point.

    steps: the trace of a puzzle that has an answer. None if no such value is found in a few tries, or the table has no board().
    """
    table, words = family.deduction_table(puzzle), family.words(puzzle)
    module = _module(table)
    if not hasattr(module, "board"):
        return None
    ids = [clue.id for clue in puzzle.clues]
    for _ in range(_TRIES if len(steps) > _STORY[1] else 0):
        after = rng.below(len(steps) - 2)
        later = steps[rng.between(after + 1, min(after + _LATER, len(steps) - 1))]
        if len(later.sets) != 1:  # else it would say again what the trial has shown
            continue
        ((slot, value),) = later.sets
        board: Board = module.board(table, ids)
        board.resume(steps[:after])
        instead = board.instead(slot, value)
        trial = board.trial(*rng.pick(instead)) if instead else None
        if trial is None or not _STORY[0] <= len(trial) - 2 <= _STORY[1]:
            continue
        fact, *story, back = [module.explain(words, table, each) for each in trial]
        return Supposition(after, trial[-1], fact, tuple(story), back)
    return None


def _module(table: Table | None) -> Any:
    name = _MODULES.get(type(table))
    return None if name is None else import_module(f"{__name__}.{name}")


def grade(family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None, trace: bool = True) -> Grade | None:
    """The deduction of a puzzle asked for all of its slots, for the forced ones, for least moves, or for an option if one answer
    fits; None for other questions and tables without techniques.

    answer: as proved and stored, None if it is proved that there is none. trace: whether the steps are asked for; without them a
    kernel finds the same tier where there is one.
    """
    question = asked(puzzle)
    if not question.deduced or not question.alone(answer):
        return None
    answer = question.shown(answer)
    table = family.deduction_table(puzzle)
    module = _module(table)
    if module is None:
        return None
    if not trace and table is not None and (quick := kernels.tier(table)) is not None:
        return Grade(quick, _band(module, quick), _score([], quick), ())
    found: Any = answer  # a list of moves has no slots
    if answer is not None and not isinstance(table, (MovesTable, RoadsTable)):
        found = family.form.values(puzzle.spec, puzzle.board, answer)
    steps = _deduced(module, table, tuple([clue.id for clue in puzzle.clues]), found)
    tiers = [module.TECHNIQUES[step.technique] for step in steps]
    tier = max(tiers, default=0)
    return Grade(tier, _band(module, tier), _score(tiers if trace else [], tier), steps if trace else ())


def _band(module: Any, tier: int) -> str:
    return "easy" if tier < module.MEDIUM else "medium" if tier < module.HARD else "hard"


def _score(tiers: Sequence[int], highest: int) -> float | None:
    """The score by the tiers of all steps; None where these are not known."""
    return round(log10(1 + sum(3 ** (t - 1) for t in tiers)), 3) if tiers or not highest else None


def quick_band(family: AnyFamily, puzzle: AnyPuzzle) -> str | None:
    """The band as grade() gives it of a puzzle with one answer, where a kernel finds it without the steps; else None."""
    table = family.deduction_table(puzzle) if asked(puzzle).counted else None
    if table is None:
        return None
    tier = kernels.tier(table)
    return kernels.band(table) if tier is None else _band(_module(table), tier)


@lru_cache(maxsize=16)  # a puzzle in another style has the same steps
def _deduced(module: Any, table: Table, ids: tuple[str, ...], answer: Any) -> tuple[Step, ...]:
    return tuple(module.deduce(table, ids, answer))


def explain(family: AnyFamily, puzzle: AnyPuzzle, step: Step) -> str:
    """One step as a sentence or two in the puzzle's style; what it names by "#3" is called "step 3"."""
    return explain_all(family, puzzle, (step,))[0]


def explain_all(family: AnyFamily, puzzle: AnyPuzzle, steps: Sequence[Step]) -> list[str]:
    """Each step as explain() has it; table and words are made once."""
    table, words = family.deduction_table(puzzle), family.words(puzzle)
    module = _module(table)
    return [module.explain(words, table, step) for step in steps]


def hardest(family: AnyFamily, puzzle: AnyPuzzle, graded: Grade) -> str:
    """The technique of the highest tier among the steps of a grade, "" without steps."""
    module = _module(family.deduction_table(puzzle))
    names = [step.technique for step in graded.steps]
    return "" if module is None else max(names, key=lambda name: int(module.TECHNIQUES[name]), default="")
