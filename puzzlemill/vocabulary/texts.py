"""Texts of plain words, drawn evenly."""

from __future__ import annotations

from functools import cache, lru_cache

from puzzlemill.core.rng import Rng
from puzzlemill.vocabulary.words import plain_words


@cache
def _by_length() -> dict[int, list[str]]:
    words = plain_words()
    return {size: [word for word in words if len(word) == size] for size in sorted({len(word) for word in words})}


def run_on(letters: int, rng: Rng) -> str:
    """Words without the spaces between them: every row of words that has this many letters in all is equally likely."""
    made = ""
    while len(made) < letters:
        left = letters - len(made)
        place = rng.below(rows_of_words(left))
        for size, words in _by_length().items():
            rest = rows_of_words(left - size) if size <= left else 0
            if place < rest * len(words):
                made += words[place // rest]
                break
            place -= rest * len(words)
    return made


@lru_cache(maxsize=128)
def rows_of_words(letters: int) -> int:
    """How many rows of words have this many letters in all."""
    if not letters:
        return 1
    return sum([len(words) * rows_of_words(letters - size) for size, words in _by_length().items() if size <= letters])
