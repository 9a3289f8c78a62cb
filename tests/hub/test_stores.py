"""What a release needs of a store, whichever it is: whole commits or none, on the head that was seen, and tags that stand."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from hub_client import Opened

from puzzlemill.core.errors import BadFile
from puzzlemill.publish.store import Moved, Store, TagTaken

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's use of httpx2
DATA = "data/b.parquet"
ONE = {"a.txt": "one", DATA: "two"}
TWO = {"a.txt": "other", "c.txt": "three"}


def commit(store: Store, folder: Path, files: Mapping[str, str], parent: str | None, delete: tuple[str, ...] = ()) -> str:
    add = {}
    for path, text in files.items():
        add[path] = folder / f"{len(list(folder.iterdir()))}-sent"
        add[path].write_text(text)
    return store.commit(add, delete, parent, "a commit")


@pytest.fixture
def store(opened: Opened) -> Store:
    """An empty repository."""
    made = opened()
    made.create(private=True)
    return made


@pytest.fixture
def first(store: Store, tmp_path: Path) -> str:
    """A commit of two files."""
    return commit(store, tmp_path, ONE, None)


def fetched(store: Store, at: str, folder: Path) -> dict[str, str]:
    """What the files of ONE and TWO hold in a commit."""
    found = {}
    for path in store.hashes(at, sorted({*ONE, *TWO})):
        store.fetch(path, at, folder / "fetched")
        found[path] = (folder / "fetched").read_text()
    return found


def test_nothing_is_there_before_the_first_commit(opened: Opened) -> None:
    """A second run ends with "already created", or takes what the store itself puts there for somebody's work."""
    assert (opened().head(), opened().tags()) == (None, {})
    opened().create(private=True)
    opened().create(private=True)
    assert (opened().head(), opened().tags()) == (None, {})


def test_commits_are_whole_and_older_ones_stay(store: Store, first: str, tmp_path: Path) -> None:
    """A commit adds, replaces and deletes; what was published before can still be had."""
    store.tag("v1", first, "")
    second = commit(store, tmp_path, TWO, first, (DATA,))
    store.tag("v2", second, "")
    assert (fetched(store, first, tmp_path), fetched(store, second, tmp_path)) == (ONE, TWO)
    head = store.head()
    assert head is not None and (head.commit, set(head.files)) == (second, set(TWO))
    assert store.hashes(second, [*TWO, DATA, "none"]) == {path: sha256(text.encode()).hexdigest() for path, text in TWO.items()}
    assert store.tags() == {"v1": first, "v2": second}


def test_a_tag_is_set_once(store: Store, first: str, tmp_path: Path) -> None:
    """Setting it again where it stands is no error: a rerun does that."""
    store.tag("v1", first, "")
    store.tag("v1", first, "again")
    second = commit(store, tmp_path, TWO, first)
    with pytest.raises(TagTaken, match="the tag v1 stands on another commit"):
        store.tag("v1", second, "")
    assert store.tags() == {"v1": first}
    assert fetched(store, store.tags()["v1"], tmp_path) == ONE


def test_a_commit_on_an_old_head_is_refused(opened: Opened, store: Store, first: str, tmp_path: Path) -> None:
    """Two releasers: the second has not seen what the first has published."""
    second = commit(opened(), tmp_path, TWO, first)
    before = store.head()
    assert before is not None and before.commit == second
    for parent in (None, first):
        with pytest.raises(Moved, match=r"somebody else (committed|has published)"):
            commit(store, tmp_path, {"d": "late"}, parent)
    assert store.head() == before


def test_of_racing_commits_one_is_made(opened: Opened, first: str, tmp_path: Path) -> None:
    together = threading.Barrier(4)
    outcomes: list[str] = []

    def race(number: int) -> None:
        mine = opened()
        folder = tmp_path / str(number)
        folder.mkdir()
        together.wait()
        try:
            outcomes.append(commit(mine, folder, {f"{number}.txt": str(number)}, first))
        except Moved:
            outcomes.append("")

    threads = [threading.Thread(target=race, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (won,) = [one for one in outcomes if one]
    head = opened().head()
    assert head is not None and head.commit == won and len(head.files) == 3 and len(outcomes) == 4


def test_a_file_that_is_not_there_is_not_fetched(store: Store, first: str, tmp_path: Path) -> None:
    (tmp_path / "into").mkdir()
    with pytest.raises(BadFile, match=r"none\.txt"):
        store.fetch("none.txt", first, tmp_path / "into" / "x")
    assert not list((tmp_path / "into").iterdir())
