"""Dialogues in the runner: a scripted model that plays well, badly, beyond the limit or not at all, and players."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import Act, Asked, Model, asked_text, error, serving
from releases import Shared, release_of

from puzzlemill import cli
from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.envs.endpoint import Address
from puzzlemill.envs.run import Choice, Done, Settings, companion, play, run
from puzzlemill.envs.turns import Game
from puzzlemill.factory.read import Release, open_release
from puzzlemill.factory.read import rows as all_rows
from puzzlemill.scoring.main import score_files
from puzzlemill.scoring.moves import Moves, action_example
from puzzlemill.scoring.prompt import gold_reply
from puzzlemill.scoring.score import prepared

FORMATS = ["json", "tags", "boxed", "table"]
RECIPE = {
    "name": "played",
    "seed": "played",
    "strata": [
        {"family": "kumo", "params": {"domain": "invented"}, "counts": {"test": 8}, "reply_formats": FORMATS},
        {"family": "hanoi", "params": {"pegs": [3, 4], "disks": [3]}, "counts": {"test": 2}},
    ],
}
Row = dict[str, Any]
Messages = list[dict[str, str]]


@pytest.fixture(scope="module")
def folder(shared: Shared) -> Path:
    return shared("played", release_of(RECIPE))


@pytest.fixture(scope="module")
def release(folder: Path) -> Release:
    return open_release(folder)


@pytest.fixture(scope="module")
def rows(release: Release) -> list[Row]:
    """The dialogues."""
    return [row for row in all_rows(release) if row["family"] == "kumo"]


class Scripted:
    """A model: what it says at each of its turns, by the row's prompt."""

    def __init__(self, rows: list[Row], says: Callable[[Row, Moves, Messages], str]) -> None:
        self.rows = {row["prompt"]: row for row in rows}
        self.says = says

    def __call__(self, body: dict[str, Any]) -> Act:
        row = self.rows.get(asked_text(body))
        if row is None:
            return Act("I play no other games.")
        return Act(self.says(row, Moves(prepared(row).puzzle, row["reply_format"]), body["messages"][1:]))


def right(row: Row) -> str:
    return gold_reply(prepared(row).puzzle, prepared(row).gold, row["reply_format"])


def wrong(row: Row) -> str:
    gold = prepared(row).gold
    return gold_reply(prepared(row).puzzle, ((gold[0] + 1) % 4,), row["reply_format"])


def in_order(row: Row, moves: Moves, said: Messages) -> str:
    """Two actions, then the answer."""
    turn = len(said) // 2
    return f"<think>hm</think>\n{moves.message(turn)}" if turn < 2 else f"That is it.\n\n{right(row)}"


def ask(release: Release, out: Path, model: Model, settings: Settings | None = None, **choice: Any) -> Done:
    ticks = iter(range(1_000_000))
    chosen = Choice(**{"family": "kumo", **choice})
    address = Address(model.url, "", 20.0, 0)
    return run(release, out, settings or Settings("tiny"), chosen, address, concurrency=3, clock=lambda: float(next(ticks)))


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def report(folder: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert cli.main(["score", str(folder), str(out), "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def section(found: dict[str, Any]) -> dict[str, Any]:
    """The figures that every row has, of the dialogues."""
    return next(dict(one) for one in found["sections"] if one["name"] == "kumo")


def test_a_game_is_played_in_turns_and_scored_from_its_messages(
    folder: Path, release: Release, rows: list[Row], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The model does not see what its action showed, or a game that was won is not paid."""
    out = tmp_path / "replies.jsonl"
    with serving(Scripted(rows, in_order)) as model:
        done = ask(release, out, model)
        asked: list[Asked] = list(model.asked)
    assert (done.now, done.missing, len(asked)) == (8, 0, 24)
    last = max(asked, key=lambda one: len(one.body["messages"])).body["messages"]
    assert [message["role"] for message in last] == ["user", "assistant", "user", "assistant", "user"]
    assert "You have 11 messages left." in last[2]["content"] and "You have 10 messages left." in last[4]["content"]
    for line in lines(out):
        assert [turn["told"] for turn in line["turns"]][2:] == ["That is right."]
        assert (line["reply"], len(line["turns"]), line["usage"]["prompt"]) == (line["turns"][2]["reply"], 3, 300)
    found = report(folder, out, capsys)
    assert section(found)["metrics"]["exact"]["value"] == 1.0
    game = found["games"][0]
    assert (game["name"], game["rows"], game["dialogues"], game["missing"], game["messages"]) == ("kumo", 8, 8, 0, 24)
    told = {name: estimate and estimate["value"] for name, estimate in game["metrics"].items()}
    assert (told["success"], told["majority"], told["actions"], told["parsing"], told["illegal"]) == (1.0, 1.0, 2.0, 0.0, 0.0)
    optimal = [row["play"]["exact_actions"] for row in rows]
    assert told["relative_exact_solved"] == pytest.approx(sum((2 - best) / best for best in optimal) / 8, abs=1e-6)
    assert cli.main(["score", str(folder), str(out), "--all"]) == 0
    text = capsys.readouterr().out
    assert "relative, solved" in text and "kumo: invented" not in text and "\nkumo/canonical " in text


def test_games_that_go_wrong_are_counted_and_end(
    folder: Path, release: Release, rows: list[Row], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Garbage, moves that there are not, games without end and wrong answers: each ends, and says in the report what it was."""
    kind = {row["id"]: i % 4 for i, row in enumerate(rows)}

    def says(row: Row, moves: Moves, said: Messages) -> str:
        turn = len(said) // 2
        if kind[row["id"]] == 0:
            return "\ud800 I would rather " + "x" * 5_000  # until the limit
        if kind[row["id"]] == 1:
            return moves.message(0) if turn < 3 else right(row)  # the same action again and again
        if kind[row["id"]] == 2:
            return moves.message(0).replace(moves.names[0], "Consult the oracle") if turn == 0 else wrong(row)
        return moves.message(turn % 6)  # all actions, then all once more, and never an answer

    out = tmp_path / "replies.jsonl"
    with serving(Scripted(rows, says)) as model:
        done = ask(release, out, model, samples=2)
        most = max(len(one.body["messages"]) for one in model.asked)
    assert (done.now, done.missing, most) == (16, 0, 23)
    by_id = {(line["id"], line["sample"]): line for line in lines(out)}
    shapes = {kind[name]: len(line["turns"]) for (name, _), line in by_id.items()}
    assert shapes == {0: 12, 1: 4, 2: 2, 3: 12}
    lost = next(line for (name, _), line in by_id.items() if kind[name] == 3)
    assert lost["turns"][-1]["told"].endswith("The game is lost.")
    found = report(folder, out, capsys)
    assert section(found)["why"] == {"no answer": 8, "solved": 4, "wrong": 4}
    told = {name: estimate and estimate["value"] for name, estimate in found["games"][0]["metrics"].items()}
    messages = 4 * (12 + 4 + 2 + 12)
    assert found["games"][0]["messages"] == messages
    assert told["unreadable"] == pytest.approx(48 / messages, abs=1e-6)
    assert told["parsing"] == pytest.approx((48 + 4) / messages, abs=1e-6)
    assert told["illegal"] == pytest.approx((4 * 2 + 4 + 4 * 6) / messages, abs=1e-6)
    assert (told["success"], told["majority"], told["actions"]) == (0.25, 0.25, (0 + 1 + 0 + 6) / 4)


def test_a_run_goes_on_with_the_games_that_are_missing(release: Release, rows: list[Row], tmp_path: Path) -> None:
    """A game that ended is played and paid for again, or half of one is taken for a whole."""
    out, broken = tmp_path / "replies.jsonl", threading.Event()

    def says(row: Row, moves: Moves, said: Messages) -> str:
        return in_order(row, moves, said)

    script = Scripted(rows, says)

    def fails(body: dict[str, Any]) -> Act:
        """In the middle of the fifth game and of all later ones."""
        late = [row["prompt"] for row in rows[4:]]
        if asked_text(body) in late and len(body["messages"]) > 1 and not broken.is_set():
            return error(400, "context is full")
        return script(body)

    with serving(fails) as model:
        first = ask(release, out, model)
        assert (first.now, first.errors, first.missing) == (4, 4, 4)
        assert [line["error"] for line in lines(companion(out, ".errors.jsonl"))] == ["status 400: context is full"] * 4
        before = out.read_bytes()
        broken.set()
        model.asked.clear()
        second = ask(release, out, model)
        assert (second.before, second.now, second.missing) == (4, 4, 0)
        assert {asked_text(one.body) for one in model.asked} == {row["prompt"] for row in rows[4:]}
    assert out.read_bytes().startswith(before)
    assert {line["id"] for line in lines(out)} == {row["id"] for row in rows}


def test_the_call_for_an_answer_alone_asks_for_a_move(release: Release, rows: list[Row], tmp_path: Path) -> None:
    """A model that was cut off while it thinks would be made to guess the answer in its first turn."""

    def script(body: dict[str, Any]) -> Act:
        if "There is no more room for thinking" not in body["messages"][-1]["content"]:
            return Act("let me think", reason="length")
        row = next(row for row in rows if row["prompt"] == asked_text(body))
        moves = Moves(prepared(row).puzzle, row["reply_format"])
        assert action_example(row["reply_format"]) in body["messages"][-1]["content"]
        assert "response_format" not in body
        return Act(moves.message(0) if len(body["messages"]) == 3 else right(row))

    out = tmp_path / "replies.jsonl"
    with serving(script) as model:
        ask(release, out, model, Settings("tiny", answer_call="cut"))
    for line in lines(out):
        assert [turn["answer_call"]["form"] for turn in line["turns"]] == ["text", "text"]
        assert line["turns"][-1]["told"] == "That is right."


def test_other_rows_are_asked_once_as_before(release: Release, rows: list[Row], tmp_path: Path) -> None:
    with serving(Scripted(rows, in_order)) as model:
        done = ask(release, tmp_path / "a", model, family="")
    assert (done.now, done.missing) == (10, 0)
    towers = [line for line in lines(tmp_path / "a") if line["id"].startswith("hanoi")]
    assert len(towers) == 2 and all("turns" not in line for line in towers)


# ---- players ----------------------------------------------------------------------------------------------------------


def test_players_write_the_same_files_without_an_endpoint(
    folder: Path, rows: list[Row], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    actions = {}
    for player in ("random", "greedy", "optimal", "kumo_compat"):
        out = tmp_path / f"{player}.jsonl"
        command = ["run", str(folder), "--player", player, "--family", "kumo", "--out", str(out), "--samples", "2"]
        assert cli.main(command) == 0
        assert f"16 of 16 replies in {out}" in capsys.readouterr().out
        before = out.read_bytes()
        assert cli.main(command) == 0  # all there
        assert out.read_bytes() == before
        capsys.readouterr()
        told = report(folder, out, capsys)["games"][0]["metrics"]
        assert told["success"]["value"] == 1.0
        actions[player] = told["actions"]["value"]
        settings = json.loads(companion(out, ".run.json").read_text())
        assert (settings["settings"]["model"], settings["endpoints"]) == (f"{player} player", [f"player:{player}"])
        if player == "optimal":
            assert told["relative_exact"]["value"] == told["relative_exact_solved"]["value"] == 0.0
    assert actions["optimal"] == sum(row["play"]["exact_actions"] for row in rows) / 8
    assert max(actions[player] for player in actions if player != "random") < actions["random"]


def test_a_players_run_goes_on(release: Release, rows: list[Row], tmp_path: Path) -> None:
    """The draws of a random player depend on where it began."""
    ticks: Iterator[int] = iter(range(1_000_000))

    def go(out: Path, **choice: Any) -> Done:
        return play(release, out, "random", Choice(family="kumo", **choice), seed=3, clock=lambda: float(next(ticks)))

    def kept(out: Path) -> list[dict[str, Any]]:
        return sorted(({**line, "seconds": 0} for line in lines(out)), key=lambda line: (line["id"], line["sample"]))

    assert go(tmp_path / "whole", samples=2).now == 16
    assert go(tmp_path / "cut", limit=3).now == 3
    done = go(tmp_path / "cut", samples=2)
    assert (done.before, done.now) == (3, 13)
    assert kept(tmp_path / "whole") == kept(tmp_path / "cut")
    assert len({json.dumps(line["turns"]) for line in lines(tmp_path / "whole")}) > 8


def test_a_search_that_does_not_end_is_an_error_and_no_reply(release: Release, tmp_path: Path) -> None:
    done = play(release, tmp_path / "a", "optimal", Choice(family="kumo"), nodes=1, clock=lambda: 0.0)
    assert (done.now + done.errors, done.errors, len(lines(tmp_path / "a"))) == (8, done.missing, done.now)
    assert done.errors > 0 and "budget" in done.last
    assert all("budget" in line["error"] for line in lines(companion(tmp_path / "a", ".errors.jsonl")))


def test_dialogues_that_a_player_does_not_know_are_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One row of several truths, and a release of thousands was not played at all."""
    part = {"family": "kumo", "params": {"domain": "invented", "valid": [1, 2]}, "counts": {"test": 3}}
    folder, out = tmp_path / "release", tmp_path / "replies.jsonl"
    release_of({"name": "both", "seed": "both", "strata": [part]})(folder)
    command = ["run", str(folder), "--player", "kumo_compat", "--samples", "2", "--out"]
    told = "2 dialogues were passed over: --player kumo_compat: the published search knows games in which one truth holds"
    for _ in range(2):  # the second time all are there
        assert cli.main([*command, str(out)]) == 0
        printed = capsys.readouterr()
        assert f"4 of 4 replies in {out}" in printed.out
        assert [line for line in printed.err.splitlines() if "passed over" in line] == [f"{told}; choose another player"]
    rows = {row["id"]: json.loads(row["puzzle"])["spec"]["params"]["valid"] for row in all_rows(open_release(folder))}
    assert sorted(rows.values()) == [1, 1, 2] and {rows[line["id"]] for line in lines(out)} == {1}
    only = {"family": "kumo", "params": {"domain": "invented", "valid": 2}, "counts": {"test": 1}}
    release_of({"name": "two", "seed": "two", "strata": [only]})(tmp_path / "two")
    assert cli.main(["run", str(tmp_path / "two"), "--player", "kumo_compat", "--out", str(tmp_path / "none.jsonl")]) == 2
    assert "the published search knows games" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--player", "best"], "--player: expected one of random, greedy, optimal, kumo_compat, got 'best'"),
        (["--player", "greedy", "--model", "m"], "--model: a player asks no model"),
        (["--player", "greedy", "--turns", "3"], "--turns: a player asks no model"),
        (["--player", "greedy", "--family", "hanoi"], "has no such dialogues (split test, family hanoi); it has kumo test"),
        (["--model", "m"], "--base-url: missing; name a model and its endpoint, or a --player"),
        ([], "--base-url: missing"),
    ],
)
def test_what_no_player_can_do_is_told(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str], told: str
) -> None:
    assert cli.main(["run", str(folder), "--out", str(tmp_path / "a"), *flags]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and err.count("\n") == 1 and told in err


def test_rows_that_hide_nothing_are_not_played(release: Release, rows: list[Row], tmp_path: Path) -> None:
    """A row whose world was taken away would be played as if nothing could be found out."""
    (tmp_path / "a").write_text(json.dumps({"id": rows[0]["id"], "reply": right(rows[0])}) + "\n")
    assert score_files(rows, tmp_path / "a").games[0].dialogues == 1
    with pytest.raises(BadRow, match="hidden: expected what a dialogue hides"):
        Game({**rows[0], "hidden": None})
    with pytest.raises(BadParams, match="--player"):
        play(release, tmp_path / "b", "nobody", Choice(), clock=lambda: 0.0)


# ---- the report -------------------------------------------------------------------------------------------------------


def test_the_report_tells_of_games_and_compares_models_task_by_task(
    folder: Path, rows: list[Row], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A model's games are judged by their last message, or two models are compared by their means alone."""
    files = [tmp_path / "random.jsonl", tmp_path / "optimal.jsonl", tmp_path / "lost.jsonl"]
    for out in files[:2]:
        assert cli.main(["run", str(folder), "--player", out.stem, "--out", str(out)]) == 0
    turns = [{"reply": "<b>I wonder", "told": "<i>no move"}] * 12
    files[2].write_text("".join(json.dumps({"id": row["id"], "reply": "x", "turns": turns}) + "\n" for row in rows))
    assert cli.main(["report", str(folder), *map(str, files), "--answered", "--out", str(tmp_path / "page.html")]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-4].startswith("random player: 100.0 % right") and told[-2].startswith("lost: 0.0 % right")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Task by task" in page and "to kumo_compat, solved" in page and "game without an answer" in page
    assert page.count(" against ") >= 3
    mean = score_files(rows, files[0]).games[0].metrics["relative_exact_solved"]
    assert mean is not None and f"<b>{-mean.value:.2f}</b>" in page  # optimal against random: its relative count is 0
    assert "&lt;b&gt;I wonder" in page and "&lt;i&gt;no move" in page and "<i>no move" not in page


def test_the_scorer_alone_judges_dialogues(
    folder: Path, release: Release, rows: list[Row], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Games are judged by their last message alone where Puzzlemill is not installed."""
    out = tmp_path / "replies.jsonl"
    play(release, out, "random", Choice(), clock=lambda: 0.0)
    command = [sys.executable, "-I", str(folder / "scorer.zip"), "score", str(out), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={}, check=True)
    assert json.loads(done.stdout) == report(folder, out, capsys)
    assert json.loads(done.stdout)["games"][0]["dialogues"] == 8
