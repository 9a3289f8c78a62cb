"""Whole runs in processes of their own: the same bytes for every number of workers, hash seed and interruption."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from releases import Shared

from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.run import run

COINS = [{"family": "coin", "params": {"coins": [5, 7, 8, 9]}, "counts": {"train": 8, "validation": 2, "test": 4}}]
FOUR = [
    {
        "family": "sudoku",
        "params": {"size": [6, 9]},
        "variants": [{"name": "unsolvable", "transforms": ["clash"]}],
        "counts": {"train": 3, "validation": 1, "test": 1},
    },
    {
        "family": "binario",
        "params": {"rows": [6], "cols": [8]},
        "variants": [{"name": "unsolvable", "transforms": ["clash"]}],
        "counts": {"train": 3, "test": 1},
    },
    {
        "family": "zebra",
        "params": {"positions": 4, "attributes": [3, 4]},
        "variants": [{"name": "shuffled", "transforms": ["shuffle_clues"]}],
        "counts": {"train": 3, "test": 1},
    },
    {"family": "hanoi", "params": {"pegs": [3, 4], "disks": [3, 4, 5]}, "counts": {"train": 3, "test": 1}},
]
_PROGRAM = """
import json, sys
from pathlib import Path
from puzzlemill.core.errors import PuzzlemillError
from puzzlemill.factory import workers as pool
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.run import run

def main():
    pool.FEW = 1  # processes for few groups, too
    plain, out, workers = sys.argv[1:4]
    if len(sys.argv) > 4:
        import resource
        limit = int(sys.argv[4])
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    try:
        run(Recipe.from_plain(json.loads(plain)), Path(out), int(workers))
    except PuzzlemillError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)

if __name__ == "__main__":
    main()
"""


def plain(parts: list[dict[str, Any]], seed: str = "w") -> dict[str, Any]:
    return {"name": "small", "seed": seed, "strata": parts}


class Program:
    """Starts runs of a recipe in processes of their own; each is the leader of a process group, so that none is left behind."""

    def __init__(self, folder: Path, recipe: dict[str, Any]) -> None:
        self.script = folder / "program.py"
        self.script.write_text(_PROGRAM)
        self.recipe = recipe

    def start(self, out: Path, workers: int, *more: str, hash_seed: str = "0") -> subprocess.Popen[str]:
        command = [sys.executable, str(self.script), json.dumps(self.recipe), str(out), str(workers), *more]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True)

    def finish(self, out: Path, workers: int, *more: str, hash_seed: str = "0") -> tuple[int, str]:
        with self.start(out, workers, *more, hash_seed=hash_seed) as process:
            _, told = process.communicate(timeout=900)
            return process.returncode, told


def finish_here(recipe: dict[str, Any], out: Path) -> None:
    """A run goes on to its end in this process, with one worker."""
    run(Recipe.from_plain(recipe), out)


@pytest.fixture
def whole(shared: Shared) -> Path:
    """The release of COINS, made in one go in a process of the tests."""
    return shared("coins", lambda out: finish_here(plain(COINS), out))


@pytest.fixture
def four(shared: Shared) -> Path:
    """The release of FOUR, likewise."""
    return shared("four", lambda out: finish_here(plain(FOUR), out))


def files(out: Path) -> dict[str, bytes]:
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def wait_for_shards(out: Path, process: subprocess.Popen[str], count: int) -> None:
    """Until this many shards are written or the run is over: a place in the work, not a time."""
    while process.poll() is None and len(list(out.glob(".work/*/shards/*.jsonl"))) < count:
        time.sleep(0.005)


def alive(group: int) -> bool:
    """Whether any process of this group is still there."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def wait_until_gone(group: int) -> bool:
    for _ in range(2_000):
        if not alive(group):
            return True
        time.sleep(0.01)
    return False


def test_the_number_of_workers_does_not_matter(tmp_path: Path, whole: Path) -> None:
    """A release could only be checked on a machine like the one that made it."""
    assert Program(tmp_path, plain(COINS)).finish(tmp_path / "out", 3, hash_seed="3") == (0, "")
    assert files(tmp_path / "out") == files(whole)


def test_a_killed_run_goes_on(tmp_path: Path, whole: Path) -> None:
    """Kill the parent alone: its workers must leave too, and the next run must end with the same bytes."""
    cut = tmp_path / "cut"
    with Program(tmp_path, plain(COINS)).start(cut, 2) as process:
        wait_for_shards(cut, process, 2)
        process.kill()
        process.wait()
        assert wait_until_gone(process.pid), "a worker outlived its parent"
    finish_here(plain(COINS), cut)
    assert files(cut) == files(whole)


def test_ctrl_c_stops_and_can_be_resumed(tmp_path: Path, whole: Path) -> None:
    """Workers are left behind, or what they had made is in the way."""
    cut = tmp_path / "cut"
    with Program(tmp_path, plain(COINS)).start(cut, 2) as process:
        wait_for_shards(cut, process, 2)
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=60)
        assert wait_until_gone(process.pid)
    assert (process.returncode, told) in [(130, ""), (0, "")]  # 0: it was done before the signal came
    assert process.returncode == 0 or not (cut / "manifest.json").exists()
    finish_here(plain(COINS), cut)
    assert files(cut) == files(whole)


def workers_of(process: subprocess.Popen[str]) -> list[int]:
    """The worker processes of a run (Linux only); the pool's resource tracker is none of them."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    found = [int(child) for child in children.read_text().split()] if children.exists() else []
    return [child for child in found if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds worker processes in /proc")
def test_a_killed_worker_is_one_line_and_the_run_can_go_on(tmp_path: Path) -> None:
    """A run would wait for ever for a worker that the system killed for want of memory."""
    many = [{**COINS[0], "params": {"coins": [5, 6, 7, 8, 9]}, "counts": {"train": 18}}]
    program = Program(tmp_path, plain(many))
    with program.start(tmp_path / "cut", 2) as process:
        while process.poll() is None and not workers_of(process):
            time.sleep(0.005)
        os.kill(workers_of(process)[0], signal.SIGKILL)
        _, told = process.communicate(timeout=120)
        assert wait_until_gone(process.pid)
    assert process.returncode == 2
    assert told.startswith("BadInput: workers: a worker process was killed") and told.count("\n") == 1
    finish_here(plain(many), tmp_path / "cut")
    finish_here(plain(many), tmp_path / "whole")
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


@pytest.mark.parametrize(("workers", "limit"), [(2, 2_000), (1, 20_000)])
def test_a_full_disk_is_one_line_and_leaves_no_final_name(tmp_path: Path, whole: Path, workers: int, limit: int) -> None:
    """No file may grow beyond `limit` bytes: too little for a shard, or for a Parquet file. With room made, the run goes on."""
    pytest.importorskip("resource")
    out = tmp_path / "out"
    code, told = Program(tmp_path, plain(COINS)).finish(out, workers, str(limit))
    assert code == 2
    assert told.startswith("BadFile: ") and told.count("\n") == 1 and "choose another out=" in told
    assert [path.name for path in out.iterdir()] == [".work"]
    finish_here(plain(COINS), out)
    assert files(out) == files(whole)


def rows(out: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    return [row for path in sorted(out.rglob("*.parquet")) for row in pq.read_table(path, partitioning=None).to_pylist()]


@pytest.mark.slow
def test_four_families_hash_seeds_workers_and_kills(four: Path, tmp_path: Path) -> None:
    """Same recipe, another PYTHONHASHSEED, number of workers, kills at random places: the same manifest, hence files."""
    program = Program(tmp_path, plain(FOUR))
    rng = random.Random(2)
    for hash_seed, workers, kills in (("1", 3, 2), ("2", 2, 1)):
        out = tmp_path / hash_seed
        for _ in range(kills):
            with program.start(out, workers, hash_seed=hash_seed) as process:
                wait_for_shards(out, process, rng.randrange(1, 9))
                process.kill()
                process.wait()
                assert wait_until_gone(process.pid)
        assert program.finish(out, workers, hash_seed=hash_seed) == (0, "")
        assert not (out / ".work").exists()
        assert (out / "manifest.json").read_bytes() == (four / "manifest.json").read_bytes(), hash_seed


@pytest.mark.slow
def test_the_long_tail_is_the_same_for_every_hash_seed_and_number_of_workers(tmp_path: Path) -> None:
    """A transform, a deduction or a clash depends on the order of a set, or on what the process made before. Of every second
    part; tests/golden holds all of them to what other processes made."""
    whole = recipe_of(compose(["release=longtail"])).to_plain()
    parts = [{**part, "counts": {"train": 1}} for part in whole["strata"][::2]]
    program = Program(tmp_path, {**whole, "strata": parts})
    for hash_seed, workers in (("0", 1), ("7", 3)):
        assert program.finish(tmp_path / hash_seed, workers, hash_seed=hash_seed) == (0, "")
    assert files(tmp_path / "0") == files(tmp_path / "7")
    assert len(rows(tmp_path / "0")) > 75


@pytest.mark.slow
def test_another_word_shares_no_puzzle_but_small_classes(four: Path, tmp_path: Path) -> None:
    """A release of next month would repeat this month's puzzles."""
    finish_here(plain(FOUR, "other"), tmp_path / "other")
    keys = [{row["canonical_key"] for row in rows(out)} for out in (four, tmp_path / "other")]
    small = json.loads((tmp_path / "other" / "manifest.json").read_text())["small_classes"]
    assert {entry["family"] for entry in small} == {"hanoi"}
    assert {key.split(":")[0] for key in keys[0] & keys[1]} <= {"hanoi"}


def test_the_recipes_of_these_tests_are_valid() -> None:
    """The slow tests are not the first to notice."""
    for parts in (COINS, FOUR):
        assert Recipe.from_plain(plain(parts)).quotas
