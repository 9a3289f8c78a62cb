"""The engines by name, and the questions that families and transforms may ask.

kernel    numba on the family's table
sat       PySAT on the family's clauses
smt       Z3 on the same clauses
space     every hypothesis of the declared class, where the family's model is one
checker   a search that knows only the family's plain checker; for moves, breadth-first search over the family's graph

kernel, sat (with smt) and checker are three formulations, written apart. A puzzle that an engine has no way to decide gives None,
and one whose budget runs out gives an undecided finding; neither is ever a proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from puzzlemill.core.errors import BadParams, Discarded
from puzzlemill.core.family import AnyFamily, objections
from puzzlemill.core.model import Common, ErasureTable, Finding, Game, Graph, MovesTable, RoadsTable, Route, Slots, SumsTable
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyPuzzle, Depth, QuestionKind, Status

ENGINES = ("kernel", "space", "sat", "smt", "checker")
FORMULATION = {
    "kernel": "table:kernel",
    "space": "model:space",
    "sat": "model:sat",
    "smt": "model:smt",
    "checker": "checker:search",
}


@dataclass(frozen=True, slots=True)
class Budget:
    """How much one question may cost. Deterministic units, never seconds.

    nodes: branchings of a kernel. conflicts: of PySAT. checks: calls of a plain
    checker, or states of a plain breadth-first search. rlimit: Z3's unit. states: of a move
    graph.
    """

    nodes: int = 2_000_000
    conflicts: int = 200_000
    checks: int = 200_000
    rlimit: int = 50_000_000
    states: int = 20_000_000


def finding(family: AnyFamily, puzzle: AnyPuzzle, engine: str, limit: int, budget: Budget) -> Finding | Route | None:
    """What one engine finds; None if it has no way to decide this puzzle. Engines are imported at first use."""
    if engine == "kernel":
        from puzzlemill.solvers import kernels

        table = family.table(puzzle)
        if table is None:
            return None
        if isinstance(table, MovesTable):
            return kernels.route(table, budget.states)
        if isinstance(table, RoadsTable):
            from puzzlemill.solvers import routes

            return routes.labels(table, budget.states)
        return kernels.answers(table, limit, budget.nodes)
    if engine == "space":
        from puzzlemill.solvers import space

        declared = space.space_of(family, puzzle)
        return None if declared is None else space.answers(declared, puzzle.clues, limit, budget.checks)
    if engine in ("sat", "smt"):
        from puzzlemill.solvers import sat
        from puzzlemill.solvers.lower import lower

        cnf = lower(family, puzzle)
        if cnf is None:
            return None
        if engine == "sat":
            return sat.answers(cnf, limit, budget.conflicts)[0]
        from puzzlemill.solvers import smt

        return smt.answers(family, puzzle, cnf, limit, budget.rlimit)
    if engine == "checker":
        if family.form.slots(puzzle.spec, puzzle.board):
            from puzzlemill.solvers import search

            return search.answers(family, puzzle, limit, budget.checks)
        model = family.model(puzzle.spec, puzzle.board)
        if isinstance(model, Graph):
            from puzzlemill.solvers import routes

            return routes.shortest(model, budget.checks)
        return None
    raise BadParams(f"unknown engine {engine!r}; known: {', '.join(ENGINES)}")


def common(family: AnyFamily, puzzle: AnyPuzzle, engine: str, budget: Budget) -> Common | None:
    """What one engine finds to hold in every answer; None if it has no way to decide this puzzle."""
    if engine == "kernel":
        from puzzlemill.solvers import kernels

        table = family.table(puzzle)
        return None if table is None else kernels.common(table, budget.nodes)
    if engine in ("sat", "smt"):
        from puzzlemill.solvers import sat
        from puzzlemill.solvers.lower import lower

        if engine == "sat":
            asked = sat.shared(family, puzzle, budget.conflicts)
            return None if asked is None else asked[0]
        cnf = lower(family, puzzle)
        if cnf is None:
            return None
        from puzzlemill.solvers import smt

        return smt.common(family, puzzle, cnf, budget.rlimit)
    if engine == "checker":
        from puzzlemill.solvers import search

        return search.common(family, puzzle, budget.checks)
    return None


class Engines:
    """Answers for one family: the `Oracle` of core/types.py."""

    def __init__(self, family: AnyFamily, budget: Budget | None = None) -> None:
        self.family = family
        self.budget = budget or Budget()

    def _fastest(self, puzzle: AnyPuzzle, limit: int) -> Finding:
        for engine in ("kernel", "space", "sat", "checker"):
            found = finding(self.family, puzzle, engine, limit, self.budget)
            if isinstance(found, Finding):
                if not found.decided(limit):
                    raise Discarded("budget", engine)
                return found
        raise BadParams(f"{self.family.name}: no engine counts the answers of a move puzzle; ask for its distance")

    def count(self, puzzle: AnyPuzzle, limit: int = 2) -> int:
        if _routes(puzzle):
            return int(self.shortest_route(puzzle).length is not None)  # routes are not counted: one or none
        return len(self._fastest(puzzle, limit).answers)

    def answers(self, puzzle: AnyPuzzle, limit: int) -> tuple[Slots, ...]:
        """Up to `limit` different answers."""
        return self._fastest(puzzle, limit).answers

    def nodes(self, puzzle: AnyPuzzle) -> int:
        return self.shortest_route(puzzle).nodes if _routes(puzzle) else self._fastest(puzzle, 2).nodes

    def band(self, puzzle: AnyPuzzle) -> str | None:
        """The band of a puzzle with one answer as grade() in solvers/deduce gives it, where a kernel tells it without steps."""
        from puzzlemill.solvers import kernels

        table = self.family.table(puzzle) if puzzle.question.kind is QuestionKind.WHOLE else None
        return None if table is None else kernels.band(table)

    def backbone(self, puzzle: AnyPuzzle) -> Slots | None:
        for engine in ("kernel", "sat", "checker"):
            found = common(self.family, puzzle, engine, self.budget)
            if found is not None:
                if not found.decided:
                    raise Discarded("budget", engine)
                return found.forced()
        raise BadParams(f"{self.family.name}: no engine tells what holds in every answer of this puzzle")

    def needs(self, puzzle: AnyPuzzle, rule: str) -> bool:
        """Whether a puzzle of slots with one right reply has others without this rule; a FORCED one, another."""
        free = replace(puzzle, spec=puzzle.spec.without_rule(rule))
        if puzzle.question.kind is QuestionKind.FORCED:
            return self.backbone(free) != self.backbone(puzzle)
        return self.count(free) >= 2

    def depth(self, puzzle: AnyPuzzle) -> Depth:
        from puzzlemill.solvers import sat, space
        from puzzlemill.solvers.lower import lower

        declared = space.space_of(self.family, puzzle)
        if declared is not None:
            depth = space.depth(declared, puzzle.clues, self.budget.checks)
            if depth is None:
                raise Discarded("budget", "depth")
            return depth
        cnf = lower(self.family, puzzle)
        if cnf is not None:
            return Depth.SHALLOW if sat.refuted(cnf) else Depth.DEEP
        ruled = {rule.name for rule in puzzle.spec.rules}
        pieces = [label for label in self.family.routes.parts(puzzle) if label not in ruled]
        for piece in pieces:
            alone = puzzle
            for label in pieces:
                if label != piece:
                    alone = self.family.routes.without(alone, label)
            if not self.count(alone, 1):
                return Depth.SHALLOW
        return Depth.DEEP

    def sample(self, puzzle: AnyPuzzle, rng: Rng) -> Slots | None:
        from puzzlemill.solvers import kernels

        table = self.family.table(puzzle)
        if table is None or isinstance(table, MovesTable | RoadsTable):
            raise BadParams(f"{self.family.name}: only families with a kernel table of slots can sample answers")
        return kernels.sample(table, rng)

    def sample_with_clues(self, puzzle: AnyPuzzle, rng: Rng) -> tuple[Slots, tuple[int, ...]] | None:
        from puzzlemill.solvers import kernels

        table = self.family.table(puzzle)
        if not isinstance(table, ErasureTable | SumsTable):
            raise BadParams(f"{self.family.name}: only families with a table of erasures or of sums can devise clues")
        return kernels.devise(table, rng)

    def deal_game(self, game: Game, actions: int, rng: Rng) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        from puzzlemill.solvers.play import deal

        return deal.deal(game.excludes, game.truths, actions, game.valid, rng)

    def minimize(self, puzzle: AnyPuzzle, order: Sequence[int], keep: int) -> tuple[int, ...]:
        if not order:
            return tuple(range(len(puzzle.clues)))
        from puzzlemill.solvers import space

        table = self.family.table(puzzle)
        declared = space.space_of(self.family, puzzle)
        kept: tuple[int, ...] | None
        if declared is not None:
            kept = space.thin(declared, puzzle.clues, order, keep, self.budget.checks)
        elif table is not None:
            from puzzlemill.solvers import kernels

            kept = kernels.thin(table, order, keep, self.budget.nodes)
        else:
            from puzzlemill.solvers import sat
            from puzzlemill.solvers.lower import lower

            cnf = lower(self.family, puzzle)
            if cnf is None:
                raise BadParams(f"{self.family.name}: a move puzzle has no clues to leave out")
            kept = sat.thin(cnf, [clue.id for clue in puzzle.clues], order, keep, self.budget.conflicts)
        if kept is None:
            raise Discarded("budget", "thin")
        return kept

    def unsat_core(self, puzzle: AnyPuzzle) -> tuple[str, ...]:
        from puzzlemill.solvers import sat, space
        from puzzlemill.solvers.lower import lower

        declared = space.space_of(self.family, puzzle)
        cnf = None if declared is not None else lower(self.family, puzzle)
        labels: tuple[str, ...] | None
        if declared is not None:
            labels = space.clash(declared, puzzle.clues, self.budget.checks)
        elif cnf is None:
            return self._clash_of_parts(puzzle)
        else:
            labels = sat.clash(cnf, self.budget.conflicts)
        if labels is None:
            raise Discarded("budget", "clash")
        return labels

    def _clash_of_parts(self, puzzle: AnyPuzzle) -> tuple[str, ...]:
        """Leave out part after part while there is still no route; what cannot be left out clashes."""
        if self.count(puzzle, 1):
            raise ValueError("a puzzle with an answer has no clash")
        left = puzzle
        for label in self.family.routes.parts(puzzle):
            fewer = self.family.routes.without(left, label)
            if not self.count(fewer, 1):
                left = fewer
        return self.family.routes.parts(left)

    def shortest_route(self, puzzle: AnyPuzzle) -> Route:
        for engine in ("kernel", "checker"):
            found = finding(self.family, puzzle, engine, 1, self.budget)
            if isinstance(found, Route):
                if not found.decided:
                    raise Discarded("budget", engine)
                return found
        raise BadParams(f"{self.family.name}: answers are not routes; ask for their count")

    def shortest_violating(self, puzzle: AnyPuzzle, rule: str) -> Route:
        from puzzlemill.solvers import routes

        free = replace(puzzle, spec=puzzle.spec.without_rule(rule))
        shortest = self.shortest_route(free)
        if shortest.length is None:
            return shortest
        table, without = self.family.table(puzzle), self.family.table(free)
        if isinstance(table, MovesTable) and without == replace(table, right_only=False):
            found = routes.leftward(table, shortest.length, self.budget.states)
        elif isinstance(table, RoadsTable) and isinstance(without, RoadsTable) and without == replace(table, via=()):
            for group in table.via:
                found = routes.passing(without, group, self.budget.states)
                if not found.decided or found.length == shortest.length:
                    break
            else:
                found = Route(None, True, 0)  # every shortest way comes to a place of each group
        else:
            loose, strict = (self.family.model(each.spec, each.board) for each in (free, puzzle))
            assert isinstance(loose, Graph) and isinstance(strict, Graph)  # distance() refuses what has no routes
            found = routes.straying(loose, strict, shortest.length, self.budget.checks)
        if not found.decided:
            raise Discarded("budget", f"shortest routes without {rule}")
        return shortest if found.length is None else found


def _routes(puzzle: AnyPuzzle) -> bool:
    return puzzle.question.kind is QuestionKind.LEAST


@dataclass(frozen=True, slots=True)
class Recheck:
    """decided: False if this engine could not decide the row. problem: what is wrong, "" if nothing is."""

    decided: bool
    problem: str = ""


def recheck(
    family: AnyFamily,
    puzzle: AnyPuzzle,
    status: Status,
    answer: Any,
    optimum: int | None,
    engine: str,
    budget: Budget,
    hidden: Any | None = None,
) -> Recheck:
    """Prove a stored row's claim again with one engine, and its answer with the plain checker.

    hidden: of a PLAY question, what is hidden; its claim is about what comes to light.
    """
    if puzzle.question.kind is QuestionKind.PLAY:
        puzzle = family.dialogue.revealed(puzzle, hidden)
    if (answer is None) != (status is Status.UNSOLVABLE):
        return Recheck(True, f"status {status.value} with {'no' if answer is None else 'an'} answer")
    if answer is not None:
        broken = objections(family, puzzle, answer)
        if broken:
            return Recheck(True, f"the stored answer breaks {', '.join(broken[:5])}")
    if puzzle.question.kind is QuestionKind.FORCED:
        return _recheck_forced(family, puzzle, status, answer, engine, budget)
    found = finding(family, puzzle, engine, 2, budget)
    if found is None:
        return Recheck(False)
    if isinstance(found, Route):
        return _recheck_route(family, puzzle, status, answer, optimum, found)
    if not found.decided(2 if status is Status.UNIQUE else 1):
        return Recheck(False)
    count = len(found.answers)
    expected = {Status.UNIQUE: (1,), Status.UNSOLVABLE: (0,), Status.ANY: (1, 2)}.get(status)
    if expected is None:
        return Recheck(True, f"status {status.value} does not fit a puzzle that is asked for all of its slots")
    if count not in expected:
        return Recheck(True, f"status is {status.value}, but {engine} finds {['no', 'one', 'two or more'][count]} answer(s)")
    if status is Status.UNIQUE and found.answers[0] != family.form.values(puzzle.spec, puzzle.board, answer):
        return Recheck(True, f"the stored answer is not the one that {engine} finds")
    return Recheck(True)


def _recheck_forced(family: AnyFamily, puzzle: AnyPuzzle, status: Status, answer: Any, engine: str, budget: Budget) -> Recheck:
    found = common(family, puzzle, engine, budget)
    if found is None or not found.decided:
        return Recheck(False)
    if status not in (Status.UNIQUE, Status.UNSOLVABLE):
        return Recheck(True, f"status {status.value} does not fit a puzzle that asks what holds in every answer")
    forced = found.forced()
    if (forced is None) != (answer is None):
        return Recheck(True, f"status is {status.value}, but {engine} finds {'no answer' if forced is None else 'answers'}")
    if forced is not None and forced != family.form.values(puzzle.spec, puzzle.board, answer):
        return Recheck(True, f"the stored answer is not what {engine} finds to hold in every answer")
    return Recheck(True)


def _recheck_route(
    family: AnyFamily, puzzle: AnyPuzzle, status: Status, answer: Any, optimum: int | None, found: Route
) -> Recheck:
    if not found.decided:
        return Recheck(False)
    if status is Status.UNSOLVABLE:
        return Recheck(True, "" if found.length is None else f"status is unsolvable, but there is a route of cost {found.length}")
    if status is not Status.OPTIMAL:
        return Recheck(True, f"status {status.value} does not fit a puzzle that asks for a shortest route")
    if found.length != optimum:
        return Recheck(True, f"optimum is given as {optimum}, but the shortest route costs {found.length}")
    cost = family.routes.cost(puzzle, answer)
    return Recheck(True, "" if cost == optimum else f"the stored answer costs {cost}, the optimum is {optimum}")
