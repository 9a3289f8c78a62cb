"""One row of a release for its card: its prompt, a right reply, and its board as a picture beside the card."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from puzzlemill.core.types import Status
from puzzlemill.factory.recipe import CANONICAL, split_order
from puzzlemill.scoring.score import prepared

PICTURE = "example.svg"
MOST = 600  # pixels of a picture's width
LONGEST = 3_000  # characters of a prompt that a card can show
_SIZE = re.compile(r'<svg xmlns="[^"]{1,60}" viewBox="0 0 ([0-9.]{1,9}) ')


def chosen(cells: Iterable[tuple[str, str]], rows: Callable[[str, str], Iterator[Mapping[str, Any]]]) -> Mapping[str, Any] | None:
    """A row to show: of the first family with a short prompt, of its first split, canonical and with an answer; else None.

    cells: family and split of what there is. rows(family, split): as they stand in the release.
    """
    first: dict[str, str] = {}
    for family, split in sorted(cells, key=lambda cell: split_order(cell[1])):
        first.setdefault(family, split)
    for family in dict.fromkeys(family for family, _ in cells):
        for row in rows(family, first[family]):
            if row["variant"] == CANONICAL and row["status"] != Status.UNSOLVABLE.value and row["answer"] is not None:
                if len(row["prompt"]) <= LONGEST:
                    return row
                break
    return None


def told(row: Mapping[str, Any]) -> dict[str, str]:
    """What the manifest holds of it, for the card."""
    return {name: row[name] for name in ("id", "family", "split", "prompt", "gold_reply", "status")} | {
        "band": row["difficulty"]["band"],
        "title": prepared(row).family.title,
    }


def picture(row: Mapping[str, Any]) -> str:
    """The puzzle as it is asked, as an SVG file with a width of its own: a page would stretch it over all that it has."""
    case = prepared(row)
    drawn = case.family.draw(case.puzzle)
    size = _SIZE.match(drawn)
    return (drawn if size is None else f'{drawn[:4]} width="{min(MOST, 3 * int(float(size[1])) // 2)}"{drawn[4:]}') + "\n"
