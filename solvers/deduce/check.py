"""The checker of steps: every step of a deduction follows from what it names, by the clauses of the family's model.

A step's conclusions are denied one by one; with the clauses of the clues and rules that the step names, and the conclusions of
the earlier steps that it names, each denial must be unsatisfiable. So a step that leans on anything it does not name is wrong
even if its conclusion is true. The model shares no code with the deducers.

A step that restates facts (Step.grounds) must also follow from these alone, with its rules and the clues that give no cell: so
that its sentence is true and sufficient as it stands.

Where the model is a class of hypotheses (core/model.py: Space), a conclusion must hold in the outputs of all hypotheses that fit
the clues that the step names, and whose outputs have what the earlier steps that it names concluded; a contradiction means that
for some part there is none. Steps about moves are checked by check_moves.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import accumulate

from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Fact, Slots, Space, Step
from puzzlemill.core.types import AnyPuzzle, Clue
from puzzlemill.questions import asked
from puzzlemill.solvers import sat
from puzzlemill.solvers.deduce.check_moves import wrong_moves
from puzzlemill.solvers.lower import lower
from puzzlemill.solvers.space import outputs_of, space_of


def wrong_step(family: AnyFamily, puzzle: AnyPuzzle, steps: Sequence[Step], conflicts: int = 200_000) -> str:
    """Find the first mistake of a deduction; "" if there is none.

    Raises Discarded("budget") if the conflicts run out.

    Every step must follow, and in the end all slots are set (of a FORCED question, all that are 1 in every answer), unless the
    last step is a contradiction.
    """
    space, slots = space_of(family, puzzle), len(family.form.slots(puzzle.spec, puzzle.board))
    if space is not None:
        clues = {clue.id: clue for clue in puzzle.clues}
        wrong = _wrong(
            steps, slots, clues, lambda labels, *facts: _follows(space, [clues[label] for label in labels], *facts), ()
        )
    else:
        cnf = lower(family, puzzle)
        if cnf is None:
            return wrong_moves(family, puzzle, steps)
        with sat.labelled(cnf, conflicts) as ask:

            def follows(labels: Sequence[str], facts: Sequence[Claim], claims: Sequence[Claim]) -> bool | None:
                known, wanted = [
                    [cnf.key[slot][value] if holds else -cnf.key[slot][value] for (slot, value), holds in each]
                    for each in (facts, claims)
                ]
                for literal in wanted or [0]:
                    fails = ask.holds(labels, [*known, -literal] if literal else known)
                    if fails is not False:
                        return None if fails is None else False
                return True

            givens = [clue.id for clue in puzzle.clues if clue.kind == "given"]
            wrong = _wrong(steps, slots, ask.labels, follows, givens)
    if wrong or (steps and not steps[-1].sets and not steps[-1].drops):
        return wrong
    known = {slot for step in steps for slot, _ in step.sets}
    if space is None:
        known.update(family.clues.given_slots(puzzle))  # clues fix these outright
    if not asked(puzzle).counted:  # a FORCED question: only what holds in every answer is to be found
        shared = sat.shared(family, puzzle, conflicts)
        if shared is None or not shared[0].decided:
            raise Discarded("budget", "what is forced")
        missed = [slot for slot, value in enumerate(shared[0].backbone() or ()) if value and slot not in known]
        return f"{len(missed)} forced slots are left open" if missed else ""
    return f"{slots - len(known)} slots are left open" if slots > len(known) else ""


Claim = tuple[Fact, bool]  # a slot holds a value, or does not
_Follows = Callable[[Sequence[str], Sequence[Claim], Sequence[Claim]], bool | None]


def _claims(step: Step) -> list[Claim]:
    return [(fact, True) for fact in step.sets] + [(fact, False) for fact in step.drops]


def _wrong(
    steps: Sequence[Step],
    slots: int,
    labels: Collection[str],
    follows: _Follows,
    givens: Collection[str],
) -> str:
    """The first mistake of a step, "" if there is none.

    follows: whether all claims follow from the clues and rules of these labels, and earlier claims; None if that takes too much.
    Without any claim it is a contradiction that follows. givens: the clues that give a cell its value, which a step restates.
    """
    for number, step in enumerate(steps, 1):
        where = f"step {number} ({step.technique})"
        facts: list[Claim] = []
        for use in step.uses:
            if use.startswith("#"):
                if not 1 <= int(use[1:]) < number:
                    return f"{where}: uses {use}, which is no earlier step"
                facts += _claims(steps[int(use[1:]) - 1])
            elif use not in labels:
                return f"{where}: uses {use!r}, which is no clue or rule of this puzzle"
        beyond = [slot for slot, _ in (*step.sets, *step.drops) if not 0 <= slot < slots]
        if beyond:
            return f"{where}: there is no slot {beyond[0]}"
        right = follows([use for use in step.uses if not use.startswith("#")], facts, _claims(step))
        if right is None:
            raise Discarded("budget", where)
        if not right:
            return f"{where}: does not follow from what it uses"
        wrong = _restated(step, facts, givens, follows)
        if wrong:
            return f"{where}: {wrong}"
        if not _claims(step) and number < len(steps):
            return f"{where}: a contradiction, but the deduction goes on"
    return ""


def _restated(step: Step, facts: Sequence[Claim], givens: Collection[str], follows: _Follows) -> str:
    """What is wrong with the facts that a step restates: they hold by what it uses, and are enough. "" if it restates none."""
    if step.grounds is None:
        return ""
    said: list[Claim] = [(ground.fact, ground.holds) for ground in step.grounds]
    clues = [use for use in step.uses if not use.startswith("#")]
    known = set(facts)
    if not all(claim in known or follows(clues, facts, [claim]) for claim in said):
        return "restates what does not hold"
    enough = follows([clue for clue in clues if clue not in givens], said, _claims(step))
    if enough is None:
        raise Discarded("budget", "what is restated")
    return "" if enough else "does not follow from what it restates"


def _follows(space: Space, clues: Sequence[Clue], facts: Sequence[Claim], claims: Sequence[Claim]) -> bool:
    """Return whether the claims hold in every output of hypotheses that fit these clues and facts."""
    outputs = [outputs_of(space, part, clues) for part in range(space.parts())]
    if not all(outputs):
        return True
    starts = list(accumulate([len(each[0]) for each in outputs], initial=0))

    def agrees(output: Slots, start: int, these: Sequence[Claim]) -> bool:
        here = [((slot - start, value), holds) for (slot, value), holds in these if 0 <= slot - start < len(output)]
        return all((output[slot] == value) is holds for (slot, value), holds in here)

    outputs = [[each for each in found if agrees(each, start, facts)] for found, start in zip(outputs, starts, strict=False)]
    if not claims:
        return not all(outputs)
    return all(agrees(each, start, claims) for found, start in zip(outputs, starts, strict=False) for each in found)
