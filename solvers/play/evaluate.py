"""The cost of a policy of a truth-finding game, found from the game alone: no solver and no kernel has a part in it.

A policy says what to do next: policy(left, unused) gives an action, or None to stop and answer. `left` are the truths that no
outcome has excluded, `unused` the actions not done, as bit masks. best() of a Strategy is one.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import or_

from puzzlemill.core.errors import BadInput
from puzzlemill.core.model import Game


class Unsure(BadInput):
    """A policy stops where several sets of truths may hold."""


Policy = Callable[[int, int], int | None]


def played(game: Game, policy: Policy, outcomes: tuple[int, ...]) -> tuple[int, ...]:
    """The actions that the policy does in the world with these outcomes, in order."""
    left, unused = (1 << game.truths) - 1, (1 << len(game.excludes)) - 1
    done: list[int] = []
    while (action := policy(left, unused)) is not None:
        if not unused >> action & 1:
            raise BadInput(f"the policy chose action {action}, which is not among the unused ones {unused:#x}")
        done.append(action)
        left &= ~game.excludes[action][outcomes[action]]
        unused ^= 1 << action
    return tuple(done)


def is_world(game: Game, outcomes: tuple[int, ...]) -> bool:
    """Return whether these outcomes together leave exactly as many truths as hold."""
    out = reduce(or_, [game.excludes[a][s] for a, s in enumerate(outcomes)], 0)
    return game.truths - out.bit_count() == game.valid


def walked(game: Game, policy: Policy) -> Fraction:
    """The expected number of actions, by playing every world. For games of up to some 100,000 combinations of outcomes."""
    worlds = [w for w in product(*[range(len(a)) for a in game.excludes]) if is_world(game, w)]
    if not worlds:
        raise BadInput("no world keeps the promise, so nothing can be played")
    return Fraction(sum([len(played(game, policy, world)) for world in worlds]), len(worlds))


def expected(game: Game, policy: Policy) -> Fraction:
    """The expected number of actions, by following the policy through the states that it reaches.

    A state is reached with the outcomes of the actions done; the worlds that go on from it are counted by building up, action by
    action, how many choices of the other outcomes leave which truths. For any size that a policy can be followed in.
    Raises Unsure if the policy stops where several sets of truths may hold.
    """
    counts: dict[tuple[int, int], int] = {}
    sure: dict[tuple[int, int], bool] = {}

    def worlds(left: int, unused: int) -> int:
        state = left, unused
        if state not in counts:
            reached = {left: 1}
            for a, outcomes in enumerate(game.excludes):
                if unused >> a & 1:
                    after: dict[int, int] = {}
                    for truths, count in reached.items():
                        for mask in outcomes:
                            if (truths & ~mask).bit_count() >= game.valid:
                                after[truths & ~mask] = after.get(truths & ~mask, 0) + count
                    reached = after
            ways = [count for truths, count in reached.items() if truths.bit_count() == game.valid]
            counts[state], sure[state] = sum(ways), len(ways) <= 1
        return counts[state]

    costs: dict[tuple[int, int], int] = {}

    def cost(left: int, unused: int) -> int:
        state = left, unused
        if state not in costs:
            here = worlds(left, unused)
            action = policy(left, unused) if here else None
            if action is not None:
                if not unused >> action & 1:
                    raise BadInput(f"the policy chose action {action}, which is not among the unused ones {unused:#x}")
                here += sum([cost(left & ~mask, unused ^ (1 << action)) for mask in game.excludes[action]])
            elif not sure[state]:
                raise Unsure(f"the policy stops with the truths {left:#x} left, of which it is not sure which hold")
            costs[state] = 0 if action is None else here
        return costs[state]

    start = (1 << game.truths) - 1, (1 << len(game.excludes)) - 1
    if not worlds(*start):
        raise BadInput("no world keeps the promise, so nothing can be played")
    return Fraction(cost(*start), worlds(*start))
