"""The positions kernel against enumeration: every assignment is tried, every clue read by a definition of this file."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from puzzlemill.core.model import COMPOSITES, RELATIONS, PositionTable, Slots
from puzzlemill.core.rng import Rng, stream
from puzzlemill.solvers.kernels import positions as kernel

Line = tuple[int, ...]
BUDGET = 1_000_000
PLAIN = RELATIONS[: -len(COMPOSITES)]


def means(clue: Line, place: dict[tuple[int, int], int], last: int, parts: list[Line]) -> bool:
    """The relation in words of arithmetic; place: item -> position."""
    if RELATIONS[clue[0]] in COMPOSITES:
        truths = [means(part, place, last, []) for part in parts[clue[1] : clue[1] + clue[2]]]
        return truths[0] <= truths[1] if RELATIONS[clue[0]] == "if" else truths.count(True) == 1
    code, a, v, b, w, c, x, d = clue
    first, second, third = place[a, v], place[b, w], place[c, x]
    return {
        "at": first == d,
        "not_at": first != d,
        "end": first in (0, last),
        "same": first == second,
        "not_same": first != second,
        "next": (first - second) ** 2 == 1,
        "just_left": second - first == 1,
        "left": second - first > 0,
        "apart": (first - second) ** 2 == d * d,
        "between": (first - second) * (third - first) > 0,
        "far": (first - second) ** 2 >= d * d,
    }[RELATIONS[code]]


def every_answer(n: int, m: int) -> list[Slots]:
    return [tuple(v for row in rows for v in row) for rows in product(permutations(range(n)), repeat=m)]


def allowed(clues: list[Line], answers: list[Slots], n: int, parts: list[Line] | None = None) -> list[Slots]:
    kept = []
    for answer in answers:
        place = {(slot // n, value): slot % n for slot, value in enumerate(answer)}
        if all(means(clue, place, n - 1, parts or []) for clue in clues):
            kept.append(answer)
    return kept


def random_clue(n: int, m: int, rng: Rng) -> Line:
    """Any relation of any items, also where it makes little sense: an item beside itself, distance 0."""
    code = rng.below(len(PLAIN))
    return (code, *[rng.below(size) for size in (m, n, m, n, m, n, n)])


def random_composite(n: int, m: int, parts: list[Line], rng: Rng) -> Line:
    """Any composite, sometimes of parts that another one has too. Its own parts are added to `parts`."""
    kind = rng.pick(COMPOSITES)
    number = 3 if kind == "one_of" else 2
    first = len(parts)
    if first >= number and rng.chance(1, 5):
        first = rng.below(first - number + 1)
    else:
        parts += [random_clue(n, m, rng) for _ in range(number)]
    return (RELATIONS.index(kind), first, number, 0, 0, 0, 0, 0)


@pytest.mark.parametrize(("n", "m"), [(2, 3), (3, 2), pytest.param(4, 2, marks=pytest.mark.slow)])
def test_every_clue_means_what_it_says(n: int, m: int) -> None:
    """A relation, a direction or a distance is read wrongly by the kernel."""
    answers = every_answer(n, m)
    for code in range(len(PLAIN)):
        for a, v, b, w, c, x, d in product(*(range(size) for size in (1, n, m, n, m, n, n))):
            if RELATIONS[code] != "between" and (c or x):
                continue
            clue = (code, a, v, b, w, c, x, d)
            found = kernel.answers(PositionTable(n, m, (clue,)), len(answers) + 1, BUDGET)
            assert found.exhausted
            assert sorted(found.answers) == allowed([clue], answers, n), clue


@pytest.mark.parametrize(("n", "m"), [(2, 4), (3, 2), (3, 3), (4, 2)])
def test_random_clues_have_the_answers_of_enumeration(n: int, m: int) -> None:
    """Propagation loses answers, or the search misses or repeats some."""
    answers = every_answer(n, m)
    outcomes = []
    for index in range(150):
        rng = stream("random clues", n, m, index)
        drawn = [random_clue(n, m, rng) for _ in range(rng.between(1, 10 * n if index % 3 else 4))]
        hidden = rng.pick(answers)  # two times in three the clues are true of it, so that not all sets of them clash
        clues = [clue for clue in drawn if index % 3 == 0 or allowed([clue], [hidden], n)]
        found = kernel.answers(PositionTable(n, m, tuple(clues)), len(answers) + 1, BUDGET)
        right = allowed(clues, answers, n)
        assert found.exhausted
        assert sorted(found.answers) == right
        outcomes.append(min(len(right), 2))
    assert all(outcomes.count(k) >= 3 for k in (0, 1, 2)), outcomes


@pytest.mark.parametrize(("n", "m"), [(2, 3), (3, 2), (3, 3), (4, 2)])
def test_composites_have_the_answers_of_enumeration(n: int, m: int) -> None:
    """A part is taken for decided too early, its opposite is pruned wrongly, or the parts of another clue are read."""
    answers = every_answer(n, m)
    outcomes = []
    for index in range(200):
        rng = stream("random composites", n, m, index)
        hidden = rng.pick(answers)
        parts: list[Line] = []
        clues: list[Line] = []
        for _ in range(rng.between(1, 8 * n if index % 3 else 4)):
            clue = random_composite(n, m, parts, rng) if rng.chance(2, 3) else random_clue(n, m, rng)
            if index % 3 == 0 or allowed([clue], [hidden], n, parts):
                clues.append(clue)
        found = kernel.answers(PositionTable(n, m, tuple(clues), tuple(parts)), len(answers) + 1, BUDGET)
        right = allowed(clues, answers, n, parts)
        assert found.exhausted
        assert sorted(found.answers) == right
        outcomes.append(min(len(right), 2))
    assert all(outcomes.count(k) >= 3 for k in (0, 1, 2)), outcomes


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


def test_a_spent_budget_is_no_proof() -> None:
    """UNKNOWN must never pass for "no answer"."""
    found = kernel.answers(PositionTable(5, 3, ()), 10**6, 50)
    assert not found.exhausted
    assert not found.decided(10**6)
    assert found.nodes == 50
    assert kernel.answers(PositionTable(5, 3, ()), 1, 0).decided(1) is False


def test_nodes_count_branching_only() -> None:
    """nodes == 0 is how a row says that propagation alone solves it."""
    n, m = 4, 3
    at = tuple((RELATIONS.index("at"), a, v, 0, 0, 0, 0, v) for a in range(m) for v in range(n - 1))
    found = kernel.answers(PositionTable(n, m, at), 2, BUDGET)
    assert (found.nodes, found.exhausted, found.answers) == (0, True, ((0, 1, 2, 3) * m,))
    assert kernel.answers(PositionTable(n, m, at[1:-1]), 2, BUDGET).nodes > 0


def naive_minimize(
    clues: list[Line], order: list[int], keep: int, answers: list[Slots], n: int, parts: list[Line] | None = None
) -> tuple[int, ...]:
    """One clue at a time, by enumeration."""
    stays = list(range(len(clues)))
    for i in order:
        rest = [j for j in stays if j != i]
        if len(stays) > keep and len(allowed([clues[j] for j in rest], answers, n, parts)) == 1:
            stays = rest
    return tuple(stays)


@pytest.mark.parametrize("keep", [0, 9])
def test_thinning_by_blocks_is_thinning_one_by_one(keep: int) -> None:
    """The kernel tries whole blocks and skips by what a second answer breaks; the outcome must not show it."""
    n, m = 3, 3
    answers = every_answer(n, m)
    for index in range(25):
        rng = stream("thin", index)
        hidden = rng.pick(answers)
        clues: list[Line] = []
        while len(clues) < 24 or len(allowed(clues, answers, n)) > 1:
            clue = random_clue(n, m, rng)
            if allowed([clue], [hidden], n):
                clues.append(clue)
        order = rng.shuffled(range(len(clues)))
        if index % 3 == 0:
            order = order[5:]  # what is not named stays
        table = PositionTable(n, m, tuple(clues))
        assert kernel.minimize(table, order, keep, BUDGET) == naive_minimize(clues, order, keep, answers, n)


def test_thinning_of_composites_is_thinning_one_by_one() -> None:
    """What a second answer breaks is read off parts as well; one that is misread lets a needed clue go."""
    n, m = 3, 3
    answers = every_answer(n, m)
    for index in range(25):
        rng = stream("thin composites", index)
        hidden = rng.pick(answers)
        parts: list[Line] = []
        clues: list[Line] = []
        while len(clues) < 24 or len(allowed(clues, answers, n, parts)) > 1:
            clue = random_composite(n, m, parts, rng) if rng.chance(3, 4) else random_clue(n, m, rng)
            if allowed([clue], [hidden], n, parts):
                clues.append(clue)
        order = rng.shuffled(range(len(clues)))
        table = PositionTable(n, m, tuple(clues), tuple(parts))
        assert kernel.minimize(table, order, 0, BUDGET) == naive_minimize(clues, order, 0, answers, n, parts)


def test_thinning_refuses_what_has_not_one_answer() -> None:
    """Thinning a puzzle with two answers would "prove" it unique."""
    with pytest.raises(ValueError, match="exactly one answer"):
        kernel.minimize(PositionTable(3, 2, ()), (), 0, BUDGET)
    clash = tuple((RELATIONS.index("at"), 0, 0, 0, 0, 0, 0, p) for p in (0, 1))
    with pytest.raises(ValueError, match="exactly one answer"):
        kernel.minimize(PositionTable(3, 2, clash), (0, 1), 0, BUDGET)


def test_thinning_says_when_its_budget_is_spent() -> None:
    """None, not a guess."""
    n, m = 5, 4
    left = RELATIONS.index("left")
    clues = tuple((left, a, v, a, w, 0, 0, 0) for a in range(m) for v in range(n) for w in range(v + 1, n))
    order = tuple(range(len(clues)))
    assert kernel.minimize(PositionTable(n, m, clues), order, 0, 0) is None
    kept = kernel.minimize(PositionTable(n, m, clues), order, 0, BUDGET)
    assert kept is not None
    assert [clues[i][4] - clues[i][2] for i in kept] == [1] * (m * (n - 1)), "a chain of neighbours is the only minimal set"


@pytest.mark.parametrize(
    "table",
    [
        PositionTable(1, 2, ()),
        PositionTable(3, 9, ()),
        PositionTable(3, 2, ((len(RELATIONS), 0, 0, 0, 0, 0, 0, 0),)),
        PositionTable(3, 2, ((0, 2, 0, 0, 0, 0, 0, 0),)),
        PositionTable(3, 2, ((3, 0, 0, 1, 3, 0, 0, 0),)),
        PositionTable(3, 2, ((0, 0, 0, 0, 0, 0, 0, -1),)),
        PositionTable(3, 2, ((0, 0, 0, 0, 0, 0, 0),)),
        PositionTable(3, 2, ((11, 0, 3, 0, 0, 0, 0, 0),), ((0, 0, 0, 0, 0, 0, 0, 0),) * 2),
        PositionTable(3, 2, ((12, 1, 2, 0, 0, 0, 0, 0),), ((0, 0, 0, 0, 0, 0, 0, 0),) * 2),
        PositionTable(3, 2, ((12, -1, 2, 0, 0, 0, 0, 0),), ((0, 0, 0, 0, 0, 0, 0, 0),) * 2),
        PositionTable(3, 2, ((13, 0, 3, 0, 0, 0, 0, 0),), ((0, 0, 0, 0, 0, 0, 0, 0),) * 3),
        PositionTable(3, 2, ((13, 0, 2, 0, 0, 0, 0, 1),), ((0, 0, 0, 0, 0, 0, 0, 0),) * 2),
        PositionTable(3, 2, (), ((13, 0, 2, 0, 0, 0, 0, 0),)),
        PositionTable(3, 2, (), ((0, 0, 3, 0, 0, 0, 0, 0),)),
    ],
)
def test_tables_out_of_range_are_refused(table: PositionTable) -> None:
    """Compiled code checks no index: a wrong one would read or write foreign memory."""
    with pytest.raises(ValueError):
        kernel.answers(table, 2, BUDGET)


def test_orders_out_of_range_are_refused() -> None:
    table = PositionTable(2, 2, tuple((0, a, v, 0, 0, 0, 0, v) for a in range(2) for v in range(2)))
    for order in ((4,), (-1,), (0, 0)):
        with pytest.raises(ValueError, match="order"):
            kernel.minimize(table, order, 0, BUDGET)


def test_a_small_space_is_sampled_evenly() -> None:
    """Families may lean on sample() for diverse answers: each of 24 must come up about 100 times in 2,400."""
    same = RELATIONS.index("same")
    table = PositionTable(4, 2, tuple((same, 0, v, 1, v, 0, 0, 0) for v in range(4)))
    drawn: dict[Slots | None, int] = {}
    for index in range(2_400):
        found = kernel.sample(table, stream("sample", index))
        drawn[found] = drawn.get(found, 0) + 1
    assert len(drawn) == 24
    assert min(drawn.values()) > 60
    assert max(drawn.values()) < 140


def test_a_large_space_is_sampled_widely() -> None:
    """A dive that always ends in the same corner makes near-duplicates."""
    table = PositionTable(5, 4, ((RELATIONS.index("left"), 0, 0, 1, 1, 0, 0, 0),))
    drawn = [kernel.sample(table, stream("dive", index)) for index in range(100)]
    assert len(set(drawn)) == 100
    assert drawn[3] == kernel.sample(table, stream("dive", 3))
    for found in drawn:
        assert found is not None
        assert allowed([table.clues[0]], [found], 5)
    for slot in range(20):
        impossible = {4: {0}, 5: {1}}.get(slot, set())  # the left item stands last, or the right one first
        assert {found[slot] for found in drawn if found is not None} == set(range(5)) - impossible


def test_sampling_an_impossible_table_gives_nothing() -> None:
    clash = tuple((RELATIONS.index("at"), 0, 0, 0, 0, 0, 0, p) for p in (0, 1))
    assert kernel.sample(PositionTable(3, 2, clash), stream("none")) is None


def test_the_largest_table_fits_one_word() -> None:
    """64 items: one bit too many would drop the last item from propagation."""
    at = tuple((RELATIONS.index("at"), a, v, 0, 0, 0, 0, (a + v) % 8) for a in range(8) for v in range(7))
    found = kernel.answers(PositionTable(8, 8, at), 2, BUDGET)
    assert found.exhausted
    assert found.answers == (tuple((p - a) % 8 for a in range(8) for p in range(8)),)
    two = kernel.answers(PositionTable(8, 8, at[:-1]), 5, BUDGET)
    assert len(two.answers) == 2
