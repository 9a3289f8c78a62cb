"""Techniques of several clues together, whatever is placed: what they contradict in each other, and the orders that they make."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from puzzlemill.core.model import COMPOSITES
from puzzlemill.solvers.deduce.masks import bits
from puzzlemill.solvers.deduce.positions_board import PlaceBoard, paths_from
from puzzlemill.solvers.deduce.positions_findings import Chain, Clash, Merged

_BEFORE = ("just_left", "left")


class SeveralClues(PlaceBoard):
    """What two clues contradict in each other is looked for before anything else."""

    def begin(self) -> None:
        """Look whether clues merge what an attribute or another clue keeps apart; the fewest clues that do are stated."""
        found: list[tuple[tuple[int, int, int], Merged]] = []
        for x in self.items:
            for y in self.merged.of[x]:
                for z, clues in paths_from(self.neighbours, y).items() if len(self.merged.of[x]) > 1 else ():
                    if y < z and y // self.n == z // self.n:
                        found.append(((len(clues), y, z), Merged(y, z, clues, -1)))
        for i in self.used:
            if self.kinds[i] not in ("same", *COMPOSITES):
                clue = self.table.clues[i]
                named = [clue[k] * self.n + clue[k + 1] for k in (1, 3, 5)[: self.truths[i][0][0].relation.arity]]
                for y, z in combinations(named, 2):
                    if self.merged.stands[y] == self.merged.stands[z] and (y, z) != tuple(named[1:3]):
                        clues = paths_from(self.neighbours, y)[z]
                        found.append(((len(clues) + 1, y, z), Merged(y, z, clues, i)))
        if found:
            merged = min(found, key=lambda entry: entry[0])[1]
            last = [self.ids[merged.clue]] if merged.clue >= 0 else []
            self.note(merged, [*[self.ids[i] for i in merged.clues], *last, "once"])
        pairs = [i for i in self.used if self.kinds[i] not in ("same", *COMPOSITES) and self.truths[i][0][0].relation.arity == 2]
        clashes = [clash for i, j in combinations(pairs, 2) if (clash := self._clash(i, j)) is not None]
        if clashes:
            clash = min(clashes, key=lambda found: len(found.clues))
            self.note(clash, [*[self.ids[i] for i in clash.clues], "once"])

    def _clash(self, i: int, j: int) -> Clash | None:
        """Two clues of two items each that contradict each other: about the same two, or an item and two that are kept apart."""
        one, two = self.truths[i][0][0], self.truths[j][0][0]
        shared = [x for x in one.items if x in two.items]
        if not shared or one.items[0] == one.items[1] or two.items[0] == two.items[1]:
            return None
        x = shared[0]
        images = [each.relation.images[each.items.index(x)] for each in (one, two)]
        links: tuple[int, ...] = ()
        if len(shared) == 1:
            y, z = [each.items[1 - each.items.index(x)] for each in (one, two)]
            both = [(a, b) for a in self.merged.of[y] for b in self.merged.of[z] if a // self.n == b // self.n]
            if not both:
                return None
            a, b = min(both, key=lambda pair: len(self.merged.by[pair[0]]) + len(self.merged.by[pair[1]]))
            links = (*self.merged.by[a], *self.merged.by[b])
        for p in range(self.n):
            first, second = images[0][1 << p], images[1][1 << p]
            if first & second if len(shared) == 2 else first and second and not first == second == first & -first:
                return None
        clues = tuple(dict.fromkeys([i, j, *one.via, *two.via, *links]))
        return Clash(i, j, (one.items, two.items), clues)

    # ---- orders

    def _chain(self, _: int) -> bool:
        """The longest order of items that clues put one before the other, if some have less room than is known."""
        after: dict[int, list[tuple[int, int]]] = {}  # of each item those before it, with the clue
        for i in self.used:
            if self.kinds[i] in _BEFORE:
                x, y = self.truths[i][0][0].items
                after.setdefault(y, []).append((x, i))
                after.setdefault(x, [])
        longest: dict[int, tuple[tuple[int, int], ...]] = dict.fromkeys(after, ())  # the items before, with the clues
        for _round in range(self.n):
            for y, before in after.items():
                for x, i in before:
                    if len(longest[x]) + 1 > len(longest[y]):
                        longest[y] = (*longest[x], (x, i))
                        if len(longest[y]) == self.n or y in [z for z, _ in longest[y]]:
                            return self._no_room(y, longest[y])
        for y, chain in sorted(longest.items(), key=lambda entry: -len(entry[1])):
            if len(chain) < 2:
                break
            items = [*[x for x, _ in chain], y]
            spare = self.n - len(items)
            drops = [(x, p) for k, x in enumerate(items) for p in bits(self.places[x]) if not k <= p <= k + spare]
            if drops:
                clues = tuple([i for _, i in chain])
                via = [clue for i in clues for clue in self.truths[i][0][0].via]
                every = tuple(dict.fromkeys([*clues, *via]))
                uses = [*[self.ids[i] for i in every], "once"]
                if not spare and all(self.places[x] >> k & 1 for k, x in enumerate(items)):
                    of = [(y, k) for k, x in enumerate(items) if not self.placed[x] for y in self.merged.of[x]]
                    links = tuple([same for y, _ in of for same in self.merged.same(y)])
                    return self.note(Chain(tuple(items), every, (), links), [*uses, *self._labels(links)], self._facts(of))
                return self.note(Chain(tuple(items), every), uses, [], self._facts(drops))
        return False

    def _no_room(self, last: int, before: Sequence[tuple[int, int]]) -> bool:
        """Note that an order goes round in a circle, or is longer than the row."""
        items = [*[x for x, _ in before], last]
        start = items.index(last)
        if start < len(items) - 1:
            items = items[start:]
        clues = [i for _, i in before[len(before) + 1 - len(items) :]]
        via = [clue for i in clues for clue in self.truths[i][0][0].via]
        every = tuple(dict.fromkeys([*clues, *via]))
        return self.note(Chain(tuple(items), every), [*[self.ids[i] for i in every], "once"])
