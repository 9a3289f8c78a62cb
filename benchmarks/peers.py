"""Other generators, for comparison only. One that is missing is named in the table, never left out in silence."""

from __future__ import annotations

import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from measure import Batch

WANTED = "0.1.25"


class Gym:
    """One of reasoning-gym's data sets: call it for the next `batch` items. made: what was timed so far."""

    def __init__(self, dataset: str, batch: int, **settings: Any) -> None:
        import reasoning_gym as gym

        self.items = gym.create_dataset(dataset, seed=20_000, size=1_000_000, **settings)
        self.batch = batch
        self.made: list[dict[str, Any]] = []

    def __call__(self) -> int:
        for _ in range(self.batch):
            self.made.append(self.items[len(self.made)])
        return self.batch


def reasoning_gym(dataset: str, batch: int, **settings: Any) -> tuple[str, Gym | None]:
    """(its name and version, the data set); None for the second if it is not installed."""
    try:
        found = version("reasoning-gym")
    except PackageNotFoundError:
        return f"reasoning-gym {WANTED}: not installed (make bench installs it)", None
    return f"reasoning-gym {found}", Gym(dataset, batch, **settings)


def tatham(game: str, params: str, batch: int) -> tuple[str, Batch | None]:
    """(name, the next `batch` puzzles of one of sgt-puzzles' games); its process start, about a millisecond, counts."""
    name = f"sgt-{game}"
    path = shutil.which(name) or shutil.which(f"/usr/games/{name}")
    if path is None:
        return f"{name}: not installed (apt install sgt-puzzles)", None
    turn = 0

    def some() -> int:
        nonlocal turn
        turn += 1
        made = subprocess.run([path, "--generate", str(batch), f"{params}#{turn}"], capture_output=True, check=True, text=True)
        return len(made.stdout.split())

    return f"{name} {params}", some
