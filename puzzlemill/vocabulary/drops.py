"""Prompts of drop quotes in voices (wordings/drop_quote.toml): the grid, and the letters of its columns in several notations."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from math import factorial, log10, prod

from puzzlemill.core.errors import BadRow
from puzzlemill.core.rng import Rng
from puzzlemill.core.text import grid_text
from puzzlemill.vocabulary.wordings import NOTATIONS, Voice, markdown

_ORDERS = (
    ("task", "rules", "board", "columns"),
    ("task", "board", "columns", "rules"),
    ("task", "columns", "board", "rules"),
    ("board", "columns", "task", "rules"),
)
_LISTS = ("lines", "short", "json", "table", "above", "below")
_DRAWN = ("above", "below")  # letters stand in the picture of the grid, in their columns
LISTED = "listed"  # in place of a band of the lexicon
_SIGN = "_"  # for a cell that takes a letter
_NO_LETTER = "."  # above or below a column of fewer letters
_NONE = "(none)"  # letters of a column of punctuation marks and spaces
_EXAMPLES = 3  # letters whose numbers are told
_ASIDES = (
    "It may be irrelevant that the grid was found on the back of a train ticket.",
    "A reader once solved this on a rainy Sunday, which may be of no use to you.",
    "The first edition of this puzzle was printed in blue ink; that may not matter.",
    "Perhaps irrelevant: whoever drew the grid had a cat that sat on the paper.",
    "The person who chose the quotation prefers tea to coffee. (This may be of no use.)",
    "This grid hung on the wall of a waiting room for a year, a fact that may not help.",
    "The letters were set by hand, as in an old newspaper, and that may be beside the point.",
    "Somebody's grandmother does one of these every morning; this may be irrelevant.",
)


def remark(rng: Rng) -> str:
    """A remark that says nothing about any quotation."""
    return rng.pick(_ASIDES)


def orders_log10(columns: Sequence[str]) -> float:
    """log10 of the number of ways in which the letters of columns can be put in order."""
    return sum([log10(factorial(len(text)) // prod([factorial(many) for many in Counter(text).values()])) for text in columns])


def lexicon(voice: Voice, band: str, words: Sequence[str]) -> str:
    """The sentence that says what counts as a word. words: those that are listed, if that is the band."""
    return voice.says("lexicon_listed", words=", ".join(words)) if band == LISTED else voice.says(f"lexicon_{band}")


def prompt(
    voice: Voice,
    band: str,
    words: Sequence[str],
    cells: Sequence[str],
    columns: Sequence[Sequence[str]],
    vowels: Sequence[int],
    symbols: Sequence[str],
    asides: Sequence[str],
) -> str:
    """The whole prompt. band, words: see lexicon(). cells: what stands there, "" for a letter to find. columns: their letters."""
    cols = len(columns)
    for aside in asides:
        if aside not in _ASIDES:
            raise BadRow(f"style.asides holds no remark about drop quotes: {aside[:60]!r}")
    letters = sum([len(column) for column in columns])
    missing = sum([not text for text in cells])
    lost = (
        "All of its letters" if missing == letters else "Most of its letters" if 2 * missing > letters else "Some of its letters"
    )
    filled = "" if missing == letters else ", filled-in ones too" if voice.short else ", with those that are filled in already"
    rules = [voice.says("columns", filled=filled), voice.says("runs"), lexicon(voice, band, words)]
    if "'" in cells:
        rules.insert(2, voice.says("apostrophe"))
    if vowels:
        rules.append(voice.says("vowels", filled=", those that are filled in included" * (missing < letters)))
    if symbols[0].isdigit():
        rules.append(
            voice.says(
                "numbers", some=", ".join([f"{symbols[i]} is {'ABCZ'[i]}" for i in range(_EXAMPLES)]) + f" and {symbols[25]} is Z"
            )
        )
    way = "short" if voice.short else _LISTS[voice.place("letters", len(_LISTS))] if voice.number else "lines"
    shown = grid_text([text or _SIGN for text in cells], cols)
    if way in _DRAWN:
        board = f"{voice.says(way)}\n{_stacked(cells, columns, way)}"
    else:
        ways = [way for way in NOTATIONS if way != "coordinates" and (way != "rows" or "," not in cells)]
        board = voice.grid(cells, cols, "an empty cell for one letter", lambda: f"{voice.says('open')}\n{shown}", _SIGN, ways)
    if vowels:
        board = f"{board}\n{voice.says('counts', counts=', '.join([f'row {r}: {many}' for r, many in enumerate(vowels, 1)]))}"
    task = voice.says("task", rows=len(cells) // cols, cols=cols, lost=lost)
    parts = {
        "task": task,
        "rules": voice.listed([*rules, *asides]),
        "board": board,
        "columns": "" if way in _DRAWN else _listed(voice, columns, way),
    }
    return voice.arranged(_ORDERS, parts)


def _stacked(cells: Sequence[str], columns: Sequence[Sequence[str]], way: str) -> str:
    """The grid with each column's letters above or below it, one under the other, and a line of = between."""
    cols, high = len(columns), max(map(len, columns))
    above = way == "above"
    stack = [
        [""] * (high - len(column)) + list(column) if above else [*column, *[""] * (high - len(column))] for column in columns
    ]
    letters = [row for line in range(high) for row in [stack[c][line] or _NO_LETTER for c in range(cols)]]
    grid = [text or _SIGN for text in cells]
    lines = grid_text([*letters, *grid] if above else [*grid, *letters], cols).split("\n")
    lines.insert(high if above else len(lines) - high, "=" * max(map(len, lines)))
    return "\n".join(lines)


def _listed(voice: Voice, columns: Sequence[Sequence[str]], way: str) -> str:
    """The letters of every column, with a heading."""
    heading = voice.says("heading")
    numbered = list(enumerate(columns, 1))
    if way == "json":
        body = json.dumps({str(c): list(letters) for c, letters in numbered})
    elif way == "table":
        body = markdown([str(c) for c, _ in numbered], ["letters"], [[" ".join(letters) or _NONE] for _, letters in numbered])
    elif way == "short":
        between = "" if all(len(letter) == 1 for letters in columns for letter in letters) else " "
        body = ", ".join([f"{c} {between.join(letters) or _NONE}" for c, letters in numbered])
    else:
        body = "\n".join([f"Column {c}: {' '.join(letters) or _NONE}" for c, letters in numbered])
    return f"{heading}\n{body}"
