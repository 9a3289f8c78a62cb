"""Puzzles from elsewhere as a release: what is read of each form, what is proved and kept, and what a bad file does."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.cli import main
from puzzlemill.core.errors import BadFile, BadInput, BadParams
from puzzlemill.factory import record
from puzzlemill.factory import workers as pool
from puzzlemill.factory.exclusions import exclusions_of
from puzzlemill.factory.imports import run as imports
from puzzlemill.factory.imports.forms import Asked, Item, forms, opened
from puzzlemill.factory.imports.origin import File, Origin, read_origin
from puzzlemill.factory.imports.proving import prove
from puzzlemill.factory.imports.tables import columns_of
from puzzlemill.factory.imports.tally import Tally
from puzzlemill.factory.read import file_hash, open_release
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.verify import verify
from puzzlemill.factory.writer import checksum, entry, manifest_text, write_rows
from puzzlemill.scoring.score import score
from puzzlemill.solvers.engines import Budget

DATA = Path(__file__).parents[1] / "data"
GRID = "1.3..4.....32..."
SOLVED = "1234341241232341"
OPEN = "1234............"  # several answers
CLASH = "11.............."
HEAD = "id,puzzle,solution\n"


def source(tmp_path: Path, text: str, name: str = "mine.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def items(tmp_path: Path, text: str, family: str = "", name: str = "mine.txt", columns: str = "") -> tuple[str, list[Item]]:
    asked = Asked(family, columns_of(columns))
    found = opened(source(tmp_path, text, name), asked)
    return found.form.name, list(found.items(asked))


def told(item: Item) -> str:
    return prove(0, item, False, Budget()).status


def turned(grid: str) -> str:
    """The grid with rows as columns and 1 and 2 exchanged."""
    return "".join([grid[4 * c + r] for r in range(4) for c in range(4)]).translate(str.maketrans("12", "21"))


def audited(path: Path, asked: Asked = Asked(), **more: Any) -> Tally:  # noqa: B008
    return imports.audit([path], asked, **more)


# ---- forms --------------------------------------------------------------------------------------------------------------


def test_every_form_is_named_and_described() -> None:
    """A form that no error names cannot be asked for; the page has them all."""
    page = (Path(__file__).parents[2] / "docs/import.md").read_text(encoding="utf-8")
    assert list(forms()) == ["csv", "jsonl", "tatham", "lines", "text"]
    assert all(form.about and f"`{name}`" in page for name, form in forms().items())


@pytest.mark.parametrize(
    ("text", "form", "given", "name"),
    [
        (f"puzzle,solution\n{GRID},{SOLVED}\n", "csv", SOLVED, ""),
        (f"quizzes,solutions\n{GRID.replace('.', '0')},{SOLVED}\n", "csv", SOLVED, ""),
        (f"id;Puzzle;x\n7;{GRID};\n", "csv", None, "7"),
        (f"\ufeffid\tboard\tsolved\r\n7\t{GRID}\t{SOLVED}\r\n", "csv", SOLVED, "7"),
        ('puzzle,name\n"1 . 3 .\n. 4 . .\n. . . 3\n2 . . .","a ""b"""\n', "csv", None, 'a "b"'),
        (json.dumps({"puzzle": GRID, "solution": SOLVED, "id": 3}), "jsonl", SOLVED, "3"),
        (json.dumps([{"grid": [[1, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 3], [2, None, 0, 0]]}]), "jsonl", None, ""),
        (f"{GRID} {SOLVED} easy 1.2\n", "lines", SOLVED, "easy 1.2"),
        (f"00f3a9 {GRID.replace('.', '*')}  # first\n", "lines", None, "00f3a9 first"),
        (f"# a list\n{GRID},{SOLVED}\n", "lines", SOLVED, ""),
        (f"sudoku # hers\n{GRID}\n", "text", None, "hers"),
        ("solo 2x2:a1d2b3d3a # x\n", "tatham", None, "x"),
    ],
)
def test_the_forms_are_recognised_and_read(tmp_path: Path, text: str, form: str, given: str | None, name: str) -> None:
    """A user has a file, and not the name that we give to its form."""
    found, (item,) = items(tmp_path, text)
    assert (found, item.problem, item.name, item.given) == (form, "", name, given)
    assert item.puzzle is not None and item.family == "sudoku"
    if form != "tatham":
        assert told(item) == "unique"


def test_columns_of_other_names_are_found_by_the_map(tmp_path: Path) -> None:
    """A header in another language, or a table of which another column is wanted."""
    text = f"rätsel,lösung,puzzle\n{GRID},{SOLVED},nothing\n"
    _, (item,) = items(tmp_path, text, columns="puzzle=rätsel,solution=lösung")
    assert (item.problem, item.given) == ("", SOLVED)
    with pytest.raises(BadFile, match="no column 'board'; its columns: rätsel, lösung, puzzle"):
        items(tmp_path, text, columns="puzzle=rätsel,solution=board")
    with pytest.raises(BadParams, match="expected ROLE=COLUMN of puzzle, solution, name, family"):
        columns_of("quiz=a")


def test_each_line_may_name_its_family(tmp_path: Path) -> None:
    text = 'game,puzzle\nsudoku,1.3..4.....32...\nkakurasu,"  1 2\n1 . .\n2 . ."\nchess,e4\n'
    _, found = items(tmp_path, text)
    assert [item.family for item in found] == ["sudoku", "kakurasu", ""]
    assert [bool(item.puzzle) for item in found] == [True, True, False]
    assert "unknown family 'chess'" in found[2].problem and found[2].line == 6


def test_ids_of_tathams_programs_are_read_as_his_programs_mean_them(tmp_path: Path) -> None:
    """His games have one solution each, which a wrong order of hints or a wrong mask would spoil; and mines are counted."""
    asked = Asked()
    found = list(opened(DATA / "tatham.txt", asked).items(asked))
    assert [item.problem for item in found] == [""] * 18
    assert [told(item) for item in found] == ["unique"] * 18
    assert [item.family for item in found].count("minesweeper") == 4
    for item in found:
        assert item.puzzle is not None
        if item.family == "minesweeper":
            assert item.puzzle.spec.params.mines == int(item.name.partition("n")[2])
        if item.family == "binario":
            assert [rule.name for rule in item.puzzle.spec.rules] == ["distinct"] * item.name.endswith("u")
    jigsaw = next(item for item in found if item.name == "9j")
    assert jigsaw.puzzle is not None and [rule.name for rule in jigsaw.puzzle.spec.rules] == ["zones"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("solo 3x3k:zz,_a,15", "a killer sudoku"),
        ("solo 3x3:a3d1", "describes 7 cells, its parameters say 81"),
        ("solo 9j:zzzc,abc", "the map of zones has"),
        ("solo 9j:zzzc", "a jigsaw has a map of its zones"),
        ("solo 3x3#123456", "a random seed"),
        ("solo 999x999:a", "expected a size of 1 to 40 cells"),
        ("solo 12:a", "expected blocks, such as 3x3"),
        ("pattern 10x10:1.2", "of Tatham's games these can be read: solo (sudoku)"),
        ("3x3:a3", "an id does not say its game"),
        ("unruly 8x8:AB", "describes 2 cells, its parameters say 64"),
        ("unruly 8x8:ZZZZ", "describes more than 64 cells"),
        ("towers 5:1/2", "expected 20 hints"),
        ("singles 4x4:123", "expected 16 digits and letters, got 3 signs"),
        ("singles 4x4:9999999999999999", "expected a number from 1 to 4"),
        ("mines 9x9:r10,u,abc", "expected the first click and the field"),
        ("mines 4x4:0,0,uffff", "its first click is on a mine"),
        ("mines 4x4:4,0,u0fff", "expected a click in the field"),
    ],
)
def test_ids_that_cannot_be_mapped_are_refused_by_name(tmp_path: Path, text: str, says: str) -> None:
    """A game that means something else here must not become another puzzle."""
    _, (item,) = items(tmp_path, text)
    assert item.puzzle is None and says in item.problem


def test_our_own_rows_are_read_again(tmp_path: Path) -> None:
    """Rows of a data set, of lexical families too, whose words are those of an answer that is proved again."""
    out = tmp_path / "out"
    assert (
        main(
            [
                "import",
                str(source(tmp_path, "cryptogram lexicon=listed\ntext: ABBC\nwords: NOON BOOK DEED ALLY\n", "a.txt")),
                f"out={out}",
            ]
        )
        == 2
    )
    first = source(tmp_path, "sudoku\n" + GRID + "\n\nnumber_series\n43 41 44 39 46 ?\n", "b.txt")
    imports.run([first], out, imports.Wanted("own"))
    lines = "".join([json.dumps(row) + "\n" for row in rows_of(open_release(out))])
    form, found = items(tmp_path, lines, name="rows.jsonl")
    assert form == "jsonl" and [told(item) for item in found] == ["unique", "unique"]
    assert all(item.name.startswith(item.family) for item in found)


def test_zebras_get_names_that_prompts_have_words_for(tmp_path: Path) -> None:
    """A zebra in its own words has no prompt; it gets a theme's, always the same, and a solution is read in its own names."""
    text = "pet: dog, cat, owl\ndrink: tea, milk, cola\nat(dog, 1)\nat(tea, 2)\njust_left(cola, tea)\nat(owl, 3)"
    right = [[1, "dog", "cola"], [2, "cat", "tea"], [3, "owl", "milk"]]
    wrong = [[1, "dog", "tea"], [2, "cat", "cola"], [3, "owl", "milk"]]
    lines = [
        {"puzzle": text, "answer": right},
        {"puzzle": text, "answer": wrong, "id": "same"},
        {"puzzle": text.replace("owl", "emu")},
    ]
    path = source(tmp_path, "".join([json.dumps(line) + "\n" for line in lines]), "zebras.jsonl")
    rows = made([path], tmp_path / "out", asked=Asked("zebra"))
    assert len(rows) == 1 and "dog" not in rows[0]["prompt"] and json.loads(rows[0]["puzzle"])["style"]["theme"]
    tally = audited(path, asked=Asked("zebra"))
    assert tally.rows()[0][6:10] == (1, 1, 1, 2)
    assert verify(tmp_path / "out", print).problems == 0


# ---- bad files ----------------------------------------------------------------------------------------------------------


def test_a_bad_line_is_named_and_nothing_else_is_lost(tmp_path: Path) -> None:
    """A stray quote must not swallow what follows it, nor must a short row shift its columns."""
    good = f"g,{GRID},{SOLVED}"
    bad = [f'"x,{GRID},', "only", f"a,{GRID},{SOLVED},more", "b,,", 'c,"1 2" 3,', "d,12,"]
    text = HEAD + "\n".join([line for pair in zip([good] * len(bad), bad, strict=True) for line in pair]) + "\n" + good
    _, found = items(tmp_path, text)
    assert [item.line for item in found if item.puzzle] == [2, 4, 6, 8, 10, 12, 14]
    assert [(item.line, item.problem[:24]) for item in found if not item.puzzle] == [
        (3, "a quote that is not clos"),
        (5, "expected 3 cells as in t"),
        (7, "expected 3 cells as in t"),
        (9, "column puzzle: holds no "),
        (11, "expected 3 cells as in t"),
        (13, "column 1: expected a who"),
    ]


HOSTILE = [
    "[" * 100_000,
    "{" * 1_000,
    '{"puzzle": ' + "[" * 3_000 + "]" * 3_000 + "}",
    '{"puzzle": {"family": "sudoku", "spec": 1}}',
    '{"puzzle": "{\\"family\\": \\"sudoku\\"}"}',
    '{"puzzle": 7}\n{"puzzle": true}\n[1]\n"x"\nnull\n{"puzzle": ["\\u0000"]}',
    "puzzle\n" + "9" * 300_000,
    "puzzle,name\n" + '"' * 5_001 + "\n" + "1" * 16 + ",a\x00b\x1b[31m",
    "solo 3x3:" + "z" * 300_000,
    "unruly 40x40:" + "Z" * 300_000,
    "mines 40x40:0,0,m" + "f" * 400,
    "towers 8:" + "/" * 10_000,
    "sudoku symbols=" + "x" * 1_000 + "\n" + "." * 81,
    "." * 625,
    "=cmd|' /C calc'!A0," + "." * 81,
    "puzzle,puzzle\n1,2\n",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files_end_in_a_line_about_them(tmp_path: Path, text: str) -> None:
    """Nothing that a file holds raises but BadInput, and nothing of it reaches a terminal as it stands."""
    said = []
    try:
        for item in items(tmp_path, text)[1]:
            told(item)
            said += [item.name, item.problem]
    except BadInput as error:
        said.append(str(error).replace(str(tmp_path), ""))
    assert said and all(each.isprintable() and len(each) <= 400 for each in said)


@pytest.mark.parametrize(
    ("raw", "says"),
    [(b"\xff\xfe", "not UTF-8"), (b"  \n", "holds nothing"), (b"Dear Sir,\nhello\n", r"in no form that is known \(csv, jsonl")],
)
def test_files_that_cannot_be_used_are_refused(tmp_path: Path, raw: bytes, says: str) -> None:
    (tmp_path / "a.txt").write_bytes(raw)
    with pytest.raises(BadFile, match=says):
        opened(tmp_path / "a.txt", Asked())
    with pytest.raises(BadFile, match="is no file"):
        opened(tmp_path, Asked())
    with pytest.raises(BadFile, match="cannot be read"):
        opened(tmp_path / "none.txt", Asked())
    with pytest.raises(BadParams, match="unknown form 'xml'; known: csv, jsonl"):
        opened(tmp_path / "a.txt", Asked(), "xml")


# ---- the audit ----------------------------------------------------------------------------------------------------------

WRONG = SOLVED.replace("1234", "2134", 1)
SOURCE = [
    f"one,{GRID},{SOLVED}",
    f"copy,{GRID},{WRONG}",
    f"turned,{turned(GRID)},{turned(SOLVED)}",
    f"several,{OPEN},{SOLVED}",
    f"none,{CLASH},{SOLVED}",
    f"unread,{GRID},12",
    "bad,12,",
    "other,12..34....1.....,",
]


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return source(tmp_path, HEAD + "\n".join(SOURCE) + "\n")


def test_the_audit_counts_what_is_wrong(mine: Path) -> None:
    """The table is what somebody decides by whether to use a source."""
    tally = audited(mine)
    ((name, *counts),) = tally.rows()
    assert (name, counts) == ("mine.csv", [7, 4, 2, 1, 0, 3, 3, 1, 2, 1, 1])
    told = [str(problem) for problem in tally.problems]
    assert "mine.csv:3: (copy) the same puzzle as mine.csv:2" in told
    assert "mine.csv:4: (turned) up to symmetry the same puzzle as mine.csv:2" in told
    assert any(line.startswith("mine.csv:3: (copy) the given solution is wrong: breaks") for line in told)
    assert "mine.csv:6: (none) the given solution is wrong: the puzzle has no solution" in told
    assert any(line.startswith("mine.csv:7: (unread) the given solution cannot be read") for line in told)
    assert sum("(several)" in line for line in told) == 1  # its solution keeps the rules, though it is not the only one


def test_several_files_are_told_apart_and_summed(tmp_path: Path, mine: Path) -> None:
    other = source(tmp_path, f"{GRID}\n", "other.txt")
    tally = imports.audit([other, mine], Asked())
    assert [row[:2] for row in tally.rows()] == [("other.txt", 1), ("mine.csv", 7), ("all", 8)]
    assert any(str(problem) == "mine.csv:2: (one) the same puzzle as other.txt:1" for problem in tally.problems)
    with pytest.raises(BadParams, match="one file is named twice"):
        imports.run([mine, source(tmp_path, mine.read_text(), "same.csv")], tmp_path / "out", imports.Wanted("twice"))


# ---- releases -----------------------------------------------------------------------------------------------------------


def made(paths: Sequence[Path], out: Path, **wanted: Any) -> list[dict[str, Any]]:
    imports.run(paths, out, imports.Wanted(**{"name": "mine", **wanted}))
    return list(rows_of(open_release(out)))


def test_an_import_is_a_release_that_can_be_verified_and_scored(tmp_path: Path, mine: Path) -> None:
    """Each row is proved as those that are drawn, says where it is from, and nothing says that it was drawn."""
    (row,) = made([mine], tmp_path / "out", split="train")
    assert row["source"] == {"file": "mine.csv", "sha256": file_hash(mine), "line": 2, "name": "one"}
    assert (row["status"], row["split"], row["license"], row["variant"]) == ("unique", "train", "unknown", "canonical")
    assert score(row["gold_reply"], row).solved and len(row["proof"]["formulations"]) == 2 and row["trace"]
    lines: list[str] = []
    report = verify(tmp_path / "out", lines.append)
    assert (lines, report.proved, report.undecided) == ([], 1, 0)
    card = (tmp_path / "out/README.md").read_text(encoding="utf-8")
    assert "were drawn by" not in card and file_hash(mine) in card and "imported them from these files" in card
    listed = json.loads((tmp_path / "out/import.json").read_text(encoding="utf-8"))
    assert {problem["line"] for problem in listed["problems"]} == {3, 4, 5, 6, 7, 8, 9}
    assert listed["kept"] == 1 and listed["files"][0]["several"] == 2


def test_what_has_several_answers_or_none_is_labelled_where_it_is_kept(tmp_path: Path, mine: Path) -> None:
    """Each answer counts where there are several; where none may be, every prompt says so."""
    rows = made([mine], tmp_path / "out", keep=("any", "unsolvable"))
    by_name = {row["source"]["name"]: row for row in rows}
    assert {name: row["status"] for name, row in by_name.items()} == {
        "one": "unique",
        "several": "any",
        "none": "unsolvable",
        "other": "any",
    }
    assert all('"solvable": false' in row["prompt"] or "no solution" in row["prompt"] for row in rows)
    several = {**by_name["several"], "reply_format": "json"}
    for answer in (["1234", "3412", "2143", "4321"], ["1234", "4321", "2143", "3412"]):
        assert score(json.dumps({"answer": [list(map(int, line)) for line in answer]}), several).solved
    assert several["trace"] == [] and several["difficulty"]["band"] == "unrated"
    assert several["answer"] == json.dumps(
        [[int(sign) - 1 for sign in SOLVED[r : r + 4]] for r in (0, 4, 8, 12)], separators=(",", ":")
    )
    assert verify(tmp_path / "out", print).problems == 0
    assert verify(tmp_path / "out", print, engine="kernel").problems == 0
    assert score(by_name["none"]["gold_reply"], by_name["none"]).solved


def test_the_same_files_give_the_same_bytes_for_any_number_of_workers(
    tmp_path: Path, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A release that nobody can make again proves nothing about its source."""
    monkeypatch.setattr(pool, "FEW", 1)
    lines = source(
        tmp_path, "\n".join([f"{GRID.translate(str.maketrans('1234', order))}" for order in ("1234", "4321")]), "more.txt"
    )
    for name, workers in (("a", 1), ("b", 2)):
        imports.run([mine, lines], tmp_path / name, imports.Wanted("mine", keep=("any",)), workers)
    a, b = ({path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.*")} for name in "ab")
    assert a == b and not (tmp_path / "a/.work").exists()


def test_a_finished_import_is_left_and_another_one_refused(tmp_path: Path, mine: Path) -> None:
    """A folder with something else in it is never overwritten; a damaged file is made again."""
    out, wanted = tmp_path / "out", imports.Wanted("mine")
    imports.run([mine], out, wanted)
    assert imports.run([mine], out, wanted).tally is None
    (out / "README.md").write_text("x")
    assert imports.run([mine], out, wanted).tally is not None and verify(out, print).problems == 0
    for other in (imports.Wanted("other"), imports.Wanted("mine", split="train"), imports.Wanted("mine", keep=("any",))):
        with pytest.raises(BadFile, match="holds the release 'mine' of something else"):
            imports.run([mine], out, other)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").touch()
    with pytest.raises(BadFile, match="holds 'x', which is no release"):
        imports.run([mine], tmp_path / "full", wanted)


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        ({"name": "No Name"}, "name: expected a small word"),
        ({"split": "all"}, "cannot name a split"),
        ({"license": "my own"}, "license: expected an identifier"),
        ({"formats": ("xml",)}, "unknown format 'xml'"),
        ({"keep": ("several",)}, "imported.keep: expected any or unsolvable, got 'several'"),
    ],
)
def test_what_is_wrong_with_a_release_is_said_before_anything_is_proved(
    tmp_path: Path, mine: Path, wanted: dict[str, Any], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "prove", None)
    with pytest.raises(BadParams, match=says):
        imports.run([mine], tmp_path / "out", imports.Wanted(**{"name": "mine", **wanted}))
    assert not (tmp_path / "out").exists()


def test_a_source_without_one_good_puzzle_makes_nothing(tmp_path: Path) -> None:
    path = source(tmp_path, f"{OPEN}\n{CLASH}\n", "a.txt")
    with pytest.raises(BadFile, match=r"no puzzle can be kept \(a.txt:1: several answers\)"):
        imports.run([path], tmp_path / "out", imports.Wanted("mine"))
    assert list((tmp_path / "out").iterdir()) == []


def test_no_more_is_read_than_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = source(tmp_path, "\n".join([GRID] * 40), "a.txt")
    assert audited(path, most=3).rows()[0][1] == 3
    monkeypatch.setattr(imports, "MOST", 20)
    with pytest.raises(BadParams, match="more than 20 puzzles; import a part with --most N"):
        audited(path)


def forged(out: Path, change: Any) -> list[str]:
    """The complaints about a release whose one row was changed, with an id, hashes and a checksum that fit again."""
    path = "data/sudoku/test-00000-of-00001.parquet"
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    rows = [{**row, **change} for row in rows_of(open_release(out))]
    write_rows(out / path, [{**row, "id": record.content_id(row)} for row in rows])
    manifest["files"][path] = {**entry(out / path), "rows": len(rows)}
    manifest["checksum"] = checksum(manifest)
    (out / "manifest.json").write_text(manifest_text(manifest), encoding="utf-8")
    lines: list[str] = []
    verify(out, lines.append)
    return lines


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"source": None}, "source: is null, which the recipe is not"),
        ({"source": {"file": "mine.csv", "sha256": "0" * 64, "line": 2, "name": ""}}, "is no file that the recipe names"),
        ({"status": "any"}, "the recipe keeps no such puzzles"),
        ({"answer": json.dumps([[0, 1, 2, 3]] * 4)}, "answer: breaks"),
    ],
)
def test_forged_provenance_and_status_are_found(tmp_path: Path, mine: Path, change: dict[str, Any], says: str) -> None:
    """An imported row cannot be drawn again, so that what it says of its origin has to be held against the recipe."""
    made([mine], tmp_path / "out")
    assert any(says in line for line in forged(tmp_path / "out", change))


def test_rows_that_were_drawn_have_no_source_and_the_ids_that_they_had() -> None:
    row = dict.fromkeys(record.CONTENT, "x") | {"family": "coin", "source": None}
    given = {**row, "source": {"file": "a", "sha256": "b", "line": 1, "name": ""}}
    assert record.content_id(row) != record.content_id(given)
    del row["source"]
    assert record.content_id({**row, "source": None}) == record.content_id(given | {"source": None})


def test_an_origin_comes_back_from_a_recipe() -> None:
    origin = Origin((File("a.csv", 3, "0" * 64),), "csv", "sudoku", (("puzzle", "q"),), ("any",), 5)
    assert read_origin(json.loads(json.dumps(origin.to_json()))) == origin
    with pytest.raises(BadParams, match="expected a name without a folder"):
        Origin((File("../a.csv", 3, "0" * 64),))
    for wrong in ({}, {"files": 3}, {**origin.to_json(), "most": "5"}, {**origin.to_json(), "columns": []}):
        with pytest.raises(BadParams, match="imported: expected files"):
            read_origin(wrong)


def test_other_commands_work_on_an_import(tmp_path: Path, mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`import` with options between and behind the files, then what is done with any release."""
    out = tmp_path / "out"
    assert main(["import", str(mine), "--keep", "any", f"out={out}", "--name", "own", "workers=1"]) == 0
    said = capsys.readouterr().out
    assert f"3 rows in {out}; what did not become a row is in {out / 'import.json'}" in said
    assert main(["import", "--audit", str(mine), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["files"][0]["unique"] == 4
    recipe = Recipe.from_plain(json.loads((out / "manifest.json").read_text(encoding="utf-8"))["recipe"])
    assert recipe.name == "own" and recipe.imported is not None and recipe.quotas == ()
    plain = {"name": "apart", "seed": "w", "excludes": "own", "strata": [{"family": "sudoku", "counts": {"train": 1}}]}
    assert len(exclusions_of(Recipe.from_plain(plain), out).keys) == 3
    replies = source(
        tmp_path,
        "".join([json.dumps({"id": row["id"], "reply": row["gold_reply"]}) + "\n" for row in rows_of(open_release(out))]),
        "r.jsonl",
    )
    assert main(["score", str(out), str(replies)]) == 0
    assert main(["export", str(out), "--to", "sft", "--out", str(tmp_path / "sft")]) == 0
    assert main(["verify", str(out)]) == 0
    assert main(["import", str(mine)]) == 2 and "out: missing" in capsys.readouterr().err
    assert main(["import", str(mine), f"out={out}", "workers=0"]) == 2
    shutil.rmtree(out)
