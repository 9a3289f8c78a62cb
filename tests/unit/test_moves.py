"""Messages of a dialogue read as moves: every form, what counts, and what hostile text does not do."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hostile import MEGA, hostile
from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.generators.kumo import FAMILY as KUMO
from puzzlemill.scoring.moves import (
    ACTION,
    ANSWER,
    REPEATED,
    UNKNOWN,
    UNREADABLE,
    Move,
    Moves,
    Round,
    action_example,
    move_instructions,
)
from puzzlemill.scoring.prompt import FORMATS, gold_reply
from puzzlemill.scoring.score import prepared, score
from rows import coins, hat_row

PUZZLE = prepared(hat_row()).puzzle  # actions: Ask the cook, Ask the porter, Measure the hat
ACTS = {
    "json": '{"action": "Measure the hat"}',
    "tags": "<action>Measure the hat</action>",
    "boxed": "\\boxed{action: Measure the hat}",
    "table": "| action | Measure the hat |",
}


def read(message: object, reply_format: str = "json", done: tuple[int, ...] = ()) -> Move:
    return Moves(PUZZLE, reply_format).read(message, done)


@pytest.mark.parametrize("reply_format", FORMATS)
def test_moves_are_read_as_they_are_told(reply_format: str) -> None:
    """A player that does as the prompt says is not understood."""
    moves = Moves(PUZZLE, reply_format)
    assert moves.message(2) == ACTS[reply_format]
    assert [moves.read(moves.message(i)) for i in range(3)] == [Move(ACTION, i) for i in range(3)]
    answer = gold_reply(PUZZLE, (1,), reply_format)
    assert moves.read(answer) == Move(ANSWER, reply=answer)
    told = move_instructions(PUZZLE, reply_format)
    assert action_example(reply_format) in told and "You have 6 messages." in told


@pytest.mark.parametrize("reply_format", FORMATS)
def test_the_last_complete_move_counts(reply_format: str) -> None:
    """A draft in the thinking is done, or an answer that was taken back ends the game."""
    moves = Moves(PUZZLE, reply_format)
    cook, hat, answer = moves.message(0), moves.message(2), gold_reply(PUZZLE, (1,), reply_format)
    assert moves.read(f"<think>First\n{cook}\n\nor</think>so\n\n{hat}\n").action == 2
    assert moves.read(f"{answer}\n\nno, rather\n\n{cook}\n\nI think").kind == ACTION
    assert moves.read(f"{cook}\n\nI know it now:\n\n{answer}").kind == ANSWER
    # an answer that names nobody is none, so the action before it counts; an action that there is not is one
    assert moves.read(f"{cook}\n\n{answer.replace('Bert', 'Nobody')}").action == 0
    assert moves.read(f"{answer}\n\n{cook.replace('cook', 'king')}").kind == UNKNOWN


@pytest.mark.parametrize("name", ["<name>", "...", "…"])
@pytest.mark.parametrize("reply_format", FORMATS)
def test_the_form_itself_is_no_move(reply_format: str, name: str) -> None:
    """A model that ends with "as in {"action": "<name>"}" had its right answer taken for an action that there is not."""
    moves = Moves(PUZZLE, reply_format)
    form = action_example(reply_format).replace("<name>", name)
    cook, answer = moves.message(0), gold_reply(PUZZLE, (1,), reply_format)
    for shown in (form, form.replace(" ", ""), form.upper().replace("<NAME>", "<name>"), f"```\n{form}\n```", f"{form}\n" * 50):
        assert moves.read(f"{answer}\n{shown}").kind == ANSWER
        assert score(moves.read(f"{answer}\n{shown}").reply, hat_row(reply_format, answer="[1]")).solved
        assert moves.read(f"{cook}\n{shown}") == Move(ACTION, 0)
        assert moves.read(f"{answer}\n\n{shown}\n\n{cook}") == Move(ACTION, 0)
        assert moves.read(f"{cook}\n\n{shown}\n\n{answer}").kind == ANSWER
        assert moves.read(shown).kind == UNREADABLE


@pytest.mark.parametrize("reply_format", FORMATS)
def test_what_only_resembles_the_form_is_an_action_that_there_is_not(reply_format: str) -> None:
    """A draft before it would be done, or an answer that was taken back would end the game."""
    moves = Moves(PUZZLE, reply_format)
    for name in ("<names>", "name", "< name >", "<name> ?", "<test>", "....", "<name><name>", "..", "<name>x", "Ask <name>"):
        for earlier in (moves.message(0), gold_reply(PUZZLE, (1,), reply_format)):
            read = moves.read(f"{earlier}\n\n{action_example(reply_format).replace('<name>', name)}")
            assert read == Move(UNKNOWN, name=name), (name, read)


def test_an_action_that_is_called_like_the_placeholder_can_be_done() -> None:
    """Boards of other people may have any names."""
    board = PUZZLE.board
    odd = replace(PUZZLE, board=replace(board, actions=(replace(board.actions[0], name="<name>"), *board.actions[1:])))
    for reply_format in FORMATS:
        moves = Moves(odd, reply_format)
        assert moves.read(moves.message(0)) == Move(ACTION, 0)


@pytest.mark.parametrize("reply_format", FORMATS)
def test_actions_that_cannot_be_done(reply_format: str) -> None:
    moves = Moves(PUZZLE, reply_format)
    assert moves.read(moves.message(1), (1, 2)) == Move(REPEATED, 1)
    unknown = moves.read(moves.message(1).replace("porter", "por  ter"), (1, 2))
    assert unknown == Move(UNKNOWN, name="Ask the por ter")
    assert unknown.illegal and not moves.read(moves.message(1)).illegal
    assert len(moves.read(moves.message(1).replace("porter", "x" * 999)).name) == 80


@pytest.mark.parametrize(
    ("message", "action"),
    [
        ('{"action": "measure the HAT"}', 2),
        ('```json\n{"action": " **Measure the hat** "}\n```', 2),
        ('{"thought": "why not {this}", "action": "Ask the cook", "answer": null}', 0),
        ('{"move": {"action": "Ask the porter"}}', 1),
        ('{"action": "Ask the cook", "answer": []}', 0),
    ],
)
def test_the_form_of_an_object_may_vary(message: str, action: int) -> None:
    assert read(message) == Move(ACTION, action)


@pytest.mark.parametrize(
    ("message", "reply_format"),
    [
        ("<ACTION>\nask the porter\n</Action>", "tags"),
        ("\\boxed{\\text{Action: ask the porter}}", "boxed"),
        ("\\boxed{action: \\text{Ask the porter}}", "boxed"),
        ("|Action|Ask the porter|\n|---|---|", "table"),
        ("  action | `Ask the porter`  ", "table"),
        ("| **Action** | Ask the porter |", "table"),
        ("| `action` | Ask the porter |", "table"),
        ("<action>Ask the porter</action> or <action> </action>", "tags"),
    ],
)
def test_the_other_forms_may_vary(message: str, reply_format: str) -> None:
    assert read(message, reply_format) == Move(ACTION, 1)


def test_an_object_with_an_answer_is_an_answer() -> None:
    """It would be done and not judged, or judged and not done, by the order of its keys."""
    for order in (("action", "answer"), ("answer", "action")):
        both = {"action": "Ask the cook", "answer": [["Dan"]]}
        assert read(json.dumps({name: both[name] for name in order})).kind == ANSWER


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ("", 'no JSON object with "action"'),
        ("I ask the cook.", "and no answer"),
        ('{"action": ""}', "no JSON object"),
        ('{"action": true}', "no JSON object"),
        ('{"action": ["Ask the cook"]}', "no JSON object"),
        ('{"action": {"name": "Ask the cook"}}', "no JSON object"),
        ('{"action": "Ask the cook", "action": "Measure the hat"}', "no JSON object"),
        ('{"answer": [["Zoe"]]}', "none of the allowed values"),
        ('{"answer": [["?"]]}', "1 blank places"),
        ('{"answer": [["Ada"], ["Bert"]]}', "2 rows, expected 1"),
        ('{"solvable": false}', "was not offered"),
        ("<action>Ask the cook</action>", "no JSON object"),
        (None, "the message is not text"),
        (b'{"action": "Ask the cook"}', "the message is not text"),
    ],
)
def test_what_is_no_move_is_told(message: object, why: str) -> None:
    move = read(message)
    assert move.kind == UNREADABLE and why in move.why


@pytest.mark.parametrize(
    ("message", "reply_format"),
    [("<action> \n</action>", "tags"), ("\\boxed{action: }", "boxed"), ("| action | |", "table"), ('{"action": " "}', "json")],
)
def test_an_action_without_a_name_is_no_move(message: str, reply_format: str) -> None:
    assert read(message, reply_format).kind == UNREADABLE


@pytest.mark.parametrize("reply_format", FORMATS)
def test_hostile_messages_earn_nothing_and_run_nothing(reply_format: str) -> None:
    """Text of 10 MB stops the game, or text in a message becomes code."""
    moves, row = Moves(PUZZLE, reply_format), hat_row(reply_format, answer="[1]")
    for name, message in hostile(KUMO, PUZZLE, (1,), reply_format).items():
        move = moves.read(message)
        assert move.kind in (UNREADABLE, UNKNOWN, ANSWER), name
        assert move.kind != ANSWER or not score(move.reply, row).solved, name
    assert not Path("hostile-was-here").exists()


@pytest.mark.parametrize("reply_format", FORMATS)
def test_actions_repeated_without_end_are_quick(reply_format: str) -> None:
    """Each of these made a finder that starts again at every place take minutes."""
    moves = Moves(PUZZLE, reply_format)
    act = ACTS[reply_format]
    texts = [
        (act + "\n") * (MEGA // 30),
        act[:-1] * 8_000,
        '{"action": ' * 20_000,
        '{"action": "' + "x" * MEGA + '"}',
        "<action>" * 25_000,
        "<action></action>" * 12_000,
        "<action>" + " " * 190_000 + "</action>",
        "\\boxed{action:" * 14_000,
        "\\boxed{action:" * 14_000 + "}" * 14_000,
        "\\boxed{" + " " * 190_000 + "action: x}",
        "| action |" * 20_000,
        "| action " + "|" * 190_000,
        "| action | x\n" * 16_000,
        "action|" * 28_000,
        "|\n" * 100_000,
        '{"action": "<name>"}' * 10_000,
        '{"action": ' + '"<name>' * 20_000,
        "<action><name>" * 14_000,
        "<action>...</action>" * 10_000,
        "\\boxed{action: <name>" * 9_000,
        "| action | <name> " * 10_000,
        "| action | <name> |\n" * 10_000,
        "action \t " * 20_000,
        "\ud800\n" + act,
    ]
    kinds = [moves.read(text).kind for text in texts]
    assert kinds[0] == kinds[-1] == ACTION
    assert ANSWER not in kinds


def test_a_round_counts_messages_of_every_kind() -> None:
    moves = Moves(PUZZLE, "json")
    table = Round(moves, 6)
    messages = ["hm", moves.message(2), moves.message(2), '{"action": "x"}', moves.message(0)]
    assert [table.take(message).kind for message in messages] == [UNREADABLE, ACTION, REPEATED, UNKNOWN, ACTION]
    play = table.play(exact=2)
    assert (play.actions, play.messages, play.unreadable, play.unknown, play.repeated) == ((2, 0), 5, 1, 1, 1)
    assert (play.illegal, play.answered, play.exact, play.compat, table.left) == (2, False, 2, None, 1)
    assert table.take('{"answer": [["Dan"]]}').kind == ANSWER
    assert (table.left, table.play().answered) == (0, True)
    with pytest.raises(BadParams, match="the dialogue is over"):
        table.take("hm")


def test_what_has_no_actions_is_refused() -> None:
    with pytest.raises(BadRow, match="a coin has no actions"):
        Moves(coins(), "json")
    with pytest.raises(BadParams, match="'xml' is not known"):
        Moves(PUZZLE, "xml")
