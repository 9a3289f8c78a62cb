"""Stores that releases are published in: a repository with commits, of which one is the head, and tags.

A store is a folder on this machine (`FolderStore`, below) or a data set on the Hub (publish/hub.py). Both keep one promise:
a commit is made whole or not at all, on the head that its maker has seen, and a tag is set once. What the release protocol
(publish/release.py) needs of a store is in `Store`, and no more.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shutil import copyfile, rmtree
from tempfile import mkdtemp
from typing import Any, Protocol

from puzzlemill.core.errors import BadFile
from puzzlemill.factory.files import in_one_line, locked, read_json, whole
from puzzlemill.factory.read import file_hash


class Moved(BadFile):
    """The head is another one than that on which a commit was to be made: somebody else published in between."""


class TagTaken(BadFile):
    """The tag stands already, on another commit."""


@dataclass(frozen=True, slots=True)
class Head:
    """The newest commit. files: every path in it with its SHA-256, or "" where the store does not know it before it is read."""

    commit: str
    files: Mapping[str, str]


class Store(Protocol):
    """A repository. Paths are relative, with "/". Every method raises BadFile, with one line that says what to do, where the
    store cannot be reached or refuses; none of them ever shows a token.
    """

    @property
    def name(self) -> str:
        """The name that users give it: a path, or org/name."""
        ...

    def ready(self) -> None:
        """Raise BadFile now, before long work, if it is known that nothing may be written; says and changes nothing else."""
        ...

    def create(self, *, private: bool) -> None:
        """Make the repository unless it is there. private: who may read it, where the store knows of that."""
        ...

    def head(self) -> Head | None:
        """The newest commit; None if there is no repository or nothing was committed yet."""
        ...

    def tags(self) -> Mapping[str, str]:
        """Tag -> commit."""
        ...

    def fetch(self, path: str, commit: str, into: Path) -> None:
        """Write one file of a commit to the local path `into`, whole or not at all."""
        ...

    def commit(self, add: Mapping[str, Path], delete: Sequence[str], parent: str | None, message: str) -> str:
        """One commit that adds or replaces files and deletes others; returns its name.

        parent: the head that it is made on, None for the first. Raises Moved if the head is another one.
        """
        ...

    def hashes(self, commit: str, paths: Sequence[str]) -> Mapping[str, str]:
        """SHA-256 of these files' bytes, read from the store now; a path that is not there is left out.

        "" for one that is not what the store itself says of it.
        """
        ...

    def tag(self, name: str, commit: str, message: str) -> None:
        """Set a tag; nothing happens if it stands on this commit. Raises TagTaken if it stands on another."""
        ...


# ---- a folder ---------------------------------------------------------------------------------------------------------

COMMITS = ".commits"
LATEST = "latest"
_REFS = "refs.json"
_TAG = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z._-]{0,98}[0-9A-Za-z])?\Z")
_LIMIT = 64_000_000  # bytes of refs.json or a commit's list of files


class FolderStore:
    """A repository in a folder on this machine.

        DIR/.commits/refs.json        the head, the tags, and every commit with its parent: the one file that decides
        DIR/.commits/<id>.json        a commit's files with their SHA-256, its parent and message
        DIR/.commits/<id>/            all its files; those that its parent has too are the same files (hard links)
        DIR/<tag>, DIR/latest         links to a tagged commit and to the head as it was last tagged: what readers open

    refs.json is replaced in one step, after everything that it names is written: whoever is stopped at any point leaves the old
    state or the new one, and what it left there is cleared away by the next one that writes. Writers take turns (flock).
    A commit's name is a hash of its paths, their hashes and its parent. Files in it are read-only, since commits share them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._commits = folder / COMMITS

    @property
    def name(self) -> str:
        return str(self._folder)

    def ready(self) -> None:
        place = next(place for place in (self._folder, *self._folder.absolute().parents) if place.exists())
        if not os.access(place, os.W_OK):
            raise BadFile(f"{place}: cannot be written to; choose another folder, or ask its owner")

    def create(self, *, private: bool) -> None:
        """Make the folder; private has no meaning here. Raises BadFile if it holds anything that is not ours."""
        del private
        with self._plainly():
            if self._ours():
                return
            self._commits.mkdir(parents=True, exist_ok=True)
            with self._turn():
                if not self._ours():
                    self._write_refs({"head": None, "tags": {}, "parents": {}})

    def head(self) -> Head | None:
        with self._plainly():
            if not self._ours() or (commit := self._refs()["head"]) is None:
                return None
            return Head(commit, self._files(commit))

    def tags(self) -> Mapping[str, str]:
        with self._plainly():
            return dict(self._refs()["tags"]) if self._ours() else {}

    def fetch(self, path: str, commit: str, into: Path) -> None:
        with self._plainly():
            if path not in self._files(commit):
                raise BadFile(f"{self.name}: the commit {commit[:12]} has no {path}")
            if not self._lies(commit, path):
                raise self._damaged(f"{commit}/{path}")
            _copy(self._commits / commit / path, into)

    def commit(self, add: Mapping[str, Path], delete: Sequence[str], parent: str | None, message: str) -> str:
        for path in [*add, *delete]:
            if not _plain_path(path):
                raise BadFile(f"{self.name}: {path[:80]!r} is no path of a file in a repository")
        with self._plainly(), self._turn():
            refs = self._refs()
            if refs["head"] != parent:
                raise Moved(f"{self.name}: somebody else committed in between; run the same command again")
            before = self._files(parent) if parent is not None else {}
            kept = {path: sha for path, sha in before.items() if path not in add and path not in delete}
            aside = Path(mkdtemp(prefix="new-", dir=self._commits))
            try:
                for path in kept:
                    _link(self._commits / str(parent) / path, aside / path)
                for path, source in add.items():
                    _copy(source, aside / path, read_only=True)
                files = dict(sorted({**kept, **{path: file_hash(aside / path) for path in add}}.items()))
                text = json.dumps({"parent": parent, "message": message, "files": files}, indent=1) + "\n"
                name = sha256(json.dumps([parent, files], separators=(",", ":")).encode()).hexdigest()
                aside.chmod(0o755)
                if (self._commits / name).exists():  # written, and never made the head
                    rmtree(self._commits / name)
                aside.replace(self._commits / name)
            finally:
                rmtree(aside, ignore_errors=True)
            _write(self._commits / f"{name}.json", text)
            self._write_refs({**refs, "head": name, "parents": {**refs["parents"], name: parent}})
        return name

    def hashes(self, commit: str, paths: Sequence[str]) -> Mapping[str, str]:
        """Computed from the bytes that lie there now, not looked up."""
        with self._plainly():
            files = self._files(commit)
            there = [path for path in paths if path in files and self._lies(commit, path)]
            return {path: file_hash(self._commits / commit / path) for path in there}

    def tag(self, name: str, commit: str, message: str) -> None:
        del message
        if not _TAG.match(name) or name == LATEST:
            raise BadFile(f"{self.name}: {name[:80]!r} cannot be a tag; use letters, digits, points and dashes")
        with self._plainly(), self._turn():
            refs = self._refs()
            if commit not in refs["parents"]:
                raise BadFile(f"{self.name}: has no commit {commit[:12]}")
            if refs["tags"].get(name, commit) != commit:
                raise TagTaken(
                    f"{self.name}: the tag {name} stands on another commit: somebody else has set it; nothing was changed"
                )
            # links first: with a tag in refs.json nobody comes back to see whether its link stands
            self._point(name, commit)
            self._point(LATEST, refs["head"])
            if name not in refs["tags"]:
                self._write_refs({**refs, "tags": {**refs["tags"], name: commit}})

    def _ours(self) -> bool:
        """Say if the folder is a repository; False if it can become one. Raises BadFile if it is something else."""
        if self._commits.is_symlink():
            raise BadFile(f"{self._commits}: leads elsewhere, where other things could be cleared away; choose another folder")
        if (self._commits / _REFS).is_file():
            return True
        if self._folder.is_dir():
            foreign = sorted(entry.name for entry in self._folder.iterdir() if entry.name != COMMITS)
            if foreign:
                raise BadFile(f"{self.name}: holds {foreign[0]!r} and is no repository of releases; choose another folder")
        return False

    def _lies(self, commit: str, path: str) -> bool:
        """Say if a file of a commit is there, in the repository itself: links in one that others made may lead anywhere."""
        place = self._commits / commit
        if place.is_symlink():
            return False
        for part in path.split("/"):
            place /= part
            if place.is_symlink():
                return False
        return place.is_file()

    def _refs(self) -> dict[str, Any]:
        found = self._json(_REFS)
        try:
            head, tags, parents = found["head"], found["tags"], found["parents"]
            if {head, *tags.values()} - {None, *parents} or not all(_ID.match(commit) for commit in parents):
                raise ValueError
        except (KeyError, TypeError, AttributeError, ValueError):
            raise self._damaged(_REFS) from None
        return found

    def _write_refs(self, refs: Mapping[str, Any]) -> None:
        _write(self._commits / _REFS, json.dumps(refs, indent=1, sort_keys=True) + "\n")

    def _files(self, commit: str) -> dict[str, str]:
        if not _ID.match(commit):
            raise BadFile(f"{self.name}: {commit[:80]!r} is no commit")
        found = self._json(f"{commit}.json")
        try:
            files: dict[str, str] = found["files"]
            if not all(_plain_path(path) and type(sha) is str for path, sha in files.items()):
                raise ValueError
        except (KeyError, TypeError, AttributeError, ValueError):
            raise self._damaged(f"{commit}.json") from None
        return files

    def _json(self, name: str) -> dict[str, Any]:
        path = self._commits / name
        found = read_json(path, _LIMIT) if path.is_file() else None
        if type(found) is not dict:
            raise self._damaged(name)
        return found

    def _damaged(self, name: str) -> BadFile:
        return BadFile(f"{self._commits / name}: missing or damaged; restore the repository from a copy")

    def _point(self, name: str, commit: str) -> None:
        link = self._folder / name
        if link.is_symlink() or not link.exists():
            aside = self._commits / f"link-{name}"
            aside.unlink(missing_ok=True)
            aside.symlink_to(f"{COMMITS}/{commit}", target_is_directory=True)
            aside.replace(link)
        else:
            raise BadFile(f"{link}: is in the way of the link to the release; move it elsewhere and run again")

    def _plainly(self) -> AbstractContextManager[None]:
        return in_one_line(self.name, "free some room or choose another folder and run again")

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait until no other process writes, and clear away what a stopped one left. Systems without flock go without."""
        # never through a link: what it leads to would be made, or made empty
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        with os.fdopen(os.open(self._commits / "lock", flags, 0o644), "w") as file:
            locked(file, wait=True)
            for left in [*self._commits.glob("new-*"), *self._commits.glob("*.part")]:
                rmtree(left) if left.is_dir() else left.unlink()
            yield


_ID = re.compile(r"[0-9a-f]{64}\Z")


def _plain_path(path: str) -> bool:
    parts = path.split("/")
    return len(path.encode()) <= 255 and path.isprintable() and "\\" not in path and not any(p in ("", ".", "..") for p in parts)


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        target.hardlink_to(source)
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.EXDEV):
            raise
        _copy(source, target, read_only=True)  # a file system without hard links


def _copy(source: Path, target: Path, *, read_only: bool = False) -> None:
    """Copy a file, whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with whole(target, lasting=True) as part:
        copyfile(source, part)
    if read_only:
        target.chmod(0o444)


def _write(path: Path, text: str) -> None:
    """Write a small file, whole or not at all."""
    with whole(path, lasting=True) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
