"""Family trees as pictures, and as text."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from puzzlemill.core.model import BLANK
from puzzlemill.core.pictures import EDGE, FOUND, GIVEN, MARKED, PLAIN, Drawing

_LETTER, _HIGH, _GAP, _LEVEL, _LINE, _WIDEST = 8, 24, 14, 62, 16, 7
_MAN, _WOMAN, _OPEN = "#dfe9f7", "#fdf0cf", "#eeeeee"


class _Tree:
    """Who stands where: roots and, of each of them, spouse and children. rows: a family that may have blanks."""

    def __init__(self, rows: Sequence[Sequence[int]]) -> None:
        self.rows = rows
        people = range(len(rows))
        child = [any(parent not in (BLANK, x) for parent in rows[x][2:]) for x in people]
        self.beside = [-1] * len(rows)  # of the descendant of a couple: the other one
        self.married_in = [False] * len(rows)
        for x in people:
            y = rows[x][1]
            if y not in (BLANK, x) and not self.married_in[x] and (child[x] or (not child[y] and x < y)):
                self.beside[x], self.married_in[y] = y, True
        self.roots = [x for x in people if not child[x] and not self.married_in[x]]

    def children(self, x: int) -> list[int]:
        """The children of a descendant and of the other one of that couple."""
        couple = [p for p in (x, self.beside[x]) if p >= 0]
        return [c for c, row in enumerate(self.rows) if any(p in couple and p != c for p in row[2:]) and not self.married_in[c]]


def tree_text(names: Sequence[str], rows: Sequence[Sequence[int]]) -> str:
    """A family tree as text: couples joined by =, their children below them, (m) and (w) after the names."""
    tree = _Tree(rows)

    def called(x: int) -> str:
        return f"{names[x]} ({'mw'[rows[x][0]] if rows[x][0] != BLANK else '?'})"

    def lines(x: int) -> list[str]:
        head = called(x) + (f" = {called(tree.beside[x])}" if tree.beside[x] >= 0 else "")
        children, out = tree.children(x), [head]
        for k, child in enumerate(children):
            last = k == len(children) - 1
            first, *rest = lines(child)
            out += [("`-- " if last else "|-- ") + first, *[("    " if last else "|   ") + line for line in rest]]
        return out

    return "\n".join([line for root in tree.roots for line in lines(root)])


def picture(names: Sequence[str], rows: Sequence[Sequence[int]] | None, told: Sequence[tuple[str, bool]]) -> str:
    """The family tree, if there is one, above the statements, those that are marked in red."""
    drawing = Drawing()
    wide, high = 560, EDGE
    if rows is not None:
        across, high = _drawn(drawing, names, rows)
        wide = max(wide, across)
    for text, marked in told:
        for line in wrap(text, max(20, (wide - 2 * EDGE) // _WIDEST)):
            high += _LINE
            drawing.text(EDGE, high, line, MARKED if marked else PLAIN, 13, left=True)
    return drawing.svg(wide, high + EDGE)


def _drawn(drawing: Drawing, names: Sequence[str], rows: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Draw a tree; how wide and high it is."""
    tree = _Tree(rows)
    lowest = [EDGE]

    def box(x: int, left: int, top: int) -> int:
        wide = _LETTER * len(names[x]) + 16
        drawing.box(left, top, wide, _HIGH, (_MAN, _WOMAN, _OPEN)[rows[x][0]])
        drawing.text(left + wide // 2, top + 16, names[x], GIVEN if rows[x][0] == BLANK else FOUND, 13)
        return wide

    def place(x: int, left: int, top: int) -> tuple[int, int]:
        """Draw a descendant with all below; the middle of the couple, and where the next one may begin."""
        other, own = tree.beside[x], _LETTER * len(names[x]) + 16
        wide = own + (_GAP + _LETTER * len(names[other]) + 16 if other >= 0 else 0)
        at, middles = left, []
        for child in tree.children(x):
            middle, at = place(child, at, top + _LEVEL)
            middles.append(middle)
        here = max(left, (middles[0] + middles[-1]) // 2 - wide // 2) if middles else left
        centre = here + wide // 2 if other < 0 else here + own + _GAP // 2
        if other >= 0:
            drawing.line(f"M{here + own} {top + _HIGH // 2 - 2}h{_GAP}m0 4h-{_GAP}")
        for middle in middles:
            drawing.line(f"M{centre} {top + _HIGH // 2 + (2 if other >= 0 else 12)}V{top + 42}H{middle}V{top + _LEVEL}")
        box(x, here, top)
        if other >= 0:
            box(other, here + own + _GAP, top)
        lowest[0] = max(lowest[0], top + _HIGH)
        return centre, max(at, here + wide + _GAP)

    left = EDGE
    for root in tree.roots:
        _, left = place(root, left, EDGE)
    return left, lowest[0] + _GAP
