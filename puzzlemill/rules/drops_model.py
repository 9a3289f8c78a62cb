"""Runs of cells as clauses: a word of a list is a way through the automaton of the words of its length.

The automaton has a layer of states behind each letter, and words that go on alike share their states (such automata: J. Daciuk
and others, "Incremental Construction of Minimal Acyclic Finite-State Automata", Computational Linguistics 26, 2000). A state is a
variable: if it holds and its cell has a letter, the next state holds, and its cell has no letter by which no word goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from puzzlemill.core.model import Constraints
from puzzlemill.rules.drops import LETTERS, VOWELS, fitting

WORD, VOWELS_RULE = "word", "vowels"
_Clauses = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=64)
def _automaton(band: str, listed: tuple[str, ...], kind: int, length: int) -> tuple[_Clauses, int]:
    """Clauses over letters (1 + 26 * place + letter) and states, numbered on from these, and how many states there are.

    There is no clause but the empty one where there is no word.
    """
    words = fitting(band, listed, kind, length)
    if not words:
        return ((),), 0
    layers = [sorted({word[:place] for word in words}) for place in range(length + 1)]
    top = 26 * length
    state: dict[str, int] = dict.fromkeys(layers[length], 0)  # of each beginning; 0: nothing more to say
    clauses: list[tuple[int, ...]] = []
    count = 0
    for place in range(length - 1, -1, -1):
        ways: dict[str, list[tuple[int, int]]] = {start: [] for start in layers[place]}
        for longer in layers[place + 1]:
            ways[longer[:-1]].append((1 + 26 * place + LETTERS.index(longer[-1]), state[longer]))
        made: dict[tuple[tuple[int, int], ...], int] = {}
        for start in layers[place]:
            key = tuple(ways[start])
            if key not in made:
                count += place > 0
                made[key] = own = top + count if place else 0
                here = (-own,) if own else ()
                clauses.append((*here, *[letter for letter, _ in key]))
                clauses += [(*here, -letter, then) for letter, then in key if then]
            state[start] = made[key]
    return tuple(clauses), count


def state_word(m: Constraints, cells: Sequence[tuple[int, ...]], band: str, listed: tuple[str, ...], kind: int) -> None:
    """State that these slots hold a word; each slot has a literal for each letter. band, listed, kind: as fitting() has them."""
    clauses, states = _automaton(band, listed, kind, len(cells))
    literals = [0, *[literal for cell in cells for literal in cell], *[m.var() for _ in range(states)]]
    literals += [-literal for literal in literals[:0:-1]]  # a negative literal is found from the end
    literal = literals.__getitem__
    m.clauses += [(tuple(map(literal, clause)), WORD) for clause in clauses]


def state_vowels(m: Constraints, cells: Sequence[tuple[int, ...]], many: int) -> None:
    """State that so many of these slots hold vowels."""
    vowels = []
    for cell in cells:
        vowel = m.var()
        for literal, letter in zip(cell, LETTERS, strict=True):
            m.require(-literal, vowel if letter in VOWELS else -vowel)
        vowels.append(vowel)
    m.exactly(vowels, many, label=VOWELS_RULE)
