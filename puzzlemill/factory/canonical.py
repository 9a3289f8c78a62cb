"""Canonical keys: equal for two puzzles exactly when a symmetry of the rules in force carries one to the other.

A family gives the shape (core/shape.py). A string is canonical already; a coloured graph is labelled here by BLISS (Junttila and
Kaski, "Engineering an efficient canonical labeling tool for large and sparse graphs", ALENEX 2007) as built into igraph.
A canonical labelling is canonical for one version of igraph: the lock pins it, and the manifest names it.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.shape import ColouredGraph, Shape
from puzzlemill.core.types import AnyPuzzle

KEY_VERSION = 1  # bumped when the same puzzle gets another key


def canonical_key(family: AnyFamily, puzzle: AnyPuzzle) -> str:
    """ "<family>:<key version>:<32 hex digits>"."""
    return f"{family.name}:{KEY_VERSION}:{shape_hash(family.symmetry(puzzle))}"


def shape_hash(shape: Shape) -> str:
    """128 bits of SHA-256 over the canonical form, in hex."""
    text = shape if isinstance(shape, str) else _labelled(shape)
    return sha256(text.encode()).hexdigest()[:32]


@cache
def labelling() -> str:
    """A fingerprint of how graphs are labelled here: keys that were made under another one may not match, whatever KEY_VERSION.

    Taken from rings with chords in several colours, as irregular as puzzles are.
    """
    rings = []
    for n in (6, 9, 16, 25, 36):
        edges = [(i, (i + step) % n) for i in range(n) for step in (1, 2 + i % 4)]
        distinct = sorted({(min(a, b), max(a, b)) for a, b in edges if a != b})
        rings += [ColouredGraph(tuple([i % colours for i in range(n)]), tuple(distinct)) for colours in (1, 2, 3)]
    return sha256("".join([shape_hash(ring) for ring in rings]).encode()).hexdigest()[:16]


def _labelled(shape: ColouredGraph) -> str:
    """The graph after canonical relabelling: colours in vertex order, then the sorted edges."""
    import igraph

    n = len(shape.colours)
    if not n:
        return "graph 0"
    colours = list(shape.colours)
    graph = igraph.Graph(n=n, edges=shape.edges, vertex_attrs={"colour": colours})
    # whether a permutation maps old numbers to new ones or back changed between igraph 0.11 and 1.0; permute_vertices knows
    same = graph.permute_vertices(graph.canonical_permutation(color=colours))
    edges = sorted([(a, b) if a < b else (b, a) for a, b in same.get_edgelist()])
    return f"graph {n} {','.join(map(str, same.vs['colour']))} {','.join([f'{a}-{b}' for a, b in edges])}"
