"""Dealing tasks of truth finding: evenly, from the sample space that docs/design/dealing.md names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import combinations, islice, product
from math import comb, prod

import numpy as np
import pytest

from puzzlemill.core.errors import BadParams, Discarded
from puzzlemill.core.model import Game
from puzzlemill.core.rng import Rng, stream
from puzzlemill.solvers.kernels import deal as kernel
from puzzlemill.solvers.kernels.random import state_of
from puzzlemill.solvers.play import deal as dealing
from puzzlemill.solvers.play.deal import Deal, Tally, count_deals, deal, deal_many, even_overlap, overlap, sat_deals, worlds

Excludes = tuple[tuple[int, ...], ...]


def domain(rng: Rng, truths: int, actions: int, percent: int) -> Excludes:
    """Actions of 2 to 4 outcomes, each of which excludes each truth with this chance."""
    return tuple(
        [
            tuple([sum([rng.chance(percent, 100) << t for t in range(truths)]) for _ in range(rng.between(2, 4))])
            for _ in range(actions)
        ]
    )


def listed(excludes: Excludes, truths: int, actions: int, valid: int) -> Iterator[Deal]:
    """Every deal, by trying everything."""
    for chosen in combinations(range(len(excludes)), actions):
        for outcomes in product(*[range(len(excludes[a])) for a in chosen]):
            gone = [t for t in range(truths) if any(excludes[a][s] >> t & 1 for a, s in zip(chosen, outcomes, strict=True))]
            if truths - len(gone) == valid:
                yield Deal(chosen, tuple([t for t in range(truths) if t not in gone]), outcomes)


def counted(excludes: Excludes, truths: int, actions: int, valid: int) -> int:
    """How many deals there are, by inclusion and exclusion: how many leave all of some truths alone, over all such some."""
    total = 0
    for size in range(valid, truths + 1):
        for spared in combinations(range(truths), size):
            taken = [1] + [0] * actions  # taken[m]: ways to take m actions with outcomes that exclude none of `spared`
            for outs in excludes:
                harmless = sum([not any(mask >> t & 1 for t in spared) for mask in outs])
                taken = [n + (taken[m - 1] * harmless if m else 0) for m, n in enumerate(taken)]
            total += (-1) ** (size - valid) * comb(size, valid) * taken[actions]
    return total


def below(rng: Rng, n: int) -> int:
    """An even draw from 0 .. n-1 for any n >= 1, as the kernel's wide one."""
    bits = (n - 1).bit_length()
    words = (bits + 63) // 64
    while True:
        drawn = [rng.next64() for _ in range(words)]
        value = sum([word << 64 * k for k, word in enumerate(drawn[:-1])]) if words else 0
        value += (drawn[-1] >> 64 * words - bits) << 64 * (words - 1) if words else 0
        if value < n:
            return value


def twin(excludes: Excludes, truths: int, actions: int, valid: int, rng: Rng) -> Deal:
    """The draw of the kernel once more, in plain Python."""
    groups = [[a for a, outs in enumerate(excludes) if len(outs) == n] for n in sorted({len(outs) for outs in excludes})]
    sizes = [len(excludes[group[0]]) for group in groups]

    def ways(g: int, m: int) -> list[int]:
        """In how many ways m actions come from the groups from g on, by how many of them group g gives."""
        if g == len(groups):
            return [int(m == 0)]
        return [comb(len(groups[g]), j) * sizes[g] ** j * sum(ways(g + 1, m - j)) for j in range(m + 1)]

    while True:
        need, pairs = actions, []
        for g, group in enumerate(groups):
            many = need
            if g < len(groups) - 1:
                mine, drawn = ways(g, need), below(rng, sum(ways(g, need)))
                many = next(j for j in range(need + 1) if drawn < sum(mine[: j + 1]))
            need -= many
            for i in range(many):
                other = i + rng.below(len(group) - i)
                group[i], group[other] = group[other], group[i]
                pairs.append((group[i], rng.below(sizes[g])))
        gone = 0
        for a, s in pairs:
            gone |= excludes[a][s]
        left = [t for t in range(truths) if not gone >> t & 1]
        if len(left) == valid:
            pairs.sort()
            return Deal(tuple([a for a, _ in pairs]), tuple(left), tuple([s for _, s in pairs]))


def excess(drawn: Iterable[object], cells: Sequence[object]) -> float:
    """By how many of its standard deviations the chi-square of these draws is above what even ones have on average."""
    seen = Counter(drawn)
    assert not set(seen) - set(cells)
    each = seen.total() / len(cells)
    assert each > 20
    freedom = len(cells) - 1
    chi_square = sum((seen[cell] - each) ** 2 for cell in cells) / each
    return float((chi_square - freedom) / (2 * freedom) ** 0.5)


UNEVEN: Excludes = ((1, 6), (2, 4, 0), (9, 0, 6, 0), (12, 3))  # 4 truths; the third action has twice the outcomes of the first
CELLS = list(listed(UNEVEN, 4, 3, 1))


def test_all_ways_of_counting_agree_with_the_list_of_all_deals() -> None:
    """The table, its ranks, clauses and inclusion-exclusion give exactly the deals that trying everything gives."""
    full = 0
    for i in range(40):
        rng = stream("deal", "small", i)
        truths, actions = rng.between(1, 5), rng.between(1, 5)
        chosen, valid = rng.between(1, actions), rng.between(1, min(truths, 3))
        excludes = domain(rng, truths, actions, rng.pick((15, 30, 50)))
        expected = list(listed(excludes, truths, chosen, valid))
        full += bool(expected)
        tally = Tally(excludes, truths, chosen, valid)
        assert tally.size == count_deals(excludes, truths, chosen, valid) == counted(excludes, truths, chosen, valid)
        assert sorted([tally.nth(rank) for rank in range(tally.size)]) == sorted(expected)
        assert sorted(sat_deals(excludes, truths, chosen, valid)) == sorted(expected)
        if expected:
            assert deal(excludes, truths, chosen, valid, rng) in expected
        else:
            with pytest.raises(Discarded, match="empty"):
                deal(excludes, truths, chosen, valid, rng)
    assert 20 <= full < 40


@pytest.mark.parametrize("tries", [dealing.TRIES, 3, 0], ids=["drawn", "a bit of both", "counted"])
def test_deals_are_even(tries: int) -> None:
    """Every deal is equally likely, whether it is drawn until it fits, counted, or counted after some draws did not fit."""
    drawn = deal_many(UNEVEN, [range(4)] * (100 * len(CELLS)), 3, 1, stream("deal", "even", tries), tries=tries)
    assert abs(excess(drawn, CELLS)) < 4


def test_the_measure_of_evenness_notices_a_draw_that_is_not() -> None:
    """Sets of actions drawn evenly, and then outcomes, are not even over deals: the measure above says so."""
    rng = stream("deal", "naive")
    drawn: list[Deal] = []
    while len(drawn) < 100 * len(CELLS):
        actions = sorted(rng.sample(range(len(UNEVEN)), 3))
        outcomes = [rng.below(len(UNEVEN[a])) for a in actions]
        gone = [t for t in range(4) if any(UNEVEN[a][s] >> t & 1 for a, s in zip(actions, outcomes, strict=True))]
        if len(gone) == 3:
            drawn.append(Deal(tuple(actions), tuple([t for t in range(4) if t not in gone]), tuple(outcomes)))
    assert excess(drawn, CELLS) > 20


def test_given_the_actions_all_worlds_are_equally_likely() -> None:
    """This is what a player may count on, and what the exact search takes for granted."""
    drawn = [one for one in deal_many(UNEVEN, [range(4)] * 8_000, 3, 1, stream("deal", "worlds")) if one]
    for actions in combinations(range(4), 3):
        cells = [one for one in CELLS if one.actions == actions]
        assert worlds(Game(4, tuple([UNEVEN[a] for a in actions]))) == len(cells)
        assert abs(excess([one for one in drawn if one.actions == actions], cells)) < 4


def test_the_kernel_repeats_the_streams_of_the_generator() -> None:
    """Deals do not depend on numba: a plain twin that draws from core.rng gives the same ones."""
    rng = stream("deal", "twin")
    excludes = domain(rng, 7, 11, 15)
    for valid in (1, 2):
        ours = deal_many(excludes, [range(7)] * 40, 5, valid, rng)
        assert ours == [twin(excludes, 7, 5, valid, rng.child(i).child("tries")) for i in range(40)]


def test_wide_draws_are_draws_of_the_generator() -> None:
    """Where a number fits into a word the draw is Rng.below; longer ones take a word for each limb."""
    out = np.zeros(3, dtype=np.uint64)
    for n in (1, 2, 3, 1 << 32, (1 << 63) - 5, 1 << 63, (1 << 64) + 1, 3 << 120, (1 << 128) - 1, 1 << 128, 5 << 130):
        wide = np.array([n >> 64 * k & (1 << 64) - 1 for k in range(3)], dtype=np.uint64)
        for i in range(20):
            path = ("deal", "wide", str(n), i)
            kernel.below_wide(state_of(stream(*path)), wide, (n - 1).bit_length(), out)
            value = sum([word << 64 * k for k, word in enumerate(out.tolist())])
            assert value == below(stream(*path), n)
            assert n > 1 << 63 or value == stream(*path).below(n)


def test_wide_arithmetic_carries_and_borrows() -> None:
    """Words at their ends, where a carry comes from the carry itself."""
    ends = (0, 1, 1 << 63, (1 << 64) - 1)

    def words(n: int) -> list[int]:
        return [n >> 64 * k & (1 << 64) - 1 for k in range(3)]

    for a in product(ends, repeat=3):
        for b in product(ends, repeat=3):
            one, other = (sum([word << 64 * k for k, word in enumerate(each)]) for each in (a, b))
            assert kernel._less(np.array(a, dtype=np.uint64), np.array(b, dtype=np.uint64)) == (one < other)
            if one + other < 1 << 192:
                wide = np.array(a, dtype=np.uint64)
                kernel._add(wide, np.array(b, dtype=np.uint64))
                assert wide.tolist() == words(one + other)
            if one >= other:
                wide = np.array(a, dtype=np.uint64)
                kernel._subtract(wide, np.array(b, dtype=np.uint64))
                assert wide.tolist() == words(one - other)


def test_numbers_of_several_words() -> None:
    """Many actions make more deals than a word can count; nothing wraps around."""
    excludes = domain(stream("deal", "many"), 3, 90, 4)
    tally = Tally(excludes, 3, 60, 2)
    assert tally.size == counted(excludes, 3, 60, 2) > 1 << 128
    for rank in (0, 1, 1 << 64, 1 << 100, tally.size // 2, tally.size - 1):
        one = tally.nth(rank)
        assert len(set(one.actions)) == 60 and one.valid == left(excludes, 3, one)
    first, last = tally.nth(0), tally.nth(tally.size - 1)
    assert first.actions[0] > last.actions[0] == 0  # deals without the first actions come first
    assert deal(excludes, 3, 60, 2, stream("deal")).valid
    assert worlds(Game(3, excludes, 1)) == counted(excludes, 3, 90, 1)


def left(excludes: Excludes, truths: int, one: Deal) -> tuple[int, ...]:
    gone = [t for t in range(truths) if any(excludes[a][s] >> t & 1 for a, s in zip(one.actions, one.outcomes, strict=True))]
    return tuple([t for t in range(truths) if t not in gone])


# 12 truths of which each is excluded by one outcome of one action, among many actions that exclude nothing
SPARSE: Excludes = (*[(1 << t, 0, 0) for t in range(12)], *[(0, 0, 0)] * 18)


def test_where_draws_hardly_ever_fit_the_deals_are_counted() -> None:
    """A sparse domain: one draw in a billion fits, and deals come all the same, every task as even as by counting alone."""
    size = comb(12, 11) * (comb(19, 5) - comb(18, 4)) * 3**5 + comb(12, 11) * comb(18, 4) * 2 * 3**4
    tally = Tally(SPARSE, 12, 16, 1)
    assert tally.size == size == counted(SPARSE, 12, 16, 1)
    assert size * 10**8 < comb(30, 16) * 3**16
    rng = stream("deal", "sparse")
    many = deal_many(SPARSE, [range(12)] * 3_000, 16, 1, rng, tries=10)
    assert many[:50] == [tally.deal(rng.child(i)) for i in range(50)]
    for one in many[:50]:
        assert one is not None and one.valid == left(SPARSE, 12, one)
    assert abs(excess([one.valid for one in many if one], [(t,) for t in range(12)])) < 4
    assert next(sat_deals(SPARSE, 12, 16, 1)).valid
    picks = [rng.shuffled(range(12)) for _ in range(6)]
    for pick, one in zip(picks, deal_many(SPARSE, picks, 16, 1, rng, tries=0), strict=True):  # each is counted for its own truths
        assert one is not None and left(SPARSE, 12, one) == tuple([pick[t] for t in one.valid])


def test_that_there_is_no_deal_is_proved() -> None:
    """ "empty" is said only where nothing can be dealt; a spent budget says "budget"."""
    nothing = ((1, 0), (2, 0), (3, 0))
    for truths, actions in ((4, 3), (3, 1)):  # two truths that nothing excludes; one action that excludes two truths, at most
        excludes = nothing if truths == 4 else ((1, 2), (2, 1), (3, 4))
        expected = 0 if truths == 4 else 1
        assert count_deals(excludes, truths, actions, 1) == len(list(sat_deals(excludes, truths, actions, 1))) == expected
    for tries in (dealing.TRIES, 0):
        with pytest.raises(Discarded, match="empty"):
            deal(nothing, 4, 3, 1, stream("deal"), tries=tries)
    unreachable = ((1, 2, 4), (1, 2, 4))  # any truth can be excluded, two at a time at most
    assert not Tally(unreachable, 4, 2, 1).size
    with pytest.raises(Discarded, match="empty"):
        deal(unreachable, 4, 2, 1, stream("deal"))
    with pytest.raises(Discarded, match="empty"):
        Tally(unreachable, 4, 2, 1).deal(stream("deal"))
    assert deal_many(unreachable, [(0, 1), (0, 3)], 1, 1, stream("deal"))[1] is not None
    assert deal_many(unreachable, [(0, 3, 1), (0, 1, 2)], 1, 1, stream("deal")) == [None, None]


def test_too_large_to_count_is_said() -> None:
    """A table that does not fit is no proof of anything."""
    wide = tuple([(1 << t, 0) for t in range(40)])
    for ask in (
        lambda: deal(wide, 40, 39, 1, stream("deal"), tries=100),
        lambda: Tally(wide, 40, 39, 1),
        lambda: count_deals(wide, 40, 39, 1),
    ):
        with pytest.raises(Discarded, match="budget"):
            ask()
    assert deal_many(wide, [range(40)], 39, 1, stream("deal"), tries=100) == [None]
    with pytest.raises(Discarded, match="budget: 0 conflicts"):
        next(sat_deals(wide, 40, 39, 1, conflicts=0))


def test_clauses_deal_where_counting_cannot() -> None:
    """40 truths and 60 actions: a deal for any truth that is to hold, checked by hand."""
    excludes = domain(stream("deal", "large"), 40, 80, 4)
    for holds in ((0,), (17,), (39,)):
        one = next(sat_deals(excludes, 40, 60, 1, holds=holds))
        assert one.valid == holds == left(excludes, 40, one)
        assert len(one.actions) == 60 == len(set(one.actions)) and list(one.actions) == sorted(one.actions)
    two = list(islice(sat_deals(excludes, 40, 60, 2), 5))
    assert len(set(two)) == 5 and all(len(one.valid) == 2 and one.valid == left(excludes, 40, one) for one in two)


def test_one_of_many_is_what_one_alone_is() -> None:
    """deal_many restricts the domain's masks to each task's truths; its i-th deal is that of the stream's i-th child."""
    rng = stream("deal", "batch")
    excludes = domain(rng, 50, 36, 12)
    picks = [rng.sample(range(50), 9) for _ in range(30)]
    for i, (pick, one) in enumerate(zip(picks, deal_many(excludes, picks, 12, 1, rng), strict=True)):
        masks = tuple([tuple([sum([(mask >> t & 1) << k for k, t in enumerate(pick)]) for mask in outs]) for outs in excludes])
        assert one == deal(masks, 9, 12, 1, rng.child(i))
        assert one is not None and one.valid == left(masks, 9, one)
    assert deal_many(excludes, [], 12, 1, rng) == []


def test_streams_of_deals_stay_what_they_are() -> None:
    """If this changes, every dataset of this family changes: raise its version."""
    rng = stream("deal", "kept")
    excludes = domain(rng, 12, 20, 15)
    dealt = [deal(excludes, 12, 9, valid, rng.child(valid), tries=tries) for valid in (1, 2) for tries in (1000, 0)]
    assert sha256(repr([tuple(one) for one in dealt]).encode()).hexdigest()[:16] == "d12552df20f15657"


def test_overlap_of_sets() -> None:
    """Worked by hand: of {0, 1}, {1, 2} and {0, 1} the pairs share 1/3, 1 and 1/3."""
    assert overlap([(0, 1), (1, 2), (1, 0)]) == Fraction(5, 9)
    assert even_overlap(3, 2) == Fraction(1, 3) * 1 + Fraction(2, 3) * Fraction(1, 3)
    assert even_overlap(5, 5) == 1
    pairs = [
        Fraction(len(set(a) & set(b)), len(set(a) | set(b))) for a in combinations(range(6), 3) for b in combinations(range(6), 3)
    ]
    assert even_overlap(6, 3) == sum(pairs) / len(pairs)
    with pytest.raises(ValueError, match="two sets"):
        overlap([(0, 1)])
    with pytest.raises(ValueError, match="1 to 3"):
        even_overlap(3, 4)


def test_clauses_favour_some_actions_and_even_deals_do_not() -> None:
    """The reason for even deals: sets of actions that a SAT solver finds have more in common than sets have by chance."""
    rng = stream("deal", "overlap")
    excludes = domain(rng, 8, 24, 12)
    even = [one.actions for one in deal_many(excludes, [range(8)] * 60, 8, 1, rng) if one]
    solved = [next(sat_deals(excludes, 8, 8, 1, holds=(i % 8,))).actions for i in range(8)]
    solved += [one.actions for one in islice(sat_deals(excludes, 8, 8, 1), 52)]
    expected = even_overlap(24, 8)
    assert overlap(even) < Fraction(5, 4) * expected < Fraction(3, 2) * expected < overlap(solved)


@pytest.mark.parametrize(
    ("excludes", "truths", "actions", "valid", "message"),
    [
        (UNEVEN, 65, 2, 1, "1 to 64 truths, got 65"),
        (UNEVEN, 0, 2, 1, "1 to 64 truths, got 0"),
        (UNEVEN, 4, 5, 1, "1 to 4 actions can be chosen of 4, got 5"),
        (UNEVEN, 4, 0, 1, "got 0"),
        (UNEVEN, 4, 2, 5, "1 to 4 of 4 truths can hold, got 5"),
        (UNEVEN, 4, 2, 0, "1 to 4 of 4 truths can hold, got 0"),
        (UNEVEN, 3, 2, 1, "action 2 needs outcomes, each a mask of 3 truths"),
        (((1, 2), ()), 2, 1, 1, "action 1 needs outcomes"),
        (((1, -2),), 2, 1, 1, "action 0 needs outcomes"),
    ],
)
def test_impossible_wishes_are_refused(excludes: Excludes, truths: int, actions: int, valid: int, message: str) -> None:
    """The same words from every way of dealing."""
    for ask in (
        lambda: deal(excludes, truths, actions, valid, stream("deal")),
        lambda: Tally(excludes, truths, actions, valid),
        lambda: count_deals(excludes, truths, actions, valid),
        lambda: next(sat_deals(excludes, truths, actions, valid)),
    ):
        with pytest.raises(BadParams, match=message):
            ask()


def test_other_wrong_calls() -> None:
    for picks in ([(0, 1), (0,)], [(0, 0)], [(-1, 2)]):
        with pytest.raises(BadParams, match="check the truths that were picked"):
            deal_many(UNEVEN, picks, 2, 1, stream("deal"))
    with pytest.raises(BadParams, match="1 to 64 truths, got 65"):
        deal_many(UNEVEN, [(0, 64)], 2, 1, stream("deal"))
    with pytest.raises(BadParams, match=r"must be 1 of 0\.\.3"):
        next(sat_deals(UNEVEN, 4, 2, 1, holds=(0, 1)))
    with pytest.raises(IndexError, match="got -1"):
        Tally(UNEVEN, 4, 2, 1).nth(-1)
    assert prod(len(outs) for outs in UNEVEN) == 2 * 3 * 4 * 2
