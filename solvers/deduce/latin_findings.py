"""Findings of deduction in Latin grids (latin.py), each with its sentence; sight.py builds on both.

Units are numbered as rows (0..n-1), columns (n..2n-1), then the table's units. Sentences need value, noun, unit (of the
table's units) and voice of Words. They restate the facts that their steps lean on (Step.grounds), by the units through which
these count; one that gets too long leaves out first the cells of these facts, then the facts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from puzzlemill.core.model import Fact, Ground, LatinTable, Step
from puzzlemill.core.words import Words, capital, listed, pick
from puzzlemill.solvers.deduce.candidates import FILLED, ITSELF, NEIGHBOUR
from puzzlemill.solvers.deduce.steps import Found, tiers

LONGEST = 600  # characters of a sentence that tells all facts
AT_EACH = 12  # facts of a unit that are named with their cells
NAMED = 4  # reasons of earlier steps that are named in a sentence


class Filled(NamedTuple):
    """Why a cell does not have a value: it is filled with another, which the board shows."""

    value: int


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
        self.brief = 0  # 1: facts in short; 2: no facts; 3: no placements of a supposition, of a search

    def cells(self, cells: Iterable[int]) -> str:
        return listed([self.cell[i] for i in cells])

    def values(self, values: Iterable[int]) -> str:
        return listed([self.value(v) for v in values])

    def unit(self, u: int) -> str:
        n = self.n
        return f"row {u + 1}" if u < n else f"column {u - n + 1}" if u < 2 * n else self.words.unit(u - 2 * n)

    def within(self, u: int) -> str:
        """ "in row 4", "on the diagonal from ..."."""
        unit = self.unit(u)
        return f"{'on' if unit.startswith('the diagonal') else 'in'} {unit}"

    def group(self, k: int) -> str:
        """The unit that one of the table's heaviest groups is."""
        return self.words.unit(self.table.units.index(self.table.heaviest[k]))

    def holds(self, i: int, v: int) -> str:
        return f"it holds {self.value(v)}"

    def sets(self, step: Step) -> str:
        return ", ".join([f"{self.cell[i]} = {self.value(v)}" for i, v in step.sets])

    def places(self, step: Step, unit: int, v: int) -> str:
        """The cells of a unit where a value can be by the facts of a step, which rule the rest out."""
        gone = self.gone(step)
        return listed([self.cell[i] for i in self.members(unit) if (i, v) not in gone], "or")

    def link(self, false: Fact, true: Fact, gone: Collection[Fact]) -> str:
        """Why the second fact is true if the first is false: "no other cell in row 1", "nothing else is left there"."""
        (i, v), (j, w) = false, true
        if i == j:
            return f"the only other {self.noun} left there"
        for u in range(2 * self.n + len(self.table.units)):
            cells = self.members(u)
            if i in cells and j in cells and all(k in (i, j) or (k, v) in gone for k in cells):
                return f"the only other cell for {self.value(w)} {self.within(u)}"
        raise AssertionError("a link leans on the facts of its step")

    def members(self, u: int) -> Sequence[int]:
        n = self.n
        lines = (range(n * u, n * u + n), range(u - n, n * n, n))
        return lines[u >= n] if u < 2 * n else self.table.units[u - 2 * n]

    def so(self, step: Step) -> str:
        """ "r1c2 and r1c3 are not 5 or 6": what a step drops."""
        losers: dict[int, list[int]] = {}
        for i, v in step.drops:
            losers.setdefault(v, []).append(i)
        lost: dict[tuple[int, ...], list[str]] = {}
        for v, cells in sorted(losers.items()):
            lost.setdefault(tuple(cells), []).append(self.value(v))
        return listed(
            [f"{self.cells(i)} {'is' if len(i) == 1 else 'are'} not {listed(values, 'or')}" for i, values in lost.items()]
        )

    def facts(self, grounds: Sequence[Ground] | None, others: str = "", within: bool | None = None) -> str:
        """Facts as clauses. Of what a cell can hold, by units: "row 4 has 3 at r4c3, and r6c1 is not 3, since ..."; of places for
        a value, by what rules them out: "the 3 at r4c3 rules out r4c1 and r6c3, and the other cells of row 5 are filled".

        others: the cells beside those that are named, if they are filled; "" to name these too. within: by units; None: if fewer
        cells than values are ruled out.
        """
        grounds = grounds or ()
        gone = [absent for ground in grounds for absent in ([absent for absent, _ in ground.out] or [ground.fact])]
        if within is None:
            within = len({i for i, _ in gone}) < len({v for _, v in gone})
        units: dict[int, list[Fact]] = {}
        causes: list[tuple[Fact, list[tuple[int, int]]]] = []  # a fact, the cells that it rules out and how
        itself: list[Fact] = []
        beside: list[str] = []
        lost: dict[Any, list[Fact]] = {}
        filled: dict[int, None] = {}  # cells that go without saying
        for ground in grounds:
            ways = [way for _, way in ground.out]
            out = [(absent[0], way) for absent, way in ground.out if way >= 0 or (way == FILLED and not others)]
            filled.update(dict.fromkeys([absent[0] for absent, way in ground.out if way in (ITSELF, FILLED)]))
            if isinstance(ground.by, Filled):
                itself.append((ground.fact[0], ground.by.value))
                filled[ground.fact[0]] = None
            elif not ground.holds:
                lost.setdefault(None if self.brief else ground.by, []).append(ground.fact)
            elif NEIGHBOUR in ways:
                near = [absent for absent, way in ground.out if way == NEIGHBOUR]
                beside.append(f"{self.filled([ground.fact])}, so beside it {self.ruled_out(near)}")
            elif not [way for way in ways if way != ITSELF]:
                itself.append(ground.fact)
            unit = self.through(ground.fact[0], out) if within else None
            if unit is not None:
                units.setdefault(unit, []).append(ground.fact)
            elif out:
                causes.append((ground.fact, out))
        clauses = [f"{self.unit(u)} has {self.placed(facts)}" for u, facts in units.items()]
        if self.brief and len(causes) > 1 and len({v for (_, v), _ in causes}) == 1:
            # the values are named once, and not what each of them rules out
            cells = self.cells(sorted([i for (i, _), _ in causes]))
            clauses.append(f"{self.value(causes[0][0][1])} at {cells} rules out {'others' if lost else 'the rest'}")
        else:
            several = not others or len({v for _, v in gone}) > 1
            clauses += [self.rules_out(*cause, several) for cause in causes]
        clauses += beside
        clauses += self.dropped(lost)
        if others and (len(filled) > len(itself) or len(set(itself)) > 2):
            name = "the diagonal" if others.startswith("the diagonal from") else others
            clauses.append(f"the other cells of {name} are filled" if len(filled) > 1 else f"the other cell of {name} is filled")
        elif itself:
            clauses.append(self.filled(dict.fromkeys(itself)))
        return _joined(clauses)

    def through(self, i: int, out: Sequence[tuple[int, int]]) -> int | None:
        """A unit that has the cell and all that it rules out: how it does so, or a row, or a column."""
        ways = [way for _, way in out if way >= 0]
        for unit in (*ways, i // self.n, self.n + i % self.n) if ways else ():
            if all(j in self.members(unit) for j, _ in out):
                return unit
        return None

    def rules_out(self, fact: Fact, out: Sequence[tuple[int, int]], several: bool) -> str:
        """ "the 3 at r4c3 rules out r4c1 and r6c3, and r5c2 in box 4": units that are no lines are named. several: values."""
        i, v = fact
        ways: dict[str, list[int]] = {}
        apart = [each for each in out if each[1] >= 0 and i // self.n != each[0] // self.n and i % self.n != each[0] % self.n]
        unit = self.through(i, out) if apart else None
        for j, way in sorted(out):
            name = self.unit(way if unit is None else unit) if unit is not None or (j, way) in apart else ""
            ways.setdefault(
                "on the same diagonal" if name.startswith("the diagonal") else f"in {name}" if name else "", []
            ).append(j)
        if len(ways) > 1 and "" in ways:
            near = ways.pop("")
            row = [j for j in near if j // self.n == i // self.n]
            rest = [j for j in near if j not in row]
            ways = {**({"in the same row": row} if row else {}), **({"in the same column": rest} if rest else {}), **ways}
        parts = [f"{self.cells(cells)} {where}".rstrip() for where, cells in ways.items()]
        rules_out = f"rules out {f'{self.value(v)} at ' if several else ''}"
        return f"the {self.value(v)} at {self.cell[i]} {rules_out}{', and '.join(parts)}"

    def placed(self, facts: Sequence[Fact]) -> str:
        """ "3 at r4c3 and 5 at r4c7", in the order of the board; of many, the values alone."""
        if self.brief or len(facts) > AT_EACH:
            return self.values(sorted([v for _, v in facts]))
        return listed([f"{self.value(v)} at {self.cell[i]}" for i, v in sorted(facts)])

    def filled(self, facts: Iterable[Fact]) -> str:
        """ "r5c2 is 7 and r6c1 is 2"."""
        return listed([f"{self.cell[i]} is {self.value(v)}" for i, v in sorted(facts)])

    def dropped(self, lost: dict[Any, list[Fact]]) -> list[str]:
        """Clauses about what earlier steps have ruled out, by their findings; more than a few of these are not named."""
        if len(lost) > NAMED:
            return [f"{self.ruled_out([fact for facts in lost.values() for fact in facts])}, as found before"]
        causes: dict[str, list[Fact]] = {}  # by their words
        for by, facts in lost.items():
            reason = "" if by is None else by.why(self)
            causes.setdefault("" if self.brief else f", since {reason}" if reason else ", as found above", []).extend(facts)
        return [f"{self.ruled_out(facts)}{why}" for why, facts in causes.items()]

    def ruled_out(self, facts: Sequence[Fact]) -> str:
        """ "r6c1 is not 3": what an earlier step has ruled out."""
        return self.so(Step("", (), drops=tuple(sorted(facts))))

    def left(self, step: Step, i: int) -> str:
        """ "2 or 6": what a cell can hold by the facts of a step, which rule the rest out."""
        gone = self.gone(step)
        return listed([self.value(v) for v in range(self.n) if (i, v) not in gone], "or")

    def gone(self, step: Step) -> set[Fact]:
        """The candidates that the facts of a step rule out."""
        return {absent for ground in step.grounds or () for absent in ([fact for fact, _ in ground.out] or [ground.fact])}

    def given(self, step: Step, before: str = ": ", after: str = "", others: str = "") -> str:
        """What the step restates, between these; "" for nothing. others: as in facts()."""
        facts = "" if self.brief > 1 else self.facts(step.grounds, others)
        return f"{before}{facts}{after}" if facts else ""

    def part(self, step: Step, about: Callable[[Fact], bool], others: str = "", before: str = ": ", after: str = "") -> str:
        """What the step restates of some absences, between these; "" for nothing."""
        kept = []
        for ground in step.grounds or ():
            out = tuple([each for each in ground.out if about(each[0])])
            if out or (not ground.holds and about(ground.fact)):
                kept.append(ground._replace(out=out))
        facts = "" if self.brief > 1 else self.facts(kept, others)
        return f"{before}{facts}{after}" if facts else ""

    def of(self, step: Step, i: int) -> str:
        """What the step restates of one cell, " (row 1 has ...)"."""
        return self.part(step, lambda fact: fact[0] == i, before=" (", after=")")

    def shortly(self, step: Step) -> str:
        """Why a cell of a unit is the only one for a value, " (2 at r1c2 and r4c5; r6c7 is not 2)"; other cells are filled."""
        grounds = [ground for ground in step.grounds or () if not isinstance(ground.by, Filled)] if self.brief == 1 else []
        cells = [
            ground.fact[0] for ground in grounds if ground.holds and any(way not in (ITSELF, FILLED) for _, way in ground.out)
        ]
        ((_, v),) = step.sets
        parts = [f"{self.value(v)} at {self.cells(sorted(cells))}"] if cells else []
        lost = [ground.fact for ground in grounds if not ground.holds]
        parts += [f"{self.ruled_out(lost)}, as found above"] if lost else []
        return f" ({'; '.join(parts)})" if parts else ""

    def sees(self, i: int, j: int) -> bool:
        """Return whether two cells share a unit."""
        return any(i in self.members(u) and j in self.members(u) for u in range(2 * self.n + len(self.table.units)))

    def limited(self, step: Step, i: int) -> str:
        """ "r1c2 is 2 or 6 (row 1 has ...)": what a cell can hold."""
        return f"{self.cell[i]} is {self.left(step, i)}{self.of(step, i)}"

    def story(self, steps: Sequence[Step]) -> str:
        """The steps that a supposition forces, before what fails."""
        if not self.brief:
            voice, self.voice = self.voice, 0  # one wording, which goes with "then"
            parts = [f"Then {step.found.says(self, step)}." for step in steps]
            self.voice = voice
            return " ".join(parts)
        if self.brief == 3:
            return f"Then {len(steps)} conclusions follow, one from another."
        runs: list[tuple[str, list[str]]] = []  # what follows in the same unit, one after the other
        for step in steps:
            where = step.found.kind(self) if step.sets else ""
            if where and runs and runs[-1][0] == where:
                runs[-1][1].append(step.found.briefly(self, step))
            else:
                runs.append((where, [step.found.briefly(self, step)]))
        told = []
        for where, (first, *rest) in runs:
            first = f"{where} only {first.replace(' for ', ' is left for ')}" if where else first
            told.append(listed([first, *rest]))
        return f"Then {'; then '.join(told)}."

    def begins(self, text: str) -> str:
        """The text with a capital letter first; a cell's name stays as it is."""
        return text if text[:1] == "r" and text[1:2].isdigit() else capital(text)

    def sentence(self, step: Step) -> str:
        """The step in one or more sentences; facts are left out of it as far as it gets too long otherwise."""
        for self.brief in range(4):
            text = self.told(step)
            if len(text) <= LONGEST:
                break
        return text

    def told(self, step: Step) -> str:
        return f"{self.begins(step.found.says(self, step))}."


def _joined(clauses: Sequence[str]) -> str:
    """Clauses in a row, with semicolons if there are commas in them."""
    if len(clauses) > 2 and any("," in clause or " and " in clause for clause in clauses):
        return f"{'; '.join(clauses[:-1])}; and {clauses[-1]}"
    if len(clauses) == 2 and any(", " in clause for clause in clauses):
        return "; and ".join(clauses)
    return f"{', '.join(clauses[:-1])}, and {clauses[-1]}" if len(clauses) > 2 else ", and ".join(clauses)


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
            f"only {cell} is still empty {say.within(self.unit)}, where {others} are placed, so {value} goes there",
            f"{unit} lacks only {value}, since it has {others}; so {cell} = {value}",
        )

    def kind(self, say: Say) -> str:
        return say.within(self.unit)

    def briefly(self, say: Say, step: Step) -> str:
        ((i, v),) = step.sets
        return f"{say.cell[i]} for {say.value(v)}"


class HiddenSingle(Found[Say]):
    """A unit has one place for a value."""

    unit: int

    def says(self, say: Say, step: Step) -> str:
        ((i, v),) = step.sets
        unit, cell, value = say.unit(self.unit), say.cell[i], say.value(v)
        given = say.given(step, "", others=unit)
        if not given:
            return f"{say.within(self.unit)}, {value} can only go to {cell}"
        return pick(
            say.voice,
            f"{say.within(self.unit)} the {value} can only go to {cell}: {given}",
            f"the {value} of {unit} must be at {cell}: {given}",
            f"{cell} is the only cell of {unit} that can take {value}: {given}",
            f"{say.within(self.unit)} only {cell} is left for the {value}: {given}",
            f"{unit} can have its {value} only at {cell}: {given}",
        )

    def kind(self, say: Say) -> str:
        return say.within(self.unit)

    def briefly(self, say: Say, step: Step) -> str:
        ((i, v),) = step.sets
        return f"{say.cell[i]} for {say.value(v)}{say.shortly(step)}"


class NakedSingle(Found[Say]):
    """A cell has one value left."""

    def says(self, say: Say, step: Step) -> str:
        ((i, v),) = step.sets
        cell, value, given = say.cell[i], say.value(v), say.given(step, "")
        if not given:
            return f"only {value} is left for {cell}"
        return pick(
            say.voice,
            f"for {cell} only {value} is left: {given}",
            f"{cell} can only be {value}: {given}",
            f"{cell} must be {value}: {given}",
            f"only {value} fits at {cell}: {given}",
        )

    def kind(self, say: Say) -> str:
        return ""

    def briefly(self, say: Say, step: Step) -> str:
        ((i, v),) = step.sets
        return f"{say.cell[i]} can only be {say.value(v)}{say.given(step, ' (', ')')}"


class Fails(Found[L], technique="contradiction"):
    """A contradiction; a subclass for each sort."""

    def says(self, say: L, step: Step) -> str:
        return f"{self.fails(say, step)}. {NO_ANSWER}"

    def fails(self, say: L, step: Step) -> str:
        """The contradiction at the end of a supposition, with the facts."""
        return f"{self.failure(say)}{say.given(step, others=self.others(say))}"

    @abstractmethod
    def failure(self, say: L) -> str:
        """The contradiction as a clause."""

    def others(self, say: L) -> str:
        """The unit whose other cells are filled."""
        return ""


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
        return f"{say.unit(self.unit)} has no cell left for {say.value(self.value)}"

    def others(self, say: Say) -> str:
        return say.unit(self.unit)


class Excluded(Fails[Say], technique="contradiction"):
    """The clue of this cell is excluded."""

    cell: int
    value: int

    def says(self, say: Say, step: Step) -> str:
        others = [ground for ground in step.grounds or () if ground.fact != (self.cell, self.value)]
        return f"{self.failure(say)}, but {say.facts(others, within=True)}. {NO_ANSWER}"

    def failure(self, say: Say) -> str:
        return f"{say.cell[self.cell]} is given as {say.value(self.value)}"


class TooLittle(Fails[Say], technique="contradiction"):
    """The first group cannot get more than this one."""

    group: int
    most: int
    least: int

    def failure(self, say: Say) -> str:
        return f"{say.group(0)} can score at most {self.most} and {say.group(self.group)} at least {self.least}"


class LockedSet(Found[Say]):
    """All places of a value in one unit lie in another: the rest of that one does not have it."""

    value: int
    unit: int
    other: int

    def says(self, say: Say, step: Step) -> str:
        unit, other, value = say.unit(self.unit), say.unit(self.other), say.value(self.value)
        given, so = say.given(step, others=f"{unit} outside {other}"), say.so(step)
        there = say.within(self.other)
        return pick(
            say.voice,
            f"{say.within(self.unit)} the {value} must be {there}{given}. So it is nowhere else {there}: {so}",
            f"{unit} can have its {value} only where it crosses {other}{given}. So the {value} of {other} is there too, and {so}",
            f"the {value} of {unit} lies {there}{given}. Since {other} has only one {value}, {so}",
        )

    def briefly(self, say: Say, step: Step) -> str:
        return f"{self.why(say)}, so {say.so(step)}"

    def why(self, say: Say) -> str:
        return f"the {say.value(self.value)} of {say.unit(self.unit)} lies {say.within(self.other)}"


class CommonPeer(Found[Say]):
    """Wherever the unit has the value, what is dropped conflicts with it."""

    value: int
    unit: int

    def says(self, say: Say, step: Step) -> str:
        unit, value, so = say.unit(self.unit), say.value(self.value), say.so(step)
        given, places, within = say.given(step, others=unit), say.places(step, self.unit, self.value), say.within(self.unit)
        if any(v != self.value for _, v in step.drops):
            return f"{within} the {value} must be at {places}{given}. Whichever it is, {so}"
        losers = listed([say.cell[i] for i, _ in step.drops], "or")
        return pick(
            say.voice,
            f"{within} the {value} must be at {places}{given}. Each of these places rules out a {value} at {losers}: {so}",
            f"{unit} has its {value} at {places}{given}. Whichever it is, there can be no {value} at {losers}: {so}",
            f"the {value} of {unit} goes to {places}{given}. Each place excludes a {value} from {losers}: {so}",
        )

    def why(self, say: Say) -> str:
        return f"wherever the {say.value(self.value)} of {say.unit(self.unit)} stands, it rules that out"


class NeighbourValues(Found[Say]):
    """Every value of a cell excludes what is dropped next to it."""

    cell: int
    values: tuple[int, ...]

    def says(self, say: Say, step: Step) -> str:
        cell, given, so = say.cell[self.cell], say.given(step), say.so(step)
        values = listed([say.value(v) for v in self.values], "or")
        return pick(
            say.voice,
            f"{cell} can only be {values}{given}. Next to it no number is the same or differs by 1, so {so}",
            f"{cell} is {values}{given}. Whichever it is, {so}",
            f"only {values} can be at {cell}{given}. In each case {so}",
        )

    def why(self, say: Say) -> str:
        return f"{say.cell[self.cell]} is {listed([say.value(v) for v in self.values], 'or')}"


class NakedPair(Found[Say]):
    """As many cells of a unit as values that they have: no other cell of the unit has them.

    units: those that hold all of these cells, and other cells that could have these values.
    """

    units: tuple[int, ...]
    cells: tuple[int, ...]
    values: tuple[int, ...]

    def says(self, say: Say, step: Step) -> str:
        where, what, within = say.cells(self.cells), say.values(self.values), listed([say.within(u) for u in self.units])
        given, so = say.given(step), say.so(step)
        if len(self.cells) == 2 and given:
            left = listed([say.value(v) for v in self.values], "or")
            first, second = [f"{say.cell[i]}{{}}{say.of(step, i)}" for i in self.cells]
            both = f"{first.format(f' can only be {left}')}, and {second.format(' too')}"
            return pick(
                say.voice,
                f"{within}, {both}. So they take these {say.noun}s between them, and {so}",
                f"{within}, {both}. No other cell there can have these, so {so}",
                f"{within}, {both}. These two cells use the {say.noun}s up: {so}",
            )
        return pick(
            say.voice,
            f"{where} {within} can hold only {what}{given}. So they take these {say.noun}s between them, and {so}",
            f"{within}, {where} must be {what} in some order{given}. No other cell there can have these, so {so}",
            f"only {what} are left for {where} {within}{given}. These cells use them up: {so}",
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
        given, so = say.given(step, others=unit), say.so(step)
        return pick(
            say.voice,
            f"{say.within(self.unit)} the {say.noun}s {what} can only go to {where}{given}. So these cells {say.less}: {so}",
            f"{where} are the only cells for {what} {say.within(self.unit)}{given}. They {say.less}, so {so}",
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
        return f"{first} can score at most {self.most} and {other}{say.given(step, ' (', ')')}; {then}"

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
        v, so, given = say.value(self.value), say.so(step), say.given(step, others=f"these {lines}")
        few = "both" if len(self.base) == 2 else "all of these"
        return pick(
            say.voice,
            f"in {lines} {base} the {v} can only go to {crossing} {cover}{given}. So they have the {v} of {few} {crossing}: {so}",
            f"{lines} {base} have their {v}s in {crossing} {cover}{given}. Those are all the {v}s of these {crossing}, so {so}",
            f"only {crossing} {cover} are left for the {v}s of {lines} {base}{given}. These {crossing} have no other {v}: {so}",
        )

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
        gone, pivot, so, value = say.gone(step), say.cell[self.pivot], say.so(step), say.value(self.value)
        cells = [say.limited(step, i) for i in (self.pivot, *self.pincers)]
        cases: list[str] = []
        for v in range(say.n):
            if v != self.value and (self.pivot, v) not in gone:
                pincer = next(i for i in self.pincers if (i, v) not in gone)
                cases.append(f"if {'it' if cases else pivot} is {say.value(v)}, then {say.cell[pincer]} is {value}")
        told = f"{'; '.join(cases)}{f'; or else {pivot} is {value} itself' if self.pivot in self.ends() else ''}"
        known = "; ".join(cells) if any("(" in each for each in cells) else listed(cells)
        return pick(
            say.voice,
            f"{known}. {capital(told)}. In every case {so}",
            f"{known}. {capital(told)}. Whatever {pivot} holds, {so}",
            f"{known}. {capital(told)}. So one of {say.cells(self.ends())} is {value}, and {so}",
        )

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
        unit, so, first, second = say.unit(self.unit), say.so(step), say.value(a), say.value(b)
        within = say.within(self.unit)
        members, gone = say.members(self.unit), say.gone(step)
        each = "; ".join([say.limited(step, k) for k in (i, j)])
        low, high = [k for k in members if (k, a) not in gone]
        if not (say.sees(low, i) and say.sees(high, j)):
            low, high = high, low
        places = listed([say.cell[k] for k in sorted((low, high))], "or")
        given = say.part(step, lambda fact: fact[1] == a and fact[0] in members, others=unit)
        told = f"if it is at {say.cell[low]}, {say.cell[i]} is {second}; if at {say.cell[high]}, {say.cell[j]} is {second}"
        return pick(
            say.voice,
            f"{each}. {capital(within)} the {first} must be at {places}{given}. {capital(told)}. Either way {so}",
            f"{within} the {first} can only go to {places}{given}. {say.begins(each)}. {capital(told)}. So {so}",
        )

    def why(self, say: Say) -> str:
        return f"one of {say.cells(self.cells)} is {say.value(self.values[1])}"


class Chain(Found[Say]):
    """If the first fact is false the second is true, if that is true the third is false, and so on: the first or the last is
    true. A chain that returns to its first fact proves that one.
    """

    facts: tuple[Fact, ...]

    def says(self, say: Say, step: Step) -> str:
        """ "If r1c2 is not 3, then r1c7 is 3 (by row 1), so r4c7 is not 3, so r4c1 is 3 (by row 4)"; one of the ends is true."""
        facts, gone = self.facts, say.gone(step)
        first, *links = [f"{say.cell[i]} is{'' if at % 2 else ' not'} {say.value(v)}" for at, (i, v) in enumerate(facts)]
        whys = [say.link(facts[at], facts[at + 1], gone) if at % 2 == 0 else "" for at in range(len(links))]
        told = [f"{link} ({why})" if why else link for link, why in zip(links, whys, strict=True)]
        story = f"if {first}, then {', so '.join(told)}"
        given = say.given(step, ". For this: ", others="the units named")
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
        brief, say.brief = say.brief, 0 if say.brief == 1 else say.brief
        fails = last.found.fails(say, last)
        say.brief = brief
        return ". ".join([*sentences, f"But then {fails}", f"So {say.so(step)}"])

    def why(self, say: Say) -> str:
        return "supposing it led to a contradiction"


class Supposed(Found[Say]):
    """A value that is tried, for the words of it alone; no step of a trace."""

    def says(self, say: Say, step: Step) -> str:
        return say.filled(step.sets)


class TakenBack(Found[Say]):
    """A value that was tried, once that has ended in a contradiction: its cell holds the only other value that is left."""

    value: int
    grounds: tuple[Ground, ...]  # why no other is

    def says(self, say: Say, step: Step) -> str:
        ((i, v),) = step.sets
        cell, facts = say.cell[i], say.facts(self.grounds)
        only = f"only {say.value(v)} is left for it{f' ({facts})' if facts else ''}"
        return f"{cell} is not {say.value(self.value)}, and {only}"


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
