"""Dialogues about a row: what is told about a wrong reply, and what never is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.envs.turns import Feedback, SingleTurn, Turn, episode, guess_baseline
from puzzlemill.factory.make import make
from puzzlemill.generators import families
from puzzlemill.scoring.score import COLUMNS, prepared
from rows import COIN, broken_coin_row, coin_row, row_of


def asked(row: dict[str, Any]) -> dict[str, Any]:
    return {"prompt": "What are the coins?", **row}


def said(row: dict[str, Any], *replies: str, turns: int = 9) -> list[Turn]:
    game = Feedback(row, turns)
    assert game.start() == row["prompt"]
    return [game.step(reply) for reply in replies]


def wrong_reply(row: dict[str, Any]) -> str:
    """The first tokens, or one letter, everywhere, as json."""
    found = json.loads(row["gold_reply"])
    if type(found["answer"]) is int:
        return json.dumps({**found, "answer": found["answer"] + 2})
    if type(found["answer"]) is str:
        return json.dumps({**found, "answer": "".join(["E" if sign.isalpha() else sign for sign in found["answer"]])})
    if type(found["answer"]) is dict:
        return json.dumps({**found, "answer": {name: "E" * len(word) for name, word in found["answer"].items()}})
    first = found["answer"][0][0]
    return json.dumps({**found, "answer": [[first if type(cell) is int else cell for cell in line] for line in found["answer"]]})


def test_one_turn_is_the_prompt_and_one_reply() -> None:
    row = asked(coin_row())
    game = SingleTurn(row)
    assert game.start() == "What are the coins?"
    turn = game.step('{"answer": [["H", "T", "H"]]}')
    assert turn.done and turn.verdict is not None and turn.verdict.solved
    with pytest.raises(BadParams, match="the dialogue is over"):
        game.step("again")


def test_the_last_reply_counts() -> None:
    row = asked(coin_row())
    right = '{"answer": [["H", "T", "H"]]}'
    first, second = said(row, "hm", right)
    assert (first.done, second.done) == (False, True)
    assert second.verdict is not None and second.verdict.solved
    game = Feedback(row, 2)
    turns = [game.step("hm"), game.step("hm")]
    assert [turn.done for turn in turns] == [False, True]
    assert turns[1].verdict is not None and not turns[1].verdict.solved and turns[1].text == "That is not right."
    with pytest.raises(BadParams, match="the dialogue is over"):
        game.step(right)


def test_each_mistake_gets_its_word() -> None:
    """A model that wrote in the wrong form is told that its answer is wrong, or the other way round."""
    row = asked(coin_row("tags"))
    unreadable, blank = said(row, '{"answer": [["H", "T", "H"]]}', "<answer>? T H</answer>", turns=3)
    assert "no <answer>...</answer>" in unreadable.text and "End your reply with the answer between" in unreadable.text
    assert unreadable.text.endswith("You have 2 more replies.")
    assert "1 blank places" in blank.text and blank.text.endswith("You have one more reply.")


def test_broken_rules_are_told_as_sentences() -> None:
    row = make("sudoku", size=4)
    (turn,) = said(row, wrong_reply(row))
    assert "- Each row contains every number from 1 to 4 exactly once." in turn.text
    assert turn.text.count("\n- ") <= 9


@pytest.mark.parametrize("family", sorted(families()))
def test_nothing_of_the_answer_is_told(family: str) -> None:
    """Feedback reads what a solver may not see, or repeats lines of the answer."""
    sizes: dict[str, dict[str, int | str | bool]] = {"sudoku": {"size": 4}, "binario": {"rows": 4, "cols": 6}}
    sizes |= {"zebra": {"positions": 3, "attributes": 3}, "hanoi": {"disks": 3}}
    sizes |= {"kumo": {"told": True, "truths": 5, "valid": 2, "domain": "invented"}}  # its dialogues: test_play_turns.py
    row = make(family, **sizes.get(family, {}))
    gold = json.loads(row["gold_reply"])["answer"]
    if type(gold) is str:  # a text
        other: Any = gold[::-1]
    elif type(gold) is dict:  # words by their names
        other = {name: word[::-1] for name, word in gold.items()}
    elif family in ("hanoi", "navigation"):
        other = gold[1:]
    elif family == "number_series":
        other = gold + 1
    elif family == "kumo":
        other = [[name] for name in prepared(row).puzzle.board.truths if [name] not in gold][:2]
    else:
        other = [[line[0], below[1], *line[2:]] for line, below in zip(gold, [*gold[1:], gold[0]], strict=True)]
    replies = ["what?", '{"answer": []}', json.dumps({"answer": other}), wrong_reply(row)]
    told = [turn.text for turn in said(row, *replies)]
    assert "\n- " in told[2] and "malformed" not in told[2]
    entries = [gold] if type(gold) in (int, str) else list(gold.values()) if type(gold) is dict else gold
    lines = [" ".join(map(str, line)) if type(line) is list else str(line) for line in entries]
    lines += [json.dumps(line) for line in entries]
    if family == "navigation":  # a place by itself tells nothing
        lines = [json.dumps(gold)]
    assert not any(line in text for text in told for line in lines)
    bare = {name: value for name, value in row.items() if name in COLUMNS or name == "prompt"}
    assert [turn.text for turn in said(bare, *replies)] == told


def _detour(moves: list[list[Any]]) -> list[list[Any]]:
    """The last move back, and made again: a longer way to the same end."""
    disk, source, target = moves[-1]
    return [[disk, target, source], [disk, source, target]]


def test_a_longer_way_is_told_without_the_shortest() -> None:
    row = make("hanoi", disks=3)
    gold = json.loads(row["gold_reply"])
    (turn,) = said(row, json.dumps({"answer": [*gold["answer"], *_detour(gold["answer"])]}))
    assert turn.text == "Your answer keeps every rule, but there is a better one.\n\nYou have 8 more replies."
    assert turn.verdict is not None and turn.verdict.why == "not least"


@pytest.mark.parametrize("row", [coin_row(doubt=True), broken_coin_row()], ids=["solvable", "unsolvable"])
def test_a_claim_ends_the_dialogue(row: dict[str, Any]) -> None:
    """Claiming first and answering after it would tell for free whether there is a solution."""
    (turn,) = said(asked(row), '{"solvable": false}')
    assert turn.done and turn.verdict is not None and turn.verdict.solved is (row["status"] == "unsolvable")


def test_answers_to_the_unsolvable_and_to_the_solvable_are_told_alike() -> None:
    """Coins H ? T without a solution, and ? T ?: the words of a wrong answer do not tell which is which."""
    right = {"solvable": True}
    (one,) = said(asked(coin_row(doubt=True)), json.dumps({**right, "answer": [["T", "H", "T"]]}))
    (other,) = said(asked(broken_coin_row()), json.dumps({**right, "answer": [["T", "H", "T"]]}))
    assert not one.done and not other.done
    assert one.text.split("\n")[0] == other.text.split("\n")[0] == "Your answer does not keep these rules and clues:"


def test_attempts_multiply_chances() -> None:
    """The baseline beside figures of several turns is that of one."""
    row = coin_row(guess_baseline=0.25)
    assert [guess_baseline(row, turns) for turns in (1, 2, 3, 5)] == [0.25, 0.5, 0.75, 1.0]
    # three houses with three lines of values in any order: 6 * 6 * 6 candidates; two of them and a claim
    doubted = make("zebra", positions=3, attributes=3, transforms=["clash"])
    assert guess_baseline(doubted, 1) == 0.5
    assert guess_baseline(doubted, 3) == pytest.approx(0.5 + 0.5 * 2 / 216)
    damages: tuple[Any, ...] = ({}, "0.25", True, 2.0, -0.1, float("nan"))
    for damage in damages:
        with pytest.raises(BadRow, match="guess_baseline: expected a number from 0 to 1"):
            guess_baseline(coin_row(guess_baseline=damage), 3)


def _puzzle(row: dict[str, Any]) -> Any:
    return prepared(row).puzzle


def test_what_is_no_row_or_no_number_of_turns_is_refused() -> None:
    with pytest.raises(BadParams, match="prompt: expected text"):
        SingleTurn(coin_row())
    with pytest.raises(BadRow, match="family"):
        SingleTurn({"prompt": "x"})
    for turns in (0, 101, -1):
        with pytest.raises(BadParams, match="turns: expected a number from 1 to 100"):
            episode(asked(coin_row()), turns)
    assert isinstance(episode(asked(coin_row())), SingleTurn)
    assert isinstance(episode(asked(row_of(COIN, _puzzle(coin_row()), (0, 1, 0))), 2), Feedback)
