"""Parameters, board, answers and clues of crosswords."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from puzzlemill import family as f
from puzzlemill.generators._crossword_grid import BLOCK, CHECKED, LATTICE, OPEN, STYLES, Entry, Laid, Pattern, is_sound, laid
from puzzlemill.rules import clued
from puzzlemill.rules.clued import KIND, LETTERS, Clued, is_word
from puzzlemill.vocabulary.lexicon import BANDS, COMMON, words

LEAST, MOST = 3, 15  # rows of a grid that is made
LARGEST = 21  # of one that is read
LETTER, UNCLUED = "letter", "none"  # kinds of clues besides clues of words
ALL, CRYPTIC = "all", "cryptic"
FITS = 12  # carriers of a clue, at most
OPEN_FITS = 40  # words for an entry without a clue, at most
UNKNOWN = "?"
EVERY = 80_000  # words of a board at most


@f.params
class Params:
    """size: rows, and as many columns. style: lattice (every second cell is crossed) or checked (all are). lexicon: the band of
    words. sorts: of clues, all or cryptic (anagrams and hidden words). vague: how many of a hundred words get a clue that fits
    others too, where they have one. letters: how many of a hundred cells are shown. unclued: words without a clue, of which every
    cell is crossed. theme: what some of the words are kinds of.
    """

    size: int = f.Param(5, least=LEAST, most=MOST)
    style: str = f.Param(LATTICE, among=STYLES)
    lexicon: str = f.Param(COMMON, among=BANDS)
    sorts: str = f.Param(ALL, among=(ALL, CRYPTIC))
    vague: int = f.Param(50, least=0, most=100)
    letters: int = f.Param(0, least=0, most=60)
    unclued: int = f.Param(0, least=0, most=8)
    theme: str = f.Param("any", among=("any", "animal", "plant", "food", "person", "device", "garment"))


@dataclass(frozen=True, slots=True)
class Board:
    """pattern: the rows of the grid, "#" for blocks and "." for other cells. words: all that may stand there, in capitals and
    alphabetical order; () for the whole list of the band.
    """

    pattern: Pattern
    words: tuple[str, ...] = ()


CrosswordPuzzle = f.Puzzle[Params, Board]
Answer = tuple[str, ...]  # a word for each entry, "?" for a letter that is not known


def grid(board: Board) -> Laid:
    """The entries of a board. Raises BadRow for a pattern that somebody made up."""
    rows = board.pattern
    sized = 1 <= len(rows) <= LARGEST and all(isinstance(row, str) and len(row) == len(rows[0]) <= LARGEST for row in rows)
    if not sized or any(row.strip(BLOCK + OPEN) for row in rows) or not is_sound(rows, False):
        raise f.BadRow(
            f"board.pattern: expected up to {LARGEST} rows of # and . in which all words hang together and none has two letters, "
            f"got {str(rows)[:60]}"
        )
    return laid(rows)


@lru_cache(maxsize=512)
def lists(board: Board, band: str) -> tuple[tuple[str, ...], ...]:
    """The words that each entry may hold without a clue. Raises BadRow for words that are none."""
    lengths = {len(entry.cells) for entry in grid(board).entries}
    if board.words:
        sound = len(board.words) <= EVERY and all(is_word(word, len(word)) for word in board.words)
        if not sound or list(board.words) != sorted(set(board.words)):
            raise f.BadRow(f"board.words: expected different words in capitals, in alphabetical order, got {str(board.words)[:60]}")
        by_length = {n: tuple([word for word in board.words if len(word) == n]) for n in lengths}
    else:
        by_length = {n: tuple([word.upper() for word in words(band, n, n)]) for n in lengths}
    return tuple([by_length[len(entry.cells)] for entry in grid(board).entries])


def entry_named(board: Board, label: str) -> int:
    """The place of an entry, by its label. Raises BadRow for one that the grid does not have."""
    found = next((e for e, entry in enumerate(grid(board).entries) if entry.label == label), -1)
    if found < 0:
        raise f.BadRow(f"clue {label[:40]}: the grid has no such word")
    return found


@lru_cache(maxsize=8192)
def fitting(spec: f.Spec[Params], board: Board, clue: f.Clue) -> tuple[int, tuple[str, ...]]:
    """The entry of a clue and the words that it leaves; a letter leaves words of all entries, and its entry is -1. Raises BadRow."""
    e = entry_named(board, clue.id if clue.id != "asked" else str(clue.args[-1]))
    told = clued.clued(clue, len(grid(board).entries[e].cells))
    known = set(lists(board, spec.params.lexicon)[e])
    if not known.issuperset(told.carriers):
        stray = next(word for word in told.carriers if word not in known)
        raise f.BadRow(f"clue {clue.id[:40]}: {stray} is none of the words that may stand there")
    return e, told.carriers
