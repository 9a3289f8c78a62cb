"""TRL: its real GRPOTrainer on exported rows, with a model of random weights."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs TRL: pip install 'puzzlemill[trl]'")

import torch
from datasets import Dataset, load_dataset
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

from puzzlemill.envs.export import export
from puzzlemill.factory.read import open_release

EXAMPLE = Path(__file__).parents[2] / "examples" / "trl"
Judge = Callable[[list[tuple[dict[str, Any], str]]], list[float]]
# what TRL, transformers and torch say of each other is not ours
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def exported(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("trl") / "out"
    export(open_release(release), "trl", out)
    return out


@pytest.fixture
def on_path(exported: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The exported folder as a trainer's script would have it."""
    monkeypatch.setattr(sys, "path", [str(exported), *sys.path])
    names = ("reward", "puzzle_environment", "puzzle_turns")
    yield
    for name in names:
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def example() -> Any:
    spec = spec_from_file_location("train_grpo", EXAMPLE / "train_grpo.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load(exported: Path, split: str, cache: Path) -> Dataset:
    return load_dataset("parquet", data_files=str(exported / f"{split}.parquet"), split="train", cache_dir=str(cache))


class Scripted(GRPOTrainer):
    """The trainer as it is, except that a function says what the model replies to a prompt: say(prompt, number in the batch)."""

    def __init__(self, say: Callable[[str, int], str], **named: Any) -> None:
        self.say = say
        super().__init__(**named)

    def _generate_single_turn(self, prompt_ids: Any, *_: Any, **__: Any) -> Any:
        texts = [self.say(self._tokenizer.decode(ids), i) for i, ids in enumerate(prompt_ids)]
        end = [self._tokenizer.eos_token_id]
        return [self._tokenizer(text, add_special_tokens=False)["input_ids"] + end for text in texts], None


def config(out: Path, **named: Any) -> GRPOConfig:
    settings = {"max_completion_length": 400, "learning_rate": 1e-3, "max_steps": 1, **named}
    return GRPOConfig(
        output_dir=str(out),
        per_device_train_batch_size=2,
        num_generations=2,
        use_cpu=True,
        bf16=False,
        beta=0.0,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        **settings,
    )


def logged(trainer: GRPOTrainer) -> dict[str, Any]:
    lines: list[dict[str, Any]] = [line for line in trainer.state.log_history if "reward" in line]
    assert lines
    return lines[-1]


def test_the_example_runs_as_its_readme_says(readme_lines: Callable[[Path], list[str]]) -> None:
    """Failing means that the first thing a user tries does not work."""
    printed = readme_lines(EXAMPLE / "README.md")[-1]
    steps = [line for line in printed.splitlines() if line.startswith("step ")]
    assert len(steps) == 2 and all("reward 0.000" in step for step in steps)


def test_gold_is_paid_and_guesses_are_not(
    exported: Path, on_path: None, rows: list[dict[str, Any]], pays_no_guess: Callable[[Judge], None], tmp_path: Path
) -> None:
    """Failing means that training rewards something else than right answers."""
    reward = import_module("reward").reward
    have = {row["id"]: row for split in ("train", "test") for row in load(exported, split, tmp_path)}

    def judge(pairs: list[tuple[dict[str, Any], str]]) -> list[float]:
        found = [have[row["id"]] for row, _ in pairs]
        columns = {name: [row[name] for row in found] for name in found[0] if name != "prompt"}
        texts = [text for _, text in pairs]
        earned: list[float] = reward([row["prompt"] for row in found], texts, **columns)
        return earned

    assert len(have) == len(rows)
    pays_no_guess(judge)
    with pytest.raises(ValueError, match="lack the column"):
        reward([""], [""], id=["x"])


def test_a_grpo_step_learns_from_a_right_and_a_wrong_reply(
    exported: Path, on_path: None, rows: list[dict[str, Any]], example: Any, tmp_path: Path
) -> None:
    """Failing means that the trainer does not get our rewards, or does nothing with them."""
    torch.set_num_threads(1)
    data = load(exported, "train", tmp_path)
    tokenizer = example.small_tokenizer(data)
    gold = {row["prompt"]: row["gold_reply"] for row in rows}

    def say(prompt: str, i: int) -> str:
        return gold[prompt.split("<|user|>")[1].split("<|end|>")[0]] if i == 0 else "I do not know."

    model = example.small_model(tokenizer)
    before = model.lm_head.weight.detach().clone()
    trainer = Scripted(
        say,
        model=model,
        processing_class=tokenizer,
        reward_funcs=import_module("reward").reward,
        train_dataset=data,
        args=config(tmp_path / "out"),
    )
    trainer.train()
    line = logged(trainer)
    assert float(line["rewards/reward/mean"]) == float(line["reward"]) == 0.5
    assert torch.isfinite(torch.tensor(float(line["loss"]))) and float(line["grad_norm"]) > 0
    assert not torch.equal(before, model.lm_head.weight)


def test_replies_are_handed_in_turn_by_turn(
    exported: Path, on_path: None, rows: list[dict[str, Any]], example: Any, tmp_path: Path
) -> None:
    """Failing means that the environment does not fit into the trainer's tool loop, pays an early reply, or tells the answer."""
    torch.set_num_threads(1)
    kept = [row["id"] for row in rows if row["family"] == "binario" and row["answer"] is not None]
    data = load(exported, "train", tmp_path).filter(lambda row: row["id"] in kept)
    tokenizer = example.small_tokenizer(data)
    tokenizer.add_special_tokens({"eos_token": "<|im_end|>", "pad_token": "<|im_end|>"})
    tokenizer.chat_template = qwen3_chat_template
    gold = {row["prompt"]: row for row in rows}
    seen: list[str] = []

    def call(reply: str) -> str:
        return f"<tool_call>\n{json.dumps({'name': 'submit', 'arguments': {'reply': reply}})}\n</tool_call>"

    def say(prompt: str, i: int) -> str:
        row = next(row for text, row in gold.items() if text in prompt)
        told = prompt.count("<tool_response>")
        seen.append(prompt)
        wrong, right = row["gold_reply"].replace("1", "0"), row["gold_reply"]
        if "SECOND" in prompt or (told == 0 and i == 0):  # wrong, then right
            return [call(f"SECOND {wrong}"), call(right), "Done."][told]
        return [call(wrong), call("none"), call("nothing"), call(right), "Done."][told]  # right when no more are taken

    trainer = Scripted(
        say,
        model=example.small_model(tokenizer),
        processing_class=tokenizer,
        environment_factory=import_module("puzzle_environment").PuzzleEnvironment,
        train_dataset=data,
        args=config(tmp_path / "out", max_completion_length=4000, chat_template_kwargs={"enable_thinking": False}),
    )
    trainer.train()
    line = logged(trainer)
    assert float(line["rewards/PuzzleEnvironment/mean"]) == 0.5
    assert float(line["tools/failure_frequency"]) == 0
    assert len(seen) == 3 + 5 and all("Hand in your reply with the tool `submit`" in turn for turn in seen)
    for told in ("does not keep these rules", "no answer in the form", "That is right.", "No more replies are taken."):
        assert any(told in turn for turn in seen), told
