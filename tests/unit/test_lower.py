"""Lowering: comparisons of weights as clauses. Agreement with models as a whole is the contract suite's."""

from __future__ import annotations

from itertools import product

import pytest
from pysat.solvers import Solver

from puzzlemill.core.model import Constraints, Terms
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.types import Spec
from puzzlemill.generators import families
from puzzlemill.solvers.lower import LabelledClause, _clauses, _rest, lower
from strategies import Case, full, slot_cases, subset


def drawn(m: Constraints, rng: Rng, most: int) -> list[Terms]:
    """One to three new slots of two to four values, each value with a weight."""
    groups = []
    for _ in range(rng.between(1, 3)):
        lits = m.slot(rng.between(2, 4))
        groups.append(tuple((lit, rng.between(1, most)) for lit in lits))
    return groups


def selected(clauses: list[LabelledClause]) -> tuple[list[tuple[int, ...]], dict[str, int]]:
    """The clauses, each label's in force while its selector is assumed."""
    selectors = {label: 10_000 + i for i, label in enumerate(dict.fromkeys(label for _, label in clauses if label))}
    return [(*clause, *([-selectors[label]] if label else [])) for clause, label in clauses], selectors


@pytest.mark.parametrize("index", [pytest.param(0, marks=pytest.mark.slow), *range(1, 6)])  # seconds
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
    stated, selectors = selected(clauses)
    with Solver(name="glucose4", bootstrap_with=stated) as solver:
        for chosen in product(*(range(len(group)) for group in groups)):
            picked = iter(group[i] for group, i in zip(groups, chosen, strict=True))
            weighed = [[next(picked) for _ in side] for side in sides]
            assumed = [lit for side in weighed for lit, _ in side]
            left, one, two = (sum(weight for _, weight in side) for side in weighed)
            assert solver.solve(assumptions=assumed), "without the labels nothing is compared"
            assert solver.solve(assumptions=[*assumed, selectors["one"]]) == (left > one)
            assert solver.solve(assumptions=[*assumed, selectors["two"]]) == (left > two)
            assert solver.solve(assumptions=[*assumed, *selectors.values()]) == (left > one and left > two)


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
    stated, selectors = selected(_clauses(m, m.top)[0])
    with Solver(name="glucose4", bootstrap_with=stated) as solver:
        assert solver.solve(assumptions=list(selectors.values())) == holds


@pytest.mark.parametrize(
    "case", [case for case in slot_cases() if case.family.name != "zebra" and not case.family.hypothesis_class], ids=str
)
def test_narrowing_keeps_every_model(case: Case) -> None:
    """The clauses that are proved with must say what all clauses say, however many clues there are, and also when they clash."""
    rng = case.rng("narrowed")
    for index in range(6):
        puzzle = subset(full(case, index).puzzle, rng, *rng.pick(((1, 8), (1, 3), (1, 1))))
        if index % 2 and puzzle.clues:  # mostly without an answer
            clue = rng.pick(puzzle.clues)
            others = [next(case.family.clues.alternatives(puzzle, clue, rng), clue)]
            puzzle = puzzle.with_clues([*others, *[other for other in puzzle.clues if other != clue]])
        cnf = lower(case.family, puzzle)
        assert cnf is not None
        narrowed = cnf.narrowed()
        with Solver(name="glucose4", bootstrap_with=cnf.all_clauses()) as every, Solver(name="glucose4") as fewer:
            fewer.append_formula([clause for clause in narrowed if clause])
            empty = not all(narrowed)
            assert (fewer.solve() and not empty) == every.solve()
            for _ in range(100):
                assumed = [rng.pick((-1, 1)) * rng.between(1, cnf.top) for _ in range(rng.between(1, 6))]
                assert (fewer.solve(assumptions=assumed) and not empty) == every.solve(assumptions=assumed)


def test_narrowing_leaves_little_of_a_large_grid() -> None:
    """Loading clauses that clues satisfy anyway is what made large puzzles slow."""
    family = families()["sudoku"]
    spec = Spec(family.params(16, 102))
    whole = full(Case(family, spec), 0).puzzle
    cnf = lower(family, whole.with_clues(stream("tests", "narrowed").sample(whole.clues, 102)))
    assert cnf is not None
    assert len(cnf.narrowed()) * 10 < len(cnf.all_clauses())


def test_what_is_left_of_a_sum_follows_from_the_rest() -> None:
    """Taking known literals away from one side only makes a count that refuses answers: every assignment is tried."""
    rng = stream("tests", "lower", "rest")
    for _ in range(200):
        values = [0, *[rng.below(2) for _ in range(9)]]  # of variables 1 to 9
        known = [(i if values[i] else -i,) for i in range(1, 10) if rng.chance(1, 3)]
        some = [sum([1 << i for i in rng.sample(range(1, 10), rng.between(1, 4))]) for _ in range(3)]
        sums = [(mask, sum([values[i] for i in range(1, 10) if mask >> i & 1])) for mask in some]
        for lits, bound in _rest(0b1111111110, sum(values), known, sums):
            assert sum([values[abs(lit)] == (lit > 0) for lit in lits]) <= bound
    assert _rest(0b11110, 2, [(1,), (-2,)], []) == [((3, 4), 1), ((-3, -4), 1)]
    # 2 of 1 to 6 with 1 known; 1 and 2 hold 1 of these, so 2 holds none; 1 is left of 3 to 6
    assert _rest(0b1111110, 2, [(1,)], [(0b110, 1)]) == [((3, 4, 5, 6), 1), ((-3, -4, -5, -6), 3)]
