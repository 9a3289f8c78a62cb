"""Remarks about persons that say nothing about any puzzle: not where they are, how they compare, or who is whose relation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from puzzlemill.core.rng import Rng
from puzzlemill.core.types import Style
from puzzlemill.vocabulary.load import record


@dataclass(frozen=True, slots=True)
class Remarks:
    """Sentences with the place of a name."""

    persons: tuple[str, ...]


@cache
def remarks() -> Remarks:
    """All of them."""
    read: Remarks = record(Remarks, __package__, "remarks.toml")
    return read


def with_remarks(style: Style, names: Sequence[str], places: Sequence[int], rng: Rng) -> Style:
    """The style with different remarks about different ones of these names, each after so many clues."""
    said, about = rng.sample(remarks().persons, len(places)), rng.sample(names, len(places))
    found = [(place, text.replace("{A}", name)) for place, text, name in zip(places, said, about, strict=True)]
    return replace(style, asides=tuple(found))


def known_remarks(names: Sequence[str]) -> frozenset[str]:
    """Every remark about these names."""
    return frozenset([text.replace("{A}", name) for text in remarks().persons for name in names])
