"""verl: rows for its RLHFDataset, and a reward file for reward.custom_reward_function."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from puzzlemill.envs.columns import COLUMNS_READ, MESSAGES, chat, scoring_json
from puzzlemill.envs.export import copy_source, rows, splits_of, write_scorer
from puzzlemill.factory.read import Release
from puzzlemill.factory.record import COLUMNS as ROW
from puzzlemill.factory.record import ColumnType
from puzzlemill.factory.writer import write_parquet

COLUMNS: dict[str, ColumnType] = {
    "data_source": "string",  # puzzlemill/<family>: verl's validation figures are by data source
    "prompt": MESSAGES,
    "ability": "string",
    "reward_model": {"style": "string", "ground_truth": "string"},  # ground_truth: the scoring columns as JSON
    "extra_info": {
        "index": "int64",  # the row's place in the file
        "split": "string",
        "id": "string",
        "family": "string",
        "variant": "string",
        "status": "string",
        "reply_format": "string",
        "guess_baseline": "float64",
        "difficulty": ROW["difficulty"],
        "canonical_key": "string",
        "canary": "string",
    },
}


def export(release: Release, out: Path) -> None:
    """One Parquet file per split, reward.py and the scorer."""
    splits = splits_of(release)
    for split in splits:
        write_parquet(out / f"{split}.parquet", COLUMNS, _made(release, split))
    write_scorer(release, out)
    copy_source("verl_reward.py", out / "reward.py")
    held = next((name for name in ("validation", "test") if name in splits), splits[-1])
    copy_source("verl.md", out / "README.md", folder="FOLDER", train=splits[0], validation=held)


def _made(release: Release, split: str) -> Iterator[dict[str, Any]]:
    for index, row in enumerate(rows(release, COLUMNS_READ, split=split)):
        named = {name: row[name] for name in COLUMNS["extra_info"] if name != "index"}  # type: ignore[union-attr]
        yield {
            "data_source": f"puzzlemill/{row['family']}",
            "prompt": chat(row),
            "ability": "logic",
            "reward_model": {"style": "rule", "ground_truth": scoring_json(row)},
            "extra_info": {"index": index, **named},
        }
