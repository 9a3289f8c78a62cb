"""Findings, and what deducers do with lists of steps: leave out what nothing leans on, and put uses in order."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar, dataclass_transform

from puzzlemill.core.model import Step
from puzzlemill.core.words import capital, pick

S = TypeVar("S")


@dataclass_transform(frozen_default=True)
class Found(ABC, Generic[S]):
    """A technique's finding and its sentence. A subclass becomes a frozen dataclass.

    technique: its name in rows; that of the class, unless the class states another. S: how the deducer speaks, a class of its
    module made from the table and the family's Words.
    """

    technique: ClassVar[str]

    def __init_subclass__(cls, technique: str = "") -> None:
        super().__init_subclass__()
        cls.technique = technique or re.sub("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", cls.__name__).lower()
        dataclass(frozen=True)(cls)

    @abstractmethod
    def says(self, say: S, step: Step) -> str:
        """The step as a sentence without its capital and its full stop."""

    def brief(self, say: S, step: Step) -> str:
        """The same within a chain: what is so now, and why in a few words."""
        return self.says(say, step)

    def rests(self, say: S) -> Collection[int] | None:
        """The cells whose values it restates; None if it does not say."""
        return None


class Say(ABC):
    """How findings on one board are described; a deducer's own adds its nouns."""

    @abstractmethod
    def supposed(self, cell: int, value: int) -> str:
        """ "row 1 column 2 held a mine"."""

    @abstractmethod
    def is_not(self, cell: int, value: int) -> str:
        """ "row 1 column 2 holds no mine"."""

    @abstractmethod
    def so(self, step: Step) -> str:
        """The conclusion of a step."""

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return f"suppose {supposed}: then {tale}, which cannot be, so {so}"

    def by(self, techniques: Sequence[str]) -> str:
        """What these techniques go by, "runs and full lines", where a story is too long for its reasons; "" if it is not said."""
        return ""

    def story(self, steps: Sequence[Step]) -> str:
        """The steps of a story in one sentence."""
        return "; ".join([step.found.says(self, step) for step in steps])


_SENTENCES = re.compile(r"\. [A-Z]")
TALE = 560  # characters of a story that gives a reason for each of its links


def tale(say: Say, steps: Sequence[Step]) -> str:
    """A story as a chain in the order of inference, of which each link is needed; of a long one without the reasons.

    The last step, by itself, is the contradiction or the conclusion.
    """
    *chain, last = trimmed(say, steps)
    end: str = last.found.says(say, last)
    if not chain:
        return end
    links, by = [step.found.brief(say, step) for step in chain], ""
    if sum(map(len, links)) > TALE:
        links, by = [say.so(step) for step in chain], say.by(list(dict.fromkeys([step.technique for step in chain])))
    between = ". " if any(_SENTENCES.search(link) for link in links) else "; "
    told = between.join([links[0], *[capital(link) if between == ". " else link for link in links[1:]]])
    then = pick(len(told), "then", "with that,") if last.sets or last.drops else pick(len(told), "but then", "now", "with that,")
    return f"{told}{f' (each in turn, by {by})' if by else ''}. {capital(then)} {end}"


def trimmed(say: Say, steps: Sequence[Step]) -> list[Step]:
    """The same steps without conclusions that no later one rests on, if they end in a contradiction."""
    if steps[-1].sets or steps[-1].drops:
        return list(steps)
    kept: list[Step] = []
    wanted: set[int] | None = set()  # None: all
    for step in reversed(steps):
        sets = step.sets if not kept or wanted is None else tuple([fact for fact in step.sets if fact[0] in wanted])
        if kept and not sets:
            continue
        kept.append(replace(step, sets=sets))
        rests = step.found.rests(say)
        wanted = None if wanted is None or rests is None else wanted.union(rests)
    return kept[::-1]


class LookAhead(Found[Say]):
    """Supposing this ends in a contradiction by easy techniques: the steps `within`."""

    cell: int
    value: int

    def says(self, say: Say, step: Step) -> str:
        supposed, opposite = say.supposed(self.cell, self.value), say.is_not(self.cell, self.value)
        return say.refuted(supposed, say.story(step.within), opposite)


class FarLookAhead(LookAhead):
    """The same by more of the techniques that are easier than this."""


class DeepLookAhead(LookAhead):
    """The same with looking ahead within the supposition too."""


class Supposed(Found[Say]):
    """A value that is tried, for the words of it alone; no step of a trace."""

    def says(self, say: Say, step: Step) -> str:
        return say.so(step)


class TakenBack(Found[Say]):
    """The same once it has ended in a contradiction."""

    cell: int
    value: int

    def says(self, say: Say, step: Step) -> str:
        return say.is_not(self.cell, self.value)


class Search(Found[Say]):
    """Nothing else leads on: all clues and rules together."""

    def says(self, say: Say, step: Step) -> str:
        stuck = "none of the usual techniques leads on"
        if not step.sets:
            return f"{stuck}, and going through all possibilities shows that there is no answer"
        return f"{stuck}; going through all possibilities leaves one way only: {say.so(step)}"


UNTOLD = (
    "search",
    "long_look_ahead",
    "long_far_look_ahead",
    "long_deep_look_ahead",
    "long_all_ways",
    "long_conflict",
    "long_suspect",
    "unproved",  # of towers: that no list of moves is shorter
)  # techniques whose sentences leave out the story: nothing to learn from
HARDEST = ([LookAhead], [FarLookAhead], [DeepLookAhead], [Search])  # the last tiers of most deducers


def sentence(say: Any, step: Step, end: str = "So there is no answer.") -> str:
    """A step as a sentence or two. end: what is added to a contradiction, unless it is found by search, which says so itself."""
    ends = not step.sets and not step.drops and not step.claims and step.technique != Search.technique
    return f"{capital(step.found.says(say, step))}.{f' {end}' if ends else ''}"


def tiers(*groups: Sequence[type[Found[Any]]]) -> dict[str, int]:
    """The tier of each technique by its name: 1, the easiest, for those of the first group, and so on."""
    return {each.technique: tier for tier, group in enumerate(groups, 1) for each in group}


class Contradiction(Exception):
    """The known facts leave no answer; the last step says why."""


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
    return [with_uses(steps[i], lambda uses: [number.get(use, use) for use in uses]) for i in kept]


def with_uses(step: Step, change: Callable[[Sequence[str]], Sequence[str]]) -> Step:
    """The same step with its uses changed, and those of the steps within."""
    uses = tuple(change(step.uses))
    if not step.within and uses == step.uses:
        return step
    within, grounds, claims = tuple([with_uses(part, change) for part in step.within]), step.grounds, step.claims
    return Step(step.technique, uses, step.sets, step.drops, within, step.found, grounds, claims)


def length(steps: Sequence[Step]) -> int:
    """How many steps there are, with those of stories within."""
    return sum([1 + length(step.within) for step in steps])


def story(steps: Sequence[Step], mark: str) -> tuple[list[str], list[Step]]:
    """Labels on which a contradiction leans, but for the supposition that it is under, and the steps that lead to it.

    The supposition is labelled mark + "0"; labels that begin with "?" are of suppositions and are left out of the steps.
    """
    kept = needed(steps, mark, [len(steps) - 1])
    own = {f"{mark}{i}" for i in range(len(kept) + 1)}
    uses = [use for step in kept for use in step.uses if use not in own]
    return uses, [with_uses(step, lambda uses: [use for use in uses if not use.startswith("?")]) for step in kept]


def all_follow(steps: Sequence[Step], mark: str) -> bool:
    """Return whether each step that leads to the last one leans on the supposition that they are under."""
    supposed = {f"{mark}0"}
    for number, step in enumerate(needed(steps, mark, [len(steps) - 1]), 1):
        if supposed.isdisjoint(step.uses):
            return False
        supposed.add(f"{mark}{number}")
    return True


def ordered(steps: Sequence[Step], labels: Sequence[str]) -> list[Step]:
    """The same steps, each with its uses in the order of these labels, and earlier steps after them."""
    order = {label: i for i, label in enumerate(labels)}

    def place(label: str) -> int:
        return len(order) + int(label[1:]) if label not in order else order[label]

    return [with_uses(step, lambda uses: sorted(uses, key=place)) for step in steps]
