"""Golden trajectories from the command line: the same bytes for any number of workers, apart from releases, read back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from puzzlemill import cli
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.envs import trajectories
from puzzlemill.envs.trajectories import Plan, conversation, write, write_played
from puzzlemill.factory.read import open_release, parquet
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.run import run as generate
from puzzlemill.scoring.plays import replay

SMALL = ["golden=kumo_overfitting"]
SMALL += [
    f"sets.ind_{name}.counts.{split}={number}"
    for name in ("easy", "hard")
    for split, number in (("validation", 5), ("train", 40))
]
SMALL += ["sets.ind_hard.truths=6", "sets.ind_hard.actions=8"]
RECIPE = {
    "name": "told_again",
    "word": "told_again",
    "parts": [
        {
            "family": "kumo",
            "params": {"domain": ["invented:5", "bone_pit"]},
            "variants": [{"name": "symbolic_book", "transforms": ["symbolic_book"]}],
            "counts": {"test": 4},
            "reply_formats": ["json", "tags", "boxed", "table"],
        }
    ],
}


def read(folder: Path, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = parquet(folder / path).read().to_pylist()
    return found


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trajectories") / "release"
    generate(Recipe.from_plain(RECIPE), out)
    return out


def test_the_same_bytes_for_any_workers_and_hash_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Trajectories cannot be made again."""
    alone, together = tmp_path / "alone", tmp_path / "together"
    assert cli.main(["trajectories", *SMALL, "--out", str(alone)]) == 0
    assert "90 trajectories" in capsys.readouterr().out
    command = [sys.executable, "-m", "puzzlemill.cli", "trajectories", *SMALL, "--workers", "2", "--out", str(together)]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": "1"})
    assert (alone / "export.json").read_bytes() == (together / "export.json").read_bytes()
    mark = json.loads((alone / "export.json").read_bytes())
    assert sorted(mark["files"]) == [
        "README.md",
        *[f"ind_{name}/{split}.parquet" for name in ("easy", "hard") for split in ("train", "validation")],
    ]
    assert [(cell["set"], cell["split"], cell["rows"]) for cell in mark["content"]] == [
        (f"ind_{name}", split, number) for name in ("easy", "hard") for split, number in (("validation", 5), ("train", 40))
    ]
    rows = [row for path in sorted(mark["files"]) if path.endswith("parquet") for row in read(alone, path)]
    assert len({row["canonical_key"] for row in rows}) == len({row["id"] for row in rows}) == len(rows)
    assert {row["domain"] for row in rows} == {"ringing_station/first"} and {row["book"] for row in rows} == {"symbolic"}
    for row in rows:
        text = conversation(row["messages"])
        assert row["canary"] not in text and text.count("<|assistant|>") == len(row["spans"]) == row["steps"] + 1


def test_tasks_of_a_release_do_not_come_again(release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a model is measured on is in what it was trained on."""
    sets = {"some": {"domain": "bone_pit", "edition": "e", "truths": 4, "actions": 6, "counts": {"train": 30}}}
    plan = Plan.from_plain({"name": "a", "word": "b", "license": "c", "sets": sets})
    write(plan, tmp_path / "free")
    taken = {row["canonical_key"] for row in read(tmp_path / "free", "some/train.parquet")}
    measured = open_release(release)
    # as if the release had just these tasks
    monkeypatch.setattr(trajectories, "rows_of", lambda *_: [{"canonical_key": key} for key in sorted(taken)])
    mark = write(plan, tmp_path / "apart", apart=[measured])
    others = {row["canonical_key"] for row in read(tmp_path / "apart", "some/train.parquet")}
    assert len(taken) == len(others) == 30 and not others & taken
    assert mark["apart"] == [measured.manifest["seal"]] and mark["content"][0]["dropped"]["duplicate"] >= 30


def test_a_release_s_dialogues_are_played_and_told(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A release's rows in prose give other conversations than their own game, or wrong ones."""
    command = ["trajectories", "--of", str(release), "--out"]
    assert cli.main([*command, str(tmp_path / "plain")]) == 0
    assert "test 8 trajectories" in capsys.readouterr().out
    assert cli.main([*command, str(tmp_path / "told"), "--reasons", "--opening", "system", "--policy", "kumo_compat"]) == 0
    rows = {row["canonical_key"] + row["prompt"]: row for row in rows_of(open_release(release))}
    for name in ("plain", "told"):
        found = read(tmp_path / name, "test.parquet")
        assert len(found) == 8 and len({row["book"] for row in found}) > 1
        for row in found:
            own = rows[row["canonical_key"] + row["messages"][0]["content"]]
            verdict = replay([one["content"] for one in row["messages"] if one["role"] == "assistant"], own)
            assert verdict.solved and verdict.play is not None
            best = own["play"]["exact_actions" if name == "plain" else "compat_actions"]
            assert len(verdict.play.actions) == row["steps"] == best
            assert row["canary"] == own["canary"] and row["split"] == "test"


def test_what_cannot_be_done_is_told(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder of somebody's is overwritten, or a mistake is told as a traceback."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("keep")
    for arguments, told in (
        (["--out", str(tmp_path / "mine")], "holds files"),
        ([], "--out: missing"),
        (["golden=nothing", "--out", str(tmp_path / "x")], "unknown golden"),
        (["--of", str(release), "sets.golden.truths=5", "--out", str(tmp_path / "x")], "--of"),
        (["--of", str(release), "--policy", "best", "--out", str(tmp_path / "x")], "--policy"),
        (["--workers", "0", "--out", str(tmp_path / "x")], "--workers"),
    ):
        assert cli.main(["trajectories", *arguments]) == 2
        captured = capsys.readouterr().err
        assert told in captured and captured.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine"] and (tmp_path / "mine" / "notes.txt").exists()


def test_too_many_tasks_are_not_waited_for(tmp_path: Path) -> None:
    """A plan that asks for more than there is never ends, or leaves half a folder."""
    sets = {"some": {"domain": "bone_pit", "edition": "e", "truths": 3, "actions": 2, "counts": {"train": 300}}}
    plan = Plan.from_plain({"name": "a", "word": "b", "license": "c", "sets": sets})
    with pytest.raises(BadParams, match=r"sets\.some: \d+ of 300 tasks after"):
        write(plan, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with pytest.raises(BadFile):
        write_played(open_release(tmp_path), tmp_path / "out", "optimal")
