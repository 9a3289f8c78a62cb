"""The lexicon: what it holds, and what it must not."""

from __future__ import annotations

import gzip
from hashlib import sha256

import pytest

from puzzlemill.vocabulary.lexicon import BANDS, word, words
from puzzlemill.vocabulary.load import content


def test_bands_contain_each_other_and_words_are_plain() -> None:
    common, known, every = (words(band) for band in BANDS)
    assert len(common) > 12_000 and len(known) > 33_000 and len(every) > 74_000
    assert set(common) < set(known) < set(every) and list(every) == sorted(every)
    assert all(text.isascii() and text.isalpha() and text.islower() and len(text) <= 15 for text in every)
    assert {len(text) for text in words("common", 3, 4)} == {3, 4}
    with pytest.raises(ValueError, match="not in tuple"):
        words("frequent")


def test_a_word_has_its_senses() -> None:
    found = word("ambassador")
    assert found is not None and found.band == "common" and found.base == ""
    assert "diplomat" in found.senses[0].kinds and "diplomat" not in found.senses[0].others
    tycoon = word("tycoon")
    assert tycoon is not None and "magnate" in tycoon.senses[0].synonyms and "magnate" not in tycoon.senses[0].others
    plump = word("plump")  # has more senses, none of which a third of its uses have
    assert plump is not None and plump.senses[0].others == {"chubby"} and plump.senses[0].definition == ""
    opposites = word("below")
    assert opposites is not None and opposites.senses[0].opposites == ("above",)
    assert [found.base for found in map(word, ("hoped", "caned", "buses", "hopped")) if found] == ["hope", "cane", "bus", "hop"]
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
    assert meant > 10_500


def test_obscene_and_hurtful_words_are_left_out() -> None:
    """Words that no gloss calls obscene came through, with all their forms."""
    hurtful = (
        "shitty",
        "genitals",
        "niggas",
        "raped",
        "sexpot",
        "genocide",
        "bimbo",
        "goddamned",
        "testes",
        "bastards",
        "whore",
        "negro",
        "rapists",
        "nazi",
        "slut",
        "retards",
        "penis",
        "porno",
        "gypsies",
        "negroes",
    )
    assert [text for text in hurtful if word(text)] == []


@pytest.mark.parametrize(
    ("name", "lines", "most", "digest"),
    [
        ("lexicon.tsv.gz", 74_623, 1_500_000, "7e3489ae55ec1d10a37a85c6cc70f1e785f14b2deada82a1ebba379fb70edc8c"),
        ("examples.txt.gz", 6_285, 200_000, "cae50280f3a0379f2cd3e1f147777cbfe0e0ed3e92c1d5977407315045f4dc05"),
    ],
)
def test_tables_are_those_that_the_script_builds(name: str, lines: int, most: int, digest: str) -> None:
    """A table was changed by hand: `python scripts/build_lexicon.py SOURCES` prints these numbers."""
    raw = content("puzzlemill.vocabulary", name)
    text = gzip.decompress(raw)
    assert (len(raw) < most, text.count(b"\n"), sha256(text).hexdigest()) == (True, lines, digest)
    assert raw[4:8] == bytes(4), "the time of the build is in it"
