"""Exact optimal play once more, straight from its definition: plain Python, exact integers, no bounds, nothing left out.

It shares no code with exact.py and its kernel, and is compared with them. Slow: for games of up to some 6 truths and 8 actions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from puzzlemill.core.model import Game


class PlainExact:
    """A game solved by listing. State: the truths left and the actions unused, as frozen sets of numbers."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.worlds = cache(self._worlds)
        self.cost = cache(self._cost)

    def _worlds(self, left: frozenset[int], unused: frozenset[int]) -> dict[frozenset[int], int]:
        """For each set of truths that may hold, how many choices of outcomes of the unused actions leave exactly this set."""
        if not unused:
            return {left: 1} if len(left) == self.game.valid else {}
        action = min(unused)
        found: dict[frozenset[int], int] = {}
        for after in self.after(left, action):
            for truths, count in self.worlds(after, unused - {action}).items():
                found[truths] = found.get(truths, 0) + count
        return found

    def after(self, left: frozenset[int], action: int) -> list[frozenset[int]]:
        """The truths left after each outcome of the action."""
        return [frozenset([t for t in left if not mask >> t & 1]) for mask in self.game.excludes[action]]

    def weight(self, left: frozenset[int], unused: frozenset[int]) -> int:
        return sum(self.worlds(left, unused).values())

    def with_action(self, left: frozenset[int], unused: frozenset[int], action: int) -> int:
        """Actions done from here on in all worlds together, if this one comes first."""
        later = sum([self.cost(after, unused - {action}) for after in self.after(left, action)])
        return self.weight(left, unused) + later

    def _cost(self, left: frozenset[int], unused: frozenset[int]) -> int:
        """Actions done from here on by the best play in all worlds together."""
        if len(self.worlds(left, unused)) <= 1:
            return 0
        return min([self.with_action(left, unused, action) for action in unused])

    def best(self, left: frozenset[int], unused: frozenset[int]) -> int | None:
        """The first of the best actions; None where it is certain what holds."""
        if len(self.worlds(left, unused)) <= 1:
            return None
        return min(unused, key=lambda action: (self.with_action(left, unused, action), action))

    def start(self) -> tuple[frozenset[int], frozenset[int]]:
        return frozenset(range(self.game.truths)), frozenset(range(len(self.game.excludes)))

    def value(self) -> Fraction:
        """The expected number of actions. ZeroDivisionError if the game has no world."""
        return Fraction(self.cost(*self.start()), self.weight(*self.start()))
