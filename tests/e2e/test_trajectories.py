"""Golden trajectories from the command line: the same bytes for any number of workers, apart from releases, read back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from releases import Shared, release_of

from puzzlemill import cli
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.factory.read import open_release, parquet
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.kumo import trajectories
from puzzlemill.kumo.trajectories import Plan, conversation, write, write_played
from puzzlemill.scoring.plays import replay

SMALL = ["golden=kumo_overfitting"]
SMALL += [
    f"sets.ind_{name}.counts.{split}={number}"
    for name in ("easy", "hard")
    for split, number in (("validation", 5), ("train", 15))
]
SMALL += ["sets.ind_hard.truths=6", "sets.ind_hard.actions=8"]
RECIPE = {
    "name": "told_again",
    "seed": "told_again",
    "strata": [
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
def release(shared: Shared) -> Path:
    return shared("told_again", release_of(RECIPE))


def test_the_same_bytes_for_any_workers_and_hash_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Trajectories cannot be made again."""
    alone, together = tmp_path / "alone", tmp_path / "together"
    assert cli.main(["trajectories", *SMALL, "--out", str(alone)]) == 0
    assert "40 trajectories" in capsys.readouterr().out
    command = [sys.executable, "-m", "puzzlemill.cli", "trajectories", *SMALL, "--workers", "2", "--out", str(together)]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": "1"})
    assert (alone / "export.json").read_bytes() == (together / "export.json").read_bytes()
    mark = json.loads((alone / "export.json").read_bytes())
    assert sorted(mark["files"]) == [
        "README.md",
        *[f"ind_{name}/{split}.parquet" for name in ("easy", "hard") for split in ("train", "validation")],
    ]
    assert [(cell["set"], cell["split"], cell["rows"]) for cell in mark["content"]] == [
        (f"ind_{name}", split, number) for name in ("easy", "hard") for split, number in (("validation", 5), ("train", 15))
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
    plan = Plan.from_plain({"name": "a", "seed": "b", "license": "c", "sets": sets})
    write(plan, tmp_path / "free")
    taken = {row["canonical_key"] for row in read(tmp_path / "free", "some/train.parquet")}
    measured = open_release(release)
    # as if the release had just these tasks
    monkeypatch.setattr(trajectories, "rows_of", lambda *_: [{"canonical_key": key} for key in sorted(taken)])
    mark = write(plan, tmp_path / "apart", exclude=[measured])
    others = {row["canonical_key"] for row in read(tmp_path / "apart", "some/train.parquet")}
    assert len(taken) == len(others) == 30 and not others & taken
    assert mark["exclusions"] == [measured.manifest["checksum"]] and mark["content"][0]["dropped"]["duplicate"] >= 30


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
    sets = {"some": {"domain": "bone_pit", "edition": "e", "truths": 3, "actions": 2, "counts": {"train": 150}}}
    plan = Plan.from_plain({"name": "a", "seed": "b", "license": "c", "sets": sets})
    with pytest.raises(BadParams, match=r"sets\.some: \d+ of 150 tasks after"):
        write(plan, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with pytest.raises(BadFile):
        write_played(open_release(tmp_path), tmp_path / "out", "optimal")


JOURNALLED = {
    "name": "a",
    "seed": "b",
    "license": "c",
    "sets": {
        "first": {"domain": "bone_pit", "edition": "e", "truths": 4, "actions": 6, "counts": {"validation": 10, "train": 150}},
        "second": {"domain": "cargo_ship", "edition": "e", "truths": 5, "actions": 7, "counts": {"train": 100}, "nodes": 10},
    },
}


class Cut(Exception):
    """Somebody pulls the plug."""


@pytest.fixture(scope="module")
def whole(shared: Shared) -> bytes:
    """export.json, with the files' hashes, of a run that nobody cut short."""
    mark = (shared("whole", lambda folder: write(Plan.from_plain(JOURNALLED), folder)) / "export.json").read_bytes()
    assert json.loads(mark)["content"][2]["dropped"]["budget"] > 0  # what a search gave up is kept too
    return mark


PLACES = [("make", 1), ("make", 4), ("write_parquet", 2), ("stamp", 1)]


@pytest.mark.parametrize(("name", "times"), PLACES)
def test_a_run_that_was_cut_short_goes_on(
    name: str, times: int, whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was played is played again, or other bytes come out."""
    plan, out, played = Plan.from_plain(JOURNALLED), tmp_path / "out", list[str]()
    real, play, left = getattr(trajectories, name), trajectories._play, [times]

    def cut(*given: Any, **named: Any) -> Any:
        left[0] -= 1
        if not left[0]:
            raise Cut
        return real(*given, **named)

    def counted(wanted: Any, tasks: Any, rng: Any) -> Any:
        played.append(repr(tasks))
        return play(wanted, tasks, rng)

    monkeypatch.setattr(trajectories, "_play", counted)
    with monkeypatch.context() as patch:
        patch.setattr(trajectories, name, cut)
        with pytest.raises(Cut):
            write(plan, out)
    assert not out.exists() and (tmp_path / "out.plays").exists()
    before = len(played)
    assert before == (times - 1 if name == "make" else len(played)) and (before > 0 or times == 1)
    write(plan, out)
    assert (out / "export.json").read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]
    assert len(set(played)) == len(played) >= 5  # each chunk was played once, in the two runs together


@pytest.mark.slow
def test_a_torn_journal_is_believed_as_far_as_it_is_whole(whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a line, or one that was changed, is taken for a play."""
    plan, out, journal = Plan.from_plain(JOURNALLED), tmp_path / "out", tmp_path / "out.plays"
    with monkeypatch.context() as patch:
        patch.setattr(trajectories, "stamp", lambda *_: (_ for _ in ()).throw(Cut))
        with pytest.raises(Cut):
            write(plan, out)
    text = journal.read_bytes()
    first, second = text.index(b"\n") + 1, text.index(b"\n", text.index(b"\n") + 1) + 1
    for kept in (0, first - 1, first + 30, len(text) - 1):
        journal.write_bytes(text[:kept])
        write(plan, out)
        assert (out / "export.json").read_bytes() == whole and not journal.exists()
    journal.write_bytes(text[:second].replace(b"],[", b"],null,[", 1) + text[second:])
    write(plan, out)
    assert (out / "export.json").read_bytes() == whole


def test_a_journal_of_another_plan_is_left_alone(tmp_path: Path) -> None:
    """Hours of somebody's plays are lost, or taken for those of other tasks."""
    journal = tmp_path / "out.plays"
    sets = {"some": {"domain": "bone_pit", "edition": "e", "truths": 4, "actions": 6, "counts": {"train": 10}}}
    plan = {"name": "a", "seed": "b", "license": "c", "sets": sets}
    fewer = {**plan, "sets": {"some": {**sets["some"], "counts": {"train": 5}}}}
    with trajectories._Journal(tmp_path / "out", Plan.from_plain(plan)):
        kept = journal.read_bytes()
    for other in ({**plan, "seed": "c"}, JOURNALLED):
        with pytest.raises(BadFile, match="another plan"):
            write(Plan.from_plain(other), tmp_path / "out")
        assert journal.read_bytes() == kept and not (tmp_path / "out").exists()
    write(Plan.from_plain(fewer), tmp_path / "out")  # fewer of the same tasks: the plays are the same
    assert not journal.exists()
    for text in (b"my notes, which are longer than a header of ours would be" * 5, b"\xff" * 300):
        journal.write_bytes(text)
        with pytest.raises(BadFile, match="no file of plays"):
            write(Plan.from_plain(plan), tmp_path / "out")
        assert journal.read_bytes() == text


KILLED = """\
import json, os, signal, sys
from pathlib import Path
from puzzlemill.kumo import trajectories
keep = trajectories._Journal.keep
def keep_and_die(journal, job, made):
    keep(journal, job, made)
    if job.which == 1:
        os.kill(os.getpid(), signal.SIGKILL)
if __name__ == "__main__":
    trajectories._Journal.keep = keep_and_die
    trajectories.write(trajectories.Plan.from_plain(json.loads(sys.argv[1])), Path(sys.argv[2]), workers=2)
"""


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on_with_other_workers(whole: bytes, tmp_path: Path) -> None:
    """A process that is killed leaves what nobody can go on from, or the number of workers shows."""
    out, journal = tmp_path / "out", tmp_path / "out.plays"
    killed = subprocess.run([sys.executable, "-c", KILLED, json.dumps(JOURNALLED), str(out)], capture_output=True)
    assert killed.returncode == -9 and not out.exists()
    known = trajectories._Journal(out, Plan.from_plain(JOURNALLED))
    with known:
        assert [job for job in sorted(known.known) if job[0] == 1] == [(1, 0)] and (0, 0) in known.known
    write(Plan.from_plain(JOURNALLED), out)
    assert (out / "export.json").read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"] and not journal.exists()
