"""The draws of puzzlemill.core.rng inside kernels: same words, same bounded integers, same shuffles.

A state is a uint64 array of 4 words, made by `state_of`, and changed in place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzlemill.core.rng import Rng
from puzzlemill.solvers.kernels.compile import kernel


def state_of(rng: Rng) -> Any:
    """The state that continues this generator: hand over a child made for the kernel alone."""
    return np.array(rng.words(), dtype=np.uint64)


@kernel("uint64(uint64[::1])")
def next64(state):
    a, b, c, d = state[0], state[1], state[2], state[3]
    product = b * np.uint64(5)
    result = ((product << np.uint64(7)) | (product >> np.uint64(57))) * np.uint64(9)
    c ^= a
    d ^= b
    state[1] = b ^ c
    state[0] = a ^ d
    state[2] = c ^ (b << np.uint64(17))
    state[3] = (d << np.uint64(45)) | (d >> np.uint64(19))
    return result


@kernel("int64(uint64[::1], int64)")
def below(state, n):
    """An even draw from 0 .. n-1, n >= 1, word for word as Rng.below."""
    shift = np.uint64(64)
    top = np.uint64(n - 1)
    while top > np.uint64(0):
        top >>= np.uint64(1)
        shift -= np.uint64(1)
    if shift == np.uint64(64):
        return np.int64(0)
    while True:
        value = np.int64(next64(state) >> shift)
        if value < n:
            return value


@kernel("void(uint64[::1], int64[::1])")
def shuffle(state, items):
    """Shuffle in place, swap for swap as Rng.shuffled."""
    for i in range(items.shape[0] - 1, 0, -1):
        j = below(state, i + 1)
        items[i], items[j] = items[j], items[i]
