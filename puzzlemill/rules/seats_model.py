"""Statements about persons on seats as clauses: where somebody comes who walks along the seats.

Written apart from the relations of seats.py and from the plain checker of seats_check.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from puzzlemill.core.model import Constraints
from puzzlemill.core.shape import ColouredGraph
from puzzlemill.rules.seats import KINDS, PLAIN, ROW, SEAT, WAY, Item, Plan, Statement

LEFT, RIGHT = 0, 1


def bare(plan: Plan) -> Constraints:
    """Everybody has a seat of his own; around a table the first person has the first one.

    Where it is to be found how persons face there are further slots, one for each person: seat and way in one.
    """
    n, m = plan.seats, Constraints()
    for _ in range(plan.groups):
        cells = [m.slot(n) for _ in range(n)]  # cells[p][v]: value v is on seat p
        for v in range(n):
            m.exactly_one([cell[v] for cell in cells], label="once")
    if plan.ring:
        m.require(m.key[0][0], label="first")
    if not plan.ways:
        ways = [m.slot(2) for _ in range(n)]
        for v in range(n):
            both = m.further(2 * n)
            for p in range(n):
                for way in (0, 1):
                    m.require(-both[2 * p + way], m.key[p][v])
                    m.require(-both[2 * p + way], ways[p][way])
                    m.require(both[2 * p + way], -m.key[p][v], -ways[p][way])
    return m


def walk(plan: Plan, seat: int, way: int, side: int, steps: int) -> int | None:
    """The seat that is so many steps to one side of who sits here and faces this way; None beyond the end of a row."""
    if plan.ring:
        clockwise = side == (LEFT if way == 0 else RIGHT)
        return (seat + (steps if clockwise else plan.seats - steps)) % plan.seats
    row, place = divmod(seat, plan.line)
    eastward = side == (RIGHT if way == 0 else LEFT)
    place += steps if eastward else -steps
    return row * plan.line + place if 0 <= place < plan.line else None


def _around(plan: Plan, seat: int, steps: int) -> list[int]:
    """The seats so many steps away, on either side."""
    return [there for there in dict.fromkeys([walk(plan, seat, 0, side, steps) for side in (LEFT, RIGHT)]) if there is not None]


def _fitting(plan: Plan, kind: str, number: int, q: int, way: int) -> list[int]:
    """Where the first item may be if the second is on seat q and faces this way."""
    n = plan.seats
    if kind.startswith("not_"):
        barred = _fitting(plan, kind.removeprefix("not_"), number, q, way)
        return [p for p in range(n) if p not in barred]
    if kind == "same":
        return [q]
    if kind == "opposite":
        return [(q + n // 2) % n]
    if kind == "next":
        return _around(plan, q, 1)
    if kind == "gap":
        return _around(plan, q, number + 1)
    side = LEFT if kind in ("left", "left_of") else RIGHT
    steps = [number] if kind in ("left", "right") else range(1, plan.line)
    return [there for there in [walk(plan, q, way, side, each) for each in steps] if there is not None]


def _alone(plan: Plan, kind: str, number: int) -> list[int]:
    """Where one item may be of which this is said."""
    n, line = plan.seats, plan.line
    ends = [0, line - 1] if plan.shape == "row" else [0, line - 1, line, n - 1]
    corners = range(plan.corner, n, max(1, n // 4))
    good: Sequence[int] = {
        "at": [number],
        "not_at": [number],
        "end": ends,
        "not_end": ends,
        "row": range(number * line, number * line + line),
        "corner": corners,
        "side": corners,
    }[kind]
    return [p for p in range(n) if (p in good) is (kind not in ("not_at", "not_end", "side"))]


class _Said:
    """One clue being stated: what items and ways are in literals."""

    def __init__(self, m: Constraints, plan: Plan, label: str) -> None:
        self.m, self.plan, self.label = m, plan, label

    def on(self, item: Item) -> list[int]:
        """The literals that an item is on seat 0, 1, ..."""
        n = self.plan.seats
        return [self.m.key[item[0] * n + p][item[1]] for p in range(n)]

    def turned(self, seat: int) -> list[tuple[int, list[int]]]:
        """The ways that somebody on this seat may face, each with what is false then."""
        if self.plan.ways:
            return [(self.plan.ways[seat], [])]
        here = self.m.key[self.plan.seats + seat]
        return [(way, [-here[way]]) for way in (0, 1)]

    def plain(self, said: Statement, truth: int) -> None:
        """The statement is true if this literal is, and false if not; 0: it is true."""
        require, label, plan = self.m.require, self.label, self.plan
        n, then, otherwise = plan.seats, [-truth] if truth else [], [truth]
        x = self.on(said.items[0])
        if len(said.items) == 1:
            good = _alone(plan, said.kind, said.number)
            require(*then, *[x[p] for p in good], label=label)
            if truth:
                require(*otherwise, *[x[p] for p in range(n) if p not in good], label=label)
            return
        y = self.on(said.items[1])
        for q in range(n):
            for way, unless in self.turned(q):
                good = _fitting(plan, said.kind, said.number, q, way)
                require(*then, -y[q], *unless, *[x[p] for p in good], label=label)
                if truth:
                    require(*otherwise, -y[q], *unless, *[x[p] for p in range(n) if p not in good], label=label)

    def faces(self, said: Statement) -> None:
        x, n = self.on(said.items[0]), self.plan.seats
        for p in range(n):
            here = self.m.key[n + p]
            if said.kind == "faces":
                self.m.require(-x[p], here[said.number], label=self.label)
                continue
            y = self.on(said.items[1])
            for q in range(n):
                for way in (0, 1):
                    there = self.m.key[n + q][way if said.kind == "alike" else 1 - way]
                    self.m.require(-x[p], -y[q], -here[way], there, label=self.label)


def state(m: Constraints, plan: Plan, said: Statement, label: str) -> None:
    """Add what a statement says, every clause labelled."""
    one = _Said(m, plan, label)
    if said.parts:
        truths = [m.var() for _ in said.parts]
        for part, truth in zip(said.parts, truths, strict=True):
            one.plain(part, truth)
        if said.kind == "if":
            m.require(-truths[0], truths[1], label=label)
        else:
            m.exactly_one(truths, label=label)
    elif said.kind in ("faces", "alike", "unlike"):
        one.faces(said)
    elif said.kind == "between":
        x, y, z = said.items
        one.plain(Statement("next", (y, x)), 0)
        one.plain(Statement("next", (z, x)), 0)
        one.plain(Statement("not_same", (y, z)), 0)
    else:
        one.plain(said, 0)


# ---- in a shape ----------------------------------------------------------------------------------------------------------

_GROUP, _ITEM, _SEAT, _STATE, _WAY, _HAND, _FROM, _TO, _SAID, _FIRST, _PART, _ROW, _CORNER, _KINDS = range(14)


def symmetry(plan: Plan, statements: Sequence[Statement]) -> ColouredGraph:
    """Symmetries: rename persons and values, look at all seats from behind or in a mirror.

    Vertices: items, joined to their group; seats; states (a seat with a way that is possible there), joined to both; the two
    ways; the two hands. For each state and hand there is a step: a vertex joined to state and hand, and to a second one, which is
    joined to the neighbouring seat. Nothing tells which hand is the left one: a mirror exchanges them. A statement is a vertex,
    coloured by kind and number (left and right alike), joined to all that it names: items whose order matters through a vertex of
    their own, and its hand.
    """
    n = plan.seats
    colours: list[int] = []
    edges: list[tuple[int, int]] = []

    def vertex(colour: int, *joined: int) -> int:
        colours.append(colour)
        edges.extend((other, len(colours) - 1) for other in joined)
        return len(colours) - 1

    hands, ways = [vertex(_HAND) for _ in range(2)], [vertex(_WAY) for _ in range(2)]
    rows = [vertex(_ROW) for _ in range(2 if plan.shape == "rows" else 0)]
    seats = [vertex(_SEAT, *rows[p // plan.line : p // plan.line + 1]) for p in range(n)]
    for p in range(n):
        if plan.shape == "square" and plan.is_corner(p):
            vertex(_CORNER, seats[p])
        if plan.shape == "rows" and p < plan.line:
            vertex(_TO, seats[p], seats[p + plan.line])
        for way in (plan.ways[p],) if plan.ways else (0, 1):
            here = vertex(_STATE, seats[p], ways[way])
            for side in (LEFT, RIGHT):
                there = walk(plan, p, way, side, 1)
                if there is not None:
                    vertex(_TO, vertex(_FROM, here, hands[side]), seats[there])
    groups = [vertex(_GROUP + _KINDS * (g + 1)) for g in range(plan.groups)]
    items = [vertex(_ITEM, groups[x // n]) for x in range(n * plan.groups)]
    if plan.ring:
        vertex(_FIRST, items[0], seats[0])

    def plain(said: Statement) -> int:
        named, kind = [items[g * n + v] for g, v in said.items], KINDS[said.kind]
        sided = {"right": "left", "right_of": "left_of"}.get(said.kind, said.kind)
        number = 0 if kind.number in (SEAT, WAY, ROW) else said.number
        free = kind.free if kind.free else 0
        middle = vertex(_KINDS * (10 + PLAIN.index(sided) * 16 + number), *named[free:])
        for k, item in enumerate(named[:free]):
            vertex(_FIRST + _KINDS * (k + 1), middle, item)
        if sided in ("left", "left_of"):
            edges.append((hands[LEFT if sided == said.kind else RIGHT], middle))
        if kind.number in (SEAT, WAY, ROW):
            edges.append(({SEAT: seats, WAY: ways, ROW: rows}[kind.number][said.number], middle))
        return middle

    for said in statements:
        if not said.parts:
            plain(said)
            continue
        parts = [plain(part) for part in said.parts]
        if said.kind == "if":
            parts[0] = vertex(_PART, parts[0])
        vertex(_SAID + _KINDS * (1 + (said.kind == "if")), *parts)
    return ColouredGraph(tuple(colours), tuple(edges))
