"""verifiers (v1): the exported package is built and loaded as any taskset, and plays real rollouts against a local endpoint."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers", reason="needs verifiers: pip install 'puzzlemill[verifiers]'")

import verifiers.v1 as vf
from hatchling.builders.wheel import WheelBuilder
from model_server import Act, Acts, Model, Script, says, serving
from verifiers.v1.cli.eval.runner import run_eval
from verifiers.v1.configs.cli.eval import EvalConfig
from verifiers.v1.graph import MessageNode
from verifiers.v1.utils.loaders import load_taskset, taskset_config_type

from puzzlemill.envs.export import export
from puzzlemill.factory.read import open_release

Row = dict[str, Any]
Judge = Callable[[list[tuple[Row, str]]], list[float]]
ID = "puzzlemill-consumers"


@pytest.fixture(scope="module")
def site(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the export is installed: its wheel, unpacked."""
    home = tmp_path_factory.mktemp("verifiers")
    export(open_release(release), "verifiers", home / "out")
    wheel = next(WheelBuilder(str(home / "out")).build(directory=str(home)))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(home / "site")
    return home / "site"


@pytest.fixture
def installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])
    yield
    for name in [name for name in sys.modules if name.startswith(ID.replace("-", "_"))]:
        del sys.modules[name]


def tasks(**config: Any) -> list[vf.Task]:
    return list(load_taskset(taskset_config_type(ID)(id=ID, **config)))


def told(pairs: list[tuple[vf.Task, str]]) -> list[vf.Trace]:
    """The traces of rollouts that ended with these replies, scored by their tasks."""

    async def scored() -> list[vf.Trace]:
        traces = []
        for task, reply in pairs:
            node = MessageNode(parent=None, message=vf.AssistantMessage(content=reply), sampled=True)
            about = vf.TraceTask(type="PuzzleTask", data=task.data, key=task.key, hash="")
            traces.append(vf.Trace(task=about, agent=vf.AgentInfo(config=vf.AgentConfig()), nodes=[node]))
            await task.score(traces[-1])
        return traces

    return asyncio.run(scored())


def evaluate(model: Model, out: Path, **env: Any) -> list[vf.Trace]:
    """What `vf-eval` runs, in this process."""
    where = {"client": {"base_url": model.url}, "output_dir": out, "push": False, "rich": None}
    config = EvalConfig(env={"taskset": {"id": ID}, **env}, model="scripted", max_concurrent=4, **where)
    return [trace for episode in asyncio.run(run_eval(config)) for trace in episode.traces]


@pytest.mark.usefixtures("installed")
def test_the_package_loads_every_row_as_a_task(rows: list[Row]) -> None:
    """Failing means that tasks are lost, or can no longer be told apart."""
    found = tasks()
    assert [(task.key, task.data.prompt) for task in found] == [(row["id"], row["prompt"]) for row in rows]
    chosen = tasks(splits=["test"], families=["zebra", "hanoi"])
    wanted = [row["id"] for row in rows if row["split"] == "test" and row["family"] in ("zebra", "hanoi")]
    assert [task.key for task in chosen] == wanted
    with pytest.raises(ValueError, match="no row of split 'tset'; there are test, train"):
        tasks(splits=["tset"])


@pytest.mark.usefixtures("installed")
def test_rewards_are_one_for_gold_and_no_more_than_guessing_for_hostile_replies(pays_no_guess: Callable[[Judge], None]) -> None:
    """Failing means that a trainer is taught to give no answers."""
    by_id = {task.key: task for task in tasks()}
    pays_no_guess(lambda pairs: [trace.reward for trace in told([(by_id[row["id"]], reply) for row, reply in pairs])])


@pytest.mark.usefixtures("installed")
def test_metrics_tell_how_near_a_reply_came(rows: list[Row]) -> None:
    """Failing means that the figures beside the reward say something else than they are named for."""
    by_id = {task.key: task for task in tasks()}
    row = next(row for row in rows if row["answer"] is None)
    task = by_id[row["id"]]
    right, unread = told([(task, row["gold_reply"]), (task, "I do not know.")])
    assert right.metrics == {"readable": 1.0, "credit": 1.0, "subtask": 1.0, "claims_unsolvable": 1.0}
    assert unread.metrics == {"readable": 0.0, "credit": 0.0, "subtask": 0.0, "claims_unsolvable": 0.0}


@pytest.mark.usefixtures("installed")
def test_rollouts_of_several_turns_tell_what_is_wrong_and_pay_the_last_reply(rows: list[Row], tmp_path: Path) -> None:
    """Failing means that turns are not played, or that another reply than the last one is paid."""
    acts = {row["prompt"]: [says("I cannot say."), says(row["gold_reply"])] for row in rows}
    with serving(Acts(acts)) as model:
        (tmp_path / "two").mkdir()
        two = evaluate(model, tmp_path / "two", turns=2)
        asked = [request.body["messages"] for request in model.asked if len(request.body["messages"]) > 1]
    assert [trace.reward for trace in two] == [1.0] * len(rows)
    assert [trace.num_turns for trace in two] == [2] * len(rows)
    assert len(asked) == len(rows)
    for messages in asked:
        assert [message["role"] for message in messages] == ["user", "assistant", "user"]
        assert "no answer in the form that is asked for" in messages[2]["content"]


def test_games_are_played_to_their_end_and_paid_if_they_are_won(
    games: Path,
    dialogues: list[Row],
    messages_of: Callable[[Row], list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Failing means that a model plays blindly, that a lost game is paid, or that figures of a game are lost."""
    export(open_release(games), "verifiers", tmp_path / "out")
    wheel = next(WheelBuilder(str(tmp_path / "out")).build(directory=str(tmp_path)))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    name = "puzzlemill-games"
    won = [row for row in dialogues if row["split"] == "test"]
    acts = {row["prompt"]: [says(message) for message in messages_of(row)] for row in won}
    acts |= {row["prompt"]: [says("I wonder.")] for row in dialogues if row["split"] == "train"}
    (tmp_path / "runs").mkdir()
    with serving(Acts(acts, says("no"))) as model:
        where = {"client": {"base_url": model.url}, "output_dir": tmp_path / "runs", "push": False, "rich": None}
        config = EvalConfig(env={"taskset": {"id": name, "families": ["kumo"]}}, model="scripted", max_concurrent=4, **where)
        traces = [trace for episode in asyncio.run(run_eval(config)) for trace in episode.traces]
        asked = [request.body["messages"] for request in model.asked]
    by_id = {trace.task.data.id: trace for trace in traces}
    for row in dialogues:
        trace = by_id[row["id"]]
        told = trace.metrics
        if row["split"] == "test":
            assert (trace.reward, trace.num_turns) == (1.0, 3)
            assert (told["actions"], told["illegal"], told["unreadable"], told["readable"]) == (2.0, 0.0, 0.0, 1.0)
        else:
            assert (trace.reward, trace.num_turns) == (0.0, 12)
            assert (told["actions"], told["unreadable"], told["readable"]) == (0.0, 12.0, 0.0)
    last = max((messages for messages in asked if messages[0]["content"] == won[0]["prompt"]), key=len)
    assert "You have 10 messages left." in last[4]["content"]
    for loaded in [module for module in sys.modules if module.startswith("puzzlemill_games")]:
        del sys.modules[loaded]


@pytest.mark.usefixtures("installed")
def test_an_endpoint_that_fails_is_no_wrong_reply(rows: list[Row], tmp_path: Path) -> None:
    """Failing means that an outage would count as a model's mistakes."""
    script: Script = lambda _: Act(status=400, body=b'{"error": {"message": "no such model"}}')  # noqa: E731
    with serving(script) as model:
        found = evaluate(model, tmp_path, taskset={"id": ID, "families": ["hanoi"]})
    assert found
    assert all(not trace.ok and trace.last_error is not None and trace.last_error.type == "ProviderError" for trace in found)


def test_the_example_runs_as_its_readme_says(
    readme_lines: Callable[[Path], list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Failing means that whoever follows the example is stuck. The export is put on the path in place of `pip install`."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([*filter(None, [os.environ.get("PYTHONPATH")]), "out/verifiers"]))
    readme_lines(Path(__file__).parents[2] / "examples" / "verifiers" / "README.md")
    (written,) = (tmp_path / "outputs").glob("*/traces.jsonl")
    episodes = [json.loads(line) for line in written.read_text().splitlines()]
    assert [trace["rewards"]["solved"]["score"] for episode in episodes for trace in episode["traces"]] == [1.0] * 12


def test_the_package_needs_no_puzzlemill(site: Path, bare: dict[str, str]) -> None:
    """Failing means that a trainer's environment has to install Puzzlemill too."""
    code = "import puzzlemill_consumers as p; from puzzlemill.scoring import score as s; print(p.score.__module__, s.__file__)"
    env = {**bare, "PYTHONPATH": f"{bare['PYTHONPATH']}{os.pathsep}{site}"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert str(site / "puzzlemill_consumers" / "scorer.zip") in done.stdout
