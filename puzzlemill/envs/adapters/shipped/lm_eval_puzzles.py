"""Rows and scores for the puzzle tasks of lm-evaluation-harness."""

# mypy: ignore-errors
from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "scorer.zip"))

from puzzlemill.scoring.score import score  # noqa: E402


def load(data_files: dict[str, str], **_: Any) -> Any:
    """The data sets of a task, wherever this folder lies."""
    from datasets import load_dataset

    return load_dataset("parquet", data_files={split: str(HERE / path) for split, path in data_files.items()})


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """Figures of one reply; not a number where one does not apply to the puzzle."""
    verdict = score(results[0], doc)
    unsolvable = doc["status"] == "unsolvable"
    return {
        "acc": verdict.score,
        "acc_solvable": math.nan if unsolvable else verdict.score,
        "acc_unsolvable": verdict.score if unsolvable else math.nan,
        "credit": verdict.credit,
        "subtask": verdict.subtask,
        "format_failure": float(verdict.why == "unreadable"),
    }


def mean_of_known(values: list[float]) -> float:
    """The mean of the numbers among them."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan
