"""Files that are written whole or not at all, locks that last as long as a process, JSON within bounds, errors in one line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from puzzlemill.core.errors import BadFile


@contextmanager
def whole(path: Path, *, lasting: bool = False) -> Iterator[Path]:
    """Give a path to write to; what is there takes the place of `path` at the end, and is gone where the block raises.

    lasting: it is on the disk before it takes the place, so that not even a power cut leaves half a file.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield aside
        if lasting:
            with aside.open("rb+") as file:
                os.fsync(file.fileno())
        aside.replace(path)
    finally:
        with suppress(OSError):
            aside.unlink(missing_ok=True)


def locked(file: IO[Any], *, wait: bool = False) -> bool:
    """Lock an open file until it is closed, however the process ends; False if another process has it. wait: until it has not.

    Systems without flock go without.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


def read_json(path: Path, most: int) -> Any:
    """The value in a JSON file of at most so many bytes; None if there is none. Raises OSError."""
    with path.open("rb") as file:
        raw = file.read(most + 1)
    try:
        return json.loads(raw) if len(raw) <= most else None
    except (ValueError, RecursionError):
        return None


@contextmanager
def in_one_line(place: object, remedy: str) -> Iterator[None]:
    """Turn errors of the system into a BadFile that names the file (or the place) and the remedy."""
    try:
        yield
    except OSError as error:
        raise BadFile(f"{error.filename or place}: {error.strerror or error}; {remedy}") from None
