"""`stats --report` and `effects` on a release that was just made, from a line typed to the page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from releases import Rows, Shared, Spoil, release_of

from puzzlemill import cli
from puzzlemill.core.rng import stream
from puzzlemill.factory.read import open_release, rows

LETTERS, FEWER = {"name": "letters", "transforms": ["letters"]}, {"name": "fewer", "transforms": ["fewer_givens"]}
BOTH = {"name": "fewer_letters", "of": "fewer", "transforms": ["letters"]}
PLAIN = {
    "name": "analysis",
    "seed": "analysis",
    "strata": [
        {"family": "sudoku", "params": {"size": 6, "givens": 16}, "variants": [LETTERS, FEWER, BOTH], "counts": {"test": 20}},
        {"family": "kakurasu", "params": {"rows": 4, "cols": 5}, "counts": {"test": 12}},
    ],
}


@pytest.fixture(scope="module")
def release(shared: Shared) -> Path:
    return shared("analysis", release_of(PLAIN))


def test_the_report_on_complexity(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A claim is judged from the wrong rows, or the page loads something from elsewhere."""
    out = tmp_path / "new" / "report.html"
    assert cli.main(["stats", str(release), "--report", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    claims = {(one["kind"], one["step"]): one for one in told["complexity"]["claims"]}
    by_id = {row["id"]: row for row in rows(open_release(release))}
    fewer = claims["IC1", "fewer_givens"]
    pairs = [(by_id[row["parent_id"]], row) for row in by_id.values() if row["variant"] == "fewer"]
    grown = [child["search_space_log10"] > parent["search_space_log10"] for parent, child in pairs]
    assert (fewer["rows"], fewer["comparison"], fewer["delta"]["value"]) == (20, "paired", 1.0) and all(grown)
    letters = claims["UE1", "letters"]
    assert (letters["rows"], letters["groups"], letters["verdict"]) == (40, 20, "holds")
    assert {one["family"] for one in told["complexity"]["cells_to_find"]} <= {"kakurasu"}
    sought = {one["measure"]: one["rows"] for one in told["complexity"]["cells_to_find"]}
    assert sought["smt_conflicts"] == sought["sat_conflicts"] == 12  # Z3 is asked, though few rows have its figures
    assert sum(row["effort"]["smt_conflicts"] is not None for row in by_id.values()) < 12
    assert told["sorts"]
    page = out.read_text(encoding="utf-8")
    assert "://" not in page and "<script" not in page and "src=" not in page
    assert "IC1 (a larger search space): of 1 comparisons it holds in 1" in page
    assert cli.main(["stats", str(release), "--report", str(out)]) == 0
    assert capsys.readouterr().out.endswith(f"\n\n{out}\n")


@pytest.mark.slow
def test_the_report_has_the_same_bytes_again(release: Path, tmp_path: Path) -> None:
    """A set is iterated, or a draw comes from elsewhere than its own stream."""
    here, there = tmp_path / "here.html", tmp_path / "there.html"
    assert cli.main(["stats", str(release), "--report", str(here)]) == 0
    command = [sys.executable, "-m", "puzzlemill.cli", "stats", str(release), "--report", str(there)]
    environment = {**os.environ, "PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    assert here.read_bytes() == there.read_bytes()


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert cli.main([str(argument) for argument in arguments]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and err.count("\n") == 1
    return err


def test_what_the_report_cannot_do(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report is written among the files of the release, or an option is passed over."""
    assert "lies in the release" in refused(capsys, "stats", release, "--report", release / "report.html")
    assert "--model: goes into the report" in refused(capsys, "stats", release, "--model", "x")
    assert "--model-groups: expected at least 1" in refused(capsys, "stats", release, "--model-groups", "0")
    (tmp_path / "file").write_text("mine")
    assert "--report: " in refused(capsys, "stats", release, "--report", tmp_path / "file" / "below")


@pytest.mark.parametrize(
    ("column", "value"), [("kinds", ["UP", "UP"]), ("kinds", ["XX"]), ("puzzle", "{"), ("search_space_log10", float("nan"))]
)
def test_a_row_that_cannot_be_measured_is_named(
    forge: Callable[[str, str, Spoil], Path], tmp_path: Path, column: str, value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    """A forged row ends in a traceback, or is counted."""

    def spoil(some: Rows) -> Rows:
        return [{**row, column: value} if row["variant"] != "canonical" else row for row in some]

    folder = forge("sudoku", "test", spoil)
    line = refused(capsys, "stats", folder, "--report", tmp_path / "report.html")
    assert "row sudoku-" in line and "run `puzzlemill verify`" in line
    assert not (tmp_path / "report.html").exists()


def replies(release: Path, path: Path, chance: dict[str, float]) -> Path:
    """Two replies to each row; right as often as its variant's chance says."""
    lines: list[dict[str, Any]] = []
    for row in rows(open_release(release), ("id", "variant", "gold_reply")):
        rng = stream("tests", "analysis", row["id"], path.name)
        for sample in (0, 1):
            right = rng.below(1000) < 1000 * chance[row["variant"]]
            lines.append({"id": row["id"], "sample": sample, "reply": row["gold_reply"] if right else "no"})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.mark.slow
def test_effects(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Replies are scored against other rows, or a cell is none of a variant."""
    pytest.importorskip("statsmodels", reason="needs statsmodels: pip install 'puzzlemill[analysis]'")
    chances = {"canonical": 1.0, "letters": 0.5, "fewer": 1.0, "fewer_letters": 0.0}
    one, two = (replies(release, tmp_path / f"{name}.jsonl", chances) for name in ("one", "two"))
    out = tmp_path / "effects.html"
    assert cli.main(["effects", str(release), str(one), str(two), "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["models"] == ["one", "two"] and told["rows_left_out"] == 0
    fits = {(fit["family"], fit["which"], fit["single_factor"]): fit for fit in told["regressions"]}
    alone = fits["sudoku", "one", False]
    assert (alone["cells"], alone["rows"], alone["replies"]) == (4, 80, 160)
    effect = {some["name"]: some["value"] for some in alone["coefficients"]}
    # least squares of 1, a, 1, 0 on the two kinds: letters takes (a - 1 + 0 - 1) / 2, fewer givens (1 - 1 + 0 - a) / 2
    assert effect["UE1"] == pytest.approx(effect["IC1"] * -1 - 1, abs=1e-3) and effect["IC2"] is None
    assert -0.9 < effect["UE1"] < -0.6
    refit = fits["sudoku", "one", True]
    assert refit["note"].startswith("as many coefficients as cells") and refit["coefficients"][0]["value"] == pytest.approx(0)
    assert fits["kakurasu", "one", False]["note"] == "one cell only: its accuracy is the baseline"
    assert "all models, a baseline each" in out.read_text() and "://" not in out.read_text()
    assert cli.main(["effects", str(release), str(one), "--cells", "row"]) == 0
    assert str(tmp_path / "one.effects.html") in capsys.readouterr().out
    assert "--cells: expected variant or row" in refused(capsys, "effects", release, one, "--cells", "all")
    assert "holds replies; name another file" in refused(capsys, "effects", release, one, "--out", one)
    assert "No such file" in refused(capsys, "effects", release, tmp_path / "none.jsonl")
    for command, option in (("effects", "--out"), ("report", "--out")):
        for name in ("manifest.json", "README.md"):
            was = (release / name).read_bytes()
            assert "is a file of the release" in refused(capsys, command, release, one, option, release / name)
            assert (release / name).read_bytes() == was
    assert "--out: names no file" in refused(capsys, "effects", release, one, "--out", "")


def test_files_of_one_name_are_models_of_their_own(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two models whose files have the same name in two folders are thrown together."""
    pytest.importorskip("statsmodels", reason="needs statsmodels: pip install 'puzzlemill[analysis]'")
    paths = [tmp_path / folder / "replies.jsonl" for folder in ("one", "two")]
    for path, chance in zip(paths, (1.0, 0.0), strict=True):
        path.parent.mkdir()
        replies(release, path, dict.fromkeys(("canonical", "letters", "fewer", "fewer_letters"), chance))
    assert cli.main(["effects", str(release), *map(str, paths), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["models"] == ["1: replies (replies)", "2: replies (replies)"]
    alone = {fit["which"]: fit["baseline"] for fit in told["regressions"] if fit["family"] == "kakurasu"}
    assert [alone[model]["value"] for model in told["models"]] == [1.0, 0.0]
