"""The contents of a release, counted from its rows, and tables of them.

rows       by family, variant, status and split; tiers and bands; means and medians of what was measured
effort     rank correlation (Spearman, ties averaged) of the person's tier and score with what engines spent, per family
diversity  how different the answers of real rows are: distinct ones, and per slot the share of its most frequent value
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import exp, lgamma, log, log1p
from statistics import StatisticsError, correlation, fmean, median_low
from typing import Any

from puzzlemill.analysis.resample import ranks
from puzzlemill.analysis.rows import answer_of, naming, puzzle_of
from puzzlemill.analysis.tables import counted, text_table
from puzzlemill.factory.read import Release, rows
from puzzlemill.factory.recipe import split_order

_COLUMNS = (
    "id",
    "question",
    "family",
    "variant",
    "split",
    "status",
    "reply_format",
    "prompt",
    "puzzle",
    "answer",
    "optimum",
    "search_space_log10",
    "difficulty",
    "effort",
    "proof",
    "trace",
)
EFFORT = ("nodes", "generated", "sat_decisions", "sat_conflicts", "smt_decisions", "smt_conflicts")
FIGURES = ("prompt_characters", "clues", "search_space_log10", "optimum", *EFFORT, "trace_steps", "unsat_core_size")
TALLIES = ("difficulty", "tier", "depth", "reply_formats")
RANKED = ("nodes", "sat_conflicts", "smt_conflicts")  # what tiers are compared with


@dataclass(slots=True)
class Spread:
    """Counts of each value of a figure; decimals are rounded before they come in."""

    values: Counter[float] = field(default_factory=Counter)

    def add(self, value: float | None) -> None:
        if value is not None:
            self.values[value] += 1

    def count(self) -> int:
        return sum(self.values.values())

    def median(self) -> float:
        """The lower of the two in the middle."""
        return median_low(self.values.elements())

    def mean(self) -> float:
        return round(fmean(self.values.keys(), self.values.values()), 3)

    def __str__(self) -> str:
        """least / median / greatest."""
        if not self.values:
            return "-"
        return " / ".join(_short(v) for v in (min(self.values), self.median(), max(self.values)))

    def to_json(self) -> dict[str, float] | None:
        if not self.values:
            return None
        least, greatest = min(self.values), max(self.values)
        return {"n": self.count(), "least": least, "median": self.median(), "mean": self.mean(), "greatest": greatest}


def _short(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.1f}"


@dataclass(slots=True)
class Sort:
    """The rows of one family and variant."""

    rows: Counter[tuple[str, str]] = field(default_factory=Counter)  # (status, split)
    tallies: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in TALLIES})
    figures: dict[str, Spread] = field(default_factory=lambda: {name: Spread() for name in FIGURES})


@dataclass(slots=True)
class Answers:
    """The answers of canonical puzzles of one family with the same slots.

    sizes: number of values of each slot; () for routes. met: for each slot, how often each value was met.
    """

    sizes: tuple[int, ...]
    rows: int = 0
    distinct: set[bytes] = field(default_factory=set)
    met: list[Counter[int]] = field(default_factory=list)

    def add(self, text: str, values: Sequence[int]) -> None:
        self.rows += 1
        self.distinct.add(sha256(text.encode("utf-8", "surrogatepass")).digest()[:16])
        self.met = self.met or [Counter() for _ in self.sizes]
        for slot, value in enumerate(values):
            self.met[slot][value] += 1

    def largest(self) -> float | None:
        """The largest share of one value in a slot; None without slots."""
        return round(max(max(slot.values()) for slot in self.met) / self.rows, 4) if self.met else None

    def even(self) -> float | None:
        """The share that `largest` exceeds with a chance below 5 % if every slot's values are drawn evenly."""
        if not self.met:
            return None
        return round(max(even_limit(self.rows, size, sum(self.sizes)) for size in set(self.sizes)) / self.rows, 4)


@dataclass(slots=True)
class Stats:
    """sorts: by (family, variant). ranked: by (family, "solvable" or "unsolvable"): one tuple per graded row, with its tier, its
    score and the figures of RANKED. answers: by (family, what its slots are)."""

    sorts: dict[tuple[str, str], Sort] = field(default_factory=dict)
    ranked: dict[tuple[str, str], list[tuple[float | None, ...]]] = field(default_factory=dict)
    answers: dict[tuple[str, str], Answers] = field(default_factory=dict)
    made: list[dict[str, Any]] = field(default_factory=list)  # the manifest's content


# ---- arithmetic -------------------------------------------------------------------------------------------------------


def spearman(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Spearman's rank correlation, ties given the mean of their ranks; None where one side never changes or there are under 3."""
    try:
        return round(correlation(*[ranks(side) for side in zip(*pairs, strict=True)]), 3) if len(pairs) > 2 else None
    except StatisticsError:
        return None


def even_limit(n: int, values: int, cases: int) -> int:
    """The greatest count that n even draws of one of `values` give to any of `cases` (slot, value) pairs, but for 5 %.

    The least c with cases * P(Binomial(n, 1 / values) > c) < 0.05: by Boole's inequality, whatever binds the slots together.
    """
    if values < 2:
        return n
    tail, count = 0.0, n
    while count > 0:
        ways = lgamma(n + 1) - lgamma(count + 1) - lgamma(n - count + 1)
        tail += exp(ways - count * log(values) + (n - count) * log1p(-1 / values))
        if cases * tail >= 0.05:
            return count
        count -= 1
    return count


# ---- counting ---------------------------------------------------------------------------------------------------------


def measured(release: Release) -> Stats:
    """Count the rows of a release. Raises BadRow, naming the row, where one cannot be counted."""
    found = Stats(made=list(release.manifest["content"]))
    for row in rows(release, _COLUMNS):
        with naming(row, "counted"):
            _count(found, row)
    return found


def _count(found: Stats, row: Mapping[str, Any]) -> None:
    name, effort, difficulty, proof = row["family"], row["effort"], row["difficulty"], row["proof"]
    sort = found.sorts.setdefault((name, row["variant"]), Sort())
    sort.rows[row["status"], row["split"]] += 1
    tier = difficulty["tier"]
    words = {
        "difficulty": difficulty["band"],
        "tier": "-" if tier is None else str(tier),
        "depth": proof["depth"] or "",
        "reply_formats": row["reply_format"],
    }
    for tally, word in words.items():
        if word:
            sort.tallies[tally][word] += 1
    unsolvable = row["status"] == "unsolvable"
    figures = {
        "prompt_characters": len(row["prompt"]),
        "clues": len(json.loads(row["puzzle"])["clues"]),
        "search_space_log10": round(row["search_space_log10"], 1),
        "optimum": row["optimum"],
        "trace_steps": len(row["trace"]) or None,
        "unsat_core_size": len(proof["unsat_core"]) if unsolvable else None,
        **{figure: effort[figure] for figure in EFFORT},
    }
    for figure, amount in figures.items():
        sort.figures[figure].add(amount)
    if tier is not None and difficulty["score"] is not None:
        ranks = (tier, difficulty["score"], *[effort[figure] for figure in RANKED])
        found.ranked.setdefault((name, "unsolvable" if unsolvable else "solvable"), []).append(ranks)
    if row["variant"] == "canonical" and row["answer"] is not None:
        _count_answer(found, row)


def _count_answer(found: Stats, row: Mapping[str, Any]) -> None:
    """Take in the answer of a canonical row; children share their parents' answers."""
    family, puzzle = puzzle_of(row)
    sizes = family.form.slots(puzzle.spec, puzzle.board)
    values = family.form.values(puzzle.spec, puzzle.board, answer_of(row, family)) if sizes else ()
    kind = f"{len(sizes)} slots of {max(sizes)}" if sizes else "routes"
    found.answers.setdefault((row["family"], kind), Answers(sizes)).add(row["answer"], values)


def correlations(ranked: Sequence[tuple[float | None, ...]]) -> dict[str, dict[str, float | None]]:
    """Spearman's coefficient of tier and of score with each figure of RANKED, over the rows that have both."""
    out: dict[str, dict[str, float | None]] = {}
    for side, mine in enumerate(("tier", "score")):
        out[mine] = {}
        for place, figure in enumerate(RANKED, 2):
            pairs = [(one[side], one[place]) for one in ranked]
            out[mine][figure] = spearman([(a, b) for a, b in pairs if a is not None and b is not None])
    return out


# ---- output -----------------------------------------------------------------------------------------------------------


def to_json(found: Stats) -> dict[str, Any]:
    """The figures as JSON-able values."""
    return {
        "sorts": [
            {
                "family": family,
                "variant": variant,
                "rows": [{"status": status, "split": split, "rows": n} for (status, split), n in sorted(sort.rows.items())],
                "tallies": {name: dict(sorted(tally.items())) for name, tally in sort.tallies.items()},
                "figures": {name: spread.to_json() for name, spread in sort.figures.items()},
            }
            for (family, variant), sort in sorted(found.sorts.items())
        ],
        "rank_correlations": [
            {"family": family, "rows_that_are": kind, "rows": len(ranked), **correlations(ranked)}
            for (family, kind), ranked in sorted(found.ranked.items())
        ],
        "answers": [
            {
                "family": family,
                "slots": kind,
                "rows": some.rows,
                "distinct": len(some.distinct),
                "largest_share": some.largest(),
                "even_draws_reach": some.even(),
            }
            for (family, kind), some in sorted(found.answers.items())
        ],
        "thrown_away": [{name: cell[name] for name in ("family", "split", "groups", "dropped")} for cell in found.made],
    }


def to_text(found: Stats) -> str:
    """The figures as tables for a terminal."""
    splits = sorted({split for sort in found.sorts.values() for _, split in sort.rows}, key=split_order)
    sorts = sorted(found.sorts.items())
    counts = [
        (*kind, status, *[sort.rows[status, split] for split in splits], sum(sort.rows[status, split] for split in splits))
        for kind, sort in sorts
        for status in sorted({status for status, _ in sort.rows})
    ]

    def spreads(heads: Mapping[str, str]) -> str:
        body = [(*kind, *[sort.figures[name] for name in heads]) for kind, sort in sorts]
        return "least / median / greatest\n" + text_table(["family", "variant", *heads.values()], body)

    ranked = []
    for (family, kind), some in sorted(found.ranked.items()):
        both = correlations(some)
        shown = [both[mine][figure] for mine in both for figure in RANKED]
        ranked.append((family, kind, len(some), *["-" if value is None else f"{value:.2f}" for value in shown]))
    heads = [f"{mine}: {figure.replace('_', ' ')}" for mine in ("tier", "score") for figure in RANKED]
    return "\n\n".join(
        [
            text_table(["family", "variant", "status", *splits, "rows"], counts),
            spreads(
                {
                    "prompt_characters": "prompt characters",
                    "clues": "clues",
                    "search_space_log10": "log10 of search space",
                    "optimum": "least cost",
                    "trace_steps": "trace steps",
                    "unsat_core_size": "unsat core size",
                }
            ),
            spreads(
                {
                    "nodes": "nodes",
                    "generated": "states generated",
                    "sat_decisions": "SAT decisions",
                    "sat_conflicts": "SAT conflicts",
                    "smt_decisions": "Z3 decisions",
                    "smt_conflicts": "Z3 conflicts",
                }
            ),
            text_table(
                ["family", "variant", "difficulty", "tiers", "depth of unsat cores", "reply formats"],
                [(*kind, *[counted(sort.tallies[name]) or "-" for name in TALLIES]) for kind, sort in sorts],
            ),
            *["rank correlation (Spearman) of\n" + text_table(["family", "rows that are", "rows", *heads], ranked)]
            * bool(ranked),
            "answers of canonical puzzles\n"
            + text_table(
                ["family", "slots", "rows", "distinct", "largest share of a value", "even draws reach"],
                [
                    (
                        family,
                        kind,
                        some.rows,
                        len(some.distinct),
                        *["-" if x is None else f"{x:.4f}" for x in (some.largest(), some.even())],
                    )
                    for (family, kind), some in sorted(found.answers.items())
                ],
            ),
            text_table(
                ["family", "split", "groups", "thrown away while making them"],
                [(cell["family"], cell["split"], cell["groups"], counted(cell["dropped"]) or "-") for cell in found.made],
            ),
        ]
    )
