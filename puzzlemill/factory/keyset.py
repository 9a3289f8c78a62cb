"""A set of texts in 16 to 48 bytes each, for as many canonical keys as a release has rows."""

from __future__ import annotations

from array import array
from hashlib import blake2b

_FIRST = 1 << 10


class KeySet:
    """Holds 128 bits of each text's hash in a table with open places; there is no taking out.

    Two texts of one hash would be one text: of ten million, once in 10^24 releases.
    """

    def __init__(self) -> None:
        self._count = 0
        self._table = array("Q", bytes(16 * _FIRST))  # two words a place, both 0 where it is free

    def __len__(self) -> int:
        return self._count

    def add(self, text: str) -> None:
        pair = _hashed(text)
        at = self._place(pair)
        if not self._table[at]:
            self._table[at], self._table[at + 1] = pair
            self._count += 1
            if 3 * self._count > len(self._table):  # two thirds of the places
                self._grow()

    def __contains__(self, text: str) -> bool:
        return bool(self._table[self._place(_hashed(text))])

    def _place(self, pair: tuple[int, int]) -> int:
        """Where the pair stands, or is to stand."""
        table, mask = self._table, len(self._table) // 2 - 1
        at = pair[1] & mask
        while (first := table[2 * at]) and (first != pair[0] or table[2 * at + 1] != pair[1]):
            at = (at + 1) & mask
        return 2 * at

    def _grow(self) -> None:
        old = self._table
        self._table = array("Q", bytes(2 * old.itemsize * len(old)))
        for i in range(0, len(old), 2):
            if old[i]:
                at = self._place((old[i], old[i + 1]))
                self._table[at], self._table[at + 1] = old[i], old[i + 1]


def _hashed(text: str) -> tuple[int, int]:
    """The first word is never 0."""
    raw = blake2b(text.encode(), digest_size=16).digest()
    return int.from_bytes(raw[:8], "big") or 1, int.from_bytes(raw[8:], "big")
