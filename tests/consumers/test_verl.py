"""verl on a CPU: its dataset class, its loader of reward functions and its reward manager on exported rows; its dataset class for
conversations, its collator and its loss on golden trajectories."""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verl", reason="needs verl: pip install 'puzzlemill[verl]'")

import numpy as np
import torch
import verl
from hydra import compose, initialize_config_dir
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed
from verl import DataProto
from verl.trainer.ppo.reward import load_reward_manager
from verl.utils import tensordict_utils
from verl.utils.dataset.dataset_utils import SFTTensorCollator
from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn
from verl.workers.utils.losses import sft_loss

from puzzlemill.envs.export import export
from puzzlemill.factory.read import open_release, parquet

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
    right = dict.fromkeys(("score", "acc", "credit", "subtask", "readable"), 1.0)
    assert gold["reward_extra_info"] == {**right, "claims_unsolvable": 0.0}


# ---- golden trajectories ----------------------------------------------------------------------------------------------

DOCS = Path(__file__).parents[2] / "docs" / "trajectories.md"
START = "<|im_start|>{{ m['role'] }}\n"
ASK = "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
PLAIN = "{% for m in messages %}" + START + "{{ m['content'] }}<|end|>{% endfor %}" + ASK
# as Qwen2.5's: a system message where there is none, and a line end behind each message
SYSTEM = (
    "{% for m in messages %}{% if loop.first and m['role'] != 'system' %}<|im_start|>system\nBe good.<|end|>\n{% endif %}"
    + START
    + "{{ m['content'] }}<|end|>\n{% endfor %}"
    + ASK
)
# as Qwen3's: an empty block of thinking in the last message, if a user's message comes before it
THINKING = (
    "{% for m in messages %}"
    + START
    + "{% if loop.last and m['role'] == 'assistant' and not loop.first %}<think>\n\n</think>\n\n{% endif %}"
    + "{{ m['content'] }}<|end|>\n{% endfor %}"
    + ASK
)


def conversations(golden: list[str], template: str, tokenizer: PreTrainedTokenizerFast, *settings: str) -> MultiTurnSFTDataset:
    """verl's dataset of the files, with its own configuration and the lines of the documentation, except for these settings."""
    block = DOCS.read_text().split("verl.trainer.sft_trainer \\\n")[1].split("```")[0].replace("\\\n", " ")
    lines = shlex.split(block)
    assert [line.split("=")[0] for line in lines] == ["data.train_files", "data.messages_key", "data.max_length", "model.path"]
    with initialize_config_dir(str(Path(verl.__file__).parent / "trainer" / "config"), version_base=None):
        config = compose("sft_trainer_engine", overrides=[*lines, *settings])
    own = copy(tokenizer)
    own.chat_template = template
    return MultiTurnSFTDataset(list(golden), own, config.data)


def trained(data: MultiTurnSFTDataset, tokenizer: PreTrainedTokenizerFast) -> list[list[str]]:
    """The texts that are learnt of each row, each a run of tokens."""
    found = []
    for i in range(len(data)):
        ids, mask = data[i]["input_ids"].tolist(), data[i]["loss_mask"].tolist()
        starts = [j for j in range(len(ids)) if mask[j] and not mask[j - 1]]
        ends = [next((k for k in range(j, len(ids)) if not mask[k]), len(ids)) for j in starts]
        found.append([tokenizer.decode(ids[j:k]) for j, k in zip(starts, ends, strict=True)])
    return found


def meant(golden: list[str], end: str) -> list[list[str]]:
    """The contents of each row's messages whose loss is on, with what a template puts behind them."""
    rows = [row for path in golden for row in parquet(Path(path)).read().to_pylist()]
    assert len(rows) == 20
    return [[m["content"] + end for m, on in zip(row["messages"], row["loss"], strict=True) if on] for row in rows]


@pytest.mark.parametrize(("template", "end"), [(PLAIN, "<|end|>"), (SYSTEM, "<|end|>\n")], ids=["plain", "with_system"])
def test_sft_learns_the_messages_whose_loss_is_on(
    template: str, end: str, golden: list[str], tokenizer: PreTrainedTokenizerFast
) -> None:
    """Failing means that outcomes are learnt, a move is not, or the model does not learn to stop."""
    assert trained(conversations(golden, template, tokenizer), tokenizer) == meant(golden, end)


def test_sft_with_a_template_that_thinks_in_the_last_turn(golden: list[str], tokenizer: PreTrainedTokenizerFast) -> None:
    """Failing means that what the documentation says of such templates is wrong."""
    with pytest.raises(AssertionError, match="ignore_input_ids_mismatch"):
        conversations(golden, THINKING, tokenizer)[0]
    data = conversations(golden, THINKING, tokenizer, "data.ignore_input_ids_mismatch=true")
    assert trained(data, tokenizer) == meant(golden, "<|end|>\n")


def test_sft_with_too_small_a_length(golden: list[str], tokenizer: PreTrainedTokenizerFast) -> None:
    """Failing means that conversations are cut off and nobody is told."""
    with pytest.raises(ValueError, match=r"larger than self\.max_length=1024"):
        conversations(golden, PLAIN, tokenizer, "data.max_length=1024")[0]


def test_sft_steps_follow_the_learnt_tokens(golden: list[str], tokenizer: PreTrainedTokenizerFast) -> None:
    """Failing means that verl's loss is not that of what is to be learnt. Its collator and loss with a model of ours: its engines
    need GPUs."""
    torch.set_num_threads(1)
    set_seed(0)
    data = conversations(golden, PLAIN, tokenizer)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        max_position_embeddings=16384,
        bos_token_id=None,
    )
    model = LlamaForCausalLM(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    losses = []
    for start in (0, 4, 8):
        batch = SFTTensorCollator("no_padding")([data[i] for i in range(start, start + 4)])
        told = tensordict_utils.get_tensordict(
            batch, {"dp_size": 1, "batch_num_tokens": int(batch["loss_mask"].values().sum()), "pad_mode": "no_padding"}
        )
        scores, own = [], []
        for ids, mask in zip(batch["input_ids"].unbind(), batch["loss_mask"].unbind(), strict=True):
            found = model(input_ids=ids[None]).logits[0].log_softmax(-1)
            after = torch.roll(ids, -1)  # verl's engines score each token's successor, the last one's too
            scores.append(found.gather(1, after[:, None])[:, 0])
            own += [float(found[i - 1, ids[i]].detach()) for i in mask.nonzero()[:, 0].tolist()]
        loss, _ = sft_loss(None, {"log_probs": torch.nested.as_nested_tensor(scores, layout=torch.jagged)}, told)
        assert abs(float(loss.detach()) + sum(own) / len(own)) < 1e-4
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0]
