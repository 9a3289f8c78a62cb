"""Substitution ciphers over a lexicon: which words may each cipher word be, so that no two letters share a plain one?

Words of the lexicon stand in one array, those of one pattern (lengths and repeated letters) together, each as its different
letters in order. A search keeps for each cipher word the words that it may still be, the others behind them, and for each cipher
letter a mask of plain letters. Words that do not fit the masks are set aside, masks shrink to the letters of the words that are
left, and a letter that is found is taken from all others, until nothing changes. Then the cipher word with the fewest words left
is tried with each of them; a node is one such trial. The fewest of equals come first that have the most letters to find.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import Finding, SubstitutionTable
from puzzlemill.solvers.kernels.compile import kernel
from puzzlemill.solvers.kernels.driver import listed, one_by_one, pairs
from puzzlemill.vocabulary import lexicon

_ALL = (1 << 26) - 1
_LONGEST = 15


class _Index(NamedTuple):
    """letters: [word, place] of all words, in the order of patterns; spans: of each pattern, from which word to which."""

    letters: Any
    spans: dict[tuple[int, ...], tuple[int, int]]


def _pattern(word: Sequence[int]) -> tuple[int, ...]:
    order: dict[int, int] = {}
    return tuple([order.setdefault(letter, len(order)) for letter in word])


def _indexed(words: Sequence[str]) -> _Index:
    coded = [[ord(letter) - 97 for letter in word] for word in words]
    ordered = sorted([(_pattern(word), word) for word in coded])
    letters = np.full((max(1, len(ordered)), _LONGEST), -1, dtype=np.int8)
    spans: dict[tuple[int, ...], tuple[int, int]] = {}
    for at, (pattern, word) in enumerate(ordered):
        different = list(dict.fromkeys(word))
        letters[at, : len(different)] = different
        spans[pattern] = spans.get(pattern, (at, at))[0], at + 1
    return _Index(letters, spans)


@lru_cache(maxsize=4)
def _of_band(band: str) -> _Index:
    return _indexed(lexicon.words(band))


@lru_cache(maxsize=64)
def _of_words(words: tuple[str, ...]) -> _Index:
    return _indexed(words)


class _Room(NamedTuple):
    """What a search works on: letters, then of each cipher word its places, how many there are, its candidates and their span."""

    letters: Any
    places: Any
    lengths: Any
    order: Any
    starts: Any
    counts: Any
    masks: Any


def _room(table: SubstitutionTable) -> _Room:
    if not all(0 <= letter < table.letters for word in table.cipher for letter in word) or not 0 < table.letters <= 26:
        raise BadRow(f"a cipher has 1 to 26 letters, each below their number, got {table.letters} and {str(table.cipher)[:60]}")
    index = _of_words(table.words) if table.words else _of_band(table.band)
    many = len(table.cipher)
    places, lengths = np.zeros((many, _LONGEST), dtype=np.int64), np.zeros(many, dtype=np.int64)
    starts, counts = np.zeros(many, dtype=np.int64), np.zeros(many, dtype=np.int64)
    rows = []
    at = 0
    for i, word in enumerate(table.cipher):
        different = list(dict.fromkeys(word))
        begin, end = index.spans.get(_pattern(word), (0, 0))
        lengths[i], starts[i], counts[i] = min(len(different), _LONGEST), at, end - begin
        places[i, : lengths[i]] = different[:_LONGEST]
        rows.append(np.arange(begin, end, dtype=np.int32))
        at += end - begin
    order = np.concatenate(rows) if rows else np.empty(0, dtype=np.int32)
    masks = np.array([_ALL & ~barred for barred in table.barred] or [_ALL] * table.letters, dtype=np.int64)
    return _Room(index.letters, places, lengths, order, starts, counts, masks)


@kernel("boolean(int8[:,::1], int64[:,::1], int64[::1], int32[::1], int64[::1], int64[::1], int64[::1])", counted=False)
def _propagate(letters: Any, places: Any, lengths: Any, order: Any, starts: Any, counts: Any, masks: Any) -> bool:
    """Shrink candidates and masks until nothing changes; False if a word or a letter has nothing left."""
    many, slots = len(lengths), len(masks)
    changed = _ALL  # letters whose masks have changed
    first = True
    found = 0  # plain letters that are known
    known = 0  # cipher letters whose plain letter has been taken from the others
    while changed:
        now, changed = changed, 0
        for i in range(many):
            d = lengths[i]
            touched = first
            for k in range(d):
                touched = touched or (now >> places[i, k] & 1) != 0
            if not touched:
                continue
            begin, left, before = starts[i], counts[i], counts[i]
            at = 0
            while at < left:
                row = order[begin + at]
                fits = True
                for k in range(d):
                    if masks[places[i, k]] >> letters[row, k] & 1 == 0:
                        fits = False
                        break
                if fits:
                    at += 1
                else:
                    left -= 1
                    order[begin + at] = order[begin + left]
                    order[begin + left] = row
            counts[i] = left
            if left == 0:
                return False
            if left == before and not first:
                continue
            for k in range(d):
                seen: Any = 0
                for at in range(left):
                    seen |= 1 << np.int64(letters[order[begin + at], k])
                slot = places[i, k]
                if masks[slot] & ~seen:
                    masks[slot] &= seen
                    changed |= 1 << slot
        first = False
        again = True
        while again:
            again = False
            for slot in range(slots):
                mask = masks[slot]
                if mask == 0:
                    return False
                if mask & (mask - 1) == 0:
                    if known >> slot & 1 == 0:
                        if found & mask:
                            return False
                        known |= 1 << slot
                        found |= mask
                        again = True
                elif mask & found:
                    masks[slot] = mask & ~found
                    changed |= 1 << slot
                    again = True
    return True


@kernel(
    "UniTuple(int64, 2)(int8[:,::1], int64[:,::1], int64[::1], int32[::1], int64[::1], int64[::1], int64[::1], "
    "int8[:,::1], int64, int64)"
)
def _search(
    letters: Any, places: Any, lengths: Any, order: Any, starts: Any, counts: Any, masks: Any, found: Any, limit: int, budget: int
) -> tuple[int, int]:
    """Write answers into `found`; returns how many, or -1 - (so many) if the budget ran out, and the nodes."""
    many, slots, room = len(lengths), len(masks), len(found)
    deep = slots + 1
    kept_counts, kept_masks = np.empty((deep, many), dtype=np.int64), np.empty((deep, slots), dtype=np.int64)
    word, turn = np.empty(deep, dtype=np.int64), np.empty(deep, dtype=np.int64)
    width = 1
    for i in range(many):
        width = max(width, counts[i])
    trials = np.empty((deep, width), dtype=np.int32)
    answers, nodes, level = 0, 0, -1
    sound = _propagate(letters, places, lengths, order, starts, counts, masks)
    while True:
        if sound:
            best, fewest, most = -1, 0, 0
            loose = -1
            for slot in range(slots):
                if masks[slot] & (masks[slot] - 1):
                    loose = slot
                    break
            if loose >= 0:
                for i in range(many):
                    if counts[i] > 1 and (best < 0 or counts[i] < fewest or (counts[i] == fewest and lengths[i] > most)):
                        best, fewest, most = i, counts[i], lengths[i]
            if loose < 0:
                if answers < room:
                    for slot in range(slots):
                        value, mask = 0, masks[slot]
                        while mask > 1:
                            mask >>= 1
                            value += 1
                        found[answers, slot] = value
                answers += 1
                if answers >= limit or answers >= room:
                    return answers, nodes
                sound = False
            elif best < 0:  # no word is open: a letter in no word may be any
                level += 1
                word[level] = -1 - loose
                turn[level] = -1
                kept_counts[level] = counts
                kept_masks[level] = masks
            else:
                level += 1
                word[level], turn[level] = best, -1
                kept_counts[level] = counts
                kept_masks[level] = masks
                for at in range(counts[best]):
                    trials[level, at] = order[starts[best] + at]
        # the next trial of the deepest level that has one
        while level >= 0:
            i = word[level]
            if i < 0:
                value = turn[level] + 1
                while value < 26 and kept_masks[level, -1 - i] >> value & 1 == 0:
                    value += 1
                turn[level] = value
                if value < 26:
                    break
            else:
                turn[level] += 1
                if turn[level] < kept_counts[level, i]:
                    break
            level -= 1
        if level < 0:
            return answers, nodes
        nodes += 1
        if nodes > budget:
            return -1 - answers, nodes
        counts[:] = kept_counts[level]
        masks[:] = kept_masks[level]
        i = word[level]
        if i < 0:
            masks[-1 - i] = 1 << turn[level]
        else:
            row = trials[level, turn[level]]
            for k in range(lengths[i]):
                masks[places[i, k]] &= 1 << np.int64(letters[row, k])
        sound = _propagate(letters, places, lengths, order, starts, counts, masks)


def answers(table: SubstitutionTable, limit: int, budget: int) -> Finding:
    """Up to `limit` different answers; see the package."""
    room = _room(table)
    slots, values = pairs(table.clues, table.letters, 26, "a cipher")
    masks = room.masks.copy()
    for slot, value in zip(slots.tolist(), values.tolist(), strict=True):
        masks[slot] &= 1 << value

    def search(found: Any) -> tuple[int, int]:
        counts = room.counts.copy()
        return _search(
            *(room.letters, room.places, room.lengths, room.order.copy(), room.starts, counts, masks.copy(), found, limit, budget)
        )

    return listed(search, limit, table.letters)


def minimize(table: SubstitutionTable, order: Sequence[int], keep: int, budget: int) -> tuple[int, ...] | None:
    """Positions of the letters that stay revealed; see the package."""
    room = _room(table)
    slots, values = pairs(table.clues, table.letters, 26, "a cipher")
    found = np.empty((2, table.letters), dtype=np.int8)

    def count(stays: Any) -> int:
        masks = room.masks.copy()
        for slot, value in zip(slots[stays].tolist(), values[stays].tolist(), strict=True):
            masks[slot] &= 1 << value
        counts = room.counts.copy()
        total, _ = _search(
            *(room.letters, room.places, room.lengths, room.order.copy(), room.starts, counts, masks, found, 2, budget)
        )
        return max(total, -1)

    return one_by_one(len(table.clues), order, keep, count)
