"""The recipes of GridPuzzle: the paper's sizes and numbers, bands that are alike but in what is needed, a training set apart."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.core.codec import loads
from puzzlemill.core.family import puzzle_type
from puzzlemill.factory.build import build_group
from puzzlemill.factory.conf import CONF
from puzzlemill.factory.recipe import Recipe, Stratum
from puzzlemill.generators import family_named

SIZES = {(3, 4): 60, (3, 5): 60, (4, 4): 60, (4, 5): 60, (4, 6): 34}  # 2407.14790, Figure 1
BANDS = ("easy", "medium", "hard")


def recipe(name: str) -> Recipe:
    return recipe_of(compose([f"release={name}"]))


def size(part: Stratum) -> tuple[int, int]:
    ((categories,), (items,)) = (dict(part.params)[name] for name in ("categories", "items"))
    assert type(categories) is int and type(items) is int
    return categories, items


def test_rows_are_those_of_the_paper() -> None:
    """Another number of a size, or unequal bands; 4x6 has two levels in the paper."""
    rows: Counter[tuple[int, int]] = Counter()
    bands: dict[tuple[int, int], list[tuple[str, int]]] = {}
    for part in recipe("gridpuzzle").strata:
        ((split, groups),) = part.counts
        assert split == "test" and not part.variants and part.family == "logic_grid"
        rows[size(part)] += groups
        bands.setdefault(size(part), []).append((part.band, groups))
    assert rows == SIZES and sum(rows.values()) == 274
    assert all(sorted(each) == sorted((band, 20) for band in BANDS) for at, each in bands.items() if at != (4, 6))
    assert sorted(bands[4, 6]) == [("easy", 17), ("medium", 17)]


def test_the_table_above_the_recipe_is_true() -> None:
    """People read the comment, not the counts."""
    text = (CONF / "release" / "gridpuzzle.yaml").read_text(encoding="utf-8")
    told = [line.split()[1:] for line in text.splitlines() if line.startswith("#   ") and line[4].isdigit()]
    made = {(size(part), part.band): part.counts[0][1] for part in recipe("gridpuzzle").strata}
    for name, *numbers in told:
        categories, items = map(int, name.split("x"))
        found = [made.get(((categories, items), band), 0) for band in BANDS]
        assert numbers == [str(n or ".") for n in (*found, sum(found))]
    assert len(told) == len(SIZES)


@pytest.mark.parametrize("name", ["gridpuzzle", "gridpuzzle_train"])
def test_bands_of_a_size_differ_in_nothing_else(name: str) -> None:
    """The number of clues, or the length of a prompt, tells what a row is graded as."""
    found: dict[tuple[int, int], set[str]] = {}
    for part in recipe(name).strata:
        found.setdefault(size(part), set()).add(repr(replace(part, band="", counts=(("test", 1),))))
        assert len(dict(part.params)["clues"]) == 3 and 0 not in dict(part.params)["clues"]
    assert set(found) == set(SIZES) and all(len(each) == 1 for each in found.values())


def test_the_training_set_is_apart() -> None:
    """Rows to train on that are in the test set; bands or sizes that nobody could train on."""
    train = recipe("gridpuzzle_train")
    assert train.excludes == ("gridpuzzle",)
    assert {(size(part), part.band) for part in train.strata} == {(each, band) for each in SIZES for band in BANDS}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(14))
def test_every_part_can_be_drawn(number: int) -> None:
    """A band that is too rare among puzzles of so many clues: groups are given up."""
    made = recipe("gridpuzzle")
    part = made.strata[number]
    for index in (0, 5):
        (row,) = build_group(made, part, "test", index).rows
        puzzle = loads(puzzle_type(family_named("logic_grid")), row["puzzle"], "puzzle")
        assert row["difficulty"]["band"] == part.band and len(puzzle.clues) == puzzle.spec.params.clues
