"""Deduction in Latin grids (LatinTable): the techniques that people know from sudoku, on rows, columns and all further units.

What they find is in latin_findings.py. A step uses the reasons of all absences that it leans on (candidates.py), and the rules
that it applies. Everything is counted, nothing is timed: chains and look-aheads end when their count is spent, and "search" takes
over.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from puzzlemill.core.model import BLANK, Fact, Ground, LatinTable, Slots, Step
from puzzlemill.core.words import Words
from puzzlemill.solvers.deduce import latin_findings as findings
from puzzlemill.solvers.deduce.board import Board
from puzzlemill.solvers.deduce.candidates import FILLED, NO_PLACE, NO_VALUE, TOO_LITTLE, Failure, State, Uses, geometry
from puzzlemill.solvers.deduce.masks import bits, mask_of, union
from puzzlemill.solvers.deduce.steps import Found

TECHNIQUES = findings.TECHNIQUES
MEDIUM, HARD = 2, 5

LINKS = 10  # strong links of a chain at most
CHAIN_NODES = 400_000  # candidates that chains may reach in one puzzle
ALL_STEPS = 1 << 30  # more than there are sources
LOOK_CELLS = 15_000  # cells that look-aheads may fill in one puzzle; those with locked sets count twice
LOOKS = 6  # refutations of which the shortest is noted
LATELY = 10  # steps for which a candidate that stood a look-ahead is left alone if others fail
SUMS = 9  # open cells of a group whose sums are worked out by candidates

Forced = tuple[str, int, int, int, int]  # technique, cell, value, unit, 0; or "locked_set", other unit, value, unit, losers


def deduce(table: LatinTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The solution of the table as steps; steps whose conclusions nothing needs are left out."""
    return Deduction(table, ids).trace(answer)


def board(table: LatinTable, ids: Sequence[str]) -> Board:
    """The board that finds them; see the package."""
    return Deduction(table, ids)


def explain(words: Words, table: LatinTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return findings.Say(words, table).sentence(step)


# ---- deduction ----------------------------------------------------------------------------------------------------------


class Deduction(Board):
    """One table's deduction. Other tables with Latin lines build on it (sight.py): they add techniques and what can fail."""

    # a look-ahead by singles, and one by more
    LOOKS: tuple[Any, ...] = (findings.LookAhead, findings.LookAhead)
    SEARCH = findings.Search

    def __init__(self, table: LatinTable, ids: Sequence[str]) -> None:
        labels = table.labels
        if len(labels) != len(table.units):
            raise ValueError(f"a table of {len(table.units)} units needs as many labels to name rules, got {len(labels)}")
        self.g = geometry(table.n, table.units, labels, table.apart, bool(table.heaviest))
        super().__init__(ids, self.g.rules, LOOK_CELLS, 0)
        self.table, self.state, self.values = table, State(self.g), table.n
        self.state.kept = len(ids)
        self.chain_nodes = CHAIN_NODES
        self.suspects: list[Fact] = []  # candidates that failed in a look-ahead and were not noted
        self.stood: dict[int, int] = {}  # cell * n + value: when it last stood a look-ahead

    def trace(self, answer: Slots | None) -> list[Step]:
        """The steps, each without the absences that no later step restates."""
        if answer is not None:
            self.state.kept = ALL_STEPS  # each fills a cell that is asked for, or leads to one
        steps = super().trace(answer)
        steps = self._shown(steps)
        used = {ground.fact for step in steps for ground in step.grounds or () if not ground.holds}
        return [replace(step, drops=tuple([fact for fact in step.drops if fact in used]) or step.drops) for step in steps]

    def _shown(self, steps: Sequence[Step]) -> list[Step]:
        """The same steps with cells as filled that clues or earlier steps have filled: nothing else rules a value out there."""
        filled = {i: v for i, v in self.table.clues if i < self.g.cells}
        shown = []
        for step in steps:
            within, known = [], dict(filled)
            for part in step.within:
                within.append(_with_filled(part, known))
                known.update(part.sets)
            shown.append(replace(_with_filled(step, filled), within=tuple(within)))
            filled.update(step.sets)
        return shown

    @property
    def unsolved(self) -> bool:
        return self.state.open > 0

    def put(self, slot: int, value: int, why: str) -> None:
        self.state.place(slot, value, self._now() - 1)

    def drop(self, slot: int, value: int, why: str) -> None:
        self.state.drop(slot, value, self._now() - 1)

    def resume(self, steps: Sequence[Step]) -> None:
        self.begin()
        for step in steps:
            self.steps.append(step)  # put() and drop() name the last one
            for slot, value in step.sets:
                self.put(slot, value, "")
            for slot, value in step.drops:
                self.drop(slot, value, "")

    def rest(self, answer: Slots) -> list[Fact]:
        return [(i, answer[i]) for i in bits(self.state.open)]

    def run(self, top: int) -> None:
        techniques = self._techniques()
        self._singles()
        while self.state.open and any(technique() for technique in techniques):
            self._singles()

    def _techniques(self) -> list[Callable[[], bool]]:
        """The techniques after singles, the easiest first."""
        techniques: list[Callable[[], bool]] = [self._locked_set]
        if self.g.crossed:
            techniques.append(self._common_peer)
        if self.g.apart:
            techniques.append(self._neighbour_values)
        techniques += [self._subset(size, hidden) for size in (2, 3, 4) for hidden in (False, True)]
        if self.table.heaviest:
            techniques += [partial(self._score, kind) for kind in (findings.ScoreBounds, findings.ScoreSums)]
        techniques += [self._fish(2), self._wing(findings.XYWing, 2), self._fish(3), self._wing(findings.XYZWing, 3)]
        return [*techniques, self._w_wing, self._fish(4), self._chain]

    # ---- noting

    def _now(self) -> int:
        """The number, as a source, of the step that comes next."""
        return len(self.ids) + len(self.steps)

    def _uses(self) -> Uses:
        return Uses(self.state, self._now())

    def _note(
        self, found: Found[Any], uses: Uses, sets: Collection[Fact], drops: Collection[Fact], within: Sequence[Step] = ()
    ) -> bool:
        """Add a step with the labels of what it uses, and do what it says."""
        uses.settle()
        return self.note(found, self._labels(uses.sources, uses.rules), sets, drops, within, self._grounds(uses.restated))

    def _grounds(self, restated: Iterable[tuple[int, Ground]]) -> tuple[Ground, ...]:
        """The facts that a step restates, with what the steps found that dropped some of them; each once."""
        first, last = len(self.ids), self._now()
        facts: dict[tuple[Fact, bool], Ground] = {}
        for source, ground in restated:
            if not ground.holds and self._filled(ground.fact[0]):
                ground = ground._replace(by=findings.Filled(self.state.held[ground.fact[0]]))
            elif not ground.holds and first <= source < last:
                ground = ground._replace(by=self.steps[source - first].found)
            facts.setdefault((ground.fact, ground.holds), ground)
        return tuple(facts.values())

    def _filled(self, i: int) -> bool:
        """Return whether the board of a reader who has the steps so far shows a value in this cell."""
        return self.state.held[i] != BLANK and self.state.source[i] < min(self.state.kept, self._now())

    def _labels(self, sources: Iterable[int], rules: int) -> list[str]:
        first = len(self.ids)
        names = [self.ids[source] if source < first else f"#{source - first + 1}" for source in sources]
        return [*names, *[self.g.rules[k] for k in bits(rules)]]

    # ---- tier 1

    def begin(self) -> None:
        for source, (i, v) in enumerate(self.table.clues):
            if self.state.candidates[i] >> v & 1:
                if self.state.held[i] == BLANK:
                    self.state.place(i, v, source)
            else:
                uses = self._uses()
                uses.given(i, v, source)
                uses.absent(i, v)
                self._note(findings.Excluded(i, v), uses, (), ())
                return

    def _singles(self) -> None:
        """Place what has one place or one value until nothing has: what the newest fact gives first, else the easiest to see."""
        g, state = self.g, self.state
        waiting: list[tuple[int, int, int]] = []
        while state.open:
            found = state.singles()
            if isinstance(found, tuple):
                uses = self._uses()
                self._note(self._failed(uses, found), uses, (), ())
                return
            waiting = [single for single in waiting if state.open >> single[0] & 1]
            fresh = [single for single in found if state.open >> single[0] & 1]
            waiting += fresh
            if not waiting:
                return
            i, v, u = min(fresh or waiting, key=self._effort)
            u = next((unit for unit in g.units_of[i] if (state.open & g.masks[unit]).bit_count() == 1), u)
            technique = "naked_single"
            if u != BLANK:
                technique = "hidden_single" if (state.open & g.masks[u]).bit_count() > 1 else "full_line"
            uses = self._uses()
            self._need_single(uses, technique, i, v, u)
            self._note(self._single(technique, u), uses, [(i, v)], ())
        self._check_score()

    def _effort(self, single: tuple[int, int, int]) -> int:
        """How hard a single is to see: by the open cells of its unit; boxes come before lines, and cells by themselves last."""
        g, state = self.g, self.state
        i, _, u = single
        if u == BLANK:
            return 4 + min([(state.open & g.masks[unit]).bit_count() for unit in g.units_of[i]])
        blanks = (state.open & g.masks[u]).bit_count()
        return blanks + (blanks > 1 and u >= g.further)

    def _check_score(self) -> None:
        failure = self._too_little(self.state)
        if failure:
            uses = self._uses()
            self._note(self._failed(uses, failure), uses, (), ())

    def _need_single(self, uses: Uses, technique: str, i: int, v: int, u: int) -> None:
        """Why a value is in a cell: it has no other place in the unit, or without a unit, the cell has no other value."""
        if technique == "full_line":
            uses.rules |= self.g.rule[u]
            for j in self.g.units[u]:
                if j != i:
                    uses.held(j)
        elif technique == "hidden_single":
            uses.within(u, v, 1 << i)
        else:
            uses.only(i, 1 << v)

    def _single(self, technique: str, u: int) -> Found[Any]:
        if u == BLANK:
            return findings.NakedSingle()
        return (findings.FullLine if technique == "full_line" else findings.HiddenSingle)(self.g.named(u))

    def _failed(self, uses: Uses, failure: Failure) -> Found[Any]:
        """The finding of a contradiction; why it is one goes into uses."""
        kind, x = failure[:2]
        if kind == NO_VALUE:
            uses.only(x, 0)
            return findings.NoValue(x)
        if kind == NO_PLACE:
            uses.within(x, failure[2], 0)
            return findings.NoPlace(self.g.named(x), failure[2])
        self._need_bounds(uses, x)
        first, other = [self.table.heaviest[k] for k in (0, x)]
        return findings.TooLittle(x, self._bound(uses.state, first, True), self._bound(uses.state, other, False))

    # ---- tier 2

    def _locked_set(self) -> bool:
        """All places of a value in one unit lie in a second one: the rest of the second does not have it."""
        found = self.state.locked()
        if found is None:
            return False
        v, u, other, losers = found
        uses = self._uses()
        self._need_locked(uses, v, u, other)
        return self._note(findings.LockedSet(v, self.g.named(u), self.g.named(other)), uses, (), [(i, v) for i in bits(losers)])

    def _need_locked(self, uses: Uses, v: int, u: int, other: int) -> None:
        uses.within(u, v, self.g.masks[u] & self.g.masks[other])
        uses.rules |= self.g.rule[other]

    def _common_peer(self) -> bool:
        """A candidate that conflicts with every place of a value in a unit."""
        g, state = self.g, self.state
        for v in range(g.n):
            for u, missing in enumerate(state.missing):
                if not missing >> v & 1:
                    continue
                places = list(bits(state.where[v] & g.masks[u]))
                drops = []
                for w in (v, v - 1, v + 1) if g.apart else (v,):
                    if 0 <= w < g.n:
                        losers = state.where[w] & state.open
                        for i in places:
                            losers &= g.peers[i] if w == v else g.beside[i]
                            if not losers:
                                break
                        drops += [(i, w) for i in bits(losers)]
                if drops:
                    uses = self._uses()
                    uses.within(u, v, mask_of(places))
                    for j, w in drops:
                        for i in places:
                            uses.conflict(i, v, j, w)
                    return self._note(findings.CommonPeer(v, g.named(u)), uses, (), drops)
        return False

    def _neighbour_values(self) -> bool:
        """A candidate that differs by one from all values that the cell next to it can have (or equals one of them)."""
        g, state = self.g, self.state
        for i in bits(state.open):
            own = state.candidates[i]
            if own.bit_count() > 3:
                continue
            drops = []
            for j in bits(g.beside[i] & state.open):
                for w in bits(state.candidates[j]):
                    if not own & ~((0b111 << w) >> 1):
                        drops.append((j, w))
            if drops:
                uses = self._uses()
                uses.only(i, own)
                for j, w in drops:
                    for v in bits(own):
                        uses.conflict(i, v, j, w)
                return self._note(findings.NeighbourValues(i, tuple(bits(own))), uses, (), drops)
        return False

    # ---- tier 3

    def _subset(self, size: int, hidden: bool) -> Callable[[], bool]:
        """As many cells of a unit as values: naked, they have no others; hidden, the values have no other places there."""
        g, state = self.g, self.state

        def naked() -> bool:
            for unit in g.units:
                blanks = [(i, state.candidates[i]) for i in unit if state.open >> i & 1]
                for cells, values in _covers(blanks, size):
                    mask = mask_of(cells)
                    drops: dict[Fact, None] = {}
                    uses = self._uses()
                    within: list[int] = []
                    for other in g.units_of[cells[0]]:
                        if mask & ~g.masks[other]:
                            continue
                        rest = g.masks[other] & state.open & ~mask
                        losers = [(i, v) for i in bits(rest) for v in bits(state.candidates[i] & values)]
                        if not drops.keys() >= set(losers):
                            uses.rules |= g.rule[other]
                            drops.update(dict.fromkeys(losers))
                            within.append(g.named(other))
                    if drops:
                        for i in cells:
                            uses.only(i, values)
                        found = findings.NAKED[size](tuple(within), tuple(cells), tuple(bits(values)))
                        return self._note(found, uses, (), sorted(drops))
            return False

        def hiding() -> bool:
            for u in range(len(g.units)):
                places = [(v, state.where[v] & g.masks[u]) for v in bits(state.missing[u])]
                if len(places) <= size:
                    continue
                for values, cells in _covers(places, size):
                    kept = mask_of(values)
                    drops = [(i, v) for i in bits(cells) for v in bits(state.candidates[i] & ~kept)]
                    if drops:
                        uses = self._uses()
                        for v in values:
                            uses.within(u, v, cells)
                        return self._note(findings.HIDDEN[size](g.named(u), tuple(bits(cells)), tuple(values)), uses, (), drops)
            return False

        return hiding if hidden else naked

    # ---- tier 4

    def _fish(self, size: int) -> Callable[[], bool]:
        """All places of a value in some rows lie in as many columns: these have it nowhere else. Or the other way round."""
        g, state = self.g, self.state
        n = g.n

        def find() -> bool:
            for v in range(n):
                where = state.where[v] & state.open
                if not where:
                    continue
                by_row = [where >> n * r & (1 << n) - 1 for r in range(n)]
                by_column = [0] * n
                for r, columns in enumerate(by_row):
                    for c in bits(columns):
                        by_column[c] |= 1 << r
                for across, lines in enumerate((by_row, by_column)):
                    for base, cover in _covers(list(enumerate(lines)), size):
                        kept = mask_of(base)
                        drops = []
                        for c in bits(cover):
                            for r in bits((by_row if across else by_column)[c] & ~kept):
                                drops.append((n * c + r if across else n * r + c, v))
                        if drops:
                            first = g.further + (n if across else 0)  # the unit of the first of these lines
                            second = g.further + (0 if across else n)
                            cells = union([g.masks[second + c] for c in bits(cover)])
                            uses = self._uses()
                            for r in base:
                                uses.within(first + r, v, cells)
                            uses.rules |= g.rule[second]
                            found = findings.FISH[size](v, bool(across), tuple(base), tuple(bits(cover)))
                            return self._note(found, uses, (), sorted(drops))
            return False

        return find

    def _pairs(self) -> list[tuple[int, int]]:
        """The cells with two candidates, and these."""
        candidates = self.state.candidates
        return [(i, candidates[i]) for i in bits(self.state.open) if candidates[i].bit_count() == 2]

    def _wing(self, kind: type[findings.XYWing], size: int) -> Callable[[], bool]:
        """A cell has a or b (or c: size 3); of two that it sees one has a or c, the other b or c: what sees the ends is not c."""
        g, state = self.g, self.state

        def find() -> bool:
            pairs = self._pairs()
            for i in bits(state.open):
                own = state.candidates[i]
                if own.bit_count() != size:
                    continue
                near = [(j, other) for j, other in pairs if g.peers[i] >> j & 1]
                for k, (j, other) in enumerate(near):
                    for m, third in near[k + 1 :]:
                        value = other & third
                        fits = other != third and value and other ^ third == own & ~value
                        if fits and self._note_wing(kind(i, (j, m), value.bit_length() - 1)):
                            return True
            return False

        return find

    def _note_wing(self, found: findings.XYWing) -> bool:
        g, state = self.g, self.state
        targets = state.where[found.value] & state.open
        for end in found.ends():
            targets &= g.peers[end]
        if not targets:
            return False
        uses = self._uses()
        for i in (found.pivot, *found.pincers):
            uses.only(i, state.candidates[i])
        uses.choices += [g.shared(found.pivot, i) for i in found.pincers]
        uses.choices += [g.shared(i, end) for i in bits(targets) for end in found.ends()]
        return self._note(found, uses, (), [(i, found.value) for i in bits(targets)])

    def _w_wing(self) -> bool:
        """Two cells have a or b, and a unit has a only where one of them sees it and where the other does: one of them is b."""
        g, state = self.g, self.state
        pairs = self._pairs()
        for k, (i, own) in enumerate(pairs):
            for j, other in pairs[k + 1 :]:
                if other != own:
                    continue
                for a in bits(own):
                    b = (own ^ (1 << a)).bit_length() - 1
                    targets = g.peers[i] & g.peers[j] & state.where[b] & state.open
                    if not targets:
                        continue
                    for u, missing in enumerate(state.missing):
                        if not missing >> a & 1:
                            continue
                        places = state.where[a] & g.masks[u]
                        if places.bit_count() != 2 or places & (1 << i | 1 << j):
                            continue
                        low = (places & -places).bit_length() - 1
                        high = places.bit_length() - 1
                        if g.peers[i] >> high & 1 and g.peers[j] >> low & 1:
                            low, high = high, low
                        if not (g.peers[i] >> low & 1 and g.peers[j] >> high & 1):
                            continue
                        uses = self._uses()
                        uses.only(i, own)
                        uses.only(j, own)
                        uses.within(u, a, places)
                        uses.choices += [g.shared(i, low), g.shared(j, high)]
                        for t in bits(targets):
                            uses.choices += [g.shared(t, i), g.shared(t, j)]
                        drops = [(t, b) for t in bits(targets)]
                        return self._note(findings.WWing((i, j), g.named(u), (a, b)), uses, (), drops)
        return False

    # ---- tier 5

    def _chain(self) -> bool:
        """The shortest chain of candidates, one of whose ends is true, that gives anything. Candidates are v * cells + cell."""
        cells = self.g.cells
        weak = self._weak_links()
        strong = self._strong_links()
        if self.chain_nodes <= 0:
            return False
        linked = mask_of(strong)
        on: dict[int, dict[int, int]] = {start: {} for start in strong}  # true candidate: the false one that made it so
        off: dict[int, dict[int, int]] = {start: {start: BLANK} for start in strong}
        seen = {start: 1 << start for start in strong}
        front = {start: [start] for start in strong}
        for _ in range(LINKS):
            for start in strong:
                follow = []
                trues, falses, known = on[start], off[start], seen[start]
                against = weak[start]
                for false in front[start]:
                    for true, _unit in strong[false]:
                        if true in trues:
                            continue
                        trues[true] = false
                        gone = against & weak[true]
                        if gone:
                            facts = [(lit % cells, lit // cells) for lit in bits(gone)]
                            return self._note_chain(start, true, trues, falses, strong, facts)
                        fresh = weak[true] & linked & ~known
                        known |= fresh
                        for lit in bits(fresh):
                            falses[lit] = true
                            follow.append(lit)
                self.chain_nodes -= len(follow)
                seen[start], front[start] = known, follow
            if self.chain_nodes <= 0:
                return False
        return False

    def _weak_links(self) -> dict[int, int]:
        """For every open candidate a mask of those that cannot be true with it."""
        g, state = self.g, self.state
        cells = g.cells
        same = {i: sum([1 << v * cells + i for v in bits(state.candidates[i])]) for i in bits(state.open)}
        weak = {}
        for v in range(g.n):
            where = state.where[v] & state.open
            for i in bits(where):
                lit = v * cells + i
                mask = (g.peers[i] & where) << v * cells | (same[i] ^ 1 << lit)
                if g.apart:
                    for w in (v - 1, v + 1):
                        if 0 <= w < g.n:
                            mask |= (g.beside[i] & state.where[w] & state.open) << w * cells
                weak[lit] = mask
        return weak

    def _strong_links(self) -> dict[int, list[tuple[int, int]]]:
        """For candidates those of which one is true if they are not, with the unit that says so (BLANK for the cell)."""
        g, state = self.g, self.state
        cells = g.cells
        strong: dict[int, list[tuple[int, int]]] = {}

        def link(a: int, b: int, u: int) -> None:
            for x, y in ((a, b), (b, a)):
                partners = strong.setdefault(x, [])
                if all(partner != y for partner, _ in partners):
                    partners.append((y, u))

        for u, missing in enumerate(state.missing):
            for v in bits(missing):
                places = state.where[v] & g.masks[u]
                if places.bit_count() == 2:
                    link(v * cells + (places & -places).bit_length() - 1, v * cells + places.bit_length() - 1, u)
        for i, values in self._pairs():
            link(((values & -values).bit_length() - 1) * cells + i, (values.bit_length() - 1) * cells + i, BLANK)
        return strong

    def _note_chain(
        self,
        start: int,
        end: int,
        trues: dict[int, int],
        falses: dict[int, int],
        strong: dict[int, list[tuple[int, int]]],
        facts: list[Fact],
    ) -> bool:
        cells = self.g.cells
        path = [end]
        while len(path) < 2 or path[-1] != start or len(path) % 2:
            path.append(trues[path[-1]] if len(path) % 2 else falses[path[-1]])
        path.reverse()
        chain = [(lit % cells, lit // cells) for lit in path]
        uses = self._uses()
        in_cells = 0
        for at in range(0, len(path), 2):
            (i, v), (j, w) = chain[at : at + 2]
            u = next(unit for partner, unit in strong[path[at]] if partner == path[at + 1])
            if u == BLANK:
                uses.only(i, 1 << v | 1 << w)
                in_cells += 1
            else:
                uses.within(u, v, 1 << i | 1 << j)
            if at:
                uses.conflict(*chain[at - 1], i, v)
        kind = findings.XYChain if 2 * in_cells == len(path) else findings.Chain
        if len({v for _, v in chain}) == 1:
            kind = findings.XChain
        if start == end:
            return self._note(kind(tuple(chain)), uses, [chain[0]], ())
        for i, v in facts:
            uses.conflict(i, v, *chain[0])
            uses.conflict(i, v, *chain[-1])
        return self._note(kind(tuple(chain)), uses, (), sorted(facts))

    # ---- tier 6

    def look_ahead(self, answer: Slots | None, deepest: bool = True) -> bool:
        """Assume a candidate and place singles, or if none fails so, use locked sets too: where that fails, the candidate goes.

        Noted is the shortest of some. What failed before without being noted comes first, what stood not long ago comes last.
        """
        state, n, now = self.state, self.g.n, self._now()
        found: list[tuple[int, Fact]] = []  # steps to the failure, candidate

        def look(facts: Iterable[Fact], deep: bool) -> None:
            for i, v in facts:
                if len(found) == LOOKS or self.probes[0] >= self.most:
                    return
                trail, failure, _ = self._assume(i, v, deep)
                self.probes[0] += 2 * len(trail) if deep else len(trail)
                if failure:
                    found.append((len(trail), (i, v)))
                else:
                    self.stood[i * n + v] = now

        blanks = sorted(bits(state.open), key=lambda i: (state.candidates[i].bit_count(), i))
        wrong = [(i, v) for i in blanks for v in bits(state.candidates[i]) if answer is None or answer[i] != v]
        suspects = set(self.suspects)
        wrong.sort(key=lambda fact: fact not in suspects)
        early = [fact for fact in wrong if fact in suspects or self.stood.get(fact[0] * n + fact[1], -1) < now - LATELY]
        late = [fact for fact in wrong if fact not in set(early)]
        for facts, deep in ((early, False), (late, False), (wrong, True)):
            look(facts, deep)
            if found:
                break
        else:
            return False
        found.sort()
        fact = found[0][1]
        self.suspects = [other for _, other in found[1:]]
        uses, within = self._refutation(*fact, deep)
        return self._note(self.LOOKS[deep](*fact), uses, (), [fact], within)

    def instead(self, slot: int, value: int) -> Sequence[Fact]:
        """The one other value that is left, so that what is tried leads to a value."""
        left = [(slot, v) for v in bits(self.state.candidates[slot]) if v != value]
        return left if len(left) == 1 else []

    def trial(self, slot: int, value: int) -> tuple[Step, ...] | None:
        if any((self.state.open & mask).bit_count() == 1 for mask in self.g.masks) or not self._assume(slot, value, False)[1]:
            return None  # nobody guesses while a last empty cell can be filled
        uses, within = self._refutation(slot, value, False)
        left, part = self.state.candidates[slot], self._uses()
        part.only(slot, left)
        part.settle()
        uses.settle()
        first = Step("supposition", (), ((slot, value),), found=findings.Supposed())
        sets = tuple([(slot, v) for v in bits(left) if v != value])
        labels = tuple(dict.fromkeys(self._labels(uses.sources | part.sources, uses.rules | part.rules)))
        back = findings.TakenBack(value, self._grounds(part.restated))
        return first, *within, Step("supposition", labels, sets, found=back)

    def _assume(self, i: int, v: int, deep: bool) -> tuple[list[Forced], Failure, State]:
        """The assumption and all that it forces; then what fails, () if nothing does."""
        now = self._now()
        state = self.state.copy()
        if deep:
            state.dropped = dict(state.dropped)
        trail: list[Forced] = [("", i, v, BLANK, 0)]
        state.place(i, v, now)
        while True:
            found = state.single()
            if found[0] == "contradiction":
                return trail, tuple(found[1:]), state
            if len(found) == 4:
                technique, j, w, u = found
                state.place(j, w, now + len(trail))
                trail.append((technique, j, w, u, 0))
                continue
            failure, forced, drops = self._beyond(state, deep)
            if forced is None:
                return trail, failure, state
            for j, w in drops:
                state.drop(j, w, now + len(trail))
            trail.append(forced)

    def _beyond(self, state: State, deep: bool) -> tuple[Failure, Forced | None, list[Fact]]:
        """The failure where no single is left, or else what is forced and what that drops; None if nothing is."""
        failure = self._too_little(state)
        locked = state.locked() if deep and not failure else None
        if locked is None:
            return failure, None, []
        v, u, other, losers = locked
        return (), ("locked_set", other, v, u, losers), [(j, v) for j in bits(losers)]

    def _refutation(self, i: int, v: int, deep: bool) -> tuple[Uses, list[Step]]:
        """The reasons of an assumption's failure, and the steps to it."""
        now = self._now()
        trail, failure, state = self._assume(i, v, deep)
        state.kept = min(state.kept, now)
        uses = Uses(state, now)
        steps: list[Step] = []
        restated: list[tuple[int, Ground]] = []
        wanted: dict[int, set[Fact]] = {}  # of each forced step what later ones need that it drops

        def note(found: Found[Any], part: Uses, sets: Sequence[Fact], drops: Sequence[Fact]) -> None:
            absent = part.absences()
            part.settle()
            uses.sources |= part.sources
            uses.rules |= part.rules
            for fact, reasons in absent:
                for source in reasons:
                    if source in part.sources and source > now:
                        wanted.setdefault(source - now, set()).add(fact)
            labels = self._labels([source for source in part.sources if source < now], part.rules)
            restated.extend([each for each in part.restated if each[0] < now])
            grounds = self._grounds(part.restated)
            steps.append(Step(found.technique, tuple(labels), tuple(sets), tuple(drops), found=found, grounds=grounds))

        last = Uses(state, now + len(trail))
        note(self._failed(last, failure), last, (), ())
        for at in range(len(trail) - 1, 0, -1):
            if now + at in uses.sources:
                part = Uses(state, now + at)
                part.preferred = uses.sources
                found, sets, drops = self._forced(part, trail[at], wanted.get(at, set()))
                note(found, part, sets, drops)
        uses.sources = {source for source in uses.sources if source < now}
        uses.restated = sorted(restated, key=lambda each: each[0])
        return uses, steps[::-1]

    def _forced(self, part: Uses, forced: Forced, wanted: Collection[Fact]) -> tuple[Found[Any], list[Fact], list[Fact]]:
        """The finding of a step under an assumption, what it sets and what it drops; why goes into part.

        wanted: the facts, among those dropped, that later steps lean on.
        """
        technique, j, v, u, losers = forced
        if losers:
            self._need_locked(part, v, u, j)
            return findings.LockedSet(v, self.g.named(u), self.g.named(j)), [], [(k, v) for k in bits(losers)]
        self._need_single(part, technique, j, v, u)
        return self._single(technique, u), [(j, v)], []

    # ---- sums of groups

    def _too_little(self, state: State) -> Failure:
        """(TOO_LITTLE, group) if the values held leave the first group no sum above that group's, else ()."""
        groups = self.table.heaviest
        if groups:
            most = self._bound(state, groups[0], True)
            for k, group in enumerate(groups[1:], 1):
                if most <= self._bound(state, group, False):
                    return TOO_LITTLE, k
        return ()

    def _bound(self, state: State, group: tuple[int, ...], most: bool) -> int:
        """The most or the least that a group's sum can be, if its open cells may take its missing values in any order."""
        held = state.held
        total = sum([(at + 1) * (held[i] + 1) for at, i in enumerate(group) if held[i] != BLANK])
        places = [at + 1 for at, i in enumerate(group) if held[i] == BLANK]
        if places:
            has = {held[i] for i in group}
            values = [v + 1 for v in range(self.g.n) if v not in has]
            total += sum([p * v for p, v in zip(places, values if most else values[::-1], strict=True)])
        return total

    def _need_bounds(self, uses: Uses, k: int) -> None:
        """The values held in the first and in another group, and that each has every value once."""
        state, g = uses.state, self.g
        uses.rules |= g.max_box
        for group in (self.table.heaviest[0], self.table.heaviest[k]):
            for i in group:
                if state.held[i] != BLANK:
                    uses.held(i)
            if any(state.held[i] == BLANK for i in group):  # then it counts that it has every value once
                uses.rules |= g.rule[g.masks.index(mask_of(group))]

    def _score(self, kind: type[findings.ScoreBounds]) -> bool:
        """Candidates that would leave the first group too little, by the values that the groups hold or by their candidates."""
        self._check_score()
        state = self.state
        groups = self.table.heaviest
        by_candidates = kind is findings.ScoreSums
        highest = self._extremes(groups[0], True, by_candidates)
        if highest is None:
            return False
        for k, group in enumerate(groups[1:], 1):
            lowest = self._extremes(group, False, by_candidates)
            if lowest is None:
                continue
            if by_candidates and highest[0] <= lowest[0]:
                drops: list[Fact] = []
            else:
                drops = [fact for fact, most in highest[1].items() if most <= lowest[0]]
                drops += [fact for fact, least in lowest[1].items() if least >= highest[0]]
                if not drops:
                    continue
            uses = self._uses()
            self._need_bounds(uses, k)
            if by_candidates:
                for cells in (groups[0], group):
                    missing = state.missing[self.g.masks.index(mask_of(cells))]
                    for i in cells:
                        if state.held[i] == BLANK:
                            for v in bits(missing & ~state.candidates[i]):
                                uses.absent(i, v)
            return self._note(kind(k, highest[0], lowest[0]), uses, (), sorted(set(drops)))
        return False

    def _extremes(self, group: tuple[int, ...], most: bool, by_candidates: bool) -> tuple[int, dict[Fact, int]] | None:
        """The most (or least) of a group's sum, and for each open candidate the same with it. None: too many open cells.

        A candidate that no assignment of the group has is left out, and a group without any assignment gives None.
        """
        state = self.state
        blanks = [(at + 1, i) for at, i in enumerate(group) if state.held[i] == BLANK]
        if not by_candidates:
            each = {}
            for _, i in blanks:
                for v in bits(state.candidates[i]):
                    state.held[i] = v
                    each[i, v] = self._bound(state, group, most)
                state.held[i] = BLANK
            return self._bound(state, group, most), each
        if len(blanks) > SUMS:
            return None
        sign = 1 if most else -1
        held = sum([(at + 1) * (state.held[i] + 1) for at, i in enumerate(group) if state.held[i] != BLANK])
        # best sums of the first cells, and of the last, by the set of values they take
        before = [{0: 0}]
        for place, i in blanks:
            before.append(_extend(before[-1], place, state.candidates[i], sign))
        after = [{0: 0}]
        for place, i in reversed(blanks):
            after.append(_extend(after[-1], place, state.candidates[i], sign))
        after.reverse()
        if not before[-1]:
            return None
        ((whole, best),) = before[-1].items() if len(before[-1]) == 1 else ((0, max(before[-1].values())),)
        each = {}
        for at, (place, i) in enumerate(blanks):
            for v in bits(state.candidates[i]):
                sums = [
                    total + after[at + 1][whole & ~values & ~(1 << v)]
                    for values, total in before[at].items()
                    if not values >> v & 1 and whole & ~values & ~(1 << v) in after[at + 1]
                ]
                if sums:
                    each[i, v] = sign * (max(sums) + sign * place * (v + 1)) + held
        return sign * best + held, each


def _with_filled(step: Step, filled: dict[int, int]) -> Step:
    grounds = []
    for ground in step.grounds or ():
        out = tuple([(fact, FILLED if way >= 0 and fact[0] in filled else way) for fact, way in ground.out])
        by = findings.Filled(filled[ground.fact[0]]) if not ground.holds and ground.fact[0] in filled else ground.by
        grounds.append(ground._replace(out=out, by=by))
    return replace(step, grounds=tuple(grounds)) if grounds else step


def _extend(sums: dict[int, int], place: int, candidates: int, sign: int) -> dict[int, int]:
    """Best sums with one more cell: values taken, the most that they come to (or the negative of the least)."""
    longer: dict[int, int] = {}
    for values, total in sums.items():
        for v in bits(candidates & ~values):
            new = total + sign * place * (v + 1)
            key = values | 1 << v
            if key not in longer or longer[key] < new:
                longer[key] = new
    return longer


def _covers(items: Sequence[tuple[int, int]], size: int) -> Iterator[tuple[list[int], int]]:
    """Choices of `size` items whose masks together have `size` bits: the items and their union, in order."""
    few = [(item, mask) for item, mask in items if 2 <= mask.bit_count() <= size]

    def grow(start: int, chosen: list[int], union: int) -> Iterator[tuple[list[int], int]]:
        need = size - len(chosen)
        if not need:
            yield chosen, union
            return
        for at in range(start, len(few) - need + 1):
            item, mask = few[at]
            both = union | mask
            if both.bit_count() <= size:
                yield from grow(at + 1, [*chosen, item], both)

    if len(few) >= size:
        yield from grow(0, [], 0)
