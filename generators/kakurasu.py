"""Kakurasu (also Index Sums, Feldersummenraetsel).

Choose cells of a grid. Rows and columns are numbered from 1:
  a row's hint      is the sum of the column numbers of the cells that are chosen in this row;
  a column's hint   is the sum of the row numbers of the cells that are chosen in this column;
  blocked_cells     the cells that are marked are not chosen (only under the rule "blocked_cells"); they keep their numbers.
With `hidden`, some hints are not shown; those lines may have any sum.
Source: a Japanese puzzle of unknown author; the rules as on curiouscheetah.com, "Kakurasu". Seen in HardcoreLogic (2510.12563),
appendix B; it gives no search space for kakurasu, so that is 2 ** open cells as for binario and hitori. broken_rules returns
"blocked_cells", the ids of clues, or "malformed".

Grids are drawn so: every cell that is not blocked is chosen or not by a fair coin, and a grid whose hints have another solution
is drawn again. So all grids with one solution are equally likely, and nothing more is asked of them: empty lines come up, and the
hints of the rows need not add up to those of the columns. Shares of all grids that have one solution, of 1,000 drawn: 4x4 99 %,
6x6 83 %, 8x8 42 %, 9x9 20 %, 10x10 4 %. Blocked cells are drawn before the grid: their number even from an eighth to a quarter of
the cells, and then even among the sets of that many that leave an open cell in every line. A grid is drawn again, too, if its
hints have one solution anyway, without a word about blocked cells: in 6x6 four of five do, in 10x10 one of six.
With all hints shown, one of them follows from the others: the sum of row number times hint over the rows is the sum of column
number times hint over the columns, since both add up row number times column number over the chosen cells.

Two puzzles are the same up to symmetry if one becomes the other by making rows columns, or by choosing what was not chosen; no
other exchange of cells or of their values keeps which choices in a line have equal sums (found by listing; see the tests). Lines
of 3 cells have more such exchanges, and are read but not made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core import checks
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import SumsTable
from puzzlemill.core.pictures import FADED, GIVEN, MARKED
from puzzlemill.generators._kakurasu import (
    BLOCKED,
    MOST,
    Hints,
    all_open,
    ascending,
    blocked_cells,
    board,
    forced_words,
    hint_of,
    notation,
    open_weights,
)

KakurasuPuzzle = f.Puzzle["Params", f.NoBoard]
KakurasuDraft = f.Draft["Params", f.NoBoard, f.Grid, f.Grid]

SMALLEST, LARGEST = 4, 10
_SWAP = str.maketrans("01", "10")
_GRIDS = 1_000  # grids drawn until the blocked cells matter
_MAPS = 1_000  # sets of blocked cells drawn until no line is without an open cell
_CHOSEN, _SHUT = "#1a5fb4", "#ddd"  # tints of chosen and of blocked cells


@f.params
class Params:
    """hidden: about so many hints are left out, at least one, while one answer remains; 0 leaves out none. As many as there are
    hints, less one, leaves none that could still be left out.
    """

    rows: int = f.Param(8, least=SMALLEST, most=LARGEST)
    cols: int = f.Param(8, least=SMALLEST, most=LARGEST)
    hidden: int = f.Param(0, least=0, most=lambda p: p.rows + p.cols - 1)


# ---- answers ------------------------------------------------------------------------------------------------------------


class Choice(f.GridForm):
    """A cell is 1 if it is chosen; blocked cells are written too."""

    def legend(self, puzzle: KakurasuPuzzle) -> str:
        no, yes = puzzle.style.symbols
        return f"{yes} for a chosen cell, {no} for any other"

    def layout(self, puzzle: KakurasuPuzzle) -> f.Layout:
        no, yes = puzzle.style.symbols
        blocked = " and for every blocked one" if blocked_cells(puzzle.spec) else ""
        return replace(
            super().layout(puzzle), note=f"{self.note}: {yes} for every chosen cell, {no} for every other one{blocked}."
        )


_FORM = Choice("rows", "cols", 2, "Give the grid row by row, from top to bottom, without the numbers around it")
_CLUES = Hints()


# ---- rules and text form ------------------------------------------------------------------------------------------------


def _draw_blocked(spec: f.Spec[Params], rng: f.Rng) -> tuple[f.Arg, ...]:
    rows, cols = spec.params.rows, spec.params.cols
    count = rng.between(max(1, rows * cols // 8), rows * cols // 4)
    for _ in range(_MAPS):
        cells = tuple(sorted(rng.sample(range(rows * cols), count)))
        if all_open(rows, cols, cells):
            return (cells,)
    raise f.Discarded("budget", f"{count} blocked cells of {rows} x {cols} left a line without an open cell {_MAPS} times")


def _check_blocked(spec: f.Spec[Params], args: tuple[f.Arg, ...]) -> None:
    rows, cols = spec.params.rows, spec.params.cols
    if not ascending(args, rows * cols) or not all_open(rows, cols, args[0]):  # type: ignore[arg-type]
        raise f.BadParams(
            f"kakurasu.{BLOCKED} takes a list of one or more different cells from 0 to {rows * cols - 1}, ascending, that leaves "
            f"an open cell in every row and column, got {str(args)[:60]}; set family.rules=[{BLOCKED}] to have them drawn"
        )


@final
@dataclass(frozen=True, slots=True)
class HideHints(f.Transform):
    """The parent's answer in a new puzzle with some of its hints left out."""

    name: str = "hide_hints"
    kind: f.Kind = f.Kind.IC2
    relation: f.Relation = f.Relation.RULE
    pairing: f.Pairing = f.Pairing.SAME_ANSWER
    hidden: int = 4
    args: tuple[str, ...] = ("hidden",)
    about: str = "some of the hints left out, the answer being the same"

    def fits(self, family: AnyFamily, spec: f.Spec[Any]) -> bool:
        if family.name != Kakurasu.name or spec.params.hidden >= self.hidden:
            return False
        return f.valid(family, self._changed(spec))

    def before(self, family: AnyFamily, spec: f.Spec[Any], rng: f.Rng) -> f.Spec[Any]:
        return self._changed(spec)

    def _changed(self, spec: f.Spec[Any]) -> f.Spec[Any]:
        return replace(spec, params=replace(spec.params, hidden=self.hidden))


class Text(f.TextForm["Params", f.NoBoard]):
    """The hints of the columns in one line, then a line for each row: its hint, and its cells, . or x for a blocked one."""

    def parse(self, lines: Sequence[f.Line]) -> KakurasuPuzzle:
        f.heading(lines, self.family.name)
        if len(lines) < 2:
            raise lines[0].bad(0, "expected the hints of the columns in the next line, and then the rows")
        body = lines[1:]
        down = [_number(body[0], word) for word in body[0].words]
        rows, cols = len(body) - 1, len(down)
        for name, size, line in (("columns", cols, body[0]), ("rows", rows, lines[0])):
            if not 1 <= size <= LARGEST:
                raise line.bad(0, f"expected 1 to {LARGEST} {name}, got {size}")
        across, blocked = [], []
        for r, line in enumerate(body[1:]):
            words = line.words
            signs = [(word.column + i, sign) for word in words[1:] for i, sign in enumerate(word.text)]
            if len(signs) != cols:
                raise line.bad(0, f"expected a hint and {cols} cells as there are hints of columns, got {len(signs)} cells")
            across.append(_number(line, words[0]))
            for c, (column, sign) in enumerate(signs):
                if sign not in ".x":
                    raise line.bad(column, f"a cell is . or, if it is blocked, x, got {sign!r}")
                if sign == "x":
                    blocked.append(r * cols + c)
        clues = [hint_of(line, total, rows) for line, total in enumerate([*across, *down]) if total is not None]
        rules = (f.Rule(BLOCKED, (tuple(blocked),)),) if blocked else ()
        puzzle: KakurasuPuzzle = self.family.puzzle(f.Spec(Params(rows, cols, rows + cols - len(clues)), rules), clues)
        return puzzle

    def format(self, puzzle: KakurasuPuzzle) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        named = [_CLUES.placed(puzzle.spec, clue)[0] for clue in puzzle.clues]
        if len(set(named)) < len(named):
            raise f.BadRow("kakurasu: the text form has no way to give a line two hints")
        hints, cells = _CLUES.texts(puzzle), _cells(puzzle)
        lines = [self.family.name, " ".join(hints[rows:])]
        lines += [f"{hints[r]} {''.join(cells[r * cols : (r + 1) * cols])}" for r in range(rows)]
        return "\n".join(lines) + "\n"


def _number(line: f.Line, word: f.Word) -> int | None:
    text = word.text
    if text == "?":
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise line.bad(word.column, f"a hint is a number from 0 to {MOST}, or ? if there is none, got {text[:20]!r}")
    return int(text)


@lru_cache(maxsize=64)
def _few_answers(spec: f.Spec[Params]) -> int | None:
    """Grids of 4x4 that these blocked cells make the only solution; of larger sizes there are many."""
    if (spec.params.rows, spec.params.cols) != (4, 4) or not spec.rules or not spec.rules[0].args:
        return None
    blocked = [sum([1 << cell % 4 for cell in blocked_cells(spec) if cell // 4 == r]) for r in range(4)]
    total = [sum([c + 1 for c in range(4) if line >> c & 1]) for line in range(16)]
    with_them: Counter[tuple[int, ...]] = Counter()
    without: Counter[tuple[int, ...]] = Counter()
    for lines in product(range(16), repeat=4):
        down = [sum([r + 1 for r, line in enumerate(lines) if line >> c & 1]) for c in range(4)]
        hints = (*[total[line] for line in lines], *down)
        without[hints] += 1
        with_them[hints] += not any(line & shut for line, shut in zip(lines, blocked, strict=True))
    return sum([count == 1 and without[hints] > 1 for hints, count in with_them.items()])


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Kakurasu(f.Family[Params, f.NoBoard, f.Grid, f.Grid]):
    """One slot per cell, row by row; blocked cells too, which are 0."""

    name, version, title = "kakurasu", 1, "Kakurasu"
    source = "Japanese puzzle of unknown author; curiouscheetah.com, Kakurasu"
    params, answer, form, clues, text, symbols = Params, f.Grid, _FORM, _CLUES, Text(), ("0", "1")
    rules = f.declared(f.OptionalRule(BLOCKED, draw=_draw_blocked, check=_check_blocked))
    transforms = (f.AddRule(BLOCKED, f.Kind.UE1, f.Relation.FORM, about="some cells that cannot be chosen"), HideHints())
    small = f.SmallClasses(answers=_few_answers)
    sought = "chosen cells"
    smallest = (
        f.Spec(Params(4, 5)),
        f.Spec(Params(4, 4, 7)),
        f.Spec(Params(4, 4), (f.Rule(BLOCKED, ((0, 4, 5, 7, 10, 15),)),)),  # ten open cells: all grids can be listed
        f.Spec(Params(4, 5, 2), (f.Rule(BLOCKED),)),
    )
    worked = (
        (
            "kakurasu\n4 4 2 1\n5 ....\n3 ....\n1 ....\n2 ....",
            "1 0 0 1\n0 0 1 0\n1 0 0 0\n0 1 0 0",
            "reasoning-gym 0.1.25, kakurasu with seed 1, item 1",
        ),
        (
            "kakurasu\n5 3 3 2\n3 ....\n6 ....\n3 ....\n1 ....",
            "1 1 0 0\n0 1 0 1\n0 0 1 0\n1 0 0 0",
            "reasoning-gym 0.1.25, kakurasu with seed 1, item 2",
        ),
    )

    # ---- making

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> f.Grid:
        free = self.puzzle(f.Spec(spec.params))
        for turn in range(_GRIDS if spec.rules else 1):
            drawn = oracle.sample_with_clues(self.puzzle(spec), rng.child("grid", turn) if spec.rules else rng)
            if drawn is None:
                raise f.Discarded("ambiguous", "every grid that was drawn had several solutions")
            if not spec.rules or oracle.count(free.with_clues(_CLUES.true(spec, drawn[0]))) > 1:
                return _FORM.assemble(spec, f.NoBoard(), drawn[0])
        raise f.Discarded("idle_rule", f"{BLOCKED} changed nothing in {_GRIDS} grids")

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """One more row and column; about the same share of hints is left out. Blocked cells are drawn anew."""
        rows, cols, hidden = spec.params.rows, spec.params.cols, spec.params.hidden
        grown = -(-hidden * (rows + cols + 2) // (rows + cols))
        wanted = f.Spec(Params(rows + 1, cols + 1, grown), tuple([f.Rule(rule.name) for rule in spec.rules]))
        return wanted if f.valid(self, wanted) else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: f.NoBoard) -> f.Constraints:
        m = f.Constraints()
        for _ in range(spec.params.rows * spec.params.cols):
            no, yes = m.slot(2)
            m.require(no, yes)  # says nothing, but names the cell to solvers where no clue does
        for cell in blocked_cells(spec):
            m.require(m.key[cell][0], label=BLOCKED)
        return m

    def table(self, puzzle: KakurasuPuzzle) -> SumsTable:
        spec = puzzle.spec
        hints = tuple([_CLUES.placed(spec, clue) for clue in puzzle.clues])
        return SumsTable(spec.params.rows, spec.params.cols, blocked_cells(spec), hints)

    def broken_rules(self, puzzle: KakurasuPuzzle, answer: f.Grid, partial: bool = False) -> list[str]:
        if not _FORM.fits(puzzle.spec, answer, partial):
            return [f.MALFORMED]
        cols = puzzle.spec.params.cols
        broken = []
        for cell in blocked_cells(puzzle.spec):
            if answer[cell // cols][cell % cols] == 1:
                broken.append(BLOCKED)
                break
        lines = (*answer, *zip(*answer, strict=True))
        for clue in puzzle.clues:
            line, total = _CLUES.placed(puzzle.spec, clue)
            if total not in _within_reach(tuple(lines[line])):
                broken.append(clue.id)
        return broken

    def symmetry(self, puzzle: KakurasuPuzzle) -> str:
        """The least list of blocked cells and hints among those that a symmetry makes of them."""
        spec = puzzle.spec
        rows, cols = spec.params.rows, spec.params.cols
        blocked = blocked_cells(spec)
        hints = [_CLUES.placed(spec, clue) for clue in puzzle.clues]
        most = [sum(weights) for weights in open_weights(spec)]
        keys = []
        for over in [False] * (rows <= cols) + [True] * (cols <= rows):
            cells = sorted(cell % cols * rows + cell // cols for cell in blocked) if over else list(blocked)
            for turned in (False, True):
                moved = []
                for line, total in hints:
                    place = line if not over else line - rows if line >= rows else line + cols
                    moved.append((place, most[line] - total if turned else total))
                keys.append((cells, sorted(moved)))
        cells, moved = min(keys)
        numbers = " ".join([f"{line}:{total}" for line, total in moved])
        return f"{min(rows, cols)}x{max(rows, cols)} {','.join(map(str, cells))} {numbers}"

    def solution(self, spec: f.Spec[Params], answer: f.Grid) -> str:
        """The least drawing among the two sides and the two choices; rows keep their order."""
        sides = [answer, tuple(zip(*answer, strict=True))]
        shorter = [side for side in sides if len(side) <= len(side[0])]
        drawings = [" ".join(["".join(map(str, row)) for row in side]) for side in shorter]
        return min([*drawings, *[drawing.translate(_SWAP) for drawing in drawings]])

    # ---- text

    def render(self, puzzle: KakurasuPuzzle) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        voice, hints, cells = f.Voice.of(self, puzzle), _CLUES.texts(puzzle), _cells(puzzle)
        rules = [voice.says("row_sum"), voice.says("column_sum")][:: -1 if voice.place("first", 2) else 1]
        if "?" in hints:
            sign = "null" if notation(voice) == "json" else "?" if voice.short else "a question mark"
            rules.append(voice.says("unknown", sign=sign))
        if blocked_cells(puzzle.spec):
            rules.append(f"{self.describe(puzzle, BLOCKED)} {voice.says('numbers_stay')}")
        return voice.prompt(voice.says("task", rows=rows, cols=cols), rules, board(voice, hints, cells, rows, cols))

    def describe(self, puzzle: KakurasuPuzzle, label: str) -> str:
        clue = puzzle.clue(label)
        if clue is None:
            return f.Voice.of(self, puzzle).says(BLOCKED) if label == BLOCKED else label
        line, total = _CLUES.placed(puzzle.spec, clue)
        number = clue.ints()[0] + 1
        here, other = (f"row {number}", "column") if clue.kind == "row" else (f"column {number}", "row")
        forced = forced_words(open_weights(puzzle.spec)[line], total, other)
        return f"The {other} numbers of the chosen cells in {here} add up to {total}, {forced}."

    def checks(self, puzzle: KakurasuPuzzle, answer: f.Grid) -> list[str]:
        return checks.sums(answer, [_CLUES.placed(puzzle.spec, clue) for clue in puzzle.clues])

    def draw(self, puzzle: KakurasuPuzzle, answer: f.Grid | None = None, marked: Collection[str] = ()) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        picture = f.Board(rows, cols, above=1, below=1, left=1, right=1)
        blocked = blocked_cells(puzzle.spec)
        picture.tint(blocked, _SHUT)
        for cell in blocked:
            picture.text(cell, "\u00d7", MARKED if BLOCKED in marked else FADED)
        values = () if answer is None else _FORM.values(puzzle.spec, puzzle.board, answer)
        picture.tint([cell for cell, value in enumerate(values) if value == 1], _CHOSEN)
        picture.dot([cell for cell, value in enumerate(values) if value == 0 and cell not in blocked], radius=2)
        lit = {_CLUES.placed(puzzle.spec, clue)[0] for clue in puzzle.clues if clue.id in marked}
        for line, hint in enumerate(_CLUES.texts(puzzle)):
            row, col = (line, -1) if line < rows else (-1, line - rows)
            picture.at(row, col, hint, MARKED if line in lit else GIVEN)
            row, col = (line, cols) if line < rows else (rows, line - rows)
            picture.at(row, col, str(max(row if line < rows else col, 0) + 1), FADED, 12)
        return picture.svg()


def _cells(puzzle: KakurasuPuzzle) -> list[str]:
    blocked = set(blocked_cells(puzzle.spec))
    return ["x" if i in blocked else "." for i in range(_FORM.cells(puzzle.spec))]


@lru_cache(maxsize=4096)
def _within_reach(line: tuple[int, ...]) -> frozenset[int]:
    """The sums that a line can have, whatever its blanks become."""
    sums = {0}
    for number, value in enumerate(line, 1):
        if value == 1:
            sums = {k + number for k in sums}
        elif value == f.BLANK:
            sums |= {k + number for k in sums}
    return frozenset(sums)


FAMILY = Kakurasu()
