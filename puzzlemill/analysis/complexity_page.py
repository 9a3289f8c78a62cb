"""The report on complexity as one HTML file, and as a table for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median, quantiles

from puzzlemill.analysis import pages
from puzzlemill.analysis.complexity import (
    BY_NAME,
    CLAIM_WORDS,
    CLAIMS,
    GROUPS,
    LEAST,
    MEASURES,
    NEGLIGIBLE,
    SMT_GROUPS,
    Claim,
    Complexity,
    Instance,
    Measure,
    scaled,
    shift_words,
    shown,
    verdicts,
)
from puzzlemill.analysis.pages import Box, Cell, Content, Prose, Section, Table, Words, nothing, number
from puzzlemill.analysis.resample import Interval
from puzzlemill.analysis.tables import text_table
from puzzlemill.core.types import Kind
from puzzlemill.factory.read import Release

_COLOURS = {"holds": "#2f855a", "fails": "#c53030", "undecided": "#718096"}


# ---- terminal ---------------------------------------------------------------------------------------------------------


def to_text(found: Complexity) -> str:
    """The claims as a table, and a summary in words."""
    body: list[tuple[str, ...]] = []
    for claim in found.claims:
        effect = claim.effect
        delta = f"{effect.delta.value:+.2f} ({effect.delta.low:+.2f} to {effect.delta.high:+.2f})"
        kind = " with ".join([claim.kind, *claim.others])
        how = f"{'paired' if effect.paired else 'unpaired'}, {effect.groups}"
        medians = f"{shown(effect.parent)} -> {shown(effect.child)}"
        body.append((kind, claim.family, claim.step, BY_NAME[claim.measure].label, how, medians, delta, effect.words))
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
        sentence = (
            f"{kind} ({CLAIM_WORDS[kind]}): of {total} comparisons it holds in {counts['holds']}, fails in {counts['fails']}"
        )
        failed = list(
            dict.fromkeys(f"{c.family} {c.step}" for c in found.claims if c.kind == kind and c.effect.verdict == "fails")
        )
        out.append(f"{sentence}{' (' + ', '.join(failed) + ')' if failed else ''}, and is undecided in {counts['undecided']}.")
    return out


# ---- page -------------------------------------------------------------------------------------------------------------


def page(release: Release, found: Complexity) -> str:
    """The report as HTML."""
    notes = _unscored(found)
    if found.model:
        notes.append(f"The language model is {found.model}; it has read {found.model_texts} texts.")
    families = sorted({one.family for one in found.instances.values()})
    sections = [Section("What holds", "", _overview(found))]
    for kind in CLAIMS:
        some = [claim for claim in found.claims if claim.kind == kind]
        sections.append(Section(f"{kind}: {CLAIM_WORDS[kind]}", _ABOUT[kind], [_forest(some)]))
    sections += [
        Section(
            "Cells to find",
            "Where an answer is a set of cells: whether canonical puzzles of one size take more effort the more cells there are "
            "to find. Correlation of ranks (Spearman) within each size; 0: it makes no difference.",
            [_links(found)],
        ),
        Section(
            "Search spaces",
            "Number of candidate answers as a power of ten, solvable rows: canonical ones, and those that are to have more.",
            [_spaces(found, families)],
        ),
        Section(
            "Figures",
            "Medians, with the least, the quartiles and the greatest drawn; counts on a logarithmic scale. The dashed line is "
            "the canonical median. A figure that no engine gave has no cell.",
            [_family(family, found) for family in families],
        ),
        Section(
            "How it is measured",
            "",
            [
                Prose(
                    "complexity_method.html",
                    {"negligible": NEGLIGIBLE, "least": LEAST, "groups": f"{GROUPS:,}", "smt_groups": SMT_GROUPS},
                )
            ],
        ),
    ]
    title = f"Complexity of {release.manifest.get('release', '')}"
    return pages.page(title, _head(found, families), notes, sections)


_EFFORT = "Z3 and SAT take more decisions and conflicts, a search more states."
_ABOUT = {
    Kind.IC1.value: "More empty cells, larger grids, longer texts: more candidate answers than the row that it was made from.",
    Kind.IC2.value: f"Clues that say less each, or are more entangled: {_EFFORT}",
    Kind.UE1.value: "Other symbols, shapes or names: more bits per character than the family's canonical puzzles lead to expect.",
    Kind.UE2.value: f"Another rule: {_EFFORT}",
}


def _head(found: Complexity, families: Sequence[str]) -> Table:
    body = []
    for family in families:
        some = [one for one in found.instances.values() if one.family == family]
        counts = [len(some), len({one.group for one in some}), sum(one.parent is None for one in some)]
        counts += [sum(one.solvable and kind in one.kinds for one in some) for kind in CLAIMS]
        body.append([family, *counts, sum(not one.solvable for one in some)])
    return Table(["family", "rows", "groups", "canonical", *CLAIMS, "no solution"], body)


def _overview(found: Complexity) -> list[Table | Words | Prose | pages.Replies]:
    body: list[list[Content]] = []
    for family in sorted({claim.family for claim in found.claims}):
        cells: list[Content] = [family]
        for kind in CLAIMS:
            counts = verdicts([claim for claim in found.claims if claim.family == family])[kind]
            marks = [Cell(f"{counts[word]} {word}", colour=colour) for word, colour in _COLOURS.items() if counts[word]]
            cells.append(tuple(marks) or nothing())
        body.append(cells)
    alone = "Every comparison stands for itself: intervals are of 95 % each and not corrected for their number."
    failed = [_failure(claim) for claim in found.claims if claim.effect.verdict == "fails"]
    return [
        Words([*summary(found), alone]),
        Table(["family", *[Cell(kind, small=words) for kind, words in CLAIM_WORDS.items()]], body),
        Words(failed, "Where a claim fails", listed=True) if failed else Words(["No claim fails."]),
    ]


def _failure(claim: Claim) -> Cell:
    effect, label = claim.effect, BY_NAME[claim.measure].label
    if effect.delta.high < 0:
        what = f"{label}: smaller than before, median {shown(effect.parent)} to {shown(effect.child)}"
    else:
        what = f"{label}: no difference to speak of, median {shown(effect.parent)} and {shown(effect.child)}"
    return Cell(f"({claim.kind}), {what}; delta {effect.delta.value:+.2f}", bold=f"{claim.family} {claim.step}")


def _forest(claims: Sequence[Claim]) -> Table:
    body: list[list[Content]] = []
    last = ""
    for claim in claims:
        effect, name = claim.effect, f"{claim.family} {claim.step}"
        others = ", ".join(f"with {other}" for other in claim.others)
        measure = BY_NAME[claim.measure]
        body.append(
            [
                Cell(claim.step, bold=claim.family, small=others) if name != last else "",
                measure.label,
                Cell(effect.words, colour=_COLOURS[effect.verdict]),
                _delta(effect.delta, effect.verdict),
                shift_words(measure.scale, effect.shift),
                number(shown(effect.parent)),
                number(shown(effect.child)),
                "paired" if effect.paired else "unpaired",
                effect.pairs,
                effect.groups,
            ]
        )
        last = name
    medians = [Cell(who, small="median") for who in ("parent", "child")]
    heads = ["", "measure", "verdict", "delta, 95 %", "how much, 95 %", *medians, "comparison", "rows", "groups"]
    return Table(heads, body, "figures")


def _delta(delta: Interval, verdict: str) -> Cell:
    """A delta with its interval on an axis from -1 to 1; what is negligible is shaded."""
    drawing = pages.Interval(delta.value, delta.low, delta.high, _COLOURS[verdict], shade=NEGLIGIBLE)
    return Cell(bold=f"{delta.value:+.2f}", small=f"{delta.low:+.2f} to {delta.high:+.2f}", drawing=drawing)


def _links(found: Complexity) -> Table:
    words = {"holds": "more with more cells", "fails": "less with more cells", "undecided": "no sign that it matters"}
    body = []
    for link in found.links:
        some = link.correlation
        verdict = "holds" if some.low > 0 else "fails" if some.high < 0 else "undecided"
        name = Cell(link.sought, bold=link.family)
        body.append([name, BY_NAME[link.measure].label, link.rows, _delta(some, verdict), words[verdict]])
    return Table(["", "measure", "rows", "correlation, 95 %", ""], body, "figures")


def _spaces(found: Complexity, families: Sequence[str]) -> Table:
    body = []
    for family in families:
        for which, wanted in (("canonical", False), (Kind.IC1.value, True)):
            some = [
                one.figures["search_space_log10"]
                for one in found.instances.values()
                if one.family == family and one.solvable and (Kind.IC1.value in one.kinds if wanted else one.parent is None)
            ]
            if some:
                figures = (min(some), median(some), sum(some) / len(some), max(some))
                body.append([family, which, len(some), *[number(f"10^{value:.1f}") for value in figures]])
    return Table(["family", "", "rows", "least", "median", "geometric mean", "greatest"], body)


# ---- boxes ------------------------------------------------------------------------------------------------------------


def _family(family: str, found: Complexity) -> Table:
    """A table of all figures: the canonical rows, and the children of every step, with and without a solution apart."""
    kinds: dict[str, list[Instance]] = {
        "canonical": [one for one in found.instances.values() if one.family == family and one.parent is None]
    }
    for step in found.steps:
        if step.family == family:
            name = f"{step.name} ({', '.join(step.kinds)})" if step.kinds else step.name
            kinds.setdefault(name, []).extend(child for _, child in step.pairs)
    there = [m for m in MEASURES if any(m.name in one.figures for some in kinds.values() for one in some)]
    values = {
        name: {m.name: [one.figures[m.name] for one in some if m.name in one.figures] for m in there}
        for name, some in kinds.items()
    }
    axes = {m.name: _axis(m, [value for known in values.values() for value in known[m.name]]) for m in there}
    middles = {measure: median(known) for measure, known in values["canonical"].items() if known}
    body = [
        [name, len(some), *[_box(m, values[name][m.name], axes[m.name], middles) for m in there]] for name, some in kinds.items()
    ]
    return Table(["", "rows", *[m.label for m in there]], body, "figures", title=family)


def _axis(measure: Measure, values: Sequence[float]) -> tuple[float, float]:
    least, most = scaled(measure.scale, min(values)), scaled(measure.scale, max(values))
    return (least, most) if least < most else (least - 1, most + 1)


def _box(measure: Measure, values: Sequence[float], axis: tuple[float, float], middles: Mapping[str, float]) -> Cell:
    if not values:
        return nothing()
    quartiles = quantiles(values, method="inclusive") if len(values) > 1 else [*values] * 3
    places = [
        (scaled(measure.scale, value) - axis[0]) / (axis[1] - axis[0])
        for value in (min(values), *quartiles, max(values), middles.get(measure.name, values[0]))
    ]
    return Cell(shown(quartiles[1]), drawing=Box(places[:5], places[5] if measure.name in middles else None))
