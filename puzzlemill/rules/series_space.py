"""Readings of a series as a class of hypotheses, and series drawn from the grammar of series.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from json import dumps
from types import MappingProxyType
from typing import Any

from puzzlemill.core.model import Slots, Space
from puzzlemill.core.rng import Rng
from puzzlemill.rules.series import (
    HIGH,
    KINDS,
    LEAST_INTERLEAVED,
    LOW,
    STRANDS,
    Numbers,
    Rule,
    given,
    prime,
    readings,
)

UNKNOWN = -1


@lru_cache(maxsize=1024)
def explained(terms: tuple[int, ...]) -> tuple[tuple[Rule, int, int], ...]:
    """Every rule that explains a series with one unknown term, or all but one of its terms: the rule, the place, the term there.

    Where no term is unknown, one is wrong: the rule gives another one in its place.
    """
    found = []
    places = [at for at, term in enumerate(terms) if term == UNKNOWN] or range(len(terms))
    for at in places:
        for rule, whole in readings([None if i == at else term for i, term in enumerate(terms)]):
            if whole[at] != terms[at]:
                found.append((rule, at, whole[at]))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Readings(Space):
    """The rules of the grammar that a series may follow; name: of what supposes so."""

    name: tuple[str | int, ...]
    terms: tuple[int, ...]

    def scope(self) -> str:
        kinds = [[name, kind.count] for name, kind in KINDS.items()]
        return dumps([*self.name, LOW, HIGH, kinds, STRANDS, LEAST_INTERLEAVED])

    def whole(self) -> str:
        return "pattern"

    def parts(self) -> int:
        return 1

    def size(self, part: int) -> int:
        """The rules that explain the terms: their numbers are solved for, so that no others are tried."""
        return len(explained(self.terms))

    def hypotheses(self, part: int) -> Iterator[tuple[Any, ...]]:
        return iter(explained(self.terms))

    def fits(self, part: int, hypothesis: tuple[Any, ...], kind: str, args: tuple[Any, ...]) -> bool:
        return False  # there are no clues but the terms

    def output(self, part: int, hypothesis: tuple[Any, ...]) -> Slots:
        _, at, term = hypothesis
        return (term,) if UNKNOWN in self.terms else (at, term)


# ---- drawing -------------------------------------------------------------------------------------------------------------


def _signed(rng: Rng, least: int, most: int) -> int:
    return rng.between(least, most) * (-1 if rng.chance(1, 3) else 1)


_Draw = Callable[[Rng], Numbers]
_NUMBERS: Mapping[str, _Draw] = MappingProxyType(
    {
        "add": lambda r: (_signed(r, 3, 40),),
        "times": lambda r: (r.between(2, 4),),
        "divide": lambda r: (r.between(2, 4),),
        "second": lambda r: (_signed(r, 1, 20), _signed(r, 1, 9)),
        "mixed": lambda r: (r.between(2, 3), _signed(r, 1, 12)),
        "shrinking": lambda r: (r.between(2, 3), r.between(0, 300)),
        "rising": lambda r: (r.between(1, 3),),
        "rising_plus": lambda r: (r.between(1, 2), _signed(r, 1, 6)),
        "rising_twice": lambda r: (r.between(1, 2),),
        "times_plus_rising": lambda r: (r.between(2, 3), r.between(0, 6)),
        "by_turns": lambda r: (_signed(r, 2, 25), _signed(r, 2, 25)),
        "times_add": lambda r: (r.between(2, 4), _signed(r, 2, 15)),
        "add_times": lambda r: (r.between(2, 4), _signed(r, 2, 15)),
        "times_plus_minus": lambda r: (r.between(2, 3), _signed(r, 1, 9)),
        "swinging": lambda r: (_signed(r, 2, 12), _signed(r, 1, 6)),
        "cubes": lambda r: (r.between(1, 6), 0 if r.chance(1, 2) else _signed(r, 1, 20)),
        "primes": lambda r: (r.between(0, 30), 0 if r.chance(1, 2) else _signed(r, 1, 6)),
        "prime_squares": lambda r: (r.between(0, 7), 0 if r.chance(1, 2) else _signed(r, 1, 9)),
        "squares_plus_minus": lambda r: (r.between(2, 20), _signed(r, 1, 6)),
        "sum_of_two": lambda r: (0 if r.chance(1, 2) else _signed(r, 1, 6),),
        "sum_of_three": lambda _r: (),
        "digit_sums": lambda _r: (),
        "reversals": lambda r: (_signed(r, 1, 40),),
        **{
            f"{name}_differences{swing}": lambda r, least=least: (r.between(least, 6), -1 if r.chance(1, 3) else 1)  # type: ignore[misc]
            for name, least in (("prime", 0), ("square", 1), ("cube", 1))
            for swing in ("", "_swinging")
        },
    }
)
# the largest first terms, where they are not 60, and now and then 300
_LARGE = {"digit_sums": 400, "shrinking": 4_000, "prime_differences": 150, "reversals": 90}
_LARGE |= {"rising": 9, "rising_plus": 9, "rising_twice": 5, "times": 30, "mixed": 30, "times_plus_rising": 20}
_FORMULAS: Mapping[str, Callable[[Numbers], int]] = MappingProxyType(
    {
        "cubes": lambda n: n[0] ** 3 + n[1],
        "primes": lambda n: prime(n[0]) + n[1],
        "prime_squares": lambda n: prime(n[0]) ** 2 + n[1],
        "squares_plus_minus": lambda n: n[0] ** 2 + n[1],
    }
)
_BEFORE = {"sum_of_two": 2, "sum_of_three": 3}


def kinds_of(group: str) -> list[str]:
    """The kinds that are drawn as this group; of "any" all."""
    return [name for name, kind in KINDS.items() if group in ("any", kind.group)]


def drawn(group: str, count: int, rng: Rng) -> tuple[Rule, tuple[int, ...]] | None:
    """A rule of this group, and so many terms of it; None if the draw is of no use. "any": every kind is equally likely."""
    names = kinds_of(group)
    if group == "interleaved" or (group == "any" and count >= LEAST_INTERLEAVED and rng.chance(1, 4)):
        names = [rng.pick(STRANDS), rng.pick(STRANDS)]
    else:
        names = [rng.pick(names)]
    strands = tuple([(name, _NUMBERS[name](rng.child("numbers", i))) for i, name in enumerate(names)])
    firsts = []
    for name, numbers in strands:
        if name in _FORMULAS:
            firsts.append([_FORMULAS[name](numbers)])
        else:
            top = _LARGE.get(name, 60 if rng.chance(3, 4) else 300)
            firsts.append([rng.between(1, top) for _ in range(_BEFORE.get(name, 1))])
    if names == ["divide"]:  # so that it goes on without a remainder
        firsts[0][0] = rng.between(1, 40) * strands[0][1][0] ** (count - 1)
    rule = Rule(strands)
    terms = given(rule, firsts, count)
    plain = terms is not None and len(set(terms)) >= count - 1 and all(a != b for a, b in pairwise(terms))
    return (rule, terms) if terms is not None and plain else None
