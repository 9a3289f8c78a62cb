"""Findings of deduction in Latin grids (latin.py), each with its sentence; sight.py builds on both.

Units are numbered as rows (0..n-1), columns (n..2n-1), then the table's units. Sentences need value, noun, unit (of the
table's units) and voice of Words. They restate the facts that their steps lean on (Step.grounds), by the units through which
these count; one that gets too long leaves out first the cells of these facts, then the facts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from puzzlemill.core.model import Fact, Ground, LatinTable, Step
from puzzlemill.core.words import Words, capital, listed, pick
from puzzlemill.solvers.deduce.candidates import NEIGHBOUR
from puzzlemill.solvers.deduce.steps import Found, tiers

LONGEST = 600  # characters of a sentence that tells all facts
AT_EACH = 4  # facts of a unit that are named one by one


class Say:
    """How findings in one grid are described; other tables with Latin lines have other words for some of it (sight.py)."""

    less = "hold nothing else"  # of cells that share out some values
    supposed = "held"
    others = "to fill the other cells"

    def __init__(self, words: Words, table: LatinTable) -> None:
        self.words, self.table, self.n = words, table, table.n
        self.cell = [f"r{i // self.n + 1}c{i % self.n + 1}" for i in range(self.n * self.n)]
        self.value, self.noun = words.value, words.noun
        self.voice = words.voice
        self.brief = 0  # 1: facts without cells; 2: no facts; 3: no placements of a supposition, of a search

    def cells(self, cells: Iterable[int]) -> str:
        return listed([self.cell[i] for i in cells])

    def values(self, values: Iterable[int]) -> str:
        return listed([self.value(v) for v in values])

    def unit(self, u: int) -> str:
        n = self.n
        return f"row {u + 1}" if u < n else f"column {u - n + 1}" if u < 2 * n else self.words.unit(u - 2 * n)

    def group(self, k: int) -> str:
        """The unit that one of the table's heaviest groups is."""
        return self.words.unit(self.table.units.index(self.table.heaviest[k]))

    def holds(self, i: int, v: int) -> str:
        return f"it holds {self.value(v)}"

    def sets(self, step: Step) -> str:
        return ", ".join([f"{self.cell[i]} = {self.value(v)}" for i, v in step.sets])

    def so(self, step: Step) -> str:
        """ "r1c2 and r1c3 are not 5 or 6": what a step drops."""
        losers: dict[int, list[int]] = {}
        for i, v in step.drops:
            losers.setdefault(v, []).append(i)
        lost: dict[tuple[int, ...], list[str]] = {}
        for v, cells in sorted(losers.items()):
            lost.setdefault(tuple(cells), []).append(self.value(v))
        return "; ".join(
            [f"{self.cells(i)} {'is' if len(i) == 1 else 'are'} not {listed(values, 'or')}" for i, values in lost.items()]
        )

    def facts(self, grounds: Sequence[Ground] | None) -> str:
        """ "row 4 has 3 at r4c3, r5c2 is 7 and r6c1 is not 3 (in box 4 the 3 is in row 5)": facts as clauses."""
        units: dict[int, list[Fact]] = {}
        itself: list[Fact] = []
        beside: list[str] = []
        lost: dict[Any, list[Fact]] = {}
        for ground in grounds or ():
            ways = [way for _, way in ground.out]
            if not ground.holds:
                lost.setdefault(None if self.brief else ground.by, []).append(ground.fact)
            elif NEIGHBOUR in ways:
                near = [absent for absent, way in ground.out if way == NEIGHBOUR]
                beside.append(f"{self.filled([ground.fact])}, so beside it {self.ruled_out(near, None)}")
            elif not [way for way in ways if way >= 0]:
                itself.append(ground.fact)
            for way in dict.fromkeys([way for way in ways if way >= 0]):
                units.setdefault(way, []).append(ground.fact)
        clauses = [f"{self.unit(u)} has {self.placed(facts)}" for u, facts in units.items()]
        clauses += [self.filled(itself)] if itself else []
        clauses += beside
        clauses += [self.ruled_out(facts, by) for by, facts in lost.items()]
        return "; ".join(clauses) if any("," in clause or " and " in clause for clause in clauses) else listed(clauses)

    def placed(self, facts: Sequence[Fact]) -> str:
        """ "3 at r4c3 and 5 at r4c7"; of many, the values first."""
        facts = sorted(facts, key=lambda fact: fact[1])
        if self.brief:
            return self.values([v for _, v in facts])
        if len(facts) > AT_EACH:
            return f"{self.values([v for _, v in facts])} ({', '.join([self.cell[i] for i, _ in facts])})"
        return listed([f"{self.value(v)} at {self.cell[i]}" for i, v in facts])

    def filled(self, facts: Sequence[Fact]) -> str:
        """ "r5c2 is 7 and r6c1 is 2"."""
        if len(facts) > AT_EACH:
            return f"{self.cells([i for i, _ in facts])} hold {self.values([v for _, v in facts])}"
        return listed([f"{self.cell[i]} is {self.value(v)}" for i, v in facts])

    def ruled_out(self, facts: Sequence[Fact], by: Any) -> str:
        """ "r6c1 is not 3, since ...": what an earlier step has ruled out, with its reason in a few words."""
        text = self.so(Step("", (), drops=tuple(sorted(facts)))).replace("; ", " and ")
        return text if by is None or self.brief else f"{text}, since {by.why(self)}"

    def left(self, step: Step, i: int) -> str:
        """ "2 or 6": what a cell can hold by the facts of a step, which rule the rest out."""
        gone = {absent for ground in step.grounds or () for absent in ([fact for fact, _ in ground.out] or [ground.fact])}
        return listed([self.value(v) for v in range(self.n) if (i, v) not in gone], "or")

    def given(self, step: Step, before: str = " (", after: str = ")") -> str:
        """What the step restates, between these; "" for nothing."""
        facts = "" if self.brief > 1 else self.facts(step.grounds)
        return f"{before}{facts}{after}" if facts else ""

    def story(self, steps: Sequence[Step]) -> str:
        """The steps that a supposition forces, before what fails."""
        if not self.brief:
            voice, self.voice = self.voice, 0  # one wording, which goes with "then"
            parts = [f"Then {step.found.says(self, step)}." for step in steps]
            self.voice = voice
            return " ".join(parts)
        if self.brief == 3:
            return f"Then {len(steps)} conclusions follow, one from another."
        parts = [self.sets(step) or step.found.briefly(self) for step in steps]
        if self.brief == 1:
            parts = [f"{part} ({step.found.kind(self)})" if step.sets else part for part, step in zip(parts, steps, strict=True)]
        return f"Then {', '.join(parts)}."

    def begins(self, text: str) -> str:
        """The text with a capital letter first; a cell's name stays as it is."""
        return text if text[:1] == "r" and text[1:2].isdigit() else capital(text)

    def sentence(self, step: Step) -> str:
        """The step in one or more sentences; facts are left out of it as far as it gets too long otherwise."""
        for self.brief in range(4):
            text = f"{self.begins(step.found.says(self, step))}."
            if len(text) <= LONGEST:
                break
        return text


L = TypeVar("L", bound=Say)
NO_ANSWER = "So there is no answer"


class FullLine(Found[Say]):
    """A unit has one empty cell."""

    unit: int

    def says(self, say: Say, step: Step) -> str:
        ((i, v),) = step.sets
        unit, cell, value = say.unit(self.unit), say.cell[i], say.value(v)
        others = say.values(sorted([held for _, held in [ground.fact for ground in step.grounds or ()]]))
        return pick(
            say.voice,
            f"{unit} has {others} already, so {cell}, its last empty cell, is {value}",
            f"{cell} is the last empty cell of {unit}, which has {others}: it is {value}",
            f"only {cell} is still empty in {unit}, where {others} are placed, so {value} goes there",
            f"{unit} lacks only {value}, since it has {others}; so {cell} = {value}",
        )

    def kind(self, say: Say) -> str:
        return f"the last cell of {say.unit(self.unit)}"


class HiddenSingle(Found[Say]):
    """A unit has one place for a value."""

    unit: int

    def says(self, say: Say, step: Step) -> str:
        ((i, v),) = step.sets
        unit, cell, value, given = say.unit(self.unit), say.cell[i], say.value(v), say.given(step, "", "")
        if not given:
            return f"in {unit}, {value} can only go to {cell}"
        return pick(
            say.voice,
            f"in {unit} the {value} can only go to {cell}: {given}",
            f"{given}. That leaves {cell} as the only place for {value} in {unit}",
            f"look for the {value} of {unit}: {given}. So it must be at {cell}",
            f"{cell} is the only cell of {unit} that can take {value}, because {given}",
            f"where does {value} go in {unit}? {say.begins(given)}. Only {cell} is left",
        )

    def kind(self, say: Say) -> str:
        return f"the only place in {say.unit(self.unit)}"


class NakedSingle(Found[Say]):
    """A cell has one value left."""

    def says(self, say: Say, step: Step) -> str:
        ((i, v),) = step.sets
        cell, value, given = say.cell[i], say.value(v), say.given(step, "", "")
        if not given:
            return f"only {value} is left for {cell}"
        return pick(
            say.voice,
            f"for {cell} only {value} is left: {given}",
            f"{given}. So {cell} can only be {value}",
            f"try each {say.noun} at {cell}: {given}. Only {value} fits",
            f"{cell} must be {value}, because {given}",
        )

    def kind(self, say: Say) -> str:
        return f"no other {say.noun} fits"


class Fails(Found[L], technique="contradiction"):
    """A contradiction; a subclass for each sort."""

    def says(self, say: L, step: Step) -> str:
        return f"{self.failure(say)}{say.given(step, ': ', '')}. {NO_ANSWER}"

    @abstractmethod
    def failure(self, say: L) -> str:
        """The contradiction as a clause."""


class NoValue(Fails[Say], technique="contradiction"):
    """A cell has no value left."""

    cell: int

    def failure(self, say: Say) -> str:
        return f"no {say.noun} is left for {say.cell[self.cell]}"


class NoPlace(Fails[Say], technique="contradiction"):
    """A unit has no place left for a value."""

    unit: int
    value: int

    def failure(self, say: Say) -> str:
        return f"{say.unit(self.unit)} has no place left for {say.value(self.value)}"


class Excluded(Fails[Say], technique="contradiction"):
    """The clue of this cell is excluded."""

    cell: int
    value: int

    def says(self, say: Say, step: Step) -> str:
        others = [ground for ground in step.grounds or () if ground.fact != (self.cell, self.value)]
        return f"{self.failure(say)}, but {say.facts(others)}. {NO_ANSWER}"

    def failure(self, say: Say) -> str:
        return f"{say.cell[self.cell]} is given as {say.value(self.value)}"


class TooLittle(Fails[Say], technique="contradiction"):
    """The first group cannot get more than this one."""

    group: int

    def failure(self, say: Say) -> str:
        return f"the score of {say.group(0)} is not above that of {say.group(self.group)}"


class LockedSet(Found[Say]):
    """All places of a value in one unit lie in another: the rest of that one does not have it."""

    value: int
    unit: int
    other: int

    def says(self, say: Say, step: Step) -> str:
        unit, other, value = say.unit(self.unit), say.unit(self.other), say.value(self.value)
        given, so = say.given(step), say.so(step)
        return pick(
            say.voice,
            f"in {unit} the {value} must be in {other}{given}, so it is nowhere else in {other}: {so}",
            f"{unit} can have its {value} only where it crosses {other}{given}. So {so}",
            f"the {value} of {unit} lies in {other}, wherever exactly it goes{given}; {other} cannot have another: {so}",
        )

    def briefly(self, say: Say) -> str:
        return f"the {say.value(self.value)} of {say.unit(self.unit)} lies in {say.unit(self.other)}"

    def why(self, say: Say) -> str:
        return self.briefly(say)


class CommonPeer(Found[Say]):
    """Wherever the unit has the value, what is dropped conflicts with it."""

    value: int
    unit: int

    def says(self, say: Say, step: Step) -> str:
        unit, value, given, so = say.unit(self.unit), say.value(self.value), say.given(step), say.so(step)
        return pick(
            say.voice,
            f"wherever {value} goes in {unit}{given}, {so}",
            f"every place for {value} that is left in {unit}{given} rules out the same: {so}",
            f"{so}, since {value} must go somewhere in {unit}{given}, and every place there excludes it",
        )

    def why(self, say: Say) -> str:
        return f"every place for {say.value(self.value)} in {say.unit(self.unit)} excludes it"


class NeighbourValues(Found[Say]):
    """Every value of a cell excludes what is dropped next to it."""

    cell: int
    values: tuple[int, ...]

    def says(self, say: Say, step: Step) -> str:
        cell, given, so = say.cell[self.cell], say.given(step), say.so(step)
        values = listed([say.value(v) for v in self.values], "or")
        return pick(
            say.voice,
            f"{cell} can only be {values}{given}, and numbers next to each other never differ by 1: so {so}",
            f"{cell} is {values}{given}. Whichever it is, {so}",
            f"because {cell} must be {values}{given}, the cells beside it are limited: {so}",
        )

    def why(self, say: Say) -> str:
        return f"{say.cell[self.cell]} is {listed([say.value(v) for v in self.values], 'or')}"


class NakedPair(Found[Say]):
    """As many cells of a unit as values that they have: no other cell of the unit has them."""

    unit: int
    cells: tuple[int, ...]
    values: tuple[int, ...]

    def says(self, say: Say, step: Step) -> str:
        where, what, unit = say.cells(self.cells), say.values(self.values), say.unit(self.unit)
        given, so = say.given(step), say.so(step)
        return pick(
            say.voice,
            f"{where} in {unit} can hold only {what}{given}, so they take these {say.noun}s between them: {so}",
            f"{what} must fill {where} in {unit}, for which nothing else is left{given}. So {so}",
            f"in {unit}, {where} share out {what} among themselves{given}; other cells cannot have these: {so}",
        )

    def why(self, say: Say) -> str:
        return f"{say.cells(self.cells)} hold {say.values(self.values)} between them"


class NakedTriple(NakedPair):
    """The same with three."""


class NakedQuad(NakedPair):
    """The same with four."""


class HiddenPair(Found[Say]):
    """As many values of a unit as cells that have them: these cells have no others."""

    unit: int
    cells: tuple[int, ...]
    values: tuple[int, ...]

    def says(self, say: Say, step: Step) -> str:
        where, what, unit = say.cells(self.cells), say.values(self.values), say.unit(self.unit)
        given, so = say.given(step), say.so(step)
        return pick(
            say.voice,
            f"in {unit} the {say.noun}s {what} can only go to {where}{given}, which {say.less}: {so}",
            f"{where} are the only cells for {what} in {unit}{given}, so they {say.less}: {so}",
            f"{unit} has room for {what} only at {where}{given}. These cells {say.less}: {so}",
        )

    def why(self, say: Say) -> str:
        return f"{say.values(self.values)} of {say.unit(self.unit)} are in {say.cells(self.cells)}"


class HiddenTriple(HiddenPair):
    """The same with three."""


class HiddenQuad(HiddenPair):
    """The same with four."""


class ScoreBounds(Found[Say]):
    """The first group's sum can be `most` and this group's `least`, by the values that they hold: the first must be greater."""

    group: int
    most: int
    least: int

    def says(self, say: Say, step: Step) -> str:
        first, so = say.group(0), say.so(step)
        then = f"so that {first} gets the higher score, {so}" if so else "so there is no answer"
        other = f"{say.group(self.group)} at least {self.least}"
        return f"{first} can score at most {self.most} and {other}{say.given(step)}; {then}"

    def why(self, say: Say) -> str:
        return f"{say.group(0)} must get the higher score than {say.group(self.group)}"


class ScoreSums(ScoreBounds):
    """The same by the candidates of the groups' cells."""


class XWing(Found[Say]):
    """All places of a value in some rows lie in as many columns: these have it nowhere else. across: columns and rows."""

    value: int
    across: bool
    base: tuple[int, ...]
    cover: tuple[int, ...]

    def says(self, say: Say, step: Step) -> str:
        lines, crossing = ("columns", "rows") if self.across else ("rows", "columns")
        base, cover = (listed([str(k + 1) for k in each]) for each in (self.base, self.cover))
        places = f"in {lines} {base} the {say.value(self.value)} can only go to {crossing} {cover}"
        return f"{places}{say.given(step)}, so it stands nowhere else in these {crossing}: {say.so(step)}"

    def why(self, say: Say) -> str:
        lines, crossing = ("columns", "rows") if self.across else ("rows", "columns")
        base, cover = (listed([str(k + 1) for k in each]) for each in (self.base, self.cover))
        return f"{say.value(self.value)} in {lines} {base} lies in {crossing} {cover}"


class Swordfish(XWing):
    """The same with three lines."""


class Jellyfish(XWing):
    """The same with four lines."""


class XYWing(Found[Say]):
    """Whatever the pivot holds, one of the pincers has the value."""

    pivot: int
    pincers: tuple[int, int]
    value: int

    def ends(self) -> tuple[int, ...]:
        """The cells of which one has the value."""
        return self.pincers

    def says(self, say: Say, step: Step) -> str:
        cells = listed([f"{say.cell[i]} is {say.left(step, i)}" for i in (self.pivot, *self.pincers)])
        return f"{cells}{say.given(step)}. Whatever {say.cell[self.pivot]} holds, {self.why(say)}: {say.so(step)}"

    def why(self, say: Say) -> str:
        return f"one of {say.cells(self.ends())} is {say.value(self.value)}"


class XYZWing(XYWing):
    """The same, where the pivot may have the value too."""

    def ends(self) -> tuple[int, ...]:
        return (self.pivot, *self.pincers)


class WWing(Found[Say]):
    """Two cells have the same two values, and wherever the unit has the first, one of them has the second."""

    cells: tuple[int, int]
    unit: int
    values: tuple[int, int]

    def says(self, say: Say, step: Step) -> str:
        (i, j), (a, b) = self.cells, self.values
        makes = f"it makes {say.cell[i]} or {say.cell[j]} {say.value(b)}"
        only = f"{say.cells(self.cells)} can only be {say.value(a)} or {say.value(b)}"
        return f"{only}, and wherever {say.value(a)} goes in {say.unit(self.unit)}, {makes}{say.given(step)}: {say.so(step)}"

    def why(self, say: Say) -> str:
        return f"one of {say.cells(self.cells)} is {say.value(self.values[1])}"


class Chain(Found[Say]):
    """If the first fact is false the second is true, if that is true the third is false, and so on: the first or the last is
    true. A chain that returns to its first fact proves that one.
    """

    facts: tuple[Fact, ...]

    def says(self, say: Say, step: Step) -> str:
        """ "If r1c2 is not 3, then r1c7 is 3, so r4c7 is not 3, so r4c1 is 3; one of the two ends is true. So r4c2 is not 3" """
        first, *links = [f"{say.cell[i]} is{'' if at % 2 else ' not'} {say.value(v)}" for at, (i, v) in enumerate(self.facts)]
        story = f"if {first}, then {', so '.join(links)}"
        given = say.given(step, ". For this: ", "")
        if step.sets:
            return f"{story} after all. So {links[-1]}{given}"
        return f"{story}. So {self.why(say)}; either way {say.so(step)}{given}"

    def why(self, say: Say) -> str:
        (i, v), (j, w) = self.facts[0], self.facts[-1]
        return f"{say.cell[i]} is {say.value(v)} or {say.cell[j]} is {say.value(w)}"


class XChain(Chain):
    """A chain of one value."""


class XYChain(Chain):
    """A chain from cell to cell, each with two values."""


class LookAhead(Found[Say]):
    """Supposing this forces the steps `within` (singles, locked sets), of which the last fails."""

    cell: int
    value: int

    def says(self, say: Say, step: Step) -> str:
        *parts, last = step.within
        supposed = f"suppose {say.cell[self.cell]} {say.supposed} {say.value(self.value)}"
        sentences = [supposed, say.story(parts).removesuffix(".")] if parts else [supposed]
        given = "" if say.brief else say.given(last, ": ", "")
        return ". ".join([*sentences, f"But then {last.found.failure(say)}{given}", f"So {say.so(step)}"])

    def why(self, say: Say) -> str:
        return "supposing it led to a contradiction"


class Supposed(Found[Say]):
    """A value that is tried, for the words of it alone; no step of a trace."""

    def says(self, say: Say, step: Step) -> str:
        return say.filled(step.sets)


class TakenBack(Found[Say]):
    """A value that was tried, once that has ended in a contradiction."""

    def says(self, say: Say, step: Step) -> str:
        return say.so(step)


class Search(Found[Say]):
    """Nothing else leads on."""

    def says(self, say: Say, step: Step) -> str:
        stuck = "None of the usual techniques leads on. Going through all possibilities"
        if not step.sets:
            return f"{stuck} shows that there is no answer"
        return f"{stuck} leaves one way {say.others}{f': {say.sets(step)}' if say.brief < 3 else ''}"


NAKED: dict[int, type[NakedPair]] = {2: NakedPair, 3: NakedTriple, 4: NakedQuad}
HIDDEN: dict[int, type[HiddenPair]] = {2: HiddenPair, 3: HiddenTriple, 4: HiddenQuad}
FISH: dict[int, type[XWing]] = {2: XWing, 3: Swordfish, 4: Jellyfish}
TECHNIQUES = tiers(
    [FullLine, HiddenSingle, NakedSingle, NoValue],  # NoValue for all contradictions
    [LockedSet, CommonPeer, NeighbourValues],
    [NakedPair, HiddenPair, NakedTriple, HiddenTriple, NakedQuad, HiddenQuad, ScoreBounds],
    [ScoreSums, XWing, XYWing, Swordfish, XYZWing, WWing, Jellyfish],
    [XChain, XYChain, Chain],
    [LookAhead],
    [Search],
)
