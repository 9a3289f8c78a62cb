"""Findings of deduction in Latin grids (latin.py), each with its sentence; sight.py builds on both.

Units are numbered as rows (0..n-1), columns (n..2n-1), then the table's units. Sentences need value, noun and unit (of the
table's units) of Words.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import TypeVar

from puzzlemill.core.model import Fact, LatinTable, Step
from puzzlemill.core.words import Words, capital, listed
from puzzlemill.solvers.deduce.steps import Found, tiers


class Say:
    """How findings in one grid are described; other tables with Latin lines have other words for some of it (sight.py)."""

    less = "hold nothing else"  # of cells that share out some values
    supposed = "held"
    others = "to fill the other cells"

    def __init__(self, words: Words, table: LatinTable) -> None:
        self.words, self.table, self.n = words, table, table.n
        self.cell = [f"r{i // self.n + 1}c{i % self.n + 1}" for i in range(self.n * self.n)]
        self.value, self.noun = words.value, words.noun
        self.no_other = f"hold no {self.noun}"

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
            [f"{self.cells(i)} {'is' if len(i) == 1 else 'are'} not {' or '.join(values)}" for i, values in lost.items()]
        )

    def because(self, step: Step, but: str = "") -> str:
        """ "because of r1c4, r5c5 and step 7, ": what a step uses but for the rules on rows, columns and other units."""
        names = [f"step {use[1:]}" if use.startswith("#") else use for use in step.uses if use not in (but, *self.table.labels)]
        names = [name for name in names if name not in ("row", "column", "nonconsecutive", "max_box")]
        names += ["the rule on neighbours"] if "nonconsecutive" in step.uses else []
        return f"because of {listed(names)}, " if names else ""

    def story(self, steps: Sequence[Step]) -> str:
        """The steps that a supposition forces, before what fails."""
        return f"{', '.join([self.sets(step) or step.found.briefly(self) for step in steps])} would follow, and then "

    def begins(self, text: str) -> str:
        """The text with a capital letter first; a cell's name stays as it is."""
        return text if text[:1] == "r" and text[1:2].isdigit() else capital(text)

    def sentence(self, step: Step) -> str:
        return f"{self.begins(step.found.says(self, step))}."


L = TypeVar("L", bound=Say)
NO_ANSWER = "So there is no answer"


class FullLine(Found[Say]):
    """A unit has one empty cell."""

    unit: int

    def says(self, say: Say, step: Step) -> str:
        ((i, v),) = step.sets
        return f"{say.cell[i]} is the last empty cell of {say.unit(self.unit)}, so {say.holds(i, v)}"


class HiddenSingle(Found[Say]):
    """A unit has one place for a value."""

    unit: int

    def says(self, say: Say, step: Step) -> str:
        ((i, v),) = step.sets
        return f"{say.because(step)}the only place left for {say.value(v)} in {say.unit(self.unit)} is {say.cell[i]}"


class NakedSingle(Found[Say]):
    """A cell has one value left."""

    def says(self, say: Say, step: Step) -> str:
        ((i, v),) = step.sets
        return f"{say.because(step)}{say.cell[i]} can {say.no_other} but {say.value(v)}"


class Fails(Found[L], technique="contradiction"):
    """A contradiction; a subclass for each sort."""

    def says(self, say: L, step: Step) -> str:
        return f"{say.because(step)}{self.failure(say)}. {NO_ANSWER}"

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

    def says(self, say: Say, step: Step) -> str:  # the failure names the cell itself
        return f"{say.because(step, but=say.cell[self.cell])}{self.failure(say)}. {NO_ANSWER}"

    def failure(self, say: Say) -> str:
        return f"{say.cell[self.cell]}, where {say.value(self.value)} stands, cannot hold it"


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
        other = say.unit(self.other)
        places = f"{say.value(self.value)} in {say.unit(self.unit)} can only go where it crosses {other}"
        return f"{say.because(step)}{places}, so nowhere else in {other}: {say.so(step)}"

    def briefly(self, say: Say) -> str:
        return f"{say.value(self.value)} in {say.unit(self.unit)} only where it crosses {say.unit(self.other)}"


class CommonPeer(Found[Say]):
    """Wherever the unit has the value, what is dropped conflicts with it."""

    value: int
    unit: int

    def says(self, say: Say, step: Step) -> str:
        return f"{say.because(step)}wherever {say.value(self.value)} goes in {say.unit(self.unit)}, {say.so(step)}"


class NeighbourValues(Found[Say]):
    """Every value of a cell excludes what is dropped next to it."""

    cell: int

    def says(self, say: Say, step: Step) -> str:
        return f"{say.because(step)}whatever {say.cell[self.cell]} holds, {say.so(step)}"


class NakedPair(Found[Say]):
    """As many cells of a unit as values that they have: no other cell of the unit has them."""

    unit: int
    cells: tuple[int, ...]
    values: tuple[int, ...]

    def says(self, say: Say, step: Step) -> str:
        where, what = say.cells(self.cells), say.values(self.values)
        return f"{say.because(step)}{where} in {say.unit(self.unit)} share out {what} among themselves: {say.so(step)}"


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
        places = f"{say.values(self.values)} in {say.unit(self.unit)} can only go in {say.cells(self.cells)}"
        return f"{say.because(step)}{places}, which {say.less}: {say.so(step)}"


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
        other = f"{say.group(self.group)} {self.least} at least"
        return f"{say.because(step)}{first} can score {self.most} at most and {other}; {then}"


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
        places = f"{say.value(self.value)} in {lines} {base} can only go in {crossing} {cover}"
        return f"{say.because(step)}{places}, so in these it goes nowhere else: {say.so(step)}"


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
        one = f"one of {say.cells(self.ends())} is {say.value(self.value)}"
        return f"{say.because(step)}whatever {say.cell[self.pivot]} holds, {one}: {say.so(step)}"


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
        return f"{say.because(step)}wherever {say.value(a)} goes in {say.unit(self.unit)}, {makes}: {say.so(step)}"


class Chain(Found[Say]):
    """If the first fact is false the second is true, if that is true the third is false, and so on: the first or the last is
    true. A chain that returns to its first fact proves that one.
    """

    facts: tuple[Fact, ...]

    def says(self, say: Say, step: Step) -> str:
        """ "If r1c2 is not 3, then r1c7 is 3, so r4c7 is not 3, so r4c1 is 3; one of the two ends is true. So r4c2 is not 3" """
        first, *links = [f"{say.cell[i]} is{'' if at % 2 else ' not'} {say.value(v)}" for at, (i, v) in enumerate(self.facts)]
        story = f"{say.because(step)}if {first}, then {', so '.join(links)}"
        return f"{story} after all. So {links[-1]}" if step.sets else f"{story}; one of the two ends is true. So {say.so(step)}"


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
        then = say.story(parts) if parts else ""
        supposed = f"suppose {say.cell[self.cell]} {say.supposed} {say.value(self.value)}"
        return f"{say.because(step)}{supposed}: {then}{last.found.failure(say)}. So {say.so(step)}"


class Search(Found[Say]):
    """Nothing else leads on."""

    def says(self, say: Say, step: Step) -> str:
        stuck = "None of the usual techniques leads on. Going through all possibilities"
        if not step.sets:
            return f"{stuck} shows that there is no answer"
        return f"{stuck} leaves one way {say.others}: {say.sets(step)}"


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
