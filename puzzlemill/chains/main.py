"""The `chains` command: of scorer.zip, and behind `puzzlemill chains`. Standard library only."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from puzzlemill.chains.judge import Judge, Judged
from puzzlemill.chains.summary import Figures, Judges, size_of
from puzzlemill.core.errors import BadFile, BadInput
from puzzlemill.scoring.main import read_rows
from puzzlemill.scoring.replies import Replies

Row = Mapping[str, Any]


class Chain(NamedTuple):
    """A reply with its verdicts."""

    row: Row
    sample: int
    reply: str
    judge: Judge
    judged: Judged


def judged_chains(rows: Callable[[], Iterable[Row]], replies: Path, strict: bool = True, most: int = 0) -> Iterator[Chain]:
    """Every reply to a row whose chains can be judged, at most `most` (0: all). Raises BadFile for the file of replies."""
    index = Replies(replies, {row["id"] for row in rows()})
    judges, count = Judges(strict), 0
    try:
        with replies.open("rb") as file:
            for row in rows():
                judge = judges.of(row) if row["id"] in index else None
                for sample, line in index.lines(file, row["id"]) if judge is not None else ():
                    if most and count >= most:
                        return
                    count += 1
                    assert judge is not None
                    yield Chain(row, sample, line["reply"], judge, judge.judge(line["reply"]))
    except OSError as error:
        raise BadFile(f"{replies}: {error.strerror or error}; the file went away while it was read") from None


def figures(chains: Iterable[Chain]) -> Figures:
    """The figures of judged chains."""
    found = Figures()
    for chain in chains:
        found.add(chain.judged, size_of(chain.judge))
    return found


def labels_of(chain: Chain) -> dict[str, Any]:
    """A chain's labels as one JSON object."""
    sentences = [
        {
            "text": label.text,
            "paper": label.category,
            "sub": label.sub,
            "strict": label.strict,
            "right": label.right,
            "pairs": label.pairs,
        }
        for label in chain.judged.labels
    ]
    score = round(chain.judged.average, 4)
    return {"id": chain.row["id"], "sample": chain.sample, "average": score, "flaw": chain.judged.flaw, "sentences": sentences}


def main(argv: list[str] | None = None, inside: Callable[[], Iterable[Row]] | None = None) -> int:
    """`chains [ROWS] REPLIES [--paper]` of scorer.zip. inside: the rows to use where no file is named."""
    parser = ArgumentParser(prog="scorer chains", description="Judge the reasoning in replies. Needs nothing but Python.")
    parser.add_argument("rows", nargs="?" if inside else None, type=Path, help="rows as JSON lines")
    parser.add_argument("replies", type=Path, help='JSON lines {"id", "sample", "reply"}')
    parser.add_argument("--paper", action="store_true", help="leave out the strict verdict")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(argv)

    def of_file() -> Iterator[Row]:
        try:
            with options.rows.open("rb") as file:
                yield from read_rows(file, str(options.rows))
        except OSError as error:
            raise BadFile(f"{options.rows}: {error.strerror or error}; give a file of rows, one JSON object per line") from None

    try:
        found = figures(judged_chains(inside if options.rows is None and inside else of_file, options.replies, not options.paper))
    except BadInput as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write((json.dumps(found.to_json(), indent=2) if options.json else found.to_text()) + "\n")
    return 0
