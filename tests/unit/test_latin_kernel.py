"""The kernel for Latin grids against enumeration, PySAT and a plain singles solver. A wrong count here is a wrong label there."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from pysat.solvers import Solver

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import LatinTable
from puzzlemill.core.rng import Rng, stream
from puzzlemill.solvers.kernels import bands, latin

BUDGET = 1_000_000
Clues = tuple[tuple[int, int], ...]


def boxes(high: int, wide: int) -> tuple[tuple[int, ...], ...]:
    n = high * wide
    return tuple(
        tuple(n * (top + r) + left + c for r in range(high) for c in range(wide))
        for top in range(0, n, high)
        for left in range(0, n, wide)
    )


def diagonals(n: int) -> tuple[tuple[int, ...], ...]:
    return tuple(n * i + i for i in range(n)), tuple(n * i + n - 1 - i for i in range(n))


# 5 irregular zones, drawn by hand
JIGSAW = tuple(tuple(i for i, zone in enumerate("AABBBAABBCADCCCDDDCEDEEEE") if zone == letter) for letter in "ABCDE")
KINDS = {
    "4x4": (4, boxes(2, 2)),
    "4x4 diagonals": (4, boxes(2, 2) + diagonals(4)),
    "4x4 latin": (4, ()),
    "5x5 jigsaw": (5, JIGSAW),
    "6x6": (6, boxes(2, 3)),
    "9x9": (9, boxes(3, 3)),
    "9x9 diagonals": (9, boxes(3, 3) + diagonals(9)),
}


def groups(n: int, units: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
    rows = [tuple(range(n * r, n * r + n)) for r in range(n)]
    return [*rows, *[tuple(range(c, n * n, n)) for c in range(n)], *units]


@cache
def every_grid(n: int, units: tuple[tuple[int, ...], ...]) -> list[tuple[int, ...]]:
    """All answers without clues, by plain backtracking in cell order."""
    peers = [{j for group in groups(n, units) if i in group for j in group if j < i} for i in range(n * n)]
    grids: list[tuple[int, ...]] = []

    def extend(grid: list[int]) -> None:
        if len(grid) == n * n:
            grids.append(tuple(grid))
            return
        taken = {grid[j] for j in peers[len(grid)]}
        for v in range(n):
            if v not in taken:
                extend([*grid, v])

    extend([])
    return grids


@cache
def clauses(n: int, units: tuple[tuple[int, ...], ...]) -> list[list[int]]:
    """Variable n*i + v + 1: cell i holds v."""
    every = [[n * i + v + 1 for v in range(n)] for i in range(n * n)]
    every += [[n * i + v + 1 for i in group] for group in groups(n, units) for v in range(n)]
    return every + [[-a, -b] for lits in every for a, b in combinations(lits, 2)]


def sat_answers(n: int, units: tuple[tuple[int, ...], ...], clues: Clues, limit: int) -> set[tuple[int, ...]]:
    with Solver("glucose4", bootstrap_with=clauses(n, units)) as solver:
        for i, v in clues:
            solver.add_clause([n * i + v + 1])
        found: set[tuple[int, ...]] = set()
        while len(found) < limit and solver.solve():
            true = [x for x in solver.get_model() if x > 0]
            found.add(tuple((x - 1) % n for x in true))
            solver.add_clause([-x for x in true])
        return found


def some_puzzle(n: int, units: tuple[tuple[int, ...], ...], rng: Rng) -> LatinTable:
    """Clues of a random answer, some of them altered in one of three puzzles."""
    answer = latin.sample(LatinTable(n, units, ()), rng)
    assert answer is not None
    share = rng.between(15, 60)
    clues = [(i, v) for i, v in enumerate(answer) if rng.chance(share, 100)]
    if clues and rng.chance(1, 3):
        where = rng.below(len(clues))
        clues[where] = (clues[where][0], rng.below(n))
    return LatinTable(n, units, tuple(clues))


@pytest.mark.parametrize("kind", ["4x4", "4x4 diagonals", "4x4 latin"])
def test_all_answers_are_those_of_enumeration(kind: str) -> None:
    """The kernel missed or invented an answer."""
    n, units = KINDS[kind]
    rng = stream("enumeration", kind)
    for _ in range(150):
        table = some_puzzle(n, units, rng)
        right = [grid for grid in every_grid(n, units) if all(grid[i] == v for i, v in table.clues)]
        found = latin.answers(table, 1_000, BUDGET)
        assert found.exhausted
        assert sorted(found.answers) == right
        assert len(latin.answers(table, 3, BUDGET).answers) == min(3, len(right))


@pytest.mark.parametrize("kind", ["5x5 jigsaw", "6x6", "9x9", "9x9 diagonals"])
def test_answers_agree_with_sat(kind: str) -> None:
    """The kernel and PySAT count differently: one of the formulations is wrong."""
    n, units = KINDS[kind]
    rng = stream("sat", kind)
    counts = Counter[int]()
    for _ in range(60):
        table = some_puzzle(n, units, rng)
        found = latin.answers(table, 4, BUDGET)
        right = sat_answers(n, units, table.clues, 4)
        assert len(set(found.answers)) == len(found.answers) == len(right)
        assert found.exhausted == (len(right) < 4)
        if found.exhausted:
            assert set(found.answers) == right
        counts[len(right)] += 1
    assert min(counts[0], counts[1], counts[4]) > 0  # unsolvable, unique and open puzzles were all seen


def test_both_paths_agree_on_9x9(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fast path and the general one are two programs for the same grids."""
    n, units = KINDS["9x9"]
    rng = stream("paths")
    tables = [some_puzzle(n, units, rng) for _ in range(200)]
    fast = [latin.answers(table, 50, BUDGET) for table in tables]
    counts = np.empty(len(tables), dtype=np.int64)
    cells = np.full((len(tables), 81), -1, dtype=np.int8)
    for k, table in enumerate(tables):
        for i, v in table.clues:
            cells[k, i] = v
    bands.count_many(cells, 50, BUDGET, counts)
    monkeypatch.setattr(latin, "_nine", lambda n, units: False)
    for table, one, count in zip(tables, fast, counts.tolist(), strict=True):
        other = latin.answers(table, 50, BUDGET)
        assert len(one.answers) == len(other.answers) == count
        assert (one.exhausted, one.nodes == 0) == (other.exhausted, other.nodes == 0)
        if one.exhausted:
            assert sorted(one.answers) == sorted(other.answers)


def singles_decide(n: int, units: tuple[tuple[int, ...], ...], clues: Clues) -> bool:
    """Whether naked and hidden singles fill the grid or show that nothing does; by sets, slowly."""
    options = [set(range(n)) for _ in range(n * n)]
    for i, v in clues:
        options[i] &= {v}
    before = None
    while before != (before := [len(values) for values in options]):
        for group in groups(n, units):
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


@pytest.mark.parametrize("kind", ["5x5 jigsaw", "6x6", "9x9"])
def test_no_nodes_means_that_singles_decide(kind: str) -> None:
    """Difficulty is told from nodes == 0: locked sets must not pass for singles."""
    n, units = KINDS[kind]
    rng = stream("singles", kind)
    seen = Counter[bool]()
    for k in range(60):
        table = some_puzzle(n, units, rng)
        if k % 2:  # minimal puzzles need more than singles now and then
            answer = latin.sample(LatinTable(n, units, ()), rng)
            assert answer is not None
            full = LatinTable(n, units, tuple(enumerate(answer)))
            kept = latin.thin(full, rng.shuffled(range(n * n)), 0, BUDGET)
            assert kept is not None
            table = LatinTable(n, units, tuple(full.clues[i] for i in kept))
        easy = singles_decide(n, units, table.clues)
        assert (latin.answers(table, 2, BUDGET).nodes == 0) == easy
        seen[easy] += 1
    assert min(seen[True], seen[False]) > 0


def thin_one_by_one(table: LatinTable, order: list[int], keep: int) -> tuple[int, ...]:
    kept = list(range(len(table.clues)))
    for position in order:
        less = [p for p in kept if p != position]
        clues = tuple(table.clues[p] for p in less)
        if len(kept) > keep and len(latin.answers(LatinTable(table.n, table.units, clues), 2, BUDGET).answers) == 1:
            kept = less
    return tuple(kept)


@pytest.mark.parametrize("kind", [*KINDS])
def test_thin_leaves_out_one_clue_after_the_other(kind: str) -> None:
    """Whole blocks are tried at once: the outcome must be that of the plain loop, unique and minimal."""
    n, units = KINDS[kind]
    rng = stream("thin", kind)
    for keep in (0, n * n // 2):
        for _ in range(4):
            answer = latin.sample(LatinTable(n, units, ()), rng)
            assert answer is not None
            table = LatinTable(n, units, tuple(enumerate(answer)))
            order = rng.shuffled(range(n * n))[: n * n - rng.below(2 * n)]  # clues that are not in it stay
            kept = latin.thin(table, order, keep, BUDGET)
            assert kept == thin_one_by_one(table, order, keep)
            assert len(kept) >= keep and set(range(n * n)) - set(order) <= set(kept)
            clues = tuple(table.clues[p] for p in kept)
            assert latin.answers(LatinTable(n, units, clues), 2, BUDGET).answers == (answer,)
            if len(kept) > keep:
                for p in order:
                    if p in kept:
                        less = tuple(clue for clue in clues if clue != table.clues[p])
                        assert len(latin.answers(LatinTable(n, units, less), 2, BUDGET).answers) == 2


def test_thin_refuses_what_has_no_single_answer() -> None:
    """Leaving out clues of an ambiguous puzzle would be a bug of the caller."""
    for clues in ((), ((0, 0), (1, 0)), ((0, 0), (0, 0))):
        with pytest.raises(ValueError, match="thin needs"):
            latin.thin(LatinTable(4, boxes(2, 2), clues), range(len(clues)), 0, BUDGET)


@pytest.mark.parametrize("kind", ["6x6", "9x9"])
def test_a_spent_budget_is_not_a_proof(kind: str) -> None:
    """A budget that ran out must never read as unique, unsolvable or thinned."""
    n, units = KINDS[kind]
    empty = LatinTable(n, units, ())
    found = latin.answers(empty, 1_000_000, 200)
    assert not found.exhausted and not found.decided(1_000_000)
    assert found.nodes == 200
    answer = latin.sample(empty, stream("budget"))
    assert answer is not None
    full = LatinTable(n, units, tuple(enumerate(answer)))
    order = stream("budget").shuffled(range(n * n))
    assert latin.thin(full, order, 0, 0) is None
    assert latin.thin(full, order, 0, BUDGET) is not None


@pytest.mark.parametrize("kind", [*KINDS])
def test_same_question_same_finding(kind: str) -> None:
    """Answers, their order and nodes are part of a release's bytes."""
    n, units = KINDS[kind]
    table = some_puzzle(n, units, stream("same", kind))
    assert latin.answers(table, 20, BUDGET) == latin.answers(table, 20, BUDGET)
    assert latin.sample(table, stream("one")) == latin.sample(table, stream("one"))
    empty = LatinTable(n, units, ())
    rng = stream("two")
    assert latin.sample(empty, rng) != latin.sample(empty, rng)  # the stream moves on


def test_bad_tables_are_refused() -> None:
    """A stored row with a cell outside of the grid must not reach compiled code, which checks no bounds."""
    for clue in ((16, 0), (-1, 0), (0, 4), (0, -1)):
        with pytest.raises(BadRow, match="a cell below 16 and a value below 4"):
            latin.answers(LatinTable(4, boxes(2, 2), (clue,)), 2, BUDGET)
    for unit in ((0, 1, 2), (0, 1, 2, 2), (0, 1, 2, 16), (-1, 0, 1, 2)):
        with pytest.raises(BadRow, match="4 different cells"):
            latin.answers(LatinTable(4, (unit,), ()), 2, BUDGET)
    with pytest.raises(BadRow, match="1 to 25"):
        latin.answers(LatinTable(26, (), ()), 2, BUDGET)


def test_two_values_for_one_cell_have_no_answer() -> None:
    """Two clues that contradict each other outright are an unsolvable puzzle, not an overwritten clue."""
    table = LatinTable(4, boxes(2, 2), ((0, 0), (0, 1)))
    assert latin.answers(table, 2, BUDGET) == latin.Finding((), True, 0)
    assert latin.sample(table, stream("x")) is None


# ---- samples ------------------------------------------------------------------------------------------------------------


def test_4x4_samples_are_exactly_even() -> None:
    """A biased sampler hides part of the answer space: chi-square over all 288 grids, 0.1 % point at 287 d.f. is 367."""
    table = LatinTable(*KINDS["4x4"], ())
    rng = stream("even")
    seen = Counter(latin.sample(table, rng) for _ in range(288 * 40))
    assert len(seen) == 288
    assert sum((count - 40) ** 2 / 40 for count in seen.values()) < 367


def test_6x6_samples_come_from_the_whole_space() -> None:
    """There are 28,200,960 grids of 6x6 (Jarvis, 2006), so 39,168 with a fixed first row, and samples are drawn from those."""
    every = latin._all_with_first_row(*KINDS["6x6"])
    assert every.shape == (28_200_960 // 720, 36)
    assert len(np.unique(every, axis=0)) == len(every)
    rng = stream("six")
    table = LatinTable(*KINDS["6x6"], ())
    assert len({latin.sample(table, rng) for _ in range(500)}) == 500  # 0.004 repeats expected


def test_samples_under_clues_are_even_where_answers_are_few() -> None:
    """Clues must hold, and few answers must be equally likely: chi-square at the 0.1 % point for up to 30 answers is under 60."""
    rng = stream("clues")
    table = LatinTable(4, boxes(2, 2), ((0, 0), (1, 1), (10, 2)))
    answers = latin.answers(table, 1_000, BUDGET).answers
    assert 4 < len(answers) < 31
    seen = Counter(latin.sample(table, rng) for _ in range(100 * len(answers)))
    assert sorted(seen) == sorted(answers)
    assert sum((count - 100) ** 2 / 100 for count in seen.values()) < 60


@pytest.mark.parametrize(("high", "wide"), [(2, 4), (3, 3), (3, 4), (4, 4), (5, 5)])
def test_large_samples_are_valid_and_new(high: int, wide: int) -> None:
    """An invalid grid would spoil every puzzle made from it, and so would a clue that is ignored."""
    n, units = high * wide, boxes(high, wide)
    rng = stream("large", n)
    grids = [latin.sample(LatinTable(n, units, ()), rng) for _ in range(3)]
    first = grids[0]
    assert first is not None
    clues = tuple((i, first[i]) for i in rng.sample(range(n * n), n))
    grids.append(latin.sample(LatinTable(n, units, clues), rng))
    assert len(set(grids)) == 4
    for grid in grids:
        assert grid is not None
        for group in groups(n, units):
            assert sorted(grid[i] for i in group) == list(range(n))
    last = grids[-1]
    assert last is not None and all(last[i] == v for i, v in clues)


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


def test_bulk_minimal_puzzles_are_minimal() -> None:
    """The bulk generator is what is measured: its puzzles must be unique, minimal and those of its answers."""
    puzzles, answers = bands.minimal(stream("bulk"), 40)
    counts = np.empty(81, dtype=np.int64)
    for puzzle, answer in zip(puzzles, answers, strict=True):
        shown = np.flatnonzero(puzzle >= 0)
        assert (puzzle[shown] == answer[shown]).all()
        less = np.repeat(puzzle[None], len(shown) + 1, axis=0)
        less[np.arange(len(shown)), shown] = -1
        bands.count_many(less, 2, BUDGET, counts[: len(less)])
        assert counts[: len(less)].tolist() == [2] * len(shown) + [1]


def test_bulk_puzzles_keep_clues() -> None:
    """Puzzles in bulk with a number of clues: one answer each, and that number unless one answer needs more."""
    puzzles, _ = bands.minimal(stream("keep"), 100, keep=28)
    counts = np.empty(100, dtype=np.int64)
    bands.count_many(puzzles, 2, BUDGET, counts)
    assert counts.tolist() == [1] * 100
    assert (puzzles >= 0).sum(axis=1).tolist() == [28] * 100
