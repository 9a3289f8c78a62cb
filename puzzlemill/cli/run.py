"""`puzzlemill run`: ask a model for replies to a release, or let a player play its dialogues."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any

from puzzlemill.cli.output import tokens
from puzzlemill.cli.progress import Bar
from puzzlemill.cli.stopping import interrupted
from puzzlemill.core.errors import BadParams
from puzzlemill.envs import run as replies
from puzzlemill.envs.endpoint import Address
from puzzlemill.envs.fewshot import examples_of
from puzzlemill.envs.judging import open_rows
from puzzlemill.kumo.authors import prompts_of

_MOST_SYSTEM = 1 << 20  # bytes of a file with a system message


def run(options: argparse.Namespace) -> int:
    samples = (1 if options.player else 4) if options.samples is None else options.samples
    choice = replies.Choice(samples, "" if options.split == "all" else options.split, options.family, options.limit)
    if options.player:
        _no_endpoint(options)
        with Bar("dialogues") as bar:
            release, show = open_rows(options.dir), _Shown(bar, "playing").show
            seed = options.seed or 0
            done = replies.play(release, options.out, options.player, choice, seed=seed, clock=time.monotonic, progress=show)
        return _result(done, options)
    for name in ("base_url", "model"):
        if getattr(options, name) is None:
            raise BadParams(f"--{name.replace('_', '-')}: missing; name a model and its endpoint, or a --player")
    settings = replies.Settings(
        model=options.model,
        max_tokens=options.max_tokens,
        temperature=options.temperature,
        top_p=options.top_p,
        seed=options.seed,
        reasoning_effort=options.reasoning_effort,
        reasoning_budget=options.reasoning_budget,
        server=options.server,
        turns=options.turns,
        answer_call=options.answer_call,
        system=_system(options.system),
        extra_body=json_object(options.extra_body),
        mitigation=options.mitigation,
    )
    with Bar("replies") as bar:
        release, show = open_rows(options.dir), _Shown(bar, "asking").show
        few = options.few_shot, options.few_shot_tokens, options.few_shot_from, options.few_shot_reflection
        examples = examples_of(release, *few)
        try:
            done = replies.run(
                release,
                options.out,
                settings,
                choice,
                address(options),
                prompts=None if options.books is None else prompts_of(options.books, release),
                examples=examples,
                concurrency=options.concurrency,
                clock=time.monotonic,
                progress=show,
            )
        except KeyboardInterrupt:
            bar.__exit__()
            return interrupted(f"the same command goes on where this one stopped: {options.out}")
    if examples is not None:
        print(examples.summary())
    return _result(done, options)


def address(options: argparse.Namespace) -> Address:
    """The endpoint that a command names, with the key from the environment."""
    key = os.environ.get(options.api_key_env, "").strip()
    return Address(options.base_url, key, options.timeout, options.retries, environment=True)


def _no_endpoint(options: argparse.Namespace) -> None:
    """Raise BadParams for options that a player would not read."""
    for name, without in (
        ("base_url", None),
        ("model", None),
        ("books", None),
        ("few_shot", 0),
        ("few_shot_reflection", False),
        ("turns", 1),
        ("system", ""),
        ("answer_call", ""),
        ("mitigation", "plain"),
        ("temperature", None),
    ):
        if getattr(options, name) != without:
            raise BadParams(f"--{name.replace('_', '-')}: a player asks no model; leave it out, or leave out --player")


def _result(done: replies.Done, options: argparse.Namespace) -> int:
    """Print what a run came to and the command that scores it; the exit code."""
    out = options.out
    calls = f", {done.calls} calls" if done.calls > done.now else ""
    print(f"{done.before + done.now} of {done.wanted} replies in {out}{calls}{tokens(done.usage)}")
    if done.passed_over:
        print(f"{done.passed_over} dialogues were passed over: {done.why}", file=sys.stderr)
    if not done.missing:
        print(f"next: {_next(options)}")
        return 0
    if done.stopped:
        print(f"stopped {done.stopped}", file=sys.stderr)
    print(
        f"{done.missing} replies are missing; {done.errors} errors, the last: {done.last}\n"
        f"see {replies.companion(out, '.errors.jsonl')}; the same command asks for them again",
        file=sys.stderr,
    )
    return 1


def _next(options: argparse.Namespace) -> str:
    """The command that goes on with the replies; after a run of few rows it leaves out the others, which would count as wrong."""
    out = str(options.out)
    if options.mitigation == "program-of-thought":
        return shlex.join(["puzzlemill", "programs", out, "--folder", str(options.out.with_suffix(""))])
    few = [options.limit, options.family, options.books, options.player]
    answered = ["--answered"] if any(few) else []
    return shlex.join(["puzzlemill", "score", str(options.dir), out, *answered]) + "; `report` in place of `score` makes a page"


class _Shown:
    """The progress of a run in a bar. doing: "asking" or "playing"."""

    def __init__(self, bar: Bar, doing: str) -> None:
        self.bar, self.doing = bar, doing

    def show(self, done: replies.Done) -> None:
        errors = f", {done.errors} errors" if done.errors else ""
        self.bar.show(done.before + done.now, done.wanted, f"{self.doing}{errors}")


def _system(given: str) -> str:
    """The text, or that of the file of this name."""
    if not given or len(given) > 255 or "\n" in given or not Path(given).is_file():
        return given
    try:
        with Path(given).open("rb") as file:
            raw = file.read(_MOST_SYSTEM + 1)
        if len(raw) <= _MOST_SYSTEM:
            return raw.decode()
    except (OSError, ValueError) as error:
        raise BadParams(f"--system: {given} cannot be read ({type(error).__name__})") from None
    raise BadParams(f"--system: {given} has more than {_MOST_SYSTEM} bytes")


def json_object(given: str) -> dict[str, Any]:
    try:
        found = json.loads(given)
        json.dumps(found, allow_nan=False)  # NaN and 1e999 are no JSON: an endpoint would refuse every call
    except (ValueError, RecursionError):
        found = None
    if type(found) is not dict:
        raise BadParams(f"--extra-body: expected a JSON object, such as '{{\"top_k\": 20}}', got {given[:60]!r}")
    return found
