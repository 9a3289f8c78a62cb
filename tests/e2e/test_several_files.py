"""A release in several files per split, with its rows beside the scorer: made, stopped, verified, and read by its readers."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from releases import Shared

import puzzlemill
from puzzlemill.cli import main
from puzzlemill.envs.export import TARGETS, export
from puzzlemill.factory import bundle, workers, writer
from puzzlemill.factory import run as running
from puzzlemill.factory import verify as verifying
from puzzlemill.factory.exclusions import keeping_apart
from puzzlemill.factory.read import batches, open_release
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.run import run
from puzzlemill.factory.writer import checksum, entry, manifest_text
from puzzlemill.scoring.main import score_files
from puzzlemill.scoring.metrics import to_json

PLAIN: dict[str, Any] = {
    "name": "cut",
    "seed": "s",
    "strata": [
        {"family": "navigation", "counts": {"train": 11, "test": 3}},
        {"family": "coin", "params": {"coins": [5, 7, 8, 9]}, "counts": {"train": 8, "test": 4}},
        {"family": "navigation", "params": {"places": 8}, "counts": {"train": 9}},
    ],
}
RECIPE = Recipe.from_plain(PLAIN)


class Stopped(Exception):
    """Stands for a kill."""


def small(patch: pytest.MonkeyPatch) -> None:
    """Files, row groups and an archive that hold little."""
    patch.setattr(writer, "ROW_GROUP", 3)
    patch.setattr(writer, "FILE_BYTES", 20_000)
    patch.setattr(bundle, "INSIDE", 10_000)
    patch.setattr(verifying, "INSIDE", 10_000)
    patch.setattr(running, "SHARD", 2)
    patch.setattr(running, "FOLDER", 2)


@pytest.fixture(autouse=True)
def limits(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)


@pytest.fixture(scope="module")
def one(shared: Shared) -> Path:
    """The release as it is without limits that it meets."""
    return shared("uncut", lambda folder: run(RECIPE, folder))


@pytest.fixture(scope="module")
def cut(shared: Shared) -> Path:
    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            small(patch)
            run(RECIPE, folder)

    return shared("cut", make)


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def told(folder: Path, count: int = 1) -> list[str]:
    lines: list[str] = []
    verifying.verify(folder, lines.append, workers=count)
    return lines


def replies(folder: Path, to: Path) -> Path:
    lines = [json.dumps({"id": row["id"], "reply": row["gold_reply"]}) + "\n" for row in rows_of(open_release(folder))]
    to.write_text("".join(lines[::2]), encoding="utf-8")
    return to


def test_files_are_numbered_and_hold_the_same_rows_in_the_same_order(one: Path, cut: Path) -> None:
    """A reader by names finds other rows, or the Hub's viewer shows files of a split as splits of their own."""
    whole, parts = open_release(one), open_release(cut)
    assert len(whole.data_files()) == 4 and "rows.jsonl.gz" not in whole.files
    assert "rows.jsonl.gz" in parts.files
    for family, split in (("navigation", "train"), ("navigation", "test"), ("coin", "train"), ("coin", "test")):
        paths = parts.data_files(family, split)
        assert paths == [f"data/{family}/{split}-{i:05}-of-{len(paths):05}.parquet" for i in range(len(paths))]
        assert [parts.files[path].rows for path in paths] == [sum(map(len, batches(cut / path))) for path in paths]
    assert len(parts.data_files("navigation", "train")) > 2
    assert list(rows_of(parts)) == list(rows_of(whole))
    assert [row["group_id"] for row in rows_of(parts, None, "coin", "test")] == [
        row["group_id"] for path in whole.data_files("coin", "test") for batch in batches(one / path) for row in batch
    ]


def test_a_release_that_fits_in_one_file_has_it_as_ever(tmp_path: Path, one: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Published releases could not be built again, byte for byte."""
    monkeypatch.setattr(writer, "ROW_GROUP", 1_000)
    run(RECIPE, tmp_path / "again")
    data = {path: raw for path, raw in files(one).items() if path.startswith("data/")}
    assert {path: raw for path, raw in files(tmp_path / "again").items() if path.startswith("data/")} == data


def test_the_card_counts_all_files(cut: Path) -> None:
    """The Hub would show the size of a part."""
    release, card = open_release(cut), (cut / "README.md").read_text(encoding="utf-8")
    size = sum(release.files[path].bytes for path in release.data_files())
    assert f"download_size: {size}\n" in card
    assert "path: data/navigation/train-*.parquet" in card


def test_datasets_reads_every_file(cut: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`load_dataset(DIR)` is the promise of the card."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    found = datasets.load_dataset(str(cut), "navigation", cache_dir=str(tmp_path))
    assert list(found["train"]["id"]) == [row["id"] for row in rows_of(open_release(cut), ("id",), "navigation", "train")]


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_it_is_verified(cut: Path, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "FEW", 1)
    monkeypatch.setattr(verifying, "PART", 2)
    assert told(cut, count) == []


def _settle(folder: Path) -> None:
    """Make the manifest fit what lies there."""
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"] = {path: {**old, **entry(folder / path)} for path, old in manifest["files"].items()}
    manifest["checksum"] = checksum(manifest)
    (folder / "manifest.json").write_text(manifest_text(manifest), encoding="utf-8")


def _without_a_file(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    path = open_release(folder).data_files("navigation", "train")[1]
    (folder / path).unlink()
    del manifest["files"][path]
    (folder / "manifest.json").write_text(manifest_text(manifest), encoding="utf-8")
    _settle(folder)


def _rewritten(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        lines = gzip.decompress((folder / "rows.jsonl.gz").read_bytes()).splitlines(keepends=True)
        (folder / "rows.jsonl.gz").write_bytes(gzip.compress(b"".join(change(lines)), mtime=0))
        _settle(folder)

    return spoil


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_without_a_file, "files: those of navigation/train are not numbered"),
        (_without_a_file, "data/navigation/train-*.parquet: holds"),
        (_rewritten(lambda lines: lines[:-1]), "rows.jsonl.gz does not hold the rows of the release"),
        (_rewritten(lambda lines: [*lines, lines[0]]), "rows.jsonl.gz holds more than the rows of the release"),
        (_rewritten(lambda lines: [lines[1], lines[0], *lines[2:]]), "rows.jsonl.gz does not hold the rows of the release"),
    ],
)
def test_what_is_wrong_with_files_is_found(cut: Path, tmp_path: Path, spoil: Callable[[Path], None], says: str) -> None:
    """A lost file, or rows of the scorer that differ from those of the release, pass as whole."""
    folder = Path(shutil.copytree(cut, tmp_path / "cut"))
    spoil(folder)
    assert any(says in line for line in told(folder)), says


def test_a_group_that_is_torn_apart_is_found(cut: Path, tmp_path: Path) -> None:
    """Groups are forgotten once they seem right; one whose rows come again elsewhere must be looked at again."""
    folder = Path(shutil.copytree(cut, tmp_path / "cut"))
    first, *_, last = open_release(folder).data_files("navigation", "train")
    mine, others = ([row for batch in batches(folder / path) for row in batch] for path in (first, last))
    others[0] = {**others[0], "group_id": mine[0]["group_id"]}
    writer.write_rows(folder / last, others)
    _settle(folder)
    lines = told(folder)
    assert any(f"group_id: {mine[0]['group_id']} has 2 parents" in line for line in lines), lines


def test_the_scorer_reads_the_rows_beside_it(cut: Path, tmp_path: Path) -> None:
    """With nothing but Python, in another folder: the same report, and one line where the rows are missing or of others."""
    expected = to_json(score_files(rows_of(open_release(cut)), replies(cut, tmp_path / "replies.jsonl")))
    assert 0 < expected["sections"][0]["metrics"]["exact"]["value"] < 1
    for name in ("scorer.zip", "rows.jsonl.gz"):
        shutil.copy(cut / name, tmp_path / name)

    def scored() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", "-S", "scorer.zip", "score", "replies.jsonl", "--json"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env={}, timeout=120)

    done = scored()
    assert (done.returncode, done.stderr) == (0, "") and json.loads(done.stdout) == expected
    raw = (tmp_path / "rows.jsonl.gz").read_bytes()
    (tmp_path / "rows.jsonl.gz").write_bytes(raw[:-9])
    done = scored()
    assert done.returncode == 2 and "scorer.zip; fetch both of one release again" in done.stderr
    (tmp_path / "rows.jsonl.gz").unlink()
    done = scored()
    assert done.returncode == 2 and "rows.jsonl.gz: No such file or directory; the rows of " in done.stderr


def test_python_reads_it_row_by_row(one: Path, cut: Path) -> None:
    found, whole = puzzlemill.load(cut), puzzlemill.load(one)
    assert len(found) == len(whole) and [found[i]["id"] for i in range(len(found))] == [row["id"] for row in whole]
    assert [row["id"] for row in puzzlemill.load(cut, family="coin", split="test")] == [
        row["id"] for row in puzzlemill.load(one, family="coin", split="test")
    ]


@pytest.mark.parametrize("to", [name for name in TARGETS if name not in ("judging", "planted")])
def test_exports_are_those_of_one_file(one: Path, cut: Path, tmp_path: Path, to: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool gets the rows of the first file only, or in another order."""
    with monkeypatch.context() as patch:
        patch.setattr(writer, "ROW_GROUP", 1_000)
        patch.setattr(bundle, "INSIDE", 1 << 20)
        counts = [export(open_release(release), to, tmp_path / name) for name, release in (("one", one), ("cut", cut))]
    assert counts[0] == counts[1]
    found = [files(tmp_path / name) for name in ("one", "cut")]
    for each in found:
        del each["export.json"]  # it has the release's checksum
    assert found[0] == found[1]


def test_commands_read_it(one: Path, cut: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A command looks at the first file of a split only."""
    said = replies(cut, tmp_path / "replies.jsonl")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    last = list(rows_of(open_release(cut), ("prompt",)))[-1]
    (corpus / "a.txt").write_text(last["prompt"], encoding="utf-8")
    for words in (
        ["score", "{}", str(said), "--json"],
        ["stats", "{}"],
        ["audit", str(corpus), "{}", "--workers", "1", "--json"],
    ):
        found = []
        for folder in (one, cut):
            code = main([word.format(folder) for word in words])
            found.append((code, capsys.readouterr().out.replace(str(folder), "DIR")))
        assert found[0] == found[1] and found[0][1]
    assert main(["preview", str(cut), "--out", str(tmp_path / "page.html")]) == 0


def test_another_release_keeps_apart_from_all_its_files(cut: Path) -> None:
    recipe, apart = keeping_apart(Recipe.from_plain({**PLAIN, "name": "other"}), cut)
    assert recipe.excludes == ("cut",)
    assert len(apart.keys) == len({row["canonical_key"] for row in rows_of(open_release(cut), ("canonical_key",))})


def _places() -> Iterator[tuple[Any, str, int]]:
    for place, name, most in (
        (running, "_write_shard", 14),
        (writer.SplitFiles, "take", 12),
        (writer.SplitFiles, "finish", 4),
        (writer, "finish", 1),
        (running, "put_in_place", 1),
    ):
        yield from [(place, name, at) for at in range(0, most, 3)]


@pytest.mark.parametrize(("place", "name", "at"), list(_places()), ids=lambda value: getattr(value, "__name__", str(value)))
def test_a_run_that_was_stopped_anywhere_ends_with_the_same_bytes(
    cut: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Any, name: str, at: int
) -> None:
    """Rows are missing or twice where writing was stopped between files."""
    calls, real = 0, getattr(place, name)

    def stops(*args: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > at:
            raise Stopped
        return real(*args, **more)

    with monkeypatch.context() as patch:
        patch.setattr(place, name, stops)
        with pytest.raises(Stopped):
            run(RECIPE, tmp_path / "out")
    assert not (tmp_path / "out" / "manifest.json").exists()
    run(RECIPE, tmp_path / "out")
    assert files(tmp_path / "out") == files(cut)


@pytest.mark.slow
def test_processes_give_the_same_bytes(cut: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "FEW", 1)
    run(RECIPE, tmp_path / "out", 2)
    assert files(tmp_path / "out") == files(cut)


def test_folders_of_shards_hold_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A million rows left 125,000 files in one folder."""

    def stop(*_: Any) -> None:
        raise Stopped

    monkeypatch.setattr(running, "put_in_place", stop)
    with pytest.raises(Stopped):
        run(RECIPE, tmp_path)
    folders = {path.parent for path in (tmp_path / ".work").rglob("*.jsonl")}
    assert len(folders) > 5 and max(len(list(folder.iterdir())) for folder in folders) <= running.FOLDER
