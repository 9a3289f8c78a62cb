"""What careless readers make of a code, for options, and samples that no code fits."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlemill.core.rng import Rng
from puzzlemill.rules.codes import KINDS, LETTERS, MOST, Code, Word, orders_of, written
from puzzlemill.rules.codes_space import FEW, drawn

_TRIED = 40
_FIVE = 5  # options


def careless(task: str, code: Code, moved: str, asked: Word, rng: Rng) -> Iterator[Word]:
    """The word in codes that are easily mistaken for this one. moved: as drawn() has it.

    Two mistakes are made, each alone and both together: another order of the letters, and keys that are a little off. Which of
    three keys is the right one is drawn; both orders go with each, so that which texts are alike does not tell the right one. An
    order that is mistaken for another is so the other way round too, and keys are counted in a circle of those that are drawn: no
    order and no key is wrong more often than others.
    """
    order, name, variant, keys = code
    for attempt in range(_TRIED):
        here = rng.child(attempt)
        others = [other for other in orders_of(task) if other != order and (moved != "reordered" or other != "same")]
        wrong = "same" if order != "same" and moved == "any" else here.pick(others)
        step, rank = here.between(1, 2), here.below(3)
        off = [_off(task, name, keys, (k - rank) * step, here.child("keys")) for k in range(3) if k != rank]
        first, second = here.shuffled(off)
        made = [(wrong, keys), (order, first), (wrong, first), (order, second), (wrong, second)]
        found = [written(task, (which, name, variant, other), asked) for which, other in here.shuffled(made)]
        texts = [text for text in found if text is not None and (task != "letters" or text != asked)]
        if len(texts) == len({*texts}) == len(made):
            yield from texts


def _off(task: str, name: str, keys: Word, by: int, rng: Rng) -> Word:
    """Keys with one of them, or all, off by so much."""
    which, off = rng.below(len(keys) + 1), list(keys)
    for at, values in enumerate(KINDS[task][name].keys):
        if which in (at, len(keys)):
            moved = _further(keys[at], by, len(values))
            off[at] = moved % len(values) if task == "letters" else moved
    return tuple(off)


def _further(key: int, by: int, size: int) -> int:
    """The key that comes so much later in the circle of the small ones, or of all where it is none of them."""
    low, small = FEW[0], len(FEW)
    signed = key - size if key > size // 2 else key
    if size > small and signed in FEW:
        return (signed - low + by) % small + low
    return (key + by) % size if size <= small else key + by


def around(asked: Word, right: Word, rng: Rng) -> Iterator[Word]:
    """Numbers for a sum: each is a slip away from the next one, and the right one is drawn to be any of the five."""
    rank = rng.below(_FIVE)
    slips = [1, 2, 3, len(asked), 10, 26, asked[0] + 1, asked[-1] + 1, 26 - asked[0]]
    for attempt in range(_TRIED):
        here = rng.child(attempt)
        steps = [here.pick(slips if attempt < _TRIED // 2 else [1, 2]) for _ in range(_FIVE - 1)]
        made = [right[0] - sum(steps[:rank]) + sum(steps[:k]) for k in range(_FIVE)]
        if made[0] >= 0 and made[-1] <= MOST["sums"]:
            yield from [(value,) for value in here.shuffled(made) if value != right[0]]
            return


def misread(task: str, decode: bool, word: Word, text: Word, rng: Rng) -> Word | None:
    """Another code of a word: with two signs exchanged, one sign a little off, or as another code of the class has it."""
    way = rng.below(3)
    if way == 0 and len(text) > 1:
        one, other = rng.few(range(len(text)), 2)
        signs = list(text)
        signs[one], signs[other] = text[other], text[one]
    elif way == 1:
        at, by = rng.below(len(text)), rng.between(1, 3) * rng.pick((1, -1))
        moved = (text[at] + by) % len(LETTERS) if task == "letters" else text[at] + by
        signs = [*text[:at], moved, *text[at + 1 :]]
    else:
        signs = list(written(task, drawn(task, decode, "any", rng.child("code")), word) or text)
    return None if tuple(signs) == text or not all(0 <= sign <= MOST[task] for sign in signs) else tuple(signs)
