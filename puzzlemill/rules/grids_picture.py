"""The cross table of a logic grid, as magazines print it: every two categories share a square, with crosses and ticks in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from textwrap import wrap

from puzzlemill.core.pictures import EDGE, FOUND, INK, MARKED, PLAIN, Drawing

_SIDE = 20  # of a cell
_LETTER = 6.6  # the width of a letter of a name
_LINE, _WIDEST = 16, 7  # the height of a line below the table; pixels for each of its letters
_NEW = "#fdf0cf"

Pair = tuple[int, int]  # two items, by their numbers c * items + v, the smaller one first


class CrossTable:
    """The picture of a table. titles, names: of the categories and of their items. Each pair is one cell."""

    def __init__(self, titles: Sequence[str], names: Sequence[Sequence[str]]) -> None:
        self.m, self.n = len(names), len(names[0])
        self.names = [name for each in names for name in each]
        longest = max(map(len, self.names))
        self.room = round(_LETTER * longest) + 12 + 16  # for names, and for the title beside them
        self.across = list(range(1, self.m))
        self.down = [0, *range(self.m - 1, 1, -1)]  # a staircase: each row of squares has one less than the row above it
        self.wide = 2 * EDGE + self.room + _SIDE * self.n * (self.m - 1)
        self._drawing = Drawing()
        self._below: list[tuple[str, str]] = []
        self._titles = titles

    def cell(self, pair: Pair) -> tuple[int, int]:
        """The upper left corner of a pair's cell."""
        n = self.n
        row, col = pair if pair[0] < n else pair[::-1]
        top = self.down.index(row // n) * n + row % n
        left = self.across.index(col // n) * n + col % n
        return EDGE + self.room + _SIDE * left, EDGE + self.room + _SIDE * top

    def tint(self, pairs: Collection[Pair]) -> None:
        """Colour the ground of some cells."""
        for pair in sorted(pairs):
            x, y = self.cell(pair)
            self._drawing.area(f"M{x} {y}h{_SIDE}v{_SIDE}h-{_SIDE}z", _NEW)

    def fill(self, ticks: Collection[Pair], crosses: Collection[Pair]) -> None:
        """Put ticks and crosses into cells."""
        path = []
        for pair in sorted(crosses):
            x, y = self.cell(pair)
            path.append(f"M{x + 6} {y + 6}l8 8M{x + 14} {y + 6}l-8 8")
        self._drawing.line("".join(path), "#999")
        path = []
        for pair in sorted(ticks):
            x, y = self.cell(pair)
            path.append(f"M{x + 4} {y + 11}l4 4l8 -10")
        self._drawing.line("".join(path), "#1a5fb4", 3)

    def caption(self, text: str, marked: bool = False) -> None:
        """Write a sentence below the table."""
        self._below.append((text, MARKED if marked else PLAIN))

    def svg(self) -> str:
        """The whole picture."""
        n, block, start = self.n, _SIDE * self.n, EDGE + self.room
        picture = self._drawing
        thin, thick = [], []
        for k, c in enumerate(self.down):
            wide = block * (self.m - 1 - k)
            top = start + block * k
            thin += [f"M{start} {top + _SIDE * v}h{wide}" for v in range(1, n)]
            thick += [f"M{start} {top}h{wide}v{block}h-{wide}z"]
            for v in range(n):
                picture.text(start - 6, top + _SIDE * v + 14, self.names[c * n + v], INK, right=True)
            picture.text(EDGE + 10, top + block // 2, self._titles[c], FOUND, upward=True)
        for k, c in enumerate(self.across):
            high, left = block * (self.m - 1 - k), start + block * k
            thin += [f"M{left + _SIDE * v} {start}v{high}" for v in range(1, n)]
            thick += [f"M{left} {start}h{block}v{high}h-{block}z"]
            for v in range(n):
                picture.text(left + _SIDE * v + 14, start - 6, self.names[c * n + v], INK, upward=True, left=True)
            picture.text(left + block // 2, EDGE + 10, self._titles[c], FOUND)
        picture.line("".join(thin), "#bbb")
        picture.line("".join(thick), "#111", 2)
        wide, below = max(self.wide, 420) if self._below else self.wide, self.wide
        for text, ink in self._below:
            for k, line in enumerate(wrap(text, (wide - 2 * EDGE) // _WIDEST)):
                below += _LINE if k else _LINE + 4
                picture.text(EDGE, below, line, ink, left=True)
        return picture.svg(wide, below + EDGE)


def cross_table(
    titles: Sequence[str],
    names: Sequence[Sequence[str]],
    answer: Sequence[Sequence[int]] | None,
    sentences: Sequence[tuple[str, bool]] = (),
) -> str:
    """The table of a puzzle with the ticks of an answer, which may have blanks (negative). sentences: below it, marked or not."""
    picture, n = CrossTable(titles, names), len(names[0])
    ticks = set[Pair]()
    for e in range(n):
        mine = [e, *[c * n + row[e] for c, row in enumerate(answer or (), 1) if row[e] >= 0]]
        ticks.update(combinations(mine, 2))
    picture.fill(ticks, ())
    for text, marked in sentences:
        picture.caption(text, marked)
    return picture.svg()


def known_table(
    titles: Sequence[str],
    names: Sequence[Sequence[str]],
    ticks: Collection[Pair],
    crosses: Collection[Pair],
    new: Collection[Pair],
) -> str:
    """The table as a solver has it: a tick puts crosses into the rest of its row and its column. new: on coloured ground."""
    n, more = len(names[0]), set(crosses)
    for x, y in ticks:
        more.update([(x, y - y % n + v) for v in range(n)])
        more.update([(x - x % n + v, y) for v in range(n)])
    picture = CrossTable(titles, names)
    picture.tint(new)
    picture.fill(ticks, more.difference(ticks))
    return picture.svg()
