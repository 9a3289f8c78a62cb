"""TRL: rows with `prompt` and the scoring columns, a reward function, and an environment of several turns."""

from __future__ import annotations

from pathlib import Path

import puzzlemill.envs.turns
from puzzlemill.envs.columns import COLUMNS_READ, MARKED, MESSAGES, chat, marked
from puzzlemill.envs.export import copy_source, rows, splits_of, write_scorer, write_text
from puzzlemill.factory.read import Release
from puzzlemill.factory.writer import write_parquet


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
    copy_source("trl.md", out / "README.md", split=splits[0])
