"""Findings, and what deducers do with lists of steps: leave out what nothing leans on, and put uses in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from puzzlemill.core.model import Step
from puzzlemill.core.words import capital

S = TypeVar("S")


class Found(ABC, Generic[S]):
    """What one technique found: a frozen dataclass with its sentence beside it.

    technique: its name, as rows have it. tier: 1 is the easiest. S: how the deducer speaks, a class of its module made from the
    table and the family's Words.
    """

    technique: ClassVar[str]
    tier: ClassVar[int]

    @abstractmethod
    def says(self, say: S, step: Step) -> str:
        """The step as a sentence without its capital and its full stop."""


class Say(ABC):
    """How findings on one board are described; a deducer's own adds its nouns."""

    @abstractmethod
    def supposed(self, cell: int, value: int) -> str:
        """ "row 1 column 2 held a mine"."""

    @abstractmethod
    def is_so(self, cell: int, value: int) -> str:
        """ "row 1 column 2 holds a mine"."""

    @abstractmethod
    def left(self, step: Step) -> str:
        """What a search sets."""

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return f"suppose {supposed}: then {tale}, which cannot be, so {so}"

    def told(self, steps: Sequence[Step]) -> str:
        """The steps of a story in one sentence."""
        return "; ".join([step.found.says(self, step) for step in steps])


@dataclass(frozen=True, slots=True)
class LookAhead(Found[Say]):
    """Supposing this ends in a contradiction by easy techniques: the steps `within`."""

    technique, tier = "look_ahead", 5
    cell: int
    value: int

    def says(self, say: Say, step: Step) -> str:
        supposed, opposite = say.supposed(self.cell, self.value), say.is_so(self.cell, 1 - self.value)
        return say.refuted(supposed, say.told(step.within), opposite)


@dataclass(frozen=True, slots=True)
class FarLookAhead(LookAhead):
    """The same by more of the techniques that are easier than this."""

    technique, tier = "far_look_ahead", 6


@dataclass(frozen=True, slots=True)
class DeepLookAhead(LookAhead):
    """The same with looking ahead within the supposition too."""

    technique, tier = "deep_look_ahead", 7


@dataclass(frozen=True, slots=True)
class Search(Found[Say]):
    """Nothing else leads on: all clues and rules together. Its deducer's way of speaking says what that sets."""

    technique, tier = "search", 8

    def says(self, say: Say, step: Step) -> str:
        stuck = "none of the usual techniques leads on"
        if not step.sets:
            return f"{stuck}, and going through all possibilities shows that there is no answer"
        return f"{stuck}; going through all possibilities leaves one way only: {say.left(step)}"


def sentence(say: Any, step: Step, end: str = "So there is no answer.") -> str:
    """A step as a sentence or two. end: what is added to a contradiction, unless it is found by search, which says so itself."""
    ends = not step.sets and not step.drops and step.technique != Search.technique
    return f"{capital(step.found.says(say, step))}.{f' {end}' if ends else ''}"


def tiers(*techniques: type[Any]) -> dict[str, int]:
    """The tier of each technique by its name."""
    return {each.technique: each.tier for each in techniques}


class Contradiction(Exception):
    """What is known has no answer; the last step says why."""


def needed(steps: Sequence[Step], mark: str, ends: Iterable[int]) -> list[Step]:
    """Those steps that the ones at `ends` lean on, and these, numbered anew. Their labels are `mark` and a number from 1."""
    own = {f"{mark}{i + 1}": i for i in range(len(steps))}
    wanted = set(ends)
    for i in range(len(steps) - 1, -1, -1):
        if i in wanted:
            wanted.update(own[use] for use in steps[i].uses if use in own)
    kept = sorted(wanted)
    if len(kept) == len(steps):
        return list(steps)
    number = {f"{mark}{i + 1}": f"{mark}{k}" for k, i in enumerate(kept, 1)}

    def numbered(step: Step) -> Step:
        uses = tuple([number.get(use, use) for use in step.uses])
        return replace(step, uses=uses, within=tuple([numbered(part) for part in step.within]))

    return [numbered(steps[i]) for i in kept]


def length(steps: Sequence[Step]) -> int:
    """How many steps there are, with those of stories within."""
    return sum([1 + length(step.within) for step in steps])


def story(steps: Sequence[Step], mark: str) -> tuple[list[str], list[Step]]:
    """Of steps under a supposition that end in a contradiction: what they lean on beside it, and those that are needed for it.

    The supposition is labelled mark + "0"; labels that begin with "?" are of suppositions and are left out of the steps.
    """
    told = needed(steps, mark, [len(steps) - 1])
    own = {f"{mark}{i}" for i in range(len(told) + 1)}
    uses = [use for step in told for use in step.uses if use not in own]
    return uses, [replace(step, uses=tuple([use for use in step.uses if not use.startswith("?")])) for step in told]


def ordered(steps: Sequence[Step], labels: Sequence[str]) -> list[Step]:
    """The same steps, each with its uses in the order of these labels, and earlier steps after them."""
    order = {label: i for i, label in enumerate(labels)}

    def place(label: str) -> int:
        return len(order) + int(label[1:]) if label not in order else order[label]

    def one(step: Step) -> Step:
        uses = tuple(sorted(step.uses, key=place))
        return replace(step, uses=uses, within=tuple([one(part) for part in step.within]))

    return [one(step) for step in steps]


def enough(patterns: Sequence[int], known: int, ones: int) -> int:
    """Some of the known cells of a line, none to spare, that every one of these patterns (masks of ones) has otherwise."""
    clashes = {(pattern ^ ones) & known for pattern in patterns}
    left = known
    while left:
        fewer = known & ~(left & -left)
        left &= left - 1
        if all(clash & fewer for clash in clashes):
            known = fewer
    return known
