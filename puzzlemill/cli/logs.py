"""The library's log on standard error, for as long as a command runs."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

ALWAYS = "puzzlemill.solvers.kernels.compile"  # kernels are compiled, which takes a minute: said unless only errors are wanted


class _ToStderr(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        print(self.format(record), file=sys.stderr, flush=True)


@contextmanager
def logged(level: str) -> Iterator[None]:
    """level: of PUZZLEMILL_LOG, debug to critical; "": warnings, and that kernels are compiled."""
    chosen = logging.getLevelNamesMapping().get(level.upper(), logging.WARNING)
    handler = _ToStderr()
    handler.setFormatter(logging.Formatter("%(name)s: %(message)s" if level else "%(message)s"))
    levels = {"puzzlemill": chosen, ALWAYS: min(chosen, logging.INFO) if chosen <= logging.WARNING else chosen}
    before = {name: logging.getLogger(name).level for name in levels}
    for name, wanted in levels.items():
        logging.getLogger(name).setLevel(wanted)
    logging.getLogger("puzzlemill").addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger("puzzlemill").removeHandler(handler)
        for name, old in before.items():
            logging.getLogger(name).setLevel(old)
