"""A whole release: groups built by a pool of processes, resumed where a run was cut short, the same for any number of workers.

    <out>/.work/<key>/shards/    a few groups each, complete or absent (written aside, then renamed), kept to the end; FOLDER of
                                 them in a folder
    <out>/.work/<key>/begun.json whose unfinished work it is
    <out>/.work/<key>/stage/     the release's files before they are moved into place, the manifest last

The key is a hash of the recipe and of this package's source, so that no shard of other code is ever taken up. Which groups are
kept is decided here and in a fixed order (stratum, split, index), whichever worker finishes first: a group whose puzzles are in
the release already (up to symmetry) is dropped and counted, and the next index of the same base is built in its place, in
bounded rounds.
Memory: rows live in the shards; this process holds the canonical keys and one row group.
"""

from __future__ import annotations

import json
import os
import shutil
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from hashlib import sha256
from heapq import merge
from pathlib import Path
from typing import Any, Protocol

from puzzlemill.core.errors import BadFile, BadInput, BadParams, EnginesDisagree
from puzzlemill.core.text import printable
from puzzlemill.factory import writer
from puzzlemill.factory.build import DUPLICATE, EXCLUDED, PUBLISHED, GroupResult, build_group
from puzzlemill.factory.exclusions import Exclusions
from puzzlemill.factory.files import in_one_line, locked, read_json, whole
from puzzlemill.factory.keyset import KeySet
from puzzlemill.factory.read import MANIFEST, file_hash
from puzzlemill.factory.reasoning import length
from puzzlemill.factory.recipe import Recipe, base_text
from puzzlemill.factory.workers import AHEAD, WorkerPool, in_order, prepared, warm, worth
from puzzlemill.factory.writer import Cell, source_key
from puzzlemill.generators import family_named

SHARD, LARGE_SHARD = 8, 64  # groups per shard: what is lost to a kill, and waited for after Ctrl-C; the larger ones of 500,000
SHARDS = 8_192  # of a round, from which on they grow
FOLDER = 1_000  # shards in a folder
SPARE = "spare"  # the reason counted for groups of a small class that were drawn ahead and not needed
HOPELESS = 600  # puzzles of one base drawn without one of the wanted band, after which a run stops looking; where one in
# sixty has it, which a run needs to come to its end, one in 24,000 runs stops too early
WORK, BEGUN = ".work", "begun.json"
MAX_BEGUN = 10_000  # bytes of it
NO_ROOM = "free some room or choose another out= and run again"


@dataclass(frozen=True, slots=True)
class Event:
    """Progress of one stratum in one split, in groups that are kept."""

    stratum: int
    family: str
    split: str
    done: int
    total: int


def bands_seen(missed: Mapping[str, int]) -> str:
    """easy 38, medium 2."""
    return ", ".join([f"{band} {times}" for band, times in sorted(missed.items(), key=lambda item: (-item[1], item[0]))])


def other_band(missed: Mapping[str, int]) -> str:
    """What one can ask for where puzzles of the bands that were drawn are not wanted."""
    return "leave band out: no puzzle of this sort is graded" if set(missed) == {"unrated"} else "ask for another band"


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a run. reused: the release stood already, whole, and nothing was made."""

    out: Path
    release: str
    rows: int
    cells: tuple[Cell, ...]
    reused: bool


class Earlier(Protocol):
    """Puzzles that must not come again. digest: the same for the same puzzles; it stands in the manifest."""

    @property
    def digest(self) -> str: ...

    def holds(self, keys: Sequence[str]) -> bool:
        """Return whether one of these canonical keys at least is among them."""
        ...


class _None:
    """Stands for no earlier release."""

    digest = ""

    def holds(self, keys: Sequence[str]) -> bool:
        del keys
        return False


def run(
    recipe: Recipe,
    out: Path,
    workers: int = 1,
    progress: Callable[[Event], None] | None = None,
    earlier: Earlier | None = None,
    exclude: Exclusions | None = None,
) -> Summary:
    """Build the release of this recipe in the folder `out`.

    earlier: what earlier releases hold; a group with a puzzle of theirs (up to symmetry, small classes excepted) is dropped.
    exclude: what the release holds that the recipe keeps apart from; a group with a puzzle of it is dropped, without exception.
    A finished release of the same recipe is left as it is; one that was cut short goes on. Raises BadParams if there are not
    enough different puzzles, BadFile if `out` holds something else, be it unfinished, or cannot be written, EnginesDisagree with
    the case saved under .work.
    """
    if not 1 <= workers <= 1_000:
        raise BadParams(f"workers: expected 1 to 1000 processes, got {workers}")
    _check_exclude(recipe, exclude)
    check_bands(recipe)
    earlier = earlier or _None()
    with in_one_line(out, NO_ROOM), _claimed(out, recipe, earlier.digest, exclude.digest if exclude else "") as finished:
        if finished is not None:
            return summary_of(out, finished, reused=True)
        return _Run(recipe, out, workers, progress or (lambda _: None), earlier, exclude).run()


# ---- the folder -------------------------------------------------------------------------------------------------------


def work_folder(recipe: Recipe, out: Path, earlier: str = "", exclude: str = "") -> Path:
    """The folder of the unfinished work of this recipe, after these earlier releases and apart from that one."""
    return out / WORK / sha256(f"{recipe.key()} {source_key()} {earlier} {exclude}".encode()).hexdigest()[:16]


@contextmanager
def _claimed(out: Path, recipe: Recipe, earlier: str, exclude: str) -> Iterator[dict[str, Any] | None]:
    """Make sure that `out` is ours and nobody else is writing there; gives the manifest if the release stands already."""
    finished = _inspect(out, recipe, earlier, exclude)
    work = out / WORK
    if finished is not None and not work.exists():
        yield finished
        return
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("w") as file:
        if not locked(file):
            raise BadFile(f"{out}: another run is writing there; wait for it or choose another out=")
        if finished is None:
            _begun(out, recipe, earlier, exclude)
        try:
            yield finished
        except BadParams:  # the same command would end in the same way, so that nothing goes on from here
            shutil.rmtree(work_folder(recipe, out, earlier, exclude), ignore_errors=True)
            raise
        if os.name == "nt":
            file.close()  # an open file cannot be removed there
        shutil.rmtree(work)  # also what a run left that was killed after its manifest stood


def _begun(out: Path, recipe: Recipe, earlier: str, exclude: str) -> None:
    """Write down whose unfinished work the folder holds. Raises BadFile if it holds some of another recipe, which would be lost.

    Of the same recipe made by other code, or after other earlier releases, nothing can be used; it goes when the run is done.
    """
    ours = {"release": recipe.name, "recipe_key": recipe.key(), "exclude": exclude}
    for path in sorted((out / WORK).glob(f"*/{BEGUN}")):
        there = read_json(path, MAX_BEGUN)
        made = any(path.parent.glob("shards/*/*/*.jsonl")) or any(path.parent.glob("disagreement-*.json"))
        if made and type(there) is dict and there != ours:
            name = printable(str(there.get("release"))[:60])
            raise BadFile(
                f"{out}: holds unfinished work of another command, on a release {name!r}; give that command again to go on with "
                f"it, choose another out=, or delete {out / WORK}"
            )
    path = work_folder(recipe, out, earlier, exclude) / BEGUN
    path.parent.mkdir(exist_ok=True)
    with whole(path) as aside:
        aside.write_text(json.dumps(ours), encoding="utf-8")


def _inspect(out: Path, recipe: Recipe, earlier: str, exclude: str) -> dict[str, Any] | None:
    """The manifest of a whole release of this recipe; None if there is none yet. Raises BadFile if something else lies there."""
    manifest = out / MANIFEST
    if manifest.exists():
        try:
            found = json.loads(manifest.read_bytes())
            key, versions = found["recipe_key"], {name: family["version"] for name, family in found["families"].items()}
            files = {path: (item["bytes"], item["sha256"]) for path, item in found["files"].items()}
            after, apart = found["earlier"], (found.get("exclusions") or {"digest": ""})["digest"]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise BadFile(f"{manifest}: no manifest of a release; choose another out= or remove {out}") from None
        same = {stratum.family: family_named(stratum.family).version for stratum in recipe.strata}
        if key != recipe.key() or versions != same:
            raise BadFile(
                f"{out}: holds the release {found.get('release')!r} of another recipe; choose another out= or remove it"
            )
        if after != earlier:
            raise BadFile(f"{out}: holds this release as made after other earlier ones; choose another out= or remove it")
        if apart != exclude:
            raise BadFile(f"{out}: holds this release as made apart from another one; choose another out= or remove it")
        if all(intact(out / path, *expected) for path, expected in files.items()):
            return dict(found)
        return None  # damaged; the same bytes are made again
    if out.is_dir() and not work_folder(recipe, out, earlier, exclude).is_dir():
        foreign = sorted(entry.name for entry in out.iterdir() if entry.name != WORK)
        if foreign:
            raise BadFile(f"{out}: holds {foreign[0]!r}, which is no release of this recipe; choose another out= or empty it")
    return None


def intact(path: Path, size: int, sha: str) -> bool:
    return path.is_file() and path.stat().st_size == size and file_hash(path) == sha


# ---- shards -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    """One shard: groups of one stratum and split."""

    stratum: int
    split: str
    indexes: tuple[int, ...]
    path: Path


@dataclass(frozen=True, slots=True)
class Built:
    """The fate of one group: keys, lasting as GroupResult's, () if it was given up; bands, variants: of every row; depths: of
    those without an answer; traces: as reasoning.length(), of all but dialogues; missed: GroupResult.bands.
    """

    index: int
    keys: tuple[str, ...]
    lasting: tuple[str, ...]
    tally: tuple[tuple[str, int], ...]
    bands: tuple[str, ...]
    variants: tuple[str, ...]
    depths: tuple[str, ...]
    traces: tuple[tuple[int, bool], ...]
    missed: tuple[tuple[str, int], ...]


def build_shard(recipe: Recipe, task: Task) -> tuple[Built, ...]:
    """Build a shard's groups and write them down, unless the shard is there already."""
    groups = _read_shard(task)
    if groups is None:
        stratum = recipe.strata[task.stratum]
        groups = []
        for index in task.indexes:
            result = build_group(recipe, stratum, task.split, index)
            groups.append(group_of(index, result))
        _write_shard(task, groups)
    return tuple([built_of(group, recipe) for group in groups])


def group_of(index: int, result: GroupResult) -> dict[str, Any]:
    """A group as shards have it."""
    made = {"keys": result.keys, "lasting": result.lasting, "tally": result.tally, "missed": result.bands, "rows": result.rows}
    return {"index": index, **made}


def built_of(group: Mapping[str, Any], recipe: Recipe) -> Built:
    """The fate of a group as shards have it."""
    return Built(
        group["index"],
        tuple(group["keys"]),
        tuple(group["lasting"]),
        tuple((reason, times) for reason, times in group["tally"]),
        tuple(row["difficulty"]["band"] for row in group["rows"]),
        tuple(row["variant"] for row in group["rows"]),
        tuple(row["proof"]["depth"] for row in group["rows"] if row["proof"]["depth"]),
        tuple(length(row, recipe.reasoning) for row in group["rows"] if row["play"] is None),
        tuple((band, times) for band, times in group["missed"]),
    )


def _write_shard(task: Task, groups: list[dict[str, Any]]) -> None:
    task.path.parent.mkdir(parents=True, exist_ok=True)
    body = "".join([json.dumps(group, separators=(",", ":")) + "\n" for group in groups]).encode()
    with whole(task.path) as aside:
        aside.write_bytes(f"{sha256(body).hexdigest()}\n".encode() + body)


def _read_shard(task: Task) -> list[dict[str, Any]] | None:
    """A shard's groups; None if it is not there or not whole (a power cut can leave a renamed file empty)."""
    try:
        raw = task.path.read_bytes()
    except FileNotFoundError:
        return None
    head, _, body = raw.partition(b"\n")
    if head.decode("ascii", "replace") != sha256(body).hexdigest():
        return None
    groups: list[dict[str, Any]] = [json.loads(line) for line in body.splitlines()]
    return groups if tuple(group["index"] for group in groups) == task.indexes else None


# ---- workers ----------------------------------------------------------------------------------------------------------


def _carried(recipe: Recipe) -> Recipe:
    """The recipe in a worker process."""
    recipe.carry()
    return recipe


# ---- the run ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Base:
    """Groups of one base that one stratum owes one split.

    first: the number of its first group; earlier strata that share the base have the numbers before. tried: how many of at most
    `limit` were handed out. hit: one was made; missed: bands of parents that were of another one than is wanted.
    """

    wanted: int
    limit: int
    small: bool
    first: int
    kept: int = 0
    tried: int = 0
    hit: bool = False
    missed: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class _Round:
    """Groups of a filling that were asked for at once: their numbers, and a byte for each, 1 if it is kept. at: how many are
    decided about. size: of its shards.
    """

    indexes: array[int]
    size: int
    kept: bytearray
    at: int = 0


@dataclass(slots=True)
class _Filling:
    """One stratum and split on its way: its rounds in the order of their making, and what came of them."""

    stratum: int
    family: str
    split: str
    bases: list[_Base]
    rounds: list[_Round] = field(default_factory=list)
    groups: int = 0
    tally: Counter[str] = field(default_factory=Counter)
    bands: Counter[str] = field(default_factory=Counter)
    variants: Counter[str] = field(default_factory=Counter)
    depths: Counter[str] = field(default_factory=Counter)
    traces: Counter[tuple[int, bool]] = field(default_factory=Counter)
    rows: int = 0

    @property
    def wanted(self) -> int:
        return sum(base.wanted for base in self.bases)

    def event(self) -> Event:
        return Event(self.stratum, self.family, self.split, self.groups, self.wanted)

    @property
    def complete(self) -> bool:
        return all(base.kept == base.wanted for base in self.bases)

    def next_round(self) -> _Round | None:
        """Number what to build: all that is wanted, then replacements; small classes are drawn ahead, twice as far each time.
        None if nothing is missing, or no more may be tried. The cut into shards does not depend on the number of workers.
        """
        indexes = array("Q")
        for b, base in enumerate(self.bases):
            missing = base.wanted - base.kept
            more = max(missing, base.tried) if base.small and missing else missing
            more = min(more, base.limit - base.tried)
            indexes.extend((base.first + k) * len(self.bases) + b for k in range(base.tried, base.tried + more))
            base.tried += more
        if not indexes:
            return None
        if len(self.bases) > 1:
            indexes = array("Q", sorted(indexes))
        size = max(1, min(SHARD, len(indexes) // 8), min(LARGE_SHARD, len(indexes) // SHARDS))
        self.rounds.append(_Round(indexes, size, bytearray(len(indexes))))
        return self.rounds[-1]

    def tasks(self, number: int, folder: Path) -> Iterator[Task]:
        """The shards of a round."""
        made = self.rounds[number]
        for start in range(0, len(made.indexes), made.size):
            shard = start // made.size
            path = folder / f"{self.stratum}-{self.split}-{number}" / f"{shard // FOLDER:03}" / f"{shard}.jsonl"
            yield Task(self.stratum, self.split, tuple(made.indexes[start : start + made.size]), path)

    def watch(self, group: Built, recipe: Recipe) -> None:
        """Raise BadParams where so many puzzles of a base have another band than is wanted that none is to be hoped for."""
        b = group.index % len(self.bases)
        base = self.bases[b]
        base.hit |= bool(group.keys)
        base.missed.update(dict(group.missed))
        if not base.hit and base.missed.total() >= HOPELESS:
            stratum = recipe.strata[self.stratum]
            raise BadParams(
                f"strata[{self.stratum}].band: {base.missed.total()} puzzles of {self.family} {base_text(stratum.bases()[b])} "
                f"were drawn, and none is {stratum.band} ({bands_seen(base.missed)}); {other_band(base.missed)}, or give "
                f"strata[{self.stratum}].params other values"
            )

    def settle(self, group: Built, taken: KeySet, earlier: Earlier, exclude: Exclusions | None) -> bool:
        """Decide about the next group in the fixed order; returns whether it is kept."""
        made = self.rounds[-1]
        kept = self._settled(group, taken, earlier, exclude)
        made.kept[made.at] = kept
        made.at += 1
        return kept

    def _settled(self, group: Built, taken: KeySet, earlier: Earlier, exclude: Exclusions | None) -> bool:
        base = self.bases[group.index % len(self.bases)]
        self.tally.update(dict(group.tally))
        if not group.keys:
            return False
        if any(key in taken for key in group.keys):
            self.tally[DUPLICATE] += 1
        elif exclude is not None and exclude.holds(group.keys):
            self.tally[EXCLUDED] += 1
        elif earlier.holds(group.lasting):
            self.tally[PUBLISHED] += 1
        elif base.kept == base.wanted:
            self.tally[SPARE] += 1
        else:
            for key in group.keys:
                taken.add(key)
            base.kept += 1
            self.groups += 1
            self.bands.update(group.bands)
            self.variants.update(group.variants)
            self.depths.update(group.depths)
            self.traces.update(group.traces)
            self.rows += len(group.bands)
            return True
        return False


@dataclass(slots=True)
class _Place:
    """A family in a split on its way into files: its fillings in their order, and how far they are written."""

    fillings: list[_Filling]
    files: writer.SplitFiles

    def write(self) -> None:
        """Write the row groups that are full and known: a filling's rows come after all of the fillings before it."""
        known = 0
        for filling in self.fillings:
            known += filling.rows
            if not filling.complete:
                break
        while known - self.files.rows >= writer.ROW_GROUP:
            self.files.take()


@dataclass(slots=True)
class _Run:
    """One run's state."""

    recipe: Recipe
    out: Path
    workers: int
    progress: Callable[[Event], None]
    earlier: Earlier
    exclude: Exclusions | None
    work: Path = field(init=False)
    fillings: list[_Filling] = field(init=False)
    places: dict[tuple[str, str], _Place] = field(init=False)

    def __post_init__(self) -> None:
        self.work = work_folder(self.recipe, self.out, self.earlier.digest, self.exclude.digest if self.exclude else "")
        self.fillings = _fillings(self.recipe)
        shared: dict[tuple[str, str], list[_Filling]] = {}
        for filling in self.fillings:
            shared.setdefault((filling.family, filling.split), []).append(filling)
        stage = self.work / "stage"
        self.places = {
            at: _Place(some, writer.SplitFiles(stage, *at, self._rows(some))) for at, some in shared.items()
        }  # in the order of the strata; strata of one family share files

    def run(self) -> Summary:
        (self.work / "shards").mkdir(parents=True, exist_ok=True)
        stage = self.work / "stage"
        if stage.exists():
            shutil.rmtree(stage)
        stage.mkdir()
        try:
            self._build()
        except EnginesDisagree as error:
            raise self._saved(error) from None
        except BrokenProcessPool:
            raise BadInput(
                "workers: a worker process was killed, perhaps for want of memory; run the same command again to go on, "
                "with fewer workers if it happens again"
            ) from None

        def files(family: str, split: str) -> writer.SplitFiles:
            return self.places[family, split].files

        manifest = writer.stage(stage, self.recipe, self._cells(), self._used(), files, self.earlier.digest, self.exclude)
        put_in_place(stage, self.out, manifest)
        return summary_of(self.out, manifest, reused=False)

    def _build(self) -> None:
        taken = KeySet()
        owner = {(filling.stratum, filling.split): filling for filling in self.fillings}
        pool: ProcessPoolExecutor | None = None
        with ExitStack() as running:
            while rounds := [(filling, made) for filling in self.fillings if (made := filling.next_round())]:
                workers = worth(sum(len(made.indexes) for _, made in rounds), self.workers)
                if pool is None and workers > 1:
                    warm([stratum.family for stratum in self.recipe.strata], workers)
                    pool = running.enter_context(WorkerPool(workers, _carried, self.recipe))
                work = partial(build_shard, self.recipe) if pool is None else partial(prepared, build_shard)
                tasks = (task for filling, _ in rounds for task in filling.tasks(len(filling.rounds) - 1, self.work / "shards"))
                for task, built in in_order(pool, work, tasks, AHEAD * self.workers):
                    filling = owner[task.stratum, task.split]
                    for group in built:
                        filling.watch(group, self.recipe)
                        filling.settle(group, taken, self.earlier, self.exclude)
                    self.places[filling.family, filling.split].write()
                    self.progress(filling.event())
        for filling in self.fillings:
            _complain_if_short(self.recipe, filling)

    def _cells(self) -> tuple[Cell, ...]:
        """Per family and split, in the order of the strata."""

        def counted(tallies: Iterable[Counter[str]]) -> tuple[tuple[str, int], ...]:
            return tuple(sorted(sum(tallies, Counter()).items()))

        return tuple(
            Cell(
                *at,
                sum(filling.groups for filling in place.fillings),
                sum(filling.rows for filling in place.fillings),
                counted(filling.tally for filling in place.fillings),
                counted(filling.bands for filling in place.fillings),
                counted(filling.variants for filling in place.fillings),
                counted(filling.depths for filling in place.fillings),
                tuple(sorted(sum([filling.traces for filling in place.fillings], Counter[tuple[int, bool]]()).items())),
            )
            for at, place in self.places.items()
        )

    def _used(self) -> Counter[tuple[str, str]]:
        used: Counter[tuple[str, str]] = Counter()
        for filling in self.fillings:
            for spec, base in zip(self.recipe.strata[filling.stratum].bases(), filling.bases, strict=True):
                used[filling.family, base_text(spec)] += base.kept
        return used

    def _rows(self, fillings: Sequence[_Filling]) -> Iterator[dict[str, Any]]:
        """The kept rows of a family in a split, a shard at a time; to be asked only for rows that are decided about."""
        for filling in fillings:
            number = 0
            while number < len(filling.rounds):  # more may come while this goes on
                at, kept = 0, filling.rounds[number].kept
                for task in filling.tasks(number, self.work / "shards"):
                    here, at = kept[at : at + len(task.indexes)], at + len(task.indexes)
                    if not any(here):  # also of shards that are still to come, of which nothing is needed
                        continue
                    groups = _read_shard(task)
                    if groups is None:
                        raise BadFile(f"{task.path}: vanished or damaged while the run went on; run again")
                    for group, stays in zip(groups, here, strict=True):
                        if stays:
                            yield from group["rows"]
                number += 1

    def _saved(self, error: EnginesDisagree) -> EnginesDisagree:
        """The same error, its case written where it survives the run."""
        text = json.dumps({"findings": error.findings, "puzzle": json.loads(error.puzzle)}, indent=1, ensure_ascii=False)
        path = self.work / f"disagreement-{sha256(text.encode()).hexdigest()[:12]}.json"
        path.write_text(text + "\n", encoding="utf-8")
        return EnginesDisagree(error.findings, error.puzzle, str(path))


def stream(recipe: Recipe, exclude: Exclusions | None = None) -> Iterator[dict[str, Any]]:
    """The rows of the release that run() writes, one group after another as they are made, in this process.

    Families take turns; rows of one come in the order of its file. Where groups turn out to be duplicates, others come in their
    place, later.
    Raises as run() does, as late as it must.
    """
    _check_exclude(recipe, exclude)
    check_bands(recipe)
    taken = KeySet()
    fillings = _fillings(recipe)
    while rounds := [(filling, made) for filling in fillings if (made := filling.next_round())]:
        for filling, index in _in_turn(rounds):
            result = build_group(recipe, recipe.strata[filling.stratum], filling.split, index)
            built = built_of(group_of(index, result), recipe)
            filling.watch(built, recipe)
            if filling.settle(built, taken, _None(), exclude):
                yield from result.rows
    for filling in fillings:
        _complain_if_short(recipe, filling)


def _in_turn(rounds: Sequence[tuple[_Filling, _Round]]) -> Iterator[tuple[_Filling, int]]:
    """The groups of a round, families mixed evenly; those of one in the order of its strata, in which duplicates are settled."""
    families: dict[str, list[tuple[_Filling, _Round]]] = {}
    for filling, made in rounds:
        families.setdefault(filling.family, []).append((filling, made))

    def placed(number: int, some: Sequence[tuple[_Filling, _Round]]) -> Iterator[tuple[Fraction, int, _Filling, int]]:
        count = 2 * sum(len(made.indexes) for _, made in some)
        groups = ((filling, index) for filling, made in some for index in made.indexes)
        return ((Fraction(2 * k + 1, count), number, filling, index) for k, (filling, index) in enumerate(groups))

    every = [placed(number, some) for number, some in enumerate(families.values())]
    return ((filling, index) for _, _, filling, index in merge(*every, key=lambda group: group[:2]))


def _check_exclude(recipe: Recipe, exclude: Exclusions | None) -> None:
    """Raise BadParams unless this is a release of the recipe that is to be kept apart from."""
    if recipe.excludes != (exclude.recipes if exclude else ()):
        named = " and ".join(recipe.excludes) or "nothing"
        if exclude is None:
            raise BadParams(
                f"exclude: {recipe.name} must not have a puzzle of a release of {named}, and none was named; make one "
                f"with `puzzlemill generate release={recipe.excludes[0]} out=DIR` and give exclude=DIR"
            )
        raise BadParams(f"exclude: {recipe.name} keeps apart from {named}, got a release of {' and '.join(exclude.recipes)}")


def check_bands(recipe: Recipe) -> None:
    """Raise BadParams for a base of which there is one puzzle only, up to symmetry, which is of another band than is wanted."""
    for s, stratum in enumerate(recipe.strata):
        if not stratum.band:
            continue
        single = replace(stratum, band="", variants=(), unsolvable=0)
        family, bases = family_named(stratum.family), stratum.bases()
        for b, spec in enumerate(bases):
            rows = build_group(recipe, single, stratum.counts[0][0], b).rows if family.small.puzzles(spec) == 1 else ()
            band = rows[0]["difficulty"]["band"] if rows else stratum.band
            if band != stratum.band:
                raise BadParams(
                    f"strata[{s}].band: of {stratum.family} {base_text(spec)} there is only one puzzle, which is {band}, not "
                    f"{stratum.band}; {'leave this combination out of' if bases[1:] else 'change'} strata[{s}].params, or ask "
                    "for another band"
                )


def _complain_if_short(recipe: Recipe, filling: _Filling) -> None:
    for b, base in enumerate(filling.bases):
        if base.kept < base.wanted:
            stratum = recipe.strata[filling.stratum]
            reasons = ", ".join(f"{reason} {times}" for reason, times in sorted(filling.tally.items()))
            raise BadParams(
                f"strata[{filling.stratum}].counts.{filling.split}: only {base.kept} different puzzles of {filling.family} "
                f"{base_text(stratum.bases()[b])} were found where {base.wanted} are wanted, after {base.tried} tries "
                f"({reasons}); ask for fewer, or give strata[{filling.stratum}].params more values"
            )


def _fillings(recipe: Recipe) -> list[_Filling]:
    """List what is owed, in the fixed order, with bounds on how long to look for it."""
    fillings = []
    first: Counter[tuple[str, str, str]] = Counter()
    for quota in recipe.quotas:
        stratum = recipe.strata[quota.stratum]
        family = family_named(stratum.family)
        bases = []
        for spec, wanted in zip(stratum.bases(), quota.by_base, strict=True):
            capacity = family.small.puzzles(spec)
            # the last puzzle of a small class of n takes about n draws, more where some are rare
            limit = (2 * wanted + 20 if capacity is None else 200 * capacity + 200) if wanted else 0
            at = (stratum.family, quota.split, base_text(spec))
            bases.append(_Base(wanted, limit, capacity is not None, first[at]))
            first[at] += limit
        if any(quota.by_base):
            fillings.append(_Filling(quota.stratum, stratum.family, quota.split, bases))
    return fillings


def put_in_place(stage: Path, out: Path, manifest: dict[str, Any]) -> None:
    """Move a staged release into place, the manifest last: whoever finds a manifest finds all its files."""
    (out / MANIFEST).unlink(missing_ok=True)
    for path in [*manifest["files"], MANIFEST]:
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (stage / path).replace(out / path)


def summary_of(out: Path, manifest: dict[str, Any], *, reused: bool) -> Summary:
    cells = tuple(
        Cell(
            cell["family"],
            cell["split"],
            cell["groups"],
            cell["rows"],
            tuple(sorted(cell["dropped"].items())),
            tuple(sorted(cell["difficulty"].items())),
            tuple(sorted(cell["variants"].items())),
            tuple(sorted(cell.get("depths", {}).items())),
        )
        for cell in manifest["content"]
    )
    return Summary(out, manifest["release"], sum(cell.rows for cell in cells), cells, reused)
