"""Quotations that nobody has said: sentences of quotes.toml, each frame filled with curated words.

The sentences of one quotation are of one register and speak of the same things: the first word that a slot is given stands in the
slots of that name in the sentences that follow. Articles, plurals and the third person agree with the words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from puzzlemill.core.rng import Rng
from puzzlemill.core.words import many as plural
from puzzlemill.core.words import with_article
from puzzlemill.vocabulary import load

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{((?:an? |A )?)([A-Za-z]+?)(s?)((?: 2)?)\}")


@dataclass(frozen=True, slots=True)
class _Frames:
    """quotes.toml as it is written. words: by slot. frames: by register."""

    words: Mapping[str, tuple[str, ...]]
    frames: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Quotation:
    """text: its sentences with their signs. author: a name that nobody bears, as far as we know."""

    text: str
    author: str


@cache
def _frames() -> _Frames:
    found: _Frames = load.record(_Frames, __package__, "quotes.toml")
    return found


def quotation(sentences: int, rng: Rng) -> Quotation:
    """So many sentences, of different frames. Raises ValueError if a register has fewer frames."""
    grammar = _frames()
    register = rng.child("register").pick(sorted(grammar.frames))
    frames = grammar.frames[register]
    if not 1 <= sentences <= len(frames):
        raise ValueError(f"sentences: expected 1 to {len(frames)}, got {sentences}")
    words: dict[str, str] = {}
    said = [
        _filled(frames[place], words, rng.child("sentence", n)) for n, place in enumerate(rng.few(range(len(frames)), sentences))
    ]
    names = rng.child("author")
    return Quotation(" ".join(said), f"{names.pick(grammar.words['first'])} {names.pick(grammar.words['last'])}")


def _filled(frame: str, words: dict[str, str], rng: Rng) -> str:
    """A frame with its choices made. words: what slots have been given in this quotation, which this adds to."""
    chosen = _CHOICE.sub(lambda choice: rng.child("choice", choice.start()).pick(choice.group(1).split("|")), frame)

    def fill(slot: re.Match[str]) -> str:
        article, name, ending, second = slot.groups()
        kind = name.lower()
        if kind not in _frames().words:
            kind, ending = kind + ending, ""
        if kind + second not in words:
            used = {word for given, word in words.items() if given.split()[0] == kind}
            words[kind + second] = rng.child("word", slot.start()).pick(
                [word for word in _frames().words[kind] if word not in used]
            )
        word = words[kind + second]
        if ending:
            word = plural(word)
        if article:
            word = with_article(word)
        return word[0].upper() + word[1:] if name[0].isupper() or article == "A " else word

    text = _SLOT.sub(fill, chosen)
    return text[0].upper() + text[1:]


def frames() -> int:
    """The number of frames."""
    return sum([len(each) for each in _frames().frames.values()])
