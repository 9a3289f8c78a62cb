"""The material of the background chapters of long books (lore.toml): names, words for slots, and paragraphs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from puzzlemill.vocabulary.load import record


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A title, and sentences in order, each in several alternatives with slots."""

    title: str
    sentences: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Lore:
    """first_she, first_he, last: names of people. chapters: titles with {town}. words: slot -> what may stand there."""

    first_she: tuple[str, ...]
    first_he: tuple[str, ...]
    last: tuple[str, ...]
    towns: tuple[str, ...]
    chapters: tuple[str, ...]
    words: Mapping[str, tuple[str, ...]]
    paragraphs: tuple[Paragraph, ...]


@cache
def lore() -> Lore:
    read: Lore = record(Lore, __package__, "lore.toml")
    return read
