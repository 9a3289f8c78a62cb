"""Sudoku (also Number Place).

Fill an n x n grid that is divided into n boxes of equal shape with n symbols:
  row      every row holds every symbol once;
  column   every column holds every symbol once;
  box      every box holds every symbol once.
A cell that is given stays as it is. Optional rules, in any combination that has answers:
  zones           n connected zones of n cells of any shape stand in place of the boxes;
  diagonals       both main diagonals hold every symbol once;
  nonconsecutive  numbers in cells side by side or one above the other never differ by 1;
  max_box         one box (or zone) has a greater score than each other one. Score: the sum over its cells, counted 1, 2, ... from
                  left to right and from top to bottom, of count * number.

Arguments of rules: zones (the zone of every cell, zones numbered by their first cells), max_box (the number of the box or zone,
boxes counted from left to right and from top to bottom, from 0). Left open, they are drawn.

Slots are the cells, row by row, and values are 0 .. n-1; people see the symbols of the look, usually "1" .. "n".
Source: Howard Garns, "Number Place", Dell Pencil Puzzles & Word Games 16 (May 1979); name and 9x9 form by Nikoli.
Seen in HardcoreLogic (2510.12563; the optional rules as in its Table 3) and in LR2Bench (4x4 and 9x9).
broken_rules returns the rule's name, or the id of a given that is broken.

Clue kinds: given (cell, value). Limits: the grid of 25 is dug to half of its cells at most, since proofs get slow below.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from math import isqrt, log10
from typing import Any, ClassVar, final

from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.family import Family, Legacy, Relation, Transform
from puzzlemill.core.model import BLANK, Constraints, LatinTable, Slots, Step
from puzzlemill.core.rng import Rng
from puzzlemill.core.shape import ColouredGraph
from puzzlemill.core.text import Line, heading
from puzzlemill.core.types import (
    Clue,
    Column,
    Draft,
    Example,
    Kind,
    Layout,
    NoBoard,
    Oracle,
    Puzzle,
    Question,
    Rows,
    Rule,
    Spec,
    Style,
)
from puzzlemill.transforms.forms import AddRule, Restyle

Grid = tuple[tuple[int, ...], ...]  # n rows of n values, BLANK unknown

BOXES = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 12: (3, 4), 16: (4, 4), 25: (5, 5)}  # size: rows, columns of a box

# Fewest clues that can be asked for. 4: by enumeration; 9: G. McGuire, B. Tugemann, G. Civario, "There is no 16-clue Sudoku",
# Experimental Mathematics 23 (2014); 25: half of the cells.
_SOME_GIVENS = "family.params.givens above 0 from size 9 on"  # what some transforms need
_FEWEST = {4: 4, 9: 17, 25: 313}

# Puzzles of size 4 up to symmetry by `givens`: those with that many clues and one answer, and the minimal ones with more.
# By enumeration over the two classes of grids (tests/unit/test_sudoku.py).
_CAPACITY_4 = {0: 36, 4: 36, 5: 97, 6: 376, 7: 711, 8: 1040, 9: 980, 10: 788, 11: 414, 12: 210, 13: 56, 14: 22, 15: 2}


# Sizes that go with each optional rule. Size 4 is left out: its puzzles that need the rule are too few to be split.
_RULE_SIZES = {
    "diagonals": (6, 8, 9, 12, 16),
    "max_box": (6, 8, 9, 12, 16),
    "nonconsecutive": (6, 8, 9, 12, 16),
    "zones": (6, 8, 9, 12, 16),
}

# Combinations that have no answers or hardly any, with the sizes. Found with the model: by enumeration of all answers where it
# says "no" or a number of grids, else from 300 drawn divisions of size 6 and at least 20 of the others.
_HOPELESS: tuple[tuple[tuple[int, ...], tuple[str, ...], str], ...] = (
    ((6,), ("diagonals", "nonconsecutive"), "no grid"),
    ((6,), ("max_box", "nonconsecutive"), "48 grids only"),
    ((6,), ("diagonals", "zones"), "few zones only"),
    ((6, 8, 9, 12, 16), ("nonconsecutive", "zones"), "few zones only"),
)

# Under these rules a search by few clues is wide, and thinning takes seconds: the share of cells, in percent, that are given at
# least in grids of 9 and more.
_SHARE_UNDER = {"nonconsecutive": 15, "max_box": 25}

_STEPS = 120  # of the walk to random zones, per cell: from 100 on zones look no more like boxes than like each other
_WALKS = 200  # short ones more, until no zone is a rectangle


@dataclass(frozen=True, slots=True)
class Params:
    """size: rows and columns, one of BOXES.

    givens: how many clues stay where that leaves one answer (else a few more do) and every optional rule is needed (else fewer
        do, down to half as many); 0: a minimal set of clues.
    """

    size: int = 9
    givens: int = 0


@final
class Sudoku(Legacy, Family[Params, NoBoard, Grid, Grid]):
    name: ClassVar[str] = "sudoku"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Sudoku"
    params: ClassVar[Any] = Params
    answer: ClassVar[Any] = Grid
    rules: ClassVar[Any] = ("diagonals", "max_box", "nonconsecutive", "zones")
    replaced: ClassVar[tuple[str, ...]] = ("zones",)
    transforms: ClassVar[tuple[Transform, ...]] = (
        AddRule("zones", kind=Kind.UE1, relation=Relation.FORM, about="zones of any form in place of the boxes"),
        AddRule("diagonals", args=("givens",), about="both main diagonals hold every symbol once"),
        AddRule("nonconsecutive", args=("givens",), about="neighbours never differ by 1", needs=_SOME_GIVENS),
        AddRule("max_box", args=("givens",), about="one box has the greatest score", needs=_SOME_GIVENS),
        # letters have no difference and no product
        Restyle("letters", Kind.UE1, against=("nonconsecutive", "max_box"), about="letters in place of numbers"),
    )
    source: ClassVar[str] = 'Howard Garns, "Number Place", Dell Pencil Puzzles & Word Games 16, May 1979'

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        size, givens = spec.params.size, spec.params.givens
        if size not in BOXES:
            raise BadParams(f"sudoku.size must be one of {', '.join(map(str, BOXES))}, got {size}; set family.params.size")
        if size == 25 and givens < _FEWEST[25]:
            raise BadParams(
                f"sudoku.givens must be {_FEWEST[25]} to 624 for size 25, which keeps at least half of its cells, got {givens}; "
                "set family.params.givens"
            )
        least = 1 if spec.rules else _FEWEST.get(size, 1)
        if givens != 0 and not least <= givens < size * size:
            raise BadParams(
                f"sudoku.givens must be {least} to {size * size - 1} for size {size}, or 0 for a minimal set of clues, "
                f"got {givens}; set family.params.givens"
            )
        if spec.rules:
            _check_rules(spec)
            for name, share in _SHARE_UNDER.items():
                fewest = size * size * share // 100
                if size >= 9 and spec.rule(name) and givens < fewest:
                    raise BadParams(
                        f"sudoku.givens must be {fewest} to {size * size - 1} for size {size} under {name}, got {givens}; "
                        "set family.params.givens"
                    )

    def resolve_rules(self, spec: Spec[Params], rng: Rng) -> Spec[Params]:
        n = spec.params.size
        rules = []
        for rule in spec.rules:
            if rule == Rule("zones"):
                rule = Rule("zones", (_jigsaw(n, rng.child("zones")),))
            elif rule == Rule("max_box"):
                rule = Rule("max_box", (rng.child("max_box").below(n),))
            rules.append(rule)
        return replace(spec, rules=tuple(rules))

    def sample_solution(self, spec: Spec[Params], rng: Rng, oracle: Oracle) -> Grid:
        n = spec.params.size
        values = oracle.sample(Puzzle(self.name, self.version, spec, NoBoard(), (), Question(), _look(n)), rng)
        if values is None:
            raise Discarded("no_answer", "these zones and rules leave none")
        return self.assemble(spec, NoBoard(), values)

    def make_puzzle(self, spec: Spec[Params], hidden: Grid, rng: Rng) -> Draft[Params, NoBoard, Grid, Grid]:
        n = spec.params.size
        values = [v for row in hidden for v in row]
        clues = tuple([choices[v] for choices, v in zip(_all_givens(n), values, strict=True)])
        return Draft(Puzzle(self.name, self.version, spec, NoBoard(), clues, Question(), _look(n)), hidden, hidden)

    def kept(self, spec: Spec[Params]) -> int:
        return spec.params.givens

    def alternatives(self, puzzle: Puzzle[Params, NoBoard], clue: Clue, rng: Rng) -> Iterator[Clue]:
        n = puzzle.spec.params.size
        cell, value = _given(clue, n)
        for other in rng.shuffled(range(n)):
            if other != value:
                yield Clue(clue.id, clue.kind, (cell, other))

    def additions(self, puzzle: Puzzle[Params, NoBoard], rng: Rng) -> Iterator[Clue]:
        shown = set(self.clues.given_slots(puzzle))
        givens = _all_givens(puzzle.spec.params.size)
        for cell in rng.shuffled([i for i in range(len(givens)) if i not in shown]):
            yield from rng.shuffled(givens[cell])

    def larger(self, spec: Spec[Params]) -> Spec[Params] | None:
        sizes = sorted(BOXES)
        size, givens = spec.params.size, spec.params.givens
        if size not in sizes[:-1]:
            return None
        wanted = sizes[sizes.index(size) + 1]
        if givens or wanted == 25:
            givens = max(_FEWEST.get(wanted, 1), givens * wanted * wanted // (size * size))
        rules = tuple([Rule(rule.name) for rule in spec.rules])  # zones of this size are drawn for it
        grown = Spec(Params(wanted, givens), rules)
        try:
            self.validate(grown)
        except BadParams:
            return None
        return grown

    # ---- meaning

    def model(self, spec: Spec[Params], board: NoBoard) -> Constraints:
        n = spec.params.size
        m = Constraints()
        holds = [m.slot(n) for _ in range(n * n)]  # holds[i][v]: cell i holds value v
        for label, cells in _units(spec):
            for v in range(n):
                m.exactly_one([holds[i][v] for i in cells], label=label)
        if spec.rule("nonconsecutive"):
            for i, j in _neighbours(n):
                for v in range(n - 1):
                    m.require(-holds[i][v], -holds[j][v + 1], label="nonconsecutive")
                    m.require(-holds[i][v + 1], -holds[j][v], label="nonconsecutive")
        if spec.rule("max_box"):
            weighed = [
                [tuple([(holds[i][v], k * (v + 1)) for v in range(n)]) for k, i in enumerate(cells, 1)]
                for cells in _heaviest(spec)
            ]
            for other in weighed[1:]:
                m.heavier(weighed[0], other, label="max_box")
        return m

    def state(self, m: Constraints, spec: Spec[Params], board: NoBoard, clue: Clue) -> None:
        cell, value = _given(clue, spec.params.size)
        m.require(m.key[cell][value], label=clue.id)

    def table(self, puzzle: Puzzle[Params, NoBoard]) -> LatinTable:
        n = puzzle.spec.params.size
        clues = tuple([_given(clue, n) for clue in puzzle.clues])
        units, labels, apart, heaviest = _structure(puzzle.spec)
        return LatinTable(n, units, clues, labels, apart, heaviest)

    def slots(self, spec: Spec[Params], board: NoBoard) -> tuple[int, ...]:
        n = spec.params.size
        return (n,) * (n * n)

    def assemble(self, spec: Spec[Params], board: NoBoard, values: Slots) -> Grid:
        n = spec.params.size
        return tuple([values[n * r : n * r + n] for r in range(n)])

    def values(self, spec: Spec[Params], board: NoBoard, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def broken_rules(self, puzzle: Puzzle[Params, NoBoard], answer: Grid, partial: bool = False) -> list[str]:
        n = puzzle.spec.params.size
        least = BLANK if partial else 0
        if len(answer) != n:
            return ["malformed"]
        for row in answer:
            if len(row) != n or min(row) < least or max(row) >= n:
                return ["malformed"]
        broken = []
        for row in answer:
            shown = [v for v in row if v >= 0]
            if len(set(shown)) < len(shown):
                broken.append("row")
                break
        for column in zip(*answer, strict=True):
            shown = [v for v in column if v >= 0]
            if len(set(shown)) < len(shown):
                broken.append("column")
                break
        areas = _areas(puzzle.spec)
        for area in areas:
            shown = [answer[r][c] for r, c in area if answer[r][c] >= 0]
            if len(set(shown)) < len(shown):
                broken.append("zones" if puzzle.spec.rule("zones") else "box")
                break
        if puzzle.spec.rule("diagonals"):
            for diagonal in ([answer[i][i] for i in range(n)], [answer[i][n - 1 - i] for i in range(n)]):
                shown = [v for v in diagonal if v >= 0]
                if len(set(shown)) < len(shown):
                    broken.append("diagonals")
                    break
        if puzzle.spec.rule("nonconsecutive"):
            for r, row in enumerate(answer):
                beside = [(row[c], row[c + 1]) for c in range(n - 1)]
                below = [(row[c], answer[r + 1][c]) for c in range(n)] if r + 1 < n else []
                if any(v >= 0 and w >= 0 and abs(v - w) == 1 for v, w in beside + below):
                    broken.append("nonconsecutive")
                    break
        max_box = puzzle.spec.rule("max_box")
        if max_box:
            heavy = max_box.args[0] if max_box.args else None
            most = None
            others = []
            for k, area in enumerate(areas):
                scores = _scores([answer[r][c] + 1 for r, c in area])
                if scores is None:
                    continue
                if k == heavy:
                    most = scores[1]
                else:
                    others.append(scores[0])
            if most is not None and others and most <= max(others):
                broken.append("max_box")
        for clue in puzzle.clues:
            cell, value = _given(clue, n)
            if answer[cell // n][cell % n] not in (value, BLANK):
                broken.append(clue.id)
        return broken

    def given_slots(self, puzzle: Puzzle[Params, NoBoard]) -> tuple[int, ...]:
        n = puzzle.spec.params.size
        return tuple([_given(clue, n)[0] for clue in puzzle.clues])

    def search_space_log10(self, puzzle: Puzzle[Params, NoBoard]) -> float:
        n = puzzle.spec.params.size
        return (n * n - len(puzzle.clues)) * log10(n)

    def symmetry(self, puzzle: Puzzle[Params, NoBoard]) -> ColouredGraph:
        # One vertex for each clue, joined to its row, its column and its value; a row belongs to a band of boxes, a band to the
        # side of rows, and so for columns. So rows move within bands, bands as a whole, values freely, and the two sides change
        # places exactly if boxes are square: the whole group of the grid, without a vertex for any box or blank cell.
        #
        # Under optional rules cells are vertices too, joined to their rows, columns, zones and diagonals (_ruled_frame).
        n = puzzle.spec.params.size
        if puzzle.spec.rules:
            colours, edges, first_value = _ruled_frame(puzzle.spec)
            places = [_given(clue, n) for clue in puzzle.clues]
            return ColouredGraph(colours, edges + tuple([(cell, first_value + value) for cell, value in places]))
        colours, edges = _frame(n)
        clue_edges = []
        at = len(colours)
        for clue in puzzle.clues:
            cell, value = _given(clue, n)
            clue_edges += [(cell // n, at), (n + cell % n, at), (2 * n + value, at)]
            at += 1
        return ColouredGraph(colours + (3,) * len(puzzle.clues), edges + tuple(clue_edges))

    def puzzles(self, spec: Spec[Params]) -> int | None:
        return _CAPACITY_4.get(spec.params.givens) if spec.params.size == 4 and not spec.rules else None

    def answers(self, spec: Spec[Params]) -> int | None:
        return 48 if spec.params.size == 6 and spec.rule("nonconsecutive") else None

    # ---- text

    def render(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        symbols = puzzle.style.symbols
        cells = ["."] * (n * n)
        for clue in puzzle.clues:
            cell, value = _given(clue, n)
            cells[cell] = symbols[value]
        words = _words(symbols)
        unit = _unit(spec)
        irregular = " with irregular zones" if spec.rule("zones") else ""
        parts = [
            f"Solve this {n}x{n} Sudoku{irregular}. Write {words.one} in every empty cell, shown as a dot, so that each row, "
            f"each column and each {unit} contains {words.every} exactly once. {words.plural} that are already in the grid stay "
            "as they are."
        ]
        if spec.rule("zones"):
            names = _zone_names(symbols)
            parts.append(
                f"The {n} zones stand in place of the usual boxes. They have {n} cells each; this map shows, for every "
                f"cell of the grid, which of the zones {names[0]} to {names[-1]} it belongs to:"
            )
            parts.append(_board([names[zone] for zone in _zones(spec)], n))
        else:
            high, wide = BOXES[n]
            bands = _listed([f"{top + 1}-{top + high}" for top in range(0, n, high)])
            stacks = _listed([f"{left + 1}-{left + wide}" for left in range(0, n, wide)])
            parts.append(f"The {n} boxes are {high} rows high and {wide} columns wide: rows {bands} by columns {stacks}.")
        parts += [_rule_words(spec, rule.name, symbols) for rule in spec.rules if rule.name != "zones"]
        if spec.rule("zones"):
            parts.append("The grid:")
        return "\n\n".join([*parts, _board(cells, n)])

    def layout(self, puzzle: Puzzle[Params, NoBoard]) -> Layout:
        n = puzzle.spec.params.size
        return Layout(
            _columns(puzzle.style.symbols), n, n, True, "Give the complete grid, row by row, with the given cells included."
        )

    def write(self, puzzle: Puzzle[Params, NoBoard], answer: Grid) -> Rows:
        symbols = puzzle.style.symbols
        return tuple([tuple([symbols[v] for v in row]) for row in answer])

    def read(self, puzzle: Puzzle[Params, NoBoard], rows: Rows) -> Grid | None:
        value = {symbol: v for v, symbol in enumerate(puzzle.style.symbols)}
        return tuple([tuple([value[token] for token in row]) for row in rows])

    def describe(self, puzzle: Puzzle[Params, NoBoard], label: str) -> str:
        n, symbols = puzzle.spec.params.size, puzzle.style.symbols
        if label in ("row", "column", "box", "zones", "diagonals", "nonconsecutive", "max_box"):
            return _rule_words(puzzle.spec, label, symbols)
        clue = next((clue for clue in puzzle.clues if clue.id == label), None)
        if clue is None:
            return label
        cell, value = _given(clue, n)
        return f"Row {cell // n + 1} column {cell % n + 1} holds {symbols[value]}."

    def explain(self, puzzle: Puzzle[Params, NoBoard], step: Step) -> str:
        return _told(puzzle.spec, puzzle.style.symbols, step)

    def restyle(self, puzzle: Puzzle[Params, NoBoard], way: str, rng: Rng) -> Style:
        if way != "letters":
            return super().restyle(puzzle, way, rng)
        n = puzzle.spec.params.size
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        start = rng.child("start").below(26 - n + 1)
        drawn = rng.child("drawn").sample(letters, n)
        # four alphabets, each as likely: from A on, from another letter on, any letters in their order, any in any order
        alphabets = (letters[:n], letters[start : start + n], sorted(drawn), drawn)
        return replace(puzzle.style, symbols=tuple(alphabets[rng.child("alphabet").below(4)]))

    def draw(self, puzzle: Puzzle[Params, NoBoard], answer: Grid | None = None, marked: Collection[str] = ()) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        zones = _zones(spec)
        shown = dict([_given(clue, n) for clue in puzzle.clues])
        side, edge = 40, 10
        span = side * n
        parts = [f'<rect x="{edge}" y="{edge}" width="{span}" height="{span}" fill="#fff"/>']

        def tint(cells: Collection[int], colour: str) -> None:
            for i in cells:
                x, y = edge + side * (i % n), edge + side * (i // n)
                parts.append(f'<rect x="{x}" y="{y}" width="{side}" height="{side}" fill="{colour}"/>')

        if spec.rule("max_box"):
            tint(_heaviest(spec)[0], "#f5c66b" if "max_box" in marked else "#fdf0cf")
        if spec.rule("diagonals"):
            both = dict.fromkeys([i for cells in _diagonals(n) for i in cells])
            tint(both, "#8fb5e8" if "diagonals" in marked else "#dfe9f7")
        tint([_given(clue, n)[0] for clue in puzzle.clues if clue.id in marked], "#f6b6ae")
        for i in range(n * n):
            x, y = edge + side * (i % n), edge + side * (i // n)
            value = shown.get(i, BLANK if answer is None else answer[i // n][i % n])
            if value != BLANK:
                look = 'font-weight="bold" fill="#111"' if i in shown else 'fill="#1a5fb4"'
                text = escape(puzzle.style.symbols[value])
                parts.append(f'<text x="{x + side // 2}" y="{y + 28}" text-anchor="middle" font-size="22" {look}>{text}</text>')
        thin: list[str] = []
        thick: list[str] = []
        for k in range(n + 1):
            for j in range(n):
                # a border of a zone lies between cells of different zones, and around the grid
                upright = k in (0, n) or zones[n * j + k - 1] != zones[n * j + k]
                level = k in (0, n) or zones[n * (k - 1) + j] != zones[n * k + j]
                (thick if upright else thin).append(f"M{edge + side * k} {edge + side * j}v{side}")
                (thick if level else thin).append(f"M{edge + side * j} {edge + side * k}h{side}")
        ink = "#c01c28" if "box" in marked or "zones" in marked else "#111"
        parts.append(f'<path d="{"".join(thin)}" stroke="#999" stroke-width="1" fill="none"/>')
        parts.append(f'<path d="{"".join(thick)}" stroke="{ink}" stroke-width="3" stroke-linecap="square" fill="none"/>')
        below = edge + span
        for label, caption in _CAPTIONS:
            if spec.rule(label) or (label in marked and label in _OWN):
                below += 20
                look = 'font-weight="bold" fill="#c01c28"' if label in marked else 'fill="#333"'
                parts.append(f'<text x="{edge}" y="{below}" font-size="14" {look}>{caption}</text>')
        box = span + 2 * edge
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box} {below + edge}" font-family="sans-serif">'
            f"{''.join(parts)}</svg>"
        )

    # ---- puzzles from elsewhere

    def parse(self, lines: Sequence[Line]) -> Puzzle[Params, NoBoard]:
        options = heading(lines, self.name, ("diagonals", "nonconsecutive"), ("max_box", "symbols"))
        at = next((i for i, line in enumerate(lines) if line.text.strip().rstrip(":").casefold() == "zones"), len(lines))
        rows = _cells(lines[0], lines[1:at])
        n = len(rows)
        if n not in BOXES:
            sizes = ", ".join(map(str, BOXES))
            raise lines[min(1, len(lines) - 1)].bad(0, f"expected a grid of one of the sizes {sizes}, got {n} rows")
        symbols = tuple(options.pop("symbols", "")) or _numbers(n)
        if len({symbol.casefold() for symbol in symbols} - {".", "_", "|"}) != n:
            raise lines[0].bad(0, f"symbols: expected {n} different signs, none of them . _ |, got {''.join(symbols)[:40]!r}")
        values = {symbol: v for v, symbol in enumerate(symbols)}
        if symbols == _numbers(n):
            values |= {sign: v for v, sign in enumerate(_SIGNS[:n])} | {sign.lower(): v for v, sign in enumerate(_SIGNS[:n])}
        clues = []
        for r, (line, row) in enumerate(rows):
            for c, (column, sign) in enumerate(row):
                if sign in values:
                    clues.append(_all_givens(n)[n * r + c][values[sign]])
                elif sign not in (".", "_", "0"):
                    shown = f"{symbols[0]} to {symbols[-1]}" if symbols == _numbers(n) else f"one of {''.join(symbols)}"
                    raise line.bad(column, f"expected {shown}, or . where the cell is empty, got {sign[:20]!r}")
        rules = [Rule(name) for name in options if name != "max_box"]
        zones: tuple[str, ...] = ()
        if at < len(lines):
            zones = tuple([sign for _, row in _cells(lines[at], lines[at + 1 :], n) for _, sign in row])
            first = {sign: zone for zone, sign in enumerate(dict.fromkeys(zones))}
            rules.append(Rule("zones", (tuple([first[sign] for sign in zones]),)))
            try:
                _check_zones(rules[-1], n)
            except BadParams as error:
                raise lines[at].bad(0, str(error).removeprefix("rules: ")) from None
        if "max_box" in options:
            names = tuple(dict.fromkeys(zones)) or _numbers(n)
            if options["max_box"] not in names:
                what = f"zones {', '.join(names)}" if zones else f"boxes 1 to {n}, from left to right and from top to bottom"
                raise lines[0].bad(0, f"max_box: expected one of the {what}, got {options['max_box'][:20]!r}")
            rules.append(Rule("max_box", (names.index(options["max_box"]),)))
        spec = Spec(Params(n), tuple(sorted(rules, key=lambda rule: rule.name)))
        return Puzzle(self.name, self.version, spec, NoBoard(), tuple(clues), Question(), Style(symbols=symbols))

    def format(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        spec, n, symbols = puzzle.spec, puzzle.spec.params.size, puzzle.style.symbols
        words = [self.name, *[rule.name for rule in spec.rules if rule.name in ("diagonals", "nonconsecutive")]]
        signs = tuple(_SIGNS[:n])
        if symbols != _numbers(n):
            signs = symbols
            words.append(f"symbols={''.join(symbols)}")
            if any(len(sign) != 1 or sign.isspace() or sign in "._|#" for sign in signs):
                raise BadRow(f"sudoku: the text form has no way to write the symbols {', '.join(symbols)[:60]}")
        zones = _zones(spec)
        if spec.rule("max_box"):
            heavy = zones[_heaviest(spec)[0][0]]
            words.append(f"max_box={_SIGNS[9:][heavy] if spec.rule('zones') else heavy + 1}")
        cells = ["."] * (n * n)
        for clue in puzzle.clues:
            cell, value = _given(clue, n)
            if cells[cell] not in (".", signs[value]):
                raise BadRow(f"sudoku: the text form has no way to give r{cell // n + 1}c{cell % n + 1} two values")
            cells[cell] = signs[value]
        lines = ["".join(cells[n * r : n * r + n]) for r in range(n)]
        if spec.rule("zones"):
            names = [_SIGNS[9:][zone] for zone in zones]
            lines += ["zones", *["".join(names[n * r : n * r + n]) for r in range(n)]]
        return "\n".join([" ".join(words), *lines]) + "\n"

    def split(self, lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
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

    # ---- evidence

    def examples(self) -> tuple[Example[Params, NoBoard, Grid], ...]:
        def example(shown: str, answer: str, source: str) -> Example[Params, NoBoard, Grid]:
            givens = tuple([_all_givens(9)[i][int(symbol) - 1] for i, symbol in enumerate(shown) if symbol != "."])
            spec = Spec(Params(9, len(givens)))
            puzzle = Puzzle(self.name, self.version, spec, NoBoard(), givens, Question(), _look(9))
            return Example(puzzle, self.form.assemble(spec, NoBoard(), tuple([int(symbol) - 1 for symbol in answer])), source)

        return (
            example(
                "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
                "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
                'Wikipedia, "Sudoku", the article\'s first figure',
            ),
            example(
                ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...",
                "693784512487512936125963874932651487568247391741398625319475268856129743274836159",
                "Gordon Royle, collection of 17-clue Sudokus, University of Western Australia, first entry",
            ),
        )

    @property
    def smallest(self) -> tuple[Spec[Params], ...]:  # type: ignore[override]
        plain = (Spec(Params(4)), Spec(Params(6)))
        return (*plain, *[Spec(Params(6), (Rule(name),)) for name in self.rules])


# ---- geometry -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _zones(spec: Spec[Params]) -> tuple[int, ...]:
    """The zone of every cell: everything but the checker reads zones from here, whatever their form."""
    n = spec.params.size
    if n not in BOXES:
        raise BadRow(f"sudoku.size must be one of {', '.join(map(str, BOXES))}, got {n}")
    rule = spec.rule("zones")
    if rule is None:
        high, wide = BOXES[n]
        return tuple([i // n // high * (n // wide) + i % n // wide for i in range(n * n)])
    drawn = rule.args[0] if rule.args else ()
    if type(drawn) is not tuple or len(drawn) != n * n or not all(type(zone) is int and 0 <= zone < n for zone in drawn):
        raise BadRow(f"sudoku.zones: expected the zone of each of {n * n} cells, 0 to {n - 1}, got {str(drawn)[:60]}")
    return tuple([zone for zone in drawn if type(zone) is int])


@lru_cache(maxsize=64)
def _zone_units(zones: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The cells of every zone, ascending."""
    units: list[list[int]] = [[] for _ in range(max(zones) + 1)]
    for i, zone in enumerate(zones):
        units[zone].append(i)
    return tuple([tuple(cells) for cells in units])


def _diagonals(n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cells of the two main diagonals."""
    return tuple([(n + 1) * i for i in range(n)]), tuple([(n - 1) * (i + 1) for i in range(n)])


@lru_cache(maxsize=16)
def _neighbours(n: int) -> tuple[tuple[int, int], ...]:
    """The pairs of cells that share a side."""
    beside = [(i, i + 1) for i in range(n * n) if i % n < n - 1]
    return tuple(beside + [(i, i + n) for i in range(n * n - n)])


def _heaviest(spec: Spec[Params]) -> tuple[tuple[int, ...], ...]:
    """The zones' cells, that one first whose score is to be the greatest."""
    rule = spec.rule("max_box")
    units = _zone_units(_zones(spec))
    heavy = rule.args[0] if rule is not None and rule.args else None
    if type(heavy) is not int or not 0 <= heavy < len(units):
        raise BadRow(f"sudoku.max_box: expected a zone from 0 to {len(units) - 1}, got {str(heavy)[:60]}")
    return (units[heavy], *units[:heavy], *units[heavy + 1 :])


def _units(spec: Spec[Params]) -> list[tuple[str, tuple[int, ...]]]:
    """The groups of cells that hold every value once, with the name of their rule."""
    n = spec.params.size
    rows = [("row", tuple(range(n * r, n * r + n))) for r in range(n)]
    columns = [("column", tuple(range(c, n * n, n))) for c in range(n)]
    label = "zones" if spec.rule("zones") else "box"
    diagonals = [("diagonals", cells) for cells in _diagonals(n)] if spec.rule("diagonals") else []
    return [*rows, *columns, *[(label, cells) for cells in _zone_units(_zones(spec))], *diagonals]


@lru_cache(maxsize=64)
def _structure(
    spec: Spec[Params],
) -> tuple[tuple[tuple[int, ...], ...], tuple[str, ...], bool, tuple[tuple[int, ...], ...]]:
    """Units, labels, apart and heaviest of a table: what does not depend on clues."""
    further = _units(spec)[2 * spec.params.size :]
    apart = spec.rule("nonconsecutive") is not None
    heaviest = _heaviest(spec) if spec.rule("max_box") else ()
    return tuple([cells for _, cells in further]), tuple([label for label, _ in further]), apart, heaviest


def _areas(spec: Spec[Params]) -> list[list[tuple[int, int]]]:
    """For the checker alone: rows and columns of the cells of every zone or box, in reading order."""
    n = spec.params.size
    zones = spec.rule("zones")
    if zones is None:
        return list(_boxes(n))
    drawn = zones.args[0] if zones.args else ()
    areas: list[list[tuple[int, int]]] = [[] for _ in range(n)]
    if type(drawn) is tuple and len(drawn) == n * n:
        for r in range(n):
            for c in range(n):
                zone = drawn[n * r + c]
                if type(zone) is int and 0 <= zone < n:
                    areas[zone].append((r, c))
    if any(len(area) != n for area in areas):
        raise BadRow(f"sudoku.zones: expected {n} zones of {n} cells, got {str(drawn)[:60]}")
    return areas


@lru_cache(maxsize=16)
def _boxes(n: int) -> tuple[list[tuple[int, int]], ...]:
    high, wide = BOXES[n]
    corners = [(top, left) for top in range(0, n, high) for left in range(0, n, wide)]
    return tuple([[(top + r, left + c) for r in range(high) for c in range(wide)] for top, left in corners])


def _scores(numbers: list[int]) -> tuple[int, int] | None:
    """The least and the greatest score of a zone whose cells, in order, hold these numbers, 0 where blank and still open.

    None where a number stands twice and cells are blank: such a zone is broken anyway, and its blanks have no bounds.
    """
    n = len(numbers)
    score = sum(k * number for k, number in enumerate(numbers, 1))
    open_cells = [k for k, number in enumerate(numbers, 1) if number == 0]
    if not open_cells:
        return score, score
    absent = [number for number in range(1, n + 1) if number not in numbers]
    if len(absent) != len(open_cells):
        return None
    most = sum(k * number for k, number in zip(open_cells, absent, strict=True))  # small with small: the rearrangement inequality
    least = sum(k * number for k, number in zip(open_cells, reversed(absent), strict=True))
    return score + least, score + most


@lru_cache(maxsize=16)
def _frame(n: int) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
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
def _ruled_frame(spec: Spec[Params]) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...], int]:
    """Vertices and edges of the shape without clues under optional rules, and the first value's vertex.

    Cells, rows and columns, zones, diagonals and values, each cell joined to what it lies in. Under nonconsecutive neighbours
    are joined, and values in a row, which may be turned over. Under max_box one zone stands out, values are joined in a row, and
    so are the places 1 .. n within a zone, with each cell joined to its place; the ends of both rows are joined, since turning
    over both at once keeps every difference of scores (each zone holds every number), and nothing else does.
    """
    n = spec.params.size
    zones = _zones(spec)
    ordered = spec.rule("max_box") is not None
    apart = spec.rule("nonconsecutive") is not None
    heavy = _heaviest(spec)[0][0] if ordered else -1
    colours = [8] * (n * n) + [9] * (2 * n)
    edges = [(i, n * n + i // n) for i in range(n * n)] + [(i, n * n + n + i % n) for i in range(n * n)]
    at = len(colours)
    colours += [11 if ordered and zone == zones[heavy] else 10 for zone in range(n)]
    edges += [(i, at + zone) for i, zone in enumerate(zones)]
    if spec.rule("diagonals"):
        for cells in _diagonals(n):
            edges += [(i, len(colours)) for i in cells]
            colours.append(12)
    if apart:
        edges += _neighbours(n)
    value = len(colours)
    colours += [13] * n
    if apart or ordered:
        edges += [(value + v, value + v + 1) for v in range(n - 1)]
    if ordered:
        place = len(colours)
        colours += [14] * n
        edges += [(place + k, place + k + 1) for k in range(n - 1)]
        edges += [(i, place + k) for cells in _zone_units(zones) for k, i in enumerate(cells)]
        edges += [(value, place), (value + n - 1, place + n - 1)]
    return tuple(colours), tuple(edges), value


# ---- rules --------------------------------------------------------------------------------------------------------------


def _check_rules(spec: Spec[Params]) -> None:
    """Raise BadParams for optional rules that do not exist, do not fit the size or each other, or have wrong arguments."""
    n = spec.params.size
    names = [rule.name for rule in spec.rules]
    for name in names:
        if name not in _RULE_SIZES:
            raise BadParams(f"rules: sudoku has no optional rule {name!r}; known: {', '.join(_RULE_SIZES)}")
    if len(set(names)) < len(names):
        raise BadParams(f"rules: {names} names one rule twice; leave one out")
    for rule in spec.rules:
        sizes = _RULE_SIZES[rule.name]
        if n not in sizes:
            raise BadParams(
                f"sudoku.size must be one of {', '.join(map(str, sizes))} under rule {rule.name}, got {n}; set family.params.size"
            )
    for hopeless, combination, why in _HOPELESS:
        if n in hopeless and set(combination) <= set(names):
            raise BadParams(
                f"sudoku of size {n}: {' and '.join(combination)} go together in {why}; leave one of these rules out or set "
                "another family.params.size"
            )
    for rule in spec.rules:
        if rule.name == "zones" and rule.args:
            _check_zones(rule, n)
        elif rule.name == "max_box" and rule.args:
            if len(rule.args) != 1 or type(rule.args[0]) is not int or not 0 <= rule.args[0] < n:
                raise BadParams(
                    f"rules: max_box takes one number from 0 to {n - 1}, got {str(rule.args)[:60]}; "
                    "leave it out to have one drawn"
                )
        elif rule.args:
            raise BadParams(f"rules: {rule.name} takes no argument, got {str(rule.args)[:60]}")


def _check_zones(rule: Rule, n: int) -> None:
    """Raise BadParams unless the rule names n connected zones of n cells, numbered in the order of their first cells."""
    zones = rule.args[0]
    if len(rule.args) != 1 or type(zones) is not tuple or len(zones) != n * n:
        raise BadParams(
            f"rules: zones takes one list with the zone of each of the {n * n} cells, got {str(rule.args)[:60]}; "
            "leave it out to have zones drawn"
        )
    first: list[int] = []
    counts = [0] * n
    cells = [0] * n  # of each zone, as bits
    for i, zone in enumerate(zones):
        if type(zone) is not int or not 0 <= zone < n:
            raise BadParams(f"rules: zones are numbered 0 to {n - 1}, got {str(zone)[:20]} for cell {i}")
        if zone not in first:
            first.append(zone)
        counts[zone] += 1
        cells[zone] |= 1 << i
    if set(counts) != {n}:
        raise BadParams(f"rules: zones must have {n} cells each, got {counts}")
    if first != sorted(first):
        raise BadParams(f"rules: zones must be numbered in the order of their first cells, got {first}")
    near = _near(n)
    apart = next((zone for zone in range(n) if not _connected(cells[zone], near)), None)
    if apart is not None:
        raise BadParams(f"rules: the cells of a zone must hang together, those of zone {apart} do not")


@lru_cache(maxsize=16)
def _near(n: int) -> tuple[int, ...]:
    """For every cell the cells that share a side with it, as bits."""
    near = [0] * (n * n)
    for i, j in _neighbours(n):
        near[i] |= 1 << j
        near[j] |= 1 << i
    return tuple(near)


def _connected(cells: int, near: Sequence[int]) -> bool:
    """Whether these cells (bits, at least one) hang together."""
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


def _jigsaw(n: int, rng: Rng) -> tuple[int, ...]:
    """A random division of the grid into n connected zones of n cells, none of them a rectangle.

    A random walk from the boxes: two cells of different zones change places where both zones still hang together. A step is
    proposed as often as its inverse, so that in the long run every division that the walk reaches is equally likely.
    """
    near = _near(n)
    high, wide = BOXES[n]
    zone = [i // n // high * (n // wide) + i % n // wide for i in range(n * n)]
    cells = [0] * n
    for i, k in enumerate(zone):
        cells[k] |= 1 << i
    rectangles = _rectangles(n)
    steps = _STEPS * n * n
    for _ in range(_WALKS):
        for _ in range(steps):
            drawn = rng.below(n * n * n * n)
            i, j = divmod(drawn, n * n)
            a, b = zone[i], zone[j]
            one, other = 1 << i, 1 << j
            if a == b or not near[i] & cells[b] & ~other or not near[j] & cells[a] & ~one:
                continue
            here, there = cells[a] ^ one | other, cells[b] ^ other | one
            if _connected(here, near) and _connected(there, near):
                cells[a], cells[b] = here, there
                zone[i], zone[j] = b, a
        if not any(area in rectangles for area in cells):
            order = {k: place for place, k in enumerate(dict.fromkeys(zone))}
            return tuple([order[k] for k in zone])
        steps = n * n
    raise Discarded("zones", f"no walk of {_WALKS} led to irregular zones only")


@lru_cache(maxsize=16)
def _rectangles(n: int) -> frozenset[int]:
    """Every rectangle of n cells, as bits."""
    found = set()
    for high in range(1, n + 1):
        wide = n // high
        if high * wide == n:
            for top in range(n - high + 1):
                for left in range(n - wide + 1):
                    found.add(sum(1 << n * (top + r) + left + c for r in range(high) for c in range(wide)))
    return frozenset(found)


# ---- puzzles from elsewhere ---------------------------------------------------------------------------------------------

_SIGNS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # of one character for 1, 2, ...; from the tenth on names of zones too
_WHOLE = tuple([size * size for size in BOXES])  # cells of a grid
_ALONE = re.compile(r"\s*([0-9A-Za-z._]+)(?:[\s,;].*)?")
_FRAME = re.compile(r"[-+=|\s]+")  # a line that only draws the boxes

_Row = tuple[Line, list[tuple[int, str]]]  # the cells of a row with their columns


def _alone(line: Line, lengths: Collection[int] = _WHOLE) -> str:
    """The cells of a whole grid in one line, "" if it holds none. What follows them is its name."""
    found = _ALONE.fullmatch(line.text)
    return found[1] if found is not None and len(found[1]) in lengths else ""


def _cells(head: Line, lines: Sequence[Line], size: int = 0) -> list[_Row]:
    """n rows of n cells, from n lines or one; of this size if one is given."""
    lines = [line for line in lines if not _FRAME.fullmatch(line.text)]
    if len(lines) == 1 and (text := _alone(lines[0])) and size * size in (0, len(text)):
        line, n = lines[0], isqrt(len(text))
        at = line.text.index(text)
        return [(line, [(at + n * r + c, text[n * r + c]) for c in range(n)]) for r in range(n)]
    if len(lines) == 1 and not size and len(lines[0].words) == 1:
        lengths = ", ".join(map(str, _WHOLE))
        raise lines[0].bad(0, f"expected a whole grid of {lengths} cells in one line, got {len(lines[0].text.strip())}")
    rows: list[_Row] = []
    n = size or len(lines)
    for line in lines:
        text = line.text.replace("|", " ")
        words = Line(line.number, text).words
        row = [(word.column, word.text) for word in words]
        if len(row) != n:
            row = [(column, sign) for column, sign in enumerate(text) if sign != " "]
        if len(row) != n:
            raise line.bad(0, f"expected {n} cells, as many as there are rows, got {len(row)}")
        rows.append((line, row))
    if len(rows) != n or not rows:
        raise head.bad(0, f"expected {n or 'the'} rows of a grid below this line, got {len(rows)}")
    return rows


# ---- clues and looks ----------------------------------------------------------------------------------------------------


def _given(clue: Clue, n: int) -> tuple[int, int]:
    """Cell and value of a clue; raises BadRow for what is no given of this grid."""
    args = clue.args
    if len(args) == 2:
        cell, value = args
        if type(cell) is int and type(value) is int and 0 <= cell < n * n and 0 <= value < n:
            return cell, value
    raise BadRow(f"clue {clue.id}: expected a cell below {n * n} and a value below {n}, got {str(args)[:60]}")


@lru_cache(maxsize=16)
def _all_givens(n: int) -> tuple[tuple[Clue, ...], ...]:
    """Every clue there can be, by cell and value: they are shared, since stating a grid is on the path of every puzzle."""
    return tuple([tuple([Clue(f"r{i // n + 1}c{i % n + 1}", "given", (i, v)) for v in range(n)]) for i in range(n * n)])


@lru_cache(maxsize=16)
def _numbers(n: int) -> tuple[str, ...]:
    return tuple([str(v + 1) for v in range(n)])


def _board(cells: Sequence[str], n: int) -> str:
    """n rows of texts, right-aligned."""
    width = max(map(len, cells))
    return "\n".join([" ".join([text.rjust(width) for text in cells[n * r : n * r + n]]) for r in range(n)])


@dataclass(frozen=True, slots=True)
class _Words:
    """What the symbols of a look are called."""

    one: str  # "a number from 1 to 9"
    every: str  # "every number from 1 to 9"
    plural: str  # "Numbers"
    all: str  # "every number from 1 to 9", where they were told before


@lru_cache(maxsize=64)
def _words(symbols: tuple[str, ...]) -> _Words:
    if symbols == _numbers(len(symbols)):
        every = f"every number from 1 to {len(symbols)}"
        return _Words(f"a number from 1 to {len(symbols)}", every, "Numbers", every)
    kind = "letter" if "".join(symbols).isalpha() else "symbol"
    return _Words(f"one of the {kind}s {_listed(symbols)}", f"each of these {kind}s", f"{kind.capitalize()}s", f"every {kind}")


def _unit(spec: Spec[Params]) -> str:
    return "zone" if spec.rule("zones") else "box"


def _zone_names(symbols: tuple[str, ...]) -> tuple[str, ...]:
    """What zones are called: letters, or numbers where letters stand in the cells."""
    n = len(symbols)
    return _numbers(n) if "".join(symbols).isalpha() else tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:n])


def _rule_words(spec: Spec[Params], label: str, symbols: tuple[str, ...]) -> str:
    """A rule as a sentence or more."""
    n = spec.params.size
    every, unit = _words(symbols).all, _unit(spec)
    units = "boxes" if unit == "box" else "zones"
    if label in ("row", "column", "box", "zones"):
        return f"Each {unit if label == 'zones' else label} contains {every} exactly once."
    if label == "diagonals":
        return f"Each of the two main diagonals, which run from corner to corner, also contains {every} exactly once."
    if label == "nonconsecutive":
        return (
            "Numbers in cells that share a side must not differ by exactly 1: "
            "3 and 4, for example, never stand side by side or one directly above the other."
        )
    cells = _heaviest(spec)[0]
    high, wide = BOXES[n]
    if unit == "zone":
        heavy = f"zone {_zone_names(symbols)[_zones(spec)[cells[0]]]}"
    else:
        top, left = cells[0] // n, cells[0] % n
        heavy = f"the box in rows {top + 1}-{top + high} and columns {left + 1}-{left + wide}"
    return (
        f"The score of a {unit}: count its cells from 1 to {n}, from left to right and row by row from top to bottom; multiply "
        f"each number by its cell's place in this count, and add up the {n} products. "
        f"{heavy[0].upper() + heavy[1:]} must have a higher score than each of the other {units}."
    )


_OWN = ("row", "column")  # rules that are always in force and told under a picture only when they are marked
_CAPTIONS = (
    ("row", "rows: every symbol once"),
    ("column", "columns: every symbol once"),
    ("diagonals", "diagonals: every symbol once"),
    ("nonconsecutive", "neighbours never differ by 1"),
    ("max_box", "the tinted part has the highest score"),
)


def _listed(parts: Sequence[str]) -> str:
    """ "a, b and c"."""
    return ", ".join(parts[:-1]) + " and " + parts[-1]


@lru_cache(maxsize=16)
def _look(n: int) -> Style:
    return Style(symbols=_numbers(n))


@lru_cache(maxsize=64)
def _columns(symbols: tuple[str, ...]) -> tuple[Column, ...]:
    return tuple([Column(f"column {c + 1}", symbols) for c in range(len(symbols))])


# ---- steps of a deduction -----------------------------------------------------------------------------------------------


def _told(spec: Spec[Params], symbols: tuple[str, ...], step: Step) -> str:
    """A step in words; what `about` holds is said in solvers/deduce/latin.py."""
    n, about, name = spec.params.size, step.about, step.technique
    kind = _words(symbols).plural[:-1].lower()
    cell = [f"r{i // n + 1}c{i % n + 1}" for i in range(n * n)]

    def cells(which: Sequence[int]) -> str:
        return _joined([cell[i] for i in which])

    def values(which: Sequence[int]) -> str:
        return _joined([symbols[v] for v in which])

    def unit(u: int) -> str:
        return _unit_name(spec, symbols, u)

    def failure(what: Sequence[int]) -> str:
        if what[0] == 0:
            return f"no {kind} is left for {cell[what[1]]}"
        if what[0] == 1:
            return f"{unit(what[1])} has no place left for {symbols[what[2]]}"
        if what[0] == 2:
            return f"{cell[what[1]]}, where {symbols[what[2]]} stands, cannot hold it"
        return f"the score of {_group_name(spec, symbols, 0)} is not above that of {_group_name(spec, symbols, what[1])}"

    so = "; ".join(
        [
            f"{cells(where)} {'is' if len(where) == 1 else 'are'} not {' or '.join([symbols[v] for v in which])}"
            for where, which in _grouped(step)
        ]
    )
    by = _sources(step)
    if name in ("full_line", "hidden_single", "naked_single"):
        ((i, v),) = step.sets
        if name == "full_line":
            return f"{cell[i]} is the last empty cell of {unit(about[0])}, so it holds {symbols[v]}."
        if name == "hidden_single":
            return _capital(f"{by}the only place left for {symbols[v]} in {unit(about[0])} is {cell[i]}.")
        return _capital(f"{by}{cell[i]} can hold no {kind} but {symbols[v]}.")
    if name == "contradiction":
        if about[0] == 2:  # the failure names the cell itself
            by = _sources(replace(step, uses=tuple([use for use in step.uses if use != cell[about[1]]])))
        return _capital(f"{by}{failure(about)}. So there is no answer.")
    if name == "search":
        if not step.sets:
            return "None of the usual techniques leads on. Going through all possibilities shows that there is no answer."
        return (
            "None of the usual techniques leads on. Going through all possibilities leaves one way to fill the other cells: "
            f"{', '.join([f'{cell[i]} = {symbols[v]}' for i, v in step.sets])}."
        )
    if name == "locked_set":
        one, other = unit(about[1]), unit(about[2])
        text = f"{by}{symbols[about[0]]} in {one} can only go where it crosses {other}, so nowhere else in {other}: {so}."
    elif name == "common_peer":
        text = f"{by}wherever {symbols[about[0]]} goes in {unit(about[1])}, {so}."
    elif name == "neighbour_values":
        text = f"{by}whatever {cell[about[0]]} holds, {so}."
    elif name.startswith(("naked_", "hidden_")):
        half = len(about) // 2
        where, what = cells(about[1 : 1 + half]), values(about[1 + half :])
        if name.startswith("naked_"):
            text = f"{by}{where} in {unit(about[0])} share out {what} among themselves: {so}."
        else:
            text = f"{by}{what} in {unit(about[0])} can only go in {where}, which hold nothing else: {so}."
    elif name in ("x_wing", "swordfish", "jellyfish"):
        size = (len(about) - 2) // 2
        lines = ("rows", "columns") if about[1] == 0 else ("columns", "rows")
        base, cover = ([str(k + 1) for k in about[2 + at : 2 + at + size]] for at in (0, size))
        text = (
            f"{by}{symbols[about[0]]} in {lines[0]} {_joined(base)} can only go in {lines[1]} {_joined(cover)}, "
            f"so in these it goes nowhere else: {so}."
        )
    elif name in ("xy_wing", "xyz_wing"):
        ends = cells(about[1:3]) if name == "xy_wing" else cells(about[:3])
        text = f"{by}whatever {cell[about[0]]} holds, one of {ends} is {symbols[about[3]]}: {so}."
    elif name == "w_wing":
        text = (
            f"{by}wherever {symbols[about[3]]} goes in {unit(about[2])}, it makes {cell[about[0]]} or {cell[about[1]]} "
            f"{symbols[about[4]]}: {so}."
        )
    elif name in ("x_chain", "xy_chain", "chain"):
        text = f"{by}{_chain_words(cell, symbols, step)}{'' if step.sets else f' So {so}.'}"
    elif name in ("score_bounds", "score_sums"):
        first, other = _group_name(spec, symbols, 0), _group_name(spec, symbols, about[0])
        text = (
            f"{by}{first} can score {about[1]} at most and {other} {about[2]} at least; "
            f"{f'so that {first} gets the higher score, {so}' if so else 'so there is no answer'}."
        )
    else:  # look_ahead
        ((i, v),) = step.drops
        forced = []
        for part in step.within:
            forced += [f"{cell[j]} = {symbols[w]}" for j, w in part.sets]
            if part.drops:  # a locked set
                forced.append(f"{symbols[part.about[0]]} in {unit(part.about[1])} only where it crosses {unit(part.about[2])}")
        then = f"{', '.join(forced)} would follow, and then " if forced else ""
        text = f"{by}suppose {cell[i]} held {symbols[v]}: {then}{failure(step.within[-1].about)}. So {so}."
    return _capital(text)


def _grouped(step: Step) -> list[tuple[tuple[int, ...], list[int]]]:
    """What a step drops: cells with the values that all of them lose."""
    cells: dict[int, list[int]] = {}
    for i, v in step.drops:
        cells.setdefault(v, []).append(i)
    groups: dict[tuple[int, ...], list[int]] = {}
    for v, where in sorted(cells.items()):
        groups.setdefault(tuple(where), []).append(v)
    return list(groups.items())


def _joined(parts: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"; "" for none."""
    return _listed(parts) if len(parts) > 1 else "".join(parts)


def _capital(text: str) -> str:
    return text if text[:1] == "r" and text[1:2].isdigit() else text[:1].upper() + text[1:]


def _sources(step: Step) -> str:
    """ "Because of r1c4, r5c5 and step 7, ": what a step uses beside the rules on rows, columns and other units."""
    names = [use for use in step.uses if use not in ("row", "column", "box", "zones", "diagonals", "nonconsecutive", "max_box")]
    names = [f"step {name[1:]}" if name.startswith("#") else name for name in names]
    names += ["the rule on neighbours"] if "nonconsecutive" in step.uses else []
    return f"because of {_joined(names)}, " if names else ""


def _unit_name(spec: Spec[Params], symbols: tuple[str, ...], u: int) -> str:
    """A unit by its number: rows, columns, boxes or zones, the two diagonals."""
    n = spec.params.size
    if u < 2 * n:
        return f"row {u + 1}" if u < n else f"column {u - n + 1}"
    if u >= 3 * n:
        return f"the diagonal from the {'top left' if u == 3 * n else 'top right'} corner"
    return f"zone {_zone_names(symbols)[u - 2 * n]}" if spec.rule("zones") else f"box {u - 2 * n + 1}"


def _group_name(spec: Spec[Params], symbols: tuple[str, ...], k: int) -> str:
    """A zone by its place among the groups of the table."""
    return _unit_name(spec, symbols, 2 * spec.params.size + _zones(spec)[_heaviest(spec)[k][0]])


def _chain_words(cell: Sequence[str], symbols: tuple[str, ...], step: Step) -> str:
    """ "If r1c2 is not 3, then r1c7 is 3, so r4c7 is not 3, so r4c1 is 3." """
    links = [
        f"{cell[i]} is{'' if at % 2 else ' not'} {symbols[v]}"
        for at, (i, v) in enumerate(zip(step.about[::2], step.about[1::2], strict=True))
    ]
    if step.sets:
        return f"if {links[0]}, then {', so '.join(links[1:])} after all. So {links[-1]}."
    return f"if {links[0]}, then {', so '.join(links[1:])}; one of the two ends is true."


FAMILY = Sudoku()
