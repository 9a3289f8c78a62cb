"""Human-style deduction on binary lines (LinesTable).

A line is a row or a column; rows count from 0, columns go on from the number of rows. A line is two bit masks, of its ones and of
its zeros: bit i is its cell i, from the left or from the top. A dropped value is a set one, so steps only set.
Sentences need value, clue (without its full stop) and noun of Words.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from puzzlemill.core.model import GROUP_RELATIONS, Fact, LinesTable, Slots, Step
from puzzlemill.core.words import NUMBERS, Words, capital, listed, pick
from puzzlemill.solvers.deduce.board import Ahead, CellBoard, LineBoard, LineSay, Look, Refuted, Story, newest
from puzzlemill.solvers.deduce.masks import bits, enough
from puzzlemill.solvers.deduce.steps import (
    HARDEST,
    DeepLookAhead,
    FarLookAhead,
    Found,
    LookAhead,
    length,
    sentence,
    tiers,
    trimmed,
)

MEDIUM, HARD = 3, 5

LISTED = 3  # legal patterns are listed in words up to this many
CHOICES = 8  # contradictions found by looking ahead, of which the shortest is told
PROBES = 6_000  # suppositions in one deduction, before the rest is left to search
ORDERS = (37, 101, 211, 307, 401, 503)  # ways to go through a supposition again, to tell it by a shorter one
_PRIME = 1009
DEEP_CELLS = 144  # larger grids are not looked at in depth
_EXCLUSIONS = 256  # a line with more legal patterns is not worth comparing with others
_EQUAL, _OPPOSITE, _UNEQUAL, _COUNT, _PARITY, _MORE, _GREATER = range(len(GROUP_RELATIONS))
_PAIRS = 4  # cells that go together are named up to so many
_LINKS = 8  # of the reasons why a line is completed so; else its fillings are listed
_TOGETHER = 3  # links of a story in one sentence
_SHIFT = 20  # lines have at most 20 cells


def deduce(table: LinesTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    return board(table, ids).trace(answer)


def board(table: LinesTable, ids: Sequence[str]) -> CellBoard:
    """The board that finds them; see the package."""
    return _Board(table, ids)


# ---- findings, and how they are worded -------------------------------------------------------------------------------------


class _Say(LineSay):
    """Sentences about findings on one board."""

    def __init__(self, words: Words, table: LinesTable) -> None:
        super().__init__(table.rows, table.cols, words.voice)
        self.sign, self.clue, self.noun, self.clues = words.value, words.clue, words.noun, table.clues
        self.more = [g for g, clue in enumerate(self.clues) if len(clue) > 2 and clue[0] == _MORE]

    def reads(self, line: int, known: int, ones: int) -> str:
        """A line as it is written, with dots for what is not known."""
        return " ".join([self.sign(ones >> i & 1) if known >> i & 1 else "." for i in range(self.length(line))])

    def far(self, line: int, known: int, ones: int) -> str:
        return (
            f"{self.name(line)} reads {self.reads(line, known, ones)} so far"
            if known
            else f"nothing of {self.name(line)} is filled"
        )

    def count(self, number: int, value: int) -> str:
        """ "three 0s"."""
        return f"{NUMBERS[number] if number < len(NUMBERS) else number} {self.sign(value)}{'s' * (number != 1)}"

    def half(self, line: int, value: int) -> str:
        return self.count(self.length(line) // 2, value)

    def holding(self, facts: Sequence[Fact], line: int = -1) -> str:
        """ "columns 3 and 6 hold 0" in a line, or "row 2 columns 3 and 6 hold 0" and "rows 2 and 4 of column 3 hold 0"."""
        rows, columns = {(cell // self.cols, v) for cell, v in facts}, {(cell % self.cols, v) for cell, v in facts}
        upright = line < 0 and len(columns) < len(rows)
        groups: dict[tuple[int, int], list[int]] = {}
        for cell, value in facts:
            of = line if line >= 0 else self.rows + cell % self.cols if upright else cell // self.cols
            groups.setdefault((of, value), []).append(self.number(of, cell))
        parts = []
        for (of, value), numbers in groups.items():
            where = self.along(of, sorted(numbers))
            if line < 0:
                where = f"{where} of {self.name(of)}" if upright and len(numbers) > 1 else f"{self.name(of)} {where}"
                where = f"{self.along(of, numbers)} {self.name(of)}" if upright and len(numbers) == 1 else where
            parts.append(f"{where} {'hold' if len(numbers) > 1 else 'holds'} {self.sign(value)}")
        return listed(parts)

    def held(self, line: int, facts: Sequence[Fact]) -> str:
        """ "row 2 columns 3 and 6 are 0", "rows 1 and 4 of column 5 are 1"."""
        parts = []
        for value in dict.fromkeys([value for _, value in facts]):
            numbers = [self.number(line, cell) for cell, v in facts if v == value]
            along, name = self.along(line, numbers), self.name(line)
            where = f"{along} of {name}" if line >= self.rows and len(numbers) > 1 else f"{name} {along}"
            if line >= self.rows and len(numbers) == 1:
                where = f"{along} {name}"
            parts.append(f"{where} {'are' if len(numbers) > 1 else 'is'} {self.sign(value)}")
        return listed(parts)

    # ---- clues on groups of cells

    def groups(self, clue: int) -> tuple[Sequence[int], Sequence[int]]:
        _, _, size, *cells = self.clues[clue]
        return cells[:size], cells[size:]

    def shape(self, cells: Sequence[int]) -> str:
        """ "row 3", "row 2 column 5", "the block in rows 2 to 4 and columns 1 to 3", "the diagonal from the top left corner"."""
        if len(cells) == 1:
            return self.cell(cells[0])
        rows, columns = sorted({cell // self.cols for cell in cells}), sorted({cell % self.cols for cell in cells})
        if len(rows) * len(columns) > len(cells):
            return f"the diagonal from the top {'left' if 0 in cells else 'right'} corner"
        for line, across, full in ((rows[0], rows, self.cols), (self.rows + columns[0], columns, self.rows)):
            if len(across) == 1 and len(cells) == full:
                return self.name(line)
        down, along = [
            f"{noun} {part[0] + 1}" if len(part) == 1 else f"{noun}s {part[0] + 1} to {part[-1] + 1}"
            for noun, part in (("row", rows), ("column", columns))
        ]
        return f"the block in {down} and {along}"

    def blocks(self, clue: int) -> tuple[str, str]:
        """The block with more and the one with less: "the left block" and "the right block", if no other pair is compared."""
        first, second = self.groups(clue)
        if len(self.more) > 1:
            return self.shape(first), self.shape(second)
        apart = max(cell % self.cols for cell in first) < min(cell % self.cols for cell in second)
        beside = apart or max(cell % self.cols for cell in second) < min(cell % self.cols for cell in first)
        names = ["the left block", "the right block"] if beside else ["the upper block", "the lower block"]
        return (names[0], names[1]) if (apart if beside else first[0] < second[0]) else (names[1], names[0])

    def bond(self, clue: int) -> tuple[str, bool]:
        """What a clue says that makes cells equal or opposite; whether the cells that go together must be named."""
        (first, second), equal = self.groups(clue), self.clues[clue][0] == _EQUAL
        if len(first) == 1:
            what = f"the same {self.noun}" if equal else f"different {self.noun}s"
            return f"{self.cell(first[0])} and {self.cell(second[0])} hold {what}", False
        a, b, both = self.shape(first), self.shape(second), self.shape([*first, *second])
        if not both.startswith("the ") and len(first) < max(self.rows, self.cols) and a.startswith("the "):
            return f"{both} is its own mirror image", True
        if any(i // self.cols != k // self.cols for i, k in zip(first, second, strict=True)) and any(
            i % self.cols != k % self.cols for i, k in zip(first, second, strict=True)
        ):
            return f"{b} is {a} reversed", True
        return f"{self.two([*first, *second])} are {'equal' if equal else 'opposite in every cell'}", False

    def lacking(self, line: int, known: int, ones: int, sets: Sequence[Fact]) -> tuple[int, list[tuple[int, int]]] | None:
        """The digit of which the line lacks one only, and the three cells in a run, with the open ones among them, that would all
        hold the other digit if it stood anywhere else; None if that does not give these facts.
        """
        n = self.length(line)
        blank = (1 << n) - 1 & ~known
        facts = [(1 << self.number(line, cell) - 1, value) for cell, value in sets]
        for scarce, held in ((0, known & ~ones), (1, ones)):
            if held.bit_count() != n // 2 - 1:
                continue
            runs = [(7 << i, 7 << i & blank) for i in range(n - 2) if not 7 << i & held]
            for some in [[run] for run in runs] + [[a, b] for i, a in enumerate(runs) for b in runs[:i]]:
                here = blank
                for _, part in some:
                    here &= part
                if all((here == bit) if value == scarce else not here & bit for bit, value in facts):
                    return scarce, some
        return None

    def torn(self, line: int, known: int, ones: int) -> str:
        """That two runs of a line need the last of a digit, which it lacks; "" if it is not so."""
        n = self.length(line)
        for scarce, held in ((0, known & ~ones), (1, ones & known)):
            runs = [7 << i for i in range(n - 2) if not 7 << i & held]
            for a in runs if held.bit_count() == n // 2 - 1 else ():
                for b in runs:
                    if not a & b & ~known and a < b:
                        one, other = [self.along(line, [place + 1 for place in bits(run)]) for run in (a, b)]
                        lacks = f"{self.name(line)} lacks only one {self.sign(scarce)}"
                        return f"{lacks}, but {one} need one, and so do {other}, or they would all hold {self.sign(1 - scarce)}"
        return ""

    def supposed(self, cell: int, value: int) -> str:
        return f"{self.cell(cell)} holds {self.sign(value)}"

    def is_not(self, cell: int, value: int) -> str:
        return f"{self.cell(cell)} holds {self.sign(1 - value)}"

    def so(self, step: Step) -> str:
        return self.holding(step.sets)

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return pick(
            self.voice,
            f"suppose {supposed}. Then {tale}. That cannot be, so {so}",
            f"imagine that {supposed}. Then {tale}. That is impossible, so {so}",
            f"assume that {supposed}. Then {tale}. This breaks the rules, so {so}",
        )

    def story(self, steps: Sequence[Step]) -> str:
        """The steps to a contradiction in their order, each with its reason, in short sentences."""
        *chain, last = trimmed(self, steps)
        end: str = last.found.says(self, last)
        if not chain:
            return end
        links = [step.found.brief(self, step) for step in chain]
        told = ["; ".join(links[i : i + _TOGETHER]) for i in range(0, len(links), _TOGETHER)]
        then = pick(len(end), "but then", "now", "with that,")
        return ". ".join([told[0], *map(capital, told[1:]), f"{capital(then)} {end}"])

    def two(self, cells: Sequence[int]) -> str:
        """ "rows 1 and 7": the lines of which these are the cells, first those of the one."""
        upright = cells[0] % self.cols == cells[1] % self.cols
        at = sorted([cell % self.cols if upright else cell // self.cols for cell in (cells[0], cells[-1])])
        return f"{'columns' if upright else 'rows'} {at[0] + 1} and {at[1] + 1}"

    def beside(self, line: int) -> str:
        return "next to each other" if line < self.rows else "one above the other"


def explain(words: Words, table: LinesTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return sentence(_Say(words, table), step)


class Runs(Found[_Say]):
    """Two equal cells of a line, side by side or with one between: the cells next to them, or between, hold the other value. As a
    contradiction: three equal cells in a run.
    """

    line: int
    places: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        line, where = say.name(self.line), say.along(self.line, [place + 1 for place in self.places])
        if not step.sets:
            return pick(
                say.voice,
                f"three equal {say.noun}s follow each other in {line}, at {where}",
                f"{where} of {line} all hold the same {say.noun}",
            )
        so, held = say.holding(step.sets, self.line), say.sign(1 - step.sets[0][1])
        other = say.sign(step.sets[0][1])
        to = say.along(self.line, [say.number(self.line, cell) for cell, _ in step.sets])
        if self.places[1] - self.places[0] == 2:
            return pick(
                say.voice,
                f"in {line}, {where} both hold {held}, so {to}, which lies between them, holds {other}",
                f"{line} has {held} at {where}; the cell between them must not be a third {held}, so {so}",
                f"between the two {held}s at {where} of {line}, {to} has to be {other}",
                f"{where} of {line} both hold {held}. The cell between them, in {to}, is therefore {other}",
                f"a {held} at {to} of {line} would make three {held}s, together with those at {where}. So {so}",
            )
        return pick(
            say.voice,
            f"in {line}, {where} both hold {held}, so {so}",
            f"{where} of {line} both hold {held}, and no three {held}s may follow each other, so {so}",
            f"{where} of {line} both hold {held}, and a third {held} beside them is not allowed, so {so}",
            f"{where} of {line} are both {held}, so {to} must be {other}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        where, value = say.along(self.line, [place + 1 for place in self.places]), say.sign(1 - step.sets[0][1])
        between = "between " if self.places[1] - self.places[0] == 2 else ""
        return f"{say.held(self.line, step.sets)} ({between}{value}s at {where})"

    def rests(self, say: _Say) -> Collection[int]:
        return say.cells(self.line, sum([1 << place for place in self.places]))


class Counts(Found[_Say]):
    """Half of the line's cells hold this value, so the others do not. As a contradiction: more than half do."""

    line: int
    value: int
    mask: int

    def says(self, say: _Say, step: Step) -> str:
        line, half, sign = say.name(self.line), say.half(self.line, self.value), say.sign(self.value)
        where = say.along(self.line, [place + 1 for place in bits(self.mask)])
        if not step.sets:
            return pick(
                say.voice,
                f"{line} has {sign} at {where}, more than its {half}",
                f"{line} has {sign} at {where}, which is more than the {half} that it may have",
            )
        so = say.holding(step.sets, self.line)
        return pick(
            say.voice,
            f"{line} already has its {half}, at {where}, so {so}",
            f"{where} of {line} hold all {half} of that {'row' if self.line < say.rows else 'column'}, so {so}",
            f"no more {sign}s fit in {line}, which already has {half}, at {where}. So {so}",
            f"the {half} of {line} are complete, at {where}, so {so}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        return f"{say.held(self.line, step.sets)} ({say.name(self.line)} has its {say.half(self.line, self.value)})"

    def rests(self, say: _Say) -> Collection[int]:
        return say.cells(self.line, self.mask)


class Group(Found[_Say]):
    """A clue on groups of cells, and what is known of those that leave it one way or none."""

    clue: int
    known: tuple[Fact, ...]

    def says(self, say: _Say, step: Step) -> str:
        reason = self._reason(say, step)
        if not step.sets:
            return reason
        return f"{reason}. So {say.holding(step.sets)}" if ". " in reason else f"{reason}, so {say.holding(step.sets)}"

    def brief(self, say: _Say, step: Step) -> str:
        so = say.holding(step.sets).replace(" holds ", " is ").replace(" hold ", " are ")
        code, k, size = say.clues[self.clue][:3]
        first, second = say.groups(self.clue)
        ones, name = len([v for _, v in self.known if v]), say.shape(first)
        if code == _COUNT:
            full = f"{name} has its {say.count(k, 1)}" if ones else f"{name} needs its other cells for its {say.count(k, 1)}"
            return f"{so} ({full})"
        if code == _PARITY:
            odd = f"an {'odd' if k else 'even'} number of {say.sign(1)}s"
            return f"{so} ({name} must have {odd} and has {say.count(ones, 1)} so far)"
        if code == _MORE:
            more, less = say.blocks(self.clue)
            most = say.count(size - (len(self.known) - ones), 1)
            return f"{so} ({less} has {say.count(ones, 1)} at least, and {more}, which must have more, {most} at most)"
        lines = say.two([*first, *second])
        if code == _UNEQUAL:
            return f"{so} (else {lines} would be equal)"
        return f"{so} (else {name} would not hold the {say.sign(1)} where {lines} first differ)"

    def rests(self, say: _Say) -> Collection[int]:
        return [cell for cell, _ in self.known]

    def _held(self, say: _Say, step: Step) -> str:
        """What is known of the cells, as far as it matters, in the order in which the clue looks at them."""
        code, _, size, *cells = say.clues[self.clue]
        if code != _UNEQUAL:
            return say.holding(self.known)
        held = dict(self.known)
        unlike = [(a, b) for a, b in zip(cells[:size], cells[size:], strict=True) if a not in held or b not in held]
        if not unlike:
            return f"{say.two(cells)} are equal in every cell"
        left = [(cell, held[cell]) for cell in unlike[0] if cell in held]
        return f"in all other places {say.two(cells)} are equal, and {say.holding(left)}"

    def _same(self, say: _Say) -> int:
        """In how many of its first places two lines are known to be equal."""
        _, _, size, *cells = say.clues[self.clue]
        held, same = dict(self.known), 0
        while same < size and cells[same] in held and held[cells[same]] == held.get(cells[size + same]):
            same += 1
        return same

    def _reason(self, say: _Say, step: Step) -> str:
        """What is known and what the clue says of it, down to the contradiction, or to what the conclusion follows from."""
        code, k, size = say.clues[self.clue][:3]
        first, second = say.groups(self.clue)
        name, held, broken = say.shape(first), self._held(say, step), not step.sets
        ones, zeros = [[fact for fact in self.known if fact[1] == v] for v in (1, 0)]
        one = say.sign(1)
        if code == _COUNT:
            count = say.count(k, 1) if k else f"no {one}"
            if not self.known:
                return f"{name} has {count} in {NUMBERS[size] if size < len(NUMBERS) else size} cells"
            if ones:
                return f"{held}, more than the {count} of {name}" if broken else f"{held}, and {name} has {count} in all"
            if broken:
                return f"{held}, which leaves too few cells for the {count} of {name}"
            return f"{held}, and {name} needs all its other cells for its {count}"
        if code == _PARITY:
            odd, has = (
                f"{'an odd' if k else 'an even'} number of {one}s",
                f"{one} at {self._at(say, ones)}" if ones else f"no {one}",
            )
            if broken:
                return f"{name} has {has}{f', {say.count(len(ones), 1)} in all' * (len(ones) > 1)}, though it must have {odd}"
            but = say.cell(step.sets[0][0])
            return f"{name} must have {odd}. It has {has}, and {say.sign(0)} in its other cells, apart from {but}"
        if code == _MORE:
            more, less = say.blocks(self.clue)
            most = say.count(size - len(zeros), 1).split()[0]
            has = f"{less} has {say.count(len(ones), 1)} already ({self._at(say, ones)})" if ones else ""
            zero = f", since it has {say.sign(0)} at {self._at(say, zeros)}" if zeros else ""
            if broken:
                can = f"{more}, which must have more than {less}, can have only {most}{zero}"
                return f"{has}, and {can}" if has else can
            needs = f"{has}, so {more} needs {say.count(len(ones) + 1, 1)}" if has else f"{more} needs more {one}s than {less}"
            if any(cell in first for cell, _ in step.sets):
                other = f", and {less} must not get another" if any(cell in second for cell, _ in step.sets) else ""
                return f"{needs}. It can have only {most}{zero}, so it needs them all{other}"
            can = f"{capital(more)}, which must have more, can have only {most}{zero}"
            return f"{has or needs}. {can}, so {less} must not get another"
        if code == _UNEQUAL:
            return f"{held}, though they must differ" if broken else f"{held}. The two must not be the same"
        return self._greater(say, broken)

    def _at(self, say: _Say, facts: Sequence[Fact]) -> str:
        """Where these facts are."""
        return (
            say.holding([(cell, 0) for cell, _ in facts]).replace(" holds " + say.sign(0), "").replace(" hold " + say.sign(0), "")
        )

    def _greater(self, say: _Say, broken: bool) -> str:
        """Where two lines differ first, the former must hold 1."""
        first, second = say.groups(self.clue)
        held, same, one = dict(self.known), self._same(say), say.sign(1)
        ahead, other, lines = say.shape(first), say.shape(second), say.two([*first, *second])
        if same == len(first):
            return f"{lines} are equal in every cell, though they must differ"
        a, b = first[same], second[same]
        across, down = ("left to right", "right to left"), ("top to bottom", "bottom to top")
        ways = across if first[0] // say.cols == first[1] // say.cols else down
        must = f"read from {ways[first[0] > first[1]]}, {ahead} must hold {one} where {lines} first differ"
        if broken:
            return f"{must}, but there {say.cell(a)} holds {say.sign(0)} and {say.cell(b)} holds {one}"
        equal = f"{must}. They are equal before {say.cell(a)} and {say.cell(b)}" if same else must
        if a in held or b in held:
            there, open_, value = (a, b, 0) if a in held else (b, a, 1)
            return (
                f"{equal}. {capital(say.cell(there))} holds {say.sign(value)}; with {say.sign(1 - value)} at {say.cell(open_)}, "
                f"that {one} would be in {other}"
            )
        rest = say.holding([fact for fact in self.known if fact[0] not in {*first[:same], *second[:same]}])
        return f"{equal}. Further on that cannot be, as {rest}, so {say.cell(a)} and {say.cell(b)} differ"


class Copy(Group):
    """A clue that makes cells equal or opposite, and what is known of some; the others follow. As a contradiction: the cells that
    do not agree, or one cell with the two values that it is given.
    """

    def says(self, say: _Say, step: Step) -> str:
        if not step.sets and self.known[0][0] == self.known[1][0]:
            return f"{say.cell(self.known[0][0])} is given twice, with different values"
        (bond, named), pairs = say.bond(self.clue), self._pairs(say, step)
        if not step.sets:
            return f"{say.holding(self.known)}, though {bond}"
        if named and len(pairs) <= _PAIRS:
            told = [f"{say.cell(cell)} is {say.sign(value)} like {say.cell(other)}" for cell, value, other in pairs]
            return f"{bond}, so {listed(told)}"
        told_ = say.holding([(other, dict(self.known)[other]) for _, _, other in pairs])
        so = say.holding(step.sets)
        return pick(
            say.voice, f"{told_}. {capital(bond)}, so {so}", f"{bond}, and {told_}. So {so}", f"{bond}. {capital(told_)}, so {so}"
        )

    def brief(self, say: _Say, step: Step) -> str:
        like, pairs = "like" if say.clues[self.clue][0] == _EQUAL else "opposite to", self._pairs(say, step)
        if len(pairs) > _PAIRS:
            return f"{say.holding(step.sets)} ({say.bond(self.clue)[0]})"
        return "; ".join([f"{say.cell(cell)} is {say.sign(value)} ({like} {say.cell(other)})" for cell, value, other in pairs])

    def _pairs(self, say: _Say, step: Step) -> list[tuple[int, int, int]]:
        """Each cell that is set, its value, and the cell that it goes with."""
        with_ = {cell: other for a, b in zip(*say.groups(self.clue), strict=True) for cell, other in ((a, b), (b, a))}
        return [(cell, value, with_[cell]) for cell, value in step.sets]


class Completion(Found[_Say]):
    """With these known cells (masks) every legal line has the same values in others.

    patterns: all such lines, if they are few; else `within` leads from the other value to a contradiction in the line, or is
    empty if nothing shorter than listing shows it.
    """

    line: int
    known: int
    ones: int
    patterns: tuple[int, ...] = ()

    def says(self, say: _Say, step: Step) -> str:
        if step.within:
            ((cell, value),) = step.sets
            place = say.along(self.line, [say.number(self.line, cell)])
            name, wrong, tale = say.name(self.line), say.sign(1 - value), say.story(step.within)
            so = f"{place} of {name} holds {say.sign(value)}"
            return pick(
                say.voice,
                f"in {name}, suppose {place} holds {wrong}. Then {tale}. So {so}",
                f"try {wrong} at {place} of {name}. Then {tale}. That rules it out, so {so}",
                f"if {place} of {name} held {wrong}, this would follow: {tale}. So {so}",
            )
        if not step.sets:
            if text := self._none(say):
                return text
            reads = say.reads(self.line, self.known, self.ones)
            return pick(
                say.voice,
                f"{say.name(self.line)} has {reads}, and no filling of the dots is legal",
                f"there is no legal way to complete {say.name(self.line)} from {reads}",
                f"whatever stands at the dots, {reads} makes {say.name(self.line)} illegal",
            )
        so, far = say.holding(step.sets, self.line), say.far(self.line, self.known, self.ones)
        scarce = self._scarce(say, step)
        if scarce:
            return f"{scarce}. So {so}"
        if len(self.patterns) != 1 or say.length(self.line) - self.known.bit_count() > LISTED:
            tried = self._tried(say, step)
            if tried:
                return f"in {say.name(self.line)}, {tried}"
        ways = [say.reads(self.line, -1, one) for one in self.patterns]
        if len(ways) == 1:
            return pick(
                say.voice,
                f"{far}, and the one legal way to complete it is {ways[0]}; so {so}",
                f"{far}. Only {ways[0]} completes it by the rules, so {so}",
                f"{far}. Every filling but {ways[0]} has a run of three or the wrong count, so {so}",
            )
        if ways:
            all_ = "both" if len(ways) == 2 else "all"
            return pick(
                say.voice,
                f"{far}, and can only become {listed(ways, 'or')}; so {so}",
                f"{far}. The legal ways to complete it are {listed(ways)}, and in {all_} of them {so}",
                f"{far}. What is possible is {listed(ways, 'or')}; in {all_} of them {so}",
            )
        return pick(
            say.voice,
            f"{far}, and in every legal way to complete it {so}",
            f"{far}. However it is completed without a run of three and with the right counts, {so}",
            f"{far}. All fillings that the rules allow have in common that {so}",
        )

    def _scarce(self, say: _Say, step: Step, brief: bool = False) -> str:
        """That the line lacks one digit only, which has to break a run of three; "" if it is not so."""
        found = say.lacking(self.line, self.known, self.ones, step.sets)
        if found is None:
            return ""
        scarce, runs = found
        line, other, noun = say.name(self.line), say.sign(1 - scarce), "column" if self.line < say.rows else "row"
        parts = []
        for run, open_ in runs:
            there = listed([str(place + 1) for place in bits(open_)], "or")
            three = "these three" if run == open_ else say.along(self.line, [place + 1 for place in bits(run)])
            parts.append(f"at {noun} {there}, or {three} would all hold {other}")
        lacks = f"{line} lacks only one {say.sign(scarce)}"
        if brief:
            return f"{lacks}, which must be {', and '.join(parts)}"
        return f"{lacks}. It must be {', and also '.join(parts)}"

    def _board(self, say: _Say, but: int = 0) -> _Board:
        """A board with the known cells of the line alone. but: without those of this mask."""
        board = _Board(LinesTable(say.rows, say.cols, False, ()), ())
        for cell, value in zip(say.cells(self.line, self.known & ~but), self._values(but), strict=True):
            board.put(cell, value, "?")
        return board

    def _values(self, but: int) -> list[int]:
        return [self.ones >> place & 1 for place in bits(self.known & ~but)]

    def _none(self, say: _Say) -> str:
        """What follows within the line down to the contradiction, or two places that need the last of a digit; "" if neither."""
        last = self.known & -self.known
        facts = [(cell, int(self.ones & last > 0)) for cell in say.cells(self.line, last)]
        tale = self._board(say, last).supposing(facts, only=self.line).refuted(2)
        if tale is not None:
            return say.story(tale[1])
        return say.torn(self.line, self.known, self.ones)

    def _tried(self, say: _Say, step: Step) -> str:
        """A reason for each cell in turn: what follows from those before, else that its other value ends in a contradiction."""
        board = self._board(say)
        told: list[str] = []
        links, left = 0, dict(step.sets)
        while left and len(told) < _TOGETHER:
            stories: list[tuple[int, int, str]] = []
            known, ones = board.ones[self.line] | board.zeros[self.line], board.ones[self.line]
            for cell, value in left.items():
                bit = 1 << say.number(self.line, cell) - 1
                if torn := say.torn(self.line, known | bit, ones | (0 if value else bit)):
                    stories.append((2, cell, torn))
                tale = board.supposing([(cell, 1 - value)], only=self.line).refuted(2)
                if tale is not None:
                    stories.append((len(tale[1]), cell, say.story(tale[1])))
            if not stories:
                return ""
            size, cell, why = min(stories)
            value, links = left.pop(cell), links + size
            place = say.along(self.line, [say.number(self.line, cell)])
            told.append(f"suppose {place} holds {say.sign(1 - value)}. Then {why}. So {place} holds {say.sign(value)}")
            board = board.supposing([(cell, value)])
        return "" if left or links > _LINKS else ". ".join([told[0], *map(capital, told[1:])])

    def brief(self, say: _Say, step: Step) -> str:
        scarce = self._scarce(say, step, brief=True)
        if scarce:
            return f"{say.held(self.line, step.sets)} ({scarce})"
        if len(step.sets) == 1:
            ((cell, value),) = step.sets
            bit = 1 << say.number(self.line, cell) - 1
            if torn := say.torn(self.line, self.known | bit, self.ones | (0 if value else bit)):
                return f"{say.held(self.line, step.sets)} (with {say.sign(1 - value)} there, {torn})"
        reads = say.reads(self.line, self.known, self.ones)
        ways = listed([say.reads(self.line, -1, one) for one in self.patterns], "or")
        why = f", now {reads}, can only become {ways}" if ways else f" is so in every legal way to complete {reads}"
        return f"{say.held(self.line, step.sets)} ({say.name(self.line)}{why})"

    def rests(self, say: _Say) -> Collection[int]:
        return say.cells(self.line, self.known)


class Distinct(Found[_Say]):
    """With these known cells (masks), the legal lines that are not ruled out have the same values in others.

    left: how many these are; ways: they themselves, if they are few. out: each pattern that the step refutes, and why: the
    complete parallel line that it would repeat.
    """

    line: int
    known: int
    ones: int
    left: int
    out: tuple[tuple[int, int], ...]
    ways: tuple[int, ...] = ()

    def says(self, say: _Say, step: Step) -> str:
        bad = []
        for why in dict.fromkeys([why for _, why in self.out]):
            out = [say.reads(self.line, -1, pattern) for pattern, other in self.out if other == why]
            ways = listed(out) if len(out) < 4 else f"{', '.join(out[:3])} and {len(out) - 3} more"
            if why < say.rows + say.cols:
                bad.append(f"{ways} would repeat {say.name(why)}")
            else:
                bad.append(f"{ways} would break the rule “{say.clue(why - say.rows - say.cols)}”")
        far = say.far(self.line, self.known, self.ones)
        if not step.sets:
            if self.known == (1 << say.length(self.line)) - 1 and self.out[0][1] < say.rows + say.cols:
                reads = say.reads(self.line, self.known, self.ones)
                now = f"{say.name(self.line)} and {say.name(self.out[0][1])} both read {reads}"
                return pick(
                    say.voice,
                    f"{now}, and no two {'rows' if self.line < say.rows else 'columns'} may be equal",
                    f"{now}, although they have to differ",
                )
            return f"{far}, and no way to complete it is left: {listed(bad)}"
        so = say.holding(step.sets, self.line)
        if self.ways:
            left = listed([say.reads(self.line, -1, way) for way in self.ways], "or")
            if len(self.ways) > 1:
                so = f"in {'both' if len(self.ways) == 2 else 'each'} of them {so}"
            return pick(
                say.voice,
                f"{far}; {listed(bad)}, so it is {left}{';' if len(self.ways) > 1 else ', and'} {so}",
                f"{far}. {capital(listed(bad))}. That leaves {left}{';' if len(self.ways) > 1 else ', so'} {so}",
                f"{far}. It cannot become {self._not(say)}. What is left is {left}{';' if len(self.ways) > 1 else ', so'} {so}",
            )
        return pick(
            say.voice,
            f"{far}; {listed(bad)}, and in all the other legal ways to complete it {so}",
            f"{far}. {capital(listed(bad))}. In every other filling that the rules allow {so}",
        )

    def _not(self, say: _Say, plain: bool = False) -> str:
        """The refuted patterns, with what each would repeat or break."""
        parts = []
        for why in dict.fromkeys([why for _, why in self.out]):
            out = listed([say.reads(self.line, -1, pattern) for pattern, other in self.out if other == why], "or")
            clue = why - say.rows - say.cols
            reason = f"like {say.name(why)}" if clue < 0 else f"against “{say.clue(clue)}”"
            parts.append(f"{out}, {reason}" if plain else f"{out} ({reason})")
        return listed(parts, "or")

    def brief(self, say: _Say, step: Step) -> str:
        return (
            f"{say.held(self.line, step.sets)} ({say.name(self.line)}, now {say.reads(self.line, self.known, self.ones)}, "
            f"would otherwise become {self._not(say, plain=True)})"
        )

    def rests(self, say: _Say) -> Collection[int]:
        others = dict.fromkeys([why for _, why in self.out if why < say.rows + say.cols])
        own = say.cells(self.line, self.known)
        return own + [cell for line in others for cell in say.cells(line, (1 << say.length(line)) - 1)]


class LineClue(Distinct):
    """The same where why may also be the number of lines + a clue that the pattern breaks."""


TECHNIQUES = tiers([Runs, Copy], [Counts, Group], [Completion], [Distinct, LineClue], *HARDEST)


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


class _Board(LineBoard):
    """only: the one line that is looked at, all if it is negative. order: in which techniques and lines take their turns."""

    SHORT = 5
    order = 0

    AHEAD = (Ahead(LookAhead, 2), Ahead(FarLookAhead, 4), Ahead(DeepLookAhead, 4, True))

    def __init__(self, table: LinesTable, ids: Sequence[str]) -> None:
        rules = ["balance", "triples", "distinct"] if table.distinct else ["balance", "triples"]
        super().__init__(table.rows, table.cols, ids, rules, PROBES, 6)
        self.table, self.only = table, -1
        self.deep = len(self.value) <= DEEP_CELLS
        self.groups = [i for i, clue in enumerate(table.clues) if len(clue) > 2]
        self.groups_of: dict[int, list[int]] = {}
        for g in self.groups:
            for cell in table.clues[g][3:]:
                self.groups_of.setdefault(cell, []).append(g)
        self.fits: list[Sequence[int]] = [legal(len(line)) for line in self.lines]
        self.forced: dict[tuple[int, int], int] = {}  # what runs and counts make of a line, see _forced

    def own(self) -> None:
        super().own()
        self.fits = list(self.fits)

    def begin(self) -> None:
        """Put in the givens; everything is fresh."""
        for i, clue in enumerate(self.table.clues):
            if len(clue) == 2:
                cell, value = clue
                if self.value[cell] == 1 - value:
                    self.note(Copy(i, ((cell, 1 - value), (cell, value))), [self.why[cell], self.ids[i]])
                if self.value[cell] < 0:
                    self.put(cell, value, self.ids[i])
        for k in (0, 2):  # the fullest line first
            self.fresh[k] = dict.fromkeys(
                sorted(self.fresh[k], key=lambda line: (self.blank(line).bit_count(), line), reverse=True)
            )
        for g in reversed(self.groups):
            self.fresh[1][g] = self.fresh[3][g] = None
        for line in range(len(self.lines)):
            self.fresh[4][line] = self.fresh[5][line] = None

    def put(self, slot: int, value: int, why: str) -> None:
        super().put(slot, value, why)
        masks = self.ones if value else self.zeros
        for line, bit in self.places[slot]:
            masks[line] |= bit
            if self.only < 0 or self.only == line:
                for fresh in (0, 2, 4, 5):
                    self.fresh[fresh].pop(line, None)  # what changed last is looked at first
                    self.fresh[fresh][line] = None
            if self.table.distinct and (self.ones[line] | self.zeros[line]).bit_count() == len(self.lines[line]):
                self.fresh[5].update(dict.fromkeys(self._parallels(line)))
        if self.only < 0:
            for g in self.groups_of.get(slot, ()):
                self.fresh[1][g] = self.fresh[3][g] = None

    def looks(self, top: int) -> Sequence[Look]:
        looks = (self._runs, self._copy, self._counts, self._group, self._completion, self._exclusion)
        picks = (newest, newest, newest, newest, self.fullest, self.fullest)
        found = list(zip(looks, self.fresh, picks, strict=True))[: (0, 2, 4, 5, 6)[top]]
        if not self.order:
            return found
        mixed = [(look, fresh, self.mixed) for look, fresh, _ in found]
        return mixed[self.order % len(mixed) :] + mixed[: self.order % len(mixed)]

    def mixed(self, fresh: dict[int, None]) -> int:
        """One of them by the order in which this supposition is gone through."""
        return min(fresh, key=lambda which: (which + 1) * self.order % _PRIME)

    def choices(self, ahead: Ahead) -> int:
        return 1 if ahead.deep else CHOICES

    def rule_out(self, ahead: Ahead, slot: int, value: int, tale: Story) -> bool:
        """Told by a shorter way, if one is found soon."""
        for order in ORDERS if not ahead.deep else ():
            if length(tale[1]) <= self.SHORT:
                break
            way = self.supposing([(slot, value)], order=order).refuted(ahead.top)
            if way is not None and length(way[1]) < length(tale[1]):
                tale = way
        return super().rule_out(ahead, slot, value, tale)

    def _parallels(self, line: int) -> range:
        return range(self.table.rows) if line < self.table.rows else range(self.table.rows, len(self.lines))

    # ---- tiers 1 and 2

    def _runs(self, line: int) -> bool:
        cells, both = self.lines[line], (self.ones[line], self.zeros[line])
        for mask in both:
            triple = mask & mask >> 1 & mask >> 2
            if triple:
                i = triple.bit_length() - 1
                self.note(Runs(line, (i, i + 1, i + 2)), [*self.whys(line, 7 << i), "triples"])
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
        blank = self.blank(line)
        for value, mask in ((1, self.ones[line]), (0, self.zeros[line])):
            over = mask.bit_count() - len(self.lines[line]) // 2
            if over > 0:
                self.note(Counts(line, value, mask), [*self.whys(line, mask), "balance"])
            if over == 0 and blank:
                sets = self.facts(line, 0, blank) if value else self.facts(line, blank, 0)
                return self.note(Counts(line, value, mask), [*self.whys(line, mask), "balance"], sets)
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

    def _completion(self, line: int) -> bool:
        fits = self._fitting(line)
        ones, known = self.ones[line], self.ones[line] | self.zeros[line]
        rules = ["balance", "triples"]
        if not fits:
            few = enough(legal(len(self.lines[line])), known, ones)
            self.note(Completion(line, few, ones & few), [*self.whys(line, few), *rules])
        to_one, to_zero = self.agreed(line, fits)
        sets = self.facts(line, to_one, to_zero)
        if not sets:
            return False
        supposed = self.mark != "#"
        if len(fits) <= (2 * LISTED if supposed else LISTED):
            return self.note(Completion(line, known, ones, tuple(fits)), [*self.whys(line, known), *rules], sets)
        if supposed:  # no story within a story
            return self.note(Completion(line, known, ones), [*self.whys(line, known), *rules], sets)
        tales = [(self.supposing([(cell, 1 - value)], only=line).refuted(2), (cell, value)) for cell, value in sets]
        stories = [(len(tale[1]), tale, fact) for tale, fact in tales if tale is not None]
        if stories:
            _, (uses, within), fact = min(stories, key=lambda entry: entry[0])
            return self.note(Completion(line, known, ones), uses, [fact], within=within)
        found = Completion(line, known, ones, tuple(fits) if len(fits) <= 2 * LISTED else ())
        return self.note(found, [*self.whys(line, known), *rules], sets)

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
        to_one, to_zero = self.agreed(line, [pattern for pattern in fits if pattern not in why])
        refuted = [pattern for pattern in fits if pattern in why and (to_one & ~pattern or to_zero & pattern)]
        if not refuted:
            return False
        ones, known = self.ones[line], self.ones[line] | self.zeros[line]
        uses = self.whys(line, known)
        for pattern in refuted:
            if why[pattern] < len(self.lines):
                uses += [*self.whys(why[pattern], -1), "distinct"]
            else:
                uses.append(self.ids[why[pattern] - len(self.lines)])
        sets = [] if len(why.keys() & set(fits)) == len(fits) else self.facts(line, to_one, to_zero)
        out = tuple([(pattern, why[pattern]) for pattern in refuted])
        left = [pattern for pattern in fits if pattern not in dict(out)]
        ways = tuple(left) if len(left) <= LISTED else ()
        return self.note(technique(line, known, ones, len(left), out, ways), [*uses, "balance", "triples"], sets)

    # ---- looking ahead

    def tried(self, literal: int, ahead: Ahead) -> Refuted | Collection[int] | None:
        if ahead.deep:  # there is no quick look
            return self.refutation(literal, ahead) or ()
        return super().tried(literal, ahead)

    def quick(self, literal: int, ahead: Ahead) -> Collection[int] | None:
        self.probes[0] += 1
        return self._probe(literal >> 1, literal & 1, ahead.top > 2)

    def _probe(self, cell: int, value: int, completing: bool) -> list[int] | None:
        """All that follows from this by runs, counts and clues, as 2 * cell + value; None if that is a contradiction.

        The same as refuted(), quickly and without steps. completing: by completion and distinct lines too.
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
        """For each line the patterns of the complete lines parallel to it; parallel lines share one set."""
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
    """The facts that a clue on groups sets, as far as cells are known, and the cells from which they follow; None if nothing.

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
