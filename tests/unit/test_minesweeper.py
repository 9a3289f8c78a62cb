"""Minesweeper: what only this family promises, and FORCED questions from the draft to the score."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from math import comb

import pytest

from puzzlemill.core.errors import Discarded, EnginesDisagree
from puzzlemill.core.model import BLANK, Common
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyPuzzle, Draft, Spec, Status
from puzzlemill.factory.make import make
from puzzlemill.generators import _minesweeper
from puzzlemill.generators.minesweeper import APART, CLUSTERS, FAMILY, LETTERS, Params
from puzzlemill.questions import asked
from puzzlemill.scoring.prompt import gold_reply, prompt
from puzzlemill.scoring.score import score
from puzzlemill.solvers import kernels, sat
from puzzlemill.solvers.certify import certify, efforts, recheck
from puzzlemill.solvers.engines import Budget, Engines, common
from puzzlemill.solvers.lower import counted, lower
from puzzlemill.transforms import transform_of
from puzzlemill.transforms.clash import Clash
from rows import row_of
from strategies import kept

BUDGET = Budget()


def scanned(text: str) -> AnyPuzzle:
    return FAMILY.text.parse(lines_of(text))


def test_guessing_is_among_sets_of_closed_cells_as_many_as_are_mines() -> None:
    """Opened cells count as places for a mine, or the arrangements around numbers where sets are fewer."""
    sets_are_fewer = False
    for index in range(4):
        row = make("minesweeper", rows=5, cols=5, mines=6, opened=40, index=index)
        opened = len(json.loads(row["puzzle"])["clues"])
        sets, ways = comb(25 - opened, row["answer"].count("1")), 10 ** row["search_space_log10"]
        sets_are_fewer |= sets < ways
        assert row["guess_baseline"] == pytest.approx(1 / min(sets, ways), rel=1e-4)
    assert sets_are_fewer


def test_the_search_space_is_of_closed_cells_around_numbers() -> None:
    """Opened cells, or groups that do not touch, are counted as ways (HardcoreLogic, table 5)."""
    text = "11..\n....\n....\n....\n"
    # 1 of 2, 1 of 4; in groups: 3 of the sets of 2 cells, 4 + 4 + 3 + 1 of the sets of the four
    for heading, ways in (("minesweeper", 2 * 4), ("minesweeper clusters", 3 * 12)):
        puzzle = scanned(f"{heading}\n{text}")
        assert 10 ** FAMILY.search_space_log10(puzzle) == pytest.approx(ways)


def test_boards_that_ask_for_nothing_or_show_all_of_it_are_not_used() -> None:
    """An answer is empty, or all the cells beside numbers."""
    for text, usable in (
        ("3...\n....\n....\n....\n", False),
        ("1...\n....\n....\n....\n", False),
        ("31..\n....\n....\n....\n", False),
    ):
        puzzle = scanned(f"minesweeper\n{text}")
        forced = Engines(FAMILY).backbone(puzzle)
        answer = None if forced is None else FAMILY.form.assemble(puzzle.spec, puzzle.board, forced)
        assert FAMILY.clues.usable(Draft(puzzle, answer, answer)) is usable
    some = kept(FAMILY, Spec(Params(5, 5, 6, 40, False)), 1)[0]
    forced = Engines(FAMILY).backbone(some.puzzle)
    assert forced is not None
    assert FAMILY.clues.usable(replace(some, answer=FAMILY.form.assemble(some.puzzle.spec, some.puzzle.board, forced)))


def test_a_rule_that_forces_no_further_cell_is_thrown_away() -> None:
    """A board is told to be under a rule that does not matter to its answer."""
    idle = scanned("minesweeper no_touching_mines\n11..\n.1..\n....\n....\n")
    needed = scanned("minesweeper no_touching_mines\n.2..\n1.2.\n....\n....\n")
    for puzzle, thrown in ((idle, True), (needed, False)):
        forced = Engines(FAMILY).backbone(puzzle)
        free = Engines(FAMILY).backbone(replace(puzzle, spec=puzzle.spec.without_rule("no_touching_mines")))
        assert forced is not None and (forced == free) is thrown
        answer = FAMILY.form.assemble(puzzle.spec, puzzle.board, forced)
        if thrown:
            with pytest.raises(Discarded, match="idle_rule"):
                certify(FAMILY, puzzle, answer, BUDGET, idle=False)
        else:
            assert certify(FAMILY, puzzle, answer, BUDGET, idle=False).necessary == ("no_touching_mines",)


def test_a_spent_budget_is_not_a_proof() -> None:
    """A board that is cut short must not pass for one without mines."""
    table = FAMILY.table(kept(FAMILY, Spec(Params(8, 8, 20, 40)), 1)[0].puzzle)
    found = kernels.common(table, 5)
    assert (found.decided, found.values, found.backbone()) == (False, None, None)
    assert Common((1, 0, BLANK), True, 0).backbone() == (1, 0, 0)


@pytest.mark.parametrize(
    "spec",
    [
        Spec(Params(5, 6, 9, 50, False)),
        Spec(Params(5, 6, 9, 40, True)),
        Spec(Params(5, 6, 10, 60, False), (CLUSTERS,)),
        Spec(Params(5, 6, 4, 30, True), (APART,)),
    ],
    ids=str,
)
def test_all_engines_force_the_same_cells(spec: Spec[Params]) -> None:
    """Each cell both ways by kernel, SAT, Z3 and the checker alone; the certificate rests on two of them."""
    for draft in kept(FAMILY, spec, 3):
        found = {common(FAMILY, draft.puzzle, engine, BUDGET) for engine in ("kernel", "sat", "smt", "checker")}
        assert len({each.values for each in found if each is not None}) == 1
        assert all(each is not None and each.decided for each in found)
        certificate = certify(FAMILY, draft.puzzle, draft.answer, BUDGET, expect=Status.UNIQUE)
        assert certificate.answer == draft.answer
        assert len(certificate.formulations) == 2
        assert certificate.necessary == tuple([rule.name for rule in spec.rules if rule != CLUSTERS])
        for engine in ("kernel", "sat", "smt", "checker"):
            assert recheck(FAMILY, draft.puzzle, Status.UNIQUE, draft.answer, None, engine, BUDGET).problem == ""


@pytest.mark.parametrize("most", [2_000, 0])
def test_counts_and_clauses_share_the_same(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With counts as they are, and where these are given up, by clauses; 60 boards with and without the total, some wrong.

    What is left of the total beside some numbers is derived, and would force too much if it were wrong.
    """
    monkeypatch.setattr(sat, "COUNTING", most)
    rng = stream("tests", "minesweeper", "counts")
    unsolvable = 0
    for index in range(60):
        spec = Spec(Params(5, 6, 9, 40, index % 2 == 0), ((), (CLUSTERS,))[index % 3 == 0])
        draft = FAMILY.make_puzzle(spec, FAMILY.sample_solution(spec, rng.child(index, 0), Engines(FAMILY)), rng.child(index, 1))
        puzzle = draft.puzzle
        if index % 5 == 0:
            puzzle = puzzle.with_clues(
                [next(FAMILY.clues.alternatives(puzzle, puzzle.clues[0], rng.child(index, 2))), *puzzle.clues[1:]]
            )
        found = sat.shared(FAMILY, puzzle, 100_000)
        assert found is not None
        wanted = kernels.common(FAMILY.table(puzzle), 10**6)
        unsolvable += wanted.values is None
        assert (found[0].values, found[0].decided) == (wanted.values, True)
        for values in found[1]:
            assert FAMILY.broken_rules(puzzle, FAMILY.form.assemble(spec, puzzle.board, values)) == []
    assert unsolvable


def test_what_nothing_speaks_of_may_be_either() -> None:
    """Cells beyond all numbers, and a board with none: variables that no clause names."""
    for text in ("minesweeper\n...\n...\n", "minesweeper\n1...\n....\n"):
        puzzle = scanned(text)
        stated = counted(FAMILY, puzzle)
        cnf = lower(FAMILY, puzzle)
        assert stated is not None
        assert cnf is not None
        wanted = kernels.common(FAMILY.table(puzzle), 1000).values
        assert sat.by_counting(stated, 1000)[0].values == sat.common(cnf, 1000)[0].values == wanted
        assert common(FAMILY, puzzle, "smt", BUDGET).values == wanted
        assert BLANK not in sat.answers(cnf, 1, 1000)[0].answers[0]


def test_no_number_fits() -> None:
    """More mines than there are cells around, or on the board."""
    for text in ("minesweeper\n5.\n..\n", "minesweeper mines=4\n1.\n..\n", "minesweeper mines=6\n...\n...\n"):
        puzzle = scanned(text)
        wanted = kernels.common(FAMILY.table(puzzle), 1000).values
        for engine in ("sat", "smt", "checker"):
            assert common(FAMILY, puzzle, engine, BUDGET).values == wanted


def test_the_effort_of_all_engines_is_measured() -> None:
    """A row's effort names SAT and Z3 alike, for solvable puzzles and for others."""
    draft = kept(FAMILY, Spec(Params(5, 6, 9)), 1)[0]
    names = ["sat_decisions", "sat_conflicts", "smt_decisions", "smt_conflicts"]
    assert list(efforts(FAMILY, draft.puzzle, draft.answer, BUDGET)) == names
    bad = Clash().edit(FAMILY, draft, stream("x"), Engines(FAMILY))
    assert list(efforts(FAMILY, bad.puzzle, None, BUDGET)) == names
    with pytest.raises(EnginesDisagree, match="model:smt says 1 answers"):
        efforts(FAMILY, draft.puzzle, None, BUDGET)


def test_a_wrong_gold_is_told() -> None:
    """A cell too many and a cell too few, by every engine: the mistake that published sets of this puzzle are full of."""
    draft = kept(FAMILY, Spec(Params(5, 6, 9)), 1)[0]
    for cell in range(30):
        wrong = [v for row in draft.answer for v in row]
        wrong[cell] = 1 - wrong[cell]
        grid = FAMILY.form.assemble(draft.puzzle.spec, draft.puzzle.board, tuple(wrong))
        for engine in ("kernel", "sat"):
            asked = recheck(FAMILY, draft.puzzle, Status.UNIQUE, grid, None, engine, BUDGET)
            assert asked.decided
            assert asked.problem


def test_the_total_decides_what_numbers_leave_open() -> None:
    """Ignoring the total is wrong: the two cells on the right are beyond all numbers, and only the total tells about them."""
    boards = {told: scanned(f"minesweeper{told}\n.1..\n01..\n") for told in ("", " mines=1", " mines=2", " mines=3", " mines=4")}
    found = {told: kernels.common(FAMILY.table(puzzle), 1000).values for told, puzzle in boards.items()}
    right = {told: None if values is None else (values[3], values[7]) for told, values in found.items()}
    open_ = (BLANK, BLANK)
    assert right == {"": open_, " mines=1": (0, 0), " mines=2": open_, " mines=3": (1, 1), " mines=4": None}
    assert len({FAMILY.symmetry(puzzle) for puzzle in boards.values()}) == 5


def test_naming_none_or_all_earns_nothing() -> None:
    """Most cells are not forced: a plain share of right cells would pay for an empty board."""
    draft = kept(FAMILY, Spec(Params(5, 6, 9)), 1)[0]
    puzzle = draft.puzzle
    row = row_of(FAMILY, puzzle, draft.answer)
    values = [v for row_ in draft.answer for v in row_]
    given = set(FAMILY.clues.given_slots(puzzle))

    def verdict(cells: list[int]) -> tuple[bool, float]:
        reply = gold_reply(puzzle, FAMILY.form.assemble(puzzle.spec, puzzle.board, tuple(cells)), "json")
        found = score(reply, row)
        return found.solved, found.subtask

    assert verdict(values) == (True, 1.0)
    assert verdict([0] * 30) == (False, 0.0)
    assert verdict([int(i not in given) for i in range(30)]) == (False, 0.0)
    forced, free = sum(values), 30 - len(given) - sum(values)
    first = values.index(1)
    missed = [v if i != first else 0 for i, v in enumerate(values)]
    assert verdict(missed) == (False, pytest.approx(1 - 1 / forced))
    extra = next(i for i in range(30) if not values[i] and i not in given)
    assert verdict([v if i != extra else 1 for i, v in enumerate(values)]) == (False, pytest.approx(1 - 1 / free))
    opened = next(iter(given))
    assert not verdict([v if i != opened else 1 for i, v in enumerate(values)])[0], "an opened cell is named"


def test_drafts_force_some_cells_but_not_all() -> None:
    """Otherwise a constant reply is right."""
    for draft in kept(FAMILY, Spec(Params(4, 4, 5)), 30):
        forced = {i for i, v in enumerate([v for row in draft.answer for v in row]) if v}
        closed = set(range(16)) - set(FAMILY.clues.given_slots(draft.puzzle))
        assert forced
        assert forced < closed
        assert asked(draft.puzzle).objections(FAMILY, draft.puzzle, draft.answer) == []


@pytest.mark.parametrize("rejected", [4_000, 0])
def test_mines_that_do_not_touch_are_drawn_evenly(rejected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of drawing them: until they do not touch, and by a walk; against all sets, by chi-square."""
    monkeypatch.setattr(_minesweeper, "_REJECTED", rejected)
    monkeypatch.setattr(_minesweeper, "_WALK", 8)  # 160 moves do for so small a board
    rows, cols, count, each = (4, 5, 3, 10) if rejected else (4, 4, 3, 20)
    spec = Spec(Params(rows, cols, count, 30, True), (APART,))
    legal = [
        cells
        for cells in combinations(range(rows * cols), count)
        if not any(max(abs(a // cols - b // cols), abs(a % cols - b % cols)) == 1 for a, b in combinations(cells, 2))
    ]
    seen = dict.fromkeys(legal, 0)
    for index in range(each * len(legal)):
        hidden = FAMILY.sample_solution(spec, stream("tests", "apart", index), Engines(FAMILY))
        seen[tuple(i for i in range(rows * cols) if hidden[i // cols][i % cols])] += 1
    chi = sum((number - each) ** 2 / each for number in seen.values())
    assert chi < len(legal) + 5 * (2 * len(legal)) ** 0.5
    assert len(legal) < comb(rows * cols, count)


def test_letters_stand_for_numbers() -> None:
    """Z is 0 and A to H are 1 to 8; the prompt says so and shows no digit on the board."""
    puzzle = kept(FAMILY, Spec(Params(5, 6, 9)), 1)[0].puzzle
    look = transform_of(FAMILY, "letters", {}).restyle(FAMILY, puzzle, stream("x"))
    assert look.symbols == LETTERS
    text = prompt(replace(puzzle, style=look), "json")
    assert "Z is 0, A is 1" in text
    board = [line for line in text.splitlines() if line and set(line) <= set("#ZABCDEFGH ")]
    assert len(board) == 5


def test_clusters_count_groups() -> None:
    """Three mines in a corner of the neighbourhood are one group, two on opposite sides are two."""
    puzzle = scanned("minesweeper clusters\n...\n.1.\n...\n")
    assert FAMILY.broken_rules(puzzle, ((1, 1, 1), (0, 0, 0), (0, 0, 0))) == []
    assert FAMILY.broken_rules(puzzle, ((0, 1, 0), (0, 0, 1), (0, 0, 0))) == []
    assert FAMILY.broken_rules(puzzle, ((0, 1, 0), (0, 0, 0), (0, 1, 0))) == ["r2c2"]


def test_a_zero_opens_all_around_it() -> None:
    """With cascade a cell next to a 0 stays closed, fewer cells are opened than asked for, or a clash breaks the cascade."""
    zeros = 0
    for draft in kept(FAMILY, Spec(Params(8, 7, 8, 40, cascade=True)), 12):
        puzzle = draft.puzzle
        shown = dict(FAMILY.table(puzzle).clues)
        assert 48 * 40 // 100 <= len(shown) < 48
        for cell, number in shown.items():
            zeros += number == 0
            assert number or set(_minesweeper.around(8, 7)[cell]) <= set(shown)
        for clue in puzzle.clues:
            others = list(FAMILY.clues.alternatives(puzzle, clue, stream("zeros")))
            assert all(other.args[1] for other in others) and (clue.args[1] or not others)
    assert zeros > 12
