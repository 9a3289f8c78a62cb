"""Logic grids in which one item occurs twice: it is said in which category, and not which item it is.

The category is the first one after the entities' names. One of its items belongs to two entities and one to none, each other one
to one. So "the kite from Peru" may be two kites: clues name such items only as what others have or have not (grids.describes).
"""

from __future__ import annotations

from itertools import combinations
from math import comb, factorial, log10
from typing import Any

from puzzlemill.core.errors import BadParams
from puzzlemill.core.form import Grid
from puzzlemill.core.model import Constraints
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import Spec

NAME = "twice"
SHARED = 1  # the category
_LARGEST = 25  # places of the whole table, which the search that knows the plain checker looks through in less than a second


def shared_in(spec: Spec[Any]) -> int:
    """The shared category of a spec, 0 if it has none."""
    return SHARED if spec.rule(NAME) else 0


def check(spec: Spec[Any]) -> None:
    """Raise BadParams for what a puzzle with a shared item cannot have."""
    params = spec.params
    if not spec.rule(NAME):
        return
    if params.categories * params.items > _LARGEST:
        raise BadParams(
            f"rules: {NAME} needs categories times items of {_LARGEST} at most, got {params.categories} times {params.items}; "
            "set family.params.categories or items"
        )
    if params.categories - params.scales < SHARED + 1:
        raise BadParams(
            f"rules: {NAME} needs a category that is neither the first one nor a scale, got {params.categories} with "
            f"{params.scales} scales; set family.params.categories or scales"
        )
    if params.asked():
        raise BadParams(f"rules: {NAME} does not go with one_of_three, implication and exclusive_or; leave them out")


def repeated(answer: Grid, rng: Rng) -> Grid:
    """The answer with one more entity having an item of the shared category that another one has."""
    row = list(answer[SHARED - 1])
    one, other = rng.sample(range(len(row)), 2)
    row[one] = row[other]
    return (*answer[: SHARED - 1], tuple(row), *answer[SHARED:])


def search_space_log10(categories: int, items: int) -> float:
    """Two entities share; the rest of their category has as many orders as all its items, and so has each other one."""
    return (categories - 1) * log10(factorial(items)) + log10(comb(items, 2))


# ---- in a plain checker --------------------------------------------------------------------------------------------------


def breaks(row: tuple[int, ...]) -> bool:
    """Return whether no way to fill the blanks (negative) of the shared category's row has one item twice and all others once."""
    known = [v for v in row if v >= 0]
    again = len(known) - len(set(known))
    return again > 1 or (again == 0 and len(known) == len(row))


# ---- in a model ----------------------------------------------------------------------------------------------------------


def state(m: Constraints, slots: list[tuple[int, ...]]) -> None:
    """One item of these slots is in two of them, one in none, and each other one in one."""
    doubles = []
    for lits in zip(*slots, strict=True):
        double = m.var()
        for one, other in combinations(lits, 2):
            m.require(-one, -other, double, label=NAME)
        for three in combinations(lits, 3):
            m.require(*[-lit for lit in three], label=NAME)
        for k in range(len(lits)):  # of any n - 1 of the slots one holds an item that two of all hold
            m.require(-double, *lits[:k], *lits[k + 1 :], label=NAME)
        doubles.append(double)
    m.exactly_one(doubles, label=NAME)
