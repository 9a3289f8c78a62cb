"""Labels of annotators: kappas against worked examples, final labels, hostile files."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("statsmodels", reason="needs statsmodels: pip install 'puzzlemill[analysis]'")

from puzzlemill.analysis.agreement import FINAL, SCHEMES, Agreement, Kappa, Labels, agreement, final_labels, read_labels, to_json
from puzzlemill.cli import main
from puzzlemill.core.errors import BadFile, BadInput, BadParams

ERRORS = list(SCHEMES["errors"])
A, B, C = ERRORS[:3]


def labels(votes: Iterable[dict[str, str]], model: str = "m", scheme: str = "errors") -> Labels:
    """One reply for each mapping annotator -> label."""
    found = Labels(scheme)
    for i, vote in enumerate(votes):
        for name, label in vote.items():
            mine = found.decided if name == FINAL else found.by.setdefault(name, {})
            mine[model, f"r{i:03d}", 0] = label
    return found


def kappa(found: Agreement, method: str, who: str = "", model: str = "") -> Kappa:
    (one,) = [
        k
        for k in found.kappas
        if k.method == method and (not who or set(k.who) == set(who.split())) and (not model or k.model == model)
    ]
    return one


# Fleiss (1971), "Measuring nominal scale agreement among many raters", in the form in which textbooks work it: 10 subjects,
# 14 raters, 5 categories (Wikipedia, "Fleiss' kappa", worked example): kappa = 0.210
WORKED = """
0 0 0 0 14
0 2 6 4 2
0 0 3 5 6
0 3 9 2 0
2 2 8 1 1
7 7 0 0 0
3 2 6 3 0
2 5 3 2 2
6 5 2 1 0
0 2 2 3 7
"""


def test_fleiss_kappa_of_a_worked_example() -> None:
    """Counts are handed to the library the wrong way round."""
    votes = []
    for line in WORKED.split("\n")[1:-1]:
        told = [label for label, n in zip(ERRORS, map(int, line.split()), strict=False) for _ in range(n)]
        votes.append({f"rater{k:02d}": label for k, label in enumerate(told)})
    found = kappa(agreement(labels(votes)), "Fleiss")
    assert found.kappa == pytest.approx(0.20993, abs=1e-5)
    assert found.agree == pytest.approx(0.378, abs=5e-4)
    assert found.low is not None and found.high is not None and found.low < 0.21 < found.high
    assert found.replies == 10


def test_cohens_kappa_of_a_worked_example() -> None:
    """Fleiss, Levin and Paik (2003), "Statistical Methods for Rates and Proportions", table 18.1: kappa = 0.68."""
    table = {(A, A): 75, (A, B): 1, (A, C): 4, (B, A): 5, (B, B): 4, (B, C): 1, (C, C): 10}
    votes = [{"one": a, "two": b} for (a, b), n in table.items() for _ in range(n)]
    found = kappa(agreement(labels(votes)), "Cohen", "one two")
    assert found.agree == pytest.approx(0.89)
    assert found.kappa == pytest.approx((0.89 - 0.66) / (1 - 0.66))
    # its standard error, (18.13) of the book, is 0.087
    assert found.low is not None and found.high is not None
    assert (found.high - found.low) / 2 / 1.959964 == pytest.approx(0.087, abs=0.012)


def test_the_final_label_is_what_most_say_or_what_was_decided() -> None:
    """A tie is broken silently, or half of the votes are a majority."""
    some = labels(
        [
            {"x": A, "y": A, "z": B},
            {"x": A, "y": B, "z": C},
            {"x": A, "y": B, "z": C, FINAL: "factual"},
            {"x": A, "y": B},
            {"x": A, "y": A, "z": A, FINAL: B},
            {"x": C},
            {FINAL: B},
        ]
    )
    final, undecided = final_labels(some)
    told = {name: label for (_, name, _), label in final.items()}
    assert told == {"r000": A, "r002": "factual", "r004": B, "r005": C, "r006": B}
    assert [name for _, name, _ in undecided] == ["r001", "r003"]
    found = agreement(some)
    assert found.open[0] == (("m", "r001", 0), (("x", A), ("y", B), ("z", C)))
    assert (found.replies, found.partial) == (7, 3)
    assert kappa(found, "Fleiss").replies == 4  # labelled by all three
    assert kappa(found, "Cohen", "x y").replies == 5
    assert kappa(found, "Cohen", f"z {FINAL}").replies == 3
    assert to_json(found)["to_be_decided"][1]["labels"] == {"x": A, "y": B}


def test_by_model_and_over_all() -> None:
    """Replies of two models to one row are taken for one, or all is the mean of the models."""
    one = labels([{"x": A, "y": A}, {"x": B, "y": B}, {"x": A, "y": B}], "m")
    for name, mine in labels([{"x": A, "y": B}, {"x": B, "y": A}], "n").by.items():
        one.by[name] |= mine
    found = agreement(one)
    assert [kappa(found, "Cohen", "x y", model).replies for model in ("m", "n")] == [3, 2]
    (everything,) = [k for k in found.kappas if k.model is None and (k.method, k.who) == ("Cohen", ("x", "y"))]
    assert (everything.replies, everything.agree) == (5, 0.4)
    assert kappa(found, "Cohen", "x y", "n").kappa == pytest.approx(-1)
    assert found.counts["m"] == {A: 1, B: 1} and found.counts["n"] == {}


def test_perfect_agreement_and_none_to_speak_of() -> None:
    """A kappa that is not defined is told as nan, with a warning of the library."""
    found = agreement(labels([{"x": A, "y": A}, {"x": B, "y": B}, {"x": C, "y": C}]))
    assert {(k.kappa, k.low, k.high) for k in found.kappas} == {(1.0, 1.0, 1.0)}
    single = agreement(labels([{"x": A, "y": A}] * 4))
    assert {(k.kappa, k.agree, k.note) for k in single.kappas} == {(None, 1.0, "only one label occurs")}
    apart = Labels("errors", {"x": {("m", "a", 0): A}, "y": {("m", "b", 0): B}})
    assert kappa(agreement(apart), "Fleiss").note == "no reply has a label of everybody"
    assert kappa(agreement(apart), "Cohen", "x y").note == "no reply has a label of both"
    alone = agreement(labels([{"x": A}, {"x": B}]))
    assert [k.who for k in alone.kappas] == [("x", FINAL)]


GOOD: dict[str, Any] = {"id": "r", "model": "m", "annotator": "x", "label": A}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 60_000, "not JSON"),
        (b"[]", "got a list"),
        (json.dumps({**GOOD, "label": "other"}).encode(), "label 'other' is none of the scheme errors: misunderstanding"),
        (json.dumps({**GOOD, "label": 1}).encode(), "label is no text"),
        (json.dumps({k: v for k, v in GOOD.items() if k != "model"}).encode(), "model is missing"),
        (json.dumps({**GOOD, "annotator": "x\u202e"}).encode(), "annotator is no text of 1 to 200 printable characters"),
        (json.dumps({**GOOD, "id": "r" * 201}).encode(), "id is no text"),
        (json.dumps({**GOOD, "sample": True}).encode(), "sample must be an integer"),
        (json.dumps({**GOOD, "sample": -1}).encode(), "sample must be an integer"),
        (json.dumps(GOOD).encode(), "a second label of 'x' for 'r', sample 0, of 'm'"),
        (b"x" * 70_000, "a line of more than 65536 bytes"),
    ],
)
def test_what_is_no_label_is_told_with_its_line(tmp_path: Path, line: bytes, problem: str) -> None:
    """A bad line is skipped, or ends in a traceback."""
    path = tmp_path / "labels.jsonl"
    path.write_bytes(json.dumps(GOOD).encode() + b"\n\n" + line + b"\n")
    with pytest.raises(BadFile) as error:
        read_labels([path], "errors")
    assert str(error.value).startswith(f"{path}:3: ") and problem in str(error.value) and "\n" not in str(error.value)


def test_files_that_hold_nothing(tmp_path: Path) -> None:
    """An empty file gives a table of nothing."""
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps({**GOOD, "annotator": FINAL}))
    with pytest.raises(BadFile, match="holds no labels of annotators"):
        read_labels([path], "errors")
    with pytest.raises(BadFile, match="No such file"):
        read_labels([tmp_path / "none"], "errors")
    with pytest.raises(BadParams, match="--scheme: expected errors, unsolvable, justification, got 'x'"):
        read_labels([path], "x")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files are read as one, tables or JSON are printed."""
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text("".join(json.dumps({**GOOD, "id": f"r{i}", "label": ERRORS[i % 2]}) + "\n" for i in range(6)))
    second.write_text(
        "".join(json.dumps({**GOOD, "id": f"r{i}", "annotator": "y", "label": ERRORS[i % 3]}) + "\n" for i in range(6))
    )
    assert main(["agreement", str(first), str(second)]) == 0
    out = capsys.readouterr().out
    assert "6 replies, labelled by x, y; 0 of them not by all" in out
    assert "Cohen, x - final" in out and "to be decided" in out and "misunderstanding" in out
    assert main(["agreement", str(first), str(second), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["method"] for one in told["kappas"]] == ["Fleiss", "Cohen", "Cohen", "Cohen"]
    assert main(["agreement", str(first), "--scheme", "unsolvable"]) == 2
    assert "is none of the scheme unsolvable: erroneous_reasoning" in capsys.readouterr().err


def test_a_missing_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not installed the extra gets a traceback."""
    monkeypatch.setitem(sys.modules, "statsmodels.stats", None)
    with pytest.raises(BadInput, match=r"^agreement needs the package statsmodels: pip install 'puzzlemill\[analysis\]'$"):
        agreement(labels([{"x": A, "y": A}]))
