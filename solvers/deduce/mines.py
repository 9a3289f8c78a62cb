"""Human-style deduction on Minesweeper boards (MinesTable).

Cells are bits in masks. A cell is known to be a mine, known to be safe (opened cells are, by their clues), or open. A number
misses as many mines as it shows beyond those known around it; its open cells are those around it that are open. The question is
which cells must be mines (FORCED): safe cells are shown only where that helps. When all of these are shown, a few arrangements
follow in which everything fits, so that every other closed cell is safe in one of them (Free).

Sentences need clue ("row 1 column 2 shows 3") and voice of Words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial, reduce
from itertools import combinations
from operator import and_

from puzzlemill.core.model import Fact, MinesTable, Slots, Step
from puzzlemill.core.words import Words, capital, listed, pick, plural
from puzzlemill.solvers.deduce import mines_groups, steps
from puzzlemill.solvers.deduce.board import Ahead, Board, Look, Refuted
from puzzlemill.solvers.deduce.masks import bits, enough, mask_of, union
from puzzlemill.solvers.deduce.steps import (
    HARDEST,
    DeepLookAhead,
    FarLookAhead,
    Found,
    LookAhead,
    Say,
    sentence,
    tiers,
    trimmed,
)

MEDIUM, HARD = 2, 5

TALE = 400  # characters of a story whose links are told in full
NAMED = 3  # safe cells around a number are named up to this many
LISTED = 4  # ways to place a number's mines are listed in words up to this many
MOST_MINES = 8  # in ways to fill the same cells, if they are told together
MOST_NEEDS = 6  # numbers are listed up to this many
PROBES = 6_000  # suppositions in one deduction, before the rest is left to search
TOTAL, APART = "total", "no_touching_mines"
MOST_SPARED = 12  # of its cells that are safe now are listed, though more are left to show
WIDE = 250  # cells of a board whose signs are written with spaces
MOST_BOARDS = 6  # arrangements that show which cells need not be mines
MOST_TRIES = 3_000  # cells that are tried for one of them
EASY_TRIES = 40  # of these, before pairs of numbers are looked at too
_FAR = 4  # the highest tier without suppositions


def deduce(table: MinesTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package. answer: 1 for each cell that must be a mine."""
    wanted = 0 if answer is None else mask_of(cell for cell, value in enumerate(answer) if value == 1)
    if answer is not None and not wanted:
        return []  # there is nothing to show
    board = _Board(table, ids, wanted)
    steps = _shown(board.trace(answer), 0, board.opened)
    return steps if answer is None else [*steps, *_freed(board, wanted)]


def board(table: MinesTable, ids: Sequence[str]) -> Board:
    """The board that finds them; see the package."""
    return _Board(table, ids)


def _shown(steps: Sequence[Step], mines: int, safe: int) -> list[Step]:
    """The same steps, each with what is known before it: these mines and safe cells, and what the steps before it conclude."""
    found = []
    for step in steps:
        if step.within:
            mine = mask_of([step.found.cell])
            before = (mines | mine, safe) if step.found.value else (mines, safe | mine)
            step = replace(step, within=tuple(_shown(step.within, *before)))
        elif hasattr(step.found, "seen"):
            step = replace(step, found=replace(step.found, seen=(mines, safe)))
        found.append(step)
        mines |= mask_of(cell for cell, value in step.sets if value)
        safe |= mask_of(cell for cell, value in step.sets if not value)
    return found


def _freed(board: _Board, wanted: int) -> list[Step]:
    """Steps that show of every closed cell which need not hold a mine that it may be safe; none if they would be too many.

    Each is about cells that no number links with those of another, so that each can be filled in its own ways.
    """
    free = board.all & ~wanted & ~board.opened
    boards = board.arrangements(wanted, free)
    if not boards:
        return []
    several = board.reach if board.table.mines < 0 else [*board.reach, board.all]
    found = list(_apart(several, boards))
    usual = union([every[0] for every in found])
    steps = []

    def show(finding: Free, *arrangements: int) -> None:
        claims = tuple([("fits", tuple(_cells(wanted | mines))) for mines in arrangements])
        steps.append(Step(finding.technique, (), found=finding, claims=claims))

    for every in found:
        here = union(every)
        around, ways = (
            tuple([i for i, mask in enumerate(board.reach) if mask & here]),
            tuple([tuple(_cells(way)) for way in every]),
        )
        if len(every) > 3 or len(around) > MOST_NEEDS or sum(map(len, ways)) > MOST_MINES:
            return _compared(wanted, found)
        missing = tuple([board.shown[i] - (board.reach[i] & wanted).bit_count() for i in around])
        show(Free(ways, around, missing), *[usual & ~here | way for way in every])
    if not steps:
        show(Free((), ()), 0)
    steps[0] = replace(steps[0], found=replace(steps[0].found, first=True))
    steps[-1] = replace(steps[-1], found=replace(steps[-1].found, last=True))
    return steps


def _compared(wanted: int, found: Sequence[Sequence[int]]) -> list[Step]:
    """The same by whole arrangements. found: of each part of the board, its ways."""
    count, steps, left = max(map(len, found)), list[Step](), union([every[0] for every in found])
    for k in range(count):
        mines = union([every[min(k, len(every) - 1)] for every in found])
        spared, left = left & ~mines, left & mines
        fits = Fits(tuple(_cells(wanted | mines)), tuple(_cells(spared)), k, count)
        steps.append(Step(fits.technique, (), found=fits, claims=(("fits", fits.mines),)))
    return steps


def _linked(reach: Sequence[int], cells: int) -> Iterator[int]:
    """These cells in the parts that no number links."""
    while cells:
        here, before = cells & -cells, 0
        while here != before:
            before, here = here, here | union([mask & cells for mask in reach if mask & here])
        cells &= ~here
        yield here


def _apart(reach: Sequence[int], boards: Sequence[int]) -> Iterator[Sequence[int]]:
    """Mines of these arrangements in each of the parts that no number links, as few of them as leave no cell filled always."""
    for here in _linked(reach, union(boards)):
        every = list(dict.fromkeys([mines & here for mines in boards]))
        few = [ways for count in (2, 3) for ways in combinations(every, count) if not reduce(and_, ways)]
        fewest = min(few, key=lambda ways: (len(ways), union(ways).bit_count()), default=tuple(every))
        if union(fewest) == here:
            yield fewest
        else:  # what is linked may be fewer cells now
            yield from _apart(reach, fewest)


Seen = tuple[int, int]  # mines and safe cells that are known before a step, as masks

# ---- findings, and how they are worded -------------------------------------------------------------------------------------


class _Say(Say):
    """Sentences about findings on one board."""

    def __init__(self, words: Words, table: MinesTable) -> None:
        self.table, self.total, self.voice = table, table.mines, words.voice
        self.shows, self.near = words.clue, around(table.rows, table.cols)
        self.opened = mask_of(cell for cell, _ in table.clues)

    def listed(self, cells: Iterable[int]) -> str:
        by_row: dict[int, list[str]] = {}
        for r, c in sorted([divmod(cell, self.table.cols) for cell in cells]):
            by_row.setdefault(r, []).append(str(c + 1))
        parts = [f"row {r + 1} column{'s' if len(there) > 1 else ''} {listed(there)}" for r, there in by_row.items()]
        return f"{', '.join(parts[:-1])}, and {parts[-1]}" if len(parts) > 2 else " and ".join(parts)

    def hold(self, cells: Collection[int]) -> str:
        return f"{self.listed(cells)} {'hold mines' if len(cells) > 1 else 'holds a mine'}"

    def safe(self, cells: Collection[int]) -> str:
        return f"{self.listed(cells)} {'are' if len(cells) > 1 else 'is'} safe"

    def since(self, safe: int) -> str:
        """ ", since these closed cells are safe", or all others around a number, if they are many; "" for none."""
        cells = _cells(safe & ~self.opened)
        if len(cells) > NAMED:
            return ", since all other cells around it are safe"
        return f", since {self.safe(cells)}" if cells else ""

    def looked(self, clue: int, seen: Seen) -> mines_groups.Around:
        """What is seen around a number."""
        reach, (mines, safe) = self.near[self.table.clues[clue][0]], seen
        return mines_groups.Around(self.near, reach & mines, reach & ~mines & ~safe, reach & safe & ~self.opened)

    def its(self, count: int, other: str = "") -> str:
        """ "its mine", "its other 2 mines"."""
        return f"its {other}{'mine' if count == 1 else f'{count} mines'}"

    def with_(self, clue: int, held: Collection[int]) -> str:
        """ "row 1 column 2 shows 3 and has a mine in row 1 column 3"."""
        mines = "a mine" if len(held) == 1 else "mines"
        return f"{self.shows(clue)}{f' and has {mines} in {self.listed(held)}' if held else ''}"

    def story(self, steps: Sequence[Step]) -> str:
        seen = getattr(steps[0].found, "seen", None)
        steps = trimmed(self, steps) if seen is None else _shown(trimmed(self, steps), *seen)
        every = [step.found.says(self, step) for step in steps]
        if len(steps) > 2 and sum(map(len, every)) > TALE:
            every[:-1] = [step.found.brief(self, step) for step in steps[:-1]]
        return ". ".join([capital(text) for text in every])

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return pick(
            self.voice,
            f"suppose that {supposed}. {tale}. That cannot be, so {so}",
            f"assume that {supposed}. {tale}. This is a contradiction, so {so}",
            f"let us suppose that {supposed}. {tale}. This is impossible, so {so}",
        )

    def so(self, step: Step) -> str:
        mines = [cell for cell, value in step.sets if value]
        others = [cell for cell, value in step.sets if not value]
        return ", and ".join([*([self.hold(mines)] if mines else []), *([self.safe(others)] if others else [])])

    def counts(self, clue: int, facts: Iterable[Fact]) -> str:
        """Say which numbers the cell of a clue could show, given these facts about the cells around it; "" for its own."""
        table = self.table
        ones, zeros = (mask_of(cell for cell, value in facts if value == wanted) for wanted in (1, 0))
        (cell, shown), noun = table.clues[clue], "group" if table.clusters else "mine"
        found = []
        for number in range(9):
            every = patterns(table.rows, table.cols, cell, number, table.clusters, table.apart)
            if any(mask & (ones | zeros) == ones for mask in every):
                found.append(number)
        if not found or shown in found:
            return ""
        if found[0] == 0:
            return f"at most {plural(found[-1], noun)}" if found[-1] else f"no {noun}"
        if len(found) == 1:
            return plural(found[0], noun)
        return f"{found[0]} {'or' if len(found) == 2 else 'to'} {found[-1]} {noun}s"

    def reasons(self, clue: int, facts: tuple[Fact, ...], step: Step) -> str:
        """Say for each cell that is settled what the number would be if it were otherwise; "" if that does not settle all."""
        by_count: dict[tuple[int, str], list[int]] = {}
        near = around(self.table.rows, self.table.cols)
        reach = near[self.table.clues[clue][0]]
        for cell, value in step.sets:
            # a mine farther away matters only where none may touch it
            other = [(cell, 1 - value)] if reach >> cell & 1 else [(place, 0) for place in _cells(near[cell] & reach)]
            count = self.counts(clue, (*facts, *other))
            if not count:
                return ""
            by_count.setdefault((value, count), []).append(cell)
        found = []
        for (value, count), cells in by_count.items():
            where = f"{'any of ' * (len(cells) > 1)}{self.listed(cells)}"
            found.append(f"{f'if {where} were safe' if value else f'with a mine in {where}'}, there would be {count} around it")
        return "; ".join(found)

    def supposed(self, cell: int, value: int) -> str:
        return f"{self.listed([cell])} {'holds a mine' if value else 'is safe'}"

    def is_not(self, cell: int, value: int) -> str:
        return self.safe([cell]) if value else self.hold([cell])


def explain(words: Words, table: MinesTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return sentence(_Say(words, table), step, "So no arrangement of mines fits.")


class Satisfied(Found[_Say]):
    """The number's mines are known, so its open cells are safe; or, as a contradiction, there are too many."""

    clue: int
    mines: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        shows, count = say.shows(self.clue), len(self.mines)
        if not step.sets:
            held = f"there {'is a mine' if count == 1 else f'are {count} mines'} around it already, in {say.listed(self.mines)}"
            return f"{shows}, but {held if count else 'there is no cell for a mine around it'}"
        if not self.mines:
            return pick(say.voice, f"{shows}, so {say.so(step)}", f"{shows} and touches no mine, so {say.so(step)}")
        are = "is" if count == 1 else "are"
        return pick(
            say.voice,
            f"{shows}, and {say.its(count)} {are} in {say.listed(self.mines)}, so {say.so(step)}",
            f"{shows} and has {say.its(count)} in {say.listed(self.mines)}, so {say.so(step)}",
            f"{shows}. It already has {plural(count, 'mine')}, in {say.listed(self.mines)}, so {say.so(step)}",
        )

    def rests(self, say: _Say) -> Collection[int]:
        return self.mines


class NeedsAll(Found[_Say]):
    """No cells around the number but these can be mines, and it needs them all; or, as a contradiction, there are too few.

    seen: what is known before it, as masks; of the other findings too.
    """

    clue: int
    cells: tuple[int, ...]
    safe: tuple[int, ...] = ()  # closed cells around it that were found to be safe
    seen: Seen = (0, 0)

    def says(self, say: _Say, step: Step) -> str:
        if not step.sets:
            shows, where, since = say.shows(self.clue), say.listed(self.cells), say.since(mask_of(self.safe))
            only = f"around it only {where} can hold {'a mine' if len(self.cells) == 1 else 'mines'}{since}"
            return f"{shows}, but {only if self.cells else 'every cell around it is safe'}"
        fresh = {cell for cell, _ in step.sets}
        if self.seen != (0, 0):  # a mine that no step has found any more, as nothing else needs it, is found here too
            fresh |= {cell for cell in self.cells if not self.seen[0] >> cell & 1}
        held, new = [cell for cell in self.cells if cell not in fresh], [cell for cell in self.cells if cell in fresh]
        there, count, start = say.listed(new), len(new), say.with_(self.clue, held)
        its, are = say.its(count, "other " * bool(held)), "is" if count == 1 else "are"
        safe = [cell for cell in self.safe if not say.opened >> cell & 1]
        if len(safe) > NAMED:
            every = f"all {'other ' * bool(held)}closed cells around it"
            return pick(
                say.voice,
                f"{start}. {capital(every)} except {there} are safe, so {its} {are} there",
                f"{start}. Except for {there}, {every} are safe, so {its} must be there",
                f"{start}. Since {every} except {there} are safe, {its} {are} there",
            )
        if not safe:
            closed = f"only {'other ' * bool(held)}closed cell{'s' * (count > 1)} around it"
            return pick(
                say.voice,
                f"{start}. The {closed} {are} {there}, so {its} {are} there",
                f"{start}. {capital(its)} must be in the {closed}, {there}",
                f"{start}. {capital(its)} can only be in {there}, the {closed}",
            )
        return pick(
            say.voice,
            f"{start}. {capital(say.safe(safe))}, so {its} {are} in {there}",
            f"{start}. With {say.listed(safe)} safe, {its} must be in {there}",
            f"{start}. {capital(its)} can only be in {there}, since {say.safe(safe)}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        fresh = [cell for cell, _ in step.sets]
        held = [cell for cell in self.cells if cell not in fresh]
        besides = f"apart from the mine{'s' * (len(held) > 1)} in {say.listed(held)} " if held else ""
        left = "is left for a mine" if len(fresh) == 1 else "are left for mines"
        return f"{say.shows(self.clue)}, and {besides}only {say.listed(fresh)} {left}" if fresh else self.says(say, step)

    def rests(self, say: _Say) -> Collection[int]:
        return (*self.cells, *self.safe)


class Apart(Found[_Say]):
    """Mines do not touch, so no cell around this one is a mine; or, as a contradiction, two mines touch."""

    mines: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        if not step.sets:
            return f"{say.hold(self.mines)}, but they touch"
        return f"{say.hold(self.mines)}, and mines do not touch, so {say.so(step)}"


class Ways(Found[_Say]):
    """Where numbers count groups, or mines do not touch: all ways to place mines around the number agree on some cells, or leave
    no room for a mine next to them; or, as a contradiction, there is no way.

    known: the cells, with what they hold, that leave these ways. ways: if they are few, the mines of each.
    """

    clue: int
    known: tuple[Fact, ...]
    ways: tuple[tuple[int, ...], ...]
    seen: Seen = (0, 0)

    def brief(self, say: _Say, step: Step) -> str:
        short = mines_groups.brief(say, self.clue, say.looked(self.clue, self.seen), step) if say.table.clusters else ""
        return short or self.says(say, step)

    def rests(self, say: _Say) -> Collection[int]:
        return [cell for cell, _ in self.known]

    def says(self, say: _Say, step: Step) -> str:
        if say.table.clusters:
            return mines_groups.told(say, self.clue, say.looked(self.clue, self.seen), step)
        mines, safe = ([cell for cell, value in self.known if value == wanted] for wanted in (1, 0))
        text = say.shows(self.clue)
        text += f", and {say.hold(mines)}" if mines else ""
        text += f", and {say.safe(safe)}" if safe else ""
        text += "; mines do not touch" if say.table.apart else ""
        if not step.sets:
            return f"{text}; that allows {say.counts(self.clue, self.known)} around it"
        if len(self.ways) not in (1, 2) or not all(set(way) - set(mines) for way in self.ways):
            reasons = say.reasons(self.clue, self.known, step)
            if reasons:
                return f"{text}; {reasons}, so {say.so(step)}"
        if not self.ways:
            return f"{text}; all ways to place the mines around it have this in common, so {say.so(step)}"
        known = {cell for cell, _ in self.known}
        left = [[cell for cell in way if cell not in known] for way in self.ways]
        places = [f"in {say.listed(cells)}" for cells in left if cells]
        other = "other " if mines else ""
        if not places:
            return f"{text}; there is no {other}mine around it, so {say.so(step)}"
        some = ", if there are any," if len(places) < len(left) else ""
        return f"{text}; the {other}mines around it{some} can only be {', or '.join(places)}, so {say.so(step)}"


class Subset(Found[_Say]):
    """The open cells of one number are among those of another.

    one, other: the clues. lacks, wants: mines that they miss, besides `mines` of each. least, most: mines in the common cells.
    own, others: their open cells.
    """

    one: int
    other: int
    lacks: int
    wants: int
    least: int
    most: int
    own: tuple[int, ...]
    others: tuple[int, ...]
    mines: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    known: tuple[int, ...] = ()  # closed cells around both that are known
    seen: Seen = (0, 0)

    def says(self, say: _Say, step: Step) -> str:
        both = sorted(set(self.own) & set(self.others))
        one, other = self._needs(say, 0), self._needs(say, 1)
        common = say.listed(both)
        if not step.sets:
            if set(self.own) == set(self.others):
                return f"{one}. {other}. These are the same cells"
            clues = [self.one, self.other]
            if self.wants - len(set(self.others) - set(both)) == self.least:
                clues.reverse()
            few, many = (say.listed([say.table.clues[clue][0]]) for clue in reversed(clues))
            mine = "more mine" if self.mines[clues[0] == self.other] else "mine"
            needs = f"{many} needs at least {plural(self.least, mine)} in the cells that both touch"
            return f"{one}. {other}. So {needs}, but {few} allows at most {self.most}"
        filled, spared = ([cell for cell, value in step.sets if value == wanted] for wanted in (1, 0))
        # the number that allows few mines in the common cells comes first
        swap = set(filled or spared) <= set(self.own)
        first, second = (other, one) if swap else (one, other)
        lacks = self.wants if swap else self.lacks
        so = f"so {say.so(step)}"
        if not filled:
            clue, held = (self.one, self.mines[0]) if swap else (self.other, self.mines[1])
            has = f", has {'a mine' if len(held) == 1 else 'mines'} in {say.listed(held)}, and" if held else " and"
            touches = f"{say.shows(clue)}{has} touches {'both' if len(both) == 2 else 'all these'} cells too"
            its = f"{say.its(lacks, 'other ' * bool(held))} {'is in one of' if lacks == 1 else 'are among'} them"
            return f"{first}. {capital(touches)}, so {its}, and {say.so(step)}"
        if not spared:
            clue, held = (self.other, self.mines[1]) if not swap else (self.one, self.mines[0])
            if set(self.others if swap else self.own) <= set(both):
                these = "both cells" if len(both) == 2 else "all these cells"
                holds = f"{capital(these)} touch it too and together hold only {plural(lacks, 'mine')}"
                return f"{first}. {capital(say.with_(clue, held))}. {holds}. {capital(self._left(say, clue, filled))}"
            held_in = f"{common} {'holds' if len(both) == 1 else 'together hold'}"
            return f"{first}. {second}. Of these mines, {held_in} at most {lacks}, {so}"
        (low, had), high = ((self.other, self.mines[1]), self.one) if swap else ((self.one, self.mines[0]), self.other)
        few, many = (say.listed([say.table.clues[clue][0]]) for clue in (low, high))
        cells = f"the cell{'s' * (len(both) > 1)} that both touch"
        most = f"{lacks} {'more ' * bool(had)}mine{'s' * (lacks > 1)}"
        needs = f"{'a mine' if len(filled) == 1 else 'mines'} in {say.listed(filled)}"
        then = f"{capital(cells)} then hold{'s' * (len(both) == 1)} {most}, all that {few} needs, so {say.safe(spared)}"
        return f"{first}. {second}. {capital(few)} allows at most {most} in {cells}, so {many} needs {needs} too. {then}"

    def _left(self, say: _Say, clue: int, cells: Sequence[int]) -> str:
        """That the mines of a number which these cells are left for are there."""
        safe, there, count = _cells(say.looked(clue, self.seen).safe), say.listed(cells), len(cells)
        its, are = f"its {'' if count == 1 else f'{count} '}remaining mine{'s' * (count > 1)}", "is" if count == 1 else "are"
        if len(safe) > NAMED:
            return f"except for {there}, all other closed cells around it are safe, so {its} {are} there"
        if not safe:
            return f"the only other closed cell{'s' * (count > 1)} around it {are} {there}, so {its} {are} there"
        return f"{say.safe(safe)}, so {its} {are} in {there}"

    def _needs(self, say: _Say, which: int) -> str:
        """What one of the numbers lacks, and where."""
        clue = (self.one, self.other)[which]
        lacks, cells, held = ((self.lacks, self.own), (self.wants, self.others))[which] + (self.mines[which],)
        start, safe = say.with_(clue, held), _cells(say.looked(clue, self.seen).safe)
        other = ("a mine" if lacks == 1 else "mines") if not held else "its other mine" if lacks == 1 else "its other mines"
        exactly, hold = "exactly one" if lacks == 1 else f"exactly {lacks}", f"{'holds' if lacks == 1 else 'hold'} {other}"
        if len(safe) > NAMED:
            every = f"all {'other ' * bool(held)}closed cells around it"
            return capital(f"{start}. Apart from {say.listed(cells)}, {every} are safe, so {exactly} of these {hold}")
        since = f". {capital(say.safe(safe))}, so" if safe else ", so"
        return capital(f"{start}{since} {exactly} of {say.listed(cells)} {hold}")

    def rests(self, say: _Say) -> Collection[int]:
        return self.known


class Overlap(Subset):
    """The same where each has open cells of its own."""


class Total(Found[_Say]):
    """So many of all mines are known: none is missing, or as many as cells are open; these cells."""

    known: int
    cells: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        total, left = say.total, say.total - self.known
        if left < 0:
            return f"{plural(self.known, 'mine')} would be on the board, but there are exactly {total}"
        if left > len(self.cells):
            return f"{plural(left, 'mine')} of {total} would be missing, with room for {len(self.cells)} only"
        if not left:
            known = f"all {plural(total, 'mine')} are known" if total > 1 else "the only mine is known"
            return f"{known}, so {say.so(step)}"
        lacking = f"{left} {'is' if left == 1 else 'are'} missing"
        return f"of the {plural(total, 'mine')} {lacking}, with room for no more than that, so {say.so(step)}"


class TotalRest(Found[_Say]):
    """The same of the cells that are left when some numbers, with no open cell in common, have got what they miss."""

    clues: tuple[int, ...]
    missing: tuple[int, ...]
    known: int
    cells: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        left = say.total - self.known - sum(self.missing)
        needs = [f"{say.shows(clue)} and still needs {lacks}" for clue, lacks in zip(self.clues, self.missing, strict=True)]
        apart = ", each in closed cells of its own" if len(self.clues) > 1 else ""
        have = f", of which {self.known} {'is' if self.known == 1 else 'are'} known" if self.known else ""
        text = f"there are {plural(say.total, 'mine')}{have}; {'; '.join(needs)}{apart}"
        if left < 0:
            return f"{text}; that is more than {say.total} in all"
        if not step.sets:
            return f"{text}; that leaves {plural(left, 'mine')} for the other closed cells, which are only {len(self.cells)}"
        leaves = plural(left, "mine") if left else "no mine"
        return f"{text}; that leaves {leaves} for {say.listed(self.cells)}, so {say.so(step)}"


class Free(Found[_Say]):
    """Ways to fill some cells, each of which is safe in one of them, so that none is forced.

    ways: the mines of each, besides the forced ones. clues: the numbers around these cells. missing: mines that they miss besides
    the forced ones. last: nothing else is left to show, so that the other cells are safe in all ways.
    """

    ways: tuple[tuple[int, ...], ...]
    clues: tuple[int, ...]
    missing: tuple[int, ...] = ()
    first: bool = False  # nothing was shown before
    last: bool = False

    def says(self, say: _Say, step: Step) -> str:
        rule = ", and no two mines touch" if say.table.apart else ""
        total = f", and there are {plural(say.total, 'mine')} in all" if say.total >= 0 else ""
        if not any(self.ways):
            return pick(
                say.voice,
                f"with the mines found so far every number is right{total}{rule}, so all other closed cells can be safe",
                f"the mines found so far are enough, since every number is right with them{total}{rule}. All other closed cells "
                "can be safe",
                f"no other closed cell is certain to hold a mine, since the mines found make every number right{total}{rule}",
            )
        others = "all other closed cells are safe then" if total else ""
        others = others or "no number needs a mine in any other closed cell, so every other closed cell can be safe"
        end = f". {capital(others)}" if self.last else ""
        start = pick(say.voice, "no further mine is certain", "no other cell is certain to hold a mine") if self.first else ""
        shows = f"{start}. {capital(self._shows(say))}" if start else self._shows(say)
        makes = f". That makes {plural(say.total, 'mine')} in all" if total else ""
        return f"{shows}{rule}{makes}{end}"

    def _shows(self, say: _Say) -> str:
        needs = self._needs(say)
        return f"{needs}. {self._choices(say)}" if needs else self._choices(say)

    def _sign(self, say: _Say, clue: int) -> str:
        return say.shows(clue).rsplit(" shows ", 1)[1]

    def _showing(self, say: _Say) -> str:
        """ "row 1 columns 2 and 3 show 1, and row 2 column 4 shows 2"."""
        by_sign: dict[str, list[int]] = {}
        for clue in self.clues:
            by_sign.setdefault(self._sign(say, clue), []).append(say.table.clues[clue][0])
        return "; ".join([f"{say.listed(at)} show{'s' * (len(at) == 1)} {sign}" for sign, at in by_sign.items()])

    def _needs(self, say: _Say) -> str:
        """What the numbers around need; "" if they are many."""
        if say.table.clusters:
            return self._showing(say)
        by_need: dict[int, list[int]] = {}
        for clue, lacks in zip(self.clues, self.missing, strict=True):
            by_need.setdefault(lacks, []).append(say.table.clues[clue][0])
        parts = []
        for lacks, cells in sorted(by_need.items()):
            verb = "still needs" if len(cells) == 1 else "each still need"
            parts.append(f"{say.listed(cells)} {verb} {plural(lacks, 'mine')}")
        return ", and ".join(parts)

    def _choices(self, say: _Say) -> str:
        """The ways, and that each of them will do."""
        every = [
            f"{'a mine' if len(way) == 1 else 'mines'} in {say.listed(way)}" if way else "no mine there" for way in self.ways
        ]
        count = len({cell for way in self.ways for cell in way})
        if self.missing == (1,) and all(len(way) == 1 for way in self.ways) and not say.table.clusters:
            where = listed([f"in {say.listed(way)}" for way in self.ways], "or")
            return f"It can be {where}, so {'neither' if count == 2 else 'none'} of these is certain to hold a mine"
        do = f"satisfy {'it' if len(self.clues) == 1 else 'both' if len(self.clues) == 2 else 'all of these numbers'}"
        none = "it is not" if count == 1 else "neither cell is" if count == 2 else "none of these cells is"
        if not self.clues:
            where = listed([say.listed(way) for way in self.ways], "or")
            return f"the other mines can be in {where}, which no number touches, so {none} certain to hold one"
        found = "together with the mines found, " if say.table.clusters else ""
        return capital(f"{found}{every[0]} would {do}; so would {', or '.join(every[1:])} instead. So {none} certain to hold one")


class Fits(Found[_Say], technique="free"):
    """An arrangement that fits: one of several, which share only mines that were found.

    spared: cells that are safe in it and held mines in all before. at: its place among so many.
    """

    mines: tuple[int, ...]
    spared: tuple[int, ...]
    at: int
    count: int

    def says(self, say: _Say, step: Step) -> str:
        table, one, last = say.table, len(self.spared) == 1, self.at == self.count - 1
        between = " " if table.rows * table.cols <= WIDE else ""
        signs = ["-X"[cell in self.mines] for cell in range(table.rows * table.cols)]
        drawn = "\n".join([between.join(signs[r : r + table.cols]) for r in range(0, len(signs), table.cols)])
        rules = ["every number is right"]
        rules += [f"there are {plural(say.total, 'mine')} in all"] if say.total >= 0 else []
        rules += ["no two mines touch"] if table.apart else []
        if not self.at:
            fits = pick(
                say.voice,
                "no further mine is certain. Here is a board that fits, with X for mines",
                "no other cell is certain to hold a mine. Here is a board that fits, with X for its mines",
            )
            return f"{fits}:\n{drawn}\n{capital(listed(rules))}, so a closed cell with - is not certain to hold a mine"
        fits = pick(say.voice, "here is another board that fits", "this board fits too", "the board can also look like this")
        boards = "both boards" if self.count == 2 else f"all {self.count} boards"
        right = listed(rules)
        spared = f"{say.listed(self.spared)} {'holds no mine' if one else 'hold no mines'}"
        if last:
            so = f"{right}. Only the mines found before are in {boards}, so no other is certain"
            if len(self.spared) <= MOST_NEEDS:
                so = f"{right}, but {spared} here. So only the mines found before are in {boards}, and no other is certain"
        elif len(self.spared) > MOST_SPARED:
            so = f"{right}, so cells that held mines in every board so far but not here are not certain either"
        else:
            so = f"{right}, but {spared} here, so {'it is' if one else 'they are'} not certain either"
        return f"{fits}:\n{drawn}\n{capital(so)}"


class Search(steps.Search):
    """Nothing else leads on; cells that hold a mine in every arrangement."""

    def says(self, say: Say, step: Step) -> str:
        text = "none of the usual techniques leads on; going through all possibilities, "
        return text + (f"in every arrangement that fits {say.so(step)}" if step.sets else "no arrangement of mines fits")


TECHNIQUES = tiers([Satisfied, NeedsAll, Apart, Free], [Ways, Subset], [Overlap, Total], [TotalRest], *HARDEST)


def _cells(mask: int) -> list[int]:
    return list(bits(mask))


@lru_cache(maxsize=64)
def around(rows: int, cols: int) -> tuple[int, ...]:
    """The cells around each cell, as masks."""
    found = []
    for cell in range(rows * cols):
        r, c = divmod(cell, cols)
        near = [(r + dr, c + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]
        found.append(mask_of(a * cols + b for a, b in near if 0 <= a < rows and 0 <= b < cols))
    return tuple(found)


@lru_cache(maxsize=4096)
def patterns(rows: int, cols: int, cell: int, number: int, clusters: bool, apart: bool) -> tuple[int, ...]:
    """Every set of mines around a cell for which it shows this number, as masks of the board."""
    near = around(rows, cols)
    places = _cells(near[cell])
    found = []
    for chosen in range(1 << len(places)):
        mines = mask_of(place for i, place in enumerate(places) if chosen >> i & 1)
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
            spread = mines & union([near[cell] for cell in _cells(spread)])
    return count


class _Board(Board):
    """wanted: the cells to be shown to be mines (a mask); 0 if all techniques are to be applied as far as they go."""

    AHEAD = (Ahead(LookAhead, 2), Ahead(FarLookAhead, _FAR), Ahead(DeepLookAhead, _FAR, True))
    SEARCH = Search
    TOP = _FAR
    STAYS = True

    def __init__(self, table: MinesTable, ids: Sequence[str], wanted: int = 0) -> None:
        rules = [*([TOTAL] if table.mines >= 0 else []), *([APART] if table.apart else [])]
        super().__init__(ids, rules, PROBES, 7)
        self.table, self.wanted_mines = table, wanted
        cells = table.rows * table.cols
        self.all = (1 << cells) - 1
        self.near = around(table.rows, table.cols)
        self.opened = mask_of(cell for cell, _ in table.clues)
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

    def begin(self) -> None:
        """Put in what is opened. Raises Contradiction if a cell is opened with two numbers."""
        for i, (cell, number) in enumerate(self.table.clues):
            if not self.why[cell]:
                self.put(cell, 0, self.ids[i])
            first = next(j for j, (other, _) in enumerate(self.table.clues) if other == cell)
            if self.table.clues[first][1] != number:
                self.note(Search(), [self.ids[first], self.ids[i]])
        for fresh in self.fresh:
            fresh.clear()  # to begin with, in the order of the clues
        for fresh in (self.fresh[0], *([self.fresh[2]] if self.local else []), *self.fresh[3:5]):
            fresh.update(dict.fromkeys(range(len(self.table.clues))))
        self.fresh[5][0] = self.fresh[6][0] = None

    def own(self) -> None:
        self.why = list(self.why)
        self.wanted_mines = 0

    def finished(self) -> bool:
        return bool(self.wanted_mines) and not self.wanted_mines & ~self.mines

    @property
    def unsolved(self) -> bool:
        return not self.finished()

    def rest(self, answer: Slots) -> list[Fact]:
        return [(cell, 1) for cell in _cells(self.wanted_mines & ~self.mines)]

    def wanted(self, step: Step) -> bool:
        return any(value for _, value in step.sets)

    def put(self, slot: int, value: int, why: str) -> None:
        self.why[slot] = why
        if value:
            self.mines |= 1 << slot
            if self.table.apart:
                self.fresh[1][slot] = None
        else:
            self.safe |= 1 << slot
        for i in self.clues[slot]:
            self.fresh[0][i] = self.fresh[3][i] = self.fresh[4][i] = None
            if self.local:
                self.fresh[2][i] = None
        self.fresh[5][0] = self.fresh[6][0] = None

    def looks(self, top: int) -> Sequence[Look]:
        subset, overlap = partial(self._pair, False), partial(self._pair, True)
        looks = (self._number, self._apart, self._ways, subset, overlap, self._total, self._rest)
        used = range(7) if top > 2 else (0, 1, 2, 5)  # the lowest look ahead goes by single numbers and the total
        return [(looks[k], self.fresh[k], None) for k in used]

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
            return self.note(Satisfied(i, tuple(_cells(known))), [self.ids[i], *self._whys(known)], sets)
        count = blank.bit_count()
        if missing >= count and (blank or missing > 0):
            sets = [(cell, 1) for cell in _cells(blank)] if missing == count else []
            found = NeedsAll(i, tuple(_cells(known | blank)), tuple(_cells(reach & self.safe & ~self.opened)))
            return self.note(found, [self.ids[i], *self._whys(reach & self.safe)], sets)
        return False

    def _apart(self, cell: int) -> bool:
        touched = self.near[cell] & self.mines
        blank = self._open(self.near[cell])
        if touched:
            other = _cells(touched)[0]
            return self.note(Apart((cell, other)), [APART, self.why[cell], self.why[other]])
        return bool(blank) and self.note(Apart((cell,)), [APART, self.why[cell]], [(c, 0) for c in _cells(blank)])

    def _ways(self, i: int) -> bool:
        every, reach = self._patterns(i), self.reach[i]
        known, ones = reach & (self.mines | self.safe), reach & self.mines
        rule = [APART] if self.table.apart else []
        found = self._common(i, self.mines, self.safe)
        if found is None:
            few = enough(every, known, ones)
            return self.note(self._found(i, few, ()), [self.ids[i], *rule, *self._whys(few)])
        mines, safe, touched = found[0], found[1], self._open(found[2])
        sets = [*[(c, 1) for c in _cells(mines)], *[(c, 0) for c in _cells(safe | touched)]]
        if not sets:
            return False
        others = [mask for mask in every if mines & ~mask or safe & mask or (touched and touched & ~self._touched(mask))]
        few = enough(others, known, ones)
        left = [mask for mask in every if mask & few == ones & few]
        return self.note(self._found(i, few, left), [self.ids[i], *rule, *self._whys(few)], sets)

    def _patterns(self, i: int) -> tuple[int, ...]:
        table = self.table
        return patterns(table.rows, table.cols, *table.clues[i], table.clusters, table.apart)

    def _touched(self, mines: int) -> int:
        return union([self.near[mine] for mine in _cells(mines)])

    def _common(self, i: int, mines: int, safe: int) -> tuple[int, int, int] | None:
        """Open cells that are mines in all ways to place those around a number, that are safe, and further ones next to mines.

        None if there is no way.
        """
        reach = self.reach[i]
        known, ones = reach & (mines | safe), reach & mines
        if known == reach and not self.table.apart:
            return (0, 0, 0) if ones in self._patterns(i) else None
        fits = [mask for mask in self._patterns(i) if mask & known == ones]
        to_mine = to_safe = reach & ~known
        touched = self.all & ~reach if self.table.apart else 0
        for mask in fits:
            to_mine &= mask
            to_safe &= ~mask
            touched &= self._touched(mask) if touched else 0
        return (to_mine, to_safe, touched) if fits else None

    def _found(self, i: int, few: int, ways: Sequence[int]) -> Ways:
        facts = tuple([(cell, self.mines >> cell & 1) for cell in _cells(few)])
        return Ways(i, facts, tuple([tuple(_cells(mask)) for mask in ways]) if len(ways) <= LISTED else ())

    # ---- two numbers

    def _pair(self, loose: bool, i: int) -> bool:
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
            kind = Overlap if loose else Subset
            held = tuple(_cells(self.reach[i] & self.mines)), tuple(_cells(self.reach[j] & self.mines))
            closed = tuple(_cells(known & ~self.opened))
            found = kind(i, j, missing[0], missing[1], least, most, tuple(_cells(first)), tuple(_cells(second)), held, closed)
            uses = [self.ids[i], self.ids[j], *self._whys(known)]
            return self.note(found, uses, sets)
        return False

    # ---- the total

    def _total(self, _: int) -> bool:
        return self.table.mines >= 0 and self._left(())

    def _rest(self, _: int) -> bool:
        if self.table.mines < 0 or self.table.clusters:
            return False
        return any(self._left(taken) for taken in _disjoint([self._open(mask) for mask in self.reach]))

    def _left(self, taken: Sequence[int]) -> bool:
        """Conclude what the total leaves for the cells that are in reach of none of these numbers."""
        missing = [self.shown[i] - (self.reach[i] & self.mines).bit_count() for i in taken]
        left = self.table.mines - self.mines.bit_count() - sum(missing)
        blank = self._open(self.all)
        for i in taken:
            blank &= ~self.reach[i]
        count = blank.bit_count()
        if 0 < left < count or (not count and not left):
            return False
        filled = left >= count
        settled = self.mines | (self.safe if filled else union(self.reach[i] for i in taken) & self.safe)
        uses = [TOTAL, *[self.ids[i] for i in taken], *self._whys(settled)]
        sets = [(cell, int(filled)) for cell in _cells(blank)] if left in (0, count) else []
        if not taken:
            return self.note(Total(self.mines.bit_count(), tuple(_cells(blank))), uses, sets)
        found = TotalRest(tuple(taken), tuple(missing), self.mines.bit_count(), tuple(_cells(blank)))
        return self.note(found, uses, sets)

    # ---- arrangements

    def with_mines(self, wanted: int) -> tuple[int, int] | None:
        """Mines and safe cells that follow if these cells hold mines; None if there is a contradiction."""
        state: tuple[int, int] | None = (0, self.opened)
        for cell in _cells(wanted):
            if state is not None and not state[0] >> cell & 1:
                state = self._spread(*state, cell, 1, 2)
        return state

    def arrangements(self, wanted: int, free: int) -> list[int]:
        """Arrangements that fit, without these mines, in which each of the free cells is safe once; none if they are too many."""
        start, found = self.with_mines(wanted), list[int]()
        while free:
            mines = None if start is None or len(found) == MOST_BOARDS else self.arrangement(start, free)
            if mines is None:
                return []
            found.append(mines & ~wanted)
            free &= mines
        return found

    def arrangement(self, start: tuple[int, int], spared: int, likely: int = 0) -> int | None:
        """Mines of an arrangement that fits, with these mines and safe cells and with as few of `spared` as tries in order give,
        not all of them: the first of these is safe. Cells are tried as safe first, likely ones as mines. None if none is found
        within MOST_TRIES.
        """
        opened = self.opened
        near = _cells(union(self.reach) & ~opened)
        near_mask = mask_of(near)
        order = [*[c for c in near if spared >> c & 1], *[c for c in near if not spared >> c & 1]]
        if self.local or self.table.mines >= 0:  # else nothing is said of the others, which are safe
            order += _cells(self.all & ~opened & ~near_mask & spared) + _cells(self.all & ~opened & ~near_mask & ~spared)
        tries = 0
        stack = [(*start, -1, _cells(spared)[0], 0)]  # mines, safe cells, a place in the order, and what its cell is to be
        while stack and tries < MOST_TRIES:
            mines, safe, at, cell, value = stack.pop()
            if not (mines, safe)[value ^ 1] >> cell & 1:
                after = self._spread(mines, safe, cell, value, 2 if tries < EASY_TRIES else _FAR)
                if after is None:
                    continue
                mines, safe = after
            at += 1
            while at < len(order) and (mines | safe) >> order[at] & 1:
                at += 1
            if at == len(order):
                return mines
            tries += 1
            stack += [(mines, safe, at, order[at], value) for value in ((0, 1) if likely >> order[at] & 1 else (1, 0))]
        return None

    # ---- looking ahead

    def tries(self, answer: Slots | None) -> list[int]:
        """Suppose first that cells which must be mines are none."""
        cells = _cells(self._open(union(self.reach)))
        if answer is None:
            return [2 * cell + value for cell in cells for value in (0, 1)]
        return [2 * cell for cell in cells if answer[cell]] + [2 * cell + 1 for cell in cells if not answer[cell]]

    def confirmed(self, literal: int, ahead: Ahead) -> Refuted | Collection[int] | None:
        return self.refutation(literal, ahead) or ()

    def trial(self, slot: int, value: int) -> tuple[Step, ...] | None:
        steps = super().trial(slot, value)
        if steps is None:
            return None
        return tuple(_shown(steps, self.mines, self.safe))

    def quick(self, literal: int, ahead: Ahead) -> Collection[int] | None:
        after = self._settled(self.mines, self.safe, literal >> 1, literal & 1, ahead.top, ahead.deep)
        if after is None:
            return None
        mines, safe = after[0] & ~self.mines, after[1] & ~self.safe
        return [*[2 * cell + 1 for cell in _cells(mines)], *[2 * cell for cell in _cells(safe)]]

    def _settled(self, mines: int, safe: int, cell: int, value: int, top: int, deep: bool) -> tuple[int, int] | None:
        """Mines and safe cells that follow if this cell is so, the quick way without steps; None if there is a contradiction."""
        self.probes[0] += 1
        after = self._spread(mines, safe, cell, value, top)
        while deep and after is not None and self.probes[0] < PROBES:
            before = after
            for other in _cells(union(self.reach) & ~after[0] & ~after[1]):
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
            touched: list[int] = []
            for place, mine in fresh.items():
                bit = 1 << place
                if (safe if mine else mines) & bit:
                    return None
                if mine:
                    mines |= bit
                else:
                    safe |= bit
                touched += self.clues[place]
            more_mines = more_safe = 0
            if table.apart:
                for place, mine in fresh.items():
                    if mine:
                        more_safe |= self.near[place]
            for i in touched if len(fresh) == 1 else dict.fromkeys(touched):
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
            if not more_mines and not more_safe:
                if top <= 2:
                    break
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
            found = self._common(i, mines, safe)
            return (found[0], found[1] | found[2]) if found else None
        blank = reach & ~(mines | safe)
        missing = number - (reach & mines).bit_count()
        if missing < 0 or missing > blank.bit_count():
            return None
        return (0, blank) if not missing else (blank, 0) if missing == blank.bit_count() else (0, 0)

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
    """Bounds of the mines in the common cells of two numbers, and cells that are mines, and safe.

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
