"""Findings of positions.py and how they are worded.

A sentence restates the facts that it leans on and names clues by their numbers. Facts are on one item of those that clues merge
(positions.py); a sentence that speaks of another one of these says by which clues they are the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from puzzlemill.core.model import COMPOSITES, RELATIONS, PositionTable, Step
from puzzlemill.core.words import NUMBERS, capital, listed, pick
from puzzlemill.rules.positions_words import PlaceWords
from puzzlemill.solvers.deduce import steps
from puzzlemill.solvers.deduce.masks import bits, union
from puzzlemill.solvers.deduce.steps import Found, Say, length, tiers

LONGEST = 600  # characters of a step; a story that would be longer is told by values and numbers of clues
SHORT_FACTS = 16  # items of a table above which facts are stated by values alone
SHORT_NAMES = 20  # items of a table above which conclusions are too
_ORDINALS = ("first", "second", "third")


class Known(NamedTuple):
    """What a step leans on: an item stands at the one place of a mask; or it stands at none of these places."""

    item: int
    places: int
    there: bool


class Same(NamedTuple):
    """What a step leans on: an item is another one, by these clues."""

    item: int
    other: int
    clues: tuple[int, ...]


Fact = Known | Same


class Part(NamedTuple):
    """What a step leans on: a part of a composite is true or false, by these facts.

    shut: of a case that is looked at: by these facts it cannot be so.
    """

    part: int
    truth: bool
    known: tuple[Fact, ...]
    shut: bool = False


class PlaceSay(Say):
    """How findings on one board are worded.

    said: what a story has stated: items with places, and whether they stand there. depth: suppositions within one another.
    brief: values in place of items, and no clauses of clues. short: facts by values alone. large: conclusions too.
    """

    def __init__(self, words: PlaceWords, table: PositionTable) -> None:
        self.words, self.table, self.n, self.voice = words, table, table.positions, words.voice
        self.kinds = [RELATIONS[clue[0]] for clue in table.clues]
        self.said: set[Fact] = set()
        self.depth, self.brief = 0, False
        count = table.positions * table.attributes
        self.short, self.large = count > SHORT_FACTS, count > SHORT_NAMES

    # ---- nouns

    def item(self, x: int) -> str:
        return self.words.name(x) if self.bare else self.words.value(x)

    def title(self, attribute: int) -> str:
        return self.words.unit(attribute)

    def place(self, p: int) -> str:
        return f"{self.words.place} {p + 1}"

    def places(self, mask: int, last: str = "and") -> str:
        """ "house 2", "houses 2 and 3", "houses 2 to 4"; with "or" as "house 2 or 3"."""
        noun = self.words.places if last == "and" and mask & mask - 1 else self.words.place
        low, high = (mask & -mask).bit_length(), mask.bit_length()
        if last == "and" and high - low > 1 and mask.bit_count() == high - low + 1:
            return f"{noun} {low} to {high}"
        return f"{noun} {listed([str(p + 1) for p in bits(mask)], last)}"

    def clues(self, *several: int) -> str:
        """ "clue 3", "clues 3 and 5"."""
        numbers = [str(number) for number in sorted({self.words.number(i) for i in several})]
        return f"clue{'s' if len(numbers) > 1 else ''} {listed(numbers)}"

    def say(self, *several: int) -> str:
        """ "clue 3 says", "clues 3 and 5 say"."""
        by = self.clues(*several)
        return f"{by} {'say' if by.startswith('clues') else 'says'}"

    def part(self, i: int, k: int) -> str:
        """ "first statement", "condition"."""
        if self.kinds[i] == COMPOSITES[1]:
            return ("condition", "consequence")[k]
        return f"{_ORDINALS[self.words.turned(i, k)]} statement"

    def decided(self, i: int, parts: Sequence[Part], via: Sequence[int], again: bool = False) -> str:
        """ "house 2 has tea, so the first statement of clue 4 is false"; via: clues that say who is who. again: without facts."""
        of = f" of {self.clues(i)}{f' (with {self.clues(*via)})' if via else ''}"
        told = []
        for k, truth, known, _ in sorted(parts, key=lambda part: self.words.turned(i, part.part)):
            name = f"the {self.part(i, k)}{of} is {'true' if truth else 'false'}"
            facts = "" if again else self.facts(known)
            if not facts or len(parts) > 1 or self.depth:
                told.append(f"{name}{f', since {facts}' if facts else ''}")
            else:
                told.append(self.pick(f"{facts}, so {name}", f"{name}, since {facts}"))
            of = ""
        return f"{', and '.join(told)}{', as found before' if again else ''}"

    def rest(self, i: int, k: int) -> str:
        """ "the other one": a part of a composite, after the others."""
        if self.kinds[i] == COMPOSITES[1]:
            return f"the {self.part(i, k)}"
        return "the other one" if self.kinds[i] != COMPOSITES[0] else f"the {_ORDINALS[self.words.turned(i, k)]} one"

    def pick(self, *options: str) -> str:
        """One of several wordings; within a story the plainest, which fits after "Then"."""
        return options[0] if self.depth else pick(self.voice, *options)

    # ---- facts

    @property
    def bare(self) -> bool:
        """Return whether items are named by their values alone: "house 2 has tea"."""
        return self.brief or self.large

    def stands(self, x: int, p: int) -> str:
        if self.bare:
            return f"{self.place(p)} has {self.words.name(x)}"
        return f"{self.item(x)} {self.words.stands} {self.words.at} {self.place(p)}"

    def stands_not(self, x: int, mask: int) -> str:
        if self.bare:
            return f"{self.places(mask)} {'do' if mask & mask - 1 else 'does'} not have {self.words.name(x)}"
        return f"{self.item(x)} {self.words.stands_not} {self.words.at} {self.places(mask, 'or')}"

    def stands_only(self, items: Sequence[int], mask: int) -> str:
        """These items have no other places than these."""
        names = listed([self.words.name(x) if self.bare else self.item(x) for x in items])
        return f"{names} can only be {self.words.at} {self.places(mask, 'or')}"

    def is_other(self, same: Same) -> str:
        both = [self.item(same.item), self.item(same.other)]
        return f"{' and '.join(both) + ' go together' if self.bare else ' is '.join(both)} ({self.clues(*same.clues)})"

    def facts(self, known: Sequence[Fact], besides: Sequence[Fact] = (), of: int = -1) -> str:
        """What is known, but for what the story or `besides` has stated; "" for nothing.

        of: the item that loses its places one by one.
        """
        before, self.brief = self.brief, self.brief or self.short
        text = self._facts(known, {*self.said, *besides}, of)
        self.brief = before
        return text

    def _facts(self, known: Sequence[Fact], said: Collection[Fact], of: int) -> str:
        at: dict[int, list[int]] = {}
        absent: list[tuple[int, int]] = []
        parts = []
        for fact in known:
            if isinstance(fact, Same):
                parts += [] if fact in said else [self.is_other(fact)]
                continue
            before = [each for each in said if isinstance(each, Known) and each.item == fact.item]
            if fact.there and fact not in before:
                at.setdefault(fact.places.bit_length() - 1, []).append(fact.item)
            if not fact.there and not any(each.there for each in before):
                mask = fact.places & ~union([each.places for each in before])
                absent += [(fact.item, mask)] * bool(mask)
        parts += self.standing(at)
        full = (1 << self.n) - 1
        only: dict[int, list[int]] = {}
        for x, mask in absent:
            if x != of and 2 * mask.bit_count() > self.n:
                only.setdefault(full & ~mask, []).append(x)
        parts += [self.stands_only(items, mask) for mask, items in only.items()]
        absent = [(x, mask) for x, mask in absent if x == of or 2 * mask.bit_count() <= self.n]
        return listed([*parts, *([self.absent(absent)] if absent else [])])

    def standing(self, at: Mapping[int, Sequence[int]]) -> list[str]:
        """Items by the place where they stand: those of one place together, and those of one attribute."""
        parts = []
        single: dict[int, list[tuple[int, int]]] = {}
        for p, items in sorted(at.items()):
            if len(items) == 1:
                single.setdefault(items[0] // self.n, []).append((p, items[0]))
            elif self.bare:
                parts.append(f"{self.place(p)} has {listed([self.words.name(x) for x in items])}")
            else:
                parts.append(f"{listed([self.item(x) for x in items])} {self.words.stand} {self.words.at} {self.place(p)}")
        for here in single.values():
            names = listed([self.words.name(x) for _, x in here])
            where = self.places(union([1 << p for p, _ in here]))
            parts.append(self.stands(here[0][1], here[0][0]) if len(here) == 1 else f"{where} have {names}")
        return parts

    # ---- conclusions

    def sets(self, step: Step, links: Sequence[Same] = (), by: str = "") -> str:
        """Items that stand at places; those that are one with the first are named with the clues that say so.

        by: the clues of the others, in brackets.
        """
        parts = []
        for p in dict.fromkeys([slot % self.n for slot, _ in step.sets]):
            items = [slot - slot % self.n + v for slot, v in step.sets if slot % self.n == p]
            own = {same.item: f" ({self.clues(*same.clues)})" for same in links}
            verb = self.words.stands if len(items) == 1 else self.words.stand
            names = listed([self.item(x) + own.get(x, by) for x in sorted(items, key=lambda x: x in own)])
            place = self.place(p)
            parts.append(f"{place} has {names}" if self.bare else f"{names} {verb} {self.words.at} {place}")
        return listed(parts)

    def drops(self, step: Step) -> str:
        drops: dict[int, int] = {}
        for slot, v in step.drops:
            x = slot - slot % self.n + v
            drops[x] = drops.get(x, 0) | 1 << slot % self.n
        return self.absent(list(drops.items()))

    def absent(self, several: Sequence[tuple[int, int]]) -> str:
        """Items that do not stand at places. Several of an attribute are named by their values."""
        parts = []
        for mask in dict.fromkeys([mask for _, mask in several]):
            alone = []
            here = [x for x, other in several if other == mask]
            for attribute in [-1] if self.bare else dict.fromkeys([x // self.n for x in here]):
                items = [x for x in here if attribute in (-1, x // self.n)]
                if len(items) == 1:
                    alone += items
                    continue
                none = f"neither {listed([self.words.name(x) for x in items], 'nor')}"
                if len(items) > 2:
                    none = f"none of {listed([self.words.name(x) for x in items])}"
                parts.append(f"{self.places(mask)} {'have' if mask & mask - 1 else 'has'} {none}")
            if len(alone) == 2:
                names = listed([self.item(x) for x in alone], "nor")
                parts.append(f"neither {names} {self.words.stands} {self.words.at} {self.places(mask, 'or')}")
            else:
                parts += [self.stands_not(x, mask) for x in alone]
        return listed(parts)

    def so(self, step: Step, links: Sequence[Same] = (), by: str = "") -> str:
        drops = self.drops(step)
        return listed([part for part in (self.sets(step, links, by), drops + by if drops else "") if part])

    # ---- suppositions

    def supposed(self, cell: int, value: int) -> str:
        return f"that {self.stands(cell, value)}"

    def is_not(self, cell: int, value: int) -> str:
        return self.stands_not(cell, 1 << value)

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return pick(
            self.voice,
            f"suppose {supposed}. {tale} That cannot be, so {so}",
            f"let us see what would follow if we say {supposed}. {tale} That is impossible, so {so}",
            f"assume for a moment {supposed}. {tale} This is a contradiction, so {so}",
            f"try the assumption {supposed}. {tale} That does not work, and therefore {so}",
        )

    def supposition(self, x: int, p: int, within: Sequence[Step]) -> str:
        """A supposition with its story: in full, or as short as it must be."""
        before, outer = self.said, {*self.said, Known(x, 1 << p, True)}
        text = ""
        for brief in (False, True):
            self.said, self.depth, self.brief = set(outer), 1, brief
            tale = self.story(within)
            self.depth = 0
            text = self.refuted(self.supposed(x, p), tale, self.is_not(x, p))
            if len(text) < LONGEST:
                break
        self.said, self.brief = before, False
        return text

    def story(self, steps: Sequence[Step]) -> str:
        """The steps of a story: one sentence each, or one for all but the last. What it has concluded is not stated again."""
        *texts, end = self.links(steps)
        if self.brief:
            return f"Then {'; '.join(texts)}. Now {end}." if texts else f"Then {end}."
        starts = ("Then ", "Now ", "Hence ")
        return " ".join([f"{starts[k] if k < 3 else 'Next, '}{text}." for k, text in enumerate([*texts, end])])

    def links(self, steps: Sequence[Step]) -> list[str]:
        """Each step of a story with its reasons. The last one, which is the contradiction, restates what it leans on."""
        texts = []
        for step in steps:
            if step is steps[-1]:
                self.said = set()
            clause = self.brief or isinstance(step.found, Composite | LookAhead)
            texts.append(step.found.link(self, step) if clause else step.found.says(self, step))
            self.said.update(fact for fact in getattr(step.found, "known", ()) if isinstance(fact, Same))
            self.said.update(Known(slot - slot % self.n + v, 1 << slot % self.n, True) for slot, v in step.sets)
            self.said.update(Known(slot - slot % self.n + v, 1 << slot % self.n, False) for slot, v in step.drops)
        return texts

    def within(self, x: int, p: int, steps: Sequence[Step]) -> str:
        """A supposition within a story, in one clause."""
        before, brief, self.brief = self.said, self.brief, True
        self.said = {*before, Known(x, 1 << p, True)}
        told, so = "; ".join(self.links(steps)), self.is_not(x, p)
        text = f"{so} (if it did: {told})"
        self.said, self.brief = before, brief
        return text


def _clues(step: Step) -> list[int]:
    """The clues of a step, with those within."""
    found, own = step.found, list[int]()
    for name in ("via", "by", "clues"):
        own += getattr(found, name, ())
    own += [found.clue] if isinstance(found, ByClue | Composite | Discord | Cases) else []
    facts = (*getattr(found, "known", ()), *getattr(found, "links", ()))
    own += [i for fact in facts if isinstance(fact, Same) for i in fact.clues]
    return [*own, *[i for part in step.within for i in _clues(part)]]


class PlaceFound(Found[PlaceSay]):
    """A finding that can be a link of a story."""

    def link(self, say: PlaceSay, step: Step) -> str:
        """The step in one clause, by values and numbers of clues."""
        return self.says(say, step)


# ---- places and items ----------------------------------------------------------------------------------------------------


class LastPlace(PlaceFound, technique="once"):
    """One place is left for an item; or, as a contradiction, none. links: items that are one with it."""

    item: int
    known: tuple[Fact, ...]
    links: tuple[Same, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        item, noun, since = say.item(self.item), say.words.place, say.facts(self.known, of=self.item)
        if not step.sets:
            return say.pick(
                f"{since + ', so ' if since else ''}no {noun} is left for {item}",
                f"{item} has no {noun} left{', since ' + since if since else ''}",
                f"there is no {noun} for {item} any more{': ' + since if since else ''}",
            )
        only, p = say.sets(step, self.links), say.place(step.sets[0][0] % say.n)
        one = len(step.sets) == 1
        if not since:
            return f"only {p} is left for {item}{'' if one else f', so {only}'}"
        return say.pick(
            f"{since}, so only {p} is left for {item}{'' if one else f': {only}'}",
            f"only {p} is left for {item}, since {since}{'' if one else f'; so {only}'}",
            f"{since}; that leaves {p} for {item}{'' if one else f', and so {only}'}",
            f"look for {item}: {since}, so {only}",
        )

    def link(self, say: PlaceSay, step: Step) -> str:
        if not step.sets:
            return self.says(say, step)
        item, so = say.item(self.item), say.sets(step, self.links)
        away = [fact for fact in self.known if isinstance(fact, Known) and fact.item == self.item]
        mask = union([fact.places for fact in away]) & ~union([fact.places for fact in say.said if fact in away])
        since = say.facts([fact for fact in self.known if fact not in away])
        why = "; ".join([each for each in (since, f"not {say.places(mask, 'or')}" if mask else "") if each])
        one = f"{say.place(step.sets[0][0] % say.n)} is left for {item}"
        return f"only {one}{f' ({why})' if why else ''}{f': {so}' if len(step.sets) > 1 else ''}"


class LastItem(PlaceFound, technique="once"):
    """One item of an attribute is left for a place; or, as a contradiction, none. links: as in LastPlace."""

    attribute: int
    place: int
    known: tuple[Fact, ...]
    links: tuple[Same, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        where, title, since = say.place(self.place), say.title(self.attribute), say.facts(self.known)
        if not step.sets:
            return f"{since + ', so ' if since else ''}no {title} is left for {where}"
        so = say.sets(step, self.links)
        if not since:
            return f"no other {title} is left for {where}, so {so}"
        return say.pick(
            f"{since}, so no other {title} is left for {where}: {so}",
            f"look for the {title} of {where}: {since}, so {so}",
            f"{where} needs its {title}: {since}, which leaves one only, and {so}",
        )

    def link(self, say: PlaceSay, step: Step) -> str:
        if not step.sets or say.facts(self.known):
            return self.says(say, step)
        return f"{say.sets(step, self.links)}, as no other {say.title(self.attribute)} is left there"


class Together(PlaceFound, technique="once"):
    """A contradiction: two items of an attribute stand at one place."""

    item: int
    other: int
    known: tuple[Fact, ...]

    def says(self, say: PlaceSay, step: Step) -> str:
        both, title = f"{say.item(self.item)} and {say.item(self.other)}", say.title(self.item // say.n)
        since = say.facts(self.known)
        if not since:
            return f"{both} would be {say.words.at} one {say.words.place}"
        return f"{since}, but one {say.words.place} has only one {title}"


class Merged(PlaceFound, technique="same"):
    """A contradiction: clues merge two items that an attribute, or a further clue (else -1), keeps apart."""

    item: int
    other: int
    clues: tuple[int, ...]
    clue: int
    known: tuple[Fact, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        x, y = say.words.value(self.item), say.words.value(self.other)
        by = say.clues(*self.clues)
        if self.clue < 0:
            title = say.title(self.item // say.n)
            return say.pick(
                f"by {by}, {x} and {y} are the same {say.words.who}, but one {say.words.who} has only one {title}",
                f"{by} together make {x} and {y} one {say.words.who}, which would then have two values of the line {title}",
                f"{x} would have to be {y} too ({by}), but no {say.words.who} has two values of the line {title}",
            )
        apart = say.clues(self.clue)
        return say.pick(
            f"by {by}, {x} and {y} are the same {say.words.who}, but by {apart} they are not",
            f"{by} {'makes' if len(self.clues) == 1 else 'make'} {x} and {y} one {say.words.who}, which {apart} rules out",
            f"{x} is {y} ({by}), and yet {apart} keeps them apart",
        )


class Clash(PlaceFound):
    """A contradiction: two clues about an item cannot both hold. clues: with those that merge items. items: of each."""

    clue: int
    other: int
    items: tuple[tuple[int, ...], tuple[int, ...]]
    clues: tuple[int, ...]
    known: tuple[Fact, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        one, two = [
            say.words.says(say.kinds[i], items, say.table.clues[i][7], False)
            for i, items in zip((self.clue, self.other), self.items, strict=True)
        ]
        return say.pick(
            f"by {say.clues(*self.clues)}, {one}, and {two}, which cannot both be",
            f"{one} and {two} ({say.clues(*self.clues)}), but not both can be true",
            f"{say.clues(*self.clues)} contradict each other: {one}, and {two}",
        )


class Chain(PlaceFound):
    """Clues put items in an order that leaves them little room; or, as a contradiction, none. items: in this order."""

    items: tuple[int, ...]
    clues: tuple[int, ...]
    known: tuple[Fact, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        by = say.clues(*self.clues)
        names = [say.item(x) for x in self.items]
        if not step.drops:
            if self.items[0] == self.items[-1]:
                return f"{by} put {' before '.join(names)}, which goes round in a circle"
            return f"{by} put {listed(names)} in this order, but there are only {NUMBERS[say.n]} {say.words.places}"
        return say.pick(
            f"{by} put {listed(names)} in this order, so {say.so(step)}",
            f"{listed(names)} come in this order ({by}), so {say.so(step)}",
            f"the order is {', then '.join(names)} ({by}); so {say.so(step)}",
        )


# ---- clues ---------------------------------------------------------------------------------------------------------------


class ByClue(PlaceFound, technique="clue"):
    """A clue narrows its items' places, wherever others that are not placed may be; or, as a contradiction, cannot hold.

    items: of the clue, each as the one that stands for it by the clues `via`. links: items that are one with what is placed.
    first: whether no step before it has used the clue.
    """

    clue: int
    items: tuple[int, ...]
    known: tuple[Fact, ...]
    via: tuple[int, ...] = ()
    links: tuple[Same, ...] = ()
    first: bool = False

    def says(self, say: PlaceSay, step: Step) -> str:
        kind, by, facts = say.kinds[self.clue], say.clues(self.clue, *self.via), say.facts(self.known)
        if not step.sets and not step.drops:
            return self._fails(say, kind, by, facts)
        so = say.so(step, self.links)
        if kind in ("at", "not_at") and not facts:
            if len(step.sets) == 1 or step.drops:
                return say.pick(
                    f"{say.say(self.clue, *self.via)} that {so}",
                    f"{so}, as {say.say(self.clue, *self.via)}",
                    f"we read in {by} that {so}",
                )
            return say.pick(f"by {by}, {so}", f"{so}, by {by}")
        if facts and not self.first:
            return say.pick(
                f"{facts}, so by {by}, {so}",
                f"by {by}, since {facts}, {so}",
                f"{facts}; then {say.say(self.clue, *self.via)} that {so}",
                f"{facts}; with {by} it follows that {so}",
            )
        says = self._clause(say, kind, step)
        if not facts:
            return say.pick(
                f"{says} ({by}), so {so}",
                f"by {by}, {says}; so {so}",
                f"{so}, because {says} ({by})",
            )
        return say.pick(
            f"{facts}, and {says} ({by}), so {so}",
            f"{facts}; by {by}, {says}, so {so}",
            f"by {by}, {says}. {facts[:1].upper() + facts[1:]}, so {so}",
        )

    def link(self, say: PlaceSay, step: Step) -> str:
        if not step.sets and not step.drops:
            return self.says(say, step)
        facts = say.facts(self.known)
        so = say.so(step, self.links, f" ({say.clues(self.clue, *self.via)})")
        return f"{so}, since {facts}" if facts else so

    def _clause(self, say: PlaceSay, kind: str, step: Step) -> str:
        """What the clue says, from the side of the item that is concluded of."""
        items, number = self.items, say.table.clues[self.clue][7]
        facts = [*step.sets, *step.drops]
        concluded = {slot - slot % say.n + value for slot, value in facts}
        turn = len(items) == 2 and bool(facts) and items[0] not in concluded
        if turn and kind not in ("just_left", "left"):
            return say.words.says(kind, items[::-1], number, False)
        return say.words.says(kind, items, number, turn)

    def _fails(self, say: PlaceSay, kind: str, by: str, facts: str) -> str:
        says = say.words.says(kind, self.items, say.table.clues[self.clue][7], False)
        if not facts:
            return f"{by} cannot hold: {says}"
        return say.pick(
            f"{facts}, but {says} ({by})",
            f"{says} ({by}), but {facts}",
            f"by {by}, {says}; but {facts}",
        )


class Reach(ByClue):
    """The same, by the places that are left for the others."""


class Composite(PlaceFound):
    """Known places decide that a part of a composite is true or not; that narrows its items' places, or cannot be.

    parts: those that decide, by the clues `by` that merge their items. further: what else the conclusion leans on. via: the
    clues by which the part's items are merged. again: whether a step before it has told why the part is true or not.
    """

    clue: int
    parts: tuple[Part, ...]
    by: tuple[int, ...]
    part: int
    truth: bool
    further: tuple[Fact, ...]
    via: tuple[int, ...] = ()
    links: tuple[Same, ...] = ()
    again: bool = False

    @property
    def known(self) -> tuple[Fact, ...]:
        return (*[fact for part in self.parts for fact in part.known], *self.further)

    def _told(self, say: PlaceSay, step: Step) -> tuple[str, str, str, str]:
        """Why the part is true or not, that it is, what else is known, and the conclusion."""
        decided = say.decided(self.clue, self.parts, self.by, self.again)
        before = [] if self.again else [fact for part in self.parts for fact in part.known]
        with_ = f" (with {say.clues(*self.via)})" if set(self.via) - set(self.by) else ""
        rest = f"{say.rest(self.clue, self.part)} is {'true' if self.truth else 'false'}{with_}"
        return decided, rest, say.facts(self.further, before), say.so(step, self.links)

    def says(self, say: PlaceSay, step: Step) -> str:
        decided, rest, further, so = self._told(say, step)
        if not step.sets and not step.drops:
            return f"{decided}. Hence {rest}: {say.words.part(self.clue, self.part)}. But {further}"
        if further:
            return say.pick(
                f"{decided}. Hence {rest}. {capital(further)}, so {so}",
                f"{decided}. So {rest}, and as {further}, {so}",
                f"look at {say.clues(self.clue)}: {decided}. Thus {rest}; {further}, so {so}",
            )
        return say.pick(
            f"{decided}. Hence {rest}: {so}",
            f"{decided}. So {rest}, and {so}",
            f"look at {say.clues(self.clue)}: {decided}. Thus {rest}, which means that {so}",
        )

    def link(self, say: PlaceSay, step: Step) -> str:
        if not step.sets and not step.drops:
            return self.says(say, step)
        decided, _, further, so = self._told(say, step)
        return f"{so} ({decided}{f'; {further}' if further else ''})"


class Discord(PlaceFound, technique="composite"):
    """A contradiction: the parts of a composite cannot agree. via: the clues that merge their items."""

    clue: int
    parts: tuple[Part, ...]
    via: tuple[int, ...] = ()

    @property
    def known(self) -> tuple[Fact, ...]:
        return tuple([fact for part in self.parts for fact in part.known])

    def says(self, say: PlaceSay, step: Step) -> str:
        decided, kind = say.decided(self.clue, self.parts, self.via), say.kinds[self.clue]
        if kind == COMPOSITES[1]:
            return f"{decided}; but where the condition is true, the consequence must be true too"
        many = NUMBERS[3 if kind == COMPOSITES[0] else 2]
        must = "only one of the {} may" if self.parts[0].truth else "one of the {} must"
        return f"{decided}; but {must.format(many)} be true"


class Cases(PlaceFound):
    """Whichever parts of a composite are true, some items do not stand at some places.

    ways: the parts that show it, case by case. via: the clues that merge their items.
    """

    clue: int
    ways: tuple[Part, ...]
    via: tuple[int, ...] = ()

    @property
    def known(self) -> tuple[Fact, ...]:
        return tuple([fact for part in self.ways for fact in part.known])

    def says(self, say: PlaceSay, step: Step) -> str:
        by, so = say.clues(self.clue, *self.via), say.so(step)
        told = []
        for k, truth, known, shut in self.ways:
            facts, part = say.facts(known), f"the {say.part(self.clue, k)}"
            case = say.words.part(self.clue, k) if truth else f"{part} is false"
            since = f", since {facts}" if facts else ""
            told.append(f"{part} cannot be {'true' if truth else 'false'}{since}" if shut else f"not if {case}{since}")
        every = "; ".join(told)
        return say.pick(
            f"{so}, in whatever way {by} comes true: {every}",
            f"go through the cases of {by}. {capital(so)}: {every}",
            f"take {by} case by case. {capital(so)}: {every}",
        )


class Subset(PlaceFound):
    """So many items of an attribute have only so many places (a mask), where no other can stand."""

    places: int
    items: tuple[int, ...]
    known: tuple[Fact, ...] = ()
    links: tuple[Same, ...] = ()

    def so(self, say: PlaceSay, step: Step) -> str:
        """The conclusion, with those of its items that are one with others."""
        same = say.facts(self.links)
        return f"{say.so(step)}{f', as {same}' if same else ''}"

    def says(self, say: PlaceSay, step: Step) -> str:
        names, facts = listed([say.item(x) for x in self.items]), say.facts(self.known)
        so, where = self.so(say, step), say.places(self.places)
        return say.pick(
            f"{facts + ', so ' if facts else ''}{names} take {where} between them, and {so}",
            f"{names} share {where}{', since ' + facts if facts else ''}; so {so}",
            f"{where} are for {names}{', as ' + facts if facts else ''}; therefore {so}",
        )


class HiddenSubset(Subset, technique="subset"):
    """So many places have only so many items of an attribute, which can stand nowhere else."""

    def says(self, say: PlaceSay, step: Step) -> str:
        names, title = listed([say.item(x) for x in self.items]), say.title(self.items[0] // say.n)
        facts, where = say.facts(self.known), say.places(self.places)
        return f"{facts + ', so ' if facts else ''}{where} can have no {title} but those of {names}, and {self.so(say, step)}"


# ---- suppositions --------------------------------------------------------------------------------------------------------


class LookAhead(PlaceFound):
    """Supposing an item at a place ends in a contradiction by easy techniques: the steps `within`."""

    item: int
    place: int

    def says(self, say: PlaceSay, step: Step) -> str:
        return say.supposition(self.item, self.place, step.within)

    def link(self, say: PlaceSay, step: Step) -> str:
        return say.within(self.item, self.place, step.within)


class TwoClues(LookAhead):
    """The same in very few steps, by at most two clues besides those that merge items."""


class FarLookAhead(LookAhead):
    """The same by more steps, or with subsets."""


class LongLookAhead(LookAhead):
    """The same by so many steps that no sentence tells them."""

    def says(self, say: PlaceSay, step: Step) -> str:
        supposed, so = say.supposed(self.item, self.place), say.is_not(self.item, self.place)
        by, many = say.clues(*_clues(step)), length(step.within)
        return say.refuted(supposed, f"Then {many} steps with {by} lead to a contradiction.", so)

    def link(self, say: PlaceSay, step: Step) -> str:
        return self.says(say, step)


class DeepLookAhead(LookAhead):
    """The same with looking ahead within the supposition too."""


class LongDeepLookAhead(LongLookAhead):
    """The same by so many steps that no sentence tells them."""


class Search(steps.Search):
    """Nothing else leads on."""

    def says(self, say: Say, step: Step) -> str:
        stuck = "none of the usual ways leads on; going through all possibilities"
        if not step.sets:
            return f"{stuck} shows that there is no answer"
        return f"{stuck} leaves one way only: {say.so(step)}"


TECHNIQUES = tiers(
    [Merged, Clash, LastPlace, ByClue],
    [Chain, Reach, Composite],
    [Cases, Subset, TwoClues],
    [LookAhead],
    [FarLookAhead, LongLookAhead],
    [DeepLookAhead, LongDeepLookAhead],
    [Search],
)
