"""Frames of invented domains: scenes, and ways to find out, with gaps for the names that invent.py makes up.

The wording stands in frames.toml, all of it our own. In it {place} and {person} are names, {it} is what the scene is about, and
{y} is the word that makes an action's instrument this domain's own ("the tesk lamp").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from puzzlemill.vocabulary.load import record


@dataclass(frozen=True, slots=True)
class Method:
    """A way to find out. thing: a noun; does: an infinitive phrase with it.

    outcomes: clauses that exclude each other, in which "=" is the thing; () for a numeric way.
    quantity, unit, scale: of a numeric way; unit "*" for an invented one; scale is (low, high, decimals), low and high without
    their points.
    """

    thing: str
    does: str
    outcomes: tuple[str, ...] = ()
    quantity: str = ""
    unit: str = ""
    scale: tuple[int, int, int] = (0, 0, 0)

    def clauses(self, word: str) -> tuple[str, ...]:
        """The outcomes of the thing that this word makes the domain's own."""
        return tuple([outcome.replace("=", f"the {word} {self.thing}").format(y=word) for outcome in self.outcomes])


@dataclass(frozen=True, slots=True)
class Frame:
    """A scene. nouns: truth, truths, action, actions. form: how the two words of a truth's name are put together.

    pool: the name of the ways to find out that it shares with other frames. own: its own.
    """

    title: str
    topic: str
    nouns: tuple[str, str, str, str]
    it: str
    scene: str
    question: str
    form: str
    pool: str
    own: tuple[Method, ...]


@dataclass(frozen=True, slots=True)
class Stock:
    """Every frame, and the pools that frames share, by name: frames.toml."""

    pools: Mapping[str, tuple[Method, ...]]
    frames: tuple[Frame, ...]


@cache
def stock() -> Stock:
    read: Stock = record(Stock, __package__, "frames.toml")
    return read
