"""For minesweeper alone: the text form, cells around a cell, groups of touching mines, mines that do not touch.

Groups are counted three times, each way written apart: groups() for what is shown, group_counts() for the plain checker,
refused() for the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any, cast

from puzzlemill import family as f
from puzzlemill.core.errors import Discarded
from puzzlemill.core.rng import Rng

SMALLEST, NARROW, LARGEST = 4, 16, 30  # the shorter side has at most NARROW cells
NUMBERS = tuple("012345678")
_REJECTED = 4_000  # draws of mines that may touch before the walk takes over
_WALK = 60  # moves per mine
_VOID = 1_000  # in uneven(): more than its other counts ever are
_TIGHT, _ALIKE = 6, 6  # in uneven(): of groups, which lie closer than mines


@lru_cache(maxsize=64)
def around(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """The up to eight cells around each cell."""
    out = []
    for r, c in product(range(rows), range(cols)):
        near = [(a, b) for a in range(max(0, r - 1), min(rows, r + 2)) for b in range(max(0, c - 1), min(cols, c + 2))]
        out.append(tuple([a * cols + b for a, b in near if (a, b) != (r, c)]))
    return tuple(out)


def groups(cells: Sequence[int], cols: int) -> int:
    """How many groups of touching cells these form, on a board of so many columns."""
    count = 0
    left = set(cells)
    while left:
        count += 1
        stack = [left.pop()]
        while stack:
            r, c = divmod(stack.pop(), cols)
            near = {j for j in left if abs(j // cols - r) <= 1 and abs(j % cols - c) <= 1}
            left -= near
            stack += near
    return count


def cascade(near: Sequence[Sequence[int]], mines: Sequence[int], safe: Sequence[int], count: int, rng: Rng) -> list[int]:
    """At least so many safe cells, opened in a random order; one without a mine around it opens all around it."""
    opened: set[int] = set()
    for cell in rng.shuffled(safe):
        if len(opened) >= count:
            break
        stack = [cell]
        while stack:
            here = stack.pop()
            if here not in opened:
                opened.add(here)
                stack += near[here] if not any(mines[j] for j in near[here]) else []
    return sorted(opened)


@lru_cache(maxsize=65_536)
def group_counts(mines: tuple[int, ...], unknown: tuple[int, ...], cols: int) -> frozenset[int]:
    """How many groups the mines around a cell can form. Cells count from the one up and to the left of it, row by row."""

    def place(j: int) -> tuple[int, int]:
        r = 0 if j <= 2 else 1 if j <= cols + 2 else 2
        return r, j - r * cols

    found = set()
    for some in product((False, True), repeat=len(unknown)):
        left = [place(j) for j in mines] + [place(j) for j, mine in zip(unknown, some, strict=True) if mine]
        label = list(range(len(left)))
        for a, (r, c) in enumerate(left):
            for b in range(a):
                if abs(left[b][0] - r) <= 1 and abs(left[b][1] - c) <= 1:
                    old, new = label[a], label[b]
                    label = [new if one == old else one for one in label]
        found.add(len(set(label)))
    return frozenset(found)


@lru_cache(maxsize=256)
def refused(steps: tuple[tuple[int, int], ...], number: int) -> tuple[tuple[int, ...], ...]:
    """Clauses, a sign per neighbour and 0 where it does not matter, that together refuse all but so many groups of mines.

    Each refuses a part of the cube of all arrangements that holds none that is allowed, and cannot be made larger.
    """
    n = len(steps)

    def touches(i: int, j: int) -> bool:
        return max(abs(steps[i][0] - steps[j][0]), abs(steps[i][1] - steps[j][1])) == 1

    def shows(mines: tuple[int, ...]) -> int:
        chosen = [i for i in range(n) if mines[i]]
        seen: set[int] = set()
        count = 0
        for i in chosen:
            if i not in seen:
                count += 1
                work = [i]
                while work:
                    a = work.pop()
                    seen.add(a)
                    work += [b for b in chosen if b not in seen and touches(a, b)]
        return count

    every = list(product((0, 1), repeat=n))
    right = [mines for mines in every if shows(mines) == number]
    clauses: dict[tuple[int, ...], None] = {}
    covered: set[tuple[int, ...]] = set(right)
    for wrong in every:
        if wrong in covered:
            continue
        care = list(range(n))
        for i in range(n):
            fewer = [j for j in care if j != i]
            if not any(all(mines[j] == wrong[j] for j in fewer) for mines in right):
                care = fewer
        clauses[tuple([(-1 if wrong[i] else 1) if i in care else 0 for i in range(n)])] = None
        covered.update([mines for mines in every if all(mines[j] == wrong[j] for j in care)])
    return tuple(clauses)


def words(numbers: Sequence[tuple[int, int]], cols: int, style: f.Style) -> f.Words:
    """What sentences about a deduction need: the opened cells with their numbers, as the style writes these."""

    def clue(k: int) -> str:
        cell, value = numbers[k]
        sign = style.symbols[value]
        meant = "" if sign == str(value) else f" ({value})"
        return f"{f.places([cell], cols)} shows {sign}{meant}"

    return f.Words(clue=clue, voice=style.phrasing)


# ---- mines that do not touch ------------------------------------------------------------------------------------------


def mines_apart(rows: int, cols: int, count: int, rng: Rng) -> list[int]:
    """Cells of mines that do not touch, drawn until they do not; if that takes too long, by a walk over such sets.

    The walk moves a random mine to a random cell wherever it touches no other: all its steps can be taken back, so that in the
    limit every set is as likely as any other.
    """
    near = around(rows, cols)
    cells = rows * cols
    for _ in range(_REJECTED if count * count * 5 < 8 * cells else 0):
        mines = rng.sample(range(cells), count)
        held = set(mines)
        if not any(held.intersection(near[i]) for i in mines):
            return mines
    placed = [(r * cols + c) for r in range(0, rows, 2) for c in range(0, cols, 2)]
    if len(placed) < count:
        raise Discarded("no_room", f"{count} mines that do not touch")
    placed = rng.sample(placed, count)
    held = set(placed)
    for _ in range(_WALK * max(count, 20)):
        which, cell = rng.below(count), rng.below(cells)
        old = placed[which]
        held.discard(old)
        if cell in held or held.intersection(near[cell]):
            held.add(old)
        else:
            placed[which] = cell
            held.add(cell)
    return placed


# ---- text form -----------------------------------------------------------------------------------------------------


class Text(f.TextForm[Any, f.NoBoard]):
    """A line for each row: 0 to 8, and . for a closed cell. mines=NUMBER says how many there are in all."""

    @property
    def clues(self) -> f.CellClues:
        return cast(f.CellClues, self.family.clues)

    def parse(self, lines: Sequence[f.Line]) -> f.Puzzle[Any, f.NoBoard]:
        options = f.heading(lines, self.family.name, tuple(self.family.rules), ("mines",))
        body = [(line, line.text.replace(" ", "")) for line in lines[1:]]
        rows, cols = len(body), len(body[0][1]) if body else 0
        for name, size in (("rows", rows), ("columns", cols)):
            if not 1 <= size <= LARGEST:
                raise lines[0].bad(0, f"expected 1 to {LARGEST} {name} of 0 to 8 and . for a closed cell, got {size}")
        if min(rows, cols) > NARROW:
            raise lines[0].bad(0, f"expected at most {NARROW} rows or columns, got {rows} and {cols}")
        total = options.get("mines")
        if total is not None and (not total.isdecimal() or not total.isascii() or len(total) > 3):
            raise lines[0].bad(0, f"expected mines=NUMBER, got mines={total[:20]}")
        rules = tuple([f.Rule(name) for name in sorted(set(options) & set(self.family.rules))])
        if len(rules) > 1:
            raise lines[0].bad(0, "clusters and no_touching_mines do not go together")
        mines = 1 if total is None else int(total)
        if mines > rows * cols:
            raise lines[0].bad(0, f"expected at most {rows * cols} mines, got {mines}")
        spec = f.Spec(self.family.params(rows, cols, mines, 50, total is not None), rules)
        clues = []
        for r, (line, text) in enumerate(body):
            if len(text) != cols:
                raise line.bad(0, f"expected {cols} cells as in the first row, got {len(text)}")
            for c, sign in enumerate(text):
                if sign in NUMBERS:
                    clues.append(self.clues.at(spec, r * cols + c, int(sign)))
                elif sign != ".":
                    raise line.bad(line.text.index(sign), f"expected 0 to 8 or . for a closed cell, got {sign!r}")
        return self.family.puzzle(spec, clues)

    def format(self, puzzle: f.Puzzle[Any, f.NoBoard]) -> str:
        shown = [self.clues.placed(puzzle.spec, clue)[0] for clue in puzzle.clues]
        if len(set(shown)) < len(shown):
            raise f.BadRow("minesweeper: the text form has no way to open a cell twice")
        cols = puzzle.spec.params.cols
        cells = ["." if v == f.BLANK else NUMBERS[v] for v in self.clues.shown(puzzle)]
        options = [f"mines={puzzle.spec.params.mines}"] if puzzle.spec.params.total else []
        head = " ".join([self.family.name, *[rule.name for rule in puzzle.spec.rules], *options])
        return "\n".join([head, *["".join(cells[i : i + cols]) for i in range(0, len(cells), cols)]]) + "\n"


def uneven(near: Sequence[Sequence[int]], values: Sequence[int], cells: Sequence[int], grouped: bool) -> tuple[int, ...]:
    """Differences between these cells and the opened ones beside them, how many of those show the same, and each number as often
    as cells beside it are closed: numbers side by side are nearly equal, and larger where more is closed. Above all, numbers that
    cells with 0 leave no room for: in a row 0 1 0 is never right.

    near: of each cell those around it. values: the number of each cell, BLANK of closed ones. grouped: numbers count
    groups, and two of them are seldom in the few cells that a 0 leaves.
    """
    differ = equal = closed = void = tight = 0
    for cell in cells:
        number = values[cell]
        beside = [values[i] for i in near[cell]]
        shut = beside.count(f.BLANK)
        differ += sum([abs(number - other) for other in beside]) - shut * (number - f.BLANK)
        equal += beside.count(number) * (1 + _ALIKE * (grouped and number > 1))
        closed += number * shut
        for one in (cell, *[i for i in near[cell] if not number and values[i] > 0]):
            if values[one] > 0:
                room = [i for i in near[one] if values[i] == f.BLANK and all(values[j] for j in near[i])]
                void += not room
                tight += (grouped and values[one] > 1) * (8 - len(room))
    return differ, equal, closed, _TIGHT * tight, _VOID * void
