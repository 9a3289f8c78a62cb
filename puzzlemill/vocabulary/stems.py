"""Words that look like forms of one word: what a clue must not say of its answer."""

from __future__ import annotations

import re

_WORD = re.compile(r"[a-z]+")
_ENDINGS = (
    *("iness", "ness", "ingly", "edly", "ation", "ally", "ing", "ies", "ied", "ier", "ily"),
    *("ed", "er", "es", "ly", "s", "y", "e"),
)


def stem(word: str) -> str:
    """A word without the endings of its forms; no more than what tells forms apart."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def alike(one: str, other: str) -> bool:
    """Return whether two words look like forms of one: the same stem, or one inside the other."""
    short, long = sorted((one, other), key=len)
    if len(short) >= 3 and short in long:
        return True
    shared = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(short))
    return shared >= max(4, len(short) - 2) or stem(one) == stem(other)


def gives_away(text: str, word: str) -> bool:
    """Return whether a word of the text looks like a form of this word."""
    return any(alike(part, word) for part in _WORD.findall(text.lower()))
