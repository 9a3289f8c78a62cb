"""Rows as conversations that wait for their reply: messages, and the columns that scoring reads."""

from __future__ import annotations

from pathlib import Path

from puzzlemill.envs.columns import COLUMNS_READ, MARKED, MESSAGES, chat, marked
from puzzlemill.envs.export import rows, splits_of, write_parquet, write_scorer, write_text
from puzzlemill.factory.read import Release

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
    splits = splits_of(release)
    for split in splits:
        made = ({"messages": chat(row), **marked(row)} for row in rows(release, COLUMNS_READ, split=split))
        write_parquet(out / f"{split}.parquet", {"messages": MESSAGES, **MARKED}, made)
    write_scorer(release, out)
    write_text(out / "README.md", README.format(split=splits[0]))
