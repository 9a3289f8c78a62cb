"""Fewer clues for the same answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, final

from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily, Pairing, Relation, Transform
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyDraft, Kind, Oracle, Spec
from puzzlemill.transforms.forms import valid


@final
@dataclass(frozen=True, slots=True)
class FewerGivens(Transform):
    """Leave out more of the parent's clues while one answer remains, down to `to` of them; 0: until each is needed.

    field: the parameter that says how many stay.
    """

    name: str = "fewer_givens"
    kind: Kind = Kind.IC1
    relation: Relation = Relation.EDIT
    pairing: Pairing = Pairing.SAME_ANSWER
    to: int = 0
    args: tuple[str, ...] = ("to",)
    field: str = "givens"
    about: str = "more of the givens left out, the answer being the same"
    needs: str = "family.params.givens above 0, the number that the parent keeps"

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return getattr(spec.params, self.field, 0) > self.to and valid(family, self._fewer(spec))

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: Rng, oracle: Oracle) -> AnyDraft:
        puzzle = draft.puzzle
        kept = oracle.minimize(puzzle, family.clues.removal_order(draft, rng), self.to)
        if len(kept) == len(puzzle.clues):
            raise Discarded("none_fewer")
        fewer = puzzle.with_clues([puzzle.clues[i] for i in kept])
        return replace(draft, puzzle=replace(fewer, spec=self._fewer(puzzle.spec)))

    def changed(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return self._fewer(spec)

    def _fewer(self, spec: Spec[Any]) -> Spec[Any]:
        return replace(spec, params=replace(spec.params, **{self.field: self.to}))


TRANSFORMS: tuple[Transform, ...] = (FewerGivens(),)
