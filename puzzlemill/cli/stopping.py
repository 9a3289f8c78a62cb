"""Ctrl-C and SIGTERM: a command that is stopped by either leaves everything so that it can go on."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED, TERMINATED = 130, 143
_terminated = threading.Event()


@contextmanager
def termination_as_interrupt() -> Iterator[None]:
    """SIGTERM is taken as Ctrl-C is, by whoever takes that at the moment (asyncio, say); one that is ignored stays so."""
    _terminated.clear()
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _terminate(number: int, frame: FrameType | None) -> None:
    del number
    _terminated.set()
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):
        raise KeyboardInterrupt
    handler(signal.SIGINT, frame)


def interrupted(remedy: str = "") -> int:
    """Say in one line that the command was stopped; the exit code. remedy: how it goes on, "" if it begins anew."""
    word = "terminated" if _terminated.is_set() else "interrupted"
    sys.stderr.write(f"{word}{'; ' if remedy else ''}{remedy}\n")
    return TERMINATED if _terminated.is_set() else INTERRUPTED
