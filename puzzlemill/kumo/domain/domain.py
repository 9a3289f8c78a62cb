"""Domains of the truth-finding game (KUMO, see docs/design/kumo.md).

One of the domain's *truths* holds (or several), and nobody knows which. An *action* may be done once and shows one of its
*outcomes*, and an outcome *excludes* truths: whatever it excludes does not hold. Outcomes exclude; none of them confirms.

A domain has some 50 truths and 30 actions. A task is a small domain: some of the truths and actions of a large one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

CHANCES = 6  # in so many times an action shows each of its outcomes as often as its chances say
# a quantity that names its unit; not "the population in thousands", "the memory in use", "the change in pressure"
_IN_UNIT = re.compile(r"(.+) in ((?!thousands|millions)[a-z]+s|pence)")


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done once to find out.

    name: what the player writes. does: an infinitive phrase ("scratch the stone over unglazed porcelain").
    outcomes: clauses in the present tense that can follow "If"; () for a *numeric* action.
    excludes: of each outcome, the truths that it rules out, as positions in the domain's truths, ascending; () as long as the
        domain's structure is not drawn.
    quantity, unit, decimals, bounds: of a numeric action only. quantity is a noun phrase ("the density"), unit "" for a bare
        number. bounds are its range and inner cuts, strictly ascending, as whole multiples of 10**-decimals: outcome s is the
        half-open interval from bounds[s] up to bounds[s + 1]; the last one contains its end as well.
    chances: how often each outcome comes up in CHANCES times, where nothing else is known; () where all come up alike.
    """

    name: str
    does: str
    outcomes: tuple[str, ...]
    excludes: tuple[tuple[int, ...], ...] = ()
    quantity: str = ""
    unit: str = ""
    decimals: int = 0
    bounds: tuple[int, ...] = ()
    chances: tuple[int, ...] = ()

    @property
    def numeric(self) -> bool:
        return bool(self.bounds)

    @property
    def size(self) -> int:
        """The number of outcomes."""
        return len(self.bounds) - 1 if self.bounds else len(self.outcomes)

    def shown(self, way: int) -> int:
        """The outcome that one of Domain.ways() is."""
        if way < self.size:
            return way
        return [s for s, chance in enumerate(self.chances) for _ in range(chance - 1)][way - self.size]

    def digits(self, value: int) -> str:
        """A value of a numeric action without its unit: digits(26) is "2.6" where decimals is 1."""
        sign, digits = "-" * (value < 0), str(abs(value)).rjust(self.decimals + 1, "0")
        whole, part = (digits[: -self.decimals], digits[-self.decimals :]) if self.decimals else (digits, "")
        return f"{sign}{whole}{'.' * bool(part)}{part}"

    def number(self, value: int) -> str:
        """The same with its unit: "2.6 g/cm³"."""
        return f"{self.digits(value)}{' ' * bool(self.unit) * (self.unit != '%')}{self.unit}"

    def reading(self, value: int) -> str:
        """A value that was seen as a clause: "the weekly wage is 8 crowns", where the quantity is the weekly wage in crowns."""
        digits = self.digits(value)
        found = None if self.unit or digits == "1" else _IN_UNIT.fullmatch(self.quantity)
        return f"{found[1]} is {digits} {found[2]}" if found else f"{self.quantity} is {self.number(value)}"

    def clause(self, outcome: int) -> str:
        """An outcome as a clause that can follow "If": "the density is at least 2.6 g/cm³ and below 3.2 g/cm³"."""
        if not self.numeric:
            return self.outcomes[outcome]
        low, high = self.bounds[outcome], self.bounds[outcome + 1]
        last = outcome == self.size - 1
        end = "at most" if last else "below"
        return f"{self.quantity} is at least {self.number(low)} and {end} {self.number(high)}"


@dataclass(frozen=True, slots=True)
class Domain:
    """A domain, or a part of one.

    name: a short identifier ("quarry_minerals"). truth, truths_plural, action, actions_plural: what truths and actions are, as
    lower-case nouns ("mineral", "tests"). scene: a sentence or two that set the scene. question: what is asked.
    structure: the graph shape that the exclusions are drawn in (structure.py).
    """

    name: str
    title: str
    topic: str
    truth: str
    truths_plural: str
    action: str
    actions_plural: str
    scene: str
    question: str
    structure: str
    truths: tuple[str, ...]
    actions: tuple[Action, ...]

    def part(self, truths: Sequence[int], actions: Sequence[int]) -> Domain:
        """The domain with these truths and actions only, in these orders; exclusions are numbered anew."""
        place = {t: i for i, t in enumerate(truths)}
        kept = []
        for a in actions:
            action = self.actions[a]
            excludes = tuple([tuple(sorted([place[t] for t in out if t in place])) for out in action.excludes])
            kept.append(action if excludes == action.excludes else replace(action, excludes=excludes))
        return replace(self, truths=tuple([self.truths[t] for t in truths]), actions=tuple(kept))

    def ways(self) -> tuple[tuple[int, ...], ...]:
        """masks() with each outcome as often as it comes up: all outcomes in their order, then their repetitions in order."""
        out = []
        for action, masks in zip(self.actions, self.masks(), strict=True):
            more = [[mask] * (chance - 1) for mask, chance in zip(masks, action.chances, strict=False)]
            out.append((*masks, *chain(*more)))
        return tuple(out)

    def masks(self) -> tuple[tuple[int, ...], ...]:
        """The excluded truths of each action and outcome, as a bit mask (bit t is truths[t])."""
        return tuple([tuple([sum([1 << t for t in out]) if out else 0 for out in action.excludes]) for action in self.actions])
