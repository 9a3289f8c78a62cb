"""Rows of a release as scenes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from puzzlemill.chains.scene import Scene, scene_of
from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadRow
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.types import AnyPuzzle
from puzzlemill.generators import family_named

COLUMNS = ("id", "split", "family", "puzzle", "answer")  # that judging chains reads


def scene_of_row(row: Mapping[str, Any]) -> Scene:
    """The scene of a row that has an answer. Raises BadRow if it cannot be read, BadParams for a family without scenes."""
    family: AnyFamily = family_named(row["family"])
    puzzle: AnyPuzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
    answer = loads(family.answer, row["answer"], "answer")
    try:
        return scene_of(family, puzzle, answer)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise BadRow(f"row {str(row.get('id'))[:80]}: its chains cannot be judged ({type(error).__name__})") from None
