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

import numpy as np

from puzzlemill.core.errors import BadInput, Discarded
from puzzlemill.core.model import Game
from puzzlemill.solvers.kernels import play_exact as kernel
from puzzlemill.solvers.play.evaluate import played
from puzzlemill.solvers.play.strategy import Semantics, Value, check_sizes, check_world

MOST_TRUTHS = 16
MOST_ACTIONS = 31
MOST_OUTCOMES = 255
SETS_BYTES, ROWS_BYTES = 1 << 23, 1 << 25  # what is kept of sets of truths, where it is much


def check_game(game: Game) -> None:
    """Raise BadInput for a game that is none, or is too large."""
    check_sizes("exact play", game, MOST_TRUTHS, MOST_ACTIONS, MOST_OUTCOMES)
    if not 1 <= game.valid <= game.truths:
        raise BadInput(f"exact play: expected 1 to {game.truths} truths that hold, got {game.valid}")
    if not countable(game):
        sizes = [len(outcomes) for outcomes in game.excludes]
        raise BadInput(f"exact play: {prod(sizes):,} combinations of outcomes do not fit 62 bits; take fewer actions or outcomes")


def countable(game: Game) -> bool:
    """Return whether its worlds, times what is done in them, fit 62 bits."""
    sizes = [len(outcomes) for outcomes in game.excludes]
    return prod(sizes) * (len(sizes) + 2) < 1 << 62


def most_bytes(game: Game, nodes: int) -> int:
    """The memory that the arrays of a solved game take at most, in bytes, whatever is asked of it within this many nodes.

    For 12 truths and 16 actions of at most 4 outcomes: 17 MiB and 1 KiB per node; searches took a third of that.
    """
    return sum([prod(shape) * np.dtype(kind).itemsize for kind, shape in _shapes(game, *_limits(game, nodes)).values()])


def _limits(game: Game, nodes: int) -> tuple[int, int]:
    """The states and words of records that this many nodes lead to at most."""
    count, widest = len(game.excludes), max([len(outcomes) for outcomes in game.excludes], default=1)
    return 1 + widest * nodes, 2 + (nodes + 2) * (2 + (2 + widest) * count + 2 * widest)


def _shapes(game: Game, states: int, words: int) -> dict[str, tuple[type, tuple[int, ...]]]:
    """The kind and shape of each array of the kernel (Table), with room for these states and words of records."""
    count, widest = len(game.excludes), max([len(outcomes) for outcomes in game.excludes], default=1)
    size = 1 << game.truths
    sets = min(size, max(64, SETS_BYTES // (8 * (4 + 2 * count + count * (1 + 3 * widest)))))
    rows = count * max(2 * size, min(3**game.truths, ROWS_BYTES // max(1, count)))
    work = (4 + 2 * count) * size
    return {
        "numbers": (np.int64, (8,)),
        "excludes": (np.int64, (count, widest)),
        "sizes": (np.int64, (count,)),
        "sign": (np.int8, (size,)),
        "number_of": (np.int32, (size,)),
        "sets": (np.int64, (sets, 4)),
        "common": (np.int64, (sets, count)),
        "classes": (np.int64, (sets, count)),
        "after": (np.int64, (sets, count, 1 + 3 * widest)),
        "rows": (np.uint8, (rows,)),
        "index": (np.int32, (1 << states.bit_length() + 1,)),
        "keys": (np.int64, (states,)),
        "values": (np.int64, (states, 2)),
        "places": (np.int32, (states,)),
        "pool": (np.int64, (words,)),
        "narrow": (np.uint32, (work,)),
        "wide": (np.int64, (work,)),
        "chosen": (np.int64, (count + 1,)),
        "members": (np.int64, (count,)),
        "bounds": (np.int64, (count,)),
        "ends": (np.int64, (count + 1, 3 * widest)),
        "alone": (np.int64, (game.truths,)),
        "found": (np.int64, (widest, 2)),
        "shares": (np.int64, (count,)),
    }


class _Table:
    """The arrays of the kernel, for one game. They grow when they are full; when a later question fills them to the most that a
    search within the budget takes, all states are forgotten.
    """

    def __init__(self, game: Game, nodes: int) -> None:
        self.most_states, self.most_words = _limits(game, nodes)
        shapes = _shapes(game, min(self.most_states, 1 << 9), min(self.most_words, 1 << 13))
        self.tab = tab = kernel.Table(**{name: np.empty(shape, kind) for name, (kind, shape) in shapes.items()})
        tab.excludes[:] = 0
        for a, outcomes in enumerate(game.excludes):
            tab.excludes[a, : len(outcomes)] = outcomes
        tab.sizes[:] = [len(outcomes) for outcomes in game.excludes]
        tab.sign[:] = [1 - 2 * ((group.bit_count() - game.valid) & 1) for group in range(1 << game.truths)]
        tab.number_of[:] = -1
        tab.numbers[:] = 0
        tab.numbers[kernel.VALID] = game.valid
        self._forget()

    def _forget(self) -> None:
        self.tab.index[:] = -1
        self.tab.numbers[kernel.STATES] = 0
        self.tab.numbers[kernel.POOLED] = 1

    def _make_room(self) -> bool:
        """After a stop for want of room. Whether all states were forgotten for it."""
        tab = self.tab
        if tab.numbers[kernel.STOP] == kernel.POOL_FULL:
            words = len(tab.pool)
            if words < self.most_words:
                tab.pool.resize(min(2 * words, self.most_words), refcheck=False)  # in place: no second copy
                return False
        elif len(tab.keys) < self.most_states:
            states = min(2 * len(tab.keys), self.most_states)
            tab.keys.resize(states, refcheck=False)
            tab.places.resize(states, refcheck=False)
            tab.values.resize((states, 2), refcheck=False)
            tab.index.resize(1 << states.bit_length() + 1, refcheck=False)
            tab.index[:] = -1
            kernel.rehash(tab)
            return False
        self._forget()
        return True

    def state(self, left: int, unused: int) -> int:
        """The number of the state."""
        while (e := int(kernel.reach(left, unused, self.tab))) < 0:
            self._make_room()
        return e

    def scale(self, left: int, unused: int) -> int:
        """How many worlds stand behind each one that the state's weight counts. Its set of truths was just met."""
        divisors = self.tab.common[self.tab.number_of[left]].tolist()
        return prod([divisor for a, divisor in enumerate(divisors) if unused >> a & 1])

    def bounds(self, left: int, unused: int, limit: int, nodes: int) -> tuple[int, int, bool]:
        """The state's weight, a low bound of its cost, and whether it is the cost. The bound reaches `limit` unless nodes end."""
        tab = self.tab
        tab.numbers[kernel.NODES], tab.numbers[kernel.MOST_NODES] = 0, nodes
        while True:
            e = self.state(left, unused)
            scale = self.scale(left, unused)
            tab.numbers[kernel.STOP] = 0
            kernel.search(e, min(-(-limit // scale), kernel.NONE), tab)
            if tab.numbers[kernel.STOP] in (0, kernel.SPENT):
                break
            if self._make_room():
                tab.numbers[kernel.NODES] = 0
        weight, low = tab.values[e].tolist()
        return weight * scale, low * scale, int(tab.places[e]) == kernel.SOLVED

    def glance(self, left: int, unused: int) -> tuple[int, int | None]:
        """The state's weight (0 where it is certain what holds), and a promising action unless its cost is known.

        That is the one with the least bound; of those, the one that leaves the fewest truths.
        """
        tab = self.tab
        e = self.state(left, unused)
        scale = self.scale(left, unused)
        while (base := int(tab.places[e])) < 0:
            if base == kernel.SOLVED:
                return int(tab.values[e, 0]) * scale, None
            tab.numbers[kernel.STOP] = 0
            kernel.examine(e, kernel.NONE, tab)
            if tab.numbers[kernel.STOP]:
                self._make_room()
                e = self.state(left, unused)
        t = int(kernel.meet(left, tab))
        step = 2 + tab.excludes.shape[1]
        records = tab.pool[base + 1 : base + 1 + step * int(tab.pool[base])].reshape(-1, step).tolist()
        action = min([(bound, self._remain(t, word & 31), word & 31) for word, bound, *_ in records])[2]
        alike = int(tab.classes[t, action]) & unused  # the state names the first of a class, which may be used
        return int(tab.values[e, 0]) * scale, (alike & -alike).bit_length() - 1

    def _remain(self, t: int, action: int) -> Fraction:
        """How many truths the action leaves, on average over its outcomes."""
        count, *after = self.tab.after[t, action].tolist()
        outcomes = [(after[3 * s].bit_count(), after[3 * s + 1]) for s in range(count)]
        return Fraction(sum([left * times for left, times in outcomes]), sum([times for _, times in outcomes]) or 1)

    def worlds(self, left: int, unused: int) -> dict[int, int]:
        """The number of worlds of each set of truths that may hold."""
        truths = [t for t in range(left.bit_length()) if left >> t & 1]
        valid = int(self.tab.numbers[kernel.VALID])
        if len(truths) < valid:
            return {}
        work = self.tab.wide
        kernel.count_worlds(left, unused, self.tab)
        full, scale = (1 << len(truths)) - 1, self.scale(left, unused)
        found = {}
        for hold in combinations(range(len(truths)), valid):
            count = 0
            for k in range(len(hold) + 1):
                for less in combinations(hold, k):
                    count += (-1) ** k * int(kernel.sum_at(work, full - sum([1 << i for i in less])))
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
        self._table = _Table(game, nodes)
        self._decisions: dict[tuple[int, int], int | None] = {}
        start = (1 << game.truths) - 1, (1 << len(self._sizes)) - 1
        worlds = self._table.worlds(*start)
        self._weight, self._likeliest = sum(worlds.values()), max(worlds.values(), default=0)
        if not self._weight:
            raise BadInput("exact play: no world keeps the promise, so there is nothing to find out; draw another game")
        _, low, decided = self._table.bounds(*start, kernel.NONE, nodes)
        spent = int(self._table.tab.numbers[kernel.NODES])
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
        check_world("exact play", self.game, outcomes)
        return played(self.game, self.best, outcomes)

    def per_truth(self) -> tuple[Fraction | None, ...]:
        """See Strategy."""
        start = (1 << self.game.truths) - 1, (1 << len(self._sizes)) - 1
        weights = self._per_truth(self._table.worlds(*start))
        costs = self._costs(*start, {})
        return tuple([Fraction(c, w) if w else None for c, w in zip(costs, weights, strict=True)])

    def held(self) -> int:
        """The bytes of its arrays, at most most_bytes()."""
        return sum([array.nbytes for array in self._table.tab])

    def guess(self) -> Fraction:
        """The chance of the likeliest set of truths before anything is done."""
        return Fraction(self._likeliest, self._weight)

    def _promising(self, left: int, unused: int, known: dict[tuple[int, int], int]) -> int:
        """The cost of doing the action with the least bound, always: no less than the cost of the best play."""
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
        """Return whether the states after this action cost no more than this together."""
        total = 0
        for child in self._children(left, unused, action):
            _, low, decided = self._table.bounds(*child, wanted - total + 1, self.nodes)
            total += low
            if total > wanted:
                return False
            if not decided:
                raise Discarded("budget", f"the best action is not found within {self.nodes} nodes")
        return True

    def _per_truth(self, worlds: dict[int, int]) -> list[int]:
        totals = [0] * self.game.truths
        for group, weight in worlds.items():
            for t in range(self.game.truths):
                if group >> t & 1:
                    totals[t] += weight
        return totals

    def _costs(self, left: int, unused: int, known: dict[tuple[int, int], list[int]]) -> list[int]:
        """Add up, for each truth, the actions that the best play does from here in all worlds where it holds, added up."""
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
