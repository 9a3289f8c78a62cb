"""A puzzle's shape: what is left of it when names, order and orientation are taken away.

A family describes the shape; `puzzlemill.factory.canonical` turns it into a key that is equal for two puzzles
exactly when a symmetry of the rules in force carries one to the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True, slots=True)
class ColouredGraph:
    """An undirected graph whose automorphism classes are the puzzle's symmetries.

    colours: one small integer per vertex; only vertices of the same colour may be exchanged. Colours are part of the key.
    edges: pairs of vertex numbers, each pair once.
    """

    colours: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]


Shape = ColouredGraph | str  # a string is a key that the family has already made canonical (a cheap min-lex form)


def least_drawing(family: object, spec: object, answer: Sequence[Sequence[int]]) -> str:
    """The least drawing among a rectangle's turned and mirrored ones: `Family.solution` of grids without other symmetries."""
    del family, spec
    rows, found = ["".join(map(str, row)) for row in answer], []
    for over, upside, behind in product((False, True), repeat=3):
        lines = ["".join(column) for column in zip(*rows, strict=True)] if over else list(rows)
        if len(lines) <= len(lines[0]):  # the shorter side is the left one
            found.append(" ".join([line[:: -1 if behind else 1] for line in lines[:: -1 if upside else 1]]))
    return min(found)


def arrows(roles: Sequence[int], paths: Sequence[tuple[int, int, int]]) -> Shape:
    """The shape of a directed graph up to renaming of its vertices. roles: of each vertex, below 5. paths: (from, to, length).

    Vertices are distinguished by their roles and by what their paths lead to, over and over; where this is enough for all of them
    the graph is written down in their order, else it is to be labelled, a path being two vertices: its beginning, its end.
    """
    marks, count = list(roles), len(set(roles))
    while True:
        around: list[tuple[int, list[tuple[int, int]], list[tuple[int, int]]]] = [(mark, [], []) for mark in marks]
        for source, target, length in paths:
            around[source][1].append((length, marks[target]))
            around[target][2].append((length, marks[source]))
        keys = [(mark, tuple(sorted(onward)), tuple(sorted(backward))) for mark, onward, backward in around]
        rank = {key: number for number, key in enumerate(sorted(set(keys)))}
        marks = [rank[key] for key in keys]
        if len(rank) == len(roles):
            roled = "".join([str(roles[vertex]) for vertex in sorted(range(len(roles)), key=marks.__getitem__)])
            apart = sorted([(marks[source], marks[target], length) for source, target, length in paths])
            return f"{roled}:" + ",".join([f"{source}>{target}={length}" for source, target, length in apart])
        if len(rank) == count:
            break
        count = len(rank)
    colours, edges = list(roles), []
    for source, target, length in paths:
        at = len(colours)
        colours += [5, 6 + length]
        edges += [(source, at), (at, at + 1), (target, at + 1)]
    return ColouredGraph(tuple(colours), tuple(edges))
