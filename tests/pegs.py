"""The hanoi rules once more, for tests only: stacks as strings of letters, nothing shared with the library."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from puzzlemill.core.model import Move, MovesTable

Stacks = tuple[str, ...]  # each peg from top to bottom; "a" is the smallest disk


def stacks(pegs: int, stands: Sequence[int]) -> Stacks:
    return tuple("".join(chr(97 + disk) for disk, at in enumerate(stands) if at == peg) for peg in range(pegs))


def after(now: Stacks, source: int, target: int, right_only: bool = False) -> Stacks | None:
    """The stacks after moving the top disk of one peg to another; None if that is not allowed."""
    if (
        (right_only and target < source)
        or source == target
        or not now[source]
        or (now[target] and now[target][0] < now[source][0])
    ):
        return None
    changed = list(now)
    changed[source], changed[target] = now[source][1:], now[source][0] + now[target]
    return tuple(changed)


def distances(pegs: int, stands: Sequence[int], right_only: bool = False) -> dict[Stacks, int]:
    """The least number of moves from these stands to everything that can be reached."""
    found = {stacks(pegs, stands): 0}
    queue = list(found)
    for now in queue:
        for source in range(pegs):
            for target in range(pegs):
                then = after(now, source, target, right_only)
                if then is not None and then not in found:
                    found[then] = found[now] + 1
                    queue.append(then)
    return found


@lru_cache(maxsize=4096)
def _left(pegs: int, goal: tuple[int, ...]) -> dict[Stacks, int]:
    return distances(pegs, goal)  # moves can be taken back, so this is the distance to the goal too


def shortest_lists(pegs: int, start: tuple[int, ...], goal: tuple[int, ...]) -> Iterator[tuple[Move, ...]]:
    """Every shortest list of moves (disk, from, to), each peg being as good as any other."""
    left, there = _left(pegs, goal), stacks(pegs, goal)

    def extend(now: Stacks, done: tuple[Move, ...]) -> Iterator[tuple[Move, ...]]:
        if now == there:
            yield done
        for source in range(pegs):
            for target in range(pegs):
                then = after(now, source, target)
                if then is not None and left[then] == left[now] - 1:
                    yield from extend(then, (*done, (ord(now[source][0]) - 97, source, target)))

    yield from extend(stacks(pegs, start), ())


def goes_left(moves: Iterable[Move]) -> bool:
    return any(target < source for _, source, target in moves)


def arrives(table: MovesTable, moves: Iterable[Move]) -> bool:
    """Whether the moves are legal and end at the goal."""
    now = stacks(table.pegs, table.start)
    for disk, source, target in moves:
        if now[source][:1] != chr(97 + disk):
            return False
        then = after(now, source, target, table.right_only)
        if then is None:
            return False
        now = then
    return now == stacks(table.pegs, table.goal)


@lru_cache(maxsize=256)
def frame_stewart(pegs: int, disks: int) -> int:
    """The presumed least number of moves from tower to tower (J. S. Frame and B. M. Stewart, Amer. Math. Monthly 48, 1941)."""
    if disks < 2:
        return disks
    if pegs == 3:
        return 2**disks - 1
    return min(2 * frame_stewart(pegs, some) + frame_stewart(pegs - 1, disks - some) for some in range(1, disks))


def tower(pegs: int, disks: int) -> MovesTable:
    return MovesTable(pegs, (0,) * disks, (pegs - 1,) * disks)
