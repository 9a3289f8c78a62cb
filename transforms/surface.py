"""Changes of the surface that any family that lists its clues has: whoever solves the parent should solve the child."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, final

from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily, Pairing, Relation, Transform
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyPuzzle, Kind, QuestionKind, Spec, Style


@final
@dataclass(frozen=True, slots=True)
class ShuffleClues(Transform):
    """State the clues in another order. Fits families that state clues as a list, in the order that the style's `order` gives."""

    name: str = "shuffle_clues"
    kind: Kind = Kind.SURFACE
    relation: Relation = Relation.SURFACE
    pairing: Pairing = Pairing.EXACT
    about: str = "the clues in another order"

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return family.clues.listed(spec) and family.question(spec).kind is not QuestionKind.PLAY

    def restyle(self, family: AnyFamily, puzzle: AnyPuzzle, rng: Rng) -> Style:
        now = puzzle.style.order or tuple(range(len(puzzle.clues)))
        if len(now) < 2:
            raise Discarded("no_other_order")
        while True:  # half of the orders or fewer are the present one
            order = tuple(rng.shuffled(now))
            if order != now:
                return replace(puzzle.style, order=order)


TRANSFORMS: tuple[Transform, ...] = (ShuffleClues(),)
