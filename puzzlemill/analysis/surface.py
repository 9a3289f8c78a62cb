"""`puzzlemill stats --surface`: how well a reader who solves nothing tells unsolvable rows from solvable ones.

Of the rows whose prompts say that there may be no solution, by family. Three readers, each trained on four fifths of the groups
and asked about the others:
  wording  which sentences stand in the prompt, digits and single capitals masked, of those with four words at least that 2 % of
           the groups have: what the task, its rules and the form of the reply say, and hardly a board or clue
  counts   how often each character and each small number stands in the prompt, its length, the number of its clues
  grams    how often each run of one to three words, numbers or symbols stands in it
A reader is a logistic regression with a normal prior over the FEATURES features that differ most between the two in what it was
trained on. The AUC is the chance that it ranks an unsolvable row above a solvable one of the same fifth: 0.5 is a coin. Intervals
are of 95 %, over groups (resample.py); the figures are the same wherever numpy's arithmetic is, up to rounding.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from puzzlemill.analysis.resample import Interval, Weights, blocks_of, over_blocks
from puzzlemill.analysis.rows import naming, puzzle_of
from puzzlemill.analysis.tables import text_table
from puzzlemill.core.types import Status

COLUMNS = ("id", "family", "group_id", "status", "prompt", "puzzle")
FEATURES = 200
FOLDS = 5
LEAST = 15  # rows of each status that a family needs
FEW_GROUPS = 5  # in so many groups a feature must be met
_COMMON = 0.02  # of the groups have a sentence that counts as wording
_RARE = 0.01  # of the groups have a feature of the other readers
_STEPS = 30  # of Newton's method
_SENTENCE = re.compile(r"(?<=[.:;!?])\s+|\n+")
_MASKED = re.compile(r"\d+|\b[A-Z]\b")
_WORD = re.compile(r"[^\W\d_]{2,}")
_TOKEN = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_SMALL = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
Bag = Mapping[str, float]
Reader = Callable[["Seen"], Bag]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a reader has of a row."""

    group: str
    unsolvable: bool
    prompt: str
    clues: int


@dataclass(frozen=True, slots=True)
class Told:
    """The AUC of each reader for a family, by name; readers are empty where there are fewer than LEAST rows of a status."""

    family: str
    rows: int
    unsolvable: int
    groups: int
    readers: Mapping[str, Interval]


def wording(row: Seen) -> Bag:
    """Sentences with digits and single capitals masked. What is rare, as boards and clues are, is left out by told()."""
    sentences = [_MASKED.sub("#", part).strip(" -*#.") for part in _SENTENCE.split(row.prompt)]
    return dict.fromkeys([part for part in sentences if len(_WORD.findall(part)) >= 4], 1.0)


def counts(row: Seen) -> Bag:
    """How often each character and each small number stands in the prompt, and how long it is."""
    found = Counter(row.prompt)
    found.update(f"number {number}" for number in _SMALL.findall(row.prompt))
    return {**found, "length": len(row.prompt), "words": len(row.prompt.split()), "clues": row.clues}


def grams(row: Seen) -> Bag:
    """How often each run of one to three tokens stands in the prompt."""
    tokens = _TOKEN.findall(row.prompt)
    runs = [" ".join(tokens[i : i + n]) for n in (1, 2, 3) for i in range(len(tokens) - n + 1)]
    return {run: log1p(times) for run, times in Counter(runs).items()}


READERS: Mapping[str, Reader] = {"wording": wording, "counts": counts, "grams": grams}


def surface(rows: Iterable[Mapping[str, Any]]) -> list[Told]:
    """What each family's prompts tell. rows: with COLUMNS."""
    found: dict[str, list[Seen]] = {}
    for row in rows:
        with naming(row, "read"):
            _, puzzle = puzzle_of(row)
            if puzzle.question.may_be_unsolvable:
                unsolvable = row["status"] == Status.UNSOLVABLE.value
                found.setdefault(row["family"], []).append(Seen(row["group_id"], unsolvable, row["prompt"], len(puzzle.clues)))
    return [told(family, seen) for family, seen in sorted(found.items())]


def told(family: str, rows: Sequence[Seen], readers: Mapping[str, Reader] = READERS) -> Told:
    """What the prompts of these rows tell."""
    groups, bad = len({row.group for row in rows}), sum(row.unsolvable for row in rows)
    enough = min(bad, len(rows) - bad) >= LEAST and groups >= 2 * FOLDS
    sides = [row.group for row in rows]
    auc = {
        name: _auc(rows, matrix([reader(row) for row in rows], sides, common=name == "wording"))
        for name, reader in readers.items()
        if enough
    }
    return Told(family, len(rows), bad, groups, auc)


def matrix(bags: Iterable[Bag], groups: Sequence[str], *, common: bool) -> NDArray[np.float32]:
    """A line per bag, a column per feature that is met in enough groups and differs between bags.

    common: leave out what fewer groups have than a sentence that counts as wording.
    """
    column: dict[str, int] = {}
    names: list[NDArray[np.intp]] = []
    values: list[NDArray[np.float32]] = []
    members: dict[str, list[int]] = {}
    for i, (bag, group) in enumerate(zip(bags, groups, strict=True)):
        names.append(np.array([column.setdefault(name, len(column)) for name in bag], dtype=np.intp))
        values.append(np.fromiter(bag.values(), np.float32, len(bag)))
        members.setdefault(group, []).append(i)
    met = np.zeros(len(column))
    for mine in members.values():
        met[np.unique(np.concatenate([names[i] for i in mine]))] += 1
    kept = met >= max(FEW_GROUPS, (_COMMON if common else _RARE) * len(members))
    place = np.cumsum(kept) - 1
    made = np.zeros((len(groups), int(kept.sum())), dtype=np.float32)
    for i, (of_row, value) in enumerate(zip(names, values, strict=True)):
        some = kept[of_row]
        made[i, place[of_row[some]]] = value[some]
    return made[:, np.ptp(made, axis=0) > 0] if made.size else made


def differing(rows: Sequence[Seen], reader: Reader, most: int = 8) -> list[tuple[str, float]]:
    """Features of this reader that differ most between the two, and by how many standard deviations unsolvable rows have more."""
    number, total, squares = (
        [0, 0],
        (defaultdict[str, float](float), defaultdict[str, float](float)),
        defaultdict[str, float](float),
    )
    for row in rows:
        number[row.unsolvable] += 1
        for feature, value in reader(row).items():
            total[row.unsolvable][feature] += value
            squares[feature] += value * value
    found = []
    for feature, square in squares.items():
        mean = (total[0][feature] + total[1][feature]) / len(rows)
        spread = square / len(rows) - mean * mean
        if spread > _RARE:
            apart = total[1][feature] / max(1, number[1]) - total[0][feature] / max(1, number[0])
            found.append((feature, apart / spread**0.5))
    return sorted(found, key=lambda pair: (-abs(round(pair[1], 9)), pair[0]))[:most]


def _auc(rows: Sequence[Seen], features: NDArray[np.float32]) -> Interval:
    """The chance that an unsolvable row is ranked above a solvable one of its fifth, ties counting half."""
    blocks = blocks_of(row.group for row in rows)
    block = np.array([blocks[row.group] for row in rows])
    bad = np.array([row.unsolvable for row in rows])
    size = int(block.max()) + 1
    right, pairs = np.zeros((size, size)), np.zeros((size, size))  # by the blocks of the unsolvable and of the solvable row
    for fold in range(FOLDS):
        asked = block % FOLDS == fold
        scores = scores_of(features[~asked], bad[~asked], features[asked])
        ours, others = asked & bad, asked & ~bad
        high, low = scores[bad[asked]], scores[~bad[asked]]
        won = (high[:, None] > low) + 0.5 * (high[:, None] == low)
        at = np.ix_(block[ours], block[others])
        np.add.at(right, at, won)
        np.add.at(pairs, at, 1)

    def auc(weights: Weights) -> float | None:
        drawn = np.array(weights, dtype=float)
        total = float(drawn @ pairs @ drawn)
        return float(drawn @ right @ drawn) / total if total else None

    return over_blocks(auc, size)


def scores_of(train: NDArray[np.float32], bad: NDArray[np.bool_], asked: NDArray[np.float32]) -> NDArray[np.float64]:
    """The logits of rows, by a regression over the features of the training rows that differ most between the two.

    bad: which of the training rows are of the kind that is to be told, (rows,). train and asked: (rows, features).
    """
    if not train.shape[1] or bad.all() or not bad.any():
        return np.zeros(len(asked))
    mean, spread = train.mean(axis=0, dtype=float), train.std(axis=0, dtype=float)
    spread[spread < 1e-6] = np.inf
    apart = np.abs(train[bad].mean(axis=0, dtype=float) - train[~bad].mean(axis=0, dtype=float)) / spread
    best = np.argsort(-apart.round(9), kind="stable")[:FEATURES]
    scale = spread[best] * np.sqrt(len(best))
    known, new = (train[:, best] - mean[best]) / scale, (asked[:, best] - mean[best]) / scale
    weights, intercept = np.zeros(len(best)), 0.0
    known1 = np.hstack([known, np.ones((len(known), 1))])
    prior = np.diag([1.0] * len(best) + [1e-6])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(known @ weights + intercept, -30, 30)))
        slope = known1.T @ (bad - chance) - prior @ np.append(weights, intercept)
        curve = (known1 * (chance * (1 - chance))[:, None]).T @ known1 + prior
        step = np.linalg.solve(curve, slope)
        weights, intercept = weights + step[:-1], intercept + float(step[-1])
        if float(np.abs(step).max()) < 1e-6:
            break
    scores: NDArray[np.float64] = (new @ weights + intercept).round(9)
    return scores


def to_text(found: Sequence[Told]) -> str:
    """A table of the AUCs."""
    head = ["family", "rows", "unsolvable", *READERS]
    return "Told by the surface (AUC, 95 %; 0.5 is a coin)\n" + text_table(head, _lines(found))


def _lines(found: Sequence[Told]) -> Iterator[list[object]]:
    for one in found:
        cells = [one.readers.get(name) for name in READERS]
        shown = ["-" if cell is None else f"{cell.value:.2f} ({cell.low:.2f} to {cell.high:.2f})" for cell in cells]
        yield [one.family, one.rows, one.unsolvable, *shown]
