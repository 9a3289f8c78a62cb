"""An answer of least cost, mostly a list of moves: every answer of that cost counts."""

from __future__ import annotations

from math import log10
from typing import Any, final

from puzzlemill.core.codec import dumps
from puzzlemill.core.errors import Discarded, EnginesDisagree
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Route
from puzzlemill.core.types import AnyPuzzle, Oracle, QuestionKind, Rows, Status
from puzzlemill.questions.base import (
    NEEDED,
    Case,
    Certificate,
    Claim,
    PlayFigures,
    Prover,
    Recheck,
    Strategy,
    Verdict,
    banded,
    share,
)


@final
class Least(Strategy):
    kind = QuestionKind.LEAST
    solved_status = Status.OPTIMAL
    deduced = True

    def candidate(self, oracle: Oracle, puzzle: AnyPuzzle) -> Any | None:
        return oracle.shortest_route(puzzle).moves

    # ---- proving

    def certify(self, prover: Prover, puzzle: AnyPuzzle, answer: Any | None, hidden: Any | None) -> Certificate:
        family = prover.family
        found: dict[str, Route] = {}
        for name, route in prover.shortest(puzzle):
            if route is not None and route.decided:
                found[name] = route
            if len(found) == NEEDED:
                break
        if len(found) < NEEDED:
            raise Discarded("budget", "one formulation")
        lengths = {name: route.length for name, route in found.items()}
        if len(set(lengths.values())) > 1:
            claims = {name: f"a shortest route of cost {length}" for name, length in lengths.items()}
            raise EnginesDisagree(claims, dumps(puzzle))
        optimum = next(iter(lengths.values()))
        counted = found.get("table:kernel") or found.get("model:dijkstra")
        nodes = None if counted is None else counted.nodes
        generated = next((route.generated for route in found.values() if route.generated is not None), None)
        if optimum is None:
            if answer is not None:
                raise EnginesDisagree({"generator": "an answer", **dict.fromkeys(found, "no route")}, dumps(puzzle))
            core = prover.unsat_core(puzzle)
            return Certificate(Status.UNSOLVABLE, tuple(found), None, None, core, nodes, generated=generated)
        if answer is None:
            raise Discarded("solvable", "made to be unsolvable")
        broken = family.broken_rules(puzzle, answer)
        if broken or family.routes.cost(puzzle, answer) != optimum:
            claim = f"broken: {', '.join(broken)}" if broken else f"a route of cost {family.routes.cost(puzzle, answer)}"
            proved = dict.fromkeys(found, f"a shortest route of cost {optimum}")
            raise EnginesDisagree({"generator": claim, **proved}, dumps(puzzle))
        return Certificate(Status.OPTIMAL, tuple(found), answer, optimum, (), nodes, generated=generated)

    def prove_needed(self, prover: Prover, puzzle: AnyPuzzle, free: AnyPuzzle, rule: str, proved: Certificate) -> bool:
        """Without the rule the least cost is another one, or a route of that cost breaks the rule, by the plain checker."""
        family = prover.family
        route = prover.shortest_violating(puzzle, rule)
        if route.length is not None:
            broken = family.broken_rules(free, route.moves)
            if broken:
                raise EnginesDisagree({"routes": f"{route.moves}", "checker": f"broken: {', '.join(broken)}"}, dumps(free))
        return route.length != proved.optimum or bool(family.broken_rules(puzzle, route.moves))

    def recheck(self, prover: Prover, puzzle: AnyPuzzle, claim: Claim, engine: str, hidden: Any | None) -> Recheck:
        found = prover.finding(puzzle, engine, 2)
        if not isinstance(found, Route) or not found.decided:
            return Recheck(False)
        if claim.status is Status.UNSOLVABLE:
            there = "" if found.length is None else f"status is unsolvable, but there is a route of cost {found.length}"
            return Recheck(True, there)
        if claim.status is not Status.OPTIMAL:
            return Recheck(True, f"status {claim.status.value} does not fit a puzzle that asks for a shortest route")
        if found.length != claim.optimum:
            return Recheck(True, f"optimum is given as {claim.optimum}, but the shortest route costs {found.length}")
        cost = prover.family.routes.cost(puzzle, claim.answer)
        return Recheck(True, "" if cost == claim.optimum else f"the stored answer costs {cost}, the optimum is {claim.optimum}")

    # ---- judging

    def judge(self, case: Case, answer: Any, rows: Rows) -> Verdict:
        verdict = super().judge(case, answer, rows)
        if not verdict.solved or case.optimum is None:
            return verdict
        cost = case.family.routes.cost(case.puzzle, answer)
        if cost == case.optimum:
            return verdict
        why = "not least" if cost > case.optimum else "contradiction"
        detail = f"cost {cost}, the least is {case.optimum}"
        return Verdict(False, 0.0, share(case, answer), 1.0, why, detail=detail, answer=rows)

    def check_gold(self, family: AnyFamily, puzzle: AnyPuzzle, answer: Any, optimum: int | None) -> str:
        cost = family.routes.cost(puzzle, answer)
        return "" if optimum in (None, cost) else f"optimum: the stored answer costs {cost}, the row says {optimum}"

    # ---- grading

    def difficulty(
        self, family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None, graded: Any | None, play: PlayFigures | None
    ) -> dict[str, Any]:
        """By the work that a least answer is: score = log10(1 + work); "unrated" if there is none."""
        if answer is None:
            return super().difficulty(family, puzzle, answer, None, play)
        work = family.routes.work(puzzle, answer)
        return {"band": banded(family, work), "tier": None, "score": round(log10(1 + work), 3)}


STRATEGY = Least()
