"""What careless solvers of a series get, and other ways to write its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from puzzlemill import family as f
from puzzlemill.rules.series import HIGH, LOW
from puzzlemill.rules.series_space import UNKNOWN
from puzzlemill.vocabulary.series import ROMAN, ROMANS, WORDS

_GROUPS = ((5,), (4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1))  # sizes of the groups that options lie in
_APART = 4  # from one group to the next, at least, but for small numbers
_COUNT = 5
_DRAWS = 40


def slips(terms: tuple[int, ...], right: int) -> list[int]:
    """What somebody gets who carries on the last step, the one before it, a ratio, or the steps' own step."""
    at = terms.index(UNKNOWN)
    before, after = terms[:at], terms[at + 1 :]
    found = []
    if len(before) > 1:
        step = before[-1] - before[-2]
        found += [before[-1] + step]
        if before[-2] and not before[-1] % before[-2]:
            found += [before[-1] * before[-1] // before[-2]]
        if len(before) > 2:
            last = before[-2] - before[-3]
            found += [before[-1] + last, before[-1] + 2 * step - last, 2 * before[-2] - before[-3]]
    if before and after:
        found += [(before[-1] + after[0]) // 2, before[-1] + 1, after[0] - 1]
    if len(after) > 1:
        found += [2 * after[0] - after[1]]
    return found


def beside(terms: tuple[int, ...], right: int, rng: f.Rng) -> Iterator[int]:
    """Wrong options for a series: slips of reckoning, and numbers as near to them or to the right one as such slips are.

    Options lie in groups. How large these are, and which number of which group is the right one, is drawn before all else: where
    an option lies among the others does not tell whether it is the right one.
    """
    made = slips(terms, right)
    for turn in range(_DRAWS):
        here = rng.child(turn)
        found = _powers(right, here) or _grouped(right, made, here)
        if all(LOW <= value <= HIGH for value in found) and len({*found, *terms}) == len(found) + len({*terms} - {right}):
            yield from [value for value in here.shuffled(found) if value != right]


def _powers(right: int, rng: f.Rng) -> list[int]:
    """Squares or cubes in a row if the right number is one: it would stand out among others."""
    for power in (3, 2):
        root = round(right ** (1 / power))
        if root > 2 and root**power == right:
            step = rng.between(1, 2)
            first = root - rng.below(_COUNT) * step
            return [max(first + step * i, 0) ** power for i in range(_COUNT)]
    return []


def _grouped(right: int, made: list[int], rng: f.Rng) -> list[int]:
    sizes = rng.shuffled(rng.pick(_GROUPS))
    own = rng.pick([group for group, size in enumerate(sizes) for _ in range(size)])
    anchors, apart = {own: right}, min(_APART, 1 + right // 8)
    for group in (*range(own + 1, len(sizes)), *range(own - 1, -1, -1)):
        up = group > own
        last = anchors[group - 1 if up else group + 1]
        far = max(apart, last * rng.between(10, 120) // 100)
        slip = [value for value in rng.shuffled(made) if apart <= (value - last if up else last - value) <= 2 * far]
        anchors[group] = slip[0] if slip else last + far if up else min(last - apart, last * last // (last + far or 1))
    return [value for group, size in enumerate(sizes) for value in _group(anchors[group], size, rng.child("group", group))]


def _group(anchor: int, size: int, rng: f.Rng) -> list[int]:
    """So many numbers near each other, of which the anchor may be any."""
    at, numbers = rng.below(size), [0]
    for _ in range(size - 1):
        numbers.append(numbers[-1] + rng.pick((1, 2, 10, 1 + anchor // 20, 1 + anchor // 10)))
    return [anchor + number - numbers[at] for number in numbers]


def written_out(puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> f.Style:
    return replace(puzzle.style, theme=WORDS)


def roman(puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> f.Style:
    if not has_romans(puzzle.board.terms):
        raise f.Discarded("inapplicable", "a number has no Roman numeral")
    return replace(puzzle.style, theme=ROMAN)


def has_romans(terms: tuple[int, ...]) -> bool:
    """Return whether all terms have Roman numerals."""
    return all(term in ROMANS or term == UNKNOWN for term in terms)
