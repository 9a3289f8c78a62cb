"""Puzzles of one's own choice: mixes, recipes in files, Python, releases kept apart and taken together."""

from __future__ import annotations

import json
import pydoc
from pathlib import Path
from typing import Any

import pytest
from releases import rows_of

import puzzlemill
from puzzlemill import cli
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.factory.build import build_group
from puzzlemill.factory.read import batches, open_release
from puzzlemill.factory.read import rows as every_row
from puzzlemill.factory.run import HOPELESS

MINE = """
seed: mine
strata:
  small: { family: sudoku, size: 6, variant: unsolvable, count: 3 }
  puzzles: { family: zebra, positions: 3, band: easy, counts: { train: 2, test: 1 } }
"""


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release of a recipe in a file."""
    folder = tmp_path_factory.mktemp("mine")
    (folder / "mine.yaml").write_text(MINE)
    assert cli.main(["generate", f"release={folder / 'mine.yaml'}", f"out={folder / 'out'}", "workers=1"]) == 0
    return folder / "out"


def keys(folder: Path) -> set[str]:
    return {row["canonical_key"] for row in every_row(open_release(folder), ("canonical_key",))}


def test_a_recipe_in_a_file(mine: Path) -> None:
    """release=FILE.yaml makes something else than it says."""
    found = [(row["family"], row["split"], row["variant"]) for row in puzzlemill.load(mine)]
    assert found == [("sudoku", "train", name) for name in ("canonical", "unsolvable")] * 3 + [
        *[("zebra", "train", "canonical")] * 2,
        ("zebra", "test", "canonical"),
    ]
    assert {row["difficulty"]["band"] for row in puzzlemill.load(mine, family="zebra")} == {"easy"}
    assert open_release(mine).manifest["release"] == "mine"


def test_generate_in_python_is_the_command(mine: Path, tmp_path: Path) -> None:
    """The rows that are made one after another are others than those of the release, or out= writes other bytes."""
    recipe = mine.parent / "mine.yaml"
    streamed = sorted(puzzlemill.generate(release=recipe), key=lambda row: row["family"])  # families take turns
    assert [(row["id"], row["prompt"]) for row in streamed] == [(row["id"], row["prompt"]) for row in puzzlemill.load(mine)]
    rows = puzzlemill.generate(release=recipe, out=tmp_path / "out")
    assert (tmp_path / "out" / "manifest.json").read_bytes() == (mine / "manifest.json").read_bytes()
    assert list(rows) == list(puzzlemill.load(mine)) == rows[:] and len(rows) == 9
    assert rows[-1] == rows[8] == list(rows)[8] and rows[7:9] == list(rows)[7:]
    with pytest.raises(IndexError):
        rows[9]
    assert all(puzzlemill.score(row["gold_reply"], row).solved for row in rows)
    mixed = puzzlemill.generate(["sudoku", "zebra"], sudoku={"size": 4, "count": 4}, zebra={"count": 2}, seed="mixed")
    assert [row["family"] for row in mixed] == ["sudoku", "zebra", "sudoku", "sudoku", "zebra", "sudoku"]
    first = next(iter(puzzlemill.generate("sudoku", size=6, count=1_000_000)))  # made when it is asked for
    assert first["id"] == puzzlemill.make("sudoku", size=6)["id"]


def test_make_is_show(capsys: pytest.CaptureFixture[str]) -> None:
    """The same words give one puzzle in Python and another on the command line."""
    row = puzzlemill.make("sudoku", variant="unsolvable", band="medium", size=9, seed=7, index=1, reply_format="tags")
    assert (row["status"], row["variant"]) == ("unsolvable", "unsolvable")
    for line in (
        ["sudoku", "unsolvable", "band=medium", "size=9", "seed=7", "index=1", "reply_format=tags"],
        ["sudoku", "variant=unsolvable", "band=medium", "--seed", "7", "--index", "1", "--format", "tags"],
    ):
        assert cli.main(["show", *line]) == 0
        assert capsys.readouterr().out == f"{row['prompt']}\n"
    parent = puzzlemill.make("sudoku", band="hard")
    assert parent["difficulty"]["band"] == "hard"
    assert puzzlemill.make("sudoku", size=6, variant="letters") != puzzlemill.make("sudoku", size=6)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda: puzzlemill.make("sudok"), "did you mean sudoku"),
        (lambda: puzzlemill.make("sudoku", variant="zone"), "did you mean zones"),
        (lambda: puzzlemill.make("sudoku", variant=9), r"^variant: 9 is no variant; did you mean size=9\?"),  # type: ignore[arg-type]
        (lambda: puzzlemill.make("sudoku", variant=["zones"]), "^variant: expected a name, got "),  # type: ignore[arg-type]
        (lambda: puzzlemill.generate("zebra", variant=5), "variant: 5 is no variant; did you mean positions=5"),
        (lambda: puzzlemill.make("hanoi", size=5), r"did you mean disks\?"),
        (lambda: puzzlemill.make("sudoku", size=7), "^size: must be one of 4, 6, 8, 9, 12, 16, 25, got 7$"),
        (lambda: puzzlemill.make("sudoku", sizes=6), r"has no such parameter; known: size, givens; did you mean size\?"),
        (lambda: puzzlemill.make("sudoku", level="hard"), "the difficulty is band"),
        (lambda: puzzlemill.make("sudoku", band="hrad"), "did you mean hard"),
        (lambda: puzzlemill.make("sudoku", size=5), "size"),
        (lambda: puzzlemill.make("sudoku", variant="zones", transforms=["letters"]), "leave one out"),
        (lambda: puzzlemill.generate("sudoku", sizes=6), "did you mean size"),
        (lambda: puzzlemill.generate(), "family: missing"),
        (lambda: puzzlemill.generate("sudoku", release="quick"), "leave family or release out"),
        (lambda: puzzlemill.generate("sudoku", count=3, workers=2), "name a folder, out=DIR"),
        (lambda: puzzlemill.generate(["sudoku", "crossword"], size=6), "could be of several strata"),
        (lambda: puzzlemill.load("nothing/there/at/all"), "no such folder"),
    ],
)
def test_what_python_refuses(call: Any, told: str) -> None:
    """A mistake is found late, or without what was meant."""
    with pytest.raises(puzzlemill.BadInput, match=told):
        call()


def test_what_a_release_does_not_have(mine: Path) -> None:
    """A split or a family that is not there gives no rows and no word."""
    with pytest.raises(BadParams, match=r"split: .* has none called 'tset'; it has train, test"):
        puzzlemill.load(mine, split="tset")
    with pytest.raises(BadParams, match=r"family: .* it has sudoku, zebra"):
        puzzlemill.load(str(mine), family="binario")
    with pytest.raises(BadParams, match=r"revision: .* is a folder here"):
        puzzlemill.load(mine, revision="2026-11")
    with pytest.raises(BadFile, match="no finished release"):
        puzzlemill.load(mine.parent)


def test_help_and_docstrings() -> None:
    """help() says nothing of use: no example, no parameter of a family, no function."""
    text = pydoc.plain(pydoc.render_doc(puzzlemill))
    description = text[text.index("DESCRIPTION") :]
    assert description.index("puzzlemill.make(") < description.index("PACKAGE CONTENTS")
    assert description.split("\n")[1].strip() == "import puzzlemill"
    for name in ("generate(", "load(", "make(", "score("):
        assert name in text
    for name, family in puzzlemill.FAMILIES.items():
        doc = family.__doc__ or ""
        assert f'puzzlemill.make("{name}"' in doc and "parameters (default; values)" in doc and "variants, as in" in doc
        assert doc.splitlines()[0].strip()
    assert "row      every row holds every symbol once;" in (puzzlemill.FAMILIES["sudoku"].__doc__ or "")
    with pytest.raises(KeyError, match="did you mean sudoku"):
        puzzlemill.FAMILIES["sudok"]
    assert repr(puzzlemill.FAMILIES).startswith("<families: acrostic")


def test_releases_kept_apart_by_any_recipe(mine: Path, tmp_path: Path) -> None:
    """exclude=DIR is refused for a mix or a family, or leaves a puzzle of DIR in, turned or renamed."""
    again = puzzlemill.generate(release=mine.parent / "mine.yaml", exclude=mine, out=tmp_path / "again")
    assert len(again) == 9 and keys(tmp_path / "again").isdisjoint(keys(mine))
    assert again.manifest["exclusions"]["recipe"] == "mine"
    mix = ["generate", "family=[sudoku,zebra]", "sudoku.size=6", "zebra.positions=3", "seed=mine", "count=6", "workers=1"]
    assert cli.main([*mix, f"out={tmp_path / 'mix'}", f"exclude={mine}"]) == 0
    assert keys(tmp_path / "mix").isdisjoint(keys(mine)) and len(keys(tmp_path / "mix")) == 6
    with pytest.raises(BadFile, match="no such folder"):
        puzzlemill.generate("sudoku", exclude=tmp_path / "none")
    with pytest.raises(BadParams, match="exclude: expected a release, folder or org/name, or a list of them, got 3"):
        puzzlemill.generate("sudoku", exclude=[mine, 3])  # type: ignore[list-item]


def test_kept_apart_from_several_releases(mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only one release can be kept apart from, or the order in which several are named changes what is made."""
    line = ["generate", "family=sudoku", "size=6", "seed=mine", "workers=1"]
    more, both = tmp_path / "more", tmp_path / "both"
    assert cli.main([*line, "count=6", f"exclude={mine}", f"out={more}"]) == 0
    assert cli.main([*line, "count=6", f"exclude=[{mine},{more}]", f"out={both}"]) == 0
    assert keys(both).isdisjoint(keys(mine) | keys(more))
    manifest = json.loads((both / "manifest.json").read_text())
    assert manifest["recipe"]["excludes"] == manifest["exclusions"]["recipe"] == ["mine", "single"]
    assert manifest["exclusions"]["puzzles"] == len(keys(mine) | keys(more))
    rows = puzzlemill.generate("sudoku", size=6, seed="mine", count=6, exclude=[str(more), mine], out=tmp_path / "again")
    assert rows.manifest["checksum"] == manifest["checksum"]
    assert cli.main(["verify", str(both), str(mine), str(more)]) == 0
    altered = {**manifest, "exclusions": {**manifest["exclusions"], "recipe": "mine"}}
    (both / "manifest.json").write_text(json.dumps(altered))
    capsys.readouterr()
    assert cli.main(["verify", str(both)]) == 1
    assert "but the recipe keeps apart from mine and single" in capsys.readouterr().out
    twice = puzzlemill.generate("sudoku", size=6, seed="mine", count=1, exclude=[more, more], out=tmp_path / "twice")
    assert twice.manifest["recipe"]["excludes"] == "single"  # one name is written as it always was
    for given, told in (
        ([f"exclude={mine},{more}"], "several releases are written as a list, exclude=[A,B]"),
        ([f"exclude={mine}", f"exclude={more}"], "or give both in a list, exclude=[A,B]"),
        ([f"exclude=[{mine},]"], "exclude: expected folders or data sets, as in exclude=[out/a,out/b]"),
        (["release=hardcorelogic_train", f"exclude=[{mine},{more}]"], "must be apart from hardcorelogic; make one with"),
    ):
        assert cli.main(["generate", *given, f"out={tmp_path / 'bad'}"]) == 2
        assert told in capsys.readouterr().err


def test_several_releases_in_one_export(mine: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows of the second release are missing, one that both have is there twice, or a test puzzle is trained on."""
    more = tmp_path / "more"
    puzzlemill.generate("sudoku", size=6, variant="unsolvable", count=5, seed="mine", out=more)  # three are in the other one too
    shared = {row["id"] for row in puzzlemill.load(more)} & {row["id"] for row in puzzlemill.load(mine)}
    assert len(shared) == 6
    assert cli.main(["export", str(mine), str(more), "--to", "trl", "--out", str(tmp_path / "trl")]) == 0
    out = capsys.readouterr().out
    assert out.startswith("train 12 rows, test 1 rows in ") and "6 rows are in several of the releases and were taken once" in out
    train = [row for batch in batches(tmp_path / "trl" / "train.parquet") for row in batch]
    ids = [row["id"] for row in train]
    assert len(set(ids)) == len(ids) == 12
    assert set(ids) == {row["id"] for folder in (mine, more) for row in puzzlemill.load(folder, split="train")}
    mark = json.loads((tmp_path / "trl" / "export.json").read_text())
    assert [each["release"] for each in mark["releases"]] == ["mine", "single"]
    for tool in ("verl", "lm-eval", "inspect", "verifiers", "sft", "chat", "planted", "judging"):
        assert cli.main(["export", str(mine), str(more), "--to", tool, "--split", "train", "--out", str(tmp_path / tool)]) == 0
    capsys.readouterr()
    trained = next(iter(puzzlemill.load(more)))  # the same puzzle in another split
    tested = tmp_path / "tested"
    _moved(more, tested)
    for folders, told in (
        ([mine, mine], "the same folder is named twice"),
        ([more, tested], f"row {trained['id']} of test is, up to symmetry, a puzzle of train in {more}"),
        ([mine, more, "--few-shot", "2"], "--few-shot: examples are of one release"),
        ([mine, more, "--split", "tset"], "no such split; they have train, test; did you mean test?"),
    ):
        assert cli.main(["export", *map(str, folders), "--to", "chat", "--out", str(tmp_path / "bad")]) == 2
        assert told in capsys.readouterr().err


def _moved(source: Path, target: Path) -> None:
    """A release with its train rows as test rows."""
    from puzzlemill.factory.read import MANIFEST
    from puzzlemill.factory.writer import entry, write_rows

    manifest = json.loads((source / MANIFEST).read_text())
    path = "data/sudoku/test-00000-of-00001.parquet"
    (target / path).parent.mkdir(parents=True)
    count = write_rows(target / path, [{**row, "split": "test"} for row in rows_of(source, "sudoku", "train")])
    manifest["content"][0]["split"] = "test"
    manifest["files"] = {path: {**entry(target / path), "rows": count}}
    (target / MANIFEST).write_text(json.dumps(manifest))


def test_what_cannot_be_is_refused_soon(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """16,000 puzzles are drawn before somebody learns that a tower of three disks is never hard, or that no small grid is."""
    calls: list[int] = []

    def counted(*arguments: Any) -> Any:
        calls.append(0)
        return build_group(*arguments)

    monkeypatch.setattr("puzzlemill.factory.run.build_group", counted)
    for settings, told, most in (
        (["family=hanoi", "disks=3", "pegs=3", "count=1"], "only one puzzle, which is easy, not hard; change family.params", 1),
        (["family=hanoi", "pegs=3", "count=5"], "leave this combination out of family.params, or ask for another band", 1),
        (["family=[zebra,hanoi]", "hanoi.disks=3", "hanoi.pegs=3", "count=2"], "error: strata.hanoi.band: of hanoi", 1),
        (
            ["family=sudoku", "size=4", "count=20", "proof.attempts=100"],
            f'band: {HOPELESS} puzzles of sudoku {{"params":{{"size":4,"givens":0}},"rules":[]}} were drawn, and none is hard '
            f"(easy or medium {HOPELESS}); ask for another band, or give family.params other values",
            8,
        ),
    ):  # fmt: skip
        calls.clear()
        assert cli.main(["generate", *settings, "band=hard", f"out={tmp_path / str(len(told))}", "workers=1"]) == 2
        assert told in capsys.readouterr().err
        assert len(calls) <= most
    with pytest.raises(BadParams, match=r"^band: of hanoi .* there is only one puzzle, which is easy, not hard; change params"):
        puzzlemill.make("hanoi", disks=3, band="hard")
    with pytest.raises(BadParams, match="600 puzzles of sudoku"):
        list(puzzlemill.generate("sudoku", size=4, band="hard", count=20))


def test_multirun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--multirun makes one release, or all in one folder."""
    line = ["generate", "--multirun", "family=hanoi", "disks=3,4", "count=1", "workers=1"]
    assert cli.main([*line, f"out={tmp_path}"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["disks=3", "disks=4"]
    assert [len(puzzlemill.load(tmp_path / name)) for name in ("disks=3", "disks=4")] == [1, 1]
    assert "---- disks=4" in capsys.readouterr().out
    assert cli.main(line) == 2
    assert "out: missing; name a folder for all the releases" in capsys.readouterr().err
