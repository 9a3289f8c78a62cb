"""A search that knows nothing but a family's plain checker.

It asks `broken_rules(partial=True)` of every candidate value, sets what is left without a choice, and branches on the slot with
the fewest candidates. Slow and independent: no model, no table, no propagation of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import BLANK, Common, Finding, Slots
from puzzlemill.core.types import AnyPuzzle


class _Spent(Exception):
    """The budget of checks ran out."""


@dataclass
class _Search:
    family: AnyFamily
    puzzle: AnyPuzzle
    limit: int
    checks: int
    nodes: int = 0
    found: list[Slots] = field(default_factory=list)

    def fits(self, values: list[int], partial: bool) -> bool:
        self.checks -= 1
        if self.checks < 0:
            raise _Spent
        answer = self.family.form.assemble(self.puzzle.spec, self.puzzle.board, tuple(values))
        return not self.family.broken_rules(self.puzzle, answer, partial)

    def settle(self, values: list[int], candidates: dict[int, list[int]]) -> bool:
        """Drop candidates the checker refuses, and set slots with one left, until nothing changes. False on a contradiction."""
        changed = True
        while changed:
            changed = False
            for slot in sorted(candidates, key=lambda s: len(candidates[s])):
                left = []
                for value in candidates[slot]:
                    values[slot] = value
                    if self.fits(values, partial=True):
                        left.append(value)
                values[slot] = BLANK
                if not left:
                    return False
                if len(left) == 1:
                    values[slot] = left[0]
                    del candidates[slot]
                    changed = True
                else:
                    candidates[slot] = left
        return True

    def run(self, values: list[int], candidates: dict[int, list[int]]) -> None:
        if not self.settle(values, candidates):
            return
        if not candidates:
            if self.fits(values, partial=False):
                self.found.append(tuple(values))
            return
        slot = min(candidates, key=lambda s: (len(candidates[s]), s))
        for value in candidates[slot]:
            self.nodes += 1
            branch = {s: list(c) for s, c in candidates.items() if s != slot}
            self.run([value if s == slot else v for s, v in enumerate(values)], branch)
            if len(self.found) >= self.limit:
                return


def answers(family: AnyFamily, puzzle: AnyPuzzle, limit: int, checks: int) -> Finding:
    """Up to `limit` answers, by the checker alone. checks: how many times it may be called."""
    sizes = family.form.slots(puzzle.spec, puzzle.board)
    search = _Search(family, puzzle, limit, checks)
    try:
        if search.fits([BLANK] * len(sizes), partial=True):
            search.run([BLANK] * len(sizes), {slot: list(range(size)) for slot, size in enumerate(sizes)})
        exhausted = len(search.found) < limit
    except _Spent:
        exhausted = False
    return Finding(tuple(search.found), exhausted, search.nodes)


def common(family: AnyFamily, puzzle: AnyPuzzle, checks: int) -> Common:
    """The backbone of all answers, by the checker alone: one answer, then for each slot one that differs there.

    checks: how many times the checker may be called in all.
    """
    sizes = family.form.slots(puzzle.spec, puzzle.board)
    search = _Search(family, puzzle, 1, checks)

    def find(slot: int, values: list[int]) -> Slots | None:
        """An answer in which this slot holds one of these values."""
        search.found.clear()
        candidates = {s: values if s == slot else list(range(size)) for s, size in enumerate(sizes)}
        search.run([BLANK] * len(sizes), candidates)
        return search.found[0] if search.found else None

    try:
        first = find(0, list(range(sizes[0]))) if search.fits([BLANK] * len(sizes), partial=True) else None
        if first is None:
            return Common(None, True, search.nodes)
        shared = list(first)
        for slot, size in enumerate(sizes):
            if shared[slot] != BLANK:
                other = find(slot, [value for value in range(size) if value != shared[slot]])
                if other is not None:
                    shared = [a if a == b else BLANK for a, b in zip(shared, other, strict=True)]
    except _Spent:
        return Common(None, False, search.nodes)
    return Common(tuple(shared), True, search.nodes)
