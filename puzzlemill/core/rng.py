"""Random numbers: a fixed, published algorithm, keyed by a path and handed around as an argument.

Generator: xoshiro256** 1.0 (Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 2021).
Its four 64-bit words are the SHA-256 digest of a type-tagged path, read little-endian.
Bounded integers take the top bits of a word and reject what is too large, so that every value is equally likely
and `puzzlemill.solvers.kernels.random` can repeat the same draws. numpy promises no stable streams between versions;
this module promises that its streams never change. The vectors in tests/unit/test_rng.py are part of the promise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import repeat
from typing import TypeVar

T = TypeVar("T")
_MASK = (1 << 64) - 1


def digest(*path: str | int) -> bytes:
    """SHA-256 of a path of strings and integers; ("a", 1) and ("a", "1") and ("a1",) all differ."""
    hashed = sha256()
    for part in path:
        if type(part) is not str and type(part) is not int:
            raise TypeError(f"a random path holds str and int only, got {type(part).__name__} {part!r}")
        raw = str(part).encode()
        hashed.update(f"{type(part).__name__}{len(raw)}:".encode())
        hashed.update(raw)
    return hashed.digest()


def stream(*path: str | int) -> Rng:
    """An independent generator for this path. stream("v3", "train", 7) shares nothing with stream("v3", "train", 8)."""
    return Rng(digest(*path))


class Rng:
    """A stream of 64-bit words and exact draws from it.

    key: 32 bytes, not all zero. Two generators with equal keys give equal streams.
    """

    __slots__ = ("_a", "_b", "_c", "_d", "key")

    def __init__(self, key: bytes) -> None:
        if len(key) != 32 or not any(key):
            raise ValueError(f"an Rng key is 32 bytes and not all zero, got {len(key)} bytes")
        self.key = key
        self._a, self._b, self._c, self._d = (int.from_bytes(key[i : i + 8], "little") for i in (0, 8, 16, 24))

    def child(self, *path: str | int) -> Rng:
        """An independent generator that depends on this one's key and the path, not on what was drawn so far."""
        return Rng(digest(self.key.hex(), *path))

    def words(self) -> tuple[int, int, int, int]:
        """The current state, for a kernel that goes on with this stream. Use it on a child of its own."""
        return self._a, self._b, self._c, self._d

    def next64(self) -> int:
        """The next word, 0 <= word < 2**64."""
        b = self._b
        product = b * 5 & _MASK
        result = ((product << 7 | product >> 57) & _MASK) * 9 & _MASK
        c = self._c ^ self._a
        d = self._d ^ b
        self._b = b ^ c
        self._a ^= d
        self._c = c ^ (b << 17 & _MASK)
        self._d = (d << 45 | d >> 19) & _MASK
        return result

    def below(self, n: int) -> int:
        """An even draw from 0 .. n-1, n at least 1 and of any size; above 2**63, as many words are drawn as that takes."""
        if not 1 <= n <= 1 << 63:
            return self._far_below(n)
        shift = 64 - (n - 1).bit_length()
        if shift == 64:
            return 0
        while True:
            value = self.next64() >> shift
            if value < n:
                return value

    def _far_below(self, n: int) -> int:
        if n < 1:
            raise ValueError(f"below(n) needs n >= 1, got {n}")
        bits = (n - 1).bit_length()
        while True:
            value = 0
            for _ in range(-(-bits // 64)):
                value = value << 64 | self.next64()
            value >>= -bits % 64
            if value < n:
                return value

    def between(self, low: int, high: int) -> int:
        """An even draw from low .. high, both included."""
        return low + self.below(high - low + 1)

    def chance(self, hits: int, of: int) -> bool:
        """True with probability hits/of."""
        return self.below(of) < hits

    def pick(self, items: Sequence[T]) -> T:
        """One item, each position equally likely."""
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in an even random order (Fisher-Yates from the end): each j is below(i + 1), written out for speed."""
        out = list(items)
        a, b, c, d = self._a, self._b, self._c, self._d
        for i in range(len(out) - 1, 0, -1):
            shift = 64 - i.bit_length()
            j = i + 1
            while j > i:
                product = b * 5 & _MASK
                j = (((product << 7 | product >> 57) & _MASK) * 9 & _MASK) >> shift
                c ^= a
                d ^= b
                a ^= d
                b, c = b ^ c, c ^ (b << 17 & _MASK)
                d = (d << 45 | d >> 19) & _MASK
            out[i], out[j] = out[j], out[i]
        self._a, self._b, self._c, self._d = a, b, c, d
        return out

    def sample(self, items: Sequence[T], k: int) -> list[T]:
        """k items from different positions, in random order."""
        if not 0 <= k <= len(items):
            raise ValueError(f"cannot sample {k} of {len(items)} items")
        return self.shuffled(items)[:k]

    def few(self, items: Sequence[T], k: int) -> list[T]:
        """The same as sample() by k draws, which is faster for a few items of many. It draws others than sample() does."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(k)]

    def numbers(self, n: int) -> Iterator[int]:
        """Even draws from 0 .. n-1 without end: the digits of larger draws, several times as fast as below(n) one by one."""
        if n == 1:
            yield from repeat(0)
        digits = 60 // n.bit_length()
        while True:
            drawn = self.below(n**digits)
            for _ in range(digits):
                drawn, digit = divmod(drawn, n)
                yield digit
