"""Judgements: which of two answers is right, and whether a reasoning is, with proved labels; for training, and for `run`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from puzzlemill.core.errors import BadParams
from puzzlemill.envs.columns import MESSAGES, SCORED
from puzzlemill.envs.export import SCORER, Chosen, copy_source, rows, splits_of
from puzzlemill.envs.judging import Replied, judged_of, of_replies, planted, replied
from puzzlemill.factory.bundle import scorer_zip
from puzzlemill.factory.read import batches
from puzzlemill.factory.record import COLUMNS, ColumnType
from puzzlemill.factory.writer import write_parquet
from puzzlemill.scoring.replies import Replies
from puzzlemill.scoring.score import COLUMNS as SCORING

_KEPT = ("prompt", "gold_reply", "question", "reply_schema", "difficulty", "kinds")  # as releases have them
_OWN = ("task", "label", "source", "why", "about")
TYPES: dict[str, ColumnType] = {
    "messages": MESSAGES,
    **{name: COLUMNS[name] for name in _KEPT},
    **dict.fromkeys(_OWN, "string"),
    "sample": "int32",
    "search_space_log10": "float64",
    **SCORED,
    "canary": "string",
}
_READ = (*SCORING, "trace", "question", "difficulty", "canary")


def export(release: Chosen, out: Path) -> dict[str, Any]:
    """One Parquet file per split, a scorer with these rows, and how to use them. Returns how many there are of each sort."""
    made: Counter[str] = Counter()
    splits = []
    for split in splits_of(release):
        every = list(_of_replies(release, split) if release.replies else _planted(release, split))
        if every:
            splits.append(split)
            write_parquet(out / f"{split}.parquet", TYPES, every)
        made.update([f"{row['task']} {row['label']}" for row in every])
    if not splits:
        source = f"{release.replies} has no full answer" if release.replies else "no row has one answer that is single"
        raise BadParams(f"--to judging: {source}; choose other rows or replies")
    scorer_zip((row for split in splits for batch in batches(out / f"{split}.parquet", SCORING) for row in batch), out / SCORER)
    copy_source("judging.md", out / "README.md", split=splits[0])
    return {"judgements": dict(sorted(made.items()))}


def _planted(release: Chosen, split: str) -> Iterator[dict[str, Any]]:
    for row in rows(release, _READ, split=split):
        yield from planted(row)


def _of_replies(release: Chosen, split: str) -> Iterator[dict[str, Any]]:
    assert release.replies is not None
    every = replace(release, splits=(), formats=(), single=False, without=())  # a file of `run` has dialogues too
    index = Replies(release.replies, {row["id"] for row in rows(every, ("id",))})
    answered: list[tuple[dict[str, Any], Replied]] = []
    with release.replies.open("rb") as file:
        for row in rows(release, _READ, split=split):
            if row["id"] in index and judged_of(row) is not None:
                answered += [(row, reply) for reply in replied(row, index.lines(file, row["id"]))]
    yield from of_replies(answered)
