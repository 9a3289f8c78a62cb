"""Human-style deduction about which cells of a board are erased (ErasureTable).

Slot values are 0, the cell stays, and 1, it is erased. A dropped value is the other one set, so steps only set.

Sentences need shows and plain of Words.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from puzzlemill.core.model import ErasureTable, Fact, Slots, Step
from puzzlemill.core.words import Words, capital, listed, pick
from puzzlemill.solvers.deduce.board import Ahead, CellBoard, Refuted
from puzzlemill.solvers.deduce.steps import (
    HARDEST,
    DeepLookAhead,
    FarLookAhead,
    Found,
    LookAhead,
    Say,
    length,
    sentence,
    tale,
    tiers,
)

MEDIUM, HARD = 3, 5

POCKET = 4  # cells that a wall cuts off are named up to this many
LINKS = 8  # a chain has at most so many links; what is longer is a look ahead
PROBES = 4_000  # suppositions in one deduction, before the rest is left to search
DEEP_CELLS = 64  # larger grids are not looked at in depth
CROWD = 3  # erased cells around a braced one, at most
RULES = ("repeat", "adjacent", "connected", "braced")
BESIDE, EQUAL, CORNER = range(3)  # kinds of links
Link = tuple[int, int, int]  # kind, cell, value


def deduce(table: ErasureTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps of this puzzle, the easiest technique first; see the package."""
    return board(table, ids).trace(answer)


def board(table: ErasureTable, ids: Sequence[str]) -> CellBoard:
    """The board that finds them; see the package."""
    return _Board(table, ids)


# ---- findings, and how they are worded -------------------------------------------------------------------------------------


class _Say(Say):
    """Sentences about findings on one board."""

    def __init__(self, words: Words, table: ErasureTable) -> None:
        self.rows, self.cols, self.braced = table.rows, table.cols, frozenset(table.braced)
        self.number = dict(table.clues)
        self.sign, self.plain, self.voice = words.shows, words.plain, words.voice

    def where(self, *cells: int) -> str:
        return _places(cells, self.cols)

    def be(self, cells: Collection[int], value: int, aside: str = "") -> str:
        """ "row 1 columns 2 and 4 stay"."""
        state = ("are erased", "is erased") if value else ("stay", "stays")
        return f"{_places(cells, self.cols)}{aside} {state[len(cells) == 1]}"

    def same(self, a: int, b: int) -> str:
        """ "row 1 columns 2 and 4 both show 6"; with signs "row 1 column 2 (B) and row 4 column 2 (E) both stand for 2"."""
        if self.plain:
            return f"{self.where(a, b)} both show {self.sign(a)}"
        return f"{self.signed([a, b])} both stand for {self.number[a] + 1}"

    def signed(self, cells: Collection[int]) -> str:
        """ "row 1 column 2"; where signs stand for numbers each with its sign, "row 1 column 2 (B) and row 4 column 5 (G)"."""
        if self.plain:
            return _places(cells, self.cols)
        return _and([f"{_places([cell], self.cols)} ({self.sign(cell)})" for cell in sorted(cells)])

    def plainly(self, cell: int) -> str:
        """The number of a cell, "6"."""
        return self.sign(cell) if self.plain else str(self.number[cell] + 1)

    def erased(self, cells: Collection[int]) -> str:
        """ "row 1 columns 2 and 4 are erased", with signs that stand for numbers."""
        return f"{self.signed(cells)} {'are' if len(cells) > 1 else 'is'} erased"

    def alike(self, cells: Collection[int], as_at: int) -> str:
        """ "row 1 columns 2 and 4, which also show 6, are erased"."""
        are, show = ("are", "show") if len(cells) > 1 else ("is", "shows")
        which = f"which also {show} {self.sign(as_at)}" if self.plain else f"also {self.plainly(as_at)}"
        return f"{self.signed(cells)}, {which}, {are} erased"

    def edges(self, wall: Sequence[int]) -> str:
        """ "from the left edge to the bottom edge"; of a wall between places of one edge "from the left edge back to it"."""
        ends = []
        for cell in (wall[0], wall[-1]):
            r, c = divmod(cell, self.cols)
            at = {"top": r == 0, "bottom": r == self.rows - 1, "left": c == 0, "right": c == self.cols - 1}
            ends.append([edge for edge, there in at.items() if there])
        a, b = next(((a, b) for a in ends[0] for b in ends[1] if a != b), (ends[0][0], ends[1][0]))
        return f"from the {a} edge {'back to it' if a == b else f'to the {b} edge'}"

    def link(self, before: int, kind: int, cell: int, it: str) -> str:
        """What follows in a chain for this cell from the one before; `it` names that one."""
        if kind == EQUAL:
            shown = self.sign(before) if self.plain else f"{self.sign(before)}, which is {self.plainly(before)}"
            return f"{it} shows {shown}, so {self.alike([cell], before)}"
        if kind == CORNER:
            inner = [(before // self.cols, cell % self.cols), (cell // self.cols, before % self.cols)]
            corner = next(r * self.cols + c for r, c in inner if r in (0, self.rows - 1) and c in (0, self.cols - 1))
            return f"then {self.where(cell)} has to stay, or the corner at {self.where(corner)} would be cut off"
        return f"then its neighbour {self.be([cell], 0)}"

    def supposed(self, cell: int, value: int) -> str:
        return self.be([cell], value)

    def is_not(self, cell: int, value: int) -> str:
        return self.be([cell], 1 - value)

    def so(self, step: Step) -> str:
        parts = [self.be(cells, value) for value in (1, 0) if (cells := [cell for cell, v in step.sets if v == value])]
        return "; ".join(parts)

    def refuted(self, supposed: str, tale: str, so: str) -> str:
        return pick(
            self.voice,
            f"suppose {supposed}. Then {tale}. That cannot be, so {so}",
            f"suppose that {supposed}. Then {tale}. That is against the rules, so {so}",
            f"if {supposed}, then {tale}. This is impossible, so {so}",
        )

    def story(self, steps: Sequence[Step]) -> str:
        return tale(self, steps)


def explain(words: Words, table: ErasureTable, step: Step) -> str:
    """A step as a sentence or two; see the package."""
    return sentence(_Say(words, table), step)


def _sets(step: Step) -> list[int]:
    return [cell for cell, _ in step.sets]


class Sandwich(Found[_Say]):
    """a and b, on either side of a cell, show the same: were it erased, both would stay."""

    a: int
    middle: int
    b: int

    def says(self, say: _Say, step: Step) -> str:
        middle, so, same = say.where(self.middle), say.be([self.middle], 0), say.same(self.a, self.b)
        return pick(
            say.voice,
            f"{same}. If {middle}, between them, were erased, both would have to stay although they are equal. So {so}",
            f"{same}. If the cell between them were erased, these equal cells would both have to stay, so {so}",
            f"{same}, so one of them is erased. The cell between them is next to both, so {so}",
            f"{same}. They cannot both stay, and {middle}, between them, is next to the erased one. So {so}",
        )


class Pair(Found[_Say]):
    """Two cells side by side show the same: one of them stays, so the further cells of their line that do are erased."""

    a: int
    b: int
    further: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        rest, same = say.alike(self.further, self.a), say.same(self.a, self.b)
        return pick(
            say.voice,
            f"{same} and are neighbours, so one of them stays. Hence {rest}",
            f"{same} and share a side. They cannot both be erased, and whichever of them stays, {rest}",
            f"{same} and are next to each other. At least one of them stays, so {rest}",
        )


class Neighbours(Found[_Say]):
    """The cells next to an erased one stay; or, as a contradiction, two erased cells stand side by side."""

    erased: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        gone = say.be(self.erased, 1)
        if not step.sets:
            both = gone.replace(" are erased", " are both erased")
            return pick(say.voice, f"{both}, though they share a side", f"{both}, though they are neighbours")
        sets = _sets(step)
        stay, many, here = say.be(sets, 0), len(sets) > 1, say.where(*self.erased)
        return pick(
            say.voice,
            f"{stay}, since {'they are' if many else 'it is'} next to {here}, which is erased",
            f"{stay}, because {'their' if many else 'its'} neighbour {here} is erased",
            f"with {here} erased, {stay}, as no two erased cells share a side",
            f"next to the erased cell at {here}, {stay}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        return f"{say.be(_sets(step), 0)} (beside {say.where(*self.erased)})"

    def rests(self, say: _Say) -> Collection[int]:
        return self.erased


class Equals(Found[_Say]):
    """The cells of its lines that show the same as a cell that stays are erased; or, as a contradiction, two such cells stay."""

    stay: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        first = self.stay[0]
        if not step.sets:
            a, b = self.stay
            both, line = say.same(a, b), "row" if a // say.cols == b // say.cols else "column"
            held = [cell for cell in self.stay if cell in say.braced]
            aside = f" ({say.where(*held)} because of {'their' if len(held) > 1 else 'its'} brackets)" if held else ""
            return pick(
                say.voice,
                f"{both}, and both stay{aside} in this {line}",
                f"{both} and both stay{aside}, but no number may stay twice in a {line}",
            )
        held_, sets = ", in brackets," if first in say.braced else "", _sets(step)
        here, shown, number, alike = f"{say.where(first)}{held_}", say.sign(first), say.plainly(first), say.alike(sets, first)
        they, show, are = ("they are", "show", "are") if len(sets) > 1 else ("it is", "shows", "is")
        too = f"{show} {number} too" if say.plain else f"{are} {number} too"
        which = "" if say.plain else f", which is {number}"
        return pick(
            say.voice,
            f"{here} shows {shown}{which}{',' * (not say.plain)} and stays, so {alike}",
            f"{here} keeps its {shown}{which}. {capital(say.signed(sets))} {too}, so {they} erased",
            f"{here}, which stays, shows {shown}{which}. {capital(say.signed(sets))} {too}, so {they} erased",
            f"{say.signed([first])} {'shows' if say.plain else 'is'} {number} and stays. {capital(say.signed(sets))} {too}, so "
            f"{they} erased",
        )

    def brief(self, say: _Say, step: Step) -> str:
        sets = _sets(step)
        return f"{say.erased(sets)} (also {say.plainly(self.stay[0])}, like {say.where(*self.stay)})"

    def rests(self, say: _Say) -> Collection[int]:
        return self.stay


class WayOut(Found[_Say]):
    """The erased cells next to a cell leave it one way to the rest; or, as a contradiction, none."""

    cell: int
    walls: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        walls, cell = say.be(self.walls, 1), say.where(self.cell)
        if not step.sets:
            return pick(
                say.voice,
                f"{walls}, so {cell} is cut off",
                f"{walls}, so no way out is left for {cell}",
                f"all neighbours of {cell} are erased ({say.where(*self.walls)}), so it is cut off",
            )
        so, out = say.be(_sets(step), 0), say.where(*_sets(step))
        return pick(
            say.voice,
            f"{walls}, so {so}; otherwise {cell} would be cut off",
            f"{walls}, which leaves {cell} only one way out, through {out}. So {so}",
            f"{cell} must not be cut off, and {walls}. The only way out left is {out}, so it stays",
            f"if {out} were erased too, {cell} would be cut off, since {walls}. So {so}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        return f"{say.be(_sets(step), 0)} (the last way out for {say.where(self.cell)})"

    def rests(self, say: _Say) -> Collection[int]:
        return self.walls


class Crowd(Found[_Say]):
    """Around a braced cell three are erased; or, as a contradiction, four."""

    cell: int
    erased: tuple[int, ...]

    def says(self, say: _Say, step: Step) -> str:
        bracketed = f"the bracketed cell at {say.where(self.cell)}"
        erased = say.where(*self.erased)
        if not step.sets:
            return pick(
                say.voice,
                f"four cells around {bracketed} are erased: {erased}",
                f"around {bracketed} four cells are erased, {erased}, and only three may be",
                f"{erased} are all erased, which is one too many around {bracketed}",
            )
        so = say.be(_sets(step), 0)
        return pick(
            say.voice,
            f"three cells around {bracketed} are erased: {erased}. No more may be erased, so {so}",
            f"{erased} are erased. At most three of the cells around {bracketed} may be, so {so}",
            f"{bracketed} already has three erased cells around it: {erased}. So {so}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        return f"{say.be(_sets(step), 0)} (three are erased around {say.where(self.cell)})"

    def rests(self, say: _Say) -> Collection[int]:
        return self.erased


class Cut(Found[_Say]):
    """With the erased walls, erasing the cell would shut off cells from the rest; cell -1: the walls do already.

    wall: the erased cells, the cell among them, in the order in which they touch at corners. open: it runs from edge to edge.
    inside: the cells that are shut off and not erased. sides: one of these and one of the rest.
    """

    cell: int
    wall: tuple[int, ...]
    open: bool
    inside: tuple[int, ...]
    sides: tuple[int, int]

    def says(self, say: _Say, step: Step) -> str:
        wall = listed([f"row {cell // say.cols + 1} column {cell % say.cols + 1}" for cell in self.wall])
        shape = f"a diagonal wall {say.edges(self.wall)}" if self.open else "a closed diagonal wall"
        few, (near, far) = len(self.inside) <= POCKET, [say.where(cell) for cell in self.sides]
        shut = f"{say.where(*self.inside)} off from the rest" if few else f"{near} off from {far}"
        if not step.sets:
            return pick(
                say.voice,
                f"the erased cells {wall} form {shape}. It cuts {shut}",
                f"{wall} are erased. They form {shape}, which cuts {shut}",
            )
        cell, so = say.where(self.cell), say.be([self.cell], 0)
        return pick(
            say.voice,
            f"erasing {cell} would complete {shape} ({wall}). It would cut {shut}, so {so}",
            f"if {cell} were erased, it would complete {shape} ({wall}). That would cut {shut}, so {so}",
            f"with {cell} erased, there would be {shape} ({wall}). This would cut {shut}, so {so}",
        )

    def brief(self, say: _Say, step: Step) -> str:
        few, others = self.inside if len(self.inside) <= POCKET else self.sides[:1], self.rests(say)
        walls = f", with {say.where(*others)}," if others else ""
        return f"{say.be([self.cell], 0)} (otherwise it{walls} would cut off {say.where(*few)})"

    def rests(self, say: _Say) -> Collection[int]:
        return [cell for cell in self.wall if cell != self.cell]


class Chain(Found[_Say]):
    """Each link follows from the one before, and the last is the opposite of the first fact.

    links: (kind, cell, value). BESIDE: side by side, not both erased. EQUAL: the same number in a line, not both stay. CORNER:
    the two cells next to a corner cell, not both erased.
    """

    cell: int
    value: int
    links: tuple[Link, ...]

    def says(self, say: _Say, step: Step) -> str:
        told, last, it = [], self.cell, "it"
        for kind, cell, _ in self.links:
            told.append(say.link(last, kind, cell, it))
            last, it = cell, say.where(cell) if kind == CORNER else "it"
        supposed, opposite = say.be([self.cell], self.value), say.be([self.cell], 1 - self.value)
        chain = ". ".join([capital(link) for link in told])
        return pick(
            say.voice,
            f"suppose {supposed}. {chain}. This contradicts the supposition, so {opposite}",
            f"assume that {supposed}. {chain}. That is the opposite of what was assumed, so {opposite}",
            f"say that {supposed}. {chain}. But that is the opposite, so {opposite}",
        )


class Corner(Chain):
    """A chain whose cells are all among the four in a corner."""


TECHNIQUES = tiers([Sandwich, Pair, Neighbours, Equals], [WayOut, Crowd, Corner], [Cut], [Chain], *HARDEST)


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


# ---- geometry -----------------------------------------------------------------------------------------------------------


class _Geometry:
    """Facts of a board of this size. corners: the corner cell, the two next to it, and the fourth of the square."""

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


_geometry = lru_cache(maxsize=32)(_Geometry)


# ---- the board ----------------------------------------------------------------------------------------------------------


class _Board(CellBoard):
    """Erased cells that touch at corners are joined to trees; the edge of the board, cell number `cells`, is part of one of them.
    A cell that touches one tree twice would shut something off.
    """

    AHEAD = (Ahead(LookAhead, 2), Ahead(FarLookAhead, 4), Ahead(DeepLookAhead, 4, True))

    def __init__(self, table: ErasureTable, ids: Sequence[str]) -> None:
        self.g = _geometry(table.rows, table.cols)
        cells = self.g.cells
        super().__init__(cells, ids, RULES if table.braced else RULES[:3], PROBES, 0)
        self.deep = cells <= DEEP_CELLS
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
        self.tree = list(range(cells + 1))
        self.set: list[int] = []  # cells that tier 1 has not looked at since they were set
        self.gone: list[int] = []  # the same of erased cells and tier 2
        self.shut = -1  # an erased cell that shuts something off
        self.uncut = False  # nothing was erased since tier 3 found nothing
        self.unlinked = False  # tier 4 found nothing; what is set later closes links and opens none
        self.corners = list(self.g.corners)  # those to look at; once is enough, as with chains
        self.sandwiches = [
            (a, b, c)
            for line in self.g.lines
            for a, b, c in zip(line, line[1:], line[2:], strict=False)
            if symbol[a] == symbol[c] >= 0
        ]
        self.pairs = [
            (a, b, line) for line in self.g.lines for a, b in zip(line, line[1:], strict=False) if symbol[a] == symbol[b] >= 0
        ]
        for cell in table.braced:
            self.put(cell, 0, "braced")

    def own(self) -> None:
        super().own()
        self.tree = list(self.tree)
        self.set, self.gone, self.corners, self.sandwiches, self.pairs = [], [], [], [], []

    def _root(self, cell: int) -> int:
        tree = self.tree
        while tree[cell] != cell:
            cell = tree[cell]
        return cell

    def _touched(self, cell: int) -> list[int]:
        """The trees that a cell touches, one that it touches twice twice."""
        roots = [self._root(other) for other in self.g.slanted[cell] if self.value[other] == 1]
        return [*roots, self._root(self.g.cells)] if self.g.edge[cell] else roots

    def put(self, slot: int, value: int, why: str) -> None:
        if value == 1:
            roots = self._touched(slot)
            if len(set(roots)) < len(roots):
                self.shut = slot
            for root in roots:
                self.tree[root] = slot
            self.gone.append(slot)
            self.uncut = False
        super().put(slot, value, why)
        self.set.append(slot)

    def run(self, top: int) -> None:
        while self._plain() or (top > 1 and self._near()) or (top > 2 and self._cut()) or (top > 3 and self._chain()):
            pass

    # ---- tier 1

    def _plain(self) -> bool:
        while self.sandwiches:
            a, b, c = self.sandwiches.pop(0)
            if self.value[a] == self.value[b] == self.value[c] == -1:  # else what is known says more
                return self.note(Sandwich(a, b, c), [self.shown[a], self.shown[c], "repeat", "adjacent"], [(b, 0)])
        while self.pairs:
            a, b, line = self.pairs.pop(0)
            further = [cell for cell in self.equal[a] if cell != b and cell in line and self.value[cell] < 0]
            if further and self.value[a] == self.value[b] == -1:
                uses = [self.shown[a], self.shown[b], *[self.shown[cell] for cell in further], "repeat", "adjacent"]
                return self.note(Pair(a, b, tuple(further)), uses, [(cell, 1) for cell in further])
        while self.set:
            cell = self.set[-1]  # what was set last is looked at first
            value = self.value[cell]
            others = self.equal[cell] if value == 0 else self.g.beside[cell]
            sets = []
            for other in others:
                if self.value[other] == value:
                    uses = [self.why[cell], self.why[other]]
                    if value:
                        self.note(Neighbours(tuple(sorted((cell, other)))), [*uses, "adjacent"])
                    self.note(Equals(tuple(sorted((cell, other)))), [*uses, self.shown[cell], self.shown[other], "repeat"])
                if self.value[other] < 0:
                    sets.append((other, 1 - value))
            self.set.pop()
            if sets and value:
                return self.note(Neighbours((cell,)), [self.why[cell], "adjacent"], sets)
            if sets:
                shown = [self.shown[other] for other, _ in sets]
                return self.note(Equals((cell,)), [self.why[cell], self.shown[cell], *shown, "repeat"], sets)
        return False

    # ---- tier 2

    def _near(self) -> bool:
        while self.gone:
            if self._way_out(self.gone[0]) or (self.braced and self._crowd(self.gone[0])):
                return True
            self.gone.pop(0)
        while self.corners:
            square = self.corners.pop()
            found = self._shortest(Corner, [(cell, value) for cell in square for value in (0, 1)], square)
            if found:
                self.corners.append(square)
                return self._note_chain(found)
        return False

    def _way_out(self, gone: int) -> bool:
        """Look at the cells next to an erased one; they stay, by tier 1, and there are two at least."""
        for cell in self.g.beside[gone]:
            out = [other for other in self.g.beside[cell] if self.value[other] != 1]
            if len(out) < 2 and (not out or self.value[out[0]] < 0):
                walls = [other for other in self.g.beside[cell] if other not in out]
                uses = [*[self.why[other] for other in walls], "adjacent", "connected"]
                return self.note(WayOut(cell, tuple(walls)), uses, [(other, 0) for other in out])
        return False

    def _crowd(self, gone: int) -> bool:
        for cell in self.g.around[gone]:
            if cell in self.braced:
                erased = [other for other in self.g.around[cell] if self.value[other] == 1]
                sets = [(other, 0) for other in self.g.around[cell] if self.value[other] < 0]
                if len(erased) > CROWD or (len(erased) == CROWD and sets):
                    del erased[CROWD + 1 :]
                    uses = [*[self.why[other] for other in erased], "braced"]
                    return self.note(Crowd(cell, tuple(erased)), uses, sets if len(erased) == CROWD else [])
        return False

    # ---- tier 3

    def _cut(self) -> bool:
        if self.shut >= 0:
            found, walls = self._walls(self.shut, -1)
            uses = [*[self.why[other] for other in walls], self.why[self.shut], "adjacent", "connected"]
            return self.note(found, uses)
        if self.uncut:
            return False
        for cell, value in enumerate(self.value):
            if value < 0:
                roots = self._touched(cell)
                if len(set(roots)) < len(roots):
                    found, walls = self._walls(cell, cell)
                    uses = [*[self.why[other] for other in walls], "adjacent", "connected"]
                    return self.note(found, uses, [(cell, 0)])
        self.uncut = True
        return False

    def _walls(self, cell: int, named: int) -> tuple[Cut, list[int]]:
        """Return how this cell, if it is erased, shuts something off, and the other erased cells, none to spare, of that wall.

        named: the cell of the finding.
        """
        erased = {other for other, value in enumerate(self.value) if value == 1} | {cell}
        sides = [(self._flood(other, erased), other) for other in self.g.beside[cell]]
        reached, side = min(sides, key=lambda entry: len(entry[0]))
        rest, far = next(entry for entry in sides if entry[1] not in reached)
        near = {other for other in erased if any(there in rest for there in self.g.beside[other])}
        inside = self._flood(side, near)
        walls = [other for other in sorted(near - {cell}) if any(there in inside for there in self.g.beside[other])]
        shut = tuple([other for other in sorted(inside) if self.value[other] != 1])
        wall = self._in_order([*walls, cell])
        return Cut(named, wall, self.g.edge[wall[0]] and self.g.edge[wall[-1]], shut, (side, far)), walls

    def _in_order(self, wall: list[int]) -> tuple[int, ...]:
        """The cells of a wall from corner to corner, from its end at the edge if it has one."""
        left = sorted(wall)
        ends = [cell for cell in left if sum(other in left for other in self.g.slanted[cell]) < 2]
        order = [ends[0] if ends else left[0]]
        left.remove(order[0])
        while left:
            order.append(next((cell for cell in self.g.slanted[order[-1]] if cell in left), left[0]))
            left.remove(order[-1])
        return tuple(order)

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

    def _refuting(self, cell: int, value: int, most: int, only: Sequence[int]) -> list[Link]:
        """The shortest chain from this to its opposite; [] if it takes more links than `most`."""
        start = 2 * cell + value
        came = {start: (-1, -1)}  # literal: the one before, and the kind
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
                        links = []
                        while literal != start:
                            before, kind = came[literal]
                            links.append((kind, literal >> 1, literal & 1))
                            literal = before
                        return links[::-1]
                    after.append((other, 1 - v))
            level = after
        return []

    def _shortest(self, kind: type[Chain], starts: Sequence[Fact], only: Sequence[int] = ()) -> Chain | None:
        found = None
        most = LINKS
        for cell, value in starts:
            links = self._refuting(cell, value, most, only) if self.value[cell] < 0 else []
            if links:
                found = kind(cell, value, tuple(links))
                most = len(links) - 1
        return found

    def _note_chain(self, chain: Chain) -> bool:
        uses = []
        before = chain.cell
        for kind, cell, _ in chain.links:
            uses += [self.shown[before], self.shown[cell], "repeat"] if kind == EQUAL else ["adjacent"]
            uses += ["connected"] if kind == CORNER else []
            before = cell
        return self.note(chain, uses, [(chain.cell, 1 - chain.value)])

    def _chain(self) -> bool:
        if self.unlinked:
            return False
        starts = []
        for cell, value in enumerate(self.value):
            if value < 0:
                # a chain comes back by another link than the one it left by
                starts += [(cell, v) for v in (0, 1) if len(self._links(cell, v)) > 1]
        found = self._shortest(Chain, starts)
        self.unlinked = found is None
        return found is not None and self._note_chain(found)

    # ---- looking ahead

    def sort(self, cells: list[int]) -> None:
        """From cells near to what is known, and with many equals."""
        cells.sort(key=lambda i: (-len(self._links(i, 0)) - sum(self.value[other] >= 0 for other in self.g.around[i]), i))

    def tried(self, literal: int, ahead: Ahead) -> Refuted | Collection[int] | None:
        self.probes[0] += 1
        other = self.supposing([divmod(literal, 2)])
        tale = other.refuted(ahead.top, ahead.deep)
        if tale is None:
            return [2 * i + v for i, v in enumerate(other.value) if v >= 0 > self.value[i]]
        return Refuted((length(tale[1]),), tale)
