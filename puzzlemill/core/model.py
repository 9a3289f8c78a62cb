"""Solver-neutral statements of a puzzle: constraints, move graphs, and the tables that kernels work on.

An answer to a constraint puzzle is a vector of *slots*, each holding one of finitely many values (a sudoku cell holds 0..8).
A family names its slots once; models, kernels, the checker-driven search and partial credit all speak in slot values.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat
from operator import itemgetter
from typing import Any, NamedTuple

Slots = tuple[int, ...]  # one value per slot, BLANK where unknown
BLANK = -1


@dataclass(frozen=True, slots=True)
class Cardinality:
    """At most `bound` of `lits` are true, while `label` is in force ("" is always).

    plain: where it is put in clauses, every set of bound + 1 literals gets one, without auxiliary variables; for few literals.
    """

    lits: tuple[int, ...]
    bound: int
    label: str
    plain: bool = False


Terms = tuple[tuple[int, int], ...]  # (literal, weight), weights positive


@dataclass(frozen=True, slots=True)
class Heavier:
    """The weights of the true literals on the left add up to more than those on the right, while `label` is in force.

    Each side is a list of groups; exactly one literal of a group is true.
    """

    left: tuple[Terms, ...]
    right: tuple[Terms, ...]
    label: str


class Template:
    """Clauses over variables of its own, 1, 2, ..., to be stated of many lists of literals, much faster than one by one."""

    def __init__(self, clauses: Sequence[tuple[int, ...]]) -> None:
        sizes = sorted({len(clause) for clause in clauses})
        places = [[i for i, clause in enumerate(clauses) if len(clause) == size] for size in sizes]
        # of each size: the literals of its clauses one after the other, as indices into a list of literals and their opposites
        self._sizes = [(size, _getter([lit for i in at for lit in clauses[i]])) for size, at in zip(sizes, places, strict=True)]
        order = {at: i for i, at in enumerate([at for some in places for at in some])}
        self._order = _getter([order[i] for i in range(len(clauses))])

    def stated(self, literals: Sequence[int], label: str) -> Iterator[tuple[tuple[int, ...], str]]:
        """The clauses with literals[i - 1] for variable i, in their order, with a label each."""
        both = [0, *literals, *[-lit for lit in reversed(literals)]]  # both[-i] is the opposite of both[i]
        every: list[tuple[int, ...]] = []
        for size, flat in self._sizes:
            every += zip(*[iter(flat(both))] * size, strict=True) if size else [()]
        return zip(self._order(every), repeat(label))


def _getter(places: Sequence[int]) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """What takes these places of a list, in C where there are several."""
    if len(places) > 1:
        return itemgetter(*places)
    return lambda some: tuple([some[at] for at in places])


_FEW = 64  # literals, whose pairs are remembered


@lru_cache(maxsize=_FEW)
def _pairwise(count: int) -> Template:
    return Template([(-b, -a) for a in range(1, count + 1) for b in range(1, a)])


@dataclass(slots=True)
class Constraints:
    """Clauses and cardinalities over variables 1..top. A literal is a variable or its negative.

    label: every constraint may carry the id of the clue or the name of the rule it states; engines give each label
        one selector, so that an unsat core can be given in those names. "" means always in force.
    key: the slots in order; key[s][v] is the literal that is true exactly when slot s holds value v.
        Answers are counted over the key only: auxiliary variables may have many values for one answer.
    also: further slots that steps of a deduction may speak of, numbered on from the key's; not counted.
    spare: labels of rules that no unsat core has where the clues clash without them.
    """

    top: int = 0
    clauses: list[tuple[tuple[int, ...], str]] = field(default_factory=list)
    cardinalities: list[Cardinality] = field(default_factory=list)
    weighings: list[Heavier] = field(default_factory=list)
    key: list[tuple[int, ...]] = field(default_factory=list)
    also: list[tuple[int, ...]] = field(default_factory=list)
    spare: tuple[str, ...] = ()

    def var(self) -> int:
        """A new variable."""
        self.top += 1
        return self.top

    def slot(self, values: int) -> tuple[int, ...]:
        """Add a slot with `values` values to the key: exactly one of the returned literals is true.

        A slot of two values takes one variable x and is (-x, x).
        """
        if values == 2:
            x = self.var()
            lits: tuple[int, ...] = (-x, x)
        else:
            lits = tuple(self.var() for _ in range(values))
            self.exactly_one(lits)
        self.key.append(lits)
        return lits

    def further(self, values: int) -> tuple[int, ...]:
        """Add a slot that is no part of answers: what it holds follows from the key by clauses that the caller adds."""
        lits = tuple([self.var() for _ in range(values)])
        self.exactly_one(lits)
        self.also.append(lits)
        return lits

    def require(self, *lits: int, label: str = "") -> None:
        """At least one of the literals is true."""
        self.clauses.append((lits, label))

    def at_most_one(self, lits: Sequence[int], *, label: str = "") -> None:
        """Pairwise: no two of the literals are true."""
        if len(lits) <= _FEW:
            self.clauses += _pairwise(len(lits)).stated(lits, label)
        else:
            self.clauses += [((-b, -a), label) for i, a in enumerate(lits) for b in lits[:i]]

    def exactly_one(self, lits: Sequence[int], *, label: str = "") -> None:
        self.clauses.append((tuple(lits), label))
        self.at_most_one(lits, label=label)

    def at_most(self, lits: Iterable[int], bound: int, *, label: str = "", plain: bool = False) -> None:
        self.cardinalities.append(Cardinality(tuple(lits), bound, label, plain))

    def at_least(self, lits: Iterable[int], bound: int, *, label: str = "", plain: bool = False) -> None:
        negated = tuple(-lit for lit in lits)
        self.cardinalities.append(Cardinality(negated, len(negated) - bound, label, plain))

    def exactly(self, lits: Sequence[int], bound: int, *, label: str = "", plain: bool = False) -> None:
        self.at_most(lits, bound, label=label, plain=plain)
        self.at_least(lits, bound, label=label, plain=plain)

    def heavier(self, left: Sequence[Terms], right: Sequence[Terms], *, label: str = "") -> None:
        """Exactly one literal of each group is true anyway; their weights add up to more on the left than on the right."""
        self.weighings.append(Heavier(tuple(left), tuple(right), label))

    def connected(self, lits: Sequence[int], edges: Sequence[tuple[int, int]], reach: int, *, label: str = "") -> None:
        """The true literals are one part of the graph whose edges are these pairs of places in `lits`.

        reach: a number of edges within which any two of them are joined if they are joined at all. How it is said: the first true
        literal is reached at once, others from a neighbour that is reached one step earlier, and every true one within `reach`.
        Where the graph has two sides, as a grid's dark and light cells, they take turns, since a way changes sides at every step;
        that takes half as many clauses. Where all literals are set, unit propagation decides it: there is nothing to guess about
        the steps.
        """
        neighbours: list[list[int]] = [[] for _ in lits]
        for a, b in edges:
            neighbours[a].append(b)
            neighbours[b].append(a)
        earlier = 0  # true if a literal before this one is
        reached = []
        for lit in lits:
            first = self.var()
            self.require(-first, lit, label=label)
            if earlier:
                self.require(-first, -earlier, label=label)
            some = self.var()
            self.require(-lit, some, label=label)
            if earlier:
                self.require(-earlier, some, label=label)
            earlier = some
            reached.append(first)
        sides = _two_sides(neighbours)
        # of two sides, the one that begins may be that of the first literal: then the first turn is of no use
        for turn in range(reach + 1 if sides else reach):
            moved = list(reached)
            for i in sides[turn % 2] if sides else range(len(lits)):
                moved[i] = now = self.var()
                self.require(-now, lits[i], label=label)
                self.require(-now, reached[i], *[reached[j] for j in neighbours[i]], label=label)
            reached = moved
        for lit, now in zip(lits, reached, strict=True):
            self.require(-lit, now, label=label)


def _two_sides(neighbours: Sequence[Sequence[int]]) -> tuple[list[int], list[int]] | None:
    """The vertices of a graph on two sides, so that every edge joins the sides; None if there is no such way."""
    side = [-1] * len(neighbours)
    for start in range(len(neighbours)):
        if side[start] < 0:
            side[start] = 0
            work = [start]
            for a in work:
                for b in neighbours[a]:
                    if side[b] < 0:
                        side[b] = 1 - side[a]
                        work.append(b)
                    elif side[b] == side[a]:
                        return None
    return [i for i, s in enumerate(side) if s == 0], [i for i, s in enumerate(side) if s == 1]


State = tuple[int, ...]
Move = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """States joined by moves; the answer is a list of moves from `start` to `goal` of least cost in all.

    moves(state): every legal move with the state it leads to, in a fixed order. cost(move): at least 1; None: always 1.
    """

    start: State
    goal: State
    moves: Callable[[State], Iterable[tuple[Move, State]]]
    cost: Callable[[Move], int] | None = None


Hypothesis = tuple[Any, ...]


class Space(ABC):
    """A bounded, declared class of hypotheses about how a puzzle's clues came about; each gives one answer at most.

    Parts are independent: an answer is one output per part, joined. Two hypotheses with one output are one answer: a puzzle is
    unique by output. Concrete spaces are frozen dataclasses, so that equal puzzles have equal spaces.
    """

    __slots__ = ()

    @abstractmethod
    def scope(self) -> str:
        """The class in words, with all that bounds it; what is proved holds of this class and of no larger one."""

    @abstractmethod
    def size(self, part: int) -> int:
        """The number of hypotheses about this part."""

    def whole(self) -> str:
        """The rule that clashes if there is no answer and there are no clues; "" for classes that always have clues."""
        return ""

    @abstractmethod
    def parts(self) -> int:
        """How many independent parts there are, at least 1."""

    @abstractmethod
    def hypotheses(self, part: int) -> Iterator[Hypothesis]:
        """Every hypothesis about this part, once, in a fixed order."""

    @abstractmethod
    def fits(self, part: int, hypothesis: Hypothesis, kind: str, args: tuple[Any, ...]) -> bool:
        """Return whether a clue of this kind with these arguments can be true under the hypothesis."""

    def fitting(self, part: int, clues: Sequence[tuple[str, tuple[Any, ...]]]) -> Iterator[Hypothesis]:
        """Every hypothesis about this part that all of these clues, (kind, arguments), fit, in any order.

        This is what says so; a class may override it where hypotheses share work, and must then give the same ones.
        """
        for hypothesis in self.hypotheses(part):
            for kind, args in clues:  # mostly the first one says no
                if not self.fits(part, hypothesis, kind, args):
                    break
            else:
                yield hypothesis

    @abstractmethod
    def output(self, part: int, hypothesis: Hypothesis) -> Slots | None:
        """The part's slot values under the hypothesis; None if it gives no answer."""

    def claimed(self, hypothesis: Hypothesis, claim: Claim) -> bool:
        """Return whether a claim of a deduction (Step.claims), which is about the hypothesis's part, is true of it."""
        return False


@dataclass(frozen=True, slots=True)
class Game:
    """Finding out which truths hold (KUMO): an action may be done once, shows one of its outcomes, and that excludes truths.

    truths: how many there are. valid: how many of them hold. excludes[a][s]: the truths that outcome s of action a excludes, as a
    bit mask. The promise: the outcomes of all actions together exclude every truth that does not hold, and none that does.
    A *world* is the set of truths that hold and an outcome of every action that keep the promise; all worlds are equally likely.
    """

    truths: int
    excludes: tuple[tuple[int, ...], ...]
    valid: int = 1


# Tables: what a numba kernel reads. They are keyed by kind of structure, not by family; a family translates its puzzle
# into one. `clues[i]` encodes puzzle.clues[i], so that kernels can leave clues out by index. Slots are numbered as in the model.


@dataclass(frozen=True, slots=True)
class LatinTable:
    """n x n cells (slot r*n + c, values 0..n-1); every row, column and unit holds each value once.

    units: further groups of n cells (boxes, irregular zones, diagonals). clues: (cell, value).
    labels: the name of the rule behind each unit. apart: cells side by side or one above the other never hold values that differ
        by 1. heaviest: groups of cells, each in order; the sum of (place in the group, from 1) * (value + 1) is greater for the
        first group than for each other one.
    """

    n: int
    units: tuple[tuple[int, ...], ...]
    clues: tuple[tuple[int, int], ...]
    labels: tuple[str, ...] = ()
    apart: bool = False
    heaviest: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class SightTable:
    """n x n cells (slot r*n + c, values 0..n-1 for buildings of heights 1..n); every row and column holds each value once.

    A building is seen from one end of a line if it is taller than all before it. clues: a given is (cell, value), a hint is
    (n*n + line, k): k buildings are seen in this line or, if `summed`, the heights of those seen add up to k. Lines: the columns
    read from above, the columns from below, the rows from the left, the rows from the right (n of each), then the diagonals read
    from the top left, top right, bottom left and bottom right corner. Values may repeat in a diagonal. Unless `diagonals`, the
    hints of diagonals say nothing.
    """

    n: int
    clues: tuple[tuple[int, int], ...]
    summed: bool = False
    diagonals: bool = False


# What an extra constraint of a LinesTable says of two groups of cells, A and B. A code is an index here and never changes.
GROUP_RELATIONS = (
    "equal",  # cell i of A holds what cell i of B holds, for every i
    "opposite",  # cell i of A holds the other value than cell i of B, for every i
    "unequal",  # A and B differ in one place at least
    "count",  # A holds exactly k ones
    "parity",  # the number of ones in A is even (k = 0) or odd (k = 1)
    "more",  # A holds more ones than B
    "greater",  # A, read in order as a binary number, is greater than B
)


@dataclass(frozen=True, slots=True)
class LinesTable:
    """rows x cols binary cells (slot r*cols + c): balanced lines, no three equal in a run.

    distinct: also no two equal rows and no two equal columns. clues: a given is (cell, value), and an extra constraint is
    (code, k, size, *cells), four numbers or more: code is an index in GROUP_RELATIONS, the first `size` cells are group A in
    order, the others B. k is 0 where a relation does not need it. No cell stands twice in one constraint; A is never empty; B is
    empty for "count" and "parity", as large as A for "equal", "opposite", "unequal" and "greater", of any size but 0 for "more".
    """

    rows: int
    cols: int
    distinct: bool
    clues: tuple[tuple[int, ...], ...]


# What a clue of a PositionTable says of items X = (a, v), Y = (b, w) and Z = (c, x) that stand at positions x, y and z;
# position 0 is leftmost. A code is an index here and never changes; new relations are added at the end.
RELATIONS = (
    "at",  # x == d
    "not_at",  # x != d
    "end",  # x is the first or the last position
    "same",  # x == y
    "not_same",  # x != y
    "next",  # |x - y| == 1
    "just_left",  # y == x + 1
    "left",  # x < y
    "apart",  # |x - y| == d
    "between",  # y < x < z or z < x < y
    "far",  # |x - y| >= d
    # composites: what they say of their parts, which are statements of the kinds above
    "one_of",  # exactly one of three parts is true
    "if",  # the second part is true or the first is false
    "either",  # exactly one of two parts is true
    # further ones of items
    "not_end",  # x is neither the first nor the last position
    "up_to",  # x <= d
    "from",  # x >= d
    "ahead",  # y == x + d
)
COMPOSITES = RELATIONS[11:14]


@dataclass(frozen=True, slots=True)
class PositionTable:
    """attributes x positions (slot a*positions + p, values 0..positions-1: which value of attribute a stands at p).

    Every attribute is a permutation. clues: (code, a, v, b, w, c, x, d): code is an index in RELATIONS, (a, v), (b, w) and (c, x)
    are the items X, Y and Z, d is a position or a distance; what a relation does not need is 0. The row of a composite is
    (code, first, number, 0, 0, 0, 0, 0): its parts are parts[first : first + number], rows as above, none of them a composite.
    A part on its own says nothing.
    """

    positions: int
    attributes: int
    clues: tuple[tuple[int, ...], ...]
    parts: tuple[tuple[int, ...], ...] = ()


# What a clue of a GridTable says of entities, each of which has one item of every category. W, X, Y, Z: items (category, value),
# and X ~ Y says that one entity has both. s: one of the scales, on which the entity of X stands at the number x. A code is an
# index here and never changes; new relations are added at the end.
GRID_RELATIONS = (
    "is",  # W ~ X
    "is_not",  # not W ~ X
    "either_or",  # W ~ X or W ~ Y, and not both
    "neither",  # neither W ~ X nor W ~ Y
    "pair",  # W and X are of two entities, and either W ~ Y and X ~ Z, or W ~ Z and X ~ Y
    "different",  # three to five items of as many entities
    "before",  # w < x on scale s
    "exactly",  # x - w == d on scale s
    "apart",  # |x - w| == d on scale s
    "at_least",  # x - w >= d on scale s
    "between",  # x < w < y or y < w < x on scale s
    # composites: what they say of their parts, which are statements of the kinds above
    "both",  # both of two parts are true
    "one_of",  # exactly one of three parts is true
    "if",  # the second part is true or the first is false
    "either",  # exactly one of two parts is true
    "all_but_one",  # exactly one of two parts or more is false
)
GRID_COMPOSITES = GRID_RELATIONS[11:]
GRID_ITEMS = 5  # the most that a relation names


@dataclass(frozen=True, slots=True)
class GridTable:
    """categories x items: entity e has item e of category 0, and slot (c - 1) * items + e says which item of category c.

    Every category is a permutation. scales: categories whose items are numbers, with these numbers, ascending from 0.
    clues: (code, number of items, c, v five times, scale, d): code is an index in GRID_RELATIONS, scale one in `scales`; what a
    relation does not need is 0. The row of a composite is (code, number, first, 0, ...): its parts are parts[first : first +
    number], rows as above, none of them a composite. A part on its own says nothing.
    """

    categories: int
    items: int
    scales: tuple[tuple[int, tuple[int, ...]], ...]
    clues: tuple[tuple[int, ...], ...]
    parts: tuple[tuple[int, ...], ...] = ()


SEAT_CLUES = ("all", "either", "if")  # what a clue of a SeatTable says of its atoms; a code is an index here and never changes


@dataclass(frozen=True, slots=True)
class SeatTable:
    """Items on seats: item g * seats + v is value v of group g, and the items of a group have different seats.

    Group 0 are the persons. A state is seat * turns + way: turns is 2 where it is to be found which of two ways each person faces
    (and then there is one group), else 1. Slot g * seats + p is the value of group g on seat p; where turns is 2, slot seats + p
    is the way that the person there faces.
    start: the states that each item may have, as a mask. relations[k][s]: the states that a second item may have if the first has
    state s, as a mask. atoms: (first item, second item, relation); the same item twice where only one is named. clues: (code,
    first, number) say of atoms[first : first + number] that all are true, that exactly one is, or that the second is true or the
    first is false: code is an index in SEAT_CLUES. An atom on its own says nothing.
    """

    seats: int
    groups: int
    turns: int
    start: tuple[int, ...]
    relations: tuple[tuple[int, ...], ...]
    atoms: tuple[tuple[int, int, int], ...]
    clues: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class MovesTable:
    """Disks on pegs: disk i (0 is the smallest) stands on start[i] and must reach goal[i].

    right_only: a disk moves only to a peg with a higher number than that of its own.
    """

    pegs: int
    start: tuple[int, ...]
    goal: tuple[int, ...]
    right_only: bool = False


@dataclass(frozen=True, slots=True)
class RoadsTable:
    """One-way roads (from, to, length >= 1) between places 0, 1, ...: the shortest way from `start` to any of `goals`.

    via: groups of places; before the goal where the way ends, one of each must come. They have no place in common and hold
        neither a goal nor the start. They are few: every set of groups has labels of its own.
    """

    places: int
    start: int
    goals: tuple[int, ...]
    roads: tuple[tuple[int, int, int], ...]
    via: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ErasureTable:
    """rows x cols cells (slot r*cols + c, 1 is erased): kept cells of a row or column hold different symbols and are connected
    along sides, erased ones do not touch along a side.

    clues: (cell, symbol); a cell without one is like no other. braced: cells that are kept, with at most 3 erased ones among the
    eight around them.
    """

    rows: int
    cols: int
    clues: tuple[tuple[int, int], ...]
    braced: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SumsTable:
    """rows x cols binary cells (slot r*cols + c): 1 is chosen. The cell counts c + 1 in its row and r + 1 in its column.

    blocked: cells that are never chosen. clues: (line, sum) of the chosen cells of a line; rows come first, from the top, then
    columns from the left.
    """

    rows: int
    cols: int
    blocked: tuple[int, ...]
    clues: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class DropTable:
    """Cells for letters (slot i, values 0..25: A..Z) in columns; each run of cells is a word of a list.

    columns: of each cell. runs: the cells of each word, which are all cells in order. kinds: which list each run takes
        (puzzlemill/rules/drops.py), of the words of this band or of those listed. clues: a given is (cell, letter), and the
        letters of a column are (-1 - column, letters ...), as many as it has cells; a column without a clue may have any.
    vowels: (first cell, the one behind the last, how many of these are vowels).
    """

    columns: tuple[int, ...]
    runs: tuple[tuple[int, ...], ...]
    kinds: tuple[int, ...]
    band: str
    clues: tuple[tuple[int, ...], ...]
    vowels: tuple[tuple[int, int, int], ...] = ()
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MinesTable:
    """rows x cols cells (slot r*cols + c), 0 safe and 1 a mine. clues: (cell, number): the cell is safe and shows the number.

    A number counts the mines among the cell's up to eight neighbours; with clusters, the groups that these mines form (mines
    that touch, corners included, are of one group). apart: no two mines touch. mines: how many there are in all, -1 if untold.
    """

    rows: int
    cols: int
    mines: int
    clues: tuple[tuple[int, int], ...]
    clusters: bool = False
    apart: bool = False

    def with_clues(self, places: Sequence[int]) -> MinesTable:
        """The same table with the clues at these places only."""
        return MinesTable(self.rows, self.cols, self.mines, tuple([self.clues[i] for i in places]), self.clusters, self.apart)


# The methods of a CipherTable. A code is an index here and never changes; new methods are added at the end.
CIPHERS = (
    "caesar",
    "atbash",
    "affine",
    "keyword",
    "vigenere",
    "beaufort",
    "autokey",
    "trithemius",
    "playfair",
    "polybius",
    "bacon",
    "morse",
    "reversal",
    "railfence",
    "columnar",
)


@dataclass(frozen=True, slots=True)
class CipherPart:
    """Some of the entries, each once at most, were applied to a text one after the other.

    entries: (code, numbers of the key): code is an index in CIPHERS, a keyword's numbers are its letters' (A is 0). layers: how
    many entries were applied. in_order: all of them, in their order. samples: plain texts with their ciphers.
    cipher: that of the wanted text, which has `length` letters and went through all of this `rounds` times (samples: once).
    """

    entries: tuple[tuple[int, ...], ...]
    layers: int
    in_order: bool
    samples: tuple[tuple[str, str], ...]
    cipher: str
    length: int
    rounds: int = 1


@dataclass(frozen=True, slots=True)
class CipherTable:
    """Parts that have nothing to do with each other; slots are the letters of their plain texts, one part after the other."""

    parts: tuple[CipherPart, ...]


@dataclass(frozen=True, slots=True)
class ExclusionTable:
    """One slot: which `valid` of the truths hold, by the place of the set among all such sets in lexicographic order.

    clues: the truths that an outcome which was seen rules out, ascending. measured: positions of those clues that tell a number,
    which is to be looked up among intervals.
    """

    truths: int
    valid: int
    clues: tuple[tuple[int, ...], ...]
    measured: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SeriesTable:
    """A series of whole numbers from 0 to 9,999. hole: the place of the term that is missing, whose value is the only slot; -1 if
    one of them is wrong instead, and its place and the value that belongs there are the slots.
    """

    terms: tuple[int, ...]
    hole: int


# The kin words of a KinTable, and its kinds of statements. A code is an index here and never changes; new ones come at the end.
KIN_WORDS = (
    *("father", "mother", "parent", "son", "daughter", "child", "husband", "wife", "spouse", "brother", "sister", "sibling"),
    *("grandfather", "grandmother", "grandparent", "grandson", "granddaughter", "grandchild"),
    *("great_grandfather", "great_grandmother", "great_grandparent"),
    *("great_grandson", "great_granddaughter", "great_grandchild"),
    *("uncle", "aunt", "uncle_or_aunt", "nephew", "niece", "nephew_or_niece", "cousin"),
    *("father_in_law", "mother_in_law", "parent_in_law", "son_in_law", "daughter_in_law", "child_in_law"),
    *("brother_in_law", "sister_in_law", "sibling_in_law"),
    *("only_child", "only_son", "only_daughter", "only_brother", "only_sister"),
)
KIN_STATEMENTS = (
    "kin",  # x is the u (of the v (of the w)) of y
    *("man", "woman", "married", "unmarried", "childless", "no_siblings"),  # x is, or has
    *("children", "sons", "daughters", "brothers", "sisters"),  # x has so many
    *("men", "women", "couples"),  # there are so many in all
)


@dataclass(frozen=True, slots=True)
class KinTable:
    """A family of so many people in so many generations: one couple, their descendants, and whom these married.

    Slots of each person x: 4x the gender (0 a man), then the spouse, the father and the mother, x for nobody. alike: no couple
    has both sons and daughters. clues: (code, x, y, number, u, v, w): code is an index in KIN_STATEMENTS, u to w in KIN_WORDS and
    -1 for no word; what a kind does not need is 0.
    """

    people: int
    generations: int
    alike: bool
    clues: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class CodeTable:
    """A code on words, known from pairs of a word and its code. Letters are 0 to 25.

    task: letters become letters (0) or numbers (1), or a word becomes one number (2). asked: a word to be written in the code,
    or with `decode` a code whose word is to be found; the slots are what comes of it.
    """

    task: int
    decode: bool
    pairs: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    asked: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PhraseTable:
    """Sentences in a code of words: each word has one code word, 0 to count - 1 on both sides, which stand in any order.

    clues: the words of a sentence and its code words. asked: a word whose code word is the only slot, or with `decode` the other
    way round.
    """

    count: int
    decode: bool
    clues: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    asked: int


@dataclass(frozen=True, slots=True)
class CaseTable:
    """A word to be written letter by letter, but for cases. codes: of the letters. The slots are the code's signs.

    cases: a test, and what is done to the code if it holds; only for the first one that does, unless chained. A test is
    (0, first, last): these letters are vowels (1) or not (0); (1, place, vowel): so is that letter; (2, count, 0): so many vowels
    at least.
    What is done: (0, i, j): two signs exchanged; (1, i, j): place j gets the sign of place i; (2, i, j): both get the special
    sign; (3, 0, 0): all signs backwards.
    """

    codes: tuple[tuple[int, int], ...]
    special: int
    cases: tuple[tuple[tuple[int, int, int], tuple[int, int, int]], ...]
    chained: bool
    word: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SubstitutionTable:
    """Words in a cipher in which each letter stands for another one, no two for the same. The slots are the cipher's letters.

    letters: how many there are. cipher: its words, by letters. clues: (letter, plain letter from 0 for A). band: of the lexicon
    (vocabulary/lexicon.py) that all plain words are in, or `words` are all the words that there are. barred: for each letter a
    mask of plain letters that it cannot stand for, () for none.
    """

    letters: int
    cipher: tuple[tuple[int, ...], ...]
    clues: tuple[tuple[int, int], ...]
    band: str
    words: tuple[str, ...] = ()
    barred: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AcrosticTable:
    """A quotation of so many cells, whose letters (0 is A) are the slots. words: the cells of each of its words, all in the list.

    band: of the lexicon, whose words are the list; listed: the list itself where it is another one. entries: the cells of each
    clued word. lines: what the first letters of these may spell, () for anything. clues: (entry, carriers), or of a cell that is
    shown (entries + cell, its letter).
    """

    cells: int
    words: tuple[tuple[int, ...], ...]
    band: str
    listed: tuple[str, ...]
    entries: tuple[tuple[int, ...], ...]
    lines: tuple[str, ...]
    clues: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class FillTable:
    """Entries of cells that are filled with letters: each holds a word of its list, and words of entries differ.

    cells: slots, with values 0..25; each belongs to one entry, two or three. lists: of each entry, the words that it may hold, in
    capitals and alphabetical order. free: those that it may hold without its clue. letters: (cell, value) of those that are
    shown. of: for each of the puzzle's clues, in their order, the entry that it gives its list, or -1 - (the cell that it shows).
    further: names of rules that state the last entries, one each; their words may be those of other entries.
    """

    cells: int
    entries: tuple[tuple[int, ...], ...]
    lists: tuple[tuple[str, ...], ...]
    free: tuple[tuple[str, ...], ...] = ()
    letters: tuple[tuple[int, int], ...] = ()
    of: tuple[int, ...] = ()
    further: tuple[str, ...] = ()


Table = (
    AcrosticTable
    | LatinTable
    | SightTable
    | LinesTable
    | PositionTable
    | GridTable
    | SeatTable
    | MovesTable
    | RoadsTable
    | DropTable
    | ErasureTable
    | SumsTable
    | MinesTable
    | CipherTable
    | ExclusionTable
    | SeriesTable
    | KinTable
    | CodeTable
    | PhraseTable
    | CaseTable
    | SubstitutionTable
    | FillTable
)


Fact = tuple[int, int]  # (slot, value)
Claim = tuple[Any, ...]  # a kind, and what that kind needs


class Ground(NamedTuple):
    """A fact that a step restates: the slot holds the value, or (with holds = False) it does not.

    For the words only: out, the absences that follow from it, each with how (a unit, or as the deducer says); by, what the step
    found that concluded it, for a value that is ruled out.
    """

    fact: Fact
    holds: bool = True
    out: tuple[tuple[Fact, int], ...] = ()
    by: Any = None


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a human-style deduction. Steps of a trace count from 1.

    technique: its name in solvers/deduce. uses: what it follows from and nothing else: ids of clues, names of rules, and "#3"
        for what step 3 concluded. sets: slots that hold this value. drops: values that these slots do not hold. A step with
        neither concludes that what it uses has no answer.
    found: for the words only: what the technique found (solvers/deduce/steps.py: Found).
    claims: what else it concludes. Of a class of hypotheses (Space.claimed): (kind, part, ...). Of a FORCED question: ("fits",
        slots), those that hold 1 in an arrangement which keeps everything, so that none of the others is forced.
    within: for the words only: the steps from a supposition to a contradiction; they name no steps of each other.
    grounds: the facts that its sentence restates, from which it follows with the rules and the clues that give no cell; None if
        it restates none.
    """

    technique: str
    uses: tuple[str, ...]
    sets: tuple[Fact, ...] = ()
    drops: tuple[Fact, ...] = ()
    within: tuple[Step, ...] = ()
    found: Any = None
    grounds: tuple[Ground, ...] | None = None
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One engine's finding about a constraint puzzle.

    answers: different answers, at most the limit that was asked for. exhausted: there are no others.
    nodes: branching decisions of the engine (its own unit; comparable within one engine only).
    """

    answers: tuple[Slots, ...]
    exhausted: bool
    nodes: int

    def decided(self, limit: int) -> bool:
        """False if a budget ran out before `limit` answers were found or shown not to exist."""
        return self.exhausted or len(self.answers) >= limit


@dataclass(frozen=True, slots=True)
class Common:
    """One engine's finding of what holds in every answer of a constraint puzzle.

    values: per slot the value that all answers share, BLANK where two answers differ; None if there is no answer.
    decided: False if a budget ran out; then values means nothing. nodes: the engine's own unit of effort.
    """

    values: Slots | None
    decided: bool
    nodes: int

    def backbone(self) -> Slots | None:
        """The answer to a FORCED question: 1 for slots that hold 1 in every answer, else 0; None if there is no answer."""
        return None if self.values is None else tuple([int(value == 1) for value in self.values])


@dataclass(frozen=True, slots=True)
class Route:
    """One engine's finding about a move graph: the length (or cost) of a shortest route, None if there is none.

    decided: False if a budget ran out; then length means nothing. moves: one shortest route where the engine keeps it.
    generated: of a plain search, the states that it put in its queue, the start included; one counts again each time that a
        better way to it was found.
    """

    length: int | None
    decided: bool
    nodes: int
    moves: tuple[Move, ...] | None = None
    generated: int | None = None
