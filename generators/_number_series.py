"""What careless solvers of a series get, and other ways to write its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from puzzlemill import family as f
from puzzlemill.rules.series_space import UNKNOWN
from puzzlemill.vocabulary.series import ROMAN, ROMANS, WORDS


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


def near(right: int, rng: f.Rng) -> Iterator[int]:
    """Numbers that a slip of reckoning gives, nearer ones mostly first, without end on both sides."""
    for turn in range(40):
        size = rng.pick((1, 2, 10, 1 + right // 20, 1 + right // 10, 3 + turn))
        yield right + size
        yield right - size


def written_out(puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> f.Style:
    return replace(puzzle.style, theme=WORDS)


def roman(puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> f.Style:
    if not has_romans(puzzle.board.terms):
        raise f.Discarded("inapplicable", "a number has no Roman numeral")
    return replace(puzzle.style, theme=ROMAN)


def has_romans(terms: tuple[int, ...]) -> bool:
    """Return whether all terms have Roman numerals."""
    return all(term in ROMANS or term == UNKNOWN for term in terms)
