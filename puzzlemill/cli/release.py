"""`puzzlemill release recipe=NAME period=P repo=R`: make a release, compare it with all before it, and publish it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from puzzlemill.cli.progress import Bar, Progress
from puzzlemill.cli.settings import choices, compose, mapping, recipe_of
from puzzlemill.cli.store import is_folder, secrets_in, split_settings, store_of
from puzzlemill.core.errors import BadParams

if TYPE_CHECKING:
    from puzzlemill.publish.release import Outcome, Staged
    from puzzlemill.publish.store import Store

TEXTS = ("recipe", "period", "repo", "out", "secret", "secrets")  # taken as they stand
HUB = ("dry_run", "private", "gated", "blind", "verify_engine")  # conf/hub
HELP = """\
Make a release of a recipe, compare it with all before it, and publish it in one commit with a tag.

  puzzlemill release recipe=quick period=2026-12 repo=./published
  puzzlemill release recipe=quick period=2026-12 repo=./published dry_run=false
  puzzlemill release recipe=quick period=month repo=org/name blind='[test]' secret=december.secret dry_run=false

settings, all of them `name=value`:
  recipe=NAME    {release}
  period=TEXT    2026-12, say; month, week or day: the current one, by the clock in UTC
  repo=FOLDER    a folder that begins with ./ or /, or org/name on the Hub
  dry_run=false  send it; otherwise everything is made and verified, and shown
  out=DIR        where work is kept and gone on with (out/releases/NAME)
  workers=N      processes; the result is the same for every number
  blind=[test]   splits whose rows are kept back; needs a secret of its own
  secret=FILE    as `puzzlemill secret FILE` makes it
  secrets=DIR    a folder with the secrets of earlier blind splits that are not revealed
  private=false  who may read a new repository on the Hub (true: only you)
  gated=auto     or manual: readers of a public repository ask first
  verify_engine=ENGINE  sat, smt, kernel or checker; without it every row is proved by two formulations again
  NAME=VALUE     any setting of `puzzlemill generate`: parts.sudoku.counts.train=100
"""


def add(commands: Any) -> None:
    command = commands.add_parser("release", help="make a release and publish it, in a folder or on the Hub", add_help=False)
    command.add_argument("settings", metavar="NAME=VALUE", nargs="*")
    command.add_argument("-h", "--help", action="store_true", dest="explain")
    command.set_defaults(run=run, resumes=True)


def run(options: argparse.Namespace) -> int:
    if options.explain or not options.settings:
        text = HELP.format(release=", ".join(name for name in choices("release") if name != "single"))
        print(text, end="", file=sys.stdout if options.explain else sys.stderr)
        return 0 if options.explain else 2
    texts, others = split_settings(options.settings, TEXTS)
    if not texts.get("recipe"):
        raise BadParams("recipe: missing; name one of conf/release, as in recipe=quick")
    period = current_period(texts.get("period", ""), datetime.now(UTC).date())
    settings = compose([f"release={texts['recipe']}", "+hub=default", *map(_of_hub, others)])
    hub = mapping(settings.pop("hub"), "hub")
    dry_run, private = _flag(hub, "dry_run"), _flag(hub, "private")
    recipe = recipe_of(settings)

    from puzzlemill.publish.edition import plan
    from puzzlemill.publish.release import release
    from puzzlemill.publish.secret import read_secret

    made = plan(recipe, period, _splits(hub["blind"]))
    store = store_of(texts.get("repo", ""), _word(hub, "gated"))
    with Bar("groups") as bar:
        outcome = release(
            made,
            store,
            Path(texts.get("out") or f"out/releases/{recipe.name}").expanduser(),
            secret=read_secret(Path(texts["secret"]).expanduser()) if texts.get("secret") else None,
            secrets=secrets_in(texts.get("secrets", "")),
            workers=_workers(settings),
            engine=_word(hub, "verify_engine"),
            private=private,
            dry_run=dry_run,
            tell=lambda line: print(line, flush=True),
            progress=Progress(recipe, bar).event,  # of open and blind parts together
        )
    print_outcome(outcome, store, "release")
    return 0


def current_period(text: str, today: date) -> str:
    """month, week or day as the current one; anything else as it stands."""
    if not text:
        raise BadParams("period: missing; name one, as in period=2026-12, or month, week or day for the current one")
    year, week, _ = today.isocalendar()
    return {"month": f"{today:%Y-%m}", "week": f"{year}-w{week:02d}", "day": f"{today:%Y-%m-%d}"}.get(text, text)


def print_outcome(outcome: Outcome, store: Store, what: str) -> None:
    """The last lines: what was or would be published, where."""
    from puzzlemill.publish.release import DRY, PUBLISHED, STANDING, TAGGED

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
    edition = staged.manifest["edition"]
    for change in edition["changes"]:
        print(f"  since {edition['previous']}: {change}")


def _of_hub(setting: str) -> str:
    return f"hub.{setting}" if setting.partition("=")[0] in HUB else setting


def _flag(hub: Mapping[str, Any], name: str) -> bool:
    if type(hub[name]) is not bool:
        raise BadParams(f"{name}: expected true or false, got {hub[name]!r}")
    return bool(hub[name])


def _word(hub: Mapping[str, Any], name: str) -> str | None:
    if type(hub[name]) is not str:
        raise BadParams(f"{name}: expected a word or none, got {hub[name]!r}")
    return None if hub[name] == "none" else str(hub[name])


def _splits(blind: Any) -> list[str]:
    splits = [blind] if type(blind) is str else blind
    if type(splits) is not list or any(type(split) is not str for split in splits):
        raise BadParams(f"blind: expected splits, as in blind='[test]', got {blind!r}")
    return splits


def _workers(settings: Mapping[str, Any]) -> int:
    workers = mapping(settings["executor"], "executor").get("workers")
    if type(workers) is not int:
        raise BadParams(f"workers: expected a number of processes, got {workers!r}")
    return workers
