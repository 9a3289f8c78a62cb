"""What only the kernel for binary lines promises: what a line tells, large sizes, its walk.

All that every kernel promises is in tests/contract/test_kernels.py.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import sqrt

import numpy as np
import pytest
from tables import binary_grids, drawn_evenly, holds, patterns

from puzzlemill.core.model import BLANK, GROUP_RELATIONS, LinesTable, Slots
from puzzlemill.core.rng import Rng, stream
from puzzlemill.solvers import kernels
from puzzlemill.solvers.kernels import lines
from puzzlemill.solvers.kernels import patterns as kernel
from puzzlemill.solvers.kernels.driver import cells_of
from puzzlemill.solvers.kernels.random import state_of

BUDGET = 10_000_000
NO_EXTRAS = np.zeros((1, 64), dtype=np.int64)
Clues = tuple[tuple[int, int], ...]


def table(rows: int, cols: int, distinct: bool, clues: Clues = ()) -> LinesTable:
    return LinesTable(rows, cols, distinct, clues)


def some_clues(rows: int, cols: int, distinct: bool, rng: Rng) -> Clues:
    """Some cells of a random legal grid, or a puzzle of it; then perhaps with one clue fewer, or with a wrong one."""
    values = lines.sample(table(rows, cols, distinct), rng)
    assert values is not None
    clues = list(enumerate(values))
    order = rng.shuffled(range(rows * cols))
    if rng.chance(1, 3):
        clues = [clues[i] for i in order[: rng.between(rows * cols // 8, rows * cols // 2)]]
    else:
        stays = kernels.minimize(table(rows, cols, distinct, tuple(clues)), order, rng.below(rows * cols // 2), BUDGET)
        assert stays is not None
        clues = [clues[i] for i in stays]
    changed = rng.below(4)
    if changed == 0:
        clues.pop(rng.below(len(clues)))
    elif changed == 1:
        cell = rng.below(rows * cols)
        clues = [clue for clue in clues if clue[0] != cell] + [(cell, 1 - values[cell])]
    return tuple(clues)


def test_draws_under_extra_constraints_keep_them() -> None:
    """With too many answers to list, the walk moves on without ever breaking a constraint."""
    rng = stream("tests", "lines", "walk extras")
    line = range(10)
    extras = (
        (GROUP_RELATIONS.index("equal"), 0, 10, *line, *range(30, 40)),
        (GROUP_RELATIONS.index("count"), 3, 4, 55, 56, 65, 66),
        (GROUP_RELATIONS.index("more"), 0, 5, *range(0, 50, 10), *range(59, 99, 10)),
    )
    drawn = {lines.sample(LinesTable(10, 10, False, extras), rng) for _ in range(10)}
    assert len(drawn) == 10
    for grid in drawn:
        assert grid is not None
        assert all(holds(extra, grid) for extra in extras)
        assert {grid[r * 10 : r * 10 + 10] for r in range(10)} <= set(patterns(10))


# ---- propagation ----------------------------------------------------------------------------------------------------


def settled(rows: int, cols: int, distinct: bool, clues: Clues) -> list[int] | None:
    """What listing the patterns that fit each line leaves open, by the definition; None for a contradiction."""
    cells = [BLANK] * (rows * cols)
    for cell, value in clues:
        if cells[cell] not in (BLANK, value):
            return None
        cells[cell] = value
    across = [list(range(r * cols, (r + 1) * cols)) for r in range(rows)]
    down = [list(range(c, rows * cols, cols)) for c in range(cols)]
    changed = True
    while changed:
        changed = False
        for group in (across, down):
            for places in group:
                known = [cells[i] for i in places]
                taken = [[cells[i] for i in other] for other in group if other is not places] if distinct else []
                fitting = [
                    line
                    for line in patterns(len(places))
                    if all(k in (BLANK, v) for k, v in zip(known, line, strict=True)) and list(line) not in taken
                ]
                if not fitting:
                    return None
                for i, values in zip(places, zip(*fitting, strict=True), strict=True):
                    if cells[i] == BLANK and len(set(values)) == 1:
                        cells[i] = values[0]
                        changed = True
    return cells


@pytest.mark.parametrize(
    ("rows", "cols", "distinct"), [(6, 8, True), (8, 6, False), pytest.param(8, 10, True, marks=pytest.mark.slow)]
)
def test_no_guess_means_that_lines_alone_decide(rows: int, cols: int, distinct: bool) -> None:
    """nodes == 0 is the band "easy" in every row: it must mean what the docstring says, no more and no less."""
    rng = stream("tests", "lines", "settled", rows, cols)
    seen = Counter()
    for _ in range(60):
        clues = some_clues(rows, cols, distinct, rng)
        cells = settled(rows, cols, distinct, clues)
        found = lines.answers(table(rows, cols, distinct, clues), 2, BUDGET)
        assert (found.nodes == 0) == (cells is None or BLANK not in cells)
        seen[found.nodes == 0] += 1
    assert min(seen[True], seen[False]) >= 5, seen


@pytest.mark.parametrize("n", [4, 8, 14, 20])
def test_a_line_keeps_what_all_fitting_patterns_agree_on(n: int) -> None:
    """The automaton against the list of patterns, alone and beside lines that took some patterns."""
    rng = stream("tests", "lines", "fit", n)
    listed = [sum(v << i for i, v in enumerate(line)) for line in patterns(n)]
    room = np.ones((kernel.MOST + 6, 48), dtype=np.int64)
    fits = 0
    for _ in range(60 if n == 20 else 400):
        like = rng.pick(listed)
        known = rng.below(1 << n) if rng.chance(1, 3) else rng.below(1 << n) & rng.below(1 << n)
        ones, zeros = like & known, ~like & known
        if rng.chance(1, 4):
            ones ^= known & -known
            zeros ^= known & -known
        fitting = [line for line in listed if line & ones == ones and line & zeros == 0]
        taken = [line for line in rng.sample(listed, min(len(listed), 12)) if line in fitting] + fitting[: rng.below(3)]
        taken = sorted(set(taken))
        for lost in ([], taken) if taken else ([],):
            left = [line for line in fitting if line not in lost]
            if lost:
                fit = kernel.fit_but(ones, zeros, n, np.array([*lost, 0], dtype=np.int64), len(lost), room)
            else:
                fit = kernel.fit(ones, zeros, n, room)
            assert fit == bool(left)
            if left:
                fits += 1
                agreed_ones, agreed_zeros = (1 << n) - 1, (1 << n) - 1
                for line in left:
                    agreed_ones &= line
                    agreed_zeros &= ~line
                assert (room[0, 0], room[0, 1]) == (agreed_ones, agreed_zeros)
    assert fits > 20


@pytest.mark.parametrize("n", [16, 20])
def test_large_grids_thin_to_a_minimal_puzzle(n: int) -> None:
    """20x20 is the largest size of the family: an explosion of guesses shows up here as a spent budget."""
    rng = stream("tests", "lines", "large", n)
    grid = lines.sample(table(n, n, True), rng)
    assert grid is not None
    full = tuple(enumerate(grid))
    stays = kernels.minimize(table(n, n, True, full), rng.shuffled(range(n * n)), 0, 200_000)
    assert stays is not None
    clues = tuple(full[i] for i in stays)
    assert lines.answers(table(n, n, True, clues), 2, 200_000).answers == (grid,)
    for missing in clues[:: len(clues) // 6]:
        fewer = tuple(clue for clue in clues if clue != missing)
        assert len(lines.answers(table(n, n, True, fewer), 2, 200_000).answers) == 2


def test_more_answers_than_one_chunk_are_all_different() -> None:
    """Answers are fetched 4,096 at a time: none may be lost or repeated where one chunk ends."""
    found = lines.answers(table(6, 8, True), 10_000, BUDGET)
    assert len(set(found.answers)) == 10_000
    assert not found.exhausted
    assert lines.answers(table(6, 6, False), 11_222, BUDGET).answers == lines.answers(table(6, 6, False), 11_223, BUDGET).answers


def test_contradictory_clues_have_no_answer() -> None:
    """One cell with both values, or three equal cells, is unsolvable, not an error."""
    for clues in (((0, 0), (0, 1)), ((0, 1), (1, 1), (2, 1)), ((0, 0), (4, 0), (8, 0), (12, 0))):
        found = lines.answers(table(4, 4, False, clues), 2, BUDGET)
        assert (found.answers, found.exhausted, found.nodes) == ((), True, 0)
        assert lines.sample(table(4, 4, False, clues), stream("tests", "lines", "none")) is None


# ---- drawing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "cols", "distinct"), [(8, 6, True), (6, 14, True), (10, 12, False)])
def test_a_large_draw_is_legal(rows: int, cols: int, distinct: bool) -> None:
    """A walk that leaves the legal grids, or moves a given cell."""
    rng = stream("tests", "lines", "draw", rows)
    first = lines.sample(table(rows, cols, distinct), rng)
    assert first is not None
    clues = tuple((cell, first[cell]) for cell in range(0, rows * cols, 9))
    for grid in (first, lines.sample(table(rows, cols, distinct, clues), rng)):
        assert grid is not None
        assert all(grid[cell] == value for cell, value in clues)
        across = {grid[r * cols : (r + 1) * cols] for r in range(rows)}
        down = {grid[c::cols] for c in range(cols)}
        assert across <= set(patterns(cols))
        assert down <= set(patterns(rows))
        assert not distinct or (len(across), len(down)) == (rows, cols)


@pytest.mark.parametrize(("rows", "cols", "distinct"), [(4, 4, False), (4, 6, True), (6, 4, False)])
def test_the_walk_itself_is_even(rows: int, cols: int, distinct: bool) -> None:
    """Large grids are drawn by a walk: on small ones, where all grids are known, it must visit each as often as the others."""
    every = sorted(binary_grids(table(rows, cols, distinct)))
    state = state_of(stream("tests", "lines", "walk", rows, cols))
    grid = np.array(every[0]).reshape(rows, cols)
    line = np.concatenate([grid @ (1 << np.arange(cols)), grid.T @ (1 << np.arange(rows))]).astype(np.int64)
    free = np.full(rows, (1 << cols) - 1, dtype=np.int64)
    seen: Counter[Slots | None] = Counter()
    wanted = 25 * len(every)
    while seen.total() < wanted:
        lines._walk(line, rows, cols, NO_EXTRAS, 0, free, distinct, (rows * cols) ** 2 // 2, state)
        values = tuple(cells_of(line[None, :rows], cols)[0].tolist())
        if values in every:
            seen[values] += 1
    assert drawn_evenly(seen, every)


@pytest.mark.parametrize(("rows", "cols"), [(4, 6), pytest.param(4, 8, marks=pytest.mark.slow)])
def test_the_walk_reaches_every_grid(rows: int, cols: int) -> None:
    """The walk's step joins all legal grids; if it did not, some answers would never be drawn."""
    every = set(binary_grids(table(rows, cols, False)))
    seen, open_ = set(), [min(every)]
    while open_:
        grid = open_.pop()
        if grid in seen:
            continue
        seen.add(grid)
        for r1, r2 in product(range(rows), repeat=2):
            for c1, c2 in product(range(cols), repeat=2):
                i, j, k, m = r1 * cols + c1, r1 * cols + c2, r2 * cols + c1, r2 * cols + c2
                if (grid[i], grid[j], grid[k], grid[m]) == (1, 0, 0, 1):
                    changed = list(grid)
                    changed[i], changed[j], changed[k], changed[m] = 0, 1, 1, 0
                    if tuple(changed) in every and tuple(changed) not in seen:
                        open_.append(tuple(changed))
    assert seen == every


def test_large_draws_meet_as_often_as_even_ones() -> None:
    """Of n even draws from N grids, n (n - 1) / 2N pairs are equal; favoured grids make more. 6x8 with distinct has 51,744."""
    rng = stream("tests", "lines", "meet")
    drawn = Counter(lines.sample(table(6, 8, True), rng) for _ in range(4_000))
    pairs = sum(count * (count - 1) // 2 for count in drawn.values())
    expected = 4_000 * 3_999 / 2 / 51_744
    assert abs(pairs - expected) <= 5 * sqrt(expected)
