"""Logic grids in which exactly one clue is false, and it is not said which.

None of their clues says anything alone. So all of them are parts of one clue, of the kind LISTING, in the order in which the
prompt lists them; leaving out some of them is not the middle's work, since fewer of them may have fewer answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from puzzlemill.core.errors import BadParams, Discarded
from puzzlemill.core.form import Grid
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Clue, Oracle, Spec
from puzzlemill.rules import grids_twice
from puzzlemill.rules.grids import LISTING, Size, Statement, combined, read
from puzzlemill.rules.grids_draw import Hidden, links, true_statement
from puzzlemill.rules.grids_model import altered

NAME = "false_clue"
_LARGEST = 20  # places of the whole table, where each try takes no more than milliseconds
_TRIES = 64
# Of the false clue: as often as of the clues that stay (tests/unit/test_grids_false.py), so that its kind says nothing.
_SHARES = {"is": 3, "is_not": 5, "either_or": 8, "neither": 6, "pair": 11, "different": 6}
_SCALED = {"before": 13, "exactly": 16, "apart": 9, "at_least": 7, "between": 6}


def check(spec: Spec[Any]) -> None:
    """Raise BadParams for what a puzzle with a false clue cannot have."""
    params = spec.params
    if not spec.rule(NAME):
        return
    if spec.rule(grids_twice.NAME):
        raise BadParams(f"rules: {NAME} does not go with {grids_twice.NAME}; leave one out of family.rules")
    if params.categories * params.items > _LARGEST:
        raise BadParams(
            f"rules: {NAME} needs categories times items of {_LARGEST} at most, got {params.categories} times {params.items}; "
            "set family.params.categories or items"
        )
    if params.looser or params.clues or params.spare or params.asked():
        raise BadParams(
            f"rules: {NAME} does not go with clues, spare, looser, one_of_three, implication and exclusive_or; leave them out"
        )


def listing(seen: Hidden, drawn: Sequence[Statement], rng: Rng) -> Clue:
    """The clue that all links and these true statements but one are true: a false one is put among them.

    Another answer breaks two links at least, so there is none beside the hidden one.
    """
    true = list(dict.fromkeys([*links(seen), *drawn]))
    parts = [*true, _false(seen, rng.child("false"))]
    return combined(LISTING, rng.shuffled(parts)).clue("k1")


def _false(seen: Hidden, rng: Rng) -> Statement:
    """A true statement with one item or number changed, or turned round, so that it is false; of the same categories."""
    shares = {**_SHARES, **(_SCALED if seen.size.scales else {})}
    kinds = [kind for kind, share in shares.items() for _ in range(share)]
    for _ in range(_TRIES):
        said = true_statement(seen, rng.pick(kinds), rng)
        if said is None:
            continue
        categories = sorted([c for c, _ in said.items])
        ways = [one for one in altered(said, seen.size) if sorted([c for c, _ in one.items]) == categories]
        wrong = [one for one in ways if not seen.true(one) and len(set(one.items)) == len(one.items)]
        if wrong:
            return rng.pick(wrong)
    raise Discarded("unusable", "no false clue")


def shrunk(draft: AnyDraft, size: Size, rng: Rng, oracle: Oracle) -> AnyDraft:
    """The draft without clues that are not needed: those that say what an entity has go first."""
    puzzle = draft.puzzle
    (clue,) = puzzle.clues
    parts = list(read(clue, size).parts)
    seen = Hidden(size, cast(Grid, draft.answer))
    true = rng.shuffled([said for said in parts if seen.true(said)])
    plain = set(links(seen))
    for said in sorted(true, key=lambda said: said not in plain):
        fewer = [part for part in parts if part != said]
        if len(fewer) > 1 and oracle.count(_with(puzzle, clue, fewer), 2) == 1:
            parts = fewer
    if oracle.count(puzzle.with_clues([said.clue(f"k{i}") for i, said in enumerate(parts, 1)]), 1):
        raise Discarded("unusable", "all clues can be true")
    return replace(draft, puzzle=_with(puzzle, clue, parts))


def _with(puzzle: AnyPuzzle, clue: Clue, parts: Sequence[Statement]) -> AnyPuzzle:
    return replace(puzzle, clues=(combined(LISTING, parts).clue(clue.id),))
