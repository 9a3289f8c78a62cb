"""Whether one code of the declared class (codes.py says which there are) writes each of some words as it is written.

For the plain checker: written from the definitions, apart from how codes are fitted. What is not known of a word or of a code is
-1, and then says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

_VOWELS, _CONSONANTS = "AEIOU", "BCDFGHJKLMNPQRSTVWXYZ"
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Word = Sequence[int]
Seen = list[tuple[int, int, int, int]]  # of signs that are known: place, length of the word, letter, what it is written as


def one_code(task: str, decode: bool, pairs: Sequence[tuple[Word, Word]]) -> bool:
    """Return whether one code fits all pairs of a word and what it is written as."""
    if task == "sums":
        return _one_sum([(word, code[0]) for word, code in pairs if -1 not in word and code[0] >= 0])
    if any(len(word) != len(code) for word, code in pairs):
        return False
    for order in range(8):
        seen: Seen = []
        for word, code in pairs:
            for i, letter in enumerate(_ordered(order, list(word))):
                if letter >= 0 and code[i] >= 0:
                    seen.append((i, len(word), letter, code[i]))
        if _letters(seen, decode) if task == "letters" else _numbers(seen, decode):
            return True
    return False


def _ordered(order: int, word: list[int]) -> list[int]:
    n = len(word)
    half = n // 2
    middle = word[half : n - half]
    if order == 1:
        return word[::-1]
    if order == 2:
        pairs = [word[i : i + 2][::-1] for i in range(0, n, 2)]
        return [letter for pair in pairs for letter in pair]
    if order == 3:
        return word[:half][::-1] + middle + word[n - half :][::-1]
    if order == 4:
        return word[n - half :] + middle + word[:half]
    if order == 5:
        return word[-1:] + word[1:-1] + word[:1] if n > 1 else word
    if order == 6:
        return word[1:] + word[:1]
    return word[-1:] + word[:-1] if order == 7 else word


def _same(values: Iterable[int]) -> bool:
    return len(set(values)) <= 1


# ---- letters ------------------------------------------------------------------------------------------------------------


def _letters(seen: Seen, decode: bool) -> bool:
    moved = [(i, n, letter, (sign - letter) % 26) for i, n, letter, sign in seen]
    if _same(by for _, _, _, by in moved) or _same((letter + sign) % 26 for _, _, letter, sign in seen):
        return True
    if any(_same((by - step * i) % 26 for i, _, _, by in moved) for step in range(-3, 4)):
        return True
    if all(_same(by for i, _, _, by in moved if i % 2 == turn) for turn in (0, 1)):
        return True
    vowels = [_ALPHABET[letter] in _VOWELS for _, _, letter, _ in seen]
    if not decode and all(_same(m[3] for m, vowel in zip(moved, vowels, strict=True) if vowel is side) for side in (True, False)):
        return True
    inside = [abs(2 * i + 1 - n) <= 1 for i, n, _, _ in seen]  # the middle letter, or the middle two
    if all(_same(m[3] for m, mid in zip(moved, inside, strict=True) if mid is side) for side in (True, False)):
        return True
    return _in_circles(seen)


def _in_circles(seen: Seen) -> bool:
    for circle in (_VOWELS, _CONSONANTS):
        steps = set()
        for _, _, letter, sign in seen:
            if (_ALPHABET[letter] in circle) != (_ALPHABET[sign] in circle):
                return False
            if _ALPHABET[letter] in circle:
                steps.add((circle.index(_ALPHABET[sign]) - circle.index(_ALPHABET[letter])) % len(circle))
        if len(steps) > 1:
            return False
    return True


# ---- numbers ------------------------------------------------------------------------------------------------------------


def _small(values: Iterable[int]) -> bool:
    """All the same, and from -20 to 20."""
    found = set(values)
    return not found or (len(found) == 1 and abs(min(found)) <= 20)


def _numbers(seen: Seen, decode: bool) -> bool:
    for backwards in (False, True):
        at = [(i, 26 - letter if backwards else letter + 1, letter, sign) for i, _, letter, sign in seen]
        if any(_small(sign - times * number for _, number, _, sign in at) for times in range(1, 6)):
            return True
        if any(_small(sign - number - step * i for i, number, _, sign in at) for step in range(-3, 4)):
            return True
        if _small(sign - number * number for _, number, _, sign in at):
            return True
        other = [sign - (number if _ALPHABET[letter] in _VOWELS else 27 - number) for _, number, letter, sign in at]
        if not decode and _small(other):
            return True
    return False


# ---- sums ---------------------------------------------------------------------------------------------------------------


def _totals(word: Word) -> Iterator[int]:
    """The six sums of a word: of all letters, vowels, consonants, each numbered from A and from Z."""
    for of in (_ALPHABET, _VOWELS, _CONSONANTS):
        mine = [letter for letter in word if _ALPHABET[letter] in of]
        yield sum([letter + 1 for letter in mine])
        yield sum([26 - letter for letter in mine])


def _one_sum(pairs: Sequence[tuple[Word, int]]) -> bool:
    for totals in zip(*[_totals(word) for word, _ in pairs], strict=True):
        known = [(total, len(word), number) for total, (word, number) in zip(totals, pairs, strict=True)]
        if any(_small(number - times * total for total, _, number in known) for times in range(1, 6)):
            return True
        if any(j and all(number == total + j * n for total, n, number in known) for j in range(-5, 6)):
            return True
        if _small(number - total * n for total, n, number in known):
            return True
    return not pairs
