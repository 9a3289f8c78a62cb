"""Looking ahead: which item at which place ends in a contradiction, seen quickly without steps, and with the shortest story."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from copy import copy

from puzzlemill.core.model import COMPOSITES, Fact, PositionTable, Slots, Step
from puzzlemill.solvers.deduce.board import Ahead, Refuted, Said, Story
from puzzlemill.solvers.deduce.masks import bits
from puzzlemill.solvers.deduce.positions_board import PROBES, PlaceBoard, joined
from puzzlemill.solvers.deduce.positions_findings import (
    DeepLookAhead,
    FarLookAhead,
    LongDeepLookAhead,
    LongLookAhead,
    LookAhead,
    PlaceTakenBack,
    TwoClues,
)
from puzzlemill.solvers.deduce.positions_findings import Fact as Given
from puzzlemill.solvers.deduce.positions_relations import forced
from puzzlemill.solvers.deduce.positions_singles import settled
from puzzlemill.solvers.deduce.steps import Supposed, length

SHORT = 4  # steps of a story that is easily followed
SHORTEST = 3  # steps of a story of two clues
TOLD = 5  # steps of a story that a sentence tells link by link
SEEN = 6  # contradictions found by looking ahead
LATER = 4  # steps of the quick look by which a contradiction may be seen later than the soonest, if its story may be shorter
STORIES = 2  # of these so many that were seen soonest, of which the one with the shortest story becomes a step


class LookingAhead(PlaceBoard):
    """Suppositions.

    work: of the last quick look. works: of those that found a contradiction, by what they suppose. outcomes: by tier, where each
    supposition led; see _led().
    """

    AHEAD = (Ahead(LookAhead, 4), Ahead(FarLookAhead, 5), Ahead(DeepLookAhead, 5, True))
    SHORT = SHORTEST

    def __init__(self, table: PositionTable, ids: Sequence[str], only: Collection[int] | None = None) -> None:
        super().__init__(table, ids, only)
        self.work = 0
        self.works: dict[int, int] = {}
        self.outcomes: dict[int, dict[int, tuple[int, ...]]] = {ahead.top: {} for ahead in self.AHEAD}

    def tries(self, answer: Slots | None) -> list[int]:
        """From items with few places."""
        items = [x for x in self.items if self.places[x] & self.places[x] - 1]
        items.sort(key=lambda x: (self.places[x].bit_count(), x))
        facts = self._facts([(x, p) for x in items for p in bits(self.places[x])])
        return [slot * self.n + v for slot, v in facts if answer is None or answer[slot] != v]

    def look_ahead(self, answer: Slots | None, deepest: bool = True) -> bool:
        """Rule out what ends in a contradiction; of those that are seen soonest, the one with the shortest story."""
        if self.mark != "#":
            return super().look_ahead(answer, deepest)
        for ahead in self.AHEAD:
            if ahead.deep:
                return super().look_ahead(answer, deepest)
            seen = self._refutable(answer, ahead)
            if seen is None:
                return False
            best: tuple[int, int, Story] | None = None
            for _, literal in sorted(seen)[:STORIES]:
                best = self._shorter(best, literal, ahead)
                if best is None or length(best[2][1]) <= SHORTEST:
                    break
            if best is not None:
                soonest = min(seen)[0]
                for fact in [fact for step in best[2][1][::-1] for fact in step.sets[:1]]:
                    if length(best[2][1]) <= SHORTEST:
                        break
                    literal = fact[0] * self.n + fact[1]
                    item = self._fact(*fact)[0]
                    if self.merged.stands[item] != item or self._led(literal, ahead) or self.quick(literal, ahead) is not None:
                        continue
                    if self.work <= soonest + LATER:
                        best = self._shorter(best, literal, ahead) or best
                        soonest = min(soonest, self.work)
                return self.rule_out(ahead, *divmod(best[1], self.n), best[2])
        return False

    def instead(self, slot: int, value: int) -> Sequence[Fact]:
        """The one other place that is left for an item, and the one other item that is left for its place."""
        x, p = self._fact(slot, value)
        row = range(x - x % self.n, x - x % self.n + self.n)
        here = [y for y in row if y != x and self.places[self.merged.stands[y]] >> p & 1]
        there = list(bits(self.places[x] & ~(1 << p)))
        facts = [(x, q) for q in there if len(there) == 1]
        facts += [(y, p) for y in here if len(here) == 1 and self.merged.stands[y] == y and self.places[y].bit_count() > 2]
        return self._facts(facts)

    def taken_back(
        self, slot: int, value: int, uses: Iterable[str], within: Sequence[Step], said: Said | None = None
    ) -> tuple[Step, ...]:
        """What is tried is not so, and therefore the only other fact that is left holds; see instead()."""
        x, p = self._fact(slot, value)
        labels, known = [*uses, "once"], list[Given]()
        if self.places[x].bit_count() == 2:
            y, q = x, (self.places[x] & ~(1 << p)).bit_length() - 1
            self._bars(x, self.full & ~self.places[x], labels, known)
        else:
            row = range(x - x % self.n, x - x % self.n + self.n)
            y, q = next(y for y in row if y != x and self.places[self.merged.stands[y]] >> p & 1), p
            for z in [z for z in row if z not in (x, y)]:
                same = self.merged.same(z)
                labels += self._labels(same)
                known += same
                self._bars(self.merged.stands[z], 1 << p, labels, known)
        back = PlaceTakenBack(x, p, joined(known))
        last = Step("supposition", tuple(dict.fromkeys(labels)), tuple(self._facts([(y, q)])), found=back)
        return Step("supposition", (), ((slot, value),), found=Supposed()), *within, last

    def _refutable(self, answer: Slots | None, ahead: Ahead) -> list[tuple[int, int]] | None:
        """What ends in a contradiction, with the work to see it; None if no more can be supposed.

        What did so before does so still; and where a supposition leads stays as it is until that is not possible any more.
        """
        outcomes = self.outcomes[ahead.top]
        harmless = set[int]()
        seen: list[tuple[int, int]] = []
        for literal in self.tries(answer):
            if literal in harmless:
                continue
            if self.probes[0] > PROBES:
                return None
            known = self._led(literal, ahead)
            if known is None:
                places = self._probe(*self._fact(*divmod(literal, self.n)), ahead.top == 5, False)
                known = outcomes[literal] = () if places is None else tuple([places[x] for x in self.items])
                if not known:
                    self.works[literal] = self.work
            if known:
                sure = [(x, mask.bit_length() - 1) for x, mask in zip(self.items, known, strict=True) if not mask & mask - 1]
                harmless.update(slot * self.n + v for slot, v in self._facts(sure))
            else:
                seen.append((self.works[literal], literal))
                if len(seen) == SEEN:
                    break
        return seen

    def _led(self, literal: int, ahead: Ahead) -> tuple[int, ...] | None:
        """Where this supposition led before, () for a contradiction; None if that is not known, or not possible any more."""
        known = self.outcomes[ahead.top].get(literal)
        if known and any(mask & ~self.places[x] for x, mask in zip(self.items, known, strict=True)):
            return None
        return known

    def _shorter(self, best: tuple[int, int, Story] | None, literal: int, ahead: Ahead) -> tuple[int, int, Story] | None:
        """The shorter of two stories, with its size and what is supposed; None if no more can be supposed."""
        found = self.confirmed(literal, ahead)
        if not isinstance(found, Refuted) or found.story is None:
            return best
        size = 2 * found.size[0] + len(found.story[0])
        return best if best is not None and best[0] <= size else (size, literal, found.story)

    def tried(self, literal: int, ahead: Ahead) -> Refuted | Collection[int] | None:
        follows = self.quick(literal, ahead)
        if self.probes[0] > PROBES:
            return None
        return self.confirmed(literal, ahead) if follows is None else follows

    def rule_out(self, ahead: Ahead, slot: int, value: int, tale: Story) -> bool:
        uses, within = tale
        merging = {self.ids[i] for i in self.used if self.kinds[i] == "same"}
        clues = [use for use in uses if use in self.ids and use not in merging]
        steps = length(within)
        kind: type[LookAhead] = FarLookAhead if steps <= TOLD else LongLookAhead
        if ahead.deep:
            kind = DeepLookAhead if steps <= TOLD else LongDeepLookAhead
        elif ahead.top == 4 and steps <= SHORTEST and len(clues) <= 2:
            kind = TwoClues
        elif ahead.top == 4 and steps <= SHORT:
            kind = LookAhead
        return self.note(kind(*self._fact(slot, value)), uses, [], [(slot, value)], within)

    # ---- the quick look

    def quick(self, literal: int, ahead: Ahead) -> Collection[int] | None:
        places = self._probe(*self._fact(*divmod(literal, self.n)), ahead.top == 5, ahead.deep)
        if places is None:
            return None
        sure = [(x, places[x].bit_length() - 1) for x in self.items if places[x] & places[x] - 1 == 0]
        return [slot * self.n + v for slot, v in self._facts(sure)]

    def closes(self, kept: Collection[int], subsets: bool) -> bool:
        """Return whether some of the clues contradict each other by what needs no supposition. subsets: by these too.

        kept: these clues, all that merge items among them.
        """
        for x in self.items:
            if len(self.attributes_of[x]) < len(self.merged.of[x]):
                return True
        other = copy(self)
        some = set(kept)
        other.clues_of = [{i: None for i in clues if i in some} for clues in self.clues_of]
        return not other._close(list(self.places), self.items, subsets)

    def _probe(self, x: int, p: int, subsets: bool, deep: bool) -> list[int] | None:
        """The places of all items if this one stands here, by all techniques below; None if that is a contradiction.

        The same as refuted(), quickly and without steps.
        """
        places = list(self.places)
        places[x] = 1 << p
        if not self._close(places, [x], subsets):
            return None
        again = deep
        while again:
            again = False
            for y, q in [(x, q) for x in self.items if places[x] & places[x] - 1 for q in bits(places[x])]:
                if not places[y] >> q & 1:
                    continue
                inner = list(places)
                inner[y] = 1 << q
                if not self._close(inner, [y], subsets):
                    places[y] &= ~(1 << q)
                    if not places[y] or not self._close(places, [y], subsets):
                        return None
                    again = True
        return places

    def _close(self, places: list[int], changed: Sequence[int], subsets: bool) -> bool:
        """Narrow `places` as far as it goes after these items changed; False if that is a contradiction."""
        self.probes[0] += 1
        self.work = 0
        n, stands = self.n, self.merged.stands
        attributes: dict[int, None] = {}
        clues: dict[int, None] = {}
        new = {x: places[x] for x in changed}
        while True:
            for x, mask in new.items():
                if not mask:
                    return False
                places[x] = mask
                for attribute in self.attributes_of[x]:
                    attributes[attribute] = None
                clues.update(self.clues_of[x])
            new = {}
            self.work += 1
            if attributes:
                start = attributes.popitem()[0] * n
                items = stands[start : start + n]
                row = settled(tuple([places[x] for x in items]), subsets)
                if row is None:
                    return False
                new = {x: mask for x, mask in zip(items, row, strict=False) if mask != places[x]}
            elif clues:
                i = clues.popitem()[0]
                parts = self.truths[i]
                statements = [parts[0][0]]
                if self.kinds[i] in COMPOSITES:
                    found = forced(self.kinds[i], parts, places)
                    if found and found[0][0] < 0:
                        return False
                    statements = [parts[part][1 - truth] for part, truth, _ in found]
                for statement in statements:
                    if statement.relation.arity == 2:  # the most frequent, in a few words
                        x, y = statement.items
                        first, second = statement.relation.images
                        here, there = places[x], places[y]
                        left = new.get(x, here) & second[there]
                        if left != here:
                            new[x] = left
                        left = new.get(y, there) & first[here]
                        if left != there:
                            new[y] = left
                        continue
                    masks = [places[x] for x in statement.items]
                    for x, mask in zip(statement.items, statement.relation.narrowed(masks), strict=True):
                        left = new.get(x, places[x]) & mask
                        if left != places[x]:
                            new[x] = left
            else:
                return True
