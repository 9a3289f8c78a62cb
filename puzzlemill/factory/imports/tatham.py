"""Game ids of Simon Tatham's Portable Puzzle Collection, for the games that are families here: `solo 3x3:a3d1_9a8...`.

An id is the game's parameters, a colon and its description; `#` in place of the colon would be a random seed, which only his
program can follow. The formats are those of his sources (solo.c, unruly.c, towers.c, singles.c, mines.c), and a test reads ids
that his programs made. What is mapped:

solo      sudoku       blocks of any shape, x (diagonals), j (irregular zones); killer (k) is refused: it has cages
unruly    binario      u (no two lines alike)
towers    skyscraper   hints at the sides and heights that are shown
singles   hitori       all of it
mines     minesweeper  the board after the first click that the id names, with the number of mines: which cells must hold one?
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha1
from itertools import count

from puzzlemill.core.errors import BadInput, BadRow
from puzzlemill.factory.imports.forms import NONSENSE, Asked, Item, numbered, puzzle_of
from puzzlemill.generators import family_named

GAMES = {"solo": "sudoku", "unruly": "binario", "towers": "skyscraper", "singles": "hitori", "mines": "minesweeper"}
_ID = re.compile(
    r"(?:(?P<game>[a-z]{3,12})[ :]\s*)?(?P<params>\d{1,3}(?:[xj]\d{0,3})?[a-z0-9]*)(?P<sign>[:#])(?P<text>\S+)(?P<name>.*)",
    re.ASCII,
)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST = 40  # cells of a side
_BOXES = {(2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4), (5, 5)}  # rows and columns of the usual box of each size


class _Ids:
    name = "tatham"
    about = "game ids of Tatham's collection, one a line, with the game's name before it or --family"

    def fits(self, head: str, asked: Asked) -> bool:
        del asked
        first = next((line for _, line in numbered(head)), "")
        return bool(_ID.fullmatch(first.strip()))

    def items(self, text: str, asked: Asked) -> Iterator[Item]:
        for number, line in numbered(text):
            family = ""
            try:
                found = _ID.fullmatch(line.strip())
                if found is None:
                    raise BadRow(f"expected an id such as solo 3x3:a3d1_9..., got {line.strip()[:40]!r}")
                family = _family(found["game"] or "", asked)
                if found["sign"] == "#":
                    raise BadRow("a random seed, which says nothing of the puzzle without his program; write the id with a colon")
                puzzle = puzzle_of(_READ[family](_params(found["params"]), found["text"]), family_named(family))
                yield Item(number, found["name"].lstrip(" #,;"), family, puzzle)
            except BadInput as error:
                yield Item(number, "", family, None, problem=str(error))
            except NONSENSE as error:
                yield Item(number, "", family, None, problem=f"no description of this game ({type(error).__name__}: {error})")


def _family(game: str, asked: Asked) -> str:
    known = ", ".join(f"{name} ({family})" for name, family in GAMES.items())
    if game and game not in GAMES:
        raise BadRow(f"of Tatham's games these can be read: {known}; not {game!r}")
    family = GAMES[game] if game else asked.family
    if family not in GAMES.values():
        raise BadRow(f"an id does not say its game: write one of {', '.join(GAMES)} before it, or give --family; known: {known}")
    return family


@dataclass(frozen=True, slots=True)
class _Params:
    """The parameters of an id: the text, width and height (the same where there is one number), and the letters that follow."""

    text: str
    wide: int
    high: int
    rest: str


def _params(text: str) -> _Params:
    found = re.fullmatch(r"(\d+)(?:x(\d+))?([a-z0-9]*)", text, re.ASCII)
    if found is None or not all(1 <= int(side) <= _MOST for side in (found[1], found[2] or found[1])):
        raise BadRow(f"parameters {text[:40]!r}: expected a size of 1 to {_MOST} cells, such as 9x9")
    return _Params(text, int(found[1]), int(found[2] or found[1]), found[3])


def _runs(text: str, cells: int) -> list[str]:
    """Cells of "a3d1_9": letters are so many empty cells, numbers stand for themselves, "_" keeps two of them apart."""
    found: list[str] = []
    if re.sub(r"[a-z_]|[0-9]+", "", text):
        raise BadRow(f"expected letters, numbers and _, got {text[:40]!r}")
    for part in re.findall(r"[a-z]|[0-9]+", text):
        found += ["."] * (ord(part) - ord("a") + 1) if part.isalpha() else [part]
    if len(found) != cells:
        raise BadRow(f"describes {len(found)} cells, its parameters say {cells}")
    return found


def _rows(cells: list[str], width: int) -> str:
    return "\n".join([" ".join(cells[at : at + width]) for at in range(0, len(cells), width)])


def _solo(params: _Params, text: str) -> str:
    jigsaw, rest = "j" in params.rest, params.rest
    wide, high = (
        (1, params.wide) if jigsaw else (params.wide, params.high)
    )  # blocks across, and blocks down; each is `high` wide and `wide` tall
    if not jigsaw and not re.match(r"\d+x\d+", params.text):
        raise BadRow(f"parameters {params.text[:40]!r}: expected blocks, such as 3x3, or a jigsaw, such as 9j")
    n = wide * high
    if n * n > _MOST * _MOST:
        raise BadRow(f"parameters {params.text[:40]!r}: a side of {n} cells, at most {_MOST} are read")
    if "k" in rest:
        raise BadRow("a killer sudoku: its cages have no place in the family")
    grid, comma, blocks = text.partition(",")
    if bool(comma) != jigsaw:
        raise BadRow("a jigsaw has a map of its zones behind a comma, and no other grid has one")
    heading = "sudoku diagonals" if "x" in rest else "sudoku"
    lines = [heading, _rows(_runs(grid, n * n), n)]
    if jigsaw or (wide, high) not in _BOXES:
        zones = _zones(blocks, n) if jigsaw else [(i // n // wide) * wide + i % n // high for i in range(n * n)]
        lines += ["zones", _rows([_LETTERS[zone] for zone in zones], n).replace(" ", "")]
    return "\n".join(lines)


def _zones(text: str, n: int) -> list[int]:
    """The zone of every cell from the walls between cells: letters are so many places without a wall, then one with a wall."""
    open_: list[bool] = []
    for sign in text:
        if sign != "_" and not ("a" <= sign <= "z"):
            raise BadRow(f"expected letters and _ in the map of zones, got {sign!r}")
        run = 0 if sign == "_" else ord(sign) - ord("a") + 1
        open_ += [True] * min(run, 25) + [False] * (sign != "z")  # z: 25 places, and no wall yet
    if len(open_) != 2 * n * (n - 1) + 1:
        raise BadRow(f"the map of zones has {len(open_) - 1} places for walls, expected {2 * n * (n - 1)}")
    zone = list(range(n * n))

    def root(cell: int) -> int:
        while zone[cell] != cell:
            cell = zone[cell]
        return cell

    for at, free in enumerate(open_[:-1]):
        upright = at < n * (n - 1)
        y, x = (at // (n - 1), at % (n - 1)) if upright else (at % (n - 1), at // (n - 1) - n)
        if free:
            one, other = sorted((root(y * n + x), root(y * n + x + 1 if upright else (y + 1) * n + x)))
            zone[other] = one
    roots = [root(cell) for cell in range(n * n)]
    order = list(dict.fromkeys(roots))
    if any(roots.count(each) != n for each in order):
        raise BadRow(f"the map of zones has zones that are not of {n} cells")
    return [order.index(each) for each in roots]


def _unruly(params: _Params, text: str) -> str:
    wide, high = params.wide, params.high
    cells, at = ["."] * (wide * high + 1), -1
    for sign in text:
        if not (sign.isascii() and sign.isalpha()):
            raise BadRow(f"expected letters, got {sign!r}")
        step = ord(sign.lower()) - ord("a") + 1
        at += min(step, 25)  # z: 25 empty cells, and no cell that is shown
        if at >= len(cells):
            raise BadRow(f"describes more than {wide * high} cells")
        if step < 26:
            cells[at] = "1" if sign.isupper() else "0"
    if at != wide * high:
        raise BadRow(f"describes {at} cells, its parameters say {wide * high}")
    return "\n".join([f"binario{' distinct' if 'u' in params.rest else ''}", _rows(cells[:-1], wide)])


def _towers(params: _Params, text: str) -> str:
    n = params.wide
    hints, comma, grid = text.partition(",")
    sides = hints.split("/")
    if len(sides) != 4 * n or not all(re.fullmatch(r"\d{0,2}", hint, re.ASCII) for hint in sides):
        raise BadRow(f"expected {4 * n} hints with / between them, got {len(sides)}")
    top, bottom, left, right = [[hint or "." for hint in sides[k * n : k * n + n]] for k in range(4)]
    cells = _runs(grid, n * n) if comma else ["."] * (n * n)
    rows = [[left[r], *cells[r * n : r * n + n], right[r]] for r in range(n)]
    return "\n".join([" ".join(row) for row in ([".", *top, "."], *rows, [".", *bottom, "."])])


def _singles(params: _Params, text: str) -> str:
    wide, high = params.wide, params.high
    if len(text) != wide * high or not (text.isascii() and text.isalnum()):
        raise BadRow(f"expected {wide * high} digits and letters, got {len(text)} signs")
    values = [int(sign) if sign.isdigit() else ord(sign.lower()) - ord("a") + 10 + 26 * sign.isupper() for sign in text]
    return _rows([str(value) for value in values], wide)


def _mines(params: _Params, text: str) -> str:
    wide, high = params.wide, params.high
    found = re.fullmatch(r"(\d{1,3}),(\d{1,3}),([mu]?)([0-9a-f]+)", text, re.ASCII)
    if found is None:
        raise BadRow("expected the first click and the field, as in 7,8,m0d6254...; an id without a click has no board yet")
    x, y, bits = int(found[1]), int(found[2]), wide * high
    if x >= wide or y >= high or len(found[4]) != (bits + 3) // 4:
        raise BadRow(f"expected a click in the field and {(bits + 3) // 4} hexadecimal digits, got {len(found[4])}")
    raw = bytes.fromhex(found[4] + "0" * (len(found[4]) % 2))
    field = _unmasked(raw, bits) if found[3] == "m" else raw
    mined = [bool(field[i // 8] & 0x80 >> i % 8) for i in range(bits)]
    if mined[y * wide + x]:
        raise BadRow("its first click is on a mine")

    def near(cell: int) -> list[int]:
        r, c = divmod(cell, wide)
        return [
            i * wide + j
            for i in range(max(0, r - 1), min(high, r + 2))
            for j in range(max(0, c - 1), min(wide, c + 2))
            if (i, j) != (r, c)
        ]

    cells, waiting = ["."] * bits, [y * wide + x]
    while waiting:  # what a click opens: a cell without mines around it opens them
        cell = waiting.pop()
        if cells[cell] == ".":
            cells[cell] = str(sum([mined[other] for other in near(cell)]))
            waiting += near(cell) if cells[cell] == "0" else []
    return "\n".join([f"minesweeper mines={sum(mined)}", _rows(cells, wide)])


def _unmasked(raw: bytes, bits: int) -> bytes:
    """The field behind his mask: each half of the bytes is masked by SHA-1 of the other one, the second half last."""
    half = len(raw) // 2
    first, second = raw[:half], raw[half:]
    second = _masked(second, first)
    if bits % 8:  # what fills up the last byte is 0
        second = second[:-1] + bytes([second[-1] & (0xFF00 >> bits % 8) & 0xFF])
    return _masked(first, second) + second


def _masked(part: bytes, seed: bytes) -> bytes:
    mask = b""
    for turn in count():
        if len(mask) >= len(part):
            break
        mask += sha1(seed + str(turn).encode(), usedforsecurity=False).digest()
    return bytes([a ^ b for a, b in zip(part, mask, strict=False)])


_READ: dict[str, Callable[[_Params, str], str]] = {
    "sudoku": _solo,
    "binario": _unruly,
    "skyscraper": _towers,
    "hitori": _singles,
    "minesweeper": _mines,
}
IDS = _Ids()
