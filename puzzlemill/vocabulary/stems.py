"""Words that look like forms of one word: what a clue must not say of its answer."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[a-z]+")
_LITTLE = frozenset(
    _WORD.findall("the and for are any not who can has one its was his her all with from that this into than some")
)
_ENDINGS = (
    *(
        "lessly",
        "fully",
        "lessness",
        "fulness",
        "less",
        "ful",
        "iness",
        "ness",
        "ingly",
        "edly",
        "ation",
        "ally",
        "ing",
        "ies",
        "ied",
        "ier",
        "ily",
    ),
    *("ed", "er", "es", "ly", "s", "y", "e"),
)


@lru_cache(maxsize=1 << 15)
def stem(word: str) -> str:
    """A word without the endings of its forms; no more than what tells forms apart."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


_PREFIXES = ("non", "dis", "mis", "un", "in", "im", "ir", "il", "re")


@lru_cache(maxsize=1 << 15)
def bare(word: str) -> str:
    """A word without the beginnings that turn its meaning round, say "again" or "not"."""
    for prefix in _PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= 4:
            return bare(word.removeprefix(prefix))
    return word


def alike(one: str, other: str) -> bool:
    """Return whether two words look like forms of one, or are put together with one word: they share a beginning or an end.

    Beginnings such as "un" are passed over as well: "irreversible" looks like "reversed".
    """
    first, second = bare(one), bare(other)
    return _alike(one, other) or ((first, second) != (one, other) and _alike(first, second))


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(short) >= 3 and short in long and short not in _LITTLE:
        return True
    least = max(4, (len(short) + 1) // 2)
    if one[:4] == other[:4] and _shared(one, other) >= least:
        return True
    ends = stem(one), stem(other)
    if ends[0] == ends[1]:
        return True
    if ends[0][-4:] != ends[1][-4:]:  # at least four letters are shared
        return False
    return _shared(ends[0][::-1], ends[1][::-1]) >= max(4, (min(map(len, ends)) + 1) // 2)


def _shared(one: str, other: str) -> int:
    """The number of letters that both begin with."""
    for count, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return count
    return min(len(one), len(other))


def gives_away(text: str, word: str) -> bool:
    """Return whether a word of the text looks like a form of this word."""
    return any(alike(part, word) for part in _WORD.findall(text.lower()))
