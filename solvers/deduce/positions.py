"""Human-style deduction on items at positions (PositionTable).

Item (a, v) is number a * positions + v. Masks of places: bit p is place p. Items that clues say to be the same are merged before
any place is known: one of them stands for all, and what is known of it holds for each.

Findings and their sentences, which need PlaceWords (puzzlemill/rules/positions_words.py): positions_findings.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import combinations, product
from typing import NamedTuple

from puzzlemill.core.model import COMPOSITES, RELATIONS, Fact, PositionTable, Slots, Step
from puzzlemill.rules.positions import is_true
from puzzlemill.rules.positions_words import PlaceWords
from puzzlemill.solvers.deduce.board import Ahead, Board, Look, Refuted, Story
from puzzlemill.solvers.deduce.masks import bits, mask_of, union
from puzzlemill.solvers.deduce.positions_findings import (
    TECHNIQUES,
    ByClue,
    Cases,
    Chain,
    Clash,
    Composite,
    DeepLookAhead,
    Discord,
    FarLookAhead,
    HiddenSubset,
    Known,
    LastItem,
    LastPlace,
    LookAhead,
    Merged,
    PlaceSay,
    Reach,
    Same,
    Search,
    Subset,
    Together,
    TwoClues,
)
from puzzlemill.solvers.deduce.positions_findings import Fact as Given
from puzzlemill.solvers.deduce.steps import Found, length, sentence

__all__ = ["HARD", "MEDIUM", "TECHNIQUES", "deduce", "explain"]

MEDIUM, HARD = 3, 5

SHORT = 4  # steps of a story that is easily followed
SHORTEST = 3  # steps of a story of two clues
SEEN = 6  # contradictions found by looking ahead
LATER = 4  # steps of the quick look by which a contradiction may be seen later than the soonest, if its story may be shorter
STORIES = 2  # of these so many that were seen soonest, of which the one with the shortest story becomes a step
PROBES = 4_000  # suppositions in one deduction, before the rest is left to search
_SUPPORTED = ("at", "end", "same", "next", "just_left", "apart", "far")  # one item's place names those of the other
_ONE_OF, _IF, _EITHER = COMPOSITES
_BEFORE = ("just_left", "left")


def deduce(table: PositionTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    board = _Board(table, ids)
    steps = board.trace(answer)
    return _first_uses(_shortest(board, steps) if answer is None else steps)


def explain(words: PlaceWords, table: PositionTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return sentence(PlaceSay(words, table), step)


def _first_uses(steps: Sequence[Step]) -> list[Step]:
    """The same steps, with a mark where a clue is used for the first time."""
    seen = set[int]()

    def marked(step: Step) -> Step:
        found = step.found
        if isinstance(found, ByClue) and found.clue not in seen:
            seen.add(found.clue)
            found = replace(found, first=True)
        elif not step.within:
            return step
        return replace(step, found=found, within=tuple([marked(part) for part in step.within]))

    return [marked(step) for step in steps]


# ---- short refutations -----------------------------------------------------------------------------------------------------


def _shortest(board: _Board, steps: list[Step]) -> list[Step]:
    """The easiest of some refutations: this one, and those of sets of clues from which none can be left out."""
    table, ids = board.table, board.ids
    if steps[-1].technique == Search.technique:
        return steps
    number = {id_: i for i, id_ in enumerate(ids)}
    used = sorted({number[use] for step in steps for use in step.uses if use in number})
    best, tried = steps, {tuple(range(len(ids)))}
    kinds = [_EASIEST.index(RELATIONS[clue[0]]) for clue in table.clues]
    boards: dict[tuple[int, ...], _Board] = {}  # by the clues that merge items, with all others

    def closes(kept: Sequence[int], subsets: bool) -> bool:
        merging = tuple([i for i in kept if board.kinds[i] == "same"])
        if merging not in boards:
            boards[merging] = _Board(table, ids, [i for i in range(len(ids)) if i in merging or board.kinds[i] != "same"])
        return boards[merging].closes(kept, subsets)

    subsets = next((subsets for subsets in (False, True) if closes(used, subsets)), None)
    for start in (used, range(len(ids)) if subsets is False else used):
        if len(best) <= SHORT or (subsets is None and start is not used):
            break
        kept = list(start)
        groups = [[i for i in kept if kinds[i] == kind] for kind in range(len(_EASIEST))]
        for gone in (*groups[::-1], *[[i] for group in groups[::-1] for i in group if len(group) > 1]):
            fewer = [i for i in kept if i not in gone]
            if subsets is not None and len(fewer) < len(kept) and closes(fewer, subsets):
                kept = fewer
        if tuple(kept) not in tried:
            tried.add(tuple(kept))
            best = min(best, _Board(table, ids, kept).trace(None), key=_cost)
    return best


def _cost(steps: Sequence[Step]) -> tuple[int, int]:
    """How hard a trace is to follow: its tiers together, and its steps with those of stories."""
    return sum([3 ** TECHNIQUES[step.technique] for step in steps]), length(steps)


# From what a person reads off at once to what takes thought.
_EASIEST = ("at", "same", "end", "just_left", "next", "not_at", "not_same", "apart", "left", "between", "far", *COMPOSITES[::-1])


# ---- merged items ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Merged:
    """stands[x]: the item that stands for item x. by[x]: the clues by which they are the same. of[x]: all that x stands for."""

    stands: tuple[int, ...]
    by: tuple[tuple[int, ...], ...]
    of: tuple[tuple[int, ...], ...]

    def same(self, x: int) -> tuple[Same, ...]:
        """Why the item that stands for this one is the same; nothing if it stands for itself."""
        return (Same(x, self.stands[x], self.by[x]),) if self.by[x] else ()


def _paths(neighbours: Sequence[Sequence[tuple[int, int]]], start: int) -> dict[int, tuple[int, ...]]:
    """The items that are one with this, with the fewest clues that say so."""
    paths: dict[int, tuple[int, ...]] = {start: ()}
    waiting = [start]
    for x in waiting:
        for y, clue in neighbours[x]:
            if y not in paths:
                paths[y] = (*paths[x], clue)
                waiting.append(y)
    return paths


# ---- relations ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Relation:
    """tuples: the places of the items that are right; having[k][p]: those where the k-th item is at p. images: see narrowed().

    direct: see _SUPPORTED.
    """

    arity: int
    tuples: tuple[tuple[int, ...], ...]
    having: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
    images: tuple[tuple[int, ...], ...]
    direct: bool

    def having_all(self, fixed: dict[int, int]) -> tuple[tuple[int, ...], ...]:
        """The right tuples with this place of one item, or all if none is fixed."""
        if not fixed:
            return self.tuples
        ((k, p),) = fixed.items()
        return self.having[k][p]

    def narrowed(self, masks: Sequence[int]) -> list[int]:
        """The places of each item that are in some right tuple."""
        if self.arity == 1:
            return [masks[0] & self.images[0][0]]
        if self.arity == 2:
            return [masks[0] & self.images[1][masks[1]], masks[1] & self.images[0][masks[0]]]
        left = [0, 0, 0]
        x, y, z = masks
        for p, q, r in self.tuples:
            if x >> p & 1 and y >> q & 1 and z >> r & 1:
                left[0] |= 1 << p
                left[1] |= 1 << q
                left[2] |= 1 << r
        return left

    def possible(self, masks: Sequence[int]) -> bool:
        """Return whether some right tuple is within these places."""
        if self.arity == 1:
            return masks[0] & self.images[0][0] != 0
        if self.arity == 2:
            return masks[0] & self.images[1][masks[1]] != 0
        x, y, z = masks
        return any(x >> p & 1 and y >> q & 1 and z >> r & 1 for p, q, r in self.tuples)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A relation of items: items[i] stands at the i-th place of a right tuple.

    via: by which clues these items stand for those that the statement names.
    """

    relation: _Relation
    items: tuple[int, ...]
    via: tuple[int, ...]


@lru_cache(maxsize=2048)
def _relation(name: str, d: int, n: int, truth: bool, alike: tuple[int, ...] = ()) -> _Relation:
    """alike[k]: the first of the items that the k-th one is merged with, if any two are."""
    arity = 1 if name in ("at", "not_at", "end") else 3 if name == "between" else 2
    tuples = tuple(
        [
            places
            for places in product(range(n), repeat=arity)
            if is_true(name, places, d, n) == truth and all(places[k] == places[first] for k, first in enumerate(alike))
        ]
    )
    images: list[tuple[int, ...]] = []
    if arity == 1:
        images = [(sum([1 << p for (p,) in tuples]),)]
    if arity == 2:
        for way in (0, 1):
            row = [0] * (1 << n)
            for mask in range(1, 1 << n):
                low = mask & -mask
                reach = sum([1 << places[1 - way] for places in tuples if 1 << places[way] == low]) if mask == low else row[low]
                row[mask] = reach | row[mask ^ low]
            images.append(tuple(row))
    having = tuple([tuple([tuple([each for each in tuples if each[k] == p]) for p in range(n)]) for k in range(arity)])
    return _Relation(arity, tuples, having, tuple(images), truth and name in _SUPPORTED and not alike)


# ---- the board -----------------------------------------------------------------------------------------------------------


class _Why(NamedTuple):
    """What keeps an item from a place: labels, and the facts that these stand for."""

    labels: tuple[str, ...]
    facts: tuple[Given, ...]


class _Board(Board):
    """Where items may stand, and why not elsewhere. Slot first + p holds value v if item first + v stands at place p.

    only: the clues that are used, all if None. Of merged items the one that stands for all has what follows. places: masks.
    why[x][p]: what keeps item x from place p. placed[x]: the step that places it, "" if none does. fresh: per technique
    attributes or clues, the newest last.
    """

    AHEAD = (Ahead(LookAhead, 4), Ahead(FarLookAhead, 5), Ahead(DeepLookAhead, 5, True))
    SEARCH = Search
    TOP = 7
    SHORT = SHORTEST
    RETURNS = True

    def __init__(self, table: PositionTable, ids: Sequence[str], only: Collection[int] | None = None) -> None:
        super().__init__(ids, ["once"], PROBES + 1, 7)
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
        self.truths: list[list[tuple[_Statement, _Statement]]] = []  # per clue: its parts, as true and as false
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
        self.work = 0  # of the last quick look; of those that found a contradiction, by what they suppose
        self.works: dict[int, int] = {}
        self.outcomes: dict[int, dict[int, tuple[int, ...]]] = {ahead.top: {} for ahead in self.AHEAD}
        self.places = [self.full] * count
        self.why: list[list[_Why]] = [[_Why((), ())] * n for _ in range(count)]
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
        ]

    def _merge(self, count: int) -> _Merged:
        """Merge items; the one that most clues name stands for all."""
        named = [0] * count
        for row in (*self.table.clues, *self.table.parts):
            if RELATIONS[row[0]] not in COMPOSITES:
                for k in (1, 3, 5)[: _relation(RELATIONS[row[0]], row[7], self.n, True).arity]:
                    named[row[k] * self.n + row[k + 1]] += 1
        stands = list(range(count))
        by: list[tuple[int, ...]] = [()] * count
        of: list[tuple[int, ...]] = [(x,) for x in range(count)]
        seen = set[int]()
        for x in range(count):
            if x in seen or not self.neighbours[x]:
                continue
            group = sorted(_paths(self.neighbours, x))
            seen.update(group)
            chosen = max(group, key=lambda y: (named[y], -y))
            for y, clues in _paths(self.neighbours, chosen).items():
                stands[y], by[y] = chosen, clues
            of[chosen] = (chosen, *[y for y in group if y != chosen])
        return _Merged(tuple(stands), tuple(by), tuple(of))

    def _statement(self, row: Sequence[int], truth: bool) -> _Statement:
        name, arity = RELATIONS[row[0]], _relation(RELATIONS[row[0]], row[7], self.n, truth).arity
        named = [row[k] * self.n + row[k + 1] for k in (1, 3, 5)[:arity]]
        items = tuple([self.merged.stands[x] for x in named])
        alike = tuple([items.index(x) for x in items]) if len(set(items)) < arity else ()
        via = tuple(dict.fromkeys([clue for x in named for clue in self.merged.by[x]]))
        return _Statement(_relation(name, row[7], self.n, truth, alike), items, via)

    @property
    def unsolved(self) -> bool:
        return self.open > 0

    def own(self) -> None:
        self.places, self.placed = list(self.places), list(self.placed)
        self.why = [list(row) for row in self.why]

    def begin(self) -> None:
        """Look whether clues merge what an attribute or another clue keeps apart; the fewest clues that do are stated."""
        found: list[tuple[tuple[int, int, int], Merged]] = []
        for x in self.items:
            for y in self.merged.of[x]:
                for z, clues in _paths(self.neighbours, y).items() if len(self.merged.of[x]) > 1 else ():
                    if y < z and y // self.n == z // self.n:
                        found.append(((len(clues), y, z), Merged(y, z, clues, -1)))
        for i in self.used:
            if self.kinds[i] not in ("same", *COMPOSITES):
                clue = self.table.clues[i]
                named = [clue[k] * self.n + clue[k + 1] for k in (1, 3, 5)[: self.truths[i][0][0].relation.arity]]
                for y, z in combinations(named, 2):
                    if self.merged.stands[y] == self.merged.stands[z] and (y, z) != tuple(named[1:3]):
                        clues = _paths(self.neighbours, y)[z]
                        found.append(((len(clues) + 1, y, z), Merged(y, z, clues, i)))
        if found:
            merged = min(found, key=lambda entry: entry[0])[1]
            last = [self.ids[merged.clue]] if merged.clue >= 0 else []
            self.note(merged, [*[self.ids[i] for i in merged.clues], *last, "once"])
        pairs = [i for i in self.used if self.kinds[i] not in ("same", *COMPOSITES) and self.truths[i][0][0].relation.arity == 2]
        clashes = [clash for i, j in combinations(pairs, 2) if (clash := self._clash(i, j)) is not None]
        if clashes:
            clash = min(clashes, key=lambda found: len(found.clues))
            self.note(clash, [*[self.ids[i] for i in clash.clues], "once"])

    def _clash(self, i: int, j: int) -> Clash | None:
        """Two clues of two items each that contradict each other: about the same two, or an item and two that are kept apart."""
        one, two = self.truths[i][0][0], self.truths[j][0][0]
        shared = [x for x in one.items if x in two.items]
        if not shared or one.items[0] == one.items[1] or two.items[0] == two.items[1]:
            return None
        x = shared[0]
        images = [each.relation.images[each.items.index(x)] for each in (one, two)]
        links: tuple[int, ...] = ()
        if len(shared) == 1:
            y, z = [each.items[1 - each.items.index(x)] for each in (one, two)]
            both = [(a, b) for a in self.merged.of[y] for b in self.merged.of[z] if a // self.n == b // self.n]
            if not both:
                return None
            a, b = min(both, key=lambda pair: len(self.merged.by[pair[0]]) + len(self.merged.by[pair[1]]))
            links = (*self.merged.by[a], *self.merged.by[b])
        for p in range(self.n):
            first, second = images[0][1 << p], images[1][1 << p]
            if first & second if len(shared) == 2 else first and second and not first == second == first & -first:
                return None
        clues = tuple(dict.fromkeys([i, j, *one.via, *two.via, *links]))
        return Clash(i, j, (one.items, two.items), clues)

    def put(self, slot: int, value: int, why: str) -> None:
        """An item stands at a place, with all that it stands for. What this keeps from places is stated by no step of its own."""
        x, p = self._fact(slot, value)
        x = self.merged.stands[x]
        if self.placed[x]:
            return
        self.placed[x] = why
        self.open -= 1
        bit = 1 << p
        there = _Why((why, "once"), (Known(x, bit, True),))
        for q in bits(self.places[x] & ~bit):
            self.why[x][q] = there
        self.places[x] &= bit
        supposed = _supposed(why)
        for y in self.merged.of[x]:
            same: tuple[Given, ...] = self.merged.same(y) if supposed else ()
            here = Known(x if supposed else y, bit, True)
            taken = _Why((why, *self._labels(same)), (*same, here))
            first = y - y % self.n
            for z in range(first, first + self.n):
                other = self.merged.stands[z]
                if z == y or other == x or not self.places[other] & bit:
                    continue
                barred = taken
                if links := self.merged.same(z):
                    barred = _Why((*taken.labels, *self._labels(links)), (*same, *links, here))
                if self.placed[other] and self.places[other] == bit:
                    self.note(Together(y, z, (*barred.facts, Known(other, bit, True))), [*barred.labels, self.placed[other]])
                self._drop(other, p, barred)
        self._touch(x, True)

    def drop(self, slot: int, value: int, why: str) -> None:
        x, p = self._fact(slot, value)
        self._drop(x, p, _Why((why,), (Known(x, 1 << p, False),)))

    def _drop(self, x: int, p: int, why: _Why) -> None:
        if self.places[x] >> p & 1:
            self.places[x] &= ~(1 << p)
            self.why[x][p] = why
            self._touch(x, False)

    def _touch(self, x: int, placed: bool) -> None:
        """What an item's places may tell is looked at again, first of all. _clue() has use only for items that are placed."""
        once, clue, reach, composite, subset, cases, _ = self.fresh
        for queue in (once, subset):
            for attribute in self.attributes_of[x]:
                queue.pop(attribute, None)
                queue[attribute] = None
        for i in self.plain_of[x]:
            if placed or i in clue:
                clue.pop(i, None)
                clue[i] = None
            reach.pop(i, None)
            reach[i] = None
        for queue in (composite, cases):
            for i in self.composites_of[x]:
                queue.pop(i, None)
                queue[i] = None

    def _fact(self, x: int, p: int) -> Fact:
        """That an item stands at a place, as a slot with its value; or the other way round."""
        return x - x % self.n + p, x % self.n

    def _facts(self, pairs: Iterable[tuple[int, int]]) -> list[Fact]:
        return [self._fact(x, p) for x, p in pairs]

    def looks(self, top: int) -> Sequence[Look]:
        looks = (self._once, self._clue, self._reach, self._composite, self._subset, self._cases, self._chain)
        every: list[Look] = [(look, fresh, _newest) for look, fresh in zip(looks, self.fresh, strict=True)]
        if top < len(every):
            return every[:top]
        once, clue, reach, composite, subset, cases, chain = every
        return [chain, once, clue, reach, composite, cases, subset]

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

    # ---- singles and subsets

    def _once(self, attribute: int) -> bool:
        items = range(attribute * self.n, attribute * self.n + self.n)
        for x in [self.merged.stands[x] for x in items]:
            mask = self.places[x]
            if mask & mask - 1 == 0 and not self.placed[x]:
                uses, known = ["once"], list[Given]()
                self._bars(x, self.full & ~mask, uses, known)
                if not mask:
                    self.note(LastPlace(x, _joined(known)), uses)
                return self._set(partial(LastPlace, x, _joined(known)), uses, x, mask.bit_length() - 1)
        once = twice = 0
        for x in items:
            mask = self.places[self.merged.stands[x]]
            twice |= once & mask
            once |= mask
        for p in bits(self.full & ~twice):
            here = [x for x in items if self.places[self.merged.stands[x]] >> p & 1]
            if len(here) > 1 or (here and self.placed[self.merged.stands[here[0]]]):
                continue
            uses, known = ["once"], []
            for x in items:
                if x not in here:
                    self._absent(x, p, uses, known)
            found = partial(LastItem, attribute, p, _joined(known))
            if not here:
                self.note(found(), uses)
            return self._set(found, uses, self.merged.stands[here[0]], p)
        return False

    def _absent(self, x: int, p: int, uses: list[str], known: list[Given]) -> None:
        """Add why an item, which another one may stand for, is not at this place."""
        other = self.merged.stands[x]
        if self.placed[other] and not _supposed(self.placed[other]):
            uses.append(self.placed[other])
            known.append(Known(x, self.places[other], True))
            return
        same = self.merged.same(x)
        uses += self._labels(same)
        known += same
        self._bars(other, 1 << p, uses, known)

    def _subset(self, attribute: int) -> bool:
        first = attribute * self.n
        items = self.merged.stands[first : first + self.n]
        for kind, mask, values in _subsets([self.places[x] for x in items], self.n):
            uses, known = ["once"], list[Given]()
            if kind is Subset:
                drops = [(x, p) for v, x in enumerate(items) if v not in values for p in bits(self.places[x] & mask)]
                for v in values:
                    for p in bits(self.full & ~mask):
                        self._absent(first + v, p, uses, known)
                same = [each for v in range(self.n) if v not in values for each in self.merged.same(first + v)]
            else:
                drops = [(items[v], p) for v in values for p in bits(self.places[items[v]] & ~mask)]
                for v in range(self.n):
                    for p in bits(mask) if v not in values else ():
                        self._absent(first + v, p, uses, known)
                same = [each for v in values for each in self.merged.same(first + v)]
            dropped = {x for x, _ in drops}
            same = [each for each in same if each.other in dropped]
            named = tuple([first + v for v in values])
            return self.note(kind(mask, named, _joined([*same, *known])), [*uses, *self._labels(same)], [], self._facts(drops))
        return False

    # ---- clues

    def _clue(self, i: int) -> bool:
        statement = self.truths[i][0][0]
        view = [self.places[x] if self.placed[x] else self.full for x in statement.items]
        return self._plain(i, statement, view, ByClue)

    def _reach(self, i: int) -> bool:
        statement = self.truths[i][0][0]
        return self._plain(i, statement, self._view(statement), Reach)

    def _plain(self, i: int, statement: _Statement, view: Sequence[int], kind: type[ByClue]) -> bool:
        def found(known: tuple[Given, ...], links: tuple[Same, ...]) -> ByClue:
            return kind(i, statement.items, known, statement.via, links)

        return self._state(statement, view, found, [self.ids[i]])

    def _view(self, statement: _Statement) -> list[int]:
        return [self.places[x] for x in statement.items]

    def _composite(self, i: int) -> bool:
        for part, truth, because in _forced(self.kinds[i], self.truths[i], self.places):
            uses = [self.ids[i], "once"]
            known: list[Given] = []
            via: list[int] = []
            parts: list[tuple[int, bool]] = []
            for k in because:
                true, false = self.truths[i][k]
                wrong = false if true.relation.possible(self._view(true)) else true
                parts.append((k, wrong is false))
                self._refute(wrong, self._view(wrong), {}, uses, known)
                via += wrong.via
            uses += [self.ids[clue] for clue in via]
            if part < 0:
                self.note(Discord(i, (), _joined(known), tuple(dict.fromkeys(via))), uses)
            statement = self.truths[i][part][1 - truth]
            every = tuple(dict.fromkeys([*via, *statement.via]))

            def found(known: tuple[Given, ...], links: tuple[Same, ...]) -> Composite:
                return Composite(i, tuple(parts), part, bool(truth), known, every, links)  # noqa: B023 - used at once

            if self._state(statement, self._view(statement), found, uses, known):
                return True
        return False

    def _state(
        self,
        statement: _Statement,
        view: Sequence[int],
        found: Callable[[tuple[Given, ...], tuple[Same, ...]], Found[PlaceSay]],
        given: Sequence[str],
        known: Sequence[Given] = (),
    ) -> bool:
        """Conclude what a statement says of its items' places.

        view: the places that each item has for the others. found: the finding, by what is known and what is set with an item.
        given, known: what the statement itself follows from.
        """
        narrowed = statement.relation.narrowed(view)
        for x, mask in zip(statement.items, narrowed, strict=True):
            if self.places[x] & ~mask:
                break
        else:
            return False
        given = [*given, *[self.ids[clue] for clue in statement.via]]
        done: tuple[list[str], list[tuple[int, int]], list[Given]] | None = None  # uses, drops, known
        for k, x in enumerate(statement.items):
            left = self.places[x] & narrowed[k]
            lost = self.places[x] & ~left
            if not lost:
                continue
            uses, named = list(given), list(known)
            if left and left & left - 1 == 0:
                target = left.bit_length() - 1
                self._only(statement, view, k, target, uses, named)
                return self._set(partial(found, _joined(named)), uses, x, target)
            for p in bits(lost):
                self._refute(statement, view, {k: p}, uses, named)
            if not left:
                self._bars(x, self.full & ~lost, uses, named)
                uses.append("once")
                self.note(found(_joined(named), ()), uses)
            drops = [(x, p) for p in bits(lost)]
            if done is None:
                done = uses, drops, named
            elif set(done[0]) == set(uses):  # one thing to say, of several items
                done = uses, done[1] + drops, done[2] + named
        if done is None:
            return False
        uses, drops, named = done
        return self.note(found(_joined(named), ()), uses, [], self._facts(dict.fromkeys(drops)))

    def _only(self, statement: _Statement, view: Sequence[int], k: int, target: int, uses: list[str], known: list[Given]) -> None:
        """Why only one place is left for the k-th item of a statement."""
        relation, x = statement.relation, statement.items[k]
        others = [y for j, y in enumerate(statement.items) if j != k]
        reach = relation.images[0][0] if relation.direct and not others else 0
        if relation.direct and others and self.placed[others[0]]:
            reach = relation.images[1 - k][self.places[others[0]]]
            uses.append(self.placed[others[0]])
            known.append(Known(others[0], self.places[others[0]], True))
        if reach:
            mask = reach & ~(1 << target)
        else:
            uses.append("once")
            mask = 0
            for p in bits(self.full & ~(1 << target)):
                if self._refuted(statement, view, {k: p}):
                    self._refute(statement, view, {k: p}, uses, known)
                else:
                    mask |= 1 << p
        self._bars(x, mask, uses, known)

    def _refuted(self, statement: _Statement, view: Sequence[int], fixed: dict[int, int]) -> bool:
        """Return whether no right tuple with these places is left."""
        loose = [k for k in range(len(view)) if k not in fixed]
        return not any(all(view[k] >> places[k] & 1 for k in loose) for places in statement.relation.having_all(fixed))

    def _refute(
        self, statement: _Statement, view: Sequence[int], fixed: dict[int, int], uses: list[str], known: list[Given]
    ) -> None:
        """Add to uses and known why no right tuple with these places is left."""
        relation, items = statement.relation, statement.items
        loose = [k for k in range(relation.arity) if k not in fixed]
        for places in relation.having_all(fixed):
            barred = [k for k in loose if not view[k] >> places[k] & 1]
            whys = [self._bar(items[k], places[k], relation.direct) for k in barred]
            best = whys[0]
            if len(whys) > 1:
                new = [len(set(why.labels).difference(uses)) for why in whys]
                best = whys[new.index(min(new))]
            uses += best.labels
            known += best.facts
        if relation.direct and loose:
            return
        if relation.direct or relation.arity == 3 or not all(self.placed[items[k]] in uses for k in loose):
            uses.append("once")  # each of the items stands somewhere, and at one place only

    def _bar(self, x: int, p: int, direct: bool) -> _Why:
        if self.placed[x]:
            labels = (self.placed[x], "once") if direct else (self.placed[x],)
            return _Why(labels, (Known(x, self.places[x], True),))
        return self.why[x][p]

    # ---- several clues, several cases

    def _chain(self, _: int) -> bool:
        """The longest order of items that clues put one before the other, if some have less room than is known."""
        after: dict[int, list[tuple[int, int]]] = {}  # of each item those before it, with the clue
        for i in self.used:
            if self.kinds[i] in _BEFORE:
                x, y = self.truths[i][0][0].items
                after.setdefault(y, []).append((x, i))
                after.setdefault(x, [])
        longest: dict[int, tuple[tuple[int, int], ...]] = dict.fromkeys(after, ())  # the items before, with the clues
        for _round in range(self.n):
            for y, before in after.items():
                for x, i in before:
                    if len(longest[x]) + 1 > len(longest[y]):
                        longest[y] = (*longest[x], (x, i))
                        if len(longest[y]) == self.n or y in [z for z, _ in longest[y]]:
                            return self._no_room(y, longest[y])
        for y, chain in sorted(longest.items(), key=lambda entry: -len(entry[1])):
            if len(chain) < 2:
                break
            items = [*[x for x, _ in chain], y]
            spare = self.n - len(items)
            drops = [(x, p) for k, x in enumerate(items) for p in bits(self.places[x]) if not k <= p <= k + spare]
            if drops:
                clues = tuple([i for _, i in chain])
                via = [clue for i in clues for clue in self.truths[i][0][0].via]
                every = tuple(dict.fromkeys([*clues, *via]))
                uses = [*[self.ids[i] for i in every], "once"]
                return self.note(Chain(tuple(items), every), uses, [], self._facts(drops))
        return False

    def _no_room(self, last: int, before: Sequence[tuple[int, int]]) -> bool:
        """Note that an order goes round in a circle, or is longer than the row."""
        items = [*[x for x, _ in before], last]
        start = items.index(last)
        if start < len(items) - 1:
            items = items[start:]
        clues = [i for _, i in before[len(before) + 1 - len(items) :]]
        via = [clue for i in clues for clue in self.truths[i][0][0].via]
        every = tuple(dict.fromkeys([*clues, *via]))
        return self.note(Chain(tuple(items), every), [*[self.ids[i] for i in every], "once"])

    def _cases(self, i: int) -> bool:
        """Drop what a composite's items have in none of its cases."""
        parts = self.truths[i]
        open_cases: list[tuple[bool, ...]] = []
        shut: list[tuple[bool, ...]] = []
        left = dict.fromkeys([x for true, _ in parts for x in true.items], 0)
        for truths in product((True, False), repeat=len(parts)):
            if not (truths[1] or not truths[0] if self.kinds[i] == _IF else sum(truths) == 1):
                continue
            masks = {x: self.places[x] for x in left}
            for (true, false), truth in zip(parts, truths, strict=True):
                statement = true if truth else false
                narrowed = statement.relation.narrowed(self._view(statement))
                for x, mask in zip(statement.items, narrowed, strict=True):
                    masks[x] = masks[x] & mask if all(narrowed) else 0
            if all(masks.values()):
                open_cases.append(truths)
                for x, mask in masks.items():
                    left[x] |= mask
            else:
                shut.append(truths)
        if not open_cases:
            return False  # what is known decides parts, or a supposition will show it
        for x, mask in left.items():
            lost = self.places[x] & ~mask
            if lost:
                uses, known = [self.ids[i], "once"], list[Given]()
                via: list[int] = []
                for p in bits(lost):
                    for truths in (*open_cases, *shut):
                        if not self._barred(i, truths, x, p, uses, known, via):
                            return False
                uses += [self.ids[clue] for clue in via]
                found = Cases(i, tuple(open_cases), _joined(known), tuple(dict.fromkeys(via)))
                return self.note(found, uses, [], self._facts([(x, p) for p in bits(lost)]))
        return False

    def _barred(
        self, i: int, truths: Sequence[bool], x: int, p: int, uses: list[str], known: list[Given], via: list[int]
    ) -> bool:
        """Add why an item does not stand at a place in this case; False if no statement by itself shows that."""
        statements = [part[1 - truth] for part, truth in zip(self.truths[i], truths, strict=True)]
        for statement in statements:
            if x in statement.items:
                k, view = statement.items.index(x), self._view(statement)
                if self._refuted(statement, view, {k: p}):
                    self._refute(statement, view, {k: p}, uses, known)
                    via += statement.via
                    return True
        for statement in statements:
            if self._refuted(statement, self._view(statement), {}):
                self._refute(statement, self._view(statement), {}, uses, known)
                via += statement.via
                return True
        return False

    # ---- looking ahead

    def tries(self, answer: Slots | None) -> list[int]:
        """From items with few places."""
        items = [x for x in self.items if self.places[x] & self.places[x] - 1]
        items.sort(key=lambda x: (self.places[x].bit_count(), x))
        facts = self._facts([(x, p) for x in items for p in bits(self.places[x])])
        return [slot * self.n + v for slot, v in facts if answer is None or answer[slot] != v]

    def look_ahead(self, answer: Slots | None, deepest: bool = True) -> bool:
        """Rule out what ends in a contradiction; of those that are seen soonest, the one with the shortest story."""
        if self.mark != "#":
            return super().look_ahead(answer, deepest)
        for ahead in self.AHEAD:
            if ahead.deep:
                return super().look_ahead(answer, deepest)
            seen = self._refutable(answer, ahead)
            if seen is None:
                return False
            best: tuple[int, int, Story] | None = None
            for _, literal in sorted(seen)[:STORIES]:
                best = self._shorter(best, literal, ahead)
                if best is None or length(best[2][1]) <= SHORTEST:
                    break
            if best is not None:
                soonest = min(seen)[0]
                for fact in [fact for step in best[2][1][::-1] for fact in step.sets[:1]]:
                    if length(best[2][1]) <= SHORTEST:
                        break
                    literal = fact[0] * self.n + fact[1]
                    item = self._fact(*fact)[0]
                    if self.merged.stands[item] != item or self._led(literal, ahead) or self.quick(literal, ahead) is not None:
                        continue
                    if self.work <= soonest + LATER:
                        best = self._shorter(best, literal, ahead) or best
                        soonest = min(soonest, self.work)
                return self.rule_out(ahead, *divmod(best[1], self.n), best[2])
        return False

    def _refutable(self, answer: Slots | None, ahead: Ahead) -> list[tuple[int, int]] | None:
        """What ends in a contradiction, with the work to see it; None if no more can be supposed.

        What did so before does so still; and where a supposition leads stays as it is until that is not possible any more.
        """
        outcomes = self.outcomes[ahead.top]
        harmless = set[int]()
        seen: list[tuple[int, int]] = []
        for literal in self.tries(answer):
            if literal in harmless:
                continue
            if self.probes[0] > PROBES:
                return None
            known = self._led(literal, ahead)
            if known is None:
                places = self._probe(*self._fact(*divmod(literal, self.n)), ahead.top == 5, False)
                known = outcomes[literal] = () if places is None else tuple([places[x] for x in self.items])
                if not known:
                    self.works[literal] = self.work
            if known:
                settled = [(x, mask.bit_length() - 1) for x, mask in zip(self.items, known, strict=True) if not mask & mask - 1]
                harmless.update(slot * self.n + v for slot, v in self._facts(settled))
            else:
                seen.append((self.works[literal], literal))
                if len(seen) == SEEN:
                    break
        return seen

    def _led(self, literal: int, ahead: Ahead) -> tuple[int, ...] | None:
        """Where this supposition led before, () for a contradiction; None if that is not known, or not possible any more."""
        known = self.outcomes[ahead.top].get(literal)
        if known and any(mask & ~self.places[x] for x, mask in zip(self.items, known, strict=True)):
            return None
        return known

    def _shorter(self, best: tuple[int, int, Story] | None, literal: int, ahead: Ahead) -> tuple[int, int, Story] | None:
        """The shorter of two stories, with its size and what is supposed; None if no more can be supposed."""
        found = self.confirmed(literal, ahead)
        if not isinstance(found, Refuted) or found.story is None:
            return best
        size = 2 * found.size[0] + len(found.story[0])
        return best if best is not None and best[0] <= size else (size, literal, found.story)

    def quick(self, literal: int, ahead: Ahead) -> Collection[int] | None:
        places = self._probe(*self._fact(*divmod(literal, self.n)), ahead.top == 5, ahead.deep)
        if places is None:
            return None
        settled = [(x, places[x].bit_length() - 1) for x in self.items if places[x] & places[x] - 1 == 0]
        return [slot * self.n + v for slot, v in self._facts(settled)]

    def tried(self, literal: int, ahead: Ahead) -> Refuted | Collection[int] | None:
        follows = self.quick(literal, ahead)
        if self.probes[0] > PROBES:
            return None
        return self.confirmed(literal, ahead) if follows is None else follows

    def rule_out(self, ahead: Ahead, slot: int, value: int, tale: Story) -> bool:
        uses, within = tale
        merging = {self.ids[i] for i in self.used if self.kinds[i] == "same"}
        clues = [use for use in uses if use in self.ids and use not in merging]
        steps = length(within)
        kind: type[LookAhead] = FarLookAhead
        if ahead.deep:
            kind = DeepLookAhead
        elif ahead.top == 4 and steps <= SHORTEST and len(clues) <= 2:
            kind = TwoClues
        elif ahead.top == 4 and steps <= SHORT:
            kind = LookAhead
        return self.note(kind(*self._fact(slot, value)), uses, [], [(slot, value)], within)

    def closes(self, kept: Collection[int], subsets: bool) -> bool:
        """Return whether some of the clues contradict each other by what needs no supposition. subsets: by these too.

        kept: these clues, all that merge items among them.
        """
        for x in self.items:
            if len(self.attributes_of[x]) < len(self.merged.of[x]):
                return True
        other = copy(self)
        some = set(kept)
        other.clues_of = [{i: None for i in clues if i in some} for clues in self.clues_of]
        return not other._close(list(self.places), self.items, subsets)

    def _probe(self, x: int, p: int, subsets: bool, deep: bool) -> list[int] | None:
        """The places of all items if this one stands here, by all techniques below; None if that is a contradiction.

        The same as refuted(), quickly and without steps.
        """
        places = list(self.places)
        places[x] = 1 << p
        if not self._close(places, [x], subsets):
            return None
        again = deep
        while again:
            again = False
            for y, q in [(x, q) for x in self.items if places[x] & places[x] - 1 for q in bits(places[x])]:
                if not places[y] >> q & 1:
                    continue
                inner = list(places)
                inner[y] = 1 << q
                if not self._close(inner, [y], subsets):
                    places[y] &= ~(1 << q)
                    if not places[y] or not self._close(places, [y], subsets):
                        return None
                    again = True
        return places

    def _close(self, places: list[int], changed: Sequence[int], subsets: bool) -> bool:
        """Narrow `places` as far as it goes after these items changed; False if that is a contradiction."""
        self.probes[0] += 1
        self.work = 0
        n, stands = self.n, self.merged.stands
        attributes: dict[int, None] = {}
        clues: dict[int, None] = {}
        new = {x: places[x] for x in changed}
        while True:
            for x, mask in new.items():
                if not mask:
                    return False
                places[x] = mask
                for attribute in self.attributes_of[x]:
                    attributes[attribute] = None
                clues.update(self.clues_of[x])
            new = {}
            self.work += 1
            if attributes:
                start = attributes.popitem()[0] * n
                items = stands[start : start + n]
                row = _settled(tuple([places[x] for x in items]), subsets)
                if row is None:
                    return False
                new = {x: mask for x, mask in zip(items, row, strict=False) if mask != places[x]}
            elif clues:
                i = clues.popitem()[0]
                parts = self.truths[i]
                statements = [parts[0][0]]
                if self.kinds[i] in COMPOSITES:
                    found = _forced(self.kinds[i], parts, places)
                    if found and found[0][0] < 0:
                        return False
                    statements = [parts[part][1 - truth] for part, truth, _ in found]
                for statement in statements:
                    if statement.relation.arity == 2:  # the most frequent, in a few words
                        x, y = statement.items
                        first, second = statement.relation.images
                        here, there = places[x], places[y]
                        left = new.get(x, here) & second[there]
                        if left != here:
                            new[x] = left
                        left = new.get(y, there) & first[here]
                        if left != there:
                            new[y] = left
                        continue
                    masks = [places[x] for x in statement.items]
                    for x, mask in zip(statement.items, statement.relation.narrowed(masks), strict=True):
                        left = new.get(x, places[x]) & mask
                        if left != places[x]:
                            new[x] = left
            else:
                return True

    def rest(self, answer: Slots) -> list[Fact]:
        return [fact for fact in enumerate(answer) if not self.placed[self.merged.stands[self._fact(*fact)[0]]]]


def _supposed(label: str) -> bool:
    """Return whether this is the label of a supposition."""
    return label.endswith("?0")


def _newest(fresh: dict[int, None]) -> int:
    return next(reversed(fresh))


def _joined(facts: Sequence[Given]) -> tuple[Given, ...]:
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


@lru_cache(maxsize=1 << 14)  # suppositions come to the same rows again and again
def _settled(places: tuple[int, ...], subsets: bool) -> tuple[int, ...] | None:
    """The places of an attribute's items, narrowed by singles, or by a subset if these give nothing; () if nothing does.

    None if that is a contradiction.
    """
    row, n = list(places), len(places)
    if not _singles(row, (1 << n) - 1):
        return None
    if subsets and row == list(places):
        kind, mask, named = next(_subsets(row, n), (Subset, 0, ()))
        for v in range(n):
            if mask and (v in named) == (kind is HiddenSubset):
                row[v] &= mask if kind is HiddenSubset else ~mask
    return () if row == list(places) else tuple(row)


def _singles(row: list[int], full: int) -> bool:
    """Narrow the places of an attribute's items by naked and hidden singles; False if that is a contradiction."""
    again = True
    while again:
        again = False
        fixed = once = twice = 0
        for mask in row:
            twice |= once & mask
            once |= mask
            if mask & mask - 1 == 0:
                if not mask or fixed & mask:
                    return False
                fixed |= mask
        if once != full:
            return False
        only = once & ~twice
        for v, mask in enumerate(row):
            if mask & mask - 1:
                left = mask & ~fixed
                alone = left & only
                if alone & alone - 1:
                    return False
                row[v] = alone or left
                again |= row[v] != mask
    return True


def _subsets(row: Sequence[int], n: int) -> Iterator[tuple[type[Subset], int, tuple[int, ...]]]:
    """Two or three items with as many places that others could have too, or places with as many items that could be elsewhere.

    The sort of finding, the places and the values.
    """
    loose = [v for v in range(n) if row[v] & row[v] - 1]
    for size in range(2, min(3, len(loose) - 1) + 1):
        for values in combinations(loose, size):
            mask = union([row[v] for v in values])
            if mask.bit_count() == size and any(row[v] & mask for v in range(n) if v not in values):
                yield Subset, mask, values
        for places in combinations(list(bits(union([row[v] for v in loose]))), size):
            mask = mask_of(places)
            values = tuple([v for v in range(n) if row[v] & mask])
            if len(values) == size and any(row[v] & ~mask for v in values):
                yield HiddenSubset, mask, values


def _forced(kind: str, parts: Sequence[tuple[_Statement, _Statement]], places: Sequence[int]) -> list[tuple[int, int, list[int]]]:
    """(part, truth, because) for parts of a composite that others decide; part -1 if these cannot agree."""
    states = []
    for true, false in parts:
        can = [each.relation.possible([places[x] for x in each.items]) for each in (false, true)]
        states.append(-1 if all(can) else int(can[1]))
    if kind == _IF:
        if states[0] == 1 and states[1] < 1:
            return [(-1, 0, [0, 1]) if states[1] == 0 else (1, 1, [0])]
        return [(0, 0, [1])] if states == [-1, 0] else []
    true_ones = [k for k, state in enumerate(states) if state == 1]
    false_ones = [k for k, state in enumerate(states) if state == 0]
    open_ones = [k for k, state in enumerate(states) if state < 0]
    if len(true_ones) > 1 or len(false_ones) == len(parts):
        return [(-1, 0, true_ones[:2] or false_ones)]
    if true_ones:
        return [(k, 0, true_ones) for k in open_ones]
    return [(open_ones[0], 1, false_ones)] if len(open_ones) == 1 else []
