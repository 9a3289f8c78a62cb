"""Reads the package's data files, TOML and lists of words, when they are first asked for: nothing is read at import.

A file is named by the package whose folder it lies in, and found wherever that package is, also in an archive (scorer.zip).
It is checked by the types of what it becomes (core/codec.py), and what is wrong with it is a BadFile that names the place.
"""

from __future__ import annotations

import tomllib
from pkgutil import get_data  # importlib.resources takes longer to import than any of these files to read
from typing import Any

from puzzlemill.core.codec import build
from puzzlemill.core.errors import BadFile, BadRow

_REMEDY = "install puzzlemill anew"


def table(package: str, name: str) -> dict[str, Any]:
    """A TOML file as it is written. Raises BadFile if it is not there, or not TOML."""
    try:
        return tomllib.loads(_text(package, name))
    except tomllib.TOMLDecodeError as error:
        raise BadFile(f"{_place(package, name)}: not TOML ({error}); {_REMEDY}") from None


def checked(kind: Any, value: Any, package: str, name: str) -> Any:
    """A value of a file as `kind`: a frozen dataclass, or a mapping or tuple of them. Raises BadFile if it is of another form."""
    try:
        return build(kind, value, _place(package, name))
    except BadRow as error:
        raise BadFile(f"{error}; {_REMEDY}") from None


def record(kind: Any, package: str, name: str) -> Any:
    """A whole TOML file as `kind`. Raises BadFile as `table` and `checked` do."""
    return checked(kind, table(package, name), package, name)


def words(package: str, name: str) -> tuple[str, ...]:
    """The words of a list in their order; a line that begins with # is a remark. Raises BadFile if it is not there, or empty."""
    found = [word for line in _text(package, name).splitlines() if not line.startswith("#") for word in line.split()]
    if not found:
        raise BadFile(f"{_place(package, name)}: expected words, got none; {_REMEDY}")
    return tuple(found)


def content(package: str, name: str) -> bytes:
    """A whole file. Raises BadFile if it is not there."""
    try:
        raw = get_data(package, name)
    except OSError:
        raw = None
    if raw is None:
        raise BadFile(f"{_place(package, name)}: the file is not here (scorer.zip has what scoring needs alone); {_REMEDY}")
    return raw


def _text(package: str, name: str) -> str:
    raw = content(package, name)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise BadFile(f"{_place(package, name)}: byte {error.start} is no UTF-8; {_REMEDY}") from None


def _place(package: str, name: str) -> str:
    return f"{package.replace('.', '/')}/{name}"
