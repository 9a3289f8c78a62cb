"""Codes with conditions: where each place of the code comes from is worked out first, the codes are looked up in the end."""

from __future__ import annotations

from puzzlemill.core.model import CaseTable, Finding

_VOWELS = frozenset((0, 4, 8, 14, 20))


def answers(table: CaseTable, limit: int, _nodes: int) -> Finding:
    """The one answer; no node is needed."""
    word, last = table.word, len(table.word) - 1
    vowels = [letter in _VOWELS for letter in word]
    source: list[int] = list(range(len(word)))  # of each place: the letter whose code it shows, -1 for the special sign
    for (test, one, other), (action, first, second) in table.cases:
        if test == 0:
            holds = vowels[0] == bool(one) and vowels[last] == bool(other)
        elif test == 1:
            holds = vowels[one] == bool(other)
        else:
            holds = sum(vowels) >= one
        if not holds:
            continue
        if action == 0:
            source[first], source[second] = source[second], source[first]
        elif action == 1:
            source[second] = source[first]
        elif action == 2:
            source[first] = source[second] = -1
        else:
            source.reverse()
        if not table.chained:
            break
    lookup = dict(table.codes)
    found = tuple([table.special if at < 0 else lookup[word[at]] for at in source])
    return Finding((found,), limit > 1, 0)
