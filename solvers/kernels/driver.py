"""Around the compiled searches of every kind of table: answers in rooms that grow, clues left out one by one, draws begun anew.

A search returns how many answers it counted, and -1 - (answers so far) if its budget ran out first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from puzzlemill.core.errors import BadRow, Discarded
from puzzlemill.core.model import Finding, Slots
from puzzlemill.core.rng import Rng

T = TypeVar("T")
SURE = np.empty(0, dtype=np.uint64)  # the state of a search without random choices
_ROOM = 4096  # answers that are written out at first
_TRIES = 60  # of a random search, with growing budgets


def pairs(clues: Sequence[Sequence[int]], places: int, values: int, what: str) -> tuple[Any, Any]:
    """Clues (place, value) as an array of places and one of values. Raises BadRow for what compiled code could not read."""
    if not clues:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    try:
        where, shown = zip(*clues, strict=True)
    except ValueError:
        raise BadRow(f"a clue of {what} is two numbers, got {str(clues)[:60]}") from None
    if not (0 <= min(where) <= max(where) < places and 0 <= min(shown) <= max(shown) < values):
        raise BadRow(f"a clue of {what} is a place below {places} and a value below {values}, got {str(clues)[:60]}")
    return np.array(where, dtype=np.int64), np.array(shown, dtype=np.int64)


def slots(row: Any) -> Slots:
    """An answer as plain values."""
    return tuple(row.tolist())


def cells_of(masks: Any, cols: int) -> Any:
    """Masks of rows [k, rows] as cells [k, rows * cols]."""
    return (masks[:, :, None] >> np.arange(cols) & 1).reshape(len(masks), masks.shape[1] * cols)


def grid_of(masks: Any, cols: int) -> Slots | None:
    """Masks of rows as an answer; None of None."""
    return None if masks is None else slots(cells_of(masks[None], cols)[0])


def listed(
    search: Callable[[Any], tuple[int, int]],
    limit: int,
    width: int,
    kind: type = np.int8,
    read: Callable[[Any], Any] = np.asarray,
) -> Finding:
    """Up to `limit` answers of a search that takes room [., width] for the first of them, and returns (answers, nodes).

    It stops at `limit`, or when the room is full. Once more with more room gives the same answers in the same order.
    read: makes values of what the search writes.
    """
    room = min(limit, _ROOM)
    while True:
        found: Any = np.empty((room, width), dtype=kind)
        count, nodes = search(found)
        total = count if count >= 0 else -1 - count
        if total < room or room >= limit:
            return Finding(tuple(map(tuple, read(found[:total]).tolist())), 0 <= count < limit, int(nodes))
        room = min(limit, max(total, 16 * room))


def is_only(count: int) -> bool:
    """Return whether a search up to 2 found one answer; False if its budget ran out. Raises ValueError if it found none or two."""
    if count == 0 or count > 1:
        raise ValueError("minimize needs a table with exactly one answer")
    return count == 1


def one_by_one(many: int, order: Sequence[int], keep: int, count: Callable[[Any], int]) -> tuple[int, ...] | None:
    """Leave out clues below `many` in this order, down to `keep`, while the others have one answer.

    count: how many answers the clues that stay (a mask of booleans) have, up to 2; -1 if its budget ran out, and then None is
    returned. Raises ValueError unless all clues have exactly one answer.
    """
    stays, left = np.ones(many, dtype=np.bool_), many
    if not is_only(count(stays)):
        return None
    for place in order:
        if left <= keep:
            break
        stays[place] = False
        found = count(stays)
        if found < 0:
            return None
        if found == 1:
            left -= 1
        else:
            stays[place] = True
    return slots(np.flatnonzero(stays))


def even(answers: Sequence[T], rng: Rng) -> T | None:
    """One of all answers, each equally likely; None if there is none."""
    return rng.pick(answers) if len(answers) else None


def anew(search: Callable[[int], int], budget: int, what: str, tries: int = _TRIES, doubling: int = 4) -> bool:
    """Begin a random search anew until one ends within its budget, which doubles after so many tries; whether it has an answer.

    Raises Discarded if none ends.
    """
    for attempt in range(tries):
        count = search(budget << attempt // doubling)
        if count >= 0:
            return count > 0
    raise Discarded("budget", f"no random answer of {what} in {tries} tries")
