"""Doubt by class of variants that look the same: what a recipe refuses, what its prompts say, and the shipped recipes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.core.errors import BadParams
from puzzlemill.factory.build import build_group
from puzzlemill.factory.conf import choices
from puzzlemill.factory.recipe import CANONICAL, Recipe, Stratum, TransformCall, Variant

RELEASES = sorted(choices("release"))
LOPSIDED = {("hardcorelogic", "hanoi")}  # as in the paper
NO_SPLIT = (("train", 1),)


def variant(name: str, *transforms: str, of: str = CANONICAL) -> Variant:
    return Variant(name, tuple([TransformCall(each) for each in transforms]), of)


ZONES, LETTERS, CLASH = variant("zones", "zones"), variant("letters", "letters"), variant("unsolvable", "clash")
ZONES_CLASH = variant("zones_clash", "clash", of="zones")
ONE_WAY, RIGHT_ONLY = variant("one_way", "one_way"), variant("right_only", "right_only")
PEGS = (("pegs", (5,)), ("disks", (5,)), ("start", ("random",)), ("goal", ("random",)))


def sudoku(*variants: Variant, unsolvable: int = 0) -> Stratum:
    return Stratum("sudoku", (("size", (6,)),), variants=variants, counts=NO_SPLIT, unsolvable=unsolvable)


def hanoi(*variants: Variant, lopsided: bool = False) -> Stratum:
    return Stratum("hanoi", PEGS, variants=variants, counts=NO_SPLIT, lopsided=lopsided)


def doubting(part: Stratum) -> list[str]:
    return [name for name in (CANONICAL, *[each.name for each in part.variants]) if part.doubts(name)]


def test_prompts_doubt_where_variants_that_look_the_same_differ_in_status() -> None:
    """A prompt with zones says that there may be no answer although none with zones lacks one: the rule tells the status."""
    assert doubting(sudoku(ZONES, LETTERS)) == []
    assert doubting(sudoku(ZONES, LETTERS, CLASH)) == [CANONICAL, "unsolvable"]
    assert doubting(sudoku(ZONES, LETTERS, ZONES_CLASH)) == ["zones", "zones_clash"]
    at_once = variant("zones_clash_at_once", "zones", "clash")
    assert doubting(sudoku(ZONES, at_once)) == ["zones", "zones_clash_at_once"]
    twice = [Variant(name, (TransformCall("larger_grid", (("steps", steps),)),)) for name, steps in (("one", 1), ("two", 2))]
    assert doubting(sudoku(*twice, variant("clash", "clash", of="two"))) == ["two", "clash"]


def test_a_rule_that_comes_with_the_clash_is_seen() -> None:
    """one_way adds the sentence of right_only: only puzzles under right_only look the same."""
    assert doubting(hanoi(RIGHT_ONLY, ONE_WAY)) == ["right_only", "one_way"]
    with pytest.raises(BadParams, match=r"variants\[0\]: one_way can have no answer, and no variant that has one looks the same"):
        hanoi(ONE_WAY)
    assert doubting(hanoi(ONE_WAY, lopsided=True)) == ["one_way"]


def test_each_class_has_its_share() -> None:
    """One class takes the turns of all, or all have theirs in the same groups."""
    part = sudoku(ZONES, LETTERS, CLASH, ZONES_CLASH, unsolvable=20)
    groups = [[each.name for each in part.variants_at(turn)] for turn in range(part.turns())]
    assert part.turns() == 80
    for name in ("unsolvable", "zones_clash"):
        assert sum(name in group for group in groups) == 20
    assert not any({"unsolvable", "zones_clash"} <= set(group) for group in groups)
    with pytest.raises(
        BadParams, match=r"1 unsolvable and 2 solvable variants \(letters, again, clash\) give 33 percent at most"
    ):
        sudoku(LETTERS, variant("again", "letters"), variant("clash", "clash", of="letters"), unsolvable=50)


def test_rows_doubt_as_their_class_does() -> None:
    """The sentence follows the parent's puzzle into an edited or restyled child."""
    part = sudoku(LETTERS, CLASH)
    rows = build_group(Recipe("doubt", "w", (part,)), part, "train", 0).rows
    assert [(row["variant"], "no solution" in row["prompt"]) for row in rows] == [
        (CANONICAL, True),
        ("letters", False),
        ("unsolvable", True),
    ]
    assert [row["guess_baseline"] == 0.5 for row in rows] == [True, False, True]
    assert rows[0]["canonical_key"] == rows[1]["canonical_key"]


# ---- the shipped recipes ------------------------------------------------------------------------------------------------


def rows_by_class(part: Stratum) -> Iterator[tuple[str, Counter[bool]]]:
    """Of each class that voices the doubt, in all splits together: how many rows have an answer, and how many have none."""
    bases = len(part.bases())
    for alike in part.classes():
        if alike.unsolvable:
            bad, found = {each.name for each in alike.unsolvable}, Counter[bool]()
            for _, count in part.counts:
                for number, base in [divmod(index, bases) for index in range(count)]:
                    names = [CANONICAL, *[each.name for each in part.variants_at(number + base)]]
                    found.update([name in bad for name in names if name in alike.names])
            yield ", ".join(alike.names), found


@pytest.mark.parametrize("name", RELEASES)
def test_the_wording_of_a_shipped_recipe_does_not_tell_the_status(name: str) -> None:
    """Of the rows whose prompts voice the doubt, each class and each part of a family has the same share without an answer: an
    AUC of .5 for whoever reads the wording alone, by construction.
    """
    recipe = recipe_of(compose([f"release={name}"]))
    shares: dict[str, set[int]] = {}
    for part in recipe.strata:
        for names, found in rows_by_class(part):
            if part.lopsided:
                assert (name, part.family) in LOPSIDED
                continue
            share = part.unsolvable or 50
            shares.setdefault(part.family, set()).add(share)
            assert abs(100 * found[True] - share * found.total()) <= 100 * len(part.counts), (part.family, names, found)
    assert all(len(each) == 1 for each in shares.values()), shares


def test_moves_to_the_right_are_balanced_in_both_releases_together() -> None:
    """The paper's one_way rows are 200 without an answer; the part beside them has as many more with one."""
    found: Counter[bool] = Counter()
    for name in ("hardcorelogic", "hardcorelogic_balanced"):
        for part in recipe_of(compose([f"release={name}"])).strata:
            if part.family == "hanoi":
                for _, counts in rows_by_class(part):
                    found += counts
    assert found[True] == pytest.approx(found[False], abs=2)
