"""`puzzlemill author`: let a language model write domains of the truth-finding game, or books for its tasks."""

from __future__ import annotations

import argparse
import sys

from puzzlemill.cli.output import tokens
from puzzlemill.cli.run import address, json_object
from puzzlemill.factory.read import open_release
from puzzlemill.kumo.authors import Author, Written, tasks_of, write_books, write_domains


def domains(options: argparse.Namespace) -> int:
    author = _author(options, own_exclusions=options.own_exclusions)
    done = write_domains(options.out, options.count, author, address(options), concurrency=options.concurrency)
    return _result(done, f"of {options.count} domains in {options.out}")


def books(options: argparse.Namespace) -> int:
    author = _author(options)
    tasks = tasks_of(open_release(options.dir), "" if options.split == "all" else options.split, options.limit)
    done = write_books(options.out, tasks, author, address(options), register=options.register, concurrency=options.concurrency)
    return _result(done, f"of {len(tasks)} books in {options.out}")


def _author(options: argparse.Namespace, own_exclusions: bool = False) -> Author:
    return Author(
        model=options.model,
        max_tokens=options.max_tokens,
        temperature=options.temperature,
        extra_body=json_object(options.extra_body),
        rounds=options.rounds,
        parts=options.parts,
        own_exclusions=own_exclusions,
    )


def _result(done: Written, what: str) -> int:
    """Print what was written and what is missing; the exit code."""
    print(f"{len(done.kept)} {what}{tokens(done.tokens)}")
    for name, why in sorted(done.failed.items()):
        print(f"missing: {name}: {why}", file=sys.stderr)
    if done.stopped:
        print(f"stopped: {done.stopped}", file=sys.stderr)
    return 1 if done.failed or done.stopped else 0
