"""`puzzlemill reveal repo=R version=V`: make blind rows again and check them; publish them with their secret."""

from __future__ import annotations

import argparse
from pathlib import Path

from puzzlemill.cli.output import line
from puzzlemill.cli.progress import Bar
from puzzlemill.cli.release import print_outcome
from puzzlemill.cli.store import flag, number, secret_in, secrets_in, split_settings, store_of
from puzzlemill.core.errors import BadParams
from puzzlemill.publish.reveal import reveal

TEXTS = ("repo", "version", "secret", "secrets", "out", "workers", "dry_run")


def run(options: argparse.Namespace) -> int:
    texts, others = split_settings(options.settings, TEXTS)
    if others:
        raise BadParams(f"{others[0].partition('=')[0]}: there is no such setting here; known: {', '.join(TEXTS)}")
    version = texts.get("version", "")
    if not version:
        raise BadParams("version: missing; name a release with blind rows, as its card names it: version=2026-12-1a2b3c4d")
    dry_run, workers = flag(texts.get("dry_run", True), "dry_run"), number(texts, "workers", 2)
    store = store_of(texts.get("repo", ""))
    with Bar("groups") as bar:
        outcome = reveal(
            store,
            version,
            Path(texts.get("out") or "out/revealed").expanduser(),
            secret=secret_in(texts.get("secret", "")),
            secrets=secrets_in(texts.get("secrets", "")),
            workers=workers,
            dry_run=dry_run,
            show=line,
            progress=lambda event: bar.show(event.done, event.total, f"{event.family} {event.split}"),
        )
    print_outcome(outcome, store, "reveal")
    return 0
