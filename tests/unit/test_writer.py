"""Files of a release: what Parquet holds, and what the manifest says of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import puzzlemill
from puzzlemill.factory import record, writer
from puzzlemill.factory.build import build_group
from puzzlemill.factory.recipe import Recipe, Stratum
from puzzlemill.factory.run import run

PART = Stratum("coin", params=(("coins", (5, 9)),), counts=(("train", 5), ("test", 2)))
RECIPE = Recipe("small", "w", (PART,))


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "out"
    run(RECIPE, folder)
    return folder


def manifest(out: Path) -> Any:
    return json.loads((out / "manifest.json").read_text(encoding="utf-8"))


def test_rows_come_back_as_they_were_made(tmp_path: Path) -> None:
    rows = list(build_group(RECIPE, PART, "train", 1).rows)
    assert writer.write_rows(tmp_path / "a.parquet", rows) == 1
    assert pq.read_table(tmp_path / "a.parquet").to_pylist() == rows


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    rows = list(build_group(RECIPE, PART, "train", 1).rows)
    for name in ("a", "b"):
        writer.write_rows(tmp_path / f"{name}.parquet", iter(rows))
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_row_groups_have_one_size(tmp_path: Path) -> None:
    """Readers that want one row would fetch the whole file, and memory would grow with the release."""
    row = build_group(RECIPE, PART, "train", 1).rows[0]
    assert writer.write_rows(tmp_path / "a.parquet", ({**row, "id": str(i)} for i in range(2_300))) == 2_300
    file = pq.ParquetFile(tmp_path / "a.parquet")
    assert [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)] == [1_000, 1_000, 300]
    column = file.metadata.row_group(0).column(0)
    assert (column.compression, column.has_offset_index, column.has_column_index) == ("ZSTD", True, True)
    assert [row["id"] for row in pq.read_table(tmp_path / "a.parquet").to_pylist()] == [str(i) for i in range(2_300)]


def test_an_empty_file_still_has_the_schema(tmp_path: Path) -> None:
    assert writer.write_rows(tmp_path / "a.parquet", []) == 0
    assert pq.read_schema(tmp_path / "a.parquet").equals(record.arrow_schema(), check_metadata=False)


def test_the_footer_carries_the_features(out: Path) -> None:
    schema = pq.read_schema(out / "data/coin/train-00000-of-00001.parquet")
    assert json.loads(schema.metadata[b"huggingface"]) == {"info": {"features": record.features()}}


def test_the_manifest_names_every_file(out: Path) -> None:
    """A missing or altered file could not be told."""
    found = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    stated = manifest(out)["files"]
    assert found == {*stated, "manifest.json"}
    for path, entry in stated.items():
        assert {"bytes", "sha256"} <= entry.keys()
        assert writer.entry(out / path) == {"bytes": entry["bytes"], "sha256": entry["sha256"]}
    assert {path: entry["rows"] for path, entry in stated.items() if "rows" in entry} == {
        "data/coin/train-00000-of-00001.parquet": 5,
        "data/coin/test-00000-of-00001.parquet": 2,
    }


def test_the_manifest_holds_its_recipe(out: Path) -> None:
    found = manifest(out)
    assert Recipe.from_plain(found["recipe"]) == RECIPE
    assert (found["recipe_key"], found["release"], found["canary"]) == (RECIPE.key(), "small", record.canary(RECIPE.key()))
    assert found["families"] == {"coin": {"title": "Coins", "version": 1}}


def test_what_depends_on_the_machine_has_its_own_section(out: Path) -> None:
    """Two machines with the same libraries could not compare their manifests."""
    found = manifest(out)
    assert {"python", "pyarrow", "numba", "igraph", "machine"} <= found["environment"].keys()
    rest = json.dumps({key: value for key, value in found.items() if key != "environment"})
    assert str(out) not in rest
    assert found["environment"]["pyarrow"] not in rest


def test_small_classes_are_listed(out: Path) -> None:
    """Whoever trains on two releases must know which puzzles are in both."""
    assert [(small["base"]["params"], small["capacity"], small["used"]) for small in manifest(out)["small_classes"]] == [
        ({"coins": 5}, 3, 3),
        ({"coins": 9}, 5, 4),
    ]


def test_datasets_reads_a_release(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`load_dataset(DIR, "coin")` is the promise of the card."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = pytest.importorskip("datasets")
    found = datasets.load_dataset(str(out), "coin", cache_dir=str(tmp_path))
    assert {split: rows.num_rows for split, rows in found.items()} == {"train": 5, "test": 2}
    assert found["train"].features == datasets.Features.from_dict(record.features())
    assert record.check_row(found["train"][0]) == []


def test_the_source_is_all_that_decides_rows() -> None:
    """A run that was cut short goes on with rows of other code: of a family, of a solver, or of words in a data file."""
    found = writer.source_files(Path(puzzlemill.__file__).parent)
    assert {"generators/sudoku.py", "solvers/sat.py", "transforms/clash.py", "vocabulary/themes.toml", "core/rng.py"} <= {*found}
    assert found == sorted(set(found)) and not any("__pycache__" in name for name in found)
