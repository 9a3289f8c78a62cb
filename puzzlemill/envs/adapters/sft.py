"""Rows as conversations with a worked reply, for supervised fine-tuning."""

from __future__ import annotations

from pathlib import Path

from puzzlemill.envs.adapters.chat import write_messages
from puzzlemill.envs.columns import sft
from puzzlemill.factory.read import Release


def export(release: Release, out: Path) -> None:
    """One Parquet file per split with messages and scoring columns, the scorer, and how to use them."""
    write_messages(release, out, sft, "sft.md")
