"""What a policy costs in a game, counted world by world in whole numbers; plain Python that knows no search and no kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from puzzlemill.core.errors import Discarded
from puzzlemill.core.model import Game

Policy = Callable[[int, int], int | None]  # (truths left, actions unused) as bit masks -> the next action, None to stop


class Unsure(Exception):
    """A policy stops where more than one set of truths may hold, or does what it has done."""


def evaluate(game: Game, policy: Policy, states: int) -> Fraction:
    """The expected number of actions of a policy, all worlds being equally likely.

    states: at most so many states are looked at; more are Discarded("budget"). Raises Unsure if the policy does not find out what
    holds, ValueError if the game has no world.
    """
    known: dict[tuple[int, int], int] = {}
    seen = 0

    def actions_done(left: int, unused: int) -> int:
        """In all worlds from here on together."""
        nonlocal seen
        if (left, unused) in known:
            return known[left, unused]
        seen += 1
        if seen > states:
            raise Discarded("budget", f"the policy has more than {states} states")
        ways = worlds(game, left, unused)
        action = policy(left, unused) if ways else None
        done = 0
        if action is not None:
            if not unused >> action & 1:
                raise Unsure(f"action {action} with the actions {unused:#x} unused")
            done = sum(ways.values())
            for excluded in game.excludes[action]:
                done += actions_done(left & ~excluded, unused & ~(1 << action))
        elif len(ways) > 1:
            raise Unsure(f"a stop with the truths {left:#x} left, {len(ways)} sets of which may hold")
        known[left, unused] = done
        return done

    start = (1 << game.truths) - 1, (1 << len(game.excludes)) - 1
    every = sum(worlds(game, *start).values())
    if not every:
        raise ValueError("no world keeps the promise")
    return Fraction(actions_done(*start), every)


def worlds(game: Game, left: int, unused: int) -> Mapping[int, int]:
    """Of each set of truths that may hold, in how many ways the unused actions can turn out so that just these are left."""
    ways = {left: 1}
    for action, outcomes in enumerate(game.excludes):
        if unused >> action & 1:
            after: dict[int, int] = {}
            for truths, count in ways.items():
                for excluded in outcomes:
                    rest = truths & ~excluded
                    if rest.bit_count() >= game.valid:
                        after[rest] = after.get(rest, 0) + count
            ways = after
    return {truths: count for truths, count in ways.items() if truths.bit_count() == game.valid}
