"""Sudoku's private library: the groups of cells that its rules speak of, the graph of its symmetries, and its text form."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import isqrt
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


# ---- text form ----------------------------------------------------------------------------------------------------------

_SIGNS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # of one character for 1, 2, ...; from the tenth on names of zones too
_WHOLE = tuple([size * size for size in BOXES])  # cells of a grid
_ALONE = re.compile(r"\s*([0-9A-Za-z._]+)(?:[\s,;].*)?")
_FRAME = re.compile(r"[-+=|\s]+")  # a line that only draws the boxes

_Row = tuple[f.Line, list[tuple[int, str]]]  # the cells of a row with their columns


class Text(f.TextForm[Any, f.NoBoard]):
    """A grid as people write it: rows of signs with or without blanks and frames, or all of it in one line; a map of zones."""

    def parse(self, lines: Sequence[f.Line]) -> f.Puzzle[Any, f.NoBoard]:
        options = f.heading(lines, "sudoku", ("diagonals", "nonconsecutive"), ("max_box", "symbols"))
        at = next((i for i, line in enumerate(lines) if line.text.strip().rstrip(":").casefold() == "zones"), len(lines))
        rows = _cells(lines[0], lines[1:at])
        n = len(rows)
        if n not in BOXES:
            raise lines[min(1, len(lines) - 1)].bad(0, f"expected a grid of one of the sizes {_SIZES}, got {n} rows")
        symbols = tuple(options.pop("symbols", "")) or f.numerals(n)
        if len({symbol.casefold() for symbol in symbols} - {".", "_", "|"}) != n:
            raise lines[0].bad(0, f"symbols: expected {n} different signs, none of them . _ |, got {''.join(symbols)[:40]!r}")
        values = {symbol: v for v, symbol in enumerate(symbols)}
        if symbols == f.numerals(n):
            values |= {sign: v for v, sign in enumerate(_SIGNS[:n])} | {sign.lower(): v for v, sign in enumerate(_SIGNS[:n])}
        spec, clues = f.Spec(self.family.params(n)), []
        for r, (line, row) in enumerate(rows):
            for c, (column, sign) in enumerate(row):
                if sign in values:
                    clues.append(CLUES.at(spec, n * r + c, values[sign]))
                elif sign not in (".", "_", "0"):
                    shown = f"{symbols[0]} to {symbols[-1]}" if symbols == f.numerals(n) else f"one of {''.join(symbols)}"
                    raise line.bad(column, f"expected {shown}, or . where the cell is empty, got {sign[:20]!r}")
        for name in options:
            spec = spec.with_rule(f.Rule(name)) if name != "max_box" else spec
        zones: tuple[str, ...] = ()
        if at < len(lines):
            zones = tuple([sign for _, row in _cells(lines[at], lines[at + 1 :], n) for _, sign in row])
            first = {sign: zone for zone, sign in enumerate(dict.fromkeys(zones))}
            drawn = (tuple([first[sign] for sign in zones]),)
            try:
                check_map(drawn, n, n, n)
            except f.BadParams as error:
                raise lines[at].bad(0, str(error).removeprefix("rules: ")) from None
            spec = spec.with_rule(f.Rule("zones", drawn))
        if "max_box" in options:
            names = tuple(dict.fromkeys(zones)) or f.numerals(n)
            if options["max_box"] not in names:
                what = f"zones {', '.join(names)}" if zones else f"boxes 1 to {n}, from left to right and from top to bottom"
                raise lines[0].bad(0, f"max_box: expected one of the {what}, got {options['max_box'][:20]!r}")
            spec = spec.with_rule(f.Rule("max_box", (names.index(options["max_box"]),)))
        return replace(self.family.puzzle(spec, clues), style=f.Style(symbols=symbols))

    def format(self, puzzle: f.Puzzle[Any, f.NoBoard]) -> str:
        spec, n, symbols = puzzle.spec, puzzle.spec.params.size, puzzle.style.symbols
        words = ["sudoku", *[rule.name for rule in spec.rules if rule.name in ("diagonals", "nonconsecutive")]]
        signs = tuple(_SIGNS[:n])
        if symbols != f.numerals(n):
            signs = symbols
            words.append(f"symbols={''.join(symbols)}")
            if any(len(sign) != 1 or sign.isspace() or sign in "._|#" for sign in signs):
                raise f.BadRow(f"sudoku: the text form has no way to write the symbols {', '.join(symbols)[:60]}")
        zones = zones_of(spec)
        if spec.rule("max_box"):
            heavy = zones[heaviest(spec)[0][0]]
            words.append(f"max_box={_SIGNS[9:][heavy] if spec.rule('zones') else heavy + 1}")
        cells = ["."] * (n * n)
        for cell, value in CLUES.all_placed(spec, puzzle.clues):
            if cells[cell] not in (".", signs[value]):
                raise f.BadRow(f"sudoku: the text form has no way to give {FORM.place(spec, cell)} two values")
            cells[cell] = signs[value]
        lines = ["".join(cells[n * r : n * r + n]) for r in range(n)]
        if spec.rule("zones"):
            names = [_SIGNS[9:][zone] for zone in zones]
            lines += ["zones", *["".join(names[n * r : n * r + n]) for r in range(n)]]
        return "\n".join([" ".join(words), *lines]) + "\n"

    def split(self, lines: Sequence[f.Line]) -> Iterator[Sequence[f.Line]]:
        """Lines of n * n signs are a puzzle each; 16 lines of 16 signs are one of size 16."""
        body = lines[1:]
        tall = len(body) == 16 and all(_alone(line, (16,)) for line in body)
        if tall or not any(_alone(line) for line in body) or any(line.text.casefold().startswith("zones") for line in body):
            yield lines
            return
        for line in body:
            end = len(line.text) - len(line.text.lstrip()) + len(_alone(line))
            name = line.note or line.text[end:].strip(" ,;")
            yield (lines[0], replace(line, text=line.text[:end], note=name) if _alone(line) else line)


def _alone(line: f.Line, lengths: Collection[int] = _WHOLE) -> str:
    """The cells of a whole grid in one line, "" if it holds none. What follows them is its name."""
    found = _ALONE.fullmatch(line.text)
    return found[1] if found is not None and len(found[1]) in lengths else ""


def _cells(head: f.Line, lines: Sequence[f.Line], size: int = 0) -> list[_Row]:
    """n rows of n cells, from n lines or one; of this size if one is given."""
    lines = [line for line in lines if not _FRAME.fullmatch(line.text)]
    if len(lines) == 1 and (text := _alone(lines[0])) and size * size in (0, len(text)):
        line, n = lines[0], isqrt(len(text))
        at = line.text.index(text)
        return [(line, [(at + n * r + c, text[n * r + c]) for c in range(n)]) for r in range(n)]
    if len(lines) == 1 and not size and len(lines[0].words) == 1:
        whole = f"{', '.join(map(str, _WHOLE))} cells in one line"
        raise lines[0].bad(0, f"expected a whole grid of {whole}, got {len(lines[0].text.strip())}")
    rows: list[_Row] = []
    n = size or len(lines)
    for line in lines:
        text = line.text.replace("|", " ")
        row = [(word.column, word.text) for word in f.Line(line.number, text).words]
        if len(row) != n:
            row = [(column, sign) for column, sign in enumerate(text) if sign != " "]
        if len(row) != n:
            raise line.bad(0, f"expected {n} cells, as many as there are rows, got {len(row)}")
        rows.append((line, row))
    if len(rows) != n or not rows:
        raise head.bad(0, f"expected {n or 'the'} rows of a grid below this line, got {len(rows)}")
    return rows
