"""`puzzlemill export`: write a release in the form that a training or evaluation tool reads."""

from __future__ import annotations

import argparse

from puzzlemill.envs.export import DIALOGUES, export
from puzzlemill.envs.fewshot import examples_of
from puzzlemill.factory.read import open_release
from puzzlemill.factory.reasoning import Options


def run(options: argparse.Namespace) -> int:
    how = Options(options.form or "", options.trace_tokens, options.wrong_suppositions)
    chosen = options.split, options.reply_format, options.single
    release = open_release(options.dir)
    examples = examples_of(release, options.few_shot, options.few_shot_tokens, options.few_shot_from)
    found = export(release, options.to, options.out, *chosen, how, examples)
    print(f"{_counted(found.rows)} in {options.out}")
    if examples is not None:
        print(examples.summary())
    if found.dialogues:
        why = "as asked" if options.to in DIALOGUES else f"{options.to} takes single replies, {' and '.join(DIALOGUES)} play them"
        print(f"dialogues left out: {_counted(found.dialogues)} ({why})")
    return 0


def _counted(rows: dict[str, int]) -> str:
    return ", ".join(f"{split} {count} rows" for split, count in rows.items())
