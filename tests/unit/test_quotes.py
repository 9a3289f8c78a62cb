"""Quotations: what their frames make, and that their words are in the lexicon."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from typing import Any

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.rng import stream
from puzzlemill.factory.make import make
from puzzlemill.generators import family_named
from puzzlemill.vocabulary.lexicon import word
from puzzlemill.vocabulary.quotes import drawn, frames, letters, plain, quotation

_LINKS = {
    "it",
    "its",
    "he",
    "him",
    "his",
    "she",
    "her",
    "they",
    "them",
    "their",
    "there",
    "we",
    "us",
    "you",
    "that",
    "so",
    "then",
}


def test_many_different_quotations_are_made_of_words_that_the_lexicon_has() -> None:
    found = [quotation(2, stream("tests", "quotes", index)) for index in range(600)]
    assert frames() >= 600 and len({each.text for each in found}) == len(found)
    words = {text.lower() for each in found for text in re.findall(r"[A-Za-z]+", each.text)}
    assert [text for text in sorted(words) if word(text) is None] == []
    assert not any(re.search(r"[\[\]{}|]|\ba [aeio]|\ban [^aeiouh]|  ", each.text) for each in found)
    assert all(re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+", each.author) for each in found)


def test_the_second_sentence_takes_up_the_first() -> None:
    """Frames of several scenes are mixed, he and she change within a text, or few texts begin differently."""
    openings, linked = set(), 0
    for index in range(400):
        first, second = re.split(r"(?<=[.?!])\s", quotation(2, stream("tests", "linked", index)).text)
        openings.add(tuple(first.split()[:3]))
        words = set(re.findall(r"[a-z]+", second.lower()))
        assert not (words & {"he", "his", "him"} and words & {"she", "her"}), (first, second)
        linked += bool(words & _LINKS)
    assert len(openings) >= 200
    assert linked >= 300


def test_short_and_long_quotations_are_drawn_of_every_band() -> None:
    """A family's smallest sizes have no quotation: none of 400 has 11 to 28 letters."""
    for index, (least, most) in enumerate([(11, 28), (6, 14), (17, 43), (60, 80), (141, 216)]):
        for band in ("common", "known"):
            found = [drawn("composed", least, most, stream("tests", index, turn), band).text for turn in range(20)]
            assert all(least <= letters(plain(text)) <= most for text in found)
            assert len(set(found)) >= 15
    with pytest.raises(BadParams, match="expected 14 to 400 letters, got 5 to 13"):
        drawn("composed", 5, 13, stream("tests", 3))


def test_a_quotation_has_as_many_sentences_as_were_asked_for() -> None:
    """A sentence comes twice, or a scene has too few for the longest texts."""
    for index in range(200):
        said = re.split(r"(?<=[.?!])\s", quotation(3, stream("tests", "sentences", index)).text)
        assert len(said) == len(set(said)) == 3
        said = re.split(r"(?<=[.?!])\s", quotation(8, stream("tests", "long", index)).text)
        assert len(said) == len(set(said)) == 8
    assert quotation(1, stream("tests", 1)) == quotation(1, stream("tests", 1))
    with pytest.raises(ValueError, match="sentences"):
        quotation(40, stream("tests", 2))


@pytest.mark.parametrize("name", ["acrostic", "crossword", "cryptogram", "drop_quote"])
def test_each_size_of_a_curriculum_has_puzzles(name: str) -> None:
    """A family of words cannot be made in the sizes that grow from its smallest one."""
    family = family_named(name)
    words = {param: value for param, value in asdict(family.params()).items() if type(value) is str}
    spec: Any = replace(family.smallest[0], params=replace(family.smallest[0].params, **words))
    spaces = []
    while spec is not None and len(spaces) < 3:
        row = make(name, index=1, params=asdict(spec.params))
        spaces.append(family.search_space_log10(loads(puzzle_type(family), row["puzzle"], "puzzle")))
        spec = family.larger(spec)
    assert len(spaces) == 3 and spaces[0] < spaces[-1]
