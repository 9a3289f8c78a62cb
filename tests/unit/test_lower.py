"""Lowering: comparisons of weights as clauses. Agreement with models as a whole is the contract suite's."""

from __future__ import annotations

from itertools import product

import pytest
from pysat.solvers import Solver

from puzzlemill.core.model import Constraints, Terms
from puzzlemill.core.rng import Rng, stream
from puzzlemill.solvers.lower import LabelledClause, _clauses


def drawn(m: Constraints, rng: Rng, most: int) -> list[Terms]:
    """One to three new slots of two to four values, each value with a weight."""
    groups = []
    for _ in range(rng.between(1, 3)):
        lits = m.slot(rng.between(2, 4))
        groups.append(tuple((lit, rng.between(1, most)) for lit in lits))
    return groups


def satisfiable(clauses: list[LabelledClause], assumed: list[int], without: str = "none") -> bool:
    kept = [clause for clause, label in clauses if label != without]
    if not all(kept):
        return False
    with Solver(name="glucose4", bootstrap_with=kept) as solver:
        return bool(solver.solve(assumptions=assumed))


@pytest.mark.parametrize("index", range(40))
def test_comparisons_hold_exactly_where_sums_say_so(index: int) -> None:
    """An encoding that is too strong loses answers, one that is too weak lets wrong ones in: every assignment is tried."""
    rng = stream("tests", "weighings", index)
    m = Constraints()
    sides = [drawn(m, rng, rng.pick((1, 4, 30))) for _ in range(3)]
    m.heavier(sides[0], sides[1], label="one")
    m.heavier(sides[0], sides[2], label="two")  # the same left side again
    clauses, top = _clauses(m, m.top)
    assert top >= max(abs(lit) for clause, _ in clauses for lit in clause)
    groups = [group for side in sides for group in side]
    for chosen in product(*(range(len(group)) for group in groups)):
        picked = iter(group[i] for group, i in zip(groups, chosen, strict=True))
        weighed = [[next(picked) for _ in side] for side in sides]
        assumed = [lit for side in weighed for lit, _ in side]
        left, one, two = (sum(weight for _, weight in side) for side in weighed)
        assert satisfiable(clauses, assumed) == (left > one and left > two)
        assert satisfiable(clauses, assumed, "two") == (left > one), "the label must govern the comparison and nothing else"
        assert satisfiable([*clauses], assumed, "one") == (left > two)


def test_definitions_always_hold() -> None:
    """A clash is told in labels: only what a comparison states may carry its label, once."""
    m = Constraints()
    left, right = drawn(m, stream("tests", "left"), 9), drawn(m, stream("tests", "right"), 9)
    m.heavier(left, right, label="heavy")
    clauses, _ = _clauses(m, m.top)
    assert [label for _, label in clauses].count("heavy") == 1
    assert {label for _, label in clauses} == {"", "heavy"}


@pytest.mark.parametrize(("left", "right", "holds"), [((), ((1, 1),), False), (((1, 1),), (), True), ((), (), False)])
def test_an_empty_side_weighs_nothing(left: Terms, right: Terms, holds: bool) -> None:
    """No group at all is the sum 0, and 0 is not more than 0."""
    m = Constraints()
    m.top = 1
    m.require(1)
    m.heavier([left] if left else [], [right] if right else [], label="heavy")
    assert satisfiable(_clauses(m, m.top)[0], []) == holds
