"""Certificates: what is proved of a puzzle, by which formulations.

A kept row has two formulations that agree (the model, the kernel's table, a search by the plain checker: written apart, so that
an over-strong encoder cannot fool them all), and its answer passes the plain checker. A spent budget is never a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from puzzlemill.core.codec import dumps
from puzzlemill.core.errors import Discarded, EnginesDisagree
from puzzlemill.core.family import AnyFamily, objections
from puzzlemill.core.model import BLANK, Common, Finding, MovesTable, RoadsTable, Route, Slots
from puzzlemill.core.types import AnyPuzzle, Depth, QuestionKind, Status
from puzzlemill.solvers.engines import FORMULATION, Budget, Engines, common, finding
from puzzlemill.solvers.play import figures
from puzzlemill.solvers.play.figures import Play
from puzzlemill.solvers.space import scope_of

NEEDED = 2  # formulations per row


@dataclass(frozen=True, slots=True)
class Certificate:
    """status: UNIQUE, OPTIMAL or UNSOLVABLE. formulations: those that proved it, in the order asked.

    answer: the family's answer, None if unsolvable. optimum: least cost.
    clash: minimal labels, and depth, for unsolvable puzzles.
    necessary: optional rules in force without which a solvable puzzle has other answers; see _necessary.
    nodes: branchings of the kernel's solver (deterministic; 0 means that propagation alone decides), None without a kernel;
        of roads with lengths, the states that Dijkstra's search expanded.
    generated: states that the plain search of a graph put in its queue; None where it was not one of the formulations.
    scope: the declared class of hypotheses that the proof is about; None where it is about all assignments or routes.
    effort: named figures that may differ between platforms. play: of a PLAY question, what the best play costs.
    """

    status: Status
    formulations: tuple[str, ...]
    answer: Any | None
    optimum: int | None
    clash: tuple[str, ...]
    nodes: int | None
    effort: tuple[tuple[str, int], ...]
    depth: Depth | None = None
    necessary: tuple[str, ...] = ()
    scope: str | None = None
    generated: int | None = None
    play: Play | None = None


def certify(
    family: AnyFamily,
    puzzle: AnyPuzzle,
    answer: Any | None,
    budget: Budget,
    *,
    hidden: Any | None = None,
    expect: Status | None = None,
    measure: bool = True,
    idle: bool = False,
) -> Certificate:
    """Prove what holds of a puzzle.

    answer: the one the puzzle was made from, None if it was made to be unsolvable. hidden: of a PLAY question, what is hidden.
    expect: refuse any other status.
    measure: ask Z3 too, only for its figures of effort. idle: let optional rules be idle, and do not ask which are necessary.
    Raises Discarded ("ambiguous", "unsolvable", "solvable", "idle_rule", "too_short", "budget") or EnginesDisagree.
    """
    if puzzle.question.kind is QuestionKind.LEAST:
        certificate = _certify_route(family, puzzle, answer, budget)
    elif puzzle.question.kind is QuestionKind.WHOLE:
        certificate = _certify_whole(family, puzzle, answer, budget, measure)
    elif puzzle.question.kind is QuestionKind.FORCED:
        certificate = _certify_forced(family, puzzle, answer, budget, measure)
    elif puzzle.question.kind is QuestionKind.PLAY:
        certificate = _certify_play(family, puzzle, answer, hidden, budget, measure)
    else:
        raise Discarded("unproved", f"no proof is known for a question of kind {puzzle.question.kind.value}")
    if expect is not None and certificate.status is not expect:
        raise Discarded("solvable" if expect is Status.UNSOLVABLE else certificate.status.value, f"expected {expect.value}")
    if puzzle.question.kind is QuestionKind.WHOLE:
        certificate = replace(certificate, scope=scope_of(family, puzzle))
    if certificate.status is Status.UNSOLVABLE:
        return replace(certificate, depth=Engines(family, budget).depth(puzzle))
    if idle:
        return certificate
    return replace(certificate, necessary=tuple(_necessary(family, puzzle, certificate, budget)))


def _necessary(family: AnyFamily, puzzle: AnyPuzzle, proved: Certificate, budget: Budget) -> Iterator[str]:
    """The optional rules in force that add to the family's own, each proved to be needed.

    Proved how: without the rule there are two answers, and the plain checker accepts both. Where a least cost is asked
    for: without the rule that cost is another one, or a route of that cost breaks the rule, by the plain checker.
    Where it is asked what holds in every answer: without the rule a slot is free that was forced, as an answer shows that the
    plain checker accepts.
    Raises Discarded("idle_rule") for a rule that changes nothing.
    """
    engines = Engines(family, budget)
    for rule in puzzle.spec.rules:
        if rule.name in family.replaced:
            continue
        free = replace(puzzle, spec=puzzle.spec.without_rule(rule.name))
        if puzzle.question.kind is QuestionKind.FORCED:
            if not _loosens(family, free, engines.backbone(puzzle), budget):
                raise Discarded("idle_rule", rule.name)
        elif puzzle.question.kind is QuestionKind.LEAST:
            route = engines.shortest_violating(puzzle, rule.name)
            if route.length is not None:
                broken = family.broken_rules(free, route.moves)
                if broken:
                    raise EnginesDisagree({"routes": f"{route.moves}", "checker": f"broken: {', '.join(broken)}"}, dumps(free))
            if route.length == proved.optimum and not family.broken_rules(puzzle, route.moves):
                raise Discarded("idle_rule", rule.name)
        else:
            found = engines.answers(free, 2)
            if len(found) < 2:
                raise Discarded("idle_rule", rule.name)
            for values in found:
                broken = family.broken_rules(free, family.form.assemble(free.spec, free.board, values))
                if broken:
                    raise EnginesDisagree({"kernel": f"the answer {values}", "checker": f"broken: {broken}"}, dumps(free))
        yield rule.name


def _certify_whole(family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None, budget: Budget, measure: bool) -> Certificate:
    from puzzlemill.solvers import sat
    from puzzlemill.solvers.lower import lower

    found: dict[str, Finding] = {}
    effort: dict[str, int] = {}
    for engine in ("kernel", "space", "sat", "checker"):
        if len(found) == NEEDED:
            break
        if engine == "sat":
            cnf = lower(family, puzzle)
            if cnf is None:
                continue  # the model is a class of hypotheses
            result, effort = sat.answers(cnf, 2, budget.conflicts)
        else:
            asked = finding(family, puzzle, engine, 2, budget)
            if asked is None:
                continue
            assert isinstance(asked, Finding)
            result = asked
        if not result.decided(2):
            raise Discarded("budget", engine)
        found[FORMULATION[engine]] = result
        if len(found) == 1 and answer is not None and len(result.answers) == 2:
            raise Discarded("ambiguous")  # nothing is kept, so one opinion is enough
    if len(found) < NEEDED:
        raise Discarded("budget", "one formulation")
    _agree(family, puzzle, found, answer)
    nodes = next((f.nodes for name, f in found.items() if name == FORMULATION["kernel"]), None)
    answers = next(iter(found.values())).answers
    if len(answers) == 2:
        raise Discarded("ambiguous")
    formulations = tuple(found)
    if measure:
        effort |= _effort_of_z3(family, puzzle, answers[0] if answers else None, budget)
    if not answers:
        if answer is not None:
            raise EnginesDisagree({"generator": "an answer", **dict.fromkeys(found, "no answer")}, dumps(puzzle))
        clash = Engines(family, budget).unsat_core(puzzle)
        return Certificate(Status.UNSOLVABLE, formulations, None, None, clash, nodes, tuple(effort.items()))
    proved = family.form.assemble(puzzle.spec, puzzle.board, answers[0])
    return Certificate(Status.UNIQUE, formulations, proved, None, (), nodes, tuple(effort.items()))


def _certify_forced(family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None, budget: Budget, measure: bool) -> Certificate:
    """Every slot both ways by two formulations: it holds one value in all answers, or there is an answer for each.

    The answers by which SAT shows that slots are free must also please the plain checker.
    """
    from puzzlemill.solvers import sat

    found: dict[str, Common] = {}
    effort: dict[str, int] = {}
    for engine in ("kernel", "sat", "checker"):
        if len(found) == NEEDED:
            break
        if engine == "sat":
            shared = sat.shared(family, puzzle, budget.conflicts)
            if shared is None:
                continue
            result, witnesses, effort = shared
            for values in witnesses:
                broken = family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, values))
                if broken:
                    claims = {"model:sat": f"the assignment {values}", "checker": f"broken: {', '.join(broken)}"}
                    raise EnginesDisagree(claims, dumps(puzzle))
        else:
            asked = common(family, puzzle, engine, budget)
            if asked is None:
                continue
            result = asked
        if result.decided:  # a spent budget leaves it to the next formulation
            found[FORMULATION[engine]] = result
    if len(found) < NEEDED:
        raise Discarded("budget", "one formulation")
    if len({each.values for each in found.values()}) > 1:
        raise EnginesDisagree({name: f"common to all: {each.values}" for name, each in found.items()}, dumps(puzzle))
    nodes = next((each.nodes for name, each in found.items() if name == FORMULATION["kernel"]), None)
    forced = next(iter(found.values())).forced()
    if measure:  # Z3 has found one assignment, and that no other differs in a forced slot
        ones = None if forced is None else tuple([1 if value else BLANK for value in forced])
        effort = effort | _effort_of_z3(family, puzzle, ones, budget)
    figures = tuple(effort.items())
    if forced is None:
        if answer is not None:
            raise EnginesDisagree({"generator": "an answer", **dict.fromkeys(found, "no answer")}, dumps(puzzle))
        clash = Engines(family, budget).unsat_core(puzzle)
        return Certificate(Status.UNSOLVABLE, tuple(found), None, None, clash, nodes, figures)
    if answer is not None and family.form.values(puzzle.spec, puzzle.board, answer) != forced:
        raise EnginesDisagree({"generator": "another answer", **dict.fromkeys(found, f"forced: {forced}")}, dumps(puzzle))
    proved = family.form.assemble(puzzle.spec, puzzle.board, forced)
    broken = objections(family, puzzle, proved)
    if broken:
        raise EnginesDisagree({"checker": f"broken: {', '.join(broken)}", **dict.fromkeys(found, f"{forced}")}, dumps(puzzle))
    return Certificate(Status.UNIQUE, tuple(found), proved, None, (), nodes, figures)


def _certify_play(
    family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None, hidden: Any | None, budget: Budget, measure: bool
) -> Certificate:
    """Once all outcomes are seen there is one answer, by two formulations; and what the best play costs, by two as well."""
    if answer is None or hidden is None:
        raise Discarded("unsolvable", "a dialogue has an answer, and something hidden")
    told = _certify_whole(family, family.dialogue.revealed(puzzle, hidden), answer, budget, measure)
    outcomes, least = family.dialogue.outcomes(puzzle, hidden), family.dialogue.least(puzzle)
    play = figures.play(family.dialogue.game(puzzle), outcomes, budget.nodes, least, dumps(puzzle))
    return replace(told, formulations=(*told.formulations, *figures.FORMULATIONS), nodes=play.nodes, play=play)


def _loosens(family: AnyFamily, free: AnyPuzzle, forced: Slots | None, budget: Budget) -> bool:
    """Whether a puzzle without one of its rules forces other slots than these, shown by assignments that the checker accepts."""
    from puzzlemill.solvers import sat

    shared = None if forced is None else sat.shared(family, free, budget.conflicts)
    if forced is None or shared is None:
        return False
    found, witnesses, _ = shared
    if not found.decided:
        raise Discarded("budget", "sat")
    for values in witnesses:
        if any(must and not value for must, value in zip(forced, values, strict=True)):
            broken = family.broken_rules(free, family.form.assemble(free.spec, free.board, values))
            if broken:
                raise EnginesDisagree({"model:sat": f"the assignment {values}", "checker": f"broken: {broken}"}, dumps(free))
            return True
    return False


def _effort_of_z3(family: AnyFamily, puzzle: AnyPuzzle, answer: Slots | None, budget: Budget) -> dict[str, int]:
    """Z3's figures, none if its budget ran out. Raises EnginesDisagree if it decides otherwise than was proved."""
    from puzzlemill.solvers import smt
    from puzzlemill.solvers.lower import lower

    cnf = lower(family, puzzle)
    if cnf is None:
        return {}
    count, figures = smt.effort(cnf, answer, budget.rlimit)
    expected = 0 if answer is None else 1
    if count is not None and count != expected:
        raise EnginesDisagree({"model:smt": f"{count} answers", "proved": f"{expected} answers"}, dumps(puzzle))
    return figures


def _agree(family: AnyFamily, puzzle: AnyPuzzle, found: dict[str, Finding], answer: Any | None) -> None:
    """Same number of answers; if it is one, the same, accepted by the checker, and the one the puzzle was made from."""
    claims = {name: f"{len(f.answers)} answers" for name, f in found.items()}
    sets = [frozenset(f.answers) if len(f.answers) < 2 else None for f in found.values()]
    if len(set(claims.values())) > 1 or any(s != sets[0] for s in sets):
        raise EnginesDisagree(claims, dumps(puzzle))
    for name, f in found.items():
        for values in f.answers:
            broken = family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, values))
            if broken:
                raise EnginesDisagree({name: f"the answer {values}", "checker": f"broken: {', '.join(broken)}"}, dumps(puzzle))
        if answer is not None and len(f.answers) == 1 and f.answers[0] != family.form.values(puzzle.spec, puzzle.board, answer):
            raise EnginesDisagree({name: f"the answer {f.answers[0]}", "generator": "another answer"}, dumps(puzzle))


def _certify_route(family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None, budget: Budget) -> Certificate:
    from puzzlemill.solvers import routes

    table = family.table(puzzle)
    ways: list[tuple[str, Callable[[], Route | Finding | None]]] = [
        ("table:kernel", lambda: finding(family, puzzle, "kernel", 1, budget)),
        ("model:breadth_first", lambda: finding(family, puzzle, "checker", 1, budget)),
    ]
    if isinstance(table, MovesTable):
        # the plain search would only spend its budget where there are more arrangements than it may look at; of disks that only
        # go to the right it never sees most of them
        far = not table.right_only and table.pegs ** len(table.start) > budget.checks
        fast: list[tuple[str, Callable[[], Route | Finding | None]]] = [
            ("table:midpoint", lambda: routes.by_midpoint(table, budget.states)),
            ("table:layers", lambda: routes.by_layers(table, budget.states)),
        ]
        ways = [ways[0], *fast, ways[1]] if far else [*ways, *fast]
    elif isinstance(table, RoadsTable):
        ways = [("table:labels", ways[0][1]), ("model:dijkstra", ways[1][1])]
    found: dict[str, Route] = {}
    for name, way in ways:
        asked = way()
        if isinstance(asked, Route) and asked.decided:
            found[name] = asked
        if len(found) == NEEDED:
            break
    if len(found) < NEEDED:
        raise Discarded("budget", "one formulation")
    lengths = {name: route.length for name, route in found.items()}
    if len(set(lengths.values())) > 1:
        raise EnginesDisagree({name: f"a shortest route of cost {length}" for name, length in lengths.items()}, dumps(puzzle))
    optimum = next(iter(lengths.values()))
    counted = found.get("table:kernel") or found.get("model:dijkstra")
    nodes = None if counted is None else counted.nodes
    generated = next((route.generated for route in found.values() if route.generated is not None), None)
    if optimum is None:
        if answer is not None:
            raise EnginesDisagree({"generator": "an answer", **dict.fromkeys(found, "no route")}, dumps(puzzle))
        clash = Engines(family, budget).unsat_core(puzzle)
        return Certificate(Status.UNSOLVABLE, tuple(found), None, None, clash, nodes, (), generated=generated)
    if answer is None:
        raise Discarded("solvable", "made to be unsolvable")
    broken = family.broken_rules(puzzle, answer)
    if broken or family.routes.cost(puzzle, answer) != optimum:
        claim = f"broken: {', '.join(broken)}" if broken else f"a route of cost {family.routes.cost(puzzle, answer)}"
        raise EnginesDisagree({"generator": claim, **dict.fromkeys(found, f"a shortest route of cost {optimum}")}, dumps(puzzle))
    return Certificate(Status.OPTIMAL, tuple(found), answer, optimum, (), nodes, (), generated=generated)
