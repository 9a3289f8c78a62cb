"""The patterns of a binary line: balanced, without three equal cells in a run. They are never listed (20 cells have 8,196).

An automaton that reads a line cell by cell needs only the number of ones so far, the last cell, and whether the last two are
equal.
"""

from __future__ import annotations

from puzzlemill.solvers.kernels.compile import kernel

MOST = 20  # longest line
# The automaton's states as four fields of 12 bits: (last 0, single), (last 0, double), (last 1, single), (last 1, double);
# bit k of a field: k ones so far. Reading starts as if after a double of either value, so that nothing is cut short.
_FIELD = 0xFFF
_START = (1 << 12) | (1 << 36)
_ALL_FIELDS = 1 | (1 << 12) | (1 << 24) | (1 << 36)


@kernel("boolean(int64, int64, int64, int64[:,::1])")
def fit(ones, zeros, n, room):
    """Write into `room` what all fitting patterns of a line of n cells agree on: ones into room[0, 0], zeros into room[0, 1].

    False if no pattern fits.
    """
    half = n >> 1
    within = (2 << half) - 1  # counts 0..half
    reached = room[1]
    w = _START
    reached[0] = w
    for i in range(n):
        after = 0
        if not (ones >> i) & 1:
            after = ((w >> 24 | w >> 36) & _FIELD) | (w & _FIELD) << 12
        if not (zeros >> i) & 1:
            after |= (((w | w >> 12) << 1) & within) << 24 | ((w >> 24 << 1) & within) << 36
        w = after
        reached[i + 1] = w
    back = _ALL_FIELDS << half
    if not w & back:
        return False
    for i in range(n - 1, -1, -1):
        w = reached[i]
        before = 0
        if not (ones >> i) & 1:
            after = ((w >> 24 | w >> 36) & _FIELD) | (w & _FIELD) << 12
            if after & back:
                last = back & _FIELD
                before = last << 24 | last << 36 | (back >> 12 & _FIELD)
            else:
                ones |= 1 << i
        if not (zeros >> i) & 1:
            after = (((w | w >> 12) << 1) & within) << 24 | ((w >> 24 << 1) & within) << 36
            if after & back:
                last = (back >> 24 & _FIELD) >> 1
                before |= last | last << 12 | ((back >> 36 & _FIELD) >> 1) << 24
            else:
                zeros |= 1 << i
        back = before
    room[0, 0] = ones
    room[0, 1] = zeros
    return True


@kernel("boolean(int64, int64, int64, int64[::1], int64, int64[:,::1])")
def fit_but(ones, zeros, n, taken, many, room):
    """As _fit, when the first `many` masks of ones in `taken` (different, all fitting) are patterns of other lines.

    Counts patterns instead of asking whether there are any. room: scratch of n + 4 rows of 48.
    """
    half = n >> 1
    width = half + 1  # entry state * width + k: k ones so far; states in the order of the fields of _fit
    size = 4 * width
    for i in range(n + 1):
        for j in range(size):
            room[i + 1, j] = 0
    room[1, width] = 1
    room[1, 3 * width] = 1
    for i in range(n):
        for k in range(width):
            a, b = room[i + 1, k], room[i + 1, width + k]
            c, d = room[i + 1, 2 * width + k], room[i + 1, 3 * width + k]
            if not (ones >> i) & 1:
                room[i + 2, k] += c + d
                room[i + 2, width + k] += a
            if not (zeros >> i) & 1 and k < half:
                room[i + 2, 2 * width + k + 1] += a + b
                room[i + 2, 3 * width + k + 1] += c
    back, before = n + 2, n + 3
    for j in range(size):
        room[back, j] = 0
    for state in range(4):
        room[back, state * width + half] = 1
    for i in range(n - 1, -1, -1):
        with_zero = with_one = 0
        for k in range(width):
            a, b = room[i + 1, k], room[i + 1, width + k]
            c, d = room[i + 1, 2 * width + k], room[i + 1, 3 * width + k]
            e = f = g = h = 0
            if not (ones >> i) & 1:
                single, double = room[back, k], room[back, width + k]
                with_zero += (c + d) * single + a * double
                e, g, h = double, single, single
            if not (zeros >> i) & 1 and k < half:
                single, double = room[back, 2 * width + k + 1], room[back, 3 * width + k + 1]
                with_one += (a + b) * single + c * double
                e += single
                f = single
                g += double
            room[before, k], room[before, width + k] = e, f
            room[before, 2 * width + k], room[before, 3 * width + k] = g, h
        back, before = before, back
        for t in range(many):
            if (taken[t] >> i) & 1:
                with_one -= 1
            else:
                with_zero -= 1
        if with_zero + with_one <= 0:
            return False
        if with_zero == 0:
            ones |= 1 << i
        elif with_one == 0:
            zeros |= 1 << i
    room[0, 0] = ones
    room[0, 1] = zeros
    return True
