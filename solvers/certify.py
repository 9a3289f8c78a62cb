"""Certificates: what is proved of a puzzle, by which formulations.

A kept row has two formulations that agree (the model, the kernel's table, a search by the plain checker: written apart, so that
an over-strong encoder cannot fool them all), and its answer passes the plain checker. A spent budget is never a proof. How a
puzzle is proved follows from its question (puzzlemill/questions).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from puzzlemill.core.codec import dumps
from puzzlemill.core.errors import Discarded, EnginesDisagree
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Finding
from puzzlemill.core.rules import added
from puzzlemill.core.types import AnyPuzzle, Status
from puzzlemill.questions import asked
from puzzlemill.questions.base import NEEDED, Certificate, Claim, Recheck, accepted
from puzzlemill.solvers.engines import FORMULATION, Budget, Engines, finding
from puzzlemill.solvers.space import scope_of

__all__ = ["NEEDED", "Certificate", "Recheck", "certify", "certify_any", "certify_imported", "efforts", "recheck"]


def certify(
    family: AnyFamily,
    puzzle: AnyPuzzle,
    answer: Any | None,
    budget: Budget,
    *,
    hidden: Any | None = None,
    expect: Status | None = None,
    idle: bool = False,
) -> Certificate:
    """Prove what holds of a puzzle.

    answer: the one the puzzle was made from, None if it was made to be unsolvable. hidden: of a PLAY question, what is hidden.
    expect: refuse any other status.
    idle: let optional rules be idle, and do not ask which are necessary.
    Raises Discarded ("ambiguous", "unsolvable", "solvable", "idle_rule", "too_short", "budget") or EnginesDisagree.
    """
    engines = Engines(family, budget)
    certificate = asked(puzzle).certify(engines, puzzle, answer, hidden)
    if expect is not None and certificate.status is not expect:
        raise Discarded("solvable" if expect is Status.UNSOLVABLE else certificate.status.value, f"expected {expect.value}")
    if certificate.status is Status.UNSOLVABLE:
        return replace(certificate, depth=engines.depth(puzzle))
    if idle:
        return certificate
    return replace(certificate, necessary=tuple(_necessary(engines, puzzle, certificate)))


def certify_any(family: AnyFamily, puzzle: AnyPuzzle, budget: Budget, answer: Any | None = None) -> Certificate:
    """Prove that a puzzle has several answers, all of which count: two formulations find two that the plain checker accepts.

    answer: the one to store, which the caller has checked; None for the first that is found. Raises Discarded or EnginesDisagree.
    """
    if not asked(puzzle).counted or family.lexical:
        # by its own list of words, which has those of one answer only, a scorer would refuse the others
        raise Discarded("ambiguous", f"a {family.name} with several answers cannot be judged")
    found: dict[str, Finding] = {}
    for engine in ("kernel", "space", "sat", "checker"):
        each = finding(family, puzzle, engine, 2, budget) if len(found) < NEEDED else None
        if isinstance(each, Finding) and each.decided(2):
            found[FORMULATION[engine]] = each
    if len(found) < NEEDED:
        raise Discarded("budget", "one formulation")
    counts = {name: len(each.answers) for name, each in found.items()}
    if len(set(counts.values())) > 1:
        raise EnginesDisagree({name: f"{count} answers" for name, count in counts.items()}, dumps(puzzle))
    if min(counts.values()) < 2:
        raise Discarded("unique" if min(counts.values()) else "unsolvable")
    for name, each in found.items():
        for values in each.answers:
            accepted(family, puzzle, values, name)
    first = next(iter(found.values()))
    nodes = first.nodes if FORMULATION["kernel"] in found else None
    kept = family.form.assemble(puzzle.spec, puzzle.board, first.answers[0]) if answer is None else answer
    return Certificate(Status.ANY, tuple(found), kept, None, (), nodes, scope=scope_of(family, puzzle))


def certify_imported(family: AnyFamily, puzzle: AnyPuzzle, budget: Budget, answer: Any | None = None) -> Certificate:
    """Prove what holds of a puzzle that was not drawn: one right answer, several or none. Optional rules may be idle.

    answer: one that keeps all rules, to store where several do. Raises Discarded or EnginesDisagree.
    """
    try:
        candidate = asked(puzzle).candidate(Engines(family, budget), puzzle)
        try:
            return certify(family, puzzle, candidate, budget)
        except Discarded as why:
            if why.reason not in ("idle_rule", "budget"):
                raise
            return certify(family, puzzle, candidate, budget, idle=True)
    except Discarded as why:
        if why.reason != "ambiguous":
            raise
        return certify_any(family, puzzle, budget, answer)


def efforts(
    family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None, budget: Budget, hidden: Any | None = None
) -> dict[str, int]:
    """Have SAT and Z3 decide what certify() proved: what they spent, by the names of `effort`, for each that can decide it.

    Both are started for this puzzle, so that figures are of it alone; proofs may use what a solver has learnt. That costs as much
    as all the rest of a row: recipes ask for it in a sample of rows. Z3 is a third opinion on the model's clauses, which no proof
    counts. answer: the proved one, None for none. Raises EnginesDisagree.
    """
    return asked(puzzle).efforts(Engines(family, budget), puzzle, answer, hidden)


def _necessary(engines: Engines, puzzle: AnyPuzzle, proved: Certificate) -> Iterator[str]:
    """The optional rules in force that add to the family's own, each proved to be needed.

    Raises Discarded("idle_rule") for a rule that changes nothing.
    """
    for name in added(engines.family.rules, puzzle.spec):
        free = replace(puzzle, spec=puzzle.spec.without_rule(name))
        if not asked(puzzle).prove_needed(engines, puzzle, free, name, proved):
            raise Discarded("idle_rule", name)
        yield name


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
    if (answer is None) != (status is Status.UNSOLVABLE):
        return Recheck(True, f"status {status.value} with {'no' if answer is None else 'an'} answer")
    if answer is not None:
        broken = asked(puzzle).objections(family, puzzle, answer)
        if broken:
            return Recheck(True, f"the stored answer breaks {', '.join(broken[:5])}")
    return asked(puzzle).recheck(Engines(family, budget), puzzle, Claim(status, answer, optimum), engine, hidden)
