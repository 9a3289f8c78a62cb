"""Orders of the values of a line, and fillings of a diagonal, by what is seen from their ends.

Units are the rows (0..n-1) and the columns (n..2n-1); the near end of a unit is its left or its top. An order of a unit is a
mask: bit n*p + v says that its cell p holds value v. In a diagonal values may repeat.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations

from puzzlemill.solvers.deduce.masks import bits, mask_of, union

NEAR, FAR = 1, 2  # ends of a unit, as bits


def ends_of(n: int, k: int, ends: int = NEAR | FAR) -> tuple[int, ...]:
    """The lines of hints at these ends of a unit, the near one first."""
    near, far = (2 * n + k, 3 * n + k) if k < n else (k - n, k)
    return (near, far) if ends == NEAR | FAR else (near if ends == NEAR else far,)


@lru_cache(maxsize=16)
def _all_orders(n: int, summed: bool) -> tuple[tuple[int, int, int], ...]:
    """Every order of n values as a mask, with what is seen of it from the near and from the far end."""
    found = []
    for order in permutations(range(n)):
        mask = mask_of(n * p + v for p, v in enumerate(order))
        found.append((mask, _seen(order, summed), _seen(order[::-1], summed)))
    return tuple(found)


def _seen(order: Sequence[int], summed: bool) -> int:
    top, total = -1, 0
    for v in order:
        if v > top:
            top = v
            total += v + 1 if summed else 1
    return total


@lru_cache(maxsize=4096)
def orders(n: int, summed: bool, near: int, far: int) -> tuple[int, ...]:
    """The masks of all orders with these hints; 0 is no hint."""
    return tuple([mask for mask, front, back in _all_orders(n, summed) if near in (0, front) and far in (0, back)])


def beyond(n: int, summed: bool, near: int, far: int, has: int, fits: int) -> list[int]:
    """The orders with one of the values `has` that show too much at the end with a hint, if those among `fits` show too little
    there, all of them; or the other way round. So much goes without saying where these are ruled out first.
    """
    found = []
    for b in bits(has):
        sides: tuple[list[int], list[int]] = [], []
        seen = [False, False]
        for mask, front, back in _all_orders(n, summed):
            if mask >> b & 1 and (makes := front if near else back) != (hint := near or far):
                sides[makes > hint].append(mask)
                seen[makes > hint] |= not mask & ~fits
        if seen[0] != seen[1]:
            found += sides[seen[0]]
    return found


@lru_cache(maxsize=4096)
def union_of(n: int, summed: bool, near: int, far: int) -> int:
    """All that some order with these hints has."""
    return union(orders(n, summed, near, far))


def ways(masks: Sequence[int], k: int) -> list[int] | None:
    """The candidates of each cell in some filling with k seen from its first cell; None if there is none."""
    values = [list(bits(mask)) for mask in masks]
    reached = [{-1: 1}]  # by the tallest so far, the counts that there can be, as bits
    for own in values:
        after: dict[int, int] = {}
        for top, counts in reached[-1].items():
            for v in own:
                now, moved = (v, counts << 1) if v > top else (top, counts)
                after[now] = after.get(now, 0) | moved
        reached.append(after)
    right = {top: 1 << k for top, counts in reached[-1].items() if counts >> k & 1}
    if not right:
        return None
    allowed = [0] * len(masks)
    for p in range(len(masks) - 1, -1, -1):
        before: dict[int, int] = {}
        for top, counts in reached[p].items():
            for v in values[p]:
                then = right.get(v, 0) >> 1 if v > top else right.get(top, 0)
                if then & counts:
                    allowed[p] |= 1 << v
                    before[top] = before.get(top, 0) | then
        right = before
    return allowed
