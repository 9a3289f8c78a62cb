"""Near-copies among prompts: planted ones are told, other puzzles of one template are not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from releases import Shared, twins

import puzzlemill.analysis.similar as comparing
from puzzlemill.analysis.similar import jaccard, shingles, similar, to_json, to_text
from puzzlemill.cli import main
from puzzlemill.core.errors import BadInput, BadParams
from puzzlemill.factory.read import open_release

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def folders(shared: Shared) -> list[Path]:
    return twins(shared)


def changed(prompt: str) -> str:
    """One given, or one name in one clue, is another."""
    if "Clues:" in prompt:
        head, clues = prompt.split("Clues:")
        return head + "Clues:" + re.sub(r"(?m)^3\. The \w+", "3. The stranger", clues)
    lines = prompt.split("\n")
    place = next(i for i, line in enumerate(lines) if re.fullmatch(r"(\S )+\S", line) and re.search(r"\d", line))
    lines[place] = re.sub(r"\d", lambda told: str(int(told[0]) % 9 + 1), lines[place], count=1)
    return "\n".join(lines)


def reordered(prompt: str) -> str:
    """The clues in the opposite order, numbered anew."""
    clues = re.findall(r"(?m)^\d+\. (.*)$", prompt)
    head = prompt.split("\n1. ")[0]
    return head + "\n" + "\n".join(f"{i}. {clue}" for i, clue in enumerate(reversed(clues), 1))


def planted(monkeypatch: pytest.MonkeyPatch, edit: Any) -> None:
    """Rows of the test split of a release become near-copies of its training rows."""
    rows = comparing.rows

    def forged(*args: Any) -> Rows:
        found = list(rows(*args))
        for family in ("sudoku", "zebra"):
            mine = [row for row in found if row["family"] == family and row["variant"] == "canonical"]
            first = next(row for row in mine if row["split"] == "train")
            last = next(row for row in mine if row["split"] == "test")
            last.update(prompt=edit(first["prompt"]), puzzle=first["puzzle"], reply_format=first["reply_format"])
        return found

    monkeypatch.setattr(comparing, "rows", forged)


def test_other_puzzles_of_one_recipe_are_not_near(folders: list[Path]) -> None:
    """What all prompts of a family have in common says nothing; parents and children are counted apart."""
    found = similar(open_release(folders[0]), [open_release(folders[1])])
    assert found.near.total() == 0 and found.pairs == []
    assert found.rows == {"sudoku": 5, "binario": 8, "zebra": 5} and found.small == 2
    assert found.expected["binario"] > 0 and found.expected["zebra"] == 0


def test_one_changed_clue_is_near(folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, changed)
    found = similar(open_release(folders[0]))
    assert found.near["sudoku", "across splits"] >= 1 and found.near["zebra", "across splits"] == 1
    best = {pair.one.family: pair for pair in found.pairs}
    assert all(0.7 <= pair.similarity < 1 and {pair.one.split, pair.other.split} == {"train", "test"} for pair in best.values())
    assert f"across splits: {best['zebra'].similarity:.2f} (MinHash" in to_text(found)


def test_clues_in_another_order_are_the_same(folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, lambda prompt: reordered(prompt) if "Clues:" in prompt else prompt)
    pairs = [pair for pair in similar(open_release(folders[0])).pairs if pair.similarity == 1.0]
    assert {pair.one.family for pair in pairs} == {"sudoku", "zebra"}


def test_copies_in_another_release_are_near(folders: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    """A release beside itself: every row is there twice, and groups have the same ids."""
    assert main(["similar", str(folders[0]), str(folders[1]), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == []
    assert main(["similar", str(folders[0]), str(folders[0])]) == 1
    assert "across releases: 1.00" in capsys.readouterr().out


def test_what_others_have_in_common_is_their_matter(folders: list[Path]) -> None:
    """Copies between two of the releases that ours is compared with are told as ours."""
    first, second = [open_release(folder) for folder in folders]
    assert similar(first, [second, second]).near.total() == 0


def test_pairs_below_the_threshold_are_not_told(folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """MinHash proposes pairs that are less alike than was asked for."""
    planted(monkeypatch, changed)
    found = similar(open_release(folders[0]), threshold=0.99)
    assert found.near.total() == 0 and found.pairs == []


def test_the_same_is_found_every_time(folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, changed)
    first, second = (to_json(similar(open_release(folders[0]), threshold=0.5)) for _ in range(2))
    assert first == second


def test_shingles() -> None:
    assert shingles("1 . 3\n. 2 .") == {"1/0=1", "1/2=3", "2/1=2"}
    assert shingles("1 . 3\nA\n. 2 .", "A\n1 . 3") == {"1/1=2"}
    assert shingles("2. One two, three four five") == {"one two three four", "two three four five"}
    assert shingles("7) Few words") == {"few words"} and shingles("\n\n") == set()
    assert jaccard([1, 2, 3], [2, 3, 4]) == 0.5 and jaccard([], []) == 0.0


def test_refusals(folders: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadParams, match="threshold: expected a similarity"):
        similar(open_release(folders[0]), threshold=float("nan"))
    assert main(["similar", str(folders[0] / "none")]) == 2
    monkeypatch.setitem(__import__("sys").modules, "datasketch", None)
    with pytest.raises(BadInput, match=r"puzzlemill\[similar\]"):
        similar(open_release(folders[0]))
    assert len(capsys.readouterr().err.splitlines()) == 1
