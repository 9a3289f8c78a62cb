"""Puzzles with proved answers as a taskset of verifiers (v1).

Each row is one task; its reward is 1.0 for a right reply and 0.0 for any other. `--env.turns N` tells a model what was wrong with
a reply and lets it reply again, N times at most; the last reply counts. A row that is a dialogue is played to its end, whatever N
is, and its reward is 1.0 if the game was won; what became of it stands in the metrics. The harness asks for plain chat
completions from within this process: no tools, no code of the model's, no container; the model's endpoint is all it needs.
"""

# mypy: ignore-errors
from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import verifiers.v1 as vf
from openai import APIError, AsyncOpenAI
from pydantic import Field
from verifiers.v1.dialects.chat import message_to_wire

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "scorer.zip"))

from puzzlemill.scoring.plays import replay  # noqa: E402
from puzzlemill.scoring.score import Verdict, prepared, score  # noqa: E402

episode = import_module(f"{__name__}.turns").episode

__all__ = ["PuzzleEnv", "PuzzleHarness", "PuzzleTaskset"]


class PuzzleData(vf.TaskData):
    """row: the columns that scoring reads."""

    row: dict[str, Any]


class PuzzleTask(vf.Task[PuzzleData]):
    @property
    def key(self) -> str:
        return str(self.data.id)

    def verdict(self, trace: vf.Trace) -> Verdict:
        if prepared(self.data.row).strategy.dialogue:
            return replay([message.content or "" for message in trace.assistant_messages], self.data.row)
        return score(trace.last_reply, self.data.row)

    @vf.reward
    async def solved(self, trace: vf.Trace) -> float:
        return self.verdict(trace).score

    @vf.metric
    async def verdicts(self, trace: vf.Trace) -> dict[str, float]:
        """Return whether there was an answer in the form asked for, its partial credit above chance, its share of right slots,
        and whether it was "no solution".

        Of a dialogue also its actions, and its messages that asked for one that cannot be done or could not be read.
        """
        verdict = self.verdict(trace)
        found = {
            "readable": float(verdict.why not in ("unreadable", "no answer")),
            "credit": verdict.credit,
            "subtask": verdict.subtask,
            "claims_unsolvable": float(verdict.claims_unsolvable),
        }
        play = verdict.play
        if play is not None:
            counts = {"actions": len(play.actions), "illegal": play.illegal, "unreadable": play.unreadable}
            found |= {name: float(count) for name, count in counts.items()}
        return found


class PuzzleConfig(vf.TasksetConfig):
    splits: list[str] = Field(default_factory=list)
    """Splits to take; all if empty."""
    families: list[str] = Field(default_factory=list)
    """Families to take; all if empty."""


class PuzzleTaskset(vf.Taskset[PuzzleTask, PuzzleConfig]):
    def load(self) -> Iterator[PuzzleTask]:
        found: dict[str, set[str]] = {"split": set(), "family": set()}
        with (HERE / "tasks.jsonl").open(encoding="utf-8") as file:
            for row in map(json.loads, file):
                found["split"].add(row["split"])
                found["family"].add(row["family"])
                if row["split"] in (self.config.splits or [row["split"]]) and row["family"] in (
                    self.config.families or [row["family"]]
                ):
                    prompt, name = row.pop("prompt"), f"{row['family']}/{row['variant']}"
                    yield PuzzleTask(PuzzleData(id=row["id"], name=name, prompt=prompt, row=row), self.config.task)
        for column, asked in (("split", self.config.splits), ("family", self.config.families)):
            if lacking := sorted(set(asked) - found[column]):
                raise ValueError(f"no row of {column} {lacking[0]!r}; there are {', '.join(sorted(found[column]))}")


class PuzzleEnvConfig(vf.EnvConfig):
    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    turns: int = Field(1, ge=1, le=100)
    """Replies that a model may give; after each wrong one it is told what is wrong with it."""


class PuzzleEnv(vf.Env[PuzzleEnvConfig]):
    async def run(self, task: PuzzleTask, agents: vf.Agents) -> None:
        row = {**task.data.row, "prompt": task.data.prompt}
        if self.config.turns == 1 and not prepared(row).strategy.dialogue:
            await agents.agent.run(task)
            return
        dialogue = episode(row, self.config.turns)
        async with agents.agent.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                turn = dialogue.step(segment.last_reply)
                if turn.done:
                    break
                segment = await interaction.turn(turn.text)


class PuzzleHarnessConfig(vf.HarnessConfig):
    pass


class PuzzleHarness(vf.Harness[PuzzleHarnessConfig]):
    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        system, prompt = self.resolve_prompt(data)
        said = [vf.UserMessage(content=prompt)] if isinstance(prompt, str) else prompt or []
        messages = [message_to_wire(message) for message in said]
        if system:
            messages.insert(0, {"role": "system", "content": system})
        try:
            async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0, timeout=None) as client:
                await client.chat.completions.create(model=ctx.model, messages=messages)
        except APIError as error:
            return vf.ProgramResult(1, "", str(error))
        return vf.ProgramResult(0, "", "")
