"""Bits of words inside kernels."""

from __future__ import annotations

from puzzlemill.solvers.kernels.compile import kernel


@kernel("int64(int64)")
def popcount(x):
    """Number of ones among the bits of x >= 0 (LLVM knows this idiom and emits one instruction)."""
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (x * 0x0101010101010101) >> 56


@kernel("int64(int64[:,::1], int64, int64)")
def unknown(at, rows, cols):
    """Count the cells of a board of two values that may still hold both; at: masks of rows that hold the one, the other."""
    found = 0
    for r in range(rows):
        found += cols - popcount(at[0, r] | at[1, r])
    return found
