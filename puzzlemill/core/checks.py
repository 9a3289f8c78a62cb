"""Sentences that check a right answer of a grid with its counts, for `Family.checks`; each stands alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from puzzlemill.core.words import NUMBERS, listed, plural


def _lines(grid: Sequence[Sequence[int]]) -> list[tuple[str, Sequence[int]]]:
    """Rows, then columns, by name."""
    lines: list[tuple[str, Sequence[int]]] = [(f"Row {r}", row) for r, row in enumerate(grid, 1)]
    return lines + [(f"Column {c}", column) for c, column in enumerate(zip(*grid, strict=True), 1)]


def halves(answer: Sequence[Sequence[int]], symbols: Sequence[str], noun: str) -> list[str]:
    """Lines that hold two values in equal parts, and none three times in a row."""
    said = []
    for name, line in _lines(answer):
        zeros, ones = [f"{NUMBERS[line.count(v)]} {symbols[v]}s" for v in (0, 1)]
        twice = "three" if max(len(list(run)) for _, run in groupby(line)) > 1 else "two"
        reads = " ".join([symbols[v] for v in line])
        said.append(f"{name} reads {reads}: {zeros}, {ones}, and no {twice} equal {noun}s follow each other.")
    return said


def once(
    answer: Sequence[Sequence[int]], symbols: Sequence[str], noun: str, units: Sequence[tuple[str, Sequence[int]]] = ()
) -> list[str]:
    """Those lines that hold every value once, the first of them each together with a further unit, by name and cells."""
    said = []
    for at, (name, line) in enumerate(_lines(answer)):
        if sorted(line) != list(range(len(symbols))):
            continue
        reads = f"{name} reads {' '.join([symbols[v] for v in line])}"
        if at < len(units):
            unit, cells = units[at]
            held = " ".join([symbols[answer[i // len(answer)][i % len(answer)]] for i in cells])
            said.append(f"{reads}, and {unit} reads {held}: each has every {noun} once.")
        else:
            said.append(f"{reads}: every {noun} once.")
    return said


def staying(
    texts: Sequence[Sequence[str]], answer: Sequence[Sequence[int]], ciphered: bool, braced: Sequence[int] = ()
) -> list[str]:
    """Lines in which what stays differs, and how many cells are erased. ciphered: by row, so that columns show nothing.

    braced: cells in brackets, which stay, with at most three erased cells around each.
    """
    cells = [[(v, text) for v, text in zip(*both, strict=True)] for both in zip(answer, texts, strict=True)]
    lines = [("row", row) for row in cells] + [("column", list(column)) for column in zip(*cells, strict=True) if not ciphered]
    said = []
    for i, (name, line) in enumerate(lines):
        stay = [text for v, text in line if v == 0 and text != "."]
        differ = "" if len(stay) < 2 else ", which differ" if len(stay) == 2 else ", all different"
        number = i + 1 if name == "row" else i + 1 - len(cells)
        said.append(
            f"{name.capitalize()} {number} keeps {listed(stay)}{differ}." if stay else f"In {name} {number} no number stays."
        )
    for r, c in [divmod(cell, len(answer[0])) for cell in braced]:
        around = sum([v for row in answer[max(r - 1, 0) : r + 2] for v in row[max(c - 1, 0) : c + 2]])
        erased = plural(around, "cell is", "cells are") if around else "no cell is"
        said.append(f"Row {r + 1} column {c + 1}, in brackets, stays, and {erased} erased around it.")
    gone = plural(sum(v for row in answer for v in row), "erased cell")
    return [*said, f"No two of the {gone} are side by side, and the cells that stay are connected."]


def sums(answer: Sequence[Sequence[int]], totals: Iterable[tuple[int, int]]) -> list[str]:
    """Lines, by number with columns after rows, whose chosen cells have numbers that make these totals."""
    lines, said = _lines(answer), []
    for at, _ in totals:
        name, line = lines[at]
        chosen = [i for i, v in enumerate(line, 1) if v == 1]
        added = f"{' + '.join(map(str, chosen))} = {sum(chosen)}" if len(chosen) > 1 else f"{chosen[0]} alone" if chosen else ""
        said.append(f"{name}: {added or 'no chosen cell, which makes 0'}, as required.")
    return said
