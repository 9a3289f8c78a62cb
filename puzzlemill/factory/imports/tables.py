"""Tables with named columns: CSV with a header, and JSON objects, one a line or in a list."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from puzzlemill.core.codec import MAX_TEXT
from puzzlemill.core.errors import BadInput, BadParams, BadRow
from puzzlemill.core.text import printable
from puzzlemill.factory.check import entry_of
from puzzlemill.factory.imports.forms import NONSENSE, Asked, Item, named, puzzle_of, text_of

# what columns may hold, with the names by which they are known; the first that a table has counts
ROLES: Mapping[str, tuple[str, ...]] = {
    "puzzle": ("puzzle", "puzzles", "quizzes", "quiz", "board", "grid", "question", "unsolved", "id_code"),
    "solution": ("solution", "solutions", "answer", "answers", "solved"),
    "name": ("name", "id", "title"),
    "family": ("family", "game", "task"),
}
_DELIMITERS = (",", ";", "\t", "|")
_JOINED = 64  # lines that one record of a CSV file may take
_LONG = 200_000  # characters of one record


def columns_of(text: str) -> tuple[tuple[str, str], ...]:
    """ "puzzle=quizzes,solution=answers" as pairs. Raises BadParams."""
    pairs: dict[str, str] = {}
    for part in text.split(",") if text else ():
        role, equals, name = part.strip().partition("=")
        if role not in ROLES or not equals or not name or role in pairs:
            raise BadParams(f"--columns: expected ROLE=COLUMN of {', '.join(ROLES)}, each once, got {part[:60]!r}")
        pairs[role] = name
    return tuple(pairs.items())


def _chosen(header: Sequence[str], asked: Asked) -> dict[str, str]:
    """Role -> column, of those that the table has. Raises BadRow for a column that was asked for and is not there."""
    given, folded = dict(asked.columns), {name.strip().casefold(): name for name in reversed(header)}
    for name in given.values():
        if name not in header:
            listed = ", ".join([printable(each[:40]) for each in header[:20]])
            raise BadRow(f"there is no column {name[:60]!r}; its columns: {listed}")
    known = {role: next((folded[name] for name in names if name in folded), "") for role, names in ROLES.items()}
    return {role: name for role, name in {**known, **given}.items() if name}


def _item(line: int, raw: Mapping[str, Any], roles: Mapping[str, str], asked: Asked) -> Item:
    """One record as an item; raw: column -> value."""
    name = str(raw.get(roles.get("name", ""), "") or "")
    given, family = raw.get(roles.get("solution", "")), ""
    item = Item(line, name, family, None)
    try:
        value = raw.get(roles["puzzle"])
        own = raw.get(roles.get("family", ""))
        known = named({"family": own} if type(own) is str and own.strip() else {}, asked)
        item = replace(item, family=known.name, given=_given(given))
        if value is None or value == "":
            raise BadRow(f"column {printable(roles['puzzle'][:40])}: holds no puzzle")
        return replace(item, puzzle=puzzle_of(value, known))
    except BadInput as error:
        return replace(item, problem=str(error))
    except NONSENSE as error:
        return replace(item, problem=f"its family cannot read it ({type(error).__name__}: {error})")


def _given(value: Any) -> str | None:
    """A solution as text; lists as JSON."""
    if value is None or value == "":
        return None
    text = value if type(value) is str else json.dumps(value)
    return text[:MAX_TEXT]


# ---- CSV ----------------------------------------------------------------------------------------------------------------


class _Csv:
    name = "csv"
    about = "a table with a header, separated by commas, semicolons, tabs or bars"

    def fits(self, head: str, asked: Asked) -> bool:
        first = _first(head)[1]
        return first[:1] not in ("{", "[") and bool(_delimiter(first, asked))

    def items(self, text: str, asked: Asked) -> Iterator[Item]:
        number, first = _first(text)
        delimiter = _delimiter(first, asked)
        header = _cells(first, delimiter) if delimiter else None
        if header is None:
            raise BadRow(
                f"line {number}: no header that names a column of puzzles ({', '.join(ROLES['puzzle'][:5])}); "
                "say which one it is, as in --columns puzzle=NAME"
            )
        if len(set(header)) < len(header):
            raise BadRow(f"line {number}: the header names a column twice")
        roles = _chosen(header, asked)
        for line, cells in _records(text, number, delimiter, len(header)):
            if isinstance(cells, str):
                yield Item(line, "", "", None, problem=cells)
            else:
                yield _item(line, dict(zip(header, cells, strict=True)), roles, asked)


def _first(text: str) -> tuple[int, str]:
    """Number and text of the first line that says something."""
    return next(((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()), (1, ""))


def _delimiter(line: str, asked: Asked) -> str:
    """What separates the columns of a header; "" if it is none. A header of one column has none either, and takes a comma."""
    for sign in _DELIMITERS:
        cells = _cells(line, sign)
        if cells is None:
            continue
        folded = {cell.strip().casefold() for cell in cells}
        if (len(cells) > 1 or sign == ",") and (dict(asked.columns).get("puzzle") in cells or folded & set(ROLES["puzzle"])):
            return sign
    return ""


def _cells(record: str, delimiter: str) -> list[str] | None:
    """The cells of one record; None if its quotes do not fit."""
    try:
        found = list(csv.reader([record], delimiter=delimiter, strict=True))
    except csv.Error:
        return None
    return found[0] if len(found) == 1 else None


def _records(text: str, header: int, delimiter: str, wide: int) -> Iterator[tuple[int, list[str] | str]]:
    """Records below the header with the lines that they begin in, or why there is none.

    A record goes on in the next lines as long as a quote is open. Where that leads to no record, its first line alone is bad:
    a stray quote must not swallow what follows it.
    """
    lines = text.split("\n")
    at = header
    while at < len(lines):
        start, at = at, at + 1
        if not lines[start].strip():
            continue
        taken = lines[start]
        while taken.count('"') % 2 and at < len(lines) and at - start < _JOINED and len(taken) < _LONG:
            taken, at = f"{taken}\n{lines[at]}", at + 1
        cells = None if taken.count('"') % 2 else _cells(taken, delimiter)
        if cells is not None and len(cells) == wide:
            yield start + 1, cells
            continue
        alone = taken if at == start + 1 else lines[start]
        at = start + 1
        if alone.count('"') % 2:
            yield start + 1, "a quote that is not closed"
        else:
            found = _cells(alone, delimiter)
            got = len(found) if found else "quotes that do not fit, or a cell that is too long"
            yield start + 1, f"expected {wide} cells as in the header, got {got}"


# ---- JSON ---------------------------------------------------------------------------------------------------------------


class _Jsonl:
    name = "jsonl"
    about = "JSON objects with named columns, one a line or in a list; rows of our own data sets too"

    def fits(self, head: str, asked: Asked) -> bool:
        del asked
        return head.lstrip()[:1] in ("{", "[")

    def items(self, text: str, asked: Asked) -> Iterator[Item]:
        roles: dict[str, str] | None = None
        for line, raw in _objects(text):
            if type(raw) is not dict:
                yield Item(line, "", "", None, problem=raw if type(raw) is str else "expected an object with named columns")
                continue
            if _is_ours(raw):
                entry = entry_of(line, raw, "")
                yield Item(line, entry.name, entry.family, entry.puzzle, problem=entry.problem)
                continue
            try:
                if roles is None or any(name not in raw for name in roles.values()):
                    found = _chosen(list(raw), asked)
                    if "puzzle" not in found:
                        raise BadRow(f"no column of puzzles ({', '.join(ROLES['puzzle'][:5])}); say which it is with --columns")
                    roles = found
            except BadRow as error:
                yield Item(line, "", "", None, problem=str(error))
                continue
            yield _item(line, raw, roles, asked)


def _is_ours(raw: Mapping[str, Any]) -> bool:
    """Return whether an object is a puzzle of this library or a row of a data set."""
    if "family" in raw and "spec" in raw:
        return True
    inner = raw.get("puzzle")
    return (type(inner) is dict and "spec" in inner) or (type(inner) is str and inner.lstrip()[:1] == "{")


def _objects(text: str) -> Iterator[tuple[int, Any]]:
    """Values with the lines that they begin in; a text says what is wrong with one. Raises BadRow for a list that is none."""
    if text.lstrip()[:1] == "[":
        decoder, at, line, counted = json.JSONDecoder(), text.index("[") + 1, 1, 0
        while True:
            while text[at : at + 1] in (" ", "\t", "\n", ","):
                at += 1
            if text[at : at + 1] in ("]", ""):
                return
            line, counted = line + text.count("\n", counted, at), at
            try:
                value, at = decoder.raw_decode(text, at)
            except (ValueError, RecursionError) as error:
                raise BadRow(
                    f"line {line}: not JSON ({type(error).__name__}: {error}); write one object a line, or a list"
                ) from None
            yield line, value
    for number, written in enumerate(text.split("\n"), 1):
        if written.strip():
            if len(written) > MAX_TEXT:
                yield number, f"{len(written)} characters, at most {MAX_TEXT} are read"
                continue
            try:
                yield number, json.loads(written)
            except (ValueError, RecursionError) as error:
                yield number, f"not JSON ({type(error).__name__}: {error})"


CSV, JSONL = _Csv(), _Jsonl()
__all__ = ["CSV", "JSONL", "ROLES", "columns_of", "text_of"]
