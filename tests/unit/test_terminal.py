"""A puzzle played by typing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.types import Column, Layout
from puzzlemill.envs.terminal import FORMAT, GameTerminal, Terminal, _drawn, terminal
from puzzlemill.factory.make import make
from puzzlemill.generators import families, family_named
from puzzlemill.scoring.score import prepared
from rows import hat_row


def played(row: dict[str, Any], *lines: str) -> tuple[bool, str]:
    """(solved, everything that was told)."""
    typed = iter(lines)
    told: list[str] = []
    game = terminal(row, lambda: next(typed, None), told.append)
    return game.play(), "\n".join(told)


@pytest.fixture(scope="module")
def sudoku() -> dict[str, Any]:
    return make("sudoku", size=4, reply_format=FORMAT)


def grid(row: dict[str, Any]) -> list[list[int]]:
    return [[value + 1 for value in line] for line in loads(family_named(row["family"]).answer, row["answer"])]


def test_a_grid_is_filled_cell_by_cell(sudoku: dict[str, Any]) -> None:
    lines = [f"r{r + 1}c{c + 1}={value}" for r, line in enumerate(grid(sudoku)) for c, value in enumerate(line)]
    solved, told = played(sudoku, *lines)
    assert solved
    assert told.endswith("Solved.")
    assert " is given: it is " in told  # givens were set too, and refused


def test_rows_are_typed(sudoku: dict[str, Any]) -> None:
    assert played(sudoku, *[" ".join(map(str, line)) for line in grid(sudoku)])[0]


def test_what_is_broken_is_told_in_words(sudoku: dict[str, Any]) -> None:
    solved, told = played(sudoku, "1 1 1 1", "1 1 1 1", "1 1 1 1", "1 1 1 1")
    assert not solved
    assert "Not yet:" in told
    assert "broken:" in told


def test_hints_lead_to_the_answer(sudoku: dict[str, Any]) -> None:
    steps = sudoku["trace"]
    solved, told = played(sudoku, *["hint"] * len(steps))
    assert solved
    assert all(step["text"] in told for step in steps)
    board = told.splitlines()[-6:-1]
    assert [[int(token) for token in line.replace("|", "").split()[1:]] for line in board if "+" not in line] == grid(sudoku)
    assert told.endswith("Solved.")


def test_hints_of_a_puzzle_without_an_answer_run_out() -> None:
    row = make("sudoku", size=6, transforms=["clash"], reply_format=FORMAT)
    solved, told = played(row, *["hint"] * (len(row["trace"]) + 1))
    assert not solved
    assert told.endswith("There are no more steps to tell.")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("r9c9=1", "no cell r9c9"),
        ("r1c1=x", ""),
        ("help", "Type 4 rows"),
        ("nonsense", "A row has 4 values"),
        ("none", "has a solution"),
    ],
)
def test_odd_lines_do_not_end_the_game(sudoku: dict[str, Any], line: str, told: str) -> None:
    assert told in played(sudoku, line, "quit")[1]


def test_a_puzzle_without_an_answer_is_recognised() -> None:
    row = make("sudoku", size=6, transforms=["clash"], reply_format=FORMAT)
    assert played(row, "none") == (True, played(row)[1] + "\nSolved.")
    parent = make("sudoku", size=6, reply_format=FORMAT)
    assert not played(parent, "none")[0]


def test_moves_may_be_typed_with_spaces() -> None:
    row = make("hanoi", disks=3, reply_format=FORMAT)
    moves = loads(family_named("hanoi").answer, row["answer"])
    lines = [f"{disk + 1} {'ABC'[source]} {'ABC'[target]}" for disk, source, target in moves]
    assert played(row, *lines, "")[0]
    assert "shorter way" in played(row, "1 A B", "1 B A", *lines, "")[1]
    assert row["gold_reply"] in played(row, "answer")[1]


def test_every_way_to_go_wrong_in_hanoi_is_told() -> None:
    """A wrong list of moves ended the game with a traceback: the words of a broken rule were those of a clash only."""
    row = make("hanoi", disks=3, reply_format=FORMAT)
    wrong = {
        "1 A C": "as in the goal",
        "3 A C": "takes the top disk",
        "1 A B,2 A B": "on top of a smaller one",
        "1 A X": "Type help",
    }
    for lines, told in wrong.items():
        assert told in played(row, *lines.split(","), "")[1]


def test_values_with_spaces_are_asked_to_be_set_off() -> None:
    row = make("zebra", positions=3, attributes=3, reply_format=FORMAT)
    assert "Put | between values" in played(row, "1 one of five names and more")[1]
    rows = json.loads(make("zebra", positions=3, attributes=3, reply_format="json")["gold_reply"])["answer"]
    assert played(row, *[" | ".join(map(str, line)) for line in rows])[0]


def test_the_board_is_shown_again(sudoku: dict[str, Any]) -> None:
    told = played(sudoku, "board")[1]
    assert told.splitlines()[-6:] == told.splitlines()[-12:-6]
    assert told.splitlines()[-6] == "   c1 c2   c3 c4" and told.splitlines()[-3] == "   ------+------"


def test_the_board_has_coordinates_and_the_lines_of_its_zones() -> None:
    """In a sudoku of 16 without lines nobody finds r13c9."""
    layout = Layout(tuple([Column(f"c{c}", ("1", "2", "10")) for c in range(3)]), 2, 2, True, "")
    cells = [["1", "", "10"], ["", "2", ""]]
    assert _drawn(cells, layout, ()) == ["   c1 c2 c3", "r1  1  . 10", "r2  .  2  ."]
    assert _drawn(cells, layout, (0, 0, 1, 0, 1, 1)) == [
        "   c1   c2   c3",
        "r1  1    . | 10",
        "      +----+",
        "r2  . |  2    .",
    ]


def test_what_an_entry_contradicts_is_said_at_once(sudoku: dict[str, Any]) -> None:
    """Who sets a second 3 in a row hears of it when the board is full, if at all."""
    right = grid(sudoku)
    case = prepared(sudoku)
    shown = {slot for clue in case.puzzle.clues for slot in [clue.args[0]]}
    open_cell = next(i for i in range(16) if i not in shown)
    r, c = divmod(open_cell, 4)
    given = next(i for i in sorted(shown) if i // 4 == r or i % 4 == c or (i // 8, i % 4 // 2) == (r // 2, c // 2))
    value = right[given // 4][given % 4]
    entry = f"r{r + 1}c{c + 1}={value}"
    told = played(sudoku, entry, "quit")[1]
    assert f"{entry} contradicts: " in told and "exactly once" in told.split("contradicts: ")[1]
    assert "contradicts" not in played(sudoku, f"r{r + 1}c{c + 1}={right[r][c]}", "quit")[1]
    twice = played(sudoku, entry, f"r{r + 1}c{c + 1}=.", entry, "quit")[1]
    assert twice.count(f"{entry} contradicts: ") == 2, "what was taken back can be broken anew"
    g, h = divmod(given, 4)
    assert f"r{g + 1}c{h + 1} is given: it is {value}." in played(sudoku, f"r{g + 1}c{h + 1}=1")[1]


def test_a_typed_row_that_contradicts_a_given_is_noticed(sudoku: dict[str, Any]) -> None:
    rows = [list(map(str, line)) for line in grid(sudoku)]
    shown = min(clue.args[0] for clue in prepared(sudoku).puzzle.clues)
    r, c = divmod(shown, 4)
    before = [" ".join(line) for line in rows[:r]]
    wrong = [*rows[r][:c], str(int(rows[r][c]) % 4 + 1), *rows[r][c + 1 :]]
    told = played(sudoku, *before, " ".join(wrong), "quit")[1]
    assert f"This row contradicts a given: r{r + 1}c{c + 1} is {rows[r][c]}." in told
    assert "contradicts" not in played(sudoku, *before, " ".join(rows[r]), "quit")[1]


@pytest.mark.parametrize("name", sorted(families()))
def test_every_family_is_played(name: str) -> None:
    """The right answer, typed as it is asked for, is not taken in one family; or an entry in it ends in a traceback."""
    row = make(name, reply_format=FORMAT)
    lines = [line for line in row["gold_reply"].splitlines() if not line.startswith("<")]
    if prepared(row).strategy.dialogue:
        lines = [f"answer {'; '.join(lines)}"]
    game = terminal(row, lambda: None, lambda text: None)
    cells = ["r1c1=."] if isinstance(game, Terminal) and game.grid is not None else []
    solved, told = played(row, "help", "board", *cells, *lines, "")
    assert solved, told[-500:]


def test_a_text_is_typed_in_one_line() -> None:
    """A plain text must be typed letter by letter, or with a space between letters."""
    row = make("crypto", letters=8, reply_format=FORMAT)
    answer = loads(str, row["answer"])
    solved, told = played(row, "help", answer[:5], f"{answer[:4].lower()} {answer[4:]}")
    assert solved
    assert "Type it in one line, 8 characters without the spaces." in told
    assert "The text has 8 characters, this line 5." in told
    assert played(row, "hint", answer)[0]


# ---- games ------------------------------------------------------------------------------------------------------------


def test_a_game_is_played_by_names_and_numbers() -> None:
    """Whose hat is it: the cook, the porter, and then it is Ada's."""
    row = hat_row(FORMAT)
    assert isinstance(terminal(row, lambda: None, print), GameTerminal)
    solved, told = played(row, "1", "board", "ask the porter", "answer ada", "never read")
    assert solved
    assert told.count("Ask the cook: it was found early.") == 2 and "Ask the porter: it was worn high." in told
    assert told.endswith("That is right.\nQuestions chosen: 2. The best play takes 2 in this case.")
    assert "Ask the porter: it" not in played(row, "1", "board", "quit")[1]


def test_mistakes_in_names_cost_no_message_and_wrong_answers_end_it() -> None:
    row = hat_row(FORMAT)
    solved, told = played(row, "ask the king", "9", "answer", "answer Zoe", "", "help", "board", "3", "3", "answer Bert", "1")
    assert not solved
    assert told.count("There is no such question.") == 2
    assert told.count("That is no answer. Choose from: Ada, Bert, Cleo, Dan.") == 2 and "No questions chosen yet." in told
    assert "there are 6 messages left" in told and "You have 5 messages left." in told
    assert "That was chosen before" in told and told.count("That is not right.") == 1
    assert told.endswith("Questions chosen: 1. The best play takes 2 in this case.")


def test_a_game_ends_at_its_last_message_or_when_it_is_left() -> None:
    row = hat_row(FORMAT)
    solved, told = played(row, *["1"] * 9)
    assert not solved and told.count("That was the last message, and it was no answer. The game is lost.") == 1
    for way in ("quit", "EXIT"):
        assert "Ask the cook: it was found early." not in played(row, way, "1")[1]


def test_two_truths_are_answered_at_once() -> None:
    row = make("kumo", valid=2, domain="invented", reply_format=FORMAT)
    names = [line for line in row["gold_reply"].splitlines() if not line.startswith("<")]
    assert played(row, f"answer {names[1]}; {names[0]}")[0]
    assert "answer NAME; NAME" in played(row)[1]


def test_a_name_of_several_words_is_one_value_where_there_is_one_column() -> None:
    """The answer to a told task could only be typed if its name is a single word."""
    row = make("kumo", told=True, domain="invented", reply_format=FORMAT)
    (name,) = [line for line in row["gold_reply"].splitlines() if not line.startswith("<")]
    assert " " in name
    assert played(row, name)[0]
