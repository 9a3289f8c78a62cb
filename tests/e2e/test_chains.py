"""The command `chains`, its judge model, scorer.zip and the export of planted errors, on a small release."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from model_server import Act, serving

from puzzlemill.cli import main
from puzzlemill.factory.read import batches, open_release, rows
from puzzlemill.factory.reasoning import reasoning

WORDY = "The gluten parade and the marching Tuesday " * 40  # a sentence that is too long to be understood


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("chains") / "release"
    settings = ["family=zebra", "variant=canonical", "count=3", "seed=chains", "family.params.positions=4", "workers=1"]
    assert main(["generate", *settings, f"out={out}"]) == 0
    return out


@pytest.fixture(scope="module")
def replies(release: Path) -> Path:
    path = release.parent / "replies.jsonl"
    every = [{"id": row["id"], "reply": f"{reasoning(row).text}\n\n{WORDY}."} for row in rows(open_release(release))]
    path.write_text("".join([json.dumps(one) + "\n" for one in every]), encoding="utf-8")
    return path


def test_the_command_prints_figures_and_writes_labels(release: Path, replies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = release.parent / "labels.jsonl"
    assert main(["chains", str(release), str(replies), "--json", "--out", str(out)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["chains"] == 3
    assert 0 < told["average_correctness"] <= 1  # a row whose trace cannot be told has a chain that says nothing
    assert told["other"]["not understood"] == 3
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert all(sentence["right"] == sentence["pairs"] for line in lines for sentence in line["sentences"])
    assert {sentence["paper"] for line in lines for sentence in line["sentences"]} <= {"NC", "RR", "supposed", "not understood"}


def test_the_archive_judges_the_same(release: Path, replies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chains", str(release), str(replies), "--json"]) == 0
    here = capsys.readouterr().out
    command = [sys.executable, "-I", str(release / "scorer.zip"), "chains", str(replies), "--json"]
    there = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(there.stdout) == json.loads(here)


def test_a_judge_model_labels_what_was_not_understood(release: Path, replies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def script(body: dict[str, Any]) -> Act:
        listed = body["messages"][-1]["content"].rpartition("Sentences:\n")[2].splitlines()
        return Act("\n".join([f"{k}: {'RW' if 'Tuesday' in line else 'RR'}" for k, line in enumerate(listed, 1)]))

    with serving(script) as model:
        asked = ["--base-url", model.url, "--model", "judge", "--json"]
        assert main(["chains", str(release), str(replies), *asked]) == 0
    told = json.loads(capsys.readouterr().out)["judge"]
    assert told["not_understood"] == {"RW": 3}
    assert told["both"] > 10
    assert told["kappa"] == 0  # it says RR to everything


def test_a_judge_models_labels_stand_beside_ours(release: Path, replies: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Labels of a model that numbers its lines in its own way are read and written; a reply without any was silently dropped."""
    seen: list[int] = []

    def script(body: dict[str, Any]) -> Act:
        seen.append(1)
        return Act("I cannot say." if len(seen) == 1 else "<think>1: WW</think>\n**Sentence 1:** NC\n2. Category: RR")

    out = release.parent / "judged.jsonl"
    with serving(script) as model:
        asked = ["--base-url", model.url, "--model", "judge", "--concurrency", "1", "--out", str(out)]
        assert main(["chains", str(release), str(replies), *asked]) == 0
    told = capsys.readouterr().out
    assert 'failed: a reply without a line "number: category" (1 chains)' in told
    assert "no label for" in told
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    labels = [[sentence["judge"] for sentence in line["sentences"] if sentence["judge"]] for line in lines]
    assert sorted(labels) == [[], ["NC"], ["NC", "RR"]]  # of a chain of one sentence, and of a longer one


def test_planted_errors_are_exported(release: Path, tmp_path: Path) -> None:
    assert main(["export", str(release), "--to", "planted", "--out", str(tmp_path / "out")]) == 0
    found = [row for batch in batches(tmp_path / "out" / "train.parquet") for row in batch]
    assert len(found) == 3
    for row in found:
        sizes = {len(row[name]) for name in ("completions", "labels", "categories", "sub_categories", "reasons")}
        assert len(sizes) == 1
        assert all(label == (not sub) for label, sub in zip(row["labels"], row["sub_categories"], strict=True))
