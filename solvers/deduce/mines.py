"""Human-style deduction on Minesweeper boards (MinesTable).

Cells are bits in masks. A cell is known to be a mine, known to be safe (opened cells are, by their clues), or open. A number
misses as many mines as it shows beyond those known around it; its open cells are those around it that are open. The question is
which cells must be mines (FORCED): a deduction ends when all of these are shown, and safe cells are told only where that helps.
Why the other cells need not be mines is no matter of steps; that is shown by boards that fit.

technique       about
satisfied       (clue, mine, ...) the number's mines are known, so its open cells are safe. A contradiction: there are too many
needs_all       (clue, cell, ...) no other cells around the number can be mines, and it needs them all. A contradiction: too few
apart           (mine,) mines do not touch, so no cell around this one is a mine
ways            (clue, k, known, ..., way, ...) where numbers count groups, or mines do not touch: with these k known cells
                (2 * cell + value) all ways to place mines around the number agree on some cells, or no mine next to it is left
                room for. If they are few, they are listed: masks of the cells around the number, row by row. A contradiction:
                there is no way
subset          (clue, clue, missing, missing, least, most, count, count, cell, ...) the open cells of one number are among those
                of another: what both miss, from least to most mines in the common cells, and the open cells of both
overlap         the same where each has open cells of its own
total           (known, cell, ...) of all mines so many are known: none is missing, or as many as cells are open; these cells
total_rest      (k, clue, ..., known, missing, ..., cell, ...) the same of the cells that are left when some numbers, which have
                no open cell in common, have got what they miss; known: mines that are known
look_ahead      (cell, value) supposing this ends in a contradiction by single numbers, the total and mines that do not touch:
                `within`
far_look_ahead  the same with pairs of numbers and the rest of the total too
deep_look_ahead the same with looking ahead within the supposition too
search          ()
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from puzzlemill.core.model import Fact, MinesTable, Slots, Step
from puzzlemill.solvers.deduce.steps import Contradiction, needed, ordered, story

TECHNIQUES = {
    "satisfied": 1,
    "needs_all": 1,
    "apart": 1,
    "ways": 2,
    "subset": 2,
    "overlap": 3,
    "total": 3,
    "total_rest": 4,
    "look_ahead": 5,
    "far_look_ahead": 6,
    "deep_look_ahead": 7,
    "search": 8,
}
MEDIUM, HARD = 2, 5

LISTED = 4  # ways to place a number's mines are listed in words up to this many
CHOICES = 3  # contradictions found by looking ahead, of which the one with the shortest story is told
PROBES = 6_000  # suppositions in one deduction, before the rest is left to search
TOTAL, APART = "total", "no_touching_mines"
_FAR = 4  # the highest tier without suppositions


def deduce(table: MinesTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package. answer: 1 for each cell that must be a mine."""
    wanted = 0 if answer is None else _mask(cell for cell, value in enumerate(answer) if value == 1)
    if answer is not None and not wanted:
        return []  # there is nothing to show
    board = _Board(table, ids)
    try:
        board.begin()
        board.run(_FAR, wanted)
        while not board.done(wanted) and board.look_ahead(answer):
            board.run(_FAR, wanted)
        if not board.done(wanted):
            rules = [*([TOTAL] if table.mines >= 0 else []), *([APART] if table.apart else [])]
            board.tell("search", [*ids, *rules], [(cell, 1) for cell in _cells(wanted & ~board.mines)])
        ends = [i for i, step in enumerate(board.steps) if any(value for _, value in step.sets)]
    except Contradiction:
        ends = [len(board.steps) - 1]
    return ordered(needed(board.steps, "#", ends), [*ids, TOTAL, APART])


def _cells(mask: int) -> list[int]:
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]


def _mask(cells: Iterable[int]) -> int:
    return sum([1 << cell for cell in cells])


@lru_cache(maxsize=64)
def around(rows: int, cols: int) -> tuple[int, ...]:
    """The cells around each cell, as masks."""
    found = []
    for cell in range(rows * cols):
        r, c = divmod(cell, cols)
        near = [(r + dr, c + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]
        found.append(_mask(a * cols + b for a, b in near if 0 <= a < rows and 0 <= b < cols))
    return tuple(found)


@lru_cache(maxsize=4096)
def patterns(rows: int, cols: int, cell: int, number: int, clusters: bool, apart: bool) -> tuple[int, ...]:
    """Every set of mines around a cell for which it shows this number, as masks of the board."""
    near = around(rows, cols)
    places = _cells(near[cell])
    found = []
    for bits in range(1 << len(places)):
        mines = _mask(place for i, place in enumerate(places) if bits >> i & 1)
        if apart and any(near[place] & mines for place in _cells(mines)):
            continue
        if (_groups(mines, near) if clusters else mines.bit_count()) == number:
            found.append(mines)
    return tuple(found)


def _groups(mines: int, near: Sequence[int]) -> int:
    """How many groups of touching cells there are in a mask."""
    count = 0
    while mines:
        count += 1
        spread = mines & -mines
        while spread:
            mines &= ~spread
            spread = mines & _union(near[cell] for cell in _cells(spread))
    return count


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


class _Board:
    """What is known of a puzzle, why, and the steps so far.

    mark: what the labels of its steps begin with, "#", or "?" under a supposition, "??" under one within that.
    """

    def __init__(self, table: MinesTable, ids: Sequence[str]) -> None:
        self.table, self.ids = table, ids
        cells = table.rows * table.cols
        self.all = (1 << cells) - 1
        self.near = around(table.rows, table.cols)
        self.shown = [number for _, number in table.clues]
        self.reach = [self.near[cell] for cell, _ in table.clues]  # of each clue
        self.clues: list[list[int]] = [[] for _ in range(cells)]  # those that have this cell in reach
        for i, mask in enumerate(self.reach):
            for cell in _cells(mask):
                self.clues[cell].append(i)
        self.local = table.clusters or table.apart  # numbers look at how mines lie
        self.pairs: list[list[int]] = [[] for _ in table.clues]
        if not table.clusters:
            for i, mask in enumerate(self.reach):
                self.pairs[i] = [j for j, other in enumerate(self.reach) if i != j and mask & other]
        self.mines = self.safe = 0
        self.why = [""] * cells
        self.steps: list[Step] = []
        self.mark = "#"
        self.probes = [0]  # shared by copies
        self.fresh: list[dict[int, None]] = [{} for _ in range(7)]  # per technique: what changed since it last looked

    def begin(self) -> None:
        """Put in what is opened. Raises Contradiction if a cell is opened with two numbers."""
        for i, (cell, number) in enumerate(self.table.clues):
            if not self.why[cell]:
                self.put(cell, 0, self.ids[i])
            first = next(j for j, (other, _) in enumerate(self.table.clues) if other == cell)
            if self.table.clues[first][1] != number:
                self.tell("search", [self.ids[first], self.ids[i]], [])
        for fresh in self.fresh:
            fresh.clear()  # to begin with, in the order of the clues
        for fresh in (self.fresh[0], *([self.fresh[2]] if self.local else []), *self.fresh[3:5]):
            fresh.update(dict.fromkeys(range(len(self.table.clues))))
        self.fresh[5][0] = self.fresh[6][0] = None

    def supposing(self, cell: int, value: int) -> _Board:
        """A copy in which this is known too, without steps."""
        other = _Board.__new__(_Board)
        other.__dict__.update(self.__dict__)
        other.why = list(self.why)
        other.steps = []
        other.mark = "?" if self.mark == "#" else self.mark + "?"
        other.fresh = [{} for _ in self.fresh]
        other.put(cell, value, f"{other.mark}0")
        return other

    def done(self, wanted: int) -> bool:
        return bool(wanted) and not wanted & ~self.mines

    def put(self, cell: int, value: int, why: str) -> None:
        self.why[cell] = why
        if value:
            self.mines |= 1 << cell
            if self.table.apart:
                self.fresh[1][cell] = None
        else:
            self.safe |= 1 << cell
        for i in self.clues[cell]:
            self.fresh[0][i] = self.fresh[3][i] = self.fresh[4][i] = None
            if self.local:
                self.fresh[2][i] = None
        self.fresh[5][0] = self.fresh[6][0] = None

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

    def run(self, top: int, wanted: int = 0) -> None:
        """Apply techniques of these tiers until none gives anything, or all wanted mines are known."""
        looks = (
            (1, 0, self._number),
            (1, 1, self._apart),
            (2, 2, self._ways),
            (2, 3, self._subset),
            (3, 4, self._overlap),
            (3, 5, self._total),
            (4, 6, self._rest),
        )
        # the lowest look ahead goes by single numbers and the total
        used = [look for look in looks if look[1] in (0, 1, 2, 5) or look[0] <= top > 2]
        place = 0
        while place < len(used) and not self.done(wanted):
            fresh = self.fresh[used[place][1]]
            if not fresh:
                place += 1
                continue
            item = next(iter(fresh))
            if used[place][2](item):
                place = 0
            else:
                del fresh[item]

    def _open(self, mask: int) -> int:
        return mask & ~self.mines & ~self.safe

    def _whys(self, mask: int) -> list[str]:
        return [self.why[cell] for cell in _cells(mask)]

    # ---- one number

    def _number(self, i: int) -> bool:
        """A number that counts mines; one that counts groups only where it shows none."""
        number, reach = self.shown[i], self.reach[i]
        if self.table.clusters and number:
            return False
        known, blank = reach & self.mines, self._open(reach)
        missing = number - known.bit_count()
        if missing <= 0 and (blank or missing < 0):
            sets = [] if missing else [(cell, 0) for cell in _cells(blank)]
            return self.tell("satisfied", [self.ids[i], *self._whys(known)], sets, (i, *_cells(known)))
        count = blank.bit_count()
        if missing >= count and (blank or missing > 0):
            sets = [(cell, 1) for cell in _cells(blank)] if missing == count else []
            return self.tell("needs_all", [self.ids[i], *self._whys(reach & self.safe)], sets, (i, *_cells(known | blank)))
        return False

    def _apart(self, cell: int) -> bool:
        touched = self.near[cell] & self.mines
        blank = self._open(self.near[cell])
        if touched:
            other = _cells(touched)[0]
            return self.tell("apart", [APART, self.why[cell], self.why[other]], [], (cell, other))
        return bool(blank) and self.tell("apart", [APART, self.why[cell]], [(c, 0) for c in _cells(blank)], (cell,))

    def _ways(self, i: int) -> bool:
        cell, number = self.table.clues[i]
        table, reach = self.table, self.reach[i]
        every = patterns(table.rows, table.cols, cell, number, table.clusters, table.apart)
        known, ones = reach & (self.mines | self.safe), reach & self.mines
        fits = [mask for mask in every if mask & known == ones]
        rule = [APART] if table.apart else []
        if not fits:
            few = _enough(every, known, ones)
            return self.tell("ways", [self.ids[i], *rule, *self._whys(few)], [], self._about(i, few, ()))
        mines, safe = reach & ~known, reach & ~known
        touched = self.all & ~reach & ~self.mines & ~self.safe if table.apart else 0
        for mask in fits:
            mines &= mask
            safe &= ~mask
            touched &= _union(self.near[mine] for mine in _cells(mask)) if touched else 0
        sets = [*[(c, 1) for c in _cells(mines)], *[(c, 0) for c in _cells(safe | touched)]]
        if not sets:
            return False
        others = [
            mask
            for mask in every
            if mines & ~mask or safe & mask or touched & ~_union(self.near[mine] for mine in _cells(mask) if touched)
        ]
        few = _enough(others, known, ones)
        left = [mask for mask in every if mask & few == ones & few]
        return self.tell("ways", [self.ids[i], *rule, *self._whys(few)], sets, self._about(i, few, left))

    def _about(self, i: int, few: int, ways: Sequence[int]) -> list[int]:
        facts = [2 * cell + (self.mines >> cell & 1) for cell in _cells(few)]
        places = _cells(self.reach[i])
        listed = [_mask(k for k, cell in enumerate(places) if mask >> cell & 1) for mask in ways] if len(ways) <= LISTED else []
        return [i, len(facts), *facts, *listed]

    # ---- two numbers

    def _subset(self, i: int) -> bool:
        return self._pair(i, False)

    def _overlap(self, i: int) -> bool:
        return self._pair(i, True)

    def _pair(self, i: int, loose: bool) -> bool:
        """Two numbers of which one has open cells that the other has not; loose: each has."""
        first = self._open(self.reach[i])
        for j in self.pairs[i]:
            second = self._open(self.reach[j])
            common = first & second
            if not common or bool(first & ~common and second & ~common) != loose:
                continue
            missing = [self.shown[k] - (self.reach[k] & self.mines).bit_count() for k in (i, j)]
            least, most, mines, safe = _shared(first, second, *missing)
            if least <= most and not mines and not safe:
                continue
            sets = [*[(cell, 1) for cell in _cells(mines)], *[(cell, 0) for cell in _cells(safe)]] if least <= most else []
            known = (self.reach[i] | self.reach[j]) & (self.mines | self.safe)
            about = [i, j, *missing, least, most, first.bit_count(), second.bit_count(), *_cells(first), *_cells(second)]
            uses = [self.ids[i], self.ids[j], *self._whys(known)]
            return self.tell("overlap" if loose else "subset", uses, sets, about)
        return False

    # ---- the total

    def _total(self, _: int) -> bool:
        return self.table.mines >= 0 and self._left(())

    def _rest(self, _: int) -> bool:
        if self.table.mines < 0 or self.table.clusters:
            return False
        return any(self._left(taken) for taken in self._apart_numbers())

    def _apart_numbers(self) -> Iterator[list[int]]:
        """Numbers that have no open cell in common, as many as come: those with most open cells first, then those with fewest."""
        return _disjoint([self._open(mask) for mask in self.reach])

    def _left(self, taken: Sequence[int]) -> bool:
        """What the total leaves for the cells that are in reach of none of these numbers."""
        missing = [self.shown[i] - (self.reach[i] & self.mines).bit_count() for i in taken]
        left = self.table.mines - self.mines.bit_count() - sum(missing)
        blank = self._open(self.all)
        for i in taken:
            blank &= ~self.reach[i]
        count = blank.bit_count()
        if 0 < left < count or (not count and not left):
            return False
        filled = left >= count
        settled = self.mines | (self.safe if filled else _union(self.reach[i] for i in taken) & self.safe)
        uses = [TOTAL, *[self.ids[i] for i in taken], *self._whys(settled)]
        sets = [(cell, int(filled)) for cell in _cells(blank)] if left in (0, count) else []
        if not taken:
            return self.tell("total", uses, sets, [self.mines.bit_count(), *_cells(blank)])
        about = [len(taken), *taken, self.mines.bit_count(), *missing, *_cells(blank)]
        return self.tell("total_rest", uses, sets, about)

    # ---- looking ahead

    def look_ahead(self, answer: Slots | None, deepest: bool = True) -> bool:
        """Rule out one value of a cell, of those that must be mines first. False if nothing can be ruled out."""
        cells = _cells(self._open(_union(self.reach)))
        if answer is None:
            tries = [(cell, value) for cell in cells for value in (0, 1)]
        else:
            tries = [(cell, 0) for cell in cells if answer[cell]] + [(cell, 1) for cell in cells if not answer[cell]]
        for technique, top in (("look_ahead", 2), ("far_look_ahead", _FAR), ("deep_look_ahead", _FAR)):
            deep = technique == "deep_look_ahead"
            if deep and not deepest:
                break
            found: list[tuple[int, list[str], list[Step], int, int]] = []
            harmless = [0, 0]  # safe cells and mines that followed from something without a contradiction
            for cell, value in tries:
                if len(found) == (1 if deep else CHOICES) or self.probes[0] >= PROBES:
                    break
                if harmless[value] >> cell & 1:
                    continue
                after = self._settled(self.mines, self.safe, cell, value, top, deep)
                if after is not None:
                    harmless[1] |= after[0]
                    harmless[0] |= after[1]
                    continue
                tale = self._story(cell, value, top, deep)
                if tale is not None:
                    found.append((sum(1 + len(step.within) for step in tale[1]), *tale, cell, value))
            if found:
                _, uses, within, cell, value = min(found, key=lambda entry: entry[0])
                return self.tell(technique, uses, [(cell, 1 - value)], (cell, value), within)
        return False

    def _story(self, cell: int, value: int, top: int, deep: bool) -> tuple[list[str], list[Step]] | None:
        """What a contradiction that follows from this leans on, and the steps to it; None if there is none in these tiers."""
        other = self.supposing(cell, value)
        try:
            other.run(top)
            while deep and other.look_ahead(None, False):
                other.run(top)
        except Contradiction:
            return story(other.steps, other.mark)
        return None

    def _settled(self, mines: int, safe: int, cell: int, value: int, top: int, deep: bool) -> tuple[int, int] | None:
        """Mines and safe cells that follow if this cell is so, the quick way without steps; None if there is a contradiction."""
        self.probes[0] += 1
        after = self._spread(mines, safe, cell, value, top)
        while deep and after is not None and self.probes[0] < PROBES:
            before = after
            for other in _cells(_union(self.reach) & ~after[0] & ~after[1]):
                for way in (0, 1):
                    if after is None or (after[0] | after[1]) >> other & 1:
                        continue
                    self.probes[0] += 1
                    if self._spread(*after, other, way, _FAR) is None:
                        after = self._spread(*after, other, 1 - way, _FAR)
            if after == before:
                break
        return after

    def _spread(self, mines: int, safe: int, cell: int, value: int, top: int) -> tuple[int, int] | None:
        table = self.table
        fresh = {cell: value}
        while fresh:
            touched: dict[int, None] = {}
            for place, mine in fresh.items():
                bit = 1 << place
                if (safe if mine else mines) & bit:
                    return None
                if mine:
                    mines |= bit
                else:
                    safe |= bit
                touched.update(dict.fromkeys(self.clues[place]))
            more_mines = more_safe = 0
            if table.apart:
                for place, mine in fresh.items():
                    if mine:
                        more_safe |= self.near[place]
            for i in touched:
                found = self._one(i, mines, safe)
                if found is None:
                    return None
                more_mines |= found[0]
                more_safe |= found[1]
            if table.mines >= 0:
                left = table.mines - mines.bit_count()
                blank = self.all & ~mines & ~safe
                if left < 0 or left > blank.bit_count():
                    return None
                if left == 0:
                    more_safe |= blank
                elif left == blank.bit_count():
                    more_mines |= blank
            more_mines &= ~mines
            more_safe &= ~safe
            if more_mines & more_safe:
                return None
            if not more_mines and not more_safe and top > 2:
                beyond = self._beyond(mines, safe)
                if beyond is None:
                    return None
                more_mines, more_safe = beyond
            fresh = {**dict.fromkeys(_cells(more_safe), 0), **dict.fromkeys(_cells(more_mines), 1)}
        return mines, safe

    def _one(self, i: int, mines: int, safe: int) -> tuple[int, int] | None:
        """Open cells that one number makes mines, and safe; None if it cannot be right."""
        reach, number = self.reach[i], self.shown[i]
        if self.local:
            every = patterns(*self._place(i))
            known, ones = reach & (mines | safe), reach & mines
            to_mine = to_safe = reach & ~known
            touched = self.all if self.table.apart else 0
            some = False
            for mask in every:
                if mask & known == ones:
                    some = True
                    to_mine &= mask
                    to_safe &= ~mask
                    if touched:
                        touched &= _union(self.near[mine] for mine in _cells(mask))
            return (to_mine, to_safe | touched & ~reach) if some else None
        blank = reach & ~mines & ~safe
        missing = number - (reach & mines).bit_count()
        if missing < 0 or missing > blank.bit_count():
            return None
        return (0, blank) if not missing else (blank, 0) if missing == blank.bit_count() else (0, 0)

    def _place(self, i: int) -> tuple[int, int, int, int, bool, bool]:
        cell, number = self.table.clues[i]
        return self.table.rows, self.table.cols, cell, number, self.table.clusters, self.table.apart

    def _beyond(self, mines: int, safe: int) -> tuple[int, int] | None:
        """The same by pairs of numbers, and the rest of the total."""
        known = mines | safe
        blanks = [mask & ~known for mask in self.reach]
        missing = [number - (mask & mines).bit_count() for number, mask in zip(self.shown, self.reach, strict=True)]
        for i, first in enumerate(blanks):
            for j in self.pairs[i] if first else ():
                if j > i and first & blanks[j]:
                    least, most, to_mine, to_safe = _shared(first, blanks[j], missing[i], missing[j])
                    if least > most:
                        return None
                    if to_mine or to_safe:
                        return to_mine, to_safe
        if self.table.mines >= 0 and not self.table.clusters:
            for taken in _disjoint(blanks):
                left = self.table.mines - mines.bit_count() - sum([missing[i] for i in taken])
                blank = self.all & ~known
                for i in taken:
                    blank &= ~blanks[i]
                if not 0 <= left <= blank.bit_count():
                    return None
                if blank and left in (0, blank.bit_count()):
                    return (blank, 0) if left else (0, blank)
        return 0, 0


def _shared(first: int, second: int, missing: int, other: int) -> tuple[int, int, int, int]:
    """Of two numbers' open cells and missing mines: least and most mines in the common cells, and cells that are mines, and safe.

    There is a contradiction if the least is more than the most.
    """
    common = first & second
    own, others = first & ~common, second & ~common
    least = max(0, missing - own.bit_count(), other - others.bit_count())
    most = min(common.bit_count(), missing, other)
    mines = safe = 0
    for part, low, high in ((common, least, most), (own, missing - most, missing - least), (others, other - most, other - least)):
        if part and low == part.bit_count():
            mines |= part
        elif part and not high:
            safe |= part
    return least, most, mines, safe


def _disjoint(blanks: Sequence[int]) -> Iterator[list[int]]:
    """Numbers whose open cells do not overlap: those with most taken first, then those with fewest."""
    for sign in (-1, 1):
        taken, used = [], 0
        for i in sorted(range(len(blanks)), key=lambda i: (sign * blanks[i].bit_count(), i)):
            if blanks[i] and not blanks[i] & used:
                taken.append(i)
                used |= blanks[i]
        yield sorted(taken)


def _enough(every: Sequence[int], known: int, ones: int) -> int:
    """Some of the known cells, none to spare, that every one of these patterns has otherwise."""
    clashes = {(mask ^ ones) & known for mask in every}
    for cell in _cells(known):
        fewer = known & ~(1 << cell)
        if all(clash & fewer for clash in clashes):
            known = fewer
    return known
