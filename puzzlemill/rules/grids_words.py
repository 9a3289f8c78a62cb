"""Provisional: titles and statements as they are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from puzzlemill.core.errors import BadRow
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import AnyPuzzle, Style
from puzzlemill.core.words import Words
from puzzlemill.rules.grids import KINDS, Scales, Size, Statement

_LETTERS = "ABCDEF"


@dataclass(frozen=True, kw_only=True)
class GridWords(Words):
    """item: by its number c * items + v, a short and definite noun phrase: "the kite from Peru". entry: its name alone: "Peru".

    title: a category's. number: a clue's number in the prompt, by its position. clue: "clue 3". who, whos: "kite", "kites".
    has: the clause that one entity has both items, or that it has not. order: a clause that compares two items on a scale, by the
    kind of statement (before, exactly, at_least, apart) and its number.
    """

    item: Callable[[int], str]
    entry: Callable[[int], str]
    title: Callable[[int], str]
    number: Callable[[int], int]
    has: Callable[[int, int, bool], str]
    order: Callable[[int, int, int, int, str], str]
    who: str
    whos: str


def titles(puzzle: AnyPuzzle, size: Size) -> tuple[str, ...]:
    """The titles of the categories."""
    _check(puzzle, size)
    return puzzle.style.symbols[: size.categories]


def units(puzzle: AnyPuzzle, size: Size) -> tuple[str, ...]:
    """The units of the scales."""
    _check(puzzle, size)
    return puzzle.style.symbols[size.categories :]


def _check(puzzle: AnyPuzzle, size: Size) -> None:
    names = puzzle.style.names
    if len(names) != size.categories or any(len(set(each)) != size.items for each in names):
        raise BadRow(
            f"{puzzle.family}: style.names must hold {size.items} different names for each of {size.categories} categories"
        )
    if len(puzzle.style.symbols) != size.categories + len(size.scales):
        raise BadRow(f"{puzzle.family}: a style without a world needs titles and units as symbols")


def spelled(puzzle: AnyPuzzle, size: Size, said: Statement) -> str:
    """A statement as the text form has it."""
    if said.parts:
        return f"{said.kind}({', '.join([spelled(puzzle, size, part) for part in said.parts])})"
    every = Counter([name.casefold() for names in puzzle.style.names for name in names])
    headings = titles(puzzle, size)
    words = []
    for c, v in said.items:
        name = puzzle.style.names[c][v]
        words.append(name if every[name.casefold()] == 1 else f"{headings[c]}={name}")
    if KINDS[said.kind].scale:
        words.append(headings[size.scales[said.scale][0]])
    if KINDS[said.kind].number:
        words.append(str(said.number))
    return f"{said.kind}({', '.join(words)})"


def draw_style(categories: int, items: int, scales: int, rng: Rng) -> tuple[Style, Scales]:
    """Names, a phrasing, and the board."""
    plain = categories - scales
    names = [tuple([f"{_LETTERS[c]}{v + 1}" for v in range(items)]) for c in range(plain)]
    numbers = []
    for _ in range(scales):
        gaps = [rng.between(1, 5)] * items if rng.chance(1, 2) else [rng.between(1, 5) for _ in range(items)]
        numbers.append(tuple([sum(gaps[:k]) for k in range(items)]))
        names.append(tuple([str(2000 + 100 * len(numbers) + d) for d in numbers[-1]]))
    headings = [f"category {_LETTERS[c]}" for c in range(plain)] + [f"scale {k}" for k in range(scales)]
    symbols = (*headings, *["units"] * scales)
    return Style(symbols=symbols, names=tuple(names), phrasing=rng.below(1000)), Scales(tuple(numbers))
