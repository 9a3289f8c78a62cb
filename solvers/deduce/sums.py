"""Human-style deduction on weighted lines (SumsTable).

A line is a row or a column; rows count from 0, columns go on from the number of rows. A line is two bit masks, of its chosen
cells and of those known not to be chosen: bit i is its cell i, which weighs i + 1. A blocked cell is known from the start, by the
rule "blocked_cells". A dropped value is a set one, so steps only set.

technique       about
full            (clue, known, ones) the chosen cells make the clue's sum, so no other cell is chosen (known are chosen); or all
                that can be chosen are needed for it (known are not). A contradiction: they make more, or not enough
weight          (clue, known, ones) cells that weigh more than what is missing are not chosen (known are chosen); or without one
                of these cells the others are not enough, so it is chosen (known are not)
completion      (clue, known, ones, way, ...) with these known cells (masks) all choices of the others that make the sum agree on
                some. If they are few, they are listed as masks of the cells that they choose beside the known ones. As a
                contradiction: there is no such choice
double_count    (line, rows, columns, total, known, ones, way, ...) the sums of rows, each times the number of its row, add up to
                `rows`, and so for columns; in both, a chosen cell counts its row number times its column number. If every other
                line has a clue or is complete, that tells this line's total, and the rest is as under completion. As a
                contradiction: the line has no such choice; or (line, rows, columns) what is left for it is no sum of cells; or
                (-1, rows, columns) no line is left, and the two differ
two_ways        (clue, known, ones, way, way, length, length) two choices of the line's other cells make the sum. Both are tried,
                and `within` is what follows from each, by full lines and weights: so many steps from the first, so many from
                the second, at most 8 in all. If one ends in a contradiction, the other is so; else what both set is so
look_ahead      (cell, value) supposing this ends in a contradiction by full lines and weights: `within`
far_look_ahead  the same by completion too
all_ways        (clue, known, ones, way, ..., length, ...) as two_ways, by completion too, in any number of steps, and for a line
                of up to 10 ways. What is so in all those that do not end in a contradiction is so
search          ()
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from puzzlemill.core.model import Fact, Slots, Step, SumsTable
from puzzlemill.solvers.deduce.steps import Contradiction, needed, ordered, story

TECHNIQUES = {
    "full": 1,
    "weight": 2,
    "completion": 3,
    "double_count": 4,
    "two_ways": 4,
    "look_ahead": 5,
    "far_look_ahead": 6,
    "all_ways": 7,
    "search": 8,
}
MEDIUM, HARD = 3, 5

LISTED = 4  # ways to make a sum are listed in words up to this many
CHOICES = 3  # contradictions found by looking ahead, of which the one with the shortest story is told
WAYS = 10  # of a line, which are all tried
SHORT = 8  # steps of both ways of a line together, where a person still sees them at a glance
PROBES = 2_500  # suppositions in one deduction, before the rest is left to search
BLOCKED = "blocked_cells"
_SHIFT = 10  # lines have at most 10 cells


def deduce(table: SumsTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    board = _Board(table, ids)
    try:
        board.run(4)
        while board.open and (board.all_ways(2) or board.look_ahead(answer) or board.all_ways(3)):
            board.run(4)
        if board.open or answer is None:
            rest = [] if answer is None else [(cell, answer[cell]) for cell, value in enumerate(board.value) if value < 0]
            board.tell("search", [*ids, *([BLOCKED] if table.blocked else [])], rest)
    except Contradiction:
        board.steps = needed(board.steps, "#", [len(board.steps) - 1])
    return ordered(board.steps, [*ids, BLOCKED])


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


class _Board:
    """What is known of a puzzle, why, and the steps so far.

    mark: what the labels of its steps begin with, "#", or "?" under a supposition.
    """

    def __init__(self, table: SumsTable, ids: Sequence[str]) -> None:
        rows, cols = table.rows, table.cols
        self.table, self.ids = table, ids
        self.lines = [list(range(r * cols, r * cols + cols)) for r in range(rows)]
        self.lines += [list(range(c, rows * cols, cols)) for c in range(cols)]
        self.hints: list[list[int]] = [[] for _ in self.lines]  # the clues of each line
        for i, (line, _) in enumerate(table.clues):
            self.hints[line].append(i)
        self.sums = [[(len(cells), table.clues[i][1]) for i in self.hints[line]] for line, cells in enumerate(self.lines)]
        self.value = [-1] * (rows * cols)
        self.why = [""] * (rows * cols)
        self.ones = [0] * len(self.lines)
        self.zeros = [0] * len(self.lines)
        self.open = rows * cols
        self.steps: list[Step] = []
        self.mark = "#"
        self.probes = 0
        # harmless suppositions, 2 * cell + value, without completion and with it: it is so as long as these lines do not change
        self.harmless: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self.moved = 0  # lines whose cells changed since the harmless ones were looked through
        # per technique: lines whose cells changed since it last looked at them, oldest first
        self.fresh: list[dict[int, None]] = [dict.fromkeys(range(len(self.lines))) for _ in range(3)]
        for cell in table.blocked:
            if self.value[cell] < 0:
                self.put(cell, 0, BLOCKED)

    def supposing(self, facts: Iterable[Fact]) -> _Board:
        """A copy in which these are known too, without steps."""
        other = _Board.__new__(_Board)
        other.__dict__.update(self.__dict__)
        other.value, other.why = list(self.value), list(self.why)
        other.ones, other.zeros = list(self.ones), list(self.zeros)
        other.steps = []
        other.mark = "?"
        other.fresh = [{} for _ in range(3)]
        for cell, value in facts:
            other.put(cell, value, f"{other.mark}0")
        return other

    def put(self, cell: int, value: int, why: str) -> None:
        self.value[cell] = value
        self.why[cell] = why
        self.open -= 1
        masks = self.ones if value else self.zeros
        r, c = divmod(cell, self.table.cols)
        for line, bit in ((r, 1 << c), (self.table.rows + c, 1 << r)):
            masks[line] |= bit
            self.moved |= 1 << line
            for fresh in self.fresh:
                fresh[line] = None

    def tell(
        self, technique: str, uses: Sequence[str], sets: Sequence[Fact], about: Sequence[int] = (), within: Sequence[Step] = ()
    ) -> bool:
        """Note a step and put in what it sets. Raises Contradiction if that is nothing."""
        self.steps.append(Step(technique, tuple(dict.fromkeys(uses)), tuple(sets), (), tuple(about), tuple(within)))
        if not sets:
            raise Contradiction
        for cell, value in sets:
            self.put(cell, value, f"{self.mark}{len(self.steps)}")
        return True

    def run(self, top: int) -> None:
        """Apply techniques of these tiers until none gives anything; all_ways() is apart."""
        looks = (self._full, self._weight, self._completion)
        place = 0
        while True:
            while place < min(top, 3):
                fresh = self.fresh[place]
                if not fresh:
                    place += 1
                    continue
                line = next(iter(fresh))
                if place == 2:  # a full line is the easiest to complete
                    line = max(fresh, key=lambda line: (self.ones[line] | self.zeros[line]).bit_count())
                ones, zeros = self.ones[line], self.zeros[line]
                quiet = all(forced(length, total, ones, zeros, place == 2) == 0 for length, total in self.sums[line])
                if not quiet and any(looks[place](i) for i in self.hints[line]):
                    place = 0
                else:
                    del fresh[line]
            if top < 4 or not self._double_count():
                return
            place = 0

    def _whys(self, line: int, mask: int) -> list[str]:
        return [self.why[cell] for i, cell in enumerate(self.lines[line]) if mask >> i & 1]

    def _uses(self, clue: int, mask: int) -> list[str]:
        return [self.ids[clue], *self._whys(self.table.clues[clue][0], mask)]

    def _facts(self, line: int, ones: int, zeros: int) -> list[Fact]:
        cells = self.lines[line]
        return [(cell, ones >> i & 1) for i, cell in enumerate(cells) if (ones | zeros) >> i & 1]

    # ---- one line

    def _full(self, clue: int) -> bool:
        line, total = self.table.clues[clue]
        ones, zeros = self.ones[line], self.zeros[line]
        blank = (1 << len(self.lines[line])) - 1 & ~ones & ~zeros
        missing = total - _WEIGHT[ones]
        if missing <= 0 and (blank or missing < 0):
            sets = self._facts(line, 0, 0 if missing else blank)
            return self.tell("full", self._uses(clue, ones), sets, (clue, ones, ones))
        if missing >= _WEIGHT[blank] and (blank or missing > 0):
            sets = self._facts(line, blank if missing == _WEIGHT[blank] else 0, 0)
            return self.tell("full", self._uses(clue, zeros), sets, (clue, zeros, 0))
        return False

    def _weight(self, clue: int) -> bool:
        line, total = self.table.clues[clue]
        ones, zeros = self.ones[line], self.zeros[line]
        blank = (1 << len(self.lines[line])) - 1 & ~ones & ~zeros
        missing = total - _WEIGHT[ones]
        heavy = blank >> missing << missing if missing >= 0 else 0  # cells i with i + 1 > missing
        if heavy:
            return self.tell("weight", self._uses(clue, ones), self._facts(line, 0, heavy), (clue, ones, ones))
        spare = _WEIGHT[blank] - missing
        needs = blank >> spare << spare if spare >= 0 else 0  # without cell i of i + 1 > spare there is not enough
        if needs:
            return self.tell("weight", self._uses(clue, zeros), self._facts(line, needs, 0), (clue, zeros, 0))
        return False

    def _completion(self, clue: int) -> bool:
        line, total = self.table.clues[clue]
        found = self._complete(line, total)
        if found is None:
            return False
        sets, few, listed = found
        return self.tell("completion", self._uses(clue, few), sets, (clue, few, self.ones[line] & few, *listed))

    def _complete(self, line: int, total: int) -> tuple[list[Fact], int, list[int]] | None:
        """What a line with this sum sets, the known cells that this needs (mask), and the ways beside them if they are few.

        None if that is nothing, no facts if no way is left.
        """
        length = len(self.lines[line])
        ones, known = self.ones[line], self.ones[line] | self.zeros[line]
        every = ways(length, total)
        fits = [mask for mask in every if mask & known == ones]
        if not fits:
            return [], _enough(every, known, ones), []
        to_one = to_zero = (1 << length) - 1 & ~known
        for mask in fits:
            to_one &= mask
            to_zero &= ~mask
        sets = self._facts(line, to_one, to_zero)
        if not sets:
            return None
        if len(fits) <= LISTED:
            few = _enough([mask for mask in every if mask & known != ones], known, ones)
            # what is told must be what is used: the listed ways are those beside the cells that matter
            return sets, few, [mask & ~few for mask in every if mask & few == ones & few]
        others = [mask for mask in every if to_one & ~mask or to_zero & mask]
        return sets, _enough(others, known, ones), []

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
                uses += self._whys(line, known)
            else:
                unknown.append(line)
        if len(unknown) > 1:
            return False
        if not unknown:
            return counted[0] != counted[1] and self.tell("double_count", uses, [], (-1, *counted))
        (line,) = unknown
        number, across = (line + 1, 0) if line < rows else (line + 1 - rows, 1)
        total, rest = divmod(counted[1 - across] - counted[across], number)
        length = len(self.lines[line])
        if rest or not 0 <= total <= length * (length + 1) // 2:
            return self.tell("double_count", uses, [], (line, *counted))
        found = self._complete(line, total)
        if found is None:
            return False
        sets, few, listed = found
        uses += self._whys(line, few)
        return self.tell("double_count", uses, sets, (line, *counted, total, few, self.ones[line] & few, *listed))

    # ---- looking ahead

    def all_ways(self, top: int) -> bool:
        """Try all ways of a line that has few: two ways by tiers 1 and 2, or more by tier 3 too. False if that tells nothing."""
        found: list[tuple[int, int]] = []
        for clue, (line, _) in enumerate(self.table.clues):
            fits = self._left(clue)
            if not 2 <= len(fits) <= (2 if top == 2 else WAYS) or len(found) == CHOICES or self.probes >= PROBES:
                continue
            ends = [self._try(self._facts(line, mask, ~mask), top == 3) for mask in fits]
            lasting = [set(follows) for follows, _ in ends if follows is not None]
            if not lasting or set.intersection(*lasting):
                found.append((sum([looked.bit_count() for _, looked in ends]), clue))
        return any(self._tell_ways(clue, top) for _, clue in sorted(found))

    def _left(self, clue: int) -> list[int]:
        """The ways to make a clue's sum that the known cells of its line leave, if the line is not complete."""
        line, total = self.table.clues[clue]
        known = self.ones[line] | self.zeros[line]
        if known.bit_count() == len(self.lines[line]):
            return []
        return [mask for mask in ways(len(self.lines[line]), total) if mask & known == self.ones[line]]

    def _tell_ways(self, clue: int, top: int) -> bool:
        """False if two ways take more steps than a person sees at a glance."""
        line, total = self.table.clues[clue]
        length = len(self.lines[line])
        ones, known = self.ones[line], self.ones[line] | self.zeros[line]
        fits = self._left(clue)
        few = _enough([mask for mask in ways(length, total) if mask not in fits], known, ones)
        boards: list[_Board] = []
        stories: list[tuple[list[str], list[Step]] | None] = []
        to_one = to_zero = (1 << length) - 1 & ~known
        for mask in fits:
            board = self.supposing(self._facts(line, mask & ~known, ~mask & ~known & (1 << length) - 1))
            boards.append(board)
            try:
                board.run(top)
                stories.append(None)
                to_one &= mask
                to_zero &= ~mask
            except Contradiction:
                stories.append(story(board.steps, board.mark))
        lasting = [i for i, tale in enumerate(stories) if tale is None]
        sets = self._facts(line, to_one, to_zero) if lasting else []
        told: list[tuple[list[str], list[Step]]] = [tale or ([], []) for tale in stories]
        if lasting and not sets:
            ends, sets = _both([boards[i] for i in lasting])
            for i, tale in zip(lasting, ends, strict=True):
                told[i] = tale
        within = [step for _, steps in told for step in steps]
        if top == 2 and len(within) > SHORT:
            return False
        uses = [*self._uses(clue, few), *[use for tale in told for use in tale[0]]]
        about = (clue, few, ones & few, *[mask & ~few for mask in fits], *[len(steps) for _, steps in told])
        return self.tell("two_ways" if top == 2 else "all_ways", uses, sets, about, within)

    def _story(self, cell: int, value: int, top: int) -> tuple[list[str], list[Step]]:
        """What a contradiction that follows from this leans on, and the steps to it."""
        other = self.supposing([(cell, value)])
        try:
            other.run(top)
        except Contradiction:
            return story(other.steps, other.mark)
        raise AssertionError("the quick look and the told one see the same")

    def look_ahead(self, answer: Slots | None) -> bool:
        """Rule out one value of a cell, from full lines rather than empty ones. False if nothing can be ruled out."""
        filled = [(ones | zeros).bit_count() for ones, zeros in zip(self.ones, self.zeros, strict=True)]
        rows, cols = self.table.rows, self.table.cols
        cells = [cell for cell, value in enumerate(self.value) if value < 0]
        cells.sort(key=lambda cell: (-filled[cell // cols] - filled[rows + cell % cols], cell))
        for memo in self.harmless:
            for literal in [literal for literal, looked in memo.items() if looked & self.moved]:
                del memo[literal]
        self.moved = 0
        literals = [2 * cell + value for cell in cells for value in ((0, 1) if answer is None else (1 - answer[cell],))]
        for technique, top in (("look_ahead", 2), ("far_look_ahead", 3)):
            harmless = self.harmless[top - 2]
            found: list[tuple[int, int]] = []
            for literal in literals:
                if literal in harmless or len(found) == CHOICES or self.probes >= PROBES:
                    continue
                follows, looked = self._try([(literal >> 1, literal & 1)], top == 3)
                if follows is None:
                    found.append((looked.bit_count(), literal))
                else:  # what follows from something harmless is harmless
                    harmless.update(dict.fromkeys(follows, looked))
            if found:
                literal = min(found)[1]
                cell, value = literal >> 1, literal & 1
                uses, within = self._story(cell, value, top)
                return self.tell(technique, uses, [(cell, 1 - value)], (cell, value), within)
        return False

    def _try(self, facts: Iterable[Fact], completing: bool) -> tuple[list[int] | None, int]:
        """What _close() finds from these facts beside what is known."""
        self.probes += 1
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


def _both(boards: Sequence[_Board]) -> tuple[list[tuple[list[str], list[Step]]], list[Fact]]:
    """Of boards under suppositions, none contradictory: the shortest stories to something that all of them set, and that."""
    places = [{fact: i for i, step in enumerate(board.steps, 1) for fact in step.sets} for board in boards]
    best: list[tuple[list[str], list[Step]]] = []
    length = 0
    for fact in sorted(set.intersection(*[set(place) for place in places])):
        tales = [story(board.steps[: place[fact]], board.mark) for board, place in zip(boards, places, strict=True)]
        size = sum([len(steps) for _, steps in tales])
        if not best or size < length:
            best, length = tales, size
    return best, sorted(set.intersection(*[{fact for step in steps for fact in step.sets} for _, steps in best]))


def _enough(patterns: Sequence[int], known: int, ones: int) -> int:
    """Some of the known cells, none to spare, that every one of these patterns has otherwise."""
    clashes = {(pattern ^ ones) & known for pattern in patterns}
    for i in range(known.bit_length()):
        fewer = known & ~(1 << i)
        if all(clash & fewer for clash in clashes):
            known = fewer
    return known
