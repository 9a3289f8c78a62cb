"""Human-style deduction on weighted lines (SumsTable).

A line is a row or a column; rows count from 0, columns go on from the number of rows. A line is two bit masks, of its chosen
cells and of those known not to be chosen: bit i is its cell i, which weighs i + 1. A blocked cell is known from the start, by the
rule "blocked_cells". A dropped value is a set one, so steps only set. Sentences need no nouns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from puzzlemill.core.model import Fact, Slots, Step, SumsTable
from puzzlemill.core.words import Words, capital, listed, pick
from puzzlemill.solvers.deduce.board import CHOICES, Ahead, CellBoard, LineBoard, LineSay, Look, Refuted, Story, newest
from puzzlemill.solvers.deduce.masks import bits, enough
from puzzlemill.solvers.deduce.steps import DeepLookAhead, FarLookAhead, Found, LookAhead, Search, sentence, story, tiers

MEDIUM, HARD = 3, 5

LISTED = 4  # ways to make a sum are listed in words up to this many
WAYS = 10  # of a line, which are all tried
SHORT = 8  # steps of both ways of a line together, where a person still sees them at a glance
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

    def numbers(self, step: Step, line: int, values: Sequence[int] = (0, 1)) -> list[int]:
        """The numbers in their line of the cells that a step sets to one of these values."""
        return [self.number(line, cell) for cell, v in step.sets if v in values]

    def be(self, line: int, numbers: Sequence[int]) -> str:
        return f"{self.along(line, numbers)} {'are' if len(numbers) > 1 else 'is'}"

    def outcome(self, step: Step, line: int) -> str:
        """ "columns 2 and 3 are chosen and column 4 is not chosen": what a step sets in its line."""
        parts = [
            f"{self.be(line, numbers)} {_STATE[value]}" for value in (1, 0) if (numbers := self.numbers(step, line, (value,)))
        ]
        return listed(parts)

    def supposed(self, cell: int, value: int) -> str:
        return f"{self.cell(cell)} were {_STATE[value]}"

    def is_not(self, cell: int, value: int) -> str:
        return f"{self.cell(cell)} is {_STATE[1 - value]}"

    def so(self, step: Step) -> str:
        """ "row 1 columns 2 and 3 are chosen"; for many cells row by row."""
        groups: dict[tuple[int, int], list[int]] = {}
        for cell, value in step.sets:
            groups.setdefault((cell // self.cols, value), []).append(cell % self.cols + 1)
        return listed([f"{self.name(row)} {self.be(row, numbers)} {_STATE[value]}" for (row, value), numbers in groups.items()])

    def start(self, at: State) -> str:
        """The line, and what is known of it."""
        line, total = self.name(at.line), at.total
        so_far, closed = _numbers(at.ones), _numbers(at.known & ~at.ones)
        text = pick(
            self.voice,
            f"in {line}, whose sum is {total}",
            f"{line} has to make {total}",
            f"look at {line}, which needs {total}",
            f"for {line} the sum is {total}",
        )
        opened = text[:3] == "in "
        joined = "," if opened else ":" if text[:4] == "look" else ", and"
        makes = ""
        if so_far:
            makes = f", which makes {_choice(at.ones)} = {_WEIGHT[at.ones]}" if len(so_far) > 1 else ""
            text += f"{joined} {self.be(at.line, so_far)} chosen{makes}"
        if closed:
            chosen = "" if so_far and not makes else " chosen"
            text += f"{' and' if so_far else joined} {self.be(at.line, closed)} not{chosen}"
        return text + (";" if at.known or not opened else ",")

    def lacks(self, at: State) -> str:
        return f"the missing {at.missing}" if at.ones else f"the {at.total}"


def explain(words: Words, table: SumsTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return sentence(_Say(words, table), step)


def _numbers(mask: int) -> list[int]:
    """The numbers, from 1, of the cells in a mask."""
    return [i + 1 for i in bits(mask)]


def _choice(way: int) -> str:
    return "+".join(map(str, _numbers(way)))


class Full(Found[_Say]):
    """The chosen cells make the sum, so no other cell is chosen (`known` are chosen); or all that can be chosen are needed for it
    (`known` are not). As a contradiction: they make more, or not enough.
    """

    at: State

    def says(self, say: _Say, step: Step) -> str:
        start, left, total = say.start(self.at), self.at.missing, self.at.total
        others = "all the other cells" if self.at.known else "all cells"
        if not step.sets:
            if left < 0:
                return pick(
                    say.voice,
                    f"{start} that is more than {total} already",
                    f"{start} this exceeds {total}",
                    f"{start} but then the sum is at least {total - left}, and it must be {total}",
                )
            most = _WEIGHT[(1 << say.length(self.at.line)) - 1 & ~self.at.known]
            return pick(
                say.voice,
                f"{start} {others} together make {most} only, which is less than {total}",
                f"{start} even {others} make no more than {most}, so {total} is out of reach",
                f"{start} {most} is all that can still be reached, and {total} is needed",
            )
        so = say.outcome(step, self.at.line)
        if left:
            numbers = [k + 1 for k in range(say.length(self.at.line)) if not self.at.known >> k & 1]  # those chosen before too
            added = f" ({'+'.join(map(str, numbers))})" if len(numbers) > 1 else ""
            return pick(
                say.voice,
                f"{start} {others} together make just {left}{added}, so {so}",
                f"{start} what is left adds up to exactly {left}{added}, so {so}",
                f"{start} {others} are needed to get to {left}{added}: {so}",
                f"{start} nothing can be left out, since {others} give {left}{added} and no more; {so}",
            )
        if not self.at.known:
            return f"{start} nothing can be chosen: {so}"
        return pick(
            say.voice,
            f"{start} that makes the {total} already, so {so}",
            f"{start} with that the sum of {total} is full, so {so}",
            f"{start} this is {total} exactly, and anything more would be too much: {so}",
            f"{start} nothing is missing any more, so {so}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        line, total = say.name(self.at.line), self.at.total
        why = f"{line} needs all its other cells for {total}" if self.at.missing else f"{line} makes {total} already"
        return f"{say.so(step)} ({why})"

    def rests(self, say: _Say) -> Collection[int]:
        return say.cells(self.at.line, self.at.known)


class Weight(Found[_Say]):
    """Cells that weigh more than what is missing are not chosen (`known` are chosen); or without one of these cells the others
    are not enough, so it is chosen (`known` are not).
    """

    at: State

    def says(self, say: _Say, step: Step) -> str:
        start, line = say.start(self.at), self.at.line
        numbers = say.numbers(step, line)
        which = f"{'any one of ' * (len(numbers) > 2)}{say.along(line, numbers)}"
        if len(numbers) == 2:
            which = " or ".join([say.along(line, [number]) for number in numbers])
        these, total = "these are" if len(numbers) > 1 else f"{say.along(line, numbers)} is", self.at.total
        if step.sets[0][1]:
            most, so = _WEIGHT[(1 << say.length(line)) - 1 & ~self.at.known], say.outcome(step, line)
            least = most - min(numbers)
            return pick(
                say.voice,
                f"{start} without {which} the rest makes {least} at most, less than {total}, so {these} chosen",
                f"{start} all that is open or chosen makes {most}, so at most {most - total} may be left out, and {so}",
                f"{start} leaving out {which} would keep the sum at {least} or below, so {these} chosen",
                f"{start} {total} cannot be reached without {which}, as the rest gives no more than {least}; {these} chosen",
            )
        if not self.at.known:
            return pick(
                say.voice,
                f"{start} {which} would be too much, so {these} not chosen",
                f"{start} {which} alone would exceed {total}, so {these} not chosen",
                f"{start} no number above {total} can be part of it, so {say.outcome(step, line)}",
            )
        missing, so = self.at.missing, say.outcome(step, line)
        return pick(
            say.voice,
            f"{start} the missing {missing} is less than {min(numbers)}, so {so}",
            f"{start} only {missing} is missing, and {min(numbers)} would be too much; so {so}",
            f"{start} only {missing} is left of {total}, so {min(numbers)} is too much: {so}",
            f"{start} no number above {missing} fits any more, so {so}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        line, missing = say.name(self.at.line), self.at.missing
        if step.sets[0][1]:
            return f"{say.so(step)} ({line} cannot make {self.at.total} otherwise)"
        return f"{say.so(step)} (too much for the {missing} that {line} lacks)"

    def rests(self, say: _Say) -> Collection[int]:
        return say.cells(self.at.line, self.at.known)


class Completion(Found[_Say]):
    """All choices of the other cells that make the sum agree on some. As a contradiction: there is no such choice.

    ways: the choices, if they are few, as masks of the cells that they choose in addition to the known ones.
    """

    at: State
    ways: tuple[int, ...] = ()

    def says(self, say: _Say, step: Step) -> str:
        start, lacks, so = say.start(self.at), say.lacks(self.at), say.outcome(step, self.at.line)
        if not step.sets:
            other = " other" if self.at.known else ""
            return pick(
                say.voice,
                f"{start} no choice of the{other} cells makes that sum",
                f"{start} {lacks} cannot be made of the{other} cells",
                f"{start} whatever is chosen of the{other} cells, {lacks} does not come out",
            )
        if self.ways:
            ways = [_choice(way) for way in self.ways]
            if len(ways) == 1:
                return pick(
                    say.voice,
                    f"{start} {lacks} can only be {ways[0]}, so {so}",
                    f"{start} {ways[0]} is the one way to make {lacks}, so {so}",
                    f"{start} nothing but {ways[0]} gives {lacks}: {so}",
                )
            return pick(
                say.voice,
                f"{start} {lacks} can only be {' or '.join(ways)}, so {so}",
                f"{start} the ways to make {lacks} are {listed(ways)}; in each of them {so}",
                f"{start} {lacks} is {' or '.join(ways)}, and whichever it is, {so}",
            )
        return pick(
            say.voice,
            f"{start} in every way to make {lacks}, {so}",
            f"{start} however {lacks} is made, {so}",
            f"{start} all the ways to make {lacks} agree that {so}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        return f"{say.so(step)} (as in every way to make {self.at.total} in {say.name(self.at.line)})"

    def rests(self, say: _Say) -> Collection[int]:
        return say.cells(self.at.line, self.at.known)


class DoubleCount(Found[_Say]):
    """The sums of rows, each times the number of its row, add up to `by_rows`, and so for columns; in both, a chosen cell counts
    its row number times its column number.

    If every other line has a clue or is complete, that gives this line's total, and the rest is as in `then`. As a contradiction:
    the line has no such choice; or, without `then`, what is left for it is no sum of cells; or, with line -1, no line is left,
    and the two differ.
    """

    line: int
    by_rows: int
    by_cols: int
    then: Completion | None = None

    def says(self, say: _Say, step: Step) -> str:
        sides, column = ["all rows", "all columns"], self.line >= say.rows
        if self.line >= 0:
            sides[column] += f" but {say.name(self.line)}"
        text = (
            f"row number times sum, added up over {sides[0]}, makes {self.by_rows}, and column number times sum, added up over "
            f"{sides[1]}, makes {self.by_cols}; both ways, a chosen cell counts its row number times its column number"
        )
        if self.line < 0:
            return f"{text}, so the two would have to be equal"
        number = self.line - say.rows * column + 1
        short = self.by_rows - self.by_cols if column else self.by_cols - self.by_rows
        product = f"{f'{number} times ' * (number > 1)}the sum of {say.name(self.line)}"
        if self.then is None:
            value = f"{short}, and that cannot be" if short >= 0 else "less than 0"
            return f"{text}, so {product} would have to be {value}"
        return f"{text}, so {product} is {short}. {capital(self.then.says(say, step))}"


class TwoWays(Found[_Say]):
    """Two choices of the line's other cells make the sum. Both are tried, and `within` is what follows from each, by full lines
    and weights, at most 8 steps in all. If one ends in a contradiction, the other is so; else what both set is so.

    tried: each choice, as a mask, with the number of its steps.
    """

    at: State
    tried: tuple[tuple[int, int], ...]

    def says(self, say: _Say, step: Step) -> str:
        line = self.at.line
        choices = [_choice(way) for way, _ in self.tried]
        text = f"{say.start(self.at)} {say.lacks(self.at)} can only be {' or '.join(choices)}. "
        begin, left = 0, []
        for choice, (_, count) in zip(choices, self.tried, strict=True):
            steps = step.within[begin : begin + count]
            begin += count
            if steps:
                text += f"With {choice}, {say.story(steps)}{'' if steps[-1].sets else ', which cannot be'}. "
            if not steps or steps[-1].sets:
                left.append(choice)
        if not step.sets:
            return text + ("So neither is possible" if len(choices) == 2 else "So none of these is possible")
        if len(left) == 1:
            return f"{text}So it is {left[0]}: {say.outcome(step, line)}"
        if len(left) < len(choices):
            text += f"So it is {' or '.join(left)}. "
        lines = {cell // say.cols if line < say.rows else say.rows + cell % say.cols for cell, _ in step.sets}
        so = say.outcome(step, line) if lines == {line} else say.so(step)
        return f"{text}{'Either way' if len(left) == 2 else 'In every case'}, {so}"


class AllWays(TwoWays):
    """The same by completion too, in any number of steps, for a line of up to 10 ways: what is so in all those that do not end in
    a contradiction is so.
    """


TECHNIQUES = tiers(
    [Full], [Weight], [Completion], [DoubleCount, TwoWays], [LookAhead], [FarLookAhead], [AllWays], [DeepLookAhead], [Search]
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
        sets, completion = found
        return self.note(completion, self._uses(clue, completion.at.known), sets)

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
            few = enough([mask for mask in every if mask & known != ones], known, ones)
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
        unknown: list[int] = []
        for line, cells in enumerate(self.lines):
            number, across = (line + 1, 0) if line < rows else (line + 1 - rows, 1)
            known = self.ones[line] | self.zeros[line]
            if self.hints[line]:
                counted[across] += number * self.table.clues[self.hints[line][0]][1]
                uses.append(self.ids[self.hints[line][0]])
            elif known.bit_count() == len(cells):
                counted[across] += number * _WEIGHT[self.ones[line]]
                uses += self.whys(line, known)
            else:
                unknown.append(line)
        if len(unknown) > 1:
            return False
        if not unknown:
            return counted[0] != counted[1] and self.note(DoubleCount(-1, counted[0], counted[1]), uses)
        (line,) = unknown
        number, across = (line + 1, 0) if line < rows else (line + 1 - rows, 1)
        total, rest = divmod(counted[1 - across] - counted[across], number)
        length = len(self.lines[line])
        if rest or not 0 <= total <= length * (length + 1) // 2:
            return self.note(DoubleCount(line, counted[0], counted[1]), uses)
        found = self._complete(line, total)
        if found is None:
            return False
        sets, completion = found
        uses += self.whys(line, completion.at.known)
        return self.note(DoubleCount(line, counted[0], counted[1], completion), uses, sets)

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
        few = enough([mask for mask in ways(len(self.lines[line]), total) if mask not in fits], known, ones)
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
        kind = TwoWays if top == 2 else AllWays
        tried = tuple([(mask & ~few, len(steps)) for mask, (_, steps) in zip(fits, kept, strict=True)])
        return self.note(kind(State(line, total, few, ones & few), tried), uses, sets, within=within)

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
