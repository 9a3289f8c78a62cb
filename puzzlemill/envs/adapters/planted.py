"""Chains with planted errors, sentence by sentence with labels, for process reward models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from puzzlemill.chains.judge import NC, RR, SUPPOSED
from puzzlemill.chains.planted import planted
from puzzlemill.chains.rows import scene_of_row
from puzzlemill.chains.scene import ADAPTERS
from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import stream
from puzzlemill.envs.columns import COLUMNS_READ, MARKED, marked
from puzzlemill.envs.export import Chosen, copy_source, rows, splits_of, write_scorer
from puzzlemill.factory.record import ColumnType, Each
from puzzlemill.factory.writer import write_parquet

COLUMNS: dict[str, ColumnType] = {
    "prompt": "string",
    "completions": Each("string"),
    "labels": Each("bool"),
    "categories": Each("string"),
    "sub_categories": Each("string"),
    "reasons": Each("string"),
}


def export(release: Chosen, out: Path) -> None:
    """One Parquet file per split with a chain for each row that has a trace and an answer, the scorer, and how to use them."""
    counts = {}
    for split in splits_of(release):
        every = list(_chains(release, split))
        counts[split] = len(every)
        write_parquet(out / f"{split}.parquet", {**COLUMNS, **MARKED}, every)
    if not any(counts.values()):
        raise BadParams(f"--to planted: no row with an answer and a trace is of {' or '.join(ADAPTERS)}")
    write_scorer(release, out)
    copy_source("planted.md", out / "README.md", split=splits_of(release)[0])


def _chains(release: Chosen, split: str) -> Iterator[dict[str, object]]:
    for row in rows(release, COLUMNS_READ, split=split):
        told = row["family"] in ADAPTERS and row["answer"] is not None and row["trace"]
        if told and not scene_of_row(row).false:  # where a clue is false, a sentence that cites it is no error of the chain's
            yield {**chain_of(row), **marked(row)}


def chain_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The COLUMNS of a row. A label is false where anything in the sentence is wrong, or assumed and never taken back."""
    chain = planted(row, scene_of_row(row), stream("planted", row["id"]))
    return {
        "prompt": row["prompt"],
        "completions": [one.text for one in chain],
        "labels": [one.category in (RR, NC, SUPPOSED) and not one.premise for one in chain],
        "categories": [one.category for one in chain],
        "sub_categories": [one.premise + one.conclusion for one in chain],
        "reasons": [one.reason for one in chain],
    }
