"""One worker process that builds rows, and its resident memory on the way. By itself: python benchmarks/memory.py 10000"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import process_time

MARKS = 10  # readings on the way, evenly spread
SLACK = 32.0  # MiB by which the second half of a flat course may rise


@dataclass(frozen=True)
class Course:
    """resident: (rows built, MiB) in order. parts: the rows that were built."""

    resident: tuple[tuple[int, float], ...]
    rate: float
    parts: str

    @property
    def last(self) -> float:
        return self.resident[-1][1]

    @property
    def flat(self) -> bool:
        """Whether memory has stopped growing once every kind of row has been built many times."""
        half = self.resident[len(self.resident) // 2][1]
        return self.last - half <= SLACK

    @property
    def course(self) -> str:
        return "MiB after rows: " + ", ".join(f"{mib:.0f} ({count})" for count, mib in self.resident)


def watch(rows: int) -> Course:
    """Build `rows` rows in a fresh process and read what it reports."""
    made = subprocess.run([sys.executable, str(Path(__file__)), str(rows)], capture_output=True, check=True, text=True)
    *marks, rate, parts = made.stdout.strip().splitlines()
    readings = [line.split() for line in marks]
    return Course(tuple((int(count), float(mib)) for count, mib in readings), float(rate), parts)


def resident() -> float:
    """This process's resident memory in MiB."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmRSS:")[1].split()[0]) / 1024
    import resource  # elsewhere: the most it ever held, which is flat exactly when nothing grows

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


PARTS = (
    {"family": "sudoku", "params": {"size": [6, 9]}, "variants": [{"name": "clash", "transforms": ["clash"]}]},
    {
        "family": "binario",
        "params": {"rows": [6, 8, 10], "cols": 10},
        "variants": [{"name": "clash", "transforms": ["clash"]}],
    },
    {"family": "zebra", "params": {"positions": [4, 5]}, "variants": [{"name": "clash", "transforms": ["clash"]}]},
    {"family": "hanoi", "params": {"pegs": [3, 4], "disks": [3, 4, 5, 6]}, "variants": []},  # few puzzles, again and again
)


def main(rows: int) -> None:
    from puzzlemill.factory.build import build_group
    from puzzlemill.factory.recipe import Recipe

    recipes = []
    for part in PARTS:
        plain = {"rules": [], "counts": {"train": 1}, "reply_formats": ["json", "table"], **part}
        recipes.append(Recipe.from_plain({"name": "memory", "seed": "memory", "strata": [plain]}))
    made, index, mark = 0, 0, 0
    begun = process_time()
    while made < rows:
        recipe = recipes[index % len(recipes)]
        group = build_group(recipe, recipe.strata[0], "train", index // len(recipes))
        if not group.rows:
            raise RuntimeError(f"{recipe.strata[0].family}: a group was given up: {group.tally}")
        made += len(group.rows)
        index += 1
        if made * MARKS >= rows * (mark + 1):
            mark = made * MARKS // rows
            print(made, f"{resident():.1f}", flush=True)
    print(f"{made / (process_time() - begun):.1f}")
    print(f"{index} groups in turn of " + ", ".join(str(part["family"]) for part in PARTS))


if __name__ == "__main__":
    main(int(sys.argv[1]))
