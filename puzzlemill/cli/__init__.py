"""The command line: `puzzlemill list|show|play|generate|verify|preview|prove|score|stats`.

Every import of substance is inside the command that needs it, so that `puzzlemill --help` stays quick.
Exit codes: 0 done; 1 verify found problems; 2 the input cannot be used (one line on stderr names the place and the remedy);
130 interrupted. What is not expected keeps its traceback.
"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from puzzlemill.cli.progress import Bar, Progress
from puzzlemill.cli.settings import choices, compose, mapping, named_variant, recipe_of
from puzzlemill.core.errors import BadInput, BadParams
from puzzlemill.core.text import printable

COMMANDS: tuple[str, ...] = (  # modules of this folder with commands of their own: add(subparsers) declares them
    "agreement",
    "audit",
    "author",
    "check",
    "domains",
    "effects",
    "export",
    "graph",
    "release",
    "report",
    "reveal",
    "run",
    "secret",
    "similar",
    "stats",
    "study",
    "trajectories",
)
GENERATE_HELP = """\
Make puzzles, prove them and write a data set.

  puzzlemill generate family=sudoku variant=canonical count=20 word=demo out=DIR
  puzzlemill generate family=binario variant=unsolvable count=100 family.params.rows=6 family.params.cols=10 out=DIR
  puzzlemill generate family=sudoku 'family.params.size=[4,6,9]' 'count={{train:90,test:10}}' out=DIR
  puzzlemill generate release=quick out=DIR workers=4

settings, all of them `name=value` (Hydra overrides; `--cfg` prints what they compose to and makes nothing):
  apart=DIR      a release none of whose puzzles may come again, for recipes that keep apart from another
  domains=PATH   a domain file of your own, or a folder of them, for family.params.domain of kumo (own: all of them)
  out=DIR        where to write; a run that was cut short goes on where it stopped
  workers=N      processes; the result is the same for every number
  release=NAME   {release}
  family=NAME    {family}
  variant=NAME   {variant}
  count=N        groups: a canonical puzzle, and one more row if the variant is another
  split=NAME     train, validation or test
  band=BAND      what the canonical puzzles must grade as: easy, medium or hard
  unsolvable=N   percent of rows without an answer, where the variant is one without
  word=TEXT      puzzles of another word are other puzzles
  family.params.NAME=VALUE    the family's parameters (see `puzzlemill list`); a list takes its values in turn
  proof.NAME=N                what the engines may spend on one question
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parser = _parser()
    options = parser.parse_args(argv)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except BadInput as error:
        print(f"error: {printable(' '.join(str(error).split()))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        remedy = "; the same command goes on where this one stopped" if getattr(options, "resumes", False) else ""
        print(f"interrupted{remedy}", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # the reader went away (`puzzlemill stats DIR | head`); Python would complain once more when it closes stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="puzzlemill", description="Proved puzzles, data sets of them, and their scoring.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("list", help="the puzzle families, their parameters, rules and variants")
    command.add_argument("--json", action="store_true", help="as one JSON object")
    command.set_defaults(run=_list)

    command = commands.add_parser("show", help="make one puzzle and print its prompt")
    command.add_argument("family", metavar="FAMILY")
    command.add_argument("variant", metavar="VARIANT", nargs="?", default="canonical")
    command.add_argument("settings", metavar="NAME=VALUE", nargs="*", help="as for generate: family.params.size=6")
    command.add_argument("--answer", action="store_true", help="print the answer too, as a reply")
    command.add_argument("--word", default="demo", help="puzzles of another word are other puzzles (demo)")
    command.add_argument("--index", type=int, default=0, metavar="N", help="which puzzle of this word (0)")
    command.add_argument("--format", default="json", metavar="FORMAT", help="reply format: json, tags, boxed or table (json)")
    command.set_defaults(run=_show)

    command = commands.add_parser("play", help="solve one puzzle here, in the terminal")
    command.add_argument("family", metavar="FAMILY")
    command.add_argument("variant", metavar="VARIANT", nargs="?", default="canonical")
    command.add_argument("settings", metavar="NAME=VALUE", nargs="*", help="as for generate: family.params.size=6")
    command.add_argument("--word", default="demo", help="puzzles of another word are other puzzles (demo)")
    command.add_argument("--index", type=int, default=0, metavar="N", help="which puzzle of this word (0)")
    command.set_defaults(run=_play)

    command = commands.add_parser("generate", help="make a data set", add_help=False)
    command.add_argument("settings", metavar="NAME=VALUE", nargs="*")
    command.add_argument("--cfg", action="store_true")
    command.add_argument("-h", "--help", action="store_true", dest="explain")
    command.set_defaults(run=_generate, resumes=True)

    command = commands.add_parser(
        "verify", help="check every file and prove every row again; of several, that they share no puzzle"
    )
    command.add_argument("folders", metavar="DIR", type=Path, nargs="+")
    command.add_argument("--engine", metavar="ENGINE", help="sat, smt, kernel or checker (default: the first that can decide)")
    command.add_argument("--workers", type=int, default=2, metavar="N", help="processes (2)")
    command.set_defaults(run=_verify)

    command = commands.add_parser("preview", help="a gallery of a data set: one HTML file with pictures")
    command.add_argument("folder", metavar="DIR", type=Path)
    command.add_argument("--out", metavar="FILE", type=Path, help="where to write it (DIR-preview.html beside the folder)")
    command.add_argument("--rows", type=int, default=6, metavar="N", help="rows of each family and variant (6)")
    command.set_defaults(run=_preview)

    command = commands.add_parser("prove", help="write a row's proof as clauses (DIMACS) and steps (DRAT)")
    command.add_argument("folder", metavar="DIR", type=Path)
    command.add_argument("id", metavar="ID", help="the row's id")
    command.add_argument("--out", type=Path, default=Path(), metavar="FOLDER", help="where to write ID.cnf and ID.drat (.)")
    command.add_argument("--check", action="store_true", help="read the files back and check every step")
    command.set_defaults(run=_prove)

    command = commands.add_parser("score", help='score replies, lines of {"id", "sample", "reply"}')
    command.add_argument("folder", metavar="DIR", type=Path)
    command.add_argument("replies", metavar="REPLIES.JSONL", type=Path)
    command.add_argument("--json", action="store_true", help="as one JSON object")
    command.set_defaults(run=_score)
    for name in COMMANDS:
        import_module(f"puzzlemill.cli.{name}").add(commands)
    return parser


# ---- commands ---------------------------------------------------------------------------------------------------------


def _list(options: argparse.Namespace) -> int:
    from puzzlemill.factory.make import catalogue

    entries = catalogue({name: named_variant(name)["transforms"] for name in choices("variant")})
    if options.json:
        import json

        print(json.dumps(entries, indent=2))
        return 0
    for name, entry in entries.items():
        params = [f"{field}={entry['params'][field]['default']}" for field in entry["params"]]
        print(f"{name}  {entry['title']}, version {entry['version']}")
        print(f"  params    {' '.join(params)}")
        print(f"  rules     {', '.join(entry['rules']) or 'none beside its own'}")
        print(f"  variants  {', '.join(entry['variants'])}")
    return 0


def _generate(options: argparse.Namespace) -> int:
    if options.explain or (not options.settings and not options.cfg):
        known = {
            group: textwrap.fill(what + ", ".join(choices(group)), 90, subsequent_indent=" " * 17)
            for group, what in (("release", "a whole release: "), ("family", ""), ("variant", ""))
        }
        print(GENERATE_HELP.format_map(known), end="", file=sys.stdout if options.explain else sys.stderr)
        return 0 if options.explain else 2
    settings = compose(options.settings)
    if options.cfg:
        from omegaconf import OmegaConf

        print(OmegaConf.to_yaml(settings), end="")
        return 0
    out = settings.get("out", "")
    if type(out) is not str or not out:
        raise BadParams("out: missing; name the folder to write to, as in out=out/demo")
    workers = mapping(settings["executor"], "executor").get("workers")
    if type(workers) is not int:
        raise BadParams(f"workers: expected a number of processes, got {workers!r}")
    from puzzlemill.analysis.tables import text_table
    from puzzlemill.factory.reserved import reserve
    from puzzlemill.factory.run import run

    recipe = recipe_of(settings)
    apart = reserve(recipe, Path(settings["apart"])) if settings.get("apart") else None
    with Bar("groups") as bar:
        summary = run(recipe, Path(out), workers, Progress(recipe, bar).event, apart=apart)
    if summary.reused:
        print(f"{summary.out} holds this release already; nothing was made")
    print(
        text_table(
            ["family", "split", "groups", "rows", "dropped", "difficulty"],
            [
                (cell.family, cell.split, cell.groups, cell.rows, _most(cell.dropped), _bands(dict(cell.bands)))
                for cell in summary.cells
            ],
        )
    )
    print(f"\n{summary.rows} rows in {summary.out}")
    return 0


def _most(dropped: Sequence[tuple[str, int]]) -> str:
    """The three most frequent reasons, and how often there was another; `puzzlemill stats` tells all."""
    from puzzlemill.analysis.tables import counted

    order = sorted(dropped, key=lambda item: (-item[1], item[0]))
    others = sum(times for _, times in order[3:])
    return counted({**dict(order[:3]), **({"others": others} if others else {})}) or "-"


def _bands(bands: Mapping[str, int]) -> str:
    """easy 3, medium 2: in the order of difficulty."""
    order = ("easy", "medium", "hard")
    known = [*order, *sorted(band for band in bands if band not in order)]
    return ", ".join(f"{band} {bands[band]}" for band in known if bands.get(band)) or "-"


def _show(options: argparse.Namespace) -> int:
    row = _one(options, options.format)
    print(row["prompt"])
    if options.answer:
        print(f"\n---- a right reply ({row['status']}) ----\n{row['gold_reply']}")
    return 0


def _one(options: argparse.Namespace, reply_format: str) -> dict[str, Any]:
    """The row that `show` and `play` ask for."""
    from puzzlemill.factory.make import group

    variant, settings = options.variant, list(options.settings)
    if "=" in variant:
        variant, settings = "canonical", [variant, *settings]
    composed = compose([f"family={options.family}", f"variant={variant}", "count=1", *settings])
    recipe = recipe_of({**composed, "word": options.word, "reply_formats": [reply_format]})
    return group(recipe, options.index).rows[-1]


def _play(options: argparse.Namespace) -> int:
    from puzzlemill.envs.terminal import FORMAT, terminal

    def read() -> str | None:
        try:
            return input("> " if sys.stdin.isatty() else "")
        except EOFError:
            return None

    terminal(_one(options, FORMAT), read, print).play()
    return 0


def _preview(options: argparse.Namespace) -> int:
    from puzzlemill.analysis.preview import write_preview
    from puzzlemill.factory.read import open_release

    release = open_release(options.folder)
    out = options.out or options.folder.resolve().with_name(f"{options.folder.resolve().name}-preview.html")
    write_preview(release, out, options.rows)
    print(out)
    return 0


def _verify(options: argparse.Namespace) -> int:
    if len(options.folders) > 1:
        return _verify_apart(options)
    from puzzlemill.factory.verify import verify

    with Bar("rows") as bar:
        report = verify(
            options.folders[0],
            lambda problem: print(problem, flush=True),
            engine=options.engine,
            workers=options.workers,
            progress=lambda done, total: bar.show(done, total, "verifying"),
        )
    print(report)
    return 1 if report.problems else 0


def _verify_apart(options: argparse.Namespace) -> int:
    from puzzlemill.factory.apart import verify_apart

    with Bar("rows") as bar:
        reports, apart = verify_apart(
            options.folders,
            lambda problem: print(problem, flush=True),
            engine=options.engine,
            workers=options.workers,
            progress=lambda done, total: bar.show(done, total, "verifying"),
        )
    for folder, report in zip(options.folders, reports, strict=True):
        print(f"{folder}: {report}")
    print(apart)
    return 1 if apart.shared or any(report.problems for report in reports) else 0


def _prove(options: argparse.Namespace) -> int:
    from puzzlemill.factory.prove import prove_row
    from puzzlemill.factory.read import open_release

    written = prove_row(open_release(options.folder), options.id, options.out)
    print(f"{options.id}: {written.claim}, {written.steps} steps")
    print(f"{written.cnf_sha256}  {written.cnf}\n{written.drat_sha256}  {written.drat}")
    if options.check:
        from puzzlemill.solvers.rup import check_files

        problem = check_files(written.cnf, written.drat)
        print(f"checked: {problem or 'every step follows'}")
        return 1 if problem else 0
    return 0


def _score(options: argparse.Namespace) -> int:
    from puzzlemill.factory.read import open_release, rows
    from puzzlemill.scoring.main import run
    from puzzlemill.scoring.score import COLUMNS

    release = open_release(options.folder)
    return run(lambda: rows(release, COLUMNS), options.replies, options.json)
