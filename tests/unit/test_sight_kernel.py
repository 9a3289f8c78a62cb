"""What only the kernel for sight hints promises: each of its lines; the rest is in tests/contract/test_kernels.py."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
from tables import seen

from puzzlemill.core.model import SightTable, Slots
from puzzlemill.core.rng import Rng, stream
from puzzlemill.solvers.kernels import sight

BUDGET = 10_000_000


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


def test_corners_say_nothing_unless_diagonals_count() -> None:
    """Whether a rule is needed is asked by leaving the rule out, and its clues stay."""
    hint = (16 + 16, 4)  # 1 2 3 4 along the diagonal
    assert len(sight.answers(SightTable(4, (hint,)), 1_000, BUDGET).answers) == 576
    assert len(sight.answers(SightTable(4, (hint,), diagonals=True), 1_000, BUDGET).answers) < 100
