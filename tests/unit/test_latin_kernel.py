"""What only the kernel for Latin grids promises: two paths, large sizes against PySAT, what no nodes mean, its ways to draw.

All that every kernel promises is in tests/contract/test_kernels.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from pysat.solvers import Solver
from tables import JIGSAW, Clue, boxes, diagonals, drawn_evenly, fits, groups, latin_grids, near, zones

from puzzlemill.core.model import LatinTable, Slots
from puzzlemill.core.rng import Rng, stream
from puzzlemill.solvers import kernels
from puzzlemill.solvers.kernels import bands, latin

BUDGET = 2_000_000
JIGSAW_6 = zones("AAABBBAACBBDAECCBDEECCDDEECFDDEFFFFF")  # drawn by hand
JIGSAW_9 = zones("AAABBBCCCAAABBBFCCADAEBBFCCADDEBEFCFDDDEEEFCFDDDEEEFFFGGHHHIIIIGGGHHHIIIGGGGHHHII")
SIX, NINE = LatinTable(6, boxes(2, 3), ()), LatinTable(9, boxes(3, 3), ())
KINDS = {
    "5x5 jigsaw": LatinTable(5, JIGSAW, ()),
    "6x6": SIX,
    "6x6 apart": replace(SIX, apart=True),
    "6x6 heaviest": replace(SIX, heaviest=SIX.units[::-1]),
    "6x6 diagonals": replace(SIX, units=SIX.units + diagonals(6)),
    "6x6 jigsaw, heaviest": LatinTable(6, JIGSAW_6, (), heaviest=JIGSAW_6),
    "6x6 latin, diagonals, heaviest": LatinTable(6, diagonals(6), (), heaviest=boxes(2, 3)),
    "9x9": NINE,
    "9x9 diagonals": replace(NINE, units=NINE.units + diagonals(9)),
}


@cache
def clauses(table: LatinTable) -> list[list[int]]:
    """Variable n*i + v + 1: cell i holds v. `heaviest` is left out."""
    n = table.n
    every = [[n * i + v + 1 for v in range(n)] for i in range(n * n)]
    every += [[n * i + v + 1 for i in group] for group in groups(table) for v in range(n)]
    beside = [(i, j) for i in range(n * n) for j in range(n * n) if table.apart and near(n, i, j)]
    unequal = [[-(n * i + v + 1), -(n * j + v + 2)] for i, j in beside for v in range(n - 1)]
    return every + [[-a, -b] for lits in every for a, b in combinations(lits, 2)] + unequal


def sat_answers(table: LatinTable, limit: int) -> set[Slots]:
    n, found = table.n, set[Slots]()
    with Solver("glucose4", bootstrap_with=clauses(replace(table, clues=()))) as solver:
        for i, v in table.clues:
            solver.add_clause([n * i + v + 1])
        while len(found) < limit and solver.solve():
            true = [x for x in solver.get_model() if x > 0]
            grid = tuple((x - 1) % n for x in true)
            found |= {grid} if fits(table, grid) else set()
            solver.add_clause([-x for x in true])
    return found


def some_puzzle(base: LatinTable, rng: Rng) -> LatinTable:
    """Clues of a random answer, some of them altered in one of three puzzles."""
    answer = latin.sample(base, rng)
    assert answer is not None
    share = rng.between(25 if base.heaviest else 15, 60)
    clues = [(i, v) for i, v in enumerate(answer) if rng.chance(share, 100)]
    if clues and rng.chance(1, 3):
        where = rng.below(len(clues))
        clues[where] = (clues[where][0], rng.below(base.n))
    return replace(base, clues=tuple(clues))


def minimal(base: LatinTable, rng: Rng, keep: int = 0) -> tuple[LatinTable, Slots]:
    """A random puzzle from which no clue can be left out, or of `keep` clues, and its answer."""
    answer = latin.sample(base, rng)
    assert answer is not None
    full = replace(base, clues=tuple(enumerate(answer)))
    kept = kernels.minimize(full, rng.shuffled(range(base.n**2)), keep, BUDGET)
    assert kept is not None and len(kept) >= keep
    return replace(base, clues=tuple(full.clues[i] for i in kept)), answer


@pytest.mark.parametrize("kind", [*KINDS])
def test_answers_agree_with_sat(kind: str) -> None:
    """The kernel and PySAT count differently: one of the formulations is wrong."""
    rng = stream("sat", kind)
    counts = Counter[int]()
    for _ in range(50):
        table = some_puzzle(KINDS[kind], rng)
        found, right = latin.answers(table, 4, BUDGET), sat_answers(table, 4)
        assert len(set(found.answers)) == len(found.answers) == len(right)
        assert found.exhausted == (len(right) < 4)
        if found.exhausted:
            assert set(found.answers) == right
        counts[min(2, len(right))] += 1
    assert min(counts[0], counts[1]) > 0  # unsolvable and unique puzzles were seen


def test_both_paths_agree_on_9x9(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fast path and the general one are two programs for the same grids."""
    rng = stream("paths")
    tables = [some_puzzle(NINE, rng) for _ in range(200)]
    fast = [latin.answers(table, 50, BUDGET) for table in tables]
    counts = np.empty(len(tables), dtype=np.int64)
    cells = np.full((len(tables), 81), -1, dtype=np.int8)
    for k, table in enumerate(tables):
        for i, v in table.clues:
            cells[k, i] = v
    bands.count_many(cells, 50, BUDGET, counts)
    monkeypatch.setattr(latin, "_nine", lambda _table: False)
    for table, one, count in zip(tables, fast, counts.tolist(), strict=True):
        other = latin.answers(table, 50, BUDGET)
        assert len(one.answers) == len(other.answers) == count
        assert (one.exhausted, one.nodes == 0) == (other.exhausted, other.nodes == 0)
        if one.exhausted:
            assert sorted(one.answers) == sorted(other.answers)


def singles_decide(table: LatinTable) -> bool:
    """Whether naked and hidden singles fill the grid or show that nothing does; by sets, slowly."""
    n = table.n
    options = [set(range(n)) for _ in range(n * n)]
    for i, v in table.clues:
        options[i] &= {v}
    before = None
    while before != (before := [len(values) for values in options]):
        for i in range(n * n):
            if table.apart and len(options[i]) == 1:
                (v,) = options[i]
                for j in range(n * n):
                    if near(n, i, j):
                        options[j] -= {v - 1, v + 1}
        for group in groups(table):
            for i in group:
                if len(options[i]) == 1:
                    for j in group:
                        if j != i:
                            options[j] -= options[i]
            for v in range(n):
                places = [i for i in group if v in options[i]]
                if not places:
                    return True
                if len(places) == 1:
                    options[places[0]] = {v}
        if not all(options):
            return True
    return all(len(values) == 1 for values in options)


@pytest.mark.parametrize("kind", ["5x5 jigsaw", "6x6", "6x6 apart", "9x9"])
def test_no_nodes_means_that_singles_decide(kind: str) -> None:
    """Difficulty is told from nodes == 0: locked sets must not pass for singles, what a placed value forbids beside it must."""
    base, rng = KINDS[kind], stream("singles", kind)
    seen = Counter[bool]()
    for k in range(60):
        table = minimal(base, rng)[0] if k % 2 and not base.apart else some_puzzle(base, rng)
        if base.apart:
            table = replace(base, clues=tuple(rng.sample(table.clues, min(len(table.clues), rng.between(2, 6)))))
        easy = singles_decide(table)
        assert (latin.answers(table, 2, BUDGET).nodes == 0) == easy
        seen[easy] += 1
    assert min(seen[True], seen[False]) > 0


def test_impossible_tables_have_no_answer() -> None:
    """Clues that contradict each other outright, neighbours that cannot stay apart, a group that outweighs itself."""
    four = LatinTable(4, boxes(2, 2), ())
    assert latin.answers(replace(four, clues=((0, 0), (0, 1))), 2, BUDGET) == latin.Finding((), True, 0)
    for table in (replace(four, clues=((0, 0), (0, 1))), replace(four, apart=True), replace(four, heaviest=four.units[:1] * 2)):
        assert latin.sample(table, stream("x")) is None


# ---- samples ------------------------------------------------------------------------------------------------------------


def test_6x6_samples_come_from_the_whole_space() -> None:
    """There are 28,200,960 grids of 6x6 (Jarvis, 2006), so 39,168 with a fixed first row, and samples are drawn from those."""
    every = latin._all_with_first_row(6, SIX.units)
    assert every.shape == (28_200_960 // 720, 36)
    assert len(np.unique(every, axis=0)) == len(every)
    rng = stream("six")
    assert len({latin.sample(SIX, rng) for _ in range(500)}) == 500  # 0.004 repeats expected


@pytest.mark.parametrize("units", [JIGSAW_6, boxes(2, 3) + diagonals(6)])
def test_6x6_variants_are_drawn_from_all(units: tuple[tuple[int, ...], ...]) -> None:
    """6x6 zones are listed by templates: their number is that of the plain search."""
    first = LatinTable(6, units, tuple((i, i) for i in range(6)))
    assert {tuple(grid) for grid in latin._all_small(6, units, False).tolist()} == set(
        latin.answers(first, 50_000, BUDGET).answers
    )


def test_9x9_samples_do_not_prefer_places_or_values() -> None:
    """Each cell must hold each value equally often (largest of 81 chi-squares, 8 d.f., under 35), and each two values must meet
    in a row of a box equally often (chi-square, 35 d.f., under 75; it is 125 and more if candidates are tried in order).
    """
    _, answers = bands.minimal(stream("places"), 1_500)
    tallies = [np.bincount(answers[:, i], minlength=9) for i in range(81)]
    assert max(((tally - 1500 / 9) ** 2 / (1500 / 9)).sum() for tally in tallies) < 35
    met = Counter(pair for three in answers.reshape(-1, 3).tolist() for pair in combinations(sorted(three), 2))
    expected = answers.size / 36
    assert len(met) == 36
    assert sum((count - expected) ** 2 / expected for count in met.values()) < 75


def test_bulk_puzzles_are_minimal_or_keep_clues() -> None:
    """The bulk generator is what is measured: its puzzles must be unique, minimal and those of its answers."""
    puzzles, answers = bands.minimal(stream("bulk"), 40)
    counts = np.empty(100, dtype=np.int64)
    for puzzle, answer in zip(puzzles, answers, strict=True):
        shown = np.flatnonzero(puzzle >= 0)
        assert (puzzle[shown] == answer[shown]).all()
        less = np.repeat(puzzle[None], len(shown) + 1, axis=0)
        less[np.arange(len(shown)), shown] = -1
        bands.count_many(less, 2, BUDGET, counts[: len(less)])
        assert counts[: len(less)].tolist() == [2] * len(shown) + [1]
    puzzles, _ = bands.minimal(stream("keep"), 100, keep=28)
    bands.count_many(puzzles, 2, BUDGET, counts)
    assert counts.tolist() == [1] * 100
    assert (puzzles >= 0).sum(axis=1).tolist() == [28] * 100


@pytest.mark.parametrize("extra", ["d", "dh", "h", pytest.param("a", marks=pytest.mark.slow)])
def test_a_walk_is_even_in_the_limit(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large grids are drawn by a search and a walk: on small ones, its draws are as even as those of the list."""
    monkeypatch.setattr(latin, "_STEPS", 10)
    four = LatinTable(4, boxes(2, 2) + (diagonals(4) if "d" in extra else ()), ())
    table = replace(SIX, apart=True) if extra == "a" else replace(four, heaviest=boxes(2, 2)[::-1] if "h" in extra else ())
    right = latin_grids(table)
    grid = latin._grid(table.n, table.units, table.apart, table.heaviest)
    own = stream("walks", extra)
    cells = np.full(table.n**2, -1, dtype=np.int8)
    drawn = [latin._walked(table, grid, cells, own.child("one", k), extra == "h") for k in range(15 * len(right))]
    assert drawn_evenly(Counter(drawn), right)


@pytest.mark.parametrize(
    ("table", "keep"),
    [
        (LatinTable(8, boxes(2, 4), ()), 0),
        (LatinTable(12, boxes(3, 4), ()), 40),
        (LatinTable(16, boxes(4, 4), ()), 102),
        (LatinTable(9, JIGSAW_9, ()), 0),
        (LatinTable(9, JIGSAW_9 + diagonals(9), (), heaviest=JIGSAW_9), 0),
        (KINDS["9x9 diagonals"], 0),
        (replace(NINE, heaviest=NINE.units), 0),
        (replace(NINE, apart=True), 12),
        (LatinTable(8, boxes(2, 4), (), apart=True), 0),
        (LatinTable(12, boxes(3, 4) + diagonals(12), (), heaviest=boxes(3, 4)), 40),
        (LatinTable(16, boxes(4, 4) + diagonals(16), ()), 102),
        pytest.param(LatinTable(16, boxes(4, 4), (), heaviest=boxes(4, 4)), 102, marks=pytest.mark.slow),
        (LatinTable(25, boxes(5, 5), ()), 400),
    ],
    ids=lambda value: f"{value.n}" if isinstance(value, LatinTable) else f"keep {value}",
)
def test_large_grids_fit_and_are_thinned(table: LatinTable, keep: int) -> None:
    """Samples fit the table and are new; minimizing leaves one answer; clues beyond `keep` are necessary."""
    rng = stream("large", str(table))
    grids = [latin.sample(table, rng) for _ in range(3)]
    assert len(set(grids)) == 3
    assert all(grid is not None and fits(table, grid) for grid in grids)
    puzzle, answer = minimal(table, rng, keep)

    def answers(clues: Sequence[Clue]) -> tuple[Slots, ...]:
        return latin.answers(replace(table, clues=tuple(clues)), 2, BUDGET).answers

    assert answers(puzzle.clues) == (answer,)
    if len(puzzle.clues) > keep:
        assert all(len(answers([other for other in puzzle.clues if other != clue])) == 2 for clue in puzzle.clues)
    some = replace(table, clues=puzzle.clues[: len(puzzle.clues) // 2])
    drawn = latin.sample(some, rng)
    assert drawn is not None and fits(some, drawn)


def test_counting_alone_finds_as_many_sudokus_as_listing() -> None:
    """Where no answer is written down, the search chooses other cells; that must not change how many answers there are."""
    puzzles, _ = bands.minimal(stream("tests", "bands"), 150)
    rng = stream("tests", "bands", "blanks")
    for puzzle in puzzles:
        clues = [cell for cell in range(81) if puzzle[cell] >= 0]
        puzzle[rng.sample(clues, rng.below(4))] = -1
        if rng.below(3) == 0:
            puzzle[rng.below(81)] = rng.below(9)
    counts = np.empty(len(puzzles), dtype=np.int64)
    bands.count_many(puzzles, 60, 1 << 30, counts)
    stack, listed = bands.room_for_search(), []
    for puzzle in puzzles:
        bands.load(stack, puzzle)
        listed.append(bands.search(stack, 60, 1 << 30, np.empty((60, 81), dtype=np.int8))[0])
    assert counts.tolist() == listed
    assert {0, 1} < set(listed) and 60 in listed
