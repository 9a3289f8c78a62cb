"""`puzzlemill export`: write a release in the form that a training or evaluation tool reads."""

from __future__ import annotations

import argparse
from dataclasses import replace

from puzzlemill.core.errors import BadParams
from puzzlemill.envs.export import DIALOGUES, export, reasoning_of
from puzzlemill.envs.fewshot import examples_of
from puzzlemill.factory.read import Release, open_release
from puzzlemill.factory.reasoning import Options


def run(options: argparse.Namespace) -> int:
    release, *more = [open_release(folder) for folder in options.dir]
    chosen = options.split, options.reply_format, options.single
    few = options.few_shot, options.few_shot_tokens, options.few_shot_from, options.few_shot_reflection
    examples = examples_of(release, *few)
    found = export(release, options.to, options.out, *chosen, _reasoning(options, release), examples, options.replies, more)
    print(f"{_counted(found.rows)} in {options.out}")
    if found.twice:
        print(f"{found.twice} rows are in several of the releases and were taken once")
    if found.judgements:
        print(f"judgements: {', '.join([f'{count} {sort}' for sort, count in found.judgements.items()])}")
    if examples is not None:
        print(examples.summary())
    if found.dialogues:
        why = "as asked" if options.to in DIALOGUES else f"{options.to} takes single replies, {' and '.join(DIALOGUES)} play them"
        print(f"dialogues left out: {_counted(found.dialogues)} ({why})")
    return 0


def _reasoning(options: argparse.Namespace, release: Release) -> Options | None:
    """How worked replies are put: as the recipe says, but for what the command line does; None if that says nothing."""
    asked = {name: getattr(options, name) for name in ("form", "trace_tokens", "wrong_suppositions")}
    asked = {name: value for name, value in asked.items() if value is not None}
    try:
        return replace(reasoning_of(release), **asked) if asked else None
    except BadParams as error:
        name, _, why = str(error).partition(":")
        raise BadParams(f"--{name.replace('_', '-')}:{why}") from None


def _counted(rows: dict[str, int]) -> str:
    return ", ".join(f"{split} {count} rows" for split, count in rows.items())
