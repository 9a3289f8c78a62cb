"""Findings of grids.py and how they are worded.

A sentence restates the links that it leans on, and quotes the clue that it uses by its number and in a few words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from puzzlemill.core.model import GRID_RELATIONS, GridTable, Step
from puzzlemill.core.words import NUMBERS, capital, listed, pick
from puzzlemill.rules.grids_words import GridWords
from puzzlemill.solvers.deduce import steps
from puzzlemill.solvers.deduce.grids_claims import IF, ORDERS, Claim, Link, LinkSlots, link
from puzzlemill.solvers.deduce.masks import bits
from puzzlemill.solvers.deduce.steps import Found, Say, length


class Part(NamedTuple):
    """A part of a composite is true or false, by these links; of cases, it cannot be so."""

    part: int
    truth: bool
    known: tuple[Link, ...]


class GridSay(Say):
    """How findings on one board are worded. said: the links that a story has stated. depth: suppositions within one another."""

    def __init__(self, words: GridWords, table: GridTable) -> None:
        self.words, self.table, self.voice = words, table, words.voice
        self.m, self.n = table.categories, table.items
        self.slot = LinkSlots(self.m, self.n)
        self.kinds = [GRID_RELATIONS[row[0]] for row in table.clues]
        self.scales = [category for category, _ in table.scales]
        self.said: set[Link] = set()
        self.depth = 0

    def pick(self, *options: str) -> str:
        """One of several wordings; within a story the plainest."""
        return options[0] if self.depth else pick(self.voice, *options)

    # ---- links

    def item(self, x: int) -> str:
        return self.words.item(x)

    def entries(self, items: Sequence[int], last: str = "and") -> str:
        """Items of one category by their bare names: "2004, 2007 or 2010"."""
        return listed([self.words.entry(y) for y in items], last)

    def clue(self, i: int) -> str:
        return self.words.clue(i)

    def source(self, claim: Claim) -> str:
        """The clue that says this; of a claim that is false by itself its opposite."""
        return self.clue(claim.clue) if claim.truth or claim.part >= 0 else f"the opposite of {self.clue(claim.clue)}"

    def link(self, pair: Link) -> str:
        return self.words.has(*pair)

    def whose(self, x: int, c: int) -> str:
        """ "Ana's year", "the year of the kite from Peru"."""
        name, title = self.item(x), self.words.title(c)
        return f"the {title} of {name}" if " " in name else f"{name}'s {title}"

    def without(self, xs: Sequence[int], ys: Sequence[int]) -> str:
        """Some items go with none of some others."""
        if len(xs) == len(ys) == 1:
            return self.words.has(xs[0], ys[0], False)
        return f"{self.entries(ys)} are ruled out for {listed([self.item(x) for x in xs])}"

    def left(self, c: int, mask: int) -> str:
        """ "leaves only 2004 or 2007": the items of a category that are not ruled out."""
        return f"leaves only {self.entries([c * self.n + v for v in bits(mask)], 'or')}"

    def links(self, pairs: Sequence[Link], first: int = -1) -> list[str]:
        """Clauses for some links, those that hold before the others, which are told of as few items as possible.

        first: the item of which those are told that name it.
        """
        groups: dict[tuple[int, ...], list[int]] = {}  # items of one category, and those that go with none of them
        apart = [pair for pair in pairs if not pair.yes]
        while apart:
            often: dict[tuple[int, int], list[int]] = {}  # of an item and another category
            for x, y, _ in apart:
                often.setdefault((x, y // self.n), []).append(y)
                often.setdefault((y, x // self.n), []).append(x)
            (x, _), ys = max(often.items(), key=lambda entry: (entry[0][0] == first, len(entry[1])))
            groups.setdefault(tuple(sorted(ys)), []).append(x)
            apart = [pair for pair in apart if not (x in pair[:2] and any(y in pair[:2] for y in ys))]
        told = [(pair.x, self.link(pair)) for pair in pairs if pair.yes]
        for others, xs in groups.items():
            told += [(-1, self.without(xs, others))] if len(others) > 1 else [(x, self.without([x], others)) for x in xs]
        return self.shortened(told)

    def shortened(self, told: Sequence[tuple[int, str]]) -> list[str]:
        """Clauses about items, of which those in a row about the same item are one that names it once; -1: of no item."""
        runs: list[tuple[int, list[str]]] = []
        for x, text in told:
            if runs and x >= 0 and runs[-1][0] == x:
                runs[-1][1].append(text.removeprefix(f"{self.item(x)} "))
            else:
                runs.append((x, [text]))
        return [listed(texts) for _, texts in runs]

    def facts(self, known: Sequence[Link], first: int = -1) -> str:
        """What a step leans on, but for what its story has stated; "" for nothing."""
        return joined(self.links([pair for pair in known if pair not in self.said], first))

    # ---- claims

    def claim(self, claim: Claim) -> str:
        """What a plain statement says, or the opposite of what a false clue says, as a clause."""
        if claim.truth or claim.part >= 0:
            return self.statement(claim)
        names = [self.item(x) for x in claim.items]
        if claim.kind in ("is", "is_not"):
            return self.words.has(claim.items[0], claim.items[1], claim.kind != "is")
        if claim.kind == "neither":
            return f"{names[0]} is either {names[1]} or {names[2]}"
        return f"it is not so that {self.statement(claim)}"

    def statement(self, claim: Claim) -> str:
        """What a plain statement says, true or not, as a clause."""
        kind, names = claim.kind, [self.item(x) for x in claim.items]
        if kind in ("is", "is_not"):
            return self.words.has(claim.items[0], claim.items[1], kind == "is")
        if kind == "between":
            whose = self.whose(claim.items[0], claim.scale)
            return f"{whose} is between those of {names[1]} and {names[2]}"
        if kind in ORDERS:
            one, other = claim.items
            return self.words.order(one, other, self.scales.index(claim.scale), claim.number, kind)
        if kind == "either_or":
            return f"{names[0]} is either {names[1]} or {names[2]}"
        if kind == "neither":
            return f"{names[0]} is neither {names[1]} nor {names[2]}"
        if kind == "pair":
            return f"of {names[0]} and {names[1]}, one is {names[2]} and the other {names[3]}"
        return f"{listed(names)} are {NUMBERS[len(names)]} different {self.words.whos}"

    def quoted(self, claim: Claim) -> str:
        """A part of a composite in quotes; titles within it have single ones."""
        return '"' + self.claim(claim).replace('"', "'") + '"'

    # ---- conclusions

    def concluded(self, step: Step, first: int = -1) -> list[str]:
        pairs = [link(*self.slot.items(*fact), yes) for facts, yes in ((step.sets, True), (step.drops, False)) for fact in facts]
        return self.links(pairs, first)

    def so(self, step: Step, first: int = -1) -> str:
        return joined(self.concluded(step, first))

    def supposed(self, cell: int, value: int) -> str:
        return self.words.has(*self.slot.items(cell, value), True)

    def is_not(self, cell: int, value: int) -> str:
        return self.words.has(*self.slot.items(cell, value), False)

    # ---- suppositions

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return pick(
            self.voice,
            f"suppose that {supposed}. {tale} That cannot be, so {so}",
            f"what if {supposed}? {tale} That is impossible, so {so}",
            f"assume for a moment that {supposed}. {tale} This is a contradiction, so {so}",
            f"try the assumption that {supposed}. {tale} That does not work, so {so}",
        )

    def supposition(self, pair: Link, within: Sequence[Step]) -> str:
        """A supposition with its story."""
        before, self.said, self.depth = self.said, {pair}, self.depth + 1
        tale = self.story(within)
        self.said, self.depth = before, self.depth - 1
        return self.refuted(self.link(pair), tale, self.link(Link(pair.x, pair.y, False)))

    def by_clues(self, within: Sequence[Step]) -> str:
        """ " with clues 3 and 5": those of a story, "" if there are none."""
        used = dict.fromkeys([step.found.clue for step in within if isinstance(step.found, ByClaim | Cases)])
        return f" with {self.words.cited(list(used))}" if used else ""

    def story(self, steps: Sequence[Step]) -> str:
        """The steps of a story, one sentence each; what it has concluded is not stated again but in the last."""
        told = []
        for k, step in enumerate(steps):
            last = k == len(steps) - 1
            if last:
                self.said = set()
            start = "But then " if last and k else ("Then " if k == 0 else "Next, " if k == 1 else "")
            text = step.found.says(self, step)
            told.append(f"{start}{text}." if start else f"{capital(text)}.")
            self.said.update(link(*self.slot.items(*fact), True) for fact in step.sets)
            self.said.update(link(*self.slot.items(*fact), False) for fact in step.drops)
        return " ".join(told)


def joined(parts: Sequence[str]) -> str:
    """Clauses in a row, with a comma before "and" where one of them has an "and" of its own."""
    if len(parts) > 1 and any(" and " in part for part in parts):
        return f"{', '.join(parts[:-1])}, and {parts[-1]}"
    return listed(parts)


class GridFound(Found[GridSay]):
    """known: the links that it leans on. clash: as a contradiction, what follows although the last link that is known bars it."""

    known: tuple[Link, ...]
    clash: Link | None

    @property
    def facts(self) -> tuple[Link, ...]:
        """The links from which the conclusion follows."""
        return self.known if self.clash is None else self.known[:-1]

    def so(self, say: GridSay, step: Step, first: int = -1) -> str:
        """The conclusion; of a contradiction what it comes to, and that it cannot be."""
        if self.clash is None:
            return say.so(step, first)
        return f"{say.link(self.clash)}; but {say.link(self.known[-1])}"


# ---- links ---------------------------------------------------------------------------------------------------------------


class OnlyLeft(GridFound):
    """One item of a category is left for an item; or, as a contradiction, none."""

    item: int
    category: int

    def says(self, say: GridSay, step: Step) -> str:
        told = say.links([pair for pair in self.known if pair not in say.said], self.item)
        facts, item = joined(told), say.item(self.item)
        if not step.sets:
            title = say.words.title(self.category)
            none = f"no {title} is left for {item}" if self.category else f"no {say.words.who} is left that could be {item}"
            return f"{facts}, so {none}" if facts else none
        x, y = say.slot.items(*step.sets[0])
        so = say.so(step)
        if not facts:
            return f"{so}, as nothing else is left"
        if len([pair for pair in self.known if pair.yes and pair not in say.said]) > 2:
            gone = self._gone(say)
            return say.pick(f"{so}, with {gone}", f"with {gone}, {so}", f"with {gone}, only one way is left: {so}")
        if say.depth:
            return f"{so}, since {facts}"
        alone = len(told) == 1 and all(self.item in pair[:2] for pair in self.known)
        left = f"only {say.words.entry(y if x == self.item else x)}{'' if alone else f' for {item}'}"
        return say.pick(
            f"{facts}, which leaves {left}",
            f"{facts}, so {so}",
            f"{so}, since {facts}",
            f"{facts}. That leaves one way only: {so}",
            f"{facts}. So {so}",
        )

    def _gone(self, say: GridSay) -> str:
        """ "2004 taken by Ana, 2007 by Ben and 2012 by Carl, and 2009 and 2015 ruled out for Dora"."""
        first, mine = self.category * say.n, list[int]()
        taken = list[str]()
        for x, y, yes in self.known:
            y, x = (x, y) if first <= x < first + say.n else (y, x)
            if yes:
                taken.append(f"{say.words.entry(y)}{'' if taken else ' taken'} by {say.item(x)}")
            else:
                mine.append(y)
        out = f", and {say.entries(sorted(mine))} ruled out for {say.item(self.item)}" if mine else ""
        return f"{listed(taken)}{out}"


class Transfer(GridFound):
    """Two items go together, so what is known of the other one holds of this one."""

    item: int
    other: int

    def says(self, say: GridSay, step: Step) -> str:
        same = link(self.item, self.other, True)
        known = [pair for pair in self.facts if pair != same and pair not in say.said]
        rest = joined(say.links(known, self.other))
        so, both = self.so(say, step, self.item), say.link(same)
        if same in say.said or not rest:
            return f"{so}, as {rest or both}"
        if len(known) == 1 and known[0].yes:
            too = " too" if self.other == same.y == known[0].y else ""  # "Ana comes from Peru, and Ben comes from Peru too"
            return say.pick(
                f"{both}, and {rest}{too}, so {so}", f"{so}, since {both} and {rest}{too}", f"{both}. As {rest}{too}, {so}"
            )
        return say.pick(
            f"{both}, and {rest}, so {so}",
            f"since {both}, and {rest}, {so}",
            f"{rest}, and {both}. So {so}",
            f"{both}. Since {rest}, {so}",
        )


class NoPartner(GridFound):
    """Two items have no item of a category that both could go with. mask: what is left of it for the first."""

    item: int
    other: int
    category: int
    mask: int

    def says(self, say: GridSay, step: Step) -> str:
        n, so = say.n, self.so(say, step)
        ours = [c * n + v for c in [self.category] for v in bits(self.mask)]
        own = [pair for pair in self.facts if self.item in pair[:2]]
        takes = [pair for pair in self.facts if pair not in own and self.other not in pair[:2]]
        first = f"{say.facts(own + [p for p in takes if not self._about(p, ours)], self.item)}"
        only = say.left(self.category, self.mask)
        theirs = say.facts(
            [pair for pair in self.facts if pair not in own and not (pair in takes and not self._about(pair, ours))], self.other
        )
        start = f"{first}, which {only}" if first else f"what is known {only} for {say.item(self.item)}"
        if not theirs:
            return f"{start}. So {so}"
        return say.pick(
            f"{start}. But {theirs}, so {so}",
            f"{start}. However, {theirs}. So {so}",
            f"{start}. As {theirs}, {so}",
        )

    def _about(self, pair: Link, ours: Sequence[int]) -> bool:
        """Return whether a link takes away from the other item what is left for the first."""
        return any(y in pair[:2] for y in ours)


class Subset(GridFound):
    """So many items have only so many items of a category between them (a mask)."""

    items: tuple[int, ...]
    category: int
    mask: int

    def says(self, say: GridSay, step: Step) -> str:
        names = listed([say.item(x) for x in self.items])
        values = say.entries([self.category * say.n + v for v in bits(self.mask)])
        facts, so = say.facts(self.facts, self.items[0]), self.so(say, step)
        many = NUMBERS[len(self.items)]
        return say.pick(
            f"{facts}, so {names} share {values} between them. Therefore {so}",
            f"{facts}. That leaves only {values} for {names}, one for each, so {so}",
            f"{names} must have {values}, in some order, since {facts}. So these {many} are taken, and {so}",
        )


# ---- clues ---------------------------------------------------------------------------------------------------------------


class ByClaim(GridFound):
    """A clue says something about its items; or, as a contradiction, cannot hold."""

    claim: Claim

    @property
    def clue(self) -> int:
        return self.claim.clue

    def says(self, say: GridSay, step: Step) -> str:
        by, says, facts = say.source(self.claim), say.claim(self.claim), say.facts(self.facts)
        if not step.sets and not step.drops and self.clash is None:
            return f"{by} says that {says}, but {facts or 'that cannot be'}"
        so = self.so(say, step)
        if so == says:
            return say.pick(f"by {by}, {so}", f"{by} tells us that {so}", f"{so}, as {by} says")
        if not facts:
            return say.pick(
                f"{by} says that {says}, so {so}",
                f"by {by}, {says}. So {so}",
                f"{says} ({by}), which means that {so}",
                f"{so}, because {says} ({by})" if not says.startswith("of ") else f"by {by}, {says}; so {so}",
            )
        return say.pick(
            f"{by} says that {says}. {capital(facts)}, so {so}",
            f"by {by}, {says}. Since {facts}, {so}",
            f"{says} ({by}), and {facts}. So {so}",
            f"{facts}, and {by} says that {says}. Therefore {so}",
        )


class CrossOff(ByClaim):
    """The same whatever is known."""


class Branch(ByClaim):
    """One of two ways is left."""

    def says(self, say: GridSay, step: Step) -> str:
        by, says, facts = say.source(self.claim), say.claim(self.claim), say.facts(self.facts)
        if not facts or not (step.sets or step.drops):
            return super().says(say, step)
        so = self.so(say, step)
        return say.pick(
            f"{by} says that {says}. {capital(facts)}, so {so}",
            f"by {by}, {says}. As {facts}, only one way is left: {so}",
            f"{says} ({by}). But {facts}, so {so}",
            f"{facts}, which settles {by} ({says}): {so}",
        )


class Ends(ByClaim):
    """The length of a scale leaves places to the items of a clue."""

    def says(self, say: GridSay, step: Step) -> str:
        if self.clash is not None or not (step.sets or step.drops):
            return super().says(say, step)
        by, says, so = say.source(self.claim), say.claim(self.claim), self.so(say, step)
        title, items = say.words.title(self.claim.scale), self.claim.items
        lost: dict[int, list[int]] = {}  # of each item places that it cannot have
        for fact in step.drops:
            x, y = say.slot.items(*fact)
            x, y = (x, y) if x in items else (y, x)
            lost.setdefault(x, []).append(y)
        told: list[str] = []
        for x, ys in lost.items():
            left = f"no {title} would be left for" if not told else "none for"
            told.append(f"with {say.entries(sorted(ys), 'or')} for {say.item(x)}, {left} {self._others(say, x)}")
        if step.sets:
            told.append(
                f"there is only one way to fit this into the list of {title}s"
                if " " not in title
                else "there is only one way to fit this"
            )
        room = "; and ".join(told)
        return say.pick(
            f"{by} says that {says}. {capital(room)}. So {so}",
            f"by {by}, {says}. But {room}. So {so}",
            f"{says} ({by}). Now {room}. That means that {so}",
        )

    def _others(self, say: GridSay, x: int) -> str:
        return listed([say.item(y) for y in self.claim.items if y != x], "or")


class Placed(ByClaim):
    """The known places of others do."""


class Bounds(ByClaim):
    """The places that are left for the others do."""


class Agree(ByClaim):
    """In all ways that are left the same follows."""

    def says(self, say: GridSay, step: Step) -> str:
        by, says, facts = say.source(self.claim), say.claim(self.claim), say.facts(self.facts)
        if not facts:
            return super().says(say, step)
        so = self.so(say, step)
        return say.pick(
            f"{by} says that {says}. {capital(facts)}. Either way, {so}",
            f"by {by}, {says}. Whichever it is, {so}, because {facts}",
            f"{says} ({by}). Since {facts}, {so} in both cases",
        )


class Composite(ByClaim):
    """Other parts of a composite decide that this part is true, or that it is false; or they cannot agree (wrong)."""

    parts: tuple[Part, ...]
    wrong: bool
    claims: tuple[Claim, ...]

    def says(self, say: GridSay, step: Step) -> str:
        i = self.claim.clue
        told = []
        for part in self.parts:
            claim = self.claims[part.part]
            told.append(f"{say.quoted(claim)} is {'true' if part.truth else 'false'}{since(say, part, claim)}")
        decided = f"in {say.clue(i)}, {', and '.join(told)}"
        if self.wrong:
            rule = (
                "if the first holds, so must the second" if say.kinds[i] == IF else "exactly one of its statements must be true"
            )
            return f"{decided}, although {rule}"
        before = {pair for part in self.parts for pair in part.known}
        further = say.facts([pair for pair in self.facts if pair not in before])
        so, says = self.so(say, step), say.claim(self.claim)
        of = "the other statement" if say.kinds[i] != IF else "the consequence" if self.claim.part else "the condition"
        must = f"must be {'true' if self.claim.truth else 'false'}{' too' * (say.kinds[i] == IF)}"
        same = so == says or (says == f"{so}" and not further)
        rest = f"{of} {must}" if same else f"{of}, {say.quoted(self.claim)}, {must}"
        tail = f". {capital(further)}, so {so}" if further else f": {so}"
        return say.pick(f"{decided}. So {rest}{tail}", f"{decided}. Therefore {rest}{tail}", f"{decided}. Hence {rest}{tail}")


class Cases(GridFound):
    """Whichever parts of a composite are true, this follows. ways: parts that cannot be so."""

    clue: int
    ways: tuple[Part, ...]
    claims: tuple[Claim, ...]

    def says(self, say: GridSay, step: Step) -> str:
        by = say.clue(self.clue)
        shut = [(self.claims[way.part], way) for way in self.ways]
        wrong = [
            f"here {say.quoted(each)} cannot be {'true' if way.truth else 'false'}{since(say, way, each)}" for each, way in shut
        ]
        before = {pair for way in self.ways for pair in way.known}
        facts = say.facts([pair for pair in self.facts if pair not in before])
        told = "".join([f"{capital(each)}. " for each in wrong])
        because = f", because {facts}" if facts else ""
        quoted = listed([say.quoted(claim) for claim in self.claims])
        so = self.so(say, step)
        return say.pick(
            f"go through the cases of {by}, which is about {quoted}. {told}In each case that is left, {so}{because}",
            f"take {by} case by case: {quoted}. {told}Whichever holds, {so}{because}",
            f"{by} speaks of {quoted}. {told}Every way to satisfy it comes to the same: {so}{because}",
        )


def since(say: GridSay, part: Part, claim: Claim) -> str:
    """ ", as Ana comes from Peru": why a part of a composite is true or not; "" if that says the same again."""
    facts = say.facts(part.known)
    again = claim.kind in ("is", "is_not") and [pair[:2] for pair in part.known] == [
        pair[:2] for way in claim.ways for pair in way
    ]
    return f", as {facts}" if facts and not again else ""


# ---- suppositions --------------------------------------------------------------------------------------------------------


class LookAhead(GridFound):
    """Supposing that two items go together ends in a contradiction by easy techniques: the steps `within`."""

    pair: Link

    def says(self, say: GridSay, step: Step) -> str:
        return say.supposition(self.pair, step.within)


class FarLookAhead(LookAhead):
    """The same by more steps, or by harder ones."""


class LongLookAhead(LookAhead):
    """The same by so many steps that no sentence tells them."""

    def says(self, say: GridSay, step: Step) -> str:
        by, many = say.by_clues(step.within), length(step.within)
        no = say.link(Link(self.pair.x, self.pair.y, False))
        return say.refuted(say.link(self.pair), f"Then {many} steps{by} lead to a contradiction.", no)


class Search(steps.Search):
    """Nothing else leads on."""

    def says(self, say: Say, step: Step) -> str:
        stuck = "none of the usual ways leads on; going through all possibilities"
        if not step.sets:
            return f"{stuck} shows that there is no answer"
        return f"{stuck} leaves one way only: {say.so(step)}"


FINDINGS: list[list[type[Found[Any]]]] = [
    [CrossOff, OnlyLeft],
    [Ends, Transfer, Placed],
    [Branch, Bounds, Agree],
    [NoPartner, Subset],
    [Composite, Cases],
    [LookAhead],
    [FarLookAhead, LongLookAhead],
    [Search],
]
