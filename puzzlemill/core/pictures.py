"""Pictures as stand-alone SVG: a grid of cells, places on a ring with arrows between them, lines of text, and free drawings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from html import escape
from math import cos, hypot, pi, sin
from textwrap import wrap

from puzzlemill.core.text import visible

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


def svg_text(text: str) -> str:
    """A text as it stands in a picture: no markup, and nothing that a page does not show."""
    return escape(visible(text))


class Board:
    """A picture of a grid, put together piece by piece; cells are numbered row by row.

    above, below, left, right: cells' widths of room around the grid, for hints (see at()). wide: the width of a cell.
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
        """Write a text in the middle of a cell, or of a place next to the grid (row or col outside of it)."""
        x, y = self.x + self.side * col + self.side // 2, self.y + SIDE * row + SIDE // 2 + size // 3 + 1
        self._over.append(f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{size}" {ink}>{svg_text(text)}</text>')

    def text(self, cell: int, text: str, ink: str = GIVEN, size: int = 20) -> None:
        """Write a text in a cell."""
        self.at(*divmod(cell, self.cols), text, ink, size)

    def corner(self, cell: int, text: str) -> None:
        """Write a small text in the upper left corner of a cell."""
        r, c = divmod(cell, self.cols)
        x, y = self.x + self.side * c + 3, self.y + SIDE * r + 10
        self._over.append(f'<text x="{x}" y="{y}" font-size="9" {PLAIN}>{svg_text(text)}</text>')

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
                words.append(f'<text x="{EDGE}" y="{below}" font-size="12" {ink}>{svg_text(line)}</text>')
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
    texts = [f'<text x="{EDGE}" y="{20 * n + 5}" {ink}>{svg_text(text)}</text>' for n, (text, ink) in enumerate(rows, 1)]
    width, high = 2 * EDGE + 9 * max([len(text) for text, _ in rows]), 20 * len(rows) + 2 * EDGE
    ground = f'<rect width="{width}" height="{high}" fill="#fff"/>'
    font = 'font-family="monospace" font-size="14"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {high}" {font}>{ground}{"".join(texts)}</svg>'


# ---- free drawings ------------------------------------------------------------------------------------------------------

_TIP = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" '
    'orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>'
)


class Drawing:
    """A free picture; what is drawn later lies on top."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def text(
        self,
        x: int,
        y: int,
        text: str,
        ink: str = INK,
        size: int = 12,
        *,
        left: bool = False,
        right: bool = False,
        rim: bool = False,
        upward: bool = False,
    ) -> None:
        """Write a text around x, from x on (left) or up to it (right). rim: white, so that it can be read on top of lines.

        upward: turned round that point, so that it runs from below.
        """
        anchor = "" if left else ' text-anchor="end"' if right else ' text-anchor="middle"'
        at = f'x="{x}" y="{y}" font-size="{size}"{anchor}' + (f' transform="rotate(-90 {x} {y})"' if upward else "")
        if rim:
            self._parts.append(f'<text {at} stroke="#fff" stroke-width="3">{svg_text(text)}</text>')
        self._parts.append(f"<text {at} {ink}>{svg_text(text)}</text>")

    def line(self, path: str, colour: str = "#333", width: int = 1, *, tip: bool = False) -> None:
        """Draw along a path in the words of SVG. tip: it is an arrow."""
        end = ' marker-end="url(#tip)"' if tip else ""
        self._parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{end}/>')

    def area(self, path: str, colour: str) -> None:
        """Fill what a path in the words of SVG goes round."""
        self._parts.append(f'<path d="{path}" fill="{colour}"/>')

    def box(self, x: int, y: int, wide: int, high: int, colour: str) -> None:
        """Draw a box with round corners and a thin rim."""
        self._parts.append(f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="4" fill="{colour}" stroke="#333"/>')

    def disc(self, x: int, y: int, radius: int, colour: str, rim: int = 1) -> None:
        """Draw a disc with a rim of this width."""
        self._parts.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}" stroke="#333" stroke-width="{rim}"/>')

    def svg(self, wide: int, high: int) -> str:
        """The whole picture."""
        body = "".join(self._parts)
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" font-family="sans-serif">'
        return f"{head}{_TIP if 'url(#tip)' in body else ''}{body}</svg>"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of a map. name: written in it. label: next to it. rim: how wide it is."""

    name: str
    label: str
    colour: str = "#fff"
    rim: int = 1


def ring(spots: Sequence[Spot], arrows: Sequence[tuple[int, int, str, bool]], caption: str, marked: bool = False) -> str:
    """A map whose places stand on a ring, the first at the top, and then clockwise; its caption above.

    arrows: (from, to, text, whether it stands out), at most one from each place to each other. marked: the caption stands out.
    """
    radius, picture = max(120, 24 * len(spots)), Drawing()
    middle = radius + 70
    turns = [2 * pi * place / len(spots) for place in range(len(spots))]
    centres = [(round(middle + radius * sin(turn)), round(middle - radius * cos(turn))) for turn in turns]
    texts = []
    for source, target, text, bold in arrows:
        (x1, y1), (x2, y2) = centres[source], centres[target]
        dx, dy = x2 - x1, y2 - y1
        far = max(1, round(hypot(dx, dy)))
        # bent to one side, so that an arrow there and one back lie apart; it ends at the rims of the places
        bx, by = (x1 + x2) // 2 - dy * 20 // far, (y1 + y2) // 2 + dx * 20 // far
        x1, y1, x2, y2 = x1 + dx * 17 // far, y1 + dy * 17 // far, x2 - dx * 17 // far, y2 - dy * 17 // far
        picture.line(f"M{x1} {y1}Q{bx} {by} {x2} {y2}", "#c40" if bold else "#888", 3 if bold else 1, tip=True)
        texts.append(((4 * x1 + 4 * bx + x2) // 9, (4 * y1 + 4 * by + y2) // 9 + 4, text))
    for x, y, text in texts:
        picture.text(x, y, text, 'fill="#036"', rim=True)
    for spot, (x, y) in zip(spots, centres, strict=True):
        picture.disc(x, y, 16, spot.colour, spot.rim)
        picture.text(x, y + 4, spot.name)
        picture.text(x, y + 30 if y > middle else y - 22, spot.label, PLAIN, rim=True)
    picture.text(8, 18, caption, MARKED if marked else INK, 14, left=True)
    return picture.svg(2 * middle, 2 * middle)
