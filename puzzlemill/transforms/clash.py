"""Unsolvable puzzles that differ from a solvable parent in one clue."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, final

from puzzlemill.core.errors import Discarded
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyDraft, AnyFamily, Ask, Family, Kind, Pairing, Relation, Spec, Status, Transform

TRIES = 400  # changed clues looked at before the parent is given up


@final
class Clash(Transform):
    """Replace one clue by an alternative of the family so that no answer is left.

    Clues and alternatives are tried in random order; the first change without an answer is taken, so shallow and deep clashes
    come
    as the family's puzzles offer them. Raises Discarded("no_clash") if none of the first 400 changes does it.
    """

    name: ClassVar[str] = "clash"
    kind: ClassVar[Kind] = Kind.UP
    relation: ClassVar[Relation] = Relation.EDIT
    pairing: ClassVar[Pairing] = Pairing.GROUP
    promises: ClassVar[Status | None] = Status.UNSOLVABLE

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return type(family).alternatives is not Family.alternatives

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: Rng, ask: Ask) -> AnyDraft:
        puzzle = draft.puzzle
        tries = 0
        for position in rng.shuffled(range(len(puzzle.clues))):
            for other in family.alternatives(puzzle, puzzle.clues[position], rng.child("alternatives", position)):
                clues = (*puzzle.clues[:position], other, *puzzle.clues[position + 1 :])
                edited = replace(puzzle, clues=clues)
                if ask.count(edited, 1) == 0:
                    return replace(draft, puzzle=edited, answer=None)
                tries += 1
                if tries == TRIES:
                    raise Discarded("no_clash")
        raise Discarded("no_clash")


TRANSFORMS: tuple[Transform, ...] = (Clash(),)
