"""Human-style deduction about which cells of a board are erased (ErasureTable).

Slot values are 0, the cell stays, and 1, it is erased. A dropped value is the other one set, so steps only set.

technique       about
sandwich        (a, middle, b) a and b, on either side of a cell, show the same: were it erased, both would stay
pair            (a, b, ...) cells side by side that show the same: one of them stays, so the further cells of their line that show
                the same are erased
neighbours      (cell,) it is erased, so the cells beside it stay. As a contradiction (a, b): two erased cells side by side
equals          (cell,) it stays, so the cells of its lines that show the same are erased. As a contradiction (a, b): both stay
way_out         (cell, other, ...) the others, beside the cell, are erased and leave it one way to the rest. A contradiction: none
crowd           (cell, other, ...) around the braced cell these three are erased. As a contradiction: these four
corner          as chain, with all of its cells among the four in a corner
cut             (cell, side, other, ...) erasing the cell would, with the others erased, shut the cell at its side off from the
                rest. As a contradiction (-1, side, other, ...): the others do already
chain           (cell, value, kind, cell, value, kind, cell, value, ...) each one follows from the one before, and the
                last is the opposite of the first. kind 0: side by side, not both erased; 1: the same number in a line, not both
                stay; 2: the two cells beside a corner cell, not both erased
look_ahead      (cell, value) supposing this ends in a contradiction by tiers 1 and 2: `within`
far_look_ahead  the same by all that is above
deep_look_ahead the same with looking ahead within the supposition too
search          ()
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from puzzlemill.core.model import ErasureTable, Fact, Slots, Step
from puzzlemill.solvers.deduce.steps import Contradiction, needed, ordered, story

TECHNIQUES = {
    "sandwich": 1,
    "pair": 1,
    "neighbours": 1,
    "equals": 1,
    "way_out": 2,
    "crowd": 2,
    "corner": 2,
    "cut": 3,
    "chain": 4,
    "look_ahead": 5,
    "far_look_ahead": 6,
    "deep_look_ahead": 7,
    "search": 8,
}
MEDIUM, HARD = 3, 5

LINKS = 8  # a chain has at most so many links; what is longer is a look ahead
CHOICES = 3  # contradictions found by looking ahead, of which the one with the shortest story is told
PROBES = 4_000  # suppositions in one deduction, before the rest is left to search
DEEP_CELLS = 64  # larger grids are not looked at in depth
CROWD = 3  # erased cells around a braced one, at most
RULES = ("repeat", "adjacent", "connected", "braced")
BESIDE, EQUAL, CORNER = range(3)  # kinds of links


def deduce(table: ErasureTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    board = _Board(table, ids)
    try:
        board.run(4)
        while board.open and board.look_ahead(answer):
            board.run(4)
        if board.open or answer is None:
            rest = [] if answer is None else [(cell, answer[cell]) for cell, value in enumerate(board.value) if value < 0]
            board.tell("search", [*ids, *(RULES if table.braced else RULES[:3])], rest)
    except Contradiction:
        board.steps = needed(board.steps, "#", [len(board.steps) - 1])
    return ordered(board.steps, [*ids, *RULES])


# ---- geometry -----------------------------------------------------------------------------------------------------------


class _Geometry:
    """What follows from the size alone. corners: the corner cell, the two beside it, and the fourth of the square."""

    def __init__(self, rows: int, cols: int) -> None:
        self.cells = rows * cols
        places = [divmod(i, cols) for i in range(rows * cols)]

        def near(r: int, c: int, ways: Sequence[tuple[int, int]]) -> tuple[int, ...]:
            there = [(r + y, c + x) for y, x in ways]
            return tuple([y * cols + x for y, x in there if 0 <= y < rows and 0 <= x < cols])

        straight, slanted = ((-1, 0), (0, -1), (0, 1), (1, 0)), ((-1, -1), (-1, 1), (1, -1), (1, 1))
        self.beside = [near(r, c, straight) for r, c in places]
        self.slanted = [near(r, c, slanted) for r, c in places]
        self.around = [(*self.beside[i], *self.slanted[i]) for i in range(self.cells)]
        self.edge = [r in (0, rows - 1) or c in (0, cols - 1) for r, c in places]
        self.corners = []
        for r, y in ((0, 1), (rows - 1, rows - 2)):
            for c, x in ((0, 1), (cols - 1, cols - 2)):
                self.corners.append((r * cols + c, r * cols + x, y * cols + c, y * cols + x))
        # the cells that would shut off a corner if they were erased together with this one
        self.across: dict[int, list[int]] = {}
        for _, a, b, _ in self.corners:
            self.across.setdefault(a, []).append(b)
            self.across.setdefault(b, []).append(a)
        lines = [[r * cols + c for c in range(cols)] for r in range(rows)]
        self.lines = lines + [list(column) for column in zip(*lines, strict=True)]


@lru_cache(maxsize=32)
def _geometry(rows: int, cols: int) -> _Geometry:
    return _Geometry(rows, cols)


# ---- the board ----------------------------------------------------------------------------------------------------------


class _Board:
    """What is known of a puzzle, why, and the steps so far.

    mark: what the labels of its steps begin with, "#", or "?" under a supposition, "??" under one within that.
    Erased cells that touch at corners are joined to trees; the edge of the board, cell number `cells`, is part of one of them.
    A cell that touches one tree twice would shut something off.
    """

    def __init__(self, table: ErasureTable, ids: Sequence[str]) -> None:
        self.g = _geometry(table.rows, table.cols)
        cells = self.g.cells
        symbol = [-1] * cells
        self.shown = [""] * cells  # the clue of each cell
        for (cell, number), id_ in zip(table.clues, ids, strict=True):
            symbol[cell] = number
            self.shown[cell] = id_
        self.equal: list[list[int]] = [[] for _ in range(cells)]
        for line in self.g.lines:
            for i, a in enumerate(line):
                if symbol[a] >= 0:
                    self.equal[a] += [b for k, b in enumerate(line) if k != i and symbol[b] == symbol[a]]
        self.braced = frozenset(table.braced)
        self.value = [-1] * cells
        self.why = [""] * cells
        self.tree = list(range(cells + 1))
        self.open = cells
        self.steps: list[Step] = []
        self.mark = "#"
        self.probes = [0]  # shared by copies
        self.set: list[int] = []  # cells that tier 1 has not looked at since they were set
        self.gone: list[int] = []  # the same of erased cells and tier 2
        self.shut = -1  # an erased cell that shuts something off
        self.uncut = False  # nothing was erased since tier 3 found nothing
        self.unlinked = False  # tier 4 found nothing; what is set later closes links and opens none
        self.corners = list(self.g.corners)  # those to look at; once is enough, as with chains
        self.patterns = [*self._sandwiches(symbol), *self._pairs(symbol)]
        for cell in table.braced:
            self.put(cell, 0, "braced")

    def supposing(self, cell: int, value: int) -> _Board:
        """A copy in which this is known too, without steps."""
        other = _Board.__new__(_Board)
        other.__dict__.update(self.__dict__)
        other.value, other.why, other.tree = list(self.value), list(self.why), list(self.tree)
        other.steps, other.set, other.gone, other.corners, other.patterns = [], [], [], [], []
        other.mark = "?" if self.mark == "#" else self.mark + "?"
        other.put(cell, value, f"{other.mark}0")
        return other

    def _root(self, cell: int) -> int:
        tree = self.tree
        while tree[cell] != cell:
            cell = tree[cell]
        return cell

    def _touched(self, cell: int) -> list[int]:
        """The trees that a cell touches, one that it touches twice twice."""
        roots = [self._root(other) for other in self.g.slanted[cell] if self.value[other] == 1]
        return [*roots, self._root(self.g.cells)] if self.g.edge[cell] else roots

    def put(self, cell: int, value: int, why: str) -> None:
        if value == 1:
            roots = self._touched(cell)
            if len(set(roots)) < len(roots):
                self.shut = cell
            for root in roots:
                self.tree[root] = cell
            self.gone.append(cell)
            self.uncut = False
        self.value[cell] = value
        self.why[cell] = why
        self.open -= 1
        self.set.append(cell)

    def tell(
        self, technique: str, uses: Sequence[str], sets: Sequence[Fact], about: Sequence[int] = (), within: Sequence[Step] = ()
    ) -> bool:
        """Note a step and put in what it sets. Raises Contradiction if that is nothing."""
        self.steps.append(Step(technique, tuple(dict.fromkeys(uses)), tuple(sets), (), tuple(about), tuple(within)))
        if not sets:
            raise Contradiction
        for cell, value in sets:
            self.put(cell, value, f"{self.mark}{len(self.steps)}")
        return True

    def run(self, top: int) -> None:
        """Apply techniques of these tiers until none gives anything."""
        while self._plain() or (top > 1 and self._near()) or (top > 2 and self._cut()) or (top > 3 and self._chain()):
            pass

    # ---- tier 1

    def _sandwiches(self, symbol: Sequence[int]) -> list[tuple[str, int, int, int]]:
        return [
            ("sandwich", *cells)
            for line in self.g.lines
            for cells in zip(line, line[1:], line[2:], strict=False)
            if symbol[cells[0]] == symbol[cells[2]] >= 0
        ]

    def _pairs(self, symbol: Sequence[int]) -> list[tuple[str, int, int, int]]:
        found = []
        for number, line in enumerate(self.g.lines):
            for a, b in zip(line, line[1:], strict=False):
                if symbol[a] == symbol[b] >= 0:
                    found.append(("pair", a, b, number))
        return found

    def _plain(self) -> bool:
        while self.patterns:
            technique, a, b, third = self.patterns.pop(0)
            if technique == "sandwich":
                if self.value[b] < 0:
                    uses = [self.shown[a], self.shown[third], "repeat", "adjacent"]
                    return self.tell("sandwich", uses, [(b, 0)], (a, b, third))
                continue
            further = [cell for cell in self.equal[a] if cell != b and cell in self.g.lines[third] and self.value[cell] < 0]
            if further:
                uses = [self.shown[a], self.shown[b], *[self.shown[cell] for cell in further], "repeat", "adjacent"]
                return self.tell("pair", uses, [(cell, 1) for cell in further], (a, b, *further))
        while self.set:
            cell = self.set[0]
            value = self.value[cell]
            others = self.equal[cell] if value == 0 else self.g.beside[cell]
            sets = []
            for other in others:
                if self.value[other] == value:
                    uses = [self.why[cell], self.why[other]]
                    if value:
                        self.tell("neighbours", [*uses, "adjacent"], [], (cell, other))
                    self.tell("equals", [*uses, self.shown[cell], self.shown[other], "repeat"], [], (cell, other))
                if self.value[other] < 0:
                    sets.append((other, 1 - value))
            self.set.pop(0)
            if sets and value:
                return self.tell("neighbours", [self.why[cell], "adjacent"], sets, (cell,))
            if sets:
                shown = [self.shown[other] for other, _ in sets]
                return self.tell("equals", [self.why[cell], self.shown[cell], *shown, "repeat"], sets, (cell,))
        return False

    # ---- tier 2

    def _near(self) -> bool:
        while self.gone:
            if self._way_out(self.gone[0]) or (self.braced and self._crowd(self.gone[0])):
                return True
            self.gone.pop(0)
        while self.corners:
            square = self.corners.pop()
            found = self._shortest([(cell, value) for cell in square for value in (0, 1)], square)
            if found:
                self.corners.append(square)
                return self._tell_chain("corner", found)
        return False

    def _way_out(self, gone: int) -> bool:
        """Of the cells beside an erased one; they stay, by tier 1, and there are two at least."""
        for cell in self.g.beside[gone]:
            out = [other for other in self.g.beside[cell] if self.value[other] != 1]
            if len(out) < 2 and (not out or self.value[out[0]] < 0):
                walls = [other for other in self.g.beside[cell] if other not in out]
                uses = [*[self.why[other] for other in walls], "adjacent", "connected"]
                return self.tell("way_out", uses, [(other, 0) for other in out], (cell, *walls))
        return False

    def _crowd(self, gone: int) -> bool:
        for cell in self.g.around[gone]:
            if cell in self.braced:
                erased = [other for other in self.g.around[cell] if self.value[other] == 1]
                sets = [(other, 0) for other in self.g.around[cell] if self.value[other] < 0]
                if len(erased) > CROWD or (len(erased) == CROWD and sets):
                    del erased[CROWD + 1 :]
                    uses = [*[self.why[other] for other in erased], "braced"]
                    return self.tell("crowd", uses, sets if len(erased) == CROWD else [], (cell, *erased))
        return False

    # ---- tier 3

    def _cut(self) -> bool:
        if self.shut >= 0:
            side, walls = self._walls(self.shut)
            uses = [*[self.why[other] for other in walls], self.why[self.shut], "adjacent", "connected"]
            return self.tell("cut", uses, [], (-1, side, *walls, self.shut))
        if self.uncut:
            return False
        for cell, value in enumerate(self.value):
            if value < 0:
                roots = self._touched(cell)
                if len(set(roots)) < len(roots):
                    side, walls = self._walls(cell)
                    uses = [*[self.why[other] for other in walls], "adjacent", "connected"]
                    return self.tell("cut", uses, [(cell, 0)], (cell, side, *walls))
        self.uncut = True
        return False

    def _walls(self, cell: int) -> tuple[int, list[int]]:
        """Of a cell that, if it is erased, shuts something off: a cell beside it on the smaller side, and the erased cells, none
        to spare, that part this cell from another one beside it.
        """
        erased = {other for other, value in enumerate(self.value) if value == 1} | {cell}
        sides = [(self._flood(other, erased), other) for other in self.g.beside[cell]]
        reached, side = min(sides, key=lambda entry: len(entry[0]))
        rest = next(far for far, other in sides if other not in reached)
        near = {other for other in erased if any(there in rest for there in self.g.beside[other])}
        inside = self._flood(side, near)
        walls = [other for other in sorted(near - {cell}) if any(there in inside for there in self.g.beside[other])]
        return side, walls

    def _flood(self, start: int, walls: set[int]) -> set[int]:
        seen = {start}
        work = [start]
        for cell in work:
            for other in self.g.beside[cell]:
                if other not in seen and other not in walls:
                    seen.add(other)
                    work.append(other)
        return seen

    # ---- tier 4

    def _links(self, cell: int, value: int) -> list[tuple[int, int]]:
        """The open cells that get the other value if this one gets this value, with the kind of the link."""
        if value == 0:
            return [(other, EQUAL) for other in self.equal[cell] if self.value[other] < 0]
        found = [(other, BESIDE) for other in self.g.beside[cell] if self.value[other] < 0]
        return found + [(other, CORNER) for other in self.g.across.get(cell, ()) if self.value[other] < 0]

    def _refuting(self, cell: int, value: int, most: int, only: Sequence[int]) -> list[int]:
        """The shortest chain from this to its opposite, as `about` tells it; [] if it takes more links than `most`."""
        came: dict[int, tuple[int, int]] = {2 * cell + value: (-1, -1)}  # literal: the one before, and the kind
        level = [(cell, value)]
        for _ in range(most):
            after = []
            for one, v in level:
                for other, kind in self._links(one, v):
                    literal = 2 * other + 1 - v
                    if literal in came or (only and other not in only):
                        continue
                    came[literal] = (2 * one + v, kind)
                    if other == cell and v == value:
                        told = []
                        while literal >= 0:
                            before, kind = came[literal]
                            told += [literal & 1, literal >> 1, *([kind] if before >= 0 else [])]
                            literal = before
                        return told[::-1]
                    after.append((other, 1 - v))
            level = after
        return []

    def _shortest(self, starts: Sequence[Fact], only: Sequence[int] = ()) -> list[int]:
        found: list[int] = []
        most = LINKS
        for cell, value in starts:
            if self.value[cell] < 0:
                told = self._refuting(cell, value, most, only)
                if told:
                    found = told
                    most = len(told) // 3 - 1
        return found

    def _tell_chain(self, technique: str, told: Sequence[int]) -> bool:
        uses = []
        for k in range(0, len(told) - 2, 3):
            cell, _, kind, other = told[k : k + 4]
            uses += [self.shown[cell], self.shown[other], "repeat"] if kind == EQUAL else ["adjacent"]
            uses += ["connected"] if kind == CORNER else []
        return self.tell(technique, uses, [(told[0], 1 - told[1])], told)

    def _chain(self) -> bool:
        if self.unlinked:
            return False
        starts = []
        for cell, value in enumerate(self.value):
            if value < 0:
                # a chain comes back by another link than the one it left by
                starts += [(cell, v) for v in (0, 1) if len(self._links(cell, v)) > 1]
        found = self._shortest(starts)
        self.unlinked = not found
        return self._tell_chain("chain", found) if found else False

    # ---- looking ahead

    def _story(self, cell: int, value: int, top: int, deep: bool = False) -> tuple[list[str], list[Step]] | list[int]:
        """What a contradiction that follows from this leans on, and the steps to it; what else follows if there is none."""
        self.probes[0] += 1
        other = self.supposing(cell, value)
        try:
            other.run(top)
            while deep and other.open and other.look_ahead(None, False):
                other.run(top)
        except Contradiction:
            return story(other.steps, other.mark)
        return [2 * i + v for i, v in enumerate(other.value) if v >= 0 > self.value[i]]

    def look_ahead(self, answer: Slots | None, deepest: bool = True) -> bool:
        """Rule out one value of a cell. False if nothing can be ruled out."""
        cells = [cell for cell, value in enumerate(self.value) if value < 0]
        # from cells near to what is known, and with many equals
        cells.sort(key=lambda i: (-len(self._links(i, 0)) - sum(self.value[other] >= 0 for other in self.g.around[i]), i))
        for technique, top in (("look_ahead", 2), ("far_look_ahead", 4), ("deep_look_ahead", 4)):
            deep = technique == "deep_look_ahead"
            if deep and (not deepest or self.g.cells > DEEP_CELLS):
                break
            harmless: set[int] = set()  # 2 * cell + value: what follows from something harmless is harmless
            found: list[tuple[int, list[str], list[Step], int, int]] = []
            for cell in cells:
                for value in (0, 1) if answer is None else (1 - answer[cell],):
                    if 2 * cell + value in harmless or len(found) == (1 if deep else CHOICES) or self.probes[0] >= PROBES:
                        continue
                    tale = self._story(cell, value, top, deep)
                    if isinstance(tale, tuple):
                        found.append((sum(1 + len(step.within) for step in tale[1]), *tale, cell, value))
                    else:
                        harmless.update(tale)
            if found:
                _, uses, within, cell, value = min(found, key=lambda entry: entry[0])
                return self.tell(technique, uses, [(cell, 1 - value)], (cell, value), within)
        return False
