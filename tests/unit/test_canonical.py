"""Canonical keys: equal for relabelled copies, different for everything else."""

from __future__ import annotations

from itertools import combinations

import pytest

from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.shape import ColouredGraph
from puzzlemill.factory import canonical
from puzzlemill.factory.build import build_group
from puzzlemill.factory.canonical import canonical_key, labelling, shape_hash
from puzzlemill.factory.recipe import Recipe, Stratum
from puzzlemill.generators._template import FAMILY as COIN


def scrambled(graph: ColouredGraph, rng: Rng) -> ColouredGraph:
    """The same graph with other vertex numbers, its edges in another order and direction."""
    to = rng.shuffled(range(len(graph.colours)))
    colours = [0] * len(to)
    for i, colour in enumerate(graph.colours):
        colours[to[i]] = colour
    edges = [(to[a], to[b]) if rng.chance(1, 2) else (to[b], to[a]) for a, b in graph.edges]
    return ColouredGraph(tuple(colours), tuple(rng.shuffled(edges)))


def random_graph(rng: Rng, vertices: int, colours: int) -> ColouredGraph:
    edges = [pair for pair in combinations(range(vertices), 2) if rng.chance(1, 3)]
    return ColouredGraph(tuple(rng.below(colours) for _ in range(vertices)), tuple(edges))


def test_relabelled_graphs_have_one_key() -> None:
    """A rotated copy of a training puzzle would pass for a new test puzzle."""
    rng = stream("canonical")
    for i in range(60):
        graph = random_graph(rng.child("graph", i), 5 + i, 1 + i % 4)
        copies = {shape_hash(scrambled(graph, rng.child("copy", i, j))) for j in range(4)}
        assert copies == {shape_hash(graph)}


def test_relabelled_regular_graphs_have_one_key() -> None:
    """Refinement alone cannot tell the vertices of a symmetric graph apart; the labelling must still be canonical."""
    cells = [(r, c) for r in range(4) for c in range(6)]
    edges = tuple((i, j) for i, j in combinations(range(24), 2) if cells[i][0] == cells[j][0] or cells[i][1] == cells[j][1])
    graph = ColouredGraph((0,) * 24, edges)
    assert {shape_hash(scrambled(graph, stream("rook", i))) for i in range(20)} == {shape_hash(graph)}


def test_all_graphs_of_four_vertices() -> None:
    """There are 11 graphs of 4 vertices up to isomorphism, 90 with each vertex black or white (OEIS A000088 and A000666)."""
    pairs = list(combinations(range(4), 2))
    graphs = [tuple(pair for k, pair in enumerate(pairs) if bits >> k & 1) for bits in range(64)]
    assert len({shape_hash(ColouredGraph((0, 0, 0, 0), edges)) for edges in graphs}) == 11
    two = [tuple(colours >> v & 1 for v in range(4)) for colours in range(16)]
    assert len({shape_hash(ColouredGraph(colours, edges)) for colours in two for edges in graphs}) == 90


def test_colours_are_part_of_the_key() -> None:
    """Two puzzles of one structure and other values would count as one."""
    path = ((0, 1), (1, 2))
    assert shape_hash(ColouredGraph((0, 0, 0), path)) != shape_hash(ColouredGraph((1, 1, 1), path))
    assert shape_hash(ColouredGraph((0, 0, 1), path)) == shape_hash(ColouredGraph((1, 0, 0), path))
    assert shape_hash(ColouredGraph((0, 1, 0), path)) != shape_hash(ColouredGraph((1, 0, 0), path))


def test_small_and_empty_shapes() -> None:
    assert shape_hash(ColouredGraph((), ())) == shape_hash(ColouredGraph((), ()))
    assert shape_hash(ColouredGraph((0,), ())) != shape_hash(ColouredGraph((), ()))
    assert shape_hash("2:01") != shape_hash("2:10")


@pytest.mark.parametrize("index", range(3))
def test_a_key_names_its_family_and_version(index: int) -> None:
    part = Stratum("coin", params=(("coins", (7,)),), counts=(("train", 4),))
    rows = build_group(Recipe("keys", "w", (part,)), part, "train", index).rows
    assert rows[0]["canonical_key"].startswith("coin:1:")
    assert len(rows[0]["canonical_key"]) == len("coin:1:") + 32
    example = COIN.examples()[0].puzzle
    assert canonical_key(COIN, example) == canonical_key(COIN, example)


def test_the_labelling_tells_another_igraph(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of one version of igraph would be compared with those of another."""
    assert labelling() == labelling.__wrapped__()
    monkeypatch.setattr(canonical, "_labelled", lambda shape: f"as it stands {shape.colours} {shape.edges}")
    assert labelling.__wrapped__() != labelling()
