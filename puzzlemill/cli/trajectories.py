"""`puzzlemill trajectories`: games of truth finding played by a search, as conversations to fine-tune on."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadParams


def add(commands: Any) -> None:
    command = commands.add_parser(
        "trajectories", help="truth-finding games played by a search, to fine-tune on", description=_HELP
    )
    command.add_argument(
        "settings", metavar="SETTING", nargs="*", help="golden=NAME for a whole experiment, sets.NAME.truths=12 and so on"
    )
    command.add_argument("--out", metavar="FOLDER", type=Path, help="where to write")
    command.add_argument("--workers", type=int, default=1, metavar="N", help="processes; they change nothing but the time (1)")
    command.add_argument(
        "--apart",
        metavar="DIR",
        type=Path,
        action="append",
        default=[],
        help="a release of which no task may come again; or more",
    )
    command.add_argument("--of", metavar="DIR", type=Path, help="a release: play its dialogues instead of dealing tasks")
    command.add_argument(
        "--policy", default="optimal", metavar="NAME", help="with --of: optimal, kumo_compat or greedy (optimal)"
    )
    command.add_argument("--opening", default="user", metavar="ROLE", help="with --of: whose message the prompt is (user)")
    command.add_argument("--reasons", action="store_true", help="with --of: moves with what is ruled out and what is left")
    command.add_argument("--cfg", action="store_true", help="print what the settings compose to, and make nothing")
    command.set_defaults(run=run)


_HELP = """Deal tasks of truth finding, play them by a search, and write the games as conversations (docs/trajectories.md).
Settings are name=value; without any, 1050 small tasks of one domain. With --of DIR a release's dialogues are played instead."""


def run(options: argparse.Namespace) -> int:
    if options.of is not None:
        return _played(options)
    from puzzlemill.cli.settings import compose

    settings = compose(options.settings, "trajectories")
    if options.cfg:
        from omegaconf import OmegaConf

        print(OmegaConf.to_yaml(settings), end="")
        return 0
    from puzzlemill.cli.progress import Bar
    from puzzlemill.factory.read import open_release
    from puzzlemill.kumo.trajectories import Plan, write

    plan, out = Plan.from_plain(settings), _folder(options)
    apart = [open_release(folder) for folder in options.apart]
    with Bar("trajectories") as bar:
        made = write(plan, out, options.workers, apart, lambda name, done, total: bar.show(done, total, name))
    for cell in made["content"]:
        left_out = ", ".join([f"{reason} {times}" for reason, times in cell.get("dropped", {}).items()])
        print(f"{cell['set']}: {cell['split']} {cell['rows']}" + (f"; left out: {left_out}" if left_out else ""))
    print(f"{sum([cell['rows'] for cell in made['content']])} trajectories in {out}")
    return 0


def _played(options: argparse.Namespace) -> int:
    from puzzlemill.factory.read import open_release
    from puzzlemill.kumo.trajectories import write_played

    if options.settings or options.apart:
        raise BadParams("--of: a release's own tasks are played; leave settings and --apart out")
    out = _folder(options)
    made = write_played(open_release(options.of), out, options.policy, opening=options.opening, reasons=options.reasons)
    told = [f"{cell['split']} {cell['rows']}" for cell in made["content"]]
    told += [f"left out: {reason} {times}" for reason, times in made["dropped"].items()]
    print(f"{', '.join(told)} trajectories in {out}")
    return 0


def _folder(options: argparse.Namespace) -> Path:
    if options.out is None:
        raise BadParams("--out: missing; name the folder to write to")
    out: Path = options.out
    return out
