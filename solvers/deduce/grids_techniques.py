"""Techniques of a logic grid that need no supposition, in the order of their tiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, product

from puzzlemill.solvers.deduce.grids_board import GridBoard
from puzzlemill.solvers.deduce.grids_claims import IF, Claim, Link, Way, link
from puzzlemill.solvers.deduce.grids_findings import (
    Agree,
    Bounds,
    Branch,
    ByClaim,
    Cases,
    Composite,
    CrossOff,
    Ends,
    NoPartner,
    OnlyLeft,
    Part,
    Placed,
    Subset,
    Transfer,
)
from puzzlemill.solvers.deduce.masks import bits, union

Reasons = dict[Link, Sequence[Link]]
Stated = tuple[type[ByClaim], Reasons]


class Techniques(GridBoard):
    """What follows from links, from one clue, and from the parts of a composite."""

    # ---- links

    def _only_left(self, key: int) -> bool:
        x, c = divmod(key, self.m)
        mask = self.left[key]
        if mask & mask - 1 or (mask and self.ticked[key]):
            return False
        known = list(dict.fromkeys(self.barred(x, c, self.full & ~mask)))
        if not mask:
            return self._noted(partial(OnlyLeft, item=x, category=c), ["once"], tuple(known), {})
        return self.conclude(partial(OnlyLeft, item=x, category=c), (), known, {link(x, self.goes(x, c), True): ()})

    def _transfer(self, x: int) -> bool:
        m, n = self.m, self.n
        for c in range(m):
            if c == x // n or not self.ticked[x * m + c]:
                continue
            y = self.goes(x, c)
            for one, other in ((x, y), (y, x)):
                reasons: Reasons = {}
                for d in range(m):
                    if d in (one // n, other // n):
                        continue
                    here, there = self.left[one * m + d], self.left[other * m + d]
                    if self.ticked[other * m + d]:
                        if not self.ticked[one * m + d]:
                            z = self.goes(other, d)
                            reasons[link(one, z, True)] = (link(other, z, True),)
                    elif here & ~there:
                        for v in bits(here & ~there):
                            reasons[link(one, d * n + v, False)] = (self.apart(other, d * n + v),)
                if reasons and self.conclude(partial(Transfer, item=one, other=other), (), [link(one, other, True)], reasons):
                    return True
        return False

    def _no_partner(self, x: int) -> bool:
        m, n, left = self.m, self.n, self.left
        best: tuple[int, int, int, list[Link], int] | None = None
        for b in range(m):
            if b == x // n or self.ticked[x * m + b]:
                continue
            for v in bits(left[x * m + b]):
                y = b * n + v
                for c in range(m):
                    mine, others = left[x * m + c], left[y * m + c]
                    if mine & others or c in (x // n, b):
                        continue
                    for one, other, mask in ((x, y, mine), (y, x, others)):
                        known = [*self.barred(one, c, self.full & ~mask), *self.barred(other, c, mask)]
                        known = list(dict.fromkeys(known))
                        if best is None or len(known) < len(best[3]):
                            best = one, other, c, known, mask
        if best is None:
            return False
        one, other, c, known, mask = best
        return self.conclude(
            partial(NoPartner, item=one, other=other, category=c, mask=mask), (), known, {link(one, other, False): ()}
        )

    def _subset(self, key: int) -> bool:
        """Two or three items of a category that have as many items of another one between them."""
        a, c = divmod(key, self.m)
        if a == c:
            return False
        n, m = self.n, self.m
        row = [self.left[(a * n + v) * m + c] for v in range(n)]
        loose = [v for v in range(n) if row[v] & row[v] - 1]
        for size in range(2, min(3, len(loose) - 1) + 1):
            for some in combinations(loose, size):
                mask = union([row[v] for v in some])
                if mask.bit_count() != size:
                    continue
                drops: Reasons = {
                    link(a * n + v, c * n + w, False): () for v in loose if v not in some for w in bits(row[v] & mask)
                }
                if drops:
                    known = [each for v in some for each in self.barred(a * n + v, c, self.full & ~mask)]
                    return self.conclude(
                        partial(Subset, items=tuple([a * n + v for v in some]), category=c, mask=mask), (), known, drops
                    )
        return False

    # ---- plain clues

    def _cross_off(self, k: int) -> bool:
        claim = self.plain[k]
        kind, reasons = self.direct(claim)
        if not claim.ways:
            return self._noted(partial(kind, claim=claim), [self.ids[claim.clue], "once"], (), {})
        return self.conclude(partial(kind, claim=claim), [claim.clue], (), reasons)

    def _branch(self, k: int) -> bool:
        claim = self.plain[k]
        wrong = self.refutation_of(claim)
        if wrong is not None:
            return self._noted(partial(Branch, claim=claim), [self.ids[claim.clue], "once"], wrong, {})
        return self._stated(claim, self.live(claim), (claim.clue,))

    def _bounds(self, k: int, easy: bool = False) -> bool:
        claim = self.plain[k]
        return self._stated(claim, self.scaled(claim, easy), (claim.clue,))

    def _placed(self, k: int) -> bool:
        return self._bounds(k, True)

    def _agree(self, k: int) -> bool:
        claim = self.plain[k]
        return self._stated(claim, self.agreed(claim), (claim.clue,))

    def _stated(self, claim: Claim, said: Stated, clues: Sequence[int]) -> bool:
        kind, reasons = said
        return bool(reasons) and self.conclude(partial(kind, claim=claim), clues, (), reasons)

    # ---- what one claim says

    def direct(self, claim: Claim) -> Stated:
        """What a claim says whatever is known."""
        ways = claim.ways
        reasons: Reasons = {pair: () for pair in ways[0] if all(pair in way for way in ways)} if ways else {}
        if len(ways) > 1:
            n = self.n
            for x, ys in claim.partners(ways).items():
                if len({y // n for y in ys}) == 1:
                    c = ys[0] // n
                    reasons.update({link(x, c * n + v, False): () for v in range(n) if c * n + v not in ys})
        return CrossOff, reasons

    def dead(self, way: Way) -> Link | None:
        """What keeps a way from being right; None if nothing does."""
        for x, y, yes in way:
            if yes and not self.may(x, y):
                return self.apart(x, y)
            if not yes and self.sure(x, y):
                return link(x, y, True)
        return None

    def live(self, claim: Claim) -> Stated:
        """What the only way says that is left."""
        deaths = [self.dead(way) for way in claim.ways]
        live = [way for way, why in zip(claim.ways, deaths, strict=True) if why is None]
        gone = [why for why in deaths if why is not None]
        if len(live) != 1 or not gone:
            return Branch, {}
        return Branch, dict.fromkeys(live[0], tuple(dict.fromkeys(gone)))

    def agreed(self, claim: Claim) -> Stated:
        """What an item has in none of the ways that are left."""
        deaths = [self.dead(way) for way in claim.ways]
        live = [way for way, why in zip(claim.ways, deaths, strict=True) if why is None]
        gone = [why for why in deaths if why is not None]
        alike: dict[tuple[int, ...], list[int]] = {}  # items that have the same partners, in one way or another
        for x, ys in claim.partners(live).items() if len(live) > 1 else ():
            alike.setdefault(tuple(sorted(ys)), []).append(x)
        for (others, xs), c in product(alike.items(), range(self.m)):
            some = union([self.left[y * self.m + c] for y in others])
            reasons: Reasons = {}
            for x in xs:
                for v in bits(self.left[x * self.m + c] & ~some):
                    why = [self.apart(y, c * self.n + v) for y in others if y // self.n != c]
                    reasons[link(x, c * self.n + v, False)] = tuple(dict.fromkeys([*gone, *why]))
            if reasons:  # one thing at a time
                return Agree, reasons
        return Agree, {}

    def scaled(self, claim: Claim, easy: bool) -> Stated:
        """What places on a scale leave to each other; of one item. easy: where others have known places, or none is known."""
        m, n, s = self.m, self.n, claim.scale
        masks = [self.left[x * m + s] for x in claim.items]
        best: tuple[int, type[ByClaim], Reasons] | None = None
        whatever: Reasons = {}
        for k, (x, mask) in enumerate(zip(claim.items, claim.relation.narrowed(masks), strict=True)):
            lost = masks[k] & ~mask
            if x // n == s or not lost:
                continue
            reasons: Reasons = {link(x, s * n + p, False): self.refutation_at(claim, k, p) for p in bits(lost)}
            if mask and mask & mask - 1 == 0:
                others = [q for q in range(n) if not mask >> q & 1]
                if all(self.refutable_at(claim, k, q) for q in others):
                    whys = [each for q in others for each in self.refutation_at(claim, k, q)]
                    reasons = {link(x, self.place(s, mask), True): tuple(dict.fromkeys(whys))}
            known = {each for why in reasons.values() for each in why}
            if not all(reasons.values()):
                whatever.update({pair: why for pair, why in reasons.items() if not why})
            elif not easy or all(each.yes for each in known):
                kind = Placed if all(each.yes for each in known) else Bounds
                entry = len(known) + self.count * (kind is Bounds), kind, reasons
                best = entry if best is None or entry[0] < best[0] else best
        if whatever:
            return Ends, whatever
        return (Bounds, {}) if best is None else best[1:]

    def place(self, c: int, mask: int) -> int:
        """The item of a mask that has one."""
        return c * self.n + mask.bit_length() - 1

    def refutable_at(self, claim: Claim, k: int, p: int) -> bool:
        """Return whether the k-th item of a claim cannot be at a place, by where the others may be."""
        masks = [self.left[x * self.m + claim.scale] for x in claim.items]
        return not any(
            all(masks[j] >> at[j] & 1 for j in range(len(masks)) if j != k) for at in claim.relation.tuples if at[k] == p
        )

    def refutation_at(self, claim: Claim, k: int, p: int) -> tuple[Link, ...]:
        """What keeps the others from the places that they would need; k < 0: from all of them."""
        s = claim.scale
        masks = [self.left[x * self.m + s] for x in claim.items]
        known: dict[Link, None] = {}
        open_ways: list[list[Link]] = []
        for at in claim.relation.tuples:
            if k >= 0 and at[k] != p:
                continue
            whys: list[Link] = []
            fixed = False
            for j, x in enumerate(claim.items):
                if j != k and not masks[j] >> at[j] & 1:
                    why = self.barred(x, s, 1 << at[j])
                    fixed |= not why  # an item of the scale itself
                    whys += why
            if fixed:
                continue
            if len(whys) == 1:
                known[whys[0]] = None
            else:
                open_ways.append(whys)
        for whys in open_ways:
            if not any(why in known for why in whys):
                known[min(whys, key=lambda why: (not why.yes, why))] = None
        return tuple(known)

    # ---- composites

    def refutation_of(self, claim: Claim) -> tuple[Link, ...] | None:
        """What shows that a claim is wrong; None if it may be right."""
        if claim.scale >= 0 and not all(claim.relation.narrowed([self.left[x * self.m + claim.scale] for x in claim.items])):
            return self.refutation_at(claim, -1, -1)
        deaths = [self.dead(way) for way in claim.ways]
        return None if None in deaths else tuple(dict.fromkeys([why for why in deaths if why is not None]))

    def _composite(self, i: int) -> bool:
        """What other parts decide of a part."""
        refuted = [(self.refutation_of(true), self.refutation_of(false)) for true, false in self.parts[i]]
        right = tuple([true for true, _ in self.parts[i]])
        states = [0 if wrong is not None else 1 if other is not None else -1 for wrong, other in refuted]
        for part, truth, because in decided(self.kinds[i] == IF, states):
            told, known = list[Part](), list[Link]()
            for k in because:
                why = refuted[k][states[k]] or ()
                told.append(Part(k, states[k] == 1, tuple(why)))
                known += why
            claim = self.parts[i][max(part, 0)][1 - truth]
            if part < 0:
                return self._noted(
                    partial(Composite, claim=claim, parts=tuple(told), wrong=True, claims=right),
                    [self.ids[i], "once"],
                    tuple(known),
                    {},
                )
            for says in (self.direct, self.live, partial(self.scaled, easy=False), self.agreed):
                if says is not self.direct and claim.scale < 0 and isinstance(says, partial):
                    continue
                _, reasons = says(claim)
                if reasons and self.conclude(
                    partial(Composite, claim=claim, parts=tuple(told), wrong=False, claims=right), [i], known, reasons
                ):
                    return True
        return False

    def _cases(self, i: int) -> bool:
        """What holds whichever parts of a composite are true."""
        parts = self.parts[i]
        common: dict[Link, list[Link]] | None = None
        shut, ways = list[Link](), list[Part]()
        for truths in product((True, False), repeat=len(parts)):
            if not (truths[1] or not truths[0] if self.kinds[i] == IF else sum(truths) == 1):
                continue
            chosen = [part[1 - truth] for part, truth in zip(parts, truths, strict=True)]
            whys = [self.refutation_of(claim) for claim in chosen]
            wrong = [(k, why) for k, why in enumerate(whys) if why is not None]
            if wrong:
                k, why = min(wrong, key=lambda entry: len(entry[1]))
                ways.append(Part(k, truths[k], why))
                shut += why
                continue
            here: dict[Link, list[Link]] = {}
            for claim in chosen:
                for pair, reason in self._said(claim).items():
                    here.setdefault(pair, list(reason))
            common = here if common is None else {pair: [*each, *here[pair]] for pair, each in common.items() if pair in here}
        make = partial(Cases, clue=i, ways=tuple(ways), claims=tuple([true for true, _ in parts]))
        reasons: Reasons = {pair: tuple(dict.fromkeys(each)) for pair, each in (common or {}).items()}
        return self.conclude(make, [i], shut, reasons)

    def _said(self, claim: Claim) -> Reasons:
        """The links that do not hold if a claim is true, that are not known yet."""
        n = self.n
        found: Reasons = {}
        reasons: Reasons = {}
        for says in (self.direct, self.live, self.agreed):
            reasons.update({pair: why for pair, why in says(claim)[1].items() if pair not in reasons})
        if claim.scale >= 0:
            reasons.update(self.scaled(claim, False)[1])
        for (x, y, yes), why in reasons.items():
            if not yes:
                found[link(x, y, False)] = why
                continue
            for one, other in ((x, y), (y, x)):
                c = other // n
                found.update({link(one, c * n + v, False): why for v in range(n) if c * n + v != other})
        return {pair: why for pair, why in found.items() if self.may(pair.x, pair.y)}


def decided(implies: bool, states: Sequence[int]) -> list[tuple[int, int, list[int]]]:
    """(part, truth, because) for parts of a composite that others decide; part -1 if these cannot agree. states: -1 is open."""
    if implies:
        if states[0] == 1 and states[1] < 1:
            return [(-1, 0, [0, 1]) if states[1] == 0 else (1, 1, [0])]
        return [(0, 0, [1])] if states[0] < 0 and states[1] == 0 else []
    right = [k for k, state in enumerate(states) if state == 1]
    wrong = [k for k, state in enumerate(states) if state == 0]
    left = [k for k, state in enumerate(states) if state < 0]
    if len(right) > 1 or len(wrong) == len(states):
        return [(-1, 0, right[:2] or wrong)]
    if right:
        return [(k, 0, right) for k in left]
    return [(left[0], 1, wrong)] if len(left) == 1 else []


Technique = Callable[[int], bool]
