"""The checker of steps: every step of a deduction follows from what it names, by the clauses of the family's model.

A step's conclusions are denied one by one; with the clauses of the clues and rules that the step names, and the conclusions of
the earlier steps that it names, each denial must be unsatisfiable. So a step that leans on anything it does not name is wrong
even if its conclusion is true. The model shares no code with the deducers.

Where the model is a class of hypotheses (core/model.py: Space), a conclusion must hold in the outputs of all hypotheses that fit
the clues that the step names, and whose outputs have what the earlier steps that it names concluded; a contradiction means that
for some part there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Fact, Space, Step
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.questions import asked
from puzzlemill.solvers import sat
from puzzlemill.solvers.lower import lower
from puzzlemill.solvers.space import outputs_of, space_of


def wrong_step(family: AnyFamily, puzzle: AnyPuzzle, steps: Sequence[Step], conflicts: int = 200_000) -> str:
    """What is wrong with a deduction, "" if nothing is.

    Raises Discarded("budget") if the conflicts run out, ValueError if the puzzle has no clauses.

    Beside the single steps: all slots are set in the end (of a FORCED question, all that are 1 in every answer), or the last step
    is a contradiction.
    """
    space = space_of(family, puzzle)
    if space is not None:
        return _wrong_supposition(family, puzzle, space, steps)
    cnf = lower(family, puzzle)
    if cnf is None:
        raise ValueError("a puzzle of moves has no clauses to check steps against")
    with sat.labelled(cnf, conflicts) as ask:
        concluded: list[list[int]] = []
        known: set[int] = set()  # slots that a step has set, or that clues fix outright
        for number, step in enumerate(steps, 1):
            where = f"step {number} ({step.technique})"
            labels, facts = [], []
            for use in step.uses:
                if use.startswith("#"):
                    other = int(use[1:])
                    if not 1 <= other < number:
                        return f"{where}: uses {use}, which is no earlier step"
                    facts += concluded[other - 1]
                elif use not in ask.labels:
                    return f"{where}: uses {use!r}, which is no clue or rule of this puzzle"
                else:
                    labels.append(use)
            sets = [cnf.key[slot][value] for slot, value in step.sets]
            drops = [-cnf.key[slot][value] for slot, value in step.drops]
            for literal in [*sets, *drops] or [0]:
                outcome = ask.holds(labels, [*facts, -literal] if literal else facts)
                if outcome is None:
                    raise Discarded("budget", where)
                if outcome:
                    return f"{where}: does not follow from what it uses"
            if not sets and not drops and number < len(steps):
                return f"{where}: a contradiction, but the deduction goes on"
            concluded.append([*sets, *drops])
            known.update(slot for slot, _ in step.sets)
    if steps and not steps[-1].sets and not steps[-1].drops:
        return ""
    known.update(family.clues.given_slots(puzzle))
    if not asked(puzzle).counted:  # a FORCED question: only what holds in every answer is to be found
        shared = sat.shared(family, puzzle, conflicts)
        if shared is None or not shared[0].decided:
            raise Discarded("budget", "what is forced")
        missed = [slot for slot, value in enumerate(shared[0].backbone() or ()) if value and slot not in known]
        return f"{len(missed)} forced slots are left open" if missed else ""
    missing = len(family.form.slots(puzzle.spec, puzzle.board)) - len(known)
    return f"{missing} slots are left open" if missing else ""


def _wrong_supposition(family: AnyFamily, puzzle: AnyPuzzle, space: Space, steps: Sequence[Step]) -> str:
    """As wrong_step, for a class of hypotheses."""
    clues = {clue.id: clue for clue in puzzle.clues}
    known: set[int] = set()
    for number, step in enumerate(steps, 1):
        where = f"step {number} ({step.technique})"
        facts: list[tuple[Fact, bool]] = []
        for use in step.uses:
            if use.startswith("#"):
                if not 1 <= int(use[1:]) < number:
                    return f"{where}: uses {use}, which is no earlier step"
                other = steps[int(use[1:]) - 1]
                facts += [(fact, True) for fact in other.sets] + [(fact, False) for fact in other.drops]
            elif use not in clues:
                return f"{where}: uses {use!r}, which is no clue of this puzzle"
        told = [clues[use] for use in step.uses if use in clues]
        claims = [(fact, True) for fact in step.sets] + [(fact, False) for fact in step.drops]
        outputs = [outputs_of(space, part, told) for part in range(space.parts())]
        if all(outputs):
            starts = list(accumulate([len(each[0]) for each in outputs], initial=0))
            for fact, _ in [*facts, *claims]:
                if not 0 <= fact[0] < starts[-1]:
                    return f"{where}: there is no slot {fact[0]}"
            for part, start in enumerate(starts[:-1]):
                for (slot, value), holds in facts:
                    if start <= slot < starts[part + 1]:
                        outputs[part] = [each for each in outputs[part] if (each[slot - start] == value) is holds]
            if not claims and all(outputs):
                return f"{where}: does not follow from what it uses"
            for part, start in enumerate(starts[:-1]):
                here = [claim for claim in claims if start <= claim[0][0] < starts[part + 1]]
                if any((each[slot - start] == value) is not holds for (slot, value), holds in here for each in outputs[part]):
                    return f"{where}: does not follow from what it uses"
        if not claims and number < len(steps):
            return f"{where}: a contradiction, but the deduction goes on"
        known.update(slot for slot, _ in step.sets)
    if steps and not steps[-1].sets and not steps[-1].drops:
        return ""
    missing = len(family.form.slots(puzzle.spec, puzzle.board)) - len(known)
    return f"{missing} slots are left open" if missing else ""
