"""Parameters of a family, declared: their defaults and bounds stand next to their names and are checked in one place.

    @params
    class Params:
        rows: int = Param(8, least=4, most=12)
        hint: str = Param("count", among=("count", "sum"))

`params` makes a frozen dataclass. A bound may be a function of the parameters: `most=lambda p: p.rows * p.cols - 1`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar, dataclass_transform

from puzzlemill.core.errors import BadParams
from puzzlemill.core.types import Spec

T = TypeVar("T")
Bound = int | Callable[[Any], int] | None


@dataclass(frozen=True, slots=True)
class Bounds:
    """The values that a parameter may have. least, most: included. among: the only ones; without bounds any value will do.

    unset: a value outside the bounds that stands for "not given" and is allowed as well.
    """

    least: Bound = None
    most: Bound = None
    among: tuple[int | str, ...] = ()
    unset: int | None = None

    def problem(self, value: int | str | bool, params: Any) -> str:
        """The values that are expected in place of this one, "" if it is one of them."""
        if self.among:
            return "" if value in self.among else f"one of {', '.join(map(str, self.among))}"
        if value == self.unset and type(value) is int:
            return ""
        least, most = (bound(params) if callable(bound) else bound for bound in (self.least, self.most))
        if type(value) is not int or ((least is None or value >= least) and (most is None or value <= most)):
            return ""
        allowed = (
            f"{least} to {most}" if None not in (least, most) else f"at least {least}" if most is None else f"at most {most}"
        )
        return allowed if self.unset is None else f"{allowed}, or {self.unset}"


def Param(
    default: Any,
    *,
    least: Bound = None,
    most: Bound = None,
    among: Collection[int | str] = (),
    unset: int | None = None,
    shared: bool = False,
) -> Any:
    """Declare a parameter with its default and the values that it may have; see Bounds. shared: see specialized()."""
    return field(default=default, metadata={"bounds": Bounds(least, most, tuple(among), unset), "shared": shared})


@dataclass_transform(frozen_default=True)
def params(cls: type[T]) -> type[T]:
    """Make a class of declared parameters: frozen, equal by content."""
    return dataclass(frozen=True, slots=True)(cls)


def check_params(family: str, values: Any) -> None:
    """Raise BadParams for the first parameter whose value is out of its bounds."""
    for each in fields(values):
        bounds = each.metadata.get("bounds")
        value = getattr(values, each.name)
        expected = bounds.problem(value, values) if bounds is not None else ""
        if expected:
            raise BadParams(f"{family}.{each.name} must be {expected}, got {str(value)[:40]}; set family.params.{each.name}")


def specialized(spec: Spec[T], seed: str) -> Spec[T]:
    """The spec with the release's seed, which reveals no secret, in every *shared* parameter that is left open.

    Random streams are named by the spec without it; a release's puzzles have the spec with it.
    """
    params: Any = spec.params
    left = {each.name: seed for each in fields(params) if each.metadata.get("shared") and not getattr(params, each.name)}
    return replace(spec, params=replace(params, **left)) if left else spec
