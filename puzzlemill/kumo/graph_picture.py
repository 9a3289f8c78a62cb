"""A domain's graph as a picture (SVG): truths as numbered discs, coloured by community, with a list of their names.

Places: springs between joined truths, stiffer the more actions join them, and a push between all; begun from a circle on which
communities lie side by side, so that the same graph always gives the same picture. Colours: Okabe and Ito's, which people with
any common colour blindness can tell apart; past eight communities they come again with a thicker rim.
Sources: T. Fruchterman, E. Reingold, Graph drawing by force-directed placement, 1991; M. Okabe, K. Ito, Color universal design,
2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin

from puzzlemill.analysis.pages import text
from puzzlemill.kumo.graphs import Figures, Groups, TruthGraph

PALETTE = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#0072b2", "#d55e00", "#f0e442", "#999999")
_DARK = frozenset({"#0072b2", "#009e73", "#d55e00"})  # numbers on these are white
STEPS = 200
_SIDE, _RADIUS, _LINE, _COLUMN = 900.0, 13.0, 15, 310
_LINES = 62  # of a column of the list
_STRETCH = 1.6  # of one axis at most, to fill the square

Point = tuple[float, float]


def picture(graph: TruthGraph, found: Figures, title: str) -> str:
    """The SVG text. found: the figures of the same graph."""
    of = {t: number for number, group in enumerate(found.groups) for t in group}
    number = {t: i for i, t in enumerate([t for group in found.groups for t in group], 1)}
    places = _placed(graph, found.groups)
    columns = _columns(found.groups)
    height = max(_SIDE, 30.0 + _LINE * max([sum([len(group) + 2 for group in column]) for column in columns])) + 60
    width = _SIDE + 30 + _COLUMN * len(columns)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" font-family="DejaVu Sans, Verdana, sans-serif" font-size="12">',
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        f'<text x="20" y="30" font-size="20" font-weight="bold">{text(title)}</text>',
        f'<text x="20" y="52" fill="#444444">{text(_told(found))}</text>',
        '<g transform="translate(0 60)">',
        *_edges(graph, places, of),
        *[_disc(places[t], of[t], number[t]) for t in range(len(graph.names))],
        *_list(graph, columns, number),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _told(found: Figures) -> str:
    parts = "" if len(found.components) == 1 else f" in {len(found.components)} parts"
    return (
        f"{found.truths} truths{parts}, {found.actions} actions; "
        f"{found.edges} edges, stronger the more actions join two truths; "
        f"{len(found.groups)} communities, modularity {float(found.modularity):.3f}"
    )


def _columns(groups: Groups) -> list[list[tuple[int, ...]]]:
    """The communities in columns of the list, of about _LINES lines at most; one that is longer than that is not cut."""
    columns: list[list[tuple[int, ...]]] = [[]]
    lines = 0
    for group in groups:
        if columns[-1] and lines + len(group) + 1 > _LINES:
            columns.append([])
            lines = 0
        columns[-1].append(group)
        lines += len(group) + 2
    return columns


def _list(graph: TruthGraph, columns: Sequence[Sequence[Sequence[int]]], number: dict[int, int]) -> list[str]:
    lines, community = [], 0
    for i, column in enumerate(columns):
        x, y = _SIDE + 30 + _COLUMN * i, 24
        for group in column:
            head = f"Community {community + 1}: {len(group)} truth{'s' if len(group) > 1 else ''}"
            lines.append(f'<text x="{x:.0f}" y="{y}" font-weight="bold">{head}</text>')
            for t in group:
                y += _LINE
                lines.append(f'<circle cx="{x + 6:.0f}" cy="{y - 4}" r="5" {_paint(community)}/>')
                lines.append(f'<text x="{x + 36:.0f}" y="{y}" text-anchor="end">{number[t]}</text>')
                lines.append(f'<text x="{x + 44:.0f}" y="{y}">{text(graph.names[t])}</text>')
            y += 2 * _LINE
            community += 1
    return lines


def _paint(community: int) -> str:
    again = community // len(PALETTE)
    dashes = f' stroke-dasharray="{2 * again} 2"' if again > 1 else ""
    return f'fill="{PALETTE[community % len(PALETTE)]}" stroke="#333333" stroke-width="{2.5 if again else 0.7}"{dashes}'


def _disc(place: Point, community: int, number: int) -> str:
    colour = "#ffffff" if PALETTE[community % len(PALETTE)] in _DARK else "#000000"
    x, y = place
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS:.0f}" {_paint(community)}/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" fill="{colour}">{number}</text>'
    )


def _edges(graph: TruthGraph, places: Sequence[Point], of: dict[int, int]) -> list[str]:
    """Light edges first. Within a community they have its colour; the more actions, the stronger."""
    most = max([weight for _, _, weight in graph.edges], default=1)
    ink = min(0.4, 250 / max(1, len(graph.edges)))
    lines = []
    for u, v, weight in sorted(graph.edges, key=lambda edge: (edge[2], edge)):
        share = weight / most
        colour = PALETTE[of[u] % len(PALETTE)] if of[u] == of[v] else "#777777"
        (x, y), (to_x, to_y) = places[u], places[v]
        lines.append(
            f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}" stroke="{colour}" '
            f'stroke-width="{0.4 + 2.2 * share:.1f}" stroke-opacity="{0.06 + ink * share:.2f}"/>'
        )
    return lines


# ---- places -----------------------------------------------------------------------------------------------------------


def _placed(graph: TruthGraph, groups: Groups) -> list[Point]:
    """The places of the discs within the square of the picture; no two of them overlap."""
    places = _sprung(graph, groups)
    return _apart(_fitted(places))


def _sprung(graph: TruthGraph, groups: Groups) -> list[Point]:
    n = len(graph.names)
    order = [t for group in groups for t in group]
    places: list[Point] = [(0.0, 0.0)] * n
    for i, t in enumerate(order):
        places[t] = (cos(2 * pi * i / n), sin(2 * pi * i / n))
    mean = sum([weight for _, _, weight in graph.edges]) / max(1, len(graph.edges))
    springs = [(u, v, (weight / mean) ** 2 / n) for u, v, weight in graph.edges]
    for step in range(STEPS):
        reach = 0.2 * (1 - step / STEPS)
        moves = [[-0.05 * x, -0.05 * y] for x, y in places]  # a little towards the middle, so that parts do not fly away
        for u in range(n):
            for v in range(u):
                dx, dy = places[u][0] - places[v][0], places[u][1] - places[v][1]
                push = 1 / (n * max(1e-6, dx * dx + dy * dy))
                moves[u][0] += push * dx
                moves[u][1] += push * dy
                moves[v][0] -= push * dx
                moves[v][1] -= push * dy
        for u, v, pull in springs:
            dx, dy = places[u][0] - places[v][0], places[u][1] - places[v][1]
            moves[u][0] -= pull * dx
            moves[u][1] -= pull * dy
            moves[v][0] += pull * dx
            moves[v][1] += pull * dy
        places = [
            (x + dx * min(1.0, reach / far), y + dy * min(1.0, reach / far))
            for (x, y), (dx, dy) in zip(places, moves, strict=True)
            for far in [max(1e-9, hypot(dx, dy))]
        ]
    return places


def _fitted(places: Sequence[Point]) -> list[Point]:
    room = _SIDE - 4 * _RADIUS
    axes = [[place[axis] for place in places] for axis in (0, 1)]
    wide = [max(max(axis) - min(axis), 1e-9) for axis in axes]
    least = min([room / width for width in wide])
    scales = [min(room / width, _STRETCH * least) for width in wide]
    middles = [(max(axis) + min(axis)) / 2 for axis in axes]
    return [(_SIDE / 2 + (x - middles[0]) * scales[0], _SIDE / 2 + (y - middles[1]) * scales[1]) for x, y in places]


def _apart(places: Sequence[Point]) -> list[Point]:
    """Discs that overlap are pushed apart, pair by pair, until none do or nothing helps."""
    found = [list(place) for place in places]
    least = 2 * _RADIUS + 3
    for _ in range(200):
        moved = False
        for u in range(len(found)):
            for v in range(u):
                dx, dy = found[u][0] - found[v][0], found[u][1] - found[v][1]
                far = hypot(dx, dy)
                if far < least:
                    moved = True
                    if far < 1e-9:
                        dx, dy, far = 1.0, 0.0, 1.0
                    by = (least - far) / 2 / far
                    for place, sign in ((found[u], 1), (found[v], -1)):
                        place[0] = min(_SIDE - _RADIUS, max(_RADIUS, place[0] + sign * by * dx))
                        place[1] = min(_SIDE - _RADIUS, max(_RADIUS, place[1] + sign * by * dy))
        if not moved:
            break
    return [(x, y) for x, y in found]
