"""Puzzles from elsewhere: what is told of them is true, and what cannot be read is told with its line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

import puzzlemill.factory.check as checking
from puzzlemill.core.codec import dumps, loads
from puzzlemill.core.errors import BadParams, EnginesDisagree
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.model import Finding
from puzzlemill.core.text import lines_of
from puzzlemill.factory.check import Checked, check
from puzzlemill.generators import families, family_named
from puzzlemill.solvers.engines import Budget
from rows import unsolvable

ROOT = Path(__file__).resolve().parents[2]
FORMATS = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
KNOWN = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def one(text: str, family: str | None = None, limit: int = 1_000, budget: Budget | None = None) -> Checked:
    (found,) = check(text, family, limit, budget)
    return found


@pytest.mark.parametrize(("status", "text"), re.findall(r"```puzzle (\w+)\n(.*?)```", FORMATS, re.DOTALL))
def test_the_examples_of_the_docs_are_what_they_say(status: str, text: str) -> None:
    """A reader tries these first."""
    assert one(text).status == status


def test_the_docs_tell_no_family_that_is_not_there() -> None:
    """Every form on the page can be read, and each has an example."""
    sections = re.findall(r"^### `(\w+)`\n(.*?)(?=^### |\Z)", FORMATS, re.MULTILINE | re.DOTALL)
    assert {name for name, _ in sections} <= set(families()) and len(sections) >= 4
    assert all("```puzzle " in section for _, section in sections)


@pytest.mark.parametrize("name", ["sudoku17.txt", "sudoku_hardest.txt"])
def test_published_sudokus_are_unique(name: str) -> None:
    """The first twelve of each list; all of them are said to have one answer."""
    lines = (ROOT / "benchmarks" / name).read_text(encoding="utf-8").splitlines()
    found = list(check("\n".join([line for line in lines if not line.startswith("#")][:12])))
    assert [each.status for each in found] == ["unique"] * 12
    assert all(len(each.formulations) == 2 and each.technique for each in found)
    if name == "sudoku_hardest.txt":
        assert found[0].name == "AI Escargot (A. Inkala, 2006)"
    else:
        assert {each.redundant for each in found} == {()}, "no sudoku of 16 clues has one answer"


def test_several_answers_are_counted_and_two_are_shown() -> None:
    """A 4x4 grid has 288 answers; more than the limit are told as so many at least."""
    found = one("." * 16)
    assert (found.status, found.count, found.at_least) == ("several", 288, False)
    assert len(set(found.answers)) == 2
    found = one("." * 16, limit=100)
    assert (found.status, found.count, found.at_least) == ("several", 100, True)


@pytest.mark.parametrize(
    ("count", "grid"),
    [
        (2, ".39...12....9.7...8..4.1..6.42...79...........91...54.5..1.9..3...8.5....14...87."),
        (3, "..3.....6...98..2.9426..7..45...6............1.9.5.47.....25.4.6...785..........."),
        (4, "....9....6..4.7..8.4.812.3.7.......5..4...9..5..371..4.5..6..4.2.17.85.9........."),
        (10, "59.....486.8...3.7...2.1.......4.....753.698.....9.......8.3...2.6...7.934.....65"),
        (125, "...3165..8..5..1...1.89724.9.1.85.2....9.1....4.263..1.5.....1.1..4.9..2..61.8..."),
    ],
)
def test_published_grids_with_several_answers(count: int, grid: str) -> None:
    """Test cases that solver writers pass around, with the number of answers that is told of them."""
    found = one(grid)
    assert (found.status, found.count, found.at_least) == ("several", count, False)


def test_a_count_needs_two_formulations_that_found_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """One formulation that misses an answer, makes one up, or runs out: a number is told as if both had proved it."""
    grid = "..343412..434321"  # two pairs may change places
    puzzle = family_named("sudoku").text.parse(lines_of("sudoku\n" + grid))
    both = checking.finding(family_named("sudoku"), puzzle, "kernel", 10, Budget())
    assert isinstance(both, Finding) and len(both.answers) == 2 and both.exhausted
    one_, other = both.answers
    wrong = (*other[:-1], (other[-1] + 1) % 4)

    def told(**engines: Finding) -> None:
        monkeypatch.setattr(checking, "finding", lambda family, puzzle, engine, limit, budget: engines.get(engine))

    told(kernel=both, sat=replace(both, answers=(other, one_)))
    assert (one(grid).count, one(grid).at_least) == (2, False)
    told(kernel=both, sat=replace(both, exhausted=False), checker=replace(both, exhausted=False))
    assert (one(grid).status, one(grid).count, one(grid).at_least) == ("several", 2, True)
    told(kernel=both)
    assert one(grid).at_least
    less, worse = replace(both, answers=(one_,)), replace(both, answers=(one_, wrong))
    for kernel, sat in ((both, less), (worse, worse)):
        told(kernel=kernel, sat=sat)
        with pytest.raises(EnginesDisagree):
            one(grid)
    three = (one_, other, other[::-1])
    monkeypatch.setattr(type(family_named("sudoku")), "broken_rules", lambda *_, **__: [])
    told(kernel=replace(both, answers=three[:2]), sat=replace(both, answers=three[1:]))
    with pytest.raises(EnginesDisagree):
        one(grid)


def test_givens_that_break_a_rule_are_named() -> None:
    """Two fives in one row need no search, and the sentences say where they are."""
    found = one("55" + "." * 79)
    assert (found.status, found.count, found.outright) == ("none", 0, ("r1c1", "r1c2"))
    assert found.words[-2:] == ("Row 1 column 1 holds 5.", "Row 1 column 2 holds 5.")
    found = one("zebra\na: x, y\nb: z, w\nat(x, 1)\nat(y, 1)\nsame(x, z)")
    assert (found.status, found.outright) == ("none", ("k1", "k2"))
    assert found.words[-1] == "at(y, 1)"


def test_a_puzzle_without_an_answer_has_a_clash() -> None:
    """No two givens see each other in these: a cell, a box, a column and a row are left without a place for something."""
    for grid, needed in (
        ("..9.287..8.6..4..5..3.....46.........2.71345.........23.....5..9..4..8.7..125.3..", "r5c8"),
        (".9.3....1....8..46......8..4.5.6..3...32756...6..1.9.4..1......58..2....2....7.6.", "r6c9"),
        ("....41....6.....2...2......32.6.........5..417.......2......23..48......5.1..2...", "r5c5"),
        ("9..1....4.14.3.8....3....9....7.8..18....3..........3..21....7...9.4.5..5...16..3", "r5c1"),
    ):
        found = one(grid)
        assert (found.status, found.outright, found.depth) == ("none", (), "shallow")
        assert needed in found.clash and 2 < len(found.clash) == len(found.words)


def test_a_spent_budget_is_told_and_nothing_is_claimed() -> None:
    """What was not proved must not look proved."""
    hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    found = one(hard, budget=Budget(nodes=1, conflicts=1, checks=5, rlimit=1_000))
    assert (found.status, found.count, found.answers) == ("undecided", None, ())
    assert "budget" in found.problem
    towers = "hanoi\nstart\nA: 8 7 6 5 4 3 2 1\nB:\nC:\ngoal\nC: 8 7 6 5 4 3 2 1"
    found = one(towers, budget=Budget(states=5, checks=5))
    assert (found.status, found.length) == ("undecided", None)
    assert one(towers).length == 255


def test_clues_that_can_be_left_out_are_named() -> None:
    """One clue is told twice here: each of the two can be left out, and no other."""
    found = one("zebra\na: x, y, z\nb: u, v, w\nat(x, 1)\nat(x, 1)\nleft(y, z)\nsame(u, x)\nnext(v, u)")
    assert (found.status, found.redundant) == ("unique", ("k1", "k2"))


def test_our_own_json_is_read_in_every_wrapping() -> None:
    """A puzzle, its text, a row, a list, and lines of these."""
    family = family_named("sudoku")
    text = dumps(family.examples()[0].puzzle)
    row = {"id": "sudoku-1", "puzzle": text, "answer": "[[1]]", "status": "unsolvable"}
    for wrapped, count in (
        (text, 1),
        (json.dumps(text), 1),
        (json.dumps(row), 1),
        (json.dumps([row, json.loads(text)]), 2),
        (f"{text}\n\n{json.dumps(row)}\n", 2),
    ):
        found = list(check(wrapped))
        assert [each.status for each in found] == ["unique"] * count
    assert found[1].name == "sudoku-1"
    clashing = unsolvable(family)
    assert clashing is not None
    assert one(dumps(clashing)).status == "none"


def test_json_that_is_no_puzzle_is_refused() -> None:
    """Files come from anywhere: none of these may raise, hang or be proved."""
    text = dumps(family_named("hanoi").examples()[0].puzzle)
    good = json.loads(text)
    for raw in (
        [],
        [[]],
        {},
        {"family": "hitori"},
        {"family": ["sudoku"]},
        {"puzzle": 5},
        {"puzzle": "{"},
        "x",
        {**good, "version": 2},
        {**good, "board": {"start": [0] * 400, "goal": [2] * 400}},
        {**good, "board": {"start": [0, 0, 9], "goal": [2, 2, 2]}},
        {**good, "spec": {**good["spec"], "params": {**good["spec"]["params"], "disks": 5}}},
        {**good, "question": {**good["question"], "kind": "whole"}},
        {**good, "question": {**good["question"], "kind": "choice"}},
        {**good, "style": {**good["style"], "names": []}},
        {**good, "clues": [["c", "given", 0, 0]]},
    ):
        assert all(each.status == "unreadable" and each.problem for each in check(json.dumps(raw))), raw
    assert [each.status for each in check(f'{text}\n{{"family"\n{text}')] == ["optimal", "unreadable", "optimal"]
    assert one("[" * 200_000).status == "unreadable"


PLACES: dict[str, Callable[[int, int, int], bool]] = {  # of x, y and z, from 0, in a row of four
    "at(x, 2)": lambda x, y, z: x == 1,
    "not_at(x, 2)": lambda x, y, z: x != 1,
    "end(x)": lambda x, y, z: x in (0, 3),
    "same(x, y)": lambda x, y, z: x == y,
    "not_same(x, y)": lambda x, y, z: x != y,
    "next(x, y)": lambda x, y, z: abs(x - y) == 1,
    "beside(x, y)": lambda x, y, z: abs(x - y) == 1,
    "just_left(x, y)": lambda x, y, z: x + 1 == y,
    "just_right(x, y)": lambda x, y, z: x == y + 1,
    "just_right_of(x, y)": lambda x, y, z: x == y + 1,
    "left_of(x, y)": lambda x, y, z: x < y,
    "right(x, y)": lambda x, y, z: x > y,
    "apart(x, y, 2)": lambda x, y, z: abs(x - y) == 2,
    "far(x, y, 2)": lambda x, y, z: abs(x - y) >= 2,
    "between(x, y, z)": lambda x, y, z: min(y, z) < x < max(y, z),
    "one_of(at(x, 1), at(y, 1), at(z, 1))": lambda x, y, z: [x, y, z].count(0) == 1,
    "either(left(x, y), right(y, z))": lambda x, y, z: (x < y) != (y > z),
    "if(at(x, 1), right(y, z))": lambda x, y, z: x != 0 or y > z,
}


@pytest.mark.parametrize("clue", PLACES)
def test_clues_mean_what_the_docs_say(clue: str) -> None:
    """A kind that is read the wrong way round proves another puzzle than the one that is written."""
    told = "zebra\na: x, a2, a3, a4\nb: y, z, b3, b4\n" + clue
    every = [(x, y, z) for x in range(4) for y in range(4) for z in range(4) if y != z]
    assert one(told).count == 12 * sum(PLACES[clue](*case) for case in every)  # ways for the others
    for x, y, z in every[:: len(every) // 7]:
        fixed = one(f"{told}\nat(x, {x + 1})\nat(y, {y + 1})\nat(z, {z + 1})")
        assert (fixed.status == "none") is not PLACES[clue](x, y, z), (x, y, z)


def _ones(grid: Sequence[Sequence[int]], top: int, left: int, bottom: int, right: int) -> int:
    return sum(grid[r - 1][c - 1] for r in range(top, bottom + 1) for c in range(left, right + 1))


Square = Sequence[tuple[int, ...]]
LINES: dict[str, Callable[[Square, Square], bool]] = {  # of rows and columns, from 0
    "r1c2 = r3c4": lambda r, c: r[0][1] == r[2][3],
    "r3c4 != r1c2": lambda r, c: r[0][1] != r[2][3],
    "row1 = row3": lambda r, c: r[0] == r[2],
    "column1 != column3": lambda r, c: c[0] != c[2],
    "column1 opposite column2": lambda r, c: all(a != b for a, b in zip(c[0], c[1], strict=True)),
    "row1 mirrors row3": lambda r, c: r[0] == r[2][::-1],
    "column2 mirrors column2": lambda r, c: c[1] == c[1][::-1],
    "row3 > row1": lambda r, c: r[2] > r[0],
    "column3 > column1": lambda r, c: c[2] > c[0],
    "row1 >> row4": lambda r, c: r[0][::-1] > r[3][::-1],
    "ones r1c2-r3c3 = 4": lambda r, c: _ones(r, 1, 2, 3, 3) == 4,
    "ones r1c2-r3c4 even": lambda r, c: _ones(r, 1, 2, 3, 4) % 2 == 0,
    "ones r2c1-r2c3 odd": lambda r, c: _ones(r, 2, 1, 2, 3) % 2 == 1,
    "ones r1c1-r2c2 > ones r3c2-r4c3": lambda r, c: _ones(r, 1, 1, 2, 2) > _ones(r, 3, 2, 4, 3),
    "ones falling = 3": lambda r, c: sum(r[i][i] for i in range(4)) == 3,
    "ones rising = 1": lambda r, c: sum(r[i][3 - i] for i in range(4)) == 1,
}


@pytest.mark.parametrize("extra", LINES)
def test_extra_constraints_mean_what_the_docs_say(extra: str) -> None:
    """The answers are exactly those of the 90 grids of four rows that fit."""
    even = [row for row in product((0, 1), repeat=4) if sum(row) == 2]
    grids = [rows for rows in product(even, repeat=4) if all(sum(column) == 2 for column in zip(*rows, strict=True))]
    assert len(grids) == 90
    fit = [rows for rows in grids if LINES[extra](rows, list(zip(*rows, strict=True)))]
    assert one("binario\n" + "....\n" * 4 + extra).count == len(fit) > 0
    for rows in grids[::9]:
        text = "\n".join("".join(map(str, row)) for row in rows)
        assert one(f"binario\n{text}\n{extra}").status == ("unique" if rows in fit else "none"), rows


def test_bad_lines_are_told_and_the_others_are_checked() -> None:
    """One slip in a file of thousands must not hide the rest."""
    found = list(check(f"{KNOWN}\n{KNOWN[:-1]}\n{KNOWN[:-1]}x\n# a remark\n{KNOWN}, the last one\n"))
    assert [each.status for each in found] == ["unique", "unreadable", "unreadable", "unique"]
    assert [each.line for each in found] == [1, 2, 3, 5]
    assert "line 2 column 1" in found[1].problem
    assert "line 3 column 81" in found[2].problem
    assert "no line above names a family" in found[2].problem
    assert found[3].name == "the last one"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hashi\n12\n21", "line 1 column 1: expected 3 cells.*no line above names a family"),
        ("sudoku sideways\n" + KNOWN, "line 1 column 8: sudoku has no option 'sideways'"),
        ("sudoku max_box=12\n" + KNOWN, "max_box: expected one of the boxes 1 to 9"),
        ("sudoku\n" + "\n".join(["1...", ".2..", "..3.", "...."]) + "\nzones\nAABB\nAABB\nCCDD\nCCCD", "zones must have 4 cells"),
        ("sudoku symbols=ABCA\n" + "A..............B", "symbols: expected 4 different signs"),
        ("binario\n010\n101\n", "expected an even number of columns"),
        ("binario\n0101\n101\n", "line 3 column 1: expected 4 cells"),
        ("binario\n01..\n10..\nrow1 = row9", "line 4 column 1: .* does not fit 2 rows and 4 columns"),
        ("binario\n01..\n10..\nrow1 is row2", "expected a row of 0, 1 and ., or a constraint"),
        ("zebra\na: x, y\nb: z, w\nsame(x, q)", "line 4 column 9: .*'q' is no value"),
        ("zebra\na: x, y\nb: x, w\nsame(x, w)", "write 'x' as attribute=value"),
        ("zebra\na: x, y\nb: z, w\nat(x, 3)", "expected a place from 1 to 2, got '3'"),
        ("zebra\na: x, y\nb: z, w\nif(if(at(x, 1), at(z, 1)), at(x, 2))", "expected a clue such as"),
        ("zebra\na: x, y\nb: z, w\nsame(x, z) and more", "expected the end of the line"),
        ("zebra\na: x, y\nb: z, w, v", "expected 2 values"),
        ("hanoi\nstart\nA: 1 2\nB:\nC:\ngoal\nC: 2 1", "line 3 column 6: the disk 2 is larger than the one below it"),
        ("hanoi\nstart\nA: 2 1\nB:\nC:\ngoal\nC: 2", "the disk 1 is missing"),
        ("hanoi\nstart\nA: 2 1\nB:\nC:\ngoal\nD: 2 1", "expected each of the pegs A, B, C once, got 'D'"),
        ("hanoi\nA: 2 1", "expected a line with start or goal"),
        ("hanoi\nstart\nA: 1\nB:\ngoal\nB: 1", "expected 3 to 6 pegs, got 2"),
        ("sudoku\n" + "." * 2_001, "line 2: 2001 characters, at most 2000 are read"),
        ("sudoku\n\x1b[2J" + KNOWN, "cannot be printed"),
    ],
)
def test_errors_say_where_and_what_was_expected(text: str, told: str) -> None:
    """Whoever typed a puzzle must find the slip."""
    found = one(text)
    assert found.status == "unreadable"
    assert re.search(told, found.problem), found.problem
    assert "\n" not in found.problem


def test_forms_of_grids() -> None:
    """Rows, frames, words, other signs for empty cells and other symbols all tell the same puzzle."""
    rows = [KNOWN[9 * r : 9 * r + 9] for r in range(9)]
    framed = ["| " + " | ".join(" ".join(row[c : c + 3]) for c in (0, 3, 6)) + " |" for row in rows]
    letters = KNOWN.translate(str.maketrans("123456789", "ABCDEFGHI"))
    texts = (
        "sudoku\n" + "\n".join(rows),
        "sudoku\n" + "\n".join([*framed[:3], "+-------+-------+-------+", *framed[3:]]),
        KNOWN.replace(".", "0"),
        "sudoku symbols=ABCDEFGHI\n" + letters,
    )
    found = [one(text) for text in texts]
    assert {each.status for each in found} == {"unique"}
    assert len({each.answers for each in found[:3]}) == 1
    assert found[3].answers != found[0].answers
    size16 = "\n".join(["." * 16] * 16)
    assert one(f"sudoku\n{size16}", limit=2).count == 2
    assert [each.count for each in check("\n".join(["." * 16] * 3))] == [288] * 3
    mixed = "sudoku diagonals\n" + "\n".join(["." * 36, "." * 36])
    assert [(each.count, each.line) for each in check(mixed, limit=5)] == [(5, 2), (5, 3)]


def test_lines_without_a_heading_are_of_the_family_that_is_named() -> None:
    """--family spares the headings; blank lines then part puzzles."""
    grid = ".1.0\n..0.\n.0..\n11.0\n"
    found = list(check(f"{grid}\n{grid}\n\n# nothing\n", "binario"))
    assert [(each.family, each.status) for each in found] == [("binario", "unique")] * 2
    with pytest.raises(BadParams, match="unknown family"):
        list(check(grid, "hashi"))
    with pytest.raises(BadParams, match="--limit"):
        list(check(grid, "binario", 1))


def test_rules_that_make_no_good_data_are_proved_too() -> None:
    """What generate refuses may well be a puzzle that somebody asks about."""
    assert one("sudoku diagonals\n1..." + "." * 12).status == "several"
    assert one("hanoi right_only\nstart\nA: 1\nB:\nC:\ngoal\nC: 1").length == 1
    assert one("binario\n01\n10").status == "unique"


def test_rows_of_every_family_are_proved_from_their_columns() -> None:
    """The status is proved and not copied."""
    for family in families().values():
        for example in family.examples():
            found = one(json.dumps({"id": "x", "puzzle": dumps(example.puzzle), "status": "unsolvable"}))
            assert found.status in ("unique", "optimal")
            assert loads(puzzle_type(family), dumps(example.puzzle)) == example.puzzle
            written = family.form.write(example.puzzle, example.answer)
            joined = (("".join(written[0]),),)
            told = joined if family.form.layout(example.puzzle).text else written
            assert found.answers[0] == told or found.length is not None
