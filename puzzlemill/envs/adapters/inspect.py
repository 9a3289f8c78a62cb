"""Inspect: a task file with a scorer, and the rows as lines of JSON."""

from __future__ import annotations

from pathlib import Path

from puzzlemill.envs.adapters.jsonl import write_jsonl
from puzzlemill.envs.columns import COLUMNS_READ, marked
from puzzlemill.envs.export import copy_source, rows, write_scorer
from puzzlemill.factory.read import Release

TASK = "puzzlemill_task.py"


def export(release: Release, out: Path) -> None:
    """The task, its rows and its scorer."""
    made = ({"prompt": row["prompt"], "gold_reply": row["gold_reply"], **marked(row)} for row in rows(release, COLUMNS_READ))
    write_jsonl(out / "rows.jsonl", made)
    copy_source("inspect_puzzles.py", out / TASK)
    copy_source("inspect.md", out / "README.md")
    write_scorer(release, out)
