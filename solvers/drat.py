"""Proof objects: a puzzle's claim as clauses (DIMACS) that cannot all hold, and a proof of that (DRAT) for any checker.

An unsolvable puzzle is its clauses. A puzzle with one answer is its clauses and one more that refuses this answer: if they cannot
all hold, there is no other. The puzzle is solved once more for this, with clues as plain clauses and no assumptions, by a solver
that logs what it learns and nothing else (Glucose: plain RUP, no step needs DRAT's stronger rule). Lines that take clauses out
are left out of the proof: it stays right and means the same to every checker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pysat.solvers import Solver

from puzzlemill.core.errors import BadInput, BadRow
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import BLANK, Slots
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.solvers.lower import Clause, dimacs, lower

ENGINE = "glucose4"


@dataclass(frozen=True, slots=True)
class Proof:
    """cnf: the DIMACS text, with comments that say what it states. drat: the proof's text. steps: its number of lines."""

    cnf: str
    drat: str
    steps: int


def prove(family: AnyFamily, puzzle: AnyPuzzle, answer: Slots | None, conflicts: int, notes: Sequence[str] = ()) -> Proof:
    """The claim that a puzzle has no answer (answer=None), or none but this one, as clauses with their proof.

    An answer with BLANK slots: that all the others hold these values in every answer.
    notes: further comment lines. Raises BadInput if the family's proof is no matter of clauses or `conflicts` are not enough, and
    BadRow if there is an answer, or another one.
    """
    cnf = lower(family, puzzle)
    if cnf is None:
        raise BadInput(
            f"{family.name}: a puzzle of moves is proved by an exhaustive search of its arrangements and not by clauses, so that "
            "there is no DRAT proof; `puzzlemill verify` repeats the search"
        )
    clauses = cnf.all_clauses()
    said = ["no answer: these clauses cannot all hold"]
    if answer is not None:
        clauses.append(tuple([-lits[value] for lits, value in zip(cnf.key, answer, strict=True) if value != BLANK]))
        said = ["no other answer: with the last clause, which refuses the answer, these clauses cannot all hold"]
        if BLANK in answer:
            said = ["forced: with the last clause, which refuses one of the forced slots, these clauses cannot all hold"]
    said += notes
    said += [f"slot {slot}: {' '.join(map(str, lits))}" for slot, lits in enumerate(cnf.key)]
    comments = "".join(f"c {line}\n" for line in said)
    lines = _refutation(clauses, conflicts)
    if lines is None:
        raise BadInput(f"no proof within {conflicts} conflicts; the release's recipe allows no more (proof.conflicts)")
    return Proof(comments + dimacs(clauses, cnf.top), "\n".join(lines) + "\n", len(lines))


def _refutation(clauses: list[Clause], conflicts: int) -> list[str] | None:
    """The lines of a proof that the clauses cannot all hold; None if the budget ran out. Raises BadRow if they can."""
    if not all(clauses):
        return ["0"]
    with Solver(name=ENGINE, bootstrap_with=clauses, with_proof=True) as solver:
        solver.conf_budget(conflicts)
        outcome = solver.solve_limited()
        if outcome is None or solver.accum_stats()["conflicts"] > conflicts:  # Glucose looks at its budget only now and then
            return None
        if outcome:
            raise BadRow(
                "the clauses have an answer that the row's claim rules out; `puzzlemill verify` says what is wrong with it"
            )
        lines = [line for line in solver.get_proof() if not line.startswith("d")]
    # what is refuted while clauses are read is not logged; for a checker it is unit propagation
    return lines if lines and lines[-1] == "0" else [*lines, "0"]
