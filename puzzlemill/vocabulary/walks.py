"""Words for maps of a small town (walks.toml): kinds of landmarks, and ways to tell of one-way paths between places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from puzzlemill.core.words import listed
from puzzlemill.vocabulary.load import record


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to tell of paths; walks.toml says what the templates have."""

    intro: str
    least: str
    each: tuple[str, ...]
    start: str
    item: str
    into: bool

    def tell(self, paths: Sequence[tuple[int, int, int]], places: Sequence[str], turn: int) -> Iterator[str]:
        """The sentences of paths (from, to, length). turn: which of the templates comes first."""
        if self.each:
            for number, (source, target, length) in enumerate(paths):
                yield self.each[(number + turn) % len(self.each)].format(places[source], places[target], length)
            return
        gathered: dict[int, list[str]] = {}
        for source, target, length in paths:
            one, other = (target, source) if self.into else (source, target)
            gathered.setdefault(one, []).append(self.item.format(places[other], length))
        for one, items in gathered.items():
            yield f"{self.start.format(places[one])} {listed(items)}."


@dataclass(frozen=True, slots=True)
class Walks:
    """heads, tasks: the first sentence and what is asked, in several ways. remarks: say nothing about the answer."""

    kinds: tuple[str, ...]
    remarks: tuple[str, ...]
    heads: tuple[str, ...]
    tasks: tuple[str, ...]
    wordings: tuple[Wording, ...]


@cache
def walks() -> Walks:
    """All of them."""
    read: Walks = record(Walks, __package__, "walks.toml")
    return read
