"""Human-style deduction on items at positions (PositionTable).

Item (a, v) is number a * positions + v. Masks of places: bit p is place p.

Sentences need PlaceWords (puzzlemill/rules/positions_words.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations, product

from puzzlemill.core.model import COMPOSITES, RELATIONS, Fact, PositionTable, Slots, Step
from puzzlemill.core.words import listed
from puzzlemill.rules.positions import is_true
from puzzlemill.rules.positions_words import PlaceWords
from puzzlemill.solvers.deduce import steps
from puzzlemill.solvers.deduce.board import CHOICES, Ahead, Board, Look, Refuted, Story
from puzzlemill.solvers.deduce.masks import bits, mask_of, union
from puzzlemill.solvers.deduce.steps import HARDEST, DeepLookAhead, FarLookAhead, Found, LookAhead, Say, length, sentence, tiers

MEDIUM, HARD = 3, 5

SHORT = 4  # steps of a story that is easily followed
PROBES = 4_000  # suppositions in one deduction, before the rest is left to search
_SUPPORTED = ("at", "end", "same", "next", "just_left", "apart", "far")  # one item's place names those of the other
_ONE_OF, _IF, _EITHER = COMPOSITES


def deduce(table: PositionTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    return _Board(table, ids).trace(answer)


# ---- findings, and how they are worded --------------------------------------------------------------------------------------

Known = tuple[int, int, bool]  # of what a step leans on: an item, places, and whether it stands there or at none of them


class _Say(Say):
    """How findings on one board are worded."""

    def __init__(self, words: PlaceWords, table: PositionTable) -> None:
        self.words, self.n = words, table.positions
        self.plain = [RELATIONS[clue[0]] in ("at", "not_at") for clue in table.clues]  # clues that say it all themselves

    def item(self, x: int) -> str:
        return self.words.value(x)

    def title(self, attribute: int) -> str:
        return self.words.unit(attribute)

    def place(self, p: int) -> str:
        return f"{self.words.place} {p + 1}"

    def places(self, mask: int) -> str:
        return f"{self.words.places} {listed([str(p + 1) for p in bits(mask)])}"

    def stands(self, x: int, p: int) -> str:
        return f"{self.item(x)} {self.words.stands} {self.words.at} {self.place(p)}"

    def stands_not(self, x: int, mask: int) -> str:
        names = listed([str(p + 1) for p in bits(mask)], "or")
        return f"{self.item(x)} {self.words.stands_not} {self.words.at} {self.words.place} {names}"

    def since(self, known: Sequence[Known], step: Step) -> str:
        """Known places, with the steps that they are from."""
        parts = [self.stands(x, mask.bit_length() - 1) if there else self.stands_not(x, mask) for x, mask, there in known]
        return listed(parts) + _steps(step) if parts else ""

    def so(self, step: Step) -> str:
        drops: dict[int, int] = {}
        for slot, v in step.drops:
            x = slot - slot % self.n + v
            drops[x] = drops.get(x, 0) | 1 << slot % self.n
        parts = [self.stands(slot - slot % self.n + v, slot % self.n) for slot, v in step.sets]
        return listed(parts + [self.stands_not(x, mask) for x, mask in drops.items()])

    def supposed(self, cell: int, value: int) -> str:
        return f"that {self.stands(cell, value)}"

    def is_not(self, cell: int, value: int) -> str:
        return self.stands_not(cell, 1 << value)

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return f"suppose {supposed}. Then {tale}. That cannot be, so {so}"

    def clue(self, i: int) -> str:
        return f"{self.words.clue(i)} ({self.words.says(i).rstrip('.')})"


def _steps(step: Step) -> str:
    """The earlier steps that a step leans on: " (steps 3 and 5)"; "" if there are none."""
    numbers = [use[1:] for use in step.uses if use.startswith("#")]
    return f" (step{'s' if len(numbers) > 1 else ''} {listed(numbers)})" if numbers else ""


def _empty(step: Step) -> bool:
    return not step.sets and not step.drops


def explain(words: PlaceWords, table: PositionTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return sentence(_Say(words, table), step)


class LastPlace(Found[_Say], technique="once"):
    """One place is left for an item; or, as a contradiction, none."""

    item: int

    def says(self, say: _Say, step: Step) -> str:
        if not step.sets:
            return f"no {say.words.place} is left for {say.item(self.item)}{_steps(step)}"
        return f"the only {say.words.place} left for {say.item(self.item)} is {say.place(step.sets[0][0] % say.n)}{_steps(step)}"


class LastItem(Found[_Say], technique="once"):
    """One item of an attribute is left for a place; or, as a contradiction, none."""

    attribute: int
    place: int

    def says(self, say: _Say, step: Step) -> str:
        where, title = say.place(self.place), say.title(self.attribute)
        if not step.sets:
            return f"{where} can have no {title} at all{_steps(step)}"
        return f"{where} can have no other {title}{_steps(step)}, so {say.so(step)}"


class Together(Found[_Say], technique="once"):
    """A contradiction: two items of an attribute stand at one place."""

    item: int
    other: int

    def says(self, say: _Say, step: Step) -> str:
        both = f"{say.item(self.item)} and {say.item(self.other)}"
        return f"{both} would be {say.words.at} one {say.words.place}{_steps(step)}"


class ByClue(Found[_Say], technique="clue"):
    """A clue narrows its items' places, wherever others that are not placed may be; or, as a contradiction, cannot hold."""

    clue: int
    known: tuple[Known, ...]

    def says(self, say: _Say, step: Step) -> str:
        known = say.since(self.known, step)
        if _empty(step):
            return f"{say.clue(self.clue)} cannot hold{f', since {known}' if known else ''}"
        if say.plain[self.clue] and not known:
            return f"{say.words.clue(self.clue)} says that {say.so(step)}"
        return f"by {say.clue(self.clue)}, {f'since {known}, ' if known else ''}{say.so(step)}"


class Reach(ByClue):
    """The same, by the places that are left for the others."""


class Composite(Found[_Say]):
    """Known places decide that a part of a composite is true or not; that narrows its items' places, or cannot be."""

    clue: int
    part: int
    truth: bool
    known: tuple[Known, ...]

    def says(self, say: _Say, step: Step) -> str:
        known = say.since(self.known, step)
        hence = f"it is {'true' if self.truth else 'not true'} that {say.words.part(self.clue, self.part)}"
        return f"by {say.clue(self.clue)}, {f'since {known}, ' if known else ''}{hence}; so {say.so(step)}"


class Discord(ByClue, technique="composite"):
    """A contradiction: the parts of a composite cannot agree."""


class Subset(Found[_Say]):
    """So many items of an attribute have only so many places (a mask), where no other can stand."""

    places: int
    items: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        names = listed([say.item(x) for x in self.items])
        return f"{names} take {say.places(self.places)} between them{_steps(step)}, so {say.so(step)}"


class HiddenSubset(Subset, technique="subset"):
    """So many places have only so many items of an attribute, which can stand nowhere else."""

    def says(self, say: _Say, step: Step) -> str:
        names, title = listed([say.item(x) for x in self.items]), say.title(self.items[0] // say.n)
        return f"{say.places(self.places)} can have no {title} but those of {names}{_steps(step)}, so {say.so(step)}"


class Search(steps.Search):
    """Nothing else leads on."""

    def says(self, say: Say, step: Step) -> str:
        stuck = "none of the usual ways leads on; going through all possibilities"
        if not step.sets:
            return f"{stuck} shows that there is no answer"
        return f"{stuck} leaves one way only: {say.so(step)}"


TECHNIQUES = tiers([LastPlace, ByClue], [Reach, Composite], [Subset], *HARDEST)


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


@dataclass(frozen=True, slots=True)
class _Statement:
    """A relation of items: items[i] stands at the i-th place of a right tuple."""

    relation: _Relation
    items: tuple[int, ...]


@lru_cache(maxsize=512)
def _relation(name: str, d: int, n: int, truth: bool) -> _Relation:
    arity = 1 if name in ("at", "not_at", "end") else 3 if name == "between" else 2
    tuples = tuple([places for places in product(range(n), repeat=arity) if is_true(name, places, d, n) == truth])
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
    return _Relation(arity, tuples, having, tuple(images), truth and name in _SUPPORTED)


# ---- the board -----------------------------------------------------------------------------------------------------------


class _Board(Board):
    """Where items may stand, and why not elsewhere. Slot first + p holds value v if item first + v stands at place p.

    why[x][p]: what keeps item x from place p, () if nothing does. placed[x]: the step that places it, "" if none does. fresh: per
    technique attributes or clues.
    """

    AHEAD = (Ahead(LookAhead, 4), Ahead(FarLookAhead, 5), Ahead(DeepLookAhead, 5, True))
    SEARCH = Search
    TOP = 5
    SHORT = SHORT
    RETURNS = True

    def __init__(self, table: PositionTable, ids: Sequence[str]) -> None:
        super().__init__(ids, ["once"], PROBES + 1, 5)
        n, count = table.positions, table.positions * table.attributes
        self.n, self.values, self.full = n, n, (1 << n) - 1
        self.truths: list[list[tuple[_Statement, _Statement]]] = []  # per clue: its parts, as true and as false
        self.kinds = [RELATIONS[clue[0]] for clue in table.clues]
        self.clues_of: list[dict[int, None]] = [{} for _ in range(count)]
        for i, (kind, clue) in enumerate(zip(self.kinds, table.clues, strict=True)):
            rows = table.parts[clue[1] : clue[1] + clue[2]] if kind in COMPOSITES else (clue,)
            self.truths.append([(self._statement(row, True), self._statement(row, False)) for row in rows])
            for true, _ in self.truths[i]:
                for x in true.items:
                    self.clues_of[x][i] = None
        self.places = [self.full] * count
        self.why: list[list[tuple[str, ...]]] = [[()] * n for _ in range(count)]
        self.placed = [""] * count
        self.open = count
        plain = [i for i, kind in enumerate(self.kinds) if kind not in COMPOSITES]
        plain.sort(key=lambda i: (self.truths[i][0][0].relation.arity > 1, i))
        composite = [i for i, kind in enumerate(self.kinds) if kind in COMPOSITES]
        attributes = range(table.attributes)
        self.fresh = [
            dict.fromkeys(attributes),
            dict.fromkeys(plain),
            dict.fromkeys(plain),
            dict.fromkeys(composite),
            dict.fromkeys(attributes),
        ]

    def _statement(self, row: Sequence[int], truth: bool) -> _Statement:
        relation = _relation(RELATIONS[row[0]], row[7], self.n, truth)
        items = tuple([row[k] * self.n + row[k + 1] for k in (1, 3, 5)[: relation.arity]])
        return _Statement(relation, items)

    @property
    def unsolved(self) -> bool:
        return self.open > 0

    def own(self) -> None:
        self.places, self.placed = list(self.places), list(self.placed)
        self.why = [list(row) for row in self.why]

    def put(self, slot: int, value: int, why: str) -> None:
        """An item stands at a place. What this keeps from places is stated by no step of its own."""
        x, p = self._fact(slot, value)
        self.placed[x] = why
        self.open -= 1
        for q in range(self.n):
            if q != p:
                self._drop(x, q, (why, "once"))
        first = x - x % self.n
        for y in range(first, first + self.n):
            if y != x:
                if self.placed[y] and self.places[y] == 1 << p:
                    self.note(Together(x, y), [why, self.placed[y]])
                self._drop(y, p, (why,))
        self._touch(x)

    def drop(self, slot: int, value: int, why: str) -> None:
        self._drop(*self._fact(slot, value), (why,))

    def _drop(self, x: int, p: int, why: tuple[str, ...]) -> None:
        if self.places[x] >> p & 1:
            self.places[x] &= ~(1 << p)
            self.why[x][p] = why
            self._touch(x)

    def _touch(self, x: int) -> None:
        self.fresh[0][x // self.n] = self.fresh[4][x // self.n] = None
        for i in self.clues_of[x]:
            for fresh in (3,) if self.kinds[i] in COMPOSITES else (1, 2):
                self.fresh[fresh][i] = None

    def _fact(self, x: int, p: int) -> Fact:
        """That an item stands at a place, as a slot with its value; or the other way round."""
        return x - x % self.n + p, x % self.n

    def _facts(self, pairs: Iterable[tuple[int, int]]) -> list[Fact]:
        return [self._fact(x, p) for x, p in pairs]

    def looks(self, top: int) -> Sequence[Look]:
        looks = (self._once, self._clue, self._reach, self._composite, self._subset)
        return list(zip(looks, self.fresh, [None] * 5, strict=True))[:top]

    def _bars(self, x: int, mask: int) -> list[str]:
        """Reasons why an item is at none of these places."""
        return [use for p in range(self.n) if mask >> p & 1 for use in self.why[x][p]]

    # ---- singles and subsets

    def _once(self, attribute: int) -> bool:
        items = range(attribute * self.n, attribute * self.n + self.n)
        for x in items:
            mask = self.places[x]
            if not mask:
                self.note(LastPlace(x), [*self._bars(x, self.full), "once"])
            if mask & mask - 1 == 0 and not self.placed[x]:
                return self.note(
                    LastPlace(x), [*self._bars(x, self.full & ~mask), "once"], [self._fact(x, mask.bit_length() - 1)]
                )
        for p in range(self.n):
            here = [x for x in items if self.places[x] >> p & 1]
            if not here:
                self.note(LastItem(attribute, p), [use for x in items for use in self.why[x][p]])
            if len(here) == 1 and not self.placed[here[0]]:
                return self.note(LastItem(attribute, p), [use for x in items for use in self.why[x][p]], [self._fact(here[0], p)])
        return False

    def _subset(self, attribute: int) -> bool:
        first = attribute * self.n
        for kind, mask, items in _subsets(self.places[first : first + self.n], self.n):
            named = tuple([first + v for v in items])
            if kind is Subset:
                drops = [(x, p) for x in range(first, first + self.n) if x not in named for p in bits(self.places[x] & mask)]
                uses = [use for x in named for use in self._bars(x, self.full & ~mask)]
            else:
                drops = [(x, p) for x in named for p in bits(self.places[x] & ~mask)]
                others = [x for x in range(first, first + self.n) if x not in named]
                uses = [use for x in others for use in self._bars(x, mask)]
            return self.note(kind(mask, named), [*uses, "once"], [], self._facts(drops))
        return False

    # ---- clues

    def _clue(self, i: int) -> bool:
        statement = self.truths[i][0][0]
        view = [self.places[x] if self.placed[x] else self.full for x in statement.items]
        return self._state(statement, view, lambda known: ByClue(i, known), [self.ids[i]])

    def _reach(self, i: int) -> bool:
        statement = self.truths[i][0][0]
        return self._state(statement, self._view(statement), lambda known: Reach(i, known), [self.ids[i]])

    def _view(self, statement: _Statement) -> list[int]:
        return [self.places[x] for x in statement.items]

    def _composite(self, i: int) -> bool:
        for part, truth, because in _forced(self.kinds[i], self.truths[i], self.places):
            uses = [self.ids[i], "once"]
            known: list[Known] = []
            for k in because:
                true, false = self.truths[i][k]
                wrong = false if all(true.relation.narrowed(self._view(true))) else true
                self._refute(wrong, self._view(wrong), {}, uses, known)
            if part < 0:
                self.note(Discord(i, _merged(known)), uses)
            statement = self.truths[i][part][1 - truth]
            found = partial(Composite, i, part, bool(truth))
            if self._state(statement, self._view(statement), found, uses, known):
                return True
        return False

    def _state(
        self,
        statement: _Statement,
        view: Sequence[int],
        found: Callable[[tuple[Known, ...]], Found[_Say]],
        given: Sequence[str],
        known: Sequence[Known] = (),
    ) -> bool:
        """Conclude what a statement says of its items' places.

        view: the places that each item has for the others. found: the finding, by what is known. given, known: what the statement
        itself follows from.
        """
        narrowed = statement.relation.narrowed(view)
        done: tuple[list[str], list[tuple[int, int]], list[Known]] | None = None  # uses, drops, known
        for k, x in enumerate(statement.items):
            left = self.places[x] & narrowed[k]
            lost = self.places[x] & ~left
            if not lost:
                continue
            uses, named = list(given), list(known)
            if left and left & left - 1 == 0:
                target = left.bit_length() - 1
                self._only(statement, view, k, target, uses, named)
                return self.note(found(_merged(named)), uses, [self._fact(x, target)])
            for p in bits(lost):
                self._refute(statement, view, {k: p}, uses, named)
            if not left:
                uses += [*self._bars(x, self.full & ~lost), "once"]
                if lost != self.full:
                    named.append((x, self.full & ~lost, False))
                self.note(found(_merged(named)), uses)
            drops = [(x, p) for p in bits(lost)]
            if done is None:
                done = uses, drops, named
            elif set(done[0]) == set(uses):  # one thing to say, of several items
                done = uses, done[1] + drops, done[2] + named
        if done is None:
            return False
        uses, drops, named = done
        return self.note(found(_merged(named)), uses, [], self._facts(drops))

    def _only(self, statement: _Statement, view: Sequence[int], k: int, target: int, uses: list[str], known: list[Known]) -> None:
        """Why only one place is left for the k-th item of a statement."""
        relation, x = statement.relation, statement.items[k]
        others = [y for j, y in enumerate(statement.items) if j != k]
        reach = relation.images[0][0] if relation.direct and not others else 0
        if relation.direct and others and self.placed[others[0]]:
            reach = relation.images[1 - k][self.places[others[0]]]
            uses.append(self.placed[others[0]])
            known.append((others[0], self.places[others[0]], True))
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
        if mask:
            uses += self._bars(x, mask)
            known.append((x, mask, False))

    def _refuted(self, statement: _Statement, view: Sequence[int], fixed: dict[int, int]) -> bool:
        """Return whether no right tuple with these places is left."""
        loose = [k for k in range(len(view)) if k not in fixed]
        return not any(all(view[k] >> places[k] & 1 for k in loose) for places in statement.relation.having_all(fixed))

    def _refute(
        self, statement: _Statement, view: Sequence[int], fixed: dict[int, int], uses: list[str], known: list[Known]
    ) -> None:
        """Add to uses and known why no right tuple with these places is left."""
        relation, items = statement.relation, statement.items
        loose = [k for k in range(relation.arity) if k not in fixed]
        for places in relation.having_all(fixed):
            barred = [k for k in loose if not view[k] >> places[k] & 1]
            best = min(barred, key=lambda k: len(set(self._bar(items[k], places[k], relation.direct)) - set(uses)))
            uses += self._bar(items[best], places[best], relation.direct)
            x = items[best]
            known.append((x, self.places[x], True) if self.placed[x] else (x, 1 << places[best], False))
        if relation.direct and loose:
            return
        if relation.direct or relation.arity == 3 or not all(self.placed[items[k]] in uses for k in loose):
            uses.append("once")  # each of the items stands somewhere, and at one place only

    def _bar(self, x: int, p: int, direct: bool) -> tuple[str, ...]:
        if self.placed[x]:
            return (self.placed[x], "once") if direct else (self.placed[x],)
        return self.why[x][p]

    # ---- looking ahead

    def tries(self, answer: Slots | None) -> list[int]:
        """From items with few places."""
        items = [x for x, mask in enumerate(self.places) if mask & mask - 1]
        items.sort(key=lambda x: (self.places[x].bit_count(), x))
        facts = self._facts([(x, p) for x in items for p in bits(self.places[x])])
        return [slot * self.n + v for slot, v in facts if answer is None or answer[slot] != v]

    def choices(self, ahead: Ahead) -> int:
        return CHOICES if self.mark == "#" else 1

    def quick(self, literal: int, ahead: Ahead) -> Collection[int] | None:
        places = self._probe(*self._fact(*divmod(literal, self.n)), ahead.top == 5, ahead.deep)
        if places is None:
            return None
        settled = [(x, mask.bit_length() - 1) for x, mask in enumerate(places) if mask & mask - 1 == 0]
        return [slot * self.n + v for slot, v in self._facts(settled)]

    def tried(self, literal: int, ahead: Ahead) -> Refuted | Collection[int] | None:
        follows = self.quick(literal, ahead)
        if self.probes[0] > PROBES:
            return None
        return self.confirmed(literal, ahead) if follows is None else follows

    def rule_out(self, ahead: Ahead, slot: int, value: int, tale: Story) -> bool:
        uses, within = tale
        near = ahead.top == 4 and length(within) <= SHORT
        kind = DeepLookAhead if ahead.deep else LookAhead if near else FarLookAhead
        return self.note(kind(*self._fact(slot, value)), uses, [], [(slot, value)], within)

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
            for y, q in [(y, q) for y, mask in enumerate(places) if mask & mask - 1 for q in bits(mask)]:
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
        n = self.n
        attributes: dict[int, None] = {}
        clues: dict[int, None] = {}
        new = {x: places[x] for x in changed}
        while True:
            for x, mask in new.items():
                if not mask:
                    return False
                places[x] = mask
                attributes[x // n] = None
                clues.update(self.clues_of[x])
            new = {}
            if attributes:
                first = attributes.popitem()[0] * n
                row = places[first : first + n]
                if not _singles(row, self.full):
                    return False
                if subsets and row == places[first : first + n]:
                    kind, mask, named = next(_subsets(row, n), (Subset, 0, ()))
                    for v in range(n):
                        if mask and (v in named) == (kind is HiddenSubset):
                            row[v] &= mask if kind is HiddenSubset else ~mask
                new = {first + v: mask for v, mask in enumerate(row) if mask != places[first + v]}
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
                    masks = [places[x] for x in statement.items]
                    for x, mask in zip(statement.items, statement.relation.narrowed(masks), strict=True):
                        left = new.get(x, places[x]) & mask
                        if left != places[x]:
                            new[x] = left
            else:
                return True

    def rest(self, answer: Slots) -> list[Fact]:
        return [fact for fact in enumerate(answer) if not self.placed[self._fact(*fact)[0]]]


def _merged(known: Sequence[Known]) -> tuple[Known, ...]:
    """One entry for each item."""
    merged: dict[int, Known] = {}
    for x, mask, there in known:
        _, before, stood = merged.get(x, (x, 0, False))
        merged[x] = (x, mask, True) if there else (x, before, True) if stood else (x, before | mask, False)
    return tuple(merged.values())


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
        can = [all(each.relation.narrowed([places[x] for x in each.items])) for each in (false, true)]
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
