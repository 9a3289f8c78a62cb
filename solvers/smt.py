"""Z3 on the same clauses: another engine, not another formulation.

only      is this the only answer? The rules are loaded once from DIMACS text (clause by clause through Python is fifty times
          slower) and kept; each puzzle's clues are pushed, as such text too, and popped. For checking what is already built,
          never while building: what Z3 learnt before may change what a budget allows.
answers   the same for those that are not known.
effort    what a decision of one puzzle costs Z3, measured in a context of its own, so that nothing asked before counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import z3

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import BLANK, Common, Finding, Slots
from puzzlemill.core.types import AnyPuzzle, Spec
from puzzlemill.solvers.lower import Lowered, dimacs, rules_of


class _Loaded:
    """The rules of one spec and board in a solver, and the literals that were asked for."""

    def __init__(self, family: AnyFamily, spec: Spec[Any], board: Any) -> None:
        rules = rules_of(family, spec, board)
        assert rules is not None  # asked only for puzzles that have clauses
        self.solver = z3.SolverFor("QF_FD")
        self._literals: dict[int, Any] = {}
        self.state(rules.plain, rules.top)

    def state(self, clauses: Sequence[Sequence[int]], top: int) -> None:
        """Add clauses, as DIMACS text, to what is pushed."""
        if not all(clauses):
            self.solver.add(z3.BoolVal(False))
        elif clauses:
            self.solver.from_string(dimacs(clauses, top))

    def literal(self, lit: int) -> Any:
        if lit not in self._literals:
            variable = z3.Bool(abs(lit))  # Z3 names the variables of a DIMACS text by their numbers
            self._literals[lit] = variable if lit > 0 else z3.Not(variable)
        return self._literals[lit]

    def values(self, cnf: Lowered) -> Slots:
        """Slot values of the model that was found last."""
        model = self.solver.model()
        every = {lit for lits in cnf.key for lit in lits}
        return cnf.read({lit for lit in every if z3.is_true(model.eval(self.literal(lit), model_completion=True))})


_loaded = lru_cache(maxsize=8)(_Loaded)
_loaded_once = lru_cache(maxsize=1)(_Loaded)  # of boards that no other puzzle has, with a whole lexicon in their rules


@contextmanager
def _asking(family: AnyFamily, puzzle: AnyPuzzle, cnf: Lowered, rlimit: int) -> Iterator[_Loaded]:
    """The kept solver with a puzzle's clues, which are gone afterwards."""
    loaded = (_loaded_once if family.lexical else _loaded)(family, puzzle.spec, family.rules_board(puzzle.board))
    loaded.solver.push()
    try:
        loaded.solver.set("rlimit", rlimit)
        loaded.state([clause for clause, _ in cnf.clues], cnf.top)
        yield loaded
    finally:
        loaded.solver.pop()


def only(family: AnyFamily, puzzle: AnyPuzzle, cnf: Lowered, expected: Sequence[Slots], rlimit: int) -> bool:
    """Return whether Z3 shows that the puzzle has this answer and no other, or none where none is given."""
    with _asking(family, puzzle, cnf, rlimit) as loaded:
        for answer in expected:
            held = [lits[value] for lits, value in zip(cnf.key, answer, strict=True)]
            if loaded.solver.check(*[loaded.literal(lit) for lit in held]) != z3.sat:
                return False
            loaded.state([[-lit for lit in held]], cnf.top)
        return bool(loaded.solver.check() == z3.unsat)


def answers(family: AnyFamily, puzzle: AnyPuzzle, cnf: Lowered, limit: int, rlimit: int) -> Finding:
    """Up to `limit` answers that differ in the key. rlimit: Z3's own deterministic unit, per call."""
    found: list[Slots] = []
    exhausted = False
    with _asking(family, puzzle, cnf, rlimit) as loaded:
        while len(found) < limit:
            outcome = loaded.solver.check()
            if outcome == z3.unknown:
                break
            if outcome == z3.unsat:
                exhausted = True
                break
            values = loaded.values(cnf)
            found.append(values)
            loaded.state([[-lits[v] for lits, v in zip(cnf.key, values, strict=True)]], cnf.top)
    return Finding(tuple(found), exhausted, 0)


def common(family: AnyFamily, puzzle: AnyPuzzle, cnf: Lowered, rlimit: int) -> Common:
    """The backbone of all answers. rlimit: Z3's own deterministic unit, per call."""
    shared: list[int] | None = None
    with _asking(family, puzzle, cnf, rlimit) as loaded:
        outcome = loaded.solver.check()
        if outcome == z3.sat:
            shared = list(loaded.values(cnf))
            for slot, lits in enumerate(cnf.key):
                if shared[slot] == BLANK:
                    continue
                outcome = loaded.solver.check(loaded.literal(-lits[shared[slot]]))
                if outcome == z3.unknown:
                    break
                if outcome == z3.sat:
                    other = loaded.values(cnf)
                    shared = [a if a == b else BLANK for a, b in zip(shared, other, strict=True)]
    decided = outcome != z3.unknown
    return Common(tuple(shared) if decided and shared is not None else None, decided, 0)


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


def forget() -> None:
    """Keep no solver any longer."""
    _loaded.cache_clear()
    _loaded_once.cache_clear()
