"""Sentences in a code of words: each word has one code word of its own, and code words stand in any order.

A puzzle numbers its words and its code words from 0 on both sides; a sample is a sentence and its code words. The code says which
code word each word has, one to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import BLANK, Constraints
from puzzlemill.core.rng import Rng
from puzzlemill.core.types import Clue

LEAST, MOST = 3, 5  # words of a sentence
WORDS = 16  # different ones of a puzzle at most

Phrase = tuple[tuple[int, ...], tuple[int, ...]]  # words and code words


def phrase_of(clue: Clue, count: int) -> Phrase:
    """The words and the code words of a sample. Raises BadRow for a clue that is none of this puzzle."""
    sides = [side for side in clue.args if isinstance(side, tuple)]
    sound = [[item for item in side if type(item) is int and 0 <= item < count] for side in sides if LEAST <= len(side) <= MOST]
    if clue.kind == "sample" and len(clue.args) == len(sides) == len(sound) == 2:
        words, codes = (tuple(dict.fromkeys(side)) for side in sound)
        if sides == [words, codes] and len(words) == len(codes):
            return words, codes
    raise BadRow(
        f"clue {clue.id}: expected {LEAST} to {MOST} words below {count} and as many code words, got {str(clue.args)[:60]}"
    )


def sample(number: int, phrase: Phrase) -> Clue:
    """The clue that a sentence is written in this way."""
    return Clue(f"s{number}", "sample", phrase)


# ---- model --------------------------------------------------------------------------------------------------------------


def bare(count: int, asked: int) -> Constraints:
    """Every word has a code word of its own. The slot is what belongs to the item that is asked for; the other items follow."""
    m = Constraints()
    slot = m.slot(count)
    others = {item: m.further(count) for item in range(count) if item != asked}
    for other in range(count):
        m.exactly_one([slot[other], *[lits[other] for lits in others.values()]])
    return m


def state(m: Constraints, clue: Clue, count: int, asked: int, decode: bool) -> None:
    """A sentence's words have its code words, and the other way round."""
    words, codes = phrase_of(clue, count)
    mine, theirs = (codes, words) if decode else (words, codes)
    others = [item for item in range(count) if item != asked]
    for item in mine:
        lits = m.key[0] if item == asked else m.also[others.index(item)]
        m.require(*[lits[other] for other in theirs], label=clue.id)


# ---- plain checker ------------------------------------------------------------------------------------------------------


def possible(phrases: Sequence[Phrase], count: int, word: int, code: int) -> bool:
    """Return whether the words can have code words as the sentences say, this word this one; BLANK: any."""
    may = [set(range(count)) for _ in range(count)]
    if BLANK not in (word, code):
        may[word] &= {code}
    for words, codes in phrases:
        for item in range(count):
            may[item] = {each for each in may[item] if (item in words) == (each in codes)}
    return _distributed(may, {})


def _distributed(may: Sequence[set[int]], taken: dict[int, int]) -> bool:
    """Give every word a code word; those that have one may be given another."""
    return all(_placed(may, taken, word, set()) for word in range(len(may)))


def _placed(may: Sequence[set[int]], taken: dict[int, int], word: int, tried: set[int]) -> bool:
    for code in sorted(may[word] - tried):
        tried.add(code)
        if code not in taken or _placed(may, taken, taken[code], tried):
            taken[code] = word
            return True
    return False


# ---- drawing ------------------------------------------------------------------------------------------------------------


def drawn(words: int, sentences: int, rng: Rng) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Sentences as the choice for each of their slots: (slot, which of its words).

    Every sentence has one word of each slot. One slot has three words in all, the others two, and all of them occur.
    """
    large = rng.below(words)
    while True:
        made = [tuple([(slot, rng.below(3 if slot == large else 2)) for slot in range(words)]) for _ in range(sentences)]
        if len({item for sentence in made for item in sentence}) == 2 * words + 1:
            return tuple(made)


def mistaken(sides: Sequence[Sequence[int]], rng: Rng) -> list[int]:
    """What may be taken for what is asked for, on one side of the sentences: first what occurs as often as some that can be.

    An item can be asked for if nothing else occurs in just the same sentences, which are not all of them.
    """
    where = {item: tuple([item in side for side in sides]) for item in sorted({item for side in sides for item in side})}
    known = {sum(places) for places in where.values() if list(where.values()).count(places) == 1 and not all(places)}
    items = rng.shuffled(list(where))
    return sorted(items, key=lambda item: sum(where[item]) not in known)


def exchanged(clues: Sequence[Clue], one: int, other: int, rng: Rng) -> list[Clue] | None:
    """Two samples that exchange a code word which the other has not; None if there is none."""
    first, second = clues[one], clues[other]
    left, right = (list(clue.args[1]) if isinstance(clue.args[1], tuple) else [] for clue in (first, second))
    mine, theirs = (
        [i for i, code in enumerate(left) if code not in right],
        [i for i, code in enumerate(right) if code not in left],
    )
    if not mine or not theirs:
        return None
    i, j = rng.pick(mine), rng.pick(theirs)
    left[i], right[j] = right[j], left[i]
    changed = list(clues)
    changed[one] = replace(first, args=(first.args[0], tuple(left)))
    changed[other] = replace(second, args=(second.args[0], tuple(right)))
    return changed
