"""Cryptograms: a text whose letters are replaced, each by another one, and the words that its words may be.

A *word* of a text is a run of letters; whatever stands between runs stays as it is. Words are called w1, w2, ... in the order in
which they first occur, each once. The lexicon is vocabulary/lexicon.py up to a band, or a list that the puzzle shows.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import Constraints, Template

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LISTED = "listed"  # in place of a band: the board's words are all that there are
UNKNOWN = "?"
MOST_LETTERS, MOST_WORDS, LONGEST = 1_000, 400, 15  # of a text, of a list, of a word
_RUN = re.compile("[A-Z]+")


@dataclass(frozen=True, slots=True)
class Board:
    """text: in cipher, in capital letters, with its signs. author: a line in plain letters, "" for none.

    words: plain words, sorted. Where the lexicon is `listed`, all that there are, which the prompt shows. Else words that hold
    all words of the answer, by which the plain checker judges replies without the lexicon, so that a row needs none; () where
    nothing is proved yet: then the checker asks the lexicon.
    """

    text: str
    author: str = ""
    words: tuple[str, ...] = ()

    @property
    def letters(self) -> str:
        """The cipher's letters in the order of slots, in which they first occur."""
        return letters_of(self.text)


@lru_cache(maxsize=1_024)
def words_of(text: str) -> tuple[str, ...]:
    """The different words of a text, in the order in which they first occur."""
    return tuple(dict.fromkeys(_RUN.findall(text)))


@lru_cache(maxsize=1_024)
def letters_of(text: str) -> str:
    """The different letters of a text, in the order in which they first occur."""
    return "".join(dict.fromkeys("".join(_RUN.findall(text))))


def count(text: str) -> int:
    """The number of letters of a text."""
    return sum(map(len, _RUN.findall(text)))


def put(text: str, letters: str, plain: str) -> str:
    """The text with each of these letters replaced by the sign in the same place of `plain`."""
    return text.translate(str.maketrans(letters, plain))


def frame(text: str) -> tuple[str, ...]:
    """What stands before each letter of a text, and after the last."""
    return tuple(re.split("[A-Z]", text))


def sound(board: Board, listed: bool) -> Board:
    """The board itself. Raises BadRow for one that is no cryptogram."""
    size = count(board.text)
    if not 1 <= size <= MOST_LETTERS or len(board.text) > 3 * MOST_LETTERS:
        raise BadRow(f"text: expected 1 to {MOST_LETTERS} letters, got {size}")
    if not board.text.isascii() or not board.text.isprintable() or board.text != board.text.upper():
        raise BadRow("text: expected capital letters from A to Z, blanks and signs of ASCII")
    if (long := max(words_of(board.text), key=len)) and len(long) > LONGEST:
        raise BadRow(f"text: a word has at most {LONGEST} letters, got {long[:40]}")
    if len(board.author) > 80 or not board.author.isprintable():
        raise BadRow("author: expected 80 printable signs at most")
    if len(board.words) > MOST_WORDS or (listed and not board.words):
        raise BadRow(f"words: expected {int(listed)} to {MOST_WORDS} words, got {len(board.words)}")
    if not all(word.isascii() and word.isalpha() and word.islower() and len(word) <= LONGEST for word in board.words):
        raise BadRow(f"words: expected words of up to {LONGEST} small letters")
    if sorted(set(board.words)) != list(board.words):
        raise BadRow("words: expected each word once, in alphabetical order")
    return board


def allowed(band: str, board: Board) -> Collection[str]:
    """The plain words that the plain checker accepts."""
    return frozenset(board.words) if board.words else _lexicon(band)


@lru_cache(maxsize=4)
def _lexicon(band: str) -> frozenset[str]:
    from puzzlemill.vocabulary import lexicon  # which no scorer carries

    return frozenset(lexicon.words(band))


def as_long(band: str, length: int) -> tuple[str, ...]:
    """The words of a band with so many letters."""
    from puzzlemill.vocabulary import lexicon

    return lexicon.words(band, length, length)


@lru_cache(maxsize=4_096)
def near_words(band: str, word: str) -> tuple[str, ...]:
    """The words of a band with the same pattern that differ from it in one letter, wherever that occurs."""
    alike = _alike_in(band, _shape(word))
    return tuple([other for other in alike if len(set(zip(word, other, strict=True)) - {(c, c) for c in word}) == 1])


def some_fits(words: Collection[str], cipher: str, known: str) -> bool:
    """Return whether a word can stand in this place, of which some letters are known and others are "?"."""
    for word in words:
        if len(word) == len(cipher) and all(sign in (UNKNOWN, letter) for sign, letter in zip(known, word, strict=True)):
            pairs = set(zip(cipher, word, strict=True))
            if len(pairs) == len(set(cipher)) == len(set(word)):
                return True
    return False


# ---- as clauses ---------------------------------------------------------------------------------------------------------


def stated(band: str, board: Board, apart: bool) -> Constraints:
    """A slot of 26 values for each cipher letter; words are labelled w1, w2, ..., that letters differ "different".

    A word is stated prefix by prefix: after these letters one of those follows which follow them in some word of its pattern.
    """
    m = Constraints()
    keys = {letter: m.slot(26) for letter in board.letters}
    for plain in range(26):
        m.at_most_one([key[plain] for key in keys.values()], label="different")
    for number, cipher in enumerate(words_of(board.text), 1):
        words = _alike(board.words, cipher) if band == LISTED else _alike_in(band, _shape(cipher))
        m.clauses += _clauses(words, tuple([keys[letter] for letter in dict.fromkeys(cipher)]), f"w{number}")
    if apart:
        for letter, key in keys.items():
            for plain in near(letter):
                m.require(-key[plain], label="apart")
    return m


def near(letter: str) -> list[int]:
    """A letter and its neighbours in the alphabet, by number; Z and A are none."""
    place = LETTERS.index(letter)
    return [other for other in (place - 1, place, place + 1) if 0 <= other < 26]


def _shape(word: str) -> str:
    """Equal for two words exactly if one can be the other in cipher."""
    return "".join([chr(97 + word.index(letter)) for letter in word])


@lru_cache(maxsize=2_048)
def _alike_in(band: str, shape: str) -> tuple[str, ...]:
    return _by_shape(band).get(shape, ())


@lru_cache(maxsize=4)
def _by_shape(band: str) -> dict[str, tuple[str, ...]]:
    from puzzlemill.vocabulary import lexicon

    found: dict[str, list[str]] = {}
    for word in lexicon.words(band):
        found.setdefault(_shape(word), []).append(word)
    return {shape: tuple(words) for shape, words in found.items()}


def _alike(words: Sequence[str], cipher: str) -> tuple[str, ...]:
    return tuple([word for word in words if _shape(word) == _shape(cipher)])


@lru_cache(maxsize=128)  # puzzles that differ in one letter share the clauses of all other words
def _clauses(words: tuple[str, ...], keys: tuple[tuple[int, ...], ...], label: str) -> tuple[tuple[tuple[int, ...], str], ...]:
    """What a word says of its letters."""
    return tuple(_template(words).stated([literal for key in keys for literal in key], label)) if words else (((), label),)


@lru_cache(maxsize=256)
def _template(words: tuple[str, ...]) -> Template:
    """The clauses over 1 + 26 * place + letter, where a place is that of a cipher letter among those of the word."""
    found: list[tuple[int, ...]] = []  # the beginnings, negated
    clauses = []
    for parent, letter, end, after in _prefixes(words):
        before = (*found[parent], -(26 * (end - 1) + letter + 1)) if end else ()
        found.append(before)
        clauses.append((*before, *[26 * end + each + 1 for each in after]))
    return Template(clauses)


@lru_cache(maxsize=1_024)
def _prefixes(words: tuple[str, ...]) -> tuple[tuple[int, int, int, tuple[int, ...]], ...]:
    """Each beginning of these words, by its different letters, with the letters that follow it, as numbers.

    A beginning is the place of the one without its last letter, which comes earlier, this letter, and how many it has.
    """
    follow: list[tuple[int, int, int, dict[int, int]]] = [(-1, -1, 0, {})]
    for word in words:
        place = 0
        numbers = [ord(letter) - 97 for letter in dict.fromkeys(word)]
        for end, letter in enumerate(numbers, 1):
            after = follow[place][3]
            if letter not in after:
                after[letter] = len(follow) if end < len(numbers) else -1
                if end < len(numbers):
                    follow.append((place, letter, end, {}))
            place = after[letter]
    return tuple([(parent, letter, end, tuple(after)) for parent, letter, end, after in follow])


def each_fits(band: str, board: Board) -> bool:
    """Return whether each word by itself has the pattern of some word of the lexicon."""
    words = words_of(board.text)
    return all(_alike(board.words, word) if band == LISTED else _alike_in(band, _shape(word)) for word in words)


# ---- changes ------------------------------------------------------------------------------------------------------------


def misspelt(board: Board, order: Sequence[int]) -> Iterator[str]:
    """The text with one letter of one word replaced by another of its letters, so that they still come in the same order.

    order: the places of letters in the order in which they are tried, each with a letter of its own.
    """
    places = [at for at, sign in enumerate(board.text) if sign in LETTERS]
    for number in order:
        place, other = divmod(number, len(board.letters))
        at, letter = places[place], board.letters[other]
        text = f"{board.text[:at]}{letter}{board.text[at + 1 :]}"
        if board.text[at] != letter and letters_of(text) == board.letters:
            yield text


def exchanged(board: Board, order: Sequence[int]) -> Iterator[str]:
    """The text with two neighbouring letters of one word exchanged; order: of the places of the first of them."""
    for at in order:
        pair = board.text[at : at + 2]
        text = f"{board.text[:at]}{pair[::-1]}{board.text[at + 2 :]}"
        if len(pair) == 2 and _RUN.fullmatch(pair) and pair[0] != pair[1] and letters_of(text) == board.letters:
            yield text
