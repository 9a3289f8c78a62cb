"""Fine-tuning on golden trajectories: only what the assistant says is learnt.

Without --model: a small model of random weights, on a CPU, in a minute, without a network; it shows that rows and trainer fit
together. With --model NAME: that model. Either the model's chat template makes the text, and TRL finds the assistant's turns in
it; or, with --spans, the text is that of the trajectories themselves, and their spans say what is learnt (docs/trajectories.md).
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from datasets import load_dataset
from transformers import AutoTokenizer, PreTrainedTokenizerBase, set_seed
from trl import SFTConfig, SFTTrainer

sys.path.append(str(Path(__file__).parent))
from train_grpo import small_model, small_tokenizer

# what is between {% generation %} and {% endgeneration %} is learnt, the mark at the end of a message too
TEMPLATE = (
    "{% for message in messages %}<|{{ message['role'] }}|>"
    "{% if message['role'] == 'assistant' %}{% generation %}{{ message['content'] }}<|end|>{% endgeneration %}"
    "{% else %}{{ message['content'] }}<|end|>{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def labelled(row: dict[str, Any], tokenizer: PreTrainedTokenizerBase) -> dict[str, list[int]]:
    text = "".join(f"<|{m['role']}|>\n{m['content']}<|end|>\n" for m in row["messages"])
    ids, labels, at = [], [], 0
    for span in row["spans"]:
        given = tokenizer.encode(text[at : span["start"]], add_special_tokens=False)
        learnt = tokenizer.encode(text[span["start"] : span["end"]], add_special_tokens=False)
        ids += given + learnt
        labels += [-100] * len(given) + learnt
        at = span["end"]
    return {"input_ids": ids, "labels": labels}


def main(argv: list[str] | None = None) -> SFTTrainer:
    """Train; returns the trainer, with what it logged in state.log_history."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="a file that `puzzlemill trajectories` wrote: FOLDER/SET/train.parquet")
    parser.add_argument("--spans", action="store_true", help="the trajectories' own text in place of a chat template's")
    parser.add_argument("--model", help="a model to train (a small one of random weights)")
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--batch", type=int, default=2, help="conversations of a step")
    parser.add_argument("--out", type=Path, default=Path("out/sft"))
    options = parser.parse_args(argv)

    set_seed(0)
    rows = load_dataset("parquet", data_files=options.file, split="train", cache_dir=str(options.out / "cache"))
    if options.model:
        tokenizer = AutoTokenizer.from_pretrained(options.model)
    else:
        tokenizer = small_tokenizer({"prompt": rows["messages"]})
        tokenizer.chat_template = TEMPLATE
    if options.spans:
        rows = rows.map(lambda row: labelled(row, tokenizer), remove_columns=rows.column_names)
    trainer = SFTTrainer(
        model=options.model or small_model(tokenizer),
        processing_class=tokenizer,
        train_dataset=rows,
        args=SFTConfig(
            output_dir=str(options.out),
            assistant_only_loss=not options.spans,
            max_length=None,  # or TRL cuts every conversation off after 1,024 tokens
            max_steps=options.steps,
            per_device_train_batch_size=options.batch,
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
        if "loss" in line:
            print(f"step {line['step']}: loss {float(line['loss']):.4f}")
    return trainer


if __name__ == "__main__":
    main()
