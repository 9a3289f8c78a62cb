"""Does a claim follow from others? A search for a counterexample, driven by the plain checker, with a bounded number of nodes.

The items of one category are laid out as places: the scale's that is compared on most, so that orders are read off places.
Every other item has a mask of the places that are left for it. Tables of which places of two items agree with a claim are filled
by asking the plain checker (claims.holds) for each pair of places.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

from puzzlemill.chains.claims import FALSE, TRUE, Claim, holds, items_of, negated
from puzzlemill.rules.grids import Item, Size

FOLLOWS, OPEN, UNDECIDED = "follows", "open", "undecided"
BUDGET = 1_500  # nodes of one search
WAYS = 260  # ways to place the items of a claim that are gone through to narrow it

_Table = tuple[tuple[int, ...], tuple[int, ...]]


class _Spent(Exception):
    """The budget is spent."""


class Follow:
    """Searches of one puzzle. nodes: those of the last search."""

    def __init__(self, size: Size) -> None:
        self.size, self.n = size, size.items
        self.base = 0
        self.full = (1 << self.n) - 1
        self.tables: dict[tuple[str, int, int, bool, int], _Table] = {}
        self.triples: dict[tuple[Any, ...], bool] = {}
        self.nodes = 0

    def check(self, known: Sequence[Claim], claim: Claim, budget: int = BUDGET) -> str:
        """Return whether a claim follows from what is known; undecided if the budget is spent."""
        self.nodes, self.budget = 0, budget
        if claim.kind in (TRUE, FALSE):  # of clues themselves nothing is searched for
            return OPEN
        claims = [*[one for one in known if one.kind not in (TRUE, FALSE)], negated(claim)]
        used = [scale for one in claims for scale in _scales(one)]
        scale = max(range(len(self.size.scales)), key=used.count, default=None)
        self.base = 0 if scale is None else self.size.scales[scale][0]
        try:
            return OPEN if self._possible(claims) else FOLLOWS
        except _Spent:
            return UNDECIDED

    def _possible(self, claims: Sequence[Claim]) -> bool:
        masks: dict[Item, int] = {}
        links: list[tuple[Item, Item, _Table]] = []
        wide: list[tuple[tuple[Item, ...], Claim]] = []
        stack = list(claims)
        while stack:
            claim = stack.pop()
            if claim.kind == "nothing":
                return False
            if claim.kind in ("all", "both"):
                stack += claim.parts
                continue
            free = self._free(claim)
            for c in sorted({x[0] for x in free}):
                for v in range(self.n):
                    masks.setdefault((c, v), self.full)
            if not free:
                if not self._holds(claim, {}):
                    return False
            elif len(free) == 1:
                masks[free[0]] &= self._unary(claim, free[0])
            elif len(free) == 2 and len(claim.items) == 2 and not claim.parts:
                links.append((claim.items[0], claim.items[1], self._table(claim)))
            else:
                wide.append((free, claim))
        order = sorted(masks)
        index = {x: k for k, x in enumerate(order)}
        rows = [list(range(k, k + self.n)) for k in range(0, len(order), self.n)]
        found = _Search(
            self,
            rows,
            [(index[x], index[y], table) for x, y, table in links],
            [([index[x] for x in free], free, claim) for free, claim in wide],
        )
        return found.solved([masks[x] for x in order])

    def _free(self, claim: Claim) -> tuple[Item, ...]:
        """The items whose places a claim depends on."""
        found = dict.fromkeys([x for x in items_of(claim) if x[0] != self.base])
        for scale in _scales(claim):
            category = self.size.scales[scale][0]
            if category != self.base:
                found.update(dict.fromkeys([(category, v) for v in range(self.n)]))
        return tuple(found)

    def _holds(self, claim: Claim, places: dict[Item, int]) -> bool:
        def at(scale: int, p: int) -> int:
            category, numbers = self.size.scales[scale]
            if category == self.base:
                return numbers[p]
            return next(numbers[v] for v in range(self.n) if places[category, v] == p)

        return holds(claim, lambda x: x[1] if x[0] == self.base else places[x], at)

    def agrees(self, claim: Claim, places: dict[Item, int]) -> bool:
        """As _holds(), remembered for claims of three items that depend on the places of these alone."""
        if claim.parts or len(claim.items) != 3 or any(self.size.scales[k][0] != self.base for k in _scales(claim)):
            return self._holds(claim, places)
        key = (claim, self.base, *[places.get(x, 0) for x in claim.items])
        if key not in self.triples:
            self.triples[key] = self._holds(claim, places)
        return self.triples[key]

    def _unary(self, claim: Claim, x: Item) -> int:
        return sum(1 << p for p in range(self.n) if self._holds(claim, {x: p}))

    def _table(self, claim: Claim) -> _Table:
        x, y = claim.items
        key = (claim.kind, claim.scale, claim.number, x[0] == y[0], self.base)
        if key not in self.tables:
            forth = [sum(1 << q for q in range(self.n) if self._agree(claim, x, y, p, q)) for p in range(self.n)]
            back = [sum(1 << p for p in range(self.n) if forth[p] >> q & 1) for q in range(self.n)]
            self.tables[key] = (tuple(forth), tuple(back))
        return self.tables[key]

    def _agree(self, claim: Claim, x: Item, y: Item, p: int, q: int) -> bool:
        return (x[0] != y[0] or p != q) and self._holds(claim, {x: p, y: q})

    def spend(self) -> None:
        self.nodes += 1
        if self.nodes > self.budget:
            raise _Spent


def _scales(claim: Claim) -> set[int]:
    found = {claim.scale} if claim.kind in ("before", "exactly", "apart", "at_least", "between") else set()
    return found.union(*[_scales(part) for part in claim.parts])


class _Search:
    """Masks of items: rows hold every place once, links and wide claims narrow them."""

    def __init__(
        self,
        follow: Follow,
        rows: Sequence[Sequence[int]],
        links: Sequence[tuple[int, int, _Table]],
        wide: Sequence[tuple[Sequence[int], tuple[Item, ...], Claim]],
    ) -> None:
        self.follow, self.rows, self.links, self.wide = follow, rows, links, wide
        self.bound = {k for places, _, _ in wide for k in places}

    def solved(self, masks: list[int]) -> bool:
        self.follow.spend()
        if not self._narrow(masks):
            return False
        best, least = -1, 99
        for k, mask in enumerate(masks):
            count = mask.bit_count()
            count += 0 if k in self.bound else 20
            if count % 20 > 1 and count < least:
                best, least = k, count
        if best < 0:
            return True
        mask = masks[best]
        while mask:
            bit = mask & -mask
            mask ^= bit
            trial = list(masks)
            trial[best] = bit
            if self.solved(trial):
                return True
        return False

    def _narrow(self, masks: list[int]) -> bool:
        before: list[int] = []
        while masks != before:
            before = list(masks)
            for x, y, (forth, back) in self.links:
                if not (self._through(masks, x, y, forth) and self._through(masks, y, x, back)):
                    return False
            for row in self.rows:
                if not self._row(masks, row):
                    return False
            for places, names, claim in self.wide:
                if not self._wide(masks, places, names, claim):
                    return False
        return True

    def _through(self, masks: list[int], x: int, y: int, table: Sequence[int]) -> bool:
        mask, reach = masks[x], 0
        while mask:
            bit = mask & -mask
            mask ^= bit
            reach |= table[bit.bit_length() - 1]
        masks[y] &= reach
        return masks[y] != 0

    def _row(self, masks: list[int], row: Sequence[int]) -> bool:
        once = twice = taken = 0
        for k in row:
            mask = masks[k]
            if not mask:
                return False
            if mask & mask - 1 == 0:
                if taken & mask:
                    return False
                taken |= mask
            twice |= once & mask
            once |= mask
        if once != self.follow.full:
            return False
        only = once & ~twice
        for k in row:
            mask = masks[k]
            if mask & mask - 1:
                mask &= ~taken
                if mask & only:
                    mask &= only
                    if mask & mask - 1:
                        return False
                if not mask:
                    return False
                masks[k] = mask
        return True

    def _wide(self, masks: list[int], places: Sequence[int], names: tuple[Item, ...], claim: Claim) -> bool:
        """Keep what a claim of several items allows, once these have few places left."""
        free = [k for k in range(len(places)) if masks[places[k]] & masks[places[k]] - 1]
        ways = 1
        for k in free:
            ways *= masks[places[k]].bit_count()
        if ways > WAYS:
            return True
        known = {x: masks[k].bit_length() - 1 for k, x in zip(places, names, strict=True)}
        if not free:
            return len({(x[0], p) for x, p in known.items()}) == len(known) and self.follow.agrees(claim, known)
        left = dict.fromkeys(free, 0)
        for chosen in product(*[_bits(masks[places[k]]) for k in free]):
            known.update(zip([names[k] for k in free], chosen, strict=True))
            if len({(x[0], p) for x, p in known.items()}) < len(known):
                continue
            if any(left[k] >> p & 1 == 0 for k, p in zip(free, chosen, strict=True)) and self.follow.agrees(claim, known):
                for k, p in zip(free, chosen, strict=True):
                    left[k] |= 1 << p
        for k, mask in left.items():
            masks[places[k]] = mask
        return all(left.values())


@cache
def _bits(mask: int) -> tuple[int, ...]:
    return tuple([p for p in range(mask.bit_length()) if mask >> p & 1])
