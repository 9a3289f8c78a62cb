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
    MARKED,
    OPEN_FITS,
    UNCLUED,
    Answer,
    Board,
    CrosswordPuzzle,
    Form,
    Params,
    grid,
    least_themed,
    sorts_of,
)
from puzzlemill.generators._crossword_grid import CHECKED, Pattern, drawn
from puzzlemill.rules import clued
from puzzlemill.rules.clued import LETTERS, Clued
from puzzlemill.vocabulary import clues as lexical
from puzzlemill.vocabulary.lexicon import word, words

FORM = Form()
_DRAWS = 40  # grids, fills and sets of clues that are tried; twelve times as many under a rule, where one fill in thirty will do
_CHANGES = 40  # clues that are exchanged for others until one fill is left
_SEVERAL = 6  # words that a clue fits: where some fit more, which clue is taken is left to chance
_RIVALS = 8  # fills of a puzzle whose marked cells decide, at most
_SPELT = 4, 7  # letters of what they spell
_READ = 3000  # words that are tried
_LISTS = 5, 7  # other words that are listed beside it
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


def _base(text: str) -> str:
    """The word that a word in capitals is a form of, itself if it is none."""
    found = word(text.lower())
    return found.base if found is not None and found.base else text.lower()


# ---- a whole puzzle --------------------------------------------------------------------------------------------------------


def made(family: f.Family[Params, Board, Secret | Answer, Answer], spec: f.Spec[Params], rng: f.Rng, oracle: f.Oracle) -> Secret:
    """A crossword with one fill. Raises Discarded if none of the draws gives one."""
    p, ruled, spec = spec.params, bool(spec.rule(MARKED)), spec.without_rule(MARKED)
    for attempt in range(_DRAWS * (12 if ruled else 1)):
        here = rng.child(attempt)
        pattern = drawn(p.size, p.style, here.child("grid"))
        themes = _themes(p, pattern, here.child("theme"))
        if len(themes) < least_themed(p, pattern):
            continue  # too few words of the theme are as long as words of the grid
        every = _every(p.lexicon, p.sorts, p.style == CHECKED)
        bare = family.puzzle(spec, themes, Board(pattern, every))
        try:
            values = oracle.sample(bare, here.child("fill"))
        except f.Discarded:
            continue
        if values is None:
            continue
        found = _Clueing(family, spec, pattern, values, here.child("clues"), oracle, ruled).found()
        if found is not None:
            return found
    raise f.Discarded("inapplicable", "no draw gave a crossword with one fill")


def _themes(p: Params, pattern: Pattern, rng: f.Rng) -> list[f.Clue]:
    """Some entries that only words of the theme may fill."""
    if p.theme == "any":
        return []
    known, laid = themed(p.lexicon, p.theme), grid(Board(pattern))
    able = [e for e, entry in enumerate(laid.entries) if len(known.get(len(entry.cells), ())) > 1]
    clues = []
    for e in rng.few(able, min(least_themed(p, pattern), len(able))):
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
        ruled: bool,
    ) -> None:
        self.family, self.spec, self.rng, self.oracle = family, spec, rng, oracle
        self.ruled = ruled
        self.board = Board(pattern)
        self.laid, self.values = grid(self.board), values
        self.answer = FORM.assemble(spec, self.board, values)

    def found(self) -> Secret | None:
        """The puzzle; None if a word has no clue, or more than one fill is left."""
        if len({_base(text) for text in self.answer}) < len(self.answer):
            return None  # a word twice, or with one of its forms
        offers = [self._offers(e) for e in range(len(self.answer))]
        told: list[Clued | None] = []
        for offer in offers:
            texts = {each.text for each in told if each is not None}
            told.append(next((each for each in offer if each.text not in texts), None))
        if any(each is None for each in told):
            return None
        chosen, letters = [each for each in told if each is not None], self._letters()
        for _ in range(_CHANGES):
            bare = self._unclued(chosen)
            if len(bare) < self.spec.params.unclued:
                return None
            puzzle = self._puzzle(chosen, letters, bare)
            most = _RIVALS if self.ruled else 1
            others = [values for values in self.oracle.answers(puzzle, most + 1) if values != self.values]
            if self.ruled and not others:
                return None
            marked = self._marked(puzzle, others) if self.ruled and len(others) < most else None
            if not others or marked is not None:
                puzzle = puzzle if marked is None else marked
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
        rivals = {told: -self._rivals(e, told) if self.ruled else 0 for told in every}
        yield from sorted(every, key=lambda told: (rivals[told], min(len(told.carriers), _SEVERAL) * (-1 if several else 1)))

    def _rivals(self, e: int, told: Clued) -> int:
        """How many other words a clue fits that go with all crossings of the fill."""
        crossed = [at for at, cell in enumerate(self.laid.entries[e].cells) if cell in self._crossed()]
        word = self.answer[e]
        fits = [all(other[at] == word[at] for at in crossed) for other in told.carriers if other != word]
        return sum(fits)

    @lru_cache(maxsize=1)  # noqa: B019 - lives as long as the draw
    def _crossed(self) -> frozenset[int]:
        """Cells that two words share."""
        cells = [cell for entry in self.laid.entries for cell in entry.cells]
        return frozenset([cell for cell in cells if cells.count(cell) > 1])

    def _marked(self, puzzle: CrosswordPuzzle, others: list[f.Slots]) -> CrosswordPuzzle | None:
        """The puzzle with marked cells that spell one of some words in this fill, and none of them in the others."""
        rng, shown = self.rng.child("marked"), {clue.args[0] for clue in puzzle.clues if clue.kind == LETTER}
        free = [cell for cell in range(len(self.values)) if cell not in shown]
        needed = set[int]()
        for other in others:
            if not any(other[cell] != self.values[cell] for cell in needed):
                apart = [cell for cell in free if other[cell] != self.values[cell]]
                if not apart:
                    return None
                needed.add(rng.child("needed", len(needed)).pick(apart))
        least, most = max(_SPELT[0], len(needed)), _SPELT[1]
        if least > most:
            return None
        known = pool(self.spec.params.lexicon, ALL)
        for turn in range(_READ):
            here = rng.child("word", turn)
            length = here.between(least, most)
            word = here.child("of").pick(known[length])
            cells = self._read(word, free, sorted(needed), here.child("cells")) if word not in self.answer else None
            if cells is not None:
                decoys = here.child("decoys").few(known[length], _LISTS[1] + 8)
                taken = {"".join([LETTERS[fill[cell]] for cell in cells]) for fill in others}
                fit = [decoy for decoy in decoys if decoy not in (word, *taken, *self.answer)][: here.between(*_LISTS)]
                spelt = tuple(sorted([word, *fit]))
                if word not in taken and len(fit) >= _LISTS[0]:
                    spec = puzzle.spec.with_rule(f.Rule(MARKED))
                    board = replace(puzzle.board, marked=cells, spelt=spelt)
                    return self.family.puzzle(spec, puzzle.clues, board)
        return None

    def _read(self, word: str, free: list[int], needed: list[int], rng: f.Rng) -> tuple[int, ...] | None:
        """Cells in order that spell a word, the needed ones among them."""
        cells: list[int] = []
        at = 0
        for turn, letter in enumerate(word):
            left = len(word) - turn
            ahead = [cell for cell in needed if cell >= at]
            last = ahead[0] if ahead else len(self.values)
            ways = [cell for cell in free if at <= cell <= last and LETTERS[self.values[cell]] == letter]
            if len(ahead) == left:
                ways = [cell for cell in ways if cell == last]
            if not ways:
                return None
            cells.append(rng.child(turn).pick(ways[:3]))
            at = cells[-1] + 1
        return tuple(cells) if set(needed) <= set(cells) else None

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
