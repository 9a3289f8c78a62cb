"""Drawing and changing line constraints, in grids whose lines hold as many 0s as 1s and no three equal cells in a run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from puzzlemill.core.rng import Rng
from puzzlemill.rules.lines import KINDS, Args

_LONG = 10  # longer lines are hardly ever equal, opposite or mirrored
_LEAST = {4: 0, 6: 2, 8: 2, 9: 4, 12: 5, 16: 6}  # 1s that blocks of 2 to 4 rows and columns hold at least, found by listing
_DRAWS = 40  # constraints of one kind drawn before another kind is tried


def kinds_in(rows: int, cols: int, distinct: bool) -> tuple[str, ...]:
    """The kinds that say something in grids of this size and are now and then true. distinct: no two lines are equal anyway."""
    out = {"lines_same", "lines_differ"} if distinct else set()
    if min(rows, cols) > _LONG:
        out |= {"lines_same", "lines_opposite", "lines_mirrored"}
    if rows != cols:
        out.add("diagonal")
    return tuple([kind for kind in KINDS if kind not in out])


def drawn(kind: str, rows: int, cols: int, rng: Rng) -> Iterator[Args]:
    """Arguments of constraints of one kind, true or not, in random order; some of them where there are very many."""
    if kind in ("same", "differ"):
        for _ in range(_DRAWS):
            a, b = sorted(rng.sample(range(rows * cols), 2))
            yield a, b
    elif kind == "diagonal":
        yield from rng.shuffled(list(product((0, 1), range(rows + 1))))
    elif kind == "greater":
        for _ in range(_DRAWS):
            axis = rng.below(2)
            i, j = rng.sample(range((rows, cols)[axis]), 2)
            yield axis, i, j, rng.below(2)
    elif kind.startswith("lines_"):
        pairs = []
        for axis, (count, length) in enumerate(((rows, cols), (cols, rows))):
            if length <= _LONG or kind == "lines_differ":
                pairs += [(axis, i, j) for i, j in combinations(range(count), 2)]
            if kind == "lines_mirrored" and length <= _LONG and length % 4 == 0:  # else the halves cannot hold as many 1s
                pairs += [(axis, i, i) for i in range(count)]
        yield from rng.shuffled(pairs)
    else:
        for _ in range(_DRAWS):
            # a rectangle as wide or as high as the grid would hold as many 1s as 0s in any case
            high, wide = rng.between(2, min(4, rows - 1)), rng.between(2, min(4, cols - 1))
            top, left = rng.below(rows - high + 1), rng.below(cols - wide + 1)
            block = (top, left, top + high - 1, left + wide - 1)
            if kind == "more":
                other_top, other_left = rng.below(rows - high + 1), rng.below(cols - wide + 1)
                if abs(other_top - top) >= high or abs(other_left - left) >= wide:
                    yield (*block, other_top, other_left)
            else:
                for k in rng.shuffled(range(2) if kind == "parity" else _range(high * wide)):
                    yield (*block, k)


def _range(cells: int) -> range:
    """Numbers of 1s that a block of so many cells can hold in grids of every size, wherever it stands: no other one is stated."""
    least = _LEAST.get(cells, cells // 3)
    return range(least, cells - least + 1)


def others(kind: str, args: Args, rows: int, cols: int, distinct: bool) -> list[tuple[str, Args]]:
    """Constraints that differ from this one in one thing and could stand in its place."""
    if kind in ("same", "differ"):
        return [("differ" if kind == "same" else "same", args)]
    if kind.startswith("lines_"):
        axis, i, j = args
        count, length = (cols, rows) if axis else (rows, cols)
        short = length <= _LONG
        kinds = [
            other for other in kinds_in(rows, cols, distinct) if other.startswith("lines_") and (short or other == "lines_differ")
        ]
        moved = [(axis, *sorted((i, n))) for n in range(count) if n not in (i, j)] if short else []
        return [(other, args) for other in kinds if other != kind and i != j] + [(kind, where) for where in moved]
    if kind in ("count", "diagonal"):
        known = range(rows + 1)
        if kind == "count":
            known = _range((args[2] - args[0] + 1) * (args[3] - args[1] + 1))
        return [(kind, (*args[:-1], args[-1] + d)) for d in (-2, -1, 1, 2) if args[-1] + d in known]
    if kind == "parity":
        return [(kind, (*args[:-1], 1 - args[-1]))]
    if kind == "more":
        top, left, bottom, right, other_top, other_left = args
        return [(kind, (other_top, other_left, other_top + bottom - top, other_left + right - left, top, left))]
    axis, i, j, back = args
    return [(kind, (axis, j, i, back)), (kind, (axis, i, j, 1 - back))]
