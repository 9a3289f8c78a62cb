"""Shortest routes over move graphs: the plain formulation, all arrangements at once, and a theorem for tower to tower.

`shortest` reads nothing but the graph's own moves: breadth first, no symmetry, no going backwards, no bounds.
`by_layers` reads the kernels' table and shares no code with either: breadth first over all arrangements, a layer at a time, with
a mark for each arrangement there is. No symmetry, no hashing, forward only; it reaches far beyond `shortest` and gives no moves.
`by_midpoint` reads the kernels' table, shares no code with either, and rests on this:

    Tower to tower, at least 3 pegs. Let d be the least number of moves that carry all disks but the largest from the start
    peg to any arrangement that leaves the start peg (but for the largest disk) and one more peg empty. The distance is 2d + 1.

    At least: the moves before the largest disk's first move are such a carrying, so there are d of them or more. The moves
    after its last move, read backwards, carry the smaller disks from a tower on the goal peg to an arrangement that leaves
    the goal peg and one more empty: by the symmetry of pegs, d or more again. The largest disk itself moves at least once.
    At most: carry in d moves; renaming pegs makes the second empty peg the goal. Move the largest disk. Exchanging the names
    of start and goal leaves the arrangement as it is, so the first d moves, reversed and with those names exchanged, finish.

The argument needs no conjecture: Frame-Stewart numbers are compared in the tests and decide nothing here. It is folklore; see
A. M. Hinz et al., "The Tower of Hanoi: Myths and Maths" (Birkhäuser 2013) for 3 pegs and for what is known of more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzlemill.core.model import Graph, Move, MovesTable, Route, State


def shortest(graph: Graph, budget: int) -> Route:
    """Breadth-first search from graph.start; at most `budget` states are kept (about 300 bytes each).

    The route is the first in the order of `graph.moves` among the shortest ones: states enter a layer in the order of the
    first route that reaches them. nodes: states reached.
    """
    came: dict[State, tuple[State, Move] | None] = {graph.start: None}
    if graph.start == graph.goal:
        return Route(0, True, 1, ())
    layer, length = [graph.start], 0
    while layer:
        reached: list[State] = []
        length += 1
        for state in layer:
            for move, after in graph.moves(state):
                if after not in came:
                    if len(came) >= budget:
                        return Route(None, False, len(came))
                    came[after] = (state, move)
                    if after == graph.goal:
                        return Route(length, True, len(came), _walked(came, after))
                    reached.append(after)
        layer = reached
    return Route(None, True, len(came))


def _walked(came: dict[State, tuple[State, Move] | None], state: State) -> tuple[Move, ...]:
    moves: list[Move] = []
    step = came[state]
    while step is not None:
        state, move = step
        moves.append(move)
        step = came[state]
    return tuple(reversed(moves))


def by_layers(table: MovesTable, budget: int) -> Route:
    """The distance from table.start to table.goal; undecided if there are more than `budget` arrangements (a byte each).

    nodes: arrangements reached.
    """
    pegs, disks = table.pegs, len(table.start)
    if pegs**disks > budget:
        return Route(None, False, 0)
    digit = [pegs**disk for disk in range(disks)]  # an arrangement as a number: the peg of disk i counts pegs**i
    layer = np.array([sum(peg * unit for peg, unit in zip(table.start, digit, strict=True))], dtype=np.int64)
    goal = sum(peg * unit for peg, unit in zip(table.goal, digit, strict=True))
    reached = np.zeros(pegs**disks, dtype=np.bool_)
    reached[layer] = True
    length, nodes = 0, 1
    while layer.size:
        if reached[goal]:
            return Route(length, True, nodes)
        parts = [np.empty(0, dtype=np.int64)]
        smaller = np.zeros(layer.size, dtype=np.int64)  # bit set of the pegs that hold a smaller disk
        for unit in digit:
            peg = layer // unit % pegs
            free = (smaller >> peg) & 1 == 0
            for target in range(pegs):
                legal = free & ((smaller >> target) & 1 == 0) & (peg < target if table.right_only else peg != target)
                parts.append(layer[legal] + (target - peg[legal]) * unit)
            smaller |= 1 << peg
        after = np.concatenate(parts)
        layer = np.unique(after[~reached[after]])
        reached[layer] = True
        nodes += layer.size
        length += 1
    return Route(None, True, nodes)


def by_midpoint(table: MovesTable, budget: int) -> Route | None:
    """The distance by the theorem above; None if the table is not tower to tower (from one peg to another, 3 pegs or more),
    or if disks only go to the right: the theorem takes moves back.

    A search from the start peg over all disks but the largest, one arrangement for all ways of naming the other pegs; at most
    `budget` of them are kept (8 bytes each). nodes: arrangements reached. Raises ValueError for disks that do not fit in a word.
    """
    disks, pegs = len(table.start), table.pegs
    towers = len(set(table.start)) == len(set(table.goal)) == 1
    if table.right_only or pegs < 3 or not towers or table.start == table.goal:
        return None
    if (pegs - 1) * (disks - 1) > 62:
        raise ValueError(f"by_midpoint packs (pegs - 1) * (disks - 1) <= 62 bits, got {pegs} pegs and {disks} disks")
    small = disks - 1
    layers = [_packed(np.array([[(1 << small) - 1] + [0] * (pegs - 1)], dtype=np.int64), small)]
    reached = 1
    while True:
        stands = _unpacked(layers[-1], pegs, small)
        done = np.flatnonzero((stands[:, 0] == 0) & (stands[:, -1] == 0))
        if done.size:
            route = _there_and_back(layers, stands[done[0]].tolist(), table)
            return Route(len(route), True, reached, route)
        fresh = np.unique(_packed(_moved(stands), small))
        for old in layers[-2:]:  # a move can be taken back, so older layers are out of reach
            fresh = fresh[~np.isin(fresh, old, assume_unique=True, kind="sort")]
        reached += fresh.size
        if reached > budget:
            return Route(None, False, reached)
        layers.append(fresh)


# An arrangement is a row of peg masks [start peg, other pegs in descending order]; bit i of a mask: disk i stands there.
# Packed, it is the row as digits of `small` bits without the last peg, which holds what is left.


def _packed(stands: Any, small: int) -> Any:
    """Masks [N, pegs] -> words [N]."""
    words = stands[:, 0].copy()
    for peg in range(1, stands.shape[1] - 1):
        words = (words << small) | stands[:, peg]
    return words


def _unpacked(words: Any, pegs: int, small: int) -> Any:
    """Words [N] -> masks [N, pegs]."""
    full = (1 << small) - 1
    stands = np.empty((words.size, pegs), dtype=np.int64)
    left = np.full(words.size, full, dtype=np.int64)
    for peg in range(pegs - 2, -1, -1):
        stands[:, peg] = words & full
        words = words >> small
        left ^= stands[:, peg]
    stands[:, -1] = left
    return stands


def _moved(stands: Any) -> Any:
    """Every arrangement one move away from some row, masks [M, pegs] with the other pegs in descending order again."""
    pegs = stands.shape[1]
    tops = stands & -stands  # 0 on an empty peg
    parts = []
    for source in range(pegs):
        for target in range(pegs):
            legal = (tops[:, source] != 0) & ((tops[:, target] == 0) | (tops[:, source] < tops[:, target]))
            if source != target:
                after = stands[legal]
                disk = tops[legal, source]
                after[:, source] ^= disk
                after[:, target] |= disk
                parts.append(after)
    every = np.concatenate(parts)
    every[:, 1:] = -np.sort(-every[:, 1:], axis=1)
    return every


def _there_and_back(layers: list[Any], stands: list[int], table: MovesTable) -> tuple[Move, ...]:
    """The whole route through the arrangement `stands` (masks, found in the last layer)."""
    start, goal = table.start[0], table.goal[0]
    small = len(table.start) - 1
    names = [start, *[peg for peg in range(table.pegs) if peg not in (start, goal)], goal]  # the last peg is empty: the goal
    back: list[Move] = []
    for layer in layers[-2::-1]:
        disk, source, target = _step_into(layer, stands, small)
        back.append((disk, names[target], names[source]))
        stands[source] ^= 1 << disk
        stands[target] ^= 1 << disk
    there = back[::-1]
    other = {start: goal, goal: start}
    again = [(disk, other.get(target, target), other.get(source, source)) for disk, source, target in back]
    return (*there, (small, start, goal), *again)


def _step_into(layer: Any, stands: list[int], small: int) -> Move:
    """The first move (disk, from, to), by disk and then peg, that leads from `stands` into the layer."""
    tops = {(mask & -mask).bit_length() - 1: peg for peg, mask in enumerate(stands) if mask}
    for disk, source in sorted(tops.items()):
        for target, mask in enumerate(stands):
            if target != source and not mask & ((1 << disk) - 1):
                after = list(stands)
                after[source] ^= 1 << disk
                after[target] |= 1 << disk
                word = _packed(np.array([[after[0], *sorted(after[1:], reverse=True)]], dtype=np.int64), small)[0]
                at = int(np.searchsorted(layer, word))
                if at < layer.size and layer[at] == word:
                    return disk, source, target
    raise AssertionError("an arrangement has no neighbour in the layer before it")
