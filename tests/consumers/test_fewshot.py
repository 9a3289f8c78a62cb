"""Few-shot: the examples before a prompt are easier rows of the train split, solved in the row's own way."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from puzzlemill.cli import main
from puzzlemill.core.errors import BadParams
from puzzlemill.envs.fewshot import Examples, FewShot
from puzzlemill.factory.read import open_release
from puzzlemill.factory.read import rows as rows_of
from puzzlemill.factory.reasoning import WRONG, Options, reasoning
from puzzlemill.factory.recipe import BANDS
from puzzlemill.scoring.score import score

Row = dict[str, Any]
SHARED = ("family", "question", "ask")


def doubts(row: Row) -> bool:
    return bool(json.loads(row["puzzle"])["question"]["may_be_unsolvable"])


def hard(row: Row) -> tuple[int, float, float] | tuple[()]:
    """How hard a row is; () for one that cannot be graded."""
    if row["difficulty"]["band"] not in BANDS:
        return ()
    return BANDS.index(row["difficulty"]["band"]), row["difficulty"]["score"], row["search_space_log10"]


def test_examples_are_easier_rows_of_train_that_ask_the_same(release: Path, rows: list[Row]) -> None:
    """Failing means that a test puzzle is given away, or that an example misleads."""
    examples, by_id = Examples(open_release(release), FewShot(2)), {row["id"]: row for row in rows}
    held = {row["canonical_key"] for row in rows if row["split"] != "train"}
    met: Counter[tuple[str, str]] = Counter()
    firsts: Counter[bool] = Counter()
    reasoned = 0
    for row in rows:
        chosen = [by_id[name] for name in examples.chosen(row)]
        text = examples.prompt(row)
        assert text.endswith(row["prompt"])
        if not chosen:
            assert text == row["prompt"]
            continue
        met[row["family"], row["status"]] += 1
        assert len({example["group_id"] for example in chosen} | {row["group_id"]}) == 3
        assert [example["status"] == "unsolvable" for example in chosen].count(True) == doubts(row)
        firsts[chosen[0]["status"] == "unsolvable"] += doubts(row)
        easiest = [hard(other) for other in rows if other["group_id"] == row["group_id"] and other["status"] != "unsolvable"]
        _, *parts = re.split(r"\n\n(?:Example \d|Reply to example \d:|The puzzle to solve)\n\n", text.removesuffix(row["prompt"]))
        assert len(parts) == 5 and not parts.pop()
        for example, told, reply in zip(chosen, parts[::2], parts[1::2], strict=True):
            assert example["split"] == "train" and example["canonical_key"] not in held
            assert [example[name] for name in SHARED] == [row[name] for name in SHARED] and doubts(example) is doubts(row)
            assert all(a <= b for other in easiest for a, b in zip(hard(example), other, strict=False))
            assert example["prompt"].startswith(told) and "End your reply" not in told
            assert score(reply, {**example, "reply_format": row["reply_format"]}).score == 1.0
            reasoned += len(reply) > 200
    assert {family for family, _ in met} == {"sudoku", "binario", "zebra", "hanoi"} and met["zebra", "unsolvable"]
    assert set(firsts) == {True, False}, firsts
    assert reasoned > len(rows)


def test_rows_of_a_group_that_look_alike_have_the_same_examples(release: Path, rows: list[Row]) -> None:
    """Failing means that the examples of a row tell its status."""
    one, other = [Examples(open_release(release), FewShot(3, 0)) for _ in range(2)]
    drawn = [one.chosen(row) for row in rows]
    assert [other.chosen(row) for row in reversed(rows)] == drawn[::-1]  # in whatever order they are asked for
    alike: dict[object, set[tuple[str, ...]]] = {}
    for row, chosen in zip(rows, drawn, strict=True):
        alike.setdefault((row["group_id"], row["rules"], doubts(row)), set()).add(tuple(chosen))
    assert all(len(found) == 1 for found in alike.values())


def test_exports_hold_examples_and_say_which_rows_have_none(
    release: Path, games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Failing means that an option is passed over, or that a row without examples goes unnoticed."""
    few = ["--few-shot", "2", "--few-shot-tokens", "300"]
    for to in ("a", "b"):
        assert main(["export", str(release), "--to", "sft", *few, "--split", "test", "--out", str(tmp_path / to)]) == 0
    assert "2 examples before each of" in capsys.readouterr().out
    found = [{path.name: path.read_bytes() for path in (tmp_path / to).iterdir()} for to in ("a", "b")]
    assert found[0] == found[1]
    mark = json.loads(found[0]["export.json"])["few_shot"]
    assert mark["examples"] == 2 and mark["tokens"] == 300
    talks = [row["messages"] for row in pq.read_table(tmp_path / "a" / "test.parquet").to_pylist()]
    own = [row for row in rows_of(open_release(release)) if row["split"] == "test"]
    longer = [talk[0]["content"] != row["prompt"] for talk, row in zip(talks, own, strict=True)]
    assert sum(longer) == sum(count["with"] for count in mark["families"].values()) > len(longer) / 2
    assert len(longer) - sum(longer) == sum(count["without"] for count in mark["families"].values())
    assert "## Few-shot" in found[0]["README.md"].decode()
    # of dialogues none has examples; and a release without what is needed takes them from another
    assert main(["export", str(games), "--to", "trl", "--few-shot", "1", "--out", str(tmp_path / "games")]) == 0
    counts = json.loads((tmp_path / "games" / "export.json").read_text())["few_shot"]["families"]
    assert counts["kumo"]["dialogues"] == 8 and counts["sudoku"] == {"with": 0, "without": 2, "dialogues": 0}
    other = ["--few-shot", "1", "--few-shot-from", str(release), "--split", "test", "--out", str(tmp_path / "other")]
    assert main(["export", str(games), "--to", "chat", *other]) == 0
    assert "none before" in capsys.readouterr().out


def test_reflection_is_shown_where_it_is_asked_for(release: Path, rows: list[Row]) -> None:
    """Failing means that examples with reflection are those without, or that a value is tried where none was asked for."""
    opened = open_release(release)
    plain, tried = Examples(opened, FewShot(2)), Examples(opened, FewShot(2, reflection=True))
    by_id, shown = {row["id"]: row for row in rows}, 0
    for row in rows:
        straight, told = plain.prompt(row), tried.prompt(row)
        for name in tried.chosen(row):
            found = reasoning(by_id[name], Options(trace_tokens=1_000, wrong_suppositions=100))
            wrong = [part.text for part in found.parts if part.kind == WRONG]
            assert not wrong or (found.text in told and wrong[0] not in straight)
            shown += bool(wrong)
    assert shown > 4
    assert tried.settings() == {**plain.settings(), "few_shot_reflection": True}
    assert tried.to_json()["reflection"] and "taken back" in tried.summary()


def test_what_cannot_be_is_refused(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Failing means a prompt without the examples that were asked for, or a traceback."""
    for count in ("-1", "9"):
        assert main(["export", str(release), "--to", "chat", "--few-shot", count, "--out", str(tmp_path / "out")]) == 2
        assert f"--few-shot: expected 0 to 8 examples, got {count}" in capsys.readouterr().err
    with pytest.raises(BadParams, match="--few-shot-tokens: expected 0 to"):
        FewShot(1, -1)
    assert main(["export", str(release), "--to", "chat", "--few-shot-from", str(release), "--out", str(tmp_path / "out")]) == 2
    assert "--few-shot-from: no examples are asked for" in capsys.readouterr().err
