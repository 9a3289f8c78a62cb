"""One small release for the tests of training and evaluation tools, and replies to its rows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hostile import hostile
from puzzlemill.core.codec import loads
from puzzlemill.core.family import puzzle_type
from puzzlemill.factory.read import open_release
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.run import run
from puzzlemill.generators import family_named
from puzzlemill.kumo.trajectories import Plan, write
from puzzlemill.scoring.moves import Moves
from puzzlemill.scoring.score import prepared

CLASH = {"name": "unsolvable", "transforms": ["clash"]}
ONE_WAY = {"name": "one_way", "transforms": ["right_only"]}
NO_WAY = {"name": "no_way", "of": "one_way", "transforms": ["shallow_clash"]}
PLAIN = {
    "name": "consumers",
    "seed": "consumers",
    "strata": [
        {"family": "sudoku", "params": {"size": 6}, "variants": [CLASH], "counts": {"train": 4, "test": 4}},
        {"family": "binario", "params": {"rows": 6, "cols": 6}, "variants": [CLASH], "counts": {"train": 4, "test": 4}},
        {"family": "zebra", "params": {"positions": 3, "attributes": 3}, "variants": [CLASH], "counts": {"train": 4, "test": 4}},
        {"family": "hanoi", "params": {"pegs": [3, 4], "disks": [3, 4]}, "counts": {"train": 2, "test": 2}},
        {
            "family": "hanoi",
            "params": {"pegs": 4, "disks": 3, "start": "random", "goal": "random"},
            "variants": [ONE_WAY, NO_WAY],
            "unsolvable": 25,
            "counts": {"train": 4, "test": 4},
        },
    ],
}


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of all families, solvable and unsolvable, in every reply format; train and test. Only to be read."""
    out = tmp_path_factory.mktemp("consumers") / "release"
    run(Recipe.from_plain(PLAIN), out)
    return out


@pytest.fixture(scope="session")
def rows(release: Path) -> list[dict[str, Any]]:
    """Its rows, whole."""
    return list(rows_of(open_release(release)))


GAMES = {
    "name": "games",
    "seed": "consumers",
    "strata": [
        {
            "family": "kumo",
            "params": {"domain": "invented"},
            "variants": [{"name": "told", "transforms": ["told"]}],
            "counts": {"train": 4, "test": 4},
        },
        {"family": "sudoku", "params": {"size": 4}, "counts": {"test": 2}},
    ],
}


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with rows that are dialogues in every reply format, the same told, and two sudokus. Only to be read."""
    out = tmp_path_factory.mktemp("games") / "release"
    run(Recipe.from_plain(GAMES), out)
    return out


@pytest.fixture(scope="session")
def dialogues(games: Path) -> list[dict[str, Any]]:
    """Its dialogues, whole."""
    return [row for row in rows_of(open_release(games)) if row["question"] == "play"]


@pytest.fixture(scope="session")
def messages_of() -> Callable[[dict[str, Any]], list[str]]:
    """row -> the messages of a game that is won: two actions and the right answer."""

    def messages(row: dict[str, Any]) -> list[str]:
        moves = Moves(prepared(row).puzzle, row["reply_format"])
        return [moves.message(0), moves.message(1), row["gold_reply"]]

    return messages


@pytest.fixture
def readme_lines(tmp_path: Path) -> Callable[[Path], list[str]]:
    """readme -> what its command lines print, run one after the other as they stand, without a network, a GPU or a key.

    Lines of ```sh blocks; not run: `pip install`, and lines with a name in capitals or org/name in place of a model's.
    """
    examples = Path(__file__).parents[2] / "examples"
    (tmp_path / "examples").symlink_to(examples)
    programs = {"puzzlemill": [sys.executable, "-m", "puzzlemill.cli"], "python": [sys.executable]}
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1"}

    def run_all(readme: Path) -> list[str]:
        printed = []
        for block in re.findall(r"```sh\n(.*?)```", readme.read_text(), re.DOTALL):
            for line in block.replace("\\\n", " ").splitlines():
                words = shlex.split(line)
                if words[0] == "pip" or any(word.endswith(("MODEL", "org/name")) for word in words):
                    continue
                command = [*programs.get(words[0], [words[0]]), *words[1:]]
                done = subprocess.run(command, cwd=tmp_path, env={**os.environ, **offline}, capture_output=True, text=True)
                assert done.returncode == 0, f"{line}: {done.stderr[-3000:]}"
                printed.append(done.stdout)
        return printed

    return run_all


@pytest.fixture(scope="session")
def hostile_replies(rows: list[dict[str, Any]]) -> Callable[[dict[str, Any]], dict[str, str]]:
    """row -> name -> reply that must not be paid; for a row without an answer, around the answer of its parent."""
    by_id = {row["id"]: row for row in rows}

    def replies(row: dict[str, Any]) -> dict[str, str]:
        solved = row
        while solved["answer"] is None:
            solved = by_id[solved["parent_id"]]
        family = family_named(row["family"])
        puzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
        return hostile(family, puzzle, loads(family.answer, solved["answer"], "answer"), row["reply_format"], big=False)

    return replies


@pytest.fixture(scope="session")
def pays_no_guess(
    rows: list[dict[str, Any]], hostile_replies: Callable[[dict[str, Any]], dict[str, str]]
) -> Callable[[Callable[[list[tuple[dict[str, Any], str]]], list[float]]], None]:
    """check(judge): judge takes (row, reply) pairs and gives their rewards. Gold earns 1 on every row, and every hostile reply
    that a row has earns on average at most what guessing earns."""

    def check(judge: Callable[[list[tuple[dict[str, Any], str]]], list[float]]) -> None:
        assert judge([(row, row["gold_reply"]) for row in rows]) == [1.0] * len(rows)
        told = [(row, hostile_replies(row)) for row in rows]
        for name in sorted({name for _, replies in told for name in replies}):
            pairs = [(row, replies[name]) for row, replies in told if name in replies]
            earned, guessed = judge(pairs), [row["guess_baseline"] for row, _ in pairs]
            assert sum(earned) <= sum(guessed), f"{name}: {sum(earned)} of {len(pairs)}, guessing earns {sum(guessed)}"

    return check


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """Environment variables of a process without Puzzlemill: one that cannot be imported stands in front of what is installed."""
    stand_in = tmp_path / "bare" / "puzzlemill"
    stand_in.mkdir(parents=True)
    (stand_in / "__init__.py").write_text("raise ImportError('Puzzlemill was imported, and not from scorer.zip')\n")
    return {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(stand_in.parent)}


GOLDEN = {
    "plain": {"domain": "bone_pit", "counts": {"train": 8}},
    "told": {
        "domain": ["cargo_ship", "invented:3"],
        "policy": "optimal",
        "book": "any",
        "reply_format": ["json", "tags", "boxed", "table"],
        "opening": "system",
        "reasons": True,
        "counts": {"train": 12},
    },
}


@pytest.fixture(scope="session")
def golden(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two files of golden trajectories: bare moves after a user's prompt; prose in every form, with reasons. Only to be read."""
    out = tmp_path_factory.mktemp("golden") / "out"
    size = {"edition": "consumers", "truths": 4, "actions": 6}
    sets = {name: size | told for name, told in GOLDEN.items()}
    write(Plan.from_plain({"name": "golden", "seed": "consumers", "license": "cc0-1.0", "sets": sets}), out)
    return [str(out / name / "train.parquet") for name in GOLDEN]
