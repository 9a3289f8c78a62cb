"""`puzzlemill author`: let a language model write domains of the truth-finding game, or books for its tasks."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from puzzlemill.envs.endpoint import Address
    from puzzlemill.kumo.authors import Author, Written


def add(commands: Any) -> None:
    command = commands.add_parser(
        "author", help="let a language model write kumo domains, or books for kumo tasks", description=__doc__
    )
    what = command.add_subparsers(dest="what", required=True, metavar="WHAT")
    domains = what.add_parser("domains", help="propose domains and write their files, each one validated")
    domains.add_argument("--count", type=int, default=10, metavar="N", help="domains that the folder is to hold (10)")
    domains.add_argument("--own-exclusions", action="store_true", help="the model also says what each outcome rules out")
    domains.set_defaults(run=_domains)
    books = what.add_parser("books", help="rewrite the rules of a release's kumo rows as books, each one audited")
    books.add_argument("folder", metavar="DIR", type=Path, help="a release")
    books.add_argument("--split", default="test", metavar="SPLIT", help="train, validation, test or all (test)")
    books.add_argument("--limit", type=int, default=0, metavar="N", help="the first N rows")
    books.add_argument("--register", default="guidebook", metavar="NAME", help="guidebook, lab_manual, memo, dialogue or table")
    books.set_defaults(run=_books)
    for each in (domains, books):
        each.add_argument("--base-url", required=True, metavar="URL", help="of a chat-completions API: http://localhost:8000/v1")
        each.add_argument("--model", required=True, metavar="NAME", help="as the endpoint names it")
        each.add_argument("--out", required=True, metavar="DIR", type=Path, help="a folder; the same command goes on with it")
        each.add_argument("--max-tokens", type=int, metavar="N", help="of one call")
        each.add_argument("--temperature", type=float, metavar="T")
        each.add_argument("--extra-body", default="{}", metavar="JSON", help="more fields of every request; null removes one")
        each.add_argument("--rounds", type=int, default=3, metavar="N", help="corrections of a text that is not right (3)")
        each.add_argument("--parts", type=int, default=3, metavar="N", help="continuations of a text that was cut off (3)")
        each.add_argument("--concurrency", type=int, default=4, metavar="N", help="texts at a time (4)")
        each.add_argument("--timeout", type=float, default=1800.0, metavar="S", help="seconds for one call (1800)")
        each.add_argument("--retries", type=int, default=5, metavar="N", help="further tries of a call that failed (5)")
        each.add_argument("--api-key-env", default="OPENAI_API_KEY", metavar="NAME", help="the variable that holds the key")
        each.set_defaults(resumes=True)


def _domains(options: argparse.Namespace) -> int:
    from puzzlemill.kumo.authors import write_domains

    author, address = _asked(options)
    done = write_domains(options.out, options.count, author, address, concurrency=options.concurrency)
    return _told(done, f"of {options.count} domains", options.out)


def _books(options: argparse.Namespace) -> int:
    from puzzlemill.factory.read import open_release
    from puzzlemill.kumo.authors import tasks_of, write_books

    author, address = _asked(options)
    tasks = tasks_of(open_release(options.folder), "" if options.split == "all" else options.split, options.limit)
    done = write_books(options.out, tasks, author, address, register=options.register, concurrency=options.concurrency)
    return _told(done, f"of {len(tasks)} books", options.out)


def _asked(options: argparse.Namespace) -> tuple[Author, Address]:
    from puzzlemill.cli.run import json_object
    from puzzlemill.envs.endpoint import Address
    from puzzlemill.kumo.authors import Author

    author = Author(
        model=options.model,
        max_tokens=options.max_tokens,
        temperature=options.temperature,
        extra_body=json_object(options.extra_body),
        rounds=options.rounds,
        parts=options.parts,
        own_exclusions=getattr(options, "own_exclusions", False),
    )
    key = os.environ.get(options.api_key_env, "").strip()
    return author, Address(options.base_url, key, options.timeout, options.retries, environment=True)


def _told(done: Written, what: str, out: Path) -> int:
    tokens = ", ".join(f"{name} {count}" for name, count in sorted(done.tokens.items()))
    print(f"{len(done.kept)} {what} in {out}" + (f"; tokens: {tokens}" if tokens else ""))
    for name, why in sorted(done.failed.items()):
        print(f"missing: {name}: {why}", file=sys.stderr)
    if done.stopped:
        print(f"stopped: {done.stopped}", file=sys.stderr)
    return 1 if done.failed or done.stopped else 0
