"""Two agents on fresh 4x4 sudokus: one replies at random, the other reads the prompt and searches."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable
from itertools import product
from typing import Any

import gymnasium
import numpy as np

import puzzlemill.envs.adapters.gymnasium  # noqa: F401, registers puzzlemill/Puzzle-v0


def at_random(_prompt: str, rng: np.random.Generator) -> str:
    """Any digits; nothing of the prompt is read."""
    return json.dumps({"answer": [[str(v) for v in row] for row in rng.integers(1, 5, size=(4, 4))]})


def by_search(prompt: str, _rng: np.random.Generator) -> str:
    """The first grid that keeps the rules and the givens."""
    board = re.findall(r"^[1-4.](?: [1-4.]){3}$", prompt, re.MULTILINE)[:4]
    cells = [None if sign == "." else int(sign) for row in board for sign in row.split()]
    found = fill(cells)
    return json.dumps({"answer": [[str(v) for v in found[4 * r : 4 * r + 4]] for r in range(4)]})


def fill(cells: list[int | None]) -> list[Any]:
    """Backtracking; [] if there is no way."""
    if None not in cells:
        return cells
    at = cells.index(None)
    r, c = divmod(at, 4)
    seen = {cells[4 * r + i] for i in range(4)} | {cells[4 * i + c] for i in range(4)}
    seen |= {cells[4 * (r // 2 * 2 + i) + c // 2 * 2 + j] for i, j in product(range(2), range(2))}
    for v in {1, 2, 3, 4} - seen:
        if found := fill([*cells[:at], v, *cells[at + 1 :]]):
            return found
    return []


def mean_reward(agent: Callable[[str, np.random.Generator], str], episodes: int, seed: int) -> float:
    """Over episodes that differ; the same seed gives every agent the same puzzles."""
    env = gymnasium.make("puzzlemill/Puzzle-v0", family="sudoku", params={"size": 4})
    rng = np.random.default_rng(seed)
    earned = 0.0
    for episode in range(episodes):
        prompt, _ = env.reset(seed=seed if episode == 0 else None)
        over = False
        while not over:
            _, reward, terminated, truncated, _ = env.step(agent(prompt, rng))
            earned += reward
            over = terminated or truncated
    env.close()
    return earned / episodes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for agent in (at_random, by_search):
        print(f"{agent.__name__}: mean reward {mean_reward(agent, options.episodes, options.seed):.2f}")


if __name__ == "__main__":
    main()
