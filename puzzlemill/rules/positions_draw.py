"""Drawing true statements about places of a hidden arrangement.

cells[a][p] is the value of attribute a at place p. Shares say how many statements are drawn of each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, count, product

from puzzlemill.core.form import Grid
from puzzlemill.core.rng import Rng
from puzzlemill.rules.positions import DISTANCE, KINDS, Item, Statement, combined, is_true, stated

Shares = Mapping[str, int]


def ats(cells: Grid) -> list[Statement]:
    """The place of every item."""
    return [Statement("at", ((a, v),), p) for a, row in enumerate(cells) for p, v in enumerate(row)]


def orders(cells: Grid) -> list[Statement]:
    """The order of each attribute's values, one neighbour after the other."""
    return [Statement("left", ((a, row[p]), (a, row[p + 1]))) for a, row in enumerate(cells) for p in range(len(row) - 1)]


def of_two_places(cells: Grid) -> list[Statement]:
    """All true statements about two places but the ats; the other kinds are always true or say the same as one of these."""
    found = []
    m = len(cells)
    for a, b, p in product(range(m), range(m), range(2)):
        if a < b:
            found.append(Statement("same", ((a, cells[a][p]), (b, cells[b][p]))))
            found.append(Statement("not_same", ((a, cells[a][p]), (b, cells[b][1 - p]))))
    return found + [Statement("left", ((a, cells[a][0]), (b, cells[b][1]))) for a, b in product(range(m), range(m))]


def kinds_by(shares: Shares, cells: Grid) -> list[str]:
    """Each kind as often as it is to be drawn: for every 8 items so often as its share says, and once at least."""
    items = len(cells) * len(cells[0])
    return [kind for kind, share in shares.items() for _ in range(max(1, items * share // 8))]


def true_statements(cells: Grid, kinds: Sequence[str], rng: Rng) -> list[Statement]:
    """A random true statement of each of these kinds. Needs 3 places."""
    m, n = len(cells), len(cells[0])
    found = []

    def item(p: int) -> Item:
        a = rng.below(m)
        return a, cells[a][p]

    for kind in kinds:
        number = 0
        if kind == "not_at":
            p = rng.below(n)
            items = [item(p)]
            number = (p + 1 + rng.below(n - 1)) % n
        elif kind == "end":
            items = [item(rng.pick((0, n - 1)))]
        elif kind in ("same", "not_same"):
            a, b = rng.sample(range(m), 2)
            p = rng.below(n)
            q = p if kind == "same" else (p + 1 + rng.below(n - 1)) % n
            items = [(a, cells[a][p]), (b, cells[b][q])]
        elif kind == "between":
            places = sorted(rng.sample(range(n), 3))
            items = [item(places[1]), item(places[0]), item(places[2])]
        else:
            low = 2 if kind == "apart" else 1
            high = n - 1 if kind in ("apart", "left") else 1
            d = rng.between(low, high)
            p = rng.below(n - d)
            items = [item(p), item(p + d)]
            number = d if kind == "apart" else 0
        found.append(stated(kind, items, number))
    return found


def any_statement(cells: Grid, kind: str, truth: bool, shared: Item | None, rng: Rng) -> Statement:
    """A random true (or false) statement of this kind about different items; it might also be otherwise.

    `shared` is among them unless 64 draws do not find it so (in a row of three, nothing is two places from the middle).
    """
    m, n = len(cells), len(cells[0])
    for attempt in count():
        items = [(rng.below(m), rng.below(n)) for _ in range(KINDS[kind].items)]
        if shared is not None and attempt < 64:
            items[rng.below(len(items))] = shared
        named = KINDS[kind].number
        number = rng.between(2, n - 1) if named == DISTANCE else rng.below(n) if named else 0
        if len(set(items)) < len(items) or (kind in ("same", "not_same") and items[0][0] == items[1][0]):
            continue
        if is_true(kind, [cells[a].index(v) for a, v in items], number, n) == truth:
            return stated(kind, items, number)
    raise AssertionError("some statement of every kind is true, and some is false")


def about(places: Sequence[int], n: int, kind: str, truth: bool, shared: Item | None, rng: Rng) -> Statement | None:
    """A random true (or false) statement of this kind about values of the one attribute, by the place of each, of n.

    Values may share places. shared: an item that is among those named. None if the draw finds no statement.
    """
    many, distance = len(places), KINDS[kind].number == DISTANCE
    v = rng.below(many)
    items = [v, *rng.few([w for w in range(many) if w != v], KINDS[kind].items - 1)]
    if shared is not None and shared[1] not in items:
        items[rng.below(len(items))] = shared[1]
    at = [places[w] for w in items]
    if KINDS[kind].number:
        first, last = (2, n - 1) if distance else (1, n - 2) if kind in ("up_to", "from") else (0, n - 1)
        numbers = [d for d in range(first, last + 1) if is_true(kind, at, d, n) == truth]
        return stated(kind, [(0, w) for w in items], rng.pick(numbers)) if numbers else None
    if is_true(kind, at, 0, n) != truth and KINDS[kind].items > 1:  # some other last item
        fits = [w for w in range(many) if w not in items and is_true(kind, [*at[:-1], places[w]], 0, n) == truth]
        items[-1] = rng.pick(fits) if fits else items[-1]
        at[-1] = places[items[-1]]
    return stated(kind, [(0, w) for w in items]) if is_true(kind, at, 0, n) == truth else None


def composites(cells: Grid, asked: Sequence[str], shares: Shares, least: int, rng: Rng) -> list[Statement]:
    """True composites of these kinds, so many of each at least, whose parts are of the kinds that have shares.

    A part may be about an item of the one before; no two are about two same items.
    """

    def part(kind: str, truth: bool, shared: Item | None) -> Statement:
        return any_statement(cells, kind, truth, shared, rng)

    many = max(least, len(cells) * len(cells[0]) // (3 * len(asked)))
    return combinations_of(part, asked, shares, many, rng)


def combinations_of(
    drawn: Callable[[str, bool, Item | None], Statement | None], asked: Sequence[str], shares: Shares, many: int, rng: Rng
) -> list[Statement]:
    """So many true composites of each of these kinds. drawn: a statement of a kind that is true or false, about an item."""
    kinds = [kind for kind, share in shares.items() for _ in range(share)]
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
                said = None
                while said is None:
                    said = drawn(rng.pick(kinds), truth, shared)
                parts.append(said)
            whole = combined(composite, parts)
            crossed = any(len({*one.items} & {*two.items}) > 1 for one, two in combinations(parts, 2))
            if not crossed and len(set(parts)) == len(parts) and whole not in found:
                found.append(whole)
                done += 1
    return found
