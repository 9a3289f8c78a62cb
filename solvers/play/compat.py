"""The published search (`kumo_compat`), to compare with the paper. docs/design/strategies_compat.md says what it is and is not.

Its value is not what playing it costs. The search is solvers/kernels/play_compat.py, once more and plainly play/plain_compat.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from operator import or_
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadInput, Discarded
from puzzlemill.core.model import Game
from puzzlemill.solvers.kernels import play_compat as kernel
from puzzlemill.solvers.play.evaluate import played
from puzzlemill.solvers.play.strategy import Semantics, Value, check_sizes, check_world

MOST_TRUTHS = 40
MOST_ACTIONS = 64
MOST_OUTCOMES = 16
_STEP = 8  # tables of bounds are made for this many truths, and its multiples
_CHUNK = 64  # games that a thread takes at a time


class Compat:
    """A game solved by the published search; see Strategy. Made by solve().

    What the search proved is kept, so that later questions are cheap. `nodes` bounds each of them too.
    """

    semantics = Semantics.COMPAT

    def __init__(self, game: Game, nodes: int) -> None:
        check_game(game)
        _check_nodes(nodes)
        self.game, self.nodes = game, nodes
        count = len(game.excludes)
        excludes, outcomes = _arrays([game])
        cover, coverers = np.empty(count, np.uint64), np.empty(64, np.uint64)
        kernel.prepare(excludes[0], outcomes[0], game.truths, cover, coverers)
        self._arrays = (excludes[0], outcomes[0], cover, coverers, _least(game.truths, _width(game)))
        self._rooms = kernel.rooms(game.truths, count, excludes.shape[2])
        self._table = kernel.table(kernel.FIRST)
        self._meta = np.zeros(5, np.int64)
        self._decisions: dict[tuple[int, int], int | None] = {}
        _, low, high = self._decide(*self._start(), True)
        self.value = _value(low, high, int(self._meta[0]))

    def best(self, left: int, unused: int) -> int | None:
        """See Strategy; None also where nothing can exclude one of several truths left: with the promise kept, that one holds."""
        state = left, unused
        if state not in self._decisions:
            full, actions = self._start()
            if not 0 < left <= full or not 0 <= unused <= actions:
                raise BadInput(f"{Semantics.COMPAT.value}: no such state: truths left {left:#x}, unused actions {unused:#x}")
            action, _, _ = self._decide(left, unused, False)
            if self._meta[3]:
                raise Discarded("budget", f"the best action is not found within {self.nodes} nodes")
            self._decisions[state] = action if action >= 0 else None
        return self._decisions[state]

    def actions(self, outcomes: tuple[int, ...]) -> tuple[int, ...]:
        """See Strategy. Raises BadInput for outcomes that are no world."""
        check_world(self.semantics.value, self.game, outcomes)
        return played(self.game, self.best, outcomes)

    def per_truth(self) -> tuple[Fraction | None, ...]:
        """Give for each truth the expected number of actions of this play while that truth holds and every outcome of an action
        that does not exclude it comes as often as the others. That is the published model seen from one truth: of |T_s| / W it
        keeps the outcomes with the truth in T_s, where it has the share 1 / |T_s|. None for a truth that some action always
        excludes.
        """
        known: dict[tuple[int, int, int], Fraction] = {}
        masks = [reduce(int.__and__, outcomes) for outcomes in self.game.excludes]
        never = reduce(or_, masks, 0)
        start = self._start()
        return tuple([None if never >> t & 1 else self._given(t, *start, known) for t in range(self.game.truths)])

    def exact(self) -> Fraction:
        """The published search's figure for this play, as a fraction. No play has one that is lower by 1e-9 or more."""
        return self._figure(*self._start(), {})

    def _given(self, truth: int, left: int, unused: int, known: dict[tuple[int, int, int], Fraction]) -> Fraction:
        state = truth, left, unused
        if state not in known:
            action = self.best(left, unused)
            known[state] = Fraction(0)
            if action is not None:
                after = [left & ~out for out in self.game.excludes[action] if not out >> truth & 1]
                rest = unused ^ 1 << action
                known[state] = 1 + sum([self._given(truth, some, rest, known) for some in after], Fraction(0)) / len(after)
        return known[state]

    def _figure(self, left: int, unused: int, known: dict[tuple[int, int], Fraction]) -> Fraction:
        if (left, unused) not in known:
            action = self.best(left, unused)
            steps = Fraction(0)
            if action is not None:
                after = [left & ~out for out in self.game.excludes[action] if left & ~out]
                total = sum([some.bit_count() for some in after])
                steps = Fraction(1)
                for some in after:
                    steps += Fraction(some.bit_count(), total) * self._figure(some, unused ^ 1 << action, known)
            known[left, unused] = steps
        return known[left, unused]

    def _start(self) -> tuple[int, int]:
        return (1 << self.game.truths) - 1, (1 << len(self.game.excludes)) - 1

    def _decide(self, left: int, unused: int, value_only: bool) -> tuple[int, float, float]:
        self._meta[0], self._meta[1] = 0, self.nodes
        asked = (left, unused, value_only, self._arrays, self._rooms, *self._table, self._meta)
        action, low, high, keys, values = kernel.decide(*asked)
        self._table = keys, values
        return int(action), float(low), float(high)


@dataclass(frozen=True, slots=True)
class Batch:
    """Results for many games, one entry each.

    low, high (float64): bounds of the value; equal where it is decided, to within 1e-9. actions (int64, a row each): the best
    first action or, of play_many, all of them in order; then -1, or -2 where the budget ended first. nodes (int64): expanded.
    """

    low: Any
    high: Any
    actions: Any
    nodes: Any

    def played(self, i: int) -> tuple[int, ...]:
        """The actions of game i, in order. Raises Discarded("budget") if the budget ended first."""
        row = self.actions[i].tolist()
        if -2 in row:
            raise Discarded("budget", "the best action is not found within the budget of nodes")
        return tuple(row[: row.index(-1)])


def solve(game: Game, nodes: int) -> Compat:
    """Solve a game; `nodes` bounds the states that are expanded, and each later question. Raises BadInput."""
    return Compat(game, nodes)


def solve_many(games: Sequence[Game], nodes: int, threads: int = 1, *, actions: bool = True) -> Batch:
    """The values of many games and, if `actions`, their best first actions. Results do not depend on the number of threads."""
    return _many(games, None, nodes, threads, not actions)


def play_many(games: Sequence[Game], outcomes: Sequence[Sequence[int]], nodes: int, threads: int = 1) -> Batch:
    """The actions of the published search in a world of each game: outcomes[i] are those of all actions of games[i]."""
    if len(outcomes) != len(games):
        raise BadInput(f"{Semantics.COMPAT.value}: expected outcomes of {len(games)} games, got {len(outcomes)}")
    for game, world in zip(games, outcomes, strict=True):
        check_world(Semantics.COMPAT.value, game, tuple(world))
    return _many(games, outcomes, nodes, threads, False)


def check_game(game: Game) -> None:
    """Raise BadInput for a game that the published search does not know, or that is too large."""
    name = Semantics.COMPAT.value
    if game.valid != 1:
        raise BadInput(f"{name}: the published search knows games where one truth holds, got {game.valid}; use exact play")
    check_sizes(name, game, MOST_TRUTHS, MOST_ACTIONS, MOST_OUTCOMES)


def _check_nodes(nodes: int) -> None:
    if nodes < 1:
        raise BadInput(f"{Semantics.COMPAT.value}: expected a budget of at least 1 node, got {nodes}")


def _value(low: float, high: float, nodes: int) -> Value:
    """Bounds as fractions. Decided ones are equal; others leave room for what floats round."""
    if low == high:
        return Value(Fraction(low), Fraction(high), True, nodes)
    room = Fraction(1, 10**9)
    return Value(max(Fraction(low) - room, Fraction(0)), Fraction(high) + room, False, nodes)


def _width(game: Game) -> int:
    """How many outcomes an action has at most, rounded up to a few sizes; very many if an action always excludes some truth."""
    if any(reduce(int.__and__, outcomes) for outcomes in game.excludes):
        return MOST_TRUTHS
    most = max([len(outcomes) for outcomes in game.excludes], default=1)
    return next(width for width in (2, 3, 4, 8, MOST_OUTCOMES) if most <= width)


_floors = lru_cache(maxsize=64)(kernel.floors)


def _least(truths: int, width: int) -> Any:
    return _floors(-(-truths // _STEP) * _STEP, width)


def _arrays(games: Sequence[Game]) -> tuple[Any, Any]:
    """The games' exclusions [k, actions, outcomes] and numbers of outcomes [k, actions]; all have as many actions."""
    count = len(games[0].excludes)
    most = max([len(outcomes) for game in games for outcomes in game.excludes], default=1)
    excludes, sizes = np.zeros((len(games), count, most), np.uint64), np.empty((len(games), count), np.int64)
    for k, game in enumerate(games):
        for a, outcomes in enumerate(game.excludes):
            sizes[k, a] = len(outcomes)
            excludes[k, a, : len(outcomes)] = outcomes
    return excludes, sizes


def _many(games: Sequence[Game], worlds: Sequence[Sequence[int]] | None, nodes: int, threads: int, value_only: bool) -> Batch:
    _check_nodes(nodes)
    if threads < 1:
        raise BadInput(f"{Semantics.COMPAT.value}: expected at least 1 thread, got {threads}")
    alike: dict[tuple[int, int, int], list[int]] = {}
    for i, game in enumerate(games):
        check_game(game)
        alike.setdefault((game.truths, len(game.excludes), _width(game)), []).append(i)
    width = max([len(game.excludes) for game in games], default=0) + 1
    bounds, done = np.zeros((len(games), 2)), np.full((len(games), width), -1, np.int64)
    spent = np.zeros((len(games), 1), np.int64)

    def work(part: tuple[tuple[int, int, int], list[int]]) -> None:
        (truths, actions, outcomes), places = part
        some = [games[i] for i in places]
        excludes, sizes = _arrays(some)
        come = np.array([worlds[i] for i in places] if worlds is not None else np.zeros((len(places), actions)), np.int64)
        found, acts, used = np.zeros((len(places), 2)), np.full((len(places), actions + 1), -1, np.int64), spent[places]
        rest = (come.reshape(len(places), actions), _least(truths, outcomes), found, acts, used)
        kernel.many(excludes, sizes, truths, nodes, value_only, worlds is not None, *rest)
        bounds[places], spent[places] = found, used
        done[places, : actions + 1] = acts

    parts = [(kind, places[i : i + _CHUNK]) for kind, places in alike.items() for i in range(0, len(places), _CHUNK)]
    if threads == 1:
        for part in parts:
            work(part)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, parts))
    return Batch(bounds[:, 0], bounds[:, 1], done, spent[:, 0])
