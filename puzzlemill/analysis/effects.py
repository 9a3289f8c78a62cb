"""Effects of transforms on models: regressions and correlations over replies (extra: pip install 'puzzlemill[analysis]').

Regression (HardcoreLogic, sections 4.1 and D.5), for each family:

    accuracy of a cell = baseline + k_IC1 * [IC1] + k_IC2 * [IC2] + k_UE1 * [UE1] + k_UE2 * [UE2]

by weighted least squares. A cell is a model's replies to one variant (`variant`, as in the paper) or to one row (`row`); its
weight is the number of its replies, [IC1] is 1 if a transform of that kind led from the canonical puzzle to it. Effects add
up by assumption. Rows without a solution and rows with a change that must not matter (SURFACE) are left out: neither is one
of the four kinds. Intervals and p-values are Student's with as many degrees of freedom as cells exceed coefficients; where
cells are rows, standard errors are clustered by group. Of several models there are three fits: of all cells with one baseline
(the paper's), with a baseline for each model, and of each model alone. The single-factor refit leaves out cells of more than
one kind.

Where the cells do not decide, a note says why: a kind that none of them has, that all have, or that always comes with others, and
cells that are too few to leave an error to estimate.

Correlation (D.1): Spearman's of a row's success rate (the share of its replies that are right) with each figure of
complexity, among canonical rows and those of one kind, and among all solvable rows. Ranks, since success rates have few
values and figures are skewed. p-values are by Student's approximation and take rows as independent, as the paper's do; Holm's
correction is over all correlations of one model. Intervals: Fisher's z with the standard error of Bonett and Wright (2000).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import atanh, isnan, sqrt, tanh
from typing import Any

from puzzlemill.analysis import tables
from puzzlemill.analysis.complexity import BY_NAME, CLAIMS, MEASURES, Instance, read
from puzzlemill.analysis.extras import needing
from puzzlemill.analysis.report import Given, solved
from puzzlemill.core.errors import BadParams
from puzzlemill.factory.read import Release
from puzzlemill.scoring.metrics import Z

FACTORS = tuple(CLAIMS)
CELLS = ("variant", "row")
LEAST_ROWS = 10  # of a correlation
FEW_GROUPS = 10  # clusters, below which their standard errors are too small
ROUNDING = 1e-15  # a variance below it is what is left of 0: accuracies are from 0 to 1
_ALL = "all models"
_NO_ERROR = "no error is left to estimate"


@dataclass(frozen=True, slots=True)
class Seen:
    """One row and a model's replies to it. right: how many of `samples` are right."""

    model: str
    row: Instance
    right: float
    samples: int


@dataclass(frozen=True, slots=True)
class Cell:
    """One observation of a regression. accuracy: 0 to 1. weight: replies. group: for clusters, "" without."""

    model: str
    name: str
    kinds: frozenset[str]
    accuracy: float
    weight: float
    rows: int
    group: str = ""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """value: change of accuracy, or None with a note why there is none. low, high, p: None without an error to estimate."""

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Fit:
    """One regression. which: "all models", "all models, a baseline each", or a model.

    single_factor: the refit without cells of more than one kind. baseline: None where each model has its own. note: a problem of
    the whole, "" if there is none.
    """

    family: str
    which: str
    single_factor: bool
    cells: int
    rows: int
    replies: int
    baseline: Coefficient | None
    coefficients: tuple[Coefficient, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Correlation:
    """among: "IC1" (canonical rows and those of that kind) or "all". rho: None with a note why there is none."""

    family: str
    model: str
    among: str
    measure: str
    rows: int
    rho: float | None
    low: float | None = None
    high: float | None = None
    p: float | None = None
    p_holm: float | None = None
    note: str = ""


@dataclass(slots=True)
class Effects:
    """models: in the order of their files. rows_left_out: solvable rows of SURFACE variants, and rows without a solution."""

    models: list[str]
    cells: str
    rows_left_out: int = 0
    regressions: list[Fit] = field(default_factory=list)
    correlations: list[Correlation] = field(default_factory=list)


# ---- reading ----------------------------------------------------------------------------------------------------------


def effects(release: Release, files: Sequence[Given], cells: str = "variant", answered: bool = False) -> Effects:
    """Score every file and estimate. cells: one of CELLS. answered: leave rows without a reply out.

    Raises BadInput if the extra is missing, and as `score` does.
    """
    if cells not in CELLS:
        raise BadParams(f"--cells: expected {' or '.join(CELLS)}, got {cells!r}")
    _library()
    instances = read(release).instances
    seen = [
        Seen(name, instances[one.item.id], sum(one.solved), len(one.solved)) for name, one in solved(release, files, answered)
    ]
    return estimated(seen, [given.name for given in files], cells)


def estimated(seen: Sequence[Seen], models: Sequence[str], cells: str = "variant") -> Effects:
    """All fits and correlations of these replies."""
    kept = [one for one in seen if one.row.solvable and set(one.row.kinds) <= set(FACTORS)]
    out = Effects(list(models), cells, len({one.row.id for one in seen}) - len({one.row.id for one in kept}))
    for family in sorted({one.row.family for one in kept}):
        some = [one for one in kept if one.row.family == family]
        made = cells_of(some, cells)
        for single in (False, True):
            chosen = [cell for cell in made if not single or len(cell.kinds) < 2]
            out.regressions.append(fit(family, _ALL if len(models) > 1 else models[0], chosen, single))
            if len(models) > 1:
                out.regressions.append(fit(family, f"{_ALL}, a baseline each", chosen, single, each=True))
                for model in models:
                    out.regressions.append(fit(family, model, [cell for cell in chosen if cell.model == model], single))
        out.correlations += _correlations(family, some, models)
    out.correlations = _corrected(out.correlations)
    return out


def cells_of(seen: Iterable[Seen], cells: str) -> list[Cell]:
    """One cell for each model and variant, or row, in their order."""
    found: dict[tuple[str, str], list[Seen]] = {}
    for one in seen:
        found.setdefault((one.model, one.row.variant if cells == "variant" else one.row.id), []).append(one)
    out = []
    for (model, name), some in found.items():
        by_kinds: dict[frozenset[str], list[Seen]] = {}
        for one in some:  # a variant may stand for other transforms in another part of the recipe
            by_kinds.setdefault(frozenset(one.row.kinds), []).append(one)
        for kinds, alike in by_kinds.items():
            replies = sum(one.samples for one in alike)
            group = alike[0].row.group if cells == "row" else ""
            out.append(Cell(model, name, kinds, sum(one.right for one in alike) / replies, replies, len(alike), group))
    return out


def _library() -> Any:
    with needing("effects", "analysis"):
        import statsmodels.api as library
    return library


# ---- regression -------------------------------------------------------------------------------------------------------


def fit(family: str, which: str, cells: Sequence[Cell], single: bool = False, each: bool = False) -> Fit:
    """Weighted least squares over these cells. each: a baseline for every model in place of one."""
    rows, replies = sum(cell.rows for cell in cells), int(sum(cell.weight for cell in cells))
    named = Fit(family, which, single, len(cells), rows, replies, None, ())
    if not cells:
        return replace(named, note="no cell is left")
    models = list(dict.fromkeys(cell.model for cell in cells)) if each else [""]
    starts = [[int(not each or cell.model == model) for cell in cells] for model in models]
    columns = {name: [int(name in cell.kinds) for cell in cells] for name in FACTORS}
    notes = {name: _why_not(name, columns, starts) for name in FACTORS}
    usable = [name for name in FACTORS if not notes[name]]
    design = list(starts)
    unclear = [name for name in FACTORS if notes[name]]
    for name in (*usable, *unclear):  # the unclear take part as far as they can
        if _rank([*design, columns[name]]) > len(design):
            design.append(columns[name])
    library, data = _library(), [list(line) for line in zip(*design, strict=True)]
    problem = library.WLS([cell.accuracy for cell in cells], data, weights=[cell.weight for cell in cells])
    plain = problem.fit()
    spare = len(cells) - len(design)
    note = ""
    if len(cells) == 1:
        note = "one cell only: its accuracy is the baseline"
    elif spare <= 0:
        note = "as many coefficients as cells: no error is left to estimate"
    elif all(cell.accuracy == cells[0].accuracy for cell in cells):
        note = "all cells have the same accuracy"
    elif float(plain.ssr) <= 1e-18 * replies:
        note = "the fit is exact: no error is left to estimate"
    values = [float(value) for value in plain.params]
    inferred: list[tuple[float | None, float | None, float | None]] = [(None, None, None)] * len(values)
    if not note:
        found, degrees = plain, spare
        groups = sorted({cell.group for cell in cells})
        if len(groups) > 1:
            codes, degrees = {group: i for i, group in enumerate(groups)}, len(groups) - 1
            found = problem.fit(cov_type="cluster", cov_kwds={"groups": [codes[cell.group] for cell in cells]}, use_t=True)
            if len(groups) < FEW_GROUPS:
                note = f"{len(groups)} groups are few: intervals are too narrow"
        variances = [float(line[i]) for i, line in enumerate(found.cov_params())]
        inferred = [_inferred(value, variance, degrees) for value, variance in zip(values, variances, strict=True)]
    baseline = (
        None if each else Coefficient("baseline", values[0], *inferred[0], note=_NO_ERROR if inferred[0][0] is None else "")
    )
    coefficients = []
    for name in FACTORS:
        if notes[name]:
            coefficients.append(Coefficient(name, None, note=notes[name]))
        else:
            place = len(starts) + usable.index(name)
            coefficients.append(
                Coefficient(name, values[place], *inferred[place], note=_NO_ERROR if inferred[place][0] is None else "")
            )
    return replace(named, baseline=baseline, coefficients=tuple(coefficients), note=note)


def _inferred(value: float, variance: float, degrees: int) -> tuple[float, float, float] | tuple[None, None, None]:
    """Interval and p-value; none where clusters leave no variance, as where a kind's cells are all alike."""
    from scipy.stats import t

    if variance < ROUNDING:
        return None, None, None
    error = sqrt(variance)
    low, high = t.interval(0.95, degrees, value, error)
    return float(low), float(high), 2 * float(t.sf(abs(value) / error, degrees))


def _why_not(name: str, columns: Mapping[str, Sequence[int]], starts: Sequence[Sequence[int]]) -> str:
    """Say why these cells do not show what a kind does; "" if they do."""
    mine = columns[name]
    if not any(mine):
        return "in none of these rows"
    if all(mine):
        return "in all of these rows: nothing to compare with"
    others = [column for other, column in columns.items() if other != name]
    if _rank([*starts, *others, mine]) > _rank([*starts, *others]):
        return ""
    with_it = [other for other, column in columns.items() if other != name and any(column)]
    for other in with_it:
        if list(columns[other]) == list(mine):
            return f"always together with {other}: cannot be told from it"
    return f"cannot be told from {', '.join(with_it)}" if with_it else "cannot be told from the models' baselines"


def _rank(columns: Sequence[Sequence[int]]) -> int:
    """The rank of a matrix of zeros and ones."""
    from scipy.linalg import orth

    return int(orth(columns).shape[1])


# ---- correlations -----------------------------------------------------------------------------------------------------


def _correlations(family: str, seen: Sequence[Seen], models: Sequence[str]) -> list[Correlation]:
    by_model: dict[str, dict[str, float]] = {model: {} for model in models}
    rows = {one.row.id: one.row for one in seen}
    for one in seen:
        by_model[one.model][one.row.id] = one.right / one.samples
    if len(models) > 1:  # rows that all models were asked
        common = [name for name in rows if all(name in rates for rates in by_model.values())]
        by_model[_ALL] = {name: sum(by_model[model][name] for model in models) / len(models) for name in common}
    out = []
    for model, rates in by_model.items():
        for among, measures in (*CLAIMS.items(), ("all", tuple(measure.name for measure in MEASURES))):
            chosen = [rows[name] for name in rates if among == "all" or not rows[name].kinds or among in rows[name].kinds]
            if among != "all" and not any(among in row.kinds for row in chosen):
                continue
            for measure in measures:
                pairs = [(row.figures[measure], rates[row.id]) for row in chosen if measure in row.figures]
                if pairs:
                    out.append(correlated(pairs, Correlation(family, model, among, measure, len(pairs), None)))
    return out


def correlated(pairs: Sequence[tuple[float, float]], named: Correlation) -> Correlation:
    """Spearman's rho of (figure, success rate), or why there is none."""
    if len(pairs) < LEAST_ROWS:
        return replace(named, note=f"{len(pairs)} rows are too few")
    figures_, rates = [figure for figure, _ in pairs], [rate for _, rate in pairs]
    if len(set(rates)) == 1:
        return replace(named, note="all rows have the same success rate")
    if len(set(figures_)) == 1:
        return replace(named, note="all rows have the same figure")
    _library()
    from scipy.stats import spearmanr

    found = spearmanr(figures_, rates)
    rho, p = max(-1.0, min(1.0, float(found.statistic))), float(found.pvalue)
    if abs(rho) > 1 - 1e-12:
        return replace(named, rho=round(rho), p=p)
    slack = Z * sqrt((1 + rho * rho / 2) / (len(pairs) - 3))
    return replace(named, rho=rho, low=tanh(atanh(rho) - slack), high=tanh(atanh(rho) + slack), p=p)


def _corrected(found: Sequence[Correlation]) -> list[Correlation]:
    """Return correlations with Holm's p-values, over all correlations of a model."""
    from statsmodels.stats.multitest import multipletests

    holm: dict[int, float] = {}
    for model in dict.fromkeys(one.model for one in found):
        places = [i for i, one in enumerate(found) if one.model == model and one.p is not None and not isnan(one.p)]
        if places:
            _, corrected, _, _ = multipletests([found[i].p for i in places], method="holm")
            holm |= {place: float(p) for place, p in zip(places, corrected, strict=True)}
    return [replace(one, p_holm=holm.get(i)) for i, one in enumerate(found)]


# ---- output -----------------------------------------------------------------------------------------------------------


def to_json(found: Effects) -> dict[str, Any]:
    """Everything as JSON-able values."""
    return dict(tables.to_json(found))


def label(measure: str) -> str:
    """A figure's name for people."""
    return BY_NAME[measure].label
