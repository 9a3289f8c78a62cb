"""The moves kernel against the second telling of the rules in tests/pegs.py."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from pegs import arrives, distances, frame_stewart, stacks, tower

from puzzlemill.core.model import MovesTable
from puzzlemill.core.rng import stream
from puzzlemill.solvers import kernels
from puzzlemill.solvers.kernels import moves

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


def test_a_tower_takes_the_way_of_the_general_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the way is searched and mirrored; all moves must be those of the search that does not know of halves."""
    towers = [MovesTable(4, (a,) * disks, (b,) * disks) for disks in range(2, 12) for a, b in permutations(range(4), 2)]
    general = [kernels.route(table, PLENTY) for table in towers]
    monkeypatch.setattr(moves, "_TOWER", 2)
    for table, found in zip(towers, general, strict=True):
        halved = kernels.route(table, PLENTY)
        assert (halved.length, halved.decided, halved.moves) == (found.length, True, found.moves)
        assert kernels.route(table, halved.nodes + 1) == halved
        for budget in (1, halved.nodes // 2, halved.nodes - 1):
            short = kernels.route(table, budget)
            assert (short.length, short.decided, short.moves) == (None, False, None) and short.nodes <= budget + 1


@pytest.mark.slow
@pytest.mark.parametrize(("pegs", "disks", "least"), [(3, 14, 16383), (4, 15, 129), (4, 16, 161), (5, 12, 47), (6, 12, 37)])
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


@pytest.mark.parametrize(("pegs", "disks"), [(2, 3), (3, 3), (3, 4), (4, 3)])
def test_every_pair_where_disks_only_go_right(pegs: int, disks: int) -> None:
    """Up to 6,561 pairs, most of them without a route: distances, and that there is none where there is none."""
    for start in product(range(pegs), repeat=disks):
        least = distances(pegs, start, right_only=True)
        for goal in product(range(pegs), repeat=disks):
            table = MovesTable(pegs, start, goal, True)
            found = kernels.route(table, PLENTY)
            assert found.decided
            assert found.length == least.get(stacks(pegs, goal)), table
            if found.length is not None:
                assert found.moves is not None and len(found.moves) == found.length
                assert all(source < target for _, source, target in found.moves)
                assert arrives(table, found.moves), table


@pytest.mark.parametrize(("pegs", "disks"), [(5, 5), (6, 4)])
def test_random_pairs_where_disks_only_go_right(pegs: int, disks: int) -> None:
    """Larger sizes, every goal from some starts."""
    rng = stream("tests", "moves", "right", pegs, disks)
    for _ in range(6):
        start = tuple(rng.below(3) for _ in range(disks))
        least = distances(pegs, start, right_only=True)
        for goal in product(range(pegs), repeat=disks):
            found = kernels.route(MovesTable(pegs, start, goal, True), PLENTY)
            assert (found.length, found.decided) == (least.get(stacks(pegs, goal)), True)


def test_a_search_to_the_right_that_grows_its_tables() -> None:
    """8 pegs and 7 disks: many times more arrangements than its first tables hold. Each disk but the largest moves twice."""
    table = MovesTable(8, (0,) * 7, (7,) * 7, True)
    found = kernels.route(table, PLENTY)
    assert found.length == 13 and found.moves is not None and arrives(table, found.moves)
    assert found.nodes > 50_000


def test_a_disk_that_must_go_left_needs_no_search() -> None:
    """nodes = 0 says that the clash shows at a glance, also if other disks would be hard to move."""
    table = MovesTable(6, (0, 0, 0, 0, 1), (5, 5, 5, 5, 0), True)
    found = kernels.route(table, 1)
    assert (found.length, found.decided, found.nodes) == (None, True, 0)
    assert kernels.route(MovesTable(3, (), (), True), 1).length == 0


def test_a_spent_budget_to_the_right_decides_nothing() -> None:
    """Neither a length nor the proof that there is none may come of a search that was cut off."""
    tables = [MovesTable(5, (0, 0, 0, 0), (3, 2, 3, 3), True), MovesTable(4, (0, 0, 0, 0), (3, 3, 3, 3), True)]
    lengths = []
    for table in tables:
        whole = kernels.route(table, PLENTY)
        lengths.append(whole.length)
        assert kernels.route(table, whole.nodes) == whole
        for budget in (1, 2, whole.nodes // 2, whole.nodes - 1):
            short = kernels.route(table, budget)
            assert (short.length, short.decided, short.moves) == (None, False, None)
            assert short.nodes <= budget
    assert lengths == [7, None]


@pytest.mark.parametrize(
    "table",
    [
        MovesTable(9, (0, 0), (1, 1), True),
        MovesTable(3, (0,) * 21, (1,) * 21, True),
        MovesTable(3, (0, 0), (1, 1, 1), True),
        MovesTable(3, (0, 3), (1, 1), True),
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
