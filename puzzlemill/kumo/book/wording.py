"""Words rules: lists, intervals, conditions and consequences. Only the writer uses this."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from puzzlemill.core.rng import Rng
from puzzlemill.core.text import capital
from puzzlemill.kumo.book.notes import nouns, sentences
from puzzlemill.kumo.domain.domain import Action, Domain

T = TypeVar("T")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Deck(Generic[T]):
    """Items dealt in a random order, all of them before any comes again, and never one twice in a row."""

    def __init__(self, items: Sequence[T], rng: Rng) -> None:
        self._items, self._rng = tuple(items), rng
        self._left: list[T] = []
        self._last: T | None = None

    def deal(self) -> T:
        if not self._left:
            self._left = self._rng.shuffled(self._items)
            if self._left[-1] == self._last:
                self._left.reverse()
        self._last = self._left.pop()
        return self._last


class Wording:
    """The wordings that one book draws from.

    several: more than one truth may hold, so that nothing is said of "the" truth.
    """

    def __init__(self, domain: Domain, rng: Rng, several: bool) -> None:
        self.domain, self.rng, self.several = domain, rng, several
        self.nouns = nouns(domain)
        said = sentences()["rules"]
        out = said["out"] if several else said["out"] + said["out_lone"]
        self._before, self._after = Deck(said["before"], rng), Deck(said["after"], rng)
        self._after_nothing = Deck(said["after"][:3], rng)
        self._out, self._this = Deck(out, rng), Deck(said["this_out"], rng)
        self._nothing, self._this_nothing = Deck(said["nothing"], rng), Deck(said["this_nothing"], rng)
        self._orders = {True: said["orders"], False: said["no_orders"]}  # whether anything is ruled out

    def deck(self, items: Sequence[str]) -> Deck[str]:
        return Deck(items, self.rng)

    def names(self, a: int, s: int) -> list[str]:
        """The truths that outcome s of action a rules out, in a random order."""
        return self.rng.shuffled([self.domain.truths[t] for t in self.domain.actions[a].excludes[s]])

    def rules(self, a: int, outcomes: Sequence[int]) -> list[str]:
        """Sentences that say what these outcomes of action a rule out; those that rule out nothing may share one."""
        action = self.domain.actions[a]
        empty = [s for s in outcomes if not action.excludes[s]]
        if len(empty) < 2 or self.rng.chance(1, 3):
            return [self.rule(a, s) for s in outcomes]
        spoken = [clause(action, s) for s in empty]
        link = " or if " if len(spoken) == 2 else ", or if "
        if self.rng.chance(1, 2):
            shared = f"If {', or if '.join(spoken)}, {self.consequence(a, empty[0], alone=False)}."
        else:
            shared = f"{capital(self.consequence(a, empty[0], alone=True))} if {link.join(spoken)}."
        spoken_for = [[self.rule(a, s)] for s in outcomes if action.excludes[s]]
        return [sentence for part in self.rng.shuffled([*spoken_for, [shared]]) for sentence in part]

    def rule(self, a: int, s: int) -> str:
        """One sentence that says what outcome s of action a rules out."""
        action = self.domain.actions[a]
        outcome = clause(action, s)
        if self.rng.chance(2, 3):
            return self._before.deal().format(o=outcome, c=self.consequence(a, s, alone=False))
        after = self._after if action.excludes[s] else self._after_nothing
        return after.deal().format(o=outcome, C=capital(self.consequence(a, s, alone=True)))

    def consequence(self, a: int, s: int, *, alone: bool) -> str:
        """The consequence of outcome s of action a, as a clause. alone: without a "this" that points back at the outcome."""
        names = self.names(a, s)
        pointing = not alone and self.rng.chance(1, 4)
        if not names:
            return (self._this_nothing if pointing else self._nothing).deal().format_map(self.nouns)
        return self.fill((self._this if pointing else self._out).deal(), names)

    def order(self, names: Sequence[str]) -> str:
        """An order about these names."""
        return self.fill(self.rng.pick(self._orders[bool(names)]), names)

    def fill(self, template: str, names: Sequence[str]) -> str:
        """A consequence with these names in it."""
        one = len(names) == 1
        words = {"all": listed(names, "and"), "any": listed(names, "or"), "none": none_of(names)}
        verbs = {"is_": "is" if one else "are", "has_": "has" if one else "have", "s_": "s" if one else ""}
        return template.format_map({**self.nouns, **words, **verbs})


def listed(names: Sequence[str], joiner: str) -> str:
    """ "A", "A and B", "A, B, and C"."""
    if len(names) < 3:
        return f" {joiner} ".join(names)
    return f"{', '.join(names[:-1])}, {joiner} {names[-1]}"


def none_of(names: Sequence[str]) -> str:
    """ "not A", "neither A nor B", "none of A, B, and C"."""
    if len(names) == 1:
        return f"not {names[0]}"
    return f"neither {names[0]} nor {names[1]}" if len(names) == 2 else f"none of {listed(names, 'and')}"


def clause(action: Action, s: int) -> str:
    """An outcome as a clause; of a numeric one "the density is at least 2.6 and below 3.2 g/cm³"."""
    return f"{action.quantity} is {interval(action, s)}" if action.numeric else action.outcomes[s]


def interval(action: Action, s: int) -> str:
    """The values of a numeric outcome: "at least 2.6 and below 3.2 g/cm³", and last "at least 3.2 and at most 8.0 g/cm³"."""
    end = "at most" if s == action.size - 1 else "below"
    return f"at least {action.digits(action.bounds[s])} and {end} {measured(action, action.bounds[s + 1])}"


def measured(action: Action, value: int) -> str:
    """A value with its unit, in the singular where it is one: "3.2 g/cm³", "1 day", "40 percent"."""
    if action.digits(value) != "1":
        return action.number(value)
    first, space, rest = action.unit.partition(" ")
    return replace(action, unit=singular(first) + space + rest).number(value)


def singular(unit: str) -> str:
    """ "days" -> "day", "inches" -> "inch"; signs and words without an s at their end stay."""
    if not unit.isalpha() or len(unit) < 4 or not unit.endswith("s") or unit.endswith("ss"):
        return unit
    return unit[:-2] if unit.endswith(("ches", "shes")) else unit[:-1]


def counted(n: int, one: str, many: str) -> str:
    """ "one test", "six tests", "31 tests"."""
    return f"{NUMBERS[n] if n < len(NUMBERS) else n} {one if n == 1 else many}"


def words_of(domain: Domain) -> frozenset[str]:
    """Every word of the domain, in lower case: nobody in a book about it is called so."""
    texts = [domain.title, domain.scene, domain.question, *domain.truths]
    for action in domain.actions:
        texts += [action.name, action.does, action.quantity, *action.outcomes]
    return frozenset(re.findall(r"\w+", " ".join(texts).lower()))
