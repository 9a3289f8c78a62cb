"""The `chains` command: of scorer.zip, and behind `puzzlemill chains`. Standard library only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from puzzlemill.chains.judge import Judge, Judged
from puzzlemill.chains.summary import Figures, Judges, size_of
from puzzlemill.core.errors import BadFile
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
