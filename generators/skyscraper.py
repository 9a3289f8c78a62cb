"""Skyscraper (also Skyscrapers, Towers).

Put a building of height 1 .. n in every cell of an n x n grid:
  row      every row has every height once;
  column   every column has every height once.
A number outside the grid is a hint for the line that begins there: how many buildings are seen along it or, with hint = "sum",
what their heights add up to. A building is seen if it is taller than all buildings before it. A given cell stays as it is.
Optional rule:
  diagonal_hints   numbers at corners count what is seen along the diagonal to the opposite corner, in which heights may repeat
                   (one building hides another of the same height). Without this rule a number at a corner says nothing.

Slots are the cells, row by row; value v is height v + 1.
Source: puzzle of the first World Puzzle Championship, New York 1992 (Masanori Natsuhara); "Towers" in Simon Tatham's Portable
Puzzle Collection. Seen in HardcoreLogic (2510.12563: sum hints, hidden hints, diagonal hints).
broken_rules returns the rule's name, or the id of a hint or given that is broken.

Clue kinds: given (cell, value); hint (line, k). Lines: the columns from above, the columns from below, the rows from the left,
the rows from the right (n of each, in order), then the diagonals from the corners top left, top right, bottom left, bottom right.
Limits: numbers of buildings alone hardly ever determine a grid of size 7 or 8, so these show some cells. What a hint says
includes that the last building seen is the tallest of all, as it is in every row and column: so an unsat core of hints
names the rules on rows and columns only where it needs them for something else.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from itertools import permutations, product
from typing import final

from puzzlemill import family as f
from puzzlemill.core.model import SightTable
from puzzlemill.core.pictures import FOUND, GIVEN, MARK, MARKED, PLAIN, SHADES
from puzzlemill.generators import _skyscraper as grid
from puzzlemill.rules import sight
from puzzlemill.transforms.clues import FewerGivens

SkyscraperPuzzle = f.Puzzle["Params", f.NoBoard]
SkyscraperDraft = f.Draft["Params", f.NoBoard, f.Grid, f.Grid]

_SHOWN_8, _CLUES_8 = 4, 18  # size 8 with sums needs cells that may be shown, or as many clues
# By size, grids that the hints of all sides leave as the only answer, those that need corners, and all; then the same up to
# symmetry. There is one puzzle with all hints for each. Size 4 is enumerated in tests/unit/test_skyscraper.py, 5 was likewise.
_TOLD = {(4, "count"): (372, 55), (4, "sum"): (524, 88), (5, "count"): (68_368, 8_623), (5, "sum"): (143_096, 18_067)}
_TOLD_BY_CORNERS = {4: (96, 24), 5: (36_460, 4_607)}
_ALL = {4: (576, 108), 5: (161_280, 20_340)}
_FEW = 10_000  # answers up to symmetry below which each belongs to one split
_FILLS = 200  # grids drawn until the hints alone leave one answer
_EXACT = 4  # blanks in a line up to which the checker tries every way of filling them


@f.params
class Params:
    """hint: "count" (how many buildings are seen) or "sum" (what their heights add up to).

    clues: how many clues stay, hints and shown cells together, where that leaves one answer (else a few more do); 0: as few as
        possible. Four times the size are the hints on all sides.
    shown: at most so many cells show their building; 0: hints alone determine the answer.
    """

    size: int = f.Param(default=6, least=grid.SIZES[0], most=grid.SIZES[-1])
    hint: str = f.Param(default="count", among=("count", "sum"))
    clues: int = f.Param(default=0, least=0)
    shown: int = f.Param(default=0, least=lambda p: grid.LEAST_SHOWN.get((p.hint, p.size), 0), most=lambda p: p.size**2 - 1)


def _told(spec: f.Spec[Params]) -> tuple[int, int] | None:
    """Answers, and answers up to symmetry; None if they are too many to be counted."""
    p = spec.params
    if p.shown:
        return _ALL.get(p.size)
    return _TOLD_BY_CORNERS.get(p.size) if spec.rules else _TOLD.get((p.size, p.hint))


def _small_puzzles(spec: f.Spec[Params]) -> int | None:
    p, told = spec.params, _told(spec)
    return told[1] if told and not p.shown and p.clues == 4 * p.size + 4 * len(spec.rules) else None


def _small_answers(spec: f.Spec[Params]) -> int | None:
    told = _told(spec)
    return told[0] if told else None


def _few_solutions(spec: f.Spec[Params]) -> int | None:
    told = _told(spec)
    return told[1] if told and told[1] < _FEW else None


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Skyscraper(f.Family[Params, f.NoBoard, f.Grid, f.Grid]):
    name, version, title = "skyscraper", 1, "Skyscrapers"
    source = "Masanori Natsuhara, first World Puzzle Championship, New York 1992"
    params, answer, form, clues, text = Params, f.Grid, grid.FORM, grid.CLUES, grid.Text()
    rules = f.declared(f.OptionalRule("diagonal_hints"))
    transforms = (
        f.AddRule("diagonal_hints", about="hints at corners, which count what is seen along the diagonals"),
        FewerGivens(
            "hide_hints",
            f.Kind.IC2,
            field="clues",
            about="some of the hints left out, the answer being the same",
            needs="family.params.clues above 0, the number that the parent keeps (24 are all hints of a 6x6 grid)",
        ),
    )
    small = f.SmallClasses(_small_puzzles, _small_answers, _few_solutions)
    solution = f.least_drawing
    smallest = (
        f.Spec(Params(4)),
        f.Spec(Params(4, "sum")),
        f.Spec(Params(4, shown=3)),
        f.Spec(Params(4), (f.Rule("diagonal_hints"),)),
    )
    worked = (
        (
            "skyscraper\n. 1 2 3 2 .\n1 . . . . 3\n2 . . . . 1\n3 . . . . 2\n2 . . . . 3\n. 3 1 2 3 .",
            "4312\n3124\n1243\n2431",
            "Simon Tatham's Portable Puzzle Collection 20230122, Towers, 4x4 Easy, random seed 7",
        ),
        (
            "skyscraper\n. . . . . 4 .\n. . . . . . .\n3 . . . . . .\n. . . . . . 3\n. . . . . . .\n3 . . . . . .\n. . . 2 5 . .",
            "31452\n12543\n45231\n53124\n24315",
            "Simon Tatham's Portable Puzzle Collection 20230122, Towers, 5x5 Hard, random seed 3",
        ),
    )

    # ---- making

    def check(self, spec: f.Spec[Params]) -> None:
        n, clues, shown = spec.params.size, spec.params.clues, spec.params.shown
        if spec.params.hint == "sum" and n == 8 and shown < _SHOWN_8 and clues < _CLUES_8:
            raise f.BadParams(
                "skyscraper of size 8 with sums: leaving out more clues takes minutes for some grids; set family.params.clues to "
                f"{_CLUES_8} or more, or family.params.shown to {_SHOWN_8} or more, got clues {clues} and shown {shown}"
            )
        if spec.rules and spec.params.hint != "count":
            raise f.BadParams(
                f'rules: diagonal_hints count buildings, so skyscraper.hint must be count, got "{spec.params.hint}"'
            )
        most = 4 * n + 4 * len(spec.rules) + shown
        if clues > most:
            raise f.BadParams(
                f"skyscraper.clues must be 1 to {most} for size {n} with {shown} cells shown at most, or 0 for as few as "
                f"possible, got {clues}; set family.params.clues"
            )

    def style(self, spec: f.Spec[Params]) -> f.Style:
        return f.Style(symbols=f.numerals(spec.params.size))

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> f.Grid:
        n, free = spec.params.size, self.puzzle(spec)
        for turn in range(_FILLS):
            values = oracle.sample(free, rng.child("grid", turn))
            if values is None:
                raise f.Discarded("no_answer")
            if not spec.params.shown:  # cells that are shown say what hints do not
                hints = grid.true_hints(spec, values)
                if spec.rules and oracle.count(free.with_clues(hints[: 4 * n])) < 2:
                    continue  # corners would say nothing new
                if oracle.count(free.with_clues(hints)) != 1:
                    continue
            return grid.FORM.assemble(spec, f.NoBoard(), values)
        raise f.Discarded("ambiguous", f"hints alone leave one answer to none of {_FILLS} grids of size {n}")

    def make_puzzle(self, spec: f.Spec[Params], hidden: f.Grid, rng: f.Rng) -> SkyscraperDraft:
        values = grid.FORM.values(spec, f.NoBoard(), hidden)
        givens = grid.GIVENS.true(spec, values) if spec.params.shown else ()
        return f.Draft(self.puzzle(spec, [*grid.true_hints(spec, values), *givens]), hidden, hidden)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        n, clues, shown = spec.params.size, spec.params.clues, spec.params.shown
        shown = max(shown * (n + 1) ** 2 // n**2, grid.LEAST_SHOWN.get((spec.params.hint, n + 1), 0))
        larger = replace(spec, params=replace(spec.params, size=n + 1, clues=clues * (n + 1) // n, shown=shown))
        return larger if f.valid(self, larger) else None

    # ---- meaning

    def model(self, spec: f.Spec[Params], board: f.NoBoard) -> f.Constraints:
        n = spec.params.size
        m = f.Constraints()
        holds = [m.slot(n) for _ in range(n * n)]
        for k in range(n):
            for v in range(n):
                m.exactly_one([holds[n * k + c][v] for c in range(n)], label="row")
                m.exactly_one([holds[n * r + k][v] for r in range(n)], label="column")
        return m

    def table(self, puzzle: SkyscraperPuzzle) -> SightTable:
        spec, clues = puzzle.spec, tuple(grid.CLUES.all_placed(puzzle))
        return SightTable(spec.params.size, clues, spec.params.hint == "sum", spec.rule("diagonal_hints") is not None)

    def broken_rules(self, puzzle: SkyscraperPuzzle, answer: f.Grid, partial: bool = False) -> list[str]:
        spec, n, summed = puzzle.spec, puzzle.spec.params.size, puzzle.spec.params.hint == "sum"
        if not grid.FORM.fits(spec, answer, partial):
            return [f.MALFORMED]
        broken = []
        columns = list(zip(*answer, strict=True))
        for name, lines in (("row", answer), ("column", columns)):
            for line in lines:
                built = [v for v in line if v >= 0]
                if len(set(built)) < len(built):
                    broken.append(name)
                    break
        falling = [answer[i][i] for i in range(n)]
        rising = [answer[i][n - 1 - i] for i in range(n)]
        diagonals = [falling, rising, rising[::-1], falling[::-1]]
        for clue in puzzle.clues:
            place, value = clue.ints()
            if clue.kind == "given":
                fine = answer[place // n][place % n] in (value, f.BLANK)
            elif place < 4 * n:
                side, k = place // n, place % n
                view = columns[k] if side < 2 else answer[k]
                fine = _may_show(tuple(view[::-1] if side % 2 else view), n, value, summed, False)
            else:
                fine = not spec.rules or _may_show(tuple(diagonals[place - 4 * n]), n, value, summed, True)
            if not fine:
                broken.append(clue.id)
        return broken

    def symmetry(self, puzzle: SkyscraperPuzzle) -> str:
        """The least of the eight ways to turn the square; heights never change."""
        n, ruled = puzzle.spec.params.size, puzzle.spec.rule("diagonal_hints") is not None
        facts = [(place, k) for place, k in grid.CLUES.all_placed(puzzle) if ruled or place < n * n + 4 * n]
        ways = [sorted({(turned[place], k) for place, k in facts}) for turned in sight.turns(n)]
        listed = ",".join([f"{place}={k}" for place, k in min(ways)])
        return f"{n}{puzzle.spec.params.hint}{'d' if ruled else ''}:{listed}"

    # ---- text

    def render(self, puzzle: SkyscraperPuzzle) -> str:
        spec, n, voice = puzzle.spec, puzzle.spec.params.size, f.Voice.of(self, puzzle)
        summed, last = spec.params.hint == "sum", n * n + (4 * n + 4 if spec.rules else 4 * n)
        hinted = {place for place, _ in grid.CLUES.all_placed(puzzle) if n * n <= place < last}
        hints = voice.says("hints", what="sum of the heights of all" if summed else "number of")
        if len(hinted) < last - n * n:
            hints = f"{hints} {voice.says('dash')}"
        task = voice.says("task", n=n)
        corners = [self.describe(puzzle, "diagonal_hints")] if spec.rules else []
        given = grid.CLUES.given_slots(puzzle)
        if not voice.number:
            stay = voice.says("given" if given else "open")
            return "\n\n".join([task, hints, *corners, stay, _framed(puzzle)])
        if given:
            task = f"{task} {voice.says('given')}"
        return voice.prompt(task, [voice.says("once", n=n), hints, *corners], _board(voice, puzzle))

    def describe(self, puzzle: SkyscraperPuzzle, label: str) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        if label in ("row", "column"):
            return f"Each {label} contains every height from 1 to {n} exactly once."
        if label == "diagonal_hints":
            return f.Voice.of(self, puzzle).says(label)
        clue = puzzle.clue(label)
        if clue is None:
            return label
        place, k = grid.CLUES.placed(spec, clue)
        if place < n * n:
            return f"Row {place // n + 1} column {place % n + 1} has height {k + 1}."
        line, summed = place - n * n, spec.params.hint == "sum"
        seen = f"the heights of the buildings that are seen add up to {k}" if summed else sight.seen(k, summed)
        return f"Along {sight.view(n, line)}, {seen}, so {sight.forces(n, k, summed, line >= 4 * n)}."

    def words(self, puzzle: SkyscraperPuzzle) -> f.Words:
        return f.Words(ids=[clue.id for clue in puzzle.clues], voice=puzzle.style.phrasing)

    def checks(self, puzzle: SkyscraperPuzzle, answer: f.Grid) -> list[str]:
        n = puzzle.spec.params.size
        hints = [(place - n * n, k) for place, k in grid.CLUES.all_placed(puzzle) if place >= n * n]
        return sight.views(answer, hints, puzzle.spec.params.hint == "sum") or super().checks(puzzle, answer)

    def draw(self, puzzle: SkyscraperPuzzle, answer: f.Grid | None = None, marked: Collection[str] = ()) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        picture = f.Board(n, n, above=1, below=1, left=1, right=1)
        if spec.rules:
            picture.tint(sorted({*sight.cells_of(n, 4 * n), *sight.cells_of(n, 4 * n + 1)}), SHADES[1])
        found = [f.BLANK] * (n * n) if answer is None else [v for row in answer for v in row]
        texts = {place: (str(v + 1), FOUND) for place, v in enumerate(found) if v != f.BLANK}
        for clue, (place, k) in zip(puzzle.clues, grid.CLUES.all_placed(puzzle), strict=True):
            if place < n * n:
                texts[place] = str(k + 1), GIVEN
                picture.tint([place] if clue.id in marked else [], MARK)
            else:
                texts[place] = str(k), MARKED if clue.id in marked else PLAIN
        for place, (text, ink) in texts.items():
            row, col = grid.spot(n, place)
            picture.at(row - 1, col - 1, text, ink, 20 if place < n * n else 17)
        summed = spec.params.hint == "sum"
        picture.caption("hints: sums of the heights that are seen" if summed else "hints: numbers of buildings seen")
        for label in [label for label in marked if puzzle.clue(label) is None]:
            picture.caption(self.describe(puzzle, label), marked=True)
        return picture.svg()


def _table(puzzle: SkyscraperPuzzle, blank: str = ".") -> list[list[str]]:
    """The cells with their hints around them: a dash where there is none, "" at corners that have none."""
    n, ruled = puzzle.spec.params.size, puzzle.spec.rule("diagonal_hints") is not None
    table = [["-"] * (n + 2)] + [["-", *[blank] * n, "-"] for _ in range(n)] + [["-"] * (n + 2)]
    if not ruled:
        for r in (0, n + 1):
            table[r][0] = table[r][n + 1] = ""
    for place, k in grid.CLUES.all_placed(puzzle):
        r, c = grid.spot(n, place)
        if ruled or place < n * n + 4 * n:
            table[r][c] = puzzle.style.symbols[k] if place < n * n else str(k)
    return table


def _framed(puzzle: SkyscraperPuzzle) -> str:
    """The grid in a frame, with its hints around it."""
    n, table = puzzle.spec.params.size, _table(puzzle)
    width = max(len(text) for row in table for text in row)
    rows = [[text.rjust(width) for text in row] for row in table]
    lines = []
    for r, row in enumerate(rows):
        frame = "|" if 0 < r <= n else " "
        lines.append(f"{row[0]} {frame} {' '.join(row[1:-1])} {frame} {row[-1]}".rstrip())
    rule = " " * (width + 1) + "+" + "-" * ((width + 1) * n + 1) + "+"
    return "\n".join([lines[0], rule, *lines[1:-1], rule, lines[-1]])


def _board(voice: f.Voice, puzzle: SkyscraperPuzzle) -> str:
    """The grid and its hints, in the notation of this voice: the hints around it, or as lists."""
    n = puzzle.spec.params.size
    if voice.notation("lists", "framed", "lists") == "framed":
        return f"{voice.says('framed', note=' (a dot is an empty cell)')}\n{_framed(puzzle)}"
    table = _table(puzzle, "")
    sides = {"top": table[0][1:-1], "bottom": table[-1][1:-1]}
    sides |= {"left": [row[0] for row in table[1:-1]], "right": [row[-1] for row in table[1:-1]]}
    between = (", ", " ")[voice.place("hints between", 2)]
    lines = [voice.says("lists", n=n, **{side: between.join(hints) for side, hints in sides.items()})]
    if puzzle.spec.rules:
        a, b, c, d = table[0][0], table[0][-1], table[-1][0], table[-1][-1]
        lines.append(voice.says("corners", a=a, b=b, c=c, d=d))
    cells = [text for row in table[1:-1] for text in row[1:-1]]
    inside = voice.grid(cells, n, "an empty cell", signs="._?") if any(cells) else voice.says("bare")
    return "\n".join([*lines, inside])


# ---- for the checker alone ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def _may_show(view: tuple[int, ...], n: int, wanted: int, summed: bool, repeats: bool) -> bool:
    """Return whether the blanks of a line may be filled so that its hint is right; True where too many are blank to be tried."""
    blanks = [i for i, v in enumerate(view) if v == f.BLANK]
    missing = [v for v in range(n) if v not in view]
    seen, tallest = 0, f.BLANK
    for v in view:
        if v == f.BLANK or tallest == n - 1:
            break
        if v > tallest:
            tallest = v
            seen += v + 1 if summed else 1
    if seen > wanted or (tallest == n - 1 and seen != wanted):
        return False
    if len(blanks) > _EXACT:
        return True
    if not repeats and len(missing) != len(blanks):
        return True  # two equal heights: the rule of the row or column is broken, and says so
    ways = product(range(n), repeat=len(blanks)) if repeats else permutations(missing)
    for way in ways:
        line = list(view)
        for i, v in zip(blanks, way, strict=True):
            line[i] = v
        total, tallest = 0, f.BLANK
        for v in line:
            if v > tallest:
                tallest = v
                total += v + 1 if summed else 1
        if total == wanted:
            return True
    return False


FAMILY = Skyscraper()
