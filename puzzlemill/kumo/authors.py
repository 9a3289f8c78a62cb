"""Domains and books of the truth-finding game (docs/design/kumo.md) that a language model writes.

The published pipeline in our terms: the model proposes domains, writes a file for each, and rewrites the rules of a task as a
book. Nothing is taken on trust. A domain is kept when its file has no defect that the validator knows (kumo/domain/check.py), a
book when the audit reads exactly the task's rules out of it (kumo/reading). Otherwise the model is shown what is wrong, and
writes again, `rounds` times at most. A text that was cut off is continued, `parts` times at most.

What is finished stands in its own file at once, written next to it and moved there, so that a call that fails later takes nothing
away, and the same command goes on with what is missing. journal.jsonl says what became of every text, in the order of finishing.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadFile, BadInput, BadParams
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.rng import stream
from puzzlemill.core.text import printable
from puzzlemill.envs.endpoint import Address, CallError, Endpoint, Message, Sleep, conversation, merged, named_model, within
from puzzlemill.factory.files import read_json, whole
from puzzlemill.factory.read import Release, rows
from puzzlemill.generators import family_named
from puzzlemill.kumo.book import write_book
from puzzlemill.kumo.book.prompt import book_in, with_book
from puzzlemill.kumo.domain import files
from puzzlemill.kumo.domain.check import OWN, STRUCTURES, folded
from puzzlemill.kumo.domain.domain import Domain
from puzzlemill.kumo.domain.structure import exclusions
from puzzlemill.kumo.reading import audit_book

PROPOSALS = "proposals.json"
JOURNAL = "journal.jsonl"
MOST_DOMAINS = 1_000
MOST_TEXT = 400_000  # characters of one text, with all its continuations
SHOWN = 40  # defects listed at once
OVERLAP = 400  # characters in which a continuation may repeat what came before
_SHORTEST_OVERLAP = 12
_HOPELESS = frozenset({401, 403, 404})  # a wrong key, address or model: no other call would do better
_FIELDS = ("title", "topic", "truth", "truths_plural", "action", "actions_plural", "scene", "question")
_MOST_FIELD = 300  # characters
_MOST_FILE = 4 << 20  # bytes of proposals.json


@dataclass(frozen=True, slots=True)
class Author:
    """Settings of the calls to a model. max_tokens: of one call, None: the endpoint's own.

    extra_body: fields of every request, joined last.
    rounds: how often a text that is not right is written again. parts: how often one that was cut off is continued.
    own_exclusions: the model also says what each outcome excludes; else that is drawn in the shape that its file names.
    """

    model: str
    max_tokens: int | None = None
    temperature: float | None = None
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    rounds: int = 3
    parts: int = 3
    own_exclusions: bool = False

    def checked(self) -> Author:
        """Return the settings themselves. Raises BadParams."""
        named_model(self.model)
        within("--max-tokens", self.max_tokens, 1, 1 << 31)
        within("--temperature", self.temperature, 0, 10)
        within("--rounds", self.rounds, 0, 20)
        within("--parts", self.parts, 0, 20)
        return self

    def body(self, messages: Sequence[Message]) -> dict[str, Any]:
        """One request."""
        asked = {
            "model": self.model,
            "messages": list(messages),
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
        }
        return merged(merged(asked, {}), self.extra_body)


@dataclass(slots=True)
class Written:
    """The result. kept: names of what is finished, that of earlier calls too, in order. failed: name -> why it is missing.

    stopped: why nothing more was asked, "" if all was. tokens: by kind, of this call.
    """

    kept: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    stopped: str = ""
    tokens: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Task:
    """A kumo row whose book is written. name: its id. board: its rules. prompt: its own. several: more than one truth holds."""

    name: str
    board: Domain
    prompt: str
    several: bool = False


class _Unfit(Exception):
    """A text that did not become right. args[0]: why, in one sentence."""


class _Stop(Exception):
    """The end of all asking. args[0]: why."""


def write_domains(
    out: Path, count: int, author: Author, address: Address, *, concurrency: int = 4, sleep: Sleep = asyncio.sleep
) -> Written:
    """Let a model propose domains and write their files, until `out` holds `count` of them.

    Raises BadInput for what cannot be used; what the endpoint does wrong is stated in the result instead.
    """
    author.checked()
    within("--count", count, 1, MOST_DOMAINS)
    return _run(out, author, address, concurrency, sleep, lambda desk: _domains(desk, count))


def write_books(
    out: Path,
    tasks: Iterable[Task],
    author: Author,
    address: Address,
    *,
    register: str = "guidebook",
    concurrency: int = 4,
    sleep: Sleep = asyncio.sleep,
) -> Written:
    """Let a model rewrite the rules of tasks as books: `out`/NAME.json for each.

    Such a file holds {"task": the Domain, "register": ..., "model": ..., "book": the text, "prompt": the task's with this book in
    the place of its own}. register: as kumo/book names them, without "symbolic", which is what the model gets to see.
    Raises BadInput as write_domains does.
    """
    author.checked()
    if register not in _VOICES:
        raise BadParams(f"--register: expected one of {', '.join(_VOICES)}, got {register[:40]!r}")
    return _run(out, author, address, concurrency, sleep, lambda desk: _books(desk, tasks, register))


def _run(
    out: Path, author: Author, address: Address, concurrency: int, sleep: Sleep, work: Callable[[_Desk], Awaitable[None]]
) -> Written:
    within("--concurrency", concurrency, 1, 100)
    endpoint = Endpoint(address, concurrency, sleep)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"--out: {out} cannot be made ({error.strerror})") from None
    desk = _Desk(out, author, endpoint, asyncio.Semaphore(concurrency))

    async def all_of_it() -> None:
        async with endpoint:
            await work(desk)

    asyncio.run(all_of_it())
    desk.done.kept.sort()
    return desk.done


@dataclass(slots=True)
class _Desk:
    """A desk at which texts are asked for, continued, mended and put down."""

    out: Path
    author: Author
    line: Endpoint
    seats: asyncio.Semaphore
    done: Written = field(default_factory=Written)

    async def each(self, names: Sequence[str], write: Callable[[str], Awaitable[None]]) -> None:
        """Write all of these side by side. One that fails leaves the others as they are."""

        async def one(name: str) -> None:
            async with self.seats:
                if self.done.stopped:
                    self.done.failed[name] = "was not begun"
                    return
                try:
                    await write(name)
                except _Unfit as why:
                    self.miss(name, str(why))
                except _Stop as why:
                    self.done.stopped = self.done.stopped or str(why)
                    self.miss(name, str(why))
                else:
                    self.done.kept.append(name)
                    self.note(name, "kept")

        await asyncio.gather(*[one(name) for name in names])

    def miss(self, name: str, why: str) -> None:
        self.done.failed[name] = why
        self.note(name, "failed", why)

    async def right(
        self, name: str, messages: Sequence[Message], judge: Callable[[str], tuple[str, Sequence[str]]], complaint: str
    ) -> str:
        """A text without problems. judge: the text to keep, and what is wrong with it. complaint: what stands above that."""
        problems: Sequence[str] = ()
        opening = tuple(messages)  # a correction shows the last text only, so that the request stays small
        for round_ in range(1 + self.author.rounds):
            text = await self.whole(name, messages, round_)
            kept, problems = judge(text)
            if not problems:
                return kept
            self.note(name, f"round {round_ + 1}", f"{len(problems)} problems, the first: {problems[0]}")
            more = [f"- and {len(problems) - SHOWN} more"] if len(problems) > SHOWN else []
            listed = "\n".join([complaint, *[f"- {problem}" for problem in problems[:SHOWN]], *more])
            messages = [*opening, _says(text), _asks(listed)]
        raise _Unfit(f"{len(problems)} problems were left after {self.author.rounds} corrections, the first: {problems[0]}")

    async def whole(self, name: str, messages: Sequence[Message], round_: int) -> str:
        """The model's reply; one that was cut off is continued."""
        text = ""
        for part in range(1 + self.author.parts):
            asked = [*messages, _says(text), _asks(_GO_ON)] if text else messages
            try:
                done = await self.line.complete(self.author.body(asked), name, round_, part)
            except CallError as error:
                if error.status in _HOPELESS:
                    raise _Stop(error.problem) from None
                raise _Unfit(f"the endpoint failed: {error.problem}") from None
            for kind, tokens in done.usage.items():
                self.done.tokens[kind] = self.done.tokens.get(kind, 0) + tokens
            text = joined(text, done.text)
            if len(text) > MOST_TEXT:
                raise _Unfit(f"the text has more than {MOST_TEXT} characters")
            if done.reason != "length" and text.count("```") % 2 == 0:
                return text
            if not done.text.strip():
                break  # nothing came, and nothing more would
        raise _Unfit(f"the text is still not whole after {self.author.parts} continuations; allow more tokens with --max-tokens")

    def note(self, name: str, what: str, why: str = "") -> None:
        line = {"name": name, "what": what} | ({"why": why} if why else {})
        try:
            with (self.out / JOURNAL).open("a", encoding="utf-8") as file:
                file.write(self.line.clean(json.dumps(line, ensure_ascii=False)) + "\n")
        except OSError as error:
            raise BadFile(f"{self.out / JOURNAL}: cannot be written ({error.strerror})") from None

    def put(self, name: str, text: str) -> None:
        """A finished file, all of it or nothing."""
        place = self.out / name
        try:
            with whole(place) as aside:
                aside.write_text(self.line.clean(text), encoding="utf-8")
        except OSError as error:
            raise BadFile(f"{place}: cannot be written ({error.strerror})") from None


def joined(text: str, more: str) -> str:
    """A text and its continuation, which may begin with a fence or repeat the end of what it continues."""
    if not text:
        return more
    more = re.sub(r"\A\s*```[a-z]{0,10}\n", "", more, count=1)
    for size in range(min(OVERLAP, len(text), len(more)), _SHORTEST_OVERLAP - 1, -1):
        if text.endswith(more[:size]):
            return text + more[size:]
    return text + more


def _says(text: str) -> Message:
    return {"role": "assistant", "content": text}


def _asks(text: str) -> Message:
    return {"role": "user", "content": text}


def _fenced(text: str) -> str:
    """The text between the first pair of fences, or the whole text if there is none."""
    found = re.search(r"```[a-z]{0,10}[ \t]*\n(.*?)```", text, re.DOTALL)
    return found.group(1) if found else text


# ---- domains ----------------------------------------------------------------------------------------------------------


async def _domains(desk: _Desk, count: int) -> None:
    proposals = _read_proposals(desk.out)
    there = {name for name in proposals if (desk.out / f"{name}.toml").is_file() and _holds(desk.out / f"{name}.toml")}
    desk.done.kept.extend(sorted(there))
    for attempt in range(1 + desk.author.rounds):
        wanted = count - len(desk.done.kept)
        if wanted <= 0 or desk.done.stopped:
            break
        tried = {*desk.done.kept, *desk.done.failed}
        waiting = [name for name in proposals if name not in tried]
        if len(waiting) < wanted:
            try:
                await _propose(desk, proposals, wanted - len(waiting), attempt)
            except _Unfit as why:
                desk.miss("proposals", str(why))
            except _Stop as why:
                desk.miss("proposals", str(why))
                desk.done.stopped = str(why)
                break
            waiting = [name for name in proposals if name not in tried]
        await desk.each(waiting[:wanted], lambda name: _domain(desk, name, proposals[name]))
    if len(desk.done.kept) >= count:
        desk.done.failed.clear()  # others came in their place


async def _propose(desk: _Desk, proposals: dict[str, dict[str, str]], wanted: int, attempt: int) -> None:
    """Ask for so many more proposals, and keep those that can be used, in proposals.json."""
    taken = [files.authored(name).title for name in files.names()] + [each["title"] for each in proposals.values()]
    asked = _asked("propose", count=wanted, taken="; ".join(taken), fields=", ".join(_FIELDS))

    def judge(text: str) -> tuple[str, Sequence[str]]:
        try:
            found: Any = json.loads(_fenced(text))
        except (ValueError, RecursionError):
            return "", ["the reply is no JSON array"]
        if type(found) is not list:
            return "", ["the reply is no JSON array"]
        used = {folded(title) for title in taken}
        problems = []
        for number, each in enumerate(found[:MOST_DOMAINS], 1):
            problem = _unusable(each, used)
            if problem:
                problems.append(f"proposal {number}: {problem}")
                continue
            used.add(folded(each["title"]))
            name = _named(each["title"], proposals)
            proposals[name] = {key: each[key].strip() for key in _FIELDS}
        desk.put(PROPOSALS, json.dumps(proposals, ensure_ascii=False, indent=1) + "\n")
        return text, problems if len(problems) == len(found) else []

    await desk.right(f"proposals {attempt + 1}", asked, judge, "None of it can be used. Reply with a new JSON array:")


def _unusable(found: object, used: set[str]) -> str:
    if type(found) is not dict:
        return "expected a JSON object"
    for key in _FIELDS:
        value = found.get(key)
        if type(value) is not str or not value.strip() or len(value) > _MOST_FIELD or not value.isprintable():
            return f"{key}: expected one line of text of at most {_MOST_FIELD} characters"
    return f"the title {found['title']!r} is taken" if folded(found["title"]) in used else ""


def _named(title: str, taken: Mapping[str, object]) -> str:
    """A file's name for a title: small letters, digits and underscores, nothing else, and no other's."""
    stem = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")[:30]
    stem = stem if re.match(r"[a-z]", stem) and len(stem) > 1 else f"domain_{stem}".strip("_")
    name, number = stem, 1
    while name in taken or name in files.names():
        number += 1
        name = f"{stem}_{number}"
    return name


def _read_proposals(out: Path) -> dict[str, dict[str, str]]:
    path = out / PROPOSALS
    try:
        found = read_json(path, _MOST_FILE)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror})") from None
    if type(found) is not dict or any(_unusable(each, set()) or name != _safe(name) for name, each in found.items()):
        raise BadFile(f"{path}: these are no proposals; restore the file, or name another folder with --out")
    return found


def _safe(name: str) -> str:
    return name if re.fullmatch(r"[a-z][a-z0-9_]{1,39}", name) else ""


def _holds(path: Path) -> bool:
    """True of a file that is a domain without defects."""
    _, problems = files.examine(path)
    return not problems


async def _domain(desk: _Desk, name: str, proposal: Mapping[str, str]) -> None:
    shapes = OWN if desk.author.own_exclusions else f"one of {', '.join(STRUCTURES)}; how the truths hang together"
    lines = "\n".join([f"{key} = {json.dumps(proposal[key], ensure_ascii=False)}" for key in _FIELDS])
    asked = _asked("write", proposal=lines, shapes=shapes, excludes=_EXCLUDES if desk.author.own_exclusions else "")

    def judge(text: str) -> tuple[str, Sequence[str]]:
        domain, problems = files.parse(_fenced(text), name)
        if domain is None or problems:
            return "", problems or ("there is no sense in it",)
        with_own = [bool(action.excludes) for action in domain.actions]
        if desk.author.own_exclusions and not all(with_own):
            return "", [f"{with_own.count(False)} actions have no excludes"]
        if not any(with_own):
            try:
                exclusions(domain, stream("kumo", name, "trial"))
            except BadInput as error:
                return "", [str(error)]
        return files.write(domain), ()

    text = await desk.right(name, asked, judge, "The file has these defects. Write the whole file again, without them:")
    desk.put(f"{name}.toml", text)


# ---- books ------------------------------------------------------------------------------------------------------------


def tasks_of(release: Release, split: str, limit: int) -> list[Task]:
    """The tasks of a release's kumo rows. split: "" for all. limit: the first so many rows, 0 for all.

    Rows that call their truths otherwise (rename, letters) are left out. Raises BadParams if there are none.
    """
    found = []
    family = family_named("kumo")
    for row in rows(release, ("id", "split", "family", "puzzle", "prompt")):
        if row["family"] == family.name and split in ("", row["split"]):
            puzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
            if not puzzle.style.names:
                found.append(Task(str(row["id"]), puzzle.board, str(row["prompt"]), puzzle.spec.params.valid > 1))
                if len(found) == limit:
                    break
    if not found:
        raise BadParams(f"{release.folder} has no kumo rows in split {split or 'any'!r}; build one with release=kumo_easy")
    return found


def prompts_of(folder: Path, release: Release) -> dict[str, str]:
    """The prompts that a folder of books gives to rows of a release, by the rows' ids; each book is audited once more.

    Raises BadFile for a book that does not state its row's rules, BadParams if no row of the release has one.
    """
    found = {}
    for task in tasks_of(release, "", 0):
        path = _place(folder, task)
        if path.is_file():
            book = str((_read_book(path) or {}).get("book", ""))
            if problems := _problems(book, task):
                raise BadFile(f"{path}: not the rules of this row: {problems[0]}; take the file out, or write the book again")
            found[task.name] = with_book(task.prompt, book)
    if not found:
        raise BadParams(f"--books: {folder} holds no book of a row of {release.folder}; `puzzlemill author books` writes some")
    return found


async def _books(desk: _Desk, tasks: Iterable[Task], register: str) -> None:
    known = {task.name: task for task in tasks}
    for name, task in known.items():
        old = _read_book(_place(desk.out, task))
        if old is not None and old.get("task") == json.loads(dumps(task.board)) and not _problems(old.get("book"), task):
            desk.done.kept.append(name)
            whole = {**old, "prompt": with_book(task.prompt, old["book"])}
            if whole != old:  # written before such files had a prompt
                desk.put(f"{name}.json", json.dumps(whole, ensure_ascii=False) + "\n")
    there = {*desk.done.kept}
    await desk.each([name for name in known if name not in there], lambda name: _book(desk, known[name], register))


def _place(folder: Path, task: Task) -> Path:
    """The file of a task's book. Raises BadParams for a name that could lead elsewhere."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}", task.name):
        raise BadParams(f"a task is called {task.name[:40]!r}; a book's file is named after it: letters, digits, - and _")
    return folder / f"{task.name}.json"


def _read_book(path: Path) -> dict[str, Any] | None:
    """The content of a book's file, None if it is none."""
    try:
        found = read_json(path, _MOST_FILE)
    except OSError:
        return None
    return found if type(found) is dict else None


def _problems(book: object, task: Task) -> list[str]:
    """The problems of a book's text, one line each; none if it can stand in the task's prompt."""
    if type(book) is not str:
        return ["there is no text"]
    try:
        findings = audit_book(book_in(with_book(task.prompt, book)), task.board)
    except BadInput as error:
        return [str(error)]
    return [printable(str(finding)) for finding in findings]


async def _book(desk: _Desk, task: Task, register: str) -> None:
    board = task.board
    values = {
        "voice": _VOICES[register],
        "scene": "" if task.several else f"{board.scene}\n\n",  # it speaks of one
        "truths": board.truths_plural,
        "rules": write_book(board, "symbolic", 0, several=task.several),
        "begin": "" if task.several else "- Begin with the scene.\n",
    }

    def judge(text: str) -> tuple[str, Sequence[str]]:
        text = _fenced(text).strip() + "\n"
        return text, _problems(text, task)

    complaint = "Read as rules, the book has these faults. Write the whole book again:"
    book = await desk.right(task.name, _asked("book", **values), judge, complaint)
    found = {"task": json.loads(dumps(board)), "register": register, "model": desk.author.model, "book": book}
    desk.put(f"{task.name}.json", json.dumps(found | {"prompt": with_book(task.prompt, book)}, ensure_ascii=False) + "\n")


# ---- what the model is asked ------------------------------------------------------------------------------------------

_GO_ON = "Your text was cut off. Go on exactly where it ends, with the next character, and repeat nothing."

_EXCLUDES = """\
- Every action has `excludes`: one list for each outcome (of a measurement: for each interval from low to high), with the \
names of the truths that the outcome rules out. Most outcomes rule out four to twelve truths; no truth is ruled out by all \
outcomes of an action; no truth is touched by every action, and each is ruled out somewhere.
"""
_VOICES = {
    "guidebook": "a guidebook in flowing prose, a paragraph or two for each thing that can be done",
    "lab_manual": "a laboratory manual with a numbered section for each procedure",
    "memo": "an office memorandum with a heading, short paragraphs and plain sentences",
    "dialogue": "a conversation between an old hand and a newcomer",
    "table": "an introduction of a few sentences and one Markdown table with a row for each outcome",
}


def _asked(name: str, **values: object) -> list[Message]:
    """The conversation that a text of kumo/templates begins, with these values."""
    text = (resources("puzzlemill.kumo") / "templates" / f"author_{name}.txt").read_text(encoding="utf-8")
    return conversation("", text.format(**values))
