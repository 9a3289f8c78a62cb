"""Drawing true statements about persons on seats.

rows: the values of each group on seat 0, 1, ..., and after these the ways, if they are to be found. Shares say how many
statements are drawn of each kind for every 8 seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from puzzlemill.core.form import Grid
from puzzlemill.core.rng import Rng
from puzzlemill.rules.seats import COUNT, KINDS, NEAR, PARTS, STEP, Item, Plan, Statement, combined, numbers_of, relation, stated

Shares = Mapping[str, int]
_TRIES = 64  # draws of a false part of a composite


class Hidden:
    """An arrangement, of which statements are true. states[g]: that of each seat; on[g]: the item on each seat."""

    def __init__(self, plan: Plan, rows: Grid) -> None:
        self.plan, n = plan, plan.seats
        ways = (0,) * n if plan.ways else rows[plan.groups]
        self.states = [p * plan.turns + ways[p] for p in range(n)]
        self.on: list[list[Item]] = [[(g, rows[g][p]) for p in range(n)] for g in range(plan.groups)]

    def item(self, seat: int, rng: Rng) -> Item:
        """Somebody on this seat, by name or by another value."""
        return self.on[0 if self.plan.groups < 2 else rng.below(2)][seat]

    def chain(self) -> list[Statement]:
        """Statements that leave one arrangement: each neighbour in turn, and what these leave open."""
        plan, n = self.plan, self.plan.seats
        found = []
        for p in range(n):
            there = [q for q in range(n) if self._holds("left", 1, p, q)] + [q for q in range(n) if self._holds("right", 1, p, q)]
            for q in there[:2]:
                kind = "left" if self._holds("left", 1, p, q) else "right"
                found.append(stated(kind, [self.on[0][p], self.on[0][q]], 1))
            if plan.shape == "rows":
                found.append(stated("row", [self.on[0][p]], p // plan.line))
            if not plan.ways:
                found.append(stated("faces", [self.on[0][p]], self.states[p] % 2))
            if plan.groups > 1:
                found.append(stated("same", [self.on[0][p], self.on[1][p]]))
        return found

    def _holds(self, kind: str, number: int, p: int, q: int) -> bool:
        return bool(relation(self.plan, kind, number)[self.states[p]] >> self.states[q] & 1)

    def seats(self, kind: str, number: int) -> list[tuple[int, ...]]:
        """All seats of one person, of two or of three different ones, of which this is true."""
        n = range(self.plan.seats)
        if KINDS[kind].items == 1:
            return [(p,) for p in n if self._holds(kind, number, p, p)]
        if kind == "same":
            return [(p, p) for p in n]
        if kind != "between":
            both = KINDS[kind].free == 2 or kind == "not_same"
            return [(p, q) for p in n for q in n if (p != q if both else p < q) and self._holds(kind, number, p, q)]
        beside = [[q for q in n if self._holds("next", 0, p, q)] for p in n]
        return [(p, *there) for p, there in enumerate(beside) if len(there) == 2]

    def statement(self, kind: str, rng: Rng) -> Statement | None:
        """A random true statement of this kind; None if there is none."""
        numbers = numbers_of(self.plan)[kind]
        number = numbers.start
        if len(numbers) > 1:
            short = KINDS[kind].number in (STEP, COUNT)
            further = 1 if kind == "gap" else 0  # who is farther away around a table is opposite, or nearer on the other side
            usual = [d for d in numbers if d <= NEAR and (not self.plan.ring or 2 * (d + further) < self.plan.seats)]
            number = rng.pick(usual or numbers if short else numbers)
        found = self.seats(kind, number)
        if not found:
            return None
        places = rng.pick(found)
        if kind in ("same", "not_same"):
            return stated(kind, [self.on[g][p] for g, p in enumerate(places)], number)
        if kind in ("alike", "unlike", "faces"):
            return stated(kind, [self.on[0][p] for p in places], number)
        return stated(kind, [self.item(p, rng) for p in places], number)

    def is_true(self, said: Statement) -> bool:
        """Return whether a plain statement, not one of three items, is true here."""
        seats = [self.on[g].index((g, v)) for g, v in said.items]
        return self._holds(said.kind, said.number, seats[0], seats[-1])

    def false(self, kind: str, rng: Rng) -> Statement | None:
        """A random false statement of this kind about somebody else than a true one; None if none is found."""
        said = self.statement(kind, rng)
        for _ in range(_TRIES if said else 0):
            assert said is not None
            items = list(said.items)
            items[rng.below(len(items))] = self.item(rng.below(self.plan.seats), rng)
            other = stated(kind, items, said.number)
            groups = [g for g, _ in items]
            if len(set(items)) == len(items) and not (kind == "same" and groups[0] == groups[1]) and not self.is_true(other):
                return other
        return None


def kinds_by(shares: Shares, plan: Plan) -> list[str]:
    """Each kind that the plan knows as often as it is to be drawn, and once at least."""
    known = numbers_of(plan)
    return [kind for kind, share in shares.items() if kind in known for _ in range(max(1, plan.seats * share // 8))]


def true_statements(seen: Hidden, kinds: Sequence[str], rng: Rng) -> list[Statement]:
    """A random true statement of each of these kinds, as far as there are any."""
    found = [seen.statement(kind, rng) for kind in kinds]
    return [said for said in found if said is not None]


def composites(seen: Hidden, asked: Sequence[str], shares: Shares, many: int, rng: Rng) -> list[Statement]:
    """True composites of these kinds, up to so many of each, whose parts are of the kinds that have shares."""
    known = numbers_of(seen.plan)
    kinds = [kind for kind, share in shares.items() if kind in known and kind in PARTS for _ in range(share)]
    found: list[Statement] = []
    for composite in asked:
        for _ in range(many):
            truths = rng.pick(((True, False), (False, True)))
            if composite == "if":
                truths = rng.pick(((True, True), (True, True), (False, False)))
            parts = [seen.statement(rng.pick(kinds), rng) if truth else seen.false(rng.pick(kinds), rng) for truth in truths]
            whole = [part for part in parts if part is not None]
            if len(whole) == 2 and len({*whole[0].items} & {*whole[1].items}) < 2:
                found.append(combined(composite, whole))
    return found
