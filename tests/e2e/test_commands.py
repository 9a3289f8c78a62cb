"""The commands, from a line typed to files read back."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from dataclasses import fields
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from releases import rows_of

import puzzlemill
from puzzlemill import cli
from puzzlemill.cli.table import parser
from puzzlemill.factory.catalogue import entry, sheet

ONE = ["family=sudoku", "variant=unsolvable", "family.params.size=6", "count={train:4,test:2}", "seed=demo"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("made") / "release"
    assert cli.main(["generate", *ONE, f"out={out}", "workers=1"]) == 0
    return out


def test_generate_ends_with_a_table_and_the_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After a run nobody is told what was made and where."""
    command = ["generate", "family=hanoi", "count={train:3,test:1}", "family.params.disks=[3,4]", f"out={tmp_path / 'new'}"]
    assert cli.main([*command, "workers=1"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[0].split() == ["family", "split", "groups", "rows", "dropped", "difficulty"]
    assert [line.split()[:4] for line in lines[2:4]] == [["hanoi", "train", "3", "3"], ["hanoi", "test", "1", "1"]]
    assert lines[5:8] == [f"4 rows in {tmp_path / 'new'}", "", "next:"]
    for line in lines[8:]:
        words = shlex.split(line, comments=True)
        assert words[:3] == ["puzzlemill", words[1], str(tmp_path / "new")] and parser().parse_args(words[1:]), line
    assert [line.split()[1] for line in lines[8:]] == ["preview", "verify", "export", "run", "score"]
    assert "--split" not in lines[11]  # `run` asks the test rows
    assert all(re.match(r"(hanoi (train|test): \d of 4 groups|compiling kernels|preparing)", line) for line in err.splitlines())
    found = sorted(path.relative_to(tmp_path / "new").as_posix() for path in (tmp_path / "new").rglob("*") if path.is_file())
    assert found == [
        "README.md",
        "data/hanoi/test-00000-of-00001.parquet",
        "data/hanoi/train-00000-of-00001.parquet",
        "example.svg",
        "manifest.json",
        "scorer.zip",
    ]
    assert cli.main(command) == 0
    assert "holds this release already; nothing was made" in capsys.readouterr().out


@pytest.mark.parametrize("split", ["train", "holdout"])
def test_the_next_commands_fit_a_set_without_test_rows(split: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`run` as it is named after `generate` finds no rows, for it asks test rows."""
    assert cli.main(["generate", "family=hanoi", "count=2", f"split={split}", f"out={tmp_path / 'new'}", "workers=1"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("  puzzlemill run "))
    options = parser().parse_args(shlex.split(line, comments=True)[1:])
    assert (options.split, options.dir) == (split, tmp_path / "new")


def test_a_group_is_a_parent_and_its_variant(made: Path) -> None:
    """count=N no longer means N groups, or a child lost its parent."""
    rows = rows_of(made, "sudoku", "train")
    assert [row["variant"] for row in rows] == ["canonical", "unsolvable"] * 4
    assert len({row["group_id"] for row in rows}) == 4
    assert all("no solution" in row["prompt"] or '"solvable": false' in row["prompt"] for row in rows)


def test_the_script_makes_the_same_bytes(made: Path, tmp_path: Path) -> None:
    """scripts/generate.py is not the same as `puzzlemill generate`."""
    script = Path(__file__).parents[2] / "scripts" / "generate.py"
    command = [sys.executable, str(script), *ONE, f"out={tmp_path / 'again'}", "workers=1"]
    subprocess.run(command, check=True, capture_output=True)
    assert (tmp_path / "again" / "manifest.json").read_bytes() == (made / "manifest.json").read_bytes()


def test_another_word_gives_other_puzzles(made: Path, tmp_path: Path) -> None:
    """Two words share a puzzle."""
    assert cli.main(["generate", *ONE, "seed=other", f"out={tmp_path / 'other'}", "workers=1"]) == 0
    keys = {row["canonical_key"] for row in rows_of(made, "sudoku", "train")}
    assert keys.isdisjoint(row["canonical_key"] for row in rows_of(tmp_path / "other", "sudoku", "train"))


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    """A family, a parameter or a variant that there is does not stand in the list."""
    assert cli.main(["list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == list(puzzlemill.FAMILIES)
    size = {"type": "int", "default": 9, "values": "4, 6, 8, 9, 12, 16 or 25", "about": "rows and columns"}
    assert found["sudoku"]["params"]["size"] == size
    assert found["sudoku"]["kinds"]["zones"] == ["UE1"] and found["sudoku"]["kinds"]["canonical"] == []
    assert {"canonical", "unsolvable", "zones", "diagonals", "letters"} <= set(found["sudoku"]["variants"])
    assert "shuffled" not in found["sudoku"]["variants"]
    assert {"shuffled", "exclusive_or", "red_herring"} <= set(found["zebra"]["variants"])
    assert {"random_start", "custom_pegs"} <= set(found["hanoi"]["variants"])
    assert "unsolvable" not in found["hanoi"]["variants"]
    assert found["binario"]["rules"] == ["distinct"]
    assert found["binario"]["transforms"]["extra_constraint"] == {
        "kind": "IC2",
        "args": {"extras": 3},
        "about": "fewer givens, and constraints on lines and groups of cells",
        "needs": "",
    }
    assert found["sudoku"]["transforms"]["fewer_givens"]["needs"].startswith("family.params.givens above 0")
    assert "clash" not in found["sudoku"]["variants"]  # it is the whole of unsolvable
    assert cli.main(["list"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"\nsudoku +Sudoku: size=9 givens=0\n", out)


def test_list_of_one_family(capsys: pytest.CaptureFixture[str]) -> None:
    """A parameter, a rule or a variant has no line of its own, or the line lacks default, values, kind or meaning."""
    assert cli.main(["list", "sudoku"]) == 0
    out = capsys.readouterr().out
    for line in (
        r"  size=9 +4, 6, 8, 9, 12, 16 or 25 +rows and columns",
        r"  givens=0 +1 to 80 or 0 here +how many clues stay .*",
        r"  diagonals +both main diagonals hold every symbol once \(size 6, 8, 9, 12, 16\)",
        r"  diagonals +UE2 +both main diagonals hold every symbol once",
        r"  unsolvable +UP +one thing of its parent was changed or moved so that no answer is left",
        r"  canonical +- +the puzzle as it is known, nothing changed",
        r"  fewer_givens +IC1 +more of the givens left out, .*; needs family.params.givens above 0, .*",
    ):
        assert re.search(rf"^{line}$", out, re.MULTILINE), line
    assert "shuffled" not in out  # which no sudoku has
    for name, family in puzzlemill.FAMILIES.items():
        text = sheet(family)
        heads = [re.match(r"\S*", line.strip())[0].partition("=")[0] for line in text.splitlines()]  # type: ignore[index]
        assert {each.name for each in fields(family.params)} | set(family.rules) | set(entry(family)["variants"]) <= set(heads), (
            name
        )
    assert cli.main(["list", "sudok"]) == 2
    assert "did you mean sudoku?" in capsys.readouterr().err
    assert cli.main(["list", "zebra", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == ["zebra"]


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main(["show", *arguments]) == 0
    return capsys.readouterr().out


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    """show prints the answer unasked, or another puzzle every time, or the same for every word, index and format."""
    settings = ["sudoku", "family.params.size=6"]
    first = shown(capsys, *settings)
    assert first == shown(capsys, *settings)
    assert "6x6 Sudoku" in first and "right reply" not in first
    others = [shown(capsys, *settings, *more) for more in (["--seed", "x"], ["--index", "1"], ["--format", "tags"])]
    assert len({first, *others}) == 4
    answered = shown(capsys, *settings, "--answer")
    assert answered.startswith(first) and '{"answer": [[' in answered
    assert answered.endswith('{"solvable": false}\n') is False
    assert shown(capsys, "sudoku", "unsolvable", "family.params.size=6", "--answer").endswith('{"solvable": false}\n')


def test_make_and_score() -> None:
    """The five lines of the README do not work."""
    row = puzzlemill.make("sudoku", size=6)
    assert row == puzzlemill.make("sudoku", size=6)
    assert row["id"] != puzzlemill.make("sudoku", size=6, index=1)["id"]
    assert puzzlemill.score(row["gold_reply"], row).solved
    assert not puzzlemill.score("", row).solved
    broken = puzzlemill.make("sudoku", size=6, transforms=["clash"], reply_format="tags")
    assert (broken["status"], broken["reply_format"]) == ("unsolvable", "tags")
    with pytest.raises(puzzlemill.core.errors.BadParams, match="has no such parameter"):
        puzzlemill.make("sudoku", sise=6)
    with pytest.raises(puzzlemill.core.errors.BadParams, match="numbered from 0"):
        puzzlemill.make("sudoku", size=6, index=-1)


def test_stats(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows, statuses or figures are not counted as they are."""
    assert cli.main(["stats", str(small)]) == 0
    out = capsys.readouterr().out
    rows = [line.split() for line in out.split("\n\n")[0].splitlines()[2:]]
    assert rows == [
        ["binario", "canonical", "unique", "2", "2", "4"],
        ["hanoi", "canonical", "optimal", "2", "1", "3"],
        ["sudoku", "canonical", "unique", "3", "3", "6"],
        ["sudoku", "unsolvable", "unsolvable", "3", "3", "6"],
        ["zebra", "canonical", "unique", "2", "2", "4"],
        ["zebra", "shuffled", "unique", "2", "2", "4"],
        ["zebra", "unsolvable", "unsolvable", "2", "2", "4"],
    ]
    assert "least / median / greatest" in out


def test_stats_as_json(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--json is no JSON, or tells other numbers than the tables."""
    assert cli.main(["stats", str(small), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["sorts", "rank_correlations", "answers", "thrown_away"]
    assert sum(line["rows"] for sort in found["sorts"] for line in sort["rows"]) == 31
    by_name = {(sort["family"], sort["variant"]): sort for sort in found["sorts"]}
    rows = [row for split in ("train", "test") for row in rows_of(small, "sudoku", split) if row["variant"] == "unsolvable"]
    sizes = [len(row["proof"]["unsat_core"]) for row in rows]
    told = by_name["sudoku", "unsolvable"]["figures"]
    assert (told["unsat_core_size"]["least"], told["unsat_core_size"]["greatest"]) == (min(sizes), max(sizes))
    for name in ("sat_conflicts", "smt_decisions"):
        sample = [row["effort"][name] for row in rows if row["effort"][name] is not None]
        assert 0 < len(sample) < len(rows) and told[name]["n"] == len(sample)
    assert sum(by_name["sudoku", "unsolvable"]["tallies"]["depth"].values()) == len(rows)
    assert {(some["family"], some["distinct"]) for some in found["answers"]} >= {("sudoku", 6), ("binario", 4)}


@pytest.mark.parametrize(("family", "variant"), [("sudoku", "unsolvable"), ("binario", "canonical"), ("zebra", "unsolvable")])
def test_prove(small: Path, tmp_path: Path, family: str, variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The files of a row's proof do not prove it, or are others than those whose hashes are printed."""
    name = next(row["id"] for row in rows_of(small, family, "test") if row["variant"] == variant)
    out = tmp_path / "new" / "proofs"
    assert cli.main(["prove", str(small), name, "--out", str(out), "--check"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith(f"{name}: {'no other answer' if variant == 'canonical' else 'no answer'}, ")
    assert told[-1] == "checked: every step follows"
    assert sorted(path.name for path in out.iterdir()) == [f"{name}.cnf", f"{name}.drat"]
    for line, path in zip(told[1:3], (out / f"{name}.cnf", out / f"{name}.drat"), strict=True):
        assert line == f"{sha256(path.read_bytes()).hexdigest()}  {path}"
    assert f"c row: {name}" in (out / f"{name}.cnf").read_text().splitlines()


def test_what_has_no_such_proof(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A puzzle of moves, an unknown row, a strange name or a folder that cannot be written ends in a traceback."""
    route = rows_of(small, "hanoi", "test")[0]["id"]
    grid = rows_of(small, "sudoku", "test")[0]["id"]
    (tmp_path / "file").write_text("")
    for name, out, expected in (
        (route, tmp_path, "exhaustive search"),
        ("sudoku-" + "0" * 20, tmp_path, "no row of"),
        ("../" + grid, tmp_path, "is no row's id"),
        (grid, tmp_path / "file", "with --out"),
    ):
        assert cli.main(["prove", str(small), name, "--out", str(out)]) == 2
        shown = capsys.readouterr()
        assert shown.out == "" and shown.err.count("\n") == 1 and expected in shown.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def replies(folder: Path, small: Path, change: Any = None) -> Path:
    path = folder / "replies.jsonl"
    rows = [row for family in ("sudoku", "binario", "zebra", "hanoi") for row in rows_of(small, family, "test")]
    lines = [json.dumps({"id": row["id"], "sample": 0, "reply": row["gold_reply"]}) for row in rows]
    path.write_text("\n".join(lines if change is None else change(lines)) + "\n")
    return path


def test_score(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The gold replies of a release are not right by its own scorer, or --json is no JSON."""
    assert cli.main(["score", str(small), str(replies(tmp_path, small)), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found
    assert cli.main(["score", str(small), str(replies(tmp_path, small))]) == 0
    assert "exact" in capsys.readouterr().out.lower()


def test_the_scorer_in_the_release_agrees(small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """scorer.zip and `puzzlemill score` tell different things of the same replies."""
    path = replies(tmp_path, small, lambda lines: lines[1:])
    assert cli.main(["score", str(small), str(path), "--json"]) == 0
    command = [sys.executable, "-I", "-S", str(small / "scorer.zip"), "score", str(path), "--json"]
    alone = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert json.loads(alone.stdout) == json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (lambda lines: ['{"id": "sudoku-nobody", "sample": 0, "reply": "1"}', *lines], "unknown id 'sudoku-nobody'"),
        (lambda lines: [lines[0], "{not json"], "replies.jsonl:2"),
        (lambda lines: [*lines, '{"id": 3}'], "replies.jsonl:"),
        (lambda lines: [lines[0], lines[0]], "a second reply"),
    ],
)
def test_replies_that_cannot_be_scored(
    small: Path, tmp_path: Path, lines: Any, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of replies with a mistake is scored in part, or the mistake is not told with its line."""
    assert cli.main(["score", str(small), str(replies(tmp_path, small, lines))]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and expected in err


def test_datasets_loads_every_family(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """load_dataset(DIR), which is all rows, or load_dataset(DIR, "sudoku") fails, needs a network, or gives other splits, columns
    or rows than were written."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    code = (
        "import json, sys\n"
        "from datasets import get_dataset_config_names, load_dataset\n"
        "names = get_dataset_config_names(sys.argv[1])\n"
        "found = {name: load_dataset(sys.argv[1], name, cache_dir=sys.argv[2]) for name in names}\n"
        "told = {name: {split: rows['id'] for split, rows in splits.items()} for name, splits in found.items()}\n"
        "row = found['sudoku']['test'][0]\n"
        "whole = load_dataset(sys.argv[1], cache_dir=sys.argv[2])\n"
        "default = {split: rows['id'] for split, rows in whole.items()}\n"
        "sizes = {n: {s: i.num_bytes for s, i in f['train'].info.splits.items()} for n, f in found.items()}\n"
        "ids = {n: {s: list(i) for s, i in p.items()} for n, p in {**told, '': default}.items()}\n"
        "print(json.dumps([names, ids, row, sizes]))\n"
    )
    command = [sys.executable, "-c", code, str(small), str(tmp_path / "cache")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    names, told, row, sizes = json.loads(done.stdout.splitlines()[-1])
    assert names == ["all", "sudoku", "binario", "zebra", "hanoi"]
    for split in ("train", "test"):
        every = [row["id"] for name in names[1:] for row in rows_of(small, name, split)]
        assert told[""][split] == told["all"][split] == every
        assert sizes["all"][split] == sum(sizes[name][split] for name in names[1:]) > 1000
    for name in names[1:]:
        assert told[name] == {split: [row["id"] for row in rows_of(small, name, split)] for split in ("train", "test")}
    assert row == rows_of(small, "sudoku", "test")[0]
