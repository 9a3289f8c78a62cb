"""A gate on what the looks of options tell: rows with options, of every family that has them."""

from __future__ import annotations

import pytest

from puzzlemill.analysis.options_told import COLUMNS, Asked, picked, picks
from puzzlemill.core.rng import stream
from puzzlemill.core.types import QuestionKind
from puzzlemill.factory.make import make
from puzzlemill.generators import families, family_named

ROWS = 300
MOST = 0.03  # for the lower end of the interval
ASKED = [name for name in families() if QuestionKind.CHOICE in family_named(name).questions]


SPECS: tuple[tuple[str, dict[str, int | str | bool]], ...] = (
    *[(name, {}) for name in ASKED],
    ("coding", {"task": "numbers", "letters": 5}),
    ("coding", {"task": "sums", "samples": 4, "letters": 5}),
    ("coding", {"task": "letters", "decode": True, "letters": 4}),
    ("coding", {"task": "sentences", "samples": 3, "words": 3}),
    ("number_series", {"task": "next"}),
    ("number_series", {"task": "wrong"}),
)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "params"), SPECS, ids=str)
def test_looks_do_not_tell_which_option_is_right(name: str, params: dict[str, int | str | bool]) -> None:
    """The middle of five numbers, the longest name, the option that shares most with the others."""
    rows = [make(name, ask="option", index=index, seed="options", **params) for index in range(ROWS)]
    (found,) = picks([{column: row[column] for column in COLUMNS} for row in rows])
    assert found.rows == ROWS and found.gain is not None and found.gain.low <= MOST, found


def test_a_reader_finds_what_looks_tell() -> None:
    """The right option lies in the middle of the others; or nothing tells it."""
    rng = stream("tests", "looks")
    sides = {"middle": list[Asked](), "any": list[Asked]()}
    for row in range(300):
        middle = rng.between(100, 900)
        numbers = [middle + shift for shift in (-20, -10, 0, 10, 20)]
        for side, place in (("middle", 2), ("any", rng.below(5))):
            order = rng.shuffled(range(5))
            options = tuple([str(numbers[at]) for at in order])
            sides[side].append(Asked(str(row), "Which one?", options, order.index(place)))
    told, silent = (picked(side, rows).gain for side, rows in sides.items())
    assert told is not None and told.value > 0.7
    assert silent is not None and silent.low <= 0 <= silent.high
