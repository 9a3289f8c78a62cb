"""Quotations: composed ones, sentences that explain words, or those of a user's file.

Composed ones nobody has said: sentences of quotes.toml, each frame filled with curated words. The sentences of one quotation are
of one scene: the first names a subject that the others take up, and the first word that a slot is given stands in the slots of
that name in those that follow. Articles, plurals, pronouns and the third person agree with the words.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import printable
from puzzlemill.core.words import many as plural
from puzzlemill.core.words import with_article
from puzzlemill.vocabulary import load
from puzzlemill.vocabulary.lexicon import RARE, words
from puzzlemill.vocabulary.quote_files import MAX_NAME, Quotation, letters, of_source, plain

__all__ = ("COMPOSED", "EXAMPLES", "Quotation", "check_source", "drawn", "frames", "letters", "plain", "quotation", "words_of")
COMPOSED, EXAMPLES = SOURCES = ("composed", "examples")
LEAST_LETTERS, MAX_LETTERS = 14, 400  # of a composed quotation
_KIN = "kin"  # a slot for one of the lists he and she
_TYPICAL = 45  # letters of a sentence
_BRIEF = 40  # letters of a text for which sayings are looked at too
TRIES = 400  # composed quotations that are looked at for one of the wished length
_EXPLAINED = "WordNet"  # the author of examples
_RUN = re.compile(r"[A-Z]+")
_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{((?:an? |A )?)([A-Za-z]+?)(s?)((?: [2-9])?)\}")


@dataclass(frozen=True, slots=True)
class _Scene:
    """Sentences about one subject. first: those that name it. then: what follows. last: what may end the text. brief: sayings."""

    first: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    last: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Frames:
    """quotes.toml as it is written. words: by slot."""

    words: Mapping[str, tuple[str, ...]]
    scenes: Mapping[str, _Scene]


@cache
def _frames() -> _Frames:
    found: _Frames = load.record(_Frames, __package__, "quotes.toml")
    return found


def check_source(source: str) -> None:
    """Raise BadParams for what cannot name a source: neither of SOURCES, nor a path or the name of a file that a recipe has."""
    if not source or len(source) > MAX_NAME or not source.isprintable():
        raise BadParams(f"source: expected {', '.join(SOURCES)} or a file of quotations, got {printable(source[:80])!r}")


def drawn(source: str, least: int, most: int, rng: Rng, band: str = RARE) -> Quotation:
    """A quotation of `least` to `most` letters whose words are all in the band of the lexicon.

    source: COMPOSED, EXAMPLES, the name of a file that a recipe brings along, or the path of a user's file. What it has that is
    too long or short, or has other words, is passed over. Raises BadParams if nothing is left, BadFile for a file with defects.
    """
    check_source(source)
    if source == COMPOSED:
        return _composed(least, most, rng, band)
    found = _of_length(source, least, most, band)
    if not found:
        raise _none(source, least, most, band)
    return rng.pick(found)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a plain text: its runs of letters, in lower case. An apostrophe ends a word, so that no lexicon has IT'S."""
    return tuple([run.lower() for run in _RUN.findall(text)])


@lru_cache(maxsize=256)
def _of_length(source: str, least: int, most: int, band: str) -> Sequence[Quotation]:
    every = _examples() if source == EXAMPLES else of_source(source)
    shown = [(one, plain(one.text)) for one in every]
    return [one for one, text in shown if least <= letters(text) <= most and not _unknown(text, band)]


def _unknown(text: str, band: str) -> str:
    """The first word of a plain text that is not in the band, "" for none."""
    return next((word for word in words_of(text) if word not in _known(band)), "")


def _none(source: str, least: int, most: int, band: str) -> BadParams:
    every = _examples() if source == EXAMPLES else of_source(source)
    name = "its examples" if source == EXAMPLES else f"{printable(source)}: the quotations"
    lengths = sorted({letters(plain(one.text)) for one in every if not _unknown(plain(one.text), band)})
    if not lengths:
        one = every[0]
        return BadParams(
            f"{name}: each has a word that is not in the lexicon's band {band!r}, as {_unknown(plain(one.text), band)!r} in "
            f"{one.text[:40]!r}; add quotations of plain words, or take a wider band"
        )
    got = f"{lengths[0]} to {lengths[-1]}" if len(lengths) > 1 else f"{lengths[0]}"
    return BadParams(
        f"{name}: expected one of {least} to {most} letters whose words are in the lexicon's band {band!r}, got {got} letters; "
        "add longer or shorter quotations, or ask for other lengths"
    )


@cache
def _known(band: str) -> frozenset[str]:
    return frozenset(words(band))


@cache
def _examples() -> tuple[Quotation, ...]:
    raw = load.content(__package__, "examples.txt.gz")
    try:
        lines = gzip.decompress(raw).decode("ascii").splitlines()
    except (OSError, EOFError, ValueError) as error:
        raise BadFile(f"puzzlemill/vocabulary/examples.txt.gz: {error}; install puzzlemill anew") from None
    return tuple([Quotation(line, _EXPLAINED) for line in lines])


def _composed(least: int, most: int, rng: Rng, band: str) -> Quotation:
    if not LEAST_LETTERS <= most <= MAX_LETTERS or least > most:
        raise BadParams(
            f"composed quotations: expected {LEAST_LETTERS} to {MAX_LETTERS} letters, got {least} to {most}; ask for others"
        )
    for n in range(TRIES):
        sentences = max(1, round((least + most) / 2 / _TYPICAL) + 1 - n % 3)
        found = quotation(0 if least <= _BRIEF and n % 2 else sentences, rng.child("try", n))
        text = plain(found.text)
        if least <= letters(text) <= most and not _unknown(text, band):
            return found
    raise BadParams(
        f"composed quotations: none of {TRIES} has {least} to {most} letters and words of the band {band!r}; ask for more lengths"
    )


def quotation(sentences: int, rng: Rng) -> Quotation:
    """So many sentences of one scene, of different frames; 0: a saying of a few words. Raises ValueError for too many."""
    scenes = _frames().scenes
    here = rng.child("scene")
    if not sentences:
        frames = [here.pick([frame for name in sorted(scenes) for frame in scenes[name].brief])]
    else:
        scene, first = here.pick([(scenes[name], frame) for name in sorted(scenes) for frame in scenes[name].first])
        most = 2 + len(scene.then)
        if not 1 <= sentences <= most:
            raise ValueError(f"sentences: expected 0 to {most}, got {sentences}")
        between, ends = scene.then, scene.last if sentences > 2 else (*scene.last, *scene.then)
        middle = rng.child("then").few(between, sentences - 2) if sentences > 2 else []
        frames = [first, *middle, *([rng.child("last").pick(ends)] if sentences > 1 else [])]
    given = dict(zip(("he", "him", "his"), rng.child("who").pick((("he", "him", "his"), ("she", "her", "her"))), strict=True))
    said = [_filled(frame, given, rng.child("sentence", n)) for n, frame in enumerate(frames)]
    names, words = rng.child("author"), _frames().words
    return Quotation(" ".join(said), f"{names.pick(words['first'])} {names.pick(words['last'])}")


def _filled(frame: str, given: dict[str, str], rng: Rng) -> str:
    """A frame with its choices made. given: the words that slots have in this quotation, pronouns too, which this adds to."""
    lists = _frames().words
    chosen = _CHOICE.sub(lambda choice: rng.child("choice", choice.start()).pick(choice.group(1).split("|")), frame)

    def fill(found: re.Match[str]) -> str:
        article, name, ending, which = found.groups()
        kind = name.lower()
        if kind not in (*lists, *given, _KIN):
            kind, ending = kind + ending, ""
        if kind + which not in given:
            used = {word for slot, word in given.items() if slot.split()[0] == kind}
            known = (
                lists[given["he"]]
                if kind == _KIN and not which
                else [*lists["he"], *lists["she"]]
                if kind == _KIN
                else lists[kind]
            )
            given[kind + which] = rng.child("word", found.start()).pick([word for word in known if word not in used])
        word = given[kind + which]
        if ending:
            word = plural(word)
        if article:
            word = with_article(word)
        return word[0].upper() + word[1:] if name[0].isupper() or article == "A " else word

    text = _SLOT.sub(fill, chosen)
    return text[0].upper() + text[1:]


def frames() -> int:
    """The number of frames."""
    return sum([len(each.first) + len(each.then) + len(each.last) + len(each.brief) for each in _frames().scenes.values()])
