"""Rows made as they are asked for: as many fresh puzzles of one family as anybody wants, each proved like any other row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from puzzlemill.core.errors import BadParams
from puzzlemill.core.rng import stream
from puzzlemill.factory.build import build_group
from puzzlemill.factory.recipe import Recipe

TRIES = 8  # groups that are tried for one number; a group is given up after many draws of its own
_FAR = 1 << 60  # from a number to the next one that is tried for it


class Live:
    """Row 0, 1, 2, ... of one family; the same arguments and number always give the same row.

    seed: puzzles of another seed are other puzzles. params: the family's parameters, each a value or a list of values that take
    turns. rules: optional rules in force. transforms: what to do to the canonical puzzle, by name; then canonical and transformed
    puzzles are mixed, each as likely, so that with `clash` half of the rows have an answer. band: "easy", "medium" or "hard", of
    canonical puzzles; others are drawn again. reply_formats: in turn.
    Raises BadParams if there are no such puzzles. Rows of two numbers may be the same puzzle where there are few of them.
    """

    def __init__(
        self,
        family: str,
        *,
        seed: str,
        params: Mapping[str, Any] | None = None,
        rules: Sequence[str] = (),
        transforms: Sequence[str] = (),
        band: str = "",
        reply_formats: Sequence[str] = ("json",),
    ) -> None:
        part = {
            "family": family,
            "params": dict(params or {}),
            "rules": list(rules),
            "variants": [{"name": "changed", "transforms": list(transforms)}] if transforms else [],
            "counts": {"train": 1},
            "reply_formats": list(reply_formats),
            "band": band,
        }
        self.recipe = Recipe.from_plain({"name": "live", "seed": seed, "strata": [part]})

    def row(self, number: int) -> dict[str, Any]:
        """Row `number`. Raises BadParams for a negative number, and if nothing usable was drawn for it."""
        if type(number) is not int or not 0 <= number < _FAR:
            raise BadParams(f"number: puzzles are numbered from 0, got {str(number)[:40]}")
        part = self.recipe.strata[0]
        for attempt in range(TRIES):
            rows = build_group(self.recipe, part, "train", number + attempt * _FAR).rows
            if rows:
                return rows[stream("live", self.recipe.seed, number).below(len(rows))]
        raise BadParams(f"{part.family}: no puzzle number {number} in {TRIES} groups; change params, band or rules")
