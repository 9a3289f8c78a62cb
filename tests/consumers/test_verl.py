"""verl: its dataset class, its loader of reward functions and its reward manager on exported rows, on a CPU."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verl", reason="needs verl: pip install 'puzzlemill[verl]'")

import numpy as np
import torch
import verl
from hydra import compose, initialize_config_dir
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from verl import DataProto
from verl.trainer.ppo.reward import load_reward_manager
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn

from puzzlemill.envs.export import export
from puzzlemill.factory.read import open_release

EXAMPLE = Path(__file__).parents[2] / "examples" / "verl" / "README.md"
TEMPLATE = "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{% endfor %}<|assistant|>"
Judge = Callable[[list[tuple[dict[str, Any], str]]], list[float]]
pytestmark = pytest.mark.filterwarnings("default")  # what verl, ray and torch say of each other is not ours


@pytest.fixture(scope="module")
def exported(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("verl") / "out"
    export(open_release(release), "verl", out)
    return out


@pytest.fixture(scope="module")
def tokenizer() -> PreTrainedTokenizerFast:
    """One token per byte."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    names = [*alphabet, "<|end|>"]
    made = Tokenizer(models.BPE(vocab={name: i for i, name in enumerate(names)}, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token="<|end|>", pad_token="<|end|>", chat_template=TEMPLATE)


@pytest.fixture(scope="module")
def config(exported: Path) -> Any:
    """verl's own configuration with the lines of the example's README."""
    block = EXAMPLE.read_text().split("main_ppo")[1].split("```")[0].replace("\\\n", " ")
    lines = [line.replace("out/verl", str(exported)) for line in shlex.split(block) if line.startswith(("data.", "reward."))]
    assert {line.split("=")[0] for line in lines} >= {"data.train_files", "data.val_files", "reward.custom_reward_function.path"}
    with initialize_config_dir(str(Path(verl.__file__).parent / "trainer" / "config"), version_base=None):
        return compose("ppo_trainer", overrides=lines)


@pytest.fixture
def sys_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """reward.py puts scorer.zip on sys.path; other tests go without."""
    monkeypatch.setattr(sys, "path", list(sys.path))


def test_the_example_runs_as_its_readme_says(readme_lines: Callable[[Path], list[str]]) -> None:
    """Failing means that the first thing a user tries does not work. The training command itself needs GPUs; its settings are
    checked below."""
    printed = readme_lines(EXAMPLE)[-1].splitlines()
    assert [line.split()[0] for line in printed] == ["nothing", "no", "status"]
    assert "1.0" not in printed[0] and "1.0" in printed[1]


def dataset(config: Any, files: str, tokenizer: Any, cache: Path, monkeypatch: pytest.MonkeyPatch) -> RLHFDataset:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", cache)
    return RLHFDataset([files], tokenizer, config.data)


def test_its_dataset_reads_every_row(
    exported: Path,
    config: Any,
    rows: list[dict[str, Any]],
    tokenizer: PreTrainedTokenizerFast,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Failing means that rows get lost or come out otherwise on their way into a batch."""
    for split, files in (("train", config.data.train_files), ("test", config.data.val_files)):
        data = dataset(config, files, tokenizer, tmp_path, monkeypatch)
        wanted = [row for row in rows if row["split"] == split]
        assert len(data) == len(wanted)
        for i, row in enumerate(wanted):
            item = data[i]
            assert item["raw_prompt"] == [{"role": "user", "content": row["prompt"]}]
            assert item["data_source"] == f"puzzlemill/{row['family']}"
            assert item["index"] == i
            assert item["extra_info"]["id"] == row["id"]
        batch = DataProto.from_single_dict(collate_fn([data[i] for i in range(4)]))
        assert [truth["style"] for truth in batch.non_tensor_batch["reward_model"]] == ["rule"] * 4


def test_its_reward_manager_pays_gold_and_no_guess(
    config: Any,
    rows: list[dict[str, Any]],
    tokenizer: PreTrainedTokenizerFast,
    pays_no_guess: Callable[[Judge], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    sys_path: None,
) -> None:
    """Failing means that training rewards something else than right answers."""
    have = {}
    for files in (config.data.train_files, config.data.val_files):
        data = dataset(config, files, tokenizer, tmp_path, monkeypatch)
        have |= {item["extra_info"]["id"]: item for item in (data[i] for i in range(len(data)))}
    assert set(have) == {row["id"] for row in rows}

    async def earned(pairs: list[tuple[dict[str, Any], str]]) -> list[dict[str, Any]]:
        manager = load_reward_manager(config, tokenizer)
        return [await manager.run_single(batch(have[row["id"]], text)) for row, text in pairs]

    def batch(item: dict[str, Any], text: str) -> DataProto:
        """What the rollout of one reply hands on, padded by two tokens."""
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        end = tokenizer.eos_token_id
        return DataProto.from_dict(
            tensors={
                "prompts": torch.tensor([[0, 0]]),
                "responses": torch.tensor([[*ids, end, end, end]]),
                "attention_mask": torch.tensor([[1, 1, *[1] * len(ids), 1, 0, 0]]),
            },
            non_tensors={name: np.array([item[name]], dtype=object) for name in ("data_source", "reward_model", "extra_info")},
        )

    def judge(pairs: list[tuple[dict[str, Any], str]]) -> list[float]:
        # replies of 100,000 and more tokens are the scorer's business; here each goes through a tokenizer
        results = asyncio.run(earned([(row, text) for row, text in pairs if len(text) < 20_000]))
        assert all(result["reward_extra_info"]["acc"] == result["reward_score"] for result in results)
        return [result["reward_score"] for result in results]

    pays_no_guess(judge)
    gold = asyncio.run(earned([(rows[0], rows[0]["gold_reply"])]))[0]
    assert gold["reward_extra_info"] == {"score": 1.0, "acc": 1.0, "subtask": 1.0, "readable": 1.0, "claims_unsolvable": 0.0}
