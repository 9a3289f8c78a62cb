"""`verify A B`: releases that share a puzzle, however it is turned and renamed, and releases that do not."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from releases import parquet, rows_of, settle

from puzzlemill.cli import main
from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.family import Pairing, puzzle_type
from puzzlemill.core.types import AnyPuzzle, Clue, Status
from puzzlemill.factory import record
from puzzlemill.factory.build import budget_of
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.factory.overlap import Overlap, verify_disjoint
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.run import run
from puzzlemill.factory.writer import write_rows
from puzzlemill.generators import family_named
from puzzlemill.solvers.certify import certify
from puzzlemill.solvers.deduce import grade

PLAIN = {
    "name": "twice",
    "seed": "one",
    "strata": [
        {"family": "sudoku", "params": {"size": 6}, "counts": {"train": 3, "test": 2}},
        {"family": "hanoi", "params": {"pegs": 3, "disks": 3}, "counts": {"train": 1}},
    ],
}
SUDOKU = family_named("sudoku")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two releases of one recipe under two seeds; six rows each, of which one is of a small class and in both."""
    folder = tmp_path_factory.mktemp("pair")
    for name, seed in (("a", "one"), ("b", "two")):
        run(Recipe.from_plain({**PLAIN, "seed": seed}), folder / name)
    return folder / "a", folder / "b"


def turned(puzzle: AnyPuzzle, answer: Any) -> tuple[AnyPuzzle, Any]:
    """The puzzle turned by 180 degrees, its digits renamed, and its answer."""
    rename = (4, 2, 0, 5, 1, 3)
    clues = []
    for clue in puzzle.clues:
        cell, value = clue.args
        row, column = divmod(35 - cell, 6)
        clues.append((35 - cell, Clue(f"r{row + 1}c{column + 1}", "given", (35 - cell, rename[value]))))
    moved = replace(puzzle, clues=tuple(clue for _, clue in sorted(clues)))
    return moved, tuple(tuple(rename[value] for value in row[::-1]) for row in answer[::-1])


def copied(stolen: dict[str, Any], into: dict[str, Any], recipe: Recipe) -> dict[str, Any]:
    """The stolen row's puzzle, turned and renamed, as a sound row of `recipe` in the place of the row `into`."""
    puzzle, answer = turned(
        loads(puzzle_type(SUDOKU), stolen["puzzle"], "puzzle"), loads(SUDOKU.answer, stolen["answer"], "answer")
    )
    return record.row(
        family=SUDOKU,
        recipe=recipe,
        split=into["split"],
        group=record.group_id(into["split"], puzzle),
        parent=None,
        pairing=Pairing.NONE,
        variant="canonical",
        kinds=(),
        transforms=(),
        edit=None,
        puzzle=puzzle,
        hidden=answer,
        certificate=certify(SUDOKU, puzzle, answer, budget_of(recipe), expect=Status.UNIQUE),
        graded=grade(SUDOKU, puzzle, answer),
        key=canonical_key(SUDOKU, puzzle),
        reply_format=into["reply_format"],
    )


@pytest.fixture
def planted(pair: tuple[Path, Path], tmp_path: Path) -> tuple[Path, str, str]:
    """A copy of the second release with a turned row of the first in it, otherwise sound; the rows' ids, copy first."""
    a, b = pair
    forged = Path(shutil.copytree(b, tmp_path / "forged"))
    recipe = Recipe.from_plain({**PLAIN, "seed": "two"})
    stolen, rows = rows_of(a, "sudoku", "train")[1], rows_of(forged, "sudoku", "test")
    rows[0] = copied(stolen, rows[0], recipe)
    write_rows(forged / parquet("sudoku", "test"), rows)
    settle(forged)
    return forged, rows[0]["id"], stolen["id"]


def told(*folders: Path) -> tuple[list[str], Overlap]:
    lines: list[str] = []
    _, apart = verify_disjoint(folders, lines.append, engine="kernel")
    return lines, apart


def test_releases_of_two_words_share_nothing(pair: tuple[Path, Path]) -> None:
    """A tower that both have is no leak: there is no other one, and the card says so."""
    assert told(*pair) == ([], Overlap(releases=2, rows=10, small=2, shared=0))


def test_a_turned_and_renamed_copy_is_caught(pair: tuple[Path, Path], planted: tuple[Path, str, str]) -> None:
    """Training on one release would teach the test of the other; alone the forged release is without a flaw."""
    a, b = pair
    forged, copy, original = planted
    assert copy != original
    assert [told(folder)[0] for folder in (a, forged)] == [[], []]
    lines, apart = told(a, forged)
    assert lines == [f"{forged}: {copy}: is, up to symmetry, {original} of {a}"]
    assert (apart.shared, apart.rows) == (1, 10)
    assert told(forged, a)[0] == [f"{a}: {original}: is, up to symmetry, {copy} of {forged}"]
    lines, apart = told(a, b, forged)
    assert f"{forged}: {copy}: is, up to symmetry, {original} of {a}" in lines
    assert apart.shared == len(lines) == 5  # and the four other grids of the release that it was forged from


def test_stored_keys_are_not_believed(pair: tuple[Path, Path], planted: tuple[Path, str, str]) -> None:
    """Whoever plants a copy writes another key beside it."""
    a, _ = pair
    forged, copy, original = planted
    rows = rows_of(forged, "sudoku", "test")
    rows[0]["canonical_key"] = f"sudoku:1:{'0' * 32}"
    write_rows(forged / parquet("sudoku", "test"), rows)
    settle(forged)
    lines, _ = told(a, forged)
    assert any(f"{copy}: is, up to symmetry, {original} of {a}" in line for line in lines)


def test_problems_of_one_release_are_told_with_its_folder(pair: tuple[Path, Path], tmp_path: Path) -> None:
    """Nobody would know which README is missing."""
    a, b = pair
    broken = Path(shutil.copytree(b, tmp_path / "broken"))
    (broken / "README.md").unlink()
    lines, _ = told(a, broken)
    assert lines == [f"{broken}: README.md: missing, though the manifest lists it"]


def test_a_release_that_cannot_be_read_does_not_hide_the_others(pair: tuple[Path, Path], tmp_path: Path) -> None:
    """What the others share is told first."""
    _, b = pair
    broken, twin = (Path(shutil.copytree(b, tmp_path / name)) for name in ("broken", "twin"))
    (broken / parquet("hanoi", "train")).write_bytes(b"PAR1")
    lines: list[str] = []
    with pytest.raises(BadFile, match="cannot be read as Parquet"):
        verify_disjoint([b, broken, twin], lines.append, engine="kernel")
    assert sum(line.startswith(f"{twin}: sudoku-") and line.endswith(f" of {b}") for line in lines) == 5


def test_one_folder_twice(pair: tuple[Path, Path]) -> None:
    a, _ = pair
    with pytest.raises(BadParams, match="named twice"):
        told(a, a.parent / "b" / ".." / "a")


def test_the_command(pair: tuple[Path, Path], planted: tuple[Path, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code, one line per shared row, a summary of each release and of all."""
    a, b = pair
    forged, copy, original = planted
    assert main(["verify", str(a), str(b), "--workers", "1", "--engine", "kernel"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{a}: 0 problems: 7 files, 6 rows, 6 proved again, 0 not decided",
        f"{b}: 0 problems: 7 files, 6 rows, 6 proved again, 0 not decided",
        "0 shared: 10 rows of 2 releases compared up to symmetry, 2 of small classes left out (exclude= keeps these apart too)",
    ]
    assert main(["verify", str(a), str(forged), "--workers", "1", "--engine", "kernel"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == f"{forged}: {copy}: is, up to symmetry, {original} of {a}"
    assert out[-1].startswith("1 shared: ")
    assert json.loads((forged / "manifest.json").read_text())["release"] == "twice"
