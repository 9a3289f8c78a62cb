"""`puzzlemill similar`: prompts that are nearly the same, found with MinHash and confirmed by counting.

Prompts are compared by what is their own. Each gives a set of shingles:
  a board      one shingle for every cell that is filled, with its row and column
  a sentence   every WORDS words that follow each other in a line, without the number of a clue (so that their order does not
               matter), numbers and names included
Shingles of lines that the same prompt has without its clues, and shingles that more than COMMON of the groups of a family have in
common, are template and are taken out. Prompts of fewer than LEAST shingles of their own are counted and left alone.

Similarity is Jaccard's: shingles in common by shingles in all. MinHash (datasketch, SHA-1, a fixed seed) proposes pairs, each is
then counted exactly. Rows of one group (a parent and its children) are expected to be near and are counted apart, as are small
classes, whose puzzles every release has again.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any

from puzzlemill.analysis.extras import needing
from puzzlemill.analysis.rows import naming, puzzle_of
from puzzlemill.analysis.tables import text_table
from puzzlemill.core.errors import BadParams
from puzzlemill.factory.read import Release, rows
from puzzlemill.scoring.prompt import prompt

WORDS = 4
COMMON = 0.2
FEW = 10  # groups of a family, below which nothing is common
LEAST = 8
PERMUTATIONS = 128
SEED = 1
PAIRS = 200_000  # that are counted; more of them are counted as "at least"
SHOWN = 20
PLACES = ("across splits", "within a split", "across releases")
_COLUMNS = ("id", "group_id", "family", "variant", "split", "prompt", "puzzle", "reply_format")
_NUMBERED = re.compile(r"\s*\d+[.)]\s")
_WORD = re.compile(r"[^\W_]+|\.")


@dataclass(frozen=True, slots=True)
class Row:
    """release: which of the releases, the first is 0."""

    id: str
    group: str
    family: str
    variant: str
    split: str
    release: int


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rows that are nearly the same. estimated: by MinHash."""

    one: Row
    other: Row
    similarity: float
    estimated: float

    @property
    def place(self) -> str:
        """The relation of their places: one of PLACES."""
        if self.one.release != self.other.release:
            return PLACES[2]
        return PLACES[0] if self.one.split != self.other.split else PLACES[1]


@dataclass(slots=True)
class Similar:
    """The findings of a comparison.

    near: pairs by (family, place); expected: pairs of one group, by family; pairs: the most similar; rows: compared, by family;
    little: rows with too few shingles of their own; small: rows of small classes; full: PAIRS stopped the count.
    """

    threshold: float
    near: Counter[tuple[str, str]] = field(default_factory=Counter)
    expected: Counter[str] = field(default_factory=Counter)
    pairs: list[Pair] = field(default_factory=list)
    rows: Counter[str] = field(default_factory=Counter)
    little: Counter[str] = field(default_factory=Counter)
    small: int = 0
    full: bool = False


def shingles(text: str, bare: str = "") -> set[str]:
    """The shingles of a prompt. bare: the same prompt without its clues, "" if there is no such prompt."""
    known = set(bare.split("\n"))
    found: set[str] = set()
    block = 0  # rows of a board so far
    for line in text.split("\n"):
        cells = line.split()
        if len(cells) >= 3 and all(len(cell) <= 2 for cell in cells):
            block += 1
            if line not in known:
                found.update(f"{block}/{column}={cell}" for column, cell in enumerate(cells) if cell != ".")
            continue
        block = 0
        if line not in known:
            words = _WORD.findall(_NUMBERED.sub("", line, count=1).lower())
            found.update(" ".join(words[i : i + WORDS]) for i in range(max(1, len(words) - WORDS + 1)) if words)
    return found


def _hashed(found: set[str]) -> array[int]:
    return array("Q", sorted(int.from_bytes(sha1(text.encode(), usedforsecurity=False).digest()[:8], "little") for text in found))


def jaccard(one: Sequence[int], other: Sequence[int]) -> float:
    """Shingles in common by shingles in all."""
    a, b = set(one), set(other)
    return len(a & b) / len(a | b) if a or b else 0.0


def _read(release: Release, number: int) -> Iterator[tuple[Row, array[int]] | None]:
    """Every row with its shingles; None for a row of a small class."""
    for row in rows(release, _COLUMNS):
        with naming(row, "compared", release.folder):
            family, puzzle = puzzle_of(row)
            small = family.small.puzzles(puzzle.spec) is not None
            bare = prompt(puzzle.with_clues(()), row["reply_format"]) if puzzle.clues and not small else ""
        if small:
            yield None
            continue
        names = {"group": row["group_id"], **{name: row[name] for name in ("id", "family", "variant", "split")}}
        yield Row(**names, release=number), _hashed(shingles(row["prompt"], bare))


def _sketches() -> tuple[Any, Any]:
    with needing("similar", "similar"):
        from datasketch import MinHash, MinHashLSH
    return MinHash, MinHashLSH


def similar(release: Release, others: Sequence[Release] = (), threshold: float = 0.7) -> Similar:
    """Pairs of rows of `release`, and of it and the others, that are as similar as the threshold or more.

    Raises BadInput if datasketch is not installed or a release cannot be read.
    """
    if not 0.3 <= threshold <= 1.0:
        raise BadParams(f"threshold: expected a similarity from 0.3 to 1, got {threshold:g}")
    sketch_type, table_type = _sketches()
    result = Similar(threshold)
    read: list[tuple[Row, array[int]]] = []
    for number, one in enumerate([release, *others]):
        for item in _read(one, number):
            if item is None:
                result.small += number == 0
            else:
                read.append(item)
    common = _template(read)
    # with a lower threshold nearly no pair above ours is missed; those below it are counted and left
    table = table_type(threshold=max(0.1, threshold - 0.15), num_perm=PERMUTATIONS)
    own: list[array[int]] = []
    kept: list[Row] = []
    sketches: list[Any] = []
    counted = 0
    for row, found in read:
        left = array("Q", [one for one in found if one not in common[row.family]])
        if len(left) < LEAST:
            result.little[row.family] += row.release == 0
            continue
        result.rows[row.family] += row.release == 0
        sketch = sketch_type(num_perm=PERMUTATIONS, seed=SEED)
        sketch.update_batch([value.to_bytes(8, "little") for value in left])
        me = len(kept)
        for it in sorted(table.query(sketch)):
            there = kept[it]
            if there.release and row.release:
                continue
            counted += 1
            if counted > PAIRS:
                result.full = True
                break
            exact = jaccard(own[it], left)
            if exact < threshold:
                continue
            if there.group == row.group and there.release == row.release:
                result.expected[row.family] += 1
                continue
            pair = Pair(there, row, round(exact, 4), round(float(sketches[it].jaccard(sketch)), 4))
            result.near[row.family, pair.place] += 1
            result.pairs.append(pair)
        table.insert(me, sketch)
        own.append(left)
        kept.append(row)
        sketches.append(sketch)
        if len(result.pairs) > 100 * SHOWN:
            result.pairs = _best(result.pairs)
    result.pairs = _best(result.pairs)
    return result


def _best(pairs: Sequence[Pair]) -> list[Pair]:
    """The most similar of each place."""
    by_place: dict[str, list[Pair]] = defaultdict(list)
    for pair in sorted(pairs, key=lambda pair: (-pair.similarity, pair.one.id, pair.other.id)):
        by_place[pair.place].append(pair)
    return [pair for place in PLACES for pair in by_place[place][:SHOWN]]


def _template(read: Sequence[tuple[Row, array[int]]]) -> Mapping[str, set[int]]:
    """By family, the shingles that more than COMMON of its groups have."""
    groups: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    for row, found in read:
        groups[row.family][row.group].update(found)
    common: dict[str, set[int]] = {}
    for family, by_group in groups.items():
        times: Counter[int] = Counter()
        for found_there in by_group.values():
            times.update(found_there)
        least = COMMON * len(by_group)
        common[family] = {one for one, n in times.items() if n > least} if len(by_group) >= FEW else set()
    return common


def to_json(found: Similar) -> dict[str, Any]:
    """The report as plain values."""
    return {
        "threshold": found.threshold,
        "families": [
            {
                "family": family,
                "rows": found.rows[family],
                "too_little": found.little[family],
                **{place.replace(" ", "_"): found.near[family, place] for place in PLACES},
                "within_groups": found.expected[family],
            }
            for family in sorted({*found.rows, *found.little})
        ],
        "small_class_rows": found.small,
        "at_least": found.full,
        "pairs": [
            {
                "where": pair.place,
                "similarity": pair.similarity,
                "estimated": pair.estimated,
                "rows": [
                    {"id": row.id, "family": row.family, "variant": row.variant, "split": row.split, "release": row.release}
                    for row in (pair.one, pair.other)
                ],
            }
            for pair in found.pairs
        ],
    }


def to_text(found: Similar) -> str:
    """The report for a person."""
    lines = []
    for pair in found.pairs:
        who = [f"{row.id} ({row.variant}, {row.split})" for row in (pair.one, pair.other)]
        lines.append(f"{pair.place}: {pair.similarity:.2f} (MinHash {pair.estimated:.2f})  {who[0]}  {who[1]}")
    if lines:
        lines.append("")
    lines.append(
        text_table(
            ["family", "rows", *PLACES, "within groups", "too little text"],
            [
                (
                    family,
                    found.rows[family],
                    *[found.near[family, place] for place in PLACES],
                    found.expected[family],
                    found.little[family],
                )
                for family in sorted({*found.rows, *found.little})
            ],
        )
    )
    least = "at least " if found.full else ""
    lines.append(
        f"\n{least}{sum(found.near.values())} pairs of {found.threshold:g} or more between groups; "
        f"{found.small} rows of small classes not compared"
    )
    return "\n".join(lines)
