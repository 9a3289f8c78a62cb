"""Texts of plain words, drawn evenly: sentences of a small grammar (sentences.toml), or words in a row where these are few."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from puzzlemill.core.rng import Rng
from puzzlemill.core.words import many as with_s
from puzzlemill.vocabulary import load
from puzzlemill.vocabulary.words import plain_words

SHORTEST = 15  # letters of a sentence: there are fewer than 100,000 shorter ones
CLAUSES = 4  # of a sentence at most


@cache
def _by_length() -> dict[int, list[str]]:
    return _sorted(plain_words())


def _sorted(words: Sequence[str]) -> dict[int, list[str]]:
    """The words by the number of their letters."""
    sizes = sorted({_letters(word) for word in words})
    return {size: [word for word in words if _letters(word) == size] for size in sizes}


def _letters(text: str) -> int:
    return len(text) - text.count(" ")


def run_on(letters: int, rng: Rng) -> str:
    """Words without the spaces between them: every row of words that has this many letters in all is equally likely."""
    made = ""
    while len(made) < letters:
        left = letters - len(made)
        place = rng.below(rows_of_words(left))
        for size, words in _by_length().items():
            rest = rows_of_words(left - size) if size <= left else 0
            if place < rest * len(words):
                made += words[place // rest]
                break
            place -= rest * len(words)
    return made


@lru_cache(maxsize=128)
def rows_of_words(letters: int) -> int:
    """How many rows of words have this many letters in all."""
    if not letters:
        return 1
    return sum([len(words) * rows_of_words(letters - size) for size, words in _by_length().items() if size <= letters])


# ---- sentences ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Grammar:
    """sentences.toml as it is written."""

    who: tuple[str, ...]
    what: tuple[str, ...]
    where: tuple[str, ...]
    see: tuple[str, ...]
    go: tuple[str, ...]
    how: tuple[str, ...]
    many: tuple[str, ...]
    when: tuple[str, ...]
    clauses: tuple[str, ...]
    joints: tuple[str, ...]


_Slot = dict[int, list[str]]  # words by their number of letters


@cache
def _clauses() -> tuple[tuple[_Slot, ...], ...]:
    """Each clause as the words that can stand at each of its places."""
    grammar: _Grammar = load.record(_Grammar, __package__, "sentences.toml")
    slots = {name: _sorted(getattr(grammar, name)) for name in ("who", "what", "where", "see", "go", "how", "many", "when")}
    for name, of in (("whos", "who"), ("whats", "what"), ("sees", "see"), ("goes", "go")):
        slots[name] = _sorted([with_s(word) for word in getattr(grammar, of)])
    return tuple([tuple([_place(word, slots) for word in clause.split()]) for clause in grammar.clauses])


def _place(word: str, slots: dict[str, _Slot]) -> _Slot:
    found = re.fullmatch(r"\{(\w+)\}", word)
    return slots[found[1]] if found else _sorted([word])


@cache
def _joint() -> _Slot:
    grammar: _Grammar = load.record(_Grammar, __package__, "sentences.toml")
    return _sorted(grammar.joints)


@lru_cache(maxsize=1 << 14)
def _fillings(clause: int, place: int, letters: int) -> int:
    """In how many ways a clause is filled from this place on with so many letters."""
    slots = _clauses()[clause]
    if place == len(slots):
        return int(not letters)
    return sum(
        [len(words) * _fillings(clause, place + 1, letters - size) for size, words in slots[place].items() if size <= letters]
    )


@lru_cache(maxsize=512)
def _of_clause(letters: int) -> int:
    """The number of clauses with so many letters."""
    return sum([_fillings(clause, 0, letters) for clause in range(len(_clauses()))])


@lru_cache(maxsize=512)
def sentences(letters: int, clauses: int = CLAUSES) -> int:
    """The number of sentences with so many letters, of at most so many clauses."""
    return _of_clause(letters) + (_joined(letters, clauses) if clauses > 1 else 0)


def _joined(letters: int, clauses: int) -> int:
    return sum([ways for _, _, ways in _joints(letters, clauses)])


@lru_cache(maxsize=512)
def _joints(letters: int, clauses: int) -> tuple[tuple[int, int, int], ...]:
    """How a sentence can begin with a clause and go on after a joint: letters of both, and in how many ways."""
    return tuple(
        [
            (first, size, _of_clause(first) * len(words) * sentences(letters - first - size, clauses - 1))
            for first in range(1, letters)
            for size, words in _joint().items()
            if first + size < letters
        ]
    )


def sentence(letters: int, rng: Rng) -> str:
    """A sentence with so many letters, with its spaces: each is equally likely. Below SHORTEST letters, words in a row."""
    if letters < SHORTEST:
        return run_on(letters, rng)
    made, left, clauses = "", letters, CLAUSES
    while True:
        place = rng.below(sentences(left, clauses))
        if place < _of_clause(left):
            return made + _clause(left, rng)
        place -= _of_clause(left)
        for first, size, ways in _joints(left, clauses):
            if place < ways:
                made += f"{_clause(first, rng)} {rng.pick(_joint()[size])} "
                left, clauses = left - first - size, clauses - 1
                break
            place -= ways


def _clause(letters: int, rng: Rng) -> str:
    """A clause with so many letters, evenly of all."""
    place = rng.below(_of_clause(letters))
    for clause in range(len(_clauses())):
        ways = _fillings(clause, 0, letters)
        if place < ways:
            return " ".join(_filled(clause, letters, rng))
        place -= ways
    raise AssertionError("a place beyond all clauses")


def _filled(clause: int, letters: int, rng: Rng) -> list[str]:
    words: list[str] = []
    for at, slot in enumerate(_clauses()[clause]):
        place = rng.below(_fillings(clause, at, letters))
        for size, choices in slot.items():
            ways = len(choices) * _fillings(clause, at + 1, letters - size) if size <= letters else 0
            if place < ways:
                words.append(rng.pick(choices))
                letters -= size
                break
            place -= ways
    return words
