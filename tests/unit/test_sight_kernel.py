"""The kernel for Latin grids with sight hints against plain enumeration."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import SightTable, Slots
from puzzlemill.core.rng import Rng, stream
from puzzlemill.solvers.kernels import latin, sight

BUDGET = 10_000_000


def seen(line: Slots, summed: bool) -> int:
    return sum(v + 1 if summed else 1 for i, v in enumerate(line) if all(w < v for w in line[:i]))


def views(values: Slots, n: int) -> list[Slots]:
    """Every line of a grid from every end, in the order of the table's lines."""
    rows = [values[n * r : n * r + n] for r in range(n)]
    columns = [values[c::n] for c in range(n)]
    falling, rising = tuple(values[:: n + 1]), tuple(values[n - 1 : n * n - 1 : n - 1])
    lines = [*columns, *[line[::-1] for line in columns], *rows, *[line[::-1] for line in rows]]
    return [*lines, falling, rising, rising[::-1], falling[::-1]]


def all_clues(values: Slots, n: int, summed: bool, lines: int) -> list[tuple[int, int]]:
    hints = [(n * n + k, seen(line, summed)) for k, line in enumerate(views(values, n)[:lines])]
    return [*enumerate(values), *hints]


def masks(lines: set[Slots], n: int) -> list[int]:
    return [sum(1 << v for v in {line[p] for line in lines}) for p in range(n)]


def drawn_line(rng: Rng, n: int) -> list[int]:
    """Candidates of a line, rather many."""
    return [rng.between(1, (1 << n) - 1) | rng.below(1 << n) for _ in range(n)]


def test_a_line_keeps_exactly_what_its_permutations_take() -> None:
    """A candidate too many costs branchings only; one too few would lose answers, and with them proofs."""
    rng = stream("tests", "narrow")
    failed = 0
    for _ in range(1_000):
        n, summed = rng.between(1, 6), rng.chance(1, 2)
        line = drawn_line(rng, n)
        front, back = (rng.chance(2, 3) * seen(tuple(rng.shuffled(range(n))), summed) for _ in range(2))
        fitting = {
            way
            for way in permutations(range(n))
            if all(line[p] >> v & 1 for p, v in enumerate(way))
            and front in (0, seen(way, summed))
            and back in (0, seen(way[::-1], summed))
        }
        left = np.zeros(n, dtype=np.int32)
        room = np.empty((2, 1 << 8), dtype=np.int64)
        assert sight.narrow(np.array(line, dtype=np.int32), n, front, back, summed, room, left) == bool(fitting)
        assert not fitting or left.tolist() == masks(fitting, n)
        failed += not fitting
        orders, ranges = sight._orders(n, summed)
        listed = {int(order) for order in orders[slice(*ranges[front, back])]} if front or back else set()
        mask = sum(c << n * p for p, c in enumerate(line))
        ways = {sum(1 << n * p + v for p, v in enumerate(way)) for way in fitting}
        assert not (front or back) or {order for order in listed if not order & ~mask} == ways
    assert 100 < failed < 900  # both cases were met


def test_a_diagonal_keeps_exactly_what_its_lines_take() -> None:
    """On diagonals heights may repeat, and equal ones hide each other."""
    rng = stream("tests", "narrow_apart")
    for _ in range(400):
        n, summed = rng.between(1, 5), rng.chance(1, 2)
        line = drawn_line(rng, n)
        front = seen(tuple(rng.below(n) for _ in range(n)), summed)
        ways = product(*[[v for v in range(n) if c >> v & 1] for c in line])
        fitting = {way for way in ways if seen(way, summed) == front}
        left = np.zeros(n, dtype=np.int32)
        room = np.empty((2, 1 << 8), dtype=np.int64)
        assert sight.narrow_apart(np.array(line, dtype=np.int32), n, front, summed, room, left) == bool(fitting)
        assert not fitting or left.tolist() == masks(fitting, n)


@pytest.mark.parametrize("diagonals", [False, True])
@pytest.mark.parametrize("summed", [False, True])
def test_answers_are_those_of_enumeration(summed: bool, diagonals: bool) -> None:
    """All 576 squares of size 4 under random clues, also wrong ones."""
    squares = sight.answers(SightTable(4, ()), 1_000, BUDGET).answers
    assert len(set(squares)) == 576
    rng = stream("tests", "answers", int(summed), int(diagonals))
    lines = 20 if diagonals else 16
    told = {square: set(all_clues(square, 4, summed, lines)) for square in squares}
    some_empty = some_many = False
    for _ in range(300):
        clues = rng.sample(all_clues(rng.pick(squares), 4, summed, lines), rng.between(1, 6))
        if rng.chance(1, 3):
            place, value = clues[0]
            clues[0] = (place, (value + 1) % 4 if place < 16 else value % 4 + 1)
        want = {square for square, true in told.items() if true.issuperset(clues)}
        found = sight.answers(SightTable(4, tuple(clues), summed, diagonals), 1_000, BUDGET)
        assert found.exhausted
        assert len(found.answers) == len(want)
        assert set(found.answers) == want
        some_empty |= not want
        some_many |= len(want) > 1
    assert some_empty
    assert some_many


def test_corners_say_nothing_unless_diagonals_count() -> None:
    """Whether a rule is needed is asked by leaving the rule out, and its clues stay."""
    hint = (16 + 16, 4)  # 1 2 3 4 along the diagonal
    assert len(sight.answers(SightTable(4, (hint,)), 1_000, BUDGET).answers) == 576
    assert len(sight.answers(SightTable(4, (hint,), diagonals=True), 1_000, BUDGET).answers) < 100


@pytest.mark.parametrize("n", [5, 6, 8])
def test_thinned_tables_are_minimal(n: int) -> None:
    """What stays has the one answer, and two or more without any clue of it; `keep` is kept."""
    rng = stream("tests", "thin", n)
    values = sight.sample(SightTable(n, ()), rng)
    assert values is not None
    clues = tuple(all_clues(values, n, False, 4 * n))
    order = rng.shuffled(range(len(clues)))
    stays = sight.minimize(SightTable(n, clues), order, 0, BUDGET)
    assert stays is not None
    left = [clues[i] for i in stays]
    assert sight.answers(SightTable(n, tuple(left)), 2, BUDGET).answers == (values,)
    for clue in left:
        fewer = tuple(other for other in left if other != clue)
        assert len(sight.answers(SightTable(n, fewer), 2, BUDGET).answers) == 2
    kept = sight.minimize(SightTable(n, clues), order, len(left) + 3, BUDGET)
    assert kept is not None
    assert len(kept) == len(left) + 3


def test_a_spent_budget_decides_nothing() -> None:
    """UNKNOWN is never a proof."""
    found = sight.answers(SightTable(8, ((64, 3),)), 2, 1)
    assert not found.exhausted
    assert not found.decided(2)
    square = latin.sample(sight.LatinTable(6, (), ()), stream("tests", "spent"))
    assert square is not None
    assert sight.minimize(SightTable(6, tuple(all_clues(square, 6, False, 24))), range(60), 0, 1) is None


@pytest.mark.parametrize(
    ("table", "named"),
    [
        (SightTable(9, ()), "1 to 8 values"),
        (SightTable(4, ((0, 4),)), "got 0 with 4"),
        (SightTable(4, ((16, 0),)), "got 16 with 0"),
        (SightTable(4, ((16, 5),)), "hint of 1 to 4"),
        (SightTable(4, ((36, 1),)), "got 36 with 1"),
        (SightTable(4, ((-1, 1),)), "got -1 with 1"),
    ],
)
def test_tables_that_describe_no_grid_are_refused(table: SightTable, named: str) -> None:
    with pytest.raises(BadRow, match=named):
        sight.answers(table, 2, BUDGET)


def test_samples_under_hints_are_even() -> None:
    """One of a few answers is drawn as often as another."""
    table = SightTable(4, ((16, 4), (17, 3)))
    every = sight.answers(table, 1_000, BUDGET).answers
    rng = stream("tests", "sample")
    drawn = [sight.sample(table, rng) for _ in range(40 * len(every))]
    counts = [drawn.count(answer) for answer in every]
    assert sum(counts) == len(drawn)
    assert sum((count - 40) ** 2 / 40 for count in counts) < len(every) - 1 + 5 * (2 * len(every)) ** 0.5
    assert sight.sample(SightTable(4, ((16, 4), (20, 2))), rng) is None
