"""The report on effects as one HTML file, and as tables for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from puzzlemill.analysis.effects import FACTORS, Coefficient, Correlation, Effects, Fit, p_words, told
from puzzlemill.analysis.pages import html_page, number, table, text
from puzzlemill.analysis.stats import text_table
from puzzlemill.factory.read import Release

_WIDE, _HIGH = 90, 18
_DOWN, _UP, _OPEN = "#c53030", "#2f855a", "#718096"
_REGRESSION = (
    "Change of accuracy in percentage points that goes with each kind of transform, by least squares weighted with the number of "
    "replies. Red: the interval lies below 0, harder for the model; green: above 0."
)
_METHOD = """
<p><b>Regression.</b> Accuracy of a cell = baseline + the sum of the coefficients of the kinds that led to it; effects add up
by assumption. A cell is a model's replies to one variant, or to one row (<code>--cells row</code>, standard errors clustered
by group). Intervals of 95 % and p-values are Student's. Rows without a solution and rows of surface variants take no part.
The size of a puzzle is no factor: where a variant has other sizes than the canonical rows, that is part of its
coefficient.</p>
<p><b>Single factor.</b> The same without the cells of more than one kind. Where the two differ, effects do not add up, or a
kind holds transforms that are not alike.</p>
<p><b>Correlation.</b> Spearman's rank correlation of a row's success rate with a figure of its complexity, among canonical
rows and those of one kind, and among all. p-values take rows as independent; rows of one group are not, so that they are
somewhat too small. Holm: corrected for all correlations of this model in this report.</p>
"""


# ---- terminal ---------------------------------------------------------------------------------------------------------


def to_text(found: Effects) -> str:
    """The regressions, and the correlations of each kind's own figures."""
    body = []
    for one in found.fits:
        cells = [one.family, one.which, "single" if one.single else "all", one.cells, one.replies]
        body.append((*cells, _short(one.baseline), *[_short(each) for each in one.coefficients], one.note))
    heads = ["family", "which", "factors", "cells", "replies", "baseline", *FACTORS, "note"]
    lines = []
    for some in found.correlations:
        if some.among != "all":
            rho = some.note if some.rho is None else f"{some.rho:+.2f}"
            measure = told(some.measure)
            lines.append((some.family, some.model, some.among, measure, some.rows, rho, p_words(some.p), p_words(some.holm)))
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
    if one.name == "baseline":  # whether it is 0 is nobody's question
        return f"{100 * one.value:.1f} ({100 * one.low:.1f} to {100 * one.high:.1f})"
    return f"{100 * one.value:+.1f} ({100 * one.low:+.1f} to {100 * one.high:+.1f}), p {p_words(one.p)}"


# ---- page -------------------------------------------------------------------------------------------------------------


def page(release: Release, found: Effects) -> str:
    """The report as HTML."""
    head = table(
        ["models", "a cell is", "rows that take no part"],
        [[text(", ".join(found.models)), f"a model and a {text(found.cells)}", number(found.left_out)]],
        "plain",
    )
    sections = [
        ("Effects of transforms", _REGRESSION, _fits([one for one in found.fits if not one.single])),
        ("Single factor", "The same over cells of at most one kind.", _fits([one for one in found.fits if one.single])),
        (
            "Correlation with complexity",
            "Spearman's correlation of a row's success rate with what its kinds are named for, among canonical rows and rows of "
            "that kind. Below 0: the more complex, the fewer replies are right.",
            _correlations([one for one in found.correlations if one.among != "all"]),
        ),
        (
            "All figures",
            "The same among all solvable rows, with every figure.",
            _correlations([one for one in found.correlations if one.among == "all"]),
        ),
        ("How it is estimated", "", _METHOD),
    ]
    return html_page(f"Effects on models, {release.manifest.get('release', '')}", head, [], sections)


def _fits(fits: Sequence[Fit]) -> str:
    body = []
    last = ""
    for one in fits:
        name = f"<td><b>{text(one.family)}</b></td>" if one.family != last else "<td></td>"
        cells = [name, f'<span class="m">{text(one.which)}</span>', number(one.cells), number(one.replies)]
        cells.append(number("each") if one.baseline is None else _baseline(one.baseline))
        cells += [_coefficient(each) for each in one.coefficients]
        body.append([*cells, text(one.note)])
        last = one.family
    return table(["", "model", "cells", "replies", "baseline %", *FACTORS, ""], body, "figures")


def _baseline(one: Coefficient) -> str:
    assert one.value is not None
    return number(f"{100 * one.value:.1f}")


def _coefficient(one: Coefficient) -> str:
    if one.value is None:
        word = "-" if one.note.startswith("in none") else one.note
        return f'<td class="none">{text(word)}</td>'
    if one.low is None or one.high is None:
        return f"<td><b>{100 * one.value:+.1f}</b></td>"
    words = (
        f"<b>{100 * one.value:+.1f}</b> <small>{100 * one.low:+.1f} to {100 * one.high:+.1f}, p {text(p_words(one.p))}</small>"
    )
    return f"<td>{_drawn(one.value, one.low, one.high)}<span>{words}</span></td>"


def _drawn(value: float, low: float, high: float) -> str:
    """An estimate with its interval on an axis from -1 to 1; what leads beyond is cut."""
    colour = _DOWN if high < 0 else _UP if low > 0 else _OPEN

    def x(place: float) -> str:
        return f"{4 + (_WIDE - 8) * (max(-1.0, min(1.0, place)) + 1) / 2:.1f}"

    marks = (
        f'<line x1="{x(-1)}" y1="15" x2="{x(1)}" y2="15" stroke="currentColor" opacity=".2"/>'
        f'<line x1="{x(0)}" y1="1" x2="{x(0)}" y2="17" stroke="currentColor" opacity=".5"/>'
        f'<line x1="{x(low)}" y1="9" x2="{x(high)}" y2="9" stroke="{colour}" stroke-width="3" opacity=".5"/>'
        f'<circle cx="{x(value)}" cy="9" r="4" fill="{colour}"/>'
    )
    return f'<svg width="{_WIDE}" height="{_HIGH}" viewBox="0 0 {_WIDE} {_HIGH}" role="img">{marks}</svg>'


def _correlations(some: Sequence[Correlation]) -> str:
    """A table with a column for each model."""
    models = list(dict.fromkeys(one.model for one in some))
    by_place: dict[tuple[str, str, str], dict[str, Correlation]] = {}
    for one in some:
        by_place.setdefault((one.family, one.among, one.measure), {})[one.model] = one
    body = []
    last = ("", "")
    for (family, among, measure), by_model in by_place.items():
        new = (family, among) != last
        cells = [f"<b>{text(family)}</b> {text(among)}" if new else "", text(told(measure))]
        for model in models:
            found = by_model.get(model)
            cells.append('<td class="none">-</td>' if found is None else _correlation(found))
        body.append(cells)
        last = (family, among)
    return table(["", "figure", *[f'<span class="m">{text(model)}</span>' for model in models]], body, "figures")


def _correlation(one: Correlation) -> str:
    if one.rho is None:
        return f'<td class="none">{text(one.note)} ({one.rows} rows)</td>'
    low, high = (one.rho, one.rho) if one.low is None or one.high is None else (one.low, one.high)
    facts = f"p {text(p_words(one.p))}, Holm {text(p_words(one.holm))}, {one.rows} rows"
    words = f"<b>{one.rho:+.2f}</b> <small>{low:+.2f} to {high:+.2f}; {facts}</small>"
    return f"<td>{_drawn(one.rho, low, high)}<span>{words}</span></td>"
