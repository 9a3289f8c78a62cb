"""Crosswords with other clues of the same words, and with fewer letters shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, final

from puzzlemill import family as f
from puzzlemill.generators._crossword import ALL, FITS, LETTER, CrosswordPuzzle, fitting, sorts_of
from puzzlemill.rules import clued
from puzzlemill.rules.clued import KIND, Clued

Draft = f.Draft[Any, Any, Any, Any]
_VAGUE = 50  # of a parent's clues in a hundred at most, if they are to get vaguer
Ways = Callable[[Clued, Iterator[Clued]], Iterator[Clued]]


@final
@dataclass(frozen=True, slots=True)
class Reclued(f.Transform):
    """Give words other clues of theirs, one word after the other, where the fill stays the only one.

    ways: of the clues of a word those that may stand in place of the one that it has.
    """

    name: str
    kind: f.Kind
    ways: Ways
    relation: f.Relation = f.Relation.EDIT
    pairing: f.Pairing = f.Pairing.SAME_ANSWER
    about: str = ""

    def fits(self, family: Any, spec: f.Spec[Any]) -> bool:
        room = spec.params.vague <= _VAGUE if self.name == VAGUE.name else spec.params.sorts == ALL
        return self in family.transforms and not spec.params.unclued and not spec.rules and room  # a rule must stay needed

    def edit(self, family: Any, draft: Draft, rng: f.Rng, oracle: f.Oracle) -> Draft:
        if draft.answer is None:
            raise f.Discarded("inapplicable", "there is no fill")
        p, puzzle = draft.puzzle.spec.params, draft.puzzle
        barred = clued.forms(draft.answer)
        for n in rng.shuffled([n for n, clue in enumerate(puzzle.clues) if clue.kind == KIND]):
            e, told = fitting(p.lexicon, puzzle.board, puzzle.clues[n])
            offers = clued.offers(draft.answer[e], sorts_of(p), p.lexicon, FITS, rng.child(n))
            usable = (each for each in offers if each.text != told.text and not clued.shows(each.text, barred))
            for other in self.ways(told, usable):
                changed = _with(puzzle, n, other, e)
                if oracle.count(changed) == 1:
                    puzzle = changed
                    break
        if puzzle is draft.puzzle:
            raise f.Discarded("inapplicable", "no word has such another clue")
        return replace(draft, puzzle=puzzle)


def _with(puzzle: CrosswordPuzzle, n: int, told: Clued, e: int) -> CrosswordPuzzle:
    clues = list(puzzle.clues)
    clues[n] = clued.stated(clues[n].id, told, e)
    board = replace(puzzle.board, words=tuple(sorted({*puzzle.board.words, *told.carriers})))
    return replace(puzzle, board=board, clues=tuple(clues))


def _alike(told: Clued, offers: Iterator[Clued]) -> Iterator[Clued]:
    """Other clues, those of the same sort first."""
    yield from sorted(offers, key=lambda each: each.sort != told.sort)[:2]


def _vaguer(told: Clued, offers: Iterator[Clued]) -> Iterator[Clued]:
    """Clues that fit more words, those that fit most first."""
    more = [each for each in offers if len(each.carriers) > len(told.carriers)]
    yield from sorted(more, key=lambda each: -len(each.carriers))[:3]


@final
@dataclass(frozen=True, slots=True)
class FewerLetters(f.Transform):
    """Hide letters that are shown, one after the other, while the fill stays the only one."""

    name: str = "fewer_letters"
    kind: f.Kind = f.Kind.IC2
    relation: f.Relation = f.Relation.EDIT
    pairing: f.Pairing = f.Pairing.SAME_ANSWER
    about: str = "no letter is shown that the clues can do without"
    needs: str = "letters of 1 or more"

    def fits(self, family: Any, spec: f.Spec[Any]) -> bool:
        return self in family.transforms and spec.params.letters > 0

    def edit(self, family: Any, draft: Draft, rng: f.Rng, oracle: f.Oracle) -> Draft:
        if draft.answer is None:
            raise f.Discarded("inapplicable", "there is no fill")
        puzzle = draft.puzzle
        for clue in rng.shuffled([clue for clue in puzzle.clues if clue.kind == LETTER]):
            fewer = puzzle.with_clues([other for other in puzzle.clues if other is not clue])
            if oracle.count(fewer) == 1:
                puzzle = fewer
        if puzzle is draft.puzzle:
            raise f.Discarded("inapplicable", "every letter is needed")
        return replace(draft, puzzle=puzzle)


PARAPHRASED = Reclued(
    "paraphrased_clues", f.Kind.SURFACE, _alike, about="words have other clues, of the same sort where there are any"
)
VAGUE = Reclued("vague_clues", f.Kind.IC2, _vaguer, about="words have clues that fit more words")
EDITS: tuple[f.Transform, ...] = (PARAPHRASED, VAGUE, FewerLetters())
