"""Exact optimal play of truth-finding games (core.model.Game): best-first search over states, with integer weights.

docs/design/strategies.md derives what is used here.

  state     the truths left and the unused actions that can still tell them apart, as bit masks: key = truths << 32 | actions.
            Actions that tell these truths apart in the same way are interchangeable: the key holds the lowest of each class
  weight    the number of worlds that a state still allows, divided by what `common` takes out; costs are sums over worlds
  numbers   int64[11]: why the search stopped, states, nodes, how many nodes may be, and how much of each array is used

For each set of truths that was met (number = number_of[set]):
  sets      int64[number] (set, truths, place in `rows`, actions that matter)
  common    int64[number, action]: the greatest common divisor of how often the action's different outcomes come
  classes   int64[number, action]: the mask of the actions that do the same to this set, itself among them
  after     int64[number, action, 1 + 3k]: how many different outcomes, then of each the truths left, how often it comes
            (divided by `common`), and the truths left as a mask of the places within the set
  rows      uint8[place + action << truths + group]: how many outcomes (divided) exclude none of a group of places
For each state:
  values    int64[state] (weight, low bound, 1 if that is its cost, place in `pool` or -1); weight 0: it is certain what holds
  pool      one record per state: how many classes, then of each (action, low bound if it comes first, place of its children or
            -1); and one per action tried: how many children, then of each (state, factor)
`index` is an open hash table of states, -1 for an empty place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzlemill.solvers.kernels.compile import kernel

FULL, SPENT = 1, 2  # why a search stopped: an array is full, the budget of nodes is spent
STOP, STATES, NODES, MOST_NODES, POOLED, SETS, ROWS = range(7)
NONE = 1 << 62  # above every bound
NO_ACTION = 62
U = np.uint64  # offsets are unsigned, so that no index needs a test for being negative


@kernel("int64(int64)")
def ones(mask: Any) -> Any:
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@kernel("int64(int64)")
def lowest(mask: Any) -> Any:
    """The number of the lowest bit."""
    return ones((mask & -mask) - 1)


@kernel("int64(int64, int64)")
def packed(mask: Any, within: Any) -> Any:
    """The mask's bits at the places that `within` sets, moved together."""
    out, place = np.int64(0), 0
    while within:
        bit = within & -within
        if mask & bit:
            out |= np.int64(1) << place
        place += 1
        within ^= bit
    return out


@kernel("void(int64[:,::1], int64[::1], int64[:,::1])")
def find_apart(excludes: Any, sizes: Any, apart: Any) -> None:
    """apart[t, u]: the actions with an outcome that excludes u and not t."""
    for a in range(sizes.shape[0]):
        for s in range(sizes[a]):
            out = excludes[a, s]
            for t in range(apart.shape[0]):
                for u in range(apart.shape[0]):
                    if (out >> u) & 1 and not (out >> t) & 1:
                        apart[t, u] |= np.int64(1) << a


SET = "int64[:,::1], int64[::1], int32[::1], int64[:,::1], int64[:,::1], int64[:,::1], int64[:,:,::1], uint8[::1]"


@kernel(f"int64(int64, int64, int64[::1], {SET})")
def meet(
    left: Any,
    valid: Any,
    numbers: Any,
    excludes: Any,
    sizes: Any,
    number_of: Any,
    sets: Any,
    common: Any,
    classes: Any,
    after: Any,
    rows: Any,
) -> Any:
    """The number of a set of truths; -1 if an array is full."""
    t = np.int64(number_of[left])
    if t >= 0:
        return t
    t = numbers[SETS]
    n = ones(left)
    size = np.int64(1) << n
    if t >= sets.shape[0] or numbers[ROWS] + size * sizes.shape[0] > rows.shape[0]:
        numbers[STOP] = FULL
        return -1
    matter = np.int64(0)
    for a in range(sizes.shape[0]):
        k = 0
        for s in range(sizes[a]):
            rest = left & ~excludes[a, s]
            if ones(rest) < valid:
                continue  # no world has this outcome
            j = 0
            while j < k and after[t, a, 1 + 3 * j] != rest:
                j += 1
            if j < k:
                after[t, a, 2 + 3 * j] += 1
                continue
            while j > 0 and after[t, a, 3 * j - 2] > rest:
                after[t, a, 1 + 3 * j], after[t, a, 2 + 3 * j] = after[t, a, 3 * j - 2], after[t, a, 3 * j - 1]
                j -= 1
            after[t, a, 1 + 3 * j], after[t, a, 2 + 3 * j] = rest, 1
            k += 1
        after[t, a, 0] = k
        divisor = np.int64(0)
        for j in range(k):
            other = after[t, a, 2 + 3 * j]
            while other:
                divisor, other = other, divisor % other
        if divisor == 0:
            divisor = np.int64(1)  # no outcome is possible
        common[t, a] = divisor
        base = numbers[ROWS] + a * size
        for group in range(size):
            rows[base + group] = 0
        for j in range(k):
            after[t, a, 2 + 3 * j] //= divisor
            places = packed(after[t, a, 1 + 3 * j], left)
            after[t, a, 3 + 3 * j] = places
            group = places
            while True:
                rows[base + group] += after[t, a, 2 + 3 * j]
                if group == 0:
                    break
                group = (group - 1) & places
        if k != 1 or after[t, a, 1] != left:
            matter |= np.int64(1) << a
        classes[t, a] = np.int64(1) << a
        for b in range(a):
            same = lowest(classes[t, b]) == b and after[t, b, 0] == k
            for j in range(k):
                if after[t, b, 1 + 3 * j] != after[t, a, 1 + 3 * j] or after[t, b, 2 + 3 * j] != after[t, a, 2 + 3 * j]:
                    same = False
            if same:
                whole = classes[t, b] | (np.int64(1) << a)
                for c in range(a + 1):
                    if (whole >> c) & 1:
                        classes[t, c] = whole
                break
    sets[t, 0], sets[t, 1], sets[t, 2], sets[t, 3] = left, n, numbers[ROWS], matter
    numbers[SETS] += 1
    numbers[ROWS] += size * sizes.shape[0]
    number_of[left] = t
    return t


@kernel("int64(int64, int64, int64[:,::1], int64[:,::1])")
def canonical(t: Any, unused: Any, sets: Any, classes: Any) -> Any:
    """The actions that matter to a set, each class by its lowest members."""
    rest = unused & sets[t, 3]
    out = np.int64(0)
    while rest:
        whole = classes[t, lowest(rest)]
        count = ones(rest & whole)
        rest &= ~whole
        for _ in range(count):
            out |= whole & -whole
            whole &= whole - 1
    return out


@kernel("void(int64[::1], uint64, uint64)")
def subset_sums(work: Any, at: Any, size: Any) -> None:
    """work[at + g] becomes the sum over all subsets of g."""
    if size < U(8):
        half = U(1)
        while half < size:
            for g in range(size):
                if g & half:
                    work[at + g] += work[at + (g ^ half)]
            half = half + half
        return
    for g in range(at, at + size, U(8)):
        a, c, e, f = work[g], work[g + U(2)], work[g + U(4)], work[g + U(6)]
        b, d = work[g + U(1)] + a, work[g + U(3)] + c
        h, i = work[g + U(5)] + e, work[g + U(7)] + f
        c, d, f, i = c + a, d + b, f + e, i + h
        work[g + U(1)], work[g + U(2)], work[g + U(3)] = b, c, d
        work[g + U(4)], work[g + U(5)], work[g + U(6)], work[g + U(7)] = e + a, h + b, f + c, i + d
    half = U(8)
    while half < size:
        for g in range(at, at + size, half + half):
            for r in range(g, g + half):
                work[r + half] += work[r]
        half = half + half


@kernel("UniTuple(int64, 3)(int64[::1], uint64, uint64, int64)")
def halve(work: Any, at: Any, size: Any, n: Any) -> Any:
    """From signed counts, for one valid truth: the weight, how many truths have worlds, and which. Destroys the counts."""
    total, count, mask = np.int64(0), np.int64(0), np.int64(0)
    half, bit = size >> U(1), np.int64(1) << (n - 1)
    while half:
        part = np.int64(0)
        for g in range(at, at + half):
            more = work[g + half]
            part += more
            work[g] += more
        if part:
            total += part
            count += 1
            mask |= bit
        half >>= U(1)
        bit >>= 1
    return total, count, mask


@kernel("UniTuple(int64, 2)(int64[::1], int64, int64)")
def weight_of(work: Any, group: Any, valid: Any) -> Any:
    """From subset sums at work[0:]: the worlds that go on from these places, and how many sets of valid truths they have."""
    total, count = np.int64(0), np.int64(0)
    if valid == 1:
        whole, rest = work[U(group)], group
        while rest:
            bit = rest & -rest
            rest ^= bit
            part = whole - work[U(group ^ bit)]
            if part:
                count += 1
                total += part
        return total, count
    hold = group
    while hold:
        if ones(hold) == valid:
            part, less = np.int64(0), hold
            while True:
                if ones(less) & 1:
                    part -= work[U(group ^ less)]
                else:
                    part += work[U(group ^ less)]
                if less == 0:
                    break
                less = (less - 1) & hold
            if part:
                count += 1
                total += part
        hold = (hold - 1) & group
    return total, count


@kernel("void(int64, int64, int64, int64, int64[:,::1], uint8[::1], int64[::1], int64[::1])")
def sums_without(t: Any, unused: Any, a: Any, b: Any, sets: Any, rows: Any, work: Any, sign: Any) -> None:
    """Subset sums of the signed counts of all unused actions but two, to work[0:]."""
    size, base = U(1) << U(sets[t, 1]), U(sets[t, 2])
    for g in range(size):
        work[g] = sign[g]
    rest = unused & ~((np.int64(1) << a) | (np.int64(1) << b))
    while rest:
        row = base + U(lowest(rest)) * size
        rest &= rest - 1
        for g in range(size):
            work[g] *= rows[row + g]
    subset_sums(work, U(0), size)


@kernel("boolean(int64, int64, int64, int64[:,::1], int64[::1])")
def surely_open(group: Any, hopeful: Any, unused: Any, apart: Any, truth: Any) -> Any:
    """Whether two truths of the group have worlds for sure: for each, different actions can exclude all the others.

    hopeful: the truths that every unused action can leave.
    """
    rest = group & hopeful
    found, left = 0, ones(rest)
    while rest and found + left >= 2:
        left -= 1
        bit = rest & -rest
        rest ^= bit
        t = truth[lowest(bit)]
        free, others = unused, group ^ bit
        while others:
            can = apart[t, truth[lowest(others)]] & free
            if can == 0:
                break
            free ^= can & -can
            others &= others - 1
        if others == 0:
            found += 1
            if found == 2:
                return True
    return False


LOOK = (
    "int64[:,::1], int64[:,::1], int64[:,:,::1], uint8[::1], int64[:,::1], int64[::1], int64[::1],"
    "int64[:,::1], int64[:,::1], int64[::1]"
)


@kernel(f"UniTuple(int64, 3)(int64, int64, int64, int64[::1], int64, {LOOK})")
def evaluate(
    t: Any,
    unused: Any,
    valid: Any,
    pool: Any,
    base: Any,
    sets: Any,
    classes: Any,
    after: Any,
    rows: Any,
    apart: Any,
    sign: Any,
    work: Any,
    ends: Any,
    sure: Any,
    alone: Any,
) -> Any:
    """A state's weight, low bound, and whether that is its cost; writes its record into the pool.

    The bound of an action counts three steps: the weight itself, what is uncertain after it, and what is uncertain after the
    best second action for each outcome. So all that must be known is which worlds are decided within two actions.
    ends[i, 2s]: whether outcome s of class i decides; ends[i, 2s + 1]: the most that a second action decides after it.
    alone[t]: the product over all actions of their outcomes that do not exclude t.
    sure[g, h]: truths that have worlds although an action of each class of groups g and h (of two classes each) is missing. With
    more actions they still have, provided that every action can leave them: only such truths are noted.
    """
    n = sets[t, 1]
    size, row0 = U(1) << U(n), U(sets[t, 2])
    truth = np.empty(32, np.int64)
    rest, place = sets[t, 0], 0
    while rest:
        truth[place] = lowest(rest)
        rest &= rest - 1
        place += 1
    k, first, rest = np.int64(0), base + 1, unused
    while rest:
        a = lowest(rest)
        members = classes[t, a] & unused
        rest &= ~members
        pool[first + 3 * k], pool[first + 3 * k + 1] = a, members
        k += 1
    # work: one array to spend, one for products in the middle, then for each group: before it, behind it, it, it less one each
    groups = (k + 1) >> 1
    middle, step, at = size, U(4) * size, size + size
    for g in range(size):
        work[at + g] = sign[g]
    for group in range(groups):
        whole = at + size + size
        less, following = whole + size, at + step
        end: Any = 2 * group + 2
        if end > k:
            end = k
        for g in range(size):
            work[less + g] = 1
        for i in range(2 * group, end):
            row = row0 + U(pool[first + 3 * i]) * size
            for _ in range(ones(pool[first + 3 * i + 1]) - 1):
                for g in range(size):
                    work[less + g] *= rows[row + g]
        for g in range(size):
            work[whole + g] = work[less + g]
        for i in range(2 * group, end):
            row = row0 + U(pool[first + 3 * i]) * size
            for g in range(size):
                work[whole + g] *= rows[row + g]
        for g in range(size):
            work[following + g] = work[at + g] * work[whole + g]
        at = following
    for g in range(size):
        work[g] = work[at + g]
        work[at + size + g] = 1
    hopeful = np.int64(0)
    if valid == 1:
        for i in range(n):
            alone[i] = work[U(1) << U(i)]
            if alone[i]:
                hopeful |= np.int64(1) << i
        weight, count, _mask = halve(work, U(0), size, n)
    else:
        subset_sums(work, U(0), size)
        weight, count = weight_of(work, np.int64(size) - 1, valid)
    if count <= 1:
        return np.int64(0), np.int64(0), np.int64(1)
    for g in range(groups):
        for h in range(groups):
            sure[g, h] = 0
    if valid == 1 and groups > 1:
        for _ in range(groups):
            at = at - step
            for g in range(size):
                work[at + size + g] = work[at + size + size + g] * work[at + step + size + g]
        for one in range(groups):
            at = U(2 + 4 * one) * size
            for g in range(size):
                work[middle + g] = work[at + g] * work[at + U(3) * size + g]
            for two in range(one + 1, groups):
                at = U(2 + 4 * two) * size
                whole, less, behind = at + size + size, at + U(3) * size, at + step + size
                for g in range(size):
                    work[g] = work[middle + g] * work[less + g] * work[behind + g]
                    work[middle + g] *= work[whole + g]
                _total, _count, mask = halve(work, U(0), size, n)
                mask &= hopeful
                sure[one, two] = mask
                sure[one, one] |= mask
                sure[two, two] |= mask
    for i in range(k):
        a = pool[first + 3 * i]
        known, decided = False, np.int64(0)
        for s in range(after[t, a, 0]):
            group = after[t, a, 3 + 3 * s]
            ends[i, 2 * s], ends[i, 2 * s + 1] = 0, 0
            part = np.int64(0)
            if valid == 1 and group & (group - 1) == 0:
                ends[i, 2 * s] = 1
                part = alone[lowest(group)]
                if part:
                    part //= np.int64(rows[row0 + U(a) * size + U(group)])
            else:
                open_ = group & sure[i >> 1, i >> 1]
                rest = unused & ~(np.int64(1) << a)
                if open_ & (open_ - 1) == 0 and not (valid == 1 and surely_open(group, hopeful, rest, apart, truth)):
                    if not known:
                        sums_without(t, unused, a, a, sets, rows, work, sign)
                        known = True
                    part, count = weight_of(work, group, valid)
                    if count <= 1:
                        ends[i, 2 * s] = 1
                    else:
                        part = np.int64(0)
            decided += part * after[t, a, 2 + 3 * s]
        if decided == weight:
            return weight, weight, np.int64(1)
        pool[first + 3 * i + 2] = 3 * weight - 2 * decided
    last = ends.shape[0] - 1
    for i in range(k):
        a = pool[first + 3 * i]
        for j in range(i, k):
            b = pool[first + 3 * j]
            other, safe = b, sure[i >> 1, j >> 1]
            if i == j:
                members = pool[first + 3 * i + 1]
                members &= members - 1
                if members == 0:
                    continue
                other, safe = lowest(members), np.int64(0)
            rest = unused & ~((np.int64(1) << a) | (np.int64(1) << other))
            known = False
            for r in range(after[t, b, 0]):
                ends[last, r] = 0
            for s in range(after[t, a, 0]):
                decided = np.int64(0)
                for r in range(after[t, b, 0]):
                    group = after[t, a, 3 + 3 * s] & after[t, b, 3 + 3 * r]
                    if group == 0:
                        continue
                    part = np.int64(0)
                    if valid == 1 and group & (group - 1) == 0:
                        part = alone[lowest(group)]
                        if part:
                            here = np.int64(rows[row0 + U(a) * size + U(group)])
                            part //= here * np.int64(rows[row0 + U(b) * size + U(group)])
                    else:
                        open_ = group & safe
                        if open_ & (open_ - 1) or (valid == 1 and surely_open(group, hopeful, rest, apart, truth)):
                            continue
                        if not known:
                            sums_without(t, unused, a, other, sets, rows, work, sign)
                            known = True
                        part, count = weight_of(work, group, valid)
                        if count > 1:
                            part = np.int64(0)
                    decided += part * after[t, b, 2 + 3 * r]
                    ends[last, r] += part * after[t, a, 2 + 3 * s]
                ends[i, 2 * s + 1] = max(ends[i, 2 * s + 1], decided)
            if i != j:
                for r in range(after[t, b, 0]):
                    ends[j, 2 * r + 1] = max(ends[j, 2 * r + 1], ends[last, r])
    least = np.int64(NONE)
    for i in range(k):
        a = pool[first + 3 * i]
        bound = pool[first + 3 * i + 2]
        for s in range(after[t, a, 0]):
            if ends[i, 2 * s] == 0:
                bound -= ends[i, 2 * s + 1] * after[t, a, 2 + 3 * s]
        least = min(least, bound)
        pool[first + 3 * i + 1], pool[first + 3 * i + 2] = bound, -1
    pool[base] = k
    return weight, least, np.int64(0)


@kernel(f"int64(int64, int64, int64, int64[::1], int32[::1], int64[::1], int64[:,::1], int64[::1], {LOOK})")
def enter(
    t: Any,
    unused: Any,
    valid: Any,
    numbers: Any,
    index: Any,
    keys: Any,
    values: Any,
    pool: Any,
    sets: Any,
    classes: Any,
    after: Any,
    rows: Any,
    apart: Any,
    sign: Any,
    work: Any,
    ends: Any,
    sure: Any,
    alone: Any,
) -> Any:
    """The number of the state with these truths and (canonical) actions; -1 if it is new and an array is full."""
    key = (sets[t, 0] << 32) | unused
    last = index.shape[0] - 1
    at = ((key * np.int64(-7046029254386353131)) >> 32) & last
    while True:
        e = np.int64(index[at])
        if e < 0:
            break
        if keys[e] == key:
            return e
        at = (at + 1) & last
    e, base = numbers[STATES], numbers[POOLED]
    if e >= keys.shape[0] or base + 100 > pool.shape[0]:
        numbers[STOP] = FULL
        return -1
    index[at] = e
    keys[e] = key
    numbers[STATES] += 1
    weight, low, known = evaluate(t, unused, valid, pool, base, sets, classes, after, rows, apart, sign, work, ends, sure, alone)
    values[e, 0], values[e, 1], values[e, 2], values[e, 3] = weight, low, known, -1
    if not known:
        values[e, 3] = base
        numbers[POOLED] = base + 1 + 3 * pool[base]
    return e


ALL = f"int64[:,::1], int64[::1], int32[::1], int64[:,::1], int32[::1], int64[::1], int64[:,::1], int64[::1], {LOOK}"


@kernel(f"int64(int64, int64, int64, int64[::1], {ALL})")
def reach(
    left: Any,
    unused: Any,
    valid: Any,
    numbers: Any,
    excludes: Any,
    sizes: Any,
    number_of: Any,
    common: Any,
    index: Any,
    keys: Any,
    values: Any,
    pool: Any,
    sets: Any,
    classes: Any,
    after: Any,
    rows: Any,
    apart: Any,
    sign: Any,
    work: Any,
    ends: Any,
    sure: Any,
    alone: Any,
) -> Any:
    """The number of a state as a player sees it; -1 if an array is full."""
    t = meet(left, valid, numbers, excludes, sizes, number_of, sets, common, classes, after, rows)
    if t < 0:
        return -1
    keep = canonical(t, unused, sets, classes)
    return enter(
        t, keep, valid, numbers, index, keys, values, pool, sets, classes, after, rows, apart, sign, work, ends, sure, alone
    )


@kernel(f"int64(int64, int64, int64, int64[::1], {ALL})")
def expand(
    e: Any,
    a: Any,
    valid: Any,
    numbers: Any,
    excludes: Any,
    sizes: Any,
    number_of: Any,
    common: Any,
    index: Any,
    keys: Any,
    values: Any,
    pool: Any,
    sets: Any,
    classes: Any,
    after: Any,
    rows: Any,
    apart: Any,
    sign: Any,
    work: Any,
    ends: Any,
    sure: Any,
    alone: Any,
) -> Any:
    """Enter the states after action a; the place of their record, -1 if an array is full."""
    t = np.int64(number_of[keys[e] >> 32])
    unused = keys[e] & 0xFFFFFFFF
    member = classes[t, a] & unused
    while member & (member - 1):
        member &= member - 1
    rest = unused ^ member
    found = np.empty((after.shape[2] // 3, 2), np.int64)
    count = 0
    for s in range(after[t, a, 0]):
        c = reach(
            after[t, a, 1 + 3 * s], rest, valid, numbers, excludes, sizes, number_of, common, index, keys, values, pool, sets,
            classes, after, rows, apart, sign, work, ends, sure, alone,
        )  # fmt: skip
        if c < 0:
            return -1
        if values[c, 1] == 0:
            continue
        factor, others = after[t, a, 2 + 3 * s], rest
        there = np.int64(number_of[keys[c] >> 32])
        while others:
            b = lowest(others)
            others &= others - 1
            if common[there, b] != common[t, b]:
                factor *= common[there, b] // common[t, b]
        found[count, 0], found[count, 1] = c, factor
        count += 1
    base = numbers[POOLED]
    if base + 1 + 2 * count > pool.shape[0]:
        numbers[STOP] = FULL
        return -1
    pool[base] = count
    for i in range(count):
        pool[base + 1 + 2 * i], pool[base + 2 + 2 * i] = found[i, 0], found[i, 1]
    numbers[POOLED] = base + 1 + 2 * count
    return base


@kernel(f"int64(int64, int64, int64, int64[::1], {ALL})")
def search(
    e: Any,
    limit: Any,
    valid: Any,
    numbers: Any,
    excludes: Any,
    sizes: Any,
    number_of: Any,
    common: Any,
    index: Any,
    keys: Any,
    values: Any,
    pool: Any,
    sets: Any,
    classes: Any,
    after: Any,
    rows: Any,
    apart: Any,
    sign: Any,
    work: Any,
    ends: Any,
    sure: Any,
    alone: Any,
) -> Any:
    """Raise the state's low bound to its cost, or at least to `limit`; -1 if it had to stop.

    Works on the action with the least bound until it is not the least any more, and raises the bounds of all its children in
    the same proportion: so nothing is solved further than the comparison needs.
    """
    if values[e, 2] or values[e, 1] >= limit:
        return 0
    base, weight = values[e, 3], values[e, 0]
    while True:
        least, second = np.int64(NONE), np.int64(NONE)
        best, known = np.int64(0), False
        for i in range(pool[base]):
            place = base + 1 + 3 * i
            bound, children = pool[place + 1], pool[place + 2]
            sharp = children >= 0
            if sharp:
                bound = weight
                for c in range(children + 1, children + 1 + 2 * pool[children], 2):
                    bound += pool[c + 1] * values[pool[c], 1]
                    if values[pool[c], 2] == 0:
                        sharp = False
            if bound < least or (bound == least and sharp and not known):
                least, second = bound, least
                best, known = place, sharp
            elif bound < second:
                second = bound
        values[e, 1] = max(values[e, 1], least)
        if known:
            values[e, 2] = 1
            return 0
        if least >= limit:
            return 0
        children = pool[best + 2]
        if children < 0:
            if numbers[NODES] >= numbers[MOST_NODES]:
                numbers[STOP] = SPENT
                return -1
            numbers[NODES] += 1
            children = expand(
                e, pool[best], valid, numbers, excludes, sizes, number_of, common, index, keys, values, pool, sets, classes,
                after, rows, apart, sign, work, ends, sure, alone,
            )  # fmt: skip
            if children < 0:
                return -1
            pool[best + 2] = children
            continue
        wanted, soft = min(limit, second + 1) - least, np.int64(0)
        for c in range(children + 1, children + 1 + 2 * pool[children], 2):
            if values[pool[c], 2] == 0:
                soft += pool[c + 1] * values[pool[c], 1]
        share = 1.0 + wanted / soft
        for c in range(children + 1, children + 1 + 2 * pool[children], 2):
            child = pool[c]
            if values[child, 2] == 0:
                got = search(
                    child, np.int64(values[child, 1] * share) + 1, valid, numbers, excludes, sizes, number_of, common, index,
                    keys, values, pool, sets, classes, after, rows, apart, sign, work, ends, sure, alone,
                )  # fmt: skip
                if got < 0:
                    return -1


@kernel("void(int64[::1], int64, int32[::1])")
def rehash(keys: Any, states: Any, index: Any) -> None:
    """Enter the states into an empty index."""
    last = index.shape[0] - 1
    for e in range(states):
        at = ((keys[e] * np.int64(-7046029254386353131)) >> 32) & last
        while index[at] >= 0:
            at = (at + 1) & last
        index[at] = e
