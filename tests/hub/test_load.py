"""`load` and `exclude` with a data set on the Hub in the place of a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from hub_client import READER, REPO
from hub_server import HubServer

import puzzlemill
from puzzlemill.core.errors import BadFile
from puzzlemill.publish.hub import HubStore

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
