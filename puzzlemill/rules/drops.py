"""Runs of cells in a grid of a drop quote, and the words of the lexicon that they can be.

A run is a maximal row of cells for letters: it goes on from the end of a row to the next one, and ends at a cell with a sign in
it. An apostrophe is such a sign: the run before one may be the beginning of a form such as DIDN'T, and the run after one is an
ending.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from puzzlemill.vocabulary import lexicon

OPEN, BLOCK, APOSTROPHE = "_", "#", "'"
PLAIN, BEFORE, AFTER = range(3)  # kinds of runs: next to no apostrophe, before one, after one
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
VOWELS = "AEIOU"
LISTED = "listed"  # in place of a band of the lexicon: the words are those of a list that the puzzle shows
BEGINNINGS = (
    *("AIN", "AREN", "COULDN", "DIDN", "DOESN", "DON", "HADN", "HASN", "HAVEN", "ISN", "MUSTN", "NEEDN", "SHOULDN", "WASN"),
    *("WEREN", "WON", "WOULDN"),
)
ENDINGS = ("D", "LL", "M", "RE", "S", "T", "VE")


@dataclass(frozen=True, slots=True)
class Run:
    """A word's cells, numbered among the cells for letters. kind: PLAIN, BEFORE or AFTER."""

    kind: int
    cells: tuple[int, ...]


@lru_cache(maxsize=1024)
def runs(rows: tuple[str, ...]) -> tuple[Run, ...]:
    """The runs of a grid whose cells for letters are OPEN, in the order of reading."""
    found, here, cell, after = [], list[int](), 0, False
    for sign in "".join(rows) + BLOCK:
        if sign == OPEN:
            here.append(cell)
            cell += 1
            continue
        if here:
            kind = AFTER if after else BEFORE if sign == APOSTROPHE else PLAIN
            found.append(Run(kind, tuple(here)))
            here = []
        after = sign == APOSTROPHE
    return tuple(found)


@lru_cache(maxsize=1024)
def columns(rows: tuple[str, ...]) -> tuple[int, ...]:
    """The column of each cell for letters."""
    return tuple([c for row in rows for c, sign in enumerate(row) if sign == OPEN])


@lru_cache(maxsize=128)
def fitting(band: str, words_listed: tuple[str, ...], kind: int, length: int) -> tuple[str, ...]:
    """The words, in capitals and in alphabetical order, that a run of this kind and length can be.

    words_listed: those that the puzzle shows, in capitals, where the band is LISTED. Raises ValueError for an unknown band.
    """
    if kind == AFTER:
        return tuple([text for text in ENDINGS if len(text) == length])
    every = words_listed if band == LISTED else [word.upper() for word in lexicon.words(band, length, length)]
    found = {word for word in every if len(word) == length}
    if kind == BEFORE:
        found.update([text for text in BEGINNINGS if len(text) == length])
    return tuple(sorted(found))


def laid(text: str, cols: int) -> tuple[str, ...]:
    """A text in capitals as rows of a grid, with a block for each blank and behind its end."""
    signs = text.replace(" ", BLOCK)
    signs += BLOCK * (-len(signs) % cols)
    return tuple([signs[at : at + cols] for at in range(0, len(signs), cols)])


def hollow(rows: Sequence[str]) -> tuple[str, ...]:
    """The same grid with its letters taken out."""
    return tuple(["".join([OPEN if sign in LETTERS else sign for sign in row]) for row in rows])


def split(rows: Sequence[str], shown: Sequence[str]) -> list[tuple[str, str, str]]:
    """The words of a grid, each with the signs before and after it; "" at both ends. shown: the grid without letters."""
    found, text, before = [], "", ""
    for sign, kind in [*zip("".join(rows), "".join(shown), strict=True), ("", "")]:
        if kind == OPEN:
            text += sign
            continue
        if text:
            found.append((text, before, kind))
        text, before = "", kind
    return found


def words(rows: Sequence[str], shown: Sequence[str]) -> list[str]:
    """The words of a grid in their order."""
    return [text for text, _, _ in split(rows, shown)]
