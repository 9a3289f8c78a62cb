"""Requests for less than the whole answer: what can be asked of each family, what counts as right, and what cannot."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.types import Ask
from puzzlemill.factory.make import group, make
from puzzlemill.factory.reasoning import CHECK, Options, reasoning
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.record import check_row
from puzzlemill.generators import families, family_named
from puzzlemill.questions.asks import askable, conclusion, layout_of, write
from puzzlemill.scoring.prompt import prompt, spelled
from puzzlemill.scoring.score import score

SMALL: dict[str, dict[str, Any]] = {  # families with slots that can be asked for less than the whole
    "acrostic": {"letters": 40, "spread": 8},
    "binario": {"rows": 6, "cols": 8},
    "crypto": {"letters": 12},
    "cryptogram": {"sentences": 1},
    "drop_quote": {"rows": 3, "cols": 18},
    "hitori": {"rows": 5, "cols": 6},
    "kakurasu": {"rows": 5, "cols": 6},
    "logic_grid": {"categories": 3, "items": 4},
    "minesweeper": {"rows": 7, "cols": 8, "mines": 9, "opened": 28},
    "skyscraper": {"size": 4},
    "sudoku": {"size": 6, "givens": 20},
    "zebra": {"positions": 4, "attributes": 3},
}


def rows_of(name: str, asks: list[str], variants: tuple[str, ...] = (), count: int = 1) -> Iterator[dict[str, Any]]:
    named = [{"name": each, "transforms": [each]} for each in variants]
    part = {"family": name, "params": SMALL[name], "asks": asks, "reply_formats": ["json"], "variants": named}
    recipe = Recipe.from_plain({"name": "asks", "seed": "w", "strata": [{**part, "counts": {"train": count}}]})
    for index in range(count):
        yield from group(recipe, index).rows


def family_and_puzzle(row: dict[str, Any]) -> tuple[AnyFamily, Any]:
    family = family_named(row["family"])
    return family, loads(puzzle_type(family), row["puzzle"], "puzzle")


def answer_of(row: dict[str, Any]) -> Any:
    return loads(family_named(row["family"]).answer, row["answer"], "answer")


def test_families_that_can_be_asked_for_less() -> None:
    """A family whose answers are routes is asked for one cell of them, or one of cells for nothing but all of them."""
    some = {name for name, family in families().items() if family.form.asks and len(askable(family, family.questions[0])) > 1}
    assert askable(family_named("number_series"), family_named("number_series").questions[0])[1:] == (Ask.OPTION, Ask.VALUE)
    assert askable(family_named("ordering"), family_named("ordering").questions[0])[1:] == (Ask.OPTION, Ask.VALUE)
    assert some == set(SMALL)
    assert Ask.STEP not in askable(family_named("hitori"), family_named("hitori").questions[0])


@pytest.mark.parametrize("name", SMALL)
def test_one_reply_is_right(name: str) -> None:
    """A wrong cell, number, letter or step is paid, or the right one is not; or the whole answer passes for a part of it."""
    family = family_named(name)
    asks = [ask.value for ask in askable(family, family.questions[0])]
    for row in rows_of(name, asks, count=len(asks)):
        assert check_row(row) == []
        _, puzzle = family_and_puzzle(row)
        layout = layout_of(family, puzzle)
        whole = spelled(family.form.write(puzzle, answer_of(row)), family.form.layout(puzzle), "json")
        assert score(row["gold_reply"], row).score == 1.0
        # a worked reply says how the whole answer leads to what is asked for, and of a step no more than leads to it
        said = conclusion(family, puzzle, answer_of(row))
        told = reasoning(row, Options("bullets", wrong_suppositions=0))
        assert said in told.text and (not said) is (row["ask"] == "whole")
        assert row["ask"] != "step" or not any(part.kind == CHECK for part in told.parts)
        if row["ask"] == "whole":
            continue
        assert all(re.search(rf"(?<!\w){re.escape(token)}(?!\w)", said) for token in write(family, puzzle, answer_of(row))[0])
        assert score(whole, row).score == 0.0
        every = [spelled((tokens,), layout, "json") for tokens in product(*[column.tokens for column in layout.columns])]
        paid = [reply for reply in every if score(reply, row).score]
        assert row["gold_reply"] in paid
        assert len(paid) == 1 or row["ask"] == "step"
        assert len(paid) / len(every) <= row["guess_baseline"] + 1e-6 <= 1


def test_a_step_is_what_the_cells_shown_force() -> None:
    """In a 4x4 board with one cell open per row, any of them counts; a cell that two values fit does not."""
    row = make("sudoku", size=4, givens=12, ask="step", seed="w")
    family, puzzle = family_and_puzzle(row)
    answer = loads(family.answer, row["answer"], "answer")
    given = set(family.clues.given_slots(puzzle))
    for slot in range(16):
        r, c = divmod(slot, 4)
        reply = json.dumps({"answer": [[r + 1, c + 1, answer[r][c] + 1]]})
        seen = {answer[r][k] for k in range(4) if 4 * r + k in given} | {answer[k][c] for k in range(4) if 4 * k + c in given}
        top, left = r // 2 * 2, c // 2 * 2
        seen |= {answer[i][j] for i in (top, top + 1) for j in (left, left + 1) if 4 * i + j in given}
        assert score(reply, row).score == float(slot not in given and len(seen) == 3)


def test_a_request_that_may_have_no_answer() -> None:
    """Of an unsolvable puzzle another cell is asked for than of its parent, or its right reply is not taken."""
    rows = list(rows_of("sudoku", ["cell", "number"], ("clash",), 2))
    about = [json.loads(row["puzzle"])["question"]["about"] for row in rows]
    assert about[::2] == about[1::2]
    for row in rows:
        assert "may have no solution" in row["prompt"]
        assert score('{"solvable": false}', row).score == float(row["status"] == "unsolvable")
        assert row["guess_baseline"] >= 0.5


@pytest.mark.parametrize(
    ("name", "asks", "variants", "problem"),
    [
        ("binario", ["cells"], (), "asks: unknown request 'cells'; known: whole, cell, number, option, step, value"),
        ("binario", [], (), "asks: at least one of"),
        ("hitori", ["step"], (), "asks: hitori is not asked for 'step'; known: whole, cell, number, option"),
        ("binario", ["option"], ("clash",), "asks: 'option' is drawn from the answer"),
    ],
)
def test_requests_that_cannot_be_made(name: str, asks: list[str], variants: tuple[str, ...], problem: str) -> None:
    with pytest.raises(BadParams, match=re.escape(problem)):
        next(rows_of(name, asks, variants))


@pytest.mark.parametrize(
    "changes",
    [{"about": [9, 0]}, {"about": []}, {"about": [0]}, {"ask": "step", "about": [1]}, {"ask": "option"}, {"ask": "number"}],
)
def test_rows_whose_request_means_nothing(changes: dict[str, Any]) -> None:
    (row,) = rows_of("sudoku", ["cell"])
    raw = json.loads(row["puzzle"])
    raw["question"] |= {"about": [9, 9], **changes} if "about" not in changes else changes
    with pytest.raises(BadRow, match="question"):
        score("x", {**row, "puzzle": json.dumps(raw)})


def test_prompts_say_what_is_asked_for() -> None:
    """Two requests of one puzzle have the same prompt, or the prompt does not come from the puzzle alone."""
    rows = list(rows_of("zebra", ["cell", "number", "option"], count=3))
    for row in rows:
        _, puzzle = family_and_puzzle(row)
        assert prompt(puzzle, "json") == row["prompt"]
        assert dumps(puzzle) == row["puzzle"]
    assert "number of the" in rows[1]["prompt"]
    assert re.search(r"\nA: .*\nB: .*\nC: .*\nD: ", rows[2]["prompt"])
