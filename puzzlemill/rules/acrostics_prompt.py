"""Prompts of acrostics in voices (wordings/acrostic.toml), with grids and clues in several notations."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import wrap

from puzzlemill.core.types import Clue
from puzzlemill.core.words import among, capital, listed
from puzzlemill.rules.acrostics import CELL, GIVEN, Board, label, shown, told
from puzzlemill.rules.clued import EXPLAINED, KIND, LETTERS
from puzzlemill.vocabulary.acrostics import remarks
from puzzlemill.vocabulary.wordings import Voice

_ORDERS = (
    ("task", "rules", "grid", "clues", "shown"),
    ("task", "rules", "clues", "grid", "shown"),
    ("rules", "task", "grid", "clues", "shown"),
    ("task", "grid", "rules", "clues", "shown"),
)
_GRIDS = ("paper", "brackets", "blanks")
_WIDE = 76  # characters of a row of the grid
_PARTS = re.compile(rf"{CELL}+|[^{CELL} ]+| +")
COUNTS = {"common": "13,000", "known": "34,000", "rare": "75,000"}  # words of the bands


def prompt(
    board: Board,
    clues: Sequence[Clue],
    asides: Sequence[tuple[int, str]],
    band: str,
    name: Callable[[int], str],
    in_order: bool,
    invented: bool,
    voice: Voice,
) -> str:
    """All of the prompt but how to reply.

    clues: in their order. name: of a cell. in_order: cells are numbered as they stand. invented: the authors are.
    """
    sorts = {told(clue, board)[1].sort for clue in clues if clue.kind == KIND}
    rules = [voice.says("fill"), *[voice.framed(f"clue_{sort}") for sort in EXPLAINED if sort in sorts]]
    if board.bank:
        rules.append(voice.says("bank", words=", ".join(board.bank)))
    else:
        rules.append(voice.says("list", count=COUNTS[band]))
    if board.lines:
        order = f"{label(0)} to {label(len(board.entries) - 1)}"
        several = len(board.lines) > 1
        what = _what(board.lines, invented)
        rules.append(
            voice.says(
                "lines" if several else "one_line",
                order=order,
                what=what,
                lines=listed([f'"{line}"' for line in board.lines], "or"),
            )
        )
    known = [shown(clue, board) for clue in clues if clue.kind == GIVEN]
    cells = listed([f"{name(cell)} is {LETTERS[letter]}" for cell, letter in known])
    return voice.arranged(
        _ORDERS,
        {
            "task": voice.says("task"),
            "rules": voice.listed(rules),
            "grid": _grid(board, name, in_order, voice),
            "clues": f"{voice.says('clues')}\n{_clues(board, clues, asides, name, voice)}",
            "shown": voice.says("shown", cells=cells) if known else "",
        },
    )


def _what(lines: Sequence[str], invented: bool) -> str:
    """The lines that first letters spell, as they are called."""
    one = len(lines) == 1
    if not invented:
        return "line" if one else "lines"
    if one:
        return "(invented) author's name" if ":" not in lines[0] else "(invented) author and title"
    titled = any(":" in line for line in lines)
    return (
        "(invented) authors and titles"
        if all(":" in line for line in lines)
        else f"(invented) author names{', some with a title' * titled}"
    )


def _grid(board: Board, name: Callable[[int], str], in_order: bool, voice: Voice) -> str:
    ways = [way for way in _GRIDS if in_order or way != "blanks"]
    way = voice.notation(*ways) if not voice.short else "blanks" if in_order else "paper"
    if way == "blanks":
        return f"{voice.says(way)}\n{board.layout}"
    texts, cell = [], 0
    for part in _PARTS.findall(board.layout):
        if part[0] == CELL:
            numbers = " ".join([name(cell + i) for i in range(len(part))])
            cell += len(part)
            texts.append(numbers if way == "paper" else f"[{numbers}]")
        elif part[0] == " ":
            texts += ["#"] * (way == "paper")
        else:
            texts.append(part)
    rows = wrap(" ".join(texts), _WIDE, break_long_words=False, break_on_hyphens=False)
    return "\n".join([voice.says(way), *rows])


def _clues(
    board: Board, clues: Sequence[Clue], asides: Sequence[tuple[int, str]], name: Callable[[int], str], voice: Voice
) -> str:
    lines = []
    for clue in clues:
        if clue.kind != GIVEN:
            entry, said = told(clue, board)
            lines.append((label(entry), _line("entry", board, entry, name, voice, clue=said.text)))
    clued = {known for known, _ in lines}
    lines += [("", _line("bare", board, k, name, voice)) for k in range(len(board.entries)) if label(k) not in clued]
    known = {capital(remark.format(A=label(k))) for remark in remarks() for k in range(len(board.entries))} if asides else set()
    return "\n".join([line for _, line in among(lines, asides, known)])


def _line(slot: str, board: Board, entry: int, name: Callable[[int], str], voice: Voice, **values: str) -> str:
    cells = board.entries[entry]
    return voice.says(slot, label=label(entry), n=len(cells), cells=" ".join(map(name, cells)), **values)
