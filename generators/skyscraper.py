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
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations, product
from math import log10
from typing import Any, ClassVar, final

from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.family import Family, Legacy, Transform
from puzzlemill.core.model import BLANK, Constraints, SightTable, Slots, Step
from puzzlemill.core.rng import Rng
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
from puzzlemill.transforms.clues import FewerGivens
from puzzlemill.transforms.forms import AddRule, valid

Grid = tuple[tuple[int, ...], ...]  # n rows of n values, BLANK unknown

SIZES = (4, 5, 6, 7, 8)
HINTS = ("count", "sum")
_CORNERS = ("top_left", "top_right", "bottom_left", "bottom_right")

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


@dataclass(frozen=True, slots=True)
class Params:
    """size: rows and columns, 4 to 8.

    hint: "count" (how many buildings are seen) or "sum" (what their heights add up to).
    clues: how many clues stay, hints and shown cells together, where that leaves one answer (else a few more do); 0: as few as
        possible. Four times the size are the hints on all sides.
    shown: at most so many cells show their building; 0: hints alone tell the answer.
    """

    size: int = 6
    hint: str = "count"
    clues: int = 0
    shown: int = 0


@final
class Skyscraper(Legacy, Family[Params, NoBoard, Grid, Grid]):
    name: ClassVar[str] = "skyscraper"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Skyscrapers"
    params: ClassVar[Any] = Params
    answer: ClassVar[Any] = Grid
    rules: ClassVar[Any] = ("diagonal_hints",)
    transforms: ClassVar[tuple[Transform, ...]] = (
        AddRule("diagonal_hints", about="hints at corners, which count what is seen along the diagonals"),
        FewerGivens(
            "hide_hints",
            Kind.IC2,
            field="clues",
            about="some of the hints left out, the answer being the same",
            needs="family.params.clues above 0, the number that the parent keeps (24 are all hints of a 6x6 grid)",
        ),
    )
    source: ClassVar[str] = "Masanori Natsuhara, first World Puzzle Championship, New York 1992"

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        n, hint, clues, shown = spec.params.size, spec.params.hint, spec.params.clues, spec.params.shown
        if n not in SIZES:
            raise BadParams(f"skyscraper.size must be {SIZES[0]} to {SIZES[-1]}, got {n}; set family.params.size")
        if hint not in HINTS:
            raise BadParams(f"skyscraper.hint must be {' or '.join(HINTS)}, got {hint[:40]!r}; set family.params.hint")
        least = _LEAST_SHOWN.get((hint, n), 0)
        if not least <= shown < n * n:
            raise BadParams(
                f"skyscraper.shown must be {least} to {n * n - 1} for size {n} and hint {hint}, got {shown}; "
                "set family.params.shown"
            )
        if hint == "sum" and n == 8 and shown < _SHOWN_8 and clues < _CLUES_8:
            raise BadParams(
                "skyscraper of size 8 with sums: leaving out more clues takes minutes for some grids; set family.params.clues to "
                f"{_CLUES_8} or more, or family.params.shown to {_SHOWN_8} or more, got clues {clues} and shown {shown}"
            )
        for rule in spec.rules:
            if rule.name not in self.rules or rule.args:
                raise BadParams(f"rules: skyscraper has the rule diagonal_hints without arguments, got {rule.name[:40]!r}")
        if spec.rules and hint != "count":
            raise BadParams(f'rules: diagonal_hints count buildings, so skyscraper.hint must be count, got "{hint}"')
        most = 4 * n + 4 * len(spec.rules) + shown
        if not 0 <= clues <= most:
            raise BadParams(
                f"skyscraper.clues must be 1 to {most} for size {n} with {shown} cells shown at most, or 0 for as few as "
                f"possible, got {clues}; set family.params.clues"
            )

    def sample_solution(self, spec: Spec[Params], rng: Rng, oracle: Oracle) -> Grid:
        n = spec.params.size
        free = self._posed(spec, ())
        for turn in range(_FILLS):
            values = oracle.sample(free, rng.child("grid", turn))
            if values is None:
                raise Discarded("no_answer")
            if spec.params.shown:
                return self.assemble(spec, NoBoard(), values)  # cells that are shown tell what hints do not
            hints = _true_hints(n, spec.params.hint, values)
            if spec.rules and oracle.count(free.with_clues(hints[: 4 * n])) < 2:
                continue  # corners would tell nothing new
            if oracle.count(free.with_clues(hints if spec.rules else hints[: 4 * n])) == 1:
                return self.assemble(spec, NoBoard(), values)
        raise Discarded("ambiguous", f"hints alone told none of {_FILLS} grids of size {n}")

    def make_puzzle(self, spec: Spec[Params], hidden: Grid, rng: Rng) -> Draft[Params, NoBoard, Grid, Grid]:
        n = spec.params.size
        values = self.form.values(spec, NoBoard(), hidden)
        hints = _true_hints(n, spec.params.hint, values)
        clues = list(hints if spec.rules else hints[: 4 * n])
        if spec.params.shown:
            clues += [_given_clue(n, cell, v) for cell, v in enumerate(values)]
        return Draft(self._posed(spec, tuple(clues)), hidden, hidden)

    def _posed(self, spec: Spec[Params], clues: tuple[Clue, ...]) -> Puzzle[Params, NoBoard]:
        return Puzzle(self.name, self.version, spec, NoBoard(), clues, Question(), _look(spec.params.size))

    def removal_order(self, draft: Draft[Params, NoBoard, Grid, Grid], rng: Rng) -> list[int]:
        # cells that are shown come first and corners last, so that as much as possible is told by the rarer clue
        n = draft.puzzle.spec.params.size
        groups: list[list[int]] = [[], [], []]
        for i, clue in enumerate(draft.puzzle.clues):
            groups[0 if clue.kind == "given" else 1 if _hint(clue, n)[0] < 4 * n else 2].append(i)
        return [i for group in groups for i in rng.shuffled(group)]

    def usable(self, draft: Draft[Params, NoBoard, Grid, Grid]) -> bool:
        return sum(clue.kind == "given" for clue in draft.puzzle.clues) <= draft.puzzle.spec.params.shown

    def kept(self, spec: Spec[Params]) -> int:
        return spec.params.clues

    def alternatives(self, puzzle: Puzzle[Params, NoBoard], clue: Clue, rng: Rng) -> Iterator[Clue]:
        n = puzzle.spec.params.size
        place, value = clue.ints()
        choices = range(n) if clue.kind == "given" else range(_lowest(puzzle.spec), _highest(puzzle.spec) + 1)
        for other in rng.shuffled(choices):
            if other != value:
                yield replace(clue, args=(place, other))

    def additions(self, puzzle: Puzzle[Params, NoBoard], rng: Rng) -> Iterator[Clue]:
        n = puzzle.spec.params.size
        told = {(clue.kind, clue.ints()[0]) for clue in puzzle.clues}
        lines = 4 * n + 4 if puzzle.spec.rule("diagonal_hints") else 4 * n
        for line in rng.shuffled([line for line in range(lines) if ("hint", line) not in told]):
            for k in rng.shuffled(range(_lowest(puzzle.spec), _highest(puzzle.spec) + 1)):
                yield _hint_clue(n, line, k)
        if any(kind == "given" for kind, _ in told):
            for cell in rng.shuffled([cell for cell in range(n * n) if ("given", cell) not in told]):
                for value in rng.shuffled(range(n)):
                    yield _given_clue(n, cell, value)

    def larger(self, spec: Spec[Params]) -> Spec[Params] | None:
        n, clues, shown = spec.params.size, spec.params.clues, spec.params.shown
        grown = replace(
            spec.params,
            size=n + 1,
            clues=clues * (n + 1) // n,
            shown=max(shown * (n + 1) ** 2 // n**2, _LEAST_SHOWN.get((spec.params.hint, n + 1), 0)),
        )
        larger = replace(spec, params=grown)
        return larger if valid(self, larger) else None

    # ---- meaning

    def model(self, spec: Spec[Params], board: NoBoard) -> Constraints:
        n = spec.params.size
        m = Constraints()
        holds = [m.slot(n) for _ in range(n * n)]
        for k in range(n):
            for v in range(n):
                m.exactly_one([holds[n * k + c][v] for c in range(n)], label="row")
                m.exactly_one([holds[n * r + k][v] for r in range(n)], label="column")
        return m

    def state(self, m: Constraints, spec: Spec[Params], board: NoBoard, clue: Clue) -> None:
        n, name = spec.params.size, clue.id
        if clue.kind == "given":
            cell, value = _given(clue, n)
            m.require(m.key[cell][value], label=name)
            return
        line, k = _hint(clue, n)
        if line >= 4 * n and not spec.rule("diagonal_hints"):
            return
        # one literal for each way in which a look so far can have gone: the tallest building and what is seen
        states = _states(n, spec.params.hint, k, line >= 4 * n)
        here = {(BLANK, 0): 0}
        for cell, after in zip(_cells_of(n, line), states, strict=True):
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

    def table(self, puzzle: Puzzle[Params, NoBoard]) -> SightTable:
        spec, n = puzzle.spec, puzzle.spec.params.size
        clues = []
        for clue in puzzle.clues:
            if clue.kind == "given":
                clues.append(_given(clue, n))
            else:
                line, k = _hint(clue, n)
                clues.append((n * n + line, k))
        return SightTable(n, tuple(clues), spec.params.hint == "sum", spec.rule("diagonal_hints") is not None)

    def slots(self, spec: Spec[Params], board: NoBoard) -> tuple[int, ...]:
        n = spec.params.size
        return (n,) * (n * n)

    def assemble(self, spec: Spec[Params], board: NoBoard, values: Slots) -> Grid:
        n = spec.params.size
        return tuple([values[n * r : n * r + n] for r in range(n)])

    def values(self, spec: Spec[Params], board: NoBoard, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def broken_rules(self, puzzle: Puzzle[Params, NoBoard], answer: Grid, partial: bool = False) -> list[str]:
        n, summed = puzzle.spec.params.size, puzzle.spec.params.hint == "sum"
        least = BLANK if partial else 0
        if len(answer) != n:
            return ["malformed"]
        for row in answer:
            if len(row) != n or min(row) < least or max(row) >= n:
                return ["malformed"]
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
                fine = answer[place // n][place % n] in (value, BLANK)
            elif place < 4 * n:
                side, k = place // n, place % n
                view = columns[k] if side < 2 else answer[k]
                fine = _may_show(tuple(view[::-1] if side % 2 else view), n, value, summed, False)
            else:
                fine = not puzzle.spec.rules or _may_show(tuple(diagonals[place - 4 * n]), n, value, summed, True)
            if not fine:
                broken.append(clue.id)
        return broken

    def given_slots(self, puzzle: Puzzle[Params, NoBoard]) -> tuple[int, ...]:
        n = puzzle.spec.params.size
        return tuple([_given(clue, n)[0] for clue in puzzle.clues if clue.kind == "given"])

    def search_space_log10(self, puzzle: Puzzle[Params, NoBoard]) -> float:
        # as for sudoku: every empty cell may hold every height
        n = puzzle.spec.params.size
        return (n * n - len(set(self.clues.given_slots(puzzle)))) * log10(n)

    def symmetry(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        """The least of the eight ways to turn the square; heights never change."""
        spec, n = puzzle.spec, puzzle.spec.params.size
        ruled = spec.rule("diagonal_hints") is not None
        facts = []
        for clue in puzzle.clues:
            if clue.kind == "given":
                cell, value = _given(clue, n)
                facts.append((cell, value))
            else:
                line, k = _hint(clue, n)
                if line < 4 * n or ruled:
                    facts.append((n * n + line, k))
        ways = [sorted({(turned[place], value) for place, value in facts}) for turned in _turns(n)]
        return f"{n}{spec.params.hint}{'d' if ruled else ''}:" + ",".join([f"{place}={value}" for place, value in min(ways)])

    def puzzles(self, spec: Spec[Params]) -> int | None:
        p = spec.params
        if p.size != 4 or p.shown or p.clues != 16 + 4 * len(spec.rules):
            return None
        return _ALL_HINTS_4_CORNERS if spec.rules else _ALL_HINTS_4[p.hint]

    def answers(self, spec: Spec[Params]) -> int | None:
        if spec.params.size != 4:
            return None
        if spec.params.shown:
            return 576
        return _TOLD_4_BY_CORNERS if spec.rules else _TOLD_4[spec.params.hint]

    # ---- text

    def render(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        lines = 4 * n + 4 if spec.rule("diagonal_hints") else 4 * n
        dashes = len({_hint(clue, n)[0] for clue in puzzle.clues if clue.kind == "hint"} & set(range(lines))) < lines
        parts = [
            f"Solve this {n}x{n} Skyscrapers puzzle. Put a building in every cell of the grid; its height is a number from 1 to "
            f"{n}. Each row and each column contains every height from 1 to {n} exactly once.",
            _hint_words(spec) + (" A dash stands where there is no hint." if dashes else ""),
        ]
        if spec.rule("diagonal_hints"):
            parts.append(_rule_words(spec, "diagonal_hints"))
        if self.clues.given_slots(puzzle):
            parts.append("Buildings that are already in the grid stay as they are; a dot is an empty cell.")
        else:
            parts.append("A dot is an empty cell.")
        return "\n\n".join([*parts, _board(puzzle)])

    def layout(self, puzzle: Puzzle[Params, NoBoard]) -> Layout:
        n = puzzle.spec.params.size
        columns = tuple([Column(f"column {c + 1}", puzzle.style.symbols) for c in range(n)])
        return Layout(columns, n, n, True, "Give the complete grid of heights, row by row, without the hints around it.")

    def write(self, puzzle: Puzzle[Params, NoBoard], answer: Grid) -> Rows:
        symbols = puzzle.style.symbols
        return tuple([tuple([symbols[v] for v in row]) for row in answer])

    def read(self, puzzle: Puzzle[Params, NoBoard], rows: Rows) -> Grid | None:
        value = {symbol: v for v, symbol in enumerate(puzzle.style.symbols)}
        return tuple([tuple([value[token] for token in row]) for row in rows])

    def describe(self, puzzle: Puzzle[Params, NoBoard], label: str) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        if label in ("row", "column", "diagonal_hints"):
            return _rule_words(spec, label)
        clue = next((clue for clue in puzzle.clues if clue.id == label), None)
        if clue is None:
            return label
        if clue.kind == "given":
            cell, value = _given(clue, n)
            return f"Row {cell // n + 1} column {cell % n + 1} has height {value + 1}."
        line, k = _hint(clue, n)
        where = f"{_along(n, line)}, "
        if spec.params.hint == "sum":
            return f"{where}the heights of the buildings that are seen add up to {k}, so {_sum_forces(n, k)}."
        return f"{where}{_buildings(k)} seen, so {_count_forces(n, k, line >= 4 * n)}."

    def explain(self, puzzle: Puzzle[Params, NoBoard], step: Step) -> str:
        return _told(puzzle, step)

    def draw(self, puzzle: Puzzle[Params, NoBoard], answer: Grid | None = None, marked: Collection[str] = ()) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        side = 40
        span = side * (n + 2)
        given: dict[int, tuple[str, int]] = {}
        parts = [f'<rect x="{side}" y="{side}" width="{side * n}" height="{side * n}" fill="#fff"/>']
        if spec.rule("diagonal_hints"):
            ink = "#c01c28" if "diagonal_hints" in marked else "#c9d8ef"
            low, high = side, side * (n + 1)
            parts.append(f'<path d="M{low} {low}L{high} {high}M{high} {low}L{low} {high}" stroke="{ink}" stroke-width="2"/>')
        for clue in puzzle.clues:
            if clue.kind == "given":
                cell, value = _given(clue, n)
                given[cell] = (clue.id, value)
                continue
            line, k = _hint(clue, n)
            r, c = _spot(n, line)
            if clue.id in marked:
                parts.append(f'<rect x="{side * c}" y="{side * r}" width="{side}" height="{side}" fill="#f6b6ae"/>')
            parts.append(_number(side * c + side // 2, side * r + 27, k, 'font-size="18" fill="#555"'))
        for cell in range(n * n):
            r, c = cell // n + 1, cell % n + 1
            name, value = given.get(cell, ("", BLANK if answer is None else answer[cell // n][cell % n]))
            if name and name in marked:
                parts.append(f'<rect x="{side * c}" y="{side * r}" width="{side}" height="{side}" fill="#f6b6ae"/>')
            if value != BLANK:
                look = 'font-size="22" font-weight="bold" fill="#111"' if name else 'font-size="22" fill="#1a5fb4"'
                parts.append(_number(side * c + side // 2, side * r + 28, value + 1, look))
        grid = "".join([f"M{side} {side * k}h{side * n}M{side * k} {side}v{side * n}" for k in range(1, n + 2)])
        parts.append(f'<path d="{grid}" stroke="#333" stroke-width="1" fill="none"/>')
        captions = [
            "hints: sums of the heights that are seen" if spec.params.hint == "sum" else "hints: numbers of buildings seen"
        ]
        captions += [f"{name}s: every height once" for name in ("row", "column") if name in marked]
        below = span
        for caption in captions:
            below += 18
            parts.append(f'<text x="{side // 2}" y="{below - 6}" font-size="13" fill="#333">{caption}</text>')
        box = f"0 0 {span} {below}"
        return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="sans-serif">{"".join(parts)}</svg>'

    # ---- puzzles from elsewhere

    def parse(self, lines: Sequence[Line]) -> Puzzle[Params, NoBoard]:
        options = heading(lines, self.name, ("sums", "diagonal_hints"))
        if len(options) == 2:
            raise lines[0].bad(0, "diagonal_hints count buildings and do not go with sums")
        rows = lines[1:]
        n = len(rows) - 2
        if n not in SIZES:
            wanted = f"{SIZES[0] + 2} to {SIZES[-1] + 2}"
            raise lines[0].bad(0, f"expected {wanted} rows below this line, the grid with its hints around it, got {len(rows)}")
        hint = "sum" if "sums" in options else "count"
        spec = Spec(
            Params(n, hint, shown=_LEAST_SHOWN.get((hint, n), 0)),
            (Rule("diagonal_hints"),) if "diagonal_hints" in options else (),
        )
        spots = {_spot(n, line): line for line in range(4 * n + 4)}
        most = _highest(spec)
        clues = []
        for r, row in enumerate(rows):
            words = row.words
            if len(words) != n + 2:
                raise row.bad(0, f"expected {n + 2} numbers or dots, a row with a hint at either end, got {len(words)}")
            for c, word in enumerate(words):
                if word.text in _EMPTY:
                    continue
                where = spots.get((r, c))
                top = n if where is None else most
                if not (word.text.isascii() and word.text.isdigit() and len(word.text) < 3 and 1 <= int(word.text) <= top):
                    raise row.bad(word.column, f"expected 1 to {top}, or . where there is nothing, got {word.text[:20]!r}")
                number = int(word.text)
                if where is None:
                    clues.append(_given_clue(n, n * (r - 1) + c - 1, number - 1))
                elif where >= 4 * n and not spec.rules:
                    raise row.bad(word.column, "a hint at a corner needs the option diagonal_hints")
                else:
                    clues.append(_hint_clue(n, where, number))
        return self._posed(spec, tuple(clues))

    def format(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        spec, n = puzzle.spec, puzzle.spec.params.size
        table = [["."] * (n + 2) for _ in range(n + 2)]
        for clue in puzzle.clues:
            place, value = clue.ints()
            r, c = (place // n + 1, place % n + 1) if clue.kind == "given" else _spot(n, place)
            text = str(value + 1 if clue.kind == "given" else value)
            if table[r][c] not in (".", text):
                raise BadRow(f"skyscraper: the text form has no way to write two numbers in one place, {clue.id}")
            if clue.kind == "hint" and place >= 4 * n and not spec.rules:
                raise BadRow(f"skyscraper: the text form has no hint at a corner without diagonal_hints, {clue.id}")
            table[r][c] = text
        words = [self.name, *["sums" for _ in (1,) if spec.params.hint == "sum"], *[rule.name for rule in spec.rules]]
        width = max(len(text) for row in table for text in row)
        return "\n".join([" ".join(words), *[" ".join([text.rjust(width) for text in row]) for row in table]]) + "\n"

    # ---- evidence

    def examples(self) -> tuple[Example[Params, NoBoard, Grid], ...]:
        def example(spec: Spec[Params], shown: dict[str, str], answer: str, source: str) -> Example[Params, NoBoard, Grid]:
            n = spec.params.size
            clues = []
            for side, name in enumerate(("top", "bottom", "left", "right")):
                for k, sign in enumerate(shown[name]):
                    if sign != ".":
                        clues.append(_hint_clue(n, n * side + k, int(sign)))
            values = tuple([int(sign) - 1 for sign in answer])
            spec = replace(spec, params=replace(spec.params, clues=len(clues)))
            return Example(self._posed(spec, tuple(clues)), self.form.assemble(spec, NoBoard(), values), source)

        towers = "Simon Tatham's Portable Puzzle Collection 20230122, Towers"
        return (
            example(
                Spec(Params(4)),
                {"top": "1232", "bottom": "3123", "left": "1232", "right": "3123"},
                "4312312412432431",
                f"{towers}, 4x4 Easy, random seed 7",
            ),
            example(
                Spec(Params(5)),
                {"top": "....4", "bottom": "..25.", "left": ".3..3", "right": "..3.."},
                "3145212543452315312424315",
                f"{towers}, 5x5 Hard, random seed 3",
            ),
        )

    @property
    def smallest(self) -> tuple[Spec[Params], ...]:  # type: ignore[override]
        return (
            Spec(Params(4)),
            Spec(Params(4, "sum")),
            Spec(Params(4, shown=3)),
            Spec(Params(4), (Rule("diagonal_hints"),)),
        )


# ---- lines and clues ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _cells_of(n: int, line: int) -> tuple[int, ...]:
    """The cells of a line, the nearest one first."""
    if line >= 4 * n:
        down, right = ((1, 1), (1, -1), (-1, 1), (-1, -1))[line - 4 * n]
        return tuple([n * (i if down > 0 else n - 1 - i) + (i if right > 0 else n - 1 - i) for i in range(n)])
    side, k = divmod(line, n)
    cells = [n * i + k for i in range(n)] if side < 2 else [n * k + i for i in range(n)]
    return tuple(cells[::-1] if side % 2 else cells)


def _spot(n: int, line: int) -> tuple[int, int]:
    """Row and column of a line's hint in a square of n + 2, in which the grid stands in the middle."""
    if line >= 4 * n:
        return (n + 1) * ((line - 4 * n) // 2), (n + 1) * ((line - 4 * n) % 2)
    side, k = divmod(line, n)
    return ((0, k + 1), (n + 1, k + 1), (k + 1, 0), (k + 1, n + 1))[side]


@lru_cache(maxsize=16)
def _turns(n: int) -> tuple[tuple[int, ...], ...]:
    """Where each place goes, cells first and then lines, in the eight ways to turn the square."""
    wide = n + 2
    spots = [(cell // n + 1, cell % n + 1) for cell in range(n * n)] + [_spot(n, line) for line in range(4 * n + 4)]
    number = {spot: place for place, spot in enumerate(spots)}
    found = []
    for over, upside, aside in product((False, True), repeat=3):
        turned = []
        for r, c in spots:
            if upside:
                r = wide - 1 - r
            if aside:
                c = wide - 1 - c
            turned.append(number[(c, r) if over else (r, c)])
        found.append(tuple(turned))
    return tuple(found)


@lru_cache(maxsize=1024)
def _states(n: int, hint: str, k: int, diagonal: bool) -> tuple[frozenset[tuple[int, int]], ...]:
    """After each cell of a line: tallest building and what is seen, as far as k is seen in the end and, unless it is a diagonal,
    the last that is seen has height n; nothing is said of heights that repeat."""
    before = [{(BLANK, 0)}]
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


def _line_name(n: int, line: int) -> str:
    if line >= 4 * n:
        return _CORNERS[line - 4 * n]
    return f"{('top', 'bottom', 'left', 'right')[line // n]}{line % n + 1}"


@lru_cache(maxsize=4096)
def _hint_clue(n: int, line: int, k: int) -> Clue:
    return Clue(_line_name(n, line), "hint", (line, k))


@lru_cache(maxsize=4096)
def _given_clue(n: int, cell: int, value: int) -> Clue:
    return Clue(f"r{cell // n + 1}c{cell % n + 1}", "given", (cell, value))


def _given(clue: Clue, n: int) -> tuple[int, int]:
    """Cell and value of a given; raises BadRow for what is no given of this grid."""
    args = clue.ints()
    if clue.kind != "given" or len(args) != 2 or not (0 <= args[0] < n * n and 0 <= args[1] < n):
        raise BadRow(f"clue {clue.id}: expected a given with a cell below {n * n} and a value below {n}, got {str(args)[:60]}")
    return args[0], args[1]


def _hint(clue: Clue, n: int) -> tuple[int, int]:
    """Line and number of a hint; raises BadRow for what is no hint of this grid."""
    args = clue.ints()
    most = n * (n + 1) // 2
    if clue.kind != "hint" or len(args) != 2 or not (0 <= args[0] < 4 * n + 4 and 1 <= args[1] <= most):
        raise BadRow(
            f"clue {clue.id}: expected a hint with a line below {4 * n + 4} and a number, 1 to {most}, got {str(args)[:60]}"
        )
    return args[0], args[1]


def _highest(spec: Spec[Params]) -> int:
    """The greatest number that a hint can be."""
    n = spec.params.size
    return n * (n + 1) // 2 if spec.params.hint == "sum" else n


def _lowest(spec: Spec[Params]) -> int:
    """The least number that a hint can be: that of the tallest building, which is always seen."""
    return spec.params.size if spec.params.hint == "sum" else 1


def _true_hints(n: int, hint: str, values: Slots) -> list[Clue]:
    """What is seen from every end of every line, diagonals last."""
    clues = []
    for line in range(4 * n + 4):
        top, total = BLANK, 0
        for cell in _cells_of(n, line):
            if values[cell] > top:
                top = values[cell]
                total += top + 1 if hint == "sum" else 1
        clues.append(_hint_clue(n, line, total))
    return clues


@lru_cache(maxsize=1 << 16)
def _may_show(view: tuple[int, ...], n: int, wanted: int, summed: bool, repeats: bool) -> bool:
    """Whether the blanks of a line may be filled so that its hint is right; True where too many are blank to be tried."""
    blanks = [i for i, v in enumerate(view) if v == BLANK]
    missing = [v for v in range(n) if v not in view]
    seen, tallest = 0, BLANK
    for v in view:
        if v == BLANK or tallest == n - 1:
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
        total, tallest = 0, BLANK
        for v in line:
            if v > tallest:
                tallest = v
                total += v + 1 if summed else 1
        if total == wanted:
            return True
    return False


# ---- words --------------------------------------------------------------------------------------------------------------

_TOLD_SUMS = 3  # ways to make a sum are listed up to this many
_EMPTY = (".", "-", "_", "0", "-1")


@lru_cache(maxsize=16)
def _look(n: int) -> Style:
    return Style(symbols=tuple([str(v + 1) for v in range(n)]))


def _hint_words(spec: Spec[Params]) -> str:
    seen = "A building is seen if it is taller than every building in front of it."
    if spec.params.hint == "sum":
        return (
            "The numbers around the grid are hints. Look from a hint along its row or column into the grid: the hint is the sum "
            f"of the heights of all buildings that are seen. {seen}"
        )
    return (
        "The numbers around the grid are hints. Look from a hint along its row or column into the grid: the hint is the number "
        f"of buildings that are seen. {seen}"
    )


def _rule_words(spec: Spec[Params], label: str) -> str:
    """A rule as a sentence or more."""
    if label in ("row", "column"):
        return f"Each {label} contains every height from 1 to {spec.params.size} exactly once."
    return (
        "A hint at a corner is the number of buildings that are seen from there along the diagonal to the opposite corner. In a "
        "diagonal heights may repeat; a building hides those behind it that are lower or of the same height."
    )


def _along(n: int, line: int) -> str:
    """ "Along row 3 from the left": the way that a hint looks."""
    if line >= 4 * n:
        return f"Along the diagonal from the {_CORNERS[line - 4 * n].replace('_', ' ')} corner"
    side, at = divmod(line, n)
    name = "column" if side < 2 else "row"
    return f"Along {name} {at + 1} from {('above', 'below', 'the left', 'the right')[side]}"


def _buildings(k: int) -> str:
    return "1 building is" if k == 1 else f"{k} buildings are"


def _count_forces(n: int, k: int, diagonal: bool) -> str:
    """What a number of buildings forces by itself."""
    if k == n:
        return f"the heights rise from 1 to {n}"
    if k == 1:
        return "none is taller than the first" if diagonal else f"the first has height {n}"
    if diagonal:
        return f"the height of the first is at most {n - k + 1}"
    return _comes_after(n, k - 1)


def _comes_after(n: int, first: int) -> str:
    """In a row or column: there is such a height, and these places are not where. A clash may hold no rule that says so."""
    return f"height {n} comes after the first {'building' if first == 1 else f'{first} buildings'}"


@lru_cache(maxsize=512)
def _sums(n: int, k: int) -> tuple[tuple[int, ...], ...]:
    """The rising heights up to n that add up to k."""
    found = []
    for below in range(1 << n - 1):
        heights = (*[h for h in range(1, n) if below >> h - 1 & 1], n)
        if sum(heights) == k:
            found.append(heights)
    return tuple(sorted(found, key=lambda heights: (len(heights), heights)))


def _sum_forces(n: int, k: int) -> str:
    """What a sum of heights forces by itself."""
    if k < n:
        return f"this cannot be: the building of height {n} is always seen"
    if k == n:
        return f"the first has height {n}"
    if k == n * (n + 1) // 2:
        return f"the heights rise from 1 to {n}"
    return f"these are {_sum_words(n, k)}" if len(_sums(n, k)) <= _TOLD_SUMS else _comes_after(n, 1)


def _sum_words(n: int, k: int) -> str:
    return " or ".join([" + ".join(map(str, heights)) for heights in _sums(n, k)])


def _board(puzzle: Puzzle[Params, NoBoard]) -> str:
    """The grid in a frame, with its hints around it."""
    spec, n = puzzle.spec, puzzle.spec.params.size
    table = [["-"] * (n + 2)] + [["-", *["."] * n, "-"] for _ in range(n)] + [["-"] * (n + 2)]
    if not spec.rule("diagonal_hints"):
        for r in (0, n + 1):
            table[r][0] = table[r][n + 1] = ""
    for clue in puzzle.clues:
        if clue.kind == "given":
            cell, value = _given(clue, n)
            table[cell // n + 1][cell % n + 1] = puzzle.style.symbols[value]
        else:
            line, k = _hint(clue, n)
            r, c = _spot(n, line)
            if line < 4 * n or spec.rule("diagonal_hints"):
                table[r][c] = str(k)
    width = max(len(text) for row in table for text in row)
    rows = [[text.rjust(width) for text in row] for row in table]
    lines = []
    for r, row in enumerate(rows):
        frame = "|" if 0 < r <= n else " "
        lines.append(f"{row[0]} {frame} {' '.join(row[1:-1])} {frame} {row[-1]}".rstrip())
    rule = " " * (width + 1) + "+" + "-" * ((width + 1) * n + 1) + "+"
    return "\n".join([lines[0], rule, *lines[1:-1], rule, lines[-1]])


def _number(x: int, y: int, number: int, look: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="middle" {look}>{number}</text>'


# ---- steps in words -----------------------------------------------------------------------------------------------------


def _told(puzzle: Puzzle[Params, NoBoard], step: Step) -> str:
    """A step in words; what `about` holds is said in solvers/deduce/sight.py."""
    n, about, name = puzzle.spec.params.size, step.about, step.technique
    cell = [f"r{i // n + 1}c{i % n + 1}" for i in range(n * n)]
    by = _because(puzzle, step)
    so = _outcome(step, cell)
    if name in ("full_line", "hidden_single", "naked_single"):
        ((i, v),) = step.sets
        if name == "full_line":
            return f"{cell[i]} is the last empty cell of {_unit(n, about[0])}, so {so}."
        if name == "hidden_single":
            return _capital(f"{by}the only place left for {v + 1} in {_unit(n, about[0])} is {cell[i]}.")
        return _capital(f"{by}{cell[i]} can have no height but {v + 1}.")
    if name == "contradiction":
        return _capital(f"{by}{_failure(puzzle, about, cell)}. So there is no answer.")
    if name == "search":
        if not step.sets:
            return "None of the usual techniques leads on. Going through all possibilities shows that there is no answer."
        return f"None of the usual techniques leads on. Going through all possibilities leaves one way for the other cells: {so}."
    if name == "two_hints":
        return f"{_along(n, about[0])}, there are two hints that differ. So there is no answer."
    if name in ("nearest", "ascending", "climb", "one_hint"):
        hint = _seen_words(puzzle, about[0])
        if len(about) > 1:
            return f"{hint}. {_misfit(puzzle, step, cell[about[1]])}. So there is no answer."
        if not so:
            return f"{hint}, and in no order of the heights is that so. So there is no answer."
        if name == "nearest":
            return f"{hint}, so only the tallest building is seen, and it comes first: {so}."
        if name == "ascending":
            return f"{hint}, so every building is seen, and they rise from 1 to {n}: {so}."
        if name == "climb":
            return f"{hint}; with a building that tall so near, too few would be seen: {so}."
        if puzzle.spec.params.hint == "sum":
            k = _hint_at(puzzle, about[0])
            if len(_sums(n, k)) <= _TOLD_SUMS:
                return f"{hint}, which can only be {_sum_words(n, k)}; in any order with this, {so}."
        return f"{hint}; in any order with this, {so}."
    if name == "both_ends":
        hints = _ends_words(puzzle, about[0], 3)
        if len(about) > 1:
            return f"{hints}. {_misfit(puzzle, step, cell[about[1]])}. So there is no answer."
        if not so:
            return f"{hints}, and {_too_many(puzzle, about[0])}. So there is no answer."
        return f"{hints}; {_both_words(puzzle, about[0])}: {so}."
    if name in ("completion", "orders"):
        unit, ends, many = about[:3]
        hints = _ends_words(puzzle, unit, ends)
        known = _because(puzzle, step, (unit, ends))
        if not many:
            return _capital(
                f"{known}{_unit(n, unit)} has no order left with {_shown(puzzle, unit, ends)}. So there is no answer."
            )
        if name == "orders" or len(about) == 3:
            return (
                f"{hints}. {_capital(known)}{many} orders fit this, and in all of them {so}."
                if known
                else (f"{hints}. {many} orders fit this, and in all of them {so}.")
            )
        listed = _either([" ".join([str(v + 1) for v in about[at : at + n]]) for at in range(3, len(about), n)])
        way = "from left to right" if unit < n else "from top to bottom"
        only = f"the only order{'' if many == 1 else 's'} {way} that fit{'s' if many == 1 else ''}"
        return f"{hints}. {_capital(f'{known}{only}')} {'is' if many == 1 else 'are'} {listed}: {so}."
    if name == "diagonal":
        hint = _seen_words(puzzle, about[0])
        known = _because(puzzle, step, hints=False)
        if not so:
            return f"{hint}. {_capital(f'{known}that cannot be')}. So there is no answer."
        return f"{hint}. {_capital(f'{known}in every way that is left')} {so}."
    if name.startswith(("naked_", "hidden_")):
        half = len(about) // 2
        where, what = _joined([cell[i] for i in about[1 : 1 + half]]), _joined([str(v + 1) for v in about[1 + half :]])
        if name.startswith("hidden_"):
            where, what = _joined([cell[i] for i in about[1 : 1 + half]]), what
            return _capital(f"{by}{what} in {_unit(n, about[0])} can only go in {where}, which have no other height: {so}.")
        return _capital(f"{by}{where} in {_unit(n, about[0])} share out {what} among themselves: {so}.")
    if name in ("x_wing", "swordfish"):
        size = (len(about) - 2) // 2
        lines = ("rows", "columns") if about[1] == 0 else ("columns", "rows")
        base, cover = ([str(k + 1) for k in about[2 + at : 2 + at + size]] for at in (0, size))
        return _capital(
            f"{by}{about[0] + 1} in {lines[0]} {_joined(base)} can only go in {lines[1]} {_joined(cover)}, so in these it goes "
            f"nowhere else: {so}."
        )
    if name == "xy_wing":
        return _capital(
            f"{by}whatever {cell[about[0]]} holds, one of {cell[about[1]]} and {cell[about[2]]} is {about[3] + 1}: {so}."
        )
    tale = [_part(puzzle, part, cell) for part in step.within[:-1]]  # look_ahead, far_look_ahead
    i, v = about
    then = f"then {', '.join(tale)}, and " if tale else ""
    end = _failure(puzzle, step.within[-1].about, cell)
    return _capital(f"{by}suppose {cell[i]} were {v + 1}: {then}{end}. So {so}.")


def _part(puzzle: Puzzle[Params, NoBoard], part: Step, cell: Sequence[str]) -> str:
    """A step under a supposition."""
    if part.technique != "line":
        return _outcome(part, cell)
    n = puzzle.spec.params.size
    if part.about[0]:
        return f"along the diagonal from the {_CORNERS[part.about[1] - 4 * n].replace('_', ' ')} corner {_outcome(part, cell)}"
    return f"in all orders left for {_unit(n, part.about[1])} {_outcome(part, cell)}"


def _failure(puzzle: Puzzle[Params, NoBoard], what: Sequence[int], cell: Sequence[str]) -> str:
    n, kind = puzzle.spec.params.size, what[0]
    if kind == 0:
        return f"no height is left for {cell[what[1]]}"
    if kind == 1:
        return f"{_unit(n, what[1])} has no place left for {what[2] + 1}"
    if kind == 2:
        return f"{cell[what[1]]} is given as {what[2] + 1}, which it cannot be"
    if kind == 4:
        return f"{_unit(n, what[1])} has no order left with {_shown(puzzle, what[1], what[2])}"
    k = _hint_at(puzzle, what[1])
    return f"{k} building{'s' * (k > 1)} can no longer be seen {_lower(_along(n, what[1]))}"


def _misfit(puzzle: Puzzle[Params, NoBoard], step: Step, cell: str) -> str:
    own = _because(puzzle, replace(step, uses=tuple([use for use in step.uses if use != cell])), hints=False)
    return _capital(f"{own}{cell} does not fit this")


def _outcome(step: Step, cell: Sequence[str]) -> str:
    """What a step concludes: "r1c2 = 4; r1c3 is not 5 or 6"."""
    parts = [", ".join([f"{cell[i]} = {v + 1}" for i, v in step.sets])] if step.sets else []
    lost: dict[int, list[int]] = {}
    for i, v in step.drops:
        lost.setdefault(i, []).append(v)
    groups: dict[tuple[int, ...], list[int]] = {}
    for i, own in lost.items():
        groups.setdefault(tuple(sorted(own)), []).append(i)
    for values, cells in groups.items():
        heights = _either([str(v + 1) for v in values])
        parts.append(f"{_joined([cell[i] for i in sorted(cells)])} {'is' if len(cells) == 1 else 'are'} not {heights}")
    return "; ".join(parts)


def _because(puzzle: Puzzle[Params, NoBoard], step: Step, told: tuple[int, int] | None = None, hints: bool = True) -> str:
    """ "Because of r1c4, the hint of row 2 from the left and step 7, ": what a step uses that its words do not tell yet.

    told: a unit and ends of it whose hints are told. hints: whether hints are to be told at all.
    """
    n = puzzle.spec.params.size
    said = set() if told is None else {end for bit, end in zip((1, 2), _ends(n, told[0]), strict=True) if told[1] & bit}
    clues = {clue.id: clue for clue in puzzle.clues}
    names, steps = [], []
    for use in step.uses:
        if use.startswith("#"):
            steps.append(use[1:])
        elif use in clues and clues[use].kind == "given":
            cell, _ = _given(clues[use], n)
            if step.technique != "contradiction" or step.about[:2] != (2, cell):
                names.append(use)
        elif use in clues and hints:
            line, _ = _hint(clues[use], n)
            if line not in said:
                names.append(f"the hint of {_along(n, line)[6:]}")
    if steps:
        names.append(f"step{'s' * (len(steps) > 1)} {_joined(steps)}")
    return f"because of {_joined(names)}, " if names else ""


def _ends(n: int, unit: int) -> tuple[int, int]:
    """The lines of hints at the left and the right of a row, or above and below a column; rows count from 0, columns from n."""
    return (2 * n + unit, 3 * n + unit) if unit < n else (unit - n, unit)


def _hint_at(puzzle: Puzzle[Params, NoBoard], line: int) -> int:
    n = puzzle.spec.params.size
    return next(k for at, k in [_hint(clue, n) for clue in puzzle.clues if clue.kind == "hint"] if at == line)


def _seen_words(puzzle: Puzzle[Params, NoBoard], line: int) -> str:
    n, k = puzzle.spec.params.size, _hint_at(puzzle, line)
    if puzzle.spec.params.hint == "sum":
        return f"{_along(n, line)}, the heights that are seen add up to {k}"
    return f"{_along(n, line)}, {_buildings(k)} seen"


def _ends_words(puzzle: Puzzle[Params, NoBoard], unit: int, ends: int) -> str:
    """The hints at these ends of a row or column as a sentence without its full stop."""
    n = puzzle.spec.params.size
    near, far = _ends(n, unit)
    if ends != 3:
        return _seen_words(puzzle, near if ends == 1 else far)
    froms = ("the left", "the right") if unit < n else ("above", "below")
    j, k = _hint_at(puzzle, near), _hint_at(puzzle, far)
    if puzzle.spec.params.hint == "sum":
        return f"Along {_unit(n, unit)}, the heights that are seen add up to {j} from {froms[0]} and {k} from {froms[1]}"
    return f"Along {_unit(n, unit)}, {_buildings(j)} seen from {froms[0]} and {k} from {froms[1]}"


def _shown(puzzle: Puzzle[Params, NoBoard], unit: int, ends: int) -> str:
    """ "2 buildings seen from the left and 3 from the right"."""
    n = puzzle.spec.params.size
    froms = ("the left", "the right") if unit < n else ("above", "below")
    parts = [(_hint_at(puzzle, line), way) for bit, line, way in zip((1, 2), _ends(n, unit), froms, strict=True) if ends & bit]
    if puzzle.spec.params.hint == "sum":
        return "heights seen that add up to " + " and ".join([f"{k} from {way}" for k, way in parts])
    first, *rest = parts
    many = f"{first[0]} building{'s' * (first[0] > 1)} seen from {first[1]}"
    return " and ".join([many, *[f"{k} from {way}" for k, way in rest]])


def _both_words(puzzle: Puzzle[Params, NoBoard], unit: int) -> str:
    """What the hints of both ends force together."""
    n = puzzle.spec.params.size
    near, far = [_hint_at(puzzle, line) for line in _ends(n, unit)]
    if puzzle.spec.params.hint == "count" and near + far == n + 1:
        return f"only the {n} is seen from both ends, so all are seen, rising up to the {n} and falling behind it"
    return "in any order with this"


def _too_many(puzzle: Puzzle[Params, NoBoard], unit: int) -> str:
    """Why the hints of both ends do not go together."""
    n = puzzle.spec.params.size
    near, far = [_hint_at(puzzle, line) for line in _ends(n, unit)]
    if puzzle.spec.params.hint == "sum":
        if near == far == n:
            return f"the {n} would be first from both ends"
        return "no order of the heights has both"
    if near == far == 1:
        return f"the {n} would be first from both ends"
    if near + far > n + 1:
        return f"only the {n} is seen from both ends, so these would be {near + far - 1} different buildings, and there are {n}"
    return "no order of the heights has both"


def _unit(n: int, u: int) -> str:
    return f"row {u + 1}" if u < n else f"column {u - n + 1}"


def _joined(parts: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"; "" for none."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def _either(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} or {parts[-1]}" if len(parts) > 1 else "".join(parts)


def _capital(text: str) -> str:
    return text if text[:1] == "r" and text[1:2].isdigit() else text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


FAMILY = Skyscraper()
