"""Exported puzzles as an environment of several turns for TRL (its experimental `environment_factory`).

    from puzzle_environment import PuzzleEnvironment

    GRPOTrainer(..., environment_factory=PuzzleEnvironment, train_dataset=..., args=GRPOConfig(max_tool_calling_iterations=3))

The model hands in its reply by calling `submit`, and is told what is wrong with it, but never a part of the answer; the last
one handed in counts. A row that is a dialogue is played: each message is handed in with `submit` too, and what comes back is its
outcome. The chat template must know tools. The environment is the reward: give no `reward_funcs` beside it.
Needs Python 3.11 and, beside this file, puzzle_turns.py and scorer.zip; Puzzlemill need not be installed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "scorer.zip"), str(HERE)]

from puzzle_turns import Episode, Game, episode  # noqa: E402

from puzzlemill.scoring.score import COLUMNS  # noqa: E402


class PuzzleEnvironment:
    """One puzzle at a time; TRL makes as many of these as there are completions in a batch, and resets them."""

    # answers that may be handed in; another number: class Longer(PuzzleEnvironment): turns = 5. Dialogues have their own
    turns = 3

    def __init__(self) -> None:
        self._episode: Episode | None = None
        self._over = False
        self._score = 0.0

    def reset(self, prompt: Any = None, **columns: Any) -> str:
        """Take a row, and tell how an answer is handed in."""
        text = prompt if isinstance(prompt, str) else str(prompt[-1]["content"])
        self._episode = episode({**{name: columns[name] for name in COLUMNS}, "prompt": text}, self.turns)
        self._over, self._score = False, 0.0
        if isinstance(self._episode, Game):
            return "\n\nSend each of your messages with the tool `submit`; it returns what comes back."
        return f"\n\nHand in your reply with the tool `submit`. You may do so {self.turns} times at most; the last time counts."

    def submit(self, reply: str) -> str:
        """Hand in a reply to the puzzle, or the next message of a dialogue.

        Args:
            reply: The whole reply or message, in the form that the puzzle asks for.

        Returns:
            Whether it is right, and if not, what is wrong with it; of a dialogue's message, what comes back.
        """
        if self._episode is None or self._over:
            return "No more replies are taken."
        turn = self._episode.step(reply)
        self._over = turn.done
        if turn.verdict is not None:
            self._score = turn.verdict.score
        return str(turn.text)

    def get_reward(self) -> float:
        """1.0 if the last reply handed in is right, else 0.0."""
        return self._score
