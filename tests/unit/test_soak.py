"""scripts/soak.py: what its rounds are, and that it notices what differs."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from puzzlemill.cli.settings import compose, recipe_of

SOAK = runpy.run_path(str(Path(__file__).resolve().parents[2] / "scripts" / "soak.py"))


def test_a_round_is_a_recipe_that_follows_from_its_number() -> None:
    """A night ends with a setting that no recipe takes, or its line makes another round."""
    rounds = [SOAK["drawn"]("night", number) for number in range(4)]
    assert rounds[3].settings == SOAK["drawn"]("night", 3).settings
    assert len({one.settings for one in rounds}) == 4
    for one in rounds:
        recipe = recipe_of(compose([f"release={one.recipe}", *one.settings]))
        assert 2 <= len(recipe.strata) <= 4
        assert all(1 <= sum(count for _, count in stratum.counts) <= 7 for stratum in recipe.strata)


def test_a_file_that_differs_or_is_missing_is_named(tmp_path: Path) -> None:
    """A round passes whatever was written."""
    for name, text in (("a/one", "1"), ("b/one", "1"), ("a/two", "2"), ("b/two", "3"), ("a/x", "")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    tree, same = SOAK["tree"], SOAK["same"]
    same("a with itself", tree(tmp_path / "a"), tree(tmp_path / "a"))
    with pytest.raises(SOAK["Difference"], match=r"^a with b: 2 files differ, the first two$"):
        same("a with b", tree(tmp_path / "a"), tree(tmp_path / "b"))


def test_a_command_that_fails_ends_the_round() -> None:
    """A build that fails twice in the same way leaves two equal folders."""
    with pytest.raises(SOAK["Difference"], match="exit code 3"):
        SOAK["finish"](["sh", "-c", "exit 3"])
    assert SOAK["finish"](["sh", "-c", "exit 3"], fail=True) == (3, "")
