"""Inspect: the exported task is evaluated by the real package, with replies of its scripted model."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs Inspect: pip install 'puzzlemill[inspect]'")

from inspect_ai import eval as evaluate
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Target, value_to_float
from inspect_ai.solver import TaskState

from puzzlemill.envs.export import export
from puzzlemill.factory.read import open_release

Row = dict[str, Any]
Judge = Callable[[list[tuple[Row, str]]], list[float]]
# Inspect 0.3.285 names a parameter of tenacity as it was called before, and leaves streams of anyio to the garbage collector.
pytestmark = [
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
]
NO_TOKENS = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # given, since it would fetch a tokenizer to count them


@pytest.fixture(autouse=True)
def _streams_go_here() -> Iterator[None]:
    """Collects what a test left, while its warnings are still those of this module."""
    yield
    gc.collect()


@pytest.fixture(scope="module")
def exported(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("inspect") / "out"
    export(open_release(release), "inspect", out)
    return out


@pytest.fixture(scope="module")
def module(exported: Path) -> Any:
    spec = spec_from_file_location("puzzlemill_task", exported / "puzzlemill_task.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def played(task: Any, reply: Callable[[str], str], logs: Path) -> EvalLog:
    """The log of an evaluation with these replies to prompts."""

    def output(messages: list[Any], *_: Any) -> ModelOutput:
        made = ModelOutput.from_content("mockllm/model", reply(messages[-1].text))
        made.usage = NO_TOKENS
        return made

    model = get_model("mockllm/model", custom_outputs=output, memoize=False)
    (log,) = evaluate(task, model=model, log_dir=str(logs), display="none", log_realtime=False)
    assert log.status == "success", log.error
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}


def test_gold_replies_are_correct_in_every_family_and_variant(module: Any, rows: list[Row], tmp_path: Path) -> None:
    """Failing means that prompts are changed on their way, or right replies are not paid."""
    gold = {row["prompt"]: row["gold_reply"] for row in rows}
    log = played(module.puzzlemill(), gold.__getitem__, tmp_path)
    assert sorted(str(sample.id) for sample in log.samples or []) == sorted(row["id"] for row in rows)
    found = metrics(log)
    assert set(found.values()) == {0.0, 1.0}
    assert {name for name, value in found.items() if value == 0.0} == {"stderr"}
    named = {f"{column}: {row[column]}" for row in rows for column in ("family", "variant", "status")}
    assert named == found.keys() - {"accuracy", "stderr"}


def test_a_wrong_reply_says_why(module: Any, rows: list[Row], tmp_path: Path) -> None:
    """Failing means that a log does not tell a wrong answer from one that cannot be read."""
    tests = [row for row in rows if (row["split"], row["family"]) == ("test", "sudoku")]
    log = played(module.puzzlemill(split="test", family="sudoku"), lambda _: "I cannot say.", tmp_path)
    scores = [sample.scores["puzzle_rules"] for sample in log.samples or [] if sample.scores]
    assert len(scores) == len(tests)
    assert {(score.value, score.answer, (score.metadata or {})["why"]) for score in scores} == {("I", None, "unreadable")}
    assert metrics(log)["accuracy"] == 0.0
    with pytest.raises(ValueError, match="no row of family 'sudku'; there are binario, hanoi, sudoku, zebra"):
        module.puzzlemill(family="sudku")


def test_hostile_replies_earn_no_more_than_guessing(module: Any, pays_no_guess: Callable[[Judge], None]) -> None:
    """Failing means that a model can be good at the task without solving a puzzle."""
    samples = {sample.id: sample for sample in module.puzzlemill().dataset}
    judge = module.puzzle_rules()

    async def judged(pairs: list[tuple[Row, str]]) -> list[float]:
        scores = []
        for row, reply in pairs:
            sample = samples[row["id"]]
            output = ModelOutput.from_content("mockllm/model", reply)
            state = TaskState("mockllm/model", sample.id, 1, sample.input, [], output=output, metadata=sample.metadata)
            scores.append(await judge(state, Target(sample.target)))
        return [value_to_float()(score.value) for score in scores]

    pays_no_guess(lambda pairs: asyncio.run(judged(pairs)))


def test_the_example_runs_as_its_readme_says(readme_lines: Callable[[Path], list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Failing means that whoever follows the example is stuck."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    printed = readme_lines(Path(__file__).parents[2] / "examples" / "inspect" / "README.md")[-1]
    assert [line.split()[1] for line in printed.splitlines() if line.startswith("accuracy")] == ["1.000"]


def test_the_task_needs_no_puzzlemill(exported: Path, bare: dict[str, str]) -> None:
    """Failing means that Inspect's environment has to install Puzzlemill too."""
    code = "import puzzlemill_task as p; from puzzlemill.scoring import score as s; print(p.score.__module__, s.__file__)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=bare, cwd=exported, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert str(exported / "scorer.zip") in done.stdout
