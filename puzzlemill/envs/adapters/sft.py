"""Rows as conversations with a worked reply, for supervised fine-tuning."""

from __future__ import annotations

from pathlib import Path

from puzzlemill.envs.adapters.chat import write_messages
from puzzlemill.envs.columns import sft
from puzzlemill.factory.read import Release

README = """\
# Puzzles with worked replies

One Parquet file per split. `messages` holds the prompt as the user's message and a right reply as the assistant's: the deduction
in words, where there is one, and the answer in the form that the prompt asks for. Puzzles without a solution are refuted.
The other columns are what scoring reads; `scorer.zip` gives every one of these replies 1.

```python
from datasets import load_dataset

rows = load_dataset("parquet", data_files={{"{split}": "{split}.parquet"}}, split="{split}")
```
"""


def export(release: Release, out: Path) -> None:
    """One Parquet file per split with messages and scoring columns, the scorer, and how to use them."""
    write_messages(release, out, sft, README)
