"""One small release, built once, and copies of it to spoil."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from releases import Shared, Spoil, parquet, release_of, rows_of, settle

from puzzlemill.factory.writer import write_rows

CLASH = {"name": "unsolvable", "transforms": ["clash"]}
PLAIN = {
    "name": "small",
    "seed": "e2e",
    "smt": 40,  # percent of the rows that Z3 decides too
    "strata": [
        {"family": "sudoku", "params": {"size": 6}, "variants": [CLASH], "counts": {"train": 3, "test": 3}},
        {"family": "binario", "params": {"rows": 6, "cols": 8}, "rules": ["distinct"], "counts": {"train": 2, "test": 2}},
        {
            "family": "zebra",
            "params": {"positions": 3, "attributes": 4},
            "variants": [CLASH, {"name": "shuffled", "transforms": ["shuffle_clues"]}],
            "counts": {"train": 2, "test": 2},
        },
        {"family": "hanoi", "params": {"pegs": [3, 4], "disks": [3, 4]}, "counts": {"train": 2, "test": 1}},
    ],
}


@pytest.fixture(scope="session")
def small(shared: Shared) -> Path:
    """The release of PLAIN; 31 rows. Only to be read."""
    return shared("small", release_of(PLAIN))


@pytest.fixture
def copy(small: Path, tmp_path: Path) -> Path:
    """The same release, to spoil."""
    return Path(shutil.copytree(small, tmp_path / "release"))


@pytest.fixture
def forge(copy: Path) -> Callable[[str, str, Spoil], Path]:
    """Change the rows of one file and make the manifest fit, so that only what is in the rows can tell."""

    def change(family: str, split: str, spoil: Spoil) -> Path:
        rows = spoil(rows_of(copy, family, split))
        count = write_rows(copy / parquet(family, split), rows)
        path = copy / "manifest.json"
        manifest = json.loads(path.read_text())
        manifest["files"][parquet(family, split)]["rows"] = count
        path.write_text(json.dumps(manifest))
        settle(copy)
        return copy

    return change
