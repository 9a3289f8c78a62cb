"""Acrostics: carriers of clues, words of the list and the line of first letters, each as a set of texts for some cells.

A text is a bit in a mask; for each place and letter a mask has the texts with that letter there, so that whole lists are sieved
at once. Cells keep the letters that some text of each set has there, until nothing changes; then the smallest set of texts is
gone through, text by text. A node is one text that is tried.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from puzzlemill.core.model import AcrosticTable, Finding, Slots
from puzzlemill.solvers.kernels.driver import one_by_one
from puzzlemill.vocabulary.lexicon import words

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ALL = (1 << 26) - 1

Index = tuple[int, tuple[tuple[int, ...], ...], tuple[str, ...]]  # all texts, then by place and letter; the texts
Scope = tuple[tuple[int, ...], Index]


@lru_cache(maxsize=1024)
def indexed(texts: tuple[str, ...]) -> Index:
    """The texts, in capitals and of one length, by place and letter."""
    length = len(texts[0]) if texts else 0
    by = [[0] * 26 for _ in range(length)]
    for bit, text in enumerate(texts):
        for place, sign in enumerate(text):
            by[place][ord(sign) - 65] |= 1 << bit
    return (1 << len(texts)) - 1, tuple(map(tuple, by)), texts


@lru_cache(maxsize=64)
def _of_band(band: str, length: int) -> Index:
    return indexed(tuple([word.upper() for word in words(band, length, length)]))


class _Spent(Exception):
    """The budget of nodes ran out."""


class Sieve:
    """Sets of texts over cells. domains: the letters that each cell may still have, as a mask."""

    def __init__(self, table: AcrosticTable, stays: Sequence[bool] | None = None) -> None:
        self.cells, self.nodes = table.cells, 0
        self.domains = [_ALL] * table.cells
        self.scopes: list[Scope] = []
        many = len(table.entries)
        for place, clue in enumerate(table.clues):
            if stays is not None and not stays[place]:
                continue
            at, what = clue
            if at < many:  # a word, and its carriers
                self.scopes.append((table.entries[at], indexed(what)))
            else:
                self.domains[at - many] &= 1 << what
        if table.lines:
            self.scopes.append((tuple([entry[0] for entry in table.entries]), indexed(table.lines)))
        for cells in table.words:
            if table.listed:
                known = indexed(tuple([word for word in table.listed if len(word) == len(cells)]))
            else:
                known = _of_band(table.band, len(cells))
            self.scopes.append((cells, known))
        self.through: list[list[int]] = [[] for _ in range(table.cells)]
        for number, (cells, _) in enumerate(self.scopes):
            for cell in cells:
                self.through[cell].append(number)
        for cell, through in enumerate(self.through):
            if not through:  # nothing is known of it
                through.append(len(self.scopes))
                self.scopes.append(((cell,), indexed(tuple(LETTERS))))

    def left(self, number: int, domains: Sequence[int]) -> int:
        """The texts of a scope that its cells allow."""
        cells, (alive, by, _) = self.scopes[number]
        for place, cell in enumerate(cells):
            domain = domains[cell]
            if domain != _ALL:
                some, masks = 0, by[place]
                while domain:
                    low = domain & -domain
                    some |= masks[low.bit_length() - 1]
                    domain ^= low
                alive &= some
                if not alive:
                    return 0
        return alive

    def texts(self, number: int, domains: Sequence[int]) -> list[str]:
        """The same as texts."""
        alive, every, found = self.left(number, domains), self.scopes[number][1][2], []
        while alive:
            low = alive & -alive
            found.append(every[low.bit_length() - 1])
            alive ^= low
        return found

    def settle(self, domains: list[int], work: Sequence[int], among: Collection[int] | None = None) -> bool:
        """Take letters from cells that no text of some scope has there, until nothing changes. False if a scope has none left.

        work: the scopes to begin with. among: those that count, if not all do.
        """
        queue = dict.fromkeys(work)
        while queue:
            number = next(iter(queue))
            del queue[number]
            alive = self.left(number, domains)
            if not alive:
                return False
            cells, (_, by, _) = self.scopes[number]
            for place, cell in enumerate(cells):
                domain, kept = domains[cell], 0
                rest = domain
                while rest:
                    low = rest & -rest
                    if by[place][low.bit_length() - 1] & alive:
                        kept |= low
                    rest ^= low
                if kept != domain:
                    domains[cell] = kept
                    queue.update(dict.fromkeys([n for n in self.through[cell] if among is None or n in among]))
        return True

    def search(self, limit: int, budget: int) -> list[Slots]:
        """Up to `limit` answers. Raises _Spent."""
        found: list[Slots] = []
        domains = list(self.domains)
        stack = [(domains, *self._smallest(domains))] if self.settle(domains, range(len(self.scopes))) else []
        while stack and len(found) < limit:
            domains, best, alive = stack.pop()
            if best < 0:
                found.append(tuple([domain.bit_length() - 1 for domain in domains]))
                continue
            low = alive & -alive
            if alive != low:
                stack.append((domains, best, alive ^ low))
            if self.nodes == budget:
                raise _Spent
            self.nodes += 1
            cells, (_, _, texts) = self.scopes[best]
            tried = list(domains)
            for cell, sign in zip(cells, texts[low.bit_length() - 1], strict=True):
                tried[cell] = 1 << ord(sign) - 65
            if self.settle(tried, [number for cell in cells for number in self.through[cell]]):
                stack.append((tried, *self._smallest(tried)))
        return found

    def _smallest(self, domains: Sequence[int]) -> tuple[int, int]:
        """The scope with open cells that has the fewest texts, with these; -1 if every cell is known."""
        best, least, texts = -1, 0, 0
        for number, (cells, _) in enumerate(self.scopes):
            if any(domains[cell] & (domains[cell] - 1) for cell in cells):
                alive = self.left(number, domains)
                if best < 0 or alive.bit_count() < least:
                    best, least, texts = number, alive.bit_count(), alive
        return best, texts


def answers(table: AcrosticTable, limit: int, budget: int) -> Finding:
    """Up to `limit` different answers."""
    sieve = Sieve(table)
    try:
        found = sieve.search(limit, budget)
    except _Spent:
        return Finding((), False, budget)
    return Finding(tuple(found), len(found) < limit, sieve.nodes)


def minimize(table: AcrosticTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """Leave out clues while one answer remains; see the package."""

    def count(stays: Sequence[bool]) -> int:
        try:
            return len(Sieve(table, stays).search(2, budget))
        except _Spent:
            return -1

    return one_by_one(len(table.clues), order, keep, count)
