"""Verify a release: that its files are the ones that were made, and that every row is what it claims to be.

Nothing is taken on trust that can be computed again. A row is built once more from its puzzle and answer and compared column by
column; its status is proved again; its group, its split and its place in the recipe are checked against the other rows. So an
altered row is found even where the manifest was rewritten to fit it. A puzzle that an engine cannot decide is counted apart and
never as passed. Of the sample that the recipe names effort is measured and Z3 is asked too, as it was when the rows were made.

What looking at a release cannot show: whether the rows are the ones that the recipe draws. A forger who rewrites the manifest too
can exchange whole groups between splits, reorder rows, or put other sound rows of the same kind in. Of a release in a series a
later one shows the first and the last (`FurtherChecks.between`): its manifest holds the hash of this one's segment of the ledger,
which holds a digest of its rows. Else only making the release again, or comparing the manifest's hash with one from a source you
trust, does.
Rows of the sample have `effort.sat_*` and `effort.smt_*`; the former are compared where the solver and the machine are those that
the manifest names.
Memory: one batch of rows per process, and some 120 bytes per row for its id, key and group; of a release in a series its keys.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from gzip import GzipFile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError

from puzzlemill.core.errors import BadFile, BadInput, BadParams
from puzzlemill.core.family import Pairing
from puzzlemill.core.params import specialized
from puzzlemill.factory import example, record
from puzzlemill.factory.bundle import BESIDE, INSIDE, ROWS, lines_of, scorer_zip, write_archive
from puzzlemill.factory.card import card
from puzzlemill.factory.keyset import KeySet
from puzzlemill.factory.read import MANIFEST, Release, batches, data_path, file_hash, open_release, parquet
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.recipe import CANONICAL, Recipe, Stratum, base_text, plain_names
from puzzlemill.factory.verify_row import (
    NONSENSE,
    Checked,
    Problem,
    RowFacts,
    Task,
    check_one,
    difference,
    short,
    without_arguments,
)
from puzzlemill.factory.workers import WorkerPool, in_order, worth
from puzzlemill.factory.writer import checksum, environment, manifest_text, memory_of, source_key, traces_of
from puzzlemill.generators import family_named
from puzzlemill.scoring.score import COLUMNS
from puzzlemill.solvers.engines import ENGINES

CARD, SCORER = "README.md", "scorer.zip"
PART = 128  # rows of a task at least, where several processes share the work; of many rows a task is a row group
_SOLVER = ("machine", "system", "python-sat")


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome. proved + undecided may be less than rows: rows with problems are in neither. smt: that Z3 decided too."""

    rows: int
    files: int
    proved: int
    undecided: int
    problems: int
    smt: int = 0

    def __str__(self) -> str:
        found = "0 problems" if not self.problems else f"{self.problems} problem{'s' if self.problems > 1 else ''}"
        proved = f"{self.proved} proved again{f' ({self.smt} by Z3 too)' if self.smt else ''}"
        return f"{found}: {self.files} files, {self.rows} rows, {proved}, {self.undecided} not decided"


class FurtherChecks(Protocol):
    """Checks of what else lies in the folder of a release; `publish.published` has those of a release in a series."""

    def stated(self, release: Release) -> Mapping[str, str]:
        """Path -> SHA-256 of further files that the manifest names."""

    def belongs(self, release: Release) -> Callable[[str], bool]:
        """Give a test for paths: true for those that may lie in the folder although the manifest does not name them."""

    def problems(self, release: Release, lasting: Mapping[str, str]) -> Iterator[Problem]:
        """Find what is wrong. lasting: canonical key -> row id, of all but small classes."""

    def between(self, releases: Sequence[Release]) -> Iterator[tuple[Path, Problem]]:
        """Find where releases contradict each other, with the folder of each problem."""


def verify(
    folder: Path,
    show: Callable[[str], None],
    *,
    further: FurtherChecks | None = None,
    engine: str | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    note: Callable[[RowFacts], None] | None = None,
) -> Report:
    """Check everything; each problem is shown as one line `row id or file: what`.

    further: checks of what else lies in the folder; without them any file that the manifest does not name is a problem.
    engine: the one to prove rows with; None proves each row again as it was proved when it was made, by two formulations and in
        the recipe's sample by Z3 too, and replays its deduction against the model.
    progress(rows done, rows in all). note: is given the facts of every row that could be read.
    Raises BadParams for an unknown engine, and BadFile at the end if the release has a file that cannot be read (its rows are
    not verified; everything else is).
    """
    if engine is not None and engine not in ENGINES:
        raise BadParams(f"--engine: unknown engine {engine!r}; known: {', '.join(ENGINES)}")
    if not 1 <= workers <= 256:
        raise BadParams(f"--workers: expected 1 to 256 processes, got {workers}")
    release = open_release(folder)
    recipe = _recipe_of(release)
    problems = 0

    def report(found: Iterable[Problem]) -> None:
        nonlocal problems
        for where, what in found:
            problems += 1
            show(f"{where}: {what}")

    unreadable: list[BadFile] = []
    report(_check_files(release, further))
    report(_check_manifest(release, recipe))
    whole = _Whole(recipe, release, engine)
    done = 0
    tasks: list[Task] = []
    for path in release.data_files():
        if (folder / path).is_file():
            try:
                mine = _tasks(release, path, engine, recipe)
            except BadFile as error:
                unreadable.append(error)
                continue
            if (count := sum(task.rows for task in mine)) != release.files[path].rows:
                report([(path, f"has {count} rows, the manifest says {release.files[path].rows}")])
            tasks += mine
    total = sum(task.rows for task in tasks)
    rows = proved = undecided = smt = 0
    for task, result in _run(tasks, workers):
        if isinstance(result, BadFile):
            if str(result) not in [str(error) for error in unreadable]:
                unreadable.append(result)
            continue
        report(result.problems)
        for facts in result.facts:
            report(whole.add(facts))
            if note is not None:
                note(facts)
        rows, proved, undecided = rows + result.rows, proved + result.proved, undecided + result.undecided
        smt += result.smt
        done += task.rows
        if progress is not None:
            progress(done, total)
    report(whole.finish(complete=not unreadable))
    if not unreadable:
        report(_check_made(release))
        report(further.problems(release, whole.lasting) if further else ())
    if unreadable:
        for other in unreadable[1:]:
            show(str(other))
        raise unreadable[0]
    files = len(release.files) + len(further.stated(release) if further else ()) + 1
    return Report(rows, files, proved, undecided, problems, smt)


def _recipe_of(release: Release) -> Recipe:
    try:
        return Recipe.from_plain(release.manifest["recipe"])
    except (KeyError, BadParams) as error:
        raise BadFile(f"{release.folder / MANIFEST}: its recipe cannot be read ({error}); restore the file") from None


# ---- files ------------------------------------------------------------------------------------------------------------


def _check_files(release: Release, further: FurtherChecks | None) -> Iterator[Problem]:
    """Files that are missing, altered or not in the manifest."""
    own = [(path, entry.bytes, entry.sha256) for path, entry in sorted(release.files.items())]
    stated = further.stated(release) if further else {}
    for path, size, sha in [*own, *[(path, None, sha) for path, sha in sorted(stated.items())]]:
        file = release.folder / path
        if not file.is_file():
            yield path, "missing, though the manifest lists it"
        elif size is not None and file.stat().st_size != size:
            yield path, f"has {file.stat().st_size} bytes, the manifest says {size}"
        elif file_hash(file) != sha:
            yield path, "was altered: its SHA-256 is not the manifest's"
    known, belongs = {*release.files, *stated, MANIFEST}, further.belongs(release) if further else None
    for file in sorted(release.folder.rglob("*")):
        path = file.relative_to(release.folder).as_posix()
        if file.is_file() and path not in known and not (belongs and belongs(path)):
            yield path, "is not in the manifest"


def _check_manifest(release: Release, recipe: Recipe) -> Iterator[Problem]:
    """The manifest's own hash, and what it says that the recipe decides."""
    try:
        raw = (release.folder / MANIFEST).read_bytes()
        text = manifest_text(release.manifest).encode("utf-8", "replace")
        if release.manifest.get("checksum") != checksum(release.manifest) or raw != text:
            yield MANIFEST, "was altered: it does not fit its checksum"
    except OSError as error:
        yield MANIFEST, f"cannot be read again ({error.strerror})"
    apart = release.manifest.get("exclusions")
    if (apart.get("recipe") if type(apart) is dict else apart) != (plain_names(recipe.excludes) if recipe.excludes else None):
        named = " and ".join(recipe.excludes) or "nothing"
        yield MANIFEST, f"exclusions: {short(apart)}, but the recipe keeps apart from {named}"
    for cell in release.manifest["content"]:
        paths = release.data_files(cell["family"], cell["split"])
        if paths != [data_path(cell["family"], cell["split"], i, len(paths)) for i in range(len(paths))]:
            yield (
                MANIFEST,
                f"files: those of {cell['family']}/{cell['split']} are not numbered from 0 to {len(paths) - 1} of {len(paths)}",
            )
    families = {stratum.family: family_named(stratum.family) for stratum in recipe.strata}
    decided = {
        "release": recipe.name,
        "recipe_key": recipe.key(),
        "schema_version": record.SCHEMA_VERSION,
        "families": {name: {"title": family.title, "version": family.version} for name, family in families.items()},
        "canary": record.canary_of(recipe),
        "license": recipe.license,
    }
    for name, value in decided.items():
        if release.manifest.get(name) != value:
            yield MANIFEST, f"{name}: {difference(release.manifest.get(name), value)}"


def _check_made(release: Release) -> Iterator[Problem]:
    """The card and the scorer are those that the manifest and the rows give.

    Their words and code are compared only if this package's source is the one that made them; the scorer's rows always are.
    """
    try:
        same = release.manifest["environment"]["source"] == source_key()
        words = card(release.manifest)
    except NONSENSE as error:
        yield MANIFEST, f"does not describe a release ({type(error).__name__}: {error})"
        return
    if same and (release.folder / CARD).is_file() and (release.folder / CARD).read_bytes() != words.encode():
        yield CARD, "is not the card that the manifest gives"
    if not all((release.folder / path).is_file() for path in [*release.data_files(), SCORER]):
        return
    if same and (problem := _difference_of_example(release)):
        yield MANIFEST, problem
    for path in release.data_files() if same else ():
        if (stated := release.manifest["files"][path].get("memory")) != (found := memory_of(release.folder / path)):
            yield MANIFEST, f"files: memory of {path}: {difference(stated, found)}"
    if problem := _difference_of_scorer(release, same):
        yield SCORER, problem


def _difference_of_scorer(release: Release, same: bool) -> str:
    """Say what is wrong with scorer.zip or the rows beside it, "" if nothing is. same: as the source that made them."""
    found, beside = release.folder / SCORER, release.folder / BESIDE
    with TemporaryDirectory() as folder:
        again = Path(folder) / SCORER
        try:
            if BESIDE not in release.files:
                made = scorer_zip(rows_of(release, COLUMNS), again)
                return _difference_of_archives(found, again, same) if len(made) == 1 else f"{BESIDE} is missing beside it"
            if problem := _difference_of_lines(beside, lines_of(rows_of(release, COLUMNS))):
                return problem
            write_archive(again, (), release.files[BESIDE].sha256)
        except BadInput as error:
            return f"cannot be made from these rows ({error})"
        return _difference_of_archives(found, again, True) if same else ""


def _difference_of_lines(packed: Path, lines: Iterator[bytes]) -> str:
    """Say what differs between the rows beside the scorer and what they should be, "" if nothing does."""
    size = 0
    try:
        with GzipFile(packed) as file:
            for line in lines:
                size += len(line)
                if file.read(len(line)) != line:
                    return f"{packed.name} does not hold the rows of the release"
            if file.read(1):
                return f"{packed.name} holds more than the rows of the release"
    except (ZlibError, EOFError, OSError) as error:
        return f"{packed.name} cannot be read ({type(error).__name__}: {error})"
    return "" if size > INSIDE else f"{packed.name}: so few rows lie in the archive itself"


def _difference_of_example(release: Release) -> str:
    """Say what is wrong with the row that the card shows, "" if nothing is."""
    stated = release.manifest.get("example")
    try:
        shown = example.chosen(
            [(cell["family"], cell["split"]) for cell in release.manifest["content"] if cell["rows"]],
            lambda family, split: rows_of(release, None, family, split),
        )
        if stated != (None if shown is None else example.told(shown)):
            return "example: is not the row that the card is to show"
        file = release.folder / example.PICTURE
        if shown is not None and not (file.is_file() and file.read_text(encoding="utf-8") == example.picture(shown)):
            return f"example: {example.PICTURE} is not the picture of its row"
    except (*NONSENSE, BadInput) as error:
        return f"example: cannot be made from these rows ({type(error).__name__}: {error})"
    return ""


def _difference_of_archives(found: Path, expected: Path, all_members: bool) -> str:
    """Say what differs between two archives' members, "" if nothing does; bounded by the size of what is expected."""
    try:
        with ZipFile(found) as ours, ZipFile(expected) as theirs:
            if all_members and (ours.namelist() != theirs.namelist() or ours.comment):
                return "holds other files than this source puts into it"
            for name in theirs.namelist() if all_members else [ROWS]:
                with ours.open(name) as a, theirs.open(name) as b:
                    while True:
                        block = b.read(1 << 16)
                        if a.read(max(1, len(block))) != block:
                            return f"{name} is not what it should be"
                        if not block:
                            break
        # equal members in other bytes: another zlib packs them, to another size; only what zip readers pass over is left
        if all_members and found.stat().st_size == expected.stat().st_size and file_hash(found) != file_hash(expected):
            return "has bytes that belong to no member and are not what they should be"
    except (BadZipFile, ZlibError, KeyError, EOFError, ValueError, RuntimeError, NotImplementedError, OSError) as error:
        return f"cannot be read as an archive ({type(error).__name__}: {error})"
    return ""


# ---- the work of one process ------------------------------------------------------------------------------------------


def _tasks(release: Release, path: str, engine: str | None, recipe: Recipe) -> list[Task]:
    folder, made, here = release.folder, release.manifest.get("environment"), environment()
    same = type(made) is dict and all(made.get(name) == here[name] for name in _SOLVER)
    with parquet(folder / path) as file:
        groups = [(i, file.metadata.row_group(i).num_rows) for i in range(file.metadata.num_row_groups)]
    text = json.dumps(recipe.to_plain())
    return [Task(str(folder), path, i, 0, rows, engine, text, same) for i, rows in groups]


def _run(tasks: Sequence[Task], workers: int) -> Iterator[tuple[Task, Checked | BadFile]]:
    """Results in the order of the tasks; from this process if there is one worker, else two tasks per worker are under way."""
    workers = worth(sum(task.rows for task in tasks), workers)
    size = max(PART, sum(task.rows for task in tasks) // (8 * workers))
    parts = tasks if workers == 1 else [part for task in tasks for part in _parts(task, size)]
    try:
        with nullcontext() if workers == 1 else WorkerPool(workers) as pool:
            yield from in_order(pool, _check, parts, 2 * workers)
    except BrokenProcessPool:
        raise BadInput("--workers: a process was killed, perhaps for want of memory; try again with fewer") from None


def _parts(task: Task, size: int) -> Iterator[Task]:
    """A row group's rows, so many at a time: reading those before a part again costs something, waiting for a process more."""
    for first in range(0, task.rows, size):
        yield replace(task, first=first, rows=min(size, task.rows - first))


def _check(task: Task) -> Checked | BadFile:
    """Check one row group. A file that cannot be read is a value here, so that the other files are still checked."""
    checked = Checked()
    recipe = _recipe(task.recipe)
    family, split = _place(task.path)
    try:
        for batch in batches(Path(task.folder) / task.path, None, [task.row_group], (task.first, task.first + task.rows)):
            for row in batch:
                checked.rows += 1
                check_one(row, family, split, recipe, task, checked)
    except BadFile as error:
        return error
    return checked


@lru_cache(maxsize=2)
def _recipe(text: str) -> Recipe:
    return Recipe.from_plain(json.loads(text))


def _place(path: str) -> tuple[str, str]:
    """data/<family>/<split>-<number>-of-<files>.parquet -> (family, split)."""
    parts = path.split("/")
    return (parts[-2] if len(parts) > 1 else ""), parts[-1].partition("-")[0]


# ---- what rows must be to each other ----------------------------------------------------------------------------------


class _Whole:
    """Ids, groups and keys of all rows. Problems are given as soon as they are known.

    A group whose rows stand together and are right is counted and forgotten; facts are held of others only. What is rare costs
    another reading: rows of a group that was forgotten (`apart`), and the first row of a key that comes again (`again`).
    """

    def __init__(self, recipe: Recipe, release: Release, engine: str | None) -> None:
        self.recipe, self.release, self.engine = recipe, release, engine
        self.wanted = [_wanted(stratum, recipe) for stratum in recipe.strata]
        self.lasting: dict[str, str] = {}  # canonical key -> its first row; without small classes, of a series only
        self._in_series = release.manifest.get("publication") is not None
        self._ids, self._keys, self._right = KeySet(), KeySet(), KeySet()
        self._here: list[RowFacts] = []
        self._groups: dict[str, list[RowFacts]] = {}
        self._apart: dict[str, None] = {}
        self._again: list[tuple[str, str, str]] = []  # row, key, group
        self._made: Counter[tuple[str, str]] = Counter()
        self._variants: dict[tuple[str, str], Counter[str]] = {}
        self._bands: dict[tuple[str, str], Counter[str]] = {}
        self._traces: dict[str, Counter[tuple[int, bool]]] = {}
        self._rows: Counter[str] = Counter()

    def add(self, facts: RowFacts) -> Iterator[Problem]:
        if facts.id in self._ids:
            yield facts.id, "id: another row has it too; one of them is a copy"
            return
        self._ids.add(facts.id)
        self._count(facts)
        if self._here and self._here[0].group != facts.group:
            self._leave()
        if facts.key in self._keys and facts.key not in [each.key for each in self._here]:
            self._again.append((facts.id, facts.key, facts.group))
        self._keys.add(facts.key)
        if facts.lasts and self._in_series:
            self.lasting.setdefault(facts.key, facts.id)
        if facts.group in self._right:
            self._apart[facts.group] = None
        elif facts.group in self._groups:
            self._groups[facts.group].append(facts)
        else:
            self._here.append(facts)

    def _count(self, facts: RowFacts) -> None:
        at = facts.family, facts.split
        self._variants.setdefault(at, Counter())[facts.variant] += 1
        self._bands.setdefault(at, Counter())[facts.band] += 1
        self._rows[facts.family] += 1
        if facts.trace is not None:
            self._traces.setdefault(facts.family, Counter())[facts.trace] += 1

    def _leave(self) -> None:
        """The rows of a group are followed by those of another one."""
        first = self._here[0]
        if any(_check_group(self._here, self.wanted, True)):
            self._groups[first.group] = self._here
        else:
            self._right.add(first.group)
            self._made[first.family, first.split] += 1
        self._here = []

    def finish(self, *, complete: bool) -> Iterator[Problem]:
        """Check groups against each other and the recipe. complete: every row was read, so what is missing is missing."""
        if self._here:
            self._leave()
        for members in self._read_again():
            self._groups[members[0].group] = members
            self._made[members[0].family, members[0].split] -= 1  # it was counted when it seemed to be right
        yield from self._same_puzzles()
        for members in self._groups.values():
            yield from _check_group(members, self.wanted, complete)
            self._made[members[0].family, members[0].split] += 1
        if complete:
            yield from self._check_counts(+self._made)
            yield from self._check_content(self._made)
            yield from self._check_traces()

    def _read_again(self) -> list[list[RowFacts]]:
        """The facts of all rows of groups that came apart."""
        found: dict[str, dict[str, RowFacts]] = {group: {} for group in self._apart}
        text = json.dumps(self.recipe.to_plain())
        for path in self.release.data_files() if found else ():
            task, checked = Task(str(self.release.folder), path, 0, 0, 0, self.engine, text, False), Checked()
            with suppress(BadFile):  # said before
                for batch in batches(self.release.folder / path):
                    for row in batch:
                        if isinstance(row.get("group_id"), str) and row["group_id"] in found:
                            check_one(row, *_place(path), self.recipe, task, checked)
            for facts in checked.facts:
                found[facts.group].setdefault(facts.id, facts)
        return [list(members.values()) for members in found.values() if members]

    def _same_puzzles(self) -> Iterator[Problem]:
        """Rows whose puzzle is, up to symmetry, in another group."""
        wanted, first = {key for _, key, _ in self._again}, dict[str, str]()
        for path in self.release.data_files() if wanted else ():
            with suppress(BadFile):
                for batch in batches(self.release.folder / path, ("canonical_key", "group_id")):
                    for row in batch:
                        if row["canonical_key"] in wanted:
                            first.setdefault(row["canonical_key"], row["group_id"])
        for row_id, key, group in self._again:
            if first.get(key) != group:
                yield row_id, f"canonical_key: the same puzzle, up to symmetry, is in group {first.get(key)}"

    def _check_counts(self, made: Counter[tuple[str, str]]) -> Iterator[Problem]:
        """Compare numbers of groups with the recipe's, in every split of every family: a run delivers all of them or nothing."""
        asked: Counter[tuple[str, str]] = Counter()
        for stratum in self.recipe.strata:
            for split, count in stratum.counts:
                asked[stratum.family, split] += count
        for (family, split), count in sorted((asked | made).items()):
            count = asked[family, split]
            if made[family, split] != count:
                paths = self.release.data_files(family, split) or [data_path(family, split)]
                where = paths[0] if len(paths) == 1 else f"data/{family}/{split}-*.parquet"
                yield where, f"holds {made[family, split]} groups, the recipe asks for {count}"

    def _check_content(self, made: Mapping[tuple[str, str], int]) -> Iterator[Problem]:
        """Compare what the manifest, and so the card, states of every file with its rows; what was dropped cannot be seen."""
        stated = {(cell["family"], cell["split"]): cell for cell in self.release.manifest["content"]}
        if len(stated) < len(self.release.manifest["content"]):
            yield MANIFEST, "content: names a family and split twice"
        for family, split in sorted({*stated, *self._variants}):
            at = (family, split)
            rows, nothing = Counter(self._variants.get(at, {})), {"groups": 0, "rows": 0, "variants": {}, "difficulty": {}}
            found = {
                "groups": made.get(at, 0),
                "rows": rows.total(),
                "variants": dict(sorted(rows.items())),
                "difficulty": dict(sorted(self._bands.get(at, {}).items())),
            }
            for name, value in found.items():
                if (states := stated.get(at, nothing)[name]) != value:
                    yield MANIFEST, f"content: {name} of {family}/{split}: {difference(states, value)}"

    def _check_traces(self) -> Iterator[Problem]:
        """Compare the lengths of traces that the manifest states; earlier releases state none."""
        rows, traces = self._rows.copy(), self._traces
        for cell in self.release.manifest["content"]:
            rows[cell["family"]] -= cell["rows"]
        found, stated = traces_of(list(traces.items())), self.release.manifest.get("traces")
        if not isinstance(stated, dict):  # of anything but a mapping no card can be made, which is said already
            return
        for family in sorted({*found, *stated}):
            if not rows[family] and stated.get(family) != found.get(family):  # else rows are missing, which is said already
                yield MANIFEST, f"traces: {family}: {difference(stated.get(family), found.get(family))}"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The demands of a stratum on a group: its base specs, and the sets of variants that a group may have."""

    family: str
    bases: frozenset[str]
    variants: frozenset[tuple[str, ...]]
    of: Mapping[str, str]  # the variant that each variant is made from
    specs: Mapping[tuple[str, str], str]  # by base and variant, the spec that the variant's puzzles have, as RowFacts.open_spec
    doubts: frozenset[str]  # variants whose prompts say that there may be no answer
    asks: tuple[str, ...]  # requests
    voices: str
    trace: bool  # whether its rows have the steps of their deductions


def _wanted(stratum: Stratum, recipe: Recipe) -> _Wanted:
    imported, seed = recipe.imported, recipe.release_seed()
    bases = [base if imported else specialized(base, seed) for base in stratum.bases()]
    sets = {tuple(sorted((CANONICAL, *(v.name for v in stratum.variants_at(turn))))) for turn in range(stratum.turns())}
    specs = {
        (base_text(base), variant.name): base_text(without_arguments(stratum.spec_of(base, variant)))
        for base in bases
        for variant in stratum.variants
    }
    return _Wanted(
        stratum.family,
        frozenset(base_text(spec) for spec in bases),
        frozenset(sets),
        {v.name: v.of for v in stratum.variants},
        specs,
        frozenset(name for name in (CANONICAL, *[v.name for v in stratum.variants]) if stratum.doubts(name))
        | (frozenset({CANONICAL}) if imported and imported.doubts else frozenset()),
        tuple([ask.value for ask in stratum.asks]),
        stratum.voices,
        stratum.trace,
    )


def _check_group(members: Sequence[RowFacts], wanted: Sequence[_Wanted], complete: bool) -> Iterator[Problem]:
    parents = [facts for facts in members if facts.parent is None]
    if len(parents) != 1:
        if complete:
            for facts in members:
                yield facts.id, f"group_id: {facts.group} has {'no' if not parents else len(parents)} parents"
        return
    parent = parents[0]
    fitting = [
        stratum
        for stratum in wanted
        if stratum.family == parent.family and (parent.spec in stratum.bases or parent.open_spec in stratum.bases)
    ]
    of = {name: source for stratum in fitting for name, source in stratum.of.items()}
    specs = {
        variant: spec for p in fitting for (base, variant), spec in p.specs.items() if base in (parent.spec, parent.open_spec)
    }
    by_variant = {facts.variant: facts for facts in members}
    for facts in members:
        if fitting and not any(facts.may_be_unsolvable is (facts.variant in stratum.doubts) for stratum in fitting):
            yield (
                facts.id,
                f"puzzle: its prompt {'admits' if facts.may_be_unsolvable else 'does not admit'} that there may be no answer",
            )
        if fitting and not any(facts.ask in stratum.asks for stratum in fitting):
            asks = dict.fromkeys(ask for stratum in fitting for ask in stratum.asks)
            yield facts.id, f"puzzle: its question asks for {facts.ask}, the recipe for {', '.join(asks)}"
        if fitting and not any(facts.voices == stratum.voices for stratum in fitting):
            voices = dict.fromkeys(stratum.voices for stratum in fitting)
            yield facts.id, f"puzzle: its voice is of {facts.voices or 'none'}, the recipe asks for {', '.join(voices)}"
        if fitting and facts.traced is not None and not any(facts.traced is stratum.trace for stratum in fitting):
            has, wants = ("some", "none") if facts.traced else ("none", "them")
            yield facts.id, f"trace: has {has} of the steps of the deduction, the recipe asks for {wants}"
    for facts in members:
        if facts.split != parent.split:
            yield facts.id, f"split: {facts.split}, but its parent {parent.id} is in {parent.split}"
        if facts is parent:
            continue
        if facts.open_spec != specs.get(facts.variant, facts.open_spec):
            yield facts.id, f"puzzle: is of the spec {facts.open_spec}, but these transforms make {specs[facts.variant]}"
        if facts.reply_format != parent.reply_format:
            yield facts.id, f"reply_format: {facts.reply_format}, but its parent's is {parent.reply_format}"
        if facts.ask != parent.ask:
            yield facts.id, f"puzzle: its question asks for {facts.ask}, its parent's for {parent.ask}"
        source = by_variant.get(of.get(facts.variant, CANONICAL), parent)
        if facts.parent != source.id or facts.family != parent.family:
            yield facts.id, f"parent_id: {facts.parent}, but its parent in this group is {source.id}"
        shared = {
            Pairing.EXACT.value: ("spec", "board", "clues", "key", "answer"),
            Pairing.SAME_ANSWER.value: ("first",),
            Pairing.GROUP.value: (),
            Pairing.NONE.value: (),
        }[facts.pairing]
        for name in shared:
            if getattr(facts, name) != getattr(source, name):
                differs = "answer" if name == "first" else name
                yield facts.id, f"pairing: {facts.pairing}, but {differs} differs from its parent's"
        if not facts.drawn and not facts.restyled and facts.style != source.style:
            yield facts.id, "puzzle: its style differs from its parent's, though no transform changes it"
        if not facts.drawn and facts.restyled and facts.whole_style == source.whole_style:
            yield facts.id, "puzzle: its style is its parent's, though the transforms change it"
        if not facts.drawn and (facts.clues_before, facts.board_before) != (source.clues, source.board):
            yield facts.id, "edit: undoing it does not give the parent's clues and board"
    variants = tuple(sorted(facts.variant for facts in members))
    if not fitting:
        yield parent.id, f"puzzle: the recipe has no {parent.family} of this spec"
    elif complete and not any(variants in stratum.variants for stratum in fitting):
        asked = min(fitting[0].variants)
        yield parent.id, f"group_id: the group has the variants {', '.join(variants)}, the recipe asks for {', '.join(asked)}"
