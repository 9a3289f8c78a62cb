"""Techniques on the candidates of Latin grids, for tiers without steps: all that those of solvers/deduce/latin.py find.

c: masks of the candidates of each cell, of one that is filled its value alone. units: [., n] the cells of each unit; of: the
units of each cell, filled up with -1. dirty: units whose cells have changed.
"""

from __future__ import annotations

import numpy as np

from puzzlemill.solvers.kernels.bits import popcount
from puzzlemill.solvers.kernels.compile import kernel


@kernel("void(int64[::1], int64, int64, int64[:,::1], uint8[::1])")
def keep(c, i, left, of, dirty):
    """Leave a cell these candidates."""
    c[i] = left
    for u in of[i]:
        if u >= 0:
            dirty[u] = 1


@kernel("int64(int64[::1], int64, boolean, int64[:,::1], int64[:,::1], uint8[::1])")
def singles(c, n, apart, units, of, dirty):
    """Fill what has one value or one place until nothing has. Returns how many cells were filled; -1 for a contradiction."""
    full = (1 << n) - 1
    filled, moved = 0, True
    while moved:
        moved = False
        for u in range(units.shape[0]):
            if not dirty[u]:
                continue
            dirty[u] = 0
            once, twice, single = 0, 0, 0
            for i in units[u]:
                own = c[i]
                twice |= once & own
                once |= own
                if own & (own - 1) == 0:
                    if own == 0 or single & own:
                        return -1
                    single |= own
            if once != full:
                return -1
            hidden = once & ~twice
            for i in units[u]:
                own = c[i]
                if own & (own - 1) == 0:
                    continue
                left = own & ~single
                if own & hidden:
                    left = own & hidden
                    if left & (left - 1):
                        return -1
                if left == own:
                    continue
                if left == 0:
                    return -1
                filled += left & (left - 1) == 0
                keep(c, i, left, of, dirty)
                moved = True
        if apart and not moved:
            for i in range(n * n):
                if c[i] & (c[i] - 1):
                    continue
                gone = c[i] << 1 | c[i] >> 1
                for side in range(4):
                    j = (i - 1, i + 1, i - n, i + n)[side]
                    if not 0 <= j < n * n or (side < 2 and j // n != i // n) or not c[j] & gone:
                        continue
                    left = c[j] & ~gone
                    if left == 0:
                        return -1
                    filled += left & (left - 1) == 0
                    keep(c, j, left, of, dirty)
                    moved = True
    return filled


@kernel("boolean(int64[::1], int64, int64)")
def covers(masks, many, most):
    """Where up to `most` (2 to 4) of the masks have as many bits together, take these from the others. True if that is any."""
    changed = False
    for a in range(many):
        for b in range(a + 1, many):
            two = masks[a] | masks[b]
            if popcount(two) > most or masks[a] & (masks[a] - 1) == 0 or masks[b] & (masks[b] - 1) == 0:
                continue
            for d in range(b, many):
                for e in range(d, many) if d > b else range(d, d + 1):
                    size = 2 + (d > b) + (e > d)
                    if size > most:
                        continue
                    three, four = masks[d], masks[e]
                    union = two | three | four
                    if popcount(union) > size or three & (three - 1) == 0 or four & (four - 1) == 0:
                        continue
                    for k in range(many):
                        if k != a and k != b and k != d and k != e and masks[k] & union:
                            masks[k] &= ~union
                            changed = True
    return changed


@kernel("boolean(int64[::1], int64, int64[:,::1], int64[:,::1], uint8[::1])")
def subsets(c, n, units, of, dirty):
    """Naked and hidden pairs, triples and quads. True if they changed anything."""
    changed = False
    masks = np.empty(n, dtype=np.int64)
    at = np.empty(n, dtype=np.int64)
    for u in range(units.shape[0]):
        many, held = 0, 0
        for i in units[u]:
            if c[i] & (c[i] - 1):
                masks[many], at[many] = c[i], i
                many += 1
            else:
                held |= c[i]
        if many < 3:
            continue
        if covers(masks, many, 4):
            changed = True
            for k in range(many):
                if masks[k] != c[at[k]]:
                    keep(c, at[k], masks[k], of, dirty)
        count = 0
        for v in range(n):
            if held >> v & 1:
                continue
            places = 0
            for k in range(many):
                places |= (c[at[k]] >> v & 1) << k
            masks[count] = places
            count += 1
        if covers(masks, count, 4):
            changed = True
            count = 0
            for v in range(n):
                if held >> v & 1:
                    continue
                for k in range(many):
                    if c[at[k]] >> v & 1 and not masks[count] >> k & 1:
                        keep(c, at[k], c[at[k]] & ~(1 << v), of, dirty)
                count += 1
    return changed


@kernel("boolean(int64[::1], int64, int64, int64[:,::1], uint8[::1])")
def fish(c, n, most, of, dirty):
    """All places of a value in up to `most` rows lie in as many columns, or the other way round. True if that is any."""
    changed = False
    masks = np.empty(n, dtype=np.int64)
    at = np.empty(n, dtype=np.int64)
    for v in range(n):
        bit = 1 << v
        for across in range(2):
            many = 0
            for r in range(n):
                places = 0
                for k in range(n):
                    i = k * n + r if across else r * n + k
                    if c[i] == bit:
                        places = 0
                        break
                    if c[i] & bit:
                        places |= 1 << k
                if places:
                    masks[many], at[many] = places, r
                    many += 1
            if covers(masks, many, most):
                changed = True
                for m in range(many):
                    for k in range(n):
                        i = k * n + at[m] if across else at[m] * n + k
                        if c[i] & bit and c[i] != bit and not masks[m] >> k & 1:
                            keep(c, i, c[i] & ~bit, of, dirty)
    return changed


@kernel("boolean(int64[::1], uint8[:,::1], int64[:,::1], uint8[::1])")
def xy_wings(c, peers, of, dirty):
    """A cell has a or b; of two that it sees one has a or c, the other b or c: what sees these is not c. True if that changed
    anything. peers[i, j]: whether cells i and j see each other.
    """
    changed = False
    cells = c.shape[0]
    for i in range(cells):
        if popcount(c[i]) != 2:
            continue
        for j in range(cells):
            if not peers[i, j] or popcount(c[j]) != 2 or popcount(c[i] & c[j]) != 1:
                continue
            third = c[i] ^ c[j]
            for k in range(j + 1, cells):
                if c[k] != third or not peers[i, k]:
                    continue
                value = c[j] & c[k]
                for x in range(cells):
                    if peers[x, j] and peers[x, k] and c[x] & value and c[x] & (c[x] - 1):
                        keep(c, x, c[x] & ~value, of, dirty)
                        changed = True
                if popcount(c[i]) != 2 or popcount(c[j]) != 2:
                    break
            if popcount(c[i]) != 2:
                break
    return changed
