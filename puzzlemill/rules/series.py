"""The declared grammar of number series: which rules a series may follow, and how they are fitted to terms, one of them unknown.

A *rule* is a kind with its numbers, a *strand* the terms that follow one rule: all of them, or, of two interleaved rules, every
second one. All terms are whole numbers from LOW to HIGH. A rule *explains* a strand if it gives every known term of it and there
are more of these than the rule has numbers (the first term is one): else any terms would follow some rule. KINDS lists the kinds
with how many numbers each has; those of STRANDS may be interleaved. Steps are numbered from 0: step i leads from term i to the
next one.

Here a rule's numbers are solved for from terms that stand together and are known, and the others follow from these, forwards
and backwards. The plain checker (series_check.py) and the kernel (solvers/kernels/series.py) go other ways; they share nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from math import isqrt
from types import MappingProxyType

LOW, HIGH = 0, 9_999
MOST = 9  # of what a term is multiplied or divided by, where that does not change
ADDED = 9  # of what is added to primes and their squares; to cubes ten times as much
PRIMES = tuple([n for n in range(2, 12_000) if all(n % d for d in range(2, int(n**0.5) + 1))])
_BETWEEN_CUBES = MappingProxyType({(root + 1) ** 3 - root**3: root for root in range(24)})
_PLACE = MappingProxyType({prime: at for at, prime in enumerate(PRIMES)})

Terms = Sequence[int | None]
Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """strands: of one or two strands, the kind and its numbers."""

    strands: tuple[tuple[str, Numbers], ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """count: of numbers that decide its terms. group: what it is drawn as. level: how hard it is to see, from 1.

    run: known terms that stand together from which solve(run, place of the first) gives the numbers. goes: (numbers, place of the
    first of some terms, these terms) to the next one, back: to the one before the first; None for none.
    """

    count: int
    group: str
    level: int
    run: int
    solve: Callable[[Sequence[int], int], Iterator[Numbers]]
    goes: Callable[[Numbers, int, Sequence[int]], int | None]
    back: Callable[[Numbers, int, Sequence[int]], Sequence[int]]


def _exact(a: int, b: int) -> int | None:
    """a / b if that is a whole number."""
    return a // b if b and not a % b else None


# ---- rules of the form next = (factor * term + added) / divisor ----------------------------------------------------------

Step = tuple[int, int, int]  # factor, added, divisor
_Solve = Callable[[Sequence[int], int], Iterator[Numbers]]


def _stepwise(count: int, group: str, level: int, run: int, solve: _Solve, step: Callable[[Numbers, int], Step]) -> Kind:
    def goes(numbers: Numbers, place: int, terms: Sequence[int]) -> int | None:
        factor, added, divisor = step(numbers, place + len(terms) - 1)
        return _exact(factor * terms[-1] + added, divisor)

    def back(numbers: Numbers, place: int, terms: Sequence[int]) -> Sequence[int]:
        factor, added, divisor = step(numbers, place - 1)
        before = _exact(divisor * terms[0] - added, factor)
        return () if before is None else (before,)

    return Kind(count, group, level, run, solve, goes, back)


def _factor(value: int | None, least: int = 2, most: int = MOST) -> bool:
    return value is not None and least <= value <= most


def _quotients(a: int, b: int, least: int = 2) -> Iterator[int]:
    """The factors, from the least on, that make a of b: all of them if both are 0."""
    if a == b == 0:
        yield from range(least, least + MOST - (least == 2))
    elif _factor(found := _exact(a, b), least, least + MOST - 1 - (least == 2)) and found is not None:
        yield found


def _add(run: Sequence[int], _at: int) -> Iterator[Numbers]:
    if run[0] != run[1]:
        yield (run[1] - run[0],)


def _times(run: Sequence[int], _at: int) -> Iterator[Numbers]:
    factor = _exact(run[1], run[0])
    if factor is not None and _factor(factor):
        yield (factor,)


def _divide(run: Sequence[int], at: int) -> Iterator[Numbers]:
    yield from _times(run[::-1], at)


def _second(run: Sequence[int], at: int) -> Iterator[Numbers]:
    first, then = run[1] - run[0], run[2] - run[1]
    if first != then:
        yield first - (then - first) * at, then - first


def _mixed(run: Sequence[int], _at: int) -> Iterator[Numbers]:
    factor = _exact(run[2] - run[1], run[1] - run[0])
    if factor is not None and _factor(factor) and run[1] != factor * run[0]:
        yield factor, run[1] - factor * run[0]


def _shrinking(run: Sequence[int], _at: int) -> Iterator[Numbers]:
    divisor = _exact(run[1] - run[0], run[2] - run[1])
    if divisor is not None and _factor(divisor) and divisor * run[1] != run[0]:
        yield divisor, divisor * run[1] - run[0]


def _rising(run: Sequence[int], at: int) -> Iterator[Numbers]:
    factor = _exact(run[1], run[0])
    if factor is not None and _factor(factor - at, 1):
        yield (factor - at,)


def _rising_plus(run: Sequence[int], at: int) -> Iterator[Numbers]:
    for factor in _quotients(run[2] - 2 * run[1], run[1] - run[0], 1 + at):
        if run[1] != factor * run[0]:
            yield factor - at, run[1] - factor * run[0]


def _rising_twice(run: Sequence[int], at: int) -> Iterator[Numbers]:
    factor = _exact(run[1], run[0] + 1)
    if factor is not None and _factor(factor - at, 1):
        yield (factor - at,)


def _times_plus_rising(run: Sequence[int], at: int) -> Iterator[Numbers]:
    for factor in _quotients(run[2] - run[1] - 1, run[1] - run[0]):
        added = run[1] - factor * run[0] - at
        if 0 <= added <= MOST:
            yield factor, added


def _by_turns(run: Sequence[int], at: int) -> Iterator[Numbers]:
    steps = run[1] - run[0], run[2] - run[1]
    if steps[0] != steps[1]:
        yield steps[at % 2], steps[1 - at % 2]


def _times_then_add(first: int) -> _Solve:
    """first: 0 where the first step is the product, 1 where it is the second one."""

    def solve(run: Sequence[int], at: int) -> Iterator[Numbers]:
        product = (at + first) % 2  # the run's step that is the product
        added = run[2 - product] - run[1 - product]
        for factor in _quotients(run[product + 1], run[product]) if added else ():
            yield factor, added

    return solve


def _times_plus_minus(run: Sequence[int], at: int) -> Iterator[Numbers]:
    factor = _exact(run[2] + run[1], run[1] + run[0])
    if factor is not None and _factor(factor) and run[1] != factor * run[0]:
        yield factor, (run[1] - factor * run[0]) * (-1) ** at


def _swinging(run: Sequence[int], at: int) -> Iterator[Numbers]:
    """Differences of alternating signs that grow or shrink evenly."""
    sign = (-1) ** at
    first, then = sign * (run[1] - run[0]), -sign * (run[2] - run[1])
    if first != then:
        yield first - (then - first) * at, then - first


def _listed(place: Callable[[int], int | None], least: int, alternating: bool) -> _Solve:
    """Differences from a list: numbers are the place of the first, from the least on, and the sign. place: of a difference."""

    def solve(run: Sequence[int], at: int) -> Iterator[Numbers]:
        found = place(abs(run[1] - run[0]))
        if found is not None and found - at >= least:
            sign = 1 if run[1] > run[0] else -1
            yield found - at, sign * (-1) ** at if alternating else sign

    return solve


def _root(value: int, power: int) -> int | None:
    root = round(value ** (1 / power))
    return root if root > 0 and root**power == value else None


def prime(at: int) -> int:
    """The prime at this place, 2 at 0."""
    return PRIMES[min(at, len(PRIMES) - 1)]


# ---- other rules ---------------------------------------------------------------------------------------------------------


def _formula(count: int, group: str, level: int, run: int, solve: _Solve, term: Callable[[Numbers, int], int]) -> Kind:
    """A rule that gives each term by its place."""
    return Kind(
        count,
        group,
        level,
        run,
        solve,
        lambda numbers, place, terms: term(numbers, place + len(terms)),
        lambda numbers, place, _terms: (term(numbers, place - 1),),
    )


def _cubes(run: Sequence[int], at: int) -> Iterator[Numbers]:
    root = _BETWEEN_CUBES.get(run[1] - run[0], -1)
    if root >= at and abs(run[0] - root**3) <= 10 * ADDED:
        yield root - at, run[0] - root**3


def _primes(power: int) -> _Solve:
    def solve(run: Sequence[int], at: int) -> Iterator[Numbers]:
        least, most = max(0, run[0] - ADDED), run[0] + ADDED
        for root in range(least, most + 1) if power == 1 else range(isqrt(least), isqrt(most) + 1):
            place, added = _PLACE.get(root, -1), run[0] - root**power
            if place >= at and abs(added) <= ADDED and prime(place + 1) ** power + added == run[1]:
                yield place - at, added

    return solve


def _squares_plus_minus(run: Sequence[int], at: int) -> Iterator[Numbers]:
    quarter = _exact(run[2] - run[0], 4)
    if quarter is not None and quarter - 1 - at >= 0:
        added = (run[0] - (quarter - 1) ** 2) * (-1) ** at
        if added and abs(added) <= ADDED:
            yield quarter - 1 - at, added


def _sum_of_two(run: Sequence[int], _at: int) -> Iterator[Numbers]:
    if abs(run[2] - run[1] - run[0]) <= ADDED:
        yield (run[2] - run[1] - run[0],)


def digit_sum(number: int) -> int:
    """The sum of a number's decimal digits."""
    return sum(map(int, str(number)))


def _before_digits(_numbers: Numbers, _place: int, terms: Sequence[int]) -> Sequence[int]:
    return [n for n in range(max(LOW, terms[0] - 36), terms[0]) if n + digit_sum(n) == terms[0]]


def _reversed(run: Sequence[int], _at: int) -> Iterator[Numbers]:
    yield (run[1] - int(str(run[0])[::-1]),)


def _before_reversed(numbers: Numbers, _place: int, terms: Sequence[int]) -> Sequence[int]:
    turned = terms[0] - numbers[0]
    if turned < 1:
        return (0,) if turned == 0 else ()
    return [int(str(turned)[::-1]) * 10**zeros for zeros in range(4)] if turned % 10 else ()


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "add": _stepwise(2, "differences", 1, 2, _add, lambda n, _i: (1, n[0], 1)),
        "times": _stepwise(2, "ratios", 1, 2, _times, lambda n, _i: (n[0], 0, 1)),
        "divide": _stepwise(2, "ratios", 1, 2, _divide, lambda n, _i: (1, 0, n[0])),
        "second": _stepwise(3, "differences", 2, 3, _second, lambda n, i: (1, n[0] + n[1] * i, 1)),
        "mixed": _stepwise(3, "mixed", 2, 3, _mixed, lambda n, _i: (n[0], n[1], 1)),
        "shrinking": _stepwise(3, "differences", 3, 3, _shrinking, lambda n, _i: (1, n[1], n[0])),
        "rising": _stepwise(2, "ratios", 2, 2, _rising, lambda n, i: (n[0] + i, 0, 1)),
        "rising_plus": _stepwise(3, "mixed", 3, 3, _rising_plus, lambda n, i: (n[0] + i, n[1], 1)),
        "rising_twice": _stepwise(2, "mixed", 3, 2, _rising_twice, lambda n, i: (n[0] + i, n[0] + i, 1)),
        "times_plus_rising": _stepwise(3, "mixed", 3, 3, _times_plus_rising, lambda n, i: (n[0], n[1] + i, 1)),
        "by_turns": _stepwise(3, "alternating", 2, 3, _by_turns, lambda n, i: (1, n[i % 2], 1)),
        "times_add": _stepwise(3, "alternating", 2, 3, _times_then_add(0), lambda n, i: (1, n[1], 1) if i % 2 else (n[0], 0, 1)),
        "add_times": _stepwise(3, "alternating", 2, 3, _times_then_add(1), lambda n, i: (n[0], 0, 1) if i % 2 else (1, n[1], 1)),
        "times_plus_minus": _stepwise(3, "alternating", 3, 3, _times_plus_minus, lambda n, i: (n[0], n[1] * (-1) ** i, 1)),
        "swinging": _stepwise(3, "alternating", 3, 3, _swinging, lambda n, i: (1, (n[0] + n[1] * i) * (-1) ** i, 1)),
        **{
            f"{name}_differences{'_swinging' * swing}": _stepwise(
                2,
                group,
                2 + swing,
                2,
                _listed(place, int(name != "prime"), bool(swing)),
                lambda n, i, value=value, swing=swing: (1, n[1] * value(n[0] + i) * (-1) ** (i * swing), 1),  # type: ignore[misc]
            )
            for name, group, place, value in (
                ("prime", "primes", _PLACE.get, prime),
                ("square", "powers", lambda value: _root(value, 2), lambda at: at**2),
                ("cube", "powers", lambda value: _root(value, 3), lambda at: at**3),
            )
            for swing in (0, 1)
        },
        "cubes": _formula(2, "powers", 2, 2, _cubes, lambda n, i: (n[0] + i) ** 3 + n[1]),
        "primes": _formula(2, "primes", 2, 2, _primes(1), lambda n, i: prime(n[0] + i) + n[1]),
        "prime_squares": _formula(2, "primes", 3, 2, _primes(2), lambda n, i: prime(n[0] + i) ** 2 + n[1]),
        "squares_plus_minus": _formula(2, "powers", 3, 3, _squares_plus_minus, lambda n, i: (n[0] + i) ** 2 + n[1] * (-1) ** i),
        "sum_of_two": Kind(
            3,
            "recurrences",
            2,
            3,
            _sum_of_two,
            lambda n, _at, terms: terms[-1] + terms[-2] + n[0],
            lambda n, _at, terms: (terms[1] - terms[0] - n[0],),
        ),
        "sum_of_three": Kind(
            3,
            "recurrences",
            3,
            3,
            lambda _run, _at: iter(((),)),
            lambda _n, _at, terms: sum(terms[-3:]),
            lambda _n, _at, terms: (terms[2] - terms[1] - terms[0],),
        ),
        "digit_sums": Kind(
            1,
            "digits",
            3,
            1,
            lambda _run, _at: iter(((),)),
            lambda _n, _at, terms: terms[-1] + digit_sum(terms[-1]),
            _before_digits,
        ),
        "reversals": Kind(2, "digits", 3, 2, _reversed, lambda n, _at, terms: int(str(terms[-1])[::-1]) + n[0], _before_reversed),
    }
)
STRANDS = ("add", "times", "divide", "second", "cubes", "primes")
GROUPS = (*dict.fromkeys([kind.group for kind in KINDS.values()]), "interleaved")
LEAST_INTERLEAVED = 8  # terms of a series of two rules


# ---- fitting -------------------------------------------------------------------------------------------------------------


def readings(terms: Terms) -> Iterator[tuple[Rule, tuple[int, ...]]]:
    """Every rule that explains the terms, with all of its terms. Unknown ones are None."""
    for name in KINDS:
        for numbers, whole in _fitted(name, tuple(terms)):
            yield Rule(((name, numbers),)), whole
    if len(terms) >= LEAST_INTERLEAVED:
        odd = [(name, *fit) for name in STRANDS for fit in _fitted(name, tuple(terms[::2]))]
        even = [(name, *fit) for name in STRANDS if odd for fit in _fitted(name, tuple(terms[1::2]))]
        for one, first, left in odd:
            for other, second, right in even:
                yield Rule(((one, first), (other, second))), _woven([left, right])


@lru_cache(maxsize=4096)
def _fitted(name: str, terms: tuple[int | None, ...]) -> tuple[tuple[Numbers, tuple[int, ...]], ...]:
    """The numbers with which a kind explains a strand, and the whole strand."""
    kind = KINDS[name]
    known = [at for at, term in enumerate(terms) if term is not None]
    if len(known) <= kind.count:
        return ()
    found = []
    for at in range(len(terms) - kind.run + 1):
        run = [term for term in terms[at : at + kind.run] if term is not None]
        if len(run) == kind.run:
            break
    else:
        at, run = 0, _bridged(terms) if name == "second" else []
    for numbers in kind.solve(run, at) if run else ():
        found += [(numbers, whole) for whole in _spread(kind, numbers, run, at, terms)]
    return tuple(found)


def _bridged(terms: Sequence[int | None]) -> list[int]:
    """The first three terms of a strand with the third unknown, where second differences are constant; [] if they cannot be."""
    first, then, _, later = terms[:4]
    if first is None or then is None or later is None:
        return []
    grows = _exact(later - then - 2 * (then - first), 3)
    return [] if grows is None else [first, then, 2 * then - first + grows]


def _spread(kind: Kind, numbers: Numbers, run: list[int], at: int, terms: Sequence[int | None]) -> Iterator[tuple[int, ...]]:
    """The run with what comes before and after it, as far as it agrees with the terms."""
    whole = list(run)
    while at + len(whole) < len(terms):
        after = kind.goes(numbers, at, whole)
        if after is None or not LOW <= after <= HIGH or terms[at + len(whole)] not in (None, after):
            return
        whole.append(after)
    yield from _backwards(kind, numbers, whole, at, terms)


def _backwards(kind: Kind, numbers: Numbers, whole: list[int], at: int, terms: Sequence[int | None]) -> Iterator[tuple[int, ...]]:
    if not at:
        yield tuple(whole)
        return
    for before in kind.back(numbers, at, whole):
        if LOW <= before <= HIGH and terms[at - 1] in (None, before):
            yield from _backwards(kind, numbers, [before, *whole], at - 1, terms)


def _woven(strands: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The terms of strands that take turns."""
    return tuple([term for turn in zip_longest(*strands) for term in turn if term is not None])


def given(rule: Rule, firsts: Sequence[Sequence[int]], count: int) -> tuple[int, ...] | None:
    """So many terms of a rule whose strands begin with these; None if one is out of bounds."""
    strands = []
    for number, ((name, numbers), first) in enumerate(zip(rule.strands, firsts, strict=True)):
        strand, kind = list(first), KINDS[name]
        length = len(range(number, count, len(rule.strands)))
        while len(strand) < length:
            after = kind.goes(numbers, 0, strand)
            if after is None or not LOW <= after <= HIGH:
                return None
            strand.append(after)
        strands.append(strand[:length])
    whole = _woven(strands)
    return whole if all(LOW <= term <= HIGH for term in whole) else None
