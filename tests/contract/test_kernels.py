"""Every kernel of slots against all answers of small tables, which tests/tables.py lists from the definitions.

A wrong count in a kernel is a wrong status in a release; a spent budget or a malformed table must never read as a count.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from tables import KINDS, Clue, Kind, boxes, drawn_evenly

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import (
    BLANK,
    RELATIONS,
    ErasureTable,
    GridTable,
    LatinTable,
    LinesTable,
    MinesTable,
    PositionTable,
    SightTable,
    Slots,
    SumsTable,
)
from puzzlemill.core.rng import Rng, stream
from puzzlemill.solvers import kernels

BUDGET = 10_000_000
PLENTY = 20_000
LONG = ("lines-only-extras", "positions-wide")  # seconds each


@pytest.fixture(params=[pytest.param(kind, marks=pytest.mark.slow) if kind.name in LONG else kind for kind in KINDS], ids=str)
def kind(request: pytest.FixtureRequest) -> Kind:
    found: Kind = request.param
    return found


@pytest.fixture
def rng(kind: Kind, request: pytest.FixtureRequest) -> Rng:
    return stream("tests", "kernels", kind.name, request.node.originalname)


def one_by_one(kind: Kind, clues: tuple[Clue, ...], order: list[int], keep: int) -> tuple[int, ...]:
    """The definition of leaving out clues, by all answers."""
    stay, wanted = list(range(len(clues))), kind.only(clues)
    for place in order:
        fewer = [i for i in stay if i != place]
        if len(stay) > keep and kind.only([clues[i] for i in fewer]) == wanted:
            stay = fewer
    return tuple(stay)


def large(kind: Kind, rng: Rng) -> Any:
    """A large table with all its clues."""
    table = kind.large
    values: Slots | None = ()
    if kind.samples:
        values = kernels.sample(table, rng)
    elif isinstance(table, MinesTable):  # far from each other
        laid = rng.sample([2 * r * table.cols + 2 * c for r in range(4) for c in range(4)], max(table.mines, 6))
        values = tuple(int(i in laid) for i in range(table.rows * table.cols))
    assert values is not None
    return replace(table, clues=tuple(kind.stated(table, values, rng)))


def test_every_answer_is_found_once(kind: Kind) -> None:
    """The rules alone: an answer too many or too few, or one that is given twice where a room for answers ends."""
    found = kernels.answers(kind.base, PLENTY, BUDGET)
    assert found.exhausted
    assert sorted(found.answers) == kind.universe
    assert kernels.answers(kind.base, len(kind.universe), BUDGET).answers == found.answers


def test_answers_under_clues_are_those_of_the_list(kind: Kind, rng: Rng) -> None:
    """The kernel misreads a clue, or loses answers between two of them. Solvable, ambiguous and unsolvable sets of clues."""
    outcomes = Counter[int]()
    for _ in range(120):
        clues = kind.some(rng)
        right, table = kind.answers(clues), kind.table(clues)
        found = kernels.answers(table, PLENTY, BUDGET)
        assert found.exhausted
        assert sorted(found.answers) == right, table
        for limit in (1, 2, 3):
            some = kernels.answers(table, limit, BUDGET)
            assert some.answers == found.answers[:limit]
            assert len(right) >= limit or some.exhausted
            assert len(right) <= limit or not some.exhausted
        if kind.samples:
            drawn = kernels.sample(table, rng)
            assert (drawn in right) if right else drawn is None
        if isinstance(table, MinesTable):
            alike = tuple(column[0] if len(set(column)) == 1 else BLANK for column in zip(*right, strict=True))
            assert kernels.common(table, BUDGET).values == (alike if right else None)
        outcomes[min(len(right), 2)] += 1
    assert min(outcomes[1], outcomes[2]) >= 2 and (outcomes[0] >= 2 or isinstance(kind.base, ErasureTable)), outcomes


def test_clues_are_left_out_one_by_one(kind: Kind, rng: Rng) -> None:
    """Kernels try clues in blocks and share work between them: what stays must be what the plain loop leaves, and minimal."""
    for keep in (0, 0, 0, 0, 0, 4, 7):
        clues = kind.full(rng)
        order = rng.shuffled(range(len(clues)))[rng.below(3) :]  # what is not named stays
        stay = kernels.minimize(kind.table(clues), order, keep, BUDGET)
        assert stay == one_by_one(kind, clues, order, keep)
    assert kernels.minimize(kind.table(clues), [], 0, BUDGET) == tuple(range(len(clues)))


def test_a_spent_budget_decides_nothing(kind: Kind, rng: Rng) -> None:
    """UNKNOWN must never pass for unique, unsolvable or minimal."""
    found = kernels.answers(kind.large, 100_000, 50)
    assert not found.exhausted and not found.decided(100_000)
    assert len(set(found.answers)) == len(found.answers)
    assert found.nodes == 50 or isinstance(kind.large, MinesTable)
    assert not kernels.answers(kind.large, 1, 0).exhausted
    full = large(kind, rng)
    assert kernels.minimize(full, rng.shuffled(range(len(full.clues))), 0, 0) is None


def test_the_same_question_has_the_same_answer(kind: Kind, rng: Rng) -> None:
    """Answers, their order, nodes and draws are part of a release's bytes; a stream that is drawn from moves on."""
    table = kind.table(kind.full(rng)[:3])
    assert kernels.answers(table, 20, BUDGET) == kernels.answers(table, 20, BUDGET)
    if kind.samples:
        one, two = (stream("tests", "kernels", "same") for _ in range(2))
        assert kernels.sample(kind.base, one) == kernels.sample(kind.base, two)
        assert one.next64() == two.next64() or isinstance(table, PositionTable)
        assert len({kernels.sample(kind.base, one) for _ in range(20)}) > 1


def test_answers_are_drawn_evenly(kind: Kind, rng: Rng) -> None:
    """A biased draw hides part of the answers: without clues, and with clues that leave 5 to 60 of them."""
    if not kind.samples:
        return
    if len(kind.universe) <= 2_000:
        draws = 15 * len(kind.universe)
        assert drawn_evenly(Counter(kernels.sample(kind.base, rng) for _ in range(draws)), kind.universe)
    few = kind.some(rng)
    while not 5 <= len(kind.answers(few)) <= 60:
        few = kind.some(rng)
    right = kind.answers(few)
    assert drawn_evenly(Counter(kernels.sample(kind.table(few), rng) for _ in range(40 * len(right))), right)


def test_what_cannot_be_thinned_is_refused(kind: Kind, rng: Rng) -> None:
    """Clues without exactly one answer, a place named twice, positions that are none: the outcome would be called a proof."""
    clues = kind.full(rng)
    table = kind.table(clues)
    for order in ([0, 0], [len(clues)], [-1]):
        with pytest.raises(ValueError, match="positions"):
            kernels.minimize(table, order, 0, BUDGET)
    if len(clues[0]) == 2:
        with pytest.raises(ValueError, match="different places"):
            kernels.minimize(kind.table([*clues, clues[0]]), [0], 0, BUDGET)
    if not isinstance(table, MinesTable):  # where any numbers have a right reply
        with pytest.raises(ValueError, match="exactly one answer"):
            kernels.minimize(kind.base, [], 0, BUDGET)
        while kind.only(clues) is not None:
            clues = kind.full(rng)[:2]
        with pytest.raises(ValueError, match="exactly one answer"):
            kernels.minimize(kind.table(clues), [0], 0, BUDGET)


NO_PART = ((0, 0, 0, 0, 0, 0, 0, 0),) * 3
MALFORMED: list[Any] = [
    *[LatinTable(4, boxes(2, 2), (clue,)) for clue in ((16, 0), (-1, 0), (0, 4), (0, -1), (1 << 70, 0))],
    *[LatinTable(4, (unit,), ()) for unit in ((0, 1, 2), (0, 1, 2, 2), (0, 1, 2, 16), (-1, 0, 1, 2))],
    LatinTable(26, (), ()),
    LatinTable(4, boxes(2, 2), (), heaviest=((0, 16),)),
    SightTable(9, ()),
    *[SightTable(4, (clue,)) for clue in ((0, 4), (16, 0), (16, 5), (36, 1), (-1, 1))],
    *[LinesTable(rows, cols, False, ()) for rows, cols in ((5, 4), (4, 22), (0, 4))],
    *[LinesTable(4, 6, False, (clue,)) for clue in ((24, 0), (-1, 0), (0, 2), (0, -1))],
    *[
        LinesTable(4, 6, False, ((0, 1), extra))
        for extra in (
            (7, 0, 1, 0, 1),
            (-1, 0, 1, 0, 1),
            (0, 0, 2, 0, 1),
            (0, 0, 1, 0, 24),
            (0, 0, 1, -1, 3),
            (0, 0, 1, 3, 3),
            (0, 1, 1, 3, 4),
            (3, 3, 2, 0, 1),
            (3, 1, 2, 0, 1, 2),
            (4, 2, 2, 0, 1),
            (5, 0, 2, 0, 1),
            (6, 0, 2, 0, 1, 2),
            (3, 0, 0),
            (3,),
        )
    ],
    LinesTable(4, 6, False, ((3, 0, 1, 0),) * 61),
    PositionTable(1, 2, ()),
    PositionTable(3, 9, ()),
    *[
        PositionTable(3, 2, (clue,), NO_PART[:2])
        for clue in (
            (len(RELATIONS), 0, 0, 0, 0, 0, 0, 0),
            (0, 2, 0, 0, 0, 0, 0, 0),
            (3, 0, 0, 1, 3, 0, 0, 0),
            (0, 0, 0, 0, 0, 0, 0, -1),
            (0, 0, 0, 0, 0, 0, 0),
            (11, 0, 3, 0, 0, 0, 0, 0),
            (12, 1, 2, 0, 0, 0, 0, 0),
            (12, -1, 2, 0, 0, 0, 0, 0),
            (13, 0, 2, 0, 0, 0, 0, 1),
        )
    ],
    PositionTable(3, 2, ((13, 0, 3, 0, 0, 0, 0, 0),), NO_PART),
    *[PositionTable(3, 2, (), (part,)) for part in ((13, 0, 2, 0, 0, 0, 0, 0), (0, 0, 3, 0, 0, 0, 0, 0))],
    GridTable(1, 3, (), ()),
    GridTable(7, 3, (), ()),
    GridTable(3, 9, (), ()),
    *[GridTable(3, 3, (scale,), ()) for scale in ((3, (0, 1, 2)), (2, (0, 1)), (2, (0, 1, 1)), (-1, (0, 1, 2)))],
    *[
        GridTable(3, 3, ((2, (0, 1, 2)),), ((*start, *[0] * (14 - len(start))),), ((0, 2, *[0] * 12),) * 2)
        for start in (
            (15, 1),
            (15, 3),
            (16, 2),
            (-1, 2),
            (0, 3),
            (0, 1),
            (5, 6),
            (0, 2, 3),
            (0, 2, 0, 3),
            (0, 2, 0, -1),
            (6, 2, *[0] * 10, 1),
            (7, 2, *[0] * 10, 0, -1),
            (11, 3, 0),
            (12, 3, 0),
            (13, 2, 1),
            (13, 2, -1),
            (13, 2, 0, 1),
            (0, 2, *[0] * 13),
        )
    ],
    GridTable(3, 3, (), ((6, 2, *[0] * 12),)),
    GridTable(3, 3, (), (), ((11, 2, *[0] * 12),)),
    SumsTable(4, 11, (), ()),
    SumsTable(0, 4, (), ()),
    SumsTable(4, 4, (16,), ()),
    *[SumsTable(4, 4, (), (clue,)) for clue in ((8, 1), (0, -1))],
    ErasureTable(0, 4, ()),
    ErasureTable(4, 4, (), (16,)),
    *[ErasureTable(4, 4, (clue,)) for clue in ((16, 1), (-1, 1), (0, -1))],
    MinesTable(0, 4, -1, ()),
    *[MinesTable(3, 4, -1, (clue,)) for clue in ((12, 1), (-1, 1), (0, 9), (0, -1))],
]


@pytest.mark.parametrize("table", MALFORMED, ids=lambda table: str(table)[:60])
def test_malformed_tables_are_refused(table: Any) -> None:
    """Row texts are hostile, and compiled code checks no index: a wrong one would read or write foreign memory."""
    with pytest.raises((BadRow, ValueError)):
        kernels.answers(table, 2, BUDGET)
    with pytest.raises((BadRow, ValueError)):
        kernels.minimize(table, [], 0, BUDGET)
    if not isinstance(table, ErasureTable | MinesTable):
        with pytest.raises((BadRow, ValueError)):
            kernels.sample(table, stream("tests", "kernels", "malformed"))


def test_a_limit_is_at_least_one(kind: Kind) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        kernels.answers(kind.base, 0, BUDGET)
