"""Logic grids with a false clue: one answer, and nothing about the clue that gives it away."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import permutations, product

import pytest

from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyDraft, Rule, Spec
from puzzlemill.factory import build
from puzzlemill.generators.logic_grid import FAMILY, Params
from puzzlemill.rules import grids, grids_false
from puzzlemill.rules.grids_draw import Hidden
from puzzlemill.solvers.deduce import explain_all, grade
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.deduce.grids import deduce
from puzzlemill.solvers.engines import Engines

RULE = (Rule(grids_false.NAME),)


def drawn(params: Params, index: int) -> tuple[AnyDraft, grids.Size]:
    draft = build._draw(FAMILY, Spec(params, RULE), stream("tests", "false", index), Engines(FAMILY), False)
    return draft, grids.size_of(params.categories, params.items, draft.puzzle.board)


@pytest.mark.parametrize("params", [Params(3, 3), Params(2, 4), Params(3, 4, 2), Params(3, 3, 0)], ids=str)
def test_one_arrangement_of_all_makes_one_clue_false(params: Params) -> None:
    """Counted by loops over every arrangement: another one with a false clue, or with none."""
    for index in range(3):
        draft, size = drawn(params, index)
        (clue,) = draft.puzzle.clues
        parts = grids.read(clue, size).parts
        wrong = {
            cells: sum(not Hidden(size, cells).true(part) for part in parts)
            for cells in product(permutations(range(size.items)), repeat=size.categories - 1)
        }
        assert [cells for cells, many in wrong.items() if many == 1] == [draft.answer]
        assert 0 not in wrong.values()
        for k in range(len(parts)):  # each true one is needed, as far as one can be left out at a time
            if Hidden(size, draft.answer).true(parts[k]):
                fewer = parts[:k] + parts[k + 1 :]
                assert len(fewer) == 1 or sum(sum(not Hidden(size, cells).true(p) for p in fewer) == 1 for cells in wrong) != 1


def test_the_prompt_lists_every_clue_and_says_that_one_is_false() -> None:
    """A single line that holds all clues, or a false clue that nothing warns of."""
    draft, size = drawn(Params(3, 4), 5)
    text = FAMILY.render(draft.puzzle)
    parts = grids.read(draft.puzzle.clues[0], size).parts
    assert f"\n{len(parts)}. " in text and f"\n{len(parts) + 1}. " not in text
    assert "exactly one of the clues is false" in text
    said = FAMILY.checks(draft.puzzle, draft.answer)
    assert len(said) == len(parts) and sum(" is false: " in line for line in said) == 1
    assert FAMILY.describe(draft.puzzle, "k1") == "Exactly one of the clues is false."


def test_the_false_clue_stands_anywhere() -> None:
    """Always last, or always first."""
    places = set()
    for index in range(40):
        draft, size = drawn(Params(3, 3), index)
        parts = grids.read(draft.puzzle.clues[0], size).parts
        (wrong,) = [k for k, part in enumerate(parts) if not Hidden(size, draft.answer).true(part)]
        places.add(3 * wrong // len(parts))
    assert places == {0, 1, 2}


def test_what_does_not_go_with_it_is_refused() -> None:
    """A recipe that would draw for hours, or whose parameters would be forgotten."""
    for params in (Params(5, 5), Params(4, 6), Params(3, 3, looser=True), Params(3, 3, spare=1), Params(3, 3, implication=True)):
        with pytest.raises(BadParams, match="rules: false_clue"):
            FAMILY.validate(Spec(params, RULE))


# ---- its deduction -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("params", [Params(3, 3), Params(4, 4), Params(4, 5)], ids=str)
def test_a_trace_finds_the_false_clue_first(params: Params) -> None:
    """A clue that is called true although it is false, or the other way round; a step that does not follow."""
    for index in range(4):
        draft, size = drawn(params, index)
        graded = grade(FAMILY, draft.puzzle, draft.answer)
        assert graded is not None
        assert wrong_step(FAMILY, draft.puzzle, graded.steps) == ""
        parts = grids.read(draft.puzzle.clues[0], size).parts
        first = size.items * (size.categories * (size.categories - 1) // 2)
        said = [(slot - first, value) for step in graded.steps for slot, value in step.sets if slot >= first]
        assert sorted(said) == [(k, int(Hidden(size, draft.answer).true(part))) for k, part in enumerate(parts)]
        last = next(k for k, step in enumerate(graded.steps) if step.technique == "unmasked")
        assert all(slot < first for step in graded.steps[last + 1 :] for slot, _ in step.sets)
        ((slot, _),) = graded.steps[last].sets
        text = explain_all(FAMILY, draft.puzzle, graded.steps)[last]
        assert f"clue {slot - first + 1} " in text.lower() and "false one" in text
        planted = [*graded.steps[:last], replace(graded.steps[last], sets=((slot, 1),))]
        assert "does not follow" in wrong_step(FAMILY, draft.puzzle, planted)


def test_a_list_in_which_no_clue_can_be_the_false_one_ends_in_a_contradiction() -> None:
    """Two pairs of opposites: whichever clue is false, two more cannot both be true."""
    text = """logic_grid
person: Ana, Bo, Cy
pet: cat, dog, eel
all_but_one(is(Ana, cat), is_not(Ana, cat), is(Bo, dog), is_not(Bo, dog))
"""
    puzzle = FAMILY.text.parse(lines_of(text))
    steps = deduce(FAMILY.table(puzzle), ["k1"], None)
    assert [step.technique for step in steps] == ["conflict", "suspect", "suspect", "unmasked"]
    assert not steps[-1].sets
    assert wrong_step(FAMILY, puzzle, steps) == ""


def test_the_opposite_of_a_clue_is_told() -> None:
    """ "Clue 1 says that Ana has no cat", of a clue that says that she has."""
    for index in range(60):
        draft, _ = drawn(Params(3, 4), index)
        graded = grade(FAMILY, draft.puzzle, draft.answer)
        assert graded is not None
        texts = explain_all(FAMILY, draft.puzzle, graded.steps)
        last = next(k for k, step in enumerate(graded.steps) if step.technique == "unmasked")
        false = f"clue {graded.steps[last].found.clue + 1}"  # type: ignore[attr-defined]
        named = [text for text in texts[last + 1 :] if re.search(rf"\b{false}\b", text, re.I)]
        assert all(f"the opposite of {false}" in text.lower() for text in named)
        if named:
            return
    raise AssertionError("no trace uses the opposite of a clue")
