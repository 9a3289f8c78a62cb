"""Judgements from a release to the report: made, asked, scored and measured; and nothing tells their labels."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from model_server import Act, Model, serving
from releases import Shared, release_of

from puzzlemill import cli
from puzzlemill.analysis.surface import Seen, told
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.core.rng import stream
from puzzlemill.envs.endpoint import Address
from puzzlemill.envs.export import export
from puzzlemill.envs.flaws import gold_rows, wrong_rows
from puzzlemill.envs.judging import LONGEST, open_rows, planted, wordings
from puzzlemill.envs.run import Choice, Done, Settings, run
from puzzlemill.factory.read import Release, open_release
from puzzlemill.factory.read import rows as all_rows
from puzzlemill.questions.asks import layout_of
from puzzlemill.scoring.prompt import spelled, stated
from puzzlemill.scoring.score import prepared, score

FORMATS = ["json", "tags", "boxed", "table"]
RECIPE = {
    "name": "judged",
    "seed": "judged",
    "strata": [
        {
            "family": "number_series",
            "params": {"terms": [6, 8, 10], "task": ["missing", "next", "wrong"]},
            "asks": ["whole", "option"],
            "counts": {"train": 90, "test": 6},
            "reply_formats": FORMATS,
        },
        {
            "family": "zebra",
            "params": {"positions": 4, "attributes": 3},
            "counts": {"train": 40, "test": 3},
            "reply_formats": FORMATS,
        },
        {"family": "sudoku", "params": {"size": 6}, "counts": {"train": 30, "test": 3}},
        {"family": "hanoi", "params": {"pegs": 3, "disks": 3}, "counts": {"test": 1}},
        {"family": "kumo", "params": {"domain": "invented"}, "counts": {"test": 1}},
        {"family": "kumo", "params": {"domain": "invented", "told": True}, "counts": {"test": 1}},  # no dialogue
    ],
}
Row = dict[str, Any]


@pytest.fixture(scope="module")
def folder(shared: Shared) -> Path:
    return shared("judged", release_of(RECIPE))


@pytest.fixture(scope="module")
def release(folder: Path) -> Release:
    return open_release(folder)


@pytest.fixture(scope="module")
def made(release: Release) -> list[Row]:
    """More than 600 judgements, of train."""
    return [one for row in all_rows(release) if row["split"] == "train" for one in planted(row)]


@pytest.fixture(scope="module")
def judged(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of the test split."""
    out = tmp_path_factory.mktemp("judged") / "out"
    export(open_release(folder), "judging", out, splits=("test",))
    return out


@pytest.fixture
def model() -> Iterator[Model]:
    with serving(lambda body: Act("hm")) as server:
        yield server


def ask(release: Release, out: Path, url: str, settings: Settings | None = None, choice: Choice | None = None) -> Done:
    ticks = iter(range(1_000_000))

    async def sleep(_: float) -> None:
        pass

    address = Address(url, "", 20.0, 0)
    how = settings or Settings("tiny")
    return run(release, out, how, choice or Choice(1), address, concurrency=1, clock=lambda: float(next(ticks)), sleep=sleep)


def wrong_reply(row: Row) -> str:
    """A wrong reply to a row, in its own format."""
    case = prepared(row)
    rows = wrong_rows(row, case, stream("tests", row["id"]))
    assert rows is not None
    return spelled(rows, layout_of(case.family, case.puzzle), row["reply_format"], case.doubt)


def lines(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


# ---- labels ----------------------------------------------------------------------------------------------------------------


def test_labels_are_right_in_exactly_half(made: list[Row]) -> None:
    """A place, or a verdict, is right more often than the other; a task has one wording; or two rows have one id."""
    assert len(made) > 600 and len({row["id"] for row in made}) == len(made)
    counts = Counter((row["task"], row["label"]) for row in made)
    assert counts["answers", "1"] == counts["answers", "2"] > 150
    assert counts["reasoning", "YES"] == counts["reasoning", "NO"] > 150
    for task, texts in (("answers", wordings().answers), ("reasoning", wordings().reasoning)):
        starts = [re.escape(text.strip().splitlines()[-1]).replace(r"\{form\}", ".*") for text in texts]
        used = [sum(bool(re.search(start, row["prompt"])) for row in made if row["task"] == task) for start in starts]
        assert len(texts) >= 6 and min(used) > 0


def test_each_label_is_the_scorer_s(made: list[Row]) -> None:
    """The right reply earns nothing, another one does, or an answer that is shown as wrong is right."""
    for row in made:
        other = {"1": "2", "2": "1", "YES": "NO, The correct answer is 0", "NO": "YES"}[row["label"]]
        assert score(row["gold_reply"], row).why == "solved", row["id"]
        assert score(f"\\boxed{{{other}}}", row).why == "wrong"
    echoed = [score(row["prompt"], row).score for row in made]  # the prompts have the forms of both
    assert sum(echoed) <= 0.5 * len(made)


def test_a_flawed_reasoning_differs_from_the_sound_one_from_one_step_on(release: Release, made: list[Row]) -> None:
    """A step before the error differs, or the reasoning speaks of another puzzle."""
    rows = {row["id"]: row for row in all_rows(release)}
    twos: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in made:
        if row["task"] == "reasoning":
            twos[row["about"]][row["label"]] = row
    assert len(twos) > 150
    for name, pair in twos.items():
        sound, flawed = pair["YES"]["prompt"].splitlines(), pair["NO"]["prompt"].splitlines()
        assert len(sound) == len(flawed) and sound != flawed
        first = next(n for n, (one, other) in enumerate(zip(sound, flawed, strict=True)) if one != other)
        step = re.fullmatch(r"step (\d+) has (.+) where the only answer has (.+)", pair["NO"]["why"])
        assert step is not None
        assert re.match(rf"(\[|\(|Step )?{step[1]}[.:)\]] ", sound[first]), sound[first]
        case = prepared(rows[name])
        assert stated(case.puzzle) in pair["NO"]["prompt"]


def auc(some: Sequence[Row], right: str, figure: Callable[[Row], float]) -> float:
    """The chance that the figure is higher for a row with this label than for one without."""
    with_it = [figure(row) for row in some if row["label"] == right]
    without = sorted([figure(row) for row in some if row["label"] != right])
    below = sum([bisect_left(without, value) + bisect_right(without, value) for value in with_it])
    return below / (2 * len(with_it) * len(without))


@pytest.mark.parametrize(("task", "right"), [("answers", "1"), ("reasoning", "YES")])
def test_no_surface_tells_the_label(made: list[Row], task: str, right: str) -> None:
    """Length, wording, or what stands where in the prompt is more frequent with one of the labels."""
    some = [row for row in made if row["task"] == task]
    for figure in (len, lambda text: len(text.split()), lambda text: text.count("\n"), lambda text: text.count(",")):
        assert abs(auc(some, right, lambda row, figure=figure: figure(row["prompt"])) - 0.5) < 0.03
    readers = told("judging", [Seen(row["group_id"], row["label"] == right, row["prompt"], 0) for row in some]).readers
    assert set(readers) == {"wording", "counts", "grams"}
    for name, found in readers.items():
        assert found.low - 0.01 <= 0.5 and found.value < 0.56, (name, found)


# ---- exports -----------------------------------------------------------------------------------------------------------------


def test_an_export_has_the_same_bytes_again(folder: Path, judged: Path, tmp_path: Path) -> None:
    """Labels or wordings depend on a hash seed."""
    command = [sys.executable, "-m", "puzzlemill.cli", "export", str(folder), "--to", "judging", "--split", "test"]
    found = subprocess.run([*command, "--out", str(tmp_path / "out")], check=True, capture_output=True, text=True)
    assert "judgements: " in found.stdout
    for path in sorted(judged.iterdir()):
        assert path.read_bytes() == (tmp_path / "out" / path.name).read_bytes(), path.name


def test_dialogues_make_no_judgements_and_routes_no_reasonings(judged: Path) -> None:
    """A row that cannot be judged stops the export."""
    every = list(all_rows(open_rows(judged)))
    assert {row["family"] for row in every} == {"number_series", "zebra", "sudoku", "hanoi", "kumo"}
    for family in ("hanoi", "kumo"):  # one row each
        assert [row["task"] for row in every if row["family"] == family] == ["answers", "answers"]
    assert {row["split"] for row in every} == {"test"}


def test_a_changed_export_is_refused(judged: Path, folder: Path, tmp_path: Path) -> None:
    """Replies are scored by other rows than were asked, or any export is taken for judgements."""
    out = tmp_path / "out"
    export(open_release(folder), "chat", out, splits=("test",))
    with pytest.raises(BadFile, match="--to judging can be opened"):
        open_rows(out)
    export(open_release(folder), "judging", tmp_path / "other", splits=("test",))
    (tmp_path / "other" / "test.parquet").write_bytes(b"PAR1")
    with pytest.raises(BadFile, match="was changed"):
        open_rows(tmp_path / "other")
    with pytest.raises(BadFile, match="missing, so this is no finished release"):
        open_rows(tmp_path)
    for to, option in (("chat", "--replies"), ("judging", "--few-shot")):
        assert cli.main(["export", str(folder), "--to", to, option, "1", "--out", str(tmp_path / "no")]) == 2


def test_the_scorer_of_an_export_scores_it(judged: Path, tmp_path: Path) -> None:
    """A travelling scorer does not know judgements, or has no labels."""
    every = list(all_rows(open_rows(judged)))
    replies = tmp_path / "replies.jsonl"
    replies.write_text("".join([json.dumps({"id": row["id"], "reply": row["gold_reply"]}) + "\n" for row in every]))
    command = [sys.executable, str(judged / "scorer.zip"), "score", str(replies), "--json"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert found["sections"][0]["metrics"]["exact"]["value"] == 1.0
    assert "zebra/judge_reasoning" in {section["name"] for section in found["sections"]}


# ---- of replies --------------------------------------------------------------------------------------------------------------


def test_judgements_of_a_model_s_replies(folder: Path, release: Release, tmp_path: Path) -> None:
    """A right reply is shown as wrong, replies without an answer are shown, or one label has longer texts."""
    every = [row for row in all_rows(release) if row["split"] == "test" and row["family"] == "number_series"]
    replies = tmp_path / "replies.jsonl"
    with replies.open("w") as file:
        for n, row in enumerate(every):
            for sample in range(4):
                right = (n + sample) % 3 == 0
                text = row["gold_reply"] if right else wrong_reply(row)
                text = "I give up" if sample == 3 else f"{'So. ' * (n + 2 * sample)}\n{text}"
                line = {"id": row["id"], "sample": sample, "reply": text, "reasoning": "x" * LONGEST if n == 0 else "Let me see."}
                file.write(json.dumps(line) + "\n")
    out = tmp_path / "out"
    assert cli.main(["export", str(folder), "--to", "judging", "--replies", str(replies), "--out", str(out)]) == 0
    found = list(all_rows(open_rows(out)))
    counts = Counter((row["task"], row["label"]) for row in found)
    wrongs = sum([(n + sample) % 3 != 0 for n in range(1, len(every)) for sample in range(3)])
    rights = 3 * (len(every) - 1) - wrongs
    assert counts["answers", "1"] == counts["answers", "2"] == wrongs
    assert counts["reasoning", "YES"] == counts["reasoning", "NO"] == rights
    assert {row["source"] for row in found} == {"replies"}
    rows = {row["id"]: row for row in every}
    said = {(line["id"], line["sample"]): line["reply"] for line in lines(replies)}
    for row in found:
        base = rows[row["about"]]
        solved = score(said[row["about"], row["sample"]], base).solved
        assert solved == (row["label"] == "YES") if row["task"] == "reasoning" else not solved
        assert score(row["gold_reply"], row).solved
        assert "Let me see." in row["prompt"] or row["task"] == "answers"


# ---- asking ------------------------------------------------------------------------------------------------------------------


def test_judgements_are_asked_scored_and_measured(
    judged: Path, model: Model, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A judgement is asked in other words, or the measures are not those of the replies."""
    rows = open_rows(judged)
    every = {row["prompt"]: row for row in all_rows(rows)}

    def script(body: dict[str, Any]) -> Act:
        row = every[body["messages"][-1]["content"]]
        if row["family"] == "zebra":
            return Act("I wonder", reason="length")
        return Act("\\boxed{YES}" if row["task"] == "reasoning" else row["gold_reply"])

    model.script = script
    out = tmp_path / "verdicts.jsonl"
    assert ask(rows, out, model.url).missing == 0
    assert len(model.asked) == len(every)
    assert cli.main(["report", str(judged), str(out), "--out", str(tmp_path / "page.html")]) == 0
    shown = capsys.readouterr().out
    flawed = next(line.split() for line in shown.splitlines() if " flawed " in line)
    assert flawed[:5] == ["tiny", "a", "reasoning", "flawed", flawed[4]]
    exhausted = sum([row["task"] == "reasoning" and row["label"] == "NO" and row["family"] == "zebra" for row in every.values()])
    share = 100 * exhausted / int(flawed[4])
    assert flawed[5] == "0.0" and flawed[-4:] == [f"{share:.1f}", "0.0", "0", "0"]
    assert "hallucination cascade" in (tmp_path / "page.html").read_text()
    assert cli.main(["score", str(judged), str(out)]) == 0


def test_what_was_endorsed_is_asked_again(judged: Path, model: Model, tmp_path: Path) -> None:
    """A verdict NO is asked again, or a chain that was stopped starts anew."""
    rows = open_rows(judged)

    def script(body: dict[str, Any]) -> Act:
        text = body["messages"][-1]["content"]
        return Act("\\boxed{NO}" if "examiner" in text else "\\boxed{YES}" if "\\boxed{YES}" in text else "\\boxed{1}")

    model.script = script
    out = tmp_path / "again.jsonl"
    assert ask(rows, out, model.url, Settings("tiny", mitigation="judge-again")).missing == 0
    steps = {line["id"]: [step["step"] for step in line["steps"]] for line in lines(out)}
    for row in all_rows(rows):
        assert steps[row["id"]] == (["judge", "again"] if row["task"] == "reasoning" else ["judge"])
    asked = [asked.body["messages"][-1]["content"] for asked in model.asked]
    assert all(text.count("\\boxed{YES}") >= 2 for text in asked if "examiner" in text)


@pytest.mark.parametrize(
    ("verdicts", "steps", "right"),
    [
        (["\\boxed{YES}", "\\boxed{YES}"], 3, False),
        (["\\boxed{YES}", "\\boxed{NO, The correct answer is GOLD}"], 3, True),
        (["\\boxed{NO, The correct answer is GOLD}"], 2, True),
        (["\\boxed{NO}"], 2, False),
        (["\\boxed{NO, The correct answer is nothing}"], 2, False),
        (["I cannot say"], 2, False),
    ],
)
def test_a_model_judges_its_own_reply(
    folder: Path, release: Release, model: Model, tmp_path: Path, verdicts: list[str], steps: int, right: bool
) -> None:
    """A correction is lost, in a format that the row does not have, or put in where none was given."""
    some = {row["prompt"]: row for row in all_rows(release) if row["split"] == "test" and row["family"] == "number_series"}

    def script(body: dict[str, Any]) -> Act:
        text = body["messages"][-1]["content"]
        prompt = next(prompt for prompt in some if prompt in text)
        row = some[prompt]
        if text == prompt:
            return Act(wrong_reply(row))
        gold = " | ".join(gold_rows(prepared(row))[0])
        return Act(verdicts["opinion" in text].replace("GOLD", gold))

    model.script = script
    out = tmp_path / "own.jsonl"
    settings = Settings("tiny", mitigation="self-validate")
    done = ask(release, out, model.url, settings, Choice(1, family="number_series"))
    assert (done.missing, done.calls) == (0, steps * len(some))
    by_id = {row["id"]: row for row in some.values()}
    for line in lines(out):
        assert [step["step"] for step in line["steps"]] == ["solve", "validate", "again"][:steps]
        assert score(line["reply"], by_id[line["id"]]).solved is right
        assert line["calls"] == steps
    assert cli.main(["report", str(folder), str(out), "--answered"]) == 0


def test_ways_of_asking_that_do_not_go_together(judged: Path, release: Release, tmp_path: Path) -> None:
    """A judgement is asked in several turns, which tell whether the first one was right; or a puzzle is asked for a verdict."""
    rows = open_rows(judged)
    for settings in (
        Settings("tiny", turns=2),
        Settings("tiny", answer_call="cut"),
        Settings("tiny", mitigation="self-validate"),
        Settings("tiny", mitigation="plan-and-solve"),
    ):
        with pytest.raises(BadParams, match="judgements"):
            ask(rows, tmp_path / "no.jsonl", "http://127.0.0.1:9/v1", settings)
    settings = Settings("tiny", mitigation="judge-again")
    with pytest.raises(BadParams, match="judge-again is for rows"):
        ask(release, tmp_path / "no.jsonl", "http://127.0.0.1:9/v1", settings, Choice(1, family="sudoku"))
    with pytest.raises(BadParams, match="verdict is asked for"):
        replace(Settings("tiny"), mitigation="self-validate", answer_call="cut").checked()
