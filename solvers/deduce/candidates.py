"""Candidates of a Latin grid in the course of a deduction, and why those that are gone are gone.

A *candidate* (cell, value) is open until it is dropped; a value is *held* by a cell when a clue or a step has placed it. For
every candidate that is gone there is a reason: a value held by its own cell, a value held by a cell that it conflicts with
(through a rule), or the step that dropped it. Where an absence has several reasons, a step names the ones that serve most of its
absences, clues before steps, and restates the facts behind them.
"""

from __future__ import annotations

from functools import lru_cache

from puzzlemill.core.model import BLANK, Fact, Ground
from puzzlemill.solvers.deduce.masks import bits, mask_of, union

NO_VALUE, NO_PLACE, TOO_LITTLE = range(3)  # what fails

Failure = tuple[int, ...]

# how a value rules another out, if not through a unit; FILLED: the other's cell holds a value besides
ITSELF, NEIGHBOUR, FILLED = -1, -2, -3


# ---- geometry -----------------------------------------------------------------------------------------------------------


class Geometry:
    """Facts of a table without its clues. Units are kept with the table's first, since people look there first.

    Masks of cells are integers with a bit for each cell, masks of rules with a bit for each of `rules`.
    """

    def __init__(self, n: int, units: tuple[tuple[int, ...], ...], labels: tuple[str, ...], apart: bool, weighed: bool) -> None:
        rows = [tuple(range(n * r, n * r + n)) for r in range(n)]
        columns = [tuple(range(c, n * n, n)) for c in range(n)]
        self.n, self.cells, self.apart = n, n * n, apart
        self.further = len(units)
        self.units: list[tuple[int, ...]] = [*units, *rows, *columns]
        names = [*labels, *["row"] * n, *["column"] * n]
        self.rules = list(dict.fromkeys(["row", "column", *labels]))
        self.nonconsecutive = 1 << len(self.rules) if apart else 0
        self.rules += ["nonconsecutive"] if apart else []
        self.max_box = 1 << len(self.rules) if weighed else 0
        self.rules += ["max_box"] if weighed else []
        self.rule = [1 << self.rules.index(name) for name in names]
        self.masks = [mask_of(unit) for unit in self.units]
        self.units_of: list[list[int]] = [[] for _ in range(n * n)]
        for u, unit in enumerate(self.units):
            for i in unit:
                self.units_of[i].append(u)
        self.memberships = [mask_of(of) for of in self.units_of]
        self.peers = [union([self.masks[u] for u in of]) & ~(1 << i) for i, of in enumerate(self.units_of)]
        self.beside: list[int] = [0] * (n * n)
        if apart:
            for i in range(n * n):
                near = [i - 1] * (i % n > 0) + [i + 1] * (i % n < n - 1) + [i - n] * (i >= n) + [i + n] * (i < n * n - n)
                self.beside[i] = mask_of(near)
        self._shared: dict[int, int] = {}
        # whether two cells can be peers of a third through different units that both leave the unit of the two
        self.crossed = apart or any(not _is_block(unit, n) for unit in units)

    def named(self, u: int) -> int:
        """The number of a unit in findings: rows, columns, then the table's."""
        return u - self.further if u >= self.further else u + 2 * self.n

    def shared(self, i: int, j: int) -> int:
        """The rules of the units that two cells share."""
        both = self.memberships[i] & self.memberships[j]
        rules = self._shared.get(both)
        if rules is None:
            rules = self._shared[both] = union([self.rule[u] for u in bits(both)])
        return rules

    def conflict(self, i: int, v: int, j: int, w: int) -> int:
        """The rules by which two candidates in different cells exclude each other; 0 if they do not."""
        if v == w:
            return self.shared(i, j)
        return self.nonconsecutive if abs(v - w) == 1 and self.beside[i] >> j & 1 else 0


def _is_block(unit: tuple[int, ...], n: int) -> bool:
    """Return whether the cells fill a rectangle: then a row or column that it does not fill meets it in one line."""
    rows, columns = {i // n for i in unit}, {i % n for i in unit}
    return len(rows) * len(columns) == len(unit)


geometry = lru_cache(maxsize=32)(Geometry)


# ---- the grid in the course of a deduction --------------------------------------------------------------------------------


class State:
    """Candidates, held values and the reasons of what is gone.

    Sources are numbered in order of time: clues by their position, then steps, then the cells of a look-ahead.
    """

    __slots__ = (
        "at",
        "candidates",
        "dead",
        "dirty",
        "dropped",
        "g",
        "held",
        "kept",
        "lone",
        "missing",
        "news",
        "open",
        "source",
        "where",
    )

    def __init__(self, g: Geometry) -> None:
        self.g = g
        self.candidates = [(1 << g.n) - 1] * g.cells
        self.where = [(1 << g.cells) - 1] * g.n  # cells that have the value as a candidate or hold it
        self.at = [0] * g.n  # cells that hold the value
        self.missing = [(1 << g.n) - 1] * len(g.units)  # values that no cell of the unit holds
        self.held = [BLANK] * g.cells
        self.source = [BLANK] * g.cells
        self.open = (1 << g.cells) - 1
        self.dropped: dict[int, int] = {}  # cell * n + value: the step that dropped it
        self.kept = 0  # sources before this one are told, whether a step leans on them or not
        self.dirty = (1 << len(g.units)) - 1  # units to look at for singles
        self.news = [(1 << g.n) - 1] * len(g.units)  # values to look at there
        self.lone: list[int] = []  # cells that were left with one candidate
        self.dead = BLANK  # a cell without candidates

    def copy(self) -> State:
        """A copy for a look-ahead, which places values and drops nothing by steps."""
        other = State.__new__(State)
        other.g, other.dropped, other.open, other.dirty, other.dead = self.g, self.dropped, self.open, self.dirty, self.dead
        other.candidates, other.where, other.at = self.candidates[:], self.where[:], self.at[:]
        other.missing, other.held, other.source = self.missing[:], self.held[:], self.source[:]
        other.lone, other.news, other.kept = self.lone[:], self.news[:], self.kept
        return other

    def strike(self, i: int, bit: int) -> None:
        """Take a candidate from a cell; `where` is the caller's."""
        left = self.candidates[i] & ~bit
        self.candidates[i] = left
        self.dirty |= self.g.memberships[i]
        news = self.news
        for u in self.g.units_of[i]:
            news[u] |= bit
        if not left & (left - 1):
            if left:
                self.lone.append(i)
            elif self.dead == BLANK:
                self.dead = i

    def place(self, i: int, v: int, source: int) -> None:
        """Put one of its candidates into a cell, and take what that excludes from the others."""
        g, where = self.g, self.where
        bit, here = 1 << v, 1 << i
        others = self.candidates[i] ^ bit
        for w in bits(others):
            where[w] ^= here
        self.candidates[i] = bit
        self.held[i], self.source[i] = v, source
        self.open ^= here
        self.at[v] |= here
        self.dirty |= g.memberships[i]
        for u in g.units_of[i]:
            self.missing[u] &= ~bit
            self.news[u] |= others
        gone = where[v] & g.peers[i]
        where[v] ^= gone
        for j in bits(gone):
            self.strike(j, bit)
        if g.apart:
            for w in (v - 1, v + 1):
                if 0 <= w < g.n:
                    gone = where[w] & g.beside[i]
                    where[w] ^= gone
                    for j in bits(gone):
                        self.strike(j, 1 << w)

    def drop(self, i: int, v: int, source: int) -> None:
        self.dropped[i * self.g.n + v] = source
        self.where[v] &= ~(1 << i)
        self.strike(i, 1 << v)

    def single(self) -> tuple[str, int, int, int] | tuple[str, int, int]:
        """The next placement: (technique, cell, value, unit), or ("", 0, 0) for nothing; ("contradiction", kind, ...)."""
        if self.dead != BLANK:
            return "contradiction", NO_VALUE, self.dead
        masks, where, news = self.g.masks, self.where, self.news
        while self.dirty:
            low = self.dirty & -self.dirty
            u = low.bit_length() - 1
            mask = masks[u]
            values = news[u] & self.missing[u]
            while values:
                bit = values & -values
                v = bit.bit_length() - 1
                places = where[v] & mask
                if not places & (places - 1):
                    news[u] = values
                    if not places:
                        return "contradiction", NO_PLACE, u, v
                    blanks = self.open & mask
                    return "hidden_single" if blanks & (blanks - 1) else "full_line", places.bit_length() - 1, v, u
                values ^= bit
            news[u] = 0
            self.dirty ^= low
        for at, i in enumerate(self.lone):
            if self.held[i] == BLANK:
                del self.lone[:at]
                return "naked_single", i, self.candidates[i].bit_length() - 1, BLANK
        self.lone.clear()
        return "", 0, 0

    def singles(self) -> list[tuple[int, int, int]] | Failure:
        """All placements that have come up since the last look: (cell, value, unit; BLANK for a naked single); or what fails."""
        if self.dead != BLANK:
            return NO_VALUE, self.dead
        masks, where, news = self.g.masks, self.where, self.news
        found = []
        while self.dirty:
            low = self.dirty & -self.dirty
            u = low.bit_length() - 1
            mask = masks[u]
            values = news[u] & self.missing[u]
            while values:
                bit = values & -values
                v = bit.bit_length() - 1
                places = where[v] & mask
                if not places & (places - 1):
                    if not places:
                        return NO_PLACE, u, v
                    found.append((places.bit_length() - 1, v, u))
                values ^= bit
            news[u] = 0
            self.dirty ^= low
        found += [(i, self.candidates[i].bit_length() - 1, BLANK) for i in self.lone if self.held[i] == BLANK]
        self.lone.clear()
        return found

    def locked(self) -> tuple[int, int, int, int] | None:
        """A value, a unit that has it only where it crosses another, that other, and the rest of it that has the value so far."""
        g = self.g
        for v in range(g.n):
            where = self.where[v] & self.open
            if not where:
                continue
            for u, missing in enumerate(self.missing):
                if missing >> v & 1:
                    places = where & g.masks[u]
                    for other in g.units_of[(places & -places).bit_length() - 1]:
                        if other != u and not places & ~g.masks[other]:
                            losers = where & g.masks[other] & ~g.masks[u]
                            if losers:
                                return v, u, other, losers
        return None

    def reasons(self, i: int, v: int, before: int) -> list[tuple[int, int, int]]:
        """Reasons why the cell does not have the value: (source, rules through which it reaches; 0 if it is about this cell, the
        cell that holds the value in its way; BLANK if a step has dropped it).
        """
        g = self.g
        found = []
        if self.held[i] != BLANK and self.source[i] < before:
            found.append((self.source[i], 0, i))
        step = self.dropped.get(i * g.n + v)
        if step is not None and step < before:
            found.append((step, 0, BLANK))
        for j in bits(self.at[v] & g.peers[i]):
            if self.source[j] < before:
                found.append((self.source[j], g.shared(i, j), j))
        if g.apart:
            for w in (v - 1, v + 1):
                if 0 <= w < g.n:
                    for j in bits(self.at[w] & g.beside[i]):
                        if self.source[j] < before:
                            found.append((self.source[j], g.nonconsecutive, j))
        return found


class Uses:
    """Reasons of a step, gathered and then settled to few sources and few rules."""

    def __init__(self, state: State, before: int) -> None:
        self.state, self.before = state, before
        self.sources: set[int] = set()
        self.rules = 0
        self.preferred: set[int] = set()  # sources that are used anyway
        self.choices: list[int] = []  # of each of these masks of rules one will do
        self.restated: list[tuple[int, Ground]] = []  # when settled: the facts that serve, each with its source
        self._held: dict[tuple[int, Fact], list[tuple[Fact, int]]] = {}  # sources and facts used as such, and what they rule out
        self._absent: dict[int, list[tuple[int, int, int]]] = {}

    def held(self, i: int) -> None:
        """The cell holds its value."""
        self.given(i, self.state.held[i], self.state.source[i])

    def given(self, i: int, v: int, source: int) -> None:
        """The source puts this value into this cell."""
        self.sources.add(source)
        self._held[source, (i, v)] = []

    def absent(self, i: int, v: int) -> None:
        """The cell does not have the value."""
        key = i * self.state.g.n + v
        if key not in self._absent:
            self._absent[key] = self.state.reasons(i, v, self.before)

    def only(self, i: int, values: int) -> None:
        """The cell has none but these values."""
        for v in bits(~values & (1 << self.state.g.n) - 1):
            self.absent(i, v)

    def within(self, u: int, v: int, cells: int) -> None:
        """In this unit the value has its place in these cells, and it has one."""
        g = self.state.g
        self.rules |= g.rule[u]
        for i in bits(g.masks[u] & ~cells):
            self.absent(i, v)

    def conflict(self, i: int, v: int, j: int, w: int) -> None:
        """The two candidates exclude each other."""
        if i != j:
            self.choices.append(self.state.g.conflict(i, v, j, w))

    def absences(self) -> list[tuple[tuple[int, int], list[int]]]:
        """Absences gathered so far: (cell, value) and the sources of its reasons."""
        n = self.state.g.n
        return [((key // n, key % n), [reason[0] for reason in reasons]) for key, reasons in self._absent.items()]

    def settle(self) -> None:
        """Choose a reason for every absence: those without choice, then what serves most, values rather than absences, then the
        earliest; in the end leave out what is not needed.
        """
        pending = []
        named = set(self.sources)
        steps = {reason[0] for reasons in self._absent.values() for reason in reasons if reason[2] == BLANK}
        for reasons in self._absent.values():
            if len(reasons) == 1:
                self.sources.add(reasons[0][0])
        for reasons in self._absent.values():
            if self.sources.isdisjoint([reason[0] for reason in reasons]):
                pending.append({reason[0] for reason in reasons})
        while pending:
            served: dict[int, int] = {}
            for sources in pending:
                for source in sources:
                    served[source] = served.get(source, 0) + 1
            best = min(served, key=lambda source: (source not in self.preferred, -served[source], source in steps, source))
            self.sources.add(best)
            pending = [sources for sources in pending if best not in sources]
        for source in sorted(self.sources - named, key=lambda source: (source not in steps, -source)):
            fewer = self.sources - {source}
            if not any(fewer.isdisjoint([reason[0] for reason in reasons]) for reasons in self._absent.values()):
                self.sources = fewer
        choices = self.choices
        for reasons in self._absent.values():
            usable = [rules for source, rules, _ in reasons if source in self.sources]
            if 0 not in usable:
                choices.append(union(usable))
        for rules in choices:
            if not rules & (rules - 1):
                self.rules |= rules
        for rules in choices:
            if not rules & self.rules:
                self.rules |= rules & -rules
        self._restate()
        self._absent, self._held, self.choices = {}, {}, []

    def _restate(self) -> None:
        """Give every absence one of the facts of its reasons that are used; facts that serve already first."""
        g, held = self.state.g, self.state.held
        facts = self._held
        dropped: list[tuple[int, Fact]] = []
        several = []
        for key, reasons in self._absent.items():
            absent = divmod(key, g.n)
            usable = [each for each in reasons if each[0] in self.sources and (not each[1] or each[1] & self.rules)]
            if len(usable) > 1:
                several.append((absent, usable))
            elif usable[0][2] == BLANK:
                dropped.append((usable[0][0], absent))
            else:
                source, _, j = usable[0]
                facts.setdefault((source, (j, held[j])), []).append((absent, self._way(absent, j)))
        for absent, usable in several:
            source, _, j = min(usable, key=lambda each: ((each[0], (each[2], held[each[2]])) not in facts, each[2] == BLANK))
            if j == BLANK:
                dropped.append((source, absent))
            else:
                facts.setdefault((source, (j, held[j])), []).append((absent, self._way(absent, j)))
        restated = [(source, Ground(fact, True, tuple(out))) for (source, fact), out in facts.items()]
        restated += [(source, Ground(absent, False)) for source, absent in dropped]
        self.restated = sorted([*self.restated, *restated], key=lambda each: each[0])

    def _way(self, absent: Fact, j: int) -> int:
        """How a value held by this cell rules the absent one out: a unit of a rule in use, or ITSELF, or NEIGHBOUR."""
        g, (i, v) = self.state.g, absent
        if i == j:
            return ITSELF
        if v != self.state.held[j]:
            return NEIGHBOUR
        source = self.state.source[i]
        if self.state.held[i] != BLANK and source < self.before and (source < self.state.kept or source in self.sources):
            return FILLED
        return g.named(next(u for u in bits(g.memberships[i] & g.memberships[j]) if g.rule[u] & self.rules))
