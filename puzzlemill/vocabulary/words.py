"""Lists of English words: plain ones in alphabetical order (words.txt), and keywords of ciphers (keywords.txt)."""

from __future__ import annotations

from functools import cache

from puzzlemill.vocabulary import load


@cache
def plain_words() -> tuple[str, ...]:
    """Words of three to eight letters, in small letters and alphabetical order."""
    return load.words(__package__, "words.txt")


@cache
def keywords() -> tuple[str, ...]:
    """Words of five to seven capital letters without J, no two of them with the same set of letters."""
    return load.words(__package__, "keywords.txt")
