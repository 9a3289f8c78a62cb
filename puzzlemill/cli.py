"""The command line: `puzzlemill list|show|play|generate|verify|preview|prove|score|stats`.

Every import of substance is inside the command that needs it, so that `puzzlemill --help` stays quick.
Exit codes: 0 done; 1 verify found problems; 2 the input cannot be used (one line on stderr names the place and the remedy);
130 interrupted. What is not expected keeps its traceback.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from puzzlemill.core.errors import BadInput, BadParams

if TYPE_CHECKING:
    from puzzlemill.factory.recipe import Recipe
    from puzzlemill.factory.run import Event

CONF = Path(__file__).parent / "conf"
GENERATE_HELP = """\
Make puzzles, prove them and write a data set.

  puzzlemill generate family=sudoku variant=canonical count=20 word=demo out=DIR
  puzzlemill generate family=binario variant=unsolvable count=100 family.params.rows=6 family.params.cols=10 out=DIR
  puzzlemill generate family=sudoku 'family.params.size=[4,6,9]' 'count={{train:90,test:10}}' out=DIR
  puzzlemill generate release=quick out=DIR workers=4

settings, all of them `name=value` (Hydra overrides; `--cfg` prints what they compose to and makes nothing):
  out=DIR        where to write; a run that was cut short goes on where it stopped
  workers=N      processes; the result is the same for every number
  release=NAME   a whole release: {release}
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
        print(f"error: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        remedy = "; the same command goes on where this one stopped" if options.run is _generate else ""
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
    command.set_defaults(run=_generate)

    command = commands.add_parser("verify", help="check every file and prove every row again")
    command.add_argument("folder", metavar="DIR", type=Path)
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

    command = commands.add_parser("stats", help="what is in a data set")
    command.add_argument("folder", metavar="DIR", type=Path)
    command.add_argument("--json", action="store_true", help="as one JSON object")
    command.set_defaults(run=_stats)
    return parser


# ---- settings ---------------------------------------------------------------------------------------------------------


def choices(group: str) -> list[str]:
    """The names of conf/<group>/*.yaml."""
    return sorted(path.stem for path in (CONF / group).glob("*.yaml"))


def compose(settings: Sequence[str]) -> dict[str, Any]:
    """Hydra overrides -> plain dicts, lists, ints and strings. Nothing is resolved, imported or read from outside conf/.

    `out=PATH` and `workers=N` are short for `out` as it stands (a path may hold any character) and executor.workers.
    """
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from hydra.errors import HydraException, MissingConfigException, OverrideParseException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    out: str | None = None
    overrides: list[str] = []
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals and not name.startswith("~"):
            raise BadParams(f"{setting!r} is not a setting; write name=value, for instance family=sudoku")
        if name == "out":
            out = value
        elif re.split(r"[./@]", name.lstrip("+~"), maxsplit=1)[0] == "hydra":
            raise BadParams(f"{setting!r}: settings of Hydra itself are not taken; leave it out")
        else:
            overrides.append(f"executor.workers={value}" if name == "workers" else setting)
    try:
        with initialize_config_dir(str(CONF.resolve()), version_base="1.3"):
            composed = OmegaConf.to_container(hydra_compose("generate", overrides), resolve=False)
    except MissingConfigException as error:
        group, _, name = str(error.missing_cfg_file).rpartition("/")
        raise BadParams(f"unknown {group} {name!r}; known: {', '.join(choices(group))}") from None
    except OverrideParseException as error:
        raise BadParams(
            f"{error.override}: cannot be read; `puzzlemill generate --help` shows how settings are written"
        ) from None
    except (HydraException, OmegaConfBaseException) as error:
        raise BadParams(_one_line(str(error))) from None
    settled: dict[str, Any] = _plain(composed, "")
    if out is not None:
        settled["out"] = out
    return settled


def _one_line(message: str) -> str:
    """The part of a Hydra message that says what is wrong; its advice is for people who write applications."""
    first = message.strip().splitlines()[0]
    if first.startswith("Could not override"):
        return f"{first.rstrip('.')}: there is no such setting here; `puzzlemill generate --cfg` prints those there are"
    return f"{first}; `puzzlemill generate --help` shows how settings are written"


def _plain(value: Any, where: str) -> Any:
    """Refuse what a setting must not hold: interpolations, code to instantiate, floats, bytes, nulls."""
    if type(value) is dict:
        for key in value:
            if type(key) is not str or key.startswith("_") or not key.isascii():
                raise BadParams(f"{where or 'settings'}: the name {key!r} is not taken; names are plain words")
        return {key: _plain(item, f"{where}.{key}" if where else key) for key, item in value.items()}
    if type(value) is list:
        return [_plain(item, f"{where}[{i}]") for i, item in enumerate(value)]
    if type(value) is str and "${" in value:
        raise BadParams(f"{where}: {value!r} refers to something else; write the value itself")
    if type(value) not in (int, str, bool):
        raise BadParams(f"{where}: expected a number, a word or a list of them, got {value!r}")
    return value


def recipe_of(settings: Mapping[str, Any]) -> Recipe:
    """The recipe that composed settings describe; errors are told in the names of the settings."""
    from puzzlemill.factory.recipe import Recipe

    known = {"name", "word", "license", "reply_formats", "proof", "executor", "out"}
    known |= {"parts"} if "parts" in settings else {"family", "variant", "count", "split", "unsolvable", "band"}
    _same_keys(settings, known, known - {"out"}, "")
    labels = {}  # part of the recipe -> what the user calls it
    parts: list[dict[str, Any]] = []
    if "parts" in settings:
        for name, part in _mapping(settings["parts"], "parts").items():
            part = _mapping(part, f"parts.{name}")
            _same_keys(
                part,
                {"family", "params", "rules", "variants", "counts", "reply_formats", "unsolvable", "band"},
                {"family", "counts"},
                f"parts.{name}.",
            )
            names = part.get("variants", [])
            if type(names) is not list:
                raise BadParams(f"parts.{name}.variants: expected a list of variants, got {names!r}")
            labels[f"parts[{len(parts)}]"] = f"parts.{name}"
            parts.append(
                {"reply_formats": settings["reply_formats"], **part, "variants": [_named_variant(variant) for variant in names]}
            )
    else:
        family, variant = _mapping(settings["family"], "family"), _mapping(settings["variant"], "variant")
        _same_keys(family, {"name", "params", "rules"}, {"name", "params"}, "family.")
        _same_keys(variant, {"name", "transforms"}, {"name", "transforms"}, "variant.")
        count = settings["count"]
        parts.append(
            {
                "family": family["name"],
                "params": family["params"],
                "rules": family.get("rules", []),
                "variants": [variant] if variant["transforms"] else [],
                "counts": count if type(count) is dict else {settings["split"]: count},
                "reply_formats": settings["reply_formats"],
                "unsolvable": settings["unsolvable"],
                "band": settings["band"],
            }
        )
        labels = {
            "parts[0].params": "family.params",
            "parts[0].rules": "family.rules",
            "parts[0].variants[0]": "variant",
            "parts[0].counts": "count",
            "parts[0].reply_formats": "reply_formats",
            "parts[0].": "",
        }
    word = settings["word"]
    plain = {
        "name": settings["name"],
        "word": str(word) if type(word) is int else word,  # word=7 is read as a number
        "license": settings["license"],
        "parts": parts,
        **_mapping(settings["proof"], "proof"),
    }
    try:
        return Recipe.from_plain(plain)
    except BadParams as error:
        message = str(error)
        for ours, theirs in labels.items():
            message = message.replace(ours, theirs)
        raise BadParams(message) from None


def _named_variant(variant: Any) -> dict[str, Any]:
    """A variant of conf/variant by its name; one that is written out stays as it is."""
    from omegaconf import OmegaConf

    if type(variant) is dict:
        return variant
    if variant not in choices("variant"):
        raise BadParams(f"unknown variant {variant!r}; known: {', '.join(choices('variant'))}")
    return _mapping(
        _plain(OmegaConf.to_container(OmegaConf.load(CONF / "variant" / f"{variant}.yaml"), resolve=False), ""), "variant"
    )


def _mapping(value: Any, where: str) -> dict[str, Any]:
    if type(value) is not dict:
        raise BadParams(f"{where}: expected names and values, got {value!r}; `puzzlemill generate --cfg` prints the settings")
    return value


def _same_keys(value: Mapping[str, Any], known: set[str], needed: set[str], prefix: str) -> None:
    for name in sorted(value.keys() - known):
        raise BadParams(f"{prefix}{name}: there is no such setting here; known: {', '.join(sorted(known))}")
    for name in sorted(needed - value.keys()):
        raise BadParams(f"{prefix}{name}: missing; it has no default")


# ---- commands ---------------------------------------------------------------------------------------------------------


def _list(options: argparse.Namespace) -> int:
    from puzzlemill.factory.make import catalogue

    entries = catalogue({name: _named_variant(name)["transforms"] for name in choices("variant")})
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
            group: textwrap.fill(", ".join(choices(group)), 90, subsequent_indent=" " * 17)
            for group in ("release", "family", "variant")
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
    workers = _mapping(settings["executor"], "executor").get("workers")
    if type(workers) is not int:
        raise BadParams(f"workers: expected a number of processes, got {workers!r}")
    from puzzlemill.factory.run import run
    from puzzlemill.factory.stats import text_table

    recipe = recipe_of(settings)
    with _Bar("groups") as bar:
        summary = run(recipe, Path(out), workers, _Progress(recipe, bar).event)
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
    from puzzlemill.factory.stats import counted

    order = sorted(dropped, key=lambda item: (-item[1], item[0]))
    others = sum(times for _, times in order[3:])
    return counted({**dict(order[:3]), **({"others": others} if others else {})}) or "-"


def _bands(bands: Mapping[str, int]) -> str:
    """easy 3, medium 2: in the order of difficulty."""
    order = ("easy", "medium", "hard")
    known = [*order, *sorted(band for band in bands if band not in order)]
    return ", ".join(f"{band} {bands[band]}" for band in known if bands.get(band)) or "-"


class _Bar:
    """A progress bar on stderr where that is a terminal, else nothing."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.bar: Any = None

    def __enter__(self) -> _Bar:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            unit = TextColumn(self.unit)
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), unit, TimeElapsedColumn())
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task("preparing", total=None)
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def show(self, done: int, total: int, what: str) -> None:
        if self.bar is not None:
            self.bar.update(self.task, completed=done, total=total, description=what)


class _Progress:
    """Events of a run for a bar; without a bar, one line for every part that is done."""

    def __init__(self, recipe: Recipe, bar: _Bar) -> None:
        self.bar = bar
        self.total = sum(sum(quota.by_base) for quota in recipe.quotas)
        self.most: dict[tuple[int, str], int] = {}  # groups done; events fall back while duplicates are looked for

    def event(self, event: Event) -> None:
        place = (event.part, event.split)
        before = self.most.get(place, 0)
        self.most[place] = max(before, event.done)
        self.bar.show(sum(self.most.values()), self.total, f"{event.family} {event.split}")
        if self.bar.bar is None and before < event.done == event.total:
            print(f"{event.family} {event.split}: {event.done} groups", file=sys.stderr, flush=True)


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
    from puzzlemill.envs.terminal import FORMAT, Terminal

    def read() -> str | None:
        try:
            return input("> " if sys.stdin.isatty() else "")
        except EOFError:
            return None

    Terminal(_one(options, FORMAT), read, print).play()
    return 0


def _preview(options: argparse.Namespace) -> int:
    from puzzlemill.factory.preview import write_preview
    from puzzlemill.factory.read import open_release

    release = open_release(options.folder)
    out = options.out or options.folder.resolve().with_name(f"{options.folder.resolve().name}-preview.html")
    write_preview(release, out, options.rows)
    print(out)
    return 0


def _verify(options: argparse.Namespace) -> int:
    from puzzlemill.factory.verify import verify

    with _Bar("rows") as bar:
        report = verify(
            options.folder,
            lambda problem: print(problem, flush=True),
            engine=options.engine,
            workers=options.workers,
            progress=lambda done, total: bar.show(done, total, "verifying"),
        )
    print(report)
    return 1 if report.problems else 0


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


def _stats(options: argparse.Namespace) -> int:
    from puzzlemill.factory.read import open_release
    from puzzlemill.factory.stats import measured, to_json, to_text

    found = measured(open_release(options.folder))
    if options.json:
        import json

        print(json.dumps(to_json(found), indent=2))
    else:
        print(to_text(found))
    return 0


def _score(options: argparse.Namespace) -> int:
    from puzzlemill.factory.read import open_release, rows
    from puzzlemill.scoring.main import run
    from puzzlemill.scoring.score import COLUMNS

    release = open_release(options.folder)
    return run(lambda: rows(release, COLUMNS), options.replies, options.json)


if __name__ == "__main__":
    sys.exit(main())
