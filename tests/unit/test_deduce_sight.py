"""Deduction in grids with sight hints: techniques on lines made for them, traces through the checker, and their words."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import permutations, product

import pytest

from puzzlemill.core.model import Ground, SightTable, Step
from puzzlemill.core.rng import stream
from puzzlemill.core.types import Clue, Spec
from puzzlemill.core.words import Words
from puzzlemill.generators.skyscraper import FAMILY, Params
from puzzlemill.solvers.deduce import explain, sight
from puzzlemill.solvers.deduce.masks import hitting
from puzzlemill.solvers.deduce.orders import NEAR, ways
from puzzlemill.solvers.deduce.steps import Contradiction, needed, ordered


def first(n: int, *clues: tuple[int, int], summed: bool = False, diagonals: bool = False, skip: int = 0) -> Step:
    """The first step on a grid with these clues, or the one after so many more."""
    board = sight._Sight(SightTable(n, clues, summed, diagonals), [f"k{i}" for i in range(len(clues))])
    with suppress(Contradiction):
        board.begin()
        board.run(4)
    if len(board.steps) <= skip:
        return Step("", ())
    return ordered(needed(board.steps[: skip + 1], "#", [skip]), [*board.ids, *board.rules])[-1]


def left(n: int, row: int) -> int:
    """The place of the hint at the left of a row."""
    return n * n + 2 * n + row


def test_extreme_hints() -> None:
    step = first(5, (left(5, 1), 1))
    assert (step.technique, step.uses, step.sets, step.drops) == ("nearest", ("k0", "row"), ((5, 4),), ())
    step = first(5, (left(5, 1), 5))
    assert (step.technique, step.uses) == ("ascending", ("k0",))
    assert step.sets == tuple((5 + v, v) for v in range(5))
    step = first(4, (left(4, 0), 4), summed=True)
    assert (step.technique, step.sets) == ("nearest", ((0, 3),))
    step = first(4, (left(4, 0), 10), summed=True)
    assert (step.technique, step.sets) == ("ascending", ((0, 0), (1, 1), (2, 2), (3, 3)))


def test_one_hint() -> None:
    step = first(5, (left(5, 0), 3))
    assert (step.technique, step.uses) == ("climb", ("k0",))
    assert step.drops == ((0, 3), (0, 4), (1, 4))
    step = first(4, (left(4, 0), 7), summed=True)  # 3 + 4 or 1 + 2 + 4
    assert (step.technique, step.uses) == ("one_hint", ("k0", "row"))
    assert set(step.drops) >= {(0, 1), (0, 3)}


def test_both_ends_meet_at_the_tallest() -> None:
    step = first(5, (left(5, 0), 2), (left(5, 0) + 5, 4), skip=3)
    assert (step.technique, step.uses) == ("both_ends", ("k0", "k1", "row"))
    assert step.drops == ((2, 0), (2, 1), (3, 0))  # that the 5 comes second is known by then
    told = explain(FAMILY, FAMILY.puzzle(Spec(Params(5)), [Clue("k0", "hint", (10, 2)), Clue("k1", "hint", (15, 4))]), step)
    assert "2 + 4 = 6 counts the 5 twice, so all 5 are seen" in told
    for near, far in ((3, 4), (1, 1), (5, 2)):
        wrong = first(5, (left(5, 0), near), (left(5, 0) + 5, far))
        assert wrong == Step("both_ends", ("k0", "k1", "row"), found=sight.BothEnds(0), grounds=())


def test_two_hints_on_one_end() -> None:
    assert first(4, (left(4, 0), 3), (left(4, 0), 2)) == Step("two_hints", ("k0", "k1"), found=sight.TwoHints(8), grounds=())


def test_a_given_that_a_hint_rules_out() -> None:
    step = first(4, (0, 3), (left(4, 0), 3))
    assert step.grounds is not None
    assert [(ground.fact, ground.holds) for ground in step.grounds] == [((0, 3), True)]
    assert replace(step, grounds=None) == Step("climb", ("k0", "k1"), found=sight.Climb(8, 0))


def test_completion_lists_exactly_the_orders_that_fit() -> None:
    """2 seen from the left, and 5 in the third cell: nothing before it is taller than the first."""
    clues = ((left(5, 0), 2), (2, 4), (3, 0))
    step = next(step for skip in range(8) if (step := first(5, *clues, skip=skip)).technique == "completion")
    assert step.technique == "completion"
    found = step.found
    assert (found.unit, found.ends) == (0, NEAR)
    orders = [
        order
        for order in permutations(range(5))
        if (order[2], order[3]) == (4, 0) and sum(v == max(order[: p + 1]) for p, v in enumerate(order)) == 2
    ]
    assert sorted(found.orders) == sorted(orders)
    assert found.many == len(orders)


@pytest.mark.parametrize("n", [3, 4])
def test_ways_across_a_diagonal_against_all_fillings(n: int) -> None:
    rng = stream("deduce sight", "ways", n)
    for _ in range(150):
        masks = [rng.between(1, (1 << n) - 1) for _ in range(n)]
        k = rng.between(1, n)
        fits = [
            way
            for way in product(range(n), repeat=n)
            if all(mask >> v & 1 for mask, v in zip(masks, way, strict=True))
            and sum(all(other < v for other in way[:p]) for p, v in enumerate(way)) == k
        ]
        expected = [sum(1 << v for v in {way[p] for way in fits}) for p in range(n)] if fits else None
        assert ways(masks, k) == expected


def test_hitting_sets_hit_and_spare_nothing() -> None:
    rng = stream("deduce sight", "hitting")
    for _ in range(200):
        clashes = {rng.between(1, 255) for _ in range(rng.between(1, 6))}
        chosen = hitting(clashes, rng.below(256))
        assert all(clash & chosen for clash in clashes)
        for b in range(8):
            assert not chosen >> b & 1 or not all(clash & chosen & ~(1 << b) for clash in clashes)


def test_a_full_grid_is_checked_against_its_hints() -> None:
    """Where singles fill the grid, the hints that nothing leant on must still be right."""
    rows = ("1234", "2143", "3412", "4321")
    cells = [(4 * r + c, int(rows[r][c]) - 1) for r in range(4) for c in range(4)]
    table = SightTable(4, (*cells[:-1], (16 + 15, 2)))  # 4 is seen from the right of the last row, then nothing behind it
    steps = sight.deduce(table, [f"k{i}" for i in range(16)], None)
    assert not steps[-1].sets
    assert not steps[-1].drops


def test_what_would_be_seen_is_counted() -> None:
    """A sentence states that no order fits, and the reader has to try them all."""

    def told(step: Step, *clues: tuple[int, int]) -> str:
        return sight.explain(Words(ids=[f"k{i}" for i in range(len(clues))]), SightTable(5, clues), step)

    clues = ((left(5, 1), 3),)
    text = "Along row 2 from the left, 3 buildings are seen, so at least two buildings stand before the 5 and one before the 4"
    assert told(first(5, *clues), *clues) == f"{text} (only the 5 is taller): r2c1 is not 4 or 5 and r2c2 is not 5."
    clues = (1, 3), (left(5, 0), 2)
    step = Step("one_hint", ("k0", "k1", "row"), found=sight.OneHint(10, 1), grounds=(Ground((1, 3)),))
    seen = "three buildings would be seen if r1c1 is 1, 2 or 3, and only one building, the 5, would be seen if r1c1 is 5"
    assert (
        told(step, *clues)
        == f"Along row 1 from the left, 2 buildings are seen. But r1c2 is 4, and then {seen}. So there is no answer."
    )
    clues = ((left(5, 0), 1), (left(5, 0) + 5, 3))
    step = Step("both_ends", ("k0", "k1", "row"), (), ((3, 2),), found=sight.BothEnds(0), grounds=())
    seen = (
        "four buildings would be seen from the right if r1c5 is 1 or 2, "
        "and only two buildings, 4 and 5, would be seen from the right if r1c5 is 4"
    )
    first_is = "Only the 5 is seen from the left, so it stands at r1c1"
    assert f"{first_is}. With 3 at r1c4, {seen}. So r1c4 is not 3." in told(step, *clues)
