"""Association of the structure of truth-finding tasks, or of another benchmark, with models' replies to them (docs/graphs.md).

Structure: a task's signature (kumo/graphs.py) is a category, and a task counts as right if more than half of a model's replies
to it are (3 of 5). Chi-square test of independence of signature and being right, without continuity correction; Cramer's V, and
the V corrected for bias, which without it grows with the number of signatures even where there is nothing to see. Where cells
expect fewer than 5 tasks the chi-square distribution is a poor guide, and a permutation test (SciPy's, with a fixed seed) says
more: being right is dealt anew among the tasks, and its p-value is (1 + draws with as large a statistic) / (1 + draws).

Other benchmarks: Pearson's correlation, over models, of the share of right replies with a score, with an interval by Fisher's z.
Sources: the paper, "Details of Chi-square test"; W. Bergsma, A bias-correction for Cramer's V and Tschuprow's T, J. Korean Stat.
Soc. 42, 2013; B. Phipson, G. Smyth, Permutation p-values should never be zero, 2010. Extra: pip install 'puzzlemill[analysis]'.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from pathlib import Path
from statistics import fmean
from typing import Any, NoReturn

from puzzlemill.analysis import tables
from puzzlemill.analysis.extras import needing
from puzzlemill.analysis.report import Given, solved
from puzzlemill.analysis.rows import naming, puzzle_of
from puzzlemill.analysis.tables import p_words, text_table
from puzzlemill.core.errors import BadFile, BadInput
from puzzlemill.core.rng import digest
from puzzlemill.factory.read import Release, rows
from puzzlemill.kumo.domain.domain import Domain
from puzzlemill.kumo.graphs import signature

DRAWS = 999  # of the permutation test
SPARSE = 5  # tasks that a cell should expect
LEAST_MODELS = 3
MAX_SCORES = 1 << 20  # bytes of a file of scores

Signature = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A task and a model's replies to it. right: how many of `samples` are."""

    model: str
    task: str
    signature: Signature
    right: int
    samples: int

    @property
    def majority(self) -> bool:
        """More than half of the replies are right."""
        return 2 * self.right > self.samples


@dataclass(frozen=True, slots=True)
class Association:
    """Signature and being right, of one model. chi_square and what follows: None with a note why.

    accuracy: share of right replies. right_by_majority: tasks. cells_expecting_fewer_than_5: share of the table's cells.
    cramers_v, cramers_v_corrected: 0 to 1. p: by the chi-square distribution; p_permutation: by permutation, DRAWS draws.
    """

    model: str
    accuracy: float | None
    tasks: int
    right_by_majority: int
    signatures: int
    chi_square: float | None = None
    degrees_of_freedom: int | None = None
    p: float | None = None
    p_permutation: float | None = None
    cramers_v: float | None = None
    cramers_v_corrected: float | None = None
    cells_expecting_fewer_than_5: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Against:
    """Accuracy on these tasks against another benchmark's scores, over models. pearson_r: None with a note why."""

    benchmark: str
    models: int
    pearson_r: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Structure:
    """The tests of every model, and the correlation with every other benchmark."""

    structure: list[Association]
    other_benchmarks: list[Against]


# ---- reading ----------------------------------------------------------------------------------------------------------


def structure(release: Release, files: Sequence[Given], scores: Sequence[Path] = (), answered: bool = False) -> Structure:
    """Score every file and test. Only tasks of truth finding count. answered: leave tasks without a reply out.

    Raises BadInput if the extra is missing or the release has no such task, and as `score` does.
    """
    _library()
    others = {path.stem: read_scores(path) for path in scores}
    if len(others) < len(scores):
        raise BadInput("--scores: two files have one name, which is the benchmark's; rename one of them")
    known = _signatures(release)
    if not known:
        raise BadInput(
            f"{release.folder}: no row is a task of truth finding; name a release that has some, as of the family kumo"
        )
    seen = [
        Seen(name, one.item.id, known[one.item.id], sum(one.solved), len(one.solved))
        for name, one in solved(release, files, answered)
        if one.item.id in known and one.solved
    ]
    return estimated(seen, [given.name for given in files], others)


def estimated(seen: Sequence[Seen], models: Sequence[str], others: Mapping[str, Mapping[str, float]]) -> Structure:
    """All tests of these replies. others: benchmark -> model -> score."""
    found = [associated(model, [one for one in seen if one.model == model]) for model in models]
    accuracy = {one.model: one.accuracy for one in found if one.accuracy is not None}
    return Structure(found, [against(name, accuracy, scores) for name, scores in others.items()])


def _signatures(release: Release) -> dict[str, Signature]:
    """The signature of each row that is a task of truth finding, by the row's id."""
    found = {}
    others: set[str] = set()  # families of other puzzles
    for row in rows(release, ("id", "family", "puzzle")):
        if row["family"] not in others:
            with naming(row, "read"):
                board = puzzle_of(row)[1].board
            if isinstance(board, Domain):
                found[row["id"]] = signature(board)
            else:
                others.add(row["family"])
    return found


def read_scores(path: Path) -> dict[str, float]:
    """A benchmark's score of each model, from a CSV file with the heads model,score. Raises BadFile, naming file and line."""

    def bad(problem: str) -> NoReturn:
        raise BadFile(f"{path}{problem}") from None

    try:
        with path.open("rb") as file:
            raw = file.read(MAX_SCORES + 1)
        content = raw.decode("utf-8-sig")
    except OSError as error:
        bad(f": {error.strerror or error}; give a CSV file with the heads model,score")
    except UnicodeDecodeError:
        bad(": not UTF-8; save it as such")
    if len(raw) > MAX_SCORES:
        bad(f": more than {MAX_SCORES} bytes; give a CSV file with the heads model,score")
    scores: dict[str, float] = {}
    reader = csv.reader(content.splitlines(), strict=True)
    try:
        for cells in reader:
            where = f":{reader.line_num}: "
            if reader.line_num == 1:
                if [cell.strip() for cell in cells] != ["model", "score"]:
                    bad(f"{where}expected the heads model,score, got {','.join(cells)[:80]!r}")
            elif cells:
                if len(cells) != 2 or not cells[0].strip() or not cells[0].isprintable():
                    bad(f"{where}expected a model and a score, got {','.join(cells)[:80]!r}")
                model, value = cells[0].strip(), _number(cells[1])
                if value is None:
                    bad(f"{where}expected a number as the score, got {cells[1][:40]!r}")
                if model in scores:
                    bad(f"{where}a second score of {model[:80]!r}; leave one")
                scores[model] = value
    except csv.Error as error:
        bad(f":{reader.line_num}: not CSV ({error})")
    if not scores:
        bad(": holds no scores; each line is a model and its score")
    return scores


def _number(raw: str) -> float | None:
    try:
        value = float(raw)
    except ValueError:
        return None
    return value if isfinite(value) else None


def _library() -> Any:
    with needing("structure", "analysis"):
        from scipy import stats
    return stats


# ---- structure --------------------------------------------------------------------------------------------------------


def associated(model: str, seen: Sequence[Seen]) -> Association:
    """The tests for one model; seen: its tasks, each once."""
    tasks, right = len(seen), sum([one.majority for one in seen])
    accuracy = fmean([one.right / one.samples for one in seen]) if tasks else None
    table: dict[Signature, list[int]] = {}
    for one in sorted(seen, key=lambda one: (one.signature, one.task)):
        table.setdefault(one.signature, [0, 0])[one.majority] += 1
    named = Association(model, accuracy, tasks, right, len(table))
    if not tasks:
        return replace(named, note="no task has a reply")
    if right in (0, tasks):
        return replace(named, note="all tasks are right" if right else "no task is right")
    if len(table) == 1:
        return replace(named, note="all tasks have the same signature")
    found = replace(named, **independence(list(table.values()), DRAWS))
    if low := found.cells_expecting_fewer_than_5:
        return replace(found, note=f"{100 * low:.0f} % of cells expect fewer than {SPARSE} tasks: go by p permuted")
    return found


def independence(counts: Sequence[Sequence[int]], draws: int) -> dict[str, Any]:
    """Tests of independence, as Association has them; counts: a table of two rows and columns or more, none of them all 0."""
    stats = _library()
    found = stats.chi2_contingency(counts, correction=False)
    seed = int.from_bytes(digest("structure", "permutation", *[n for line in counts for n in line])[:8], "big")
    dealt = stats.chi2_contingency(counts, correction=False, method=stats.PermutationMethod(n_resamples=draws, rng=seed))
    expected = [float(cell) for line in found.expected_freq for cell in line]
    statistic, n, sides = float(found.statistic), sum(map(sum, counts)), (len(counts), len(counts[0]))
    return {
        "chi_square": statistic,
        "degrees_of_freedom": int(found.dof),
        "p": float(found.pvalue),
        "p_permutation": float(dealt.pvalue),
        "cramers_v": float(stats.contingency.association(counts, method="cramer")),
        "cramers_v_corrected": cramer_corrected(statistic, n, *sides),
        "cells_expecting_fewer_than_5": sum([cell < SPARSE for cell in expected]) / len(expected),
    }


def cramer_corrected(statistic: float, n: int, lines: int, columns: int) -> float:
    """Cramer's V without most of its bias (Bergsma): 0 on average where nothing depends on anything; 0 where n is too small."""
    free = (lines - 1) * (columns - 1) / (n - 1)
    sides = [side - (side - 1) ** 2 / (n - 1) for side in (lines, columns)]
    room = min(sides) - 1
    return sqrt(max(0.0, statistic / n - free) / room) if room > 0 else 0.0


# ---- other benchmarks -------------------------------------------------------------------------------------------------


def against(benchmark: str, accuracy: Mapping[str, float], scores: Mapping[str, float]) -> Against:
    """Pearson's r over the models that both have."""
    both = [(accuracy[model], scores[model]) for model in accuracy if model in scores]
    named = Against(benchmark, len(both))
    if len(both) < LEAST_MODELS:
        return replace(named, note=f"{len(both)} models with both are too few; names must be the same")
    ours, theirs = zip(*both, strict=True)
    if len(set(ours)) == 1 or len(set(theirs)) == 1:
        return replace(named, note="all models have the same score")
    found = _library().pearsonr(ours, theirs)
    named = replace(named, pearson_r=float(found.statistic), p=float(found.pvalue))
    if len(both) == LEAST_MODELS:
        return replace(named, note="3 models leave no interval")
    interval = found.confidence_interval()
    return replace(named, low=float(interval.low), high=float(interval.high))


# ---- output -----------------------------------------------------------------------------------------------------------


def to_json(found: Structure) -> dict[str, Any]:
    """Everything as JSON-able values."""
    return dict(tables.to_json(found))


def to_text(found: Structure) -> str:
    """The two tables."""

    def share(value: float | None) -> str:
        return "-" if value is None else f"{value:.3f}"

    lines = [
        (
            one.model,
            one.tasks,
            one.right_by_majority,
            one.signatures,
            "-" if one.chi_square is None else f"{one.chi_square:.1f} ({one.degrees_of_freedom})",
            p_words(one.p),
            p_words(one.p_permutation),
            share(one.cramers_v),
            share(one.cramers_v_corrected),
            one.note,
        )
        for one in found.structure
    ]
    heads = ("model", "tasks", "right", "signatures", "chi-square (df)", "p", "p permuted", "V", "V corrected", "note")
    parts = [text_table(heads, lines)]
    if found.other_benchmarks:
        others = [(one.benchmark, one.models, *_interval(one), p_words(one.p), one.note) for one in found.other_benchmarks]
        parts.append(text_table(("benchmark", "models", "r", "95 % interval", "p", "note"), others))
    return "\n\n".join(parts)


def _interval(one: Against) -> tuple[str, str]:
    r = "-" if one.pearson_r is None else f"{one.pearson_r:.2f}"
    return r, "-" if one.low is None or one.high is None else f"{one.low:.2f} to {one.high:.2f}"
