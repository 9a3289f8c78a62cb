"""Optional rules of a family, declared: their names, whether they replace a rule of its own, how their arguments are drawn.

A rule without arguments is *open* where its declaration can draw some: Rule("zones") becomes Rule("zones", (map,)).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import Arg, Rule, Spec


@dataclass(frozen=True, slots=True)
class OptionalRule:
    """name: as recipes and broken_rules() name it. replaces: the rule of the family's own in whose place it stands (irregular
    zones for boxes); "" for a rule that is added, which must then be *necessary*: without it the puzzle has several answers, or
    other shortest ones.

    draw: draws the arguments that a recipe leaves open. check: raises BadParams for arguments that do not fit the spec; without
    it the rule takes none. sizes: the values of the parameter `size` that it goes with, () for all.
    """

    name: str
    replaces: str = ""
    draw: Callable[[Spec[Any], Rng], tuple[Arg, ...]] | None = None
    check: Callable[[Spec[Any], tuple[Arg, ...]], None] | None = None
    sizes: tuple[int, ...] = ()


def declared(*rules: OptionalRule) -> Mapping[str, OptionalRule]:
    """The rules by name, in alphabetical order."""
    return MappingProxyType({rule.name: rule for rule in sorted(rules, key=lambda rule: rule.name)})


def check_rules(family: str, known: Mapping[str, OptionalRule], spec: Spec[Any]) -> None:
    """Raise BadParams for a rule that is unknown, stands twice, does not go with the size, or has wrong arguments."""
    names = [rule.name for rule in spec.rules]
    for rule in spec.rules:
        if rule.name not in known:
            every = ", ".join(known) or "none"
            raise BadParams(f"rules: {family} has no optional rule {rule.name!r}; known: {every}; set family.rules")
    if len(set(names)) < len(names):
        raise BadParams(f"rules: {names} names one rule twice; leave one out")
    for rule in spec.rules:
        sizes = known[rule.name].sizes
        if sizes and spec.params.size not in sizes:
            raise BadParams(
                f"{family}.size must be one of {', '.join(map(str, sizes))} under rule {rule.name}, got {spec.params.size}; "
                "set family.params.size"
            )
    for rule in spec.rules:
        check = known[rule.name].check
        if rule.args and check is None:
            raise BadParams(f"rules: {rule.name} takes no argument, got {str(rule.args)[:60]}; set family.rules")
        if rule.args and check is not None:
            check(spec, rule.args)


def resolved(known: Mapping[str, OptionalRule], spec: Spec[Any], rng: Rng) -> Spec[Any]:
    """The spec with arguments drawn for every rule that is open; others stay as they are.

    validate() accepts open rules; sample_solution() and everything after it get resolved ones.
    """
    for rule in spec.rules:
        draw = known[rule.name].draw
        if draw is not None and not rule.args:
            spec = spec.without_rule(rule.name).with_rule(Rule(rule.name, draw(spec, rng)))
    return spec


def added(known: Mapping[str, OptionalRule], spec: Spec[Any]) -> list[str]:
    """Names of the rules in force that stand in place of none of the family's own."""
    return [rule.name for rule in spec.rules if rule.name not in known or not known[rule.name].replaces]
