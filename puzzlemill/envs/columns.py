"""Columns for training and evaluation tools: a prompt as messages, a worked reply, and the columns that a reward reads.

A row with the SCORING columns alone is judged by `puzzlemill.scoring`, which also travels with every export as scorer.zip.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from puzzlemill.factory.record import COLUMNS, ColumnType, Each
from puzzlemill.scoring.score import COLUMNS as SCORING
from puzzlemill.scoring.score import score

# The columns of an export, for factory.record.arrow_schema(). Of the proof scoring reads no more than its depth.
MESSAGES: ColumnType = Each({"role": "string", "content": "string"})
SCORED: dict[str, ColumnType] = {name: COLUMNS[name] if name != "proof" else {"depth": "string"} for name in SCORING}
MARKED: dict[str, ColumnType] = {**SCORED, "canary": "string"}  # what is trained on stays traceable
_READ = ("prompt", "gold_reply", "trace", "canary")  # what the forms below need next to SCORING
COLUMNS_READ = (*SCORING, *_READ)


def chat(row: Mapping[str, Any]) -> list[dict[str, str]]:
    """The prompt as a conversation that waits for its reply."""
    return [{"role": "user", "content": row["prompt"]}]


def sft(row: Mapping[str, Any]) -> list[dict[str, str]]:
    """The prompt with a worked reply: the deduction in words where the row has one, then the gold reply."""
    return [*chat(row), {"role": "assistant", "content": worked(row)}]


def scoring(row: Mapping[str, Any]) -> dict[str, Any]:
    """The SCORING columns, plain JSON values."""
    kept = {name: row[name] if name != "proof" else {"depth": row["proof"]["depth"]} for name in SCORING}
    return kept | {"hidden": row["hidden"] if row["play"] is not None else None}


def marked(row: Mapping[str, Any]) -> dict[str, Any]:
    """The MARKED columns."""
    return {**scoring(row), "canary": row["canary"]}


def scoring_json(row: Mapping[str, Any]) -> str:
    """The SCORING columns as one JSON text."""
    return json.dumps(scoring(row), separators=(",", ":"), ensure_ascii=False)


def reward(reply: object, row: Mapping[str, Any]) -> float:
    """1.0 for a right reply, else 0.0. Raises BadRow if the row cannot be used."""
    return score(reply, row).score


# ---- worked replies ---------------------------------------------------------------------------------------------------

_ENDS = re.compile(r"\b(So|shows that) there is no answer\.\Z")  # how the families end a refutation
_CELL = re.compile(r"\br\d+c\d+\b")


def worked(row: Mapping[str, Any]) -> str:
    """Return what leads to the gold reply, and the gold reply."""
    deduction = _deduction(row)
    return f"{deduction}\n\n{row['gold_reply']}" if deduction else str(row["gold_reply"])


def _deduction(row: Mapping[str, Any]) -> str:
    """The deduction in words, "" where there is none."""
    unsolvable = row["answer"] is None
    steps = [_flat(step["text"]) for step in row["trace"]]
    if not steps:
        return _refutation([_flat(sentence) for sentence in row["proof"].get("sentences") or ()]) if unsolvable else ""
    if unsolvable:
        steps[-1] = _no_solution(steps[-1])
    opening = ["I go through this step by step."] if len(steps) > 1 else []
    if any(_CELL.search(step) for step in steps):
        opening.append("By r2c3 I mean the cell in row 2, column 3.")
    numbered = [f"{number}. {step}" for number, step in enumerate(steps, 1)] if len(steps) > 1 else steps
    closing = [] if unsolvable else ["That settles everything. The answer:"]
    return "\n\n".join(filter(None, [" ".join(opening), "\n".join(numbered), *closing]))


def _no_solution(step: str) -> str:
    """The last step of a refutation, which says so in the words of the prompt."""
    ended, number = _ENDS.subn(r"\1 the puzzle has no solution.", step)
    return ended if number else f"{step} So the puzzle has no solution."


def _refutation(clash: list[str]) -> str:
    """Statements that exclude each other, as a proof that there is no solution; "" if there are none."""
    if len(clash) < 2:
        return f"{clash[0]} That cannot be, so the puzzle has no solution." if clash else ""
    both = "These two together are impossible" if len(clash) == 2 else "All of this together is impossible"
    return f"{' '.join(clash)} {both}, so the puzzle has no solution."


def _flat(text: str) -> str:
    """A sentence on one line."""
    return " ".join(text.split())
