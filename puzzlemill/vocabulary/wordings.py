"""Wordings of prompts (wordings/*.toml): what a family says in several ways, and the notations of boards.

A *slot* is a place of a prompt with its wordings: the task, a rule, the heading of a board. A *voice* takes one wording of each,
and one of the alternatives where a wording has [each|every]. Voice 0 is the canonical one, negative voices are short ones. A
puzzle's voice is its `style.phrasing`; smaller phrasings than FIRST are drawn by families that put clues or books in words
themselves, and their prompts are canonical otherwise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from zlib import crc32

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.text import grid_text
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.vocabulary.load import record

FIRST, LAST = 1 << 31, (1 << 32) - 1  # voices of prompts; a book of kumo is drawn with any number below
NOTATIONS = ("spaces", "pipes", "table", "json", "rows", "coordinates", "compact")
_LEAST_COMPACT = 3  # cells of a row that is written without spaces
_ALTERNATIVES = re.compile(r"\[([^\[\]|]*(?:\|[^\[\]|]*)+)\]")  # [each|every]
_SIGNS = "._?-"  # for blank cells


def voices_of(phrasing: int) -> str:
    """The voices that a phrasing is drawn from: plain, many or short, as recipes call them; "" for one that is never drawn."""
    if 0 <= phrasing < FIRST:
        return "plain"
    return ("many" if phrasing > 0 else "short") if FIRST <= abs(phrasing) <= LAST else ""


@dataclass(frozen=True, slots=True)
class Wordings:
    """canonical: the wording of each slot in the canonical voice; say: those of other voices; short: those of short ones.

    A slot that `short` lacks has no wordings of its own there.
    """

    canonical: Mapping[str, str]
    say: Mapping[str, tuple[str, ...]]
    short: Mapping[str, tuple[str, ...]]

    def of(self, slot: str, voice: int) -> tuple[str, ...]:
        """The wordings of a slot that a voice chooses from. Raises KeyError for a slot that is not there."""
        if not voice:
            return (self.canonical[slot],)
        return self.short[slot] if voice < 0 and slot in self.short else self.say[slot]


@cache
def wordings(name: str) -> Wordings:
    """The wordings of a family, or of the frame. Raises BadFile if there are none."""
    read: Wordings = record(Wordings, __package__, f"wordings/{name}.toml")
    return read


class Voice:
    """One voice of a family's prompts. number: 0 for the canonical one."""

    __slots__ = ("_family", "_title", "number", "short")

    def __init__(self, family: str, phrasing: int, title: str = "") -> None:
        self.number = 0 if 0 <= phrasing < FIRST else phrasing
        self.short = phrasing < 0
        self._family, self._title = family, title

    @classmethod
    def of(cls, family: AnyFamily, puzzle: AnyPuzzle) -> Voice:
        """The voice of a puzzle's prompt."""
        return cls(family.name, puzzle.style.phrasing, family.title)

    def place(self, slot: str, options: int) -> int:
        """Which of so many options this voice takes at a slot."""
        if not self.number:
            return 0
        mixed = crc32(f"{self.number} {slot}".encode()) * 0x9E3779B1 & 0xFFFFFFFF  # crc32 alone is linear in the voice
        return mixed * options >> 32

    def says(self, slot: str, turn: int = 0, /, **values: object) -> str:
        """The family's wording of a slot, with these values in it. turn: which time it is said, for other words each time."""
        return self._worded(self._family, slot, values, turn)

    def framed(self, slot: str, **values: object) -> str:
        """A wording of the frame, which all families have in common."""
        return self._worded("frame", slot, values)

    def _worded(self, name: str, slot: str, values: Mapping[str, object], turn: int = 0) -> str:
        options = wordings(name).of(slot, self.number)
        named = f"{slot}, turn {turn}" if turn else slot
        wording = options[self.place(named, len(options))]
        if "[" in wording:
            begin, choices = _parts(wording)
            said = [options[self.place(f"{named} {i}", len(options))] + after for i, (options, after) in enumerate(choices)]
            wording = begin + "".join(said)
        return wording.format(**values)

    def noted(self, note: str) -> str:
        """The note of an answer's form (notes.toml), as it stands if it is of a family that has no wordings of it."""
        known = _note(note) if self.number else None
        if known is None:
            return note
        slot, values = known
        return self._worded("notes", slot, values)

    # ---- a whole prompt

    def prompt(self, task: str, rules: Sequence[str], board: str, after: str = "") -> str:
        """The task, the rules as a list or a paragraph, and the board with its heading, in the order of this voice.

        The canonical order is this one; a blank line stands between the parts. after: what comes last in all of them.
        """
        listed = self.listed(rules)
        if self.number and not self.short:
            heading = self.framed("rules", title=self._title)
            listed = f"{heading}\n{listed}" if heading else listed
            order = (0, 0, 1, 1, 2)[self.place("order", 5)] if heading else self.place("order", 2)
            parts = ((task, listed, board), (task, board, listed), (listed, task, board))[order]
        elif self.short:
            return "\n".join([part for part in (task, listed, board, after) if part])
        else:
            parts = (task, listed, board)
        return "\n\n".join([part for part in (*parts, after) if part])

    def listed(self, rules: Sequence[str]) -> str:
        """Rules as a list or as a paragraph."""
        marks = wordings("frame").of("item", self.number)
        mark = marks[self.place("item", len(marks))]
        return ("\n" if mark else " ").join([mark.format(i=i) + rule for i, rule in enumerate(rules, 1)])

    def bullets(self, lines: Sequence[str]) -> str:
        """Lines of a list without numbers, a line each."""
        return self._marked("bullet", lines)

    def numbered(self, lines: Sequence[str]) -> str:
        """Lines of a list that others name by its numbers, a line each."""
        return self._marked("number", lines)

    def _marked(self, slot: str, lines: Sequence[str]) -> str:
        marks = wordings("frame").of(slot, self.number)
        mark = marks[self.place(slot, len(marks))]
        return "\n".join([mark.format(i=i) + line for i, line in enumerate(lines, 1)])

    def arranged(self, orders: Sequence[Sequence[str]], parts: Mapping[str, str]) -> str:
        """A prompt of these parts by their names, in one of several orders, the first of which is the canonical one.

        Parts that are empty are left out; short voices have no blank lines.
        """
        order = orders[self.place("order", len(orders))]
        return ("\n" if self.short else "\n\n").join([parts[name] for name in order if parts[name]])

    # ---- boards

    def notation(self, *of: str) -> str:
        """The notation of a board, among those that it can have."""
        if self.short:
            return "compact" if "compact" in of else of[0]
        return of[self.place("notation", len(of))]

    def grid(
        self,
        texts: Sequence[str],
        cols: int,
        empty: str = "",
        canonical: Callable[[], str] | None = None,
        signs: str = _SIGNS,
        ways: Sequence[str] = NOTATIONS,
    ) -> str:
        """A board of cells with its heading; texts: of the cells, "" for blank ones.

        empty: what a blank cell is, with its article. canonical: draws the board as the canonical voice has it, by default in
        columns with dots for blank cells. signs: those that may stand for blank cells. ways: the notations that may be taken.
        """
        if not self.number:
            return canonical() if canonical is not None else grid_text([text or "." for text in texts], cols)
        blank = signs[self.place("sign", len(signs))]
        blank = "." if any(blank in text for text in texts) else blank
        rows = [texts[start : start + cols] for start in range(0, len(texts), cols)]
        tight = cols >= _LEAST_COMPACT and all(len(text) < 2 for text in texts)
        known = [name for name in ways if (name != "compact" or tight) and (name != "coordinates" or any(texts))]
        way = self.notation(*known)
        sign = "null" if way == "json" else f'"{blank}"' if not self.short else blank
        note = ""
        if "" in texts:
            meant = empty.partition(" ")[2] if self.short else empty
            note = f" ({self.framed('others' if way == 'coordinates' else 'note', sign=sign, empty=meant)})"
        if way == "coordinates":
            at = wordings("frame").of("cell", self.number)[(form := self.place("cell", 4))]
            parts = [at.format(r=i // cols + 1, c=i % cols + 1, v=text) for i, text in enumerate(texts) if text]
            body = ", ".join(parts) if self.place("list", 2) else "\n".join(parts)
            return self.framed(way, note=note, legend=wordings("frame").of("legend", self.number)[form]) + f"\n{body}"
        shown = [[text or blank for text in row] for row in rows]
        if way == "json":
            body = _json(rows)
        elif way == "table":
            body = markdown([f"r{r + 1}" for r in range(len(rows))], [f"c{c + 1}" for c in range(cols)], shown)
        elif way == "pipes":
            body = "\n".join([f"| {' | '.join(row)} |" for row in _aligned(shown)])
        elif way == "rows":
            between = (" ", ", ", " ")[self.place("between", 3)]
            body = "\n".join([self.framed("row", r=r, cells=between.join(row)) for r, row in enumerate(shown, 1)])
        elif way == "compact":
            body = "\n".join(["".join(row) for row in shown])
        else:
            body = grid_text([text for row in shown for text in row], cols)
        return f"{self.framed('spaces' if way == 'compact' else way, note=note)}\n{body}"


@cache
def _parts(wording: str) -> tuple[str, list[tuple[list[str], str]]]:
    """The beginning of a wording, and its choices, each with the text after it."""
    begin, *parts = _ALTERNATIVES.split(wording)
    return begin, [(options.split("|"), after) for options, after in zip(parts[::2], parts[1::2], strict=True)]


@cache
def _notes() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Every note as a pattern, with its slot; those with fewer places for any text first."""
    slots = sorted(wordings("notes").say, key=lambda slot: slot.count("{"))
    return tuple([(re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(slot))), slot) for slot in slots])


@lru_cache(maxsize=256)
def _note(note: str) -> tuple[str, dict[str, str]] | None:
    """The slot of a note, and what stands in its places."""
    found = [(match, slot) for pattern, slot in _notes() if (match := pattern.fullmatch(note))]
    return (found[0][1], found[0][0].groupdict()) if found else None


def _aligned(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    width = max([len(text) for row in rows for text in row])
    return [[text.rjust(width) for text in row] for row in rows]


def markdown(first: Sequence[str], head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table with a heading, and with what stands first in each row."""
    lines = [["", *head], ["---"] * (len(head) + 1), *[[name, *row] for name, row in zip(first, rows, strict=True)]]
    return "\n".join(["| " + " | ".join(line) + " |" for line in lines])


def _json(rows: Sequence[Sequence[str]]) -> str:
    """Rows as JSON, a line each; null for blank cells."""
    integers = all(not text or (text.isdecimal() and str(int(text)) == text) for row in rows for text in row)
    values = [[None if not text else int(text) if integers else text for text in row] for row in rows]
    return "[" + ",\n ".join([json.dumps(row, ensure_ascii=False) for row in values]) + "]"
