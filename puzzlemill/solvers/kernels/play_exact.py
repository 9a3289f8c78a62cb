"""Exact optimal play of truth-finding games (core.model.Game): branch and bound over states, with integer weights.

docs/design/strategies.md derives what is used here.

  state    (truths left, actions unused that touch one of them), as bit masks; key = truths << 32 | actions
  weight   the number of worlds that a state still allows; costs are sums of actions over these worlds
  values   int64[places, 3] beside keys[places]: weight (0 where it is certain which truths hold), and proved bounds
           low <= cost <= high of the best play from there
  free     uint8[actions, 1 << truths]: how many outcomes of an action exclude none of a set of truths
  meta     int64[4]: states in the table, why the search stopped (0 not at all), states expanded, how many may be
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzlemill.solvers.kernels.compile import kernel

FULL, SPENT = 1, 2  # why a search stopped: the table is full, the budget of nodes is spent
MOST = 1 << 62


@kernel("void(uint64[:,::1], int64[::1], int64, uint8[:,::1])")
def count_free(excludes: Any, sizes: Any, truths: Any, free: Any) -> None:
    """Fill `free`."""
    for a in range(sizes.shape[0]):
        for group in range(1 << truths):
            count = 0
            for s in range(sizes[a]):
                if excludes[a, s] & np.uint64(group) == 0:
                    count += 1
            free[a, group] = count


@kernel("uint64(uint64, uint64, uint64[::1])")
def relevant(left: Any, unused: Any, touch: Any) -> Any:
    """The unused actions that can exclude a truth left."""
    out, rest, a = np.uint64(0), unused, 0
    while rest:
        if rest & np.uint64(1) and touch[a] & left:
            out |= np.uint64(1) << np.uint64(a)
        rest >>= np.uint64(1)
        a += 1
    return out


@kernel("int64(uint64, uint64, uint8[:,::1], int64[::1], int64[::1])")
def spread(left: Any, unused: Any, free: Any, worlds: Any, groups: Any) -> Any:
    """worlds[q]: how many worlds leave exactly the truths groups[q]; how many sets of truths left there are."""
    size, rest, t = 1, left, 0
    worlds[0], groups[0] = 1, 0
    while rest:
        if rest & np.uint64(1):
            for q in range(size):
                worlds[size + q] = 1
                groups[size + q] = groups[q] | (1 << t)
            size *= 2
        rest >>= np.uint64(1)
        t += 1
    rest, a = unused, 0
    while rest:
        if rest & np.uint64(1):
            for q in range(size):
                worlds[q] *= free[a, groups[q]]
        rest >>= np.uint64(1)
        a += 1
    half = 1
    while half < size:
        for q in range(size):
            if not q & half:
                worlds[q] -= worlds[q | half]
        half *= 2
    return size


@kernel("int64(uint64, uint64, int64, uint8[:,::1], int64[::1], int64[::1])")
def weigh(left: Any, unused: Any, valid: Any, free: Any, worlds: Any, groups: Any) -> Any:
    """The number of worlds; -1 - it if at most one set of valid truths is left."""
    size = spread(left, unused, free, worlds, groups)
    total, sets = np.int64(0), 0
    for q in range(size):
        ones, rest = 0, q
        while rest:
            rest &= rest - 1
            ones += 1
        if ones == valid and worlds[q]:
            total += worlds[q]
            sets += 1
    return -total - 1 if sets <= 1 else total


@kernel("int64(uint64, uint64, int64, uint64[::1], int64[:,::1], int64[::1], uint8[:,::1], int64[::1], int64[::1])")
def enter(left: Any, unused: Any, valid: Any, keys: Any, values: Any, meta: Any, free: Any, worlds: Any, groups: Any) -> Any:
    """The state's place in the table; -1 if it is new and the table is full."""
    key = (left << np.uint64(32)) | unused
    last = keys.shape[0] - 1
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    at = np.int64(mixed >> np.uint64(32)) & last
    while keys[at] != key:
        if keys[at] == 0:
            if 4 * meta[0] >= 3 * keys.shape[0]:
                meta[1] = FULL
                return -1
            keys[at] = key
            meta[0] += 1
            weight = weigh(left, unused, valid, free, worlds, groups)
            if weight < 0:
                values[at, :] = 0
            else:
                actions, rest = 0, unused
                while rest:
                    rest &= rest - np.uint64(1)
                    actions += 1
                values[at, 0], values[at, 1], values[at, 2] = weight, weight, weight * actions
            return at
        at = (at + 1) & last
    return at


@kernel(
    "int64(uint64, uint64, int64, int64, int64, uint64[:,::1], int64[::1], uint64[::1], uint64[::1], int64[:,::1], int64[::1],"
    "uint8[:,::1], int64[::1], int64[::1])"
)
def solve(
    left: Any,
    unused: Any,
    limit: Any,
    valid: Any,
    depth: Any,
    excludes: Any,
    sizes: Any,
    touch: Any,
    keys: Any,
    values: Any,
    meta: Any,
    free: Any,
    worlds: Any,
    groups: Any,
) -> Any:
    """Raise the state's low bound to `limit` or to its cost, and lower its high bound; the low bound, -1 if it stopped."""
    here = enter(left, unused, valid, keys, values, meta, free, worlds, groups)
    if here < 0:
        return -1
    if values[here, 1] >= limit or values[here, 1] == values[here, 2]:
        return values[here, 1]
    if meta[2] >= meta[3]:
        meta[1] = SPENT
        return -1
    meta[2] += 1
    weight = values[here, 0]
    width = excludes.shape[1]
    count = 0
    actions = np.empty(32, np.int64)
    bounds = np.empty(32, np.int64)
    places = np.empty((32, width), np.int64)
    scales = np.empty((32, width), np.int64)
    high = values[here, 2]
    for a in range(sizes.shape[0]):
        if not (unused >> np.uint64(a)) & np.uint64(1):
            continue
        rest = unused ^ (np.uint64(1) << np.uint64(a))
        bound, above = weight, weight
        for s in range(sizes[a]):
            after = left & ~excludes[a, s]
            keep = relevant(after, rest, touch)
            scale = np.int64(1)
            for b in range(sizes.shape[0]):
                if ((rest & ~keep) >> np.uint64(b)) & np.uint64(1):
                    scale *= sizes[b]
            at = enter(after, keep, valid, keys, values, meta, free, worlds, groups)
            if at < 0:
                return -1
            places[a, s], scales[a, s] = at, scale
            bound += scale * values[at, 1]
            above += scale * values[at, 2]
        high = min(high, above)
        p = count
        while p > 0 and bounds[p - 1] > bound:
            bounds[p], actions[p] = bounds[p - 1], actions[p - 1]
            p -= 1
        bounds[p], actions[p] = bound, a
        count += 1
    values[here, 2] = high
    best = min(limit, high)
    low = MOST
    for p in range(count):
        a = actions[p]
        total = np.int64(0)
        s = 0
        while True:
            total = weight
            for r in range(sizes[a]):
                total += scales[a, r] * values[places[a, r], 1]
            if total >= best or s == sizes[a]:
                break
            at = places[a, s]
            if values[at, 1] < values[at, 2]:
                times = np.int64(0)
                for r in range(sizes[a]):
                    if places[a, r] == at:
                        times += scales[a, r]
                room = best - total + times * values[at, 1]
                key = keys[at]
                got = solve(
                    key >> np.uint64(32),
                    key & np.uint64(0xFFFFFFFF),
                    (room + times - 1) // times,
                    valid,
                    depth + 1,
                    excludes,
                    sizes,
                    touch,
                    keys,
                    values,
                    meta,
                    free,
                    worlds,
                    groups,
                )
                if got < 0:
                    return -1
            s += 1
        low = min(low, total)
        if total < best:
            best = total
            values[here, 2] = min(values[here, 2], total)
    values[here, 1] = max(values[here, 1], min(low, values[here, 2]))
    return values[here, 1]


@kernel("void(uint64[::1], int64[:,::1], uint64[::1], int64[:,::1])")
def move(keys: Any, values: Any, larger: Any, there: Any) -> None:
    """Enter the states of one table into a larger one."""
    last = larger.shape[0] - 1
    for i in range(keys.shape[0]):
        if keys[i]:
            at = np.int64((keys[i] * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & last
            while larger[at]:
                at = (at + 1) & last
            larger[at] = keys[i]
            there[at, :] = values[i, :]
