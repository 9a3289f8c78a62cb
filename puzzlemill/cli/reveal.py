"""`puzzlemill reveal repo=R version=V`: make blind rows again and check them; publish them with their secret."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from puzzlemill.cli.progress import Bar
from puzzlemill.cli.release import print_outcome
from puzzlemill.cli.store import flag, number, secrets_in, split_settings, store_of
from puzzlemill.core.errors import BadParams

TEXTS = ("repo", "version", "secret", "secrets", "out", "workers", "dry_run")


def add(commands: Any) -> None:
    command = commands.add_parser("reveal", help="make the blind rows of a release again, check them, and publish them")
    command.add_argument(
        "settings", metavar="NAME=VALUE", nargs="+", help="repo=, version=, secret=, out=, workers=, dry_run=false"
    )
    command.set_defaults(run=run, resumes=True)


def run(options: argparse.Namespace) -> int:
    texts, others = split_settings(options.settings, TEXTS)
    if others:
        raise BadParams(f"{others[0].partition('=')[0]}: there is no such setting here; known: {', '.join(TEXTS)}")
    version = texts.get("version", "")
    if not version:
        raise BadParams("version: missing; name a release with blind rows, as its card tells it: version=2026-12-1a2b3c4d")
    dry_run, workers = flag(texts, "dry_run", usual=True), number(texts, "workers", 2)
    store = store_of(texts.get("repo", ""))

    from puzzlemill.publish.reveal import reveal
    from puzzlemill.publish.secret import read_secret

    with Bar("groups") as bar:
        outcome = reveal(
            store,
            version,
            Path(texts.get("out") or "out/revealed").expanduser(),
            secret=read_secret(Path(texts["secret"]).expanduser()) if texts.get("secret") else None,
            secrets=secrets_in(texts.get("secrets", "")),
            workers=workers,
            dry_run=dry_run,
            tell=lambda line: print(line, flush=True),
            progress=lambda event: bar.show(event.done, event.total, f"{event.family} {event.split}"),
        )
    print_outcome(outcome, store, "reveal")
    return 0
