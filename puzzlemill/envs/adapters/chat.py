"""Rows as conversations that wait for their reply: messages, and the columns that scoring reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from puzzlemill.envs.columns import COLUMNS_READ, MARKED, MESSAGES, chat, marked
from puzzlemill.envs.export import copy_source, rows, splits_of, write_scorer
from puzzlemill.factory.read import Release
from puzzlemill.factory.writer import write_parquet


def export(release: Release, out: Path) -> None:
    """One Parquet file per split with messages and scoring columns, the scorer, and how to use them."""
    write_messages(release, out, chat, "chat.md")


def write_messages(
    release: Release, out: Path, messages: Callable[[Mapping[str, Any]], object], readme: str, column: str = "messages"
) -> None:
    """The same for any way to word a row as messages. readme: a text of shipped/. column: of the messages."""
    splits = splits_of(release)
    for split in splits:
        made = ({column: messages(row), **marked(row)} for row in rows(release, COLUMNS_READ, split=split))
        write_parquet(out / f"{split}.parquet", {column: MESSAGES, **MARKED}, made)
    write_scorer(release, out)
    copy_source(readme, out / "README.md", split=splits[0])
