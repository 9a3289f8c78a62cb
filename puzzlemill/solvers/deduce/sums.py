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
look_ahead      (cell, value) supposing this ends in a contradiction by full lines and weights: `within`
far_look_ahead  the same by completion too
deep_look_ahead the same with looking ahead within the supposition too
search          ()
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from puzzlemill.core.model import Fact, Slots, Step, SumsTable
from puzzlemill.solvers.deduce.steps import Contradiction, needed, ordered, story

TECHNIQUES = {
    "full": 1,
    "weight": 2,
    "completion": 3,
    "look_ahead": 4,
    "far_look_ahead": 5,
    "deep_look_ahead": 6,
    "search": 7,
}
MEDIUM, HARD = 3, 5

LISTED = 4  # ways to make a sum are listed in words up to this many
CHOICES = 3  # contradictions found by looking ahead, of which the one with the shortest story is told
PROBES = 4_000  # suppositions in one deduction, before the rest is left to search
BLOCKED = "blocked_cells"


def deduce(table: SumsTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    board = _Board(table, ids)
    try:
        board.run(3)
        while board.open and board.look_ahead(answer):
            board.run(3)
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


@lru_cache(maxsize=4096)
def weight(mask: int) -> int:
    """What the cells of a mask add up to."""
    return sum([i + 1 for i in range(mask.bit_length()) if mask >> i & 1])


class _Board:
    """What is known of a puzzle, why, and the steps so far.

    mark: what the labels of its steps begin with, "#", or "?" under a supposition, "??" under one within that.
    """

    def __init__(self, table: SumsTable, ids: Sequence[str]) -> None:
        rows, cols = table.rows, table.cols
        self.table, self.ids = table, ids
        self.lines = [list(range(r * cols, r * cols + cols)) for r in range(rows)]
        self.lines += [list(range(c, rows * cols, cols)) for c in range(cols)]
        self.hints: list[list[int]] = [[] for _ in self.lines]  # the clues of each line
        for i, (line, _) in enumerate(table.clues):
            self.hints[line].append(i)
        self.value = [-1] * (rows * cols)
        self.why = [""] * (rows * cols)
        self.ones = [0] * len(self.lines)
        self.zeros = [0] * len(self.lines)
        self.open = rows * cols
        self.steps: list[Step] = []
        self.mark = "#"
        self.probes = [0]  # shared by copies
        # per technique: lines whose cells changed since it last looked at them, oldest first
        self.fresh: list[dict[int, None]] = [dict.fromkeys(range(len(self.lines))) for _ in range(3)]
        for cell in table.blocked:
            if self.value[cell] < 0:
                self.put(cell, 0, BLOCKED)

    def supposing(self, cell: int, value: int) -> _Board:
        """A copy in which this is known too, without steps."""
        other = _Board.__new__(_Board)
        other.__dict__.update(self.__dict__)
        other.value, other.why = list(self.value), list(self.why)
        other.ones, other.zeros = list(self.ones), list(self.zeros)
        other.steps = []
        other.mark = "?" if self.mark == "#" else self.mark + "?"
        other.fresh = [{} for _ in range(3)]
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
        """Apply techniques of these tiers until none gives anything."""
        looks = (self._full, self._weight, self._completion)
        place = 0
        while place < top:
            fresh = self.fresh[place]
            if not fresh:
                place += 1
                continue
            line = next(iter(fresh))
            if place == 2:  # a full line is the easiest to complete
                line = max(fresh, key=lambda line: (self.ones[line] | self.zeros[line]).bit_count())
            if any(looks[place](i) for i in self.hints[line]):
                place = 0
            else:
                del fresh[line]

    def _uses(self, clue: int, mask: int) -> list[str]:
        cells = self.lines[self.table.clues[clue][0]]
        return [self.ids[clue], *[self.why[cell] for i, cell in enumerate(cells) if mask >> i & 1]]

    def _facts(self, line: int, ones: int, zeros: int) -> list[Fact]:
        cells = self.lines[line]
        return [(cell, ones >> i & 1) for i, cell in enumerate(cells) if (ones | zeros) >> i & 1]

    # ---- one line

    def _full(self, clue: int) -> bool:
        line, total = self.table.clues[clue]
        ones, zeros = self.ones[line], self.zeros[line]
        blank = (1 << len(self.lines[line])) - 1 & ~ones & ~zeros
        missing = total - weight(ones)
        if missing <= 0 and (blank or missing < 0):
            sets = self._facts(line, 0, 0 if missing else blank)
            return self.tell("full", self._uses(clue, ones), sets, (clue, ones, ones))
        if missing >= weight(blank) and (blank or missing > 0):
            sets = self._facts(line, blank if missing == weight(blank) else 0, 0)
            return self.tell("full", self._uses(clue, zeros), sets, (clue, zeros, 0))
        return False

    def _weight(self, clue: int) -> bool:
        line, total = self.table.clues[clue]
        ones, zeros = self.ones[line], self.zeros[line]
        blank = (1 << len(self.lines[line])) - 1 & ~ones & ~zeros
        missing = total - weight(ones)
        heavy = blank >> missing << missing if missing >= 0 else 0  # cells i with i + 1 > missing
        if heavy:
            return self.tell("weight", self._uses(clue, ones), self._facts(line, 0, heavy), (clue, ones, ones))
        spare = weight(blank) - missing
        needs = blank >> spare << spare if spare >= 0 else 0  # without cell i of i + 1 > spare there is not enough
        if needs:
            return self.tell("weight", self._uses(clue, zeros), self._facts(line, needs, 0), (clue, zeros, 0))
        return False

    def _completion(self, clue: int) -> bool:
        line, total = self.table.clues[clue]
        length = len(self.lines[line])
        ones, known = self.ones[line], self.ones[line] | self.zeros[line]
        every = ways(length, total)
        fits = [mask for mask in every if mask & known == ones]
        if not fits:
            few = _enough(every, known, ones)
            return self.tell("completion", self._uses(clue, few), [], (clue, few, ones & few))
        to_one = to_zero = (1 << length) - 1 & ~known
        for mask in fits:
            to_one &= mask
            to_zero &= ~mask
        sets = self._facts(line, to_one, to_zero)
        if not sets:
            return False
        if len(fits) <= LISTED:
            few = _enough([mask for mask in every if mask & known != ones], known, ones)
            # what is told must be what is used: the listed ways are those beside the cells that matter
            left = [mask for mask in every if mask & few == ones & few]
            return self.tell("completion", self._uses(clue, few), sets, (clue, few, ones & few, *[mask & ~few for mask in left]))
        others = [mask for mask in every if to_one & ~mask or to_zero & mask]
        few = _enough(others, known, ones)
        return self.tell("completion", self._uses(clue, few), sets, (clue, few, ones & few))

    # ---- looking ahead

    def _story(self, cell: int, value: int, top: int, deep: bool = False) -> tuple[list[str], list[Step]] | None:
        """What a contradiction that follows from this leans on, and the steps to it; None if there is none in these tiers."""
        self.probes[0] += 1
        other = self.supposing(cell, value)
        try:
            other.run(top)
            while deep and other.open and other.look_ahead(None, False):
                other.run(top)
        except Contradiction:
            return story(other.steps, other.mark)
        return None

    def look_ahead(self, answer: Slots | None, deepest: bool = True) -> bool:
        """Rule out one value of a cell, from full lines rather than empty ones. False if nothing can be ruled out."""
        filled = [(ones | zeros).bit_count() for ones, zeros in zip(self.ones, self.zeros, strict=True)]
        rows, cols = self.table.rows, self.table.cols
        cells = [cell for cell, value in enumerate(self.value) if value < 0]
        cells.sort(key=lambda cell: (-filled[cell // cols] - filled[rows + cell % cols], cell))
        for technique, top in (("look_ahead", 2), ("far_look_ahead", 3), ("deep_look_ahead", 3)):
            deep = technique == "deep_look_ahead"
            if deep and not deepest:
                break
            found: list[tuple[int, list[str], list[Step], int, int]] = []
            for cell in cells:
                for value in (0, 1) if answer is None else (1 - answer[cell],):
                    if len(found) == (1 if deep else CHOICES) or self.probes[0] >= PROBES:
                        continue
                    tale = self._story(cell, value, top, deep)
                    if tale is not None:
                        found.append((sum(1 + len(step.within) for step in tale[1]), *tale, cell, value))
            if found:
                _, uses, within, cell, value = min(found, key=lambda entry: entry[0])
                return self.tell(technique, uses, [(cell, 1 - value)], (cell, value), within)
        return False


def _enough(patterns: Sequence[int], known: int, ones: int) -> int:
    """Some of the known cells, none to spare, that every one of these patterns has otherwise."""
    clashes = {(pattern ^ ones) & known for pattern in patterns}
    for i in range(known.bit_length()):
        fewer = known & ~(1 << i)
        if all(clash & fewer for clash in clashes):
            known = fewer
    return known
