"""Items on seats with relations between pairs of them (SeatTable).

A domain is a bit mask of the states (seat * turns + way) that an item may have. Propagation repeats, until nothing changes: an
item whose seat is known leaves it to nobody else of its group, a seat that only one item can have is that item's, and every clue
is made arc consistent. Of a composite, what the atoms whose truth is known leave for the other one, that one is narrowed by. Then
it branches on the item with the fewest states. A node is one state tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from puzzlemill.core.errors import Discarded
from puzzlemill.core.model import Finding, SeatTable, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels.bits import popcount
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.driver import SURE, even, listed, one_by_one
from puzzlemill.solvers.kernels.random import below, state_of

_ALL, _EITHER, _IF = range(3)
_SEATS, _STATES = 12, 24
_EVEN_BELOW = 4096  # sample() draws evenly if there are fewer answers than this
_SAMPLE_NODES = 2_000_000


@kernel("boolean(int64[::1], int64, int64, int64, int64[:, :, ::1], boolean, int64)")
def _possible(domain, x, y, relation, related, truth, full):
    """Return whether some states of two items make an atom true (or false)."""
    left = domain[x]
    while left:
        low = left & -left
        s = popcount(low - 1)
        left ^= low
        allowed = related[0, relation, s]
        if not truth:
            allowed = full & ~allowed
        if (allowed & low if x == y else allowed & domain[y]) != 0:
            return True
    return False


@kernel("boolean(int64[::1], int64, int64, int64, int64[:, :, ::1], boolean, int64)")
def _revise(domain, x, y, relation, related, truth, full):
    """Leave out what would make an atom false (or true); an item may be left without a state. Returns whether any was."""
    changed = False
    for back in range(1 if x == y else 2):
        one, two = (y, x) if back else (x, y)
        left = domain[one]
        while left:
            low = left & -left
            s = popcount(low - 1)
            left ^= low
            allowed = related[back, relation, s]
            if not truth:
                allowed = full & ~allowed
            if (allowed & low if x == y else allowed & domain[two]) == 0:
                domain[one] ^= low
                changed = True
    return changed


@kernel("boolean(int64[::1], int64[:, ::1], int64, int64, int64, int64[:, :, ::1], int64)")
def _combine(domain, atoms, code, first, number, related, full):
    """Narrow by one clue; an item has no state left if it cannot hold. Returns whether anything changed."""
    if code == _ALL:
        changed = False
        for k in range(first, first + number):
            changed |= _revise(domain, atoms[k, 0], atoms[k, 1], atoms[k, 2], related, True, full)
        return changed
    a, b = atoms[first], atoms[first + 1]
    a_true = _possible(domain, a[0], a[1], a[2], related, True, full)
    b_true = _possible(domain, b[0], b[1], b[2], related, True, full)
    if code == _IF:
        if not _possible(domain, a[0], a[1], a[2], related, False, full):
            return _revise(domain, b[0], b[1], b[2], related, True, full)
        return False if b_true else _revise(domain, a[0], a[1], a[2], related, False, full)
    changed = False
    if not b_true or not _possible(domain, a[0], a[1], a[2], related, False, full):
        changed |= _revise(domain, a[0], a[1], a[2], related, True, full)
        changed |= _revise(domain, b[0], b[1], b[2], related, False, full)
    elif not a_true or not _possible(domain, b[0], b[1], b[2], related, False, full):
        changed |= _revise(domain, a[0], a[1], a[2], related, False, full)
        changed |= _revise(domain, b[0], b[1], b[2], related, True, full)
    return changed


@kernel("boolean(int64[::1], int64, int64, int64[:, ::1], int64[:, ::1], int64[:, :, ::1], int64[::1])")
def propagate(domain, seats, turns, atoms, clues, related, active):
    """Narrow `domain` in place as far as it goes; False if an item has no state left, or a seat nobody."""
    full = (np.int64(1) << (seats * turns)) - 1
    here = (np.int64(1) << turns) - 1
    changed = True
    while changed:
        changed = False
        for start in range(0, domain.shape[0], seats):
            for p in range(seats):
                mask = here << (p * turns)
                holders, last, owner = 0, -1, -1
                for i in range(start, start + seats):
                    if domain[i] == 0:
                        return False
                    if domain[i] & mask:
                        holders += 1
                        last = i
                        if domain[i] & ~mask == 0:
                            if owner >= 0:
                                return False
                            owner = i
                if holders == 0:
                    return False
                if owner >= 0 and holders > 1:
                    for i in range(start, start + seats):
                        if i != owner and domain[i] & mask:
                            domain[i] &= ~mask
                            changed = True
                elif holders == 1 and domain[last] & ~mask:
                    domain[last] &= mask
                    changed = True
        for c in active:
            if _combine(domain, atoms, clues[c, 0], clues[c, 1], clues[c, 2], related, full):
                changed = True
                for k in range(clues[c, 1], clues[c, 1] + clues[c, 2]):
                    if domain[atoms[k, 0]] == 0 or domain[atoms[k, 1]] == 0:
                        return False
    return True


@kernel(
    "int64(int64[::1], int64, int64, int64[:, ::1], int64[:, ::1], int64[:, :, ::1], int64[::1], uint64[::1], "
    "int64[:, ::1], int64[::1])"
)
def _search(start, seats, turns, atoms, clues, related, active, state, found, nodes):
    """Find answers up to the rows of `found`: the states of all items. state: a random stream for a random order, or empty.

    nodes: [spent, budget], spent is added to. Returns how many were found, or -1 - (so many) if the budget ran out.
    """
    items = start.shape[0]
    stack = np.empty((items + 2, items), dtype=np.int64)
    chosen = np.empty(items + 2, dtype=np.int64)
    rest = np.empty(items + 2, dtype=np.int64)  # states of chosen[depth] that are still to be tried
    stack[0, :] = start
    count = 0
    if not propagate(stack[0], seats, turns, atoms, clues, related, active):
        return count
    depth = 0
    fresh = True
    while True:
        if fresh:
            fresh = False
            best, size, ties = -1, 65, 0
            for i in range(items):
                many = popcount(stack[depth, i])
                if many > 1 and many < size:
                    best, size, ties = i, many, 1
                elif many == size and state.shape[0] > 0:
                    ties += 1
                    if below(state, ties) == 0:
                        best = i
            if best < 0:
                for i in range(items):
                    found[count, i] = popcount(stack[depth, i] - 1)
                count += 1
                if count == found.shape[0]:
                    return count
                depth -= 1
            else:
                chosen[depth] = best
                rest[depth] = stack[depth, best]
        while depth >= 0 and rest[depth] == 0:
            depth -= 1
        if depth < 0:
            return count
        if nodes[0] >= nodes[1]:
            return -1 - count
        nodes[0] += 1
        bit = rest[depth] & -rest[depth]
        if state.shape[0] > 0:
            mask = rest[depth]
            for _ in range(below(state, popcount(mask))):
                mask &= mask - 1
            bit = mask & -mask
        rest[depth] ^= bit
        stack[depth + 1, :] = stack[depth]
        stack[depth + 1, chosen[depth]] = bit
        if propagate(stack[depth + 1], seats, turns, atoms, clues, related, active):
            depth += 1
            fresh = True


class Lines:
    """A table as arrays. Anything out of range is a ValueError, since kernels check nothing."""

    def __init__(self, table: SeatTable) -> None:
        n, turns, items = table.seats, table.turns, table.seats * table.groups
        states = n * turns
        if not (2 <= n <= _SEATS and 1 <= table.groups <= 2 and turns in (1, 2) and table.groups * turns < 4):
            raise ValueError(
                f"a SeatTable has 2 to {_SEATS} seats and one thing to find besides persons at most, got {table!s:.60}"
            )
        masks = [table.start, *table.relations]
        if len(table.start) != items or any(len(row) != states for row in masks[1:]):
            raise ValueError(f"a SeatTable has masks of {items} items and relations of {states} states")
        if any(not 0 <= mask < 1 << states for row in masks for mask in row):
            raise ValueError(f"a mask of a SeatTable has {states} bits")
        for x, y, relation in table.atoms:
            if not (0 <= x < items and 0 <= y < items and 0 <= relation < len(table.relations)):
                raise ValueError(f"an atom of a SeatTable is out of range: {(x, y, relation)}")
        for code, first, number in table.clues:
            whole = number == 2 if code in (_EITHER, _IF) else code == _ALL and number >= 1
            if not whole or not 0 <= first <= len(table.atoms) - number:
                raise ValueError(f"a clue of a SeatTable is out of range: {(code, first, number)}")
        self.start = np.array(table.start, dtype=np.int64)
        self.seats, self.turns = n, turns
        self.atoms = np.array(table.atoms, dtype=np.int64).reshape(-1, 3)
        self.clues = np.array(table.clues, dtype=np.int64).reshape(-1, 3)
        forward = np.array(table.relations, dtype=np.int64).reshape(-1, states)
        bits = forward[:, :, None] >> np.arange(states) & 1  # bits[k, s, t]: t may go with s
        backward = (bits << np.arange(states)[None, :, None]).sum(axis=1)
        self.related = np.ascontiguousarray(np.stack([forward, backward]), dtype=np.int64)
        self.every = np.arange(len(table.clues))

    def search(self, found: Any, budget: int, active: Any, state: Any = SURE) -> tuple[int, int]:
        """Answers and nodes."""
        nodes = np.array([0, budget], dtype=np.int64)
        here = (self.start, self.seats, self.turns, self.atoms, self.clues, self.related, active, state, found, nodes)
        return int(_search(*here)), int(nodes[0])

    def closed(self, domain: Any) -> bool:
        """Narrow these domains by all clues; False for a contradiction."""
        return bool(propagate(domain, self.seats, self.turns, self.atoms, self.clues, self.related, self.every))

    def values(self, found: Any) -> Any:
        """States of items [k, items] as answers by slot."""
        n, turns = self.seats, self.turns
        seats = (found // turns).reshape(len(found), found.shape[1] // n, n)
        values = seats.argsort(axis=2).reshape(found.shape)
        if turns == 1:
            return values
        return np.concatenate([values, np.take_along_axis(found % turns, values, axis=1)], axis=1)


def answers(table: SeatTable, limit: int, budget: int) -> Finding:
    """See kernels.answers; at most `budget` states are tried."""
    lines = Lines(table)
    return listed(lambda found: lines.search(found, budget, lines.every), limit, len(lines.start), np.int64, lines.values)


def minimize(table: SeatTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """See kernels.minimize; `budget` bounds each proof."""
    lines = Lines(table)
    found: Any = np.empty((2, len(lines.start)), dtype=np.int64)
    many = len(table.clues)
    return one_by_one(many, order, keep, lambda stays: lines.search(found, budget, np.flatnonzero(stays))[0])


def sample(table: SeatTable, rng: Rng) -> Slots | None:
    """A random answer: an even draw where there are fewer than 4,096, else the end of a random dive. None if there is none."""
    first = answers(table, _EVEN_BELOW, _SAMPLE_NODES)
    if first.exhausted:
        return even(first.answers, rng)
    lines = Lines(table)
    found: Any = np.empty((1, len(lines.start)), dtype=np.int64)
    if lines.search(found, _SAMPLE_NODES, lines.every, state_of(rng.child("seats")))[0] != 1:
        raise Discarded("budget", f"no answer within {_SAMPLE_NODES} nodes")
    values: Slots = tuple(lines.values(found)[0].tolist())
    return values
