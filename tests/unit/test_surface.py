"""Readers of prompts: each finds the leak that it is there for, and none finds one in noise."""

from __future__ import annotations

import json

import pytest

from puzzlemill.analysis.surface import LEAST, READERS, Seen, grams, told, wording
from puzzlemill.core.rng import stream


def rows(leak: str, groups: int = 80) -> list[Seen]:
    """Pairs of a solvable and an unsolvable row whose boards are drawn alike, but for the leak."""
    rng, made = stream("tests", "surface", leak), []
    for group in range(groups):
        for bad in (False, True):
            digits = [rng.pick("123456") for _ in range(30)]
            if leak == "counts" and bad:
                digits[:3] = "666"
            if leak == "grams" and bad:  # as many of each digit, but in order
                digits = sorted(digits)
            rule = " No two of them stand next to each other." if leak == "wording" and bad else ""
            made.append(Seen(f"{group:03}", bad, f"Fill the board with numbers from 1 to 6.{rule}\n{' '.join(digits)}", 30))
    return made


@pytest.mark.parametrize("leak", ["wording", "counts", "grams"])
def test_each_reader_finds_its_leak(leak: str) -> None:
    found = told("made up", rows(leak)).readers
    assert found[leak].low > 0.6
    if leak != "wording":
        assert found["wording"].value == 0.5
    if leak == "grams":
        assert found["counts"].low < 0.5 < found["counts"].high
    assert told("made up", rows(leak)).readers == found


def test_noise_tells_nothing() -> None:
    found = told("made up", rows("none")).readers
    assert set(found) == set(READERS)
    assert all(one.low <= 0.5 <= one.high and one.value < 0.6 for one in found.values())


def test_few_rows_are_not_judged() -> None:
    assert told("made up", rows("none", LEAST - 1)).readers == {}


def test_wording_is_sentences_without_numbers_and_boards() -> None:
    row = Seen("g", False, "1. Each row of 9 cells holds every digit once. So do columns:\n5 3 . . 7\nA B C D E", 0)
    assert list(wording(row)) == ["Each row of # cells holds every digit once"]
    assert "5 3 ." in grams(row)
    assert json.dumps(grams(row))
