"""Exports: a release, or some of its splits and reply formats, in the form that a training or evaluation tool reads.

    export(open_release(folder), "trl", out, splits=("train",))

An export is a folder with a list of its own files, export.json. It is written next to `out` and moved there when it is whole. A
folder that holds anything else is refused, and so is an export in which a file was added or changed.
The same release, tool and choice give the same bytes.

The adapters (puzzlemill.envs.adapters) write the files. What they have in common is here: which rows, Parquet, the scorer.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.text import nearest, printable
from puzzlemill.core.types import QuestionKind
from puzzlemill.envs.fewshot import COLUMNS as FEW_SHOT
from puzzlemill.envs.fewshot import Examples
from puzzlemill.factory.bundle import scorer_zip
from puzzlemill.factory.read import MANIFEST, Release, batches, file_hash
from puzzlemill.factory.reasoning import DEFAULT, Options
from puzzlemill.factory.recipe import read_reasoning
from puzzlemill.generators import family_named
from puzzlemill.scoring.prompt import FORMATS
from puzzlemill.scoring.score import COLUMNS as SCORING

CONSUMERS = ("trl", "verl", "verifiers", "lm-eval", "inspect")  # tools
FORMS = ("chat", "sft", "planted", "judging")  # plain columns that any tool reads
TARGETS = (*CONSUMERS, *FORMS)
DIALOGUES = ("trl", "verifiers")  # tools that play rows that are dialogues; the others take single replies
MARK = "export.json"
SCORER = "scorer.zip"
MAX_MARK = 16_000_000  # bytes
_PLAY = QuestionKind.PLAY.value
_DATA = re.compile(r"data/([a-z][a-z0-9_]{0,63})/([a-z][a-z0-9_]{0,63})-\d{5}-of-\d{5}\.parquet\Z")


@dataclass(frozen=True, slots=True)
class Data:
    """One file of rows. path: relative to the release in the folder."""

    family: str
    split: str
    path: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Chosen(Release):
    """A release of which only rows of these splits and reply formats are taken; () takes all.

    single: no dialogues. without: files that hold nothing else, which are left out then. reasoning: how worked replies are put.
    examples: what stands before the prompts. replies: a file of replies to make judgements of. further: releases whose rows are
    taken too. twice: of each of them, ids of rows that one before it has.
    """

    splits: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    single: bool = False
    without: tuple[Path, ...] = ()
    reasoning: Options = DEFAULT
    examples: Examples | None = None
    replies: Path | None = None
    further: tuple[Release, ...] = ()
    twice: Mapping[Path, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Exported:
    """Numbers of rows by split, and of those that were left out since they are dialogues. judgements: of each sort, if asked.

    twice: rows that an earlier one of several releases has too, which are taken once.
    """

    rows: dict[str, int]
    dialogues: dict[str, int]
    judgements: dict[str, int] = field(default_factory=dict)
    twice: int = 0


def export(
    release: Release,
    to: str,
    out: Path,
    splits: Sequence[str] = (),
    formats: Sequence[str] = (),
    single: bool = False,
    reasoning: Options | None = None,
    examples: Examples | None = None,
    replies: Path | None = None,
    further: Sequence[Release] = (),
) -> Exported:
    """Write the rows of these splits and reply formats (() takes all) for a tool.

    further: releases whose rows follow. A row that is in several is taken once, and a puzzle that is in two splits is refused.

    single: no dialogues; a tool that plays none gets none in any case. reasoning: of `sft` alone; None takes what the
    release's recipe says. examples: what stands before the prompts. replies: of `judging` alone, what is judged; None takes what
    is wrong by design.

    Raises BadParams for a tool, split or format that there is
    not, and if nothing is left; BadFile where `out` holds anything but an export as it was written, or cannot be written.
    """
    if to not in TARGETS:
        raise BadParams(f"--to {to[:40]!r} is not known; use one of {', '.join(TARGETS)}{nearest(to, TARGETS)}")
    if reasoning is not None and to != "sft":
        raise BadParams(f"--form, --trace-tokens and --wrong-suppositions are for worked replies, --to sft; --to {to} has none")
    if to != "judging" and replies is not None:
        raise BadParams(f"--replies is for judgements, --to judging; --to {to} takes none")
    if to == "judging" and examples is not None:
        raise BadParams("--few-shot: a judgement has no worked examples; leave it out")
    if further and examples is not None:
        raise BadParams("--few-shot: examples are of one release; export each release by itself, or leave --few-shot out")
    every = (release, *further)
    if to == "sft" and (bare := next((each for each in every if _untraced(each)), None)):
        raise BadParams(
            f"--to sft: rows of {bare.folder} have no steps of the deduction to reply with, as its recipe says trace: false; "
            "generate it with trace: true"
        )
    puts = [reasoning_of(each) for each in every] if reasoning is None and to == "sft" else []
    if len(set(puts)) > 1:
        raise BadParams(
            "--to sft: the releases put worked replies in different ways; say how with --form, --trace-tokens and "
            "--wrong-suppositions"
        )
    how = reasoning or (puts[0] if puts else reasoning_of(release))
    chosen = replace(choose(release, splits, formats, single or to not in DIALOGUES, further), reasoning=how)
    adapter = import_module(f"puzzlemill.envs.adapters.{to.replace('-', '_')}")
    found = _count(chosen, to)
    for each in every:
        if out.resolve().is_relative_to(each.folder.resolve()):
            raise BadParams(f"--out {out}: lies in the release; choose another folder")
    with placed(out) as stage:
        taken = replace(chosen, examples=examples, replies=replies)
        more = adapter.export(taken, stage) or {}  # what a tool's files have to say of themselves
        found.judgements.update(more.get("judgements", {}))
        if examples is not None:
            more = {**more, "few_shot": examples.to_json()}
            readme = stage / "README.md"
            write_text(readme, f"{readme.read_text(encoding='utf-8')}\n## Few-shot\n\nIn the prompts: {examples.summary()}.\n")
        mark = {
            "to": to,
            "release": chosen.manifest.get("release"),
            "checksum": release.manifest.get("checksum"),
            **({"releases": [_made(each) for each in every]} if further else {}),
            "splits": list(chosen.splits),
            "reply_formats": list(chosen.formats),
            "single": chosen.single,
            "rows": found.rows,
            "dialogues_left_out": found.dialogues,
            **more,
        }
        stamp(stage, mark)
    return found


def _made(release: Release) -> dict[str, Any]:
    return {name: release.manifest.get(name) for name in ("release", "checksum")}


def reasoning_of(release: Release) -> Options:
    """How worked replies are put by the release's recipe. Raises BadFile where that cannot be read."""
    recipe = release.manifest.get("recipe")
    try:
        return read_reasoning(recipe.get("reasoning", {}) if isinstance(recipe, dict) else {})
    except BadParams as error:
        raise BadFile(f"{release.folder / MANIFEST}: recipe.{error}") from None


def _untraced(release: Release) -> bool:
    """Return whether no row of a release has the steps of its deduction, since its recipe leaves them out."""
    recipe = release.manifest.get("recipe")
    strata = recipe.get("strata") if isinstance(recipe, dict) else None
    return isinstance(strata, list) and bool(strata) and all(type(each) is dict and each.get("trace") is False for each in strata)


def choose(
    release: Release,
    splits: Sequence[str] = (),
    formats: Sequence[str] = (),
    single: bool = False,
    further: Sequence[Release] = (),
) -> Chosen:
    """The releases with a choice of splits and reply formats. Raises BadParams for one that they do not have."""
    if len({each.folder.resolve() for each in (release, *further)}) <= len(further):
        raise BadParams("DIR: the same folder is named twice; leave one out")
    label = "+".join([str(each.manifest.get("release")) for each in (release, *further)])
    manifest = {**release.manifest, "release": label} if further else release.manifest
    whole = Chosen(
        release.folder, manifest, release.files, further=tuple(further), twice=_twice((release, *further)) if further else {}
    )
    known = splits_of(whole)
    for split in splits:
        if split not in known:
            folders = " and ".join([str(each.folder) for each in (release, *further)])
            has = "have" if further else "has"
            raise BadParams(
                f"--split {split[:40]!r}: {folders} {has} no such split; "
                f"{'they' if further else 'it'} {has} {', '.join(known) or 'no rows'}{nearest(split, known)}"
            )
    for name in formats:
        if name not in FORMATS:
            raise BadParams(f"--reply-format {name[:40]!r} is not known; use one of {', '.join(FORMATS)}{nearest(name, FORMATS)}")
    kept = tuple(dict.fromkeys(splits)), tuple(dict.fromkeys(formats))
    without = tuple([data.folder / data.path for data in data_files(whole) if _only_dialogues(data)]) if single else ()
    return replace(whole, splits=kept[0], formats=kept[1], single=single, without=without)


def _twice(releases: Sequence[Release]) -> dict[Path, frozenset[str]]:
    """By folder, ids of rows that a release before it has. Raises BadParams for a puzzle that is in different splits of two."""
    ids: set[str] = set()
    splits: dict[str, tuple[str, Path]] = {}
    found = {}
    for release in releases:
        again, own = set(), set()
        for row in rows(release, ("id", "split", "canonical_key")):
            split, folder = splits.setdefault(row["canonical_key"], (row["split"], release.folder))
            if split != row["split"] and folder != release.folder:
                raise BadParams(
                    f"{release.folder}: row {row['id']} of {row['split']} is, up to symmetry, a puzzle of {split} in {folder}; "
                    f"make one of the releases again with exclude={folder}, or export splits of each by themselves"
                )
            own.add(row["id"])
            again.update({row["id"]} & ids)
        ids |= own
        found[release.folder] = frozenset(again)
    return found


def _only_dialogues(data: Data) -> bool:
    return all(row["question"] == _PLAY for batch in batches(data.folder / data.path, ("question",)) for row in batch)


def _count(release: Chosen, to: str) -> Exported:
    found = Exported({}, {}, twice=sum([len(ids) for ids in release.twice.values()]))
    for row in rows(replace(release, single=False, without=()), ("split", "family", "family_version", "question")):
        if release.single and row["question"] == _PLAY:
            found.dialogues[row["split"]] = found.dialogues.get(row["split"], 0) + 1
            continue
        version = family_named(row["family"]).version
        if row["family_version"] != version:
            raise BadFile(
                f"{release.folder}: its rows of {row['family']} are of the family's version {row['family_version']}, and this "
                f"Puzzlemill, of version {version}, could not score them; export with the Puzzlemill that made them, "
                f"{printable(str(release.manifest.get('puzzlemill')))[:40]}"
            )
        found.rows[row["split"]] = found.rows.get(row["split"], 0) + 1
    if not found.rows and found.dialogues:
        raise BadParams(
            f"--to {to}: all {sum(found.dialogues.values())} rows are dialogues, which {' and '.join(DIALOGUES)} alone take, "
            "without --single; choose one of these, or make that family with family.params.told=true"
        )
    if not found.rows:
        raise BadParams(f"{release.folder}: no row is of {', '.join([*release.splits, *release.formats]) or 'any split'}")
    return found


# ---- what adapters read -------------------------------------------------------------------------------------------------


def data_files(release: Release) -> list[Data]:
    """The files of rows, those of a choice only. Their names are fit for file names and identifiers."""
    every = []
    for each in (release, *release.further) if isinstance(release, Chosen) else (release,):
        for path in each.data_files():
            if path.startswith("data/"):
                if not (match := _DATA.match(path)):
                    raise BadFile(f"{each.folder / path}: no name of a release's file; rows lie in data/<family>/<split>-...")
                every.append(Data(match[1], match[2], path, each.folder))
    if isinstance(release, Chosen):
        every = [data for data in every if data.folder / data.path not in release.without]
        return [data for data in every if not release.splits or data.split in release.splits]
    return every


def splits_of(release: Release) -> tuple[str, ...]:
    """The splits in the order of the release."""
    return tuple(dict.fromkeys(data.split for data in data_files(release)))


def families_of(release: Release) -> tuple[str, ...]:
    """The families in the order of the release."""
    return tuple(dict.fromkeys(data.family for data in data_files(release)))


def rows(
    release: Release, columns: Sequence[str] | None = None, *, split: str | None = None, family: str | None = None
) -> Iterator[dict[str, Any]]:
    """The rows in the order of the release, a batch in memory at a time. columns: None for all of them."""
    formats, single = (release.formats, release.single) if isinstance(release, Chosen) else ((), False)
    twice = release.twice if isinstance(release, Chosen) else {}
    examples = release.examples if isinstance(release, Chosen) and (columns is None or "prompt" in columns) else None
    needed = (
        ["reply_format"] * bool(formats) + ["question"] * single + [*FEW_SHOT] * (examples is not None) + ["id"] * bool(twice)
    )
    read = columns if columns is None else tuple(dict.fromkeys([*columns, *needed]))
    for data in data_files(release):
        if split in (None, data.split) and family in (None, data.family):
            again = twice.get(data.folder, frozenset())
            for batch in batches(data.folder / data.path, read):
                for row in batch:
                    if again and row["id"] in again:
                        continue
                    if row.get("split", data.split) != data.split or row.get("family", data.family) != data.family:
                        raise BadFile(f"{data.folder / data.path}: holds a row of another split or family; verify the release")
                    if (not formats or row["reply_format"] in formats) and not (single and row["question"] == _PLAY):
                        if examples is not None:
                            row["prompt"] = examples.prompt(row)
                        yield row if columns is None else {name: row[name] for name in columns}


# ---- what adapters write ------------------------------------------------------------------------------------------------


def write_scorer(release: Release, out: Path) -> None:
    """scorer.zip for the chosen rows: `puzzlemill.scoring` without an installation."""
    scorer_zip(rows(release, SCORING), out / SCORER)


def write_text(path: Path, text: str) -> None:
    """Write a text file, the same on every platform."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def copy_source(name: str, path: Path, /, **values: object) -> None:
    """Copy a file of puzzlemill/envs/adapters/shipped: what needs nothing of Puzzlemill but scorer.zip. values: of its places."""
    text = (Path(__file__).parent / "adapters" / "shipped" / name).read_text(encoding="utf-8")
    write_text(path, text.format(**values) if values else text)


# ---- the folder ---------------------------------------------------------------------------------------------------------


@contextmanager
def placed(out: Path) -> Iterator[Path]:
    """A folder to write to, which takes the place of `out` when everything is there."""
    target = out.absolute()
    if not target.name:
        raise BadFile(f"{out}: is no folder of yours; choose another folder")
    stage, past = target.with_name(f"{target.name}.part"), target.with_name(f"{target.name}.past")
    try:
        for leftover in (stage, past):
            if leftover.is_symlink() or leftover.exists():
                _ours(leftover, whole=False)
                shutil.rmtree(leftover)
        _ours(target, whole=True)
        stage.mkdir(parents=True)
        write_text(stage / MARK, "{}\n")  # what was cut short is known as ours
        yield stage
        _files(stage)
        if target.exists():
            target.rename(past)
        stage.rename(target)
        if past.exists():
            shutil.rmtree(past)
    except OSError as error:
        raise BadFile(f"{out}: cannot be written ({error.strerror or error}); choose another folder") from None


def stamp(stage: Path, mark: Mapping[str, Any]) -> dict[str, Any]:
    """Write the list of a folder's own files, with this before it; returns all of it."""
    listed = {path.relative_to(stage).as_posix(): file_hash(path) for path in _files(stage) if path != stage / MARK}
    whole = {**mark, "files": listed}
    write_text(stage / MARK, json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
    return whole


def _ours(folder: Path, *, whole: bool) -> None:
    """Raise BadFile unless the folder is absent, empty or an export; whole: with no file added or changed."""
    remedy = "choose another folder"
    if not folder.is_symlink() and not folder.exists():
        return
    if folder.is_symlink() or not folder.is_dir():
        raise BadFile(f"{folder}: is no folder; {remedy}")
    found = {path.relative_to(folder).as_posix(): path for path in _files(folder)}
    if not found and not any(folder.iterdir()):
        return
    mark = folder / MARK
    if MARK not in found or mark.stat().st_size > MAX_MARK:
        raise BadFile(f"{folder}: holds files that no export wrote; {remedy}")
    try:
        written = json.loads(mark.read_bytes())
        listed = dict(written["files"]) if whole else {}
    except (ValueError, RecursionError, TypeError, KeyError):
        raise BadFile(f"{mark}: not a list of exported files; {remedy}") from None
    if whole:
        for name, path in found.items():
            if name != MARK and listed.get(name) != file_hash(path):
                raise BadFile(f"{path}: was {'changed' if name in listed else 'added'} after the export; keep it, and {remedy}")


def _files(folder: Path) -> list[Path]:
    """The files in a folder, sorted; __pycache__ does not count. Raises BadFile for what is neither file nor folder."""
    found = []
    for path in sorted(folder.rglob("*")):
        if "__pycache__" in path.relative_to(folder).parts:
            continue
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            raise BadFile(f"{path}: neither a file nor a folder; choose another folder")
        if path.is_file():
            found.append(path)
    return found
