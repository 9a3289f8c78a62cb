"""The reasoning of a worked reply, put together from a row's trace when it is asked for; rows do not carry it.

    reasoning(row).text                     before the gold reply of the row
    reasoning(row, Options("prose")).parts  the same in pieces, each with what it is

A row speaks with one of the voices of vocabulary/voices.toml, drawn by a hash of its id: how it begins, goes on and ends, whether
it lists, tells or tabulates, how often it shows the board as it stands, how much of the answer it checks in the end. Any trace
will do, since nothing but its texts and its conclusions is read; families without slots show no board.

In some rows a wrong value is tried, followed to a contradiction and taken back. It is refuted on the deducer's own board from
what is known at that point (solvers/deduce: supposition), and no part of the trace: grades and hints do not count it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from itertools import starmap
from typing import Any

from puzzlemill.core.clues import Givens
from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.form import CellForm, GridForm
from puzzlemill.core.model import Fact, Step
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.types import AnyPuzzle, Ask, QuestionKind, Rows
from puzzlemill.core.words import capital
from puzzlemill.generators import family_named
from puzzlemill.questions import asked
from puzzlemill.questions.asks import conclusion, stepped
from puzzlemill.rules.positions_words import PlaceTable, PlaceWords
from puzzlemill.solvers.deduce import Supposition, supposition
from puzzlemill.solvers.deduce.steps import UNTOLD
from puzzlemill.vocabulary.load import record

BY_VOICE, PROCESS = "voice", "process"
LAID = ("prose", "bullets", "table")
FORMS = (BY_VOICE, *LAID, PROCESS)
MOST_TOKENS = 1_000_000
CORE = 3  # statements that may stand for a trace; nobody sees of more that they exclude each other
LONGEST = 900  # characters of a step that can still be followed
_CHARACTERS = 4  # of a token, by the usual estimate for English

Written = Callable[[int, int], str]  # of a slot and a value

# what a part of a reasoning is
OPENING, STEP, BOARD, RECAP, WRONG, BACK, CHECK, ENDING = (
    "opening",
    "step",
    "board",
    "recap",
    "wrong",
    "taken back",
    "check",
    "ending",
)

_ENDS = re.compile(r"(?:\b(?:So|shows that)|;) (?:there is no answer|no arrangement of mines fits)\.\Z")  # of a refutation
_CELL, _BOX = re.compile(r"\br\d+c\d+\b"), re.compile(r"\b[Bb]ox(?:es)? \d")
_CITED = re.compile(r"\bsteps? #?\d")  # a text that names another step needs numbers


@dataclass(frozen=True, slots=True)
class Options:
    """How reasoning is to be put.

    form: prose, bullets or table; voice leaves it to the row's voice; process where the parts of a reasoning are wanted rather
    than its text. trace_tokens: what is longer, at four characters a token, becomes a shorter proof, or is left out.
    wrong_suppositions: the share of solvable rows, in percent, in which a wrong value is tried where the family can show one.
    """

    form: str = BY_VOICE
    trace_tokens: int = 4_000
    wrong_suppositions: int = 10

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise BadParams(f"form: {self.form[:20]!r} is not known; use one of {', '.join(FORMS)}")
        if not 0 <= self.trace_tokens <= MOST_TOKENS:
            raise BadParams(f"trace_tokens: expected 0 to {MOST_TOKENS}, got {self.trace_tokens}")
        if not 0 <= self.wrong_suppositions <= 100:
            raise BadParams(f"wrong_suppositions: expected 0 to 100 percent of the rows, got {self.wrong_suppositions}")

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


DEFAULT = Options()


@dataclass(frozen=True, slots=True)
class Voice:
    """One way of speaking; voices.toml says what its fields are."""

    name: str
    form: str
    mark: str
    recap: int
    checks: int
    group: int
    bound: bool
    linked: int
    openings: tuple[str, ...]
    filling: tuple[str, ...]
    links: tuple[str, ...]
    same: tuple[str, ...]
    so: tuple[str, ...]
    recaps: tuple[str, ...]
    trying: tuple[str, ...]
    back: tuple[str, ...]
    checking: tuple[str, ...]
    endings: tuple[str, ...]
    none: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Voices:
    cells: tuple[str, ...]  # what r2c3 means
    boxes: tuple[str, ...]  # how boxes are numbered
    clash: tuple[str, ...]  # after statements that exclude each other; of two and of more
    clashes: tuple[str, ...]
    plain: tuple[str, ...]
    fronted: tuple[str, ...]
    voices: tuple[Voice, ...]


@lru_cache(maxsize=1)
def _spoken() -> _Voices:
    found: _Voices = record(_Voices, "puzzlemill.vocabulary", "voices.toml")
    return found


def voices() -> tuple[Voice, ...]:
    """All voices."""
    return _spoken().voices


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of reasoning.

    kind: opening, step, board (of the step before), recap, wrong (a value that is tried, and what would follow), taken back,
    check or ending. sets: the facts that it adds. lead: words that lead over to it, in the text of a voice.
    """

    kind: str
    text: str
    sets: tuple[Fact, ...] = ()
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What leads to a gold reply.

    cut: "" if it is whole, "short" without recaps and checks, "core" if the statements that exclude each other stand for a longer
    refutation, "none" if nothing short enough is known, "untold" if the row has no trace.
    """

    voice: str
    text: str
    parts: tuple[Part, ...]
    cut: str = ""

    @property
    def tokens(self) -> int:
        """The estimate that caps hold for."""
        return tokens(self.text)

    @property
    def tried(self) -> bool:
        """Return whether a wrong value is tried."""
        return any(part.kind == WRONG for part in self.parts)


class Tally:
    """Lengths of reasonings by family, and how many were cut, or have a wrong value that is tried."""

    def __init__(self) -> None:
        self.lengths: dict[str, list[int]] = {}
        self.cuts: dict[str, dict[str, int]] = {}

    def add(self, family: str, found: Reasoning) -> None:
        lengths, cuts = self.lengths.setdefault(family, []), self.cuts.setdefault(family, {})
        if found.text:
            lengths.append(found.tokens)
        for name in [found.cut] * bool(found.cut) + ["wrong_suppositions"] * found.tried:
            cuts[name] = cuts.get(name, 0) + 1

    def to_json(self) -> dict[str, Any]:
        """By family: replies with reasoning, quantiles of their tokens, and the counts."""
        return {family: {**quantiles(sorted(lengths)), **self.cuts[family]} for family, lengths in sorted(self.lengths.items())}


def quantiles(found: Sequence[int]) -> dict[str, int]:
    """How many lengths there are, which are sorted, and those that half of them, and 95 and 100 percent, do not exceed."""
    ends = {name: found[-(-len(found) * share // 100) - 1] for name, share in (("p50", 50), ("p95", 95), ("most", 100)) if found}
    return {"replies": len(found), **ends}


def tokens(text: str) -> int:
    """An estimate of a text's tokens: four characters each."""
    return -(-len(text) // _CHARACTERS)


def reasoning(row: Mapping[str, Any], options: Options = DEFAULT) -> Reasoning:
    """What leads to the gold reply of a row, in the row's voice; without text if nothing is known, or nothing short enough."""
    rng = stream("reasoning", row["id"])
    laid = options.form in LAID
    voice = rng.child("voice").pick([each for each in voices() if not laid or not each.bound or each.form == options.form])
    if laid:
        voice = replace(voice, form=options.form, mark=voice.mark or "- ")
    unsolvable = row["answer"] is None
    clash = _flat_all(row["proof"].get("sentences") or ())
    core = _refuted(clash, rng) if unsolvable else ""
    if not row["trace"]:
        return _clipped(Reasoning(voice.name, core, (Part(STEP, core),) * bool(core), "" if core else "untold"), options)
    if _untold(row):
        return _clipped(Reasoning(voice.name, core, (Part(STEP, core),) * bool(core), "core"), options)
    told = _Told(row, voice, rng, options)
    whole = told.whole()
    if whole.tokens <= options.trace_tokens:
        return whole
    short = told.short()
    if short.tokens <= options.trace_tokens:
        return short
    return _clipped(Reasoning(voice.name, core, (Part(STEP, core),) * bool(core), "core"), options)


def _clipped(found: Reasoning, options: Options) -> Reasoning:
    if found.text and found.tokens <= options.trace_tokens:
        return found
    return Reasoning(found.voice, "", (), "untold" if found.cut == "untold" else "none")


def _untold(row: Mapping[str, Any]) -> bool:
    """Return whether a step of the trace is too long for its sentence to tell it, or for a reader to follow that."""
    return any(step["technique"] in UNTOLD or len(step["text"]) > LONGEST for step in row["trace"])


def length(row: Mapping[str, Any], options: Options) -> tuple[int, bool]:
    """The tokens of a row's trace, without what a voice adds, and whether it is too long: its reasoning is left out for that."""
    found = tokens("\n".join([step["text"] for step in row["trace"]]))
    near = _untold(row) or 10 * found >= 9 * options.trace_tokens  # else it fits, whatever its steps are marked with
    return found, bool(found) and near and reasoning(row, replace(options, wrong_suppositions=0)).cut == "none"


def _refuted(clash: Sequence[str], rng: Rng) -> str:
    """Statements that exclude each other, as a proof that there is no solution; "" if there are none, or too many to see."""
    if len(clash) > CORE:
        return ""
    if len(clash) < 2:
        return f"{clash[0]} That cannot be, so the puzzle has no solution." if clash else ""
    ends = _spoken().clash if len(clash) == 2 else _spoken().clashes
    return f"{' '.join(clash)} {rng.child('clash').pick(ends)}"


# ---- one row -------------------------------------------------------------------------------------------------------------


class _Told:
    """The trace of one row, as a voice tells it."""

    def __init__(self, row: Mapping[str, Any], voice: Voice, rng: Rng, options: Options) -> None:
        self.row, self.voice, self.rng, self.options = row, voice, rng, options
        self.family: AnyFamily = family_named(row["family"])
        self.puzzle: AnyPuzzle = loads(puzzle_type(self.family), row["puzzle"], "puzzle")
        question = asked(self.puzzle)
        self.stored = None if row["answer"] is None else loads(question.answer_type(self.family), row["answer"], "answer")
        self.answer = question.shown(self.stored)
        self.steps = [_step(each) for each in row["trace"]]
        words = self.family.words(self.puzzle)
        nouns: list[str] = []
        if isinstance(words, PlaceWords):
            names = [words.name(x) for x in range(sum(map(len, self.puzzle.style.names)))]
            nouns = [capital(noun.split(" ", 1)[0]) for noun in (words.place, words.places, *names) if noun[0].islower()]
        self._lower = frozenset([*_spoken().plain, *_spoken().fronted, *nouns])  # words that lose their capital within a sentence
        texts = [each["text"].partition("\n") for each in row["trace"]]
        self.texts = _flat_all([text for text, _, _ in texts])
        self.boards = [board for _, _, board in texts]  # that a step draws, and what it says of it
        self.one_step = self.puzzle.question.ask is Ask.STEP
        if self.one_step:  # what comes after the step that is asked for is not needed
            end = 1 + next(i for i, step in enumerate(self.steps) if stepped(self.family, self.puzzle, self.answer) in step.sets)
            self.steps, self.texts = self.steps[:end], self.texts[:end]
        if self.puzzle.question.kind is QuestionKind.LEAST:  # steps of several sentences: each has a paragraph
            self.voice = voice = replace(voice, group=1)
        self.cited = any(_CITED.search(text) for text in self.texts)
        if self.cited:  # a text that names another step needs a number before each
            self.voice = voice = replace(voice, form="bullets" if voice.form == "prose" else voice.form)
            if "{n}" not in voice.mark:
                self.voice = replace(self.voice, mark="{n}. ")
        if row["answer"] is None:
            ended = _ENDS.sub("", self.texts[-1]).rstrip(" ,")
            self.texts[-1] = ended if ended.endswith(".") else f"{ended}."

    def whole(self) -> Reasoning:
        parts = list(self._parts())
        return Reasoning(self.voice.name, _Layout(self.voice, self._lower, self._written()).laid(parts), tuple(parts))

    def short(self) -> Reasoning:
        """The steps alone, as a list."""
        parts: list[Part] = []
        for number, (step, text) in enumerate(zip(self.steps, self.texts, strict=True)):
            parts += [Part(STEP, text, step.sets), *self._drawn(number)]
        parts.append(self._ending())
        voice = replace(self.voice, form="bullets", mark=self.voice.mark if "{n}" in self.voice.mark else "{n}. ")
        return Reasoning(self.voice.name, _Layout(voice, self._lower).laid(parts), tuple(parts), "short")

    def _parts(self) -> Iterator[Part]:
        voice = self.voice
        board = _Standing(self.family, self.puzzle, self.answer)
        opening = self._opening(board.drawable)
        if opening:
            yield Part(OPENING, opening)
        tried = self._tried()
        left_out = self._needless(tried)
        since = told = 0  # steps and characters since the board was shown
        lead = ""
        for number, (step, text) in enumerate(zip(self.steps, self.texts, strict=True)):
            if tried is not None and tried.after == number:
                yield from self._trial(tried)
                board.add(tried.step.sets)
            if number in left_out:
                continue
            lead = self._lead(number, since > 0, lead)
            yield Part(STEP, text, step.sets, lead)
            yield from self._drawn(number)
            board.add(step.sets)
            since, told = since + 1, told + len(text)
            if since >= voice.recap and number + 3 < len(self.steps):
                drawn, sign = board.drawn()
                if drawn and told > 2 * len(drawn):  # no more than a third of the text is boards
                    say = self.rng.child("recap", number).pick(voice.recaps)
                    yield Part(RECAP, f"{say.replace('{open}', sign)}\n{drawn}")
                    since = told = 0
        if self.row["answer"] is not None and not self.one_step:
            checks = self._checks()
            if checks:
                yield Part(CHECK, "\n".join([self.rng.child("checking").pick(voice.checking), *checks]))
        yield self._ending()

    def _drawn(self, number: int) -> list[Part]:
        """The board that this step draws."""
        return [Part(BOARD, self.boards[number])] if self.boards[number] else []

    def _opening(self, places: bool) -> str:
        """How the voice begins more than one step, and the meaning of the names of cells and boxes.

        places: places are to be filled.
        """
        spoken = _spoken()
        begins = self.rng.child("opening").pick([*self.voice.openings, *(self.voice.filling if places else ())])
        meant = [
            self.rng.child(name).pick(says)
            for name, says, named in (("cells", spoken.cells, _CELL), ("boxes", spoken.boxes, _BOX))
            if any(named.search(text) for text in self.texts)
        ]
        if len(self.steps) == 1:
            return " ".join(meant)
        return " ".join([*meant, begins] if begins.endswith(":") else [begins, *meant])

    def _lead(self, number: int, follows: bool, last: str) -> str:
        """Words that lead over to a step, in some cases, that fit it: what it says, and how it goes on from the step before.

        follows: the step before stands just before it. last: the words before that one, which are not used twice in a row.
        """
        voice, rng, text = self.voice, self.rng.child("link", number), self.texts[number]
        first = text.split(" ", 1)[0]
        fronted = first in _spoken().fronted
        plain = fronted or first in self._lower or text[0].islower()
        if not number or not plain or self.boards[number] or not rng.chance(voice.linked, 100):
            return ""
        words = list(voice.links)
        if follows and f"#{number}" in self.steps[number].uses:
            words += voice.so
        elif follows and self.steps[number].technique == self.steps[number - 1].technique:
            words += voice.same
        fitting = [each for each in words if each != last and not (fronted and each.endswith(", "))]
        return rng.pick(fitting) if fitting else ""

    def _tried(self) -> Supposition | None:
        """A wrong value that is tried, in some solvable rows."""
        rng = self.rng.child("supposition")
        if self.row["answer"] is None or not rng.chance(self.options.wrong_suppositions, 100):
            return None
        return supposition(self.family, self.puzzle, self.steps, rng)

    def _needless(self, tried: Supposition | None) -> frozenset[int]:
        """The steps that a reply leaves out beside what is tried: what this has shown already, and what only that leans on."""
        if tried is None or self.cited:
            return frozenset()
        shown = (tried.step.sets, tried.step.drops)
        wanted = {*tried.step.uses}
        needless = set[int]()
        for number in range(len(self.steps) - 1, -1, -1):
            step = self.steps[number]
            again = number >= tried.after and (step.sets, step.drops) == shown
            unused = step.drops and not step.sets and f"#{number + 1}" not in wanted
            if again or (needless and unused):
                needless.add(number)
            else:
                wanted.update(step.uses)
        return frozenset(needless)

    def _trial(self, tried: Supposition) -> Iterator[Part]:
        rng = self.rng.child("trial")
        yield Part(WRONG, rng.pick(self.voice.trying).replace("{fact}", self._inner(tried.fact)))
        for text in tried.story:
            yield Part(WRONG, _ENDS.sub("", text).rstrip())
        yield Part(BACK, rng.pick(self.voice.back).replace("{not}", self._inner(tried.back)), tried.step.sets)

    def _inner(self, text: str) -> str:
        return _small(text, self._lower).removesuffix(".")

    def _checks(self) -> list[str]:
        """Some of what the family says about its answer, in its order."""
        every = self.family.checks(self.puzzle, self.answer)
        if len(every) <= self.voice.checks:
            return every
        kept = sorted(self.rng.child("checks").sample(range(len(every)), self.voice.checks))
        return [every[i] for i in kept]

    def _ending(self) -> Part:
        """What leads over to the answer, or says in the words of the prompt that there is none."""
        ending = self.rng.child("ending").pick(self.voice.none if self.answer is None else self.voice.endings)
        said = "" if self.answer is None else conclusion(self.family, self.puzzle, self.stored)
        return Part(ENDING, f"{said} {ending}" if said else ending)

    def _written(self) -> Written | None:
        """How a fact is written in a table, "row 2 column 3 = 5"; None for answers that are no board of cells."""
        form = self.family.form
        if not isinstance(form, GridForm):
            return None
        cols, tokens = form.board(self.puzzle.spec)[1], form.written(self.puzzle)
        return lambda slot, value: f"row {slot // cols + 1} column {slot % cols + 1} = {tokens[value]}"


def _step(raw: Mapping[str, Any]) -> Step:
    said = json.loads(raw["conclusion"])
    sets, drops = [tuple([(slot, value) for slot, value in said[name]]) for name in ("sets", "drops")]
    return Step(raw["technique"], tuple(raw["uses"]), sets, drops)


def _small(text: str, lower: Collection[str]) -> str:
    """A sentence within another: without the capital of a word that is no name."""
    return text[:1].lower() + text[1:] if text.split(" ", 1)[0] in lower else text


def _flat_all(texts: Sequence[str]) -> list[str]:
    """Each text on one line."""
    return [" ".join(text.split()) for text in texts]


# ---- the board as it stands ------------------------------------------------------------------------------------------------


class _Standing:
    """What is known at a point of a trace."""

    def __init__(self, family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None) -> None:
        self.family, self.puzzle = family, puzzle
        self.sizes = family.form.slots(puzzle.spec, puzzle.board)
        self.known: dict[int, int] = {}
        self.shown = 0  # facts when it was drawn last
        if self.sizes:
            self.known.update(_given(family, puzzle, answer))

    @property
    def drawable(self) -> bool:
        """Return whether there are places to fill, each of which is a place of the answer."""
        if min(self.sizes, default=0) < 2 or not isinstance(self.family.form, CellForm | PlaceTable):
            return False
        first, last = self._rows(0), self._rows(1)
        return [len(row) for row in first] == [len(row) for row in last]  # else its length says something, as of a set of names

    def add(self, sets: Sequence[Fact]) -> None:
        self.known.update([fact for fact in sets if fact[0] < len(self.sizes)])  # steps may speak of further slots

    def _rows(self, other: int) -> Rows:
        """The rows of an answer that has what is known; its other slots hold their first value (0) or their last (1)."""
        values = [self.known.get(slot, other * (size - 1)) for slot, size in enumerate(self.sizes)]
        form = self.family.form
        return form.write(self.puzzle, form.assemble(self.puzzle.spec, self.puzzle.board, tuple(values)))

    def drawn(self) -> tuple[str, str]:
        """The rows of what is known, and the sign of what is open; ("", "") if there is nothing new to show."""
        if len(self.known) <= self.shown or len(self.known) == len(self.sizes) or not self.drawable:
            return "", ""
        first, last = self._rows(0), self._rows(1)
        self.shown = len(self.known)
        layout = self.family.form.layout(self.puzzle)
        taken = {token for column in layout.columns for token in column.tokens}
        sign = next(sign for sign in (".", "?", "_", "~") if sign not in taken)
        rows = [[a if a == b else sign for a, b in zip(*both, strict=True)] for both in zip(first, last, strict=True)]
        if layout.text:
            return "\n".join(["".join(row) for row in rows]), sign
        if not layout.grid:
            rows.insert(0, [column.name for column in layout.columns])
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        between = " " if layout.grid else " | "
        return "\n".join([between.join(map(str.ljust, row, widths)).rstrip() for row in rows]), sign


def _given(family: AnyFamily, puzzle: AnyPuzzle, answer: Any | None) -> dict[int, int]:
    """The facts that clues give outright; without an answer those that are values themselves."""
    slots = family.clues.given_slots(puzzle)
    if answer is not None:
        values = family.form.values(puzzle.spec, puzzle.board, answer)
    elif isinstance(family.clues, Givens):
        values = tuple(family.clues.shown(puzzle))
    else:
        return {}
    return {slot: values[slot] for slot in slots}


# ---- the text --------------------------------------------------------------------------------------------------------------


class _Layout:
    """The parts of a reasoning as a text."""

    def __init__(self, voice: Voice, lower: Collection[str], written: Written | None = None) -> None:
        self.voice, self.lower, self.written = voice, lower, written
        self.number = 0

    def laid(self, parts: Sequence[Part]) -> str:
        """Blocks with an empty line between them."""
        blocks: list[str] = []
        run: list[Part] = []  # steps, and what is tried, in their order
        alone = sum([part.kind == STEP for part in parts]) == 1
        for part in parts:
            if part.kind in (STEP, WRONG, BACK):
                run.append(part)
                continue
            blocks += self._steps(run, alone)
            run = []
            blocks.append(self._check(part.text.split("\n")) if part.kind == CHECK else part.text)
        return "\n\n".join([*blocks, *self._steps(run, alone)])

    def _steps(self, run: Sequence[Part], alone: bool) -> list[str]:
        if alone or not run:
            return [part.text for part in run]
        if self.voice.form == "table":
            return [self._table(run)]
        if self.voice.form == "bullets":
            return ["\n".join(self._listed(run))]
        paragraphs: list[list[str]] = []
        before = ""
        for kind, text in self._sentences(run):
            if kind != STEP or before != STEP or len(paragraphs[-1]) == self.voice.group:
                paragraphs.append([])
            paragraphs[-1].append(text)
            before = kind
        return [" ".join(paragraph) for paragraph in paragraphs]

    def _listed(self, run: Sequence[Part]) -> Iterator[str]:
        """A line for each step, and one for all of what is tried."""
        for kind, text in self._sentences(run):
            self.number += kind == STEP
            yield f"{self.voice.mark.replace('{n}', str(self.number))}{text}" if kind == STEP else text

    def _sentences(self, run: Sequence[Part]) -> Iterator[tuple[str, str]]:
        """Each step, and all of what is tried as one text; in a list on lines of its own."""
        between = "\n  " if self.voice.form == "bullets" else " "
        trial: list[str] = []
        for part in run:
            if part.kind == STEP:
                yield STEP, self._linked(part)
                continue
            trial.append(part.text)
            if part.kind == BACK:
                yield BACK, between.join(trial)
                trial = []

    def _linked(self, part: Part) -> str:
        return part.lead + _small(part.text, self.lower) if part.lead else part.text

    def _table(self, run: Sequence[Part]) -> str:
        written = self.written if any(part.sets for part in run) else None
        rows = [["step", "reason", "found"] if written else ["step", "reason"]]
        rows.append(["---"] * len(rows[0]))
        for part in run:
            self.number += part.kind == STEP
            row = [str(self.number) if part.kind == STEP else "", part.text.replace("|", "\\|")]
            rows.append([*row, "; ".join(starmap(written, part.sets))] if written else row)
        return "\n".join(["| " + " | ".join(row) + " |" for row in rows])

    def _check(self, lines: Sequence[str]) -> str:
        if self.voice.form == "prose":
            return " ".join(lines)
        return "\n".join([lines[0], *[f"- {line}" for line in lines[1:]]])
