"""The declared class of codes on words: which codes a word may be written in, and how they are fitted to samples.

A code first puts the letters of a word into an *order* (ORDERS), then writes each of them by its kind: as a letter or a number;
or it makes one number of the whole word. A *kind* has variants (the step by which a shift grows) and a number or two of its own,
its *keys*: what is written is a base, which letter, place and variant give, plus the key of that letter's group. Letters are 0 to
25, places are counted from 0 in the new order; after Z comes A.

Here keys are solved for: each letter of a sample says what the key of its group must be. The plain checker (codes_check.py) looks
at what all letters have in common, and the kernel (solvers/kernels/codes.py) tries every code; they share nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from types import MappingProxyType

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
VOWELS = (0, 4, 8, 14, 20)
CONSONANTS = tuple([letter for letter in range(26) if letter not in VOWELS])
MOST = MappingProxyType({"letters": 25, "numbers": 999, "sums": 9_999})  # what a place of a code may hold
ADDED = 20  # of what is added to or taken from numbers
_ADDED = range(-ADDED, ADDED + 1)
_STEPS = (-3, -2, -1, 1, 2, 3)
_SIDES = (1, -1)  # letters numbered from A, or from Z

Word = tuple[int, ...]  # letters, or what they are written as
Pair = tuple[Word, Word]  # a word and its code
Code = tuple[str, str, int, tuple[int, ...]]  # order, kind, place of the variant, keys


# ---- orders of the letters ----------------------------------------------------------------------------------------------


def _in_pairs(n: int) -> list[int]:
    return [i ^ 1 if i ^ 1 < n else i for i in range(n)]


def _halves(n: int, turned: bool) -> list[int]:
    """The halves turned round each, or exchanged; a middle letter stays."""
    half, rest = n // 2, n - n // 2
    first, middle, last = list(range(half)), list(range(half, rest)), list(range(rest, n))
    return first[::-1] + middle + last[::-1] if turned else last + middle + first


ORDERS: Mapping[str, Callable[[int], list[int]]] = MappingProxyType(
    {
        "same": lambda n: list(range(n)),
        "backwards": lambda n: list(range(n))[::-1],
        "pairs": _in_pairs,
        "halves_turned": lambda n: _halves(n, True),
        "halves_exchanged": lambda n: _halves(n, False),
        "ends": lambda n: [n - 1, *range(1, n - 1), 0] if n > 1 else [0],
        "first_last": lambda n: [*range(1, n), 0],
        "last_first": lambda n: [n - 1, *range(n - 1)],
    }
)


@lru_cache(maxsize=256)
def places(order: str, n: int) -> tuple[int, ...]:
    """Which letter of a word of n letters stands in each place of the new order."""
    return tuple(ORDERS[order](n))


# ---- kinds --------------------------------------------------------------------------------------------------------------

Bases = list[tuple[int, int]]  # for each sign of the code: the group of its key, and the base to which the key is added


@dataclass(frozen=True, slots=True)
class Kind:
    """variants: what sets them apart. keys: the values of each group's key. bases: of a word in its new order, by variant.

    level: how hard it is to see, from 1. circles: of letters that are counted among themselves, by groups; () for all 26.
    one_to_one: a code can be turned back into one word.
    """

    variants: tuple[tuple[int, ...], ...]
    keys: tuple[Sequence[int], ...]
    bases: Callable[[tuple[int, ...], Word], Bases]
    level: int
    circles: tuple[tuple[int, ...], ...] = ()
    one_to_one: bool = True


def _vowel(letter: int) -> int:
    return 0 if letter in VOWELS else 1


def _middle(i: int, n: int) -> int:
    return int((n % 2 == 0 and i in (n // 2 - 1, n // 2)) or (n % 2 == 1 and i == n // 2))


def _place(letter: int, side: int) -> int:
    """The number of a letter, from 1, as counted from A or from Z."""
    return letter + 1 if side > 0 else 26 - letter


_ANY, _ONE = range(26), ((),)
_LETTERS = {
    "shift": Kind(_ONE, (_ANY,), lambda _v, w: [(0, x) for x in w], 1),
    "mirror": Kind(_ONE, (_ANY,), lambda _v, w: [(0, 25 - x) for x in w], 2),
    "growing": Kind(tuple([(step,) for step in _STEPS]), (_ANY,), lambda v, w: [(0, x + v[0] * i) for i, x in enumerate(w)], 2),
    "alternating": Kind(_ONE, (_ANY, _ANY), lambda _v, w: [(i % 2, x) for i, x in enumerate(w)], 2),
    "apart": Kind(_ONE, (_ANY, _ANY), lambda _v, w: [(_vowel(x), x) for x in w], 2, one_to_one=False),
    "circles": Kind(
        _ONE,
        (range(5), range(21)),
        lambda _v, w: [(_vowel(x), (VOWELS, CONSONANTS)[_vowel(x)].index(x)) for x in w],
        3,
        (VOWELS, CONSONANTS),
    ),
    "middle": Kind(_ONE, (_ANY, _ANY), lambda _v, w: [(_middle(i, len(w)), x) for i, x in enumerate(w)], 3),
}
_NUMBERS = {
    "places": Kind(tuple(product(_SIDES, range(1, 6))), (_ADDED,), lambda v, w: [(0, v[1] * _place(x, v[0])) for x in w], 1),
    "rising": Kind(
        tuple(product(_SIDES, _STEPS)), (_ADDED,), lambda v, w: [(0, _place(x, v[0]) + v[1] * i) for i, x in enumerate(w)], 2
    ),
    "squares": Kind(tuple([(s,) for s in _SIDES]), (_ADDED,), lambda v, w: [(0, _place(x, v[0]) ** 2) for x in w], 2),
    "both_ways": Kind(
        tuple([(s,) for s in _SIDES]),
        (_ADDED,),
        lambda v, w: [(0, _place(x, -v[0] if _vowel(x) else v[0])) for x in w],
        3,
        one_to_one=False,
    ),
}


def total(w: Word, group: int, side: int) -> int:
    """The sum of a word's letters as numbers: of all of them (0), of its vowels (1), or of its consonants (2)."""
    return sum([_place(x, side) for x in w if not group or _vowel(x) == group - 1])


_SUMMED = tuple(product((0, 1, 2), _SIDES))
_SUMS = {
    "sum": Kind(tuple(product((0, 1, 2), _SIDES, range(1, 6))), (_ADDED,), lambda v, w: [(0, v[2] * total(w, *v[:2]))], 1),
    "sum_and_length": Kind(
        tuple(product((0, 1, 2), _SIDES, [j for j in range(-5, 6) if j])),
        ((0,),),
        lambda v, w: [(0, total(w, *v[:2]) + v[2] * len(w))],
        2,
    ),
    "sum_times_length": Kind(_SUMMED, (_ADDED,), lambda v, w: [(0, total(w, *v) * len(w))], 2),
}
KINDS: Mapping[str, Mapping[str, Kind]] = MappingProxyType(
    {name: MappingProxyType(kinds) for name, kinds in (("letters", _LETTERS), ("numbers", _NUMBERS), ("sums", _SUMS))}
)
TASKS = tuple(KINDS)


def kinds_of(task: str, decode: bool) -> dict[str, Kind]:
    """The kinds of codes that count; where a word is to be found, those that turn back into one word."""
    return {name: kind for name, kind in KINDS[task].items() if kind.one_to_one or not decode}


def orders_of(task: str) -> tuple[str, ...]:
    """The orders that count: a sum has none."""
    return ("same",) if task == "sums" else tuple(ORDERS)


def codes(task: str, decode: bool) -> Iterator[Code]:
    """Every code of the class, in a fixed order."""
    for order in orders_of(task):
        for name, kind in kinds_of(task, decode).items():
            for variant in range(len(kind.variants)):
                for keys in product(*kind.keys):
                    yield order, name, variant, keys


def size(task: str, decode: bool) -> int:
    """How many codes there are."""
    each = 0
    for kind in kinds_of(task, decode).values():
        ways = len(kind.variants)
        for keys in kind.keys:
            ways *= len(keys)
        each += ways
    return each * len(orders_of(task))


# ---- writing and reading ------------------------------------------------------------------------------------------------


def written(task: str, code: Code, word: Word) -> Word | None:
    """The word in this code; None if a number of it is out of bounds."""
    order, name, variant, keys = code
    kind = KINDS[task][name]
    ordered = tuple([word[at] for at in places(order, len(word))])
    found = [_sign(task, kind, group, base + keys[group]) for group, base in kind.bases(kind.variants[variant], ordered)]
    return tuple(found) if all(0 <= sign <= MOST[task] for sign in found) else None


def _sign(task: str, kind: Kind, group: int, value: int) -> int:
    if kind.circles:
        return kind.circles[group][value % len(kind.circles[group])]
    return value % 26 if task == "letters" else value


@lru_cache(maxsize=1024)
def _alike(task: str, name: str, variant: int, n: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """What a variant makes of a word of n times the same letter, before its keys, for each letter."""
    kind = KINDS[task][name]
    return tuple([tuple(kind.bases(kind.variants[variant], (letter,) * n)) for letter in range(26)])


def read(task: str, code: Code, text: Word) -> Word | None:
    """The word whose code this is, by trying all letters in each place; None if there is none."""
    order, name, variant, keys = code
    kind, n = KINDS[task][name], len(text)
    found: list[int] = [0] * n
    for i, (at, sign) in enumerate(zip(places(order, n), text, strict=True)):
        for letter, bases in enumerate(_alike(task, name, variant, n)):
            group, base = bases[i]
            if _sign(task, kind, group, base + keys[group]) == sign:
                found[at] = letter
                break
        else:
            return None
    return tuple(found)


# ---- fitting ------------------------------------------------------------------------------------------------------------


def fitted(task: str, decode: bool, pairs: Sequence[Pair]) -> Iterator[Code]:
    """Every code that turns each of these words into its code: as filtering codes() gives them, in the same order."""
    for order in orders_of(task):
        ordered = [(tuple([word[at] for at in places(order, len(word))]), text) for word, text in pairs]
        for name, kind in kinds_of(task, decode).items():
            for variant, marks in enumerate(kind.variants):
                for keys in _keys(task, kind, marks, ordered):
                    yield order, name, variant, keys


def _keys(task: str, kind: Kind, marks: tuple[int, ...], pairs: Sequence[Pair]) -> Iterator[tuple[int, ...]]:
    """The keys with which a variant gives all of these codes."""
    known: list[int | None] = [None] * len(kind.keys)
    for word, text in pairs:
        bases = kind.bases(marks, word)
        if len(bases) != len(text):
            return
        for (group, base), sign in zip(bases, text, strict=True):
            if kind.circles:
                if sign not in kind.circles[group]:
                    return
                key = (kind.circles[group].index(sign) - base) % len(kind.circles[group])
            else:
                key = (sign - base) % 26 if task == "letters" else sign - base
            if known[group] is None and key in kind.keys[group]:
                known[group] = key
            elif known[group] != key:
                return
    yield from product(*[keys if key is None else (key,) for key, keys in zip(known, kind.keys, strict=True)])
