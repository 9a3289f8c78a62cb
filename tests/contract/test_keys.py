"""Canonical keys: equal exactly for puzzles that a symmetry of the rules carries into each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from math import sqrt

import pytest

from puzzlemill.core.types import AnyPuzzle, Clue
from puzzlemill.factory.canonical import canonical_key
from strategies import SYMMETRIES, Case, count_answers, drawn, full, is_graph, minimized, scrambled, subset

COUNTED = 1_500  # puzzles up to which a stated number is exact
LISTED = 600  # symmetries of a group that is walked through; 4x6 binario has 576


def content(puzzle: AnyPuzzle) -> str:
    """What is left of a puzzle when its look, its clues' ids and their order are taken away."""
    return repr((puzzle.spec.rules, puzzle.board, sorted([(clue.kind, clue.args) for clue in puzzle.clues])))


def some(case: Case, index: int) -> AnyPuzzle:
    """A puzzle with a few clues: many of them look alike."""
    if is_graph(case):
        return full(case, index).puzzle
    clues = full(case, index % 8).puzzle.clues
    rng = case.rng("some", index)
    return full(case, index % 8).puzzle.with_clues(rng.sample(clues, min(len(clues), rng.between(1, 4))))


def test_a_scrambled_puzzle_has_the_same_key(case: Case) -> None:
    """A rotated or renamed copy in the test split is a leak that only this key can find."""
    rng = case.rng("scramble")
    for index in range(4):
        for puzzle in (minimized(case, index).puzzle, some(case, index)):
            key = canonical_key(case.family, puzzle)
            for _ in range(10):
                assert canonical_key(case.family, scrambled(puzzle, rng)) == key


def test_a_scrambled_puzzle_has_as_many_answers(slot_case: Case) -> None:
    """The symmetries of the tests are symmetries of the rules: otherwise the test above asks for too much."""
    rng = slot_case.rng("answers")
    for index in range(3):
        puzzle = subset(full(slot_case, index).puzzle, rng, 1, 6)
        count = count_answers(slot_case.family, puzzle, 500)
        assert count_answers(slot_case.family, scrambled(puzzle, rng), 500) == count


def test_the_look_is_not_in_the_key(case: Case) -> None:
    """The same puzzle told in other words is the same puzzle."""
    puzzle = minimized(case, 0).puzzle
    order = tuple(reversed(range(len(puzzle.clues))))
    look = replace(puzzle.style, order=order, phrasing=puzzle.style.phrasing + 1)
    assert canonical_key(case.family, replace(puzzle, style=look)) == canonical_key(case.family, puzzle)


def test_a_clue_fewer_is_another_key(slot_case: Case) -> None:
    """A puzzle with a clue left out is another puzzle: it may have several answers."""
    for index in range(3):
        puzzle = minimized(slot_case, index).puzzle
        key = canonical_key(slot_case.family, puzzle)
        for clue in puzzle.clues:
            fewer = puzzle.with_clues([other for other in puzzle.clues if other != clue])
            assert canonical_key(slot_case.family, fewer) != key


def test_equal_keys_mean_equally_many_answers(slot_case: Case) -> None:
    """A key that is too coarse throws good puzzles away as duplicates; the number of answers would show it."""
    counts: dict[str, set[int]] = defaultdict(set)
    for index in range(60):
        puzzle = some(slot_case, index)
        counts[canonical_key(slot_case.family, puzzle)].add(count_answers(slot_case.family, puzzle, 300))
    assert all(len(found) == 1 for found in counts.values())


@pytest.mark.slow
def test_keys_are_exactly_the_orbits(case: Case) -> None:
    """Two puzzles with few clues share a key exactly when some scramble of one is the other.

    An orbit is told by its least member among 8 scrambles per symmetry, so that it is missed with probability e^-8.
    Groups of more than LISTED symmetries are left to the tests above.
    """
    if case.family.name not in SYMMETRIES:
        return
    rng = case.rng("orbits")
    whole = full(case, 0).puzzle
    # as many symmetries as images of a puzzle that few of them leave as it is
    symmetries = 1
    for index in range(4):
        images: set[str] = set()
        tries = 0
        while tries < 60 or tries < min(8 * len(images), 3_000):
            tries += 1
            images.add(content(scrambled(some(case, index), rng)))
            if len(images) > LISTED:
                return
        symmetries = max(symmetries, len(images))
    least: dict[str, str] = {}
    single: dict[str, list[Clue]] = {}  # four clues of every kind, also of those that few puzzles keep
    drafts = [draft for draft in (full(case, index) for index in range(8)) if draft.puzzle.board == whole.board]
    for clue in dict.fromkeys(clue for draft in drafts for clue in draft.puzzle.clues):
        single.setdefault(clue.kind, []).append(clue)
    puzzles = [some(case, index) for index in range(8)]
    puzzles += [whole.with_clues([clue]) for clues in single.values() for clue in clues[:4]]
    for puzzle in puzzles:
        member = min(content(scrambled(puzzle, rng)) for _ in range(8 * symmetries))
        key = canonical_key(case.family, puzzle)
        assert least.setdefault(key, member) == member, "the key is too coarse"
    assert len(set(least.values())) == len(least), "the key is too fine"


@pytest.mark.slow
def test_a_declared_capacity_is_the_number_of_puzzles(case: Case) -> None:
    """A small class is used in one split only, and asking for more than it holds is refused: the number must be right.

    Numbers above COUNTED are estimates by scripts/count_spaces.py, or counted in a family's own tests. As many puzzles as these
    draws show must be there, and no more than thrice as many as they suggest (A. Chao, Scand. J. of Statistics 11, 1984).
    """
    capacity = case.family.small.puzzles(case.spec)
    if capacity is None:
        return
    keys: Counter[str] = Counter()
    for index in range(4_000):  # one of the eight 4x4 binario puzzles with distinct lines comes once in 3,000 draws
        if len(keys) == capacity and index >= 10 * capacity:
            break
        if (draft := drawn(case, index)) is not None:
            keys[canonical_key(case.family, draft.puzzle)] += 1
    if capacity <= COUNTED:
        assert len(keys) == capacity
        return
    absent = (1 - 1 / capacity) ** keys.total()
    assert len(keys) <= capacity * (1 - absent) + 5 * sqrt(capacity * absent)
    once, twice = (sum(times == n for times in keys.values()) for n in (1, 2))
    assert capacity <= 3 * (len(keys) + once * (once - 1) / (2 * (twice + 1)))
