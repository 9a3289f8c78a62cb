"""Mitigations: the messages of each chain, chains that are stopped at any call, and programs that only a sandbox runs."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from model_server import Act, Model, error, serving
from releases import Shared, release_of

from puzzlemill import cli
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.envs import mitigations as texts
from puzzlemill.envs.endpoint import Address
from puzzlemill.envs.mitigations import PASSED, Mitigation, Step, mitigations, named, program_of
from puzzlemill.envs.run import Choice, Done, Settings, companion, run
from puzzlemill.factory.read import Release, open_release
from puzzlemill.factory.read import rows as all_rows
from puzzlemill.scoring.score import score

RECIPE = {
    "name": "mended",
    "seed": "mended",
    "strata": [
        {
            "family": "sudoku",
            "params": {"size": 6},
            "variants": [{"name": "unsolvable", "transforms": ["clash"]}],
            "counts": {"test": 2},
            "reply_formats": ["json", "tags", "boxed", "table"],
        },
        *[
            {"family": "binario", "params": {"rows": 6, "cols": 8}, "asks": [ask], "counts": {"test": 1}}
            for ask in ("cell", "number", "option", "step")
        ],
        {"family": "hanoi", "params": {"pegs": [3, 4], "disks": [3]}, "counts": {"test": 1}},
        {"family": "kumo", "params": {"domain": "invented"}, "counts": {"test": 1}},
    ],
}
KEY = "sk-not-to-be-told-0123456789"
CHAINS = {
    "zero-shot-cot": ["solve"],
    "plan-and-solve": ["plan", "solve"],
    "self-correct": ["draft", "review", "solve"],
    "self-discover": ["selection", "fitting", "structure", "solve"],
    "feedback-learning": ["solve"],
    "program-of-thought": ["program"],
}
READS = {"review": {"draft"}, "fitting": {"selection"}, "structure": {"fitting"}}  # and of "solve" below
SOLVES = {"plan-and-solve": {"plan"}, "self-correct": {"draft", "review"}, "self-discover": {"structure"}}
WITH_SYSTEM = {"plan-and-solve/solve", "feedback-learning/solve", "program-of-thought/program"}
Row = dict[str, Any]


@pytest.fixture(scope="module")
def folder(shared: Shared) -> Path:
    return shared("mended", release_of(RECIPE))


@pytest.fixture(scope="module")
def release(folder: Path) -> Release:
    return open_release(folder)


@pytest.fixture(scope="module")
def rows(release: Release) -> list[Row]:
    return [row for row in all_rows(release) if row["family"] != "kumo"]


class Chained:
    """A model that counts the steps of each row: right at the end, else it says what it wrote. fail: after these many."""

    def __init__(self, rows: list[Row], name: str) -> None:
        self.rows, self.name = rows, name
        self.asked: list[tuple[str, str]] = []  # (row, step)
        self.fail: set[int] = set()
        self.lock = threading.Lock()

    def __call__(self, body: dict[str, Any]) -> Act:
        row = next(row for row in self.rows if row["prompt"] in body["messages"][-1]["content"])
        with self.lock:
            before = sum([name == row["id"] for name, _ in self.asked])
            step = CHAINS[self.name][before % len(CHAINS[self.name])]
            if self.calls() in self.fail:
                self.fail.remove(self.calls())
                return error(400, "no")
            self.asked.append((row["id"], step))
        return Act(row["gold_reply"] if step == "solve" else f"my {step} of {row['id']} {{puzzle}}", reasoning="hm")

    def calls(self) -> int:
        return len(self.asked)


def ask(
    release: Release,
    out: Path,
    url: str,
    settings: Settings,
    *,
    family: str = "hanoi",
    key: str = "",
    concurrency: int = 1,
    samples: int = 1,
) -> Done:
    ticks = iter(range(1_000_000))

    async def sleep(_: float) -> None:
        pass

    address = Address(url, key, 20.0, 0)
    choice = Choice(samples, family=family)
    return run(release, out, settings, choice, address, concurrency=concurrency, clock=lambda: float(next(ticks)), sleep=sleep)


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def timeless(line: dict[str, Any]) -> dict[str, Any]:
    """A line without what a clock says."""
    steps = [{name: value for name, value in step.items() if name != "seconds"} for step in line.get("steps", [])]
    return {**{name: value for name, value in line.items() if name != "seconds"}, "steps": steps}


@pytest.fixture
def model() -> Iterator[Model]:
    with serving(lambda body: error(400)) as server:
        yield server


# ---- messages -------------------------------------------------------------------------------------------------------


def test_every_mitigation_is_here() -> None:
    verdicts = {"self-validate": ["solve", "validate", "again"], "judge-again": ["judge", "again"]}  # tests/e2e/test_judging.py
    assert list(mitigations()) == ["plain", *CHAINS, *verdicts]
    assert {name: [step.name for step in one.steps] for name, one in mitigations().items() if one.steps} == CHAINS | verdicts
    assert [name for name, one in mitigations().items() if one.program] == ["program-of-thought"]


@pytest.mark.parametrize("name", CHAINS)
def test_each_call_has_its_message(release: Release, rows: list[Row], model: Model, tmp_path: Path, name: str) -> None:
    """A step is left out, asked without the puzzle, or does not read what it works on."""
    script = Chained(rows, name)
    model.script = script
    done = ask(release, tmp_path / "a", model.url, Settings("tiny", system="Be brief.", seed=3, mitigation=name))
    (row,) = [row for row in rows if row["family"] == "hanoi"]
    steps = CHAINS[name]
    assert (done.missing, done.calls, [step for _, step in script.asked]) == (0, len(steps), steps)
    for step, asked in zip(steps, model.asked, strict=True):
        system, user = asked.body["messages"]
        assert (system["role"], user["role"], asked.body["seed"]) == ("system", "user", 3)
        assert user["content"].count(row["prompt"]) == 1
        assert (system["content"] == "Be brief.") == (f"{name}/{step}" not in WITH_SYSTEM)
        assert system["content"].startswith("Be brief.")
        read = {other for other in steps if f"my {other} of {row['id']} {{puzzle}}" in user["content"]}
        assert read == (SOLVES.get(name, set()) if step == "solve" else READS.get(step, set()))
    (line,) = lines(tmp_path / "a")
    assert [step["step"] for step in line["steps"]] == steps
    assert line["calls"] == len(steps)
    assert line["usage"] == {"prompt": 100 * len(steps), "completion": 7 * len(steps), "reasoning": 2 * len(steps)}
    assert all(step["usage"] == {"prompt": 100, "completion": 7, "reasoning": 2} for step in line["steps"])
    assert (line["reasoning"], line["finish_reason"], line["retries"]) == ("hm", "stop", 0)
    if name != "program-of-thought":
        assert (line["reply"], line["steps"][-1]["reply"]) == (row["gold_reply"], row["gold_reply"])
    assert not companion(tmp_path / "a", ".calls.jsonl").exists()


@pytest.mark.parametrize("name", ["zero-shot-cot", "self-correct"])
def test_families_and_questions_of_single_replies_are_asked(
    release: Release, rows: list[Row], model: Model, tmp_path: Path, name: str
) -> None:
    """A reply of a chain is not scored as its row asks."""
    model.script = Chained(rows, name)
    out = tmp_path / "a"
    for family in ("sudoku", "binario", "hanoi"):
        assert ask(release, out, model.url, Settings("tiny", mitigation=name), family=family, concurrency=3).missing == 0
    found = {line["id"]: line["reply"] for line in lines(out)}
    assert len(found) == len(rows) == 9
    assert all(score(found[row["id"]], row).solved for row in rows)
    assert len({row["ask"] for row in rows}) == 5


def test_what_a_model_wrote_is_no_template_and_is_bounded() -> None:
    """A reply with braces is filled in like a text of ours, or a runaway reply makes every later call too long."""
    chain = named("self-correct")
    (asked,) = chain.messages("PUZZLE {draft}", "", ["{puzzle} {precautions}"])
    assert asked["content"].count("PUZZLE {draft}") == 1 and asked["content"].count("{puzzle} {precautions}") == 1
    (asked,) = chain.messages("PUZZLE", "", ["x" * 10 * PASSED, " \n"])
    assert PASSED <= asked["content"].count("x") < PASSED + 100 and "\n(nothing)\n" in asked["content"]


@pytest.mark.parametrize(
    ("step", "problem"),
    [(Step("a", "{puzzle} {b}"), "slots"), (Step("a", "no task"), "slots"), (Step("a", "{puzzle}", "{puzzle}"), "slots")],
)
def test_a_slot_that_nothing_fills_is_refused(step: Step, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        texts._complete("new", Mitigation("about", (step,)), {})


# ---- going on -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["plan-and-solve", "self-correct", "self-discover"])
def test_a_chain_goes_on_where_it_broke(release: Release, rows: list[Row], model: Model, tmp_path: Path, name: str) -> None:
    """A call that was paid for is made again after an error, or the line depends on where a run ended."""
    script = Chained(rows, name)
    model.script = script
    settings = Settings("tiny", mitigation=name)
    ask(release, tmp_path / "whole", model.url, settings, samples=1)
    (whole,) = lines(tmp_path / "whole")
    for broken in range(len(CHAINS[name])):
        out = tmp_path / f"broken{broken}"
        script.asked.clear()
        script.fail = {broken}
        first = ask(release, out, model.url, settings)
        assert (first.now, first.errors, first.calls) == (0, 1, broken)
        kept = companion(out, ".calls.jsonl")
        assert len(lines(kept) if kept.exists() else []) == broken
        again = ask(release, out, model.url, settings)
        assert (again.now, again.calls) == (1, len(CHAINS[name]) - broken)
        assert [step for _, step in script.asked] == CHAINS[name]
        assert [timeless(line) for line in lines(out)] == [timeless(whole)]
        assert not kept.exists()


def test_a_killed_run_repeats_no_call(folder: Path, release: Release, rows: list[Row], model: Model, tmp_path: Path) -> None:
    """Calls of chains under way are lost with the process, or paid for twice."""
    out, gate = tmp_path / "replies.jsonl", threading.Event()
    script = Chained(rows, "self-correct")

    def slow(body: dict[str, Any]) -> Act:
        act = script(body)
        if script.calls() <= 7:
            return act
        with script.lock:
            script.asked.pop()  # a call that is never answered
        return Act(until=gate)

    model.script = slow
    command = [sys.executable, "-m", "puzzlemill.cli", "run", str(folder), "--base-url", model.url, "--model", "tiny"]
    command += ["--out", str(out), "--samples", "1", "--family", "binario", "--mitigation", "self-correct", "--concurrency", "1"]
    env = {**os.environ, "NO_PROXY": "127.0.0.1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as process:
        for _ in range(3000):
            if len(model.asked) == 8:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=30)
    gate.set()
    kept = companion(out, ".calls.jsonl")
    assert len(lines(out)) == 2 and len(lines(kept)) == 5  # two finished chains, of which two calls each are still there
    with kept.open("ab") as file:
        file.write(b'{"id": "binario-1", "sample": 0, "step": "rev')  # killed while it wrote
    model.script = script
    done = ask(release, out, model.url, Settings("tiny", mitigation="self-correct"), family="binario")
    assert (done.before, done.now, done.calls, done.missing) == (2, 2, 5, 0)
    assert len(script.asked) == 12 and len(set(script.asked)) == 12
    assert not kept.exists()


def test_an_answer_call_follows_the_last_step(release: Release, rows: list[Row], model: Model, tmp_path: Path) -> None:
    """The steps before are cut short by it, or the step that it follows is asked again when it fails."""
    script = Chained(rows, "plan-and-solve")
    alone: list[Act] = [error(503), Act("my answer")]

    def answered(body: dict[str, Any]) -> Act:
        if len(body["messages"]) > 1 and body["messages"][-2]["role"] == "assistant":
            return alone.pop(0)
        return script(body)

    model.script = answered
    settings = Settings("tiny", mitigation="plan-and-solve", answer_call="always")
    first = ask(release, tmp_path / "a", model.url, settings)
    assert (first.now, first.errors, first.calls) == (0, 1, 2)
    again = ask(release, tmp_path / "a", model.url, settings)
    assert (again.now, again.calls, len(script.asked)) == (1, 1, 2)
    (line,) = lines(tmp_path / "a")
    assert ([step["step"] for step in line["steps"]], line["calls"]) == (["plan", "solve", "answer"], 3)
    assert (line["steps"][2]["reply"], line["usage"]["completion"]) == ("my answer", 21)


def test_replies_to_other_texts_are_not_mixed(
    release: Release, rows: list[Row], model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.script = Chained(rows, "zero-shot-cot")
    out = tmp_path / "a"
    ask(release, out, model.url, Settings("tiny", mitigation="zero-shot-cot"))
    with pytest.raises(BadFile, match='asked with --mitigation "zero-shot-cot", now null'):
        ask(release, out, model.url, Settings("tiny"), samples=2)
    other = {**mitigations(), "zero-shot-cot": Mitigation("", (Step("solve", "{puzzle} Hm."),))}
    monkeypatch.setattr(texts, "mitigations", lambda: other)
    with pytest.raises(BadFile, match="asked with --mitigation-texts"):
        ask(release, out, model.url, Settings("tiny", mitigation="zero-shot-cot"), samples=2)


CALL = {"step": "plan", "reply": "p", "finish_reason": "stop", "usage": {}, "retries": 0, "seconds": 1.0}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"id": "nobody"}, "unknown id 'nobody'"),
        ({"step": "solve"}, "step 'solve' is not the chain's next one"),
        ({"usage": {"prompt": "1"}}, "no finished call"),
        ({"usage": []}, "no finished call"),
        ({"seconds": None}, "no finished call"),
        ({"reasoning": 3}, "no finished call"),
    ],
)
def test_calls_that_are_none_are_refused(
    release: Release, rows: list[Row], model: Model, tmp_path: Path, change: dict[str, Any], problem: str
) -> None:
    """What somebody else wrote stands in a chain as a model's call."""
    out, script = tmp_path / "a", Chained(rows, "plan-and-solve")
    model.script, script.fail = script, {0}
    settings = Settings("tiny", mitigation="plan-and-solve")
    ask(release, out, model.url, settings)
    (row,) = [row for row in rows if row["family"] == "hanoi"]
    kept = companion(out, ".calls.jsonl")
    written = json.dumps({"id": row["id"], "sample": 0, **CALL, **change}) + "\n"
    kept.write_text(written)
    with pytest.raises(BadFile, match=f"calls.jsonl:1: {problem}"):
        ask(release, out, model.url, settings)
    assert kept.read_text() == written
    companion(out, ".run.json").unlink()
    with pytest.raises(BadFile, match="tells how they were asked"):
        ask(release, out, model.url, settings)


def test_a_key_is_in_no_file_of_a_chain(release: Release, rows: list[Row], model: Model, tmp_path: Path) -> None:
    """An endpoint repeats the key in a step, and it comes to stand in the file of calls or in the next request."""
    replies = iter([Act(f"plan {KEY}", reasoning=KEY), error(400, KEY), Act(f"done {KEY}")])
    model.script = lambda body: next(replies)
    settings = Settings("tiny", mitigation="plan-and-solve")
    for errors in (1, 0):
        assert ask(release, tmp_path / "a", model.url, settings, key=KEY).errors == errors
        assert all(KEY not in path.read_text() for path in tmp_path.iterdir())
    assert all(KEY not in json.dumps(asked.body) for asked in model.asked)


def test_a_huge_step_is_one_error(release: Release, rows: list[Row], model: Model, tmp_path: Path) -> None:
    """A response without end is kept as a step."""
    model.script = lambda body: Act("x" * 10_000_000)
    done = ask(release, tmp_path / "a", model.url, Settings("tiny", mitigation="self-discover"))
    assert (done.errors, done.calls, "more than 8388608 bytes" in done.last) == (1, 0, True)


# ---- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--mitigation", "magic"], "--mitigation: expected one of plain, zero-shot-cot, plan-and-solve, "),
        (["--mitigation", "self-correct", "--turns", "3"], "--mitigation: takes single replies, and --turns asks for several"),
        (["--mitigation", "program-of-thought", "--answer-call"], "--mitigation: a program is asked for"),
        (
            ["--mitigation", "zero-shot-cot"],
            "is a dialogue, and a mitigation asks for single replies; name another family than kumo",
        ),
        (["--mitigation", "zero-shot-cot", "--family", "kumo"], "is a dialogue"),
        (["--mitigation", "zero-shot-cot", "--player", "optimal"], "--base-url: a player asks no model"),
    ],
)
def test_what_no_mitigation_can_do_is_said(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str], told: str
) -> None:
    command = ["run", str(folder), "--base-url", "http://127.0.0.1:9/v1", "--model", "m", "--out", str(tmp_path / "a")]
    assert cli.main([*command, *flags]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and err.count("\n") == 1 and told in err
    assert not list(tmp_path.iterdir())


# ---- side by side ---------------------------------------------------------------------------------------------------


def test_mitigations_stand_side_by_side(
    folder: Path, release: Release, rows: list[Row], model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A report does not tell mitigations apart, or what they took is counted of the last call alone."""
    files = []
    for name in ("plain", "plan-and-solve", "self-discover"):
        model.script = Chained(rows, name) if name != "plain" else lambda body: Act("no idea")
        files.append(tmp_path / f"{name}.jsonl")
        ask(release, files[-1], model.url, Settings("tiny", mitigation=name), family="binario")
    assert cli.main(["report", str(folder), *map(str, files), "--answered"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in told[:3]] == ["tiny", "tiny, plan-and-solve", "tiny, self-discover"]
    assert told[2].endswith("4 replies; a reply took 4.0 calls, 400.0 tokens read, 28.0 written")
    page = (tmp_path / "plain.html").read_text(encoding="utf-8")
    ways = page[page.index("Ways of asking</h2>") :].partition("</table>")[0]
    assert ways.index(">plan-and-solve<") < ways.index(">8<") < ways.index(">self-discover<") < ways.index(">16<")
    assert ways.index(">1,600<") < ways.index(">400.0<")
    assert cli.main(["score", str(folder), str(files[1]), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["spent"] == {
        "prompt": {"replies": 4, "in_all": 800},
        "completion": {"replies": 4, "in_all": 56},
        "reasoning": {"replies": 4, "in_all": 16},
        "calls": {"replies": 4, "in_all": 8},
    }
    assert cli.main(["score", str(folder), str(files[1]), "--all"]) == 0
    assert re.search(r"^calls +4 +8 +2\.0$", capsys.readouterr().out, re.MULTILINE)


def test_numbers_that_a_file_claims_are_checked(
    folder: Path, rows: list[Row], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Calls and tokens of a hostile file end the scoring."""
    odd: list[dict[str, Any]] = [
        {"calls": True, "usage": 3},
        {"calls": -1, "usage": {"prompt": 10**400}},
        {"calls": 2, "usage": {}},
    ]
    out = tmp_path / "a"
    given = [{"id": row["id"], "reply": "", **more} for row, more in zip(rows, odd, strict=False)]
    out.write_text("".join([json.dumps(line) + "\n" for line in given]))
    assert cli.main(["score", str(folder), str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["spent"] == {"calls": {"replies": 1, "in_all": 2}}


# ---- programs -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "program"),
    [
        ("So:\n```python\nprint(1)\n```\nIt prints\n```\n1\n```\n", "print(1)\n"),
        ("```python\na = 1\n```\nbetter:\n```Python3\na = 2\n```", "a = 2\n"),
        ("```\nprint(1)\n```", "print(1)\n"),
        ("```python\nprint(1)\nprint(", "print(1)\nprint("),
        ('```json\n{"answer": 1}\n```', ""),
        ("print(1)\n", "print(1)\n"),
        ("", ""),
    ],
)
def test_a_program_is_cut_out_of_its_reply(reply: str, program: str) -> None:
    assert program_of(reply) == program


def test_programs_are_stored_and_only_their_outputs_scored(
    folder: Path, release: Release, rows: list[Row], model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program is run or scored by us, or what a sandbox made of it is not."""
    some = [row for row in rows if row["family"] == "binario"]
    trap = tmp_path / "trap"

    def script(body: dict[str, Any]) -> Act:
        row = next(row for row in some if row["prompt"] in body["messages"][-1]["content"])
        return Act(f"Like this:\n```python\nopen({str(trap)!r}, 'w')\nprint({row['gold_reply']!r})\n```\n{row['gold_reply']}")

    model.script = script
    out, scored, code = tmp_path / "code.jsonl", tmp_path / "outputs.jsonl", tmp_path / "code"
    ask(release, out, model.url, Settings("tiny", mitigation="program-of-thought"), family="binario")
    assert all(line["reply"] == "" and line["program"].startswith("open(") for line in lines(out))
    assert all("Like this" in line["steps"][0]["reply"] for line in lines(out))
    for command in ("score", "report"):
        assert cli.main([command, str(folder), str(out)]) == 2
        assert "holds programs, not answers" in capsys.readouterr().err
    programs = ["programs", str(out), "--folder", str(code)]
    assert cli.main(programs) == 0
    assert f"4 programs in {code}; none was run" in capsys.readouterr().out
    assert sorted(path.name for path in code.iterdir()) == sorted(f"{row['id']}.0.py" for row in some)
    for row in some[:2]:
        (code / f"{row['id']}.0.out").write_text(row["gold_reply"] + "\n")
    (code / f"{some[2]['id']}.0.out").symlink_to("/etc/hostname")
    assert cli.main([*programs, "--out", str(scored)]) == 1
    told = capsys.readouterr()
    assert "2 outputs as replies" in told.out and "2 programs have no output" in told.err
    assert cli.main(["score", str(folder), str(scored), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (binario,) = [section for section in found["sections"] if section["name"] == "binario"]
    assert (binario["replies"], binario["metrics"]["exact"]["value"], found["spent"]["calls"]["in_all"]) == (2, 0.5, 2)
    assert cli.main(["report", str(folder), str(scored), "--answered"]) == 0
    assert "tiny, program-of-thought: 100.0 % right" in capsys.readouterr().out
    with pytest.raises(BadFile, match="asked with --outputs"):
        ask(release, scored, model.url, Settings("tiny", mitigation="program-of-thought"), family="binario", samples=2)
    assert cli.main(["programs", str(scored), "--folder", str(code)]) == 2
    assert "holds no programs" in capsys.readouterr().err
    assert cli.main([*programs, "--out", str(out)]) == 2
    assert "name another file" in capsys.readouterr().err
    assert not trap.exists()


@pytest.mark.parametrize("change", [{"id": "../x"}, {"id": ".x"}, {"sample": -1}, {"program": None}, {"id": "a" * 300}])
def test_a_line_names_no_place_outside_the_folder(
    tmp_path: Path, change: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "a"
    out.write_text(json.dumps({"id": "a", "sample": 0, "program": "", **change}) + "\n")
    companion(out, ".run.json").write_text(json.dumps({"settings": {"mitigation": "program-of-thought"}}))
    assert cli.main(["programs", str(out), "--folder", str(tmp_path / "code")]) == 2
    assert ":1: no line with a program" in capsys.readouterr().err
    assert list((tmp_path / "code").iterdir()) == []


def test_a_program_of_pathless_settings_is_refused() -> None:
    with pytest.raises(BadParams, match="expected one of plain"):
        named("\ud800")
