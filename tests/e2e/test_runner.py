"""Asking a model over HTTP: what is written, what is asked again, and what an endpoint can do wrong."""

from __future__ import annotations

import gzip
import io
import itertools
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import log2
from pathlib import Path
from typing import Any

import pytest
from model_server import Act, Acts, Model, asked_text, error, serving
from releases import Shared, release_of

from puzzlemill import cli
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.rng import stream
from puzzlemill.envs import run as runner
from puzzlemill.envs.endpoint import LONGEST_WAIT, Address, _wait, budget_fields, merged
from puzzlemill.envs.fewshot import Examples, FewShot
from puzzlemill.envs.run import GIVE_UP, Choice, Done, Settings, companion, run
from puzzlemill.factory.files import append
from puzzlemill.factory.read import Release, open_release
from puzzlemill.factory.read import rows as all_rows
from puzzlemill.scoring.prompt import gold_reply
from puzzlemill.scoring.score import prepared, score

RECIPE = {
    "name": "asked",
    "seed": "runner",
    "strata": [
        {
            "family": "sudoku",
            "params": {"size": 6},
            "variants": [{"name": "unsolvable", "transforms": ["clash"]}],
            "counts": {"test": 4, "train": 1},
            "reply_formats": ["json", "tags", "boxed", "table"],
        },
        {"family": "hanoi", "params": {"pegs": [3, 4], "disks": [3]}, "counts": {"test": 2}},
    ],
}
KEY = "sk-not-to-be-told-0123456789"
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def folder(shared: Shared) -> Path:
    return shared("asked", release_of(RECIPE))


@pytest.fixture(scope="module")
def release(folder: Path) -> Release:
    return open_release(folder)


@pytest.fixture(scope="module")
def rows(release: Release) -> Rows:
    """The test rows: four sudokus, each with an unsolvable one, in every format, and two towers."""
    return [row for row in all_rows(release) if row["split"] == "test"]


@pytest.fixture
def gold(release: Release) -> Acts:
    return Acts({row["prompt"]: [Act(row["gold_reply"])] for row in all_rows(release)})


@pytest.fixture
def model(gold: Acts) -> Iterator[Model]:
    """A server whose acts a test may change: model.script.acts."""
    with serving(gold) as server:
        yield server


def acts_of(model: Model) -> dict[str, list[Act]]:
    assert isinstance(model.script, Acts)
    acts: dict[str, list[Act]] = model.script.acts
    return acts


class Sleeper:
    def __init__(self) -> None:
        self.waits: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.waits.append(seconds)


def ask(
    release: Release,
    out: Path,
    url: str,
    settings: Settings | None = None,
    *,
    sleep: Sleeper | None = None,
    key: str = "",
    retries: int = 5,
    timeout: float = 20.0,
    concurrency: int = 4,
    examples: Examples | None = None,
    **choice: Any,
) -> Done:
    ticks = iter(range(1_000_000))
    return run(
        release,
        out,
        settings or Settings("tiny"),
        Choice(**choice),
        Address(url, key, timeout, retries),
        examples=examples,
        concurrency=concurrency,
        clock=lambda: float(next(ticks)),
        sleep=sleep or Sleeper(),
    )


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def errors(out: Path) -> list[dict[str, Any]]:
    return lines(companion(out, ".errors.jsonl"))


# ---- what is asked and written --------------------------------------------------------------------------------------


def test_a_model_that_is_always_right_scores_one(
    folder: Path, rows: Rows, model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Prompts are changed on their way, or replies on theirs back."""
    monkeypatch.setenv("SOME_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    out = tmp_path / "new" / "replies.jsonl"
    command = ["run", str(folder), "--base-url", model.url, "--model", "tiny", "--out", str(out)]
    command += ["--samples", "2", "--seed", "5", "--temperature", "0.5", "--api-key-env", "SOME_KEY"]
    assert cli.main(command) == 0
    told = capsys.readouterr().out
    assert f"20 of 20 replies in {out}; tokens: completion 140, prompt 2000, reasoning 40" in told
    assert f"next: puzzlemill score {folder} {out}; " in told
    assert cli.main(["score", str(folder), str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["sections"][0]["metrics"]["exact"]["value"], told["sections"][0]["replies"]) == (1.0, 20)
    assert sorted((line["id"], line["sample"]) for line in lines(out)) == sorted((row["id"], k) for row in rows for k in (0, 1))
    line = lines(out)[0]
    assert set(line) == {"id", "sample", "reply", "finish_reason", "usage", "calls", "retries", "seconds"}
    assert (line["finish_reason"], line["usage"], line["calls"]) == ("stop", {"prompt": 100, "completion": 7, "reasoning": 2}, 1)
    assert {asked.path for asked in model.asked} == {"/v1/chat/completions"}
    assert {asked.headers["Authorization"] for asked in model.asked} == {f"Bearer {KEY}"}
    assert {tuple(sorted(asked.body)) for asked in model.asked} == {("messages", "model", "seed", "temperature")}
    assert Counter(asked.body["seed"] for asked in model.asked) == {5: 10, 6: 10}
    assert all(KEY not in path.read_text() for path in out.parent.iterdir())
    before = out.read_bytes()
    assert cli.main(command) == 0
    assert (out.read_bytes(), len(model.asked)) == (before, 20)


def test_settings_stand_in_the_request(release: Release, model: Model, tmp_path: Path) -> None:
    settings = Settings(
        "tiny",
        max_tokens=99,
        top_p=0.5,
        reasoning_effort="high",
        reasoning_budget=64,
        server="sglang",
        system="Be brief.",
        extra_body={"top_k": 3, "chat_template_kwargs": {"enable_thinking": True}, "max_tokens": None},
    )
    ask(release, tmp_path / "a", model.url, settings, limit=1, family="hanoi")
    (asked,) = model.asked
    system, user = asked.body.pop("messages")
    assert (system, user["role"]) == ({"role": "system", "content": "Be brief."}, "user")
    assert asked.body == {
        "model": "tiny",
        "top_p": 0.5,
        "reasoning_effort": "high",
        "custom_params": {"thinking_budget": 64},
        "chat_template_kwargs": {"thinking_budget": 64, "enable_thinking": True},
        "top_k": 3,
    }
    assert "Authorization" not in asked.headers


def test_reasoning_is_kept_apart_from_the_reply(release: Release, rows: Rows, model: Model, tmp_path: Path) -> None:
    """Thoughts would be scored, or lost."""
    odd, parts, other = rows[0], rows[1], rows[2]
    thinking = {"type": "thinking", "thinking": "hm"}
    content = [thinking, {"type": "text", "text": parts["gold_reply"]}, {"type": ["?"]}, 3]
    acts = acts_of(model)
    acts[odd["prompt"]] = [Act("no idea \ud800", reasoning="let me see")]
    acts[parts["prompt"]] = [Act(body=json.dumps({"choices": [{"message": {"content": content}}]}).encode())]
    acts[other["prompt"]] = [Act(None, reason="length", reasoning="let me")]
    ask(release, tmp_path / "a", model.url)
    found = {line["id"]: line for line in lines(tmp_path / "a")}
    assert (found[odd["id"]]["reply"], found[odd["id"]]["reasoning"]) == ("no idea \ud800", "let me see")
    assert (found[parts["id"]]["reply"], found[parts["id"]]["reasoning"]) == (parts["gold_reply"], "hm")
    assert (found[parts["id"]]["usage"], found[parts["id"]]["finish_reason"]) == ({}, "")
    assert (found[other["id"]]["reply"], found[other["id"]]["finish_reason"]) == ("", "length")


def test_calls_at_a_time_are_limited_and_used(release: Release, model: Model, tmp_path: Path) -> None:
    """One call after the other, or more than the endpoint was to bear."""
    three, gate = threading.Semaphore(0), threading.Event()
    gold = model.script

    def script(body: dict[str, Any]) -> Act:
        act = gold(body)
        three.release()
        gate.wait(20)
        return act

    def open_gate() -> None:
        for _ in range(3):
            three.acquire(timeout=20)
        gate.set()

    model.script = script
    opener = threading.Thread(target=open_gate)
    opener.start()
    done = ask(release, tmp_path / "a", model.url, concurrency=3)
    opener.join()
    assert (done.missing, model.most) == (0, 3)


# ---- going on -------------------------------------------------------------------------------------------------------


def started(folder: Path, url: str, out: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "puzzlemill.cli", "run", str(folder), "--base-url", url, "--model", "tiny"]
    command += ["--out", str(out), "--samples", "2", "--concurrency", "3"]
    env = {**os.environ, "NO_PROXY": "127.0.0.1"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def waiting_for(condition: Any) -> None:
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    pytest.fail("the run did not get there")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_was_stopped_goes_on(
    folder: Path, release: Release, rows: Rows, model: Model, tmp_path: Path, how: signal.Signals
) -> None:
    """Finished replies are lost, or paid for twice."""
    out = tmp_path / "replies.jsonl"
    gold, gate, count = model.script, threading.Event(), iter(range(1000))

    def script(body: dict[str, Any]) -> Act:
        act = gold(body)
        return act if next(count) < 5 else Act(act.text, until=gate)

    model.script = script
    with started(folder, model.url, out) as process:
        waiting_for(lambda: out.exists() and out.read_bytes().count(b"\n") == 5 and len(model.asked) == 8)
        process.send_signal(how)
        _, told = process.communicate(timeout=30)
    gate.set()
    code, word = {signal.SIGKILL: (-9, ""), signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}[how]
    assert process.returncode == code
    if word:
        assert told.splitlines()[-1] == f"{word}; the same command goes on where this one stopped: {out}"
        assert "Traceback" not in told
    finished = {(line["id"], line["sample"]) for line in lines(out)}
    if how is signal.SIGKILL:
        with out.open("ab") as file:
            file.write(b'{"id": "sudoku-1", "sample": 0, "rep')  # killed while it wrote
    model.asked.clear()
    done = ask(release, out, model.url, samples=2)
    assert (done.wanted, done.before, done.now) == (20, 5, 15)
    pairs = [(line["id"], line["sample"]) for line in lines(out)]
    assert sorted(pairs) == sorted((row["id"], k) for row in rows for k in (0, 1))
    prompts = {row["prompt"]: row["id"] for row in rows}
    asked = Counter(prompts[asked_text(one.body)] for one in model.asked)
    assert asked == Counter(name for name, _ in set(pairs) - finished)


def test_a_last_line_is_completed_or_cut_off(release: Release, model: Model, tmp_path: Path) -> None:
    out = tmp_path / "a"
    ask(release, out, model.url)
    whole = out.read_bytes()
    out.write_bytes(whole[:-1])
    assert ask(release, out, model.url).before == 10
    assert out.read_bytes() == whole
    out.write_bytes(whole[:-2])
    done = ask(release, out, model.url)
    assert (done.before, done.now, len(lines(out))) == (9, 1, 10)


def test_more_samples_and_more_rows_can_be_asked_later(release: Release, model: Model, tmp_path: Path) -> None:
    out = tmp_path / "a"
    assert ask(release, out, model.url, limit=1).wanted == 3  # of each family one group; of sudoku a pair
    assert ask(release, out, model.url, family="sudoku").now == 6
    assert ask(release, out, model.url, samples=2).now == 11
    assert ask(release, out, model.url, split="").now == 2
    assert len(lines(out)) == 22


def test_replies_asked_in_another_way_are_not_mixed(release: Release, model: Model, tmp_path: Path) -> None:
    out = tmp_path / "a"
    ask(release, out, model.url, Settings("tiny", temperature=0.5), limit=1)
    before = out.read_bytes()
    with pytest.raises(BadFile, match=r'replies asked with --model "tiny", now "big"; ask in the same way, or name another file'):
        ask(release, out, model.url, Settings("big", temperature=0.5))
    with pytest.raises(BadFile, match=r"--temperature 0\.5, now null"):
        ask(release, out, model.url)
    with pytest.raises(BadFile, match="holds replies for another release"):
        ask(
            replace(release, files={path: replace(entry, sha256="0" * 64) for path, entry in release.files.items()}),
            out,
            model.url,
        )
    companion(out, ".run.json").unlink()
    with pytest.raises(BadFile, match=r"holds replies, but no a\.run\.json tells how they were asked"):
        ask(release, out, model.url)
    assert out.read_bytes() == before


def test_examples_stand_before_the_prompts(release: Release, rows: Rows, model: Model, tmp_path: Path) -> None:
    """A few-shot run asks without examples, or its replies are mixed with those of a run that did."""
    few, out = Examples(release, FewShot(1)), tmp_path / "few.jsonl"
    asked = {few.prompt(row): [Act(row["gold_reply"])] for row in rows}
    longer = [prompt for prompt, row in zip(asked, rows, strict=True) if prompt != row["prompt"]]
    assert longer and len(longer) == few.given.total() and few.without["hanoi"] == 2
    model.script = Acts(asked)
    examples = Examples(release, FewShot(1))
    done = ask(release, out, model.url, examples=examples, samples=2)
    assert (done.missing, done.errors) == (0, 0)
    assert Counter(asked_text(one.body) for one in model.asked) == Counter(dict.fromkeys(asked, 2))
    assert examples.given == few.given  # each row once
    with pytest.raises(BadFile, match="asked with --few-shot 1, now null"):
        ask(release, out, model.url, samples=3)


def test_two_runs_do_not_write_to_one_file(release: Release, model: Model, tmp_path: Path) -> None:
    out = tmp_path / "a"
    header = runner._header(release, Settings("tiny"))
    with runner._File(out, header, model.url, set()), pytest.raises(BadFile, match="is being written by another run"):
        ask(release, out, model.url)
    assert ask(release, out, model.url).missing == 0


# ---- what goes wrong ------------------------------------------------------------------------------------------------


def test_what_may_pass_is_tried_again(
    release: Release, rows: Rows, model: Model, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One bad second of an endpoint costs a reply, tries follow without a pause, or nobody sees them."""
    caplog.set_level("INFO", "puzzlemill")
    right = Act(rows[0]["gold_reply"])
    acts_of(model)[rows[0]["prompt"]] = [
        error(429, Retry_After="7"),
        error(500),
        error(503, Retry_After="99999999"),
        Act(drop=0),
        Act(rows[0]["gold_reply"], drop=20),
        error(429, Date="Sun, 22 Nov 2026 04:00:00 GMT", Retry_After="Sun, 22 Nov 2026 04:00:30 GMT"),
        error(429, Retry_After="soon"),
        right,
    ]
    sleep = Sleeper()
    done = ask(release, tmp_path / "a", model.url, sleep=sleep, retries=7)
    assert (done.missing, done.errors) == (0, 0)
    assert next(line["retries"] for line in lines(tmp_path / "a") if line["id"] == rows[0]["id"]) == 7
    assert len({waited / 2 ** round(log2(waited)) for waited in sleep.waits}) > 3  # not all who wait come back at once
    for waited, least in zip(sleep.waits, [7, 2, 120, 8, 16, 30, 60], strict=True):
        assert least <= waited <= min(120.0, least * 1.25)
    assert not companion(tmp_path / "a", ".errors.jsonl").exists()
    logged = [record.getMessage() for record in caplog.records if record.name == "puzzlemill.envs.endpoint"]
    assert len(logged) == 7 and logged[1].startswith("status 500") and "; try 3 of 8 in " in logged[1]


@pytest.mark.parametrize(
    ("asked", "date"),
    [
        ("Mon, 01 Jan 99999999999 00:00:00 GMT", "Mon, 01 Jan 2026 00:00:00 GMT"),
        ("Mon, 01 Jan 2026 00:00:00 GMT", "Mon, 01 Jan 2026 00:00:00 +999999999999999999"),
        ("9" * 400, ""),
        ("\u0663", ""),
    ],
)
def test_a_time_to_wait_that_is_none_is_passed_over(asked: str, date: str) -> None:
    """A date out of range in a header ends the run with a traceback."""
    assert _wait({"retry-after": asked, "date": date}) in (None, LONGEST_WAIT)


def test_a_slow_endpoint_is_given_up(release: Release, rows: Rows, model: Model, tmp_path: Path) -> None:
    gate = threading.Event()
    acts_of(model)[rows[-1]["prompt"]] = [Act("late", until=gate)]
    done = ask(release, tmp_path / "a", model.url, retries=1, timeout=0.3, concurrency=1)
    gate.set()
    assert (done.missing, done.last) == (1, "no whole response within 0.3 seconds")
    assert errors(tmp_path / "a") == [{"id": rows[-1]["id"], "sample": 0, "error": done.last, "retries": 1}]


NONSENSE = {
    "html": (
        Act(body=b"<html>\n<b>oops</b>", headers={"Content-Type": "text/html"}),
        "no JSON (content type text/html): <html> <b>oops</b>",
    ),
    "truncated": (Act(body=b'{"choices": [{"message": {"con'), "no JSON (content type application/json): "),
    "nothing": (Act(body=b""), "an empty response"),
    "deep": (Act(body=b"[" * 200_000), "no JSON (content type application/json): [[["),
    "huge number": (Act(body=b'{"choices": ' + b"9" * 10_000 + b"}"), "no JSON"),
    "list": (Act(body=b"[1]"), "no completion: the JSON has no choices"),
    "error": (Act(body=b'{"error": {"message": "over \\u001b[2J there"}}'), "has no choices; it says over ?[2J there"),
    "no choices": (Act(body=b'{"choices": []}'), "no completion: the JSON has no choices"),
    "no message": (Act(body=b'{"choices": [{"text": "a"}]}'), "no completion: the first choice has no message"),
    "null": (Act(None), "no completion: the message has no content (finish_reason stop)"),
    "number": (Act(body=b'{"choices": [{"message": {"content": 3}}]}'), "has no content (finish_reason missing)"),
    "huge": (Act("x" * 10_000_000), "a response of more than 8388608 bytes"),
    "redirect": (Act(status=307, headers={"Location": "http://127.0.0.1:9/"}, body=b""), "status 307, a redirect"),
    "compressed": (Act(body=gzip.compress(b"0" * 1000), headers={"Content-Encoding": "gzip"}), "a compressed response"),
    "padded key": (Act(body=b" " * 1990 + KEY.encode()), "no JSON (content type application/json): ***"),
    "padded key in an error": (Act(status=400, body=b" " * 1990 + KEY.encode()), "status 400: ***"),
    "refused": (error(400, "prompt too long"), "status 400: prompt too long"),
    "refused at length": (error(422, "x" * 10_000), "status 422: " + "x" * 300),
}


@pytest.mark.parametrize("kind", NONSENSE)
def test_nonsense_is_one_error_and_no_reply(release: Release, rows: Rows, model: Model, tmp_path: Path, kind: str) -> None:
    """An endpoint's nonsense ends the run, is taken for a reply, or is asked for again and again."""
    act, told = NONSENSE[kind]
    row = rows[3]
    right = acts_of(model)[row["prompt"]]
    acts_of(model)[row["prompt"]] = [act]
    out = tmp_path / "a"
    done = ask(release, out, model.url, key=KEY)
    assert (done.wanted, done.now, done.errors, done.stopped) == (10, 9, 1, "")
    (line,) = errors(out)
    assert (line["id"], line["sample"], line["retries"]) == (row["id"], 0, 0)
    assert told in line["error"] and len(line["error"]) < 420 and line["error"].isprintable()
    assert row["id"] not in {line["id"] for line in lines(out)}
    acts_of(model)[row["prompt"]] = right
    model.asked.clear()
    assert ask(release, out, model.url).missing == 0
    assert [asked_text(asked.body) for asked in model.asked] == [row["prompt"]]
    assert not companion(out, ".errors.jsonl").exists()


def test_a_wrong_content_type_is_no_reason_to_refuse_a_reply(release: Release, rows: Rows, model: Model, tmp_path: Path) -> None:
    acts_of(model)[rows[0]["prompt"]] = [Act(rows[0]["gold_reply"], headers={"Content-Type": "text/plain"})]
    assert ask(release, tmp_path / "a", model.url).missing == 0


def test_a_wrong_key_is_told_once_and_never_repeated(
    folder: Path, model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key in an error, a log or a file."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    gold = model.script
    model.script = lambda body: error(401, f"Incorrect API key provided: {KEY}")
    out = tmp_path / "replies.jsonl"
    command = ["run", str(folder), "--base-url", model.url, "--model", "m", "--out", str(out), "--concurrency", "2"]
    assert cli.main(command) == 1
    assert len(model.asked) == 2
    told = capsys.readouterr()
    assert "stopped at an error that every call would meet" in told.err
    assert "40 replies are missing; 2 errors, the last: status 401: Incorrect API key provided: ***" in told.err
    model.script = lambda body: Act(f"{gold(body).text} {KEY}", reasoning=KEY, reason=KEY)
    assert cli.main(command) == 0
    told_later = capsys.readouterr()
    written = [path.read_text() for path in tmp_path.iterdir()]
    assert lines(out)[0]["reply"].endswith(" ***")
    assert all(KEY not in text for text in [*written, told.out, told.err, told_later.out, told_later.err])


def test_an_endpoint_that_only_errs_is_left_alone(release: Release, rows: Rows, model: Model, tmp_path: Path) -> None:
    """A thousand rows are asked of an endpoint that is down."""
    done = ask(release, tmp_path / "a", "http://127.0.0.1:9/v1", retries=2, concurrency=2)
    assert (done.errors, done.now, done.stopped) == (2, 0, "at an error that every call would meet")
    assert done.last.startswith("no connection (")
    model.script = lambda body: error(400)
    done = ask(release, tmp_path / "b", model.url, samples=4, concurrency=1)
    assert (done.errors, len(model.asked), done.stopped) == (GIVE_UP, GIVE_UP, f"after {GIVE_UP} errors in a row")


def test_errors_between_replies_do_not_end_a_run(release: Release, model: Model, tmp_path: Path) -> None:
    """A run of days ends at its twentieth error, though most calls go well."""
    gold, calls = model.script, itertools.count()
    model.script = lambda body: error(400) if next(calls) % 2 else gold(body)
    done = ask(release, tmp_path / "a", model.url, samples=5, concurrency=1)
    assert (done.wanted, done.now, done.errors, done.stopped) == (50, 25, 25, "") and done.errors > GIVE_UP


# ---- the answer alone -----------------------------------------------------------------------------------------------


def json_reply(row: dict[str, Any]) -> str:
    """The row's right reply as the schema wants it."""
    case = prepared(row)
    return gold_reply(case.puzzle, case.gold, "json")


def test_a_reply_that_was_cut_off_gets_a_call_for_the_answer(release: Release, rows: Rows, model: Model, tmp_path: Path) -> None:
    """What comes back by the schema is not scored as the row's format asks, or earns less than the same answer in it."""
    sudokus = [row for row in rows if row["family"] == "sudoku"]
    assert {row["reply_format"] for row in sudokus} == {"json", "tags", "boxed", "table"}
    for row in sudokus:
        acts_of(model)[row["prompt"]] = [Act("I was", reason="length", reasoning="Let me think"), Act(json_reply(row))]
    settings = Settings("tiny", answer_call="cut", reasoning_budget=500)
    ask(release, tmp_path / "a", model.url, settings, concurrency=1)
    found = {line["id"]: line for line in lines(tmp_path / "a")}
    assert all(score(found[row["id"]]["reply"], row).solved for row in rows)
    for row in sudokus:
        line = found[row["id"]]
        assert line["answer_call"] == {"first": "I was", "form": "schema", "note": ""}
        assert (line["reasoning"], line["usage"]["completion"]) == ("Let me think", 14)
    first, second = model.asked[:2]
    assert (first.body["max_tokens"], first.body["thinking_token_budget"]) == (500 + 2048, 500)
    assert (second.body["max_tokens"], second.body["thinking_token_budget"]) == (2048, 0)
    assert [message["role"] for message in second.body["messages"]] == ["user", "assistant", "user"]
    assert second.body["messages"][1]["content"] == "Let me think\n\nI was"
    assert second.body["response_format"]["json_schema"]["schema"] == json.loads(rows[0]["reply_schema"])
    assert "answer_call" not in found[rows[-1]["id"]]


def test_an_endpoint_without_schemas_is_asked_for_text(release: Release, rows: Rows, model: Model, tmp_path: Path) -> None:
    def script(body: dict[str, Any]) -> Act:
        row = next(row for row in rows if row["prompt"] == asked_text(body))
        if "response_format" in body:
            return error(400, "response_format is not supported")
        return Act(row["gold_reply"]) if len(body["messages"]) > 1 else Act("Hm", reason="length")

    model.script = script
    ask(release, tmp_path / "a", model.url, Settings("tiny", answer_call="cut"), concurrency=1)
    found = lines(tmp_path / "a")
    by_id = {row["id"]: row for row in rows}
    assert all(score(line["reply"], by_id[line["id"]]).solved for line in found)
    assert [line["answer_call"]["form"] for line in found] == ["text"] * 10
    notes = [line["answer_call"]["note"] for line in found]
    said = "was refused: status 400: response_format is not supported"
    kinds = ("json_schema", "json_object with a schema", "json_object")
    assert notes[0] == "; ".join(f"response_format {kind} {said}" for kind in kinds)
    assert set(notes[1:]) == {"response_format is refused"}
    assert len(model.asked) == 23  # none is tried again


@pytest.mark.parametrize(
    ("status", "taken", "form", "calls"),
    [
        (500, ("json_object", True), "object_schema", 2 + 1),
        (500, ("json_object", False), "object", 4 + 1),
        (422, ("json_object", False), "object", 2 + 1),
        (500, None, "text", 6 + 1),
    ],
)
def test_forms_of_a_schema_are_tried_in_turn(
    release: Release,
    rows: Rows,
    model: Model,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    status: int,
    taken: tuple[str, bool] | None,
    form: str,
    calls: int,
) -> None:
    """llama-cpp-python's server answers 500 to json_schema: each call failed after five retries.

    calls: those that the first answer takes; of a form that is answered with 500, two.
    """

    def script(body: dict[str, Any]) -> Act:
        row = next(row for row in rows if row["prompt"] == asked_text(body))
        if len(body["messages"]) == 1:
            return Act("Hm", reason="length")
        asked = body.get("response_format")
        if asked is None:
            return Act(row["gold_reply"])
        return Act(json_reply(row)) if (asked["type"], "schema" in asked) == taken else error(status, "unknown format")

    model.script = script
    sleep = Sleeper()
    done = ask(release, tmp_path / "a", model.url, Settings("tiny", answer_call="cut"), sleep=sleep, concurrency=4)
    found = lines(tmp_path / "a")
    by_id = {row["id"]: row for row in rows}
    assert (done.missing, done.errors, len(found)) == (0, 0, 10)
    assert all(score(line["reply"], by_id[line["id"]]).solved for line in found)
    assert {line["answer_call"]["form"] for line in found} == {form}
    assert len(model.asked) == 10 + calls + 9, "one caller tries the forms, the nine others know"
    assert len(sleep.waits) == (calls - 1) // 2 * (status == 500)
    assert ["json_schema was refused" in line["answer_call"]["note"] for line in found].count(True) == 1
    (told,) = [record.message for record in caplog.records if record.name == "puzzlemill.envs.forms"]
    assert told.startswith("answers are asked for with ") and f"status {status}: unknown format" in told


def test_a_server_in_trouble_is_not_taken_for_one_without_forms(
    release: Release, rows: Rows, model: Model, tmp_path: Path
) -> None:
    """A server that is down for a moment was asked without a schema for the rest of the run."""
    trouble = [error(500, "starting")] * 7  # two tries of each form, and one in words

    def script(body: dict[str, Any]) -> Act:
        row = next(row for row in rows if row["prompt"] == asked_text(body))
        if len(body["messages"]) == 1:
            return Act("Hm", reason="length")
        if trouble:
            return trouble.pop()
        return Act(json_reply(row) if "response_format" in body else row["gold_reply"])

    model.script = script
    ask(release, tmp_path / "a", model.url, Settings("tiny", answer_call="cut"), sleep=Sleeper(), concurrency=1)
    assert [line["answer_call"]["form"] for line in lines(tmp_path / "a")] == ["text"] + ["schema"] * 9


def test_a_form_that_is_known_outlives_an_error(release: Release, rows: Rows, model: Model, tmp_path: Path) -> None:
    """One row whose schema a server refuses, or one error of the moment, does not change how the others are asked."""
    odd, sick = rows[2]["prompt"], rows[4]["prompt"]
    pains = [error(500)] * 3

    def script(body: dict[str, Any]) -> Act:
        row = next(row for row in rows if row["prompt"] == asked_text(body))
        if len(body["messages"]) == 1:
            return Act("Hm", reason="length")
        asked = body.get("response_format")
        if row["prompt"] == odd and asked and asked["type"] == "json_schema":
            return error(400, "no such schema")
        if row["prompt"] == sick and pains:
            return pains.pop()
        return Act(json_reply(row) if asked else row["gold_reply"])

    model.script = script
    ask(release, tmp_path / "a", model.url, Settings("tiny", answer_call="cut"), sleep=Sleeper(), concurrency=1)
    forms = {line["id"]: (line["answer_call"]["form"], line["retries"]) for line in lines(tmp_path / "a")}
    assert forms[rows[2]["id"]] == ("object_schema", 0)
    assert forms[rows[4]["id"]] == ("schema", 3)
    assert [form for form, _ in forms.values()].count("schema") == 9


@pytest.mark.parametrize(
    ("second", "note"),
    [
        (error(400, "too long"), "the second call was refused: status 400: too long"),
        (Act(""), "the second call gave nothing; the first reply stands"),
    ],
)
def test_a_reply_outlives_a_second_call_that_fails(
    release: Release, rows: Rows, model: Model, tmp_path: Path, second: Act, note: str
) -> None:
    row = rows[0]
    acts_of(model)[row["prompt"]] = [Act(row["gold_reply"] + " and", reason="length"), second]
    done = ask(release, tmp_path / "a", model.url, Settings("tiny", answer_call="cut"))
    line = next(line for line in lines(tmp_path / "a") if line["id"] == row["id"])
    assert (done.missing, score(line["reply"], row).solved, line["answer_call"]["note"]) == (0, True, note)


def test_the_answer_can_be_asked_for_every_time(release: Release, rows: Rows, model: Model, tmp_path: Path) -> None:
    ask(release, tmp_path / "a", model.url, Settings("tiny", answer_call="always"), family="hanoi", concurrency=1)
    assert ["response_format" in asked.body for asked in model.asked] == [False, True] * 2
    assert [line["usage"]["completion"] for line in lines(tmp_path / "a")] == [14, 14]


# ---- several turns --------------------------------------------------------------------------------------------------


def test_a_model_may_mend_its_reply(release: Release, rows: Rows, model: Model, tmp_path: Path) -> None:
    """The model is not told what was wrong, or the wrong reply is scored."""
    row = rows[0]
    gold = json.loads(row["gold_reply"])
    wrong = json.dumps({**gold, "answer": [gold["answer"][0], *gold["answer"][:-1]]})
    acts_of(model)[row["prompt"]] = [Act("What?"), Act(wrong), Act(row["gold_reply"])]
    ask(release, tmp_path / "a", model.url, Settings("tiny", turns=3), concurrency=1)
    line = next(line for line in lines(tmp_path / "a") if line["id"] == row["id"])
    assert (line["reply"], line["usage"]["completion"]) == (row["gold_reply"], 21)
    assert [turn["reply"] for turn in line["turns"]] == ["What?", wrong, row["gold_reply"]]
    assert line["turns"][2]["told"] == "That is right."
    last = model.asked[2].body["messages"]
    assert [message["role"] for message in last] == ["user", "assistant", "user", "assistant", "user"]
    assert "no JSON object" in last[2]["content"] and "Each column contains every number" in last[4]["content"]
    others = [other for other in lines(tmp_path / "a") if other["id"] != row["id"]]
    assert all(len(other["turns"]) == 1 for other in others)


def test_a_try_of_few_rows_says_how_it_is_scored(
    folder: Path, model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reader scores the replies to a few rows, and all the rows that were not asked count as wrong."""
    out = tmp_path / "try.jsonl"
    asked = ["--base-url", model.url, "--model", "tiny", "--limit", "1", "--samples", "1", "--family", "hanoi", "--out", str(out)]
    assert cli.main(["run", str(folder), *asked]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert line.startswith(f"next: puzzlemill score {folder} {out} --answered; ")
    assert cli.main(shlex.split(line.partition("; ")[0])[2:]) == 0
    assert "have no reply" not in capsys.readouterr().out
    assert cli.main(["report", str(folder), str(out)]) == 0
    captured = capsys.readouterr().out
    assert "rows have no reply and count as wrong; --answered leaves out such rows" in captured.splitlines()[1]
    assert "LR2Bench" not in captured  # of whose tasks there are sudokus alone
    for command in ("score", "report"):
        assert cli.main([command, str(out), str(folder)]) == 2
        told = capsys.readouterr().err
        assert told == f"error: {out}: the release comes first: puzzlemill {command} {folder} {out}\n"


def test_a_report_knows_how_the_replies_were_asked(
    folder: Path, release: Release, model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two turns are reported as if they were one, or two models under one name."""
    ask(release, tmp_path / "one.jsonl", model.url, Settings("tiny", temperature=0.5), family="hanoi")
    ask(release, tmp_path / "two.jsonl", model.url, Settings("tiny", turns=2), family="hanoi")
    assert cli.main(["report", str(folder), str(tmp_path / "one.jsonl"), str(tmp_path / "two.jsonl"), "--answered"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("tiny (one): 100.0 % right (") and told[1].startswith("tiny (two): 100.0 % right (")
    assert told[2] == str(tmp_path / "one.html")
    text = (tmp_path / "one.html").read_text(encoding="utf-8")
    assert "temperature 0.5" in text and "turns 2" in text
    assert text.count(">50.0 / 100.0<") >= 3  # two towers in all: one guess is right half of the time, one of two always


def test_what_a_file_says_of_itself_is_shown_only_as_text(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A downloaded FILE.run.json obeys the terminal, or its name cannot be written; replies are overwritten by the report."""
    out = tmp_path / "replies.html"
    out.write_text("")
    settings = {"model": "\x1b[2J\ud800" + "x" * 1000, "temperature": "\x1b" * 1000, "\x1b[2J": 1}
    companion(out, ".run.json").write_text(json.dumps({"format": 1, "settings": settings}))
    assert cli.main(["report", str(folder), str(out)]) == 2
    assert "replies.html holds replies; name another file" in capsys.readouterr().err and out.read_text() == ""
    assert cli.main(["report", str(folder), str(out), "--out", str(tmp_path / "page")]) == 0
    told = capsys.readouterr().out
    assert told.startswith("?[2J?xxx") and len(told.splitlines()[0]) < 200 and "\x1b" not in told
    assert len((tmp_path / "page").read_text(encoding="utf-8")) < 20_000
    companion(out, ".run.json").write_text(json.dumps({"settings": settings, **_asked(folder)}))
    assert cli.main(["run", str(folder), "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--out", str(out)]) == 2
    assert "holds replies asked with --?[2J 1, now null" in capsys.readouterr().err


def _asked(folder: Path) -> dict[str, Any]:
    """What FILE.run.json says beside the settings."""
    return {name: value for name, value in runner._header(open_release(folder), Settings("m")).items() if name != "settings"}


# ---- input ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--base-url", "ftp://x/v1"], "--base-url: expected http(s)://host[:port]/path"),
        (["--base-url", f"http://me:{KEY}@x/v1"], "a key belongs into the variable"),
        (["--base-url", "http://x/v1?key=1"], "a key belongs into the variable"),
        (["--base-url", "http://x/v1/chat/completions"], "--base-url: leave out /chat/completions"),
        (["--model", ""], "--model: expected the name"),
        (["--samples", "0"], "--samples: expected a number from 1"),
        (["--temperature", "-1"], "--temperature: expected a number from 0"),
        (["--temperature", "nan"], "--temperature: expected a number from 0"),
        (["--turns", "0"], "turns: expected a number from 1 to 100, got 0"),
        (["--concurrency", "0"], "--concurrency: expected a number from 1"),
        (["--timeout", "0"], "--timeout: expected seconds"),
        (["--retries", "-1"], "--retries: expected a number"),
        (["--server", "x"], "--server: expected one of vllm, sglang, llama.cpp, openrouter, got 'x'"),
        (["--reasoning-effort", "much"], "--reasoning-effort: expected one of"),
        (["--answer-call", "often"], "--answer-call: expected cut or always"),
        (["--extra-body", "[]"], "--extra-body: expected a JSON object"),
        (["--extra-body", '{"min_p": NaN}'], "--extra-body: expected a JSON object"),
        (["--extra-body", '{"min_p": 1e999}'], "--extra-body: expected a JSON object"),
        (
            ["--split", "exam"],
            "has no such rows (split exam); it has hanoi test, sudoku test, sudoku train; give --split train, or all\n",
        ),
        (
            ["--split", "train", "--family", "hanoi"],
            "(split train, family hanoi); it has hanoi test, sudoku test, sudoku train; give --split test\n",
        ),
        (["--family", "hano"], "(split test, family hano); it has hanoi test, sudoku test, sudoku train\n"),
        (["--limit", "-1"], "--limit: expected a number of groups"),
        (["--out", "/dev/null/x"], "--out: /dev/null/x cannot be written"),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str], told: str
) -> None:
    command = ["run", str(folder), "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--out", str(tmp_path / "a")]
    assert cli.main([*command, *flags]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and err.count("\n") == 1 and told in err and KEY not in err


def test_a_key_that_no_header_can_carry_is_not_repeated(release: Release, tmp_path: Path) -> None:
    with pytest.raises(BadParams, match="the API key holds a space or a character that no header can carry") as raised:
        ask(release, tmp_path / "a", "http://127.0.0.1:9/v1", key="secret\nkey")
    assert "secret" not in str(raised.value)


def test_a_key_is_not_written_with_the_settings(release: Release, tmp_path: Path) -> None:
    """The key comes to stand in FILE.run.json, because it was given in a further field or in the address."""
    for settings, url in ((Settings("tiny", extra_body={"key": KEY}), ""), (None, f"/{KEY}")):
        with pytest.raises(BadParams, match="the API key stands in the settings or in --base-url") as raised:
            ask(release, tmp_path / "a", f"http://127.0.0.1:9/v1{url}", settings, key=KEY)
        assert KEY not in str(raised.value) and not list(tmp_path.iterdir())
    assert KEY not in repr(Address("http://x/v1", KEY))


def test_a_line_that_could_not_be_read_back_is_not_written(
    release: Release, rows: Rows, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long replies of many turns make a line that is longer than any reader takes, and all replies of the file are lost."""
    acts_of(model)[rows[3]["prompt"]] = [Act("x" * 5000)]
    monkeypatch.setattr(runner, "MAX_LINE", 4000)
    done = ask(release, tmp_path / "a", model.url)
    assert (done.now, done.errors, done.last) == (9, 1, "replies and reasoning of more than 4000 bytes in one line of the file")
    assert rows[3]["id"] not in {line["id"] for line in lines(tmp_path / "a")}


def test_half_a_line_is_taken_back_when_the_disk_is_full(tmp_path: Path) -> None:
    """Half a line stays, and the line of another call is joined to it."""

    class Full(io.FileIO):
        def write(self, data: Any) -> int:
            if len(data) < 10:
                raise OSError(28, "No space left on device")
            return super().write(data[: len(data) // 2])

    with Full(tmp_path / "a", "ab+") as file:
        for line in (b"0123456789abcdef\n", b"0123456789\n"):
            with pytest.raises(OSError, match="No space left"):
                append(file, line)
    assert (tmp_path / "a").read_bytes() == b""


def test_a_system_message_may_be_a_file(folder: Path, model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    (tmp_path / "system.txt").write_text("Be right.")
    command = ["run", str(folder), "--base-url", model.url, "--model", "m", "--out", str(tmp_path / "a"), "--limit", "1"]
    assert cli.main([*command, "--system", str(tmp_path / "system.txt"), "--samples", "1"]) == 0
    assert {asked.body["messages"][0]["content"] for asked in model.asked} == {"Be right."}


def test_fields_are_joined_and_removed() -> None:
    assert merged({"a": {"b": 1}, "c": 2, "d": 3}, {"a": {"e": 4}, "c": None}) == {"a": {"b": 1, "e": 4}, "d": 3}
    assert budget_fields(0, "openrouter") == {"reasoning": {"enabled": False}}
    assert stream("wait", "a", 0, 0).below(1000) != stream("wait", "b", 0, 0).below(1000)
