"""The published search for truth finding (core.model.Game with one valid truth): best-first, with proved bounds.

State: the truths T that are left and the unused actions A that may exclude one of them, bit masks of 64. Its value is 0 where the
search stops (at most one truth is left, or no unused action can exclude some truth of T), else the least over actions a of
1 + sum over outcomes s of |T_s| / W * value(T_s, A - a), where T_s is what outcome s leaves of T and W the sum of the |T_s|.

Floats: a value is a nest of sums of at most 64 levels, so rounding stays below 1e-12, and a state counts as decided where its
bounds are within TINY; together that is below 1e-10. Actions within TIE of the best one count as equally good.

A table holds bounds of states: keys [places, 4] (T, A, and two that only `values` can read; T = 0 is an empty place) and values
[places, 4] (the same memory as floats: two that only `keys` can read, lower, upper). Notes hold bounds of sets of truths, see
ahead(): names [places, 2] (what name() says, 0 where empty; one that only `noted` can read), noted [places, 2] (the same memory
as floats). meta: nodes spent, nodes allowed, places taken in the table, why it stopped (0, SPENT, FULL), states that greedy()
may look at.
"""

from __future__ import annotations

import numpy as np

from puzzlemill.solvers.kernels.compile import kernel

TINY = 1e-12
TIE = 1e-9
SPENT, FULL = 1, 2
DEGREES = 7  # degrees of truths are told apart up to this: three bits
DEEP = 3  # steps that bounds of sets of truths look ahead in the search; more are rarely there, and cost more than they save
NOTES = 16  # at most 1 << NOTES places of 16 bytes: what others displace is reckoned again
MOST_DEEP = 16  # of more truths there are too many sets to note: their bounds are of all truths, and look two steps ahead
SLACK = 0.05  # how far beyond the second best an action is followed before the search looks elsewhere
FIRST = 1 << 10  # places in a new table
_ONE = np.uint64(1)
_NONE = np.uint64(0)


@kernel("int64(uint64)")
def count(x):
    """The number of bits."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel("int64(uint64)")
def lowest(x):
    """The place of the lowest bit."""
    return count((x & (~x + _ONE)) - _ONE)


@kernel("float64[:,:,::1](int64, int64)")
def floors(truths, outcomes):
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


@kernel("uint64(uint64, uint64, int64)")
def name(left, few, d):
    """The question to ahead() as one number, never 0: 40 bits for `left`, 6 for `few` (0 is all of them), 3 for d."""
    which = _NONE if few == left else np.uint64(1 + lowest(few))
    return left | which << np.uint64(40) | np.uint64(d) << np.uint64(46)


@kernel("int64(uint64, int64)")
def spot(key, places):
    """The place of a name in notes."""
    key = (key ^ (key >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(key >> np.uint64(40)) & (places - 1)


@kernel("float64(uint64, uint64, int64, uint64[:,::1], float64[:,::1])")
def recalled(left, few, d, names, noted):
    """ahead() where it is plain or noted, else 0. Apart from it, as calls that are not inlined cost more than the looking up."""
    if few == left and d == 1:
        return 1.0
    key = name(left, few, d)
    at = spot(key, names.shape[0])
    return noted[at, 1] if names[at, 0] == key else 0.0


@kernel("float64(uint64, uint64, int64, uint64[:,::1], int64[::1], uint64[::1], uint64[:,::1], float64[:,::1])")
def ahead(left, few, d, excludes, outcomes, cover, names, noted):
    """A lower bound of the value of two truths or more, each of which d (1 or more) unused actions or more may exclude.

    few: all of them: then it is the least expected steps, of the first d, if actions could be done again and only one truth left
    stopped the search. Or one of them, the only one that may have no more than d: an action that may exclude it leads to such a
    state with d - 1 if it is left, and the search stops where that is 0; wherever else an action leads, d are there for each.
    """
    best = np.inf
    for a in range(outcomes.shape[0]):
        if cover[a] & left == _NONE:
            continue
        weight, steps = 0, 0.0
        for s in range(outcomes[a]):
            after = left & ~excludes[a, s]
            k = count(after)
            weight += k
            if k <= 1:
                continue
            fewer, more = after, d
            if few == left:
                more = d - 1
            elif after & few & cover[a]:
                fewer, more = few, d - 1
            if more > 0:
                below = recalled(after, fewer, more, names, noted)
                if below == 0.0:
                    below = ahead(after, fewer, more, excludes, outcomes, cover, names, noted)
                steps += k * below
        best = min(best, steps / weight if weight else 0.0)
    value = 1.0 + best if best < np.inf else 1.0
    key = name(left, few, d)
    at = spot(key, names.shape[0])
    names[at, 0], noted[at, 1] = key, value
    return value


@kernel("float64(uint64, uint64, uint64[:,::1], int64[::1], uint64[::1])")
def pair(left, unused, excludes, outcomes, cover):
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
def place(left, unused, keys):
    """Where the state is, or the empty place where it belongs."""
    mixed = (left * np.uint64(0x9E3779B97F4A7C15)) ^ (unused * np.uint64(0xC2B2AE3D27D4EB4F))
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    last = keys.shape[0] - 1
    at = np.int64(mixed >> np.uint64(32)) & last
    while keys[at, 0] != _NONE and (keys[at, 0] != left or keys[at, 1] != unused):
        at = (at + 1) & last
    return at


@kernel("Tuple((uint64[:,::1], float64[:,::1]))(int64)")
def table(places):
    """(keys, values), empty."""
    keys = np.zeros((places, 4), np.uint64)
    return keys, keys.view(np.float64)


@kernel("Tuple((uint64[:,::1], float64[:,::1]))(uint64[:,::1])")
def grown(keys):
    """The same table with four times as many places."""
    more, values = table(4 * keys.shape[0])
    for i in range(keys.shape[0]):
        if keys[i, 0] != _NONE:
            more[place(keys[i, 0], keys[i, 1], more)] = keys[i]
    return more, values


@kernel("uint64(uint64, uint64, uint64[::1])")
def relevant(left, unused, coverers):
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


@kernel("Tuple((int64, uint64))(uint64, uint64, uint64, uint64, uint64)")
def weakest(left, less, ones, twos, fours):
    """(the least number that a truth of `left` has, those that have it). The numbers 0 to 7 of all truths are given bit by bit;
    the truths of `less`, each of which has 1 or more, have one less.
    """
    fours ^= less & ~ones & ~twos
    twos ^= less & ~ones
    ones ^= less
    number, few = 0, left
    if few & ~fours:
        few &= ~fours
    else:
        number = 4
    if few & ~twos:
        few &= ~twos
    else:
        number += 2
    if few & ~ones:
        few &= ~ones
    else:
        number += 1
    return number, few


_GAME = "Tuple((uint64[:,::1], int64[::1], uint64[::1], uint64[::1], float64[:,:,::1]))"
_ROOMS = (
    "Tuple((uint64[:,::1], float64[:,::1], uint64[:,::1], int64[:,::1], float64[:,::1], uint64[:,::1], float64[:,::1], "
    "int64[:,::1], float64[::1], int64[::1]))"
)
_TABLE = "uint64[:,::1], float64[:,::1]"


@kernel(f"{_ROOMS}(int64, int64, int64)")
def rooms(truths, actions, most):
    """Notes, empty, and what search() writes on, for games of this size; most: outcomes of an action.

    (names, noted, frames [depth, 5], counts [depth, 5], marks [depth, 3], states [child, 2], chances [child, 3], spans [action,
    4], costs [action], order [action]). frames, counts, marks: of the states on the way. states: truths left, relevant actions.
    chances: chance, lower, upper. spans: number, first child, end of them, how far it is looked at. costs: lower bound. order:
    places in spans, the actions of each state on the way together, least bound first.
    """
    names = np.zeros((1 << min(truths + 3, NOTES), 2), np.uint64)
    depth = actions + 1
    each, children = depth * actions + 1, depth * actions * most + 1
    return (
        names,
        names.view(np.float64),
        np.empty((depth, 5), np.uint64),
        np.empty((depth, 5), np.int64),
        np.empty((depth, 3)),
        np.empty((children, 2), np.uint64),
        np.empty((children, 3)),
        np.empty((each, 4), np.int64),
        np.empty(each),
        np.empty(each, np.int64),
    )


@kernel("void(int64, int64, int64[::1], float64[::1])")
def sink(i, end, order, costs):
    """Bring order[i], of which the bound has risen, to its place among the actions up to `end`."""
    moved = order[i]
    cost = costs[moved]
    while i + 1 < end and costs[order[i + 1]] < cost:
        order[i] = order[i + 1]
        i += 1
    order[i] = moved


@kernel(f"Tuple((float64, float64))(uint64, uint64, float64, uint64, {_GAME}, {_ROOMS}, {_TABLE}, int64[::1])")
def search(left, unused, limit, only, game, room, keys, values, meta):
    """Proved bounds (lower, upper) of a state's value: equal, or lower >= limit, or meta says why not.

    The state does not stop the search, and its unused actions are relevant. only: 0, or the one action to be done first (then the
    bounds are those of this action, and nothing is kept of the state). game: excludes, outcomes, cover and coverers of prepare(),
    floors(). room: rooms(). Not recursive: a call with so many arrays takes a while.
    """
    excludes, outcomes, cover, coverers, least = game
    names, noted, frames, counts, marks, states, chances, spans, costs, order = room
    if count(left) == 2 and only == _NONE:
        value = pair(left, unused, excludes, outcomes, cover)
        return value, value
    deep = DEEP if least.shape[1] <= MOST_DEEP + 1 else 2
    depth, enter = 0, True
    # of the state: its place in the table or -1, the most that an outcome excludes, its actions in spans, the end of its children
    at, most, start, end, n = -1, 0, 0, 0, 0
    low, high = 0.0, np.inf
    ones = twos = fours = _NONE  # the truths of which the number of actions has this bit; 7 stands for more
    best, child, lowest_cost, second = 0, 0, np.inf, np.inf
    while True:
        if enter:
            low, high, at, start = 0.0, float(count(unused)), -1, end
            if depth > 0 or only == _NONE:
                at = place(left, unused, keys)
                if keys[at, 0] != _NONE:
                    low, high = values[at, 2], values[at, 3]
                elif 4 * meta[2] >= 3 * keys.shape[0]:
                    meta[3] = FULL
                    at = -1
                else:
                    keys[at, 0], keys[at, 1] = left, unused
                    values[at, 2], values[at, 3] = low, high
                    meta[2] += 1
            expand = low < limit and low < high and meta[3] == 0
            if expand and meta[0] >= meta[1]:
                meta[3] = SPENT
                expand = False
            if expand:
                meta[0] += 1
                ones = twos = fours = many = _NONE
                rest = unused
                while rest:
                    carry = cover[lowest(rest)] & left
                    rest &= rest - _ONE
                    ones, carry = ones ^ carry, ones & carry
                    twos, carry = twos ^ carry, twos & carry
                    fours, carry = fours ^ carry, fours & carry
                    many |= carry
                ones, twos, fours = ones | many, twos | many, fours | many
                size, most = count(left), 0
                rest = unused
                while rest:
                    a = lowest(rest)
                    rest &= rest - _ONE
                    first, weight, goes = n, 0, 0
                    last = cover[a] & ones & ~twos & ~fours  # the truths that only this action may exclude
                    for s in range(outcomes[a]):
                        after = left & ~excludes[a, s]
                        k = count(after)
                        most = max(most, size - k)
                        weight += k
                        if k <= 1 or after & last:
                            continue
                        goes += k
                        j = first
                        while j < n and states[j, 0] != after:
                            j += 1
                        if j == n:
                            states[n, 0], chances[n, 0] = after, 0.0
                            n += 1
                        chances[j, 0] += k
                    if depth == 0 and only != _NONE and only != _ONE << np.uint64(a):
                        n = first
                        continue
                    spans[end, 0], spans[end, 1], spans[end, 2], spans[end, 3] = a, first, n, 0
                    costs[end] = 1.0
                    if n == first:
                        high = 1.0
                    else:
                        share = 1.0 / weight
                        costs[end] += goes * share
                        for j in range(first, n):
                            chances[j, 0] *= share
                    i = end
                    while i > start and costs[order[i - 1]] > costs[end]:
                        order[i] = order[i - 1]
                        i -= 1
                    order[i] = end
                    end += 1
                low = max(low, least[weakest(left, _NONE, ones, twos, fours)[0], most, size])
        enter = False
        while end > start:
            best = order[start]
            lowest_cost, second = costs[best], costs[order[start + 1]] if end > start + 1 else np.inf
            low = max(low, lowest_cost)
            if low >= high - TINY:
                low = high
                break
            if low >= limit or meta[3] != 0:
                break
            # the best two actions are looked at first, then looked up
            i = start if spans[best, 3] < 2 or second == np.inf else start + 1
            look = order[i]
            if spans[look, 3] == 0 and costs[look] < limit:
                spans[look, 3] = 1
                covered = cover[spans[look, 0]] & left
                below = 1.0
                for j in range(spans[look, 1], spans[look, 2]):
                    after = states[j, 0]
                    k, few = weakest(after, covered, ones, twos, fours)
                    down = least[k, most, count(after)] if k > deep else 1.0
                    if k < DEGREES - 1:  # else (6 stands for more too) sizes say enough: measured on partition games
                        if k > deep or few & (few - _ONE) or deep < DEEP:
                            k, few = min(k, deep), after
                        more = recalled(after, few, k, names, noted)
                        if more == 0.0:
                            more = ahead(after, few, k, excludes, outcomes, cover, names, noted)
                        down = max(down, more)
                    chances[j, 1] = down
                    below += chances[j, 0] * down
                costs[look] = below
                sink(i, end, order, costs)
                continue
            if spans[look, 3] == 1 and costs[look] < limit:
                spans[look, 3] = 2
                others = unused & ~(_ONE << np.uint64(spans[look, 0]))
                below, above = 1.0, 1.0
                for j in range(spans[look, 1], spans[look, 2]):
                    after = states[j, 0]
                    rest = relevant(after, others, coverers)
                    states[j, 1] = rest
                    down, up = chances[j, 1], float(count(rest))
                    if count(after) == 2:
                        down = pair(after, rest, excludes, outcomes, cover)
                        up = down
                    else:
                        known = place(after, rest, keys)
                        if keys[known, 0] != _NONE:
                            down = max(down, values[known, 2])
                            up = min(up, values[known, 3])
                        if up <= down + TINY:
                            down = up
                    chances[j, 1], chances[j, 2] = down, up
                    below += chances[j, 0] * down
                    above += chances[j, 0] * up
                costs[look] = below
                high = min(high, above)
                sink(i, end, order, costs)
                continue
            # the likely child of which least is proved: measured, several times better than the likeliest or least decided one
            urgency = 0.0
            for j in range(spans[best, 1], spans[best, 2]):
                here = chances[j, 0] / chances[j, 1] ** 8 if chances[j, 2] > chances[j, 1] else 0.0
                if here > urgency:
                    child, urgency = j, here
            enter = True
            break
        if enter:
            frames[depth, 0], frames[depth, 1] = left, unused
            frames[depth, 2], frames[depth, 3], frames[depth, 4] = ones, twos, fours
            counts[depth, 0], counts[depth, 1], counts[depth, 2] = at, most, start
            counts[depth, 3], counts[depth, 4] = best, child
            marks[depth, 0], marks[depth, 1], marks[depth, 2] = limit, low, high
            limit = chances[child, 1] + (min(limit, second + SLACK) - lowest_cost) / chances[child, 0] + TINY
            left, unused = states[child, 0], states[child, 1]
            depth += 1
            continue
        if at >= 0:
            values[at, 2], values[at, 3] = low, high
        if depth == 0:
            return low, high
        depth -= 1
        if end > start:
            n, end = spans[start, 1], start
        left, unused = frames[depth, 0], frames[depth, 1]
        ones, twos, fours = frames[depth, 2], frames[depth, 3], frames[depth, 4]
        at, most, start = counts[depth, 0], counts[depth, 1], counts[depth, 2]
        best, child = counts[depth, 3], counts[depth, 4]
        chances[child, 1], chances[child, 2] = max(chances[child, 1], low), min(chances[child, 2], high)
        limit, low, high = marks[depth, 0], marks[depth, 1], marks[depth, 2]
        below, above = 1.0, 1.0
        for j in range(spans[best, 1], spans[best, 2]):
            below += chances[j, 0] * chances[j, 1]
            above += chances[j, 0] * chances[j, 2]
        costs[best] = below
        high = min(high, above)
        sink(start, end, order, costs)


@kernel("float64(uint64, uint64, uint64[:,::1], int64[::1], uint64[::1], uint64[::1], uint64[:,::1], float64[:,::1], int64[::1])")
def greedy(left, unused, excludes, outcomes, cover, coverers, keys, values, meta):
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
    if keys[at, 0] != _NONE and (values[at, 2] == 0.0 or values[at, 2] == values[at, 3]) and values[at, 3] < plain:
        return values[at, 3]  # entered here, or decided
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
            value += k * greedy(after, unused ^ best, excludes, outcomes, cover, coverers, keys, values, meta)
    value = min(plain, 1 + value / weight if weight else 1.0)
    at = place(left, unused, keys)
    if keys[at, 0] != _NONE:
        values[at, 3] = min(values[at, 3], value)
    elif 8 * meta[2] < 7 * keys.shape[0]:
        keys[at, 0], keys[at, 1] = left, unused
        meta[2] += 1
        values[at, 2], values[at, 3] = 0.0, value
    return value


@kernel(f"Tuple((int64, float64, float64, {_TABLE}))(uint64, uint64, boolean, {_GAME}, {_ROOMS}, {_TABLE}, int64[::1])")
def decide(left, unused, value_only, game, room, keys, values, meta):
    """(action, lower, upper, table): the first of the best actions, -1 where the search stops or the budget ends first.

    The table may have grown. Undecided: lower < upper, or meta[3] is SPENT.
    """
    excludes, outcomes, cover, coverers, _ = game
    meta[3] = 0
    unused = relevant(left, unused, coverers)
    if unused == _NONE:
        return -1, 0.0, 0.0, keys, values
    only = _NONE
    rest = unused
    low, high, bound = 0.0, 0.0, np.inf
    while True:
        found = search(left, unused, bound, only, game, room, keys, values, meta)
        if meta[3] == FULL:
            keys, values = grown(keys)
            meta[3] = 0
            continue
        if only == _NONE:
            low, high = found
            if meta[3] != 0:
                meta[4] = meta[1]  # as many again
                if 4 * meta[2] > keys.shape[0]:
                    keys, values = grown(keys)
                high = max(low, min(high, greedy(left, unused, excludes, outcomes, cover, coverers, keys, values, meta)))
            if value_only or meta[3] != 0:
                return -1, low, high, keys, values
            bound = high + 2 * TIE
        elif found[1] <= high + TIE:
            return lowest(only), low, high, keys, values
        elif meta[3] != 0:
            return -1, low, high, keys, values
        only = rest & (~rest + _ONE)
        rest ^= only


@kernel("void(uint64[:,::1], int64[::1], int64, uint64[::1], uint64[::1])")
def prepare(excludes, outcomes, truths, cover, coverers):
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
def many(excludes, outcomes, truths, budget, value_only, playing, worlds, least, bounds, done, nodes):
    """Solve many games of as many truths and actions, each on its own, and play their worlds.

    excludes [k, actions, most outcomes], outcomes [k, actions] (how many), worlds [k, actions] (the outcomes that come, used if
    `playing`). bounds [k, 2]: of the start. done [k, actions + 1]: the actions in order (the first one only unless `playing`),
    then -1 where the search stops or -2 where the budget ends. nodes [k, 1]: spent on the start.
    """
    actions = outcomes.shape[1]
    room = rooms(truths, actions, excludes.shape[2])
    names = room[0]
    keys, values = table(FIRST)
    cover, coverers = np.empty(actions, np.uint64), np.empty(64, np.uint64)
    meta = np.zeros(5, np.int64)
    everything = ~_NONE >> np.uint64(64 - truths)
    for k in range(excludes.shape[0]):
        if keys.shape[0] == FIRST:
            keys[:] = _NONE
        else:  # what a budget buys depends on the size of the table, so each game begins with the same
            keys, values = table(FIRST)
        names[:] = _NONE
        meta[2] = 0
        sizes = outcomes[k]
        game = (excludes[k], sizes, cover, coverers, least)
        prepare(excludes[k], sizes, truths, cover, coverers)
        left, unused, step = everything, (~_NONE >> np.uint64(64 - actions)) if actions else _NONE, 0
        while True:
            meta[0], meta[1] = 0, budget
            action, low, high, keys, values = decide(left, unused, value_only, game, room, keys, values, meta)
            if step == 0:
                bounds[k, 0], bounds[k, 1], nodes[k, 0] = low, high, meta[0]
            done[k, step] = action if action >= 0 or meta[3] == 0 else -2
            step += 1
            if action < 0:
                break
            if not playing:
                break
            left &= ~excludes[k, action, worlds[k, action]]
            unused &= ~(_ONE << np.uint64(action))
