"""From a family's constraints to clauses: one list of clauses per puzzle, each with the label of the clue or rule it states.

The rules' part depends on spec and board only and is kept for the next puzzle of the same kind; nothing of an earlier puzzle's
clues stays.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, compress, product
from typing import Any

import numpy as np
from pysat.card import CardEnc, EncType

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Cardinality, Constraints, Graph, Heavier, Slots, Space, Terms
from puzzlemill.core.types import AnyPuzzle, Clue, Spec

Clause = tuple[int, ...]  # not a list: the garbage collector looks at each list again and again, and large grids have 124,000
LabelledClause = tuple[Clause, str]


@contextmanager
def _uncollected() -> Iterator[None]:
    """While many clauses are made, which all stay, spare the garbage collector's looking at them again and again."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


@dataclass(frozen=True, slots=True)
class Lowered:
    """rules: the rules' clauses; plain: the same without labels; clues: the clues' clauses; top: the highest variable.

    pairs: those of `plain` that have two literals, int32 [m, 2]; others: the rest of `plain`. also, spare: as in the model.
    """

    key: tuple[tuple[int, ...], ...]
    rules: tuple[LabelledClause, ...]
    plain: list[Clause]
    clues: tuple[LabelledClause, ...]
    top: int
    pairs: Any
    others: list[Clause]
    also: tuple[tuple[int, ...], ...] = ()
    spare: tuple[str, ...] = ()

    def all_clauses(self) -> list[Clause]:
        return [*self.plain, *(clause for clause, _ in self.clues)]

    @_uncollected()
    def narrowed(self) -> list[Clause]:
        """Clauses with exactly the models of all_clauses(): what clues set outright is followed one step.

        Where a clue is a single literal, literals that stand with its opposite in a clause of two are true as well; clauses that
        hold by these are left out, and literals that are false by them are left out of longer clauses. What is known is stated
        literal by literal. Of a 16x16 sudoku with 102 givens one clause in twenty is left.
        """
        clues = [clause for clause, _ in self.clues]
        units = [clause[0] for clause in clues if len(clause) == 1]
        if not units:
            return self.all_clauses()
        state = np.zeros(2 * self.top + 1, dtype=np.int8)  # of literal lit at top + lit: 1 true, -1 false, 0 open

        def know(lits: Any) -> None:
            state[self.top + lits] = 1
            state[self.top - lits] = -1

        first = np.array(units, dtype=np.int32)
        know(first)
        then = np.unique(self.pairs[state[self.top + self.pairs[:, ::-1]] == -1])
        known = np.unique(np.concatenate([first, then]))
        if np.isin(known, -known).any():
            return self.all_clauses()  # a contradiction, which is for the solver to find
        know(then)
        left = self.pairs[(state[self.top + self.pairs] != 1).all(axis=1)]
        clauses: list[Clause] = list(zip(left[:, 0].tolist(), left[:, 1].tolist(), strict=True))
        true = set(known.tolist())
        for clause, falsified in (*self._open(state), *[(clause, True) for clause in clues if true.isdisjoint(clause)]):
            clauses.append(tuple([lit for lit in clause if -lit not in true]) if falsified else clause)
        # the last clause says nothing, but lets a solver know how many variables there are
        return [*clauses, *[(lit,) for lit in sorted(true)], (self.top, -self.top)]

    def _open(self, state: Any) -> Iterator[tuple[Clause, bool]]:
        """Those of `others` in which no literal is true, each with whether one is false. state: of literals, as in narrowed()."""
        sizes = np.fromiter(map(len, self.others), dtype=np.int64, count=len(self.others))
        values = state[self.top + _flat(self.others)]
        place = np.repeat(np.arange(len(sizes)), sizes)
        holds, falsified = np.zeros((2, len(sizes)), dtype=bool)
        holds[place[values == 1]] = True
        falsified[place[values == -1]] = True
        for i in np.flatnonzero(~holds).tolist():
            yield self.others[i], bool(falsified[i])

    def read(self, true: set[int]) -> Slots:
        """Slot values of a model, given as the set of its true literals.

        A variable that no clause names need not be among them: it may have either value, and the slot gets the first.
        """
        return tuple(next((v for v, lit in enumerate(lits) if lit in true), 0) for lits in self.key)


_LARGE = 4_000  # literals times bound


def _clauses(m: Constraints, top: int) -> tuple[list[LabelledClause], int]:
    """Clauses for what m states, and the highest variable that they use; auxiliaries are numbered from top + 1."""
    out: list[LabelledClause] = list(m.clauses)
    for card in m.cardinalities:
        if card.bound < 0:
            out.append(((), card.label))
        elif card.bound < len(card.lits) and card.plain:
            out += [(tuple([-lit for lit in some]), card.label) for some in combinations(card.lits, card.bound + 1)]
        elif card.bound < len(card.lits):
            large = card.bound * len(card.lits) > _LARGE  # where a counter takes too many clauses for any engine
            way = EncType.kmtotalizer if large else EncType.seqcounter
            encoded = CardEnc.atmost(list(card.lits), bound=card.bound, top_id=top, encoding=way)
            top = max(top, encoded.nv)
            out += [(tuple(clause), card.label) for clause in encoded.clauses]
    if m.weighings:
        scales = _Scales(out, top)
        for weighing in m.weighings:
            scales.heavier(weighing)
        top = scales.top
    return out, top


Bits = tuple[int, ...]  # of a number, the lowest first: the literal that is true if the bit is set, 0 where it never is


class _Scales:
    """Sums of weights as binary numbers, and what is heavier.

    A group becomes the number that its true literal weighs; the groups of a side are added column by column with full adders
    (a Wallace tree: C. S. Wallace, "A Suggestion for a Fast Multiplier", 1964), and each side is added once however often it is
    compared. These clauses only define sums and hold always; what one comparison states is one clause with its label.
    """

    def __init__(self, out: list[LabelledClause], top: int) -> None:
        self.out, self.top = out, top
        self._sums: dict[tuple[Terms, ...], Bits] = {}

    def heavier(self, weighing: Heavier) -> None:
        left, right = self._sum(weighing.left), self._sum(weighing.right)
        above = 0  # as far as the bits below say: true only if left is greater
        for place in range(max(len(left), len(right))):
            a, b = (bits[place] if place < len(bits) else 0 for bits in (left, right))
            above = self._above(a, b, above)
        self.out.append(((above,) if above else (), weighing.label))

    def _above(self, a: int, b: int, below: int) -> int:
        """A literal that implies: a is set and b is not, or they are equal and `below`. 0 is never true."""
        if not a and (not b or not below):
            return below
        if not b and not below:
            return a
        here = self._new()
        if not a:
            self._define([-here, -b], [-here, below])
        elif not b:
            self._define([-here, a, below])
        elif not below:
            self._define([-here, a], [-here, -b])
        else:
            self._define([-here, a, -b], [-here, a, below], [-here, -b, below])
        return here

    def _sum(self, groups: tuple[Terms, ...]) -> Bits:
        if groups not in self._sums:
            self._sums[groups] = self._added([self._weight(group) for group in groups])
        return self._sums[groups]

    def _weight(self, group: Terms) -> Bits:
        """The weight of a group's true literal."""
        bits = []
        for place in range(max([weight for _, weight in group], default=0).bit_length()):
            if any(weight >> place & 1 for _, weight in group):
                bit = self._new()
                self._define(*[[-lit, bit if weight >> place & 1 else -bit] for lit, weight in group])
                bits.append(bit)
            else:
                bits.append(0)
        return tuple(bits)

    def _added(self, numbers: list[Bits]) -> Bits:
        columns: list[list[int]] = []
        for bits in numbers:
            for place, bit in enumerate(bits):
                _column(columns, place).extend([bit] if bit else [])
        result = []
        place = 0
        while place < len(columns):
            column = columns[place]
            while len(column) > 1:
                addends = [column.pop(0) for _ in range(min(3, len(column)))]
                total, carry = self._new(), self._new()
                self._add(addends, total, carry)
                column.append(total)
                _column(columns, place + 1).append(carry)
            result.append(column[0] if column else 0)
            place += 1
        return tuple(result)

    def _add(self, addends: list[int], total: int, carry: int) -> None:
        """total is the addends' parity, carry says that two or more of these two or three are true."""
        for signs in product((1, -1), repeat=len(addends)):
            true = signs.count(1)
            not_so = [-sign * lit for sign, lit in zip(signs, addends, strict=True)]
            self._define([*not_so, total if true % 2 else -total])
        for a, b in combinations(addends, 2):
            self._define([-a, -b, carry])
            if len(addends) == 3:
                self._define([a, b, -carry])
        if len(addends) == 2:
            self._define([addends[0], -carry], [addends[1], -carry])

    def _new(self) -> int:
        self.top += 1
        return self.top

    def _define(self, *clauses: list[int]) -> None:
        self.out.extend([(tuple(clause), "") for clause in clauses])


def _column(columns: list[list[int]], place: int) -> list[int]:
    while len(columns) <= place:
        columns.append([])
    return columns[place]


def rules_of(family: AnyFamily, spec: Spec[Any], board: Any) -> Lowered | None:
    """The clauses of a puzzle without clues; None for families whose model is a move graph or a class of hypotheses."""
    return (_few_rules_of if family.lexical else _rules_of)(family, spec, board)


@_uncollected()
def _lowered_rules(family: AnyFamily, spec: Spec[Any], board: Any) -> Lowered | None:
    m = family.model(spec, board)
    if isinstance(m, Graph | Space):
        return None
    clauses, top = _clauses(m, m.top)
    plain = [clause for clause, _ in clauses]
    sizes = list(map(len, plain))
    pairs = _flat(list(compress(plain, map((2).__eq__, sizes)))).reshape(-1, 2)
    others = list(compress(plain, map((2).__ne__, sizes)))
    return Lowered(tuple(m.key), tuple(clauses), plain, (), top, pairs, others, tuple(m.also), m.spare)


def _flat(clauses: Sequence[Clause]) -> Any:
    return np.fromiter(chain.from_iterable(clauses), dtype=np.int32)


_rules_of = lru_cache(maxsize=16)(_lowered_rules)  # those of a large grid fill some ten megabytes
_few_rules_of = lru_cache(maxsize=1)(_lowered_rules)  # of boards that no other puzzle has, with a whole lexicon in their rules


def lower(family: AnyFamily, puzzle: AnyPuzzle) -> Lowered | None:
    """The puzzle as clauses; None for families whose model is a move graph or a class of hypotheses."""
    rules = rules_of(family, puzzle.spec, family.rules_board(puzzle.board))
    if rules is None:
        return None
    scratch = Constraints(top=rules.top, key=list(rules.key), also=list(rules.also))
    for clue in puzzle.clues:
        family.clues.state(scratch, puzzle.spec, puzzle.board, clue)
    clues, top = _clauses(scratch, scratch.top)
    return replace(rules, clues=tuple(clues), top=top, also=tuple(scratch.also))


Stated = tuple[
    str, tuple[Any, ...], Any
]  # kind and arguments of a clue, and the board if rules_board() leaves out what clues read


def stated(family: AnyFamily, puzzle: AnyPuzzle) -> list[Stated]:
    """What each clue states among puzzles of one spec and rules_board(): equal ones state the same."""
    board = puzzle.board
    more = None if family.rules_board(board) == board else board
    return [(clue.kind, clue.args, more) for clue in puzzle.clues]


def of_clue(family: AnyFamily, puzzle: AnyPuzzle, clue: Clue, rules: Lowered) -> tuple[list[Clause], int]:
    """The clauses of one clue, and the highest variable: variables of its own are numbered from rules.top + 1."""
    scratch = Constraints(top=rules.top, key=list(rules.key), also=list(rules.also))
    family.clues.state(scratch, puzzle.spec, puzzle.board, clue)
    clauses, top = _clauses(scratch, scratch.top)
    return [clause for clause, _ in clauses], top


Count = tuple[tuple[int, ...], int]  # literals, and how many of them are true at most


@dataclass(frozen=True, slots=True)
class Counted:
    """A puzzle as clauses and counts, for solvers that take counts as they are. Slot s is variable s + 1; there are no others.

    key: as in the model. Besides what is stated, `counts` has what is left of an equation when others within it, which have no
    literal in common, are taken away from it: of all mines, those that are in none of some numbers' reach. It follows from the
    rest, but a solver that only counts would need a great many steps to find it.
    """

    key: tuple[tuple[int, ...], ...]
    clauses: tuple[Clause, ...]
    counts: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class _Said:
    """The constraints of the rules, or of one clue. sums: (variables as bits, how many of them are true) where stated exactly."""

    clauses: tuple[Clause, ...]
    counts: tuple[Count, ...]
    sums: tuple[tuple[int, int], ...]


def _said(clauses: Sequence[LabelledClause], cards: Sequence[Cardinality]) -> _Said:
    most: dict[tuple[int, ...], int] = {}
    for card in cards:
        most[card.lits] = min(card.bound, most.get(card.lits, card.bound))
    sums = []
    for lits, bound in most.items():
        if lits and min(lits) > 0 and most.get(tuple([-lit for lit in lits])) == len(lits) - bound:
            sums.append((sum([1 << lit for lit in lits]), bound))
    counts = [(lits, bound) for lits, bound in most.items() if 0 <= bound < len(lits)]
    impossible: list[Clause] = [()] if any(bound < 0 for bound in most.values()) else []
    return _Said((*[clause for clause, _ in clauses], *impossible), tuple(counts), tuple(sums))


_REMEMBERED = 4096  # clues of one spec and board, of which is remembered what they state


@lru_cache(maxsize=16)
def _countable(family: AnyFamily, spec: Spec[Any], board: Any) -> tuple[Constraints, _Said, dict[Stated, _Said]] | None:
    """Constraints of the rules, and of clues as they come; None where a solver that counts has no use for it."""
    m = family.model(spec, board)
    if not isinstance(m, Constraints) or m.weighings or m.top != len(m.key) or not m.key:
        return None
    if any(lits != (-slot, slot) for slot, lits in enumerate(m.key, 1)):
        return None
    return m, _said(m.clauses, m.cardinalities), {}


def counted(family: AnyFamily, puzzle: AnyPuzzle) -> Counted | None:
    """The puzzle as clauses and counts; None if it is of another form."""
    found = _countable(family, puzzle.spec, family.rules_board(puzzle.board))
    if found is None:
        return None
    m, rules, remembered = found
    together = []
    for place, clue in zip(stated(family, puzzle), puzzle.clues, strict=True):
        said = remembered.get(place)
        if said is None:
            scratch = Constraints(top=m.top, key=m.key)
            family.clues.state(scratch, puzzle.spec, puzzle.board, clue)
            if scratch.top != m.top or scratch.weighings:
                return None  # it has variables of its own
            said = _said(scratch.clauses, scratch.cardinalities)
            if len(remembered) < _REMEMBERED:
                remembered[place] = said
        together.append(said)
    clauses = list(rules.clauses)
    counts = list(rules.counts)
    for said in together:
        clauses += said.clauses
        counts += said.counts
    for scope, total in rules.sums:
        rest = _rest(scope, total, clauses, [each for said in together for each in said.sums])
        counts += rest
    return Counted(tuple(m.key), tuple(clauses), tuple(counts))


def _rest(scope: int, total: int, clauses: Sequence[Clause], sums: Sequence[tuple[int, int]]) -> list[Count]:
    """The rest of a sum when others are taken away, those of most open literals first, as long as they do not overlap."""
    false = true = 0
    for clause in clauses:
        if len(clause) == 1:
            if clause[0] < 0:
                false |= 1 << -clause[0]
            else:
                true |= 1 << clause[0]
    known = false | true
    left, bound = scope & ~known, total - (scope & true).bit_count()
    parts = [(mask & ~known, count - (mask & true).bit_count()) for mask, count in sums]
    for mask, count in sorted(parts, key=lambda part: -part[0].bit_count()):
        if mask and mask & left == mask:
            left ^= mask
            bound -= count
    lits = tuple([lit for lit in range(1, left.bit_length()) if left >> lit & 1])
    if not 0 <= bound <= len(lits):
        return []  # a contradiction, which is for the solver to find
    return [(lits, bound), (tuple([-lit for lit in lits]), len(lits) - bound)] if lits else []


def dimacs(clauses: Sequence[Sequence[int]], top: int) -> str:
    """DIMACS CNF text."""
    lines = [f"p cnf {top} {len(clauses)}"]
    lines += [" ".join(map(str, clause)) + " 0" for clause in clauses]
    return "\n".join(lines) + "\n"
