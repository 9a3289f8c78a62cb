"""Which slots hold 1 in every way of keeping the rules: the backbone, each slot both ways by two formulations.

The question is about the assignments of two-valued slots that keep every rule and clue. Its answer, of the same type, holds 1 in
the slots that hold 1 in all of them and 0 in the others, whether these differ or always hold 0. So it need not keep the rules
itself: the checker is shown the 1s only, and its silence does not mean that they are the right ones.

Most slots are often not forced, and "none" would be right of most: partial credit is the share of the forced slots that are named
less the share of the other open slots that are named too (Youden's J), and not below 0. Naming none or all earns 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import comb, log10
from typing import Any, final

from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import Discarded, EnginesDisagree
from puzzlemill.core.family import MALFORMED, AnyFamily
from puzzlemill.core.model import BLANK, Common
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Oracle, QuestionKind, Rows, Status
from puzzlemill.questions.base import NEEDED, Case, Certificate, Claim, Prover, Recheck, Strategy, Verdict, accepted


@final
class Forced(Strategy):
    kind = QuestionKind.FORCED
    deduced = by_clauses = True

    # ---- making

    def with_answer(self, oracle: Oracle, family: AnyFamily, draft: AnyDraft) -> AnyDraft:
        puzzle = draft.puzzle
        forced = oracle.backbone(puzzle)
        return replace(draft, answer=None if forced is None else family.form.assemble(puzzle.spec, puzzle.board, forced))

    def still_right(self, oracle: Oracle, puzzle: AnyPuzzle, other: AnyPuzzle) -> bool:
        return oracle.backbone(other) == oracle.backbone(puzzle)

    def needs(self, oracle: Oracle, puzzle: AnyPuzzle, free: AnyPuzzle) -> bool:
        return oracle.backbone(free) != oracle.backbone(puzzle)

    # ---- proving

    def certify(self, prover: Prover, puzzle: AnyPuzzle, answer: Any | None, hidden: Any | None) -> Certificate:
        """The answers by which SAT shows that slots are free must also please the plain checker."""
        family = prover.family
        found: dict[str, Common] = {}
        for engine in ("kernel", "sat", "checker"):
            if len(found) == NEEDED:
                break
            if engine == "sat":
                shared = prover.shared(puzzle)
                if shared is None:
                    continue
                result, witnesses, _ = shared
                for values in witnesses:
                    accepted(family, puzzle, values, "model:sat")
            else:
                asked = prover.common(puzzle, engine)
                if asked is None:
                    continue
                result = asked
            if result.decided:  # a spent budget leaves it to the next formulation
                found[prover.formulation(engine)] = result
        if len(found) < NEEDED:
            raise Discarded("budget", "one formulation")
        if len({each.values for each in found.values()}) > 1:
            raise EnginesDisagree({name: f"common to all: {each.values}" for name, each in found.items()}, dumps(puzzle))
        nodes = next((each.nodes for name, each in found.items() if name == prover.formulation("kernel")), None)
        forced = next(iter(found.values())).backbone()
        if forced is None:
            if answer is not None:
                raise EnginesDisagree({"generator": "an answer", **dict.fromkeys(found, "no answer")}, dumps(puzzle))
            return Certificate(Status.UNSOLVABLE, tuple(found), None, None, prover.unsat_core(puzzle), nodes)
        if answer is not None and family.form.values(puzzle.spec, puzzle.board, answer) != forced:
            claims = {"generator": "another answer", **dict.fromkeys(found, f"forced: {forced}")}
            raise EnginesDisagree(claims, dumps(puzzle))
        proved = family.form.assemble(puzzle.spec, puzzle.board, forced)
        broken = self.objections(family, puzzle, proved)
        if broken:
            claims = {"checker": f"broken: {', '.join(broken)}", **dict.fromkeys(found, f"{forced}")}
            raise EnginesDisagree(claims, dumps(puzzle))
        return Certificate(Status.UNIQUE, tuple(found), proved, None, (), nodes)

    def efforts(self, prover: Prover, puzzle: AnyPuzzle, answer: Any | None, hidden: Any | None) -> dict[str, int]:
        """SAT's are those of the proof. Z3 finds one assignment, and that no other differs in a forced slot."""
        shared = prover.shared(puzzle)
        by_sat = shared[2] if shared is not None and shared[0].decided else {}
        if answer is None:
            return by_sat | prover.by_smt(puzzle, None)
        forced = prover.family.form.values(puzzle.spec, puzzle.board, answer)
        return by_sat | prover.by_smt(puzzle, tuple([1 if value else BLANK for value in forced]))

    def prove_needed(self, prover: Prover, puzzle: AnyPuzzle, free: AnyPuzzle, rule: str, proved: Certificate) -> bool:
        """Without the rule a slot is free that was forced, as an answer shows that the plain checker accepts."""
        forced = prover.backbone(puzzle)
        shared = None if forced is None else prover.shared(free)
        if forced is None or shared is None:
            return False
        found, witnesses, _ = shared
        if not found.decided:
            raise Discarded("budget", "sat")
        for values in witnesses:
            if any(must and not value for must, value in zip(forced, values, strict=True)):
                accepted(prover.family, free, values, "model:sat")
                return True
        return False

    def recheck(self, prover: Prover, puzzle: AnyPuzzle, claim: Claim, engine: str, hidden: Any | None) -> Recheck:
        found = prover.common(puzzle, engine)
        if found is None or not found.decided:
            return Recheck(False)
        if claim.status not in (Status.UNIQUE, Status.UNSOLVABLE):
            return Recheck(True, f"status {claim.status.value} does not fit a puzzle that asks what holds in every answer")
        forced = found.backbone()
        if (forced is None) != (claim.answer is None):
            many = "no answer" if forced is None else "answers"
            return Recheck(True, f"status is {claim.status.value}, but {engine} finds {many}")
        if forced is not None and forced != prover.family.form.values(puzzle.spec, puzzle.board, claim.answer):
            return Recheck(True, f"the stored answer is not what {engine} finds to hold in every answer")
        return Recheck(True)

    # ---- judging

    def objections(self, family: AnyFamily, puzzle: AnyPuzzle, answer: Any) -> list[str]:
        if MALFORMED in family.broken_rules(puzzle, answer):
            return [MALFORMED]
        spec, board = puzzle.spec, puzzle.board
        claimed = tuple([value or BLANK for value in family.form.values(spec, board, answer)])
        return family.broken_rules(puzzle, family.form.assemble(spec, board, claimed), partial=True)

    def judge(self, case: Case, answer: Any, rows: Rows) -> Verdict:
        broken = tuple(self.objections(case.family, case.puzzle, answer))
        if case.status is Status.UNSOLVABLE or MALFORMED in broken:
            return Verdict(False, 0.0, 0.0, 1.0, "wrong", broken, answer=rows)
        gold, values = case.gold_slots, case.slots_of(answer)
        if values == gold:
            return Verdict(True, 1.0, 1.0, 1.0, "solved", answer=rows)
        named: list[list[int]] = [[], []]  # of the open slots that are not forced, and of those that are
        for s in case.open_slots:
            named[gold[s]].append(values[s])
        free, forced = [sum(each) / len(each) if each else None for each in named]
        part = max(0.0, (1.0 if forced is None else forced) - (0.0 if free is None else free))
        shown = set(range(len(values))).difference(case.open_slots)
        missed, extra = named[1].count(0), named[0].count(1) + sum([values[s] for s in shown])
        detail = f"{missed} forced {'place' if missed == 1 else 'places'} not named, {extra} named that are not forced"
        return Verdict(False, 0.0, min(part, 1.0), 1.0, "wrong", broken, detail=detail, answer=rows)

    def partly_right(self, right: int) -> int:
        return 0  # a blank place says nothing about a set

    def best_constant(self, case: Case) -> float:
        return 0.0  # naming all places or none

    # ---- grading

    def candidates_log10(self, family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None, space: float) -> float:
        """The sets of as many open slots as are forced, though nobody says how many: fewer than assignments if they are few."""
        if answer is None:
            return space
        values = family.form.values(puzzle.spec, puzzle.board, answer)
        return min(space, log10(comb(len(values) - len(set(family.clues.given_slots(puzzle))), sum(values))))

    # ---- stored rows

    def hidden_of(self, family: AnyFamily, row: Mapping[str, Any], answer: Any | None) -> Any | None:
        """The assignment that the puzzle was made from, one of those that fit."""
        return answer if row["hidden"] is None else loads(family.answer, row["hidden"], "hidden")

    def hidden_problems(self, family: AnyFamily, puzzle: AnyPuzzle, hidden: Any | None, row: Mapping[str, Any]) -> list[str]:
        broken = [] if row["hidden"] is None else family.broken_rules(puzzle, hidden)
        return [f"hidden: breaks {', '.join(broken[:5])}"] if broken else []


STRATEGY = Forced()
