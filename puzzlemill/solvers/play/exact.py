"""Exact optimal play: the fewest expected actions when all worlds that keep the promise are equally likely.

docs/design/strategies.md says why this is right and how it is found. The search is solvers/kernels/play_exact.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import reduce
from math import prod
from operator import or_

import numpy as np

from puzzlemill.core.errors import BadInput, Discarded
from puzzlemill.core.model import Game
from puzzlemill.solvers.kernels import play_exact as kernel
from puzzlemill.solvers.play.strategy import Semantics, Value

MOST_TRUTHS = 20
MOST_ACTIONS = 32
MOST_OUTCOMES = 255
_FIRST = 1 << 10  # places in a new table


def check_game(game: Game) -> None:
    """Raises BadInput for a game that is none, or is too large."""
    full = (1 << game.truths) - 1 if game.truths > 0 else 0
    sizes = [len(outcomes) for outcomes in game.excludes]
    if not 1 <= game.truths <= MOST_TRUTHS:
        raise BadInput(f"exact play: expected 1 to {MOST_TRUTHS} truths, got {game.truths}; choose a smaller game")
    if len(sizes) > MOST_ACTIONS:
        raise BadInput(f"exact play: expected at most {MOST_ACTIONS} actions, got {len(sizes)}; choose a smaller game")
    if not 1 <= game.valid <= game.truths:
        raise BadInput(f"exact play: expected 1 to {game.truths} truths that hold, got {game.valid}")
    for a, outcomes in enumerate(game.excludes):
        if not 1 <= len(outcomes) <= MOST_OUTCOMES:
            raise BadInput(f"exact play: action {a} has {len(outcomes)} outcomes, expected 1 to {MOST_OUTCOMES}")
        for s, mask in enumerate(outcomes):
            if mask & ~full:
                raise BadInput(f"exact play: outcome {s} of action {a} excludes truths beyond the {game.truths}: mask {mask:#x}")
    if prod(sizes) * (len(sizes) + 2) >= 1 << 62:
        raise BadInput(f"exact play: {prod(sizes):,} combinations of outcomes do not fit 62 bits; take fewer actions or outcomes")


class Exact:
    """A solved game; see Strategy. Made by solve() and solve_many().

    The table of states is kept, so that questions are answered from what the search proved. `nodes` bounds each question too.
    """

    semantics = Semantics.EXACT

    def __init__(self, game: Game, nodes: int) -> None:
        check_game(game)
        if nodes < 1:
            raise BadInput(f"exact play: expected a budget of at least 1 node, got {nodes}")
        self.game, self.nodes = game, nodes
        self._sizes = [len(outcomes) for outcomes in game.excludes]
        count = len(self._sizes)
        self._excludes = np.zeros((count, max(self._sizes, default=1)), np.uint64)
        for a, outcomes in enumerate(game.excludes):
            self._excludes[a, : len(outcomes)] = outcomes
        self._outcomes = np.array(self._sizes, np.int64)
        self._touched = [reduce(or_, outcomes) for outcomes in game.excludes]
        self._touch = np.array(self._touched, np.uint64)
        self._free = np.empty((count, 1 << game.truths), np.uint8)
        kernel.count_free(self._excludes, self._outcomes, game.truths, self._free)
        self._worlds = np.empty(1 << game.truths, np.int64)
        self._groups = np.empty(1 << game.truths, np.int64)
        self._keys = np.zeros(_FIRST, np.uint64)
        self._values = np.zeros((_FIRST, 3), np.int64)
        self._meta = np.zeros(4, np.int64)
        self._decisions: dict[tuple[int, int], int | None] = {}
        full = (1 << game.truths) - 1
        start = (full, (1 << count) - 1)
        self.weight = sum(self._spread(*start).values())
        if not self.weight:
            raise BadInput("exact play: no world keeps the promise, so there is nothing to find out; draw another game")
        low, high = self._bounds(*start, kernel.MOST, nodes)
        self.value = Value(Fraction(low, self.weight), Fraction(high, self.weight), low == high, int(self._meta[2]))

    def best(self, left: int, unused: int) -> int | None:
        """See Strategy. Raises BadInput for a state that no world is in."""
        state = left, unused
        if state not in self._decisions:
            self._decisions[state] = self._decide(left, unused)
        return self._decisions[state]

    def actions(self, outcomes: tuple[int, ...]) -> tuple[int, ...]:
        """See Strategy. Raises BadInput for outcomes that are no world."""
        self._check_world(outcomes)
        left, unused = (1 << self.game.truths) - 1, (1 << len(self._sizes)) - 1
        done: list[int] = []
        while (action := self.best(left, unused)) is not None:
            done.append(action)
            left &= ~self.game.excludes[action][outcomes[action]]
            unused ^= 1 << action
        return tuple(done)

    def per_truth(self) -> tuple[Fraction | None, ...]:
        """See Strategy."""
        start = (1 << self.game.truths) - 1, (1 << len(self._sizes)) - 1
        weights = self._per_truth(self._spread(*start))
        costs = self._costs(*start, {})
        return tuple([Fraction(c, w) if w else None for c, w in zip(costs, weights, strict=True)])

    # the search

    def _reduced(self, left: int, unused: int) -> tuple[int, int]:
        """The unused actions that matter, and in how many ways the others can turn out."""
        keep, scale = 0, 1
        for a, size in enumerate(self._sizes):
            if unused >> a & 1:
                if self._touched[a] & left:
                    keep |= 1 << a
                else:
                    scale *= size
        return keep, scale

    def _spread(self, left: int, unused: int) -> dict[int, int]:
        """The number of worlds of each set of truths that may hold."""
        if left.bit_count() < self.game.valid:
            return {}
        size = kernel.spread(left, unused, self._free, self._worlds, self._groups)
        found = zip(self._groups[:size].tolist(), self._worlds[:size].tolist(), strict=True)
        return {group: worlds for group, worlds in found if worlds and group.bit_count() == self.game.valid}

    def _bounds(self, left: int, unused: int, limit: int, nodes: int) -> tuple[int, int]:
        """Proved bounds of the state's cost: equal, or low >= limit, or the budget is spent."""
        keep, scale = self._reduced(left, unused)
        self._meta[2], self._meta[3] = 0, nodes
        limit = -(-int(limit) // scale)
        rest = (self._excludes, self._outcomes, self._touch, self._keys, self._values, self._meta)
        while True:
            self._meta[1] = 0
            rest = (self._excludes, self._outcomes, self._touch, self._keys, self._values, self._meta)
            more = (self._free, self._worlds, self._groups)
            kernel.solve(left, keep, limit, self.game.valid, 0, *rest, *more)
            if self._meta[1] != kernel.FULL:
                break
            self._grow()
        at = kernel.enter(left, keep, self.game.valid, self._keys, self._values, self._meta, *more)
        return int(self._values[at, 1]) * scale, int(self._values[at, 2]) * scale

    def _grow(self) -> None:
        keys, values = self._keys, self._values
        self._keys = np.zeros(4 * len(keys), np.uint64)
        self._values = np.zeros((4 * len(keys), 3), np.int64)
        kernel.move(keys, values, self._keys, self._values)

    # questions

    def _children(self, left: int, unused: int, action: int) -> list[tuple[int, int]]:
        rest = unused & ~(1 << action)
        return [(left & ~mask, rest) for mask in self.game.excludes[action]]

    def _decide(self, left: int, unused: int) -> int | None:
        worlds = self._spread(left, unused)
        if not worlds:
            raise BadInput(f"exact play: no world leaves the truths {left:#x} with the actions {unused:#x} unused")
        if len(worlds) == 1:
            return None
        low, high = self._bounds(left, unused, kernel.MOST, self.nodes)
        if low < high:
            raise Discarded("budget", f"the best action is not found within {self.nodes} nodes")
        wanted = low - sum(worlds.values())
        for a in range(len(self._sizes)):
            if unused >> a & 1 and self._touched[a] & left and self._reaches(left, unused, a, wanted):
                return a
        raise AssertionError("no action has the value of its state")

    def _reaches(self, left: int, unused: int, action: int, wanted: int) -> bool:
        """Whether the states after this action cost no more than this together."""
        total = 0
        for child in self._children(left, unused, action):
            if child[0].bit_count() < self.game.valid:
                continue
            low, high = self._bounds(*child, wanted - total + 1, self.nodes)
            total += low
            if total > wanted:
                return False
            if low < high:
                raise Discarded("budget", f"the best action is not found within {self.nodes} nodes")
        return True

    def _check_world(self, outcomes: tuple[int, ...]) -> None:
        sizes = self._sizes
        if len(outcomes) != len(sizes) or not all(0 <= s < size for s, size in zip(outcomes, sizes, strict=True)):
            raise BadInput(f"exact play: expected an outcome of each of the {len(sizes)} actions, got {outcomes}")
        out = reduce(or_, (self.game.excludes[a][s] for a, s in enumerate(outcomes)), 0)
        if self.game.truths - out.bit_count() != self.game.valid:
            raise BadInput(f"exact play: the outcomes {outcomes} do not leave exactly {self.game.valid} truths")

    def _per_truth(self, worlds: dict[int, int]) -> list[int]:
        totals = [0] * self.game.truths
        for group, weight in worlds.items():
            for t in range(self.game.truths):
                if group >> t & 1:
                    totals[t] += weight
        return totals

    def _costs(self, left: int, unused: int, known: dict[tuple[int, int], list[int]]) -> list[int]:
        """Of each truth, the actions that the best play does from here in all worlds where it holds, added up."""
        if (left, unused) in known:
            return known[left, unused]
        worlds = self._spread(left, unused)
        costs = [0] * self.game.truths
        if len(worlds) > 1:
            costs = self._per_truth(worlds)
            action = self.best(left, unused)
            assert action is not None
            for child in self._children(left, unused, action):
                costs = [c + d for c, d in zip(costs, self._costs(*child, known), strict=True)]
        known[left, unused] = costs
        return costs


def solve(game: Game, nodes: int) -> Exact:
    """Find the best play; `nodes` bounds the states that are expanded, and each later question. Raises BadInput."""
    return Exact(game, nodes)


def solve_many(games: Sequence[Game], nodes: int, threads: int = 1) -> list[Exact]:
    """solve() of every game. The kernel frees the interpreter, so threads use several cores; they change no result."""
    if threads < 1:
        raise BadInput(f"exact play: expected at least 1 thread, got {threads}")
    if threads == 1:
        return [solve(game, nodes) for game in games]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(lambda game: solve(game, nodes), games))
