"""Players of dialogues (envs/turns.py: Game) that need no model: baselines to compare models with.

A player sees what anybody sees: which truths each outcome rules out, and the outcomes so far.
  random       does any action that it has not done, each as likely, until no more truths are left than hold, and gives these
  greedy       does the action from which it expects to learn most (information gain under the game's own prior), until it is sure
  optimal      plays the policy of least expected cost (solvers/play/exact.py)
  kumo_compat  plays the policy of the published search (solvers/play/compat.py), which stops where that search does
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal
from functools import lru_cache
from itertools import combinations
from typing import Any, Protocol

from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.model import Game as Rules
from puzzlemill.core.rng import Rng
from puzzlemill.envs.turns import Game, Turn
from puzzlemill.scoring.moves import Moves
from puzzlemill.scoring.prompt import gold_reply
from puzzlemill.scoring.score import prepared

PLAYERS = ("random", "greedy", "optimal", "kumo_compat")
NODES = 20_000_000  # states that a search may expand for one task
Seen = tuple[int, int]  # an action that was done, and its outcome
_EXACT = Context(prec=60, rounding=ROUND_HALF_EVEN)  # decimals are the same on every machine, unlike floats
_TIE = Decimal(1).scaleb(-30)


class OtherGame(BadParams):
    """A player does not know games of this sort; others of the same release it may."""


class Player(Protocol):
    """Plays one game."""

    def next(self, seen: Sequence[Seen]) -> int | tuple[int, ...]:
        """The action to do next, or the truths that hold, ascending. seen: what was done so far, in order.

        Raises Discarded("budget") where a search ends before it has decided.
        """
        ...


def player_named(name: str, rules: Rules, rng: Rng, nodes: int = NODES) -> Player:
    """A player of this game. rng: of the random one. nodes: for a search. Raises BadParams, OtherGame."""
    if name == "random":
        return _Random(rules, rng)
    if name == "greedy":
        return _Greedy(rules)
    if name == "optimal":
        return _Policy(rules, _exact(rules, nodes))
    if name == "kumo_compat":
        if rules.valid > 1:
            raise OtherGame(
                "--player kumo_compat: the published search knows games in which one truth holds; choose another player"
            )
        return _Policy(rules, _compat(rules, nodes))
    raise BadParams(f"--player: expected one of {', '.join(PLAYERS)}, got {name[:40]!r}")


def played(row: Mapping[str, Any], name: str, rng: Rng, nodes: int = NODES) -> Iterator[tuple[str, Turn]]:
    """The dialogue of a row: each message and what comes back. Raises BadRow if the row is none, BadParams or
    OtherGame for the player.
    """
    case = prepared(row)
    if not case.strategy.dialogue:
        raise BadRow(f"row {str(row.get('id'))[:80]}: it is no dialogue, and players play nothing else")
    game, moves = Game(row), Moves(case.puzzle, case.reply_format)
    player = player_named(name, case.family.dialogue.game(case.puzzle), rng, nodes)
    seen: list[Seen] = []
    while game.left:
        chosen = player.next(tuple(seen))
        message = moves.message(chosen) if isinstance(chosen, int) else gold_reply(case.puzzle, chosen, case.reply_format)
        turn = game.step(message)
        if isinstance(chosen, int):
            seen.append((chosen, game.outcome(chosen)))
        yield message, turn


def state(rules: Rules, seen: Sequence[Seen]) -> tuple[int, int]:
    """The truths that no outcome has excluded and the actions not done, as bit masks."""
    left, unused = (1 << rules.truths) - 1, (1 << len(rules.excludes)) - 1
    for action, outcome in seen:
        left &= ~rules.excludes[action][outcome]
        unused &= ~(1 << action)
    return left, unused


def worlds(rules: Rules, left: int, unused: int) -> dict[int, int]:
    """In how many ways the unused actions can turn out for each set of truths (a bit mask) that may hold; sets without left out.

    Inclusion and exclusion over the truths that no outcome rules out: of a set U of truths, q(U) is the number of ways in which
    none of U is ruled out; in the sum of (-1)^(|U| - |V|) q(U), over the U with V in it, of ways all but V are ruled out.
    """
    truths = bits(left)
    # of each truth and unused action, the outcomes that do not rule the truth out
    harmless = [
        [sum([1 << s for s, out in enumerate(rules.excludes[a]) if not out >> t & 1]) for a in bits(unused)] for t in truths
    ]
    found: dict[int, int] = {}

    def extend(start: int, chosen: tuple[int, ...], free: list[int]) -> None:
        if len(chosen) >= rules.valid:
            ways = (-1) ** (len(chosen) - rules.valid)
            for outcomes in free:
                ways *= outcomes.bit_count()
            for some in combinations(chosen, rules.valid):
                mask = sum([1 << t for t in some])
                found[mask] = found.get(mask, 0) + ways
        for i in range(start, len(truths)):
            fewer = [a & b for a, b in zip(free, harmless[i], strict=True)]
            if all(fewer):  # else no set that holds these has a way
                extend(i + 1, (*chosen, truths[i]), fewer)

    extend(0, (), [(1 << len(rules.excludes[a])) - 1 for a in bits(unused)])
    return {mask: ways for mask, ways in sorted(found.items()) if ways}


def bits(mask: int) -> tuple[int, ...]:
    """The places of the ones in a bit mask, ascending."""
    return tuple([i for i in range(mask.bit_length()) if mask >> i & 1])


# ---- the players ------------------------------------------------------------------------------------------------------


class _Random:
    def __init__(self, rules: Rules, rng: Rng) -> None:
        self.rules, self.rng = rules, rng

    def next(self, seen: Sequence[Seen]) -> int | tuple[int, ...]:
        left, unused = state(self.rules, seen)
        return bits(left) if left.bit_count() <= self.rules.valid else self.rng.pick(bits(unused))


class _Greedy:
    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def next(self, seen: Sequence[Seen]) -> int | tuple[int, ...]:
        left, unused = state(self.rules, seen)
        found = worlds(self.rules, left, unused)
        if len(found) == 1:
            return bits(next(iter(found)))
        return min(bits(unused), key=lambda action: (self._doubt(left, unused, action), action))

    def _doubt(self, left: int, unused: int, action: int) -> Decimal:
        """Return the uncertainty after this action, times the number of worlds: the sum of n ln n, less that over the sets."""
        doubt = Decimal(0)
        for out in self.rules.excludes[action]:
            ways = list(worlds(self.rules, left & ~out, unused & ~(1 << action)).values())
            doubt = _EXACT.add(doubt, _weighed(sum(ways)))
            for some in ways:
                doubt = _EXACT.subtract(doubt, _weighed(some))
        return doubt.quantize(_TIE, context=_EXACT)


@lru_cache(maxsize=1 << 14)
def _weighed(count: int) -> Decimal:
    """n ln n."""
    return _EXACT.multiply(Decimal(count), _EXACT.ln(Decimal(count))) if count else Decimal(0)


class _Search(Protocol):
    def best(self, left: int, unused: int) -> int | None: ...


class _Policy:
    """A solved game, played."""

    def __init__(self, rules: Rules, search: _Search) -> None:
        self.rules, self.search = rules, search

    def next(self, seen: Sequence[Seen]) -> int | tuple[int, ...]:
        left, unused = state(self.rules, seen)
        action = self.search.best(left, unused)
        if action is not None:
            return action
        return bits(next(iter(worlds(self.rules, left, unused))))


@lru_cache(maxsize=2)  # samples of a task are played one after the other
def _exact(rules: Rules, nodes: int) -> _Search:
    from puzzlemill.solvers.play.exact import solve  # it compiles kernels

    return solve(rules, nodes)


@lru_cache(maxsize=2)
def _compat(rules: Rules, nodes: int) -> _Search:
    from puzzlemill.solvers.play.compat import solve

    return solve(rules, nodes)
