"""Files of puzzles -> a release, or the table of what is wrong with them.

Each puzzle is proved by itself, in any process, and what is kept is decided in the order of the files; then rows are made, and
written as those of any release. An imported puzzle cannot be drawn again: the recipe names the files by their hashes, each row
its file and line, and import.json everything that did not become a row. The result is the same for every number of workers.
Memory: some 4 KB for each puzzle that is kept.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.family import Pairing
from puzzlemill.core.types import AnyPuzzle, Rule, Spec, Status
from puzzlemill.factory import record, writer
from puzzlemill.factory.build import budget_of
from puzzlemill.factory.files import in_one_line, locked
from puzzlemill.factory.imports.forms import MOST, Asked, Item, Source, opened
from puzzlemill.factory.imports.origin import Origin
from puzzlemill.factory.imports.proving import UNDECIDED, UNREADABLE, Proved, prove
from puzzlemill.factory.imports.tally import Tally
from puzzlemill.factory.read import MANIFEST
from puzzlemill.factory.reasoning import length
from puzzlemill.factory.recipe import CANONICAL, Recipe, Stratum, base_text
from puzzlemill.factory.run import NO_ROOM, WORK, Summary, intact, put_in_place, summary_of
from puzzlemill.factory.workers import WorkerPool, in_order, prepared, warm, worth
from puzzlemill.factory.writer import Cell
from puzzlemill.generators import family_named
from puzzlemill.scoring.prompt import FORMATS
from puzzlemill.solvers.certify import efforts
from puzzlemill.solvers.deduce import grade
from puzzlemill.solvers.engines import Budget

AUDIT = "import.json"  # what was left out of a release, and what was wrong
UNWORDED = "unworded"  # the reason counted for puzzles that no prompt can be made of
SEED = "imported"  # of recipes that draw nothing
_CHUNK = 16  # puzzles of one task
_SAID = 200  # characters of a name that a row keeps
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a release is to be made of. origin.files are filled in from the files themselves.

    most: puzzles that are read, 0 for all; more than MOST are refused.
    """

    name: str
    split: str = "test"
    license: str = "unknown"
    formats: tuple[str, ...] = FORMATS
    keep: tuple[str, ...] = ()
    form: str = ""
    asked: Asked = field(default_factory=Asked)
    most: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """A made release, and what was wrong with its sources (None if the release stood already)."""

    summary: Summary
    tally: Tally | None


def audit(
    paths: Sequence[Path], asked: Asked, form: str = "", most: int = 0, workers: int = 1, progress: Progress | None = None
) -> Tally:
    """Find what is wrong with files of puzzles; nothing is written. Raises BadInput or EnginesDisagree."""
    sources = _opened(paths, asked, form)
    tally = Tally([source.file.name for source in sources])
    for found in _proved(sources, asked, False, most, workers, progress, Budget()):
        light = replace(found, puzzle=None, certificate=None)
        if not tally.add(light):
            tally.replaces(light)
    return tally


def run(paths: Sequence[Path], out: Path, wanted: Wanted, workers: int = 1, progress: Progress | None = None) -> Result:
    """Make a release of files of puzzles in the folder `out`. A finished one of the same files is left as it is.

    Raises BadInput for what cannot be used, and where nothing can be kept; EnginesDisagree.
    """
    if not 1 <= workers <= 1_000:
        raise BadParams(f"workers: expected 1 to 1000 processes, got {workers}")
    with in_one_line(out, NO_ROOM):
        sources = _opened(paths, wanted.asked, wanted.form)
        files = tuple([source.file for source in sources])
        asked = (wanted.form, wanted.asked.family, wanted.asked.columns, wanted.keep, wanted.most)
        origin = Origin(files, *asked)
        # whatever is wrong with a name, a split or a format is known before anything is proved
        probe = Stratum("sudoku", counts=((wanted.split, 1),), reply_formats=wanted.formats)
        head = Recipe(wanted.name, SEED, (probe,), wanted.license, imported=origin)
        with _claimed(out, head) as finished:
            if finished is not None:
                return Result(summary_of(out, finished, reused=True), None)
            return _made(sources, out, wanted, head, workers, progress)


def _opened(paths: Sequence[Path], asked: Asked, form: str) -> list[Source]:
    if not paths:
        raise BadParams("FILE: name a file of puzzles")
    return [opened(path, asked, form) for path in paths]


# ---- proving ------------------------------------------------------------------------------------------------------------


def _proved(
    sources: Sequence[Source], asked: Asked, doubts: bool, most: int, workers: int, progress: Progress | None, budget: Budget
) -> Iterator[Proved]:
    """Every item of the files in their order, with what is proved of it."""
    lines = sum([source.text.count("\n") + 1 for source in sources])
    done, workers = 0, worth(min(lines, most or lines), workers)
    items: Iterator[tuple[int, Item]] = ((i, item) for i, source in enumerate(sources) for item in source.items(asked))
    chunks = iter(partial(_chunk, islice(items, most or MOST + 1)), [])
    if workers > 1:
        warm([asked.family] if asked.family else [], workers)
    with nullcontext() if workers == 1 else WorkerPool(workers) as pool:
        for _, found in in_order(pool, partial(_prove_all, doubts, budget), chunks, 3 * workers):
            for each in found:
                done += 1
                if done > MOST:
                    raise BadParams(
                        f"{sources[each.file].path}: more than {MOST} puzzles; import a part with --most N, or cut the file"
                    )
                if progress is not None:
                    progress(done, max(done, min(lines, most or lines)), "proving")
                yield each


def _chunk(items: Iterator[tuple[int, Item]]) -> list[tuple[int, Item]]:
    return list(islice(items, _CHUNK))


def _prove_all(doubts: bool, budget: Budget, items: Sequence[tuple[int, Item]]) -> list[Proved]:
    return [prove(file, item, doubts, budget) for file, item in items]


# ---- making -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Kept:
    """A proved puzzle that becomes a row. place: among all that were kept."""

    place: int
    found: Proved
    spec: str  # without the arguments of its rules, as JSON


def _made(sources: Sequence[Source], out: Path, wanted: Wanted, head: Recipe, workers: int, progress: Progress | None) -> Result:
    assert head.imported is not None
    origin, tally = head.imported, Tally([source.file.name for source in sources])
    chosen: dict[str, Proved] = {}
    dropped: dict[str, Counter[str]] = {}
    for found in _proved(sources, wanted.asked, origin.doubts, wanted.most, workers, progress, budget_of(head)):
        new = tally.add(found) or tally.replaces(found)
        reason = _reason(found, origin, new)
        if reason == UNWORDED:
            tally.note(found, f"no prompt: {found.unworded}; `puzzlemill check` proves it")
        if reason:
            dropped.setdefault(found.family, Counter())[reason] += 1
            if found.key in tally.first:  # of what is left out nothing more is needed
                tally.first[found.key] = replace(tally.first[found.key], puzzle=None, certificate=None)
        else:
            chosen[found.key] = found
            tally.first[found.key] = replace(found, puzzle=None, certificate=None)
    if not chosen:
        why = next((str(problem) for problem in tally.problems), "no puzzle was read")
        raise BadFile(
            f"{', '.join(tally.files)[:200]}: no puzzle can be kept ({why}); `puzzlemill import --audit` lists what is wrong"
        )
    kept = [_Kept(place, found, _open_spec(found.puzzle)) for place, found in enumerate(chosen.values())]
    recipe = replace(head, strata=tuple(_strata(kept, wanted)))
    stage = out / WORK / "stage"
    if stage.exists():
        shutil.rmtree(stage)
    stage.mkdir(parents=True)
    made = _Made(out / WORK, recipe, wanted, kept, dropped)
    made.write(workers, progress)
    more = {"release": recipe.name, "recipe_key": recipe.key(), "kept": len(kept)}
    further = {AUDIT: tally.text(more)}

    def files(family: str, split: str) -> writer.SplitFiles:
        return writer.SplitFiles(stage, family, split, made.rows(family))

    manifest = writer.stage(stage, recipe, made.cells(), {}, files, "", None, further)
    put_in_place(stage, out, manifest)
    return Result(summary_of(out, manifest, reused=False), tally)


def _reason(found: Proved, origin: Origin, new: bool) -> str:
    """The reason why an item does not become a row, "" if it does."""
    if found.status in (UNREADABLE, UNDECIDED):
        return found.status
    if not new:
        return "duplicate"
    if not origin.keeps(Status(found.status)) or found.certificate is None:
        return found.status
    return UNWORDED if found.unworded else ""


def _open_spec(puzzle: AnyPuzzle | None) -> str:
    assert puzzle is not None
    return base_text(replace(puzzle.spec, rules=tuple([Rule(rule.name) for rule in puzzle.spec.rules])))


def _strata(kept: Sequence[_Kept], wanted: Wanted) -> Iterator[Stratum]:
    """A stratum for each family and spec, in the order in which they come."""
    specs: dict[tuple[str, str], list[Spec[Any]]] = {}
    for one in kept:
        assert one.found.puzzle is not None
        specs.setdefault((one.found.family, one.spec), []).append(one.found.puzzle.spec)
    for (name, _), found in specs.items():
        params = tuple([(field, (getattr(found[0].params, field),)) for field in family_named(name).params.__dataclass_fields__])
        rules = tuple([Rule(rule.name) for rule in found[0].rules])
        yield Stratum(name, params, rules, counts=((wanted.split, len(found)),), reply_formats=wanted.formats)


def _make_rows(context: tuple[Recipe, Wanted], kept: Sequence[_Kept]) -> list[dict[str, Any]]:
    return [_row(*context, one) for one in kept]


def _row(recipe: Recipe, wanted: Wanted, one: _Kept) -> dict[str, Any]:
    found = one.found
    family, puzzle, certificate = family_named(found.family), found.puzzle, found.certificate
    assert puzzle is not None and certificate is not None and recipe.imported is not None
    file = recipe.imported.files[found.file]
    row = record.row(
        family=family,
        recipe=recipe,
        split=wanted.split,
        group=record.group_id(wanted.split, puzzle),
        parent=None,
        pairing=Pairing.NONE,
        variant=CANONICAL,
        kinds=(),
        transforms=(),
        edit=None,
        puzzle=puzzle,
        hidden=None,
        certificate=certificate,
        graded=None if certificate.status is Status.ANY else grade(family, puzzle, certificate.answer),
        key=found.key,
        reply_format=wanted.formats[one.place % len(wanted.formats)],
        source={"file": file.name, "sha256": file.sha256, "line": found.line, "name": found.name[:_SAID]},
    )
    if recipe.asks_smt(row["id"]) and certificate.status is not Status.ANY:
        row["effort"] |= efforts(family, puzzle, certificate.answer, budget_of(recipe))
    return row


@dataclass(slots=True)
class _Made:
    """Rows on their way into files: one file of JSON lines for each family."""

    work: Path
    recipe: Recipe
    wanted: Wanted
    kept: Sequence[_Kept]
    dropped: dict[str, Counter[str]]
    counts: dict[str, dict[str, Counter[Any]]] = field(default_factory=dict)

    def write(self, workers: int, progress: Progress | None) -> None:
        context = (self.recipe, self.wanted)
        tasks = [self.kept[at : at + _CHUNK] for at in range(0, len(self.kept), _CHUNK)]
        files: dict[str, Any] = {}
        done, workers = 0, worth(len(self.kept), workers)
        try:
            with nullcontext() if workers == 1 else WorkerPool(workers, tuple, context) as pool:
                call = partial(_make_rows, context) if pool is None else partial(prepared, _make_rows)
                for _, rows in in_order(pool, call, tasks, 3 * workers):
                    for row in rows:
                        name = row["family"]
                        if name not in files:
                            files[name] = self._path(name).open("w", encoding="utf-8", newline="\n")
                        files[name].write(json.dumps(row, separators=(",", ":")) + "\n")
                        self._count(row)
                        done += 1
                        if progress is not None:
                            progress(done, len(self.kept), "writing")
        finally:
            for file in files.values():
                file.close()

    def _path(self, family: str) -> Path:
        return self.work / f"rows-{family}.jsonl"

    def _count(self, row: dict[str, Any]) -> None:
        counts = self.counts.setdefault(row["family"], {name: Counter() for name in ("bands", "depths", "traces")})
        counts["bands"][row["difficulty"]["band"]] += 1
        counts["depths"].update([row["proof"]["depth"]] if row["proof"]["depth"] else [])
        counts["traces"][length(row, self.recipe.reasoning)] += 1

    def rows(self, family: str) -> Iterator[dict[str, Any]]:
        with self._path(family).open(encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)

    def cells(self) -> tuple[Cell, ...]:
        return tuple([self._cell(family, counts) for family, counts in self.counts.items()])

    def _cell(self, family: str, counts: dict[str, Counter[Any]]) -> Cell:
        rows, dropped = counts["bands"].total(), self.dropped.get(family, Counter())
        bands, depths, traces = (_pairs(counts[name]) for name in ("bands", "depths", "traces"))
        return Cell(family, self.wanted.split, rows, rows, _pairs(dropped), bands, ((CANONICAL, rows),), depths, traces)


def _pairs(counts: Counter[Any]) -> tuple[tuple[Any, int], ...]:
    return tuple(sorted(counts.items()))


# ---- the folder ---------------------------------------------------------------------------------------------------------


@contextmanager
def _claimed(out: Path, head: Recipe) -> Iterator[dict[str, Any] | None]:
    """Make sure that `out` is ours and nobody else writes there; gives the manifest if the release stands already, whole."""
    finished = _standing(out, head)
    if finished is not None:
        yield finished
        return
    work = out / WORK
    work.mkdir(parents=True, exist_ok=True)
    with (work / "lock").open("w") as file:
        if not locked(file):
            raise BadFile(f"{out}: another run is writing there; wait for it or choose another out=")
        try:
            yield None
        finally:
            if os.name == "nt":
                file.close()  # an open file cannot be removed there
            shutil.rmtree(work)


def _standing(out: Path, head: Recipe) -> dict[str, Any] | None:
    """The manifest of a whole release of these files; None if there is none. Raises BadFile if something else lies there."""
    if not (out / MANIFEST).exists():
        foreign = sorted(entry.name for entry in out.iterdir() if entry.name != WORK) if out.is_dir() else []
        if foreign:
            raise BadFile(f"{out}: holds {foreign[0]!r}, which is no release of these files; choose another out= or empty it")
        return None
    try:
        found = json.loads((out / MANIFEST).read_bytes())
        plain, files = found["recipe"], {path: (each["bytes"], each["sha256"]) for path, each in found["files"].items()}
        formats = {(tuple(stratum["counts"]), tuple(stratum["reply_formats"])) for stratum in plain["strata"]}
        said = (plain["name"], plain["license"], plain.get("imported"), formats)
        same = all(family_named(name).version == each["version"] for name, each in found["families"].items())
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, BadParams):
        raise BadFile(f"{out / MANIFEST}: no manifest of a release; choose another out= or remove {out}") from None
    asked = head.to_plain()
    probe = asked["strata"][0]
    wanted = (head.name, head.license, asked["imported"], {(tuple(probe["counts"]), tuple(probe["reply_formats"]))})
    if said != wanted or not same:
        raise BadFile(
            f"{out}: holds the release {str(found.get('release'))[:60]!r} of something else; choose another out= or remove it"
        )
    return dict(found) if all(intact(out / path, *expected) for path, expected in files.items()) else None
