"""Skyscrapers: what only this family promises; what all families promise is in tests/contract."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import permutations, product

import pytest

from puzzlemill.core.errors import Discarded
from puzzlemill.core.model import BLANK, Finding
from puzzlemill.core.rng import stream
from puzzlemill.core.types import Clue, NoBoard, Puzzle, Rule, Spec
from puzzlemill.generators.skyscraper import FAMILY, Params
from puzzlemill.solvers.engines import Budget, Engines, finding
from puzzlemill.transforms import transforms
from strategies import kept

CORNERS = (Rule("diagonal_hints"),)


def test_the_rules_refuse_what_they_should() -> None:
    """broken_rules names the rule or the hint that is broken, and nothing else."""
    example = FAMILY.examples()[0]
    puzzle, answer = example.puzzle, example.answer  # 4312 / 3124 / 1243 / 2431
    assert FAMILY.broken_rules(puzzle, answer) == []
    swapped = (answer[1], answer[0], *answer[2:])
    broken = FAMILY.broken_rules(puzzle, swapped)
    assert "row" not in broken
    assert "column" not in broken
    assert "top1" in broken
    assert "left1" in broken
    assert "right4" not in broken
    assert FAMILY.broken_rules(puzzle, (answer[0], answer[0], *answer[2:]))[0] == "column"
    assert FAMILY.broken_rules(puzzle, answer[:3]) == ["malformed"]
    blank = ((BLANK,) * 4,) * 4
    assert FAMILY.broken_rules(puzzle, blank, partial=True) == []
    assert FAMILY.broken_rules(puzzle, ((BLANK, 3, BLANK, BLANK), *blank[1:]), partial=True) == ["top2", "left1", "bottom2"]


def test_equal_heights_hide_each_other_on_a_diagonal() -> None:
    """The diagonal 1 1 1 1 shows one building from its corner, not four."""
    grid = ((0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0))
    puzzle = FAMILY.make_puzzle(Spec(Params(4), CORNERS), grid, stream("tests", "equal")).puzzle
    corners = {clue.id: clue.args[1] for clue in puzzle.clues[16:]}
    assert corners == {"top_left": 1, "top_right": 1, "bottom_left": 1, "bottom_right": 1}
    assert FAMILY.broken_rules(puzzle, grid) == []
    for k in (2, 3, 4):
        wrong = puzzle.with_clues([Clue("top_left", "hint", (16, k))])
        assert FAMILY.broken_rules(wrong, grid) == ["top_left"]
        free = replace(wrong, spec=wrong.spec.without_rule("diagonal_hints"))
        assert FAMILY.broken_rules(free, grid) == []  # without the rule a corner says nothing


@pytest.mark.parametrize("engine", ["kernel", "sat", pytest.param("smt", marks=pytest.mark.slow), "checker"])
def test_without_the_rule_a_corner_says_nothing_to_any_engine(engine: str) -> None:
    """Four buildings seen from the top left need 1 2 3 4 on the diagonal; the squares that have it are listed in plain loops."""
    lines = list(permutations(range(4)))
    squares = [g for g in product(lines, repeat=4) if all(len(set(c)) == 4 for c in zip(*g, strict=True))]
    rising = sum(all(g[i][i] == i for i in range(4)) for g in squares)
    posed = FAMILY.make_puzzle(Spec(Params(4), CORNERS), squares[0], stream("tests", "corner")).puzzle
    ruled = posed.with_clues([Clue("top_left", "hint", (16, 4))])
    for puzzle, expected in ((ruled, rising), (replace(ruled, spec=ruled.spec.without_rule("diagonal_hints")), len(squares))):
        found = finding(FAMILY, puzzle, engine, 1000, Budget(checks=10_000_000))
        assert isinstance(found, Finding)
        assert found.exhausted
        assert len(found.answers) == expected


def test_few_answers_and_puzzles_are_counted_right() -> None:
    """Which of the 576 squares of size 4 can be the only answer: by what is seen of each, in plain loops."""
    squares = [
        rows for rows in product(permutations(range(4)), repeat=4) if all(len(set(c)) == 4 for c in zip(*rows, strict=True))
    ]
    assert len(squares) == 576

    def posed(spec: Spec[Params]) -> list[Puzzle[Params, NoBoard]]:
        return [FAMILY.make_puzzle(spec, grid, stream("tests", "few")).puzzle for grid in squares]

    sides = Spec(Params(4, clues=16))
    corners = Spec(Params(4, clues=20), CORNERS)
    told = Counter(puzzle.clues for puzzle in posed(sides))
    for spec in (sides, Spec(Params(4, "sum", clues=16)), corners):
        puzzles = posed(spec)
        seen = Counter(puzzle.clues for puzzle in puzzles)
        only = [puzzle for puzzle in puzzles if seen[puzzle.clues] == 1]
        if spec == corners:
            only = [puzzle for puzzle in only if told[puzzle.clues[:16]] > 1]
        assert FAMILY.small.answers(spec) == len(only)
        assert FAMILY.small.puzzles(spec) == len({FAMILY.symmetry(puzzle) for puzzle in only})
        fewer = replace(spec, params=replace(spec.params, clues=15))
        assert (FAMILY.small.answers(fewer), FAMILY.small.puzzles(fewer)) == (len(only), None)
        grids = {FAMILY.solution(spec, grid) for grid, puzzle in zip(squares, puzzles, strict=True) if puzzle in only}
        assert FAMILY.small.solutions(fewer) == len(grids)
    assert FAMILY.small.answers(Spec(Params(4, shown=2))) == 576
    assert FAMILY.small.solutions(Spec(Params(4, shown=2))) == len({FAMILY.solution(sides, grid) for grid in squares})
    assert FAMILY.small.answers(Spec(Params(6))) is None
    assert FAMILY.small.puzzles(Spec(Params(6, clues=24))) is None


def test_all_hints_stay_where_they_are_asked_for() -> None:
    """clues = 4 * size are the hints of all sides, and no cell shows its building."""
    draft = kept(FAMILY, Spec(Params(5, clues=20)), 1)[0]
    assert sorted(clue.args[0] for clue in draft.puzzle.clues if clue.kind == "hint") == list(range(20))
    assert len(draft.puzzle.clues) == 20


def test_no_more_cells_are_shown_than_asked_for() -> None:
    """Larger grids need some; that they are few is the family's promise."""
    draft = kept(FAMILY, Spec(Params(7, shown=5)), 1)[0]
    assert len(FAMILY.clues.given_slots(draft.puzzle)) <= 5
    full = [Clue(f"r1c{c + 1}", "given", (c, v)) for c, v in enumerate(draft.hidden[0])]
    assert not FAMILY.clues.usable(replace(draft, puzzle=draft.puzzle.with_clues(full)))


def test_corners_tell_what_sides_leave_open() -> None:
    """Where the rule is in force it is needed."""
    draft = kept(FAMILY, Spec(Params(5), CORNERS), 1)[0]
    engines = Engines(FAMILY)
    assert engines.count(draft.puzzle) == 1
    assert engines.count(replace(draft.puzzle, spec=draft.puzzle.spec.without_rule("diagonal_hints"))) == 2


def test_hidden_hints_keep_the_answer() -> None:
    """The child has fewer of its parent's hints, and no other answer."""
    parent = kept(FAMILY, Spec(Params(5, clues=20)), 1)[0]
    engines = Engines(FAMILY)
    hide = transforms(FAMILY)["hide_hints"]
    assert hide.fits(FAMILY, parent.puzzle.spec)
    assert not hide.fits(FAMILY, Spec(Params(5)))
    child = hide.edit(FAMILY, parent, stream("tests", "hide"), engines)
    assert set(child.puzzle.clues) < set(parent.puzzle.clues)
    assert child.puzzle.spec == Spec(Params(5)) == hide.changed(FAMILY, parent.puzzle.spec, stream("tests", "changed"))
    assert engines.answers(child.puzzle, 2) == (FAMILY.form.values(child.puzzle.spec, NoBoard(), parent.hidden),)
    with pytest.raises(Discarded, match="none_fewer"):
        hide.edit(FAMILY, child, stream("tests", "again"), engines)


def test_a_clash_is_told_in_words() -> None:
    """Four buildings seen from one end leave one for the other: the paper's own example of an unsolvable puzzle."""
    puzzle = FAMILY.examples()[0].puzzle.with_clues([Clue("left2", "hint", (9, 4)), Clue("right2", "hint", (13, 2))])
    engines = Engines(FAMILY)
    clash = engines.unsat_core(puzzle)
    assert set(clash) >= {"left2", "right2"}
    assert FAMILY.describe(puzzle, "left2") == "Along row 2 from the left, 4 buildings are seen, so the heights rise from 1 to 4."
    assert (
        FAMILY.describe(puzzle, "right2")
        == "Along row 2 from the right, 2 buildings are seen, so height 4 comes after the first building."
    )
    assert all(FAMILY.describe(puzzle, label) != label for label in clash)


@pytest.mark.parametrize("summed", [False, True])
@pytest.mark.parametrize("n", [4, 5])
def test_what_a_hint_is_said_to_force_is_what_it_forces(n: int, summed: bool) -> None:
    """The words after "so" against all orders of a line; what sums can be made of, too."""
    seen: dict[int, list[tuple[int, ...]]] = {}
    for order in permutations(range(1, n + 1)):
        heights = [h for i, h in enumerate(order) if all(other < h for other in order[:i])]
        seen.setdefault(sum(heights) if summed else len(heights), []).append(order)
    spec = Spec(Params(n, "sum" if summed else "count"))
    for k in range(1, n * (n + 1) // 2 + 1 if summed else n + 1):
        words = FAMILY.describe(FAMILY.puzzle(spec, [Clue("top1", "hint", (0, k))]), "top1").rsplit(", so ", 1)[1]
        orders = seen.get(k, [])
        first = {order[0] for order in orders}
        if words == f"this cannot be: the building of height {n} is always seen.":
            assert not orders
        elif words == f"the first has height {n}.":
            assert first == {n}
        elif words == f"the heights rise from 1 to {n}.":
            assert orders == [tuple(range(1, n + 1))]
        elif words == f"height {n} comes after the first building.":
            assert n not in first
        elif words.startswith("these are "):
            made = {" + ".join(str(h) for i, h in enumerate(order) if all(other < h for other in order[:i])) for order in orders}
            assert set(words[len("these are ") : -1].split(" or ")) == made
        else:
            assert words == f"height {n} comes after the first {k - 1} buildings."
            assert {order.index(n) for order in orders} == set(range(k - 1, n))


def test_sums_are_told_as_sums() -> None:
    """The prompt and the words say what kind of hint it is."""
    draft = kept(FAMILY, Spec(Params(4, "sum")), 1)[0]
    assert "sum of the heights" in FAMILY.render(draft.puzzle)
    assert "add up to" in FAMILY.describe(draft.puzzle, draft.puzzle.clues[0].id)
    assert "sum of the heights" not in FAMILY.render(FAMILY.examples()[0].puzzle)
