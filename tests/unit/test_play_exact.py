"""Exact play against plain Python, against an evaluator that shares nothing with it, and against worlds that were dealt."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from functools import reduce
from math import sqrt
from operator import or_

import pytest

from puzzlemill.core.errors import BadInput, Discarded
from puzzlemill.core.model import Game
from puzzlemill.core.rng import Rng, stream
from puzzlemill.solvers.kernels import play_exact as kernel
from puzzlemill.solvers.kernels.play_exact import STATES
from puzzlemill.solvers.play.evaluate import expected, is_world, played, walked
from puzzlemill.solvers.play.exact import Exact, most_bytes, solve, solve_many
from puzzlemill.solvers.play.plain_exact import PlainExact

PLENTY = 1_000_000


def drawn(rng: Rng, truths: int, actions: int, percent: int, valid: int = 1) -> Game:
    """A game of 1 to 4 outcomes per action; each outcome excludes each truth with this chance."""
    return Game(
        truths,
        tuple(
            [
                tuple([sum([rng.chance(percent, 100) << t for t in range(truths)]) for _ in range(rng.between(1, 4))])
                for _ in range(actions)
            ]
        ),
        valid,
    )


def small(rng: Rng) -> Game:
    truths = rng.between(1, 5)
    valid = min(truths, rng.pick([1, 1, 1, 2]))
    return drawn(rng, truths, rng.between(0, 6), rng.pick([10, 16, 30, 50]), valid)


def numbers(mask: int) -> frozenset[int]:
    return frozenset([i for i in range(mask.bit_length()) if mask >> i & 1])


def follow(game: Game, solved: Exact, plain: PlainExact) -> None:
    """The same best action in every state that the best play reaches."""
    states = [((1 << game.truths) - 1, (1 << len(game.excludes)) - 1)]
    while states:
        left, unused = states.pop()
        action = solved.best(left, unused)
        assert action == plain.best(numbers(left), numbers(unused)), (game, left, unused)
        if action is not None:
            after = [(left & ~mask, unused ^ (1 << action)) for mask in game.excludes[action]]
            states += [state for state in after if plain.weight(numbers(state[0]), numbers(state[1]))]


def compare(name: str, count: int) -> tuple[int, int]:
    """How many random games were compared, and how many have no world."""
    some = none = 0
    for i in range(count):
        game = small(stream("tests", name, i))
        plain = PlainExact(game)
        if not plain.weight(*plain.start()):
            with pytest.raises(BadInput, match="no world"):
                solve(game, PLENTY)
            none += 1
            continue
        solved = solve(game, PLENTY)
        assert (solved.value.low, solved.value.high, solved.value.decided) == (plain.value(), plain.value(), True), game
        follow(game, solved, plain)
        some += 1
    return some, none


def test_small_games_equal_plain_python() -> None:
    """Values and best actions, with one or two valid truths, useless actions, actions that always exclude, and no worlds."""
    some, none = compare("play exact", 700)
    assert some > 250 and none > 100


@pytest.mark.slow
def test_thousands_of_small_games_equal_plain_python() -> None:
    some, _ = compare("play exact many", 3000)
    assert some > 1000


def test_the_promise_is_used() -> None:
    """An action that cannot exclude the last truth decides at once; a game whose promise tells all needs no action."""
    assert solve(Game(2, ((0b01,),)), 1).value.low == 0
    game = Game(2, ((0b01, 0b10), (0b01, 0b10, 0)))
    solved = solve(game, PLENTY)
    assert solved.best(0b11, 0b11) == 0
    assert solved.value.low == 1
    assert solved.per_truth() == (1, 1)


def test_ties_go_to_the_lowest_action() -> None:
    """Interchangeable actions, written in another order and with every outcome twice."""
    outcomes = (0b0011, 0b1100, 0b0101)
    game = Game(4, (outcomes, outcomes[::-1], outcomes * 2, outcomes))
    solved, plain = solve(game, PLENTY), PlainExact(game)
    assert solved.value.low == plain.value()
    assert solved.best(0b1111, 0b1111) == 0 == plain.best(*plain.start())
    assert solved.best(0b1111, 0b1110) == 1
    follow(game, solved, plain)


def dealt(rng: Rng, truths: int, actions: int, count: int) -> tuple[Game, list[tuple[int, ...]]]:
    """A game in which every truth can be excluded, and `count` of its worlds, drawn evenly by rejection."""
    while True:
        game = drawn(rng, truths, actions, 18)
        if reduce(or_, [mask for outcomes in game.excludes for mask in outcomes]) + 1 != 1 << truths:
            continue
        worlds: list[tuple[int, ...]] = []
        for tried in range(2000 * count):
            world = tuple([rng.below(len(outcomes)) for outcomes in game.excludes])
            if is_world(game, world):
                worlds.append(world)
                if len(worlds) == count:
                    return game, worlds
            if not worlds and tried > 3000:
                break


def agrees(truths: int, actions: int, count: int) -> None:
    """Certificate and sampling: the predicted cost is the policy's, and dealt worlds cost that on average (4.5 sigma)."""
    i = 0
    while True:  # the first game drawn in which there is something to find out
        game, worlds = dealt(stream("tests", "play exact dealt", truths, actions, i), truths, actions, count)
        solved = solve(game, PLENTY)
        if solved.value.low > 1:
            break
        i += 1
    assert solved.value.decided
    assert expected(game, solved.best) == solved.value.low
    lengths = [len(solved.actions(world)) for world in worlds]
    mean = sum(lengths) / count
    spread = sqrt(sum([(x - mean) ** 2 for x in lengths]) / (count - 1))
    assert abs(mean - float(solved.value.low)) <= 4.5 * spread / sqrt(count)
    assert [solved.actions(world) for world in worlds[:50]] == [played(game, solved.best, world) for world in worlds[:50]]


def test_prediction_meets_dealt_worlds() -> None:
    agrees(4, 6, 2000)
    agrees(8, 10, 500)


@pytest.mark.slow
def test_prediction_meets_dealt_worlds_of_12_truths() -> None:
    agrees(12, 16, 100)


def test_evaluators_agree_and_no_policy_is_better() -> None:
    """Walking all worlds and following states give one number; doing the actions in order never costs less than the best."""
    for i in range(12):
        game, worlds = dealt(stream("tests", "play exact walked", i), 4, 6, 1)
        solved = solve(game, PLENTY)
        assert walked(game, solved.best) == expected(game, solved.best) == solved.value.low

        def in_order(left: int, unused: int) -> int | None:
            return None if not unused or left.bit_count() == 1 else (unused & -unused).bit_length() - 1

        assert walked(game, in_order) == expected(game, in_order) >= solved.value.low
        assert is_world(game, worlds[0])


def test_costs_per_truth_add_up() -> None:
    """Weighted by the worlds of each truth they give the value; plain counting of the worlds agrees."""
    for i in range(10):
        game, _ = dealt(stream("tests", "play exact per truth", i), 4, 6, 1)
        solved, plain = solve(game, PLENTY), PlainExact(game)
        worlds = {next(iter(held)): count for held, count in plain.worlds(*plain.start()).items()}
        costs = solved.per_truth()
        assert {t for t, cost in enumerate(costs) if cost is not None} == set(worlds)
        total = sum([(cost or Fraction(0)) * worlds.get(t, 0) for t, cost in enumerate(costs)], Fraction(0))
        assert total / sum(worlds.values()) == solved.value.low


def test_a_spent_budget_leaves_proved_bounds() -> None:
    """low <= the true value <= high, low only rises with the budget, and no action is made up. Some actions are alike."""
    spent = 0
    for i in range(12):
        game, _ = dealt(stream("tests", "play exact budget", i), 7, 8, 1)
        game = Game(game.truths, (*game.excludes, game.excludes[i % 8], game.excludes[0][::-1]))
        true = solve(game, PLENTY).value.low
        lows = []
        for nodes in (1, 4, 16):
            found = solve(game, nodes).value
            assert found.low <= true <= found.high and found.nodes <= nodes
            assert found.decided == (found.low == found.high)
            spent += not found.decided
            lows.append(found.low)
            if not found.decided and nodes == 1:
                with pytest.raises(Discarded, match="budget"):
                    solve(game, 1).best((1 << 7) - 1, (1 << 10) - 1)
        assert lows == sorted(lows)
    assert spent > 15


def test_threads_change_nothing() -> None:
    games = [dealt(stream("tests", "play exact threads", i), 6, 8, 1)[0] for i in range(12)]
    one, two = solve_many(games, PLENTY, 1), solve_many(games, PLENTY, 2)
    assert [solved.value for solved in one] == [solved.value for solved in two]
    assert [solved.per_truth() for solved in one] == [solved.per_truth() for solved in two]


@pytest.mark.parametrize(("truths", "actions"), [(4, 6), (8, 10), (12, 16)])
@pytest.mark.parametrize("nodes", [1, 30, 1000])
def test_memory_stays_below_what_the_budget_implies(truths: int, actions: int, nodes: int) -> None:
    """After the search, and after questions that fill the arrays again and again."""
    game, worlds = dealt(stream("tests", "play exact memory", truths), truths, actions, 5)
    solved = solve(game, nodes)
    most = most_bytes(game, nodes)
    assert solved.held() <= most < most_bytes(game, 2 * nodes)
    for world in worlds:
        with suppress(Discarded):
            solved.actions(world)
        assert solved.held() <= most


def test_what_is_forgotten_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """States are forgotten where the budget is small, sets of truths where their arrays are small."""
    asked = forgotten = 0
    for i in range(10):
        game, _ = dealt(stream("tests", "play exact forgotten", i), 7, 8, 1)
        free, full = solve(game, PLENTY), (1 << 7) - 1
        with monkeypatch.context() as context:
            context.setattr("puzzlemill.solvers.play.exact.SETS_BYTES", 0)
            context.setattr("puzzlemill.solvers.play.exact.ROWS_BYTES", 0)
            tight = solve(game, max(1, free.value.nodes))
        assert tight.value == free.value
        states = [(full, (1 << 8) - 1)]
        while states:
            left, unused = states.pop()
            action = free.best(left, unused)
            before = int(tight._table.tab.numbers[STATES])
            with suppress(Discarded):
                assert tight.best(left, unused) == action
                asked += 1
            forgotten += int(tight._table.tab.numbers[STATES]) < before
            if action is not None:
                states += [state for state in free._children(left, unused, action) if free._table.worlds(*state)]
    assert asked > 200 and forgotten > 5


def test_narrow_and_wide_counts_agree() -> None:
    """What is known of every state of a search, counted in 32 bits and in 64."""
    game, _ = dealt(stream("tests", "play exact widths"), 8, 10, 1)
    tab = solve(game, PLENTY)._table.tab
    for e in range(int(tab.numbers[STATES])):
        left, unused, weight = int(tab.keys[e]) >> 32, int(tab.keys[e]) & 0xFFFFFFFF, int(tab.values[e, 0])
        t = kernel.meet(left, tab)
        narrow, wide = (tab.narrow, 0xFFFFFFFF, tab), (tab.wide, -1, tab)
        assert kernel.weigh(t, unused, *narrow) == kernel.weigh(t, unused, *wide)
        if weight:
            found = kernel.look(t, unused, weight, *narrow)
            bounds = tab.bounds[: found[2]].tolist()
            assert found == kernel.look(t, unused, weight, *wide) and bounds == tab.bounds[: found[2]].tolist()


@pytest.mark.slow
def test_games_of_more_than_32_bits() -> None:
    """17 actions of 4 outcomes: the policy's evaluator, which counts otherwise, agrees."""
    rng = stream("tests", "play exact wide")
    while True:
        masks = [tuple([sum([rng.chance(25, 100) << t for t in range(6)]) for _ in range(4)]) for _ in range(17)]
        game = Game(6, tuple(masks))
        if all(len(set(outcomes)) == 4 for outcomes in masks) and solve(game, PLENTY).value.low > 1:
            break
    solved = solve(game, PLENTY)
    assert not kernel.is_narrow(kernel.meet(63, solved._table.tab), (1 << 17) - 1, solved._table.tab)
    assert expected(game, solved.best) == solved.value.low == solved.value.high


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (Game(17, ((1,),)), "1 to 16 truths, got 17"),
        (Game(4, ((1,),) * 32), "at most 31 actions, got 32"),
        (Game(4, ((1,),), 5), "1 to 4 truths that hold, got 5"),
        (Game(4, ((1,), ())), "action 1 has 0 outcomes"),
        (Game(4, ((16,),)), "truths beyond the 4"),
        (Game(4, ((1, 2, 4, 8),) * 30), "62 bits"),
        (Game(2, ((0,),)), "no world"),
    ],
)
def test_what_cannot_be_solved_says_so(game: Game, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        solve(game, PLENTY)


def test_outcomes_that_are_no_world() -> None:
    solved = solve(Game(2, ((0b01, 0b10, 0), (0b01, 0b10, 0))), PLENTY)
    with pytest.raises(BadInput, match="leave 2 truths, expected 1"):
        solved.actions((2, 2))
    with pytest.raises(BadInput, match="an outcome of each of the 2 actions"):
        solved.actions((0,))
    with pytest.raises(BadInput, match="no world leaves"):
        solved.best(0, 0b11)
