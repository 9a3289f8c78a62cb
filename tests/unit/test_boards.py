"""Boards from elsewhere: what a reply to each of the six tasks fills, by hand; what is refused; replies that mean harm."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.analysis import loose
from puzzlemill.analysis.boards import Board, board_of, letters, named
from puzzlemill.analysis.boards_files import FITS, WRONG, boards, checked, holds_boards, score_boards, scored
from puzzlemill.cli import main
from puzzlemill.core.errors import BadFile, BadRow
from puzzlemill.factory.check import SEVERAL, UNIQUE, UNREADABLE

FILE = Path(__file__).parents[1] / "data" / "boards.jsonl"
RAW: dict[str, dict[str, Any]] = {raw["id"]: raw for raw in map(json.loads, FILE.read_text("utf-8").splitlines())}

# Replies, with the numbers of subtasks that they fill and that are right, and whether they are right by the rules.
REPLIES = [
    ("sudoku-1", "<Answer>\n[[1,2,3,4],[3,4,1,2],[2,1,4,3],[4,3,2,1]]\n</Answer>", 10, 10, True),
    ("sudoku-1", "First <answer>[[1]]</answer>, then <ANSWER>1 2 3 4\n3 4 1 2\n2 1 4 3\n4 3 2 1</ANSWER>", 10, 10, True),
    ("sudoku-1", "So it is [[1,2,3,4],[3,4,1,2],[2,1,4,3],[4,3,1,2]].", 10, 8, False),
    ("sudoku-1", "<Answer>[[1,2,0,4],[3,null,1,2],[2,'',4,3],[4,3,'?',1]]</Answer>", 6, 6, False),
    ("sudoku-1", "<Answer>[[4,2,3,1],[3,4,1,2],[2,1,4,3],[4,3,2,1]]</Answer>", 0, 0, False),  # another board
    ("sudoku-1", "<Answer>[[1,0,0,4],[0,0,1,0],[2,0,0,3],[0,3,0,0]]</Answer>", 0, 0, False),
    ("sudoku-1", "I give up.", 0, 0, False),
    (
        "logic-1",
        '<Answer>[{"names": "Cleo", "fruits": "Kiwi", "days": "friday"}, {"Names": "Bela", "days": "Monday", "fruits": "pear",}, '
        '{"names": "ADA", "fruits": "fig", "days": "Sunday"}]</Answer>',
        6,
        6,
        True,
    ),
    ("logic-1", "[{'names': 'Ada', 'fruits': 'kiwi', 'days': 'Sunday'}, {'names': 'Béla', 'fruits': '____'}]", 2, 1, False),
    ("logic-1", "[{'names': 'Ada', 'fruits': 'fig'}, {'names': 'Ada', 'fruits': 'kiwi'}]", 0, 0, False),  # two for one
    ("crypt-1", '<Mapping>\n{"B": "A", "U": "W", "P": "O", "N": "R", "E": "D", "L": "I", "X": "S"}\n</Mapping>', 6, 6, True),
    ("crypt-1", "<mapping>'B': 'A', 'P': 'O', 'N': 'R', 'E': 'K', 'L': 'I', 'X': 'S'</mapping>", 6, 5, True),  # a work is a work
    ("crypt-1", "<mapping>{'B': 'A', 'B': 'I', 'P': 'O', 'Q': 'Z'}</mapping>", 1, 1, False),
    ("crypt-1", "<Answer>\nA word is a word. - Nobody\n</Answer>", 6, 6, True),
    ("crypt-1", "<Answer>A word is</Answer>", 0, 0, False),
    ("cross-1", '<Answer>{"1-Across": "pet", "3-Across": "TEN", "1-Down": "PAT", "2-Down": "TIN"}</Answer>', 4, 4, True),
    ("cross-1", '<Answer>{"1-Across": "PET", "3-across": "TON", "1 Down": "PAT", "2D": "TIN"}</Answer>', 4, 3, True),
    ("cross-1", '<Answer>{"1-Across": "PET", "3-Across": "TEN", "1-Down": "PUT", "2-Down": "TIN"}</Answer>', 4, 3, False),
    ("cross-1", "<Answer>1-Across: PET\n1-Down: PAT\n</Answer>", 2, 2, False),
    ("cross-1", '{"1-Across": "PET", "1-Across": "PIT", "2-Down": ""}', 0, 0, False),
    ("acrostic-1", "<Answer>{'1': 'I', '2': 'T', '3': 'W', '4': 'A', '5': 'S'}</Answer>", 5, 5, True),
    ("acrostic-1", "<Answer>{'1': 'I', '2': 'T', '3': 'H', '9': 'A', '5': ''}</Answer>", 3, 2, False),
    ("drop-1", "<Answer>[['I', 'T', '#', 'M'], ['A', 'Y', '#', '.']]</Answer>", 5, 5, True),
    ("drop-1", "<Answer>[['I', 'T', '#', '4'], ['1', 'Y', '#', '.']]</Answer>", 3, 3, False),
    ("drop-1", "<Answer>[['A', 'T', '#', 'M'], ['I', 'Y', '#', '.']]</Answer>", 5, 3, False),  # AT is a word, MIY is none
]


@pytest.mark.parametrize(("name", "reply", "filled", "right", "keeps"), REPLIES)
def test_what_a_reply_fills(name: str, reply: str, filled: int, right: int, keeps: bool) -> None:
    """A reply of the paper's form is misread, or a right one of another form is not counted."""
    board = board_of(RAW[name])
    told = scored(board, {"reply": f"Some thought.\n{reply}\n"})
    every = len(board.subtasks)
    assert (round(told.complete * every), round(told.correct * every), told.right) == (filled, right, keeps)


def test_a_cryptogram_has_each_reading_of_the_lexicon() -> None:
    """A valid reading other than the stored one counts as wrong, or one that maps two letters to one as right."""
    board = board_of({"id": "1", "task": "cryptogram", "cryptogram": "QXZ", "answer": "cat"})
    cases = {"dog": True, "cat": True, "eel": False, "qzj": False}  # eel has one letter twice
    for word, right in cases.items():
        pairs = ", ".join([f'"{cipher}": "{plain}"' for cipher, plain in zip("QXZ", word, strict=True)])
        assert scored(board, {"reply": f"<Mapping>{{{pairs}}}</Mapping>"}).right is right


def test_a_drop_quote_has_each_reading_of_the_lexicon() -> None:
    """The letters of a column may be exchanged where both words are in the lexicon."""
    raw: dict[str, Any] = {"id": "1", "task": "drop_quote", "grid": [["1", "2", "3", "#"], ["1", "2", "3", "#"]]}
    raw |= {"columns": {"1": "CD", "2": "AO", "3": "GT"}, "answer": "cat dog"}
    board = board_of(raw)
    told = scored(board, {"reply": "<Answer>[['D','O','G','#'],['C','A','T','#']]</Answer>"})
    assert told.right and told.correct == 0 and told.complete == 1
    assert not scored(board, {"reply": "<Answer>[['D','A','T','#'],['C','O','G','#']]</Answer>"}).right  # dat
    assert not scored(
        board, {"reply": "<Answer>[['C','A','T','#'],['C','A','T','#']]</Answer>"}
    ).right  # not the columns' letters


def edited(name: str, **change: Any) -> dict[str, Any]:
    return {key: value for key, value in {**RAW[name], **change}.items() if value is not None}


BAD: list[tuple[dict[str, Any], str]] = [
    (edited("sudoku-1", id=None), "id: expected a text of 1 to 80 characters, got nothing"),
    (edited("sudoku-1", task="sudokus"), "task: expected one of sudoku, logic_grid, cryptogram"),
    (edited("sudoku-1", grid=[[1, 2], [2, 1]]), "grid: expected 4, 9, 16 or 25 rows"),
    (edited("sudoku-1", grid=[[1, 0, 0, 4]] * 3 + [[1]]), "grid: rows of different lengths (1, 4)"),
    (edited("sudoku-1", grid=[[1, 0, 0, 5]] * 4), "grid: row 1, cell 4: expected 0 to 4, got '5'"),
    (edited("sudoku-1", answer=[[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 1, 2]]), "answer: does not keep"),
    (edited("sudoku-1", answer=None), "answer: expected a list of 1 to 40 rows"),
    (edited("sudoku-1", answer=[[1, 2, 3, 4], [3, 0, 1, 2], [2, 1, 4, 3], [4, 3, 0, 1]]), "answer: lacks r2c2 and 1 more"),
    (edited("logic-1", variables={"names": ["A", "B"], "x": ["c"]}), "variables: x: expected a list of 2 to 40 texts"),
    (edited("logic-1", variables={"names": ["A", "a"], "x": ["c", "d"]}), "variables: names: an item stands twice"),
    (edited("logic-1", variables={"names": ["A", "B"]}), "variables: expected two categories"),
    (edited("logic-1", answer=[{"names": "Ada", "fruits": "fig"}]), "answer: lacks ada: days and 4 more"),
    (edited("logic-1", answer={"names": "Ada"}), "answer: expected a list of objects"),
    (edited("crypt-1", shown={"UV": "W"}), "shown: expected an object of letters"),
    (edited("crypt-1", answer="A word is a text"), "answer: is not the cryptogram"),
    (edited("crypt-1", shown={"U": "Q"}), "answer: is not the cryptogram"),
    (edited("cross-1", clues={"1-Across": "x"}), "clues: expected an entry for each word of the grid; 1-Down is missing"),
    (edited("cross-1", grid=[["1", "?", "2"], ["?", "#", "!"], ["3", "?", "?"]]), "grid: row 2, cell 3: expected"),
    (edited("cross-1", grid=[["1", "?", "1"], ["?", "#", "?"], ["3", "?", "?"]]), "grid: 1-Down begins in two cells"),
    (edited("cross-1", answer={**RAW["cross-1"]["answer"], "1-Down": "PATS"}), "answer: 1-Down: 4 letters for 3 cells"),
    (edited("cross-1", answer={**RAW["cross-1"]["answer"], "1-Down": "PAN"}), "answer: does not keep"),
    (edited("cross-1", candidates={"9-Down": ["X"]}), "candidates: 9-Down: expected a word of the grid"),
    (edited("acrostic-1", grid=["1", "1"]), "grid: expected at most 1000 cells, each number once"),
    (edited("acrostic-1", clues={"A": {"cells": [1, 2, 3, 4, 4]}}), "clues: expected each number of the grid in one clue"),
    (edited("acrostic-1", clues={"A": [1, 2]}), 'clues: A: expected {"cells": [numbers], "clue": text}'),
    (edited("acrostic-1", answer="It"), "answer: 2 letters for 5 cells"),
    (edited("drop-1", columns={"1": "AI", "2": "TYX", "4": "M"}), "columns: column 2: 3 letters for 2 cells"),
    (edited("drop-1", columns={"9": "AI"}), "columns: expected numbers of columns, got '9'"),
    (edited("drop-1", answer="It was."), "answer: does not keep"),
]


@pytest.mark.parametrize(("raw", "problem"), BAD, ids=[problem for _, problem in BAD])
def test_what_is_no_board_is_named(raw: dict[str, Any], problem: str) -> None:
    """A board that contradicts itself is scored, or the error does not say where."""
    with pytest.raises(BadRow) as error:
        board_of(raw)
    assert problem in str(error.value)


HOSTILE: list[object] = [
    None,
    [],
    "sudoku",
    {"task": []},
    {"id": "x", "task": "sudoku", "grid": [[[]] * 4] * 4, "answer": {}},
    {"id": "x" * 81, "task": "sudoku"},
    {"id": "x", "task": "logic_grid", "variables": {str(i): ["a", "b"] for i in range(11)}},
    {"id": "x", "task": "cryptogram", "cryptogram": "Q" * 5_000, "answer": "a"},
    {"id": "x", "task": "cryptogram", "cryptogram": "123", "answer": "45"},
    {"id": "x", "task": "crossword", "grid": [["1"] * 41]},
    {"id": "x", "task": "crossword", "grid": [["1", "?"]], "clues": {"1-Across": ""}, "answer": {"1-Across": [["a"]]}},
    {"id": "x", "task": "acrostic", "grid": list(range(5_000)), "clues": {"A": {"cells": [1]}}, "answer": "a"},
    {"id": "x", "task": "drop_quote", "grid": [["1"]], "columns": {"1" * 70: "A"}, "answer": "a"},
    {"id": "x", "task": "drop_quote", "grid": [["1"]], "columns": {"1": {"a": 1}}, "answer": [["A"]]},
]


@pytest.mark.parametrize("raw", HOSTILE, ids=str)
def test_nonsense_is_no_board(raw: object) -> None:
    """A file made to break the reader ends in a traceback."""
    (found,) = boards(json.dumps([raw]))
    assert found.status == UNREADABLE and found.board is None and found.problem


SIGNS = ["[" * 100_000, "{" * 100_000, '"' * 90_000, "[1," * 60_000, "<answer>" * 20_000, "'\\" * 90_000, "[]" * 90_000]
SIGNS += ["<answer></answer>" * 9_000, "[['" * 30_000, "\u0000\ud800", "{'1': {'1': {'1': {'1': {'1': {'1': {'1': 1}}}}}}}"]


@pytest.mark.parametrize("name", RAW)
def test_hostile_replies_fill_nothing(name: str) -> None:
    """A reply takes long, goes deep, or is credited for nothing."""
    board = board_of(RAW[name])
    for reply in SIGNS:
        assert board.told(reply) == {} and not scored(board, {"reply": reply}).right


def test_values_are_read_as_they_stand() -> None:
    """Python's lists are not read, a key that stands twice is lost, or a value within another counts by itself."""
    assert loose.value("{'1': 'M', \"2\": \"it's\", '3': \"\\u0041\",}") == [("1", "M"), ("2", "it's"), ("3", "A")]
    assert loose.value("{'a': 1, 'a': 2}") == [("a", "1"), ("a", "2")]
    assert loose.value("[[1, 2], [Beef Wellington]]") == [["1", "2"], ["Beef Wellington"]]
    assert loose.value("[1, 2") is None and loose.value("[1] [2]") is None and loose.value("{[1]: 2}") is None
    assert list(loose.values("[ [1, [2]] and {a: b}")) == [[("a", "b")], ["1", ["2"]]]
    assert loose.tagged("<answer>1</answer> <Answer> 2 <answer>3</ANSWER>", "answer") == ["3", "1"]
    assert (letters("Crème brûlée, 2!"), named("  Crème  Brûlée ")) == ("CREMEBRULEE", "creme brulee")


def test_endings_of_replies_to_boards() -> None:
    """A reply that was cut off counts as one that gives up, or one that gives up does not."""
    board: Board = board_of(RAW["sudoku-1"])
    wrong = "<Answer>[[1,2,3,4],[3,4,1,2],[2,1,4,3],[4,3,1,2]]</Answer>"
    right = "<Answer>[[1,2,3,4],[3,4,1,2],[2,1,4,3],[4,3,2,1]]</Answer>"
    cases: list[tuple[dict[str, Any], str]] = [
        ({"reply": f"This is my best guess. {wrong}"}, "compromise"),
        ({"reply": wrong}, ""),
        ({"reply": wrong, "reasoning": "... I am running out of time."}, "compromise"),
        ({"reply": wrong, "reasoning": "... I am running out of time.", "finish_reason": "length"}, "cut off"),
        ({"reply": f"This is my best guess. {right}"}, ""),
        ({"reply": "<Answer>[[1,2,0,4],[3,0,1,2],[2,1,4,3],[4,3,1,2]]</Answer>"}, "partial"),
        ({"reply": "I cannot solve this."}, "partial"),
        ({"reply": "There is no solution."}, "claim"),
        ({"reply": "Hm."}, ""),
    ]
    for line, ended in cases:
        assert scored(board, line).ending == ended, line


def test_sudokus_are_proved() -> None:
    """A sudoku with several answers passes, or an answer that is not the board's."""
    empty = edited("sudoku-1", id="2", grid=[[0] * 4] * 4)
    nine = [[0] * 9 for _ in range(9)]
    for r, row in enumerate(
        ("53..7....", "6..195...", ".98....6.", "8...6...3", "4..8.3..1", "7...2...6", ".6....28.", "...419..5", "....8..79")
    ):
        nine[r] = [0 if sign == "." else int(sign) for sign in row]
    answer = ["534678912", "672195348", "198342567", "859761423", "426853791", "713924856", "961537284", "287419635", "345286179"]
    big = {"id": "3", "task": "sudoku", "grid": nine, "answer": answer}
    found = list(checked(json.dumps([RAW["sudoku-1"], empty, big])))
    assert [(one.status, one.count) for one in found] == [(UNIQUE, 1), (SEVERAL, 288), (UNIQUE, 1)]
    assert WRONG not in {one.status for one in found}


def test_check_reads_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`check` takes boards for puzzles of ours, or a bad one for a good one."""
    assert main(["check", str(FILE)]) == 0
    assert "6 boards: unique 1, fits 5" in capsys.readouterr().out
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps([*RAW.values(), RAW["sudoku-1"], {"id": "y", "task": "x"}]), encoding="utf-8")
    assert main(["check", str(bad), "--json"]) == 2
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["status"] for line in lines] == [UNIQUE, *[FITS] * 5, UNREADABLE, UNREADABLE]
    assert "stands twice" in lines[6]["problem"] and lines[7]["problem"].startswith("board y: task:")
    assert holds_boards(FILE.read_text("utf-8")) and not holds_boards("sudoku\n1234\n") and not holds_boards('{"family": "x"}')


def test_scores_of_a_file(write: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    """Figures of a level, a task and all tasks, worked out by hand."""
    good = REPLIES[0][1]
    # the sudoku: all right; 8 of 10; none, cut off. The crossword: another word that fits; two are missing
    path = write(
        ("sudoku-1", 0, good, {"usage": {"completion": 30}}),
        ("sudoku-1", 1, REPLIES[2][1], {"usage": {"completion": 60}}),
        ("sudoku-1", 2, "Hm", {"finish_reason": "length"}),
        ("cross-1", 0, REPLIES[16][1]),
    )
    found = {(one.task, one.level): one for one in score_boards(FILE, path)}
    sudoku, cross, every = found["sudoku", "4x4, easy"], found["crossword", "3x3"], found["all tasks", "all levels"]
    shares = {name: round(value.value, 4) for name, value in sudoku.shares.items()}
    assert shares == {"CR": 0.6667, "S-Acc": 0.6, "EM": 0.3333, "PM-0.5": 0.6667, "right": 0.3333}
    assert (sudoku.tokens, sudoku.replies, sudoku.endings["cut off"], sudoku.gave_up) == (45, 3, 1 / 3, 0)
    shares = {name: round(value.value, 4) for name, value in cross.shares.items()}
    assert shares == {"CR": 0.3333, "S-Acc": 0.25, "EM": 0.0, "PM-0.5": 0.3333, "right": 0.3333}
    assert (cross.rows, cross.replies, cross.tokens) == (1, 1, None)
    assert round(every.shares["S-Acc"].value, 4) == round((0.6 + 0.25) / 6, 4)  # the mean of six tasks, four without a reply
    assert main(["score", str(FILE), str(path)]) == 0
    assert "crossword" in capsys.readouterr().out
    assert main(["score", str(FILE), str(path), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 7


def test_bad_files_are_one_error(write: Callable[..., Path], tmp_path: Path) -> None:
    """A file that cannot be read ends in a traceback, or in no word about where."""
    path, bad = write(("sudoku-1", 0, "x")), tmp_path / "bad.jsonl"
    for content, problem in (
        ("", "expected boards as JSON"),
        ('{"id": "x"', "line 1: not JSON"),
        ('{"id": "x", "task": "sudoku"}', "line 1: board x: grid: expected a list"),
        ("[" * 100_000, "not JSON"),
    ):
        bad.write_text(content, encoding="utf-8")
        with pytest.raises(BadFile, match=r"bad\.jsonl") as error:
            score_boards(bad, path)
        assert problem in str(error.value)
    bad.write_bytes(b"\xff\xfe")
    with pytest.raises(BadFile, match="UTF-8"):
        score_boards(bad, path)
    with pytest.raises(BadFile, match="unknown id"):
        score_boards(FILE, write(("none", 0, "x"), name="other.jsonl"))


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Makes a file of replies from (id, sample, reply, further keys)."""

    def made(*lines: tuple[Any, ...], name: str = "replies.jsonl") -> Path:
        told = [{"id": line[0], "sample": line[1], "reply": line[2], **(line[3] if len(line) > 3 else {})} for line in lines]
        path = tmp_path / name
        path.write_text("".join(json.dumps(line) + "\n" for line in told))
        return path

    return made
