"""Hitori (also Singles, from Japanese "hitori ni shite kure", leave me alone).

Every cell of a grid shows a number. Erase cells so that all of these hold:
  repeat     no number stands twice among the cells of a row, or of a column, that stay;
  adjacent   no two erased cells share a side;
  connected  the cells that stay are connected along their sides;
  braced     a braced cell stays, and at most 3 of the cells around it are erased (only under the rule "braced").
Source: Nikoli, "Hitori" (1990). Seen in HardcoreLogic (2510.12563), appendix B; braces are ours. broken_rules returns the
names above, or "malformed". Each number is a clue with an id of its own; none is ever left out, but engines, checker and text
form know cells without a number, which are like no other.

If a cell that stays could be erased as well, there are two answers. So the answers of puzzles with one answer are the *maximal*
legal erasures, those to which none can be added, and these are what is drawn evenly. Numbers are 1 to the longer side's length.
Braced cells are drawn first, and erasures evenly among the maximal ones under them. Puzzles in which the braces turn out idle are
thrown away (one in four of 4x4, one in seven of 8x8, one in twenty of 12x12), so that what is kept is drawn less evenly. What is
promised is that there are other answers without all of the braces; a single one may be idle (docs/design/transforms.md).

Only which cells of a line show the same number matters. Two puzzles are the same if turning or mirroring carries these pairs of
one to those of the other.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import log10
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core import checks
from puzzlemill.core.family import cell_board
from puzzlemill.core.model import ErasureTable
from puzzlemill.core.pictures import ERASED
from puzzlemill.generators._hitori import LETTERS, equals, erasures, model_base, near, neighbours_of, solutions

Hidden = tuple[f.Grid, f.Grid]  # erasures, and numbers less 1
HitoriPuzzle = f.Puzzle["Params", f.NoBoard]
HitoriDraft = f.Draft["Params", f.NoBoard, Hidden | None, f.Grid]

SMALLEST, LARGEST = 4, 12
CROWD = 3  # erased cells around a braced one, at most
KEEP, ERASE = ".", "#"
CIPHER = "row_cipher"


@f.params
class Params:
    rows: int = f.Param(8, least=SMALLEST, most=LARGEST)
    cols: int = f.Param(8, least=SMALLEST, most=LARGEST)


# ---- answers, clues, rules ----------------------------------------------------------------------------------------------


class Erasures(f.GridForm):
    """No single cell is ever settled by what is shown alone, so no step is asked for."""

    asks = (f.Ask.CELL, f.Ask.NUMBER, f.Ask.OPTION)


_FORM = Erasures(
    "rows",
    "cols",
    2,
    f"Give the grid row by row, from top to bottom, with {ERASE} for an erased cell and {KEEP} for a cell that stays.",
    (KEEP, ERASE),
    f"{ERASE} for an erased cell, {KEEP} for a cell that stays",
)


class Numbers(f.CellClues):
    """Each cell shows a number; none is left out. Braced cells stay: that much is shown of the answer."""

    def most(self, spec: f.Spec[Any]) -> int:
        return max(_FORM.board(spec))

    def state(self, m: f.Constraints, spec: f.Spec[Any], board: f.NoBoard, clue: f.Clue) -> None:
        cell, value = self.placed(spec, clue)
        cells, n = _FORM.cells(spec), self.most(spec)
        m.require(cells + cell * n + value + 1, label=clue.id)  # shows[cell][value] of _base

    def given_slots(self, puzzle: f.Puzzle[Any, Any]) -> tuple[int, ...]:
        return _braced(puzzle.spec)

    def strain(self, spec: f.Spec[Any], values: Sequence[int], cells: Sequence[int]) -> tuple[int, ...]:
        return (equals(values, cells, spec.params.cols),)


_CLUES = Numbers(_FORM, "number", removable=False)


def _draw_braced(spec: f.Spec[Any], rng: f.Rng) -> tuple[f.Arg, ...]:
    """One cell in eight, and one more, is braced."""
    cells = _FORM.cells(spec)
    return (tuple(sorted(rng.child("braced").sample(range(cells), cells // 8 + 1))),)


def _check_braced(spec: f.Spec[Any], args: tuple[f.Arg, ...]) -> None:
    cells, listed = _FORM.cells(spec), args[0]
    sound = len(args) == 1 and type(listed) is tuple and listed == tuple(sorted({i for i in range(cells) if i in listed}))
    if not sound or not listed:
        raise f.BadParams(
            f"hitori.braced takes the list of braced cells (0 to {cells - 1}, ascending), got {str(args)[:60]}; "
            "set family.rules=[braced] to have them drawn"
        )


def _cipher(puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> f.Style:
    """The cipher of HardcoreLogic: in row i (from 1), number k becomes the letter i + k - 1, counted in a ring from A."""
    return replace(puzzle.style, symbols=tuple(LETTERS[: _CLUES.most(puzzle.spec)]), theme=CIPHER)


class Text(f.TextForm["Params", f.NoBoard]):
    """A line for each row: numbers, dots for cells without one, and either in square brackets for a braced cell."""

    def parse(self, lines: Sequence[f.Line]) -> HitoriPuzzle:
        options = f.heading(lines, self.family.name, ("braced",))
        rows = [f.signs(line, "0123456789.") for line in lines[1:]]
        high, wide = f.grid_of(lines, rows, 2, LARGEST, "numbers")
        spec, clues, braced = f.Spec(Params(high, wide)), [], []
        for r, (line, words) in enumerate(zip(lines[1:], rows, strict=True)):
            for c, word in enumerate(words):
                text = word.text
                if text[0] == "[" and text[-1] == "]":
                    if "braced" not in options:
                        raise line.bad(word.column, "a braced cell in a grid without the option braced")
                    braced.append(r * wide + c)
                    text = text[1:-1]
                if text != ".":
                    clues.append(_CLUES.at(spec, r * wide + c, _value(line, word, text, max(high, wide))))
        if "braced" in options:
            if not braced:
                raise lines[0].bad(0, "braced: no cell is in square brackets")
            spec = spec.with_rule(f.Rule("braced", (tuple(braced),)))
        return self.family.puzzle(spec, clues)

    def format(self, puzzle: HitoriPuzzle) -> str:
        cells = [cell for cell, _ in _CLUES.all_placed(puzzle.spec, puzzle.clues)]
        if len(set(cells)) < len(cells):
            raise f.BadRow("hitori: the text form has no way to give a cell two numbers")
        braced = set(_braced(puzzle.spec))
        texts = ["." if v == f.BLANK else str(v + 1) for v in _CLUES.shown(puzzle)]
        texts = [f"[{text}]" if i in braced else text for i, text in enumerate(texts)]
        cols = puzzle.spec.params.cols
        lines = [" ".join(texts[start : start + cols]) for start in range(0, len(texts), cols)]
        return "\n".join([" ".join(["hitori", *[rule.name for rule in puzzle.spec.rules]]), *lines]) + "\n"


def _value(line: f.Line, word: f.Word, text: str, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 3):
        raise line.bad(word.column, f"expected a number, a dot, or one of them in square brackets, got {word.text[:20]!r}")
    if not 1 <= int(text) <= most:
        raise line.bad(word.column, f"expected a number from 1 to {most} (the longer side), got {text}")
    return int(text) - 1


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Hitori(f.Family[Params, f.NoBoard, Hidden | None, f.Grid]):
    """One slot per cell, row by row; 1 is erased."""

    name, version, title, source = "hitori", 1, "Hitori", 'Nikoli, "Hitori" (1990)'
    params, answer, form, clues, text = Params, f.Grid, _FORM, _CLUES, Text()
    rules = f.declared(f.OptionalRule("braced", draw=_draw_braced, check=_check_braced))
    transforms = (
        f.AddRule("braced", about="braced cells stay, with at most three erased cells around each"),
        f.Restyle(CIPHER, f.Kind.UE1, how=_cipher, about="letters in place of numbers, by a code that changes from row to row"),
    )
    small = f.SmallClasses(answers=erasures, solutions=solutions)
    solution = f.least_drawing
    sought = "erased cells"
    smallest = (f.Spec(Params(4, 4)), f.Spec(Params(4, 4), (f.Rule("braced"),)), f.Spec(Params(6, 4), (f.Rule("braced"),)))
    worked = (
        (
            "hitori\n48163257\n36721654\n23482861\n41657735\n72318512\n35673184\n64235478\n87142356",
            """
# . # . . . # .
. . . . . # . .
# . . # . . . .
. . # . . # . #
. # . # . . . .
# . . . # . . #
. # . . . . . .
. . . . # . # .""",
            'Wikipedia, "Hitori", the article\'s example',
        ),
        (
            "hitori\n662234\n316265\n214416\n656411\n245362",
            "# . . # . .\n. . . . # .\n. # . # . .\n. . # . # .\n# . . . . .",
            "Simon Tatham's Portable Puzzle Collection, Singles, game 6x5dk#1",
        ),
    )

    # ---- making

    def style(self, spec: f.Spec[Params]) -> f.Style:
        return f.Style(symbols=f.numerals(_CLUES.most(spec)))

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Hidden:
        drawn = oracle.sample_with_clues(self.puzzle(spec), rng)
        if drawn is None:
            raise f.Discarded("ambiguous", "no numbers were found that leave one answer")
        erased, numbers = drawn
        return _FORM.assemble(spec, f.NoBoard(), erased), _FORM.assemble(spec, f.NoBoard(), numbers)

    def make_puzzle(
        self, spec: f.Spec[Params], hidden: Hidden | None, rng: f.Rng
    ) -> f.Draft[Params, f.NoBoard, Hidden | None, f.Grid]:
        """The draft hides nothing besides its answer: the numbers are shown."""
        if hidden is None:
            raise ValueError("hitori makes puzzles of what sample_solution() has drawn")
        erased, numbers = hidden
        return f.Draft(self.puzzle(spec, _CLUES.true(spec, _FORM.values(spec, f.NoBoard(), numbers))), None, erased)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """One more row and column; which cells are braced is drawn anew."""
        rows, cols = spec.params.rows + 1, spec.params.cols + 1
        if max(rows, cols) > LARGEST:
            return None
        return f.Spec(replace(spec.params, rows=rows, cols=cols), tuple([f.Rule(rule.name) for rule in spec.rules]))

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: f.NoBoard) -> f.Constraints:
        rows, cols, n = spec.params.rows, spec.params.cols, _CLUES.most(spec)
        base = model_base(rows, cols, n)
        m = f.Constraints(base.top, list(base.clauses), list(base.cardinalities), list(base.weighings), list(base.key))
        for cell in _braced(spec):
            m.require(m.key[cell][0], label="braced")
            around = [i for i in range(rows * cols) if i != cell and near(i, cell, cols)]
            for four in combinations(around, CROWD + 1):
                m.require(*[m.key[i][0] for i in four], label="braced")
        return m

    def table(self, puzzle: HitoriPuzzle) -> ErasureTable:
        spec = puzzle.spec
        return ErasureTable(spec.params.rows, spec.params.cols, tuple(_CLUES.all_placed(spec, puzzle.clues)), _braced(spec))

    def broken_rules(self, puzzle: HitoriPuzzle, answer: f.Grid, partial: bool = False) -> list[str]:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        if not _FORM.fits(puzzle.spec, answer, partial):
            return [f.MALFORMED]
        # flat, since this is asked very often
        signs = [v for row in answer for v in row]
        numbers = _CLUES.shown(puzzle)
        left = [number if v == 0 else f.BLANK for v, number in zip(signs, numbers, strict=True)]
        broken = []
        for line in [left[r * cols : (r + 1) * cols] for r in range(rows)] + [left[c::cols] for c in range(cols)]:
            shown = [number for number in line if number != f.BLANK]
            if len(set(shown)) < len(shown):
                broken.append("repeat")
                break
        if 1 in signs:
            for i, v in enumerate(signs):
                if v == 1 and ((i % cols and signs[i - 1] == 1) or (i >= cols and signs[i - cols] == 1)):
                    broken.append("adjacent")
                    break
        if 0 in signs:
            first = signs.index(0)
            sides = neighbours_of(rows, cols)
            shut = [v == 1 for v in signs]  # or seen already; an open cell may stay
            shut[first] = True
            work = [first]
            for i in work:
                for k in sides[i]:
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

    def search_space_log10(self, puzzle: HitoriPuzzle) -> float:
        # 2 ** (number of cells), as in HardcoreLogic, table 5
        return puzzle.spec.params.rows * puzzle.spec.params.cols * log10(2)

    def symmetry(self, puzzle: HitoriPuzzle) -> str:
        """The least drawing, among the turned and mirrored ones, of which cells are linked by equal numbers in lines."""
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        numbers, braced = _CLUES.shown(puzzle), set(_braced(puzzle.spec))
        group = list(range(rows * cols))  # cells linked by equal numbers in one line have the same name here
        for a, b in combinations(range(rows * cols), 2):
            if numbers[a] != numbers[b] or numbers[a] == f.BLANK or group[a] == group[b]:
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
                name = f.BLANK if numbers[i] == f.BLANK else names.setdefault(group[i], len(names))
                drawing.append((name, i in braced))
            drawings.append(drawing)
        text = " ".join([f"{'.' if name == f.BLANK else name}{'b' if brace else ''}" for name, brace in min(drawings)])
        named = ",".join([rule.name for rule in puzzle.spec.rules])
        return f"{min(rows, cols)}x{max(rows, cols)} {named} {text}"

    # ---- text

    def render(self, puzzle: HitoriPuzzle) -> str:
        rows, cols, n = puzzle.spec.params.rows, puzzle.spec.params.cols, _CLUES.most(puzzle.spec)
        voice, what = f.Voice.of(self, puzzle), "letter" if _ciphered(puzzle) else "number"
        braced = set(_braced(puzzle.spec))
        texts = ["" if text == "." else text for row in _texts(puzzle) for text in row]
        marked = [f"[{text or '.'}]" if i in braced else text for i, text in enumerate(texts)]
        task = [voice.says("task", rows=rows, cols=cols, what=what)]
        if _ciphered(puzzle):
            task.append(voice.says("cipher", n=n, before=n - 1, last=LETTERS[n - 1]))
        if "" in texts:
            task.append(voice.says("blank", what=what))
        labels = ["repeat", "adjacent", "connected", *[rule.name for rule in puzzle.spec.rules]]
        board = voice.grid(marked, cols, f"a cell without a {what}", lambda: _drawn(puzzle))
        between = " " if voice.number else "\n\n"
        return voice.prompt(between.join(task), [self.describe(puzzle, label) for label in labels], board)

    def describe(self, puzzle: HitoriPuzzle, label: str) -> str:
        clue = puzzle.clue(label)
        if clue is not None:
            cell, value = _CLUES.placed(puzzle.spec, clue)
            r, c = divmod(cell, puzzle.spec.params.cols)
            if _ciphered(puzzle):
                return f"Row {r + 1} column {c + 1} shows {_text(puzzle, r, value)}, which is {value + 1}."
            return f"Row {r + 1} column {c + 1} shows {_text(puzzle, r, value)}."
        if label not in ("repeat", "adjacent", "connected", "braced"):
            return label
        alike = "of the cells that stay have" if _ciphered(puzzle) else "cells that stay show"
        return f.Voice.of(self, puzzle).says(label, alike=alike)

    def words(self, puzzle: HitoriPuzzle) -> f.Words:
        shown = [text for row in _texts(puzzle) for text in row]
        return f.Words(shows=lambda cell: shown[cell], plain=not _ciphered(puzzle), voice=puzzle.style.phrasing)

    def checks(self, puzzle: HitoriPuzzle, answer: f.Grid) -> list[str]:
        return checks.staying(_texts(puzzle), answer, _ciphered(puzzle), _braced(puzzle.spec))

    def draw(self, puzzle: HitoriPuzzle, answer: f.Grid | None = None, marked: Collection[str] = ()) -> str:
        erased = [] if answer is None else [i for i, v in enumerate(_FORM.values(puzzle.spec, f.NoBoard(), answer)) if v == 1]
        picture = cell_board(self, puzzle, None, marked, [text for row in _texts(puzzle) for text in row], faded=erased)
        picture.tint(erased, ERASED)
        picture.frame(_braced(puzzle.spec))
        return picture.svg()


# ---- geometry and style -------------------------------------------------------------------------------------------------


def _braced(spec: f.Spec[Params]) -> tuple[int, ...]:
    rule = spec.rule("braced")
    if rule is None or not rule.args:
        return ()
    return tuple([cell for cell in rule.args[0] if type(cell) is int]) if type(rule.args[0]) is tuple else ()


def _ciphered(puzzle: HitoriPuzzle) -> bool:
    return puzzle.style.theme == CIPHER


def _text(puzzle: HitoriPuzzle, row: int, value: int) -> str:
    """The text of a cell of this row (from 0) for a value."""
    symbols = puzzle.style.symbols
    return symbols[(row + value) % len(symbols)] if _ciphered(puzzle) else symbols[value]


def _texts(puzzle: HitoriPuzzle) -> list[list[str]]:
    cols = puzzle.spec.params.cols
    texts = ["." if v == f.BLANK else _text(puzzle, i // cols, v) for i, v in enumerate(_CLUES.shown(puzzle))]
    return [texts[start : start + cols] for start in range(0, len(texts), cols)]


def _drawn(puzzle: HitoriPuzzle) -> str:
    """The grid in columns; where cells are braced, every cell has room for its brackets."""
    texts, cols = _texts(puzzle), puzzle.spec.params.cols
    wide = max([len(text) for row in texts for text in row])
    lines = [" ".join([text.rjust(wide) for text in row]) for row in texts]
    if braced := set(_braced(puzzle.spec)):
        pairs = [[("[", "]") if r * cols + c in braced else (" ", " ") for c in range(cols)] for r in range(len(texts))]
        bracketed = [
            [f"{a}{text}{b}".rjust(wide + 2) for text, (a, b) in zip(*row, strict=True)] for row in zip(texts, pairs, strict=True)
        ]
        lines = ["".join(row).rstrip() for row in bracketed]
    indent = min([len(line) - len(line.lstrip()) for line in lines])
    return "\n".join([line[indent:] for line in lines])


FAMILY = Hitori()
