"""How often lazy policies (factory/lazy.py) are right on the rows of a release, by family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from statistics import fmean
from typing import Any

from puzzlemill.analysis.rows import answer_of, naming, puzzle_of
from puzzlemill.analysis.tables import percent, text_table
from puzzlemill.core.types import Depth, Status
from puzzlemill.factory.lazy import POLICIES, Truth, constant

COLUMNS = ("id", "family", "status", "question", "puzzle", "answer", "optimum", "effort", "proof", "play", "difficulty")
Row = Mapping[str, Any]


def rates(rows: Iterable[Row]) -> dict[str, dict[str, tuple[float, int]]]:
    """By family and policy: the share of the rows on which it is right, and how many rows it was asked about."""
    found: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        with naming(row, "answered by a lazy policy"):
            for policy, chance in _chances(row):
                found.setdefault(row["family"], {}).setdefault(policy, []).append(chance)
    return {
        family: {policy: (fmean(some), len(some)) for policy, some in sorted(by.items())} for family, by in sorted(found.items())
    }


def _chances(row: Row) -> Iterator[tuple[str, float]]:
    family, puzzle = puzzle_of(row)
    unsolvable = row["status"] == Status.UNSOLVABLE.value
    if puzzle.question.may_be_unsolvable:
        yield "no solution", float(unsolvable)
    if (one_step := _propagated(row)) is not None:
        yield "propagation", one_step
    if unsolvable:
        return
    truth = Truth(answer_of(row, family), row["optimum"])
    if len(family.form.slots(puzzle.spec, puzzle.board)) > 1:
        yield "constant", constant(family, puzzle, truth)
    if row["play"] is not None:
        yield "likeliest", row["play"]["guess"]
    for name, policy in POLICIES.get(family.name, {}).items():
        yield name, policy(family, puzzle, truth)


def _propagated(row: Row) -> float | None:
    """Whether setting what is forced, one thing at a time, decides the row; None where that means nothing."""
    if row["status"] == Status.UNSOLVABLE.value:
        return float(row["proof"]["depth"] == Depth.SHALLOW.value)
    nodes = row["effort"]["nodes"]
    return None if row["optimum"] is not None or row["play"] is not None or nodes is None else float(nodes == 0)


def to_text(found: Mapping[str, Mapping[str, tuple[float, int]]]) -> str:
    """A table of the rates."""
    body = [[family, policy, rows, percent(rate)] for family, by in found.items() for policy, (rate, rows) in by.items()]
    return "Lazy policies, right in percent of the rows that they are asked about\n" + text_table(
        ["family", "policy", "rows", "right %"], body
    )
