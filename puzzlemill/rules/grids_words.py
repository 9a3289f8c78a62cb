"""Statements of logic grids in words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from puzzlemill.core.words import Words


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
