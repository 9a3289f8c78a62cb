"""Names for things that have none of their own (names.toml), and other names for what has some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from puzzlemill.core.rng import Rng
from puzzlemill.vocabulary.load import record


@dataclass(frozen=True, slots=True)
class Names:
    """Pools of names; letters: without I and O, which look like digits."""

    letters: tuple[str, ...]
    trees: tuple[str, ...]
    colours: tuple[str, ...]
    people: tuple[str, ...]


@cache
def names() -> Names:
    """All of them."""
    read: Names = record(Names, __package__, "names.toml")
    return read


def renamed(old: Sequence[str], pools: Sequence[Sequence[str]], taken: Sequence[str], rng: Rng) -> tuple[str, ...]:
    """As many names of one pool, none of them taken, neither the old ones nor in the order that their alphabet suggests."""
    others = {name.casefold() for name in taken}
    while True:
        free = [name for name in rng.pick(pools) if name.casefold() not in others]
        if len(free) >= len(old):
            chosen = tuple(rng.sample(free, len(old)))
            usual = sorted(chosen, key=lambda name: (len(name), name) if name.isdigit() else (0, name))
            if chosen != tuple(old) and list(chosen) != usual:
                return chosen
