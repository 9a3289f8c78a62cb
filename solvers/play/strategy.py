"""Results of a solved game (core.model.Game)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Protocol

from puzzlemill.core.model import Game


class Semantics(str, Enum):
    """EXACT: expected number of actions under the game's own prior, all worlds equally likely, until what holds is certain.

    COMPAT: the search that KUMO's authors published: the truths left are equally likely again after each outcome, the promise is
    not used, an outcome's chance goes by the truths that survive it. Its figure is not what playing it costs.
    """

    EXACT = "exact"
    COMPAT = "kumo_compat"


@dataclass(frozen=True, slots=True)
class Value:
    """The expected number of actions of the best play.

    low, high: bounds that are proved; equal where `decided`, else the budget of nodes was spent between them.
    nodes: states that were expanded.
    """

    low: Fraction
    high: Fraction
    decided: bool
    nodes: int


class Strategy(Protocol):
    """A solved game. State: `left`, the truths that no outcome has excluded, and `unused`, the actions not done, as bit masks."""

    semantics: Semantics
    value: Value

    def best(self, left: int, unused: int) -> int | None:
        """The best next action, of equally good ones the first; None where it is certain which truths hold.

        Raises Discarded("budget") where the node budget ends first.
        """
        ...

    def actions(self, outcomes: tuple[int, ...]) -> tuple[int, ...]:
        """The actions of the best play in the world with these outcomes, in order."""
        ...

    def per_truth(self) -> tuple[Fraction | None, ...]:
        """The expected number of actions given that this truth holds; None where no world has it."""
        ...


def played(strategy: Strategy, game: Game, outcomes: tuple[int, ...]) -> tuple[int, ...]:
    """The actions that a strategy does in the world with these outcomes of all actions, in order."""
    left, unused = (1 << game.truths) - 1, (1 << len(game.excludes)) - 1
    done: list[int] = []
    while (action := strategy.best(left, unused)) is not None:
        done.append(action)
        left &= ~game.excludes[action][outcomes[action]]
        unused ^= 1 << action
    return tuple(done)
