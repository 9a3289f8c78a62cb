"""Kakurasu (also Index Sums, Feldersummenraetsel).

Choose cells of a grid. Rows and columns are numbered from 1:
  a row's hint      is the sum of the column numbers of the cells that are chosen in this row;
  a column's hint   is the sum of the row numbers of the cells that are chosen in this column;
  blocked_cells     the cells that are marked are not chosen (only under the rule "blocked_cells"); they keep their numbers.
With `hidden`, some hints are not shown; those lines may have any sum.
Source: a Japanese puzzle of unknown author; the rules as on curiouscheetah.com, "Kakurasu". Seen in HardcoreLogic (2510.12563),
appendix B. broken_rules returns "blocked_cells", the ids of clues, or "malformed".

Grids are drawn so: every cell that is not blocked is chosen or not by a fair coin, and a grid whose hints have another solution
is drawn again. So all grids with one solution are equally likely, and nothing more is asked of them: empty lines come up, and the
hints of the rows need not add up to those of the columns. Shares of all grids that have one solution, of 1,000 drawn: 4x4 99 %,
6x6 83 %, 8x8 42 %, 9x9 20 %, 10x10 4 %. Blocked cells are drawn before the grid: their number even from an eighth to a quarter of
the cells, and then even among the sets of that many that leave an open cell in every line.
With all hints shown, one of them follows from the others: the sum of row number times hint over the rows is the sum of column
number times hint over the columns, since both add up row number times column number over the chosen cells.

Two puzzles are the same up to symmetry if one becomes the other by making rows columns, or by choosing what was not chosen; no
other exchange of cells or of their values keeps which choices in a line have equal sums (found by listing; see the tests). Lines
of 3 cells have more such exchanges, and are read but not made.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from math import log10
from typing import Any, ClassVar, final

from puzzlemill.core.errors import BadParams, BadRow, Discarded
from puzzlemill.core.family import AnyFamily, Family, Legacy, Pairing, Relation, Transform
from puzzlemill.core.model import BLANK, Constraints, Slots, Step, SumsTable
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
from puzzlemill.transforms.forms import AddRule, valid

Grid = tuple[tuple[int, ...], ...]  # rows of 0, 1 (chosen), or BLANK where unknown

SMALLEST, LARGEST = 4, 10
BLOCKED = "blocked_cells"
_MOST = 999  # largest hint that is read; the largest sum there is, is 55
_MAPS = 1_000  # sets of blocked cells drawn until no line is without an open cell
_NEAR = 4  # hints of two lines change together by at most so much


@dataclass(frozen=True, slots=True)
class Params:
    """rows, cols: 4 to 10.

    hidden: about so many hints are left out, at least one, while one answer remains; 0 leaves out none. As many as there are
    hints, less one, leaves none that could still be left out.
    """

    rows: int = 8
    cols: int = 8
    hidden: int = 0


@final
@dataclass(frozen=True, slots=True)
class HideHints(Transform):
    """The parent's answer posed anew with some of its hints left out."""

    name: str = "hide_hints"
    kind: Kind = Kind.IC2
    relation: Relation = Relation.RULE
    pairing: Pairing = Pairing.SAME_ANSWER
    hidden: int = 4
    args: tuple[str, ...] = ("hidden",)
    about: str = "some of the hints left out, the answer being the same"

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        if family.name != Kakurasu.name or spec.params.hidden >= self.hidden:
            return False
        return valid(family, replace(spec, params=replace(spec.params, hidden=self.hidden)))

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return replace(spec, params=replace(spec.params, hidden=self.hidden))


@final
class Kakurasu(Legacy, Family[Params, NoBoard, Grid, Grid]):
    """One slot per cell, row by row; blocked cells too, which are 0."""

    name: ClassVar[str] = "kakurasu"
    version: ClassVar[int] = 1
    title: ClassVar[str] = "Kakurasu"
    params: ClassVar[Any] = Params
    answer: ClassVar[Any] = Grid
    rules: ClassVar[Any] = (BLOCKED,)
    replaced: ClassVar[tuple[str, ...]] = (BLOCKED,)
    edits: int = 2  # one alone is refuted by adding up where all hints are shown
    transforms: ClassVar[tuple[Transform, ...]] = (
        AddRule(BLOCKED, Kind.UE1, Relation.FORM, about="some cells that cannot be chosen"),
        HideHints(),
    )
    sought: ClassVar[str] = "chosen cells"
    source: ClassVar[str] = "Japanese puzzle of unknown author; curiouscheetah.com, Kakurasu"

    # ---- making

    def validate(self, spec: Spec[Params]) -> None:
        rows, cols, hidden = spec.params.rows, spec.params.cols, spec.params.hidden
        for name, length in (("rows", rows), ("cols", cols)):
            if not SMALLEST <= length <= LARGEST:
                raise BadParams(f"kakurasu.{name} must be {SMALLEST} to {LARGEST}, got {length}; set family.params.{name}")
        if not 0 <= hidden < rows + cols:
            raise BadParams(
                f"kakurasu.hidden must be 0 (every hint is shown) to {rows + cols - 1}, got {hidden}; set family.params.hidden"
            )
        for rule in spec.rules:
            if rule.name != BLOCKED or len(rule.args) > 1:
                raise BadParams(
                    f"kakurasu knows the rule {BLOCKED}, alone or with the list of cells, got {str(rule)[:60]}; set family.rules"
                )
            if not rule.args:
                continue
            cells = rule.args[0]
            if type(cells) is not tuple or not cells or not _ascending(cells, rows * cols):
                raise BadParams(
                    f"kakurasu.{BLOCKED} takes a list of one or more different cells from 0 to {rows * cols - 1}, ascending, "
                    f"got {str(cells)[:60]}; set family.rules=[{BLOCKED}] to have them drawn"
                )
            if not _all_open(rows, cols, _blocked(spec)):
                raise BadParams(
                    f"kakurasu.{BLOCKED} must leave an open cell in every row and column, got {str(cells)[:60]}; "
                    f"set family.rules=[{BLOCKED}] to have them drawn"
                )
        if len(spec.rules) > 1:
            raise BadParams(f"kakurasu.{BLOCKED} must stand once in family.rules, got it {len(spec.rules)} times")

    def resolve_rules(self, spec: Spec[Params], rng: Rng) -> Spec[Params]:
        rule = spec.rule(BLOCKED)
        if rule is None or rule.args:
            return spec
        rows, cols = spec.params.rows, spec.params.cols
        count = rng.between(max(1, rows * cols // 8), rows * cols // 4)
        for _ in range(_MAPS):
            cells = tuple(sorted(rng.sample(range(rows * cols), count)))
            if _all_open(rows, cols, cells):
                return spec.without_rule(BLOCKED).with_rule(Rule(BLOCKED, (cells,)))
        raise Discarded("budget", f"{count} blocked cells of {rows} x {cols} left a line without an open cell {_MAPS} times")

    def sample_solution(self, spec: Spec[Params], rng: Rng, oracle: Oracle) -> Grid:
        drawn = oracle.sample_with_clues(_puzzle(spec, ()), rng)
        if drawn is None:
            raise Discarded("ambiguous", "every grid that was drawn had several solutions")
        return self.assemble(spec, NoBoard(), drawn[0])

    def make_puzzle(self, spec: Spec[Params], hidden: Grid, rng: Rng) -> Draft[Params, NoBoard, Grid, Grid]:
        return Draft(_puzzle(spec, _true_hints(hidden)), hidden, hidden)

    def removal_order(self, draft: Draft[Params, NoBoard, Grid, Grid], rng: Rng) -> list[int]:
        return rng.shuffled(range(len(draft.puzzle.clues))) if draft.puzzle.spec.params.hidden else []

    def kept(self, spec: Spec[Params]) -> int:
        return spec.params.rows + spec.params.cols - spec.params.hidden

    def usable(self, draft: Draft[Params, NoBoard, Grid, Grid]) -> bool:
        """Whether a hint is left out if any was to be. One always can be, see above."""
        params = draft.puzzle.spec.params
        return not params.hidden or len(draft.puzzle.clues) < params.rows + params.cols

    def alternatives(self, puzzle: Puzzle[Params, NoBoard], clue: Clue, rng: Rng) -> Iterator[Clue]:
        """Other sums that the line can reach by itself, in random order."""
        line, total = _hint(puzzle.spec, clue)
        for other in rng.shuffled(_reachable(puzzle.spec, line)):
            if other != total:
                yield replace(clue, args=(clue.args[0], other))

    def additions(self, puzzle: Puzzle[Params, NoBoard], rng: Rng) -> Iterator[Clue]:
        """Hints for lines that have none."""
        shown = {_hint(puzzle.spec, clue)[0] for clue in puzzle.clues}
        taken = {clue.id for clue in puzzle.clues}
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        bare = [line for line in range(rows + cols) if line not in shown and _named(line, rows) not in taken]
        for place, total in rng.shuffled([(line, total) for line in bare for total in _reachable(puzzle.spec, line)]):
            yield _clue(place, total, rows)

    def changes(self, puzzle: Puzzle[Params, NoBoard], rng: Rng) -> Iterator[Puzzle[Params, NoBoard]]:
        """Two hints changed so that the weighted sums of rows and columns still agree (half of the changes), two hints of rows or
        two of columns swapped, or one hint changed or moved. Only sums that each line can reach by itself.

        Where all hints are shown, one changed alone and a swap are refuted by adding up; the first sort is not.
        """
        clues = puzzle.clues
        lines = [_hint(puzzle.spec, clue) for clue in clues]
        rows = puzzle.spec.params.rows
        may = [set(_reachable(puzzle.spec, line)) for line, _ in lines]
        swaps, pairs = [], []
        for i, (line, total) in enumerate(lines):
            for k in range(i):
                other, there = lines[k]
                alike = (line < rows) == (other < rows)
                if alike and total != there and there in may[i] and total in may[k]:
                    swaps.append(((i, there), (k, total)))
                # the weight of a line in the sums that must agree
                here, across = (x + 1 if x < rows else x - rows + 1 for x in (line, other))
                for step in range(-_NEAR, _NEAR + 1):
                    change = -step * here if alike else step * here
                    if step == 0 or change % across or abs(change // across) > _NEAR:
                        continue
                    new = (total + step, there + change // across)
                    if new[0] in may[i] and new[1] in may[k]:
                        pairs.append(((i, new[0]), (k, new[1])))
        singles = super().changes(puzzle, rng.child("single"))
        queues = [iter(rng.child("swaps").shuffled(swaps)), iter(rng.child("pairs").shuffled(pairs))]
        turn = rng.child("turn")
        while queues:
            which = turn.below(4)
            if which == 0:
                single = next(singles, None)
                if single is not None:
                    yield single
                    continue
            queue = queues[0] if which == 1 else queues[-1]
            edits = next(queue, None)
            if edits is None:
                queues.remove(queue)
                continue
            changed = list(clues)
            for place, total in edits:
                changed[place] = replace(clues[place], args=(clues[place].args[0], total))
            yield puzzle.with_clues(changed)
        yield from singles

    def larger(self, spec: Spec[Params]) -> Spec[Params] | None:
        """One more row and column; about the same share of hints is left out. Blocked cells are drawn anew."""
        rows, cols, hidden = spec.params.rows, spec.params.cols, spec.params.hidden
        grown = -(-hidden * (rows + cols + 2) // (rows + cols))
        rules = tuple([Rule(rule.name) for rule in spec.rules])
        wanted = Spec(Params(rows + 1, cols + 1, grown), rules)
        return wanted if valid(self, wanted) else None

    # ---- meaning

    def model(self, spec: Spec[Params], board: NoBoard) -> Constraints:
        m = Constraints()
        for _ in range(spec.params.rows * spec.params.cols):
            no, yes = m.slot(2)
            m.require(no, yes)  # says nothing, but names the cell to solvers where no clue does
        for cell in _blocked(spec):
            m.require(m.key[cell][0], label=BLOCKED)
        return m

    def state(self, m: Constraints, spec: Spec[Params], board: NoBoard, clue: Clue) -> None:
        """A layered graph of partial sums: a node says that the first i cells of the line add up to k.

        Only nodes from which the hint can still be reached, and that can be reached, are variables.
        """
        line, total = _hint(spec, clue)
        rows, cols = spec.params.rows, spec.params.cols
        cells = range(line * cols, line * cols + cols) if line < rows else range(line - rows, rows * cols, cols)
        chosen = [m.key[cell][1] for cell in cells]
        n = len(chosen)
        reach = [{0}]
        for i in range(n):
            reach.append({k for k in reach[-1] if k <= total} | {k + i + 1 for k in reach[-1] if k + i + 1 <= total})
        live = [set[int]() for _ in range(n + 1)]
        live[n] = {total} & reach[n]
        for i in range(n - 1, -1, -1):
            live[i] = {k for k in reach[i] if k in live[i + 1] or k + i + 1 in live[i + 1]}
        if not live[0]:
            m.require(label=clue.id)
            return
        nodes: list[dict[int, int]] = [{k: m.var() for k in sorted(layer)} for layer in live]
        m.require(nodes[0][0], label=clue.id)
        m.require(nodes[n][total], label=clue.id)
        for i, x in enumerate(chosen):
            here, after = nodes[i], nodes[i + 1]
            for k, node in here.items():
                without, with_ = after.get(k), after.get(k + i + 1)
                m.require(-node, x, *([without] if without else []), label=clue.id)
                m.require(-node, -x, *([with_] if with_ else []), label=clue.id)
                m.require(-node, *[end for end in (without, with_) if end], label=clue.id)
            for k, node in after.items():
                without, with_ = here.get(k), here.get(k - i - 1)
                m.require(-node, x, *([without] if without else []), label=clue.id)
                m.require(-node, -x, *([with_] if with_ else []), label=clue.id)
                m.require(-node, *[end for end in (without, with_) if end], label=clue.id)

    def table(self, puzzle: Puzzle[Params, NoBoard]) -> SumsTable:
        spec = puzzle.spec
        return SumsTable(spec.params.rows, spec.params.cols, _blocked(spec), tuple([_hint(spec, clue) for clue in puzzle.clues]))

    def slots(self, spec: Spec[Params], board: NoBoard) -> tuple[int, ...]:
        return (2,) * (spec.params.rows * spec.params.cols)

    def assemble(self, spec: Spec[Params], board: NoBoard, values: Slots) -> Grid:
        rows, cols = spec.params.rows, spec.params.cols
        return tuple([tuple(values[r * cols : (r + 1) * cols]) for r in range(rows)])

    def values(self, spec: Spec[Params], board: NoBoard, answer: Grid) -> Slots:
        return tuple([v for row in answer for v in row])

    def broken_rules(self, puzzle: Puzzle[Params, NoBoard], answer: Grid, partial: bool = False) -> list[str]:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        least = BLANK if partial else 0
        if len(answer) != rows:
            return ["malformed"]
        for row in answer:
            if len(row) != cols or min(row) < least or max(row) > 1:
                return ["malformed"]
        broken = []
        blocked = _blocked(puzzle.spec)
        for cell in blocked:
            if answer[cell // cols][cell % cols] == 1:
                broken.append(BLOCKED)
                break
        lines = (*answer, *zip(*answer, strict=True))
        for clue in puzzle.clues:
            line, total = _hint(puzzle.spec, clue)
            if total not in _within_reach(tuple(lines[line])):
                broken.append(clue.id)
        return broken

    def given_slots(self, puzzle: Puzzle[Params, NoBoard]) -> tuple[int, ...]:
        return _blocked(puzzle.spec)

    def search_space_log10(self, puzzle: Puzzle[Params, NoBoard]) -> float:
        # HardcoreLogic gives no formula for kakurasu; 2 ** open cells, as its table 5 has it for binario and hitori
        spec = puzzle.spec
        return (spec.params.rows * spec.params.cols - len(_blocked(spec))) * log10(2)

    def symmetry(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        """The least list of blocked cells and hints among those that a symmetry makes of them."""
        spec = puzzle.spec
        rows, cols = spec.params.rows, spec.params.cols
        blocked = _blocked(spec)
        hints = [_hint(spec, clue) for clue in puzzle.clues]
        most = [sum(weights) for weights in _weights(spec)]
        keys = []
        for over in [False] * (rows <= cols) + [True] * (cols <= rows):
            cells = sorted(cell % cols * rows + cell // cols for cell in blocked) if over else list(blocked)
            for turned in (False, True):
                told = []
                for line, total in hints:
                    place = line if not over else line - rows if line >= rows else line + cols
                    told.append((place, most[line] - total if turned else total))
                keys.append((cells, sorted(told)))
        cells, told = min(keys)
        numbers = " ".join([f"{line}:{total}" for line, total in told])
        return f"{min(rows, cols)}x{max(rows, cols)} {','.join(map(str, cells))} {numbers}"

    # ---- text

    def render(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        across, down = _shown(puzzle)
        told = [
            "The number in front of a row is its sum: the column numbers of the cells chosen in that row add up to it.",
            "The number above a column is its sum: the row numbers of the cells chosen in that column add up to it.",
        ]
        if "?" in across or "?" in down:
            told.append("Where a question mark stands in place of a number, that row or column may have any sum.")
        if _blocked(puzzle.spec):
            told.append(self.describe(puzzle, BLOCKED) + " They leave the row and column numbers of the other cells as they are.")
        cells = _cells(puzzle)
        wide = [max(len(hint), 1) for hint in down]
        front = max(len(hint) for hint in across)
        lines = [" ".join([" " * front, "|", *[hint.rjust(w) for hint, w in zip(down, wide, strict=True)]])]
        lines.append("-" * front + "-+-" + "-" * (sum(wide) + cols - 1))
        for r in range(rows):
            row = [sign.rjust(w) for sign, w in zip(cells[r * cols : (r + 1) * cols], wide, strict=True)]
            lines.append(" ".join([across[r].rjust(front), "|", *row]))
        return "\n".join(
            [
                f"This Kakurasu grid has {rows} rows, numbered 1 to {rows} from top to bottom, and {cols} columns, numbered 1 to "
                f"{cols} from left to right. Choose cells, shown as dots, so that the rules below hold. A row or column may have "
                "any number of chosen cells, also none.",
                "",
                *[f"{i}. {text}" for i, text in enumerate(told, 1)],
                "",
                *lines,
            ]
        )

    def describe(self, puzzle: Puzzle[Params, NoBoard], label: str) -> str:
        rows = puzzle.spec.params.rows
        clue = next((clue for clue in puzzle.clues if clue.id == label), None)
        if clue is not None:
            line, total = _hint(puzzle.spec, clue)
            other = "column" if line < rows else "row"
            told = f"The {other} numbers of the chosen cells in {_line(line, rows)} add up to {total}"
            return f"{told}, {_forced(_weights(puzzle.spec)[line], total, other)}."
        if label == BLOCKED:
            return "Cells marked with an x are blocked: they cannot be chosen."
        return label

    def explain(self, puzzle: Puzzle[Params, NoBoard], step: Step) -> str:
        text = _told(puzzle, step)
        ends = not step.sets and step.technique != "search"  # which says so itself
        return text[0].upper() + text[1:] + "." + (" So there is no answer." if ends else "")

    def layout(self, puzzle: Puzzle[Params, NoBoard]) -> Layout:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        no, yes = puzzle.style.symbols
        blocked = " and for every blocked one" if _blocked(puzzle.spec) else ""
        note = (
            f"Give the grid row by row, from top to bottom, without the numbers around it: {yes} for every chosen cell, {no} for "
            f"every other one{blocked}."
        )
        columns = tuple([Column(f"column {c + 1}", puzzle.style.symbols) for c in range(cols)])
        return Layout(columns, rows, rows, True, note)

    def write(self, puzzle: Puzzle[Params, NoBoard], answer: Grid) -> Rows:
        symbols = puzzle.style.symbols
        return tuple([tuple([symbols[v] for v in row]) for row in answer])

    def read(self, puzzle: Puzzle[Params, NoBoard], rows: Rows) -> Grid | None:
        symbols = puzzle.style.symbols
        return tuple([tuple([symbols.index(token) for token in row]) for row in rows])

    def draw(self, puzzle: Puzzle[Params, NoBoard], answer: Grid | None = None, marked: Collection[str] = ()) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        across, down = _shown(puzzle)
        lit = {_hint(puzzle.spec, clue)[0] for clue in puzzle.clues if clue.id in marked}
        blocked = set(_blocked(puzzle.spec))
        left, top, wide, high = 46, 46, 36 * cols, 36 * rows
        parts, texts = [], []
        for i in range(rows * cols):
            x, y = left + 36 * (i % cols), top + 36 * (i // cols)
            value = BLANK if answer is None else answer[i // cols][i % cols]
            if i in blocked:
                ink = "#c01c28" if BLOCKED in marked else "#777"
                parts.append(f'<rect x="{x}" y="{y}" width="36" height="36" fill="#ddd"/>')
                parts.append(f'<path d="M{x + 10} {y + 10}l16 16m0 -16l-16 16" stroke="{ink}" stroke-width="2"/>')
            elif value == 1:
                parts.append(f'<rect x="{x + 3}" y="{y + 3}" width="30" height="30" fill="#1a5fb4"/>')
            elif value == 0:
                parts.append(f'<circle cx="{x + 18}" cy="{y + 18}" r="2" fill="#1a5fb4"/>')
        for line, hint in enumerate([*across, *down]):
            x, y = (left - 12, top + 36 * line + 25) if line < rows else (left + 36 * (line - rows) + 18, top - 12)
            anchor = "end" if line < rows else "middle"
            ink = "#c01c28" if line in lit else "#111"
            texts.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-weight="bold" fill="{ink}">{escape(hint)}</text>')
        for line in range(rows + cols):  # the numbers of rows and columns
            x, y = (left + wide + 12, top + 36 * line + 22) if line < rows else (left + 36 * (line - rows) + 18, top + high + 18)
            number = line + 1 if line < rows else line - rows + 1
            texts.append(f'<text x="{x}" y="{y}" text-anchor="middle" font-size="12" fill="#777">{number}</text>')
        bars = [f"M{left + 36 * c} {top}v{high}" for c in range(1, cols)]
        bars += [f"M{left} {top + 36 * r}h{wide}" for r in range(1, rows)]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + wide + 30} {top + high + 30}" '
            'font-family="sans-serif" font-size="20">'
            f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="#fff"/>{"".join(parts)}'
            f'<path d="{"".join(bars)}" stroke="#999" fill="none"/>'
            f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="none" stroke="#111" stroke-width="2"/>'
            f"{''.join(texts)}</svg>"
        )

    # ---- puzzles from elsewhere

    def parse(self, lines: Sequence[Line]) -> Puzzle[Params, NoBoard]:
        """The hints of the columns in one line, then a line for each row: its hint, and its cells, . or x for a blocked one."""
        heading(lines, self.name)
        if len(lines) < 2:
            raise lines[0].bad(0, "expected the hints of the columns in the next line, and then the rows")
        body = lines[1:]
        down = [_number(body[0], word.column, word.text) for word in body[0].words]
        rows, cols = len(body) - 1, len(down)
        for name, size, line in (("columns", cols, body[0]), ("rows", rows, lines[0])):
            if not 1 <= size <= LARGEST:
                raise line.bad(0, f"expected 1 to {LARGEST} {name}, got {size}")
        clues, blocked = [], []
        for r, line in enumerate(body[1:]):
            words = line.words
            signs = [(word.column + i, sign) for word in words[1:] for i, sign in enumerate(word.text)]
            if len(signs) != cols:
                raise line.bad(0, f"expected a hint and {cols} cells as there are hints of columns, got {len(signs)} cells")
            total = _number(line, words[0].column, words[0].text)
            if total is not None:
                clues.append(_clue(r, total, rows))
            for c, (column, sign) in enumerate(signs):
                if sign not in ".x":
                    raise line.bad(column, f"a cell is . or, if it is blocked, x, got {sign!r}")
                if sign == "x":
                    blocked.append(r * cols + c)
        clues += [_clue(rows + c, total, rows) for c, total in enumerate(down) if total is not None]
        rules = (Rule(BLOCKED, (tuple(blocked),)),) if blocked else ()
        return _puzzle(Spec(Params(rows, cols, rows + cols - len(clues)), rules), tuple(clues))

    def format(self, puzzle: Puzzle[Params, NoBoard]) -> str:
        rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
        named = [_hint(puzzle.spec, clue)[0] for clue in puzzle.clues]
        if len(set(named)) < len(named):
            raise BadRow("kakurasu: the text form has no way to give a line two hints")
        across, down = _shown(puzzle)
        cells = _cells(puzzle)
        lines = [self.name, " ".join(down)]
        lines += [f"{across[r]} {''.join(cells[r * cols : (r + 1) * cols])}" for r in range(rows)]
        return "\n".join(lines) + "\n"

    # ---- evidence

    def examples(self) -> tuple[Example[Params, NoBoard, Grid], ...]:
        def example(across: str, down: str, answer: str, source: str) -> Example[Params, NoBoard, Grid]:
            grid = tuple([tuple([int(sign) for sign in row]) for row in answer.split()])
            totals = [int(total) for total in (across + " " + down).split()]
            clues = tuple([_clue(line, total, len(grid)) for line, total in enumerate(totals)])
            return Example(_puzzle(Spec(Params(len(grid), len(grid[0]))), clues), grid, source)

        return (
            example("5 3 1 2", "4 4 2 1", "1001 0010 1000 0100", "reasoning-gym 0.1.25, kakurasu with seed 1, item 1"),
            example("3 6 3 1", "5 3 3 2", "1100 0101 0010 1000", "reasoning-gym 0.1.25, kakurasu with seed 1, item 2"),
        )

    @property
    def smallest(self) -> tuple[Spec[Params], ...]:  # type: ignore[override]
        few = (Rule(BLOCKED, ((0, 3, 5, 6, 11, 12),)),)  # ten open cells: all grids can be listed
        return (
            Spec(Params(4, 5)),
            Spec(Params(4, 4, 7)),
            Spec(Params(4, 4), few),
            Spec(Params(4, 5, 2), (Rule(BLOCKED),)),
        )


# ---- clues and lines ------------------------------------------------------------------------------------------------


def _puzzle(spec: Spec[Params], clues: tuple[Clue, ...]) -> Puzzle[Params, NoBoard]:
    return Puzzle(Kakurasu.name, Kakurasu.version, spec, NoBoard(), clues, Question(), _LOOK)


_LOOK = Style(symbols=("0", "1"))


def _ascending(cells: tuple[Any, ...], count: int) -> bool:
    return all(type(cell) is int for cell in cells) and cells == tuple(sorted(set(cells) & set(range(count))))


def _all_open(rows: int, cols: int, cells: Collection[int]) -> bool:
    """Whether every row and every column has a cell that is not among these."""
    open_ = set(range(rows * cols)).difference(cells)
    return len({cell // cols for cell in open_}) == rows and len({cell % cols for cell in open_}) == cols


def _blocked(spec: Spec[Params]) -> tuple[int, ...]:
    """The blocked cells, ascending. Raises BadRow if they are no cells of this grid."""
    if not spec.rules:
        return ()
    rule = spec.rule(BLOCKED)
    cells = rule.args[0] if rule is not None and len(rule.args) == 1 else ()
    if type(cells) is not tuple or not cells or not _ascending(cells, spec.params.rows * spec.params.cols):
        raise BadRow(f"kakurasu.{BLOCKED}: expected a list of cells of the grid, ascending, got {str(spec.rules)[:60]}")
    return cells  # type: ignore[return-value]  # _ascending has looked at each


def _named(line: int, rows: int) -> str:
    return f"r{line + 1}" if line < rows else f"c{line - rows + 1}"


def _line(line: int, rows: int) -> str:
    return f"row {line + 1}" if line < rows else f"column {line - rows + 1}"


@lru_cache(maxsize=4096)
def _clue(line: int, total: int, rows: int) -> Clue:
    """The hint of a line; shared, since stating a grid is on the path of every puzzle."""
    return Clue(_named(line, rows), "row" if line < rows else "column", (line if line < rows else line - rows, total))


def _hint(spec: Spec[Params], clue: Clue) -> tuple[int, int]:
    """Line (rows first, then columns) and sum of a hint; raises BadRow for what is no hint of this grid."""
    args = clue.args
    if len(args) == 2 and type(args[0]) is int and type(args[1]) is int and 0 <= args[1] <= _MOST:
        if clue.kind == "row" and 0 <= args[0] < spec.params.rows:
            return args[0], args[1]
        if clue.kind == "column" and 0 <= args[0] < spec.params.cols:
            return spec.params.rows + args[0], args[1]
    raise BadRow(
        f"kakurasu clue {clue.id}: expected row or column, its place from 0, and a sum from 0 to {_MOST}, got {clue.kind} {args}"
    )


@lru_cache(maxsize=2048)
def _sum_of(line: tuple[int, ...]) -> int:
    return sum([number for number, value in enumerate(line, 1) if value])


def _true_hints(grid: Grid) -> tuple[Clue, ...]:
    rows = len(grid)
    lines = (*grid, *zip(*grid, strict=True))
    return tuple([_clue(i, _sum_of(line), rows) for i, line in enumerate(lines)])


@lru_cache(maxsize=4096)
def _within_reach(line: tuple[int, ...]) -> frozenset[int]:
    """What a line can add up to, whatever its blanks become."""
    sums = {0}
    for number, value in enumerate(line, 1):
        if value == 1:
            sums = {k + number for k in sums}
        elif value == BLANK:
            sums |= {k + number for k in sums}
    return frozenset(sums)


def _weights(spec: Spec[Params]) -> list[list[int]]:
    """For every line the numbers of its open cells."""
    rows, cols, blocked = spec.params.rows, spec.params.cols, set(_blocked(spec))
    across = [[c + 1 for c in range(cols) if r * cols + c not in blocked] for r in range(rows)]
    return across + [[r + 1 for r in range(rows) if r * cols + c not in blocked] for c in range(cols)]


def _reachable(spec: Spec[Params], line: int) -> list[int]:
    """The sums that this line can have, ascending."""
    sums = {0}
    for number in _weights(spec)[line]:
        sums |= {k + number for k in sums}
    return sorted(sums)


def _shown(puzzle: Puzzle[Params, NoBoard]) -> tuple[list[str], list[str]]:
    """The hints of the rows and of the columns as text; ? where there is none."""
    rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols
    hints = ["?"] * (rows + cols)
    for clue in puzzle.clues:
        line, total = _hint(puzzle.spec, clue)
        hints[line] = str(total)
    return hints[:rows], hints[rows:]


def _cells(puzzle: Puzzle[Params, NoBoard]) -> list[str]:
    blocked = set(_blocked(puzzle.spec))
    return ["x" if i in blocked else "." for i in range(puzzle.spec.params.rows * puzzle.spec.params.cols)]


def _number(line: Line, column: int, text: str) -> int | None:
    if text == "?":
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise line.bad(column, f"a hint is a number from 0 to {_MOST}, or ? if there is none, got {text[:20]!r}")
    return int(text)


def _forced(weights: Sequence[int], total: int, other: str) -> str:
    """What a hint says by itself, where these are the numbers of the line's open cells: what all choices have in common."""
    ways = [{w for i, w in enumerate(weights) if choice >> i & 1} for choice in range(1 << len(weights))]
    ways = [way for way in ways if sum(way) == total]
    if not ways:
        return "which no choice makes"
    parts = []
    for word, cells in (("chosen", set.intersection(*ways)), ("not chosen", set(weights).difference(*ways))):
        numbers = [str(w) for w in weights if w in cells]
        if numbers:
            parts.append(f"{other}{'s' if len(numbers) > 1 else ''} {_and(numbers)} {'are' if len(numbers) > 1 else 'is'} {word}")
    return f"so {_and(parts)}" if parts else f"which {len(ways)} choices make"


# ---- steps in words -------------------------------------------------------------------------------------------------


def _told(puzzle: Puzzle[Params, NoBoard], step: Step) -> str:
    """A step as a sentence without its capital and its full stop; see solvers/deduce/sums.py for `about`."""
    rows, cols = puzzle.spec.params.rows, puzzle.spec.params.cols

    def places(line: int, numbers: Sequence[int]) -> str:
        other = "column" if line < rows else "row"
        return f"{other}{'s' if len(numbers) > 1 else ''} {_and([str(number) for number in numbers])}"

    def within(line: int, mask: int) -> list[int]:
        return [i + 1 for i in range(cols if line < rows else rows) if mask >> i & 1]

    def outcome(line: int) -> str:
        parts = []
        for value, word in ((1, "chosen"), (0, "not chosen")):
            numbers = [(cell % cols if line < rows else cell // cols) + 1 for cell, v in step.sets if v == value]
            if numbers:
                parts.append(f"{places(line, numbers)} {'are' if len(numbers) > 1 else 'is'} {word}")
        return _and(parts)

    def facts() -> str:
        parts = [f"row {cell // cols + 1} column {cell % cols + 1} is {'chosen' if v else 'not chosen'}" for cell, v in step.sets]
        return _and(parts)

    def start(line: int, total: int, known: int, ones: int) -> str:
        """The line, and what is known of it."""
        text = f"in {_line(line, rows)}, whose sum is {total}"
        so_far, closed = within(line, ones), within(line, known & ~ones)
        if so_far:
            text += f", {places(line, so_far)} {'are' if len(so_far) > 1 else 'is'} chosen"
        if closed:
            isnt = "are not" if len(closed) > 1 else "is not"
            text += f"{' and' if so_far else ','} {places(line, closed)} {isnt}{'' if so_far else ' chosen'}"
        return text + (";" if known else ",")

    def choice(line: int, way: int) -> str:
        return "+".join([str(number) for number in within(line, way)])

    def completed(line: int, total: int, known: int, ones: int, *ways: int) -> str:
        """A line of which all choices that make the sum agree."""
        text = start(line, total, known, ones)
        if not step.sets:
            return f"{text} no choice of the{' other' if known else ''} cells makes that sum"
        left = total - sum(within(line, ones))
        lacks = f"the missing {left}" if ones else f"the {total}"
        if ways:
            return f"{text} {lacks} can only be {' or '.join([choice(line, way) for way in ways])}, so {outcome(line)}"
        return f"{text} in every way to make {lacks}, {outcome(line)}"

    def tale(parts: Sequence[Step]) -> str:
        return "; ".join([_told(puzzle, part) for part in parts])

    about = step.about
    if step.technique in ("full", "weight"):
        clue, known, ones = about
        line, total = _hint(puzzle.spec, puzzle.clues[clue])
        text = start(line, total, known, ones)
        left = total - sum(within(line, ones))
        others = "all the other cells" if known else "all cells"
        if not step.sets:
            return f"{text} that is more already" if left < 0 else f"{text} {others} together make less"
        if step.technique == "full":
            if left == 0:
                return f"{text} that makes the sum already, so {outcome(line)}" if known else f"{text} {outcome(line)}"
            return f"{text} {others} together make just {left}, so {outcome(line)}"
        numbers = [(cell % cols if line < rows else cell // cols) + 1 for cell, _ in step.sets]
        any_one = "any one of " if len(numbers) > 1 else ""
        so = "so these are" if len(numbers) > 1 else f"so {places(line, numbers)} is"
        if step.sets[0][1]:
            return f"{text} without {any_one}{places(line, numbers)} the rest makes less than {total}, {so} chosen"
        if not known:
            return f"{text} {any_one}{places(line, numbers)} would be too much, {so} not chosen"
        return f"{text} the missing {left} is less than {min(numbers)}, so {outcome(line)}"
    if step.technique == "completion":
        clue, known, ones, *ways = about
        return completed(*_hint(puzzle.spec, puzzle.clues[clue]), known, ones, *ways)
    if step.technique == "double_count":
        line, by_rows, by_cols, *rest_ = about
        sides = ["all rows", "all columns"]
        if line >= 0:
            sides[line >= rows] += f" but {_line(line, rows)}"
        text = (
            f"row number times sum, added up over {sides[0]}, makes {by_rows}, and column number times sum, added up over "
            f"{sides[1]}, makes {by_cols}; both ways, a chosen cell counts its row number times its column number"
        )
        if line < 0:
            return f"{text}, so the two would have to be equal"
        number = line + 1 if line < rows else line - rows + 1
        short = by_cols - by_rows if line < rows else by_rows - by_cols
        times = f"{number} times " * (number > 1)
        if not rest_:
            value = f"{short}, and that cannot be" if short >= 0 else "less than 0"
            return f"{text}, so {times}the sum of {_line(line, rows)} would have to be {value}"
        total, known, ones, *ways = rest_
        then = completed(line, total, known, ones, *ways)
        return f"{text}, so {times}the sum of {_line(line, rows)} is {short}. {then[0].upper()}{then[1:]}"
    if step.technique in ("two_ways", "all_ways"):
        clue, known, ones, *both = about
        line, total = _hint(puzzle.spec, puzzle.clues[clue])
        words = [choice(line, way) for way in both[: len(both) // 2]]
        lacks = f"the missing {total - sum(within(line, ones))}" if ones else f"the {total}"
        text = f"{start(line, total, known, ones)} {lacks} can only be {' or '.join(words)}. "
        begin, left_over = 0, []
        for word, count in zip(words, both[len(both) // 2 :], strict=True):
            steps = step.within[begin : begin + count]
            begin += count
            if steps:
                text += f"With {word}, {tale(steps)}{'' if steps[-1].sets else ', which cannot be'}. "
            if not steps or steps[-1].sets:
                left_over.append(word)
        if not step.sets:
            return text + ("So neither is possible" if len(words) == 2 else "So none of these is possible")
        if len(left_over) == 1:
            return f"{text}So it is {left_over[0]}: {outcome(line)}"
        inside = all(cell // cols == line if line < rows else cell % cols == line - rows for cell, _ in step.sets)
        if len(left_over) < len(words):
            text += f"So it is {' or '.join(left_over)}. "
        return f"{text}{'Either way' if len(left_over) == 2 else 'In every case'}, {outcome(line) if inside else facts()}"
    if step.technique == "search":
        if not step.sets:
            return "none of the usual techniques leads on, and going through all possibilities shows that there is no answer"
        return f"none of the usual techniques leads on; going through all possibilities leaves one way only: {facts()}"
    cell, supposed = about
    where = f"row {cell // cols + 1} column {cell % cols + 1}"
    said, other = ("chosen", "not chosen") if supposed else ("not chosen", "chosen")
    return f"suppose {where} were {said}: then {tale(step.within)}, which cannot be, so {where} is {other}"


def _and(words: Sequence[str]) -> str:
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} and {words[-1]}"


FAMILY = Kakurasu()
