"""The report: figures worked out by hand, and hostile replies that stay text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.analysis import report as reporting
from puzzlemill.analysis.pages import write_page
from puzzlemill.analysis.report import Given, Model, figures, page, repetition, surface_text
from puzzlemill.core.errors import BadFile, BadParams
from puzzlemill.factory.read import Release
from rows import COIN, broken_coin_row, coin_row

RELEASE = Release(Path("nowhere"), {"release": "coins <b>"}, {})
RIGHT, WRONG, BLANK = '{"answer": [["H", "T", "H"]]}', '{"answer": [["T", "T", "H"]]}', '{"answer": [["?", "T", "H"]]}'
SOLVABLE = '{"solvable": true, "answer": [["H", "T", "H"]]}'
CLAIM = '{"solvable": false}'
Write = Callable[..., Path]


def coins() -> list[dict[str, Any]]:
    """Two groups: a parent with a variant, and a parent with one that has no solution."""
    easy = {"band": "easy", "tier": 1, "score": 1.0}
    more: dict[str, Any] = {"prompt": "Coins & <i>sides</i>", "difficulty": easy, "kinds": []}
    medium = {**more, "difficulty": {"band": "medium", "tier": 3, "score": 3.0}}
    other = {"parent_id": "a", "variant": "turned", "kinds": ["SURFACE"]}
    doubt = {"group_id": "g1", "guess_baseline": 0.5}
    return [
        coin_row(id="a", **more),
        coin_row("tags", id="b", **{**more, **other}),
        coin_row(doubt=True, id="c", **{**medium, **doubt}),
        broken_coin_row(id="d", **{**medium, **doubt, "parent_id": "c", "variant": "unsolvable", "kinds": ["UP"]}),
        coin_row(id="e", split="train", group_id="g2", **more),
    ]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Makes a file of replies from (id, sample, reply, further keys)."""

    def rows(_: Release, columns: Any = None) -> Any:
        return iter(coins())

    monkeypatch.setattr(reporting, "rows", rows)

    def made(*lines: tuple[Any, ...], name: str = "replies.jsonl") -> Path:
        path = tmp_path / name
        told = [{"id": line[0], "sample": line[1], "reply": line[2], **(line[3] if len(line) > 3 else {})} for line in lines]
        path.write_text("".join(json.dumps(line) + "\n" for line in told))
        return path

    return made


def guess(row: Mapping[str, Any], given: Given, samples: int) -> float:
    return min(1.0, samples * float(row["guess_baseline"]))


def model_of(path: Path, **options: Any) -> Model:
    (model,) = figures(RELEASE, [Given("m", path)], guess, **options)
    return model


def cells(text: str, title: str) -> list[list[str]]:
    """The rows of the first table after this title, as plain text."""
    part = text.split(f"<h2>{title}</h2>")[1].split("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", part, re.DOTALL)
    found = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in rows]
    return [[unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in row] for row in found]


def test_repetition_is_the_share_of_tenfold_words_seen_before() -> None:
    """HardcoreLogic counts it so; a text that never repeats has 0, one that only repeats nearly 1."""
    assert repetition("too short to tell") is None
    assert repetition(" ".join(map(str, range(10)))) == 0
    assert repetition(" ".join(map(str, range(50)))) == 0
    assert repetition(" ".join(["a"] * 19)) == pytest.approx(1 - 1 / 10)
    assert repetition(" ".join([*map(str, range(10)), *map(str, range(10))])) == pytest.approx(1 - 10 / 11)
    assert repetition("a " * 10_000_000) == pytest.approx(1, abs=1e-4)


def test_accuracies_stand_beside_what_guessing_earns(write: Write) -> None:
    path = write(
        ("a", 0, RIGHT), ("a", 1, WRONG), ("b", 0, "no"), ("c", 0, SOLVABLE), ("c", 1, SOLVABLE), ("d", 0, CLAIM), ("d", 1, "x")
    )
    text = page(RELEASE, [model_of(path)])
    table = {row[0]: row[1:] for row in cells(text, "Accuracy")[1:]}
    assert table["all"][:3] == ["4", "2", "37.5"]
    assert table["all"][3].startswith("50.0 ")  # (1/2 + 0 + 1 + 1/2) / 4
    assert [table[name][3].split()[0] for name in ("canonical", "turned", "unsolvable")] == ["75.0", "0.0", "50.0"]
    bands = {row[0]: row[1:] for row in cells(text, "Difficulty")[1:]}
    assert (bands["all easy"][0], bands["all easy"][3].split()[0]) == ("2", "25.0")
    assert (bands["all medium"][2], bands["all medium"][3].split()[0]) == ("50.0", "75.0")
    assert (bands["tier 1"][0], bands["tier 3"][0]) == ("2", "2")
    assert "1 reply is missing and counts as wrong" in text
    several = {row[0]: row[1:] for row in cells(text, "Several samples")}
    assert several[""] == ["best of 1", "best of 2"]
    assert [cell.split()[0] for cell in several["all"]] == ["50.0", "75.0"]


def test_variants_are_compared_with_what_they_were_made_from(write: Write) -> None:
    text = page(RELEASE, [model_of(write(("a", 0, RIGHT), ("b", 0, "no"), ("c", 0, SOLVABLE), ("d", 0, CLAIM)))])
    head, *rows = cells(text, "Variants")
    assert head == ["", "pairs", "parent", "variant", "difference", "both right", "only parent", "only variant", "neither"]
    table = {row[0]: [cell.split()[0] for cell in row[1:]] for row in rows}
    assert table[f"{COIN.name} turned"] == ["1", "100.0", "0.0", "-100.0", "0", "1", "0", "0"]
    assert table[f"{COIN.name} unsolvable"] == ["1", "100.0", "100.0", "0.0", "1", "0", "0", "0"]
    assert {"all with a solution", "all without a solution"} <= set(table)


def test_changes_of_the_surface_stand_apart(write: Write) -> None:
    """A clash counts as a change of the surface, or the sign of the change turns."""
    model = model_of(write(("a", 0, RIGHT), ("b", 0, "no"), ("c", 0, SOLVABLE), ("d", 0, CLAIM)))
    head, *rows = cells(page(RELEASE, [model]), "Robustness")
    assert head == ["", "pairs", "before", "after", "change", "only before", "only after", "p"]
    assert [[cell.split()[0] for cell in row[1:]] for row in rows] == [["1", "100.0", "0.0", "-100.0", "1", "0", "1.000"]]
    line = surface_text([model]).splitlines()[-1].split()
    assert line[:6] == ["m", COIN.name, "turned", "1", "100.0", "0.0"]
    assert (line[6], line[-3:]) == ("-100.0", ["1", "0", "1.000"])
    nobody = page(RELEASE, [model_of(write(("c", 0, SOLVABLE), ("d", 0, CLAIM)))])
    assert "no variant differs from its parent in its surface alone" in nobody


def test_what_became_of_the_replies_is_counted(write: Write) -> None:
    """Answers given up are hidden among wrong ones."""
    lines = [("a", 0, WRONG), ("a", 1, BLANK), ("a", 2, "  "), ("a", 3, "I give up"), ("a", 4, RIGHT)]
    text = page(RELEASE, [model_of(write(*lines, ("c", 0, CLAIM)))])
    head, every, *_ = cells(text, "What became of the replies")
    assert dict(zip(head, every, strict=True)) == {
        "family": "all",
        "replies": "6",
        "right": "1 (17 %)",
        "wrong answer": "1 (17 %)",
        '"no solution" where there is one': "1 (17 %)",
        "left blanks": "1 (17 %)",
        "no answer in the form asked for": "1 (17 %)",
        "empty reply": "1 (17 %)",
        "missing": "14",
    }
    forms = {row[0]: row[1:] for row in cells(text, "Forms")[1:]}
    assert (forms["json"][0], forms["json"][1].split()[0]) == ("2", "20.0")  # rows a (2 of 5) and c (0 of 1)


def test_tokens_and_repetition_are_told_by_outcome(write: Write) -> None:
    loop = " ".join(["wait"] * 109)
    lines = [
        ("a", 0, RIGHT, {"usage": {"completion": 100, "reasoning": 60}, "reasoning": " ".join(map(str, range(99)))}),
        ("a", 1, f"{loop}", {"usage": {"completion": 900}, "finish_reason": "length"}),
        ("c", 0, "hm", {"usage": "none", "reasoning": 3}),
    ]
    text = page(RELEASE, [model_of(write(*lines))])
    table = {row[0]: row[1:] for row in cells(text, "Length and repetition")[1:]}
    assert table["right"] == ["1", "0.0", "100", "100", "100", "60", "60", "60", "100", "0.0", "0.0", "0.0"]
    assert table["no answer in the form asked for"] == ["2", "50.0", *["900"] * 3, *["-"] * 3, "900", "99.0", "99.0", "100.0"]


def test_numbers_of_tokens_that_cannot_be_are_passed_over(write: Write) -> None:
    """A number that no float holds ends the report with a traceback, and a negative one spoils a mean."""
    counts: list[Any] = [10**400, -5, True, 1.5, float("nan"), float("inf"), 30]
    lines = [("a", k, RIGHT, {"usage": {"completion": count, "reasoning": count}}) for k, count in enumerate(counts)]
    text = page(RELEASE, [model_of(write(*lines))])
    table = {row[0]: row[1:] for row in cells(text, "Length and repetition")[1:]}
    assert table["right"][:9] == ["7", "0.0", "30", "30", "30", "30", "30", "30", "30"]


def test_a_majority_guesses_as_one_does(write: Write) -> None:
    """The mark of guessing beside a majority is that of the best of k, which no constant reply reaches."""
    lines = [(name, k, RIGHT) for name in "abcd" for k in range(4)]
    text = page(RELEASE, [model_of(write(*lines))])
    table = text.split("<h2>Several samples</h2>")[1].split("</table>")[0]
    everything = table.split("<tr>")[2]
    marks = [float(x) for x in re.findall(r'<line x1="([\d.]+)"[^>]*stroke="#d33"', everything)]
    assert len(marks) == 4 and marks[0] < marks[1] < marks[2] and marks[3] == marks[0]  # best of 1, 2, 4, majority of 4


def test_files_stand_beside_each_other(write: Write) -> None:
    one = write(("a", 0, RIGHT), name="one.jsonl")
    other = write(("a", 0, WRONG), ("e", 0, RIGHT), name="other.jsonl")
    models = figures(RELEASE, [Given("one", one, {"seed": 3}), Given("other", other)], guess)
    text = page(RELEASE, models)
    assert cells(text, "Accuracy")[0] == ["", "rows", "groups", "guess", "one", "other"]
    assert models[0].found.left_out == (("train", 1),) and models[1].found.left_out == ()
    assert "seed 3" in text and "train (1 rows)" in text


def test_rows_without_replies_may_be_left_out(write: Write) -> None:
    path = write(("a", 0, RIGHT))
    assert model_of(path).found.sections[0].metrics["exact"].value == 0.25
    left = model_of(path, answered=True)
    assert (left.found.sections[0].rows, left.found.sections[0].metrics["exact"].value) == (1, 1.0)


def test_the_worst_rows_are_shown_with_prompt_reply_and_verdict(write: Write) -> None:
    path = write(("a", 0, WRONG), ("b", 0, "<answer>H T H</answer>"), ("c", 0, CLAIM), ("d", 0, SOLVABLE))
    model = model_of(path)
    text = page(RELEASE, [model])
    assert [bad.item.id for bad in sorted(model.worst, key=lambda bad: bad.rank)] == ["a", "c", "d"]
    assert text.count('<details class="row">') == 3
    assert "<h4>verdict</h4><p>wrong answer</p><p>It does not keep:</p><ul><li>" in text
    for anchor in re.findall(r'href="#([^"]+)"', text):
        assert text.count(f'id="{anchor}"') == 1
    assert page(RELEASE, [model_of(path, worst=1)], 1).count('<details class="row">') == 1
    assert page(RELEASE, [model_of(path, worst=0)], 0).count('<details class="row">') == 0


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.opened.append(tag)
        self.names |= {name for name, _ in attrs}


def test_hostile_replies_stay_text(write: Write) -> None:
    """A reply that is a page of its own, or that turns text round, in the report."""
    nasty = '</pre><script>alert(1)</script><img src=x onerror="alert(1)">\u202e\x00\x1b[2J\ud800'
    path = write(("a", 0, nasty, {"reasoning": nasty, "finish_reason": nasty, "usage": {"completion": nasty}}))
    given = Given(nasty, path, {nasty: nasty})
    text = page(RELEASE, figures(RELEASE, [given], guess))
    parser = _Tags()
    parser.feed(text)
    assert {"script", "img", "b"} & set(parser.opened) <= {"b"}
    assert not any(name.startswith("on") or name in ("src", "srcset") for name in parser.names)
    assert "&lt;script&gt;alert(1)" in text and "Coins &amp; &lt;i&gt;sides&lt;/i&gt;" in text
    assert "default-src &#x27;none&#x27;" not in text and "default-src 'none'; style-src 'unsafe-inline'" in text
    assert not set("\u202e\x00\x1b\ud800") & set(text)
    assert "http" not in text.replace("http-equiv", "")


def test_an_empty_file_makes_a_page(write: Write, tmp_path: Path) -> None:
    text = page(RELEASE, [model_of(write())])
    write_page(text, tmp_path / "new" / "report.html")
    assert (tmp_path / "new" / "report.html").read_text(encoding="utf-8") == text
    assert cells(text, "Accuracy") == [] or "nothing to show" in text


def test_what_cannot_be_reported_on_is_refused(write: Write, tmp_path: Path) -> None:
    path = write(("a", 0, RIGHT))
    with pytest.raises(BadParams, match="expected 1 to 8 files of replies, got 9"):
        figures(RELEASE, [Given("m", path)] * 9, guess)
    with pytest.raises(BadParams, match="--worst: expected a number of rows"):
        model_of(path, worst=-1)
    with pytest.raises(BadFile, match="unknown id 'z'"):
        model_of(write(("z", 0, RIGHT), name="other"))
    with pytest.raises(BadFile, match="No such file"):
        model_of(tmp_path / "gone")
    with pytest.raises(BadParams, match=r"--out: .* cannot be written"):
        write_page("x", path / "below")
