"""Unsolvable puzzles that differ from a solvable parent in one clue, changed or moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Any, ClassVar, final

from puzzlemill.core.errors import Discarded
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyDraft, AnyFamily, AnyPuzzle, Ask, Family, Kind, Pairing, Relation, Spec, Status, Transform

TRIES = 400  # changed clues looked at before the parent is given up
MOVES = 40  # of these, clues about something else that are tried in one clue's place
VISIBLE = 2  # a clash of so few clues can be seen by comparing them
PATIENCE = 12  # visible clashes that are passed over in search of another


@final
class Clash(Transform):
    """Replace one clue by an alternative of the family, or by a clue about something else, so that no answer is left.

    The number of clues stays: in a puzzle with few clues one more would give the child away. Which clue to replace is drawn
    evenly, and its changes are tried in random order. One draft in four takes the first that leaves no answer. The others pass
    over up to 12 that show at a glance, those whose minimal clash has two clues or one, and take the first of these if nothing
    else comes. Raises Discarded("no_clash") if none of the first 400 changes leaves no answer.
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
    """The puzzle with one clue replaced, place by place."""
    clues = puzzle.clues
    for place in rng.shuffled(range(len(clues))):
        here = rng.child("place", place)
        ways = [
            family.alternatives(puzzle, clues[place], here.child("change")),
            islice(family.additions(puzzle, here.child("move")), MOVES),
        ]
        for clue in chain(*(ways[::-1] if here.chance(1, 4) else ways)):
            yield replace(puzzle, clues=(*clues[:place], clue, *clues[place + 1 :]))


TRANSFORMS: tuple[Transform, ...] = (Clash(),)
