"""Encrypted texts: which methods the samples leave, and the text that these give, layer by layer.

How hard a segment is follows from the class of ways that it may have been encrypted in: what is known, how many layers there are,
and whether their order or the methods themselves must be found by trying. The rows that fit the samples come from the kernel's
tables (solvers/kernels/ciphers.py); the model, against which steps are checked, knows nothing of these.

The steps of a segment: ways that a sample refutes (each method of a menu with its keys, or each order, while there are few; else
one step names the one that is left), a step for each layer but the last to be undone, with the text in between, and one that sets
the segment's letters and is named by how hard it is. What is concluded about ways and texts in between are claims of the Step.
Where several ways fit and give one text, one of them is undone in the words of the last step alone.

Sentences need voice of Words: methods are named by the library (puzzlemill/rules/ciphers.py), and undone by cipher_work.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import permutations
from math import perm

from puzzlemill.core.errors import BadRow
from puzzlemill.core.model import CIPHERS, CipherPart, CipherTable, Claim, Fact, Slots, Step
from puzzlemill.core.words import NUMBERS, Words, capital, listed, pick
from puzzlemill.rules.ciphers import METHODS, Steps, before, cipher_of, key_of, named
from puzzlemill.rules.ciphers import decrypted as undo_all
from puzzlemill.solvers.deduce.cipher_tried import Sample, rank, refuted, unfit
from puzzlemill.solvers.deduce.cipher_work import GROUP, again, shortened, signs, worked
from puzzlemill.solvers.deduce.steps import Found, tiers
from puzzlemill.solvers.kernels.ciphers import Row, decrypted, encrypted, rows

MEDIUM, HARD = 3, 5

_CHAIN = 150  # characters of the texts that a sample goes through
FEW = 24  # ways of several layers that are tried one by one in words


def deduce(table: CipherTable, ids: Sequence[str], answer: Slots | None) -> list[Step]:
    """The steps that set every segment's letters; or that end in one which concludes nothing, for a segment that nothing fits."""
    steps: list[Step] = []
    start = 0
    for number, part in enumerate(table.parts):
        last = _found(number, part) if answer is not None else _refuted(number, part)
        if last is not None:
            steps += _steps(number, part, last, ids, start, len(steps))
            if answer is None:
                break
        start += part.length
    return steps


def _steps(number: int, part: CipherPart, last: Decrypt, ids: Sequence[str], start: int, before_them: int) -> list[Step]:
    """A segment's steps, of which this finding is the last. before_them: how many steps there are already."""
    steps: list[Step] = []

    def note(
        found: Decrypt | Refute | Remains | Left | Undo,
        uses: Sequence[str],
        claims: tuple[Claim, ...],
        sets: tuple[Fact, ...] = (),
    ) -> str:
        steps.append(Step(found.technique, tuple(dict.fromkeys(uses)), sets, found=found, claims=claims))
        return f"#{before_them + len(steps)}"

    known = samples = [ids[place] for place in last.samples]  # what says which way it was
    if last.ways > 1 and (last.ways <= FEW or part.layers == 1) and last.fitting <= 1:
        refuted = _tried(number, part, last)
        if refuted:
            known = []
            for each in refuted:
                failing = [ids[sample] for _, sample, _ in each.tried if sample >= 0]
                known.append(note(each, failing, (("not", number, tuple([way for way, _, _ in each.tried])),)))
            last = replace(last, listed=True)
            if last.text:
                way = _library(last.row)
                known = [note(Remains(number, way), known, (("is", number, (way,)),))]
                last = replace(last, ways=1)
    elif last.ways > 1 and last.text and last.fitting == 1 and last.samples:
        way = _library(last.row)
        known = [note(Left(number, last.ways, last.samples, way), samples, (("is", number, (way,)),))]
        last = replace(last, listed=True)
    latest: list[str] = []
    if last.text and last.fitting == 1:
        whole, cipher = _library(last.row) * part.rounds, part.cipher
        for place in range(len(whole) - 1, 0, -1):
            text, count = _undone(whole[place], cipher), len(whole) - place
            undo = Undo(number, whole[place], cipher, text, count, len(whole), _repeats(whole, place))
            latest = [note(undo, [*known, *latest], (("before", number, count, text),))]
            cipher = text
        last = replace(last, from_=cipher)
    sets = tuple([(start + place, ord(letter) - ord("A")) for place, letter in enumerate(last.text)])
    note(last, [*known, *latest], (), sets)
    return steps


def _library(row: Row) -> Steps:
    """A row of the kernel as the library has it."""
    return tuple([_named(entry) for entry in row])


@lru_cache(maxsize=4096)
def _named(entry: tuple[int, ...]) -> tuple[str, str]:
    method = CIPHERS[entry[0]]
    return method, key_of(method, entry[1:])


def _repeats(whole: Steps, place: int) -> bool:
    """Return whether a later step is the same and of a text as long, so that how it is undone has been told."""
    step = whole[place]
    return step in whole[place + 1 :] and not (METHODS[step[0]].moves and any(method == "bacon" for method, _ in whole))


def _undone(step: tuple[str, str], cipher: str) -> str:
    text = before(step, cipher)
    if text is None:
        raise BadRow(f"a step undoes {step[0]}, which cannot have made {cipher[:40]}")
    return text


# ---- findings, and how they are worded -------------------------------------------------------------------------------------


class _Say:
    """Sentences about findings in the segments of one text."""

    def __init__(self, words: Words, table: CipherTable) -> None:
        self.parts, self.voice = table.parts, words.voice

    def segment(self, number: int) -> str:
        return f"segment {number + 1}: " if len(self.parts) > 1 else ""

    def ways(self, count: int) -> str:
        return "The way of encrypting that is stated" if count == 1 else f"Of the {count:,} ways of encrypting"

    def made(self, part: int, sample: int) -> str:
        plain, cipher = self.parts[part].samples[sample]
        return f"{plain} into {cipher}"

    def left(self, part: int, way: Steps) -> str:
        """The one way that nothing refutes, and that it fits."""
        name, rounds = named(way), self.parts[part].rounds
        if len(way) > 1:
            lead = pick(self.voice, f"so only one order is left: {name}", f"what remains is this order: {name}")
        else:
            lead = pick(self.voice, f"so only {name} is left", f"what remains is {name}", f"what is left is {name}")
        samples, texts = self.parts[part].samples, list[str]()
        for number, (plain, cipher) in enumerate(samples):
            stages = [plain]
            for each in way:
                stages.append(cipher_of((each,), stages[-1]) or "")
            if stages[-1] != cipher:
                raise BadRow(f"{name} is said to be left, but a sample refutes it")
            if len(way) > 1 or sum(map(len, stages)) > _CHAIN:
                stages = [shortened(stage) for stage in stages]
            texts.append(f"{stages[0]} into {', then '.join(stages[1:] if number == 0 else stages[-1:])}")
        if samples:
            says = "as the samples say" if len(samples) > 1 else "as the sample says"
            lead += f". {'Used once, it' if rounds > 1 else 'It'} turns {listed(texts)}, {says}"
        if rounds > 1:
            times = "twice" if rounds == 2 else f"{NUMBERS[rounds]} times"
            lead += f". The text was encrypted with it {times}, so undo it {times}"
        return lead

    def sample(self, part: int, sample: int) -> tuple[str, str]:
        """The plain text and the cipher that a way has to explain; of the wanted text only the cipher is known."""
        return self.parts[part].samples[sample] if sample >= 0 else ("the plain text", self.parts[part].cipher)


def explain(words: Words, table: CipherTable, step: Step) -> str:
    """A step as a few sentences; see the package."""
    text: str = step.found.says(_Say(words, table), step)
    return f"{capital(text)}."


Tried = tuple[
    Steps, int, str
]  # a way, the sample that refutes it (-1: the wanted cipher), and what it makes of that ("" nothing)


class Refute(Found[_Say]):
    """Ways that a sample refutes: a method with some keys, or an order of methods. kept: the method's key that fits, if any."""

    part: int
    tried: tuple[Tried, ...]
    kept: str = ""

    def says(self, say: _Say, step: Step) -> str:
        lone = len(self.tried[0][0]) == 1
        texts = [self._method(say, sample) for sample in dict.fromkeys([sample for _, sample, _ in self.tried])] if lone else []
        return say.segment(self.part) + ". ".join(texts or [self._order(say, each) for each in self.tried])

    def _method(self, say: _Say, sample: int) -> str:
        """The methods and keys that this sample refutes, for one reason."""
        here = [(way[0], made) for way, which, made in self.tried if which == sample]
        plain, cipher = say.sample(self.part, sample)
        if sample < 0:
            return capital(f"{listed([named((step,)) for step, _ in here], 'or')} cannot have made {cipher}, the text to decrypt")
        told = refuted(plain, cipher, here, say.voice, self.kept)
        others = say.parts[self.part].samples[:sample]
        fits = next((one for one, code in others if all(cipher_of((step,), one) == code for step, _ in here)), "")
        if fits:
            ways = listed([named((step,)) for step, _ in here])
            told = told.removeprefix(f"{METHODS[here[0][0][0]].says.partition(':')[0]}: ")
            told = f"{shortened(fits)} fits {ways}, but another sample does not: {told}"
        return told

    def _order(self, say: _Say, tried: Tried) -> str:
        way, sample, _ = tried
        plain, cipher = say.sample(self.part, sample)
        if sample < 0:
            return capital(f"{named(way)}, cannot have made {cipher}")
        stages, text = list[str](), plain
        for step in way:
            after = cipher_of((step,), text)
            if after is None:
                title = METHODS[step[0]].title.format(key=METHODS[step[0]].shown(step[1]))
                chain = f"{plain} becomes {', then '.join(stages)}. That" if stages else plain
                why = "it is not made of letters" if not text.isalpha() else unfit(text, METHODS[step[0]].block)
                return capital(f"not {named(way)}: {chain} cannot go through {title}, because {why}")
            stages.append(after)
            text = after
        wanted, got = signs(cipher), signs(text)
        place = _differs(got, wanted)
        wrong = (
            f"{'letter' if cipher.isalpha() else 'sign'} {place + 1} is {got[place]}, not {wanted[place]}"
            if place < min(len(got), len(wanted))
            else f"that has {len(got)} signs, not {len(wanted)}"
        )
        moved = any(METHODS[method].moves for method, _ in way)
        if not moved and place < GROUP - 1:  # first letters depend on first letters alone
            plain, cipher, *stages = [shortened(each) for each in (plain, cipher, *stages)]
        chain = " becomes ".join([plain, stages[0]]) + "".join([f", then {each}" for each in stages[1:]])
        return capital(
            pick(
                say.voice,
                f"try {named(way)}: {chain}; but the sample is {cipher}: {wrong}",
                f"{named(way)} does not fit: {chain}, while the sample has {cipher} ({wrong})",
                f"by {named(way)}, {chain}. The sample says {cipher}, so this is wrong: {wrong}",
            )
        )


class Left(Found[_Say]):
    """One of many ways fits the samples."""

    part: int
    ways: int
    samples: tuple[int, ...]
    way: Steps

    def says(self, say: _Say, step: Step) -> str:
        made = listed([say.made(self.part, sample) for sample in self.samples])
        text, stages = say.parts[self.part].samples[self.samples[0]][0], []
        for each in self.way:
            text = cipher_of((each,), text) or ""
            stages.append(text)
        plain = say.parts[self.part].samples[self.samples[0]][0]
        shows = f"{plain} becomes {', then '.join(stages)}"
        found = pick(
            say.voice,
            f"{say.ways(self.ways)}, all of which were tried, only one turns {made}: {named(self.way)}. Indeed {shows}",
            f"Trying all {self.ways:,} ways of encrypting leaves one that turns {made}, {named(self.way)}: {shows}",
            f"{named(self.way)} is the only one of the {self.ways:,} ways of encrypting that turns {made}. With it {shows}",
        )
        return f"{say.segment(self.part)}{found}"


class Remains(Found[_Say]):
    """Earlier steps have refuted every way but this one."""

    part: int
    way: Steps

    def says(self, say: _Say, step: Step) -> str:
        return say.segment(self.part) + capital(say.left(self.part, self.way))


class Undo(Found[_Say]):
    """One layer is undone; others are below it. count: layers undone with it, of so many in all. same: it has been undone before,
    and how that is done need not be told again."""

    part: int
    way: tuple[str, str]
    cipher: str
    text: str
    count: int
    layers: int
    same: bool = False

    def says(self, say: _Say, step: Step) -> str:
        name = named((self.way,))
        which, first = f"layer {self.layers - self.count + 1} of {self.layers}", self.count == 1
        lead = pick(
            say.voice,
            f"{'first' if first else 'then'} undo {name}, {which}",
            f"{which} was {name}, and is undone {'first' if first else 'next'}",
            f"undo {name}, which came {_LAST[min(self.count, 4) - 1]}",
        )
        if self.layers == say.parts[self.part].rounds:  # one method several times
            lead = _time(self.count, name, self.same)
        elif self.same:
            lead += ", in the same way as before"
        return f"{say.segment(self.part)}{capital(lead)}. {worked(self.way, self.cipher, self.text, say.voice, same=self.same)}"


def _time(count: int, name: str, same: bool) -> str:
    """How a method that was used several times is undone once."""
    nth = ("first", "second", "third")[count - 1]
    return f"undo {name} for the {nth} time{', in the same way' if same else ''}"


_LAST = ("last", "just before that", "before these two", "earlier still")


def _differs(one: Sequence[str], other: Sequence[str]) -> int:
    """The first place where two rows of signs differ; the shorter one's end if there is none."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


_LONG = 560  # characters of a step; the check of a text is left out of longer ones


class Decrypt(Found[_Say]):
    """One method, which is given.

    part: the segment. ways: rows of its class. samples: positions of those that are used. fitting: rows that fit all of them.
    row: one of those that give the text, where any does. alone: where none does, of each sample how many rows fit it alone, and
    one of these. listed: earlier steps have refuted all other ways, or all. from_: what the first layer made, if earlier steps
    have undone the others.
    """

    part: int
    ways: int
    samples: tuple[int, ...]
    fitting: int
    text: str = ""
    row: Row = ()
    alone: tuple[tuple[int, Row], ...] = ()
    listed: bool = False
    from_: str = ""

    def says(self, say: _Say, step: Step) -> str:
        return say.segment(self.part) + (self._solved(say) if self.text else self._refuted(say))

    def _solved(self, say: _Say) -> str:
        way, part, voice = _library(self.row), say.parts[self.part], say.voice
        whole = way * part.rounds
        lead = ""
        if self.from_ and len(whole) > 1:
            lead = pick(
                voice,
                f"finally undo {named(whole[:1])}, the first layer. ",
                f"layer 1 of {len(whole)} was {named(whole[:1])}. ",
                f"what is left is {named(whole[:1])}, which came first. ",
            )
            if len(way) == 1:
                lead = f"{_time(len(whole), named(way), _repeats(whole, 0))}. "
            elif _repeats(whole, 0):
                lead += "It is undone in the same way as before. "
        elif self.ways > 1:
            made = listed([say.made(self.part, sample) for sample in self.samples])
            if made:
                ways = "both" if self.ways == self.fitting == 2 else f"{self.fitting} of the {self.ways:,}"
                lead = f"{ways} ways of encrypting turn {made}, and all of them give the same text. One is {named(way)}. "
            else:
                lead = f"all {self.ways:,} ways of encrypting were tried, and they leave one text. One is {named(way)}. "
            lead = lead.replace("all of them", "they") if self.fitting == 2 else lead
        of = f" of segment {self.part + 1}" if len(say.parts) > 1 else ""
        ends = pick(voice, f"The plain text{of} is", f"So the plain text{of} is", f"Put together, the plain text{of} is")
        work, cipher = list[str](), self.from_ or part.cipher
        for place in reversed(range(1 if self.from_ else len(whole))):
            text = _undone(whole[place], cipher)
            if len(whole) > 1 and not self.from_:
                work.append(f"Undo {named(whole[place : place + 1])}{', in the same way as before' * _repeats(whole, place)}")
            last = "" if place else f"{ends} {text}"
            work.append(worked(whole[place], cipher, text, voice, last, _repeats(whole, place)))
            cipher = text
        *before, last = work[-1].rsplit(". ", 1)
        told = lead + ". ".join([*work[:-1], *before])
        check = again(whole, self.text, part.cipher, voice)
        if check and len(told) + len(check) + len(last) < _LONG:
            told += f". {check}"
        return f"{capital(told)}. {last}"

    def _refuted(self, say: _Say) -> str:
        ways, cipher = say.ways(self.ways), say.parts[self.part].cipher
        made = [say.made(self.part, sample) for sample in self.samples]
        if self.listed:
            if say.parts[self.part].layers > 1:
                fits = "neither way of encrypting fits" if self.ways == 2 else "no way of encrypting fits"
                return pick(say.voice, f"so {fits} the samples", f"with this, {fits} the samples any more")
            return pick(
                say.voice,
                "so no method fits the samples with any of its keys",
                "so no method is left, whatever its key",
                "so each method contradicts the samples, whatever its key",
            )
        if self.ways == 1:
            return self._stated(say) if made else f"{ways} cannot have made {cipher}"
        if not made:
            return f"{ways}, none can have made {cipher}"
        turn = [
            f"only {named(_library(row))} turns" if fitting == 1 else f"{fitting} turn" if fitting else "none turns"
            for fitting, row in self.alone
        ]
        tried = f"{ways}, {', and '.join([f'{way} {each}' for way, each in zip(turn, made, strict=True)])}"
        if self.fitting:
            return f"{tried}; a way that does {'this' if len(made) == 1 else 'all of this'} cannot have made {cipher}"
        return tried if len(made) == 1 else f"{tried}; no way does {'both' if len(made) == 2 else 'all of this'}"

    def _stated(self, say: _Say) -> str:
        """The one way that there is, against the samples."""
        made = [say.made(self.part, sample) for sample in self.samples]
        return f"{say.ways(1)} does not turn {' and '.join(made)}"


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


TECHNIQUES = tiers([Refute, Remains, Undo, Decrypt], [DecryptLayers], [FindOrder], [FindMethod], [Left, FindMethods], [Search])


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


def _tried(number: int, part: CipherPart, last: Decrypt) -> list[Refute]:
    """All ways but the one that fits, each with the first of the samples that refutes it; of one layer by what refutes them.

    None at all if some way fits what the steps may use: then there is nothing to list.
    """
    groups: dict[object, list[Tried]] = {}
    seen = {place: Sample(*part.samples[place]) for place in last.samples} if part.layers == 1 else {}
    right = last.row if last.text else None
    for row in permutations(part.entries, part.layers):
        if row == right:
            continue
        made = ((sample, encrypted(row, part.samples[sample][0])) for sample in last.samples)
        failing = next(((sample, text) for sample, text in made if text != part.samples[sample][1]), None)
        way = _library(row)
        if failing is None and _gives(part, way):
            return []
        sample, text = failing or (-1, "")
        alike = (sample, seen[sample].why(way[0][0]) if failing else "") if part.layers == 1 else way
        groups.setdefault(alike, []).append((way, sample, text or ""))
    fits = _library(right) if right and part.layers == 1 else ()
    keys: dict[object, str] = {(sample, method): key for method, key in fits for sample in last.samples}
    found = [Refute(number, tuple(tried), keys.get(alike, "")) for alike, tried in groups.items()]

    def order(each: Refute) -> tuple[bool, int, int]:
        way, sample, _ = each.tried[0]
        return sample < 0, sample, rank(seen[sample].why(way[0][0])) if sample >= 0 else 0

    return sorted(found, key=order) if part.layers == 1 else found


def _gives(part: CipherPart, way: Steps) -> bool:
    """Return whether a way gives a text of the right length."""
    text = undo_all(way * part.rounds, part.cipher)
    return text is not None and len(text) == part.length
