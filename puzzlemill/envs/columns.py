"""Columns for training and evaluation tools: a prompt as messages, a worked reply, and the columns that a reward reads.

A row with the SCORING columns alone is judged by `puzzlemill.scoring`, which also travels with every export as scorer.zip.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from puzzlemill.factory.reasoning import BACK, BOARD, DEFAULT, STEP, WRONG, Options, Reasoning, reasoning
from puzzlemill.factory.record import COLUMNS, ColumnType, Each
from puzzlemill.scoring.score import COLUMNS as SCORING
from puzzlemill.scoring.score import score

# The columns of an export, for factory.record.arrow_schema(). Of the proof scoring reads no more than its depth.
MESSAGES: ColumnType = Each({"role": "string", "content": "string"})
SCORED: dict[str, ColumnType] = {name: COLUMNS[name] if name != "proof" else {"depth": "string"} for name in SCORING}
PROCESS: dict[str, ColumnType] = {
    "prompt": "string",
    "completions": Each("string"),
    "labels": Each("bool"),
    "parts": Each("string"),
}
_KEPT = (
    "difficulty",
    "canonical_key",
    "canary",
)  # to choose by, and to trace what was trained on
MARKED: dict[str, ColumnType] = {**SCORED, **{name: COLUMNS[name] for name in _KEPT}}
_READ = ("prompt", "gold_reply", "trace", *_KEPT)  # what the forms below need next to SCORING
COLUMNS_READ = (*SCORING, *_READ)


def chat(row: Mapping[str, Any]) -> list[dict[str, str]]:
    """The prompt as a conversation that waits for its reply."""
    return [{"role": "user", "content": row["prompt"]}]


def sft(row: Mapping[str, Any], options: Options = DEFAULT) -> list[dict[str, str]]:
    """The prompt with a worked reply: the deduction in words where the row has one, then the gold reply."""
    return sft_of(row, reasoning(row, options))


def sft_of(row: Mapping[str, Any], found: Reasoning) -> list[dict[str, str]]:
    """The same with this reasoning of the row."""
    reply = f"{found.text}\n\n{row['gold_reply']}" if found.text else str(row["gold_reply"])
    return [*chat(row), {"role": "assistant", "content": reply}]


def scoring(row: Mapping[str, Any]) -> dict[str, Any]:
    """The SCORING columns, plain JSON values."""
    kept = {name: row[name] if name != "proof" else {"depth": row["proof"]["depth"]} for name in SCORING}
    return kept | {"hidden": row["hidden"] if row["play"] is not None else None}


def marked(row: Mapping[str, Any]) -> dict[str, Any]:
    """The MARKED columns."""
    return {**scoring(row), **{name: row[name] for name in _KEPT}}


def scoring_json(row: Mapping[str, Any]) -> str:
    """The SCORING columns as one JSON text."""
    return json.dumps(scoring(row), separators=(",", ":"), ensure_ascii=False)


def reward(reply: object, row: Mapping[str, Any]) -> float:
    """1.0 for a right reply, else 0.0. Raises BadRow if the row cannot be used."""
    return score(reply, row).score


# ---- labelled steps ----------------------------------------------------------------------------------------------------


def process(row: Mapping[str, Any], options: Options = DEFAULT) -> dict[str, Any]:
    """The PROCESS columns: the steps of a worked reply, the gold reply last, each with a label, as process reward models learn.

    A label is false for a wrong value that is tried, and for what is followed from it; parts says what each step is. Openings,
    boards so far and checks are left out.
    """
    return process_of(row, reasoning(row, options))


def process_of(row: Mapping[str, Any], found: Reasoning) -> dict[str, Any]:
    """The same with this reasoning of the row."""
    parts = [part for part in found.parts if part.kind in (STEP, WRONG, BACK)]
    texts: list[str] = []
    for part in found.parts:
        if part.kind == BOARD:  # of the step before
            texts[-1] += f"\n{part.text}"
        elif part.kind in (STEP, WRONG, BACK):
            texts.append(part.text)
    return {
        "prompt": row["prompt"],
        "completions": [*texts, row["gold_reply"]],
        "labels": [*[part.kind != WRONG for part in parts], True],
        "parts": [*[part.kind for part in parts], "answer"],
    }
