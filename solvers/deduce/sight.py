"""Deduction in Latin grids with sight hints (SightTable): what people know of skyscrapers, and of Latin squares.

Lines of hints are numbered as in the table, units as in latin.py. All orders of a unit (orders.py) that fit the candidates and
the hints are kept; a diagonal, in which values may repeat, is narrowed cell by cell along the tallest building so far.

Sentences need ids and voice of Words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from puzzlemill.core.model import BLANK, Fact, LatinTable, SightTable, Slots, Step
from puzzlemill.core.words import Words
from puzzlemill.solvers.deduce import latin_findings as findings
from puzzlemill.solvers.deduce.board import Board
from puzzlemill.solvers.deduce.candidates import Failure, State, Uses
from puzzlemill.solvers.deduce.latin import Deduction, Forced
from puzzlemill.solvers.deduce.masks import bits, hitting, union
from puzzlemill.solvers.deduce.orders import FAR, NEAR, beyond, ends_of, orders, union_of, ways
from puzzlemill.solvers.deduce.sight_findings import (
    LISTED,
    NO_ORDER,
    NO_WAY,
    TECHNIQUES,
    Ascending,
    BothEnds,
    Climb,
    Completion,
    Diagonal,
    FarLookAhead,
    Given,
    HintFound,
    Line,
    Nearest,
    NoOrder,
    NoWay,
    OneHint,
    Orders,
    Say,
    TwoHints,
    order_of,
    plain_ends,
)
from puzzlemill.solvers.deduce.steps import Found

__all__ = ["HARD", "MEDIUM", "TECHNIQUES", "board", "deduce", "explain"]

MEDIUM, HARD = 3, 5
MOST_ORDERED = 6  # heights of which all orders are looked at to leave out a case


def deduce(table: SightTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The solution of the table as steps; steps whose conclusions nothing needs are left out."""
    return _Sight(table, ids).trace(answer)


def board(table: SightTable, ids: Sequence[str]) -> Board:
    """The board that finds them; see the package."""
    return _Sight(table, ids)


def explain(words: Words, table: SightTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return Say(words, table).sentence(step)


# ---- deduction ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _View:
    """Orders and values that fit the lines so far. looked: a unit's candidates when it was looked at, and those in its orders.

    diagonals: a diagonal's candidates when it was looked at, and those that fit (None: none do).
    """

    fits: dict[int, Sequence[int]]
    looked: dict[int, tuple[int, int]]
    diagonals: dict[int, tuple[list[int], list[int] | None]]

    def copy(self) -> _View:
        return _View(dict(self.fits), dict(self.looked), dict(self.diagonals))


class _Sight(Deduction):
    LOOKS = (findings.LookAhead, FarLookAhead)

    def __init__(self, table: SightTable, ids: Sequence[str]) -> None:
        n = table.n
        super().__init__(LatinTable(n, (), ()), ids)
        self.n, self.sight = n, table
        self.hint: dict[int, tuple[int, int]] = {}  # by line: the number, and which clue says it
        for source, (place, k) in enumerate(table.clues):
            if place >= n * n and (table.diagonals or place < n * n + 4 * n):
                self.hint.setdefault(place - n * n, (k, source))
        self.lines = [k for k in range(2 * n) if any(line in self.hint for line in ends_of(n, k))]
        self.diagonals = [line for line in range(4 * n, 4 * n + 4) if line in self.hint]
        self.view = _View({k: orders(n, table.summed, *self._numbers(k, NEAR | FAR)) for k in self.lines}, {}, {})
        # what hints say by themselves is looked at once: along these lines, or from both ends of these units
        lines = sorted(self.hint)
        straight = [line for line in lines if line < 4 * n]
        least, most = (n, n * (n + 1) // 2) if table.summed else (1, n)
        self.unseen = [k for k in self.lines if all(line in self.hint for line in ends_of(n, k))]
        self.alone: dict[type[HintFound], list[int]] = {
            Nearest: [line for line in straight if self.hint[line][0] == least],
            Ascending: [line for line in lines if self.hint[line][0] == most],
            Climb: [] if table.summed else lines,
            OneHint: straight,
            BothEnds: list(self.unseen),
        }

    def _techniques(self) -> list[Callable[[], bool]]:
        techniques: list[Callable[[], bool]] = [self._at_odds, *[partial(self._by_hints, kind) for kind in self.alone]]
        techniques += [self._subset(2, hidden) for hidden in (False, True)]
        techniques += [lambda: self._complete(Completion, LISTED)]
        techniques += [self._subset(size, hidden) for size in (3, 4) for hidden in (False, True)]
        techniques += [self._diagonal, self._fish(2), self._wing(findings.XYWing, 2), self._fish(3)]
        return [*techniques, lambda: self._complete(Orders, 1 << 30)]

    # ---- hints and lines

    def _numbers(self, k: int, ends: int) -> tuple[int, int]:
        """The hints at these ends of a unit, 0 for none."""
        seen = ends_of(self.n, k, ends)
        near, far = [self.hint[line][0] if line in seen and line in self.hint else 0 for line in ends_of(self.n, k)]
        return near, far

    def _unit(self, line: int) -> tuple[int, int]:
        """The unit along which a hint looks, and the end at which it stands."""
        n = self.n
        side, at = divmod(line, n)
        return (n + at if side < 2 else at), (FAR if side % 2 else NEAR)

    def _cells(self, line: int) -> list[int]:
        """The cells of a line of hints, the nearest first."""
        n = self.n
        if line < 4 * n:
            k, end = self._unit(line)
            return list(self.g.units[k] if end == NEAR else self.g.units[k][::-1])
        falling, rising = [i * n + i for i in range(n)], [i * n + n - 1 - i for i in range(n)]
        return (falling, rising, rising[::-1], falling[::-1])[line - 4 * n]

    def _mask(self, state: State, k: int) -> int:
        """The candidates of a unit as a mask of the kind that orders are."""
        mask = 0
        for i in reversed(self.g.units[k]):
            mask = mask << self.n | state.candidates[i]
        return mask

    def _split(self, union: int) -> list[int]:
        return [union >> self.n * p & (1 << self.n) - 1 for p in range(self.n)]

    def _narrowed(self, state: State, k: int) -> tuple[int, int]:
        """A unit's candidates and those of them that some fitting order has."""
        view, mask = self.view, self._mask(state, k)
        found = view.looked.get(k)
        if found is None or found[0] != mask:
            gone = ~mask
            fits = [order for order in view.fits[k] if not order & gone]
            view.fits[k] = fits
            found = view.looked[k] = mask, union(fits)
        return found

    def _crossing(self, state: State, line: int) -> list[int] | None:
        """The candidates of a diagonal's cells that some filling with its hint has; None if there is none."""
        masks = [state.candidates[i] for i in self._cells(line)]
        found = self.view.diagonals.get(line)
        if found is None or found[0] != masks:
            found = self.view.diagonals[line] = masks, ways(masks, self.hint[line][0])
        return found[1]

    # ---- hints by themselves

    def begin(self) -> None:
        n, state = self.n, self.state
        for source, (place, v) in enumerate(self.sight.clues):
            uses = self._uses()
            line = place - n * n
            if line >= 0:
                if line in self.hint and self.hint[line][0] != v:
                    uses.sources.update((source, self.hint[line][1]))
                    self._note(TwoHints(line), uses, (), ())
                    return
            elif state.candidates[place] >> v & 1:
                if state.held[place] == BLANK:
                    state.place(place, v, source)
            else:
                uses.given(place, v, source)
                uses.absent(place, v)
                self._note(Given(place, v), uses, (), ())
                return

    def _singles(self) -> None:
        super()._singles()
        if not self.state.open:
            # every cell is set; now the hints that nothing has leant on must be right too
            _ = self._complete(Completion, 1 << 30) or self._diagonal()

    def _at_odds(self) -> bool:
        """Hints of both ends that no order has; looked for once, before anything else."""
        pairs, self.unseen = self.unseen, []
        return any(
            self._narrow(BothEnds, k) for k in pairs if not union_of(self.n, self.sight.summed, *self._numbers(k, NEAR | FAR))
        )

    def _by_hints(self, kind: type[HintFound]) -> bool:
        """Conclude once what hints leave to their cells by themselves."""
        waiting = self.alone[kind]
        while waiting:
            if self._narrow(kind, waiting.pop(0)):
                return True
        return False

    def _narrow(self, kind: type[HintFound], where: int) -> bool:
        """Note what the hint of a line, or those at both ends of a unit, leave to each cell."""
        n, state, uses = self.n, self.state, self._uses()
        k, ends = (where, NEAR | FAR) if kind is BothEnds else self._unit(where)
        lines = ends_of(n, k) if kind is BothEnds else (where,)
        uses.sources.update([self.hint[line][1] for line in lines])
        if kind not in (Ascending, Climb):
            uses.rules |= self.g.rule[k]
        cells: Sequence[int] = self._cells(where) if kind not in (OneHint, BothEnds) else self.g.units[k]
        if kind is Nearest:
            allowed = [1 << n - 1] + [(1 << n - 1) - 1] * (n - 1)
        elif kind is Ascending:
            allowed = [1 << v for v in range(n)]
        elif kind is Climb:
            allowed = [(1 << min(n, n - self.hint[where][0] + p + 1)) - 1 for p in range(n)]
        else:
            allowed = self._split(union_of(n, self.sight.summed, *self._numbers(k, ends)))
            if not any(allowed):
                return self._note(kind(where), uses, (), ())
        sets: list[Fact] = []
        drops: list[Fact] = []
        lost: list[Fact] = []  # what the cells that are set might have been
        for i, mask in zip(cells, allowed, strict=True):
            own = state.candidates[i]
            if not own & mask:
                for v in bits(mask):
                    uses.absent(i, v)
                self._need_filled(uses, cells)
                return self._note(kind(where, i), uses, (), ())
            if own & ~mask and mask & mask - 1 == 0 and own & mask:
                sets.append((i, mask.bit_length() - 1))
                lost += [(i, v) for v in bits(own & ~mask)]
            else:
                drops += [(i, v) for v in bits(own & ~mask)]
        placed = {v for _, v in sets} if uses.rules else set()
        drops = [(i, v) for i, v in drops if v not in placed]
        if not sets and not drops:
            return False
        if kind is BothEnds and not plain_ends(n, self.sight.summed, *self._numbers(k, ends)):
            for i in cells:
                if self._filled(i):
                    uses.held(i)
        return self._note(kind(where, lost=tuple(lost)), uses, sets, drops)

    def _need_filled(self, uses: Uses, cells: Iterable[int]) -> None:
        """Those of the cells that are filled, if a reader knows: they make a contradiction easier to see."""
        uses.settle()
        told = self._leant(uses.sources)
        for i in cells:
            if self.state.held[i] != BLANK and (self._filled(i) or self.state.source[i] in told):
                uses.held(i)

    def _leant(self, sources: Iterable[int]) -> set[int]:
        """The steps, as sources, that these lean on, and theirs."""
        first, waiting = len(self.ids), list(sources)
        found: set[int] = set()
        while waiting:
            source = waiting.pop()
            if source >= first and source not in found:
                found.add(source)
                waiting += [first + int(use[1:]) - 1 for use in self.steps[source - first].uses if use[0] == "#"]
        return found

    # ---- tiers 3 and 4

    def _complete(self, kind: type[Orders], most: int) -> bool:
        """Narrow the line with the fewest orders that fit, among those that can be narrowed, if these are not too many."""
        best, fewest = BLANK, most + 1
        for k in self.lines:
            mask, union = self._narrowed(self.state, k)
            if mask != union and len(self.view.fits[k]) < fewest:
                best, fewest = k, len(self.view.fits[k])
        if best == BLANK:
            return False
        mask, union = self.view.looked[best]
        cells, uses = self.g.units[best], self._uses()
        if not union:
            ends, _ = self._needorder_of(uses, best, -1, False)
            self._need_filled(uses, cells)
            return self._note(Completion(best, ends, 0), uses, (), ())
        sets: list[Fact] = []
        drops: list[Fact] = []
        lost, open_ = 0, list[Fact]()
        for p, (i, left) in enumerate(zip(cells, self._split(union), strict=True)):
            gone = self.state.candidates[i] & ~left
            if gone and not left & left - 1:
                sets.append((i, left.bit_length() - 1))
                open_ += [(i, v) for v in bits(gone)]
                lost |= ((1 << self.n) - 1 & ~left) << self.n * p
        listing = kind is Completion
        if listing or not sets:
            placed = {v for _, v in sets} | {self.n}
            where = {i for i, _ in sets}
            lost |= mask & ~union
            drops = [(cells[b // self.n], b % self.n) for b in bits(mask & lost)]
            drops = [(i, v) for i, v in drops if i not in where and v not in placed]
        ends, fits = self._needorder_of(uses, best, lost, listing)
        uses.settle()
        facts = tuple([(ground.fact, ground.holds) for _, ground in uses.restated])
        found = Orders(best, ends, len(fits), tuple(open_), facts)
        if listing:
            fitting = [order_of(self.n, order) for order in fits]
            found = Completion(best, ends, len(fits), tuple(open_), facts, tuple(fitting))
        return self._note(found, uses, sets, drops)

    def _needorder_of(self, uses: Uses, k: int, lost: int, listing: bool) -> tuple[int, Sequence[int]]:
        """Find why no order of a unit has what is lost (-1: why there is none): the ends whose hints say so, and their orders.

        listing: why no others than those fit, at most LISTED.
        """
        n, state = self.n, uses.state
        cells = self.g.units[k]
        gone, held = 0, 0
        values = 0  # held in this unit
        for p, i in enumerate(cells):
            if state.held[i] != BLANK and state.source[i] < uses.before:
                held |= 1 << n * p + state.held[i]
                values |= 1 << state.held[i]
            for v in range(n):
                if not state.candidates[i] >> v & 1 or state.held[i] == v:
                    absent = state.held[i] != v and state.reasons(i, v, uses.before)
                    gone |= bool(absent) << n * p + v
        fits: list[int] = []
        for ends in (NEAR, FAR, NEAR | FAR):
            if any(line not in self.hint for line in ends_of(n, k, ends)):
                continue
            every = orders(n, self.sight.summed, *self._numbers(k, ends))
            fits = [order for order in every if not order & gone]
            if not any(order & lost for order in fits) and (not listing or len(fits) <= LISTED or lost < 0):
                break
        else:
            raise AssertionError(f"unit {k}: an order that fits has what was dropped")
        other = gone  # absences that do not follow from the held cells of the unit
        for p in range(n):
            if held >> n * p & (1 << n) - 1:
                other &= ~((1 << n) - 1 << n * p)
            other &= ~(values << n * p)
        clashes = {order & other | held & ~order for order in every if (order & gone if listing else order & lost)}
        if not listing and lost > 0 and ends != NEAR | FAR and n <= MOST_ORDERED and state.kept > len(self.ids):
            # what a reader sees on the board leaves one case fewer
            firm = sum([1 << b for b in bits(other) if any(each[2] != BLANK for each in self._why(uses, cells, b))])
            extra = {order & firm | held & ~order for order in beyond(n, self.sight.summed, *self._numbers(k, ends), lost, ~gone)}
            clashes |= extra - {0}
        for b in bits(hitting(clashes, held)):
            if held >> b & 1:
                uses.held(cells[b // n])
            else:
                uses.absent(cells[b // n], b % n)
        uses.sources.update([self.hint[line][1] for line in ends_of(n, k, ends)])
        uses.rules |= self.g.rule[k]
        return ends, fits

    def _why(self, uses: Uses, cells: Sequence[int], b: int) -> list[tuple[int, int, int]]:
        """Why a cell of a unit does not have a value, by their bit in orders."""
        return uses.state.reasons(cells[b // self.n], b % self.n, uses.before)

    def _diagonal(self) -> bool:
        for line in self.diagonals:
            allowed = self._crossing(self.state, line)
            cells, uses = self._cells(line), self._uses()
            drops = []
            for i, left in zip(cells, allowed or [0] * self.n, strict=True):
                drops += [(i, v) for v in bits(self.state.candidates[i] & ~left)]
            if allowed is None:
                self._need_way(uses, line, None)
                return self._note(Diagonal(line), uses, (), ())
            if drops:
                self._need_way(uses, line, drops)
                return self._note(Diagonal(line), uses, (), drops)
        return False

    def _need_way(self, uses: Uses, line: int, drops: Sequence[Fact] | None) -> None:
        """Why no filling of a diagonal has what is dropped (None: why there is none)."""
        n, state, k = self.n, uses.state, self.hint[line][0]
        cells = self._cells(line)
        at = {i: p for p, i in enumerate(cells)}
        full = (1 << n) - 1

        def follows(masks: Sequence[int]) -> bool:
            allowed = ways(masks, k)
            if allowed is None or drops is None:
                return allowed is None
            return not any(allowed[at[i]] >> v & 1 for i, v in drops)

        masks = []
        for i in cells:
            absent = [v for v in range(n) if state.held[i] != v and state.reasons(i, v, uses.before)]
            masks.append(full & ~sum([1 << v for v in absent]))
        for p in range(n):
            if masks[p] != full and follows([*masks[:p], full, *masks[p + 1 :]]):
                masks[p] = full
        for p, i in enumerate(cells):
            if masks[p] != full and state.held[i] != BLANK and state.source[i] < uses.before:
                uses.held(i)
                continue
            for v in bits(full & ~masks[p]):
                if follows([*masks[:p], masks[p] | 1 << v, *masks[p + 1 :]]):
                    masks[p] |= 1 << v
                else:
                    uses.absent(i, v)
        uses.sources.add(self.hint[line][1])

    # ---- looking ahead

    def _failed(self, uses: Uses, failure: Failure) -> Found[Any]:
        if failure[0] == NO_ORDER:
            ends, _ = self._needorder_of(uses, failure[1], -1, False)
            return NoOrder(failure[1], ends)
        if failure[0] == NO_WAY:
            self._need_way(uses, failure[1], None)
            return NoWay(failure[1])
        return super()._failed(uses, failure)

    def _assume(self, i: int, v: int, deep: bool) -> tuple[list[Forced], Failure, State]:
        before, self.view = self.view, self.view.copy()
        assumed = super()._assume(i, v, deep)
        self.view = before
        return assumed

    def _beyond(self, state: State, deep: bool) -> tuple[Failure, Forced | None, list[Fact]]:
        n = self.n
        for k in self.lines:
            mask, union = self._narrowed(state, k)
            lost = mask & ~union
            if not union:
                return (NO_ORDER, k), None, []
            if deep and lost:
                return (), ("line", 0, k, BLANK, lost), [(self.g.units[k][b // n], b % n) for b in bits(lost)]
        for line in self.diagonals:
            allowed = self._crossing(state, line)
            if allowed is None:
                return (NO_WAY, line), None, []
            cells = self._cells(line)
            gone = [state.candidates[j] & ~left for j, left in zip(cells, allowed, strict=True)]
            if deep and any(gone):
                drops = [(j, w) for j, mask in zip(cells, gone, strict=True) for w in bits(mask)]
                return (), ("line", 1, line, BLANK, sum([mask << n * p for p, mask in enumerate(gone)])), drops
        return (), None, []

    def _forced(self, part: Uses, forced: Forced, wanted: Collection[Fact]) -> tuple[Found[Any], list[Fact], list[Fact]]:
        technique, across, w, _, lost = forced
        if technique != "line":
            return super()._forced(part, forced, wanted)
        n, cells = self.n, self._cells(w) if across else self.g.units[w]
        drops = [(cells[b // n], b % n) for b in bits(lost) if (cells[b // n], b % n) in wanted]
        if across:
            self._need_way(part, w, drops)
            return Line(BLANK, w), [], drops
        self._needorder_of(part, w, sum([1 << n * cells.index(c) + x for c, x in drops]), False)
        return Line(w), [], drops
