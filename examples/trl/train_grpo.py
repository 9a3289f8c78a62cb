"""GRPO on exported puzzles.

Without --model: a small model of random weights and a tokenizer made from the prompts, so that every part of a run can be seen on
a CPU, in a minute, without a network. It learns nothing in two steps. With --model NAME: that model, for a run that does.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from datasets import Dataset, load_dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed
from trl import GRPOConfig, GRPOTrainer

TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>{{ message['content'] }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def small_tokenizer(rows: Dataset) -> PreTrainedTokenizerFast:
    """A byte-level BPE of 600 tokens, trained on the prompts."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|end|>", "<|user|>", "<|assistant|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    texts = [message["content"] for prompt in rows["prompt"] for message in prompt]
    trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=special, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|end|>", pad_token="<|end|>", chat_template=TEMPLATE, padding_side="left"
    )


def small_model(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """Two layers of random weights."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=4096,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    return LlamaForCausalLM(config)


def main(argv: list[str] | None = None) -> list[dict[str, Any]]:
    """Train; returns what the trainer logged."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what `puzzlemill export --to trl` wrote")
    parser.add_argument("--split", default="train")
    parser.add_argument("--model", help="a model to train (a small one of random weights)")
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--generations", type=int, default=2, help="replies per prompt")
    parser.add_argument("--length", type=int, default=16, help="most tokens of a reply")
    parser.add_argument("--out", type=Path, default=Path("out/grpo"))
    options = parser.parse_args(argv)

    sys.path.insert(0, str(options.folder))
    from reward import reward  # the one that was exported with the rows

    set_seed(0)
    cache = str(options.out / "cache")
    rows = load_dataset("parquet", data_files=str(options.folder / f"{options.split}.parquet"), split="train", cache_dir=cache)
    tokenizer = None if options.model else small_tokenizer(rows)
    trainer = GRPOTrainer(
        model=options.model or small_model(tokenizer),
        processing_class=tokenizer,
        reward_funcs=reward,
        train_dataset=rows,
        args=GRPOConfig(
            output_dir=str(options.out),
            max_steps=options.steps,
            per_device_train_batch_size=options.generations,
            num_generations=options.generations,
            max_completion_length=options.length,
            use_cpu=options.model is None,
            bf16=options.model is not None,
            gradient_checkpointing=False,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
        ),
    )
    trainer.train()
    for line in trainer.state.log_history:
        if "reward" in line:
            print(f"step {line['step']}: loss {line['loss']:.4f}, reward {line['reward']:.3f}")
    return list(trainer.state.log_history)


if __name__ == "__main__":
    main()
