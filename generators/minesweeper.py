"""Minesweeper: which closed cells must hold a mine?

Every cell is safe or holds one mine. Some safe cells are opened:
  a number           an opened cell shows how many of the up to eight cells around it hold a mine; with the rule "clusters",
                     how many groups these mines form, where mines that touch, also at a corner, are of one group;
  total              where the number of all mines is stated (a parameter), so many there are;
  no_touching_mines  no two mines touch, not even at a corner (only under this rule).
The question is a FORCED one (core/types.py): the answer is the set of closed cells that hold a mine in every arrangement that
fits; cells that differ between arrangements do not belong to it. It exists and is the only right reply wherever an arrangement
fits, and certificates show each cell both ways. broken_rules is about arrangements; it returns the names above and the ids of
clues, or "malformed". The rule no_touching_mines is needed by every puzzle that has it: without it other cells are forced. The
total is stated whether or not it is needed.

Puzzles in which no closed cell is forced, or every one, or every one next to a number, are thrown away: a constant reply or one
that only looks where numbers are would be right. Two puzzles are the same up to symmetry if turning or mirroring the board
carries one to the other.
Source: Curt Johnson and Robert Donner, Microsoft Minesweeper (1990), and Ian Andrew, Mined-Out (1983). Clusters are seen in
HardcoreLogic (2510.12563), appendix B.
Known limit: where mines may not touch and are too many for drawing until it fits, a random walk draws them, which is even in the
limit only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import log10
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.family import cell_board
from puzzlemill.core.model import MinesTable
from puzzlemill.core.pictures import SHUT
from puzzlemill.generators._minesweeper import (
    LARGEST,
    NARROW,
    NUMBERS,
    SMALLEST,
    Text,
    around,
    cascade,
    group_counts,
    groups,
    mines_apart,
    refused,
    uneven,
    words,
)

MinesPuzzle = f.Puzzle["Params", f.NoBoard]
MinesDraft = f.Draft["Params", f.NoBoard, f.Grid, f.Grid]

CLUSTERS, APART = f.Rule("clusters"), f.Rule("no_touching_mines")
LETTERS = tuple("ZABCDEFGH")
OTHER, MUST = "-", "X"  # in replies
CLOSED = "#"


@f.params
class Params:
    """mines: their number. opened: percent of the safe cells, at least one and never all. total: the prompt gives the number.

    cascade: cells are opened as the game does: one that shows 0 opens all around it, so that a few more may be opened.
    """

    rows: int = f.Param(9, least=SMALLEST, most=LARGEST)
    cols: int = f.Param(9, least=SMALLEST, most=LARGEST)
    mines: int = f.Param(16, least=1)
    opened: int = f.Param(50, least=1, most=99)
    total: bool = False
    cascade: bool = False


# ---- answers, clues, transforms -----------------------------------------------------------------------------------------

_FORM = f.GridForm(
    "rows",
    "cols",
    2,
    f"Give the whole board row by row, from top to bottom: {MUST} for each closed cell that must hold a mine, {OTHER} for every "
    "other cell, opened or closed.",
    (OTHER, MUST),
    f"{MUST} for a closed cell that must hold a mine, {OTHER} for any other",
)


class Opened(f.CellClues):
    """Opened cells with their numbers; how many are opened is a parameter, so that none is left out."""

    def most(self, spec: f.Spec[Any]) -> int:
        return len(NUMBERS)

    def choices(self, spec: f.Spec[Any], cell: int) -> Sequence[int]:
        """The numbers that the cell can show by its place on the board."""
        near = len(around(*_FORM.board(spec))[cell])
        return range(({3: 1, 5: 2}.get(near, 4) if spec.rule("clusters") else near) + 1)

    def state(self, m: f.Constraints, spec: f.Spec[Params], board: f.NoBoard, clue: f.Clue) -> None:
        cell, number = self.placed(spec, clue)
        r, c, rows, cols = *divmod(cell, spec.params.cols), spec.params.rows, spec.params.cols
        m.require(m.key[cell][0], label=clue.id)
        steps = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr or dc) and 0 <= r + dr < rows and 0 <= c + dc < cols]
        lits = [m.key[(r + dr) * cols + c + dc][1] for dr, dc in steps]
        if not spec.rule("clusters"):
            m.exactly(lits, number, label=clue.id, plain=True)
            return
        for signs in refused(tuple(steps), number):
            m.require(*[sign * lit for sign, lit in zip(signs, lits, strict=True) if sign], label=clue.id)

    def given_slots(self, puzzle: f.Puzzle[Any, Any]) -> tuple[int, ...]:
        return tuple(dict.fromkeys([cell for cell, _ in self.all_placed(puzzle.spec, puzzle.clues)]))

    def in_sight(self, puzzle: f.Puzzle[Any, Any]) -> Sequence[int]:
        """No opened cell is a mine, so that a number above that of the closed cells around it cannot be right."""
        opened = set(self.given_slots(puzzle))
        return [0 if cell in opened else f.BLANK for cell in range(_FORM.cells(puzzle.spec))]

    def deep_odds(self, puzzle: f.Puzzle[Any, Any]) -> tuple[int, int]:
        return (2, 3) if puzzle.spec.rule("clusters") else (1, 2)

    def usable(self, draft: f.Draft[Any, Any, Any, Any]) -> bool:
        """Return whether some closed cells are forced, but not all, and not all of those next to numbers."""
        puzzle = draft.puzzle
        forced = {i for i, v in enumerate([v for row in draft.answer or () for v in row]) if v}
        opened = set(self.given_slots(puzzle))
        near = around(*_FORM.board(puzzle.spec))
        bordering = {j for i in opened for j in near[i]} - opened
        return bool(forced) and forced != bordering and len(forced) + len(opened) < len(near)

    def strain(self, spec: f.Spec[Any], values: Sequence[int], cells: Sequence[int]) -> tuple[int, ...]:
        return uneven(around(*_FORM.board(spec)), values, cells, spec.rule("clusters") is not None)

    def alternatives(self, puzzle: f.Puzzle[Any, Any], clue: f.Clue, rng: f.Rng) -> Iterator[f.Clue]:
        """The other numbers that the cell could show, the nearest first."""
        cell, number = self.placed(puzzle.spec, clue)
        fixed = (number, 0) if puzzle.spec.params.cascade else (number,)
        others = [] if fixed == (0, 0) else [k for k in self.choices(puzzle.spec, cell) if k not in fixed]
        for k in sorted(rng.shuffled(others), key=lambda k: abs(k - number)):
            yield f.Clue(clue.id, clue.kind, (cell, k))


_CLUES = Opened(_FORM, "number", removable=False)


def _letters(puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> f.Style:
    """Z for 0 and A to H for 1 to 8."""
    return replace(puzzle.style, symbols=LETTERS)


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Minesweeper(f.Family[Params, f.NoBoard, f.Grid, f.Grid]):
    """One slot per cell, row by row: 1 is a mine."""

    name, version, title = "minesweeper", 1, "Minesweeper"
    source = 'Curt Johnson and Robert Donner, "Minesweeper" (Microsoft, 1990); Ian Andrew, "Mined-Out" (1983)'
    params, answer, form, clues, text, symbols = Params, f.Grid, _FORM, _CLUES, Text(), NUMBERS
    rules = f.declared(f.OptionalRule("clusters", replaces="number"), f.OptionalRule("no_touching_mines"))
    transforms = (
        f.More("more_mines", "mines", about="more mines on a board of the same size"),
        f.Restyle("letters", f.Kind.UE1, how=_letters, about="letters in place of numbers"),
        f.AddRule("clusters", f.Kind.UE2, about="numbers that count groups of touching mines"),
        f.AddRule(
            "no_touching_mines", f.Kind.UE2, about="no two mines touch", needs="family.params.mines few enough to lie apart"
        ),
    )
    questions = (f.QuestionKind.FORCED,)
    solution = f.least_drawing
    sought = "mines that are certain"
    smallest = (
        f.Spec(Params(4, 4, 3, 60, True)),
        f.Spec(Params(4, 6, 7, 70, False)),
        f.Spec(Params(4, 4, 5, 80, True), (CLUSTERS,)),
        f.Spec(Params(4, 4, 2, 30, True), (APART,)),
        f.Spec(Params(5, 4, 3, 50, True, True)),
    )
    worked = (
        (
            "minesweeper\n.....\n11211\n00000\n00000",
            "- X - X -\n- - - - -\n- - - - -\n- - - - -",
            "MinesweeperWiki, Patterns: the 1-2-1 along a wall",
        ),
        (
            "minesweeper\n....\n1221\n0000\n0000",
            "- X X -\n- - - -\n- - - -\n- - - -",
            "MinesweeperWiki, Patterns: the 1-2-2-1 along a wall",
        ),
        # here the total matters: without it fewer cells are forced
        ("minesweeper mines=4\n1..0\n1.21\n....\n.12.", "- - - -\n- - - -\n- - - X\nX - - X", "made up for Puzzlemill"),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        rows, cols, mines = spec.params.rows, spec.params.cols, spec.params.mines
        if min(rows, cols) > NARROW:
            raise f.BadParams(
                f"minesweeper.rows or minesweeper.cols must be at most {NARROW}, got {rows} and {cols}; set family.params.rows"
            )
        if len(spec.rules) > 1:
            raise f.BadParams("minesweeper.rules: mines that do not touch form no groups; set family.rules to one of the two")
        # a third of the most that fit without touching is far from where a walk gets stuck
        most = max(2, (rows + 1) // 2 * ((cols + 1) // 2) * 2 // 3) if spec.rule("no_touching_mines") else rows * cols - 3
        if mines > most:
            raise f.BadParams(f"minesweeper.mines must be 1 to {most} here, got {mines}; set family.params.mines")

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> f.Grid:
        cells = _FORM.cells(spec)
        mines = set(
            mines_apart(*_FORM.board(spec), spec.params.mines, rng)
            if spec.rule("no_touching_mines")
            else rng.sample(range(cells), spec.params.mines)
        )
        return _FORM.assemble(spec, None, tuple([int(i in mines) for i in range(cells)]))

    def make_puzzle(self, spec: f.Spec[Params], hidden: f.Grid, rng: f.Rng) -> MinesDraft:
        """Opens safe cells; the answer is what their numbers force, which the middle finds out. Until then it is the board."""
        values = _FORM.values(spec, None, hidden)
        safe = [i for i, v in enumerate(values) if not v]
        count = min(max(1, len(safe) * spec.params.opened // 100), len(safe) - 1)
        near, clues = around(*_FORM.board(spec)), []
        for i in cascade(near, values, safe, count, rng) if spec.params.cascade else sorted(rng.sample(safe, count)):
            mines = [j for j in near[i] if values[j]]
            clues.append(_CLUES.at(spec, i, groups(mines, spec.params.cols) if spec.rule("clusters") else len(mines)))
        return f.Draft(self.puzzle(spec, clues), hidden, hidden)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        """Three more rows and columns with the same share of mines."""
        rows, cols, mines = spec.params.rows, spec.params.cols, spec.params.mines
        grown = (rows + 3) * (cols + 3)
        wanted = replace(spec, params=replace(spec.params, rows=rows + 3, cols=cols + 3, mines=mines * grown // (rows * cols)))
        return wanted if f.valid(self, wanted) else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: f.NoBoard) -> f.Constraints:
        m = f.Constraints()
        rows, cols = spec.params.rows, spec.params.cols
        mine = [[m.slot(2)[1] for _ in range(cols)] for _ in range(rows)]  # mine[r][c]: the cell holds a mine
        if spec.params.total:
            m.exactly([lit for row in mine for lit in row], spec.params.mines, label="total")
        if spec.rule("no_touching_mines"):
            for r, c in product(range(rows), range(cols)):
                for dr, dc in ((0, 1), (1, -1), (1, 0), (1, 1)):
                    if r + dr < rows and 0 <= c + dc < cols:
                        m.require(-mine[r][c], -mine[r + dr][c + dc], label="no_touching_mines")
        return m

    def table(self, puzzle: MinesPuzzle) -> MinesTable:
        spec = puzzle.spec
        return MinesTable(
            spec.params.rows,
            spec.params.cols,
            spec.params.mines if spec.params.total else -1,
            tuple(_CLUES.all_placed(spec, puzzle.clues)),
            spec.rule("clusters") is not None,
            spec.rule("no_touching_mines") is not None,
        )

    def broken_rules(self, puzzle: MinesPuzzle, answer: f.Grid, partial: bool = False) -> list[str]:
        rows, cols = _FORM.board(puzzle.spec)
        if not _FORM.fits(puzzle.spec, answer, partial):
            return [f.MALFORMED]
        flat = [v for row in answer for v in row]
        whole = f.BLANK not in flat
        near = around(rows, cols)
        broken = []
        if puzzle.spec.params.total:
            sure = flat.count(1)
            if not sure <= puzzle.spec.params.mines <= sure + flat.count(f.BLANK):
                broken.append("total")
        if puzzle.spec.rule("no_touching_mines") and any(
            v == 1 and any(flat[j] == 1 for j in near[i]) for i, v in enumerate(flat)
        ):
            broken.append("no_touching_mines")
        groups = puzzle.spec.rule("clusters") is not None
        for clue, (cell, number) in zip(puzzle.clues, _CLUES.all_placed(puzzle.spec, puzzle.clues), strict=True):
            if whole and not groups:  # it is one number against another
                if flat[cell] or sum([flat[j] for j in near[cell]]) != number:
                    broken.append(clue.id)
                continue
            mines = [j for j in near[cell] if flat[j] == 1]
            unknown = [j for j in near[cell] if flat[j] == f.BLANK]
            if flat[cell] == 1:
                broken.append(clue.id)
            elif groups:
                here = cell - cols - 1  # the numbers of the cells do not matter, only how they lie
                if number not in group_counts(tuple([j - here for j in mines]), tuple([j - here for j in unknown]), cols):
                    broken.append(clue.id)
            elif not len(mines) <= number <= len(mines) + len(unknown):
                broken.append(clue.id)
        return broken

    def search_space_log10(self, puzzle: MinesPuzzle) -> float:
        """HardcoreLogic, table 5: the product over numbers of the ways to place their mines around them.

        Under clusters, of the ways in which the closed cells around form so many groups.
        """
        cols = puzzle.spec.params.cols
        opened = set(self.clues.given_slots(puzzle))
        near = around(puzzle.spec.params.rows, cols)
        space = 0.0
        for clue in puzzle.clues:
            cell, number = _CLUES.placed(puzzle.spec, clue)
            closed = [j for j in near[cell] if j not in opened]
            clusters = puzzle.spec.rule("clusters") is not None
            ways = sum(
                (groups(some, cols) if clusters else len(some)) == number
                for size in range(len(closed) + 1)
                for some in combinations(closed, size)
            )
            space += log10(max(1, ways))
        return space

    def symmetry(self, puzzle: MinesPuzzle) -> str:
        """The least drawing among the turned and mirrored ones, the shorter side across."""
        spec = puzzle.spec
        rows, cols = spec.params.rows, spec.params.cols
        drawing = [CLOSED if v == f.BLANK else NUMBERS[v] for v in _CLUES.shown(puzzle)]
        lines = [drawing[r * cols : (r + 1) * cols] for r in range(rows)]
        found = []
        for over, upside, behind in product((False, True), repeat=3):
            turned = [list(column) for column in zip(*lines, strict=True)] if over else lines
            if len(turned) < len(turned[0]):
                continue
            found.append(" ".join(["".join(row[:: -1 if behind else 1]) for row in turned[:: -1 if upside else 1]]))
        total = str(spec.params.mines) if spec.params.total else "?"
        return f"{min(rows, cols)}x{max(rows, cols)} {','.join([rule.name for rule in spec.rules])} {total} {min(found)}"

    # ---- text

    def render(self, puzzle: MinesPuzzle) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        voice = f.Voice.of(self, puzzle)
        known = ["total"] if puzzle.spec.params.total else []
        labels = ["number", *known, *[rule.name for rule in puzzle.spec.rules if rule != CLUSTERS]]
        task, after = voice.says("task", rows=rows, cols=cols), voice.says("question")
        if not known:
            task = f"{task} {self.describe(puzzle, 'total')}"
        if puzzle.question.may_be_unsolvable:
            after = f"{after} {voice.says('none_fits')}"
        board = voice.grid(
            _CLUES.texts(puzzle, ""), cols, "a closed cell", lambda: f.grid_text(_CLUES.texts(puzzle, CLOSED), cols), signs="#.?_"
        )
        return voice.prompt(task, [self.describe(puzzle, label) for label in labels], board, after)

    def describe(self, puzzle: MinesPuzzle, label: str) -> str:
        symbols, voice = puzzle.style.symbols, f.Voice.of(self, puzzle)
        clue = puzzle.clue(label)
        if clue is not None:
            cell, number = _CLUES.placed(puzzle.spec, clue)
            r, c = divmod(cell, puzzle.spec.params.cols)
            return f"Row {r + 1} column {c + 1} is safe and shows {symbols[number]}."
        if label == "total":
            if not puzzle.spec.params.total:
                return voice.says("total_unknown")
            mines = puzzle.spec.params.mines
            return voice.says("total", are="is" if mines == 1 else "are", mines=f.plural(mines, "mine"))
        if label == "no_touching_mines":
            return voice.says(label)
        if label not in ("number", "clusters"):
            return label
        grouped = puzzle.spec.rule("clusters") is not None
        said = voice.says("clusters" if grouped else "number", shown="number" if symbols == NUMBERS else "letter")
        if symbols == NUMBERS:
            return said
        letters = ", ".join([f"{symbols[k]} is {k}" for k in range((4 if grouped else 8) + 1)])
        return f"{said} {voice.says('code', letters=letters)}"

    def words(self, puzzle: MinesPuzzle) -> f.Words:
        return words(self.clues.all_placed(puzzle.spec, puzzle.clues), puzzle.spec.params.cols, puzzle.style)

    def draw(self, puzzle: MinesPuzzle, answer: f.Grid | None = None, marked: Collection[str] = ()) -> str:
        clues = [clue.id for clue in puzzle.clues if clue.id in marked]
        picture = cell_board(self, puzzle, None, clues, _CLUES.texts(puzzle, ""))
        opened = set(_CLUES.given_slots(puzzle))
        picture.tint([i for i in range(_FORM.cells(puzzle.spec)) if i not in opened], SHUT)
        if answer is not None:
            picture.dot([i for i, v in enumerate(_FORM.values(puzzle.spec, None, answer)) if v == 1])
            picture.caption("Dots: closed cells that must hold a mine.")
        if puzzle.spec.params.total or "total" in marked:
            picture.caption(self.describe(puzzle, "total"), "total" in marked)
        for rule in puzzle.spec.rules:
            words = "Numbers count groups of touching mines." if rule == CLUSTERS else self.describe(puzzle, rule.name)
            picture.caption(words, rule.name in marked)
        return picture.svg()


FAMILY = Minesweeper()
