"""Packages that only some commands need, and that are installed by an extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from puzzlemill.core.errors import BadInput


@contextmanager
def needing(command: str, extra: str) -> Iterator[None]:
    """Say in one line which package a command lacks and how to get it, where an import in this block fails."""
    try:
        yield
    except ImportError as error:
        package = (error.name or "").partition(".")[0]
        raise BadInput(f"{command} needs the package {package}: pip install 'puzzlemill[{extra}]'") from None
