"""Training a process reward model on worked replies as labelled steps.

After every step stands a separator, and on its token the model learns whether the step is right: transformers' Trainer and a
model that labels tokens are all that this takes. (TRL had a trainer for the same columns up to 1.13: trl.experimental.prm.)
Without --model: a small model of random weights, on a CPU, in a minute, without a network. With --model NAME: that model.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from datasets import load_dataset
from transformers import (
    AutoModelForTokenClassification,
    AutoTokenizer,
    DataCollatorForTokenClassification,
    LlamaForTokenClassification,
    PreTrainedTokenizerBase,
    Trainer,
    TrainingArguments,
    set_seed,
)

sys.path.append(str(Path(__file__).parent))
from train_grpo import small_model, small_tokenizer

SEPARATOR = "\n"


def labelled(row: dict[str, Any], tokenizer: PreTrainedTokenizerBase, longest: int) -> dict[str, list[int]]:
    """The row's tokens; the label of a step is on the last token of the separator after it, and all other tokens have none."""
    ids = tokenizer.encode(f"{row['prompt']}{SEPARATOR}", add_special_tokens=False)
    labels = [-100] * len(ids)
    for step, right in zip(row["completions"], row["labels"], strict=True):
        own = tokenizer.encode(step, add_special_tokens=False) + tokenizer.encode(SEPARATOR, add_special_tokens=False)
        ids += own
        labels += [-100] * (len(own) - 1) + [int(right)]
    return {"input_ids": ids[:longest], "labels": labels[:longest]}


def main(argv: list[str] | None = None) -> Trainer:
    """Train; returns the trainer, with what it logged in state.log_history."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="a file that `puzzlemill export --to sft --form process` wrote: FOLDER/train.parquet")
    parser.add_argument("--model", help="a model to train (a small one of random weights)")
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--batch", type=int, default=2, help="worked replies of a step")
    parser.add_argument("--longest", type=int, default=4096, help="tokens of a row that are read")
    parser.add_argument("--out", type=Path, default=Path("out/prm"))
    options = parser.parse_args(argv)

    set_seed(0)
    rows = load_dataset("parquet", data_files=options.file, split="train", cache_dir=str(options.out / "cache"))
    if options.model:
        tokenizer = AutoTokenizer.from_pretrained(options.model)
        model = AutoModelForTokenClassification.from_pretrained(options.model, num_labels=2)
    else:
        tokenizer = small_tokenizer({"prompt": [[{"content": text}] for text in rows["prompt"]]})
        model = LlamaForTokenClassification(small_model(tokenizer).config)
    trainer = Trainer(
        model=model,
        data_collator=DataCollatorForTokenClassification(tokenizer),
        train_dataset=rows.map(lambda row: labelled(row, tokenizer, options.longest), remove_columns=rows.column_names),
        args=TrainingArguments(
            output_dir=str(options.out),
            max_steps=options.steps,
            per_device_train_batch_size=options.batch,
            use_cpu=options.model is None,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            disable_tqdm=True,
        ),
    )
    trainer.train()
    for line in trainer.state.log_history:
        if "loss" in line:
            print(f"step {line['step']}: loss {float(line['loss']):.4f}")
    return trainer


if __name__ == "__main__":
    main()
