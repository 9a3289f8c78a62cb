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

Slots are the cells, row by row, and values are 0 .. n-1; people see the symbols of the style, usually "1" .. "n".
Source: Howard Garns, "Number Place", Dell Pencil Puzzles & Word Games 16 (May 1979); name and 9x9 form by Nikoli.
Seen in HardcoreLogic (2510.12563; the optional rules as in its Table 3) and in LR2Bench (4x4 and 9x9).
broken_rules returns the rule's name, or the id of a given that is broken.

Clue kinds: given (cell, value). Limits: the grid of 25 is dug to half of its cells at most, since proofs get slow below.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core import checks, regions
from puzzlemill.core.family import cell_board
from puzzlemill.core.model import LatinTable
from puzzlemill.core.pictures import SHADES
from puzzlemill.generators import _sudoku as grid
from puzzlemill.generators._sudoku_text import Text

SudokuPuzzle = f.Puzzle["Params", f.NoBoard]

# Fewest clues that can be asked for. 4: by enumeration; 9: G. McGuire, B. Tugemann, G. Civario, "There is no 16-clue Sudoku",
# Experimental Mathematics 23 (2014); 25: half of the cells.
_SOME_GIVENS = "family.params.givens above 0 from size 9 on"  # what some transforms need
_FEWEST = {4: 4, 9: 17, 25: 313}

# Puzzles of size 4 up to symmetry by `givens`: those with that many clues and one answer, and the minimal ones with more.
# By enumeration over the two classes of grids (tests/unit/test_sudoku.py).
_CAPACITY_4 = {0: 36, 4: 36, 5: 97, 6: 376, 7: 711, 8: 1040, 9: 980, 10: 788, 11: 414, 12: 210, 13: 56, 14: 22, 15: 2}

# Minimal puzzles of size 6 under nonconsecutive, and answers up to symmetry by size and rules, where they are few: by capture and
# recapture (docs/design/answer_spaces.tsv).
_PUZZLES = {(4, "", givens): count for givens, count in _CAPACITY_4.items()} | {(6, "nonconsecutive", 0): 12_684}
_SOLUTIONS = {(4, ""): 2, (6, ""): 49, (6, "nonconsecutive"): 6, (9, "diagonals,nonconsecutive"): 999}

# Sizes that go with optional rules. Size 4 is left out: its puzzles that need the rule are too few to be split.
_RULED = (6, 8, 9, 12, 16)

# Combinations that have no answers or hardly any, with the sizes. Found with the model: by enumeration of all answers where it
# says "no" or a number of grids, else from 300 drawn divisions of size 6 and at least 20 of the others.
_HOPELESS: tuple[tuple[tuple[int, ...], tuple[str, ...], str], ...] = (
    ((6,), ("diagonals", "nonconsecutive"), "no grid"),
    ((6,), ("max_box", "nonconsecutive"), "48 grids only"),
    ((6,), ("diagonals", "zones"), "few zones only"),
    ((6, 8, 9, 12, 16), ("nonconsecutive", "zones"), "few zones only"),
)

# Under these rules a search by few clues is wide, and minimizing takes seconds: the share of cells, in percent, that are given at
# least in grids of 9 and more.
_SHARE_UNDER = {"nonconsecutive": 15, "max_box": 25}

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@f.params
class Params:
    """size: rows and columns. givens: how many clues stay where that leaves one answer (else a few more do) and every optional
    rule is needed (else fewer do, down to half as many); 0: a minimal set of clues.
    """

    size: int = f.Param(default=9, among=grid.BOXES)
    givens: int = f.Param(default=0, least=1, most=lambda p: p.size**2 - 1, unset=0)


def _kind(spec: f.Spec[Params]) -> tuple[int, str]:
    return spec.params.size, ",".join([rule.name for rule in spec.rules])


def _letters(puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> f.Style:
    """Four alphabets, each as likely: from A on, from another letter on, any letters in their order, any in any order."""
    n = puzzle.spec.params.size
    start = rng.child("start").below(26 - n + 1)
    drawn = rng.child("drawn").sample(_LETTERS, n)
    alphabets = (_LETTERS[:n], _LETTERS[start : start + n], sorted(drawn), drawn)
    return replace(puzzle.style, symbols=tuple(alphabets[rng.child("alphabet").below(4)]))


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Sudoku(f.Family[Params, f.NoBoard, f.Grid, f.Grid]):
    name, version, title = "sudoku", 1, "Sudoku"
    source = 'Howard Garns, "Number Place", Dell Pencil Puzzles & Word Games 16, May 1979'
    params, answer, form, clues, text = Params, f.Grid, grid.FORM, grid.CLUES, Text()
    rules = f.declared(
        f.OptionalRule("zones", replaces="box", draw=grid.draw_zones, check=grid.check_zones, sizes=_RULED),
        f.OptionalRule("diagonals", sizes=_RULED),
        f.OptionalRule("nonconsecutive", sizes=_RULED),
        f.OptionalRule("max_box", draw=grid.draw_max_box, check=grid.check_max_box, sizes=_RULED),
    )
    transforms = (
        f.AddRule("zones", kind=f.Kind.UE1, relation=f.Relation.FORM, about="zones of any form in place of the boxes"),
        f.AddRule("diagonals", args=("givens",), about="both main diagonals hold every symbol once"),
        f.AddRule("nonconsecutive", args=("givens",), about="neighbours never differ by 1", needs=_SOME_GIVENS),
        f.AddRule("max_box", args=("givens",), about="one box has the greatest score", needs=_SOME_GIVENS),
        # letters have no difference and no product
        f.Restyle(
            "letters", f.Kind.UE1, against=("nonconsecutive", "max_box"), how=_letters, about="letters in place of numbers"
        ),
    )
    small = f.SmallClasses(
        lambda spec: _PUZZLES.get((*_kind(spec), spec.params.givens)),
        lambda spec: 48 if spec.params.size == 6 and spec.rule("nonconsecutive") else None,
        lambda spec: _SOLUTIONS.get(_kind(spec)),
    )
    smallest = (f.Spec(Params(4)), f.Spec(Params(6)), *[f.Spec(Params(6), (f.Rule(name),)) for name in rules])
    worked = (
        (
            "sudoku\n53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            "534678912\n672195348\n198342567\n859761423\n426853791\n713924856\n961537284\n287419635\n345286179",
            'Wikipedia, "Sudoku", the article\'s first figure',
        ),
        (
            "sudoku\n.......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...",
            "693784512\n487512936\n125963874\n932651487\n568247391\n741398625\n319475268\n856129743\n274836159",
            "Gordon Royle, collection of 17-clue Sudokus, University of Western Australia, first entry",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        n, givens = spec.params.size, spec.params.givens
        for sizes, names, why in _HOPELESS:
            if n in sizes and all(spec.rule(name) for name in names):
                raise f.BadParams(
                    f"sudoku of size {n}: {' and '.join(names)} go together in {why}; leave one of these rules out or set "
                    "another family.params.size"
                )
        least, why = (0 if spec.rules else _FEWEST.get(n, 0)), ", or 0 for a minimal set of clues"
        if n == 25:
            why = ", which keeps at least half of its cells"
        for name, share in _SHARE_UNDER.items():
            if n >= 9 and spec.rule(name) and least < n * n * share // 100:
                least, why = n * n * share // 100, f" under {name}"
        if givens < least and not (givens == 0 and "or 0" in why):
            allowed = f"{least} to {n * n - 1} for size {n}{why}"
            raise f.BadParams(f"sudoku.givens must be {allowed}, got {givens}; set family.params.givens")

    def style(self, spec: f.Spec[Params]) -> f.Style:
        return f.Style(symbols=f.numerals(spec.params.size))

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        size, givens = spec.params.size, spec.params.givens
        wanted = next((each for each in grid.BOXES if each > size), 0)
        if not wanted:
            return None
        if givens or wanted == 25:
            givens = max(_FEWEST.get(wanted, 1), givens * wanted * wanted // (size * size))
        # zones of this size are drawn for it
        grown = f.Spec(Params(wanted, givens), tuple([f.Rule(rule.name) for rule in spec.rules]))
        return grown if f.valid(self, grown) else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: f.NoBoard) -> f.Constraints:
        n = spec.params.size
        m = f.Constraints()
        holds = [m.slot(n) for _ in range(n * n)]  # holds[i][v]: cell i holds value v
        units = [("row", range(n * r, n * r + n)) for r in range(n)] + [("column", range(c, n * n, n)) for c in range(n)]
        for label, cells in [*units, *[(label, cells) for cells, label in zip(*grid.further_units(spec), strict=True)]]:
            for v in range(n):
                m.exactly_one([holds[i][v] for i in cells], label=label)
        if spec.rule("nonconsecutive"):
            for i, j in regions.neighbours(n, n):
                for v in range(n - 1):
                    m.require(-holds[i][v], -holds[j][v + 1], label="nonconsecutive")
                    m.require(-holds[i][v + 1], -holds[j][v], label="nonconsecutive")
        if spec.rule("max_box"):
            weighed = [
                [tuple([(holds[i][v], k * (v + 1)) for v in range(n)]) for k, i in enumerate(cells, 1)]
                for cells in grid.heaviest(spec)
            ]
            for other in weighed[1:]:
                m.heavier(weighed[0], other, label="max_box")
        return m

    def table(self, puzzle: SudokuPuzzle) -> LatinTable:
        spec, clues = puzzle.spec, tuple(grid.CLUES.all_placed(puzzle.spec, puzzle.clues))
        units, labels = grid.further_units(spec)
        heavy = grid.heaviest(spec) if spec.rule("max_box") else ()
        return LatinTable(spec.params.size, units, clues, labels, spec.rule("nonconsecutive") is not None, heavy)

    def broken_rules(self, puzzle: SudokuPuzzle, answer: f.Grid, partial: bool = False) -> list[str]:
        spec, n = puzzle.spec, puzzle.spec.params.size
        if not grid.FORM.fits(spec, answer, partial):
            return [f.MALFORMED]
        values, columns, areas = [v for row in answer for v in row], list(zip(*answer, strict=True)), _areas(spec)
        within = [[values[i] for i in area] for area in areas]
        shown: list[tuple[str, Sequence[Sequence[int]]]] = [("row", answer), ("column", columns)]
        shown.append(("zones" if spec.rule("zones") else "box", within))
        if spec.rule("diagonals"):
            shown.append(("diagonals", [values[:: n + 1], values[n - 1 : n * n - 1 : n - 1]]))
        broken = []
        for name, units in shown:
            for unit in units:
                held = [v for v in unit if v >= 0] if partial else unit
                if len(set(held)) < len(held):
                    broken.append(name)
                    break
        if spec.rule("nonconsecutive"):
            pairs = [pair for line in (*answer, *columns) for pair in zip(line, line[1:], strict=False)]
            if any(v >= 0 and w >= 0 and abs(v - w) == 1 for v, w in pairs):
                broken.append("nonconsecutive")
        max_box = spec.rule("max_box")
        if max_box and max_box.args:
            scores = [_scores([v + 1 for v in area]) for area in within]
            most = [both[1] for k, both in enumerate(scores) if both and k == max_box.args[0]]
            others = [both[0] for k, both in enumerate(scores) if both and k != max_box.args[0]]
            if most and others and most[0] <= max(others):
                broken.append("max_box")
        return broken + grid.CLUES.broken(puzzle, values)

    def paper_bound(self, puzzle: SudokuPuzzle) -> str:
        n = puzzle.spec.params.size
        return f"{n}^{n * n}" if n in (4, 9) and not puzzle.spec.rules else ""  # LR2Bench, table 5

    def symmetry(self, puzzle: SudokuPuzzle) -> f.ColouredGraph:
        return grid.shape(puzzle.spec, grid.CLUES.all_placed(puzzle.spec, puzzle.clues))

    def solution(self, spec: f.Spec[Params], answer: f.Grid) -> f.ColouredGraph:
        return grid.shape(spec, tuple(enumerate(grid.FORM.values(spec, f.NoBoard(), answer))))

    # ---- text

    def render(self, puzzle: SudokuPuzzle) -> str:
        spec, n, voice = puzzle.spec, puzzle.spec.params.size, f.Voice.of(self, puzzle)
        names, zoned = _names(puzzle.style.symbols), spec.rule("zones") is not None
        values = {
            "n": n,
            "one": names.one,
            "noun": names.noun,
            "nouns": f"{names.noun.capitalize()}s",
            "all": names.all,
            "sudoku": "Sudoku with irregular zones" if zoned else "Sudoku",
            "unit": "zone" if zoned else "box",
            "every": names.listed if voice.number else names.every,
        }
        task = voice.says("task", **values)
        rules = [self.describe(puzzle, rule.name) for rule in spec.rules if rule.name != "zones"]
        areas = self.describe(puzzle, "boxes") if not zoned else ""
        if zoned:
            areas = voice.says("zones", n=n, first=names.zones[0], last=names.zones[-1]) + ("\n" if voice.number else "\n\n")
            areas += f.grid_text([names.zones[zone] for zone in grid.zones_of(spec)], n)
        if not voice.number:
            return "\n\n".join([task, areas, *rules, *["The grid:"] * zoned, f.grid_text(grid.CLUES.texts(puzzle), n)])
        if puzzle.clues:
            task = f"{task} {voice.says('given', **values)}"
        board, rules = voice.grid(grid.CLUES.texts(puzzle, ""), n, "an empty cell"), rules if zoned else [areas, *rules]
        return voice.prompt(task, [voice.says("once", **values), *rules], f"{areas}\n\n{board}" if zoned else board)

    def describe(self, puzzle: SudokuPuzzle, label: str) -> str:
        """A given, or a rule as a sentence or more."""
        spec, n, names, voice = puzzle.spec, puzzle.spec.params.size, _names(puzzle.style.symbols), f.Voice.of(self, puzzle)
        if label in ("row", "column", "box", "zones"):
            return f"Each {label.rstrip('s')} contains {names.all} exactly once."
        if label == "boxes":
            high, wide = grid.BOXES[n]
            bands, stacks = (f.listed([f"{k + 1}-{k + size}" for k in range(0, n, size)]) for size in (high, wide))
            return voice.says(label, n=n, high=high, wide=wide, bands=bands, stacks=stacks)
        if label in ("diagonals", "nonconsecutive"):
            return voice.says(label, all=names.listed if voice.number > 0 else names.all, noun=names.noun)
        if label == "max_box":
            one, others, heavy = _heaviest(spec, names)
            return voice.says(label, n=n, unit=one, units=others, heavy=heavy, heavy_low=heavy[0].lower() + heavy[1:])
        clue = puzzle.clue(label)
        if clue is None:
            return label
        cell, value = grid.CLUES.placed(spec, clue)
        return f"Row {cell // n + 1} column {cell % n + 1} holds {puzzle.style.symbols[value]}."

    def words(self, puzzle: SudokuPuzzle) -> f.Words:
        n, names = puzzle.spec.params.size, _names(puzzle.style.symbols)
        boxes = [f"zone {name}" for name in names.zones] if puzzle.spec.rule("zones") else [f"box {k + 1}" for k in range(n)]
        units = [*boxes, *[f"the diagonal from the top {side} corner" for side in ("left", "right")]]
        return f.Words(
            value=lambda v: puzzle.style.symbols[v],
            unit=lambda k: units[k],
            noun=names.noun,
            voice=puzzle.style.phrasing,
        )

    def checks(self, puzzle: SudokuPuzzle, answer: f.Grid) -> list[str]:
        words, areas = self.words(puzzle), self.table(puzzle).units
        units = [(words.unit(k), cells) for k, cells in enumerate(areas)]
        return checks.once(answer, self.form.written(puzzle)[: puzzle.spec.params.size], words.noun, units)

    def zones(self, puzzle: SudokuPuzzle) -> tuple[int, ...]:
        return grid.zones_of(puzzle.spec)

    def draw(self, puzzle: SudokuPuzzle, answer: f.Grid | None = None, marked: Collection[str] = ()) -> str:
        spec = puzzle.spec
        picture = cell_board(self, puzzle, answer, marked)
        if spec.rule("diagonals"):
            picture.tint(sorted({i for cells in regions.diagonals(spec.params.size) for i in cells}), SHADES[1], below=True)
        if spec.rule("max_box"):
            picture.tint(grid.heaviest(spec)[0], SHADES[0], below=True)
        picture.borders(self.zones(puzzle), "#c01c28" if "box" in marked or "zones" in marked else "#111")
        for rule in spec.rules:
            if rule.name not in ("zones", *marked):
                picture.caption(self.describe(puzzle, rule.name))
        return picture.svg()


# ---- for the checker alone ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _areas(spec: f.Spec[Params]) -> list[list[int]]:
    """The cells of every zone or box, in reading order."""
    n, rule = spec.params.size, spec.rule("zones")
    if rule is None:
        high, wide = grid.BOXES[n]
        corners = [(top, left) for top in range(0, n, high) for left in range(0, n, wide)]
        return [[n * (top + r) + left + c for r in range(high) for c in range(wide)] for top, left in corners]
    drawn = rule.args[0] if rule.args else ()
    zones = drawn if type(drawn) is tuple and len(drawn) == n * n else ()
    areas = [[i for i, zone in enumerate(zones) if zone == k] for k in range(n)]
    if any(len(area) != n for area in areas):
        raise f.BadRow(f"sudoku.zones: expected {n} zones of {n} cells, got {str(drawn)[:60]}")
    return areas


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


# ---- words --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Names:
    """Names of the symbols of a style and of its zones."""

    noun: str  # "number"
    one: str  # "a number from 1 to 9"
    every: str  # "every number from 1 to 9"; all: where they were listed before; listed: wherever it stands
    all: str
    listed: str
    zones: tuple[str, ...]  # letters, or numbers where letters stand in the cells


@lru_cache(maxsize=64)
def _names(symbols: tuple[str, ...]) -> _Names:
    n, letters = len(symbols), "".join(symbols).isalpha()
    zones = f.numerals(n) if letters else tuple(_LETTERS[:n])
    if symbols == f.numerals(n):
        every = f"every number from 1 to {n}"
        return _Names("number", f"a number from 1 to {n}", every, every, every, zones)
    noun = "letter" if letters else "symbol"
    named = f"of the {noun}s {f.listed(symbols)}"
    return _Names(noun, f"one {named}", f"each of these {noun}s", f"every {noun}", f"each {named}", zones)


def _heaviest(spec: f.Spec[Params], names: _Names) -> tuple[str, str, str]:
    """The words for an area and for several, and the one that max_box is about."""
    n, first = spec.params.size, grid.heaviest(spec)[0][0]
    if spec.rule("zones"):
        return "zone", "zones", f"Zone {names.zones[grid.zones_of(spec)[first]]}"
    (high, wide), (top, left) = grid.BOXES[n], divmod(first, n)
    return "box", "boxes", f"The box in rows {top + 1}-{top + high} and columns {left + 1}-{left + wide}"


FAMILY = Sudoku()
