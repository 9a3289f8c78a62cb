"""The plain checker of statements about persons on seats: from one neighbour to the next, by hand.

Written apart from the relations of seats.py and the clauses of seats_model.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from puzzlemill.core.model import BLANK
from puzzlemill.rules.seats import Plan, Statement

Spots = Sequence[Sequence[Sequence[int]]]  # spots[g][v]: the seats where the item may be
Here = tuple[int, int]  # a seat, and the way that the person there faces


def spots_of(rows: Sequence[Sequence[int]], seats: int) -> tuple[list[list[list[int]]], bool]:
    """Where each item may be: its seat, or any blank one of its group; nowhere if it stands twice. And whether some cannot."""
    spots, wrong = [], False
    for row in rows:
        blank = [p for p in range(seats) if row[p] == BLANK]
        places = [[p for p in range(seats) if row[p] == v] for v in range(seats)]
        if any(len(found) > 1 for found in places) or sum(not found for found in places) > len(blank):
            wrong = True
        spots.append([found if len(found) == 1 else [] if found else blank for found in places])
    return spots, wrong


def may_hold(said: Statement, spots: Spots, ways: Sequence[int], plan: Plan) -> bool:
    """Return whether a statement may be true of items that each are at one of their spots; ways: of each seat, or BLANK."""
    if not said.parts:
        return any(_is_true(said, here, plan) for here in _cases(said, spots, ways))
    one, two = [{_is_true(part, here, plan) for here in _cases(part, spots, ways)} for part in said.parts]
    for first, second in product(sorted(one), sorted(two)):
        if (second or not first) if said.kind == "if" else first != second:
            return True
    return False


def _cases(said: Statement, spots: Spots, ways: Sequence[int]) -> list[tuple[Here, ...]]:
    """Every way to put the named items on their spots, with the ways that they may face there."""
    each = []
    for g, v in said.items:
        here = []
        for seat in spots[g][v]:
            here += [(seat, way) for way in ((0, 1) if ways[seat] == BLANK else (ways[seat],))]
        each.append(here)
    return list(product(*each))


def _beside(here: Here, left: bool, plan: Plan) -> int | None:
    """The seat at somebody's left (or right) hand; None at the end of a row."""
    seat, way = here
    if plan.shape in ("row", "rows"):
        columns = plan.seats if plan.shape == "row" else plan.seats // 2
        x, north = seat % columns, way == 0
        # facing north, the left hand points west, towards smaller numbers; facing south it points east
        x += -1 if left == north else 1
        return seat - seat % columns + x if x in range(columns) else None
    # around the table, seats are numbered clockwise; who faces the middle has the next one at the left hand
    inward = way == 0
    if left == inward:
        return 0 if seat == plan.seats - 1 else seat + 1
    return plan.seats - 1 if seat == 0 else seat - 1


def _to_the_side(here: Here, left: bool, plan: Plan) -> list[int]:
    """All seats to one side, the nearest first; around a table until one comes back."""
    found: list[int] = []
    seat, way = here
    after = _beside((seat, way), left, plan)
    while after is not None and after != seat and after not in found:
        found.append(after)
        after = _beside((after, way), left, plan)  # he who counts keeps facing his way
    return found


def _is_true(said: Statement, here: Sequence[Here], plan: Plan) -> bool:
    """Return whether a plain statement is true of items on these seats that face these ways."""
    kind, number = said.kind, said.number
    seat, way = here[0]
    if kind == "at":
        return seat == number
    if kind == "not_at":
        return seat != number
    if kind in ("end", "not_end"):
        alone = _beside(here[0], True, plan) is None or _beside(here[0], False, plan) is None
        return alone if kind == "end" else not alone
    if kind == "row":
        return (seat >= plan.seats // 2) == (number == 1)
    if kind in ("corner", "side"):
        corners = [plan.corner + k * (plan.seats // 4) for k in range(4)]
        return (seat in corners) == (kind == "corner")
    if kind == "faces":
        return way == number
    other, facing = here[1]
    if kind == "alike":
        return way == facing
    if kind == "unlike":
        return way != facing
    if kind == "same":
        return seat == other
    if kind == "not_same":
        return seat != other
    lefts, rights = _to_the_side(here[1], True, plan), _to_the_side(here[1], False, plan)
    near = lefts[:1] + rights[:1]
    if kind == "next":
        return seat in near
    if kind == "not_next":
        return seat not in near
    if kind == "left":
        return lefts[number - 1 : number] == [seat]
    if kind == "right":
        return rights[number - 1 : number] == [seat]
    if kind == "left_of":
        return seat in lefts
    if kind == "right_of":
        return seat in rights
    if kind == "gap":
        return seat in lefts[number : number + 1] + rights[number : number + 1]
    if kind in ("opposite", "not_opposite"):
        if plan.shape == "rows":
            across = seat % (plan.seats // 2) == other % (plan.seats // 2) and seat != other
        else:
            across = seat != other and lefts.index(seat) == rights.index(seat)
        return across if kind == "opposite" else not across
    third = here[2][0]
    mine = [_beside(here[0], True, plan), _beside(here[0], False, plan)]
    return other in mine and third in mine and other != third
