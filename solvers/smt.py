"""Z3 on the same clauses: another engine, not another formulation.

answers   rules are loaded once from DIMACS text (clause by clause through Python is fifty times slower) and kept; each puzzle's
          clues are pushed and popped. For checking what is already built, never while building: what Z3 learnt before may change
          what a budget allows.
effort    what a decision of one puzzle costs Z3, measured in a context of its own, so that nothing asked before counts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import z3

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import BLANK, Common, Finding, Slots
from puzzlemill.core.types import AnyPuzzle, Spec
from puzzlemill.solvers.lower import Lowered, dimacs, rules_of


def _literal(lit: int) -> Any:
    variable = z3.Bool(abs(lit))  # Z3 names the variables of a DIMACS text by their numbers
    return variable if lit > 0 else z3.Not(variable)


def _clause(lits: Sequence[int]) -> Any:
    return z3.Or([_literal(lit) for lit in lits]) if lits else z3.BoolVal(False)


def _loading(family: AnyFamily, spec: Spec[Any], board: Any) -> Any:
    rules = rules_of(family, spec, family.rules_board(board))
    assert rules is not None  # asked only for puzzles that have clauses
    solver = z3.SolverFor("QF_FD")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rules.cnf"
        path.write_text(dimacs(rules.plain, rules.top))
        solver.from_file(str(path))
    return solver


_loaded = lru_cache(maxsize=8)(_loading)
_loaded_once = lru_cache(maxsize=1)(_loading)  # of boards that no other puzzle has, with a whole lexicon in their rules


def answers(family: AnyFamily, puzzle: AnyPuzzle, cnf: Lowered, limit: int, rlimit: int) -> Finding:
    """Up to `limit` answers that differ in the key. rlimit: Z3's own deterministic unit, per call."""
    solver = (_loaded_once if family.lexical else _loaded)(family, puzzle.spec, family.rules_board(puzzle.board))
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
            values = _values(solver.model(), cnf)
            found.append(values)
            solver.add(_clause([-lits[v] for lits, v in zip(cnf.key, values, strict=True)]))
    finally:
        solver.pop()
    return Finding(tuple(found), exhausted, 0)


def common(family: AnyFamily, puzzle: AnyPuzzle, cnf: Lowered, rlimit: int) -> Common:
    """The backbone of all answers. rlimit: Z3's own deterministic unit, per call."""
    solver = (_loaded_once if family.lexical else _loaded)(family, puzzle.spec, family.rules_board(puzzle.board))
    shared: list[int] | None = None
    solver.push()
    try:
        solver.set("rlimit", rlimit)
        for clause, _ in cnf.clues:
            solver.add(_clause(clause))
        outcome = solver.check()
        if outcome == z3.sat:
            shared = list(_values(solver.model(), cnf))
            for slot, lits in enumerate(cnf.key):
                if shared[slot] == BLANK:
                    continue
                outcome = solver.check(_literal(-lits[shared[slot]]))
                if outcome == z3.unknown:
                    break
                if outcome == z3.sat:
                    other = _values(solver.model(), cnf)
                    shared = [a if a == b else BLANK for a, b in zip(shared, other, strict=True)]
    finally:
        solver.pop()
    decided = outcome != z3.unknown
    return Common(tuple(shared) if decided and shared is not None else None, decided, 0)


def _values(model: Any, cnf: Lowered) -> Slots:
    return cnf.read({lit for lits in cnf.key for lit in lits if z3.is_true(model.eval(_literal(lit), model_completion=True))})


def effort(cnf: Lowered, answer: Slots | None, rlimit: int) -> tuple[int | None, dict[str, int]]:
    """How many answers Z3 finds (0, 1, 2 for more) and its decisions and conflicts until it is sure.

    answer: the one that is known, or None for a puzzle without one; with BLANK slots, what these others hold in every answer, and
    what counts then is whether one of them can be otherwise. One fixed encoding and course: the clauses that SAT gets too
    (Lowered.narrowed) as DIMACS text, in a fresh QF_FD solver with seed 0; where there is an answer it is refused, and the solver
    shows that there is no other. (None, {}) if the budget of `rlimit` per check ran out.
    """
    context = z3.Context()
    solver = z3.SolverFor("QF_FD", context)
    solver.set("random_seed", 0)
    solver.set("rlimit", rlimit)
    solver.from_string(dimacs(cnf.narrowed(), cnf.top))
    found = solver.check()
    count = 0
    if found == z3.sat and answer is not None:
        refused = [lits[value] for lits, value in zip(cnf.key, answer, strict=True) if value != BLANK]
        variables = [(z3.Bool(abs(lit), context), lit) for lit in refused]
        solver.add(z3.Or([z3.Not(variable) if lit > 0 else variable for variable, lit in variables]))
        found, count = solver.check(), 1
    if found == z3.unknown:
        return None, {}
    counted = dict(iter(solver.statistics()))  # of the whole course; a figure that is 0 is left out
    return count + (found == z3.sat), {
        "smt_decisions": int(counted.get("sat decisions", 0)),
        "smt_conflicts": int(counted.get("sat conflicts", 0)),
    }
