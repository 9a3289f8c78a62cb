"""Styles of logic grids: other names, other words and remarks, and the nouns of deductions."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from puzzlemill.core.errors import BadRow
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyPuzzle, Spec
from puzzlemill.core.words import among
from puzzlemill.generators.logic_grid import FAMILY, Params
from puzzlemill.generators.sudoku import FAMILY as SUDOKU
from puzzlemill.rules.grids import Size, size_of
from puzzlemill.rules.grids_words import Wording, draw_style, paraphrased
from puzzlemill.transforms import transform_of, transforms
from puzzlemill.vocabulary.wordings import FIRST
from strategies import Case, full

SPECS = [Params(3, 4), Params(4, 5, 2), Params(6, 8, 1), Params(2, 3), Params(4, 3, one_of_three=True, implication=True)]


def drawn(params: Params, index: int) -> tuple[AnyPuzzle, Size]:
    """A puzzle with up to thirty of its clues."""
    puzzle = full(Case(FAMILY, Spec(params)), index).puzzle
    puzzle = puzzle.with_clues(puzzle.clues[:30])
    return puzzle, size_of(params.categories, params.items, puzzle.board)


@pytest.mark.parametrize("params", SPECS, ids=str)
def test_clues_of_one_puzzle_read_differently(params: Params) -> None:
    """Two clues with the same words, in any voice, would be one clue with two meanings."""
    for index, phrasing in product(range(3), (0, 7, FIRST + 5, -FIRST - 5)):
        puzzle, size = drawn(params, index)
        wording = Wording(replace(puzzle, style=replace(puzzle.style, phrasing=phrasing)), size)
        for said in ([text for _, text in wording.sentences()], [wording.formula(clue.id) for clue in puzzle.clues]):
            assert len(set(said)) == len(said)


def test_the_same_stream_gives_the_same_world_and_board() -> None:
    """Who draws the board first and the style later would have names that show other numbers."""
    worlds = set()
    for index in range(60):
        one, two = [draw_style(4, 5, index % 3, stream("tests", "style", index)) for _ in range(2)]
        assert one == two
        worlds.add(one[0].theme)
        assert len(one[1].numbers) == index % 3 and all(numbers[0] == 0 for numbers in one[1].numbers)
    assert len(worlds) > 25


@pytest.mark.parametrize("params", SPECS, ids=str)
def test_renaming_leaves_no_name_and_keeps_the_numbers(params: Params) -> None:
    """A name of the parent in the child would be another item's."""
    for index in range(4):
        puzzle, size = drawn(params, index)
        style = Wording(puzzle, size).renamed(stream("tests", "renamed", index))
        old = {name.casefold() for names in puzzle.style.names for name in names}
        new = {name.casefold() for names in style.names for name in names}
        assert style.theme != puzzle.style.theme and len(new) == params.categories * params.items and not new & old
        text = FAMILY.render(replace(puzzle, style=style))
        assert all(name in text for names in style.names for name in names)


def test_other_words_for_every_clue() -> None:
    """A paraphrase that leaves sentences as they are is no test of reading."""
    for params, index in product(SPECS, range(2)):
        puzzle, size = drawn(params, index)
        child = replace(puzzle, style=paraphrased(puzzle, stream("tests", "paraphrased", index)))
        for clue in puzzle.clues:
            assert Wording(puzzle, size).sentence(clue) != Wording(child, size).sentence(clue)


def test_remarks_stand_among_the_clues_and_change_with_the_names() -> None:
    """An aside told twice, of another world, or after more clues than there are."""
    puzzle, size = drawn(SPECS[0], 0)
    counts = set()
    for index in range(12):
        child = replace(puzzle, style=transforms(FAMILY)["red_herring"].restyle(FAMILY, puzzle, stream("tests", "asides", index)))
        lines = [text for _, text in Wording(child, size).sentences()]
        counts.add(len(child.style.asides))
        assert len(set(lines)) == len(puzzle.clues) + len(child.style.asides)
        renamed = Wording(child, size).renamed(stream("tests", "asides", index))
        assert [place for place, _ in renamed.asides] == [place for place, _ in child.style.asides]
        FAMILY.render(replace(puzzle, style=renamed))
    assert counts == {1, 2, 3}
    for asides in (((99, child.style.asides[0][1]),), ((0, "All clues are true."),)):
        with pytest.raises(BadRow, match=r"style\.asides"):
            FAMILY.render(replace(puzzle, style=replace(puzzle.style, asides=asides)))


def test_a_recipe_may_ask_for_one_remark() -> None:
    """The paper's change is one sentence; none, or more than a list can hold, is refused."""
    puzzle, _ = drawn(SPECS[0], 0)
    one = transform_of(FAMILY, "red_herring", {"most": 1})
    for index in range(8):
        assert len(one.restyle(FAMILY, puzzle, stream("tests", "one", index)).asides) == 1
    assert not transform_of(FAMILY, "red_herring", {"most": 0}).fits(FAMILY, puzzle.spec)
    assert not one.fits(SUDOKU, Spec(SUDOKU.params()))


def test_remarks_stand_where_they_are_put() -> None:
    """A remark that nobody knows, or one after more clues than there are."""
    lines, known = [("a", "One."), ("b", "Two.")], {"Hm.", "So."}
    assert among(lines, ((0, "Hm."), (0, "So."), (2, "Hm.")), known) == [("", "Hm."), ("", "So."), *lines, ("", "Hm.")]
    for asides in (((0, "One."),), ((3, "Hm."),), ((-1, "Hm."),)):
        with pytest.raises(BadRow, match=r"style\.asides"):
            among(lines, asides, known)


def test_nouns_of_deductions() -> None:
    """A noun without its article, or a clue by another number than that of the prompt."""
    puzzle, size = drawn(Params(4, 5, 2), 1)
    order = tuple(reversed(range(len(puzzle.clues))))
    words = Wording(replace(puzzle, style=replace(puzzle.style, order=order)), size).words()
    assert words.number(0) == len(puzzle.clues) and words.clue(len(puzzle.clues) - 1) == "clue 1"
    for x in range(5, 20):
        assert words.entry(x).split(" ")[0].casefold().rstrip("s") in words.item(x).casefold(), words.item(x)
        assert words.has(0, x, True) != words.has(0, x, False) and words.has(0, x, True).startswith(words.item(0))
    one, two = words.item(0), words.item(6)
    for scale, kind in product((0, 1), ("before", "exactly", "at_least", "apart")):
        said = words.order(0, 6, scale, size.scales[scale][1][1] if kind != "before" else 0, kind)
        assert one in said and two in said and said[-1] != "."
