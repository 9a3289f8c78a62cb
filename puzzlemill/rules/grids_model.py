"""What statements of a logic grid mean to a model, a table and a shape, and as clues.

The first variable of a model is false; what no arrangement allows is said with it. A statement becomes clauses over "X ~ Y" (one
entity has both items): of an entity and an item that is a slot of the key, of two other items one of the model's further slots.
A part of a composite has a variable that is true exactly when the part is. Rows of a table are numbers alone, for a kernel that
has its own meanings of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from math import gcd
from typing import Any

from puzzlemill.core.clues import Clues
from puzzlemill.core.model import GRID_ITEMS, GRID_RELATIONS, Constraints, Fact, GridTable
from puzzlemill.core.rng import Rng
from puzzlemill.core.shape import ColouredGraph
from puzzlemill.core.types import AnyPuzzle, Clue, Spec
from puzzlemill.rules import grids_twice
from puzzlemill.rules.grids import KINDS, LISTING, Item, Scales, Size, SizeOf, Statement, combined, describes, read, stated

NEVER = 1  # the literal that is false
Clauses = list[tuple[int, ...]]
_DIRECTED = ("before", "exactly", "at_least")
_CODES = {name: code for code, name in enumerate(GRID_RELATIONS)}


# ---- in a model ----------------------------------------------------------------------------------------------------------


def pairs(categories: int) -> list[tuple[int, int]]:
    """The pairs of categories but the first, in the order in which the model's further slots have them."""
    return list(combinations(range(1, categories), 2))


def pairs_of(size: Size, facts: Sequence[Fact]) -> list[tuple[int, int]]:
    """The two items that each slot of the key, or a further one, puts together: numbers c * items + v, the smaller one first.

    Slots behind these are of clues, of which one may be false.
    """
    n = size.items
    every = [*[(0, c) for c in range(1, size.categories)], *pairs(size.categories)]
    named = [(every[slot // n], slot % n, value) for slot, value in facts if slot // n < len(every)]
    return [(b * n + x, c * n + value) for (b, c), x, value in named]


def bare(size: Size) -> Constraints:
    """What holds before any statement: slot (c - 1) * items + e of the key holds the item of category c of entity e.

    Of every pair of further categories b < c, a slot for each item of b holds the item of c that goes with it. If b is shared, a
    slot for each item of c holds the item of b.
    """
    m, n = Constraints(), size.items
    m.require(-m.var())
    of = {}  # of[c][e][v]: entity e has item v of category c
    for c in range(1, size.categories):
        of[c] = [m.slot(n) for _ in range(n)]
        if c == size.shared:
            grids_twice.state(m, of[c])
            continue
        for v in range(n):
            m.exactly_one([lits[v] for lits in of[c]], label="once")
    for b, c in pairs(size.categories):
        both = [m.further(n) for _ in range(n)]
        if b == size.shared:
            for e, v, w in product(range(n), repeat=3):
                x, y, yx = of[b][e][v], of[c][e][w], both[w][v]
                m.require(-x, -y, yx)
                m.require(-y, -yx, x)
            continue
        for e, v, w in product(range(n), repeat=3):
            x, y, xy = of[b][e][v], of[c][e][w], both[v][w]
            m.require(-x, -y, xy)
            m.require(-x, -xy, y)
            m.require(-y, -xy, x)
        for w in range(n):
            m.exactly_one([lits[w] for lits in both])
    return m


class _Said:
    """Statements as clauses over the variables of one model."""

    def __init__(self, m: Constraints, size: Size) -> None:
        self.m, self.size = m, size
        self.pair = {pair: k for k, pair in enumerate(pairs(size.categories))}

    def together(self, x: Item, y: Item) -> int:
        """The literal that is true if one entity has both items."""
        n = self.size.items
        (b, v), (c, w) = sorted((x, y))
        if b == c:
            return -NEVER if v == w else NEVER
        if b == 0:
            return self.m.key[(c - 1) * n + v][w]
        if b == self.size.shared:
            v, w = w, v
        return self.m.also[self.pair[b, c] * n + v][w]

    def clauses(self, said: Statement, truth: bool) -> Clauses:
        """Clauses that hold exactly when a plain statement is true, or when it is not."""
        kind, items = said.kind, said.items
        if KINDS[kind].scale:
            return self._compared(said, truth)
        if kind in ("is", "is_not"):
            both = self.together(*items)
            return [(both if truth == (kind == "is") else -both,)]
        if kind == "different":
            same = [self.together(x, y) for x, y in combinations(items, 2)]
            return [(-lit,) for lit in same] if truth else [tuple(same)]
        if kind == "pair":
            a, b, y, z = items
            one, ay, az = self.together(a, b), self.together(a, y), self.together(a, z)
            by, bz = self.together(b, y), self.together(b, z)
            if truth:
                return [(-one,), (ay, az), (ay, by), (bz, az), (bz, by)]
            return [(one, -ay, -bz), (one, -az, -by)]
        first, second = [self.together(items[0], item) for item in items[1:]]
        if kind == "neither":
            return [(-first,), (-second,)] if truth else [(first, second)]
        return [(first, second), (-first, -second)] if truth else [(first, -second), (-first, second)]

    def _compared(self, said: Statement, truth: bool) -> Clauses:
        category, numbers = self.size.scales[said.scale]
        x, y, *rest = [[self.together(item, (category, k)) for k in range(len(numbers))] for item in said.items]
        places = range(len(numbers))
        found: Clauses = []
        if rest:
            for p, q in product(places, repeat=2):
                good = [r for r in places if (q < p < r or r < p < q) is truth]
                found.append((-x[p], -y[q], *[rest[0][r] for r in good]))
            return found
        right = {(p, q) for p, q in product(places, repeat=2) if _fits(said, numbers[q] - numbers[p]) is truth}
        for p in places:
            found.append((-x[p], *[y[q] for q in places if (p, q) in right]))
            found.append((-y[p], *[x[q] for q in places if (q, p) in right]))
        return found

    def variable(self, said: Statement, label: str) -> int:
        """A new variable that is true exactly when this plain statement is."""
        t = self.m.var()
        for truth, lit in ((True, -t), (False, t)):
            for clause in self.clauses(said, truth):
                self.m.require(lit, *clause, label=label)
        return t


def _fits(said: Statement, gap: int) -> bool:
    """Return whether a comparison of two numbers allows this difference."""
    d = said.number
    return {"before": gap > 0, "exactly": gap == d, "apart": gap in (d, -d), "at_least": gap >= d}[said.kind]


def state(m: Constraints, size: Size, said: Statement, label: str) -> None:
    """Add what a statement says."""
    read_by = _Said(m, size)
    if said.kind == "both" or not said.parts:
        for part in said.parts or (said,):
            for clause in read_by.clauses(part, True):
                m.require(*clause, label=label)
        return
    truths = [read_by.variable(part, label) for part in said.parts]
    if said.kind == "if":
        m.require(-truths[0], truths[1], label=label)
    elif said.kind == LISTING:
        m.exactly_one([-truth for truth in truths], label=label)
        m.also += [(-truth, truth) for truth in truths]  # so that steps may say of a clue that it is true, or false
    else:
        m.exactly_one(truths, label=label)


# ---- in a table ----------------------------------------------------------------------------------------------------------


def table(size: Size, statements: Sequence[Statement]) -> GridTable:
    """The statements for a kernel; core/model.py says what its rows hold."""
    rows: list[tuple[int, ...]] = []
    parts: list[tuple[int, ...]] = []
    width = 4 + 2 * GRID_ITEMS
    for said in statements:
        if said.parts:
            head = (_CODES[said.kind], len(said.parts), len(parts))
            rows.append((*head, *(0,) * (width - len(head))))
            parts += [_row(part) for part in said.parts]
        else:
            rows.append(_row(said))
    return GridTable(size.categories, size.items, size.scales, tuple(rows), tuple(parts))


def _row(said: Statement) -> tuple[int, ...]:
    flat = [part for item in said.items for part in item]
    return (_CODES[said.kind], len(said.items), *flat, *(0,) * (2 * GRID_ITEMS - len(flat)), said.scale, said.number)


# ---- in a shape ----------------------------------------------------------------------------------------------------------

_PLAIN, _SCALE, _ITEM, _END, _PORT, _SIDE, _FIRST_KIND = range(7)  # colours
_KINDS = len(GRID_RELATIONS)  # colours of kinds, in turn for each number that they have; the last kind has none, but a gap has


def symmetry(size: Size, statements: Sequence[Statement]) -> ColouredGraph:
    """Symmetries: rename categories that are no scales, rename the items of each, exchange scales, look at a scale from its other
    end (before becomes after), count in other units.

    Vertices: categories; items, joined to theirs; of a scale, a gap between each two neighbours, coloured by its size, and two
    ends; one per statement, coloured by kind and difference, joined to what it names. An item that has a place of its own in a
    statement is joined through a port, which of a directed statement is joined to the end on whose side that item is as well.
    """
    m, n = size.categories, size.items
    scale_at = {category: k for k, (category, _) in enumerate(size.scales)}
    colours = [_SCALE if c in scale_at else _PLAIN for c in range(m)] + [_ITEM] * (m * n)
    edges = [(c, m + c * n + v) for c in range(m) for v in range(n)]

    def vertex(colour: int, *joined: int) -> int:
        colours.append(colour)
        edges.extend((other, len(colours) - 1) for other in joined)
        return len(colours) - 1

    if size.shared:
        vertex(_END, size.shared)
    units, ends = [], []
    for category, numbers in size.scales:
        first = m + category * n
        units.append(gcd(*numbers))
        for v in range(n - 1):
            gap = (numbers[v + 1] - numbers[v]) // units[-1]
            vertex(_FIRST_KIND + _KINDS * gap + _KINDS - 1, first + v, first + v + 1)
        ends.append((vertex(_END, first), vertex(_END, first + n - 1)))

    def plain(said: Statement) -> int:
        kind, named = said.kind, [m + c * n + v for c, v in said.items]
        number = _in_units(said, units[said.scale]) if said.number else 0
        middle = vertex(_FIRST_KIND + _CODES[kind] + _KINDS * number)
        if KINDS[kind].scale:
            edges.append((size.scales[said.scale][0], middle))
        if kind in _DIRECTED:
            for item, end in zip(named, ends[said.scale], strict=True):
                vertex(_PORT, middle, item, end)
        elif kind == "pair":
            vertex(_SIDE, middle, *named[:2])
            vertex(_SIDE, middle, *named[2:])
        else:
            own = kind in ("either_or", "neither", "between")
            if own:
                vertex(_PORT, middle, named[0])
            edges.extend((item, middle) for item in named[own:])
        return middle

    for said in statements:
        if said.parts:
            parts = [plain(part) for part in said.parts]
            if said.kind == "if":
                parts[0] = vertex(_PORT, parts[0])
            vertex(_FIRST_KIND + _CODES[said.kind], *parts)
        else:
            plain(said)
    return ColouredGraph(tuple(colours), tuple(edges))


def _in_units(said: Statement, unit: int) -> int:
    """A statement's difference in the largest unit in which the scale's numbers are whole; 0 if no two items differ so."""
    if said.kind == "at_least":
        return -(-said.number // unit)
    return 0 if said.number % unit else said.number // unit


# ---- as clues ------------------------------------------------------------------------------------------------------------


class Statements(Clues[Any, Scales]):
    """Clues that are statements of a logic grid."""

    lists_clues = True
    edits = 2  # exchanges() change two

    def __init__(self, size: SizeOf) -> None:
        self.size = size

    def all(self, puzzle: AnyPuzzle) -> list[Statement]:
        """The statement of each clue of a puzzle."""
        size = self.size(puzzle.spec, puzzle.board)
        return [read(clue, size) for clue in puzzle.clues]

    def state(self, m: Constraints, spec: Spec[Any], board: Scales, clue: Clue) -> None:
        size = self.size(spec, board)
        state(m, size, read(clue, size), clue.id)

    def given_slots(self, puzzle: AnyPuzzle) -> tuple[int, ...]:
        n = self.size(puzzle.spec, puzzle.board).items
        found = set()
        for said in self.all(puzzle):
            for part in said.parts if said.kind == "both" else (said,):
                if part.kind == "is":
                    (b, e), (c, _) = sorted(part.items)
                    found |= {(c - 1) * n + e} if b == 0 < c else set()
        return tuple(sorted(found))

    def exchanges(self, puzzle: AnyPuzzle, rng: Rng) -> Iterator[AnyPuzzle]:
        """Two clues exchange an item of the same category or a difference on the same scale, or items of one change places.

        So no kind of clue, no item and no number is named more often than before.
        """
        size = self.size(puzzle.spec, puzzle.board)
        said = self.all(puzzle)
        present = {(one.kind, one.args) for one in said}
        plain = [(i, k, part) for i, one in enumerate(said) for k, part in enumerate(one.parts or (one,))]
        ways = [*_rearranged(plain), *_swapped(plain)]
        for changes in rng.shuffled(ways):
            clues = list(puzzle.clues)
            for i in dict.fromkeys(i for i, _, _ in changes):
                parts = list(said[i].parts or (said[i],))
                for _, k, part in [change for change in changes if change[0] == i]:
                    parts[k] = part
                whole = combined(said[i].kind, parts) if said[i].parts else parts[0]
                clues[i] = whole.clue(clues[i].id)
            new = [(clues[i].kind, clues[i].args) for i in dict.fromkeys(i for i, _, _ in changes)]
            sound = all(says_something(part, size) and len(set(part.items)) == len(part.items) for _, _, part in changes)
            if sound and present.isdisjoint(new) and len(set(new)) == len(new):
                yield puzzle.with_clues(clues)

    def alternatives(self, puzzle: AnyPuzzle, clue: Clue, rng: Rng) -> Iterator[Clue]:
        """Turned round, or with one item, difference or scale changed; never what another clue already says.

        In a composite, one part is changed so, or an implication is turned round.
        """
        size = self.size(puzzle.spec, puzzle.board)
        said = read(clue, size)
        present = [(other.kind, other.args) for other in puzzle.clues]
        if not said.parts:
            found = altered(said, size)
        else:
            found = [combined("if", said.parts[::-1])] if said.kind == "if" else []
            for k, part in enumerate(said.parts):
                before, after = said.parts[:k], said.parts[k + 1 :]
                for other in altered(part, size):
                    if other not in before and other not in after:
                        found.append(combined(said.kind, (*before, other, *after)))
        for one in rng.shuffled(list(dict.fromkeys(found))):
            if (one.kind, one.args) not in present:
                yield one.clue(clue.id)


_Placed = tuple[int, int, Statement]  # a clue, a place among its parts, and what is said there


def _rearranged(plain: Sequence[_Placed]) -> Iterator[tuple[_Placed, ...]]:
    """Each statement whose items say something else in other places."""
    for i, k, part in plain:
        every = [stated(part.kind, items, part.scale, part.number) for items in permutations(part.items)]
        for other in dict.fromkeys(every):
            if other != part:
                yield ((i, k, other),)


def _swapped(plain: Sequence[_Placed]) -> Iterator[tuple[_Placed, ...]]:
    """Each two statements with an item of the same category, or a difference on the same scale, of each other."""
    for (i, k, one), (j, h, two) in combinations(plain, 2):
        for a, b in product(range(len(one.items)), range(len(two.items))):
            x, y = one.items[a], two.items[b]
            if x[0] == y[0] and x != y:
                yield (i, k, _with(one, a, y)), (j, h, _with(two, b, x))
        if one.number and two.number and one.scale == two.scale and one.number != two.number:
            yield (
                (i, k, stated(one.kind, one.items, one.scale, two.number)),
                (j, h, stated(two.kind, two.items, two.scale, one.number)),
            )


def _with(said: Statement, place: int, item: Item) -> Statement:
    return stated(said.kind, (*said.items[:place], item, *said.items[place + 1 :]), said.scale, said.number)


def altered(said: Statement, size: Size) -> list[Statement]:
    """A plain statement turned round, or with one item or difference changed, as far as it then says something."""
    kind, items, scale, number, _ = said
    found: list[tuple[Sequence[Item], int]] = []
    if kind in _DIRECTED:
        found.append((items[::-1], number))
    if KINDS[kind].number:
        numbers = size.scales[scale][1]
        gaps = sorted({b - a for a, b in combinations(numbers, 2)})
        found += [(items, d) for d in gaps if d != number]
    for k, v in product(range(len(items)), range(size.items)):
        for c in range(size.categories):
            if (c, v) not in items:
                found.append(((*items[:k], (c, v), *items[k + 1 :]), number))
    made = [stated(kind, changed, scale, d) for changed, d in found]
    return [one for one in made if says_something(one, size)]


def says_something(said: Statement, size: Size) -> bool:
    """Return whether a plain statement reads as one that people make: it compares items that could be of one entity, and none
    that is a number of the scale itself.
    """
    kind, categories = said.kind, [c for c, _ in said.items]
    if not describes(said, size):
        return False
    if KINDS[kind].scale:
        return size.scales[said.scale][0] not in categories
    if kind == "different":
        return len(set(categories)) > 1
    if kind == "pair":
        return not set(categories[:2]) & set(categories[2:])
    return categories[0] not in categories[1:]
