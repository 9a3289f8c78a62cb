"""The lexicon: what it holds, and what it must not."""

from __future__ import annotations

import pytest

from puzzlemill.vocabulary.lexicon import BANDS, word, words


def test_bands_contain_each_other_and_words_are_plain() -> None:
    common, known, every = (words(band) for band in BANDS)
    assert len(common) > 10_000 and len(known) > 24_000 and len(every) > 68_000
    assert set(common) < set(known) < set(every) and list(every) == sorted(every)
    assert all(text.isascii() and text.isalpha() and text.islower() and len(text) <= 15 for text in every)
    assert {len(text) for text in words("common", 3, 4)} == {3, 4}
    with pytest.raises(ValueError, match="not in tuple"):
        words("frequent")


def test_a_word_has_its_senses() -> None:
    found = word("bowler")
    assert found is not None and found.band == "common" and found.base == ""
    assert [sense.definition for sense in found.senses][-1] == "a felt hat that is round and hard with a narrow brim"
    assert "derby" in found.senses[-1].synonyms
    opposites = word("below")
    assert opposites is not None and opposites.senses[0].opposites == ("above",)
    form = word("universities")
    assert form is not None and form.base == "university" and form.senses == ()
    assert word("qqq") is None


def test_related_words_are_in_the_lexicon_and_definitions_do_not_give_the_word_away() -> None:
    every = set(words("rare"))
    meant = 0
    for text in words("known"):
        found = word(text)
        assert found is not None and (not found.base or found.base in every)
        meant += bool(found.senses)
        for sense in found.senses:
            assert {*sense.synonyms, *sense.kinds, *sense.examples, *sense.opposites} <= every
            assert text not in sense.definition.split() and text not in sense.synonyms
            assert not sense.definition or 2 <= len(sense.definition.split()) <= 12
    assert meant > 15_000


def test_obscene_and_hurtful_words_are_left_out() -> None:
    hurtful = ("bastards", "whore", "negro", "rapists", "nazi", "slut", "retards", "penis", "porno", "gypsies", "negroes")
    assert [text for text in hurtful if word(text)] == []
