"""Hanoi: what counts as an answer, how it is written, what is drawn, and what moves to the right change."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from math import sqrt
from xml.etree import ElementTree

import pytest
from pegs import distances, frame_stewart, goes_left, shortest_lists, stacks

from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.model import MovesTable, Route
from puzzlemill.core.pictures import MARK, MARKED
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyPuzzle, Depth, Puzzle, Question, QuestionKind, Rule, Spec, Status, Style
from puzzlemill.factory.build import build_group
from puzzlemill.factory.recipe import Recipe, Stratum, TransformCall, Variant
from puzzlemill.generators import hanoi
from puzzlemill.generators._hanoi import exchanged
from puzzlemill.generators.hanoi import FAMILY, RIGHT_ONLY, Board, Moves, Params
from puzzlemill.rules.towers import halvings
from puzzlemill.solvers.certify import certify
from puzzlemill.solvers.engines import Budget, Engines
from puzzlemill.solvers.routes import shortest
from puzzlemill.transforms import transform_of, transforms

CANONICAL = [(pegs, disks) for pegs in range(3, 7) for disks in range(3, 13)]
TALLER = ((0, 0, 2), (1, 0, 1), (0, 2, 1), (2, 0, 2), (0, 1, 0), (1, 1, 2), (0, 0, 2))  # 3 pegs and 3 disks, 7 moves


@cache
def posed(pegs: int, disks: int) -> tuple[AnyPuzzle, Moves]:
    spec = Spec(Params(pegs, disks))
    FAMILY.validate(spec)
    rng = stream("tests", "hanoi", pegs, disks)
    draft = FAMILY.make_puzzle(spec, FAMILY.sample_solution(spec, rng, Engines(FAMILY)), rng)
    assert draft.hidden is None and draft.answer is not None
    return draft.puzzle, draft.answer


def with_board(start: tuple[int, ...], goal: tuple[int, ...], pegs: int, right_only: bool = False) -> AnyPuzzle:
    spec = Spec(Params(pegs, len(start), "random", "random"), (Rule(RIGHT_ONLY),) if right_only else ())
    look = Style(names=(tuple("ABCDEF"[:pegs]), tuple(str(disk + 1) for disk in range(len(start)))))
    return Puzzle("hanoi", 1, spec, Board(start, goal), (), Question(QuestionKind.LEAST), look)


def test_the_answer_is_a_shortest_list_for_every_canonical_puzzle() -> None:
    """All 40, and the table at the top of the family's file."""
    assert hanoi.__doc__ is not None
    told = {}
    for line in hanoi.__doc__.splitlines():
        numbers = line.split()
        if len(numbers) == 11 and all(number.isdigit() for number in numbers):
            told.update({(int(numbers[0]), 3 + i): int(number) for i, number in enumerate(numbers[1:])})
    assert sorted(told) == CANONICAL
    for pegs, disks in CANONICAL:
        puzzle, answer = posed(pegs, disks)
        assert FAMILY.broken_rules(puzzle, answer) == []
        assert FAMILY.routes.cost(puzzle, answer) == frame_stewart(pegs, disks) == told[pegs, disks]


def test_the_pairs_whose_answers_are_long() -> None:
    """Recipes leave these out of training data; the file names them."""
    assert [pair for pair in CANONICAL if frame_stewart(*pair) > 127] == [(3, disks) for disks in range(8, 13)]


def test_a_detour_is_legal_but_longer() -> None:
    """Legal and least are two questions: the checker accepts it, its cost is higher."""
    puzzle, answer = posed(3, 3)
    for extra in (((0, 2, 1), (0, 1, 2)), ((0, 2, 0), (0, 0, 1), (0, 1, 2))):
        assert FAMILY.broken_rules(puzzle, answer + extra) == []
        assert FAMILY.routes.cost(puzzle, answer + extra) == 7 + len(extra)


@pytest.mark.parametrize(
    ("moves", "broken"),
    [
        (TALLER, []),
        (TALLER[:-1], ["goal"]),
        ((), ["goal"]),
        (((1, 0, 2),), ["top"]),  # a disk under another
        (((0, 1, 2),), ["top"]),  # a peg that is empty
        (((0, 0, 0),), ["top"]),  # no move at all
        (((0, 0, 2), (0, 0, 2)), ["top"]),  # the disk has left
        (((0, 0, 2), (1, 0, 2)), ["smaller"]),
        (((0, 0, 3),), ["malformed"]),
        (((3, 0, 1),), ["malformed"]),
        (((-1, 0, 1),), ["malformed"]),
        (((0, -3, 2),), ["malformed"]),  # must not count from the end
        (((0, 0),), ["malformed"]),
        (((0, 0, "2"),), ["malformed"]),
        (((True, 0, 2),), ["malformed"]),
        ((7,), ["malformed"]),
        (TALLER + ((0, 2, 1), (0, 1, 2)) * 5, ["malformed"]),  # 17 moves, more than the layout has rows for
    ],
)
def test_what_is_wrong_is_named(moves: Moves, broken: list[str]) -> None:
    """The names go into the scorer's report."""
    puzzle, _ = posed(3, 3)
    assert FAMILY.broken_rules(puzzle, moves) == broken


def test_shape_is_the_same_exactly_for_renamed_pegs() -> None:
    """Duplicates are found by it: all 81 x 81 pairs of 3 pegs and 4 disks in their classes, counted by Burnside's lemma."""
    classes: dict[str, set[tuple[tuple[int, ...], tuple[int, ...]]]] = {}
    stands = list(product(range(3), repeat=4))
    for start, goal in product(stands, stands):
        classes.setdefault(str(FAMILY.symmetry(with_board(start, goal, 3))), set()).add((start, goal))
    assert len(classes) == (3**8 + 3 * 1 + 2 * 0) // 6
    for members in classes.values():
        start, goal = next(iter(members))
        renamed = {(tuple(name[p] for p in start), tuple(name[p] for p in goal)) for name in permutations(range(3))}
        assert members == renamed


def test_there_is_one_puzzle_of_each_size() -> None:
    """capacity() promises it; a second one would be lost or counted as a duplicate."""
    shapes = {str(FAMILY.symmetry(posed(pegs, disks)[0])) for pegs, disks in CANONICAL if disks < 8}
    assert len(shapes) == 4 * 5
    assert {FAMILY.small.puzzles(Spec(Params(pegs, disks))) for pegs, disks in CANONICAL} == {1}
    assert FAMILY.symmetry(with_board((1, 1, 1), (0, 0, 0), 3)) == FAMILY.symmetry(posed(3, 3)[0])


def test_text_of_an_answer() -> None:
    """What a model is asked to write."""
    puzzle, _ = posed(3, 3)
    rows = FAMILY.form.write(puzzle, TALLER)
    assert rows[:2] == (("1", "A", "C"), ("2", "A", "B"))
    assert FAMILY.form.read(puzzle, rows) == TALLER
    assert FAMILY.form.read(puzzle, (("1", "a", "c"),)) == ((0, 0, 2),)
    for wrong in ((("1", "A"),), (("4", "A", "B"),), (("1", "A", "D"),), (("A", "1", "B"),), (("1", "A", "C"),) * 17):
        assert FAMILY.form.read(puzzle, wrong) is None


def test_a_style_without_names_of_disks_is_refused() -> None:
    """A damaged row must end in an error that names the place."""
    puzzle, _ = posed(3, 3)
    with pytest.raises(BadRow, match=r"style\.names: expected names for disk, from, to"):
        FAMILY.form.layout(replace(puzzle, style=Style(names=(("A", "B", "C"),))))


def test_layout_does_not_tell_the_optimum() -> None:
    """It depends on the number of disks alone, and leaves room for detours."""
    for disks in (3, 12):
        layouts = [FAMILY.form.layout(posed(pegs, disks)[0]) for pegs in range(3, 7)]
        assert len({layout.max_rows for layout in layouts}) == 1
        assert {layout.min_rows for layout in layouts} == {1}
        assert layouts[0].max_rows > frame_stewart(3, disks) + 1


def test_prompt_and_picture() -> None:
    """The start and the goal are told from bottom to top; the picture is well-formed and has every disk twice."""
    puzzle = with_board((2, 0, 0, 2), (1, 1, 1, 0), 3)
    text = FAMILY.render(puzzle)
    assert "Start (each peg from bottom to top):\n  A: 3 2\n  B: (empty)\n  C: 4 1\n" in text
    assert "Goal (each peg from bottom to top):\n  A: 4\n  B: 3 2 1\n  C: (empty)\n" in text
    picture = ElementTree.fromstring(FAMILY.draw(puzzle, ((0, 2, 1),)))
    tag = "{http://www.w3.org/2000/svg}"
    assert len(picture.findall(f"{tag}rect")) == 8
    assert len(picture.findall(f"{tag}path")) == 6
    assert "moves" not in FAMILY.draw(puzzle)


# ---- random arrangements --------------------------------------------------------------------------------------------


class NoRoutes(Engines):
    """For draws of which only the board matters."""

    def distance(self, puzzle: AnyPuzzle) -> Route:
        return Route(0, True, 1, ())


def boards(spec: Spec[Params], count: int) -> list[Board]:
    FAMILY.validate(spec)
    ask = NoRoutes(FAMILY)
    return [FAMILY.sample_solution(spec, stream("tests", "hanoi", "board", str(spec), i), ask).board for i in range(count)]


@pytest.mark.parametrize(("start", "goal"), [("random", "tower"), ("tower", "random"), ("random", "random")])
def test_random_arrangements_are_drawn_evenly(start: str, goal: str) -> None:
    """All pairs of different arrangements of 3 disks on 3 pegs, 8 draws each: chi-square within 5 standard deviations."""
    everything = list(product(range(3), repeat=3))
    starts = everything if start == "random" else [(0, 0, 0)]
    goals = everything if goal == "random" else [(2, 2, 2)]
    pairs = [(a, b) for a, b in product(starts, goals) if a != b and max(len(set(a)), len(set(b))) > 1]  # not two towers
    seen = Counter((board.start, board.goal) for board in boards(Spec(Params(3, 3, start, goal)), 8 * len(pairs)))
    assert set(seen) <= set(pairs)
    chi = sum((seen[pair] - 8) ** 2 / 8 for pair in pairs)
    assert chi <= len(pairs) - 1 + 5 * sqrt(2 * (len(pairs) - 1))


@pytest.mark.parametrize(("pegs", "disks"), [(3, 3), (3, 4), (4, 3), (5, 3)])
def test_capacity_counts_the_shapes(pegs: int, disks: int) -> None:
    """Small classes are dealt to splits by this number: every pair is put in its class by symmetry()."""
    everything = list(product(range(pegs), repeat=disks))
    towers = {"start": [(0,) * disks], "goal": [(pegs - 1,) * disks]}
    for start, goal in product(("tower", "random"), repeat=2):
        starts = towers["start"] if start == "tower" else everything
        goals = towers["goal"] if goal == "tower" else everything
        shapes = {FAMILY.symmetry(with_board(a, b, pegs)) for a, b in product(starts, goals) if a != b}
        if (start, goal) != ("tower", "tower"):
            shapes.remove(FAMILY.symmetry(with_board(towers["start"][0], towers["goal"][0], pegs)))
        told = FAMILY.small.puzzles(Spec(Params(pegs, disks, start, goal)))
        assert told == len(shapes)
    assert FAMILY.small.puzzles(Spec(Params(3, 3, "random", "random"))) == 116
    assert FAMILY.small.puzzles(Spec(Params(3, 12, "random", "random"))) is None


@pytest.mark.parametrize(("pegs", "most"), [(3, 12), (4, 9), (5, 8), (6, 7)])
def test_sizes_of_random_arrangements(pegs: int, most: int) -> None:
    """More than these are too many for a second proof; towers go up to 12 disks."""
    for form in ({"start": "random"}, {"goal": "random"}):
        FAMILY.validate(Spec(Params(pegs, most, **form)))
        if most < 12:
            with pytest.raises(BadParams, match=rf"hanoi.disks must be at most {most} at random on {pegs} pegs"):
                FAMILY.validate(Spec(Params(pegs, most + 1, **form)))
            assert FAMILY.larger(Spec(Params(pegs, most, **form))) is None
    assert FAMILY.larger(Spec(Params(pegs, 11))) == Spec(Params(pegs, 12))
    assert FAMILY.larger(Spec(Params(pegs, 12))) is None


# ---- moves to the right only ----------------------------------------------------------------------------------------


def ruled(pegs: int, disks: int) -> Spec[Params]:
    return Spec(Params(pegs, disks, "random", "random"), (Rule(RIGHT_ONLY),))


def pairs_that_need_the_rule(pegs: int, disks: int) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """By every shortest list there is without the rule, under the second telling of the rules."""
    found = set()
    stands = list(product(range(pegs), repeat=disks))
    for start in stands:
        right = distances(pegs, start, right_only=True)
        for goal in stands:
            if stacks(pegs, goal) in right and any(goes_left(moves) for moves in shortest_lists(pegs, start, goal)):
                found.add((start, goal))
    return found


def test_all_boards_that_need_the_rule_are_drawn_and_no_others() -> None:
    """32 boards of 4 pegs and 3 disks, 20 draws each: chi-square within 5 standard deviations."""
    needy = pairs_that_need_the_rule(4, 3)
    assert len(needy) == FAMILY.small.puzzles(ruled(4, 3)) == 32
    ask = Engines(FAMILY)
    seen: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for i in range(20 * 32):
        drawn = FAMILY.sample_solution(ruled(4, 3), stream("tests", "hanoi", "ruled", i), ask)
        seen[drawn.board.start, drawn.board.goal] += 1
    assert set(seen) <= needy
    assert sum((seen[pair] - 20) ** 2 / 20 for pair in needy) <= 31 + 5 * sqrt(2 * 31)


@pytest.mark.parametrize("disks", [3, 4])
def test_with_3_pegs_no_board_needs_the_rule(disks: int) -> None:
    """validate() refuses them because no board of them would ever be kept."""
    assert pairs_that_need_the_rule(3, disks) == set()
    with pytest.raises(BadParams, match=r"under right_only.*set family\.params"):
        FAMILY.validate(ruled(3, disks))


@pytest.mark.parametrize(("pegs", "most"), [(4, 9), (5, 8), (6, 7)])
def test_every_random_size_of_more_pegs_has_boards_that_need_the_rule(pegs: int, most: int) -> None:
    """The smallest and the largest: validate() accepts them, and a draw comes to an end."""
    for disks in (3, most):
        FAMILY.validate(ruled(pegs, disks))
        drawn = FAMILY.sample_solution(ruled(pegs, disks), stream("tests", "hanoi", "size", pegs, disks), Engines(FAMILY))
        puzzle = with_board(drawn.board.start, drawn.board.goal, pegs, right_only=True)
        assert FAMILY.broken_rules(puzzle, drawn.answer) == []
        assert FAMILY.broken_rules(puzzle, Engines(FAMILY).shortest_violating(puzzle, RIGHT_ONLY).moves or ()) == [RIGHT_ONLY]


@pytest.mark.slow
@pytest.mark.parametrize(("pegs", "disks", "pairs"), [(3, 5, 0), (4, 4, 272), (5, 3, 183), (6, 3, 513), (4, 5, 1_674)])
def test_capacity_under_the_rule(pegs: int, disks: int, pairs: int) -> None:
    """The numbers at the top of the family's file."""
    assert len(pairs_that_need_the_rule(pegs, disks)) == pairs
    if pegs > 3:
        assert FAMILY.small.puzzles(ruled(pegs, disks)) == pairs


@pytest.mark.parametrize(("pegs", "disks"), [(4, 3), (4, 7), (5, 6), (5, 8), (6, 7)])
def test_a_ruled_puzzle_is_proved_and_needs_its_rule(pegs: int, disks: int) -> None:
    """Two formulations within the usual budgets, and a shortest list without the rule that breaks it."""
    budget = Budget(checks=20_000)
    for i in range(3):
        rng = stream("tests", "hanoi", "proved", pegs, disks, i)
        draft = FAMILY.make_puzzle(
            ruled(pegs, disks), FAMILY.sample_solution(ruled(pegs, disks), rng, Engines(FAMILY, budget)), rng
        )
        proved = certify(FAMILY, draft.puzzle, draft.answer, budget, expect=Status.OPTIMAL)
        assert proved.necessary == (RIGHT_ONLY,)
        assert len(proved.formulations) == 2 and "table:midpoint" not in proved.formulations
        assert FAMILY.broken_rules(draft.puzzle, draft.answer) == []


def test_an_idle_rule_is_thrown_away() -> None:
    """A puzzle of which the rule forbids no shortest list is not one of its kind."""
    puzzle = with_board((0, 0, 0, 0), (1, 2, 3, 4), 5, right_only=True)
    moves = tuple((d, a, b) for d, a, b in Engines(FAMILY).shortest_route(puzzle).moves or ())
    with pytest.raises(Discarded) as caught:
        certify(FAMILY, puzzle, moves, Budget())
    assert caught.value.reason == "idle_rule"


def test_a_rule_with_the_same_optimum_is_kept_if_some_shortest_list_breaks_it() -> None:
    """Whichever list an engine finds first: the smallest disk may step aside to peg A, C or E."""
    start, goal = (1, 1, 3), (3, 3, 3)
    puzzle = with_board(start, goal, 5, right_only=True)
    route = Engines(FAMILY).shortest_route(puzzle)
    lists = list(shortest_lists(5, start, goal))
    assert route.moves is not None
    assert route.length == len(lists[0])
    assert 0 < sum(map(goes_left, lists)) < len(lists)
    assert certify(FAMILY, puzzle, tuple((d, a, b) for d, a, b in route.moves), Budget()).necessary == (RIGHT_ONLY,)


def test_a_spent_budget_proves_no_rule_necessary() -> None:
    """Nor idle: the row is thrown away as undecided."""
    puzzle = with_board((1, 1, 1), (3, 3, 3), 5, right_only=True)
    with pytest.raises(Discarded) as caught:
        Engines(FAMILY, Budget(states=2)).shortest_violating(puzzle, RIGHT_ONLY)
    assert caught.value.reason == "budget"


def test_straying_without_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """A move family need not have a table; its graph decides then, within the budget of the plain search."""
    boards = [((1, 1, 1), (3, 3, 3)), ((0, 0, 0), (1, 2, 3)), ((0, 0, 0), (3, 3, 3)), ((3, 3, 3), (0, 0, 0))]
    puzzles = [with_board(start, goal, 5, right_only=True) for start, goal in boards]
    tabled = [Engines(FAMILY).shortest_violating(puzzle, RIGHT_ONLY) for puzzle in puzzles]
    monkeypatch.setattr(hanoi.Hanoi, "table", lambda self, puzzle: None)
    for puzzle, route in zip(puzzles, tabled, strict=True):
        found = Engines(FAMILY).shortest_violating(puzzle, RIGHT_ONLY)
        assert found.length == route.length and found.moves is not None and route.moves is not None
        assert goes_left(found.moves) == goes_left(route.moves)
        with pytest.raises(Discarded, match="budget"):
            Engines(FAMILY, Budget(checks=5)).shortest_violating(puzzle, RIGHT_ONLY)


def test_a_move_to_the_left_breaks_the_rule() -> None:
    """And only where the rule is in force."""
    moves = ((0, 1, 2), (0, 2, 0))
    assert FAMILY.broken_rules(with_board((1, 1, 1, 1), (0, 1, 1, 1), 5, right_only=True), moves) == [RIGHT_ONLY]
    assert FAMILY.broken_rules(with_board((1, 1, 1, 1), (0, 1, 1, 1), 5), moves) == []


def test_the_rule_is_told_and_drawn() -> None:
    """A puzzle with the rule must not read like one without it."""
    with_rule = with_board((0, 0, 0, 0), (3, 2, 3, 3), 5, right_only=True)
    without = with_board((0, 0, 0, 0), (3, 2, 3, 3), 5)
    assert "only to the right" in FAMILY.render(with_rule)
    assert "right_only" not in FAMILY.render(with_rule)
    assert "to the right:" not in FAMILY.render(without)
    assert "right only" in FAMILY.draw(with_rule) and "right only" not in FAMILY.draw(without)
    assert FAMILY.symmetry(with_rule) != FAMILY.symmetry(without)
    mirrored = with_board((1, 1, 1, 1), (3, 2, 3, 3), 5, right_only=True)
    assert FAMILY.symmetry(with_rule) != FAMILY.symmetry(mirrored)
    assert FAMILY.symmetry(replace(without, board=mirrored.board)) == FAMILY.symmetry(without)


# ---- no answer ------------------------------------------------------------------------------------------------------


def solvable(puzzle: AnyPuzzle, disks: list[int], rule: bool) -> bool:
    """Whether these disks alone can get there, by the second telling of the rules."""
    start, goal = (tuple(side[disk] for disk in disks) for side in (puzzle.board.start, puzzle.board.goal))
    pegs = puzzle.spec.params.pegs
    return stacks(pegs, goal) in distances(pegs, start, rule)


def test_clashes_are_minimal_and_say_how_deep_they_are() -> None:
    """What a clash names has no answer, and has one as soon as any member is left out."""
    ask = Engines(FAMILY)
    depths: Counter[Depth] = Counter()
    for i in range(8):
        rng = stream("tests", "hanoi", "clash", i)
        parent = FAMILY.make_puzzle(ruled(5, 5), FAMILY.sample_solution(ruled(5, 5), rng.child("fill"), ask), rng).puzzle
        for board in exchanged(parent.board):
            puzzle = replace(parent, board=board)
            if board.start == board.goal or ask.count(puzzle, 1):
                continue
            clash = ask.unsat_core(puzzle)
            assert clash[-1] == RIGHT_ONLY
            disks = [int(label.removeprefix("disk ")) - 1 for label in clash[:-1]]
            assert disks == sorted(disks)
            assert not solvable(puzzle, disks, True)
            assert solvable(puzzle, disks, False)
            for disk in disks:
                assert solvable(puzzle, [other for other in disks if other != disk], True)
            depth = ask.depth(puzzle)
            left = any(b < a for a, b in zip(puzzle.board.start, puzzle.board.goal, strict=True))
            assert depth is (Depth.SHALLOW if left else Depth.DEEP)
            assert (ask.nodes(puzzle) == 0) == left
            depths[depth] += 1
    assert min(depths.values()) >= 20


def test_changes_exchange_two_disks() -> None:
    """At the start or at the goal; the stream decides which ones are passed over, and the order of the others."""
    puzzle = with_board((0, 0, 1, 2), (3, 2, 3, 3), 5, right_only=True)
    boards = exchanged(puzzle.board)
    assert len(boards) == len(set(boards)) == 5 + 3
    drawn = [[other.board for other in FAMILY.clues.exchanges(puzzle, stream("a", i))] for i in range(200)]
    assert {board for found in drawn for board in found} <= set(boards)
    assert len({tuple(found) for found in drawn}) > 20
    for board in boards:
        for one, two in ((puzzle.board.start, board.start), (puzzle.board.goal, board.goal)):
            assert sorted(one) == sorted(two) and sum(a != b for a, b in zip(one, two, strict=True)) in (0, 2)
        chance = sum(board in found for found in drawn) / len(drawn)
        assert abs(chance - 0.5 ** halvings(5, (puzzle.board.start, puzzle.board.goal), (board.start, board.goal))) < 0.15
    assert list(FAMILY.clues.changes(puzzle, stream("a"))) == []  # one disk alone would be known by the number on its peg
    near = with_board((0, 1, 1, 1), (1, 0, 1, 1), 5, right_only=True)
    assert all(other.board.start != other.board.goal for i in range(50) for other in FAMILY.clues.exchanges(near, stream(i)))


def test_parts_keep_their_names_when_others_are_left_out() -> None:
    """A clash names disks by size; a label that moves would leave out another disk than was asked."""
    puzzle = with_board((0, 0, 1, 0), (3, 2, 3, 4), 5, right_only=True)
    assert FAMILY.routes.parts(puzzle) == ("disk 1", "disk 2", "disk 3", "disk 4", RIGHT_ONLY)
    fewer = FAMILY.routes.without(FAMILY.routes.without(puzzle, "disk 2"), "disk 1")
    assert FAMILY.routes.parts(fewer) == ("disk 3", "disk 4", RIGHT_ONLY)
    assert FAMILY.table(fewer) == MovesTable(5, (1, 0), (3, 4), True)
    assert FAMILY.routes.parts(FAMILY.routes.without(fewer, RIGHT_ONLY)) == ("disk 3", "disk 4")
    assert FAMILY.describe(puzzle, "disk 3") == "Disk 3 must get from peg B to peg D."
    for broken in ("top", "smaller", "goal", "malformed", "right_only"):
        assert FAMILY.describe(puzzle, broken).endswith(".")
    with pytest.raises(BadRow, match="no disk of this puzzle"):
        FAMILY.describe(puzzle, "disk 99")
    assert FAMILY.describe(with_board((1, 1, 1), (1, 2, 2), 3), "disk 1") == "Disk 1 starts on peg B and must end there."
    with pytest.raises(BadRow, match="disk 2 stands on peg -1"):
        FAMILY.render(fewer)


def test_model_and_table_agree_when_disks_are_left_out() -> None:
    """The clash is found with such puzzles; both formulations must read them alike."""
    rng = stream("tests", "hanoi", "fewer")
    for i in range(60):
        start, goal = (tuple(rng.below(5) for _ in range(5)) for _ in range(2))
        puzzle = with_board(start, goal, 5, right_only=i % 2 == 0)
        for label in rng.sample([f"disk {n}" for n in range(1, 6)], rng.between(1, 4)):
            puzzle = FAMILY.routes.without(puzzle, label)
        plain = shortest(FAMILY.model(puzzle.spec, puzzle.board), 10_000)
        assert plain.decided and Engines(FAMILY).shortest_route(puzzle).length == plain.length


def rows_of(spec: Spec[Params], *chains: tuple[str, ...]) -> list[dict[str, object]]:
    params = tuple((name, (getattr(spec.params, name),)) for name in ("pegs", "disks", "start", "goal"))
    variants = tuple(Variant("-".join(chain), tuple(TransformCall(name) for name in chain)) for chain in chains)
    part = Stratum("hanoi", params, spec.rules, variants, (("test", 1),), ("json",), lopsided=True)
    return list(build_group(Recipe("hanoi", "tests", (part,), checks=20_000), part, "test", 0).rows)


def test_shallow_and_deep_children() -> None:
    """Both kinds, from a parent that has the rule and from one that gets it; the edit tells the board before and after."""
    parent, deep = rows_of(ruled(5, 5), ("deep_clash",))
    assert deep["status"] == "unsolvable" and deep["proof"]["depth"] == "deep"
    before, after = json.loads(deep["edit"])["board"]
    assert before == json.loads(parent["puzzle"])["board"] and after == json.loads(deep["puzzle"])["board"]
    _, shallow = rows_of(ruled(5, 5), ("shallow_clash", "custom_pegs"))
    assert shallow["proof"]["depth"] == "shallow" and len(shallow["proof"]["unsat_core"]) == 2
    tower, anew = rows_of(Spec(Params(5, 6)), ("right_only", "deep_clash", "custom_order"))
    assert (tower["rules"], anew["rules"]) == ("", RIGHT_ONLY)
    assert anew["proof"]["depth"] == "deep" and "may have no solution" in anew["prompt"]
    assert "may have no solution" not in tower["prompt"]


def test_only_the_rule_leaves_anything_without_an_answer() -> None:
    """Otherwise every arrangement leads to every other, and a search for a clash would be in vain."""
    assert FAMILY.clues.can_clash(ruled(5, 5))
    assert not FAMILY.clues.can_clash(Spec(Params(5, 5, "random", "random")))
    with pytest.raises(BadParams, match="clash does not fit"):
        rows_of(Spec(Params(4, 4)), ("clash",))


# ---- other names ----------------------------------------------------------------------------------------------------


def test_other_names() -> None:
    """Unusual, different, one token each, and never one name for a peg and a disk."""
    rng = stream("tests", "hanoi", "names")
    seen = set()
    for i in range(300):
        pegs, disks = rng.between(3, 6), rng.between(3, 12)
        puzzle, answer = posed(pegs, disks)
        for way in rng.shuffled(["custom_pegs", "custom_order"]):
            look = transform_of(FAMILY, way, {}).restyle(FAMILY, puzzle, rng.child(i, way))
            assert look != puzzle.style
            puzzle = replace(puzzle, style=look)
        for names, usual in ((puzzle.style.names[0], pegs), (puzzle.style.names[1], disks)):
            assert len({name.casefold() for name in names}) == len(names) == usual
            assert list(names) != sorted(names, key=lambda name: (len(name), name) if name.isdigit() else (0, name))
            assert all(name.isalnum() for name in names)
        assert not {n.casefold() for n in puzzle.style.names[0]} & {n.casefold() for n in puzzle.style.names[1]}
        assert FAMILY.form.read(puzzle, FAMILY.form.write(puzzle, answer)) == answer
        seen.add((puzzle.style.names[0][0].isalpha(), len(puzzle.style.names[0][0]) > 1, puzzle.style.names[1][0].isdigit()))
    assert len(seen) >= 4
    assert "rename" not in {transform.name for transform in FAMILY.transforms}


def test_a_picture_marks_what_a_clash_names() -> None:
    """Each disk of the clash twice, start and goal, and the rule."""
    puzzle = with_board((0, 0, 0, 0), (3, 2, 3, 3), 5, right_only=True)
    plain, marked = FAMILY.draw(puzzle), FAMILY.draw(puzzle, marked=("disk 2", "disk 4", RIGHT_ONLY))
    assert (plain.count(MARK), marked.count(MARK)) == (0, 4)
    assert (plain.count(MARKED), marked.count(MARKED)) == (0, 1)


@pytest.mark.parametrize(("pegs", "disks"), [(4, 5), (6, 7)])
def test_the_rule_puts_a_goal_out_of_reach(pegs: int, disks: int) -> None:
    """One way: some disk would have to go to the left, which one disk shows. Deep: no disk, so that it takes two at least."""
    spec = Spec(Params(pegs, disks, "tower", "random"))
    _, _, shallow, deep = rows_of(spec, ("custom_pegs",), ("one_way",), ("deep_one_way",))
    for row, depth in ((shallow, "shallow"), (deep, "deep")):
        assert (row["status"], row["kinds"], row["rules"], row["proof"]["depth"]) == ("unsolvable", ["UP"], RIGHT_ONLY, depth)
        board = json.loads(row["puzzle"])["board"]
        assert any(a > b for a, b in zip(board["start"], board["goal"], strict=True)) == (depth == "shallow")
        assert (row["pairing"], row["edit"]) == ("group", None)  # drawn as what has an answer under the rule, towers or not
    fits = transforms(FAMILY)
    assert not fits["one_way"].fits(FAMILY, Spec(Params(3, 5))) and not fits["one_way"].fits(FAMILY, ruled(4, 5))
    assert fits["one_way"].fits(FAMILY, Spec(Params(4, 5))) and fits["deep_one_way"].fits(FAMILY, Spec(Params(4, 5)))


@pytest.mark.parametrize("name", ["clash", "shallow_clash", "deep_clash"])
def test_a_clash_leaves_as_many_disks_on_every_peg(name: str) -> None:
    """Whoever counts the disks of a peg, or the empty pegs, would know which goals are out of reach."""
    found, engines = 0, Engines(FAMILY)
    for number in range(40):
        rng = stream("tests", "hanoi", "counts", number)
        draft = FAMILY.make_puzzle(ruled(5, 6), FAMILY.sample_solution(ruled(5, 6), rng, engines), rng)
        try:
            changed = transforms(FAMILY)[name].edit(FAMILY, draft, rng.child("clash"), engines).puzzle.board
        except Discarded:  # another puzzle is drawn then
            continue
        found += 1
        board = draft.puzzle.board
        assert all(sorted(a) == sorted(b) for a, b in ((board.start, changed.start), (board.goal, changed.goal)))
    assert found >= 5
