"""The kernel for binary lines against enumeration by plain row patterns, PySAT and a plain line solver."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from math import sqrt

import numpy as np
import pytest

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import BLANK, GROUP_RELATIONS, LinesTable, Slots
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.types import Clue, NoBoard, Rule, Spec
from puzzlemill.generators.binario import FAMILY, Params
from puzzlemill.solvers.kernels import lines
from puzzlemill.solvers.kernels.random import state_of
from strategies import model_answers

BUDGET = 10_000_000
NO_EXTRAS = np.zeros((1, 64), dtype=np.int64)
Clues = tuple[tuple[int, int], ...]


@cache
def patterns(n: int) -> tuple[Slots, ...]:
    """Every legal line of n cells."""
    return tuple(
        line for line in product((0, 1), repeat=n) if 2 * sum(line) == n and not any(a == b == c for a, b, c in runs(line))
    )


def runs(line: Slots) -> zip[tuple[int, int, int]]:
    return zip(line, line[1:], line[2:], strict=False)


@cache
def grids(rows: int, cols: int, distinct: bool) -> frozenset[Slots]:
    """Every legal grid, from row patterns one below the other and a look at the columns at the end."""
    if distinct:
        return frozenset(grid for grid in grids(rows, cols, False) if all_differ(grid, rows, cols))
    legal = set(patterns(rows))
    found: list[Slots] = []

    def below(above: tuple[Slots, ...]) -> None:
        if len(above) == rows:
            if all(column in legal for column in zip(*above, strict=True)):
                found.append(tuple(v for row in above for v in row))
            return
        for row in patterns(cols):
            if all(
                2 * sum(column) <= rows and 2 * (len(column) - sum(column)) <= rows for column in zip(*above, row, strict=True)
            ):
                below((*above, row))

    below(())
    return frozenset(found)


def all_differ(grid: Slots, rows: int, cols: int) -> bool:
    across = {grid[r * cols : (r + 1) * cols] for r in range(rows)}
    return len(across) == rows and len({grid[c::cols] for c in range(cols)}) == cols


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
        stays = lines.minimize(table(rows, cols, distinct, tuple(clues)), order, rng.below(rows * cols // 2), BUDGET)
        assert stays is not None
        clues = [clues[i] for i in stays]
    changed = rng.below(4)
    if changed == 0:
        clues.pop(rng.below(len(clues)))
    elif changed == 1:
        cell = rng.below(rows * cols)
        clues = [clue for clue in clues if clue[0] != cell] + [(cell, 1 - values[cell])]
    return tuple(clues)


SMALL = [
    (4, 4, False, 90),
    (4, 4, True, 72),
    (4, 6, False, 642),
    (6, 4, True, 96),
    (4, 8, True, 0),
    (4, 8, False, 5_238),
    (6, 6, False, 11_222),
    (6, 6, True, 4_140),
]


@pytest.mark.parametrize(("rows", "cols", "distinct", "count"), SMALL)
def test_every_legal_grid_is_found_once(rows: int, cols: int, distinct: bool, count: int) -> None:
    """A grid too many or too few here is a wrong status in a release."""
    found = lines.answers(table(rows, cols, distinct), 20_000, BUDGET)
    assert found.exhausted
    assert len(found.answers) == count
    assert set(found.answers) == grids(rows, cols, distinct)


@pytest.mark.parametrize(("rows", "cols", "distinct"), [(4, 6, False), (6, 4, True), (6, 6, True)])
def test_answers_under_random_clues_are_those_of_the_list(rows: int, cols: int, distinct: bool) -> None:
    """The kernel misreads a clue, or loses answers between two of them. Solvable, ambiguous and unsolvable clue sets."""
    rng = stream("tests", "lines", "clues", rows, cols)
    seen = Counter()
    for _ in range(150):
        clues = some_clues(rows, cols, distinct, rng)
        expected = {grid for grid in grids(rows, cols, distinct) if all(grid[cell] == value for cell, value in clues)}
        found = lines.answers(table(rows, cols, distinct, clues), 20_000, BUDGET)
        assert found.exhausted
        assert set(found.answers) == expected
        seen[min(len(expected), 2)] += 1
    assert min(seen[0], seen[1], seen[2]) >= 5, seen


@pytest.mark.parametrize(("rows", "cols", "distinct"), [(6, 8, True), (10, 10, False)])
def test_counts_are_those_of_pysat(rows: int, cols: int, distinct: bool) -> None:
    """The same clue sets, counted up to 40 by the family's clauses: one of the two has other rules."""
    rng = stream("tests", "lines", "pysat", rows, cols)
    spec = Spec(Params(rows, cols), (Rule("distinct"),) if distinct else ())
    blank = FAMILY.make_puzzle(spec, FAMILY.form.assemble(spec, NoBoard(), (0,) * (rows * cols)), rng).puzzle.with_clues(())
    seen = Counter()
    for _ in range(40):
        clues = some_clues(rows, cols, distinct, rng)
        puzzle = blank.with_clues([Clue(f"x{cell}", "given", (cell, value)) for cell, value in clues])
        found = lines.answers(table(rows, cols, distinct, clues), 40, BUDGET)
        expected = model_answers(FAMILY, puzzle, 40)
        assert len(found.answers) == len(expected)
        if len(expected) < 40:
            assert found.exhausted
            assert set(found.answers) == expected
        seen[min(len(expected), 2)] += 1
    assert min(seen[0], seen[1], seen[2]) >= 3, seen


# ---- extra constraints ----------------------------------------------------------------------------------------------


def holds(extra: tuple[int, ...], grid: Slots) -> bool:
    """The definition in core/model.py."""
    code, k, size, *cells = extra
    a, b = [grid[i] for i in cells[:size]], [grid[i] for i in cells[size:]]
    match GROUP_RELATIONS[code]:
        case "equal":
            return a == b
        case "opposite":
            return all(v != w for v, w in zip(a, b, strict=True))
        case "unequal":
            return a != b
        case "count":
            return sum(a) == k
        case "parity":
            return sum(a) % 2 == k
        case "more":
            return sum(a) > sum(b)
        case _:
            return a > b


def some_extra(rows: int, cols: int, rng: Rng) -> tuple[int, ...]:
    """Groups of any cells, not only lines and rectangles."""
    name = rng.pick(GROUP_RELATIONS)
    size = rng.between(1, 6)
    other = 0 if name in ("count", "parity") else rng.between(1, 6) if name == "more" else size
    k = rng.between(0, size) if name == "count" else rng.below(2) if name == "parity" else 0
    return (GROUP_RELATIONS.index(name), k, size, *rng.sample(range(rows * cols), size + other))


@pytest.mark.parametrize(("rows", "cols", "distinct"), [(4, 6, False), (6, 4, True), (6, 6, True), (6, 6, False)])
def test_answers_under_extra_constraints_are_those_of_the_list(rows: int, cols: int, distinct: bool) -> None:
    """Every relation on random groups, alone and together, with and without givens; the search must lose nothing."""
    rng = stream("tests", "lines", "extras", rows, cols, str(distinct))
    seen: Counter[str] = Counter()
    for round_ in range(120):
        extras = [some_extra(rows, cols, rng) for _ in range(rng.between(1, 4))]
        clues = some_clues(rows, cols, distinct, rng)[: rng.below(4)] if round_ % 2 else ()
        whole = LinesTable(rows, cols, distinct, tuple(rng.shuffled((*clues, *extras))))
        expected = {
            grid
            for grid in grids(rows, cols, distinct)
            if all(grid[cell] == value for cell, value in clues) and all(holds(extra, grid) for extra in extras)
        }
        found = lines.answers(whole, 20_000, BUDGET)
        assert found.exhausted
        assert set(found.answers) == expected
        assert len(found.answers) == len(expected)
        drawn = lines.sample(whole, rng)
        assert (drawn in expected) if expected else drawn is None
        if expected:
            seen.update(GROUP_RELATIONS[extra[0]] for extra in extras)
    assert set(seen) == set(GROUP_RELATIONS)


def test_thin_is_one_by_one_with_extra_constraints() -> None:
    """An extra constraint is left out exactly if the others have one answer without it, wherever it stands in the order."""
    rng = stream("tests", "lines", "thin extras")
    stayed = 0
    for keep in (0, 0, 0, 0, 0, 0, 20):
        grid = lines.sample(table(6, 8, False), rng)
        assert grid is not None
        extras = [extra for extra in (some_extra(6, 8, rng) for _ in range(40)) if holds(extra, grid)][:8]
        whole = LinesTable(6, 8, False, tuple(rng.shuffled((*enumerate(grid), *extras))))
        order = rng.shuffled(range(len(whole.clues)))
        if keep == 0:
            order.sort(key=lambda i: len(whole.clues[i]) > 2)
        stays = lines.minimize(whole, order, keep, BUDGET)
        assert stays == thinned_one_by_one(whole, order, keep)
        stayed += sum(len(whole.clues[i]) > 2 for i in stays)
    assert stayed >= 10


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


@pytest.mark.parametrize(
    "extra",
    [
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
    ],
)
def test_an_extra_constraint_that_is_none_is_refused(extra: tuple[int, ...]) -> None:
    """Tables are made from rows of files: a cell out of range would be read past the end in compiled code."""
    with pytest.raises(BadRow):
        lines.answers(LinesTable(4, 6, False, ((0, 1), extra)), 2, BUDGET)
    with pytest.raises(BadRow, match="at most 60"):
        lines.answers(LinesTable(4, 6, False, ((3, 0, 1, 0),) * 61), 2, BUDGET)


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


@pytest.mark.parametrize(("rows", "cols", "distinct"), [(6, 8, True), (8, 6, False), (8, 10, True)])
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
    listed = patterns_as_masks(n)
    room = np.ones((lines.MOST + 6, 48), dtype=np.int64)
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
                fit = lines._fit_but(ones, zeros, n, np.array([*lost, 0], dtype=np.int64), len(lost), room)
            else:
                fit = lines._fit(ones, zeros, n, room)
            assert fit == bool(left)
            if left:
                fits += 1
                agreed_ones, agreed_zeros = (1 << n) - 1, (1 << n) - 1
                for line in left:
                    agreed_ones &= line
                    agreed_zeros &= ~line
                assert (room[0, 0], room[0, 1]) == (agreed_ones, agreed_zeros)
    assert fits > 20


@cache
def patterns_as_masks(n: int) -> tuple[int, ...]:
    found: list[int] = []

    def longer(line: tuple[int, ...]) -> None:
        if len(line) == n:
            found.append(sum(v << i for i, v in enumerate(line)))
            return
        for v in (0, 1):
            if 2 * line.count(v) < n and line[-2:] != (v, v):
                longer((*line, v))

    longer(())
    return tuple(found)


# ---- leaving out clues ----------------------------------------------------------------------------------------------


def thinned_one_by_one(whole: LinesTable, order: list[int], keep: int) -> tuple[int, ...]:
    """The definition of minimize: try each clue in turn."""
    stays = list(range(len(whole.clues)))
    for position in order:
        if len(stays) == keep:
            break
        fewer = [i for i in stays if i != position]
        if (
            len(
                lines.answers(
                    table(whole.rows, whole.cols, whole.distinct, tuple(whole.clues[i] for i in fewer)), 2, BUDGET
                ).answers
            )
            == 1
        ):
            stays = fewer
    return tuple(stays)


@pytest.mark.parametrize(("rows", "cols", "distinct"), [(4, 6, True), (6, 8, False), (8, 8, True), (12, 10, True)])
def test_thin_is_one_by_one(rows: int, cols: int, distinct: bool) -> None:
    """minimize shares work between clues; its result must be that of trying them one after the other."""
    rng = stream("tests", "lines", "thin", rows, cols)
    for keep in (0, 0, 0, rows * cols // 2, rows * cols - 1):
        grid = lines.sample(table(rows, cols, distinct), rng)
        assert grid is not None
        whole = table(rows, cols, distinct, tuple(rng.shuffled(tuple(enumerate(grid)))))
        order = rng.shuffled(range(rows * cols))[rng.below(4) :]
        stays = lines.minimize(whole, order, keep, BUDGET)
        assert stays == thinned_one_by_one(whole, order, keep)
        assert set(range(rows * cols)) - set(order) <= set(stays)
        assert len(stays) >= keep


@pytest.mark.parametrize("n", [16, 20])
def test_large_grids_thin_to_a_minimal_puzzle(n: int) -> None:
    """20x20 is the largest size of the family: an explosion of guesses shows up here as a spent budget."""
    rng = stream("tests", "lines", "large", n)
    grid = lines.sample(table(n, n, True), rng)
    assert grid is not None
    full = tuple(enumerate(grid))
    stays = lines.minimize(table(n, n, True, full), rng.shuffled(range(n * n)), 0, 200_000)
    assert stays is not None
    clues = tuple(full[i] for i in stays)
    assert lines.answers(table(n, n, True, clues), 2, 200_000).answers == (grid,)
    for missing in clues[:: len(clues) // 6]:
        fewer = tuple(clue for clue in clues if clue != missing)
        assert len(lines.answers(table(n, n, True, fewer), 2, 200_000).answers) == 2


def test_what_thin_refuses() -> None:
    """Clues of no unique answer, a cell named twice, positions that are none: a wrong result would be called a proof."""
    grid = min(grids(4, 6, False))
    full = tuple(enumerate(grid))
    for clues, order in (
        (full[:2], [0]),
        ((*full, (0, 1 - grid[0])), [0]),
        ((*full, full[0]), [0]),
        (full, [0, 0]),
        (full, [24]),
        (full, [-1]),
    ):
        with pytest.raises(ValueError, match=r"minimize needs|positions"):
            lines.minimize(table(4, 6, False, clues), order, 0, BUDGET)
    assert lines.minimize(table(4, 6, False, full), [], 0, BUDGET) == tuple(range(24))


# ---- budgets and bad tables -----------------------------------------------------------------------------------------


def test_a_spent_budget_decides_nothing() -> None:
    """A budget that runs out must be told apart from "no other answer"."""
    blank = table(6, 8, True)
    found = lines.answers(blank, 2, 0)
    assert (found.answers, found.exhausted, found.nodes) == ((), False, 0)
    assert not found.decided(2)
    found = lines.answers(blank, 100_000, 1_000)
    assert not found.exhausted
    assert found.nodes == 1_000
    assert set(found.answers) <= grids(6, 8, True) if len(found.answers) < 5 else len(set(found.answers)) == len(found.answers)
    assert lines.answers(blank, 3, 1_000).decided(3)
    rng = stream("tests", "lines", "spent")
    grid = lines.sample(table(14, 14, True), rng)
    assert grid is not None
    assert lines.minimize(table(14, 14, True, tuple(enumerate(grid))), rng.shuffled(range(196)), 0, 3) is None


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


@pytest.mark.parametrize(
    ("rows", "cols", "clues"),
    [(5, 4, ()), (4, 22, ()), (0, 4, ()), (4, 6, ((24, 0),)), (4, 6, ((-1, 0),)), (4, 6, ((0, 2),)), (4, 6, ((0, -1),))],
)
def test_a_table_of_no_grid_is_refused(rows: int, cols: int, clues: Clues) -> None:
    """Row texts are hostile: an index out of range would read or write past an array in compiled code."""
    bad = table(rows, cols, False, clues)
    with pytest.raises(BadRow):
        lines.answers(bad, 2, BUDGET)
    with pytest.raises(BadRow):
        lines.minimize(bad, [], 0, BUDGET)
    with pytest.raises(BadRow):
        lines.sample(bad, stream("tests", "lines", "bad"))


# ---- drawing --------------------------------------------------------------------------------------------------------


def test_a_draw_is_legal_and_repeats() -> None:
    """Same stream, same grid, and the stream moves on; clues are kept."""
    for rows, cols, distinct in ((4, 6, True), (8, 6, True), (6, 14, True), (10, 12, False)):
        legal = [set(patterns_as_masks(cols)), set(patterns_as_masks(rows))]
        rng, again = stream("tests", "lines", "draw", rows), stream("tests", "lines", "draw", rows)
        first = lines.sample(table(rows, cols, distinct), rng)
        assert first is not None
        assert first == lines.sample(table(rows, cols, distinct), again)
        assert first != lines.sample(table(rows, cols, distinct), rng)
        grid = np.array(first).reshape(rows, cols)
        across, down = grid @ (1 << np.arange(cols)), grid.T @ (1 << np.arange(rows))
        assert set(across.tolist()) <= legal[0]
        assert set(down.tolist()) <= legal[1]
        if distinct:
            assert (len(set(across.tolist())), len(set(down.tolist()))) == (rows, cols)
        clues = tuple((cell, first[cell]) for cell in range(0, rows * cols, 9))
        kept = lines.sample(table(rows, cols, distinct, clues), rng)
        assert kept is not None
        assert all(kept[cell] == value for cell, value in clues)


def chi_square_fits(counts: list[int], places: int) -> bool:
    mean = sum(counts) / places
    chi = sum((count - mean) ** 2 for count in counts) / mean + (places - len(counts)) * mean
    return chi <= places - 1 + 5 * sqrt(2 * (places - 1))


def test_answers_under_clues_are_drawn_evenly() -> None:
    """Few answers are listed and drawn from: every one as often as the others."""
    clues = ((0, 0), (7, 1))
    whole = table(4, 6, False, clues)
    answers = lines.answers(whole, 1_000, BUDGET).answers
    rng = stream("tests", "lines", "even")
    drawn = Counter(lines.sample(whole, rng) for _ in range(20 * len(answers)))
    assert set(drawn) <= set(answers)
    assert chi_square_fits(list(drawn.values()), len(answers))


@pytest.mark.parametrize(("rows", "cols", "distinct"), [(4, 4, False), (4, 6, True), (6, 4, False)])
def test_the_walk_itself_is_even(rows: int, cols: int, distinct: bool) -> None:
    """Large grids are drawn by a walk: on small ones, where all grids are known, it must visit each as often as the others."""
    every = sorted(grids(rows, cols, distinct))
    state = state_of(stream("tests", "lines", "walk", rows, cols))
    grid = np.array(every[0]).reshape(rows, cols)
    line = np.concatenate([grid @ (1 << np.arange(cols)), grid.T @ (1 << np.arange(rows))]).astype(np.int64)
    free = np.full(rows, (1 << cols) - 1, dtype=np.int64)
    seen: Counter[Slots] = Counter()
    wanted = 25 * len(every)
    while seen.total() < wanted:
        lines._walk(line, rows, cols, NO_EXTRAS, 0, free, distinct, (rows * cols) ** 2 // 2, state)
        values = tuple(lines._grids(line[None, :rows], cols)[0].tolist())
        if values in grids(rows, cols, distinct):
            seen[values] += 1
    assert chi_square_fits(list(seen.values()), len(every))


@pytest.mark.parametrize(
    ("rows", "cols"), [(4, 6), pytest.param(6, 6, marks=pytest.mark.slow), pytest.param(4, 8, marks=pytest.mark.slow)]
)
def test_the_walk_reaches_every_grid(rows: int, cols: int) -> None:
    """The walk's step joins all legal grids; if it did not, some answers would never be drawn."""
    every = grids(rows, cols, False)
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
