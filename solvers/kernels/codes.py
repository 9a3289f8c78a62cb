"""Codes on words (puzzlemill/rules/codes.py says which there are): every code of the class is tried on every sample.

Brute force: orders, kinds, variants and keys run through their bounds, and each word is written anew, letter by letter. Nothing
is fitted. A word that is to be found is read off by trying 26 letters in each place. A node is one code.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlemill.core.model import CodeTable, Finding
from puzzlemill.solvers.kernels.compile import kernel

Ints = NDArray[np.int64]

_LETTERS, _NUMBERS, _SUMS = 0, 1, 2
_ORDERS = 8
_TOPS = (25, 999, 9_999)
# of each task: kinds with their variants, and how many values the first and the second key have
_KINDS: tuple[tuple[tuple[int, int, int], ...], ...] = (
    ((1, 26, 1), (1, 26, 1), (6, 26, 1), (1, 26, 26), (1, 26, 26), (1, 5, 21), (1, 26, 26)),
    ((10, 41, 1), (12, 41, 1), (2, 41, 1), (2, 41, 1)),
    ((30, 41, 1), (60, 1, 1), (6, 41, 1)),
)
_LOSSY = (4, 3, -1)  # the kind of each task that does not turn back into one word
_CIRCLES = np.array(
    [[0, 4, 8, 14, 20] + [-1] * 16, [1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 21, 22, 23, 24, 25]],
    dtype=np.int64,
)


@kernel("int64(int64, int64, int64)", counted=False, inlined=True)
def _from(order: int, i: int, n: int) -> int:
    """Which letter comes to place i."""
    half = n // 2
    if order == 1:
        return n - 1 - i
    if order == 2:
        return i if i == n - 1 and n % 2 == 1 else i + 1 - 2 * (i % 2)
    if order == 3 or order == 4:
        if half <= i < n - half:
            return i
        if order == 3:
            return half - 1 - i if i < half else 2 * n - half - 1 - i
        return i + n - half if i < half else i - n + half
    if order == 5:
        return n - 1 if i == 0 else 0 if i == n - 1 else i
    if order == 6:
        return (i + 1) % n
    return (i + n - 1) % n if order == 7 else i


@kernel("boolean(int64)", counted=False, inlined=True)
def _vowel(x: int) -> bool:
    return x == 0 or x == 4 or x == 8 or x == 14 or x == 20


@kernel("int64(int64, int64, int64, int64, int64, int64, int64, int64[:, ::1])", counted=False)
def _letter(kind: int, variant: int, a: int, b: int, x: int, i: int, n: int, circles: Ints) -> int:
    """A letter as a letter."""
    if kind == 0:
        return (x + a) % 26
    if kind == 1:
        return (25 - x + a) % 26
    if kind == 2:
        step = variant - 3 if variant < 3 else variant - 2
        return (x + a + step * i + 78) % 26
    if kind == 3:
        return (x + (b if i % 2 else a)) % 26
    if kind == 4:
        return (x + (a if _vowel(x) else b)) % 26
    if kind == 5:
        row, count, by = (0, 5, a) if _vowel(x) else (1, 21, b)
        at = 0
        while circles[row, at] != x:
            at += 1
        return int(circles[row, (at + by) % count])
    middle = 2 * i + 1 - n
    return (x + (b if -1 <= middle <= 1 else a)) % 26


@kernel("int64(int64, int64, int64, int64, int64)", counted=False)
def _number(kind: int, variant: int, a: int, x: int, i: int) -> int:
    """A letter as a number; below 0 if it is none."""
    front, back = x + 1, 26 - x
    if kind == 0:
        return (variant % 5 + 1) * (front if variant < 5 else back) + a - 20
    if kind == 1:
        step = variant % 6 - 3 if variant % 6 < 3 else variant % 6 - 2
        return (front if variant < 6 else back) + step * i + a - 20
    number = front if variant == 0 else back
    if kind == 2:
        return number * number + a - 20
    return (number if _vowel(x) else 27 - number) + a - 20


@kernel("int64(int64, int64, int64, int64[::1], int64)", counted=False)
def _sum(kind: int, variant: int, a: int, word: Ints, n: int) -> int:
    """The number of a word."""
    per = 5 if kind == 0 else 10 if kind == 1 else 1
    group, side, how = variant // per // 2, variant // per % 2, variant % per
    total = 0
    for i in range(n):
        if group == 0 or _vowel(word[i]) == (group == 1):
            total += word[i] + 1 if side == 0 else 26 - word[i]
    if kind == 0:
        return (how + 1) * total + a - 20
    if kind == 1:
        return total + (how - 5 if how < 5 else how - 4) * n
    return total * n + a - 20


@kernel("int64(int64, int64, int64, int64, int64, int64, int64, int64, int64[:, ::1])", counted=False, inlined=True)
def _sign(task: int, kind: int, variant: int, a: int, b: int, x: int, i: int, n: int, circles: Ints) -> int:
    return _letter(kind, variant, a, b, x, i, n, circles) if task == 0 else _number(kind, variant, a, x, i)


@kernel(
    "boolean(int64, int64, int64, int64, int64, int64, int64[:, ::1], int64[:, ::1], int64[::1], int64[::1], int64[:, ::1])",
    counted=False,
)
def _fits(
    task: int,
    order: int,
    kind: int,
    variant: int,
    a: int,
    b: int,
    words: Ints,
    codes: Ints,
    sizes: Ints,
    lengths: Ints,
    circles: Ints,
) -> bool:
    for k in range(sizes.size):
        n = sizes[k]
        if task == 2:
            if _sum(kind, variant, a, words[k], n) != codes[k, 0]:
                return False
            continue
        if lengths[k] != n:
            return False
        for i in range(n):
            if _sign(task, kind, variant, a, b, words[k, _from(order, i, n)], i, n, circles) != codes[k, i]:
                return False
    return True


@kernel(
    "boolean(int64, int64, int64, int64, int64, int64, boolean, int64[::1], int64[::1], int64, int64[:, ::1])",
    counted=False,
)
def _answer(
    task: int, order: int, kind: int, variant: int, a: int, b: int, decode: bool, asked: Ints, out: Ints, top: int, circles: Ints
) -> bool:
    """What the code makes of the text that is asked for; False for nothing."""
    n = asked.size
    if task == 2:
        out[0] = _sum(kind, variant, a, asked, n)
        return bool(0 <= out[0] <= top)
    for i in range(n):
        at = _from(order, i, n)
        if not decode:
            out[i] = _sign(task, kind, variant, a, b, asked[at], i, n, circles)
            if out[i] < 0 or out[i] > top:
                return False
            continue
        x = 0
        while x < 26 and _sign(task, kind, variant, a, b, x, i, n, circles) != asked[i]:
            x += 1
        if x == 26:
            return False
        out[at] = x
    return True


@kernel(
    "int64(int64, boolean, int64[:, ::1], int64[:, ::1], int64[::1], int64[::1], int64[::1], int64[:, ::1], int64, int64, "
    "int64[:, ::1], int64[:, ::1])"
)
def _tries(
    task: int,
    decode: bool,
    words: Ints,
    codes: Ints,
    sizes: Ints,
    lengths: Ints,
    asked: Ints,
    kinds: Ints,
    lossy: int,
    top: int,
    circles: Ints,
    found: Ints,
) -> int:
    """What every code that fits makes of the text; how many there are, the same ones again included."""
    count = 0
    for order in range(1 if task == 2 else _ORDERS):
        for kind in range(kinds.shape[0]):
            if decode and kind == lossy:
                continue
            for variant in range(kinds[kind, 0]):
                for a in range(kinds[kind, 1]):
                    for b in range(kinds[kind, 2]):
                        if _fits(task, order, kind, variant, a, b, words, codes, sizes, lengths, circles) and _answer(
                            task, order, kind, variant, a, b, decode, asked, found[count], top, circles
                        ):
                            count += 1
    return count


def _rows(texts: Any) -> Ints:
    rows = np.zeros((max(1, len(texts)), max([len(text) for text in texts], default=1)), dtype=np.int64)
    for row, text in zip(rows, texts, strict=False):
        row[: len(text)] = text
    return rows


def answers(table: CodeTable, limit: int, nodes: int) -> Finding:
    """Up to `limit` different answers. nodes: codes that may be tried."""
    kinds = np.array(_KINDS[table.task], dtype=np.int64)
    lossy = _LOSSY[table.task] if table.decode else -1
    ways = sum([int(kind.prod()) for number, kind in enumerate(kinds) if number != lossy])
    ways *= 1 if table.task == _SUMS else _ORDERS
    if ways > nodes:
        return Finding((), False, nodes)
    words, codes = [word for word, _ in table.pairs], [code for _, code in table.pairs]
    sizes, lengths = (np.array([len(text) for text in texts], dtype=np.int64) for texts in (words, codes))
    asked = np.array(table.asked, dtype=np.int64)
    found = np.zeros((ways + 1, 1 if table.task == _SUMS else len(asked)), dtype=np.int64)
    count = _tries(
        table.task,
        table.decode,
        _rows(words),
        _rows(codes),
        sizes,
        lengths,
        asked,
        kinds,
        lossy,
        _TOPS[table.task],
        _CIRCLES,
        found,
    )
    outputs = list(dict.fromkeys(map(tuple, found[:count].tolist())))
    return Finding(tuple(outputs[:limit]), len(outputs) < limit, ways)
