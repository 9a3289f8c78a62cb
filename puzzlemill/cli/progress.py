"""Progress on standard error: one line that is rewritten in a terminal; elsewhere a line at each tenth and every 30 seconds.

The clock is read here and decides nothing but words. Libraries know progress as a function that they call.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable
from threading import Event as Flag
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from puzzlemill.factory.recipe import Recipe
    from puzzlemill.factory.run import Event

SILENT = 30.0  # seconds without a line, at most
LEAST = 1.0  # seconds between two lines: short work says little
WINDOW = 60.0  # seconds over which a rate is measured


class Pace:
    """How fast something goes on, over the last minute. What is done within the first second, as when a run finds what an
    earlier one has made, does not count.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.points: deque[tuple[float, int]] = deque()
        self.begun = 0.0

    def note(self, done: int) -> None:
        now = self.clock()
        if self.points and done < self.points[-1][1]:
            self.points.clear()  # another thing is counted now
        if not self.points:
            self.begun = now
        elif now - self.begun < LEAST:
            self.points.clear()
        self.points.append((now, done))
        while len(self.points) > 2 and self.points[1][0] < now - WINDOW:
            self.points.popleft()

    def rate(self) -> float:
        """So many a second; 0 as long as nobody knows."""
        if not self.points:
            return 0.0
        (begun, before), (_, done) = self.points[0], self.points[-1]
        seconds = self.clock() - begun
        return (done - before) / seconds if seconds >= LEAST else 0.0


def in_words(done: int, total: int | None, unit: str, rate: float) -> str:
    """40 of 100 groups, 2.5/s, about 24 s left."""
    parts = [f"{done} {unit}" if total is None else f"{done} of {total} {unit}"]
    if rate > 0:
        parts.append(f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min")
        if total is not None and done < total:
            parts.append(f"about {duration((total - done) / rate)} left")
    return ", ".join(parts)


def duration(seconds: float) -> str:
    """40 s; 3 min 20 s; 2 h 05 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


class Lines:
    """Progress as lines, for files and pipes. write: takes a line. clock: seconds."""

    def __init__(self, unit: str, write: Callable[[str], None], clock: Callable[[], float]) -> None:
        self.unit, self.write, self.clock = unit, write, clock
        self.pace, self.begun, self.last = Pace(clock), clock(), clock()
        self.state: tuple[int, int | None, str] | None = None
        self.tenth = 0
        self.lock = Lock()

    def show(self, done: int, total: int | None, what: str) -> None:
        with self.lock:
            self.pace.note(done)
            self.state = (done, total, what)
            tenth = 10 * done // total if total else 0
            if tenth > self.tenth and self.clock() - self.last >= LEAST:
                self._line()
                self.tenth = tenth

    def tick(self) -> None:
        """Write a line if there was none for a while."""
        with self.lock:
            if self.clock() - self.last >= SILENT:
                self._line()

    def _line(self) -> None:
        self.last = self.clock()
        if self.state is None:
            self.write(f"preparing, {duration(self.last - self.begun)} so far")
        else:
            done, total, what = self.state
            self.write(f"{what}: {in_words(done, total, self.unit, self.pace.rate())}")


class Bar:
    """A context manager that shows progress on standard error. unit: the things that are counted."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.bar: Any = None
        self.lines: Lines | None = None
        self._ended = Flag()

    def __enter__(self) -> Bar:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            self.pace = Pace(time.monotonic)
            columns = (TextColumn("{task.description}"), BarColumn(bar_width=20), TextColumn("{task.fields[words]}"))
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task("preparing", total=None, words="")
        else:
            self.lines = Lines(self.unit, _written, time.monotonic)
            Thread(target=self._tick, args=(self.lines,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self.bar is not None:
            self.bar.stop()

    def show(self, done: int, total: int | None, what: str) -> None:
        """Note how far it is. total: None if nobody knows. what: the part that it is at."""
        if self.bar is not None:
            self.pace.note(done)
            words = in_words(done, total, self.unit, self.pace.rate())
            self.bar.update(self.task, completed=done, total=total, description=what, words=words)
        elif self.lines is not None:
            self.lines.show(done, total, what)

    def _tick(self, lines: Lines) -> None:
        while not self._ended.wait(1.0):
            lines.tick()


class Progress:
    """Events of a run of the factory for a bar."""

    def __init__(self, recipe: Recipe, bar: Bar) -> None:
        self.bar = bar
        self.total = sum(sum(quota.by_base) for quota in recipe.quotas)
        self.most: dict[tuple[int, str, str], int] = {}  # groups done; events fall back while duplicates are looked for

    def event(self, event: Event) -> None:
        place = (event.stratum, event.family, event.split)
        self.most[place] = max(self.most.get(place, 0), event.done)
        self.bar.show(sum(self.most.values()), self.total, f"{event.family} {event.split}")


def _written(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
