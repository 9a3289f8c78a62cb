"""Codes on words as a class of hypotheses, samples of them as clues, and codes drawn from the class of codes.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from json import dumps
from typing import Any

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import Hypothesis, Slots, Space
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import Clue
from puzzlemill.rules.codes import (
    ADDED,
    KINDS,
    LETTERS,
    MOST,
    Code,
    Kind,
    Pair,
    Word,
    codes,
    fitted,
    kinds_of,
    orders_of,
    read,
    size,
    written,
)

LEAST, LONGEST = 3, 8  # letters of a word
FEW = range(-5, 6)  # keys as exams have them


# ---- words and codes as text --------------------------------------------------------------------------------------------


def spelt(word: Sequence[int]) -> str:
    """ "FRAME"."""
    return "".join([LETTERS[letter] if letter >= 0 else "?" for letter in word])


def coded(task: str, signs: Sequence[int]) -> str:
    """A code as puzzles show it: letters without anything between them, numbers with blanks."""
    return spelt(signs) if task == "letters" else " ".join(map(str, signs))


def word_of(text: object) -> Word:
    """The letters of a word. Raises BadRow for what is none."""
    if not isinstance(text, str) or not LEAST <= len(text) <= LONGEST or text.strip(LETTERS):
        raise BadRow(f"expected a word of {LEAST} to {LONGEST} capital letters, got {str(text)[:40]!r}")
    return tuple([LETTERS.index(letter) for letter in text])


def signs_of(task: str, text: object) -> Word:
    """The signs of a code. Raises BadRow for what is none."""
    if task == "letters":
        return word_of(text)
    parts = text.split(" ") if isinstance(text, str) else []
    sound = all(part.isascii() and part.isdigit() and len(part) <= 4 and str(int(part)) == part for part in parts)
    if not sound or not 1 <= len(parts) <= (1 if task == "sums" else LONGEST) or max(map(int, parts)) > MOST[task]:
        shape = "one number" if task == "sums" else "numbers with blanks between them"
        raise BadRow(f"expected {shape}, each up to {MOST[task]}, got {str(text)[:40]!r}")
    return tuple(map(int, parts))


def sample(number: int, task: str, word: Word, signs: Word) -> Clue:
    """The clue that a word is written in this way."""
    return Clue(f"s{number}", "sample", (spelt(word), coded(task, signs)))


@lru_cache(maxsize=4096)
def pair_of(task: str, clue: Clue) -> Pair:
    """The word and the code of a sample. Raises BadRow for a clue that is none."""
    if clue.kind != "sample" or len(clue.args) != 2:
        raise BadRow(f"clue {clue.id}: expected a sample with a word and its code, got {clue.kind} {str(clue.args)[:60]}")
    pair = word_of(clue.args[0]), signs_of(task, clue.args[1])
    if task != "sums" and len(pair[0]) != len(pair[1]):
        raise BadRow(f"clue {clue.id}: expected as many signs as letters, got {len(pair[1])} for {len(pair[0])}")
    return pair


# ---- hypotheses ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Codes(Space):
    """The codes in which words may be written; asked: a word, or with `decode` a code. name: of what supposes so."""

    name: tuple[str | int, ...]
    task: str
    decode: bool
    asked: Word

    def scope(self) -> str:
        kinds = [[name, len(kind.variants), list(map(len, kind.keys))] for name, kind in kinds_of(self.task, self.decode).items()]
        return dumps([*self.name, self.task, self.decode, orders_of(self.task), kinds, ADDED, MOST[self.task]])

    def parts(self) -> int:
        return 1

    def size(self, part: int) -> int:
        return size(self.task, self.decode)

    def hypotheses(self, part: int) -> Iterator[Hypothesis]:
        return codes(self.task, self.decode)

    def fits(self, part: int, hypothesis: Hypothesis, kind: str, args: tuple[Any, ...]) -> bool:
        word, text = pair_of(self.task, Clue("", kind, args))
        return written(self.task, _code(hypothesis), word) == text

    def fitting(self, part: int, clues: Sequence[tuple[str, tuple[Any, ...]]]) -> Iterator[Hypothesis]:
        """The codes whose keys are solved for from the samples."""
        return fitted(self.task, self.decode, [pair_of(self.task, Clue("", *clue)) for clue in clues])

    def output(self, part: int, hypothesis: Hypothesis) -> Slots | None:
        return (read if self.decode else written)(self.task, _code(hypothesis), self.asked)


def _code(hypothesis: Hypothesis) -> Code:
    order, name, variant, keys = hypothesis
    return order, name, variant, keys


def explained(task: str, decode: bool, pairs: Sequence[Pair], asked: Word) -> list[tuple[Code, Word]]:
    """Every code that fits the samples, with what it makes of the text that is asked for; the easiest first."""
    made = [(code, (read if decode else written)(task, code, asked)) for code in fitted(task, decode, pairs)]
    found = [(code, text) for code, text in made if text is not None]
    return sorted(found, key=lambda each: level(task, each[0]))


def level(task: str, code: Code) -> int:
    """How hard a code is to see."""
    return KINDS[task][code[1]].level + (code[0] != "same")


# ---- drawing ------------------------------------------------------------------------------------------------------------


def drawn(task: str, decode: bool, moved: str, rng: Rng) -> Code:
    """A code whose keys are small. moved: "plain" leaves the letters in their order, "reordered" does not, "any" half of the
    time. Every kind is equally likely, but for plain codes that would write each word as it is."""
    kinds = list(kinds_of(task, decode))
    other = moved == "reordered" or (moved == "any" and rng.chance(1, 2))
    order = rng.pick(orders_of(task)[1:]) if other and task != "sums" else "same"
    name = rng.pick(kinds)
    kind = KINDS[task][name]
    return order, name, rng.below(len(kind.variants)), _small_keys(task, kind, order != "same", rng.child("keys"))


def _small_keys(task: str, kind: Kind, still: bool, rng: Rng) -> tuple[int, ...]:
    """Keys as exams have them. still: a key may be 0, the order being another one."""
    if task != "letters":
        return tuple([rng.pick([key for key in FEW if key in keys]) for keys in kind.keys])
    while True:
        keys = tuple([rng.pick(FEW) % len(each) for each in kind.keys])
        mirror = kind is KINDS["letters"]["mirror"]
        alike = len(keys) > 1 and len(set(keys)) == 1
        if not alike and (any(keys) or still or mirror or len(kind.variants) > 1):
            return (0,) if mirror and rng.chance(1, 2) else keys
