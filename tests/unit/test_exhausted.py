"""Sizes that hardly have a puzzle within their budgets: the command ends, and says what it threw away and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from puzzlemill import cli


@pytest.mark.parametrize(
    ("settings", "reasons"),
    [
        (["family=minesweeper", "family.params.mines=78"], "gave_up 22, unusable 44"),  # 3 cells without a mine
        (["family=skyscraper", "family.params.size=8", "family.params.shown=8", "proof.nodes=50"], "budget 44, gave_up 22"),
    ],
)
def test_what_was_thrown_away_is_counted_by_reason(
    settings: list[str], reasons: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that finds nothing looked like one that is slow."""
    assert cli.main(["generate", *settings, "proof.attempts=2", "count=1", f"out={tmp_path / 'out'}"]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert "only 0 different puzzles" in error and "after 22 tries" in error and reasons in error
    assert "ask for fewer, or give" in error


def test_a_size_that_would_take_for_ever_is_refused_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No 8 x 8 square of 60 that were drawn is told by how many buildings are seen alone."""
    out = tmp_path / "out"
    assert cli.main(["generate", "family=skyscraper", "family.params.size=8", "count=1", f"out={out}"]) == 2
    assert "shown: must be 8 to 63, got 0" in capsys.readouterr().err
    assert not out.exists()
