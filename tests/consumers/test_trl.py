"""TRL: its real GRPOTrainer on exported rows, and its SFTTrainer on golden trajectories, with models of random weights."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import getsource
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs TRL: pip install 'puzzlemill[trl]'")

import torch
from datasets import Dataset, load_dataset
from transformers import PreTrainedTokenizerBase, set_seed
from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer
from trl.chat_template_utils import llama3_chat_template, qwen2_5_chat_template, qwen3_chat_template

from puzzlemill.envs.export import export
from puzzlemill.factory.read import open_release
from puzzlemill.factory.reasoning import Options
from puzzlemill.kumo.trajectories import conversation

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


def program(name: str) -> Any:
    spec = spec_from_file_location(name, EXAMPLE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def example() -> Any:
    return program("train_grpo")


def beside_grpo(name: str) -> Iterator[Any]:
    """A program that takes its small model from train_grpo.py."""
    before = list(sys.path)
    yield program(name)
    sys.path[:] = before
    sys.modules.pop("train_grpo", None)


@pytest.fixture(scope="module")
def sft() -> Iterator[Any]:
    yield from beside_grpo("train_sft")


@pytest.fixture(scope="module")
def prm() -> Iterator[Any]:
    yield from beside_grpo("train_prm")


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
    grpo, *sft = [
        [line for line in printed.splitlines() if line.startswith("step ")]
        for printed in readme_lines(EXAMPLE / "README.md")
        if "step 1:" in printed
    ]
    assert len(grpo) == 2 and all("reward 0.000" in step for step in grpo)
    assert [len(steps) for steps in sft] == [2, 2, 2] and all("loss " in step for steps in sft for step in steps)


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


# ---- golden trajectories ----------------------------------------------------------------------------------------------


class Watched(SFTTrainer):
    """The trainer as it is; it keeps what it is given to learn, and what it reports for it."""

    def __init__(self, **named: Any) -> None:
        self.batches: list[tuple[Any, Any, float]] = []
        super().__init__(**named)

    def compute_loss(self, model: Any, inputs: Any, *rest: Any, **named: Any) -> Any:
        tokens, labels = inputs["input_ids"].clone(), inputs["labels"].clone()
        found = super().compute_loss(model, inputs, *rest, **named)
        loss = found[0] if isinstance(found, tuple) else found
        self.batches.append((tokens, labels, float(loss.detach())))
        return found


def train_on(rows: Dataset, sft: Any, tokenizer: PreTrainedTokenizerBase, out: Path, **named: Any) -> Watched:
    """The trainer after one epoch of batches of 4."""
    torch.set_num_threads(1)
    set_seed(0)
    settings = {"use_cpu": True, "bf16": False, "save_strategy": "no", "report_to": "none", "disable_tqdm": True, **named}
    args = SFTConfig(
        output_dir=str(out),
        per_device_train_batch_size=4,
        num_train_epochs=1,
        learning_rate=1e-3,
        gradient_checkpointing=False,
        logging_steps=1,
        **settings,
    )
    trainer = Watched(model=sft.small_model(tokenizer), processing_class=tokenizer, train_dataset=rows, args=args)
    trainer.train()
    return trainer


def learnt(tokens: list[int], labels: list[int], tokenizer: PreTrainedTokenizerBase) -> list[str]:
    """The texts that are learnt, each a run of labels, in order."""
    runs: list[list[int]] = []
    for i, label in enumerate(labels):
        assert label in (-100, tokens[i])
        if label != -100:
            if labels[i - 1] == -100:
                runs.append([])
            runs[-1].append(label)
    return [tokenizer.decode(run) for run in runs]


def all_learnt(trainer: Watched, tokenizer: PreTrainedTokenizerBase) -> list[list[str]]:
    pairs = [pair for tokens, labels, _ in trainer.batches for pair in zip(tokens.tolist(), labels.tolist(), strict=True)]
    return sorted(learnt(*pair, tokenizer) for pair in pairs)


def meant(rows: Dataset, before: str, end: str) -> list[list[str]]:
    """What is to be learnt of each row by its column `loss`, between these words."""
    return sorted(
        [before + one["content"] + end for one, on in zip(row["messages"], row["loss"], strict=True) if on] for row in rows
    )


def sft_tokenizer(sft: Any, rows: Dataset, template: str, marks: list[str]) -> PreTrainedTokenizerBase:
    tokenizer = sft.small_tokenizer({"prompt": rows["messages"]})
    tokenizer.add_special_tokens({"eos_token": marks[-1], "pad_token": marks[-1], "additional_special_tokens": marks[:-1]})
    tokenizer.chat_template = template
    return tokenizer


LLAMA = ["<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"]
QWEN = ["<|im_start|>", "<|im_end|>"]
# template, its marks, and what is learnt beside the content of a message
TEMPLATES = {
    "ours": (None, ["<|system|>", "<|end|>"], "", "<|end|>"),
    "llama3": (llama3_chat_template, LLAMA, "", "<|eot_id|>"),
    "qwen2.5": (qwen2_5_chat_template, QWEN, "\n", "<|im_end|>\n"),
    "qwen3": (qwen3_chat_template, QWEN, "<think>\n\n</think>\n\n", "<|im_end|>\n"),
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_sft_learns_the_messages_whose_loss_is_on(name: str, golden: list[str], sft: Any, tmp_path: Path) -> None:
    """Failing means that outcomes are learnt, a move is not, or the model does not learn to stop."""
    rows = load_dataset("parquet", data_files=golden, split="train", cache_dir=str(tmp_path))
    template, marks, before, end = TEMPLATES[name]
    tokenizer = sft_tokenizer(sft, rows, template or sft.TEMPLATE, marks)
    if name == "llama3":
        tokenizer.bos_token = marks[0]
    trainer = train_on(rows, sft, tokenizer, tmp_path / "out", assistant_only_loss=True, max_length=None)
    assert all_learnt(trainer, tokenizer) == meant(rows, before, end)
    assert len(trainer.batches) == 5


def test_sft_learns_nothing_else(golden: list[str], sft: Any, tmp_path: Path) -> None:
    """Failing means that labels are right and the loss is not: it is that of the learnt tokens alone, and weights follow it."""
    rows = load_dataset("parquet", data_files=golden, split="train", cache_dir=str(tmp_path))
    tokenizer = sft_tokenizer(sft, rows, sft.TEMPLATE, ["<|system|>", "<|end|>"])
    trainer = train_on(rows, sft, tokenizer, tmp_path / "out", assistant_only_loss=True, max_length=None)
    set_seed(0)
    model = sft.small_model(tokenizer)  # as it was before
    tokens, labels, reported = trainer.batches[0]
    with torch.no_grad():
        scores = model(input_ids=tokens).logits.log_softmax(-1)
    own = [-float(scores[b, i - 1, tokens[b, i]]) for b, i in (labels != -100).nonzero().tolist()]
    assert abs(sum(own) / len(own) - reported) < 1e-4
    assert not torch.equal(model.lm_head.weight, trainer.model.lm_head.weight)
    losses = [float(line["loss"]) for line in trainer.state.log_history if "loss" in line]
    assert len(losses) == 5 and losses[-1] < losses[0]


def test_sft_by_spans(golden: list[str], sft: Any, tmp_path: Path) -> None:
    """Failing means that the lines of the documentation learn something else than the spans, or another text."""
    rows = load_dataset("parquet", data_files=golden, split="train", cache_dir=str(tmp_path))
    tokenizer = sft.small_tokenizer({"prompt": rows["messages"]})
    assert "<|system|>" not in tokenizer.get_vocab()  # tokens at the edges of a message could be joined
    made = rows.map(lambda row: sft.labelled(row, tokenizer), remove_columns=rows.column_names)
    trainer = train_on(made, sft, tokenizer, tmp_path / "out", max_length=None)
    assert all_learnt(trainer, tokenizer) == meant(rows, "", "<|end|>")
    texts = sorted(conversation(row["messages"]).removesuffix("\n") for row in rows)
    assert sorted(tokenizer.decode(ids) for ids in made["input_ids"]) == texts


def test_conversations_are_cut_off_unless_told_otherwise(golden: list[str], sft: Any, tmp_path: Path) -> None:
    """Failing means that the documentation warns of a default that is gone."""
    rows = load_dataset("parquet", data_files=golden, split="train", cache_dir=str(tmp_path))
    tokenizer = sft_tokenizer(sft, rows, sft.TEMPLATE, ["<|system|>", "<|end|>"])
    cut = train_on(rows, sft, tokenizer, tmp_path / "out", assistant_only_loss=True)
    assert max(tokens.shape[1] for tokens, _, _ in cut.batches) == 1024
    assert all_learnt(cut, tokenizer) != meant(rows, "", "<|end|>")


def test_the_documentation_has_the_example_s_lines(golden: list[str], sft: Any) -> None:
    """Failing means that a reader is given other lines than those that are tested."""
    lines = getsource(sft.labelled)
    body = lines.split("\n", 1)[1]
    docs = Path(__file__).parents[2] / "docs" / "trajectories.md"
    for text in (docs.read_text(), (Path(golden[0]).parents[1] / "README.md").read_text()):
        assert "def labelled(row, tokenizer):\n" + body in text


def test_a_process_reward_model_learns_the_label_of_each_step(release: Path, prm: Any, tmp_path: Path) -> None:
    """Failing means that labels stand on other tokens than the ends of their steps, or that the columns cannot be trained on."""
    torch.set_num_threads(1)
    how = Options("process", wrong_suppositions=100)
    export(open_release(release), "sft", tmp_path / "exported", ["train"], reasoning=how)
    rows = load(tmp_path / "exported", "train", tmp_path)
    tokenizer = prm.small_tokenizer({"prompt": [[{"content": text}] for text in rows["prompt"]]})
    assert {label for row in rows for label in row["labels"]} == {True, False}
    for row in rows:
        made = prm.labelled(row, tokenizer, 10**6)
        ends = [i + 1 for i, label in enumerate(made["labels"]) if label != -100]
        assert [bool(made["labels"][end - 1]) for end in ends] == row["labels"]
        begins = [len(tokenizer.encode(row["prompt"] + "\n", add_special_tokens=False)), *ends]
        steps = [tokenizer.decode(made["input_ids"][begin:end]) for begin, end in zip(begins, ends, strict=False)]
        assert steps == [f"{step}\n" for step in row["completions"]] and ends[-1] == len(made["input_ids"])
        assert [len(made[name]) for name in made] == [len(made["input_ids"])] * 2
        assert {len(each) for each in prm.labelled(row, tokenizer, 100).values()} == {100}
    trainer = prm.main([str(tmp_path / "exported" / "train.parquet"), "--out", str(tmp_path / "out"), "--longest", "1000"])
    losses = [float(line["loss"]) for line in trainer.state.log_history if "loss" in line]
    assert len(losses) == 2 and all(0 < loss < 10 for loss in losses)
