"""Quotations: what their frames make, and that their words are in the lexicon."""

from __future__ import annotations

import re

import pytest

from puzzlemill.core.rng import stream
from puzzlemill.vocabulary.lexicon import word
from puzzlemill.vocabulary.quotes import frames, quotation


def test_many_different_quotations_are_made_of_words_that_the_lexicon_has() -> None:
    found = [quotation(2, stream("tests", "quotes", index)) for index in range(600)]
    assert frames() >= 60 and len({each.text for each in found}) == len(found)
    words = {text.lower() for each in found for text in re.findall(r"[A-Za-z]+", each.text)}
    assert [text for text in sorted(words) if word(text) is None] == []
    assert not any(re.search(r"[\[\]{}|]|\ba [aeio]|\ban [^aeiouh]|  ", each.text) for each in found)
    assert all(re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+", each.author) for each in found)


def test_sentences_of_one_quotation_differ_and_speak_of_the_same_things() -> None:
    shared = 0
    for index in range(200):
        first, *others = re.split(r"(?<=[.])\s", quotation(3, stream("tests", "sentences", index)).text)
        assert len(others) == 2 and len({first, *others}) == 3
        shared += bool(set(re.findall(r"[a-z]{5,}", first)) & set(re.findall(r"[a-z]{5,}", " ".join(others))))
    assert shared > 120
    assert quotation(1, stream("tests", 1)) == quotation(1, stream("tests", 1))
    with pytest.raises(ValueError, match="sentences"):
        quotation(40, stream("tests", 2))
