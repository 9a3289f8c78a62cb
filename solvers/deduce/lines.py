"""Human-style deduction on binary lines (LinesTable).

A line is a row or a column; rows count from 0, columns go on from the number of rows. A line is two bit masks, of its ones and of
its zeros: bit i is its cell i, from the left or from the top. A dropped value is a set one, so steps only set.
Sentences need value, clue (without its full stop) and noun of Words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from puzzlemill.core.model import GROUP_RELATIONS, Fact, LinesTable, Slots, Step
from puzzlemill.core.words import NUMBERS, Words, capital, listed
from puzzlemill.solvers.deduce.steps import Contradiction, Found, enough, needed, ordered, story, tiers

MEDIUM, HARD = 3, 5

LISTED = 4  # legal patterns are listed in words up to this many
CHOICES = 3  # contradictions found by looking ahead, of which the one with the shortest story is told
PROBES = 6_000  # suppositions in one deduction, before the rest is left to search
DEEP_CELLS = 144  # larger grids are not looked at in depth
_EXCLUSIONS = 256  # a line with more legal patterns is not worth comparing with others
_EQUAL, _OPPOSITE, _UNEQUAL, _COUNT, _PARITY, _MORE, _GREATER = range(len(GROUP_RELATIONS))
_SHIFT = 20  # lines have at most 20 cells


def deduce(table: LinesTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    board = _Board(table, ids)
    try:
        board.give()
        board.run(4)
        while board.open and board.look_ahead(answer):
            board.run(4)
        if board.open or answer is None:
            rest = [] if answer is None else [(cell, answer[cell]) for cell, value in enumerate(board.value) if value < 0]
            rules = ["balance", "triples", "distinct"] if table.distinct else ["balance", "triples"]
            board.note(Search(), [*ids, *rules], rest)
    except Contradiction:
        board.steps = needed(board.steps, "#", [len(board.steps) - 1])
    return ordered(board.steps, [*ids, "balance", "triples", "distinct"])


# ---- findings, and how they are told --------------------------------------------------------------------------------------


class _Say:
    """How findings on one board are told."""

    def __init__(self, words: Words, table: LinesTable) -> None:
        self.rows, self.cols = table.rows, table.cols
        self.sign, self.clue, self.noun = words.value, words.clue, words.noun

    def name(self, line: int) -> str:
        return f"row {line + 1}" if line < self.rows else f"column {line - self.rows + 1}"

    def cell(self, cell: int) -> str:
        return f"row {cell // self.cols + 1} column {cell % self.cols + 1}"

    def length(self, line: int) -> int:
        return self.cols if line < self.rows else self.rows

    def along(self, line: int, places: Sequence[int]) -> str:
        """ "columns 3 and 6"."""
        word = "column" if line < self.rows else "row"
        return f"{word}{'s' if len(places) > 1 else ''} {listed([str(place + 1) for place in places])}"

    def reads(self, line: int, known: int, ones: int) -> str:
        """A line as it is written, with dots for what is not known."""
        return " ".join([self.sign(ones >> i & 1) if known >> i & 1 else "." for i in range(self.length(line))])

    def far(self, line: int, known: int, ones: int) -> str:
        return (
            f"{self.name(line)} reads {self.reads(line, known, ones)} so far"
            if known
            else f"nothing of {self.name(line)} is filled"
        )

    def half(self, line: int, value: int) -> str:
        return f"{NUMBERS[self.length(line) // 2]} {self.sign(value)}s"

    def holding(self, facts: Sequence[Fact], line: int = -1) -> str:
        """ "columns 3 and 6 hold 0" in a line, or "row 2 columns 3 and 6 hold 0"."""
        groups: dict[tuple[int, int], list[int]] = {}
        for cell, value in facts:
            row = -1 if line >= 0 else cell // self.cols
            groups.setdefault((row, value), []).append(cell % self.cols if line < self.rows else cell // self.cols)
        parts = []
        for (row, value), places in groups.items():
            where = self.along(line, places) if row < 0 else f"{self.name(row)} {self.along(row, places)}"
            parts.append(f"{where} {'hold' if len(places) > 1 else 'holds'} {self.sign(value)}")
        return listed(parts)

    def story(self, steps: Sequence[Step]) -> str:
        return "; ".join([step.found.says(self, step) for step in steps])


def explain(words: Words, table: LinesTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    ends = not step.sets and not isinstance(step.found, Search)  # which says so itself
    return capital(step.found.says(_Say(words, table), step)) + "." + (" So there is no answer." if ends else "")


@dataclass(frozen=True, slots=True)
class Runs(Found[_Say]):
    """Two equal cells of a line, side by side or with one between: the cells beside them, or between, hold the other value. As a
    contradiction: three equal cells in a run.
    """

    technique, tier = "runs", 1
    line: int
    places: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        here = f"in {say.name(self.line)}, {say.along(self.line, self.places)}"
        if not step.sets:
            return f"{here} hold the same {say.noun}, three in a run"
        so = say.holding(step.sets, self.line)
        if self.places[1] - self.places[0] == 2:
            so = so.replace(" holds", ", which lies between them, holds", 1)
        return f"{here} both hold {say.sign(1 - step.sets[0][1])}, so {so}"


@dataclass(frozen=True, slots=True)
class Counts(Found[_Say]):
    """Half of the line's cells hold this value, so the others do not. As a contradiction: more than half do."""

    technique, tier = "counts", 2
    line: int
    value: int

    def says(self, say: _Say, step: Step) -> str:
        half = say.half(self.line, self.value)
        if not step.sets:
            return f"{say.name(self.line)} has more than {half}"
        return f"{say.name(self.line)} already has its {half}, so {say.holding(step.sets, self.line)}"


@dataclass(frozen=True, slots=True)
class Group(Found[_Say]):
    """A clue on groups of cells, and what is known of those that leave it one way or none."""

    technique, tier = "group", 2
    clue: int
    known: tuple[Fact, ...]

    def says(self, say: _Say, step: Step) -> str:
        clue, known = f"the constraint “{say.clue(self.clue)}”", say.holding(self.known)
        if not step.sets:
            return f"this is against {clue}: {known}" if known else f"nothing fits {clue}"
        return f"by {clue}{f': {known}, so' if known else ','} {say.holding(step.sets)}"


@dataclass(frozen=True, slots=True)
class Copy(Group):
    """A clue that makes cells equal or opposite, and what is known of some; the others follow. As a contradiction: the cells that
    do not agree, or one cell with the two values that it is given.
    """

    technique, tier = "copy", 1

    def says(self, say: _Say, step: Step) -> str:
        if not step.sets and self.known[0][0] == self.known[1][0]:
            return f"{say.cell(self.known[0][0])} is given twice, with different values"
        return Group.says(self, say, step)


@dataclass(frozen=True, slots=True)
class Completion(Found[_Say]):
    """With these known cells (masks) every legal line has the same values in others.

    patterns: all such lines, if they are few; else `within` leads from the other value to a contradiction in the line, or is
    empty if nothing shorter than listing shows it.
    """

    technique, tier = "completion", 3
    line: int
    known: int
    ones: int
    patterns: tuple[int, ...] = ()

    def says(self, say: _Say, step: Step) -> str:
        if step.within:
            ((cell, value),) = step.sets
            place = say.along(self.line, [cell % say.cols if self.line < say.rows else cell // say.cols])
            supposed = f"in {say.name(self.line)}, if {place} held {say.sign(1 - value)}"
            return f"{supposed}, then {say.story(step.within)}; so {place} holds {say.sign(value)}"
        if not step.sets:
            return f"{say.name(self.line)} cannot be completed from {say.reads(self.line, self.known, self.ones)}"
        so, far = say.holding(step.sets, self.line), say.far(self.line, self.known, self.ones)
        ways = [say.reads(self.line, -1, one) for one in self.patterns]
        if len(ways) == 1:
            return f"{far}, and the one legal way to complete it is {ways[0]}; so {so}"
        if ways:
            return f"{far}, and can only become {listed(ways, 'or')}; so {so}"
        return f"{far}, and in every legal way to complete it {so}"


@dataclass(frozen=True, slots=True)
class Distinct(Found[_Say]):
    """With these known cells (masks), the legal lines that are not ruled out have the same values in others.

    left: how many these are. out: each pattern that the step refutes, and why: the complete parallel line that it would repeat.
    """

    technique, tier = "distinct", 4
    line: int
    known: int
    ones: int
    left: int
    out: tuple[tuple[int, int], ...]

    def says(self, say: _Say, step: Step) -> str:
        bad = []
        for why in dict.fromkeys([why for _, why in self.out]):
            out = [say.reads(self.line, -1, pattern) for pattern, other in self.out if other == why]
            ways = listed(out) if len(out) < 4 else f"{', '.join(out[:3])} and {len(out) - 3} more"
            if why < say.rows + say.cols:
                bad.append(f"{ways} would repeat {say.name(why)}")
            else:
                bad.append(f"{ways} would break the constraint “{say.clue(why - say.rows - say.cols)}”")
        far = say.far(self.line, self.known, self.ones)
        if not step.sets:
            return f"{far}, and no way to complete it is left: {listed(bad)}"
        so = "so" if self.left == 1 else "and the other ways agree:"
        return f"{far}; {listed(bad)}, {so} {say.holding(step.sets, self.line)}"


@dataclass(frozen=True, slots=True)
class LineClue(Distinct):
    """The same where why may also be the number of lines + a clue that the pattern breaks."""

    technique, tier = "line_clue", 4


@dataclass(frozen=True, slots=True)
class LookAhead(Found[_Say]):
    """Supposing this ends in a contradiction by runs, counts and clues: the steps `within`."""

    technique, tier = "look_ahead", 5
    cell: int
    value: int

    def says(self, say: _Say, step: Step) -> str:
        where, other = say.cell(self.cell), say.sign(1 - self.value)
        supposed = f"suppose {where} held {say.sign(self.value)}"
        return f"{supposed}: then {say.story(step.within)}, which cannot be, so {where} holds {other}"


@dataclass(frozen=True, slots=True)
class FarLookAhead(LookAhead):
    """The same by all that is above."""

    technique, tier = "far_look_ahead", 6


@dataclass(frozen=True, slots=True)
class DeepLookAhead(LookAhead):
    """The same with looking ahead within the supposition too."""

    technique, tier = "deep_look_ahead", 7


@dataclass(frozen=True, slots=True)
class Search(Found[_Say]):
    """Nothing else leads on."""

    technique, tier = "search", 8

    def says(self, say: _Say, step: Step) -> str:
        stuck = "none of the usual techniques leads on"
        if not step.sets:
            return f"{stuck}, and going through all possibilities shows that there is no answer"
        return f"{stuck}; going through all possibilities leaves one way only: {say.holding(step.sets)}"


TECHNIQUES = tiers(Runs, Copy, Counts, Group, Completion, Distinct, LineClue, LookAhead, FarLookAhead, DeepLookAhead, Search)


# ---- lines --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def legal(length: int) -> tuple[int, ...]:
    """Masks of the ones of every line of this length that is balanced and has no three equal cells in a run."""
    half = length // 2
    found = []
    stack = [(0, 0, 0)]  # cells so far, their mask, how many are ones
    while stack:
        cells, mask, ones = stack.pop()
        if cells == length:
            found.append(mask)
            continue
        last = mask >> (cells - 2) & 3 if cells > 1 else 1
        if ones < half and last != 3:
            stack.append((cells + 1, mask | 1 << cells, ones + 1))
        if cells - ones < half and last != 0:
            stack.append((cells + 1, mask, ones))
    return tuple(sorted(found))


class _Board:
    """What is known of a puzzle, why, and the steps so far.

    mark: what the labels of its steps begin with, "#", or "?" under a supposition, "??" under one within that, and so on.
    only: the one line that is looked at, all if it is negative.
    """

    def __init__(self, table: LinesTable, ids: Sequence[str]) -> None:
        rows, cols = table.rows, table.cols
        self.table, self.ids = table, ids
        self.lines = [list(range(r * cols, r * cols + cols)) for r in range(rows)]
        self.lines += [list(range(c, rows * cols, cols)) for c in range(cols)]
        self.places = [((i // cols, 1 << i % cols), (rows + i % cols, 1 << i // cols)) for i in range(rows * cols)]
        self.groups = [i for i, clue in enumerate(table.clues) if len(clue) > 2]
        self.groups_of: dict[int, list[int]] = {}
        for g in self.groups:
            for cell in table.clues[g][3:]:
                self.groups_of.setdefault(cell, []).append(g)
        self.value = [-1] * (rows * cols)
        self.why = [""] * (rows * cols)
        self.ones = [0] * len(self.lines)
        self.zeros = [0] * len(self.lines)
        self.fits: list[Sequence[int]] = [legal(len(line)) for line in self.lines]
        self.open = rows * cols
        self.steps: list[Step] = []
        self.mark, self.only = "#", -1
        self.probes = [0]  # shared by copies
        self.forced: dict[tuple[int, int], int] = {}  # what runs and counts make of a line, see _forced
        # per technique: lines or clues whose cells changed since it last looked at them, oldest first
        self.fresh: list[dict[int, None]] = [{} for _ in range(6)]

    def supposing(self, cell: int, value: int, only: int = -1) -> _Board:
        """A copy in which this is known too, without steps."""
        other = _Board.__new__(_Board)
        other.__dict__.update(self.__dict__)
        other.value, other.why, other.fits = list(self.value), list(self.why), list(self.fits)
        other.ones, other.zeros = list(self.ones), list(self.zeros)
        other.steps, other.only = [], only
        other.mark = "?" if self.mark == "#" else self.mark + "?"
        other.fresh = [{} for _ in range(6)]
        other.put(cell, value, f"{other.mark}0")
        return other

    def give(self) -> None:
        """Put in the givens; everything is fresh."""
        for i, clue in enumerate(self.table.clues):
            if len(clue) == 2:
                cell, value = clue
                if self.value[cell] == 1 - value:
                    self.note(Copy(i, ((cell, 1 - value), (cell, value))), [self.why[cell], self.ids[i]], [])
                if self.value[cell] < 0:
                    self.put(cell, value, self.ids[i])
        for g in self.groups:
            self.fresh[1][g] = self.fresh[3][g] = None
        for line in range(len(self.lines)):
            self.fresh[4][line] = self.fresh[5][line] = None

    def put(self, cell: int, value: int, why: str) -> None:
        self.value[cell] = value
        self.why[cell] = why
        self.open -= 1
        masks = self.ones if value else self.zeros
        for line, bit in self.places[cell]:
            masks[line] |= bit
            if self.only < 0 or self.only == line:
                for fresh in (0, 2, 4, 5):
                    self.fresh[fresh][line] = None
            if self.table.distinct and (self.ones[line] | self.zeros[line]).bit_count() == len(self.lines[line]):
                self.fresh[5].update(dict.fromkeys(self._parallels(line)))
        if self.only < 0:
            for g in self.groups_of.get(cell, ()):
                self.fresh[1][g] = self.fresh[3][g] = None

    def note(self, found: Found[Any], uses: Sequence[str], sets: Sequence[Fact], within: Sequence[Step] = ()) -> bool:
        """Note a step and put in what it sets. Raises Contradiction if that is nothing."""
        uses = tuple(dict.fromkeys(uses))
        self.steps.append(Step(found.technique, uses, tuple(sets), found=found, within=tuple(within)))
        if not sets:
            raise Contradiction
        for cell, value in sets:
            self.put(cell, value, f"{self.mark}{len(self.steps)}")
        return True

    def run(self, top: int) -> None:
        """Apply techniques of these tiers until none gives anything."""
        looks = (self._runs, self._copy, self._counts, self._group, self._completion, self._exclusion)[: (0, 2, 4, 5, 6)[top]]
        while any(self._look(look, fresh) for look, fresh in zip(looks, self.fresh, strict=False)):
            pass

    def _look(self, look: Callable[[int], bool], fresh: dict[int, None]) -> bool:
        """Let a technique look at what is fresh until it gives something."""
        while fresh:
            which = next(iter(fresh))
            if fresh is self.fresh[4] or fresh is self.fresh[5]:  # a full line is the easiest to complete
                which = max(fresh, key=lambda line: (self.ones[line] | self.zeros[line]).bit_count())
            del fresh[which]
            if look(which):
                return True
        return False

    def _whys(self, line: int, mask: int) -> list[str]:
        return [self.why[cell] for i, cell in enumerate(self.lines[line]) if mask >> i & 1]

    def _facts(self, line: int, ones: int, zeros: int) -> list[Fact]:
        cells = self.lines[line]
        return [(cell, ones >> i & 1) for i, cell in enumerate(cells) if (ones | zeros) >> i & 1]

    def _parallels(self, line: int) -> range:
        return range(self.table.rows) if line < self.table.rows else range(self.table.rows, len(self.lines))

    # ---- tiers 1 and 2

    def _runs(self, line: int) -> bool:
        cells, both = self.lines[line], (self.ones[line], self.zeros[line])
        for mask in both:
            triple = mask & mask >> 1 & mask >> 2
            if triple:
                i = triple.bit_length() - 1
                self.note(Runs(line, (i, i + 1, i + 2)), [*self._whys(line, 7 << i), "triples"], [])
        known = both[0] | both[1]
        for value, mask in ((1, both[0]), (0, both[1])):
            for apart in (1, 2):
                pairs = mask & mask >> apart
                while pairs:
                    low = pairs & -pairs
                    pairs ^= low
                    i = low.bit_length() - 1
                    beside = (i - 1, i + 2) if apart == 1 else (i + 1,)
                    sets = [(cells[k], 1 - value) for k in beside if 0 <= k < len(cells) and not known >> k & 1]
                    if sets:
                        uses = [self.why[cells[i]], self.why[cells[i + apart]], "triples"]
                        return self.note(Runs(line, (i, i + apart)), uses, sets)
        return False

    def _counts(self, line: int) -> bool:
        length = len(self.lines[line])
        blank = (1 << length) - 1 & ~(self.ones[line] | self.zeros[line])
        for value, mask in ((1, self.ones[line]), (0, self.zeros[line])):
            over = mask.bit_count() - length // 2
            if over > 0:
                self.note(Counts(line, value), [*self._whys(line, mask), "balance"], [])
            if over == 0 and blank:
                sets = self._facts(line, 0, blank) if value else self._facts(line, blank, 0)
                return self.note(Counts(line, value), [*self._whys(line, mask), "balance"], sets)
        return False

    def _copy(self, g: int) -> bool:
        clue = self.table.clues[g]
        return clue[0] in (_EQUAL, _OPPOSITE) and self._clue(g, Copy)

    def _group(self, g: int) -> bool:
        clue = self.table.clues[g]
        return clue[0] not in (_EQUAL, _OPPOSITE) and self._clue(g, Group)

    def _clue(self, g: int, technique: type[Group]) -> bool:
        found = _says(self.table.clues[g], self.value)
        if found is None:
            return False
        sets, cells = found
        known = tuple([(cell, self.value[cell]) for cell in cells if self.value[cell] >= 0])
        return self.note(technique(g, known), [self.ids[g], *[self.why[cell] for cell, _ in known]], sets)

    # ---- tiers 3 and 4

    def _fitting(self, line: int) -> Sequence[int]:
        """The legal patterns of a line that have its known cells."""
        ones, known = self.ones[line], self.ones[line] | self.zeros[line]
        self.fits[line] = fits = [pattern for pattern in self.fits[line] if pattern & known == ones]
        return fits

    def _agreed(self, line: int, patterns: Sequence[int]) -> tuple[int, int]:
        """Masks of the blank cells that are one in every pattern, and of those that are zero."""
        every, some = -1, 0
        for pattern in patterns:
            every &= pattern
            some |= pattern
        full = (1 << len(self.lines[line])) - 1
        return every & ~self.ones[line], full & ~some & ~self.zeros[line]

    def _completion(self, line: int) -> bool:
        fits = self._fitting(line)
        ones, known = self.ones[line], self.ones[line] | self.zeros[line]
        rules = ["balance", "triples"]
        if not fits:
            few = enough(legal(len(self.lines[line])), known, ones)
            self.note(Completion(line, few, ones & few), [*self._whys(line, few), *rules], [])
        to_one, to_zero = self._agreed(line, fits)
        sets = self._facts(line, to_one, to_zero)
        if not sets:
            return False
        if len(fits) <= LISTED:
            return self.note(Completion(line, known, ones, tuple(fits)), [*self._whys(line, known), *rules], sets)
        tales = [(self._story(cell, 1 - value, 2, line), (cell, value)) for cell, value in sets]
        told = [(len(tale[1]), tale, fact) for tale, fact in tales if tale is not None]
        if told:
            _, (uses, within), fact = min(told, key=lambda entry: entry[0])
            return self.note(Completion(line, known, ones), uses, [fact], within)
        others = [pattern for pattern in legal(len(self.lines[line])) if to_one & ~pattern or to_zero & pattern]
        few = enough(others, known, ones)
        return self.note(Completion(line, few, ones & few), [*self._whys(line, few), *rules], sets)

    def _exclusion(self, line: int) -> bool:
        fits = self._fitting(line)
        if len(fits) > _EXCLUSIONS:
            return False
        why: dict[int, int] = {}  # patterns that are ruled out, and by what
        if self.table.distinct:
            for other in self._parallels(line):
                if other != line and (self.ones[other] | self.zeros[other]).bit_count() == len(self.lines[line]):
                    why[self.ones[other]] = other
        if any(pattern in why for pattern in fits) and self._exclude(Distinct, line, fits, why):
            return True
        own = set(self.lines[line])
        inner = [g for g in self.groups if own.issuperset(self.table.clues[g][3:])]
        if not inner:
            return False
        value = [-1] * len(self.value)
        for pattern in fits:
            for i, cell in enumerate(self.lines[line]):
                value[cell] = pattern >> i & 1
            for g in inner:
                found = _says(self.table.clues[g], value)
                if pattern not in why and found is not None and not found[0]:
                    why[pattern] = len(self.lines) + g
        return any(pattern in why for pattern in fits) and self._exclude(LineClue, line, fits, why)

    def _exclude(self, technique: type[Distinct], line: int, fits: Sequence[int], why: dict[int, int]) -> bool:
        to_one, to_zero = self._agreed(line, [pattern for pattern in fits if pattern not in why])
        refuted = [pattern for pattern in fits if pattern in why and (to_one & ~pattern or to_zero & pattern)]
        if not refuted:
            return False
        ones, known = self.ones[line], self.ones[line] | self.zeros[line]
        uses = self._whys(line, known)
        for pattern in refuted:
            if why[pattern] < len(self.lines):
                uses += [*self._whys(why[pattern], -1), "distinct"]
            else:
                uses.append(self.ids[why[pattern] - len(self.lines)])
        sets = [] if len(why.keys() & set(fits)) == len(fits) else self._facts(line, to_one, to_zero)
        out = tuple([(pattern, why[pattern]) for pattern in refuted])
        return self.note(technique(line, known, ones, len(fits) - len(out), out), [*uses, "balance", "triples"], sets)

    # ---- looking ahead

    def _story(self, cell: int, value: int, top: int, only: int = -1, deep: bool = False) -> tuple[list[str], list[Step]] | None:
        """What a contradiction that follows from this leans on, and the steps to it; None if there is none in these tiers."""
        other = self.supposing(cell, value, only)
        try:
            other.run(top)
            while deep and other.look_ahead(None, False):
                other.run(top)
        except Contradiction:
            return story(other.steps, other.mark)
        return None

    def look_ahead(self, answer: Slots | None, deepest: bool = True) -> bool:
        """Rule out one value of a cell, from a full line rather than an empty one. False if nothing can be ruled out."""
        filled = [(ones | zeros).bit_count() for ones, zeros in zip(self.ones, self.zeros, strict=True)]
        cells = [cell for cell, value in enumerate(self.value) if value < 0]
        cells.sort(key=lambda cell: (-filled[self.places[cell][0][0]] - filled[self.places[cell][1][0]], cell))
        for technique, top in ((LookAhead, 2), (FarLookAhead, 4)):
            harmless: set[int] = set()  # 2 * cell + value: what follows from something harmless is harmless
            found: list[tuple[int, list[str], list[Step], int, int]] = []
            for cell in cells:
                for value in (0, 1) if answer is None else (1 - answer[cell],):
                    if 2 * cell + value in harmless or len(found) == CHOICES or self.probes[0] >= PROBES:
                        continue
                    self.probes[0] += 1
                    follows = self._probe(cell, value, top > 2)
                    if follows is not None:
                        harmless.update(follows)
                        continue
                    tale = self._story(cell, value, top)
                    if tale is None:
                        raise AssertionError("the quick look and the full one see the same")
                    found.append((sum(1 + len(step.within) for step in tale[1]), *tale, cell, value))
            if found:
                _, uses, within, cell, value = min(found, key=lambda entry: entry[0])
                return self.note(technique(cell, value), uses, [(cell, 1 - value)], within)
        for cell in cells if deepest and len(self.value) <= DEEP_CELLS else []:
            for value in (0, 1) if answer is None else (1 - answer[cell],):
                tale = self._story(cell, value, 4, deep=True) if self.probes[0] < PROBES else None
                if tale is not None:
                    return self.note(DeepLookAhead(cell, value), tale[0], [(cell, 1 - value)], tale[1])
        return False

    def _probe(self, cell: int, value: int, completing: bool) -> list[int] | None:
        """All that follows from this by runs, counts and clues, as 2 * cell + value; None if that is a contradiction.

        What _story() tells at length, quickly. completing: by completion and distinct lines too.
        """
        distinct = completing and self.table.distinct
        complete = self._complete() if distinct else []
        values, ones, zeros = list(self.value), list(self.ones), list(self.zeros)
        follows = [2 * cell + value]
        lines: dict[int, None] = {}
        groups: dict[int, None] = {}
        later: dict[int, None] = {}
        done = 0
        while True:
            while done < len(follows):
                literal = follows[done]
                cell, value = literal >> 1, literal & 1
                if values[cell] >= 0:
                    if values[cell] != value:
                        return None
                    follows[done] = follows[-1]
                    follows.pop()
                    continue
                done += 1
                values[cell] = value
                masks = ones if value else zeros
                for line, bit in self.places[cell]:
                    masks[line] |= bit
                    lines[line] = None
                    if distinct and (ones[line] | zeros[line]).bit_count() == len(self.lines[line]):
                        if ones[line] in complete[line]:
                            return None
                        complete[line].add(ones[line])
                        later.update(dict.fromkeys(self._parallels(line)))
                for g in self.groups_of.get(cell, ()):
                    groups[g] = None
            if lines:
                line, _ = lines.popitem()
                later[line] = None
                forced = self._forced(len(self.lines[line]), ones[line], zeros[line])
                if forced < 0:
                    return None
            elif groups:
                found = _says(self.table.clues[groups.popitem()[0]], values)
                if found is not None:
                    if not found[0]:
                        return None
                    follows += [2 * c + v for c, v in found[0]]
                continue
            elif later and completing:
                line, _ = later.popitem()
                known = ones[line] | zeros[line]
                every, some = -1, 0
                taken = complete[line] if distinct and known.bit_count() < len(self.lines[line]) else ()
                for pattern in self.fits[line]:
                    if pattern & known == ones[line] and pattern not in taken:
                        every &= pattern
                        some |= pattern
                if every < 0:
                    return None
                full = (1 << len(self.lines[line])) - 1
                forced = (every & ~known) << _SHIFT | full & ~some & ~known
            else:
                return follows
            cells = self.lines[line]
            while forced:
                low = forced & -forced
                forced ^= low
                i = low.bit_length() - 1
                follows.append(2 * cells[i - _SHIFT] + 1 if i >= _SHIFT else 2 * cells[i])

    def _complete(self) -> list[set[int]]:
        """For each line the patterns of the complete lines beside it; parallel lines share one set."""
        sets: tuple[set[int], set[int]] = (set(), set())
        for line, cells in enumerate(self.lines):
            if (self.ones[line] | self.zeros[line]).bit_count() == len(cells):
                sets[line >= self.table.rows].add(self.ones[line])
        return [sets[line >= self.table.rows] for line in range(len(self.lines))]

    def _forced(self, length: int, ones: int, zeros: int) -> int:
        """Blank cells that runs and counts make ones (shifted) and zeros, as one mask; -1 if the line cannot be legal."""
        key = (length, ones << _SHIFT | zeros)
        found = self.forced.get(key)
        if found is None:
            full = (1 << length) - 1
            to_zero, to_one = _beside(ones) & full, _beside(zeros) & full
            for mask in (ones, zeros):
                if mask.bit_count() > length // 2:
                    to_zero = to_one = full
            if ones.bit_count() == length // 2:
                to_zero |= full & ~ones
            if zeros.bit_count() == length // 2:
                to_one |= full & ~zeros
            if to_zero & ones or to_one & zeros:
                found = -1
            else:
                found = (to_one & ~ones) << _SHIFT | to_zero & ~zeros
            self.forced[key] = found
        return found


def _beside(mask: int) -> int:
    """Where a cell would make three in a run."""
    pairs = mask & mask >> 1
    return pairs << 2 | pairs >> 1 | (mask & mask >> 2) << 1


def _says(clue: Sequence[int], value: Sequence[int]) -> tuple[list[Fact], list[int]] | None:
    """What a clue on groups sets, as far as cells are known one by one, and the cells this follows from; None if nothing.

    It sets nothing from these cells where they break it. For equal and opposite groups, the cells are in pairs from, to.
    """
    code, k, size = clue[:3]
    first, second = clue[3 : 3 + size], clue[3 + size :]
    if code in (_EQUAL, _OPPOSITE):
        sets, cells = [], []
        for a, b in zip(first, second, strict=True):
            if value[a] >= 0 and value[b] >= 0:
                if (value[a] == value[b]) != (code == _EQUAL):
                    return [], [a, b]
            elif value[a] >= 0 or value[b] >= 0:
                known, blank = (a, b) if value[a] >= 0 else (b, a)
                sets.append((blank, value[known] if code == _EQUAL else 1 - value[known]))
                cells += [known, blank]
        return (sets, cells) if sets else None
    if code in (_COUNT, _PARITY):
        empty = [cell for cell in first if value[cell] < 0]
        held = [[cell for cell in first if value[cell] == v] for v in (0, 1)]
        if code == _PARITY:
            if len(empty) > 1:
                return None
            odd = (len(held[1]) + k) % 2
            rest = [cell for cell in first if value[cell] >= 0]
            return ([(empty[0], odd)], rest) if empty else ([], rest) if odd else None
        for v, most in ((1, k), (0, size - k)):
            if len(held[v]) > most:
                return [], held[v]
            if len(held[v]) == most and empty:
                return [(cell, 1 - v) for cell in empty], held[v]
        return None
    if code == _MORE:
        down, up = [cell for cell in first if value[cell] == 0], [cell for cell in second if value[cell] == 1]
        spare = size - len(down) - len(up)  # how many more ones the first can still have
        if spare > 1:
            return None
        sets = [(cell, 1) for cell in first if value[cell] < 0] + [(cell, 0) for cell in second if value[cell] < 0]
        return ([], down + up) if spare < 1 else (sets, down + up) if sets else None
    pairs = list(zip(first, second, strict=True))
    if code == _UNEQUAL:
        unlike = [(a, b) for a, b in pairs if not value[a] == value[b] >= 0]
        if not unlike:
            return [], [*first, *second]
        a, b = unlike[0]
        if len(unlike) > 1 or (value[a] < 0) == (value[b] < 0):
            return None
        known, blank = (a, b) if value[a] >= 0 else (b, a)
        return [(blank, 1 - value[known])], [cell for cell in (*first, *second) if cell != blank]
    same = 0  # greater: pairs that are known and equal come first, and the next one decides
    while same < size and value[first[same]] == value[second[same]] >= 0:
        same += 1
    before = [cell for pair in pairs[:same] for cell in pair]
    if same == size:
        return [], before
    a, b = pairs[same]
    if value[a] == 1 and value[b] == 0:
        return None
    if value[a] == 0 and value[b] == 1:
        return [], [*before, a, b]
    if value[a] == 0 or value[b] == 1:
        return ([(b, 0)], [*before, a]) if value[a] == 0 else ([(a, 1)], [*before, b])
    after: list[int] = []  # why the first cannot be greater by what follows
    for c, d in pairs[same + 1 :]:
        if value[c] != 0 and value[d] != 1:
            return None
        after += [c] if value[c] == 0 else []
        after += [d] if value[d] == 1 else []
        if value[c] == 0 and value[d] == 1:
            break
    return [(cell, v) for cell, v in ((a, 1), (b, 0)) if value[cell] < 0], [*before, *after]
