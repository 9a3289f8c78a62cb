"""Acrostic's parameters, the form of its answers, its clues and its text form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from puzzlemill import family as f
from puzzlemill.core.rng import Rng
from puzzlemill.rules import acrostics
from puzzlemill.rules.acrostics import GIVEN, Board, given, label, of_entry, shown, sound, told
from puzzlemill.rules.acrostics_draw import Wish, another
from puzzlemill.rules.acrostics_model import read_clue
from puzzlemill.rules.clued import KIND, LETTERS, offers
from puzzlemill.vocabulary.wordings import FIRST, LAST

BANDS = ("common", "known", "rare")
SORTS = {
    "any": (),
    "plain": ("definition", "synonyms", "kind", "opposite"),
    "cryptic": ("anagram", "hidden"),
}
LEAST, MOST = 24, 240  # letters of a quotation
SCRAMBLED = "scrambled"  # style.theme of numbers in another order
EASY, HARD = 110, 214  # of the paper
_NEAR = 40  # words that almost fit in the place of another


@f.params
class Params:
    """letters: of the quotation, `spread` more or less. source: "composed", "examples" or a user's file of quotations.

    band: of the lexicon that all words are in; rarer: clued words are in no commoner band. clues: their sorts. carriers: words
    that a clue may be true of, at most. ambiguous: percent of the words whose clue is the one that is true of most words.
    unclued: words without a clue. revealed: letters of the quotation that are shown. lines: what the first letters may spell; 0:
    that is not told. bank: the quotation's words are listed, with half as many others.
    """

    letters: int = f.Param(EASY, least=LEAST, most=MOST)
    spread: int = f.Param(6, least=0, most=40)
    source: str = "composed"
    band: str = f.Param("known", among=BANDS)
    rarer: bool = False
    clues: str = f.Param("any", among=tuple(SORTS))
    carriers: int = f.Param(8, least=1, most=40)
    ambiguous: int = f.Param(50, least=0, most=100)
    unclued: int = f.Param(0, least=0, most=12)
    revealed: int = f.Param(0, least=0, most=60)
    lines: int = f.Param(8, least=0, most=12)
    bank: bool = False


@dataclass(frozen=True, slots=True)
class Secret:
    """A puzzle as it is drawn. text: the letters of the quotation."""

    board: Board
    clues: tuple[f.Clue, ...]
    text: str


AcrosticPuzzle = f.Puzzle[Params, Board]


def wish(p: Params, wide: bool = False) -> Wish:
    """The clues that are drawn."""
    return Wish(SORTS[p.clues], p.band, p.carriers, p.rarer, wide)


def word_counts(letters: int, p: Params) -> tuple[int, int]:
    """The fewest and the most words for so many letters. Words with an anagram are short."""
    if p.clues == "cryptic":
        return letters * 10 // 66, letters * 10 // 52
    return -(-letters * 2 // 19), letters * 10 // (60 if letters >= 60 else 55)


def bank_of(quoted: list[str], p: Params, rng: f.Rng) -> tuple[str, ...]:
    """The words of the quotation, and half as many others of their lengths."""
    found = set(quoted)
    for word in rng.child("instead of").few(quoted, -(-len(quoted) // 2)):
        others = [other for other in acrostics.listed(p.band, len(word)) if other not in found]
        found |= {rng.pick(others)} if others else set()
    return tuple(sorted(found))


def first_of_each(board: Board, clues: Sequence[f.Clue]) -> str:
    """The quotation, if of each clue's carriers the first in the alphabet is its word; A in cells without a clue."""
    text = ["A"] * board.cells
    for clue in clues:
        if clue.kind == KIND:
            entry, said = told(clue, board)
            for cell, sign in zip(board.entries[entry], said.carriers[0], strict=True):
                text[cell] = sign
    return "".join(text)


FORM = f.LetterForm(
    lambda board: sound(board).cells,
    lambda _: "Give the quotation, letter by letter as it reads. Leave out punctuation; spaces are optional.",
    "quotation",
    lambda board: tuple([(label(entry), cells) for entry, cells in enumerate(sound(board).entries)]),
)


class Clues(f.Clues[Params, Board]):
    """Clues of words, by the letters of their words, and cells that are shown (c1, c2, ...)."""

    lists_clues = True
    edits = 2  # clues that words exchange

    def state(self, m: f.Constraints, spec: f.Spec[Params], board: Board, clue: f.Clue) -> None:
        if clue.kind == GIVEN:
            cell, letter = shown(clue, board)
            m.require(m.key[cell][letter], label=clue.id)
        else:
            entry, said = told(clue, board)
            read_clue(m, board.entries[entry], said.carriers, clue.id)

    def given_slots(self, puzzle: AcrosticPuzzle) -> tuple[int, ...]:
        """Cells that are shown, and those of first letters for which there is one line only."""
        seen = {shown(clue, puzzle.board)[0] for clue in puzzle.clues if clue.kind == GIVEN}
        return tuple(sorted(seen | set(acrostics.heads(puzzle.board))))

    def removal_order(self, draft: Any, rng: Rng) -> list[int]:
        return []

    def finish(self, draft: Any, rng: Rng, oracle: f.Oracle) -> Any:
        """The words of the only answer, by which replies are judged, become part of the board."""
        board = draft.puzzle.board
        words = tuple(sorted({"".join([draft.answer[cell] for cell in cells]) for cells in acrostics.runs(board.layout)}))
        return replace(draft, puzzle=replace(draft.puzzle, board=replace(board, words=words)))

    def exchanges(self, puzzle: AcrosticPuzzle, rng: Rng) -> Iterator[AcrosticPuzzle]:
        """Two words of one length exchange their clues."""
        board = puzzle.board
        words = [(place, *told(clue, board)) for place, clue in enumerate(puzzle.clues) if clue.kind == KIND]
        length = [len(entry) for entry in board.entries]
        pairs = [(one, two) for n, two in enumerate(words) for one in words[:n] if length[one[1]] == length[two[1]]]
        starts = [{line[entry] for line in map(acrostics.spelt, board.lines)} for entry in range(len(length))]

        def jars(pair: Any) -> bool:
            """Return whether a first letter would be in none of the lines."""
            (_, here, one), (_, there, two) = pair
            return bool(board.lines) and not (
                any(word[0] in starts[here] for word in two.carriers) and any(word[0] in starts[there] for word in one.carriers)
            )

        for (i, here, one), (j, there, two) in sorted(rng.shuffled(pairs), key=jars):
            changed = list(puzzle.clues)
            changed[i], changed[j] = of_entry(here, two), of_entry(there, one)
            yield puzzle.with_clues(changed)

    def alternatives(self, puzzle: AcrosticPuzzle, clue: f.Clue, rng: Rng) -> Iterator[f.Clue]:
        """A clue of another word of that length; or another letter in a cell that is shown."""
        p, board = puzzle.spec.params, puzzle.board
        if clue.kind == GIVEN:
            cell, letter = shown(clue, board)
            yield from [given(cell, other) for other in rng.shuffled(range(26)) if other != letter]
            return
        entry, said = told(clue, board)
        letters = {line[entry] for line in map(acrostics.spelt, board.lines)} or set(LETTERS)
        for other in another(len(board.entries[entry]), "".join(sorted(letters)), said, wish(p), rng):
            yield replace(of_entry(entry, other), id=clue.id)

    def deep_odds(self, puzzle: AcrosticPuzzle) -> tuple[int, int]:
        return (1, 2) if sum(clue.kind == KIND for clue in puzzle.clues) < len(puzzle.board.entries) else (0, 1)

    def changes(self, puzzle: AcrosticPuzzle, rng: Rng) -> Iterator[AcrosticPuzzle]:
        """First clues of words that nothing else rules out outright, since other words clash with what is known at once."""
        places = [place for place, clue in enumerate(puzzle.clues) if clue.kind == KIND]
        board = puzzle.board
        moved = len(places) < len(board.entries)
        for place in rng.child("near").shuffled(places):
            here, (entry, said) = rng.child("near", place), told(puzzle.clues[place], board)
            rest = puzzle.with_clues([*puzzle.clues[:place], *puzzle.clues[place + 1 :]])
            others = [
                other for other in self._near(rest, entry, here) if set(told(other, board)[1].carriers).isdisjoint(said.carriers)
            ]
            others += [other for other in self.additions(rest, here.child("moved")) if other.args[3] != entry] if moved else []
            for other in others:
                yield puzzle.with_clues([*puzzle.clues[:place], other, *puzzle.clues[place + 1 :]])
        yield from super().changes(puzzle, rng)

    def additions(self, puzzle: AcrosticPuzzle, rng: Rng) -> Iterator[f.Clue]:
        """Clues of words that have none."""
        clued = {told(clue, puzzle.board)[0] for clue in puzzle.clues if clue.kind == KIND}
        for entry in rng.shuffled([entry for entry in range(len(puzzle.board.entries)) if entry not in clued]):
            yield from self._near(puzzle, entry, rng.child(entry))

    def _near(self, puzzle: AcrosticPuzzle, entry: int, rng: Rng) -> Iterator[f.Clue]:
        """Clues of a word that has none, of words that no other clue rules out outright."""
        p, board = puzzle.spec.params, puzzle.board
        letters = {line[entry] for line in map(acrostics.spelt, board.lines)} or set(LETTERS)
        known = acrostics.outright(puzzle.clues, board)
        near = [word for word in acrostics.crossing(entry, known, board, p.band) if word[0] in letters]
        for word in rng.child("words").few(near, min(len(near), _NEAR)):
            said = next(offers(word, wish(p).sorts, p.band, p.carriers, rng.child(word)), None)
            if said is not None:
                yield of_entry(entry, said)


# ---- other styles -------------------------------------------------------------------------------------------------------


def paraphrased(puzzle: AcrosticPuzzle, rng: f.Rng) -> f.Style:
    now = puzzle.style.phrasing
    while True:
        voice = rng.between(FIRST, LAST) * (-1 if now < 0 else 1)
        if voice != now:
            return replace(puzzle.style, phrasing=voice)


def red_herring(puzzle: AcrosticPuzzle, rng: f.Rng) -> f.Style:
    from puzzlemill.vocabulary.acrostics import remark

    clued = [clue.id for clue in puzzle.clues if clue.kind == KIND]
    said = f.capital(remark(rng.pick(clued), rng.child("remark")))
    return replace(puzzle.style, asides=((rng.below(len(clued) + 1), said),))


def scrambled(puzzle: AcrosticPuzzle, rng: f.Rng) -> f.Style:
    numbers = rng.shuffled([str(number) for number in range(1, puzzle.board.cells + 1)])
    return replace(puzzle.style, theme=SCRAMBLED, names=(tuple(numbers),))
