"""Rows as conversations that wait for their reply: messages, and the columns that scoring reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from puzzlemill.envs.columns import COLUMNS_READ, MARKED, MESSAGES, chat, marked
from puzzlemill.envs.export import rows, splits_of, write_scorer, write_text
from puzzlemill.factory.read import Release
from puzzlemill.factory.writer import write_parquet

README = """\
# Puzzles as conversations

One Parquet file per split. `messages` holds the prompt as the user's message; the other columns are what scoring reads.

```python
from datasets import load_dataset

rows = load_dataset("parquet", data_files={{"{split}": "{split}.parquet"}}, split="{split}")
```

`scorer.zip` scores replies with nothing installed but Python 3.11 or newer:

```python
import sys

sys.path.insert(0, "scorer.zip")
from puzzlemill.scoring.score import score

score(reply, row).score  # 1.0 or 0.0
```

or, from lines of {{"id", "sample", "reply"}}: `python scorer.zip score replies.jsonl`.
"""


def export(release: Release, out: Path) -> None:
    """One Parquet file per split with messages and scoring columns, the scorer, and how to use them."""
    write_messages(release, out, chat, README)


def write_messages(release: Release, out: Path, messages: Callable[[Mapping[str, Any]], object], readme: str) -> None:
    """The same for any way to tell a row as messages. readme: with {split} where it names one of the files."""
    splits = splits_of(release)
    for split in splits:
        made = ({"messages": messages(row), **marked(row)} for row in rows(release, COLUMNS_READ, split=split))
        write_parquet(out / f"{split}.parquet", {"messages": MESSAGES, **MARKED}, made)
    write_scorer(release, out)
    write_text(out / "README.md", readme.format(split=splits[0]))
