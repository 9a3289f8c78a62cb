"""`puzzlemill graph`: the graphs of truth-finding domains. `puzzlemill structure`: what they have to do with models' replies."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadParams


def add(commands: Any) -> None:
    command = commands.add_parser(
        "graph", help="graphs of truth-finding domains: communities, numbers, pictures", description=_GRAPH
    )
    command.add_argument(
        "names", metavar="NAME", nargs="*", help="authored domains, invented:N or files FILE.toml (all authored ones)"
    )
    command.add_argument("--edition", default="", metavar="WORD", help="whose exclusions; other words give other graphs")
    command.add_argument("--out", metavar="DIR", type=Path, help="where to write a picture of each, NAME.svg")
    command.add_argument("--split", metavar="WAY", help="tell the two parts of a split by components or communities")
    command.add_argument("--json", action="store_true", help="as one JSON object")
    command.set_defaults(run=_graph)

    command = commands.add_parser(
        "structure", help="whether tasks' structure goes with what models make of them", description=_STRUCTURE
    )
    command.add_argument("folder", metavar="DIR", type=Path, help="the release")
    command.add_argument("replies", metavar="REPLIES.JSONL", type=Path, nargs="+", help="a file for each model")
    command.add_argument(
        "--scores", metavar="OTHER.CSV", type=Path, nargs="+", default=[], help="other benchmarks, a file of model,score for each"
    )
    command.add_argument("--answered", action="store_true", help="leave out tasks without any reply")
    command.add_argument("--json", action="store_true", help="as one JSON object")
    command.set_defaults(run=_structure)


_GRAPH = "The graphs of truth-finding domains: which truths are joined by actions, their communities, and a picture of each."
_STRUCTURE = "Chi-square tests of tasks' structure and being right, and correlations with other benchmarks."


def _graph(options: argparse.Namespace) -> int:
    from puzzlemill.analysis.pages import write_page
    from puzzlemill.cli.domains import named
    from puzzlemill.kumo.domain import files
    from puzzlemill.kumo.graph_picture import picture
    from puzzlemill.kumo.graphs import WAYS, figures, to_json, to_text, truth_graph

    if options.split and options.split not in WAYS:
        raise BadParams(f"--split: expected {' or '.join(WAYS)}, got {options.split!r}")
    domains = [named(name, options.edition) for name in dict.fromkeys(options.names or files.names())]
    found = [figures(domain) for domain in domains]
    if options.out is not None:
        if options.out.exists() and not options.out.is_dir():
            raise BadParams(f"--out: {options.out} is no folder; name one for the pictures")
        for domain, one in zip(domains, found, strict=True):
            write_page(picture(truth_graph(domain), one, domain.title), options.out / f"{domain.name}.svg")
    parts = [_parts(domain, options.split) for domain in domains] if options.split else []
    if options.json:
        import json

        told = [to_json(one, truth_graph(domain)) for one, domain in zip(found, domains, strict=True)]
        for entry, part in zip(told, parts, strict=False):
            entry["split"] = part
        print(json.dumps({"edition": options.edition, "domains": told}, indent=2, ensure_ascii=False))
        return 0
    print(to_text(found))
    for one, part in zip(found, parts, strict=False):
        print(f"{one.name}: {_told(part)}" if "why" not in part else part["why"])
    if options.out is not None:
        print(f"\n{len(domains)} pictures in {options.out}")
    return 0


def _parts(domain: Any, by: str) -> dict[str, Any]:
    """The two parts of a split, or why there are none."""
    from puzzlemill.kumo.graphs import split

    try:
        found = split(domain, by)
    except BadParams as why:
        return {"why": str(why)}
    sides = (("first", found.first), ("second", found.second))
    told = {name: {"truths": list(side.truths), "actions": [action.name for action in side.actions]} for name, side in sides}
    return {**told, "across": list(found.across)}


def _told(part: dict[str, Any]) -> str:
    sides = [f"{len(part[name]['truths'])} truths with {len(part[name]['actions'])} actions" for name in ("first", "second")]
    return f"{' and '.join(sides)}, {len(part['across'])} actions across"


def _structure(options: argparse.Namespace) -> int:
    from puzzlemill.cli.report import given_files
    from puzzlemill.factory.read import open_release
    from puzzlemill.kumo.association import structure, to_json, to_text

    files, _ = given_files(options.replies)
    found = structure(open_release(options.folder), files, options.scores, options.answered)
    if options.json:
        import json

        print(json.dumps(to_json(found), indent=2))
    else:
        print(to_text(found))
    return 0
