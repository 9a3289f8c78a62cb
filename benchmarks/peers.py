"""Other generators, for comparison only. One that is missing is named in the table, never left out in silence."""

from __future__ import annotations

import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from measure import Batch

WANTED = "0.1.25"


def reasoning_gym(dataset: str, batch: int, **settings: Any) -> tuple[str, Batch | None]:
    """(name, the next `batch` items of one of its data sets); None for the second if it is not installed."""
    try:
        found = version("reasoning-gym")
    except PackageNotFoundError:
        return f"reasoning-gym {WANTED}: not installed (pip install 'puzzlemill[bench]')", None
    import reasoning_gym as gym

    items = gym.create_dataset(dataset, seed=20_000, size=1_000_000, **settings)
    at = 0

    def some() -> int:
        nonlocal at
        for _ in range(batch):
            items[at]
            at += 1
        return batch

    return f"reasoning-gym {found}", some


def sudoku_blanks(low: int, high: int, count: int) -> list[int]:
    """How many blanks its sudokus really have when asked for low..high."""
    import reasoning_gym as gym

    items = gym.create_dataset("sudoku", seed=20_000, size=count, min_empty=low, max_empty=high)
    return [sum(row.count(0) for row in items[i]["metadata"]["puzzle"]) for i in range(count)]


def unruly(params: str, batch: int) -> tuple[str, Batch | None]:
    """(name, the next `batch` puzzles of sgt-unruly); its process start, about a millisecond, counts."""
    path = shutil.which("sgt-unruly") or shutil.which("/usr/games/sgt-unruly")
    if path is None:
        return "sgt-unruly: not installed (apt install sgt-puzzles)", None
    turn = 0

    def some() -> int:
        nonlocal turn
        turn += 1
        made = subprocess.run([path, "--generate", str(batch), f"{params}#{turn}"], capture_output=True, check=True, text=True)
        return len(made.stdout.split())

    return f"sgt-unruly {params}", some
