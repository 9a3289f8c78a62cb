"""Text folded to what survives copying, and known windows found in it, at some hundred MB/s.

folded text: letters a-z (case is dropped), digits, and "." for an empty cell. Everything else goes: spaces, line ends,
punctuation, quotation marks of Markdown, bars of tables, bytes beyond ASCII, and the escapes of JSON and of source code, however
often they were escaped themselves. One of .?_* counts as an empty cell unless a letter stands right before or after it (nor do
two stars together), so that full stops of sentences go and rows of a board stay. A board therefore folds to the same text whether
its cells stand apart, in one line, in a table or in lists of JSON.

A window's fingerprint is a polynomial of its bytes modulo 2**64, the same on every machine. Whoever asks compares the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from puzzlemill.solvers.kernels.compile import kernel

BASE = np.uint64(0x9E3779B97F4A7C15)
MIX = np.uint64(0xD6E8FEB86659FD93)
_HITS = 4096  # per call of the kernel

_KIND = np.zeros(256, np.uint8)  # 0: dropped; 1: may be an empty cell; else what is kept
for _c in b"0123456789abcdefghijklmnopqrstuvwxyz":
    _KIND[_c] = _c
for _c in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ":
    _KIND[_c] = _c + 32
for _c in b".?_*":
    _KIND[_c] = 1


@kernel("int64(uint8[::1], uint8[::1], uint8[::1], int32[::1])")
def _fold(raw, kinds, out, places):
    """Fold raw into out, where each byte came from into places; how many were kept."""
    size, kept, i, letter = raw.shape[0], 0, 0, False
    while i < size:
        byte = raw[i]
        here = i
        i += 1
        if byte == 92:
            letter = False
            while i < size and raw[i] == 92:
                i += 1
            if i >= size:
                break
            after = raw[i]
            if after in (110, 114, 116):
                i += 1
                continue
            if after != 117 or i + 4 >= size:
                continue
            value = 0
            for j in range(i + 1, i + 5):
                digit = raw[j]
                if 48 <= digit <= 57:
                    value = value * 16 + digit - 48
                elif 97 <= (digit | 32) <= 102:
                    value = value * 16 + (digit | 32) - 87
                else:
                    value = -1
                    break
            if value < 0:
                continue
            i += 5
            if value > 127:
                continue
            byte = np.uint8(value)
        kind = kinds[byte]
        if kind == 1:
            alone = not letter and not (i < size and kinds[raw[i]] >= 97)
            if byte == 42 and ((i < size and raw[i] == 42) or (here > 0 and raw[here - 1] == 42)):
                alone = False
            if alone:
                out[kept] = 46
                places[kept] = here
                kept += 1
            letter = False
        elif kind:
            out[kept] = kind
            places[kept] = here
            kept += 1
            letter = kind >= 97
        else:
            letter = False
    return kept


@kernel("void(uint8[::1], int64[::1], int64[::1], uint64[::1])")
def _fingerprints(text, places, sizes, out):
    for i in range(places.shape[0]):
        value = np.uint64(0)
        for j in range(places[i], places[i] + sizes[i]):
            value = value * BASE + np.uint64(text[j])
        out[i] = value


@kernel("UniTuple(int64, 2)(uint8[::1], int64, int64, uint64, uint8[::1], uint64, uint64[::1], int64[::1], int64[::1])")
def _find(text, begin, size, power, bits, shift, keys, places, found):
    """Windows of one size from `begin` on whose fingerprint is one of `keys`: their places and the keys' places.

    Stops when the lists are full. Gives how many were found, and where to go on (-1: done).
    """
    count, last = 0, text.shape[0] - size
    if begin > last:
        return 0, -1
    value = np.uint64(0)
    for j in range(begin, begin + size):
        value = value * BASE + np.uint64(text[j])
    at = begin
    while True:
        spot = (value * MIX) >> shift
        if (bits[spot >> np.uint64(3)] >> (spot & np.uint64(7))) & 1:
            low, high = 0, keys.shape[0]
            while low < high:
                middle = (low + high) // 2
                if keys[middle] < value:
                    low = middle + 1
                else:
                    high = middle
            if low < keys.shape[0] and keys[low] == value:
                places[count] = at
                found[count] = low
                count += 1
                if count == places.shape[0]:
                    return count, at + 1 if at < last else -1
        if at == last:
            return count, -1
        value = (value - np.uint64(text[at]) * power) * BASE + np.uint64(text[at + size])
        at += 1


def fold(raw: bytes) -> tuple[bytes, Any]:
    """The folded text, and for each of its bytes the place in raw that it came from."""
    out = np.empty(len(raw), np.uint8)
    places = np.empty(len(raw), np.int32)
    kept = _fold(np.frombuffer(bytearray(raw), np.uint8), _KIND, out, places)
    return out[:kept].tobytes(), places[:kept]


def fingerprints(text: bytes, windows: Sequence[tuple[int, int]]) -> list[int]:
    """The fingerprints of windows (place, size) of a text."""
    out = np.empty(len(windows), np.uint64)
    places = np.array([place for place, _ in windows], np.int64)
    sizes = np.array([size for _, size in windows], np.int64)
    if windows and int((places + sizes).max()) > len(text):
        raise ValueError("a window ends beyond the text")
    _fingerprints(np.frombuffer(bytearray(text), np.uint8), places, sizes, out)
    return [int(value) for value in out]


class Finder:
    """Finds windows of known fingerprints. keys: for each size of window, its fingerprints in ascending order."""

    def __init__(self, keys: Mapping[int, Sequence[int]]) -> None:
        self._sets: list[tuple[int, Any, Any, Any, Any]] = []
        for size, values in sorted(keys.items()):
            if not values:
                continue
            known = np.array(values, np.uint64)
            width = max(15, (len(known) * 32 - 1).bit_length())
            shift = np.uint64(64 - width)
            spots = (known * MIX) >> shift
            bits = np.zeros(1 << (width - 3), np.uint8)
            np.bitwise_or.at(bits, spots >> np.uint64(3), np.left_shift(1, spots & np.uint64(7)).astype(np.uint8))
            self._sets.append((size, np.uint64(pow(int(BASE), size - 1, 1 << 64)), bits, shift, known))
        self._places = np.empty(_HITS, np.int64)
        self._found = np.empty(_HITS, np.int64)

    def find(self, text: bytes) -> Iterator[tuple[int, int, int]]:
        """(size, place in the text, which of the keys of this size), sizes in turn, places ascending."""
        given = np.frombuffer(bytearray(text), np.uint8)
        for size, power, bits, shift, keys in self._sets:
            begin = 0
            while begin >= 0:
                count, begin = _find(given, begin, size, power, bits, shift, keys, self._places, self._found)
                for place, which in zip(self._places[:count].tolist(), self._found[:count].tolist(), strict=True):
                    yield size, place, which
