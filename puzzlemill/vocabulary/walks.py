"""Words for maps of a small town (walks.toml): kinds of landmarks, and ways to describe one-way paths between places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from puzzlemill.core.words import listed, many, with_article
from puzzlemill.vocabulary.load import record


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to describe paths; walks.toml says what the templates have."""

    intro: str
    least: str
    each: tuple[str, ...]
    start: str
    item: str
    into: bool

    def describe(self, paths: Sequence[tuple[int, int, int]], places: Sequence[str], turn: int) -> Iterator[str]:
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

    def worded(self, phrasing: int) -> tuple[Wording, str, str, int]:
        """The wording of a phrasing, its first sentence, its task, and which turn of the wording it is."""
        turn, wording = divmod(phrasing, len(self.wordings))
        return self.wordings[wording], self.heads[turn % len(self.heads)], self.tasks[turn % len(self.tasks)], turn


@cache
def walks() -> Walks:
    """All of them."""
    read: Walks = record(Walks, __package__, "walks.toml")
    return read


def standing(stands: Sequence[int], places: Sequence[str], kinds: Sequence[str], turn: int) -> str:
    """Says what stands at each place: place by place, or kind by kind."""
    if turn % 2 == 0:
        there = [f"at {name} there is {with_article(kinds[kind])}" for name, kind in zip(places, stands, strict=True)]
        return "A" + "; ".join(there)[1:] + "."
    sentences = []
    for kind, name in enumerate(kinds):
        here = [place for place, there in zip(places, stands, strict=True) if there == kind]
        if here:
            sentences.append(f"There {'are ' + many(name) if len(here) > 1 else 'is ' + with_article(name)} at {listed(here)}.")
    return " ".join(sentences)


def all_of(kinds: Sequence[str], wanted: Sequence[int]) -> str:
    """Landmarks that are to be visited: "a bank and a park, in any order"."""
    return listed([with_article(kinds[kind]) for kind in wanted]) + (", in any order" if len(wanted) > 1 else "")
