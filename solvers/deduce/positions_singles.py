"""Techniques of one attribute: the last place of an item, the last item for a place, and so many items at so many places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations

from puzzlemill.solvers.deduce.masks import bits, mask_of, union
from puzzlemill.solvers.deduce.positions_board import PlaceBoard, is_supposed, joined
from puzzlemill.solvers.deduce.positions_findings import Fact as Given
from puzzlemill.solvers.deduce.positions_findings import HiddenSubset, Known, LastItem, LastPlace, Subset


class Singles(PlaceBoard):
    """Each value of an attribute stands at one place, and each place has one of them."""

    def _once(self, attribute: int) -> bool:
        items = range(attribute * self.n, attribute * self.n + self.n)
        for x in [self.merged.stands[x] for x in items]:
            if self.places[x] & self.places[x] - 1 == 0 and not self.placed[x]:
                return self._last_place(x)
        once = twice = 0
        for x in items:
            mask = self.places[self.merged.stands[x]]
            twice |= once & mask
            once |= mask
        for p in bits(self.full & ~twice):
            here = [x for x in items if self.places[self.merged.stands[x]] >> p & 1]
            if len(here) < 2 and not any(self.placed[self.merged.stands[x]] for x in here):
                return self._last_item(attribute, p)
        return False

    def _unplaced(self, attribute: int) -> bool:
        """Note that an item has no place, or a place no item, and nothing else."""
        items = self.merged.stands[attribute * self.n : (attribute + 1) * self.n]
        for x in items:
            if not self.places[x]:
                return self._last_place(x)
        for p in bits(self.full & ~union([self.places[x] for x in items])):
            return self._last_item(attribute, p)
        return False

    def _last_place(self, x: int) -> bool:
        """Note that an item is at the one place that is left for it, or as the last item for its place; or that none is left."""
        mask, uses, known = self.places[x], ["once"], list[Given]()
        self._bars(x, self.full & ~mask, uses, known)
        if not mask:
            self.note(LastPlace(x, joined(known)), uses)
        p = mask.bit_length() - 1
        for attribute in self.attributes_of[x]:
            here, others, _ = self._left(attribute, p)
            if len(here) == 1 and self._exclusions(others) < self._exclusions(uses):
                return self._last_item(attribute, p)
        return self._set(partial(LastPlace, x, joined(known)), uses, x, p)

    def _last_item(self, attribute: int, p: int) -> bool:
        """Note that the one item of an attribute that is left for a place is there, or that none is."""
        here, uses, known = self._left(attribute, p)
        found = partial(LastItem, attribute, p, joined(known))
        if not here:
            self.note(found(), uses)
        return self._set(found, uses, self.merged.stands[here[0]], p)

    def _left(self, attribute: int, p: int) -> tuple[list[int], list[str], list[Given]]:
        """The items of an attribute that are left for a place, and why the others are not."""
        here, uses, known = list[int](), ["once"], list[Given]()
        for x in range(attribute * self.n, attribute * self.n + self.n):
            if self.places[self.merged.stands[x]] >> p & 1:
                here.append(x)
            else:
                self._absent(x, p, uses, known)
        return here, uses, known

    def _exclusions(self, uses: Iterable[str]) -> int:
        """How many steps that place nothing these lean on, directly or not."""
        number = {f"{self.mark}{i}": i for i in range(1, len(self.steps) + 1)}
        found = dict.fromkeys([use for use in uses if use in number and not self.steps[number[use] - 1].sets])
        for label in (waiting := list(found)):  # grows
            for use in self.steps[number[label] - 1].uses:
                if use in number and use not in found and not self.steps[number[use] - 1].sets:
                    found[use] = None
                    waiting.append(use)
        return len(found)

    def _absent(self, x: int, p: int, uses: list[str], known: list[Given]) -> None:
        """Add why an item, which another one may stand for, is not at this place."""
        other = self.merged.stands[x]
        if self.placed[other] and not is_supposed(self.placed[other]):
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
        for kind, mask, values in subsets_in([self.places[x] for x in items], self.n):
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
            found = kind(mask, named, joined(known), tuple(same))
            return self.note(found, [*uses, *self._labels(same)], [], self._facts(drops))
        return False


@lru_cache(maxsize=1 << 14)  # suppositions come to the same rows again and again
def settled(places: tuple[int, ...], subsets: bool) -> tuple[int, ...] | None:
    """The places of an attribute's items, narrowed by singles, or by a subset if these give nothing; () if nothing does.

    None if that is a contradiction.
    """
    row, n = list(places), len(places)
    if not singles_in(row, (1 << n) - 1):
        return None
    if subsets and row == list(places):
        kind, mask, named = next(subsets_in(row, n), (Subset, 0, ()))
        for v in range(n):
            if mask and (v in named) == (kind is HiddenSubset):
                row[v] &= mask if kind is HiddenSubset else ~mask
    return () if row == list(places) else tuple(row)


def singles_in(row: list[int], full: int) -> bool:
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


def subsets_in(row: Sequence[int], n: int) -> Iterator[tuple[type[Subset], int, tuple[int, ...]]]:
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
