"""Dealing tasks of truth finding (core.model.Game) evenly from a named sample space. See docs/design/dealing.md.

The sample space for N truths, M actions and K truths that hold: every choice of M different actions of the domain, an outcome of
each, and K truths, such that the outcomes exclude every other truth and none of these. All deals are equally likely; so given
truths and actions all worlds are. What the outcomes leave is what holds, so that a deal is known by its actions and outcomes.

Three ways to one:
  deal, deal_many   even. Actions and outcomes are drawn evenly until K truths are left. A set of actions comes as often as it has
                    outcomes to choose, so sets are not drawn evenly: how many actions there are of each number of outcomes is
                    drawn first. Where `tries` draws do not do, the deals are counted (Tally)
  Tally             even. Counts the deals by the truths left, and walks to the one of a drawn rank. Shows that there is none.
                    Memory grows as 2**N
  sat_deals         the published Algorithm 1 as clauses. Not even: a solver likes some models better. For sizes beyond counting
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, count
from math import comb
from typing import Any, NamedTuple

import numpy as np
from pysat.card import CardEnc, EncType
from pysat.formula import IDPool
from pysat.solvers import Solver

from puzzlemill.core.errors import BadParams, Discarded
from puzzlemill.core.model import Game
from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels import deal as _kernel
from puzzlemill.solvers.kernels.random import state_of
from puzzlemill.solvers.sat import ENGINE

Masks = Sequence[Sequence[int]]  # of each action and outcome, the excluded truths as a bit mask

TRIES = 20_000  # draws before deals are counted: some 5 ms
WORDS = 1 << 26  # of 8 bytes in a table of counts
_WORD = (1 << 64) - 1


class Deal(NamedTuple):
    """actions: ascending, as places in the domain. valid: the truths that hold, ascending. outcomes: one of each action."""

    actions: tuple[int, ...]
    valid: tuple[int, ...]
    outcomes: tuple[int, ...]


def deal(excludes: Masks, truths: int, actions: int, valid: int, rng: Rng, *, tries: int = TRIES) -> Deal:
    """An even draw. excludes: all of the domain's actions, their masks restricted to the task's truths.

    Raises Discarded: "empty" if there is no deal (proved), "budget" if `tries` draws found none and there are too many to count.
    """
    _check(excludes, truths, actions, valid)
    found = _deals(excludes, [range(truths)], actions, valid, [rng], tries)[0]
    if isinstance(found, Discarded):
        raise found
    return found


def deal_many(
    excludes: Masks, picks: Sequence[Sequence[int]], actions: int, valid: int, rng: Rng, *, tries: int = TRIES
) -> list[Deal | None]:
    """A deal for each of `picks`, the places of a task's truths in the domain, equally many each; None where `deal` would raise.

    excludes: the domain's masks, not restricted. Deal i is what `deal` draws from the stream rng.child(i).
    """
    if not picks:
        return []
    truths = len(picks[0])
    if any(len(pick) != truths or len(set(pick)) != truths or min(pick, default=0) < 0 for pick in picks):
        raise BadParams("dealing: every task has equally many truths, different ones each; check the truths that were picked")
    width = max([max(pick, default=0) + 1 for pick in picks] + [mask.bit_length() for outs in excludes for mask in outs])
    _check(excludes, width, actions, valid, most=truths)
    found = _deals(excludes, picks, actions, valid, [rng.child(i) for i in range(len(picks))], tries)
    return [None if isinstance(one, Discarded) else one for one in found]


def count_deals(excludes: Masks, truths: int, actions: int, valid: int) -> int:
    """The size of the sample space. Raises Discarded("budget") if it is too large to count."""
    _check(excludes, truths, actions, valid)
    table = _table(excludes, truths, actions, valid, rows=2)
    return _narrow(table[0, 0, -1])


def worlds(game: Game) -> int:
    """How many worlds the game has: outcomes of all its actions that leave exactly as many truths as hold."""
    return count_deals(game.excludes, game.truths, len(game.excludes), game.valid)


class Tally:
    """The deals of one sample space, counted. Raises Discarded("budget") if the table would not fit.

    size: how many there are.
    """

    __slots__ = ("_actions", "_masks", "_sizes", "_table", "size")

    def __init__(self, excludes: Masks, truths: int, actions: int, valid: int) -> None:
        _check(excludes, truths, actions, valid)
        self._masks, self._sizes = _arrays(excludes)
        self._actions = actions
        self._table = _table(excludes, truths, actions, valid, rows=actions + 1)
        self.size = _narrow(self._table[0, 0, -1])

    def nth(self, rank: int) -> Deal:
        """The deal of this rank, 0 <= rank < size, in a fixed order."""
        if not 0 <= rank < self.size:
            raise IndexError(f"deals are ranked 0 to {self.size - 1}, got {rank}")
        return self._at(_wide(rank, self._table.shape[3]))

    def deal(self, rng: Rng) -> Deal:
        """An even draw; raises Discarded("empty") if there is no deal."""
        if not self.size:
            raise _empty()
        limbs = self._table.shape[3]
        rank = np.zeros(limbs, dtype=np.uint64)
        _kernel.below_wide(state_of(rng.child("rank")), _wide(self.size, limbs), (self.size - 1).bit_length(), rank)
        return self._at(rank)

    def _at(self, rank: Any) -> Deal:
        chosen, outcomes = np.zeros(self._actions, dtype=np.int64), np.zeros(self._actions, dtype=np.int64)
        left = _kernel.at_rank(self._masks, self._sizes, self._actions, self._table, rank, chosen, outcomes)
        if left < 0:
            raise AssertionError("a rank below the total without a deal")
        return Deal(tuple(chosen.tolist()), _bits(left), tuple(outcomes.tolist()))


def sat_deals(
    excludes: Masks,
    truths: int,
    actions: int,
    valid: int,
    *,
    holds: Sequence[int] | None = None,
    conflicts: int = 1_000_000,
) -> Iterator[Deal]:
    """Every deal once, in the order in which a SAT solver finds them. holds: only deals where just these truths hold.

    Variables: an outcome is chosen, a truth holds. An action has at most one chosen outcome, exactly `actions` outcomes are
    chosen, a chosen outcome excludes nothing that holds, every truth holds or is excluded by one. Raises Discarded("budget") if
    `conflicts` are spent before it is clear whether there is another deal.
    Source: the paper's Algorithm 1, which chooses at most so many actions for a given truth.
    """
    _check(excludes, truths, actions, valid)
    if holds is not None and (len(set(holds)) != valid or not all(0 <= t < truths for t in holds)):
        raise BadParams(f"dealing: the truths that hold must be {valid} of 0..{truths - 1}, got {tuple(holds)}")
    names = count(1)
    chosen = [[next(names) for _ in outs] for outs in excludes]
    true = [next(names) for _ in range(truths)]
    pool = IDPool(start_from=next(names))
    flat = [x for outs in chosen for x in outs]
    clauses = [[-x, -y] for outs in chosen for x, y in combinations(outs, 2)]
    for t, holding in enumerate(true):
        against = [
            x for outs, masks in zip(chosen, excludes, strict=True) for x, m in zip(outs, masks, strict=True) if m >> t & 1
        ]
        clauses += [[-x, -holding] for x in against]
        clauses.append([holding, *against])
    for lits, number in ((flat, actions), (true, valid)):
        clauses += CardEnc.equals(lits, number, vpool=pool, encoding=EncType.seqcounter).clauses
    if holds is not None:
        clauses += [[holding if t in holds else -holding] for t, holding in enumerate(true)]
    with Solver(name=ENGINE, bootstrap_with=clauses) as solver:
        while True:
            left = conflicts - solver.accum_stats()["conflicts"]
            solver.conf_budget(max(1, left))
            outcome = solver.solve_limited() if left > 0 else None
            if outcome is None:
                raise Discarded("budget", f"{conflicts} conflicts did not decide whether there is another deal")
            if not outcome:
                return
            model = set(solver.get_model())
            pairs = [(a, s) for a, outs in enumerate(chosen) for s, x in enumerate(outs) if x in model]
            yield Deal(
                tuple([a for a, _ in pairs]), tuple([t for t, x in enumerate(true) if x in model]), tuple([s for _, s in pairs])
            )
            solver.add_clause([-chosen[a][s] for a, s in pairs])


def overlap(sets: Sequence[Sequence[int]]) -> Fraction:
    """The mean, over all pairs of these sets, of the share of common members (Jaccard: common ones by all of them)."""
    if len(sets) < 2 or not all(sets):
        raise ValueError("overlap needs two sets or more, none of them empty")
    seen = Counter((len(a & b), len(a | b)) for a, b in combinations([frozenset(one) for one in sets], 2))
    return sum((Fraction(n * common, union) for (common, union), n in seen.items()), Fraction(0)) / seen.total()


def even_overlap(of: int, size: int) -> Fraction:
    """The average of `overlap` for sets of `size` members, each drawn evenly and on its own from all such sets of `of`."""
    if not 1 <= size <= of:
        raise ValueError(f"sets of 1 to {of} members, got {size}")
    ways = ((k, comb(size, k) * comb(of - size, size - k)) for k in range(1, size + 1))
    return sum((Fraction(n * k, 2 * size - k) for k, n in ways), Fraction(0)) / comb(of, size)


def _deals(
    excludes: Masks, picks: Sequence[Sequence[int]], actions: int, valid: int, streams: Sequence[Rng], tries: int
) -> list[Deal | Discarded]:
    masks, sizes = _arrays(excludes)
    order, begin, ways, bits = _groups(tuple(sizes.tolist()), actions)
    chosen, outcomes = (np.zeros((len(picks), actions), dtype=np.int64) for _ in range(2))
    left, used = np.zeros(len(picks), dtype=np.uint64), np.zeros(len(picks), dtype=np.int64)
    states = np.array([rng.child("tries").words() for rng in streams], dtype=np.uint64)
    chosen_truths = np.array([list(pick) for pick in picks], dtype=np.int64)
    _kernel.try_many(
        masks, sizes, chosen_truths, actions, valid, order, begin, ways, bits, tries, states, chosen, outcomes, left, used
    )
    found: list[Deal | Discarded] = []
    last: tuple[tuple[int, ...], Tally] | None = None  # tasks of the same truths share their counts
    for pick, rng, took, a, v, s in zip(
        picks, streams, used.tolist(), chosen.tolist(), left.tolist(), outcomes.tolist(), strict=True
    ):
        if took > 0:
            found.append(Deal(tuple(a), _bits(v), tuple(s)))
        elif took < 0:
            found.append(_empty())
        else:
            try:
                if last is None or last[0] != tuple(pick):
                    last = (tuple(pick), Tally(_restricted(excludes, pick), len(pick), actions, valid))
                found.append(last[1].deal(rng))
            except Discarded as why:
                found.append(why)
    return found


def _check(excludes: Masks, width: int, actions: int, valid: int, *, most: int | None = None) -> None:
    """width: how many truths the masks speak of; most: how many a task has, if fewer."""
    truths = width if most is None else most
    if not 1 <= width <= 64 or truths < 1:
        raise BadParams(f"dealing takes 1 to 64 truths, got {truths if truths < 1 else width}; choose fewer truths")
    if not 1 <= actions <= len(excludes):
        raise BadParams(f"dealing: 1 to {len(excludes)} actions can be chosen of {len(excludes)}, got {actions}")
    if not 1 <= valid <= truths:
        raise BadParams(f"dealing: 1 to {truths} of {truths} truths can hold, got {valid}")
    for a, outs in enumerate(excludes):
        if not outs or not all(0 <= mask < 1 << width for mask in outs):
            raise BadParams(f"dealing: action {a} needs outcomes, each a mask of {width} truths, got {tuple(outs)}")


def _restricted(excludes: Masks, pick: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    return tuple([tuple([sum([(mask >> t & 1) << i for i, t in enumerate(pick)]) for mask in outs]) for outs in excludes])


def _arrays(excludes: Masks) -> tuple[Any, Any]:
    """Masks [actions, most outcomes] and numbers of outcomes [actions]."""
    sizes = np.array([len(outs) for outs in excludes], dtype=np.int64)
    masks = np.zeros((len(excludes), int(sizes.max())), dtype=np.uint64)
    for a, outs in enumerate(excludes):
        masks[a, : len(outs)] = outs
    return masks, sizes


@lru_cache(maxsize=64)
def _groups(sizes: tuple[int, ...], actions: int) -> tuple[Any, Any, Any, Any]:
    """order, begin, ways and bits, as `try_many` reads them."""
    order = sorted(range(len(sizes)), key=lambda a: (sizes[a], a))
    groups = sorted(Counter(sizes).items())
    after = [1] + [0] * actions  # ways to take m from the groups behind
    rows: list[list[list[int]]] = []
    for size, many in reversed(groups):
        row, now = [], []
        for m in range(actions + 1):
            up_to, total = [0] * (actions + 1), 0
            for j in range(actions + 1):
                total += comb(many, j) * size**j * after[m - j] if j <= m else 0
                up_to[j] = total
            row.append(up_to)
            now.append(total)
        after = now
        rows.insert(0, row)
    limbs = after[actions].bit_length() // 64 + 1
    limbs = max(limbs, max(up_to[-1] for row in rows for up_to in row).bit_length() // 64 + 1)
    ways = np.array([[[_limbs(n, limbs) for n in up_to] for up_to in row] for row in rows], dtype=np.uint64)
    bits = np.array([[max(0, up_to[-1] - 1).bit_length() for up_to in row] for row in rows], dtype=np.int64)
    begin = np.cumsum([0, *[many for _, many in groups]], dtype=np.int64)
    return np.array(order, dtype=np.int64), begin, ways, bits


def _table(excludes: Masks, truths: int, actions: int, valid: int, *, rows: int) -> Any:
    masks, sizes = _arrays(excludes)
    spare = len(excludes) - actions
    choices = [1] + [0] * actions  # choices[m]: of m actions, with outcomes; no count in the table is above the last one
    for size in sizes.tolist():
        choices = [n + (choices[m - 1] * size if m else 0) for m, n in enumerate(choices)]
    limbs = -(-choices[actions].bit_length() // 64)
    words = rows * (spare + 1) * limbs << truths
    if words > WORDS:
        raise Discarded("budget", f"counting deals of {truths} truths and {actions} actions takes {8 * words} bytes")
    table = np.zeros((rows, spare + 1, 1 << truths, limbs), dtype=np.uint64)
    _kernel.tally(masks, sizes, actions, valid, table)
    return table


def _limbs(n: int, limbs: int) -> list[int]:
    return [n >> 64 * k & _WORD for k in range(limbs)]


def _wide(n: int, limbs: int) -> Any:
    return np.array(_limbs(n, limbs), dtype=np.uint64)


def _narrow(wide: Any) -> int:
    return sum(word << 64 * k for k, word in enumerate(wide.tolist()))


def _bits(mask: int) -> tuple[int, ...]:
    return tuple([t for t in range(int(mask).bit_length()) if mask >> t & 1])


def _empty() -> Discarded:
    return Discarded("empty", "no outcomes of so many actions leave exactly so many truths")
