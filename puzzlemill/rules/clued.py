"""Clues of words: a text of some sort, with its carriers, the words of the list that it is true of.

Carriers travel with the clue: whoever judges an answer needs no list of words. A word keeps a clue exactly if it is a carrier.
Words are in capitals here; in the lexicon they are in small letters. The lexicon is read where clues are drawn, and only there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from puzzlemill.core.errors import BadRow
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import Clue
from puzzlemill.vocabulary import clues as lexical
from puzzlemill.vocabulary.clues import SORTS

KIND = "word"  # of such clues, as rows store it
EXPLAINED = ("anagram", "hidden", "fill-in")  # sorts that a rule of the prompt explains, where they occur
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST = 200  # carriers of a clue that is read
LONGEST = 21  # letters of a word
_WEIGHTS = {"definition": 5, "synonyms": 3, "kind": 3, "fill-in": 2, "opposite": 2}  # how often a sort of clue comes first
_TEXT = 400  # characters of a clue
_ENDINGS = ("", "s", "es", "d", "ed", "n", "en", "r", "er", "ers", "est", "ing", "ings", "ly", "y", "ness", "less", "ful", "al")


class Clued(NamedTuple):
    """sort: of the clue, as SORTS has them. text: as it is printed. carriers: words in capitals and in alphabetical order."""

    sort: str
    text: str
    carriers: tuple[str, ...]


def stated(id_: str, told: Clued, *at: int) -> Clue:
    """The clue with this id. at: the place of the word that it is about, where the id alone does not say."""
    return Clue(id_, KIND, (told.sort, told.text, told.carriers, *at))


@lru_cache(maxsize=65_536)
def clued(clue: Clue, letters: int) -> Clued:
    """A stored clue of a word of so many letters. Raises BadRow for one that is none."""
    if clue.kind != KIND or len(clue.args) not in (3, 4):
        raise BadRow(
            f"clue {clue.id[:40]}: expected a {KIND} with its sort, text and carriers, got {clue.kind} {str(clue.args)[:60]}"
        )
    sort, text, carriers = clue.args[:3]
    if sort not in SORTS:
        raise BadRow(f"clue {clue.id[:40]}: expected one of {', '.join(SORTS)}, got {str(sort)[:40]!r}")
    if not isinstance(text, str) or not 1 <= len(text) <= _TEXT or not text.isprintable():
        raise BadRow(f"clue {clue.id[:40]}: expected a text of 1 to {_TEXT} characters on one line, got {str(text)[:40]!r}")
    if not isinstance(carriers, tuple) or not 1 <= len(carriers) <= MOST or not all(is_word(word, letters) for word in carriers):
        raise BadRow(
            f"clue {clue.id[:40]}: expected 1 to {MOST} words of {letters} capital letters that it is true of, "
            f"got {str(carriers)[:60]}"
        )
    words = tuple([str(word) for word in carriers])
    if list(words) != sorted(set(words)):
        raise BadRow(f"clue {clue.id[:40]}: expected different words in alphabetical order, got {str(carriers)[:60]}")
    return Clued(str(sort), text, words)


def is_word(word: object, letters: int) -> bool:
    """Return whether this is a text of so many capital letters."""
    return isinstance(word, str) and len(word) == letters and not word.strip(LETTERS)


def offers(word: str, sorts: Collection[str], band: str, most: int, rng: Rng) -> Iterator[Clued]:
    """Clues of a word in capitals that have at most so many carriers in the band, in random order, sort by sort in turn.

    sorts: those that are wanted, () for all.
    """
    by_sort: dict[str, list[Clued]] = {}
    for told in lexical.clues(word.lower(), sorts or SORTS):
        carriers = tuple([each.upper() for each in lexical.carriers(told, len(word), band)])
        if word in carriers and len(carriers) <= most:
            by_sort.setdefault(told.sort, []).append(Clued(told.sort, told.text, carriers))
    turns = dict.fromkeys(rng.shuffled([sort for sort in sorted(by_sort) for _ in range(_WEIGHTS.get(sort, 1))]))
    queues = [rng.child(sort).shuffled(by_sort[sort]) for sort in turns]
    while queues:
        for queue in queues:
            yield queue.pop()
        queues = [queue for queue in queues if queue]


def forms(words: Sequence[str]) -> frozenset[str]:
    """The words, in capitals, and their plain forms, in small letters: what no clue of theirs may have in its text."""
    found = set()
    for word in words:
        low = word.lower()
        stems = [low, low[:-1]] if low[-1:] in ("e", "y") and len(low) > 3 else [low]
        stems += [low + low[-1]] if len(low) < 9 else []
        found.update([stem + ending for stem in stems[:1] for ending in _ENDINGS])
        found.update([stem + ending for stem in stems[1:] for ending in _ENDINGS[3:]])
        if low.endswith("y"):
            found.update([low[:-1] + ending for ending in ("ies", "ied", "ier", "iest", "ily")])
        for ending in ("ing", "ed", "es", "ly", "er", "s"):
            if low.endswith(ending) and len(low) > len(ending) + 2:
                found.add(low[: -len(ending)])
    return frozenset(found)


_TOKENS = re.compile(r"[a-z]+")


def shows(text: str, barred: Collection[str]) -> bool:
    """Return whether a clue's text has one of these forms as a word."""
    return any(token in barred for token in _TOKENS.findall(text.lower()))
