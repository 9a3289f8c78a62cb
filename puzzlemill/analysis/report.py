"""What models made of a release, as one HTML file: figures with intervals, what went wrong, and the rows that went worst.

The figures are those of `puzzlemill.scoring.metrics` (a missing reply counts as wrong, groups are what is resampled), and beside
every accuracy stands what guessing earns. Repetition is the 10-gram redundancy of a text, reasoning included:
1 - different 10-grams / all 10-grams, over words, of texts that have ten words at least.
Replies are hostile: all text is escaped, cut, and freed of what turns or hides other text, and the page's policy runs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO

from puzzlemill.analysis.pages import html_page, number, table, text
from puzzlemill.core.errors import BadFile, BadInput, BadParams
from puzzlemill.factory.read import Release, rows
from puzzlemill.scoring.metrics import (
    GAMES,
    NO_INTERVAL,
    SHARES,
    Estimate,
    Games,
    Item,
    Measured,
    Report,
    Section,
    compared,
    ks,
    measured,
    report,
    section,
)
from puzzlemill.scoring.plays import replay, subject_of
from puzzlemill.scoring.replies import MAX_LINE, Replies, turns_of
from puzzlemill.scoring.score import COLUMNS, Verdict, prepared, score

MOST_MODELS = 6
GRAM = 10
WORDS = 50_000  # words of a text whose repetition is counted, from its start
TOLD = 6_000  # characters of a prompt or reply that are shown, of a reply the last ones
_READ = (*COLUMNS, "prompt", "difficulty")
_BANDS = ("easy", "medium", "hard", "unrated")
_COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#805ad5", "#b83280", "#4a5568")
OUTCOMES = (
    "solved",
    "wrong",
    "not least",
    "claim",
    "incomplete",
    "no answer",
    "unreadable",
    "empty",
    "contradiction",
    "unchecked",
)
_OUTCOME_WORDS = {
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
    subtask: float
    prompt: str
    reply: str
    outcome: str
    detail: str
    sentences: tuple[str, ...]

    @property
    def rank(self) -> tuple[float, int, float, str]:
        """Rows that nobody solves first, of these the easy ones, of these those that came to least."""
        return self.exact, _BANDS.index(self.band) if self.band in _BANDS else len(_BANDS), self.subtask, self.item.id


@dataclass(slots=True)
class Model:
    """A file's figures. places: row id -> (band, tier, reply format)."""

    given: Given
    samples: int
    found: Report = field(default_factory=lambda: Report(0, (), (), ()))
    measured: list[Measured] = field(default_factory=list)
    replies: list[tuple[str, Sample]] = field(default_factory=list)  # family of the row, reply
    places: dict[str, tuple[str, int | None, str]] = field(default_factory=dict)
    worst: list[Bad] = field(default_factory=list)
    guesses: dict[tuple[str, int], list[float]] = field(default_factory=dict)  # family, k -> what k guesses earn, for each row


def repetition(text: str) -> float | None:
    """10-gram redundancy; None for fewer than ten words."""
    words = text.split(None, WORDS)[:WORDS]
    grams = len(words) - GRAM + 1
    if grams < 1:
        return None
    return 1 - len({tuple(words[i : i + GRAM]) for i in range(grams)}) / grams


# ---- figures --------------------------------------------------------------------------------------------------------


def figures(
    release: Release,
    files: Sequence[Given],
    guess: Callable[[Row, Given, int], float],
    worst: int = 20,
    answered: bool = False,
) -> list[Model]:
    """Score every file. guess: what guessing earns for a row, as this file was asked, with so many samples.
    answered: leave rows without a reply out.

    Raises BadInput as `score` does.
    """
    if not 1 <= len(files) <= MOST_MODELS:
        raise BadParams(f"report: expected 1 to {MOST_MODELS} files of replies, got {len(files)}")
    if not 0 <= worst <= 1000:
        raise BadParams(f"--worst: expected a number of rows from 0 to 1000, got {worst}")
    split_of = {row["id"]: row["split"] for row in rows(release, ("id", "split"))}
    indexes = [Replies(given.path, split_of) for given in files]
    models = [Model(given, max(1, len(index.samples))) for given, index in zip(files, indexes, strict=True)]
    splits = [{split_of[name] for name in index.places} for index in indexes]
    left_out: list[dict[str, int]] = [{} for _ in files]
    with ExitStack() as stack:
        opened = [_opened(stack, given.path) for given in files]
        for row in rows(release, _READ):
            for which, (model, index) in enumerate(zip(models, indexes, strict=True)):
                if row["split"] not in splits[which]:
                    left_out[which][row["split"]] = left_out[which].get(row["split"], 0) + 1
                elif index.places.get(row["id"]) or not answered:
                    _count(model, row, index, opened[which], guess, worst)
    for model, lost in zip(models, left_out, strict=True):
        model.measured.sort(key=lambda one: one.item.id)
        model.found = report(model.measured, model.samples, sorted(lost.items()))
    return models


def _opened(stack: ExitStack, path: Path) -> BinaryIO:
    try:
        return stack.enter_context(path.open("rb"))
    except OSError as error:
        raise BadFile(f"{path}: {error.strerror or error}; the file went away while it was read") from None


def _count(model: Model, row: Row, index: Replies, file: BinaryIO, guess: Callable[[Row, Given, int], float], worst: int) -> None:
    """One row's replies of one model."""
    case = prepared(row)
    item = Item(
        row["id"],
        row["split"],
        row["group_id"],
        row["family"],
        row["variant"],
        row["status"] != "unsolvable",
        case.doubt,
        guess(row, model.given, 1),
        (row["proof"] or {}).get("depth") or "",
        row["parent_id"] or "",
        subject_of(case),
    )
    verdicts: dict[int, Verdict] = {}
    shown: tuple[str, Verdict] | None = None
    for sample, start in sorted(index.places.get(row["id"], {}).items()):
        line = _line(file, start, index.path, row["id"])
        turns = turns_of(line, index.path) if case.strategy.dialogue else []
        verdict = replay([turn["reply"] for turn in turns], row) if case.strategy.dialogue else score(line["reply"], row)
        verdicts[sample] = verdict
        model.replies.append((item.family, _sample(line, verdict)))
        if shown is None or (shown[1].solved and not verdict.solved):
            shown = _transcript(turns) if case.strategy.dialogue else line["reply"], verdict
    one = measured(item, [verdicts.get(sample) for sample in sorted(index.samples)])
    model.measured.append(one)
    for k in ks(model.samples) if model.samples > 1 else ():
        for family in ("all", item.family):
            model.guesses.setdefault((family, k), []).append(guess(row, model.given, k))
    difficulty = row["difficulty"]
    model.places[item.id] = (difficulty["band"], difficulty["tier"], row["reply_format"])
    if one.values["exact"] < 1 and shown is not None and worst:
        reply, verdict = shown
        sentences = tuple([_sentence(case.family, case.puzzle, label) for label in verdict.broken[:8]])
        bad = Bad(
            item,
            difficulty["band"],
            one.values["exact"],
            one.values["subtask"],
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


def _line(file: BinaryIO, start: int, path: Path, name: str) -> dict[str, Any]:
    file.seek(start)
    try:
        line = json.loads(file.readline(MAX_LINE + 1))
        if line["id"] == name and type(line["reply"]) is str:
            return dict(line)
    except (ValueError, RecursionError, LookupError, TypeError):
        pass
    raise BadFile(f"{path}: the file changed while it was read; report on a file that nothing writes to")


def _outcome(reply: str, verdict: Verdict) -> str:
    return "empty" if verdict.why == "unreadable" and not reply.strip() else verdict.why


def _sample(line: Mapping[str, Any], verdict: Verdict) -> Sample:
    reply = line["reply"]
    thoughts = line.get("reasoning")
    usage = line.get("usage")
    told = usage if type(usage) is dict else {}
    tokens, thought = (_tokens(told.get(name)) for name in ("completion", "reasoning"))
    return Sample(
        _outcome(reply, verdict),
        line.get("finish_reason") == "length",
        tokens,
        thought,
        repetition(f"{thoughts} {reply}" if type(thoughts) is str else reply),
    )


def _tokens(count: object) -> int | None:
    """A number of tokens; None for what is none, or none that a float holds exactly."""
    return count if type(count) is int and 0 <= count < 1 << 53 else None


def _sentence(family: Any, puzzle: Any, label: str) -> str:
    try:
        return str(family.describe(puzzle, label))
    except BadInput:
        return label


def _some(model: Model, name: str, chosen: Iterable[Measured]) -> Section | None:
    """Accuracy of some rows."""
    some = [replace(one, values={"exact": one.values["exact"], "guess": one.values["guess"]}) for one in chosen]
    return section(name, some, model.samples) if some else None


# ---- pieces of the page ---------------------------------------------------------------------------------------------


def _share(value: float) -> str:
    return f"{100 * value:.1f}"


def _small(value: float) -> str:
    """A guess baseline, in percent, which may be very small."""
    percent = 100 * value
    return f"{percent:.1f}" if percent >= 0.05 or not percent else "<0.1"


def _interval(estimate: Estimate | None, colour: str, guess: float | None = None, least: float = 0.0) -> str:
    """A value with its interval in percent, drawn on an axis from `least` to 1; a mark where guessing stands."""
    if estimate is None:
        return '<td class="none">-</td>'
    wide, high = 116, 18

    def x(value: float) -> str:
        return f"{4 + (wide - 8) * (value - least) / (1 - least):.1f}"

    marks = [f'<line x1="{x(least)}" y1="15" x2="{x(1)}" y2="15" stroke="currentColor" opacity=".2"/>']
    if least < 0:
        marks.append(f'<line x1="{x(0)}" y1="2" x2="{x(0)}" y2="17" stroke="currentColor" opacity=".5"/>')
    if guess is not None:
        marks.append(f'<line x1="{x(guess)}" y1="3" x2="{x(guess)}" y2="17" stroke="#d33" stroke-width="1.5"/>')
    marks.append(
        f'<line x1="{x(estimate.low)}" y1="9" x2="{x(estimate.high)}" y2="9" stroke="{colour}" stroke-width="3" opacity=".5"/>'
    )
    marks.append(f'<circle cx="{x(estimate.value)}" cy="9" r="4" fill="{colour}"/>')
    sign = "+" if least < 0 and estimate.value > 0 else ""
    told = f"<b>{sign}{_share(estimate.value)}</b> <small>{_share(estimate.low)} to {_share(estimate.high)}</small>"
    svg = f'<svg width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img">{"".join(marks)}</svg>'
    return f"<td>{svg}<span>{told}</span></td>"


def _names(models: Sequence[Model]) -> list[str]:
    return [
        f'<span class="m"><i style="background:{colour}"></i>{text(m.given.name)}</span>'
        for m, colour in zip(models, _COLOURS, strict=False)
    ]


# ---- sections of the page -------------------------------------------------------------------------------------------


def _accuracy(models: Sequence[Model], names: Sequence[tuple[str, str]], found: Sequence[Mapping[str, Section]]) -> str:
    """A table of accuracies, a column for each model. names: of sections, and how they are shown."""
    body = []
    for name, told in names:
        some = [by_name.get(name) for by_name in found]
        there = next(one for one in some if one is not None)
        guesses = [None if one is None else one.metrics["guess"].value for one in some]
        cells = [told, number(max(one.rows for one in some if one is not None)), number(there.groups)]
        cells.append(number(" / ".join(dict.fromkeys([_small(guess) for guess in guesses if guess is not None]))))
        for one, guess, colour in zip(some, guesses, _COLOURS, strict=False):
            cells.append(_interval(None if one is None else one.metrics["exact"], colour, guess))
        body.append(cells)
    return table(["", "rows", "groups", "guess", *_names(models)], body, "figures")


def _by_family(models: Sequence[Model]) -> str:
    found = [{one.name: one for one in model.found.sections} for model in models]
    names = sorted({name for by_name in found for name in by_name}, key=lambda name: (name != "all", _canonical_first(name)))
    told = [(name, _indented(name)) for name in names]
    return _accuracy(models, told, found)


def _canonical_first(name: str) -> tuple[str, bool, str]:
    family, _, variant = name.partition("/")
    return family, variant not in ("", "canonical"), variant


def _indented(name: str) -> str:
    family, _, variant = name.partition("/")
    return f'<td class="in">{text(variant)}</td>' if variant else f"<td><b>{text(family)}</b></td>"


def _by_difficulty(models: Sequence[Model]) -> str:
    """Bands over all families, then bands of each, then tiers."""
    found: list[dict[str, Section]] = []
    order: dict[str, tuple[Any, ...]] = {}
    for model in models:
        by_name: dict[str, list[Measured]] = {}
        for one in model.measured:
            band, tier, _ = model.places[one.item.id]
            rank = _BANDS.index(band) if band in _BANDS else len(_BANDS)
            for family in ("all", one.item.family):
                name = f"{family}/{band}"
                order[name] = (family != "all", family, rank, -1)
                by_name.setdefault(name, []).append(one)
            if tier is not None:
                name = f"{one.item.family}/{band}/tier {tier}"
                order[name] = (True, one.item.family, rank, tier)
                by_name.setdefault(name, []).append(one)
        sections = {name: _some(model, name, some) for name, some in by_name.items()}
        found.append({name: one for name, one in sections.items() if one is not None})
    told = []
    for name in sorted(order, key=lambda name: order[name]):
        family, band, *below = name.split("/")
        told.append((name, f'<td class="in">{text(below[0])}</td>' if below else f"<td>{text(family)} <b>{text(band)}</b></td>"))
    return _accuracy(models, told, found)


def _pairs(models: Sequence[Model]) -> str:
    """Children against the rows that they were made from."""
    body = []
    keys = sorted({(p.family == "all", p.family, not p.solvable, p.variant) for model in models for p in model.found.pairs})
    for _, family, unsolvable, variant in keys:
        for model, colour, name in zip(models, _COLOURS, _names(models), strict=False):
            for p in model.found.pairs:
                if (p.family, p.variant, p.solvable) == (family, variant, not unsolvable) and p.difference is not None:
                    told = f"<td><b>{text(family)}</b> {text(variant)}{_kind(variant, unsolvable)}</td>"
                    counts = [p.both, p.only_parent, p.only_child, p.neither]
                    cells = [told, *([name] if len(models) > 1 else []), number(p.pairs)]
                    cells += [_interval(p.parent, colour), _interval(p.child, colour)]
                    cells += [_interval(p.difference, colour, least=-1.0), *map(number, counts)]
                    body.append(cells)
    heads = ["", *(["model"] if len(models) > 1 else []), "pairs", "parent", "variant", "difference"]
    return table([*heads, "both right", "only parent", "only variant", "neither"], body, "figures")


def _kind(variant: str, unsolvable: bool) -> str:
    """What the name of a variant does not say."""
    if variant and (not unsolvable or "unsolvable" in variant):
        return ""
    return f"{' ' * bool(variant)}<small>{'without' if unsolvable else 'with'} a solution</small>"


def _samples(models: Sequence[Model]) -> str:
    parts = []
    for which, (model, name) in enumerate(zip(models, _names(models), strict=False)):
        if model.samples == 1 or not model.found.sections:
            continue
        columns = [("pass", k) for k in ks(model.samples)] + [("majority", k) for k in ks(model.samples) if k > 2]
        body = []
        for one in model.found.sections:
            if "/" not in one.name:
                cells = [_indented(one.name)]
                for kind, k in columns:
                    guesses = model.guesses[one.name, k if kind == "pass" else 1]
                    cells.append(_interval(one.metrics[f"{kind}@{k}"], _COLOURS[which], sum(guesses) / len(guesses)))
                body.append(cells)
        heads = [f"{'best' if kind == 'pass' else 'majority'} of {k}" for kind, k in columns]
        parts.append(f"<h3>{name}</h3>" + table(["", *heads], body, "figures"))
    return "".join(parts) or '<p class="none">there is one sample of each row</p>'


def _games(models: Sequence[Model]) -> str:
    """Figures of dialogues, by family, variant and domain; and the models two by two, task by task."""
    body = []
    names = list(dict.fromkeys([game.name for model in models for game in model.found.games]))
    if not names:
        return '<p class="none">no row is a dialogue</p>'
    for name in names:
        for model, colour, shown in zip(models, _COLOURS, _names(models), strict=False):
            for game in model.found.games:
                if game.name == name:
                    cells = [f"<td><b>{text(name)}</b></td>", *([shown] if len(models) > 1 else []), number(game.rows)]
                    cells += [number(game.dialogues), *[_figure(game, metric, colour) for metric in GAMES]]
                    body.append(cells)
    heads = ["", *(["model"] if len(models) > 1 else []), "tasks", "dialogues", *GAMES.values()]
    parts = [table(heads, body, "figures")]
    pairs = [(a, b) for a in range(len(models)) for b in range(a + 1, len(models))]
    body = [_against(models, a, b) for a, b in pairs]
    if body:
        heads = [
            "second against first",
            "tasks",
            "difference of success",
            "solved by both",
            "difference of relative action count",
        ]
        parts.append("<h3>Task by task</h3>" + table(heads, body, "figures"))
    return "".join(parts)


def _figure(game: Games, metric: str, colour: str) -> str:
    """A share in percent as elsewhere; what counts actions, as a number with its interval."""
    found = game.metrics[metric]
    return _interval(found, colour) if metric in SHARES else _counted(found)


def _counted(found: Estimate | None) -> str:
    if found is None:
        return '<td class="none">-</td>'
    told = "" if found.method == NO_INTERVAL else f" <small>{found.low:.2f} to {found.high:.2f}</small>"
    return f"<td><b>{found.value:.2f}</b>{told}</td>"


def _against(models: Sequence[Model], a: int, b: int) -> list[str]:
    first = {one.item.id: one for one in models[a].measured if one.item.domain}
    found = compared(
        f"{models[a].given.name}/{models[b].given.name}",
        [(first[one.item.id], one) for one in models[b].measured if one.item.id in first],
    )
    names = _names(models)
    cells = [f"<td>{names[b]} against {names[a]}</td>", number(found.tasks), _interval(found.success, _COLOURS[b], least=-1.0)]
    return [*cells, number(found.both), _counted(found.relative)]


def _quantile(values: Sequence[float], share: float) -> float:
    """The value at this share of a sorted list that is not empty."""
    return values[min(len(values) - 1, int(len(values) * share))]


def _lengths(models: Sequence[Model]) -> str:
    """Tokens and repetition by outcome."""
    body = []
    for model, name in zip(models, _names(models), strict=False):
        by_outcome: dict[str, list[Sample]] = {"all": [sample for _, sample in model.replies]}
        for _, sample in model.replies:
            by_outcome.setdefault(sample.outcome, []).append(sample)
        for outcome in ("all", *OUTCOMES):
            some = by_outcome.get(outcome)
            if not some:
                continue
            tokens = sorted([float(one.tokens) for one in some if one.tokens is not None])
            thoughts = sorted([float(one.thought) for one in some if one.thought is not None])
            repeated = sorted([one.repetition for one in some if one.repetition is not None])
            cells = [*([name] if len(models) > 1 else []), text(_OUTCOME_WORDS.get(outcome, "all replies"))]
            cells += [number(len(some)), number(f"{100 * sum(one.cut for one in some) / len(some):.1f}")]
            for figures_ in (tokens, thoughts):
                told = [sum(figures_) / len(figures_), _quantile(figures_, 0.5), _quantile(figures_, 0.9)] if figures_ else []
                cells += [number(f"{value:,.0f}") for value in told] or [number("-")] * 3
            cells.append(number(f"{sum(tokens):,.0f}" if tokens else "-"))
            if repeated:
                often = sum(value > 0.5 for value in repeated) / len(repeated)
                shares = [sum(repeated) / len(repeated), _quantile(repeated, 0.9), often]
                cells += [number(_share(value)) for value in shares]
            else:
                cells += [number("-")] * 3
            body.append(cells)
    heads = ["outcome", "replies", "cut off %", "tokens: mean", "median", "90 %", "thinking: mean", "median", "90 %"]
    heads += ["in all", "repetition %: mean", "90 %", "over half"]
    return table([*(["model"] if len(models) > 1 else []), *heads], body, "plain")


def _given_up(models: Sequence[Model]) -> str:
    """What replies came to, by family."""
    there = {sample.outcome for model in models for _, sample in model.replies}
    outcomes = [outcome for outcome in OUTCOMES if outcome in there]
    body = []
    for model, name in zip(models, _names(models), strict=False):
        families = ["all", *sorted({one.item.family for one in model.measured})]
        sections = {one.name: one for one in model.found.sections}
        for family in families if sections else []:
            counts = dict.fromkeys(outcomes, 0)
            for of, sample in model.replies:
                if family in ("all", of):
                    counts[sample.outcome] += 1
            total = sum(counts.values())
            missing = sections[family].missing
            cells = [*([name] if len(models) > 1 else []), text(family), number(total)]
            cells += [number(f"{counts[o]} ({100 * counts[o] / total:.0f} %)" if counts[o] else "0") for o in outcomes]
            body.append([*cells, number(missing)])
    heads = [
        *(["model"] if len(models) > 1 else []),
        "family",
        "replies",
        *[text(_OUTCOME_WORDS[o]) for o in outcomes],
        "missing",
    ]
    return table(heads, body, "plain")


def _formats(models: Sequence[Model]) -> str:
    """Replies that could not be read, and accuracy, by the form that was asked for."""
    body = []
    for which, (model, name) in enumerate(zip(models, _names(models), strict=False)):
        by_format: dict[str, list[Measured]] = {}
        for one in model.measured:
            if one.replies:
                by_format.setdefault(model.places[one.item.id][2], []).append(one)
        for reply_format in sorted(by_format):
            some = by_format[reply_format]
            failed = [
                replace(one, values={"failed": one.why.get("unreadable", 0) / one.replies, "guess": one.values["guess"]})
                for one in some
            ]
            failures = section(reply_format, failed, model.samples).metrics["failed"]
            right = _some(model, reply_format, some)
            assert right is not None
            cells = [*([name] if len(models) > 1 else []), text(reply_format), number(len(some))]
            cells += [_interval(failures, "#888"), number(_small(right.metrics["guess"].value))]
            body.append([*cells, _interval(right.metrics["exact"], _COLOURS[which], right.metrics["guess"].value)])
    heads = ["form", "rows", "cannot be read %", "guess %", "right %"]
    return table([*(["model"] if len(models) > 1 else []), *heads], body, "figures")


def _decisions(models: Sequence[Model]) -> str:
    """Who claimed that there is no solution, where the prompt says that there may be none."""
    body = []
    for which, (model, name) in enumerate(zip(models, _names(models), strict=False)):
        for one in model.found.sections:
            s = one.solvability
            if s is None or "/" in one.name:
                continue
            counts = [s.unsolvable_claimed, s.unsolvable_answered, s.unsolvable_silent]
            counts += [s.solvable_claimed, s.solvable_answered, s.solvable_silent]
            cells = [*([name] if len(models) > 1 else []), _indented(one.name), *map(number, counts)]
            body.append([*cells, _interval(s.balanced_accuracy, _COLOURS[which], 0.5)])
    heads = ["", "unsolvable: claimed", "answered", "neither", "solvable: claimed", "answered", "neither", "balanced accuracy %"]
    return table([*(["model"] if len(models) > 1 else []), *heads], body, "figures")


def _worst(models: Sequence[Model], worst: int) -> str:
    parts = []
    for which, (model, name) in enumerate(zip(models, _names(models), strict=False)):
        shown = sorted(model.worst, key=lambda bad: bad.rank)[:worst]
        if not shown:
            continue
        body, articles = [], []
        for place, bad in enumerate(shown):
            anchor = f"m{which}r{place}"
            why = bad.outcome
            body.append(
                [
                    f'<a href="#{anchor}">{text(bad.item.id)}</a>',
                    text(bad.item.variant),
                    text(bad.band),
                    number(_share(bad.exact)),
                    number(_share(bad.subtask)),
                    text(_OUTCOME_WORDS.get(why, why)),
                ]
            )
            detail = bad.detail
            broken = "".join(f"<li>{text(sentence[:400])}</li>" for sentence in bad.sentences)
            said = f"<p>{text(_OUTCOME_WORDS.get(why, why))}{': ' + text(detail[:400]) if detail else ''}</p>"
            said += f"<p>It does not keep:</p><ul>{broken}</ul>" if broken else ""
            articles.append(
                f'<details class="row"><summary>{text(bad.item.id)}: {text(_OUTCOME_WORDS.get(why, why))}'
                f'</summary><h4 id="{anchor}">prompt</h4><pre>{text(bad.prompt)}</pre><h4>reply</h4>'
                f"<pre>{text(bad.reply) or '(empty)'}</pre>"
                f"<h4>verdict</h4>{said}</details>"
            )
        heads = ["row", "variant", "difficulty", "right %", "slots right %", "a reply of it"]
        parts.append(f"<h3>{name}</h3>" + table(heads, body, "plain") + "".join(articles))
    return "".join(parts) or '<p class="none">every reply is right, or rows were not asked for</p>'


def _head(models: Sequence[Model]) -> str:
    body = []
    for model, name in zip(models, _names(models), strict=False):
        everything = model.found.sections[0] if model.found.sections else None
        facts = ", ".join(f"{text(k)} {text(v)}" for k, v in model.given.facts.items())
        counts = (everything.rows, everything.replies, everything.missing) if everything else (0, 0, 0)
        left = ", ".join(f"{split} ({count} rows)" for split, count in model.found.left_out)
        cells = [
            name,
            text(model.given.path.name),
            facts or "-",
            text(", ".join(model.found.splits) or "-"),
            text(left or "-"),
        ]
        body.append([*cells, number(model.samples), *map(number, counts)])
    heads = ["model", "file", "asked with", "splits", "not asked", "samples", "rows", "replies", "missing"]
    return table(heads, body, "plain")


def page(release: Release, models: Sequence[Model], worst: int = 20) -> str:
    """The report as HTML."""
    missing = sum(model.found.sections[0].missing for model in models if model.found.sections)
    notes = []
    if missing:
        told = "1 reply is missing and counts" if missing == 1 else f"{missing} replies are missing and count"
        notes.append(f"{told} as wrong; --answered leaves out rows without any.")
    if len({model.samples for model in models}) > 1:
        notes.append("The files have different numbers of samples: compare best-of figures of the same k only.")
    sections = [
        (
            "Accuracy",
            "Right replies in percent, with 95 % intervals over groups (of fewer than some ten: too narrow). "
            "Red: what guessing earns.",
            _by_family(models),
        ),
        ("Difficulty", "By band, and by tier of the hardest technique that is needed.", _by_difficulty(models)),
        ("Variants", "Each variant against the rows that it was made from: what the change alone costs.", _pairs(models)),
        (
            "Several samples",
            "The chance that one of k replies is right, and whether the most frequent one is. Red: what k guesses earn.",
            _samples(models),
        ),
        (
            "Games",
            "Rows that are dialogues: games that were won, tasks with more than half of the samples won, actions of a game, and "
            "by which share they are more than those of the best play in the same world. Parsing errors and illegal moves are "
            "shares of messages.",
            _games(models),
        ),
        (
            "No solution",
            "Where the prompt says that there may be none. Constant replies get a balanced accuracy of 50 %.",
            _decisions(models),
        ),
        ("What became of the replies", "", _given_up(models)),
        ("Forms", "A reply that cannot be read holds no answer in the form that its row asks for.", _formats(models)),
        (
            "Length and repetition",
            "Tokens as the endpoint counts them. Repetition: share of 10-grams that stood before in the text, thinking included.",
            _lengths(models),
        ),
        ("Worst rows", "Rows of which the fewest replies are right, easy ones first.", _worst(models, worst)),
    ]
    return html_page(f"Replies to {release.manifest.get('release', '')}", _head(models), notes, sections)
