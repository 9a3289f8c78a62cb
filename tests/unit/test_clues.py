"""Clues of words: each clue's carriers hold the word, no clue tells its answer's letters, every sort is there."""

from __future__ import annotations

import pytest

from puzzlemill.core.rng import stream
from puzzlemill.vocabulary.clues import (
    ANAGRAM,
    DEFINITION,
    FILL_IN,
    HIDDEN,
    KIND,
    OPPOSITE,
    SORTS,
    SYNONYMS,
    Clue,
    carriers,
    clues,
)
from puzzlemill.vocabulary.lexicon import KNOWN, RARE, word, words
from puzzlemill.vocabulary.stems import alike, gives_away


def test_a_word_carries_its_own_clues_and_a_clue_does_not_hold_it() -> None:
    seen = set()
    for text in stream("tests", "clues").few(words("known", 3), 400):
        for clue in clues(text):
            assert text in carriers(clue, len(text)), clue
            assert text not in clue.text.lower().split(), clue
            seen.add(clue.sort)
    assert seen == set(SORTS)


def test_carriers_are_words_that_say_the_same_in_the_lexicon() -> None:
    clue = next(each for each in clues("big") if each.sort == "opposite")
    assert clue.text.startswith("Opposite of ")
    assert all(any(clue.about[2] in sense.opposites for sense in word(text).senses) for text in carriers(clue, 3))
    assert {"silent", "enlist", "tinsel"} <= set(carriers(Clue("anagram", "Anagram of LISTEN", ("anagram", "listen")), 6))
    assert "listen" not in carriers(Clue("anagram", "Anagram of LISTEN", ("anagram", "listen")), 6)
    assert "creep" in carriers(Clue("hidden", "", ("hidden", "mediocre episode")), 5)


def test_a_fill_in_has_one_gap() -> None:
    assert all(clue.text.count("____") == 1 for clue in clues("journey", [FILL_IN]))


def test_unknown_sorts_are_refused_and_unknown_words_have_none() -> None:
    with pytest.raises(ValueError, match="sorts: expected some of definition"):
        clues("big", ["rhyme"])
    assert clues("qzxv") == ()


@pytest.mark.parametrize(
    ("text", "sort", "expected"),
    [
        ("boulevard", DEFINITION, "A wide street or thoroughfare"),
        ("tycoon", SYNONYMS, "Magnate"),
        ("reaping", SYNONYMS, "Harvesting, gleaning"),
        ("couch", KIND, "Kind of furniture (chair and bench are others)"),
        ("shop", KIND, "Bakery or boutique, for example"),
        ("largest", OPPOSITE, "Opposite of smallest"),
        ("bistro", ANAGRAM, "Anagram of ORBITS"),
        ("segue", HIDDEN, 'Hidden in "house guest"'),
    ],
)
def test_each_sort_says_what_it_is(text: str, sort: str, expected: str) -> None:
    assert expected in {clue.text for clue in clues(text, [sort])}


def test_a_fill_in_quotes_the_words_that_it_names() -> None:
    """Unquoted, a count noun without an article read badly."""
    for text in stream("tests", "fill-in").few(words(KNOWN, 4), 600):
        for clue in clues(text, [FILL_IN]):
            assert all(f'"{named}"' in clue.text for named in clue.about[3:]), clue


def test_what_gives_a_word_away() -> None:
    pairs = (
        "harmful harmfully",
        "careless careful",
        "cooking cookery",
        "humpback hunchback",
        "incomplete uncompleted",
        "big biggest",
    )
    assert all(alike(*pair.split()) for pair in pairs)
    apart = ("mother brother", "vast huge", "ancestor descendant", "husband the", "silent listen")
    assert not any(alike(*pair.split()) for pair in apart)
    assert gives_away("A person who cooks well", "cook") and not gives_away("Prepare food", "cook")


def test_carriers_are_of_the_band_and_hold_rarer_words_only_if_asked() -> None:
    found = [(clue, text) for text in words(KNOWN, 4)[::40] for clue in clues(text)]
    assert all(set(carriers(clue, len(text), KNOWN)) <= set(carriers(clue, len(text), RARE)) for clue, text in found)
    assert any(carriers(clue, len(text), KNOWN) != carriers(clue, len(text), RARE) for clue, text in found)


def test_most_plain_words_have_a_clue_that_says_what_they_mean() -> None:
    """Crosswords need them: lattices of 15 x 15 are filled from the words that have one."""
    meant = [text for text in words(KNOWN, 3)[::20] if clues(text, set(SORTS) - {ANAGRAM, HIDDEN})]
    assert len(meant) * 20 > 6_000
