"""Reading and forging releases, for the end-to-end tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from puzzlemill.factory.bundle import scorer_zip
from puzzlemill.factory.card import card
from puzzlemill.factory.read import batches, open_release
from puzzlemill.factory.read import rows as all_rows
from puzzlemill.factory.writer import checksum, entry, manifest_text

Rows = list[dict[str, Any]]
Spoil = Callable[[Rows], Rows]


def parquet(family: str, split: str) -> str:
    return f"data/{family}/{split}-00000-of-00001.parquet"


def rows_of(folder: Path, family: str, split: str) -> list[dict[str, Any]]:
    return [row for batch in batches(folder / parquet(family, split)) for row in batch]


def settle(folder: Path, *, everything: bool = True) -> None:
    """Make the manifest fit the files again, as a forger would; everything: also the scorer and the card."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    if everything:
        scorer_zip(all_rows(open_release(folder)), folder / "scorer.zip")
        (folder / "README.md").write_text(card(manifest), encoding="utf-8")
    for name, old in manifest["files"].items():
        manifest["files"][name] = {**old, **entry(folder / name)}
    manifest["checksum"] = checksum(manifest)
    path.write_text(manifest_text(manifest), encoding="utf-8")
