"""How fast a corpus is searched for the rows of a release, and how much of what is planted is found."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from measure import Line, rates

from puzzlemill.analysis.audit import Searcher, index
from puzzlemill.analysis.similar import similar
from puzzlemill.core.rng import stream
from puzzlemill.factory.read import open_release
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.run import run

PIECE = 4 << 20
PARTS: list[dict[str, Any]] = [
    {"family": "sudoku", "params": {"size": [6, 9]}, "counts": {"train": 100}},
    {"family": "binario", "params": {"rows": [8, 10]}, "counts": {"train": 100}},
    {"family": "zebra", "params": {"positions": [4, 5]}, "counts": {"train": 100}},
]
WORDS = (
    "the",
    "of",
    "a",
    "reader",
    "sits",
    "left",
    "right",
    "one",
    "number",
    "in",
    "every",
    "row",
    "and",
    "was",
    "3",
    "12",
    "1984",
)


def _prose(size: int) -> bytes:
    """Words and full stops, always the same."""
    rng = stream("benchmarks", "audit")
    line = " ".join(WORDS[rng.below(len(WORDS))] + (". " if rng.below(12) == 0 else "") for _ in range(20_000))
    return (line.encode() * (size // len(line) + 1))[:size]


def lines() -> Iterator[Line]:
    """Rates of one core on text and JSON lines; on prompts of another seed, which have everything in common but the puzzles."""
    with tempfile.TemporaryDirectory() as folder:
        for word in ("mine", "other"):
            run(Recipe.from_plain({"name": "audited", "seed": word, "strata": PARTS}), Path(folder) / word, 2)
        mine, other = (open_release(Path(folder) / word) for word in ("mine", "other"))
        known = index(mine)
        searcher = Searcher(known)
        plain = _prose(PIECE)
        theirs = "".join(
            json.dumps({"prompt": row["prompt"], "reply": row["gold_reply"]}) + "\n" for row in rows_of(other)
        ).encode()
        corpora = {"plain text": plain, "prompts of another seed, JSON lines": (theirs * (PIECE // len(theirs) + 1))[:PIECE]}
        for what, corpus in corpora.items():
            found: dict[int, Any] = {}

            def batch(corpus: bytes = corpus, found: dict[int, Any] = found) -> int:
                searcher.search(corpus, 0, str, found)
                return len(corpus)

            rate = rates(batch)[0] / 1e6
            note = f"{len(known.rows)} rows looked for; {len(found)} found, 0 would be right"
            yield Line(f"audit, {what}", "MB/s", rate, ">= 20", rate >= 20, note=note)
        yield from _recall(searcher, list(rows_of(mine)))

        def compared() -> int:
            found = similar(mine, [other])
            if found.near.total():
                raise AssertionError("rows of different words are near")
            return 600

        yield Line(
            "similar, two releases of 300 rows", "rows/s", rates(compared, repeats=3)[0], note="shingles, MinHash, counting"
        )


def _recall(searcher: Searcher, rows: list[dict[str, Any]]) -> Iterator[Line]:
    """The share of planted rows that is found."""
    known = searcher.known
    told = {row.id for row in known.rows if row.enough}
    rows = [row for row in rows if row["id"] in told]
    disguises: dict[str, Callable[[str], str]] = {
        "whole": lambda text: text,
        "the second half": lambda text: text[len(text) // 2 :],
    }
    for what, disguise in disguises.items():
        hit = 0
        for row in rows:
            found: dict[int, Any] = {}
            searcher.search(disguise(row["prompt"]).encode(), 0, str, found)
            hit += any(known.rows[known.texts[number].row].id == row["id"] for number in found)
        goal, met = (">= 100", hit == len(rows)) if what == "whole" else ("", None)
        yield Line(f"audit, planted prompts, {what}", "% found", 100 * hit / len(rows), goal, met, note=f"{len(rows)} rows")
