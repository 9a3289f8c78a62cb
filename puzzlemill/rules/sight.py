"""Hints about what is seen along the lines of a square grid of buildings: where the lines are, what their hints say and force.

Lines: the columns from above, the columns from below, the rows from the left, the rows from the right (n of each, in order), then
the diagonals from the corners top left, top right, bottom left, bottom right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product

from puzzlemill.core.words import listed, plural

CORNERS = ("top_left", "top_right", "bottom_left", "bottom_right")
LISTED_SUMS = 3  # ways to make a sum are listed up to this many


# ---- lines --------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def cells_of(n: int, line: int) -> tuple[int, ...]:
    """The cells of a line, the nearest one first."""
    if line >= 4 * n:
        down, right = ((1, 1), (1, -1), (-1, 1), (-1, -1))[line - 4 * n]
        return tuple([n * (i if down > 0 else n - 1 - i) + (i if right > 0 else n - 1 - i) for i in range(n)])
    side, k = divmod(line, n)
    cells = [n * i + k for i in range(n)] if side < 2 else [n * k + i for i in range(n)]
    return tuple(cells[::-1] if side % 2 else cells)


def spot(n: int, line: int) -> tuple[int, int]:
    """Row and column of a line's hint in a square of n + 2, in which the grid stands in the middle."""
    if line >= 4 * n:
        return (n + 1) * ((line - 4 * n) // 2), (n + 1) * ((line - 4 * n) % 2)
    side, k = divmod(line, n)
    return ((0, k + 1), (n + 1, k + 1), (k + 1, 0), (k + 1, n + 1))[side]


@lru_cache(maxsize=16)
def turns(n: int) -> tuple[tuple[int, ...], ...]:
    """Where each place goes, cells first and then lines, in the eight ways to turn the square."""
    wide = n + 2
    spots = [(cell // n + 1, cell % n + 1) for cell in range(n * n)] + [spot(n, line) for line in range(4 * n + 4)]
    number = {each: place for place, each in enumerate(spots)}
    found = []
    for over, upside, aside in product((False, True), repeat=3):
        turned = []
        for r, c in spots:
            if upside:
                r = wide - 1 - r
            if aside:
                c = wide - 1 - c
            turned.append(number[(c, r) if over else (r, c)])
        found.append(tuple(turned))
    return tuple(found)


def label(n: int, line: int) -> str:
    """The id of a line's hint: "top3"."""
    return CORNERS[line - 4 * n] if line >= 4 * n else f"{('top', 'bottom', 'left', 'right')[line // n]}{line % n + 1}"


def view(n: int, line: int) -> str:
    """ "row 3 from the left": the way that a hint looks."""
    if line >= 4 * n:
        return f"the diagonal from the {CORNERS[line - 4 * n].replace('_', ' ')} corner"
    side, at = divmod(line, n)
    return f"{'column' if side < 2 else 'row'} {at + 1} from {('above', 'below', 'the left', 'the right')[side]}"


def beside(n: int, line: int) -> str:
    """ "left of row 3": where the hint of a line stands."""
    if line >= 4 * n:
        return f"at the {CORNERS[line - 4 * n].replace('_', ' ')} corner"
    side, at = divmod(line, n)
    return f"{('above', 'below', 'left of', 'right of')[side]} {'column' if side < 2 else 'row'} {at + 1}"


# ---- which hints can be ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def facing(n: int, summed: bool) -> frozenset[tuple[int, int]]:
    """The pairs of hints that the two ends of a line can have, if the line holds every height once.

    From each end some heights below n are seen, all others being hidden: the tallest of them is seen from one of the ends.
    """
    found = set()
    for shares in product((0, 1, 2), repeat=n - 1):  # of heights 1 to n - 1: seen from neither end, from the first, the second
        if n == 1 or shares[-1]:
            first, second = ([height for height, share in enumerate(shares, 1) if share == end] + [n] for end in (1, 2))
            found.add((sum(first), sum(second)) if summed else (len(first), len(second)))
    return frozenset(found)


@lru_cache(maxsize=1024)
def begins(n: int, k: int, summed: bool) -> tuple[int, ...]:
    """The heights that a line with this hint can begin with, if it holds every height once."""
    found = []
    for first in range(1, n + 1):
        between = range(first + 1, n)
        seen = {first if first == n else first + n} if summed else {1 if first == n else 2}
        for height in between if first < n else ():
            seen |= {total + (height if summed else 1) for total in seen}
        found += [first] if k in seen else []
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def side_by_side(n: int, hints: tuple[int, ...], summed: bool) -> bool:
    """Return whether the lines that begin on one side can have these hints, as each of them begins with another height."""
    if not hints:
        return True
    ways = {0}  # heights that are taken, as bit sets
    for k in hints:
        ways = {taken | 1 << height for taken in sorted(ways) for height in begins(n, k, summed) if not taken >> height & 1}
    return bool(ways)


# ---- what hints say -----------------------------------------------------------------------------------------------------


def seen(k: int, summed: bool) -> str:
    if summed:
        return f"the heights that are seen add up to {k}"
    return "1 building is seen" if k == 1 else f"{k} buildings are seen"


def forces(n: int, k: int, summed: bool, diagonal: bool) -> str:
    """Values that a hint forces by itself."""
    least, most = (n, n * (n + 1) // 2) if summed else (1, n)
    if k < least:
        return f"this cannot be: the building of height {n} is always seen"
    if k == most:
        return f"the heights rise from 1 to {n}"
    if k == least:
        return "none is taller than the first" if diagonal else f"the first has height {n}"
    if diagonal:
        return f"the height of the first is at most {n - k + 1}"
    if summed and few_sums(n, k):
        return f"these are {few_sums(n, k)}"
    # not where it stands: an unsat core may hold no rule that says so
    first = 1 if summed else k - 1
    return f"height {n} comes after the first {'building' if first == 1 else f'{first} buildings'}"


@lru_cache(maxsize=512)
def sums(n: int, k: int) -> tuple[tuple[int, ...], ...]:
    """The rising heights up to n that add up to k; none if there are many ways."""
    found = []
    for below in range(1 << n - 1):
        heights = (*[h for h in range(1, n) if below >> h - 1 & 1], n)
        if sum(heights) == k:
            found.append(heights)
    found.sort(key=lambda heights: (len(heights), heights))
    return tuple(found) if len(found) <= LISTED_SUMS else ()


def few_sums(n: int, k: int) -> str:
    """ "4 + 5 or 1 + 3 + 5": the same in words."""
    return " or ".join([" + ".join(map(str, heights)) for heights in sums(n, k)])


def views(answer: Sequence[Sequence[int]], hints: Iterable[tuple[int, int]], summed: bool) -> list[str]:
    """The heights along lines, what is seen of them, and their hints: how many buildings, or the sum of their heights."""
    n, said = len(answer), []
    for line, hint in hints:
        heights = [answer[cell // n][cell % n] + 1 for cell in cells_of(n, line)]
        seen = [h for i, h in enumerate(heights) if h > max(heights[:i], default=0)]
        makes = f"which makes {sum(seen)}" if summed else plural(len(seen), "building")
        once = "" if line >= 4 * n else ", each height once"
        shown = f"Along {view(n, line)} stand {' '.join(map(str, heights))}{once}"
        said.append(f"{shown}; {listed([str(h) for h in seen])} can be seen, {makes}, and the hint is {hint}.")
    return said
