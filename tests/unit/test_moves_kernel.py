"""The moves kernel against the second telling of the rules in tests/pegs.py."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from pegs import arrives, distances, frame_stewart, stacks, tower

from puzzlemill.core.model import MovesTable
from puzzlemill.core.rng import stream
from puzzlemill.solvers import kernels

PLENTY = 20_000_000


def check(table: MovesTable, least: int) -> None:
    found = kernels.route(table, PLENTY)
    assert (found.length, found.decided) == (least, True), table
    assert found.moves is not None and len(found.moves) == least
    assert arrives(table, found.moves), table


def check_all_goals(pegs: int, start: tuple[int, ...]) -> None:
    least = distances(pegs, start)
    for goal in product(range(pegs), repeat=len(start)):
        check(MovesTable(pegs, start, goal), least[stacks(pegs, goal)])


@pytest.mark.parametrize("pegs", [3, 4])
def test_every_start_and_goal_of_3_disks(pegs: int) -> None:
    """729 and 4,096 pairs, with free pegs on one side, both or neither: symmetry, meeting and unwinding in all their cases."""
    for start in product(range(pegs), repeat=3):
        check_all_goals(pegs, start)


def test_every_goal_from_some_starts_of_more_pegs() -> None:
    """5 and 6 pegs have the most images where the sides meet."""
    for pegs, start in [(5, (0, 0, 0, 0)), (5, (1, 4, 1, 0)), (6, (2, 2, 2)), (6, (5, 0, 3)), (3, (0, 1, 2, 0, 1))]:
        check_all_goals(pegs, start)


@pytest.mark.parametrize(("pegs", "disks"), [(3, 6), (4, 5), (5, 4), (6, 4)])
def test_random_starts_and_goals(pegs: int, disks: int) -> None:
    """Larger sizes, drawn."""
    rng = stream("tests", "moves", pegs, disks)
    for _ in range(4):
        start = tuple(rng.below(pegs) for _ in range(disks))
        least = distances(pegs, start)
        for _ in range(40):
            goal = tuple(rng.below(pegs) for _ in range(disks))
            check(MovesTable(pegs, start, goal), least[stacks(pegs, goal)])


def test_known_optima() -> None:
    """Tower to tower as far as it is quick; the numbers are Frame's and Stewart's."""
    for pegs, most in [(3, 10), (4, 11), (5, 10), (6, 9)]:
        for disks in range(1, most + 1):
            check(tower(pegs, disks), frame_stewart(pegs, disks))


def test_the_size_that_it_is_made_for() -> None:
    """4 pegs and 14 disks: many times larger than the sizes above."""
    check(tower(4, 14), 113)


@pytest.mark.slow
@pytest.mark.parametrize(("pegs", "disks", "least"), [(3, 14, 16383), (4, 15, 129), (5, 12, 47), (6, 12, 37)])
def test_largest_optima(pegs: int, disks: int, least: int) -> None:
    """The far ends of what fits."""
    assert least == frame_stewart(pegs, disks)
    check(tower(pegs, disks), least)


def test_renaming_the_pegs_changes_no_distance() -> None:
    """Which pegs count as free must not depend on their numbers."""
    start, goal = (0, 0, 2, 0, 2), (2, 1, 1, 2, 0)
    lengths = set()
    for name in permutations(range(4)):
        table = MovesTable(4, tuple(name[peg] for peg in start), tuple(name[peg] for peg in goal))
        lengths.add(kernels.route(table, PLENTY).length)
    assert lengths == {distances(4, start)[stacks(4, goal)]}


def test_a_spent_budget_decides_nothing_and_a_larger_one_changes_nothing() -> None:
    """An undecided route must never look like a proof; bytes must not depend on the budget."""
    for table in (tower(4, 9), MovesTable(4, (0, 0, 1, 0, 1, 1), (2, 1, 0, 3, 3, 0))):
        whole = kernels.route(table, PLENTY)
        assert kernels.route(table, whole.nodes + 1) == whole
        for budget in (1, 2, 10, whole.nodes // 2, whole.nodes - 1):
            short = kernels.route(table, budget)
            assert (short.length, short.decided, short.moves) == (None, False, None)
            assert short.nodes <= budget + 1


def test_there_is_nothing_to_do() -> None:
    """Start and goal may be the same."""
    assert kernels.route(MovesTable(4, (1, 2, 1), (1, 2, 1)), 10).moves == ()


@pytest.mark.parametrize(
    "table",
    [
        MovesTable(2, (0, 0), (1, 1)),
        MovesTable(3, (), ()),
        MovesTable(3, (0, 0), (1, 1, 1)),
        MovesTable(3, (0, 3), (1, 1)),
        MovesTable(6, (0,) * 13, (5,) * 13),
    ],
)
def test_tables_that_it_cannot_hold(table: MovesTable) -> None:
    """Refused by name, before any bit is shifted out of a word."""
    with pytest.raises(ValueError, match="moves kernel"):
        kernels.route(table, PLENTY)
