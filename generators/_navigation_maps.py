"""Maps of navigation: drawn evenly with the shortest ways over them, cut off, written and pictured.

A way has to visit landmarks of some kinds before it ends at one of the wanted kind; which of them it has visited is a bit set. Of
each place and each bit set the *rest* is kept: how a shortest way goes on from there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import repeat
from math import cos, pi, prod, sin
from typing import TypeVar

from puzzlemill.core.errors import BadRow
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import Line

T = TypeVar("T")
Path = tuple[int, int, int]  # (from, to, length)
Rest = tuple[int, int, int]  # of a way: its length, its number of paths, the next place (-1 at its end)
Rests = list[dict[int, Rest]]  # one for each bit set of visited kinds
PLACES, KINDS, VISITS = 52, 12, 3  # the most that can be asked for
_CUTS = 200  # sets of places tried
_SWAPS = 10  # 52 ** 10 < 2 ** 60


@dataclass(frozen=True, slots=True)
class Board:
    """kinds: of each place. paths: (from, to, length). start: a place. goal: a kind. via: kinds to visit."""

    kinds: tuple[int, ...]
    paths: tuple[Path, ...]
    start: int
    goal: int
    via: tuple[int, ...] = ()


def bounded(board: Board, names: Sequence[Sequence[str]]) -> None:
    """Raise BadRow for a map that search and labelling are not for; somebody may have made up any. names: of places, of kinds."""
    places, ends = len(board.kinds), [path[:2] for path in board.paths]
    if not 2 <= places <= PLACES or len(names) != 2 or len(names[0]) != places or len(names[1]) > KINDS:
        raise BadRow(
            f"navigation: expected 2 to {PLACES} places with as many names and up to {KINDS} kinds, got {places} places and "
            f"{', '.join([str(len(each)) for each in names[:3]]) or 'no'} names"
        )
    if len(board.via) > VISITS or len(set(board.via)) < len(board.via):
        raise BadRow(f"navigation: via is up to {VISITS} different kinds, got {str(board.via[:5])[:60]}")
    if len(set(ends)) < len(ends) or not all(0 <= a < places > b >= 0 and 1 <= length <= 9999 for a, b, length in board.paths):
        raise BadRow("navigation: expected paths between two of the places, each pair once, of lengths 1 to 9999")


# ---- drawing ------------------------------------------------------------------------------------------------------------


def dealt(places: int, kinds: int, rng: Rng) -> tuple[int, ...]:
    """The kind of each place, all kinds being as frequent as each other, give or take one."""
    stands = [place % kinds for place in range(places)]
    for last in range(places - 1, 0, -_SWAPS):  # Fisher and Yates, some swaps from one draw
        sizes = range(last + 1, max(last + 1 - _SWAPS, 1), -1)
        drawn = rng.below(prod(sizes))
        for size in sizes:
            drawn, other = divmod(drawn, size)
            stands[size - 1], stands[other] = stands[other], stands[size - 1]
    return tuple(stands)


def any_paths(places: int, count: int, longest: int, rng: Rng) -> tuple[Path, ...]:
    """Paths between different pairs of places, in random order."""
    others = places - 1
    drawn: dict[int, None] = {}
    for pair in _numbers(rng, places * others):
        drawn[pair] = None
        if len(drawn) == count:
            break
    paths = []
    for pair, length in zip(drawn, _numbers(rng, longest), strict=False):
        source, target = divmod(pair, others)
        paths.append((source, target + (target >= source), length + 1))
    return tuple(paths)


def _numbers(rng: Rng, base: int) -> Iterator[int]:
    """Even draws below `base`, without end: the digits of larger draws, which is several times as fast as one by one."""
    if base == 1:
        yield from repeat(0)
    digits = 60 // base.bit_length()
    while True:
        drawn = rng.below(base**digits)
        for _ in range(digits):
            drawn, digit = divmod(drawn, base)
            yield digit


def chosen(rng: Rng, pool: Sequence[T], count: int) -> tuple[T, ...]:
    """Different items of a pool, in random order."""
    left = list(pool)
    return tuple([left.pop(rng.below(len(left))) for _ in range(count)])


def rests(kinds: Sequence[int], paths: Sequence[Path], goal: int, via: Sequence[int]) -> Rests:
    """The rests of ways that have visited some of the kinds `via`: item 0 of those that have still to visit them all."""
    into: list[list[tuple[int, int]]] = [[] for _ in kinds]  # where paths to each place come from, and their lengths
    for source, target, length in paths:
        into[target].append((source, length))
    full = (1 << len(via)) - 1
    found: Rests = [{} for _ in range(full + 1)]
    found[full] = _towards({place: (0, 0) for place, kind in enumerate(kinds) if kind == goal}, into)
    for seen in range(full - 1, -1, -1):
        ends: dict[int, tuple[int, int]] = {}
        for number, wanted in enumerate(via):
            if not seen >> number & 1:
                onward = found[seen | 1 << number]
                ends |= {place: onward[place][:2] for place, kind in enumerate(kinds) if kind == wanted and place in onward}
        found[seen] = _towards(ends, into)
    return found


def _towards(ends: Mapping[int, tuple[int, int]], into: Sequence[Sequence[tuple[int, int]]]) -> dict[int, Rest]:
    """The rest of a shortest way of the fewest paths from each place to an end; an end has a length and a number already."""
    found: dict[int, Rest] = {place: (length, count, -1) for place, (length, count) in ends.items()}
    work = list(found)
    for place in work:  # grows: places whose rest became shorter are looked at again
        length, count, _ = found[place]
        for source, more in into[place]:
            if source not in ends:
                old = found.get(source)
                if old is None or length + more < old[0] or (length + more == old[0] and count + 1 < old[1]):
                    found[source] = (length + more, count + 1, place)
                    work.append(source)
    return found


def counts(found: Rests, kinds: Sequence[int], paths: Sequence[Path], via: Sequence[int]) -> dict[int, int]:
    """The number of shortest ways from each place that have still to visit all of `via`."""
    away: dict[int, list[tuple[int, int]]] = {}
    for source, target, length in paths:
        away.setdefault(source, []).append((target, length))
    several: list[dict[int, int]] = [{} for _ in found]
    for seen in range(len(found) - 1, -1, -1):
        rest, mine = found[seen], several[seen]
        for place in sorted(rest, key=lambda place: rest[place][0]):
            length, _, following = rest[place]
            if following >= 0:
                mine[place] = sum([mine[t] for t, more in away[place] if t in rest and rest[t][0] + more == length])
            elif kinds[place] in via:
                mine[place] = several[seen | 1 << via.index(kinds[place])][place]
            else:
                mine[place] = 1
    return several[0]


def followed(start: int, found: Rests, kinds: Sequence[int], via: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The steps from the start to the end, over one landmark of each of `via`."""
    steps: list[tuple[int, int]] = []
    here, seen = start, 0
    while True:
        while (following := found[seen][here][2]) >= 0:
            steps.append((here, following))
            here = following
        if seen == len(found) - 1:
            return tuple(steps)
        seen |= 1 << via.index(kinds[here])


def cut_off(board: Board, most: int, rng: Rng) -> Board | None:
    """The map with some paths leading elsewhere, so that none leaves the places around the start; None if that cannot be.

    A path that leaves them leads to another of them; where each of these is led to already, one of its paths comes from outside.
    """
    closed, cut = _closed(board, most, rng)
    paths = list(board.paths)
    for at in cut:
        source, target, length = paths[at]
        joined = {path[:2] for path in paths}
        others = [(source, place) for place in closed if place != source and (source, place) not in joined]
        if not others:
            outside = [place for place in range(len(board.kinds)) if place not in closed and place != target]
            others = [(place, target) for place in outside if (place, target) not in joined]
        if not others:
            return None
        paths[at] = (*rng.pick(others), length)
    return replace(board, paths=tuple(paths)) if cut else None


def _closed(board: Board, most: int, rng: Rng) -> tuple[list[int], list[int]]:
    """Places around the start, and the positions of the paths that leave them: `most` or few more, none without such places.

    Of several sets of places the first is taken that at most so many paths leave and where each has room for its paths within the
    set, else one that is nearest to that.
    """
    away = [0] * len(board.kinds)
    for source, _, _ in board.paths:
        away[source] += 1
    found: list[int] = []
    cut: list[int] = []
    least = len(board.paths) + 1
    for _ in range(_CUTS):
        needed = rng.pick((board.goal, *board.via))
        inside = [board.start]
        size = rng.between(3, max(3, len(board.kinds) // 2))
        while len(inside) < size:
            onward = {target for source, target, _ in board.paths if source in inside} - set(inside)
            free = sorted([place for place in onward if board.kinds[place] != needed])
            if not free:
                break
            inside.append(rng.pick(free))
        leaving = [at for at, (source, target, _) in enumerate(board.paths) if source in inside and target not in inside]
        excess = max(0, len(leaving) - most) + sum([max(0, away[place] - len(inside) + 1) for place in inside])
        if len(inside) > 1 and leaving and excess < least:
            found, cut, least = inside, leaving, excess
            if not excess:
                break
    return found, cut


# ---- text form ----------------------------------------------------------------------------------------------------------


def read_map(head: Line, lines: Sequence[Line], named: Sequence[str]) -> tuple[Board, tuple[tuple[str, ...], tuple[str, ...]]]:
    """A map as people write it, with the names of its places and of its kinds. named: the kinds to visit.

    Raises BadRow; head: the line to blame for what is missing.
    """
    told: dict[str, Line] = {}
    for line in lines[:3]:
        name, colon, _ = line.text.partition(":")
        if not colon or name in told or name not in ("kinds", "places", "way"):
            raise line.bad(0, "expected the lines kinds: school bank, places: A=school B=bank and way: A school")
        told[name] = line
    if list(told) != ["kinds", "places", "way"]:
        raise head.bad(0, "expected below it the lines kinds: school bank, places: A=school B=bank and way: A school")
    kinds: dict[str, int] = {}
    for word in told["kinds"].words_from(len("kinds:")):
        if word.text in kinds or not word.text.isalnum():
            raise told["kinds"].bad(word.column, f"expected each kind once, a word of letters, got {word.text[:40]!r}")
        kinds[word.text] = len(kinds)
    places: dict[str, int] = {}
    stands: list[int] = []
    for word in told["places"].words_from(len("places:")):
        name, sign, kind = word.text.partition("=")
        if not sign or not name.isalnum() or name.casefold() in places or kind not in kinds:
            raise told["places"].bad(word.column, f"expected a new place with its kind, A=school say, got {word.text[:40]!r}")
        places[name.casefold()] = len(stands)
        stands.append(kinds[kind])
    letters = tuple([word.text.partition("=")[0] for word in told["places"].words_from(len("places:"))])
    if not 2 <= len(stands) <= PLACES or not 2 <= len(kinds) <= KINDS:
        wanted = f"2 to {PLACES} places and 2 to {KINDS} kinds"
        raise told["places"].bad(0, f"expected {wanted}, got {len(stands)} and {len(kinds)}")
    asked = told["way"].words_from(len("way:"))
    if len(asked) != 2 or asked[0].text.casefold() not in places or asked[1].text not in kinds:
        raise told["way"].bad(0, "expected the place where the way starts and the kind where it ends, such as way: A school")
    start, goal = places[asked[0].text.casefold()], kinds[asked[1].text]
    for name in named:
        if name not in kinds:
            raise head.bad(0, f"via names a kind of this puzzle, got {name[:40]!r}")
    via = tuple([kinds[name] for name in named])
    if len(via) > VISITS:
        raise head.bad(0, f"via names up to {VISITS} kinds, got {len(via)}")
    if len({stands[start], goal, *via}) != 2 + len(via) or not {goal, *via} <= set(stands):
        raise told["way"].bad(0, "the start, the landmarks to visit and the one where the way ends are of different kinds")
    paths: dict[tuple[int, int], int] = {}
    for line in lines[3:]:
        words = line.words
        ends = [places.get(word.text.casefold()) for word in words[:3:2]]
        if len(words) != 4 or words[1].text != "->" or None in ends or ends[0] == ends[1]:
            raise line.bad(0, "expected a path between two places and its length, such as A -> B 4")
        number = words[3].text
        if not (number.isascii() and number.isdigit() and len(number) <= 4 and int(number)):
            raise line.bad(words[3].column, f"expected a length of 1 to 9999, got {number[:40]!r}")
        pair = (ends[0] or 0, ends[1] or 0)
        if pair in paths:
            raise line.bad(0, "a path from this place to that one is told twice")
        paths[pair] = int(number)
    listed = tuple([(source, target, length) for (source, target), length in paths.items()])
    return Board(tuple(stands), listed, start, goal, via), (letters, tuple(kinds))


def map_text(board: Board, places: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """The inverse of read_map(): its lines."""
    return [
        "kinds: " + " ".join(kinds),
        "places: " + " ".join([f"{name}={kinds[kind]}" for name, kind in zip(places, board.kinds, strict=True)]),
        f"way: {places[board.start]} {kinds[board.goal]}",
        *[f"{places[source]} -> {places[target]} {length}" for source, target, length in board.paths],
    ]


# ---- pictures -----------------------------------------------------------------------------------------------------------


def picture(
    board: Board,
    places: Sequence[str],
    kinds: Sequence[str],
    via: Sequence[int],
    steps: Collection[tuple[int, int]],
    marked: Collection[str],
    caption: tuple[str, bool],
) -> str:
    """Places on a ring, the start with a thick rim, wanted landmarks filled; the paths of `steps` stand out.

    marked: "place 3" is filled in another colour. caption: what is asked, and whether it stands out.
    """
    radius = max(120, 24 * len(places))
    middle = radius + 70
    turns = [2 * pi * place / len(places) for place in range(len(places))]
    spots = [(round(middle + radius * sin(turn)), round(middle - radius * cos(turn))) for turn in turns]
    parts = [
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" '
        'markerUnits="userSpaceOnUse" orient="auto">'
        '<path d="M0 0L8 4L0 8z"/></marker></defs>'
    ]
    taken, numbers = set(steps), []
    for source, target, length in board.paths:
        (x1, y1), (x2, y2) = spots[source], spots[target]
        dx, dy = x2 - x1, y2 - y1
        far = max(1, round((dx * dx + dy * dy) ** 0.5))
        # bent to one side, so that a path there and one back lie apart; it ends at the rims of the places
        bx, by = (x1 + x2) // 2 - dy * 20 // far, (y1 + y2) // 2 + dx * 20 // far
        x1, y1, x2, y2 = x1 + dx * 17 // far, y1 + dy * 17 // far, x2 - dx * 17 // far, y2 - dy * 17 // far
        style = 'stroke="#c40" stroke-width="3"' if (source, target) in taken else 'stroke="#888" stroke-width="1"'
        parts.append(f'<path d="M{x1} {y1}Q{bx} {by} {x2} {y2}" fill="none" {style} marker-end="url(#tip)"/>')
        numbers.append(_label((4 * x1 + 4 * bx + x2) // 9, (4 * y1 + 4 * by + y2) // 9 + 4, str(length), "#036"))
    parts += numbers
    for place, (x, y) in enumerate(spots):
        kind = board.kinds[place]
        fill = "#fb8" if f"place {place + 1}" in marked else "#9c9" if kind == board.goal else "#fff"
        if kind in via and fill == "#fff":
            fill = "#9bc"
        width = 4 if place == board.start else 1
        parts.append(f'<circle cx="{x}" cy="{y}" r="16" fill="{fill}" stroke="#333" stroke-width="{width}"/>')
        parts.append(f'<text x="{x}" y="{y + 4}" text-anchor="middle" font-size="12">{escape(places[place])}</text>')
        parts.append(_label(x, y + 30 if y > middle else y - 22, kinds[kind], "#333"))
    ink = "#c40" if caption[1] else "#000"
    parts.append(f'<text x="8" y="18" font-size="14" fill="{ink}">{escape(caption[0])}</text>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * middle} {2 * middle}">{"".join(parts)}</svg>'


def _label(x: int, y: int, text: str, colour: str) -> str:
    """A text on a white rim, so that it stays readable on top of paths."""
    at, text = f'x="{x}" y="{y}" text-anchor="middle" font-size="12"', escape(text)
    return f'<text {at} stroke="#fff" stroke-width="3">{text}</text><text {at} fill="{colour}">{text}</text>'
