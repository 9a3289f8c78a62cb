"""scorer.zip: same bytes from same rows, and it runs in a Python that has nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from puzzlemill.core.errors import BadFile, BadRow
from puzzlemill.factory.bundle import scorer_zip
from puzzlemill.generators.kumo import FAMILY as KUMO
from puzzlemill.scoring.main import score_files
from puzzlemill.scoring.metrics import to_json, to_text
from puzzlemill.scoring.prompt import FORMATS, gold_reply
from puzzlemill.scoring.score import COLUMNS
from rows import broken_coin_row, coin_row, drafts, row_of
from strategies import every_family


def release() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Two rows of every family, the template's with and without a solution; and their right replies."""
    rows, said = [], []
    for family in every_family():
        for i, draft in enumerate(drafts(family, 2)):
            reply_format = FORMATS[i]
            row = row_of(family, draft.puzzle, draft.answer, reply_format, id=f"{family.name}-{i}", group_id=f"{family.name}{i}")
            rows.append({**row, "prompt": "not needed"})
            said.append({"id": row["id"], "sample": 0, "reply": gold_reply(draft.puzzle, draft.answer, reply_format)})
    rows.append(broken_coin_row(id="coin-u", group_id="u"))
    said.append({"id": "coin-u", "sample": 0, "reply": '{"solvable": false}'})
    return rows, said


def empty_python(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """This Python without site-packages, environment or user folders, in a folder that has nothing of ours."""
    command = [sys.executable, "-I", "-S", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env={}, timeout=120)


def test_the_archive_scores_its_release_in_an_empty_python(tmp_path: Path) -> None:
    """The scorer needs something that is not in the archive, or scores otherwise than the library."""
    rows, said = release()
    scorer_zip(rows, tmp_path / "scorer.zip")
    replies = tmp_path / "replies.jsonl"
    replies.write_text("".join(json.dumps(line) + "\n" for line in said))
    expected = score_files(rows, replies)
    assert expected.sections[0].metrics["exact"].value == 1.0
    ran = empty_python("scorer.zip", "score", "replies.jsonl", "--json", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout) == to_json(expected)
    ran = empty_python("scorer.zip", "score", "replies.jsonl", "--all", cwd=tmp_path)
    assert ran.stdout == to_text(expected) + "\n"
    other = tmp_path / "rows.jsonl"
    other.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = empty_python("scorer.zip", "score", "rows.jsonl", "replies.jsonl", "--json", cwd=tmp_path)
    assert json.loads(ran.stdout) == to_json(expected)
    replies.write_text('{"id": "nobody", "sample": 0, "reply": ""}\n')
    ran = empty_python("scorer.zip", "score", "replies.jsonl", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: replies.jsonl:1: unknown id 'nobody'; ")


def test_the_archive_finds_every_family(tmp_path: Path) -> None:
    """Families are looked up in a folder that an archive does not have."""
    scorer_zip([], tmp_path / "scorer.zip")
    code = "import sys; sys.path.insert(0, 'scorer.zip'); from puzzlemill.generators import families; print(*families())"
    ran = empty_python("-c", code, cwd=tmp_path)
    assert ran.stdout.split() == [family.name for family in every_family() if family.name != "coin"]
    code = "import sys; sys.path.insert(0, 'scorer.zip'); import puzzlemill; print(puzzlemill.score)"
    ran = empty_python("-c", code, cwd=tmp_path)
    assert ran.stdout.startswith("<function score ")


def test_the_archive_has_the_words_that_judging_needs(tmp_path: Path) -> None:
    """A task without a solution is worded in full to see that it can be: as a long book too, of which the words are in files."""
    draft = next(draft for draft in drafts(KUMO, 9) if draft.puzzle.clues)
    style, question = replace(draft.puzzle.style, theme="memo-long"), replace(draft.puzzle.question, may_be_unsolvable=True)
    row = row_of(KUMO, replace(draft.puzzle, style=style, question=question), None, id="kumo-u", group_id="u")
    scorer_zip([row], tmp_path / "scorer.zip")
    (tmp_path / "replies.jsonl").write_text(json.dumps({"id": "kumo-u", "sample": 0, "reply": '{"solvable": false}'}) + "\n")
    ran = empty_python("scorer.zip", "score", "replies.jsonl", "--json", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout) == to_json(score_files([row], tmp_path / "replies.jsonl"))
    with ZipFile(tmp_path / "scorer.zip") as archive:
        names = {member.filename for member in archive.infolist()}
    assert {f"puzzlemill/vocabulary/{name}" for name in ("themes.toml", "axes.toml", "words.txt", "keywords.txt")} <= names
    assert "puzzlemill/kumo/domain/task.py" in names
    makers = (
        "lexicon.tsv.gz",
        "examples.txt.gz",
        "quotes.toml",
        "clues.toml",
    )  # rows have what judges them
    assert not {f"puzzlemill/vocabulary/{name}" for name in makers} & names
    unread = (
        "puzzlemill/kumo/reading/",
        "puzzlemill/kumo/domain/authored/",
        "puzzlemill/kumo/domain/invent",
        "puzzlemill/kumo/domain/files",
    )
    assert not [name for name in names if name.startswith(unread)]


def test_same_rows_same_bytes(tmp_path: Path) -> None:
    """The manifest's hash of the archive differs from run to run."""
    rows, _ = release()
    for name in ("one.zip", "two.zip"):
        scorer_zip(iter(rows), tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with ZipFile(tmp_path / "one.zip") as archive:
        members = archive.infolist()
        assert archive.testzip() is None
        kept = [json.loads(line) for line in archive.read("rows.jsonl").splitlines()]
    names = [member.filename for member in members]
    assert names == sorted(names)
    assert {member.date_time for member in members} == {(1980, 1, 1, 0, 0, 0)}
    assert not any("__pycache__" in name or "solvers" in name or "factory" in name for name in names)
    assert kept == [{column: row[column] for column in COLUMNS} for row in rows]


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    """A failed run leaves an archive that looks finished."""

    def failing() -> Any:
        yield coin_row()
        yield {"id": "x"}

    with pytest.raises(BadRow, match="row x: split: the column is missing"):
        scorer_zip(failing(), tmp_path / "scorer.zip")
    with pytest.raises(BadRow, match="row coin-0: not plain JSON values"):
        scorer_zip([coin_row(guess_baseline=float("nan"))], tmp_path / "scorer.zip")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(BadFile, match="choose a folder that can be written to"):
        scorer_zip([], tmp_path / "none" / "scorer.zip")
