"""Whether a whole series follows a rule of the declared grammar (series.py says which there are), by its differences.

For the plain checker: written from the rules, apart from how they are fitted. `unsure` is the place of a term that does not count
as evidence, since it is what a reply supplies.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import isqrt

_LOW, _HIGH = 0, 9_999


@cache
def _primes() -> list[int]:
    sieve = bytearray([1]) * 12_000
    for n in range(2, 110):
        sieve[n * n :: n] = bytes(len(sieve[n * n :: n]))
    return [n for n in range(2, 12_000) if sieve[n]]


@cache
def _next_prime() -> dict[int, int]:
    return dict(pairwise(_primes()))


def _differences(terms: Sequence[int]) -> list[int]:
    return [b - a for a, b in pairwise(terms)]


def follows(terms: Sequence[int], unsure: int) -> bool:
    """Return whether one rule gives all terms, or two that are interleaved."""
    if not all(_LOW <= term <= _HIGH for term in terms):
        return False
    known, beginning = len(terms) - 1, terms[:4]  # which follows the rule too
    if any(count < known and holds(beginning) and holds(terms) for count, holds in _WHOLE):
        return True
    if len(terms) < 8:
        return False
    return all(_strand(terms[start::2], unsure % 2 == start) for start in (0, 1))


def _strand(terms: Sequence[int], unsure: bool) -> bool:
    return any(count < len(terms) - unsure and holds(terms) for count, holds in _PARTS)


# ---- sums and products ----------------------------------------------------------------------------------------------------


def _even(steps: Sequence[int]) -> bool:
    """All the same, and not 0."""
    return steps[0] != 0 and len(set(steps)) == 1


def _add(terms: Sequence[int]) -> bool:
    return _even(_differences(terms))


def _second(terms: Sequence[int]) -> bool:
    return _even(_differences(_differences(terms)))


def _times(terms: Sequence[int]) -> bool:
    return terms[0] > 0 and any(all(b == a * r for a, b in pairwise(terms)) for r in range(2, 10))


def _divide(terms: Sequence[int]) -> bool:
    return _times(terms[::-1])


def _mixed(terms: Sequence[int]) -> bool:
    """Differences in a ratio; without it being the terms' own."""
    steps = _differences(terms)
    return 0 not in steps and not _times(terms) and any(all(b == a * r for a, b in pairwise(steps)) for r in range(2, 10))


def _shrinking(terms: Sequence[int]) -> bool:
    return _mixed(terms[::-1])


def _factors(terms: Sequence[int], plus: int) -> list[int] | None:
    """What each term, with so much added, is multiplied by."""
    if any(a + plus == 0 or b % (a + plus) for a, b in pairwise(terms)):
        return None
    return [b // (a + plus) for a, b in pairwise(terms)]


def _rising(terms: Sequence[int], plus: int = 0) -> bool:
    found = _factors(terms, plus)
    return found is not None and 1 <= found[0] <= 9 and found == list(range(found[0], found[0] + len(found)))


def _rising_twice(terms: Sequence[int]) -> bool:
    return _rising(terms, 1)


def _rising_plus(terms: Sequence[int]) -> bool:
    for k in range(1, 10):
        left = {b - (k + i) * a for i, (a, b) in enumerate(pairwise(terms))}
        if len(left) == 1 and left != {0}:
            return True
    return False


def _times_plus_rising(terms: Sequence[int]) -> bool:
    for m in range(2, 10):
        left = [b - m * a for a, b in pairwise(terms)]
        if 0 <= left[0] <= 9 and left == list(range(left[0], left[0] + len(left))):
            return True
    return False


# ---- by turns -------------------------------------------------------------------------------------------------------------


def _by_turns(terms: Sequence[int]) -> bool:
    steps = _differences(terms)
    return len(set(steps[::2])) == len(set(steps[1::2])) == 1 and steps[0] != steps[1]


def _product_then_sum(terms: Sequence[int], product: int) -> bool:
    pairs = list(pairwise(terms))
    added = {b - a for a, b in pairs[1 - product :: 2]}
    return len(added) == 1 and added != {0} and any(all(b == m * a for a, b in pairs[product::2]) for m in range(2, 10))


def _times_add(terms: Sequence[int]) -> bool:
    return _product_then_sum(terms, 0)


def _add_times(terms: Sequence[int]) -> bool:
    return _product_then_sum(terms, 1)


def _times_plus_minus(terms: Sequence[int]) -> bool:
    for m in range(2, 10):
        left = [b - m * a for a, b in pairwise(terms)]
        if left[0] != 0 and all(a == -b for a, b in pairwise(left)):
            return True
    return False


def _turned(steps: Sequence[int]) -> list[int]:
    """Every second one with its sign changed."""
    return [-step if at % 2 else step for at, step in enumerate(steps)]


def _swinging(terms: Sequence[int]) -> bool:
    return _even(_differences(_turned(_differences(terms))))


# ---- primes and powers ----------------------------------------------------------------------------------------------------


def _in_primes(numbers: Sequence[int]) -> bool:
    after = _next_prime()
    return numbers[0] in after and all(after.get(a) == b for a, b in pairwise(numbers))


def _in_powers(numbers: Sequence[int], power: int, least: int = 1) -> bool:
    start = round(max(0, numbers[0]) ** (1 / power))
    return start >= least and all(number == (start + i) ** power for i, number in enumerate(numbers))


def _signed(steps: list[int]) -> list[int]:
    return steps if steps[0] > 0 else [-step for step in steps]


def _prime_steps(terms: Sequence[int]) -> bool:
    return _in_primes(_signed(_differences(terms)))


def _prime_steps_turned(terms: Sequence[int]) -> bool:
    return _in_primes(_signed(_turned(_differences(terms))))


def _power_steps(terms: Sequence[int]) -> bool:
    steps = _differences(terms)
    each = [_signed(steps), _signed(_turned(steps))]
    return any(steps[0] > 0 and _in_powers(steps, power) for steps in each for power in (2, 3))


def _cubes(terms: Sequence[int]) -> bool:
    for root in range(23):
        added = terms[0] - root**3
        if abs(added) <= 90 and _in_powers([term - added for term in terms], 3, 0):
            return True
    return False


def _primes_plus(terms: Sequence[int]) -> bool:
    after = _next_prime()
    shifts = [added for added in range(-9, 10) if after.get(terms[0] - added) == terms[1] - added]
    return any(_in_primes([term - added for term in terms]) for added in shifts)


def _square(number: int) -> bool:
    return number >= 0 and isqrt(number) ** 2 == number


def _prime_squares(terms: Sequence[int]) -> bool:
    for added in range(-9, 10):
        if terms[0] - added < 4 or not _square(terms[0] - added):
            continue
        squares = [term - added for term in terms]
        if min(squares) > 3 and all(_square(n) for n in squares) and _in_primes([isqrt(n) for n in squares]):
            return True
    return False


def _squares_plus_minus(terms: Sequence[int]) -> bool:
    for added in (*range(-9, 0), *range(1, 10)):
        if _square(terms[0] - added) and _in_powers(
            [term - (-added if at % 2 else added) for at, term in enumerate(terms)], 2, 0
        ):
            return True
    return False


# ---- what came before, and digits ------------------------------------------------------------------------------------------


def _sum_of_two(terms: Sequence[int]) -> bool:
    left = {terms[i + 2] - terms[i + 1] - terms[i] for i in range(len(terms) - 2)}
    return len(left) == 1 and abs(min(left)) <= 9


def _sum_of_three(terms: Sequence[int]) -> bool:
    return all(terms[i + 3] == terms[i] + terms[i + 1] + terms[i + 2] for i in range(len(terms) - 3))


def _digit_sums(terms: Sequence[int]) -> bool:
    return all(b - a == a // 1000 + a // 100 % 10 + a // 10 % 10 + a % 10 for a, b in pairwise(terms))


def _reversals(terms: Sequence[int]) -> bool:
    left = set()
    for a, b in pairwise(terms):
        turned = 0
        while a:
            turned, a = 10 * turned + a % 10, a // 10
        left.add(b - turned)
    return len(left) == 1


_WHOLE = (
    (2, _add),
    (2, _times),
    (2, _divide),
    (3, _second),
    (3, _mixed),
    (3, _shrinking),
    (2, _rising),
    (3, _rising_plus),
    (2, _rising_twice),
    (3, _times_plus_rising),
    (3, _by_turns),
    (3, _times_add),
    (3, _add_times),
    (3, _times_plus_minus),
    (3, _swinging),
    (2, _prime_steps),
    (2, _prime_steps_turned),
    (2, _power_steps),
    (2, _cubes),
    (2, _primes_plus),
    (2, _prime_squares),
    (2, _squares_plus_minus),
    (3, _sum_of_two),
    (3, _sum_of_three),
    (1, _digit_sums),
    (2, _reversals),
)
_PARTS = ((2, _add), (2, _times), (2, _divide), (3, _second), (2, _cubes), (2, _primes_plus))
