"""What can be asked of an ordering, with options or without."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

from puzzlemill import family as f
from puzzlemill.generators._ordering import numbers, places_of, size_of
from puzzlemill.rules import positions
from puzzlemill.rules.positions_words import Wording
from puzzlemill.vocabulary.themes import orders

(WHO, WHO_LAST, RANK, RANK_LAST, BETWEEN, MORE, LESS, AFTER, BEFORE, ORDER) = range(10)
_ASKED = ("who", "who_last", "rank", "rank_last", "between", "more", "less", "after", "before", "order")
_OFTEN = (WHO, WHO, WHO_LAST, RANK, RANK_LAST, BETWEEN, BETWEEN, MORE, LESS, AFTER, BEFORE, ORDER)
_OFTEN_SHARED = (RANK, RANK, MORE, LESS)
NOBODY = "nobody"
_HOW = {  # what a free answer is to be, where that is not plain
    AFTER: f'(Answer "{NOBODY}" if there is none.)',
    BEFORE: f'(Answer "{NOBODY}" if there is none.)',
    ORDER: "(Give the three with commas between them.)",
}


class OrderChoices(f.Choices[Any, Any, f.Slots]):
    """Who has a place, what place somebody has from either end, how many are between two or on one side, who comes next, and the
    order of three. `about` is the kind of question, and a place or persons."""

    several = True

    def questions(self, puzzle: f.Puzzle[Any, Any], rng: f.Rng) -> Iterator[tuple[int, ...]]:
        """Questions that no clue answers outright."""
        size = size_of(puzzle.spec)
        every = self._all(puzzle)
        told = {(said.items[0][1], said.number) for said in every if said.kind == "at"}
        apart = {frozenset([v for _, v in said.items]) for said in every if said.kind in ("next", "just_left", "apart", "ahead")}
        after = {said.items[0][1] for said in every if said.kind == "just_left"}
        before = {said.items[1][1] for said in every if said.kind == "just_left"}
        told_of = {v for v, _ in told}
        dated = bool(puzzle.style.theme and orders()[puzzle.style.theme].spots)
        for kind in rng.shuffled(_OFTEN_SHARED if size.values else _OFTEN) * 2:
            if kind in (WHO_LAST, RANK_LAST) and dated:
                continue
            if kind in (WHO, WHO_LAST):
                p = rng.below(size.places)
                if p not in [place for _, place in told]:
                    yield kind, p
                continue
            about = rng.sample(range(size.many), {BETWEEN: 2, ORDER: 3}.get(kind, 1))
            known = {RANK: told_of, RANK_LAST: told_of, AFTER: after, BEFORE: before}.get(kind, ())
            if about[0] not in known and not (kind == BETWEEN and frozenset(about) in apart):
                yield (kind, *sorted(about))

    def _all(self, puzzle: f.Puzzle[Any, Any]) -> list[positions.Statement]:
        return [positions.read(clue, size_of(puzzle.spec)) for clue in puzzle.clues]

    def says(self, puzzle: f.Puzzle[Any, Any]) -> str:
        kind, args = self._about(puzzle)
        if not puzzle.style.theme:
            told = [str(arg + 1) if kind <= WHO_LAST else puzzle.style.names[0][arg] for arg in args]
            return f"{_ASKED[kind]}({', '.join(told)})?"
        wording = Wording(puzzle, size_of(puzzle.spec))
        named = [] if kind <= WHO_LAST else [(wording.attributes[0], puzzle.style.names[0][v]) for v in args]
        name = "spot" if kind == RANK and wording.theme.spots else _ASKED[kind]
        how = _HOW.get(kind, "") if puzzle.question.ask is f.Ask.VALUE else ""
        said = wording.theme.asks(
            name, named, args[0] if kind <= WHO_LAST else 0, wording.size.places, abs(puzzle.style.phrasing) + kind
        )
        return f"{said} {how}" if how else said

    def _about(self, puzzle: f.Puzzle[Any, Any]) -> tuple[int, tuple[int, ...]]:
        """The kind of question and its arguments. Raises BadRow for another than the family asks."""
        size, about = size_of(puzzle.spec), puzzle.question.about
        kind, args = (about[0], about[1:]) if about else (-1, ())
        count = {BETWEEN: 2, ORDER: 3}.get(kind, 1)
        most = size.places if kind in (WHO, WHO_LAST) else size.many
        known = kind in (_OFTEN_SHARED if size.values else _OFTEN)
        if not known or len(args) != count or list(args) != sorted(set(args)) or not all(0 <= arg < most for arg in args):
            raise f.BadRow(
                f"question.about: {str(about)[:60]} is no question about an order of {size.many} at {size.places} places"
            )
        return kind, args

    def domain(self, puzzle: f.Puzzle[Any, Any]) -> tuple[str, ...]:
        size, (kind, args), names = size_of(puzzle.spec), self._about(puzzle), puzzle.style.names[0]
        if kind in (WHO, WHO_LAST):
            return names
        if kind in (AFTER, BEFORE):
            return (*[name for v, name in enumerate(names) if v != args[0]], NOBODY)
        if kind in (RANK, RANK_LAST):
            return _ranks(puzzle, size)
        if kind == BETWEEN:
            return tuple([str(k) for k in range(size.places - 1)])
        if kind in (MORE, LESS):
            return tuple([str(k) for k in range(size.many)])
        return tuple([", ".join([names[v] for v in three]) for three in permutations(args)])

    def value(self, puzzle: f.Puzzle[Any, Any], answer: f.Slots) -> str:
        size, (kind, args), names = size_of(puzzle.spec), self._about(puzzle), puzzle.style.names[0]
        at = places_of(puzzle, answer)
        if kind in (WHO, WHO_LAST):
            return names[at.index(args[0])]
        here = at[args[0]]
        if kind in (AFTER, BEFORE):
            there = here + 1 if kind == AFTER else here - 1
            return names[at.index(there)] if there in at else NOBODY
        if kind in (RANK, RANK_LAST):
            return _ranks(puzzle, size)[here if kind == RANK else size.places - 1 - here]
        if kind == BETWEEN:
            return str(abs(here - at[args[1]]) - 1)
        if kind in (MORE, LESS):
            return str(sum([p < here if kind == MORE else p > here for p in at]))
        return ", ".join([names[v] for v in sorted(args, key=lambda v: at[v])])

    def distractors(self, puzzle: f.Puzzle[Any, Any], answer: f.Slots, rng: f.Rng) -> Iterator[str]:
        """Whoever stands at the mirrored place or beside the right one comes first. Numbers are drawn evenly, and a question
        whose value is more likely than others is asked more seldom, so that no number is right more often than another.
        """
        size, (kind, args), right = size_of(puzzle.spec), self._about(puzzle), self.value(puzzle, answer)
        domain, at = self.domain(puzzle), places_of(puzzle, answer)
        if kind == BETWEEN and not rng.chance(1, size.places - 1 - int(right)):
            return
        if kind in (MORE, LESS) and size.values and right == "0" and not rng.chance(size.places - 1, size.many - 1):
            return
        if kind in (WHO, WHO_LAST, AFTER, BEFORE):
            p = args[0] if kind in (WHO, WHO_LAST) else at[args[0]]
            near = [size.places - 1 - p, p - 1, p + 1]
            if kind in (AFTER, BEFORE) and right != NOBODY and rng.chance(4, max(4, size.places - 1)):
                yield NOBODY
            names = [puzzle.style.names[0][at.index(q)] for q in rng.shuffled(near) if q in at]
            yield from [name for name in names if name in domain][: rng.below(3)]
            yield from [name for name in rng.shuffled(domain) if name != NOBODY]
            return
        if kind == ORDER:
            yield ", ".join(right.split(", ")[::-1])
        yield from rng.shuffled(domain)


def _ranks(puzzle: f.Puzzle[Any, Any], size: positions.Size) -> tuple[str, ...]:
    """How places are named in options: by their own names, or by their numbers."""
    world = orders().get(puzzle.style.theme)
    return world.spots[: size.places] if world is not None and world.spots else numbers(size.places)
