"""Labels of what went wrong in replies, and how far annotators agree on them (extra: pip install 'puzzlemill[analysis]').

A file of labels has one JSON object per line: {"id": row id, "model": name, "annotator": name, "label": one of the scheme's},
and "sample" (0) where a row has several replies. Labels of the annotator "final" are decisions; where there is none, the final
label of a reply is what more than half of its annotators say, else it is *to be decided*, and the reply is named.

The schemes are HardcoreLogic's (sections 4.2 and 4.3, tables 8 and 9):
  errors         wrong replies to puzzles with an answer
  unsolvable     wrong replies to puzzles without one
  justification  right replies to puzzles without one

Fleiss' kappa is over the replies that all annotators have labelled. Cohen's is of each two annotators, and of each annotator
with the final labels (to which each contributed, so that it is larger than between strangers), over the replies that both
have. Intervals of 95 %: by bootstrap over replies, and of no width where all agree. Where only one label occurs, chance
agrees as often as the annotators do, and no kappa is defined.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, NoReturn

from puzzlemill.analysis import tables
from puzzlemill.analysis.extras import needing
from puzzlemill.analysis.resample import Weights, percentiles, resamples
from puzzlemill.analysis.tables import percent, text_table
from puzzlemill.core.errors import BadFile, BadParams

FINAL = "final"
MAX_LINE = 1 << 16  # bytes
MAX_LABELS = 1_000_000
MAX_NAME = 200  # characters of an id, a model, an annotator
MAX_ANNOTATORS = 50
DRAWS = 500
SCHEMES: dict[str, dict[str, str]] = {
    "errors": {
        "misunderstanding": "takes the rules or the puzzle for something else than they are",
        "misapplied": "reads the puzzle rightly, but follows a method that belongs to another, often better known one",
        "brute_force": "tries cases one after the other in a space too large to get through",
        "factual": "states something on the way that is not given and does not follow",
        "over_verification": "has the right answer at some point and gives it up again",
        "repetition": "says the same passage over and over and comes to no answer",
    },
    "unsolvable": {
        "erroneous_reasoning": "argues its way to an answer that it holds to be right",
        "mandatory_response": "found no answer and gives one all the same",
        "unable_to_deduce": "is still at it when its tokens run out, whether or not it suspected that there is none",
        "repetition": "says the same passage over and over and comes to no answer",
    },
    "justification": {
        "justified": "shows why there can be no solution",
        "unjustified": "says that there is no solution because it found none, or for a reason that does not hold",
    },
}
Reply = tuple[str, str, int]  # model, row id, sample


@dataclass(slots=True)
class Labels:
    """by: annotator -> reply -> label, without decisions. decided: reply -> label of FINAL."""

    scheme: str
    by: dict[str, dict[Reply, str]] = field(default_factory=dict)
    decided: dict[Reply, str] = field(default_factory=dict)

    def replies(self) -> list[Reply]:
        """Every reply that has a label, in order."""
        return sorted({reply for labels in (*self.by.values(), self.decided) for reply in labels})


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement of some annotators. who: their names; "final" for the final labels. kappa: None with a note why there is none.

    method: "Fleiss" or "Cohen". agree: share of replies (Fleiss: of pairs of labels) that agree. low, high: None if not defined.
    """

    model: str | None  # None for all
    method: str
    who: tuple[str, ...]
    replies: int
    agree: float | None = None
    kappa: float | None = None
    low: float | None = None
    high: float | None = None
    note: str = ""


@dataclass(slots=True)
class Agreement:
    """counts: model (None for all) -> final label -> replies. partial: replies that not all annotators have labelled.
    open: replies whose final label is to be decided, with their labels."""

    scheme: str
    annotators: list[str]
    replies: int
    kappas: list[Kappa] = field(default_factory=list)
    counts: dict[str | None, Counter[str]] = field(default_factory=dict)
    open: list[tuple[Reply, tuple[tuple[str, str], ...]]] = field(default_factory=list)
    partial: int = 0


# ---- reading ----------------------------------------------------------------------------------------------------------


def read_labels(paths: Sequence[Path], scheme: str) -> Labels:
    """All labels of these files. Raises BadFile, naming file and line, for what is none."""
    if scheme not in SCHEMES:
        raise BadParams(f"--scheme: expected {', '.join(SCHEMES)}, got {scheme[:80]!r}")
    found, total = Labels(scheme), 0
    for path in paths:
        try:
            with path.open("rb") as file:
                number = 0
                while line := file.readline(MAX_LINE + 1):
                    number += 1
                    if line.strip():
                        total += 1
                        _take(found, path, number, line, total)
        except OSError as error:
            raise BadFile(f"{path}: {error.strerror or error}; give a file of labels, one JSON object per line") from None
    if not found.by:
        raise BadFile(f"{paths[0]}: holds no labels of annotators; each line is {_WANTED}")
    return found


_WANTED = '{"id": row id, "model": name, "annotator": name, "label": label}'


def _take(found: Labels, path: Path, number: int, line: bytes, total: int) -> None:
    def bad(problem: str) -> NoReturn:
        raise BadFile(f"{path}:{number}: {problem}") from None

    if len(line) > MAX_LINE:
        bad(f"a line of more than {MAX_LINE} bytes; each line is {_WANTED}")
    if total > MAX_LABELS:
        bad(f"more than {MAX_LABELS} labels; give fewer files at a time")
    try:
        raw: Any = json.loads(line.decode())
    except (ValueError, RecursionError) as error:
        bad(f"not JSON ({type(error).__name__}); write one object per line, in UTF-8")
    if type(raw) is not dict:
        bad(f"expected {_WANTED}, got a {type(raw).__name__}")
    for name in ("id", "model", "annotator", "label"):
        value = raw.get(name)
        if type(value) is not str or not 0 < len(value) <= MAX_NAME or not value.isprintable():
            what = "is missing" if name not in raw else f"is no text of 1 to {MAX_NAME} printable characters"
            bad(f"expected {_WANTED}, {name} {what}")
    sample = raw.get("sample", 0)
    if type(sample) is not int or not 0 <= sample <= 1_000_000:
        bad(f"sample must be an integer from 0 to 1000000, got {repr(sample)[:40]}")
    known = SCHEMES[found.scheme]
    if raw["label"] not in known:
        bad(f"label {raw['label'][:80]!r} is none of the scheme {found.scheme}: {', '.join(known)}")
    reply = (raw["model"], raw["id"], sample)
    mine = found.decided if raw["annotator"] == FINAL else found.by.setdefault(raw["annotator"], {})
    if len(found.by) > MAX_ANNOTATORS:
        bad(f"more than {MAX_ANNOTATORS} annotators; give their files apart")
    if reply in mine:
        bad(f"a second label of {raw['annotator']!r} for {raw['id']!r}, sample {sample}, of {raw['model']!r}; leave one")
    mine[reply] = raw["label"]


# ---- final labels -----------------------------------------------------------------------------------------------------


def final_labels(labels: Labels) -> tuple[dict[Reply, str], list[Reply]]:
    """The final label of each reply, and the replies that need a decision."""
    final, undecided = {}, []
    for reply in labels.replies():
        votes = Counter(mine[reply] for mine in labels.by.values() if reply in mine)
        first, times = votes.most_common(1)[0] if votes else ("", 0)
        if reply in labels.decided:
            final[reply] = labels.decided[reply]
        elif 2 * times > votes.total():
            final[reply] = first
        else:
            undecided.append(reply)
    return final, undecided


# ---- agreement --------------------------------------------------------------------------------------------------------


def agreement(labels: Labels) -> Agreement:
    """Kappas by model and over all. Raises BadInput if the extra is missing."""
    _library()
    final, undecided = final_labels(labels)
    replies, who = labels.replies(), sorted(labels.by)
    found = Agreement(labels.scheme, who, len(replies))
    found.open = [(r, tuple((name, labels.by[name][r]) for name in who if r in labels.by[name])) for r in undecided]
    found.partial = sum(any(reply not in labels.by[name] for name in who) for reply in replies)
    known = list(SCHEMES[labels.scheme])
    models = sorted({model for model, _, _ in replies})
    for model in (None, *models) if len(models) > 1 else models:
        some = [reply for reply in replies if model in (None, reply[0])]
        found.counts[model] = Counter(final[reply] for reply in some if reply in final)
        if len(who) > 1:
            found.kappas.append(_fleiss(model, labels, who, some, known))
        found.kappas += [_cohen(model, pair, [labels.by[name] for name in pair], some, known) for pair in combinations(who, 2)]
        found.kappas += [_cohen(model, (name, FINAL), [labels.by[name], final], some, known) for name in who]
    return found


def _library() -> Any:
    with needing("agreement", "analysis"):
        from statsmodels.stats import inter_rater
    return inter_rater


def _fleiss(model: str | None, labels: Labels, who: Sequence[str], replies: Sequence[Reply], known: Sequence[str]) -> Kappa:
    complete = [reply for reply in replies if all(reply in labels.by[name] for name in who)]
    named = Kappa(model, "Fleiss", tuple(who), len(complete))
    if not complete:
        return replace(named, note="no reply has a label of everybody")
    counts = [[sum(labels.by[name][reply] == label for name in who) for label in known] for reply in complete]
    pairs = len(who) * (len(who) - 1)
    named = replace(named, agree=sum(n * (n - 1) for line in counts for n in line) / (pairs * len(counts)))
    kappa = _library().fleiss_kappa

    def of(weights: Weights) -> float | None:
        sample = [line for line, times in zip(counts, weights, strict=True) for _ in range(times)]
        return float(kappa(sample)) if sum(map(any, zip(*sample, strict=True))) > 1 else None

    return _estimated(named, of)


def _cohen(
    model: str | None, who: tuple[str, str], sides: Sequence[Mapping[Reply, str]], replies: Iterable[Reply], known: Sequence[str]
) -> Kappa:
    both = [(sides[0][reply], sides[1][reply]) for reply in replies if reply in sides[0] and reply in sides[1]]
    named = Kappa(model, "Cohen", who, len(both))
    if not both:
        return replace(named, note="no reply has a label of both")
    named = replace(named, agree=sum(a == b for a, b in both) / len(both))
    places = [(known.index(a), known.index(b)) for a, b in both]
    kappa = _library().cohens_kappa

    def of(weights: Weights) -> float | None:
        table = [[0] * len(known) for _ in known]
        for (a, b), times in zip(places, weights, strict=True):
            table[a][b] += times
        alike = len({label for pair, times in zip(places, weights, strict=True) if times for label in pair}) == 1
        return None if alike else float(kappa(table, return_results=False))

    return _estimated(named, of)


def _estimated(named: Kappa, kappa: Callable[[Weights], float | None]) -> Kappa:
    """Return a kappa with its value and interval over resampled replies. kappa: None where it is not defined."""
    if kappa((1,) * named.replies) is None:
        return replace(named, note="only one label occurs")
    found = percentiles(kappa, named.replies, resamples("agreement", named.replies, DRAWS))
    return replace(named, kappa=found.value, low=found.low, high=found.high)


# ---- output -----------------------------------------------------------------------------------------------------------


def to_json(found: Agreement) -> dict[str, Any]:
    """Everything as JSON-able values."""
    out: dict[str, Any] = tables.to_json(
        {
            "scheme": found.scheme,
            "definitions": SCHEMES[found.scheme],
            "annotators": found.annotators,
            "replies": found.replies,
            "not_labelled_by_all": found.partial,
            "kappas": found.kappas,
            "final_labels": [
                {"model": model, "labels": {label: counts[label] for label in SCHEMES[found.scheme]}}
                for model, counts in found.counts.items()
            ],
            "to_be_decided": [
                {"model": model, "id": name, "sample": sample, "labels": dict(votes)}
                for (model, name, sample), votes in found.open
            ],
        }
    )
    return out


def to_text(found: Agreement) -> str:
    """Kappas, final labels and what is to be decided, as tables."""
    kappas = [
        (
            one.model or "all",
            f"{one.method}, {' - '.join(one.who)}",
            one.replies,
            "-" if one.agree is None else percent(one.agree),
            one.note if one.kappa is None else f"{one.kappa:.2f} ({one.low:.2f} to {one.high:.2f})",
        )
        for one in found.kappas
    ]
    known = list(SCHEMES[found.scheme])
    counts = []
    for model, labels in found.counts.items():
        total = labels.total()
        shares = [f"{labels[label]} ({100 * labels[label] / total:.0f} %)" if labels[label] else "0" for label in known]
        counts.append((model or "all", total, *shares))
    parts = [
        f"{found.replies} replies, labelled by {', '.join(found.annotators)}; {found.partial} of them not by all",
        text_table(["model", "kappa", "replies", "agree %", "value (95 %)"], kappas),
        "final labels\n" + text_table(["model", "replies", *known], counts),
    ]
    if found.open:
        lines = [(*reply, ", ".join(f"{name}: {label}" for name, label in labels)) for reply, labels in found.open]
        parts.append(
            f'to be decided, by lines with "annotator": "{FINAL}"\n' + text_table(["model", "id", "sample", "labels"], lines)
        )
    return "\n\n".join(parts)
