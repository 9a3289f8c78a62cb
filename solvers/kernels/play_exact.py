"""Exact optimal play of truth-finding games (core.model.Game): best-first search over states, with integer weights.

docs/design/strategies.md derives what is used here.

  state     the truths left and the unused actions that can still tell them apart, as bit masks: key = truths << 32 | actions.
            Actions that tell these truths apart in the same way are interchangeable: the key holds the lowest of each class
  weight    the number of worlds that a state still allows, divided by what `common` takes out; costs are sums over worlds
  work      counts modulo 2**32 (`narrow`) where a state has fewer combinations of outcomes, else modulo 2**64 (`wide`)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types as _types

from puzzlemill.solvers.kernels import compile as compiler

STATES_FULL, POOL_FULL, SPENT = 1, 2, 3  # why a search stopped: no room for states or records, the budget of nodes is spent
VALID, STOP, STATES, NODES, MOST_NODES, POOLED, SETS, ROWS = range(8)
NEW, SEEN, SOLVED = -1, -2, -3  # in `places`: not looked at; its bound is known; its bound is its cost
NONE = 1 << 62  # above every bound
NO_ACTION = 62
LOWEST = 7  # the lowest places, which are quicker added up where they are asked for
types: Any = _types  # their functions have no types themselves
U = np.uint64  # offsets are unsigned, so that no index needs a test for being negative


def kernel(signature: Any, inlined: bool = False) -> Callable[[compiler.F], compiler.F]:
    """Without counting references: that would take half of the time, as a Table holds many arrays. To pass it takes time too."""
    return compiler.kernel(signature, counted=False, inlined=inlined)


class Table(NamedTuple):
    """All that is known of a game. What sets hold is forgotten when their arrays are full; states and records are kept."""

    numbers: Any  # int64[8]: truths that hold, why the search stopped, states, nodes, the most, and how much of arrays is used
    excludes: Any  # int64[action, outcome]
    sizes: Any  # int64[action]: how many outcomes
    sign: Any  # int8[group]: of inclusion and exclusion
    # For each set of truths that was met (number = number_of[set]):
    number_of: Any  # int32[set], -1 for none
    sets: Any  # int64[number] (set, truths, place in `rows`, actions that matter)
    common: Any  # int64[number, action]: the greatest common divisor of how often the action's different outcomes come
    classes: Any  # int64[number, action]: the mask of the actions that do the same to this set, itself among them
    after: Any  # int64[number, action, 1 + 3k]: how many different outcomes, then of each the truths left, how often it
    # comes (divided by `common`), and the truths left as a mask of the places within the set
    rows: Any  # uint8[place + action << truths + group]: how many outcomes (divided) exclude none of a group of places
    # For each state:
    index: Any  # int32: an open hash table of states, -1 for an empty place
    keys: Any  # int64[state]
    values: Any  # int64[state] (weight, low bound of its cost); weight 0: it is certain what holds
    places: Any  # int32[state]: its record in `pool`, or NEW, SEEN, SOLVED
    pool: Any  # int64: per state whose actions were tried: how many classes, then of each (action + 32 * the place of its
    # children or 0, low bound if it comes first, for each outcome the most that a second action decides after it); per action
    # tried: how many children, then of each (state, factor)
    # To work in, for one state:
    narrow: Any  # uint32, for signed counts modulo 2**32
    wide: Any  # int64, for others
    chosen: Any  # int64[class]: its first action
    members: Any  # int64[class]
    bounds: Any  # int64[class]
    ends: Any  # int64[class, 3s ..]: whether outcome s decides, how many worlds it decides, the most that a second action does
    alone: Any  # int64[place]: the product over all actions of their outcomes that do not exclude it
    found: Any  # int64[outcome] (truths left, how often)
    shares: Any  # int64[action]


I1, I2, I3, NUM = types.int64[::1], types.int64[:, ::1], types.int64[:, :, ::1], types.int64
B1, S1, N1 = types.uint8[::1], types.int32[::1], types.uint32[::1]
WORK = (N1, I1)
TABLE = types.NamedTuple(
    (I1, I2, I1, types.int8[::1], S1, I2, I2, I2, I3, B1, S1, I1, I2, S1, I1, N1, I1, I1, I1, I1, I2, I1, I2, I1), Table
)


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


@kernel(NUM(NUM, TABLE))
def describe(left: Any, tab: Any) -> Any:
    """The number of a new set of truths."""
    numbers, sizes, after, classes = tab.numbers, tab.sizes, tab.after, tab.classes
    n = ones(left)
    size = np.int64(1) << n
    if numbers[SETS] == tab.sets.shape[0] or numbers[ROWS] + size * sizes.shape[0] > tab.rows.shape[0]:
        tab.number_of[:] = -1
        numbers[SETS], numbers[ROWS] = 0, 0
    t = numbers[SETS]
    matter = np.int64(0)
    for a in range(sizes.shape[0]):
        k = 0
        for s in range(sizes[a]):
            rest = left & ~tab.excludes[a, s]
            if ones(rest) < numbers[VALID]:
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
        tab.common[t, a] = divisor
        base = U(numbers[ROWS] + a * size)
        for group in range(U(size)):
            tab.rows[base + group] = 0
        for j in range(k):
            after[t, a, 2 + 3 * j] //= divisor
            after[t, a, 3 + 3 * j] = packed(after[t, a, 1 + 3 * j], left)
            tab.rows[base + U(after[t, a, 3 + 3 * j])] += after[t, a, 2 + 3 * j]
        half = U(1)
        while half < U(size):
            for group in range(base, base + U(size), half + half):
                for g in range(group, group + half):
                    tab.rows[g] += tab.rows[g + half]
            half = half + half
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
    tab.sets[t, 0], tab.sets[t, 1], tab.sets[t, 2], tab.sets[t, 3] = left, n, numbers[ROWS], matter
    numbers[SETS] += 1
    numbers[ROWS] += size * sizes.shape[0]
    tab.number_of[left] = t
    return t


@kernel(NUM(NUM, TABLE), inlined=True)
def meet(left: Any, tab: Any) -> Any:
    """The number of a set of truths, until the next one is met."""
    t = np.int64(tab.number_of[left])
    return t if t >= 0 else describe(left, tab)


@kernel(NUM(NUM, NUM, TABLE), inlined=True)
def canonical(t: Any, unused: Any, tab: Any) -> Any:
    """The actions that matter to a set, each class by its lowest members."""
    rest = unused & tab.sets[t, 3]
    out = np.int64(0)
    while rest:
        whole = tab.classes[t, lowest(rest)]
        count = ones(rest & whole)
        rest &= ~whole
        for _ in range(count):
            out |= whole & -whole
            whole &= whole - 1
    return out


@kernel([types.void(work, NUM) for work in WORK])
def subset_sums(work: Any, size: Any) -> None:
    """work[g] becomes the sum over all subsets of g that agree with it in the lowest places; sum_at adds up the rest."""
    wide = np.int64(LOWEST + 1)
    while wide < size:
        for at in range(0, size, wide + wide):
            low, high = work[at : at + wide], work[at + wide : at + wide + wide]  # the compiler sees that they do not overlap
            for r in range(wide):
                high[r] += low[r]
        wide = wide + wide


@kernel([NUM(work, NUM) for work in WORK])
def sum_at(work: Any, group: Any) -> Any:
    """After subset_sums: the sum over all subsets."""
    total, rest, low = np.int64(0), group & ~LOWEST, group & LOWEST
    less = low
    while True:
        total += np.int64(work[U(rest | less)])
        if less == 0:
            return total
        less = (less - 1) & low


@kernel([types.UniTuple(NUM, 3)(work, types.uint64, NUM, NUM) for work in WORK])
def halve(work: Any, size: Any, n: Any, full: Any) -> Any:
    """From signed counts, for one valid truth: the weight, how many truths have worlds, and which. Destroys the counts.

    full: the bits of a count.
    """
    total, count, mask = np.int64(0), np.int64(0), np.int64(0)
    half, bit = size >> U(1), np.int64(1) << (n - 1)
    while half:
        part = np.int64(0)
        for g in range(half):
            more = work[g + half]
            part += np.int64(more)
            work[g] += more
        part &= full
        if part:
            total += part
            count += 1
            mask |= bit
        half >>= U(1)
        bit >>= 1
    return total, count, mask


@kernel([types.UniTuple(NUM, 2)(work, NUM, NUM, NUM) for work in WORK])
def weight_of(work: Any, group: Any, valid: Any, full: Any) -> Any:
    """From subset sums: the worlds that go on from these places, and how many sets of valid truths they have."""
    total, count = np.int64(0), np.int64(0)
    if valid == 1:
        whole, rest = sum_at(work, group), group
        while rest:
            bit = rest & -rest
            rest ^= bit
            part = (whole - sum_at(work, group ^ bit)) & full
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
                    part -= sum_at(work, group ^ less)
                else:
                    part += sum_at(work, group ^ less)
                if less == 0:
                    break
                less = (less - 1) & hold
            part &= full
            if part:
                count += 1
                total += part
        hold = (hold - 1) & group
    return total, count


@kernel([types.void(NUM, NUM, work, TABLE) for work in WORK], inlined=True)
def counts(t: Any, unused: Any, work: Any, tab: Any) -> None:
    """The signed counts of all these actions, to work[0:]."""
    size, base = U(1) << U(tab.sets[t, 1]), U(tab.sets[t, 2])
    for g in range(size):
        work[g] = tab.sign[g]
    while unused:
        row = base + U(lowest(unused)) * size
        unused &= unused - 1
        for g in range(size):
            work[g] *= tab.rows[row + g]


@kernel([types.void(work, NUM, NUM, B1, NUM, NUM) for work in WORK])
def times(work: Any, to: Any, at: Any, rows: Any, row: Any, size: Any) -> None:
    """work[to:] becomes work[at:], which does not overlap it, times the row."""
    product, old, factors = work[to : to + size], work[at : at + size], rows[row : row + size]
    for g in range(size):
        product[g] = old[g] * factors[g]


@kernel(types.void(NUM, NUM, TABLE))
def count_worlds(left: Any, unused: Any, tab: Any) -> None:
    """Prepares sum_at of `wide` for this set of truths."""
    t = meet(left, tab)
    counts(t, unused, tab.wide, tab)
    subset_sums(tab.wide, np.int64(1) << tab.sets[t, 1])


@kernel(types.boolean(NUM, NUM, TABLE), inlined=True)
def is_narrow(t: Any, unused: Any, tab: Any) -> Any:
    """Return whether all combinations of outcomes are fewer than 2**32."""
    total, base, n = np.int64(1), tab.sets[t, 2], tab.sets[t, 1]
    while unused:
        total *= np.int64(tab.rows[U(base + (lowest(unused) << n))])
        unused &= unused - 1
    return total >> 32 == 0


@kernel([types.void(NUM, NUM, NUM, NUM, NUM, work, NUM, TABLE) for work in WORK], inlined=True)
def try_two(i: Any, j: Any, t: Any, unused: Any, sure: Any, work: Any, full: Any, tab: Any) -> None:
    """Notes in `ends` what class j decides after each outcome of class i, and the other way round.

    j = NO_ACTION: what class i decides alone. sure: places that have worlds without an action of each class of both groups;
    work[size:]: the counts without them. work[:size] is spent.
    """
    after, ends, chosen, n, valid = tab.after, tab.ends, tab.chosen, tab.sets[t, 1], tab.numbers[VALID]
    size, row0 = U(1) << U(n), U(tab.sets[t, 2])
    a, b, outcomes = chosen[i], np.int64(0), np.int64(1)
    if j != NO_ACTION:
        b = chosen[j]
        outcomes = after[t, b, 0]
    last, summed = ends.shape[0] - 1, False
    for r in range(outcomes):
        ends[last, r] = 0
    for s in range(after[t, a, 0]):
        most = np.int64(0)
        for r in range(outcomes):
            group, times = after[t, a, 3 + 3 * s], np.int64(1)
            if j != NO_ACTION:
                group, times = group & after[t, b, 3 + 3 * r], after[t, b, 2 + 3 * r]
            if group & sure & ((group & sure) - 1) or group == 0:
                continue  # two truths have worlds, or none has
            part = np.int64(0)
            if valid == 1 and group & (group - 1) == 0:
                part = tab.alone[lowest(group)]
                if part:
                    part //= np.int64(tab.rows[row0 + U(a) * size + U(group)])
                    if j != NO_ACTION:
                        part //= np.int64(tab.rows[row0 + U(b) * size + U(group)])
            else:
                if not summed:
                    if i == j:
                        rest = tab.members[i] & (tab.members[i] - 1)  # less two of the class
                        rest &= rest - 1
                        counts(t, unused & ~tab.members[i] | rest, work, tab)
                    else:
                        for g in range(size):
                            work[g] = work[size + g]
                        if i ^ 1 != j and chosen[i ^ 1] != NO_ACTION:
                            row = row0 + U(chosen[i ^ 1]) * size
                            for g in range(size):
                                work[g] *= tab.rows[row + g]
                        if i ^ 1 != j and j != NO_ACTION and chosen[j ^ 1] != NO_ACTION:
                            row = row0 + U(chosen[j ^ 1]) * size
                            for g in range(size):
                                work[g] *= tab.rows[row + g]
                    subset_sums(work, np.int64(size))
                    summed = True
                part, count = weight_of(work, group, valid, full)
                if count > 1:
                    continue
            most += part * times
            ends[last, r] += part * after[t, a, 2 + 3 * s]
            if j == NO_ACTION:
                ends[i, 3 * s], ends[i, 3 * s + 1] = 1, part
        ends[i, 3 * s + 2] = max(ends[i, 3 * s + 2], most)
    if j != i and j != NO_ACTION:
        for r in range(outcomes):
            ends[j, 3 * r + 2] = max(ends[j, 3 * r + 2], ends[last, r])


@kernel([types.UniTuple(NUM, 3)(NUM, NUM, NUM, work, NUM, TABLE) for work in WORK])
def look(t: Any, unused: Any, weight: Any, work: Any, full: Any, tab: Any) -> Any:
    """A state's low bound, whether that is its cost, and how many classes of actions it has; fills `chosen` and `bounds`.

    The bound of an action counts three steps: the weight itself, what is uncertain after it, and what is uncertain after the
    best second action for each outcome. So all that must be known is which worlds are decided within two actions.
    Classes form groups of two. A truth that has worlds without an action of each class of two groups still has them with more
    actions, provided that each of these can leave it: so one count serves for all pairs of actions of two groups.
    work: one array to spend, one for counts without two groups, one for products in the middle; then for each class the
    counts before it and behind it, of one action of each class; the other actions are in the first.
    """
    rows, after, chosen, members, ends = tab.rows, tab.after, tab.chosen, tab.members, tab.ends
    n, valid = tab.sets[t, 1], tab.numbers[VALID]
    size, row0 = U(1) << U(n), U(tab.sets[t, 2])
    width = np.int64(size)
    keep, middle, base, step = size, size + size, U(3) * size, U(2) * size
    for g in range(size):
        work[base + g] = tab.sign[g]
    k: Any = np.int64(0)
    rest = unused
    while rest:
        a = lowest(rest)
        chosen[k], members[k] = a, tab.classes[t, a] & unused
        rest &= ~members[k]
        row = row0 + U(a) * size
        for _ in range(ones(members[k]) - 1):
            for g in range(size):
                work[base + g] *= rows[row + g]
        for s in range(after[t, a, 0]):
            ends[k, 3 * s], ends[k, 3 * s + 1], ends[k, 3 * s + 2] = 0, 0, 0
        k += 1
    chosen[k] = NO_ACTION
    for i in range(k):
        at = np.int64(base + U(i) * step)
        times(work, at + 2 * width, at, rows, np.int64(row0 + U(chosen[i]) * size), width)
    behind = base + U(k - 1) * step + size
    for g in range(size):
        work[behind + g] = 1
    for i in range(k - 1, 0, -1):
        at = np.int64(base + U(i) * step + size)
        times(work, at - 2 * width, at, rows, np.int64(row0 + U(chosen[i]) * size), width)
    hopeful = np.int64(0)
    for i in range(n):
        tab.alone[i] = np.int64(work[base + U(k) * step + (U(1) << U(i))])
        if tab.alone[i] and valid == 1:
            hopeful |= np.int64(1) << i
    for i in range(0, k, 2):
        before: Any = base + U(i) * step
        behind = base + U(min(i + 1, k - 1)) * step + size
        for g in range(size):
            work[middle + g] = work[before + g]
            work[keep + g] = work[before + g] * work[behind + g]
            work[g] = work[keep + g]
        _total, _count, sure = halve(work, size, n, full)
        sure &= hopeful
        for one in range(i, min(i + 2, k)):
            try_two(one, NO_ACTION, t, unused, sure, work, full, tab)
            decided = np.int64(0)
            for s in range(after[t, chosen[one], 0]):
                decided += ends[one, 3 * s + 1] * after[t, chosen[one], 2 + 3 * s]
            if decided == weight:
                return weight, np.int64(1), k
            tab.bounds[one] = 3 * weight - 2 * decided
        if i + 1 < k:
            try_two(i, i + 1, t, unused, sure, work, full, tab)
        for one in range(i, min(i + 2, k)):
            if members[one] & (members[one] - 1):
                try_two(one, one, t, unused, np.int64(0), work, full, tab)
        for j in range(i + 2, k, 2):
            behind = base + U(min(j + 1, k - 1)) * step + size
            for g in range(size):
                work[keep + g] = work[middle + g] * work[behind + g]
                work[g] = work[keep + g]
            _total, _count, sure = halve(work, size, n, full)
            sure &= hopeful
            for one in range(i, i + 2):
                for two in range(j, min(j + 2, k)):
                    try_two(one, two, t, unused, sure, work, full, tab)
            for two in range(j, min(j + 2, k)):
                row = row0 + U(chosen[two]) * size
                for g in range(size):
                    work[middle + g] *= rows[row + g]
    least = np.int64(NONE)
    for i in range(k):
        for s in range(after[t, chosen[i], 0]):
            if ends[i, 3 * s] == 0:
                tab.bounds[i] -= ends[i, 3 * s + 2] * after[t, chosen[i], 2 + 3 * s]
        least = min(least, tab.bounds[i])
    return least, np.int64(0), k


@kernel(types.void(NUM, NUM, TABLE))
def examine(e: Any, limit: Any, tab: Any) -> None:
    """Find a state's low bound; if that is below `limit`, write its record too."""
    numbers, pool = tab.numbers, tab.pool
    base, step = numbers[POOLED], 2 + tab.excludes.shape[1]
    if base + 1 + step * ones(tab.keys[e] & 0xFFFFFFFF) > pool.shape[0]:
        numbers[STOP] = POOL_FULL
        return
    t, unused, weight = meet(tab.keys[e] >> 32, tab), tab.keys[e] & 0xFFFFFFFF, tab.values[e, 0]
    if is_narrow(t, unused, tab):
        low, solved, k = look(t, unused, weight, tab.narrow, np.int64(0xFFFFFFFF), tab)
    else:
        low, solved, k = look(t, unused, weight, tab.wide, np.int64(-1), tab)
    tab.values[e, 1] = max(tab.values[e, 1], low)
    tab.places[e] = SOLVED if solved else SEEN
    if solved or tab.values[e, 1] >= limit:
        return
    tab.places[e] = base
    pool[base] = k
    for i in range(k):
        place = base + 1 + step * i
        pool[place], pool[place + 1] = tab.chosen[i], tab.bounds[i]
        for s in range(tab.after[t, tab.chosen[i], 0]):
            pool[place + 2 + s] = tab.ends[i, 3 * s + 2]
    numbers[POOLED] = base + 1 + step * k


@kernel([types.UniTuple(NUM, 2)(NUM, NUM, work, NUM, TABLE) for work in WORK], inlined=True)
def weigh(t: Any, unused: Any, work: Any, full: Any, tab: Any) -> Any:
    """A state's worlds, and how many sets of valid truths they have."""
    n, valid = tab.sets[t, 1], tab.numbers[VALID]
    size = np.int64(1) << n
    counts(t, unused, work, tab)
    if valid == 1:
        weight, count, _mask = halve(work, U(size), n, full)
    else:
        subset_sums(work, size)
        weight, count = weight_of(work, size - 1, valid, full)
    return weight, count


@kernel(NUM(NUM, NUM, TABLE))
def reach(left: Any, unused: Any, tab: Any) -> Any:
    """The number of a state as a player sees it; -1 if it is new and there is no room."""
    numbers, keys = tab.numbers, tab.keys
    t = meet(left, tab)
    unused = canonical(t, unused, tab)
    key = (left << 32) | unused
    last = tab.index.shape[0] - 1
    at = ((key * np.int64(-7046029254386353131)) >> 32) & last
    while True:
        e = np.int64(tab.index[at])
        if e < 0:
            break
        if keys[e] == key:
            return e
        at = (at + 1) & last
    e = numbers[STATES]
    if e >= keys.shape[0]:
        numbers[STOP] = STATES_FULL
        return -1
    if is_narrow(t, unused, tab):
        weight, count = weigh(t, unused, tab.narrow, np.int64(0xFFFFFFFF), tab)
    else:
        weight, count = weigh(t, unused, tab.wide, np.int64(-1), tab)
    if count <= 1:
        weight = np.int64(0)
    tab.index[at] = e
    keys[e] = key
    tab.values[e, 0], tab.values[e, 1] = weight, weight
    tab.places[e] = NEW if weight else SOLVED
    numbers[STATES] += 1
    return e


@kernel(NUM(NUM, NUM, TABLE))
def expand(e: Any, place: Any, tab: Any) -> Any:
    """Enter the states after the action that is recorded here; the place of their record, 0 if there is no room.

    What was decided after two steps bounds their costs until they are looked at.
    """
    numbers, pool, found = tab.numbers, tab.pool, tab.found
    a = pool[place]
    t = meet(tab.keys[e] >> 32, tab)
    unused = tab.keys[e] & 0xFFFFFFFF
    member = tab.classes[t, a] & unused
    while member & (member - 1):
        member &= member - 1
    rest = unused ^ member
    outcomes, base, count = tab.after[t, a, 0], numbers[POOLED], np.int64(0)
    if base + 1 + 2 * outcomes > pool.shape[0]:
        numbers[STOP] = POOL_FULL
        return 0
    for s in range(outcomes):
        found[s, 0], found[s, 1] = tab.after[t, a, 1 + 3 * s], tab.after[t, a, 2 + 3 * s]
    for b in range(tab.shares.shape[0]):
        tab.shares[b] = tab.common[t, b]
    for s in range(outcomes):
        c = reach(found[s, 0], rest, tab)
        if c < 0:
            return 0
        if tab.values[c, 0] == 0:
            continue
        factor, others, there = np.int64(1), rest, np.int64(tab.number_of[found[s, 0]])
        while others:
            b = lowest(others)
            others &= others - 1
            if tab.common[there, b] != tab.shares[b]:
                factor *= tab.common[there, b] // tab.shares[b]
        tab.values[c, 1] = max(tab.values[c, 1], 2 * tab.values[c, 0] - pool[place + 2 + s] // factor)
        pool[base + 1 + 2 * count], pool[base + 2 + 2 * count] = c, factor * found[s, 1]
        count += 1
    pool[base] = count
    numbers[POOLED] = base + 1 + 2 * count
    return base


@kernel(types.Tuple((NUM, types.boolean))(NUM, NUM, TABLE), inlined=True)
def total(children: Any, weight: Any, tab: Any) -> Any:
    """The low bound of an action by the states after it, and whether that is its cost."""
    sharp, bound = True, weight
    for c in range(children + 1, children + 1 + 2 * tab.pool[children], 2):
        child = tab.pool[c]
        bound += tab.pool[c + 1] * tab.values[child, 1]
        sharp &= tab.places[child] == SOLVED
    return bound, sharp


@kernel(types.void(NUM, NUM, TABLE))
def search(e: Any, limit: Any, tab: Any) -> None:
    """Raise the state's low bound to its cost, or at least to `limit`; sets numbers[STOP] if it had to stop.

    Works on the action with the least bound until it is not the least any more, and raises the bounds of all its children in
    the same proportion: so nothing is solved further than the comparison needs.
    """
    numbers, values, places, pool = tab.numbers, tab.values, tab.places, tab.pool
    if values[e, 1] >= limit or places[e] == SOLVED:
        return
    if places[e] < 0:
        examine(e, limit, tab)
        if places[e] < 0:
            return
    base, step, weight = np.int64(places[e]), 2 + tab.excludes.shape[1], values[e, 0]
    while True:
        least, second = np.int64(NONE), np.int64(NONE)
        best: Any = np.int64(0)
        known = False
        for place in range(base + 1, base + 1 + step * pool[base], step):
            bound, sharp = pool[place + 1], False
            if pool[place] >> 5:
                now, sharp = total(pool[place] >> 5, weight, tab)
                bound = max(bound, now)
                pool[place + 1] = bound
            if bound < least or (bound == least and sharp and not known):
                least, second = bound, least
                best, known = place, sharp
            elif bound < second:
                second = bound
        values[e, 1] = max(values[e, 1], least)
        if known:
            places[e] = SOLVED
            return
        if least >= limit:
            return
        children = pool[best] >> 5
        if children == 0:
            if numbers[NODES] >= numbers[MOST_NODES]:
                numbers[STOP] = SPENT
                return
            children = expand(e, best, tab)
            if children == 0:
                return
            numbers[NODES] += 1
            pool[best] |= children << 5
            continue
        goal = min(limit, second + 1)
        while total(children, weight, tab)[0] < goal:
            heaviest, most = np.int64(-1), np.int64(0)
            for c in range(children + 1, children + 1 + 2 * pool[children], 2):
                if places[pool[c]] == NEW and pool[c + 1] * values[pool[c], 0] > most:
                    heaviest, most = pool[c], pool[c + 1] * values[pool[c], 0]
            if heaviest < 0:
                break
            examine(heaviest, np.int64(0), tab)
            if numbers[STOP]:
                return
        now, sharp = total(children, weight, tab)
        if now > least or sharp:
            continue
        wanted, soft = goal - now, np.int64(0)
        for c in range(children + 1, children + 1 + 2 * pool[children], 2):
            if places[pool[c]] != SOLVED:
                soft += pool[c + 1] * values[pool[c], 1]
        share = 1.0 + wanted / soft
        for c in range(children + 1, children + 1 + 2 * pool[children], 2):
            child = pool[c]
            if places[child] != SOLVED:
                search(child, np.int64(values[child, 1] * share) + 1, tab)
                if numbers[STOP]:
                    return


@kernel(types.void(TABLE))
def rehash(tab: Any) -> None:
    """Enter the states into an empty index."""
    last = tab.index.shape[0] - 1
    for e in range(tab.numbers[STATES]):
        at = ((tab.keys[e] * np.int64(-7046029254386353131)) >> 32) & last
        while tab.index[at] >= 0:
            at = (at + 1) & last
        tab.index[at] = e
