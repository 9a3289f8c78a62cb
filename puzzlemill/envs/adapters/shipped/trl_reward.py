"""The reward of exported puzzles for TRL: 1.0 for a right reply, else 0.0.

    from reward import reward

    GRPOTrainer(..., reward_funcs=reward, train_dataset=load_dataset("parquet", data_files="train.parquet", split="train"))

Needs Python 3.11 and scorer.zip beside this file, nothing else; Puzzlemill need not be installed. Where a program uses both, it
imports puzzlemill first: what the archive holds of it only judges.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().with_name("scorer.zip")))

from puzzlemill.scoring.score import COLUMNS, prepared, score


def reward(prompts: Sequence[Any], completions: Sequence[Any], **columns: Any) -> list[float]:
    """One reward per completion. columns: the other columns of the rows, each a list as long as completions.

    Raises ValueError for rows that lack a column, and for rows that are dialogues.
    """
    lacking = [name for name in COLUMNS if name not in columns]
    if lacking:
        raise ValueError(f"the rows lack the column {lacking[0]}; use the exported files as they are")
    rows = [{name: columns[name][i] for name in COLUMNS} for i in range(len(completions))]
    for row in rows:
        if prepared(row).strategy.dialogue:
            raise ValueError(f"row {row['id']} is a dialogue; train with puzzle_environment.py, or export with --single")
    return [score(reply(completion), row).score for completion, row in zip(completions, rows, strict=True)]


def reply(completion: Any) -> str:
    """The text of a completion, which is a text or messages; of messages the last one of the assistant."""
    if not isinstance(completion, Sequence) or isinstance(completion, str):
        return str(completion or "")
    said = [message for message in completion if isinstance(message, Mapping) and message.get("role") == "assistant"]
    content = said[-1].get("content") if said else ""
    if isinstance(content, Sequence) and not isinstance(content, str):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    return str(content or "")
