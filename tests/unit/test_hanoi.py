"""Hanoi: what counts as an answer, and how it is written."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from xml.etree import ElementTree

import pytest
from pegs import after, distances, frame_stewart, stacks

from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyPuzzle, Look, Puzzle, Question, QuestionKind, Spec, puzzle_type
from puzzlemill.generators import hanoi
from puzzlemill.generators.hanoi import FAMILY, Board, Moves, Params
from puzzlemill.solvers.engines import Engines

CANONICAL = [(pegs, disks) for pegs in range(3, 7) for disks in range(3, 13)]
TALLER = ((0, 0, 2), (1, 0, 1), (0, 2, 1), (2, 0, 2), (0, 1, 0), (1, 1, 2), (0, 0, 2))  # 3 pegs and 3 disks, 7 moves


def posed(pegs: int, disks: int) -> tuple[AnyPuzzle, Moves]:
    spec = Spec(Params(pegs, disks))
    FAMILY.validate(spec)
    rng = stream("tests", "hanoi", pegs, disks)
    draft = FAMILY.pose(spec, FAMILY.fill(spec, rng, Engines(FAMILY)), rng)
    assert draft.hidden is None and draft.answer is not None
    return draft.puzzle, draft.answer


def with_board(start: tuple[int, ...], goal: tuple[int, ...], pegs: int) -> AnyPuzzle:
    spec = Spec(Params(pegs, len(start)))
    look = Look(names=(tuple("ABCDEF"[:pegs]), tuple(str(disk + 1) for disk in range(len(start)))))
    return Puzzle("hanoi", 1, spec, Board(start, goal), (), Question(QuestionKind.LEAST), look)


def shortest_lists(pegs: int, disks: int) -> Iterator[Moves]:
    """Every shortest list from the first tower to the last, by the second telling of the rules."""
    goal = stacks(pegs, (pegs - 1,) * disks)
    left = distances(pegs, (pegs - 1,) * disks)  # moves can be taken back, so this is the distance to the goal too

    def extend(now: tuple[str, ...], done: Moves) -> Iterator[Moves]:
        if now == goal:
            yield done
        for source, target in product(range(pegs), repeat=2):
            then = after(now, source, target)
            if then is not None and left[then] == left[now] - 1:
                yield from extend(then, (*done, (ord(now[source][0]) - 97, source, target)))

    yield from extend(stacks(pegs, (0,) * disks), ())


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
        assert FAMILY.cost(puzzle, answer) == frame_stewart(pegs, disks) == told[pegs, disks]


def test_the_pairs_whose_answers_are_long() -> None:
    """Recipes leave these out of training data; the file names them."""
    assert [pair for pair in CANONICAL if frame_stewart(*pair) > 127] == [(3, disks) for disks in range(8, 13)]


@pytest.mark.parametrize(("pegs", "disks", "lists"), [(3, 3, 1), (4, 3, 2), (4, 4, None), (5, 4, 6)])
def test_every_shortest_list_is_accepted(pegs: int, disks: int, lists: int | None) -> None:
    """A reply is paid for any shortest list, so the checker must accept each of them."""
    puzzle, answer = posed(pegs, disks)
    found = set(shortest_lists(pegs, disks))
    assert answer in found
    assert lists is None or len(found) == lists
    for moves in found:
        assert FAMILY.broken_rules(puzzle, moves) == []
        assert FAMILY.cost(puzzle, moves) == FAMILY.cost(puzzle, answer)


def test_a_detour_is_legal_but_longer() -> None:
    """Legal and least are two questions: the checker accepts it, its cost is higher."""
    puzzle, answer = posed(3, 3)
    for extra in (((0, 2, 1), (0, 1, 2)), ((0, 2, 0), (0, 0, 1), (0, 1, 2))):
        assert FAMILY.broken_rules(puzzle, answer + extra) == []
        assert FAMILY.cost(puzzle, answer + extra) == 7 + len(extra)


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
        (((0, 0, 3),), ["shape"]),
        (((3, 0, 1),), ["shape"]),
        (((-1, 0, 1),), ["shape"]),
        (((0, -3, 2),), ["shape"]),  # must not count from the end
        (((0, 0),), ["shape"]),
        (((0, 0, "2"),), ["shape"]),
        (((True, 0, 2),), ["shape"]),
        ((7,), ["shape"]),
        (TALLER + ((0, 2, 1), (0, 1, 2)) * 5, ["shape"]),  # 17 moves, more than the layout has rows for
    ],
)
def test_what_is_wrong_is_named(moves: Moves, broken: list[str]) -> None:
    """The names go into the scorer's report."""
    puzzle, _ = posed(3, 3)
    assert FAMILY.broken_rules(puzzle, moves) == broken


def test_every_prefix_is_a_partial_answer() -> None:
    """partial=True must not ask for the goal, and must still name an illegal move."""
    puzzle, answer = posed(4, 5)
    for end in range(len(answer)):
        assert FAMILY.broken_rules(puzzle, answer[:end], partial=True) == []
        assert FAMILY.broken_rules(puzzle, answer[:end]) == ["goal"]
    assert FAMILY.broken_rules(puzzle, ((1, 0, 1), *answer), partial=True) == ["top"]


def test_scattered_starts_and_goals_are_checked_alike() -> None:
    """Boards that are not tower to tower: the engines' route is accepted."""
    rng = stream("tests", "hanoi", "scattered")
    for _ in range(50):
        pegs, disks = rng.between(3, 6), rng.between(3, 6)
        start, goal = ([rng.below(pegs) for _ in range(disks)] for _ in range(2))
        puzzle = with_board(tuple(start), tuple(goal), pegs)
        moves = Engines(FAMILY).distance(puzzle).moves
        assert moves is not None
        assert FAMILY.broken_rules(puzzle, tuple((d, a, b) for d, a, b in moves)) == []


def test_shape_is_the_same_exactly_for_renamed_pegs() -> None:
    """Duplicates are found by it: all 81 x 81 pairs of 3 pegs and 4 disks in their classes, counted by Burnside's lemma."""
    classes: dict[str, set[tuple[tuple[int, ...], tuple[int, ...]]]] = {}
    stands = list(product(range(3), repeat=4))
    for start, goal in product(stands, stands):
        classes.setdefault(str(FAMILY.shape(with_board(start, goal, 3))), set()).add((start, goal))
    assert len(classes) == (3**8 + 3 * 1 + 2 * 0) // 6
    for members in classes.values():
        start, goal = next(iter(members))
        renamed = {(tuple(name[p] for p in start), tuple(name[p] for p in goal)) for name in permutations(range(3))}
        assert members == renamed


def test_there_is_one_puzzle_of_each_size() -> None:
    """capacity() promises it; a second one would be lost or counted as a duplicate."""
    shapes = {str(FAMILY.shape(posed(pegs, disks)[0])) for pegs, disks in CANONICAL if disks < 8}
    assert len(shapes) == 4 * 5
    assert {FAMILY.capacity(Spec(Params(pegs, disks))) for pegs, disks in CANONICAL} == {1}
    assert FAMILY.shape(with_board((1, 1, 1), (0, 0, 0), 3)) == FAMILY.shape(posed(3, 3)[0])


@pytest.mark.parametrize(("pegs", "disks", "field"), [(2, 4, "pegs"), (7, 4, "pegs"), (3, 2, "disks"), (6, 13, "disks")])
def test_sizes_out_of_range_are_refused(pegs: int, disks: int, field: str) -> None:
    """The message names the field and the remedy."""
    with pytest.raises(BadParams, match=f"hanoi.{field} must be .*set family.params.{field}"):
        FAMILY.validate(Spec(Params(pegs, disks)))


def test_text_of_an_answer() -> None:
    """What a model is asked to write."""
    puzzle, _ = posed(3, 3)
    rows = FAMILY.write(puzzle, TALLER)
    assert rows[:2] == (("1", "A", "C"), ("2", "A", "B"))
    assert FAMILY.read(puzzle, rows) == TALLER
    assert FAMILY.read(puzzle, (("1", "a", "c"),)) == ((0, 0, 2),)
    for wrong in ((("1", "A"),), (("4", "A", "B"),), (("1", "A", "D"),), (("A", "1", "B"),), (("1", "A", "C"),) * 17):
        assert FAMILY.read(puzzle, wrong) is None


def test_layout_does_not_tell_the_optimum() -> None:
    """It depends on the number of disks alone, and leaves room for detours."""
    for disks in (3, 12):
        layouts = [FAMILY.layout(posed(pegs, disks)[0]) for pegs in range(3, 7)]
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


def test_a_puzzle_survives_json() -> None:
    """Rows carry puzzles and answers as JSON text."""
    puzzle, answer = posed(4, 5)
    assert loads(puzzle_type(FAMILY), dumps(puzzle)) == puzzle
    assert loads(FAMILY.answer, dumps(answer)) == answer
    assert FAMILY.search_space_log10(puzzle) == pytest.approx(3.0103, abs=1e-4)
