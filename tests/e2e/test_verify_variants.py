"""`verify` on variants: rows that are sound in themselves, and not what their transforms make."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from releases import parquet, rows_are_checked_once, rows_of, settle  # noqa: F401

from puzzlemill.core.codec import loads
from puzzlemill.core.family import Pairing, puzzle_type
from puzzlemill.factory import record
from puzzlemill.factory.build import budget_of
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.factory.make import group
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.run import run
from puzzlemill.factory.verify import verify
from puzzlemill.factory.writer import write_rows
from puzzlemill.generators import family_named
from puzzlemill.solvers.certify import certify
from puzzlemill.solvers.deduce import grade

Row = dict[str, Any]
SUDOKU = {"family": "sudoku", "params": {"size": 6}, "counts": {"train": 1}}
MINES = {"family": "minesweeper", "params": {"rows": 5, "cols": 5, "mines": 6}, "counts": {"train": 1}}
ZEBRA = {"family": "zebra", "params": {"positions": 3, "attributes": 4}, "counts": {"train": 1}}


def recipe(part: dict[str, Any], *transforms: str) -> Recipe:
    """One group: a parent and a child named `child`."""
    child = {"name": "child", "transforms": list(transforms)}
    return Recipe.from_plain({"name": "variants", "seed": "variants", "strata": [{**part, "variants": [child]}]})


def forged(asked: Recipe, rows: Sequence[Row], folder: Path) -> list[str]:
    """What verify tells of the release of `asked` with this group in place of its own, the child named as `asked` names it."""
    run(asked, folder)
    path = parquet(rows[0]["family"], "train")
    parent, own = rows_of(folder, rows[0]["family"], "train")
    parent, child = ({**row, "canary": own["canary"]} for row in rows)
    child |= {"transforms": own["transforms"], "kinds": own["kinds"]}
    child["id"] = record.content_id(child)
    write_rows(folder / path, [parent, child])
    settle(folder)
    lines: list[str] = []
    verify(folder, lines.append)
    return [line.removeprefix(f"{child['id']}: ") for line in lines]


def group_of(made: Recipe) -> tuple[Row, ...]:
    return group(made, 0).rows


@pytest.mark.parametrize("transform", ["deep_clash", "diagonals"])
def test_the_true_child_has_no_problems(transform: str, tmp_path: Path) -> None:
    """The forging of this module is found for itself, not for what it forges."""
    asked = recipe(SUDOKU, transform)
    assert forged(asked, group_of(asked), tmp_path / "release") == []


def test_an_arrangement_that_does_not_fit(tmp_path: Path) -> None:
    """Rows about what holds in every arrangement tell the one that they were made from: it may be checked, or none at all."""
    asked = recipe(MINES, "clusters")
    rows = group_of(asked)
    assert forged(asked, rows, tmp_path / "true") == []
    assert rows[1]["hidden"]
    grid = json.loads(rows[1]["hidden"])
    turned = json.dumps([[1 - value for value in row] for row in grid], separators=(",", ":"))
    lines = forged(asked, (rows[0], {**rows[1], "hidden": turned}), tmp_path / "release")
    assert len(lines) == 1
    assert lines[0].startswith("hidden: breaks ")


def test_a_shallow_clash_for_a_deep_one(tmp_path: Path) -> None:
    """A clash that setting what is forced shows can pass as one that takes a search."""
    lines = forged(recipe(SUDOKU, "deep_clash"), group_of(recipe(SUDOKU, "shallow_clash")), tmp_path / "release")
    assert lines == ["proof.depth: is shallow, but these transforms make clashes that are deep"]


def test_another_spec_than_the_transform_makes(tmp_path: Path) -> None:
    """A child can have another size or other rules than its transforms give it."""
    lines = forged(recipe(SUDOKU, "larger_grid"), group_of(recipe(SUDOKU, "diagonals")), tmp_path / "release")
    assert any(line.startswith("puzzle: is of the spec ") and ", but these transforms make " in line for line in lines)


def test_remarks_that_no_transform_adds(tmp_path: Path) -> None:
    """Remarks beside the clues can be slipped into a puzzle."""
    lines = forged(recipe(ZEBRA, "shuffle_clues"), group_of(recipe(ZEBRA, "red_herring", "shuffle_clues")), tmp_path / "release")
    assert "puzzle: its style has asides, though no transform adds any" in lines


def test_a_child_without_the_clues_that_it_is_named_for(tmp_path: Path) -> None:
    """A row can claim clues of a rare sort and hold none."""
    asked = recipe(ZEBRA, "one_of_three")
    parent, child = group_of(asked)
    family = family_named("zebra")
    plain, rare = (loads(puzzle_type(family), row["puzzle"]) for row in (parent, child))
    puzzle = replace(plain, spec=rare.spec)
    answer = loads(family.answer, parent["answer"])
    row = record.row(
        family=family,
        recipe=asked,
        split="train",
        group=parent["group_id"],
        parent=parent,
        pairing=Pairing(child["pairing"]),
        variant="child",
        kinds=(),
        transforms=(),
        edit=None,
        puzzle=puzzle,
        hidden=answer,
        certificate=certify(family, puzzle, answer, budget_of(asked)),
        graded=grade(family, puzzle, answer),
        key=canonical_key(family, puzzle),
        reply_format=parent["reply_format"],
    )
    lines = forged(asked, (parent, row), tmp_path / "release")
    assert "puzzle: does not hold what its parameters ask for" in lines
