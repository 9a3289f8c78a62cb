"""Lines of an answer, freed of what lists and tables put around rows: labels, bullets, numbers, brackets, quotes.

Nothing here knows which values there are. Every step takes time that grows with the lines' length only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

RULER: Final = "-+=:| \t\u2013\u2014"
AROUND: Final = "*`_$\\\"'\u201c\u201d\u201e\u2018\u2019"  # signs around a value

# Signs that are drawn for "|", "-" and "+".
DRAWN: Final = str.maketrans(
    "\u2502\u2503\u2551\u2500\u2501\u2550"
    "\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c\u2554\u2557\u255a\u255d\u2560\u2563\u2566\u2569\u256c",
    "|||---" + "+" * 18,
)
SPACES: Final = str.maketrans("\u00a0\u2002\u2003\u2004\u2005\u2007\u2009\u202f\u3000", " " * 9)  # wide, narrow, no-break
_LABEL = re.compile(
    r"[*_# ]{0,9}(?:the |my )?(?:final |correct )?"
    r"(?:answer|solution|result|grid|table|route|path|way|moves|rows)[*_ ]{0,4}:?[*_ ]{0,4}",
    re.IGNORECASE | re.ASCII,
)
_NUMBER = r"(?:(?:row|line|step|move|stop|no|r)\.?[ \t]?)?#?([1-9]\d{0,3})"  # "3", "#3", "Row 3", "No. 3"
_COUNTED = re.compile(
    r"[*_]{0,2}[(\[]?" + _NUMBER + r"(?:[.):\]]{1,2}|[ \t]?[-\u2013\u2014](?=[ \t]))[*_]{0,2}:?[ \t]{1,20}",
    re.ASCII | re.IGNORECASE,
)
_COUNT = re.compile(r"[(\[]?" + _NUMBER + r"[.):\]]{0,2}", re.ASCII | re.IGNORECASE)
_BULLET = re.compile(r"[-*+\u2022\u25e6\u25aa\u2013\u2014\u00b7][ \t]{1,20}")
_ARROW = re.compile(r"-{1,2}>|=>|[\u2192\u27f6\u2794\u21d2]")
_NEXT = re.compile(r"([\])])[ \t]{0,9}[,;]?[ \t]{0,9}(?=[\[(])")  # between two rows in brackets


def is_ruler(bare: str) -> bool:
    """Return whether a line is drawn: |---|---|, +---+, ===."""
    return not bare.strip(RULER) and any(sign in bare for sign in "-=\u2013\u2014")


def unquoted(lines: Sequence[str]) -> Sequence[str]:
    """The lines without the ">" of a quotation."""
    if not any(line.lstrip().startswith(">") for line in lines[:3]):
        return lines
    return [bare.lstrip("> ") if (bare := line.strip()).startswith(">") else line for line in lines]


def is_dashes(bare: str) -> bool:
    """Return whether a line that could be a ruler is single dashes: where a value is a dash, it is a row."""
    return "--" not in bare and not any(sign in bare for sign in ":+=")


def is_fence(bare: str) -> bool:
    """Return whether a line opens or closes a block of code."""
    return bare.startswith(("```", "~~~"))


def is_label(bare: str) -> bool:
    """Return whether a line says that the answer follows: **Answer:**, | Solution |."""
    return _LABEL.fullmatch(bare.strip("| ")) is not None


def unlisted(lines: Sequence[str], bullets: bool) -> tuple[list[str], bool]:
    """The lines without a label above them and without brackets, separators and, if so asked, bullets; and whether numbers from 1
    on stood before them, which are gone as well."""
    found = [line for line in lines if line]
    if len(found) > 1 and is_label(found[0]):
        del found[0]
    found = [row for line in found for row in line.split(";") if row.strip()]
    found = [row.strip() for line in found for row in _NEXT.sub(r"\1;", line).split(";")]
    counts = [_COUNTED.match(line) for line in found]
    counted = bool(found) and all(count is not None and count[1] == str(k) for k, count in enumerate(counts, 1))
    marks = counts if counted else [_BULLET.match(line) for line in found] if bullets else []
    if marks and all(marks):
        found = [line[mark.end() :] for line, mark in zip(found, marks, strict=True) if mark]
    return [row for row in [_unwrapped(line) for line in found] if row], counted


def _unwrapped(line: str) -> str:
    line = line.strip().rstrip(",").rstrip()
    if line[:1] and line[0] in "[(" and not _COUNT.fullmatch(line.split(" ", 1)[0]):
        line = line.lstrip("[(").rstrip("])").strip().rstrip(",")
    elif line in ("]", ")"):
        return ""
    if line.startswith("`") and line.endswith("`"):
        line = line.strip("`")
    return line


def with_bars(line: str) -> str:
    """Arrows and tabs as "|"."""
    return _ARROW.sub("|", line.replace("\t", "|"))


def uncounted(rows: Sequence[Sequence[str]], columns: int) -> list[list[str]] | None:
    """The rows without a column of numbers from 1 on before their values; None if there is none."""
    found = []
    for k, row in enumerate(rows, 1):
        count = _COUNT.fullmatch(row[0].strip().strip(AROUND).strip()) if len(row) == columns + 1 else None
        if count is None or count[1] != str(k):
            return None
        found.append(list(row[1:]))
    return found or None
