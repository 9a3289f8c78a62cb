"""The published search for truth finding (core.model.Game with one valid truth): best-first, with proved bounds.

State: the truths T that are left and the unused actions A that may exclude one of them, bit masks of 64. Its value is 0 where the
search stops (at most one truth is left, or no unused action can exclude some truth of T), else the least over actions a of
1 + sum over outcomes s of |T_s| / W * value(T_s, A - a), where T_s is what outcome s leaves of T and W the sum of the |T_s|.

Floats: a value is a nest of sums of at most 64 levels, so rounding stays below 1e-12, and a state counts as decided where its
bounds are within TINY; together that is below 1e-10. Actions within TIE of the best one count as equally good.

A table holds bounds of states: keys [places, 2] (T, A; T = 0 is an empty place), values [places, 2] (lower, upper), used [places]
(the taken places in order). meta: nodes spent, nodes allowed, places taken, why it stopped (0, SPENT, FULL), states that
greedy() may look at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from puzzlemill.solvers.kernels.compile import kernel

TINY = 1e-12
TIE = 1e-9
SPENT, FULL = 1, 2
MOST_LATTICE = 20  # truths: 1 << 20 rows of 56 bytes
MOST_LONE = 16  # truths: 16 << 16 rows of 56 bytes
DEGREES = 7  # degrees of truths are told apart up to this
SCRATCH = DEGREES + 2  # rooms for children have this many rows at least
SLACK = 0.05  # how far beyond the second best an action is followed before the search looks elsewhere
FIRST = 1 << 10  # places in a new table
_ONE = np.uint64(1)
_NONE = np.uint64(0)


@kernel("int64(uint64)")
def count(x: Any) -> Any:
    """The number of bits."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel("int64(uint64)")
def lowest(x: Any) -> Any:
    """The place of the lowest bit."""
    return count((x & (~x + _ONE)) - _ONE)


@kernel("float64[:,:,::1](int64, int64)")
def floors(truths: Any, outcomes: Any) -> Any:
    """floors[d, m, n]: a lower bound of the value of n truths, of which no outcome excludes more than m, where the search cannot
    stop within d steps except for one truth left: what the first d steps cost at least.

    Every truth survives some outcome, so the sizes that the outcomes leave add up to n or more; the cheapest way is to split
    exactly. `outcomes`: the most that an action has; `truths` or more where some action excludes a truth in every outcome.
    """
    least = np.zeros((DEGREES + 1, truths + 1, truths + 1))
    for d in range(1, DEGREES + 1):
        for m in range(truths + 1):
            for n in range(2, truths + 1):
                stay = max(n - m, 0)
                if outcomes * stay >= n:
                    least[d, m, n] = 1 + least[d - 1, m, stay]
                    continue
                best = np.full(n + 1, np.inf)
                best[0] = 0.0
                for _ in range(min(outcomes, n)):
                    after = best.copy() if stay == 0 else np.full(n + 1, np.inf)
                    for have in range(n + 1):
                        for part in range(max(stay, 1), n - have + 1):
                            cost = best[have] + part * least[d - 1, m, part]
                            if cost < after[have + part]:
                                after[have + part] = cost
                    best = after
                least[d, m, n] = 1 + best[n] / n
    return least


@kernel("int64(int64)")
def lattice_rows(truths: Any) -> Any:
    """One for every set of truths; of more than MOST_LATTICE truths only the empty set has one."""
    return 1 << truths if truths <= MOST_LATTICE else 1


@kernel("int64(int64)")
def lone_rows(truths: Any) -> Any:
    """One for every set of truths; of more than MOST_LONE truths only the empty set has one."""
    return 1 << truths if truths <= MOST_LONE else 1


@kernel("void(float64[::1], float64[:,::1], float64[::1], float64[::1], int64, int64)")
def least_rows(row: Any, parts: Any, same: Any, weights: Any, actions: Any, start: Any) -> None:
    """row[d] from `start` on: the least over actions of 1 + (parts[d] + same * row[d - 1]) / weights."""
    for d in range(start, DEGREES):
        before = row[d - 1] if d > 0 else 0.0
        best = np.inf
        for i in range(actions):
            best = min(best, (parts[i, d] + same[i] * before) * weights[i])
        row[d] = 1.0 + best if best < np.inf else 1.0


@kernel("void(uint64, float64[:,::1], uint64[:,::1], int64[::1], uint64[::1])")
def lattice(left: Any, lattices: Any, excludes: Any, outcomes: Any, cover: Any) -> None:
    """Fill lattices[left] and the rows of the sets that it leads to.

    lattices[T, d - 1]: the least expected steps, of the first d, if actions could be done again and only one truth left stopped
    the search. So it is a lower bound wherever each truth of T has d or more unused actions that may exclude it. Column 0 is 0
    in rows that are not filled.
    """
    row = lattices[np.int64(left)]
    row[0] = 1.0
    for a in range(outcomes.shape[0]):
        if cover[a] & left != _NONE:
            for s in range(outcomes[a]):
                after = left & ~excludes[a, s]
                if after & (after - _ONE) and lattices[np.int64(after), 0] == 0.0:
                    lattice(after, lattices, excludes, outcomes, cover)
    parts, same, weights = np.zeros((outcomes.shape[0], DEGREES)), np.zeros(outcomes.shape[0]), np.empty(outcomes.shape[0])
    n = 0
    for a in range(outcomes.shape[0]):
        if cover[a] & left == _NONE:
            continue
        weight = 0
        for s in range(outcomes[a]):
            after = left & ~excludes[a, s]
            k = count(after)
            weight += k
            if after == left:
                same[n] += k
            elif k > 1:
                share, i = float(k), np.int64(after)
                for d in range(1, DEGREES):
                    parts[n, d] += share * lattices[i, d - 1]
        weights[n] = 1.0 / weight if weight else 1.0
        n += 1
    least_rows(row, parts, same, weights, n, 1)


@kernel("void(uint64, int64, float64[:,:,::1], float64[:,::1], uint64[:,::1], int64[::1], uint64[::1])")
def lone(left: Any, truth: Any, lones: Any, lattices: Any, excludes: Any, outcomes: Any, cover: Any) -> None:
    """Fill lones[left, truth] and the rows that it leads to; `truth` is left.

    lones[T, t, d - 1]: a lower bound where d unused actions may exclude t and more than d each other truth of T. An action that
    may exclude t leads to such a state with d - 1, where t is left, and the search stops where that is 0; wherever else an action
    leads, d actions or more are there for each truth, as lattices[T, d - 1] supposes.
    """
    at = np.int64(left)
    bit = _ONE << np.uint64(truth)
    if lattices[at, 0] == 0.0:
        lattice(left, lattices, excludes, outcomes, cover)
    row = lones[at, truth]
    row[0] = 1.0
    for a in range(outcomes.shape[0]):
        if cover[a] & bit:
            for s in range(outcomes[a]):
                after = left & ~excludes[a, s]
                if after & bit and after != bit and lones[np.int64(after), truth, 0] == 0.0:
                    lone(after, truth, lones, lattices, excludes, outcomes, cover)
    parts, same, weights = np.zeros((outcomes.shape[0], DEGREES)), np.zeros(outcomes.shape[0]), np.empty(outcomes.shape[0])
    n = 0
    for a in range(outcomes.shape[0]):
        if cover[a] & left == _NONE:
            continue
        weight = 0
        for s in range(outcomes[a]):
            after = left & ~excludes[a, s]
            k = count(after)
            weight += k
            if k <= 1:
                continue
            share = float(k)
            if cover[a] & bit == _NONE or after & bit == _NONE:
                i = np.int64(after)
                for d in range(DEGREES):
                    parts[n, d] += share * lattices[i, d]
            elif after == left:
                same[n] += share
            else:
                i = np.int64(after)
                for d in range(1, DEGREES):
                    parts[n, d] += share * lones[i, truth, d - 1]
        weights[n] = 1.0 / weight if weight else 1.0
        n += 1
    least_rows(row, parts, same, weights, n, 0)


@kernel("float64(uint64, uint64, uint64[:,::1], int64[::1], uint64[::1])")
def pair(left: Any, unused: Any, excludes: Any, outcomes: Any, cover: Any) -> Any:
    """The value where two truths are left. An action that excludes neither with chance p goes on with p.

    The game ends when all coverers of one of them are done. To end by a given one, its coverers go in ascending order of p, and
    others go between them where that is cheaper; whichever of the two is cheaper to end by is the value.
    """
    chance = np.empty(64)
    kind = np.empty(64, np.int64)
    first = left & (~left + _ONE)
    n, seen = 0, 0
    while unused:
        a = lowest(unused)
        unused &= unused - _ONE
        covered = cover[a] & left
        if covered == _NONE:
            continue
        neither, one = 0, 0
        for s in range(outcomes[a]):
            out = excludes[a, s] & left
            if out == _NONE:
                neither += 1
            elif out != left:
                one += 1
        p = 2.0 * neither / (2.0 * neither + one) if neither else 0.0
        k = (1 if covered & first else 0) | (2 if covered & ~first else 0)
        seen |= k
        i = n
        while i > 0 and chance[i - 1] > p:
            chance[i] = chance[i - 1]
            kind[i] = kind[i - 1]
            i -= 1
        chance[i] = p
        kind[i] = k
        n += 1
    if seen != 3:
        return 0.0
    best = np.inf
    for target in (1, 2):
        value = 0.0
        for i in range(n - 1, -1, -1):
            done = 1 + chance[i] * value
            if kind[i] & target or done < value:
                value = done
        best = min(best, value)
    return best


@kernel("int64(uint64, uint64, uint64[:,::1])")
def place(left: Any, unused: Any, keys: Any) -> Any:
    """Where the state is, or the empty place where it belongs."""
    mixed = (left * np.uint64(0x9E3779B97F4A7C15)) ^ (unused * np.uint64(0xC2B2AE3D27D4EB4F))
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    last = keys.shape[0] - 1
    at = np.int64(mixed >> np.uint64(32)) & last
    while keys[at, 0] != _NONE and (keys[at, 0] != left or keys[at, 1] != unused):
        at = (at + 1) & last
    return at


@kernel("Tuple((uint64[:,::1], float64[:,::1], int64[::1]))(uint64[:,::1], float64[:,::1], int64[::1], int64)")
def grown(keys: Any, values: Any, used: Any, taken: Any) -> Any:
    """The same table with four times as many places."""
    size = 4 * keys.shape[0]
    keys2, values2, used2 = np.zeros((size, 2), np.uint64), np.empty((size, 2)), np.empty(size, np.int64)
    for i in range(taken):
        old = used[i]
        at = place(keys[old, 0], keys[old, 1], keys2)
        keys2[at, 0], keys2[at, 1] = keys[old, 0], keys[old, 1]
        values2[at, 0], values2[at, 1] = values[old, 0], values[old, 1]
        used2[i] = at
    return keys2, values2, used2


@kernel("uint64(uint64, uint64, uint64[::1])")
def relevant(left: Any, unused: Any, coverers: Any) -> Any:
    """The unused actions that may exclude one of these truths; 0 where the search stops."""
    if left & (left - _ONE) == _NONE:
        return _NONE
    keep = _NONE
    while left:
        some = coverers[lowest(left)] & unused
        if some == _NONE:
            return _NONE
        keep |= some
        left &= left - _ONE
    return keep


_ARRAYS = (
    "uint64[:,::1], int64[::1], uint64[::1], uint64[::1], float64[:,:,::1], float64[:,::1], float64[:,:,::1], "
    "uint64[:,:,::1], float64[:,:,::1], float64[:,:,::1], int64[:,:,::1], uint64[:,::1], float64[:,::1], int64[::1], int64[::1]"
)


@kernel(f"Tuple((float64, float64))(uint64, uint64, float64, int64, uint64, {_ARRAYS})")
def search(
    left: Any,
    unused: Any,
    limit: Any,
    depth: Any,
    only: Any,
    excludes: Any,
    outcomes: Any,
    cover: Any,
    coverers: Any,
    least: Any,
    lattices: Any,
    lones: Any,
    states: Any,
    chances: Any,
    costs: Any,
    spans: Any,
    keys: Any,
    values: Any,
    used: Any,
    meta: Any,
) -> Any:
    """Proved bounds (lower, upper) of a state's value: equal, or lower >= limit, or meta tells why not.

    The state does not stop the search, and its unused actions are relevant. only: 0, or the one action to be done first (then the
    bounds are those of this action, and nothing is kept of the state).
    lattices: see lattice(). lones: see lone().
    states [depth, child, 2], chances [depth, child, 3] (chance, lower, upper), costs [depth, action, 2] (lower, upper), spans
    [depth, action, 4] (action, first child, end, looked up): room for the children of the states on the way.
    """
    size = count(left)
    if size == 2 and only == _NONE:
        value = pair(left, unused, excludes, outcomes, cover)
        return value, value
    at = place(left, unused, keys)
    if only == _NONE:
        if keys[at, 0] == _NONE:
            if 4 * meta[2] >= 3 * keys.shape[0]:
                meta[3] = FULL
                return 0.0, np.inf
            keys[at, 0], keys[at, 1] = left, unused
            used[meta[2]] = at
            meta[2] += 1
            values[at, 0], values[at, 1] = 0.0, float(count(unused))
        low, high = values[at, 0], values[at, 1]
        if low >= limit or low == high:
            return low, high
    else:
        low, high = 0.0, float(count(unused))
    if meta[0] >= meta[1]:
        meta[3] = SPENT
        return low, high
    meta[0] += 1
    # at_least[k, 0]: the truths that k or more actions may exclude. The last room is free: no state has used every action
    at_least = states[states.shape[0] - 1]
    one = two = three = four = five = six = seven = eight = _NONE
    rest = unused
    while rest:
        covered = cover[lowest(rest)] & left
        rest &= rest - _ONE
        eight |= seven & covered
        seven |= six & covered
        six |= five & covered
        five |= four & covered
        four |= three & covered
        three |= two & covered
        two |= one & covered
        one |= covered
    at_least[1, 0], at_least[2, 0], at_least[3, 0], at_least[4, 0] = one, two, three, four
    at_least[5, 0], at_least[6, 0], at_least[7, 0], at_least[8, 0] = five, six, seven, eight
    degree = 1
    while degree < DEGREES and left & ~at_least[degree + 1, 0] == _NONE:
        degree += 1
    child, chance, cost, span = states[depth], chances[depth], costs[depth], spans[depth]
    n, actions, most = 0, 0, 0
    rest = unused
    while rest:
        a = lowest(rest)
        rest &= rest - _ONE
        first, weight = n, 0
        for s in range(outcomes[a]):
            after = left & ~excludes[a, s]
            k = count(after)
            most = max(most, size - k)
            weight += k
            if k <= 1:
                continue
            j = first
            while j < n and child[j, 0] != after:
                j += 1
            if j < n:
                chance[j, 0] += k
            elif after & cover[a] & ~two == _NONE:  # else a truth is left that nothing can exclude any more
                child[n, 0] = after
                chance[n, 0] = k
                n += 1
        for j in range(first, n):
            chance[j, 0] /= weight
        if only != _NONE and only != _ONE << np.uint64(a):
            n = first
            continue
        span[actions, 0], span[actions, 1], span[actions, 2] = a, first, n
        actions += 1
    # what the tables of bounds say of each child; what is known of it is looked up where its action becomes the best one
    for i in range(actions):
        covered = cover[span[i, 0]]
        below = 1.0
        for j in range(span[i, 1], span[i, 2]):
            after = child[j, 0]
            k = max(degree - 1, 1)  # an action takes one coverer of each truth at most
            few = _NONE
            while k < DEGREES:
                few = after & ~((at_least[k + 1, 0] & ~covered) | (at_least[k + 2, 0] & covered))
                if few != _NONE:
                    break
                k += 1
            down = least[k, most, count(after)]
            at_after = np.int64(after)
            if k > 1 and at_after < lattices.shape[0]:
                if lattices[at_after, 0] == 0.0:
                    lattice(after, lattices, excludes, outcomes, cover)
                down = max(down, lattices[at_after, k - 1])
            if k < DEGREES and at_after < lones.shape[0] and few & (few - _ONE) == _NONE:
                truth = lowest(few)
                if lones[at_after, truth, 0] == 0.0:
                    lone(after, truth, lones, lattices, excludes, outcomes, cover)
                down = max(down, lones[at_after, truth, k - 1])
            chance[j, 1], chance[j, 2] = down, np.inf
            below += chance[j, 0] * down
        cost[i, 0], cost[i, 1] = below, np.inf if span[i, 2] > span[i, 1] else below
        span[i, 3] = 0
    low = max(low, least[degree, most, size])
    while True:
        best, other, lowest_cost, second = 0, 0, np.inf, np.inf
        for i in range(actions):
            if cost[i, 0] < lowest_cost:
                other, second = best, lowest_cost
                best, lowest_cost = i, cost[i, 0]
            elif cost[i, 0] < second:
                other, second = i, cost[i, 0]
            high = min(high, cost[i, 1])
        low = max(low, lowest_cost)
        if low >= high - TINY:
            low = high
            break
        if low >= limit or meta[3] != 0:
            break
        look = best if span[best, 3] == 0 else other
        if span[look, 3] == 0 and cost[look, 0] < limit:
            span[look, 3] = 1
            others = unused & ~(_ONE << np.uint64(span[look, 0]))
            below, above = 1.0, 1.0
            for j in range(span[look, 1], span[look, 2]):
                after = child[j, 0]
                rest = relevant(after, others, coverers)
                child[j, 1] = rest
                down, up = chance[j, 1], float(count(rest))
                if count(after) == 2:
                    down = pair(after, rest, excludes, outcomes, cover)
                    up = down
                else:
                    known = place(after, rest, keys)
                    if keys[known, 0] != _NONE:
                        down = max(down, values[known, 0])
                        up = min(up, values[known, 1])
                    if up <= down + TINY:
                        down = up
                chance[j, 1], chance[j, 2] = down, up
                below += chance[j, 0] * down
                above += chance[j, 0] * up
            cost[look, 0], cost[look, 1] = below, above
            continue
        # the likely child of which least is proved: measured, several times better than the likeliest or the least decided one
        next_child, urgency = -1, 0.0
        for j in range(span[best, 1], span[best, 2]):
            here = chance[j, 0] / chance[j, 1] ** 8 if chance[j, 2] > chance[j, 1] else 0.0
            if here > urgency:
                next_child, urgency = j, here
        aim = min(limit, second + SLACK)
        wanted = chance[next_child, 1] + (aim - lowest_cost) / chance[next_child, 0] + TINY
        down, up = search(
            child[next_child, 0],
            child[next_child, 1],
            wanted,
            depth + 1,
            _NONE,
            excludes,
            outcomes,
            cover,
            coverers,
            least,
            lattices,
            lones,
            states,
            chances,
            costs,
            spans,
            keys,
            values,
            used,
            meta,
        )
        chance[next_child, 1] = max(chance[next_child, 1], down)
        chance[next_child, 2] = min(chance[next_child, 2], up)
        below, above = 1.0, 1.0
        for j in range(span[best, 1], span[best, 2]):
            below += chance[j, 0] * chance[j, 1]
            above += chance[j, 0] * chance[j, 2]
        cost[best, 0], cost[best, 1] = below, above
    if only == _NONE:
        values[at, 0], values[at, 1] = low, high
    return low, high


@kernel(
    "float64(uint64, uint64, uint64[:,::1], int64[::1], uint64[::1], uint64[::1], "
    "uint64[:,::1], float64[:,::1], int64[::1], int64[::1])"
)
def greedy(
    left: Any,
    unused: Any,
    excludes: Any,
    outcomes: Any,
    cover: Any,
    coverers: Any,
    keys: Any,
    values: Any,
    used: Any,
    meta: Any,
) -> Any:
    """An upper bound of a state's value: what a short-sighted play costs, which leaves few truths where the search goes on.

    Enters the states on its way into the table, as long as there is room; meta[4] counts down the states that it may look at.
    """
    unused = relevant(left, unused, coverers)
    if unused == _NONE:
        return 0.0
    if count(left) == 2:
        return pair(left, unused, excludes, outcomes, cover)
    at = place(left, unused, keys)
    plain = float(count(unused))
    if keys[at, 0] != _NONE and (values[at, 0] == 0.0 or values[at, 0] == values[at, 1]) and values[at, 1] < plain:
        return values[at, 1]  # entered here, or decided
    if meta[4] <= 0:
        return plain
    meta[4] -= 1
    best, fewest = _NONE, np.inf
    rest = unused
    while rest:
        a = lowest(rest)
        rest &= rest - _ONE
        others = unused & ~(_ONE << np.uint64(a))
        weight, cost = 0, 0.0
        for s in range(outcomes[a]):
            after = left & ~excludes[a, s]
            k = count(after)
            weight += k
            if relevant(after, others, coverers) != _NONE:
                cost += k * np.log(k)
        cost = cost / weight if weight else 0.0
        if cost < fewest:
            best, fewest = _ONE << np.uint64(a), cost
    a = lowest(best)
    weight, value = 0, 0.0
    for s in range(outcomes[a]):
        after = left & ~excludes[a, s]
        k = count(after)
        weight += k
        if k > 1:
            value += k * greedy(after, unused ^ best, excludes, outcomes, cover, coverers, keys, values, used, meta)
    value = min(plain, 1 + value / weight if weight else 1.0)
    at = place(left, unused, keys)
    if keys[at, 0] != _NONE:
        values[at, 1] = min(values[at, 1], value)
    elif 8 * meta[2] < 7 * keys.shape[0]:
        keys[at, 0], keys[at, 1] = left, unused
        used[meta[2]] = at
        meta[2] += 1
        values[at, 0], values[at, 1] = 0.0, value
    return value


_TABLE = "uint64[:,::1], float64[:,::1], int64[::1]"


@kernel(f"Tuple((int64, float64, float64, {_TABLE}))(uint64, uint64, boolean, {_ARRAYS})")
def decide(
    left: Any,
    unused: Any,
    value_only: Any,
    excludes: Any,
    outcomes: Any,
    cover: Any,
    coverers: Any,
    least: Any,
    lattices: Any,
    lones: Any,
    states: Any,
    chances: Any,
    costs: Any,
    spans: Any,
    keys: Any,
    values: Any,
    used: Any,
    meta: Any,
) -> Any:
    """(action, lower, upper, table): the first of the best actions, -1 where the search stops or the budget ends first.

    The table may have grown. Undecided: lower < upper, or meta[3] is SPENT.
    """
    meta[3] = 0
    unused = relevant(left, unused, coverers)
    if unused == _NONE:
        return -1, 0.0, 0.0, keys, values, used
    only = _NONE
    rest = unused
    low, high, bound = 0.0, 0.0, np.inf
    while True:
        found = search(
            left,
            unused,
            bound,
            0,
            only,
            excludes,
            outcomes,
            cover,
            coverers,
            least,
            lattices,
            lones,
            states,
            chances,
            costs,
            spans,
            keys,
            values,
            used,
            meta,
        )
        if meta[3] == FULL:
            keys, values, used = grown(keys, values, used, meta[2])
            meta[3] = 0
            continue
        if only == _NONE:
            low, high = found
            if meta[3] != 0:
                meta[4] = meta[1]  # as many again
                if 4 * meta[2] > keys.shape[0]:
                    keys, values, used = grown(keys, values, used, meta[2])
                high = max(low, min(high, greedy(left, unused, excludes, outcomes, cover, coverers, keys, values, used, meta)))
            if value_only or meta[3] != 0:
                return -1, low, high, keys, values, used
            bound = high + 2 * TIE
        elif found[1] <= high + TIE:
            return lowest(only), low, high, keys, values, used
        elif meta[3] != 0:
            return -1, low, high, keys, values, used
        only = rest & (~rest + _ONE)
        rest ^= only


@kernel("void(uint64[:,::1], int64[::1], int64, uint64[::1], uint64[::1])")
def prepare(excludes: Any, outcomes: Any, truths: Any, cover: Any, coverers: Any) -> None:
    """cover[a]: what action a may exclude. coverers[t]: the actions that may exclude truth t."""
    coverers[:] = 0
    for a in range(outcomes.shape[0]):
        cover[a] = 0
        for s in range(outcomes[a]):
            cover[a] |= excludes[a, s]
        for t in range(truths):
            if cover[a] >> np.uint64(t) & _ONE:
                coverers[t] |= _ONE << np.uint64(a)


@kernel(
    "void(uint64[:,:,::1], int64[:,::1], int64, int64, boolean, boolean, int64[:,::1], float64[:,:,::1], "
    "float64[:,::1], int64[:,::1], int64[:,::1])"
)
def many(
    excludes: Any,
    outcomes: Any,
    truths: Any,
    budget: Any,
    value_only: Any,
    playing: Any,
    worlds: Any,
    least: Any,
    bounds: Any,
    done: Any,
    nodes: Any,
) -> None:
    """Solve many games of as many truths and actions, each on its own, and play their worlds.

    excludes [k, actions, most outcomes], outcomes [k, actions] (how many), worlds [k, actions] (the outcomes that come, used if
    `playing`). bounds [k, 2]: of the start. done [k, actions + 1]: the actions in order (the first one only unless `playing`),
    then -1 where the search stops or -2 where the budget ends. nodes [k, 1]: spent on the start.
    """
    actions = outcomes.shape[1]
    room = max(actions * excludes.shape[2], SCRATCH)
    states, chances = np.empty((actions + 1, room, 2), np.uint64), np.empty((actions + 1, room, 3))
    costs, spans = np.empty((actions + 1, actions, 2)), np.empty((actions + 1, actions, 4), np.int64)
    keys, values, used = np.zeros((FIRST, 2), np.uint64), np.empty((FIRST, 2)), np.empty(FIRST, np.int64)
    lattices = np.zeros((lattice_rows(truths), DEGREES))
    lones = np.zeros((lone_rows(truths), truths, DEGREES))
    cover, coverers = np.empty(actions, np.uint64), np.empty(64, np.uint64)
    meta = np.zeros(5, np.int64)
    everything = ~_NONE >> np.uint64(64 - truths)
    for k in range(excludes.shape[0]):
        if keys.shape[0] == FIRST:
            for i in range(meta[2]):
                keys[used[i], 0] = _NONE
        else:  # what a budget buys depends on the size of the table, so each game begins with the same
            keys, values, used = np.zeros((FIRST, 2), np.uint64), np.empty((FIRST, 2)), np.empty(FIRST, np.int64)
        meta[2] = 0
        for i in range(lattices.shape[0]):
            if lattices[i, 0] != 0.0:
                lattices[i, 0] = 0.0
                if i < lones.shape[0]:
                    lones[i, :, 0] = 0.0
        game, sizes = excludes[k], outcomes[k]
        prepare(game, sizes, truths, cover, coverers)
        left, unused, step = everything, (~_NONE >> np.uint64(64 - actions)) if actions else _NONE, 0
        while True:
            meta[0], meta[1] = 0, budget
            action, low, high, keys, values, used = decide(
                left,
                unused,
                value_only,
                game,
                sizes,
                cover,
                coverers,
                least,
                lattices,
                lones,
                states,
                chances,
                costs,
                spans,
                keys,
                values,
                used,
                meta,
            )
            if step == 0:
                bounds[k, 0], bounds[k, 1], nodes[k, 0] = low, high, meta[0]
            done[k, step] = action if action >= 0 or meta[3] == 0 else -2
            step += 1
            if action < 0:
                break
            if not playing:
                break
            left &= ~game[action, worlds[k, action]]
            unused &= ~(_ONE << np.uint64(action))
