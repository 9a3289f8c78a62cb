"""Clues of words in several sorts, made of what the lexicon says of them, and every word that a clue is true of.

A clue says what it is about in words, and in `about` as data: its carriers are found by that alone. It never holds its answer or
a form of it. See docs/design/words.md for how good the clues of each sort are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple
from zlib import crc32

from puzzlemill.core.words import capital, listed
from puzzlemill.vocabulary import load
from puzzlemill.vocabulary.lexicon import COMMON, KNOWN, RARE, Sense, Word, word, words
from puzzlemill.vocabulary.stems import alike, gives_away

DEFINITION, SYNONYMS, KIND, FILL_IN, OPPOSITE, ANAGRAM, HIDDEN = SORTS = (
    *("definition", "synonyms", "kind", "fill-in", "opposite", "anagram", "hidden"),
)
GAP = "____"
NAMED = 2  # synonyms or examples that a clue names
PHRASES = 3  # that hide one word
BORDER = 2  # letters of a hidden word on either side of the blank, at least
MOST = 40  # words of the answer's length that are of its kind; a clue that fits more is none
_SYNONYM, _EXAMPLE = "synonym", "example"


class Clue(NamedTuple):
    """sort: one of SORTS. about: the sort, then the part of speech and words that the clue speaks of, or the letters."""

    sort: str
    text: str
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Frames:
    """clues.toml as it is written. vague: kinds that are too wide for a clue. frames: by part of speech and relation."""

    vague: tuple[str, ...]
    frames: Mapping[str, tuple[str, ...]]


@cache
def _frames() -> _Frames:
    found: _Frames = load.record(_Frames, __package__, "clues.toml")
    return found


def clues(text: str, sorts: Collection[str] = SORTS) -> tuple[Clue, ...]:
    """The clues of a word, by sort; none for a word that the lexicon does not have.

    Raises ValueError for unknown sorts.
    """
    if not set(sorts) <= set(SORTS):
        raise ValueError(f"sorts: expected some of {', '.join(SORTS)}, got {', '.join(map(str, sorts))}")
    found = word(text)
    return () if found is None else tuple([clue for clue in _clues(text) if clue.sort in sorts])


@lru_cache(maxsize=1 << 14)
def _clues(text: str) -> tuple[Clue, ...]:
    found = word(text)
    assert found is not None
    every = [*_meant(found), *_kinds(found), *_filled(found), *_opposite(found), *_anagrams(text), *_hidden(text)]
    by_text: dict[str, Clue] = {}
    for clue in every:
        if clue.sort == HIDDEN or not gives_away(clue.text, text):
            by_text.setdefault(clue.text, clue)
    return tuple(sorted(by_text.values(), key=lambda clue: SORTS.index(clue.sort)))


# ---- by what the lexicon says ---------------------------------------------------------------------------------------------


def _meant(found: Word) -> Iterator[Clue]:
    for sense in found.senses:
        if sense.definition:
            yield Clue(DEFINITION, capital(sense.definition), (DEFINITION, sense.part, sense.definition))
        if sense.synonyms:
            named = sense.synonyms[:NAMED]
            yield Clue(SYNONYMS, capital(", ".join(named)), (SYNONYMS, sense.part, *named))


def _kinds(found: Word) -> Iterator[Clue]:
    for sense in found.senses:
        for kind in _narrow(sense):
            says = f"Kind of {kind}" if sense.part == "n" else f"Way to {kind}"
            yield from _few(Clue(KIND, says, (KIND, sense.part, kind)), found)
        if sense.examples:
            named = sense.examples[:NAMED]
            yield from _few(Clue(KIND, f"{capital(listed(named, 'or'))}, for example", (_EXAMPLE, sense.part, *named)), found)


def _narrow(sense: Sense) -> list[str]:
    return [kind for kind in sense.kinds if kind not in _frames().vague] if sense.part in "nv" else []


def _few(clue: Clue, found: Word) -> Iterator[Clue]:
    if len(carriers(clue, len(found.text))) <= MOST:
        yield clue


def _filled(found: Word) -> Iterator[Clue]:
    for sense in found.senses:
        relations = ((_SYNONYM, sense.synonyms), (OPPOSITE, sense.opposites), (KIND, _narrow(sense)), (_EXAMPLE, sense.examples))
        for relation, named in relations:
            frames = _frames().frames.get(f"{sense.part}_{relation}", ())
            for other in named[:NAMED] if frames else ():
                frame = frames[crc32(f"{found.text} {other}".encode()) % len(frames)]
                clue = Clue(FILL_IN, capital(frame.format(other, gap=GAP)), (FILL_IN, sense.part, relation, other))
                yield from _few(clue, found)


def _opposite(found: Word) -> Iterator[Clue]:
    for sense in found.senses:
        for other in sense.opposites:
            yield Clue(OPPOSITE, f"Opposite of {other}", (OPPOSITE, sense.part, other))


# ---- by letters -----------------------------------------------------------------------------------------------------------


def _anagrams(text: str) -> Iterator[Clue]:
    for other in _by_letters().get(_sorted(text), ()):
        if other != text and other in _known():
            yield Clue(ANAGRAM, f"Anagram of {other.upper()}", (ANAGRAM, other))


def _hidden(text: str) -> Iterator[Clue]:
    """Phrases of an adjective and a noun that have the word across the blank, the commonest ones."""
    ends, starts = _borders()
    found = []
    for cut in range(BORDER, len(text) - BORDER + 1):
        for left in ends.get(text[:cut], ())[:8]:
            for right in starts.get(text[cut:], ())[:8]:
                if not alike(left, text) and not alike(right, text) and not alike(left, right):
                    found.append(f"{left} {right}")
    for phrase in sorted(found, key=lambda phrase: crc32(f"{text} {phrase}".encode()))[:PHRASES]:
        yield Clue(HIDDEN, f'Hidden in "{phrase}"', (HIDDEN, phrase))


@cache
def _borders() -> tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]]:
    """Common adjectives by how they end, common nouns by how they begin: the commonest first."""
    ends, starts = defaultdict[str, list[tuple[int, str]]](list), defaultdict[str, list[tuple[int, str]]](list)
    for text in words(COMMON, 4, 10):
        found = word(text)
        if found is None or not found.senses:
            continue
        for cut in range(BORDER, len(text) - 1):
            if found.senses[0].part == "a":
                ends[text[-cut:]].append((-found.times, text))
            elif found.senses[0].part == "n":
                starts[text[:cut]].append((-found.times, text))
    return tuple({part: [text for _, text in sorted(each)] for part, each in by.items()} for by in (ends, starts))  # type: ignore[return-value]


@cache
def _known() -> frozenset[str]:
    return frozenset(words(KNOWN))


def _sorted(text: str) -> str:
    return "".join(sorted(text))


@cache
def _by_letters() -> Mapping[str, Sequence[str]]:
    found = defaultdict[str, list[str]](list)
    for text in words(RARE, 3):
        found[_sorted(text)].append(text)
    return found


# ---- carriers -------------------------------------------------------------------------------------------------------------


def carriers(clue: Clue, length: int, band: str = RARE) -> tuple[str, ...]:
    """Every word of the band of this length that the clue is true of by the lexicon, in alphabetical order."""
    return tuple([text for text in _carriers(clue.about) if len(text) == length and text in _band(band)])


@cache
def _band(band: str) -> frozenset[str]:
    return frozenset(words(band))


@lru_cache(maxsize=1 << 14)
def _carriers(about: tuple[str, ...]) -> tuple[str, ...]:
    what, *rest = about
    if what == ANAGRAM:
        return tuple([text for text in _by_letters().get(_sorted(rest[0]), ()) if text != rest[0]])
    if what == HIDDEN:
        letters = rest[0].replace(" ", "")
        runs = {letters[i:j] for i in range(len(letters)) for j in range(i + 3, len(letters) + 1)}
        return tuple(sorted([run for run in runs if run in _band(RARE) and run not in rest[0].split()]))
    if what == FILL_IN:
        part, what, *rest = rest
    else:
        part, *rest = rest
    relation = {SYNONYMS: _SYNONYM}.get(what, what)
    sets = [_index().get((relation, part, each), frozenset()) for each in rest]
    return tuple(sorted(frozenset.intersection(*map(frozenset, sets))))


@cache
def _index() -> Mapping[tuple[str, str, str], Collection[str]]:
    """The words that have a relation to a word: by relation, part of speech and that word; read from both ends."""
    found = defaultdict[tuple[str, str, str], set[str]](set)
    for text in words(RARE):
        for sense in word(text).senses:  # type: ignore[union-attr]
            part = sense.part
            if sense.definition:
                found[DEFINITION, part, sense.definition].update((text, *sense.synonyms))
            for other in sense.synonyms:
                found[_SYNONYM, part, other].add(text)
                found[_SYNONYM, part, text].add(other)
            for other in sense.kinds:
                found[KIND, part, other].add(text)
                found[_EXAMPLE, part, text].add(other)
            for other in sense.examples:
                found[_EXAMPLE, part, other].add(text)
                found[KIND, part, text].add(other)
            for other in sense.opposites:
                found[OPPOSITE, part, other].add(text)
    return found
