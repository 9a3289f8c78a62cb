"""Graphs of domains of the truth-finding game: what is joined, communities and parts, splits along them (docs/graphs.md).

An action and a truth are *related* if some outcome of the action excludes the truth. Two truths are *joined* if an action is
related to both, by one outcome or by several; the weight of the edge is the number of such actions.

Communities: Louvain's method (NetworkX), SEEDS runs, of which the one with the highest modularity counts, the first of equal
ones. Nodes are numbered by name, so that the order in which a domain lists its truths decides nothing. Modularity is exact.
Source: the paper's sections on the domain graph, the split by connections and the chi-square test; V. Blondel et al., Fast
unfolding of communities in large networks, J. Stat. Mech. P10008, 2008.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from puzzlemill.analysis.tables import text_table
from puzzlemill.core.errors import BadParams
from puzzlemill.kumo.domain import parts
from puzzlemill.kumo.domain.domain import Domain

SEEDS = 10  # runs of Louvain's method, with the seeds 0 to 9
WAYS = ("components", "communities")  # what a split follows

Groups = tuple[tuple[int, ...], ...]  # of truths, as places in the domain; ascending, the largest group first


@dataclass(frozen=True, slots=True)
class TruthGraph:
    """names: of the truths, no two alike. edges: (u, v, weight) with u < v, places in names, ascending."""

    names: tuple[str, ...]
    edges: tuple[tuple[int, int, int], ...]

    def degrees(self, weighted: bool = False) -> tuple[int, ...]:
        """The number of truths that each truth is joined to, or the sum of its edges' weights."""
        found = [0] * len(self.names)
        for u, v, weight in self.edges:
            found[u] += weight if weighted else 1
            found[v] += weight if weighted else 1
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Split:
    """Two parts of a domain with no truth and no action in common.

    across: names of actions that are in neither part, since they are related to truths of both; none if split by components.
    """

    first: Domain
    second: Domain
    across: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    """A domain's graph in numbers. related: how many truths actions are related to, on average.

    density: edges by pairs of truths. groups: communities of the weighted graph; plain: of the graph without weights, which is
    what the paper's formula counts.
    """

    name: str
    structure: str
    truths: int
    actions: int
    related: Fraction
    edges: int
    density: Fraction
    degrees: tuple[int, ...]  # of each truth
    components: tuple[int, ...]  # sizes
    groups: Groups
    modularity: Fraction
    plain: Groups
    plain_modularity: Fraction


def related(domain: Domain) -> tuple[tuple[int, ...], ...]:
    """For each action the truths that some outcome of it excludes, ascending."""
    return tuple([tuple(sorted({t for out in action.excludes for t in out})) for action in domain.actions])


def truth_graph(domain: Domain) -> TruthGraph:
    """The graph of a domain whose exclusions are drawn. Raises BadParams for one without any."""
    weights: dict[tuple[int, int], int] = {}
    shared = related(domain)
    if not any(shared):
        raise BadParams(f"{domain.name}: its outcomes exclude nothing, so there is no graph; draw its exclusions first")
    for truths in shared:
        for pair in combinations(truths, 2):
            weights[pair] = weights.get(pair, 0) + 1
    return TruthGraph(domain.truths, tuple([(u, v, weights[u, v]) for u, v in sorted(weights)]))


def signature(domain: Domain) -> tuple[int, ...]:
    """A task's structure: how many actions each truth is related to, then how many truths each action is, both descending.

    Source: the paper, "Details of Chi-square test": sorted degrees of the bipartite graph of truths and actions.
    """
    truths = [0] * len(domain.truths)
    for some in related(domain):
        for t in some:
            truths[t] += 1
    return (*sorted(truths, reverse=True), *sorted([len(some) for some in related(domain)], reverse=True))


def components(graph: TruthGraph) -> Groups:
    """Truths that are joined by some way."""
    return _ordered(graph, parts.components(len(graph.names), [edge[:2] for edge in graph.edges]))


def communities(graph: TruthGraph, weighted: bool = True) -> Groups:
    """Louvain's communities; a truth that is joined to none is one by itself."""
    best, highest = _ordered(graph, [[t] for t in range(len(graph.names))]), Fraction(-1)
    joined = _louvain_graph(graph, weighted)
    for seed in range(SEEDS):
        groups = _ordered(graph, _louvain(graph, joined, seed))
        value = modularity(graph, groups, weighted)
        if value > highest:
            best, highest = groups, value
    return best


def modularity(graph: TruthGraph, groups: Groups, weighted: bool = True) -> Fraction:
    """The share of edges within these groups, less that of edges drawn at random with the same degrees; at most 1.

    sum over groups of L / m - (D / 2m)**2, where m is all edges' weight, L that within the group, D its truths' degrees. 0 where
    there is no edge.
    """
    of = {t: number for number, group in enumerate(groups) for t in group}
    within, degrees = [0] * len(groups), [0] * len(groups)
    for u, v, weight in graph.edges:
        worth = weight if weighted else 1
        degrees[of[u]] += worth
        degrees[of[v]] += worth
        within[of[u]] += worth * (of[u] == of[v])
    double = sum(degrees)
    if not double:
        return Fraction(0)
    return Fraction(2 * double * sum(within) - sum([d * d for d in degrees]), double * double)


def split(domain: Domain, by: str = "components") -> Split:
    """Two parts, as for training in one and testing in the other: groups of truths go to the first and the second part in turn.

    by "components" (the paper's way): an action goes to the first part if all its truths are there, else to the second. by
    "communities": for a domain that is all of one piece; actions related to truths of both parts are left out.
    Groups go by size, the largest first, equal ones by their first name. Raises BadParams where there is one group only, or where
    a part would have no action.
    """
    if by not in WAYS:
        raise BadParams(f"--by: expected {' or '.join(WAYS)}, got {by!r}")
    graph = truth_graph(domain)
    groups = components(graph) if by == "components" else communities(graph)
    if len(groups) == 1:
        remedy = "split it by communities" if by == "components" else "there is no split; choose another domain"
        raise BadParams(f"{domain.name}: its {len(domain.truths)} truths are one of its {by}; {remedy}")
    sides: list[list[int]] = [sorted([t for group in groups[start::2] for t in group]) for start in (0, 1)]
    first, second, across = [], [], []
    for a, truths in enumerate(related(domain)):
        if all(t in sides[0] for t in truths):
            first.append(a)
        elif by == "components" or all(t in sides[1] for t in truths):
            second.append(a)
        else:
            across.append(domain.actions[a].name)
    if not first or not second:
        raise BadParams(f"{domain.name}: split by {by}, one part has no action; choose another domain or way")
    return Split(domain.part(sides[0], first), domain.part(sides[1], second), tuple(across))


def figures(domain: Domain) -> Figures:
    """All of a domain's graph that the table and the JSON show."""
    graph = truth_graph(domain)
    n, shared = len(domain.truths), related(domain)
    groups, plain = communities(graph), communities(graph, weighted=False)
    return Figures(
        domain.name,
        domain.structure,
        n,
        len(domain.actions),
        Fraction(sum(map(len, shared)), len(shared)),
        len(graph.edges),
        Fraction(2 * len(graph.edges), max(1, n * (n - 1))),
        graph.degrees(),
        tuple([len(group) for group in components(graph)]),
        groups,
        modularity(graph, groups),
        plain,
        modularity(graph, plain, weighted=False),
    )


# ---- output -----------------------------------------------------------------------------------------------------------


def to_json(found: Figures, graph: TruthGraph) -> dict[str, Any]:
    """Everything as JSON-able values; communities by names."""

    def named(groups: Groups) -> list[list[str]]:
        return [[graph.names[t] for t in group] for group in groups]

    return {
        "domain": found.name,
        "structure": found.structure,
        "truths": found.truths,
        "actions": found.actions,
        "truths_by_action": round(float(found.related), 4),
        "edges": found.edges,
        "density": round(float(found.density), 4),
        "degrees": {"least": min(found.degrees), "mean": round(2 * found.edges / found.truths, 4), "most": max(found.degrees)},
        "components": list(found.components),
        "modularity": round(float(found.modularity), 4),
        "communities": named(found.groups),
        "modularity_without_weights": round(float(found.plain_modularity), 4),
        "communities_without_weights": named(found.plain),
    }


def to_text(found: Sequence[Figures]) -> str:
    """One line for each domain."""
    heads = ("domain", "structure", "truths", "actions", "edges", "density", "degrees", "parts", "communities", "Q", "Q plain")
    lines = [
        (
            one.name,
            one.structure,
            one.truths,
            one.actions,
            one.edges,
            f"{float(one.density):.2f}",
            f"{min(one.degrees)} to {max(one.degrees)}",
            len(one.components),
            "+".join([str(len(group)) for group in one.groups]),
            f"{float(one.modularity):.3f}",
            f"{float(one.plain_modularity):.3f}",
        )
        for one in found
    ]
    return text_table(heads, lines)


# ---- Louvain ----------------------------------------------------------------------------------------------------------


def _louvain_graph(graph: TruthGraph, weighted: bool) -> Any:
    """For NetworkX: nodes are ranks by name, and nodes and edges come in ascending order."""
    import networkx

    rank = {t: i for i, t in enumerate(_by_name(graph))}
    joined = networkx.Graph()
    joined.add_nodes_from(range(len(graph.names)))
    edges = [(*sorted((rank[u], rank[v])), weight if weighted else 1) for u, v, weight in graph.edges]
    joined.add_weighted_edges_from(sorted(edges))
    return joined


def _louvain(graph: TruthGraph, joined: Any, seed: int) -> list[list[int]]:
    from networkx.algorithms.community import louvain_communities

    order = _by_name(graph)
    return [[order[rank] for rank in sorted(some)] for some in louvain_communities(joined, weight="weight", seed=seed)]


def _by_name(graph: TruthGraph) -> list[int]:
    return sorted(range(len(graph.names)), key=lambda t: graph.names[t])


def _ordered(graph: TruthGraph, groups: Iterable[Iterable[int]]) -> Groups:
    """The largest first, equal ones by the first of their names."""
    found = [tuple(sorted(group)) for group in groups]
    return tuple(sorted(found, key=lambda group: (-len(group), min([graph.names[t] for t in group]))))
