"""Puzzles as people write them: lines with their numbers, and errors that name the line and the column.

A puzzle is a heading, the family's name and its options (`sudoku diagonals max_box=3`), and the lines below it. What may stand
there is the family's matter (core/family.py: TextForm). Blank lines mean nothing, and neither does what follows a `#` at the
start of a line or after a blank.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from unicodedata import category

from puzzlemill.core.errors import BadRow

MAX_LINE = 2_000  # characters; a 25x25 grid in one line takes 625
_WORD = re.compile(r"\S+")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_JOINERS = "\u200c\u200d"  # without which some scripts and emoji read otherwise
_OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")  # controls, formats (what turns text round, what has no width), surrogates, separators


def printable(text: str) -> str:
    """The text with ? for every sign that a terminal might obey, or that no encoding can write."""
    return "".join([sign if sign.isprintable() else "?" for sign in text])


def nearest(name: str, known: Collection[str]) -> str:
    """The end of an error about an unknown name: "; did you mean a or b?", or "" where no known one is nearly the same."""
    near = get_close_matches(name[:100], known, 3)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def visible(text: str) -> str:
    """The text as a page may show it: without control characters, what turns text round or has no width, and lone surrogates."""
    if text.isascii() and text.isprintable():
        return text
    return "".join([sign for sign in text if sign in "\t\n" or sign in _JOINERS or category(sign) not in _OBEYED])


def capital(text: str) -> str:
    """The text as it begins a sentence."""
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Word:
    """column: of its first character in its line, from 0."""

    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text. number: from 1 in its file. text: without its comment. note: the comment."""

    number: int
    text: str
    note: str = ""

    @property
    def words(self) -> list[Word]:
        return self.words_from(0)

    def words_from(self, column: int) -> list[Word]:
        return [Word(found.start(), found.group()) for found in _WORD.finditer(self.text, column)]

    def bad(self, column: int, problem: str) -> BadRow:
        """An error at this column."""
        return BadRow(f"line {self.number} column {column + 1}: {problem}")


def line_of(number: int, raw: str) -> Line:
    """A line of a file. Raises BadRow if it is too long or holds signs that cannot be printed."""
    text = raw.rstrip().replace("\t", " ")
    if len(text) > MAX_LINE:
        raise BadRow(f"line {number}: {len(text)} characters, at most {MAX_LINE} are read")
    strange = next((i for i, sign in enumerate(text) if not sign.isprintable()), None)
    if strange is not None:
        raise BadRow(f"line {number} column {strange + 1}: {text[strange]!r} cannot be printed")
    comment = _COMMENT.search(text)
    if comment is None:
        return Line(number, text)
    return Line(number, text[: comment.start()].rstrip(), comment.group().strip().lstrip("# "))


def lines_of(text: str) -> list[Line]:
    """The lines of a text that say something. Raises BadRow as line_of does."""
    lines = [line_of(number, raw) for number, raw in enumerate(text.split("\n"), 1)]
    return [line for line in lines if line.text.strip()]


def heading(lines: Sequence[Line], name: str, flags: Collection[str] = (), valued: Collection[str] = ()) -> dict[str, str]:
    """The options of a puzzle's first line: {"diagonals": "", "max_box": "3"}.

    flags, valued: the options without and with a value that the family knows. Raises BadRow for any other line.
    """
    words = lines[0].words if lines else []
    if not words or words[0].text.casefold() != name:
        raise BadRow(f"line {lines[0].number if lines else 1}: expected {name!r} and its options")
    found: dict[str, str] = {}
    for word in words[1:]:
        option, sign, value = word.text.partition("=")
        if option not in flags and option not in valued:
            known = ", ".join([*flags, *[f"{option}=VALUE" for option in valued]]) or "none"
            raise lines[0].bad(word.column, f"{name} has no option {option[:40]!r}; known: {known}")
        if bool(value) != (option in valued) or (sign and not value):
            raise lines[0].bad(word.column, f"{option} takes {'a' if option in valued else 'no'} value, got {word.text[:40]!r}")
        if option in found:
            raise lines[0].bad(word.column, f"{option} is given twice")
        found[option] = value
    return found


# ---- grids as text ------------------------------------------------------------------------------------------------------


def grid_text(texts: Sequence[str], cols: int) -> str:
    """Rows of a grid, texts right-aligned and separated by blanks."""
    width = max(map(len, texts))
    return "\n".join([" ".join([text.rjust(width) for text in texts[i : i + cols]]) for i in range(0, len(texts), cols)])


@lru_cache(maxsize=32)
def numerals(n: int) -> tuple[str, ...]:
    """1 to n as symbols."""
    return tuple([str(v + 1) for v in range(n)])


def signs(line: Line, alone: str = "") -> list[Word]:
    """The cells of a row: words; or, in a line of one word made of the signs in `alone` only, each of its signs."""
    words = line.words
    if len(words) == 1 and len(words[0].text) > 1 and not words[0].text.strip(alone):
        return [Word(words[0].column + i, sign) for i, sign in enumerate(words[0].text)]
    return words


def grid_of(lines: Sequence[Line], rows: Sequence[Sequence[Word]], least: int, most: int, what: str) -> tuple[int, int]:
    """Rows and columns of a grid given by the words of its lines; lines[0] is the heading. what: "numbers", for messages.

    Raises BadRow if there are too few or too many, or a row is of another length than the first.
    """
    cols = len(rows[0]) if rows else 0
    for name, size in (("rows", len(rows)), ("columns", cols)):
        if not least <= size <= most:
            raise lines[0].bad(0, f"expected {least} to {most} {name} of {what}, got {size}")
    for line, words in zip(lines[1:], rows, strict=True):
        if len(words) != cols:
            raise line.bad(0, f"expected {cols} cells as in the first row, got {len(words)}")
    return len(rows), cols


# ---- labels -------------------------------------------------------------------------------------------------------------


def numbered(family: str, label: str, noun: str, count: int) -> int:
    """The position of a part that goes by its number: "disk 3" is 2. Raises BadRow for any other label."""
    labels = [f"{noun} {number}" for number in range(1, count + 1)]
    if label not in labels:
        known = f"{noun} 1 to {noun} {count}, or a rule"
        raise BadRow(f"{family}: {label[:40]!r} is no {noun} of this puzzle and no rule; expected {known}")
    return labels.index(label)
