"""Deduction in Latin grids with sight hints (SightTable): what people know of skyscrapers, and of Latin squares.

Lines of hints are numbered as in the table. Units, as in latin.py, are the rows (0..n-1) and the columns (n..2n-1); the near end
of a unit is its left or its top. What `about` holds:

    two_hints                       line: it has two different hints
    nearest                         line: its hint is the least there is, so its first cell holds the tallest building
    ascending                       line: its hint is the greatest there is, so its buildings rise from 1 to n
    climb                           line: too tall too near, and fewer would be seen than the hint says
    one_hint                        line: no order with this hint has what is dropped
    both_ends                       unit: no order with the hints of both ends has what is dropped
      these four with nothing concluded: line or unit, cell that holds what is ruled out (none if there is no such order at all)
    completion                      unit, 1 (by the hint of the near end), 2 (of the far end) or 3 (both), number of orders that
                                    fit what is known, those orders value by value; 0 orders: a contradiction
    orders                          the same with more orders, which are not listed
    diagonal                        line: what is dropped fits no way to fill the diagonal with its hint, as far as it is known
    x_wing, xy_wing, swordfish, singles, naked and hidden sets, contradiction, look_ahead, search: as in latin.py
    far_look_ahead                  as look_ahead, with lines narrowed to the orders that fit
A contradiction may also be 4, unit, ends: no order fits the hints of these ends; 5, line: no way to fill the diagonal does.
Within a look-ahead, "line" is a step that narrows a unit or a diagonal (0, unit, ends or 1, line).

An order of a unit is a mask: bit n*p + v says that its cell p holds value v. All orders of a unit with hints that fit the
candidates are kept; a diagonal, in which values may repeat, is narrowed cell by cell along the tallest building so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from puzzlemill.core.model import BLANK, Fact, LatinTable, SightTable, Slots, Step
from puzzlemill.solvers.deduce.candidates import NO_PLACE, Failure, State, Uses, bits
from puzzlemill.solvers.deduce.latin import Deduction, Forced, Told

TECHNIQUES: dict[str, int] = {
    "full_line": 1,
    "hidden_single": 1,
    "naked_single": 1,
    "contradiction": 1,
    "two_hints": 1,
    "nearest": 1,
    "ascending": 1,
    "climb": 2,
    "one_hint": 2,
    "both_ends": 2,
    "naked_pair": 3,
    "hidden_pair": 3,
    "naked_triple": 3,
    "hidden_triple": 3,
    "naked_quad": 3,
    "hidden_quad": 3,
    "completion": 3,
    "orders": 4,
    "diagonal": 4,
    "x_wing": 4,
    "xy_wing": 4,
    "swordfish": 4,
    "look_ahead": 5,
    "far_look_ahead": 6,
    "search": 7,
}
MEDIUM, HARD = 3, 5

LISTED = 4  # orders are listed in words up to this many
NO_ORDER, NO_WAY = 4, 5  # what fails: no order of a unit, no way to fill a diagonal
NEAR, FAR = 1, 2  # ends of a unit, as bits


def deduce(table: SightTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The solution of the table as steps; steps whose conclusions nothing needs are left out."""
    return _Sight(table, ids, answer).run()


# ---- orders of a line ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def _all_orders(n: int, summed: bool) -> tuple[tuple[int, int, int], ...]:
    """Every order of n values as a mask, with what is seen of it from the near and from the far end."""
    found = []
    for order in permutations(range(n)):
        mask = 0
        for p, v in enumerate(order):
            mask |= 1 << n * p + v
        found.append((mask, _seen(order, summed), _seen(order[::-1], summed)))
    return tuple(found)


def _seen(order: Sequence[int], summed: bool) -> int:
    top, total = -1, 0
    for v in order:
        if v > top:
            top = v
            total += v + 1 if summed else 1
    return total


@lru_cache(maxsize=4096)
def orders(n: int, summed: bool, near: int, far: int) -> tuple[int, ...]:
    """The masks of all orders with these hints; 0 is no hint."""
    return tuple([mask for mask, front, back in _all_orders(n, summed) if near in (0, front) and far in (0, back)])


@lru_cache(maxsize=4096)
def _union(n: int, summed: bool, near: int, far: int) -> int:
    """What some order with these hints has."""
    union = 0
    for mask in orders(n, summed, near, far):
        union |= mask
    return union


def _ways(masks: Sequence[int], k: int) -> list[int] | None:
    """Of each cell's candidates those that some filling has of which k are seen from its first cell; None if there is none."""
    reached = [{-1: 1}]  # by the tallest so far, the counts that there can be, as bits
    for mask in masks:
        after: dict[int, int] = {}
        for top, counts in reached[-1].items():
            for v in bits(mask):
                now, moved = (v, counts << 1) if v > top else (top, counts)
                after[now] = after.get(now, 0) | moved
        reached.append(after)
    right = {top: 1 << k for top, counts in reached[-1].items() if counts >> k & 1}
    if not right:
        return None
    allowed = [0] * len(masks)
    for p in range(len(masks) - 1, -1, -1):
        before: dict[int, int] = {}
        for top, counts in reached[p].items():
            for v in bits(masks[p]):
                then = right.get(v, 0) >> 1 if v > top else right.get(top, 0)
                if then & counts:
                    allowed[p] |= 1 << v
                    before[top] = before.get(top, 0) | then
        right = before
    return allowed


def _hitting(clashes: set[int], first: int) -> int:
    """Bits, none to spare, of which every clash has one; bits of `first` rather than others."""
    chosen = 0
    for clash in sorted(clashes, key=lambda clash: (clash.bit_count(), clash)):
        if not clash & chosen:
            pick = clash & first or clash
            chosen |= pick & -pick
    for b in bits(chosen):
        fewer = chosen ^ 1 << b
        if all(clash & fewer for clash in clashes):
            chosen = fewer
    return chosen


# ---- deduction ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _View:
    """What fits the lines, as far as they were looked at. looked: a unit's candidates then, and what its orders have of them.

    diagonals: a diagonal's candidates when it was looked at, and those that fit (None: none do).
    """

    fits: dict[int, Sequence[int]]
    looked: dict[int, tuple[int, int]]
    diagonals: dict[int, tuple[list[int], list[int] | None]]

    def copy(self) -> _View:
        return _View(dict(self.fits), dict(self.looked), dict(self.diagonals))


class _Sight(Deduction):
    LOOKS = ("look_ahead", "far_look_ahead")

    def __init__(self, table: SightTable, ids: Sequence[str], answer: Slots | None) -> None:
        n = table.n
        super().__init__(LatinTable(n, (), ()), ids, answer)
        self.n, self.sight = n, table
        self.hint: dict[int, tuple[int, int]] = {}  # by line: the number, and which clue says it
        for source, (place, k) in enumerate(table.clues):
            if place >= n * n and (table.diagonals or place < n * n + 4 * n):
                self.hint.setdefault(place - n * n, (k, source))
        self.lines = [k for k in range(2 * n) if any(line in self.hint for line in self._ends(k))]
        self.diagonals = [line for line in range(4 * n, 4 * n + 4) if line in self.hint]
        self.view = _View({k: orders(n, table.summed, *self._numbers(k, NEAR | FAR)) for k in self.lines}, {}, {})
        # what hints say by themselves is told once
        self.alone = sorted(self.hint)
        self.rising = [line for line in self.alone if self.hint[line][0] == self._most()]
        self.falling = [line for line in self.alone if line < 4 * n and self.hint[line][0] == (n if table.summed else 1)]
        self.climbs = [] if table.summed else list(self.alone)
        self.alone = [line for line in self.alone if line < 4 * n]
        self.pairs = [k for k in self.lines if all(line in self.hint for line in self._ends(k))]
        self.unseen = list(self.pairs)

    def _techniques(self) -> list[Callable[[], bool]]:
        techniques: list[Callable[[], bool]] = [self._at_odds, self._nearest, self._ascending]
        techniques += [self._climb, self._one_hint, self._both_ends]
        techniques += [self._subset(2, hidden) for hidden in (False, True)]
        techniques += [lambda: self._complete("completion", LISTED)]
        techniques += [self._subset(size, hidden) for size in (3, 4) for hidden in (False, True)]
        techniques += [self._diagonal, self._fish(2), self._xy_wing, self._fish(3)]
        return [*techniques, lambda: self._complete("orders", 1 << 30), self._look_ahead]

    # ---- hints and lines

    def _most(self) -> int:
        return self.n * (self.n + 1) // 2 if self.sight.summed else self.n

    def _ends(self, k: int) -> tuple[int, int]:
        """The lines of hints at the near and the far end of a unit."""
        n = self.n
        return (2 * n + k, 3 * n + k) if k < n else (k - n, k)

    def _numbers(self, k: int, ends: int) -> tuple[int, int]:
        """The hints at these ends of a unit, 0 for none."""
        near, far = self._ends(k)
        return (self.hint[near][0] if ends & NEAR and near in self.hint else 0), (
            self.hint[far][0] if ends & FAR and far in self.hint else 0
        )

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
        """The candidates of a unit as an order is told."""
        mask = 0
        for i in reversed(self.g.units[k]):
            mask = mask << self.n | state.candidates[i]
        return mask

    def _split(self, union: int) -> list[int]:
        return [union >> self.n * p & (1 << self.n) - 1 for p in range(self.n)]

    def _narrowed(self, state: State, view: _View, k: int) -> tuple[int, int]:
        """A unit's candidates and those of them that some fitting order has."""
        mask = self._mask(state, k)
        found = view.looked.get(k)
        if found is None or found[0] != mask:
            gone = ~mask
            fits = [order for order in view.fits[k] if not order & gone]
            union = 0
            for order in fits:
                union |= order
            view.fits[k] = fits
            found = view.looked[k] = mask, union
        return found

    def _crossing(self, state: State, view: _View, line: int) -> list[int] | None:
        """The candidates of a diagonal's cells that some filling with its hint has; None if there is none."""
        masks = [state.candidates[i] for i in self._cells(line)]
        found = view.diagonals.get(line)
        if found is None or found[0] != masks:
            found = view.diagonals[line] = masks, _ways(masks, self.hint[line][0])
        return found[1]

    # ---- tier 1

    def _place_clues(self) -> None:
        n, state = self.n, self.state
        for source, (place, v) in enumerate(self.sight.clues):
            uses = self._uses()
            line = place - n * n
            if line >= 0:
                if line in self.hint and self.hint[line][0] != v:
                    uses.sources.update((source, self.hint[line][1]))
                    self._tell("two_hints", uses, (), (), (line,))
                    return
            elif state.candidates[place] >> v & 1:
                if state.held[place] == BLANK:
                    state.place(place, v, source)
            else:
                uses.absent(place, v)
                uses.sources.add(source)
                self._tell("contradiction", uses, (), (), (2, place, v))
                return

    def _singles(self) -> None:
        super()._singles()
        if not self.state.open and (not self.told or self.told[-1].sets or self.told[-1].drops):
            # every cell is set; now the hints that nothing has leant on must be right too
            _ = self._complete("completion", 1 << 30) or self._diagonal()

    def _at_odds(self) -> bool:
        """Hints of both ends that no order has; looked for once, before anything else."""
        pairs, self.unseen = self.unseen, []
        for k in pairs:
            if not _union(self.n, self.sight.summed, *self._numbers(k, NEAR | FAR)):
                return self._by_hints("both_ends", k, k, NEAR | FAR, 0)
        return False

    def _nearest(self) -> bool:
        while self.falling:
            line = self.falling.pop(0)
            cells = self._cells(line)
            allowed = [1 << self.n - 1] + [(1 << self.n - 1) - 1] * (self.n - 1)
            if self._restrict("nearest", line, cells, allowed, self.g.rule[self._unit(line)[0]]):
                return True
        return False

    def _ascending(self) -> bool:
        while self.rising:
            line = self.rising.pop(0)
            if self._restrict("ascending", line, self._cells(line), [1 << v for v in range(self.n)], 0):
                return True
        return False

    def _restrict(self, name: str, line: int, cells: Sequence[int], allowed: Sequence[int], rules: int) -> bool:
        """Tell what the hint of a line leaves to its cells by itself."""
        return self._conclude(name, [self.hint[line][1]], rules, line, cells, allowed)

    def _conclude(
        self, name: str, sources: Sequence[int], rules: int, about: int, cells: Sequence[int], allowed: Sequence[int]
    ) -> bool:
        state = self.state
        uses = self._uses()
        uses.sources.update(sources)
        uses.rules |= rules
        sets: list[Fact] = []
        drops: list[Fact] = []
        for i, mask in zip(cells, allowed, strict=True):
            own = state.candidates[i]
            if not own & mask:
                for v in bits(mask):
                    uses.absent(i, v)
                return self._tell(name, uses, (), (), (about, i))
            if own & ~mask and mask & mask - 1 == 0 and own & mask:
                sets.append((i, mask.bit_length() - 1))
            else:
                drops += [(i, v) for v in bits(own & ~mask)]
        placed = {v for _, v in sets} if rules else set()
        drops = [(i, v) for i, v in drops if v not in placed]
        return bool(sets or drops) and self._tell(name, uses, sets, drops, (about,))

    # ---- tier 2

    def _climb(self) -> bool:
        n = self.n
        while self.climbs:
            line = self.climbs.pop(0)
            k = self.hint[line][0]
            allowed = [(1 << min(n, n - k + p + 1)) - 1 for p in range(n)]
            if self._restrict("climb", line, self._cells(line), allowed, 0):
                return True
        return False

    def _one_hint(self) -> bool:
        while self.alone:
            line = self.alone.pop(0)
            k, end = self._unit(line)
            allowed = _union(self.n, self.sight.summed, *self._numbers(k, end))
            if self._by_hints("one_hint", line, k, end, allowed):
                return True
        return False

    def _both_ends(self) -> bool:
        while self.pairs:
            k = self.pairs.pop(0)
            allowed = _union(self.n, self.sight.summed, *self._numbers(k, NEAR | FAR))
            if self._by_hints("both_ends", k, k, NEAR | FAR, allowed):
                return True
        return False

    def _by_hints(self, name: str, about: int, k: int, ends: int, union: int) -> bool:
        sources = [self.hint[line][1] for end, line in zip((NEAR, FAR), self._ends(k), strict=True) if ends & end]
        if not union:
            uses = self._uses()
            uses.sources.update(sources)
            uses.rules |= self.g.rule[k]
            return self._tell(name, uses, (), (), (about,))
        return self._conclude(name, sources, self.g.rule[k], about, self.g.units[k], self._split(union))

    # ---- tiers 3 and 4

    def _complete(self, name: str, most: int) -> bool:
        """Of the lines that can be narrowed, the one with the fewest orders that fit, if these are not too many."""
        best, fewest = BLANK, most + 1
        for k in self.lines:
            mask, union = self._narrowed(self.state, self.view, k)
            if mask != union and len(self.view.fits[k]) < fewest:
                best, fewest = k, len(self.view.fits[k])
        if best == BLANK:
            return False
        mask, union = self.view.looked[best]
        cells, uses = self.g.units[best], self._uses()
        if not union:
            ends, _ = self._need_order(uses, best, -1, False)
            return self._tell("completion", uses, (), (), (best, ends, 0))
        sets: list[Fact] = []
        drops: list[Fact] = []
        lost = 0
        for p, (i, left) in enumerate(zip(cells, self._split(union), strict=True)):
            gone = self.state.candidates[i] & ~left
            if gone and not left & left - 1:
                sets.append((i, left.bit_length() - 1))
                lost |= ((1 << self.n) - 1 & ~left) << self.n * p
        if name == "completion" or not sets:
            placed = {v for _, v in sets} | {self.n}
            where = {i for i, _ in sets}
            lost |= mask & ~union
            drops = [(cells[b // self.n], b % self.n) for b in bits(mask & lost)]
            drops = [(i, v) for i, v in drops if i not in where and v not in placed]
        ends, fits = self._need_order(uses, best, lost, name == "completion")
        about = [best, ends, len(fits)]
        for order in fits if name == "completion" else ():
            about += [cell.bit_length() - 1 for cell in self._split(order)]
        return self._tell(name, uses, sets, drops, about)

    def _need_order(self, uses: Uses, k: int, lost: int, listing: bool) -> tuple[int, Sequence[int]]:
        """Why no order of a unit has what is lost (-1: why there is none): the ends whose hints say so, and what fits these.

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
            if any(end & ends and line not in self.hint for end, line in zip((NEAR, FAR), self._ends(k), strict=True)):
                continue
            every = orders(n, self.sight.summed, *self._numbers(k, ends))
            fits = [order for order in every if not order & gone]
            if not any(order & lost for order in fits) and (not listing or len(fits) <= LISTED or lost < 0):
                break
        else:
            raise AssertionError(f"unit {k}: an order that fits has what was dropped")
        other = gone  # what no held cell of the unit tells
        for p in range(n):
            if held >> n * p & (1 << n) - 1:
                other &= ~((1 << n) - 1 << n * p)
            other &= ~(values << n * p)
        clashes = {order & other | held & ~order for order in every if (order & gone if listing else order & lost)}
        for b in bits(_hitting(clashes, held)):
            if held >> b & 1:
                uses.sources.add(state.source[cells[b // n]])
            else:
                uses.absent(cells[b // n], b % n)
        for end, line in zip((NEAR, FAR), self._ends(k), strict=True):
            if ends & end:
                uses.sources.add(self.hint[line][1])
        uses.rules |= self.g.rule[k]
        return ends, fits

    def _diagonal(self) -> bool:
        for line in self.diagonals:
            allowed = self._crossing(self.state, self.view, line)
            cells, uses = self._cells(line), self._uses()
            drops = []
            for i, left in zip(cells, allowed or [0] * self.n, strict=True):
                drops += [(i, v) for v in bits(self.state.candidates[i] & ~left)]
            if allowed is None:
                self._need_way(uses, line, None)
                return self._tell("diagonal", uses, (), (), (line,))
            if drops:
                self._need_way(uses, line, drops)
                return self._tell("diagonal", uses, (), drops, (line,))
        return False

    def _need_way(self, uses: Uses, line: int, drops: Sequence[Fact] | None) -> None:
        """Why no filling of a diagonal has what is dropped (None: why there is none)."""
        n, state, k = self.n, uses.state, self.hint[line][0]
        cells = self._cells(line)
        at = {i: p for p, i in enumerate(cells)}
        full = (1 << n) - 1

        def follows(masks: Sequence[int]) -> bool:
            allowed = _ways(masks, k)
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
                uses.sources.add(state.source[i])
                continue
            for v in bits(full & ~masks[p]):
                if follows([*masks[:p], masks[p] | 1 << v, *masks[p + 1 :]]):
                    masks[p] |= 1 << v
                else:
                    uses.absent(i, v)
        uses.sources.add(self.hint[line][1])

    # ---- looking ahead

    def _need_failure(self, uses: Uses, failure: Failure) -> None:
        if failure[0] == NO_ORDER:
            self._need_order(uses, failure[1], -1, False)
        elif failure[0] == NO_WAY:
            self._need_way(uses, failure[1], None)
        else:
            super()._need_failure(uses, failure)

    def _assume(self, i: int, v: int, deep: bool) -> tuple[list[Forced], Failure, State]:
        now = self._now()
        state, view = self.state.copy(), self.view.copy()
        state.dropped = dict(state.dropped)
        trail: list[Forced] = [("", i, v, BLANK, 0)]
        state.place(i, v, now)
        while True:
            found = state.single()
            if found[0] == "contradiction":
                return trail, tuple(found[1:]), state
            if len(found) == 4:
                technique, j, w, u = found
                state.place(j, w, now + len(trail))
                trail.append((technique, j, w, u, 0))
                continue
            facts: list[Fact] = []
            for k in self.lines:
                mask, union = self._narrowed(state, view, k)
                if not union:
                    return trail, (NO_ORDER, k), state
                if deep and mask != union:
                    facts = [(self.g.units[k][b // self.n], b % self.n) for b in bits(mask & ~union)]
                    trail.append(("line", 0, k, BLANK, mask & ~union))
                    break
            else:
                for line in self.diagonals:
                    allowed = self._crossing(state, view, line)
                    if allowed is None:
                        return trail, (NO_WAY, line), state
                    cells = self._cells(line)
                    lost = [state.candidates[j] & ~left for j, left in zip(cells, allowed, strict=True)]
                    if deep and any(lost):
                        facts = [(j, w) for j, mask in zip(cells, lost, strict=True) for w in bits(mask)]
                        trail.append(("line", 1, line, BLANK, sum([mask << self.n * p for p, mask in enumerate(lost)])))
                        break
            if not facts:
                return trail, (), state
            for j, w in facts:
                state.drop(j, w, now + len(trail) - 1)

    def _refutation(self, i: int, v: int, deep: bool) -> tuple[Uses, list[Told]]:
        now, n = self._now(), self.n
        trail, failure, state = self._assume(i, v, deep)
        uses = Uses(state, now)
        told: list[Told] = []
        wanted: dict[int, set[Fact]] = {}  # what later steps need of one that narrows a line

        def tell(technique: str, part: Uses, sets: Sequence[Fact], drops: Sequence[Fact], about: tuple[int, ...]) -> None:
            absent = part.absences()
            part.settle()
            uses.sources |= part.sources
            uses.rules |= part.rules
            for (j, w), reasons in absent:
                for source in reasons:
                    if source in part.sources and source > now:
                        wanted.setdefault(source - now, set()).add((j, w))
            known = sorted([source for source in part.sources if source < now])
            told.append(Told(technique, known, part.rules, tuple(sets), tuple(drops), about))

        last = Uses(state, now + len(trail))
        about = self._about_failure(failure)
        if failure[0] == NO_ORDER:
            ends, _ = self._need_order(last, failure[1], -1, False)
            about = (*failure, ends)
        else:
            self._need_failure(last, failure)
        tell("contradiction", last, (), (), about)
        for at in range(len(trail) - 1, 0, -1):
            if now + at in uses.sources:
                technique, j, w, u, lost = trail[at]
                part = Uses(state, now + at)
                part.preferred = uses.sources
                if technique != "line":
                    self._need_single(part, technique, j, w, u)
                    tell(technique, part, [(j, w)], (), () if u == BLANK else (self.g.named(u),))
                    continue
                cells = self.g.units[w] if j == 0 else self._cells(w)
                drops = [(cells[b // n], b % n) for b in bits(lost) if (cells[b // n], b % n) in wanted[at]]
                if j == 0:
                    needed = sum([1 << n * cells.index(c) + x for c, x in drops])
                    ends, _ = self._need_order(part, w, needed, False)
                    tell(technique, part, (), drops, (0, w, ends))
                else:
                    self._need_way(part, w, drops)
                    tell(technique, part, (), drops, (1, w))
        uses.sources = {source for source in uses.sources if source < now}
        return uses, told[::-1]

    def _about_failure(self, failure: Failure) -> Failure:
        return super()._about_failure(failure) if failure[0] == NO_PLACE else failure
