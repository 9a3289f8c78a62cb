"""`load` and `exclude` with a data set on the Hub in the place of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_client import READER, REPO
from hub_server import HubServer

import puzzlemill
from puzzlemill.core.errors import BadFile
from puzzlemill.factory import bundle, verify, writer
from puzzlemill.factory.recipe import Recipe
from puzzlemill.publish.hub import HubStore
from puzzlemill.publish.plan import plan
from puzzlemill.publish.release import PUBLISHED, release

pytestmark = pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning")  # the client's use of httpx2


def test_a_data_set_on_the_hub_is_loaded_and_kept_apart_from(
    server: HubServer, store: HubStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """load("org/name") reads no rows, other rows, those of another revision; or exclude= takes no data set on the Hub."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_TOKEN", READER)
    with pytest.raises(BadFile, match="org/puzzles: cannot fetch the release: "):
        puzzlemill.load(REPO)
    store.create(private=False)
    parent = None
    for version, seed in (("one", "a"), ("two", "b")):
        rows = puzzlemill.generate("sudoku", size=6, count=2, seed=seed, out=tmp_path / version)
        add = {path.relative_to(rows.folder).as_posix(): path for path in rows.folder.rglob("*") if path.is_file()}
        parent = store.commit(add, [], parent, version)
        store.tag(version, parent, version)
    assert list(puzzlemill.load(REPO)) == list(puzzlemill.load(tmp_path / "two"))
    assert list(puzzlemill.load(REPO, revision="one", split="train")) == list(puzzlemill.load(tmp_path / "one"))
    with pytest.raises(BadFile, match="three"):
        puzzlemill.load(REPO, revision="three")
    kept = {row["canonical_key"] for row in puzzlemill.load(REPO)}
    made = {row["canonical_key"] for row in puzzlemill.generate("sudoku", size=6, count=2, seed="b", exclude=REPO)}
    assert len(made) == 2 and not made & kept


def test_a_release_in_several_files_is_published_loaded_and_followed_by_a_smaller_one(
    server: HubServer, store: HubStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of several files per split, and of the rows beside the scorer, some are not sent, not fetched, or stay for ever."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_TOKEN", READER)
    plain = {"name": "parts", "seed": "s", "strata": [{"family": "navigation", "counts": {"train": 7, "test": 2}}]}
    with monkeypatch.context() as patch:
        patch.setattr(writer, "ROW_GROUP", 2)
        patch.setattr(writer, "FILE_BYTES", 1)
        for module in (bundle, verify):
            patch.setattr(module, "INSIDE", 1)
        first = release(plan(Recipe.from_plain(plain), "2026-12"), store, tmp_path / "out", dry_run=False, private=False)
    assert first.state == PUBLISHED
    loaded = puzzlemill.load(REPO)
    assert [path for path in loaded.paths if "train" in path] == [
        f"data/navigation/train-{i:05}-of-00004.parquet" for i in range(4)
    ]
    assert len(list(loaded)) == 9 and (loaded.folder / "rows.jsonl.gz").is_file()
    second = release(plan(Recipe.from_plain(plain), "2027-01"), store, tmp_path / "out", dry_run=False, private=False)
    head = store.head()
    assert second.state == PUBLISHED and head is not None
    assert sorted(path for path in head.files if path.startswith(("data/", "rows"))) == [
        f"data/navigation/{split}-00000-of-00001.parquet" for split in ("test", "train")
    ]
    again = puzzlemill.load(REPO)
    assert not {row["canonical_key"] for row in again} & {row["canonical_key"] for row in loaded}
