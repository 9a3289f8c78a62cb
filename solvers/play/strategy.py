"""Results of a solved game (core.model.Game)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Protocol

from puzzlemill.core.errors import BadInput
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


def check_sizes(what: str, game: Game, truths: int, actions: int, outcomes: int) -> None:
    """Raise BadInput for a game with more truths, actions or outcomes of an action, or with masks beyond its truths."""
    if not 1 <= game.truths <= truths:
        raise BadInput(f"{what}: expected 1 to {truths} truths, got {game.truths}; choose a smaller game")
    if len(game.excludes) > actions:
        raise BadInput(f"{what}: expected at most {actions} actions, got {len(game.excludes)}; choose a smaller game")
    for a, masks in enumerate(game.excludes):
        if not 1 <= len(masks) <= outcomes:
            raise BadInput(f"{what}: action {a} has {len(masks)} outcomes, expected 1 to {outcomes}")
        for s, mask in enumerate(masks):
            if not 0 <= mask < 1 << game.truths:
                raise BadInput(f"{what}: outcome {s} of action {a} excludes truths beyond the {game.truths}: mask {mask:#x}")


def check_world(what: str, game: Game, outcomes: tuple[int, ...]) -> None:
    """Raise BadInput unless these are outcomes of all actions, and leave as many truths as hold."""
    sizes = [len(masks) for masks in game.excludes]
    if len(outcomes) != len(sizes) or not all(0 <= s < size for s, size in zip(outcomes, sizes, strict=True)):
        raise BadInput(f"{what}: expected an outcome of each of the {len(sizes)} actions, got {outcomes}")
    left = game.truths - reduce(or_, [masks[s] for masks, s in zip(game.excludes, outcomes, strict=True)], 0).bit_count()
    if left != game.valid:
        raise BadInput(f"{what}: the outcomes {outcomes} leave {left} truths, expected {game.valid}")
