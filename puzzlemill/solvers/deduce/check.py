"""The checker of steps: every step of a deduction follows from what it names, by the clauses of the family's model.

A step's conclusions are denied one by one; with the clauses of the clues and rules that the step names, and the conclusions of
the earlier steps that it names, each denial must be unsatisfiable. So a step that leans on anything it does not name is wrong
even if its conclusion is true. The model shares no code with the deducers.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlemill.core.errors import Discarded
from puzzlemill.core.model import Step
from puzzlemill.core.types import AnyFamily, AnyPuzzle
from puzzlemill.solvers import sat
from puzzlemill.solvers.lower import lower


def wrong_step(family: AnyFamily, puzzle: AnyPuzzle, steps: Sequence[Step], conflicts: int = 200_000) -> str:
    """What is wrong with a deduction, "" if nothing is.

    Raises Discarded("budget") if the conflicts run out, ValueError if the puzzle has no clauses.

    Beside the single steps: all slots are set in the end, or the last step is a contradiction.
    """
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
    known.update(family.given_slots(puzzle))
    missing = len(family.slots(puzzle.spec, puzzle.board)) - len(known)
    return f"{missing} slots are left open" if missing else ""
