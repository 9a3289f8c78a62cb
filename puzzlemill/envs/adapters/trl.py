"""TRL: rows with `prompt` and the scoring columns, a reward function, and an environment of several turns."""

from __future__ import annotations

from pathlib import Path

import puzzlemill.envs.turns
from puzzlemill.envs.columns import COLUMNS_READ, MARKED, MESSAGES, chat, marked
from puzzlemill.envs.export import copy_source, rows, splits_of, write_scorer, write_text
from puzzlemill.factory.read import Release
from puzzlemill.factory.writer import write_parquet

README = """\
# Puzzles for TRL

One Parquet file per split: `prompt` (a conversation) and the columns that the reward reads. Run this from this folder, or put the
folder on `sys.path`:

```python
from datasets import load_dataset
from reward import reward
from trl import GRPOConfig, GRPOTrainer

rows = load_dataset("parquet", data_files="{split}.parquet", split="train")
trainer = GRPOTrainer(model="org/name", args=GRPOConfig(output_dir="out"), train_dataset=rows, reward_funcs=reward)
trainer.train()
```

`reward` is 1 for a right reply and 0 for any other. It needs `scorer.zip` beside it and the standard library.

Several turns, with TRL's experimental `environment_factory` and a model whose chat template knows tools: the model hands in
replies with the tool `submit`, is told which rules they break, and the last one counts.

```python
from puzzle_environment import PuzzleEnvironment

trainer = GRPOTrainer(model="org/name", args=..., train_dataset=rows, environment_factory=PuzzleEnvironment)
```

Rows that are dialogues (`question` play: kumo) are played in it, and `reward` refuses them; an export with `--single` has none.

Of the columns only `canary`, the mark of the data set, may be left out.
"""


def export(release: Release, out: Path) -> None:
    """One Parquet file per split, reward.py, puzzle_environment.py and what they need."""
    splits = splits_of(release)
    for split in splits:
        made = ({"prompt": chat(row), **marked(row)} for row in rows(release, COLUMNS_READ, split=split))
        write_parquet(out / f"{split}.parquet", {"prompt": MESSAGES, **MARKED}, made)
    write_scorer(release, out)
    copy_source("trl_reward.py", out / "reward.py")
    copy_source("trl_environment.py", out / "puzzle_environment.py")
    turns = Path(puzzlemill.envs.turns.__file__)
    write_text(out / "puzzle_turns.py", turns.read_text(encoding="utf-8"))
    write_text(out / "README.md", README.format(split=splits[0]))
