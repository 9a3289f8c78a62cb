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
Limits: hardly a grid of size 7 or 8 is told by numbers of buildings alone, so these need cells that are shown. What a hint says
includes that the last building seen is the tallest of all, as it is in every row and column: so a clash of hints names the rules
on rows and columns only where it needs them for something else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import permutations, product
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.core.model import SightTable
from puzzlemill.core.pictures import FOUND, GIVEN, MARK, MARKED, PLAIN, SHADES
from puzzlemill.rules import sight
from puzzlemill.transforms.clues import FewerGivens

SkyscraperPuzzle = f.Puzzle["Params", f.NoBoard]
SkyscraperDraft = f.Draft["Params", f.NoBoard, f.Grid, f.Grid]

SIZES = (4, 5, 6, 7, 8)
HINTS = ("count", "sum")

# Cells that must be allowed to be shown, so that a puzzle is found soon: by the hint and the size.
_LEAST_SHOWN = {("count", 7): 4, ("count", 8): 8}
_SHOWN_8, _CLUES_8 = 4, 18  # size 8 with sums needs cells that may be shown, or as many clues
# Grids of size 4 that the hints of all sides tell, and those that only corners tell: by enumeration, in
# tests/unit/test_skyscraper.py.
_TOLD_4 = {"count": 372, "sum": 524}
_TOLD_4_BY_CORNERS = 96
# Puzzles of size 4 with all hints, up to symmetry: there as well.
_ALL_HINTS_4 = {"count": 55, "sum": 88}
_ALL_HINTS_4_CORNERS = 24
_FILLS = 200  # grids drawn until the hints alone tell one
_EXACT = 4  # blanks in a line up to which the checker tries every way of filling them


@f.params
class Params:
    """hint: "count" (how many buildings are seen) or "sum" (what their heights add up to).

    clues: how many clues stay, hints and shown cells together, where that leaves one answer (else a few more do); 0: as few as
        possible. Four times the size are the hints on all sides.
    shown: at most so many cells show their building; 0: hints alone tell the answer.
    """

    size: int = f.Param(default=6, least=SIZES[0], most=SIZES[-1])
    hint: str = f.Param(default="count", among=HINTS)
    clues: int = f.Param(default=0, least=0)
    shown: int = f.Param(default=0, least=lambda p: _LEAST_SHOWN.get((p.hint, p.size), 0), most=lambda p: p.size**2 - 1)


# ---- clues --------------------------------------------------------------------------------------------------------------

_FORM = f.SquareGrid("size", "Give the complete grid of heights, row by row, without the hints around it.")
_GIVENS = f.Givens(_FORM)


class SightClues(f.Clues[Any, f.NoBoard]):
    """Hints (line, number) and givens (cell, value). A *place* is a cell, or n * n and a line."""

    def hint(self, n: int, line: int, k: int) -> f.Clue:
        return _hint(n, line, k)

    def placed(self, spec: f.Spec[Any], clue: f.Clue) -> tuple[int, int]:
        """Place and number of a clue. Raises BadRow for one that this board cannot have."""
        if clue.kind != "hint":
            return _GIVENS.placed(spec, clue)
        n, args = spec.params.size, clue.ints()
        most = n * (n + 1) // 2
        if len(args) != 2 or not (0 <= args[0] < 4 * n + 4 and 1 <= args[1] <= most):
            raise f.BadRow(
                f"clue {clue.id}: expected a hint with a line below {4 * n + 4} and a number, 1 to {most}, got {str(args)[:60]}"
            )
        return n * n + args[0], args[1]

    def all_placed(self, puzzle: f.Puzzle[Any, Any]) -> list[tuple[int, int]]:
        return [self.placed(puzzle.spec, clue) for clue in puzzle.clues]

    def numbers(self, spec: f.Spec[Any]) -> range:
        """The numbers that hints can have; the tallest building is always seen."""
        n = spec.params.size
        return range(n, n * (n + 1) // 2 + 1) if spec.params.hint == "sum" else range(1, n + 1)

    def state(self, m: f.Constraints, spec: f.Spec[Any], board: f.NoBoard, clue: f.Clue) -> None:
        if clue.kind != "hint":
            _GIVENS.state(m, spec, board, clue)
            return
        n, name, (place, k) = spec.params.size, clue.id, self.placed(spec, clue)
        line = place - n * n
        if line >= 4 * n and not spec.rule("diagonal_hints"):
            return
        # one literal for each way in which a look so far can have gone: the tallest building and what is seen
        states = _states(n, spec.params.hint, k, line >= 4 * n)
        here = {(f.BLANK, 0): 0}
        for cell, after in zip(sight.cells_of(n, line), states, strict=True):
            holds = m.key[cell]
            there = {state: m.var() for state in sorted(after)}
            into: dict[int, list[int]] = {at: [] for at in there.values()}
            for (top, seen), at in here.items():
                for v in range(n):
                    to = there.get(_look_at(top, seen, v, spec.params.hint))
                    m.require(-holds[v], *[-at for _ in (1,) if at], *[to for _ in (1,) if to], label=name)
                    if to:
                        into[to].append(at)
            m.require(*there.values(), label=name)
            for to, froms in into.items():
                if 0 not in froms:
                    m.require(-to, *froms, label=name)
            for v in range(n):  # what no look that can still come right has here
                if not any(_look_at(top, seen, v, spec.params.hint) in after for top, seen in here):
                    m.require(-holds[v], label=name)
            here = there

    def given_slots(self, puzzle: f.Puzzle[Any, Any]) -> tuple[int, ...]:
        return _GIVENS.given_slots(_givens_of(puzzle))

    def removal_order(self, draft: f.Draft[Any, Any, Any, Any], rng: f.Rng) -> list[int]:
        # cells that are shown come first and corners last, so that as much as possible follows from the rarer clue
        n = draft.puzzle.spec.params.size
        groups: list[list[int]] = [[], [], []]
        for i, (place, _) in enumerate(self.all_placed(draft.puzzle)):
            groups[(place >= n * n) + (place >= n * n + 4 * n)].append(i)
        return [i for group in groups for i in rng.shuffled(group)]

    def kept(self, spec: f.Spec[Any]) -> int:
        kept: int = spec.params.clues
        return kept

    def usable(self, draft: f.Draft[Any, Any, Any, Any]) -> bool:
        most: int = draft.puzzle.spec.params.shown
        return len(_givens_of(draft.puzzle).clues) <= most

    def alternatives(self, puzzle: f.Puzzle[Any, Any], clue: f.Clue, rng: f.Rng) -> Iterator[f.Clue]:
        place, value = clue.ints()
        choices = self.numbers(puzzle.spec) if clue.kind == "hint" else range(puzzle.spec.params.size)
        for other in rng.shuffled(choices):
            if other != value:
                yield replace(clue, args=(place, other))

    def additions(self, puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> Iterator[f.Clue]:
        n, taken = puzzle.spec.params.size, {place for place, _ in self.all_placed(puzzle)}
        lines = range(4 * n + 4 if puzzle.spec.rule("diagonal_hints") else 4 * n)
        for line in rng.shuffled([line for line in lines if n * n + line not in taken]):
            for k in rng.shuffled(self.numbers(puzzle.spec)):
                yield _hint(n, line, k)
        givens = _givens_of(puzzle)
        if givens.clues:
            yield from _GIVENS.additions(givens, rng)


_CLUES = SightClues()


@lru_cache(maxsize=4096)
def _hint(n: int, line: int, k: int) -> f.Clue:
    return f.Clue(sight.label(n, line), "hint", (line, k))


def _givens_of(puzzle: f.Puzzle[Any, Any]) -> f.Puzzle[Any, Any]:
    """The puzzle with its givens only."""
    return puzzle.with_clues([clue for clue in puzzle.clues if clue.kind != "hint"])


def _true_hints(spec: f.Spec[Any], values: f.Slots) -> list[f.Clue]:
    """What is seen from every end of every line; of diagonals, which come last, under their rule only."""
    n, clues = spec.params.size, []
    for line in range(4 * n + 4 * len(spec.rules)):
        top, total = f.BLANK, 0
        for cell in sight.cells_of(n, line):
            if values[cell] > top:
                top = values[cell]
                total += top + 1 if spec.params.hint == "sum" else 1
        clues.append(_hint(n, line, total))
    return clues


@lru_cache(maxsize=1024)
def _states(n: int, hint: str, k: int, diagonal: bool) -> tuple[frozenset[tuple[int, int]], ...]:
    """After each cell of a line: tallest building and what is seen, as far as k is seen in the end and, unless it is a diagonal,
    the last that is seen has height n; nothing is said of heights that repeat."""
    before = [{(f.BLANK, 0)}]
    for _ in range(n):
        before.append({_look_at(top, seen, v, hint) for top, seen in before[-1] for v in range(n)})
    after = {(top, seen) for top, seen in before[n] if seen == k and (diagonal or top == n - 1)}
    found = []
    for p in range(n - 1, -1, -1):
        found.append(frozenset(after))
        after = {state for state in before[p] if any(_look_at(*state, v, hint) in after for v in range(n))}
    return tuple(found[::-1])


def _look_at(top: int, seen: int, v: int, hint: str) -> tuple[int, int]:
    return (top, seen) if v <= top else (v, seen + (v + 1 if hint == "sum" else 1))


# ---- text form ----------------------------------------------------------------------------------------------------------

_EMPTY = (".", "-", "_", "0", "-1")


class Text(f.TextForm["Params", f.NoBoard]):
    """The grid with its hints around it, corners too: numbers, and dots where there is nothing."""

    def parse(self, lines: Sequence[f.Line]) -> SkyscraperPuzzle:
        options = f.heading(lines, "skyscraper", ("sums", "diagonal_hints"))
        if len(options) == 2:
            raise lines[0].bad(0, "diagonal_hints count buildings and do not go with sums")
        rows = lines[1:]
        n = len(rows) - 2
        if n not in SIZES:
            wanted = f"{SIZES[0] + 2} to {SIZES[-1] + 2}"
            raise lines[0].bad(0, f"expected {wanted} rows below this line, the grid with its hints around it, got {len(rows)}")
        hint = "sum" if "sums" in options else "count"
        spec = f.Spec(Params(n, hint, shown=_LEAST_SHOWN.get((hint, n), 0)))
        spec = spec.with_rule(f.Rule("diagonal_hints")) if "diagonal_hints" in options else spec
        spots = {sight.spot(n, line): line for line in range(4 * n + 4)}
        clues = []
        for r, row in enumerate(rows):
            words = row.words
            if len(words) != n + 2:
                raise row.bad(0, f"expected {n + 2} numbers or dots, a row with a hint at either end, got {len(words)}")
            for c, word in enumerate(words):
                if word.text in _EMPTY:
                    continue
                line = spots.get((r, c))
                top = n if line is None else _CLUES.numbers(spec)[-1]
                if not (word.text.isascii() and word.text.isdigit() and len(word.text) < 3 and 1 <= int(word.text) <= top):
                    raise row.bad(word.column, f"expected 1 to {top}, or . where there is nothing, got {word.text[:20]!r}")
                number = int(word.text)
                if line is None:
                    clues.append(_GIVENS.at(spec, n * (r - 1) + c - 1, number - 1))
                elif line >= 4 * n and not spec.rules:
                    raise row.bad(word.column, "a hint at a corner needs the option diagonal_hints")
                else:
                    clues.append(_hint(n, line, number))
        return self.family.puzzle(spec, clues)

    def format(self, puzzle: SkyscraperPuzzle) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        table = [["."] * (n + 2) for _ in range(n + 2)]
        for clue, (place, number) in zip(puzzle.clues, _CLUES.all_placed(puzzle), strict=True):
            r, c = _spot(n, place)
            text = str(number if place >= n * n else number + 1)
            if table[r][c] not in (".", text):
                raise f.BadRow(f"skyscraper: the text form has no way to write two numbers in one place, {clue.id}")
            if place >= n * n + 4 * n and not spec.rules:
                raise f.BadRow(f"skyscraper: the text form has no hint at a corner without diagonal_hints, {clue.id}")
            table[r][c] = text
        words = ["skyscraper", *["sums" for _ in (1,) if spec.params.hint == "sum"], *[rule.name for rule in spec.rules]]
        return "\n".join([" ".join(words), f.grid_text([text for row in table for text in row], n + 2)]) + "\n"


def _spot(n: int, place: int) -> tuple[int, int]:
    """Row and column of a place in a square of n + 2, in which the grid stands in the middle."""
    return sight.spot(n, place - n * n) if place >= n * n else (place // n + 1, place % n + 1)


def _small_puzzles(spec: f.Spec[Params]) -> int | None:
    p = spec.params
    if p.size != 4 or p.shown or p.clues != 16 + 4 * len(spec.rules):
        return None
    return _ALL_HINTS_4_CORNERS if spec.rules else _ALL_HINTS_4[p.hint]


def _small_answers(spec: f.Spec[Params]) -> int | None:
    if spec.params.size != 4:
        return None
    if spec.params.shown:
        return 576
    return _TOLD_4_BY_CORNERS if spec.rules else _TOLD_4[spec.params.hint]


# ---- the family ---------------------------------------------------------------------------------------------------------


@final
class Skyscraper(f.Family[Params, f.NoBoard, f.Grid, f.Grid]):
    name, version, title = "skyscraper", 1, "Skyscrapers"
    source = "Masanori Natsuhara, first World Puzzle Championship, New York 1992"
    params, answer, form, clues, text = Params, f.Grid, _FORM, _CLUES, Text()
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
    small = f.SmallClasses(_small_puzzles, _small_answers)
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
        return f.Style(symbols=tuple([str(v + 1) for v in range(spec.params.size)]))

    def sample_solution(self, spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> f.Grid:
        n, free = spec.params.size, self.puzzle(spec)
        for turn in range(_FILLS):
            values = oracle.sample(free, rng.child("grid", turn))
            if values is None:
                raise f.Discarded("no_answer")
            hints = _true_hints(spec, values)
            if not spec.params.shown:  # cells that are shown say what hints do not
                if spec.rules and oracle.count(free.with_clues(hints[: 4 * n])) < 2:
                    continue  # corners would say nothing new
                if oracle.count(free.with_clues(hints)) != 1:
                    continue
            return _FORM.assemble(spec, f.NoBoard(), values)
        raise f.Discarded("ambiguous", f"hints alone told none of {_FILLS} grids of size {n}")

    def make_puzzle(self, spec: f.Spec[Params], hidden: f.Grid, rng: f.Rng) -> SkyscraperDraft:
        values = _FORM.values(spec, f.NoBoard(), hidden)
        givens = _GIVENS.true(spec, values) if spec.params.shown else ()
        return f.Draft(self.puzzle(spec, [*_true_hints(spec, values), *givens]), hidden, hidden)

    def larger(self, spec: f.Spec[Params]) -> f.Spec[Params] | None:
        n, clues, shown = spec.params.size, spec.params.clues, spec.params.shown
        shown = max(shown * (n + 1) ** 2 // n**2, _LEAST_SHOWN.get((spec.params.hint, n + 1), 0))
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
        spec, clues = puzzle.spec, tuple(_CLUES.all_placed(puzzle))
        return SightTable(spec.params.size, clues, spec.params.hint == "sum", spec.rule("diagonal_hints") is not None)

    def broken_rules(self, puzzle: SkyscraperPuzzle, answer: f.Grid, partial: bool = False) -> list[str]:
        spec, n, summed = puzzle.spec, puzzle.spec.params.size, puzzle.spec.params.hint == "sum"
        if not _FORM.fits(spec, answer, partial):
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
        facts = [(place, k) for place, k in _CLUES.all_placed(puzzle) if ruled or place < n * n + 4 * n]
        ways = [sorted({(turned[place], k) for place, k in facts}) for turned in sight.turns(n)]
        listed = ",".join([f"{place}={k}" for place, k in min(ways)])
        return f"{n}{puzzle.spec.params.hint}{'d' if ruled else ''}:{listed}"

    # ---- text

    def render(self, puzzle: SkyscraperPuzzle) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        summed, last = spec.params.hint == "sum", n * n + (4 * n + 4 if spec.rules else 4 * n)
        hinted = {place for place, _ in _CLUES.all_placed(puzzle) if n * n <= place < last}
        dashes = " A dash stands where there is no hint." if len(hinted) < last - n * n else ""
        what = "sum of the heights of all" if summed else "number of"
        parts = [
            f"Solve this {n}x{n} Skyscrapers puzzle. Put a building in every cell of the grid; its height is a number from 1 to "
            f"{n}. Each row and each column contains every height from 1 to {n} exactly once.",
            "The numbers around the grid are hints. Look from a hint along its row or column into the grid: the hint is the "
            f"{what} buildings that are seen. A building is seen if it is taller than every building in front of it.{dashes}",
        ]
        if spec.rules:
            parts.append(self.describe(puzzle, "diagonal_hints"))
        stay = "Buildings that are already in the grid stay as they are; a dot" if _CLUES.given_slots(puzzle) else "A dot"
        return "\n\n".join([*parts, f"{stay} is an empty cell.", _framed(puzzle)])

    def describe(self, puzzle: SkyscraperPuzzle, label: str) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        if label in ("row", "column"):
            return f"Each {label} contains every height from 1 to {n} exactly once."
        if label == "diagonal_hints":
            return (
                "A hint at a corner is the number of buildings that are seen from there along the diagonal to the opposite "
                "corner. In a diagonal heights may repeat; a building hides those behind it that are lower or of the same height."
            )
        clue = puzzle.clue(label)
        if clue is None:
            return label
        place, k = _CLUES.placed(spec, clue)
        if place < n * n:
            return f"Row {place // n + 1} column {place % n + 1} has height {k + 1}."
        line, summed = place - n * n, spec.params.hint == "sum"
        seen = f"the heights of the buildings that are seen add up to {k}" if summed else sight.seen(k, summed)
        return f"Along {sight.view(n, line)}, {seen}, so {sight.forces(n, k, summed, line >= 4 * n)}."

    def words(self, puzzle: SkyscraperPuzzle) -> f.Words:
        return f.Words(ids=[clue.id for clue in puzzle.clues])

    def draw(self, puzzle: SkyscraperPuzzle, answer: f.Grid | None = None, marked: Collection[str] = ()) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        picture = f.Board(n, n, above=1, below=1, left=1, right=1)
        if spec.rules:
            picture.tint(sorted({*sight.cells_of(n, 4 * n), *sight.cells_of(n, 4 * n + 1)}), SHADES[1])
        found = [f.BLANK] * (n * n) if answer is None else [v for row in answer for v in row]
        texts = {place: (str(v + 1), FOUND) for place, v in enumerate(found) if v != f.BLANK}
        for clue, (place, k) in zip(puzzle.clues, _CLUES.all_placed(puzzle), strict=True):
            if place < n * n:
                texts[place] = str(k + 1), GIVEN
                picture.tint([place] if clue.id in marked else [], MARK)
            else:
                texts[place] = str(k), MARKED if clue.id in marked else PLAIN
        for place, (text, ink) in texts.items():
            row, col = _spot(n, place)
            picture.at(row - 1, col - 1, text, ink, 20 if place < n * n else 17)
        summed = spec.params.hint == "sum"
        picture.caption("hints: sums of the heights that are seen" if summed else "hints: numbers of buildings seen")
        for label in [label for label in marked if puzzle.clue(label) is None]:
            picture.caption(self.describe(puzzle, label), marked=True)
        return picture.svg()


def _framed(puzzle: SkyscraperPuzzle) -> str:
    """The grid in a frame, with its hints around it."""
    n, ruled = puzzle.spec.params.size, puzzle.spec.rule("diagonal_hints") is not None
    table = [["-"] * (n + 2)] + [["-", *["."] * n, "-"] for _ in range(n)] + [["-"] * (n + 2)]
    if not ruled:
        for r in (0, n + 1):
            table[r][0] = table[r][n + 1] = ""
    for place, k in _CLUES.all_placed(puzzle):
        r, c = _spot(n, place)
        if ruled or place < n * n + 4 * n:
            table[r][c] = puzzle.style.symbols[k] if place < n * n else str(k)
    width = max(len(text) for row in table for text in row)
    rows = [[text.rjust(width) for text in row] for row in table]
    lines = []
    for r, row in enumerate(rows):
        frame = "|" if 0 < r <= n else " "
        lines.append(f"{row[0]} {frame} {' '.join(row[1:-1])} {frame} {row[-1]}".rstrip())
    rule = " " * (width + 1) + "+" + "-" * ((width + 1) * n + 1) + "+"
    return "\n".join([lines[0], rule, *lines[1:-1], rule, lines[-1]])


# ---- for the checker alone ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def _may_show(view: tuple[int, ...], n: int, wanted: int, summed: bool, repeats: bool) -> bool:
    """Whether the blanks of a line may be filled so that its hint is right; True where too many are blank to be tried."""
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
