"""Shortest routes over move graphs: the plain formulation, all arrangements at once, and a theorem for tower to tower.

`shortest` reads nothing but the graph's own moves: breadth first, no symmetry, no going backwards, no bounds; where moves have
costs, by the algorithm of E. W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1 (1959).
`labels` reads a table of roads and shares no code with it: the length of the rest of the way from every place, worked out
backwards from the goals until no label can be made smaller (R. Bellman, "On a routing problem", Quart. Appl. Math. 16, 1958).
`passing` finds a shortest way over roads that comes to none of the places which a rule asks for.
`by_layers` reads the kernels' table and shares no code with either: breadth first over all arrangements, a layer at a time, with
a mark for each arrangement there is. No symmetry, no hashing, forward only; it reaches far beyond `shortest` and gives no moves.
`shortest_violating` and `leftward` find a route of a given length that breaks a rule, from two graphs and from kernels' tables.
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

from collections.abc import Collection, Mapping
from dataclasses import replace
from heapq import heappop, heappush
from typing import Any

import numpy as np

from puzzlemill.core.model import Graph, Move, MovesTable, RoadsTable, Route, State


def shortest(graph: Graph, budget: int) -> Route:
    """Breadth-first search from graph.start; at most `budget` states are kept (about 300 bytes each).

    The route is the first in the order of `graph.moves` among the shortest ones: states enter a layer in the order of the
    first route that reaches them. nodes: states reached. Where moves have costs, see _cheapest.
    """
    if graph.cost is not None:
        return _cheapest(graph, budget)
    came: dict[State, tuple[State, Move] | None] = {graph.start: None}
    if graph.start == graph.goal:
        return Route(0, True, 1, (), 1)
    layer, length = [graph.start], 0
    while layer:
        reached: list[State] = []
        length += 1
        for state in layer:
            for move, after in graph.moves(state):
                if after not in came:
                    if len(came) >= budget:
                        return Route(None, False, len(came), None, len(came))
                    came[after] = (state, move)
                    if after == graph.goal:
                        return Route(length, True, len(came), _walked(came, after), len(came))
                    reached.append(after)
        layer = reached
    return Route(None, True, len(came), None, len(came))


def _cheapest(graph: Graph, budget: int) -> Route:
    """Dijkstra's search; of the routes of least cost one with the fewest moves. nodes: states whose moves were looked at."""
    assert graph.cost is not None  # shortest() saw to it
    came: dict[State, tuple[State, Move] | None] = {graph.start: None}
    best: dict[State, tuple[int, int]] = {graph.start: (0, 0)}  # cost and number of moves
    queue: list[tuple[int, int, State]] = [(0, 0, graph.start)]
    expanded, generated = 0, 1
    while queue:
        cost, length, state = heappop(queue)
        if best[state] != (cost, length):
            continue  # a better way to it was found since
        if state == graph.goal:
            return Route(cost, True, expanded, _walked(came, state), generated)
        expanded += 1
        if expanded > budget:
            return Route(None, False, expanded, None, generated)
        for move, after in graph.moves(state):
            now = (cost + graph.cost(move), length + 1)
            if after not in best or now < best[after]:
                best[after] = now
                came[after] = (state, move)
                generated += 1
                heappush(queue, (*now, after))
    return Route(None, True, expanded, None, generated)


_Labels = dict[int, tuple[int, int, int]]  # by place: length of the rest of the way, its number of roads, the place that is next


def labels(table: RoadsTable, budget: int) -> Route:
    """The length of a shortest way from table.start to a goal, with one that has the fewest roads.

    With `via` there are labels for every set of groups that were visited, the full set first; the places of the other groups are
    ends, each as far from the end of the way as the labels of the set with its own group say. Moves are (from, to).
    nodes: labels that were set or made smaller; at most `budget` of them.
    """
    bit = {place: 1 << number for number, group in enumerate(table.via) for place in group}
    everything = (1 << len(table.via)) - 1
    found: dict[int, _Labels] = {}
    spent = 0
    for visited in range(everything, -1, -1):
        ends = dict.fromkeys(table.goals, (0, 0))
        if visited != everything:
            later = {place: found[visited | mine] for place, mine in bit.items() if not visited & mine}
            ends = {place: rest[place][:2] for place, rest in later.items() if place in rest}
        found[visited], more = _backwards(table, ends, budget - spent)
        spent += more
        if spent > budget:
            return Route(None, False, spent)
    if table.start not in found[0]:
        return Route(None, True, spent)
    moves: list[Move] = []
    place, visited = table.start, 0
    while True:
        while (following := found[visited][place][2]) >= 0:
            moves.append((place, following))
            place = following
        if visited == everything:
            return Route(found[0][table.start][0], True, spent, tuple(moves))
        visited |= bit[place]


def _backwards(table: RoadsTable, ends: Mapping[int, tuple[int, int]], budget: int) -> tuple[_Labels, int]:
    """Labels towards the nearest of `ends`, which have their own; how many were set, more than `budget` if it ran out."""
    into: list[list[tuple[int, int]]] = [[] for _ in range(table.places)]
    for source, target, length in table.roads:
        into[target].append((source, length))
    found: _Labels = {place: (*label, -1) for place, label in ends.items()}
    spent = len(found)
    changed = list(found)
    for target in changed:  # grows by each place whose label changes
        rest, roads, _ = found[target]
        for source, length in into[target]:
            if source not in ends:
                old = found.get(source)
                far = rest + length
                if old is None or far < old[0] or (far == old[0] and roads + 1 < old[1]):
                    found[source] = (far, roads + 1, target)
                    spent += 1
                    changed.append(source)
        if spent > budget:
            break
    return found, spent


def passing(table: RoadsTable, avoided: Collection[int], budget: int) -> Route:
    """A shortest way from table.start to a goal that comes to no place of `avoided`, whatever table.via says."""
    roads = tuple([road for road in table.roads if road[0] not in avoided and road[1] not in avoided])
    return labels(replace(table, roads=roads, via=()), budget)


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


def shortest_violating(free: Graph, ruled: Graph, length: int, budget: int) -> Route:
    """A route of `length` moves in `free` with a move that `ruled` lacks; length None if there is none.

    If `length` is the distance in `free`, this decides whether some shortest route breaks the rule. Layer after layer of states
    that so many moves lead to, each with whether some way to it has broken the rule; at most `budget` are kept.
    """
    Way = tuple[State, Move, bool]  # the state before, the move from it, whether the rule is broken by then
    layers: list[dict[State, Way | None]] = [{free.start: None}]
    kept = 1
    for _ in range(length):
        reached: dict[State, Way | None] = {}
        for state, came in layers[-1].items():
            obeying = set(ruled.moves(state))
            for move, after in free.moves(state):
                broken = (came is not None and came[2]) or (move, after) not in obeying
                before = reached.get(after)
                if before is None or (broken and not before[2]):
                    reached[after] = (state, move, broken)
        kept += len(reached)
        if kept > budget:
            return Route(None, False, kept)
        layers.append(reached)
    last = layers[-1].get(free.goal)
    if last is None or not last[2]:
        return Route(None, True, kept)
    moves, state = [], free.goal
    for layer in layers[:0:-1]:
        way = layer[state]
        assert way is not None  # only the first layer holds a state without a move before it
        state = way[0]
        moves.append(way[1])
    return Route(length, True, kept, tuple(reversed(moves)))


def leftward(table: MovesTable, length: int, budget: int) -> Route:
    """A route of `length` moves from table.start to table.goal with a move to the left (right_only is not heeded); length None if
    there is none. nodes: arrangements kept, at most `budget` (about 30 bytes each).

    If `length` is the distance without right_only, this decides whether some shortest route breaks that rule: a list of so many
    moves never comes twice to one arrangement. Layer after layer, leaving out what cannot arrive in time: each disk that is away
    from its goal takes a move at least. An arrangement is kept once per layer, with a left move before it if that can be.
    Raises ValueError for arrangements that do not fit in a word.
    """
    pegs, disks = table.pegs, len(table.start)
    if pegs**disks > 1 << 61:
        raise ValueError(f"leftward packs pegs**disks <= 2**61 arrangements in a word, got {pegs} pegs and {disks} disks")
    digit = pegs ** np.arange(disks, dtype=np.int64)  # an arrangement as a number: the peg of disk i counts pegs**i
    goal = np.array(table.goal, dtype=np.int64)
    targets = np.arange(pegs)
    words, left = np.array([digit @ np.array(table.start, dtype=np.int64)]), np.zeros(1, dtype=np.bool_)
    layers: list[tuple[Any, Any]] = []  # of each layer but the first: its arrangements, and from which of the layer before
    kept = 1
    for spent in range(1, length + 1):
        peg = words[:, None] // digit % pegs  # [arrangements, disks]
        away = peg != goal
        closed = np.bitwise_or.accumulate(1 << peg, axis=1)  # bit set of the pegs that hold this disk or a smaller one
        top = np.ones_like(away)
        top[:, 1:] = closed[:, :-1] >> peg[:, 1:] & 1 == 0
        legal = top[:, :, None] & (closed[:, :, None] >> targets & 1 == 0)  # [arrangements, disks, pegs]
        still = away.sum(axis=1)[:, None, None] - away[:, :, None] + (targets != goal[:, None])
        source, disk, target = np.nonzero(legal & (still <= length - spent))
        after = words[source] + (target - peg[source, disk]) * digit[disk]
        broken = left[source] | (target < peg[source, disk])
        keys, first = np.unique(2 * after + ~broken, return_index=True)  # in ascending order, a left move before none
        new = np.ones(keys.size, dtype=np.bool_)
        new[1:] = keys[1:] >> 1 != keys[:-1] >> 1
        words, left = keys[new] >> 1, keys[new] & 1 == 0
        layers.append((words, source[first[new]]))
        kept += words.size
        if kept > budget:
            return Route(None, False, kept)
    if not left.any():  # the last layer holds the goal or nothing
        return Route(None, True, kept)
    moves: list[Move] = []
    at, state = 0, list(table.goal)
    for depth in range(length - 1, -1, -1):
        at = int(layers[depth][1][at])
        word = int(layers[depth - 1][0][at]) if depth else int(digit @ np.array(table.start, dtype=np.int64))
        before = [word // int(unit) % pegs for unit in digit]
        moved = next(i for i in range(disks) if before[i] != state[i])
        moves.append((moved, before[moved], state[moved]))
        state = before
    return Route(length, True, kept, tuple(reversed(moves)))


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
