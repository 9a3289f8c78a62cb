"""Exports as such: the files, what they hold, and what is refused. Needs none of the tools; test_<tool>.py run those."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from puzzlemill.cli import main
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.envs.columns import PROCESS, SCORING, chat, process, reward, scoring, scoring_json, sft
from puzzlemill.envs.export import choose, export, splits_of
from puzzlemill.envs.export import rows as rows_of
from puzzlemill.factory import writer
from puzzlemill.factory.read import Entry, Release, open_release
from puzzlemill.factory.reasoning import Options
from puzzlemill.generators import family_named
from strategies import unwanted

MINE = ("trl", "verl", "chat", "sft")
Judge = Callable[[list[tuple[dict[str, Any], str]]], list[float]]


def test_the_scoring_columns_alone_reward_gold_and_no_guess(pays_no_guess: Callable[[Judge], None]) -> None:
    """Failing means that rewards differ from scores, or that a reply is paid that is no answer."""
    pays_no_guess(lambda pairs: [reward(text, scoring(row)) for row, text in pairs])


def test_worked_replies_are_right_and_say_why(rows: list[dict[str, Any]]) -> None:
    """Failing means that a model would be taught wrong or unexplained replies."""
    kinds = set()
    for row in rows:
        user, assistant = sft(row)
        assert [user] == chat(row)
        assert user["content"] == row["prompt"]
        assert assistant["role"] == "assistant"
        text = assistant["content"]
        assert text.endswith(row["gold_reply"])
        assert not unwanted(text), text
        assert reward(text, row) == 1.0, row["id"]
        whole, place = sft(row, Options(wrong_suppositions=0))[1]["content"].casefold(), 0
        for step in row["trace"]:  # in their order, the last one of a refutation with another end
            said = re.sub(r"(\bso| shows that|;) there is no answer\.$", "", " ".join(step["text"].split()).casefold()).rstrip()
            place = whole.index(said, place) + len(said)
        assert ("the puzzle has no solution.\n\n" in text) == (row["answer"] is None)
        assert "there is no answer" not in text
        kinds.add((row["family"], row["answer"] is None, bool(row["trace"]), row["reply_format"]))
    assert {kind[:3] for kind in kinds} == {
        (family, unsolvable, True) for family in ("sudoku", "binario", "zebra", "hanoi") for unsolvable in (False, True)
    }


@pytest.mark.parametrize("to", MINE)
def test_exports_open_with_datasets_and_have_every_row(
    release: Path, rows: list[dict[str, Any]], tmp_path: Path, to: str
) -> None:
    """Failing means that a tool cannot open the files, or gets other rows than the release has."""
    from datasets import load_dataset

    counts = export(open_release(release), to, tmp_path / "out")
    assert counts.rows == {split: sum(row["split"] == split for row in rows) for split in ("train", "test")}
    for split, count in counts.rows.items():
        path = tmp_path / "out" / f"{split}.parquet"
        found = load_dataset("parquet", data_files=str(path), split="train", cache_dir=str(tmp_path / "cache"))
        assert len(found) == count
        wanted = [row for row in rows if row["split"] == split]
        for have, row in zip(found, wanted, strict=True):
            messages = have["prompt"] if to in ("trl", "verl") else have["messages"]
            assert messages == (sft(row) if to == "sft" else chat(row))
            told = json.loads(have["reward_model"]["ground_truth"]) if to == "verl" else have
            assert {name: told[name] for name in SCORING} == scoring(row)
            kept = have["extra_info"] if to == "verl" else have
            assert all(kept[name] == row[name] for name in ("difficulty", "canonical_key", "canary"))
        assert found.features.arrow_schema.names == pq.read_schema(path).names


def test_steps_with_labels_open_as_reward_models_are_trained_on_them(release: Path, tmp_path: Path) -> None:
    """Failing means that a process reward model cannot be trained on the export, or learns other steps than the rows have."""
    from datasets import List, Value, load_dataset

    asked = ["--form", "process", "--wrong-suppositions", "100", "--trace-tokens", "3000", "--split", "train"]
    assert main(["export", str(release), "--to", "sft", *asked, "--out", str(tmp_path / "out")]) == 0
    path = str(tmp_path / "out" / "train.parquet")
    found = load_dataset("parquet", data_files=path, split="train", cache_dir=str(tmp_path / "cache"))
    assert found.features["completions"] == List(Value("string")) and found.features["labels"] == List(Value("bool"))
    options = Options("process", 3000, 100)
    wanted = [process(row, options) for row in rows_of(open_release(release), split="train")]
    assert [{name: row[name] for name in PROCESS} for row in found] == wanted
    assert {label for row in wanted for label in row["labels"]} == {True, False}
    mark = json.loads((tmp_path / "out" / "export.json").read_text())["reasoning"]
    assert (mark["form"], mark["trace_tokens"], mark["wrong_suppositions"]) == ("process", 3000, 100)
    assert mark["families"]["binario"]["wrong_suppositions"] > 0 and mark["families"]["sudoku"]["p50"] > 50
    assert "| binario |" in (tmp_path / "out" / "README.md").read_text()
    with pytest.raises(BadParams, match="--form, --trace-tokens and --wrong-suppositions are for worked replies, --to sft"):
        export(open_release(release), "chat", tmp_path / "chat", reasoning=Options("prose"))


def test_worked_replies_are_put_as_the_recipe_says_unless_the_command_line_does(release: Path, tmp_path: Path) -> None:
    """Failing means that a recipe's reasoning is ignored, or cannot be overridden one by one."""
    opened = open_release(release)
    recipe = {**opened.manifest["recipe"], "reasoning": {"form": "table", "trace_tokens": 900, "wrong_suppositions": 40}}
    (release_of := tmp_path / "release").mkdir()
    (release_of / "data").symlink_to(release / "data")
    (release_of / "manifest.json").write_text(json.dumps({**opened.manifest, "recipe": recipe}))
    asked = {
        "out": [],
        "prose": ["--form", "prose"],
        "more": ["--trace-tokens", "4000", "--wrong-suppositions", "0", "--form", "voice"],
    }
    said = {}
    for name, options in asked.items():
        assert main(["export", str(release_of), "--to", "sft", "--split", "test", *options, "--out", str(tmp_path / name)]) == 0
        mark = json.loads((tmp_path / name / "export.json").read_text())["reasoning"]
        said[name] = mark["form"], mark["trace_tokens"], mark["wrong_suppositions"]
        rows = pq.read_table(tmp_path / name / "test.parquet").to_pylist()
        assert any("| step | reason |" in row["messages"][1]["content"] for row in rows) == (name != "prose")
    assert said == {"out": ("table", 900, 40), "prose": ("prose", 900, 40), "more": ("voice", 4000, 0)}
    recipe["reasoning"]["form"] = "song"
    (release_of / "manifest.json").write_text(json.dumps({**opened.manifest, "recipe": recipe}))
    with pytest.raises(BadFile, match=r"manifest.json: recipe.reasoning.form: 'song' is not known"):
        export(open_release(release_of), "sft", tmp_path / "bad")
    assert main(["export", str(release), "--to", "sft", "--form", "song", "--out", str(tmp_path / "bad")]) == 2


def test_the_same_choice_gives_the_same_bytes_in_place_of_an_earlier_export(release: Path, tmp_path: Path) -> None:
    """Failing means that an export cannot be repeated or replaced."""
    for out in (tmp_path / "a", tmp_path / "b", tmp_path / "b"):
        assert main(["export", str(release), "--to", "trl", "--split", "test", "--reply-format", "json", "--out", str(out)]) == 0
    listed = [{path.relative_to(out): path.read_bytes() for path in out.iterdir()} for out in (tmp_path / "a", tmp_path / "b")]
    assert listed[0] == listed[1]
    assert {path.name for path in listed[0]} >= {"test.parquet", "reward.py", "scorer.zip", "README.md", "export.json"}
    assert Path("train.parquet") not in listed[0]
    assert set(pq.read_table(tmp_path / "a" / "test.parquet")["reply_format"].to_pylist()) == {"json"}
    (tmp_path / "a" / "__pycache__").mkdir()
    (tmp_path / "a" / "__pycache__" / "reward.cpython-311.pyc").write_bytes(b"x")
    assert main(["export", str(release), "--to", "chat", "--out", str(tmp_path / "a")]) == 0
    assert not (tmp_path / "a" / "reward.py").exists()


def test_scorer_and_rows_of_a_choice_hold_nothing_else(release: Path, tmp_path: Path) -> None:
    """Failing means that an export of the training rows carries the answers of the test rows."""
    from zipfile import ZipFile

    counts = export(open_release(release), "trl", tmp_path / "out", ["train"])
    with ZipFile(tmp_path / "out" / "scorer.zip") as archive:
        carried = [json.loads(line) for line in archive.read("rows.jsonl").splitlines()]
    assert {row["split"] for row in carried} == {"train"}
    assert len(carried) == counts.rows["train"]


def test_a_folder_with_anything_else_is_refused_and_left_alone(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Failing means that somebody's files are lost."""
    opened = open_release(release)
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "thesis.tex").write_text("years of work")
    added, changed, linked = (tmp_path / name for name in ("added", "changed", "linked"))
    for out in (added, changed, linked):
        export(opened, "chat", out, ["test"])
    (added / "notes.txt").write_text("mine")
    (changed / "README.md").write_text("mine")
    (linked / "more").symlink_to(foreign)
    file = tmp_path / "file"
    file.write_text("mine")
    link = tmp_path / "link"
    link.symlink_to(foreign)
    forged = tmp_path / "forged"
    forged.mkdir()
    (forged / "export.json").write_text("[]")
    part = tmp_path / "new.part"
    part.mkdir()
    (part / "thesis.tex").write_text("mine")
    for out in (foreign, added, changed, linked, file, link, forged, tmp_path / "new", release, release / "exported"):
        before = sorted((path, path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file())
        shipped = sorted(release.rglob("*"))
        assert main(["export", str(release), "--to", "chat", "--out", str(out)]) == 2
        error = capsys.readouterr().err
        assert error.startswith("error: ") and error.count("\n") == 1 and "choose another folder" in error
        assert before == sorted((path, path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file())
        assert shipped == sorted(release.rglob("*"))


def test_an_export_that_was_cut_short_is_done_again(release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Failing means that a crash leaves half an export under its name, or blocks the next one."""
    out = tmp_path / "out"
    export(open_release(release), "chat", out, ["train"])
    before = {path: path.read_bytes() for path in out.iterdir()}

    class Crash(Exception):
        pass

    def crash(*_: object) -> None:
        raise Crash

    with monkeypatch.context() as patch:
        patch.setattr("puzzlemill.envs.adapters.chat.write_scorer", crash)
        with pytest.raises(Crash):
            export(open_release(release), "sft", out)
    assert {path: path.read_bytes() for path in out.iterdir()} == before
    assert (tmp_path / "out.part").exists()
    export(open_release(release), "sft", out)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--to", "pytorch"], "use one of trl, verl"),
        (["--to", "../chat"], "use one of trl, verl"),
        (["--to", "trl", "--split", "valid"], "it has train, test"),
        (["--to", "trl", "--reply-format", "xml"], "use one of json, tags, boxed, table"),
    ],
)
def test_what_there_is_not_is_refused_in_one_line(
    release: Path, tmp_path: Path, options: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Failing means that a typo gives a traceback or an empty export."""
    assert main(["export", str(release), "--out", str(tmp_path / "out"), *options]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and told in error
    assert not list(tmp_path.iterdir())


def test_names_in_a_manifest_do_not_become_paths(release: Path, tmp_path: Path) -> None:
    """Failing means that a downloaded release writes where it likes."""
    opened = open_release(release)
    for path in ("data/sudoku/x.py-00000-of-00001.parquet", "data/a b/test-00000-of-00001.parquet", "data/test.parquet"):
        with pytest.raises(BadFile, match="no name of a release's file"):
            export(Release(release, opened.manifest, {path: Entry(path, 1, "", 1)}), "chat", tmp_path / "out")
    nothing = Release(release, opened.manifest, {})
    with pytest.raises(BadParams, match="no row"):
        export(nothing, "chat", tmp_path / "out")


def test_a_file_with_rows_of_another_split_is_refused(release: Path, tmp_path: Path) -> None:
    """Failing means that test rows that lie in a training file are trained on."""
    opened = open_release(release)
    copy = tmp_path / "release"
    for name, split in (("train", "test"), ("test", "test")):
        target = copy / f"data/sudoku/{name}-00000-of-00001.parquet"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((release / f"data/sudoku/{split}-00000-of-00001.parquet").read_bytes())
    files = {path: entry for path, entry in opened.files.items() if path.startswith("data/sudoku/")}
    with pytest.raises(BadFile, match="another split"):
        export(Release(copy, opened.manifest, files), "chat", tmp_path / "out")


def test_rows_of_another_version_of_their_family_are_refused(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Failing means an export with a scorer that cannot judge one of its rows."""
    monkeypatch.setattr(type(family_named("zebra")), "version", 99)
    assert main(["export", str(release), "--to", "chat", "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "rows of zebra are of the family's version " in told and "of version 99" in told
    assert list(tmp_path.iterdir()) == []


def test_the_root_is_no_place_for_an_export(release: Path) -> None:
    with pytest.raises(BadFile, match="is no folder of yours"):
        export(open_release(release), "chat", Path("/"))


def test_a_choice_is_in_the_order_of_the_release(release: Path, rows: list[dict[str, Any]]) -> None:
    """Failing means that adapters see other rows than were chosen."""
    chosen = choose(open_release(release), ["test"], ["table", "json"])
    wanted = [row for row in rows if row["split"] == "test" and row["reply_format"] in ("table", "json")]
    assert list(rows_of(chosen)) == wanted
    assert [row["id"] for row in rows_of(chosen, ["id"], family="zebra")] == [r["id"] for r in wanted if r["family"] == "zebra"]
    assert splits_of(chosen) == ("test",)


def test_rows_are_written_as_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Failing means that a whole data set is held in memory."""
    written: list[int] = []
    write = pq.ParquetWriter.write_table

    def counted(self: Any, table: Any, *more: Any, **named: Any) -> None:
        written.append(table.num_rows)
        write(self, table, *more, **named)

    monkeypatch.setattr(pq.ParquetWriter, "write_table", counted)

    def made() -> Any:
        for i in range(2 * writer.ROW_GROUP + 1):
            assert sum(written) >= i - writer.ROW_GROUP
            yield {"n": i}

    assert writer.write_parquet(tmp_path / "n.parquet", {"n": "int64"}, made()) == 2 * writer.ROW_GROUP + 1
    assert written == [writer.ROW_GROUP, writer.ROW_GROUP, 1]


ALONE = """
import json, sys
sys.path.insert(0, sys.argv[1])
cases = json.load(sys.stdin)
rows = [json.loads(case["row"]) for case in cases]
if sys.argv[2] == "verl":
    from reward import compute_score
    def paid(case):
        return compute_score("puzzlemill", case["reply"], case["row"], {"index": 0}, reward_router_address=None)["score"]
    found = [paid(case) for case in cases]
else:
    from puzzle_environment import PuzzleEnvironment
    from reward import reward
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    replies = [case["reply"] for case in cases]
    found = reward([""] * len(cases), replies, **columns)
    chats = [[{"role": "assistant", "content": "thinking"}, {"role": "tool", "content": "x"},
              {"role": "assistant", "content": [{"type": "text", "text": reply}]}] for reply in replies]
    assert found == reward([""] * len(cases), chats, trainer_state=None, **columns)
    for case, row, paid in zip(cases, rows, found):
        puzzle = PuzzleEnvironment()
        puzzle.reset(prompt=[{"role": "user", "content": case["prompt"]}], **row)
        puzzle.submit(case["reply"])
        assert puzzle.get_reward() == paid
import puzzlemill
assert "scorer.zip" in puzzlemill.__file__
json.dump(found, sys.stdout)
"""


@pytest.mark.parametrize("to", ["trl", pytest.param("verl", marks=pytest.mark.slow)])
def test_rewards_need_the_standard_library_alone(release: Path, rows: list[dict[str, Any]], tmp_path: Path, to: str) -> None:
    """Failing means that a trainer's machine needs an installation of Puzzlemill, or pays for something else than answers."""
    out = tmp_path / "out"
    export(open_release(release), to, out)

    def judge(pairs: list[tuple[dict[str, Any], str]]) -> list[float]:
        cases = [{"row": scoring_json(row), "reply": text, "prompt": row["prompt"]} for row, text in pairs]
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", ALONE, str(out), to], input=json.dumps(cases), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-2000:]
        found: list[float] = json.loads(done.stdout)
        return found

    assert judge([(row, row["gold_reply"]) for row in rows]) == [1.0] * len(rows)
    assert judge([(row, sft(row)[1]["content"]) for row in rows]) == [1.0] * len(rows)
    assert sum(judge([(row, "{}") for row in rows])) == 0


@pytest.mark.parametrize("to", ["verl", "lm-eval", "inspect", "chat", "sft"])
def test_dialogues_are_for_tools_that_play_them(
    games: Path, dialogues: list[dict[str, Any]], tmp_path: Path, to: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Failing means that a prompt which asks for moves is trained or judged with a single reply."""
    release = open_release(games)
    counts = Counter(row["split"] for row in dialogues)
    assert main(["export", str(games), "--to", to, "--out", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == f"train 4 rows, test 6 rows in {tmp_path / 'out'}"
    assert shown[1] == (
        f"dialogues left out: train {counts['train']} rows, test {counts['test']} rows "
        f"({to} takes single replies, trl and verifiers play them)"
    )
    kept = json.loads((tmp_path / "out" / "export.json").read_text())
    assert (kept["single"], kept["rows"], kept["dialogues_left_out"]) == (True, {"train": 4, "test": 6}, counts)
    found = list(rows_of(choose(release, single=True)))
    assert {row["variant"] for row in found if row["family"] == "kumo"} == {"told"}
    assert {row["id"] for row in found}.isdisjoint(row["id"] for row in dialogues)


def test_a_file_of_dialogues_alone_is_left_out(tmp_path: Path) -> None:
    """Failing means that a tool finds a task without a single row."""
    from puzzlemill.factory.recipe import Recipe
    from puzzlemill.factory.run import run

    parts = [
        {"family": "kumo", "params": {"domain": "invented"}, "counts": {"test": 1}},
        {"family": "sudoku", "params": {"size": 4}, "counts": {"test": 1}},
    ]
    run(Recipe.from_plain({"name": "two", "seed": "two", "strata": parts}), tmp_path / "release")
    run(Recipe.from_plain({"name": "games", "seed": "two", "strata": parts[:1]}), tmp_path / "games")
    with pytest.raises(BadParams, match="--to sft: all 1 rows are dialogues, which trl and verifiers alone take"):
        export(open_release(tmp_path / "games"), "sft", tmp_path / "out")
    assert export(open_release(tmp_path / "release"), "lm-eval", tmp_path / "out").rows == {"test": 1}
    assert not list((tmp_path / "out").rglob("*kumo*"))


def test_trl_plays_dialogues_and_pays_no_single_reply_to_them(
    games: Path, dialogues: list[dict[str, Any]], messages_of: Callable[[dict[str, Any]], list[str]], tmp_path: Path
) -> None:
    """Failing means that a guess is paid as if the game had been played, or that a game cannot be played there."""
    export(open_release(games), "trl", tmp_path / "out")
    program = """
import json, sys
from puzzle_environment import PuzzleEnvironment
from reward import reward
for row, messages in json.load(sys.stdin):
    env = PuzzleEnvironment()
    assert "submit" in env.reset(**row)
    told = [env.submit(message) for message in messages]
    assert "messages left." in told[0] and told[-1] == "That is right.", told
    assert (env.submit(messages[0]), env.get_reward()) == ("No more replies are taken.", 1.0)
    env.reset(**row)
    assert ["The game is lost." in env.submit("hm") for _ in range(12)] == [False] * 11 + [True]
    assert env.get_reward() == 0.0
    try:
        reward([row["prompt"]], [messages[-1]], **{name: [value] for name, value in row.items() if name != "prompt"})
    except ValueError as error:
        assert "is a dialogue; train with puzzle_environment.py" in str(error)
    else:
        sys.exit("paid")
"""
    given = [({"prompt": row["prompt"], **scoring(row)}, messages_of(row)) for row in dialogues]
    command = [sys.executable, "-c", program]
    beside = {**os.environ, "PYTHONPATH": str(tmp_path / "out")}
    done = subprocess.run(command, input=json.dumps(given), env=beside, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
