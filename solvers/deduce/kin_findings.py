"""Findings of a family's deduction, and their sentences."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlemill.core.model import Fact, KinTable, Step
from puzzlemill.core.words import Words, listed, pick
from puzzlemill.solvers.deduce.steps import Found, LookAhead, Say, Search, tale, tiers

_ORDINALS = ("first", "second", "third", "fourth")
_TOLD = 6  # conclusions that a sentence names


class KinSay(Say):
    """Sentences about one family. Needs of Words: value (a name), clue (a statement, as the beginning of a sentence), voice."""

    def __init__(self, words: Words, table: KinTable) -> None:
        self.words, self.n = words, table.people
        self.voice = words.voice

    def name(self, x: int) -> str:
        return self.words.value(x)

    def fact(self, slot: int, value: int) -> str:
        """ "Kim is a man", "the father of Kim is Bo"."""
        if slot >= 4 * self.n:
            return f"{self.name(slot - 4 * self.n)} is in the {_ORDINALS[value]} generation"
        x, field = divmod(slot, 4)
        if field == 0:
            return f"{self.name(x)} is a {('man', 'woman')[value]}"
        if field == 1:
            return f"{self.name(x)} is not married" if value == x else f"{self.name(x)} and {self.name(value)} are married"
        title = ("father", "mother")[field - 2]
        if value == x:
            return f"{self.name(x)} has no parents in the family"
        return f"the {title} of {self.name(x)} is {self.name(value)}"

    def is_not(self, cell: int, value: int) -> str:
        x, field = divmod(cell, 4)
        if cell >= 4 * self.n:
            return f"{self.name(cell - 4 * self.n)} is not in the {_ORDINALS[value]} generation"
        if field == 0:
            return self.fact(cell, 1 - value)
        if field == 1:
            return f"{self.name(x)} is married" if value == x else f"{self.name(x)} and {self.name(value)} are not married"
        title = ("father", "mother")[field - 2]
        if value == x:
            return f"{self.name(x)} has parents in the family"
        return f"{self.name(value)} is not the {title} of {self.name(x)}"

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return pick(
            self.voice,
            f"suppose {supposed}: {tale}. So {so}",
            f"assume {supposed}: {tale}. This cannot be, so {so}",
            f"imagine {supposed}: {tale}. That is impossible, so {so}",
        )

    def supposed(self, cell: int, value: int) -> str:
        return f"that {self.fact(cell, value)}"

    def so(self, step: Step) -> str:
        """The conclusions of a step, those that say the same once."""
        told = self._placed(step.sets) or [self.is_not(*fact) for fact in _once(step.drops, self.n)]
        return listed(told if len(told) <= _TOLD else [*told[:_TOLD], "more of this kind"])

    def story(self, steps: Sequence[Step]) -> str:
        return tale(self, steps)

    def _placed(self, sets: Sequence[Fact]) -> list[str]:
        """Facts in words: both parents at once, a couple once; generations only where nothing else is found."""
        known, told = dict(sets), []
        for slot, value in sets:
            x, field = divmod(slot, 4)
            if slot >= 4 * self.n or (field == 1 and value < x and 4 * value + 1 in known):
                continue
            if field > 1 and slot ^ 1 in known:
                if field == 2:
                    both = f"the parents of {self.name(x)} are {self.name(value)} and {self.name(known[slot ^ 1])}"
                    told.append(self.fact(slot, value) if value == x else both)
            else:
                told.append(self.fact(slot, value))
        return told or [self.fact(*fact) for fact in sets]

    def cited(self, step: Step) -> str:
        """The earlier steps that a step leans on: " (with steps 2 and 3)"."""
        numbers = [use[1:] for use in step.uses if use.startswith("#")]
        if not numbers:
            return ""
        return f" (with {'steps' if len(numbers) > 1 else 'step'} {listed(numbers)})"


def _once(drops: Sequence[Fact], n: int) -> list[Fact]:
    """Facts without those that say the same of the other one of a couple."""
    return [
        (slot, value)
        for slot, value in drops
        if not (slot < 4 * n and slot % 4 == 1 and value < slot // 4 and (4 * value + 1, slot // 4) in drops)
    ]


class KinFound(Found[KinSay]):
    """What a clue tells. which: its place; behind the last one for the rules alone."""

    which: int

    def says(self, say: KinSay, step: Step) -> str:
        clue, so, cited = say.words.clue(self.which).rstrip("."), say.so(step), say.cited(step)
        return pick(
            say.voice,
            f"{clue}{cited}, so {so}",
            f"{clue}. It follows{cited} that {so}",
            f"{clue}. So{cited} {so}",
        )

    def brief(self, say: KinSay, step: Step) -> str:
        return say.so(step)


class Placing(KinFound):
    """A clue places somebody."""


class Excluding(KinFound):
    """A clue only rules something out."""


class Rules(KinFound):
    """The rules of families alone, with what is known."""

    def says(self, say: KinSay, step: Step) -> str:
        so, cited = say.so(step), say.cited(step)
        return pick(say.voice, f"as families are{cited}, {so}", f"from what is known{cited} it follows that {so}")


class Clash(KinFound):
    """Nothing is left that fits."""

    def says(self, say: KinSay, step: Step) -> str:
        cited = say.cited(step)
        if self.which >= len(say.words.ids):
            return f"what is known{cited} leaves no such family"
        return f"what is known{cited} leaves no way for {say.words.shows(self.which)} to be true"

    def brief(self, say: KinSay, step: Step) -> str:
        return self.says(say, step)


class CaseSplit(LookAhead):
    """Supposing a fact ends in a contradiction."""


TECHNIQUES = tiers([Placing, Rules, Clash], [Excluding], [CaseSplit], [Search])
