"""A domain's graph as a picture (SVG): truths as numbered discs, coloured by community, with a list of their names.

Places: NetworkX's springs, stiffer the more actions join two truths, with a faint one between any two so that parts do not fly
away; begun from a circle on which communities lie side by side, so that the same graph always gives the same picture. Colours:
Okabe and Ito's, which people with any common colour blindness can tell apart; past eight communities they come again with a
thicker rim.
Sources: T. Fruchterman, E. Reingold, Graph drawing by force-directed placement, 1991; M. Okabe, K. Ito, Color universal design,
2008.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot
from typing import Any

from puzzlemill.analysis.pages import render
from puzzlemill.kumo.graphs import Figures, Groups, TruthGraph

PALETTE = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#0072b2", "#d55e00", "#f0e442", "#999999")
_DARK = frozenset({"#0072b2", "#009e73", "#d55e00"})  # numbers on these are white
STEPS = 300
FAINT = 0.05  # of the mean of all springs
_SIDE, _RADIUS, _LINE, _COLUMN = 900, 13, 15, 310
_LINES = 62  # of a column of the list
_STRETCH = 1.6  # of one axis at most, to fill the square

Point = tuple[float, float]


def picture(graph: TruthGraph, found: Figures, title: str) -> str:
    """The SVG text. found: the figures of the same graph."""
    of = {t: community for community, group in enumerate(found.groups) for t in group}
    number = {t: i for i, t in enumerate(of, 1)}
    places = [(round(x, 1), round(y, 1)) for x, y in _apart(_fitted(_sprung(graph, found.groups)))]
    communities = _communities(graph, found.groups, number)
    lowest = max([one["y"] + _LINE * len(one["truths"]) for one in communities])
    return render(
        "graph.svg",
        package="puzzlemill.kumo",
        width=communities[-1]["x"] + _COLUMN,
        height=max(_SIDE, lowest + 36) + 60,
        title=title,
        words=_words(found),
        radius=_RADIUS,
        line=_LINE,
        edges=_edges(graph, places, of),
        discs=[{"x": x, "y": y, "number": number[t], "style": _style(of[t])} for t, (x, y) in enumerate(places)],
        communities=communities,
    )


def _words(found: Figures) -> str:
    parts = "" if len(found.components) == 1 else f" in {len(found.components)} parts"
    return (
        f"{found.truths} truths{parts}, {found.actions} actions; "
        f"{found.edges} edges, stronger the more actions join two truths; "
        f"{len(found.groups)} communities, modularity {float(found.modularity):.3f}"
    )


def _communities(graph: TruthGraph, groups: Groups, number: Mapping[int, int]) -> list[dict[str, Any]]:
    """The list of names, in columns of about _LINES lines at most; a community that is longer than that is not cut."""
    found: list[dict[str, Any]] = []
    column, lines = 0, 0
    for community, group in enumerate(groups):
        if lines and lines + len(group) + 1 > _LINES:
            column, lines = column + 1, 0
        found.append(
            {
                "x": _SIDE + 30 + _COLUMN * column,
                "y": 24 + _LINE * lines,
                "title": f"Community {community + 1}: {len(group)} truth{'s' if len(group) > 1 else ''}",
                "truths": [(number[t], graph.names[t]) for t in group],
                "style": _style(community),
            }
        )
        lines += len(group) + 2
    return found


def _style(community: int) -> dict[str, object]:
    again, colour = community // len(PALETTE), PALETTE[community % len(PALETTE)]
    ink = "#ffffff" if colour in _DARK else "#000000"
    return {"colour": colour, "ink": ink, "rim": 2.5 if again else 0.7, "dashes": 2 * again if again > 1 else 0}


def _edges(graph: TruthGraph, places: Sequence[Point], of: Mapping[int, int]) -> list[dict[str, Any]]:
    """Light edges first. Within a community they have its colour; the more actions, the stronger."""
    most = max([weight for _, _, weight in graph.edges], default=1)
    ink = min(0.4, 250 / max(1, len(graph.edges)))
    found: list[dict[str, Any]] = []
    for u, v, weight in sorted(graph.edges, key=lambda edge: (edge[2], edge)):
        share = weight / most
        found.append(
            dict(zip(("x1", "y1", "x2", "y2"), (*places[u], *places[v]), strict=True))
            | {"colour": PALETTE[of[u] % len(PALETTE)] if of[u] == of[v] else "#777777"}
            | {"width": round(0.4 + 2.2 * share, 1), "opacity": round(0.06 + ink * share, 2)}
        )
    return found


# ---- places -----------------------------------------------------------------------------------------------------------


def _sprung(graph: TruthGraph, groups: Groups) -> list[Point]:
    import networkx

    joined = networkx.complete_graph([t for group in groups for t in group])
    networkx.set_edge_attributes(joined, FAINT, "weight")
    mean = sum([weight for _, _, weight in graph.edges]) / max(1, len(graph.edges))
    for u, v, weight in graph.edges:
        joined[u][v]["weight"] += weight / mean
    places = networkx.spring_layout(joined, pos=networkx.circular_layout(joined), iterations=STEPS, seed=0)
    return [(float(places[t][0]), float(places[t][1])) for t in range(len(graph.names))]


def _fitted(places: Sequence[Point]) -> list[Point]:
    """The places in the picture's square, one axis stretched a little more than the other where that fills it."""
    room = _SIDE - 4 * _RADIUS
    axes = list(zip(*places, strict=True))
    wide = [max(max(axis) - min(axis), 1e-9) for axis in axes]
    scales = [min(room / width, _STRETCH * room / max(wide)) for width in wide]
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
