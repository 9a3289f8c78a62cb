"""Exact optimal play: the fewest expected actions when all worlds that keep the promise are equally likely.

docs/design/strategies.md says why this is right and how it is found. The search is solvers/kernels/play_exact.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import prod
from operator import or_
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadInput, Discarded
from puzzlemill.core.model import Game
from puzzlemill.solvers.kernels import play_exact as kernel
from puzzlemill.solvers.play.strategy import Semantics, Value

MOST_TRUTHS = 16
MOST_ACTIONS = 31
MOST_OUTCOMES = 255


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
    if not countable(game):
        raise BadInput(f"exact play: {prod(sizes):,} combinations of outcomes do not fit 62 bits; take fewer actions or outcomes")


def countable(game: Game) -> bool:
    """Whether its worlds, times what is done in them, fit 62 bits."""
    sizes = [len(outcomes) for outcomes in game.excludes]
    return prod(sizes) * (len(sizes) + 2) < 1 << 62


class _Table:
    """The arrays of the kernel, for one game. They grow when they are full."""

    def __init__(self, game: Game) -> None:
        count, widest = len(game.excludes), max([len(outcomes) for outcomes in game.excludes], default=1)
        size = 1 << game.truths
        self.valid = game.valid
        self.excludes = np.zeros((count, widest), np.int64)
        for a, outcomes in enumerate(game.excludes):
            self.excludes[a, : len(outcomes)] = outcomes
        self.sizes = np.array([len(outcomes) for outcomes in game.excludes], np.int64)
        self.number_of = np.full(size, -1, np.int32)
        self.numbers = np.zeros(7, np.int64)
        self.sets = np.empty((64, 4), np.int64)
        self.common = np.empty((64, count), np.int64)
        self.classes = np.empty((64, count), np.int64)
        self.after = np.empty((64, count, 1 + 3 * widest), np.int64)
        self.rows = np.empty(max(1 << 14, 4 * count * size), np.uint8)
        self.keys = np.empty(1 << 9, np.int64)
        self.values = np.empty((1 << 9, 4), np.int64)
        self.index = np.full(1 << 10, -1, np.int32)
        self.pool = np.empty(1 << 14, np.int64)
        self.apart = np.zeros((game.truths, game.truths), np.int64)
        kernel.find_apart(self.excludes, self.sizes, self.apart)
        self.sign = np.array([1 - 2 * ((group.bit_count() - game.valid) & 1) for group in range(size)], np.int64)
        self.work = np.empty((2 + 4 * ((count + 1) // 2 + 1)) * size, np.int64)
        self.ends = np.empty((count + 1, 2 * widest), np.int64)
        self.sure = np.empty((17, 17), np.int64)
        self.alone = np.empty(32, np.int64)

    def arrays(self) -> tuple[Any, ...]:
        """What kernels take, in their order."""
        fixed = (self.excludes, self.sizes, self.number_of, self.common, self.index, self.keys, self.values, self.pool)
        look = (
            self.sets,
            self.classes,
            self.after,
            self.rows,
            self.apart,
            self.sign,
            self.work,
            self.ends,
            self.sure,
            self.alone,
        )
        return (*fixed, *look)

    def _grow(self) -> None:
        for name in ("sets", "common", "classes", "after", "rows", "keys", "values", "pool"):
            old = getattr(self, name)
            new = np.empty((4 * old.shape[0], *old.shape[1:]), old.dtype)
            new[: old.shape[0]] = old
            setattr(self, name, new)
        self.index = np.full(4 * self.index.shape[0], -1, np.int32)
        kernel.rehash(self.keys, self.numbers[kernel.STATES], self.index)

    def state(self, left: int, unused: int) -> int:
        """The number of the state."""
        while True:
            self.numbers[kernel.STOP] = 0
            e = int(kernel.reach(left, unused, self.valid, self.numbers, *self.arrays()))
            if e >= 0:
                return e
            self._grow()

    def scale(self, left: int, unused: int) -> int:
        """How many worlds stand behind each one that the state's weight counts."""
        divisors = self.common[self.number_of[left]].tolist()
        return prod([divisor for a, divisor in enumerate(divisors) if unused >> a & 1])

    def bounds(self, left: int, unused: int, limit: int, nodes: int) -> tuple[int, int, bool]:
        """The state's weight, a low bound of its cost, and whether it is the cost. The bound reaches `limit` unless nodes end."""
        e = self.state(left, unused)
        scale = self.scale(left, unused)
        self.numbers[kernel.NODES], self.numbers[kernel.MOST_NODES] = 0, nodes
        while True:
            self.numbers[kernel.STOP] = 0
            kernel.search(e, min(-(-limit // scale), kernel.NONE), self.valid, self.numbers, *self.arrays())
            if self.numbers[kernel.STOP] != kernel.FULL:
                break
            self._grow()
        weight, low, known, _ = self.values[e].tolist()
        return weight * scale, low * scale, bool(known)

    def glance(self, left: int, unused: int) -> tuple[int, int | None]:
        """The state's weight (0 where it is certain what holds), and a promising action.

        That is the one with the least bound; of those, the one that leaves the fewest truths.
        """
        e = self.state(left, unused)
        weight, _, _, base = self.values[e].tolist()
        if base < 0:
            return weight * self.scale(left, unused), None
        t = int(self.number_of[left])
        records = self.pool[base + 1 : base + 1 + 3 * int(self.pool[base])].reshape(-1, 3).tolist()
        action = min(records, key=lambda record: (record[1], self._remain(t, record[0]), record[0]))[0]
        alike = int(self.classes[t, action]) & unused  # the state names the first of a class, which may be used
        return weight * self.scale(left, unused), (alike & -alike).bit_length() - 1

    def _remain(self, t: int, action: int) -> Fraction:
        """How many truths the action leaves, on average over its outcomes."""
        count, *after = self.after[t, action].tolist()
        outcomes = [(after[3 * s].bit_count(), after[3 * s + 1]) for s in range(count)]
        return Fraction(sum([left * times for left, times in outcomes]), sum([times for _, times in outcomes]) or 1)

    def worlds(self, left: int, unused: int) -> dict[int, int]:
        """The number of worlds of each set of truths that may hold."""
        truths = [t for t in range(left.bit_length()) if left >> t & 1]
        if len(truths) < self.valid:
            return {}
        self.state(left, unused)
        t = int(self.number_of[left])
        kernel.sums_without(t, unused, kernel.NO_ACTION, kernel.NO_ACTION, self.sets, self.rows, self.work, self.sign)
        full, scale = (1 << len(truths)) - 1, self.scale(left, unused)
        found = {}
        for hold in combinations(range(len(truths)), self.valid):
            count = 0
            for k in range(len(hold) + 1):
                for less in combinations(hold, k):
                    count += (-1) ** k * int(self.work[full - sum([1 << i for i in less])])
            if count:
                found[sum([1 << truths[i] for i in hold])] = count * scale
        return found


class Exact:
    """A solved game; see Strategy. Made by solve() and solve_many().

    What the search proved is kept, so that questions are answered from it. `nodes` bounds the search for each answer too.
    """

    semantics = Semantics.EXACT

    def __init__(self, game: Game, nodes: int) -> None:
        check_game(game)
        if nodes < 1:
            raise BadInput(f"exact play: expected a budget of at least 1 node, got {nodes}")
        self.game, self.nodes = game, nodes
        self._sizes = [len(outcomes) for outcomes in game.excludes]
        self._touched = [reduce(or_, outcomes) for outcomes in game.excludes]
        self._table = _Table(game)
        self._decisions: dict[tuple[int, int], int | None] = {}
        start = (1 << game.truths) - 1, (1 << len(self._sizes)) - 1
        worlds = self._table.worlds(*start)
        self._weight, self._likeliest = sum(worlds.values()), max(worlds.values(), default=0)
        if not self._weight:
            raise BadInput("exact play: no world keeps the promise, so there is nothing to find out; draw another game")
        _, low, decided = self._table.bounds(*start, kernel.NONE, nodes)
        spent = int(self._table.numbers[kernel.NODES])
        high = low if decided else self._promising(*start, {})
        self.value = Value(Fraction(low, self._weight), Fraction(high, self._weight), low == high, spent)

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
        weights = self._per_truth(self._table.worlds(*start))
        costs = self._costs(*start, {})
        return tuple([Fraction(c, w) if w else None for c, w in zip(costs, weights, strict=True)])

    def guess(self) -> Fraction:
        """The chance of the likeliest set of truths before anything is done."""
        return Fraction(self._likeliest, self._weight)

    def _promising(self, left: int, unused: int, known: dict[tuple[int, int], int]) -> int:
        """What it costs to do the action with the least bound, always: no less than the cost of the best play."""
        state = left, unused
        if state not in known:
            cost, action = self._table.glance(left, unused)
            if action is None:
                _, cost, _ = self._table.bounds(left, unused, 0, 1)
            else:
                cost += sum([self._promising(*child, known) for child in self._children(left, unused, action)])
            known[state] = cost
        return known[state]

    def _children(self, left: int, unused: int, action: int) -> list[tuple[int, int]]:
        rest = unused & ~(1 << action)
        after = [left & ~mask for mask in self.game.excludes[action]]
        return [(truths, rest) for truths in after if truths.bit_count() >= self.game.valid]

    def _decide(self, left: int, unused: int) -> int | None:
        worlds = self._table.worlds(left, unused)
        if not worlds:
            raise BadInput(f"exact play: no world leaves the truths {left:#x} with the actions {unused:#x} unused")
        if len(worlds) == 1:
            return None
        _, low, decided = self._table.bounds(left, unused, kernel.NONE, self.nodes)
        if not decided:
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
            _, low, decided = self._table.bounds(*child, wanted - total + 1, self.nodes)
            total += low
            if total > wanted:
                return False
            if not decided:
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
        worlds = self._table.worlds(left, unused)
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
