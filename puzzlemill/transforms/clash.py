"""Unsolvable puzzles that differ from a solvable parent in one clue, changed or added."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar, final

from puzzlemill.core.errors import Discarded
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyDraft, AnyFamily, AnyPuzzle, Ask, Family, Kind, Pairing, Relation, Spec, Status, Transform

TRIES = 400  # changed clues looked at before the parent is given up
VISIBLE = 2  # a clash of so few clues can be seen by comparing them
PATIENCE = 12  # visible clashes that are passed over in search of another


@final
class Clash(Transform):
    """Replace one clue by an alternative of the family, or add one, so that no answer is left.

    Where to change is drawn evenly among the clues and "add one", and changes there are tried in random order. One draft in four
    takes the first that leaves no answer. The others pass over up to 12 that show at a glance, those whose minimal clash has two
    clues or one, and take the first of these if nothing else comes. Raises Discarded("no_clash") if none of the first 400 changes
    leaves no answer.
    """

    name: ClassVar[str] = "clash"
    kind: ClassVar[Kind] = Kind.UP
    relation: ClassVar[Relation] = Relation.EDIT
    pairing: ClassVar[Pairing] = Pairing.GROUP
    promises: ClassVar[Status | None] = Status.UNSOLVABLE

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return type(family).alternatives is not Family.alternatives

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: Rng, ask: Ask) -> AnyDraft:
        passed: list[AnyPuzzle] = []
        patience = 0 if rng.child("patience").chance(1, 4) else PATIENCE
        for edited in islice(_changes(family, draft.puzzle, rng), TRIES):
            if ask.count(edited, 1):
                continue
            if patience and _clues_in(ask.clash(edited), edited) <= VISIBLE:
                passed.append(edited)
                patience -= 1
                if patience:
                    continue
                break
            return replace(draft, puzzle=edited, answer=None)
        if not passed:
            raise Discarded("no_clash")
        return replace(draft, puzzle=passed[0], answer=None)


def _clues_in(clash: tuple[str, ...], puzzle: AnyPuzzle) -> int:
    """How many members of a clash are clues; the others are rules."""
    ids = {clue.id for clue in puzzle.clues}
    return sum(label in ids for label in clash)


def _changes(family: AnyFamily, puzzle: AnyPuzzle, rng: Rng) -> Iterator[AnyPuzzle]:
    """The puzzle with one clue replaced or added, place by place."""
    clues = puzzle.clues
    for place in rng.shuffled(range(len(clues) + 1)):  # the place after the last clue: one more
        here = rng.child("place", place)
        look = puzzle.look
        added = place == len(clues)
        if added and look.order:  # it is told anywhere among the others
            at = here.child("order").below(len(clues) + 1)
            look = replace(look, order=(*look.order[:at], place, *look.order[at:]))
        for clue in family.additions(puzzle, here) if added else family.alternatives(puzzle, clues[place], here):
            yield replace(puzzle, clues=(*clues[:place], clue, *clues[place + 1 :]), look=look)


TRANSFORMS: tuple[Transform, ...] = (Clash(),)
