"""Sudoku: the forms in which people write it down."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from math import isqrt
from typing import Any

from puzzlemill import family as f
from puzzlemill.core.regions import check_map
from puzzlemill.generators._sudoku import BOXES, CLUES, FORM, heaviest, zones_of

_SIZES = ", ".join(map(str, BOXES))


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
