"""The board of a logic grid: of every two items of different categories whether they are of one entity, and why.

left[x * m + c] is a mask: bit v is item v of category c, which item x may still go with. A link that holds keeps both of its
items from all others of the two categories; this is stated by no step of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from puzzlemill.core.model import GRID_COMPOSITES, GRID_RELATIONS, Fact, GridTable, Slots, Step
from puzzlemill.solvers.deduce.board import Board
from puzzlemill.solvers.deduce.grids_claims import BOTH, Claim, Link, LinkSlots, claims, link
from puzzlemill.solvers.deduce.grids_findings import GridFound, Search
from puzzlemill.solvers.deduce.masks import bits

PROBES = 6_000  # suppositions in one deduction, before the rest is left to search
QUEUES = 11
CROSS_OFF, ONLY_LEFT, BRANCH, TRANSFER, PLACED, BOUNDS, AGREE, PARTNER, SUBSET, COMPOSITE, CASES = range(QUEUES)

Make = Callable[..., GridFound]  # a finding, by what it leans on (known) and what it contradicts (clash)


class GridBoard(Board):
    """ticked[x * m + c]: whether the item of c that goes with x is known. why[x * count + y]: the link that keeps these apart.

    by: of each link that a step has found its label. found: of each step its finding and what each conclusion leans on, so that
    those that nothing leans on can be left out. fresh: see QUEUES.
    """

    SEARCH = Search
    STAYS = True

    def __init__(self, table: GridTable, ids: Sequence[str], false: int = -1) -> None:
        """false: the one clue that is not true, if there is one."""
        super().__init__(ids, ["once"], PROBES, QUEUES)
        m, n = table.categories, table.items
        self.table, self.m, self.n, self.values, self.count = table, m, n, n, m * n
        self.full = (1 << n) - 1
        self.slot = LinkSlots(m, n)
        self.kinds = [GRID_RELATIONS[row[0]] for row in table.clues]
        self.parts = claims(table)
        if false >= 0:
            ((true, opposite),) = self.parts[false]
            self.parts[false] = ((opposite, true),)
        self.plain: list[Claim] = []
        for kind, parts in zip(self.kinds, self.parts, strict=True):
            if kind == BOTH or kind not in GRID_COMPOSITES:
                self.plain += [true for true, _ in parts]
        self.plain_of: list[list[int]] = [[] for _ in range(self.count)]
        for k, claim in enumerate(self.plain):
            for x in claim.items:
                self.plain_of[x].append(k)
        self.composites_of: list[dict[int, None]] = [{} for _ in range(self.count)]
        composite = [i for i, kind in enumerate(self.kinds) if kind in GRID_COMPOSITES[1:]]
        for i in composite:
            for true, _ in self.parts[i]:
                for x in true.items:
                    self.composites_of[x][i] = None
        self.left = [1 << x % n if x // n == c else self.full for x in range(self.count) for c in range(m)]
        self.ticked = [x // n == c for x in range(self.count) for c in range(m)]
        self.why: list[Link | None] = [None] * (self.count * self.count)
        self.by: dict[Link, str] = {}
        self.found: list[tuple[Make, tuple[Link, ...], Mapping[Link, Sequence[Link]]] | None] = []
        self.open = n * (m - 1)
        ordered = [k for k, claim in enumerate(self.plain) if claim.scale >= 0]
        split = [k for k, claim in enumerate(self.plain) if len(claim.ways) > 1]
        self.fresh[CROSS_OFF] = dict.fromkeys(range(len(self.plain)))
        self.fresh[BRANCH], self.fresh[AGREE] = dict.fromkeys(split), dict.fromkeys(split)
        self.fresh[PLACED], self.fresh[BOUNDS] = dict.fromkeys(ordered), dict.fromkeys(ordered)
        self.fresh[COMPOSITE], self.fresh[CASES] = dict.fromkeys(composite), dict.fromkeys(composite)

    @property
    def unsolved(self) -> bool:
        return self.open > 0

    def own(self) -> None:
        self.left, self.ticked, self.why = list(self.left), list(self.ticked), list(self.why)
        self.by, self.found = dict(self.by), []

    def rest(self, answer: Slots) -> list[Fact]:
        pairs = [self.slot.items(slot, value) for slot, value in enumerate(answer)]
        return [fact for (x, y), fact in zip(pairs, enumerate(answer), strict=True) if not self.ticked[x * self.m + y // self.n]]

    def wanted(self, step: Step) -> bool:
        form = self.n * (self.m - 1)
        return any(slot < form for slot, _ in step.sets)

    # ---- what is known

    def put(self, slot: int, value: int, why: str) -> None:
        """Two items go together; neither goes with another one of the two categories."""
        x, y = self.slot.items(slot, value)
        m, n = self.m, self.n
        b, c = x // n, y // n
        if self.ticked[x * m + c]:
            return
        there = Link(x, y, True)
        self.by[there] = why
        self.ticked[x * m + c] = self.ticked[y * m + b] = True
        self.open -= b == 0
        for v in bits(self.left[x * m + c] & ~(1 << y % n)):
            self._cross(x, c * n + v, there)
        for v in bits(self.left[y * m + b] & ~(1 << x % n)):
            self._cross(y, b * n + v, there)
        self._touch(x, c)
        self._touch(y, b)

    def drop(self, slot: int, value: int, why: str) -> None:
        x, y = self.slot.items(slot, value)
        if self.left[x * self.m + y // self.n] >> y % self.n & 1:
            apart = Link(x, y, False)
            self.by[apart] = why
            self._cross(x, y, apart)

    def _cross(self, x: int, y: int, why: Link) -> None:
        m, n = self.m, self.n
        self.left[x * m + y // n] &= ~(1 << y % n)
        self.left[y * m + x // n] &= ~(1 << x % n)
        self.why[x * self.count + y] = self.why[y * self.count + x] = why
        self._touch(x, y // n)
        self._touch(y, x // n)

    def _touch(self, x: int, c: int) -> None:
        """What an item may go with in a category has changed: whatever this may tell is looked at again, first of all."""
        m, n, fresh = self.m, self.n, self.fresh
        _again(fresh[ONLY_LEFT], x * m + c)
        for k in self.plain_of[x]:
            if self.plain[k].scale == c:
                _again(fresh[PLACED], k)
                _again(fresh[BOUNDS], k)
            if len(self.plain[k].ways) > 1:
                _again(fresh[BRANCH], k)
                _again(fresh[AGREE], k)
        _again(fresh[TRANSFER], x)
        _again(fresh[PARTNER], x)
        _again(fresh[SUBSET], x // n * m + c)
        for i in self.composites_of[x]:
            _again(fresh[COMPOSITE], i)
            _again(fresh[CASES], i)

    def may(self, x: int, y: int) -> bool:
        """Return whether two items may be of one entity."""
        return bool(self.left[x * self.m + y // self.n] >> y % self.n & 1)

    def sure(self, x: int, y: int) -> bool:
        """Return whether it is known that two items are of one entity."""
        return self.ticked[x * self.m + y // self.n] and self.may(x, y)

    def goes(self, x: int, c: int) -> int:
        """The item of a category that goes with this one, if that is known."""
        return c * self.n + self.left[x * self.m + c].bit_length() - 1

    def apart(self, x: int, y: int) -> Link:
        """What keeps two items apart that cannot be of one entity."""
        why = self.why[x * self.count + y]
        if why is None:
            raise AssertionError("two items of one category are never compared")
        return why

    def barred(self, x: int, c: int, mask: int) -> list[Link]:
        """Why an item goes with none of these of a category; one link where another item is known."""
        n, m = self.n, self.m
        if self.ticked[x * m + c] and not self.left[x * m + c] & mask:
            there = link(x, self.goes(x, c), True)
            if x // n != c and there in self.by:
                return [there]
        return [] if x // n == c else list(dict.fromkeys([self.apart(x, c * n + v) for v in bits(mask)]))

    # ---- steps

    def conclude(
        self,
        make: Make,
        clues: Iterable[int],
        known: Iterable[Link],
        reasons: Mapping[Link, Sequence[Link]],
        within: Sequence[Step] = (),
        uses: Iterable[str] = (),
    ) -> bool:
        """Note what follows from clues and from `known`, each link also from its reasons. What is known is left out.

        If one contradicts what is known, this becomes the step. uses: further labels.
        """
        labels = [*[self.ids[i] for i in clues], "once", *uses]
        base = tuple(dict.fromkeys(known))
        new: dict[Link, Sequence[Link]] = {}
        for pair, why in reasons.items():
            x, y, yes = pair
            if self.sure(x, y) if yes else not self.may(x, y):
                continue
            if not self.may(x, y) if yes else self.sure(x, y):
                against = self.apart(x, y) if yes else link(x, y, True)
                return self._noted(partial(make, clash=pair), labels, (*base, *why, against), {}, within)
            new[pair] = why
        return bool(new) and self._noted(make, labels, base, new, within)

    def _noted(
        self,
        make: Make,
        labels: Sequence[str],
        base: tuple[Link, ...],
        new: Mapping[Link, Sequence[Link]],
        within: Sequence[Step] = (),
    ) -> bool:
        make = make if isinstance(make, partial) and "clash" in make.keywords else partial(make, clash=None)
        self.found.append((make, base, new))
        known = tuple(dict.fromkeys([*base, *[each for why in new.values() for each in why]]))
        facts = {pair: self.slot.fact(*pair[:2]) for pair in new}
        sets = [fact for pair, fact in facts.items() if pair.yes]
        drops = [fact for pair, fact in facts.items() if not pair.yes]
        return self.note(make(known=known), [*labels, *[self.by[each] for each in known]], sets, drops, within)

    def tidy(self) -> None:
        """Leave out of its steps what none of them leans on, but for the answer."""
        wanted = set[Link]()
        form = self.n * (self.m - 1)
        for k in range(len(self.steps) - 1, -1, -1):
            step, entry = self.steps[k], self.found[k] if k < len(self.found) else None
            if entry is None:
                continue
            make, base, new = entry
            kept = {
                pair: why
                for pair, why in new.items()
                if pair in wanted or (pair.yes and self.slot.fact(*pair[:2])[0] < form and self.mark == "#")
            }
            if new and not kept:
                continue
            known = tuple(dict.fromkeys([*base, *[each for why in kept.values() for each in why]]))
            wanted.update(known)
            if len(kept) < len(new):
                own = [use for use in step.uses if not use.startswith(("#", "?"))]
                facts = {pair: self.slot.fact(*pair[:2]) for pair in kept}
                sets = tuple([fact for pair, fact in facts.items() if pair.yes])
                drops = tuple([fact for pair, fact in facts.items() if not pair.yes])
                uses = tuple(dict.fromkeys([*own, *[self.by[each] for each in known]]))
                self.steps[k] = Step(step.technique, uses, sets, drops, step.within, make(known=known))


def _again(queue: dict[int, None], key: int) -> None:
    queue.pop(key, None)
    queue[key] = None
