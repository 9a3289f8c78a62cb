"""Publish a release: build, verify, compare with every earlier one, stage, commit, verify what the store holds, tag.

Every step can be done again. What decides is read from the store: a tag that stands ends it; a head that holds this version
already only wants its tag; else the release is made after all that the ledger holds, and committed on the head that was read.
So a command that was stopped at any point ends, when it is given again, with one commit and one tag.

    <out>/ledger/                          segments of the ledger as they were fetched, and their index
    <out>/<version>/<digest>/open/         the open part as factory/run.py makes it; digest: of the earlier releases
    <out>/<version>/<digest>/blind-<commitment>/   the blind part; for nobody's eyes
    <out>/<version>/<digest>/publish/      exactly what is committed
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.factory import writer
from puzzlemill.factory.files import in_one_line, locked
from puzzlemill.factory.read import MANIFEST, file_hash, open_release
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.run import NO_ROOM, Event, Summary, run
from puzzlemill.factory.verify import verify
from puzzlemill.publish import published as series
from puzzlemill.publish.ledger import Ledger, blind_segment_path, segment_path, write_blind_segment, write_segment
from puzzlemill.publish.plan import Plan, publication, publication_of
from puzzlemill.publish.secret import commitment, read_secret
from puzzlemill.publish.store import Head, Moved, Store

REVEALED = "revealed"
LEDGER = "ledger"
KEY_FILE = "secret.txt"  # in revealed/<version>/
LEDGER_COLUMNS = ("id", "family", "puzzle", "canonical_key")  # the columns that the ledger reads

_OTHER_TAG = "delete the tag and run the same command again, or choose another period"

# what a release came to
STANDING = "standing"  # the tag stood; nothing was done
TAGGED = "tagged"  # the commit was there and lacked its tag
DRY = "dry"  # staged, and nothing sent
PUBLISHED = "published"


@dataclass(frozen=True, slots=True)
class Staged:
    """Files that a commit adds and deletes. manifest: of the release."""

    folder: Path
    add: Mapping[str, Path]
    delete: tuple[str, ...]
    message: str
    manifest: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a release. commit: "" where nothing was committed. staged: None where nothing had to be made."""

    state: str
    version: str
    commit: str
    manifest: Mapping[str, Any]
    staged: Staged | None = None

    @property
    def rows(self) -> int:
        """Rows that are published, blind ones not among them."""
        return sum(cell["rows"] for cell in self.manifest["content"])


@dataclass(frozen=True, slots=True)
class Published:
    """The content of the store before a release. manifest: of the head; None if nothing was released yet."""

    head: Head | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    manifest: Mapping[str, Any] | None = None

    @property
    def version(self) -> str | None:
        """The manifest's part about the newest release."""
        return None if self.manifest is None else str(self.manifest["publication"]["version"])


def release(
    plan: Plan,
    store: Store,
    out: Path,
    *,
    secret: bytes | None = None,
    secrets: Sequence[bytes] = (),
    workers: int = 1,
    engine: str | None = None,
    private: bool = True,
    dry_run: bool = True,
    show: Callable[[str], None] | None = None,
    progress: Callable[[Event], None] | None = None,
) -> Outcome:
    """Publish this plan's release in a store.

    secret: of its blind splits, which no earlier release may have used. secrets: those of earlier blind splits that are not
    revealed yet; others among them do no harm. engine: what verifies; None: two formulations, as when it was made.
    dry_run: stop before anything is sent.
    show: one line for each step. progress: of the building.
    Raises BadParams for a secret that is missing or was used before, Moved if another release got in between, BadFile for
    anything about the store or the files. Whatever is raised: the same call goes on from there.
    """
    attempt = _Release(plan, store, out, secret, secrets, workers, engine, private, show or (lambda _: None), progress)
    with in_one_line(out, NO_ROOM):
        return attempt.run(dry_run)


@contextmanager
def alone(out: Path) -> Iterator[None]:
    """Let only one command at a time work in a folder. Systems without flock go without."""
    out.mkdir(parents=True, exist_ok=True)
    with (out / "lock").open("w") as file:
        if not locked(file):
            raise BadFile(f"{out}: the same command is at work there; wait for it or choose another out=")
        yield


def look(store: Store) -> Published:
    """Read what a store holds. Raises BadFile if its head is anything but a release."""
    head = store.head()
    if head is None or not head.files:
        return Published(head)
    if MANIFEST not in head.files:
        raise BadFile(
            f"{store.name}: holds {min(head.files)!r} and no {MANIFEST}, so it is no repository of releases; choose another one"
        )
    return Published(head, store.tags(), manifest_at(store, head.commit))


def manifest_at(store: Store, commit: str, folder: str = "") -> dict[str, Any]:
    """The manifest of the release in a commit; folder: where in the repository, with a "/" at its end."""
    with TemporaryDirectory() as scratch:
        store.fetch(folder + MANIFEST, commit, Path(scratch) / MANIFEST)
        where = f"{store.name} at {commit[:12]}"
        try:
            manifest = open_release(Path(scratch)).manifest
        except BadFile:
            raise BadFile(f"{where}: its {folder}{MANIFEST} is not that of a release; choose another repository") from None
    if manifest.get("checksum") != writer.checksum(manifest):
        raise BadFile(
            f"{where}: its {folder}{MANIFEST} was altered: it does not fit its checksum; restore it or choose another repository"
        )
    publication_of(manifest, where)
    return manifest


def check_remote(store: Store, commit: str, expected: Mapping[str, str], show: Callable[[str], None], tag: str = "") -> None:
    """Read these files of a commit back and compare their SHA-256. Raises BadFile for the first that differs.

    tag: the one that stands on the commit, "" if none does.
    """
    show(f"check: {len(expected)} files of the commit {commit[:12]} are read back")
    found = store.hashes(commit, sorted(expected))
    for path, sha in sorted(expected.items()):
        if found.get(path) != sha:
            what = "lacks" if path not in found else "holds other bytes of"
            so = f"though the tag {tag} stands on it" if tag else "so nothing is tagged"
            raise BadFile(
                f"{store.name}: the commit {commit[:12]} {what} {path}, {so}; run the same command again, and if it says the "
                "same, restore the file or go back to the commit before it"
            )


def hashes_of(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Path -> SHA-256 of every file that a published manifest names."""
    files = {path: item["sha256"] for path, item in manifest["files"].items()}
    return {**files, **manifest["publication"]["ledger"], **manifest["publication"]["earlier"]}


def fetch_ledger(store: Store, published: Published, folder: Path) -> dict[str, Path]:
    """Every segment of the ledger in a store's head, each compared with the hash that a manifest states; path -> local file."""
    if published.head is None or published.manifest is None:
        return {}
    block = published.manifest["publication"]
    known = {**block["earlier"], **block["ledger"]}
    for version in revealed_versions(published.head):
        known |= manifest_at(store, published.head.commit, f"{REVEALED}/{version}/")["publication"]["ledger"]
    segments = {}
    for path in sorted(published.head.files):
        if path.startswith(f"{LEDGER}/"):
            if path not in known:
                raise BadFile(f"{store.name}: {path}: no manifest states its hash; remove it from the repository and run again")
            segments[path] = fetched(store, published.head.commit, path, known[path], folder / Path(path).name)
    for path in sorted(known.keys() - segments.keys()):
        raise BadFile(f"{store.name}: {path} is missing, so earlier puzzles would come again; restore it and run again")
    return segments


def fetched(store: Store, commit: str, path: str, sha: str, into: Path) -> Path:
    if not into.is_file() or file_hash(into) != sha:
        into.parent.mkdir(parents=True, exist_ok=True)
        store.fetch(path, commit, into)
        if file_hash(into) != sha:
            into.unlink()
            raise BadFile(f"{store.name}: {path} has not the hash that its manifest states; restore it and run again")
    return into


def revealed_versions(head: Head) -> list[str]:
    """The releases whose blind splits were revealed."""
    names = [path.split("/") for path in head.files]
    return sorted(parts[1] for parts in names if len(parts) == 3 and parts[0] == REVEALED and parts[2] == MANIFEST)


def published_secrets(store: Store, head: Head) -> dict[str, bytes]:
    """Commitment -> secret of everything that was revealed."""
    found = {}
    for version in revealed_versions(head):
        path = f"{REVEALED}/{version}/{KEY_FILE}"
        if path in head.files:
            with TemporaryDirectory() as scratch:
                store.fetch(path, head.commit, Path(scratch) / KEY_FILE)
                try:
                    secret = read_secret(Path(scratch) / KEY_FILE)
                except BadFile:
                    raise BadFile(f"{store.name}: {path} holds no secret; restore it and run again") from None
            found[commitment(secret)] = secret
    return found


@dataclass(slots=True)
class _Release:
    """One attempt."""

    plan: Plan
    store: Store
    out: Path
    secret: bytes | None
    secrets: Sequence[bytes]
    workers: int
    engine: str | None
    private: bool
    show: Callable[[str], None]
    progress: Callable[[Event], None] | None

    def __post_init__(self) -> None:
        if self.plan.blind and self.secret is None:
            raise BadParams("secret: missing; blind splits need one of their own: `puzzlemill secret FILE` makes it")
        if self.secret is not None and not self.plan.blind:
            raise BadParams("secret: of no use without blind splits; name them, as in blind='[test]', or leave it out")

    def run(self, dry_run: bool) -> Outcome:
        published = look(self.store)
        if (done := self._finished(published, dry_run)) is not None:
            return done
        if not dry_run:
            self.store.ready()
        self._finish_other(published, dry_run)
        with alone(self.out):
            return self._made(published, dry_run)

    def _made(self, published: Published, dry_run: bool) -> Outcome:
        """Make it and send it."""
        staged = self._staged(published)
        if dry_run:
            return Outcome(DRY, self.plan.version, "", staged.manifest, staged)
        parent = None if published.head is None else published.head.commit
        self.store.create(private=self.private)
        if published.head is None and (now := look(self.store)).head is not None:
            if now.manifest is not None:
                return self._overtaken(staged)
            parent = now.head.commit  # a new repository may begin with a commit of its own
        self.show(f"commit: {len(staged.add)} files, {len(staged.delete)} deleted")
        try:
            commit = self.store.commit(staged.add, staged.delete, parent, staged.message)
        except Moved:
            return self._overtaken(staged)
        self._check(commit, staged)
        return self._tag(PUBLISHED, commit, staged.manifest, staged)

    def _finished(self, published: Published, dry_run: bool) -> Outcome | None:
        """Do only what is missing, where this version was committed before."""
        version = self.plan.version
        if published.manifest is not None:
            self._same_series(published.manifest)
        if version in published.tags:
            commit = published.tags[version]
            if not self.store.hashes(commit, [MANIFEST]):
                raise BadFile(
                    f"{self.store.name}: the tag {version} stands on the commit {commit[:12]}, which holds no release: somebody "
                    f"else has set it; {_OTHER_TAG}"
                )
            manifest = manifest_at(self.store, commit)
            self._same(manifest, f"the tag {version}", f"if somebody else has set it, {_OTHER_TAG}")
            check_remote(self.store, commit, hashes_of(manifest), self.show, version)
            self.show(f"{version} is published already; nothing is done")
            return Outcome(STANDING, version, commit, manifest)
        if published.head is not None and published.manifest is not None and published.version == version:
            self._same(published.manifest, f"the head, {version},")
            check_remote(self.store, published.head.commit, hashes_of(published.manifest), self.show)
            if dry_run:
                self.show(f"{version} is committed already and lacks its tag")
                return Outcome(DRY, version, published.head.commit, published.manifest)
            return self._tag(TAGGED, published.head.commit, published.manifest, None)
        return None

    def _same_series(self, manifest: Mapping[str, Any]) -> None:
        series = manifest["publication"]["series"]
        if series != self.plan.recipe.name:
            raise BadFile(
                f"{self.store.name}: is the repository of another recipe, {series!r}, not of {self.plan.recipe.name!r}; "
                "choose another repository"
            )

    def _same(self, manifest: Mapping[str, Any], what: str, remedy: str = "choose another period") -> None:
        """Check that what stands under this version is what would be released."""
        block = manifest["publication"]
        committed = None if self.secret is None else commitment(self.secret)
        found = None if block["blind"] is None else block["blind"]["commitment"]
        self._same_series(manifest)
        for name, stands, wanted in (
            ("another version", block["version"], self.plan.version),
            ("another seed", manifest["recipe_key"], self.plan.open.key()),
            ("another secret", found, committed),
        ):
            if stands != wanted:
                raise BadFile(f"{self.store.name}: {what} holds a release of {name}; nothing was changed; {remedy}")

    def _finish_other(self, published: Published, dry_run: bool) -> None:
        """Tag the release before, if its maker was stopped before that; what is committed now would hide it."""
        version, head, manifest = published.version, published.head, published.manifest
        if version is not None and head is not None and manifest is not None and version not in published.tags:
            check_remote(self.store, head.commit, hashes_of(manifest), self.show)
            self.show(f"{version} lacks its tag" + ("" if dry_run else "; it is set now"))
            if not dry_run:
                self.store.tag(version, head.commit, _message(manifest))

    def _staged(self, published: Published) -> Staged:
        segments = fetch_ledger(self.store, published, self.out / LEDGER)
        revealed = {} if published.head is None else published_secrets(self.store, published.head)
        known = {**{commitment(one): one for one in self.secrets}, **revealed}
        ledger = Ledger.open(list(segments.values()), self.out / LEDGER, known)
        if self.secret is not None and commitment(self.secret) in {*ledger.commitments, *revealed}:
            users = ", ".join(ledger.commitments.get(commitment(self.secret), ("another release",)))
            raise BadParams(
                f"secret: was used for {users}; every release needs one of its own: `puzzlemill secret FILE` makes it"
            )
        self.show(f"earlier: {len(ledger)} puzzles in {len(ledger.segments)} segments of the ledger")
        work = self.out / self.plan.version / (ledger.digest[:12] or "first")
        opened = run(self.plan.open, work / "open", self.workers, self.progress, ledger)
        own = {segment_path(self.plan.version): work / "ledger.parquet"}
        write_segment(work / "ledger.parquet", rows_of(open_release(opened.out), LEDGER_COLUMNS), self.plan.version)
        self.show(f"open: {opened.rows} rows")
        blind = None
        if self.secret is not None:
            after = Ledger.open([*segments.values(), work / "ledger.parquet"], self.out / LEDGER, known)
            hidden = build_blind(
                self.plan, self.secret, work / f"blind-{commitment(self.secret)[:8]}", self.workers, self.progress, after
            )
            hidden_rows = rows_of(open_release(hidden.out), LEDGER_COLUMNS)
            own[blind_segment_path(self.plan.version)] = work / "ledger.blind.parquet"
            write_blind_segment(work / "ledger.blind.parquet", hidden_rows, self.plan.version, self.secret)
            self.show(f"blind: {hidden.rows} rows")
            self._verify(hidden.out)
            blind = blind_block(self.plan, self.secret, hidden)
        self._verify(opened.out)
        return self._stage(published, opened.out, work / "publish", own, segments, blind)

    def _verify(self, folder: Path) -> None:
        """Prove every row again, unless this source did so with this engine before: a dry run comes before the real one."""
        done = folder.with_name(f"verified.{folder.name}")
        what = {"checksum": open_release(folder).manifest["checksum"], "engine": self.engine, "source": writer.source_key()}
        if done.is_file() and done.read_text(encoding="utf-8") == json.dumps(what):
            self.show(f"verify {folder.name}: done before")
            return
        problems: list[str] = []
        report = verify(folder, problems.append, further=series, engine=self.engine, workers=self.workers)
        self.show(f"verify {folder.name}: {report}")
        if problems:
            more = f" and {len(problems) - 1} more" if len(problems) > 1 else ""
            raise BadFile(
                f"{folder}: nothing is published, since verifying found {problems[0]}{more}; remove the folder and run again"
            )
        if self.engine is None and report.undecided:
            raise BadFile(
                f"{folder}: nothing is published, since {report.undecided} row{'s' if report.undecided > 1 else ''} could "
                "not be proved again; raise proof.*"
            )
        done.write_text(json.dumps(what), encoding="utf-8")

    def _stage(
        self,
        published: Published,
        opened: Path,
        folder: Path,
        own: Mapping[str, Path],
        segments: Mapping[str, Path],
        blind: Mapping[str, Any] | None,
    ) -> Staged:
        """Write what is committed into a folder that holds nothing else."""
        if folder.exists():
            shutil.rmtree(folder)
        source = open_release(opened)
        for path in source.files:
            if path != "README.md":
                place(opened / path, folder / path)
        for path, file in own.items():
            place(file, folder / path)
        manifest = {name: value for name, value in source.manifest.items() if name not in ("publication", "files", "checksum")}
        block = publication(
            self.plan,
            published.manifest,
            manifest,
            blind=blind,
            ledger={path: file_hash(folder / path) for path in own},
            earlier={path: file_hash(file) for path, file in segments.items()},
        )
        written = {**source.manifest, "publication": block, "files": dict(source.manifest["files"])}
        writer.finish(folder, written)
        add = {path: folder / path for path in sorted([*written["files"], *own, MANIFEST])}
        old = {} if published.manifest is None or published.head is None else published.manifest["files"]
        there = {} if published.head is None else published.head.files
        delete = tuple(sorted(path for path in old if path not in add and path in there))
        return Staged(folder, add, delete, _message(written), written)

    def _check(self, commit: str, staged: Staged) -> None:
        """Read back all that the tag of what is staged stands for."""
        own = {MANIFEST: file_hash(staged.add[MANIFEST])}
        check_remote(self.store, commit, hashes_of(staged.manifest) | own, self.show)

    def _overtaken(self, staged: Staged) -> Outcome:
        """Somebody else committed first: the same release, or another one."""
        published = look(self.store)
        head, manifest = published.head, published.manifest
        if head is None or manifest is None or published.version != self.plan.version:
            raise Moved(f"{self.store.name}: another release was made in between; run the same command again")
        self._same(manifest, f"the head, {self.plan.version},")
        self._check(head.commit, staged)
        self.show("the same release was committed by somebody else")
        return self._tag(TAGGED, head.commit, manifest, staged)

    def _tag(self, state: str, commit: str, manifest: Mapping[str, Any], staged: Staged | None) -> Outcome:
        self.store.tag(self.plan.version, commit, _message(manifest))
        self.show(f"tag: {self.plan.version} on {commit[:12]}")
        return Outcome(state, self.plan.version, commit, manifest, staged)


def build_blind(
    plan: Plan, secret: bytes, out: Path, workers: int, progress: Callable[[Event], None] | None, earlier: Ledger
) -> Summary:
    """Build the blind part in a folder that only its owner may read."""
    hidden_folder(out)
    return run(plan.blind_recipe(secret), out, workers, progress, earlier)


def hidden_folder(folder: Path) -> None:
    """Make a folder that only its owner may read, or make it one."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)


def blind_block(plan: Plan, secret: bytes, built: Summary) -> dict[str, Any]:
    """The facts about a blind part that are published before it is revealed."""
    manifest = open_release(built.out).manifest
    return {
        "splits": list(plan.blind),
        "commitment": commitment(secret),
        "rows": built.rows,
        "groups": sum(cell.groups for cell in built.cells),
        "files": {path: item["sha256"] for path, item in manifest["files"].items() if path.startswith("data/")},
    }


def _message(manifest: Mapping[str, Any]) -> str:
    rows = sum(cell["rows"] for cell in manifest["content"])
    return f"{manifest['publication']['series']} {manifest['publication']['version']}: {rows} rows"


def place(source: Path, target: Path) -> None:
    """The same file under another name: a hard link where there can be one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copyfile(source, target)
