"""How crosswords are drawn: a grid, a fill by a kernel, and clues until one fill is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from puzzlemill import family as f
from puzzlemill.generators._crossword import (
    ALL,
    CRYPTIC,
    FITS,
    LETTER,
    OPEN_FITS,
    UNCLUED,
    Answer,
    Board,
    CrosswordPuzzle,
    Form,
    Params,
    grid,
    sorts_of,
)
from puzzlemill.generators._crossword_grid import CHECKED, Pattern, drawn
from puzzlemill.rules import clued
from puzzlemill.rules.clued import Clued
from puzzlemill.vocabulary import clues as lexical
from puzzlemill.vocabulary.lexicon import words

FORM = Form()
_DRAWS = 40  # grids, fills and sets of clues that are tried
_CHANGES = 40  # clues that are exchanged for others until one fill is left
_SEVERAL = 6  # words that a clue fits: where some fit more, which clue is taken is left to chance
_THEMED = 3  # words in a hundred cells, about, that belong to a theme
_LISTED = 200  # words of a theme that are offered to an entry
_THEMES = {
    "animal": (
        "animal",
        "bird",
        "fish",
        "insect",
        "reptile",
        "carnivore",
        "rodent",
        "equine",
        "feline",
        "canine",
        "dog",
        "livestock",
    ),
    "food": ("food", "dish", "fruit", "vegetable", "meat", "dessert", "bread", "cheese", "beverage", "sauce", "spice", "meal"),
    "garment": ("garment", "clothing", "footwear", "hat", "cloth", "fabric", "jewelry"),
    "person": ("worker", "artist", "musician", "entertainer", "scientist", "athlete", "official", "traveler", "merchant"),
}


class Secret(NamedTuple):
    """board, clues: of the puzzle. answer: its only fill."""

    board: Board
    clues: tuple[f.Clue, ...]
    answer: Answer


# ---- words that can be drawn ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def pool(band: str, sorts: str, checked: bool = False) -> dict[int, tuple[str, ...]]:
    """The words of a band that have clues of these sorts, in capitals, by their length.

    checked: for grids that need many words, also those of which only the letters say something.
    """
    by_letters = lexical.with_letters(band) if sorts == CRYPTIC or checked else ()
    found = {*by_letters, *(() if sorts == CRYPTIC else lexical.with_meaning(band))}
    by_length: dict[int, list[str]] = {}
    for text in sorted(found):
        by_length.setdefault(len(text), []).append(text.upper())
    return {letters: tuple(same) for letters, same in by_length.items()}


@lru_cache(maxsize=8)
def _every(band: str, sorts: str, checked: bool) -> tuple[str, ...]:
    return tuple(sorted([text for same in pool(band, sorts, checked).values() for text in same]))


@lru_cache(maxsize=32)
def themed(band: str, theme: str) -> dict[int, tuple[str, ...]]:
    """Words of the pool that are kinds of what a theme names, by any sense and down to two steps, by their length."""
    known = {n: frozenset(same) for n, same in pool(band, ALL).items()}
    wanted, found = dict.fromkeys(_THEMES[theme]), dict[str, None]()
    for _ in range(2):
        below: dict[str, None] = {}
        for kind in wanted:
            told = lexical.Clue("kind", "", ("kind", "n", kind))
            below |= dict.fromkeys([text for n in known for text in lexical.carriers(told, n)])
        found |= below
        wanted = below
    listed = sorted([text.upper() for text in found])
    return {n: tuple([text for text in listed if len(text) == n and text in same]) for n, same in known.items()}


# ---- a whole puzzle --------------------------------------------------------------------------------------------------------


def made(family: f.Family[Params, Board, Secret | Answer, Answer], spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Secret:
    """A crossword with one fill. Raises Discarded if none of the draws gives one."""
    p = spec.params
    for attempt in range(_DRAWS):
        here = rng.child(attempt)
        pattern = drawn(p.size, p.style, here.child("grid"))
        themes = _themes(p, pattern, here.child("theme"))
        if p.theme != "any" and not themes:
            continue  # no word of the theme is as long as one of the grid
        every = _every(p.lexicon, p.sorts, p.style == CHECKED)
        bare = family.puzzle(spec, themes, Board(pattern, every))
        try:
            values = oracle.sample(bare, here.child("fill"))
        except f.Discarded:
            continue
        if values is None:
            continue
        found = _Clueing(family, spec, pattern, values, here.child("clues"), oracle).found()
        if found is not None:
            return found
    raise f.Discarded("inapplicable", f"{_DRAWS} draws gave no crossword with one fill")


def _themes(p: Params, pattern: Pattern, rng: f.Rng) -> list[f.Clue]:
    """Some entries that only words of the theme may fill."""
    if p.theme == "any":
        return []
    known, laid = themed(p.lexicon, p.theme), grid(Board(pattern))
    able = [e for e, entry in enumerate(laid.entries) if len(known.get(len(entry.cells), ())) > 1]
    many = max(1, _THEMED * len(laid.places) // 100)
    clues = []
    for e in rng.few(able, min(many, len(able))):
        entry, same = laid.entries[e], known[len(laid.entries[e].cells)]
        clues.append(f.Clue(entry.label, UNCLUED, (tuple(sorted(rng.few(same, min(_LISTED, len(same))))), e)))
    return clues


class _Clueing:
    """Clues for a fill."""

    def __init__(
        self,
        family: f.Family[Params, Board, Secret | Answer, Answer],
        spec: f.Spec[Params],
        pattern: Pattern,
        values: f.Slots,
        rng: f.Rng,
        oracle: f.Oracle,
    ) -> None:
        self.family, self.spec, self.rng, self.oracle = family, spec, rng, oracle
        self.board = Board(pattern)
        self.laid, self.values = grid(self.board), values
        self.answer = FORM.assemble(spec, self.board, values)

    def found(self) -> Secret | None:
        """The puzzle; None if a word has no clue, or more than one fill is left."""
        offers = [self._offers(e) for e in range(len(self.answer))]
        told = [next(offer, None) for offer in offers]
        if any(each is None for each in told) or len(set(self.answer)) < len(self.answer):
            return None
        chosen, letters = [each for each in told if each is not None], self._letters()
        for _ in range(_CHANGES):
            bare = self._unclued(chosen)
            if len(bare) < self.spec.params.unclued:
                return None
            puzzle = self._puzzle(chosen, letters, bare)
            others = [values for values in self.oracle.answers(puzzle, 2) if values != self.values]
            if not others:
                if self.spec.params.vague and all(
                    told.carriers[0] == mine
                    for e, (told, mine) in enumerate(zip(chosen, self.answer, strict=True))
                    if e not in bare
                ):
                    return None  # the first word in the alphabet of each clue would do
                return Secret(puzzle.board, puzzle.clues, self.answer)
            other = FORM.assemble(self.spec, self.board, others[0])
            free = [
                e for e, (mine, theirs) in enumerate(zip(self.answer, other, strict=True)) if mine != theirs and e not in bare
            ]
            if not any(self._exchanged(e, other[e], chosen, offers) for e in self.rng.child("free").shuffled(free)):
                return None
        return None

    def _offers(self, e: int) -> Iterator[Clued]:
        """Clues of a word that do not show another word of the grid: those that fit several words first or last."""
        p, word = self.spec.params, self.answer[e]
        rng = self.rng.child("offers", e)
        barred = self._barred()
        every = [told for told in clued.offers(word, sorts_of(p), p.lexicon, FITS, rng) if not clued.shows(told.text, barred)]
        several = rng.child("vague").chance(p.vague, 100)
        yield from sorted(every, key=lambda told: min(len(told.carriers), _SEVERAL) * (-1 if several else 1))

    @lru_cache(maxsize=1)  # noqa: B019 - lives as long as the draw
    def _barred(self) -> frozenset[str]:
        return clued.forms(self.answer)

    def _exchanged(self, e: int, other: str, chosen: list[Clued], offers: list[Iterator[Clued]]) -> bool:
        """Give a word another clue that does not fit the other word; False if it has none."""
        told = next((told for told in offers[e] if other not in told.carriers), None)
        if told is not None:
            chosen[e] = told
        return told is not None

    def _letters(self) -> list[f.Clue]:
        """Letters that are shown."""
        cells = range(len(self.laid.places))
        shown = sorted(self.rng.child("letters").few(cells, len(cells) * self.spec.params.letters // 100))
        return [
            f.Clue(f"r{self.laid.places[cell][0] + 1}c{self.laid.places[cell][1] + 1}", LETTER, (cell, self.values[cell]))
            for cell in shown
        ]

    def _unclued(self, chosen: list[Clued]) -> dict[int, tuple[str, ...]]:
        """Words without a clue, with all words of the band that fit their crossings: where these are not too many."""
        p = self.spec.params
        crossed: dict[int, list[int]] = {}
        for e, entry in enumerate(self.laid.entries):
            for cell in entry.cells:
                crossed.setdefault(cell, []).append(e)
        found: dict[int, tuple[str, ...]] = {}
        for e in self.rng.child("unclued").shuffled(range(len(self.answer))) if p.unclued else []:
            entry = self.laid.entries[e]
            crossings = [other for cell in entry.cells for other in crossed[cell] if other != e]
            if len(found) == p.unclued or len(crossings) < len(entry.cells) or any(other in found for other in crossings):
                continue
            masks = [
                {told[self.laid.entries[other].cells.index(cell)] for told in chosen[other].carriers}
                for cell, other in zip(entry.cells, crossings, strict=True)
            ]
            fits = [
                text.upper()
                for text in words(p.lexicon, len(entry.cells), len(entry.cells))
                if all(letter in mask for letter, mask in zip(text.upper(), masks, strict=True))
            ]
            if len(fits) <= OPEN_FITS:
                found[e] = tuple(fits)
        return found

    def _puzzle(self, chosen: list[Clued], letters: list[f.Clue], bare: dict[int, tuple[str, ...]]) -> CrosswordPuzzle:
        """The puzzle with these clues; its board has their carriers, and those of some clues that are not there."""
        said = [
            f.Clue(entry.label, UNCLUED, (bare[e], e)) if e in bare else clued.stated(entry.label, told, e)
            for e, (entry, told) in enumerate(zip(self.laid.entries, chosen, strict=True))
        ]
        carriers = {str(word) for clue in said for word in clue.args[-2]}  # type: ignore[union-attr]
        board = replace(self.board, words=tuple(sorted({*carriers, *self._spare()})))
        return self.family.puzzle(self.spec, [*said, *letters], board)

    @lru_cache(maxsize=1)  # noqa: B019 - lives as long as the draw
    def _spare(self) -> frozenset[str]:
        """Carriers of clues of other words: what a clue may be changed for, so that no fill is left."""
        p, found = self.spec.params, set[str]()
        rng = self.rng.child("spare")
        barred = self._barred()
        for e in rng.few(range(len(self.answer)), min(3, len(self.answer))):
            same = pool(p.lexicon, p.sorts).get(len(self.laid.entries[e].cells), ())
            for told in clued.offers(rng.child(e).pick(same), sorts_of(p), p.lexicon, FITS, rng.child("told", e)):
                if not clued.shows(told.text, barred):
                    found.update(told.carriers)
                    break
        return frozenset(found)
