"""The two parts of a domain whose truths are not all connected: to train in the one and be measured in the other.

Source: the paper's "Environment split via connection analysis". kumo/graphs.py also splits in this way, and by communities.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from puzzlemill.core.errors import BadParams
from puzzlemill.kumo.domain.domain import Domain

SIDES = ("first", "second")


@lru_cache(maxsize=32)
def side(domain: Domain, name: str) -> Domain:
    """One of SIDES, which its name ends with: "bone_pit/first".

    An action connects the truths that it is about: those that some outcome of it excludes. Components go to the two sides in
    turn, the largest first, equal ones by the first of their truths' names. Actions go with their truths, those about none to the
    first side. Raises BadParams if there is one component only, if a side would have no action, or for another name.
    """
    if name not in SIDES:
        raise BadParams(f"{domain.name}: a part is called {' or '.join(SIDES)}, got {name[:40]!r}")
    about = [sorted({t for out in action.excludes for t in out}) for action in domain.actions]
    groups = components(len(domain.truths), about)
    groups.sort(key=lambda group: (-len(group), min([domain.truths[t] for t in group])))
    if len(groups) == 1:
        raise BadParams(
            f"{domain.name}: its {len(domain.truths)} truths are all connected, so it has no two parts; choose a domain of the "
            "structure many_small, or another edition of one of the structure chain"
        )
    first = {t for group in groups[::2] for t in group}
    here = [t for t in range(len(domain.truths)) if (t in first) == (name == "first")]
    actions = [a for a, truths in enumerate(about) if all(t in first for t in truths) == (name == "first")]
    part = domain.part(here, actions)
    if not actions:
        raise BadParams(f"{domain.name}: no action is about the truths of its {name} part; choose another domain or edition")
    return replace(part, name=f"{domain.name}/{name}")


def components(truths: int, about: Iterable[Sequence[int]]) -> list[list[int]]:
    """The truths of each connected component, ascending. about: truths that are connected."""
    of = list(range(truths))  # for each truth another one of its component, or itself

    def root(t: int) -> int:
        while of[t] != t:
            t = of[t]
        return t

    for some in about:
        for t in some[1:]:
            of[root(t)] = root(some[0])
    found: dict[int, list[int]] = {}
    for t in range(truths):
        found.setdefault(root(t), []).append(t)
    return list(found.values())
