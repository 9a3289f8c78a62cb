"""Maps of one-way paths between places that are of different kinds, and the shortest ways over them. ways_draw.py draws such
maps.

A way ends at the first place of one kind that it comes to once it has visited places of some other kinds, in any order; which of
those it has visited is a bit set. Of each place and each bit set the *rest* is kept: how a shortest way goes on from there.
Engines prove afterwards that a way is shortest; they share no code with this file (solvers/routes.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from math import prod
from typing import TypeVar

from puzzlemill.core.model import Graph, State
from puzzlemill.core.rng import Rng

T = TypeVar("T")
Path = tuple[int, int, int]  # (from, to, length)
Rest = tuple[int, int, int]  # of a way: its length, its number of paths, the next place (-1 at its end)
Rests = list[dict[int, Rest]]  # one for each bit set of visited kinds
_SWAPS = 10  # 64 ** 10 == 2 ** 60


# ---- drawing ------------------------------------------------------------------------------------------------------------


def dealt(places: int, kinds: int, rng: Rng) -> tuple[int, ...]:
    """The kind of each place, all kinds being as frequent as each other, give or take one."""
    return tuple(mixed([place % kinds for place in range(places)], rng))


def mixed(items: list[T], rng: Rng) -> list[T]:
    """The items in an even random order; the list itself is shuffled."""
    for last in range(len(items) - 1, 0, -_SWAPS):  # Fisher and Yates, some swaps from one draw
        sizes = range(last + 1, max(last + 1 - _SWAPS, 1), -1)
        drawn = rng.below(prod(sizes))
        for size in sizes:
            drawn, other = divmod(drawn, size)
            items[size - 1], items[other] = items[other], items[size - 1]
    return items


# ---- shortest ways ------------------------------------------------------------------------------------------------------


def rests(kinds: Sequence[int], paths: Sequence[Path], goal: int, via: Sequence[int]) -> Rests:
    """The rests of ways that have visited some of the kinds `via`: item 0 of those that have still to visit them all."""
    into: list[list[tuple[int, int]]] = [[] for _ in kinds]  # where paths to each place come from, and their lengths
    for source, target, length in paths:
        into[target].append((source, length))
    full = (1 << len(via)) - 1
    found: Rests = [{} for _ in range(full + 1)]
    found[full] = _towards({place: (0, 0) for place, kind in enumerate(kinds) if kind == goal}, into)
    for seen in range(full - 1, -1, -1):
        ends: dict[int, tuple[int, int]] = {}
        for number, wanted in enumerate(via):
            if not seen >> number & 1:
                onward = found[seen | 1 << number]
                ends |= {place: onward[place][:2] for place, kind in enumerate(kinds) if kind == wanted and place in onward}
        found[seen] = _towards(ends, into)
    return found


def _towards(ends: Mapping[int, tuple[int, int]], into: Sequence[Sequence[tuple[int, int]]]) -> dict[int, Rest]:
    """The rest of a shortest way of the fewest paths from each place to an end; an end has a length and a number already."""
    found: dict[int, Rest] = {place: (length, count, -1) for place, (length, count) in ends.items()}
    work = list(found)
    for place in work:  # grows: places whose rest became shorter are looked at again
        length, count, _ = found[place]
        for source, more in into[place]:
            if source not in ends:
                old = found.get(source)
                if old is None or length + more < old[0] or (length + more == old[0] and count + 1 < old[1]):
                    found[source] = (length + more, count + 1, place)
                    work.append(source)
    return found


def starts(kinds: Sequence[int], found: Rests, goal: int, via: Sequence[int], hops: int) -> list[int]:
    """Places of none of these kinds from which every shortest way takes `hops` paths at least, and is longer than without any one
    of the visits.
    """
    first = found[0]
    return [
        place
        for place, kind in enumerate(kinds)
        if kind != goal
        and kind not in via
        and place in first
        and first[place][1] >= hops
        and all(first[place][0] > found[1 << number][place][0] for number in range(len(via)))
    ]


def counts(found: Rests, kinds: Sequence[int], paths: Sequence[Path], via: Sequence[int]) -> dict[int, int]:
    """The number of shortest ways from each place that have still to visit all of `via`."""
    away: dict[int, list[tuple[int, int]]] = {}
    for source, target, length in paths:
        away.setdefault(source, []).append((target, length))
    several: list[dict[int, int]] = [{} for _ in found]
    for seen in range(len(found) - 1, -1, -1):
        rest, mine = found[seen], several[seen]
        for place in sorted(rest, key=lambda place: rest[place][0]):
            length, _, following = rest[place]
            if following >= 0:
                mine[place] = sum([mine[t] for t, more in away[place] if t in rest and rest[t][0] + more == length])
            elif kinds[place] in via:
                mine[place] = several[seen | 1 << via.index(kinds[place])][place]
            else:
                mine[place] = 1
    return several[0]


def followed(start: int, found: Rests, kinds: Sequence[int], via: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The steps from the start to the end, over one landmark of each of `via`."""
    steps: list[tuple[int, int]] = []
    here, seen = start, 0
    while True:
        while (following := found[seen][here][2]) >= 0:
            steps.append((here, following))
            here = following
        if seen == len(found) - 1:
            return tuple(steps)
        seen |= 1 << via.index(kinds[here])


def nearer(graph: Graph, cost: int) -> int:
    """The number of states that are nearer to a graph's start than this: their moves have to be followed up."""
    assert graph.cost is not None  # only where moves have costs
    queue: list[tuple[int, State]] = [(0, graph.start)]
    near: set[State] = set()
    while queue:
        far, state = heappop(queue)
        if far >= cost:
            break
        if state not in near:
            near.add(state)
            for move, after in graph.moves(state):
                heappush(queue, (far + graph.cost(move), after))
    return len(near)
