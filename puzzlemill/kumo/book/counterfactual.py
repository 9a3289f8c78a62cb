"""Counterfactual domains: the same names and other rules, so that who answers from the parent's book is misled."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from puzzlemill.core.rng import Rng
from puzzlemill.kumo.book.notes import ELSEWHERE
from puzzlemill.kumo.domain.domain import Action, Domain


def counterfactual(domain: Domain, rng: Rng) -> Domain:
    """The domain with every action's sets of excluded truths moved to other outcomes of the same action.

    As many outcomes as possible get a set that differs from their own: all of them, unless more than half of an action's outcomes
    share a set. Among the ways to do so one is drawn evenly. An action keeps its sets, and with them whatever depends on them
    alone: no truth becomes excluded by all outcomes of an action. The scene says that this place's rules are its own. `changed`
    counts the rules that were moved.
    """
    actions = tuple([_moved(action, rng) for action in domain.actions])
    scene = domain.scene if domain.scene.endswith(ELSEWHERE) else f"{domain.scene} {ELSEWHERE}"
    return replace(domain, actions=actions, scene=scene)


def changed(parent: Domain, child: Domain) -> int:
    """The number of rules (what one outcome of one action excludes) that differ between two domains of the same names."""
    pairs = [(a.excludes, b.excludes) for a, b in zip(parent.actions, child.actions, strict=True)]
    return sum([x != y for before, after in pairs for x, y in zip(before, after, strict=True)])


def _moved(action: Action, rng: Rng) -> Action:
    ways = list(permutations(action.excludes))
    moves = [sum([x != y for x, y in zip(action.excludes, way, strict=True)]) for way in ways]
    return replace(action, excludes=rng.pick([way for way, moved in zip(ways, moves, strict=True) if moved == max(moves)]))
