"""Words that run through cells whose columns give their letters (DropTable).

Every run has the words that fit the letters of its columns, as a sparse set: those that are left stand first, so that going back
restores numbers only. Propagation repeats, until nothing changes: a run keeps the words whose letters its cells may still have, a
cell keeps the letters of these words, and a column counts: a letter that as many cells hold as there are of it is no other
cell's, and one that no more cells can hold than there are of it is theirs; vowels of a row are counted likewise. Then it branches
on the run with the fewest words. A node is one word tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import DropTable, Finding
from puzzlemill.rules.drops import LETTERS, VOWELS, fitting
from puzzlemill.solvers.kernels.bits import popcount
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.driver import listed, one_by_one

_ANY = (1 << 26) - 1
_VOWELS = sum([1 << place for place, letter in enumerate(LETTERS) if letter in VOWELS])


@kernel(
    "boolean(int64[::1], int64[::1], int64[::1], int64[::1], uint8[::1], int64[::1], int64[::1], int64[:, ::1], int64[:, ::1], "
    "int64[:, ::1])"
)
def _propagate(domain, size, first, begin, letters, start, order, column, amount, vowels):
    """Narrow words and letters in place as far as it goes; False for a contradiction.

    Run r has the cells first[r] .. first[r + 1] - 1 and the words order[begin[r]] .. of which size[r] are left; the letters of
    word w of run r stand from start[r] + w * length. column[k]: the cells of a column, -1 behind them; amount[k]: how many there
    are of each letter, negative if nothing is known of the column. vowels[k]: from one cell to before another there are so many.
    """
    runs = size.shape[0]
    changed = True
    while changed:
        changed = False
        for r in range(runs):
            low, length = first[r], first[r + 1] - first[r]
            k = 0
            while k < size[r]:
                at = start[r] + order[begin[r] + k] * length
                fits = True
                for j in range(length):
                    if not domain[low + j] >> letters[at + j] & 1:
                        fits = False
                        break
                if fits:
                    k += 1
                else:
                    size[r] -= 1
                    other = order[begin[r] + size[r]]
                    order[begin[r] + size[r]] = order[begin[r] + k]
                    order[begin[r] + k] = other
            if size[r] == 0:
                return False
            for j in range(length):
                mask = 0
                for k in range(size[r]):
                    mask |= 1 << letters[start[r] + order[begin[r] + k] * length + j]
                if domain[low + j] & ~mask:
                    domain[low + j] &= mask
                    changed = True
        for c in range(column.shape[0]):
            if amount[c, 0] < 0:
                continue
            for letter in range(26):
                many = amount[c, letter]
                if many == 0:
                    continue
                can = holds = 0
                for i in range(column.shape[1]):
                    cell = column[c, i]
                    if cell < 0:
                        break
                    if domain[cell] >> letter & 1:
                        can += 1
                        holds += domain[cell] == 1 << letter
                if can < many or holds > many:
                    return False
                if can == holds or (can > many and holds < many):
                    continue
                for i in range(column.shape[1]):
                    cell = column[c, i]
                    if cell < 0:
                        break
                    if domain[cell] >> letter & 1 and domain[cell] != 1 << letter:
                        domain[cell] = 1 << letter if can == many else domain[cell] & ~(1 << letter)
                        changed = True
        for v in range(vowels.shape[0]):
            can = must = 0
            for i in range(vowels[v, 0], vowels[v, 1]):
                can += domain[i] & _VOWELS != 0
                must += domain[i] & ~_VOWELS == 0
            many = vowels[v, 2]
            if can < many or must > many:
                return False
            if can > must and (can == many or must == many):
                for i in range(vowels[v, 0], vowels[v, 1]):
                    if domain[i] & _VOWELS != 0 and domain[i] & ~_VOWELS != 0:
                        domain[i] &= _VOWELS if can == many else ~_VOWELS
                        changed = True
    return True


@kernel(
    "int64(int64[::1], int64[::1], int64[::1], uint8[::1], int64[::1], int64[::1], int64[:, ::1], int64[:, ::1], int64[:, ::1], "
    "int8[:, ::1], int64[::1])"
)
def _search(allowed, first, begin, letters, start, order, column, amount, vowels, found, nodes):
    """Find answers up to the rows of `found`: the letter of each cell. allowed: those that each cell may have, as bits.

    nodes: [spent, budget], spent is added to. Returns how many were found, or -1 - (so many) if the budget ran out.
    """
    cells, runs = allowed.shape[0], first.shape[0] - 1
    domains = np.empty((runs + 2, cells), dtype=np.int64)
    sizes = np.empty((runs + 2, runs), dtype=np.int64)
    chosen = np.empty(runs + 2, dtype=np.int64)
    domains[0, :] = allowed
    for r in range(runs):
        sizes[0, r] = begin[r + 1] - begin[r]
    count, depth = 0, 0
    sound = _propagate(domains[0], sizes[0], first, begin, letters, start, order, column, amount, vowels)
    while True:
        if sound:
            best, fewest = -1, 0
            for r in range(runs):
                if sizes[depth, r] > 1 and (best < 0 or sizes[depth, r] < fewest):
                    best, fewest = r, sizes[depth, r]
            if best >= 0:
                if nodes[0] >= nodes[1]:
                    return -1 - count
                nodes[0] += 1
                chosen[depth] = best
                domains[depth + 1, :] = domains[depth]
                sizes[depth + 1, :] = sizes[depth]
                sizes[depth + 1, best] = 1
                depth += 1
                sound = _propagate(domains[depth], sizes[depth], first, begin, letters, start, order, column, amount, vowels)
                continue
            for i in range(cells):
                found[count, i] = popcount(domains[depth, i] - 1)
            count += 1
            if count == found.shape[0]:
                return count
        depth -= 1
        if depth < 0:
            return count
        # the word that was tried stands first still; it is left out from here on
        r = chosen[depth]
        sizes[depth, r] -= 1
        last = begin[r] + sizes[depth, r]
        word = order[begin[r]]
        order[begin[r]] = order[last]
        order[last] = word
        sound = _propagate(domains[depth], sizes[depth], first, begin, letters, start, order, column, amount, vowels)


@lru_cache(maxsize=64)
def _letters(band: str, listed_words: tuple[str, ...], kind: int, length: int) -> Any:
    """The words that a run can be [words, length], letters from 0."""
    words = fitting(band, listed_words, kind, length)
    return np.frombuffer("".join(words).encode(), dtype=np.uint8).reshape(len(words), length) - 65


class Words:
    """A table as arrays, with the words that fit the letters of the columns in force."""

    def __init__(self, table: DropTable, columns: Sequence[int]) -> None:
        """columns: positions of the clues about columns that are in force."""
        cells, self.cells = table.columns, len(table.columns)
        if [i for run in table.runs for i in run] != list(range(self.cells)) or not all(table.runs) or not self.cells:
            raise BadRow("a DropTable has runs of cells that are numbered on from 0")
        width = max(cells) + 1
        by_column = [[i for i, c in enumerate(cells) if c == k] for k in range(width)]
        self.column = np.full((width, max(map(len, by_column))), -1, dtype=np.int64)
        for k, here in enumerate(by_column):
            self.column[k, : len(here)] = here
        self.amount = np.full((width, 26), -1, dtype=np.int64)
        for at in columns:
            where, *given = table.clues[at]
            if not 0 <= -1 - where < width or len(given) != len(by_column[-1 - where]) or not all(0 <= v < 26 for v in given):
                raise BadRow(f"a DropTable has a letter for each cell of a column, got {str(table.clues[at])[:60]}")
            self.amount[-1 - where] = np.bincount(given, minlength=26)
        masks = [_ANY if row[0] < 0 else sum([1 << v for v in range(26) if row[v]]) for row in self.amount.tolist()]
        self.allowed = np.array([masks[c] for c in cells], dtype=np.int64)
        self.first = np.cumsum([0, *map(len, table.runs)]).astype(np.int64)
        parts, self.counts = [], []
        for kind, run in zip(table.kinds, table.runs, strict=True):
            words = _letters(table.band, table.words, kind, len(run))
            fit = words[((self.allowed[run[0] : run[-1] + 1] >> words.astype(np.int64)) & 1).all(axis=1)]
            parts.append(np.ascontiguousarray(fit).reshape(-1))
            self.counts.append(len(fit))
        self.vowels = np.array(table.vowels, dtype=np.int64).reshape(-1, 3)
        if any(not 0 <= low <= high <= self.cells for low, high, _ in table.vowels):
            raise BadRow(f"a DropTable counts vowels among its {self.cells} cells, got {str(table.vowels)[:60]}")
        self.letters = np.concatenate(parts)
        self.begin = np.cumsum([0, *self.counts]).astype(np.int64)
        self.start = np.cumsum([0, *map(len, parts)])[:-1].astype(np.int64)

    def search(self, found: Any, budget: int, givens: Sequence[tuple[int, ...]]) -> tuple[int, int]:
        """Answers and nodes. givens: cells with their letters."""
        allowed = self.allowed.copy()
        for cell, letter in givens:
            allowed[cell] &= 1 << letter
        nodes = np.array([0, budget], dtype=np.int64)
        order = np.concatenate([np.arange(many, dtype=np.int64) for many in self.counts])
        here = (self.first, self.begin, self.letters, self.start, order, self.column, self.amount, self.vowels, found, nodes)
        return int(_search(allowed, *here)), int(nodes[0])


def _split(table: DropTable) -> tuple[list[int], list[int]]:
    """Positions of the clues about columns, and of those about cells."""
    columns = [at for at, clue in enumerate(table.clues) if clue and clue[0] < 0]
    givens = [at for at, clue in enumerate(table.clues) if not clue or clue[0] >= 0]
    for at in givens:
        clue = table.clues[at]
        if len(clue) != 2 or not (clue[0] < len(table.columns) and 0 <= clue[1] < 26):
            raise BadRow(f"a DropTable gives a cell below {len(table.columns)} and its letter, got {str(clue)[:60]}")
    return columns, givens


def answers(table: DropTable, limit: int, budget: int) -> Finding:
    """See kernels.answers; at most `budget` words are tried."""
    columns, givens = _split(table)
    words = Words(table, columns)
    return listed(lambda found: words.search(found, budget, [table.clues[at] for at in givens]), limit, words.cells)


def minimize(table: DropTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """See kernels.minimize; `budget` bounds each proof."""
    columns, givens = _split(table)
    found: Any = np.empty((2, len(table.columns)), dtype=np.int8)
    made: dict[tuple[int, ...], Words] = {}

    def count(stays: Any) -> int:
        here = tuple([at for at in columns if stays[at]])
        words = made.get(here) or made.setdefault(here, Words(table, here))
        return words.search(found, budget, [table.clues[at] for at in givens if stays[at]])[0]

    return one_by_one(len(table.clues), order, keep, count)
