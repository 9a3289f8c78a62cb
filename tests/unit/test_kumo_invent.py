"""Invented domains: their names, wording and numbers."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlemill.core.rng import stream
from puzzlemill.kumo.domain.check import STRUCTURES, defects, folded
from puzzlemill.kumo.domain.files import parse, write
from puzzlemill.kumo.domain.frames import Method, stock
from puzzlemill.kumo.domain.invent import LONG, LONGEST, SHORT, Language, families, invented, language, refused
from puzzlemill.vocabulary.words import plain_words


def names_of(edition: str, index: int) -> list[str]:
    domain = invented(edition, index)
    return [*domain.truths, *[action.name for action in domain.actions]]


@pytest.mark.parametrize("index", range(len(stock().frames)))
def test_every_frame_gives_good_domains(index: int) -> None:
    """Two editions of every frame; the sizes are those of authored domains."""
    for edition in ("one", "two"):
        domain = invented(edition, index)
        assert defects(domain) == ()
        assert 48 <= len(domain.truths) <= 52 and 33 <= len(domain.actions) <= 36
        assert 6 <= sum([action.numeric for action in domain.actions]) <= 8


@settings(max_examples=8, deadline=None)
@given(st.text(max_size=20), st.integers(0, 10**9))
def test_any_edition_and_number_give_a_good_domain(edition: str, index: int) -> None:
    domain = invented(edition, index)
    assert defects(domain) == ()
    assert parse(write(domain), domain.name) == (domain, ())


def test_frames_and_structures_come_in_turn() -> None:
    """A release of 30 invented domains has each scene once and each shape five times."""
    domains = [invented("turns", i) for i in range(len(stock().frames))]
    assert len({domain.topic for domain in domains}) == len(domains) == len({frame.topic for frame in stock().frames}) >= 25
    assert Counter([domain.structure for domain in domains]) == dict.fromkeys(STRUCTURES, 5)
    assert len({domain.name for domain in domains}) == len({domain.title for domain in domains}) == len(domains)


def test_editions_share_no_name() -> None:
    """8 editions of 5 domains each: what one release has taught is of no use in another."""
    names = Counter([name for edition in range(8) for index in range(5) for name in names_of(f"edition {edition}", index)])
    assert len(names) > 3000 and names.most_common(1)[0][1] == 1


def test_domains_of_one_edition_share_no_name_and_no_word() -> None:
    names = Counter([name for index in range(40) for name in names_of("same", index)])
    assert names.most_common(1)[0][1] == 1


def test_no_two_words_of_a_domain_are_alike() -> None:
    """Even single words of its names differ by two letters and more, so that a slip of a player is no other name."""
    for index in range(10):
        domain = invented("alike", index)
        words = {folded(word) for truth in domain.truths for word in re.split(r"[ -]|'s ", truth) if word != "of"}
        assert len(words) == 2 * len(domain.truths)
        shorter = [form for word in words for form in {word, *[word[:i] + word[i + 1 :] for i in range(len(word))]}]
        assert len(shorter) == len(set(shorter))


@pytest.mark.parametrize("family", families())
def test_a_word_can_be_taken_apart_in_one_way(family: str) -> None:
    """Then an even draw of parts is an even draw of words, and the chance of equal names is what the docstring says."""
    sounds = families()[family]
    vowels = set("".join(sounds.nuclei))
    assert not vowels & set("".join([*sounds.onsets, *sounds.middles, *sounds.codas]))
    for parts in (sounds.onsets, sounds.middles, sounds.nuclei, sounds.codas):
        assert len(set(parts)) == len(parts) >= 2
    assert "" not in (*sounds.onsets, *sounds.middles, *sounds.nuclei)


def test_the_size_of_a_language_is_counted() -> None:
    tiny = Language(("b", "d"), ("l", "m", "nd"), ("a", "i"), ("", "k"), 2)
    rng = stream("tiny")
    assert len({tiny.word(rng) for _ in range(2000)}) == tiny.size == 2 * 2 * 3 * 2 * 2


def test_languages_are_as_large_as_the_chance_of_equal_names_needs() -> None:
    """Of both kinds of words there are enough, and at least half of those drawn are used."""
    found = set()
    for i in range(60):
        short, long = language(stream("size", i))
        found.add(
            next(
                name
                for name, family in families().items()
                if set(short.onsets) <= set(family.onsets) and set(short.middles) <= set(family.middles)
            )
        )
        assert short.size >= SHORT and long.size >= LONG and short.syllables < long.syllables
        rng = stream("words", i)
        for words in (short, long):
            assert sum([refused(words.word(rng)) for _ in range(100)]) <= 50
    assert found == set(families())


def test_words_are_neither_english_nor_foul() -> None:
    assert refused("garden") and refused("toshitel") and refused("nazirol") and refused("a" * (LONGEST + 1))
    assert not refused("belorin")
    words = {word.lower() for i in range(30) for name in names_of("foul", i) for word in re.split(r"[ -]|'s ", name)}
    things = {word for pool in stock().pools.values() for method in pool for word in re.split(r"[ -]", method.thing)}
    things |= {word for frame in stock().frames for method in frame.own for word in re.split(r"[ -]", method.thing)}
    made = words - things - {"of"}
    assert len(made) > 3000
    assert not made & set(plain_words()) and not [word for word in made if re.search("fuck|shit|cunt|nazi|rape|nig|slut", word)]


def test_every_method_leaves_a_gap_for_its_word() -> None:
    """Without it two domains, or two actions, would share a clause."""
    frames, pools = stock().frames, stock().pools
    for method in [method for ways in (*pools.values(), *[frame.own for frame in frames]) for method in ways]:
        assert "{y}" in method.does and all("word" in clause.split() for clause in method.clauses("word"))
        assert (len(method.outcomes) == 0) if method.quantity else (2 <= len(method.outcomes) <= 4)
        assert not any("{" in text or "=" in text for text in (method.quantity, *method.clauses("word")))
        low, high, decimals = method.scale
        assert not method.quantity or (
            0 <= decimals <= 2 and high - low >= 20 and not (low == 10**decimals and method.unit[2:].endswith("s"))
        )
    for frame in frames:
        things = [method.thing for method in (*frame.own, *pools[frame.pool])]
        assert len(set(things)) == len(things)


def test_outcomes_name_the_thing() -> None:
    bell = Method("bell", "ring the {y} bell", ("= rings", "dust falls from the {y} bell", "moths circle ="))
    assert bell.clauses("tesk") == ("the tesk bell rings", "dust falls from the tesk bell", "moths circle the tesk bell")


def test_the_same_word_gives_the_same_domains() -> None:
    """A release names its edition only: names and exclusions may never change, wording only with a new version."""
    found = []
    for index in range(3):
        domain = invented("golden", index)
        found.append(sha256(repr((domain.truths, domain.masks())).encode()).hexdigest()[:16])
    invented.cache_clear()
    assert invented("golden", 2) == domain
    assert found == GOLDEN


def test_numbers_below_zero_are_refused() -> None:
    with pytest.raises(ValueError, match="numbered from 0, got -1"):
        invented("x", -1)


GOLDEN = ["c2897a3792e48a14", "d6ae17fa962adc29", "617d08cc73cdf7a3"]
