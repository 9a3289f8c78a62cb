"""What a release holds, counted from its rows, and the tables that tell it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from puzzlemill.core.errors import BadRow
from puzzlemill.factory.read import Release, rows

SPLITS = ("train", "validation", "test")
_MADE = ("id", "family", "variant", "split", "status", "reply_format")
_MEASURED = ("prompt", "puzzle", "optimum", "search_space_log10", "difficulty")


def text_table(header: Sequence[str], body: Iterable[Sequence[object]]) -> str:
    """Columns of equal width, numbers to the right; ends without a newline."""
    lines = [[str(cell) for cell in row] for row in body]
    right = [bool(lines) and all(_number(line[i]) for line in lines) for i in range(len(header))]
    width = [max(len(line[i]) for line in [list(header), *lines]) for i in range(len(header))]

    def row(cells: Sequence[str]) -> str:
        padded = [cell.rjust(width[i]) if right[i] else cell.ljust(width[i]) for i, cell in enumerate(cells)]
        return "  ".join(padded).rstrip()

    return "\n".join([row(header), row(["-" * w for w in width]), *[row(line) for line in lines]])


def _number(text: str) -> bool:
    return text.replace(",", "").replace(".", "").replace("%", "").lstrip("-").isdigit() or text in ("", "-")


def split_order(names: Iterable[str]) -> list[str]:
    """train, validation, test, then any other split by name."""
    return sorted(set(names), key=lambda name: (SPLITS.index(name) if name in SPLITS else len(SPLITS), name))


def counted(tally: Mapping[str, int]) -> str:
    """ "duplicate 3, budget 1": the most frequent first."""
    return ", ".join(f"{name} {n}" for name, n in sorted(tally.items(), key=lambda item: (-item[1], item[0])) if n)


class _Spread:
    """Least, median and greatest of whole numbers or rounded decimals."""

    def __init__(self) -> None:
        self.values: Counter[float] = Counter()

    def add(self, value: float) -> None:
        self.values[value] += 1

    def __str__(self) -> str:
        if not self.values:
            return "-"
        ordered = sorted(self.values)
        half, seen = sum(self.values.values()) / 2, 0
        for value in ordered:
            seen += self.values[value]
            if seen >= half:
                break
        return " / ".join(_short(v) for v in (ordered[0], value, ordered[-1]))


def _short(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.1f}"


def stats(release: Release) -> str:
    """Tables: rows; what the puzzles of each family and variant are like; what was thrown away."""
    made: Counter[tuple[str, str, str, str]] = Counter()
    bands: dict[tuple[str, str], Counter[str]] = {}
    formats: dict[tuple[str, str], Counter[str]] = {}
    spreads: dict[tuple[str, str], tuple[_Spread, _Spread, _Spread, _Spread]] = {}
    for row in rows(release, _MADE + _MEASURED):
        try:
            clue_count = len(json.loads(row["puzzle"])["clues"])
            band = str(row["difficulty"]["band"])
        except (ValueError, TypeError, KeyError, RecursionError):
            raise BadRow(
                f"row {str(row['id'])[:80]}: cannot be counted; `puzzlemill verify` tells what is wrong with it"
            ) from None
        kind = (row["family"], row["variant"])
        made[*kind, row["status"], row["split"]] += 1
        bands.setdefault(kind, Counter())[band] += 1
        formats.setdefault(kind, Counter())[row["reply_format"]] += 1
        prompt, clues, space, optimum = spreads.setdefault(kind, (_Spread(), _Spread(), _Spread(), _Spread()))
        prompt.add(len(row["prompt"]))
        clues.add(clue_count)
        space.add(round(row["search_space_log10"], 1))
        if row["optimum"] is not None:
            optimum.add(row["optimum"])
    splits = split_order(split for *_, split in made)
    kinds = sorted({key[:3] for key in made})
    return "\n\n".join(
        [
            text_table(
                ["family", "variant", "status", *splits, "rows"],
                [
                    (*kind, *(made[*kind, split] for split in splits), sum(made[*kind, split] for split in splits))
                    for kind in kinds
                ],
            ),
            "least / median / greatest\n"
            + text_table(
                ["family", "variant", "prompt characters", "clues", "log10 of search space", "least moves"],
                [(*kind, *spreads[kind]) for kind in sorted(spreads)],
            ),
            text_table(
                ["family", "variant", "difficulty", "reply formats"],
                [(*kind, counted(bands[kind]), counted(formats[kind])) for kind in sorted(bands)],
            ),
            text_table(
                ["family", "split", "groups", "thrown away while making them"],
                [
                    (cell["family"], cell["split"], cell["groups"], counted(cell["dropped"]) or "-")
                    for cell in release.manifest["content"]
                ],
            ),
        ]
    )
