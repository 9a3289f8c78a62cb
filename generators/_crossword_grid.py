"""Grids of crosswords: how their blocks are drawn, and which entries they have.

A pattern is drawn, not taken from a list: blocks come in pairs that a half turn exchanges, and are added to a bare grid one pair
after the other where every word keeps three letters or more and all words hang together, most often within a long word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from puzzlemill import family as f

ACROSS, DOWN = "Across", "Down"
BLOCK, OPEN = "#", "."
LEAST = 3  # letters of a word
LATTICE, CHECKED = "lattice", "checked"
STYLES = (LATTICE, CHECKED)
BLOCKS = 20  # of a checked grid, in a hundred cells at most
_BARE = 12  # one checked grid of 5 rows of so many has no block: fills of such grids are rare
_TRIES = 12  # places for one more pair of blocks
_WAYS = 12  # of which the one with the shortest words is taken, in larger grids whose cells are all crossed
Pattern = tuple[str, ...]
Cell = tuple[int, int]


class Entry(NamedTuple):
    """label: "1-Across". cells: their numbers among the open cells, row by row."""

    number: int
    way: str
    cells: tuple[int, ...]

    @property
    def label(self) -> str:
        return f"{self.number}-{self.way}"


class Laid(NamedTuple):
    """A pattern read. places: row and column of each open cell. numbers: of the cells where words begin."""

    entries: tuple[Entry, ...]
    places: tuple[Cell, ...]
    numbers: dict[Cell, int]


def runs(pattern: Sequence[str]) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    """The runs of open cells, across and then down."""
    rows, cols = len(pattern), len(pattern[0])
    for way, lines, length in ((ACROSS, rows, cols), (DOWN, cols, rows)):
        for line in range(lines):
            run: list[Cell] = []
            for at in range(length):
                r, c = (line, at) if way == ACROSS else (at, line)
                if pattern[r][c] != BLOCK:
                    run.append((r, c))
                elif run:
                    yield way, tuple(run)
                    run = []
            if run:
                yield way, tuple(run)


@lru_cache(maxsize=4096)
def laid(pattern: Pattern) -> Laid:
    """The entries of a pattern, those across first, each kind by number, and its open cells."""
    places = tuple([(r, c) for r, row in enumerate(pattern) for c, sign in enumerate(row) if sign != BLOCK])
    slot = {cell: at for at, cell in enumerate(places)}
    found = [(way, run) for way, run in runs(pattern) if len(run) >= LEAST]
    numbers = {cell: n for n, cell in enumerate(sorted({run[0] for _, run in found}), 1)}
    entries = [Entry(numbers[run[0]], way, tuple([slot[cell] for cell in run])) for way, run in found]
    return Laid(tuple(sorted(entries, key=lambda entry: (entry.way, entry.number))), places, numbers)


def is_sound(pattern: Sequence[str], checked: bool) -> bool:
    """Return whether no word has fewer than three letters, each cell is in a word (in two if checked), and all hang together."""
    inside: dict[Cell, list[int]] = {}
    words = 0
    for _, run in runs(pattern):
        if len(run) >= LEAST:
            for cell in run:
                inside.setdefault(cell, []).append(words)
            words += 1
        elif len(run) == 2 or checked:
            return False
    if sum([len(row) - row.count(BLOCK) for row in pattern]) != len(inside):
        return False
    group = list(range(words))
    for own in inside.values():
        if len(own) == 2 and group[own[0]] != group[own[1]]:
            old, new = group[own[0]], group[own[1]]
            group = [new if each == old else each for each in group]
    return len(set(group)) == 1


def drawn(size: int, style: str, rng: f.Rng) -> Pattern:
    """A random pattern."""
    if style == CHECKED:
        most = size * size * BLOCKS // 100
        least = 0 if size < 5 else 2 if size == 5 else most * 4 // 5
        blocks = 0 if size == 5 and rng.chance(1, _BARE) else rng.between(least, most)
        return _with_blocks([OPEN * size] * size, True, blocks, LEAST, rng)
    bare = _lattice(size, rng)
    least = size if size < 6 else rng.between(7, 11) if size % 2 else rng.between(5, 7)
    return _with_blocks(bare, False, size * size, least, rng)


def _lattice(size: int, rng: f.Rng) -> list[str]:
    """A grid in which every second line has words, and every second cell of a word is crossed.

    Where the number of rows is even, the lower half is the upper one turned, and the two rows in the middle are full.
    """
    odd = size % 2
    row, col = (rng.below(2), rng.below(2)) if odd else (size // 2 % 2, rng.below(2))
    if odd and row == col == 0 and size < 9:
        row = col = 1
    grid = [[BLOCK if r % 2 == row and c % 2 == col else OPEN for c in range(size)] for r in range(size)]
    if not odd:
        half = ["".join(line) for line in grid[: size // 2]]
        grid = [list(line) for line in [*half, *[line[::-1] for line in half[::-1]]]]
        if rng.chance(1, 2):
            grid = [list(line) for line in zip(*grid, strict=True)]
    return ["".join(line) for line in grid]


def _with_blocks(bare: Sequence[str], checked: bool, blocks: int, longest: int, rng: f.Rng) -> Pattern:
    """The grid with pairs of blocks added until there are so many, or of a lattice until no word is longer."""
    grid, size, count = list(bare), len(bare), 0
    failed = 0
    tries = _TRIES * (4 if size < 6 else 1)  # few places of a small grid take a block
    while failed < tries and count + 2 <= blocks:
        words = [run for _, run in runs(grid) if len(run) > LEAST]
        top = max([len(run) for run in words], default=0)
        if not words or (not checked and top <= longest):
            break
        long = [run for run in words if len(run) >= top - 1] if not checked or rng.chance(3, 4) else words
        ways = [_more(grid, rng.pick(rng.pick(long)), size) for _ in range(_WAYS if checked and size > 5 else 1)]
        sound = [way for way in ways if way is not None and is_sound(way, checked)]
        if sound:
            grid, count, failed = min(sound, key=_strain), count + 2, 0
        else:
            failed += 1
    return tuple(grid)


def _more(grid: Sequence[str], cell: Cell, size: int) -> list[str] | None:
    """The grid with a block there and one in the cell opposite; None for the cell in the middle."""
    pair = {cell, (size - 1 - cell[0], size - 1 - cell[1])}
    if len(pair) == 1:
        return None
    return ["".join([BLOCK if (r, c) in pair else sign for c, sign in enumerate(row)]) for r, row in enumerate(grid)]


def _strain(grid: Sequence[str]) -> int:
    """How long the words of a grid are: many short ones are easier to cross."""
    return sum([len(run) ** 2 for _, run in runs(grid)])
