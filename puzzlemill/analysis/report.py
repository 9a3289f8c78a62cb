"""Models' replies to a release, as one HTML file: figures with intervals, what went wrong, and the rows that went worst.

The figures are those of `puzzlemill.scoring.metrics` (a missing reply counts as wrong, groups are what is resampled), and with
every accuracy stands what guessing earns. Repetition is the 10-gram redundancy of a text, reasoning included:
1 - different 10-grams / all 10-grams, over words, of texts that have ten words at least. Rows of LR2Bench's tasks
are measured as that paper does, too (puzzlemill/analysis/lr2bench.py).
Replies are hostile: all text is cut, escaped and freed of what turns or hides other text, and the page's policy runs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any, BinaryIO

from puzzlemill.analysis import lr2bench, pages
from puzzlemill.analysis.compare import compared
from puzzlemill.analysis.giving_up import ending
from puzzlemill.analysis.judging import EXHAUSTED, NONE, RIGHT, WRONG, Rate, Trial, rates, trials
from puzzlemill.analysis.lr2bench import Told, repetition
from puzzlemill.analysis.pages import Cell, Content, Interval, Replies, Section, Table, Words, nothing, number
from puzzlemill.analysis.rows import band_order
from puzzlemill.analysis.tables import p_words, percent, text_table
from puzzlemill.chains.judge import CATEGORIES
from puzzlemill.chains.summary import Figures, Judges, size_of
from puzzlemill.core.errors import BadFile, BadInput, BadParams
from puzzlemill.core.types import Kind
from puzzlemill.factory.read import Release, rows
from puzzlemill.scoring import metrics
from puzzlemill.scoring.judging import JUDGEMENT
from puzzlemill.scoring.main import item_of
from puzzlemill.scoring.metrics import (
    GAMES,
    NO_INTERVAL,
    SHARES,
    Estimate,
    Item,
    Measured,
    Report,
    Spent,
    add_spent,
    ks,
    measured,
    section,
)
from puzzlemill.scoring.plays import replay
from puzzlemill.scoring.replies import Replies as Index
from puzzlemill.scoring.replies import turns_of
from puzzlemill.scoring.score import COLUMNS, Verdict, prepared, score

MOST_MODELS = 8
MOST_CHAINS = 500  # of a model that are judged
TOLD = 6_000  # characters of a prompt or reply that are shown, of a reply the last ones
_READ = (*COLUMNS, "prompt", "difficulty", "kinds", "search_space_log10")
_COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#805ad5", "#b83280", "#4a5568", "#00797b", "#8a6116")
OUTCOMES = {
    "solved": "right",
    "wrong": "wrong answer",
    "not least": "right but not the least",
    "claim": '"no solution" where there is one',
    "incomplete": "left blanks",
    "no answer": "game without an answer",
    "unreadable": "no answer in the form asked for",
    "empty": "empty reply",
    "contradiction": "better than what is proved",
    "unchecked": "could not be checked",
}
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Given:
    """One file of replies. name: of the model. facts: how it was asked, for people."""

    name: str
    path: Path
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sample:
    """One reply in numbers. tokens: of completion, thought: of thinking; None where nobody said. repetition: None if short."""

    outcome: str
    cut: bool
    tokens: int | None
    thought: int | None
    repetition: float | None


@dataclass(frozen=True, slots=True)
class Bad:
    """A row of which no reply, or few, are right: for the table of the worst."""

    item: Item
    band: str
    exact: float
    credit: float
    prompt: str
    reply: str
    outcome: str
    detail: str
    sentences: tuple[str, ...]

    @property
    def rank(self) -> tuple[float, tuple[int, str], float, str]:
        """Rows that nobody solves first, of these the easy ones, of these those that came to least."""
        return self.exact, band_order(self.band), self.credit, self.item.id


@dataclass(slots=True)
class Model:
    """A file's figures. places: row id -> (band, tier, reply format). colour: of its drawings."""

    given: Given
    samples: int
    colour: str = _COLOURS[0]
    found: Report = field(default_factory=lambda: Report(0, (), (), ()))
    measured: list[Measured] = field(default_factory=list)
    replies: list[tuple[str, Sample]] = field(default_factory=list)  # family of the row, reply
    places: dict[str, tuple[str, int | None, str]] = field(default_factory=dict)
    worst: list[Bad] = field(default_factory=list)
    chains: Figures = field(default_factory=Figures)
    guesses: dict[tuple[str, int], list[float]] = field(default_factory=dict)  # family, k -> what k guesses earn, for each row
    spent: dict[str, Spent] = field(default_factory=dict)
    trials: list[Trial] = field(default_factory=list)
    kinds: dict[str, list[str]] = field(default_factory=dict)  # row id -> those of its transforms, from the canonical puzzle on
    levels: lr2bench.Levels = field(default_factory=dict)  # rows of LR2Bench's tasks

    @property
    def name(self) -> Cell:
        """Its name, with a dot of its colour."""
        return Cell(self.given.name, "m", colour=self.colour)

    @property
    def sections(self) -> dict[str, metrics.Section]:
        """Figures of all rows, of families and of variants, by name."""
        return {one.name: one for one in self.found.sections}


# ---- figures --------------------------------------------------------------------------------------------------------


def figures(
    release: Release,
    files: Sequence[Given],
    guess: Callable[[Row, Given, int], float],
    worst: int = 20,
    answered: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> list[Model]:
    """Score every file. guess: what guessing earns for a row, as this file was asked, with so many samples.
    answered: leave rows without a reply out. progress: takes the number of rows that are done.

    Raises BadInput as `score` does.
    """
    if not 1 <= len(files) <= MOST_MODELS:
        raise BadParams(f"report: expected 1 to {MOST_MODELS} files of replies, got {len(files)}")
    if not 0 <= worst <= 1000:
        raise BadParams(f"--worst: expected a number of rows from 0 to 1000, got {worst}")
    split_of = {row["id"]: row["split"] for row in rows(release, ("id", "split"))}
    indexes = [Index(given.path, split_of) for given in files]
    models = [
        Model(given, max(1, len(index.samples)), colour) for given, index, colour in zip(files, indexes, _COLOURS, strict=False)
    ]
    splits = [{split_of[name] for name in index} for index in indexes]
    left_out: list[dict[str, int]] = [{} for _ in files]
    judges = Judges(strict=False)
    with ExitStack() as stack:
        opened = [_opened(stack, given.path) for given in files]
        for done, row in enumerate(rows(release, _READ)):
            progress(done)
            for which, (model, index) in enumerate(zip(models, indexes, strict=True)):
                if row["split"] not in splits[which]:
                    left_out[which][row["split"]] = left_out[which].get(row["split"], 0) + 1
                elif row["id"] in index or not answered:
                    _count(model, row, index, opened[which], guess, worst, judges)
    for model, lost in zip(models, left_out, strict=True):
        model.measured.sort(key=lambda one: one.item.id)
        model.found = metrics.report(model.measured, model.samples, sorted(lost.items()), model.spent)
    return models


def solved(release: Release, files: Sequence[Given], answered: bool) -> Iterator[tuple[str, Measured]]:
    """Every row's replies of every model, by the model's name, one file after the other; without what only the page needs."""
    for given in files:
        (model,) = figures(release, [given], lambda row, _given, _k: float(row["guess_baseline"]), 0, answered)
        for one in model.measured:
            yield given.name, one


def _opened(stack: ExitStack, path: Path) -> BinaryIO:
    try:
        return stack.enter_context(path.open("rb"))
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or error}; the file went away while it was read") from None


def _count(
    model: Model,
    row: Row,
    index: Index,
    file: BinaryIO,
    guess: Callable[[Row, Given, int], float],
    worst: int,
    judges: Judges,
) -> None:
    """One row's replies of one model."""
    case = prepared(row)
    item = item_of(row, guess(row, model.given, 1))
    verdicts: dict[int, Verdict] = {}
    told: dict[int, Told] = {}
    shown: tuple[str, Verdict] | None = None
    for sample, line in index.lines(file, row["id"]):
        turns = turns_of(line, index.path) if case.strategy.dialogue else []
        verdict = replay([turn["reply"] for turn in turns], row) if case.strategy.dialogue else score(line["reply"], row)
        verdicts[sample] = verdict
        add_spent(model.spent, line)
        if not case.strategy.dialogue:
            model.trials += trials(row, line)
        chained = model.chains.chains < MOST_CHAINS and not case.strategy.dialogue and case.reply_format != JUDGEMENT
        judge = judges.of(row) if chained else None
        if judge is not None:
            model.chains.add(judge.judge(line["reply"]), size_of(judge))
        one_reply = _sample(line, verdict)
        model.replies.append((item.family, one_reply))
        if lr2bench.counted(row, case):
            told[sample] = _told(line, one_reply, verdict, lr2bench.subtasks(case, verdict))
        if shown is None or (shown[1].solved and not verdict.solved):
            shown = _transcript(turns) if case.strategy.dialogue else line["reply"], verdict
    one = measured(item, [verdicts.get(sample) for sample in sorted(index.samples)])
    model.measured.append(one)
    if lr2bench.counted(row, case):
        level = lr2bench.TASKS[item.family].level(case.puzzle, row["difficulty"]["band"])
        rows_of = model.levels.setdefault((item.family, level), lr2bench.Rows())
        rows_of.items.append((item, [told.get(sample) for sample in sorted(index.samples)]))
        rows_of.space.append(row["search_space_log10"])
    for k in ks(model.samples) if model.samples > 1 else ():
        for family in ("all", item.family):
            model.guesses.setdefault((family, k), []).append(guess(row, model.given, k))
    difficulty = row["difficulty"]
    model.places[item.id] = (difficulty["band"], difficulty["tier"], row["reply_format"])
    model.kinds[item.id] = row["kinds"]
    if one.values["exact"] < 1 and shown is not None and worst:
        reply, verdict = shown
        sentences = tuple([_sentence(case.family, case.puzzle, label) for label in verdict.broken[:8]])
        bad = Bad(
            item,
            difficulty["band"],
            one.values["exact"],
            one.values["credit"],
            row["prompt"][:TOLD],
            reply[-TOLD:],
            _outcome(reply, verdict),
            verdict.detail,
            sentences,
        )
        model.worst.append(bad)
        if len(model.worst) >= 2 * worst:
            model.worst = sorted(model.worst, key=lambda bad: bad.rank)[:worst]


def _transcript(turns: Sequence[Mapping[str, Any]]) -> str:
    """A dialogue as text: each message, and below it what came back."""
    return "\n\n".join([f"{n}. {turn['reply']}\n   --> {turn.get('told', '')}" for n, turn in enumerate(turns, 1)])


def _outcome(reply: str, verdict: Verdict) -> str:
    return "empty" if verdict.why == "unreadable" and not reply.strip() else verdict.why


def _sample(line: Mapping[str, Any], verdict: Verdict) -> Sample:
    reply = line["reply"]
    thoughts = line.get("reasoning")
    usage = line.get("usage")
    counts = usage if type(usage) is dict else {}
    tokens, thought = (_tokens(counts.get(name)) for name in ("completion", "reasoning"))
    return Sample(
        _outcome(reply, verdict),
        line.get("finish_reason") == "length",
        tokens,
        thought,
        repetition(f"{thoughts} {reply}" if type(thoughts) is str else reply),
    )


def _told(line: Mapping[str, Any], sample: Sample, verdict: Verdict, shares: tuple[float, float]) -> Told:
    """The same in LR2Bench's measures. shares: of its subtasks, filled and right."""
    thoughts = line.get("reasoning")
    reply, thinking = line["reply"], thoughts if type(thoughts) is str else ""
    ended = ending(
        reply,
        thinking,
        right=verdict.solved,
        cut=sample.cut,
        claim=verdict.claims_unsolvable,
        answered=verdict.answer is not None,
        blanks=verdict.why == "incomplete",
    )
    return Told(*shares, verdict.solved, ended, sample.tokens, len(thinking) + len(reply), sample.repetition)


def _tokens(count: object) -> int | None:
    """A number of tokens; None for what is none, or none that a float holds exactly."""
    return count if type(count) is int and 0 <= count < 1 << 53 else None


def _sentence(family: Any, puzzle: Any, label: str) -> str:
    try:
        return str(family.describe(puzzle, label))
    except BadInput:
        return label


def _some(model: Model, name: str, chosen: Iterable[Measured]) -> metrics.Section | None:
    """Accuracy of some rows."""
    some = [replace(one, values={"exact": one.values["exact"], "guess": one.values["guess"]}) for one in chosen]
    return section(name, some, model.samples) if some else None


# ---- pieces of the page ---------------------------------------------------------------------------------------------


def _small(value: float) -> str:
    """A guess baseline, in percent, which may be very small."""
    return percent(value) if value >= 0.0005 or not value else "<0.1"


def _interval(estimate: Estimate | None, colour: str, guess: float | None = None, least: float = 0.0) -> Cell:
    """A value with its interval in percent, drawn on an axis from `least` to 1; a mark where guessing stands."""
    if estimate is None:
        return nothing()
    sign = "+" if least < 0 and estimate.value > 0 else ""
    drawing = Interval(estimate.value, estimate.low, estimate.high, colour, least, guess)
    words = f"{percent(estimate.low)} to {percent(estimate.high)}"
    return Cell(bold=sign + percent(estimate.value), small=words, drawing=drawing)


def _by_model(
    models: Sequence[Model],
    heads: Sequence[Content],
    lines: Iterable[tuple[Model, Sequence[Content]]],
    style: str = "figures",
    after: int = 0,
) -> Table:
    """A table whose lines name their model, after so many other cells; where there is one model only, they do not."""
    if len(models) == 1:
        return Table(heads, [cells for _, cells in lines], style)
    rows = [[*cells[:after], model.name, *cells[after:]] for model, cells in lines]
    return Table([*heads[:after], "model", *heads[after:]], rows, style)


def _none(sentence: str) -> list[Words]:
    return [Words([sentence], kind="none")]


# ---- sections of the page -------------------------------------------------------------------------------------------


def _accuracy(models: Sequence[Model], names: Mapping[str, Cell], found: Sequence[Mapping[str, metrics.Section]]) -> Table:
    """A table of accuracies, a column for each model. names: of sections, and how they are shown."""
    body: list[list[Content]] = []
    for name, shown in names.items():
        some = [by_name.get(name) for by_name in found]
        there = [one for one in some if one is not None]
        guesses = dict.fromkeys([_small(one.metrics["guess"].value) for one in there])
        cells: list[Content] = [shown, max(one.rows for one in there), there[0].groups, number(" / ".join(guesses))]
        for one, model in zip(some, models, strict=True):
            if one is None:
                cells.append(nothing())
            else:
                cells.append(_interval(one.metrics["exact"], model.colour, one.metrics["guess"].value))
        body.append(cells)
    return Table(["", "rows", "groups", "guess", *[model.name for model in models]], body, "figures")


def _by_family(models: Sequence[Model]) -> Table:
    found = [model.sections for model in models]
    names = sorted({name for by_name in found for name in by_name}, key=lambda name: (name != "all", _canonical_first(name)))
    return _accuracy(models, {name: _indented(name) for name in names}, found)


def _canonical_first(name: str) -> tuple[str, bool, str]:
    family, _, variant = name.partition("/")
    return family, variant not in ("", "canonical"), variant


def _indented(name: str) -> Cell:
    family, _, variant = name.partition("/")
    return Cell(variant, "in") if variant else Cell(bold=family)


def _by_difficulty(models: Sequence[Model]) -> Table:
    """Bands over all families, then bands of each, then tiers."""
    found: list[dict[str, metrics.Section]] = []
    order: dict[str, tuple[Any, ...]] = {}
    names: dict[str, Cell] = {}
    for model in models:
        by_name: dict[str, list[Measured]] = {}
        for one in model.measured:
            band, tier, _ = model.places[one.item.id]
            rank = band_order(band)
            for family in ("all", one.item.family):
                name = f"{family}/{band}"
                order[name], names[name] = (family != "all", family, rank, -1), Cell(band, bold=family)
                by_name.setdefault(name, []).append(one)
            if tier is not None:
                name = f"{one.item.family}/{band}/tier {tier}"
                order[name], names[name] = (True, one.item.family, rank, tier), Cell(f"tier {tier}", "in")
                by_name.setdefault(name, []).append(one)
        sections = {name: _some(model, name, some) for name, some in by_name.items()}
        found.append({name: one for name, one in sections.items() if one is not None})
    return _accuracy(models, {name: names[name] for name in sorted(order, key=lambda name: order[name])}, found)


def _pairs(models: Sequence[Model]) -> Table:
    """Children against the rows that they were made from."""
    lines = []
    for model in models:
        for p in model.found.pairs:
            if p.difference is not None:
                name = Cell(p.variant, bold=p.family, small=_kind(p.variant, p.solvable))
                estimates = [_interval(p.parent, model.colour), _interval(p.child, model.colour)]
                estimates.append(_interval(p.difference, model.colour, least=-1.0))
                key = (p.family == "all", p.family, not p.solvable, p.variant)
                lines.append((key, model, [name, p.pairs, *estimates, p.both, p.only_parent, p.only_child, p.neither]))
    lines.sort(key=lambda line: line[0])  # a stable order: the models of a variant stand as they were given
    heads = ["", "pairs", "parent", "variant", "difference", "both right", "only parent", "only variant", "neither"]
    return _by_model(models, heads, [line[1:] for line in lines], after=1)


def _surface(models: Sequence[Model]) -> list[tuple[Model, metrics.Pairs]]:
    """The pairs that differ in their surface alone: a right answer to the one is a right answer to the other."""
    found = []
    for model in models:
        variants: dict[tuple[str, str], bool] = {}
        for one in model.measured:
            item, before = one.item, model.kinds.get(one.item.parent)
            if before is not None:
                added = model.kinds[item.id][len(before) :]
                plain = bool(added) and all(kind == Kind.SURFACE.value for kind in added)
                variants[item.family, item.variant] = plain and variants.get((item.family, item.variant), True)
        pairs = [pair for pair in model.found.pairs if variants.get((pair.family, pair.variant)) and pair.difference is not None]
        found += [(model, pair) for pair in pairs]
    return found


def _robustness(models: Sequence[Model]) -> Sequence[Table | Words]:
    """Accuracy before and after a change of the surface."""
    lines = []
    for model, pair in _surface(models):
        estimates = [_interval(one, model.colour) for one in (pair.parent, pair.child)]
        estimates.append(_interval(pair.difference, model.colour, least=-1.0))
        counts = [pair.only_parent, pair.only_child]
        lines.append((model, [Cell(pair.variant, bold=pair.family), pair.pairs, *estimates, *counts, number(p_words(pair.p))]))
    if not lines:
        return _none("no variant differs from its parent in its surface alone")
    heads = ["", "pairs", "before", "after", "change", "only before", "only after", "p"]
    return [_by_model(models, heads, lines, after=1)]


def surface_text(models: Sequence[Model]) -> str:
    """The same for a terminal, in percent and percentage points; "" if there are no such pairs."""
    body = []
    for model, pair in _surface(models):
        assert pair.parent is not None and pair.child is not None and pair.difference is not None
        low, high = 100 * pair.difference.low, 100 * pair.difference.high
        change = f"{100 * pair.difference.value:+.1f} ({low:+.1f} to {high:+.1f})"
        cells = [pair.variant, pair.pairs, percent(pair.parent.value), percent(pair.child.value), change]
        body.append([model.given.name, pair.family, *cells, pair.only_parent, pair.only_child, p_words(pair.p)])
    heads = ["model", "family", "change", "pairs", "before %", "after %", "difference", "only before", "only after", "p"]
    return text_table(heads, body) if body else ""


def _kind(variant: str, solvable: bool) -> str:
    """Say if there is a solution, where the variant's name does not."""
    if variant and (solvable or "unsolvable" in variant):
        return ""
    return f"{'with' if solvable else 'without'} a solution"


def _samples(models: Sequence[Model]) -> Sequence[Table | Words]:
    parts = []
    for model in models:
        if model.samples == 1 or not model.found.sections:
            continue
        columns = [("pass", k) for k in ks(model.samples)] + [("majority", k) for k in ks(model.samples) if k > 2]
        body = []
        for one in model.found.sections:
            if "/" not in one.name:
                cells = [_indented(one.name)]
                for kind, k in columns:
                    guesses = model.guesses[one.name, k if kind == "pass" else 1]
                    cells.append(_interval(one.metrics[f"{kind}@{k}"], model.colour, sum(guesses) / len(guesses)))
                body.append(cells)
        heads = [f"{'best' if kind == 'pass' else 'majority'} of {k}" for kind, k in columns]
        parts.append(Table(["", *heads], body, "figures", title=model.name))
    return parts or _none("there is one sample of each row")


def _games(models: Sequence[Model]) -> Sequence[Table | Words]:
    """Figures of dialogues, by family, variant and domain; and the models two by two, task by task."""
    names = list(dict.fromkeys([game.name for model in models for game in model.found.games]))
    lines = [
        (
            model,
            [
                Cell(bold=name),
                game.rows,
                game.dialogues,
                *[_figure(game.metrics[metric], metric in SHARES, model.colour) for metric in GAMES],
            ],
        )
        for name in names
        for model in models
        for game in model.found.games
        if game.name == name
    ]
    if not lines:
        return _none("no row is a dialogue")
    parts = [_by_model(models, ["", "tasks", "dialogues", *GAMES.values()], lines, after=1)]
    pairs = [_against(first, second) for a, first in enumerate(models) for second in models[a + 1 :]]
    if pairs:
        heads = [
            "second against first",
            "tasks",
            "difference of success",
            "solved by both",
            "difference of relative action count",
        ]
        parts.append(Table(heads, pairs, "figures", title="Task by task"))
    return parts


def _figure(found: Estimate | None, share: bool, colour: str) -> Cell:
    """A share in percent as elsewhere; what counts actions, as a number with its interval."""
    if found is None or share:
        return _interval(found, colour)
    words = "" if found.method == NO_INTERVAL else f"{found.low:.2f} to {found.high:.2f}"
    return Cell(bold=f"{found.value:.2f}", small=words)


def _against(one: Model, other: Model) -> list[Content]:
    first = {row.item.id: row for row in one.measured if row.item.domain}
    pairs = [(first[row.item.id], row) for row in other.measured if row.item.id in first]
    found = compared(f"{one.given.name}/{other.given.name}", pairs)
    success = _interval(found.success, other.colour, least=-1.0)
    return [(other.name, Cell("against"), one.name), found.tasks, success, found.both, _figure(found.relative, False, "")]


def _quantile(values: Sequence[float], share: float) -> float:
    """The value at this share of a sorted list that is not empty."""
    return values[min(len(values) - 1, int(len(values) * share))]


def _lengths(models: Sequence[Model]) -> Table:
    """Tokens and repetition by outcome."""
    lines = []
    for model in models:
        for outcome in ("all", *OUTCOMES):
            some = [sample for _, sample in model.replies if outcome in ("all", sample.outcome)]
            if not some:
                continue
            tokens = sorted([float(one.tokens) for one in some if one.tokens is not None])
            thoughts = sorted([float(one.thought) for one in some if one.thought is not None])
            repeated = sorted([one.repetition for one in some if one.repetition is not None])
            numbers = [str(len(some)), percent(fmean([one.cut for one in some]))]
            for found in (tokens, thoughts):
                shown = [fmean(found), _quantile(found, 0.5), _quantile(found, 0.9)] if found else []
                numbers += [f"{value:,.0f}" for value in shown] or ["-"] * 3
            numbers.append(f"{sum(tokens):,.0f}" if tokens else "-")
            shares = [fmean(repeated), _quantile(repeated, 0.9), fmean([x > 0.5 for x in repeated])] if repeated else []
            numbers += [percent(value) for value in shares] or ["-"] * 3
            lines.append((model, [OUTCOMES.get(outcome, "all replies"), *map(number, numbers)]))
    heads = ["outcome", "replies", "cut off %", "tokens: mean", "median", "90 %", "thinking: mean", "median", "90 %"]
    heads += ["in all", "repetition %: mean", "90 %", "over half"]
    return _by_model(models, heads, lines, "plain")


def _ways(models: Sequence[Model]) -> Table:
    """Each file as a way of asking: accuracy, and what it took."""
    body: list[list[Content]] = []
    for model in models:
        everything, spent = model.sections.get("all"), model.spent
        cells: list[Content] = [model.name, str(model.given.facts.get("mitigation", "plain"))]
        if everything is None:
            cells += [nothing(), number("0")]
        else:
            guess = everything.metrics["guess"].value
            cells += [_interval(everything.metrics["exact"], model.colour, guess), number(str(everything.replies))]
        for kind in ("calls", "prompt", "completion"):
            one = spent.get(kind)
            cells += [number(f"{one.in_all:,}"), number(f"{one.in_all / one.replies:,.1f}")] if one else [number("-")] * 2
        body.append(cells)
    heads = [
        "model",
        "mitigation",
        "right %",
        "replies",
        "calls",
        "a reply",
        "prompt tokens",
        "a reply",
        "completion tokens",
        "a reply",
    ]
    return Table(heads, body, "figures")


def _lr2bench(models: Sequence[Model]) -> Sequence[Table | Words]:
    """LR2Bench's measures, and its constraints and bounds."""
    lines = [(model, lr2bench.line(one)) for model in models for one in lr2bench.figures(model.levels, model.samples)]
    if not lines:
        return _none("no row is a whole puzzle of its six tasks that has one answer")
    spaces = {(str(each[0]), str(each[1])): each for model in models for each in lr2bench.spaces(model.levels)}
    tables = [_by_model(models, lr2bench.HEADS, [(model, _numbers(cells)) for model, cells in lines], "plain", after=2)]
    return [*tables, Table(lr2bench.SPACE_HEADS, [_numbers(each) for each in spaces.values()])]


def _numbers(cells: Sequence[object]) -> list[Content]:
    return [*cells[:2], *[number(str(cell)) for cell in cells[2:]]]


def lr2bench_text(models: Sequence[Model]) -> str:
    """The same for a terminal; "" without such rows."""
    return "\n\n".join(
        [
            f"{model.given.name}\n{lr2bench.to_text(found)}"
            for model in models
            if (found := lr2bench.figures(model.levels, model.samples))
        ]
    )


def _given_up(models: Sequence[Model]) -> Table:
    """Outcomes of replies, by family."""
    there = {sample.outcome for model in models for _, sample in model.replies}
    outcomes = [outcome for outcome in OUTCOMES if outcome in there]
    lines = []
    for model in models:
        for name, one in model.sections.items():
            if "/" in name:
                continue
            counts = Counter(sample.outcome for family, sample in model.replies if name in ("all", family))
            total = counts.total()
            shares = [number(f"{counts[o]} ({100 * counts[o] / total:.0f} %)" if counts[o] else "0") for o in outcomes]
            lines.append((model, [name, total, *shares, one.missing]))
    return _by_model(models, ["family", "replies", *[OUTCOMES[o] for o in outcomes], "missing"], lines, "plain")


def _formats(models: Sequence[Model]) -> Table:
    """Replies that could not be read, and accuracy, by the form that was asked for."""
    lines = []
    for model in models:
        by_format: dict[str, list[Measured]] = {}
        for one in model.measured:
            if one.replies:
                by_format.setdefault(model.places[one.item.id][2], []).append(one)
        for reply_format, some in sorted(by_format.items()):
            failed = [
                replace(one, values={"failed": one.why.get("unreadable", 0) / one.replies, "guess": one.values["guess"]})
                for one in some
            ]
            failures = section(reply_format, failed, model.samples).metrics["failed"]
            right = _some(model, reply_format, some)
            assert right is not None
            guess = right.metrics["guess"].value
            cells = [reply_format, len(some), _interval(failures, "#888"), number(_small(guess))]
            lines.append((model, [*cells, _interval(right.metrics["exact"], model.colour, guess)]))
    return _by_model(models, ["form", "rows", "cannot be read %", "guess %", "right %"], lines)


def _decisions(models: Sequence[Model]) -> Table:
    """Claims that there is no solution, where the prompt says that there may be none."""
    lines = [
        (
            model,
            [_indented(one.name), *s.unsolvable, *s.solvable, _interval(s.balanced_accuracy, model.colour, 0.5)],
        )
        for model in models
        for one in model.found.sections
        if (s := one.solvability) is not None and "/" not in one.name
    ]
    heads = ["", "unsolvable: claimed", "answered", "neither", "solvable: claimed", "answered", "neither", "balanced accuracy %"]
    return _by_model(models, heads, lines)


def _worst(models: Sequence[Model], worst: int) -> Sequence[Table | Words | Replies]:
    parts: list[Table | Words | Replies] = []
    for which, model in enumerate(models):
        shown = sorted(model.worst, key=lambda bad: bad.rank)[:worst]
        if not shown:
            continue
        body: list[list[Content]] = []
        rows = []
        for place, bad in enumerate(shown):
            anchor, outcome = f"m{which}r{place}", OUTCOMES.get(bad.outcome, bad.outcome)
            shares = [number(percent(share)) for share in (bad.exact, bad.credit)]
            body.append([Cell(bad.item.id, link=anchor), bad.item.variant, bad.band, *shares, outcome])
            entry: dict[str, object] = {"id": bad.item.id, "anchor": anchor, "outcome": outcome, "detail": bad.detail[:400]}
            entry |= {"prompt": bad.prompt, "reply": bad.reply, "broken": [sentence[:400] for sentence in bad.sentences]}
            rows.append(entry)
        heads = ["row", "variant", "difficulty", "right %", "partial credit %", "a reply of it"]
        parts += [Table(heads, body, title=model.name), Replies(rows)]
    return parts or _none("every reply is right, or rows were not asked for")


def _chains(models: Sequence[Model]) -> Sequence[Table | Words]:
    """Categories of sentences, scores by size, and the sub-categories of each model's errors."""
    told = [model for model in models if model.chains.chains]
    if not told:
        return _none("No reply is to a row whose chains of reasoning are judged.")
    heads = [
        "model",
        "chains",
        "sentences",
        "understood",
        *CATEGORIES,
        "supposed",
        "average correctness",
        "errors: 1st half",
        "2nd",
    ]
    body: list[list[Content]] = []
    sizes = sorted({size for model in told for size in model.chains.sizes})
    by_size: list[list[Content]] = []
    tables: list[Table | Words] = []
    for model in told:
        found = model.chains
        judged = sum(found.categories[name] for name in CATEGORIES) or 1
        shares: list[Content] = [number(percent(found.categories[name] / judged)) for name in CATEGORIES]
        halves: list[Content] = [number(percent(errors / all_) if all_ else "-") for errors, all_ in found.halves]
        counts: list[Content] = [number(found.chains), number(found.sentences), number(percent(found.understood))]
        body.append([model.name, *counts, *shares, number(found.categories["supposed"]), number(f"{found.average:.2f}"), *halves])
        scores = {size: score for size, _, score in found.by_size()}
        each: list[Content] = [number(f"{scores[size]:.2f}") if size in scores else nothing() for size in sizes]
        by_size.append([model.name, *each, number(f"{found.average:.2f}")])
    tables += [Table(heads, body), Table(["average correctness", *sizes, "all"], by_size)]
    for model in told:
        matrix: list[list[Content]] = [[row, *[number(count) for count in counts]] for row, counts in model.chains.matrix()]
        tables.append(Table(["conclusion \\ premise", "-", *"123456"], matrix, title=model.name))
    return tables


_JUDGED = ("verdicts of", "shown", "verdicts", "right %", "wrong %", "exhausted %", "none %", "corrected", "to a wrong answer")


def _shares(rate: Rate) -> list[str]:
    """What a rate says besides the share of right verdicts: shares of all verdicts, and numbers of corrections."""
    shares = [percent(rate.outcomes.get(outcome, 0) / rate.trials) for outcome in (WRONG, EXHAUSTED, NONE)]
    return [*shares, *[str(rate.corrections.get(worth, 0)) for worth in ("right", "wrong")]]


def _judging(models: Sequence[Model]) -> Sequence[Table | Words]:
    """Verdicts on answers and reasonings."""
    lines = []
    for model in models:
        for rate in rates(model.trials):
            right = Estimate(rate.outcomes.get(RIGHT, 0) / rate.trials, rate.low, rate.high, rate.trials, "wilson over groups")
            cells: list[Content] = [Cell(bold=rate.kind), rate.shown, rate.trials, _interval(right, model.colour, 0.5)]
            lines.append((model, [*cells, *map(number, _shares(rate))]))
    if not lines:
        return _none("no reply is a verdict")
    return [_by_model(models, _JUDGED, lines, after=1)]


def judging_text(models: Sequence[Model]) -> str:
    """The same for a terminal; "" if there are no verdicts."""
    body = []
    for model in models:
        for rate in rates(model.trials):
            right = percent(rate.outcomes.get(RIGHT, 0) / rate.trials)
            between = f"{right} ({percent(rate.low)} to {percent(rate.high)})"
            body.append([model.given.name, rate.kind, rate.shown, rate.trials, between, *_shares(rate)])
    return text_table(["model", *_JUDGED], body) if body else ""


def _head(models: Sequence[Model]) -> Table:
    body: list[list[Content]] = []
    for model in models:
        everything = model.sections.get("all")
        counts = (everything.rows, everything.replies, everything.missing) if everything else (0, 0, 0)
        facts = ", ".join(f"{k} {v}" for k, v in model.given.facts.items())
        left = ", ".join(f"{split} ({count} rows)" for split, count in model.found.left_out)
        about = [model.given.path.name, facts or "-", ", ".join(model.found.splits) or "-", left or "-"]
        body.append([model.name, *about, model.samples, *counts])
    heads = ["model", "file", "asked with", "splits", "not asked", "samples", "rows", "replies", "missing"]
    return Table(heads, body)


def page(release: Release, models: Sequence[Model], worst: int = 20) -> str:
    """The report as HTML."""
    missing = sum(model.found.sections[0].missing for model in models if model.found.sections)
    notes = []
    if missing:
        subject = "1 reply is missing and counts" if missing == 1 else f"{missing} replies are missing and count"
        notes.append(f"{subject} as wrong; --answered leaves out rows without any.")
    if len({model.samples for model in models}) > 1:
        notes.append("The files have different numbers of samples: compare best-of figures of the same k only.")
    sections = [
        Section(
            "Accuracy",
            "Right replies in percent, with 95 % intervals over groups (of fewer than some ten: too narrow). "
            "Red: what guessing earns.",
            [_by_family(models)],
        ),
        Section(
            "Ways of asking",
            "Right replies beside the calls and tokens that they took, all calls of a reply together.",
            [_ways(models)],
        ),
        Section("Difficulty", "By band, and by tier of the hardest technique that is needed.", [_by_difficulty(models)]),
        Section(
            "Variants", "Each variant against the rows that it was made from: what the change alone costs.", [_pairs(models)]
        ),
        Section(
            "Robustness",
            "Variants that change the surface alone (order, names, words, irrelevant sentences): whoever solves the one should "
            "solve the other. p: McNemar's exact test; with several samples, or pairs in a group, the sign test over groups.",
            _robustness(models),
        ),
        Section(
            "Several samples",
            "The chance that one of k replies is right, and whether the most frequent one is. Red: what k guesses earn.",
            _samples(models),
        ),
        Section(
            "Games",
            "Rows that are dialogues: games that were won, tasks with more than half of the samples won, actions of a game, and "
            "by which share they are more than those of the best play in the same world. Parsing errors and illegal moves are "
            "shares of messages.",
            _games(models),
        ),
        Section(
            "No solution",
            "Where the prompt says that there may be none. Constant replies get a balanced accuracy of 50 %.",
            [_decisions(models)],
        ),
        Section(
            "Reasoning",
            f"The sentences of up to {MOST_CHAINS} replies to zebra and logic grids, judged by the answer alone: right or wrong "
            "premise and conclusion, or no conclusion; how they are wrong (1 to 6, a to c); the average share of right pairs.",
            _chains(models),
        ),
        Section(
            "Judging",
            "Verdicts on two answers, on a reasoning and on a model's own. Of flawed reasonings, wrong verdicts endorse them: "
            "of others' a hallucination cascade, of its own self-confirmation. Again: of what was endorsed once. Exhausted: cut "
            "off before a verdict. Corrected: verdicts NO with the right answer.",
            _judging(models),
        ),
        Section(
            "LR2Bench",
            "Its six tasks in its measures (2502.17848): subtasks that are filled (CR) and right (S-Acc), all or half of them "
            "(EM, PM-0.5); right: by the rules, where several answers may keep them. Who gives up leaves a part out, or says "
            "that the answer is a guess. All tasks: the mean of the tasks. Bounds as the paper prints them.",
            _lr2bench(models),
        ),
        Section("What became of the replies", "", [_given_up(models)]),
        Section("Forms", "A reply that cannot be read holds no answer in the form that its row asks for.", [_formats(models)]),
        Section(
            "Length and repetition",
            "Tokens as the endpoint counts them. Repetition: share of 10-grams that stood before in the text, thinking included.",
            [_lengths(models)],
        ),
        Section("Worst rows", "Rows of which the fewest replies are right, easy ones first.", _worst(models, worst)),
    ]
    return pages.page(f"Replies to {release.manifest.get('release', '')}", _head(models), notes, sections)
