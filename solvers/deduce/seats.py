"""Human-style deduction on persons on seats (SeatTable).

What is known of an item is the mask of states that it may still have: seats or, where it is to be found which way persons face,
seats with a way. Techniques: placing by a clue and somebody placed; narrowing by a clue; the only seat left for somebody and the
only one left for a seat; what two open items leave each other; the half of a composite that is left; two who share two seats; and
case split: one state of an item that ends in a contradiction.

A fact is a slot with its value. Where ways are known, slot g * seats + p holds v if value v of group g is on seat p. Where they
are not, slot 2 * seats + x, which is no part of the answer, holds the state of person x.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from puzzlemill.core.model import SEAT_CLUES, Fact, SeatTable, Slots, Step
from puzzlemill.core.words import listed
from puzzlemill.rules.seats_words import SeatWords
from puzzlemill.solvers.deduce.board import Ahead, Board, Look, Refuted, Story
from puzzlemill.solvers.deduce.masks import bits, union
from puzzlemill.solvers.deduce.steps import Found, Say, Search, sentence, tiers
from puzzlemill.solvers.deduce.steps import LookAhead as AnyLookAhead
from puzzlemill.solvers.kernels.seats import Lines

MEDIUM, HARD = 3, 5
PROBES = 2_000  # suppositions in one deduction, before the rest is left to search
_EITHER, _IF = SEAT_CLUES.index("either"), SEAT_CLUES.index("if")


# ---- findings ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SeatSay(Say):
    """The words of one puzzle."""

    words: SeatWords
    table: SeatTable

    def on(self, x: int, states: Sequence[int]) -> str:
        """ "Anna is on seat 3"."""
        return f"{self.words.item(x)} is {self.words.state(states)}"

    def supposed(self, cell: int, value: int) -> str:
        return f"{self.words.item(cell)} were {self.words.state([value])}"

    def is_not(self, cell: int, value: int) -> str:
        return f"{self.words.item(cell)} is not {self.words.state([value])}"

    def so(self, step: Step) -> str:
        table, told = self.table, dict[int, int]()
        barred: dict[int, list[int]] = {}
        for facts, into in ((step.sets, None), (step.drops, barred)):
            for slot, value in facts:
                x, s = _item_of(table, slot, value)
                if x < 0:
                    continue
                if into is None:
                    told[x] = s
                else:
                    into.setdefault(x, []).append(s)
        said = [self.on(x, [s]) for x, s in told.items()]
        said += [f"{self.words.item(x)} is not {self.words.state(sorted(states))}" for x, states in barred.items()]
        return listed(said)


class First(Found[SeatSay]):
    """Seats are counted from the first person."""

    def says(self, say: SeatSay, step: Step) -> str:
        return f"seats are counted from {say.words.first}, who has seat 1"


class _ByClue(Found[SeatSay]):
    """A clue and what is known of one item leave another one these states; the same item twice if the clue names one."""

    clue: int
    one: int
    two: int
    known: tuple[int, ...]
    left: tuple[int, ...]

    def says(self, say: SeatSay, step: Step) -> str:
        said = f"{say.words.clue(self.clue)} says that {say.words.says(self.clue, -1)}"
        if self.one != self.two:
            said += f"; {say.on(self.two, self.known)}"
        if not self.left:
            return f"{said}, which leaves {say.words.item(self.one)} no seat"
        return f"{said}, so {say.on(self.one, self.left)}"


class Placed(_ByClue):
    """One state is left, beside somebody whose state is known."""


class Narrowed(_ByClue):
    """Several are left."""


class Reach(_ByClue):
    """The other one's state is not known yet."""

    def says(self, say: SeatSay, step: Step) -> str:
        said = f"{say.words.clue(self.clue)} says that {say.words.says(self.clue, -1)}"
        if len(self.known) < say.table.seats * say.table.turns:
            said += f"; {say.words.item(self.two)} can only be {say.words.state(self.known)}"
        return f"{said}, so {say.so(step)}" if self.left else f"{said}, which leaves {say.words.item(self.one)} no seat"


class Half(Found[SeatSay]):
    """One part of a composite is known to be true or false, and that decides the other."""

    clue: int
    part: int
    decided: bool  # what the other part is
    truth: bool  # what this one is then

    def says(self, say: SeatSay, step: Step) -> str:
        words = say.words
        other = f'"{words.says(self.clue, 1 - self.part)}" is {"true" if self.decided else "false"}'
        this = f'"{words.says(self.clue, self.part)}" is {"true" if self.truth else "false"}'
        return f"of {words.clue(self.clue)}, {other}, so {this}: {say.so(step)}"


class OnlySeat(Found[SeatSay]):
    """All other seats are ruled out for somebody."""

    item: int
    state: int

    def says(self, say: SeatSay, step: Step) -> str:
        return f"nothing else is left for {say.words.item(self.item)}: {say.on(self.item, [self.state])}"


class OnlyPerson(Found[SeatSay]):
    """All others are ruled out for a seat."""

    item: int
    seat: int

    def says(self, say: SeatSay, step: Step) -> str:
        return f"seat {self.seat + 1} is left to {say.words.item(self.item)} alone"


class SharedSeats(Found[SeatSay]):
    """Two have two seats between them."""

    items: tuple[int, int]
    seats: tuple[int, int]

    def says(self, say: SeatSay, step: Step) -> str:
        one, two = [say.words.item(x) for x in self.items]
        p, q = self.seats
        return f"{one} and {two} have seats {p + 1} and {q + 1} between them, so {say.so(step)}"


class NoSeat(Found[SeatSay]):
    """Nothing is left for somebody."""

    item: int

    def says(self, say: SeatSay, step: Step) -> str:
        return f"no seat is left for {say.words.item(self.item)}"


class NoPerson(Found[SeatSay]):
    """Nobody is left for a seat."""

    seat: int

    def says(self, say: SeatSay, step: Step) -> str:
        return f"nobody is left for seat {self.seat + 1}"


class NoHalf(Found[SeatSay]):
    """A composite cannot hold, whatever its parts are."""

    clue: int

    def says(self, say: SeatSay, step: Step) -> str:
        return f"{say.words.clue(self.clue)} cannot hold with what is known"


class CaseSplit(AnyLookAhead):
    """One of the cases of an item ends in a contradiction."""


class DeepCaseSplit(AnyLookAhead):
    """The same with case splits within."""


TECHNIQUES = tiers(
    [First, Placed],
    [Narrowed, OnlySeat, OnlyPerson, NoSeat, NoPerson],
    [Reach, Half, NoHalf],
    [SharedSeats],
    [CaseSplit],
    [DeepCaseSplit],
    [Search],
)


# ---- the board -----------------------------------------------------------------------------------------------------------


def _item_of(table: SeatTable, slot: int, value: int) -> tuple[int, int]:
    """Which item has which state; -1 for facts that say only a part of that."""
    n = table.seats
    if table.turns == 1:
        return slot - slot % n + value, slot % n
    return (slot - 2 * n, value) if slot >= 2 * n else (-1, 0)


class _Board(Board):
    """domain: the states that each item may have. why[x][s]: labels of what keeps item x from state s. placed: the step that
    leaves an item one state, "" if none does yet. seated: items whose seat nobody else can have any more.
    """

    AHEAD = (Ahead(CaseSplit, 4), Ahead(DeepCaseSplit, 4, True))
    TOP = 4
    RETURNS = True

    def __init__(self, table: SeatTable, ids: Sequence[str]) -> None:
        rules = ["once", "first"] if table.start[0] != table.start[1] else ["once"]
        super().__init__(ids, rules, PROBES, 6)
        self.table, self.n, self.turns = table, table.seats, table.turns
        self.count, self.states = table.seats * table.groups, table.seats * table.turns
        self.values = self.n if self.turns == 1 else self.states
        self.lines = Lines(table)
        self.full = (1 << self.states) - 1
        self.domain = [self.full] * self.count
        self.why: list[list[tuple[str, ...]]] = [[()] * self.states for _ in range(self.count)]
        self.placed = [""] * self.count
        self.seated = [False] * self.count
        self.back = [_turned(row) for row in table.relations]
        self._touch()

    def _touch(self) -> None:
        for queue in self.fresh:
            queue[0] = None

    @property
    def unsolved(self) -> bool:
        return not all(self.placed)

    def own(self) -> None:
        self.domain, self.placed, self.seated = list(self.domain), list(self.placed), list(self.seated)
        self.why = [list(row) for row in self.why]
        self._touch()

    def begin(self) -> None:
        if "first" in self.rules:
            self._keep(First(), ["first"], 0, (1 << self.turns) - 1)

    def rest(self, answer: Slots) -> list[Fact]:
        n, found = self.n, list[Fact]()
        for slot, v in enumerate(answer[: n * self.table.groups]):
            x = slot - slot % n + v
            if not self.placed[x]:
                found += self._facts(x, (slot % n) * self.turns + (answer[n + slot] if self.turns == 2 else 0), True)
        return found

    # ---- what is known

    def _facts(self, x: int, s: int, whole: bool = False) -> list[Fact]:
        """That an item has a state. whole: with what that says of the answer."""
        n = self.n
        if self.turns == 1:
            return [(x - x % n + s, x % n)]
        return [(2 * n + x, s), *[(s // 2, x), (n + s // 2, s % 2)] * whole]

    def put(self, slot: int, value: int, why: str) -> None:
        x, s = _item_of(self.table, slot, value)
        if x < 0 or self.placed[x]:
            return
        self.placed[x] = why
        for t in bits(self.full & ~(1 << s)):
            self.why[x][t] = (why,)
        self.domain[x] &= 1 << s
        self._settle(x)

    def drop(self, slot: int, value: int, why: str) -> None:
        x, s = _item_of(self.table, slot, value)
        self._bar(x, 1 << s, (why,))
        self._settle(x)

    def _bar(self, x: int, mask: int, why: tuple[str, ...]) -> None:
        for s in bits(self.domain[x] & mask):
            self.why[x][s] = why
        self.domain[x] &= ~mask
        self._touch()

    def _settle(self, x: int) -> None:
        """Keep all others from the seat of an item whose seat is known."""
        self._touch()
        seats = sorted({s // self.turns for s in bits(self.domain[x])})
        if len(seats) != 1 or self.seated[x]:
            return
        self.seated[x] = True
        there = self._seat(seats[0])
        labels = (*dict.fromkeys([*([self.placed[x]] if self.placed[x] else self._bars(x, self.full & ~there)), "once"]),)
        for y in self._group(x):
            if y != x and self.domain[y] & there:
                self._bar(y, there, labels)
                self._settle(y)

    def _seat(self, p: int) -> int:
        """The states of a seat."""
        return (1 << self.turns) - 1 << p * self.turns

    def _group(self, x: int) -> range:
        return range(x - x % self.n, x - x % self.n + self.n)

    def _bars(self, x: int, mask: int) -> list[str]:
        """The labels of what keeps an item from these states, as far as it does."""
        return [label for s in bits(mask & ~self.domain[x]) for label in self.why[x][s]]

    def _keep(self, found: Found[SeatSay], uses: Sequence[str], x: int, mask: int) -> bool:
        """Note that an item has one of these states: it is set if one is left, with all that keeps it from others."""
        left = self.domain[x] & mask
        if left and not left & left - 1:
            labels = [*uses, *self._bars(x, mask), "once"]
            return self.note(found, labels, self._facts(x, left.bit_length() - 1, True))
        return self.note(found, uses, (), [fact for s in bits(self.domain[x] & ~mask) for fact in self._facts(x, s)])

    # ---- techniques

    def looks(self, top: int) -> Sequence[Look]:
        every = (self._ends, self._place, self._single, self._reach, self._half, self._shared)
        tier = (1, 1, 2, 3, 3, 4)
        return [(look, fresh, None) for look, fresh, at in zip(every, self.fresh, tier, strict=True) if at <= top]

    def _ends(self, _: int) -> bool:
        """Nothing left for somebody, or nobody for a seat: a contradiction."""
        for x in range(self.count):
            if not self.domain[x]:
                return self.note(NoSeat(x), [*self._bars(x, self.full), "once"])
        for start in range(0, self.count, self.n):
            group = range(start, start + self.n)
            reached = union([self.domain[x] for x in group])
            for p in range(self.n):
                if not reached & self._seat(p):
                    return self.note(NoPerson(p), [*[label for x in group for label in self._bars(x, self._seat(p))], "once"])
        return False

    def _atoms(self) -> Iterator[tuple[int, int, int, Sequence[int]]]:
        """The clues that hold outright: the item that is narrowed, the other one, and the states of the first by the other's."""
        for i, (code, first, number) in enumerate(self.table.clues):
            for x, y, k in self.table.atoms[first : first + number] if code not in (_EITHER, _IF) else ():
                yield i, y, x, self.table.relations[k]
                if x != y:
                    yield i, x, y, self.back[k]

    def _allowed(self, one: int, two: int, images: Sequence[int]) -> int:
        """The states of one item that some state of the other leaves it."""
        if one == two:
            return union(images)
        return union([images[s] for s in bits(self.domain[two])])

    def _place(self, _: int) -> bool:
        """The clue that leaves the fewest states beside somebody who is placed, or by itself."""
        best: tuple[int, int, int, int, int] | None = None
        for i, one, two, images in self._atoms():
            if (one != two and not self.placed[two]) or (self.placed[one] and self.domain[one]):
                continue
            allowed = self._allowed(one, two, images)
            left = (self.domain[one] & allowed).bit_count()
            if self.domain[one] & ~allowed and (best is None or left < best[0]):
                best = left, i, one, two, allowed
        if best is None:
            return False
        many, i, one, two, allowed = best
        uses = [self.ids[i], *([self.placed[two]] if one != two else []), "once"]
        known, left_ = tuple(bits(self.domain[two])), tuple(bits(self.domain[one] & allowed))
        kind = Placed if many == 1 else Narrowed
        return self._keep(kind(i, one, two, known, left_), uses, one, allowed)

    def _single(self, _: int) -> bool:
        for x in range(self.count):
            if not self.placed[x] and not self.domain[x] & self.domain[x] - 1:
                s = self.domain[x].bit_length() - 1
                return self.note(OnlySeat(x, s), [*self._bars(x, self.full), "once"], self._facts(x, s, True))
        for start in range(0, self.count, self.n):
            for p in range(self.n):
                there = self._seat(p)
                here = [x for x in range(start, start + self.n) if self.domain[x] & there]
                if len(here) == 1 and self.domain[here[0]] & ~there:
                    others = [x for x in range(start, start + self.n) if x != here[0]]
                    labels = [label for x in others for label in self._bars(x, there)]
                    return self._keep(OnlyPerson(here[0], p), [*labels, "once"], here[0], there)
        return False

    def _reach(self, _: int) -> bool:
        for i, one, two, images in self._atoms():
            allowed = self._allowed(one, two, images)
            if self.domain[one] & ~allowed:
                lost = self.domain[one] & ~allowed
                barring = union([self._partners(images, s) for s in bits(lost)])
                uses = [self.ids[i], *self._bars(two, barring), "once"]
                known, left = tuple(bits(self.domain[two])), tuple(bits(self.domain[one] & allowed))
                return self.note(Reach(i, one, two, known, left), uses, (), self._dropped(one, lost))
        return False

    def _partners(self, images: Sequence[int], s: int) -> int:
        """The states of the other item with which this one has state s."""
        return union([1 << t for t, image in enumerate(images) if image >> s & 1])

    def _dropped(self, x: int, mask: int) -> list[Fact]:
        return [fact for s in bits(mask) for fact in self._facts(x, s)]

    def _may(self, atom: tuple[int, int, int], truth: bool) -> bool:
        """Return whether an atom may be true (or false)."""
        x, y, k = atom
        images = self.table.relations[k]
        for s in bits(self.domain[x]):
            image = images[s] if truth else self.full & ~images[s]
            if image & (1 << s if x == y else self.domain[y]):
                return True
        return False

    def _half(self, _: int) -> bool:
        """Narrow by the part of a composite that the other part decides."""
        for i, (code, first, _number) in enumerate(self.table.clues):
            if code not in (_EITHER, _IF):
                continue
            atoms = self.table.atoms[first : first + 2]
            may = [(self._may(atom, True), self._may(atom, False)) for atom in atoms]
            known = [True if not false else False if not true else None for true, false in may]
            about = [*[label for x, y, _k in atoms for z in (x, y) for label in self._bars(z, self.full)], "once"]
            if code == _IF:
                wrong = known[0] is True and known[1] is False
                forced = [(1, True, True)] if known[0] is True else [(0, False, False)] if known[1] is False else []
            else:
                wrong = known[0] is not None and known[0] == known[1]
                forced = [(1 - k, each, not each) for k, each in enumerate(known) if each is not None]
            if wrong:
                return self.note(NoHalf(i), [self.ids[i], *about])
            for part, decided, truth in forced:
                drops = self._by_part(atoms[part], truth)
                if drops:
                    return self.note(Half(i, part, decided, truth), [self.ids[i], *about], (), drops)
        return False

    def _by_part(self, atom: tuple[int, int, int], truth: bool) -> list[Fact]:
        """What is not so if an atom is true (or false)."""
        x, y, k = atom
        found = []
        for one, two, images in ((x, y, self.table.relations[k]), (y, x, self.back[k]))[: 1 if x == y else 2]:
            for s in bits(self.domain[one]):
                image = images[s] if truth else self.full & ~images[s]
                if not image & (1 << s if x == y else self.domain[two]):
                    found += self._facts(one, s)
        return found

    def _shared(self, _: int) -> bool:
        for start in range(0, self.count, self.n):
            group = range(start, start + self.n)
            seats = {x: tuple(dict.fromkeys([s // self.turns for s in bits(self.domain[x])])) for x in group}
            for x in group:
                for y in range(x + 1, start + self.n):
                    if len(seats[x]) != 2 or seats[x] != seats[y]:
                        continue
                    there = self._seat(seats[x][0]) | self._seat(seats[x][1])
                    drops = [fact for z in group if z not in (x, y) for fact in self._dropped(z, self.domain[z] & there)]
                    if drops:
                        uses = [label for z in (x, y) for label in self._bars(z, self.full & ~there)]
                        return self.note(SharedSeats((x, y), (seats[x][0], seats[x][1])), [*uses, "once"], (), drops)
        return False

    # ---- suppositions

    def tries(self, answer: Slots | None) -> list[int]:
        """From items with few states."""
        items = sorted([x for x in range(self.count) if not self.placed[x]], key=lambda x: (self.domain[x].bit_count(), x))
        right = set() if answer is None else set(self.rest(answer))
        facts = [fact for x in items for s in bits(self.domain[x]) for fact in self._facts(x, s)]
        return [slot * self.values + value for slot, value in facts if (slot, value) not in right]

    def tried(self, literal: int, ahead: Ahead) -> Refuted | Collection[int] | None:
        if self.probes[0] >= self.most:
            return None
        self.probes[0] += 1
        if not ahead.deep:
            x, s = _item_of(self.table, *divmod(literal, self.values))
            domain = np.array(self.domain, dtype=np.int64)
            domain[x] = 1 << s
            if self.lines.closed(domain):
                return ()
        found = self.refutation(literal, ahead)
        return () if found is None else found

    def rule_out(self, ahead: Ahead, slot: int, value: int, tale: Story) -> bool:
        uses, within = tale
        return self.note(ahead.technique(*_item_of(self.table, slot, value)), uses, [], [(slot, value)], within)


def _turned(images: Sequence[int]) -> tuple[int, ...]:
    """The states of the first item by those of the second."""
    return tuple([sum([1 << s for s, image in enumerate(images) if image >> t & 1]) for t in range(len(images))])


def deduce(table: SeatTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    return _Board(table, ids).trace(answer)


def explain(words: SeatWords, table: SeatTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return sentence(SeatSay(words, table), step)
