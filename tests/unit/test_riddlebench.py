"""The recipes of RiddleBench: the paper's number of series, and a training set apart."""

from __future__ import annotations

from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.core.types import Ask
from puzzlemill.factory.recipe import Recipe

PARTS = {"number_series": 700, "ordering": 366, "seating": 402, "coding": 123, "blood_relations": 146}  # 2510.24932, Table 2


def recipe(name: str) -> Recipe:
    return recipe_of(compose([f"release={name}"]))


def test_rows_are_those_of_the_paper() -> None:
    """Another number of a category."""
    assert sum(PARTS.values()) == 1737
    found = dict.fromkeys(PARTS, 0)
    for part in recipe("riddlebench").strata:
        assert not part.variants
        found[part.family] += dict(part.counts)["test"]
    assert found == PARTS


def test_nearly_all_have_options() -> None:
    """Questions of another kind than the paper's."""
    rows = dict.fromkeys((Ask.OPTION, Ask.WHOLE), 0)
    for part in recipe("riddlebench").strata:
        (ask,) = part.asks
        rows[ask] += dict(part.counts)["test"]
    assert rows == {Ask.OPTION: sum(rows.values()) - 175, Ask.WHOLE: 175}


def test_the_training_set_is_apart_and_alike() -> None:
    """A family or a question that is measured and not trained on, or puzzles in both."""
    measured, trained = recipe("riddlebench"), recipe("riddlebench_train")
    assert trained.excludes == (measured.name,) and trained.seed != measured.seed
    asked = [{(part.family, part.params, part.asks) for part in each.strata} for each in (measured, trained)]
    assert asked[0] == asked[1]
    assert all(set(dict(part.counts)) == {"train", "validation"} for part in trained.strata)
