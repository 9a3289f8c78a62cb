"""A test of what transforms are named for, measured on the rows of a release.

Every transform claims something (HardcoreLogic, section 2.3): IC1 a larger search space, IC2 and UE2 more effort of solvers, UE1
a more surprising form. A row is compared with the row that it was made from; what is between them is the *step*. Steps that leave
no answer (UP) or change nothing that matters (SURFACE) claim nothing and are only counted.

delta   Cliff's delta: the share of comparisons in which the child is larger minus the share in which it is smaller, from -1 to 1.
        Where child and parent share something (pairing exact, same_answer or group) a comparison is a pair. Where they share
        nothing (pairing none: the child was drawn anew) it is every child with every parent of the same step: *unpaired*.
        It depends on order alone, as counts of conflicts and products of binomials need it.
shift   how much: the median over pairs (unpaired: the difference of medians) of the difference of log10 (search space), of bits
        per character (surprise), of log2 of the count + 1 (effort); all but bits are given as a factor.

Rows have figures of SAT and Z3 only where their recipe asked for them; both are asked here of a family's first SMT_GROUPS groups.

Intervals are of 95 %, over groups (a canonical puzzle and all that was made from it), which are what is resampled: a percentile
bootstrap of DRAWS draws from a fixed stream, widened for few groups (Hesterberg 2015, "What teachers should know about the
bootstrap", section 4: the expanded percentile interval). More than BLOCKS groups are first pooled into BLOCKS blocks. Where every
resample would be the same (all children larger, or all ties), the limit is exact: a share of 0 observed in n groups may be
1 - 0.025 ** (1 / n). Verdicts, each for itself and not corrected for their number:

holds      the interval lies above 0
fails      it lies below 0, or within NEGLIGIBLE of 0 (Romano et al. 2006: below 0.147 a delta is negligible)
undecided  anything else, and everything with fewer than LEAST groups
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, log2, sqrt
from typing import Any

from puzzlemill.analysis import tables
from puzzlemill.analysis.resample import Interval, Weights, blocks_of, median, over_blocks, ranks
from puzzlemill.analysis.rows import answer_of, naming, puzzle_of, stored_answer
from puzzlemill.analysis.surprise import form_surprise
from puzzlemill.core.errors import BadParams, BadRow, EnginesDisagree
from puzzlemill.core.family import Pairing
from puzzlemill.core.types import Kind
from puzzlemill.factory.read import Release, rows
from puzzlemill.generators import family_named
from puzzlemill.questions import asked
from puzzlemill.solvers.certify import efforts
from puzzlemill.solvers.engines import Budget

LEAST = 6
NEGLIGIBLE = 0.147
SIZES = ((0.147, "negligible"), (0.33, "small"), (0.474, "medium"), (2.0, "large"))  # Romano et al. 2006
GROUPS = 2_000  # of a family whose texts are read, the first ones in the order of the files
SMT_GROUPS = 200  # of a family about whose rows SAT and Z3 are asked, the first ones too: a row takes some 5 to 60 ms
_COLUMNS = (
    "id",
    "question",
    "group_id",
    "parent_id",
    "pairing",
    "family",
    "variant",
    "kinds",
    "transforms",
    "status",
    "puzzle",
    "answer",
    "hidden",
    "search_space_log10",
    "difficulty",
    "effort",
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure of a row. scale: how a shift of it is written: "log10", "bits", "count" (a factor) or "plain"."""

    name: str
    label: str
    scale: str


MEASURES = (
    Measure("search_space_log10", "search space (log10)", "log10"),
    Measure("smt_decisions", "Z3 decisions", "count"),
    Measure("smt_conflicts", "Z3 conflicts", "count"),
    Measure("sat_decisions", "SAT decisions", "count"),
    Measure("sat_conflicts", "SAT conflicts", "count"),
    Measure("expanded", "states expanded", "count"),
    Measure("generated", "states generated", "count"),
    Measure("nodes", "kernel nodes", "count"),
    Measure("tier", "tier", "plain"),
    Measure("sought", "cells to find", "plain"),
    Measure("form_surprise", "form surprise (bits/char)", "bits"),
    Measure("model_surprise", "surprise of the model (bits/char)", "bits"),
)
BY_NAME = {measure.name: measure for measure in MEASURES}
ENGINES = ("smt_decisions", "smt_conflicts", "sat_decisions", "sat_conflicts", "expanded", "generated")
CLAIMS = {  # what a kind says becomes larger
    Kind.IC1.value: ("search_space_log10",),
    Kind.IC2.value: ENGINES,
    Kind.UE1.value: ("form_surprise", "model_surprise"),
    Kind.UE2.value: ENGINES,
}
CLAIM_WORDS = {
    Kind.IC1.value: "a larger search space",
    Kind.IC2.value: "more effort of solvers",
    Kind.UE1.value: "a more surprising form",
    Kind.UE2.value: "more effort of solvers",
}


@dataclass(slots=True)
class Instance:
    """One row in figures. kinds, transforms: all from the canonical puzzle on. size: slots in all, 0 for routes."""

    id: str
    group: str
    parent: str | None
    pairing: str
    family: str
    variant: str
    kinds: tuple[str, ...]
    transforms: tuple[str, ...]
    solvable: bool
    size: int
    figures: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Effect:
    """Children against parents in one figure. pairs: children compared; groups: that they are of."""

    paired: bool
    pairs: int
    groups: int
    parent: float  # medians
    child: float
    delta: Interval
    shift: Interval

    @property
    def verdict(self) -> str:
        """holds, fails or undecided: whether the children are larger."""
        if self.groups < LEAST:
            return "undecided"
        if self.delta.low > 0:
            return "holds"
        if self.delta.high < 0 or (self.delta.low > -NEGLIGIBLE and self.delta.high < NEGLIGIBLE):
            return "fails"
        return "undecided"

    @property
    def words(self) -> str:
        """The verdict with what led to it."""
        size = next(word for bound, word in SIZES if abs(self.delta.value) < bound)
        if self.groups < LEAST:
            return f"undecided: {self.groups} {'group is' if self.groups == 1 else 'groups are'} too few"
        if self.verdict == "holds":
            return f"holds ({size})"
        if self.verdict == "fails":
            return f"fails: smaller ({size})" if self.delta.high < 0 else "fails: no difference"
        return "undecided"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of the taxonomy about a step, and what was measured.

    step: names of its transforms joined by "+". kind: what is claimed. others: further kinds in the same step, which may be what
    was measured. measure: name of the figure.
    """

    family: str
    step: str
    kind: str
    others: tuple[str, ...]
    measure: str
    effect: Effect


@dataclass(frozen=True, slots=True)
class Step:
    """All children of one step of a family, with the rows that they were made from."""

    family: str
    name: str
    kinds: tuple[str, ...]
    paired: bool
    pairs: tuple[tuple[Instance, Instance], ...]  # (parent, child)


@dataclass(frozen=True, slots=True)
class Link:
    """Cells to find against an engine's count, over canonical rows; correlation: of ranks within rows of one size."""

    family: str
    sought: str
    measure: str
    rows: int
    correlation: Interval


@dataclass(slots=True)
class Complexity:
    """The content of the report. unscored: family -> why there is no form surprise."""

    instances: dict[str, Instance] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    unscored: dict[str, str] = field(default_factory=dict)
    model: str = ""
    model_texts: int = 0


# ---- reading ----------------------------------------------------------------------------------------------------------


def complexity(
    release: Release,
    model: Callable[[Mapping[str, str]], dict[str, float]] | None = None,
    named: str = "",
    model_groups: int = 20,
) -> Complexity:
    """Read a release and judge every claim.

    model: id -> text, gives bits per character by id; named: what it is called; model_groups: of each step, whose texts it reads.
    Raises BadRow, naming the row, where one cannot be measured.
    """
    found = read(release, model, named, model_groups)
    for step in found.steps:
        found.claims += _claims(step)
    found.links = links(found.instances.values())
    return found


def read(
    release: Release,
    model: Callable[[Mapping[str, str]], dict[str, float]] | None = None,
    named: str = "",
    model_groups: int = 20,
) -> Complexity:
    """The figures of every row, without claims; as complexity() takes it."""
    found = Complexity(model=named)
    texts: dict[str, dict[str, str]] = {}  # family -> id -> rendering
    known: dict[str, set[str]] = {}  # family -> groups whose texts are read
    solved: dict[str, set[str]] = {}  # family -> groups that SAT and Z3 decide
    for row in rows(release, _COLUMNS):
        with naming(row, "measured"):
            one, rendering = instance(row)
            groups = known.setdefault(one.family, set())
            if one.group in groups or len(groups) < GROUPS:
                groups.add(one.group)
                texts.setdefault(one.family, {})[one.id] = rendering
            if one.group in (decided := solved.setdefault(one.family, set())) or len(decided) < SMT_GROUPS:
                decided.add(one.group)
                _ask_solvers(one, row)
        found.instances[one.id] = one
    found.steps = steps(found.instances)
    _surprises(found, texts)
    if model is not None:
        _ask(found, texts, model, model_groups)
    return found


def instance(row: Mapping[str, Any]) -> tuple[Instance, str]:
    """The figures of one row, and its text; the surprises come later, since they take other rows."""
    family, puzzle = puzzle_of(row)
    effort, sizes = row["effort"], family.form.slots(puzzle.spec, puzzle.board)
    figures = {"search_space_log10": float(row["search_space_log10"])}
    for name in ("smt_decisions", "smt_conflicts", "sat_decisions", "sat_conflicts", "nodes"):
        if effort[name] is not None:
            figures[name] = effort[name]
    if effort.get("generated") is not None:  # of moves: what a search for the least number of them looks at
        figures["generated"], figures["expanded"] = effort["generated"], figures.pop("nodes")
    if row["difficulty"]["tier"] is not None:
        figures["tier"] = row["difficulty"]["tier"]
    answer = answer_of(row, family)
    if family.sought and answer is not None:
        values = family.form.values(puzzle.spec, puzzle.board, answer)
        figures["sought"] = sum(value == 1 for value in values)
    if not all(isfinite(value) for value in figures.values()):
        raise ValueError("a figure is no number")
    kinds, names = tuple([Kind(kind).value for kind in row["kinds"]]), tuple([step["name"] for step in row["transforms"]])
    if len(kinds) != len(names):
        raise ValueError("kinds and transforms differ in number")
    found = Instance(
        row["id"],
        row["group_id"],
        row["parent_id"],
        Pairing(row["pairing"]).value,
        row["family"],
        row["variant"],
        kinds,
        names,
        row["status"] != "unsolvable",
        len(sizes),
        figures,
    )
    return found, str(family.render(puzzle))


def _ask_solvers(one: Instance, row: Mapping[str, Any]) -> None:
    """The figures of SAT and Z3, into the instance, where the row has none."""
    if "sat_conflicts" in one.figures and "smt_conflicts" in one.figures:
        return
    family, puzzle = puzzle_of(row)
    answer = stored_answer(row, family)
    try:
        one.figures |= efforts(family, puzzle, answer, Budget(), asked(puzzle).hidden_of(family, row, answer))
    except EnginesDisagree as error:
        raise BadParams(str(error)) from None


def _surprises(found: Complexity, texts: Mapping[str, Mapping[str, str]]) -> None:
    """Form surprise, into the instances."""
    for family, by_id in texts.items():
        canonical: dict[str, list[str]] = {}
        for name, text in by_id.items():
            if found.instances[name].parent is None:
                canonical.setdefault(found.instances[name].group, []).append(text)
        scored = form_surprise(canonical, {name: (found.instances[name].group, text) for name, text in by_id.items()})
        for name, bits in scored.items():
            found.instances[name].figures["form_surprise"] = bits
        if not scored:
            found.unscored[family] = f"{len(canonical)} groups are too few to fit a model on"


def _ask(
    found: Complexity,
    texts: Mapping[str, Mapping[str, str]],
    model: Callable[[Mapping[str, str]], dict[str, float]],
    groups: int,
) -> None:
    """The model's surprise, into the instances: of UE1 steps and of their parents, since it is slow."""
    wanted: dict[str, str] = {}
    for step in found.steps:
        if Kind.UE1.value in step.kinds:
            known = texts[step.family]
            chosen = set(sorted({child.group for _, child in step.pairs if child.id in known})[:groups])
            wanted |= {one.id: known[one.id] for pair in step.pairs if pair[1].group in chosen for one in pair if one.id in known}
    for name, bits in model(wanted).items():
        found.instances[name].figures["model_surprise"] = bits
        found.model_texts += 1


def steps(instances: Mapping[str, Instance]) -> list[Step]:
    """The steps of a release, by family and name; rows whose parent is not in the release are left out."""
    found: dict[tuple[str, str, tuple[str, ...], bool], list[tuple[Instance, Instance]]] = {}
    for child in instances.values():
        parent = instances.get(child.parent or "")
        if parent is None:
            continue
        way = len(parent.transforms)
        if child.transforms[:way] != parent.transforms or child.family != parent.family:
            raise BadRow(f"row {child.id[:80]}: is not made from its parent; run `puzzlemill verify` to see all that is wrong")
        kinds = tuple(dict.fromkeys(child.kinds[way:]))
        key = (child.family, "+".join(child.transforms[way:]), kinds, child.pairing != Pairing.NONE.value)
        found.setdefault(key, []).append((parent, child))
    return [Step(*key, tuple(sorted(pairs, key=lambda pair: pair[1].id))) for key, pairs in sorted(found.items())]


# ---- claims -----------------------------------------------------------------------------------------------------------


def _claims(step: Step) -> Iterable[Claim]:
    for kind in step.kinds:
        measures = CLAIMS.get(kind, ())
        if Kind.UP.value in step.kinds or not measures:
            continue
        others = tuple([other for other in step.kinds if other != kind])
        effects = [(name, compared(step, name)) for name in measures]
        if measures == ENGINES and not any(effect for _, effect in effects):
            effects = [("nodes", compared(step, "nodes"))]  # a class of hypotheses is enumerated; no other engine was asked
        for name, effect in effects:
            if effect is not None:
                yield Claim(step.family, step.name, kind, others, name, effect)


def compared(step: Step, measure: str) -> Effect | None:
    """The children of a step against their parents, where both have the figure; None if no two have."""
    scale = BY_NAME[measure].scale
    both = [
        (parent.group, parent.id, parent.figures[measure], child.figures[measure])
        for parent, child in step.pairs
        if measure in parent.figures and measure in child.figures
    ]
    if not both:
        return None
    block_of = blocks_of(group for group, _, _, _ in both)
    blocks = len(set(block_of.values()))
    children = [(block_of[group], child) for group, _, _, child in both]
    if step.paired:
        parents = [(block_of[group], parent) for group, _, parent, _ in both]
        signs = [(block_of[group], (child > parent) - (child < parent)) for group, _, parent, child in both]
        delta = _paired_delta(signs, blocks)
        differences = [(block_of[group], scaled(scale, child) - scaled(scale, parent)) for group, _, parent, child in both]
        shift = over_blocks(lambda weights: median(differences, weights), blocks)
    else:
        once = {name: (block_of[group], parent) for group, name, parent, _ in both}  # a parent of several children counts once
        parents = list(once.values())
        delta = _unpaired_delta(parents, children, blocks)
        sides = [[(block, scaled(scale, value)) for block, value in side] for side in (children, parents)]
        shift = over_blocks(lambda weights: _difference(median(sides[0], weights), median(sides[1], weights)), blocks)
    middle = [median(side, (1,) * blocks) for side in (parents, children)]
    assert middle[0] is not None and middle[1] is not None
    return Effect(step.paired, len(both), len(block_of), middle[0], middle[1], _certain(delta, len(block_of)), shift)


def scaled(scale: str, value: float) -> float:
    """A figure on the axis of its scale: counts as logarithms."""
    return log2(value + 1) if scale == "count" else value


def _difference(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a - b


def _paired_delta(signs: Sequence[tuple[int, int]], blocks: int) -> Interval:
    above, count = [0] * blocks, [0] * blocks
    for block, sign in signs:
        above[block] += sign
        count[block] += 1

    def delta(weights: Weights) -> float | None:
        total = sum([w * n for w, n in zip(weights, count, strict=True)])
        return sum([w * n for w, n in zip(weights, above, strict=True)]) / total if total else None

    return over_blocks(delta, blocks)


def _unpaired_delta(parents: Sequence[tuple[int, float]], children: Sequence[tuple[int, float]], blocks: int) -> Interval:
    """Counts by rank: how many children stand above and below every parent, under the weights of a resample."""
    rank = {value: i for i, value in enumerate(sorted({value for _, value in (*parents, *children)}))}
    sides = [[(block, rank[value]) for block, value in side] for side in (parents, children)]

    def delta(weights: Weights) -> float | None:
        tall = [[0] * len(rank) for _ in sides]
        for side, counts in zip(sides, tall, strict=True):
            for block, place in side:
                counts[place] += weights[block]
        below, total, sum_ = 0, sum(tall[0]), 0
        for parent, child in zip(*tall, strict=True):
            sum_ += child * (2 * below + parent - total)  # parents below minus parents above
            below += parent
        everything = total * sum(tall[1])
        return sum_ / everything if everything else None

    return over_blocks(delta, blocks)


def _certain(delta: Interval, groups: int) -> Interval:
    """The exact limit where no resample differs: of -1, 0 and 1 only, since all others come from rows that differ."""
    if delta.low < delta.high:
        return delta
    slack = 1 - 0.025 ** (1 / groups)
    if delta.value == 0:
        return Interval(0.0, -slack, slack)
    # all groups alike but for a share that was never seen, which may be the other way round
    return Interval(delta.value, max(-1.0, delta.value - 2 * slack), min(1.0, delta.value + 2 * slack))


# ---- cells to find ----------------------------------------------------------------------------------------------------


def links(instances: Iterable[Instance]) -> list[Link]:
    """Tests if puzzles of one size with more cells to find take more (HardcoreLogic, appendix D.2), over canonical rows."""
    by_family: dict[str, list[Instance]] = {}
    for one in instances:
        if one.parent is None and "sought" in one.figures:
            by_family.setdefault(one.family, []).append(one)
    out = []
    for family, some in sorted(by_family.items()):
        for measure in (*ENGINES, "nodes", "tier"):
            known = [one for one in some if measure in one.figures]
            sizes = Counter(one.size for one in known)
            known = [one for one in known if sizes[one.size] > 1]
            found = within_sizes([(one.group, one.size, one.figures["sought"], one.figures[measure]) for one in known])
            if found is not None and len(known) >= LEAST:
                out.append(Link(family, family_named(family).sought, measure, len(known), found))
    return out


def within_sizes(cases: Sequence[tuple[str, int, float, float]]) -> Interval | None:
    """Correlation of ranks that are taken within each size, as deviations from their mean, over (group, size, x, y).

    None if one of the two never differs within a size.
    """
    deviations: list[tuple[str, float, float]] = []
    for size in sorted({size for _, size, _, _ in cases}):
        some = [(group, x, y) for group, other, x, y in cases if other == size]
        xs, ys = _deviations([x for _, x, _ in some]), _deviations([y for _, _, y in some])
        deviations += [(group, x, y) for (group, _, _), x, y in zip(some, xs, ys, strict=True)]
    block_of = blocks_of(group for group, _, _ in deviations)
    blocks = len(set(block_of.values()))
    if not blocks:
        return None
    sums = [[0.0] * blocks for _ in range(3)]
    for group, x, y in deviations:
        for total, product in zip(sums, (x * x, y * y, x * y), strict=True):
            total[block_of[group]] += product

    def correlation(weights: Weights) -> float | None:
        xx, yy, xy = (sum([w * s for w, s in zip(weights, total, strict=True)]) for total in sums)
        return xy / sqrt(xx * yy) if xx and yy else None

    return None if correlation((1,) * blocks) is None else over_blocks(correlation, blocks)


def _deviations(values: Sequence[float]) -> list[float]:
    """Ranks less their mean, as a share of the number of values, so that sizes weigh alike."""
    n = len(values)
    return [(rank - (n + 1) / 2) / n for rank in ranks(values)]


# ---- output -----------------------------------------------------------------------------------------------------------


def verdicts(claims: Iterable[Claim]) -> dict[str, Counter[str]]:
    """kind -> how many of its claims hold, fail, are undecided."""
    out: dict[str, Counter[str]] = {kind: Counter() for kind in CLAIMS}
    for claim in claims:
        out[claim.kind][claim.effect.verdict] += 1
    return out


def shown(value: float) -> str:
    """A figure for people."""
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.2f}"


def shift_words(scale: str, shift: Interval) -> str:
    """A shift in the unit of the scale."""
    if scale == "count":
        factors = [2.0**x for x in (shift.value, shift.low, shift.high)]
        return "x {} ({} to {})".format(*[f"{x:,.0f}" if x >= 100 else f"{x:.2f}" for x in factors])
    if scale == "log10":
        return f"x 10^{shift.value:.1f} (10^{shift.low:.1f} to 10^{shift.high:.1f})"
    return f"{shift.value:+.2f} ({shift.low:+.2f} to {shift.high:+.2f}){' bits' if scale == 'bits' else ''}"


def to_json(found: Complexity) -> dict[str, Any]:
    """Claims and links as JSON-able values."""
    claims = [
        {
            "family": claim.family,
            "step": claim.step,
            "kind": claim.kind,
            "other_kinds": claim.others,
            "measure": claim.measure,
            "comparison": "paired" if claim.effect.paired else "unpaired",
            "rows": claim.effect.pairs,
            "groups": claim.effect.groups,
            "parent_median": claim.effect.parent,
            "child_median": claim.effect.child,
            "delta": claim.effect.delta,
            "shift": claim.effect.shift,
            "verdict": claim.effect.verdict,
        }
        for claim in found.claims
    ]
    out: dict[str, Any] = tables.to_json(
        {
            "claims": claims,
            "cells_to_find": found.links,
            "without_form_surprise": found.unscored,
            "model": found.model or None,
        }
    )
    return out
