"""Shortest routes of disks on pegs: breadth first from both ends, up to symmetry.

Each side is a search from its *root* (the start or the goal), in words of 64 bits:
  mask      the disks on one peg, bit i for disk i; the lowest bit is the top disk
  frame     the order in which a side writes the pegs: first the `fixed` pegs that hold disks in its root, then the free ones.
            Free pegs may be exchanged without changing the distance from the root, so their masks are written in descending
            order and one word stands for all these arrangements
  word      the masks in the frame's order, `disks` bits each, without the last peg, which holds what is left
  layer     the words at one distance from the root
  seen      an open hash table of word << 2 | (distance % 3 + 1); 0 is an empty place. Neighbours differ by at most 1 in distance,
            so the remainder tells them apart

The sides meet where an arrangement of the newest layer of one is in the newest layer of the other. They exchange different pegs,
so a word of one side stands for several words of the other: `images` lists how the free pegs can be named apart.
If some renaming of the pegs exchanges start and goal (tower to tower: always), one search serves as both. While neither side has
moved a disk that must change its peg they cannot meet, and nothing is compared.

A tall tower on 4 pegs that goes to another peg needs less (_route_tower). Its largest disk moves once, when two pegs hold all
others: no way to a first such move or from a last one is shorter than the *parting*, the way to the nearest such arrangement, and
the parting, that move and the mirror image of the parting lead there. The parting is searched from the start alone; words too far
from every end to be on it are not kept. How far they are at least is tabulated for the large disks and for the small ones, each
as if the others were not there, and added up: a move moves one disk.

Where disks only go to the right (MovesTable.right_only) none of this holds: moves cannot be taken back and pegs cannot be
renamed. That game has a search of its own, forward from the start. A disk that has passed its goal can never return, so none
does; what is left is finite and small. Words there hold three bits per disk, the number of its peg.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from puzzlemill.core.model import Move, MovesTable, Route
from puzzlemill.solvers.kernels.compile import kernel

_FIRST = 1 << 10  # places in a new hash table
_TOWER = 13  # disks from which on a tower has a search of its own: it takes longer to tabulate than what it saves with fewer
_TABULATED = 11  # disks at most that one table is about: 4 MiB
_NO_TABLE = np.zeros(0, dtype=np.uint8)


@kernel("int64(uint64[::1], uint64)")
def _place(seen, word):
    """Where the word is, or the empty place where it belongs."""
    last = seen.shape[0] - 1
    at = np.int64((word * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)) & last
    while seen[at] != np.uint64(0) and seen[at] >> np.uint64(2) != word:
        at = (at + 1) & last
    return at


@kernel("void(uint64, int64, uint64[::1])")
def _unpack(word, disks, masks):
    width = np.uint64(disks)
    full = (np.uint64(1) << width) - np.uint64(1)
    left = full
    last = masks.shape[0] - 1
    for k in range(last - 1, -1, -1):
        masks[k] = word & full
        left ^= masks[k]
        word >>= width
    masks[last] = left


@kernel("uint64(uint64[::1], int64, int64)")
def _pack(masks, disks, fixed):
    """The word of these masks; sorts those of the free pegs in place."""
    pegs = masks.shape[0]
    for i in range(fixed + 1, pegs):
        mask = masks[i]
        k = i
        while k > fixed and masks[k - 1] < mask:
            masks[k] = masks[k - 1]
            k -= 1
        masks[k] = mask
    word = np.uint64(0)
    for k in range(pegs - 1):
        word = (word << np.uint64(disks)) | masks[k]
    return word


@kernel(
    "Tuple((uint64[::1], uint64[::1], int64, uint64))"
    "(uint64[::1], uint64[::1], int64, int64, int64, int64, int64, int64, int64, int64, uint8[::1], uint8[::1])"
)
def _expand(seen, layer, used, pegs, disks, fixed, distance, budget, bound, tall, large, small):
    """Enter every unseen neighbour of the layer at `distance`: (seen, new layer, words in seen, mask of the disks moved).

    Stops early, with more words than the budget, when the budget is spent.
    bound: 0, or enter only what may be part of a parting of so many moves, on 4 pegs; the largest disk does not move then.
    `large` is the table of _partings for the `tall` largest of the others, `small` the one for the rest.
    """
    tag = np.uint64(distance % 3 + 1)
    short = disks - 1 - tall
    talls, shorts = (np.int64(1) << tall) - 1, (np.int64(1) << short) - 1
    still = np.uint64(1) << np.uint64(disks - 1) if bound else np.uint64(0)
    masks = np.empty(pegs, dtype=np.uint64)
    after = np.empty(pegs, dtype=np.uint64)
    fresh = np.empty(max(16, layer.shape[0]), dtype=np.uint64)
    count = 0
    moved = np.uint64(0)
    for at in range(layer.shape[0]):
        _unpack(layer[at], disks, masks)
        for source in range(pegs):
            disk = masks[source] & (~masks[source] + np.uint64(1))
            if disk == 0 or disk == still:
                continue
            for target in range(pegs):
                if target == source or masks[target] & (disk - np.uint64(1)):
                    continue
                if target > fixed and masks[target] == 0 and masks[target - 1] == 0:
                    continue  # the next of several empty free pegs: the same arrangement
                after[:] = masks
                after[source] ^= disk
                after[target] |= disk
                if bound:
                    low, high = np.int64(after[1] | after[3]), np.int64(after[2] | after[3])
                    least = np.int64(large[low >> short & talls | (high >> short & talls) << tall])
                    least += small[low & shorts | (high & shorts) << short]
                    if distance + least > bound:
                        continue
                word = _pack(after, disks, fixed)
                place = _place(seen, word)
                if seen[place] != 0:
                    continue
                seen[place] = word << np.uint64(2) | tag
                used += 1
                moved |= disk
                if count == fresh.shape[0]:
                    longer = np.empty(2 * count, dtype=np.uint64)
                    longer[:count] = fresh
                    fresh = longer
                fresh[count] = word
                count += 1
                if used > budget:
                    return seen, fresh[:count].copy(), used, moved
                if 4 * used > 3 * seen.shape[0]:
                    larger = np.zeros(2 * seen.shape[0], dtype=np.uint64)
                    for old in seen:
                        if old != 0:
                            larger[_place(larger, old >> np.uint64(2))] = old
                    seen = larger
    return seen, fresh[:count].copy(), used, moved


@kernel("Tuple((uint64, int64))(uint64[::1], uint64[::1], int64[:,::1], int64, int64, int64)")
def _meet(seen, layer, images, disks, fixed, distance):
    """The smallest word of the layer that the other side has seen at `distance`, with its first image; image -1 if there is none.

    seen, fixed: the other side's. images[i][k]: the place, in the layer's frame, of the peg that comes k-th in the other frame.
    """
    tag = np.uint64(distance % 3 + 1)
    pegs = images.shape[1]
    masks = np.empty(pegs, dtype=np.uint64)
    other = np.empty(pegs, dtype=np.uint64)
    best, image = np.uint64(0), -1
    for at in range(layer.shape[0]):
        if image >= 0 and layer[at] > best:
            continue
        _unpack(layer[at], disks, masks)
        for i in range(images.shape[0]):
            for k in range(pegs):
                other[k] = masks[images[i, k]]
            word = _pack(other, disks, fixed)
            if seen[_place(seen, word)] == (word << np.uint64(2) | tag):
                best, image = layer[at], i
                break
    return best, image


@kernel("uint8[::1](int64)")
def _partings(disks):
    """The least moves on 4 pegs until the first and one more are empty, by arrangement: disk i's peg is bits i, i + disks."""
    full = (np.int64(1) << disks) - 1
    least = np.full(np.int64(1) << 2 * disks, 255, dtype=np.uint8)
    queue = np.empty(least.shape[0], dtype=np.uint32)
    used = 0
    for mask in range(full + 1):
        for low, high in ((mask, full ^ mask), (full, mask), (mask, full)):  # pegs 1 and 2, 1 and 3, 2 and 3
            at = low | high << disks
            if least[at] == 255:
                least[at], queue[used] = 0, at
                used += 1
    masks = np.empty(4, dtype=np.int64)
    i = 0
    while i < used:
        at = np.int64(queue[i])
        i += 1
        low, high = at & full, at >> disks
        masks[0], masks[1], masks[2], masks[3] = full & ~(low | high), low & ~high, high & ~low, low & high
        for source in range(4):
            disk = masks[source] & -masks[source]
            for target in range(4):
                if disk == 0 or target == source or masks[target] & (disk - 1):
                    continue
                after = at
                if (source ^ target) & 1:
                    after ^= disk
                if (source ^ target) & 2:
                    after ^= disk << disks
                if least[after] == 255:
                    least[after], queue[used] = least[at] + 1, after
                    used += 1
    return least


@kernel("Tuple((uint64[::1], int64[::1], int64, int64))(int64[::1], int64[::1], int64)")
def _rightward(start, goal, budget):
    """Every arrangement that can be reached without passing the goal, until that is found: (words, parents, used, state).

    words[i] was first reached from words[parents[i]]; the goal is the last one. state: 1 found, 0 there is no route, -1 the
    budget is spent.
    """
    disks = start.shape[0]
    word, wanted = np.uint64(0), np.uint64(0)  # three bits per disk
    for disk in range(disks):
        word |= np.uint64(start[disk]) << np.uint64(3 * disk)
        wanted |= np.uint64(goal[disk]) << np.uint64(3 * disk)
    words = np.empty(64, dtype=np.uint64)
    parents = np.empty(64, dtype=np.int64)
    seen = np.zeros(256, dtype=np.uint64)
    words[0], parents[0], used = word, -1, 1
    seen[_place(seen, word)] = word << np.uint64(2) | np.uint64(1)
    at = 0
    while at < used:
        here = words[at]
        closed = np.int64(0)  # bit set of the pegs that hold a smaller disk
        for disk in range(disks):
            shift = np.uint64(3 * disk)
            source = np.int64(here >> shift & np.uint64(7))
            if not closed >> source & 1:
                for target in range(source + 1, goal[disk] + 1):
                    if closed >> target & 1:
                        continue
                    after = here + (np.uint64(target - source) << shift)
                    place = _place(seen, after)
                    if seen[place] != 0:
                        continue
                    if used >= budget:
                        return words, parents, used, -1
                    if used == words.shape[0]:
                        longer, older = np.empty(2 * used, dtype=np.uint64), np.empty(2 * used, dtype=np.int64)
                        longer[:used], older[:used] = words, parents
                        words, parents = longer, older
                    words[used], parents[used] = after, at
                    used += 1
                    if after == wanted:
                        return words, parents, used, 1
                    seen[place] = after << np.uint64(2) | np.uint64(1)
                    if 4 * used > 3 * seen.shape[0]:
                        larger = np.zeros(2 * seen.shape[0], dtype=np.uint64)
                        for old in seen:
                            if old != 0:
                                larger[_place(larger, old >> np.uint64(2))] = old
                        seen = larger
            closed |= np.int64(1) << source
        at += 1
    return words, parents, used, 0


@dataclass(frozen=True, slots=True)
class _Frame:
    """pegs: in the order in which a side writes them; the first `fixed` of them hold disks in its root."""

    pegs: tuple[int, ...]
    fixed: int

    @classmethod
    def of(cls, root: Sequence[int], pegs: int) -> _Frame:
        held = [peg for peg in range(pegs) if peg in root]
        return cls((*held, *[peg for peg in range(pegs) if peg not in root]), len(held))

    def word(self, masks: Sequence[int], disks: int) -> Any:
        """masks: by peg, as they stand."""
        return _pack(np.array([masks[peg] for peg in self.pegs], dtype=np.uint64), disks, self.fixed)


@dataclass(slots=True)
class _Side:
    """moved: mask of the disks that some word has off its root."""

    frame: _Frame
    seen: Any
    layer: Any
    distance: int = 0
    used: int = 1
    moved: int = 0

    @classmethod
    def at(cls, root: Sequence[int], pegs: int) -> _Side:
        frame = _Frame.of(root, pegs)
        word = frame.word(_masks(root, pegs), len(root))
        seen = np.zeros(_FIRST, dtype=np.uint64)
        seen[_place(seen, word)] = (int(word) << 2) | 1
        return cls(frame, seen, np.array([word], dtype=np.uint64))

    def grow(
        self, disks: int, budget: int, bound: int = 0, tall: int = 0, large: Any = _NO_TABLE, small: Any = _NO_TABLE
    ) -> None:
        self.distance += 1
        pegs, fixed = len(self.frame.pegs), self.frame.fixed
        self.seen, self.layer, self.used, moved = _expand(
            self.seen, self.layer, self.used, pegs, disks, fixed, self.distance, budget, bound, tall, large, small
        )
        self.moved |= int(moved)


def route(table: MovesTable, budget: int) -> Route:
    """A shortest route from table.start to table.goal, with its moves (disk, from, to).

    Of the arrangements in the middle of shortest routes it passes through the one of the smallest word.
    budget: words kept (about 50 bytes each at most); nodes: words reached. The moves do not depend on
    the budget where it suffices. Raises ValueError for fewer than 3 pegs and where (pegs - 1) * disks is over 62 bits.
    Where disks only go to the right: see _route_right.
    """
    if table.right_only:
        return _route_right(table, budget)
    pegs, disks = table.pegs, len(table.start)
    if pegs < 3 or not 1 <= disks * (pegs - 1) <= 62 or len(table.goal) != disks:
        raise ValueError(f"moves kernel: 3 pegs or more, (pegs - 1) * disks <= 62, got {pegs} pegs and {disks} disks")
    if not all(0 <= peg < pegs for peg in (*table.start, *table.goal)):
        raise ValueError(f"moves kernel: a disk stands on a peg outside 0..{pegs - 1}")
    if table.start == table.goal:
        return Route(0, True, 1, ())
    if pegs == 4 and disks >= _TOWER and len(set(table.start)) == len(set(table.goal)) == 1:
        return _route_tower(table, budget)
    near = _Side.at(table.start, pegs)
    swap = _exchange(table)
    far = _Side.at(table.goal, pegs) if swap is None else near
    far_frame = far.frame if swap is None else _Frame(tuple([swap[peg] for peg in near.frame.pegs]), near.frame.fixed)
    images = _images(near.frame, far_frame)
    must_move = sum(1 << disk for disk in range(disks) if table.start[disk] != table.goal[disk])

    def meet(distance: int) -> tuple[int, int]:
        word, image = _meet(far.seen, near.layer, images, disks, far_frame.fixed, distance)
        return int(word), int(image)

    while True:
        nodes = near.used + (far.used if far is not near else 0)
        side = near if near.layer.size <= far.layer.size else far
        if nodes >= budget:
            return Route(None, False, nodes)
        if not side.layer.size:
            return Route(None, True, nodes)
        side.grow(disks, budget - nodes + side.used)
        nodes = near.used + (far.used if far is not near else 0)
        if nodes > budget:
            return Route(None, False, nodes)
        if must_move & ~(near.moved | far.moved):
            continue
        depths = (far.distance - 1, far.distance) if far is near else (far.distance,)
        for depth in depths:
            word, image = meet(depth)
            if image >= 0:
                masks = _arrangement(word, images[image].tolist(), near.frame, far_frame, disks)
                there = _descend(near, near.frame, masks, near.distance)
                onward = _descend(far, far_frame, masks, depth)
                moves = (*[(disk, target, source) for disk, source, target in reversed(there)], *onward)
                return Route(len(moves), True, nodes, moves)


def _route_tower(table: MovesTable, budget: int) -> Route:
    """The route of a tower to another of 4 pegs, see above: the one that the general search finds, in fewer words."""
    disks, (start, goal) = len(table.start), (table.start[0], table.goal[0])
    bound = (_frame_stewart(disks) - 1) // 2
    tall = min(disks - 1, _TABULATED)
    large, small = _partings(tall), _partings(disks - 1 - tall)
    side = _Side.at(table.start, 4)
    largest = 1 << (disks - 1)
    shift, full = np.uint64(disks), np.uint64(2 * largest - 1)
    ends: Any = ()
    while not len(ends):
        if side.used >= budget:
            return Route(None, False, side.used)
        side.grow(disks, budget, bound, tall, large, small)
        if side.used > budget:
            return Route(None, False, side.used)
        if not side.layer.size:
            raise AssertionError(f"no way parts a tower of {disks} disks in {bound} moves, as Frame's and Stewart's does")
        two = side.layer >> shift & full, side.layer & full  # on the second and third peg; the first has the largest disk alone
        ends = two[0][two[0] | two[1] == full ^ np.uint64(largest)]
    mask = int(ends.min())
    swap = _exchange(table)
    assert swap is not None
    far = _Frame(tuple([swap[peg] for peg in side.frame.pegs]), 1)
    word = largest << disks | mask  # the first peg is empty now
    for image in _images(side.frame, far).tolist():
        masks = _arrangement(word, image, side.frame, far, disks)
        if masks[goal] == largest:
            break
    parted = list(masks)
    parted[start], parted[goal] = largest, 0
    there = _descend(side, side.frame, parted, side.distance)
    onward = _descend(side, far, masks, side.distance)
    moves = (*[(disk, b, a) for disk, a, b in reversed(there)], (disks - 1, start, goal), *onward)
    return Route(len(moves), True, side.used, moves)


def _frame_stewart(disks: int) -> int:
    """The moves of a way that there is on 4 pegs: some disks go aside, the others cross on 3 pegs, and those follow."""
    most = [0]
    for disk in range(1, disks + 1):
        most.append(min([2 * most[aside] + 2 ** (disk - aside) - 1 for aside in range(disk)]))
    return most[disks]


def _route_right(table: MovesTable, budget: int) -> Route:
    """A shortest route where disks only go to the right; no disks at all are there already.

    nodes: arrangements reached; 0 where some disk would have to go to the left, which shows without a search.
    Raises ValueError for more than 8 pegs or 20 disks.
    """
    pegs, disks = table.pegs, len(table.start)
    if not 1 <= pegs <= 8 or disks > 20 or len(table.goal) != disks:
        raise ValueError(f"moves kernel: up to 8 pegs and 20 disks that only go right, got {pegs} pegs and {disks} disks")
    if not all(0 <= peg < pegs for peg in (*table.start, *table.goal)):
        raise ValueError(f"moves kernel: a disk stands on a peg outside 0..{pegs - 1}")
    if table.start == table.goal:
        return Route(0, True, 1, ())
    if any(before > after for before, after in zip(table.start, table.goal, strict=True)):
        return Route(None, True, 0)
    start, goal = (np.array(stands, dtype=np.int64) for stands in (table.start, table.goal))
    words, parents, used, state = _rightward(start, goal, budget)
    if state < 1:
        return Route(None, state == 0, int(used))
    moves: list[Move] = []
    at = int(used) - 1
    while (parent := int(parents[at])) >= 0:
        before, after = int(words[parent]), int(words[at])
        disk = ((before ^ after).bit_length() - 1) // 3
        moves.append((disk, before >> 3 * disk & 7, after >> 3 * disk & 7))
        at = parent
    return Route(len(moves), True, int(used), tuple(reversed(moves)))


def _masks(stands: Sequence[int], pegs: int) -> list[int]:
    masks = [0] * pegs
    for disk, peg in enumerate(stands):
        masks[peg] |= 1 << disk
    return masks


def _exchange(table: MovesTable) -> tuple[int, ...] | None:
    """A renaming of the pegs that turns start into goal and goal into start; None if there is none."""
    swap: dict[int, int] = {}
    for a, b in zip(table.start, table.goal, strict=True):
        if swap.setdefault(a, b) != b or swap.setdefault(b, a) != a:
            return None
    return tuple([swap.get(peg, peg) for peg in range(table.pegs)])


def _images(near: _Frame, far: _Frame) -> Any:
    """Every way to name the near side's free pegs that the far side tells apart, shape [images, pegs]; see _meet."""
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    pegs = len(near.pegs)
    for free in permutations(range(near.fixed, pegs)):
        named = dict(zip(near.pegs, (*range(near.fixed), *free), strict=True))  # peg -> place in the near frame
        image = tuple([named[peg] for peg in far.pegs])
        found.setdefault((*image[: far.fixed], *sorted(image[far.fixed :])), image)
    return np.array(list(found.values()), dtype=np.int64)


def _arrangement(word: int, image: list[int], near: _Frame, far: _Frame, disks: int) -> list[int]:
    """The masks, by peg, of a word of the near side under one image."""
    placed = np.empty(len(near.pegs), dtype=np.uint64)
    _unpack(word, disks, placed)
    masks = [0] * len(near.pegs)
    for peg, place in zip(far.pegs, image, strict=True):
        masks[peg] = int(placed[place])
    return masks


def _descend(side: _Side, frame: _Frame, masks: Sequence[int], distance: int) -> list[Move]:
    """Moves from an arrangement at `distance` to this frame's root: each the first, by disk and then peg, that comes nearer."""
    masks = list(masks)
    disks = sum(masks).bit_length()
    moves: list[Move] = []
    while distance:
        distance -= 1
        disk, source, target = _nearer(side.seen, frame, masks, disks, distance)
        moves.append((disk, source, target))
        masks[source] ^= 1 << disk
        masks[target] ^= 1 << disk
    return moves


def _nearer(seen: Any, frame: _Frame, masks: list[int], disks: int, distance: int) -> Move:
    tops = {(mask & -mask).bit_length() - 1: peg for peg, mask in enumerate(masks) if mask}
    for disk, source in sorted(tops.items()):
        for target, mask in enumerate(masks):
            if target != source and not mask & ((1 << disk) - 1):
                after = list(masks)
                after[source] ^= 1 << disk
                after[target] |= 1 << disk
                word = int(frame.word(after, disks))
                if int(seen[_place(seen, word)]) == word << 2 | (distance % 3 + 1):
                    return disk, source, target
    raise AssertionError("an arrangement has no neighbour nearer to its root")
