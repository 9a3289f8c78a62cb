"""Parameters, board, answers and clues of crosswords."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from puzzlemill import family as f
from puzzlemill.generators._crossword_grid import BLOCK, LATTICE, OPEN, STYLES, Laid, Pattern, is_sound, laid
from puzzlemill.rules import clued
from puzzlemill.rules.clued import KIND, LETTERS, Clued, is_word
from puzzlemill.vocabulary.lexicon import BANDS, COMMON, words

LEAST, MOST = 3, 15  # rows of a grid that is made
LARGEST = 21  # of one that is read
LETTER, UNCLUED = "letter", "none"  # kinds of clues besides clues of words
ALL, CRYPTIC = "all", "cryptic"
FITS = 20  # carriers of a clue, at most
OPEN_FITS = 40  # words for an entry without a clue, at most
THEMED = 3  # words in a hundred cells, about, that belong to a theme
UNKNOWN = "?"
MARKED = "marked"  # the rule
MOST_SPELT = 12  # words that marked cells may spell
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
    theme: str = f.Param("any", among=("any", "animal", "food", "garment", "person"))


@dataclass(frozen=True, slots=True)
class Board:
    """pattern: the rows of the grid, "#" for blocks and "." for other cells. words: all that may stand there, in capitals and
    alphabetical order; () for the whole list of the band. marked: cells, in reading order, whose letters spell one of `spelt`,
    under the rule of that name.
    """

    pattern: Pattern
    words: tuple[str, ...] = ()
    marked: tuple[int, ...] = ()
    spelt: tuple[str, ...] = ()


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


def least_themed(p: Params, pattern: Pattern) -> int:
    """How many words of a grid belong to its theme, at least."""
    return 0 if p.theme == "any" else max(1, THEMED * len(grid(Board(pattern)).places) // 100)


@lru_cache(maxsize=512)
def lists(board: Board, band: str) -> tuple[tuple[str, ...], ...]:
    """The words that each entry may hold without a clue. Raises BadRow for words that are none."""
    if board.words:
        by_length = _by_length(board.words)
    else:
        lengths = {len(entry.cells) for entry in grid(board).entries}
        by_length = {n: tuple([word.upper() for word in words(band, n, n)]) for n in lengths}
    return tuple([by_length.get(len(entry.cells), ()) for entry in grid(board).entries])


@lru_cache(maxsize=512)
def _by_length(listed: tuple[str, ...]) -> dict[int, tuple[str, ...]]:
    sound = len(listed) <= EVERY and all(is_word(word, len(word)) for word in listed)
    if not sound or list(listed) != sorted(set(listed)):
        raise f.BadRow(f"board.words: expected different words in capitals, in alphabetical order, got {str(listed)[:60]}")
    return {n: tuple([word for word in listed if len(word) == n]) for n in {len(word) for word in listed}}


def marking(spec: f.Spec[Params], board: Board) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The cells that are marked and the words that they may spell, () where the rule is not in force. Raises BadRow."""
    cells, spelt = board.marked, board.spelt
    if not spec.rule(MARKED) and not cells and not spelt:
        return (), ()
    most = len(grid(board).places)
    sound = len(cells) >= LEAST and all(type(cell) is int and 0 <= cell < most for cell in cells)
    if not sound or list(cells) != sorted(set(cells)):
        raise f.BadRow(f"board.marked: expected {LEAST} or more different cells in order, got {str(cells)[:60]}")
    if (
        not 2 <= len(spelt) <= MOST_SPELT
        or not all(is_word(word, len(cells)) for word in spelt)
        or list(spelt) != sorted(set(spelt))
    ):
        raise f.BadRow(
            f"board.spelt: expected 2 to {MOST_SPELT} different words of {len(cells)} capitals, in alphabetical order, "
            f"got {str(spelt)[:60]}"
        )
    return (cells, spelt) if spec.rule(MARKED) else ((), ())


def letter_of(board: Board, clue: f.Clue) -> tuple[int, int]:
    """Cell and value of a letter that is shown. Raises BadRow."""
    cells = len(grid(board).places)
    if len(clue.args) == 2:
        cell, value = clue.args
        if type(cell) is int and type(value) is int and 0 <= cell < cells and 0 <= value < len(LETTERS):
            return cell, value
    raise f.BadRow(f"clue {clue.id[:40]}: expected a cell below {cells} and a letter from 0 to 25, got {str(clue.args)[:60]}")


@lru_cache(maxsize=16_384)
def fitting(band: str, board: Board, clue: f.Clue) -> tuple[int, Clued]:
    """The entry of a clue of a word, and what it says; the sort and the text of a word without a clue are "". Raises BadRow."""
    entries, at = grid(board).entries, clue.args[-1] if clue.args else None
    if type(at) is not int or not 0 <= at < len(entries):
        raise f.BadRow(f"clue {clue.id[:40]}: expected a word of the grid below {len(entries)}, got {str(at)[:40]}")
    bare = clue.kind == UNCLUED and len(clue.args) == 2
    told = clued.clued(f.Clue(clue.id, KIND, ("kind", "-", *clue.args)) if bare else clue, len(entries[at].cells))
    known = lists(board, band)[at]
    stray = sorted(set(told.carriers).difference(known))
    if stray:
        raise f.BadRow(f"clue {clue.id[:40]}: {stray[0]} is none of the words that may stand there")
    return at, Clued("", "", told.carriers) if bare else told


def fitted(puzzle: CrosswordPuzzle) -> tuple[list[tuple[f.Clue, int, Clued]], list[tuple[f.Clue, int, int]]]:
    """The clues of words, each with its entry, and the letters that are shown, each with its cell and value."""
    band, board = puzzle.spec.params.lexicon, puzzle.board
    said = [(clue, *fitting(band, board, clue)) for clue in puzzle.clues if clue.kind != LETTER]
    return said, [(clue, *letter_of(board, clue)) for clue in puzzle.clues if clue.kind == LETTER]


# ---- clues --------------------------------------------------------------------------------------------------------------


class Told(f.Clues[Params, Board]):
    """Clues of words, by the labels of their entries ("1-Across"), and letters that are shown ("r1c2")."""

    lists_clues = True
    edits = 2  # two words that exchange their clues

    def state(self, m: f.Constraints, spec: f.Spec[Params], board: Board, clue: f.Clue) -> None:
        if clue.kind == LETTER:
            cell, value = letter_of(board, clue)
            m.require(m.key[cell][value], label=clue.id)
            return
        at, told = fitting(spec.params.lexicon, board, clue)
        number = {word: n for n, word in enumerate(lists(board, spec.params.lexicon)[at])}
        m.require(*[m.also[at][number[word]] for word in told.carriers], label=clue.id)

    def given_slots(self, puzzle: CrosswordPuzzle) -> tuple[int, ...]:
        return tuple([letter_of(puzzle.board, clue)[0] for clue in puzzle.clues if clue.kind == LETTER])

    def removal_order(self, draft: f.Draft[Params, Board, Answer, Answer], rng: f.Rng) -> list[int]:
        return []

    def kept(self, spec: f.Spec[Params]) -> int:
        return EVERY

    def can_clash(self, spec: f.Spec[Params]) -> bool:
        return not spec.params.unclued

    def deep_odds(self, puzzle: CrosswordPuzzle) -> tuple[int, int]:
        return 1, 4

    def exchanges(self, puzzle: CrosswordPuzzle, rng: f.Rng) -> Iterator[CrosswordPuzzle]:
        """Two words of one length exchange their clues."""
        lengths = [len(entry.cells) for entry in grid(puzzle.board).entries]
        at = {n: int(str(clue.args[-1])) for n, clue in enumerate(puzzle.clues) if clue.kind == KIND}
        pairs = [(a, b) for a in at for b in at if a < b and lengths[at[a]] == lengths[at[b]]]
        for a, b in rng.shuffled(pairs):
            clues = list(puzzle.clues)
            for here, there in ((a, b), (b, a)):
                clues[here] = replace(clues[here], args=(*puzzle.clues[there].args[:-1], at[here]))
            yield puzzle.with_clues(clues)

    def alternatives(self, puzzle: CrosswordPuzzle, clue: f.Clue, rng: f.Rng) -> Iterator[f.Clue]:
        """Clues of other words of this length; other letters."""
        yield from dict.fromkeys(self._alternatives(puzzle, clue, rng))

    def _alternatives(self, puzzle: CrosswordPuzzle, clue: f.Clue, rng: f.Rng) -> Iterator[f.Clue]:
        p, board = puzzle.spec.params, puzzle.board
        if clue.kind == LETTER:
            cell, value = letter_of(board, clue)
            yield from [replace(clue, args=(cell, other)) for other in rng.shuffled(range(len(LETTERS))) if other != value]
        elif clue.kind == KIND:
            at, told = fitting(p.lexicon, board, clue)
            known = lists(board, p.lexicon)[at]
            barred = clued.forms(known)
            for word in rng.shuffled([word for word in known if word not in told.carriers]):
                for other in clued.offers(word, sorts_of(p), p.lexicon, FITS, rng.child(word)):
                    if set(other.carriers) <= set(known) and not clued.shows(other.text, barred):
                        yield clued.stated(clue.id, other, at)
                        break


def sorts_of(p: Params) -> tuple[str, ...]:
    """The sorts of clues that are wanted, () for all."""
    return ("anagram", "hidden") if p.sorts == CRYPTIC else ()


# ---- answers ------------------------------------------------------------------------------------------------------------


class Form(f.Form[Params, Board, Answer]):
    """A word for each entry, by its label; the cells are the slots. In a cell where two words differ no letter stands."""

    def slots(self, spec: f.Spec[Params], board: Board) -> tuple[int, ...]:
        return (len(LETTERS),) * len(grid(board).places)

    def assemble(self, spec: f.Spec[Params], board: Board, values: f.Slots) -> Answer:
        signs = [UNKNOWN if value == f.BLANK else LETTERS[value] for value in values]
        return tuple(["".join([signs[cell] for cell in entry.cells]) for entry in grid(board).entries])

    def values(self, spec: f.Spec[Params], board: Board, answer: Answer) -> f.Slots:
        laid = grid(board)
        found = [UNKNOWN] * len(laid.places)
        torn = set()
        for entry, word in zip(laid.entries, answer, strict=True):
            for cell, sign in zip(entry.cells, word if len(word) == len(entry.cells) else "", strict=False):
                if sign != UNKNOWN:
                    if found[cell] not in (UNKNOWN, sign):
                        torn.add(cell)
                    found[cell] = sign
        return tuple([f.BLANK if cell in torn or sign == UNKNOWN else LETTERS.index(sign) for cell, sign in enumerate(found)])

    def entry_of(self, puzzle: CrosswordPuzzle, slot: int) -> tuple[int, int]:
        return next(e for e, entry in enumerate(grid(puzzle.board).entries) if slot in entry.cells), 1

    def layout(self, puzzle: CrosswordPuzzle) -> f.Layout:
        entries = grid(puzzle.board).entries
        lengths = sorted({len(entry.cells) for entry in entries})
        tokens = tuple([letter * n for n in lengths for letter in LETTERS])
        columns = (f.Column("entry", tuple([entry.label for entry in entries])), f.Column("word", tokens, words=True))
        note = "Give every word by its number and direction, across words first."
        return f.Layout(columns, len(entries), len(entries), False, note, keyed=True)

    def write(self, puzzle: CrosswordPuzzle, answer: Answer) -> f.Rows:
        return tuple([(entry.label, word) for entry, word in zip(grid(puzzle.board).entries, answer, strict=True)])

    def read(self, puzzle: CrosswordPuzzle, rows: f.Rows) -> Answer | None:
        entries = grid(puzzle.board).entries
        found = {row[0]: row[1] for row in rows}
        if len(found) != len(rows) or len(rows) != len(entries):
            return None
        return tuple([found[entry.label] or UNKNOWN * len(entry.cells) for entry in entries if entry.label in found])
