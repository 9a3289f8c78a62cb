"""Sudoku's private library: the groups of cells that its rules speak of, the graph of its symmetries, and its text form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from puzzlemill import family as f
from puzzlemill.core.regions import Units, blocks, check_map, diagonals, jigsaw, neighbours, peers, zone_cells

BOXES = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 12: (3, 4), 16: (4, 4), 25: (5, 5)}  # size: rows, columns of a box
_SIZES = ", ".join(map(str, BOXES))
FORM = f.SquareGrid("size", "Give the complete grid, row by row, with the given cells included.")


class Cells(f.Givens):
    def jars(self, spec: f.Spec[Any], values: Sequence[int], cell: int) -> bool:
        """Return whether another cell of its row, column, zone or diagonal shows the same."""
        value, alike = values[cell], peers(spec.params.size, further_units(spec)[0])[cell]
        return value != f.BLANK and any(values[i] == value for i in alike)

    def deep_odds(self, puzzle: f.Puzzle[Any, Any]) -> tuple[int, int]:
        """With more than half of the cells given there are none."""
        return (0, 1) if 2 * len(puzzle.clues) > FORM.cells(puzzle.spec) else (1, 2)


CLUES = Cells(FORM, field="givens")


def draw_zones(spec: f.Spec[Any], rng: f.Rng) -> tuple[f.Arg, ...]:
    n = spec.params.size
    return (jigsaw(n, n, blocks(n, n, *BOXES[n]), rng.child("zones")),)


def check_zones(spec: f.Spec[Any], args: tuple[f.Arg, ...]) -> None:
    check_map(args, *(spec.params.size,) * 3)


def draw_max_box(spec: f.Spec[Any], rng: f.Rng) -> tuple[f.Arg, ...]:
    return (rng.child("max_box").below(spec.params.size),)


def check_max_box(spec: f.Spec[Any], args: tuple[f.Arg, ...]) -> None:
    n = spec.params.size
    if len(args) != 1 or type(args[0]) is not int or not 0 <= args[0] < n:
        raise f.BadParams(
            f"rules: max_box takes one number from 0 to {n - 1}, got {str(args)[:60]}; leave it out to have one drawn"
        )


@lru_cache(maxsize=64)
def zones_of(spec: f.Spec[Any]) -> tuple[int, ...]:
    """The zone of every cell: everything but the checker reads zones from here, whatever their form."""
    n = spec.params.size
    if n not in BOXES:
        raise f.BadRow(f"sudoku.size must be one of {_SIZES}, got {n}")
    rule = spec.rule("zones")
    if rule is None:
        return blocks(n, n, *BOXES[n])
    drawn = rule.args[0] if rule.args else ()
    if type(drawn) is not tuple or len(drawn) != n * n or not all(type(zone) is int and 0 <= zone < n for zone in drawn):
        raise f.BadRow(f"sudoku.zones: expected the zone of each of {n * n} cells, 0 to {n - 1}, got {str(drawn)[:60]}")
    return tuple([zone for zone in drawn if type(zone) is int])


def heaviest(spec: f.Spec[Any]) -> Units:
    """The zones' cells, that one first whose score is to be the greatest."""
    rule = spec.rule("max_box")
    units = zone_cells(zones_of(spec))
    heavy = rule.args[0] if rule is not None and rule.args else None
    if type(heavy) is not int or not 0 <= heavy < len(units):
        raise f.BadRow(f"sudoku.max_box: expected a zone from 0 to {len(units) - 1}, got {str(heavy)[:60]}")
    return (units[heavy], *units[:heavy], *units[heavy + 1 :])


@lru_cache(maxsize=64)
def further_units(spec: f.Spec[Any]) -> tuple[Units, tuple[str, ...]]:
    """The groups of cells besides rows and columns that hold every value once, and the names of their rules."""
    units, label = zone_cells(zones_of(spec)), "zones" if spec.rule("zones") else "box"
    across = diagonals(spec.params.size) if spec.rule("diagonals") else ()
    return (*units, *across), (label,) * len(units) + ("diagonals",) * len(across)


# ---- symmetry -----------------------------------------------------------------------------------------------------------


def shape(spec: f.Spec[Any], placed: Sequence[tuple[int, int]]) -> f.ColouredGraph:
    """One vertex for each clue, joined to its row, its column and its value; a row belongs to a band of boxes, a band to the side
    of rows, and so for columns. So rows move within bands, bands as a whole, values freely, and the two sides change places
    exactly if boxes are square: the whole group of the grid, without a vertex for any box or blank cell.

    Under optional rules cells are vertices too, joined to their rows, columns, zones and diagonals (_ruled_frame).
    """
    n = spec.params.size
    if spec.rules:
        colours, edges, first_value = _ruled_frame(spec)
        return f.ColouredGraph(colours, edges + tuple([(cell, first_value + value) for cell, value in placed]))
    colours, edges = _plain_frame(n)
    clue_edges = []
    for at, (cell, value) in enumerate(placed, len(colours)):
        clue_edges += [(cell // n, at), (n + cell % n, at), (2 * n + value, at)]
    return f.ColouredGraph(colours + (3,) * len(placed), edges + tuple(clue_edges))


@lru_cache(maxsize=16)
def _plain_frame(n: int) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    """Vertices and edges of the shape without clues: n rows, n columns, n values, then bands, stacks and the two sides."""
    high, wide = BOXES[n]
    across = int(high != wide)  # 1 keeps rows and columns apart
    bands, stacks = n // high, n // wide
    colours = (0,) * n + (4 * across,) * n + (1,) * n + (2,) * bands + (2 + 4 * across,) * stacks + (5, 5 + 2 * across)
    band, stack, side = 3 * n, 3 * n + bands, 3 * n + bands + stacks
    edges = [(r, band + r // high) for r in range(n)] + [(n + c, stack + c // wide) for c in range(n)]
    edges += [(band + b, side) for b in range(bands)] + [(stack + s, side + 1) for s in range(stacks)]
    return colours, tuple(edges)


@lru_cache(maxsize=64)
def _ruled_frame(spec: f.Spec[Any]) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...], int]:
    """Vertices and edges of the shape without clues under optional rules, and the first value's vertex.

    Cells, rows and columns, zones, diagonals and values, each cell joined to what it lies in. Under nonconsecutive neighbours
    are joined, and values in a row, which may be turned over. Under max_box one zone stands out, values are joined in a row, and
    so are the places 1 .. n within a zone, with each cell joined to its place; the ends of both rows are joined, since turning
    over both at once keeps every difference of scores (each zone holds every number), and nothing else does.
    """
    n = spec.params.size
    zones = zones_of(spec)
    ordered = spec.rule("max_box") is not None
    apart = spec.rule("nonconsecutive") is not None
    heavy = heaviest(spec)[0][0] if ordered else -1
    colours = [8] * (n * n) + [9] * (2 * n)
    edges = [(i, n * n + i // n) for i in range(n * n)] + [(i, n * n + n + i % n) for i in range(n * n)]
    at = len(colours)
    colours += [11 if ordered and zone == zones[heavy] else 10 for zone in range(n)]
    edges += [(i, at + zone) for i, zone in enumerate(zones)]
    if spec.rule("diagonals"):
        for cells in diagonals(n):
            edges += [(i, len(colours)) for i in cells]
            colours.append(12)
    if apart:
        edges += neighbours(n, n)
    value = len(colours)
    colours += [13] * n
    if apart or ordered:
        edges += [(value + v, value + v + 1) for v in range(n - 1)]
    if ordered:
        place = len(colours)
        colours += [14] * n
        edges += [(place + k, place + k + 1) for k in range(n - 1)]
        edges += [(i, place + k) for cells in zone_cells(zones) for k, i in enumerate(cells)]
        edges += [(value, place), (value + n - 1, place + n - 1)]
    return tuple(colours), tuple(edges), value
