"""Plain shortest routes, all arrangements at once, and the midpoint theorem beside them.

Who proves which tower-to-tower puzzle (pegs, disks 3 to 12), with the budgets of puzzlemill.solvers.engines:
  kernel     all 40 (at most 384,693 words, for 6 pegs and 12 disks)
  midpoint   all 40 (at most 213,580 arrangements)
  plain      3 pegs up to 11 disks, 4 up to 8, 5 up to 7, 6 up to 6 (200,000 states, about 2 s)
so every one has at least two formulations, and the 22 of the last line three.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import pytest
from pegs import arrives, distances, frame_stewart, goes_left, shortest_lists, stacks, tower

from puzzlemill.core.model import Graph, Move, MovesTable, Route, State
from puzzlemill.core.rng import stream
from puzzlemill.core.types import Rule, Spec
from puzzlemill.generators.hanoi import FAMILY, Board, Params
from puzzlemill.solvers.routes import by_layers, by_midpoint, leftward, shortest, shortest_violating

PLENTY = 1_000_000


def graph(arcs: dict[int, list[int]], start: int, goal: int) -> Graph:
    """One-way arcs between numbers; a move is (from, to)."""

    def moves(state: State) -> Iterator[tuple[Move, State]]:
        for to in arcs.get(state[0], []):
            yield (state[0], to), (to,)

    return Graph((start,), (goal,), moves)


def hanoi(table: MovesTable) -> Graph:
    return FAMILY.model(Spec(Params(table.pegs, len(table.start))), Board(table.start, table.goal))


def test_one_way_arcs_are_not_taken_back() -> None:
    """The search must not assume that a move can be undone."""
    ring = {0: [1], 1: [2], 2: [3], 3: [0]}
    there, back = shortest(graph(ring, 0, 1), PLENTY), shortest(graph(ring, 1, 0), PLENTY)
    assert (there.length, there.moves) == (1, ((0, 1),))
    assert (back.length, back.moves) == (3, ((1, 2), (2, 3), (3, 0)))


def test_no_route_is_proved_by_seeing_everything() -> None:
    """A goal out of reach is a proof of that, not a spent budget."""
    found = shortest(graph({0: [1, 2], 1: [0], 2: [1], 3: [0]}, 0, 3), PLENTY)
    assert (found.length, found.decided, found.nodes, found.moves) == (None, True, 3, None)


def test_start_is_goal() -> None:
    """The empty route is a route."""
    assert shortest(graph({0: [1]}, 0, 0), 1) == shortest(graph({}, 0, 0), PLENTY)
    assert shortest(graph({}, 0, 0), PLENTY).moves == ()


def test_the_first_route_in_the_order_of_moves() -> None:
    """Same bytes everywhere: among shortest routes the one whose moves come first."""
    arcs = {0: [2, 1], 1: [3], 2: [4], 3: [5], 4: [5]}
    assert shortest(graph(arcs, 0, 5), PLENTY).moves == ((0, 2), (2, 4), (4, 5))


def test_a_spent_budget_decides_nothing() -> None:
    """One state too few must give an undecided route, one that suffices the answer."""
    table = tower(3, 5)
    whole = shortest(hanoi(table), PLENTY)
    assert (whole.length, whole.decided) == (31, True)
    assert shortest(hanoi(table), whole.nodes).decided
    short = shortest(hanoi(table), whole.nodes - 1)
    assert (short.length, short.decided, short.moves) == (None, False, None)


@pytest.mark.parametrize(("pegs", "disks"), [(3, 3), (3, 4), (4, 3), (5, 3)])
def test_breadth_first_search_from_every_start(pegs: int, disks: int) -> None:
    """All distances from all towers and from some scattered starts, against the second telling of the rules."""
    for start in [(0,) * disks, (pegs - 1,) * disks, tuple(disk % pegs for disk in range(disks))]:
        for goal, least in distances(pegs, start).items():
            stands = tuple(next(peg for peg in range(pegs) if chr(97 + disk) in goal[peg]) for disk in range(disks))
            assert stacks(pegs, stands) == goal
            found = shortest(hanoi(MovesTable(pegs, start, stands)), PLENTY)
            assert found.length == least
            assert found.moves is not None and arrives(MovesTable(pegs, start, stands), found.moves)


def agrees(pegs: int, disks: int, others: list[Callable[[MovesTable], int | None]]) -> None:
    table = tower(pegs, disks)
    found = by_midpoint(table, PLENTY)
    assert found is not None and found.decided and found.moves is not None
    assert found.length == len(found.moves) == frame_stewart(pegs, disks)
    assert arrives(table, found.moves)
    for other in others:
        assert other(table) == found.length


def plainly(table: MovesTable) -> int | None:
    return shortest(hanoi(table), PLENTY).length


@pytest.mark.parametrize(("pegs", "most"), [(3, 9), (4, 7), (5, 6), (6, 5)])
def test_midpoint_and_breadth_first_search_agree(pegs: int, most: int) -> None:
    """The theorem, or one of the two searches, is wrong."""
    for disks in range(1, most + 1):
        agrees(pegs, disks, [plainly])


def by_kernel(table: MovesTable) -> int | None:
    from puzzlemill.solvers.kernels.moves import route

    return route(table, PLENTY).length


@pytest.mark.slow
@pytest.mark.parametrize("pegs", [3, 4, 5, 6])
def test_every_canonical_puzzle_has_two_proofs(pegs: int) -> None:
    """All 40: midpoint and kernel, where it reaches plain search too, and the Frame-Stewart numbers."""
    reach = {3: 11, 4: 8, 5: 7, 6: 6}
    for disks in range(3, 13):
        agrees(pegs, disks, [by_kernel, plainly] if disks <= reach[pegs] else [by_kernel])


@pytest.mark.parametrize(("pegs", "disks"), [(3, 3), (4, 3)])
@pytest.mark.parametrize("right_only", [False, True])
def test_layers_between_any_two_arrangements(pegs: int, disks: int, right_only: bool) -> None:
    """All pairs, of 4 pegs those of every fifth start, against the second telling of the rules; None where there is no route."""
    for start in list(product(range(pegs), repeat=disks))[:: 1 if pegs == 3 else 5]:
        least = distances(pegs, start, right_only)
        for goal in product(range(pegs), repeat=disks):
            found = by_layers(MovesTable(pegs, start, goal, right_only), PLENTY)
            assert (found.length, found.decided) == (least.get(stacks(pegs, goal)), True)


@pytest.mark.parametrize(("pegs", "disks"), [(3, 10), (4, 8), (5, 7), (6, 6)])
def test_layers_reach_beyond_the_plain_search(pegs: int, disks: int) -> None:
    """The second proof of random arrangements that are too many for a plain search."""
    start, goal = (0,) * disks, (0, *(pegs - 1,) * (disks - 1))
    assert not shortest(hanoi(MovesTable(pegs, start, goal)), 10_000).decided
    found = by_layers(MovesTable(pegs, start, goal), PLENTY)
    assert found.decided
    assert found.length == by_kernel(MovesTable(pegs, start, goal))


def test_layers_budget() -> None:
    """More arrangements than the budget decide nothing; the budget is what they take, not what is reached."""
    table = tower(3, 5)
    assert by_layers(table, 3**5).length == 31
    short = by_layers(table, 3**5 - 1)
    assert (short.length, short.decided) == (None, False)
    assert by_layers(MovesTable(3, (), ()), 1).length == 0


def strayed(table: MovesTable, length: int, budget: int) -> Route:
    ruled = FAMILY.model(Spec(Params(table.pegs, len(table.start)), (Rule("right_only"),)), Board(table.start, table.goal))
    return shortest_violating(hanoi(table), ruled, length, budget)


def pairs_to_stray(pegs: int, disks: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All pairs where they are few, else some."""
    stands = list(product(range(pegs), repeat=disks))
    if len(stands) <= 27:
        return list(product(stands, stands))
    rng = stream("tests", "shortest_violating", pegs, disks)
    ordered = [sorted((rng.below(pegs), rng.below(pegs))) for _ in range(60 * disks)]
    return [tuple(zip(*ordered[i : i + disks], strict=True)) for i in range(0, len(ordered), disks)]


@pytest.mark.parametrize("search", [leftward, strayed])
@pytest.mark.parametrize(("pegs", "disks"), [(3, 3), (4, 3), (5, 3), (3, 4), (4, 4), (5, 4), (6, 4)])
def test_whether_some_shortest_route_goes_left(pegs: int, disks: int, search: Callable[[MovesTable, int, int], Route]) -> None:
    """Against all shortest lists, by the second telling of the rules; the route that is found is one of them."""
    decided = set()
    for start, goal in pairs_to_stray(pegs, disks):
        lists = {moves: goes_left(moves) for moves in shortest_lists(pegs, start, goal)}
        length = len(next(iter(lists)))
        found = search(MovesTable(pegs, start, goal), length, PLENTY)
        assert found.decided
        assert (found.length is not None) == any(lists.values()), (start, goal)
        if found.length is not None:
            assert found.length == length and found.moves is not None
            assert lists[found.moves]
        decided.add(found.length is not None)
    assert len(decided) == 2


def test_straying_from_one_graph_to_another() -> None:
    """Any two graphs: 0 -> 1 -> 3 and 0 -> 2 -> 3, and the rule forbids 2 -> 3, or nothing that leads on."""
    arcs = {0: [1, 2, 4], 1: [3], 2: [3], 4: [4]}
    free = graph(arcs, 0, 3)
    assert shortest_violating(free, graph({**arcs, 2: []}, 0, 3), 2, PLENTY) == Route(2, True, 6, ((0, 2), (2, 3)))
    assert shortest_violating(free, graph({**arcs, 4: []}, 0, 3), 2, PLENTY) == Route(None, True, 6)
    assert shortest_violating(free, free, 2, PLENTY).length is None
    assert shortest_violating(free, graph({}, 0, 3), 1, PLENTY).length is None


@pytest.mark.parametrize("search", [leftward, strayed])
def test_straying_budget(search: Callable[[MovesTable, int, int], Route]) -> None:
    """One arrangement too few decides nothing."""
    table = MovesTable(5, (1, 1, 1), (3, 3, 3))
    whole = search(table, 5, PLENTY)
    assert whole.length == 5 and search(table, 5, whole.nodes) == whole
    short = search(table, 5, whole.nodes - 1)
    assert (short.length, short.decided, short.moves) == (None, False, None)
    assert search(MovesTable(5, (1, 2), (1, 2)), 0, 1) == Route(None, True, 1)


def test_leftward_refuses_what_does_not_fit_in_a_word() -> None:
    """Arrangements that run into each other would give wrong routes."""
    with pytest.raises(ValueError, match="2\\*\\*61 arrangements"):
        leftward(tower(6, 24), 1, PLENTY)


def test_midpoint_between_any_two_pegs() -> None:
    """Start and goal may be any pegs; the pegs between them are renamed."""
    for start in range(4):
        for goal in range(4):
            table = MovesTable(4, (start,) * 5, (goal,) * 5)
            found = by_midpoint(table, PLENTY)
            if start == goal:
                assert found is None
            else:
                assert found is not None and found.moves is not None
                assert len(found.moves) == 13
                assert arrives(table, found.moves)


@pytest.mark.parametrize(
    "table",
    [
        MovesTable(3, (0, 0, 1), (2, 2, 2)),
        MovesTable(3, (0, 0, 0), (2, 2, 1)),
        MovesTable(2, (0,), (1,)),
        MovesTable(3, (), ()),
        MovesTable(4, (0, 0, 0), (3, 3, 3), True),
    ],
)
def test_midpoint_refuses_what_the_theorem_does_not_cover(table: MovesTable) -> None:
    """It must say that it cannot tell, never guess."""
    assert by_midpoint(table, PLENTY) is None


def test_midpoint_budget() -> None:
    """A spent budget decides nothing."""
    table = tower(4, 8)
    whole = by_midpoint(table, PLENTY)
    assert whole is not None and by_midpoint(table, whole.nodes) == whole
    short = by_midpoint(table, whole.nodes - 1)
    assert short is not None and (short.length, short.decided, short.moves) == (None, False, None)


def test_midpoint_refuses_what_does_not_fit_in_a_word() -> None:
    """Masks that run into each other would give wrong distances."""
    with pytest.raises(ValueError, match="62 bits"):
        by_midpoint(tower(6, 14), PLENTY)


def test_generated_states_by_hand() -> None:
    """Expanded and generated states are mixed up, or a state that a better way leads to counts once."""
    roads = graph({0: [1, 2], 1: [2, 3], 2: [3]}, 0, 3)
    lengths = {(0, 1): 1, (0, 2): 5, (1, 2): 1, (1, 3): 9, (2, 3): 1}
    # 0 puts 1 (at 1) and 2 (at 5) in the queue, 1 puts 2 (2) and 3 (10), 2 puts 3 (3), which is then the next
    found = shortest(replace(roads, cost=lambda move: lengths[move[0], move[1]]), 10)
    assert (found.length, found.nodes, found.generated) == (3, 3, 6)
    steps = shortest(roads, 10)
    assert (steps.length, steps.generated) == (2, 4)
