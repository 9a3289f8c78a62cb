"""Logic grids in letters, as an account and as a table to complete: the same clues, all of them, and no others."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest

from puzzlemill.core.errors import BadRow
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyPuzzle, Spec
from puzzlemill.generators.logic_grid import FAMILY, Params
from puzzlemill.rules.grids import Size, size_of, stated
from puzzlemill.rules.grids_forms import STORY, TABLE, account, shown, tabled
from puzzlemill.rules.grids_words import Wording
from puzzlemill.transforms import transforms
from puzzlemill.vocabulary.wordings import FIRST
from puzzlemill.vocabulary.worlds import worlds
from strategies import Case, full

SPECS = [Params(3, 4), Params(4, 5, 2), Params(6, 8, 1), Params(2, 3), Params(4, 3, one_of_three=True, implication=True)]
VOICES = (0, 7, 123, FIRST + 5, FIRST + 6, -FIRST - 5)


def drawn(params: Params, index: int) -> tuple[AnyPuzzle, Size]:
    """A puzzle with up to thirty of its clues."""
    puzzle = full(Case(FAMILY, Spec(params)), index).puzzle
    puzzle = puzzle.with_clues(puzzle.clues[:30])
    return puzzle, size_of(params.categories, params.items, puzzle.board)


def formed(puzzle: AnyPuzzle, form: str, phrasing: int = 0) -> AnyPuzzle:
    return replace(puzzle, style=replace(puzzle.style, symbols=(form,), phrasing=phrasing))


# ---- letters -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("params", SPECS, ids=str)
def test_letters_keep_the_numbers_and_stay_letters(params: Params) -> None:
    """A name of the parent that is left, a scale that shows other numbers, or a new name that is a word."""
    met = set()
    for index in range(4):
        puzzle, size = drawn(params, index)
        style = Wording(puzzle, size).coded(stream("tests", "coded", index))
        again = Wording(replace(puzzle, style=style), size).renamed(stream("tests", "again", index))
        for each in (style, again):
            assert worlds()[each.theme].coded
            FAMILY.render(replace(puzzle, style=each))
            old = {name.casefold() for names in puzzle.style.names for name in names}
            assert old.isdisjoint([name.casefold() for names in each.names for name in names])
        assert again.theme != style.theme
        met |= {style.theme, again.theme}
    assert len(met) == sum(world.coded for world in worlds().values()) == 2


# ---- an account ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("params", SPECS, ids=str)
def test_an_account_says_each_clue_once_and_in_order(params: Params) -> None:
    """A clue that is lost, cut in two or joined with the next one, so that sentences are counted otherwise than in traces."""
    for index, phrasing in product(range(4), VOICES):
        puzzle, size = drawn(params, index)
        if index == 3:
            puzzle = replace(puzzle, style=Wording(puzzle, size).coded(stream("tests", "told", phrasing)))
        puzzle = replace(puzzle, style=transforms(FAMILY)["red_herring"].restyle(FAMILY, puzzle, stream("tests", "told", index)))
        puzzle = formed(puzzle, STORY, phrasing)
        wording = Wording(puzzle, size)
        lines = [text for _, text in wording.sentences()]
        text = account(lines, [name for names in puzzle.style.names for name in names], phrasing)
        assert text in FAMILY.render(puzzle)
        paragraphs = [re.split(r"(?<=\.) ", each) for each in text.split("\n\n")]
        told = [sentence for each in paragraphs for sentence in each]
        assert len(told) == len(lines)
        for sentence, line in zip(told, lines, strict=True):
            assert sentence.casefold().endswith(line.casefold()), (sentence, line)
            assert not re.search(r", (The|An?|Either|Neither|It|Of|Exactly|One|If) ", sentence.removesuffix(line[1:])), sentence
            assert sentence[0].isupper() or sentence[0] == '"'
            assert not re.search(r"that (rule out|take|suppose|we) |: [^;]*: ", sentence.removesuffix(line)), sentence
        assert all(2 <= len(each) <= 6 for each in paragraphs) or len(told) < 6
        assert "1." not in text or "1." in "".join(lines)


def test_a_name_keeps_its_letters_after_a_connective() -> None:
    """ "Besides, birgit was ..." """
    names = ("Birgit", "No Such Street", "jazz")
    sentences = ["Birgit is late.", "No Such Street is long.", "Jazz fans are here.", "The end is near.", "No one is here."]
    texts = [account(sentences[k : k + 1], names, 5) for k in range(5)]
    assert [re.sub(r".*?(birgit|no such|jazz|the end|no one).*", r"\1", text, flags=re.I) for text in texts] == [
        "Birgit",
        "No Such",
        "jazz",
        "the end",
        "no one",
    ]


def test_traces_name_sentences() -> None:
    """ "Clue 3" of a prompt that has no numbers."""
    puzzle, size = drawn(SPECS[0], 0)
    words = Wording(formed(puzzle, STORY), size).words()
    assert words.clue(2) == "sentence 3" and words.cited([4, 1]) == "sentences 2 and 5"
    assert Wording(puzzle, size).words().cited([4, 1, 1]) == "clues 2 and 5"
    with pytest.raises(BadRow, match="names no form"):
        FAMILY.render(formed(puzzle, "poem"))


# ---- a table -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("params", SPECS, ids=str)
def test_a_table_and_the_list_have_each_clue_once(params: Params) -> None:
    """A clue that is in neither, or in both."""
    met = 0
    for index, phrasing in product(range(4), VOICES):
        puzzle, size = drawn(params, index)
        puzzle = formed(puzzle, TABLE, phrasing)
        wording = Wording(puzzle, size)
        known = [label for label, _ in wording.known()]
        assert sorted([*known, *[label for label, _ in wording.sentences()]]) == sorted([clue.id for clue in puzzle.clues])
        text = FAMILY.render(puzzle)
        for _, said in wording.known():
            (row,) = [line for line in text.split("\n") if line.startswith(f"| {puzzle.style.names[0][said.items[0][1]]} |")]
            cells = [cell.strip() for cell in row.strip("|").split("|")]
            for c, v in said.items[1:]:
                assert puzzle.style.names[c][v] in cells[c] and ("not " in cells[c]) == (said.kind != "is")
        words = wording.words()
        assert {words.clue(i) for i, clue in enumerate(puzzle.clues) if clue.id in known} <= {"the table"}
        met += len(known)
    assert met


def test_a_place_of_a_table_says_no_two_things() -> None:
    """Of two clues about one place, the second one would stand in the place of the first."""
    is_one, is_two = [stated("is", ((0, 0), (1, v))) for v in (0, 1)]
    not_two, neither = stated("is_not", ((0, 0), (1, 1))), stated("neither", ((0, 0), (1, 2), (2, 0)))
    other = stated("is_not", ((1, 0), (2, 1)))
    every = [("a", is_one), ("b", is_two), ("c", not_two), ("d", neither), ("e", other)]
    assert [label for label, _ in tabled(every)] == ["a"]
    assert [label for label, _ in tabled(every[2:])] == ["c", "d"]
    assert [label for label, _ in tabled(every[::-1])] == ["d", "c"]
    names = (("Ana", "Ben"), ("red", "blue", "green"), ("tea", "milk"))
    assert shown([not_two, neither], names, (1, 0)) == [["Ben", "?", "?"], ["Ana", "not blue or green", "not tea"]]
    assert shown([is_one], names, (0, 1)) == [["Ana", "red", "?"], ["Ben", "?", "?"]]
