"""Drawing true statements of a hidden logic grid.

cells[c - 1][e] is the item of category c that entity e has. Shares say how many statements are drawn of each kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, count

from puzzlemill.core.form import Grid
from puzzlemill.core.rng import Rng
from puzzlemill.rules.grids import KINDS, Item, Size, Statement, combined, is_linked, is_true, stated
from puzzlemill.rules.grids_model import says_something

Shares = Mapping[str, int]
_OFTEN = 3  # of four statements so many about a scale name an item of no scale, or an entity, first


class Hidden:
    """The entities of a hidden answer with their items and numbers."""

    def __init__(self, size: Size, cells: Grid) -> None:
        self.size, self.cells = size, cells
        n = size.items
        rows = [() if c == size.shared else row for c, row in enumerate(cells, 1)]
        self._of = [list(range(n)), *[[row.index(v) for v in range(n)] if row else [] for row in rows]]

    def of(self, item: Item) -> int:
        """The entity that has an item, of a category that is not shared."""
        return self._of[item[0]][item[1]]

    def together(self, x: Item, y: Item) -> bool:
        """Return whether an entity has both items."""
        if not self.size.shared or self.size.shared not in (x[0], y[0]):
            return self.of(x) == self.of(y)
        shared, other = (x, y) if x[0] == self.size.shared else (y, x)
        return shared[0] != other[0] and self.cells[shared[0] - 1][self.of(other)] == shared[1]

    def item(self, category: int, entity: int) -> Item:
        return category, entity if category == 0 else self.cells[category - 1][entity]

    def at(self, scale: int, entity: int) -> int:
        """An entity's number on a scale."""
        category, numbers = self.size.scales[scale]
        return numbers[self.cells[category - 1][entity]]

    def true(self, said: Statement) -> bool:
        if self.size.shared and any(c == self.size.shared for c, _ in said.items):
            return is_linked(said, lambda x, y: self.together(said.items[x], said.items[y]))
        return is_true(said, self.of, self.at)


def links(hidden: Hidden) -> list[Statement]:
    """What every entity has: together they say everything."""
    m, n = hidden.size.categories, hidden.size.items
    return [stated("is", ((0, e), hidden.item(c, e))) for c in range(1, m) for e in range(n)]


def absences(hidden: Hidden) -> list[Statement]:
    """What every entity has not: together they say everything."""
    m, n = hidden.size.categories, hidden.size.items
    found = [((0, e), (c, v)) for c in range(1, m) for e in range(n) for v in range(n)]
    return [stated("is_not", items) for items in found if not hidden.together(*items)]


def kinds_by(shares: Shares, size: Size) -> list[str]:
    """Each kind as often as it is to be drawn: for every 8 places of an answer so often as its share says, and once at least."""
    places = (size.categories - 1) * size.items
    return [kind for kind, share in shares.items() if share for _ in range(max(1, places * share // 8))]


def true_statements(hidden: Hidden, kinds: Sequence[str], rng: Rng) -> list[Statement]:
    """A random true statement of each of these kinds, as far as the size has any."""
    found = [true_statement(hidden, kind, rng) for kind in kinds]
    return list(dict.fromkeys([said for said in found if said is not None]))


def true_statement(hidden: Hidden, kind: str, rng: Rng) -> Statement | None:
    """A random true statement of a kind; None where 32 draws have found none."""
    for _ in range(32):
        said = _drawn(hidden, kind, rng)
        if said is None or len(set(said.items)) < len(said.items):  # as where two entities share an item
            continue
        if says_something(said, hidden.size) and hidden.true(said):
            return said
    return None


def _drawn(hidden: Hidden, kind: str, rng: Rng) -> Statement | None:
    """A statement of a kind that is mostly true."""
    size = hidden.size
    m, n = size.categories, size.items
    if KINDS[kind].scale:
        return _compared(hidden, kind, rng)
    if kind in ("is", "is_not"):
        b, c = rng.sample(range(m), 2)
        e = rng.below(n)
        other = e if kind == "is" else _other(e, n, rng)
        return stated(kind, (hidden.item(b, e), hidden.item(c, other)))
    if kind == "different":
        many = rng.between(3, min(5, n, 2 * m))
        entities = rng.sample(range(n), many)
        categories = rng.sample([c for c in range(m) for _ in range(2)], many)  # two of a category at most
        return stated(kind, [hidden.item(c, e) for c, e in zip(categories, entities, strict=True)])
    if kind == "pair":
        one, two = rng.sample(range(n), 2)
        a, y = rng.sample(range(m), 2)
        rest = [c for c in range(m) if c not in (a, y)]
        b = rng.pick(rest) if rest and rng.chance(1, 4) else a
        z = rng.pick([c for c in range(m) if c not in (a, b)]) if rng.chance(1, 4) else y
        return stated(kind, (hidden.item(a, one), hidden.item(b, two), hidden.item(y, one), hidden.item(z, two)))
    c, x = rng.sample(range(m), 2)  # either_or, neither
    y = rng.pick([other for other in range(m) if other != c]) if rng.chance(1, 2) else x
    e = rng.below(n)
    one, two = rng.sample([other for other in range(n) if other != e], 2)
    return stated(kind, (hidden.item(c, e), hidden.item(x, e if kind == "either_or" else one), hidden.item(y, two)))


def _other(e: int, n: int, rng: Rng) -> int:
    return (e + 1 + rng.below(n - 1)) % n


def _compared(hidden: Hidden, kind: str, rng: Rng) -> Statement | None:
    """A comparison on some scale; of two scales, items may be numbers of the other one."""
    size = hidden.size
    if not size.scales:
        return None
    scale = rng.below(len(size.scales))
    own, numbers = size.scales[scale]
    every = [c for c in range(size.categories) if c == 0 or c != size.shared]
    plain = [c for c in every if c not in [category for category, _ in size.scales]]
    free = plain if rng.chance(_OFTEN, 4) else [c for c in every if c != own]
    entities = rng.sample(range(size.items), KINDS[kind].items)
    at = [hidden.at(scale, e) for e in entities]
    items = [hidden.item(rng.pick(free), e) for e in entities]
    gap = at[1] - at[0]
    number = abs(gap) if KINDS[kind].number else 0
    if kind == "between":
        middle = at.index(sorted(at)[1])
        items.insert(0, items.pop(middle))
    elif kind != "apart" and gap < 0:
        items.reverse()
    if kind == "at_least":
        gaps = sorted({b - a for a, b in combinations(numbers, 2)})
        fewer = [d for d in gaps[1:] if d <= number]
        if not fewer:
            return None
        number = rng.pick(fewer)
    return stated(kind, items, scale, number)


def two_comparisons(hidden: Hidden, rng: Rng) -> Statement | None:
    """Two items compared on both scales, by a difference each: two years later and five dollars more; None if none is found."""
    if len(hidden.size.scales) < 2:
        return None
    plain = [c for c in range(hidden.size.categories - len(hidden.size.scales)) if c == 0 or c != hidden.size.shared]
    x, y = [hidden.item(rng.pick(plain), e) for e in rng.sample(range(hidden.size.items), 2)]
    parts = []
    for scale in range(2):
        gap = hidden.at(scale, hidden.of(y)) - hidden.at(scale, hidden.of(x))
        kind = rng.pick(("exactly", "exactly", "before"))
        parts.append(stated(kind, (x, y) if gap > 0 else (y, x), scale, abs(gap) if kind == "exactly" else 0))
    return combined("both", parts)


def any_statement(hidden: Hidden, kind: str, truth: bool, shared: Item | None, rng: Rng) -> Statement:
    """A random true (or false) plain statement of this kind; it might also be otherwise.

    `shared` is among its items unless 64 draws do not find it so.
    """
    size = hidden.size
    m, n = size.categories, size.items
    for attempt in count():
        items = [(rng.below(m), rng.below(n)) for _ in range(KINDS[kind].items)]
        if shared is not None and attempt < 64:
            items[rng.below(len(items))] = shared
        scale, number = 0, 0
        if KINDS[kind].scale:
            scale = rng.below(len(size.scales))
            gaps = sorted({b - a for a, b in combinations(size.scales[scale][1], 2)})
            number = rng.pick(gaps[1:] if kind == "at_least" else gaps) if KINDS[kind].number else 0
        if len(set(items)) < len(items):
            continue
        said = stated(kind, items, scale, number)
        if says_something(said, size) and hidden.true(said) == truth:
            return said
    raise AssertionError("some statement of every kind is true, and some is false")


def composites(hidden: Hidden, asked: Sequence[str], shares: Shares, least: int, rng: Rng) -> list[Statement]:
    """True composites of these kinds, so many of each at least, whose parts are of the kinds that have shares.

    A part may be about an item of the one before; no two are about two same items.
    """
    size = hidden.size
    kinds = [kind for kind, share in shares.items() for _ in range(share) if size.scales or not KINDS[kind].scale]
    many = max(least, (size.categories - 1) * size.items // (3 * max(1, len(asked))))
    found: list[Statement] = []
    for composite in asked:
        done = -many if composite == "if" else 0  # an implication says little: half of them or more are idle
        while done < many:
            truths: tuple[bool, ...]
            if composite == "if":
                truths = rng.pick(((True, True), (True, True), (False, True), (False, False)))
            else:
                true = rng.below(KINDS[composite].parts)
                truths = tuple([k == true for k in range(KINDS[composite].parts)])
            parts: list[Statement] = []
            for truth in truths:
                shared = rng.pick(parts[-1].items) if parts and rng.chance(1, 2) else None
                parts.append(any_statement(hidden, rng.pick(kinds), truth, shared, rng))
            said = combined(composite, parts)
            crossed = any(len({*one.items} & {*two.items}) > 1 for one, two in combinations(parts, 2))
            if not crossed and len(set(parts)) == len(parts) and said not in found:
                found.append(said)
                done += 1
    return found
