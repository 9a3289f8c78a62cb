"""Rows as conversations with a worked reply, for supervised fine-tuning; or as the labelled steps of one, for reward models."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from puzzlemill.envs.adapters.chat import write_splits
from puzzlemill.envs.columns import MESSAGES, PROCESS, process_of, sft_of
from puzzlemill.envs.export import Chosen, copy_source, splits_of
from puzzlemill.factory.reasoning import PROCESS as BY_STEPS
from puzzlemill.factory.reasoning import Tally, reasoning
from puzzlemill.factory.record import ColumnType

_HEADS = ("replies", "p50", "p95", "most", "short", "core", "none", "untold", "wrong_suppositions")


def export(release: Chosen, out: Path) -> dict[str, Any]:
    """One Parquet file per split with messages (or the PROCESS columns) and scoring columns, the scorer, and how to use them.

    Returns how the replies are put, and their lengths by family, for the list of files.
    """
    options, tally = release.reasoning, Tally()
    by_steps = options.form == BY_STEPS

    def made(row: Mapping[str, Any]) -> dict[str, object]:
        found = reasoning(row, options)
        tally.add(row["family"], found)
        return process_of(row, found) if by_steps else {"messages": sft_of(row, found)}

    columns: dict[str, ColumnType] = PROCESS if by_steps else {"messages": MESSAGES}
    write_splits(release, out, columns, made)
    lengths = tally.to_json()
    rows = [["family", *[head.replace("_", " ") for head in _HEADS]], ["---"] + ["---:"] * len(_HEADS)]
    rows += [[family, *[str(figures.get(head, 0)) for head in _HEADS]] for family, figures in lengths.items()]
    table = "\n".join(["| " + " | ".join(row) + " |" for row in rows])
    readme, split = "process.md" if by_steps else "sft.md", splits_of(release)[0]
    copy_source(readme, out / "README.md", split=split, cap=options.trace_tokens, share=options.wrong_suppositions, lengths=table)
    return {"reasoning": {**options.to_json(), "families": lengths}}
