"""Rows: the schema is what `datasets` makes of it, ids follow from content, and what was altered is noticed."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.types import Clue, Status
from puzzlemill.factory import record
from puzzlemill.factory.build import build_group
from puzzlemill.factory.recipe import Recipe, Stratum
from puzzlemill.generators._template import FAMILY as TEMPLATE
from puzzlemill.generators.hanoi import FAMILY as HANOI
from puzzlemill.questions import asked
from puzzlemill.solvers.certify import Certificate
from puzzlemill.solvers.deduce import Grade

PART = Stratum("coin", params=(("coins", (5, 7)),), counts=(("train", 4), ("test", 1)))


def made(split: str = "train", name: str = "small", seed: str = "w", index: int = 0) -> dict[str, Any]:
    return copy.deepcopy(build_group(Recipe(name, seed, (PART,)), PART, split, index).rows[0])


def test_the_schema_is_what_datasets_would_write() -> None:
    """The viewer, load_dataset and other readers of the footer would see other columns than there are."""
    datasets = pytest.importorskip("datasets")
    expected = datasets.Features.from_dict(record.features()).arrow_schema
    assert record.arrow_schema().equals(expected, check_metadata=False)
    assert json.loads(record.arrow_schema().metadata[b"huggingface"]) == json.loads(expected.metadata[b"huggingface"])


def test_a_row_has_the_columns_of_the_schema() -> None:
    row = made()
    assert list(record.COLUMNS) == list(row)
    assert record.check_row(row) == []


def test_nothing_hidden_is_null() -> None:
    """A reader of the column would take the text "null" for something that is hidden."""
    part = Stratum("hanoi", params=(("disks", (3,)),), counts=(("train", 1),))
    (row,) = build_group(Recipe("small", "w", (part,)), part, "train", 0).rows
    assert (row["hidden"], made()["hidden"]) == (None, None)


@pytest.mark.parametrize("name", [name for name in record.CONTENT if name not in ("parent_id", "variant", "schema_version")])
def test_an_altered_content_column_is_noticed(name: str) -> None:
    """A swapped answer, a moved row or an edited prompt would pass."""
    row = made()
    value = row[name]
    row[name] = {str: f"{value}x", int: value + 1 if type(value) is int else 0, list: value}.get(type(value), 7)
    if type(value) is list:
        kind = record.COLUMNS[name]
        assert isinstance(kind, record.Each)
        row[name] = ["x"] if isinstance(kind.of, str) else [{key: "x" if t == "string" else 1 for key, t in kind.of.items()}]
        if name == "trace":
            row[name][0]["uses"] = ["x"]
    elif value is None:
        row[name] = "[]" if record.COLUMNS[name] == "string" else 7
    assert record.check_row(row) != []


@pytest.mark.parametrize("name", ["effort", "proof", "guess_baseline", "search_space_log10", "release", "license", "canary"])
def test_figures_and_labels_are_outside_the_id(name: str) -> None:
    """Another platform's effort figures, or another release's name, would give the same puzzle another id."""
    row = made()
    before = row["id"]
    row[name] = {"effort": {**row["effort"], "sat_decisions": 99}, "proof": {**row["proof"], "formulations": []}}.get(name, "x")
    assert record.content_id(row) == before


def test_the_split_and_the_index_are_in_the_id() -> None:
    assert made()["id"] == made(name="other")["id"]
    assert len({made()["id"], made("test")["id"], made(index=2)["id"], made(seed="v")["id"]}) == 4


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"optimum": "3"}, "optimum: expected int32, got str"),
        ({"optimum": True}, "optimum: expected int32, got bool"),
        ({"prompt": None}, "prompt: null"),
        ({"kinds": "UP"}, "kinds: expected a list, got str"),
        ({"kinds": [7]}, "kinds: expected string, got int"),
        ({"effort": {}}, "effort: expected an object with nodes"),
        ({"colour": 1}, "colour: unknown column"),
        ({"answer": None}, "answer: does not go with status unique"),
        ({"schema_version": 9}, "schema_version: 9"),
        ({"parent_id": "coin-0"}, "parent_id: does not go with variant canonical"),
    ],
)
def test_what_is_wrong_with_a_row_is_named(change: dict[str, Any], problem: str) -> None:
    row = {**made(), **change}
    assert any(found.startswith(problem) for found in record.check_row(row)), record.check_row(row)


def test_a_missing_column_is_named() -> None:
    row = made()
    del row["gold_reply"]
    assert record.check_row(row) == ["gold_reply: missing"]


def test_edits_name_the_clues_that_differ() -> None:
    one, two, other = Clue("a", "given", (0, 1)), Clue("b", "given", (1, 0)), Clue("b", "given", (1, 1))
    puzzle = loads(puzzle_type(TEMPLATE), made()["puzzle"])

    def edit(before: list[Clue], after: list[Clue]) -> str | None:
        return record.edit_of(puzzle.with_clues(before), puzzle.with_clues(after))

    assert edit([one, two], [two, one]) is None
    assert edit([one, two], [one, other]) == '[[["b","given",1,0],["b","given",1,1]]]'
    assert edit([one], [two]) == '[[["a","given",0,1],null],[null,["b","given",1,0]]]'


def test_bands_follow_techniques_or_work() -> None:
    """A family's own bounds are not looked at, or the number of a longer answer counts as work where it is none."""

    puzzle, coins = HANOI.examples()[0].puzzle, TEMPLATE.examples()[0].puzzle

    def difficulty(work: int) -> dict[str, Any]:
        return asked(puzzle).difficulty(HANOI, puzzle, ((0, 0, 1),) * work, None, None)

    assert asked(puzzle).difficulty(HANOI, puzzle, None, None, None) == {"band": "unrated", "tier": None, "score": None}
    graded = asked(coins).difficulty(TEMPLATE, coins, (), Grade(3, "medium", 1.2, ()), None)
    assert graded == {"band": "medium", "tier": 3, "score": 1.2}
    assert [difficulty(work)["band"] for work in (0, 15, 16, 127, 128)] == ["easy", "easy", "medium", "medium", "hard"]
    assert difficulty(9)["score"] == 1.0


def test_effort_of_a_proof_is_what_is_exact() -> None:
    """A figure of the sample stands in every row, or one that every machine finds is lost."""
    base = Certificate(Status.UNIQUE, ("a", "b"), (), None, (), 4)
    nothing = dict.fromkeys(["sat_decisions", "sat_conflicts", "smt_decisions", "smt_conflicts"])
    assert record.effort(base) == {"nodes": 4, "generated": None, **nothing}
    assert record.effort(replace(base, generated=9))["generated"] == 9


def test_the_canary_follows_the_recipe() -> None:
    assert record.canary("a") == record.canary("a")
    assert record.canary("a") != record.canary("b")
    assert record.canary("a").startswith("puzzlemill:")
