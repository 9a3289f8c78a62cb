"""The checker of steps: every step of a deduction follows from what it names, by the clauses of the family's model.

A step's conclusions are denied one by one; with the clauses of the clues and rules that the step names, and the conclusions of
the earlier steps that it names, each denial must be unsatisfiable. So a step that leans on anything it does not name is wrong
even if its conclusion is true. The model shares no code with the deducers.

A step that restates facts (Step.grounds) must also follow from these alone, with its rules and the clues that give no cell: so
that its sentence is true and sufficient as it stands.

Where the model is a class of hypotheses (core/model.py: Space), a conclusion must hold in the outputs of all hypotheses that fit
the clues that the step names, and whose outputs have what the earlier steps that it names concluded; a contradiction means that
for some part there is none. What a step claims of hypotheses (Step.claims) must hold of all of these as well, and those of
which the claims of a step that it names are wrong are none of these. Of a FORCED question a claim is an arrangement: the plain
checker must accept it, and in the end every slot is forced or holds 0 in one of them.

Steps about moves are checked by check_moves.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import accumulate

from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Claim, Fact, Hypothesis, Slots, Space, Step
from puzzlemill.core.types import AnyPuzzle, Clue
from puzzlemill.questions import asked
from puzzlemill.solvers import sat
from puzzlemill.solvers.deduce.check_moves import wrong_moves
from puzzlemill.solvers.lower import lower
from puzzlemill.solvers.space import outputs_of, space_of


def wrong_step(family: AnyFamily, puzzle: AnyPuzzle, steps: Sequence[Step], conflicts: int = 200_000) -> str:
    """Find the first mistake of a deduction; "" if there is none.

    Raises Discarded("budget") if the conflicts run out, ValueError if the puzzle has no clauses.

    Every step must follow, and in the end all slots are set (of a FORCED question, all that are 1 in every answer), unless the
    last step is a contradiction.
    """
    space, slots = space_of(family, puzzle), len(family.form.slots(puzzle.spec, puzzle.board))
    if space is not None:
        clues = {clue.id: clue for clue in puzzle.clues}
        wrong = _wrong(
            steps, slots, clues, lambda labels, *known: _follows(space, [clues[label] for label in labels], *known), ()
        )
    else:
        cnf = lower(family, puzzle)
        if cnf is None:
            return wrong_moves(family, puzzle, steps)
        told = (*cnf.key, *cnf.also)  # the slots that steps may speak of
        with sat.labelled(cnf, conflicts) as ask:

            def follows(labels: Sequence[str], facts: Sequence[Held], _: Sequence[Claim], step: Step) -> bool | None:
                if not all(_fits(family, puzzle, slots, claim) for claim in step.claims):
                    return False
                if step.claims and not _held(step):
                    return True
                known, wanted = [
                    [told[slot][value] if holds else -told[slot][value] for (slot, value), holds in each]
                    for each in (facts, _held(step))
                ]
                for literal in wanted or [0]:
                    fails = ask.holds(labels, [*known, -literal] if literal else known)
                    if fails is not False:
                        return None if fails is None else False
                return True

            givens = [clue.id for clue in puzzle.clues if clue.kind == "given"]
            wrong = _wrong(steps, len(told), ask.labels, follows, givens)
    if wrong or (steps and not steps[-1].sets and not steps[-1].drops and not steps[-1].claims):
        return wrong
    known = {slot for step in steps for slot, _ in step.sets if slot < slots}
    if space is not None:
        open_ = [slot for slot in _one_valued(space, puzzle.clues) if slot not in known]
        return f"{len(open_)} slots are left open" if open_ else ""
    known.update(family.clues.given_slots(puzzle))  # clues fix these outright
    if not asked(puzzle).counted:  # a FORCED question: only what holds in every answer is to be found
        shared = sat.shared(family, puzzle, conflicts)
        if shared is None or not shared[0].decided:
            raise Discarded("budget", "what is forced")
        missed = [slot for slot, value in enumerate(shared[0].backbone() or ()) if value and slot not in known]
        if missed:
            return f"{len(missed)} forced slots are left open"
        shown = [claim[1] for step in steps for claim in step.claims]
        always = {slot for slot in range(slots) if all(slot in ones for ones in shown)} - known
        given = set(family.clues.given_slots(puzzle))
        return f"{len(always - given)} slots are not shown to be free" if shown and always - given else ""
    return f"{slots - len(known)} slots are left open" if slots > len(known) else ""


def _one_valued(space: Space, clues: Sequence[Clue]) -> list[int]:
    """The slots that have the same value in all answers; every slot of a puzzle with one answer."""
    slots: list[set[int]] = []
    for part in range(space.parts()):
        slots += map(set, zip(*outputs_of(space, part, clues), strict=True))
    return [slot for slot, values in enumerate(slots) if len(values) == 1]


Held = tuple[Fact, bool]  # a slot holds a value, or does not
_Follows = Callable[[Sequence[str], Sequence[Held], Sequence[Claim], Step], bool | None]


def _held(step: Step) -> list[Held]:
    return [(fact, True) for fact in step.sets] + [(fact, False) for fact in step.drops]


def _wrong(
    steps: Sequence[Step],
    slots: int,
    labels: Collection[str],
    follows: _Follows,
    givens: Collection[str],
) -> str:
    """The first mistake of a step, "" if there is none.

    follows: whether what a step concludes follows from the clues and rules of these labels, and from facts and claims of earlier
    steps; None if that takes too much. If it concludes nothing, it is a contradiction that follows. givens: the clues that give a
    cell its value, which a step restates.
    """
    for number, step in enumerate(steps, 1):
        where = f"step {number} ({step.technique})"
        facts: list[Held] = []
        told: list[Claim] = []
        for use in step.uses:
            if use.startswith("#"):
                if not 1 <= int(use[1:]) < number:
                    return f"{where}: uses {use}, which is no earlier step"
                facts += _held(steps[int(use[1:]) - 1])
                told += steps[int(use[1:]) - 1].claims
            elif use not in labels:
                return f"{where}: uses {use!r}, which is no clue or rule of this puzzle"
        beyond = [slot for slot, _ in (*step.sets, *step.drops) if not 0 <= slot < slots]
        if beyond:
            return f"{where}: there is no slot {beyond[0]}"
        right = follows([use for use in step.uses if not use.startswith("#")], facts, told, step)
        if right is None:
            raise Discarded("budget", where)
        if not right:
            return f"{where}: does not follow from what it uses"
        wrong = _restated(step, facts, givens, follows)
        if wrong:
            return f"{where}: {wrong}"
        if not _held(step) and not step.claims and number < len(steps):
            return f"{where}: a contradiction, but the deduction goes on"
    return ""


def _restated(step: Step, facts: Sequence[Held], givens: Collection[str], follows: _Follows) -> str:
    """What is wrong with the facts that a step restates: they hold by what it uses, and are enough. "" if it restates none."""
    if step.grounds is None:
        return ""
    said: list[Held] = [(ground.fact, ground.holds) for ground in step.grounds]
    clues = [use for use in step.uses if not use.startswith("#")]
    known = set(facts)
    for fact, holds in said:
        alone = Step("", (), (fact,) if holds else (), () if holds else (fact,))
        if (fact, holds) not in known and not follows(clues, facts, (), alone):
            return "restates what does not hold"
    enough = follows([clue for clue in clues if clue not in givens], said, (), step)
    if enough is None:
        raise Discarded("budget", "what is restated")
    return "" if enough else "does not follow from what it restates"


def _fits(family: AnyFamily, puzzle: AnyPuzzle, slots: int, claim: Claim) -> bool:
    """Return whether a claim is an arrangement that keeps every rule, by the plain checker."""
    if len(claim) != 2 or claim[0] != "fits" or asked(puzzle).counted or not all(0 <= slot < slots for slot in claim[1]):
        return False
    values = tuple([int(slot in claim[1]) for slot in range(slots)])
    return not family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, values))


def _follows(space: Space, clues: Sequence[Clue], facts: Sequence[Held], told: Sequence[Claim], step: Step) -> bool:
    """Return whether what the step concludes holds of all hypotheses that fit these clues and facts, and what is told of them."""
    named = [(clue.kind, clue.args) for clue in clues]
    every: list[list[tuple[Hypothesis, Slots]]] = []
    for part in range(space.parts()):
        here = [claim for claim in told if claim[1] == part]
        found = []
        for hypothesis in space.fitting(part, named):
            if all(space.claimed(hypothesis, claim) for claim in here):
                output = space.output(part, hypothesis)
                found += [] if output is None else [(hypothesis, output)]
        every.append(found)
    if not all(every):
        return True
    starts = list(accumulate([len(found[0][1]) for found in every], initial=0))

    def agrees(output: Slots, start: int, these: Sequence[Held]) -> bool:
        here = [((slot - start, value), holds) for (slot, value), holds in these if 0 <= slot - start < len(output)]
        return all((output[slot] == value) is holds for (slot, value), holds in here)

    every = [[each for each in found if agrees(each[1], start, facts)] for found, start in zip(every, starts, strict=False)]
    if not _held(step) and not step.claims:
        return not all(every)
    right = all(agrees(output, start, _held(step)) for found, start in zip(every, starts, strict=False) for _, output in found)
    return right and all(space.claimed(each, claim) for claim in step.claims for each, _ in every[claim[1]])
