"""The one assignment of all slots: exactly one answer, by two formulations."""

from __future__ import annotations

from typing import Any, final

from puzzlemill.core.codec import dumps
from puzzlemill.core.errors import Discarded, EnginesDisagree
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Finding, Slots
from puzzlemill.core.types import AnyPuzzle, QuestionKind, Status
from puzzlemill.questions.base import NEEDED, Certificate, Claim, Prover, Recheck, Strategy, accepted


@final
class Whole(Strategy):
    kind = QuestionKind.WHOLE
    deduced = counted = by_clauses = True

    def certify(self, prover: Prover, puzzle: AnyPuzzle, answer: Any | None, hidden: Any | None) -> Certificate:
        family = prover.family
        found: dict[str, Finding] = {}
        made = None if answer is None else (family.form.values(puzzle.spec, puzzle.board, answer),)
        for engine in ("kernel", "space", "sat", "checker"):
            if len(found) == NEEDED:
                break
            result = prover.finding(puzzle, engine, 2, next(iter(found.values())).answers if found else made or ())
            if result is None:
                continue
            assert isinstance(result, Finding)
            if not result.decided(2):
                raise Discarded("budget", engine)
            found[prover.formulation(engine)] = result
            if len(found) == 1 and answer is not None and len(result.answers) == 2:
                raise Discarded("ambiguous")  # nothing is kept, so one opinion is enough
        if len(found) < NEEDED:
            raise Discarded("budget", "one formulation")
        _agree(family, puzzle, found, answer)
        nodes = next((each.nodes for name, each in found.items() if name == prover.formulation("kernel")), None)
        answers = next(iter(found.values())).answers
        if len(answers) == 2:
            raise Discarded("ambiguous")
        scope = prover.scope(puzzle)
        if not answers:
            if answer is not None:
                raise EnginesDisagree({"generator": "an answer", **dict.fromkeys(found, "no answer")}, dumps(puzzle))
            core = prover.unsat_core(puzzle)
            return Certificate(Status.UNSOLVABLE, tuple(found), None, None, core, nodes, scope=scope)
        proved = family.form.assemble(puzzle.spec, puzzle.board, answers[0])
        return Certificate(Status.UNIQUE, tuple(found), proved, None, (), nodes, scope=scope)

    def efforts(self, prover: Prover, puzzle: AnyPuzzle, answer: Any | None, hidden: Any | None) -> dict[str, int]:
        values = None if answer is None else prover.family.form.values(puzzle.spec, puzzle.board, answer)
        return prover.by_sat(puzzle, values) | prover.by_smt(puzzle, values)

    def recheck(self, prover: Prover, puzzle: AnyPuzzle, claim: Claim, engine: str, hidden: Any | None) -> Recheck:
        stored = None if claim.answer is None else prover.family.form.values(puzzle.spec, puzzle.board, claim.answer)
        known: tuple[Slots, ...] = () if stored is None else (stored,)
        found = prover.finding(puzzle, engine, 2, None if claim.status is Status.ANY else known)
        if not isinstance(found, Finding) or not found.decided(2 if claim.status is Status.UNIQUE else 1):
            return Recheck(False)
        count = len(found.answers)
        expected = {Status.UNIQUE: (1,), Status.UNSOLVABLE: (0,), Status.ANY: (1, 2)}.get(claim.status)
        if expected is None:
            return Recheck(True, f"status {claim.status.value} does not fit a puzzle that is asked for all of its slots")
        if count not in expected:
            many = ["no", "one", "two or more"][count]
            return Recheck(True, f"status is {claim.status.value}, but {engine} finds {many} answer(s)")
        if claim.status is Status.UNIQUE and found.answers[0] != stored:
            return Recheck(True, f"the stored answer is not the one that {engine} finds")
        return Recheck(True)


def _agree(family: AnyFamily, puzzle: AnyPuzzle, found: dict[str, Finding], answer: Any | None) -> None:
    """Same number of answers; if it is one, the same, accepted by the checker, and the one the puzzle was made from."""
    claims = {name: f"{len(each.answers)} answers" for name, each in found.items()}
    sets = [frozenset(each.answers) if len(each.answers) < 2 else None for each in found.values()]
    if len(set(claims.values())) > 1 or any(each != sets[0] for each in sets):
        raise EnginesDisagree(claims, dumps(puzzle))
    for name, each in found.items():
        for values in each.answers:
            accepted(family, puzzle, values, name)
        made = None if answer is None else family.form.values(puzzle.spec, puzzle.board, answer)
        if answer is not None and len(each.answers) == 1 and each.answers[0] != made:
            raise EnginesDisagree({name: f"the answer {each.answers[0]}", "generator": "another answer"}, dumps(puzzle))


STRATEGY = Whole()
