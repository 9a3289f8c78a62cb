"""Puzzles with proved answers as a task of Inspect.

inspect eval puzzlemill_task.py --model PROVIDER/NAME [-T split=test] [-T family=sudoku] [--limit N]
"""

# mypy: ignore-errors
from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, grouped, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "scorer.zip"))

from puzzlemill.scoring.score import score  # noqa: E402


def sample(row: dict[str, Any]) -> Sample:
    return Sample(input=row.pop("prompt"), target=row.pop("gold_reply"), id=row["id"], metadata=row)


@task
def puzzlemill(split: str = "", family: str = "") -> Task:
    """split, family: which rows; all of them where none is named."""
    with (HERE / "rows.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    wanted = {"split": split, "family": family}
    for column, value in wanted.items():
        if value and value not in (known := sorted({row[column] for row in rows})):
            raise ValueError(f"no row of {column} {value!r}; there are {', '.join(known)}")
    chosen = [row for row in rows if all(value in ("", row[column]) for column, value in wanted.items())]
    return Task(
        dataset=MemoryDataset([sample(row) for row in chosen], name="puzzlemill"), solver=generate(), scorer=puzzle_rules()
    )


GROUPS = [grouped(accuracy(), key, all=False, name_template=f"{key}: {{group_name}}") for key in ("family", "variant", "status")]


@scorer(metrics=[accuracy(), stderr(cluster="group_id"), *GROUPS])  # rows of a group are made from one another
def puzzle_rules() -> Scorer:
    """Correct if the reply's answer keeps every rule and clue of the puzzle."""

    async def judge(state: TaskState, target: Target) -> Score:
        verdict = score(state.output.completion, state.metadata)
        answer = "no solution" if verdict.claims_unsolvable else json.dumps(verdict.answer) if verdict.answer else None
        return Score(
            value=CORRECT if verdict.solved else INCORRECT,
            answer=answer,
            explanation=" ".join(filter(None, [verdict.why, verdict.detail, *verdict.broken[:8]])),
            metadata={"why": verdict.why, "credit": verdict.credit, "subtask": verdict.subtask},
        )

    return judge


@solver
def gold() -> Solver:
    """Gives each sample's right reply, without a model: a check of the data and the scorer."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content("gold", state.target.text)
        state.messages.append(state.output.message)
        return state

    return solve
