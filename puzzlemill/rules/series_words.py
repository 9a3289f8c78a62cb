"""Rules of series in words: what leads from one term to the next, with the numbers of the series."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from puzzlemill.core.words import listed, pick
from puzzlemill.rules.series import Numbers, Rule, digit_sum, prime


def _by(amount: int) -> str:
    return f"{abs(amount)} {'more' if amount > 0 else 'less'} than"


def _plus(amount: int, what: str) -> str:
    """ "add 3", "subtract 3"."""
    return f"{'add' if amount > 0 else 'subtract'} {abs(amount)}{what}"


def _signs(steps: Sequence[int]) -> str:
    return ", ".join([f"+{step}" if step > 0 else str(step) for step in steps])


def works(rule: Rule, terms: Sequence[int], voice: int = 0) -> str:
    """How a rule leads through its terms, one or two sentences without the last full stop."""
    if len(rule.strands) == 1:
        ((name, numbers),) = rule.strands
        return _strand(name, numbers, terms, voice)
    (one, first), (other, second) = rule.strands
    left, right = terms[::2], terms[1::2]
    opening = pick(
        voice,
        "two series take turns",
        "there are two series, each in every second place",
        "every second term belongs to a series of its own",
    )
    firsts = f"The first, third, ... terms are {listed(list(map(str, left)))}: {_strand(one, first, left, voice)}"
    return f"{opening}. {firsts}. The others are {listed(list(map(str, right)))}: {_strand(other, second, right, voice)}"


def _strand(name: str, n: Numbers, terms: Sequence[int], voice: int) -> str:
    steps = [b - a for a, b in pairwise(terms)]
    if name in _SAYS_STEPS:
        return pick(
            voice,
            f"the differences are {_signs(steps)}: {_SAYS_STEPS[name]}".format(*[abs(each) for each in n], *n),
            f"from term to term the differences are {_signs(steps)}, so {_SAYS_STEPS[name]}".format(*[abs(e) for e in n], *n),
            f"the steps are {_signs(steps)}; {_SAYS_STEPS[name]}".format(*[abs(each) for each in n], *n),
        )
    if name == "add":
        return f"each term is {_by(n[0])} the one before it"
    if name in ("times", "divide"):
        return f"each term is the one before it {'times' if name == 'times' else 'divided by'} {n[0]}"
    if name == "primes" and not n[1]:
        return _rule(name, n)
    return f"{_rule(name, n)}: {_sums(name, n, terms)}"


_SAYS_STEPS = {
    "second": "they change by the same amount each time",
    "shrinking": "each is the one before it divided by {0}",
    "by_turns": "two steps take turns",
    "swinging": "their signs alternate and their sizes change evenly",
    "prime_differences": "they are primes in a row",
    "square_differences": "they are squares in a row",
    "cube_differences": "they are cubes in a row",
    "prime_differences_swinging": "they are primes in a row, with signs that alternate",
    "square_differences_swinging": "they are squares in a row, with signs that alternate",
    "cube_differences_swinging": "they are cubes in a row, with signs that alternate",
}


def _rule(name: str, n: Numbers) -> str:
    """The rule as an instruction."""
    if name == "mixed":
        return f"multiply by {n[0]} and {_plus(n[1], '')} each time"
    if name == "rising":
        return f"multiply by {n[0]}, then by {n[0] + 1}, then by {n[0] + 2}, and so on"
    if name == "rising_plus":
        return f"multiply by {n[0]}, {n[0] + 1}, {n[0] + 2}, ... and {_plus(n[1], '')} each time"
    if name == "rising_twice":
        return f"add 1 and multiply by {n[0]}, {n[0] + 1}, {n[0] + 2}, ... in turn"
    if name == "times_plus_rising":
        return f"multiply by {n[0]} and add {n[1]}, {n[1] + 1}, {n[1] + 2}, ... in turn"
    if name == "times_add":
        return f"multiply by {n[0]} and {_plus(n[1], '')} by turns"
    if name == "add_times":
        return f"{_plus(n[1], '')} and multiply by {n[0]} by turns"
    if name == "times_plus_minus":
        return f"multiply by {n[0]} and, by turns, {_plus(n[1], '')} and {_plus(-n[1], '')}"
    if name == "sum_of_two":
        return "each term is the sum of the two before it" + (f", {'plus' if n[0] > 0 else 'minus'} {abs(n[0])}" if n[0] else "")
    if name == "sum_of_three":
        return "each term is the sum of the three before it"
    if name == "digit_sums":
        return "add the sum of a term's digits to it to get the next one"
    if name == "reversals":
        return f"write a term's digits backwards{' and ' + _plus(n[0], '') if n[0] else ''} to get the next one"
    what = {"cubes": "cubes in a row", "primes": "primes in a row", "prime_squares": "the squares of primes in a row"}
    if name == "squares_plus_minus":
        return f"squares in a row, with {abs(n[1])} added and subtracted by turns"
    return what[name] + (f", each with {abs(n[1])} {'added' if n[1] > 0 else 'subtracted'}" if n[1] else "")


def _sums(name: str, n: Numbers, terms: Sequence[int]) -> str:
    """The terms worked out."""
    pairs = list(pairwise(terms))
    if name == "mixed":
        parts = [f"{a} * {n[0]} {_tail(n[1])} = {b}" for a, b in pairs]
    elif name == "rising":
        parts = [f"{a} * {n[0] + i} = {b}" for i, (a, b) in enumerate(pairs)]
    elif name == "rising_plus":
        parts = [f"{a} * {n[0] + i} {_tail(n[1])} = {b}" for i, (a, b) in enumerate(pairs)]
    elif name == "rising_twice":
        parts = [f"({a} + 1) * {n[0] + i} = {b}" for i, (a, b) in enumerate(pairs)]
    elif name == "times_plus_rising":
        parts = [f"{a} * {n[0]} + {n[1] + i} = {b}" for i, (a, b) in enumerate(pairs)]
    elif name in ("times_add", "add_times"):
        product = name == "times_add"
        parts = [
            f"{a} * {n[0]} = {b}" if (i % 2 == 0) is product else f"{a} {_tail(n[1])} = {b}" for i, (a, b) in enumerate(pairs)
        ]
    elif name == "times_plus_minus":
        parts = [f"{a} * {n[0]} {_tail(n[1] * (-1) ** i)} = {b}" for i, (a, b) in enumerate(pairs)]
    elif name == "sum_of_two":
        tail = f" {_tail(n[0])}" if n[0] else ""
        parts = [f"{terms[i]} + {terms[i + 1]}{tail} = {terms[i + 2]}" for i in range(len(terms) - 2)]
    elif name == "sum_of_three":
        parts = [f"{terms[i]} + {terms[i + 1]} + {terms[i + 2]} = {terms[i + 3]}" for i in range(len(terms) - 3)]
    elif name == "digit_sums":
        parts = [f"{a} + {digit_sum(a)} = {b}" for a, b in pairs]
    elif name == "reversals":
        parts = [f"{a} turned round is {int(str(a)[::-1])}" + (f", {_tail(n[0])} gives {b}" if n[0] else "") for a, b in pairs]
    else:
        parts = [f"{_formula(name, n[0] + i)}{_added(name, n[1], i)} = {term}" for i, term in enumerate(terms)]
    return ", ".join(parts) if name != "reversals" else "; ".join(parts)


def _tail(amount: int) -> str:
    return f"{'+' if amount > 0 else '-'} {abs(amount)}"


def _formula(name: str, root: int) -> str:
    if name == "cubes":
        return f"{root}^3"
    if name == "primes":
        return str(prime(root))
    return f"{prime(root)}^2" if name == "prime_squares" else f"{root}^2"


def _added(name: str, amount: int, i: int) -> str:
    amount *= (-1) ** (i * (name == "squares_plus_minus"))
    return f" {_tail(amount)}" if amount else ""
