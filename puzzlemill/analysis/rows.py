"""Rows of a release, read to be measured: the puzzle in one, and the name of one that cannot be used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadInput, BadRow
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.types import AnyPuzzle, QuestionKind
from puzzlemill.generators import family_named
from puzzlemill.questions import strategy

BANDS = ("easy", "medium", "hard", "unrated")
_NONSENSE = (BadInput, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError)


def puzzle_of(row: Mapping[str, Any]) -> tuple[AnyFamily, AnyPuzzle]:
    """A row's family and its puzzle."""
    family = family_named(row["family"])
    puzzle: AnyPuzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
    return family, puzzle


def answer_of(row: Mapping[str, Any], family: AnyFamily) -> Any:
    """A row's answer, of a choice one that fits; None if it has none."""
    return strategy(QuestionKind(row["question"])).shown(stored_answer(row, family))


def stored_answer(row: Mapping[str, Any], family: AnyFamily) -> Any:
    """A row's answer as it is stored, of a choice all its witnesses; None if it has none."""
    kind = strategy(QuestionKind(row["question"])).answer_type(family)
    return None if row["answer"] is None else loads(kind, row["answer"], "answer")


def band_order(band: str) -> tuple[int, str]:
    """A key to sort difficulties by: as in BANDS, then any other by name."""
    return BANDS.index(band) if band in BANDS else len(BANDS), band


@contextmanager
def naming(row: Mapping[str, Any], done: str, folder: Path | None = None) -> Iterator[None]:
    """Turn what a row's nonsense raises into a BadRow that names the row. done: as in "cannot be counted".

    folder: of its release, where there are several.
    """
    try:
        yield
    except _NONSENSE as error:
        why = " ".join(str(error).split())[:200] if isinstance(error, BadInput) else type(error).__name__
        where = "" if folder is None else f"{folder}: "
        raise BadRow(
            f"{where}row {str(row.get('id'))[:80]}: cannot be {done} ({why}); run `puzzlemill verify` to see all that is wrong"
        ) from None
