"""How rates are taken: ours and the peer's in turn, several times, medians; and the table they are shown in."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

Batch = Callable[[], int]  # does some work and says how many things it made or decided


@dataclass(frozen=True)
class Line:
    """One line of the table. ours, theirs: things per second, seconds or MiB, as `unit` says; theirs is None without a peer.

    peer: the peer and its settings, or why there is no number. goal: what we set out to reach, met or not. note: what was done.
    """

    what: str
    unit: str
    ours: float
    goal: str = ""
    met: bool | None = None
    peer: str = ""
    theirs: float | None = None
    note: str = ""

    def cells(self) -> tuple[str, ...]:
        ratio = "" if self.theirs is None else shown(self.ours / self.theirs)
        met = "" if self.met is None else (" yes" if self.met else " NO")
        theirs = "" if self.theirs is None else shown(self.theirs)
        return (self.what, shown(self.ours), self.unit, self.goal + met, self.peer, theirs, ratio, self.note)


HEADER = ("what", "ours", "unit", "goal", "peer", "theirs", "ratio", "note")


def clock() -> float:
    """Seconds of CPU time of this process and its finished children.

    For what runs in one thread that is the wall clock's time on a quiet machine, and it is of use on a busy one too.
    """
    spent = process_time()
    if sys.platform != "win32":
        import resource

        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent += children.ru_utime + children.ru_stime
    return spent


def rates(*batches: Batch, repeats: int = 5) -> list[float]:
    """The median rate of each batch, in things per second. They take turns, so that a noisy spell falls on all of them."""
    batches[0]()  # ours once aside: compiled kernels and caches are loaded before the clock runs
    seen: list[list[float]] = [[] for _ in batches]
    for _ in range(repeats):
        for batch, found in zip(batches, seen, strict=True):
            begun = clock()
            count = batch()
            found.append(count / (clock() - begun))
    return [median(found) for found in seen]


def shown(value: float) -> str:
    """Three digits or the whole number."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def text(lines: Iterable[Line]) -> str:
    """A plain table."""
    rows = [HEADER, *[line.cells() for line in lines]]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEADER))]
    right = {1, 5, 6}
    return "\n".join(
        "  ".join(
            cell.rjust(w) if i in right else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def markdown(lines: Iterable[Line]) -> str:
    rows = [HEADER, tuple("---:" if i in {1, 5, 6} else "---" for i in range(len(HEADER))), *[line.cells() for line in lines]]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)


def write_page(name: str, heading: str, script: str, page: str) -> None:
    """Write a page of results beside the scripts."""
    text = f"# {heading}\n\nWritten by `python benchmarks/{script} --write`.\n{page}\n"
    Path(__file__).with_name(name).write_text(text, encoding="utf-8")


def machine() -> str:
    """What the numbers depend on, in one sentence."""
    from importlib.metadata import version

    name = sys.platform
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
        name = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), name)
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return (
        f"{name}, {os.cpu_count()} cores, load average {load}; Python {sys.version.split()[0]}, numba {version('numba')}. "
        "Every rate is per second of CPU time of one thread: the median of several turns, taken alternately with the peer."
    )
