"""Persons of seatings, and what tells them apart besides their names (seats.toml)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from puzzlemill.vocabulary.load import record


@dataclass(frozen=True, slots=True)
class Attribute:
    """noun: of who has the value {v}. each: "comes from a different city". asks: for the value of {x}."""

    noun: str
    each: str
    asks: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Persons:
    """attributes: by their titles."""

    letters: tuple[str, ...]
    people: tuple[str, ...]
    attributes: Mapping[str, Attribute]

    def attribute(self, title: str) -> Attribute:
        """The attribute of this title; of one that is not listed, with words that fit any."""
        known = self.attributes.get(title)
        return known or Attribute(f"the person with {title} {{v}}", f"has a different {title}", f"Which {title} has {{x}}?", ())


@cache
def persons() -> Persons:
    """All of them."""
    read: Persons = record(Persons, __package__, "seats.toml")
    return read
