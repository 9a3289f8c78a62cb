"""Findings of positions.py and how they are worded.

A sentence restates the facts that it leans on and names clues by their numbers. Facts are on one item of those that clues merge
(positions.py); a sentence that speaks of another one of these says by which clues they are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from puzzlemill.core.model import COMPOSITES, RELATIONS, PositionTable, Step
from puzzlemill.core.words import NUMBERS, listed, pick
from puzzlemill.rules.positions_words import PlaceWords
from puzzlemill.solvers.deduce import steps
from puzzlemill.solvers.deduce.masks import bits
from puzzlemill.solvers.deduce.steps import Found, Say, tiers

LONGEST = 600  # characters of a step; a story that would be longer is shortened to what it concludes
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


class PlaceSay(Say):
    """How findings on one board are worded.

    said: what a story has stated: items with places, and whether they stand there. depth: suppositions within one another.
    terse: 0 states all, 1 values in place of items and no clauses of clues, 2 no facts from outside the story, 3 an outline.
    silent: no facts at all. short: facts by values alone. large: conclusions too.
    """

    def __init__(self, words: PlaceWords, table: PositionTable) -> None:
        self.words, self.table, self.n, self.voice = words, table, table.positions, words.voice
        self.kinds = [RELATIONS[clue[0]] for clue in table.clues]
        self.said: set[tuple[int, int, bool]] = set()
        self.depth = self.terse = 0
        self.silent = False
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
        """ "house 2", "houses 2 and 3"; with "or" as "house 2 or 3"."""
        noun = self.words.places if last == "and" and mask & mask - 1 else self.words.place
        return f"{noun} {listed([str(p + 1) for p in bits(mask)], last)}"

    def clues(self, *several: int) -> str:
        """ "clue 3", "clues 3 and 5"."""
        numbers = [str(number) for number in sorted({self.words.number(i) for i in several})]
        return f"clue{'s' if len(numbers) > 1 else ''} {listed(numbers)}"

    def parts(self, i: int, truths: Sequence[tuple[int, bool]], via: Sequence[int] = ()) -> str:
        """ "the first and third statements of clue 4 are false"; via: clues that say who is who in them."""
        named = []
        of = f" of {self.clues(i)}{f' (with {self.clues(*via)})' if via else ''}"
        for truth in dict.fromkeys([truth for _, truth in truths]):
            which = [k for k, other in truths if other is truth]
            if self.kinds[i] == COMPOSITES[1]:
                names, noun = [("condition", "consequence")[k] for k in which], ""
            else:
                names = [_ORDINALS[place] for place in sorted([self.words.turned(i, k) for k in which])]
                noun = " statements" if len(which) > 1 else " statement"
            one = "is" if len(which) == 1 else "are"
            named.append(f"the {listed(names)}{noun}{of} {one} {'true' if truth else 'false'}")
            of = ""
        return listed(named)

    # ---- facts

    @property
    def bare(self) -> bool:
        """Return whether items are named by their values alone: "house 2 has tea"."""
        return self.terse > 0 or self.large

    def stands(self, x: int, p: int) -> str:
        if self.bare:
            return f"{self.place(p)} has {self.words.name(x)}"
        return f"{self.item(x)} {self.words.stands} {self.words.at} {self.place(p)}"

    def stands_not(self, x: int, mask: int) -> str:
        if self.bare:
            return f"{self.places(mask)} {'do' if mask & mask - 1 else 'does'} not have {self.words.name(x)}"
        return f"{self.item(x)} {self.words.stands_not} {self.words.at} {self.places(mask, 'or')}"

    def is_other(self, same: Same) -> str:
        both = [self.item(same.item), self.item(same.other)]
        return f"{' and '.join(both) + ' go together' if self.bare else ' is '.join(both)} ({self.clues(*same.clues)})"

    def facts(self, known: Sequence[Fact]) -> str:
        """What is known, but for what the story has stated; "" for nothing."""
        before, self.terse = self.terse, max(self.terse, int(self.short))
        text = self._facts(known)
        self.terse = before
        return text

    def _facts(self, known: Sequence[Fact]) -> str:
        at: list[tuple[int, int]] = []
        absent: list[tuple[int, int]] = []
        parts = []
        for fact in known:
            if isinstance(fact, Same):
                parts.append(self.is_other(fact))
                continue
            mask = fact.places & ~sum([1 << p for x, p, there in self.said if (x, there) == (fact.item, fact.there)])
            if mask and not self.silent:
                (at if fact.there else absent).append((fact.item, mask))
        for attribute in dict.fromkeys([x // self.n for x, _ in at]):
            here = sorted([(mask.bit_length() - 1, x) for x, mask in at if x // self.n == attribute])
            if len(here) == 1:
                parts.append(self.stands(here[0][1], here[0][0]))
            else:
                names = listed([self.words.name(x) for _, x in here])
                parts.append(f"{self.places(sum([1 << p for p, _ in here]))} have {names}")
        return listed([*parts, *([self.absent(absent)] if absent else [])])

    # ---- conclusions

    def sets(self, step: Step, links: Sequence[Same] = ()) -> str:
        """Items that stand at places; those that are one with the first are named with the clues that say so."""
        parts = []
        for p in dict.fromkeys([slot % self.n for slot, _ in step.sets]):
            items = [slot - slot % self.n + v for slot, v in step.sets if slot % self.n == p]
            by = {same.item: f" ({self.clues(*same.clues)})" for same in links}
            verb = self.words.stands if len(items) == 1 else self.words.stand
            names = listed([self.item(x) + by.get(x, "") for x in items])
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

    def so(self, step: Step, links: Sequence[Same] = ()) -> str:
        return listed([part for part in (self.sets(step, links), self.drops(step)) if part])

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
        before, self.said = self.said, {*self.said, (x, p, True)}
        self.depth += 1
        outer = set(self.said)
        text = ""
        for terse in range(self.terse, 4):
            self.said, self.terse, self.silent = set(outer), terse, terse > 1
            tale = self.story(within)
            self.terse = self.terse if self.depth > 1 else 0
            text = self.refuted(self.supposed(x, p), tale, self.is_not(x, p))
            if len(text) < LONGEST:
                break
        self.depth -= 1
        self.said, self.silent = before, False
        if not self.depth:
            self.terse = 0
        return text

    def story(self, steps: Sequence[Step]) -> str:
        """The steps of a story: one sentence each, or one for all. What it has concluded is not stated again."""
        texts = []
        for step in steps:
            texts.append(self._brief(step) if self.terse else step.found.says(self, step))
            self.said.update((slot - slot % self.n + v, slot % self.n, True) for slot, v in step.sets)
            self.said.update((slot - slot % self.n + v, slot % self.n, False) for slot, v in step.drops)
        if self.terse > 2:
            return self._outline(steps)
        if self.terse:
            return f"Then {'; '.join(texts)}."
        starts = ("Then ", "Now ", "Hence ")
        return " ".join([f"{starts[k] if k < 3 else 'Next, '}{text}." for k, text in enumerate(texts)])

    def _outline(self, steps: Sequence[Step]) -> str:
        """A very long story: the clues in turn, and where they put items."""
        by = dict.fromkeys([i for step in steps for i in _clues(step)])
        at = {
            p: [slot - slot % self.n + v for step in steps for slot, v in step.sets if slot % self.n == p] for p in range(self.n)
        }
        places = [f"{self.place(p)} has {listed([self.words.name(x) for x in items])}" for p, items in at.items() if items]
        end = steps[-1].found
        last = f"{self.clues(*_clues(steps[-1]))} cannot hold" if _clues(steps[-1]) else end.says(self, steps[-1])
        return f"Then, step by step from {self.clues(*by)}: {'; '.join(places)}; and {last}."

    def _brief(self, step: Step) -> str:
        """A step of a story by what it concludes and the clues that it needs."""
        found, by = step.found, _clues(step)
        if not step.sets and not step.drops:
            return f"{self.clues(*by)} cannot hold" if by else found.says(self, step)
        if isinstance(found, LookAhead):
            by = [
                i
                for part in step.within
                if isinstance(part.found, ByClue | Composite)
                for i in (part.found.clue, *part.found.via)
            ]
        clues, facts = f" ({self.clues(*by)})" if by else "", self.facts(getattr(found, "known", ()))
        return f"{self.so(step)}{clues}{f', since {facts}' if facts else ''}"


def _clues(step: Step) -> list[int]:
    """The clues of a step, with those within."""
    found = step.found
    own = [found.clue, *found.via] if isinstance(found, ByClue | Composite | Cases) else []
    return [*own, *[i for part in step.within for i in _clues(part)]]


# ---- places and items ----------------------------------------------------------------------------------------------------


class LastPlace(Found[PlaceSay], technique="once"):
    """One place is left for an item; or, as a contradiction, none. links: items that are one with it."""

    item: int
    known: tuple[Fact, ...]
    links: tuple[Same, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        item, noun, since = say.item(self.item), say.words.place, say.facts(self.known)
        if not step.sets:
            return pick(
                say.voice,
                f"{since + ', so ' if since else ''}no {noun} is left for {item}",
                f"{item} has no {noun} left{', since ' + since if since else ''}",
                f"there is no {noun} for {item} any more{': ' + since if since else ''}",
            )
        only, p = say.sets(step, self.links), say.place(step.sets[0][0] % say.n)
        one = len(step.sets) == 1
        if not since:
            return f"only {p} is left for {item}{'' if one else f', so {only}'}"
        if one and [fact.item for fact in self.known if isinstance(fact, Known) and not fact.there] == [self.item]:
            return pick(
                say.voice,
                f"{since}, so only {p} is left",
                f"{since}; that leaves {p}",
                f"{since}, which leaves no {noun} but {p}",
            )
        return pick(
            say.voice,
            f"{since}, so only {p} is left for {item}{'' if one else f': {only}'}",
            f"only {p} is left for {item}, since {since}{'' if one else f'; so {only}'}",
            f"{since}; that leaves {p} for {item}{'' if one else f', and so {only}'}",
            f"look for {item}: {since}, so {only}",
        )


class LastItem(Found[PlaceSay], technique="once"):
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
        return pick(
            say.voice,
            f"{since}, so no other {title} is left for {where}: {so}",
            f"look for the {title} of {where}: {since}, so {so}",
            f"{where} needs its {title}: {since}, which leaves one only, and {so}",
        )


class Together(Found[PlaceSay], technique="once"):
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


class Merged(Found[PlaceSay], technique="same"):
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
            return pick(
                say.voice,
                f"by {by}, {x} and {y} are the same {say.words.who}, but one {say.words.who} has only one {title}",
                f"{by} together make {x} and {y} one {say.words.who}, which would then have two values of the line {title}",
                f"{x} would have to be {y} too ({by}), but no {say.words.who} has two values of the line {title}",
            )
        apart = say.clues(self.clue)
        return pick(
            say.voice,
            f"by {by}, {x} and {y} are the same {say.words.who}, but by {apart} they are not",
            f"{by} {'makes' if len(self.clues) == 1 else 'make'} {x} and {y} one {say.words.who}, which {apart} rules out",
            f"{x} is {y} ({by}), and yet {apart} keeps them apart",
        )


class Clash(Found[PlaceSay]):
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
        return pick(
            say.voice,
            f"by {say.clues(*self.clues)}, {one}, and {two}, which cannot both be",
            f"{one} and {two} ({say.clues(*self.clues)}), but not both can be true",
            f"{say.clues(*self.clues)} contradict each other: {one}, and {two}",
        )


class Chain(Found[PlaceSay]):
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
        return pick(
            say.voice,
            f"{by} put {listed(names)} in this order, so {say.so(step)}",
            f"{listed(names)} come in this order ({by}), so {say.so(step)}",
            f"the order is {', then '.join(names)} ({by}); so {say.so(step)}",
        )


# ---- clues ---------------------------------------------------------------------------------------------------------------


class ByClue(Found[PlaceSay], technique="clue"):
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
                return pick(say.voice, f"{by} says that {so}", f"{so}, as {by} says", f"we read in {by} that {so}")
            return pick(say.voice, f"by {by}, {so}", f"{by} tells us that {so}", f"{so}, by {by}")
        if facts and not self.first:
            return pick(
                say.voice,
                f"{facts}, so by {by}, {so}",
                f"by {by}, since {facts}, {so}",
                f"{facts}; {by} then says that {so}",
                f"{facts}; with {by} it follows that {so}",
            )
        says, short = self._clause(say, kind, step), so
        stood, dropped = [{slot - slot % say.n + v for slot, v in each} for each in (step.sets, step.drops)]
        if len(stood | dropped) == 1 and says.startswith(say.item(*stood, *dropped)):
            where = say.places(sum([1 << slot % say.n for slot, _ in (*step.sets, *step.drops)]), "or")
            short = f"{'' if stood else 'not '}{say.words.at} {where}"
        if not facts:
            return pick(
                say.voice,
                f"{says} ({by}), so {short}",
                f"by {by}, {says}; so {so}",
                f"{so}, because {says} ({by})",
            )
        return pick(
            say.voice,
            f"{facts}, and {says} ({by}), so {short}",
            f"{facts}; by {by}, {says}, so {short}",
            f"by {by}, {says}. {facts[:1].upper() + facts[1:]}, so {so}",
            f"{says} ({by}) and {facts}, so {so}",
        )

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
        if kind in COMPOSITES:
            return f"{facts + ', so ' if facts else ''}the statements of {by} cannot be true and false as they should"
        says = say.words.says(kind, self.items, say.table.clues[self.clue][7], False)
        if not facts:
            return f"{by} cannot hold: {says}"
        return pick(
            say.voice,
            f"{facts}, but {says} ({by})",
            f"{says} ({by}), but {facts}",
            f"by {by}, {says}; but {facts}",
        )


class Reach(ByClue):
    """The same, by the places that are left for the others."""


class Composite(Found[PlaceSay]):
    """Known places decide that a part of a composite is true or not; that narrows its items' places, or cannot be.

    parts: those that decide, with their truth.
    """

    clue: int
    parts: tuple[tuple[int, bool], ...]
    part: int
    truth: bool
    known: tuple[Fact, ...]
    via: tuple[int, ...] = ()
    links: tuple[Same, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        facts, via = say.facts(self.known), self.via
        others = say.parts(self.clue, self.parts, via)
        if not step.sets and not step.drops:
            every = say.parts(self.clue, [*self.parts, (self.part, self.truth)], via)
            return f"{facts + ', so ' if facts else ''}{every}, but that cannot be"
        so, last = say.so(step, self.links), "true" if self.truth else "false"
        kind = say.kinds[self.clue]
        rest = "the other one"
        if kind == COMPOSITES[0]:
            rest = f"the {_ORDINALS[say.words.turned(self.clue, self.part)]} one"
        elif kind == COMPOSITES[1]:
            rest = ("the condition", "the consequence")[self.part]
        if not facts:
            return f"{others}, so {rest} is {last}: {so}"
        return pick(
            say.voice,
            f"{facts}, so {others}. Hence {rest} is {last}: {so}",
            f"{others}, since {facts}. So {rest} is {last}, and {so}",
            f"look at {say.clues(self.clue)}: {facts}, so {others}. That makes {rest} {last}, which means that {so}",
        )


class Discord(ByClue, technique="composite"):
    """A contradiction: the parts of a composite cannot agree."""


class Cases(Found[PlaceSay]):
    """Whichever parts of a composite are true, some items do not stand at some places. cases: the truths that are left."""

    clue: int
    cases: tuple[tuple[bool, ...], ...]
    known: tuple[Fact, ...]
    via: tuple[int, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        facts, by = say.facts(self.known), say.clues(self.clue, *self.via)
        so, since = say.so(step), f"{facts}, so " if facts else ""
        return pick(
            say.voice,
            f"{since}whichever statement of {by} is the true one, {so}",
            f"whichever way {by} comes true, {so}{', since ' + facts if facts else ''}",
            f"go through the cases of {by}{': ' + facts + ', so' if facts else ':'} in each of them {so}",
        )


class Subset(Found[PlaceSay]):
    """So many items of an attribute have only so many places (a mask), where no other can stand."""

    places: int
    items: tuple[int, ...]
    known: tuple[Fact, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        names, facts = listed([say.item(x) for x in self.items]), say.facts(self.known)
        so, where = say.so(step), say.places(self.places)
        return pick(
            say.voice,
            f"{facts + ', so ' if facts else ''}{names} take {where} between them, and {so}",
            f"{names} share {where}{', since ' + facts if facts else ''}; so {so}",
            f"{where} are for {names}{', as ' + facts if facts else ''}; therefore {so}",
        )


class HiddenSubset(Subset, technique="subset"):
    """So many places have only so many items of an attribute, which can stand nowhere else."""

    def says(self, say: PlaceSay, step: Step) -> str:
        names, title = listed([say.item(x) for x in self.items]), say.title(self.items[0] // say.n)
        facts, where = say.facts(self.known), say.places(self.places)
        return f"{facts + ', so ' if facts else ''}{where} can have no {title} but those of {names}, and {say.so(step)}"


# ---- suppositions --------------------------------------------------------------------------------------------------------


class LookAhead(Found[PlaceSay]):
    """Supposing an item at a place ends in a contradiction by easy techniques: the steps `within`."""

    item: int
    place: int

    def says(self, say: PlaceSay, step: Step) -> str:
        return say.supposition(self.item, self.place, step.within)


class TwoClues(LookAhead):
    """The same in very few steps, by at most two clues besides those that merge items."""


class FarLookAhead(LookAhead):
    """The same by more steps, or with subsets."""


class DeepLookAhead(LookAhead):
    """The same with looking ahead within the supposition too."""


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
    [FarLookAhead],
    [DeepLookAhead],
    [Search],
)
