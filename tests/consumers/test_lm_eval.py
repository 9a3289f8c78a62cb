"""lm-evaluation-harness: the exported tasks are found, asked and scored by the real harness."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval", reason="needs lm-evaluation-harness: pip install 'puzzlemill[lm-eval]'")

import datasets
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager
from model_server import asked_text

from puzzlemill.envs.export import export
from puzzlemill.factory.read import open_release

Row = dict[str, Any]
Judge = Callable[[list[tuple[Row, str]]], list[float]]
FAMILIES = ("sudoku", "binario", "zebra", "hanoi")


@pytest.fixture(scope="module")
def exported(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("lm_eval") / "out"
    export(open_release(release), "lm-eval", out)
    return out


@pytest.fixture
def manager(exported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TaskManager:
    """Knows our tasks only; the data sets' cache is the test's own."""
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    return TaskManager(include_path=str(exported), include_defaults=False)


class Scripted(LM):
    """Replies by prompt; with a chat template that is the conversation as JSON."""

    tokenizer_name = "scripted"

    def __init__(self, replies: dict[str, str]) -> None:
        super().__init__()
        self.replies = replies
        self.asked: list[str] = []
        self.settings: list[dict[str, Any]] = []

    def apply_chat_template(self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True) -> str:
        return json.dumps(chat_history)

    def generate_until(self, requests: list[Any], disable_tqdm: bool = False) -> list[str]:
        contexts = [request.arguments[0] for request in requests]
        prompts = [asked_text({"messages": json.loads(text)}) if text.startswith("[{") else text for text in contexts]
        self.asked += prompts
        self.settings += [request.arguments[1] for request in requests]
        return [self.replies[prompt] for prompt in prompts]

    def loglikelihood(self, requests: list[Any], disable_tqdm: bool = False) -> Any:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Any], disable_tqdm: bool = False) -> Any:
        raise NotImplementedError


def evaluated(manager: TaskManager, model: Scripted, **named: Any) -> dict[str, dict[str, float]]:
    found = simple_evaluate(model=model, tasks=["puzzlemill"], task_manager=manager, bootstrap_iters=0, **named)
    results: dict[str, dict[str, float]] = found["results"]
    return results


@pytest.mark.parametrize("chat", [False, True])
def test_gold_replies_are_right_in_every_task(manager: TaskManager, rows: list[Row], chat: bool) -> None:
    """Failing means that prompts are changed on their way, or right replies are not paid."""
    model = Scripted({row["prompt"]: row["gold_reply"] for row in rows})
    found = evaluated(manager, model, apply_chat_template=chat)
    tests = [row for row in rows if row["split"] == "test"]
    assert sorted(model.asked) == sorted(row["prompt"] for row in tests)
    assert all(setting["until"] == [] and setting["do_sample"] is False for setting in model.settings)
    for name in ("puzzlemill", *(f"puzzlemill_{family}" for family in FAMILIES)):
        assert (found[name]["acc,none"], found[name]["format_failure,none"]) == (1.0, 0.0)
    assert [found[f"puzzlemill_{family}"]["subtask,none"] for family in FAMILIES] == [1.0] * 4


def test_solvable_and_unsolvable_puzzles_are_told_apart(manager: TaskManager, rows: list[Row]) -> None:
    """Failing means that always saying "no solution" looks like solving."""
    claims = {row["reply_format"]: row["gold_reply"] for row in rows if row["answer"] is None}
    model = Scripted({row["prompt"]: claims[row["reply_format"]] for row in rows})
    found = evaluated(manager, model)
    for family in FAMILIES:
        tests = [row for row in rows if (row["family"], row["split"]) == (family, "test")]
        share = sum(row["answer"] is None for row in tests) / len(tests)
        figures = found[f"puzzlemill_{family}"]
        assert figures["acc,none"] == pytest.approx(share)
        assert (figures["acc_solvable,none"], figures["acc_unsolvable,none"]) == (0.0, 1.0)
        assert share <= sum(row["guess_baseline"] for row in tests) / len(tests)


def test_hostile_replies_earn_no_more_than_guessing(manager: TaskManager, pays_no_guess: Callable[[Judge], None]) -> None:
    """Failing means that a model can be good at the task without solving a puzzle."""
    task = manager.load(["puzzlemill_sudoku"])["tasks"]["puzzlemill_sudoku"]
    pays_no_guess(lambda pairs: [task.process_results(row, [reply])["acc"] for row, reply in pairs])
    figures = task.process_results(next(iter(task.test_docs())), ["I cannot say."])
    assert {name: value for name, value in figures.items() if not math.isnan(value)} == {
        "acc": 0.0,
        "acc_solvable": 0.0,
        "credit": 0.0,
        "subtask": 0.0,
        "format_failure": 1.0,
    }


def test_the_example_runs_as_its_readme_says(readme_lines: Callable[[Path], list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Failing means that whoever follows the example is stuck."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    table = readme_lines(Path(__file__).parents[2] / "examples" / "lm_eval" / "README.md")[-1]
    figures = {cells[5].strip(): cells[7].strip() for line in table.splitlines() if len(cells := line.split("|")) > 8}
    assert (figures["acc"], figures["acc_unsolvable"], figures["format_failure"]) == ("1", "1", "0")


def test_the_tasks_need_no_puzzlemill(exported: Path, bare: dict[str, str]) -> None:
    """Failing means that the harness's environment has to install Puzzlemill too."""
    code = "import lm_eval_puzzles as p; from puzzlemill.scoring import score as s; print(p.score.__module__, s.__file__)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=bare, cwd=exported, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert str(exported / "scorer.zip") in done.stdout
