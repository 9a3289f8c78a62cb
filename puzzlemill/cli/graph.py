"""`puzzlemill graph`: the graphs of truth-finding domains."""

from __future__ import annotations

import argparse
import json
from typing import Any

from puzzlemill.analysis.pages import write_page
from puzzlemill.cli.domains import named
from puzzlemill.core.errors import BadParams
from puzzlemill.kumo.domain.domain import Domain
from puzzlemill.kumo.domain.files import names
from puzzlemill.kumo.graph_picture import picture
from puzzlemill.kumo.graphs import WAYS, figures, split, to_json, to_text, truth_graph


def run(options: argparse.Namespace) -> int:
    if options.split and options.split not in WAYS:
        raise BadParams(f"--split: expected {' or '.join(WAYS)}, got {options.split!r}")
    domains = [named(name, options.edition) for name in dict.fromkeys(options.names or names())]
    found = [figures(domain) for domain in domains]
    if options.out is not None:
        if options.out.exists() and not options.out.is_dir():
            raise BadParams(f"--out: {options.out} is no folder; name one for the pictures")
        for domain, one in zip(domains, found, strict=True):
            write_page(picture(truth_graph(domain), one, domain.title), options.out / f"{domain.name}.svg")
    parts = [_parts(domain, options.split) for domain in domains] if options.split else []
    if options.json:
        entries = [to_json(one, truth_graph(domain)) for one, domain in zip(found, domains, strict=True)]
        for entry, part in zip(entries, parts, strict=False):
            entry["split"] = part
        print(json.dumps({"edition": options.edition, "domains": entries}, indent=2, ensure_ascii=False))
        return 0
    print(to_text(found))
    for one, part in zip(found, parts, strict=False):
        print(part["why"] if "why" in part else f"{one.name}: {_described(part)}")
    if options.out is not None:
        print(f"\n{len(domains)} pictures in {options.out}")
    return 0


def _parts(domain: Domain, by: str) -> dict[str, Any]:
    """The two parts of a split, or why there are none."""
    try:
        found = split(domain, by)
    except BadParams as why:
        return {"why": str(why)}
    sides = (("first", found.first), ("second", found.second))
    listed = {name: {"truths": list(side.truths), "actions": [action.name for action in side.actions]} for name, side in sides}
    return {**listed, "across": list(found.across)}


def _described(part: dict[str, Any]) -> str:
    sides = [f"{len(part[name]['truths'])} truths with {len(part[name]['actions'])} actions" for name in ("first", "second")]
    return f"{' and '.join(sides)}, {len(part['across'])} actions across"
