"""Unsolvable puzzles that differ from a solvable parent in one thing: a clue changed or moved, or a piece put elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
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
GLANCES = 30  # the same for a shallow one where either depth will do
GLARES = 20  # changes in a row that show at a glance, after which no other is sought where either depth will do
PATIENCE = 12  # visible clashes that are passed over in search of another
_CHANGED = "one thing of its parent was changed or moved so that no answer is left"


@final
@dataclass(frozen=True, slots=True)
class Clash(Transform):
    """Take one minimal change of the family (core/clues.py) that leaves no answer, of the wanted depth.

    Nothing that can be counted is to give the child away. The number of clues stays, and exchanges, which keep what the family
    counts, come before other changes. One after which the values that are shown break a rule as they stand is taken only if there
    is no other. A shallow clash is one that setting what is forced finds; three drafts in four pass over up to 12 of them whose
    minimal clash has two clues or one. Without a wanted depth, one is drawn, deep as often as the family says (Clues.deep_odds),
    and the other is taken if none is found. Raises Discarded("no_clash") if none of the first 1,000 exchanges and 1,000 other
    changes will do, of which the depth of 300 is found out.
    """

    name: str = "clash"
    depth: Depth | None = None
    kind: Kind = Kind.UP
    relation: Relation = Relation.EDIT
    pairing: Pairing = Pairing.GROUP
    promises: Status | None = Status.UNSOLVABLE
    about: str = _CHANGED

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return family.clues.can_clash(spec) and (family.clues.shallow or self.depth is not Depth.SHALLOW)

    def edit(self, family: AnyFamily, draft: AnyDraft, rng: Rng, oracle: Oracle) -> AnyDraft:
        either = self.depth is None
        want = self.depth or (Depth.DEEP if rng.child("depth").chance(*family.clues.deep_odds(draft.puzzle)) else Depth.SHALLOW)
        passed: list[AnyPuzzle] = []  # one of these is taken if nothing better comes
        plain: AnyPuzzle | None = None  # shows at a glance, and is taken if nothing else comes at all
        quiet: list[AnyPuzzle] = []  # left no answer without a guess of the engine: hardly ever deep, and asked for last
        looks = GLANCES if either and want is Depth.SHALLOW else LOOKS
        patience = 0 if self.depth is Depth.DEEP or rng.child("patience").chance(1, 4) else PATIENCE
        glares = 0
        for edited in _ways(family, draft.puzzle, rng):
            if edited is None:  # no more exchanges
                if either and (passed or quiet):
                    break
                continue
            if _at_a_glance(family, edited):
                plain = plain or edited
                glares += 1
                if either and glares >= GLARES and (passed or quiet):
                    break
                continue
            glares = 0
            if oracle.count(edited, 1):
                continue
            if want is Depth.DEEP and not oracle.nodes(edited):
                quiet.append(edited)
                if either and len(quiet) == MURMURS:
                    break
                continue
            looks -= 1
            if oracle.depth(edited) is not want:
                passed += [edited] if either and (want is Depth.DEEP or not passed) else []
                if not looks:
                    break
                continue
            if want is Depth.SHALLOW and patience and _visible(edited, oracle):
                patience -= 1
                passed = [edited]
                if patience:
                    continue
            return replace(draft, puzzle=edited, answer=None)
        for edited in quiet[: min(QUIET, looks)]:
            if oracle.depth(edited) is want:
                return replace(draft, puzzle=edited, answer=None)
        passed += [*quiet] if either else []
        if want is Depth.DEEP and passed:  # as if a shallow one had been wanted
            passed = [next((edited for edited in passed[:patience] if not _visible(edited, oracle)), passed[0])]
        found = [*passed, *[edited for edited in (plain,) if edited is not None and self.depth is not Depth.DEEP]]
        if not found:
            raise Discarded("no_clash")
        return replace(draft, puzzle=found[0], answer=None)


def _ways(family: AnyFamily, puzzle: AnyPuzzle, rng: Rng) -> Iterator[AnyPuzzle | None]:
    """The first exchanges, then None, then the first other changes."""
    return chain(
        islice(family.clues.exchanges(puzzle, rng.child("exchange")), TRIES),
        (None,),
        islice(family.clues.changes(puzzle, rng), TRIES),
    )


def _at_a_glance(family: AnyFamily, puzzle: AnyPuzzle) -> bool:
    """Return whether the values that the puzzle shows outright break a rule as they stand."""
    shown = family.clues.in_sight(puzzle)
    if shown is None:
        return False
    return bool(family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, tuple(shown)), partial=True))


def _visible(puzzle: AnyPuzzle, oracle: Oracle) -> bool:
    """Return whether hardly any clues clash: of an unsat core, whose other members are rules."""
    ids = {clue.id for clue in puzzle.clues}
    return bool(ids) and sum(label in ids for label in oracle.unsat_core(puzzle)) <= VISIBLE


TRANSFORMS: tuple[Transform, ...] = (
    Clash(),
    Clash("deep_clash", Depth.DEEP, about=f"{_CHANGED}, as only a search shows"),
    Clash("shallow_clash", Depth.SHALLOW, about=f"{_CHANGED}, as setting what is forced shows"),
)
