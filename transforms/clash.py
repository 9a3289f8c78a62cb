"""Unsolvable puzzles that differ from a solvable parent in one thing: a clue changed or moved, or a piece put elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, final

from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily, Pairing, Relation, Transform
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Depth, Kind, Oracle, Spec, Status

TRIES = 1_000  # changed puzzles looked at before the parent is given up
VISIBLE = 2  # a clash of so few clues can be seen by comparing them
MURMURS = 240  # changes that an engine refutes without a guess, after which no other is sought where either depth will do
QUIET = 60  # of the changes that an engine refutes without a guess, how many are looked at for a deep clash
LOOKS = 300  # of the others, how many are looked at for a clash of the wanted depth
GLANCES = 30  # the same where either depth will do
PATIENCE = 12  # visible clashes that are passed over in search of another
_CHANGED = "one thing of its parent was changed or moved so that no answer is left"


@final
@dataclass(frozen=True, slots=True)
class Clash(Transform):
    """Take one minimal change of the family (Family.changes) that leaves no answer, of the wanted depth.

    The number of clues stays: in a puzzle with few clues one more would give the child away. A shallow clash is one that
    setting what is forced finds; three drafts in four pass over up to 12 of them that show at a glance, those whose minimal
    clash has two clues or one. Without a wanted depth, one is drawn evenly, and the other is taken if the puzzle hardly has it.
    Raises Discarded("no_clash") if none of the first 1,000 changes will do, of which the depth of 300 is found out.
    """

    name: str = "clash"
    depth: Depth | None = None
    kind: Kind = Kind.UP
    relation: Relation = Relation.EDIT
    pairing: Pairing = Pairing.GROUP
    promises: Status | None = Status.UNSOLVABLE
    about: str = _CHANGED

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return family.clues.can_clash(spec)

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: Rng, oracle: Oracle) -> AnyDraft:
        want = self.depth or (Depth.DEEP if rng.child("depth").chance(1, 2) else Depth.SHALLOW)
        patience = 0 if want is Depth.DEEP or rng.child("patience").chance(1, 4) else PATIENCE
        plain: list[AnyPuzzle] = []
        for ways in (family.clues.exchanges(draft.puzzle, rng), family.clues.changes(draft.puzzle, rng)):
            found = self._first(family, islice(ways, TRIES), want, patience, plain, oracle)
            if found is not None:
                return replace(draft, puzzle=found, answer=None)
        if plain and self.depth is not Depth.DEEP:
            return replace(draft, puzzle=plain[0], answer=None)
        raise Discarded("no_clash")

    def _first(
        self,
        family: AnyFamily,
        ways: Iterator[AnyPuzzle],
        want: Depth,
        patience: int,
        plain: list[AnyPuzzle],
        oracle: Oracle,
    ) -> AnyPuzzle | None:
        """The first change that will do, or where either depth will do one of the other; plain: gets those that show at a glance."""
        either = self.depth is None
        passed: AnyPuzzle | None = None  # what is taken if nothing better comes
        quiet: list[AnyPuzzle] = []  # left no answer without a guess of the engine: hardly ever deep, and asked for last
        looks = GLANCES if either else LOOKS
        for edited in ways:
            if _at_a_glance(family, edited):
                plain.append(edited)
                continue
            if oracle.count(edited, 1):
                continue
            if want is Depth.DEEP and not oracle.nodes(edited):
                quiet.append(edited)
                if either and len(quiet) == MURMURS:
                    break
                continue
            looks -= 1
            if oracle.depth(edited) is not want:
                passed = passed or (edited if either else None)
                if not looks:
                    break
                continue
            if patience and edited.clues and _clues_in(oracle.unsat_core(edited), edited) <= VISIBLE:
                patience -= 1
                passed = edited
                if patience:
                    continue
            return edited
        for edited in quiet[: min(QUIET, looks)]:
            if oracle.depth(edited) is want:
                return edited
        return passed or (quiet[0] if quiet and either else None)


def _at_a_glance(family: AnyFamily, puzzle: AnyPuzzle) -> bool:
    """Return whether the values that the puzzle shows outright break a rule as they stand."""
    shown = family.clues.in_sight(puzzle)
    if shown is None:
        return False
    return bool(family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, tuple(shown)), partial=True))


def _clues_in(clash: tuple[str, ...], puzzle: AnyPuzzle) -> int:
    """How many members of an unsat core are clues; the others are rules."""
    ids = {clue.id for clue in puzzle.clues}
    return sum(label in ids for label in clash)


TRANSFORMS: tuple[Transform, ...] = (
    Clash(),
    Clash("deep_clash", Depth.DEEP, about=f"{_CHANGED}, as only a search shows"),
    Clash("shallow_clash", Depth.SHALLOW, about=f"{_CHANGED}, as setting what is forced shows"),
)
