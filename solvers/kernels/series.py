"""Number series: every value in the place of a term, tried against every rule of the grammar (puzzlemill/rules/series.py).

Brute force: numbers of rules run through their bounds, or are read off the first terms, and each series is made anew from its
beginning. Nothing is fitted to terms of which some are unknown. A node is one value in one place.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from puzzlemill.core.model import Finding, SeriesTable
from puzzlemill.solvers.kernels.compile import kernel

Ints = NDArray[np.int64]

_TOP = 9_999
_BEGINNING = 4  # terms that not every series begins with
_PRIMES = np.array([n for n in range(2, 12_000) if all(n % d for d in range(2, int(n**0.5) + 1))], dtype=np.int64)


@kernel("boolean(int64[::1], int64, int64, int64, int64)", counted=False, inlined=True)
def _line(t: Ints, factor: int, added: int, more: int, grows: int) -> bool:
    """Each term is the last one times factor plus added; factor grows by `grows` at each step, added by `more`."""
    for i in range(t.size - 1):
        if t[i + 1] != t[i] * factor + added:
            return False
        factor += grows
        added += more
    return True


@kernel("boolean(int64[::1], int64, int64)", counted=False, inlined=True)
def _divided(t: Ints, divisor: int, added: int) -> bool:
    good = True
    for i in range(t.size - 1):
        good = good and t[i + 1] * divisor == t[i] + added
    return good


@kernel("boolean(int64[::1], int64, int64, int64, int64)", counted=False, inlined=True)
def _turns(t: Ints, m0: int, c0: int, m1: int, c1: int) -> bool:
    """Two steps by turns."""
    for i in range(t.size - 1):
        if i % 2 == 0:
            if t[i + 1] != t[i] * m0 + c0:
                return False
        elif t[i + 1] != t[i] * m1 + c1:
            return False
    return True


@kernel("int64(int64)", counted=False, inlined=True)
def _root(square: int) -> int:
    """Its square root, -1 if that is no whole number."""
    root = int(np.sqrt(square))
    return root if square >= 0 and root * root == square else -1


@kernel("int64(int64[::1], int64)", counted=False)
def _prime_at(primes: Ints, value: int) -> int:
    low, high = 0, primes.size - 1
    while low < high:
        middle = (low + high) // 2
        if primes[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low if primes[low] == value else -1


@kernel("boolean(int64[::1], int64[::1])", counted=False)
def _steps(t: Ints, primes: Ints) -> bool:
    """Differences that are primes, squares or cubes in a row, of one sign or of alternating ones."""
    first = abs(t[1] - t[0])
    if first == 0:
        return False
    for swing in (1, -1):
        for power in (1, 2, 3):
            start = -1
            if power == 1:
                start = _prime_at(primes, first)
            elif power == 2:
                start = _root(first)
            else:
                root = 1
                while root * root * root < first:
                    root += 1
                start = root if root * root * root == first else -1
            if start < 0:
                continue
            sign = 1 if t[1] > t[0] else -1
            good = True
            for i in range(t.size - 1):
                size = primes[min(start + i, primes.size - 1)] if power == 1 else (start + i) ** power
                if t[i + 1] - t[i] != sign * size:
                    good = False
                    break
                sign *= swing
            if good:
                return True
    return False


@kernel("boolean(int64[::1])", counted=False)
def _cubes(t: Ints) -> bool:
    for root in range(24):
        added = t[0] - root * root * root
        if -90 <= added <= 90:
            good = True
            for i in range(1, t.size):
                if t[i] != (root + i) * (root + i) * (root + i) + added:
                    good = False
                    break
            if good:
                return True
    return False


@kernel("boolean(int64[::1], int64[::1], boolean)", counted=False)
def _in_primes(t: Ints, primes: Ints, squared: bool) -> bool:
    for added in range(-9, 10):
        value = t[0] - added
        if squared:
            value = _root(value)
        if value < 2:
            continue
        at = _prime_at(primes, value)
        if at < 0:
            continue
        good = True
        for i in range(t.size):
            p = primes[min(at + i, primes.size - 1)]
            if t[i] != (p * p if squared else p) + added:
                good = False
                break
        if good:
            return True
    return False


@kernel("boolean(int64[::1])", counted=False)
def _squares_plus_minus(t: Ints) -> bool:
    for added in range(-9, 10):
        root = _root(t[0] - added)
        if added == 0 or root < 0:
            continue
        good, sign = True, 1
        for i in range(t.size):
            if t[i] != (root + i) * (root + i) + sign * added:
                good = False
                break
            sign = -sign
        if good:
            return True
    return False


@kernel("boolean(int64[::1])", counted=False)
def _recurs(t: Ints) -> bool:
    two, three = True, True
    added = t[2] - t[1] - t[0]
    if added < -9 or added > 9:
        two = False
    for i in range(2, t.size):
        if t[i] != t[i - 1] + t[i - 2] + added:
            two = False
            break
    for i in range(3, t.size):
        if t[i] != t[i - 1] + t[i - 2] + t[i - 3]:
            three = False
            break
    return two or three


@kernel("boolean(int64[::1])", counted=False)
def _digits(t: Ints) -> bool:
    sums, turns, added = True, True, 0
    for i in range(t.size - 1):
        left, total, turned = t[i], 0, 0
        while left > 0:
            total += left % 10
            turned = turned * 10 + left % 10
            left //= 10
        if i == 0:
            added = t[1] - turned
        if t[i + 1] != t[i] + total:
            sums = False
        if t[i + 1] != turned + added:
            turns = False
        if not sums and not turns:
            return False
    return True


@kernel("boolean(int64[::1], int64[::1])", counted=False)
def _one_rule(t: Ints, primes: Ints) -> bool:
    """Rules of all terms, whatever counts as evidence."""
    d = t[1] - t[0]
    second = t[2] - t[1] - d
    if (d != 0 or second != 0) and _line(t, 1, d, second, 0):
        return True
    for m in range(2, 10):
        added = t[1] - m * t[0]
        if (added != 0 or t[0] > 0) and t[1] != t[0] and _line(t, m, added, 0, 0):
            return True
        shrunk = t[1] * m - t[0]
        if t[1] != t[0] and _divided(t, m, shrunk):
            return True
        if 0 <= added <= 9 and _line(t, m, added, 1, 0):
            return True
        if added != 0 and _turns(t, m, added, m, -added):
            return True
        if t[2] != t[1] and _turns(t, m, 0, 1, t[2] - t[1]):
            return True
        if d != 0 and _turns(t, 1, d, m, 0):
            return True
    for k in range(1, 10):
        if (t[1] != k * t[0] or t[0] > 0) and _line(t, k, t[1] - k * t[0], 0, 1):
            return True
        if _line(t, k, k, 1, 1):
            return True
    if d != t[2] - t[1] and _turns(t, 1, d, 1, t[2] - t[1]):
        return True
    swing = -(t[2] - t[1]) - d  # differences of alternating signs that grow evenly
    if swing != 0:
        good, step, sign = True, d, 1
        for i in range(t.size - 1):
            if t[i + 1] != t[i] + sign * step:
                good = False
                break
            step += swing
            sign = -sign
        if good:
            return True
    return (
        _steps(t, primes)
        or _cubes(t)
        or _in_primes(t, primes, False)
        or _in_primes(t, primes, True)
        or _squares_plus_minus(t)
        or _recurs(t)
        or _digits(t)
    )


@kernel("boolean(int64[::1], int64, int64[::1])", counted=False)
def _strand(t: Ints, known: int, primes: Ints) -> bool:
    """One of two interleaved rules; known: how many of the terms are evidence."""
    d = t[1] - t[0]
    if known > 2:
        if d != 0 and _line(t, 1, d, 0, 0):
            return True
        if t[0] > 0:
            for m in range(2, 10):
                if _line(t, m, 0, 0, 0) or _divided(t, m, 0):
                    return True
        if _cubes(t) or _in_primes(t, primes, False):
            return True
    second = t[2] - t[1] - d
    return known > 3 and second != 0 and _line(t, 1, d, second, 0)


@kernel("int64(int64[::1], int64, int64[::1], int64[::1])")
def _tries(terms: Ints, at: int, primes: Ints, found: Ints) -> int:
    """The values at one place that make the terms follow a rule; how many."""
    t = terms.copy()
    count = 0
    half, n = at % 2, t.size
    other = t[1 - half :: 2].copy()
    two = n >= 8 and _strand(other, other.size, primes)
    one = at < _BEGINNING or _one_rule(t[:at].copy(), primes)  # the beginning of a series follows its rule too
    for value in range(_TOP + 1 if one or two else 0):
        t[at] = value
        if (one and _one_rule(t, primes)) or (two and _strand(t[half::2].copy(), (n - half + 1) // 2 - 1, primes)):
            found[count] = value
            count += 1
    return count


def answers(table: SeriesTable, limit: int, nodes: int) -> Finding:
    """Up to `limit` different answers. nodes: values that may be tried."""
    terms = np.array([max(term, 0) for term in table.terms], dtype=np.int64)
    found = np.empty(_TOP + 1, dtype=np.int64)
    places = [table.hole] if table.hole >= 0 else range(len(table.terms))
    if len(places) * (_TOP + 1) > nodes:
        return Finding((), False, nodes)
    outputs: list[tuple[int, ...]] = []
    for at in places:
        values = [int(value) for value in found[: _tries(terms, at, _PRIMES, found)]]
        if table.hole >= 0:
            outputs = [(value,) for value in values]
        else:
            outputs += [(at, value) for value in values if value != table.terms[at]]
    return Finding(tuple(outputs[:limit]), len(outputs) < limit, len(places) * (_TOP + 1))
