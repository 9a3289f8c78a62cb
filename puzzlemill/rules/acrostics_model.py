"""The rules of an acrostic as clauses: each word of the quotation is read through an automaton of the words of its length.

The automaton is the smallest one, layer by layer (a trie whose equal subtrees are one). Its states have a variable each; a state
and a letter lead to the next state. That the
reading begins is the one clause with the word's label.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from puzzlemill.core.model import Constraints

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
AUTHOR = "author"  # label of the line of first letters
WORD = "word"  # of the words of the quotation
Edge = tuple[int, int, int]  # a state, a letter, a state of the next layer; state 0 of the first layer is the start


def label(number: int) -> str:
    """The name of the rule that a word of the quotation, numbered from 1, is in the list."""
    return f"{WORD} {number}"


@lru_cache(maxsize=64)
def automaton(words: tuple[str, ...]) -> tuple[tuple[Edge, ...], ...]:
    """The edges of each layer, for words of one length."""
    length = len(words[0])
    states: list[dict[tuple[tuple[int, int], ...], int]] = [{} for _ in range(length + 1)]

    def state(first: int, last: int, depth: int) -> int:
        """The state for the endings, from `depth` on, of words[first:last]."""
        onward: list[tuple[int, int]] = []
        start = first
        while depth < length and start < last:
            sign, end = words[start][depth], start + 1
            while end < last and words[end][depth] == sign:
                end += 1
            onward.append((LETTERS.index(sign), state(start, end, depth + 1)))
            start = end
        return states[depth].setdefault(tuple(onward), len(states[depth]))

    state(0, len(words), 0)
    return tuple(
        [tuple([(at, letter, then) for onward, at in layer.items() for letter, then in onward]) for layer in states[:length]]
    )


def letter_slots(m: Constraints, cells: int) -> None:
    """Slots of 26 letters. That a cell has one letter at most is said by counting on from letter to letter (C. Sinz, 2005)."""
    for _ in range(cells):
        letters = tuple([m.var() for _ in LETTERS])
        m.require(*letters)
        earlier = letters[0]  # true if a letter up to here is
        for at, letter in enumerate(letters[1:], 1):
            m.require(-earlier, -letter)
            if at < len(letters) - 1:
                now = m.var()
                m.require(-earlier, now)
                m.require(-letter, now)
                earlier = now
        m.key.append(letters)


def read_word(m: Constraints, cells: Sequence[int], words: tuple[str, ...], name: str) -> None:
    """State that these cells hold one of the words, which have as many letters and stand in order."""
    start = m.var()
    m.require(start, label=name)
    if not words:
        m.require(-start)
        return
    here = {0: start}
    for cell, edges in zip(cells, automaton(words), strict=True):
        letters = m.key[cell]
        then: dict[int, int] = {}
        out: dict[int, list[int]] = {}
        clauses, last = m.clauses, cell == cells[-1]
        for at, letter, to in edges:
            out.setdefault(at, [-here[at]]).append(letters[letter])
            if not last:
                if to not in then:
                    then[to] = m.var()
                clauses.append(((-here[at], -letters[letter], then[to]), ""))
        m.clauses += [(tuple(some), "") for some in out.values()]
        here = then


def read_line(m: Constraints, heads: Sequence[int], lines: Sequence[str]) -> None:
    """State that the letters of these cells spell one of the lines."""
    taken = [m.var() for _ in lines]
    m.require(*taken, label=AUTHOR)
    for one, line in zip(taken, lines, strict=True):
        for cell, sign in zip(heads, line, strict=True):
            m.require(-one, m.key[cell][LETTERS.index(sign)])


def read_clue(m: Constraints, cells: Sequence[int], carriers: Sequence[str], name: str) -> None:
    """State that these cells hold one of the carriers."""
    for place, cell in enumerate(cells):
        known = sorted({word[place] for word in carriers})
        m.require(*[m.key[cell][LETTERS.index(sign)] for sign in known], label=name)
    if len(carriers) > 1:
        taken = [m.var() for _ in carriers]
        m.require(*taken, label=name)
        for one, word in zip(taken, carriers, strict=True):
            for cell, sign in zip(cells, word, strict=True):
                m.require(-one, m.key[cell][LETTERS.index(sign)])
