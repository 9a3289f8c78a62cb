"""`puzzlemill trajectories`: games of truth finding played by a search, as conversations to fine-tune on."""

from __future__ import annotations

import argparse
from pathlib import Path

from omegaconf import OmegaConf

from puzzlemill.cli.progress import Bar
from puzzlemill.cli.settings import compose
from puzzlemill.core.errors import BadParams
from puzzlemill.factory.read import open_release
from puzzlemill.kumo.trajectories import Plan, write, write_played


def run(options: argparse.Namespace) -> int:
    if options.of is not None:
        return _played(options)
    settings = compose(options.settings, "trajectories")
    if options.cfg:
        print(OmegaConf.to_yaml(settings), end="")
        return 0
    plan, out = Plan.from_plain(settings), _folder(options)
    exclude = [open_release(folder) for folder in options.exclude]
    with Bar("trajectories") as bar:
        made = write(plan, out, options.workers, exclude, lambda name, done, total: bar.show(done, total, name))
    for cell in made["content"]:
        left_out = ", ".join([f"{reason} {times}" for reason, times in cell.get("dropped", {}).items()])
        print(f"{cell['set']}: {cell['split']} {cell['rows']}" + (f"; left out: {left_out}" if left_out else ""))
    print(f"{sum([cell['rows'] for cell in made['content']])} trajectories in {out}")
    return 0


def _played(options: argparse.Namespace) -> int:
    if options.settings or options.exclude:
        raise BadParams("--of: a release's own tasks are played; leave settings and --exclude out")
    out = _folder(options)
    made = write_played(open_release(options.of), out, options.policy, opening=options.opening, reasons=options.reasons)
    counts = [f"{cell['split']} {cell['rows']}" for cell in made["content"]]
    counts += [f"left out: {reason} {times}" for reason, times in made["dropped"].items()]
    print(f"{', '.join(counts)} trajectories in {out}")
    return 0


def _folder(options: argparse.Namespace) -> Path:
    if options.out is None:
        raise BadParams("--out: missing; name the folder to write to")
    out: Path = options.out
    return out
