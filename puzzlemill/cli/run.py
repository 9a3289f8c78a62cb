"""`puzzlemill run`: ask a model for replies to a release, or let a player play its dialogues."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from puzzlemill.cli.progress import Bar
from puzzlemill.core.errors import BadParams

if TYPE_CHECKING:
    from puzzlemill.envs.run import Done

_MOST_SYSTEM = 1 << 20  # bytes of a file with a system message


def add(commands: Any) -> None:
    command = commands.add_parser("run", help="ask a model for replies, over HTTP", description=__doc__)
    command.add_argument("folder", metavar="DIR", type=Path, help="a release")
    command.add_argument("--base-url", metavar="URL", help="of a chat-completions API: http://localhost:8000/v1")
    command.add_argument("--model", metavar="NAME", help="as the endpoint names it")
    command.add_argument(
        "--player",
        default="",
        metavar="NAME",
        help="in place of a model: random, greedy, optimal or kumo_compat plays the rows that are dialogues",
    )
    command.add_argument("--out", required=True, metavar="FILE", type=Path, help="JSON lines; the same command goes on with it")
    which = command.add_argument_group("what is asked")
    which.add_argument("--samples", type=int, metavar="N", help="replies to each row (4; 1 of a player)")
    which.add_argument("--split", default="test", metavar="SPLIT", help="train, validation, test or all (test)")
    which.add_argument("--family", default="", metavar="F", help="one family only")
    which.add_argument("--limit", type=int, default=0, metavar="N", help="the first N groups of each family and split")
    which.add_argument(
        "--books", metavar="DIR", type=Path, help="the rows that have a book here, with it (`puzzlemill author books` wrote it)"
    )
    how = command.add_argument_group("how (a file holds replies that were asked in one way)")
    how.add_argument("--max-tokens", type=int, metavar="N")
    how.add_argument("--temperature", type=float, metavar="T")
    how.add_argument("--top-p", type=float, metavar="P")
    how.add_argument("--seed", type=int, metavar="N", help="of sample 0; sample k is asked with N + k")
    how.add_argument("--reasoning-effort", default="", metavar="EFFORT", help="minimal, low, medium or high")
    how.add_argument("--reasoning-budget", type=int, metavar="N", help="tokens of thinking")
    how.add_argument(
        "--server", default="vllm", metavar="NAME", help="whose budget field is meant: vllm, sglang, llama.cpp, openrouter"
    )
    how.add_argument(
        "--turns", type=int, default=1, metavar="N", help="replies with feedback on the ones before (1); dialogues have their own"
    )
    how.add_argument(
        "--answer-call",
        nargs="?",
        const="cut",
        default="",
        metavar="WHEN",
        help="ask once more for the answer alone, in the row's JSON schema: cut (after a reply that was cut off) or always",
    )
    how.add_argument("--system", default="", metavar="TEXT|FILE", help="a system message")
    how.add_argument("--extra-body", default="{}", metavar="JSON", help="more fields of every request; null removes one")
    line = command.add_argument_group("the line")
    line.add_argument("--concurrency", type=int, default=8, metavar="N", help="calls at a time (8)")
    line.add_argument("--timeout", type=float, default=1800.0, metavar="S", help="seconds for one call (1800)")
    line.add_argument("--retries", type=int, default=5, metavar="N", help="further tries of a call that failed (5)")
    line.add_argument("--api-key-env", default="OPENAI_API_KEY", metavar="NAME", help="the variable that holds the key")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from puzzlemill.envs.endpoint import Address
    from puzzlemill.envs.run import Choice, Settings, play, run
    from puzzlemill.factory.read import open_release

    samples = (1 if options.player else 4) if options.samples is None else options.samples
    choice = Choice(samples, "" if options.split == "all" else options.split, options.family, options.limit)
    if options.player:
        _no_endpoint(options)
        with Bar("dialogues") as bar:
            release, teller = open_release(options.folder), _Teller(bar)
            seed = options.seed or 0
            done = play(release, options.out, options.player, choice, seed=seed, clock=time.monotonic, progress=teller.tell)
        return _told(done, options.out)
    for name in ("base_url", "model"):
        if getattr(options, name) is None:
            raise BadParams(f"--{name.replace('_', '-')}: missing; name a model and its endpoint, or a --player")
    settings = Settings(
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
    )
    key = os.environ.get(options.api_key_env, "").strip()
    address = Address(options.base_url, key, options.timeout, options.retries, environment=True)
    with Bar("replies") as bar:
        release, teller = open_release(options.folder), _Teller(bar)
        prompts = None
        if options.books is not None:
            from puzzlemill.kumo.authors import prompts_of

            prompts = prompts_of(options.books, release)
        try:
            done = run(
                release,
                options.out,
                settings,
                choice,
                address,
                prompts=prompts,
                concurrency=options.concurrency,
                clock=time.monotonic,
                progress=teller.tell,
            )
        except KeyboardInterrupt:
            bar.__exit__()
            print(f"interrupted; the same command goes on where this one stopped: {options.out}", file=sys.stderr)
            return 130
    return _told(done, options.out)


def _no_endpoint(options: argparse.Namespace) -> None:
    """Raises BadParams for what a player would not read."""
    for name, without in (
        ("base_url", None),
        ("model", None),
        ("books", None),
        ("turns", 1),
        ("system", ""),
        ("answer_call", ""),
        ("temperature", None),
    ):
        if getattr(options, name) != without:
            raise BadParams(f"--{name.replace('_', '-')}: a player asks no model; leave it out, or leave out --player")


def _told(done: Done, out: Path) -> int:
    """What a run came to, and the exit code."""
    from puzzlemill.envs.run import beside

    tokens = ", ".join(f"{name} {count}" for name, count in sorted(done.usage.items()))
    print(f"{done.before + done.now} of {done.wanted} replies in {out}" + (f"; tokens: {tokens}" if tokens else ""))
    if done.passed_over:
        print(f"{done.passed_over} dialogues were passed over: {done.why}", file=sys.stderr)
    if not done.missing:
        return 0
    if done.stopped:
        print(f"stopped {done.stopped}", file=sys.stderr)
    print(
        f"{done.missing} replies are missing; {done.errors} errors, the last: {done.last}\n"
        f"see {beside(out, '.errors.jsonl')}; the same command asks for them again",
        file=sys.stderr,
    )
    return 1


class _Teller:
    """Progress: in a bar, or a line for every tenth."""

    def __init__(self, bar: Bar) -> None:
        self.bar, self.tenth = bar, -1

    def tell(self, done: Done) -> None:
        there = done.before + done.now
        errors = f", {done.errors} errors" if done.errors else ""
        self.bar.show(there, done.wanted, f"asking{errors}")
        tenth = 10 * (there + done.errors) // max(1, done.wanted)
        if self.bar.bar is None and tenth > self.tenth:
            print(f"{there} of {done.wanted} replies{errors}", file=sys.stderr, flush=True)
        self.tenth = max(self.tenth, tenth)


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
    import json

    try:
        found = json.loads(given)
        json.dumps(found, allow_nan=False)  # NaN and 1e999 are no JSON: an endpoint would refuse every call
    except (ValueError, RecursionError):
        found = None
    if type(found) is not dict:
        raise BadParams(f"--extra-body: expected a JSON object, such as '{{\"top_k\": 20}}', got {given[:60]!r}")
    return found
