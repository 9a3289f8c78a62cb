"""Association of the structure of truth-finding tasks, or of another benchmark, with models' replies to them (docs/graphs.md).

Structure: a task's signature (kumo/graphs.py) is a category, and a task counts as right if more than half of a model's replies
to it are (3 of 5). Chi-square test of independence of signature and being right, without continuity correction; Cramer's V, and
the V corrected for bias, which without it grows with the number of signatures even where there is nothing to see. Where cells
expect fewer than 5 tasks the chi-square distribution is a poor guide, and a permutation test says more: being right is dealt
anew among the tasks, and its p-value is (1 + draws with as large a statistic) / (1 + draws).

Other benchmarks: Pearson's correlation, over models, of the share of right replies with a score, with an interval by Fisher's z.
Sources: the paper, "Details of Chi-square test"; W. Bergsma, A bias-correction for Cramer's V and Tschuprow's T, J. Korean Stat.
Soc. 42, 2013; B. Phipson, G. Smyth, Permutation p-values should never be zero, 2010. Extra: pip install 'puzzlemill[analysis]'.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import atanh, gcd, isfinite, sqrt, tanh
from pathlib import Path
from typing import Any, NoReturn

from puzzlemill.analysis.effects import p_words
from puzzlemill.analysis.report import Given, figures
from puzzlemill.analysis.stats import text_table
from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadFile, BadInput, BadRow
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.rng import Rng, stream
from puzzlemill.factory.read import Release, rows
from puzzlemill.generators import family_named
from puzzlemill.kumo.domain.domain import Domain
from puzzlemill.kumo.graphs import signature

DRAWS = 999  # of the permutation test
SPARSE = 5  # tasks that a cell should expect
LEAST_MODELS = 3
MAX_SCORES = 1 << 20  # bytes of a file of scores
_Z = 1.959963984540054

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
    """Signature and being right, of one model. right: tasks by majority. chi_square and what follows: None with a note why.

    low_cells: share of the table's cells that expect fewer than SPARSE tasks. v, v_corrected: 0 to 1. p: by the chi-square
    distribution; permuted: by permutation, DRAWS draws.
    """

    model: str
    tasks: int
    right: int
    signatures: int
    chi_square: float | None = None
    freedom: int | None = None
    p: float | None = None
    permuted: float | None = None
    v: float | None = None
    v_corrected: float | None = None
    low_cells: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Beside:
    """Accuracy on these tasks beside another benchmark's scores, over models. r: None with a note why."""

    benchmark: str
    models: int
    r: float | None = None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    note: str = ""


@dataclass(slots=True)
class Structure:
    """accuracy: model -> share of right replies."""

    accuracy: dict[str, float] = field(default_factory=dict)
    associations: list[Association] = field(default_factory=list)
    besides: list[Beside] = field(default_factory=list)


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
    seen: list[Seen] = []
    for given in files:
        (model,) = figures(release, [given], lambda row, _given, _k: float(row["guess_baseline"]), 0, answered)
        for one in model.measured:
            if one.item.id in known and one.solved:
                seen.append(Seen(given.name, one.item.id, known[one.item.id], sum(one.solved), len(one.solved)))
    return estimated(seen, [given.name for given in files], others)


def estimated(seen: Sequence[Seen], models: Sequence[str], others: Mapping[str, Mapping[str, float]]) -> Structure:
    """All tests of these replies. others: benchmark -> model -> score."""
    found = Structure()
    for model in models:
        mine = [one for one in seen if one.model == model]
        if mine:
            found.accuracy[model] = sum(one.right / one.samples for one in mine) / len(mine)
        found.associations.append(associated(model, mine))
    found.besides = [beside(name, found.accuracy, scores) for name, scores in others.items()]
    return found


def _signatures(release: Release) -> dict[str, Signature]:
    """The signature of each row that is a task of truth finding, by the row's id."""
    found = {}
    kinds: dict[str, Any] = {}
    for row in rows(release, ("id", "family", "puzzle")):
        family = row["family"]
        if family not in kinds:
            kinds[family] = puzzle_type(family_named(family))
        if kinds[family] is None:
            continue
        try:
            board = loads(kinds[family], row["puzzle"], "puzzle").board
        except BadInput:
            raise BadRow(f"row {str(row['id'])[:80]}: no puzzle; `puzzlemill verify` tells what is wrong with it") from None
        if isinstance(board, Domain):
            found[row["id"]] = signature(board)
        else:
            kinds[family] = None  # a family of other puzzles
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
    try:
        from scipy import stats
    except ImportError:
        raise BadInput("structure needs the package scipy: pip install 'puzzlemill[analysis]'") from None
    return stats


# ---- structure --------------------------------------------------------------------------------------------------------


def associated(model: str, seen: Sequence[Seen]) -> Association:
    """The tests for one model; seen: its tasks, each once."""
    tasks, right = len(seen), sum([one.majority for one in seen])
    table: dict[Signature, list[int]] = {}
    for one in sorted(seen, key=lambda one: (one.signature, one.task)):
        table.setdefault(one.signature, [0, 0])[one.majority] += 1
    named = Association(model, tasks, right, len(table))
    if not tasks:
        return replace(named, note="no task has a reply")
    if right in (0, tasks):
        return replace(named, note="all tasks are right" if right else "no task is right")
    if len(table) == 1:
        return replace(named, note="all tasks have the same signature")
    counts = list(table.values())
    found = chi_square(counts)
    low = found.low_cells
    named = replace(
        named,
        chi_square=found.statistic,
        freedom=found.freedom,
        p=found.p,
        v=cramer(found.statistic, tasks, len(counts), 2),
        v_corrected=cramer_corrected(found.statistic, tasks, len(counts), 2),
        low_cells=low,
        permuted=permuted(counts, stream("structure", "permutation", tasks, right), DRAWS),
    )
    if low:
        return replace(named, note=f"{100 * low:.0f} % of cells expect fewer than {SPARSE} tasks: go by p permuted")
    return named


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """low_cells: share of cells that expect fewer than SPARSE."""

    statistic: float
    freedom: int
    p: float
    low_cells: float


def chi_square(counts: Sequence[Sequence[int]]) -> ChiSquare:
    """Pearson's test of independence; counts: rows of a table of two rows and columns or more, none of them all 0."""
    found = _library().chi2_contingency([list(line) for line in counts], correction=False)
    expected = [float(cell) for line in found.expected_freq for cell in line]
    low = sum([cell < SPARSE for cell in expected]) / len(expected)
    return ChiSquare(float(found.statistic), int(found.dof), float(found.pvalue), low)


def cramer(statistic: float, n: int, lines: int, columns: int) -> float:
    """Cramer's V of a table of n observations with this chi-square."""
    return sqrt(statistic / n / (min(lines, columns) - 1))


def cramer_corrected(statistic: float, n: int, lines: int, columns: int) -> float:
    """The same without most of its bias (Bergsma): 0 on average where nothing depends on anything; 0 where n is too small."""
    free = (lines - 1) * (columns - 1) / (n - 1)
    sides = [side - (side - 1) ** 2 / (n - 1) for side in (lines, columns)]
    room = min(sides) - 1
    return sqrt(max(0.0, statistic / n - free) / room) if room > 0 else 0.0


def permuted(counts: Sequence[tuple[int, int] | Sequence[int]], rng: Rng, draws: int) -> float:
    """The permutation p-value of a table with two columns.

    With the margins fixed chi-square grows with sum(k * k / n) over the lines, k of a line's n in the rarer column: compared as
    whole numbers, so that equal statistics are equal.
    """
    sizes = [sum(line) for line in counts]
    column = int(sum([line[1] for line in counts]) * 2 <= sum(sizes))  # the rarer one
    many = 1
    for size in sizes:
        many = many * size // gcd(many, size)
    weights = [many // size for size in sizes]
    of = [i for i, size in enumerate(sizes) for _ in range(size)]
    picked = sum([line[column] for line in counts])
    seen = sum([weight * line[column] ** 2 for weight, line in zip(weights, counts, strict=True)])
    as_large = 0
    for _ in range(draws):
        drawn = [0] * len(sizes)
        for i in range(picked):  # as many tasks as are in that column, drawn evenly
            other = i + rng.below(len(of) - i)
            of[i], of[other] = of[other], of[i]
            drawn[of[i]] += 1
        as_large += sum([weight * k * k for weight, k in zip(weights, drawn, strict=True)]) >= seen
    return (1 + as_large) / (1 + draws)


# ---- other benchmarks -------------------------------------------------------------------------------------------------


def beside(benchmark: str, accuracy: Mapping[str, float], scores: Mapping[str, float]) -> Beside:
    """Pearson's r over the models that both have."""
    both = [(accuracy[model], scores[model]) for model in accuracy if model in scores]
    named = Beside(benchmark, len(both))
    if len(both) < LEAST_MODELS:
        return replace(named, note=f"{len(both)} models with both are too few; names must be the same")
    ours, theirs = [a for a, _ in both], [b for _, b in both]
    if len(set(ours)) == 1 or len(set(theirs)) == 1:
        return replace(named, note="all models have the same score")
    found = _library().pearsonr(ours, theirs)
    r, p = max(-1.0, min(1.0, float(found.statistic))), float(found.pvalue)
    if len(both) == LEAST_MODELS:
        return replace(named, r=r, p=p, note="3 models leave no interval")
    if abs(r) > 1 - 1e-12:
        return replace(named, r=r, low=r, high=r, p=p)
    slack = _Z / sqrt(len(both) - 3)
    return replace(named, r=r, low=tanh(atanh(r) - slack), high=tanh(atanh(r) + slack), p=p)


# ---- output -----------------------------------------------------------------------------------------------------------


def to_json(found: Structure) -> dict[str, Any]:
    """Everything as JSON-able values, rounded."""

    def small(value: float | None) -> float | None:
        return None if value is None else float(f"{value:.4g}")

    return {
        "structure": [
            {
                "model": one.model,
                "accuracy": small(found.accuracy.get(one.model)),
                "tasks": one.tasks,
                "right_by_majority": one.right,
                "signatures": one.signatures,
                "chi_square": small(one.chi_square),
                "degrees_of_freedom": one.freedom,
                "p": small(one.p),
                "p_permutation": small(one.permuted),
                "cramers_v": small(one.v),
                "cramers_v_corrected": small(one.v_corrected),
                "cells_expecting_fewer_than_5": small(one.low_cells),
                "note": one.note,
            }
            for one in found.associations
        ],
        "other_benchmarks": [
            {
                "benchmark": one.benchmark,
                "models": one.models,
                "pearson_r": small(one.r),
                "low": small(one.low),
                "high": small(one.high),
                "p": small(one.p),
                "note": one.note,
            }
            for one in found.besides
        ],
    }


def to_text(found: Structure) -> str:
    """The two tables."""

    def share(value: float | None) -> str:
        return "-" if value is None else f"{value:.3f}"

    lines = [
        (
            one.model,
            one.tasks,
            one.right,
            one.signatures,
            "-" if one.chi_square is None else f"{one.chi_square:.1f} ({one.freedom})",
            p_words(one.p),
            p_words(one.permuted),
            share(one.v),
            share(one.v_corrected),
            one.note,
        )
        for one in found.associations
    ]
    heads = ("model", "tasks", "right", "signatures", "chi-square (df)", "p", "p permuted", "V", "V corrected", "note")
    parts = [text_table(heads, lines)]
    if found.besides:
        others = [(one.benchmark, one.models, *_interval(one), p_words(one.p), one.note) for one in found.besides]
        parts.append(text_table(("benchmark", "models", "r", "95 % interval", "p", "note"), others))
    return "\n\n".join(parts)


def _interval(one: Beside) -> tuple[str, str]:
    r = "-" if one.r is None else f"{one.r:.2f}"
    return r, "-" if one.low is None or one.high is None else f"{one.low:.2f} to {one.high:.2f}"
