"""`puzzlemill stats --surface`: how often a reader who solves nothing picks the right option.

Of the rows with options, by family. The reader looks at each option beside the others and beside the prompt: its letter, length
and words, where it stands among the others by size, how near to them it is, what it shares with them, how often the prompt says
it. It is the regression of surface.py, trained on four fifths of the groups; of each row of the last fifth it picks the option
that it ranks highest. `gain` is the share of rows in which that is the right one, less the share that a blind pick would have.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from puzzlemill.analysis.resample import Interval, Weights, blocks_of, over_blocks
from puzzlemill.analysis.rows import naming
from puzzlemill.analysis.surface import FOLDS, LEAST, Bag, matrix, scores_of
from puzzlemill.analysis.tables import text_table
from puzzlemill.questions.choice import LETTERS, is_special

COLUMNS = ("id", "family", "group_id", "prompt", "options", "gold_reply")
_TOKEN = re.compile(r"\w+")
_LETTER = re.compile(rf"\b[{LETTERS}]\b")
_REPLIED = re.compile(rf"(?<![A-Za-z])[{LETTERS}](?![A-Za-z])")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a reader has of a row, and the place of the right option."""

    group: str
    prompt: str
    options: tuple[str, ...]
    right: int


@dataclass(frozen=True, slots=True)
class Picked:
    """blind: the share of right picks of a blind reader. gain: what the reader has above it; None where there are few rows."""

    family: str
    rows: int
    blind: float
    gain: Interval | None


def picks(rows: Iterable[Mapping[str, object]]) -> list[Picked]:
    """What each family's options tell. rows: with COLUMNS."""
    found: dict[str, list[Asked]] = {}
    for row in rows:
        with naming(row, "read"):
            options = row["options"]
            if isinstance(options, Sequence) and options:
                letter = _REPLIED.findall(str(row["gold_reply"]))[-1]
                texts = tuple(map(str, options))
                asked = Asked(str(row["group_id"]), str(row["prompt"]), texts, LETTERS.index(letter))
                found.setdefault(str(row["family"]), []).append(asked)
    return [picked(family, asked) for family, asked in sorted(found.items())]


def picked(family: str, rows: Sequence[Asked]) -> Picked:
    """How often the reader picks the right option of these rows."""
    blind = sum([1 / len(row.options) for row in rows]) / max(1, len(rows))
    blocks = blocks_of(row.group for row in rows)
    if len(rows) < LEAST or len(blocks) < 2 * FOLDS:
        return Picked(family, len(rows), blind, None)
    bags = [bag for row in rows for bag in looks(row)]
    groups = [row.group for row in rows for _ in row.options]
    features = matrix(bags, groups, common=False)
    owner = np.array([i for i, row in enumerate(rows) for _ in row.options])
    right = np.array([place == row.right for row in rows for place in range(len(row.options))])
    block = np.array([blocks[group] for group in groups])
    size = int(block.max()) + 1
    gained, number = np.zeros(size), np.zeros(size)
    for fold in range(FOLDS):
        asked = block % FOLDS == fold
        scores = np.full(len(block), -np.inf)
        scores[asked] = scores_of(features[~asked], right[~asked], features[asked])
        for i in np.unique(owner[asked]):
            mine = np.flatnonzero(owner == i)
            best = mine[scores[mine] == scores[mine].max()]
            gained[block[mine[0]]] += right[best].mean() - 1 / len(mine)
            number[block[mine[0]]] += 1

    def gain(weights: Weights) -> float | None:
        drawn = np.array(weights, dtype=float)
        return float(drawn @ gained) / float(drawn @ number) if float(drawn @ number) else None

    return Picked(family, len(rows), blind, over_blocks(gain, size))


def looks(row: Asked) -> list[Bag]:
    """What each option looks like beside the others and beside the prompt."""
    words = [_TOKEN.findall(text) for text in row.options]
    values = [place for place, text in enumerate(row.options) if not is_special(text)]
    shared = Counter(token for place in values for token in set(words[place]))
    numbers = {place: int(row.options[place]) for place in values if row.options[place].isdecimal()}
    told = Counter(_TOKEN.findall(row.prompt))
    by_length = sorted(values, key=lambda place: len(row.options[place]))
    found: list[Bag] = []
    for place, text in enumerate(row.options):
        bag: dict[str, float] = {f"letter {LETTERS[place]}": 1.0, f"of {len(row.options)}": 1.0}
        if is_special(text):
            kind = _LETTER.sub("#", text)
            found.append(bag | {f"special {kind}": 1.0, f"specials {len(row.options) - len(values)}": 1.0})
            continue
        bag["characters"], bag["words"] = float(len(text)), float(len(words[place]))
        bag[f"length rank {by_length.index(place)}"] = 1.0
        bag |= {f"says {token}": 1.0 for token in words[place]}
        bag["shared"] = float(sum([shared[token] - 1 for token in words[place]])) / max(1, len(words[place]))
        bag["alone"] = float(sum([shared[token] == 1 for token in words[place]]))
        bag["told"] = float(sum([told[token] for token in words[place]])) / max(1, len(words[place]))
        if len(numbers) == len(values):
            bag |= _by_size(place, numbers)
        found.append(bag)
    return found


def _by_size(place: int, numbers: Mapping[int, int]) -> Bag:
    """Where a number stands among the others."""
    mine, others = numbers[place], [number for other, number in numbers.items() if other != place]
    near = min([abs(mine - other) for other in others], default=0)
    middle = sorted(numbers.values())[len(numbers) // 2]
    return {
        f"rank {sum(other < mine for other in others)} of {len(numbers)}": 1.0,
        f"ends in {mine % 10}": 1.0,
        "parity shared": float(sum([(mine - other) % 2 == 0 for other in others])),
        "last digit shared": float(sum([(mine - other) % 10 == 0 for other in others])),
        "nearest": float(np.log1p(near)),
        "from the middle": float(np.log1p(abs(mine - middle))),
        "neighbours": float(sum([abs(mine - other) <= 2 for other in others])),
        "near others": float(sum([abs(mine - other) * 20 <= max(mine, 1) for other in others])),
    }


def to_text(found: Sequence[Picked]) -> str:
    """A table of the gains."""
    return "Right options picked by their looks (gain over a blind pick, 95 %)\n" + text_table(
        ["family", "rows", "blind", "gain"], _lines(found)
    )


def _lines(found: Sequence[Picked]) -> Iterator[list[object]]:
    for one in found:
        shown = "-" if one.gain is None else f"{one.gain.value:+.3f} ({one.gain.low:+.3f} to {one.gain.high:+.3f})"
        yield [one.family, one.rows, f"{one.blind:.3f}", shown]
