"""Structure of truth-finding tasks and other benchmarks beside replies: tables and correlations of textbooks, and by hand."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from releases import Shared, release_of

pytest.importorskip("scipy", reason="needs scipy: pip install 'puzzlemill[analysis]'")

from puzzlemill.cli import main
from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadFile, BadInput
from puzzlemill.core.family import puzzle_type
from puzzlemill.core.rng import Rng, stream
from puzzlemill.factory.read import Release, open_release, rows
from puzzlemill.generators import family_named
from puzzlemill.kumo.association import (
    Seen,
    against,
    associated,
    cramer_corrected,
    estimated,
    independence,
    read_scores,
    structure,
    to_json,
    to_text,
)
from puzzlemill.kumo.graphs import signature

# occupations by neighbourhood, of the encyclopedia's example of the chi-square test: 24.57 with 6 degrees of freedom, p 0.0004
NEIGHBOURHOODS = ((90, 60, 104, 95), (30, 50, 51, 20), (30, 40, 45, 35))


def test_chi_square_and_cramers_v_of_a_textbook() -> None:
    found = independence(NEIGHBOURHOODS, 99)
    statistic = found["chi_square"]
    assert statistic == pytest.approx(24.5712, abs=5e-5) and found["degrees_of_freedom"] == 6
    assert found["p"] == pytest.approx(0.000410, abs=5e-7) and found["cells_expecting_fewer_than_5"] == 0
    assert found["cramers_v"] == pytest.approx((24.5712 / 650 / 2) ** 0.5, abs=1e-6)
    # phi squared is 24.571203 / 650 = 0.0378019, less 6 / 649: 0.0285569; the shorter side 3 - 4 / 649, less one: 1.9938367
    assert found["cramers_v_corrected"] == pytest.approx((0.0285569 / 1.9938367) ** 0.5, abs=1e-6)
    assert cramer_corrected(statistic, 650, 3, 4) == found["cramers_v_corrected"]
    assert cramer_corrected(2, 8, 2, 2) == pytest.approx(0.125**0.5)  # (1/4 - 1/7) / (6/7)
    assert independence(((20, 0), (0, 20)), 9)["cramers_v"] == pytest.approx(1) and cramer_corrected(0.1, 40, 2, 5) == 0
    tea = independence(((3, 1), (1, 3)), 9)
    assert tea["chi_square"] == pytest.approx(2)  # without Yates' correction
    assert tea["cells_expecting_fewer_than_5"] == 1


def test_permutation_p_values_are_those_of_all_permutations() -> None:
    """A table of three lines: the share of all ways to deal being right that give as large a chi-square, counted one by one."""
    counts = ((1, 4), (3, 1), (2, 2))

    def statistic(taken: tuple[int, ...]) -> Fraction:
        return sum((Fraction(k * k, sum(line)) for k, line in zip(taken, counts, strict=True)), Fraction(0))

    seen = statistic(tuple([line[0] for line in counts]))
    ways = [(a, b, 6 - a - b) for a in range(6) for b in range(5) if 0 <= 6 - a - b <= 4]
    weights = [comb(5, a) * comb(4, b) * comb(4, c) for a, b, c in ways]
    exact = sum([w for way, w in zip(ways, weights, strict=True) if statistic(way) >= seen]) / comb(13, 6)
    found = independence(counts, 4_000)["p_permutation"]
    assert 0.2 < exact < 0.8 and abs(found - exact) < 4 * (exact * (1 - exact) / 4_000) ** 0.5
    assert independence([(b, a) for a, b in counts], 4_000)["p_permutation"] == pytest.approx(exact, abs=0.04)
    assert independence(((8, 0), (0, 8)), 500)["p_permutation"] < 0.01
    tea = independence(((3, 1), (1, 3)), 4_000)["p_permutation"]  # the lady tasting tea: 34 of 70
    assert tea == pytest.approx(34 / 70, abs=0.04)
    assert tea == independence(((3, 1), (1, 3)), 4_000)["p_permutation"]  # the same draws again


def replies(chances: tuple[float, ...], tasks: int, rng: Rng, model: str = "m") -> list[Seen]:
    """Tasks of as many signatures as there are chances to solve one, five replies each."""
    return [
        Seen(
            model, f"t{i}", (i % len(chances), 1), sum([rng.below(1000) < 1000 * chances[i % len(chances)] for _ in range(5)]), 5
        )
        for i in range(tasks)
    ]


def test_more_than_half_of_the_replies_make_a_task_right() -> None:
    """3 of 5, and not 2 of 4."""
    assert [Seen("m", "t", (1,), right, 5).majority for right in range(6)] == [False] * 3 + [True] * 3
    assert not Seen("m", "t", (1,), 2, 4).majority and Seen("m", "t", (1,), 1, 1).majority


def test_structure_that_matters_is_found_and_one_that_does_not_is_not() -> None:
    """Three signatures, one of them hard; and fifty alike, where V is large all the same and the corrected one is not."""
    plain = associated("m", replies((0.8, 0.8, 0.2), 300, stream("association", "hard")))
    assert plain.p is not None and plain.p < 1e-9 and plain.p_permutation == 1 / 1000 and not plain.note
    assert (
        plain.cramers_v is not None
        and plain.cramers_v_corrected is not None
        and 0.5 < plain.cramers_v_corrected < plain.cramers_v
    )
    sparse = associated("m", replies((0.5,) * 50, 150, stream("association", "even")))
    assert (
        sparse.cramers_v is not None
        and sparse.cramers_v > 0.4
        and sparse.cramers_v_corrected is not None
        and sparse.cramers_v_corrected < 0.25
    )
    assert sparse.p_permutation is not None and sparse.p_permutation > 0.05
    assert sparse.cells_expecting_fewer_than_5 == 1 and "expect fewer than 5 tasks" in sparse.note
    assert associated("m", replies((0.8, 0.8, 0.2), 300, stream("association", "hard"))[::-1]) == plain


def test_tables_that_say_nothing_are_told_as_such() -> None:
    assert associated("m", []).note == "no task has a reply"
    assert associated("m", replies((1.0, 1.0), 20, stream("association"))).note == "all tasks are right"
    assert associated("m", replies((0.0, 0.0), 20, stream("association"))).note == "no task is right"
    assert associated("m", replies((0.5,), 20, stream("association"))).note == "all tasks have the same signature"


# Anscombe's first set: r 0.816, p 0.0022
ANSCOMBE = (
    (10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5),
    (8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68),
)


def test_pearsons_correlation_of_a_textbook() -> None:
    """With the interval by Fisher's z, worked by hand: atanh(0.8164) = 1.1459, give or take 1.96 / sqrt(8)."""
    ours, theirs = ({f"m{i}": float(x) for i, x in enumerate(side)} for side in ANSCOMBE)
    found = against("other", ours, {**theirs, "unknown": 3.0})
    assert (
        found.models == 11 and found.pearson_r == pytest.approx(0.81642, abs=5e-6) and found.p == pytest.approx(0.00217, abs=5e-6)
    )
    assert found.low == pytest.approx(0.4244, abs=5e-4) and found.high == pytest.approx(0.9507, abs=5e-4)
    line = against("other", {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}, {"a": 2.0, "b": 4.0, "c": 6.0, "d": 8.0})
    assert line.pearson_r == pytest.approx(1) and line.low == line.high == line.pearson_r
    three = against("other", {"a": 1.0, "b": 2.0, "c": 3.0}, {"a": 2.0, "b": 1.0, "c": 6.0})
    assert three.pearson_r is not None and three.low is None and three.note
    assert against("other", {"a": 1.0, "b": 2.0}, {"a": 2.0, "b": 1.0}).note.startswith("2 models")
    assert (
        against("other", dict.fromkeys("abcd", 0.5), {"a": 1.0, "b": 2.0, "c": 3.0, "d": 0.0}).note
        == "all models have the same score"
    )


def test_the_report_has_every_model_and_benchmark() -> None:
    models = ["a", "b", "c", "silent"]
    rng = stream("association", "report")
    seen = [one for i, model in enumerate("abc") for one in replies((0.9 - 0.3 * i, 0.5), 60, rng.child(i), model)]
    found = estimated(seen, models, {"other": {"a": 3.0, "b": 2.0, "c": 0.0}, "none": {"z": 1.0}})
    told = json.loads(json.dumps(to_json(found)))
    assert [one["model"] for one in told["structure"]] == models
    assert [one["benchmark"] for one in told["other_benchmarks"]] == ["other", "none"]
    assert told["structure"][0]["tasks"] == 60 and told["structure"][3]["note"] == "no task has a reply"
    words = to_text(found)
    assert "silent" in words and "0 models with both are too few" in words
    assert to_text(estimated(seen, models, {})).count("\n\n") == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"name,score\na,1\n", ":1: expected the heads model,score, got 'name,score'"),
        (b"model,score\na,1\na,2\n", ":3: a second score of 'a'"),
        (b"model,score\na,one\n", ":2: expected a number as the score, got 'one'"),
        (b"model,score\na,nan\n", ":2: expected a number"),
        (b"model,score\na\n", ":2: expected a model and a score, got 'a'"),
        (b'model,score\n"a,1\n', ": not CSV"),
        (b"model,score\n", "holds no scores"),
        (b"\xff\xfe", "not UTF-8"),
        (b"model,score\n" + b"a,1\n" * 400_000, "more than 1048576 bytes"),
    ],
)
def test_files_of_scores_that_are_none(tmp_path: Path, content: bytes, message: str) -> None:
    """One line that names the file, and where it can be, the line."""
    path = tmp_path / "other.csv"
    path.write_bytes(content)
    with pytest.raises(BadFile) as error:
        read_scores(path)
    assert message in str(error.value) and str(path) in str(error.value)
    with pytest.raises(BadFile, match="No such file"):
        read_scores(tmp_path / "none.csv")


def test_files_of_scores(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text('\ufeffmodel, score\n"a, large", 3.5\nb,-1e2\n\n', encoding="utf-8")
    assert read_scores(path) == {"a, large": 3.5, "b": -100.0}


@pytest.fixture(scope="module")
def release(shared: Shared) -> Path:
    """Eight tasks of one domain."""
    part = {"family": "kumo", "params": {"domain": "river_fish"}, "counts": {"test": 8}}
    return shared("structure", release_of({"name": "structure", "seed": "structure", "strata": [part]}))


def test_the_command_structure(release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From a release, replies and scores to the two tables: 3 right replies of 5 make a task right, 2 do not."""
    told = list(rows(open_release(release), ("id", "gold_reply", "puzzle")))
    files = []
    for name, right in (("all", (3,) * 8), ("half", (3, 2) * 4), ("none", (2,) * 8)):
        files.append(tmp_path / f"{name}.jsonl")
        lines = [
            json.dumps({"id": row["id"], "sample": sample, "reply": row["gold_reply"] if sample < often else "no idea"})
            for row, often in zip(told, right, strict=True)
            for sample in range(5)
        ]
        files[-1].write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text("model,score\nall,9\nhalf,5\nnone,2\n", encoding="utf-8")
    asked = ["structure", str(release), *map(str, files)]
    capsys.readouterr()
    assert main([*asked, "--scores", str(tmp_path / "other.csv"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["tasks"], one["right_by_majority"]) for one in found["structure"]] == [(8, 8), (8, 4), (8, 0)]
    assert [one["accuracy"] for one in found["structure"]] == [0.6, 0.5, 0.4]
    signatures = {signature(loads(puzzle_type(family_named("kumo")), row["puzzle"], "puzzle").board) for row in told}
    assert found["structure"][1]["signatures"] == len(signatures) > 1
    assert found["structure"][1]["p_permutation"] > 0
    (other,) = found["other_benchmarks"]
    assert other["benchmark"] == "other" and other["models"] == 3 and other["pearson_r"] == pytest.approx(0.9966, abs=1e-4)
    assert main(asked) == 0
    assert "all tasks are right" in capsys.readouterr().out
    twice = tmp_path / "twice"
    twice.mkdir()
    (twice / "other.csv").write_text("model,score\nall,9\n", encoding="utf-8")
    assert main([*asked, "--scores", str(tmp_path / "other.csv"), str(twice / "other.csv")]) == 2
    assert "two files have one name" in capsys.readouterr().err


def test_a_release_without_such_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told so, and nothing is scored."""
    out = tmp_path / "release"
    assert main(["generate", "family=hanoi", "count=2", "split=test", "seed=structure", "workers=1", f"out={out}"]) == 0
    (tmp_path / "replies.jsonl").write_text("", encoding="utf-8")
    capsys.readouterr()
    assert main(["structure", str(out), str(tmp_path / "replies.jsonl")]) == 2
    assert "no row is a task of truth finding" in capsys.readouterr().err


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the package and the extra."""
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(BadInput, match=r"needs the package scipy: pip install 'puzzlemill\[analysis\]'"):
        structure(Release(tmp_path, {}, {}), [])
