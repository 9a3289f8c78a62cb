"""Words for maps of a small town (walks.toml): kinds of landmarks, and ways to describe one-way paths between places.

The canonical voice and phrasings below FIRST have the words of this file alone; other voices have wordings/navigation.toml too,
and other notations of landmarks and paths.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from puzzlemill.core.words import capital, listed, many, with_article
from puzzlemill.vocabulary.load import record
from puzzlemill.vocabulary.wordings import Voice, markdown

_ORDERS = (("places", "paths", "task"), ("task", "places", "paths"), ("places", "task", "paths"), ("paths", "places", "task"))
_STANDING = ("places", "kinds", "pairs", "table", "json")  # notations of what stands where
_PATHS = ("told", "arrows", "table", "adjacency", "json", "told")  # notations of paths
_SCENES = ("path", "walk", "street", "bus", "ferry", "")  # of paths in sentences, "" for all from or to a place in one
_GATHERED = (3, 6)  # the wordings of walks.toml that tell them so


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
            for at, (source, target, length) in enumerate(paths, turn):
                yield self.each[at % len(self.each)].format(places[source], places[target], length)
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


# ---- voices of their own ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Map:
    """places, kinds: names. stands: the kind at each place. paths: in the order in which they are told. asides: their lines.

    start: a place. goal: a kind. via: kinds to visit, or nothing.
    """

    places: Sequence[str]
    kinds: Sequence[str]
    stands: Sequence[int]
    paths: Sequence[tuple[int, int, int]]
    asides: Sequence[str]
    start: int
    goal: int
    via: Sequence[int]


def told(town: Map, voice: Voice) -> str:
    """The prompt of a map in a voice of its own, in one of its notations."""
    paths, least = _paths(town, voice)
    goal = town.kinds[town.goal]
    words = {"goal": goal, "one": with_article(goal), "goals": many(goal), "visit": all_of(town.kinds, town.via)}
    ends = voice.says("via" if town.via else "any", **words)
    task = [voice.says("task", start=town.places[town.start], **words), ends, least, voice.says("equal")]
    places = f"{voice.says('head', n=len(town.places))} {_standing(town, voice)}"
    return voice.arranged(_ORDERS, {"places": places, "paths": paths, "task": " ".join(task)})


def _standing(town: Map, voice: Voice) -> str:
    """What stands at each place, in one of its notations; what is no sentence begins a line of its own."""
    way = "kinds" if voice.short else _STANDING[voice.place("standing", len(_STANDING))]
    pairs = [(name, town.kinds[kind]) for name, kind in zip(town.places, town.stands, strict=True)]
    here = [(kind, names) for kind in town.kinds if (names := [name for name, there in pairs if there == kind])]
    if way == "places":
        said = [voice.says("here", at, place=name, kind=with_article(kind)) for at, (name, kind) in enumerate(pairs, 1)]
        return capital("; ".join(said)) + "."
    if way == "kinds" and not voice.short:
        return " ".join([_there(kind, names, at, voice) for at, (kind, names) in enumerate(here, 1)])
    if way == "kinds":
        body = "; ".join([f"{kind}: {', '.join(names)}" for kind, names in here])
    elif way == "table":
        body = markdown([name for name, _ in pairs], ["landmark"], [[kind] for _, kind in pairs])
    elif way == "json":
        body = json.dumps(dict(pairs))
    else:
        between = ("; ", ", ", "\n")[voice.place("between", 3)]
        body = between.join([f"{name}: {kind}" for name, kind in pairs])
    return f"{voice.says('standing')}\n{body}"


def _there(kind: str, names: Sequence[str], turn: int, voice: Voice) -> str:
    kinds, be = (many(kind), "are") if len(names) > 1 else (with_article(kind), "is")
    return voice.says("there", turn, kinds=kinds, be=be, places=listed(names))


def _paths(town: Map, voice: Voice) -> tuple[str, str]:
    """The paths with their heading, and what a shortest route has least of."""
    way = "adjacency" if voice.short else _PATHS[voice.place("paths", len(_PATHS))]
    names, asides, least = town.places, list(town.asides), voice.says("least")
    if way == "told":
        scene = _SCENES[voice.place("scene", len(_SCENES))]
        if not scene:
            wording = _GATHERED[voice.place("gathered", len(_GATHERED))]
            lines = [*walks().wordings[wording].describe(town.paths, names, 0), *asides]
            return f"{walks().wordings[wording].intro}\n{voice.bullets(lines)}", least
        told = [voice.says(scene, at, a=names[a], b=names[b], length=length) for at, (a, b, length) in enumerate(town.paths, 1)]
        least = least if scene == "path" else voice.says(f"{scene}_least")
        return f"{voice.says(f'{scene}_intro')}\n{voice.bullets([*told, *asides])}", least
    if way == "arrows":
        lines = [voice.says("arrow", a=names[a], b=names[b], length=length) for a, b, length in town.paths]
        body = voice.bullets(lines)
    elif way == "table":
        rows = [[names[b], str(length)] for _, b, length in town.paths]
        body = markdown([names[a] for a, _, _ in town.paths], ["to", "length"], rows).replace("|  |", "| from |", 1)
    else:
        gathered: dict[str, dict[str, int]] = {}
        for a, b, length in town.paths:
            gathered.setdefault(names[a], {})[names[b]] = length
        if way == "json":
            body = "{" + ",\n ".join([f"{json.dumps(name)}: {json.dumps(there)}" for name, there in gathered.items()]) + "}"
        else:
            each = {
                name: ", ".join([voice.says("next", to=to, length=length) for to, length in there.items()])
                for name, there in gathered.items()
            }
            body = "\n".join([f"{name}: {there}" for name, there in each.items()])
    return "\n".join([f"{voice.says(way)}\n{body}", *asides]), least
