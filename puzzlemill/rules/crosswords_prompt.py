"""Prompts of crosswords (wordings/crossword.toml), and remarks that say nothing of the words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from puzzlemill.core.rng import Rng
from puzzlemill.core.text import grid_text
from puzzlemill.core.types import AnyPuzzle, Clue
from puzzlemill.core.words import NUMBERS, listed
from puzzlemill.rules.clued import EXPLAINED, LETTERS
from puzzlemill.vocabulary.wordings import Voice

SIZES = {"common": "13,000", "known": "34,000", "rare": "75,000"}  # words of the bands, about; a test counts them
THEMES = {
    "animal": "an animal",
    "food": "a food, a drink or a spice",
    "garment": "clothing, cloth or jewelry",
    "person": "a person by what they do",
}
_ASKED, _MARK = "?", "*"
_ORDERS = (("task", "rules", "board", "clues"), ("task", "board", "clues", "rules"), ("task", "rules", "clues", "board"))
_REMARKS = (
    "The setter thought of {0} first.",
    "The setter changed the clue of {0} twice.",
    "A friend of the setter found {0} before all other words.",
    "This puzzle was tried out on a train; somebody began with {0}.",
    "In last week's puzzle {0} had the longest clue.",
    "The editor liked the clue of {0} best.",
)


def told(
    puzzle: AnyPuzzle,
    laid: Any,
    said: Sequence[tuple[Clue, int, Any]],
    letters: Sequence[Any],
    marking: tuple[tuple[int, ...], tuple[str, ...]],
    themed: int,
    voice: Voice,
) -> str:
    """The whole prompt but for how to reply. laid: the grid read. said: clues with their entries. letters: that are shown.
    marking: cells that are marked, and what they may spell. themed: words of the theme, at least.
    """
    rows, sorts = puzzle.board.pattern, {each.sort for _, _, each in said}
    size, p = {"rows": len(rows), "cols": len(rows[0])}, puzzle.spec.params
    rules = [voice.says("cells"), voice.says("words"), voice.says("clues")]
    rules += [voice.framed(f"clue_{sort}") for sort in EXPLAINED if sort in sorts]
    rules.append(voice.says("list", count=SIZES[p.lexicon]))
    rules += [voice.says("unclued")] * any(not each.text for _, _, each in said)
    rules += [voice.says("letters")] * bool(letters)
    rules.append(voice.says("different"))
    if themed:
        rules.append(voice.says("theme", many=NUMBERS[themed], theme=THEMES[p.theme]))
    if marking[0]:
        rules.append(voice.says("marked", words=listed(marking[1], "or")))
    parts = {
        "task": voice.says("task", **size),
        "rules": voice.listed(rules),
        "board": _board(rows, laid, letters, marking[0], voice),
        "clues": _clues(puzzle, laid, said, voice),
    }
    return voice.arranged(_ORDERS, parts)


def _board(rows: Sequence[str], laid: Any, letters: Sequence[Any], marked: Sequence[int], voice: Voice) -> str:
    shown = {laid.places[cell]: LETTERS[value] for _, cell, value in letters}
    marks = {laid.places[cell] for cell in marked}
    texts = []
    for r, row in enumerate(rows):
        for c, sign in enumerate(row):
            number = str(laid.numbers.get((r, c), "")) + _MARK * ((r, c) in marks)
            texts.append("#" if sign == "#" else number + shown.get((r, c), ""))
    cols = len(rows[0])
    canonical = "\n".join([voice.says("board"), grid_text([text or _ASKED for text in texts], cols)])
    return voice.grid(texts, cols, "an empty cell", lambda: canonical, "._?-")


def _clues(puzzle: AnyPuzzle, laid: Any, said: Sequence[tuple[Clue, int, Any]], voice: Voice) -> str:
    """The clues of words across and down, in the order of the puzzle, each with the letters of its word."""
    of = {clue.id: (laid.entries[e], each.text) for clue, e, each in said}
    lines: dict[str, list[str]] = {"Across": [], "Down": []}
    form = voice.place("line", 4)
    for clue in puzzle.clues_in_order():
        if clue.id in of:
            entry, text = of[clue.id]
            number, letters, text = entry.number, len(entry.cells), text or voice.says("none")
            lines[entry.way].append(
                (f"{number}. {text} ({letters})", f"{number}: {text} ({letters})", f"- {number}: {text} ({letters})",
                 f"{entry.label}: {text} ({letters})")[form]
            )  # fmt: skip
    parts = [f"{voice.says(way.lower())}\n" + "\n".join(same) for way, same in lines.items() if same]
    if puzzle.style.asides:
        parts.append(puzzle.style.asides[0][1])
    return ("\n" if voice.short else "\n\n").join(parts)


def remark(label: str, rng: Rng) -> str:
    """A remark about a word."""
    return rng.pick(_REMARKS).format(label)


def remarks(clues: Sequence[Clue]) -> set[str]:
    """Every remark about these words."""
    return {text.format(clue.id) for clue in clues for text in _REMARKS}
