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
    """Replace one clue by an alternative of the family, or add one, so that no answer is left.

    Where to change is drawn evenly among the clues and "add one"; the first change there that leaves no answer is taken, so
    shallow and deep clashes come as the family's puzzles offer them. Raises Discarded("no_clash") if none of the first 400 does.
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
        clues = puzzle.clues
        tries = 0
        for place in rng.shuffled(range(len(clues) + 1)):  # the place after the last clue: one more
            here = rng.child("place", place)
            changes = family.additions(puzzle, here) if place == len(clues) else family.alternatives(puzzle, clues[place], here)
            look = puzzle.look
            if place == len(clues) and look.order:  # an added clue is told anywhere among the others
                at = here.child("order").below(len(clues) + 1)
                look = replace(look, order=(*look.order[:at], place, *look.order[at:]))
            for clue in changes:
                edited = replace(puzzle, clues=(*clues[:place], clue, *clues[place + 1 :]), look=look)
                if ask.count(edited, 1) == 0:
                    return replace(draft, puzzle=edited, answer=None)
                tries += 1
                if tries == TRIES:
                    raise Discarded("no_clash")
        raise Discarded("no_clash")


TRANSFORMS: tuple[Transform, ...] = (Clash(),)
