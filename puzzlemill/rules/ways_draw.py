"""Maps drawn around a way of so many paths that is to be a shortest one, and what somebody who does not compare totals would
walk.

The way is drawn first, then its lengths; then further paths are drawn evenly, each a pair of places and a length, and one that
would make a shorter way is left out. So a way of eight paths is as easy to come by as one of two, which an even draw of whole
maps hardly ever has. What comes of it is looked at by rules/ways.py: two uses of one path, before and after a visit, may be
shorter still.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, pairwise

from puzzlemill.core.rng import Rng
from puzzlemill.rules.ways import Path, mixed

_FAR = 1 << 30
_DRAWS = 40  # times as many paths are drawn as are wanted, before it is given up
_REDRAWS = 8  # of the lengths of a way
_CUTS = 200  # sets of places tried
_LURES = 3  # draws of a shorter path that leads astray


@dataclass(slots=True)
class _Map:
    """Paths so far. A state is a place and a bit set of visited kinds, numbered seen * places + place.

    far: how far each state is from the start of the way; rest: how far from its end. far + length + rest of a path that is added
    is never less than `least`.
    """

    kinds: Sequence[int]
    goal: int
    bits: Sequence[int]  # of each place: what is visited there
    full: int
    least: int
    lengths: dict[tuple[int, int], int]
    far: list[int]
    rest: list[int]
    away: list[list[tuple[int, int]]]
    into: list[list[tuple[int, int]]]

    def fits(self, source: int, target: int, length: int) -> bool:
        """Return whether no way with this path is shorter than `least`."""
        places, bit, ends = len(self.kinds), self.bits[target], self.kinds[target] == self.goal
        for seen in range(self.full + 1):
            rest = 0 if ends and seen == self.full else self.rest[(seen | bit) * places + target]
            if self.far[seen * places + source] + length + rest < self.least:
                return False
        return True

    def add(self, source: int, target: int, length: int) -> None:
        """Add a path, and bring `far` and `rest` up to date."""
        places, goal, full = len(self.kinds), self.goal, self.full
        self.lengths[source, target] = length
        self.away[source].append((target, length))
        self.into[target].append((source, length))
        far, rest = self.far, self.rest
        closer, nearer = list[int](), list[int]()
        bit, ends = self.bits[target], self.kinds[target] == goal
        for seen in range(full + 1):
            one, other = seen * places + source, (seen | bit) * places + target
            end = ends and seen == full
            if not end and far[one] + length < far[other]:
                far[other] = far[one] + length
                closer.append(other)
            if (left := length + (0 if end else rest[other])) < rest[one]:
                rest[one] = left
                nearer.append(one)
        for state in closer:  # grows
            seen, place = divmod(state, places)
            for target, more in self.away[place]:
                if seen < full or self.kinds[target] != goal:
                    after = (seen | self.bits[target]) * places + target
                    if far[state] + more < far[after]:
                        far[after] = far[state] + more
                        closer.append(after)
        for state in nearer:  # grows
            seen, place = divmod(state, places)
            if seen == full and self.kinds[place] == goal:
                continue
            bit = self.bits[place]
            if seen & bit == bit:
                for source, more in self.into[place]:
                    for one in (seen * places + source, (seen & ~bit) * places + source):
                        if rest[state] + more < rest[one]:
                            rest[one] = rest[state] + more
                            nearer.append(one)


def around(
    kinds: Sequence[int], goal: int, via: Sequence[int], hops: int, count: int, longest: int, lures: bool, rng: Rng
) -> tuple[tuple[Path, ...], int] | None:
    """`count` paths in random order, and the start of a way of `hops` of them that is meant to be a shortest one; None if that
    cannot be done here.

    lures: a longer path stands in for two or more of the way, and from one of its places a shorter path leads elsewhere.
    """
    places, full = len(kinds), (1 << len(via)) - 1
    bits = [1 << via.index(kind) if kind in via else 0 for kind in kinds]
    way = _way(kinds, goal, bits, full, hops, rng)
    if way is None:
        return None
    drawn = rng.numbers(longest)
    steps = list(pairwise([place for place, _ in way]))
    for _ in range(_REDRAWS):
        lengths = {step: 1 + length for step, length in zip(steps, drawn, strict=False)}
        far = list(accumulate([lengths[step] for step in steps], initial=0))
        cuts = _shortcuts(kinds, goal, bits, full, way, far, longest) if lures else []
        if cuts or not lures:
            break
    else:
        return None
    unknown = [_FAR] * (places << len(via))
    here = _Map(kinds, goal, bits, full, far[-1], {}, unknown, [*unknown], [[] for _ in kinds], [[] for _ in kinds])
    here.far[way[0][0]] = 0
    for (source, target), length in lengths.items():
        here.add(source, target, length)
    if lures:
        source, target, gap = rng.pick(cuts)
        length = rng.between(gap + 1, longest)
        if not here.fits(source, target, length):
            return None
        here.add(source, target, length)
        _lure(here, way, rng)
    left = _DRAWS * count
    for number in rng.numbers(places * (places - 1) * longest):
        if len(here.lengths) >= count:
            break
        pair, length = divmod(number, longest)
        source, target = divmod(pair, places - 1)
        target += target >= source
        if (source, target) not in here.lengths and here.fits(source, target, length + 1):
            here.add(source, target, length + 1)
        left -= 1
        if not left:
            return None
    if len(here.lengths) != count:
        return None
    return tuple(mixed([(*pair, length) for pair, length in here.lengths.items()], rng)), way[0][0]


def _way(kinds: Sequence[int], goal: int, bits: Sequence[int], full: int, hops: int, rng: Rng) -> list[tuple[int, int]] | None:
    """Places with what was visited by then: the start, and `hops` more, of which the last one ends the way."""
    way = [(rng.pick([place for place, kind in enumerate(kinds) if kind != goal and not bits[place]]), 0)]
    been = [way[0][0]]  # since the last visit
    for left in range(hops - 1, -1, -1):
        here, seen = way[-1]
        open_to = [
            place
            for place, kind in enumerate(kinds)
            if place != here
            and place not in been
            and (kind == goal and seen == full) == (not left)
            and (full & ~(seen | bits[place])).bit_count() < left + (not left)
        ]
        if not open_to:
            return None
        there = rng.pick(open_to)
        been = [there] if bits[there] & ~seen else [*been, there]
        way.append((there, seen | bits[there]))
    return way


def _shortcuts(
    kinds: Sequence[int],
    goal: int,
    bits: Sequence[int],
    full: int,
    way: Sequence[tuple[int, int]],
    far: Sequence[int],
    longest: int,
) -> list[tuple[int, int, int]]:
    """Pairs of places that no path of the way joins, and what lies between them on the way: two of its paths or more, but less
    than a path may be long. A path of more than that leads to the end in fewer paths, and further.
    """
    last, found = len(way) - 1, list[tuple[int, int, int]]()
    joined = {(one[0], other[0]) for one, other in pairwise(way)}
    ends = [place for place, kind in enumerate(kinds) if kind == goal]
    for i in range(last - 1):
        one, seen = way[i]
        for j in range(i + 2, last + 1):
            gap = far[j] - far[i]
            if gap >= longest:
                break
            if (j == last and seen != full) or (j < last and seen | bits[way[j][0]] != way[j][1]):
                continue
            for other in ends if j == last else (way[j][0],):
                if one != other and (one, other) not in joined:
                    found.append((one, other, gap))
    return found


def _lure(here: _Map, way: Sequence[tuple[int, int]], rng: Rng) -> None:
    """Add a path that is shorter than that of the way at the same place, and leads off the way, if there is one."""
    on = {place for place, _ in way}
    off = [place for place in range(len(here.kinds)) if place not in on]
    options = [(one, place, here.lengths[one, other]) for (one, _), (other, _) in pairwise(way) for place in off]
    for source, target, more in rng.few(options, min(_LURES, len(options))):
        if more > 1 and (source, target) not in here.lengths:
            length = rng.between(1, more - 1)
            if here.fits(source, target, length):
                here.add(source, target, length)
                return


# ---- who does not compare totals ----------------------------------------------------------------------------------------


def unguessed(
    kinds: Sequence[int], paths: Sequence[Path], start: int, goal: int, via: Sequence[int], best: tuple[int, int]
) -> bool:
    """Return whether none of these is as short as the shortest way, which has this length and, of all such, the fewest paths: a
    way of the fewest paths; always the nearest place that is new; the same, but a wanted place first where a path leads to one.
    """
    away: list[list[tuple[int, int]]] = [[] for _ in kinds]
    for source, target, length in paths:
        away[source].append((length, target))
    for each in away:
        each.sort()
    length, hops = best
    full = (1 << len(via)) - 1
    bits = [1 << via.index(kind) if kind in via else 0 for kind in kinds]
    return (
        _fewest(kinds, away, start, goal, bits, full, hops) < hops
        and _greedy(kinds, away, start, goal, bits, full, False) != length
        and _greedy(kinds, away, start, goal, bits, full, True) != length
    )


_Away = Sequence[Sequence[tuple[int, int]]]  # of each place: length and end of its paths, the shortest first


def _fewest(kinds: Sequence[int], away: _Away, start: int, goal: int, bits: Sequence[int], full: int, most: int) -> int:
    """The fewest paths that a way can have, if they are fewer than `most`."""
    layer, met = [(start, 0)], {(start, 0)}
    for number in range(1, most):
        reached = list[tuple[int, int]]()
        for place, seen in layer:
            for _, target in away[place]:
                if seen == full and kinds[target] == goal:
                    return number
                state = (target, seen | bits[target])
                if state not in met:
                    met.add(state)
                    reached.append(state)
        layer = reached
    return most


def _greedy(kinds: Sequence[int], away: _Away, start: int, goal: int, bits: Sequence[int], full: int, wanted: bool) -> int:
    """The length of the way to the nearest new place each time, -1 if it does not end. wanted: to a wanted one if that can be."""
    here, seen, total, been = start, 0, 0, [start]
    while True:
        paths = [
            (kinds[t] == goal if seen == full else bool(bits[t] & ~seen), t not in been, length, t) for length, t in away[here]
        ]
        chosen = next((path for path in paths if wanted and path[0]), None) or next((path for path in paths if path[1]), None)
        if chosen is None:
            return -1
        _, _, length, here = chosen
        total += length
        if seen == full and kinds[here] == goal:
            return total
        been.append(here)
        seen |= bits[here]


# ---- cut off ------------------------------------------------------------------------------------------------------------


def cut_off(
    kinds: Sequence[int], paths: Sequence[Path], start: int, wanted: Sequence[int], most: int, rng: Rng
) -> tuple[Path, ...]:
    """Paths of which up to `most`, or few more, lead elsewhere, so that some places around the start are left by none; () if that
    cannot be. wanted: the kinds that the way needs.

    A path that leaves these places exchanges its end with one that comes to them from outside, so that as many paths as before
    lead to and from every place. Where none comes in, it leads to another of these places; where the place that it leaves has a
    path to all of the others already, it comes from outside.
    """
    closed, cut = _closed(kinds, paths, start, wanted, most, rng)
    changed = list(paths)
    for at in cut:
        source, target, length = changed[at]
        joined = {path[:2] for path in changed}
        coming = [
            i
            for i, (a, b, _) in enumerate(changed)
            if a not in closed and b in closed and a != target and b != source and joined.isdisjoint([(source, b), (a, target)])
        ]
        if coming:  # rather not so that two places lead to each other that did not before
            coming = [i for i in coming if joined.isdisjoint([(changed[i][1], source), (target, changed[i][0])])] or coming
            other = rng.pick(coming)
            changed[at], changed[other] = exchanged(changed[at], changed[other])
            continue
        others = [(source, place) for place in closed if place != source and (source, place) not in joined]
        if not others:
            outside = [place for place in range(len(kinds)) if place not in closed and place != target]
            others = [(place, target) for place in outside if (place, target) not in joined]
        if not others:
            return ()
        changed[at] = (*rng.pick(others), length)
    return tuple(changed) if cut else ()


def exchanged(one: Path, other: Path) -> tuple[Path, Path]:
    """Two paths, each of which leads to where the other one led."""
    return (one[0], other[1], one[2]), (other[0], one[1], other[2])


def exchanges(paths: Sequence[Path], rng: Rng) -> Iterator[tuple[Path, ...]]:
    """The paths with two of them exchanged, in random order; no two then join the same places, and none a place with itself."""
    joined = {path[:2] for path in paths}
    for i, k in rng.shuffled(list(combinations(range(len(paths)), 2))):
        changed = list(paths)
        changed[i], changed[k] = exchanged(paths[i], paths[k])
        if all(a != b and (a, b) not in joined for a, b, _ in (changed[i], changed[k])):
            yield tuple(changed)


def ends(paths: Sequence[Path]) -> tuple[Counter[int], Counter[int]]:
    """The number of paths that lead from each place, and to each."""
    return Counter([source for source, _, _ in paths]), Counter([target for _, target, _ in paths])


def _closed(
    kinds: Sequence[int], paths: Sequence[Path], start: int, wanted: Sequence[int], most: int, rng: Rng
) -> tuple[list[int], list[int]]:
    """Places around the start, and the positions of the paths that leave them: `most` or few more, none without such places.

    They are the start and others that it leads to, a random number of them from three up to half of all, none of them of one kind
    that the way needs. Of several sets of places the first is taken that at most so many paths leave, and no more than come
    in, and where each place has room for its paths within the set; else one that is nearest to that.
    """
    away = Counter([source for source, _, _ in paths])
    ahead, behind = [0] * len(kinds), [0] * len(kinds)  # of each place those that it leads to, and those that lead to it, as bits
    for source, target, _ in paths:
        ahead[source] |= 1 << target
        behind[target] |= 1 << source
    other = {kind: sum([1 << place for place, its in enumerate(kinds) if its != kind]) for kind in wanted}
    found, closed, least = list[int](), 0, len(paths) + 1
    for _ in range(_CUTS):
        allowed = other[rng.pick(wanted)]
        inside, taken, onward = [start], 1 << start, 0
        size = rng.between(3, max(3, len(kinds) // 2))
        while len(inside) < size:
            onward |= ahead[inside[-1]]
            free = onward & allowed & ~taken
            if not free:
                break
            for _ in range(rng.below(free.bit_count())):
                free &= free - 1  # one place less
            inside.append((free & -free).bit_length() - 1)
            taken |= 1 << inside[-1]
        leaving = sum([(ahead[place] & ~taken).bit_count() for place in inside])
        coming = sum([(behind[place] & ~taken).bit_count() for place in inside])
        excess = max(0, leaving - min(most, coming)) + sum([max(0, away[place] - len(inside) + 1) for place in inside])
        if len(inside) > 1 and leaving and excess < least:
            found, closed, least = inside, taken, excess
            if not excess:
                break
    cut = [at for at, (source, target, _) in enumerate(paths) if closed >> source & 1 and not closed >> target & 1]
    return found, cut
