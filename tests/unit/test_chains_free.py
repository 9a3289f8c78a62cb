"""Chains in free style: a hundred that were written by two people who had not seen the recogniser, and labelled by two others.

A file of data/ has a line for each chain: its row, its text, and of both labellers a label for each sentence as
puzzlemill/chains/cut.py cuts them. The recogniser was developed on the fifty of chains_free: what it reaches there is no
forecast. Those of chains_held_out are kept apart: whoever works on the recogniser does not read them.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.chains.cut import cut
from puzzlemill.chains.judge import NC, RR, RW, SUPPOSED, UNKNOWN, WW, Judge
from puzzlemill.chains.rows import scene_of_row
from puzzlemill.chains.summary import kappa
from puzzlemill.core.errors import PuzzlemillError
from tests.unit.test_chains import DIETERS

DATA = Path(__file__).parents[1] / "data"
ANSWER = "\n\nRaymond | vegan | 3 lbs\nStuart | caveman | 7 lbs\nTom | dairy-free | 9 lbs\nWesley | gluten-free | 5 lbs"
WRONG_ANSWER = "\n\nRaymond | vegan | 3 lbs\nStuart | caveman | 7 lbs\nTom | gluten-free | 9 lbs\nWesley | dairy-free | 5 lbs"


def _lines(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


@pytest.mark.parametrize(("name", "share", "agreement"), [("chains_free", 0.86, 0.88), ("chains_held_out", 0.84, 0.8)])
def test_labels_agree_with_those_of_two_people(name: str, share: float, agreement: float) -> None:
    ours: list[str] = []
    theirs: dict[str, list[str]] = {"A": [], "B": []}
    chains = 0
    for line in _lines(name):
        try:
            judge = Judge(scene_of_row(line["row"]), strict=False)
        except PuzzlemillError:  # a world whose items have changed since
            continue
        found = [label.category for label in judge.judge(line["text"]).labels]
        assert len(found) == len(line["labels"]["A"])
        ours += ["SUP" if category == SUPPOSED else category for category in found]
        for who, labels in theirs.items():
            labels += line["labels"][who]
        chains += 1
    assert chains >= 40
    understood = [k for k, category in enumerate(ours) if category != UNKNOWN]
    assert len(understood) >= share * len(ours)
    assert (kappa(theirs["A"], theirs["B"]) or 0) >= 0.95
    for labels in theirs.values():
        assert (kappa([labels[k] for k in understood], [ours[k] for k in understood]) or 0) >= agreement


SENTENCES = [
    ("Stuart lost 7 lbs. He's on the caveman diet.", ANSWER, [NC, RR]),  # what is left out is what was spoken of
    ("Who is vegan?", ANSWER, [NC]),
    ("Only 3 and 7 are 4 apart.", ANSWER, [RR]),
    ("We have 3, 5, 7 and 9 pounds.", ANSWER, [NC]),
    ("Clue 1: vegan and Stuart, 4 apart.", ANSWER, [NC]),
    ("If Tom lost 3 lbs, Wesley would be vegan.", ANSWER, [SUPPOSED]),
    ("Case 1: Tom lost 3 lbs. Raymond lost 9 lbs. That fails.", ANSWER, [SUPPOSED] * 3),
    ("Case 1: Tom lost 3 lbs. That fails.\n\nCase 2: Tom lost 9 lbs.", ANSWER, [SUPPOSED, SUPPOSED, RR]),
    ("Now Wesley, as was said of Tom, is dairy-free.", ANSWER, [UNKNOWN]),  # against the chain's own answer: misread
    ("So Wesley is dairy-free.", ANSWER, [RW]),  # so plain that it cannot be
    ("So Tom is gluten-free.", WRONG_ANSWER, [RW, RR, RR, WW, WW]),  # its rows lean on what it concluded
    ("", WRONG_ANSWER, [RR, RR, RW, WW]),
    ("So Tom lost 9 lbs.\n- Tom: dairy-free, 9 lbs", ANSWER, [RR, RR]),  # a line of results concludes again
    ("So Tom isn't vegan.\n\nSuppose Tom is vegan.\n\nThis contradicts clue 1, so Tom isn't vegan.", ANSWER, [RR, SUPPOSED, RR]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "answer", "expected"), SENTENCES, ids=[text for text, _, _ in SENTENCES])
def test_sentences_in_free_style_are_judged(text: str, answer: str, expected: list[str]) -> None:
    labels = Judge(DIETERS).judge(text + answer).labels
    assert [label.category for label in labels[: len(expected)]] == expected


def test_dashes_cut_a_line_into_cells_but_not_a_sentence() -> None:
    assert [one.cells for one in cut("Ann – tea – 2004").sentences] == [("Ann", "tea", "2004")]
    assert [one.cells for one in cut("So it is Ann – as nobody else is left.").sentences] == [()]
