"""The classes that families make their own operators from: another rule, another parameter, another style, a larger board."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import AnyFamily, Pairing, Relation, Transform
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyPuzzle, Kind, Rule, Spec, Style


def valid(family: AnyFamily, spec: Spec[Any]) -> bool:
    """Return whether the family can make puzzles of this spec."""
    try:
        family.validate(spec)
    except BadParams:
        return False
    return True


@final
@dataclass(frozen=True, slots=True)
class AddRule(Transform):
    """Put an optional rule of the family in force, and draw what it leaves open (core/rules.py). The puzzle is drawn anew.

    givens: how many the puzzle has, where parents of many givens leave the rule little to do; -1: as many as the parent's spec
        says. Only for families with this parameter, which name it in `args`.
    values: parameters that get other values with it.
    """

    name: str  # of the transform and of the rule
    kind: Kind = Kind.UE2
    relation: Relation = Relation.RULE
    pairing: Pairing = Pairing.NONE
    givens: int = -1
    values: tuple[tuple[str, int | bool | str], ...] = ()
    args: tuple[str, ...] = ()
    about: str = ""
    needs: str = ""

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        if self.givens < -1 or self.name not in family.rules or spec.rule(self.name):
            return False
        return valid(family, self.ruled(spec))

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return self.ruled(spec)

    def ruled(self, spec: Spec[Any]) -> Spec[Any]:
        """The spec with the rule in force."""
        values: dict[str, Any] = dict(self.values) if self.givens < 0 else {**dict(self.values), "givens": self.givens}
        ruled = spec.with_rule(Rule(self.name))
        return replace(ruled, params=replace(ruled.params, **values)) if values else ruled


@final
@dataclass(frozen=True, slots=True)
class SetParam(Transform):
    """Give parameters other values. With pairing SAME_ANSWER the parent's answer stays, else all is drawn anew.

    values: the parameters and what they become; they must be the family's.
    """

    name: str
    kind: Kind
    relation: Relation
    pairing: Pairing
    values: tuple[tuple[str, int | bool | str], ...]
    about: str = ""
    needs: str = ""

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        if any(not hasattr(spec.params, name) for name, _ in self.values):
            return False
        changed = self._changed(spec)
        return changed != spec and valid(family, changed)

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return self._changed(spec)

    def _changed(self, spec: Spec[Any]) -> Spec[Any]:
        values: Mapping[str, Any] = dict(self.values)
        return replace(spec, params=replace(spec.params, **values))


@final
@dataclass(frozen=True, slots=True)
class Larger(Transform):
    """A board some sizes larger than the parent's, drawn anew."""

    name: str = "larger_grid"
    kind: Kind = Kind.IC1
    relation: Relation = Relation.RESIZE
    pairing: Pairing = Pairing.NONE
    steps: int = 1
    args: tuple[str, ...] = ("steps",)
    about: str = "a puzzle some sizes larger"

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return self.steps > 0 and self._larger(family, spec) is not None

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        larger = self._larger(family, spec)
        assert larger is not None  # fits() was asked
        return larger

    def _larger(self, family: AnyFamily, spec: Spec[Any]) -> Spec[Any] | None:
        larger: Spec[Any] | None = spec
        for _ in range(min(self.steps, 64)):
            larger = None if larger is None else family.larger(larger)
        return larger


@final
@dataclass(frozen=True, slots=True)
class RedHerring(Transform):
    """Remarks among the clues that say nothing about the answer, for families that state clues as sentences.

    how: puts remarks after so many clues each, drawn from a stream. most: of them; one at least. against: as of Restyle.
    """

    how: Callable[[AnyPuzzle, Sequence[int], Rng], Style]
    name: str = "red_herring"
    kind: Kind = Kind.SURFACE
    relation: Relation = Relation.SURFACE
    pairing: Pairing = Pairing.EXACT
    against: tuple[str, ...] = ()
    most: int = 3
    args: tuple[str, ...] = ("most",)
    about: str = "remarks that say nothing about the answer"

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        offered = any(type(own) is RedHerring for own in family.transforms)
        return offered and 1 <= self.most <= 3 and not any(spec.rule(rule) for rule in self.against)

    def restyle(self, family: AnyFamily, puzzle: AnyPuzzle, rng: Rng) -> Style:
        places = sorted(rng.below(len(puzzle.clues) + 1) for _ in range(rng.between(1, self.most)))
        return self.how(puzzle, places, rng.child("asides"))


@final
@dataclass(frozen=True, slots=True)
class Restyle(Transform):
    """Another style of the same puzzle.

    how: makes the style from the puzzle. against: rules that it does not go with (letters have no difference of 1).
    """

    name: str
    kind: Kind
    relation: Relation = Relation.FORM
    pairing: Pairing = Pairing.EXACT
    against: tuple[str, ...] = ()
    how: Callable[[AnyPuzzle, Rng], Style] = field(kw_only=True)
    about: str = ""

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return self in family.transforms and not any(spec.rule(rule) for rule in self.against)

    def restyle(self, family: AnyFamily, puzzle: AnyPuzzle, rng: Rng) -> Style:
        return self.how(puzzle, rng)


def surface(name: str, how: Callable[[Any, Rng], Style], about: str, against: tuple[str, ...] = ()) -> Restyle:
    """Another surface of the same puzzle: whoever solves the parent should solve the child."""
    return Restyle(name, Kind.SURFACE, Relation.SURFACE, against=against, how=how, about=about)


def entangled(name: str, param: str, about: str) -> SetParam:
    """Other clues of the same answer, as a parameter asks for them."""
    return SetParam(name, Kind.IC2, Relation.EDIT, Pairing.SAME_ANSWER, ((param, True),), about)


@final
@dataclass(frozen=True, slots=True)
class More(Transform):
    """More of one thing on a board of the same size, drawn anew.

    field: the parameter that says how many there are. percent: of the parent's number.
    """

    name: str
    field: str
    kind: Kind = Kind.IC1
    relation: Relation = Relation.RESIZE
    pairing: Pairing = Pairing.NONE
    about: str = ""
    percent: int = 150
    args: tuple[str, ...] = ("percent",)

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        more = self._more(spec) if 100 < self.percent <= 1_000 else spec
        return more != spec and valid(family, more)

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return self._more(spec)

    def _more(self, spec: Spec[Any]) -> Spec[Any]:
        grown = getattr(spec.params, self.field) * self.percent // 100
        return replace(spec, params=replace(spec.params, **{self.field: grown}))


@final
@dataclass(frozen=True, slots=True)
class Grown(Transform):
    """A puzzle with more of several things, drawn anew.

    grows: (parameter, to how many hundredths of itself, and by how many more).
    """

    name: str
    kind: Kind
    grows: tuple[tuple[str, int, int], ...]
    relation: Relation = Relation.RESIZE
    pairing: Pairing = Pairing.NONE
    about: str = ""

    def fits(self, family: AnyFamily, spec: Spec[Any]) -> bool:
        return all(hasattr(spec.params, name) for name, _, _ in self.grows) and valid(family, self.grown(spec))

    def before(self, family: AnyFamily, spec: Spec[Any], rng: Rng) -> Spec[Any]:
        return self.grown(spec)

    def grown(self, spec: Spec[Any]) -> Spec[Any]:
        """The spec with more of these things."""
        values = {name: getattr(spec.params, name) * percent // 100 + more for name, percent, more in self.grows}
        return replace(spec, params=replace(spec.params, **values))


TRANSFORMS: tuple[Transform, ...] = (Larger(),)
