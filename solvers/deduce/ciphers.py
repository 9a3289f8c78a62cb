"""Encrypted texts: which methods the samples leave, and the text that these give. One step for each segment.

How hard a segment is follows from the class of ways that it may have been encrypted in: what is known, how many layers there are,
and whether their order or the methods themselves must be found by trying. The rows that fit the samples come from the kernel's
tables (solvers/kernels/ciphers.py); the model, against which steps are checked, knows nothing of these.

Sentences need nothing of Words: methods are named by the library (puzzlemill/rules/ciphers.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import perm

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import CIPHERS, CipherPart, CipherTable, Slots, Step
from puzzlemill.core.words import Words, capital
from puzzlemill.rules.ciphers import METHODS, Steps, before, key_of, named
from puzzlemill.solvers.deduce.steps import Found, tiers
from puzzlemill.solvers.kernels.ciphers import Row, decrypted, rows

MEDIUM, HARD = 3, 5


def deduce(table: CipherTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps that set every segment's letters; or one that concludes nothing, for a segment that nothing fits."""
    steps: list[Step] = []
    start = 0
    for number, part in enumerate(table.parts):
        found = _found(number, part) if answer is not None else _refuted(number, part)
        if found is not None:
            sets = tuple([(start + place, ord(letter) - ord("A")) for place, letter in enumerate(found.text)])
            steps.append(Step(found.technique, tuple([ids[place] for place in found.samples]), sets, found=found))
            if answer is None:
                break
        start += part.length
    return steps


# ---- findings, and how they are worded -------------------------------------------------------------------------------------


class _Say:
    """Sentences about findings in the segments of one text."""

    def __init__(self, table: CipherTable) -> None:
        self.parts = table.parts

    def steps(self, row: Row) -> Steps:
        """A row as the library has it."""
        return tuple([(CIPHERS[entry[0]], key_of(CIPHERS[entry[0]], entry[1:])) for entry in row])

    def segment(self, number: int) -> str:
        return f"segment {number + 1}" if len(self.parts) > 1 else ""

    def ways(self, count: int) -> str:
        return "The way of encrypting that is told" if count == 1 else f"Of the {count:,} ways of encrypting"

    def made(self, part: int, sample: int) -> str:
        plain, cipher = self.parts[part].samples[sample]
        return f"{plain} into {cipher}"

    def undone(self, part: int, row: Row) -> str:
        """The segment's decryption, worked out layer by layer."""
        whole, cipher = self.steps(row) * self.parts[part].rounds, self.parts[part].cipher
        layers = []
        for place in range(len(whole) - 1, -1, -1):
            method, key = whole[place]
            text = before(whole[place], cipher)
            if text is None:
                raise BadRow(f"a step undoes {method}, which cannot have made {cipher[:40]}")
            undoing = METHODS[method].undoing(key, cipher)
            if len(whole) > 1:
                order = "First" if place == len(whole) - 1 else "Finally" if not place else "Then"
                undoing = f"{order} undo {named(whole[place : place + 1])}: {undoing}"
            layers.append(f"{capital(undoing)}. {cipher} becomes {text}. ")
            cipher = text
        of = f" of {self.segment(part)}" if self.segment(part) else ""
        return f"{''.join(layers)}The plain text{of} is {cipher}"


def explain(_: Words, table: CipherTable, step: Step) -> str:
    """A step as a few sentences; see the package."""
    text: str = step.found.says(_Say(table), step)
    return f"{capital(text)}."


class Decrypt(Found[_Say]):
    """One method, which is given.

    part: the segment. ways: rows of its class. samples: positions of those that are used. fitting: rows that fit all of them.
    row: one of those that give the text, where any does. alone: where none does, of each sample how many rows fit it alone, and
    one of these.
    """

    part: int
    ways: int
    samples: tuple[int, ...]
    fitting: int
    text: str = ""
    row: Row = ()
    alone: tuple[tuple[int, Row], ...] = ()

    def says(self, say: _Say, step: Step) -> str:
        segment = say.segment(self.part)
        return (f"{segment}: " if segment else "") + (self._solved(say) if self.text else self._refuted(say))

    def _solved(self, say: _Say) -> str:
        undone, way = say.undone(self.part, self.row), named(say.steps(self.row))
        made = " and ".join([say.made(self.part, sample) for sample in self.samples])
        if self.ways == 1:
            return undone
        if made and self.fitting == 1:
            return f"{say.ways(self.ways)}, only one turns {made}: {way}. {undone}"
        left = f"All {self.ways:,} ways of encrypting were tried, and they"
        if made:
            left = f"{say.ways(self.ways)}, {self.fitting} turn {made}, and these"
        return f"{left} leave one text. One that gives it is {way}. {undone}"

    def _refuted(self, say: _Say) -> str:
        ways, cipher = say.ways(self.ways), say.parts[self.part].cipher
        made = [say.made(self.part, sample) for sample in self.samples]
        if self.ways == 1:
            return f"{ways} does not turn {' and '.join(made)}" if made else f"{ways} cannot have made {cipher}"
        if not made:
            return f"{ways}, none can have made {cipher}"
        turn = [
            f"only {named(say.steps(row))} turns" if fitting == 1 else f"{fitting} turn" if fitting else "none turns"
            for fitting, row in self.alone
        ]
        tried = f"{ways}, {', and '.join([f'{way} {each}' for way, each in zip(turn, made, strict=True)])}"
        if self.fitting:
            return f"{tried}; a way that does {'this' if len(made) == 1 else 'all of this'} cannot have made {cipher}"
        return tried if len(made) == 1 else f"{tried}; no way does {'both' if len(made) == 2 else 'all of this'}"


class DecryptLayers(Decrypt):
    """Several methods, one after the other, all of them given."""


class FindOrder(Decrypt):
    """The methods are given, their order must be found."""


class FindMethod(Decrypt):
    """One method of a menu."""


class FindMethods(Decrypt):
    """Several methods of a menu."""


class Search(Decrypt):
    """A menu without any sample: everything is tried."""


TECHNIQUES = tiers([Decrypt], [DecryptLayers], [FindOrder], [FindMethod], [FindMethods], [Search])


# ---- finding them -------------------------------------------------------------------------------------------------------


def _technique(part: CipherPart) -> type[Decrypt]:
    if part.in_order:
        return Decrypt if part.layers * part.rounds == 1 else DecryptLayers
    if not part.samples:
        return Search
    if len(part.entries) == part.layers:
        return FindOrder
    return FindMethod if part.layers == 1 else FindMethods


def _ways(part: CipherPart) -> int:
    return 1 if part.in_order else perm(len(part.entries), part.layers)


def _found(number: int, part: CipherPart) -> Decrypt:
    """The only text that the first samples leave, as few of them as that takes."""
    for used in range(0 if part.in_order else min(1, len(part.samples)), len(part.samples) + 1):
        fitting = list(rows(replace(part, samples=part.samples[:used])))
        texts = {text: row for row in reversed(fitting) if (text := decrypted(part, row)) is not None}
        if len(texts) == 1:
            break
    ((text, row),) = texts.items()  # what is proved has one text
    return _technique(part)(number, _ways(part), tuple(range(used)), len(fitting), text, row)


def _refuted(number: int, part: CipherPart) -> Decrypt | None:
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
    common = set.intersection(*[set(alone[place]) for place in needed]) if needed else ()
    each = tuple([(len(alone[place]), next(iter(alone[place]), ())) for place in needed])
    return _technique(part)(number, _ways(part), tuple(needed), len(common), alone=each)
