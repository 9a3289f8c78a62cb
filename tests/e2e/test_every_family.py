"""All that reads a release, over rows of every family and every question with options: what one family does in its own way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from releases import Shared, release_of

from puzzlemill import cli
from puzzlemill.core.types import Ask
from puzzlemill.envs.export import TARGETS, export
from puzzlemill.factory.read import open_release
from puzzlemill.generators import families, family_named
from puzzlemill.questions.asks import askable

SIZES: dict[str, dict[str, Any]] = {
    "sudoku": {"size": 6},
    "skyscraper": {"size": 4},
    "kumo": {"told": True},
    "blood_relations": {"people": 6},
    "hanoi": {"disks": [3, 4], "start": "random", "goal": "random"},
}
PAIRED = {"blood_relations": ["hops"], "coding": ["decode"], "seating": ["mixed_facing"], "ordering": ["ties"]}


def stratum(name: str, groups: int) -> dict[str, Any]:
    family = family_named(name)
    asks = [ask.value for ask in (Ask.WHOLE, Ask.OPTION, Ask.VALUE) if ask in askable(family, family.questions[0])]
    variants = [{"name": each, "transforms": [each]} for each in PAIRED.get(name, [])]
    return {"family": name, "params": SIZES.get(name, {}), "asks": asks, "variants": variants, "counts": {"train": groups}}


@pytest.fixture(scope="session")
def every(shared: Shared, request: pytest.FixtureRequest) -> Path:
    groups = 1 if request.config.getoption("--smoke") else 6
    plain = {"name": "every", "seed": "every family", "strata": [stratum(name, groups) for name in families()]}
    return shared("every", release_of(plain))


def test_every_row_is_proved_again(every: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A question that verify leaves undecided, or pairs that it takes for others."""
    assert cli.main(["verify", str(every)]) == 0, capsys.readouterr().out
    out = capsys.readouterr().out
    assert out.startswith("0 problems") and " 0 not decided" in out


def test_every_report_reads_every_family(every: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["stats", str(every), "--surface", "--report", str(tmp_path / "report.html")]) == 0, capsys.readouterr().err
    out = capsys.readouterr().out
    assert "Told by the surface" in out and "Right options picked by their looks" in out
    assert cli.main(["preview", str(every), "--out", str(tmp_path / "preview.html")]) == 0
    page = (tmp_path / "preview.html").read_text()
    assert [name for name in families() if name not in page] == []


@pytest.mark.parametrize("to", TARGETS)
def test_every_export_takes_every_family(every: Path, tmp_path: Path, to: str) -> None:
    made = export(open_release(every), to, tmp_path / "out")
    assert sum(made.rows.values()) > 0
