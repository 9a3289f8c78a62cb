"""Names and remarks for families (kin.toml)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from puzzlemill.vocabulary.load import record


@dataclass(frozen=True, slots=True)
class KinWords:
    """names: of men and women alike. letters: names of one letter. symbols: of coded statements. asides: of {x} and {y}."""

    names: tuple[str, ...]
    letters: tuple[str, ...]
    symbols: tuple[str, ...]
    asides: tuple[str, ...]


@cache
def kin_words() -> KinWords:
    """All of them."""
    read: KinWords = record(KinWords, __package__, "kin.toml")
    return read
