"""Metrics over many replies, each with a 95 % confidence interval.

Per row, over its n samples (n: how many different sample numbers the whole file has; a missing reply counts as one that is wrong,
empty and earns nothing, and is counted apart as well):
  exact      share of solved samples ("exact match" of LR2Bench, section 2.4, but any right answer counts); it is avg@n
  credit     mean partial credit above chance: (s - c) / (1 - c), at least 0, and 1 if solved, with s the share of right
             subtasks and c that of the best constant reply to the row, which has one value in every place
  subtask    mean share of right subtasks (its S-Acc), chance included; complete: mean share of filled subtasks (its CR)
  half       share of samples with at least half of the subtasks right (its PM-0.5), chance included
  words      of acrostics: mean share of clued words that are right in all their letters, shown beside the others (Verdict.words);
             a section's value is the mean over its rows that have it
  guess      the row's guess_baseline: the chance that the best reply that solves nothing is right
  pass@k     chance that one of k samples, drawn without replacement, is solved: 1 - C(n-c, k) / C(n, k) with c solved
             (Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1)
  majority@k 1 if the answer that most of the first k samples give is right, else 0; of answers given equally often, the one given
             first counts. Unreadable, incomplete and missing replies do not vote; without votes it is wrong.
k runs over the powers of two up to n, and n. A section's value is the mean over its rows.

Solvability, over the rows whose prompt admits that there may be no solution: who claimed what, balanced accuracy (mean of the two
rates of right decisions) and Matthews' correlation. A reply without an answer or claim is a wrong decision.

Pairs. A child is compared with the row that it was made from (its parent), variant by variant, over the pairs whose rows both
have a reply: accuracy (exact) of each, the difference child - parent, and a count over the samples (sample i of one with sample i
of the other, as McNemar's test does): both right, only the parent, only the child, neither. The p-value is that of the exact sign
test over groups, of which some have more right replies to children than to parents and some fewer: with one sample and one pair
in a group it is McNemar's exact test. Unsolvable children make pairs of their own.

Class-balanced solvability. The same measure as solvability over fewer rows: the unsolvable children of one variant, or of one
depth of the unsat core, against their parents, and against all solvable rows of their groups.

Games, over the rows that are dialogues, of which a sample is one dialogue:
  success    share of solved dialogues; a missing one is not solved
  majority   share of tasks of which more than half of the samples are solved
  actions    actions that were done, a dialogue; a message that did none is no action
  relative   (actions - optimal) / optimal, a dialogue (KUMO's "relative action count"): over solved dialogues and over all of
             them, each against what the best play and what the published search do in the task's world. Dialogues that end early
             with a wrong answer make the figure over all look good: read it together with success. A task of which the optimum
             is 0, or unknown, has no such figure; its dialogues are left out of it and counted (`aimless`)
  parsing    share of messages that name neither an answer nor an action (KUMO's parsing errors): `unreadable` ones, without a
             move in the form asked for, and those that name an action that there is not
  illegal    share of messages that ask for an action that there is not or that was done before
Counts that are the same in all groups, or are of one group only, get no interval.

Spent: calls and tokens of the replies whose lines state them (`puzzlemill run` writes them), summed over all calls of a reply.

Intervals. Rows of one group (a puzzle and what is derived from it) are not independent, so groups are what is resampled:
  bootstrap  percentile interval over DRAWS resamples of the section's groups; more than BLOCKS groups are first pooled into
             BLOCKS blocks by their position in the sorted list of group ids, which are hashes. Drawn from a fixed stream.
  wilson     Wilson's score interval: for a yes/no metric with one row per group and one sample (n = rows); and where all groups
             have the same value, or there is one group only, since resampling would claim certainty (n = groups). Where all
             differences of pairs are the same, a share of the groups might differ in either direction: as many as Wilson's upper
             limit for none observed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial
from math import comb, sqrt
from typing import Any, NamedTuple

from puzzlemill.core.rng import stream
from puzzlemill.scoring.moves import Play
from puzzlemill.scoring.score import Verdict

DRAWS = 1000
BLOCKS = 100
WORDS = "words"  # the metric that rows of some families have beside the others
Z = 1.959963984540054  # the 97.5 % point of the normal distribution


@dataclass(frozen=True, slots=True)
class Item:
    """The properties of a row that the metrics need.

    may_be_unsolvable: its prompt says that there may be no solution. depth: of the unsat core of an unsolvable row, else "".
    parent: id of the row that this one was made from, else "". domain: of a dialogue, the domain that it is about, else "".
    words: its replies are also counted by words (Verdict.words).
    """

    id: str
    split: str
    group: str
    family: str
    variant: str
    solvable: bool
    may_be_unsolvable: bool
    guess: float
    depth: str = ""
    parent: str = ""
    domain: str = ""
    words: bool = False


class Spent(NamedTuple):
    """Calls, or tokens of one kind. replies: those that state a number; in_all: their sum."""

    replies: int = 0
    in_all: int = 0


class Decisions(NamedTuple):
    """Numbers of samples that claimed "no solution", that answered, and that did neither."""

    claimed: int
    answered: int
    silent: int


@dataclass(frozen=True, slots=True)
class Measured:
    """One row's replies in numbers.

    values: metric -> mean over the samples. replies: how many there were. why: Verdict.why -> how often.
    solved: a byte for each sample, 1 if it is right. plays: for each sample of a dialogue, what became of it.
    """

    item: Item
    values: Mapping[str, float]
    replies: int
    decisions: Decisions
    why: Mapping[str, int]
    solved: bytes = b""
    plays: tuple[Play | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % interval. n: rows or groups that the method counts."""

    value: float
    low: float
    high: float
    n: int
    method: str


@dataclass(frozen=True, slots=True)
class Solvability:
    """Decisions on rows whose prompt admits doubt, of which those without a solution stand apart."""

    unsolvable: Decisions
    solvable: Decisions
    balanced_accuracy: Estimate | None  # None unless there are rows of both kinds
    correlation: Estimate | None


@dataclass(frozen=True, slots=True)
class Section:
    """The metrics of some rows. name: "all", a family, or family/variant."""

    name: str
    rows: int
    groups: int
    replies: int
    missing: int
    unanswered_rows: int
    why: Mapping[str, int]
    metrics: Mapping[str, Estimate]
    solvability: Solvability | None


@dataclass(frozen=True, slots=True)
class Pairs:
    """Children against the rows that they were made from. variant: "" for all variants together.

    solvable: of the children. pairs: those that are compared; unanswered: those of which a row has no reply.
    difference: child - parent. The four counts are over pairs and samples. The estimates are None if there is no pair.
    p: McNemar's exact test, two-sided, or what it becomes with several samples; None if there is no pair.
    """

    family: str
    variant: str
    solvable: bool
    pairs: int
    unanswered: int
    parent: Estimate | None
    child: Estimate | None
    difference: Estimate | None
    both: int
    only_parent: int
    only_child: int
    neither: int
    p: float | None = None


@dataclass(frozen=True, slots=True)
class Balance:
    """Decisions on some unsolvable rows and on solvable rows of the same groups.

    which: the variant, or the depth of the unsat core. against: "parents" or "groups" (all solvable rows of the groups).
    """

    family: str
    which: str
    against: str
    rows: int
    decisions: Solvability


@dataclass(frozen=True, slots=True)
class Games:
    """The dialogues of some rows. name: a family, family/variant, or a domain. missing: dialogues that there are not.

    metrics: as the module says; None for one without a value. aimless: by semantics, dialogues without a relative action count.
    """

    name: str
    rows: int
    groups: int
    dialogues: int
    missing: int
    messages: int
    metrics: Mapping[str, Estimate | None]
    aimless: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Report:
    """samples: n. splits: those that were scored; left_out: those without a single reply, with their number of rows."""

    samples: int
    splits: tuple[str, ...]
    left_out: tuple[tuple[str, int], ...]
    sections: tuple[Section, ...]
    pairs: tuple[Pairs, ...] = ()
    balances: tuple[Balance, ...] = ()
    games: tuple[Games, ...] = ()
    spent: Mapping[str, Spent] = field(default_factory=dict)


# ---- one row --------------------------------------------------------------------------------------------------------


def ks(samples: int) -> list[int]:
    """The powers of two up to the number of samples, and that number."""
    return sorted({1 << i for i in range(samples.bit_length()) if 1 << i <= samples} | {samples})


def pass_at(n: int, solved: int, k: int) -> float:
    """Unbiased chance that one of k of n samples is among the solved ones; 1 <= k <= n."""
    return float(1 - Fraction(comb(n - solved, k), comb(n, k)))


def majority(verdicts: Sequence[Verdict | None]) -> bool:
    """Say if the answer given most often is right; the first given wins a tie."""
    votes: dict[Any, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict is not None and verdict.why not in ("unreadable", "incomplete", "unchecked", "no answer"):
            votes.setdefault(("claim",) if verdict.claims_unsolvable else verdict.answer, []).append(verdict)
    return max(votes.values(), key=len)[0].solved if votes else False  # max keeps the first, dicts the order of insertion


def measured(item: Item, verdicts: Sequence[Verdict | None]) -> Measured:
    """One row's verdicts, one per sample in order; None for a missing reply."""
    n = len(verdicts)
    given = [verdict for verdict in verdicts if verdict is not None]
    solved = sum([verdict.solved for verdict in given])
    values = {
        "exact": solved / n,
        "credit": sum([verdict.credit for verdict in given]) / n,
        "subtask": sum([verdict.subtask for verdict in given]) / n,
        "complete": sum([verdict.complete for verdict in given]) / n,
        "half": sum([verdict.subtask >= 0.5 for verdict in given]) / n,
        "guess": item.guess,
    }
    if item.words:
        values[WORDS] = sum([verdict.words or 0.0 for verdict in given]) / n
    if n > 1:
        for k in ks(n):
            values[f"pass@{k}"] = pass_at(n, solved, k)
        for k in ks(n):
            values[f"majority@{k}"] = float(majority(verdicts[:k]))
    why = Counter(verdict.why for verdict in given)
    claimed = sum([verdict.claims_unsolvable for verdict in given])
    answered = sum([verdict.answer is not None for verdict in given])
    hits = bytes([verdict is not None and verdict.solved for verdict in verdicts])
    plays = tuple([None if verdict is None else verdict.play for verdict in verdicts]) if item.domain else ()
    return Measured(item, values, len(given), Decisions(claimed, answered, n - claimed - answered), why, hits, plays)


# ---- intervals ------------------------------------------------------------------------------------------------------


def wilson(value: float, n: int) -> tuple[float, float]:
    """Wilson's score interval of a share observed in n independent cases."""
    centre = (value + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * sqrt(value * (1 - value) / n + Z * Z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


@lru_cache(maxsize=2)
def _draws(name: str, blocks: int) -> list[list[int]]:
    """DRAWS resamples of block numbers, the same for the same section name and number of blocks."""
    rng = stream("scoring", "bootstrap", name, blocks)
    return [[rng.below(blocks) for _ in range(blocks)] for _ in range(DRAWS)]


def _percentiles(found: list[float]) -> tuple[float, float]:
    found.sort()
    return found[len(found) * 25 // 1000], found[min(len(found) - 1, len(found) * 975 // 1000)]


class _Sums:
    """Column sums over a section's rows, and over resamples of its groups."""

    def __init__(self, name: str, rows: Sequence[Measured], columns: Mapping[str, Callable[[Measured], float]]) -> None:
        order = sorted({row.item.group for row in rows})
        self.groups = len(order)
        blocks = min(self.groups, BLOCKS)
        block_of = {group: i % blocks for i, group in enumerate(order)}
        by_column = {column: [0.0] * blocks for column in columns}
        for row in rows:
            block = block_of[row.item.group]
            for column, read in columns.items():
                by_column[column][block] += read(row)
        self.total = {column: sum(sums) for column, sums in by_column.items()}
        self.resampled: list[dict[str, float]] = []
        if self.groups > 1:
            self.resampled = [
                {column: sum([sums[b] for b in draw]) for column, sums in by_column.items()} for draw in _draws(name, blocks)
            ]

    def estimate(self, statistic: Callable[[Mapping[str, float]], float | None]) -> Estimate | None:
        """The statistic of the sums with its bootstrap interval; None where it has no value."""
        value = statistic(self.total)
        if value is None:
            return None
        found = [other for sums in self.resampled if (other := statistic(sums)) is not None]
        low, high = _percentiles(found) if found else (value, value)
        return _spanning(value, low, high, self.groups, "bootstrap over groups")


def _spanning(value: float, low: float, high: float, n: int, method: str) -> Estimate:
    """An interval that holds its value, which rounding or a skewed resample may have left just outside."""
    return Estimate(value, min(low, value), max(high, value), n, method)


def mean(name: str, rows: Sequence[Measured], read: Callable[[Measured], float]) -> Estimate | None:
    """The mean of a figure over these rows with its bootstrap interval; None without rows."""
    return _Sums(name, rows, {"rows": _one, "figure": read}).estimate(_ratio("figure", "rows"))


def _certain(found: Estimate | None, least: float = 0.0) -> Estimate | None:
    """Wilson's interval in place of one of no width; least: the metric runs from there to 1 and is mapped onto 0 .. 1."""
    if found is None or found.low < found.high:
        return found
    low, high = (least + x * (1 - least) for x in wilson((found.value - least) / (1 - least), found.n))
    return _spanning(found.value, low, high, found.n, "wilson over groups")


def _ratio(above: str, below: str) -> Callable[[Mapping[str, float]], float | None]:
    return lambda sums: sums[above] / sums[below] if sums[below] else None


# ---- sections -------------------------------------------------------------------------------------------------------


def section(name: str, rows: Sequence[Measured], samples: int) -> Section:
    """The metrics of these rows, at least one."""
    metrics = [metric for metric in rows[0].values if metric != WORDS]
    columns: dict[str, Callable[[Measured], float]] = {"rows": _one}
    columns |= {metric: partial(_value, metric) for metric in metrics}
    sums = _Sums(name, rows, columns)
    estimates = {metric: _mean(metric, sums, rows, samples) for metric in metrics}
    if some := [row for row in rows if WORDS in row.values]:
        worded = _Sums(f"{name}/{WORDS}", some, {"rows": _one, WORDS: partial(_value, WORDS)})
        estimates[WORDS] = _mean(WORDS, worded, some, samples)
    why: Counter[str] = Counter()
    for row in rows:
        why.update(row.why)
    replies = sum([row.replies for row in rows])
    return Section(
        name,
        rows=len(rows),
        groups=sums.groups,
        replies=replies,
        missing=len(rows) * samples - replies,
        unanswered_rows=sum([row.replies == 0 for row in rows]),
        why=dict(sorted(why.items())),
        metrics=estimates,
        solvability=_solvability(name, [row for row in rows if row.item.may_be_unsolvable]),
    )


def _one(_: Measured) -> float:
    return 1.0


def _value(metric: str, row: Measured) -> float:
    return row.values[metric]


def _mean(metric: str, sums: _Sums, rows: Sequence[Measured], samples: int) -> Estimate:
    found = sums.estimate(_ratio(metric, "rows"))
    assert found is not None
    if metric == "guess":
        return found  # a known property of the rows: no uncertainty if all are equal
    if samples == 1 and sums.groups == len(rows) and all(row.values[metric] in (0.0, 1.0) for row in rows):
        return _spanning(found.value, *wilson(found.value, len(rows)), len(rows), "wilson over rows")
    certain = _certain(found)
    assert certain is not None
    return certain


def _solvability(name: str, rows: Sequence[Measured]) -> Solvability | None:
    if not rows:
        return None
    columns: dict[str, Callable[[Measured], float]] = {
        "claimed": lambda row: float(not row.item.solvable and row.decisions.claimed),
        "unsolvable": lambda row: float(not row.item.solvable and sum(row.decisions)),
        "answered": lambda row: float(row.item.solvable and row.decisions.answered),
        "solvable": lambda row: float(row.item.solvable and sum(row.decisions)),
    }
    sums = _Sums(f"{name}/solvability", rows, columns)

    def decisions(solvable: bool) -> Decisions:
        some = [row.decisions for row in rows if row.item.solvable is solvable]
        return Decisions(*[sum(counts) for counts in zip(Decisions(0, 0, 0), *some, strict=True)])

    return Solvability(
        unsolvable=decisions(False),
        solvable=decisions(True),
        balanced_accuracy=_certain(sums.estimate(_balanced)),
        correlation=_certain(sums.estimate(_correlation), -1.0),
    )


def _balanced(sums: Mapping[str, float]) -> float | None:
    if not sums["unsolvable"] or not sums["solvable"]:
        return None
    return (sums["claimed"] / sums["unsolvable"] + sums["answered"] / sums["solvable"]) / 2


def _correlation(sums: Mapping[str, float]) -> float | None:
    """Matthews' coefficient of the 2 x 2 table in which a silent reply is a wrong decision; 0 if one side is never said."""
    if not sums["unsolvable"] or not sums["solvable"]:
        return None
    hit, miss = sums["claimed"], sums["unsolvable"] - sums["claimed"]
    right, false = sums["answered"], sums["solvable"] - sums["answered"]
    product = (hit + false) * (hit + miss) * (right + false) * (right + miss)
    return (hit * right - false * miss) / sqrt(product) if product else 0.0


# ---- pairs ----------------------------------------------------------------------------------------------------------


def pairs(family: str, variant: str, solvable: bool, found: Sequence[tuple[Measured, Measured]]) -> Pairs:
    """The comparison of these (parent, child) rows."""
    answered = [(parent, child) for parent, child in found if parent.replies and child.replies]
    counts = [[0, 0], [0, 0]]
    for parent, child in answered:
        for a, b in zip(parent.solved, child.solved, strict=True):
            counts[a][b] += 1
    mine: Estimate | None = None
    theirs: Estimate | None = None
    difference: Estimate | None = None
    if answered:
        parent_of = {child.item.id: parent for parent, child in answered}
        columns: dict[str, Callable[[Measured], float]] = {
            "pairs": _one,
            "parent": lambda child: parent_of[child.item.id].values["exact"],
            "child": lambda child: child.values["exact"],
            "difference": lambda child: child.values["exact"] - parent_of[child.item.id].values["exact"],
        }
        sums = _Sums(f"pairs/{family}/{variant}/{solvable}", [child for _, child in answered], columns)
        theirs = _certain(sums.estimate(_ratio("parent", "pairs")))
        mine = _certain(sums.estimate(_ratio("child", "pairs")))
        difference = certain_difference(sums.estimate(_ratio("difference", "pairs")))
    return Pairs(
        family,
        variant,
        solvable,
        pairs=len(answered),
        unanswered=len(found) - len(answered),
        parent=theirs,
        child=mine,
        difference=difference,
        both=counts[1][1],
        only_parent=counts[1][0],
        only_child=counts[0][1],
        neither=counts[0][0],
        p=_mcnemar(answered) if answered else None,
    )


def _mcnemar(found: Sequence[tuple[Measured, Measured]]) -> float:
    """The p-value of the exact sign test over the groups of these (parent, child) rows."""
    gained: Counter[str] = Counter()
    for parent, child in found:
        gained[child.item.group] += sum(child.solved) - sum(parent.solved)
    more, fewer = (sum([sign * gain > 0 for gain in gained.values()]) for sign in (1, -1))
    return sign_test(more, fewer)


def sign_test(more: int, fewer: int) -> float:
    """The chance that fair coins fall as unevenly as this, or more so, in either direction; 1 if none is thrown."""
    n = more + fewer
    tail = sum([comb(n, k) for k in range(min(more, fewer) + 1)])
    return float(min(Fraction(1), Fraction(2 * tail, 2**n)))


def certain_difference(found: Estimate | None) -> Estimate | None:
    """An interval of some width for differences that are all the same: groups not seen may differ, up to -1 or 1."""
    if found is None or found.low < found.high:
        return found
    share = wilson(0.0, found.n)[1]
    low, high = found.value - share * (found.value + 1), found.value + share * (1 - found.value)
    return _spanning(found.value, low, high, found.n, "wilson over groups")


def _all_pairs(rows: Sequence[Measured]) -> list[Pairs]:
    """Every variant of every family, then all of a kind together where there are several."""
    by_id = {row.item.id: row for row in rows}
    found: dict[tuple[str, str, bool], list[tuple[Measured, Measured]]] = {}
    for row in rows:
        parent = by_id.get(row.item.parent)
        if parent is not None:
            found.setdefault((row.item.family, row.item.variant, row.item.solvable), []).append((parent, row))
    out = [pairs(*key, found[key]) for key in sorted(found, key=lambda key: (not key[2], key))]
    for solvable in (True, False):
        kind = [pair for key in sorted(found) if key[2] is solvable for pair in found[key]]
        if kind:
            out.append(pairs("all", "", solvable, kind))
    return out


def _all_balances(rows: Sequence[Measured]) -> list[Balance]:
    """Unsolvable rows by variant and by depth, each against their parents and against all solvable rows of their groups."""
    doubted = [row for row in rows if row.item.may_be_unsolvable]
    found: dict[tuple[str, str], list[Measured]] = {}
    for row in doubted:
        if not row.item.solvable:
            for family in ("all", row.item.family):
                if family != "all":
                    found.setdefault((family, row.item.variant), []).append(row)
                if row.item.depth:
                    found.setdefault((family, f"{row.item.depth} clashes"), []).append(row)
    out = []
    for family, which in sorted(found):
        unsolvable = found[family, which]
        groups = {(row.item.family, row.item.group) for row in unsolvable}
        near = [row for row in doubted if row.item.solvable and (row.item.family, row.item.group) in groups]
        parents = {row.item.parent for row in unsolvable}
        for against, solvable in (("parents", [row for row in near if row.item.id in parents]), ("groups", near)):
            decisions = _solvability(f"{family}/{which}/{against}", [*unsolvable, *solvable])
            assert decisions is not None
            out.append(Balance(family, which, against, len(unsolvable) + len(solvable), decisions))
    return out


# ---- games ----------------------------------------------------------------------------------------------------------

SHARES = ("success", "majority", "parsing", "unreadable", "illegal")  # the others count actions
BEST = ("exact", "compat")
NO_INTERVAL = "no interval"  # in place of a method


def games(name: str, rows: Sequence[Measured], samples: int) -> Games:
    """The dialogues of these rows, at least one."""
    columns: dict[str, Callable[[Measured], float]] = {
        "rows": _one,
        "success": partial(_value, "exact"),
        "majority": lambda row: float(2 * sum(row.solved) > samples),
        "dialogues": lambda row: over(row, lambda _: 1),
        "solved": lambda row: over(row, lambda _: 1, solved=True),
        "messages": lambda row: over(row, lambda play: play.messages),
        "parsing": lambda row: over(row, lambda play: play.unreadable + play.unknown),
        "unreadable": lambda row: over(row, lambda play: play.unreadable),
        "illegal": lambda row: over(row, lambda play: play.illegal),
        "actions": lambda row: over(row, lambda play: len(play.actions)),
        "actions_solved": lambda row: over(row, lambda play: len(play.actions), solved=True),
    }
    for best in BEST:
        for solved, end in ((False, ""), (True, "_solved")):
            columns[f"{best}{end}"] = partial(over, read=partial(relative_count, best), solved=solved)
            columns[f"{best}{end}_known"] = partial(over, read=partial(optimum_known, best), solved=solved)
    sums = _Sums("games", rows, columns)  # the same draws for all of them: there may be a hundred domains
    below = {"success": "rows", "majority": "rows", "actions": "dialogues", "actions_solved": "solved"}
    below |= dict.fromkeys(("parsing", "unreadable", "illegal"), "messages")
    found = {metric: sums.estimate(_ratio(metric, under)) for metric, under in below.items()}
    for best in BEST:
        for end in ("_solved", ""):
            found[f"relative_{best}{end}"] = sums.estimate(_ratio(f"{best}{end}", f"{best}{end}_known"))
    dialogues = int(sums.total["dialogues"])
    return Games(
        name,
        rows=len(rows),
        groups=sums.groups,
        dialogues=dialogues,
        missing=len(rows) * samples - dialogues,
        messages=int(sums.total["messages"]),
        metrics={metric: _certain(one) if metric in SHARES else bare(one) for metric, one in found.items()},
        aimless={best: dialogues - int(sums.total[f"{best}_known"]) for best in BEST},
    )


def bare(found: Estimate | None) -> Estimate | None:
    """Take the interval away where it has no width: of one group, or of groups that are all alike, nothing is known of others."""
    return replace(found, method=NO_INTERVAL) if found is not None and found.low == found.high else found


def over(row: Measured, read: Callable[[Play], float], solved: bool = False) -> float:
    """The sum of a figure over the row's dialogues, or over the solved ones."""
    pairs = zip(row.plays, row.solved, strict=True)
    return float(sum([read(play) for play, right in pairs if play is not None and (right or not solved)]))


def optimum_known(best: str, play: Play) -> float:
    """1 if the optimum is known and not 0."""
    return float(bool(play.exact if best == "exact" else play.compat))


def relative_count(best: str, play: Play) -> float:
    """The relative action count, 0 where there is none."""
    optimum = play.exact if best == "exact" else play.compat
    return (len(play.actions) - optimum) / optimum if optimum else 0.0


def _all_games(rows: Sequence[Measured], samples: int) -> list[Games]:
    """Every family with dialogues, then every variant of it, then every domain."""
    played = [row for row in rows if row.item.domain]
    found: dict[tuple[int, str], list[Measured]] = {}
    for row in played:
        item = row.item
        for order, name in enumerate((item.family, f"{item.family}/{item.variant}", f"{item.family}: {item.domain}")):
            found.setdefault((order, name), []).append(row)
    return [games(name, found[order, name], samples) for order, name in sorted(found)]


def add_spent(totals: dict[str, Spent], line: Mapping[str, Any]) -> None:
    """Count a line of a reply file: "calls", and tokens as its `usage` names them. What is no number is passed over."""
    usage = line.get("usage")
    stated = {**({name: usage.get(name) for name in TOKENS} if type(usage) is dict else {}), "calls": line.get("calls")}
    for name, count in stated.items():
        if type(count) is int and 0 <= count < 1 << 53:
            replies, in_all = totals.get(name, Spent())
            totals[name] = Spent(replies + 1, in_all + count)


def report(
    rows: Sequence[Measured], samples: int, left_out: Sequence[tuple[str, int]] = (), spent: Mapping[str, Spent] | None = None
) -> Report:
    """All rows, then every family, then every variant of every family. spent: what add_spent counted."""
    sections = []
    if rows:
        sections.append(section("all", rows, samples))
        families = sorted({row.item.family for row in rows})
        sections += [section(f, [row for row in rows if row.item.family == f], samples) for f in families]
        for family, variant in sorted({(row.item.family, row.item.variant) for row in rows}):
            some = [row for row in rows if (row.item.family, row.item.variant) == (family, variant)]
            sections.append(section(f"{family}/{variant}", some, samples))
    splits = tuple(sorted({row.item.split for row in rows}))
    parts = tuple(_all_pairs(rows)), tuple(_all_balances(rows)), tuple(_all_games(rows, samples))
    return Report(samples, splits, tuple(left_out), tuple(sections), *parts, spent=spent or {})


# ---- output ---------------------------------------------------------------------------------------------------------


def to_json(found: Report) -> dict[str, Any]:
    """The report as JSON-able values; shares rounded to 6 digits."""
    figures = plain(found, lambda value: round(value, 6))
    return {
        "samples": found.samples,
        "splits": figures["splits"],
        "splits_left_out": dict(found.left_out),
        "sections": figures["sections"],
        "pairs": figures["pairs"],
        "solvability": [one | one.pop("decisions") for one in figures["balances"]],
        "games": figures["games"],
        "spent": figures["spent"],
    }


def plain(value: Any, rounded: Callable[[float], float]) -> Any:
    """Figures as JSON-able values: dataclasses as objects by the names of their fields. rounded: what is written of a number."""
    if isinstance(value, float):
        return rounded(value)
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name), rounded) for field in fields(value)}
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {name: plain(one, rounded) for name, one in value.items()}
    return [plain(one, rounded) for one in value] if isinstance(value, (list, tuple)) else value


GAMES = {
    "success": "success",
    "majority": "majority",
    "actions": "actions",
    "relative_exact_solved": "relative, solved",
    "relative_exact": "relative, all",
    "relative_compat_solved": "to kumo_compat, solved",
    "relative_compat": "to kumo_compat, all",
    "parsing": "parsing errors",
    "illegal": "illegal moves",
}
TOKENS = ("prompt", "completion", "reasoning")
_BEST_WORDS = {"exact": "best play", "compat": "published search"}
_HEADS = {
    "exact": "exact match",
    "credit": "partial credit",
    "subtask": "subtask accuracy",
    "complete": "completion",
    "half": "PM-0.5",
    "guess": "guess",
}


def to_text(found: Report) -> str:
    """The report as a table for a terminal; ASCII only. Intervals are 95 %."""
    lines = [f"{found.samples} sample{'s' if found.samples != 1 else ''} per row; splits: {', '.join(found.splits) or 'none'}"]
    if found.left_out:
        lines.append("no replies, not scored: " + ", ".join(f"{split} ({rows} rows)" for split, rows in found.left_out))
    if not found.sections:
        return "\n".join([*lines, "nothing to score"])
    table = [["section", "rows", "replies", "missing", *_HEADS.values()]]
    for one in found.sections:
        cells = [shown(one.metrics[metric], interval=metric != "guess") for metric in _HEADS]
        table.append([one.name, str(one.rows), str(one.replies), str(one.missing), *cells])
    lines += ["", *_aligned(table)]
    several = [metric for metric in found.sections[0].metrics if metric not in (*_HEADS, WORDS)]
    if several:
        table = [[f"{found.samples} samples", *several]]
        table += [[one.name, *[shown(one.metrics[metric]) for metric in several]] for one in found.sections]
        lines += ["", *_aligned(table)]
    if worded := [[one.name, shown(one.metrics[WORDS])] for one in found.sections if WORDS in one.metrics]:
        lines += ["", *_aligned([["rows with clued words", "words right"], *worded])]
    for one in found.sections:
        if one.name == "all":
            lines += ["", "replies: " + ", ".join(f"{word} {times}" for word, times in one.why.items())]
    if found.pairs:
        table = [["pairs", "children", "n", "parent", "child", "difference", "both", "only parent", "only child", "neither", "p"]]
        for pair in found.pairs:
            figures = [shown(pair.parent), shown(pair.child), shown(pair.difference)]
            counts = [pair.both, pair.only_parent, pair.only_child, pair.neither, "-" if pair.p is None else f"{pair.p:.3g}"]
            kind = "solvable" if pair.solvable else "unsolvable"
            name = "/".join([pair.family, *[pair.variant] * bool(pair.variant)])
            table.append([name, kind, str(pair.pairs), *figures, *map(str, counts)])
        lines += ["", *_aligned(table)]
    if found.games:
        table = [["games", "tasks", "dialogues", *GAMES.values()]]
        for game in found.games:
            table.append([game.name, str(game.rows), str(game.dialogues), *[shown(game.metrics[metric]) for metric in GAMES]])
        lines += ["", *_aligned(table)]
        lost = found.games[0].aimless
        if any(lost.values()):
            lacking = " and ".join(f"{count} against the {_BEST_WORDS[best]}" for best, count in lost.items() if count)
            lines += ["", f"Dialogues without a relative action count, since the optimum is 0 or unknown: {lacking}."]
    heads = ["unsolvable: claimed", "answered", "silent", "solvable: claimed", "answered", "silent", "balanced", "MCC"]
    doubted = [(one.name, one.solvability) for one in found.sections if one.solvability is not None]
    doubted += [(f"{one.family}/{one.which} against {one.against}", one.decisions) for one in found.balances]
    if doubted:
        table = [["solvability", *heads]]
        for name, s in doubted:
            table.append([name, *map(str, (*s.unsolvable, *s.solvable)), shown(s.balanced_accuracy), shown(s.correlation)])
        lines += ["", *_aligned(table)]
    if found.spent:
        table = [["spent", "replies", "in all", "a reply"]]
        for kind in ("calls", *TOKENS):
            if kind in found.spent:
                name = kind if kind == "calls" else f"{kind} tokens"
                replies, in_all = found.spent[kind]
                table.append([name, str(replies), str(in_all), f"{in_all / replies:.1f}"])
        lines += ["", *_aligned(table)]
    if found.sections[0].missing:
        silent = found.sections[0].unanswered_rows
        more = f" {silent} rows have none; --answered leaves out such rows." if silent else ""
        lines += ["", f"A missing reply counts as wrong.{more}"]
    return "\n".join(lines)


def shown(estimate: Estimate | None, interval: bool = True) -> str:
    """A figure with its interval, or "-"."""
    if estimate is None:
        return "-"
    wide = interval and estimate.method != NO_INTERVAL
    return f"{estimate.value:.3f}" + (f" [{estimate.low:.3f}, {estimate.high:.3f}]" if wide else "")


def _aligned(table: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    return [
        "  ".join([row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)]) for row in table
    ]
