"""Clues of words in several sorts, made of what the lexicon says of them, and every word that a clue is true of.

A clue says what it is about in words, and in `about` as data: its carriers are found by that alone. It never holds its answer or
a form of it. See docs/design/words.md for how good the clues of each sort are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple
from zlib import crc32

from puzzlemill.core.words import capital, listed
from puzzlemill.vocabulary import load
from puzzlemill.vocabulary.lexicon import COMMON, KNOWN, RARE, Sense, Word, forms, senses, word, words
from puzzlemill.vocabulary.stems import alike, gives_away

DEFINITION, SYNONYMS, KIND, FILL_IN, OPPOSITE, ANAGRAM, HIDDEN = SORTS = (
    *("definition", "synonyms", "kind", "fill-in", "opposite", "anagram", "hidden"),
)
PLURALS = 40  # a plural is used if it occurs a fortieth as often as its word
BROAD = 23  # words of a kind: where there are more, others have to be of a nearer kind as well
NAMED = 2  # synonyms or examples that a clue names
PHRASES = 3  # that hide one word
TRIED = 8  # common words with an ending or a beginning, for phrases that are put together
BORDER = 2  # letters of a hidden word on either side of the blank, at least
MOST = 8  # words of the answer's length that are of its kind; a clue that fits more is none
_SYNONYM, _EXAMPLE = "synonym", "example"


_PREFIXES = ("re", "un", "de", "dis", "in", "im", "mis", "non", "pre")
_ENDINGS = {"ing": "v", "ed": "v", "est": "a", "s": "nv"}  # of regular forms, and the parts of speech that have them


class Clue(NamedTuple):
    """sort: one of SORTS. about: the sort, then the part of speech and words that the clue speaks of, or the letters."""

    sort: str
    text: str
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Frames:
    """clues.toml as it is written. kinds, apart, undefined: for scripts/build_lexicon.py. frames: by relation.

    groups: words for several things together, of which one is no example. plainer: words that phrases do not read well with.
    odd: forms that are no fair clues. counterparts: words whose opposite is another part of a pair, as an aunt and an uncle are.
    """

    kinds: tuple[str, ...]
    apart: tuple[str, ...]
    groups: tuple[str, ...]
    counterparts: tuple[str, ...]
    undefined: tuple[str, ...]
    plainer: tuple[str, ...]
    odd: tuple[str, ...]
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


@cache
def with_meaning(band: str) -> tuple[str, ...]:
    """The words of a band that have a clue by their meaning and one that few words fit, in alphabetical order."""
    found = set()
    for text, sense in _every_sense():
        if text not in found and (sense.definition or _says_much(text, sense)):
            found.add(text)
    for text in _unfair():
        if text in found and all(clue.sort in (ANAGRAM, HIDDEN) for clue in _clues(text)):
            found.remove(text)
    return tuple([text for text in words(band, 3) if text in found])


@cache
def with_letters(band: str) -> tuple[str, ...]:
    """The words of a band that are an anagram of a known word or hidden in a phrase that is in use, in alphabetical order."""
    return tuple([text for text in words(band, 3) if _is_anagram(text) or _is_hidden(text)])


def _is_anagram(text: str) -> bool:
    return any(not gives_away(clue.text, text) for clue in _anagrams(text))


def _is_hidden(text: str) -> bool:
    found = word(text)
    return found is not None and any(_hides(text, *phrase.split()) for phrase in found.phrases)


def _says_much(text: str, sense: Sense) -> bool:
    if any(not gives_away(each, text) for each in _fair(sense, [*sense.synonyms, *sense.opposites])):
        return True
    found = word(text) if sense.kinds or sense.examples else None
    return found is not None and any(not gives_away(clue.text, text) for clue in _kinds(found))


@lru_cache(maxsize=1 << 14)
def _clues(text: str) -> tuple[Clue, ...]:
    found = word(text)
    assert found is not None
    meant = [*_meant(found), *_kinds(found), *_opposite(found)]
    unfair = [clue for clue in meant if clue.text in _unfair().get(text, ())]
    filled = [clue for clue in _filled(found) if not any(_says_the_same(clue, other) for other in unfair)]
    every = [*(clue for clue in meant if clue not in unfair), *filled, *_anagrams(text), *_hidden(found)]
    by_text: dict[str, Clue] = {}
    for clue in every:
        if clue.sort == HIDDEN or not gives_away(clue.text, text):
            by_text.setdefault(clue.text, clue)
    return tuple(sorted(by_text.values(), key=lambda clue: SORTS.index(clue.sort)))


@cache
def _unfair() -> Mapping[str, Collection[str]]:
    """Clues of common and known words that a reader of all of them called wrong, unfair or clumsy: by word. They stay true."""
    found: Mapping[str, tuple[str, ...]] = load.checked(
        Mapping[str, tuple[str, ...]], load.table(__package__, "unfair_clues.toml"), __package__, "unfair_clues.toml"
    )
    return found


def _says_the_same(filled: Clue, other: Clue) -> bool:
    """Return whether a fill-in is about the same words, or some of them, as a clue of another sort."""
    _, part, relation, *named = filled.about
    sort = {_SYNONYM: SYNONYMS, _EXAMPLE: _EXAMPLE}.get(relation, relation)
    return other.about[:2] == (sort, part) and set(named) <= set(other.about[2:])


# ---- by what the lexicon says ---------------------------------------------------------------------------------------------


def _meant(found: Word) -> Iterator[Clue]:
    for sense in _senses(found):
        if sense.definition:
            yield Clue(DEFINITION, capital(sense.definition), (DEFINITION, sense.part, sense.definition))
        named = _fair(sense, sense.synonyms)[:NAMED]
        if named:
            yield Clue(SYNONYMS, capital(", ".join(named)), (SYNONYMS, sense.part, *named))


def _senses(found: Word) -> Iterable[Sense]:
    """The senses of a word; for a form those of the word itself, with the same forms of what they name."""
    return found.senses or (_of_form(found.text, found.base) if found.base else ())


def _of_form(text: str, base: str) -> Iterator[Sense]:
    ending = _ending(text)
    plain = word(base)
    for sense in plain.senses if plain is not None else ():
        if sense.part in _ENDINGS.get(ending, "") and (sense.part != "n" or _is_used(text, base)):
            synonyms, opposites = (
                tuple(_with(ending, named, sense.part == "n"))
                for named in (_fair(sense, sense.synonyms), _fair(sense, sense.opposites))
            )
            if synonyms or opposites:
                yield Sense(sense.part + ending, "", synonyms, (), (), opposites, frozenset())


def _is_used(text: str, base: str) -> bool:
    """Return whether a plural is used: not "safeties"."""
    plural, one = word(text), word(base)
    return plural is not None and one is not None and plural.times * PLURALS >= one.times


def _with(ending: str, named: Iterable[str], plural: bool) -> Iterator[str]:
    for each in named:
        form = _forms().get((each, ending), "")
        if form in _known() and (not plural or _is_used(form, each)):
            yield form


def _ending(text: str) -> str:
    return next((ending for ending in _ENDINGS if text.endswith(ending)), "")


def _every_sense() -> Iterator[tuple[str, Sense]]:
    yield from senses()
    for base, ending in _forms():
        text = _forms()[base, ending]
        for sense in _of_form(text, base):
            yield text, sense


@cache
def _forms() -> Mapping[tuple[str, str], str]:
    """The regular forms of words by the word and the ending."""
    return {(base, _ending(text)): text for text, base in forms() if _ending(text) and text not in _frames().odd}


def _fair(sense: Sense, words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in sense.others]


def _kinds(found: Word) -> Iterator[Clue]:
    for sense in _senses(found):
        for kind in _fair(sense, sense.kinds)[:1]:
            others = _others(found.text, sense, kind)
            if others:
                said = f"{listed(others, 'and')} {'are others' if len(others) > 1 or _is_plural(kind) else 'is another'}"
                clue = Clue(KIND, f"Kind of {kind} ({said})", (KIND, sense.part, kind, *others))
                yield from (clue,) if len(_of_kind()[sense.part, kind]) > BROAD else _few(clue, found)
        named = _examples(found.text, sense)
        if named:
            yield from _few(Clue(KIND, f"{capital(listed(named, 'or'))}, for example", (_EXAMPLE, sense.part, *named)), found)


def _others(text: str, sense: Sense, kind: str) -> list[str]:
    """Other words of the kind, those that are nearest to this one, as they have to be if there are many of the kind.

    None if it is a plural and the kind is not, or the reverse.
    """
    if _is_plural(text) != _is_plural(kind):
        return []
    barred = {text, *sense.synonyms, *sense.kinds, *_index().get((KIND, sense.part, text), ())}
    every = _of_kind().get((sense.part, kind), ())
    least, near = 2 if len(every) > BROAD else 1, []
    for other, kinds, times in every:
        shared = len(kinds.intersection(sense.kinds))
        fits = other not in barred and _is_plural(other) == _is_plural(kind)
        if fits and shared >= least and not alike(other, text) and not alike(other, kind):
            near.append((-shared, -times, other))
    return [other for _, _, other in sorted(near)[:NAMED]]


@cache
def _of_kind() -> Mapping[tuple[str, str], Sequence[tuple[str, frozenset[str], int]]]:
    """The plain words that clues may call of a kind, with all their kinds and how common they are: by part of speech and kind."""
    found = defaultdict[tuple[str, str], list[tuple[str, frozenset[str], int]]](list)
    for text, sense in senses():
        for kind in _fair(sense, sense.kinds):
            of = word(text)
            if of is not None and of.band != RARE:
                found[sense.part, kind].append((text, frozenset(sense.kinds), of.times))
    return found


def _examples(text: str, sense: Sense) -> list[str]:
    """Two examples of what a word means, [] if there are not so many, or the word is for several of them together."""
    named: list[str] = []
    for each in _fair(sense, sense.examples):
        same = _index().get((_SYNONYM, sense.part, each), ())
        if not _is_plural(each) and not any(other in same or alike(each, other) for other in named):
            named.append(each)
    return named[:NAMED] if len(named) >= NAMED and not _is_plural(text) and text not in _frames().groups else []


@lru_cache(maxsize=1 << 12)
def _is_plural(text: str) -> bool:
    return text.endswith("s") and not text.endswith("ss") and word(text[:-1]) is not None


def _few(clue: Clue, found: Word) -> Iterator[Clue]:
    if len(carriers(clue, len(found.text))) <= MOST:
        yield clue


def _filled(found: Word) -> Iterator[Clue]:
    for sense in _senses(found):
        relations = ((_SYNONYM, _fair(sense, sense.synonyms)), (OPPOSITE, _fair(sense, sense.opposites)))
        for relation, named in relations:
            for other in named[:1]:
                if relation == OPPOSITE and other in _frames().counterparts:
                    continue
                yield _sentence(found.text, sense.part, relation, other)
        if named := _examples(found.text, sense):
            yield from _few(_sentence(found.text, sense.part, _EXAMPLE, *named), found)


def _sentence(text: str, part: str, relation: str, *others: str) -> Clue:
    frames = _frames().frames[relation]
    frame = frames[crc32(f"{text} {others[0]}".encode()) % len(frames)]
    return Clue(FILL_IN, capital(frame.format(*others)), (FILL_IN, part, relation, *others))


def _opposite(found: Word) -> Iterator[Clue]:
    for sense in _senses(found):
        for other in _fair(sense, sense.opposites):
            said = "Counterpart" if other in _frames().counterparts else "Opposite"
            yield Clue(OPPOSITE, f"{said} of {other}", (OPPOSITE, sense.part, other))


# ---- by letters -----------------------------------------------------------------------------------------------------------


def _anagrams(text: str) -> Iterator[Clue]:
    for other in _by_letters().get(_sorted(text), ()):
        if other != text and other in _known():
            yield Clue(ANAGRAM, f"Anagram of {other.upper()}", (ANAGRAM, other))


def _hidden(found: Word) -> Iterator[Clue]:
    """Phrases that have the word across the blank: those that are in use, else an adjective and a noun that are both common."""
    text, phrases = found.text, [phrase for phrase in found.phrases if _hides(found.text, *phrase.split())]
    if not phrases:
        ends, starts = _borders()
        for cut in range(BORDER, len(text) - BORDER + 1):
            pairs = product(ends.get(text[:cut], ())[:TRIED], starts.get(text[cut:], ())[:TRIED])
            phrases += [f"{left} {right}" for left, right in pairs if not alike(left, right) and _hides(text, left, right)]
        phrases.sort(key=lambda phrase: crc32(f"{text} {phrase}".encode()))
    for phrase in phrases[:PHRASES]:
        yield Clue(HIDDEN, f'Hidden in "{phrase}"', (HIDDEN, phrase))


def _hides(text: str, left: str, right: str) -> bool:
    """Return whether neither word shows too much: most of the hidden one, or a word that it is put together of."""
    start = next(cut for cut in range(1, len(text)) if left.endswith(text[:cut]) and right.startswith(text[cut:]))
    parts = text[:start], text[start:]
    if (
        alike(left, text)
        or alike(right, text)
        or max(map(len, parts)) * 3 > len(text) * 2
        or {left, right} & set(_frames().plainer)
    ):
        return False
    if parts[0] in _PREFIXES and parts[1] in _known():
        return False
    return not any(len(part) > 3 and part in _known() for part in parts) and not all(
        len(part) > 2 and part in _known() for part in parts
    )


@cache
def _borders() -> tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]]:
    """Common adjectives by how they end, common nouns by how they begin: the commonest first."""
    ends, starts = defaultdict[str, list[tuple[int, str]]](list), defaultdict[str, list[tuple[int, str]]](list)
    for text in words(COMMON, 4, 10):
        found = word(text)
        parts = {sense.part for sense in found.senses} if found is not None else set()
        for cut in range(BORDER, len(text) - 1):
            if parts == {"a"}:
                ends[text[-cut:]].append((-found.times, text))  # type: ignore[union-attr]
            elif parts == {"n"}:
                starts[text[:cut]].append((-found.times, text))  # type: ignore[union-attr]
    return _by_use(ends), _by_use(starts)


def _by_use(found: Mapping[str, list[tuple[int, str]]]) -> Mapping[str, Sequence[str]]:
    return {part: [text for _, text in sorted(each)] for part, each in found.items()}


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
        part, relation, *rest = rest
    else:
        (part, *rest), relation = rest, _SYNONYM if what == SYNONYMS else what
    if what == KIND:  # the others of the kind are named
        return tuple(sorted(frozenset(_index().get((KIND, part, rest[0]), ())).difference(rest[1:])))
    sets = [_index().get((relation, part, each), ()) for each in rest]
    return tuple(sorted(frozenset(sets[0]).intersection(*sets[1:])))


@cache
def _index() -> Mapping[tuple[str, str, str], Collection[str]]:
    """The words that have a relation to a word: by relation, part of speech and that word; read from both ends."""
    found = defaultdict[tuple[str, str, str], set[str]](set)
    for text, sense in _every_sense():
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
