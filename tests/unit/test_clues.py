"""Clues of words: each clue's carriers hold the word, no clue tells its answer's letters, every sort is there."""

from __future__ import annotations

import pytest

from puzzlemill.core.rng import stream
from puzzlemill.vocabulary.clues import FILL_IN, SORTS, Clue, carriers, clues
from puzzlemill.vocabulary.lexicon import word, words


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
