"""Findings of grids.py and how they are worded.

A sentence restates the links that it leans on, and quotes the clue that it uses by its number and in a few words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from puzzlemill.core.model import GRID_RELATIONS, GridTable, Step
from puzzlemill.core.words import NUMBERS, capital, listed, pick
from puzzlemill.rules.grids_words import GridWords
from puzzlemill.solvers.deduce import steps
from puzzlemill.solvers.deduce.grids_claims import IF, ORDERS, Claim, Link, LinkSlots, link
from puzzlemill.solvers.deduce.masks import bits
from puzzlemill.solvers.deduce.steps import Found, Say, length, tiers


class Part(NamedTuple):
    """A part of a composite is true or false, by these links. shut: in the case that is looked at it cannot be so."""

    part: int
    truth: bool
    known: tuple[Link, ...]
    shut: bool = False


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
        return f"clue {self.words.number(i)}"

    def link(self, pair: Link) -> str:
        return self.words.has(*pair)

    def whose(self, x: int, c: int) -> str:
        """ "Ana's year", "the year of the kite from Peru"."""
        name, title = self.item(x), self.words.title(c)
        return f"the {title} of {name}" if " " in name else f"{name}'s {title}"

    def without(self, x: int, ys: Sequence[int]) -> str:
        """One item goes with none of some others."""
        if len(ys) == 1:
            return self.words.has(x, ys[0], False)
        return f"{self.entries(ys)} are ruled out for {self.item(x)}"

    def only(self, x: int, c: int, mask: int) -> str:
        """ "only 2004 or 2007 is left for Ana"."""
        return f"only {self.entries([c * self.n + v for v in bits(mask)], 'or')} is left for {self.item(x)}"

    def links(self, pairs: Sequence[Link], first: int = -1) -> list[str]:
        """Clauses for some links, those that hold before the others, which are told of as few items as possible.

        first: the item of which those are told that name it.
        """
        told = [self.link(pair) for pair in pairs if pair.yes]
        apart = [pair for pair in pairs if not pair.yes]
        while apart:
            often: dict[tuple[int, int], list[int]] = {}  # of an item and another category
            for x, y, _ in apart:
                often.setdefault((x, y // self.n), []).append(y)
                often.setdefault((y, x // self.n), []).append(x)
            (x, c), ys = max(often.items(), key=lambda entry: (entry[0][0] == first, len(entry[1])))
            told.append(self.without(x, sorted(ys)))
            apart = [pair for pair in apart if not (x in pair[:2] and any(y in pair[:2] for y in ys))]
        return told

    def facts(self, known: Sequence[Link], first: int = -1) -> str:
        """What a step leans on, but for what its story has stated; "" for nothing."""
        return joined(self.links([pair for pair in known if pair not in self.said], first))

    # ---- claims

    def claim(self, claim: Claim) -> str:
        """What a plain statement says, true or not, as a clause."""
        kind, names = claim.kind, [self.item(x) for x in claim.items]
        if kind in ("is", "is_not"):
            return self.words.has(*claim.items, kind == "is")
        if kind == "between":
            whose = self.whose(claim.items[0], claim.scale)
            return f"{whose} is between those of {names[1]} and {names[2]}"
        if kind in ORDERS:
            return self.words.order(*claim.items, self.scales.index(claim.scale), claim.number, kind)
        if kind == "either_or":
            return f"{names[0]} is either {names[1]} or {names[2]}"
        if kind == "neither":
            return f"{names[0]} is neither {names[1]} nor {names[2]}"
        if kind == "pair":
            return f"of {names[0]} and {names[1]}, one is {names[2]} and the other {names[3]}"
        return f"{listed(names)} are {NUMBERS[len(names)]} different {self.words.whos}"

    def quoted(self, i: int, claim: Claim, truth: bool) -> str:
        return f'"{self.claim(claim)}" is {"true" if truth else "false"}'

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
        used = {step.found.clue for step in within if isinstance(step.found, ByClaim | Cases)}
        numbers = sorted([self.words.number(i) for i in used])
        return f" with clue{'s' * (len(numbers) > 1)} {listed([str(k) for k in numbers])}" if numbers else ""

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
        facts, item = say.facts(self.known, self.item), say.item(self.item)
        since = f"{facts}, so " if facts else ""
        if not step.sets:
            return f"{since}no {say.words.title(self.category)} is left for {item}"
        x, y = say.slot.items(*step.sets[0])
        so = say.so(step)
        left = f"only {say.words.entry(y if x == self.item else x)} is left for {item}"
        if not facts:
            return f"{left}: {so}"
        return say.pick(
            f"{since}{left}",
            f"{since}{so}",
            f"{left}, since {facts}",
            f"{facts}. That leaves one way only: {so}",
        )


class Transfer(GridFound):
    """Two items go together, so what is known of the other one holds of this one."""

    item: int
    other: int

    def says(self, say: GridSay, step: Step) -> str:
        same = link(self.item, self.other, True)
        rest = say.facts([pair for pair in self.facts if pair != same], self.other)
        so, both = self.so(say, step, self.item), say.link(same)
        if same in say.said:
            return f"{rest}, so {so}" if rest else so
        if not rest:
            return f"{both}, so {so}"
        return say.pick(
            f"{both}, and {rest}, so {so}",
            f"since {both} and {rest}, {so}" if " and " not in rest else f"since {both}, and {rest}, {so}",
            f"{rest}. But {both}, so {so}",
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
        only = say.only(self.item, self.category, self.mask)
        theirs = say.facts(
            [pair for pair in self.facts if pair not in own and not (pair in takes and not self._about(pair, ours))], self.other
        )
        start = f"{first}, so {only}" if first else only
        if not theirs:
            return f"{start}. So {so}"
        return say.pick(
            f"{start}. But {theirs}, so {so}",
            f"{start}, while {theirs}. So {so}",
            f"{start}. As {theirs}, the two have nothing in common there, so {so}",
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
    """A clue says something about its items."""

    claim: Claim

    @property
    def clue(self) -> int:
        return self.claim.clue

    def says(self, say: GridSay, step: Step) -> str:
        by, says, facts = say.clue(self.claim.clue), say.claim(self.claim), say.facts(self.facts)
        so = self.so(say, step)
        if so == says:
            return say.pick(f"by {by}, {so}", f"{by} tells us that {so}", f"{so}, as {by} says")
        if not facts:
            return say.pick(
                f"{by} says that {says}, so {so}",
                f"by {by}, {says}. So {so}",
                f"{says} ({by}), which means that {so}",
                f"{so}, because {says} ({by})",
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
        by, says, facts = say.clue(self.claim.clue), say.claim(self.claim), say.facts(self.facts)
        so = self.so(say, step)
        if not facts:
            return f"by {by}, {says}, so {so}"
        return say.pick(
            f"{by} says that {says}. {capital(facts)}, so {so}",
            f"by {by}, {says}. As {facts}, only one way is left: {so}",
            f"{says} ({by}). But {facts}, so {so}",
            f"{facts}, which settles {by} ({says}): {so}",
        )


class Ends(ByClaim):
    """The length of a scale leaves places to the items of a clue."""


class Placed(ByClaim):
    """The known places of others do."""


class Bounds(ByClaim):
    """The places that are left for the others do."""


class Agree(ByClaim):
    """In all ways that are left the same follows."""

    def says(self, say: GridSay, step: Step) -> str:
        by, says, facts = say.clue(self.claim.clue), say.claim(self.claim), say.facts(self.facts)
        so = self.so(say, step)
        if not facts:
            return f"by {by}, {says}, so {so}"
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
        told = [f"{say.quoted(i, self.claims[part.part], part.truth)}{since(say, part.known)}" for part in self.parts]
        decided = f"in {say.clue(i)}, {', and '.join(told)}"
        if self.wrong:
            rule = (
                "if the first holds, so must the second" if say.kinds[i] == IF else "exactly one of its statements must be true"
            )
            return f"{decided}, although {rule}"
        before = {pair for part in self.parts for pair in part.known}
        further = say.facts([pair for pair in self.facts if pair not in before])
        so, truth = self.so(say, step), "true" if self.claim.truth else "false"
        rest = f'"{say.claim(self.claim)}" must be {truth}'
        tail = f". {capital(further)}, so {so}" if further else f": {so}"
        if self.claim.truth and say.claim(self.claim) == so:
            rest, tail = "the other statement must be true", f": {so}"
        return say.pick(f"{decided}. So {rest}{tail}", f"{decided}. Therefore {rest}{tail}", f"{decided}. Hence {rest}{tail}")


class Cases(GridFound):
    """Whichever parts of a composite are true, this follows. ways: parts that cannot be so."""

    clue: int
    ways: tuple[Part, ...]
    claims: tuple[Claim, ...]

    def says(self, say: GridSay, step: Step) -> str:
        by = say.clue(self.clue)
        shut = [
            f'"{say.claim(self.claims[way.part])}" cannot be {"true" if way.truth else "false"}{since(say, way.known)}'
            for way in self.ways
        ]
        before = {pair for way in self.ways for pair in way.known}
        facts = say.facts([pair for pair in self.facts if pair not in before])
        told = " ".join([f"{capital(each)}." for each in shut]) + (" " if shut else "")
        because = f", because {facts}" if facts else ""
        quoted = listed([f'"{say.claim(claim)}"' for claim in self.claims])
        so = self.so(say, step)
        return say.pick(
            f"go through the cases of {by}, which is about {quoted}. {told}In each case that is left, {so}{because}",
            f"take {by} case by case: {quoted}. {told}Whichever holds, {so}{because}",
            f"{by} speaks of {quoted}. {told}Every way to satisfy it comes to the same: {so}{because}",
        )


def since(say: GridSay, known: Sequence[Link]) -> str:
    """ ", as Ana comes from Peru"."""
    facts = say.facts(known)
    return f", as {facts}" if facts else ""


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


TECHNIQUES = tiers(
    [CrossOff, OnlyLeft],
    [Ends, Transfer, Placed],
    [Branch, Bounds, Agree],
    [NoPartner, Subset],
    [Composite, Cases],
    [LookAhead],
    [FarLookAhead, LongLookAhead],
    [Search],
)
