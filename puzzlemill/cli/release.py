"""`puzzlemill release recipe=NAME period=P repo=R`: make a release, compare it with all before it, and publish it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from puzzlemill.cli.output import line
from puzzlemill.cli.progress import Bar, Progress
from puzzlemill.cli.settings import compose, mapping, recipe_of, workers_of
from puzzlemill.cli.store import flag, is_folder, secret_in, secrets_in, split_settings, store_of
from puzzlemill.core.errors import BadParams
from puzzlemill.publish.plan import plan
from puzzlemill.publish.release import DRY, PUBLISHED, STANDING, TAGGED, Outcome, Staged, release
from puzzlemill.publish.store import Store

TEXTS = ("recipe", "period", "repo", "out", "secret", "secrets")  # taken as they stand
HUB = ("dry_run", "private", "gated", "blind", "verify_engine")  # conf/hub


def run(options: argparse.Namespace) -> int:
    texts, others = split_settings(options.settings, TEXTS)
    if not texts.get("recipe"):
        raise BadParams("recipe: missing; name one of conf/release, as in recipe=quick")
    period = current_period(texts.get("period", ""), datetime.now(UTC).date())
    settings = compose([f"release={texts['recipe']}", "+hub=default", *map(_of_hub, others)])
    if "exclude" in settings:
        raise BadParams(
            "exclude: a series leaves out what its earlier releases had and nothing else; `puzzlemill generate exclude=DIR` "
            "makes a release apart from another one"
        )
    hub = mapping(settings.pop("hub"), "hub")
    dry_run, private = flag(hub["dry_run"], "dry_run"), flag(hub["private"], "private")
    recipe = recipe_of(settings)
    made = plan(recipe, period, _splits(hub["blind"]))
    store = store_of(texts.get("repo", ""), _word(hub, "gated"))
    with Bar("groups") as bar:
        outcome = release(
            made,
            store,
            Path(texts.get("out") or f"out/releases/{recipe.name}").expanduser(),
            secret=secret_in(texts.get("secret", "")),
            secrets=secrets_in(texts.get("secrets", "")),
            workers=workers_of(settings),
            engine=_word(hub, "verify_engine"),
            private=private,
            dry_run=dry_run,
            show=line,
            progress=Progress(recipe, bar).event,  # of open and blind parts together
        )
    print_outcome(outcome, store, "release")
    return 0


def current_period(text: str, today: date) -> str:
    """The current period for month, week or day; anything else as it stands."""
    if not text:
        raise BadParams("period: missing; name one, as in period=2026-12, or month, week or day for the current one")
    year, week, _ = today.isocalendar()
    return {"month": f"{today:%Y-%m}", "week": f"{year}-w{week:02d}", "day": f"{today:%Y-%m-%d}"}.get(text, text)


def print_outcome(outcome: Outcome, store: Store, what: str) -> None:
    """Print the last lines: what was or would be published, and where."""
    if outcome.state == DRY and outcome.staged is not None:
        print_staged(outcome.staged, store)
        print(f"{outcome.version}: {outcome.rows} rows; dry run, nothing was sent; dry_run=false publishes it in {store.name}")
    elif outcome.state == DRY:
        print(f"{outcome.version}: {outcome.rows} rows; dry run, nothing was sent; dry_run=false sets the tag in {store.name}")
    else:
        tag = outcome.version if what == "release" else f"{outcome.version}-revealed"
        place = f"{store.name}/{tag}" if is_folder(store) else f"{store.name}, revision {tag}"
        done = {STANDING: "published before", TAGGED: "published, the tag set now", PUBLISHED: "published"}[outcome.state]
        print(f"{tag}: {outcome.rows} rows, {done}, in {place}")


def print_staged(staged: Staged, store: Store) -> None:
    print(f"one commit in {store.name}: {staged.message}")
    for path, file in staged.add.items():
        print(f"  + {path}  {file.stat().st_size} bytes")
    for path in staged.delete:
        print(f"  - {path}")
    print(f"  from {staged.folder}")
    publication = staged.manifest["publication"]
    for change in publication["changes"]:
        print(f"  since {publication['previous']}: {change}")


def _of_hub(setting: str) -> str:
    return f"hub.{setting}" if setting.partition("=")[0] in HUB else setting


def _word(hub: Mapping[str, Any], name: str) -> str | None:
    if type(hub[name]) is not str:
        raise BadParams(f"{name}: expected a word or none, got {hub[name]!r}")
    return None if hub[name] == "none" else str(hub[name])


def _splits(blind: Any) -> list[str]:
    splits = [blind] if type(blind) is str else blind
    if type(splits) is not list or any(type(split) is not str for split in splits):
        raise BadParams(f"blind: expected splits, as in blind='[test]', got {blind!r}")
    return splits
