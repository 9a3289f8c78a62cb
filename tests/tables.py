"""Small tables of every kind with all their answers, listed by plain enumeration from the words of core/model.py.

Nothing here is shared with the library: a kernel is compared with it, so that a mistake there cannot hide one here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import combinations, permutations, product
from math import sqrt
from typing import Any

from puzzlemill.core.model import (
    COMPOSITES,
    GRID_COMPOSITES,
    GRID_RELATIONS,
    GROUP_RELATIONS,
    RELATIONS,
    ErasureTable,
    GridTable,
    LatinTable,
    LinesTable,
    MinesTable,
    PositionTable,
    SeatTable,
    SightTable,
    Slots,
    SumsTable,
)
from puzzlemill.core.rng import Rng, stream
from puzzlemill.solvers import kernels

Clue = tuple[int, ...]


@dataclass(frozen=True)
class Kind:
    """What one kind of table says. `base` is without clues; `large` too, and has more answers than any budget lists.

    every(base): its answers. stated(base, values, rng): clues that hold for an answer (of erased cells, for one of their own).
    facts(base, clues): what the clues say, one by one or together. keeps(base, fact): says of an answer whether the fact holds.
    """

    name: str
    base: Any
    large: Any
    every: Callable[[Any], list[Slots]]
    stated: Callable[[Any, Slots, Rng], Sequence[Clue]]
    keeps: Callable[[Any, Any], Callable[[Slots], bool]]
    facts: Callable[[Any, Sequence[Clue]], Sequence[Any]] = lambda _, clues: clues
    samples: bool = True

    def __str__(self) -> str:
        return self.name

    @cached_property
    def universe(self) -> list[Slots]:
        return sorted(self.every(self.base))

    @cached_property
    def _held(self) -> dict[Any, int]:
        return {}

    def answers(self, clues: Sequence[Clue]) -> list[Slots]:
        """The answers under these clues."""
        left = (1 << len(self.universe)) - 1
        for fact in self.facts(self.base, clues):
            if fact not in self._held:
                holds = self.keeps(self.base, fact)
                self._held[fact] = sum(1 << i for i, values in enumerate(self.universe) if holds(values))
            left &= self._held[fact]
        return [values for i, values in enumerate(self.universe) if left >> i & 1] if left else []

    def only(self, clues: Sequence[Clue]) -> Slots | None:
        """The one right reply: the only answer or, of mines, the cells that hold one in every answer; None if there is none."""
        found = self.answers(clues)
        if isinstance(self.base, MinesTable):
            return tuple(int(all(column)) for column in zip(*found, strict=True)) if found else None
        return found[0] if len(found) == 1 else None

    def table(self, clues: Sequence[Clue]) -> Any:
        return replace(self.base, clues=tuple(clues))

    def some(self, rng: Rng) -> tuple[Clue, ...]:
        """Some of the clues of an answer; in one of four sets one of them is of another answer, or says something else."""
        clues = self.stated(self.base, rng.pick(self.universe), rng)
        drawn = rng.sample(clues, rng.between(0, min(len(clues), rng.pick((4, 12, len(clues))))))
        if drawn and rng.chance(1, 4):
            other = rng.pick(self.stated(self.base, rng.pick(self.universe), rng))
            drawn = [clue for clue in drawn if clue[0] != other[0] or len(clue) != 2] + [other]
        return tuple(rng.shuffled(drawn))

    def full(self, rng: Rng) -> tuple[Clue, ...]:
        """Clues that have one right reply together."""
        for _ in range(500):
            clues = rng.shuffled(self.stated(self.base, rng.pick(self.universe), rng))
            if self.only(clues) is not None:
                return tuple(clues)
        raise AssertionError("no clues with one answer in 500 draws")


def drawn_evenly(seen: Counter[Slots | None], answers: list[Slots]) -> bool:
    """Whether these are draws of those answers, with a chi-square within 5 standard deviations of its mean."""
    assert set(seen) <= set(answers)
    mean, freedom = seen.total() / len(answers), len(answers) - 1
    return sum((seen[values] - mean) ** 2 / mean for values in answers) <= freedom + 5 * sqrt(2 * freedom) + 3


def given(_: Any, clue: Clue) -> Callable[[Slots], bool]:
    return lambda values: values[clue[0]] == clue[1]


# ---- Latin grids ---------------------------------------------------------------------------------------------------------


def boxes(high: int, wide: int) -> tuple[tuple[int, ...], ...]:
    n = high * wide
    return tuple(
        tuple(n * (top + r) + left + c for r in range(high) for c in range(wide))
        for top in range(0, n, high)
        for left in range(0, n, wide)
    )


def diagonals(n: int) -> tuple[tuple[int, ...], ...]:
    return tuple(n * i + i for i in range(n)), tuple(n * i + n - 1 - i for i in range(n))


def zones(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(i for i, zone in enumerate(text) if zone == letter) for letter in sorted(set(text)))


def groups(table: LatinTable) -> list[tuple[int, ...]]:
    """All rows, columns and further units."""
    n = table.n
    return [*(tuple(range(n * r, n * r + n)) for r in range(n)), *(tuple(range(c, n * n, n)) for c in range(n)), *table.units]


def near(n: int, i: int, j: int) -> bool:
    return j >= 0 and abs(i // n - j // n) + abs(i % n - j % n) == 1


def weight(group: tuple[int, ...], grid: Slots) -> int:
    return sum(place * (grid[i] + 1) for place, i in enumerate(group, start=1))


def fits(table: LatinTable, grid: Slots) -> bool:
    """The table's own words, cell by cell."""
    n = table.n
    return (
        all(sorted(grid[i] for i in group) == list(range(n)) for group in groups(table))
        and not (table.apart and any(abs(grid[i] - grid[j]) == 1 for i in range(n * n) for j in (i - 1, i - n) if near(n, i, j)))
        and all(weight(table.heaviest[0], grid) > weight(other, grid) for other in table.heaviest[1:])
        and all(grid[i] == v for i, v in table.clues)
    )


def latin_grids(table: LatinTable) -> list[Slots]:
    """All answers without clues, by plain backtracking in cell order."""
    n = table.n
    before = [{j for group in groups(table) if i in group for j in group if j < i} for i in range(n * n)]
    beside = [[j for j in (i - 1, i - n) if near(n, i, j)] if table.apart else [] for i in range(n * n)]
    grids: list[Slots] = []

    def extend(grid: tuple[int, ...]) -> None:
        if len(grid) == n * n:
            grids.append(grid)
            return
        taken = {grid[j] for j in before[len(grid)]}
        taken |= {grid[j] + d for j in beside[len(grid)] for d in (-1, 1)}
        for v in set(range(n)) - taken:
            extend((*grid, v))

    extend(())
    return [grid for grid in grids if fits(table, grid)]


def latin(name: str, base: LatinTable, large: LatinTable) -> Kind:
    return Kind(name, base, large, latin_grids, lambda _, values, __: list(enumerate(values)), given)


# ---- sight hints ---------------------------------------------------------------------------------------------------------


def seen(line: Slots, summed: bool) -> int:
    return sum(v + 1 if summed else 1 for i, v in enumerate(line) if all(w < v for w in line[:i]))


def views(values: Slots, n: int) -> list[Slots]:
    """Every line of a grid from every end, in the order of the table's lines."""
    rows = [values[n * r : n * r + n] for r in range(n)]
    columns = [values[c::n] for c in range(n)]
    falling, rising = tuple(values[:: n + 1]), tuple(values[n - 1 : n * n - 1 : n - 1])
    lines = [*columns, *[line[::-1] for line in columns], *rows, *[line[::-1] for line in rows]]
    return [*lines, falling, rising, rising[::-1], falling[::-1]]


@cache
def sights(table: SightTable, values: Slots) -> tuple[Clue, ...]:
    n = table.n
    lines = views(values, n)[: 4 * n + 4 * table.diagonals]
    return (*enumerate(values), *[(n * n + k, seen(line, table.summed)) for k, line in enumerate(lines)])


def sight(name: str, base: SightTable, large: SightTable) -> Kind:
    def squares(table: SightTable) -> list[Slots]:
        return latin_grids(LatinTable(table.n, (), ()))

    def keeps(table: SightTable, clue: Clue) -> Callable[[Slots], bool]:
        return lambda values: clue in sights(table, values)

    return Kind(name, base, large, squares, lambda table, values, _: sights(table, values), keeps)


# ---- binary lines --------------------------------------------------------------------------------------------------------


def patterns(n: int) -> list[Slots]:
    """Every legal line of n cells."""
    every = product((0, 1), repeat=n)
    return [line for line in every if 2 * sum(line) == n and not any(len(set(line[i : i + 3])) == 1 for i in range(n - 2))]


def binary_grids(table: LinesTable) -> list[Slots]:
    """Every legal grid, from row patterns one below the other and a look at the columns at the end."""
    rows, cols = table.rows, table.cols
    legal, across = set(patterns(rows)), patterns(cols)
    found: list[Slots] = []

    def below(above: tuple[Slots, ...]) -> None:
        columns = list(zip(*above, strict=True))
        if len(above) == rows:
            differ = (len(set(above)), len(set(columns))) == (rows, cols)
            if all(column in legal for column in columns) and (differ or not table.distinct):
                found.append(tuple(v for row in above for v in row))
        elif all(2 * max(sum(column), len(column) - sum(column)) <= rows for column in columns):
            for row in across:
                below((*above, row))

    below(())
    return found


def holds(extra: Clue, grid: Slots) -> bool:
    """The definition of an extra constraint in core/model.py."""
    code, k, size, *cells = extra
    a, b = [grid[i] for i in cells[:size]], [grid[i] for i in cells[size:]]
    match GROUP_RELATIONS[code]:
        case "equal":
            return a == b
        case "opposite":
            return all(v != w for v, w in zip(a, b, strict=True))
        case "unequal":
            return a != b
        case "count":
            return sum(a) == k
        case "parity":
            return sum(a) % 2 == k
        case "more":
            return sum(a) > sum(b)
        case _:
            return a > b


def some_extra(table: LinesTable, rng: Rng) -> Clue:
    """Groups of any cells, not only lines and rectangles."""
    name = rng.pick(GROUP_RELATIONS)
    size = rng.between(1, 6)
    other = 0 if name in ("count", "parity") else rng.between(1, 6) if name == "more" else size
    k = rng.between(0, size) if name == "count" else rng.below(2) if name == "parity" else 0
    return (GROUP_RELATIONS.index(name), k, size, *rng.sample(range(table.rows * table.cols), size + other))


def lines(name: str, base: LinesTable, large: LinesTable, extras: int = 0, givens: bool = True) -> Kind:
    rng = stream("tests", "tables", name)
    pools = {table: [some_extra(table, rng) for _ in range(8 * extras)] for table in (base, large)}

    def stated(table: LinesTable, values: Slots, rng: Rng) -> list[Clue]:
        more = [extra for extra in rng.shuffled(pools[table]) if holds(extra, values)][:extras]
        return [*(enumerate(values) if givens else ()), *more]

    def keeps(table: LinesTable, clue: Clue) -> Callable[[Slots], bool]:
        return given(table, clue) if len(clue) == 2 else lambda grid: holds(clue, grid)

    return Kind(name, base, large, binary_grids, stated, keeps)


# ---- items on positions --------------------------------------------------------------------------------------------------


def means(clue: Clue, place: dict[tuple[int, int], int], last: int, parts: Sequence[Clue]) -> bool:
    """The relation in words of arithmetic; place: item -> position."""
    name = RELATIONS[clue[0]]
    if name in COMPOSITES:
        truths = [means(part, place, last, ()) for part in parts[clue[1] : clue[1] + clue[2]]]
        return truths[0] <= truths[1] if name == "if" else truths.count(True) == 1
    _, a, v, b, w, c, x, d = clue
    first, second, third = place[a, v], place[b, w], place[c, x]
    return {
        "at": first == d,
        "not_at": first != d,
        "end": first in (0, last),
        "same": first == second,
        "not_same": first != second,
        "next": (first - second) ** 2 == 1,
        "just_left": second - first == 1,
        "left": second - first > 0,
        "apart": (first - second) ** 2 == d * d,
        "between": (first - second) * (third - first) > 0,
        "far": (first - second) ** 2 >= d * d,
        "not_end": first not in (0, last),
        "up_to": first - d <= 0,
        "from": first - d >= 0,
        "ahead": second - d == first,
    }[name]


def some_relation(n: int, m: int, rng: Rng) -> Clue:
    """Any relation of any items, also where it makes little sense: an item beside itself, distance 0."""
    plain = [code for code, name in enumerate(RELATIONS) if name not in COMPOSITES]
    return (rng.pick(plain), *[rng.below(size) for size in (m, n, m, n, m, n, n)])


def some_composite(parts: int, rng: Rng) -> Clue:
    """Any composite of parts that stand one after the other; others may have them too."""
    name = rng.pick(COMPOSITES)
    number = 3 if name == "one_of" else 2
    return (RELATIONS.index(name), rng.below(parts - number + 1), number, 0, 0, 0, 0, 0)


def places(n: int, values: Slots) -> dict[tuple[int, int], int]:
    return {(slot // n, value): slot % n for slot, value in enumerate(values)}


def orders(table: PositionTable) -> list[Slots]:
    every = product(permutations(range(table.positions)), repeat=table.attributes)
    return [tuple(v for row in rows for v in row) for rows in every]


def positions(name: str, base: PositionTable, large: PositionTable) -> Kind:
    rng = stream("tests", "tables", name)

    def drawn(table: PositionTable) -> list[Clue]:
        n, m, parts = table.positions, table.attributes, len(table.parts)
        return [some_composite(parts, rng) if parts and rng.chance(2, 3) else some_relation(n, m, rng) for _ in range(300)]

    pools = {table: list(dict.fromkeys(drawn(table))) for table in (base, large)}

    def keeps(table: PositionTable, clue: Clue) -> Callable[[Slots], bool]:
        return lambda values: means(clue, places(table.positions, values), table.positions - 1, table.parts)

    def stated(table: PositionTable, values: Slots, rng: Rng) -> list[Clue]:
        return [clue for clue in rng.shuffled(pools[table]) if keeps(table, clue)(values)][:30]

    return Kind(name, base, large, orders, stated, keeps)


def some_parts(n: int, m: int) -> tuple[Clue, ...]:
    rng = stream("tests", "tables", "strata", n, m)
    return tuple(some_relation(n, m, rng) for _ in range(40))


# ---- entities with items -------------------------------------------------------------------------------------------------


def joined(table: GridTable, clue: Clue, grid: Sequence[Sequence[int]]) -> bool:
    """The relation in words of arithmetic; grid[c][e]: the item of category c of entity e."""
    name, number = GRID_RELATIONS[clue[0]], clue[1]
    if name in GRID_COMPOSITES:
        truths = [joined(table, part, grid) for part in table.parts[clue[2] : clue[2] + number]]
        wanted = {"both": 2, "all_but_one": number - 1}.get(name, 1)
        return truths[0] <= truths[1] if name == "if" else truths.count(True) == wanted
    items = list(zip(clue[2:12:2], clue[3:12:2], strict=True))[:number]
    at = [grid[c].index(v) for c, v in items]
    if name in ("is", "is_not"):
        return (at[0] == at[1]) is (name == "is")
    if name in ("either_or", "neither"):
        return [at[0] == other for other in at[1:]].count(True) == (name == "either_or")
    if name == "pair":
        return at[0] != at[1] and sorted(at[:2]) == sorted(at[2:])
    if name == "different":
        return len({*at}) == number
    category, numbers = table.scales[clue[12]]
    shown = [numbers[grid[category][e]] for e in at]
    gap, d = shown[1] - shown[0], clue[13]
    return {
        "before": gap > 0,
        "exactly": gap == d,
        "apart": gap * gap == d * d,
        "at_least": gap >= d,
        "between": number == 3 and (shown[0] - shown[1]) * (shown[2] - shown[0]) > 0,
    }[name]


def some_join(table: GridTable, rng: Rng) -> Clue:
    """Any relation of any items, also where it makes little sense: an item with itself or on its own scale, difference 0."""
    code = rng.below(GRID_RELATIONS.index("both"))
    number = {"either_or": 3, "neither": 3, "between": 3, "pair": 4, "different": rng.between(3, 5)}.get(GRID_RELATIONS[code], 2)
    flat = [part for _ in range(number) for part in (rng.below(table.categories), rng.below(table.items))]
    scale, d = (rng.below(len(table.scales)), rng.below(6)) if code >= GRID_RELATIONS.index("before") else (0, 0)
    return (code, number, *flat, *[0] * (10 - len(flat)), scale, d)


def grids(name: str, base: GridTable, large: GridTable) -> Kind:
    rng = stream("tests", "tables", name)

    def drawn(table: GridTable) -> list[Clue]:
        found = []
        for _ in range(400):
            if table.parts and rng.chance(2, 3):
                composite = rng.pick(GRID_COMPOSITES)
                number = 3 if composite == "one_of" else rng.between(2, 6) if composite == "all_but_one" else 2
                first = rng.below(len(table.parts) - number + 1)
                found.append((GRID_RELATIONS.index(composite), number, first, *[0] * 11))
            else:
                found.append(some_join(table, rng))
        return found

    pools = {table: list(dict.fromkeys(drawn(table))) for table in (base, large)}

    def every(table: GridTable) -> list[Slots]:
        rows = product(permutations(range(table.items)), repeat=table.categories - 1)
        return [tuple(v for row in each for v in row) for each in rows]

    def keeps(table: GridTable, clue: Clue) -> Callable[[Slots], bool]:
        n = table.items

        def holds(values: Slots) -> bool:
            return joined(table, clue, [list(range(n)), *[list(values[k : k + n]) for k in range(0, len(values), n)]])

        return holds

    def stated(table: GridTable, values: Slots, rng: Rng) -> list[Clue]:
        return [clue for clue in rng.shuffled(pools[table]) if keeps(table, clue)(values)][:30]

    return Kind(name, base, large, every, stated, keeps)


def with_joins(table: GridTable) -> GridTable:
    rng = stream("tests", "tables", "joins", table.categories, table.items)
    return replace(table, parts=tuple([some_join(table, rng) for _ in range(40)]))


# ---- items on seats ------------------------------------------------------------------------------------------------------


def seat_table(seats: int, groups: int, turns: int) -> SeatTable:
    """Relations and atoms at random, and an item that has some of the states only."""
    rng, states, items = stream("tests", "tables", "seats", seats, groups, turns), seats * turns, seats * groups
    one = [tuple([1 << s if rng.chance(1, 2) else 0 for s in range(states)]) for _ in range(4)]
    two = [tuple([sum([1 << t for t in range(states) if rng.chance(1, 2)]) for _ in range(states)]) for _ in range(8)]
    atoms = []
    for _ in range(40):
        x, k = rng.below(items), rng.below(len(one) + len(two))
        atoms.append((x, x if k < len(one) else (x + 1 + rng.below(items - 1)) % items, k))
    start = (1 << states - 1, *[(1 << states) - 1 for _ in range(items - 1)])
    return SeatTable(seats, groups, turns, start, (*one, *two), tuple(atoms), ())


def seatings(name: str, base: SeatTable, large: SeatTable) -> Kind:
    rng = stream("tests", "tables", name)
    pools = {
        table: [(code, first, 2 if code else 1 + rng.below(2)) for first in range(39) for code in (0, 0, 1, 2)]
        for table in (base, large)
    }
    pools = {table: list(dict.fromkeys(pool)) for table, pool in pools.items()}

    def state(table: SeatTable, values: Slots, x: int) -> int:
        n = table.seats
        seat = values[x - x % n : x - x % n + n].index(x % n)
        return seat * table.turns + (values[n + seat] if table.turns == 2 else 0)

    def every(table: SeatTable) -> list[Slots]:
        n = table.seats
        rows = product(*[list(permutations(range(n)))] * table.groups, *[product((0, 1), repeat=n)] * (table.turns - 1))
        found = [tuple(v for row in each for v in row) for each in rows]
        return [values for values in found if table.start[0] >> state(table, values, 0) & 1]

    def keeps(table: SeatTable, clue: Clue) -> Callable[[Slots], bool]:
        code, first, number = clue

        def holds(values: Slots) -> bool:
            truths = []
            for x, y, k in table.atoms[first : first + number]:
                truths.append(bool(table.relations[k][state(table, values, x)] >> state(table, values, y) & 1))
            return all(truths) if not code else truths[0] != truths[1] if code == 1 else truths[1] or not truths[0]

        return holds

    def stated(table: SeatTable, values: Slots, rng: Rng) -> list[Clue]:
        return [clue for clue in rng.shuffled(pools[table]) if keeps(table, clue)(values)][:30]

    return Kind(name, base, large, every, stated, keeps)


# ---- weighted lines ------------------------------------------------------------------------------------------------------


def totals(table: SumsTable, cells: Slots) -> list[Clue]:
    rows, cols = table.rows, table.cols
    across = [sum((c + 1) * cells[r * cols + c] for c in range(cols)) for r in range(rows)]
    down = [sum((r + 1) * cells[r * cols + c] for r in range(rows)) for c in range(cols)]
    return list(enumerate((*across, *down)))


def chosen(table: SumsTable) -> list[Slots]:
    return [g for g in product((0, 1), repeat=table.rows * table.cols) if not any(g[i] for i in table.blocked)]


def sums(name: str, base: SumsTable, large: SumsTable) -> Kind:
    def keeps(table: SumsTable, clue: Clue) -> Callable[[Slots], bool]:
        return lambda grid: clue in totals(table, grid)

    return Kind(name, base, large, chosen, lambda table, values, _: totals(table, values), keeps)


# ---- erased cells --------------------------------------------------------------------------------------------------------


def erasures(table: ErasureTable) -> list[Slots]:
    """Cells that may be erased together: none touch along a side, the others are connected, braced ones are kept."""
    rows, cols = table.rows, table.cols
    size = rows * cols
    beside = [[j for j in (i - cols, i + cols, i - 1, i + 1) if 0 <= j < size and near(cols, i, j)] for i in range(size)]
    around = [[j for j in range(size) if max(abs(i // cols - j // cols), abs(i % cols - j % cols)) == 1] for i in range(size)]

    def connected(erased: Slots) -> bool:
        kept = {i for i in range(size) if not erased[i]}
        reached, open_ = set[int](), [min(kept)]
        while open_:
            i = open_.pop()
            if i not in reached:
                reached.add(i)
                open_ += [j for j in beside[i] if j in kept]
        return reached == kept

    def extend(erased: tuple[int, ...]) -> Iterator[Slots]:
        i = len(erased)
        if i == size:
            if all(sum(erased[j] for j in around[b]) <= 3 for b in table.braced) and connected(erased):
                yield erased
            return
        yield from extend((*erased, 0))
        if i not in table.braced and not any(erased[j] for j in beside[i] if j < i):
            yield from extend((*erased, 1))

    return list(extend(()))


def erased(name: str, base: ErasureTable, large: ErasureTable) -> Kind:
    def pairs(table: ErasureTable, clues: Sequence[Clue]) -> list[tuple[int, int]]:
        """Cells of which one is erased: equal symbols in a line."""
        alike = [(a, b) for (a, v), (b, w) in combinations(sorted(clues), 2) if v == w]
        return [(a, b) for a, b in alike if a // table.cols == b // table.cols or a % table.cols == b % table.cols]

    def stated(table: ErasureTable, _: Slots, rng: Rng) -> list[Clue]:
        made = kernels.devise(table, rng)
        assert made is not None
        return list(enumerate(made[1]))

    def keeps(_: Any, pair: tuple[int, int]) -> Callable[[Slots], bool]:
        return lambda values: bool(values[pair[0]] or values[pair[1]])

    return Kind(name, base, large, erasures, stated, keeps, pairs, samples=False)


# ---- mines ---------------------------------------------------------------------------------------------------------------


def shown(mines: set[tuple[int, int]], r: int, c: int, clusters: bool) -> int:
    """What a cell shows: the mines around it, or their groups, merged pair by pair."""
    parts = [{m} for m in mines if m != (r, c) and abs(m[0] - r) <= 1 and abs(m[1] - c) <= 1]
    while clusters:
        every = combinations(parts, 2)
        touching = [(a, b) for a, b in every if any(max(abs(x - u), abs(y - v)) <= 1 for x, y in a for u, v in b)]
        if not touching:
            break
        one, two = touching[0]
        parts = [part for part in parts if part not in (one, two)] + [one | two]
    return len(parts)


def boards(table: MinesTable) -> list[Slots]:
    """Every board without numbers, by trying all."""
    every = product((0, 1), repeat=table.rows * table.cols)
    return [
        bits
        for bits in every
        if table.mines in (-1, sum(bits))
        and not (table.apart and any(max(abs(a - x), abs(b - y)) == 1 for (a, b), (x, y) in combinations(laid(table, bits), 2)))
    ]


def laid(table: MinesTable, bits: Slots) -> set[tuple[int, int]]:
    return {divmod(i, table.cols) for i, v in enumerate(bits) if v}


def mines(name: str, base: MinesTable, large: MinesTable) -> Kind:
    def stated(table: MinesTable, bits: Slots, _: Rng) -> list[Clue]:
        under = laid(table, bits)
        return [(i, shown(under, *divmod(i, table.cols), table.clusters)) for i, v in enumerate(bits) if not v]

    def keeps(table: MinesTable, clue: Clue) -> Callable[[Slots], bool]:
        where = divmod(clue[0], table.cols)
        return lambda bits: not bits[clue[0]] and shown(laid(table, bits), *where, table.clusters) == clue[1]

    return Kind(name, base, large, boards, stated, keeps, samples=False)


JIGSAW = zones("AABBBAABBCADCCCDDDCEDEEEE")  # drawn by hand
NINE = LatinTable(9, boxes(3, 3), ())
TWENTY = LinesTable(14, 14, True, ())
FIVE = PositionTable(5, 3, ())
SEVEN = GridTable(4, 7, ((3, (0, 1, 3, 4, 6, 8, 9)),), ())
TEN = SumsTable(10, 10, (), ())
LARGE_SIGHT = SightTable(7, ())
EIGHT = ErasureTable(8, 8, ())
ROOMY = MinesTable(7, 7, 12, ())
KINDS = (
    latin("latin", LatinTable(4, (), ()), LatinTable(10, boxes(2, 5), ())),
    latin("boxes", LatinTable(4, boxes(2, 2), ()), NINE),
    latin("diagonals", LatinTable(4, boxes(2, 2) + diagonals(4), ()), replace(NINE, units=NINE.units + diagonals(9))),
    latin("zones", LatinTable(5, JIGSAW, ()), LatinTable(8, boxes(2, 4) + diagonals(8), ())),
    latin("apart", LatinTable(6, boxes(2, 3), (), apart=True), replace(NINE, apart=True)),
    latin("heaviest", LatinTable(4, boxes(2, 2), (), heaviest=boxes(2, 2)[::-1]), replace(NINE, heaviest=boxes(3, 3))),
    sight("sight", SightTable(4, ()), LARGE_SIGHT),
    sight("sight-summed", SightTable(4, (), summed=True), replace(LARGE_SIGHT, summed=True)),
    sight("sight-diagonals", SightTable(4, (), diagonals=True), replace(LARGE_SIGHT, diagonals=True)),
    sight("sight-both", SightTable(4, (), True, True), replace(LARGE_SIGHT, summed=True, diagonals=True)),
    lines("lines", LinesTable(4, 6, False, ()), replace(TWENTY, distinct=False)),
    lines("lines-distinct", LinesTable(6, 4, True, ()), TWENTY),
    lines("lines-extras", LinesTable(4, 6, False, ()), replace(TWENTY, distinct=False), 8),
    lines("lines-only-extras", LinesTable(6, 6, True, ()), TWENTY, 24, givens=False),
    positions("positions", PositionTable(3, 3, ()), FIVE),
    positions("positions-wide", PositionTable(4, 2, ()), FIVE),
    positions("positions-two", PositionTable(2, 4, (), some_parts(2, 4)), FIVE),
    positions("composites", PositionTable(3, 3, (), some_parts(3, 3)), replace(FIVE, parts=some_parts(5, 3))),
    grids("grids", GridTable(3, 3, ((2, (0, 2, 5)),), ()), SEVEN),
    grids("grids-two-scales", GridTable(3, 4, ((1, (0, 1, 3, 4)), (2, (0, 2, 4, 6))), ()), SEVEN),
    grids("grids-composites", with_joins(GridTable(4, 3, ((3, (0, 1, 4)),), ())), with_joins(SEVEN)),
    seatings("seats", seat_table(5, 1, 1), seat_table(10, 1, 1)),
    seatings("seats-two-groups", seat_table(4, 2, 1), seat_table(8, 2, 1)),
    seatings("seats-two-ways", seat_table(4, 1, 2), seat_table(8, 1, 2)),
    sums("sums", SumsTable(3, 3, (), ()), TEN),
    sums("sums-blocked", SumsTable(3, 4, (1, 6), ()), replace(TEN, blocked=(3, 50))),
    sums("sums-row", SumsTable(1, 5, (), ()), TEN),
    erased("erase", ErasureTable(4, 4, ()), EIGHT),
    erased("erase-wide", ErasureTable(3, 5, ()), EIGHT),
    erased("erase-braced", ErasureTable(4, 5, (), (6,)), replace(EIGHT, braced=(9, 20))),
    mines("mines", MinesTable(3, 4, -1, ()), replace(ROOMY, mines=-1)),
    mines("mines-total", MinesTable(4, 3, 4, ()), ROOMY),
    mines("mines-clusters", MinesTable(2, 6, 4, (), clusters=True), replace(ROOMY, clusters=True)),
    mines("mines-apart", MinesTable(3, 4, -1, (), apart=True), replace(ROOMY, mines=6, apart=True)),
)
