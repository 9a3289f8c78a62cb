"""The report on effects as one HTML file, and as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlemill.analysis import pages
from puzzlemill.analysis.effects import FACTORS, Coefficient, Correlation, Effects, Fit, label
from puzzlemill.analysis.pages import Cell, Content, Interval, Prose, Section, Table, nothing, number
from puzzlemill.analysis.tables import p_words, percent, text_table
from puzzlemill.factory.read import Release

_DOWN, _UP, _OPEN = "#c53030", "#2f855a", "#718096"
_REGRESSION = (
    "Change of accuracy in percentage points that goes with each kind of transform, by least squares weighted with the number of "
    "replies. Red: the interval lies below 0, harder for the model; green: above 0."
)


# ---- terminal ---------------------------------------------------------------------------------------------------------


def to_text(found: Effects) -> str:
    """The regressions, and the correlations of each kind's own figures."""
    body = []
    for one in found.regressions:
        cells = [one.family, one.which, "single" if one.single_factor else "all", one.cells, one.replies]
        body.append((*cells, _short(one.baseline), *[_short(each) for each in one.coefficients], one.note))
    heads = ["family", "which", "factors", "cells", "replies", "baseline", *FACTORS, "note"]
    lines = []
    for some in found.correlations:
        if some.among != "all":
            rho = some.note if some.rho is None else f"{some.rho:+.2f}"
            measure = label(some.measure)
            lines.append((some.family, some.model, some.among, measure, some.rows, rho, p_words(some.p), p_words(some.p_holm)))
    return "\n\n".join(
        [
            "accuracy in percentage points: coefficient (95 % interval), p\n" + text_table(heads, body),
            "Spearman's correlation of success rate and complexity\n"
            + text_table(["family", "model", "kind", "figure", "rows", "rho", "p", "p (Holm)"], lines),
        ]
    )


def _short(one: Coefficient | None) -> str:
    if one is None:
        return "each"
    if one.value is None:
        return "-" if one.note.startswith("in none") else one.note
    sign = "" if one.name == "baseline" else "+"
    if one.low is None or one.high is None:
        return f"{100 * one.value:{sign}.1f}"
    if one.name == "baseline":  # its p-value would test whether it is 0, which nobody asks
        return f"{100 * one.value:.1f} ({100 * one.low:.1f} to {100 * one.high:.1f})"
    return f"{100 * one.value:+.1f} ({100 * one.low:+.1f} to {100 * one.high:+.1f}), p {p_words(one.p)}"


# ---- page -------------------------------------------------------------------------------------------------------------


def page(release: Release, found: Effects) -> str:
    """The report as HTML."""
    head = Table(
        ["models", "a cell is", "rows that take no part"],
        [[", ".join(found.models), f"a model and a {found.cells}", found.rows_left_out]],
    )
    several, single = ([one for one in found.regressions if one.single_factor is wanted] for wanted in (False, True))
    sections = [
        Section("Effects of transforms", _REGRESSION, [_fits(several)]),
        Section("Single factor", "The same over cells of at most one kind.", [_fits(single)]),
        Section(
            "Correlation with complexity",
            "Spearman's correlation of a row's success rate with what its kinds are named for, among canonical rows and rows of "
            "that kind. Below 0: the more complex, the fewer replies are right.",
            [_correlations([one for one in found.correlations if one.among != "all"])],
        ),
        Section(
            "All figures",
            "The same among all solvable rows, with every figure.",
            [_correlations([one for one in found.correlations if one.among == "all"])],
        ),
        Section("How it is estimated", "", [Prose("effects_method.html", {})]),
    ]
    return pages.page(f"Effects on models, {release.manifest.get('release', '')}", head, [], sections)


def _fits(fits: Sequence[Fit]) -> Table:
    body: list[list[Content]] = []
    last = ""
    for one in fits:
        start = "each" if one.baseline is None or one.baseline.value is None else percent(one.baseline.value)
        cells = [Cell(bold=one.family if one.family != last else ""), Cell(one.which, "m"), one.cells, one.replies, number(start)]
        body.append([*cells, *[_coefficient(each) for each in one.coefficients], one.note])
        last = one.family
    return Table(["", "model", "cells", "replies", "baseline %", *FACTORS, ""], body, "figures")


def _coefficient(one: Coefficient) -> Cell:
    if one.value is None:
        return nothing("-" if one.note.startswith("in none") else one.note)
    value = f"{100 * one.value:+.1f}"
    if one.low is None or one.high is None:
        return Cell(bold=value)
    words = f"{100 * one.low:+.1f} to {100 * one.high:+.1f}, p {p_words(one.p)}"
    return Cell(bold=value, small=words, drawing=_drawn(one.value, one.low, one.high))


def _drawn(value: float, low: float, high: float) -> Interval:
    """An estimate with its interval on an axis from -1 to 1; what leads beyond is cut."""
    return Interval(value, low, high, _DOWN if high < 0 else _UP if low > 0 else _OPEN)


def _correlations(some: Sequence[Correlation]) -> Table:
    """A table with a column for each model."""
    models = list(dict.fromkeys(one.model for one in some))
    by_place: dict[tuple[str, str, str], dict[str, Correlation]] = {}
    for one in some:
        by_place.setdefault((one.family, one.among, one.measure), {})[one.model] = one
    body: list[list[Content]] = []
    last = ("", "")
    for (family, among, measure), by_model in by_place.items():
        name = Cell(among, bold=family) if (family, among) != last else ""
        body.append(
            [name, label(measure), *[_correlation(by_model[model]) if model in by_model else nothing() for model in models]]
        )
        last = (family, among)
    return Table(["", "figure", *[Cell(model, "m") for model in models]], body, "figures")


def _correlation(one: Correlation | None) -> Cell:
    if one is None:
        return nothing()
    if one.rho is None:
        return nothing(f"{one.note} ({one.rows} rows)")
    low, high = (one.rho, one.rho) if one.low is None or one.high is None else (one.low, one.high)
    words = f"{low:+.2f} to {high:+.2f}; p {p_words(one.p)}, Holm {p_words(one.p_holm)}, {one.rows} rows"
    return Cell(bold=f"{one.rho:+.2f}", small=words, drawing=_drawn(one.rho, low, high))
