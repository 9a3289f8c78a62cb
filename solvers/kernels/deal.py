"""Dealing tasks of truth finding: even draws by trial, and exact counting with the draw by rank.

Masks are words of 64 bits, bit t for truth t. Numbers that may need more than a word are *wide*: uint64 [limbs], lowest first.
"""

from __future__ import annotations

import numpy as np

from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.random import below, next64


@kernel("boolean(uint64[::1], uint64[::1])")
def _less(a, b):
    for k in range(a.shape[0] - 1, -1, -1):
        if a[k] != b[k]:
            return a[k] < b[k]
    return False


@kernel("void(uint64[::1], uint64[::1])")
def _subtract(a, b):
    """a -= b, where b <= a."""
    borrow = np.uint64(0)
    for k in range(a.shape[0]):
        word = a[k] - b[k]
        less = a[k] < b[k] or word < borrow
        a[k] = word - borrow
        borrow = np.uint64(1) if less else np.uint64(0)


@kernel("void(uint64[::1], uint64[::1])")
def _add(a, b):
    """a += b, where the sum fits."""
    carry = np.uint64(0)
    for k in range(a.shape[0]):
        word = a[k] + carry
        over = word < carry
        a[k] = word + b[k]
        carry = np.uint64(1) if over or a[k] < word else np.uint64(0)


@kernel("void(uint64[::1], uint64[::1], int64, uint64[::1])")
def below_wide(state, n, bits, out):
    """An even draw from 0 .. n-1 into `out`, for a wide n >= 1; bits: how many n - 1 has.

    A word for each limb, lowest first, the highest one shifted; what is too large is drawn again. Where n - 1 takes one limb
    that is Rng.below, word for word.
    """
    words = (bits + 63) // 64
    out[:] = np.uint64(0)
    while words:
        for k in range(words):
            out[k] = next64(state)
        out[words - 1] >>= np.uint64(64 * words - bits)
        if _less(out, n):
            return


@kernel(
    "void(uint64[:, ::1], int64[::1], int64[:, ::1], int64, int64, int64[::1], int64[::1], uint64[:, :, :, ::1], int64[:, ::1], "
    "int64, uint64[:, ::1], int64[:, ::1], int64[:, ::1], uint64[::1], int64[::1])"
)
def try_many(masks, sizes, picks, actions, valid, order, begin, ways, bits, tries, states, chosen, outcomes, left, used):
    """One task for each row of picks [tasks, truths], the places of its truths in `masks` [actions of the domain, outcomes].

    A try draws a set of `actions` actions and an outcome of each, evenly from all such pairs, and is kept if exactly `valid`
    truths are left. Actions with equally many outcomes are a group: order[begin[g] : begin[g + 1]], `sizes` by action.
    ways[g, m, j]: in how many ways m actions with outcomes come from group g and those after it, at most j of them from g.
    bits[g, m]: the length of ways[g, m, m] - 1. states [tasks, 4]: a stream for each task.

    Into chosen and outcomes [tasks, actions], by action, ascending; left [tasks]: the truths that hold; used [tasks]: how many
    tries it took, 0 if `tries` of them did not do, -1 if more than `valid` truths are excluded by nothing.
    """
    groups = begin.shape[0] - 1
    mine = np.zeros(masks.shape, dtype=np.uint64)
    turned = np.zeros(order.shape[0], dtype=np.int64)
    drawn = np.zeros(ways.shape[3], dtype=np.uint64)
    for task in range(picks.shape[0]):
        truths = picks.shape[1]
        full = (~np.uint64(0)) >> np.uint64(64 - truths)
        reach = np.uint64(0)
        for a in range(masks.shape[0]):
            for s in range(sizes[a]):
                word = np.uint64(0)
                for t in range(truths):
                    word |= ((masks[a, s] >> np.uint64(picks[task, t])) & np.uint64(1)) << np.uint64(t)
                mine[a, s] = word
                reach |= word
        safe = 0
        word = full & ~reach
        while word:
            word &= word - np.uint64(1)
            safe += 1
        used[task] = 0
        if safe > valid:
            used[task] = -1
            continue
        turned[:] = order
        state = states[task]
        for turn in range(tries):
            rest = full
            need = actions
            at = 0
            for g in range(groups):
                many = need
                if g < groups - 1:
                    below_wide(state, ways[g, need, need], bits[g, need], drawn)
                    many = 0
                    while not _less(drawn, ways[g, need, many]):
                        many += 1
                need -= many
                first = begin[g]
                count = begin[g + 1] - first
                for i in range(many):
                    other = first + i + below(state, count - i)
                    a = turned[other]
                    turned[other] = turned[first + i]
                    turned[first + i] = a
                    s = below(state, sizes[a])
                    chosen[task, at] = a
                    outcomes[task, at] = s
                    rest &= ~mine[a, s]
                    at += 1
            word = rest
            stay = 0
            while word and stay <= valid:
                word &= word - np.uint64(1)
                stay += 1
            if stay == valid:
                used[task] = turn + 1
                left[task] = rest
                break
        for i in range(1, actions):
            a = chosen[task, i]
            s = outcomes[task, i]
            k = i
            while k > 0 and chosen[task, k - 1] > a:
                chosen[task, k] = chosen[task, k - 1]
                outcomes[task, k] = outcomes[task, k - 1]
                k -= 1
            chosen[task, k] = a
            outcomes[task, k] = s


@kernel("void(uint64[:, ::1], int64[::1], int64, int64, uint64[:, :, :, ::1])")
def tally(masks, sizes, actions, valid, table):
    """Fill table [rows, spare + 1, 2**truths] of wide numbers, where spare is how many actions stay out.

    table[c % rows, s, left]: after c actions were taken and s were not, with these truths left, in how many ways the actions from
    c + s on can go on so that exactly `valid` truths are left in the end. rows: actions + 1, or 2 if only the total is wanted,
    which is table[0, 0, all truths].
    """
    rows, spare = table.shape[0], table.shape[1] - 1
    for c in range(actions, -1, -1):
        for s in range(spare, -1, -1):
            here = table[c % rows, s]
            if c == actions:
                for left in range(here.shape[0]):
                    count = 0
                    word = left
                    while word:
                        word &= word - 1
                        count += 1
                    here[left, :] = np.uint64(0)
                    here[left, 0] = np.uint64(1) if count == valid else np.uint64(0)
                continue
            if s < spare:
                here[:, :] = table[c % rows, s + 1]
            else:
                here[:, :] = np.uint64(0)
            then = table[(c + 1) % rows, s]
            for o in range(sizes[c + s]):
                stay = ~np.int64(masks[c + s, o])
                for left in range(here.shape[0]):
                    _add(here[left], then[left & stay])


@kernel("int64(uint64[:, ::1], int64[::1], int64, uint64[:, :, :, ::1], uint64[::1], int64[::1], int64[::1])")
def at_rank(masks, sizes, actions, table, rank, chosen, outcomes):
    """The way of this rank (which is used up) by a table with all its rows: the truths left; -1 if there is none.

    Ways without an action come before those with it, and those go by its outcomes.
    """
    spare = table.shape[1] - 1
    left = np.int64(table.shape[2] - 1)
    s = 0
    for c in range(actions):
        while s < spare and _less(rank, table[c, s + 1, left]):
            s += 1
        if s < spare:
            _subtract(rank, table[c, s + 1, left])
        a = c + s
        found = False
        for o in range(sizes[a]):
            to = left & ~np.int64(masks[a, o])
            if _less(rank, table[c + 1, s, to]):
                chosen[c] = a
                outcomes[c] = o
                left = to
                found = True
                break
            _subtract(rank, table[c + 1, s, to])
        if not found:
            return np.int64(-1)
    return left
