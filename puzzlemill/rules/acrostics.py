"""Acrostics: a quotation in numbered cells, clued words whose letters go to these cells, and the line of their first letters.

The quotation's words are read off its layout, where every cell is an underscore: "__ ____, ___ ____."
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from puzzlemill.core.errors import BadRow
from puzzlemill.core.types import Clue
from puzzlemill.rules.clued import KIND, LETTERS, Clued, clued, stated

CELL = "_"
MOST_CELLS, MOST_ENTRIES, MOST_LINES = 320, 52, 12
GIVEN = "given"  # kind of the clues that show a letter
_LAYOUT = 1_200  # characters
SIGNS = frozenset(CELL + " .,;:!?'\"()-0123456789")
_RUN = re.compile(f"{CELL}+")
_UNSPELT = re.compile("[^A-Z]")
_LINE = 120  # characters


@dataclass(frozen=True, slots=True)
class Board:
    """layout: the quotation with an underscore for each letter. entries: the cells of each clued word, letter by letter.

    lines: what the first letters of the words may spell, as it is printed; () if that is not told. bank: the words that
    the quotation is made of, and others; () where every word of the lexicon's band may be in it. words: those of the
    proved answer in alphabetical order, by which replies are judged where the lexicon is not at hand; () before it is proved.
    """

    layout: str
    entries: tuple[tuple[int, ...], ...]
    lines: tuple[str, ...] = ()
    bank: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def cells(self) -> int:
        """The number of the quotation's letters."""
        return self.layout.count(CELL)


def label(entry: int) -> str:
    """The name of a clued word: A to Z, then AA to ZZ."""
    return LETTERS[entry % 26] * (1 + entry // 26)


@lru_cache(maxsize=256)
def runs(layout: str) -> tuple[tuple[int, ...], ...]:
    """The cells of each word of the quotation."""
    found, start = [], 0
    for part in _RUN.findall(layout):
        found.append(tuple(range(start, start + len(part))))
        start += len(part)
    return tuple(found)


def spelt(line: str) -> str:
    """The letters of a line, in capitals."""
    return _UNSPELT.sub("", line.upper())


@lru_cache(maxsize=256)
def sound(board: Board) -> Board:
    """The board. Raises BadRow for one that somebody made up."""
    cells, many = board.cells, len(board.entries)
    if not 2 <= cells <= MOST_CELLS or len(board.layout) > _LAYOUT or not SIGNS.issuperset(board.layout):
        raise BadRow(
            f"board.layout: expected 2 to {MOST_CELLS} cells written as _ with blanks and signs, got {board.layout[:40]!r}"
        )
    if not 1 <= many <= MOST_ENTRIES or sorted([cell for entry in board.entries for cell in entry]) != list(range(cells)):
        raise BadRow(
            f"board.entries: expected 1 to {MOST_ENTRIES} words with each of {cells} cells once, got {str(board.entries)[:60]}"
        )
    if not all(board.entries):
        raise BadRow("board.entries: expected a letter in each word, got one without any")
    plain = all(line.isascii() and line.isprintable() and len(line) <= _LINE and len(spelt(line)) == many for line in board.lines)
    if len(board.lines) > MOST_LINES or not plain:
        raise BadRow(f"board.lines: expected up to {MOST_LINES} lines of {many} letters, got {str(board.lines)[:60]}")
    for name, words in (("bank", board.bank), ("words", board.words)):
        if list(words) != sorted(set(words)) or not all(_is_word(word, len(word)) and word for word in words):
            raise BadRow(f"board.{name}: expected different words in capitals and in alphabetical order, got {str(words)[:60]}")
    return board


def _is_word(text: object, letters: int) -> bool:
    return isinstance(text, str) and len(text) == letters and not text.strip(LETTERS)


# ---- clues ----------------------------------------------------------------------------------------------------------------


def of_entry(entry: int, said: Clued) -> Clue:
    """The clue of a word by its number."""
    return stated(label(entry), said, entry)


def told(clue: Clue, board: Board) -> tuple[int, Clued]:
    """The word that a clue is about, and what it says. Raises BadRow for a clue that this board cannot have."""
    entry = clue.args[3] if clue.kind == KIND and len(clue.args) == 4 else None
    if type(entry) is not int or not 0 <= entry < len(board.entries):
        raise BadRow(
            f"clue {clue.id[:40]}: expected a {KIND} with sort, text, carriers and its number below {len(board.entries)}, "
            f"got {clue.kind} {str(clue.args)[:60]}"
        )
    return entry, clued(clue, len(board.entries[entry]))


def shown(clue: Clue, board: Board) -> tuple[int, int]:
    """The cell that a clue shows, and the number of its letter. Raises BadRow for a clue that this board cannot have."""
    if clue.kind == GIVEN and len(clue.args) == 2:
        cell, letter = clue.args
        if type(cell) is int and type(letter) is int and 0 <= cell < board.cells and 0 <= letter < 26:
            return cell, letter
    raise BadRow(
        f"clue {clue.id[:40]}: expected a cell below {board.cells} and a letter below 26, got {clue.kind} {str(clue.args)[:60]}"
    )


def given(cell: int, letter: int) -> Clue:
    """The clue that this cell shows this letter."""
    return Clue(f"c{cell + 1}", GIVEN, (cell, letter))


def heads(board: Board) -> dict[int, int]:
    """Cells of first letters that the lines leave no choice for, with their letters."""
    found = {}
    for entry, letters in zip(board.entries, zip(*map(spelt, board.lines), strict=True), strict=bool(board.lines)):
        if len(set(letters)) == 1:
            found[entry[0]] = LETTERS.index(letters[0])
    return found


# ---- the list of words ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def listed(band: str, letters: int) -> tuple[str, ...]:
    """The words of the lexicon's band that have so many letters, in capitals."""
    from puzzlemill.vocabulary.lexicon import words

    return tuple([word.upper() for word in words(band, letters, letters)])


@lru_cache(maxsize=64)
def _lines(words: tuple[str, ...]) -> str:
    return "\n".join(words)


@lru_cache(maxsize=1 << 15)
def fits(pattern: str, words: tuple[str, ...]) -> bool:
    """Return whether one of these words, which have as many letters, has the pattern's, where it is not "?"."""
    if "?" not in pattern:
        return pattern in words
    return re.search(f"^{pattern.replace('?', '.')}$", _lines(words), re.MULTILINE) is not None


@lru_cache(maxsize=1 << 12)
def of_length(words: tuple[str, ...], letters: int) -> tuple[str, ...]:
    """Those of the words that have so many letters."""
    return tuple([word for word in words if len(word) == letters])


def outright(clues: Sequence[Clue], board: Board) -> dict[int, str]:
    """The letters that single clues and the lines leave no choice for, by cell."""
    found = {cell: LETTERS[letter] for cell, letter in heads(board).items()}
    for clue in clues:
        if clue.kind == GIVEN:
            cell, letter = shown(clue, board)
            found[cell] = LETTERS[letter]
        else:
            entry, said = told(clue, board)
            for cell, letters in zip(board.entries[entry], zip(*said.carriers, strict=True), strict=True):
                if len(set(letters)) == 1:
                    found[cell] = letters[0]
    return found


def crossing(entry: int, known: Mapping[int, str], board: Board, band: str) -> list[str]:
    """The listed words that a clued word may be if each word of the quotation is looked at by itself, with the known letters."""
    mine = {cell: place for place, cell in enumerate(board.entries[entry])}
    found = list(listed(band, len(mine)))
    for cells in runs(board.layout):
        here = [(at, mine[cell]) for at, cell in enumerate(cells) if cell in mine]
        if here:
            words = of_length(board.bank, len(cells)) if board.bank else listed(band, len(cells))
            read = "".join(["." if cell in mine else known.get(cell, ".") for cell in cells])
            allowed = {tuple([word[at] for at, _ in here]) for word in re.findall(f"^{read}$", _lines(words), re.MULTILINE)}
            found = [word for word in found if tuple([word[place] for _, place in here]) in allowed]
    return found


def is_read(layout: str, text: str, words: tuple[str, ...], band: str) -> bool:
    """Return whether each word of the quotation can be one of these words; () are those of the band.

    text: the letter of each cell, "?" where it is not known.
    """
    for cells in runs(layout):
        read = text[cells[0] : cells[-1] + 1]
        if read.strip("?") and not fits(read, of_length(words, len(cells)) if words else listed(band, len(cells))):
            return False
    return True
