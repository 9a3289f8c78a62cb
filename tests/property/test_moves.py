"""Whatever is said in a game, it goes on or ends, and nothing is told but what was done."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlemill.envs.turns import Game
from puzzlemill.scoring.moves import ACTION, ANSWER, REPEATED, UNKNOWN, UNREADABLE, Moves
from puzzlemill.scoring.plays import replay
from puzzlemill.scoring.prompt import FORMATS, gold_reply
from puzzlemill.scoring.score import prepared
from rows import hat_row

ROWS = {reply_format: hat_row(reply_format) for reply_format in FORMATS}
PUZZLE = prepared(ROWS["json"]).puzzle
WHOLE = [Moves(PUZZLE, name).message(i) for name in FORMATS for i in range(3)] + [gold_reply(PUZZLE, (1,), f) for f in FORMATS]
PARTS = [
    '{"action":',
    '"answer"',
    "[[",
    "]]",
    "}",
    "<action>",
    "</ACTION>",
    "\\boxed{",
    "action:",
    "|",
    "\n",
    "Ask the cook",
    "Ada",
    '"',
]
MESSAGES = st.lists(st.one_of(st.sampled_from(WHOLE), st.sampled_from(PARTS), st.text(max_size=20)), max_size=12).map("".join)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(FORMATS), st.lists(MESSAGES, min_size=1, max_size=8))
def test_any_messages_are_answered_counted_and_judged_alike(reply_format: str, messages: list[str]) -> None:
    row = ROWS[reply_format]
    game = Game(row)
    done: set[int] = set()
    verdict = None
    for message in messages:
        if not game.left:
            break
        left, move = game.left, Moves(PUZZLE, reply_format).read(message, done)
        turn = game.step(message)
        assert move.kind in (ACTION, ANSWER, REPEATED, UNKNOWN, UNREADABLE)
        done |= {move.action} if move.kind == ACTION else set()
        assert game.play.actions == tuple(dict.fromkeys(game.play.actions)) and set(game.play.actions) == done
        assert turn.done == (move.kind == ANSWER or left == 1) == (game.left == 0) == (turn.verdict is not None)
        for action, clue in enumerate(("found early", "worn high", "58.5 cm")):
            assert clue not in turn.text or action in done or clue in message
        verdict = turn.verdict
    again = replay(messages, row)
    assert again.play is not None and replace(again.play, exact=None, compat=None) == game.play
    assert verdict is None or again == verdict
    counted = game.play.unknown + game.play.repeated + game.play.unreadable + len(game.play.actions) + game.play.answered
    assert counted == game.play.messages <= 6
