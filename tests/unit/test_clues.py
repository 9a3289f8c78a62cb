"""Clues of words: each clue's carriers hold the word, no clue tells its answer's letters, every sort is there."""

from __future__ import annotations

import pytest

from puzzlemill.core.rng import stream
from puzzlemill.vocabulary import clues as vocabulary
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


def test_clues_speak_of_plain_senses_and_are_whole() -> None:
    """An outside reader called these wrong: rare senses, half definitions, other parts of speech, stems, sham opposites."""
    wrong = {
        "long": "Primarily temporal sense",
        "winning": "Having won",
        "resumption": "Beginning again",
        "oratory": "Addressing an audience formally",
        "any": "Whatever, whatsoever",
        "scary": "Provoking fear terror",
        "boil": "Opposite of freeze",
        "cattle": "Cow or heifer, for example",
        "bag": "Pocket or backpack, for example",
        "safeties": "Opposite of dangers",
        "incredibly": "Not easy to believe",
        "irreversible": "Incapable of being reversed",
        "taxpayer": "Someone who pays taxes",
        "salad": "Slaw or coleslaw, for example",
    }
    assert all(word(text) is not None for text in wrong)
    assert not [text for text, said in wrong.items() if said in {clue.text for clue in clues(text)}]
    said = {clue.text for text in words(KNOWN, 3) for clue in clues(text, [KIND, FILL_IN])}
    assert not any("dictionary only has" in text or "makes no difference" in text or "cannot be" in text for text in said)
    kinds = [text for text in said if text.startswith("Kind of ")]
    assert kinds and all(text.endswith(("are others)", "is another)")) for text in kinds)


def test_a_kind_clue_is_not_true_of_the_others_that_it_names() -> None:
    clue = next(each for each in clues("couch", [KIND]) if each.text == "Kind of furniture (chair and bench are others)")
    assert {"couch", "table"} <= set(carriers(clue, 5)) and "chair" not in carriers(clue, 5) and "bench" not in carriers(clue, 5)


def test_pairs_are_no_opposites() -> None:
    assert "Counterpart of nephew" in {clue.text for clue in clues("niece", [OPPOSITE])}
    assert all("nephew" not in clue.about for clue in clues("niece", [FILL_IN]))


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
    assert len(meant) * 20 > 5_000


def test_unfair_clues_are_left_out_and_each_would_be_a_clue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers went through all clues of common and known words; what they refused must not come back under another text."""
    refused = vocabulary._unfair()
    assert len(refused) > 1_000
    for text, said in refused.items():
        assert not {clue.text for clue in clues(text)} & set(said), text
    monkeypatch.setattr(vocabulary, "_unfair", dict)
    vocabulary._clues.cache_clear()
    try:
        stale = [(text, each) for text, said in refused.items() for each in said if each not in {c.text for c in clues(text)}]
    finally:
        vocabulary._clues.cache_clear()
    assert not stale
