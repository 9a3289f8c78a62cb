"""Towers of disks: which changes of a board leave it looking like boards that have an answer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

Stands = tuple[Sequence[int], Sequence[int]]  # the peg of each disk, the smallest first: at the start, and at the goal
_WORTH = (  # of one more of each look, in tenths of a halving: where no disk has to go to the left, and where one has to
    (-10, 45),  # disks that stay where they are
    (34, 35),  # pegs with the same lowest disk at start and goal
    (-18, 0),  # pegs with the same top disk at both
    (7, 0),  # pairs of disks that lie on each other at both
    (2, 0),  # steps of the smallest disk
    (-2, 0),  # steps of the others, large ones above all
    (3, 0),  # disks on the pegs of the smallest one
    (3, 0),  # pegs that the largest disk has to itself
    (-11, -3),  # the same of the smallest
    (-8, 0),  # of the second
    (-4, 0),  # of the third
    (-17, -4),  # one of these three on top where it has to stay: on the last peg at the start, or on the first at the goal
)
_SPARED = (15, 0)  # what is taken from all, so that few are worth more than can be made up for


def halvings(pegs: int, board: Stands, other: Stands) -> int:
    """How often the chance of a changed board is halved for what it has lost of the looks of boards that have an answer.

    The weights are such that looks are lost in as many clashes as they are gained (docs/design/surface.md).
    """
    left = any(after < before for before, after in zip(*other, strict=True))
    if left and pegs == 4:
        return 0  # so few pass otherwise that readers know more of them, not less (docs/design/surface.md)
    gained = [new - old for new, old in zip(_looks(pegs, other), _looks(pegs, board), strict=True)]
    short = _SPARED[left] - sum([worth[left] * more for worth, more in zip(_WORTH, gained, strict=True)])
    return max(0, (short + 5) // 10)


def _looks(pegs: int, board: Stands) -> tuple[int, ...]:
    """What can be counted on a board, in the order of _WORTH."""
    first, last = board
    start, goal = ([[disk for disk in range(len(at) - 1, -1, -1) if at[disk] == peg] for peg in range(pegs)] for at in board)
    both = [*zip(start, goal, strict=True)]
    lying = [{pair for stack in side for pair in pairwise(stack)} for side in (start, goal)]
    steps = [after - before for before, after in zip(first, last, strict=True)]
    return (
        steps.count(0),
        sum([one[:1] == two[:1] != [] for one, two in both]),
        sum([one[-1:] == two[-1:] != [] for one, two in both]),
        len(lying[0] & lying[1]),
        steps[0],
        sum([disk * disk * step for disk, step in enumerate(steps)]) // len(steps),
        len(start[first[0]]) + len(goal[last[0]]),
        *[(start + goal).count([disk]) for disk in (len(steps) - 1, 0, 1, 2)],
        sum([stack[-1:] in ([0], [1], [2]) for stack in (start[-1], goal[0])]),
    )
