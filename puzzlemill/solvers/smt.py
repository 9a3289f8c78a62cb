"""Z3 on the same clauses: another engine, not another formulation.

The rules are loaded once from DIMACS text (clause by clause through Python is fifty times slower) and kept; each puzzle's clues
are pushed and popped. Used for checking what is already built, never while building: what Z3 learnt before may change what a
budget allows.
"""

from __future__ import annotations

import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import z3

from puzzlemill.core.model import Finding, Slots
from puzzlemill.core.types import AnyFamily, AnyPuzzle, Spec
from puzzlemill.solvers.lower import Lowered, dimacs, rules_of


def _literal(lit: int) -> Any:
    variable = z3.Bool(abs(lit))  # Z3 names the variables of a DIMACS text by their numbers
    return variable if lit > 0 else z3.Not(variable)


def _clause(lits: list[int]) -> Any:
    return z3.Or([_literal(lit) for lit in lits]) if lits else z3.BoolVal(False)


@lru_cache(maxsize=8)
def _loaded(family: AnyFamily, spec: Spec[Any], board: Any) -> Any:
    rules = rules_of(family, spec, board)
    assert rules is not None  # asked only for puzzles that have clauses
    solver = z3.SolverFor("QF_FD")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rules.cnf"
        path.write_text(dimacs(rules.plain, rules.top))
        solver.from_file(str(path))
    return solver


def answers(family: AnyFamily, puzzle: AnyPuzzle, cnf: Lowered, limit: int, rlimit: int) -> Finding:
    """Up to `limit` answers that differ in the key. rlimit: Z3's own deterministic unit, per call."""
    solver = _loaded(family, puzzle.spec, puzzle.board)
    found: list[Slots] = []
    exhausted = False
    solver.push()
    try:
        solver.set("rlimit", rlimit)
        for clause, _ in cnf.clues:
            solver.add(_clause(clause))
        while len(found) < limit:
            outcome = solver.check()
            if outcome == z3.unknown:
                break
            if outcome == z3.unsat:
                exhausted = True
                break
            model = solver.model()
            true = {lit for lits in cnf.key for lit in lits if z3.is_true(model.eval(_literal(lit), model_completion=True))}
            values = cnf.read(true)
            found.append(values)
            solver.add(_clause([-lits[v] for lits, v in zip(cnf.key, values, strict=True)]))
    finally:
        solver.pop()
    return Finding(tuple(found), exhausted, 0)
