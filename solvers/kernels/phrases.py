"""Sentences in a code of words: which code word may stand for the word that is asked for, by the sentences it occurs in.

A word and its code word occur in the same sentences. So words and code words fall into classes by the sentences in which they
occur, and a code is possible exactly if each class has as many words as code words; within a class any word may be any code word.
"""

from __future__ import annotations

from collections import Counter

from puzzlemill.core.model import Finding, PhraseTable


def answers(table: PhraseTable, limit: int, _nodes: int) -> Finding:
    """Up to `limit` different answers; no node is needed."""
    words, codes = (
        [frozenset([k for k, sentence in enumerate(table.clues) if item in sentence[side]]) for item in range(table.count)]
        for side in (0, 1)
    )
    if Counter(words) != Counter(codes):
        return Finding((), True, 0)
    mine, theirs = (codes, words) if table.decode else (words, codes)
    found = [(item,) for item in range(table.count) if theirs[item] == mine[table.asked]]
    return Finding(tuple(found[:limit]), len(found) < limit, 0)
