"""The lexicon: English words of up to 15 letters, how common they are and what they mean (lexicon.tsv.gz).

It is made by scripts/build_lexicon.py, which says how; SOURCES.md says from what. It is read when it is first asked for;
senses are read word by word.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple

from puzzlemill.core.errors import BadFile
from puzzlemill.vocabulary.load import content

COMMON, KNOWN, RARE = "common", "known", "rare"
BANDS = (COMMON, KNOWN, RARE)


class Sense(NamedTuple):
    """One sense of a word. part: n, v, a or r (adverb). definition: "" where none is a fair clue. The lists hold words."""

    part: str
    definition: str
    synonyms: tuple[str, ...]
    kinds: tuple[str, ...]  # what it is a kind of
    examples: tuple[str, ...]  # kinds of it
    opposites: tuple[str, ...]


class Word(NamedTuple):
    """times: in a million sentences of news. base: the word that it is a form of, "" for one that stands for itself."""

    text: str
    band: str
    times: int
    base: str
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
    _, band, times, base, *senses = line.split("\t")
    return Word(text, band, int(times), base, tuple(map(_sense, senses)))


def _sense(field: str) -> Sense:
    part, definition, *lists = field.split("|")
    synonyms, kinds, examples, opposites = (tuple(each.split(",")) if each else () for each in lists)
    return Sense(part, definition, synonyms, kinds, examples, opposites)
