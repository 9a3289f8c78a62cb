"""What only the positions kernel promises; all that every kernel promises is in tests/contract/test_kernels.py."""

from __future__ import annotations

from tables import means, places

from puzzlemill.core.model import RELATIONS, PositionTable
from puzzlemill.core.rng import stream
from puzzlemill.solvers.kernels import positions as kernel

BUDGET = 1_000_000


def test_parts_on_their_own_say_nothing() -> None:
    """A part that no clue names, and parts that are false together."""
    at = tuple((RELATIONS.index("at"), 0, 0, 0, 0, 0, 0, p) for p in range(3))
    assert len(kernel.answers(PositionTable(3, 2, (), at), 40, BUDGET).answers) == 36
    one_of = ((RELATIONS.index("one_of"), 0, 3, 0, 0, 0, 0, 0),)
    assert len(kernel.answers(PositionTable(3, 2, one_of, at), 40, BUDGET).answers) == 36
    either = ((RELATIONS.index("either"), 1, 2, 0, 0, 0, 0, 0),)
    assert len(kernel.answers(PositionTable(3, 2, either, at), 40, BUDGET).answers) == 24


def test_the_limit_is_kept_and_all_answers_are_found() -> None:
    """More answers than the first buffer holds, and fewer than there are."""
    bare = PositionTable(4, 3, ())
    every = kernel.answers(bare, 20_000, BUDGET)
    assert (len(set(every.answers)), len(every.answers), every.exhausted) == (24**3, 24**3, True)
    some = kernel.answers(bare, 1_000, BUDGET)
    assert (len(set(some.answers)), some.exhausted, some.decided(1_000)) == (1_000, False, True)
    exact = kernel.answers(bare, 24**3, BUDGET)
    assert (len(exact.answers), exact.exhausted) == (24**3, False)


def test_nodes_count_branching_only() -> None:
    """nodes == 0 is how a row says that propagation alone solves it."""
    n, m = 4, 3
    at = tuple((RELATIONS.index("at"), a, v, 0, 0, 0, 0, v) for a in range(m) for v in range(n - 1))
    found = kernel.answers(PositionTable(n, m, at), 2, BUDGET)
    assert (found.nodes, found.exhausted, found.answers) == (0, True, ((0, 1, 2, 3) * m,))
    assert kernel.answers(PositionTable(n, m, at[1:-1]), 2, BUDGET).nodes > 0


def test_a_large_space_is_sampled_widely() -> None:
    """A dive that always ends in the same corner makes near-duplicates."""
    table = PositionTable(5, 4, ((RELATIONS.index("left"), 0, 0, 1, 1, 0, 0, 0),))
    drawn = [kernel.sample(table, stream("dive", index)) for index in range(100)]
    assert len(set(drawn)) == 100
    assert drawn[3] == kernel.sample(table, stream("dive", 3))
    for found in drawn:
        assert found is not None
        assert means(table.clues[0], places(5, found), 4, ())
    for slot in range(20):
        impossible = {4: {0}, 5: {1}}.get(slot, set())  # the left item stands last, or the right one first
        assert {found[slot] for found in drawn if found is not None} == set(range(5)) - impossible


def test_the_largest_table_fits_one_word() -> None:
    """64 items: one bit too many would drop the last item from propagation."""
    at = tuple((RELATIONS.index("at"), a, v, 0, 0, 0, 0, (a + v) % 8) for a in range(8) for v in range(7))
    found = kernel.answers(PositionTable(8, 8, at), 2, BUDGET)
    assert found.exhausted
    assert found.answers == (tuple((p - a) % 8 for a in range(8) for p in range(8)),)
    two = kernel.answers(PositionTable(8, 8, at[:-1]), 5, BUDGET)
    assert len(two.answers) == 2
