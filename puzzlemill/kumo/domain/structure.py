"""Draws which outcomes rule out which truths, in a named graph shape.

Two truths are *joined* when one action's outcomes exclude both: that is the truths' graph. The shapes, for some 50 truths:

few_large       2 or 3 communities; an action keeps to its own, and every third strays into another: one component
many_small      5 or 6 communities that no action leaves: as many components
chain           the truths stand in a line, of one piece or of two; an action sees a window of it: one component or two
hubs            a few truths that actions of all sorts touch, and 3 or 4 groups around them that no action leaves except
                for the hubs: one component, and hubs of a far higher degree than the others
near_partition  every action divides some of the truths among its outcomes: nearly each of these is excluded by just one
dense           every action touches some of the truths anywhere, and most of these are excluded by several of its outcomes

In every shape an outcome excludes some 5 to 11 in 100 truths, so that tasks of 4 truths and 6 actions and of 12 truths and 16
actions can be drawn and take a few actions (docs/domains.md has the measured numbers). What is drawn passes `check.defects`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import Rng, stream
from puzzlemill.kumo.domain.check import exclusion_defects
from puzzlemill.kumo.domain.domain import Domain
from puzzlemill.kumo.domain.files import authored

TRIES = 100  # drawings that are thrown away before a domain is given up; the authored ones need 1 to 3
KEPT = 256  # domains that are kept in memory, some 100 kB each


@dataclass(frozen=True, slots=True)
class Reach:
    """Truths that an action may exclude. share: the part of them that each outcome excludes on average, in thousandths.

    overlap: how many of the action's outcomes exclude a truth that any of them excludes, on average, in thousandths.
    """

    truths: tuple[int, ...]
    share: int
    overlap: int


Plan = Callable[[int, int, Rng], list[list[Reach]]]  # (truths, actions, rng) -> what each action may reach


@lru_cache(maxsize=KEPT)
def domain_of(name: str, edition: str) -> Domain:
    """The authored domain of this name with the exclusions of this edition: a word; other words give other exclusions.

    Raises BadParams for an unknown name.
    """
    return drawn_for(authored(name), edition)


def drawn_for(domain: Domain, edition: str) -> Domain:
    """The domain as it is if it has exclusions already, else with those of this edition. Raises BadParams as `exclusions`."""
    drawn = any(action.excludes for action in domain.actions)
    return domain if drawn else exclusions(domain, stream("kumo", domain.name, edition))


def exclusions(domain: Domain, rng: Rng) -> Domain:
    """The domain with exclusions drawn in the shape that its `structure` names.

    A drawing that `check.exclusion_defects` refuses is thrown away whole, so that no truth or action is favoured by a repair.
    Raises BadParams if the structure is none of SHAPES, or if the domain is too small for it.
    """
    plan = SHAPES.get(domain.structure)
    if plan is None:
        raise BadParams(f"{domain.name}: no structure is called {domain.structure!r}; choose one of {', '.join(SHAPES)}")
    for attempt in range(TRIES):
        drawn = _drawn(domain, plan, rng.child("exclusions", attempt))
        defects = exclusion_defects(drawn)
        if not defects:
            return drawn
    raise BadParams(
        f"{domain.name}: {TRIES} drawings of {domain.structure!r} all had defects, the last one: {defects[0]}; "
        "give the domain more actions or choose another structure"
    )


def _drawn(domain: Domain, plan: Plan, rng: Rng) -> Domain:
    touched = [0] * len(domain.truths)
    actions = []
    for action, reaches in zip(domain.actions, plan(len(domain.truths), len(domain.actions), rng), strict=True):
        excluded: list[list[int]] = [[] for _ in range(action.size)]
        for reach in reaches:
            _exclude(excluded, reach, touched, rng)
        actions.append(replace(action, excludes=tuple([tuple(sorted(out)) for out in excluded])))
    return replace(domain, actions=tuple(actions))


def _exclude(excluded: list[list[int]], reach: Reach, touched: list[int], rng: Rng) -> None:
    """Let an action's outcomes exclude some of these truths, preferably those that few actions have touched so far.

    excluded: the truths that each outcome excludes; touched: the number of actions that touch each truth. Both grow.
    """
    outcomes = len(excluded)
    total = len(reach.truths) * reach.share * outcomes  # exclusions to be made, in thousandths
    places = min(_rounded(total, reach.overlap, rng), len(reach.truths) * 9 // 10)
    by_need = sorted([(2 * touched[t] + rng.below(7), rng.next64(), t) for t in reach.truths])
    for _, _, truth in by_need[:places]:
        by = min(outcomes - 1, max(1, _rounded(total, 1000 * places, rng)))
        touched[truth] += 1
        for outcome in rng.sample(range(outcomes), by):
            excluded[outcome].append(truth)


def _rounded(a: int, b: int, rng: Rng) -> int:
    """a / b, up or down so that it is right on average."""
    return a // b + rng.chance(a % b, b)


def _cut(items: Sequence[int], pieces: int) -> list[tuple[int, ...]]:
    """The items in so many pieces, whose lengths differ by 1 at most."""
    ends = [len(items) * i // pieces for i in range(pieces + 1)]
    return [tuple(items[low:high]) for low, high in pairwise(ends)]


def _homes(actions: int, places: int, rng: Rng) -> list[int]:
    """A place for every action, each place equally often, or once more."""
    return rng.shuffled([i % places for i in range(actions)])


def _few_large(truths: int, actions: int, rng: Rng) -> list[list[Reach]]:
    groups = _cut(rng.shuffled(range(truths)), rng.between(2, 3))
    share = 130 if len(groups) == 2 else 180
    plan = []
    for home in _homes(actions, len(groups), rng):
        reaches = [Reach(groups[home], share, 1200)]
        if rng.chance(1, 3):
            abroad = groups[(home + rng.between(1, len(groups) - 1)) % len(groups)]
            reaches.append(Reach(tuple(rng.sample(abroad, rng.between(1, 3))), 300, 1000))
        plan.append(reaches)
    return plan


def _many_small(truths: int, actions: int, rng: Rng) -> list[list[Reach]]:
    groups = _cut(rng.shuffled(range(truths)), rng.between(5, 6))
    return [[Reach(groups[home], 370, 1200)] for home in _homes(actions, len(groups), rng)]


def _chain(truths: int, actions: int, rng: Rng) -> list[list[Reach]]:
    lines = _cut(rng.shuffled(range(truths)), rng.between(1, 2))
    homes = _homes(actions, len(lines), rng)
    seen = [0] * len(lines)
    plan = []
    for home in homes:
        line = lines[home]
        wide = max(6, len(line) * len(lines) // 3)
        middle = len(line) * (2 * seen[home] + 1) // (2 * homes.count(home))
        seen[home] += 1
        low = max(0, min(len(line) - wide * 2 // 3, middle - wide // 2))
        high = max(wide * 2 // 3, min(len(line), middle + wide - wide // 2))
        plan.append([Reach(line[low:high], 280, 1200)])
    return plan


def _hubs(truths: int, actions: int, rng: Rng) -> list[list[Reach]]:
    order = rng.shuffled(range(truths))
    hubs = rng.between(4, 6)
    groups = _cut(order[hubs:], rng.between(3, 4))
    return [[Reach(tuple(order[:hubs]), 150, 1000), Reach(groups[home], 240, 1200)] for home in _homes(actions, len(groups), rng)]


def _near_partition(truths: int, actions: int, rng: Rng) -> list[list[Reach]]:
    share = rng.between(58, 70)
    return [[Reach(tuple(range(truths)), share, 1030)] for _ in range(actions)]


def _dense(truths: int, actions: int, rng: Rng) -> list[list[Reach]]:
    share = rng.between(102, 116)
    return [[Reach(tuple(range(truths)), share, 1600)] for _ in range(actions)]


SHAPES: dict[str, Plan] = {
    "few_large": _few_large,
    "many_small": _many_small,
    "chain": _chain,
    "hubs": _hubs,
    "near_partition": _near_partition,
    "dense": _dense,
}
