"""Hitori (also Singles, from Japanese "hitori ni shite kure", leave me alone).

Every cell of a grid shows a number. Erase cells so that all of these hold:
  repeat     no number stands twice among the cells of a row, or of a column, that stay;
  adjacent   no two erased cells share a side;
  connected  the cells that stay are connected along their sides;
  braced     a braced cell stays, and at most 3 of the cells around it are erased (only under the rule "braced").
Source: Nikoli, "Hitori" (1990). Seen in HardcoreLogic (2510.12563), appendix B; braces are ours. broken_rules returns the
names above, or "shape". Each number is a clue with an id of its own; none is ever left out, but engines, checker and text form
know cells without a number, which are like no other.

If a cell that stays could be erased as well, there are two answers. So the answers of puzzles with one answer are the *maximal*
legal erasures, those to which none can be added, and these are what is drawn evenly. Numbers are 1 to the longer side's length.
Braced cells are drawn first, and erasures evenly among the maximal ones under them. Puzzles in which the braces turn out idle are
thrown away (one in four of 4x4, one in seven of 8x8, one in twenty of 12x12), so that what is kept is drawn less evenly. What is
promised is that there are other answers without all of the braces; a single one may be idle (docs/design/transforms.md).

Only which cells of a line show the same number matters. Two puzzles are the same if turning or mirroring carries these pairs of
one to those of the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product
from math import log10
from textwrap import wrap
from typing import Any, ClassVar, final

from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.model import BLANK, Constraints, ErasureTable, Slots, Step
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import Line, Word, heading
from puzzlemill.core.types import (
    Ask,
    Clue,
    Column,
    Draft,
    Example,
    Family,
    Kind,
    Layout,
    Look,
    NoBoard,
    Puzzle,
    Question,
    Rows,
    Rule,
    Spec,
    Transform,
)
from puzzlemill.transforms.forms import AddRule, Redress

Grid = tuple[tuple[int, ...], ...]  # rows of 0 (stays), 1 (erased), or BLANK where unknown
Hidden = tuple[Grid, Grid]  # erasures, and numbers less 1

SMALLEST, LARGEST = 4, 12
CROWD = 3  # erased cells around a braced one, at most
KEEP, ERASE = ".", "#"
CIPHER = "row_cipher"
_LETTERS = "ABCDEFGHIJKL"
_MAXIMAL = {(4, 4): 110, (4, 5): 382}  # maximal legal erasures, listed in the tests


@dataclass(frozen=True, slots=True)
class Params:
    """rows, cols: 4 to 12."""

    rows: int = 8
    cols: int = 8


@final
class Hitori(Family[Params, NoBoard, Hidden | None, Grid]):
    """One slot per cell, row by row; 1 is erased."""

    name: ClassVar[str] = "hitori"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Hitori"
    params: ClassVar[Any] = Params
    answer: ClassVar[Any] = Grid
    rules: ClassVar[tuple[str, ...]] = ("braced",)
    transforms: ClassVar[tuple[Transform, ...]] = (
        AddRule("braced", about="braced cells stay, with at most three erased cells around each"),
        Redress(CIPHER, Kind.UE1, about="letters in place of numbers, by a code that changes from row to row"),
    )
    sought: ClassVar[str] = "erased cells"
    source: ClassVar[str] = 'Nikoli, "Hitori" (1990)'

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        for name, length in (("rows", spec.params.rows), ("cols", spec.params.cols)):
            if not SMALLEST <= length <= LARGEST:
                raise BadParams(f"hitori.{name} must be {SMALLEST} to {LARGEST}, got {length}; set family.params.{name}")
        cells = spec.params.rows * spec.params.cols
        for rule in spec.rules:
            if rule.name != "braced" or (rule.args and not _are_cells(rule.args, cells)):
                raise BadParams(
                    f"hitori knows the rule braced, with the list of braced cells (0 to {cells - 1}, ascending) or without, "
                    f"got {str(rule)[:60]}; set family.rules"
                )

    def settle(self, spec: Spec[Params], rng: Rng) -> Spec[Params]:
        """One cell in eight, and one more, is braced."""
        if spec.rule("braced") != Rule("braced"):
            return spec
        cells = spec.params.rows * spec.params.cols
        drawn = tuple(sorted(rng.child("braced").sample(range(cells), cells // 8 + 1)))
        return spec.without_rule("braced").with_rule(Rule("braced", (drawn,)))

    def fill(self, spec: Spec[Params], rng: Rng, ask: Ask) -> Hidden:
        drawn = ask.devise(_puzzle(spec, ()), rng)
        if drawn is None:
            raise Discarded("ambiguous", "no numbers were found that leave one answer")
        erased, numbers = drawn
        return self.assemble(spec, NoBoard(), erased), self.assemble(spec, NoBoard(), numbers)

    def pose(self, spec: Spec[Params], hidden: Hidden | None, rng: Rng) -> Draft[Params, NoBoard, Hidden | None, Grid]:
        """The draft hides nothing beside its answer: the numbers are shown."""
        if hidden is None:
            raise ValueError("hitori poses what fill() has drawn")
        erased, numbers = hidden
        every = _every_clue(spec.params.rows, spec.params.cols)
        clues = [choices[v] for choices, v in zip(every, [v for row in numbers for v in row], strict=True)]
        return Draft(_puzzle(spec, tuple(clues)), None, erased)

    def removal_order(self, draft: Draft[Params, NoBoard, Hidden | None, Grid], rng: Rng) -> list[int]:
        """Every cell shows its number."""
        return []

    def alternatives(self, puzzle: Puzzle[Params, NoBoard], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """The other numbers of that cell."""
        cell, value = _shown(puzzle.spec, clue)
        for other in rng.shuffled(range(_symbols(puzzle.spec))):
            if other != value:
                yield Clue(clue.id, clue.kind, (cell, other))

    def larger(self, spec: Spec[Params]) -> Spec[Params] | None:
        """One more row and column; which cells are braced is drawn anew."""
        rows, cols = spec.params.rows + 1, spec.params.cols + 1
        if max(rows, cols) > LARGEST:
            return None
        return Spec(replace(spec.params, rows=rows, cols=cols), tuple([Rule(rule.name) for rule in spec.rules]))

    # ---- meaning

    def model(self, spec: Spec[Params], board: NoBoard) -> Constraints:
        rows, cols, n = spec.params.rows, spec.params.cols, _symbols(spec)
        base = _base(rows, cols, n)
        m = Constraints(base.top, list(base.clauses), list(base.cardinalities), list(base.weighings), list(base.key))
        for cell in _braced(spec):
            m.require(m.key[cell][0], label="braced")
            around = [i for i in range(rows * cols) if i != cell and _near(i, cell, cols)]
            for four in combinations(around, CROWD + 1):
                m.require(*[m.key[i][0] for i in four], label="braced")
        return m

    def state(self, m: Constraints, spec: Spec[Params], board: NoBoard, clue: Clue) -> None:
        cell, value = _shown(spec, clue)
        cells, n = spec.params.rows * spec.params.cols, _symbols(spec)
        m.require(cells + cell * n + value + 1, label=clue.id)  # shows[cell][value] of _base

    def table(self, puzzle: Puzzle[Params, NoBoard]) -> ErasureTable:
        spec = puzzle.spec
        return ErasureTable(spec.params.rows, spec.params.cols, tuple(_all_shown(spec, puzzle.clues)), _braced(spec))

    def slots(self, spec: Spec[Params], board: NoBoard) -> tuple[int, ...]:
        return (2,) * (spec.params.rows * spec.params.cols)

    def assemble(self, spec: Spec[Params], board: NoBoard, values: Slots) -> Grid:
        rows, cols = spec.params.rows, spec.params.cols
        return tuple([tuple(values[r * cols : (r + 1) * cols]) for r in range(rows)])

    def slot_values(self, spec: Spec[Params], board: NoBoard, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def broken_rules(self, puzzle: Puzzle[Params, NoBoard], answer: Grid, partial: bool = False) -> list[str]:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        least = BLANK if partial else 0
        if len(answer) != rows or any(len(row) != cols or min(row) < least or max(row) > 1 for row in answer):
            return ["shape"]
        # flat, since this is asked very often
        signs = [v for row in answer for v in row]
        numbers = _numbers(puzzle)
        left = [number if v == 0 else BLANK for v, number in zip(signs, numbers, strict=True)]
        broken = []
        for line in [left[r * cols : (r + 1) * cols] for r in range(rows)] + [left[c::cols] for c in range(cols)]:
            told = [number for number in line if number != BLANK]
            if len(set(told)) < len(told):
                broken.append("repeat")
                break
        if 1 in signs:
            for i, v in enumerate(signs):
                if v == 1 and ((i % cols and signs[i - 1] == 1) or (i >= cols and signs[i - cols] == 1)):
                    broken.append("adjacent")
                    break
        if 0 in signs:
            first = signs.index(0)
            beside = _beside(rows, cols)
            shut = [v == 1 for v in signs]  # or seen already; an open cell may stay
            shut[first] = True
            work = [first]
            for i in work:
                for k in beside[i]:
                    if not shut[k]:
                        shut[k] = True
                        work.append(k)
            if any(v == 0 and not seen for v, seen in zip(signs, shut, strict=True)):
                broken.append("connected")
        for cell in _braced(puzzle.spec):
            r, c = divmod(cell, cols)
            around = [answer[y][x] for y in (r - 1, r, r + 1) for x in (c - 1, c, c + 1) if 0 <= y < rows and 0 <= x < cols]
            if answer[r][c] == 1 or around.count(1) > CROWD:
                broken.append("braced")
                break
        return broken

    def given_slots(self, puzzle: Puzzle[Params, NoBoard]) -> tuple[int, ...]:
        """Braced cells stay: that much is shown."""
        return _braced(puzzle.spec)

    def search_space_log10(self, puzzle: Puzzle[Params, NoBoard]) -> float:
        # 2 ** (number of cells), as in HardcoreLogic, table 5
        return puzzle.spec.params.rows * puzzle.spec.params.cols * log10(2)

    def shape(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        """The least drawing, among the turned and mirrored ones, of which cells are linked by equal numbers in lines."""
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        numbers, braced = _numbers(puzzle), set(_braced(puzzle.spec))
        group = list(range(rows * cols))  # cells linked by equal numbers in one line have the same name here
        for a, b in combinations(range(rows * cols), 2):
            if numbers[a] != numbers[b] or numbers[a] == BLANK or group[a] == group[b]:
                continue
            if a // cols == b // cols or a % cols == b % cols:
                old, new = group[b], group[a]
                group = [new if name == old else name for name in group]
        drawings = []
        for upside, behind, over in product((False, True), repeat=3):
            if over != (rows > cols) and rows != cols:
                continue  # the shorter side is the left one
            lines = [list(range(r * cols, (r + 1) * cols))[:: -1 if behind else 1] for r in range(rows)][:: -1 if upside else 1]
            if over:
                lines = [list(column) for column in zip(*lines, strict=True)]
            names: dict[int, int] = {}
            drawing = []
            for i in [cell for line in lines for cell in line]:
                name = BLANK if numbers[i] == BLANK else names.setdefault(group[i], len(names))
                drawing.append((name, i in braced))
            drawings.append(drawing)
        text = " ".join([f"{'.' if name == BLANK else name}{'b' if brace else ''}" for name, brace in min(drawings)])
        named = ",".join([rule.name for rule in puzzle.spec.rules])
        return f"{min(rows, cols)}x{max(rows, cols)} {named} {text}"

    def few_answers(self, spec: Spec[Params]) -> int | None:
        if spec.rules:
            return None
        return _MAXIMAL.get((min(spec.params.rows, spec.params.cols), max(spec.params.rows, spec.params.cols)))

    # ---- text

    def render(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        rows, cols, n = puzzle.spec.params.rows, puzzle.spec.params.cols, _symbols(puzzle.spec)
        texts = _texts(puzzle)
        wide = max([len(text) for row in texts for text in row])
        lines = [" ".join([text.rjust(wide) for text in row]) for row in texts]
        braced = set(_braced(puzzle.spec))
        if braced:  # every cell has room for its brackets
            pairs = [[("[", "]") if r * cols + c in braced else (" ", " ") for c in range(cols)] for r in range(rows)]
            bracketed = [
                [f"{a}{text}{b}".rjust(wide + 2) for text, (a, b) in zip(*row, strict=True)]
                for row in zip(texts, pairs, strict=True)
            ]
            lines = ["".join(row).rstrip() for row in bracketed]
        what = "letter" if _ciphered(puzzle) else "number"
        told = [
            f"This Hitori grid has {rows} rows and {cols} columns. Every cell shows a {what}. Decide which cells to erase, so "
            "that all of the rules below hold."
        ]
        if _ciphered(puzzle):
            told += ["", _cipher_words(n)]
        if BLANK in _numbers(puzzle):
            told += ["", f"A cell shown as a dot has no {what} and is like no other cell."]
        labels = ["repeat", "adjacent", "connected", *[rule.name for rule in puzzle.spec.rules]]
        told += ["", *[f"{i}. {self.say(puzzle, label)}" for i, label in enumerate(labels, 1)], ""]
        indent = min([len(line) - len(line.lstrip()) for line in lines])
        return "\n".join([*told, *[line[indent:] for line in lines]]).strip()

    def say(self, puzzle: Puzzle[Params, NoBoard], label: str) -> str:
        clue = next((clue for clue in puzzle.clues if clue.id == label), None)
        if clue is not None:
            cell, value = _shown(puzzle.spec, clue)
            r, c = divmod(cell, puzzle.spec.params.cols)
            if _ciphered(puzzle):
                return f"Row {r + 1} column {c + 1} shows {_text(puzzle, r, value)}, which is {value + 1}."
            return f"Row {r + 1} column {c + 1} shows {_text(puzzle, r, value)}."
        alike = "of the cells that stay have" if _ciphered(puzzle) else "cells that stay show"
        told = {
            "repeat": f"In a row, and in a column, no two {alike} the same number.",
            "adjacent": "No two erased cells share a side.",
            "connected": "The cells that stay are connected: from each of them one can walk to every other one, from cell to "
            "cell over shared sides, without stepping on an erased cell.",
            "braced": "A cell in square brackets stays, and of the cells around it (those that share a side or a corner with "
            "it) at most three are erased.",
        }
        return told.get(label, label)

    def tell(self, puzzle: Puzzle[Params, NoBoard], step: Step) -> str:
        text = _told(puzzle, step)
        ends = not step.sets and step.technique != "search"  # which says so itself
        return text[0].upper() + text[1:] + "." + (" So there is no answer." if ends else "")

    def layout(self, puzzle: Puzzle[Params, NoBoard]) -> Layout:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        note = f"Give the grid row by row, from top to bottom, with {ERASE} for an erased cell and {KEEP} for a cell that stays."
        return Layout(tuple([Column(f"column {c + 1}", (KEEP, ERASE)) for c in range(cols)]), rows, rows, True, note)

    def write(self, puzzle: Puzzle[Params, NoBoard], answer: Grid) -> Rows:
        return tuple([tuple([(KEEP, ERASE)[v] for v in row]) for row in answer])

    def read(self, puzzle: Puzzle[Params, NoBoard], rows: Rows) -> Grid | None:
        return tuple([tuple([(KEEP, ERASE).index(token) for token in row]) for row in rows])

    def redress(self, puzzle: Puzzle[Params, NoBoard], way: str, rng: Rng) -> Look:
        """The cipher of HardcoreLogic: in row i (from 1), number k becomes the letter i + k - 1, counted in a ring from A."""
        if way != CIPHER:
            return super().redress(puzzle, way, rng)
        return replace(puzzle.look, symbols=tuple(_LETTERS[: _symbols(puzzle.spec)]), theme=CIPHER)

    def draw(self, puzzle: Puzzle[Params, NoBoard], answer: Grid | None = None, marked: Collection[str] = ()) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        wide, high = 36 * cols, 36 * rows
        dark, lit, rings, texts = [], [], [], []
        for r, row in enumerate(_texts(puzzle)):
            for c, text in enumerate(row):
                x, y = 10 + 36 * c, 10 + 36 * r
                gone = answer is not None and answer[r][c] == 1
                if gone:
                    dark.append(f"M{x} {y}h36v36h-36z")
                if r * cols + c in _braced(puzzle.spec):
                    rings.append(f'<rect x="{x + 4}" y="{y + 4}" width="28" height="28"/>')
                sure = answer is not None and answer[r][c] == 0
                ink = 'fill="#999"' if gone else 'fill="#1a5fb4" font-weight="bold"' if sure else 'fill="#111"'
                texts.append(f'<text x="{x + 18}" y="{y + 25}" text-anchor="middle" {ink}>{text}</text>')
        for clue in puzzle.clues:
            if clue.id in marked:
                r, c = divmod(_shown(puzzle.spec, clue)[0], cols)
                lit.append(f"M{10 + 36 * c} {10 + 36 * r}h36v36h-36z")
        below, box = high + 10, wide + 20
        captions = [label for label in ("repeat", "adjacent", "connected", "braced") if label in marked]
        if captions:
            box = max(box, 340)
        for label in captions:
            for k, line in enumerate(wrap(self.say(puzzle, label), (box - 20) // 8, initial_indent="\u2022 ")):
                below += 18 if k else 22
                look = 'font-size="12" font-weight="bold" fill="#c01c28"'
                texts.append(f'<text x="{19 if k else 10}" y="{below}" {look}>{line}</text>')
        bars = [f"M{10 + 36 * c} 10v{high}" for c in range(1, cols)] + [f"M10 {10 + 36 * r}h{wide}" for r in range(1, rows)]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {box} {below + 10}" font-family="sans-serif" font-size="20">'
            f'<rect x="10" y="10" width="{wide}" height="{high}" fill="#fff"/>'
            + (f'<path d="{"".join(lit)}" fill="#f6b6ae"/>' if lit else "")
            + (f'<path d="{"".join(dark)}" fill="#333"/>' if dark else "")
            + f'<path d="{"".join(bars)}" stroke="#999" fill="none"/>'
            f'<rect x="10" y="10" width="{wide}" height="{high}" fill="none" stroke="#111" stroke-width="2"/>'
            + (f'<g fill="none" stroke="#111">{"".join(rings)}</g>' if rings else "")
            + f"{''.join(texts)}</svg>"
        )

    # ---- puzzles from elsewhere

    def scan(self, lines: Sequence[Line]) -> Puzzle[Params, NoBoard]:
        options = heading(lines, self.name, ("braced",))
        body = [(line, _cells_of(line)) for line in lines[1:]]
        rows, cols = len(body), len(body[0][1]) if body else 0
        for name, size in (("rows", rows), ("columns", cols)):
            if not 2 <= size <= LARGEST:
                raise lines[0].bad(0, f"expected 2 to {LARGEST} {name} of numbers, got {size}")
        n = max(rows, cols)
        clues, braced = [], []
        for r, (line, words) in enumerate(body):
            if len(words) != cols:
                raise line.bad(0, f"expected {cols} cells as in the first row, got {len(words)}")
            for c, word in enumerate(words):
                text = word.text
                if text[0] == "[":
                    if "braced" not in options:
                        raise line.bad(word.column, "a braced cell in a grid without the option braced")
                    braced.append(r * cols + c)
                    text = text[1:-1]
                if text == ".":
                    continue
                value = int(text)
                if not 1 <= value <= n:
                    raise line.bad(word.column, f"expected a number from 1 to {n} (the longer side), got {value}")
                clues.append(Clue(f"r{r + 1}c{c + 1}", "number", (r * cols + c, value - 1)))
        rules = (Rule("braced", (tuple(braced),)),) if "braced" in options else ()
        if rules and not braced:
            raise lines[0].bad(0, "braced: no cell is in square brackets")
        return _puzzle(Spec(Params(rows, cols), rules), tuple(clues))

    def spell(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        spec, cols = puzzle.spec, puzzle.spec.params.cols
        cells = [_shown(spec, clue)[0] for clue in puzzle.clues]
        if len(set(cells)) < len(cells):
            raise BadRow("hitori: the text form has no way to give a cell two numbers")
        braced = set(_braced(spec))
        lines = [" ".join([self.name, *[rule.name for rule in spec.rules]])]
        texts = ["." if v == BLANK else str(v + 1) for v in _numbers(puzzle)]
        texts = [f"[{text}]" if i in braced else text for i, text in enumerate(texts)]
        lines += [" ".join(texts[start : start + cols]) for start in range(0, len(texts), cols)]
        return "\n".join(lines) + "\n"

    # ---- evidence

    def examples(self) -> tuple[Example[Params, NoBoard, Grid], ...]:
        def example(shown: str, answer: str, source: str) -> Example[Params, NoBoard, Grid]:
            numbers = [[int(digit) - 1 for digit in row] for row in shown.split()]
            spec = Spec(Params(len(numbers), len(numbers[0])))
            every = _every_clue(spec.params.rows, spec.params.cols)
            clues = [choices[v] for choices, v in zip(every, [v for row in numbers for v in row], strict=True)]
            grid = tuple([tuple([(KEEP, ERASE).index(sign) for sign in row]) for row in answer.split()])
            return Example(_puzzle(spec, tuple(clues)), grid, source)

        return (
            example(
                "48163257 36721654 23482861 41657735 72318512 35673184 64235478 87142356",
                "#.#...#. .....#.. #..#.... ..#..#.# .#.#.... #...#..# .#...... ....#.#.",
                'Wikipedia, "Hitori", the article\'s example',
            ),
            example(
                "662234 316265 214416 656411 245362",
                "#..#.. ....#. .#.#.. ..#.#. #.....",
                "Simon Tatham's Portable Puzzle Collection, Singles, game 6x5dk#1",
            ),
        )

    def smallest(self) -> tuple[Spec[Params], ...]:
        braced = Rule("braced")
        return (Spec(Params(4, 4)), Spec(Params(4, 4), (braced,)), Spec(Params(6, 4), (braced,)))


# ---- clues and looks ------------------------------------------------------------------------------------------------


def _puzzle(spec: Spec[Params], clues: tuple[Clue, ...]) -> Puzzle[Params, NoBoard]:
    return Puzzle(Hitori.name, Hitori.version, spec, NoBoard(), clues, Question(), _look(_symbols(spec)))


def _symbols(spec: Spec[Params]) -> int:
    """How many numbers there are: 1 to the longer side's length."""
    return max(spec.params.rows, spec.params.cols)


@lru_cache(maxsize=16)
def _look(n: int) -> Look:
    return Look(symbols=tuple([str(v + 1) for v in range(n)]))


@lru_cache(maxsize=128)
def _every_clue(rows: int, cols: int) -> tuple[tuple[Clue, ...], ...]:
    """The clues that each cell can have; shared, since stating a grid is on the path of every puzzle."""
    ids = [f"r{i // cols + 1}c{i % cols + 1}" for i in range(rows * cols)]
    return tuple([tuple([Clue(id_, "number", (i, v)) for v in range(max(rows, cols))]) for i, id_ in enumerate(ids)])


def _shown(spec: Spec[Params], clue: Clue) -> tuple[int, int]:
    """Cell and value of a clue; raises BadRow for what is no number of this grid."""
    return _all_shown(spec, (clue,))[0]


def _all_shown(spec: Spec[Params], clues: Sequence[Clue]) -> list[tuple[int, int]]:
    """Cell and value of every clue, in one go since this is on the path of every puzzle; raises as _shown does."""
    cells, n = spec.params.rows * spec.params.cols, _symbols(spec)
    shown = []
    for clue in clues:
        if clue.kind == "number" and len(clue.args) == 2:
            cell, value = clue.args
            if type(cell) is int and type(value) is int and 0 <= cell < cells and 0 <= value < n:
                shown.append((cell, value))
                continue
        raise BadRow(f"clue {clue.id}: expected a number, its cell below {cells} and its value below {n}, got {str(clue)[:80]}")
    return shown


def _are_cells(args: tuple[Any, ...], cells: int) -> bool:
    """Whether a rule's arguments are one list of different cells in ascending order, at least one."""
    if len(args) != 1 or type(args[0]) is not tuple or not args[0] or any(type(cell) is not int for cell in args[0]):
        return False
    listed = args[0]
    return listed[0] >= 0 and listed[-1] < cells and all(a < b for a, b in zip(listed, listed[1:], strict=False))


def _braced(spec: Spec[Params]) -> tuple[int, ...]:
    rule = spec.rule("braced")
    if rule is None or not rule.args:
        return ()
    return tuple([cell for cell in rule.args[0] if type(cell) is int]) if type(rule.args[0]) is tuple else ()


def _numbers(puzzle: Puzzle[Params, NoBoard]) -> list[int]:
    """Number less 1 of every cell, row by row; BLANK where none is shown."""
    numbers = [BLANK] * (puzzle.spec.params.rows * puzzle.spec.params.cols)
    for cell, value in _all_shown(puzzle.spec, puzzle.clues):
        numbers[cell] = value
    return numbers


@lru_cache(maxsize=128)
def _beside(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """The cells that share a side with each cell; for the plain checker alone."""
    around = []
    for i in range(rows * cols):
        r, c = divmod(i, cols)
        near = ((r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c))
        around.append(tuple([y * cols + x for y, x in near if 0 <= y < rows and 0 <= x < cols]))
    return tuple(around)


def _ciphered(puzzle: Puzzle[Params, NoBoard]) -> bool:
    return puzzle.look.theme == CIPHER


def _text(puzzle: Puzzle[Params, NoBoard], row: int, value: int) -> str:
    """What a cell of this row (from 0) shows for a value."""
    symbols = puzzle.look.symbols
    return symbols[(row + value) % len(symbols)] if _ciphered(puzzle) else symbols[value]


def _texts(puzzle: Puzzle[Params, NoBoard]) -> list[list[str]]:
    cols = puzzle.spec.params.cols
    texts = ["." if v == BLANK else _text(puzzle, i // cols, v) for i, v in enumerate(_numbers(puzzle))]
    return [texts[start : start + cols] for start in range(0, len(texts), cols)]


def _cipher_words(n: int) -> str:
    last = _LETTERS[n - 1]
    return (
        f"Each letter stands for a number from 1 to {n}, by a code that changes from row to row. In row 1, A is 1, B is 2, and "
        f"so on to {last}, which is {n}. In each further row every number's letter is the next one after its letter in the row "
        f"above, and A comes after {last}: in row 2, B is 1, C is 2, {last} is {n - 1} and A is {n}. The rules are about the "
        "numbers."
    )


def _and(words: Sequence[str]) -> str:
    """Words with "and" before the last, and a comma before that where one of the others has an "and" of its own."""
    comma = "," if any(" and " in word for word in words[:-1]) else ""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])}{comma} and {words[-1]}"


def _places(cells: Collection[int], cols: int) -> str:
    """ "row 2 columns 1 and 4, and row 3 column 5"."""
    rows: dict[int, list[str]] = {}
    for cell in sorted(cells):
        rows.setdefault(cell // cols, []).append(str(cell % cols + 1))
    if len(rows) > 1 and len({tuple(columns) for columns in rows.values()}) == 1 and len(rows) == len(cells):
        return f"rows {_and([str(r + 1) for r in rows])} of column {next(iter(rows.values()))[0]}"
    return _and([f"row {r + 1} column{'s' if len(columns) > 1 else ''} {_and(columns)}" for r, columns in rows.items()])


def _told(puzzle: Puzzle[Params, NoBoard], step: Step) -> str:
    """A step without capital and full stop; solvers/deduce/erase.py says what `about` holds."""
    rows, cols, about = puzzle.spec.params.rows, puzzle.spec.params.cols, step.about
    numbers = _numbers(puzzle)
    sets = [cell for cell, _ in step.sets]

    def where(*cells: int) -> str:
        return _places(cells, cols)

    def be(cells: Collection[int], value: int, aside: str = "") -> str:
        """ "row 1 columns 2 and 4 stay"."""
        state = ("are erased", "is erased") if value else ("stay", "stays")
        return f"{_places(cells, cols)}{aside} {state[len(cells) == 1]}"

    def sign(cell: int) -> str:
        return _text(puzzle, cell // cols, numbers[cell])

    def same(a: int, b: int) -> str:
        """What two cells with one number show."""
        if sign(a) == sign(b):
            return f"both show {sign(a)}"
        return f"show {sign(min(a, b))} and {sign(max(a, b))}, which both stand for {numbers[a] + 1}"

    def alike(cells: Collection[int], first: int) -> str:
        """ ", with the same number,"; what they show is told where it is other letters."""
        signs = [sign(cell) for cell in sorted(cells)]
        return f", with the same number{'' if set(signs) == {sign(first)} else f' (shown as {_and(signs)})'},"

    def link(before: int, kind: int, cell: int, value: int) -> str:
        if kind == 1:
            too = "it shows the same number" if sign(cell) != sign(before) else f"it shows {sign(cell)} too"
            return f"{be([cell], value)} ({too})"
        if kind == 2:
            inner = [(before // cols, cell % cols), (cell // cols, before % cols)]
            corner = next(r * cols + c for r, c in inner if r in (0, rows - 1) and c in (0, cols - 1))
            return f"{be([cell], value)} (else {where(corner)} would be shut off)"
        return be([cell], value)

    if step.technique == "sandwich":
        a, middle, b = about
        return f"{where(a, b)} {same(a, b)}; if {where(middle)} between them were erased, both would stay. So {be([middle], 0)}"
    if step.technique == "pair":
        a, b, *further = about
        return f"{where(a, b)}, side by side, {same(a, b)}. One of them stays, so {be(further, 1, alike(further, a))}"
    if step.technique == "neighbours":
        return f"{be(about, 1)}, so {be(sets, 0, ', beside it,')}" if sets else f"{be(about, 1)}, side by side"
    if step.technique == "equals":
        first = about[0]
        if not sets:
            return f"{where(*about)} {same(*about)}, and neither can be erased"
        meant = f", which is {numbers[first] + 1}," if _ciphered(puzzle) else ""
        held = ", in brackets," if first in _braced(puzzle.spec) else ""
        return f"{where(first)}{held} shows {sign(first)}{meant} and stays, so {be(sets, 1, alike(sets, first))}"
    if step.technique == "way_out":
        cell, *walls = about
        if not sets:
            return f"{be(walls, 1)}, which shuts {where(cell)} off from the other cells that stay"
        return f"{be(walls, 1)}, so {be(sets, 0)}: else {where(cell)} would be shut off"
    if step.technique == "crowd":
        cell, *erased = about
        bracketed = f"the cell in brackets at {where(cell)}"
        if not sets:
            return f"four cells around {bracketed} are erased: {where(*erased)}"
        return f"three cells around {bracketed} are erased: {where(*erased)}. So {be(sets, 0)}"
    if step.technique == "cut":
        cell, side, *walls = about
        shut = f"shut {where(side)} off from other cells that stay"
        if not sets:
            return f"the erased cells {where(*walls)} {shut}"
        others = f" and the erased {'cells' if len(walls) > 1 else 'cell'} {where(*walls)}" if walls else ""
        return f"if {where(cell)} were erased, it{others} would {shut}. So {be([cell], 0)}"
    if step.technique in ("corner", "chain"):
        told = [link(about[k - 2], *about[k : k + 3]) for k in range(2, len(about), 3)]
        supposed = be([about[0]], about[1])
        return f"suppose {supposed}: then {', so '.join(told)}, against what was supposed. So {be([about[0]], 1 - about[1])}"
    if step.technique == "search":
        if not step.sets:
            return "none of the usual techniques leads on, and going through all possibilities shows that there is no answer"
        left = [be(cells, value) for value in (1, 0) if (cells := [cell for cell, v in step.sets if v == value])]
        return f"none of the usual techniques leads on; going through all possibilities leaves one way only: {'; '.join(left)}"
    story = "; ".join([_told(puzzle, part) for part in step.within])
    return f"suppose {be([about[0]], about[1])}. Then {story}. That cannot be, so {be([about[0]], 1 - about[1])}"


def _cells_of(line: Line) -> list[Word]:
    """The cells of a row: numbers, dots, and either in square brackets; digits may stand together where there are no blanks."""
    words = line.words
    if len(words) == 1 and len(words[0].text) > 1 and not words[0].text.strip("0123456789."):
        return [Word(words[0].column + i, sign) for i, sign in enumerate(words[0].text)]
    for word in words:
        text = word.text[1:-1] if word.text[0] == "[" and word.text[-1] == "]" else word.text
        if text != "." and not (text.isascii() and text.isdecimal() and len(text) < 3):
            raise line.bad(word.column, f"expected a number, a dot, or one of them in square brackets, got {word.text[:20]!r}")
    return words


# ---- clauses --------------------------------------------------------------------------------------------------------


def _near(a: int, b: int, cols: int) -> bool:
    """Whether two cells are the same or share a side or a corner."""
    return abs(a // cols - b // cols) < 2 and abs(a % cols - b % cols) < 2


@lru_cache(maxsize=64)
def _base(rows: int, cols: int, n: int) -> Constraints:
    """The rules without braces; copied before anything is added.

    Variables in order: erased[cell], then shows[cell][value]; a cell without a number shows nothing.
    """
    m = Constraints()
    erased = [m.slot(2)[1] for _ in range(rows * cols)]
    shows = [[m.var() for _ in range(n)] for _ in range(rows * cols)]
    for lits in shows:
        m.at_most_one(lits)
    lines = [range(r * cols, (r + 1) * cols) for r in range(rows)] + [range(c, rows * cols, cols) for c in range(cols)]
    for line in lines:
        for a, b in combinations(line, 2):
            for v in range(n):
                m.require(erased[a], erased[b], -shows[a][v], -shows[b][v], label="repeat")
    beside = [pair for line in lines for pair in zip(line, line[1:], strict=False)]
    for a, b in beside:
        m.require(-erased[a], -erased[b], label="adjacent")
    _forcing(m, erased, shows, lines)
    # a shortest way never holds all four cells of a square: of each square of two by two it has three at most, and all of what is
    # left at a side of odd length
    longest = rows * cols - (rows // 2) * (cols // 2)
    m.connected([-lit for lit in erased], beside, longest - 1, label="connected")
    return m


def _forcing(m: Constraints, erased: Sequence[int], shows: Sequence[Sequence[int]], lines: Sequence[Sequence[int]]) -> None:
    """What follows from "repeat" and "adjacent" together, so that propagation sets what a reader sees at a glance.

    A cell between two that show the same stays; of two side by side that show the same one stays, so the others of the line that
    do are erased. A literal says that "repeat" is in force: these clauses are labelled "adjacent" and mean nothing without both.
    """
    both = m.var()
    m.require(both, label="repeat")
    for line in lines:
        for a, middle, b in zip(line, line[1:], line[2:], strict=False):
            for one, other in zip(shows[a], shows[b], strict=True):
                m.require(-both, -one, -other, -erased[middle], label="adjacent")
        for a, b in zip(line, line[1:], strict=False):
            for i in line:
                if i not in (a, b):
                    for one, other, third in zip(shows[a], shows[b], shows[i], strict=True):
                        m.require(-both, -one, -other, -third, erased[i], label="adjacent")


FAMILY = Hitori()
