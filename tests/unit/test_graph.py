"""Graphs of truth-finding domains, their communities, splits and pictures, and what they have to do with replies."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import networkx
import pytest

from puzzlemill.cli import main
from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import Rng, stream
from puzzlemill.kumo.domain.domain import Action, Domain
from puzzlemill.kumo.graph_picture import PALETTE, picture
from puzzlemill.kumo.graphs import (
    Groups,
    TruthGraph,
    communities,
    components,
    figures,
    modularity,
    related,
    signature,
    split,
    to_json,
    to_text,
    truth_graph,
)


def domain(truths: int, *actions: tuple[tuple[int, ...], ...], name: str = "toy") -> Domain:
    """Truths T0, T1, ... and actions with these exclusions."""
    made = tuple(
        [Action(f"A{i}", "look", tuple([f"it is {s}" for s in range(len(outs))]), outs) for i, outs in enumerate(actions)]
    )
    nouns = ("truth", "truths", "action", "actions")
    return Domain(name, "A toy", "toys", *nouns, "A scene.", "Which one?", "dense", tuple([f"T{t}" for t in range(truths)]), made)


# T0 T1 T2 | T3 T4 | T5, which nothing excludes
SMALL = domain(6, ((0,), (1, 2)), ((0, 1), ()), ((3,), (4,)), ((2,), (1, 2), (0,)))


def planted(groups: int, size: int, actions: int, strays: int, rng: Rng) -> Domain:
    """Communities of this size; each action is related to some of one of them, `strays` of them to a truth of another too."""
    made = []
    for a in range(groups * actions):
        mine = [t for t in range(groups * size) if t % groups == a % groups]
        some = rng.sample(mine, size * 2 // 3)
        if a < strays:
            some.append((some[0] + 1) % (groups * size))
        made.append((tuple(sorted(some[::2])), tuple(sorted(some[1::2]))))
    return domain(groups * size, *made)


def shuffled(one: Domain, rng: Rng) -> Domain:
    return one.part(rng.shuffled(range(len(one.truths))), rng.shuffled(range(len(one.actions))))


def named(one: Domain, groups: Groups) -> list[list[str]]:
    return [sorted([one.truths[t] for t in group]) for group in groups]


def test_truths_are_joined_by_the_actions_they_share() -> None:
    """By one outcome or by two of one action; the weight counts actions, not outcomes."""
    assert related(SMALL) == ((0, 1, 2), (0, 1), (3, 4), (0, 1, 2))
    graph = truth_graph(SMALL)
    assert graph.edges == ((0, 1, 3), (0, 2, 2), (1, 2, 2), (3, 4, 1))
    assert graph.degrees() == (2, 2, 2, 1, 1, 0) and graph.degrees(weighted=True) == (5, 5, 4, 1, 1, 0)
    assert components(graph) == ((0, 1, 2), (3, 4), (5,))
    assert signature(SMALL) == (3, 3, 2, 1, 1, 0, 3, 3, 2, 2)
    with pytest.raises(BadParams, match="exclude nothing"):
        truth_graph(domain(2, ((), ())))


def test_signature_is_that_of_the_task_not_of_its_order() -> None:
    one = planted(3, 6, 4, 2, stream("graph", "signature"))
    for i in range(10):
        assert signature(shuffled(one, stream("graph", "signature", i))) == signature(one)
    assert signature(one.part([0, 3, 6, 1], [0, 1, 3])) != signature(one)


def test_modularity_by_hand_and_as_networkx_counts_it() -> None:
    """Two triangles joined by an edge: 6 of 7 edges within, each triangle has half of the degrees."""
    triangles = TruthGraph(tuple("abcdef"), ((0, 1, 1), (0, 2, 1), (1, 2, 1), (2, 3, 1), (3, 4, 1), (3, 5, 1), (4, 5, 1)))
    halves = ((0, 1, 2), (3, 4, 5))
    assert modularity(triangles, halves) == Fraction(6, 7) - 2 * Fraction(1, 4)
    assert communities(triangles) == halves
    assert modularity(triangles, (tuple(range(6)),)) == 0
    assert modularity(TruthGraph(("a", "b"), ()), ((0,), (1,))) == 0
    graph = truth_graph(planted(3, 7, 5, 6, stream("graph", "modularity")))
    joined = networkx.Graph()
    joined.add_weighted_edges_from(graph.edges)
    for i in range(5):
        rng = stream("graph", "strata", i)
        sides = [rng.below(3) for _ in graph.names]
        groups = tuple([tuple([t for t, side in enumerate(sides) if side == k]) for k in range(3)])
        for weighted in (True, False):
            expected = networkx.community.modularity(joined, groups, weight="weight" if weighted else None)
            assert float(modularity(graph, groups, weighted)) == pytest.approx(expected, abs=1e-12)


def test_the_karate_club() -> None:
    """Zachary's club, the usual example: the best partition known of it has a modularity of 0.4198, without weights."""
    club = networkx.karate_club_graph()
    graph = TruthGraph(tuple([f"{i:02}" for i in club]), tuple([(*sorted(edge), 1) for edge in sorted(club.edges)]))
    found = communities(graph)
    assert len(found) == 4 and float(modularity(graph, found)) == pytest.approx(0.4198, abs=5e-5)


def test_communities_that_were_planted_are_found_in_any_order() -> None:
    """Also with strays; and the order of truths and actions changes nothing but the numbers."""
    one = planted(4, 8, 6, 8, stream("graph", "planted"))
    expected = [sorted([f"T{t}" for t in range(k, 32, 4)]) for k in range(4)]
    assert sorted(named(one, communities(truth_graph(one)))) == sorted(expected)
    for i in range(4):
        rng = stream("graph", "hard", i)
        hard = domain(30, *[((tuple(sorted(rng.sample(range(30), 2)))), ()) for _ in range(40)])  # many partitions nearly as good
        for other in [shuffled(hard, rng.child(k)) for k in range(4)]:
            assert named(other, communities(truth_graph(other))) == named(hard, communities(truth_graph(hard)))
            assert named(other, components(truth_graph(other))) == named(hard, components(truth_graph(hard)))


def test_of_ten_runs_the_best_counts() -> None:
    """NetworkX, asked once for each seed: no run has a higher modularity than what is returned, and some have a lower one."""
    lower = 0
    for i in range(8):
        rng = stream("graph", "hard", i)
        graph = truth_graph(domain(20, *[((tuple(sorted(rng.sample(range(20), 3)))), ()) for _ in range(14)]))
        rank = {t: k for k, t in enumerate(sorted(range(20), key=lambda t: graph.names[t]))}
        joined = networkx.Graph()
        joined.add_nodes_from(range(20))
        joined.add_weighted_edges_from(sorted([(*sorted((rank[u], rank[v])), weight) for u, v, weight in graph.edges]))
        best = float(modularity(graph, communities(graph)))
        runs = [networkx.community.louvain_communities(joined, seed=seed) for seed in range(10)]
        values = [networkx.community.modularity(joined, run) for run in runs]
        assert best == pytest.approx(max(values), abs=1e-12)
        lower += values[0] < best - 1e-9
    assert lower >= 2


def test_split_by_components() -> None:
    """The largest part goes to the first side, the next one to the second, and so on; actions follow their truths."""
    found = split(SMALL)
    assert found.first.truths == ("T0", "T1", "T2", "T5") and found.second.truths == ("T3", "T4")
    assert [a.name for a in found.first.actions] == ["A0", "A1", "A3"] and [a.name for a in found.second.actions] == ["A2"]
    assert found.second.actions[0].excludes == ((0,), (1,)) and not found.across
    rng = stream("graph", "split")
    one = planted(5, 6, 4, 0, rng)
    found = split(one)
    assert sorted([len(found.first.truths), len(found.second.truths)]) == [12, 18]
    assert sorted([*found.first.truths, *found.second.truths]) == sorted(one.truths)
    assert len(found.first.actions) + len(found.second.actions) == 20
    for side in (found.first, found.second):  # nothing that an action excluded was cut off
        for action in side.actions:
            whole = next(a for a in one.actions if a.name == action.name)
            assert [[side.truths[t] for t in out] for out in action.excludes] == [
                [one.truths[t] for t in o] for o in whole.excludes
            ]
    other = split(shuffled(one, rng))
    assert sorted(other.first.truths) == sorted(found.first.truths)


def test_split_of_a_domain_that_is_all_of_one_piece() -> None:
    """By components it is refused, with the way out; by communities the actions across are told and left out."""
    one = planted(2, 8, 6, 3, stream("graph", "whole"))
    with pytest.raises(BadParams, match="16 truths are one of its components; split it by communities"):
        split(one)
    found = split(one, "communities")
    assert sorted(map(len, (found.first.truths, found.second.truths))) == [8, 8]
    assert found.across == ("A0", "A1", "A2") and len(found.first.actions) + len(found.second.actions) == 9
    with pytest.raises(BadParams, match="one of its communities"):
        split(domain(3, ((0, 1), (2,))), "communities")
    with pytest.raises(BadParams, match="one part has no action"):
        split(domain(4, ((0, 1), (2,))))
    with pytest.raises(BadParams, match="components or communities, got 'size'"):
        split(one, "size")


def test_figures_in_words_and_json() -> None:
    found = figures(SMALL)
    assert found.edges == 4 and found.density == Fraction(4, 15) and found.components == (3, 2, 1)
    assert found.related == Fraction(10, 4)
    told = json.loads(json.dumps(to_json(found, truth_graph(SMALL))))
    assert told["communities"] == [["T0", "T1", "T2"], ["T3", "T4"], ["T5"]]
    assert told["modularity"] == round(float(modularity(truth_graph(SMALL), found.groups)), 4)
    assert "3+2+1" in to_text([found]).splitlines()[2]


def drawn(one: Domain) -> ElementTree.Element:
    return ElementTree.fromstring(picture(truth_graph(one), figures(one), one.title))


SVG = "{http://www.w3.org/2000/svg}"


def test_pictures_are_whole_and_legible() -> None:
    """Every truth has a disc of its community's colour and a line in the list; no two discs overlap; nothing is off the sheet."""
    one = planted(2, 40, 8, 6, stream("graph", "picture"))
    found, root = figures(one), drawn(one)
    discs = [disc for disc in root.iter(f"{SVG}circle") if disc.get("r") == "13"]
    assert len(discs) == 80
    assert {disc.get("fill") for disc in discs} == set(PALETTE[: len(found.groups)])
    places = [(float(disc.get("cx", "")), float(disc.get("cy", ""))) for disc in discs]
    assert min([(x - u) ** 2 + (y - v) ** 2 for (x, y), (u, v) in combinations(places, 2)]) >= 26**2
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    assert all(13 <= x <= width - 13 and 13 <= y <= height - 73 for x, y in places)
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert set(one.truths) <= set(texts) and {str(n) for n in range(1, 81)} <= set(texts)
    assert len(list(root.iter(f"{SVG}line"))) == found.edges
    assert all(float(element.get("y", "")) < height - 60 for element in root.iter(f"{SVG}text") if element.text in one.truths)


def test_pictures_of_odd_domains() -> None:
    """Names that look like markup, a truth that nothing excludes, one single edge, more communities than colours."""
    hostile = Domain(
        *("toy", "<A> & {b}", "toys", "truth", "truths", "action", "actions", "A scene.", "Which one?", "dense"),
        ("<script>", "{x}", "]]>", "d" * 40),
        (Action("A", "look", ("a", "b"), ((0,), (1,))),),
    )
    texts = [element.text for element in drawn(hostile).iter(f"{SVG}text")]
    assert {"<script>", "{x}", "]]>", "<A> & {b}"} <= set(texts)
    many = domain(36, *[((2 * i,), (2 * i + 1,)) for i in range(18)])
    root = drawn(many)
    rims = [disc.get("stroke-width") for disc in root.iter(f"{SVG}circle") if disc.get("r") == "13"]
    assert len(figures(many).groups) == 18 and rims.count("0.7") == 16 and rims.count("2.5") == 20
    assert float(root.get("width", "")) > 900 + 30 + 310  # the list takes a second column
    assert drawn(domain(1, ((0,), ()))).find(f".//{SVG}line") is None


def test_the_command_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A table, a picture of each domain, parts of a split, JSON; wrong names are refused."""
    assert (
        main(["graph", "river_fish", "broken_network", "--edition", "x", "--out", str(tmp_path / "g"), "--split", "components"])
        == 0
    )
    told = capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "g").iterdir()) == ["broken_network.svg", "river_fish.svg"]
    assert re.search(r"river_fish: \d+ truths with \d+ actions and \d+ truths with \d+ actions, 0 actions across", told)
    assert "broken_network: its 50 truths are one of its components" in told
    assert main(["graph", "river_fish", "--edition", "x", "--split", "communities", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["domains"]
    assert entry["truths"] == 50 and len(entry["split"]["first"]["truths"]) + len(entry["split"]["second"]["truths"]) == 50
    assert main(["domains", "show", "invented:3", "--edition", "x", "--toml"]) == 0
    (tmp_path / "other.toml").write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["graph", "invented:3", str(tmp_path / "other.toml"), "--edition", "x"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[2:]]
    assert len(rows) == 2 and rows[0][1:] == rows[1][1:]  # an invented domain, and the same from a file
    for wrong, message in (
        (["graph", "atlantis"], "no authored domain is called 'atlantis'"),
        (["graph", "river_fish", "--split", "size"], "--split: expected components or communities"),
        (["graph", "river_fish", "--out", str(tmp_path / "g" / "river_fish.svg")], "is no folder"),
    ):
        assert main(wrong) == 2
        assert message in capsys.readouterr().err
