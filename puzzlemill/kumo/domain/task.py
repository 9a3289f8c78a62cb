"""Tasks: a few truths and actions of a domain, and the world that is hidden in them.

The truths that hold are those that no outcome of the world rules out: that is the *promise* of a task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from puzzlemill.core.errors import BadRow
from puzzlemill.core.rng import Rng
from puzzlemill.kumo.domain.domain import CHANCES, Action, Domain

MOST_OUTCOMES, MOST_DECIMALS, MOST_DIGITS = 16, 6, 18  # of an action


@dataclass(frozen=True, slots=True)
class World:
    """The hidden state of a dialogue. valid: the truths that hold, ascending. outcomes: one of each action.

    values: of each numeric action the value that it shows, in multiples of 10**-decimals, inside its outcome's interval; of the
        others 0.
    """

    valid: tuple[int, ...]
    outcomes: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A task: its part of a domain, and the world."""

    board: Domain
    world: World


# ---- drawing


def arranged(part: Domain, actions: Sequence[int], holds: tuple[int, ...], ways: Sequence[int], rng: Rng) -> Dealt:
    """A deal as a task. part: the task's truths and all actions. ways: of each chosen action one of Domain.ways()."""
    order = rng.child("order").shuffled(range(len(actions)))  # in which order they stand says nothing
    board = part.part(range(len(part.truths)), [actions[i] for i in order])
    return Dealt(board, world_of(board, holds, [ways[i] for i in order], rng.child("values")))


def world_of(board: Domain, holds: tuple[int, ...], ways: Sequence[int], rng: Rng) -> World:
    """A world with values drawn for its numeric actions. ways: of each action one of Domain.ways()."""
    outcomes = tuple([action.shown(way) for action, way in zip(board.actions, ways, strict=True)])
    return World(holds, outcomes, tuple([value_of(action, s, rng) for action, s in zip(board.actions, outcomes, strict=True)]))


def value_of(action: Action, outcome: int, rng: Rng) -> int:
    """A value that a numeric action shows where its outcome is this one, evenly among those of its interval; else 0."""
    return rng.between(*_interval(action, outcome)) if action.numeric else 0


def uneven(domain: Domain, rng: Rng) -> Domain:
    """The domain with chances drawn for every action."""
    actions = [replace(a, chances=_chances(a.size, rng.child("chances", i))) for i, a in enumerate(domain.actions)]
    return replace(domain, actions=tuple(actions))


def _chances(outcomes: int, rng: Rng) -> tuple[int, ...]:
    """The times that each outcome comes up in CHANCES, at least one: all ways to share them out are equally likely."""
    cuts = [0, *sorted(rng.sample(range(1, CHANCES), outcomes - 1)), CHANCES]
    return tuple([high - low for low, high in pairwise(cuts)])


def _interval(action: Action, outcome: int) -> tuple[int, int]:
    """The least and the greatest value of a numeric action with this outcome; both are 0 for other actions."""
    if not action.numeric:
        return 0, 0
    return action.bounds[outcome], action.bounds[outcome + 1] - (outcome + 1 < action.size)


# ---- tasks of rows that somebody wrote


def check_world(board: Domain, world: World) -> None:
    """Raise BadRow for a world that this board does not have, or that does not keep the promise."""
    actions = board.actions
    if len(world.outcomes) != len(actions) or len(world.values) != len(actions):
        raise BadRow(f"hidden: has {len(world.outcomes)} outcomes and {len(world.values)} values of {len(actions)} actions")
    left = list(range(len(board.truths)))
    for action, s, value in zip(actions, world.outcomes, world.values, strict=True):
        if not 0 <= s < action.size:
            raise BadRow(f"hidden: {action.name} has no outcome {s}")
        low, high = _interval(action, s)
        if not low <= value <= high:
            raise BadRow(f"hidden: {action.name} cannot show {value} where its outcome is {s}")
        left = [t for t in left if t not in action.excludes[s]]
    if tuple(left) != world.valid:
        raise BadRow(f"hidden: the outcomes leave the truths {left}, but {list(world.valid)} hold")


def check_task(board: Domain, truths: int, actions: int, chances: bool) -> None:
    """Raise BadRow for a board that means nothing, or has other numbers of truths and actions. chances: whether its actions have
    chances. A board that was found sound last time is not looked at again: one task's is asked for many times.
    """
    asked = (truths, actions, chances)
    if _sound and _sound[0][0] is board and _sound[0][1] == asked:
        return
    for what, names, wanted in (
        ("truths", board.truths, truths),
        ("actions", [action.name for action in board.actions], actions),
    ):
        if len(names) != wanted or len({*names}) < wanted:
            raise BadRow(f"board.{what}: expected {wanted} different names, got {len(names)}, of them {len({*names})} different")
    for a, action in enumerate(board.actions):
        if problem := _problem_of(action, len(board.truths), chances):
            raise BadRow(f"board.actions[{a}].{problem}")
    _sound[:] = [(board, asked)]


_sound: list[tuple[Domain, tuple[int, int, bool]]] = []  # at most one; nothing in it can change


@lru_cache(maxsize=1 << 12)  # one task's actions are asked for many times
def _problem_of(action: Action, truths: int, chances: bool) -> str:
    """The defect of an action of a task, "" if it has none."""
    if not 1 <= action.size <= MOST_OUTCOMES or len(action.excludes) != action.size:
        return f"excludes: expected 1 to {MOST_OUTCOMES} lists, one per outcome, got {len(action.excludes)} of {action.size}"
    for s, out in enumerate(action.excludes):
        if not all(low < high for low, high in pairwise((-1, *out, truths))):
            return f"excludes[{s}]: expected places from 0 to {truths - 1}, ascending, got {str(out[:8])[:60]}"
    if action.numeric and (action.outcomes or not all(low < high for low, high in pairwise(action.bounds))):
        return f"bounds: expected ascending ones, in place of outcomes, got {str(action.bounds[:8])[:60]}"
    if not 0 <= action.decimals <= MOST_DECIMALS or max(map(abs, action.bounds), default=0) >= 10**MOST_DIGITS:
        return f"decimals: expected 0 to {MOST_DECIMALS}, and bounds of at most {MOST_DIGITS} digits"
    wanted = (action.size, CHANCES) if chances else (0, 0)
    if (len(action.chances), sum(action.chances)) != wanted or min(action.chances, default=1) < 1:
        return f"chances: expected {wanted[0]} of at least 1, {wanted[1]} together, got {str(action.chances)[:60]}"
    return ""
