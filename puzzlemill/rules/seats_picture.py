"""Pictures of seatings: the seats in their shape, with an arrow for the way that somebody faces."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from textwrap import wrap

from puzzlemill.core.pictures import FADED, FOUND, GIVEN, INK, MARKED, Drawing
from puzzlemill.rules.seats import Plan

_GAP, _BOX, _HIGH, _EDGE, _REACH = 112, 100, 40, 16, 10


def picture(
    plan: Plan, texts: Sequence[Sequence[str]], ways: Sequence[int], shown: Sequence[int], told: Sequence[tuple[str, bool]]
) -> str:
    """texts: the lines of each seat, nothing while it is free. ways: of each seat, -1 where unknown. shown: seats that the puzzle
    gives. told: sentences below, and whether each stands out.
    """
    drawing = Drawing()
    spots, (wide, high) = _spots(plan)
    if plan.ring:
        x, y = wide // 2, high // 2
        if plan.shape == "circle":
            drawing.disc(x, y, min(wide, high) // 2 - _GAP + 18, "#f4f1ea")
        else:
            side = wide // 2 - _GAP
            drawing.box(x - side, y - side, 2 * side, 2 * side, "#f4f1ea")
    for seat, ((x, y), ahead) in enumerate(spots):
        drawing.box(x - _BOX // 2, y - _HIGH // 2, _BOX, _HIGH, "#fff")
        drawing.text(x - _BOX // 2 + 4, y - _HIGH // 2 + 11, str(seat + 1), FADED, 10, left=True)
        for k, line in enumerate(texts[seat]):
            drawing.text(x, y + 5 + 15 * k - 8 * (len(texts[seat]) - 1), line, GIVEN if seat in shown else FOUND, 13)
        if ways[seat] >= 0:
            turn = 1 if ways[seat] == 0 else -1
            dx, dy = ahead[0] * turn, ahead[1] * turn
            fx, fy = x + dx * _BOX // 200, y + dy * _HIGH // 200
            drawing.line(f"M{fx} {fy}L{fx + dx * _REACH // 100} {fy + dy * _REACH // 100}", "#1a5fb4", 2, tip=True)
    wide = max(wide, 380)
    for text, marked in told:
        for k, line in enumerate(wrap(text, (wide - 2 * _EDGE) // 7)):
            high += 16 if k else 20
            drawing.text(_EDGE, high - 6, line, MARKED if marked else INK, 12, left=True)
    return drawing.svg(wide, high + _EDGE)


def _spots(plan: Plan) -> tuple[list[tuple[tuple[int, int], tuple[int, int]]], tuple[int, int]]:
    """The middle of each seat and, in hundredths, the direction of its first way; and how large the picture is."""
    n, line = plan.seats, plan.line
    if not plan.ring:
        left, top = _EDGE + _BOX // 2, _EDGE + 14 + _HIGH // 2
        spots = [((left + _GAP * (p % line), top + 90 * (p // line)), (0, -100)) for p in range(n)]
        return spots, (2 * _EDGE + _GAP * (line - 1) + _BOX, 2 * top + 90 * (n // line - 1))
    if plan.shape == "circle":
        radius = max(110, 19 * n)
        middle = radius + _BOX // 2 + _EDGE
        turns = [2 * pi * p / n for p in range(n)]
        at = [(middle + round(radius * sin(turn)), middle + round(radius * cos(turn) * -1)) for turn in turns]
        return [(spot, _towards(spot, middle)) for spot in at], (2 * middle, 2 * middle)
    each = n // 4
    step = max(_GAP, 224 // each)
    side = step * each
    middle = side // 2 + _BOX // 2 + _EDGE
    found = []
    for p in range(n):
        corner, k = divmod((p - plan.corner) % n, each)
        a = -side // 2 + k * step
        half = side // 2
        spot = [(a, -half), (half, a), (-a, half), (-half, -a)][corner]
        found.append((middle + spot[0], middle + spot[1]))
    return [(spot, _towards(spot, middle)) for spot in found], (2 * middle, 2 * middle)


def _towards(spot: tuple[int, int], middle: int) -> tuple[int, int]:
    dx, dy = middle - spot[0], middle - spot[1]
    size = max(abs(dx), abs(dy), 1)
    return 100 * dx // size, 100 * dy // size
