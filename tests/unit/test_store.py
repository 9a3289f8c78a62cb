"""A folder as a repository, beyond what every store does (tests/hub/test_stores.py): nothing of anybody else's touched."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.core.errors import BadFile
from puzzlemill.publish import store as module
from puzzlemill.publish.store import FolderStore


class Stopped(BaseException):
    """The process was killed here."""


@pytest.fixture
def repo(tmp_path: Path) -> FolderStore:
    made = FolderStore(tmp_path / "repo")
    made.create(private=True)
    return made


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / "files" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def first(repo: FolderStore, tmp_path: Path) -> str:
    """A commit of two files."""
    add = {"a.txt": file(tmp_path, "a", "one"), "data/b.txt": file(tmp_path, "b", "two")}
    return repo.commit(add, [], None, "first")


def second(repo: FolderStore, tmp_path: Path, parent: str) -> str:
    """A commit that replaces one of them, adds one and deletes one."""
    add = {"a.txt": file(tmp_path, "a2", "other"), "c.txt": file(tmp_path, "c", "three")}
    return repo.commit(add, ["data/b.txt"], parent, "second")


def content(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_nothing_is_made_by_looking(tmp_path: Path) -> None:
    repo = FolderStore(tmp_path / "new")
    assert (repo.head(), repo.tags()) == (None, {})
    assert not (tmp_path / "new").exists()


def test_tags_are_folders(repo: FolderStore, tmp_path: Path) -> None:
    one = first(repo, tmp_path)
    repo.tag("v1", one, "")
    two = second(repo, tmp_path, one)
    repo.tag("v2", two, "")
    assert content(tmp_path / "repo" / "v1") == {"a.txt": "one", "data/b.txt": "two"}
    assert content(tmp_path / "repo" / "v2") == {"a.txt": "other", "c.txt": "three"}
    assert content(tmp_path / "repo" / "latest") == content(tmp_path / "repo" / "v2")
    head = repo.head()
    assert head is not None and repo.hashes(two, list(head.files)) == head.files


def test_what_did_not_change_is_stored_once_and_is_read_only(repo: FolderStore, tmp_path: Path) -> None:
    """A release of a gigabyte would take a gigabyte in every commit, and an edit of one would be an edit of all."""
    one = first(repo, tmp_path)
    two = repo.commit({"c.txt": file(tmp_path, "c", "three")}, [], one, "more")
    commits = tmp_path / "repo" / ".commits"
    assert (commits / one / "a.txt").samefile(commits / two / "a.txt")
    assert (commits / one / "a.txt").stat().st_mode & 0o222 == 0
    assert not (tmp_path / "files" / "a").samefile(commits / one / "a.txt"), "the sender's own file could still be edited"


def test_a_commit_s_name_is_its_content(tmp_path: Path) -> None:
    names = set()
    for place in ("x", "y"):
        repo = FolderStore(tmp_path / place)
        repo.create(private=False)
        names.add(second(repo, tmp_path, first(repo, tmp_path)))
    assert len(names) == 1


@pytest.mark.parametrize("name", ["", "latest", ".commits", "../x", "a/b", "-", "a" * 101, "v 1"])
def test_names_that_are_no_tags(repo: FolderStore, tmp_path: Path, name: str) -> None:
    one = first(repo, tmp_path)
    with pytest.raises(BadFile, match="cannot be a tag"):
        repo.tag(name, one, "")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("path", ["", "/etc/x", "../x", "a/../../x", "a//b", "a\\b", "./a", "a\nb", "x" * 256])
def test_paths_that_lead_elsewhere(repo: FolderStore, tmp_path: Path, path: str) -> None:
    with pytest.raises(BadFile, match="is no path of a file in a repository"):
        repo.commit({path: file(tmp_path, "a", "one")}, [], None, "")
    assert repo.head() is None


def test_fetch_writes_one_file(repo: FolderStore, tmp_path: Path) -> None:
    one = first(repo, tmp_path)
    repo.fetch("data/b.txt", one, tmp_path / "into" / "b")
    assert content(tmp_path / "into") == {"b": "two"}
    with pytest.raises(BadFile, match=r"the commit [0-9a-f]{12} has no x"):
        repo.fetch("x", one, tmp_path / "into" / "x")
    with pytest.raises(BadFile, match="is no commit"):
        repo.fetch("a.txt", "../..", tmp_path / "into" / "x")
    assert content(tmp_path / "into") == {"b": "two"}


def test_hashes_are_of_the_bytes_that_lie_there(repo: FolderStore, tmp_path: Path) -> None:
    """An altered file would pass for the one that was committed."""
    one = first(repo, tmp_path)
    head = repo.head()
    assert head is not None
    altered = tmp_path / "repo" / ".commits" / one / "a.txt"
    altered.chmod(0o644)
    altered.write_text("altered")
    (tmp_path / "repo" / ".commits" / one / "data" / "b.txt").unlink()
    found = repo.hashes(one, ["a.txt", "data/b.txt", "c.txt"])
    assert list(found) == ["a.txt"] and found["a.txt"] != head.files["a.txt"]


def test_links_in_somebody_s_repository_lead_nowhere(repo: FolderStore, tmp_path: Path) -> None:
    """A repository that came from somebody else empties a file of ours, clears our folders away, or has our files published."""
    one = first(repo, tmp_path)
    mine = file(tmp_path, "mine/new-letter", "mine")
    commits = tmp_path / "repo" / ".commits"
    for link, target in (("a.txt", mine), ("data", mine.parent)):
        place = commits / one / link
        shutil.rmtree(place) if place.is_dir() else place.unlink()
        place.symlink_to(target)
    file(tmp_path, "mine/b.txt", "mine")
    assert repo.hashes(one, ["a.txt", "data/b.txt"]) == {}
    for path in ("a.txt", "data/b.txt"):
        with pytest.raises(BadFile, match="missing or damaged"):
            repo.fetch(path, one, tmp_path / "into")
    (commits / "lock").unlink()
    (commits / "lock").symlink_to(mine)
    with pytest.raises(BadFile, match="lock: "):
        repo.tag("v1", one, "")
    assert mine.read_text() == "mine"
    other = FolderStore(tmp_path / "other")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / ".commits").symlink_to(mine.parent)
    with pytest.raises(BadFile, match="leads elsewhere"):
        other.create(private=True)
    assert mine.read_text() == "mine"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_list_that_is_no_file(repo: FolderStore, tmp_path: Path) -> None:
    """Reading it never ends."""
    path = tmp_path / "repo" / ".commits" / f"{first(repo, tmp_path)}.json"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(BadFile, match="missing or damaged"):
        repo.head()


@pytest.mark.parametrize("name", ["thesis.tex", ".git/config"])
def test_somebody_else_s_folder_is_refused(tmp_path: Path, name: str) -> None:
    path = file(tmp_path, name, "mine")
    repo = FolderStore(tmp_path / "files")
    calls: list[Callable[[], Any]] = [lambda: repo.create(private=True), repo.head, repo.tags]
    for call in calls:
        with pytest.raises(BadFile, match="is no repository of releases; choose another folder"):
            call()
    assert path.read_text() == "mine"


def test_something_in_the_way_of_a_tag(repo: FolderStore, tmp_path: Path) -> None:
    one = first(repo, tmp_path)
    mine = tmp_path / "repo" / "v1"
    mine.mkdir()
    with pytest.raises(BadFile, match="is in the way of the link"):
        repo.tag("v1", one, "")
    assert repo.tags() == {}
    mine.rmdir()
    repo.tag("v1", one, "")
    assert repo.tags() == {"v1": one}


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000, '{"head": "x", "tags": {}, "parents": {}}', '{"head": 1}'])
def test_a_damaged_repository_is_one_line(repo: FolderStore, tmp_path: Path, text: str) -> None:
    one = first(repo, tmp_path)
    for name in ("refs.json", f"{one}.json"):
        path = tmp_path / "repo" / ".commits" / name
        before = path.read_text()
        path.write_text(text)
        with pytest.raises(BadFile, match=r"refs\.json|json: missing or damaged"):
            repo.head()
        path.write_text(before)


def test_no_room_is_one_line_and_changes_nothing(repo: FolderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = first(repo, tmp_path)
    before = repo.head()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(module, "copyfile", full)
        with pytest.raises(BadFile, match="No space left on device; free some room") as told:
            second(repo, tmp_path, one)
    assert "\n" not in str(told.value)
    assert repo.head() == before
    assert not list((tmp_path / "repo" / ".commits").glob("new-*"))
    second(repo, tmp_path, one)


def test_without_hard_links_files_are_copied(repo: FolderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    one = first(repo, tmp_path)
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    two = repo.commit({"c.txt": file(tmp_path, "c", "three")}, [], one, "more")
    assert content(tmp_path / "repo" / ".commits" / two) == {"a.txt": "one", "data/b.txt": "two", "c.txt": "three"}


# ---- killed anywhere --------------------------------------------------------------------------------------------------


@contextmanager
def killed(monkeypatch: pytest.MonkeyPatch, at: int) -> Iterator[list[int]]:
    """Stop at the at-th place, before or after a step; from then on nothing is cleared up, as nothing is after a kill."""
    passed = [0]

    def place() -> None:
        if passed[0] >= at:
            raise Stopped
        passed[0] += 1

    def wrap(function: Callable[..., Any]) -> Callable[..., Any]:
        def step(*args: Any, **more: Any) -> Any:
            place()
            result = function(*args, **more)
            place()
            return result

        return step

    with monkeypatch.context() as patched:
        for name in ("_copy", "_link", "_write", "rmtree"):
            patched.setattr(module, name, wrap(getattr(module, name)))
        for name in ("replace", "symlink_to", "chmod", "unlink"):
            patched.setattr(Path, name, wrap(getattr(Path, name)))
        patched.setattr(os, "fsync", lambda _: None)  # slow, and of no use to a process that is only killed
        yield passed


def publish(repo: FolderStore, tmp_path: Path) -> None:
    """Two releases, each step of which can be done again."""
    repo.create(private=True)
    for tag, make in (("v1", lambda head: first(repo, tmp_path)), ("v2", lambda head: second(repo, tmp_path, head))):
        if tag in repo.tags():
            continue
        head = repo.head()
        done = head is not None and ("c.txt" in head.files if tag == "v2" else True)
        commit = head.commit if head is not None and done else make(head.commit if head is not None else None)
        repo.tag(tag, commit, tag)


def test_killed_at_every_step_and_given_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill leaves half a commit that is taken for a whole one, or a state in which nothing more can be published."""
    whole = tmp_path / "whole"
    with killed(monkeypatch, 10**9) as count:
        publish(FolderStore(whole / "repo"), whole)
    steps, expected = count[0], {tag: content(whole / "repo" / tag) for tag in ("v1", "v2", "latest")}
    refs = json.loads((whole / "repo" / ".commits" / "refs.json").read_text())
    assert steps > 60
    for at in range(steps):
        place = tmp_path / f"cut{at}"
        repo = FolderStore(place / "repo")
        with killed(monkeypatch, at), pytest.raises(Stopped):
            publish(repo, place)
        head = repo.head()
        if head is not None:
            assert repo.hashes(head.commit, list(head.files)) == head.files, at
        for tag, commit in repo.tags().items():
            assert content(place / "repo" / tag) == expected[tag], at
            assert repo.hashes(commit, ["a.txt"])
        publish(repo, place)
        assert json.loads((place / "repo" / ".commits" / "refs.json").read_text()) == refs, at
        assert {tag: content(place / "repo" / tag) for tag in expected} == expected, at
        left = {path.name for path in (place / "repo" / ".commits").iterdir()}
        assert left == {"lock", "refs.json", *refs["parents"], *(f"{commit}.json" for commit in refs["parents"])}, at
