"""Bit masks: sets of cells, values or places as integers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

_SMALL = 1 << 12  # masks below are kept with their bits


def bits(mask: int) -> Iterator[int]:
    """Positions of the bits that are set, ascending."""
    return iter(bits_of(mask)) if mask < _SMALL else _each(mask)


@lru_cache(maxsize=_SMALL)
def bits_of(mask: int) -> tuple[int, ...]:
    """The same as a tuple that is kept, for small masks that recur."""
    return tuple(_each(mask))


def _each(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def mask_of(places: Iterable[int]) -> int:
    return sum([1 << place for place in places])


def enough(patterns: Sequence[int], known: int, ones: int) -> int:
    """Some of the known cells of a line, none to spare, that every one of these patterns (masks of ones) has otherwise."""
    clashes = {(pattern ^ ones) & known for pattern in patterns}
    left = known
    while left:
        fewer = known & ~(left & -left)
        left &= left - 1
        if all(clash & fewer for clash in clashes):
            known = fewer
    return known


def hitting(clashes: set[int], first: int) -> int:
    """Bits, none to spare, of which every clash has one; bits of `first` rather than others."""
    chosen = 0
    for clash in sorted(clashes, key=lambda clash: (clash.bit_count(), clash)):
        if not clash & chosen:
            pick = clash & first or clash
            chosen |= pick & -pick
    for b in bits(chosen):
        fewer = chosen ^ 1 << b
        if all(clash & fewer for clash in clashes):
            chosen = fewer
    return chosen
