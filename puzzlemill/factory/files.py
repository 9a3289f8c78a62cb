"""Files and lines written whole or not at all, locks that last as long as a process, JSON within bounds, errors in one line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO

from puzzlemill.core.errors import BadFile

_BLOCK = 1 << 20


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


def append(file: BinaryIO, data: bytes) -> None:
    """Write at the end of an unbuffered file, all or nothing: what follows a full disk must not be joined to half a line."""
    start, rest = file.seek(0, os.SEEK_END), memoryview(data)
    try:
        while rest:
            rest = rest[file.write(rest) :]
    except OSError:
        with suppress(OSError):
            file.truncate(start)
        raise


def last_line(file: BinaryIO) -> bytes:
    """Read what follows the last line end of an unbuffered file: of a line that was being written when its writer stopped."""
    start = end = file.seek(0, os.SEEK_END)
    tail = b""
    while start and b"\n" not in tail:
        start = max(0, end - max(_BLOCK, 2 * len(tail)))
        file.seek(start)
        tail = _read(file, end - start)
    return tail[tail.rfind(b"\n") + 1 :]


def _read(file: BinaryIO, size: int) -> bytes:
    """Read exactly so many bytes, unless the file ends before."""
    parts = []
    while size and (part := file.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


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


def read_text(path: Path | None, most: int, remedy: str) -> str:
    """The text of a UTF-8 file of at most so many bytes, None for standard input. Raises BadFile.

    remedy: what one can do with a larger one.
    """
    name = "-" if path is None else str(path)
    try:
        if path is None:
            raw = sys.stdin.buffer.read(most + 1)
        else:
            with path.open("rb") as file:
                raw = file.read(most + 1)
    except OSError as error:
        raise BadFile(f"{name}: cannot be read ({error.strerror})") from None
    if len(raw) > most:
        raise BadFile(f"{name}: more than {most} bytes; {remedy}")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadFile(f"{name}: not UTF-8 text (byte {error.start}); convert it") from None


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
