"""Deduction on mines: each technique on a board made for it, traces through the checker of steps, and their words."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from puzzlemill.core.errors import Discarded
from puzzlemill.core.model import Step
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Spec
from puzzlemill.factory.build import _draw
from puzzlemill.generators.minesweeper import APART, CLUSTERS, FAMILY, Params
from puzzlemill.solvers import kernels
from puzzlemill.solvers.deduce import explain, grade, mines
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import Engines
from puzzlemill.transforms import transform_of
from puzzlemill.transforms.clash import Clash

ENGINES = Engines(FAMILY)
SPECS = (
    Spec(Params(6, 6, 12)),
    Spec(Params(7, 7, 14, 40, True)),
    Spec(Params(6, 6, 12, 50, True), (CLUSTERS,)),
    Spec(Params(6, 6, 5, 30, True), (APART,)),
)


def scanned(text: str) -> AnyPuzzle:
    return FAMILY.text.parse(lines_of(text))


def drafts(spec: Spec[Params], count: int) -> list[AnyDraft]:
    found: list[AnyDraft] = []
    for index in range(20 * count):
        try:
            found.append(_draw(FAMILY, spec, stream("deduce mines", index), ENGINES, False))
        except Discarded:
            continue
        if len(found) == count:
            return found
    raise AssertionError(f"fewer than {count} drafts of {spec}")


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


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_traces_hold_and_show_every_mine(spec: Spec[Params]) -> None:
    """Each step follows, by the model, from what it names; in the end the cells that must be mines are shown, and no others."""
    seen: Counter[str] = Counter()
    for draft in drafts(spec, 12):
        puzzle = draft.puzzle
        steps = steps_of(puzzle)
        assert wrong_step(FAMILY, puzzle, steps) == ""
        shown = {cell for step in steps for cell, value in step.sets if value}
        assert shown == {i for i, v in enumerate([v for row in draft.answer for v in row]) if v}
        seen.update(step.technique for step in steps)
        graded = grade(FAMILY, puzzle, draft.answer)
        assert graded is not None
        assert graded.steps == tuple(steps)
        assert graded.band in ("easy", "medium", "hard")
    assert len(seen) >= 3


@pytest.mark.parametrize("spec", SPECS, ids=str)
def test_clashes_end_in_a_contradiction(spec: Spec[Params]) -> None:
    """The deduction of an unsolvable puzzle leads there, by steps that follow."""
    found = 0
    for index, draft in enumerate(drafts(spec, 6)):
        try:
            bad = Clash().edit(FAMILY, draft, stream("deduce mines", "clash", index), ENGINES)
        except Discarded:
            continue
        found += 1
        steps = steps_of(bad.puzzle)
        assert not steps[-1].sets
        assert wrong_step(FAMILY, bad.puzzle, steps) == ""
        assert explain(FAMILY, bad.puzzle, steps[-1]).endswith("fits.")
    assert found


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


def test_a_wrong_step_is_found() -> None:
    """A cell too many, a missing ground, and a trace that stops early."""
    draft = drafts(SPECS[0], 1)[0]
    puzzle = draft.puzzle
    steps = steps_of(puzzle)
    closed = [i for i in range(36) if i not in FAMILY.clues.given_slots(puzzle)]
    free = next(i for i in closed if kernels.common(FAMILY.table(puzzle), 10**6).values[i] < 0)
    planted = [replace(steps[0], sets=(*steps[0].sets, (free, 1))), *steps[1:]]
    assert "does not follow" in wrong_step(FAMILY, puzzle, planted)
    assert "does not follow" in wrong_step(FAMILY, puzzle, [replace(steps[0], uses=()), *steps[1:]])
    assert "left open" in wrong_step(FAMILY, puzzle, steps[:-1])


@pytest.mark.parametrize("spec", [*SPECS, Spec(Params(9, 9, 35))], ids=str)
def test_steps_are_told(spec: Spec[Params]) -> None:
    """Whole sentences, with the cells that they set, in the letters of a look of letters too."""
    for draft in drafts(spec, 4):
        puzzle = draft.puzzle
        look = transform_of(FAMILY, "letters", {}).restyle(FAMILY, puzzle, stream("x"))
        for step in steps_of(puzzle):
            for told in (explain(FAMILY, puzzle, step), explain(FAMILY, replace(puzzle, style=look), step)):
                assert re.fullmatch(r"[A-Z][^{}\[\]]*\.", told), told
                assert not re.search(r"  | ,|,,|\.\.|-1|#", told), told
                assert all(f"ow {cell // spec.params.cols + 1} column" in told for cell, _ in step.sets), told


def test_looking_ahead_stops_in_time() -> None:
    """Where suppositions are spent the rest is search, and nothing is claimed without grounds."""
    hard = [draft for draft in drafts(Spec(Params(9, 9, 35)), 12) if grade(FAMILY, draft.puzzle, draft.answer).tier >= 5]
    assert hard
    before = mines.PROBES
    try:
        mines.PROBES = 0
        for draft in hard[:2]:
            steps = steps_of(draft.puzzle)
            assert steps[-1].technique == "search"
            assert wrong_step(FAMILY, draft.puzzle, steps) == ""
    finally:
        mines.PROBES = before
