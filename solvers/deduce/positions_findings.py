"""Findings of positions.py and how they are worded.

A sentence restates the facts that it leans on and names clues by their numbers. Facts are on one item of those that clues merge
(positions.py); a sentence that speaks of another one of these says by which clues they are the same.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from puzzlemill.core.model import COMPOSITES, RELATIONS, PositionTable, Step
from puzzlemill.core.words import NUMBERS, capital, listed, pick
from puzzlemill.rules.positions_words import PlaceWords
from puzzlemill.solvers.deduce import steps
from puzzlemill.solvers.deduce.masks import bits, union
from puzzlemill.solvers.deduce.positions_relations import UNARY, relation
from puzzlemill.solvers.deduce.steps import Found, Say, length, tiers

LONGEST = 600  # characters of a step; a story that would be longer is told by values and numbers of clues
SHORT = 80  # of a reason that is given even where a story must be short
ARITIES = {name: 1 if name in UNARY else 3 if name == "between" else 2 for name in RELATIONS}


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

    shut: of a case that is looked at: by these facts it cannot be so. items: of the part, as in ByClue.
    """

    part: int
    truth: bool
    known: tuple[Fact, ...]
    shut: bool = False
    items: tuple[int, ...] = ()


class PlaceSay(Say):
    """How findings on one board are worded. Items have the short names of PlaceWords.

    said: what a story has stated: items with places, and whether they stand there. depth: suppositions within one another.
    begun: whether a link of a story comes after others. brief: 1 for no reasons of more than a few words, 2 for the fewest.
    terse: of places that others have taken it is not said by which.
    """

    def __init__(self, words: PlaceWords, table: PositionTable, terse: bool = False) -> None:
        self.words, self.table, self.n, self.voice = words, table, table.positions, words.voice
        self.kinds = [RELATIONS[clue[0]] for clue in table.clues]
        self.said: set[Fact] = set()
        self.depth, self.brief, self.begun, self.terse = 0, 0, False, terse

    # ---- nouns

    def item(self, x: int) -> str:
        return self.words.name(x)

    def title(self, attribute: int) -> str:
        return self.words.unit(attribute)

    def place(self, p: int) -> str:
        return self.words.spot(p)

    def at(self, mask: int, last: str = "or") -> str:
        """ "in house 2", "in house 2 or 3"."""
        return f"{self.words.at} {self.places(mask, last)}"

    def places(self, mask: int, last: str = "and") -> str:
        """ "house 2", "houses 2 and 3", "houses 2 to 4"; with "or" as "house 2 or 3"."""
        if self.words.spots:
            return listed([self.words.spots[p] for p in bits(mask)], last)
        noun = self.words.places if last == "and" and mask & mask - 1 else self.words.place
        low, high = (mask & -mask).bit_length(), mask.bit_length()
        if last == "and" and high - low > 1 and mask.bit_count() == high - low + 1:
            return f"{noun} {low} to {high}"
        return f"{noun} {listed([str(p + 1) for p in bits(mask)], last)}"

    def clues(self, *several: int) -> str:
        """ "clue 3", "clues 3 and 5"."""
        numbers = [str(number) for number in sorted({self.words.number(i) for i in several})]
        return f"clue{'s' if len(numbers) > 1 else ''} {listed(numbers)}"

    def clause(self, i: int, items: Sequence[int], turn: bool = False) -> str:
        """What a clue says, of these items: "the tea drinker is next to the red hat"."""
        return self.words.says(self.kinds[i], items, self.table.clues[i][7], turn)

    def part(self, i: int, k: int, items: Sequence[int]) -> str:
        """A part of a composite in quotes, of these items, or else of those that the clue names."""
        row, named = self.table.parts[self.table.clues[i][1] + k], self.named(i, k)
        return self.words.says(RELATIONS[row[0]], items if len(set(items)) == len(named) else named, row[7], False)

    def named(self, i: int, k: int) -> list[int]:
        """The items that a part of a composite names."""
        row = self.table.parts[self.table.clues[i][1] + k]
        return [row[j] * self.n + row[j + 1] for j in (1, 3, 5)[: ARITIES[RELATIONS[row[0]]]]]

    def part_kind(self, i: int, k: int) -> str:
        return RELATIONS[self.table.parts[self.table.clues[i][1] + k][0]]

    def decided(self, i: int, parts: Sequence[Part], via: Sequence[int]) -> str:
        """ "in clue 4, "the tea drinker is next to the red hat" is false, as ...".

        via: clues that say who is who.
        """
        told = []
        linked = len(parts) == 1 and bool(self.one(i, parts[0], via))  # then it is quoted as it stands
        for part in sorted(parts, key=lambda part: self.words.turned(i, part.part)):
            quoted = self.part(i, part.part, self.named(i, part.part) if linked else part.items)
            name = f'"{quoted}" is {"true" if part.truth else "false"}'
            told.append(f"{name}{self.reason(i, part, via if linked else ())}")
        return f"in {self.clues(i)}{f' (with {self.clues(*via)})' if via and not linked else ''}, {', and '.join(told)}"

    def reason(self, i: int, part: Part, via: Sequence[int] = ()) -> str:
        """ ", as the tea drinker is in house 2": why a part is true or not; "" if that says the same again.

        via: the clues by which it is told that an item of the part is another, if this is told here.
        """
        kind, link = self.part_kind(i, part.part), self.one(i, part, via)
        taken = [fact for fact in part.known if isinstance(fact, Known) and fact.there and fact.item not in part.items]
        if kind == "at" and not part.truth and len(taken) == 1 and not link and {*taken} - self.said:
            return f", as {self.item(taken[0].item)} is there"
        facts = self.facts(part.known, about=part.items)
        says = self.part(i, part.part, part.items)
        same = [says] if part.truth else [says.replace(f" {verb} ", f" {verb} not ", 1) for verb in ("is", "are")]
        if facts in same and not link:
            facts = "" if part.truth or kind != "at" else "that is ruled out"
        told = ", and ".join([each for each in (link, facts) if each])
        return f", as {told}" if told else ""

    def one(self, i: int, part: Part, via: Sequence[int]) -> str:
        """By which clues the one item of a part that another stands for is the same: "" if there is none, or several."""
        pairs = [(x, y) for x, y in zip(self.named(i, part.part), part.items, strict=False) if x != y]
        return self.is_other(Same(*pairs[0], tuple(via))) if via and len(pairs) == 1 else ""

    def rest(self, i: int, k: int, says: str, truth: bool) -> str:
        """ "the other statement must be true": a part of a composite, after the others. says: what it says, or ""."""
        kind, is_so = self.kinds[i], "true" if truth else "false"
        quoted = f'"{says}"' if says else ""
        if kind == COMPOSITES[0]:
            return f"{quoted or 'the remaining statement'} must be {is_so}"
        of, too = ("the other statement", "") if kind != COMPOSITES[1] else (f"the {('condition', 'consequence')[k]}", " too")
        return f"{of}{f', {quoted},' if quoted else ''} must be {is_so}{too}"

    def pick(self, *options: str) -> str:
        """One of several wordings; within a story the plainest, which fits after "Then"."""
        return options[0] if self.depth else pick(self.voice, *options)

    # ---- facts

    def stands(self, x: int, p: int) -> str:
        return f"{self.item(x)} is {self.at(1 << p)}"

    def stands_not(self, x: int, mask: int) -> str:
        return f"{self.item(x)} is not {self.at(mask)}"

    def stands_only(self, items: Sequence[int], mask: int) -> str:
        """These items have no other places than these."""
        return f"{listed([self.item(x) for x in items])} can only be {self.at(mask)}"

    def is_other(self, same: Same) -> str:
        return self.are_one([same])

    def are_one(self, ones: Sequence[Same]) -> str:
        """Items that are one with the same other one."""
        by = self.clues(*[clue for same in ones for clue in same.clues])
        if len(ones) == 1:
            both = sorted((ones[0].item, ones[0].other), key=self.words.holder)  # "the globe goes with Ivo's parcel"
            return f"{self.words.says('same', both, 0, False)} ({by})"
        return f"{self.item(ones[0].other)} {self.goes(ones[0].other, [(same.item, '') for same in ones])} ({by})"

    def goes(self, x: int, others: Sequence[tuple[int, str]]) -> str:
        """ "is the tea drinker (clue 3) and goes with the red hat": others that are one with an item, with what follows."""
        told = []
        for holders, verb in ((True, "is"), (False, "goes with")):
            names = [self.item(y) + by for y, by in others if (self.words.holder(x) and self.words.holder(y)) is holders]
            told += [f"{verb} {listed(names)}"] * bool(names)
        return " and ".join(told)

    def joint(self, x: int, others: Sequence[tuple[int, str]]) -> str:
        """ "the scarf, which goes with the castle stamp (clue 7),": an item with those that are one with it."""
        return f"{self.item(x)}, {self.words.which(x)} {self.goes(x, others)}," if others else self.item(x)

    def facts(self, known: Sequence[Fact], besides: Sequence[Fact] = (), of: int = -1, about: Sequence[int] = ()) -> str:
        """What is known, but for what the story or `besides` has stated; "" for nothing.

        of: the item that loses its places one by one. about: items of which it is told which places others have taken.
        """
        told, said = self._untold(known, {*self.said, *besides}), []
        placed = [fact for fact in told if fact.there]  # which may be the reason of several
        aside = {x // self.n for x in about}
        links = [fact for fact in known if isinstance(fact, Same) and fact not in self.said and fact not in besides]
        for other in dict.fromkeys([same.other for same in links]):
            ones = [same for same in links if same.other == other]
            both = (*[same.item for same in ones], other)
            attributes = {x // self.n for x in both} - (aside if of in both else {*aside, of // self.n if of >= 0 else -1})
            open_to = [fact for fact in told if not fact.there] + placed
            own = [
                fact
                for fact in open_to
                if (fact.item // self.n in attributes if fact.there else fact.item in both and fact.item not in (of, *about))
            ]
            told = [fact for fact in told if fact not in own]
            if not own:  # what keeps another item from a place may keep these from it too
                kinds = {x // self.n for x in both} - ({of // self.n} if of >= 0 else set())
                own = [fact for fact in placed if fact.item not in both and fact.item // self.n in kinds]
                there = {fact.item // self.n for fact in told if fact.there and fact.item in about}
                told = [fact for fact in told if fact not in own or fact.item in about or fact.item // self.n not in there]
            at = [(fact.item, fact.places.bit_length() - 1) for fact in own if fact.there]
            neither, stands = [pair for pair in at if pair[0] not in both], [pair for pair in at if pair[0] in both]
            mask = union([fact.places for fact in own if not fact.there] + [1 << p for _, p in neither])
            text, where = self.are_one(ones), list[str]()
            if mask:
                where.append(f"is not {self.at(mask)}{self.because(mask, neither)}")
            if stands:
                where.append(f"is {self.at(1 << stands[0][1])}")
            last = sorted((ones[0].item, other), key=self.words.holder)[1]
            which = self.words.which(last) if len(ones) == 1 else f"and {self.item(other)}"
            said.append(f"{text}, {which} {' and '.join(where)}" if where else text)
        first = self._stated(told, of, about)
        parts = [*([first] if first else []), *said]
        if any(", and " in part for part in parts) and len(parts) > 1:
            return "; ".join(parts)
        return joined(parts)

    def whole(self, known: Sequence[Fact], of: int) -> str:
        """What keeps an item from places, or items from a place: all of it, unless a story must be short."""
        before = self.said
        if not self.brief and (self.begun or any(isinstance(fact, Same) for fact in known)):
            self.said = {fact for fact in before if isinstance(fact, Same)}
        if self.brief > 1:
            known = [fact for fact in known if isinstance(fact, Same)]
        text, self.said = self.facts(known, of=of), before
        return text

    def _untold(self, known: Sequence[Fact], said: Collection[Fact]) -> list[Known]:
        """What is known, less what is said."""
        told = []
        for fact in known:
            if isinstance(fact, Same):
                continue
            before = [each for each in said if isinstance(each, Known) and each.item == fact.item]
            if fact.there and fact not in before:
                told.append(fact)
            if not fact.there and not any(each.there for each in before):
                mask = fact.places & ~union([each.places for each in before])
                told += [Known(fact.item, mask, False)] * bool(mask)
        return told

    def _stated(self, known: Sequence[Known], of: int, about: Sequence[int]) -> str:
        away: dict[int, int] = {}  # of each item the places that it does not have
        taken: dict[int, list[tuple[int, int]]] = {}  # and those of them that others have
        at: list[tuple[int, int]] = []
        placed = {x for x, _, there in known if there}
        for x, mask, there in known:
            if not there:
                away[x] = away.get(x, 0) | mask
                continue
            here = [y for y in about if y // self.n == x // self.n and y not in placed]
            if len(here) == 1 and x not in about:
                taken.setdefault(here[0], []).append((mask.bit_length() - 1, x))
            else:
                at.append((x, mask.bit_length() - 1))
        parts = [self.standing(at)] if at else []
        for y, several in taken.items():
            mask = away.pop(y, 0) | union([1 << p for p, _ in several])
            parts.append(f"{self.stands_not(y, mask)}{self.because(mask, [(x, p) for p, x in sorted(several)])}")
        full, only = (1 << self.n) - 1, dict[int, list[int]]()
        for x, mask in away.items():
            if x != of and 2 * mask.bit_count() > self.n:
                only.setdefault(full & ~mask, []).append(x)
        parts += [self.stands_only(items, mask) for mask, items in only.items()]
        absent = [(x, mask) for x, mask in away.items() if x == of or 2 * mask.bit_count() <= self.n]
        return joined([*parts, *([self.absent(absent)] if absent else [])])

    def barred(self, y: int, mask: int, known: Sequence[Fact], named: bool = False) -> tuple[str, list[Fact]] | None:
        """Why an item has none of these places, with the facts that say so; None if that takes more than a clause each.

        "the milk drinker is there", "nights 1 and 3 are ruled out". named: the sentence before has not named the places.
        """
        links = [fact for fact in known if isinstance(fact, Same)]
        at: list[tuple[int, int, list[Fact]]] = []
        at += [(fact.item, fact.places, [fact]) for fact in known if isinstance(fact, Known) and fact.there]
        at += [(same.item, mask, [*facts, same]) for same in links for x, mask, facts in list(at) if x == same.other]
        away: list[Fact] = [fact for fact in known if isinstance(fact, Known) and not fact.there and fact.item == y]
        told, used, out = [], list[Fact](), 0
        for p in bits(mask):
            here = [(x, facts) for x, places, facts in at if places >> p & 1 and x // self.n == y // self.n and x != y]
            with_y = [
                (same, x, facts)
                for same in links
                if y in (same.item, same.other)
                for x, places, facts in at
                if places >> p & 1 and x // self.n in {same.item // self.n, same.other // self.n} and x // self.n != y // self.n
            ]
            where = "there" if mask & mask - 1 == 0 and not named else self.at(1 << p)
            if here:
                x, facts = min(here, key=lambda each: len(each[1]))
                by = [clue for fact in facts if isinstance(fact, Same) for clue in fact.clues]
                told.append(f"{self.item(x)} is {where}{f' ({self.clues(*by)})' if by else ''}")
                used += facts
            elif with_y and all(len(facts) == 1 for _, _, facts in with_y):
                same, x, facts = with_y[0]
                told.append(f"{self.is_other(same)}, and {self.item(x)} is {where}")
                used += [*facts, same]
            elif any(fact.places >> p & 1 for fact in away if isinstance(fact, Known)):
                out |= 1 << p
            else:
                return None
        if out:
            used += [fact for fact in away if isinstance(fact, Known) and fact.places & out]
            which = "that" if out == mask and out & out - 1 == 0 and not named else self.places(out)
            told.append(f"{which} {'are' if out & out - 1 else 'is'} ruled out")
        return joined(told), used

    def because(self, mask: int, others: Sequence[tuple[int, int]]) -> str:
        """ " (the red hat is there)": others that have some of the places that an item does not have."""
        if not others or self.terse:
            return ""
        return f" ({self.standing(others) if mask & mask - 1 else self.item(others[0][0]) + ' is there'})"

    def standing(self, at: Sequence[tuple[int, int]]) -> str:
        """ "tea is in house 1, milk in house 2": items with their places."""
        return self.words.standing(at)

    # ---- conclusions

    def sets(self, step: Step, links: Sequence[Same] = (), by: str = "", first: int = -1, told: Collection[Fact] = ()) -> str:
        """Items that stand at places; those that are one with the first are named with the clues that say so.

        by: the clues of the others, in brackets. first: the item that is named first. told: of the links, those that are said.
        """
        done = {x for same in told if isinstance(same, Same) for x in (same.item, same.other)}
        parts = []
        for p in dict.fromkeys([slot % self.n for slot, _ in step.sets]):
            items = [slot - slot % self.n + v for slot, v in step.sets if slot % self.n == p]
            clues = {same.item: same.clues for same in links}
            items.sort(key=lambda x: (x != first, x in clues))
            x, *others = items
            new = [y for y in others if x not in done or y not in done]
            same = [(y, f" ({self.clues(*clues.get(x, ()), *clues.get(y, ()))})") for y in new]
            parts.append(f"{self.joint(x, same)} is {self.at(1 << p)}{by}")
        return listed(parts)

    def drops(self, step: Step) -> str:
        drops: dict[int, int] = {}
        for slot, v in step.drops:
            x = slot - slot % self.n + v
            drops[x] = drops.get(x, 0) | 1 << slot % self.n
        return self.absent(list(drops.items()))

    def absent(self, several: Sequence[tuple[int, int]]) -> str:
        """Items that do not stand at places."""
        parts = []
        for mask in dict.fromkeys([mask for _, mask in several]):
            names = [self.item(x) for x, other in several if other == mask]
            if len(names) == 1:
                parts.append(f"{names[0]} is not {self.at(mask)}")
            else:
                none = f"neither {listed(names, 'nor')}" if len(names) == 2 else f"none of {listed(names)}"
                parts.append(f"{none} is {self.at(mask)}")
        return listed(parts)

    def so(self, step: Step, links: Sequence[Same] = (), by: str = "", first: int = -1, told: Collection[Fact] = ()) -> str:
        drops = self.drops(step)
        return listed([part for part in (self.sets(step, links, by, first, told), drops + by if drops else "") if part])

    # ---- suppositions

    def supposed(self, cell: int, value: int) -> str:
        return self.stands(cell, value)

    def is_not(self, cell: int, value: int) -> str:
        return self.stands_not(cell, 1 << value)

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return pick(
            self.voice,
            f"suppose that {supposed}. {tale} That cannot be, so {so}",
            f"what if {supposed}? {tale} That is impossible, so {so}",
            f"assume for a moment that {supposed}. {tale} This is a contradiction, so {so}",
            f"try the assumption that {supposed}. {tale} That does not work, so {so}",
        )

    def supposition(self, x: int, p: int, within: Sequence[Step]) -> str:
        """A supposition with its story: in full, or as short as it must be. With the item come those that are one with it."""
        before = self.said
        ones = [fact for fact in dict.fromkeys(_same(within)) if fact.other == x]
        told = [(same.item, f" ({self.clues(*same.clues)})") for same in ones]
        supposed = f"{self.joint(x, told)} is {self.at(1 << p)}"
        outer = {*self.said, *ones, *[Known(y, 1 << p, True) for y in (x, *[same.item for same in ones])]}
        text = ""
        for brief in range(3):
            self.said, self.depth, self.brief, self.begun = set(outer), 1, brief, False
            tale = self.story(within)
            self.depth = 0
            text = self.refuted(supposed, tale, self.is_not(x, p))
            if len(text) <= 2 * LONGEST:
                break
        self.said, self.brief, self.begun = before, 0, False
        return text

    def story(self, steps: Sequence[Step]) -> str:
        """The steps of a story, one sentence each. What it has concluded is not stated again."""
        *texts, end = self.links(steps)
        if not texts:
            return f"Then {end}."
        if self.brief:
            return f"Then {'; '.join(texts)}. Now {end}."
        starts = ("Then ", "Next, ")
        told = [f"{starts[k]}{text}." if k < 2 else f"{capital(text)}." for k, text in enumerate(texts)]
        return " ".join([*told, f"Now {end}."])

    def links(self, steps: Sequence[Step]) -> list[str]:
        """Each step of a story with its reasons. The last one, which is the contradiction, restates what it leans on."""
        texts = []
        for step in steps:
            if step is steps[-1]:
                self.said = set()
            clause, self.begun = self.brief or isinstance(step.found, LookAhead), step is not steps[0]
            texts.append(step.found.link(self, step) if clause else step.found.says(self, step))
            self.said.update(fact for fact in getattr(step.found, "known", ()) if isinstance(fact, Same))
            self.said.update(getattr(step.found, "links", ()))
            self.said.update(Known(slot - slot % self.n + v, 1 << slot % self.n, True) for slot, v in step.sets)
            self.said.update(Known(slot - slot % self.n + v, 1 << slot % self.n, False) for slot, v in step.drops)
        return texts

    def within(self, x: int, p: int, steps: Sequence[Step]) -> str:
        """A supposition within a story, in one clause."""
        before, brief, self.brief = self.said, self.brief, max(1, self.brief)
        self.said = {*before, Known(x, 1 << p, True)}
        told, so = "; ".join(self.links(steps)), self.is_not(x, p)
        text = f"{so} (if it were: {told})"
        self.said, self.brief = before, brief
        return text


def joined(parts: Sequence[str]) -> str:
    """Clauses in a row, with a comma before "and" where one of them has an "and" of its own."""
    if len(parts) == 2 and any(" and " in part for part in parts):
        return ", and ".join(parts)
    return listed(parts)


def _same(steps: Sequence[Step]) -> list[Same]:
    """What stories lean on of items that are one."""
    found = []
    for step in steps:
        found += [fact for fact in getattr(step.found, "known", ()) if isinstance(fact, Same)]
        found += _same(step.within)
    return found


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
        item, noun = say.item(self.item), say.words.place
        away = [fact for fact in self.known if isinstance(fact, Known) and fact.item == self.item]
        own = say.whole(away, self.item)
        others = say.whole([fact for fact in self.known if fact not in away], self.item)
        if not step.sets:
            since = joined([part for part in (others, own) if part])
            return f"{since + ', so ' if since else ''}no {noun} is left for {item}"
        p = step.sets[0][0] % say.n
        only, where = say.sets(step, self.links, first=self.item, told=self.known), say.place(p)
        tail = only != f"{item} is {say.at(1 << p)}"
        left = only if tail else f"only {where} is left for {item}"
        if not own and not others:
            return left
        if not others:
            out = union([fact.places for fact in away])
            are = f"{say.places(out)} {'are' if out & out - 1 else 'is'} ruled out"
            return say.pick(f"{own}, so {only}", f"{left}, since {are}" if out else left)
        told = union([fact.places for fact in away]) if say.brief else 0
        out = union([fact.places for fact in away]) & ~told if own else 0
        are = f"{say.places(out)} {'are' if out & out - 1 else 'is'} ruled out"
        if any(isinstance(fact, Same) for fact in self.known):  # why they are one comes before what follows for both
            return f"{joined([others, f'{are} for {item}']) if out else others}, so {only}"
        since, alone = joined([others, are]) if out else others, joined([others, own]) if out else others
        if out and not tail:
            short = f"{joined([others, f'{are} for {item}'])}, so {only}"
        else:
            short = f"{alone}, so {left}"
        return say.pick(
            short, f"{left}, because {since}", f"{alone}, so {only}" if not own or tail else short, f"{left}, since {since}"
        )

    def link(self, say: PlaceSay, step: Step) -> str:
        return self.says(say, step)


class LastItem(PlaceFound, technique="once"):
    """One item of an attribute is left for a place; or, as a contradiction, none. links: as in LastPlace."""

    attribute: int
    place: int
    known: tuple[Fact, ...]
    links: tuple[Same, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        where, title = say.place(self.place), say.title(self.attribute)
        since = say.whole(self.known, self.attribute * say.n)
        if not step.sets:
            return f"{since + ', so ' if since else ''}no {title} is left for {where}"
        x = next(slot - slot % say.n + v for slot, v in step.sets if slot // say.n == self.attribute)
        so = say.sets(step, self.links, first=x)
        tail = so != f"{say.item(x)} is {say.words.at} {where}"
        must = so if tail else f"{where} must have {say.item(x)}"
        if not since:
            return f"{must}, as no other {title} is left for it"
        if "; " in since:
            return f"{since}. So {must}"
        return say.pick(
            f"{since}, so {must}",
            f"{since}. So {must}",
            f"{must}, since {since}" if not tail else f"{since}, and so {must}",
        )


class Together(PlaceFound, technique="once"):
    """A contradiction: two items of an attribute stand at one place."""

    item: int
    other: int
    known: tuple[Fact, ...]

    def says(self, say: PlaceSay, step: Step) -> str:
        title, since = say.title(self.item // say.n), say.facts(self.known)
        if not since:
            return f"{say.item(self.item)} and {say.item(self.other)} would be {say.words.at} the same {say.words.place}"
        return f"{since}, while each {say.words.place} has only one {title}"


class Merged(PlaceFound, technique="same"):
    """A contradiction: clues merge two items that an attribute, or a further clue (else -1), keeps apart."""

    item: int
    other: int
    clues: tuple[int, ...]
    clue: int
    known: tuple[Fact, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        x, y, who = say.words.value(self.item), say.words.value(self.other), say.words.who
        by = say.clues(*self.clues)
        if self.clue < 0:
            title = say.title(self.item // say.n)
            return say.pick(
                f"by {by}, {x} and {y} are the same {who}, but each {who} has only one {title}",
                f"{by} together make {x} and {y} the same {who}, but each {who} has only one {title}",
                f"{x} would have to be {y} too ({by}), but each {who} has only one {title}",
            )
        apart = say.clues(self.clue)
        return say.pick(
            f"by {by}, {x} and {y} are the same {who}, but by {apart} they are not",
            f"{by} {'makes' if len(self.clues) == 1 else 'make'} {x} and {y} the same {who}, which {apart} rules out",
            f"{x} is {y} ({by}), but {apart} keeps them apart",
        )


class Clash(PlaceFound):
    """A contradiction: two clues about an item cannot both hold. clues: with those that merge items. items: of each."""

    clue: int
    other: int
    items: tuple[tuple[int, ...], tuple[int, ...]]
    clues: tuple[int, ...]
    known: tuple[Fact, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        one, two = say.clause(self.clue, self.items[0]), say.clause(self.other, self.items[1])
        return say.pick(
            f"by {say.clues(*self.clues)}, {one}, and {two}, but these two cannot both be true",
            f"{one}, and {two} ({say.clues(*self.clues)}), which cannot both be true",
            f"{one}, and {two} ({say.clues(*self.clues)}), but only one of these can be true",
        )


class Chain(PlaceFound):
    """Clues put items in an order that leaves them little room; or, as a contradiction, none. items: in this order.

    links: items that are one with these.
    """

    items: tuple[int, ...]
    clues: tuple[int, ...]
    known: tuple[Fact, ...] = ()
    links: tuple[Same, ...] = ()

    def says(self, say: PlaceSay, step: Step) -> str:
        by, order = say.clues(*self.clues), ", then ".join([say.item(x) for x in self.items])
        if not step.sets and not step.drops:
            if self.items[0] == self.items[-1]:
                return f"by {by}, the order is {order}, which goes round in a circle"
            return f"by {by}, the order is {order}, but there are only {NUMBERS[say.n]} {say.words.places}"
        so = say.so(step, self.links)
        return say.pick(
            f"by {by}, the order is {order}, so {so}",
            f"the order is {order} ({by}), so {so}",
            f"put {by} together. The order is {order}, so {so}",
        )


# ---- clues ---------------------------------------------------------------------------------------------------------------


class ByClue(PlaceFound, technique="clue"):
    """A clue narrows its items' places, wherever others that are not placed may be; or, as a contradiction, cannot hold.

    items: of the clue, each as the one that stands for it by the clues `via`. links: items that are one with what is placed.
    ruled: the places that steps before it have ruled out for the item that is placed, by the same clue.
    """

    clue: int
    items: tuple[int, ...]
    known: tuple[Fact, ...]
    via: tuple[int, ...] = ()
    links: tuple[Same, ...] = ()
    ruled: int = 0

    def says(self, say: PlaceSay, step: Step) -> str:
        kind, by = say.kinds[self.clue], say.clues(self.clue, *self.via)
        facts = say.facts(self.known, about=self.items)
        if not step.sets and not step.drops:
            return self._fails(say, by)
        so = say.so(step, self.links, told=self.known)
        if kind == "at" and step.sets:
            row = say.table.clues[self.clue]
            by, so = say.clues(self.clue), say.sets(step, self.links, first=row[1] * say.n + row[2])
        if kind in ("at", "not_at") and not facts:
            return say.pick(
                f"by {by}, {so}", f"{by} {'tell' if by.startswith('clues') else 'tells'} us that {so}", f"{so}, by {by}"
            )
        if kind == "not_at":
            where = say.at(1 << say.table.clues[self.clue][7])
            return say.pick(
                f"by {by}, {say.item(self.items[0])} is not {where}. {capital(facts)}, so {so}",
                f"{facts}, nor {where} ({by}), so {so}",
            )
        says = self._clause(say, kind, step)
        if not facts:
            return say.pick(
                f"{says} ({by}), so {so}",
                f"by {by}, {says}, so {so}",
                f"{so}, because {says} ({by})" if so.split(" is ")[0] != says.split(" is ")[0] else f"{says} ({by}), so {so}",
            )
        if cases := self._elsewhere(say, step, says, by, so):
            return cases
        items = {fact.item for fact in self.known}
        subject = f"{say.item(next(iter(items)))} is " if len(items) == 1 else ""
        if subject and facts.startswith(subject) and says.startswith(subject):  # one item, of which two things are said
            return say.pick(
                f"{facts} and {says.removeprefix(subject[:-3])} ({by}), so {so}",
                f"{says} ({by}) but {facts.removeprefix(subject[:-3])}, so {so}",
            )
        if "; " in facts:
            return f"by {by}, {says}. {capital(facts)}. So {so}"
        plain = [] if ", and " in facts else [f"{facts}, and {says} ({by}), so {so}"]
        return say.pick(
            *plain,
            f"by {by}, {says}. {capital(facts)}, so {so}",
            f"{says} ({by}). Since {facts}, {so}",
        )

    def link(self, say: PlaceSay, step: Step) -> str:
        if not step.sets and not step.drops:
            return self.says(say, step)
        facts = say.facts(self.known, self.links, about=self.items)
        so = say.so(step, self.links, f" ({say.clues(self.clue, *self.via)})")
        return f"{so}, since {facts}" if facts else so

    def _fewest(self, say: PlaceSay) -> Sequence[Fact]:
        """What is known, less what the contradiction does not need."""
        row = say.table.clues[self.clue]
        of_kind, full = relation(RELATIONS[row[0]], row[7], say.n, True), (1 << say.n) - 1

        one = {y: {y} for y in self.items}  # with what each is the same
        for fact in self.known:
            if isinstance(fact, Same):
                both = {fact.item, fact.other}
                one = {y: same | both if same & both else same for y, same in one.items()}

        def possible(known: Sequence[Fact]) -> bool:
            masks = [full] * len(self.items)
            for k, y in enumerate(self.items):
                for fact in known:
                    if isinstance(fact, Known) and fact.item in one[y]:
                        masks[k] &= fact.places if fact.there else ~fact.places
                    elif isinstance(fact, Known) and fact.there and fact.item // say.n in {x // say.n for x in one[y]}:
                        masks[k] &= ~fact.places
            return not all(masks) or of_kind.possible(masks)

        kept = list(self.known)
        if possible(kept) or len(set(self.items)) < len(self.items):
            return kept
        for fact in self.known:
            fewer = [each for each in kept if each is not fact]
            named = isinstance(fact, Known) and fact.there and fact.item in self.items
            if isinstance(fact, Known) and not named and not possible(fewer):
                kept = fewer
        return kept

    def _clause(self, say: PlaceSay, kind: str, step: Step) -> str:
        """What the clue says, from the side of the item that is concluded of."""
        facts = [*step.sets, *step.drops]
        concluded = {slot - slot % say.n + value for slot, value in facts}
        turn = len(self.items) == 2 and bool(facts) and self.items[0] not in concluded
        if turn and kind not in ("just_left", "left", "ahead"):
            return say.clause(self.clue, self.items[::-1])
        return say.clause(self.clue, self.items, turn)

    def _masks(self, say: PlaceSay, known: Sequence[Fact]) -> list[int]:
        """The places that these facts leave each item, by its attribute alone."""
        masks = [(1 << say.n) - 1] * len(self.items)
        for k, y in enumerate(self.items):
            for fact in known:
                if isinstance(fact, Known) and fact.item == y:
                    masks[k] &= fact.places if fact.there else ~fact.places
                elif isinstance(fact, Known) and fact.there and fact.item // say.n == y // say.n:
                    masks[k] &= ~fact.places
        return masks

    def _elsewhere(self, say: PlaceSay, step: Step, says: str, by: str, so: str) -> str:
        """Why an item stands at no other place, if another one that is not placed keeps it from these; "" if not so."""
        row = say.table.clues[self.clue]
        masks = self._masks(say, self.known)
        concluded = list(dict.fromkeys([slot - slot % say.n + v for slot, v in (*step.sets, *step.drops)]))
        k = next((k for k, x in enumerate(self.items) if x in concluded), -1)
        if k < 0 or len(self.items) < 2 or len(set(self.items)) < len(self.items):
            return ""
        if not step.sets and (len(self.items) == 2 or len(concluded) > 1):
            return ""
        x, right = self.items[k], relation(RELATIONS[row[0]], row[7], say.n, True)
        if step.sets:
            bad = masks[k] & ~(1 << step.sets[0][0] % say.n)
        else:
            bad = union([1 << slot % say.n for slot, _ in step.drops])
        able, told, used = union([1 << places[k] for places in right.tuples]), "", list[Fact]()
        reach, bad = bad & ~able, bad & able
        if len(self.items) == 2 and masks[1 - k] & masks[1 - k] - 1 == 0:
            return ""
        if bad:
            for j, y in enumerate(self.items):
                needs = [union([1 << places[j] for places in right.having[k][q]]) for q in bits(bad)]
                need = union(needs)
                if j == k or need.bit_count() > 3:
                    continue
                if why := say.barred(y, need, self.known):
                    told = f"if {say.item(x)} were {say.at(bad)}, {say.item(y)} would be {say.at(need)}, but {why[0]}"
                    used = why[1]
                    break
            else:
                if say.kinds[self.clue] == "between" and k == 0:
                    told, used = self._outside(say, bad)
                if not told:
                    return ""
        elif not reach:
            return ""
        own = (x // say.n,)
        out = [
            fact
            for fact in self.known
            if fact not in used
            or (isinstance(fact, Known) and fact.there and fact.item // say.n in own and fact.item != x and not fact.places & bad)
        ]
        out = out if step.sets else []
        if any(isinstance(fact, Same) and fact not in used for fact in self.known):
            return ""
        rest = say.facts(out, about=self.items)
        found = not (1 << say.n) - 1 & ~able & ~self.ruled
        only = f"{say.item(x)} can only be {say.at(able)}, as found above" if found else f"{say.item(x)} is {say.at(able)}"
        first = f"{says} ({by})" + (f", so {only}" if reach else "")
        case = f" {capital(told)}." if told else ""
        target = 1 << step.sets[0][0] % say.n if step.sets else 0
        if step.sets and reach and not told and (why := say.barred(x, able & ~target, self.known, True)):
            return f"{first}. {capital(why[0])}, so {so}"
        return f"{first}.{case} {capital(rest) + ', so' if rest else 'So'} {so}"

    def _outside(self, say: PlaceSay, bad: int) -> tuple[str, list[Fact]]:
        """Why the item between two others is at none of these places: on one side there is room for neither; "" if not so."""
        x, *others = self.items
        for side in ((1 << bad.bit_length() - 1) - 1, (1 << say.n) - (bad & -bad) * 2):
            whys = [why for y in others if (why := say.barred(y, side, self.known))]
            if len(whys) == 2:
                either = f"{say.item(others[0])} or {say.item(others[1])} would be {say.at(side)}"
                same = whys[0][0] == whys[1][0]
                both = f"{whys[0][0]}{' for both' if 'ruled' in whys[0][0] else ''}"
                but = both if same else f"{whys[0][0]} for the first, and {whys[1][0]} for the second"
                if not same and not all("ruled" in why[0] for why in whys):
                    continue
                return f"if {say.item(x)} were {say.at(bad)}, {either}, but {but}", [*whys[0][1], *whys[1][1]]
        return "", []

    def _fewest_of(self, say: PlaceSay, y: int, able: int, known: Sequence[Fact]) -> str:
        """Why an item has none of these places; "" if it may have one, or if it takes more than its own facts and places."""
        if len(self.items) < 2 or able == (1 << say.n) - 1 or any(isinstance(fact, Same) for fact in known):
            return ""
        own = [fact for fact in known if isinstance(fact, Known) and fact.item == y and fact.there]
        if own:
            return say.facts(own) if not own[0].places & able else ""
        why = say.barred(y, able, known)
        return why[0] if why else ""

    def _forced(self, say: PlaceSay, says: str, by: str, known: Sequence[Fact]) -> str:
        """A contradiction by the places that the one item that is not placed must have; "" if it is not of this sort."""
        row, items = say.table.clues[self.clue], self.items
        placed = {
            k: fact for k, y in enumerate(items) for fact in known if isinstance(fact, Known) and fact.there and fact.item == y
        }
        stand = {k: fact.places.bit_length() - 1 for k, fact in placed.items()}
        if len(set(items)) < len(items):
            return ""
        if len(items) == 2 and len(placed) == 2 and stand[0] == stand[1] and len(known) == 2:
            return f"{says} ({by}), but both are {say.at(1 << stand[0])}"
        loose = [k for k in range(len(items)) if k not in placed]
        every = relation(RELATIONS[row[0]], row[7], say.n, True).tuples
        for k, y in enumerate(items):  # an item has none of the places that the clue leaves it
            able = union([1 << places[k] for places in every])
            told = self._fewest_of(say, y, able, known)
            if told:
                return f"{says} ({by}), so {say.item(y)} must be {say.at(able)}. But {told}"
        if say.kinds[self.clue] == "between" and 0 in placed and len(loose) == 2:
            told, used = self._outside(say, 1 << stand[0])
            if told and all(fact in used for fact in known if isinstance(fact, Same)):
                told = told.split(", ", 1)[1].replace(" would be ", " would have to be ", 1)
                return f"{says} ({by}). {capital(say.stands(items[0], stand[0]))}, so {told}"
            for side in ((1 << stand[0]) - 1, (1 << say.n) - (2 << stand[0])):
                whys = [why for y in items[1:] if (why := say.barred(y, side, known))]
                if side and len(whys) == 2 and all(fact in whys[0][1] + whys[1][1] for fact in known if isinstance(fact, Same)):
                    (one, _), (two, _) = whys
                    return (
                        f"{says} ({by}). {capital(say.stands(items[0], stand[0]))}, so {say.item(items[1])} or "
                        f"{say.item(items[2])} must be {say.at(side)}. But {say.item(items[1])} cannot be ({one}), and "
                        f"{say.item(items[2])} cannot be either ({two})"
                    )
        if not placed and len(items) == 2:
            shared = [p for p in range(say.n) if all(p in places for places in every)]
            if shared and (facts := say.facts(known, about=self.items)):
                return f"{says} ({by}), so one of the two must be {say.at(1 << shared[0])}. But {facts}"
        if not placed and len(items) == 2 and not any(isinstance(fact, Same) for fact in known):
            masks = self._masks(say, known)
            for k, x in enumerate(items):
                open_to = union([1 << places[k] for places in every if masks[k] >> places[k] & 1])
                need = union([1 << places[1 - k] for places in every if masks[k] >> places[k] & 1])
                own = [fact for fact in known if isinstance(fact, Known) and x // say.n == fact.item // say.n]
                own = [fact for fact in own if fact.item == x or fact.there]
                if own and open_to and need.bit_count() < 4 and (why := say.barred(items[1 - k], need, known)):
                    rest = f"so only {say.places(open_to)} {'are' if open_to & open_to - 1 else 'is'} left for {say.item(x)}"
                    then = f"{say.item(items[1 - k])} would have to be {say.at(need)}, but {why[0]}"
                    return f"{says} ({by}). {capital(say.facts(own, about=items))}, {rest}. Then {then}"
        if len(loose) != 1 or not placed:
            return ""
        k = loose[0]
        right = relation(RELATIONS[row[0]], row[7], say.n, True).tuples
        must = union([1 << places[k] for places in right if all(places[j] == p for j, p in stand.items())])
        there = say.standing([(items[j], p) for j, p in stand.items()])
        others = [fact for fact in known if fact not in placed.values()]
        why = say.barred(items[k], must, known) if must and must.bit_count() < 4 else None
        if why and all(fact in why[1] for fact in others if isinstance(fact, Same)):
            return f"{says} ({by}). {capital(there)}, so {say.item(items[k])} would have to be {say.at(must)}, but {why[0]}"
        left = self._masks(say, known)[k]
        if left and left & left - 1 == 0 and not any(isinstance(fact, Same) for fact in known):
            away = say.facts(others, about=self.items)
            too = " too" if left == 1 << next(iter(stand.values())) and len(stand) == 1 else ""
            return f"{says} ({by}). But {there}, and {away}, so {say.item(items[k])} is {say.at(left)}{too}"
        return ""

    def _fails(self, say: PlaceSay, by: str) -> str:
        says, known = say.clause(self.clue, self.items), self._fewest(say)
        if text := self._forced(say, says, by, known):
            return text
        facts = say.facts(known, about=self.items)
        if say.kinds[self.clue] == "between" and len(known) == 2:
            ends = [fact.places for fact in known if isinstance(fact, Known) and fact.there and fact.item in self.items[1:]]
            if len(ends) == 2 and max(ends) <= 2 * min(ends):
                facts += f", so there is no {say.words.place} between them"
        taken = [fact.places for fact in known if isinstance(fact, Known) and fact.item not in self.items]
        if len({x // say.n for x in self.items}) == 1 and len(taken) == len(known):  # by others of their attribute
            rest = (1 << say.n) - 1 & ~union(taken)
            facts += f", so only {say.places(rest)} {'are' if rest & rest - 1 else 'is'} left for these two, which does not fit"
        if not facts:
            return f"{by} cannot hold: {says}"
        masks = self._masks(say, known)
        only = [(y, mask) for y, mask in zip(self.items, masks, strict=True) if mask and mask & mask - 1 == 0]
        only = [(y, mask) for y, mask in only if Known(y, mask, True) not in known]
        if len(self.items) == 3 and only and not any(isinstance(fact, Same) for fact in known):
            facts += f", so only {listed([f'{say.places(mask)} is left for {say.item(y)}' for y, mask in only])}"
        return say.pick(f"{says} ({by}), but {facts}", f"by {by}, {says}, but {facts}")


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
    items: tuple[int, ...] = ()
    again: bool = False

    @property
    def known(self) -> tuple[Fact, ...]:
        return (*[fact for part in self.parts for fact in part.known], *self.further)

    def says(self, say: PlaceSay, step: Step) -> str:
        via = set(self.via) - set(self.by)
        decided = say.decided(self.clue, self.parts, self.by)
        before = [fact for part in self.parts for fact in part.known]
        further, so = say.facts(self.further, before, about=self.items), say.so(step, self.links)
        says = say.part(self.clue, self.part, self.items)
        by = f" ({say.clues(*self.via)})" if via else ""
        if self.truth and so.startswith(says):  # the part is what is concluded
            return f"{decided}. So {say.rest(self.clue, self.part, '', True)}{by}: {so}"
        if self.again:
            known = f'as found above, "{says}" ({self._cited(say)}) must be {"true" if self.truth else "false"}'
            further = say.facts(self.further, about=self.items)
            return f"{known}. {capital(further)}, so {so}" if further else f"{known}, so {so}"
        rest = say.rest(self.clue, self.part, says, self.truth) + by
        if not step.sets and not step.drops:
            return f"{decided}. So {rest}. But {further}"
        if further:
            return say.pick(
                f"{decided}. So {rest}. Since {further}, {so}",
                f"{decided}. Therefore {rest}, and as {further}, {so}",
                f"{decided}. Hence {rest}; {further}, so {so}",
            )
        return say.pick(
            f"{decided}. So {rest}: {so}",
            f"{decided}. Therefore {rest}, so {so}",
            f"{decided}. Hence {rest}, which means that {so}",
        )

    def link(self, say: PlaceSay, step: Step) -> str:
        if not step.sets and not step.drops:
            return self.says(say, step)
        false = []
        for part in self.parts:
            reason = say.reason(self.clue, part)
            name = f'"{say.part(self.clue, part.part, part.items)}" is {"true" if part.truth else "false"}'
            false.append(
                name
                + (reason.replace(", as", ", since", 1) if say.brief < 2 and "clue" not in reason and len(reason) < SHORT else "")
            )
        return f"{say.so(step, self.links)}, as {listed(false)} ({self._cited(say)})"

    def _cited(self, say: PlaceSay) -> str:
        """All clues that it leans on."""
        links = [clue for fact in self.known if isinstance(fact, Same) for clue in fact.clues]
        return say.clues(self.clue, *self.by, *self.via, *links)


class Discord(PlaceFound, technique="composite"):
    """A contradiction: the parts of a composite cannot agree. via: the clues that merge their items."""

    clue: int
    parts: tuple[Part, ...]
    via: tuple[int, ...] = ()

    @property
    def known(self) -> tuple[Fact, ...]:
        return tuple([fact for part in self.parts for fact in part.known])

    def says(self, say: PlaceSay, step: Step) -> str:
        parts = sorted(self.parts, key=lambda part: say.words.turned(self.clue, part.part))
        of = f"{say.clues(self.clue)}{f' (with {say.clues(*self.via)})' if self.via else ''}"
        said = [(say.part(self.clue, part.part, part.items), say.reason(self.clue, part)) for part in parts]
        if say.kinds[self.clue] == COMPOSITES[1]:
            (one, first), (two, second) = said
            return f"by {of}, if {one}, then {two}. The first is true{first}, but the second is false{second}"
        pair = say.table.clues[self.clue][2] == 2
        if parts[0].truth:
            told = "; and ".join([f"{each}{reason}" for each, reason in said])
            return f"{'both' if pair else 'two'} statements of {of} are true, although only one may be: {told}"
        told = "; ".join([f'"{each}" is false{reason}' for each, reason in said])
        return f"{'both' if pair else 'all three'} statements of {of} are false, although one must be true: {told}"


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
        mask = union([1 << slot % say.n for slot, _ in step.drops])
        out = f"{say.places(mask)} {'are' if mask & mask - 1 else 'is'} ruled out"
        told, whose = [], f" for {listed(list(dict.fromkeys([say.item(slot - slot % say.n + v) for slot, v in step.drops])))}"
        for way in self.ways:
            facts, part = say.facts(way.known, about=way.items), say.part(self.clue, way.part, way.items)
            since = f", since {facts}" if facts else ""
            if way.shut:
                told.append((f"it cannot be that {part}" if way.truth else f'"{part}" cannot be false') + since)
            else:
                case = part if way.truth else f'"{part}" is false'
                told.append(f"if {case}, {out}{whose}{since}")
                whose = ""
        every = " ".join([f"{capital(each)}." for each in told]).removesuffix(".")
        return say.pick(
            f"go through the cases of {by}. {every}. Either way, {so}",
            f"take {by} case by case. {every}. So {so} in every case",
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
        if facts == say.stands_only(self.items, self.places):
            return f"{facts}, so they take {where} between them. Therefore {so}"
        return say.pick(
            f"{facts + ', so ' if facts else ''}{names} take {where} between them. Therefore {so}",
            f"{facts + '. So ' if facts else ''}{names} share {where}, and {so}",
            f"{where} must go to {names}{', since ' + facts if facts else ''}. So {so}",
        )


class HiddenSubset(Subset, technique="subset"):
    """So many places have only so many items of an attribute, which can stand nowhere else."""

    def says(self, say: PlaceSay, step: Step) -> str:
        names, title = listed([say.item(x) for x in self.items], "or"), say.title(self.items[0] // say.n)
        facts, where = say.facts(self.known, of=self.items[0]), say.places(self.places)
        so = self.so(say, step)
        return f"{facts + ', so ' if facts else ''}the {title} for {where} can only be {names}. These take both places, so {so}"


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


class PlaceTakenBack(PlaceFound):
    """What was tried, after its contradiction: of an item's last two places, or a place's last two items, one is left.

    known: why no other is.
    """

    item: int
    place: int
    known: tuple[Fact, ...]

    def says(self, say: PlaceSay, step: Step) -> str:
        ((slot, value),) = step.sets
        x, p = slot - slot % say.n + value, slot % say.n
        told = f"{say.stands_not(self.item, 1 << self.place)}, so "
        if x != self.item:
            since = say.facts(self.known, of=x)
            return f"{told}only {say.item(x)} is left for {say.place(p)}{f' ({since})' if since else ''}"
        others = (1 << say.n) - 1 & ~(1 << p | 1 << self.place)
        why = say.barred(x, others, self.known, True)
        since = why[0] if why else say.facts(self.known, of=x)
        return f"{told}only {say.place(p)} is left for {say.item(x)}{f' ({since})' if since else ''}"


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
