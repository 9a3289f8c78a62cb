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
    monkeypatch.setattr(latin, "_nine", lambda _table: False)
    for table, one, count in zip(tables, fast, counts.tolist(), strict=True):
        other = latin.answers(table, 50, BUDGET)
        assert len(one.answers) == len(other.answers) == count
        assert (one.exhausted, one.nodes == 0) == (other.exhausted, other.nodes == 0)
        if one.exhausted:
            assert sorted(one.answers) == sorted(other.answers)


def singles_decide(n: int, units: tuple[tuple[int, ...], ...], clues: Clues, apart: bool = False) -> bool:
    """Whether naked and hidden singles fill the grid or show that nothing does; by sets, slowly."""
    options = [set(range(n)) for _ in range(n * n)]
    for i, v in clues:
        options[i] &= {v}
    before = None
    while before != (before := [len(values) for values in options]):
        for i in range(n * n):
            if apart and len(options[i]) == 1:
                (v,) = options[i]
                for j in range(n * n):
                    if abs(i // n - j // n) + abs(i % n - j % n) == 1:
                        options[j] -= {v - 1, v + 1}
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
            kept = latin.minimize(full, rng.shuffled(range(n * n)), 0, BUDGET)
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
            kept = latin.minimize(table, order, keep, BUDGET)
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
        with pytest.raises(ValueError, match="minimize needs"):
            latin.minimize(LatinTable(4, boxes(2, 2), clues), range(len(clues)), 0, BUDGET)


@pytest.mark.parametrize("kind", ["6x6", "9x9"])
def test_a_spent_budget_is_not_a_proof(kind: str) -> None:
    """A budget that ran out must never read as unique, unsolvable or minimized."""
    n, units = KINDS[kind]
    empty = LatinTable(n, units, ())
    found = latin.answers(empty, 1_000_000, 200)
    assert not found.exhausted and not found.decided(1_000_000)
    assert found.nodes == 200
    answer = latin.sample(empty, stream("budget"))
    assert answer is not None
    full = LatinTable(n, units, tuple(enumerate(answer)))
    order = stream("budget").shuffled(range(n * n))
    assert latin.minimize(full, order, 0, 0) is None
    assert latin.minimize(full, order, 0, BUDGET) is not None


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


# ---- neighbours kept apart, a heaviest group, units of any form -----------------------------------------------------------

# zones of 6 cells, drawn by hand
JIGSAW_6 = tuple(
    tuple(i for i, zone in enumerate("AAABBBAACBBDAECCBDEECCDDEECFDDEFFFFF") if zone == letter) for letter in "ABCDEF"
)
ROUND = {4: boxes(2, 2), 6: boxes(2, 3)}


def variant(n: int, zones: tuple[tuple[int, ...], ...], extra: str, first: int = 0) -> LatinTable:
    """A table without clues. extra: letters of d(iagonals), a(part), h(eaviest zone)."""
    units = zones + diagonals(n) if "d" in extra else zones
    turned = (zones[first], *zones[:first], *zones[first + 1 :])
    return LatinTable(n, units, (), (), "a" in extra, turned if "h" in extra else ())


def with_clues(table: LatinTable, clues: Clues) -> LatinTable:
    return LatinTable(table.n, table.units, clues, (), table.apart, table.heaviest)


def weight(group: tuple[int, ...], grid: tuple[int, ...]) -> int:
    return sum(place * (grid[i] + 1) for place, i in enumerate(group, start=1))


def fits(table: LatinTable, grid: tuple[int, ...]) -> bool:
    """The table's own words, cell by cell."""
    n = table.n
    if any(sorted(grid[i] for i in group) != list(range(n)) for group in groups(n, table.units)):
        return False
    if table.apart:
        for i in range(n * n):
            if (i % n < n - 1 and abs(grid[i] - grid[i + 1]) == 1) or (i + n < n * n and abs(grid[i] - grid[i + n]) == 1):
                return False
    if any(weight(table.heaviest[0], grid) <= weight(other, grid) for other in table.heaviest[1:]):
        return False
    return all(grid[i] == v for i, v in table.clues)


def sat_variant(table: LatinTable, limit: int) -> set[tuple[int, ...]]:
    """All answers by PySAT, `heaviest` by leaving out what does not fit; fails beyond `limit` candidates."""
    n = table.n
    with Solver("glucose4", bootstrap_with=clauses(n, table.units)) as solver:
        if table.apart:
            for i in range(n * n):
                for j in ([i + 1] if i % n < n - 1 else []) + ([i + n] if i + n < n * n else []):
                    for v in range(n - 1):
                        solver.add_clause([-(n * i + v + 1), -(n * j + v + 2)])
                        solver.add_clause([-(n * i + v + 2), -(n * j + v + 1)])
        for i, v in table.clues:
            solver.add_clause([n * i + v + 1])
        found: set[tuple[int, ...]] = set()
        for _ in range(limit + 1):
            if not solver.solve():
                return {grid for grid in found if fits(table, grid)}
            true = [x for x in solver.get_model() if x > 0]
            found.add(tuple((x - 1) % n for x in true))
            solver.add_clause([-x for x in true])
    raise AssertionError("too many candidates for this test")


@pytest.mark.parametrize("extra", ["", "d", "a", "h", "dh", "ah", "da", "dah"])
@pytest.mark.parametrize("kind", ["4x4", "latin 4", "6x6", "jigsaw", "latin 6"])
def test_variants_agree_with_sat(kind: str, extra: str) -> None:
    """All answers of tables with every option and from no clues to many: one missed or invented is a wrong label."""
    n = 6 if "6" in kind or kind == "jigsaw" else 4
    zones = ROUND[n] if "x" in kind else JIGSAW_6 if kind == "jigsaw" else ()
    rng = stream("variants", kind, extra)
    several = 0
    for k in range(25):
        base = variant(n, zones or ROUND[n], extra, rng.below(n))
        table = LatinTable(n, base.units if zones else base.units[n:], (), (), base.apart, base.heaviest)
        answer = latin.sample(table, rng) or latin.sample(LatinTable(n, (), ()), rng)
        assert answer is not None
        least = 0 if n == 4 or base.apart else 11
        clues = [(i, answer[i]) for i in rng.sample(range(n * n), rng.between(least, n * n - 4 if k % 5 else least + 5))]
        if clues and rng.chance(1, 3):
            where = rng.below(len(clues))
            clues[where] = (clues[where][0], rng.below(n))
        table = with_clues(table, tuple(clues))
        right = sat_variant(table, 2_000)
        found = latin.answers(table, 2_001, BUDGET)
        assert found.exhausted and len(found.answers) == len(right) and set(found.answers) == right
        two = latin.answers(table, 2, BUDGET)
        assert len(two.answers) == min(2, len(right)) and set(two.answers) <= right
        several += len(right) > 1
    assert several or "a" in extra or kind == "jigsaw"  # whose answers are few: the other kinds saw several at once


@pytest.mark.parametrize(("extra", "first"), [("", 0), ("d", 0), ("h", 2), ("dh", 1), ("a", 0)])
def test_small_variants_are_sampled_exactly_evenly(extra: str, first: int) -> None:
    """Every answer equally often: chi-square against the list of all, at the 0.1 % point (normal approximation)."""
    table = variant(4, ROUND[4], extra, first) if extra != "a" else LatinTable(6, ROUND[6], (), (), True)
    plain = LatinTable(table.n, table.units, (), (), table.apart)
    right = [grid for grid in latin.answers(plain, 2_000, BUDGET).answers if fits(table, grid)]
    assert len(right) > 3
    rng = stream("even variants", extra)
    draws = 40 * len(right)
    seen = Counter(latin.sample(table, rng) for _ in range(draws))
    assert set(seen) == set(right)
    freedom = len(right) - 1
    assert sum((count - 40) ** 2 / 40 for count in seen.values()) < freedom + 3.2 * (2 * freedom) ** 0.5 + 8


@pytest.mark.parametrize("extra", ["d", "", "h", "dh"])
def test_6x6_variants_are_drawn_from_all(extra: str) -> None:
    """6x6 zones are listed by templates: their number is that of the plain search, and draws fit."""
    table = variant(6, JIGSAW_6 if "d" not in extra else ROUND[6], extra, 3)
    every = latin._all_small(6, table.units, False)
    first = LatinTable(6, table.units, tuple((i, i) for i in range(6)))
    assert {tuple(grid) for grid in every.tolist()} == set(latin.answers(first, 50_000, BUDGET).answers)
    rng = stream("six variants", extra)
    assert all(fits(table, latin.sample(table, rng) or ()) for _ in range(50))


@pytest.mark.parametrize("extra", ["d", "dh", "h", "a"])
def test_a_walk_is_even_in_the_limit(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large grids are drawn by a search and a walk: on small ones, its draws are as even as those of the list (0.1 % point)."""
    monkeypatch.setattr(latin, "_STEPS", 10)
    table = variant(4, ROUND[4], extra, 1) if extra != "a" else LatinTable(6, ROUND[6], (), (), True)
    plain = LatinTable(table.n, table.units, (), (), table.apart)
    right = [grid for grid in latin.answers(plain, 2_000, BUDGET).answers if fits(table, grid)]
    grid = latin._grid(table.n, table.units, table.apart, table.heaviest)
    rng = stream("walks", extra)
    own = rng.child("own")
    cells = np.full(table.n**2, -1, dtype=np.int8)
    drawn = [latin._walked(table, grid, cells, own.child("one", k), extra == "h") for k in range(15 * len(right))]
    seen = Counter(drawn)
    assert set(seen) == set(right)
    freedom = len(right) - 1
    assert sum((count - 15) ** 2 / 15 for count in seen.values()) < freedom + 3.2 * (2 * freedom) ** 0.5 + 8


JIGSAW_9 = tuple(
    tuple(
        i
        for i, zone in enumerate("AAABBBCCCAAABBBFCCADAEBBFCCADDEBEFCFDDDEEEFCFDDDEEEFFFGGHHHIIIIGGGHHHIIIGGGGHHHII")
        if zone == letter
    )
    for letter in "ABCDEFGHI"
)
LARGE = {
    "9 jigsaw": LatinTable(9, JIGSAW_9, ()),
    "9 jigsaw, diagonals, heaviest": LatinTable(9, JIGSAW_9 + diagonals(9), (), (), False, JIGSAW_9),
    "9 diagonals": LatinTable(9, boxes(3, 3) + diagonals(9), ()),
    "9 heaviest": LatinTable(9, boxes(3, 3), (), (), False, boxes(3, 3)),
    "9 apart": LatinTable(9, boxes(3, 3), (), (), True),
    "9 apart, heaviest": LatinTable(9, boxes(3, 3), (), (), True, boxes(3, 3)),
    "8 apart": LatinTable(8, boxes(2, 4), (), (), True),
    "12 diagonals, heaviest": LatinTable(12, boxes(3, 4) + diagonals(12), (), (), False, boxes(3, 4)),
    "12 apart": LatinTable(12, boxes(3, 4), (), (), True),
    "16 diagonals": LatinTable(16, boxes(4, 4) + diagonals(16), ()),
    "16 heaviest": LatinTable(16, boxes(4, 4), (), (), False, boxes(4, 4)),
}


@pytest.mark.parametrize("kind", [*LARGE])
def test_large_variants_fit_and_are_thinned(kind: str) -> None:
    """Samples fit the table, are new and repeat by stream; minimizing leaves one answer; clues beyond `keep` are necessary."""
    table = LARGE[kind]
    n = table.n
    rng = stream("large variants", kind)
    grids = [latin.sample(table, rng) for _ in range(3)]
    assert len(set(grids)) == 3
    assert all(grid is not None and fits(table, grid) for grid in grids)
    assert latin.sample(table, stream("one")) == latin.sample(table, stream("one"))
    answer = grids[0]
    assert answer is not None
    full = with_clues(table, tuple(enumerate(answer)))
    keep = {9: 12 if table.apart else 0, 8: 0, 12: 40, 16: 102}[n]
    order = rng.shuffled(range(n * n))
    kept = latin.minimize(full, order, keep, 2_000_000)
    assert kept is not None and len(kept) >= keep
    clues = tuple(full.clues[p] for p in kept)
    assert latin.answers(with_clues(table, clues), 2, 2_000_000).answers == (answer,)
    if len(kept) > keep:
        for p in kept:
            less = with_clues(table, tuple(clue for clue in clues if clue != full.clues[p]))
            assert len(latin.answers(less, 2, 2_000_000).answers) == 2
    some = with_clues(table, tuple(full.clues[p] for p in kept[: len(kept) // 2]))
    drawn = latin.sample(some, rng)
    assert drawn is not None and fits(some, drawn)


def test_variants_without_an_answer_give_none() -> None:
    """No 4x4 grid of boxes keeps neighbours apart, and no group outweighs itself: nothing to draw is no lack of luck."""
    assert latin.sample(LatinTable(4, ROUND[4], (), (), True), stream("x")) is None
    assert latin.sample(LatinTable(4, ROUND[4], (), (), False, (ROUND[4][0], ROUND[4][0])), stream("x")) is None
    apart = LatinTable(9, boxes(3, 3), (), (), True)
    assert not latin.answers(apart, 10_000_000, 300).decided(10_000_000)


def test_neighbours_of_placed_values_are_singles() -> None:
    """nodes == 0 with `apart`: what a placed value forbids beside it is a single, what candidates forbid is not."""
    table = LatinTable(6, ROUND[6], (), (), True)
    rng = stream("near")
    seen = Counter[bool]()
    for _ in range(60):
        answer = latin.sample(table, rng)
        assert answer is not None
        clues = tuple((i, answer[i]) for i in rng.sample(range(36), rng.between(2, 6)))
        easy = singles_decide(6, ROUND[6], clues, True)
        assert (latin.answers(with_clues(table, clues), 2, BUDGET).nodes == 0) == easy
        seen[easy] += 1
    assert min(seen[True], seen[False]) > 0


def test_bad_groups_are_refused() -> None:
    """A group with a cell outside of the grid must not reach compiled code."""
    with pytest.raises(BadRow, match="different cells"):
        latin.answers(LatinTable(4, ROUND[4], (), (), False, ((0, 16),)), 2, BUDGET)
