"""Encrypted texts: which methods the samples leave, and the text that these give. One step for each segment.

How hard a segment is follows from the class of ways that it may have been encrypted in: what is told, how many layers there are,
and whether their order or the methods themselves must be found by trying. The rows that fit the samples come from the kernel's
tables (solvers/kernels/ciphers.py); the model, against which steps are checked, knows nothing of these.
A step's `about` is (segment, rows of its class, rows that fit the samples, *entries of one that gives the text, first one first).
Where nothing fits, it is (segment, rows of its class, rows that fit all of these samples though they give no text), and `within`
has a step "fits" for each of the samples, with the about (rows that fit this sample alone, *entries of one of them).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import perm

from puzzlemill.core.model import CipherPart, CipherTable, Slots, Step
from puzzlemill.solvers.kernels.ciphers import Row, decrypted, rows

TECHNIQUES: dict[str, int] = {
    "decrypt": 1,  # one method, which is told
    "decrypt_layers": 2,  # several, one after the other, all of them told
    "find_order": 3,  # the methods are told, their order must be found
    "find_method": 4,  # one method of a menu
    "find_methods": 5,  # several methods of a menu
    "search": 6,  # a menu without any sample: all that can be told is that everything was tried
}
MEDIUM, HARD = 3, 5


def deduce(table: CipherTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps that set every segment's letters; or one that concludes nothing, for a segment that nothing fits."""
    steps: list[Step] = []
    start = 0
    for number, part in enumerate(table.parts):
        step = _found(number, part, ids, start) if answer is not None else _refuted(number, part, ids)
        if step is not None:
            steps.append(step)
            if answer is None:
                break
        start += part.length
    return steps


def _technique(part: CipherPart) -> str:
    layers = part.layers * part.rounds
    if part.in_order:
        return "decrypt" if layers == 1 else "decrypt_layers"
    if not part.samples:
        return "search"
    if len(part.entries) == part.layers:
        return "find_order"
    return "find_method" if part.layers == 1 else "find_methods"


def _size(part: CipherPart) -> int:
    return 1 if part.in_order else perm(len(part.entries), part.layers)


def _found(number: int, part: CipherPart, ids: Sequence[str], start: int) -> Step:
    """The only text that the first samples leave, as few of them as that takes."""
    for used in range(0 if part.in_order else min(1, len(part.samples)), len(part.samples) + 1):
        fitting = list(rows(replace(part, samples=part.samples[:used])))
        texts = {text: row for row in reversed(fitting) if (text := decrypted(part, row)) is not None}
        if len(texts) == 1:
            break
    ((text, row),) = texts.items()  # what is proved has one text
    about = (number, _size(part), len(fitting), *_places(part, row))
    sets = tuple([(start + place, ord(letter) - ord("A")) for place, letter in enumerate(text)])
    return Step(_technique(part), tuple(ids[:used]), sets, (), about)


def _refuted(number: int, part: CipherPart, ids: Sequence[str]) -> Step | None:
    """Samples, none of them to spare, with which no row gives a text; None if one does."""
    alone = [dict.fromkeys(rows(replace(part, samples=(sample,)))) for sample in part.samples]

    def left(places: Sequence[int]) -> bool:
        some = alone[places[0]] if places else rows(replace(part, samples=()))
        return any(all(row in alone[place] for place in places) and decrypted(part, row) is not None for row in some)

    needed = list(range(len(part.samples)))
    if left(needed):
        return None
    for place in range(len(part.samples)):
        fewer = [other for other in needed if other != place]
        if not left(fewer):
            needed = fewer
    within = []
    for place in needed:
        one = next(iter(alone[place]), ())
        within.append(Step("fits", (ids[place],), about=(len(alone[place]), *_places(part, one))))
    common = set.intersection(*[set(alone[place]) for place in needed]) if needed else ()
    about = (number, _size(part), len(common))
    return Step(_technique(part), tuple([ids[place] for place in needed]), about=about, within=tuple(within))


def _places(part: CipherPart, row: Row) -> list[int]:
    return [part.entries.index(entry) for entry in row]
