"""Human-style deduction on logic grids (GridTable).

Statements and their opposites, as what they say of pairs of items: grids_claims.py. The board: grids_board.py. Techniques:
grids_techniques.py, and suppositions here. Findings and their sentences, which need GridWords (puzzlemill/rules/grids_words.py):
grids_findings.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial

from puzzlemill.core.model import Fact, GridTable, Slots, Step
from puzzlemill.rules.grids_words import GridWords
from puzzlemill.solvers.deduce.board import Ahead, Board, Look, Story, newest
from puzzlemill.solvers.deduce.grids_board import (
    AGREE,
    BOUNDS,
    BRANCH,
    CASES,
    COMPOSITE,
    CROSS_OFF,
    ONLY_LEFT,
    PARTNER,
    PLACED,
    SUBSET,
    TRANSFER,
)
from puzzlemill.solvers.deduce.grids_claims import IF, Claim, Link, Way, link
from puzzlemill.solvers.deduce.grids_findings import FINDINGS, FarLookAhead, GridSay, LongLookAhead, LookAhead
from puzzlemill.solvers.deduce.grids_suspects import SUSPICIONS, Unmasked, listing, trace
from puzzlemill.solvers.deduce.grids_techniques import Techniques, decided
from puzzlemill.solvers.deduce.masks import bits, union
from puzzlemill.solvers.deduce.steps import length, sentence, tiers

__all__ = ["HARD", "MEDIUM", "TECHNIQUES", "board", "deduce", "explain"]

TECHNIQUES = tiers([*FINDINGS[0], Unmasked], *FINDINGS[1:5], *map(list.__add__, FINDINGS[5:7], SUSPICIONS), FINDINGS[-1])
MEDIUM, HARD = 3, 4
TOLD = 7  # steps of a story that a sentence tells
SHORT = 4  # steps of a story that is easily followed
SEEN = 6  # contradictions found by looking ahead
STORIES = 2  # of these so many that were seen soonest, of which the one with the shortest story becomes a step
ROUNDS = 3  # times that this is done at most, where the story is too long to be told
MIDDLE = 3  # links of a story that are supposed themselves, the last first


def deduce(table: GridTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    if listing(table) is not None:
        return trace(table, ids[0], answer, _Board)
    return _Board(table, ids).trace(answer)


def board(table: GridTable, ids: Sequence[str]) -> Board:
    """The board that finds them; see the package."""
    return _Untried(table, ids) if listing(table) is not None else _Board(table, ids)


def explain(words: GridWords, table: GridTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return sentence(GridSay(words, listing(table) or table), step)


class _Board(Techniques):
    """All techniques, in the order of their tiers, and suppositions.

    work: of the last quick look. outcomes: by tier and literal, what was left when such a look ended, with its work and the
    literals that followed; None if that was a contradiction.
    """

    AHEAD = (Ahead(LookAhead, 3), Ahead(FarLookAhead, 5))
    TOP = 5

    def __init__(self, table: GridTable, ids: Sequence[str], false: int = -1) -> None:
        super().__init__(table, ids, false)
        self.work = 0
        self.outcomes: dict[tuple[int, int], tuple[int, int, tuple[int, ...] | None]] = {}

    def looks(self, top: int) -> Sequence[Look]:
        fresh = self.fresh
        every: list[tuple[int, Look]] = [
            (1, (self._cross_off, fresh[CROSS_OFF], None)),
            (1, (self._only_left, fresh[ONLY_LEFT], newest)),
            (2, (self._transfer, fresh[TRANSFER], newest)),
            (2, (self._placed, fresh[PLACED], newest)),
            (3, (self._branch, fresh[BRANCH], newest)),
            (3, (self._bounds, fresh[BOUNDS], newest)),
            (3, (self._agree, fresh[AGREE], newest)),
            (4, (self._no_partner, fresh[PARTNER], newest)),
            (4, (self._subset, fresh[SUBSET], newest)),
            (5, (self._composite, fresh[COMPOSITE], newest)),
            (5, (self._cases, fresh[CASES], newest)),
        ]
        return [look for tier, look in every if tier <= top]

    # ---- suppositions

    def instead(self, slot: int, value: int) -> Sequence[Fact]:
        """Of each of the two items, the one other item that it may go with."""
        pair = self.slot.items(slot, value)
        found = []
        for x, y in (pair, pair[::-1]):
            others = [y - y % self.n + v for v in bits(self.left[x * self.m + y // self.n]) if v != y % self.n]
            found += [self.slot.fact(*sorted((x, z))) for z in others if len(others) == 1]
        return found

    def tries(self, answer: Slots | None) -> list[int]:
        """Links between items with few others left."""
        m, n = self.m, self.n
        right = None if answer is None else self._entities(answer)
        found = []
        for slot, (b, c) in enumerate([pair for pair in self.slot.pairs for _ in range(n)]):
            x = b * n + slot % n
            mask = self.left[x * m + c]
            if mask & mask - 1:
                for v in bits(mask):
                    y = c * n + v
                    if right is None or right[x] != right[y]:
                        size = mask.bit_count() + self.left[y * m + b].bit_count()
                        found.append((size, slot * n + v))
        return [literal for _, literal in sorted(found)]

    def _entities(self, answer: Slots) -> list[int]:
        """The entity of every item."""
        of = list(range(self.n)) + [0] * (self.count - self.n)
        for slot, value in enumerate(answer):
            of[(slot // self.n + 1) * self.n + value] = slot % self.n
        return of

    def others(self, slot: int, value: int) -> Sequence[int]:
        x, y = self.slot.items(slot, value)
        mask = self.left[x * self.m + y // self.n]
        return [v for v in bits(mask) if v != value]

    def look_ahead(self, answer: Slots | None, deepest: bool = True) -> bool:
        """Rule out what ends in a contradiction, by a story that is short: of those that are seen soonest the shortest, or that
        of a link in the middle of it. Where all are long, more are looked for.
        """
        tries = self.tries(answer)
        for ahead in self.AHEAD:
            best: tuple[int, int, Story] | None = None
            harmless, seen, rounds = set[int](), list[tuple[int, int]](), 0
            for k, literal in enumerate(tries, 1):
                if literal not in harmless and self.probes[0] < self.most:
                    follows = self.quick(literal, ahead)
                    if follows is None:
                        seen.append((self.work, literal))
                    else:
                        harmless.update(follows)
                if seen and (len(seen) == SEEN or k == len(tries)):
                    best = self._shortest(seen, ahead, best)
                    seen, rounds = [], rounds + 1
                    if rounds == ROUNDS or (best is not None and best[0] <= TOLD):
                        break
            if best is not None:
                return self.rule_out(ahead, *divmod(best[1], self.n), best[2])
        return False

    def _shortest(
        self, seen: Sequence[tuple[int, int]], ahead: Ahead, best: tuple[int, int, Story] | None
    ) -> tuple[int, int, Story] | None:
        """The shortest of some stories and the best so far: its length, what it supposes, and itself."""
        waiting, done = [literal for _, literal in sorted(seen)[:STORIES]], set[int]()
        while waiting and (best is None or best[0] > SHORT):
            literal = waiting.pop(0)
            if literal in done:
                continue
            done.add(literal)
            found = self.supposing([divmod(literal, self.n)]).refuted(ahead.top)
            if found is not None and (best is None or length(found[1]) < best[0]):
                best = length(found[1]), literal, found
                sets = [slot * self.n + value for step in found[1][::-1] for slot, value in step.sets]
                waiting[:0] = [each for each in sets[:MIDDLE] if each not in done and self.quick(each, ahead) is None]
        return best

    def rule_out(self, ahead: Ahead, slot: int, value: int, tale: Story) -> bool:
        uses, within = tale
        x, y = self.slot.items(slot, value)
        pair, steps = Link(x, y, True), length(within)
        kind: type[LookAhead] = (
            LookAhead if steps <= SHORT and ahead.top <= 3 else FarLookAhead if steps <= TOLD else LongLookAhead
        )
        own = {pair, *[link(*self.slot.items(*fact), True) for step in within for fact in step.sets]}
        own.update(link(*self.slot.items(*fact), False) for step in within for fact in step.drops)
        known = [each for step in within for each in step.found.known if each not in own]
        labels = [use for use in uses if not use.startswith("#")]
        return self.conclude(partial(kind, pair=pair), (), known, {Link(x, y, False): ()}, within, labels)

    def quick(self, literal: int, ahead: Ahead) -> Collection[int] | None:
        now = int.from_bytes(bytes(self.left), "little")
        before = self.outcomes.get((ahead.top, literal))
        if (
            before is not None and not before[0] & ~now
        ):  # where it led is possible still, so it leads there; or to a contradiction
            self.work = before[1]
            return before[2]
        self.probes[0] += 1
        x, y = self.slot.items(*divmod(literal, self.n))
        left = list(self.left)
        if not self._close(left, x, y, ahead.top > 3):
            self.outcomes[ahead.top, literal] = 0, self.work, None
            return None
        n, m = self.n, self.m
        sure = []
        for slot, (b, c) in enumerate([pair for pair in self.slot.pairs for _ in range(n)]):
            mask = left[(b * n + slot % n) * m + c]
            if not mask & mask - 1:
                sure.append(slot * n + mask.bit_length() - 1)
        self.outcomes[ahead.top, literal] = int.from_bytes(bytes(left), "little"), self.work, tuple(sure)
        return sure

    def _close(self, left: list[int], x: int, y: int, far: bool) -> bool:
        """Narrow `left` as far as it goes if two items go together; False if that is a contradiction.

        far: also by items that no item of a category goes with both.
        """
        m, n = self.m, self.n
        changed: dict[int, None] = {}
        self.work = 0

        def keep(u: int, c: int, mask: int) -> bool:
            """An item goes with none of a category but these."""
            key = u * m + c
            lost = left[key] & ~mask
            if not lost:
                return True
            left[key] &= mask
            changed[u] = None
            b, bit = u // n, ~(1 << u % n)
            for v in bits(lost):
                other = c * n + v
                left[other * m + b] &= bit
                changed[other] = None
                if not left[other * m + b]:
                    return False
            return left[key] != 0

        if not keep(x, y // n, 1 << y % n) or not keep(y, x // n, 1 << x % n):
            return False
        while changed:
            self.work += 1
            u = next(iter(changed))
            del changed[u]
            b = u // n
            for c in range(m):
                mask = left[u * m + c]
                if c == b or mask & mask - 1:
                    continue
                if not mask:
                    return False
                w = c * n + mask.bit_length() - 1
                if not keep(w, b, 1 << u % n):
                    return False
                for d in range(m):
                    both = left[u * m + d] & left[w * m + d]
                    if not both or not keep(u, d, both) or not keep(w, d, both):
                        return False
            for k in self.plain_of[u]:
                if not self._narrow(left, self.plain[k], keep):
                    return False
            for i in self.composites_of[u] if far else ():
                parts = self.parts[i]
                can = [(self._possible(left, false), self._possible(left, true)) for true, false in parts]
                for part, truth, _ in decided(self.kinds[i] == IF, [-1 if all(each) else int(each[1]) for each in can]):
                    if part < 0 or not self._narrow(left, parts[part][1 - truth], keep):
                        return False
            if far:
                for w in [w for w in range(self.count) if w // n != b and left[u * m + w // n] >> w % n & 1]:
                    shared = all(left[u * m + d] & left[w * m + d] for d in range(m) if d not in (b, w // n))
                    if not shared and not keep(u, w // n, ~(1 << w % n)):
                        return False
        return True

    def _narrow(self, left: list[int], claim: Claim, keep: Callable[[int, int, int], bool]) -> bool:
        """Narrow `left` by one claim; False if that is a contradiction."""
        m, n = self.m, self.n
        if claim.scale >= 0:
            masks = [left[x * m + claim.scale] for x in claim.items]
            narrowed = claim.relation.narrowed(masks)
            if not all(keep(x, claim.scale, mask) for x, mask in zip(claim.items, narrowed, strict=True)):
                return False
        live = self._live(left, claim)
        if len(live) == 1:
            every = [(x, y // n, 1 << y % n if yes else ~(1 << y % n)) for x, y, yes in live[0]]
            return all(keep(*each) for each in every)
        if not live:
            return False
        for x, ys in claim.partners(live).items():
            for c in range(m):
                if not keep(x, c, union([left[y * m + c] for y in ys])):
                    return False
        return True

    def _live(self, left: list[int], claim: Claim) -> list[Way]:
        """The ways that `left` allows."""
        m, n = self.m, self.n
        live = []
        for way in claim.ways:
            for x, y, yes in way:
                mask, bit = left[x * m + y // n], 1 << y % n
                if not mask & bit if yes else mask == bit:
                    break
            else:
                live.append(way)
        return live

    def _possible(self, left: list[int], claim: Claim) -> bool:
        """Return whether `left` allows a claim."""
        masks = [left[x * self.m + claim.scale] for x in claim.items] if claim.scale >= 0 else []
        return bool(self._live(left, claim)) and all(claim.relation.narrowed(masks) if masks else ())


class _Untried(_Board):
    """Where one clue is false: on it no wrong values are tried beside those of a trace."""

    def resume(self, steps: Sequence[Step]) -> None:
        """Nothing, since what its steps know of clues is no link."""

    def instead(self, slot: int, value: int) -> Sequence[Fact]:
        return ()
