"""The frame of forms: what a form is, the register of all forms, and files opened within bounds.

A form is a module-level object with a name, a line about itself, `fits` and `items`. To add one, write it in a module of this
folder and name it in FORMS: `puzzlemill import` and `--audit` then read it, and docs/import.md says so. What an item holds is
proved and recorded elsewhere; a form reads, and nothing that a file holds may make it raise but BadRow for the file as a whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from puzzlemill.core.codec import MAX_TEXT
from puzzlemill.core.errors import BadFile, BadInput, BadParams, BadRow
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.text import lines_of, printable
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.factory.check import entry_of
from puzzlemill.factory.files import read_text
from puzzlemill.factory.imports.origin import File
from puzzlemill.generators import family_named

MAX_FILE = 256_000_000  # bytes
MOST = 100_000  # puzzles of one import, which are held in memory
BARE = "sudoku"  # what lines are where nothing says it
_HEAD = 20_000  # characters that a form is recognised by
_LONGEST = 20_000  # characters of a line that are read
_FOLDERS = re.compile(r"[/\\]")
NONSENSE = (ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError)  # what families may raise on one


@dataclass(frozen=True, slots=True)
class Item:
    """A puzzle of a file, or why there is none.

    line: where it begins. name: as the file calls it, "" if it does not. given: the solution that came with it, as text (a list
    as JSON), None if there is none.
    """

    line: int
    name: str
    family: str
    puzzle: AnyPuzzle | None
    given: str | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the caller says of files: the family of puzzles that do not name one, and columns by what they hold (ROLES)."""

    family: str = ""
    columns: tuple[tuple[str, str], ...] = ()


class Form(Protocol):
    """One way to write puzzles down."""

    name: str
    about: str

    def fits(self, head: str, asked: Asked) -> bool:
        """Return whether a text that begins so is in this form."""
        ...

    def items(self, text: str, asked: Asked) -> Iterator[Item]:
        """The puzzles of a text, in its order. Raises BadRow if the text as a whole is not in this form."""
        ...


FORMS = ("tables:CSV", "tables:JSONL", "tatham:IDS", "lines:GRIDS", "lines:TEXT")  # asked in this order


def forms() -> dict[str, Form]:
    """Every form by its name."""
    found: list[Form] = []
    for place in FORMS:
        module, _, name = place.partition(":")
        found.append(getattr(import_module(f"puzzlemill.factory.imports.{module}"), name))
    return {form.name: form for form in found}


@dataclass(frozen=True, slots=True)
class Source:
    """An opened file."""

    path: Path
    file: File
    form: Form
    text: str

    def items(self, asked: Asked) -> Iterator[Item]:
        """Its puzzles; what cannot be read is one with a problem."""
        try:
            for item in self.form.items(self.text, asked):
                yield replace(item, name=printable(item.name[:120]), problem=printable(" ".join(item.problem.split()))[:300])
        except BadRow as error:
            raise BadFile(f"{self.path}: {error}") from None


def opened(path: Path, asked: Asked, form: str = "") -> Source:
    """Open a file and find out its form. Raises BadFile or BadParams."""
    known = forms()
    if form and form not in known:
        raise BadParams(f"--form: unknown form {form[:40]!r}; known: {', '.join(known)}")
    if asked.family:
        family_named(asked.family)
    if path.exists() and not path.is_file():
        raise BadFile(f"{path}: is no file; name files one by one")
    held = read_text(path, MAX_FILE, "import it in parts")
    raw, text = held.encode(), held.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise BadFile(f"{path}: holds nothing")
    head = text[:_HEAD]
    found = known[form] if form else next((each for each in known.values() if each.fits(head, asked)), None)
    if found is None:
        columns = [name.strip() for name in re.split(r"[,;\t]", printable(head.partition("\n")[0]))]
        named = all(re.fullmatch(r"[A-Za-z]\w{0,40}", name, re.ASCII) for name in columns) and columns[1:]
        remedy = f"say which column has the puzzles, --columns puzzle=NAME of {', '.join(columns)}" if named else ""
        raise BadFile(
            f"{path}: in no form that is known ({', '.join(known)}); {remedy or 'name one with --form'}, and see docs/import.md"
        )
    return Source(path, File(_FOLDERS.sub("?", printable(path.name))[:120], len(raw), sha256(raw).hexdigest()), found, text)


# ---- for all forms ------------------------------------------------------------------------------------------------------


def puzzle_of(value: Any, family: AnyFamily) -> AnyPuzzle:
    """A puzzle of this family from one value of a table: its text form without the heading, a list of rows, or our JSON.

    Raises BadRow, without a line: the value has one of its own.
    """
    if type(value) is dict or (type(value) is str and value.lstrip()[:1] == "{"):
        entry = entry_of(1, value, "")
        if entry.puzzle is None:
            raise BadRow(entry.problem)
        return entry.puzzle
    text = text_of(value)
    body = text if re.match(rf"\s*{family.name}\b", text) else f"{family.name}\n{text}"
    try:
        return family.text.parse(lines_of(body))
    except BadInput as error:
        raise BadRow(re.sub(r"^line \d+ ", "", str(error))) from None


def text_of(value: Any) -> str:
    """A value as the lines of a puzzle: lists are rows, and rows that are lists have blanks between their cells."""
    if type(value) is list:
        return "\n".join([" ".join([_cell(cell) for cell in row]) if type(row) is list else _cell(row) for row in value])
    if type(value) is not str or not value.strip():
        raise BadRow(f"expected a text or a list of rows, got {str(value)[:40]!r}")
    if len(value) > MAX_TEXT:
        raise BadRow(f"{len(value)} characters, at most {MAX_TEXT} are read")
    if value.lstrip()[:1] == "[":  # a list that was written into a text
        try:
            return text_of(json.loads(value))
        except (ValueError, RecursionError):
            pass
    return value.replace("\\n", "\n")


def _cell(value: Any) -> str:
    if value is None or value == "":
        return "."
    if type(value) not in (str, int):
        raise BadRow(f"expected numbers or texts in rows, got {str(value)[:40]!r}")
    return str(value)


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text that say something, with their numbers; of one that is too long for any puzzle, its beginning."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and line.lstrip()[:1] != "#":
            yield number, line[:_LONGEST]


def named(families: Mapping[str, str], asked: Asked) -> AnyFamily:
    """The family of an item. families: what the item says itself, by the place that says it. Raises BadRow."""
    for name in families.values():
        try:
            return family_named(name.strip().casefold())
        except BadParams as error:
            raise BadRow(str(error)) from None
    return family_named(asked.family or BARE)
