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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from puzzlemill.core.codec import dumps
from puzzlemill.core.errors import BadParams, Discarded, EnginesDisagree
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Common, ErasureTable, Finding, Game, Graph, MovesTable, RoadsTable, Route, Slots, SumsTable
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyPuzzle, Depth
from puzzlemill.questions import asked
from puzzlemill.questions.base import PlayFigures

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
    """The most that one question may cost. Deterministic units, never seconds.

    nodes: branchings of a kernel. conflicts: of PySAT. checks: calls of a plain checker, or states of a plain breadth-first
    search. rlimit: Z3's unit. states: of a move graph.
    """

    nodes: int = 2_000_000
    conflicts: int = 200_000
    checks: int = 200_000
    rlimit: int = 50_000_000
    states: int = 20_000_000


def finding(family: AnyFamily, puzzle: AnyPuzzle, engine: str, limit: int, budget: Budget) -> Finding | Route | None:
    """One engine's finding; None if it has no way to decide this puzzle. Engines are imported at first use."""
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
        if family.lexical:
            return None
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
    """One engine's finding of what holds in every answer; None if it has no way to decide this puzzle."""
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
    """Answers for one family: the `Oracle` of core/types.py, and the `Prover` of puzzlemill/questions."""

    def __init__(self, family: AnyFamily, budget: Budget | None = None) -> None:
        self.family = family
        self.budget = budget or Budget()
        self._last: tuple[AnyPuzzle, Finding] | None = None  # a puzzle without an answer, of which more is often asked

    # ---- one engine each

    def formulation(self, engine: str) -> str:
        return FORMULATION[engine]

    def finding(
        self, puzzle: AnyPuzzle, engine: str, limit: int, expected: tuple[Slots, ...] | None = None
    ) -> Finding | Route | None:
        if expected is not None and len(expected) < limit and self._only(puzzle, engine, expected):
            return Finding(expected, True, 0)
        return finding(self.family, puzzle, engine, limit, self.budget)

    def _only(self, puzzle: AnyPuzzle, engine: str, answers: tuple[Slots, ...]) -> bool:
        """Return whether the engine has a kept solver that shows these to be all the answers, one or none."""
        if engine == "sat":
            from puzzlemill.solvers import kept

            return kept.only(self.family, puzzle, answers, self.budget.conflicts)
        if engine == "smt":
            from puzzlemill.solvers import smt
            from puzzlemill.solvers.lower import lower

            cnf = lower(self.family, puzzle)
            return cnf is not None and smt.only(self.family, puzzle, cnf, answers, self.budget.rlimit)
        return False

    def common(self, puzzle: AnyPuzzle, engine: str) -> Common | None:
        return common(self.family, puzzle, engine, self.budget)

    def shared(self, puzzle: AnyPuzzle) -> tuple[Common, Sequence[Slots], dict[str, int]] | None:
        from puzzlemill.solvers import sat

        return sat.shared(self.family, puzzle, self.budget.conflicts)

    def by_sat(self, puzzle: AnyPuzzle, answer: Slots | None) -> dict[str, int]:
        from puzzlemill.solvers import sat
        from puzzlemill.solvers.lower import lower

        cnf = lower(self.family, puzzle)
        if cnf is None:
            return {}
        found, figures = sat.answers(cnf, 2, self.budget.conflicts)
        if not found.decided(2):
            return {}
        expected = () if answer is None else (answer,)
        if found.answers != expected:
            claims = {"model:sat": f"{len(found.answers)} answers", "proved": f"{len(expected)} answers"}
            raise EnginesDisagree(claims, dumps(puzzle))
        return figures

    def by_smt(self, puzzle: AnyPuzzle, answer: Slots | None) -> dict[str, int]:
        from puzzlemill.solvers import smt
        from puzzlemill.solvers.lower import lower

        cnf = lower(self.family, puzzle)
        if cnf is None:
            return {}
        count, figures = smt.effort(cnf, answer, self.budget.rlimit)
        expected = 0 if answer is None else 1
        if count is not None and count != expected:
            raise EnginesDisagree({"model:smt": f"{count} answers", "proved": f"{expected} answers"}, dumps(puzzle))
        return figures

    def scope(self, puzzle: AnyPuzzle) -> str | None:
        from puzzlemill.solvers.space import scope_of

        return scope_of(self.family, puzzle)

    def shortest(self, puzzle: AnyPuzzle) -> Iterator[tuple[str, Route | None]]:
        from puzzlemill.solvers import routes

        table = self.family.table(puzzle)
        ways: list[tuple[str, Callable[[], Finding | Route | None]]] = [
            ("table:kernel", lambda: self.finding(puzzle, "kernel", 1)),
            ("model:breadth_first", lambda: self.finding(puzzle, "checker", 1)),
        ]
        if isinstance(table, MovesTable):
            # the plain search would only spend its budget where there are more arrangements than it may look at; of disks that
            # only go to the right it never sees most of them
            far = not table.right_only and table.pegs ** len(table.start) > self.budget.checks
            fast: list[tuple[str, Callable[[], Finding | Route | None]]] = [
                ("table:midpoint", lambda: routes.by_midpoint(table, self.budget.states)),
                ("table:layers", lambda: routes.by_layers(table, self.budget.states)),
            ]
            ways = [ways[0], *fast, ways[1]] if far else [*ways, *fast]
        elif isinstance(table, RoadsTable):
            ways = [("table:labels", ways[0][1]), ("model:dijkstra", ways[1][1])]
        for name, way in ways:
            found = way()
            yield name, found if isinstance(found, Route) else None

    def play(self, puzzle: AnyPuzzle, hidden: Any) -> tuple[PlayFigures, tuple[str, ...]]:
        from puzzlemill.solvers.play import figures

        dialogue = self.family.dialogue
        outcomes, least = dialogue.outcomes(puzzle, hidden), dialogue.least(puzzle)
        return figures.play(dialogue.game(puzzle), outcomes, self.budget.nodes, least, dumps(puzzle)), figures.FORMULATIONS

    # ---- the fastest engine that decides it

    def _fastest(self, puzzle: AnyPuzzle, limit: int) -> Finding:
        if self._last is not None and self._last[0] is puzzle:
            return self._last[1]
        for engine in ("kernel", "space", "sat", "checker"):
            found = finding(self.family, puzzle, engine, limit, self.budget)
            if isinstance(found, Finding):
                if not found.decided(limit):
                    raise Discarded("budget", engine)
                if not found.answers:
                    self._last = puzzle, found
                return found
        raise BadParams(f"{self.family.name}: no engine counts the answers of a move puzzle; ask for its distance")

    def count(self, puzzle: AnyPuzzle, limit: int = 2) -> int:
        if self._moves(puzzle):
            return int(self.shortest_route(puzzle).length is not None)  # routes are not counted: one or none
        return len(self._fastest(puzzle, limit).answers)

    def _moves(self, puzzle: AnyPuzzle) -> bool:
        """Return whether answers are routes, which are not counted."""
        return not self.family.form.slots(puzzle.spec, puzzle.board)

    def answers(self, puzzle: AnyPuzzle, limit: int) -> tuple[Slots, ...]:
        """Up to `limit` different answers."""
        return self._fastest(puzzle, limit).answers

    def nodes(self, puzzle: AnyPuzzle) -> int:
        return self.shortest_route(puzzle).nodes if self._moves(puzzle) else self._fastest(puzzle, 2).nodes

    def band(self, puzzle: AnyPuzzle) -> str | None:
        """The band of a puzzle with one answer as grade() in solvers/deduce gives it, where a kernel finds it without steps."""
        from puzzlemill.solvers.deduce import quick_band

        return quick_band(self.family, puzzle)

    def backbone(self, puzzle: AnyPuzzle) -> Slots | None:
        for engine in ("kernel", "sat", "checker"):
            found = common(self.family, puzzle, engine, self.budget)
            if found is not None:
                if not found.decided:
                    raise Discarded("budget", engine)
                return found.backbone()
        raise BadParams(f"{self.family.name}: no engine finds what holds in every answer of this puzzle")

    def needs(self, puzzle: AnyPuzzle, rule: str) -> bool:
        """Return whether a puzzle of slots with one right reply has others without this rule."""
        return asked(puzzle).needs(self, puzzle, replace(puzzle, spec=puzzle.spec.without_rule(rule)))

    def depth(self, puzzle: AnyPuzzle) -> Depth:
        from puzzlemill.solvers import sat, space

        declared = space.space_of(self.family, puzzle)
        if declared is not None:
            depth = space.depth(declared, puzzle.clues, self.budget.checks)
            if depth is None:
                raise Discarded("budget", "depth")
            return depth
        refuted = sat.refuted(self.family, puzzle)
        if refuted is not None:
            return Depth.SHALLOW if refuted else Depth.DEEP
        ruled = {rule.name for rule in puzzle.spec.rules}
        pieces = [label for label in self.family.routes.parts(puzzle) if label not in ruled]
        return Depth.DEEP if all(self.count(rest, 1) for rest in self._alone(puzzle, pieces)) else Depth.SHALLOW

    def _alone(self, puzzle: AnyPuzzle, pieces: Sequence[str]) -> Iterator[AnyPuzzle]:
        """The puzzle with each of the pieces alone."""
        half = len(pieces) // 2
        if not half:
            yield from [puzzle] * len(pieces)
            return
        for some, others in ((pieces[:half], pieces[half:]), (pieces[half:], pieces[:half])):
            rest = puzzle
            for label in others:
                rest = self.family.routes.without(rest, label)
            yield from self._alone(rest, some)

    def sample(self, puzzle: AnyPuzzle, rng: Rng) -> Slots | None:
        from puzzlemill.solvers import kernels

        table = self.family.table(puzzle)
        if table is None or isinstance(table, MovesTable | RoadsTable):
            raise BadParams(
                f"{self.family.name}: answers can be drawn by an engine only where the puzzle without clues has a table() that a "
                "kernel reads; override sample_solution, or write table()"
            )
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
            kept = space.minimize(declared, puzzle.clues, order, keep, self.budget.checks)
        elif table is not None:
            from puzzlemill.solvers import kernels

            kept = kernels.minimize(table, order, keep, self.budget.nodes)
        else:
            from puzzlemill.solvers import sat
            from puzzlemill.solvers.lower import lower

            cnf = lower(self.family, puzzle)
            if cnf is None:
                raise BadParams(f"{self.family.name}: a move puzzle has no clues to leave out")
            kept = sat.minimize(cnf, [clue.id for clue in puzzle.clues], order, keep, self.budget.conflicts)
        if kept is None:
            raise Discarded("budget", "minimize")
        return kept

    def unsat_core(self, puzzle: AnyPuzzle) -> tuple[str, ...]:
        from puzzlemill.solvers import sat, space
        from puzzlemill.solvers.lower import lower

        declared = space.space_of(self.family, puzzle)
        cnf = None if declared is not None else lower(self.family, puzzle)
        labels: tuple[str, ...] | None
        if declared is not None:
            labels = space.unsat_core(declared, puzzle.clues, self.budget.checks)
        elif cnf is None:
            return self._unsat_core_of_parts(puzzle)
        else:
            labels = sat.unsat_core(cnf, self.budget.conflicts)
        if labels is None:
            raise Discarded("budget", "unsat core")
        return labels

    def _unsat_core_of_parts(self, puzzle: AnyPuzzle) -> tuple[str, ...]:
        """Leave out part after part while there is still no route; what cannot be left out clashes."""
        if self.count(puzzle, 1):
            raise ValueError("a puzzle with an answer has no unsat core")
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
            found = routes.shortest_violating(loose, strict, shortest.length, self.budget.checks)
        if not found.decided:
            raise Discarded("budget", f"shortest routes without {rule}")
        return shortest if found.length is None else found
