"""Gymnasium itself accepts the environment, and what it pays is the score."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gymnasium", reason="needs the extra: pip install 'puzzlemill[gymnasium]'")
import gymnasium
from gymnasium.utils.env_checker import check_env

from puzzlemill.core.errors import BadInput
from puzzlemill.envs.adapters.gymnasium import ID, AnyText, PuzzleEnv

Judge = Callable[[list[tuple[dict[str, Any], str]]], list[float]]
ROOT = Path(__file__).resolve().parents[2]
SMALL: dict[str, Any] = {"family": "sudoku", "params": {"size": 4}, "seed": "tests"}


@pytest.mark.parametrize("turns", [1, 3])
def test_gymnasium_checks_the_environment(turns: int, release: Path) -> None:
    """check_env warns about whatever it does not like, and a warning fails a test."""
    for options in (SMALL, {"release": release, "render_mode": "ansi"}):
        env = gymnasium.make(ID, turns=turns, **options)
        assert isinstance(env.unwrapped, PuzzleEnv)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(env.unwrapped)


def test_gold_earns_one_and_guessing_nothing(
    rows: list[dict[str, Any]], release: Path, pays_no_guess: Callable[[Judge], None]
) -> None:
    """The reward that an agent is trained on is the score of its reply."""
    env = PuzzleEnv(release, split=None)
    number: dict[str, int] = {}
    for i in range(len(rows)):
        _, info = env.reset(options={"row": i})
        number[info["id"]] = i

    def judge(pairs: list[tuple[dict[str, Any], str]]) -> list[float]:
        rewards = []
        for row, reply in pairs:
            prompt, info = env.reset(options={"row": number[row["id"]]})
            assert (prompt, info["id"], info["family"]) == (row["prompt"], row["id"], row["family"])
            assert prompt in env.observation_space
            text, reward, terminated, truncated, info = env.step(reply)
            assert text in env.observation_space
            assert (terminated, truncated) == (True, False)
            assert info["verdict"]["solved"] == (reward == 1.0)
            rewards.append(reward)
        return rewards

    assert sorted(number) == sorted(row["id"] for row in rows)
    pays_no_guess(judge)


def test_several_turns_tell_what_is_wrong(rows: list[dict[str, Any]], release: Path) -> None:
    """Earlier replies earn nothing, the last one its score, and after the end there is no further step."""
    env = gymnasium.make(ID, release=release, families=["binario"], variants=["canonical"], turns=3)
    _, info = env.reset(seed=3)
    (row,) = [row for row in rows if row["id"] == info["id"]]
    text, reward, terminated, truncated, info = env.step("I do not know. \U0001f937")
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert info["verdict"]["why"] == "unreadable"
    assert "2 more replies" in text and text in env.observation_space
    _, reward, terminated, _, info = env.step(row["gold_reply"])
    assert (reward, terminated, info["verdict"]["why"]) == (1.0, True, "solved")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.unwrapped.step("more")


def test_games_are_played_message_by_message(
    games: Path, dialogues: list[dict[str, Any]], messages_of: Callable[[dict[str, Any]], list[str]]
) -> None:
    """An agent is not told what its action showed, or is paid for a game that it lost."""
    env = gymnasium.make(ID, release=games, split=None, families=["kumo"], variants=["canonical"], render_mode="ansi")
    check_env(env.unwrapped)
    by_id = {row["id"]: row for row in dialogues}
    assert len(by_id) == 8
    for number in range(8):
        prompt, info = env.reset(options={"row": number})
        row = by_id[info["id"]]
        assert prompt == row["prompt"] and prompt in env.observation_space
        for message in messages_of(row)[:2]:
            text, reward, terminated, truncated, info = env.step(message)
            assert (reward, terminated, truncated, info) == (0.0, False, False, {})
            assert "messages left." in text and text in env.observation_space
        _, reward, terminated, truncated, info = env.step(row["gold_reply"])
        assert (reward, terminated, truncated) == (1.0, True, False)
        verdict = info["verdict"]
        assert (verdict["actions"], verdict["messages"], verdict["illegal"], verdict["unreadable"]) == (2, 3, 0, 0)
        assert verdict["exact"] == row["play"]["exact_actions"]
    shown = env.render()
    assert isinstance(shown, str) and shown.startswith(row["prompt"]) and shown.endswith("That is right.")


def test_a_game_that_is_not_answered_is_lost_and_fresh_ones_do_not_run_out(games: Path) -> None:
    env = PuzzleEnv(family="kumo", params={"domain": "invented"}, seed="tests", turns=2)
    prompts = [env.reset(options={"row": i})[0] for i in range(3)]
    assert len(set(prompts)) == 3
    for turn in range(12):
        text, reward, terminated, truncated, info = env.step("I wonder.")
        assert (reward, terminated, truncated) == (0.0, turn == 11, False)
    assert text.endswith("The game is lost.") and info["verdict"]["why"] == "no answer"
    assert info["verdict"]["unreadable"] == 12
    vector = gymnasium.vector.SyncVectorEnv([partial(PuzzleEnv, games, families=["kumo"], variants=["canonical"])] * 2)
    vector.reset(seed=1)
    assert list(vector.step(("", ""))[1]) == [0.0, 0.0]
    vector.close()


def test_seeds_draw_and_options_choose() -> None:
    """The same seed gives the same puzzles in the same order; another seed others; live puzzles do not run out."""
    one, two = PuzzleEnv(**SMALL), PuzzleEnv(**SMALL)
    first = [one.reset(seed=5)[0], one.reset()[0], one.reset()[0]]
    assert [two.reset(seed=5)[0], two.reset()[0], two.reset()[0]] == first
    assert two.reset(seed=6)[0] not in first
    assert one.reset(options={"row": 7}) == two.reset(options={"row": 7})
    changed = PuzzleEnv(family="sudoku", params={"size": [4, 6]}, transforms=["clash"], reply_formats=["json", "tags"], seed="w")
    infos = [changed.reset(options={"row": i})[1] for i in range(12)]
    assert {info["variant"] for info in infos} == {"canonical", "changed"}
    assert len({info["id"] for info in infos}) == 12


def test_a_vector_of_environments() -> None:
    """Training runs many at once; texts and verdicts are stacked."""
    env = gymnasium.vector.SyncVectorEnv([partial(PuzzleEnv, **SMALL) for _ in range(3)])
    prompts, info = env.reset(seed=1)
    assert len(set(prompts)) == 3 and len(info["id"]) == 3
    _, rewards, terminated, truncated, info = env.step(("", "a", "b"))
    assert list(rewards) == [0.0] * 3 and terminated.all() and not truncated.any()
    assert list(info["verdict"]["why"]) == ["unreadable"] * 3
    prompts, rewards, *_ = env.step(("", "", ""))
    assert len(prompts) == 3
    env.close()


def test_processes_share_no_text() -> None:
    """Through shared memory Gymnasium hands out other texts than the environments gave."""
    with pytest.raises(ValueError, match="shared_memory=False"):
        gymnasium.vector.AsyncVectorEnv([partial(PuzzleEnv, **SMALL)])


def test_it_is_made_by_its_name_alone() -> None:
    """A name with the module in front needs no import of ours before."""
    env = gymnasium.make(f"puzzlemill.envs.adapters.gymnasium:{ID}", **SMALL)
    prompt, _ = env.reset(seed=1)
    assert "4x4 Sudoku" in prompt


def test_a_claim_that_there_is_none_is_paid_where_it_is_right() -> None:
    """Half of the live puzzles with `clash` have no answer; always saying so earns about that half."""
    env = PuzzleEnv(family="sudoku", params={"size": 6}, transforms=["clash"], seed="claims")
    earned = []
    for i in range(40):
        env.reset(options={"row": i})
        earned.append(env.step(json.dumps({"solvable": False}))[1])
    assert 10 <= sum(earned) <= 30


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "name either a release folder or a family"),
        ({"release": "x", "family": "sudoku"}, "name either"),
        ({"family": "no_such_family"}, "unknown family"),
        ({"family": "sudoku", "params": {"size": 5}}, "sudoku.size must be one of"),
        ({"family": "sudoku", "turns": 0}, "turns: expected"),
        ({"family": "sudoku", "render_mode": "human"}, "render_mode"),
        ({"release": "nowhere"}, "no such folder"),
    ],
)
def test_what_cannot_be_used_is_told(options: dict[str, Any], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        PuzzleEnv(**options)


def test_what_a_release_lacks_is_told(release: Path) -> None:
    with pytest.raises(BadInput, match="no row of split"):
        PuzzleEnv(release, split="validation")
    env = PuzzleEnv(release)
    with pytest.raises(BadInput, match="options: row: expected 0 to"):
        env.reset(options={"row": 10**6})


def test_the_spaces_hold_any_text_of_their_length() -> None:
    """What a model writes is not of any alphabet."""
    space = AnyText(5)
    assert "" in space and "\u4e16\U0001f937\n" in space
    assert "123456" not in space and 5 not in space
    assert all(space.sample() in space for _ in range(20))


def test_the_example_runs_as_its_readme_says(readme_lines: Callable[[Path], list[str]]) -> None:
    """Offline, with nothing installed but the extra."""
    printed = readme_lines(ROOT / "examples/gymnasium/README.md")
    assert printed[-1].splitlines() == ["at_random: mean reward 0.00", "by_search: mean reward 1.00"]
