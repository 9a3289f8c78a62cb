"""Answers of a declared class of hypotheses, by trying every one of them.

A puzzle is unique by output: hypotheses that give one answer count once. The budget is the number of hypotheses tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import chain, islice, product
from typing import Any

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Finding, Slots, Space
from puzzlemill.core.types import AnyPuzzle, Clue, Depth


def space_of(family: AnyFamily, puzzle: AnyPuzzle) -> Space | None:
    """The puzzle's class of hypotheses; None for families whose model is another."""
    if not family.hypothesis_class:
        return None  # without building a model of clauses, which takes a millisecond
    model = family.model(puzzle.spec, puzzle.board)
    return model if isinstance(model, Space) else None


def scope_of(family: AnyFamily, puzzle: AnyPuzzle) -> str | None:
    """The scope of a proof by this class: family, number of hypotheses (by part) and a hash of the class in words."""
    space = space_of(family, puzzle)
    if space is None:
        return None
    sizes = "x".join([str(space.size(part)) for part in range(space.parts())])
    return f"{family.name}:{sizes} hypotheses:sha256:{sha256(space.scope().encode()).hexdigest()[:32]}"


def answers(space: Space, clues: Sequence[Clue], limit: int, budget: int) -> Finding:
    """Up to `limit` different answers. nodes: hypotheses tried."""
    tried = 0
    outputs: list[list[Slots]] = []
    for part in range(space.parts()):
        tried += space.size(part)
        if tried > budget:
            return Finding((), False, budget)
        outputs.append(outputs_of(space, part, clues, limit))
    joined = [tuple(chain.from_iterable(each)) for each in islice(product(*outputs), limit)]
    return Finding(tuple(joined), len(joined) < limit, tried)


def outputs_of(space: Space, part: int, clues: Sequence[Clue], limit: int | None = None) -> list[Slots]:
    """The different outputs of all hypotheses about a part that fit these clues, or the first `limit` of them."""
    if len(clues) == 1:
        return list(_outputs_of_one(space, part, clues[0].kind, clues[0].args, limit))
    return _outputs(space, part, [(clue.kind, clue.args) for clue in clues], limit)


@lru_cache(maxsize=4096)  # puzzles that differ in one clue ask about each of the others again
def _outputs_of_one(space: Space, part: int, kind: str, args: tuple[Any, ...], limit: int | None) -> tuple[Slots, ...]:
    return tuple(_outputs(space, part, [(kind, args)], limit))


def _outputs(space: Space, part: int, clues: Sequence[tuple[str, tuple[Any, ...]]], limit: int | None) -> list[Slots]:
    found: dict[Slots, None] = {}
    for hypothesis in space.fitting(part, clues):
        output = space.output(part, hypothesis)
        if output is not None:
            found[output] = None
            if len(found) == limit:
                break
    return list(found)


def unsat_core(space: Space, clues: Sequence[Clue], budget: int) -> tuple[str, ...] | None:
    """Ids of clues that leave no answer together and an answer without any one of them; None if the budget ran out.

    Where there are no clues it is the rule that names the whole.
    """
    if not clues:
        return (space.whole(),)
    left = list(clues)
    for clue in clues:
        fewer = [other for other in left if other is not clue]
        found = answers(space, fewer, 1, budget)
        if not found.decided(1):
            return None
        if not found.answers:
            left = fewer
    return tuple([clue.id for clue in left])


def depth(space: Space, clues: Sequence[Clue], budget: int) -> Depth | None:
    """SHALLOW if one clue alone leaves no answer, DEEP if only several together do; None if the budget ran out."""
    for clue in clues:
        found = answers(space, [clue], 1, budget)
        if not found.decided(1):
            return None
        if not found.answers:
            return Depth.SHALLOW
    return Depth.DEEP


def minimize(space: Space, clues: Sequence[Clue], order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """As Oracle.minimize; None if the budget ran out."""
    kept = set(range(len(clues)))
    for place in order:
        if len(kept) <= keep:
            break
        fewer = sorted(kept - {place})
        found = answers(space, [clues[i] for i in fewer], 2, budget)
        if not found.decided(2):
            return None
        if len(found.answers) == 1:
            kept.discard(place)
    return tuple(sorted(kept))
