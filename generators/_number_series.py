"""What careless solvers of a series get, and other ways to write its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from puzzlemill import family as f
from puzzlemill.rules.series import HIGH, LOW, PRIMES
from puzzlemill.rules.series_space import UNKNOWN
from puzzlemill.vocabulary.series import REMARKS, ROMAN, ROMANS, WORDS, writer
from puzzlemill.vocabulary.wordings import FIRST, LAST

_GROUPS = ((5,), (4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1))  # sizes of the groups that options lie in
_APART = 4  # from one group to the next, at least, but for small numbers
_COUNT = 5
_PLANS, _INSIDE, _DRAWS = 24, 12, 80  # of plans, so many put all options between the numbers beside the gap
_OFF = 4  # numbers that a term becomes at most, so that no pattern is left


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

    Options lie in groups. How large these are, and which number of which group is the right one, is drawn before all else, and
    kept as long as that can be: where an option lies among the others does not tell whether it is the right one. Nor does its
    size: options as few series have as their answers are taken as seldom. A number that stands out gets none: others of its sort
    are shown in the series.
    """
    if stands_out(right):
        return
    made = slips(terms, right)
    low, high = _between(terms, right)
    for plan in range(_PLANS):
        there = rng.child("plan", plan)
        sizes = there.shuffled(there.pick(_GROUPS))
        own = there.pick([group for group, size in enumerate(sizes) for _ in range(size)])
        place, alike = there.below(sizes[own]), there.chance(1, 2)
        for turn in range(_DRAWS):
            here = there.child(turn)
            found = _grouped(right, made, sizes, own, place, here)
            if alike:  # even among odd numbers, or odd among even ones, it would stand out
                found = [value + (value + right) % 2 for value in found]
            sound = all(LOW <= value <= HIGH and not stands_out(value) for value in found) and len({*found, *terms}) == len(
                found
            ) + len({*terms} - {right})
            if plan < _INSIDE and not all(low < value < high for value in found):
                continue
            if sound and here.child("seldom").chance(min(map(_common, found)), _common(right)):
                yield from [value for value in here.shuffled(found) if value != right]
                break


def _between(terms: tuple[int, ...], right: int) -> tuple[int, int]:
    """The numbers beside a gap, where all of the series rises or falls: only the right one may lie between them."""
    whole, at = [right if term == UNKNOWN else term for term in terms], terms.index(UNKNOWN)
    if sorted(whole) not in (whole, whole[::-1]):
        return LOW - 1, HIGH + 1
    beside_it = whole[max(0, at - 1) : at] + whole[at + 1 : at + 2]
    return (min(beside_it), max(beside_it)) if len(beside_it) > 1 else (LOW - 1, HIGH + 1)


def _common(number: int) -> int:
    """How often a number of this size is the right one, of 400."""
    return min(400, 10 * (number + 1))


def stands_out(number: int) -> bool:
    """Return whether a number is the cube of 3 or more, or the square of a prime from 5 on: whoever knows these takes it."""
    cube, square = round(number ** (1 / 3)), round(number ** (1 / 2))
    return (cube > 2 and cube**3 == number) or (square > 4 and square**2 == number and square in PRIMES)


def _grouped(right: int, made: list[int], sizes: list[int], own: int, place: int, rng: f.Rng) -> list[int]:
    """Numbers in groups of these sizes; the right one has this place in its own group."""
    anchors, apart = {own: right}, min(_APART, 1 + right // 8)
    for group in (*range(own + 1, len(sizes)), *range(own - 1, -1, -1)):
        up = group > own
        last = anchors[group - 1 if up else group + 1]
        far = max(apart, last * rng.between(10, 120) // 100)
        slip = [value for value in rng.shuffled(made) if apart <= (value - last if up else last - value) <= 2 * far]
        anchors[group] = slip[0] if slip else last + far if up else min(last - apart, last * last // (last + far or 1))
    return [
        value
        for group, size in enumerate(sizes)
        for here in [rng.child("group", group)]
        for value in _group(anchors[group], size, place if group == own else here.below(size), here.child("steps"))
    ]


def _group(anchor: int, size: int, at: int, rng: f.Rng) -> list[int]:
    """So many numbers near each other, of which the anchor has this place."""
    numbers = [0]
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


def paraphrased(puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> f.Style:
    """Another voice, short if this one is."""
    now = puzzle.style.phrasing
    while True:
        voice = rng.between(FIRST, LAST) * (-1 if now < 0 else 1)
        if voice != now:
            return replace(puzzle.style, phrasing=voice)


def red_herring(puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> f.Style:
    """A remark about one of the numbers that are shown, whichever it is."""
    term = rng.pick([term for term in puzzle.board.terms if term != UNKNOWN])
    remark = rng.child("remark").pick(REMARKS).format(A=writer(puzzle.style.theme)(term))
    return replace(puzzle.style, asides=((0, remark),))


def remarks(puzzle: f.Puzzle[Any, Any]) -> list[str]:
    """The remarks of a style. Raises BadRow for others than red_herring() makes."""
    known = {
        remark.format(A=write(term))
        for write in (str, writer(puzzle.style.theme))
        for term in puzzle.board.terms
        if term != UNKNOWN
        for remark in REMARKS
    }
    if len(puzzle.style.asides) > 1 or any(place or text not in known for place, text in puzzle.style.asides):
        raise f.BadRow(f"style.asides: expected a remark about a number of the series, got {str(puzzle.style.asides)[:60]}")
    return [text for _, text in puzzle.style.asides]


class Terms(f.Clues[Any, Any]):
    """The terms are the board, and nothing can be left out. What changes is one of them."""

    shallow = False

    def can_clash(self, spec: f.Spec[Any]) -> bool:
        return True

    def deep_odds(self, puzzle: f.Puzzle[Any, Any]) -> tuple[int, int]:
        return 1, 1  # there are no clues of which one alone could clash

    def changes(self, puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> Iterator[f.Puzzle[Any, Any]]:
        """One term is another number, a little off."""
        terms = puzzle.board.terms
        for at in rng.shuffled([at for at, term in enumerate(terms) if term != UNKNOWN]):
            near, here = max(4, terms[at] // 12), rng.child("off", at)
            values = [
                value for value in range(terms[at] - near, terms[at] + near + 1) if LOW <= value <= HIGH and value not in terms
            ]
            for value in here.shuffled(values)[:_OFF]:
                yield replace(puzzle, board=replace(puzzle.board, terms=(*terms[:at], value, *terms[at + 1 :])))
