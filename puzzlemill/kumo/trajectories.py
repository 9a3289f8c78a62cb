"""Golden trajectories: truth-finding games played by a good player, as conversations to fine-tune on (docs/trajectories.md).

    write(Plan.from_plain(settings), out, workers=2)       tasks dealt from domains, as many as a plan says
    write_played(open_release(folder), out, "optimal")     the dialogues of a release

Each is replayed from its own messages before it is written: every one is read as the move that was meant, and the answer is
right.
No two tasks of a plan are the same up to renaming, in whatever set and split, nor is one a task of a release it is apart from.
The same plan gives the same bytes, whatever the number of workers, and whether or not the run was cut short and begun again.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files as resources
from itertools import count, islice
from pathlib import Path
from typing import Any

import puzzlemill
from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadFile, BadParams, Discarded, EnginesDisagree
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.model import Game
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.types import AnyPuzzle, Puzzle, Spec
from puzzlemill.envs.export import placed, stamp, write_text
from puzzlemill.envs.players import NODES, bits, played, player_named, state, worlds
from puzzlemill.envs.turns import more
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.factory.read import Release
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.recipe import check_settings
from puzzlemill.factory.record import ColumnType, Each, canary
from puzzlemill.factory.workers import WorkerPool, in_order
from puzzlemill.factory.writer import write_parquet
from puzzlemill.generators.kumo import Kumo, Params, book_style
from puzzlemill.kumo.book import REGISTERS
from puzzlemill.kumo.domain.domain import Domain
from puzzlemill.kumo.domain.source import AUTHORED, INVENTED, domain_named
from puzzlemill.kumo.domain.task import World, arranged
from puzzlemill.kumo.thoughts import Thoughts
from puzzlemill.questions import is_dialogue
from puzzlemill.scoring.moves import ACTION, ANSWER, Moves, Round
from puzzlemill.scoring.parse import grammar, read_reply
from puzzlemill.scoring.prompt import FORMATS, gold_reply, prompt

POLICIES = ("kumo_compat", "optimal", "greedy")
OPENINGS = ("user", "system")
SPLITS = ("validation", "test", "train")  # in the order in which tasks are given to them: the first ones are for validation
ANY = "any"  # a book's register: each in turn
CHUNK = 64  # tasks that are dealt and played at a time; part of what decides which tasks there are
AHEAD = 3  # chunks for each worker that are made before they are needed
MOST_TRIES = 20  # tasks that may be dealt for each one that is wanted
END = "<|end|>"

MESSAGES: ColumnType = Each({"role": "string", "content": "string"})
COLUMNS: dict[str, ColumnType] = {
    "id": "string",
    "set": "string",
    "split": "string",
    "family": "string",
    "family_version": "int32",
    "domain": "string",
    "truths": "int32",
    "actions": "int32",
    "policy": "string",
    "steps": "int32",  # actions that were done
    "book": "string",  # its register, with "-long" if it is a long one
    "reply_format": "string",
    "messages": MESSAGES,
    "loss": Each("int32"),  # of each message: 1 if it is to be learnt, else 0
    "spans": Each({"start": "int32", "end": "int32"}),  # of what is to be learnt in conversation(messages), [start, end)
    "puzzle": "string",  # JSON, as in rows of a release, and so are the next three
    "hidden": "string",
    "answer": "string",
    "canonical_key": "string",
    "license": "string",
    "canary": "string",
}
_FAMILY = Kumo()


@dataclass(frozen=True, slots=True)
class Wanted:
    """One set of trajectories.

    domains: as the parameter `domain` of the family names them, one each; taken in turn. edition: of their exclusions.
    policy: one of POLICIES. nodes: what the search may expand for one decision; tasks that take more are left out, which favours
    easy ones. book: a register, "symbolic" or "any". formats: reply formats, in turn. opening: whose message the prompt is.
    reasons: moves are preceded by thoughts (thoughts.py). counts: of each split.
    """

    name: str
    domains: tuple[str, ...]
    edition: str
    truths: int
    actions: int
    counts: tuple[tuple[str, int], ...]
    policy: str = "kumo_compat"
    nodes: int = NODES
    book: str = "symbolic"
    long: bool = False
    formats: tuple[str, ...] = ("json",)
    opening: str = "user"
    reasons: bool = False

    def spec(self, domain: str) -> Spec[Params]:
        params = Params(self.truths, self.actions, domain=domain, edition=self.edition, least=0, long=self.long)
        return Spec(params)


@dataclass(frozen=True, slots=True)
class Plan:
    """name: of the whole. seed: what tasks are drawn from; another seed gives others. license: of the rows."""

    name: str
    seed: str
    license: str
    sets: tuple[Wanted, ...]

    @classmethod
    def from_plain(cls, settings: Mapping[str, Any]) -> Plan:
        """Read settings as conf/golden holds them. Raises BadParams, naming the setting."""
        check_settings(settings, {"name", "seed", "license", "sets"}, {"name", "seed", "license", "sets"}, "")
        for name in ("name", "seed", "license"):
            _text(settings[name], name)
        sets = settings["sets"]
        if type(sets) is not dict or not sets:
            raise BadParams(f"sets: expected at least one, by name, got {str(sets)[:60]}")
        return cls(
            settings["name"], settings["seed"], settings["license"], tuple([_wanted(name, one) for name, one in sets.items()])
        )

    def key(self) -> str:
        """A hash of everything that decides what is written."""
        return sha256(json.dumps([asdict(self), puzzlemill.__version__], sort_keys=True).encode()).hexdigest()

    def key_of_plays(self) -> str:
        """A hash of everything that decides how tasks are played: all but how many there are to be."""
        return replace(self, sets=tuple([replace(wanted, counts=()) for wanted in self.sets])).key()


# ---- settings ---------------------------------------------------------------------------------------------------------


def _wanted(name: str, given: Any) -> Wanted:
    where = f"sets.{name}"
    if not name.replace("_", "").isalnum() or not name.isascii():
        raise BadParams(f"{where}: a set's name is letters, digits and _, got {name[:40]!r}")
    if type(given) is not dict:
        raise BadParams(f"{where}: expected names and values, got {str(given)[:60]}")
    known = {field.name for field in fields(Wanted)} - {"name", "domains", "formats"} | {"domain", "reply_format"}
    check_settings(given, known, {"domain", "edition", "truths", "actions", "counts"}, f"{where}.")
    values = dict(given)
    values["domains"] = _words(values.pop("domain"), f"{where}.domain")
    if "reply_format" in values:
        values["formats"] = _words(values.pop("reply_format"), f"{where}.reply_format")
    counts = values["counts"]
    if type(counts) is not dict or not counts or not set(counts) <= set(SPLITS):
        raise BadParams(f"{where}.counts: expected numbers for {', '.join(SPLITS)} or some of them, got {str(counts)[:60]}")
    for split, number in counts.items():
        if type(number) is not int or not 1 <= number <= 10_000_000:
            raise BadParams(f"{where}.counts.{split}: expected 1 to 10000000 trajectories, got {str(number)[:40]}")
    values["counts"] = tuple([(split, counts[split]) for split in SPLITS if split in counts])
    for field in ("truths", "actions", "nodes"):
        if field in values and type(values[field]) is not int:
            raise BadParams(f"{where}.{field}: expected a number, got {str(values[field])[:40]}")
    for field in ("long", "reasons"):
        if field in values and type(values[field]) is not bool:
            raise BadParams(f"{where}.{field}: expected true or false, got {str(values[field])[:40]}")
    if type(values["edition"]) is int:
        values["edition"] = str(values["edition"])  # edition=7 is read as a number
    _text(values["edition"], f"{where}.edition")
    wanted = Wanted(name, **values)
    for field, value, choices in (
        ("policy", wanted.policy, POLICIES),
        ("book", wanted.book, (*REGISTERS, ANY)),
        ("opening", wanted.opening, OPENINGS),
        *[("reply_format", one, FORMATS) for one in wanted.formats],
    ):
        if value not in choices:
            raise BadParams(f"{where}.{field}: expected one of {', '.join(choices)}, got {str(value)[:40]!r}")
    if wanted.nodes < 1:
        raise BadParams(f"{where}.nodes: expected 1 or more, got {wanted.nodes}")
    for domain in wanted.domains:
        if domain in (AUTHORED, INVENTED):
            raise BadParams(f"{where}.domain: name the domains one by one, got {domain!r}; `puzzlemill domains` lists them")
        spec = wanted.spec(domain)
        try:
            _FAMILY.validate(spec)
            whole = _whole(spec)
        except BadParams as error:
            raise BadParams(f"{where}: {error}") from None
        for what, number, there in (("truths", wanted.truths, whole.truths), ("actions", wanted.actions, whole.actions)):
            if number > len(there):
                raise BadParams(
                    f"{where}.{what}: {whole.name} of the edition {wanted.edition!r} has {len(there)} {what}, got {number}; "
                    "choose fewer, or another domain or edition"
                )
    return wanted


def _text(value: Any, where: str) -> None:
    if type(value) is not str or not value or len(value) > 64:
        raise BadParams(f"{where}: expected a word of up to 64 characters, got {str(value)[:40]!r}")


def _words(value: Any, where: str) -> tuple[str, ...]:
    words = value if type(value) is list else [value]
    if not words or not all(type(word) is str for word in words):
        raise BadParams(f"{where}: expected a word or a list of words, got {str(value)[:60]}")
    return tuple(words)


# ---- conversations ----------------------------------------------------------------------------------------------------

Messages = list[dict[str, str]]


def conversation(messages: Sequence[Mapping[str, str]]) -> str:
    """The messages as one text: for each "<|role|>", a line end, its content, "<|end|>", a line end."""
    return "".join([f"<|{message['role']}|>\n{message['content']}{END}\n" for message in messages])


def spans(messages: Sequence[Mapping[str, str]]) -> list[dict[str, int]]:
    """The parts of conversation(messages) to be learnt: [start, end) of each assistant's content and the "<|end|>" after it."""
    found, at = [], 0
    for message in messages:
        start = at + len(message["role"]) + 5
        end = start + len(message["content"]) + len(END)
        if message["role"] == "assistant":
            found.append({"start": start, "end": end})
        at = end + 1
    return found


def dialogue(
    puzzle: AnyPuzzle,
    world: World,
    done: Sequence[int],
    reply_format: str,
    *,
    opening: str = "user",
    reasons: bool = False,
    moves: Moves | None = None,
) -> Messages:
    """The conversation in which these actions are done in this order and the answer that follows from them is given.

    Raises EnginesDisagree if no answer follows. What the user says is what envs.turns.Game says. moves: the puzzle's, if they
    are there.
    """
    moves, open_ = moves or Moves(puzzle, reply_format), _FAMILY.dialogue.revealed(puzzle, world)
    limit = puzzle.question.turn_limit or 0
    first = prompt(puzzle, reply_format)
    if opening == "system":
        said: Messages = [{"role": "system", "content": first}, {"role": "user", "content": "Make your first move."}]
    else:
        said = [{"role": "user", "content": first}]
    thoughts = Thoughts(puzzle, _FAMILY.dialogue.game(puzzle), world.outcomes) if reasons else None
    for number, action in enumerate(done):
        move = moves.message(action)
        said.append({"role": "assistant", "content": f"{thoughts.before(done[:number], action)}\n\n{move}" if thoughts else move})
        outcome = _FAMILY.describe(open_, open_.clues[action].id)
        said.append({"role": "user", "content": f"{outcome}\n\n{more(limit - number - 1)}"})
    holds = _follows(puzzle, world, done)
    reply = gold_reply(puzzle, holds, reply_format)
    said.append({"role": "assistant", "content": f"{thoughts.at_end(done, holds)}\n\n{reply}" if thoughts else reply})
    return said


def _follows(puzzle: AnyPuzzle, world: World, done: Sequence[int]) -> tuple[int, ...]:
    """The truths that must hold after these actions: all that are left, or all that fit the promise."""
    rules = _FAMILY.dialogue.game(puzzle)
    left, unused = _state(rules, world, done)
    if left.bit_count() == rules.valid:
        return bits(left)
    if rules.valid == 1:
        lone = [t for t in bits(left) if not any(out >> t & 1 for a in bits(unused) for out in rules.excludes[a])]
        if len(lone) == 1:  # nothing can rule it out any more, and everything that does not hold will be
            return (lone[0],)
    fit = list(worlds(rules, left, unused))
    if len(fit) != 1:
        raise EnginesDisagree({"policy": "it is certain what holds", "worlds": f"{len(fit)} answers"}, dumps(puzzle))
    return bits(fit[0])


def _state(rules: Game, world: World, done: Sequence[int]) -> tuple[int, int]:
    """The truths left and the actions not done, as bit masks."""
    return state(rules, [(action, world.outcomes[action]) for action in done])


def check(
    messages: Sequence[Mapping[str, str]],
    puzzle: AnyPuzzle,
    world: World,
    done: Sequence[int],
    reply_format: str,
    moves: Moves | None = None,
) -> None:
    """Replay a conversation from the assistant's messages alone. moves: the puzzle's, if they are there.

    Raises EnginesDisagree unless it does these actions and its answer is right.
    """
    found = Round(moves or Moves(puzzle, reply_format), puzzle.question.turn_limit or 0)
    own = [message["content"] for message in messages if message["role"] == "assistant"]
    for message in own[:-1]:
        if not found.left or found.take(message).kind != ACTION:
            raise EnginesDisagree({"policy": "an action", "replay": "none"}, dumps(puzzle))
    last = found.take(own[-1]) if found.left else None
    if last is None or last.kind != ANSWER or tuple(found.done) != tuple(done):
        raise EnginesDisagree({"policy": f"actions {tuple(done)}", "replay": f"actions {tuple(found.done)}"}, dumps(puzzle))
    reading = read_reply(last.reply, grammar(_FAMILY.form.layout(puzzle)), reply_format, False)
    answer = None if reading.rows is None else _FAMILY.form.read(puzzle, reading.rows)
    if answer != world.valid or _FAMILY.broken_rules(_FAMILY.dialogue.revealed(puzzle, world), answer):
        raise EnginesDisagree({"policy": f"answer {answer}", "world": f"answer {world.valid}"}, dumps(puzzle))


# ---- making them ------------------------------------------------------------------------------------------------------

Row = dict[str, Any]


Plays = tuple[tuple[int, ...] | None, ...]  # the actions done in each task; None where the search takes too many nodes


@dataclass(frozen=True, slots=True)
class Job:
    """The tasks number * CHUNK and so on of a set. plays: of an earlier run, if they are known."""

    plan: Plan
    which: int
    number: int
    plays: Plays | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """rows: in order. dropped: (reason, times), sorted by reason. plays: of all the tasks that were dealt."""

    rows: list[Row]
    dropped: tuple[tuple[str, int], ...]
    plays: Plays


def _whole(spec: Spec[Params]) -> Domain:
    """The domain that tasks of this spec, which names one, are taken from. Raises BadParams where there is none."""
    return domain_named(spec.params.domain, spec.params.edition, stream("kumo", spec.params.domain))


def make(job: Job) -> Made:
    """Deal, play, word and replay the tasks of a job. Depends on nothing else."""
    from puzzlemill.solvers.play.deal import deal_many  # compiles kernels

    plan, wanted = job.plan, job.plan.sets[job.which]
    # the edition is of the tasks' domains; which tasks there are depends on the plan's seed and the set's name only
    rng = stream("trajectories", plan.seed, wanted.name, job.number)
    spec = wanted.spec(wanted.domains[job.number % len(wanted.domains)])
    whole = _whole(spec)
    picks = [rng.child("truths", i).sample(range(len(whole.truths)), wanted.truths) for i in range(CHUNK)]
    deals = deal_many(whole.masks(), picks, wanted.actions, 1, rng.child("deal"))
    dropped: Counter[str] = Counter()
    tasks: list[tuple[Puzzle[Params, Domain], World, str]] = []
    for i, (pick, deal) in enumerate(zip(picks, deals, strict=True)):
        if deal is None:
            dropped["empty"] += 1
            continue
        place = job.number * CHUNK + i
        part = whole.part(pick, deal.actions)
        task = arranged(part, range(wanted.actions), deal.valid, deal.outcomes, rng.child("task", i))
        registers = tuple(REGISTERS) if wanted.book == ANY else (wanted.book,)
        style = book_style(registers[place % len(registers)], wanted.long, rng.child("phrasing", i).below(1 << 31))
        puzzle = replace(_FAMILY.puzzle(spec, (), task.board), style=style)
        tasks.append((puzzle, task.world, wanted.formats[place % len(wanted.formats)]))
    rows = []
    plays = _play(wanted, tasks, rng) if job.plays is None else job.plays
    for (puzzle, world, reply_format), done in zip(tasks, plays, strict=True):
        if done is None:
            dropped["budget"] += 1
        elif not done:
            dropped["nothing to do"] += 1
        else:
            rows.append(_row(plan, wanted, puzzle, world, done, reply_format))
    return Made(rows, tuple(sorted(dropped.items())), plays)


def _play(wanted: Wanted, tasks: Sequence[tuple[Puzzle[Params, Domain], World, str]], rng: Rng) -> Plays:
    """The policy's actions in each task."""
    games = [_FAMILY.dialogue.game(puzzle) for puzzle, _, _ in tasks]
    outcomes = [world.outcomes for _, world, _ in tasks]
    if wanted.policy == "kumo_compat":
        from puzzlemill.solvers.play.compat import play_many

        batch = play_many(games, outcomes, wanted.nodes)
        return tuple([_within(lambda i=i: batch.played(i)) for i in range(len(games))])  # type: ignore[misc]
    found = []
    for i, (game, world) in enumerate(zip(games, outcomes, strict=True)):
        if wanted.policy == "optimal":
            from puzzlemill.solvers.play.exact import solve

            found.append(_within(lambda game=game, world=world: solve(game, wanted.nodes).actions(world)))  # type: ignore[misc]
            continue
        player, seen = player_named("greedy", game, rng.child("play", i)), list[tuple[int, int]]()
        while isinstance(action := player.next(seen), int):
            seen.append((action, world[action]))
        found.append(tuple([action for action, _ in seen]))
    return tuple(found)


def _within(play: Callable[[], tuple[int, ...]]) -> tuple[int, ...] | None:
    try:
        return play()
    except Discarded:
        return None


def _row(
    plan: Plan, wanted: Wanted, puzzle: Puzzle[Params, Domain], world: World, done: tuple[int, ...], reply_format: str
) -> Row:
    return columns_of(puzzle, world, done, reply_format, wanted.opening, wanted.reasons) | {
        "set": wanted.name,
        "policy": wanted.policy,
        "canonical_key": canonical_key(_FAMILY, puzzle),
        "license": plan.license,
        "canary": _canary(plan),
    }


@lru_cache(maxsize=1)
def _canary(plan: Plan) -> str:
    return canary(plan.key())


def columns_of(puzzle: AnyPuzzle, world: World, done: Sequence[int], reply_format: str, opening: str, reasons: bool) -> Row:
    """The columns that follow from a trajectory itself, which is replayed; the others are empty."""
    moves = Moves(puzzle, reply_format)
    messages = dialogue(puzzle, world, done, reply_format, opening=opening, reasons=reasons, moves=moves)
    check(messages, puzzle, world, done, reply_format, moves)
    text, hidden = dumps(puzzle), dumps(world)
    lines = [text, hidden, *[message["content"] for message in messages]]
    return {
        **dict.fromkeys(COLUMNS, ""),
        "id": f"{_FAMILY.name}-golden-{sha256(json.dumps(lines).encode()).hexdigest()[:20]}",
        "family": _FAMILY.name,
        "family_version": _FAMILY.version,
        "domain": puzzle.board.name,
        "truths": len(puzzle.board.truths),
        "actions": len(puzzle.board.actions),
        "steps": len(done),
        "book": puzzle.style.theme,
        "reply_format": reply_format,
        "messages": messages,
        "loss": [int(message["role"] == "assistant") for message in messages],
        "spans": spans(messages),
        "puzzle": text,
        "hidden": hidden,
        "answer": dumps(world.valid),
    }


# ---- writing them -----------------------------------------------------------------------------------------------------

Progress = Callable[[str, int, int], None]  # set, done, wanted


def write(
    plan: Plan, out: Path, workers: int = 1, exclude: Sequence[Release] = (), progress: Progress | None = None
) -> dict[str, Any]:
    """Write every set of a plan to out/<set>/<split>.parquet, and what was made to out/export.json; returns the latter.

    exclude: releases of which no task comes again. The folder takes its place when it is whole; until then <out>.plays next to it
    keeps what was played, and a run that was cut short and is begun again plays on from there. Raises BadParams where a set's
    domains do not give so many different tasks, BadFile for the folder or if <out>.plays is another plan's.
    """
    if workers < 1:
        raise BadParams(f"--workers: expected 1 or more processes, got {workers}")
    taken = {row["canonical_key"] for release in exclude for row in rows_of(release, ("canonical_key",))}
    pool = WorkerPool(workers) if workers > 1 else nullcontext()
    with placed(out) as stage, _Journal(out, plan) as journal, pool as executor:
        content, files = [], []
        for which, wanted in enumerate(plan.sets):
            rows = _Rows(plan, which, taken, progress)
            source = rows.taken_from(_jobs(plan, which, executor, workers, journal))
            for split, number in wanted.counts:
                path = f"{wanted.name}/{split}.parquet"
                made = write_parquet(stage / path, COLUMNS, ({**row, "split": split} for row in islice(source, number)))
                files.append(path)
                content.append({"set": wanted.name, "split": split, "rows": made, "file": path})
            content[-1]["dropped"] = dict(sorted(rows.dropped.items()))
        mark = {
            "trajectories": plan.name,
            "puzzlemill": puzzlemill.__version__,
            "plan": asdict(plan),
            "key": plan.key(),
            "exclusions": [str(release.manifest.get("checksum")) for release in exclude],
            "content": content,
        }
        write_text(stage / "README.md", _readme(plan.name, files))
        made_of = stamp(stage, mark)
    journal.path.unlink()
    return made_of


class _Journal:
    """Finished plays, in a file next to the folder that is being made: a header, then a line for each job, in order in each set.

    A line is a hash of its text, a space, the text; what follows a line that is torn is not believed.
    """

    def __init__(self, out: Path, plan: Plan) -> None:
        self.path = out.absolute().with_name(f"{out.absolute().name}.plays")
        self.header = json.dumps(["puzzlemill trajectories, plays", plan.key_of_plays()])
        self.known: dict[tuple[int, int], Plays] = {}

    def __enter__(self) -> _Journal:
        try:
            end = self._read() if self.path.exists() or self.path.is_symlink() else 0
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.file = self.path.open("r+b" if end else "wb")
            self.file.truncate(end)
            self.file.seek(end)
            if not end:
                self._add(self.header)
        except OSError as error:
            raise BadFile(f"{self.path}: cannot be written ({error.strerror or error}); choose another folder") from None
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def keep(self, job: Job, made: Made) -> None:
        if job.plays is None:
            self._add(json.dumps([job.which, job.number, made.plays], separators=(",", ":")))

    def _add(self, text: str) -> None:
        self.file.write(f"{_short(text)} {text}\n".encode())
        self.file.flush()

    def _read(self) -> int:
        """Learn what is known; returns where the file is to go on."""
        ours, end = False, 0
        if self.path.is_symlink() or not self.path.is_file():
            raise BadFile(f"{self.path}: is no file of plays; choose another folder")
        with self.path.open("rb") as file:
            for line in file:
                digest, _, text = line.decode("ascii", "replace").partition(" ")
                if not text.endswith("\n") or digest != _short(text[:-1]):
                    break
                if not ours:
                    if text[:-1] != self.header:
                        raise BadFile(f"{self.path}: holds plays of another plan or version; remove it, or choose another folder")
                    ours = True
                else:
                    which, number, plays = json.loads(text)
                    self.known[which, number] = tuple([None if done is None else tuple(done) for done in plays])
                end += len(line)
            else:
                return end
        if not ours and self.path.stat().st_size > len(self.header) + 20:
            raise BadFile(f"{self.path}: is no file of plays; choose another folder")
        return end


def _short(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


class _Rows:
    """A set's rows that are not taken yet, in the order of their tasks."""

    def __init__(self, plan: Plan, which: int, taken: set[str], progress: Progress | None) -> None:
        self.wanted, self.taken, self.progress = plan.sets[which], taken, progress
        self.dropped: Counter[str] = Counter()

    def taken_from(self, made: Iterator[Made]) -> Iterator[Row]:
        total = sum([number for _, number in self.wanted.counts])
        kept = 0
        for number, chunk in enumerate(made, 1):
            self.dropped.update(dict(chunk.dropped))
            for row in chunk.rows:
                if row["canonical_key"] in self.taken:
                    self.dropped["duplicate"] += 1
                    continue
                self.taken.add(row["canonical_key"])
                kept += 1
                yield row
                if kept == total:
                    return
            if self.progress is not None:
                self.progress(self.wanted.name, kept, total)
            if number * CHUNK > MOST_TRIES * (total + CHUNK):
                why = ", ".join(f"{reason} {times}" for reason, times in sorted(self.dropped.items()))
                raise BadParams(
                    f"sets.{self.wanted.name}: {kept} of {total} tasks after {number * CHUNK} were dealt ({why}); "
                    "ask for fewer, or choose other domains, sizes or nodes"
                )


def _jobs(plan: Plan, which: int, executor: ProcessPoolExecutor | None, workers: int, journal: _Journal) -> Iterator[Made]:
    """Results of all jobs of a set, in order, as long as somebody asks."""
    jobs = (Job(plan, which, number, journal.known.get((which, number))) for number in count())
    for job, made in in_order(executor, make, jobs, AHEAD * workers + 1):
        journal.keep(job, made)
        yield made


def write_played(release: Release, out: Path, policy: str, *, opening: str = "user", reasons: bool = False) -> dict[str, Any]:
    """Trajectories of a release's dialogues, in its splits: out/<split>.parquet. Those whose search takes too long are left out.

    Raises BadParams for a policy that there is not, or if the release has no dialogues.
    """
    if policy not in POLICIES or opening not in OPENINGS:
        raise BadParams(f"--policy is one of {', '.join(POLICIES)} and --opening one of {', '.join(OPENINGS)}")
    splits = Counter(row["split"] for row in rows_of(release, ("split", "question")) if is_dialogue(row["question"]))
    if not splits:
        raise BadParams(f"{release.folder}: holds no dialogues; make some with `puzzlemill generate release=kumo_train`")
    dropped: Counter[str] = Counter()

    def made(split: str) -> Iterable[Row]:
        for row in rows_of(release):
            if row["split"] == split and is_dialogue(row["question"]):
                try:
                    yield _played_again(row, policy, opening, reasons) | {"split": split, "set": str(row["variant"])}
                except Discarded as why:
                    dropped[why.reason] += 1

    with placed(out) as stage:
        content = [
            {"split": split, "rows": write_parquet(stage / f"{split}.parquet", COLUMNS, made(split)), "file": f"{split}.parquet"}
            for split in splits
        ]
        mark = {
            "trajectories": release.manifest.get("release"),
            "puzzlemill": puzzlemill.__version__,
            "checksum": release.manifest.get("checksum"),
            "policy": policy,
            "nodes": NODES,
            "opening": opening,
            "reasons": reasons,
            "content": content,
            "dropped": dict(sorted(dropped.items())),
        }
        write_text(stage / "README.md", _readme(str(release.manifest.get("release")), [str(one["file"]) for one in content]))
        return stamp(stage, mark)


def _played_again(row: Mapping[str, Any], policy: str, opening: str, reasons: bool) -> Row:
    """A row's dialogue, played by the rules of envs.turns and worded as this module words it."""
    puzzle = loads(puzzle_type(_FAMILY), row["puzzle"], "puzzle")
    world = loads(_FAMILY.hidden, row["hidden"], "hidden")
    reply_format = row["reply_format"]
    moves = Moves(puzzle, reply_format)
    turns = list(played(row, policy, stream("trajectories", row["id"])))
    done = [moves.read(message).action for message, _ in turns[:-1]]
    verdict = turns[-1][1].verdict
    plain = dialogue(puzzle, world, done, reply_format)
    same = [message for message, _ in turns] == [one["content"] for one in plain if one["role"] == "assistant"]
    heard = [row["prompt"], *[turn.text for _, turn in turns[:-1]]] == [one["content"] for one in plain if one["role"] == "user"]
    if verdict is None or not verdict.solved or not same or not heard:
        raise EnginesDisagree(
            {"game": f"right: {bool(verdict and verdict.solved)}", "told": f"alike: {same and heard}"}, row["puzzle"]
        )
    kept = {name: row[name] for name in ("canonical_key", "license", "canary")}
    return columns_of(puzzle, world, done, reply_format, opening, reasons) | kept | {"policy": policy}


def _readme(name: str, files: Sequence[str]) -> str:
    listed = ", ".join([f"`{path}`" for path in files])
    text = (resources("puzzlemill.kumo") / "templates" / "trajectories.md").read_text(encoding="utf-8")
    return text.format(name=name, files=listed, first=files[0])
