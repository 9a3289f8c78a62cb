"""Deduction on mines: each technique on a board made for it, traces through the checker of steps, and their words."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from puzzlemill.core.model import Step
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyPuzzle, Spec
from puzzlemill.generators.minesweeper import FAMILY, Params
from puzzlemill.solvers import kernels
from puzzlemill.solvers.deduce import grade, mines, mines_groups
from puzzlemill.solvers.deduce.check import wrong_step
from strategies import kept


def scanned(text: str) -> AnyPuzzle:
    return FAMILY.text.parse(lines_of(text))


def steps_of(puzzle: AnyPuzzle) -> list[Step]:
    return mines.deduce(
        FAMILY.table(puzzle), [clue.id for clue in puzzle.clues], kernels.common(FAMILY.table(puzzle), 10**6).backbone()
    )


def first(text: str, technique: str) -> Step:
    """The first step of this technique on a board given as text."""
    puzzle = scanned(text)
    board = mines._Board(FAMILY.table(puzzle), [clue.id for clue in puzzle.clues])
    board.begin()
    board.run(4)
    return next(step for step in board.steps if step.technique == technique)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("minesweeper\n3.\n..\n", Step("needs_all", ("r1c1",), ((1, 1), (2, 1), (3, 1)), found=mines.NeedsAll(0, (1, 2, 3)))),
        ("minesweeper\n0.\n..\n", Step("satisfied", ("r1c1",), ((1, 0), (2, 0), (3, 0)), found=mines.Satisfied(0, ()))),
        ("minesweeper\n1.1\n11.\n", Step("satisfied", ("r1c3", "#1"), ((5, 0),), found=mines.Satisfied(1, (1,)))),
        ("minesweeper no_touching_mines\n1..\n", Step("apart", ("no_touching_mines", "#1"), ((2, 0),), found=mines.Apart((1,)))),
        ("minesweeper clusters\n.2.\n...\n", Step("ways", ("r1c2",), ((4, 0),), found=mines.Ways(0, (), ()))),
        (
            "minesweeper\n11.\n...\n",
            Step("subset", ("r1c1", "r1c2"), ((2, 0), (5, 0)), found=mines.Subset(0, 1, 1, 1, 1, 1, (3, 4), (2, 3, 4, 5))),
        ),
        (
            "minesweeper\n.13.\n....\n",
            Step(
                "overlap",
                ("r1c2", "r1c3"),
                ((3, 1), (7, 1), (0, 0), (4, 0)),
                found=mines.Overlap(0, 1, 1, 3, 1, 1, (0, 4, 5, 6), (3, 5, 6, 7)),
            ),
        ),
        ("minesweeper mines=1\n1..\n", Step("total", ("total", "#1"), ((2, 0),), found=mines.Total(1, (2,)))),
        (
            "minesweeper mines=1\n1...\n....\n",
            Step(
                "total_rest",
                ("total", "r1c1"),
                ((2, 0), (3, 0), (6, 0), (7, 0)),
                found=mines.TotalRest((0,), (1,), 0, (2, 3, 6, 7)),
            ),
        ),
    ],
)
def test_a_technique_on_its_board(text: str, wanted: Step) -> None:
    """What it concludes, and from what."""
    found = first(text, wanted.technique)
    assert replace(found, uses=wanted.uses) == wanted
    assert set(wanted.uses) <= set(found.uses)


def test_small_boards_are_deduced_to_the_end() -> None:
    """Every board of 2 x 3 with one or two numbers, told or not: what is shown is what all arrangements share."""
    for shown in product("012.", repeat=2):
        for told in ("", " mines=1", " mines=2"):
            puzzle = scanned(f"minesweeper{told}\n{shown[0]}.{shown[1]}\n...\n")
            wanted = kernels.common(FAMILY.table(puzzle), 10**6).backbone()
            steps = steps_of(puzzle)
            if wanted is None:
                assert not steps[-1].sets
            else:
                assert {cell for step in steps for cell, value in step.sets if value} == {i for i, v in enumerate(wanted) if v}
            assert wrong_step(FAMILY, puzzle, steps) == ""


def test_looking_ahead_stops_in_time() -> None:
    """Where suppositions are spent the rest is search, and nothing is claimed without grounds."""
    hard = [draft for draft in kept(FAMILY, Spec(Params(9, 9, 35)), 12) if grade(FAMILY, draft.puzzle, draft.answer).tier >= 5]
    assert hard
    before = mines.PROBES
    try:
        mines.PROBES = 0
        for draft in hard[:2]:
            steps = steps_of(draft.puzzle)
            assert [step.technique for step in steps if step.technique != "free"][-1] == "search"
            assert wrong_step(FAMILY, draft.puzzle, steps) == ""
    finally:
        mines.PROBES = before


def test_what_is_not_forced_is_shown() -> None:
    """An arrangement that breaks a number, one that leaves a cell unshown, or one that shows a forced cell to be free."""
    shown = 0
    for draft in kept(FAMILY, Spec(Params(6, 7, 9, 40, True)), 8):
        puzzle = draft.puzzle
        steps = steps_of(puzzle)
        free = [step for step in steps if step.claims]
        if not free:
            continue
        shown += 1
        assert wrong_step(FAMILY, puzzle, steps) == ""
        told = {cell for step in steps for cell, value in step.sets if value}
        opened = {cell for cell, _ in FAMILY.table(puzzle).clues}
        ones = [set(claim[1]) for step in free for claim in step.claims]
        assert set.intersection(*ones) == told and not set.union(*ones) & opened
        alone = [
            replace(step, claims=step.claims[:1]) if step is free[0] else step for step in steps if step in (*free[:1], *steps)
        ]
        gone = [step for step in alone if step not in free[1:]]
        assert len(ones) == 1 or "not shown to be free" in wrong_step(FAMILY, puzzle, gone)
        for other in (free[0].claims[0][1][1:], (*free[0].claims[0][1], min(opened))):
            planted = [replace(step, claims=(("fits", other),)) if step is free[0] else step for step in steps]
            assert "does not follow" in wrong_step(FAMILY, puzzle, planted)
    assert shown >= 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("minesweeper clusters\n2..\n...\n", "around it only row 1 column 2 and row 2 columns 1 and 2 can hold mines"),
        ("minesweeper clusters\n2..\n...\n", "at most 1 group. That is too few"),
        ("minesweeper\n.1.\n.2.\n", "These are the same cells"),
    ],
)
def test_what_cannot_be_is_said(text: str, said: str) -> None:
    """A number with too few groups, and two numbers of the same cells."""
    puzzle = scanned(text)
    texts = [mines.explain(FAMILY.words(puzzle), FAMILY.table(puzzle), step) for step in steps_of(puzzle)]
    assert said in texts[-1]


def test_groups_are_bounded_by_blocks_and_parts() -> None:
    """All mines, cells that may hold one and safe cells around a cell: the fewest and the most groups that they leave."""
    near = mines.around(3, 3)
    ring = [cell for cell in range(9) if cell != 4]
    every = [sum(1 << cell for cell, mine in zip(ring, some, strict=True) if mine) for some in product((0, 1), repeat=8)]
    count = {mask: mines._groups(mask, near) for mask in every}
    for held in count:
        for others in count:
            if not held & others:
                left = [held | mask for mask in count if not mask & ~others]
                found = {count[mask] for mask in left}
                assert len(mines_groups.blocks(near, held, others)) == max(found)
                assert len(mines_groups.parts(near, held, held | others)) == min(found)
