"""LR2Bench: the recipes against the paper's Table 1, its bounds, and its measures by values worked out by hand."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from math import factorial, log10
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.analysis import lr2bench
from puzzlemill.analysis import report as reporting
from puzzlemill.analysis.giving_up import ending, says_so
from puzzlemill.analysis.lr2bench import TASKS, bound_log10, repetition
from puzzlemill.analysis.report import Given, figures, lr2bench_text, page
from puzzlemill.cli.settings import compose, recipe_of
from puzzlemill.core.codec import loads
from puzzlemill.core.family import puzzle_type
from puzzlemill.factory.build import build_group
from puzzlemill.factory.conf import CONF
from puzzlemill.factory.read import Release
from puzzlemill.factory.recipe import Recipe, Stratum
from puzzlemill.generators import family_named
from puzzlemill.scoring.metrics import Item
from puzzlemill.scoring.score import Prepared, prepared, score

Row = dict[str, Any]
# 2502.17848, Table 1: rows by task, and its marks for knowledge, logic, space and reflection
PAPER = {
    "crossword": (150, "+-++"),
    "acrostic": (100, "+-++"),
    "logic_grid": (200, "-+-+"),
    "cryptogram": (100, "+--+"),
    "sudoku": (200, "-+++"),
    "drop_quote": (100, "+-++"),
}


def recipe(name: str) -> Recipe:
    return recipe_of(compose([f"release={name}"]))


@cache
def made(part: Stratum, of: Recipe, index: int = 0) -> Row:
    """The canonical row of a group of a stratum."""
    ((split, _),) = part.counts[:1]
    row: Row = build_group(of, part, split, index).rows[0]
    return row


def level(row: Row) -> str:
    puzzle = loads(puzzle_type(family_named(row["family"])), row["puzzle"], "puzzle")
    return TASKS[row["family"]].level(puzzle, row["difficulty"]["band"])


# ---- recipes --------------------------------------------------------------------------------------------------------


def test_rows_are_those_of_the_paper() -> None:
    """Another number of a task, or variants, which the paper has none of."""
    found: Counter[str] = Counter()
    for part in recipe("lr2bench").strata:
        ((split, groups),) = part.counts
        assert split == "test" and not part.variants and part.reply_formats in ((), ("tags",))
        assert groups == 50
        found[part.family] += groups
    assert found == {task: rows for task, (rows, _) in PAPER.items()} and found.total() == 850
    assert {name: sum(task.rows.values()) for name, task in TASKS.items()} == found
    marks = {name: "".join(["-+"[mark] for mark in task.kinds]) for name, task in TASKS.items()}
    assert marks == {task: kinds for task, (_, kinds) in PAPER.items()}


def test_the_table_above_the_recipe_is_true() -> None:
    """People read the comment, not the counts."""
    text = (CONF / "release" / "lr2bench.yaml").read_text(encoding="utf-8")
    told = {name: int(rows) for name, rows in re.findall(r"^#   (\w+) .* (\d+)   50 each", text, re.MULTILINE)}
    assert told == {task: rows for task, (rows, _) in PAPER.items()}


def test_strata_are_the_levels_of_the_paper() -> None:
    """A stratum whose rows are of another level than its name says, or two of one level."""
    of = recipe("lr2bench")
    found = [(part.family, level(made(part, of))) for part in of.strata]
    assert sorted(found) == sorted([(name, each) for name, task in TASKS.items() for each in task.rows])


def test_the_training_set_is_apart_and_easier_examples_are_there() -> None:
    """Rows to train on that are measured, or a task that no example could be taken of."""
    measured, trained = recipe("lr2bench"), recipe("lr2bench_train")
    assert trained.excludes == (measured.name,) and trained.seed != measured.seed
    assert {part.family for part in trained.strata} == {part.family for part in measured.strata}
    assert all(set(dict(part.counts)) == {"train", "validation"} for part in trained.strata)


# ---- bounds ---------------------------------------------------------------------------------------------------------


def test_bounds_are_read_as_they_are_printed() -> None:
    """Table 5 multiplies where it must raise to a power; what is printed is not what is meant."""
    assert bound_log10("26 x 5 x 5") == pytest.approx(log10(650))
    assert bound_log10("(4!)^6") == pytest.approx(6 * log10(24))
    assert bound_log10("26!") == pytest.approx(log10(factorial(26)))
    assert bound_log10("9^81") == pytest.approx(81 * log10(9))
    assert bound_log10("20 x 5!") == pytest.approx(log10(2400))


def test_families_print_the_bounds_of_the_table() -> None:
    """Previews and the report show different bounds for the same row."""
    of = recipe("lr2bench")
    for part in of.strata:
        row = made(part, of)
        family = family_named(row["family"])
        puzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
        printed = TASKS[row["family"]].bounds[level(row)]
        own = printed if part.family != "acrostic" else f"26 x {puzzle.board.cells}"  # of as many letters as it has
        assert family.paper_bound(puzzle) == own, (part.family, printed)
        assert bound_log10(printed) > 0


# ---- measures -------------------------------------------------------------------------------------------------------


def test_redundancy_is_the_share_of_ten_words_that_came_before() -> None:
    """Figure 4's measure is another one."""
    words = [f"w{i}" for i in range(12)]
    assert repetition(" ".join(words)) == 0.0  # 3 different of 3
    assert repetition(" ".join(words[:10] * 2)) == pytest.approx(1 / 11)  # 11, the first of which comes again
    assert repetition("a " * 20) == pytest.approx(10 / 11)  # all 11 are the same
    assert repetition("a " * 9) is None


def sudoku() -> Row:
    """A row of 4x4 with eight cells or nine."""
    of = recipe("lr2bench")
    return made(next(part for part in of.strata if dict(part.params).get("size") == (4,)), of)


def test_measures_of_replies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CR, S-Acc, EM, PM-0.5 of section 2.4, tokens, endings and means over tasks are not what is computed."""
    row = sudoku()
    monkeypatch.setattr(reporting, "rows", lambda _release, _columns=None: iter([row]))
    case = prepared(row)
    cells = row["gold_reply"].split("\n")[1:-1]
    grid, n = [line.split() for line in cells], len(case.open_slots)
    opened = [(slot // 4, slot % 4) for slot in case.open_slots]
    assert family_named("sudoku").paper_subtasks(case.puzzle) == tuple([(slot,) for slot in case.open_slots])

    def reply(change: dict[tuple[int, int], str]) -> str:
        rows = [" ".join([change.get((r, c), cell) for c, cell in enumerate(line)]) for r, line in enumerate(grid)]
        return "<answer>\n" + "\n".join(rows) + "\n</answer>"

    other = {at: next(digit for digit in "1234" if digit != grid[at[0]][at[1]]) for at in opened[:2]}
    lines: list[dict[str, Any]] = [
        {"reply": reply({}), "usage": {"completion": 40}},
        {"reply": "A guess at best: my best guess.\n" + reply(other), "usage": {"completion": 80}},  # two cells are wrong
        {"reply": reply(dict.fromkeys(opened[1:], "."))},  # one cell is filled, and right
        {"reply": "and so on", "finish_reason": "length"},
    ]
    path = tmp_path / "replies.jsonl"
    path.write_text("".join(json.dumps({"id": row["id"], "sample": i, **line}) + "\n" for i, line in enumerate(lines)))
    release = Release(Path("nowhere"), {"release": "x"}, {})
    (model,) = figures(release, [Given("m", path)], lambda row, _given, _k: 0.0)
    (one,) = lr2bench.figures(model.levels, model.samples)
    shares = {name: round(estimate.value, 6) for name, estimate in one.shares.items()}
    assert shares == {
        "CR": round((1 + 1 + 1 / n) / 4, 6),
        "S-Acc": round((1 + (n - 2) / n + 1 / n) / 4, 6),
        "EM": 0.25,
        "PM-0.5": (1 + ((n - 2) / n >= 0.5) + (1 / n >= 0.5)) / 4,
        "right": 0.25,
    }
    assert (one.task, one.level, one.rows, one.replies, one.tokens) == ("sudoku", "4x4, easy", 1, 4, 60)
    assert one.endings == {"partial": 0.25, "compromise": 0.25, "cut off": 0.25, "claim": 0.0} and one.gave_up == 0.5
    assert one.characters == sum([len(line["reply"]) for line in lines]) / 4
    assert "4x4, easy" in lr2bench_text([model])
    html = page(release, [model])
    assert "LR2Bench" in html and "4^16" in html and "9.63" in html  # log10 of 4^16


def drawn(family: str) -> tuple[Row, Prepared]:
    """The first row of a family, and what scoring makes of it."""
    of = recipe("lr2bench")
    row = made(next(part for part in of.strata if part.family == family), of)
    return row, prepared(row)


def shares(row: Row, lines: list[str]) -> tuple[float, float]:
    """CR and S-Acc of a reply with these lines."""
    reply = "\n".join(["<answer>", *lines, "</answer>"])
    return lr2bench.subtasks(prepared(row), score(reply, row))


def test_subtasks_of_a_crossword_are_words() -> None:
    """A word counts for the letters of its neighbours, or is lost where a wrong one crosses it."""
    row, case = drawn("crossword")
    lines = row["gold_reply"].split("\n")[1:-1]
    n = len(lines)
    assert shares(row, lines) == (1, 1) and n == len(case.family.form.write(case.puzzle, case.gold))
    word = lines[0].split()[-1]
    other = "".join([chr((ord(sign) - 64) % 26 + 65) for sign in word])  # every letter is the next one
    assert shares(row, [lines[0].replace(word, other), *lines[1:]]) == pytest.approx((1, (n - 1) / n))
    assert shares(row, lines[1:]) == pytest.approx(((n - 1) / n, (n - 1) / n))


def test_subtasks_of_a_drop_quote_are_all_its_cells() -> None:
    """A cell that is filled in beforehand is no subtask of the paper's."""
    of = recipe("lr2bench")
    parts = [part for part in of.strata if part.family == "drop_quote"]
    rows = [made(part, of, index) for part in parts for index in range(3)]
    found = []
    for row in rows:
        case = prepared(row)
        groups = case.family.paper_subtasks(case.puzzle)
        assert len(groups) == sum(line.count("_") for line in case.puzzle.board.rows)
        found.append(len(groups) - len(case.open_slots))
    assert any(found) and min(found) >= 0


def test_all_tasks_is_the_mean_of_the_tasks() -> None:
    """A task with more rows counts for more, or sudoku's redundancy counts."""
    item = Item("a", "test", "a", "x", "canonical", True, False, 0.0)

    def rows(correct: float, redundancy: float, count: int) -> lr2bench.Rows:
        told = lr2bench.Told(1.0, correct, correct == 1, "", 10, 10, redundancy)
        return lr2bench.Rows([(item, [told])] * count)

    levels = {("sudoku", "9x9, easy"): rows(1.0, 0.9, 3), ("logic_grid", "4x4"): rows(0.5, 0.2, 1)}
    *_, every = lr2bench.figures(levels, 1)
    assert every.task == "all tasks" and every.shares["S-Acc"].value == 0.75 and every.redundancy == 0.2
    assert [every.shares[name].value for name in ("CR", "EM", "PM-0.5", "right")] == [1, 0.5, 1, 0.5]


# Sentences other than those that the rules of giving_up.py were shaped by, but by the same hand: no blind sample.
GIVES_UP = """
I'm not able to finish the bottom row, so it is filled with whatever was left.
With the token limit in mind, here is the most likely solution.
I will stop here, since this is going in circles.
At this point I'm going to settle for the grid below.
My attempt is tentative; the solution may not be correct.
I could not determine the letter for Q, so I chose X.
Because of time constraints I present the following mapping.
This is the best I could manage.
I have to give up on a complete decryption.
Here's my best possible answer.
""".strip().split("\n")
GOES_ON = """
Time to look at the second clue.
I cannot place a 3 there, so it must go in the third row.
The best place to begin is the longest word.
My first idea was wrong; going back, R must be E.
That leaves only one option for Kayla.
We can't give up any of the given letters.
The solution is partially given: three cells are known.
Here is the completed grid.
This may not be the corner cell, so check the other one.
I could also have begun with column 4.
It takes the most likely first letter, T, and it works.
Let's stop here for a moment and count the letters of column 2.
""".strip().split("\n")


def test_words_of_giving_up() -> None:
    """A reader would say otherwise of more than a few of these sentences."""
    missed = [text for text in GIVES_UP if not says_so(text)]
    false = [text for text in GOES_ON if says_so(text)]
    assert len(missed) <= 1 and len(false) <= 1, (missed, false)


def test_an_answer_may_speak_of_giving_up() -> None:
    """A quotation with such words in it counts as a remark."""
    assert not says_so("Done.\n<answer>\nI GIVE UP, SAID THE CLOCK\n</answer>")
    assert not says_so("We do not give up, and go on.") and says_so("ok", "I give up.")
    assert not says_so("ok", "I give up. " + "But then I see it. " * 300)  # thought better of it


def test_endings_exclude_each_other() -> None:
    """A right reply gives up, or one that was cut off does."""
    base = {"right": False, "cut": False, "claim": False, "answered": True, "blanks": False}
    said = "It is my best guess."
    assert ending(said, "", **base) == "compromise"
    assert ending(said, "", **base | {"right": True}) == ""
    assert ending(said, "", **base | {"cut": True}) == "cut off"
    assert ending(said, "", **base | {"claim": True, "answered": False}) == "claim"
    assert ending("", "", **base | {"blanks": True}) == "partial"
    assert ending(said, "", **base | {"answered": False}) == "partial"
    assert ending("", "", **base | {"answered": False}) == "" and ending("", "", **base) == ""
