"""`puzzlemill check` as it is typed: what it prints and its exit codes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from puzzlemill.cli import main
from puzzlemill.core.codec import dumps
from puzzlemill.generators import family_named

GOOD = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "puzzles.txt"


def test_exit_codes(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A script that sieves puzzles goes by these alone."""
    file.write_text(GOOD)
    assert main(["check", str(file)]) == 0
    assert "5 3 4 6 7 8 9 1 2\n" in capsys.readouterr().out
    file.write_text(f"{GOOD}\n{'.' * 16}\n")
    assert main(["check", str(file), "--limit", "10"]) == 1
    assert "several: at least 10 answers, by table:kernel and model:sat" in capsys.readouterr().out
    file.write_text(f"{GOOD}\n{GOOD}{GOOD}\n{'.' * 16}\n")
    assert main(["check", str(file), "--brief"]) == 2
    found = capsys.readouterr()
    assert found.err.startswith(f"error: {file}: line 2 column 1: ")
    assert found.out.endswith("3 puzzles: unique 1, unreadable 1, several 1\n")


def test_json_is_one_object_per_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What reads it needs no other file."""
    file.write_text(f"{GOOD} easy one\nnonsense\n")
    assert main(["check", str(file), "--json"]) == 2
    one, other = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (one["status"], one["name"], one["difficulty"], len(one["answers"])) == ("unique", "easy one", "easy", 1)
    assert (other["status"], other["line"], other["answers"]) == ("unreadable", 2, [])


def test_names_do_not_obey_the_terminal(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An id clears the screen, or cannot be written and ends the command in the middle of a file."""
    puzzle = json.loads(dumps(family_named("hanoi").examples()[0].puzzle))
    rows = [{"id": "a\x1b[2J\ud800", "puzzle": puzzle}, {"id": "\ud800", "puzzle": {"family": "\x1b\ud800"}}]
    file.write_text(json.dumps(rows))
    assert main(["check", str(file)]) == 2
    found = capsys.readouterr()
    assert "line 1 (a?[2J?): hanoi: optimal" in found.out and "\x1b" not in found.out + found.err
    assert main(["check", str(file), "--json"]) == 2
    names = [json.loads(line)["name"] for line in capsys.readouterr().out.encode().splitlines()]
    assert names == ["a?[2J?", "?"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`puzzlemill check -` ends a pipe."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b".1.0\n..0.\n.0..\n11.0\n")))
    assert main(["check", "-", "--family", "binario"]) == 0
    assert "binario: unique" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("raw", "options", "told"),
    [
        (b"", [], "holds no puzzle"),
        (b"\xff\xfe1", [], "not UTF-8 text (byte 0)"),
        (GOOD.encode(), ["--limit", "1"], "--limit: expected 2 to 100000 answers, got 1"),
        (GOOD.encode(), ["--family", "hashi"], "unknown family 'hashi'"),
        (GOOD.encode(), ["--nodes", "0"], "--nodes: expected 1 or more, got 0"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    file: Path, capsys: pytest.CaptureFixture[str], raw: bytes, options: list[str], told: str
) -> None:
    """One line with the remedy, and no traceback."""
    file.write_bytes(raw)
    assert main(["check", str(file), *options]) == 2
    found = capsys.readouterr()
    assert found.out == "" and told in found.err and found.err.count("\n") == 1


def test_a_file_that_is_not_there(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(file)]) == 2
    assert capsys.readouterr().err == f"error: {file}: cannot be read (No such file or directory)\n"
