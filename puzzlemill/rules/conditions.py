"""Codes with conditions: letters have signs of their own, and some words are written in another way.

A *case* is a test of the word and what is done to its code if the test holds; the first case that holds is applied, or, where
they are *chained*, every one that does, in their order. The numbers of a case are explained in core/model.py: CaseTable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from json import dumps
from typing import Any

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import Hypothesis, Slots, Space
from puzzlemill.core.rng import Rng

SIGNS = "0123456789X"
SPECIAL = len(SIGNS) - 1
MOST_CASES = 4
_VOWELS = (0, 4, 8, 14, 20)
_OTHERS = tuple([letter for letter in range(26) if letter not in (*_VOWELS, 23)])  # without X, which is the special sign

Case = tuple[tuple[int, int, int], tuple[int, int, int]]
Signs = tuple[tuple[int, int], ...]  # letters and their signs


def sound(codes: Signs, cases: tuple[Case, ...], word: tuple[int, ...]) -> None:
    """Raises BadRow for a board that means nothing."""
    letters = [letter for letter, _ in codes]
    if (
        not 2 <= len(set(letters)) == len(letters) <= 26
        or not all(0 <= letter < 26 and 0 <= sign < SPECIAL for letter, sign in codes)
        or not 3 <= len(word) <= 8
        or not set(word) <= set(letters)
    ):
        raise BadRow(f"board: expected a sign for each letter of a word of 3 to 8 letters, got {str(codes)[:60]}")
    last = len(word) - 1
    for (test, one, other), (action, i, j) in cases:
        fine = (test == 0 and {one, other} <= {0, 1}) or (test == 1 and 0 <= one <= last and other in (0, 1))
        fine = fine or (test == 2 and 1 <= one <= last + 1 and not other)
        done = (action in (0, 1, 2) and i != j and 0 <= i <= last and 0 <= j <= last) or (action, i, j) == (3, 0, 0)
        if not fine or not done:
            raise BadRow(f"board: expected cases as they are declared, got {str(((test, one, other), (action, i, j)))[:60]}")
    if not 1 <= len(cases) <= MOST_CASES or len({test for test, _ in cases}) < len(cases):
        raise BadRow(f"board: expected 1 to {MOST_CASES} cases with different tests, got {len(cases)}")


def holds(test: tuple[int, int, int], word: tuple[int, ...]) -> bool:
    """Return whether a test holds of a word."""
    vowel = [int(letter in _VOWELS) for letter in word]
    kind, one, other = test
    if kind == 0:
        return (vowel[0], vowel[-1]) == (one, other)
    return vowel[one] == other if kind == 1 else sum(vowel) >= one


@dataclass(frozen=True, slots=True)
class Cases(Space):
    """Which of the cases hold, as a bit mask: one way is true of the word, and it gives the code. name: of what supposes so."""

    name: tuple[str | int, ...]
    codes: Signs
    cases: tuple[Case, ...]
    chained: bool
    word: tuple[int, ...]

    def scope(self) -> str:
        return dumps([*self.name, self.codes, self.cases, self.chained])

    def parts(self) -> int:
        return 1

    def size(self, part: int) -> int:
        return 1 << len(self.cases)

    def hypotheses(self, part: int) -> Iterator[Hypothesis]:
        return iter([(mask,) for mask in range(1 << len(self.cases))])

    def fits(self, part: int, hypothesis: Hypothesis, kind: str, args: tuple[Any, ...]) -> bool:
        return False  # there are no clues

    def output(self, part: int, hypothesis: Hypothesis) -> Slots | None:
        (mask,) = hypothesis
        if any(holds(test, self.word) != bool(mask >> k & 1) for k, (test, _) in enumerate(self.cases)):
            return None
        lookup = dict(self.codes)
        signs = [lookup[letter] for letter in self.word]
        for _, action in applied(self.cases, self.chained, self.word):
            signs = done(action, signs)
        return tuple(signs)


def applied(cases: tuple[Case, ...], chained: bool, word: tuple[int, ...]) -> list[Case]:
    """The cases that are applied to a word."""
    hold = [case for case in cases if holds(case[0], word)]
    return hold if chained else hold[:1]


def done(action: tuple[int, int, int], signs: list[int]) -> list[int]:
    """The signs after what a case does."""
    kind, i, j = action
    after = list(signs)
    if kind == 0:
        after[i], after[j] = signs[j], signs[i]
    elif kind == 1:
        after[j] = signs[i]
    elif kind == 2:
        after[i] = after[j] = SPECIAL
    else:
        after = signs[::-1]
    return after


def right(codes: Signs, cases: tuple[Case, ...], chained: bool, word: tuple[int, ...], place: int) -> int:
    """The sign in one place of the code, for the plain checker: from the last case that is applied back to the letter."""
    used: list[tuple[int, int, int]] = []
    for (test, one, other), action in cases:
        first, last = word[0] in _VOWELS, word[len(word) - 1] in _VOWELS
        true = first == (one == 1) and last == (other == 1)
        if test == 1:
            true = (word[one] in _VOWELS) == (other == 1)
        if test == 2:
            count = 0
            for letter in word:
                count += letter in _VOWELS
            true = count >= one
        if true and (chained or not used):
            used.append(action)
    for kind, i, j in used[::-1]:
        if kind == 3:
            place = len(word) - 1 - place
        elif kind == 2 and place in (i, j):
            return SPECIAL
        elif kind == 1 and place == j:
            place = i
        elif kind == 0 and place in (i, j):
            place = i + j - place
    for letter, sign in codes:
        if letter == word[place]:
            return sign
    return -1


# ---- drawing ------------------------------------------------------------------------------------------------------------


def drawn(letters: int, count: int, rng: Rng) -> tuple[Signs, tuple[Case, ...], tuple[int, ...]]:
    """A table of ten letters, so many cases, and a word; in five of six draws at least one case holds."""
    known = rng.shuffled([*rng.few(_VOWELS, 4), *rng.few(_OTHERS, 6)])
    codes = tuple(zip(known, rng.shuffled(range(SPECIAL)), strict=True))
    cases = _cases(letters, count, rng.child("cases"))
    wanted = rng.chance(5, 6)
    for attempt in range(50):
        word = tuple(rng.child("word", attempt).few(known, letters))
        if any(holds(test, word) for test, _ in cases) == wanted:
            break
    return codes, cases, word


def _cases(letters: int, count: int, rng: Rng) -> tuple[Case, ...]:
    last = letters - 1
    tests = [
        (0, 0, 0),
        (0, 0, 1),
        (0, 1, 0),
        (0, 1, 1),
        (1, 1, rng.below(2)),
        (1, letters // 2, rng.below(2)),
        (2, rng.between(2, 3), 0),
    ]
    found: list[Case] = []
    for test in rng.few(tests, count):
        action = (3, 0, 0)
        while any(action == other for _, other in found) or (action[0] == 3 and not rng.chance(1, 4)):
            i, j = rng.pick(((0, last), (0, last), (last, 0), (0, 1), (1, last)))
            action = rng.pick(((0, min(i, j), max(i, j)), (1, i, j), (2, min(i, j), max(i, j)), (3, 0, 0)))
        found.append((test, action))
    return tuple(found)


def careless(codes: Signs, cases: tuple[Case, ...], word: tuple[int, ...], rng: Rng) -> Iterator[tuple[int, ...]]:
    """Codes of a word that somebody gets who applies other cases than are to be applied, or who mixes up two signs."""
    lookup = dict(codes)
    plain = [lookup[letter] for letter in word]
    ways = [plain]
    for _, action in cases:
        ways += [done(action, signs) for signs in ways]
    yield from map(tuple, rng.shuffled(ways))
    for attempt in range(40):
        here = rng.child("mixed", attempt)
        i, j = here.few(range(len(word)), 2)
        yield tuple(done((here.below(2), i, j), here.pick(ways)))
