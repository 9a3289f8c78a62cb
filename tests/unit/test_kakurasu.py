"""Kakurasu: what only this family, its kernel and its deductions promise; what all families promise is in tests/contract."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import islice, permutations, product
from typing import Any

import numpy as np
import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.model import BLANK, Fact, Step, SumsTable
from puzzlemill.core.rng import stream
from puzzlemill.core.types import Clue, Rule, Spec
from puzzlemill.factory.build import _draw, build_group
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.factory.recipe import Recipe, Stratum, TransformCall, Variant
from puzzlemill.factory.verify_row import Checked, Task, _examine
from puzzlemill.generators.kakurasu import FAMILY, HideHints, Params
from puzzlemill.solvers.deduce import explain, grade, sums
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.deduce.steps import Contradiction, Found
from puzzlemill.solvers.engines import Engines
from puzzlemill.solvers.kernels import sums as kernel
from strategies import Case, recipe_of

ENGINES = Engines(FAMILY)
BLOCKED = (Rule("blocked_cells"),)
BUDGET = 1_000_000


def totals(rows: int, cols: int, cells: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    across = [sum((c + 1) * cells[r * cols + c] for c in range(cols)) for r in range(rows)]
    down = [sum((r + 1) * cells[r * cols + c] for r in range(rows)) for c in range(cols)]
    return tuple(enumerate((*across, *down)))


# ---- kernel


def test_sums_that_no_line_has() -> None:
    assert kernel.answers(SumsTable(4, 4, (), ((0, 11),)), 2, BUDGET).answers == ()
    assert kernel.answers(SumsTable(4, 4, (), ((0, 3), (0, 4))), 2, BUDGET).answers == ()
    assert kernel.answers(SumsTable(4, 4, (0, 1, 2, 3), ((0, 1),)), 2, BUDGET).answers == ()
    assert kernel.answers(SumsTable(10, 10, (), tuple((line, 55) for line in range(20))), 2, 0).answers == ((1,) * 100,)


def test_a_grid_with_a_switch_has_another_answer() -> None:
    """Else the quick test would keep grids out that their sums single out. It finds most of those that have several answers."""
    rng = stream("switches")
    seen = Counter[tuple[bool, bool]]()
    for _ in range(300):
        rows, cols = rng.between(6, 9), rng.between(6, 9)
        closed = {cell for cell in range(rows * cols) if rng.chance(1, 10)}
        cells = tuple(0 if cell in closed else rng.below(2) for cell in range(rows * cols))
        grid, open_ = [
            np.array([sum(values[r * cols + c] << c for c in range(cols)) for r in range(rows)])
            for values in (cells, [int(cell not in closed) for cell in range(rows * cols)])
        ]
        switched = kernel._switched(grid, open_, np.zeros(cols, dtype=np.int64), kernel._switches(cols), kernel._weights())
        table = SumsTable(rows, cols, tuple(sorted(closed)), totals(rows, cols, cells))
        seen[bool(switched), len(kernel.answers(table, 2, BUDGET).answers) == 1] += 1
    assert seen[True, True] == 0
    assert seen[True, False] > 5 * seen[False, False]
    assert seen[False, True] > 50


def test_grids_are_drawn_evenly_among_those_with_one_answer() -> None:
    """None more often than chance has it (the greatest of 2,040 counts of mean 4), and no other grid."""
    grids = [g for g in product((0, 1), repeat=12) if not g[5]]
    by_sums = Counter(totals(3, 4, g) for g in grids)
    single = {g for g in grids if by_sums[totals(3, 4, g)] == 1}
    rng = stream("devised")
    drawn = Counter[tuple[int, ...]]()
    for _ in range(4 * len(single)):
        made = kernel.devise(SumsTable(3, 4, (5,), ((0, 1),)), rng)
        assert made is not None
        assert tuple(enumerate(made[1])) == totals(3, 4, made[0])
        drawn[made[0]] += 1
    assert max(drawn.values()) < 20
    assert 0.95 < len(drawn) / len(single) <= 1
    assert set(drawn) <= single


# ---- symmetries


@pytest.mark.parametrize("n", [4, 5])
def test_lines_have_no_other_symmetry(n: int) -> None:
    """Of all ways to exchange the cells of a line and to turn values over, two keep which choices have equal sums."""
    choices = list(product((0, 1), repeat=n))
    weigh = {cells: sum(i * v for i, v in enumerate(cells, 1)) for cells in choices}
    kept = []
    for order in permutations(range(n)):
        for turned in choices:
            pairs = {(weigh[x], weigh[tuple(x[i] ^ t for i, t in zip(order, turned, strict=True))]) for x in choices}
            if len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}):
                kept.append((order, turned))
    assert kept == [(tuple(range(n)), (0,) * n), (tuple(range(n)), (1,) * n)]


def test_the_key_looks_past_rows_and_columns() -> None:
    puzzle = FAMILY.make_puzzle(
        Spec(Params(4, 5)), ((1, 0, 0, 1, 0), (0,) * 5, (1, 1, 0, 0, 0), (0, 0, 0, 0, 1)), stream("x")
    ).puzzle
    turned = FAMILY.make_puzzle(
        Spec(Params(5, 4)), ((1, 0, 1, 0), (0, 0, 1, 0), (0,) * 4, (1, 0, 0, 0), (0, 0, 0, 1)), stream("x")
    ).puzzle
    other = FAMILY.make_puzzle(
        Spec(Params(5, 4)), ((1, 0, 1, 0), (0, 0, 1, 0), (0,) * 4, (1, 0, 0, 0), (0, 0, 1, 0)), stream("x")
    ).puzzle
    assert canonical_key(FAMILY, puzzle) == canonical_key(FAMILY, turned) != canonical_key(FAMILY, other)


# ---- the family


def test_grids_inherit_no_invariant() -> None:
    """Hints of rows and of columns add up to different numbers, and empty lines and full ones come up."""
    drawn = [FAMILY.sample_solution(Spec(Params(4, 4)), stream("even", i), ENGINES) for i in range(400)]
    hints = [[total for _, total in totals(4, 4, tuple(v for row in grid for v in row))] for grid in drawn]
    assert sum(sum(h[:4]) == sum(h[4:]) for h in hints) < 60
    seen = Counter(total for h in hints for total in h)
    assert 130 < seen[0] < 270  # of 3,200 lines, one in sixteen is empty
    assert 130 < seen[10] < 270


def test_blocked_cells_matter_in_every_row() -> None:
    """The rule was idle in four rows of five: the answer was the only one without it."""
    part = Stratum(
        "kakurasu",
        params=(("rows", (4, 6)), ("cols", (6,))),
        variants=tuple(
            Variant(name, tuple(TransformCall(each) for each in calls), of)
            for name, calls, of in (
                ("blocked", ["blocked_cells"], "canonical"),
                ("hidden", ["hide_hints"], "blocked"),
                ("larger", ["larger_grid", "blocked_cells"], "canonical"),
            )
        ),
        counts=(("train", 4),),
    )
    recipe = Recipe("blocked", "w", (part,))
    for number in range(4):
        made = build_group(recipe, part, "train", number).rows[1:]
        assert [row["proof"]["necessary"] for row in made] == [["blocked_cells"]] * 3
        for row in made:
            puzzle = loads(puzzle_type(FAMILY), row["puzzle"], "puzzle")
            assert ENGINES.count(puzzle) == 1
            assert ENGINES.count(replace(puzzle, spec=puzzle.spec.without_rule("blocked_cells"))) == 2


def test_few_answers_are_counted() -> None:
    """Who knows that blocked cells matter guesses better than one in all grids: of the 1,024 with these cells, 48 are left."""
    spec = Spec(Params(4, 4), (Rule("blocked_cells", ((0, 4, 5, 7, 10, 15),)),))
    drawn = {FAMILY.sample_solution(spec, stream("few", i), ENGINES) for i in range(300)}
    assert len(drawn) == FAMILY.small.answers(spec) == 48
    assert FAMILY.small.answers(Spec(Params(4, 5), BLOCKED)) is None


def test_the_checker_names_what_is_broken() -> None:
    spec = Spec(Params(4, 4), (Rule("blocked_cells", ((5,),)),))
    answer = ((1, 0, 0, 1), (0, 0, 1, 0), (1, 0, 0, 0), (0, 1, 0, 0))
    puzzle = FAMILY.make_puzzle(spec, answer, stream("x")).puzzle
    assert FAMILY.broken_rules(puzzle, answer) == []
    wrong = ((1, 0, 0, 1), (0, 1, 1, 0), (1, 0, 0, 0), (0, 1, 0, 0))
    assert FAMILY.broken_rules(puzzle, wrong) == ["blocked_cells", "r2", "c2"]
    assert FAMILY.broken_rules(puzzle, wrong[:3]) == ["malformed"]
    part = ((BLANK,) * 4, (BLANK, 0, 1, 1), (BLANK,) * 4, (BLANK,) * 4)
    assert FAMILY.broken_rules(puzzle, part, partial=True) == ["r2", "c4"]


def test_hidden_hints_and_blocked_cells_show_in_the_prompt() -> None:
    draft = _draw(FAMILY, Spec(Params(6, 7, 12), BLOCKED), stream("prompt"), ENGINES, False)
    text = FAMILY.render(draft.puzzle)
    assert text.count("?") == 13 - len(draft.puzzle.clues) >= 1
    (cells,) = draft.puzzle.spec.rules[0].args
    assert isinstance(cells, tuple)
    assert text.split("-+-")[1].count(" x") == len(cells)
    assert 5 <= len(cells) <= 10


def test_hide_hints_fits_where_more_can_be_hidden() -> None:
    assert HideHints().fits(FAMILY, Spec(Params(6, 6)))
    assert not HideHints().fits(FAMILY, Spec(Params(6, 6, 4)))
    assert not HideHints(hidden=12).fits(FAMILY, Spec(Params(6, 6)))


def test_changes_can_keep_the_weighted_sums_equal() -> None:
    """Otherwise adding up would refute every unsolvable puzzle."""
    puzzle = _draw(FAMILY, Spec(Params(6, 6)), stream("changes"), ENGINES, False).puzzle

    def agrees(clues: tuple[Clue, ...]) -> bool:
        sides = [sum((clue.ints()[0] + 1) * clue.ints()[1] for clue in clues if clue.kind == kind) for kind in ("row", "column")]
        return sides[0] == sides[1]

    assert agrees(puzzle.clues)
    made = list(islice(FAMILY.clues.changes(puzzle, stream("changes", 1)), 100))
    assert 30 < sum(agrees(other.clues) for other in made) < 70
    assert all(other.clues != puzzle.clues for other in made)


def test_rows_with_two_hints_changed_are_verified() -> None:
    """A child of two changed clues passes for a wrong one."""
    recipe, part = recipe_of(Case(FAMILY, Spec(Params(5, 6))), ("clash",), ("json",))
    changed = Counter[int]()
    for index in range(5):
        for row in build_group(recipe, part, "test", index).rows:
            problems: list[str] = []
            assert _examine(row, recipe, Task("", "", 0, 0, 1, None, "", True), problems, Checked())
            assert problems == []
            if row["edit"] is not None:
                changed[len(json.loads(row["edit"]))] += 1
    assert changed[2]


# ---- deductions


def first(rows: int, cols: int, *clues: tuple[int, int], blocked: tuple[int, ...] = ()) -> Step:
    board = sums._Board(SumsTable(rows, cols, blocked, clues), [f"k{i}" for i in range(len(clues))])
    board.run(3)
    return board.steps[0]


def test_techniques_of_one_line() -> None:
    def step(found: Found[Any], uses: tuple[str, ...], *sets: Fact) -> Step:
        return Step(found.technique, uses, sets, found=found)

    full, weight = (lambda *known: sums.Full(sums.State(*known))), (lambda *known: sums.Weight(sums.State(*known)))
    assert first(4, 4, (0, 10)) == step(full(0, 10, 0, 0), ("k0",), (0, 1), (1, 1), (2, 1), (3, 1))
    assert first(4, 4, (4, 0)) == step(full(4, 0, 0, 0), ("k0",), (0, 0), (4, 0), (8, 0), (12, 0))
    assert first(4, 4, (0, 7), blocked=(2,)) == step(full(0, 7, 4, 0), ("k0", "blocked_cells"), (0, 1), (1, 1), (3, 1))
    assert first(4, 4, (0, 3)) == step(weight(0, 3, 0, 0), ("k0",), (3, 0))
    assert first(4, 4, (0, 7)) == step(weight(0, 7, 0, 0), ("k0",), (3, 1))
    # where weights settle the whole line, one step says so: 6 is 2 + 4 without the third cell
    only = sums.OneWay(sums.State(0, 6, 4, 0), (0b1010,))
    assert first(4, 4, (0, 6), blocked=(2,)) == step(only, ("k0", "blocked_cells"), (0, 0), (1, 1), (3, 1))
    # without the first cell, 5 is 5 or 2 + 3: never with 4
    completion = sums.Completion(sums.State(0, 5, 1, 0), (0b00110, 0b10000))
    assert first(5, 5, (0, 5), blocked=(0,)) == step(completion, ("k0", "blocked_cells"), (3, 0))


def test_a_hidden_hint_from_the_others() -> None:
    """Row number times sum over the rows is column number times sum over the columns: 2 x 1 + 3 x 4 = 14 = 1 x 2 + 4 x 3."""
    clues = ((0, 0), (1, 1), (2, 4), (3, 0), (4, 2), (5, 0), (6, 0))
    board = sums._Board(SumsTable(4, 4, (), clues), [f"k{i}" for i in range(7)])
    for fresh in board.fresh:
        fresh.clear()  # as if all easier techniques had been looked at
    assert board._double_count()
    found = sums.DoubleCount(
        7, (0, 1, 4, 0, 2, 0, 0, 0), sums.Completion(sums.State(7, 3, 0, 0), (0b0011, 0b0100))
    )  # 3 is 1 + 2 or 3
    assert board.steps == [Step("double_count", ("k0", "k1", "k2", "k3", "k4", "k5", "k6"), ((15, 0),), found=found)]
    clashing = SumsTable(4, 4, (), (*clues, (7, 2)))
    board = sums._Board(clashing, [f"k{i}" for i in range(8)])
    with pytest.raises(Contradiction):
        board._double_count()
    assert board.steps[-1].found == sums.DoubleCount(-1, (0, 1, 4, 0, 2, 0, 0, 2))


def test_the_quick_look_sees_what_the_told_one_sees() -> None:
    """Of lines under every state of four cells and every sum: what full lines and weights force, one after the other."""
    for total, states in product(range(12), product((-1, 0, 1), repeat=4)):
        ones, zeros = (sum(1 << i for i, state in enumerate(states) if state == v) for v in (1, 0))
        board = sums._Board(SumsTable(1, 4, (), ((0, total),)), ["k"])
        for i, state in enumerate(states):
            if state >= 0:
                board.put(i, state, "")
        for top in (2, 3):
            quick = sums.forced(4, total, ones, zeros, top == 3)
            try:
                board.run(top)
                told = (board.ones[0] & ~ones) << 10 | board.zeros[0] & ~zeros
            except Contradiction:
                told = -1
            assert quick == told
            if told < 0:
                break  # this board is spent


def test_all_ways_of_a_line_agree_somewhere() -> None:
    """The step of a technique that is rarely needed, against the clauses of the model."""
    found = 0
    for number in range(40):
        puzzle = _draw(FAMILY, Spec(Params(8, 8, 7)), stream("all ways", number), ENGINES, False).puzzle
        (values,) = ENGINES.answers(puzzle, 2)
        steps = sums.deduce(FAMILY.table(puzzle), [clue.id for clue in puzzle.clues], values)
        if any(step.technique in ("all_ways", "long_all_ways") for step in steps):
            found += 1
            assert wrong_step(FAMILY, puzzle, steps) == ""
            for step in steps:
                assert explain(FAMILY, puzzle, step).endswith(".")
    assert found


@pytest.mark.parametrize(
    ("total", "words"),
    [
        (0, "so rows 1, 2, 3 and 4 are not chosen"),
        (1, "so row 1 is chosen and rows 2, 3 and 4 are not chosen"),
        (2, "so row 2 is chosen and rows 1, 3 and 4 are not chosen"),
        (4, "so row 2 is not chosen"),  # 4, or 1 and 3
        (5, "which is possible in 2 ways"),  # 1 and 4, or 2 and 3
        (8, "so rows 1, 3 and 4 are chosen and row 2 is not chosen"),
        (11, "which is impossible"),
    ],
)
def test_a_hint_says_what_it_forces_by_itself(total: int, words: str) -> None:
    puzzle = FAMILY.puzzle(Spec(Params(rows=4, cols=4)), (Clue("c2", "column", (1, total)),))
    assert FAMILY.describe(puzzle, "c2") == f"The row numbers of the chosen cells in column 2 add up to {total}, {words}."


@pytest.mark.slow
def test_large_grids_end_with_a_deduction() -> None:
    """The trace of every other 9x9 puzzle says of its last cells only that everything was tried."""
    techniques = Counter[str]()
    for i in range(12):
        rng = stream("k", 9, 9, 0, i)
        answer = FAMILY.sample_solution(Spec(Params(9, 9)), rng, ENGINES)
        puzzle = FAMILY.make_puzzle(Spec(Params(9, 9)), answer, rng).puzzle
        graded = grade(FAMILY, puzzle, answer)
        assert graded is not None
        steps = graded.steps
        assert not wrong_step(FAMILY, puzzle, steps, BUDGET)
        techniques.update({step.technique for step in steps})
    assert techniques["search"] == 0 and techniques["long_deep_look_ahead"] >= 3
