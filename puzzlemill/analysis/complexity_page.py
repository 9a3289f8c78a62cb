"""The report on complexity as one HTML file, and as a table for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log2

from puzzlemill.analysis.complexity import (
    BY_NAME,
    CLAIM_WORDS,
    CLAIMS,
    GROUPS,
    LEAST,
    MEASURES,
    NEGLIGIBLE,
    Claim,
    Complexity,
    Instance,
    Interval,
    Measure,
    shift_words,
    shown,
    verdicts,
)
from puzzlemill.analysis.pages import html_page, number, table, text
from puzzlemill.analysis.stats import text_table
from puzzlemill.core.types import Kind
from puzzlemill.factory.read import Release

_COLOURS = {"holds": "#2f855a", "fails": "#c53030", "undecided": "#718096"}
_WIDE, _HIGH = 110, 18
_METHOD = f"""
<p><b>Compared</b> are rows with the rows that they were made from. <b>Paired</b>: child and parent share the puzzle, the
answer or what is hidden, and each pair is one comparison. <b>Unpaired</b>: the child was drawn anew and shares nothing with
its parent; all children of the step are compared with all its parents.</p>
<p><b>Delta</b> is Cliff's: the share of comparisons in which the child is larger minus the share in which it is smaller. 1:
always larger; 0: as often larger as smaller, or all equal; -1: always smaller. Below {NEGLIGIBLE} it is called negligible,
below 0.33 small, below 0.474 medium (Romano et al. 2006).</p>
<p><b>Intervals</b> are of 95 %, by bootstrap over groups (expanded percentile, Hesterberg 2015). Each stands for itself: of
twenty that have nothing to find, one finds something.</p>
<p><b>Verdicts.</b> Holds: the interval lies above 0. Fails: it lies below 0, or wholly within {NEGLIGIBLE} of 0. Undecided:
anything else, and whatever has fewer than {LEAST} groups.</p>
<p><b>Several kinds in one step</b> are named beside it; what was measured may be either's doing.</p>
<p><b>Effort</b> is what the engines spent on proving the row's status, including that there is no second answer: decisions
and conflicts of Z3 and of a SAT solver on the same clauses, states that a search for the least number of moves expanded and
generated. It is effort of these programs; whether models are wrong more often is what <code>puzzlemill effects</code>
tells.</p>
<p><b>Form surprise</b> is bits per character of the rendered puzzle, without the form of the reply, under an n-gram model of
the family's own canonical puzzles, fitted on the groups of the other half. It says how far a text is from these, and nothing
about language. At most {GROUPS:,} groups of a family are read.</p>
"""


# ---- terminal ---------------------------------------------------------------------------------------------------------


def to_text(found: Complexity) -> str:
    """The claims as a table, and what comes of them in words."""
    body: list[tuple[str, ...]] = []
    for claim in found.claims:
        effect = claim.effect
        delta = f"{effect.delta.value:+.2f} ({effect.delta.low:+.2f} to {effect.delta.high:+.2f})"
        kind = claim.kind + "".join(f" with {other}" for other in claim.others)
        how = f"{'paired' if effect.paired else 'unpaired'}, {effect.groups}"
        medians = f"{shown(effect.parent)} -> {shown(effect.child)}"
        body.append((kind, claim.family, claim.step, BY_NAME[claim.measure].told, how, medians, delta, effect.words))
    heads = ["claim", "family", "step", "measure", "comparison, groups", "medians", "delta (95 %)", "verdict"]
    body.sort(key=lambda cells: cells[0][:3])
    return "\n\n".join([text_table(heads, body), *summary(found), *_unscored(found)])


def _unscored(found: Complexity) -> list[str]:
    return [f"{family} has no form surprise: {why}." for family, why in sorted(found.unscored.items())]


def summary(found: Complexity) -> list[str]:
    """One sentence for each kind of claim."""
    out = []
    for kind, counts in verdicts(found.claims).items():
        total = sum(counts.values())
        if not total:
            out.append(f"{kind} ({CLAIM_WORDS[kind]}): nothing in this release claims it.")
            continue
        told = f"{kind} ({CLAIM_WORDS[kind]}): of {total} comparisons it holds in {counts['holds']}, fails in {counts['fails']}"
        failed = list(
            dict.fromkeys(f"{c.family} {c.step}" for c in found.claims if c.kind == kind and c.effect.verdict == "fails")
        )
        out.append(f"{told}{' (' + ', '.join(failed) + ')' if failed else ''}, and is undecided in {counts['undecided']}.")
    return out


# ---- page -------------------------------------------------------------------------------------------------------------


def page(release: Release, found: Complexity) -> str:
    """The report as HTML."""
    notes = [text(sentence) for sentence in _unscored(found)]
    if found.model:
        notes.append(f"The language model is {text(found.model)}; it has read {found.model_texts} texts.")
    sections = [("What holds", "", _overview(found))]
    for kind in CLAIMS:
        some = [claim for claim in found.claims if claim.kind == kind]
        sections.append((f"{kind}: {CLAIM_WORDS[kind]}", _ABOUT[kind], _forest(some)))
    sections += [
        (
            "Cells to find",
            "Where an answer is a set of cells: whether canonical puzzles of one size take more effort the more cells there are "
            "to find. Correlation of ranks (Spearman) within each size; 0: it makes no difference.",
            _links(found),
        ),
        (
            "Search spaces",
            "Number of candidate answers as a power of ten, solvable rows: canonical ones, and those that are to have more.",
            _spaces(found),
        ),
        (
            "Figures",
            "Medians, with the least, the quartiles and the greatest drawn; counts on a logarithmic scale. The dashed line is "
            "the canonical median. A figure that no engine gave has no cell.",
            "".join(_family(family, found) for family in sorted({one.family for one in found.instances.values()})),
        ),
        ("How it is measured", "", _METHOD),
    ]
    return html_page(f"Complexity of {release.manifest.get('release', '')}", _head(found), notes, sections)


_EFFORT = "Z3 and SAT take more decisions and conflicts, a search more states."
_ABOUT = {
    Kind.IC1.value: "More empty cells, larger grids, longer texts: more candidate answers than the row that it was made from.",
    Kind.IC2.value: f"Clues that say less each, or are more entangled: {_EFFORT}",
    Kind.UE1.value: "Other symbols, shapes or names: more bits per character than the family's canonical puzzles lead to expect.",
    Kind.UE2.value: f"Another rule: {_EFFORT}",
}


def _head(found: Complexity) -> str:
    body = []
    for family in sorted({one.family for one in found.instances.values()}):
        some = [one for one in found.instances.values() if one.family == family]
        counts = [len(some), len({one.group for one in some}), sum(one.parent is None for one in some)]
        counts += [sum(one.solvable and kind in one.kinds for one in some) for kind in CLAIMS]
        body.append([text(family), *map(number, [*counts, sum(not one.solvable for one in some)])])
    return table(["family", "rows", "groups", "canonical", *CLAIMS, "no solution"], body, "plain")


def _overview(found: Complexity) -> str:
    families = sorted({claim.family for claim in found.claims})
    body = []
    for family in families:
        cells = [text(family)]
        for kind in CLAIMS:
            counts = verdicts([claim for claim in found.claims if claim.family == family])[kind]
            marks = "".join(
                f'<span style="color:{_COLOURS[word]}">{counts[word]} {word}</span> ' for word in _COLOURS if counts[word]
            )
            cells.append(marks or '<td class="none">-</td>')
        body.append(cells)
    told = "".join(f"<p>{text(sentence)}</p>" for sentence in summary(found))
    told += "<p>Every comparison stands for itself: intervals are of 95 % each and not corrected for their number.</p>"
    failed = [claim for claim in found.claims if claim.effect.verdict == "fails"]
    listed = "".join(f"<li>{_failure(claim)}</li>" for claim in failed)
    return (
        told
        + table(["family", *[f"{kind}<br><small>{CLAIM_WORDS[kind]}</small>" for kind in CLAIMS]], body, "plain")
        + (f"<h3>Where a claim fails</h3><ul>{listed}</ul>" if failed else "<p>No claim fails.</p>")
    )


def _failure(claim: Claim) -> str:
    effect, told = claim.effect, BY_NAME[claim.measure].told
    if effect.delta.high < 0:
        what = f"{told}: smaller than before, median {shown(effect.parent)} to {shown(effect.child)}"
    else:
        what = f"{told}: no difference to speak of, median {shown(effect.parent)} and {shown(effect.child)}"
    return f"<b>{text(claim.family)} {text(claim.step)}</b> ({claim.kind}), {text(what)}; delta {effect.delta.value:+.2f}"


def _forest(claims: Sequence[Claim]) -> str:
    body = []
    last = ""
    for claim in claims:
        effect, name = claim.effect, f"{claim.family} {claim.step}"
        told = f"<b>{text(claim.family)}</b> {text(claim.step)}" + "".join(
            f" <small>with {other}</small>" for other in claim.others
        )
        measure = BY_NAME[claim.measure]
        body.append(
            [
                told if name != last else "",
                text(measure.told),
                f'<span style="color:{_COLOURS[effect.verdict]}">{text(effect.words)}</span>',
                _delta(effect.delta, effect.verdict),
                text(shift_words(measure.scale, effect.shift)),
                number(shown(effect.parent)),
                number(shown(effect.child)),
                f"{'paired' if effect.paired else 'unpaired'}",
                number(effect.pairs),
                number(effect.groups),
            ]
        )
        last = name
    medians = [f"{who}<br><small>median</small>" for who in ("parent", "child")]
    heads = ["", "measure", "verdict", "delta, 95 %", "how much, 95 %", *medians, "comparison", "rows", "groups"]
    return table(heads, body, "figures")


def _delta(delta: Interval, verdict: str) -> str:
    """A delta with its interval on an axis from -1 to 1; what is negligible is shaded."""

    def x(value: float) -> str:
        return f"{4 + (_WIDE - 8) * (value + 1) / 2:.1f}"

    wide = (_WIDE - 8) * NEGLIGIBLE
    colour = _COLOURS[verdict]
    marks = [
        f'<rect x="{x(-NEGLIGIBLE)}" y="1" width="{wide:.1f}" height="16" fill="currentColor" opacity=".08"/>',
        f'<line x1="{x(-1)}" y1="15" x2="{x(1)}" y2="15" stroke="currentColor" opacity=".2"/>',
        f'<line x1="{x(0)}" y1="1" x2="{x(0)}" y2="17" stroke="currentColor" opacity=".5"/>',
        f'<line x1="{x(delta.low)}" y1="9" x2="{x(delta.high)}" y2="9" stroke="{colour}" stroke-width="3" opacity=".5"/>',
        f'<circle cx="{x(delta.value)}" cy="9" r="4" fill="{colour}"/>',
    ]
    told = f"<b>{delta.value:+.2f}</b> <small>{delta.low:+.2f} to {delta.high:+.2f}</small>"
    return f"<td>{_svg(marks)}<span>{told}</span></td>"


def _svg(marks: Iterable[str], wide: int = _WIDE) -> str:
    return f'<svg width="{wide}" height="{_HIGH}" viewBox="0 0 {wide} {_HIGH}" role="img">{"".join(marks)}</svg>'


def _links(found: Complexity) -> str:
    body = []
    for link in found.links:
        some = link.correlation
        verdict = "holds" if some.low > 0 else "fails" if some.high < 0 else "undecided"
        word = {"holds": "more with more cells", "fails": "less with more cells", "undecided": "no sign that it matters"}[verdict]
        cells = [f"<b>{text(link.family)}</b> {text(link.sought)}", text(BY_NAME[link.measure].told), number(link.rows)]
        body.append([*cells, _delta(some, verdict), text(word)])
    return table(["", "measure", "rows", "correlation, 95 %", ""], body, "figures")


def _spaces(found: Complexity) -> str:
    body = []
    for family in sorted({one.family for one in found.instances.values()}):
        for told, wanted in (("canonical", False), (Kind.IC1.value, True)):
            some = sorted(
                one.figures["search_space_log10"]
                for one in found.instances.values()
                if one.family == family and one.solvable and (Kind.IC1.value in one.kinds if wanted else one.parent is None)
            )
            if some:
                figures = (some[0], _quantile(some, 0.5), sum(some) / len(some), some[-1])
                body.append([text(family), told, number(len(some)), *[number(f"10^{value:.1f}") for value in figures]])
    return table(["family", "", "rows", "least", "median", "geometric mean", "greatest"], body, "plain")


# ---- boxes ------------------------------------------------------------------------------------------------------------


def _family(family: str, found: Complexity) -> str:
    """A table of all figures: the canonical rows, and the children of every step, with and without a solution apart."""
    kinds: dict[str, list[Instance]] = {
        "canonical": [one for one in found.instances.values() if one.family == family and one.parent is None]
    }
    for step in found.steps:
        if step.family == family:
            name = f"{step.name} ({', '.join(step.kinds)})" if step.kinds else step.name
            kinds.setdefault(name, []).extend(child for _, child in step.pairs)
    there = [m for m in MEASURES if any(m.name in one.figures for some in kinds.values() for one in some)]
    axes = {
        m.name: _axis(m, [one.figures[m.name] for some in kinds.values() for one in some if m.name in one.figures]) for m in there
    }
    body = []
    middles: Mapping[str, float] = {}
    for name, some in kinds.items():
        values = {m.name: sorted(one.figures[m.name] for one in some if m.name in one.figures) for m in there}
        if name == "canonical":
            middles = {m: _quantile(known, 0.5) for m, known in values.items() if known}
        cells = [text(name), number(len(some))]
        body.append([*cells, *[_box(m, values[m.name], axes[m.name], middles.get(m.name)) for m in there]])
    return f"<h3>{text(family)}</h3>" + table(["", "rows", *[text(m.told) for m in there]], body, "figures")


def _place(measure: Measure, value: float) -> float:
    return log2(value + 1) if measure.scale == "count" else value


def _axis(measure: Measure, values: Sequence[float]) -> tuple[float, float]:
    least, most = _place(measure, min(values)), _place(measure, max(values))
    return (least, most) if least < most else (least - 1, most + 1)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """By linear interpolation between the two values beside it."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def _box(measure: Measure, ordered: Sequence[float], axis: tuple[float, float], middle: float | None) -> str:
    if not ordered:
        return '<td class="none">-</td>'
    wide = 96

    def x(value: float) -> float:
        return 3 + (wide - 6) * (_place(measure, value) - axis[0]) / (axis[1] - axis[0])

    least, low, mid, high, most = (x(_quantile(ordered, share)) for share in (0, 0.25, 0.5, 0.75, 1))
    marks = [
        f'<line x1="{least:.1f}" y1="9" x2="{most:.1f}" y2="9" stroke="currentColor" opacity=".5"/>',
        f'<rect x="{low:.1f}" y="4" width="{max(1.0, high - low):.1f}" height="10" fill="#90b4de" stroke="#2b6cb0"/>',
        f'<line x1="{mid:.1f}" y1="3" x2="{mid:.1f}" y2="15" stroke="#1a365d" stroke-width="2"/>',
    ]
    if middle is not None:
        line = 'stroke="#c05621" stroke-dasharray="2 2" stroke-width="1.5"'
        marks.append(f'<line x1="{x(middle):.1f}" y1="0" x2="{x(middle):.1f}" y2="18" {line}/>')
    return f"<td>{_svg(marks, wide)}<span>{shown(_quantile(ordered, 0.5))}</span></td>"
