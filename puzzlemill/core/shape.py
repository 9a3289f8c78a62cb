"""A puzzle's shape: what is left of it when names, order and orientation are taken away.

A family describes the shape; `puzzlemill.factory.canonical` turns it into a key that is equal for two puzzles
exactly when a symmetry of the rules in force carries one to the other.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ColouredGraph:
    """An undirected graph whose automorphism classes are the puzzle's symmetries.

    colours: one small integer per vertex; only vertices of the same colour may be exchanged. Colours are part of the key.
    edges: pairs of vertex numbers, each pair once.
    """

    colours: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]


Shape = ColouredGraph | str  # a string is a key that the family has already made canonical (a cheap min-lex form)
