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
from puzzlemill.solvers.deduce.cipher_work import GROUP, again, shortened, signs, square_rows, worked
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
        found: Decrypt | Refute | Left | Undo, uses: Sequence[str], claims: tuple[Claim, ...], sets: tuple[Fact, ...] = ()
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
    elif last.ways > 1 and last.text and last.fitting == 1 and last.samples:
        way = _library(last.row)
        known = [note(Left(number, last.ways, last.samples, way), samples, (("is", number, (way,)),))]
        last = replace(last, listed=True)
    latest: list[str] = []
    if last.text and last.fitting == 1:
        whole, cipher = _library(last.row) * part.rounds, part.cipher
        for place in range(len(whole) - 1, 0, -1):
            text, count = _undone(whole[place], cipher), len(whole) - place
            left = _library(last.row) if last.listed and steps and count == 1 and isinstance(steps[-1].found, Refute) else ()
            undo = Undo(number, whole[place], cipher, text, count, len(whole), left)
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
        times = "twice" if rounds == 2 else f"{NUMBERS[rounds]} times"
        if len(way) > 1:
            lead = pick(self.voice, f"only one order is left: {name}", f"that leaves one order: {name}")
        else:
            lead = pick(self.voice, f"only {name} is left", f"that leaves {name}", f"{name} is the only way that is not refuted")
        if rounds > 1:
            lead += f"; it was used {times}, so undo it {times}"
        samples = self.parts[part].samples
        if not samples:
            return lead
        stages, text = list[str](), samples[0][0]
        for each in way:
            text = cipher_of((each,), text) or ""
            stages.append(text)
        rest = len(samples) - 1
        others = ", and fits the other sample too" if rest == 1 else f", and fits the other {rest} samples too" if rest else ""
        if any(cipher_of(way, plain) != cipher for plain, cipher in samples):
            raise BadRow(f"{name} is said to be left, but a sample refutes it")
        if sum(map(len, stages)) > _CHAIN:
            stages = [shortened(stage) for stage in stages]
        once = "Once, it" if rounds > 1 else "It"
        return f"{lead}. {once} turns {samples[0][0]} into {', then '.join(stages)}, as the sample says{others}"

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
    """Ways that a sample refutes: a method with some keys, or an order of methods."""

    part: int
    tried: tuple[Tried, ...]

    def says(self, say: _Say, step: Step) -> str:
        lone = len(self.tried[0][0]) == 1
        texts = [self._method(say, sample) for sample in dict.fromkeys([sample for _, sample, _ in self.tried])] if lone else []
        return say.segment(self.part) + ". ".join(texts or [self._order(say, each) for each in self.tried])

    def _method(self, say: _Say, sample: int) -> str:
        """The keys of one method that this sample refutes, with the first sign where each fails."""
        here = [(way[0], made) for way, which, made in self.tried if which == sample]
        plain, cipher = say.sample(self.part, sample)
        if sample < 0:
            return capital(
                f"{listed([named((step,)) for step, _ in here], 'or')} cannot have made {shortened(cipher)}, the text to decrypt"
            )
        kind, wanted, lone = here[0][0][0], signs(cipher), len(here) == 1
        title = METHODS[kind].title.partition(" {key}")[0].removesuffix(" by").removesuffix(" of")
        name = named((here[0][0],)) if lone else title
        if not here[0][1]:  # that depends on the text alone
            return capital(f"{name} cannot encrypt {plain}, {_unfit(plain, METHODS[kind].block)}")
        early: list[tuple[str, str]] = []
        later: dict[tuple[str, str], list[str]] = {}
        for (_, key), made in here:
            got, shown = signs(made), METHODS[kind].shown(key)
            if got[0] != wanted[0]:
                early.append((key, made))
                continue
            place = _differs(got, wanted)
            if place == min(len(wanted), len(got)):
                differ = (f"gives {len(got)} signs", str(len(wanted)))
            elif place < _SAME:
                differ = (f"begins with {_joined(got[: place + 1], cipher)}", _joined(wanted[: place + 1], cipher))
            else:
                differ = (f"has {_quoted(got[place])} as sign {place + 1}", _quoted(wanted[place]))
            later.setdefault(differ, []).append(shown)
        late = [f"{'it' if lone else _with(keys) + ' it'} {gives}, not {wants}" for (gives, wants), keys in later.items()]
        if not early:
            return capital(f"{name}, tried on {shortened(plain)}: {'; '.join(late)}")
        first = _quoted(wanted[0])
        options = _begins(kind, name, plain, early, first, lone, full=True)
        text = "; ".join([pick(say.voice, *options), *late])
        if len(text) > _LONG:
            text = "; ".join([pick(say.voice, *_begins(kind, name, plain, early, first, lone, full=False)), *late])
        return capital(text)

    def _order(self, say: _Say, tried: Tried) -> str:
        way, sample, _ = tried
        plain, cipher = say.sample(self.part, sample)
        if sample < 0:
            return capital(f"{named(way)}, cannot have made {cipher}")
        stages, text = list[str](), plain
        for step in way:
            after = cipher_of((step,), text)
            if after is None:
                cannot = METHODS[step[0]].title.format(key=METHODS[step[0]].shown(step[1]))
                return capital(f"{named(way)}: {', then '.join([plain, *stages])}, which {cannot} cannot encrypt")
            stages.append(after)
            text = after
        wanted, got = signs(cipher), signs(text)
        place = _differs(got, wanted)
        wrong = (
            f"sign {place + 1} is {got[place]}, not {wanted[place]}"
            if place < min(len(got), len(wanted))
            else f"that has {len(got)} signs, not {len(wanted)}"
        )
        moved = any(METHODS[method].moves for method, _ in way)
        if sum(map(len, stages)) > _CHAIN and not moved and place < GROUP:  # first letters depend on first letters alone
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


class Undo(Found[_Say]):
    """One layer is undone; others are below it. count: layers undone with it, of so many in all. left: earlier steps have refuted
    every way but this one."""

    part: int
    way: tuple[str, str]
    cipher: str
    text: str
    count: int
    layers: int
    left: Steps = ()

    def says(self, say: _Say, step: Step) -> str:
        name = named((self.way,))
        which, first = f"layer {self.layers - self.count + 1} of {self.layers}", self.count == 1
        lead = pick(
            say.voice,
            f"{'first' if first else 'then'} undo {name}, {which}",
            f"{which} was {name}, and is undone {'first' if first else 'next'}",
            f"undo {name}, which came {_LAST[min(self.count, 4) - 1]}",
        )
        if self.left:
            lead = f"{say.left(self.part, self.left)}. {capital(lead)}"
        return f"{say.segment(self.part)}{lead}. {worked(self.way, self.cipher, self.text, say.voice)}"


_LAST = ("last", "just before that", "before these two", "earlier still")


def _differs(one: Sequence[str], other: Sequence[str]) -> int:
    """The first place where two rows of signs differ; the shorter one's end if there is none."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


_SAME = 6  # signs that agree and are written out
_LONG = 560  # characters of a step; Playfair squares and the check of a text are left out of longer ones


def _begins(
    kind: str, name: str, plain: str, made: Sequence[tuple[str, str]], wanted: str, lone: bool, full: bool
) -> tuple[str, ...]:
    """How the cipher of a text begins by a method with some keys, each with its cipher, in several wordings.

    wanted: how it begins in truth. full: with the squares of Playfair.
    """
    short, letter, method = shortened(plain), plain[0], METHODS[kind]
    firsts: dict[str, list[str]] = {}
    for key, cipher in made:
        sign, shown = _quoted(signs(cipher)[0]), method.shown(key)
        if kind == "columnar":
            sign = f"{sign} (column {1 + min(range(len(key)), key=lambda place: (key[place], place))} of "
        elif kind == "playfair":
            sign = cipher[:2]
            shown += f" ({square_rows(key)})" if full else ""
        elif kind == "bacon":
            sign = cipher[:5]
        firsts.setdefault(sign, []).append(shown)
    if kind == "columnar":
        first = listed([f"{sign}{listed(keys, 'or')})" for sign, keys in firsts.items()], "or")
        return (
            f"{name} reads first the column whose letter in the key comes first in the alphabet. So {short} would begin with "
            f"{first}, but the sample begins with {wanted}",
            f"{name}: the column whose key letter comes first in the alphabet is read first, so the cipher of {short} would "
            f"begin with {first}, and not with {wanted}",
            f"with {name} the column of the alphabetically first key letter comes first. From {short} that is {first}, where the "
            f"sample has {wanted}",
        )
    if kind == "railfence":
        return (
            f"{name} leaves the first letter of {short}, {letter}, in front on any rails, but the sample begins with {wanted}",
            f"on any number of rails {name} begins with {letter}, the first letter of {short}, and the sample with {wanted}",
            f"{name} begins with the top rail and so with {letter}, the first letter of {short}; the sample has {wanted}",
        )
    if kind == "reversal":
        return (
            f"{name} puts the last letter of {plain}, {plain[-1]}, in front, but the sample begins with {wanted}",
            f"{name} of {plain} begins with its last letter, {plain[-1]}, and the sample with {wanted}",
            f"{name} begins with {plain[-1]}, the last letter of {plain}; the sample has {wanted}",
        )
    if kind == "trithemius":
        return (
            f"{name} leaves the first letter of {short}, {letter}, as it is, but the sample begins with {wanted}",
            f"{name} does not change the first letter, and {short} begins with {letter}, the sample with {wanted}",
            f"the first letter stays in {name}, so {short} would begin with {letter}; the sample has {wanted}",
        )
    keyed = made[0][0] and not lone
    first = listed([f"{sign} {_with(keys)}" if keyed else sign for sign, keys in firsts.items()], "or")
    what, begin = ("first pair", plain[:2]) if kind == "playfair" else ("first letter", letter)
    return (
        f"{name} would turn the {what} of {short}, {begin}, into {first}, but the sample begins with {wanted}",
        f"{name}: {begin}, the {what} of {short}, would become {first}, where the sample has {wanted}",
        f"by {name} {begin}, the {what} of {short}, becomes {first}, but the sample begins with {wanted}",
        f"take the {what} of {short}, {begin}: {name} makes it {first}, and the sample has {wanted}",
    )


def _unfit(plain: str, block: int) -> str:
    """Why a method of letters cannot encrypt a text."""
    if block > 1 and len(plain) % block:
        return f"which has {len(plain)} letters, an odd number"
    if "J" in plain or block == 1:
        return "which has a J"
    pair = next(i for i in range(0, len(plain), 2) if plain[i] == plain[i + 1])
    return f"whose letters {pair + 1} and {pair + 2} are the pair {plain[pair : pair + 2]}"


def _with(keys: Sequence[str]) -> str:
    return f"with {listed(keys, 'or')}"


def _joined(some: Sequence[str], cipher: str) -> str:
    """The first signs of a cipher as that is written."""
    return _quoted((" " if " " in cipher else "").join(some))


def _quoted(sign: str) -> str:
    """A sign of a cipher; one of Morse code in quotation marks, since it could be taken for a full stop."""
    return sign if sign.isalnum() else f'"{sign}"'


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
        elif self.listed:
            lead = f"{capital(say.left(self.part, way))}. "
        elif self.ways > 1:
            made = listed([say.made(self.part, sample) for sample in self.samples])
            fit = (
                f"{say.ways(self.ways)}, {self.fitting} turn {made}, and these"
                if made
                else f"All {self.ways:,} ways of encrypting were tried, and they"
            )
            lead = f"{fit} leave one text. One that gives it is {named(way)}. "
        of = f" of segment {self.part + 1}" if len(say.parts) > 1 else ""
        ends = pick(voice, f"The plain text{of} is", f"So the plain text{of} is", f"Read together, the plain text{of} is")
        of = f" of segment {self.part + 1}" if len(say.parts) > 1 else ""
        ends = pick(voice, f"The plain text{of} is", f"So the plain text{of} is", f"Read together, the plain text{of} is")
        work, cipher = list[str](), self.from_ or part.cipher
        for step in reversed(whole[:1] if self.from_ else whole):
            text = _undone(step, cipher)
            final = self.from_ or len(work) == len(whole) - 1
            work.append(worked(step, cipher, text, voice, f"{ends} {text}" if final else ""))
            cipher = text
        *before, last = work[-1].rsplit(". ", 1)
        told = lead + ". ".join([*work[:-1], *before])
        check = again(whole, self.text, part.cipher, voice)
        if check and len(told) + len(check) + len(last) < _LONG:
            told += f". {check}"
        return f"{told}. {last}"

    def _refuted(self, say: _Say) -> str:
        ways, cipher = say.ways(self.ways), say.parts[self.part].cipher
        made = [say.made(self.part, sample) for sample in self.samples]
        if self.listed:
            return pick(
                say.voice,
                f"all {self.ways} ways of encrypting are refuted, so none can have been used",
                f"that was the last of the {self.ways} ways of encrypting, and none of them fits",
                f"no way of encrypting is left: all {self.ways} fail",
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


TECHNIQUES = tiers([Refute, Undo, Decrypt], [DecryptLayers], [FindOrder], [FindMethod], [Left, FindMethods], [Search])


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
    """All ways but the one that fits, each with the first of the samples that refutes it, by methods where there is one layer.

    None at all if some way fits what the steps may use: then there is nothing to list.
    """
    groups: dict[object, list[Tried]] = {}
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
        groups.setdefault(way[0][0] if part.layers == 1 else way, []).append((way, sample, text or ""))
    return [Refute(number, tuple(tried)) for tried in groups.values()]


def _gives(part: CipherPart, way: Steps) -> bool:
    """Return whether a way gives a text of the right length."""
    text = undo_all(way * part.rounds, part.cipher)
    return text is not None and len(text) == part.length
