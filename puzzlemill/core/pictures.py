"""Pictures of boards: a grid of cells as stand-alone SVG, with tints, texts, rings, thick borders and captions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from html import escape
from textwrap import wrap

SIDE, EDGE = 36, 10  # of a cell; around the grid
GIVEN, FOUND, FADED, MARKED = (
    'fill="#111" font-weight="bold"',
    'fill="#1a5fb4"',
    'fill="#999"',
    'fill="#c01c28" font-weight="bold"',
)
MARK, ERASED, BLOCKED, SHUT = "#f6b6ae", "#333", "#777", "#c8ccd2"  # tints: of marked, erased, blocked and closed cells
SHADES = ("#fdf0cf", "#dfe9f7", "#e4f1df", "#f1e2ee")  # quiet tints of areas


class Board:
    """A picture of a grid, put together piece by piece; cells are numbered row by row.

    above, below, left, right: cells' widths of room beside the grid, for hints (see at()).
    """

    def __init__(self, rows: int, cols: int, *, above: int = 0, below: int = 0, left: int = 0, right: int = 0) -> None:
        self.rows, self.cols = rows, cols
        self.x, self.y = EDGE + SIDE * left, EDGE + SIDE * above
        self.wide, self.high = 2 * EDGE + SIDE * (left + cols + right), 2 * EDGE + SIDE * (above + rows + below)
        self._under: list[str] = []
        self._over: list[str] = []
        self._captions: list[tuple[str, bool]] = []
        self._thick: str = ""

    def at(self, row: int, col: int, text: str, ink: str = GIVEN, size: int = 20) -> None:
        """Write a text in the middle of a cell, or of a place beside the grid (row or col outside of it)."""
        x, y = self.x + SIDE * col + SIDE // 2, self.y + SIDE * row + SIDE // 2 + size // 3 + 1
        self._over.append(f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{size}" {ink}>{escape(text)}</text>')

    def text(self, cell: int, text: str, ink: str = GIVEN, size: int = 20) -> None:
        """Write a text in a cell."""
        self.at(*divmod(cell, self.cols), text, ink, size)

    def tint(self, cells: Collection[int], colour: str) -> None:
        """Colour the ground of cells; what is tinted later lies above."""
        if cells:
            boxes = "".join(
                [f"M{self.x + SIDE * (i % self.cols)} {self.y + SIDE * (i // self.cols)}h{SIDE}v{SIDE}h-{SIDE}z" for i in cells]
            )
            self._under.append(f'<path d="{boxes}" fill="{colour}"/>')

    def frame(self, cells: Collection[int]) -> None:
        """Draw a small square within each cell."""
        for i in cells:
            x, y = self.x + SIDE * (i % self.cols) + 4, self.y + SIDE * (i // self.cols) + 4
            self._over.append(f'<rect x="{x}" y="{y}" width="{SIDE - 8}" height="{SIDE - 8}" fill="none" stroke="#111"/>')

    def dot(self, cells: Collection[int], colour: str = "#1a5fb4", radius: int = 9) -> None:
        """Draw a disc within each cell."""
        for i in cells:
            x, y = self.x + SIDE * (i % self.cols) + SIDE // 2, self.y + SIDE * (i // self.cols) + SIDE // 2
            self._over.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>')

    def borders(self, zone: Callable[[int], int] | Sequence[int], colour: str = "#111") -> None:
        """Draw thick borders between cells of different zones."""
        of = zone if callable(zone) else zone.__getitem__
        lines = []
        for i in range(self.rows * self.cols):
            x, y = self.x + SIDE * (i % self.cols), self.y + SIDE * (i // self.cols)
            if i % self.cols and of(i) != of(i - 1):
                lines.append(f"M{x} {y}v{SIDE}")
            if i >= self.cols and of(i) != of(i - self.cols):
                lines.append(f"M{x} {y}h{SIDE}")
        self._thick += f'<path d="{"".join(lines)}" stroke="{colour}" stroke-width="3" stroke-linecap="square" fill="none"/>'

    def caption(self, text: str, marked: bool = False) -> None:
        """Write a sentence below the grid, in lines as wide as the picture."""
        self._captions.append((text, marked))

    def svg(self) -> str:
        """The whole picture."""
        wide, below = max(self.wide, 340) if self._captions else self.wide, self.high - EDGE
        words = []
        for text, marked in self._captions:
            for k, line in enumerate(wrap(text, (wide - 2 * EDGE) // 7)):
                below += 16 if k else 22
                words.append(f'<text x="{EDGE}" y="{below}" font-size="12" {MARKED if marked else FADED}>{escape(line)}</text>')
        right, bottom = SIDE * self.cols, SIDE * self.rows
        thin = [f"M{self.x + SIDE * c} {self.y}v{bottom}" for c in range(1, self.cols)]
        thin += [f"M{self.x} {self.y + SIDE * r}h{right}" for r in range(1, self.rows)]
        box = f'x="{self.x}" y="{self.y}" width="{right}" height="{bottom}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {below + EDGE}" font-family="sans-serif">'
            f'<rect {box} fill="#fff"/>{"".join(self._under)}<path d="{"".join(thin)}" stroke="#999" fill="none"/>{self._thick}'
            f'<rect {box} fill="none" stroke="#111" stroke-width="2"/>{"".join(self._over)}{"".join(words)}</svg>'
        )
