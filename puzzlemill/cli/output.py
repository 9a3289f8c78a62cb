"""Results on standard output, and progress on standard error: a bar in a terminal, else a line for every part that is done."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from puzzlemill.factory.recipe import Recipe
    from puzzlemill.factory.run import Event

Found = TypeVar("Found")


def text_of(found: Found, as_json: bool, to_json: Callable[[Found], Any], to_text: Callable[[Found], str]) -> str:
    """The result as one JSON object or in words."""
    return json.dumps(to_json(found), indent=2) if as_json else to_text(found)


def line(text: str) -> None:
    """Print a line at once, for whoever watches."""
    print(text, flush=True)


def tokens(used: Mapping[str, int]) -> str:
    """The end of a sentence: the tokens that models used, if any."""
    listed = ", ".join(f"{name} {count}" for name, count in sorted(used.items()))
    return f"; tokens: {listed}" if listed else ""


class Bar:
    """A progress bar on stderr where that is a terminal, else nothing."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.bar: Any = None

    def __enter__(self) -> Bar:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            unit = TextColumn(self.unit)
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), unit, TimeElapsedColumn())
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task("preparing", total=None)
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def show(self, done: int, total: int, what: str) -> None:
        if self.bar is not None:
            self.bar.update(self.task, completed=done, total=total, description=what)


class Progress:
    """Events of a run for a bar; without a bar, one line for every stratum that is done."""

    def __init__(self, recipe: Recipe, bar: Bar) -> None:
        self.bar = bar
        self.total = sum(sum(quota.by_base) for quota in recipe.quotas)
        self.most: dict[tuple[int, str, str], int] = {}  # groups done; events fall back while duplicates are looked for

    def event(self, event: Event) -> None:
        place = (event.stratum, event.family, event.split)
        before = self.most.get(place, 0)
        self.most[place] = max(before, event.done)
        self.bar.show(sum(self.most.values()), self.total, f"{event.family} {event.split}")
        if self.bar.bar is None and before < event.done == event.total:
            print(f"{event.family} {event.split}: {event.done} groups", file=sys.stderr, flush=True)
