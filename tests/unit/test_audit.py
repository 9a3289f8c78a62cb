"""Rows of a release in a corpus: planted copies in every disguise, other puzzles of the same template, hostile files."""

from __future__ import annotations

import gzip
import json
import os
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from releases import Shared, twins

import puzzlemill.analysis.audit as auditing
from puzzlemill.analysis.audit import Audit, audit, notations, to_json, to_text
from puzzlemill.cli import main
from puzzlemill.core.errors import BadInput
from puzzlemill.factory.read import Release, open_release
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.solvers.kernels.windows import Finder, fingerprints, fold

PROSE = "It was a bright cold day in April, and the clocks were striking 13. . . 2 . 4 . Nobody knew why.\n" * 20


@pytest.fixture(scope="module")
def release(shared: Shared) -> Release:
    return open_release(twins(shared)[0])


@pytest.fixture(scope="module")
def other(shared: Shared) -> Release:
    """Other puzzles of the same recipe."""
    return open_release(twins(shared)[1])


def row_of(release: Release, family: str, number: int = 0) -> dict[str, Any]:
    return [row for row in rows_of(release) if row["family"] == family and row["variant"] == "canonical"][number]


def found_in(release: Release, corpus: Path, text: str) -> Audit:
    path = corpus / "corpus.txt"
    path.write_text(PROSE + text + "\n" + PROSE, encoding="utf-8")
    return audit(release, path, 1)


def share(found: Audit, row: dict[str, Any], kind: str = "prompt") -> float:
    return max((one.share for one in found.findings if one.id == row["id"] and one.kind == kind), default=0.0)


def one_clue_less(prompt: str) -> str:
    """The prompt with the clue, or the board's row with givens, in the middle changed."""
    lines = prompt.split("\n")
    clues = [i for i, line in enumerate(lines) if re.match(r"\d+\. ", line)]
    cells = [i for i, line in enumerate(lines) if re.fullmatch(r"(\S )+\S", line) and re.search(r"\d", line) and "." in line]
    place = (cells or clues)[len(cells or clues) // 2]
    edited = re.sub(r"\d", lambda told: str((int(told[0]) + 1) % 2), lines[place], count=1)
    lines[place] = edited if cells else "7. Nobody keeps a parrot."
    return "\n".join(lines)


DISGUISES: dict[str, Callable[[str], str]] = {
    "verbatim": lambda text: text,
    "wrapped": lambda text: textwrap.fill(text, 50),
    "one long line": lambda text: " ".join(text.split()),
    "upper case": str.upper,
    "json": lambda text: json.dumps({"messages": [{"content": text}]}),
    "json in json": lambda text: json.dumps(json.dumps([text])),
    "quoted": lambda text: "\n".join("> > " + line for line in text.split("\n")),
    "bold": lambda text: text.replace("The reader", "**The reader**"),
    "table": lambda text: re.sub(r"(?m)^(\S( \S)+)$", lambda told: f"| {told[1].replace(' ', ' | ')} |", text),
    "curly": lambda text: text.replace('"', "“").replace("'", "’").replace(" ", "\u00a0", 40),
}


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize(
    "family", [pytest.param("sudoku", marks=pytest.mark.slow), pytest.param("binario", marks=pytest.mark.slow), "zebra"]
)
def test_a_copied_prompt_is_found_in_every_disguise(release: Release, tmp_path: Path, family: str, disguise: str) -> None:
    """Corpora wrap, quote, escape and recase what they copy."""
    row = row_of(release, family)
    found = found_in(release, tmp_path, DISGUISES[disguise](row["prompt"]))
    assert share(found, row) > 0.95
    assert {one.group_id for one in found.findings} == {row["group_id"]}


@pytest.mark.parametrize("family", ["sudoku", "binario", "zebra"])
def test_parts_and_edited_copies_are_found_with_a_smaller_share(release: Release, tmp_path: Path, family: str) -> None:
    """A copy that was cut, or in which one clue was changed, is still the same puzzle."""
    row = row_of(release, family)
    prompt = row["prompt"]
    text = one_clue_less(prompt)
    assert text != prompt
    assert 0.3 < share(found_in(release, tmp_path, text), row) < 1
    own = re.search(r"Clues:|^(\S ){7,}\S$", prompt, re.M)
    assert own is not None
    half = prompt[: own.start() + (prompt.index("\n\n", own.start()) - own.start()) * 6 // 10]
    assert 0.2 < share(found_in(release, tmp_path, half), row) < 1


@pytest.mark.parametrize("empty", [".", "0", "_", "?"])
def test_a_board_is_found_in_one_line(release: Release, tmp_path: Path, empty: str) -> None:
    """Collections of sudoku are 81 signs to the line."""
    row = row_of(release, "sudoku")
    cells = [cell for line in re.findall(r"(?m)^(?:\S ){8}\S$", row["prompt"]) for cell in line.split()]
    found = found_in(release, tmp_path, f"hard,{''.join(cells).replace('.', empty)},1465")
    assert {one.id for one in found.findings if one.kind in ("prompt", "board")} == {row["id"]}
    grid = "[" + ", ".join(str([int(c) if c.isdigit() else 0 for c in cells[i : i + 9]]) for i in range(0, 81, 9)) + "]"
    assert {one.id for one in found_in(release, tmp_path, grid).findings} == {row["id"]}


def test_boards_with_numbers_over_nine_are_looked_for_in_single_signs_too() -> None:
    assert notations(["12", ".", "9"]) == {
        "zeros": ["12", "0", "9"],
        "hexadecimal": ["C", ".", "9"],
        "hexadecimal, zeros": ["C", "0", "9"],
    }
    assert notations(["0", ".", "1"]) == notations([".", "1"]) == {}  # binario: a 0 is no empty cell


def test_answers_are_told_apart(release: Release, tmp_path: Path) -> None:
    """A solution in a corpus is a leak too, but the puzzle was not seen."""
    row = row_of(release, "sudoku")
    digits = "".join(re.findall(r"\d", row["gold_reply"]))
    found = found_in(release, tmp_path, digits)
    assert [(one.id, one.kind) for one in found.findings] == [(row["id"], "answer")]
    assert to_json(found)["summary"][2]["answers"] + to_json(found)["summary"][3]["answers"] == 0  # the tables of another family


def test_other_puzzles_of_the_same_recipe_are_not_found(release: Release, other: Release, tmp_path: Path) -> None:
    """The hard case: the same templates, sizes and names, in a corpus of releases and of their files."""
    text = "\n\n".join(f"{row['prompt']}\n\n{row['gold_reply']}\n{row['puzzle']}" for row in rows_of(other))
    assert found_in(release, tmp_path, text).findings == ()
    theirs = audit(release, other.folder, 1)
    assert theirs.findings == () and theirs.files > 3


def test_a_release_is_found_in_itself_with_its_canary(release: Release) -> None:
    """Everything that can be told is found in the release's own files; small classes, as hanoi's, are not claimed."""
    found = audit(release, release.folder / "data", 1)
    ids = {one.id for one in found.findings if one.kind == "prompt"}
    families = {row["id"] for row in rows_of(release) if row["family"] != "hanoi"}
    assert ids == families and found.untold.total() == 0 and found.small == 2
    assert [one.share for one in found.findings if one.kind == "canary"] == [1.0]
    assert "canary found" in to_text(found) and "column prompt, row " in to_text(found)


def test_a_copy_over_the_border_of_pieces_and_blocks_is_found_once(
    release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are read in pieces and big ones by several processes: a prompt may lie across any border."""
    monkeypatch.setattr(auditing, "PIECE", 1000)
    monkeypatch.setattr(auditing, "BLOCK", 3000)
    monkeypatch.setattr(auditing, "REACH", 100)
    row = row_of(release, "zebra")
    path = tmp_path / "c.md"
    for before in range(0, 3000, 487):
        path.write_text("x" * before + row["prompt"] + "y" * 7000)
        found = audit(release, path, 1)
        assert share(found, row) == 1.0, before
        assert found.bytes == path.stat().st_size


def test_a_copy_that_is_read_again_is_counted_once(release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read again before each piece and each block counts again and again."""
    monkeypatch.setattr(auditing, "PIECE", 4000)
    monkeypatch.setattr(auditing, "BLOCK", 12_000)
    row = row_of(release, "sudoku")
    path = tmp_path / "c.md"
    for before in (100, 12_100):
        path.write_text("x" * before + row["prompt"] + "y" * 40_000)
        found = audit(release, path, 1)
        assert [(one.kind, one.times) for one in found.findings if one.id == row["id"]] == [("prompt", 1)], before


def test_parts_count_together_only_where_they_stand_together(release: Release, tmp_path: Path) -> None:
    """Rows of a board that stand far apart, each by chance, are told as a copy."""
    row = row_of(release, "binario")
    lines = [line for line in row["prompt"].split("\n") if re.fullmatch(r"(\S )+\S", line) and "." in line]
    assert len(lines) == 8
    parts = ["\n".join(lines[i : i + 3]) for i in (0, 3)]  # about 33 bits each
    assert share(found_in(release, tmp_path, "\n".join(parts)), row) > 0.7
    assert share(found_in(release, tmp_path, "\nand so on\n".join(parts)), row) > 0.5
    assert share(found_in(release, tmp_path, f"\n{PROSE}".join(parts)), row) == 0.0


def test_workers_find_the_same(release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, row in enumerate(rows_of(release)):
        (tmp_path / f"{number}.txt").write_text(PROSE + row["prompt"])
    assert audit(release, tmp_path, 1) == audit(release, tmp_path, 2)


def test_every_kind_of_file_is_read(release: Release, tmp_path: Path) -> None:
    """Text, JSON lines, Parquet with nested columns; packed too."""
    wanted = [row for row in rows_of(release) if row["family"] in ("sudoku", "zebra")][:6]
    prompts = [row["prompt"] for row in wanted]
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.md").write_text(prompts[0])
    with gzip.open(tmp_path / "b.jsonl.gz", "wt") as file:
        file.write("not json {\n" + json.dumps([{"a": {"b": [prompts[1]]}}]) + "\n")
    with pa.output_stream(str(tmp_path / "c.txt.zst"), compression="zstd") as stream:
        stream.write(prompts[2].encode())
    nested = [[{"role": "user", "content": prompts[3]}], None, []]
    table = pa.table(
        {
            "messages": nested,
            "text": pa.array(["-", prompts[4], None]).dictionary_encode(),
            "large": pa.array([None, "", prompts[5]], pa.large_string()),
            "n": [1, 2, 3],
        }
    )
    pq.write_table(table, tmp_path / "d.parquet", row_group_size=2)
    (tmp_path / "e.png").write_text(prompts[0])
    found = audit(release, tmp_path, 1)
    where = {one.id: one.places[0][0] for one in found.findings if one.kind == "prompt"}
    assert set(where) >= {row["id"] for row in wanted}
    assert where[wanted[4]["id"]].endswith("d.parquet, column text, row 1")
    assert where[wanted[5]["id"]].endswith("d.parquet, column large, row 2")
    assert where[wanted[3]["id"]].endswith("d.parquet, column messages, rows 0 to 1")
    assert found.passed == 1 and found.problems == ()


def test_hostile_files_are_told_after_everything_else_was_read(
    release: Release, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One broken file must not hide what stands in the others, nor the other way round."""
    row = row_of(release, "sudoku")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "a.txt").write_bytes(b"")
    (corpus / "b.txt").write_bytes(bytes(range(256)) * 50 + b"\xff\xfe\\u12\\" + row["prompt"].encode() + b"\0\\")
    packed = gzip.compress(os.urandom(5000) + row_of(release, "zebra")["prompt"].encode())
    (corpus / "c.txt.gz").write_bytes(packed[:-30])
    (corpus / "d.jsonl.gz").write_bytes(b"no gzip")
    (corpus / "e.parquet").write_bytes(b"PAR1 no parquet PAR1")
    (corpus / "f.txt").symlink_to("g.txt")
    (corpus / "g.txt").symlink_to("f.txt")
    (corpus / "h").symlink_to(corpus)
    os.mkfifo(corpus / "i.txt")
    assert main(["audit", str(corpus), str(release.folder), "--workers", "1"]) == 2
    out, err = capsys.readouterr()
    assert f"{row['id']} (canonical, train): prompt found, 100%: {corpus / 'b.txt'}, byte " in out
    told = sorted(line.split(":")[1].split("/")[-1] for line in err.splitlines())
    assert told == ["c.txt.gz", "d.jsonl.gz", "e.parquet", "f.txt", "g.txt", "i.txt"]
    assert "1 other files passed over" in out


def test_a_packed_bomb_is_read_in_pieces(release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """64 MB of zeros pack into 64 kB: never held at once."""
    largest = 0
    search = auditing.Searcher.search

    def watched(self: auditing.Searcher, raw: bytes, *rest: Any) -> None:
        nonlocal largest
        largest = max(largest, len(raw))
        search(self, raw, *rest)

    monkeypatch.setattr(auditing.Searcher, "search", watched)
    monkeypatch.setattr(auditing, "PIECE", 1 << 18)
    with gzip.open(tmp_path / "bomb.txt.gz", "wb", compresslevel=1) as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    found = audit(release, tmp_path, 1)
    assert found.bytes == 64 << 20 and found.findings == ()
    assert largest <= (1 << 18) + auditing.REACH


def test_exit_codes_and_files(release: Release, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "a.txt", tmp_path / "found.json"
    path.write_text(PROSE)
    assert main(["audit", str(path), str(release.folder), "--workers", "1"]) == 0
    path.write_text(row_of(release, "zebra")["prompt"])
    assert main(["audit", str(path), str(release.folder), "--workers", "1", "--json", "--out", str(out)]) == 1
    assert json.loads(out.read_text())["found"][0]["share"] == 1.0
    assert main(["audit", str(path), str(release.folder), "--workers", "1", "--out", str(tmp_path)]) == 2
    assert main(["audit", str(tmp_path / "none"), str(release.folder)]) == 2
    assert main(["audit", str(path), str(release.folder), "--workers", "0"]) == 2
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadInput, match="holds no file to look in"):
        audit(release, tmp_path / "empty", 1)
    assert len(capsys.readouterr().err.splitlines()) == 3


# ---- the kernel ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("9 2 . .\n. 4", "92...4"),
        ("It ends. The cat's", "itendsthecats"),
        (r"a\n9 .\\n. \"4\" \u0041\u00e9\t7", "a9..4a7"),
        ("**Bold** and ***", "boldand"),
        ("| 9 | _ | ? |", "9.."),
        ("naïve", "nave"),
        ("C:\\new", "cew"),
        ("\\", ""),
        ("\\u12", "u12"),
        ("", ""),
    ],
)
def test_folding(text: str, folded: str) -> None:
    kept, places = fold(text.encode())
    assert kept.decode() == folded
    assert len(places) == len(folded)


def test_fingerprints_are_the_same_on_every_machine() -> None:
    """An index of another machine must fit; these are sums of powers modulo 2**64."""
    base = 0x9E3779B97F4A7C15
    assert fingerprints(b"xabc", [(1, 3), (0, 1)]) == [(97 * base**2 + 98 * base + 99) % 2**64, 120]
    with pytest.raises(ValueError, match="beyond the text"):
        fingerprints(b"abc", [(2, 2)])


def test_every_window_is_found_also_when_there_are_very_many() -> None:
    """More hits than one call of the kernel can give."""
    text = b"abcdefgh" * 2000
    finder = Finder({4: sorted(fingerprints(text, [(i, 4) for i in range(8)])), 5: [1]})
    assert [place for _, place, _ in finder.find(text)] == list(range(len(text) - 3))
    assert list(finder.find(b"abc")) == []
