"""Human-style deduction on weighted lines (SumsTable).

A line is a row or a column; rows count from 0, columns go on from the number of rows. A line is two bit masks, of its chosen
cells and of those known not to be chosen: bit i is its cell i, which weighs i + 1. A blocked cell is known from the start, by the
rule "blocked_cells". A dropped value is a set one, so steps only set. Sentences need no nouns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from puzzlemill.core.model import Fact, Slots, Step, SumsTable
from puzzlemill.core.words import Words, capital, listed, pick
from puzzlemill.solvers.deduce.board import CHOICES, Ahead, CellBoard, LineBoard, LineSay, Look, Refuted, Story, newest
from puzzlemill.solvers.deduce.masks import bits, enough
from puzzlemill.solvers.deduce.steps import (
    DeepLookAhead,
    FarLookAhead,
    Found,
    LookAhead,
    Say,
    Search,
    sentence,
    story,
    tiers,
    trimmed,
)
from puzzlemill.solvers.deduce.steps import (
    length as steps_in,
)

MEDIUM, HARD = 3, 5

LISTED = 4  # ways to make a sum are listed in words up to this many
WAYS = 10  # of a line, which are all tried
SHORT = 6  # steps of both ways of a line together, where a person still sees them at a glance
TOLD = 4  # steps of a supposition that a sentence tells
PROBES = 75_000  # suppositions in one deduction, before the rest is left to search
BLOCKED = "blocked_cells"
_STATE = ("not chosen", "chosen")
_SHIFT = 10  # lines have at most 10 cells


def deduce(table: SumsTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    return board(table, ids).trace(answer)


def board(table: SumsTable, ids: Sequence[str]) -> CellBoard:
    """The board that finds them; see the package."""
    return _Board(table, ids)


# ---- findings, and how they are worded -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class State:
    """A line with its sum and the known cells that matter (masks): `ones` of them are chosen."""

    line: int
    total: int
    known: int
    ones: int

    @property
    def missing(self) -> int:
        return self.total - _WEIGHT[self.ones]


class _Say(LineSay):
    """Sentences about findings on one board."""

    def __init__(self, words: Words, table: SumsTable) -> None:
        super().__init__(table.rows, table.cols, words.voice)
        self.blocked = frozenset(table.blocked)

    def numbers(self, step: Step, line: int, values: Sequence[int] = (0, 1)) -> list[int]:
        """The numbers in their line of the cells that a step sets to one of these values."""
        return [self.number(line, cell) for cell, v in step.sets if v in values]

    def be(self, line: int, numbers: Sequence[int]) -> str:
        return f"{self.along(line, numbers)} {'are' if len(numbers) > 1 else 'is'}"

    def any_of(self, line: int, numbers: Sequence[int]) -> str:
        """ "column 3 or column 6": each of these by itself."""
        return listed([self.along(line, [number]) for number in numbers], "or")

    def outcome(self, step: Step, line: int) -> str:
        """ "columns 2 and 3 are chosen and column 4 is not chosen": what a step sets in its line."""
        chosen, others = self.numbers(step, line, (1,)), self.numbers(step, line, (0,))
        if not (chosen and others):
            return f"{self.be(line, chosen or others)} {_STATE[bool(chosen)]}"
        return f"{self.be(line, chosen)} chosen and {self.be(line, others)} not"

    def supposed(self, cell: int, value: int) -> str:
        return f"{self.cell(cell)} is {_STATE[value]}"

    def is_not(self, cell: int, value: int) -> str:
        return self.supposed(cell, 1 - value)

    def so(self, step: Step) -> str:
        """ "row 1 columns 2 and 3 are chosen"; for many cells row by row."""
        groups: dict[tuple[int, int], list[int]] = {}
        for cell, value in step.sets:
            groups.setdefault((cell // self.cols, value), []).append(cell % self.cols + 1)
        return listed([f"{self.name(row)} {self.be(row, numbers)} {_STATE[value]}" for (row, value), numbers in groups.items()])

    def story(self, steps: Sequence[Step]) -> str:
        """A sentence for each link, and one for the end; all begin with a capital."""
        told = trimmed(self, steps)
        links = [*[step.found.brief(self, step) for step in told[:-1]], told[-1].found.says(self, told[-1])]
        return ". ".join([f"Then {links[0]}" if links[1:] else capital(links[0]), *map(capital, links[1:])])

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return pick(
            self.voice,
            f"suppose that {supposed}. {tale}. That is a contradiction, so {so}",
            f"what if {supposed}? {tale}. That is impossible, so {so}",
            f"assume that {supposed}. {tale}. This contradicts the rules, so {so}",
        )

    # ---- parts of sentences

    def kind(self, line: int) -> str:
        """A cell of a line, as its number calls it."""
        return "column" if line < self.rows else "row"

    def others(self, at: State) -> list[int]:
        """The numbers of the cells that are not among those known."""
        return [k + 1 for k in range(self.length(at.line)) if not at.known >> k & 1]

    def needs(self, at: State) -> str:
        line = self.name(at.line)
        return pick(
            self.voice,
            f"{line} needs {at.total}",
            f"the sum of {line} is {at.total}",
            f"{line} has the sum {at.total}",
            f"{line} must add up to {at.total}",
        )

    def held(self, at: State) -> str:
        """ "columns 3 and 4 are chosen and make 3+4 = 7"."""
        numbers = _numbers(at.ones)
        return f"{self.be(at.line, numbers)} chosen{f' and make {_added(numbers)}' * (len(numbers) > 1)}"

    def closed(self, at: State) -> str:
        """Known cells that are not chosen: "column 5 is blocked and column 6 is not chosen"; of many, those that are left."""
        line, mask = at.line, at.known & ~at.ones
        if mask.bit_count() > 3 and mask == at.known and self.others(at):
            return f"all but {self.along(line, self.others(at))} are ruled out"
        shut = [self.number(line, cell) for cell in self.cells(line, mask) if cell in self.blocked]
        out = [k for k in _numbers(mask) if k not in shut]
        return " and ".join([f"{self.be(line, some)} {word}" for some, word in ((shut, "blocked"), (out, "not chosen")) if some])

    def facts(self, at: State) -> str:
        """Sum and known cells of a line: "row 4 needs 7. Column 3 is chosen, and column 5 is not chosen"."""
        known = ", and ".join([text for text in (self.held(at) if at.ones else "", self.closed(at)) if text])
        known = known.removesuffix(" chosen") if at.ones and at.ones != at.known else known
        return f"{self.needs(at)}{f'. {capital(known)}' if known else ''}"

    def rest(self, at: State) -> str:
        """The cells that are not among those known, none of which is chosen, with a verb: "the other columns make"."""
        if not at.known:
            return f"all its {self.kind(at.line)}s together make"
        many = len(self.others(at)) > 1
        if many:
            return "these make" if at.known.bit_count() > 3 else f"the other {self.kind(at.line)}s make"
        return f"{self.along(at.line, self.others(at))} alone makes"


def explain(words: Words, table: SumsTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return sentence(_Say(words, table), step)


def _numbers(mask: int) -> list[int]:
    """The numbers, from 1, of the cells in a mask."""
    return [i + 1 for i in bits(mask)]


def _added(numbers: Sequence[int]) -> str:
    """ "1+3 = 4", and of one number that alone."""
    return f"{'+'.join(map(str, numbers))} = {sum(numbers)}" if len(numbers) > 1 else str(sum(numbers))


def _choice(way: int) -> str:
    numbers = _numbers(way)
    return "+".join(map(str, numbers)) if len(numbers) > 1 else f"{numbers[0]} alone" if numbers else "no cell"


class Full(Found[_Say]):
    """The chosen cells make the sum, so no other cell is chosen (`known` are chosen); or all that can be chosen are needed for it
    (`known` are not). As a contradiction: they make more, or not enough.
    """

    at: State

    def says(self, say: _Say, step: Step) -> str:
        at, line, needs = self.at, self.at.line, say.needs(self.at)
        if at.missing and (at.missing > 0 or not at.ones):
            return self._all(say, step)
        chosen = _numbers(at.ones)
        these, many = say.along(line, chosen), len(chosen) > 1
        if not step.sets:
            return f"{needs}, but {say.held(at)}{', which is too much' if many else f' and makes {chosen[0]} already'}"
        so = say.outcome(step, line) if len(step.sets) < 4 else f"no other {say.kind(line)} is chosen"
        if not chosen:
            return f"{needs}, so none of its cells is chosen"
        if many:
            return pick(
                say.voice,
                f"{needs}, and {these}, which are chosen, already make {_added(chosen)}, so {so}",
                f"{these} of {say.name(line)} are chosen and already make {_added(chosen)}, the whole sum, so {so}",
                f"in {say.name(line)}, {these} are chosen and make the whole sum, {_added(chosen)}, so {so}",
                f"with {these} chosen, {say.name(line)} has its full sum, {_added(chosen)}, so {so}",
            )
        return pick(
            say.voice,
            f"{needs}, and {these}, which is chosen, makes that by itself, so {so}",
            f"{say.name(line)} needs {at.total} and has it from {these}, which is chosen, so {so}",
            f"in {say.name(line)}, {these} is chosen and makes the whole sum of {at.total}, so {so}",
            f"with {these} chosen, {say.name(line)} has its full sum of {at.total}, so {so}",
        )

    def _all(self, say: _Say, step: Step) -> str:
        at, line, needs, others = self.at, self.at.line, say.needs(self.at), say.others(self.at)
        if not others:
            return f"{needs}, but none of its cells can be chosen"
        rest, added = say.rest(at), _added(others)
        if not step.sets:
            if at.known.bit_count() > 3:
                return f"{say.facts(at)}, and {rest} only {added}"
            return f"{needs}, but {f'{say.closed(at)}, and ' if at.known else ''}{rest} only {added}"
        numbers = say.numbers(step, line)
        so = f"{say.be(line, numbers)} {'also ' * (len(numbers) < len(others))}chosen"
        if not at.known:
            so = "all of them are chosen" if len(numbers) == len(others) else so
            return f"{needs}, and {rest} exactly {added}, so {so}"
        if len(others) == 1:
            return f"{say.facts(at)}, so {so}"
        return pick(
            say.voice,
            f"{say.facts(at)}, and {rest} exactly {added}, so {so}",
            f"{say.facts(at)}. Together {rest} exactly {added}, so {so}",
            f"{say.facts(at)}. {'All of these' if at.known.bit_count() > 3 else 'All the others'} are needed ({added}), so {so}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        at, line, so = self.at, say.name(self.at.line), say.outcome(step, self.at.line)
        if at.missing:
            return f"{line} can make {at.total} only as {_choice(sum([1 << k - 1 for k in say.others(at)]))}, so {so}"
        these = say.along(at.line, _numbers(at.ones))
        return f"with {these} chosen, {line} has its {at.total} already, so {so}" if at.total else f"{line} needs 0, so {so}"

    def rests(self, say: _Say) -> Collection[int]:
        return say.cells(self.at.line, self.at.known)


class Weight(Found[_Say]):
    """Cells that weigh more than what is missing are not chosen (`known` are chosen); or without one of these cells the others
    are not enough, so it is chosen (`known` are not).
    """

    at: State

    def says(self, say: _Say, step: Step) -> str:
        at, line, needs = self.at, self.at.line, say.needs(self.at)
        numbers = say.numbers(step, line)
        if step.sets[0][1]:
            return self._without(say, step)
        these, many, missing, so = say.along(line, numbers), len(numbers) > 1, at.missing, say.outcome(step, line)
        they = "they are" if many else "it is"
        if not at.known:
            more = "count more" if many else "counts more"
            return pick(
                say.voice,
                f"{needs}, and {these} would {'each ' * many}be too much, so {they} not chosen",
                f"{say.name(line)} needs only {at.total}, so {these}, which {more}, {'are' if many else 'is'} not chosen",
                f"{needs}, so no number above {at.total} can be used: {so}",
            )
        facts, each = say.facts(at), "each " * many
        return pick(
            say.voice,
            f"{facts}. Only {missing} is missing, so {so}",
            f"{facts}. That leaves {missing}, which is less than {min(numbers)}, so {so}",
            f"{facts}, so only {missing} is missing. {capital(these)} would {each}be too much, so {they} not chosen",
            f"{facts}. With only {missing} missing, {so}",
        )

    def _without(self, say: _Say, step: Step) -> str:
        at, line, facts, others = self.at, self.at.line, say.facts(self.at), say.others(self.at)
        numbers, so, over = say.numbers(step, line), say.outcome(step, line), sum(others) - self.at.total
        least = [number for number in others if number != numbers[0]]
        first, later = say.along(line, numbers[:1]), numbers[1:]
        if not least:
            return f"{facts}, so {so}"
        less = f", and without {say.any_of(line, later)} even less" if later else ""
        return pick(
            say.voice,
            f"{facts}. Without {first} the rest makes at most {_added(least)}{less}, so {so}",
            f"{facts}{', and' if at.known else '.'} {say.rest(at) if at.known else capital(say.rest(at))} {_added(others)}, "
            f"which is {over} too much. Nothing above {over} can be left out, so {so}",
            f"{facts}. If {first} were left out, the rest would make at most {_added(least)}{less}, so {so}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        at, line, so = self.at, say.name(self.at.line), say.outcome(step, self.at.line)
        if step.sets[0][1]:
            numbers = say.numbers(step, at.line)
            least = [number for number in say.others(at) if number != numbers[0]]
            less = f", and even less without {say.any_of(at.line, numbers[1:])}" if numbers[1:] else ""
            most = f"makes at most {_added(least)}, not {at.total}{less}" if least else "makes nothing"
            return f"without {say.along(at.line, numbers[:1])}, {line} {most}, so {so}"
        if not at.ones:
            return f"{line} needs only {at.total}, so {so}"
        return f"with {say.along(at.line, _numbers(at.ones))} chosen, {line} lacks only {at.missing}, so {so}"

    def rests(self, say: _Say) -> Collection[int]:
        return say.cells(self.at.line, self.at.known)


class Completion(Found[_Say]):
    """All choices of the other cells that make the sum agree on some. As a contradiction: there is no such choice.

    ways: the choices, if they are few, as masks of the cells that they choose in addition to the known ones.
    """

    at: State
    ways: tuple[int, ...] = ()

    def says(self, say: _Say, step: Step) -> str:
        at, facts = self.at, say.facts(self.at)
        lacks, so = f"the missing {at.missing}" if at.ones else f"the {at.total}", say.outcome(step, at.line) if step.sets else ""
        others = say.others(at)
        if not step.sets:
            if at.missing < 0 or not others:
                return f"{facts}, which does not make that sum"
            return pick(
                say.voice,
                f"{facts}. No choice among {listed([str(k) for k in others])} makes {lacks}",
                f"{facts}. {capital(lacks)} cannot be made from {listed([str(k) for k in others])}",
            )
        if not at.missing:
            return f"{facts}. Nothing is missing, so {so}"
        if self.ways:
            ways = [_choice(way) for way in self.ways]
            if len(ways) == 1:
                return self._one_way(say, step)
            either = "either way" if len(ways) == 2 else "in each case"
            return pick(
                say.voice,
                f"{facts}. {capital(lacks)} can only be {listed(ways, 'or')}. {capital(either)}, {so}",
                f"{facts}. The only ways to make {lacks} are {listed(ways)}; {either}, {so}",
                f"{facts}. Only {listed(ways, 'or')} makes {lacks}, so {either} {so}",
            )
        return f"{facts}. In every way to make {lacks} from {listed([str(k) for k in others])}, {so}"

    def _one_way(self, say: _Say, step: Step) -> str:
        at, facts, numbers = self.at, say.facts(self.at), _numbers(self.ways[0])
        lacks, so = f"the missing {at.missing}" if at.ones else f"the {at.total}", say.outcome(step, at.line)
        chosen = say.numbers(step, at.line, (1,))
        if not at.ones and len(step.sets) - len(chosen) > 3 and chosen == numbers:
            so = f"{say.be(at.line, chosen)} chosen and no other {say.kind(at.line)} is"
        which = say.along(at.line, numbers) if len(numbers) == 1 else ""
        if not at.known:
            can = f"can only come from {which}" if which else f"can only be {_choice(self.ways[0])}"
            only = f"only {which or _choice(self.ways[0])} makes"
            return pick(say.voice, f"{facts}, which {can}, so {so}", f"{facts}, and {only} that, so {so}")
        if which:
            return pick(
                say.voice,
                f"{facts}. {capital(lacks)} can only come from {which}, so {so}",
                f"{facts}. Only {which} makes {lacks}, so {so}",
            )
        way = _choice(self.ways[0])
        return pick(
            say.voice,
            f"{facts}. {capital(lacks)} can only be {way}, so {so}",
            f"{facts}. Only {way} makes {lacks}, so {so}",
            f"{facts}. That leaves {way} as the only way to make {lacks}, so {so}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        line, so = say.name(self.at.line), say.outcome(step, self.at.line)
        if self.ways and self.at.missing:  # the whole sum: more of its cells may be chosen by now than those that matter
            whole = listed([_choice(way | self.at.ones) for way in self.ways], "or")
            return f"{line} can make {self.at.total} only as {whole}, so {so}"
        return f"in every way to make {self.at.total} in {line}, {so}"

    def rests(self, say: _Say) -> Collection[int]:
        return say.cells(self.at.line, self.at.known)


class OneWay(Completion, technique="weight"):
    """One choice makes the sum, as full lines and weights would say one after the other; or none does, as a contradiction."""


class DoubleCount(Found[_Say]):
    """The sums of rows, each times the number of its row, add up to what those of columns do, each times its number: in both, a
    chosen cell counts its row number times its column number.

    If every other line has a clue or is complete, that gives this line's total, and the rest is as in `then`. As a contradiction:
    the line has no such choice; or, without `then`, what is left for it is no sum of cells; or, with line -1, no line is left,
    and the two differ. sums: those of all lines, that of this line as 0.
    """

    line: int
    sums: tuple[int, ...]
    then: Completion | None = None

    def says(self, say: _Say, step: Step) -> str:
        sides, column = ["all rows", "all columns"], self.line >= say.rows
        if self.line >= 0:
            sides[column] += f" but {say.name(self.line)}"
        terms, found = [], []
        for totals in (self.sums[: say.rows], self.sums[say.rows :]):
            terms.append(" + ".join([f"{number}×{total}" for number, total in enumerate(totals, 1) if total]) or "0")
            found.append(sum([number * total for number, total in enumerate(totals, 1)]))
        text = (
            "let each chosen cell count as its row number times its column number. Then each row counts as its number times its "
            f"sum, and {sides[0]} make {terms[0]} = {found[0]}. In the same way, {sides[1]} make {terms[1]} = {found[1]}. "
        )
        if self.line < 0:
            return f"{text}Both count the same cells, so {found[0]} and {found[1]} would have to be equal"
        number, name = self.line - say.rows * column + 1, say.name(self.line)
        more, less = found if column else found[::-1]
        product = f"{f'{number} times ' * (number > 1)}the sum of {name}"
        if self.then is None:
            why = "which is less than 0"
            if more >= less:
                why = f"which is no multiple of {number}" if (more - less) % number else f"which is more than {name} can make"
            return f"{text}Both count the same cells, so {product} would have to be {more}-{less} = {more - less}, {why}"
        total = f", and the sum is {self.then.at.total}" if number > 1 else ""
        then = capital(self.then.says(say, step))
        return f"{text}Both count the same cells, so {product} is {more}-{less} = {more - less}{total}. {then}"


class TwoWays(Found[_Say]):
    """Two choices of the line's other cells make the sum. Both are tried, and `within` is what follows from each, by full lines
    and weights, at most 6 steps in all. If one ends in a contradiction, the other is so; else what both set is so.

    tried: each choice, as a mask, with the number of its steps.
    """

    at: State
    tried: tuple[tuple[int, int], ...]

    def says(self, say: _Say, step: Step) -> str:
        line, lacks = self.at.line, f"the missing {self.at.missing}" if self.at.ones else f"the {self.at.total}"
        choices = [_choice(way) for way, _ in self.tried]
        text = f"{say.facts(self.at)}. {capital(lacks)} can only be {listed(choices, 'or')}. "
        begin, left = 0, []
        for choice, (_, count) in zip(choices, self.tried, strict=True):
            steps = step.within[begin : begin + count]
            begin += count
            if steps:
                text += f"Suppose that it is {choice}. {say.story(steps)}. "
                text += "" if steps[-1].sets else "That is a contradiction. "
            if not steps or steps[-1].sets:
                left.append(choice)
        if not step.sets:
            return text + ("So neither is possible" if len(choices) == 2 else "So none of these is possible")
        if len(left) == 1:
            return f"{text}So it is {left[0]}: {say.outcome(step, line)}"
        if len(left) < len(choices):
            text += f"So it is {listed(left, 'or')}. "
        lines = {cell // say.cols if line < say.rows else say.rows + cell % say.cols for cell, _ in step.sets}
        so = say.outcome(step, line) if lines == {line} else say.so(step)
        return f"{text}{'Either way' if len(left) == 2 else 'In every case'}, {so}"


class AllWays(TwoWays):
    """The same by completion too, in any number of steps, for a line of up to 10 ways: what is so in all those that do not end in
    a contradiction is so.
    """


class LongAllWays(AllWays):
    """The same in so many steps that no sentence tells them."""

    def says(self, say: _Say, step: Step) -> str:
        lacks = f"the missing {self.at.missing}" if self.at.ones else f"the {self.at.total}"
        ways = listed([_choice(way) for way, _ in self.tried], "or")
        end = f"what lasts agrees that {say.so(step)}" if step.sets else "none of them is possible"
        return f"{say.facts(self.at)}. {capital(lacks)} can only be {ways}. Followed in {steps_in(step.within)} steps, {end}"


class LongLookAhead(LookAhead):
    """Looking ahead in so many steps that no sentence tells them."""

    def says(self, say: Say, step: Step) -> str:
        supposed, so = say.supposed(self.cell, self.value), say.is_not(self.cell, self.value)
        return f"suppose that {supposed}. In {steps_in(step.within)} steps, this ends in a contradiction, so {so}"


class LongFarLookAhead(LongLookAhead):
    """The same by more of the techniques that are easier than this."""


class LongDeepLookAhead(LongLookAhead):
    """The same with looking ahead within the supposition too."""


_LONG = {LookAhead: LongLookAhead, FarLookAhead: LongFarLookAhead, DeepLookAhead: LongDeepLookAhead}
TECHNIQUES = tiers(
    [Full],
    [Weight],
    [Completion],
    [DoubleCount, TwoWays],
    [LookAhead, LongLookAhead],
    [FarLookAhead, LongFarLookAhead],
    [AllWays, LongAllWays],
    [DeepLookAhead, LongDeepLookAhead],
    [Search],
)


# ---- lines --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def ways(length: int, total: int) -> tuple[int, ...]:
    """Masks of the cells of every choice in a line of this length that makes this sum."""
    found = [(0, 0)]
    for i in range(length):
        found += [(mask | 1 << i, weight + i + 1) for mask, weight in found if weight + i + 1 <= total]
    return tuple(sorted([mask for mask, weight in found if weight == total]))


_WEIGHT = [0]  # what the cells of every mask add up to
for _i in range(_SHIFT):
    _WEIGHT += [_weight + _i + 1 for _weight in _WEIGHT]


@lru_cache(maxsize=1 << 15)
def forced(length: int, total: int, ones: int, zeros: int, completing: bool) -> int:
    """Blank cells of a line that must be chosen (shifted) and that must not be, as one mask; -1 if it cannot make this sum.

    By full lines and weights, again and again; completing: by all choices that make the sum.
    """
    full = (1 << length) - 1
    known = ones | zeros
    if completing:
        every, some = -1, 0
        for mask in ways(length, total):
            if mask & known == ones:
                every &= mask
                some |= mask
        return -1 if every < 0 else (every & ~known) << _SHIFT | full & ~some & ~known
    one, zero = ones, zeros
    while True:
        missing = total - _WEIGHT[one]
        blank = full & ~one & ~zero
        spare = _WEIGHT[blank] - missing
        if missing < 0 or spare < 0:
            return -1
        heavy, needs = blank >> missing << missing, blank >> spare << spare
        if heavy & needs:
            return -1
        if not heavy and not needs:
            return (one & ~known) << _SHIFT | zero & ~known
        one, zero = one | needs, zero | heavy


class _Board(LineBoard):
    """unharmed: without completion and with it, literals that need not be supposed as long as these lines (a mask) do not change.

    moved: lines whose cells changed since the harmless ones were looked through.
    """

    AHEAD = (Ahead(LookAhead, 2), Ahead(FarLookAhead, 3), Ahead(DeepLookAhead, 4, True))
    STAYS = True

    def __init__(self, table: SumsTable, ids: Sequence[str]) -> None:
        super().__init__(table.rows, table.cols, ids, [BLOCKED] if table.blocked else [], PROBES, 3)
        self.table = table
        self.hints: list[list[int]] = [[] for _ in self.lines]  # the clues of each line
        for i, (line, _) in enumerate(table.clues):
            self.hints[line].append(i)
        self.sums = [[(len(cells), table.clues[i][1]) for i in self.hints[line]] for line, cells in enumerate(self.lines)]
        self.unharmed: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self.moved = 0
        self.fresh = [dict.fromkeys(range(len(self.lines) - 1, -1, -1)) for _ in range(3)]
        for cell in table.blocked:
            if self.value[cell] < 0:
                self.put(cell, 0, BLOCKED)

    def own(self) -> None:
        super().own()
        self.unharmed = (dict(self.unharmed[0]), dict(self.unharmed[1]))

    def put(self, slot: int, value: int, why: str) -> None:
        super().put(slot, value, why)
        masks = self.ones if value else self.zeros
        for line, bit in self.places[slot]:
            masks[line] |= bit
            self.moved |= 1 << line
            for fresh in self.fresh:
                fresh.pop(line, None)  # what changed last is looked at first
                fresh[line] = None

    def looks(self, top: int) -> Sequence[Look]:
        looks = [partial(self._line, look, k == 2) for k, look in enumerate((self._full, self._weight, self._completion))]
        return list(zip(looks, self.fresh, (newest, newest, self.fullest), strict=True))[:top]

    def run(self, top: int) -> None:
        """Apply techniques of these tiers until none gives anything; all_ways() is apart."""
        super().run(top)
        while top > 3 and self._double_count():
            super().run(top)

    def leap(self, answer: Slots | None) -> bool:
        return self.all_ways(2) or self.look_ahead(answer, False) or self.all_ways(3) or self.look_ahead(answer)

    def _line(self, look: Callable[[int], bool], completing: bool, line: int) -> bool:
        """Let a technique look at a line's clues, if there is something to find."""
        ones, zeros = self.ones[line], self.zeros[line]
        for length, total in self.sums[line]:
            if forced(length, total, ones, zeros, completing):
                return any(look(clue) for clue in self.hints[line])
        return False

    def _uses(self, clue: int, mask: int) -> list[str]:
        return [self.ids[clue], *self.whys(self.table.clues[clue][0], mask)]

    # ---- one line

    def _full(self, clue: int) -> bool:
        line, total = self.table.clues[clue]
        ones, zeros, blank = self.ones[line], self.zeros[line], self.blank(line)
        missing = total - _WEIGHT[ones]
        if missing <= 0 and (blank or missing < 0):
            sets = self.facts(line, 0, 0 if missing else blank)
            return self.note(Full(State(line, total, ones, ones)), self._uses(clue, ones), sets)
        if missing >= _WEIGHT[blank] and (blank or missing > 0):
            sets = self.facts(line, blank if missing == _WEIGHT[blank] else 0, 0)
            return self.note(Full(State(line, total, zeros, 0)), self._uses(clue, zeros), sets)
        return False

    def _weight(self, clue: int) -> bool:
        line, total = self.table.clues[clue]
        ones, zeros, blank = self.ones[line], self.zeros[line], self.blank(line)
        missing = total - _WEIGHT[ones]
        found = forced(len(self.lines[line]), total, ones, self.zeros[line], False)
        if found < 0 or (found | found >> _SHIFT) & blank == blank:
            settled = self._complete(line, total)
            if settled is None:
                raise AssertionError("weights settle a line that has other ways")
            sets, way = settled
            return self.note(OneWay(way.at, way.ways), self._uses(clue, way.at.known), sets)
        heavy = blank >> missing << missing if missing >= 0 else 0  # cells i with i + 1 > missing
        if heavy:
            return self.note(Weight(State(line, total, ones, ones)), self._uses(clue, ones), self.facts(line, 0, heavy))
        spare = _WEIGHT[blank] - missing
        needs = blank >> spare << spare if spare >= 0 else 0  # without cell i of i + 1 > spare there is not enough
        if needs:
            return self.note(Weight(State(line, total, zeros, 0)), self._uses(clue, zeros), self.facts(line, needs, 0))
        return False

    def _completion(self, clue: int) -> bool:
        line, total = self.table.clues[clue]
        found = self._complete(line, total)
        if found is None:
            return False
        if self._take_back_weight(line, total):
            found = self._complete(line, total) or found
        sets, completion = found
        return self.note(completion, self._uses(clue, completion.at.known), sets)

    def _few(self, every: Sequence[int], known: int, ones: int) -> int:
        """The known cells that leave only those ways to make a sum that fit all of them: as few as will do under a supposition,
        else all that are chosen among them, since who counts what is missing counts these.
        """
        if self.mark != "#":
            return enough([mask for mask in every if mask & known != ones], known, ones)
        return ones | enough([mask for mask in every if mask & ones == ones and mask & known != ones], known & ~ones, 0)

    def _take_back_weight(self, line: int, total: int) -> bool:
        """Take back the last step if it said by weights a part of what the few ways to complete this line say at once."""
        last = self.steps[-1].found if self.steps and self.mark == "#" else None
        if not isinstance(last, Weight) or last.at.line != line:
            return False
        back = sum([1 << self.lines[line].index(cell) for cell, _ in self.steps[-1].sets])
        known, ones = (self.ones[line] | self.zeros[line]) & ~back, self.ones[line] & ~back
        if sum([mask & known == ones for mask in ways(len(self.lines[line]), total)]) > LISTED:
            return False
        for cell, _ in self.steps.pop().sets:
            self.value[cell], self.why[cell] = -1, ""
            self.open += 1
            for place, bit in self.places[cell]:
                self.ones[place] &= ~bit
                self.zeros[place] &= ~bit
        return True

    def _complete(self, line: int, total: int) -> tuple[list[Fact], Completion] | None:
        """The facts that a line with this sum sets, and why. None if it sets nothing, no facts if no way is left."""
        ones, known = self.ones[line], self.ones[line] | self.zeros[line]
        every = ways(len(self.lines[line]), total)
        fits = [mask for mask in every if mask & known == ones]
        if not fits:
            few = enough(every, known, ones)
            return [], Completion(State(line, total, few, ones & few))
        to_one, to_zero = self.agreed(line, fits)
        sets = self.facts(line, to_one, to_zero)
        if not sets:
            return None
        if len(fits) <= LISTED:
            few = self._few(every, known, ones)
            # the words must say what is used: the listed ways leave out the known cells that matter
            left = tuple([mask & ~few for mask in every if mask & few == ones & few])
            return sets, Completion(State(line, total, few, ones & few), left)
        few = enough([mask for mask in every if to_one & ~mask or to_zero & mask], known, ones)
        return sets, Completion(State(line, total, few, ones & few))

    # ---- all lines together

    def _double_count(self) -> bool:
        """The sum of the one line without a clue that is not complete, from all others."""
        rows = self.table.rows
        counted, uses = [0, 0], []
        unknown, sums = list[int](), [0] * len(self.lines)
        for line, cells in enumerate(self.lines):
            number, across = (line + 1, 0) if line < rows else (line + 1 - rows, 1)
            known = self.ones[line] | self.zeros[line]
            if self.hints[line]:
                sums[line] = self.table.clues[self.hints[line][0]][1]
                uses.append(self.ids[self.hints[line][0]])
            elif known.bit_count() == len(cells):
                sums[line] = _WEIGHT[self.ones[line]]
                uses += self.whys(line, known)
            else:
                unknown.append(line)
            counted[across] += number * sums[line]
        if len(unknown) > 1:
            return False
        if not unknown:
            return counted[0] != counted[1] and self.note(DoubleCount(-1, tuple(sums)), uses)
        (line,) = unknown
        number, across = (line + 1, 0) if line < rows else (line + 1 - rows, 1)
        total, rest = divmod(counted[1 - across] - counted[across], number)
        length = len(self.lines[line])
        if rest or not 0 <= total <= length * (length + 1) // 2:
            return self.note(DoubleCount(line, tuple(sums)), uses)
        found = self._complete(line, total)
        if found is None:
            return False
        sets, completion = found
        uses += self.whys(line, completion.at.known)
        return self.note(DoubleCount(line, tuple(sums), completion), uses, sets)

    # ---- looking ahead

    def all_ways(self, top: int) -> bool:
        """Try all ways of a line that has few: two ways by tiers 1 and 2, or more by tier 3 too. False if that gives nothing."""
        found: list[tuple[int, int]] = []
        for clue, (line, _) in enumerate(self.table.clues):
            fits = self._left(clue)
            if not 2 <= len(fits) <= (2 if top == 2 else WAYS) or len(found) == CHOICES or self.probes[0] >= PROBES:
                continue
            ends = [self._try(self.facts(line, mask, ~mask), top == 3) for mask in fits]
            lasting = [set(follows) for follows, _ in ends if follows is not None]
            if not lasting or set.intersection(*lasting):
                found.append((sum([looked.bit_count() for _, looked in ends]), clue))
        return any(self._note_ways(clue, top) for _, clue in sorted(found))

    def _left(self, clue: int) -> list[int]:
        """The ways to make a clue's sum that the known cells of its line leave, if the line is not complete."""
        line, total = self.table.clues[clue]
        known = self.ones[line] | self.zeros[line]
        if known.bit_count() == len(self.lines[line]):
            return []
        return [mask for mask in ways(len(self.lines[line]), total) if mask & known == self.ones[line]]

    def _note_ways(self, clue: int, top: int) -> bool:
        """False if two ways take more steps than a person sees at a glance."""
        line, total = self.table.clues[clue]
        ones, known, blank = self.ones[line], self.ones[line] | self.zeros[line], self.blank(line)
        fits = self._left(clue)
        few = self._few(ways(len(self.lines[line]), total), known, ones)
        boards = [self.supposing(self.facts(line, mask & blank, ~mask & blank)) for mask in fits]
        stories = [board.refuted(top) for board in boards]
        lasting = [i for i, tale in enumerate(stories) if tale is None]
        sets = self.facts(line, *self.agreed(line, [fits[i] for i in lasting])) if lasting else []
        kept: list[Story] = [tale or ([], []) for tale in stories]
        if lasting and not sets:
            ends, sets = _both([boards[i] for i in lasting])
            for i, tale in zip(lasting, ends, strict=True):
                kept[i] = tale
        within = [step for _, steps in kept for step in steps]
        if top == 2 and len(within) > SHORT:
            return False
        uses = [*self._uses(clue, few), *[use for tale in kept for use in tale[0]]]
        kind = TwoWays if top == 2 else AllWays if steps_in(within) <= TOLD else LongAllWays
        tried = tuple([(mask & ~few, len(steps)) for mask, (_, steps) in zip(fits, kept, strict=True)])
        return self.note(kind(State(line, total, few, ones & few), tried), uses, sets, within=within)

    def rule_out(self, ahead: Ahead, slot: int, value: int, tale: Story) -> bool:
        told = steps_in(tale[1]) <= TOLD
        return super().rule_out(ahead if told else replace(ahead, technique=_LONG[ahead.technique]), slot, value, tale)

    def tries(self, answer: Slots | None) -> list[int]:
        for memo in self.unharmed:
            for literal in [literal for literal, looked in memo.items() if looked & self.moved]:
                del memo[literal]
        self.moved = 0
        return super().tries(answer)

    def harmless(self, ahead: Ahead) -> set[int]:
        return set() if ahead.deep else set(self.unharmed[ahead.top - 2])

    def tried(self, literal: int, ahead: Ahead) -> Refuted | Collection[int] | None:
        """Prefer the contradiction that looked at fewest lines."""
        if ahead.deep:  # there is no quick look
            return self.refutation(literal, ahead) or ()
        follows, looked = self._try([divmod(literal, 2)], ahead.top == 3)
        if follows is None:
            return Refuted((looked.bit_count(), literal), None)
        self.unharmed[ahead.top - 2].update(dict.fromkeys(follows, looked))
        return follows

    def _try(self, facts: Iterable[Fact], completing: bool) -> tuple[list[int] | None, int]:
        """The findings of _close() from these facts and all that is known."""
        self.probes[0] += 1
        return self._close(list(self.ones), list(self.zeros), [2 * cell + value for cell, value in facts], completing)

    def _close(self, ones: list[int], zeros: list[int], follows: list[int], completing: bool) -> tuple[list[int] | None, int]:
        """All that follows from these by full lines and weights, put into ones and zeros; None if that is a contradiction.

        follows: as 2 * cell + value. With it, the mask of the lines that were looked at. completing: by completion too.
        """
        rows, cols = self.table.rows, self.table.cols
        waiting = looked = done = 0
        while True:
            while done < len(follows):
                literal = follows[done]
                r, c = divmod(literal >> 1, cols)
                mine, others = (ones, zeros) if literal & 1 else (zeros, ones)
                if others[r] >> c & 1:
                    return None, looked
                if mine[r] >> c & 1:
                    follows[done] = follows[-1]
                    follows.pop()
                    continue
                done += 1
                mine[r] |= 1 << c
                mine[rows + c] |= 1 << r
                waiting |= 1 << r | 1 << (rows + c)
            if not waiting:
                return follows, looked
            low = waiting & -waiting
            waiting ^= low
            looked |= low
            line = low.bit_length() - 1
            for length, total in self.sums[line]:
                found = forced(length, total, ones[line], zeros[line], completing)
                if found < 0:
                    return None, looked
                while found:
                    bit = found & -found
                    found ^= bit
                    i = bit.bit_length() - 1
                    value, i = (1, i - _SHIFT) if i >= _SHIFT else (0, i)
                    follows.append(2 * (line * cols + i if line < rows else i * cols + line - rows) + value)


def _both(boards: Sequence[_Board]) -> tuple[list[Story], list[Fact]]:
    """The shortest stories to something that all of these boards under suppositions set, and that; none is contradictory."""
    places = [{fact: i for i, step in enumerate(board.steps, 1) for fact in step.sets} for board in boards]
    best: list[Story] = []
    length = 0
    for fact in sorted(set.intersection(*[set(place) for place in places])):
        tales = [story(board.steps[: place[fact]], board.mark) for board, place in zip(boards, places, strict=True)]
        size = sum([len(steps) for _, steps in tales])
        if not best or size < length:
            best, length = tales, size
    return best, sorted(set.intersection(*[{fact for step in steps for fact in step.sets} for _, steps in best]))
