"""The board of items at positions: where each may stand, and what keeps it from the other places.

Item (a, v) is number a * positions + v. Masks of places: bit p is place p. Items that clues say to be the same are merged before
any place is known: one of them stands for all, and what is known of it holds for each.

Techniques are classes on PlaceBoard, which a deducer's board puts together: positions_singles.py, positions_clues.py,
positions_several.py, positions_ahead.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from puzzlemill.core.model import COMPOSITES, RELATIONS, Fact, PositionTable, Slots
from puzzlemill.solvers.deduce.board import Board
from puzzlemill.solvers.deduce.masks import bits
from puzzlemill.solvers.deduce.positions_findings import Fact as Given
from puzzlemill.solvers.deduce.positions_findings import Known, PlaceSay, Same, Together
from puzzlemill.solvers.deduce.positions_relations import Statement, relation
from puzzlemill.solvers.deduce.steps import Found

PROBES = 4_000  # suppositions in one deduction, before the rest is left to search


# ---- merged items ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MergedItems:
    """stands[x]: the item that stands for item x. by[x]: the clues by which they are the same. of[x]: all that x stands for."""

    stands: tuple[int, ...]
    by: tuple[tuple[int, ...], ...]
    of: tuple[tuple[int, ...], ...]

    def same(self, x: int) -> tuple[Same, ...]:
        """Why the item that stands for this one is the same; nothing if it stands for itself."""
        return (Same(x, self.stands[x], self.by[x]),) if self.by[x] else ()


def paths_from(neighbours: Sequence[Sequence[tuple[int, int]]], start: int) -> dict[int, tuple[int, ...]]:
    """The items that are one with this, with the fewest clues that say so."""
    paths: dict[int, tuple[int, ...]] = {start: ()}
    waiting = [start]
    for x in waiting:
        for y, clue in neighbours[x]:
            if y not in paths:
                paths[y] = (*paths[x], clue)
                waiting.append(y)
    return paths


# ---- the board -----------------------------------------------------------------------------------------------------------


class Why(NamedTuple):
    """What keeps an item from a place: labels, and the facts that these stand for."""

    labels: tuple[str, ...]
    facts: tuple[Given, ...]


class PlaceBoard(Board):
    """Where items may stand, and why not elsewhere. Slot first + p holds value v if item first + v stands at place p.

    only: the clues that are used, all if None. Of merged items the one that stands for all has what follows. places: masks.
    why[x][p]: what keeps item x from place p. placed[x]: the step that places it, "" if none does. fresh: per technique
    attributes or clues, the newest last: of once, clue, reach, composite, subset, cases, chain; and those that may have come to
    a contradiction: attributes, clues.
    """

    RETURNS = True

    def __init__(self, table: PositionTable, ids: Sequence[str], only: Collection[int] | None = None) -> None:
        super().__init__(ids, ["once"], PROBES + 1, 9)
        n, count = table.positions, table.positions * table.attributes
        self.table, self.n, self.values, self.full = table, n, n, (1 << n) - 1
        self.used = range(len(table.clues)) if only is None else sorted(only)
        self.kinds = [RELATIONS[clue[0]] for clue in table.clues]
        self.neighbours: list[list[tuple[int, int]]] = [[] for _ in range(count)]  # of each item those that it is one with
        for i in self.used:
            if self.kinds[i] == "same":
                _, a, v, b, w = table.clues[i][:5]
                self.neighbours[a * n + v].append((b * n + w, i))
                self.neighbours[b * n + w].append((a * n + v, i))
        self.merged = self._merge(count)
        self.items = [x for x in range(count) if self.merged.stands[x] == x]
        self.truths: list[list[tuple[Statement, Statement]]] = []  # per clue: its parts, as true and as false
        self.clues_of: list[dict[int, None]] = [{} for _ in range(count)]
        for i, (kind, clue) in enumerate(zip(self.kinds, table.clues, strict=True)):
            rows = table.parts[clue[1] : clue[1] + clue[2]] if kind in COMPOSITES else (clue,)
            self.truths.append([(self._statement(row, True), self._statement(row, False)) for row in rows])
            if i in self.used and kind != "same":
                for true, _ in self.truths[i]:
                    for x in true.items:
                        self.clues_of[x][i] = None
        self.plain_of = [[i for i in clues if self.kinds[i] not in COMPOSITES] for clues in self.clues_of]
        self.composites_of = [[i for i in clues if self.kinds[i] in COMPOSITES] for clues in self.clues_of]
        self.attributes_of = [tuple(dict.fromkeys([y // n for y in several])) for several in self.merged.of]
        self.places = [self.full] * count
        self.why: list[list[Why]] = [[Why((), ())] * n for _ in range(count)]
        self.placed = [""] * count
        self.open = len(self.items)
        plain = [i for i in self.used if self.kinds[i] not in ("same", *COMPOSITES)]
        plain.sort(key=lambda i: (self.truths[i][0][0].relation.arity == 1, -i))  # the newest is looked at first
        composite = [i for i in self.used if self.kinds[i] in COMPOSITES]
        attributes = range(table.attributes)
        self.fresh = [
            dict.fromkeys(attributes),
            dict.fromkeys(plain),
            dict.fromkeys(plain),
            dict.fromkeys(composite),
            dict.fromkeys(attributes),
            dict.fromkeys(composite),
            {0: None},
            {},
            {},
        ]

    def _merge(self, count: int) -> MergedItems:
        """Merge items; the one that most clues name stands for all."""
        named = [0] * count
        for row in (*self.table.clues, *self.table.parts):
            if RELATIONS[row[0]] not in COMPOSITES:
                for k in (1, 3, 5)[: relation(RELATIONS[row[0]], row[7], self.n, True).arity]:
                    named[row[k] * self.n + row[k + 1]] += 1
        stands = list(range(count))
        by: list[tuple[int, ...]] = [()] * count
        of: list[tuple[int, ...]] = [(x,) for x in range(count)]
        seen = set[int]()
        for x in range(count):
            if x in seen or not self.neighbours[x]:
                continue
            group = sorted(paths_from(self.neighbours, x))
            seen.update(group)
            chosen = max(group, key=lambda y: (named[y], -y))
            for y, clues in paths_from(self.neighbours, chosen).items():
                stands[y], by[y] = chosen, clues
            of[chosen] = (chosen, *[y for y in group if y != chosen])
        return MergedItems(tuple(stands), tuple(by), tuple(of))

    def _statement(self, row: Sequence[int], truth: bool) -> Statement:
        name, arity = RELATIONS[row[0]], relation(RELATIONS[row[0]], row[7], self.n, truth).arity
        named = [row[k] * self.n + row[k + 1] for k in (1, 3, 5)[:arity]]
        items = tuple([self.merged.stands[x] for x in named])
        alike = tuple([items.index(x) for x in items]) if len(set(items)) < arity else ()
        via = tuple(dict.fromkeys([clue for x in named for clue in self.merged.by[x]]))
        return Statement(relation(name, row[7], self.n, truth, alike), items, via)

    @property
    def unsolved(self) -> bool:
        return self.open > 0

    def own(self) -> None:
        self.places, self.placed = list(self.places), list(self.placed)
        self.why = [list(row) for row in self.why]

    def rest(self, answer: Slots) -> list[Fact]:
        return [fact for fact in enumerate(answer) if not self.placed[self.merged.stands[self._fact(*fact)[0]]]]

    # ---- what is known

    def put(self, slot: int, value: int, why: str) -> None:
        """An item stands at a place, with all that it stands for. What this keeps from places is stated by no step of its own."""
        x, p = self._fact(slot, value)
        x = self.merged.stands[x]
        if self.placed[x]:
            return
        self.placed[x] = why
        self.open -= 1
        bit = 1 << p
        there = Why((why, "once"), (Known(x, bit, True),))
        for q in bits(self.full & ~bit):
            self.why[x][q] = there
        self.places[x] &= bit
        supposed = is_supposed(why)
        free = supposed or self.mark == "#"  # a step that leans on this costs nothing
        for y in self.merged.of[x]:
            same: tuple[Given, ...] = self.merged.same(y) if supposed else ()
            here = Known(x if supposed else y, bit, True)
            taken = Why((why, *self._labels(same)), (*same, here))
            first = y - y % self.n
            for z in range(first, first + self.n):
                other = self.merged.stands[z]
                if z == y or other == x or not (self.places[other] & bit or (free and self._dropped(other, p))):
                    continue
                barred = taken
                if links := self.merged.same(z):
                    barred = Why((*taken.labels, *self._labels(links)), (*same, *links, here))
                if self.placed[other] and self.places[other] == bit:
                    self.note(Together(y, z, (*barred.facts, Known(other, bit, True))), [*barred.labels, self.placed[other]])
                self._drop(other, p, barred)
                self.why[other][p] = barred
        self._touch(x, True)

    def _dropped(self, x: int, p: int) -> bool:
        """Return whether a step has ruled this out, rather than what stands somewhere."""
        return any(isinstance(fact, Known) and not fact.there for fact in self.why[x][p].facts)

    def drop(self, slot: int, value: int, why: str) -> None:
        x, p = self._fact(slot, value)
        self._drop(x, p, Why((why,), (Known(x, 1 << p, False),)))

    def _drop(self, x: int, p: int, why: Why) -> None:
        if self.places[x] >> p & 1:
            self.places[x] &= ~(1 << p)
            self.why[x][p] = why
            self._touch(x, False)

    def _touch(self, x: int, placed: bool) -> None:
        """What an item's places may tell is looked at again, first of all. _clue() has use only for items that are placed."""
        once, clue, reach, composite, subset, cases, _, attributes, clues = self.fresh
        for queue in (once, subset, attributes):
            for attribute in self.attributes_of[x]:
                queue.pop(attribute, None)
                queue[attribute] = None
        for i in self.plain_of[x]:
            if placed or i in clue:
                clue.pop(i, None)
                clue[i] = None
            for queue in (reach, clues):
                queue.pop(i, None)
                queue[i] = None
        for queue in (composite, cases, clues):
            for i in self.composites_of[x]:
                queue.pop(i, None)
                queue[i] = None

    def _fact(self, x: int, p: int) -> Fact:
        """That an item stands at a place, as a slot with its value; or the other way round."""
        return x - x % self.n + p, x % self.n

    def _facts(self, pairs: Iterable[tuple[int, int]]) -> list[Fact]:
        return [self._fact(x, p) for x, p in pairs]

    # ---- what a step leans on

    def _labels(self, facts: Iterable[Given]) -> list[str]:
        """The clues that merge items, of all that is known."""
        return [self.ids[clue] for fact in facts if isinstance(fact, Same) for clue in fact.clues]

    def _bars(self, x: int, mask: int, uses: list[str], known: list[Given]) -> None:
        """Add why an item is at none of these places."""
        for p in bits(mask):
            uses += self.why[x][p].labels
            known += self.why[x][p].facts

    def _set(self, make: Callable[[tuple[Same, ...]], Found[PlaceSay]], uses: Sequence[str], x: int, p: int) -> bool:
        """Note that an item stands at a place, with all that it stands for."""
        every = self.merged.of[x]
        links = tuple([same for y in every for same in self.merged.same(y)])
        return self.note(make(links), [*uses, *self._labels(links)], self._facts([(y, p) for y in every]))


def is_supposed(label: str) -> bool:
    """Return whether this is the label of a supposition."""
    return label.endswith("?0")


def joined(facts: Sequence[Given]) -> tuple[Given, ...]:
    """One entry for each item, after what is the same; an item that stands somewhere needs no places where it does not."""
    same = dict.fromkeys([fact for fact in facts if isinstance(fact, Same)])
    merged: dict[int, Known] = {}
    for fact in facts:
        if isinstance(fact, Known):
            x, mask, there = fact
            _, before, stood = merged.get(x, (x, 0, False))
            if there or not before:
                merged[x] = fact
            elif not stood and mask & ~before:
                merged[x] = Known(x, before | mask, False)
    return (*same, *merged.values())
