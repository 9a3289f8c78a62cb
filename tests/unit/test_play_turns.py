"""Games played by messages: what is told, what never is, how they end, and players that need no model."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from puzzlemill.core.codec import dumps
from puzzlemill.core.errors import BadFile, BadParams, BadRow
from puzzlemill.core.model import Game as Rules
from puzzlemill.core.rng import stream
from puzzlemill.envs.players import PLAYERS, played, player_named, state, worlds
from puzzlemill.envs.turns import Game, Turn, episode, guess_baseline
from puzzlemill.factory.make import make
from puzzlemill.kumo.domain.task import World
from puzzlemill.scoring.metrics import Z
from puzzlemill.scoring.moves import Moves
from puzzlemill.scoring.plays import replay
from puzzlemill.scoring.prompt import FORMATS, gold_reply
from puzzlemill.scoring.replies import Replies, messages_of
from puzzlemill.scoring.score import COLUMNS, prepared, score
from rows import HAT, coin_row, hat_row

COOK, PORTER, MEASURE = ('{"action": "Ask the cook"}', '{"action": "Ask the porter"}', '{"action": "Measure the hat"}')
ADA, BERT = '{"answer": [["Ada"]]}', '{"answer": [["Bert"]]}'


def told(row: dict[str, Any], *messages: str) -> list[Turn]:
    game = Game(row)
    assert game.start() == row["prompt"]
    return [game.step(message) for message in messages]


def rules(row: dict[str, Any]) -> Rules:
    case = prepared(row)
    found: Rules = case.family.dialogue.game(case.puzzle)
    return found


def left_of(game: Rules, outcomes: Sequence[int]) -> tuple[int, ...]:
    """The truths that these outcomes do not exclude, by plain loops."""
    return tuple(t for t in range(game.truths) if not any(game.excludes[a][s] >> t & 1 for a, s in enumerate(outcomes)))


def all_worlds(game: Rules) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every choice of outcomes that keeps the promise, and the truths that hold."""
    every = product(*[range(len(outcomes)) for outcomes in game.excludes])
    return [(outcomes, left) for outcomes in every if len(left := left_of(game, outcomes)) == game.valid]


# ---- what is told -----------------------------------------------------------------------------------------------------


def test_outcomes_are_told_as_sentences_with_the_worlds_value() -> None:
    first, second, end = told(hat_row(), MEASURE, COOK, ADA)
    assert first == Turn("Measure the hat: the girth is 58.5 cm.\n\nYou have 5 messages left.", False, None)
    assert second.text == "Ask the cook: it was found early.\n\nYou have 4 messages left."
    assert (end.text, end.done) == ("That is right.", True)
    assert end.verdict is not None and end.verdict.solved and end.verdict.score == 1.0
    play = end.verdict.play
    assert play is not None
    assert (play.actions, play.messages, play.illegal, play.unreadable, play.answered) == ((2, 0), 3, 0, 0, True)
    assert (play.exact, play.compat) == (2, 2)


def test_a_wrong_answer_ends_the_game_and_does_not_tell_the_right_one() -> None:
    game = Game(hat_row())
    turn = game.step(BERT)
    assert (turn.text, turn.done, game.left) == ("That is not right.", True, 0)
    assert turn.verdict is not None and (turn.verdict.why, turn.verdict.score) == ("wrong", 0.0)
    with pytest.raises(BadParams, match="the dialogue is over"):
        game.step(ADA)


def test_illegal_and_unreadable_messages_count_and_are_answered() -> None:
    """A typing mistake ends the game, costs nothing, or shows the next outcome."""
    game = Game(hat_row())
    repeated = [game.step(MEASURE), game.step(MEASURE.upper().replace("ACTION", "action"))][1]
    assert repeated.text.startswith("That was chosen before, and it shows the same again. Measure the hat: the girth is 58.5 cm.")
    unknown = game.step('{"action": "Ask the king"}')
    assert unknown.text.startswith('There is no question "Ask the king". Not chosen yet: Ask the cook; Ask the porter.')
    vague = game.step("I would ask the cook.")
    assert 'no JSON object with "action"' in vague.text and '{"action": "<name>"}' in vague.text
    assert not any(turn.done or turn.verdict for turn in (repeated, unknown, vague))
    play = game.play
    assert (play.actions, play.messages, play.repeated, play.unknown, play.unreadable) == ((2,), 4, 1, 1, 1)
    assert "You have 2 messages left." in vague.text
    last = game.step(COOK)
    assert last.text.endswith("You have one message left: give your answer in it.")
    assert game.step(ADA).done


@pytest.mark.parametrize("message", ["hm", COOK, PORTER, '{"action": "x"}'])
def test_the_limit_ends_the_game_without_an_answer(message: str) -> None:
    *_, end = told(hat_row(), COOK, "", "", "", "", message)
    assert end.done and end.text.endswith("That was the last message, and it was no answer. The game is lost.")
    assert end.verdict is not None
    assert (end.verdict.solved, end.verdict.score, end.verdict.why) == (False, 0.0, "no answer")
    assert end.verdict.play is not None and not end.verdict.play.answered
    if message == PORTER:
        assert "Ask the porter: it was worn high." in end.text


def hidden(outcomes: Sequence[int], valid: tuple[int, ...], low: bool) -> str:
    """A world of the hat, with one of two values of each girth."""
    girth = (520, 570)[outcomes[2]] if low else (569, 620)[outcomes[2]]
    return dumps(World(valid, tuple(outcomes), (0, 0, girth)))


KING, ZOE, OPEN = '{"action": "king"}', '{"answer": [["Zoe"]]}', '{"answer": [["?"]]}'
DIALOGUES = [
    ["hm", KING, ZOE, OPEN, "", COOK],
    ["hm", COOK, KING, COOK, MEASURE, OPEN],
    [MEASURE, PORTER, ZOE, MEASURE, COOK, PORTER],
    [PORTER, "", PORTER, "hm", KING, MEASURE],
]


def test_nothing_of_the_world_is_told_before_its_action_is_done() -> None:
    """What is hidden decides what is told of something else: a player who reads closely knows more than the outcomes."""
    by_seen: dict[tuple[Any, ...], set[str]] = {}
    prompt = hat_row()["prompt"]
    for (outcomes, valid), low, messages in product(all_worlds(rules(hat_row())), (True, False), DIALOGUES):
        row = hat_row(hidden=hidden(outcomes, valid, low), answer=dumps(valid), prompt=prompt)
        game = Game(row)
        said = game.start()
        seen: tuple[Any, ...] = ()
        for message in messages:
            turn = game.step(message)
            said += turn.text
            seen = (*seen, message)
            if message in (COOK, PORTER, MEASURE):
                action = (COOK, PORTER, MEASURE).index(message)
                seen = (*seen, outcomes[action], low if action == 2 else None)
            by_seen.setdefault(seen, set()).add(said)
            assert not any(text in f"{game!r} {game} {turn!r}" for text in (row["hidden"], row["hidden"][1:-1], "World("))
    assert len(by_seen) > 40
    assert all(len(texts) == 1 for texts in by_seen.values())


def test_what_was_not_done_cannot_be_asked_of_the_game() -> None:
    game = Game(hat_row())
    for ask in (game.shown, game.outcome):
        with pytest.raises(BadParams, match="that action was not done"):
            ask(0)
    game.step(COOK)
    assert (game.outcome(0), game.shown(0)) == (0, "Ask the cook: it was found early.")


def test_a_row_that_is_a_dialogue_is_one_for_any_number_of_turns() -> None:
    for turns in (1, 3):
        assert isinstance(episode(hat_row(), turns), Game)
    assert not isinstance(episode({**coin_row(), "prompt": "What?"}), Game)
    assert guess_baseline(hat_row(guess_baseline=0.25), 1) == 0.25


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        ({"hidden": None}, "row hat-0: hidden: expected what a dialogue hides, got NoneType"),
        ({"hidden": "{}"}, "row hat-0: hidden"),
        ({"hidden": dumps(World((1,), *HAT[1:]))}, "the outcomes leave the truths"),
        ({"hidden": dumps(World((0,), (0, 1), (0, 0)))}, "2 outcomes"),
        ({"hidden": dumps(World((0,), (0, 1, 1), (0, 0, 530)))}, "cannot show 530"),
        ({"puzzle": hat_row()["puzzle"].replace('"turn_limit":6', '"turn_limit":null')}, "no number of turns"),
    ],
)
def test_rows_that_hide_no_world_are_refused(columns: dict[str, Any], told: str) -> None:
    with pytest.raises(BadRow, match=told) as error:
        Game(hat_row(**columns))
    assert "\n" not in str(error.value)


def test_rows_of_other_questions_are_no_games() -> None:
    with pytest.raises(BadRow, match="it is no dialogue"):
        Game({**coin_row(), "prompt": "What?"})
    for count in ("2", -1, True, 1.5):
        with pytest.raises(BadRow, match=r"play\.exact_actions: expected a number or null"):
            replay([ADA], hat_row(play={"exact_actions": count, "compat_actions": 1}))


# ---- judged from the messages ------------------------------------------------------------------------------------------


def test_a_dialogue_is_judged_alike_from_its_messages() -> None:
    """What `score` says of a file is something else than what the model was told."""
    for messages in ([ADA], [COOK, PORTER, ADA], [COOK, COOK, "hm", "x", BERT], [COOK] * 6, DIALOGUES[0], DIALOGUES[2]):
        assert told(hat_row(), *messages)[-1].verdict == replay(messages, hat_row())
    assert replay([COOK, ADA, BERT, COOK], hat_row()) == replay([COOK, ADA], hat_row())  # after the end nothing is read
    assert replay(["hm"] * 6 + [ADA], hat_row()).why == "no answer"
    assert replay([], hat_row()).play is not None
    bare = {name: value for name, value in hat_row().items() if name in COLUMNS}
    assert replay([COOK, ADA], bare).solved
    assert score(ADA, hat_row()).solved and not score(BERT, hat_row()).solved  # a single reply is a final answer


def test_files_hold_all_messages_of_a_dialogue(tmp_path: Any) -> None:
    path = tmp_path / "replies.jsonl"
    lines: list[dict[str, Any]] = [
        {"id": "hat-0", "sample": 0, "reply": ADA, "turns": [{"reply": COOK, "told": "..."}, {"reply": ADA}]},
        {"id": "hat-0", "sample": 1, "reply": BERT},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    replies = Replies(path, {"hat-0"})
    with path.open("rb") as file:
        found = dict(replies.lines(file, "hat-0"))
        assert [messages_of(line, path) for line in found.values()] == [(COOK, ADA), (BERT,)]
        assert [(sample, line["reply"]) for sample, line in found.items()] == [(0, ADA), (1, BERT)]
    for turns in (3, [{"told": "x"}], [ADA], {"reply": ADA}):
        path.write_text(json.dumps({"id": "hat-0", "reply": ADA, "turns": turns}) + "\n")
        replies = Replies(path, {"hat-0"})
        with path.open("rb") as file, pytest.raises(BadFile, match="sample 0: turns: expected a list of"):
            messages_of(next(replies.lines(file, "hat-0"))[1], path)


# ---- players ----------------------------------------------------------------------------------------------------------


def made(count: int, **params: int | str | bool) -> list[dict[str, Any]]:
    return [make("kumo", seed="players", index=i, reply_format=FORMATS[i % 4], **params) for i in range(count)]


def actions(row: dict[str, Any], player: str) -> int:
    """How many actions a player takes; it must be right."""
    turns = [turn for _, turn in played(row, player, stream("tests", player, row["id"]))]
    verdict = turns[-1].verdict
    assert verdict is not None and verdict.solved and verdict.play is not None
    assert (verdict.play.illegal, verdict.play.unreadable) == (0, 0)
    return len(verdict.play.actions)


def test_ways_are_counted_as_they_are_listed() -> None:
    """Greedy players, and the end of every policy, go by these numbers."""
    rng = stream("tests", "worlds")
    for _ in range(60):
        truths, valid = rng.between(3, 5), rng.between(1, 2)
        excludes = tuple(
            tuple(rng.below(1 << truths) & rng.below(1 << truths) for _ in range(rng.between(2, 3)))
            for _ in range(rng.between(2, 4))
        )
        game = Rules(truths, excludes, valid)
        listed: dict[int, int] = {}
        for _, holds in all_worlds(game):
            mask = sum(1 << t for t in holds)
            listed[mask] = listed.get(mask, 0) + 1
        assert worlds(game, (1 << truths) - 1, (1 << len(excludes)) - 1) == listed


def expected(game: Rules, player: str) -> Fraction:
    """The expected number of actions of a player that draws nothing, over all worlds."""
    found = player_named(player, game, stream("x"))

    def total(seen: tuple[tuple[int, int], ...]) -> int:
        ways = sum(worlds(game, *state(game, seen)).values())
        chosen = found.next(seen) if ways else ()
        if not isinstance(chosen, int):
            return 0
        return ways + sum(total((*seen, (chosen, outcome))) for outcome in range(len(game.excludes[chosen])))

    return Fraction(total(()), sum(worlds(game, *state(game, ())).values()))


def test_players_rank_as_they_must() -> None:
    """The best play, by its expectation over all worlds, task by task; and random far behind, in the worlds that were drawn."""
    rows = made(60)
    taken = {player: [actions(row, player) for row in rows] for player in PLAYERS}
    assert taken["optimal"] == [row["play"]["exact_actions"] for row in rows]
    assert max(sum(taken[player]) for player in ("optimal", "greedy", "kumo_compat")) < sum(taken["random"])
    differences = [more - fewer for more, fewer in zip(taken["random"], taken["greedy"], strict=True)]
    mean = sum(differences) / len(rows)
    spread = sum((one - mean) ** 2 for one in differences) / (len(rows) - 1)
    assert mean > 3 * Z * (spread / len(rows)) ** 0.5
    behind: Counter[str] = Counter()
    for row in rows:
        best, greedy, compat = (expected(rules(row), player) for player in ("optimal", "greedy", "kumo_compat"))
        assert float(best) == pytest.approx(row["play"]["exact"], abs=1e-6)
        assert best <= greedy and best <= compat
        behind += Counter(greedy=int(best < greedy), compat=int(best < compat))
    assert behind["greedy"] > 0 and behind["compat"] > 0


def test_players_play_larger_games_several_truths_and_uneven_outcomes() -> None:
    for row in [*made(3, truths=8, actions=10), *made(3, truths=6, actions=8, valid=2), *made(4, chances=True)]:
        taken = {player: actions(row, player) for player in ("optimal", "greedy", "random")}
        assert taken["optimal"] == row["play"]["exact_actions"]
        assert max(taken.values()) <= len(prepared(row).puzzle.board.actions)
        best, greedy = expected(rules(row), "optimal"), expected(rules(row), "greedy")
        assert best <= greedy and float(best) == pytest.approx(row["play"]["exact"], abs=1e-6)


def test_of_actions_that_tell_as_much_greedy_does_the_first() -> None:
    strong, idle = (1, 2, 4), (0, 0)
    for actions, first in (((idle, strong, strong), 1), ((strong, idle, strong), 0)):
        assert player_named("greedy", Rules(3, actions, 1), stream("x")).next(()) == first


def test_a_players_dialogue_is_a_reply_in_the_rows_own_form() -> None:
    for reply_format in FORMATS:
        row = hat_row(reply_format)
        moves, puzzle = Moves(prepared(row).puzzle, reply_format), prepared(row).puzzle
        messages = [message for message, _ in played(row, "optimal", stream("x"))]
        assert messages == [moves.message(0), moves.message(1), gold_reply(puzzle, (0,), reply_format)]
        assert replay(messages, row).solved


def test_random_is_drawn_from_its_stream() -> None:
    row = hat_row()
    drawn = {tuple(message for message, _ in played(row, "random", stream("t", i))) for i in range(20)}
    assert len(drawn) > 2
    first, again = [[message for message, _ in played(row, "random", stream("t", 3))] for _ in range(2)]
    assert first == again


def test_what_players_cannot_play_is_refused() -> None:
    with pytest.raises(BadParams, match="--player: expected one of random, greedy, optimal, kumo_compat, got 'best'"):
        list(played(hat_row(), "best", stream("x")))
    with pytest.raises(BadRow, match="it is no dialogue"):
        list(played({**coin_row(), "prompt": "What?"}, "greedy", stream("x")))
    with pytest.raises(BadParams, match="in which one truth holds"):
        player_named("kumo_compat", Rules(3, ((1, 2),), 2), stream("x"))
