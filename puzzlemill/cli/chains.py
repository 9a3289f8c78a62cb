"""`puzzlemill chains`: judge the reasoning in replies, sentence by sentence."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from puzzlemill.chains.main import Chain, figures, judged_chains, labels_of
from puzzlemill.chains.rows import COLUMNS
from puzzlemill.chains.scene import ADAPTERS
from puzzlemill.cli.run import address
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.envs.chain_judge import Asked, ask
from puzzlemill.factory.read import open_release, rows


def run(options: argparse.Namespace) -> int:
    release = open_release(options.dir)
    found = list(judged_chains(lambda: rows(release, COLUMNS), options.replies, not options.paper, options.limit))
    if not found:
        raise BadParams(f"{options.replies}: no reply is to a row whose chains are judged; these are of {', '.join(ADAPTERS)}")
    every = figures(found)
    asked = None
    if options.base_url:
        wanted = {chain.row["id"] for chain in found}
        told = {row["id"]: (row["prompt"], row["gold_reply"]) for row in rows(release, ("id", "prompt", "gold_reply"))}
        prompts = {name: told[name] for name in wanted}
        asked = ask(found, prompts, options.model, address(options), options.concurrency)
    if options.out:
        _write(options.out, (_labels(chain, asked) for chain in found))
    if options.json:
        print(json.dumps({**every.to_json(), **({"judge": asked.to_json()} if asked else {})}, indent=2))
    else:
        print(every.to_text())
        if asked:
            print(asked.to_text())
    return 0


def _labels(chain: Chain, asked: Asked | None) -> dict[str, Any]:
    """A chain's labels, with those of the judge model: "" where it gave none."""
    labels = labels_of(chain)
    if asked is not None:
        said = asked.said.get((chain.row["id"], chain.sample), {})
        for place, sentence in enumerate(labels["sentences"]):
            sentence["judge"] = said.get(place, "")
    return labels


def _write(path: Path, lines: Iterator[dict[str, object]]) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for line in lines:
                file.write(json.dumps(line) + "\n")
    except OSError as error:
        raise BadFile(f"--out: {path} cannot be written ({error.strerror or error}); choose another file") from None
