"""Rows as conversations that wait for their reply: messages, and the columns that scoring reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from puzzlemill.envs.columns import COLUMNS_READ, MARKED, MESSAGES, chat, marked
from puzzlemill.envs.export import copy_source, rows, splits_of, write_scorer
from puzzlemill.factory.read import Release
from puzzlemill.factory.record import ColumnType
from puzzlemill.factory.writer import write_parquet


def export(release: Release, out: Path) -> None:
    """One Parquet file per split with messages and scoring columns, the scorer, and how to use them."""
    write_messages(release, out, chat, "chat.md")


def write_messages(
    release: Release, out: Path, messages: Callable[[Mapping[str, Any]], object], readme: str, column: str = "messages"
) -> None:
    """The same for any way to word a row as messages. readme: a text of shipped/. column: of the messages."""
    write_splits(release, out, {column: MESSAGES}, lambda row: {column: messages(row)})
    copy_source(readme, out / "README.md", split=splits_of(release)[0])


def write_splits(
    release: Release, out: Path, columns: Mapping[str, ColumnType], made: Callable[[Mapping[str, Any]], Mapping[str, object]]
) -> None:
    """One Parquet file per split with these columns, as made from a row, and scoring columns; and the scorer."""
    for split in splits_of(release):
        every = ({**made(row), **marked(row)} for row in rows(release, COLUMNS_READ, split=split))
        write_parquet(out / f"{split}.parquet", {**columns, **MARKED}, every)
    write_scorer(release, out)
