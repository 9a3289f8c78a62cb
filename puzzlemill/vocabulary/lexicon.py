"""The lexicon: English words of up to 15 letters, how common they are and what they mean (lexicon.tsv.gz).

It is made by scripts/build_lexicon.py, which says how; SOURCES.md says from what. It is read when it is first asked for;
senses are read word by word.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from puzzlemill.core.errors import BadFile
from puzzlemill.vocabulary.load import content

COMMON, KNOWN, RARE = "common", "known", "rare"
BANDS = (COMMON, KNOWN, RARE)


class Sense(NamedTuple):
    """One usual sense of a word. part: n, v, a or r (adverb). definition: "" where none is a fair clue.

    The lists hold words. A clue names none of `others`, which are rare or mostly mean something else; it is true of them.
    """

    part: str
    definition: str
    synonyms: tuple[str, ...]
    kinds: tuple[str, ...]  # what it is a kind of
    examples: tuple[str, ...]  # kinds of it
    opposites: tuple[str, ...]
    others: frozenset[str]


class Word(NamedTuple):
    """times: in a million sentences of news. base: the word that it is a form of, "" for one that stands for itself.

    phrases: pairs of words that it is hidden in, across the blank.
    """

    text: str
    band: str
    times: int
    base: str
    phrases: tuple[str, ...]
    senses: tuple[Sense, ...]


@cache
def _lines() -> Mapping[str, str]:
    raw = content(__package__, "lexicon.tsv.gz")
    try:
        table = gzip.decompress(raw).decode("ascii")
        return MappingProxyType({line[: line.index("\t")]: line for line in table.splitlines()})
    except (OSError, EOFError, ValueError) as error:
        raise BadFile(f"puzzlemill/vocabulary/lexicon.tsv.gz: {error}; install puzzlemill anew") from None


@lru_cache(maxsize=8)
def words(band: str, least: int = 1, most: int = 15) -> tuple[str, ...]:
    """The words of these lengths that are as common as the band or commoner, in alphabetical order.

    Raises ValueError for an unknown band.
    """
    known = BANDS[: BANDS.index(band) + 1]
    return tuple([word for word, line in _lines().items() if least <= len(word) <= most and line.split("\t", 2)[1] in known])


def word(text: str) -> Word | None:
    """A word of the lexicon; None for any other."""
    line = _lines().get(text)
    if line is None:
        return None
    _, band, times, base, phrases, *senses = line.split("\t")
    return Word(text, band, int(times), base, tuple(phrases.split(",")) if phrases else (), tuple(map(_sense, senses)))


def forms() -> Iterator[tuple[str, str]]:
    """Every word that is a form of another one, and that word."""
    for line in _lines().values():
        text, _, _, base, _ = line.split("\t", 4)
        if base:
            yield text, base


def senses() -> Iterator[tuple[str, Sense]]:
    """Every word with each of its senses."""
    for line in _lines().values():
        text, _, _, _, _, *fields = line.split("\t")
        for field in fields:
            yield text, _sense(field)


def _sense(field: str) -> Sense:
    part, definition, *lists = field.split("|")
    synonyms, kinds, examples, opposites = (tuple(each.replace("~", "").split(",")) if each else () for each in lists)
    others = (
        frozenset([each[1:] for words in lists for each in words.split(",") if each[:1] == "~"]) if "~" in field else frozenset()
    )
    return Sense(part, definition, synonyms, kinds, examples, opposites, others)
