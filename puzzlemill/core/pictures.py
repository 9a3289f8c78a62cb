"""Pictures of boards: a grid of cells as stand-alone SVG, with tints, texts, rings, thick borders and captions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from html import escape
from textwrap import wrap

SIDE, EDGE = 36, 10  # of a cell; around the grid
PLAIN, GIVEN, FOUND, FADED, MARKED = (
    'fill="#444"',
    'fill="#111" font-weight="bold"',
    'fill="#1a5fb4"',
    'fill="#999"',
    'fill="#c01c28" font-weight="bold"',
)
INK = 'fill="#111"'
MARK, ERASED, BLOCKED, SHUT = "#f6b6ae", "#333", "#777", "#c8ccd2"  # tints: of marked, erased, blocked and closed cells
SHADES = ("#fdf0cf", "#dfe9f7", "#e4f1df", "#f1e2ee")  # quiet tints of areas


class Board:
    """A picture of a grid, put together piece by piece; cells are numbered row by row.

    above, below, left, right: cells' widths of room beside the grid, for hints (see at()). wide: the width of a cell.
    """

    def __init__(
        self, rows: int, cols: int, *, above: int = 0, below: int = 0, left: int = 0, right: int = 0, wide: int = SIDE
    ) -> None:
        self.rows, self.cols, self.side = rows, cols, wide
        self.x, self.y = EDGE + wide * left, EDGE + SIDE * above
        self.wide, self.high = 2 * EDGE + wide * (left + cols + right), 2 * EDGE + SIDE * (above + rows + below)
        self._under: list[str] = []
        self._over: list[str] = []
        self._captions: list[tuple[str, str]] = []  # and their ink
        self._thick: str = ""

    def at(self, row: int, col: int, text: str, ink: str = GIVEN, size: int = 20) -> None:
        """Write a text in the middle of a cell, or of a place beside the grid (row or col outside of it)."""
        x, y = self.x + self.side * col + self.side // 2, self.y + SIDE * row + SIDE // 2 + size // 3 + 1
        self._over.append(f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{size}" {ink}>{escape(text)}</text>')

    def text(self, cell: int, text: str, ink: str = GIVEN, size: int = 20) -> None:
        """Write a text in a cell."""
        self.at(*divmod(cell, self.cols), text, ink, size)

    def tint(self, cells: Collection[int], colour: str, below: bool = False) -> None:
        """Colour the ground of cells; what is tinted later lies above, or below all that is there."""
        if cells:
            w = self.side
            boxes = "".join(
                [f"M{self.x + w * (i % self.cols)} {self.y + SIDE * (i // self.cols)}h{w}v{SIDE}h-{w}z" for i in cells]
            )
            self._under.insert(0 if below else len(self._under), f'<path d="{boxes}" fill="{colour}"/>')

    def frame(self, cells: Collection[int]) -> None:
        """Draw a small square within each cell."""
        for i in cells:
            x, y = self.x + self.side * (i % self.cols) + 4, self.y + SIDE * (i // self.cols) + 4
            self._over.append(f'<rect x="{x}" y="{y}" width="{self.side - 8}" height="{SIDE - 8}" fill="none" stroke="#111"/>')

    def dot(self, cells: Collection[int], colour: str = "#1a5fb4", radius: int = 9) -> None:
        """Draw a disc within each cell."""
        for i in cells:
            x, y = self.x + self.side * (i % self.cols) + self.side // 2, self.y + SIDE * (i // self.cols) + SIDE // 2
            self._over.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>')

    def borders(self, zone: Callable[[int], int] | Sequence[int], colour: str = "#111") -> None:
        """Draw thick borders between cells of different zones."""
        of = zone if callable(zone) else zone.__getitem__
        lines = []
        for i in range(self.rows * self.cols):
            x, y = self.x + self.side * (i % self.cols), self.y + SIDE * (i // self.cols)
            if i % self.cols and of(i) != of(i - 1):
                lines.append(f"M{x} {y}v{SIDE}")
            if i >= self.cols and of(i) != of(i - self.cols):
                lines.append(f"M{x} {y}h{self.side}")
        self._thick += f'<path d="{"".join(lines)}" stroke="{colour}" stroke-width="3" stroke-linecap="square" fill="none"/>'

    def caption(self, text: str, marked: bool = False, ink: str = PLAIN) -> None:
        """Write a sentence below the grid, in lines as wide as the picture."""
        self._captions.append((text, MARKED if marked else ink))

    def svg(self) -> str:
        """The whole picture."""
        wide, below = max(self.wide, 340) if self._captions else self.wide, self.high - EDGE
        words = []
        for text, ink in self._captions:
            for k, line in enumerate(wrap(text, (wide - 2 * EDGE) // 7)):
                below += 16 if k else 22
                words.append(f'<text x="{EDGE}" y="{below}" font-size="12" {ink}>{escape(line)}</text>')
        right, bottom = self.side * self.cols, SIDE * self.rows
        thin = [f"M{self.x + self.side * c} {self.y}v{bottom}" for c in range(1, self.cols)]
        thin += [f"M{self.x} {self.y + SIDE * r}h{right}" for r in range(1, self.rows)]
        box = f'x="{self.x}" y="{self.y}" width="{right}" height="{bottom}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {below + EDGE}" font-family="sans-serif">'
            f'<rect {box} fill="#fff"/>{"".join(self._under)}<path d="{"".join(thin)}" stroke="#999" fill="none"/>{self._thick}'
            f'<rect {box} fill="none" stroke="#111" stroke-width="2"/>{"".join(self._over)}{"".join(words)}</svg>'
        )


def text_picture(lines: Sequence[tuple[str, str]], wide: int = 90) -> str:
    """Lines of text, each with its ink, in letters of one width; what is longer than `wide` signs goes on in the next line."""
    rows = [(text[i : i + wide], ink) for text, ink in lines for i in range(0, max(1, len(text)), wide)]
    texts = [f'<text x="{EDGE}" y="{20 * n + 5}" {ink}>{escape(text)}</text>' for n, (text, ink) in enumerate(rows, 1)]
    width, high = 2 * EDGE + 9 * max([len(text) for text, _ in rows]), 20 * len(rows) + 2 * EDGE
    ground = f'<rect width="{width}" height="{high}" fill="#fff"/>'
    font = 'font-family="monospace" font-size="14"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {high}" {font}>{ground}{"".join(texts)}</svg>'
