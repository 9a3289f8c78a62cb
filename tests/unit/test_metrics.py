"""Metrics against numbers worked out by hand, their intervals, and the files they are read from."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.core.errors import BadFile, BadRow
from puzzlemill.core.rng import stream
from puzzlemill.scoring import metrics, replies
from puzzlemill.scoring.main import main, run, score_files
from puzzlemill.scoring.metrics import (
    Item,
    Measured,
    ks,
    majority,
    measured,
    pass_at,
    report,
    section,
    sign_test,
    to_json,
    to_text,
    wilson,
)
from puzzlemill.scoring.score import Verdict
from puzzlemill.scoring.summary import summary
from rows import broken_coin_row, coin_row

RIGHT = Verdict(True, 1.0, 1.0, 1.0, "solved", answer=(("H",),))
HALF = Verdict(False, 0.0, 0.5, 1.0, "wrong", answer=(("T",),))
OTHER = Verdict(False, 0.0, 0.25, 1.0, "wrong", answer=(("X",),))
PART = Verdict(False, 0.0, 0.25, 0.5, "incomplete", answer=(("",),))
NOTHING = Verdict(False, 0.0, 0.0, 0.0, "unreadable")
CLAIM = Verdict(False, 0.0, 0.0, 1.0, "claim", claims_unsolvable=True)
SEEN = Verdict(True, 1.0, 1.0, 1.0, "solved", claims_unsolvable=True)


def item(i: int = 0, group: str = "", family: str = "coin", variant: str = "canonical", **changes: Any) -> Item:
    named = group or f"g{i:03}"
    made_from = f"{family}-{int(named[1:])}" if variant != "canonical" and named[1:].isdigit() else ""
    values = {"solvable": True, "may_be_unsolvable": False, "guess": 0.25, "parent": made_from, **changes}
    return Item(f"{family}-{i}", "test", named, family, variant, **values)


# ---- one row --------------------------------------------------------------------------------------------------------


def test_a_row_in_numbers() -> None:
    """The definitions of LR2Bench, section 2.4, are not what is computed. A missing reply must count as wrong."""
    found = measured(item(), [RIGHT, HALF, PART, None])
    assert found.values == {
        "exact": 0.25,
        "credit": (1 + 0.5 + 0.25) / 4,  # these verdicts are of a row in which no constant reply earns anything
        "subtask": (1 + 0.5 + 0.25) / 4,
        "complete": (1 + 1 + 0.5) / 4,
        "half": 0.5,  # at least half of the subtasks: 1.0 and 0.5, not 0.25
        "guess": 0.25,
        "pass@1": 0.25,
        "pass@2": 0.5,
        "pass@4": 1.0,
        "majority@1": 1.0,
        "majority@2": 1.0,
        "majority@4": 1.0,
    }
    assert (found.replies, found.decisions) == (3, (0, 3, 1))
    assert found.why == {"solved": 1, "wrong": 1, "incomplete": 1}


def test_one_sample_has_no_figures_for_several() -> None:
    """Tables of single replies are filled with columns that repeat each other."""
    assert list(measured(item(), [RIGHT]).values) == ["exact", "credit", "subtask", "complete", "half", "guess"]


def test_partial_credit_is_what_goes_beyond_the_best_constant_reply() -> None:
    """Leaving every cell white is reported as most of an answer."""
    verdicts = [
        RIGHT,
        replace(HALF, subtask=0.86, chance=0.72),
        replace(HALF, subtask=0.72, chance=0.72),
        replace(HALF, chance=0.72),
    ]
    assert [verdict.credit for verdict in verdicts] == pytest.approx([1, 0.5, 0, 0])
    found = measured(item(), verdicts)
    assert found.values["credit"] == pytest.approx(1.5 / 4)
    assert found.values["subtask"] == pytest.approx((1 + 0.86 + 0.72 + 0.5) / 4)
    assert replace(HALF, subtask=1.0, chance=1.0).credit == 0.0  # one open place: right or not


@pytest.mark.parametrize(("n", "solved"), [(1, 0), (1, 1), (4, 0), (4, 1), (4, 3), (6, 2), (6, 6)])
def test_pass_at_k_is_the_share_of_all_choices_of_k_samples(n: int, solved: int) -> None:
    """The estimator is biased."""
    results = [i < solved for i in range(n)]
    for k in range(1, n + 1):
        chosen = list(combinations(results, k))
        assert pass_at(n, solved, k) == pytest.approx(sum(any(c) for c in chosen) / len(chosen))


def test_pass_at_k_of_many_samples_is_exact() -> None:
    """Large binomials overflow or lose all digits."""
    assert pass_at(10_000, 1, 10_000) == 1.0
    assert pass_at(10_000, 1, 1) == 1e-4
    assert pass_at(1000, 0, 500) == 0.0


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([RIGHT, HALF, RIGHT], True),
        ([HALF, RIGHT, HALF], False),
        ([RIGHT, HALF], True),  # a tie: the first given
        ([HALF, RIGHT], False),
        ([NOTHING, NOTHING, None, PART, PART, RIGHT], True),  # no answer, no vote
        ([NOTHING, None], False),
        ([], False),
        ([CLAIM, CLAIM, RIGHT], False),
        ([SEEN, SEEN, OTHER], True),
    ],
)
def test_majority(verdicts: list[Verdict | None], expected: bool) -> None:
    """Votes are counted over something else than answers, or ties depend on chance."""
    assert majority(verdicts) is expected


def test_ks() -> None:
    """The k of pass@k and majority@k change without notice."""
    assert [ks(n) for n in (1, 2, 3, 8, 10)] == [[1], [1, 2], [1, 2, 3], [1, 2, 4, 8], [1, 2, 4, 8, 10]]


# ---- intervals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("share", "n"), [(0.0, 10), (1.0, 10), (0.5, 10), (0.1, 50), (0.97, 3000)])
def test_wilson(share: float, n: int) -> None:
    """The interval is another one than it is called: its limits x solve (share - x)**2 = z**2 * x * (1 - x) / n."""
    low, high = wilson(share, n)
    assert 0.0 <= low <= share <= high + 1e-12 <= 1.0 + 1e-12
    assert high - low > 0.0
    for x in (low, high):
        assert (share - x) ** 2 == pytest.approx(1.959963984540054**2 * x * (1 - x) / n, abs=1e-12)


def test_single_replies_to_unrelated_rows_get_wilsons_interval() -> None:
    """A plain share gets a coarser interval than it could have."""
    rows = [measured(item(i), [RIGHT if i < 3 else HALF]) for i in range(12)]
    found = section("all", rows, 1).metrics
    assert (found["exact"].value, found["exact"].method, found["exact"].n) == (0.25, "wilson over rows", 12)
    assert (found["exact"].low, found["exact"].high) == wilson(0.25, 12)
    assert found["subtask"].method == "bootstrap over groups"
    assert found["subtask"].value == pytest.approx((3 + 9 * 0.5) / 12)


def test_rows_of_one_group_are_not_counted_as_independent() -> None:
    """Derived puzzles make intervals look narrower than they are."""
    alone = [measured(item(i), [RIGHT if i < 20 else HALF, HALF]) for i in range(40)]
    together = [measured(item(4 * i + j, f"g{i}"), [RIGHT if i < 20 else HALF, HALF]) for i in range(40) for j in range(4)]
    one, four = (section("all", rows, 2).metrics["exact"] for rows in (alone, together))
    assert one.value == four.value == 0.25
    assert (one.n, four.n, four.method) == (40, 40, "bootstrap over groups")
    assert four.high - four.low == pytest.approx(one.high - one.low, rel=0.2)


def test_the_bootstrap_agrees_with_the_normal_approximation() -> None:
    """Resampling is done wrong: intervals are too wide or too narrow."""
    rng = stream("tests", "bootstrap")
    for groups in (60, 400):  # 400 are pooled into blocks
        rows = [measured(item(i), [RIGHT if rng.chance(3, 10) else NOTHING for _ in range(4)]) for i in range(groups)]
        found = section("all", rows, 4).metrics["exact"]
        variance = sum((row.values["exact"] - found.value) ** 2 for row in rows) / (groups - 1)
        half = 1.96 * (variance / groups) ** 0.5
        assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.25)


def test_the_bootstrap_is_the_same_every_time_and_in_any_order() -> None:
    """Two runs over the same replies report different intervals."""
    rows = [measured(item(i), [RIGHT if i % 3 else HALF, NOTHING]) for i in range(150)]
    assert section("all", rows, 2) == section("all", rows[::-1], 2)


@pytest.mark.parametrize("verdict", [RIGHT, NOTHING, HALF])
def test_equal_results_are_not_certainty(verdict: Verdict) -> None:
    """Five right replies out of five are reported as 1.000 [1.000, 1.000]."""
    rows = [measured(item(i), [verdict, verdict]) for i in range(5)]
    found = section("all", rows, 2).metrics
    for metric in ("exact", "subtask", "pass@2"):
        estimate = found[metric]
        assert (estimate.n, estimate.method) == (5, "wilson over groups")
        assert estimate.low <= estimate.value <= estimate.high
        assert estimate.high - estimate.low > 0.2
    assert (found["guess"].low, found["guess"].high) == (0.25, 0.25)  # known, not measured


def test_one_group_is_not_resampled() -> None:
    """The rows of a single group are taken for many."""
    rows = [measured(item(i, "g"), [RIGHT if i else HALF]) for i in range(4)]
    assert section("all", rows, 1).metrics["exact"].method == "wilson over groups"
    assert section("all", rows, 1).metrics["exact"].n == 1


# ---- solvability ----------------------------------------------------------------------------------------------------


def _doubted(*decisions: tuple[bool, Verdict | None]) -> list[Measured]:
    return [
        measured(item(i, may_be_unsolvable=True, solvable=solvable), [verdict]) for i, (solvable, verdict) in enumerate(decisions)
    ]


def test_solvability_counts_and_rates() -> None:
    """Claims are counted on the wrong side, or silence counts as a right decision."""
    rows = _doubted(
        *[(False, SEEN)] * 6, *[(False, HALF)] * 3, (False, NOTHING), *[(True, RIGHT)] * 5, *[(True, CLAIM)] * 2, (True, None)
    )
    s = section("all", rows, 1).solvability
    assert s is not None
    assert s.unsolvable == (6, 3, 1)
    assert s.solvable == (2, 5, 1)
    assert s.balanced_accuracy is not None
    assert s.correlation is not None
    assert s.balanced_accuracy.value == pytest.approx((6 / 10 + 5 / 8) / 2)
    # hit 6, miss 4, right 5, false 3
    assert s.correlation.value == pytest.approx((6 * 5 - 3 * 4) / (9 * 10 * 8 * 9) ** 0.5)
    assert s.balanced_accuracy.low < s.balanced_accuracy.value < s.balanced_accuracy.high


def test_always_claiming_is_worth_a_coin_toss() -> None:
    """A constant decision looks better than chance."""
    s = section("all", _doubted(*[(False, SEEN)] * 9, (True, CLAIM)), 1).solvability
    assert s is not None
    assert s.balanced_accuracy is not None
    assert s.correlation is not None
    assert (s.balanced_accuracy.value, s.correlation.value) == (0.5, 0.0)


def test_solvability_needs_doubt_and_both_kinds() -> None:
    """Rows that promise a solution are counted as decisions."""
    assert section("all", [measured(item(), [RIGHT])], 1).solvability is None
    s = section("all", _doubted((False, SEEN), (False, SEEN)), 1).solvability
    assert s is not None
    assert (s.unsolvable.claimed, s.balanced_accuracy, s.correlation) == (2, None, None)


# ---- pairs ----------------------------------------------------------------------------------------------------------


def paired(*outcomes: tuple[Verdict | None, Verdict | None], variant: str = "larger", **child: Any) -> list[Measured]:
    """A parent and a child for each pair of verdicts."""
    rows = []
    for i, (parent, other) in enumerate(outcomes):
        rows.append(measured(item(i), [parent]))
        rows.append(measured(item(1000 + i, f"g{i:03}", variant=variant, **child), [other]))
    return rows


def test_pairs_by_hand() -> None:
    """A child is compared with another group's parent, a pair counts though one row was never answered, or the sign turns."""
    rows = paired(*[(RIGHT, RIGHT)] * 4, *[(RIGHT, HALF)] * 3, (HALF, RIGHT), *[(HALF, PART)] * 2, (RIGHT, None), (None, RIGHT))
    rows.append(measured(item(7000, "lonely", variant="larger"), [RIGHT]))  # its parent is not among the rows
    found = report(rows, 1).pairs
    assert [(p.family, p.variant, p.solvable) for p in found] == [("coin", "larger", True), ("all", "", True)]
    one = found[0]
    assert (one.pairs, one.unanswered) == (10, 2)
    assert (one.both, one.only_parent, one.only_child, one.neither) == (4, 3, 1, 2)
    assert one.parent is not None and one.child is not None and one.difference is not None
    assert (one.parent.value, one.child.value) == (0.7, 0.5)
    assert one.difference.value == pytest.approx(-0.2)
    assert one.difference.low < -0.2 < one.difference.high
    assert (one.difference.n, one.difference.method) == (10, "bootstrap over groups")
    told = to_json(report(rows, 1))["pairs"][0]
    assert (told["difference"]["value"], told["only_parent"]) == (-0.2, 3)
    assert "coin/larger" in to_text(report(rows, 1))


def test_the_p_value_is_that_of_mcnemar_s_exact_test() -> None:
    """One tail is doubled wrongly, or samples of a group count as independent. By hand: 2 (C(4, 0) + C(4, 1)) / 2**4."""
    assert sign_test(1, 3) == sign_test(3, 1) == 0.625
    assert (sign_test(0, 0), sign_test(2, 2), sign_test(0, 6)) == (1.0, 1.0, 2 / 64)
    one = report(paired(*[(RIGHT, HALF)] * 3, (HALF, RIGHT), *[(RIGHT, RIGHT)] * 9), 1).pairs[0]
    assert (one.only_parent, one.only_child, one.p) == (3, 1, 0.625)
    rows = [measured(item(0), [RIGHT] * 8), measured(item(1, "g000", variant="x"), [HALF] * 8)]
    assert (report(rows, 8).pairs[0].only_parent, report(rows, 8).pairs[0].p) == (8, 1.0)  # one group


def test_pairs_count_sample_by_sample() -> None:
    """With several samples the counts are not those of the samples."""
    rows = [measured(item(0), [RIGHT, HALF, RIGHT, None]), measured(item(1, "g000", variant="x"), [RIGHT, RIGHT, HALF, HALF])]
    one = report(rows, 4).pairs[0]
    assert (one.both, one.only_parent, one.only_child, one.neither) == (1, 1, 1, 1)
    assert one.difference is not None and one.difference.value == 0.0


def test_unsolvable_children_are_pairs_of_their_own() -> None:
    """Recognising an unsolvable puzzle is mixed with solving one."""
    rows = paired((RIGHT, RIGHT), (RIGHT, HALF))
    rows += paired((RIGHT, SEEN), (RIGHT, HALF), variant="larger", solvable=False)[1::2]
    found = {(p.family, p.variant, p.solvable): p for p in report(rows, 1).pairs}
    assert list(found) == [("coin", "larger", True), ("coin", "larger", False), ("all", "", True), ("all", "", False)]
    assert found["coin", "larger", False].pairs == found["coin", "larger", True].pairs == 2


@pytest.mark.parametrize(
    ("outcome", "value"), [((RIGHT, RIGHT), 0.0), ((HALF, HALF), 0.0), ((RIGHT, HALF), -1.0), ((HALF, RIGHT), 1.0)]
)
def test_equal_differences_are_not_certainty(outcome: tuple[Verdict, Verdict], value: float) -> None:
    """Five pairs without a difference are reported as 0.000 [0.000, 0.000]. The width: by hand from Wilson's limit of 0 of 5."""
    found = report(paired(*[outcome] * 5), 1).pairs[0].difference
    assert found is not None
    share = wilson(0.0, 5)[1]
    low, high = {0.0: (-share, share), -1.0: (-1.0, 2 * share - 1), 1.0: (1 - 2 * share, 1.0)}[value]
    assert (found.value, found.method) == (value, "wilson over groups")
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_no_pairs() -> None:
    """A pair without replies divides by zero."""
    one = report(paired((RIGHT, None)), 1).pairs[0]
    assert (one.pairs, one.unanswered, one.parent, one.difference) == (0, 1, None, None)
    assert "coin/larger" in to_text(report(paired((RIGHT, None)), 1))
    assert report([measured(item(), [RIGHT])], 1).pairs == ()


def test_the_interval_of_paired_differences_covers() -> None:
    """Intervals are too narrow (or use the wrong spread: that of unpaired rows would be twice as wide here).

    Pairs are drawn with chances 0.55 both, 0.2 only the parent, 0.05 only the child, 0.2 neither: the difference is -0.15 and its
    standard deviation sqrt(0.25 - 0.15**2).
    """
    rng = stream("tests", "pairs")
    draws, groups, covered, widths = 60, 80, 0, 0.0
    for _ in range(draws):
        outcomes = []
        for _ in range(groups):
            dice = rng.below(20)
            outcomes.append((RIGHT if dice < 15 else HALF, RIGHT if dice < 11 or dice == 15 else HALF))
        rows = paired(*outcomes)
        found = metrics.pairs("coin", "larger", True, list(zip(rows[::2], rows[1::2], strict=True))).difference
        assert found is not None
        covered += found.low <= -0.15 <= found.high
        widths += found.high - found.low
    assert 0.88 * draws <= covered
    assert widths / draws == pytest.approx(2 * 1.96 * ((0.25 - 0.15**2) / groups) ** 0.5, rel=0.1)


# ---- class-balanced solvability -------------------------------------------------------------------------------------


def test_solvability_by_variant_and_depth_by_hand() -> None:
    """Unsolvable rows are weighed against solvable rows of other groups, or depths are mixed."""
    doubt = {"may_be_unsolvable": True}
    broken = {"may_be_unsolvable": True, "solvable": False, "variant": "clash"}
    rows = [
        measured(item(0, "a", **doubt), [RIGHT]),
        measured(item(1, "b", **doubt), [CLAIM]),
        measured(item(2, "c", **doubt), [CLAIM]),  # no clash in this group
        measured(item(3, "a", variant="larger", **doubt), [HALF]),
        measured(item(4, "b", variant="larger", **doubt), [HALF]),
        measured(item(5, "a", depth="shallow", parent="coin-0", **broken), [SEEN]),
        measured(item(6, "b", depth="deep", parent="coin-1", **broken), [HALF]),
    ]
    found = {(b.family, b.which, b.against): b for b in report(rows, 1).balances}
    kinds = [("all", "deep clashes"), ("all", "shallow clashes"), ("coin", "clash"), ("coin", "deep clashes")]
    kinds.append(("coin", "shallow clashes"))
    assert list(found) == [(*kind, against) for kind in kinds for against in ("parents", "groups")]

    def value(*key: str) -> float:
        estimate = found["coin", key[0], key[1]].decisions.balanced_accuracy
        assert estimate is not None
        return estimate.value

    assert value("clash", "parents") == pytest.approx((1 / 2 + 1 / 2) / 2)  # claimed: a of a, b; answered: a of a, b
    assert value("clash", "groups") == pytest.approx((1 / 2 + 3 / 4) / 2)
    assert value("shallow clashes", "parents") == 1.0
    assert value("deep clashes", "parents") == 0.0
    assert found["coin", "clash", "groups"].rows == 6
    estimate = found["coin", "shallow clashes", "parents"].decisions.balanced_accuracy
    assert estimate is not None and estimate.low < 1.0  # one group is no certainty
    told = to_json(report(rows, 1))["solvability"]
    assert [(t["family"], t["which"], t["against"]) for t in told] == list(found)
    assert "coin/deep clashes against parents" in to_text(report(rows, 1))


def test_depths_are_read_from_rows(tmp_path: Path) -> None:
    """The depth of a clash does not reach the report, or nonsense in its place does."""
    rows = [
        coin_row(id="a", doubt=True),
        broken_coin_row(id="b", parent_id="a", variant="clash", proof={"depth": "deep", "clash": ["c1"]}),
    ]
    path = write(tmp_path / "replies.jsonl", [said("a", "x"), said("b", '{"solvable": false}')])
    found = score_files(rows, path)
    assert ("coin", "deep clashes") in [(b.family, b.which) for b in found.balances]
    assert (found.pairs[0].pairs, found.pairs[0].solvable, found.pairs[0].only_child) == (1, False, 1)
    for nonsense in ("deep", {"depth": 3}, ["deep"]):
        with pytest.raises(BadRow, match="row b: proof: expected a depth"):
            score_files([rows[0], {**rows[1], "proof": nonsense}], path)


# ---- reports and files ----------------------------------------------------------------------------------------------


def test_sections_are_all_then_families_then_variants() -> None:
    """A report leaves out a family, or mixes two."""
    rows = [
        measured(item(0, family="sudoku"), [RIGHT]),
        measured(item(1, family="coin"), [HALF]),
        measured(item(1, family="coin", variant="clash"), [RIGHT]),
    ]
    found = report(rows, 1)
    assert [(s.name, s.rows, s.metrics["exact"].value) for s in found.sections] == [
        ("all", 3, pytest.approx(2 / 3)),
        ("coin", 2, 0.5),
        ("sudoku", 1, 1.0),
        ("coin/canonical", 1, 0.0),
        ("coin/clash", 1, 1.0),
        ("sudoku/canonical", 1, 1.0),
    ]
    assert json.loads(json.dumps(to_json(found)))["sections"][1]["why"] == {"solved": 1, "wrong": 1}
    assert to_text(found).isascii()


def write(path: Path, lines: list[Any]) -> Path:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines), encoding="utf-8")
    return path


def said(name: str, reply: str, sample: int = 0) -> dict[str, Any]:
    return {"id": name, "sample": sample, "reply": reply}


def three_rows() -> list[dict[str, Any]]:
    return [
        coin_row(id="a", doubt=True),
        broken_coin_row(id="b", variant="clash"),
        coin_row(id="c", group_id="g1"),
        coin_row(id="d", group_id="g2", split="train"),
    ]


def test_replies_are_scored_in_any_order_and_missing_ones_count_as_wrong(tmp_path: Path) -> None:
    """The headline leaves out what a model did not answer."""
    path = write(
        tmp_path / "replies.jsonl",
        [
            said("b", '{"solvable": false}', 1),
            "",
            said("a", '{"answer": [["H", "T", "H"]]}', 1),
            {**said("a", "I can not.\u2028\ud800", 0), "model": "x"},
            {"id": "b", "reply": '{"answer": [["H", "T", "H"]]}'},
        ],
    )
    found = score_files(iter(three_rows()), path)
    assert (found.samples, found.splits, found.left_out) == (2, ("test",), (("train", 1),))
    whole = found.sections[0]
    assert (whole.rows, whole.groups, whole.replies, whole.missing, whole.unanswered_rows) == (3, 2, 4, 2, 1)
    assert whole.metrics["exact"].value == pytest.approx((0.5 + 0.5 + 0) / 3)
    assert whole.metrics["pass@2"].value == pytest.approx(2 / 3)
    assert whole.metrics["complete"].value == pytest.approx((0.5 + 1 + 0) / 3)
    assert whole.why == {"solved": 2, "unreadable": 1, "wrong": 1}
    assert whole.solvability is not None
    assert (whole.solvability.unsolvable.claimed, whole.solvability.unsolvable.answered) == (1, 1)
    assert (whole.solvability.solvable.answered, whole.solvability.solvable.silent) == (1, 1)
    text = to_text(found)
    assert "no replies, not scored: train (1 rows)" in text
    assert "A missing reply counts as wrong." in text


def test_the_summary_has_few_lines_and_says_what_each_figure_is(tmp_path: Path) -> None:
    """Sixty lines of figures scroll by, and no word says which of them counts."""
    replies = [said("a", '{"answer": [["H", "T", "H"]]}', sample) for sample in (0, 1)]
    text = summary(score_files(three_rows(), write(tmp_path / "replies.jsonl", replies)))
    lines = text.splitlines()
    assert len(lines) <= 11 and text.isascii() and max(map(len, lines)) <= 120
    assert lines[:2] == [
        "2 replies to 3 rows of test; none to train, not scored",
        "2 of 3 rows have no reply and count as wrong; --answered leaves out such rows",
    ]
    begins = ["exact match", "partial credit", "subtask accuracy", "completion", "PM-0.5", "guess", "no solution"]
    assert [line.split("  ")[0] for line in lines[2:9]] == begins
    assert "every rule" in lines[2] and lines[9] == "replies: solved 2"
    assert lines[10] == "--all shows each family, each variant, pass@k and majority@k"
    assert summary(score_files(three_rows(), write(tmp_path / "none.jsonl", []))) == (
        "nothing to score: no replies to any row of test (3 rows), train (1 rows)"
    )


def test_a_try_of_few_rows_is_scored_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rows that were never asked are taken for wrong, and a try of a few rows looks like a model that solves nothing."""
    right = '{"answer": [["H", "T", "H"]]}'
    path = write(tmp_path / "replies.jsonl", [said("a", right, sample) for sample in (0, 1)] + [said("b", right)])
    whole = score_files(three_rows(), path)
    few = score_files(three_rows(), path, answered=True)
    assert (whole.sections[0].rows, few.sections[0].rows, few.sections[0].missing) == (3, 2, 1)
    assert whole.left_out == few.left_out == (("train", 1),)
    assert run(three_rows, path, answered=True) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "3 replies to 2 rows of test; none to train, not scored",
        "1 further reply is missing and counts as wrong",
    ]
    assert score_files(three_rows(), write(tmp_path / "none.jsonl", []), answered=True).sections == ()


def test_a_file_without_replies_scores_nothing(tmp_path: Path) -> None:
    """An empty file divides by zero."""
    found = score_files(three_rows(), write(tmp_path / "none.jsonl", []))
    assert (found.samples, found.sections) == (0, ())
    assert "nothing to score" in to_text(found)
    assert to_json(found)["splits_left_out"] == {"test": 3, "train": 1}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not JSON (JSONDecodeError); write one object per line, in UTF-8"),
        ("[" * 100_000, "not JSON (RecursionError)"),
        ('{"id": "a", "sample": ' + "9" * 5000 + ', "reply": ""}', "not JSON (ValueError)"),
        ("[]", 'expected {"id": text, "sample": integer, "reply": text}, got a list'),
        ({"sample": 0, "reply": "x"}, 'expected {"id": text, "sample": integer, "reply": text}, id is missing'),
        ({"id": "a", "sample": 0}, 'expected {"id": text, "sample": integer, "reply": text}, reply is missing'),
        ({"id": "a", "sample": 0, "reply": None}, "reply is NoneType"),
        ({"id": 7, "sample": 0, "reply": "x"}, "id is int"),
        (said("z", "x"), "unknown id 'z'; score against the release that the replies were made for"),
        (said("a", "x", 1), "a second reply with id 'a' and sample 1; number the samples of a row 0, 1, ..."),
        (said("a", "x", -1), "sample must be an integer from 0 to 1000000, got -1"),
        ({**said("a", "x"), "sample": True}, "sample must be an integer from 0 to 1000000, got True"),
        ({**said("a", "x"), "sample": 1.0}, "sample must be an integer from 0 to 1000000, got 1.0"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: Any, problem: str) -> None:
    """A damaged file is scored in part, or stops without saying where."""
    path = write(tmp_path / "replies.jsonl", [said("a", "x", 1), line])
    with pytest.raises(BadFile) as caught:
        score_files(three_rows(), path)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert problem in str(caught.value)
    assert run(three_rows, path) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert shown.err.startswith("error: ")


def test_the_first_line_that_says_a_sample_again_is_named(tmp_path: Path) -> None:
    """Samples are compared after all lines are read, and the number of the line is lost."""
    path = write(
        tmp_path / "replies.jsonl", [said("b", "x", 3), said("a", "x"), said("b", "x", 1), said("b", "y", 3), said("a", "x")]
    )
    path.write_bytes(b"\n\n" + path.read_bytes())
    with pytest.raises(BadFile, match=r"replies\.jsonl:6: a second reply with id 'b' and sample 3"):
        score_files(three_rows(), path)


def test_a_million_replies_fit_into_memory(tmp_path: Path) -> None:
    """An index of Python's own numbers takes 125 bytes a reply."""
    path, count = tmp_path / "replies.jsonl", 30_000
    path.write_text("".join(f'{{"id": "{i % 3}", "sample": {i // 3}, "reply": ""}}\n' for i in range(count)))
    replies.Replies(path, {"0", "1", "2"})  # what is made once
    tracemalloc.start()
    index = replies.Replies(path, {"0", "1", "2"})
    index.samples.clear()  # one number for each sample, not for each reply
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert held < 12 * count
    with path.open("rb") as file:
        assert [sample for sample, _ in index.lines(file, "1")] == index.samples_of("1") == list(range(count // 3))


def test_other_encodings_and_endless_lines_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of another kind fills the memory."""
    path = tmp_path / "replies.jsonl"
    path.write_bytes(json.dumps(said("a", "x")).encode("utf-16"))
    with pytest.raises(BadFile, match=r"replies\.jsonl:1: not JSON \(UnicodeDecodeError\)"):
        score_files(three_rows(), path)
    monkeypatch.setattr(replies, "MAX_LINE", 1000)
    write(path, [said("a", "x" * 1000)])
    with pytest.raises(BadFile, match=r"replies\.jsonl:1: a line of more than 1000 bytes"):
        score_files(three_rows(), path)
    with pytest.raises(BadFile, match=r"none\.jsonl: No such file"):
        score_files(three_rows(), tmp_path / "none.jsonl")


def test_bad_rows_are_named(tmp_path: Path) -> None:
    """Rows that stand twice or lack columns distort every mean."""
    path = write(tmp_path / "replies.jsonl", [said("a", "x")])
    with pytest.raises(BadRow, match="row a: the id stands twice"):
        score_files([coin_row(id="a"), coin_row(id="a")], path)
    with pytest.raises(BadRow, match="row a: variant: the column is missing"):
        score_files([{k: v for k, v in coin_row(id="a").items() if k != "variant"}], path)
    with pytest.raises(BadRow, match="row a: guess_baseline: expected a number from 0 to 1, got 2"):
        score_files([coin_row(id="a", guess_baseline=2)], path)
    with pytest.raises(BadRow, match="row a: group_id: expected text, got int"):
        score_files([coin_row(id="a", group_id=2)], path)
    with pytest.raises(BadRow, match="row 1: id: expected text"):
        score_files([coin_row(id=None)], path)


def test_the_command_reads_rows_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`score ROWS REPLIES` prints something else than the library's report."""
    rows = write(tmp_path / "rows.jsonl", three_rows())
    path = write(tmp_path / "replies.jsonl", [said("a", '{"answer": [["H", "T", "H"]]}')])
    assert main(["score", str(rows), str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == to_json(score_files(three_rows(), path))
    assert main(["score", str(rows), str(path), "--all"]) == 0
    assert capsys.readouterr().out == to_text(score_files(three_rows(), path)) + "\n"
    assert main(["score", str(rows), str(path)]) == 0
    assert capsys.readouterr().out == summary(score_files(three_rows(), path)) + "\n"
    write(rows, [coin_row(id="a"), "[]"])
    assert main(["score", str(rows), str(path)]) == 2
    assert f"{rows}:2: expected a row as a JSON object, got a list" in capsys.readouterr().err
    assert main(["score", str(tmp_path / "no.jsonl"), str(path)]) == 2
    assert "no.jsonl: No such file" in capsys.readouterr().err


def test_the_promised_constants() -> None:
    """Intervals of old and new reports cannot be compared."""
    assert (metrics.DRAWS, metrics.BLOCKS) == (1000, 100)
