"""Whole traces on items at positions: the easiest refutation of those that are found, and marks where the same is said again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from puzzlemill.core.model import COMPOSITES, RELATIONS, Step
from puzzlemill.solvers.deduce.masks import mask_of
from puzzlemill.solvers.deduce.positions_ahead import SHORT, LookingAhead
from puzzlemill.solvers.deduce.positions_findings import ByClue, Composite, Search
from puzzlemill.solvers.deduce.steps import length

# From what a person reads off at once to what takes thought.
_EASIEST = (
    *("at", "same", "end", "ahead", "just_left", "next", "up_to", "from", "not_end"),
    *("not_at", "not_same", "apart", "left", "between", "far"),
    *COMPOSITES[::-1],
)


def first_uses(steps: Sequence[Step], n: int) -> list[Step]:
    """The same steps, with marks where a part of a composite has been decided before, or a clue has ruled out places before.

    n: positions.
    """

    def marked(steps: Sequence[Step], decided: set[tuple[int, ...]]) -> list[Step]:
        told = []
        for step in steps:
            found = step.found
            if isinstance(found, ByClue):
                for slot, value in step.sets:
                    before = [p for p in range(n) if (found.clue, slot - slot % n + value, p) in decided]
                    found = replace(found, ruled=mask_of(before)) if before else found
                decided.update((found.clue, slot - slot % n + value, slot % n) for slot, value in step.drops)
            if isinstance(found, Composite):
                key = (found.clue, found.part, int(found.truth), 0)
                if key in decided:
                    found = replace(found, again=True)
                decided.add(key)
            within = tuple(marked(step.within, set(decided))) if step.within else ()
            told.append(step if found is step.found and not within else replace(step, found=found, within=within))
        return told

    return marked(steps, set())


def shortest(board: LookingAhead, steps: list[Step], tiers: Mapping[str, int]) -> list[Step]:
    """The easiest of some refutations: this one, and those of sets of clues from which none can be left out.

    tiers: of each technique.
    """
    table, ids, make = board.table, board.ids, type(board)
    if steps[-1].technique == Search.technique:
        return steps
    number = {id_: i for i, id_ in enumerate(ids)}
    used = sorted({number[use] for step in steps for use in step.uses if use in number})
    best, tried = steps, {tuple(range(len(ids)))}
    kinds = [_EASIEST.index(RELATIONS[clue[0]]) for clue in table.clues]
    boards: dict[tuple[int, ...], LookingAhead] = {}  # by the clues that merge items, with all others

    def closes(kept: Sequence[int], subsets: bool) -> bool:
        merging = tuple([i for i in kept if board.kinds[i] == "same"])
        if merging not in boards:
            boards[merging] = make(table, ids, [i for i in range(len(ids)) if i in merging or board.kinds[i] != "same"])
        return boards[merging].closes(kept, subsets)

    subsets = next((subsets for subsets in (False, True) if closes(used, subsets)), None)
    for start in (used, range(len(ids)) if subsets is False else used):
        if len(best) <= SHORT or (subsets is None and start is not used):
            break
        kept = list(start)
        groups = [[i for i in kept if kinds[i] == kind] for kind in range(len(_EASIEST))]
        for gone in (*groups[::-1], *[[i] for group in groups[::-1] for i in group if len(group) > 1]):
            fewer = [i for i in kept if i not in gone]
            if subsets is not None and len(fewer) < len(kept) and closes(fewer, subsets):
                kept = fewer
        if tuple(kept) not in tried:
            tried.add(tuple(kept))
            best = min(best, make(table, ids, kept).trace(None), key=lambda steps: _cost(steps, tiers))
    return best


def _cost(steps: Sequence[Step], tiers: Mapping[str, int]) -> tuple[int, int]:
    """How hard a trace is to follow: its tiers together, and its steps with those of stories."""
    return sum([3 ** tiers[step.technique] for step in steps]), length(steps)
