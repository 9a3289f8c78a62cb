"""What deducers do with lists of steps: leave out what nothing leans on, and put uses in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from puzzlemill.core.model import Step


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
    number = {f"{mark}{i + 1}": f"{mark}{k}" for k, i in enumerate(kept, 1)}

    def numbered(step: Step) -> Step:
        uses = tuple([number.get(use, use) for use in step.uses])
        return replace(step, uses=uses, within=tuple([numbered(part) for part in step.within]))

    return [numbered(steps[i]) for i in kept]


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
