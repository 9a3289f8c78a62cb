"""People play dialogues: the page in a real browser, the server against pages and programs that are not it, the files."""

from __future__ import annotations

import base64
import hashlib
import json
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from browser import BROWSER, Page, browsing
from releases import Shared, release_of

from puzzlemill.cli import main
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.factory.make import make
from puzzlemill.factory.read import open_release
from puzzlemill.generators import families
from puzzlemill.kumo.people import MOST_BODY, MOST_NEW, NotYours, Server, Study, games_of
from puzzlemill.scoring.prompt import FORMATS, gold_reply
from puzzlemill.scoring.score import prepared, score

TOKEN, CODE = "a-token", "a-code"
PARTS = [
    {"family": "kumo", "params": {}, "counts": {"test": 3}, "reply_formats": ["json", "tags", "table"]},
    {"family": "kumo", "params": {"valid": 2}, "counts": {"test": 1}, "reply_formats": ["boxed"]},
    {"family": "sudoku", "params": {"size": 4}, "counts": {"test": 1}},
]


@pytest.fixture(scope="module")
def release(shared: Shared) -> Path:
    return shared("study", release_of({"name": "study", "seed": "w", "strata": PARTS}))


@pytest.fixture(scope="module")
def rows(release: Path) -> list[dict[str, Any]]:
    found = games_of(open_release(release), "test", 0, "kumo")
    assert len(found) == 4
    assert len(games_of(open_release(release), "test", 0)) == 5, "and a sudoku"
    return found


def study_of(rows: list[dict[str, Any]], out: Path) -> Study:
    """A study of its own second for each line, in which every player gets the same code."""
    ticks = count()
    return Study(rows, out, "w", lambda: float(next(ticks)), lambda: CODE)


@pytest.fixture
def study(rows: list[dict[str, Any]], tmp_path: Path) -> Iterator[Study]:
    with study_of(rows, tmp_path / "s.jsonl") as made:
        yield made


@contextmanager
def serving(study: Study) -> Iterator[Server]:
    with study, Server(study, 0, TOKEN) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def answer_of(row: dict[str, Any]) -> list[int]:
    found: list[int] = json.loads(row["answer"])
    return found


def outcomes_of(row: dict[str, Any]) -> list[int]:
    found: list[int] = json.loads(row["hidden"])["outcomes"]
    return found


def finish(study: Study, player: str, right: bool = True) -> None:
    """Answer the player's game, after one action."""
    state = study.state(player, CODE)
    row = study.rows[state["id"]]
    study.act(player, CODE, state["id"], 0, "action", [0])
    wrong = [t for t in range(len(state["truths"])) if t not in answer_of(row)]
    study.act(player, CODE, state["id"], 1, "answer", answer_of(row) if right else wrong[: state["choose"]])


# ---- in a browser


def begin(page: Page, url: str, name: str, code: str = "") -> None:
    page.open(url)
    for field, text in (("name", name), ("code", code)):
        page.value(f"document.getElementById('{field}').value = {json.dumps(text)}")
    page.value("document.getElementById('begin').click()")
    page.wait("!document.getElementById('play').hidden && document.querySelectorAll('#actions button').length > 0")


def shown(page: Page) -> str:
    return str(page.value("document.body.innerText"))


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine")
def test_a_person_plays_in_a_browser(release: Path, rows: list[dict[str, Any]], tmp_path: Path) -> None:
    """All games: the actions by their buttons, the answer by its boxes, one game broken off by a reload and a new server."""
    out = tmp_path / "study.jsonl"
    names: dict[str, Any] = {}
    with browsing(tmp_path / "profile") as page:
        with serving(study_of(rows, out)) as server:
            begin(page, server.url, "Ada")
            state = names["first"] = page.value("state")
            assert page.value("document.querySelectorAll('#truths input').length") == len(state["truths"])
            assert all(name in shown(page) for name in (*state["actions"], *state["truths"], state["title"], CODE))
            assert page.value("document.getElementById('answer').disabled") is True
            page.value("document.querySelector('[data-action=\"1\"]').click()")
            page.wait("document.querySelectorAll('#told li').length === 1")
            assert page.value("document.querySelector('[data-action=\"1\"]').disabled") is True
            page.value("document.querySelector('#truths button').click()")
            assert page.value("document.querySelector('#truths .truth').className") == "truth out"
            assert len(lines(out.with_name("study.jsonl.moves.jsonl"))) == 2 and not lines(out)
        with serving(study_of(rows, out)) as server:
            page.open(server.url)
            page.value("document.getElementById('name').value = 'Ada'; document.getElementById('begin').click()")
            page.wait("!document.getElementById('error').hidden")
            assert "somebody plays under this name" in shown(page)
            begin(page, server.url, " Ada ", f" {CODE.upper()} ")
            begin(page, server.url, "Ada")  # a reload needs no code
            again = page.value("state")
            assert (again["id"], again["done"], again["told"]) == (state["id"], [1], [page.value("state.told[0]")])
            for game in range(len(rows)):
                state = page.value("state")
                row = next(row for row in rows if row["id"] == state["id"])
                taken = len(state["done"])
                page.value("[...document.querySelectorAll('#actions button')].find(each => !each.disabled).click()")
                page.wait(f"document.querySelectorAll('#told li').length === {taken + 1}")
                for t in answer_of(row):
                    page.value(f"document.querySelector('[data-truth=\"{t}\"]').click()")
                page.value("document.getElementById('answer').click()")
                page.wait("!document.getElementById('end').hidden")
                assert page.value("document.getElementById('end').className") == "yes"
                if game == 0:
                    assert len(page.picture(1300, 900)) > 10_000
                page.value("document.getElementById('next').click()")
                page.wait(f"state.finished === {game + 1} && (state.over || state.solved === null)")
            assert "last task" in shown(page)
        # the browser notes the refusal of the wrong code
        assert [problem for problem in page.problems if "403 (Forbidden)" not in problem] == []
    done = lines(out)
    assert sorted(line["id"] for line in done) == sorted(row["id"] for row in rows)
    assert {(line["sample"], line["player"]) for line in done} == {(0, "Ada")}
    assert [len(line["turns"]) for line in done] == [3, 2, 2, 2]
    assert main(["score", str(release), str(out)]) == 0


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine")
def test_the_page_runs_nothing_of_others(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    """What a row or an outcome says is text, whatever it looks like, and the policy stops what is no script of the page."""
    evil = dict(rows[0])
    evil["puzzle"] = evil["puzzle"].replace(json.loads(evil["puzzle"])["board"]["truths"][0], "<img src=x onerror=alert(1)>")
    with browsing(tmp_path / "profile") as page, serving(study_of([evil], tmp_path / "s.jsonl")) as server:
        begin(page, server.url, "Eve")
        assert "<img src=x" in shown(page) and page.value("document.images.length") == 0
        page.value("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'}))")
        assert page.value("window.ran") is None
        assert any("Content Security Policy" in problem for problem in page.problems)


# ---- the server


def request(server: Server, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes, dict[str, str]]:
    line = HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    named = {"Host": f"127.0.0.1:{server.server_port}", "X-Study": TOKEN} | {k.replace("_", "-"): v for k, v in headers.items()}
    line.request(method, path, body, {**named, "Content-Length": headers.get("Content_Length", str(len(body)))})
    answer = line.getresponse()
    found = answer.status, answer.read(), dict(answer.headers)
    line.close()
    return found


def test_the_server_answers_its_own_page_only(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    with serving(study_of(rows, tmp_path / "s.jsonl")) as server:
        status, page, headers = request(server, "GET", "/")
        assert (status, TOKEN.encode() in page) == (200, True)
        assert "'unsafe-inline'" not in headers["Content-Security-Policy"]
        asked = json.dumps({"player": "Bo"}).encode()
        assert request(server, "POST", "/state", asked)[0] == 200
        assert request(server, "GET", "/", Host="evil.example")[0] == 403
        assert request(server, "POST", "/state", asked, Host="evil.example")[0] == 403
        assert request(server, "POST", "/state", asked, X_Study="other")[0] == 403
        assert request(server, "GET", "/../../etc/passwd")[0] == 404
        for path, body in (
            ("/state", b"[]"),
            ("/state", b"{"),
            ("/state", b"[" * 60_000),
            ("/state", json.dumps({"player": 3}).encode()),
            ("/state", json.dumps({"player": "<b>"}).encode()),
            ("/state", json.dumps({"player": "x" * 41}).encode()),
            ("/other", asked),
            ("/move", asked),
            ("/move", json.dumps({"player": "Bo", "id": "x", "turn": "0", "kind": "action", "choice": [0]}).encode()),
        ):
            status, said, _ = request(server, "POST", path, body)
            assert status == 400 and b"\n" not in said, (path, body[:40], said)
        assert request(server, "POST", "/state", b"", Content_Length=str(MOST_BODY + 1))[0] == 400
        with pytest.raises(BadParams, match="--port"):
            Server(server.study, server.server_port, TOKEN)


def test_the_page_is_told_what_came_out_and_nothing_else(study: Study) -> None:
    """These are all the keys; outcomes are told one by one, and whether the answer was right at the end only."""
    state = study.state("Cy")
    keys = {
        *("player", "finished", "games", "over", "id", "title", "text", "question", "actions_plural", "truths_plural"),
        *("kind", "truths", "choose", "actions", "done", "told", "left", "solved"),
    }
    assert set(state) == keys | {"code"} and (state["told"], state["done"], state["solved"]) == ([], [], None)
    row = study.rows[state["id"]]
    board = json.loads(row["puzzle"])["board"]
    action = next(a for a, each in enumerate(board["actions"]) if each["outcomes"])
    later = study.act("Cy", CODE, state["id"], 0, "action", [action])
    assert set(later) == keys and (later["done"], later["solved"], len(later["told"])) == ([action], None, 1)
    for s, clause in enumerate(board["actions"][action]["outcomes"]):
        assert (clause in later["told"][0].lower()) == (s == outcomes_of(row)[action])


# ---- games and files


def test_a_page_that_is_not_up_to_date_changes_nothing(study: Study) -> None:
    state = study.state("Di")
    one = study.act("Di", CODE, state["id"], 0, "action", [0])
    assert study.act("Di", CODE, state["id"], 0, "action", [1]) == one  # a second click on an old page
    assert study.act("Di", CODE, "another", 1, "action", [1]) == one
    assert study.next("Di", CODE) == one, "a game is not left before it is over"
    for kind, choice in (("action", [99]), ("action", [0, 1]), ("answer", []), ("answer", [0, 0]), ("answer", [-1]), ("x", [0])):
        with pytest.raises(BadParams, match="choice"):
            study.act("Di", CODE, state["id"], 1, kind, choice)
    assert study.state("Di", CODE) == one


def test_players_have_orders_of_their_own_and_play_every_row_once(study: Study) -> None:
    for player in ("Ada", "Bo", "Cy"):
        for game in range(len(study.rows)):
            finish(study, player, right=game > 0)
            study.next(player, CODE)
        assert study.state(player, CODE)["over"]
    done = lines(study.out)
    orders = {player: [line["id"] for line in done if line["player"] == player] for player in ("Ada", "Bo", "Cy")}
    assert all(sorted(order) == sorted(study.rows) for order in orders.values())
    assert len({tuple(order) for order in orders.values()}) > 1
    assert {(line["player"], line["sample"]) for line in done} == {("Ada", 0), ("Bo", 1), ("Cy", 2)}


def test_a_study_goes_on_after_any_end(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    """Cut the file of moves after every byte of its last two lines: nothing that was whole is lost, nothing is played twice."""
    out = tmp_path / "s.jsonl"
    with study_of(rows, out) as study:
        finish(study, "Ada")
        study.next("Ada", CODE)
        state = study.state("Ada", CODE)
        last = study.act("Ada", CODE, state["id"], 0, "action", [3])
    moves = tmp_path / "s.jsonl.moves.jsonl"
    whole, finished = moves.read_bytes(), out.read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
    for cut in range(ends[-3], len(whole) + 1, 7):
        moves.write_bytes(whole[:cut])
        out.write_bytes(b"" if cut < ends[-1] else finished)
        with study_of(rows, out) as again:
            kept = sum([end <= cut for end in ends])
            assert moves.read_bytes() == whole[: ends[kept - 1]], cut
            if kept >= len(ends) - 1:  # the first game's answer is there
                assert out.read_bytes() == finished
            now = again.state("Ada", CODE)
            assert now["done"] == {len(ends) - 2: [0], len(ends) - 1: [0], len(ends): [3]}[kept]
    for cut in range(len(finished)):  # the line of a finished game was being written
        moves.write_bytes(whole)
        out.write_bytes(finished[:cut])
        with study_of(rows, out) as again:
            assert out.read_bytes() == finished
            assert cut % 50 or again.state("Ada", CODE) == last


def test_one_study_at_a_time_writes_to_a_file(release: Path, rows: list[dict[str, Any]], tmp_path: Path) -> None:
    """Two servers would give one number to two players, and both would write half of what the other reads."""
    out = tmp_path / "s.jsonl"
    with study_of(rows, out) as study:
        finish(study, "Ada")
        before = out.read_bytes(), (tmp_path / "s.jsonl.moves.jsonl").read_bytes()
        with pytest.raises(BadFile, match="is being written by another study or run; wait for it, or name another file"):
            study_of(rows, out)
        assert main(["study", str(release), "--out", str(out)]) == 2
        assert main(["run", str(release), "--player", "random", "--out", str(out)]) == 2
        assert (out.read_bytes(), (tmp_path / "s.jsonl.moves.jsonl").read_bytes()) == before
    with study_of(rows, out) as study:
        assert study.state("Ada", CODE)["finished"] == 1


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes, as on a full disk; Python ignores the signal that comes with the error."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("room", [0, 1, 20, 100])
def test_a_full_disk_in_a_game(rows: list[dict[str, Any]], tmp_path: Path, room: int) -> None:
    """A move that nobody wrote down counts, half a line stays, or what comes later is joined to it."""
    out = tmp_path / "s.jsonl"
    moves = tmp_path / "s.jsonl.moves.jsonl"
    with study_of(rows, out) as study:
        state = study.state("Ada", CODE)
        row, end = state["id"], answer_of(study.rows[state["id"]])
        one = study.act("Ada", CODE, row, 0, "action", [0])
        before = moves.read_bytes()
        with room_for(len(before) + room):
            for _ in range(2):
                with pytest.raises(BadFile, match=r"moves.jsonl: cannot be written .*; it goes on from here once it can"):
                    study.act("Ada", CODE, row, 1, "action", [1])
            with pytest.raises(BadFile, match="cannot be written"):
                study.state("Bo")
            assert moves.read_bytes() == before and study.state("Ada", CODE) == one
        assert study.act("Ada", CODE, row, 1, "action", [2])["done"] == [0, 2]
        out.write_bytes(b"\n" * 100_000)  # the move has room, and the line of the finished game has none
        with room_for(100_000 + room), pytest.raises(BadFile, match=r"s.jsonl: cannot be written"):
            study.act("Ada", CODE, row, 2, "answer", end)
        out.write_bytes(b"")
        assert study.act("Ada", CODE, row, 2, "answer", end)["solved"] is True  # the page has not seen it
        assert study.next("Ada", CODE)["finished"] == 1
        assert "code" in study.state("Bo")
    assert [line["turn"] for line in lines(moves) if "turn" in line] == [1, 2, 3]
    assert [(line["id"], len(line["turns"])) for line in lines(out)] == [(row, 3)]
    with study_of(rows, out) as study:
        assert study.state("Ada", CODE)["finished"] == 1 and list(study.players) == ["Ada", "Bo"]


def test_half_a_line_that_stayed_is_cut_off(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    """A disk that could not even be made shorter: the next line would be joined to the half."""
    with study_of(rows, tmp_path / "s.jsonl") as study:
        state = study.state("Ada", CODE)
        for path in (study.out, study.moves_file):
            with path.open("ab") as file:
                file.write(b'{"player": "Ada", "id"')
        study.act("Ada", CODE, state["id"], 0, "answer", answer_of(study.rows[state["id"]]))
        assert len(lines(study.out)) == 1 and len(lines(study.moves_file)) == 2


def test_a_flood_of_players_is_held_back(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    """A program in a loop takes all places; those who play already are not disturbed, and a clock that is set back is no lock."""
    now = 1000.0
    with serving(Study(rows, tmp_path / "s.jsonl", "w", lambda: now, lambda: CODE)) as server:
        study = server.study
        for number in range(MOST_NEW):
            study.state(f"P{number}")
        asked = json.dumps({"player": "late"}).encode()
        status, said, _ = request(server, "POST", "/state", asked)
        assert status == 429 and b"begin again in a minute" in said
        assert study.state("P0", CODE)["finished"] == 0
        now += 59
        with pytest.raises(BadParams, match="new players have come within a minute"):
            study.state("late")
        now += 1
        study.state("late")
        now = 5.0
        study.state("later")
    assert len(lines(study.moves_file)) == MOST_NEW + 2


def test_a_name_is_its_players(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    """Who has the page could play on under any name, see what came out there, and spoil it."""
    codes = iter(["first", "second", "third"])
    out = tmp_path / "s.jsonl"
    move = {"turn": 0, "kind": "action", "choice": [0]}
    with serving(Study(rows, out, "w", lambda: 0.0, lambda: next(codes))) as server:

        def ask(path: str, **fields: Any) -> tuple[int, dict[str, Any]]:
            status, said, _ = request(server, "POST", path, json.dumps(fields).encode())
            return status, json.loads(said) if status == 200 else {}

        ada, bo = ask("/state", player="Ada")[1], ask("/state", player="Bo")[1]
        assert (ada["code"], bo["code"]) == ("first", "second")
        before = study_files(out)
        for code in ({}, {"code": ""}, {"code": "second"}, {"code": hashlib.sha256(b"first").hexdigest()}, {"code": "\ud800"}):
            for path, more in (("/state", {}), ("/next", {}), ("/move", {**move, "id": ada["id"]})):
                assert ask(path, player="Ada", **code, **more) == (403, {}), (path, code)
        assert ask("/next", player="Cy", code="x") == (403, {}), "only who begins gets a name"
        assert ask("/state", player="Ada", code=1) == (400, {})
        assert study_files(out) == before
        status, told = ask("/move", player="Ada", code="first", id=ada["id"], **move)
        assert status == 200 and told["done"] == [0] and "code" not in told
    assert "first" not in study_files(out)
    with study_of(rows, out) as study:
        assert study.state("Ada", "first") == told
        with pytest.raises(NotYours, match="give the code that was shown when you began, or take another name"):
            study.state("Ada", "second")
    # who has lost the code: take it out of the file, and the next one who comes under the name gets another
    text = study.moves_file.read_text()
    study.moves_file.write_text(text.replace(hashlib.sha256(b"first").hexdigest(), ""))
    with study_of(rows, out) as study:
        assert study.state("Ada") == told | {"code": CODE}
        assert study.players == {"Ada": 0, "Bo": 1}


def study_files(out: Path) -> str:
    return out.read_text() + out.with_name(out.name + ".moves.jsonl").read_text()


def test_files_of_something_else_are_refused_and_kept(rows: list[dict[str, Any]], tmp_path: Path) -> None:
    out = tmp_path / "s.jsonl"
    moves = tmp_path / "s.jsonl.moves.jsonl"
    line = json.dumps({"player": "A", "id": rows[0]["id"], "reply": "neither"}) + "\n"
    for text in (
        '{"player": 1}\n',
        "no JSON\n",
        '{"player": "A", "id": "x", "reply": "y"}\n',
        '{"player": "A", "id": ["x"], "reply": "y"}\n',
        line * 100,  # moves in a game that is over
    ):
        moves.write_text(text)
        with pytest.raises(BadFile, match="name another"):
            study_of(rows, out)
        assert moves.read_text() == text
        out.unlink()
    moves.write_text("")
    out.write_text('{"id": "other", "reply": ""}\n')
    with pytest.raises(BadFile):
        study_of(rows, out)
    assert out.read_text() == '{"id": "other", "reply": ""}\n'


def test_a_release_without_such_rows_is_refused(release: Path, tmp_path: Path) -> None:
    for split, family in (("train", ""), ("test", "zebra")):
        with pytest.raises(BadParams, match="has no rows of family"):
            games_of(open_release(release), split, 0, family)
    assert main(["study", str(release), "--split", "train", "--out", str(tmp_path / "x")]) == 2


# ---- puzzles


@pytest.fixture(scope="module")
def puzzles() -> list[dict[str, Any]]:
    """A row of every family that is no dialogue, in different formats, and some that ask for less or may have no answer."""
    names = [name for name in sorted(families()) if name != "kumo"]
    made = [make(name, reply_format=FORMATS[i % 4]) for i, name in enumerate(names)]
    made += [make("sudoku", size=6, transforms=["clash"], reply_format=form) for form in ("json", "table")]
    made += [make("kumo", told=True, domain="invented"), make("ordering", index=3, reply_format="boxed")]
    return made


def typed(row: dict[str, Any]) -> tuple[str, list[str]]:
    """What a person does who is right."""
    case = prepared(row)
    if row["answer"] is None:
        return "none", []
    text = gold_reply(case.puzzle, case.gold, "tags").removeprefix("<answer>").removesuffix("</answer>")
    return "lines", text.strip().splitlines()


def test_every_family_is_served(puzzles: list[dict[str, Any]], tmp_path: Path) -> None:
    """A right answer that is typed is not taken, or is scored as wrong when its file is read."""
    out = tmp_path / "s.jsonl"
    with study_of(puzzles, out) as study:
        for _ in puzzles:
            state = study.next("Ada", CODE) if "Ada" in study.players else study.state("Ada")
            row = study.rows[state["id"]]
            assert (state["kind"], state["solved"], state["told"]) == ("puzzle", None, [])
            assert row["prompt"].startswith(state["text"][:200]), "a person reads what a model reads"
            assert base64.b64decode(state["picture"].partition("base64,")[2]).startswith(b"<svg")
            kind, lines_of = typed(row)
            with pytest.raises(BadParams, match=r"not counted|expected the lines"):
                study.act("Ada", CODE, state["id"], 0, "lines", ["what?"])
            told = study.act("Ada", CODE, state["id"], 0, kind, lines_of)
            assert (told["solved"], told["told"]) == (True, ["That is right."]), row["family"]
        assert study.next("Ada", CODE)["over"] is True
    by_id = {row["id"]: row for row in puzzles}
    assert len(lines(out)) == len(puzzles)
    for line in lines(out):
        assert "turns" not in line and score(line["reply"], by_id[line["id"]]).solved
    with study_of(puzzles, out) as study:
        assert study.state("Ada", CODE)["finished"] == len(puzzles)


def test_a_wrong_answer_ends_a_puzzle(puzzles: list[dict[str, Any]], tmp_path: Path) -> None:
    row = next(row for row in puzzles if row["family"] == "binario")
    right = typed(row)[1]
    wrong = [right[0].translate(str.maketrans("01", "10")), *right[1:]]
    with study_of([row], tmp_path / "s.jsonl") as study:
        state = study.state("Ada")
        assert [len(line) for line in state["cells"]] == [len(line.split()) for line in right]
        with pytest.raises(BadParams, match=r"places are still open|cannot be read"):
            study.act("Ada", CODE, row["id"], 0, "lines", [right[0].replace("0", "."), *right[1:]])
        with pytest.raises(BadParams, match="expected the lines"):
            study.act("Ada", CODE, row["id"], 0, "none", [])
        told = study.act("Ada", CODE, row["id"], 0, "lines", wrong)
        assert (told["solved"], told["told"]) == (False, ["That is not right."])
    assert [score(line["reply"], row).why for line in lines(tmp_path / "s.jsonl")] == ["wrong"]


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine")
def test_a_person_solves_puzzles_in_a_browser(puzzles: list[dict[str, Any]], tmp_path: Path) -> None:
    """Cells of a sudoku, the lines of a route, and the claim that there is no solution."""
    wanted = {"sudoku", "hanoi", "crossword"}
    some = [row for row in puzzles if row["family"] in wanted]
    with browsing(tmp_path / "profile") as page, serving(study_of(some, tmp_path / "s.jsonl")) as server:
        page.open(server.url)
        page.value("document.getElementById('name').value = 'Ada'")
        page.value("document.getElementById('begin').click()")
        for number in range(len(some)):
            page.wait("!document.getElementById('play').hidden && state && state.solved === null")
            state = page.value("state")
            row = next(row for row in some if row["id"] == state["id"])
            kind, right = typed(row)
            page.wait("document.images.length === 1 && document.images[0].naturalWidth > 50")
            if kind == "none":
                page.value("document.getElementById('none').click()")
            else:
                if state["cells"]:
                    fill = (
                        "(rows) => [...document.getElementById('cells').rows].slice(1).forEach((line, r) => "
                        "line.querySelectorAll('input').forEach((each, c) => { if (!each.readOnly) each.value = rows[r][c]; }))"
                    )
                    page.value(f"({fill})({json.dumps([line.split() for line in right])})")
                else:
                    page.value(f"document.getElementById('lines').value = {json.dumps(chr(10).join(right))}")
                page.value("document.getElementById('send').click()")
            page.wait("!document.getElementById('end').hidden")
            assert page.value("document.getElementById('end').className") == "yes", row["family"]
            (tmp_path / f"{number}.png").write_bytes(page.picture(1300, 900))
            page.value("document.getElementById('next').click()")
            page.wait(f"state.finished === {number + 1} && (state.over || state.solved === null)")
        assert "last task" in shown(page) and page.problems == []
