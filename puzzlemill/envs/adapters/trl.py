"""TRL: rows with `prompt` and the scoring columns, a reward function, and an environment of several turns."""

from __future__ import annotations

from pathlib import Path

import puzzlemill.envs.turns
from puzzlemill.envs.adapters.chat import write_messages
from puzzlemill.envs.columns import chat
from puzzlemill.envs.export import copy_source, write_text
from puzzlemill.factory.read import Release


def export(release: Release, out: Path) -> None:
    """One Parquet file per split, reward.py, puzzle_environment.py and what they need."""
    write_messages(release, out, chat, "trl.md", "prompt")
    copy_source("trl_reward.py", out / "reward.py")
    copy_source("trl_environment.py", out / "puzzle_environment.py")
    turns = Path(puzzlemill.envs.turns.__file__)
    write_text(out / "puzzle_turns.py", turns.read_text(encoding="utf-8"))
