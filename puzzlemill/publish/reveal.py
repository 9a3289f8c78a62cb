"""Reveal blind splits: make them again from the published recipe and the secret, compare, and publish rows and secret.

Whoever has the secret, before it is published or after, gets the same bytes as were committed to, or an error that says what
differs.
Publishing adds revealed/<version>/ (a data set of its own, with the secret) and ledger/<version>.revealed.parquet in one commit,
and sets the tag <version>-revealed; like a release, it can be stopped anywhere and given again.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.factory import writer
from puzzlemill.factory.files import in_one_line
from puzzlemill.factory.read import MANIFEST, file_hash, open_release
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.run import NO_ROOM, Event
from puzzlemill.publish.ledger import Ledger, segment_path, write_segment
from puzzlemill.publish.plan import plan_of
from puzzlemill.publish.release import (
    DRY,
    KEY_FILE,
    LEDGER,
    LEDGER_COLUMNS,
    PUBLISHED,
    REVEALED,
    STANDING,
    TAGGED,
    Outcome,
    Published,
    Staged,
    alone,
    build_blind,
    check_remote,
    fetched,
    hidden_folder,
    look,
    manifest_at,
    place,
    published_secrets,
)
from puzzlemill.publish.secret import commitment
from puzzlemill.publish.store import Moved, Store

TRIES = 5  # of committing, when others commit in between


def reveal(
    store: Store,
    version: str,
    out: Path,
    *,
    secret: bytes | None = None,
    secrets: Sequence[bytes] = (),
    workers: int = 1,
    dry_run: bool = True,
    show: Callable[[str], None] | None = None,
    progress: Callable[[Event], None] | None = None,
) -> Outcome:
    """Make the blind rows of a published version again and check them; publish them and the secret unless dry_run.

    secret: None takes the one that was published. secrets: of other blind splits that are not revealed; those that are missing
    are passed over, which matters only if a puzzle was left out for one of them. out: work is done in <out>/<version>/reveal.
    Raises BadParams for a wrong secret, BadFile if the bytes differ or for anything about the store.
    """
    with in_one_line(out, NO_ROOM), alone(out):
        return _reveal(store, version, out, secret, secrets, workers, dry_run, show or (lambda _: None), progress)


def _reveal(
    store: Store,
    version: str,
    out: Path,
    secret: bytes | None,
    secrets: Sequence[bytes],
    workers: int,
    dry_run: bool,
    show: Callable[[str], None],
    progress: Callable[[Event], None] | None,
) -> Outcome:
    published, commit, manifest = _released(store, version)
    block = manifest["publication"]
    assert published.head is not None
    if not dry_run and (done := _finished(store, published, version, show)) is not None:
        return done
    known = published_secrets(store, published.head)
    secret = secret or known.get(block["blind"]["commitment"])
    if secret is None:
        raise BadParams(f"secret: {version} is not revealed yet; name the file with its secret, as in secret=FILE")
    if commitment(secret) != block["blind"]["commitment"]:
        raise BadParams(f"secret: is not the one that {version} was made with; its commitment is another one")
    known |= {commitment(one): one for one in secrets}

    work = out / version / "reveal"
    hidden_folder(work)  # rows and secret lie there before anybody else may see them
    segments = {**block["earlier"], segment_path(version): block["ledger"].get(segment_path(version), "")}
    files = [fetched(store, commit, path, sha, out / LEDGER / Path(path).name) for path, sha in segments.items()]
    ledger = Ledger.open(files, out / LEDGER, known, pass_over=True)
    built = build_blind(plan_of(block), secret, work / "blind", workers, progress, ledger)
    _compare(work / "blind", manifest, ledger.unknown)
    count = len(block["blind"]["files"])
    show(f"{built.rows} rows made again: the same bytes as were committed to, in {count} file{'s' if count > 1 else ''}")
    staged = _stage(work, manifest, secret)
    if dry_run:
        return Outcome(DRY, version, "", staged.manifest, staged)
    return _publish(store, published, version, staged, show)


def revealed_tag(version: str) -> str:
    return f"{version}-revealed"


def _released(store: Store, version: str) -> tuple[Published, str, dict[str, Any]]:
    """The content of the store, and the commit and manifest of a version that has blind rows."""
    published = look(store)
    if version not in published.tags:
        known = [tag for tag in sorted(published.tags) if not tag.endswith("-revealed")]
        some = f"it has {', '.join(known[-5:])}" if known else "it has none"
        raise BadFile(f"{store.name}: has no release {version[:80]!r}; {some}")
    commit = published.tags[version]
    manifest = manifest_at(store, commit)
    block = manifest["publication"]
    if block["version"] != version:
        raise BadFile(f"{store.name}: the tag {version} stands on the release {block['version']}; restore it")
    if block["blind"] is None:
        raise BadFile(f"{store.name}: {version} has no blind rows, so there is nothing to reveal")
    return published, commit, manifest


def _finished(store: Store, published: Published, version: str, show: Callable[[str], None]) -> Outcome | None:
    """Do only what is missing, where this was published before."""
    tag, folder = revealed_tag(version), f"{REVEALED}/{version}/"
    head = published.head
    assert head is not None
    commit = published.tags.get(tag, head.commit)
    if tag not in published.tags and folder + MANIFEST not in head.files:
        return None
    manifest = manifest_at(store, commit, folder)
    if manifest["publication"]["version"] != version:
        raise BadFile(f"{store.name}: {folder} holds what belongs to {manifest['publication']['version']}; restore it")
    expected = {folder + path: item["sha256"] for path, item in manifest["files"].items()} | manifest["publication"]["ledger"]
    check_remote(store, commit, expected, show, tag if tag in published.tags else "")
    if tag in published.tags:
        show(f"{version} is revealed already; nothing is done")
        return Outcome(STANDING, version, commit, manifest)
    return _tagged(store, TAGGED, version, commit, manifest, None, show)


def _compare(folder: Path, manifest: Mapping[str, Any], unknown: Sequence[str]) -> None:
    """The bytes are those that were committed to."""
    expected = manifest["publication"]["blind"]["files"]
    found = {path: item.sha256 for path, item in open_release(folder).files.items() if path.startswith("data/")}
    for path in sorted({*expected, *found}):
        if found.get(path) != expected.get(path):
            then, now = manifest["environment"], writer.environment()
            names = [name for name in sorted({*then, *now}) if then.get(name) != now.get(name)]
            other = [f"{name} {str(now.get(name))[:40]}, then {str(then.get(name))[:40]}" for name in names]
            why = f"here is {'; '.join(other)}" if other else "the software is the same"
            if unknown:
                why += f"; the blind keys of {', '.join(unknown)} could not be compared"
            raise BadFile(
                f"{folder / path}: is not what was committed to: SHA-256 {found.get(path, 'none')[:16]}...; {why}; use the "
                "versions that the release's manifest names"
            )


def _stage(work: Path, manifest: Mapping[str, Any], secret: bytes) -> Staged:
    """The files to publish: the blind part as a data set of its own, the secret, and its segment of the ledger."""
    version = manifest["publication"]["version"]
    top = work / "publish"
    if top.exists():
        shutil.rmtree(top)
    folder = top / REVEALED / version
    source = open_release(work / "blind")
    for path in source.files:
        if path != "README.md":
            place(work / "blind" / path, folder / path)
    (folder / KEY_FILE).write_text(secret.hex() + "\n", encoding="ascii", newline="\n")
    segment = f"{LEDGER}/{version}.revealed.parquet"
    write_segment(top / segment, rows_of(source, LEDGER_COLUMNS), version)
    block = {
        **{name: manifest["publication"][name] for name in ("series", "period", "version", "recipe")},
        "previous": None,
        "changes": [],
        "blind": None,
        "reveals": manifest["publication"]["blind"]["commitment"],
        "ledger": {segment: file_hash(top / segment)},
        "earlier": {},
    }
    written = {**source.manifest, "publication": block, "files": dict(source.manifest["files"])}
    written["files"][KEY_FILE] = writer.entry(folder / KEY_FILE)
    writer.finish(folder, written)
    names = [f"{REVEALED}/{version}/{path}" for path in [*written["files"], MANIFEST]]
    return Staged(top, {path: top / path for path in sorted([*names, segment])}, (), _message(version), written)


def _message(version: str) -> str:
    return f"{version}: its blind rows revealed"


def _publish(store: Store, published: Published, version: str, staged: Staged, show: Callable[[str], None]) -> Outcome:
    for _ in range(TRIES):
        assert published.head is not None
        try:
            commit = store.commit(staged.add, staged.delete, published.head.commit, staged.message)
        except Moved:  # what is added does not depend on what the others committed
            published = look(store)
            if (done := _finished(store, published, version, show)) is not None:
                return done
            continue
        show(f"commit: {len(staged.add)} files")
        check_remote(store, commit, {path: file_hash(file) for path, file in staged.add.items()}, show)
        return _tagged(store, PUBLISHED, version, commit, staged.manifest, staged, show)
    raise Moved(f"{store.name}: others committed in between {TRIES} times; run the same command again")


def _tagged(
    store: Store,
    state: str,
    version: str,
    commit: str,
    manifest: Mapping[str, Any],
    staged: Staged | None,
    show: Callable[[str], None],
) -> Outcome:
    store.tag(revealed_tag(version), commit, _message(version))
    show(f"tag: {revealed_tag(version)} on {commit[:12]}")
    return Outcome(state, version, commit, manifest, staged)
