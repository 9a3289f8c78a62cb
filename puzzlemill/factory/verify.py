"""Verify a release: that its files are the ones that were made, and that every row is what it claims to be.

Nothing is taken on trust that can be computed again. A row is built once more from its puzzle and answer and compared column by
column; its status is proved again; its group, its split and its place in the recipe are checked against the other rows. So an
altered row is found even where the manifest was rewritten to fit it. A puzzle that an engine cannot decide is counted apart and
never as passed. Of the sample that the recipe names Z3 is asked too, as it was when the rows were made.

What looking at a release cannot show: whether the rows are the ones that the recipe draws. A forger who rewrites the manifest too
can exchange whole groups between splits, reorder rows, or put other sound rows of the same kind in. Of a release in a series a
later one shows the first and the last (`FurtherChecks.between`): its manifest holds the hash of this one's segment of the ledger,
which holds a digest of its rows. Else only making the release again, or comparing the manifest's hash with one from a source you
trust, does.
`effort.sat_*` are compared where the solver and the machine are those that the manifest names; of `effort.smt_*` only which rows
have them.
Memory: one batch of rows per process, and some 600 bytes per row for what rows are compared by.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol
from zipfile import BadZipFile, ZipFile
from zlib import error as ZlibError

from puzzlemill.core.codec import build, dumps, loads
from puzzlemill.core.errors import BadFile, BadInput, BadParams, Discarded, EnginesDisagree
from puzzlemill.core.family import AnyFamily, Pairing, Transform, puzzle_type
from puzzlemill.core.model import Finding
from puzzlemill.core.params import specialized
from puzzlemill.core.types import AnyPuzzle, Clue, Depth, Draft, Rule, Spec, Status
from puzzlemill.factory import record
from puzzlemill.factory.build import budget_of
from puzzlemill.factory.bundle import scorer_zip
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.factory.card import card
from puzzlemill.factory.read import MANIFEST, Release, batches, file_hash, open_release, parquet
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.recipe import CANONICAL, Recipe, Stratum, base_text
from puzzlemill.factory.workers import WorkerPool, in_order
from puzzlemill.factory.writer import checksum, data_path, environment, manifest_text, source_key
from puzzlemill.generators import family_named
from puzzlemill.questions import asked
from puzzlemill.scoring.score import score
from puzzlemill.solvers.certify import Certificate, by_smt, certify, recheck
from puzzlemill.solvers.deduce import grade
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.engines import ENGINES, Budget, Engines, finding
from puzzlemill.solvers.space import scope_of
from puzzlemill.transforms import loosest, promise, transform_of
from puzzlemill.transforms.clash import Clash

# What a family's code may raise on a puzzle that only looks like one (a board of another size than its parameters say). It is
# reported as a problem of the row: rows come from anywhere, and one of them must not end the verification of the others.
# What leads to the answer (solvers/deduce) asserts that it gets there; a made-up answer is not where it gets.
_NONSENSE = (ArithmeticError, AssertionError, LookupError, TypeError, ValueError, RecursionError)
_CLUES = 2_000  # of one puzzle; the largest sudoku has 625 cells
CARD, SCORER = "README.md", "scorer.zip"
Problem = tuple[str, str]  # file or row id, what is wrong
# Figures that may differ between platforms or engine versions although nothing is wrong. proof and play are checked apart.
_NOT_COMPARED = {"effort", "proof", "play"}
_SAT = ("sat_decisions", "sat_conflicts")  # compared if these of the environment are as they were
_SOLVER = ("machine", "system", "python-sat")


@dataclass(frozen=True, slots=True)
class RowFacts:
    """Facts of a row that the main process compares. Texts that are only compared for equality are given as their digests."""

    id: str
    group: str
    parent: str | None
    family: str
    variant: str
    pairing: str
    split: str
    spec: str
    open_spec: str  # without the arguments of its rules
    key: str
    lasts: bool  # whether no other release may have the puzzle: it is of no small class
    clues: str  # the clues
    clues_before: str  # the clues with the edit undone: the parent's
    board: str
    board_before: str
    drawn: bool  # anew, not made from the parent's puzzle by edits
    answer: str
    reply_format: str
    style: str  # the style without the order of the clues
    restyled: bool  # whether a transform may have changed the style beyond that order
    whole_style: str  # the style with that order
    may_be_unsolvable: bool  # whether the prompt says that there may be no answer
    band: str


@dataclass(slots=True)
class Checked:
    """One batch: problems, facts of the rows that could be read, and counts."""

    problems: list[Problem] = field(default_factory=list)
    facts: list[RowFacts] = field(default_factory=list)
    rows: int = 0
    proved: int = 0
    undecided: int = 0
    smt: int = 0  # that Z3 decided too


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
    whole = _Whole(recipe, release)
    done = 0
    tasks: list[_Task] = []
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
    if (apart.get("recipe") if type(apart) is dict else apart) != (recipe.excludes or None):
        yield MANIFEST, f"exclusions: {_short(apart)}, but the recipe keeps apart from {recipe.excludes or 'nothing'}"
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
            yield MANIFEST, f"{name}: {_difference(release.manifest.get(name), value)}"


def _check_made(release: Release) -> Iterator[Problem]:
    """The card and the scorer are those that the manifest and the rows give.

    Their words and code are compared only if this package's source is the one that made them; the scorer's rows always are.
    """
    try:
        same = release.manifest["environment"]["source"] == source_key()
        words = card(release.manifest)
    except _NONSENSE as error:
        yield MANIFEST, f"does not describe a release ({type(error).__name__}: {error})"
        return
    if same and (release.folder / CARD).is_file() and (release.folder / CARD).read_bytes() != words.encode():
        yield CARD, "is not the card that the manifest gives"
    if not all((release.folder / path).is_file() for path in [*release.data_files(), SCORER]):
        return
    with TemporaryDirectory() as folder:
        again = Path(folder) / SCORER
        try:
            scorer_zip(rows_of(release), again)
        except BadInput as error:
            yield SCORER, f"cannot be made from these rows ({error})"
            return
        different = _difference_of_archives(release.folder / SCORER, again, same)
    if different:
        yield SCORER, different


def _difference_of_archives(found: Path, expected: Path, all_members: bool) -> str:
    """Say what differs between two archives' members, "" if nothing does; bounded by the size of what is expected."""
    try:
        with ZipFile(found) as ours, ZipFile(expected) as theirs:
            if all_members and (ours.namelist() != theirs.namelist() or ours.comment):
                return "holds other files than this source puts into it"
            for name in theirs.namelist() if all_members else ["rows.jsonl"]:
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


@dataclass(frozen=True, slots=True)
class _Task:
    """One row group of one file. path: relative; its folder and name say the family and the split."""

    folder: str
    path: str
    row_group: int
    rows: int
    engine: str | None
    recipe: str  # JSON
    same_solver: bool  # as made the rows, on a machine of the same kind


def _tasks(release: Release, path: str, engine: str | None, recipe: Recipe) -> list[_Task]:
    folder, made, here = release.folder, release.manifest.get("environment"), environment()
    same = type(made) is dict and all(made.get(name) == here[name] for name in _SOLVER)
    with parquet(folder / path) as file:
        groups = [(i, file.metadata.row_group(i).num_rows) for i in range(file.metadata.num_row_groups)]
    text = json.dumps(recipe.to_plain())
    return [_Task(str(folder), path, i, rows, engine, text, same) for i, rows in groups]


def _run(tasks: Sequence[_Task], workers: int) -> Iterator[tuple[_Task, Checked | BadFile]]:
    """Results in the order of the tasks; from this process if there is one worker, else two tasks per worker are under way."""
    try:
        with nullcontext() if workers == 1 or len(tasks) < 2 else WorkerPool(workers) as pool:
            yield from in_order(pool, _check, tasks, 2 * workers)
    except BrokenProcessPool:
        raise BadInput("--workers: a process was killed, perhaps for want of memory; try again with fewer") from None


def _check(task: _Task) -> Checked | BadFile:
    """Check one row group. A file that cannot be read is a value here, so that the other files are still checked."""
    checked = Checked()
    recipe = _recipe(task.recipe)
    family, split = _place(task.path)
    try:
        for batch in batches(Path(task.folder) / task.path, None, [task.row_group]):
            for row in batch:
                checked.rows += 1
                _check_one(row, family, split, recipe, task, checked)
    except BadFile as error:
        return error
    return checked


@lru_cache(maxsize=2)
def _recipe(text: str) -> Recipe:
    return Recipe.from_plain(json.loads(text))


def _place(path: str) -> tuple[str, str]:
    """data/<family>/<split>-00000-of-00001.parquet -> (family, split)."""
    parts = path.split("/")
    return (parts[-2] if len(parts) > 1 else ""), parts[-1].partition("-")[0]


def _check_one(row: dict[str, Any], family: str, split: str, recipe: Recipe, task: _Task, checked: Checked) -> None:
    name = row.get("id")
    where = name if type(name) is str and name.isprintable() and 0 < len(name) < 200 else task.path
    found = record.check_row(row)
    # the figures and texts below need columns of the right types
    if any(": expected" in what or what.endswith((": null", ": missing", "unknown column")) for what in found):
        checked.problems += [(where, what) for what in found]
        return
    if row["family"] != family:
        found.append(f"family: {row['family']}, but it stands in {task.path}")
    if row["split"] != split:
        found.append(f"split: {row['split']}, but it stands in {task.path}")
    decided = True
    try:
        decided = _examine(row, recipe, task, found, checked)
    except BadInput as error:
        found.append(" ".join(str(error).removeprefix(f"row {row['id']}: ").split()))
    except _NONSENSE as error:
        found.append(f"puzzle: its family cannot read it ({type(error).__name__}: {error})")
    checked.problems += [(where, what) for what in found]
    if not decided:
        checked.undecided += 1
    elif not found:
        checked.proved += 1


def _examine(row: dict[str, Any], recipe: Recipe, task: _Task, problems: list[str], checked: Checked) -> bool:
    """Return whether the row's status was decided. Adds to problems, and to the facts that are known.

    Raises BadInput or one of _NONSENSE for a puzzle that is none.
    """
    family = family_named(row["family"])
    if row["family_version"] != family.version:
        raise BadParams(f"family_version: {row['family_version']}, this version of Puzzlemill has {family.version}")
    puzzle: AnyPuzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
    family.validate(puzzle.spec)
    if puzzle.question.kind not in family.questions:
        raise BadParams(f"question: {family.name} is not asked for {puzzle.question.kind.value!r}")
    if len(puzzle.clues) > _CLUES:
        raise BadParams(f"puzzle: has {len(puzzle.clues)} clues, at most {_CLUES} are read")
    answer = None if row["answer"] is None else loads(family.answer, row["answer"], "answer")
    key = canonical_key(family, puzzle)
    own = _own_chain(family, row, recipe)
    checked.facts.append(_facts(row, family, puzzle, key, own))
    problems += _check_claims(row, recipe, puzzle, own)
    if answer is not None and not family.clues.usable(Draft(puzzle, answer, answer)):
        problems.append("puzzle: does not hold what its parameters ask for")
    hidden = asked(puzzle).hidden_of(family, row, answer)
    problems += asked(puzzle).hidden_problems(family, puzzle, hidden, row)
    certificate, what, decided = _prove(row, family, puzzle, answer, hidden, task, budget_of(recipe))
    problems += what
    if decided and not what:
        wrong, by_z3 = _check_sample(row, recipe, family, puzzle, answer, hidden, task.engine)
        problems += [wrong] if wrong else []
        checked.smt += by_z3
    graded = grade(family, puzzle, answer)
    if task.engine is None and graded is not None and graded.steps:
        try:
            step = wrong_step(family, puzzle, graded.steps, budget_of(recipe).conflicts)
        except Discarded:
            decided = False
        else:
            problems += [f"trace: {step}"] if step else []
    again = record.row(
        family=family,
        recipe=recipe,
        split=row["split"],
        group=row["group_id"],
        parent=None if row["parent_id"] is None else {"id": row["parent_id"]},
        pairing=Pairing(row["pairing"]),
        variant=row["variant"],
        kinds=[transform.kind for transform in _chain(family, row)],
        transforms=[(t["name"], t["args"]) for t in row["transforms"]],
        edit=row["edit"],
        puzzle=puzzle,
        hidden=hidden,
        certificate=certificate,
        graded=graded,
        key=key,
        reply_format=row["reply_format"],
    )
    # a dialogue is graded by its game, of which one engine alone knows nothing
    apart = _NOT_COMPARED | ({"difficulty"} if asked(puzzle).dialogue and certificate.play is None else set())
    for name, value in again.items():
        if name not in apart and name != "id" and row[name] != value:
            problems.append(f"{name}: {_difference(row[name], value)}")
    if row["proof"]["sentences"] != record.sentences(family, puzzle, row["proof"]["unsat_core"]):
        problems.append("proof.sentences: are not what the members of the unsat core say")
    if row["proof"]["scope"] != scope_of(family, puzzle):
        problems.append(f"proof.scope: {_difference(row['proof']['scope'], scope_of(family, puzzle))}")
    if row["proof"]["sha256"] is not None:
        problems.append("proof: has a hash, which no proof of this family has")
    verdict = score(row["gold_reply"], row)
    if not verdict.solved or verdict.score != 1.0:
        problems.append(f"gold_reply: scores {verdict.score} ({verdict.why})")
    return decided


def _facts(row: Mapping[str, Any], family: AnyFamily, puzzle: AnyPuzzle, key: str, own: list[Transform]) -> RowFacts:
    clues = sorted(puzzle.clues, key=lambda clue: clue.id)
    clues_before, board_before = _undone(family, puzzle, row["edit"])
    return RowFacts(
        id=row["id"],
        group=row["group_id"],
        parent=row["parent_id"],
        family=family.name,
        variant=row["variant"],
        pairing=row["pairing"],
        split=row["split"],
        spec=base_text(puzzle.spec),
        open_spec=base_text(_open(puzzle.spec)),
        key=key,
        lasts=family.small.puzzles(puzzle.spec) is None,
        clues=_digest(dumps(tuple(clues))),
        clues_before=_digest(dumps(tuple(clues_before))),
        board=_digest(dumps(puzzle.board)),
        board_before=_digest(board_before),
        drawn=any(t.stage() == 0 for t in own),
        answer=_digest(row["answer"] or ""),
        reply_format=row["reply_format"],
        style=_digest(dumps(replace(puzzle.style, order=()))),
        restyled=any(type(t).restyle is not Transform.restyle for t in own),
        whole_style=_digest(dumps(puzzle.style)),
        may_be_unsolvable=puzzle.question.may_be_unsolvable,
        band=row["difficulty"]["band"],
    )


def _chain(family: AnyFamily, row: Mapping[str, Any]) -> list[Transform]:
    """The row's transforms. Raises BadParams for unknown ones."""
    made = []
    for i, call in enumerate(row["transforms"]):
        try:
            made.append(transform_of(family, call["name"], json.loads(call["args"])))
        except (BadParams, AttributeError, json.JSONDecodeError) as error:
            raise BadParams(f"transforms[{i}]: {error}") from None
    return made


def _own_chain(family: AnyFamily, row: Mapping[str, Any], recipe: Recipe) -> list[Transform]:
    """The transforms that made a row from its parent; all of them if the recipe asks for no such variant."""
    calls = [(t["name"], t["args"]) for t in row["transforms"]]
    for stratum in recipe.strata:
        for variant in stratum.variants if stratum.family == family.name else ():
            if variant.name == row["variant"] and calls == [call for v in stratum.lineage(variant) for call in v.calls()]:
                return variant.chain(family)
    return _chain(family, row)


def _check_claims(row: Mapping[str, Any], recipe: Recipe, puzzle: AnyPuzzle, own: list[Transform]) -> list[str]:
    """Compare what a row says of how it was made with the recipe and the transforms."""
    problems = []
    if row["variant"] == CANONICAL:
        if row["group_id"] != record.group_id(row["split"], puzzle):
            problems.append("group_id: does not go with this puzzle in this split")
        if row["transforms"] or row["edit"] is not None or row["pairing"] != Pairing.NONE.value:
            problems.append("variant: canonical, but transforms, edit or pairing say otherwise")
    ids = [clue.id for clue in puzzle.clues]
    if len(set(ids)) < len(ids) or not all(0 < len(name) <= 40 and name.isprintable() and name[0] != "#" for name in ids):
        problems.append("puzzle: ids of clues must be different, printable words that do not begin with #")
    if puzzle.style.asides and not any(transform.name == "red_herring" for transform in _chain(family_named(row["family"]), row)):
        problems.append("puzzle: its style has asides, though no transform adds any")
    if puzzle.question.kind.value not in ("choice", "play") and (
        puzzle.question.options or puzzle.question.turn_limit is not None
    ):
        problems.append(f"question: has options or a limit of turns, which no question of kind {puzzle.question.kind.value} has")
    strata = [stratum for stratum in recipe.strata if stratum.family == row["family"]]
    if not any(row["reply_format"] in stratum.reply_formats for stratum in strata):
        problems.append(f"reply_format: the recipe asks for no {row['reply_format']} of {row['family']}")
    asked = [
        [call for ancestor in stratum.lineage(v) for call in ancestor.calls()]
        for stratum in strata
        for v in stratum.variants
        if v.name == row["variant"]
    ]
    if row["variant"] != CANONICAL:
        if [(t["name"], t["args"]) for t in row["transforms"]] not in asked:
            problems.append(f"variant: the recipe asks for no {row['variant']!r} made by these transforms")
        elif row["pairing"] != (pairing := loosest(own)).value:
            problems.append(f"pairing: is {row['pairing']}, but these transforms make it {pairing.value}")
        if row["edit"] is not None and any(transform.stage() == 0 for transform in own):
            problems.append("edit: the puzzle is drawn anew, not edited from its parent's")
        elif row["edit"] is not None and [type(t) for t in own if t.stage() == 1] == [Clash]:
            pairs, most = json.loads(row["edit"]), family_named(row["family"]).clues.edits
            if type(pairs) is list and sorted([[side is None for side in pair] for pair in pairs]) not in (
                *[[[False, False]] * count for count in range(1, most + 1)],  # clues changed
                [[False, True], [True, False]],  # one less and another one more
            ):
                clues = "one clue changed or moved" if most == 1 else f"up to {most} clues changed, or of one moved"
                problems.append(f"edit: of {len(pairs)} clues, but a clash comes of {clues}")
        depth = next((t.depth for t in own if isinstance(t, Clash) and t.depth), None)
        if depth is not None and row["proof"]["depth"] != depth.value:
            problems.append(f"proof.depth: is {row['proof']['depth']}, but these transforms make clashes that are {depth.value}")
        promised = promise(own)
        if promised is not None and row["status"] != promised.value:
            problems.append(f"status: is {row['status']}, but these transforms make puzzles that are {promised.value}")
    return problems


def _prove(
    row: Mapping[str, Any],
    family: AnyFamily,
    puzzle: AnyPuzzle,
    answer: Any | None,
    hidden: Any | None,
    task: _Task,
    budget: Budget,
) -> tuple[Certificate, list[str], bool]:
    """Prove the status again: a certificate to build the row from (the stored one if there is no new one), problems, decided."""
    status = Status(row["status"])
    exact = ("nodes", "generated")
    effort = tuple((name, amount) for name, amount in row["effort"].items() if name not in exact and amount is not None)
    proof = row["proof"]
    claimed = Certificate(
        status,
        tuple(proof["formulations"]),
        answer,
        row["optimum"],
        tuple(proof["unsat_core"]),
        row["effort"]["nodes"],
        effort,
        None if proof["depth"] is None else Depth(proof["depth"]),
        tuple(proof["necessary"]),
        generated=row["effort"]["generated"],
    )
    if task.engine is not None:
        again = recheck(family, puzzle, status, answer, row["optimum"], task.engine, budget, hidden)
        return claimed, [again.problem] if again.problem else [], again.decided
    broken = [] if answer is None else asked(puzzle).objections(family, puzzle, answer)
    if broken:
        return claimed, [f"answer: breaks {', '.join(broken[:5])}"], True
    try:
        found = certify(family, puzzle, answer, budget, hidden=hidden)
    except Discarded as why:
        if why.reason == "budget":
            return claimed, [], False
        return claimed, [f"status: is {status.value}, but the puzzle is {why.reason}"], True
    except EnginesDisagree as error:
        return claimed, [f"answer: {error}"], True
    problems = []
    if found.status is not status:
        problems.append(f"status: is {status.value}, but {' and '.join(found.formulations)} prove {found.status.value}")
    if found.formulations != claimed.formulations:
        problems.append(f"proof.formulations: {', '.join(claimed.formulations)}, but {', '.join(found.formulations)} prove it")
    if (play := None if found.play is None else record.play(found.play)) != row["play"]:
        problems.append(f"play: {_difference(row['play'], play)}")
    if found.nodes != claimed.nodes:
        problems.append(f"effort.nodes: {claimed.nodes}, but the solver takes {found.nodes}")
    if found.generated != claimed.generated:
        problems.append(f"effort.generated: {claimed.generated}, but the plain search generates {found.generated}")
    for name in _SAT if task.same_solver else ():
        if (amount := dict(found.effort).get(name)) != row["effort"][name]:
            problems.append(f"effort.{name}: {row['effort'][name]}, but the solver takes {amount}")
    if found.depth is not claimed.depth:
        problems.append(f"proof.depth: {proof['depth']}, but it is {None if found.depth is None else found.depth.value}")
    if found.necessary != claimed.necessary:
        problems.append(f"proof.necessary: {', '.join(claimed.necessary)}, but it is {', '.join(found.necessary)}")
    clash, decided = _check_unsat_core(family, puzzle, claimed, budget)
    return found, problems + clash, decided


def _check_sample(
    row: Mapping[str, Any],
    recipe: Recipe,
    family: AnyFamily,
    puzzle: AnyPuzzle,
    answer: Any | None,
    hidden: Any | None,
    engine: str | None,
) -> tuple[str, bool]:
    """Say what is wrong with Z3's part in a row that was proved ("" if nothing is), and whether Z3 has decided it now.

    Figures are not compared: they may differ between versions of Z3.
    """
    missing = [name for name in record.SMT if row["effort"][name] is None]
    if not recipe.asks_smt(row["id"]):
        named = f"a figure, but the row is not of the {recipe.smt} % that Z3 decides too"
        return ("" if len(missing) == len(record.SMT) else f"effort.smt_*: {named}"), False
    if engine is not None:
        return "", False
    try:
        figures = by_smt(family, puzzle, answer, budget_of(recipe), hidden)
    except EnginesDisagree as error:
        return f"answer: {error}", False
    if figures and missing:
        return f"effort.{missing[0]}: null, but the row is of the {recipe.smt} % that Z3 decides too", True
    return "", bool(figures)


def _check_unsat_core(family: AnyFamily, puzzle: AnyPuzzle, claimed: Certificate, budget: Budget) -> tuple[list[str], bool]:
    """List problems, and whether they could be decided: the unsat core has no answer, and has one without any of its members.

    Which unsat core an engine finds may differ between platforms. SAT comes first: with few clues a kernel's search is wide.
    """
    from puzzlemill.solvers import sat
    from puzzlemill.solvers.lower import lower

    core = claimed.unsat_core
    if claimed.status is not Status.UNSOLVABLE:
        return [f"proof.unsat_core: {', '.join(core)}, but the puzzle has an answer"] if core else [], True
    listed = ", ".join(core[:8]) or "nothing"
    if family.hypothesis_class:
        wrong = _not_a_clash_of_clues(family, puzzle, core, budget)
    elif (cnf := lower(family, puzzle)) is None:
        wrong = _not_a_clash_of_parts(family, puzzle, core, budget)
    else:
        wrong = sat.not_an_unsat_core(cnf, core, budget.conflicts)
        if wrong is None:
            named = puzzle.with_clues([clue for clue in puzzle.clues if clue.id in core])
            found = finding(family, named, "kernel", 1, budget)
            if isinstance(found, Finding) and found.decided(1) and (found.answers or not core):
                return [f"proof.unsat_core: {listed} can be met together"], True
    return [f"proof.unsat_core: {listed}: {wrong}"] if wrong else [], wrong is not None


def _not_a_clash_of_clues(family: AnyFamily, puzzle: AnyPuzzle, labels: Sequence[str], budget: Budget) -> str | None:
    """Say why these clues, by a class of hypotheses, are no minimal unsat core; "" if they are, None if the budget ran out."""
    named = [clue for clue in puzzle.clues if clue.id in labels]
    if not labels or sorted(labels) != sorted([clue.id for clue in named]):
        return "it names nothing, something twice, or something that is no clue of this puzzle"
    engines = Engines(family, budget)
    try:
        if engines.count(puzzle.with_clues(named), 1):
            return "they can be met together"
        for clue in named:
            if not engines.count(puzzle.with_clues([other for other in named if other is not clue]), 1):
                return f"it is not minimal: {clue.id} can be left out"
    except Discarded:
        return None
    return ""


def _not_a_clash_of_parts(family: AnyFamily, puzzle: AnyPuzzle, labels: Sequence[str], budget: Budget) -> str | None:
    """Say why these parts of a puzzle of moves are no minimal unsat core; "" if they are, None if the budget ran out."""
    engines = Engines(family, budget)
    parts = family.routes.parts(puzzle)
    if len(set(labels)) < len(labels) or not set(labels) <= set(parts):
        return "it names something twice, or something that is no part of this puzzle"
    try:
        for label in parts:
            if label not in labels:
                puzzle = family.routes.without(puzzle, label)
        if engines.count(puzzle, 1):
            return "they can be met together"
        idle = [label for label in labels if not engines.count(family.routes.without(puzzle, label), 1)]
    except Discarded:
        return None
    return f"the others clash without {idle[0]}" if idle else ""


def _undone(family: AnyFamily, puzzle: AnyPuzzle, edit: str | None) -> tuple[list[Clue], str]:
    """The clues and the board (as JSON) before an edit, which is as record.edit_of() gives it."""
    now = {clue.id: clue for clue in puzzle.clues}
    board = dumps(puzzle.board)
    raw = None if edit is None else json.loads(edit)
    if type(raw) is dict:
        if list(raw) not in (["board"], ["board", "clues"]) or type(raw["board"]) is not list or len(raw["board"]) != 2:
            raise BadParams('edit: expected {"board": [before, after]}')
        before, after = (dumps(build(family.board, side, "edit.board")) for side in raw["board"])
        if after != board:
            raise BadParams("edit: the puzzle has not the board that the edit says")
        board = before
        raw = raw.get("clues")
    if raw is not None:
        for was, became in build(tuple[tuple[Clue | None, Clue | None], ...], raw, "edit"):
            if became is not None:
                if now.get(became.id) != became:
                    raise BadParams(f"edit: the puzzle has no clue {became.id} as the edit says")
                del now[became.id]
            if was is not None:
                now[was.id] = was
    return sorted(now.values(), key=lambda clue: clue.id), board


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _difference(found: Any, expected: Any) -> str:
    """Say how two values differ: of long texts only the place."""
    if type(found) is str and type(expected) is str and max(len(found), len(expected)) > 60:
        at = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), min(len(found), len(expected)))
        return f"differs at character {at}: has {found[at : at + 30]!r}, should have {expected[at : at + 30]!r}"
    return f"is {_short(found)}, should be {_short(expected)}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


# ---- what rows must be to each other ----------------------------------------------------------------------------------


class _Whole:
    """Ids, groups and keys of all rows. Problems are given as soon as they are known."""

    def __init__(self, recipe: Recipe, release: Release) -> None:
        self.recipe = recipe
        self.release = release
        self.ids: set[str] = set()
        self.group_of_key: dict[str, str] = {}
        self.lasting: dict[str, str] = {}  # canonical key -> the first row that has it, of all but small classes
        self.groups: dict[str, list[RowFacts]] = {}

    def add(self, facts: RowFacts) -> Iterator[Problem]:
        if facts.id in self.ids:
            yield facts.id, "id: another row has it too; one of them is a copy"
            return
        self.ids.add(facts.id)
        other = self.group_of_key.setdefault(facts.key, facts.group)
        if other != facts.group:
            yield facts.id, f"canonical_key: the same puzzle, up to symmetry, is in group {other}"
        if facts.lasts:
            self.lasting.setdefault(facts.key, facts.id)
        self.groups.setdefault(facts.group, []).append(facts)

    def finish(self, *, complete: bool) -> Iterator[Problem]:
        """Check groups against each other and the recipe. complete: every row was read, so what is missing is missing."""
        wanted = [_wanted(stratum, self.recipe.release_seed()) for stratum in self.recipe.strata]
        made: Counter[tuple[str, str]] = Counter()
        for members in self.groups.values():
            yield from _check_group(members, wanted, complete)
            made[members[0].family, members[0].split] += 1
        if complete:
            yield from self._check_counts(made)
            yield from self._check_content(made)

    def _check_counts(self, made: Counter[tuple[str, str]]) -> Iterator[Problem]:
        """Compare numbers of groups with the recipe's, in every split of every family: a run delivers all of them or nothing."""
        asked: Counter[tuple[str, str]] = Counter()
        for stratum in self.recipe.strata:
            for split, count in stratum.counts:
                asked[stratum.family, split] += count
        for (family, split), count in sorted((asked | made).items()):
            count = asked[family, split]
            if made[family, split] != count:
                yield data_path(family, split), f"holds {made[family, split]} groups, the recipe asks for {count}"

    def _check_content(self, made: Mapping[tuple[str, str], int]) -> Iterator[Problem]:
        """Compare what the manifest, and so the card, states of every file with its rows; what was dropped cannot be seen."""
        variants: dict[tuple[str, str], Counter[str]] = {}
        bands: dict[tuple[str, str], Counter[str]] = {}
        for facts in (facts for members in self.groups.values() for facts in members):
            variants.setdefault((facts.family, facts.split), Counter())[facts.variant] += 1
            bands.setdefault((facts.family, facts.split), Counter())[facts.band] += 1
        stated = {(cell["family"], cell["split"]): cell for cell in self.release.manifest["content"]}
        if len(stated) < len(self.release.manifest["content"]):
            yield MANIFEST, "content: names a family and split twice"
        for family, split in sorted({*stated, *variants}):
            at = (family, split)
            rows, nothing = Counter(variants.get(at, {})), {"groups": 0, "rows": 0, "variants": {}, "difficulty": {}}
            found = {
                "groups": made.get(at, 0),
                "rows": rows.total(),
                "variants": dict(sorted(rows.items())),
                "difficulty": dict(sorted(bands.get(at, {}).items())),
            }
            for name, value in found.items():
                if (states := stated.get(at, nothing)[name]) != value:
                    yield MANIFEST, f"content: {name} of {family}/{split}: {_difference(states, value)}"


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The demands of a stratum on a group: its base specs, and the sets of variants that a group may have."""

    family: str
    bases: frozenset[str]
    variants: frozenset[tuple[str, ...]]
    of: Mapping[str, str]  # the variant that each variant is made from
    specs: Mapping[tuple[str, str], str]  # by base and variant, the spec that the variant's puzzles have, as RowFacts.open_spec
    may_be_unsolvable: bool  # whether its prompts say that there may be no answer


def _wanted(stratum: Stratum, seed: str) -> _Wanted:
    bases = [specialized(base, seed) for base in stratum.bases()]
    sets = {tuple(sorted((CANONICAL, *(v.name for v in stratum.variants_at(turn))))) for turn in range(stratum.turns())}
    specs = {
        (base_text(base), variant.name): base_text(_open(stratum.spec_of(base, variant)))
        for base in bases
        for variant in stratum.variants
    }
    return _Wanted(
        stratum.family,
        frozenset(base_text(spec) for spec in bases),
        frozenset(sets),
        {v.name: v.of for v in stratum.variants},
        specs,
        stratum.admits_doubt(),
    )


def _open(spec: Spec[Any]) -> Spec[Any]:
    """The spec without the arguments of its rules."""
    return replace(spec, rules=tuple(Rule(rule.name) for rule in spec.rules))


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
        if fitting and not any(facts.may_be_unsolvable is stratum.may_be_unsolvable for stratum in fitting):
            yield (
                facts.id,
                f"puzzle: its prompt {'admits' if facts.may_be_unsolvable else 'does not admit'} that there may be no answer",
            )
    for facts in members:
        if facts.split != parent.split:
            yield facts.id, f"split: {facts.split}, but its parent {parent.id} is in {parent.split}"
        if facts is parent:
            continue
        if facts.open_spec != specs.get(facts.variant, facts.open_spec):
            yield facts.id, f"puzzle: is of the spec {facts.open_spec}, but these transforms make {specs[facts.variant]}"
        if facts.reply_format != parent.reply_format:
            yield facts.id, f"reply_format: {facts.reply_format}, but its parent's is {parent.reply_format}"
        source = by_variant.get(of.get(facts.variant, CANONICAL), parent)
        if facts.parent != source.id or facts.family != parent.family:
            yield facts.id, f"parent_id: {facts.parent}, but its parent in this group is {source.id}"
        shared = {
            Pairing.EXACT.value: ("spec", "board", "clues", "key", "answer"),
            Pairing.SAME_ANSWER.value: ("answer",),
            Pairing.GROUP.value: (),
            Pairing.NONE.value: (),
        }[facts.pairing]
        for name in shared:
            if getattr(facts, name) != getattr(source, name):
                yield facts.id, f"pairing: {facts.pairing}, but {name} differs from its parent's"
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
