"""Words crossing in a grid (FillTable): every entry holds a word of its list, letters agree in shared cells, words differ.

An entry's domain is a bit set over its list, 62 words of it in each integer; a cell has the letters that are still possible as
bits. Propagation repeats, until nothing changes: an entry loses the words that its cells do not allow, a cell loses the letters
that no word of an entry has there, and a word that is certain leaves the lists of the other entries. Then it branches on the
entry with the fewest words. A node is one word tried. Answers are listed in the order of the lists; a random answer tries, of a
few words drawn, the one that leaves its crossings the most room, and begins anew when that takes long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import FillTable, Finding, Slots
from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels.bits import popcount
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.driver import SURE, anew, listed, one_by_one
from puzzlemill.solvers.kernels.random import below, state_of

BITS = 62  # words of a list in one integer
LETTERS = 26
_FULL = (1 << LETTERS) - 1
_LONGEST = 21
_OWNERS = 3  # entries of a cell: across, down, and a further one
_NODES = 250  # of the first dives
_TRIES = 8
_TABLE = (
    "int64[:, ::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[::1], int64[:, ::1]"
)


@kernel("int64(int64[::1], int64, int64)")
def _size(row, start, width):
    """How many words an entry has left."""
    total = 0
    for k in range(start, start + width):
        total += popcount(row[k])
    return total


@kernel("int64(int64[::1], int64, int64, int64)")
def _nth(row, start, width, n):
    """The place in the list of the n-th word that is left."""
    for k in range(width):
        word = row[start + k]
        here = popcount(word)
        if n < here:
            for _ in range(n):
                word &= word - 1
            return 62 * k + popcount((word & -word) - 1)
        n -= here
    return -1


@kernel("int64(int64)")
def _room(x):
    """About 8 log2(x) of x >= 1, in whole numbers."""
    high = 0
    while x >> (high + 1):
        high += 1
    return 8 * high + ((x << 3 >> high) & 7)


@kernel(f"boolean(int64[::1], int64[::1], int64[::1], int64[::1], {_TABLE})")
def _propagate(row, stack, queued, held, cells, size, start, width, group, offset, mask, first, word, owner):
    """Narrow the state `row` as far as it goes, from the entries that are queued; False if an entry has no word left.

    row: domains, then the letters of the cells, then those that each entry's list was last narrowed by. queued: 1 for entries
    that wait, which are all put on the stack. held: room for the parts of a domain that have words.
    """
    entries = size.shape[0]
    domains = start[entries]
    known = domains + owner.shape[0]
    top = 0
    for e in range(entries):
        if queued[e]:
            stack[top] = e
            top += 1
    while top:
        top -= 1
        e = stack[top]
        queued[e] = 0
        s, w, m = start[e], width[e], offset[group[e]]
        some = 0
        for k in range(w):
            if row[s + k]:
                held[some] = k
                some += 1
        for p in range(size[e]):
            allowed = row[domains + cells[e, p]]
            gone = row[known + 21 * e + p] & ~allowed
            if gone == 0:
                continue
            row[known + 21 * e + p] = allowed
            keep = popcount(allowed) < popcount(gone)
            for i in range(some):
                k = held[i]
                union, left = 0, allowed if keep else gone
                while left:
                    low = left & -left
                    union |= mask[m + (26 * p + popcount(low - 1)) * w + k]
                    left ^= low
                row[s + k] &= union if keep else ~union
        total, many = 0, some
        some = 0
        for i in range(many):
            k = held[i]
            if row[s + k]:
                total += popcount(row[s + k])
                held[some] = k
                some += 1
        if total == 0:
            for i in range(entries):
                queued[i] = 0
            return False
        for p in range(size[e]):
            c = cells[e, p]
            left, union = row[domains + c], 0
            before = left
            while left:
                low = left & -left
                at = m + (26 * p + popcount(low - 1)) * w
                for i in range(some):
                    if row[s + held[i]] & mask[at + held[i]]:
                        union |= low
                        break
                left ^= low
            if union != before:
                row[domains + c] = union
                row[known + 21 * e + p] = union
                for side in range(owner.shape[1]):
                    other = owner[c, side]
                    if other >= 0 and other != e and not queued[other]:
                        queued[other] = 1
                        stack[top] = other
                        top += 1
        if total == 1:
            mine = word[first[group[e]] + _nth(row, s, w, 0)]
            for other in range(entries):
                if other == e or size[other] != size[e]:
                    continue
                low, high = first[group[other]], first[group[other] + 1]
                end = high
                while low < high:
                    middle = (low + high) // 2
                    if word[middle] < mine:
                        low = middle + 1
                    else:
                        high = middle
                if low < end and word[low] == mine:
                    at = low - first[group[other]]
                    bit = np.int64(1) << (at % 62)
                    if row[start[other] + at // 62] & bit:
                        row[start[other] + at // 62] ^= bit
                        if not queued[other]:
                            queued[other] = 1
                            stack[top] = other
                            top += 1
    return True


@kernel(f"int64(int64[::1], uint64[::1], int8[:, ::1], int64[::1], {_TABLE}, int8[:, ::1], int64[:, ::1])")
def _search(begin, state, found, nodes, cells, size, start, width, group, offset, mask, first, word, owner, letters, place):
    """Find answers up to the rows of `found`: the letters of all cells. state: a random stream for a random order, or empty.

    nodes: [spent, budget], spent is added to. Returns how many were found, or -1 - (so many) if the budget ran out.
    """
    entries = size.shape[0]
    domains = start[entries]
    rows = np.empty((entries + 2, begin.shape[0]), dtype=np.int64)
    chosen, tried = np.empty(entries + 2, dtype=np.int64), np.empty(entries + 2, dtype=np.int64)
    stack, queued = np.empty(entries + 1, dtype=np.int64), np.ones(entries + 1, dtype=np.int64)
    rows[0, :] = begin
    held = np.empty(max(1, width.max()), dtype=np.int64)
    count, depth, best, pick, tries = 0, 0, -1, -1, True
    while True:
        while not tries or not _propagate(
            rows[depth], stack, queued, held, cells, size, start, width, group, offset, mask, first, word, owner
        ):  # the word that was tried last is left out
            depth -= 1
            if depth < 0:
                return count
            best, pick, tries = chosen[depth], tried[depth], True
            rows[depth, start[best] + pick // 62] ^= np.int64(1) << (pick % 62)
            queued[best] = 1
        row = rows[depth]
        best, least = -1, np.int64(1) << 40
        for e in range(entries):
            many = _size(row, start[e], width[e])
            if 1 < many < least:
                best, least = e, many
        if best < 0:
            for c in range(owner.shape[0]):
                found[count, c] = popcount(row[domains + c] - 1)
            count += 1
            if count == found.shape[0]:
                return count
            tries = False
            continue
        if nodes[0] >= nodes[1]:
            return -1 - count
        nodes[0] += 1
        pick = _nth(row, start[best], width[best], 0)
        if state.shape[0]:
            most = np.int64(-1)
            for _ in range(2 if nodes[1] <= 250 else 12):  # the roomiest of many would be the same words again and again
                at = _nth(row, start[best], width[best], below(state, least))
                room = np.int64(0)
                for p in range(size[best]):
                    c = cells[best, p]
                    for side in range(owner.shape[1]):
                        other = owner[c, side]
                        if other < 0 or other == best:
                            continue
                        letter = letters[first[group[best]] + at, p]
                        mine = offset[group[other]] + (26 * place[c, side] + letter) * width[other]
                        many = 0
                        for k in range(width[other]):
                            many += popcount(row[start[other] + k] & mask[mine + k])
                        room += _room(many) if many else -1000
                if room + 100_000 > most:
                    most = room + 100_000
                    pick = at
        chosen[depth], tried[depth] = best, pick
        depth += 1
        rows[depth, :] = row
        for k in range(width[best]):
            rows[depth, start[best] + k] = 0
        rows[depth, start[best] + pick // 62] = np.int64(1) << (pick % 62)
        queued[best] = 1


@lru_cache(maxsize=64)
def _masks(words: tuple[str, ...]) -> tuple[Any, Any]:
    """Letters of a list [words, letters], and as bit sets [place, letter, integers]."""
    letters = np.frombuffer("".join(words).encode(), dtype=np.int8).reshape(len(words), -1) - 65
    places, width = letters.shape[1], -(-len(words) // BITS)
    mask: Any = np.zeros((places, LETTERS, width), dtype=np.int64)
    at: Any = np.arange(len(words))
    for p in range(places):
        bits: Any = (p, letters[:, p], at // BITS)
        np.bitwise_or.at(mask, bits, np.int64(1) << (at % BITS))
    padded: Any = np.zeros((len(words), _LONGEST), dtype=np.int8)
    padded[:, :places] = letters
    return padded, mask.reshape(-1)


class Board:
    """A table as arrays. Anything out of range is a BadRow, since kernels check nothing."""

    def __init__(self, table: FillTable) -> None:
        many = len(table.entries)
        if not many or len(table.lists) != many or any(not 1 <= len(cells) <= _LONGEST for cells in table.entries):
            raise BadRow(f"a FillTable has entries of 1 to {_LONGEST} cells and a list for each")
        owner: Any = np.full((table.cells, _OWNERS), -1, dtype=np.int64)
        place: Any = np.zeros((table.cells, _OWNERS), dtype=np.int64)
        cells: Any = np.zeros((many, _LONGEST), dtype=np.int64)
        for e, own in enumerate(table.entries):
            for p, cell in enumerate(own):
                if not 0 <= cell < table.cells or owner[cell, -1] >= 0:
                    raise BadRow(f"a cell of a FillTable belongs to 1 to {_OWNERS} entries")
                side = int((owner[cell] >= 0).sum())
                owner[cell, side], place[cell, side], cells[e, p] = e, p, cell
        if (owner[:, 0] < 0).any():
            raise BadRow(f"a cell of a FillTable belongs to 1 to {_OWNERS} entries")
        apart = many - len(table.further)  # from here on words may stand elsewhere too
        of = [(words, e >= apart) for e, words in enumerate(table.lists)]
        kinds = list(dict.fromkeys(of))
        lists = [words for words, _ in kinds]
        lengths = [set(map(len, words)) for words in lists]
        group = np.array([kinds.index(each) for each in of], dtype=np.int64)
        if any(lengths[kind] - {len(own)} for kind, own in zip(group, table.entries, strict=True)):
            raise BadRow("the words of an entry of a FillTable fit its cells")
        self.empty = any(not words for words in lists)
        if self.empty:
            return
        number = {text: n for n, text in enumerate(sorted({text for words in lists for text in words}))}
        made = [_masks(words) for words in lists]
        size = np.array([len(own) for own in table.entries], dtype=np.int64)
        width = np.array([-(-len(words) // BITS) for words in table.lists], dtype=np.int64)
        start = np.concatenate([[0], np.cumsum(width)]).astype(np.int64)
        first = np.concatenate([[0], np.cumsum([len(words) for words in lists])]).astype(np.int64)
        offset = np.concatenate([[0], np.cumsum([len(mask) for _, mask in made])]).astype(np.int64)
        word = np.array([number[text] + far * len(number) for words, far in kinds for text in words], dtype=np.int64)
        letters = np.concatenate([padded for padded, _ in made])
        mask = np.concatenate([mask for _, mask in made])
        self.arrays = (cells, size, start, width, group, offset, mask, first, word, owner, letters, place)
        begin: Any = np.zeros(start[-1] + table.cells + _LONGEST * many, dtype=np.int64)
        for e, words in enumerate(table.lists):
            full, rest = divmod(len(words), BITS)
            begin[start[e] : start[e] + full] = (1 << BITS) - 1
            if rest:
                begin[start[e] + full] = (1 << rest) - 1
        begin[start[-1] :] = _FULL
        for cell, letter in table.letters:
            if not (0 <= cell < table.cells and 0 <= letter < LETTERS):
                raise BadRow("a letter of a FillTable is a cell and a value below 26")
            begin[start[-1] + cell] &= 1 << letter
        self.begin, self.cells = begin, table.cells
        self.torn = not begin[start[-1] : start[-1] + table.cells].all()

    def search(self, found: Any, budget: int, state: Any = SURE) -> tuple[int, int]:
        """Answers and nodes."""
        if self.empty or self.torn:
            return 0, 0
        nodes = np.array([0, budget], dtype=np.int64)
        return int(_search(self.begin, state, found, nodes, *self.arrays)), int(nodes[0])


def answers(table: FillTable, limit: int, budget: int) -> Finding:
    """See kernels.answers; at most `budget` words are tried."""
    board = Board(table)
    return listed(lambda found: board.search(found, budget), limit, table.cells)


def minimize(table: FillTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """See kernels.minimize; `budget` bounds each proof."""
    found: Any = np.empty((2, table.cells), dtype=np.int8)
    return one_by_one(len(table.of), order, keep, lambda stays: Board(without(table, stays)).search(found, budget)[0])


def without(table: FillTable, stays: Any) -> FillTable:
    """The table with the clues that stay only."""
    held = {of for of, stay in zip(table.of, stays, strict=True) if stay}
    lists = [own if e in held else free for e, (own, free) in enumerate(zip(table.lists, table.free, strict=True))]
    return replace(table, lists=tuple(lists), letters=tuple([each for each in table.letters if -1 - each[0] in held]))


def sample(table: FillTable, rng: Rng) -> Slots | None:
    """A random fill: the end of a random dive, not an even draw. None if there is none."""
    board = Board(table)
    found: Any = np.empty((1, table.cells), dtype=np.int8)
    state = state_of(rng.child("fill"))
    if not anew(lambda budget: board.search(found, budget, state)[0], _NODES, "a crossword", _TRIES, 4):
        return None
    values: Slots = tuple(found[0].tolist())
    return values
