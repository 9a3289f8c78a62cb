"""The published search once more, as its authors state it: plain recursion over sets with a memory, in exact fractions.

It shares no code with play/compat.py and its kernel; tests hold one against the other. Slow beyond 8 truths and 10 actions.
"""

from __future__ import annotations

from fractions import Fraction

from puzzlemill.core.model import Game


class PlainCompat:
    """Expected steps and best actions of the published search for one game with one valid truth."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states = 0
        self._memory: dict[tuple[frozenset[int], frozenset[int]], tuple[Fraction, int | None]] = {}
        self._excluded = [
            [frozenset(t for t in range(game.truths) if mask >> t & 1) for mask in outcomes] for outcomes in game.excludes
        ]

    def start(self) -> tuple[Fraction, int | None]:
        """Facts of the whole game."""
        return self.expected(frozenset(range(self.game.truths)), frozenset(range(len(self.game.excludes))))

    def expected(self, truths: frozenset[int], actions: frozenset[int]) -> tuple[Fraction, int | None]:
        """The expected steps from here and the best action, the one with the lowest number; (0, None) where the search stops."""
        if len(truths) <= 1 or not actions:
            return Fraction(0), None
        if any(all(t not in out for a in actions for out in self._excluded[a]) for t in truths):
            return Fraction(0), None  # nothing can exclude this truth any more
        if (truths, actions) not in self._memory:
            self.states += 1
            self._memory[truths, actions] = min((self.after(truths, actions, a), a) for a in sorted(actions))
        return self._memory[truths, actions]

    def after(self, truths: frozenset[int], actions: frozenset[int], action: int) -> Fraction:
        """The expected steps if this action comes next."""
        left = [truths - out for out in self._excluded[action]]
        total = sum(map(len, left))
        steps = Fraction(1)
        for some in left:
            if some:
                steps += Fraction(len(some), total) * self.expected(some, actions - {action})[0]
        return steps
