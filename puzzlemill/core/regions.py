"""Regions of a grid: connected areas, maps that give the zone of every cell, random jigsaw zones. Cells are numbered row by row.

Sets of cells are integers with a bit for each cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from puzzlemill.core.errors import BadParams, Discarded
from puzzlemill.core.rng import Rng

Units = tuple[tuple[int, ...], ...]  # groups of cells

_STEPS = 120  # of the walk to random zones, per cell: from 100 on zones look no more like boxes than like each other
_WALKS = 200  # short ones more, until no zone is a rectangle


@lru_cache(maxsize=64)
def neighbours(rows: int, cols: int) -> tuple[tuple[int, int], ...]:
    """The pairs of cells that share a side."""
    pairs = [(i, i + 1) for i in range(rows * cols) if i % cols < cols - 1]
    return tuple(pairs + [(i, i + cols) for i in range(rows * cols - cols)])


@lru_cache(maxsize=64)
def around(rows: int, cols: int) -> tuple[int, ...]:
    """The set of cells that share a side with each cell."""
    near = [0] * (rows * cols)
    for i, j in neighbours(rows, cols):
        near[i] |= 1 << j
        near[j] |= 1 << i
    return tuple(near)


def connected(cells: int, near: Sequence[int]) -> bool:
    """Return whether these cells, at least one, hang together. near: see around()."""
    reached = fresh = cells & -cells
    while fresh:
        grown = 0
        while fresh:
            low = fresh & -fresh
            grown |= near[low.bit_length() - 1]
            fresh ^= low
        fresh = grown & cells & ~reached
        reached |= fresh
    return reached == cells


@lru_cache(maxsize=64)
def blocks(rows: int, cols: int, high: int, wide: int) -> tuple[int, ...]:
    """The map of a grid divided into rectangles of this height and width."""
    return tuple([i // cols // high * (cols // wide) + i % cols // wide for i in range(rows * cols)])


@lru_cache(maxsize=64)
def zone_cells(zones: tuple[int, ...]) -> Units:
    """The cells of every zone of a map, ascending."""
    cells: list[list[int]] = [[] for _ in range(max(zones) + 1)]
    for i, zone in enumerate(zones):
        cells[zone].append(i)
    return tuple([tuple(each) for each in cells])


@lru_cache(maxsize=64)
def rectangles(rows: int, cols: int, size: int) -> frozenset[int]:
    """Every rectangle of so many cells."""
    found = set()
    for high in range(1, size + 1):
        wide = size // high
        if high * wide == size:
            for top in range(rows - high + 1):
                for left in range(cols - wide + 1):
                    found.add(sum(1 << cols * (top + r) + left + c for r in range(high) for c in range(wide)))
    return frozenset(found)


def check_map(args: Sequence[Any], rows: int, cols: int, size: int) -> None:
    """Raise BadParams unless these are the arguments of a rule "zones": one map of connected zones of so many cells each,
    numbered in the order of their first cells.
    """
    count, zones = rows * cols // size, args[0]
    if len(args) != 1 or type(zones) is not tuple or len(zones) != rows * cols:
        raise BadParams(
            f"rules: zones takes one list with the zone of each of the {rows * cols} cells, got {str(args)[:60]}; "
            "leave it out to have zones drawn"
        )
    for i, zone in enumerate(zones):
        if type(zone) is not int or not 0 <= zone < count:
            raise BadParams(f"rules: zones are numbered 0 to {count - 1}, got {str(zone)[:20]} for cell {i}")
    counts = [zones.count(zone) for zone in range(count)]
    if set(counts) != {size}:
        raise BadParams(f"rules: zones must have {size} cells each, got {counts}")
    first = list(dict.fromkeys(zones))
    if first != sorted(first):
        raise BadParams(f"rules: zones must be numbered in the order of their first cells, got {first}")
    near = around(rows, cols)
    for zone, cells in enumerate(zone_cells(zones)):
        if not connected(sum([1 << i for i in cells]), near):
            raise BadParams(f"rules: the cells of a zone must hang together, those of zone {zone} do not")


def diagonals(n: int) -> Units:
    """The cells of the two main diagonals of a square."""
    return tuple([(n + 1) * i for i in range(n)]), tuple([(n - 1) * (i + 1) for i in range(n)])


def jigsaw(rows: int, cols: int, start: Sequence[int], rng: Rng) -> tuple[int, ...]:
    """A random map of connected zones of as many cells each as in the map `start`, none of them a rectangle.

    A random walk from there: two cells of different zones change places where both zones still hang together. A step is
    proposed as often as its inverse, so that in the long run every division that the walk reaches is equally likely.
    """
    near, zone, count = around(rows, cols), list(start), rows * cols
    cells = [sum([1 << i for i in each]) for each in zone_cells(tuple(start))]
    oblong = rectangles(rows, cols, start.count(0))
    steps = _STEPS * count
    for _ in range(_WALKS):
        for _ in range(steps):
            i, j = divmod(rng.below(count * count), count)
            a, b = zone[i], zone[j]
            one, other = 1 << i, 1 << j
            if a == b or not near[i] & cells[b] & ~other or not near[j] & cells[a] & ~one:
                continue
            here, there = cells[a] ^ one | other, cells[b] ^ other | one
            if connected(here, near) and connected(there, near):
                cells[a], cells[b] = here, there
                zone[i], zone[j] = b, a
        if not any(area in oblong for area in cells):
            order = {k: place for place, k in enumerate(dict.fromkeys(zone))}
            return tuple([order[k] for k in zone])
        steps = count
    raise Discarded("zones", f"no walk of {_WALKS} led to irregular zones only")


@lru_cache(maxsize=64)
def peers(n: int, units: Units) -> tuple[tuple[int, ...], ...]:
    """Of each cell of a square the others of its row, of its column and of these units."""
    lines = [*[range(n * r, n * r + n) for r in range(n)], *[range(c, n * n, n) for c in range(n)], *units]
    return tuple(
        [tuple(dict.fromkeys([i for unit in lines if cell in unit for i in unit if i != cell])) for cell in range(n * n)]
    )
