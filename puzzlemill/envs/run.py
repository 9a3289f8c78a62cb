"""A model's replies to the rows of a release, asked of an endpoint and written as a file that `puzzlemill score` reads.

One line per finished (row, sample), appended as soon as it is there, so that nothing that was paid for is lost: a run that was
killed goes on where it stopped, a line that was being written is cut off, and a pair that is in the file is never asked again.
Beside FILE stand FILE.run.json (what was asked and how; a run that would ask in another way is refused) and, while there are
any, FILE.errors.jsonl (pairs that got no reply; the next run asks them again) and FILE.calls.jsonl (calls of unfinished chains).
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any

from puzzlemill.core.errors import BadFile, BadParams, Discarded
from puzzlemill.core.rng import stream
from puzzlemill.envs.calls import Call, Calls, encoded, repair
from puzzlemill.envs.endpoint import (
    Address,
    CallError,
    Completion,
    Endpoint,
    Message,
    Refused,
    Sleep,
    budget_fields,
    conversation,
    merged,
    named_model,
    within,
)
from puzzlemill.envs.fewshot import Examples
from puzzlemill.envs.forms import TEXT, WORDS, Forms, response_format
from puzzlemill.envs.judging import is_judged
from puzzlemill.envs.mitigations import PLAIN, Mitigation, named, program_of
from puzzlemill.envs.players import NODES, PLAYERS, OtherGame, played
from puzzlemill.envs.turns import episode, known_turns
from puzzlemill.factory.files import append, locked, read_json, whole
from puzzlemill.factory.read import Release, batches
from puzzlemill.factory.recipe import split_order
from puzzlemill.questions import is_dialogue
from puzzlemill.questions.asks import layout_of
from puzzlemill.scoring.judging import NO, REASONING, said
from puzzlemill.scoring.moves import move_forms
from puzzlemill.scoring.parse import read_reply
from puzzlemill.scoring.prompt import gold_reply, instructions, spelled
from puzzlemill.scoring.replies import MAX_LINE, MAX_SAMPLE, Replies
from puzzlemill.scoring.score import COLUMNS, Prepared, correction, prepared

GIVE_UP = 20  # errors in a row after which a run stops
ANSWER_TOKENS = 2048  # room for an answer after the thinking
EFFORTS = ("minimal", "low", "medium", "high")
_HOPELESS = frozenset({401, 404})  # a wrong key, address or model: no other call would do better
_FORMAT = 1
_ROW = (*COLUMNS, "prompt", "reply_schema")
_MOST_SETTINGS = 1 << 22  # bytes of a .run.json
_NO_CHAIN = (
    "--mitigation: row {row} is a dialogue, and a mitigation asks for single replies; name another family than {family} with "
    "--family (one after the other may go into one file), or leave out --mitigation"
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The way in which a row is asked; a file holds replies of one of these only. None and "": left to the endpoint, or not done.

    turns: of rows that are no dialogues themselves. seed: of sample 0; sample k is asked with seed + k.
    budget: tokens of thinking, stated in the server's way (endpoint.SERVERS).
    answer_call: "cut" asks once more for the answer alone where a reply was cut off, "always" asks so every time.
    extra: fields of every request, joined last; null removes one. mitigation: of envs/mitigations.toml.
    """

    model: str
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    reasoning_effort: str = ""
    reasoning_budget: int | None = None
    server: str = "vllm"
    turns: int = 1
    answer_call: str = ""
    system: str = ""
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    mitigation: str = PLAIN

    def checked(self) -> Settings:
        """Return the settings themselves. Raises BadParams."""
        named_model(self.model)
        known_turns(self.turns)
        within("--max-tokens", self.max_tokens, 1, 1 << 31)
        within("--temperature", self.temperature, 0, 10)
        within("--top-p", self.top_p, 0, 1)
        within("--seed", self.seed, 0, 1 << 31)
        within("--reasoning-budget", self.reasoning_budget, 0, 1 << 31)
        if self.reasoning_effort and self.reasoning_effort not in EFFORTS:
            raise BadParams(f"--reasoning-effort: expected one of {', '.join(EFFORTS)}, got {self.reasoning_effort[:40]!r}")
        if self.answer_call not in ("", "cut", "always"):
            raise BadParams(f"--answer-call: expected cut or always, got {self.answer_call[:40]!r}")
        budget_fields(0, self.server)
        if self.mitigation != PLAIN and self.turns != 1:
            raise BadParams("--mitigation: takes single replies, and --turns asks for several; leave one of them out")
        if named(self.mitigation).program and self.answer_call:
            raise BadParams("--mitigation: a program is asked for, and --answer-call asks for the answer; leave one of them out")
        if (named(self.mitigation).verdicts or named(self.mitigation).again) and self.answer_call:
            raise BadParams("--mitigation: a verdict is asked for, and --answer-call asks for the answer; leave one of them out")
        return self

    def written(self) -> dict[str, Any]:
        """The settings as FILE.run.json has them."""
        plain = asdict(self)
        name = plain.pop("mitigation")
        return plain if name == PLAIN else plain | {"mitigation": name, "mitigation_texts": named(name).checksum}

    def body(self, messages: Sequence[Message], sample: int) -> dict[str, Any]:
        """The request for a reply."""
        most = self.max_tokens
        if most is None and self.answer_call and self.reasoning_budget is not None:
            most = self.reasoning_budget + ANSWER_TOKENS  # a server that knows no budget is cut there
        thinking = {} if self.reasoning_budget is None else budget_fields(self.reasoning_budget, self.server)
        return self._body(messages, sample, most, self.reasoning_effort, thinking)

    def answer_body(self, messages: Sequence[Message], sample: int, form: str, schema: Mapping[str, Any]) -> dict[str, Any]:
        """The request for the answer alone, without further thinking where that can be said. form: of envs/forms.py."""
        thinking = {} if self.reasoning_budget is None else budget_fields(0, self.server)
        more = thinking | {"response_format": response_format(form, schema)}
        return self._body(messages, sample, ANSWER_TOKENS, "low" if self.reasoning_effort else "", more)

    def _body(
        self, messages: Sequence[Message], sample: int, most: int | None, effort: str, more: Mapping[str, Any]
    ) -> dict[str, Any]:
        body = {
            "model": self.model,
            "messages": list(messages),
            "max_tokens": most,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "seed": None if self.seed is None else self.seed + sample,
            "reasoning_effort": effort or None,
            **more,
        }
        return merged(merged(body, {}), self.extra_body)


@dataclass(frozen=True, slots=True)
class Choice:
    """The rows that are asked, and how often each.

    split, family: "" for all. limit: groups of each family and split, 0 for all.
    """

    samples: int = 1
    split: str = "test"
    family: str = ""
    limit: int = 0

    def checked(self) -> Choice:
        within("--samples", self.samples, 1, MAX_SAMPLE)
        if self.limit < 0:
            raise BadParams(f"--limit: expected a number of groups, got {self.limit}")
        return self


@dataclass(slots=True)
class Done:
    """The result of a run. wanted: pairs of row and sample; before: those that were in the file; now: asked by this run.

    errors: pairs without a reply. stopped: why the run ended before all were asked, "" if it did not. last: the last error.
    calls, usage: completions and their tokens by kind, of this run. passed_over: pairs that a player does not know how to play,
    which are not wanted of it; why: the reason.
    """

    wanted: int
    before: int
    now: int = 0
    errors: int = 0
    passed_over: int = 0
    why: str = ""
    stopped: str = ""
    last: str = ""
    calls: int = 0
    usage: dict[str, int] = field(default_factory=dict)

    @property
    def missing(self) -> int:
        return self.wanted - self.before - self.now


def run(
    release: Release,
    out: Path,
    settings: Settings,
    choice: Choice,
    address: Address,
    *,
    prompts: Mapping[str, str] | None = None,
    examples: Examples | None = None,
    concurrency: int = 8,
    clock: Callable[[], float],
    sleep: Sleep = asyncio.sleep,
    progress: Callable[[Done], None] | None = None,
) -> Done:
    """Ask for every reply that the file does not hold. clock: seconds, from any start. progress: called after every pair.

    prompts: by row id; these rows only are asked, and with these in the place of their own (authors.prompts_of).
    examples: what stands before the prompts.

    Raises BadInput for what cannot be used; what the endpoint does wrong is counted instead.
    """
    settings.checked()
    choice.checked()
    within("--concurrency", concurrency, 1, 1000)
    endpoint = Endpoint(address, concurrency, sleep)
    written = json.dumps([asdict(settings), address.url], ensure_ascii=False)
    if endpoint.clean(written) != written:
        raise BadParams("the API key stands in the settings or in --base-url, which are written to a file; leave it out of them")
    mitigation = named(settings.mitigation)
    known, chosen = _chosen(release, choice, only=prompts, single=bool(mitigation.steps))
    _fitting(release, settings, mitigation, examples)
    header, steps = _header(release, settings, prompts, examples), [step.name for step in mitigation.steps]
    with _File(out, header, address.url.rstrip("/"), known, steps) as file:
        waiting, done = file.missing(chosen, choice.samples)
        show = progress or (lambda _: None)
        show(done)
        if done.missing:
            pairs = _rows(release, waiting, prompts or {}, examples)
            asyncio.run(_Runner(pairs, settings, endpoint, file, done, clock, show).all(concurrency))
        return done


def play(
    release: Release,
    out: Path,
    player: str,
    choice: Choice,
    *,
    seed: int = 0,
    nodes: int = NODES,
    clock: Callable[[], float],
    progress: Callable[[Done], None] | None = None,
) -> Done:
    """The same for a player of envs/players.py in place of a model, and for rows that are dialogues. No endpoint is asked.

    seed: of the random player. nodes: that a search may expand for one task; a task that needs more is an error.
    Dialogues of a sort that the player does not know are passed over and counted; BadParams if there are no others.
    """
    choice.checked()
    settings = Settings(f"{player} player", seed=seed).checked()
    if player not in PLAYERS:
        raise BadParams(f"--player: expected one of {', '.join(PLAYERS)}, got {player[:40]!r}")
    known, chosen = _chosen(release, choice, dialogues=True)
    with _File(out, _header(release, settings), f"player:{player}", known) as file:
        waiting, done = file.missing(chosen, choice.samples)
        show = progress or (lambda _: None)
        show(done)
        for row, sample in _rows(release, waiting, {}):
            begun = clock()
            line: dict[str, Any] = {"id": row["id"], "sample": sample}
            try:
                rng = stream("player", player, seed, row["id"], sample)
                turns = [{"reply": message, "told": turn.text} for message, turn in played(row, player, rng, nodes)]
            except OtherGame as other:
                done.passed_over, done.wanted, done.why = done.passed_over + 1, done.wanted - 1, str(other)
            except Discarded as why:
                done.errors, done.last = done.errors + 1, f"row {row['id']}: {why}"
                file.fail(line | {"error": str(why), "retries": 0})
            else:
                line |= {"reply": turns[-1]["reply"], "usage": {}, "retries": 0, "turns": turns}
                file.write(line | {"seconds": round(max(0.0, clock() - begun), 3)})
                done.now += 1
            show(done)
        if not done.wanted:
            raise BadParams(done.why)
        return done


# ---- rows -----------------------------------------------------------------------------------------------------------


def _chosen(
    release: Release, choice: Choice, dialogues: bool = False, only: Collection[str] | None = None, single: bool = False
) -> tuple[set[str], list[str]]:
    """The ids of all rows, and of those to ask in their order.

    dialogues: take no others. only: ids to choose from, None: all. single: refuse dialogues among those that are chosen.
    """
    known: set[str] = set()
    chosen: list[str] = []
    groups: dict[tuple[str, str], set[str]] = {}
    places = set()
    for path in release.data_files():
        for batch in batches(release.folder / path, ("id", "split", "family", "group_id", "question")):
            for row in batch:
                known.add(row["id"])
                if (dialogues and not is_dialogue(row["question"])) or (only is not None and row["id"] not in only):
                    continue
                places.add((row["split"], row["family"]))
                if choice.split in ("", row["split"]) and choice.family in ("", row["family"]):
                    some = groups.setdefault((row["family"], row["split"]), set())
                    if not choice.limit or row["group_id"] in some or len(some) < choice.limit:
                        some.add(row["group_id"])
                        chosen.append(row["id"])
                        if single and is_dialogue(row["question"]):
                            raise BadParams(_NO_CHAIN.format(row=row["id"], family=row["family"]))
    if not chosen:
        there = ", ".join(f"{family} {split}" for split, family in sorted(places))
        what = "dialogues" if dialogues else "rows"
        others = sorted({split for split, family in places if choice.family in ("", family)}, key=split_order)
        remedy = f"; give --split {others[0]}{', or all' if others[1:] else ''}" if others and choice.split not in others else ""
        asked = f"split {choice.split or 'all'}{f', family {choice.family}' if choice.family else ''}"
        raise BadParams(f"--split, --family: {release.folder} has no such {what} ({asked}); it has {there or 'none'}{remedy}")
    return known, chosen


def _fitting(release: Release, settings: Settings, mitigation: Mitigation, examples: Examples | None) -> None:
    """Raise BadParams for ways of asking that do not go with rows of this sort: puzzles, or judgements."""
    judged = is_judged(release)
    if judged and (settings.turns != 1 or settings.answer_call or examples is not None):
        raise BadParams("--turns, --answer-call, --few-shot: rows that ask for judgements take one reply each; leave it out")
    if judged is not mitigation.again and (judged or mitigation.again) and mitigation.steps:
        which = "rows that ask for judgements take judge-again" if judged else "judge-again is for rows of `export --to judging`"
        raise BadParams(f"--mitigation: {which}; name another one")


def _rows(
    release: Release, waiting: Mapping[str, Sequence[int]], prompts: Mapping[str, str], examples: Examples | None = None
) -> Iterator[tuple[dict[str, Any], int]]:
    """Every row and sample to ask; the samples of a row one after the other, so that servers can share their prompt.

    prompts: by row id, in the place of the rows' own. examples: what stands before them.
    """
    for path in release.data_files():
        for batch in batches(release.folder / path, _ROW):
            for row in batch:
                row["prompt"] = prompts.get(row["id"], row["prompt"])
                if examples is not None and waiting.get(row["id"]):
                    row["prompt"] = examples.prompt(row)
                for sample in waiting.get(row["id"], ()):
                    yield row, sample


# ---- the file -------------------------------------------------------------------------------------------------------


def _header(
    release: Release, settings: Settings, prompts: Mapping[str, str] | None = None, examples: Examples | None = None
) -> dict[str, Any]:
    files = sorted((path, entry.sha256) for path, entry in release.files.items() if path.endswith(".parquet"))
    books = {"books": sha256(json.dumps(sorted(prompts.items())).encode()).hexdigest()} if prompts else {}
    few = {} if examples is None else examples.settings()
    return {
        "format": _FORMAT,
        "release": str(release.manifest.get("release", "")),
        "data": sha256(json.dumps(files).encode()).hexdigest(),
        "settings": settings.written() | books | few,
    }


def companion(out: Path, ending: str) -> Path:
    """FILE.run.json, FILE.errors.jsonl and FILE.calls.jsonl of FILE."""
    return out.with_name(out.name + ending)


def read_settings(out: Path) -> dict[str, Any] | None:
    """The content of FILE.run.json; None if there is none. Raises BadFile."""
    path = companion(out, ".run.json")
    try:
        found = read_json(path, _MOST_SETTINGS)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror})") from None
    if type(found) is not dict or type(found.get("settings")) is not dict:
        raise BadFile(f"{path}: these are no settings of a run; restore the file, or write replies to another one")
    return found


class _File:
    """The reply file, locked, repaired and read. held: id -> samples that it has replies of. steps: of a chain, for its calls."""

    def __init__(self, out: Path, header: dict[str, Any], url: str, known: set[str], steps: Sequence[str] = ()) -> None:
        self.out, self.header, self.url, self.known = out, header, url, known
        self.held: dict[str, set[int]] = {}
        self.calls = Calls(companion(out, ".calls.jsonl"), steps) if steps else None
        self._open = ExitStack()

    def __enter__(self) -> _File:
        try:
            self.out.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._open.enter_context(self.out.open("ab+", buffering=0))
            with self._open:
                if not locked(self._file):
                    raise BadFile(f"--out: {self.out} is being written by another run; wait for it, or name another file")
                self._settle()
                repair(self._file)
                replies = Replies(self.out, self.known)
                self.held = {name: set(replies.samples_of(name)) for name in replies}
                if self.calls is not None:
                    self.calls.open(self.known, lambda name, sample: sample in self.held.get(name, ()))
                    self._open.callback(self.calls.close)
                companion(self.out, ".errors.jsonl").unlink(missing_ok=True)
                self._open = self._open.pop_all()
        except OSError as error:
            raise BadFile(f"--out: {self.out} cannot be written ({error.strerror or error})") from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None, /) -> None:
        self._open.close()

    def _settle(self) -> None:
        """Compare the settings with those that the file was written with, or write them next to it."""
        path = companion(self.out, ".run.json")
        old = read_settings(self.out)
        if old is None:
            calls = companion(self.out, ".calls.jsonl")
            if self._file.seek(0, os.SEEK_END) or (calls.exists() and calls.stat().st_size):
                raise BadFile(f"--out: {self.out} holds replies, but no {path.name} tells how they were asked; name another file")
            old = {**self.header, "endpoints": []}
        for name in ("format", "data"):
            if old.get(name) != self.header[name]:
                what = "another release" if name == "data" else "another version of this program"
                raise BadFile(f"--out: {self.out} holds replies for {what}; name another file")
        mine = json.loads(json.dumps(self.header["settings"]))
        for name in sorted({*mine, *old["settings"]}):
            then, now = old["settings"].get(name), mine.get(name)
            if then != now:
                difference = f"{_short(then)}, now {_short(now)}"
                flag = f"--{name.replace('_', '-')}"
                raise BadFile(
                    f"--out: {self.out} holds replies asked with {flag} {difference}; ask in the same way, or name another file"
                )
        places = old.get("endpoints")
        places = places if type(places) is list else []
        if self.url not in places:
            text = json.dumps({**old, "endpoints": [*places, self.url]}, indent=1, ensure_ascii=True)
            with whole(path) as aside:
                aside.write_text(text + "\n", encoding="utf-8")

    def missing(self, chosen: Sequence[str], samples: int) -> tuple[dict[str, list[int]], Done]:
        """The samples that the file lacks, by row, and how far a run is that asks for them."""
        waiting = {name: [k for k in range(samples) if k not in self.held.get(name, ())] for name in chosen}
        wanted = len(chosen) * samples
        return waiting, Done(wanted, wanted - sum(map(len, waiting.values())))

    def write(self, line: Mapping[str, Any]) -> None:
        """Append a line. Raises Refused for one that nobody could read back, BadFile where the file cannot be written."""
        data = encoded(line, MAX_LINE)
        with self._writing():
            append(self._file, data)
        self.held.setdefault(line["id"], set()).add(line["sample"])
        if self.calls is not None:
            self.calls.drop(line["id"], line["sample"])

    def keep(self, row: Mapping[str, Any], sample: int, call: Call) -> None:
        """Append a call of a chain that goes on. Raises as `write` does."""
        assert self.calls is not None
        with self._writing():
            self.calls.keep(row["id"], sample, call)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise BadFile(f"--out: {self.out} cannot be written ({error.strerror}); the run goes on once it can") from None

    def fail(self, line: Mapping[str, Any]) -> None:
        with companion(self.out, ".errors.jsonl").open("ab", buffering=0) as file:
            append(file, encoded(line))


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 60 else text[:57] + "..."


# ---- asking ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Runner:
    """A run that asks an endpoint. forms: in which answers alone are asked for."""

    pairs: Iterator[tuple[dict[str, Any], int]]
    settings: Settings
    endpoint: Endpoint
    file: _File
    done: Done
    clock: Callable[[], float]
    progress: Callable[[Done], None]
    forms: Forms = field(default_factory=Forms)
    streak: int = 0  # of errors

    async def all(self, concurrency: int) -> None:
        async with self.endpoint:
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(min(concurrency, self.done.missing)):
                        group.create_task(self._work())
            except BaseExceptionGroup as several:
                raise several.exceptions[0] from None

    async def _work(self) -> None:
        for row, sample in self.pairs:  # one iterator for all workers
            if self.done.stopped:
                return
            await self._pair(row, sample)
            self.progress(self.done)

    async def _pair(self, row: Mapping[str, Any], sample: int) -> None:
        begun = self.clock()
        try:
            line = await self._line(row, sample)
            earlier = line.pop("seconds", 0.0)
            line["seconds"] = round(earlier + max(0.0, self.clock() - begun), 3)
            self.file.write(line)
        except CallError as error:
            self._failed(row, sample, error)
            return
        self.done.now += 1
        self.streak = 0

    def _failed(self, row: Mapping[str, Any], sample: int, error: CallError) -> None:
        status = {"status": error.status} if error.status else {}
        line = {"id": row["id"], "sample": sample, "error": error.problem, **status, "retries": error.retries}
        with suppress(OSError):  # the error is shown at the end too, and the pair is asked again either way
            self.file.fail(line)
        self.done.errors += 1
        self.streak += 1
        self.done.last = error.problem
        hopeless = error.status in _HOPELESS or (error.status == 0 and not self.done.calls)
        if hopeless or self.streak >= GIVE_UP:
            self.done.stopped = "at an error that every call would meet" if hopeless else f"after {GIVE_UP} errors in a row"

    async def _ask(self, body: Mapping[str, Any], *path: str | int, once: Collection[int] = ()) -> Completion:
        """One call, counted."""
        found = await self.endpoint.complete(body, *path, once=once)
        self.done.calls += 1
        _add(self.done.usage, found.usage)
        return found

    async def _chain(self, row: Mapping[str, Any], sample: int, mitigation: Mitigation) -> dict[str, Any]:
        """Make the calls of a chain that were not made before; the line to write, with the seconds of those that were."""
        assert self.file.calls is not None
        case = prepared(row)
        calls = self.file.calls.of(row["id"], sample)
        earlier = sum([call.seconds for call in calls])
        for number, step in enumerate(mitigation.steps):
            if number and not step.follows(calls[number - 1].completion.text):
                break
            last = number + 1 == len(mitigation.steps)
            messages = mitigation.messages(row["prompt"], self.settings.system, [call.completion.text for call in calls[:number]])
            if number == len(calls):
                begun = self.clock()
                found = await self._ask(self.settings.body(messages, sample), row["id"], sample, number)
                calls.append(Call(step.name, found, round(max(0.0, self.clock() - begun), 3)))
                if not last or self._wants_answer(found):
                    self.file.keep(row, sample, calls[-1])
        begun = self.clock()
        path = (row["id"], sample, len(calls) - 1)
        reply, notes, made = await self._settled(calls[-1].completion, row, case, messages, sample, path)
        reply = _own_answer([call.completion.text for call in calls], case) if mitigation.verdicts else reply
        calls += [Call("answer", second, round(max(0.0, self.clock() - begun), 3)) for second in made[1:]]
        program = {"program": program_of(reply)} if mitigation.program else {}
        line = {"id": row["id"], "sample": sample, "reply": "" if mitigation.program else reply, **program, **notes}
        line |= _spent([call.completion for call in calls])
        return line | {"steps": [call.record() for call in calls], "seconds": earlier}

    async def _line(self, row: Mapping[str, Any], sample: int) -> dict[str, Any]:
        """Play one row to its end; the line to write."""
        mitigation = named(self.settings.mitigation)
        if mitigation.steps:
            return await self._chain(row, sample, mitigation)
        case = prepared(row)
        game = episode(row, self.settings.turns)
        single = self.settings.turns == 1 and not case.strategy.dialogue
        messages = conversation(self.settings.system, game.start())
        turns: list[dict[str, Any]] = []
        calls: list[Completion] = []
        while True:
            path = (row["id"], sample, len(turns))
            first = await self._ask(self.settings.body(messages, sample), *path)
            reply, notes, made = await self._settled(first, row, case, messages, sample, path)
            calls += made
            turns.append({"reply": reply, **notes})
            if single:
                break
            turn = game.step(reply)
            turns[-1]["told"] = turn.text
            if turn.done:
                break
            messages += [{"role": "assistant", "content": reply or "(nothing)"}, {"role": "user", "content": turn.text}]
        line = {"id": row["id"], "sample": sample, **{name: value for name, value in turns[-1].items() if name != "told"}}
        line |= _spent(calls)
        return line if single else line | {"turns": turns}

    def _wants_answer(self, first: Completion) -> bool:
        """Return whether a call for the answer alone follows."""
        return self.settings.answer_call == "always" or (self.settings.answer_call == "cut" and first.reason == "length")

    async def _settled(
        self,
        first: Completion,
        row: Mapping[str, Any],
        case: Prepared,
        messages: Sequence[Message],
        sample: int,
        path: tuple[str | int, ...],
    ) -> tuple[str, dict[str, Any], list[Completion]]:
        """The reply that a completion comes to, after a call for the answer if one is wanted; what to note; the calls it took."""
        notes: dict[str, Any] = {"finish_reason": first.reason}
        if first.reasoning:
            notes["reasoning"] = first.reasoning
        if not self._wants_answer(first):
            return first.text, notes, [first]
        thought = [first.reasoning, first.text] if first.reason == "length" else [first.text]
        so_far = "\n\n".join([part for part in thought if part]) or "(nothing)"
        talk = [*messages, {"role": "assistant", "content": so_far}]
        second, note, form = await self._answer(row, case, talk, sample, path)
        notes["answer_call"] = {"first": first.text, "form": form, "note": note}
        if second is None:
            return first.text, notes, [first]
        if not second.text.strip():
            notes["answer_call"]["note"] = note or "the second call gave nothing; the first reply stands"
            return first.text, notes, [first, second]
        return (second.text if form == TEXT else _own_format(second.text, case)), notes, [first, second]

    async def _answer(
        self, row: Mapping[str, Any], case: Prepared, talk: Sequence[Message], sample: int, path: tuple[str | int, ...]
    ) -> tuple[Completion | None, str, str]:
        """The call for the answer alone: the completion, a note, and the form of envs/forms.py, or "none"."""
        if case.strategy.dialogue:  # a schema is one of answers, and a message of a dialogue may be an action
            return await self._answer_in((TEXT,), row, case, talk, sample, path)
        async with self.forms.to_try() as forms:
            return await self._answer_in(forms, row, case, talk, sample, path)

    async def _answer_in(
        self,
        forms: Sequence[str],
        row: Mapping[str, Any],
        case: Prepared,
        talk: Sequence[Message],
        sample: int,
        path: tuple[str | int, ...],
    ) -> tuple[Completion | None, str, str]:
        """The same in the first of these forms that works."""
        refused = []
        for form in forms:
            asked = {"role": "user", "content": _answer_now(case, case.reply_format if form == TEXT else "json")}
            body = self.settings.answer_body([*talk, asked], sample, form, json.loads(row["reply_schema"]))
            try:
                found = await self._ask(body, *path, form, once=self.forms.once(form))
            except CallError as error:
                if self.forms.refuses(form, error):
                    refused.append(f"{WORDS[form]} was refused: {error.problem}")
                elif isinstance(error, Refused):
                    return None, f"the second call was refused: {error.problem}", "none"
                else:
                    raise
            else:
                note = "; ".join(refused)
                if not case.strategy.dialogue:
                    self.forms.took(form, found, note)
                    note = note or ("response_format is refused" if form == TEXT else "")
                return found, note, form
        raise AssertionError("words alone are never refused for their form")


def _own_answer(replies: Sequence[str], case: Prepared) -> str:
    """What a model answers after verdicts on its own reply: what the last one puts in its place, if anything, else the reply."""
    found = said(replies[-1], REASONING)
    reading = correction(found.correction, case) if found.verdict == NO else None
    if reading is None:
        return replies[0]
    if reading.rows is None:
        return gold_reply(case.puzzle, None, case.reply_format)
    return spelled(reading.rows, layout_of(case.family, case.puzzle), case.reply_format, case.doubt)


def _spent(calls: Sequence[Completion]) -> dict[str, Any]:
    """The calls of a line in numbers."""
    usage: dict[str, int] = {}
    for call in calls:
        _add(usage, call.usage)
    return {"usage": usage, "calls": len(calls), "retries": sum([call.retries for call in calls])}


def _add(usage: dict[str, int], more: Mapping[str, int]) -> None:
    for name, count in more.items():
        usage[name] = usage.get(name, 0) + count


def _answer_now(case: Prepared, reply_format: str) -> str:
    if case.strategy.dialogue:
        forms = move_forms(case.puzzle, reply_format)
        return f"There is no more room for thinking. Make your move now, and write nothing else.\n\n{forms}"
    form = instructions(layout_of(case.family, case.puzzle), reply_format, case.doubt)
    return f"There is no more room for thinking. Give your final answer now, and nothing else.\n\n{form}"


def _own_format(text: str, case: Prepared) -> str:
    """A json reply in the row's own format, which is the one that is scored; what cannot be read stays as it is."""
    if case.reply_format == "json":
        return text
    reading = read_reply(text, case.grammar, "json", case.doubt)
    if reading.unsolvable:
        return gold_reply(case.puzzle, None, case.reply_format)
    if reading.rows is None:
        return text
    rows = tuple([tuple([token or "?" for token in row]) for row in reading.rows])
    return spelled(rows, layout_of(case.family, case.puzzle), case.reply_format, case.doubt)
