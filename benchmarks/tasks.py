"""Truth-finding tasks for the benchmark, and how long the published search takes for each alone."""

from __future__ import annotations

from functools import reduce
from typing import Any

from measure import clock

from puzzlemill.core.model import Game
from puzzlemill.core.rng import stream
from puzzlemill.solvers.play import compat
from puzzlemill.solvers.play.deal import deal_many


def dealt(shapes: dict[str, Any], truths: int, actions: int, each: int) -> dict[str, list[Game]]:
    """Tasks of each domain, as many as asked for, that the published search has something to do in or not."""
    rng = stream("benchmark", "compat", truths)
    made = {}
    for shape, domain in shapes.items():
        picks = [rng.sample(range(len(domain.truths)), truths) for _ in range(each)]
        deals = deal_many(domain.masks(), picks, actions, 1, rng.child(shape))
        parts = [domain.part(pick, deal.actions) for pick, deal in zip(picks, deals, strict=True) if deal]
        made[shape] = [Game(truths, part.masks()) for part in parts]
    return made


def alone(shapes: dict[str, Any], truths: int, actions: int) -> dict[str, list[tuple[float, bool]]]:
    """20 tasks of each shape, each alone: the CPU time, ms, and whether 1,000,000 nodes decided the value."""
    spent: dict[str, list[tuple[float, bool]]] = {shape: [] for shape in shapes}
    for shape, games in dealt(shapes, truths, actions, 20).items():
        spent[shape] += [solved(game) for game in games]
    return spent


def solved(game: Game) -> tuple[float, bool]:
    """The CPU time of one task, ms, and whether 1,000,000 nodes decided its value."""
    begun = clock()
    found = compat.solve_many([game], 1_000_000, actions=False)
    return 1e3 * (clock() - begun), bool(found.low[0] == found.high[0])


def crowded(truths: int, actions: int, count: int) -> list[Game]:
    """Tasks as dense as the published ones. Of 36 actions of 2 to 4 outcomes each outcome rules out about 13 in 100 of 50 truths,
    and no action a truth whatever comes. Kept are those tasks in which every action may rule something out.
    """
    rng = stream("benchmark", "crowded", truths)
    masks: list[list[int]] = []
    while len(masks) < 36:
        outs = [sum([1 << t for t in range(50) if rng.chance(14, 100)]) for _ in range(rng.between(2, 4))]
        always = reduce(int.__and__, outs)
        masks.append([out & ~always for out in outs])
    games: list[Game] = []
    while len(games) < count:
        picks = [rng.sample(range(50), truths) for _ in range(count)]
        for pick, deal in zip(picks, deal_many(masks, picks, actions, 1, rng.child("deal", rng.next64())), strict=True):
            if deal is not None:
                mine = [[sum([(mask >> t & 1) << i for i, t in enumerate(pick)]) for mask in masks[a]] for a in deal.actions]
                if all(map(any, mine)):
                    games.append(Game(truths, tuple(map(tuple, mine))))
    return games[:count]
