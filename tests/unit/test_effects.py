"""Regressions and correlations over replies: by hand, on synthetic replies with known effects, and designs that cannot tell."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence

import pytest

pytest.importorskip("statsmodels", reason="needs statsmodels: pip install 'puzzlemill[analysis]'")

from puzzlemill.analysis.complexity import Instance
from puzzlemill.analysis.effects import (
    FACTORS,
    Cell,
    Coefficient,
    Correlation,
    Fit,
    Seen,
    cells_of,
    correlated,
    effects,
    estimated,
    fit,
    to_json,
)
from puzzlemill.analysis.effects_page import page, to_text
from puzzlemill.analysis.tables import p_words
from puzzlemill.core.errors import BadInput, BadParams
from puzzlemill.core.rng import Rng, stream
from puzzlemill.factory.read import Release

VARIANTS = {
    "canonical": (),
    "fewer": ("IC1",),
    "letters": ("UE1",),
    "diagonals": ("UE2",),
    "fewer_letters": ("IC1", "UE1"),
    "diagonals_fewer": ("UE2", "IC1"),
    "diagonals_letters": ("UE2", "UE1"),
}
TRUTH = {"baseline": 0.85, "IC1": -0.3, "UE1": -0.15, "UE2": 0.05}


def instance(name: str, kinds: tuple[str, ...] = (), *, group: str = "", variant: str = "v", solvable: bool = True) -> Instance:
    return Instance(name, group or name, None, "none", "sudoku", variant, kinds, kinds, solvable, 81, {})


def replies(rng: Rng, model: str, rows: int, samples: int = 4, shift: float = 0.0) -> list[Seen]:
    """What a model with these effects and this shift of its baseline says to `rows` rows of each variant."""
    out = []
    for variant, kinds in VARIANTS.items():
        for i in range(rows):
            row = instance(f"{variant}{i}", kinds, group=f"g{i}", variant=variant)
            chance = TRUTH["baseline"] + shift + sum(TRUTH[kind] for kind in kinds)
            out.append(Seen(model, row, sum(rng.below(10_000) < 10_000 * chance for _ in range(samples)), samples))
    return out


def by_name(found: Fit) -> Mapping[str, Coefficient]:
    assert found.baseline is not None
    return {one.name: one for one in (found.baseline, *found.coefficients)}


def cell(kinds: str, accuracy: float, weight: float = 1, model: str = "m") -> Cell:
    return Cell(model, kinds, frozenset(kinds.split()), accuracy, weight, 1)


def test_weighted_least_squares_by_hand() -> None:
    """Weights are forgotten, squared, or taken as copies of a cell."""
    found = by_name(fit("f", "m", [cell("", 0.8, 10), cell("", 0.6, 30), cell("IC1", 0.5, 20), cell("IC1", 0.3, 20)]))
    assert found["baseline"].value == pytest.approx(0.65)
    one = found["IC1"]
    assert one.value == pytest.approx(-0.25)
    # squares 10 * 0.15**2 + 30 * 0.05**2 + 2 * 20 * 0.1**2 = 0.7 over 2 degrees of freedom; t of 2 degrees at 97.5 %: 4.302653
    error = math.sqrt(0.7 / 2 * (1 / 40 + 1 / 40))
    assert (one.low, one.high) == (pytest.approx(-0.25 - 4.302653 * error), pytest.approx(-0.25 + 4.302653 * error))
    t = 0.25 / error
    assert one.p == pytest.approx(1 - t / math.sqrt(t * t + 2))  # Student's distribution of 2 degrees has a closed form
    assert [found[name].note for name in ("IC2", "UE1", "UE2")] == ["in none of these rows"] * 3


@pytest.mark.parametrize("cells", ["variant", "row"])
def test_known_effects_are_found(cells: str) -> None:
    """Coefficients of synthetic replies lie outside their intervals, or intervals hold everything."""
    rng = stream("tests", "effects", cells)
    seen = [one for k, shift in enumerate((0.0, -0.1, 0.05)) for one in replies(rng, f"m{k}", 60, shift=shift)]
    found = estimated(seen, ["m0", "m1", "m2"], cells)
    each = next(one for one in found.regressions if one.which == "all models, a baseline each" and not one.single_factor)
    for one in each.coefficients:
        if one.name == "IC2":
            assert one.note == "in none of these rows"
            continue
        assert one.value is not None and one.low is not None and one.high is not None and one.p is not None
        assert one.low <= TRUTH[one.name] <= one.high and one.high - one.low < 0.12
        assert (one.p < 0.05) == (one.low > 0 or one.high < 0)
    alone = [one for one in found.regressions if one.which == "m1" and not one.single_factor]
    assert [by_name(one)["baseline"].value for one in alone] == [pytest.approx(0.75, abs=0.05)]
    assert (each.cells, each.replies) == ((21 if cells == "variant" else 1260), 5040)


@pytest.mark.parametrize(("cells", "cases"), [("variant", 150), ("row", 60)])
def test_intervals_hold_the_truth_about_as_often_as_they_say(cells: str, cases: int) -> None:
    """Degrees of freedom are counted wrongly, or clusters are taken for rows."""
    rng = stream("tests", "effects", "coverage", cells)
    held = 0
    for _ in range(cases):
        found = by_name(fit("f", "m", cells_of(replies(rng, "m", 25, samples=2), cells)))
        for name, truth in TRUTH.items():
            low, high = found[name].low, found[name].high
            assert low is not None and high is not None
            held += low <= truth <= high
    assert 0.92 <= held / (cases * len(TRUTH)) <= 0.98


def test_rows_of_a_group_are_not_independent() -> None:
    """A group that is hard for the model counts as many times as it has rows."""
    rng = stream("tests", "effects", "clusters")
    seen = []
    for i in range(60):
        hard = rng.chance(1, 2)  # of the whole group
        for k in range(8):
            kinds = ("IC1",) if i % 2 else ()
            seen.append(Seen("m", instance(f"r{i}-{k}", kinds, group=f"g{i}"), float(hard), 1))
    cells = cells_of(seen, "row")
    apart = [Cell(c.model, c.name, c.kinds, c.accuracy, c.weight, c.rows) for c in cells]
    clustered, naive = by_name(fit("f", "m", cells))["IC1"], by_name(fit("f", "m", apart))["IC1"]
    assert clustered.value == naive.value
    assert clustered.low is not None and clustered.high is not None and naive.low is not None and naive.high is not None
    assert clustered.high - clustered.low > 2 * (naive.high - naive.low)


def test_clusters_leave_as_many_degrees_of_freedom_as_there_are_groups_but_one() -> None:
    """Many rows of few groups make intervals as narrow as rows that are independent would."""
    from scipy.stats import t

    rng = stream("tests", "effects", "few clusters")
    seen = []
    for i in range(12):
        for k in range(10):
            row = instance(f"r{i}-{k}", ("IC1",) if k % 2 else (), group=f"g{i}")
            seen.append(Seen("m", row, float(rng.chance(1 + i % 3, 4 + k % 2)), 1))
    one = by_name(fit("f", "m", cells_of(seen, "row")))["IC1"]
    assert one.value is not None and one.low is not None and one.high is not None and one.p is not None
    error = (one.high - one.value) / float(t.ppf(0.975, 11))
    assert one.p == pytest.approx(2 * float(t.sf(abs(one.value) / error, 11)))


def test_the_single_factor_refit_leaves_out_cells_of_several_kinds() -> None:
    """HardcoreLogic's left panel of figure 15 is the same as its right one."""
    rng = stream("tests", "effects", "single")
    found = estimated(replies(rng, "m", 20), ["m"])
    cells = {one.single_factor: one.cells for one in found.regressions}
    assert cells == {False: 7, True: 4}


def notes(cells: Sequence[Cell], **options: bool) -> tuple[str, list[str]]:
    found = fit("f", "m", cells, **options)
    for one in found.coefficients:
        assert (one.value is None) == bool(one.note and one.note != "no error is left to estimate")
        assert not one.note or (one.low, one.high, one.p) == (None,) * 3
    return found.note, [one.note if one.value is None else "" for one in found.coefficients]


def test_what_cells_cannot_tell_is_said_in_words() -> None:
    """A singular design gives numbers, or a traceback."""
    none, always = "in none of these rows", "in all of these rows: nothing to compare with"
    assert notes([cell("IC1", 0.5), cell("IC1 UE1", 0.2), cell("IC1", 0.4)]) == ("", [always, none, "", none])
    assert notes([cell("", 0.5), cell("", 0.4), cell("IC1 UE1", 0.2)]) == (
        "",
        ["always together with UE1: cannot be told from it", none, "always together with IC1: cannot be told from it", none],
    )
    # every cell has exactly one of the two: no cell is without
    either = [cell("IC1", 0.5), cell("UE1", 0.4), cell("IC1", 0.3)]
    assert notes(either) == ("", ["cannot be told from UE1", none, "cannot be told from IC1", none])
    assert notes([cell("", 0.5)]) == ("one cell only: its accuracy is the baseline", [none] * 4)
    assert notes([cell("", 0.5), cell("IC1", 0.4)])[0] == "as many coefficients as cells: no error is left to estimate"
    assert notes([cell("", 0.0), cell("IC1", 0.0), cell("", 0.0)])[0] == "all cells have the same accuracy"
    exact = [cell("", 0.5, 3), cell("", 0.5, 4), cell("IC1", 0.25, 7), cell("IC1", 0.25, 9)]
    assert notes(exact)[0] == "the fit is exact: no error is left to estimate"
    assert by_name(fit("f", "m", exact))["IC1"].value == pytest.approx(-0.25)
    assert notes([]) == ("no cell is left", [])
    # each model was asked one kind only
    apart = [cell("", 0.5, model="a"), cell("", 0.4, model="a"), cell("IC1", 0.3, model="b"), cell("IC1", 0.2, model="b")]
    assert notes(apart, each=True)[1][0] == "cannot be told from the models' baselines"
    assert notes(apart)[1][0] == ""


def test_cells_of_a_kind_that_are_all_alike_leave_no_error() -> None:
    """Rows that are all solved under one kind and not under another have a variance of -1e-17, and its root is a warning."""
    cells = [
        Cell("m", f"{kinds}{i}", frozenset(kinds.split()), right, 1, 1, f"g{i}")
        for i in range(20)
        for kinds, right in (("", 1.0), ("IC1", 1.0), ("UE1", float(i % 2)))
    ]
    found = by_name(fit("f", "m", cells))
    assert (found["IC1"].low, found["IC1"].note) == (None, "no error is left to estimate")
    assert found["UE1"].low is not None and found["UE1"].value == pytest.approx(-0.5)


def test_a_kind_that_cannot_be_told_leaves_the_others_right() -> None:
    """A singular column takes the other coefficients with it."""
    cells = [cell("", 0.9), cell("", 0.8), cell("UE2", 0.6), cell("UE2", 0.5), cell("IC1 UE1", 0.4), cell("IC1 UE1 UE2", 0.1)]
    found = by_name(fit("f", "m", cells))
    assert found["UE2"].value == pytest.approx(-0.3)
    assert found["IC1"].value is None and found["UE1"].value is None


def test_rows_that_are_no_long_tail_take_no_part() -> None:
    """Unsolvable rows, or shuffled clues, are counted as canonical ones."""
    rows = [instance("a"), instance("b", ("SURFACE",)), instance("c", ("IC1", "UP"), solvable=False), instance("d", ("IC1",))]
    found = estimated([Seen("m", row, 1, 2) for row in rows], ["m"])
    assert found.rows_left_out == 2
    assert [one.rows for one in found.regressions if not one.single_factor] == [2]


def test_spearman_with_its_p() -> None:
    """Ties are broken, or p is one-sided: by hand against r of ranks and Student's distribution."""
    xs, ys = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1.0, 0.75, 1.0, 0.5, 0.75, 0.5, 0.25, 0.5, 0.0, 0.25]
    found = correlated(list(zip(xs, ys, strict=True)), Correlation("f", "m", "IC1", "tier", 10, None))
    ranks = [9.5, 7.5, 9.5, 5, 7.5, 5, 2.5, 5, 1, 2.5]
    across = sum((x - 5.5) * (r - 5.5) for x, r in zip(xs, ranks, strict=True))
    rho = across / math.sqrt(82.5 * sum((r - 5.5) ** 2 for r in ranks))
    assert found.rho == pytest.approx(rho)
    slack = 1.959964 * math.sqrt((1 + rho * rho / 2) / 7)
    assert (found.low, found.high) == (
        pytest.approx(math.tanh(math.atanh(rho) - slack), abs=1e-6),
        pytest.approx(math.tanh(math.atanh(rho) + slack), abs=1e-6),
    )
    assert found.p is not None and 0 < found.p < 0.001  # t = -6.2 with 8 degrees of freedom


def test_correlations_that_there_are_not() -> None:
    """A constant gives nan, and five rows a p-value."""
    named = Correlation("f", "m", "all", "tier", 0, None)
    assert correlated([(i, 0.5) for i in range(12)], named).note == "all rows have the same success rate"
    assert correlated([(1, i / 20) for i in range(12)], named).note == "all rows have the same figure"
    assert correlated([(i, i / 20) for i in range(9)], named).note == "9 rows are too few"
    perfect = correlated([(i, i / 20) for i in range(12)], named)
    assert (perfect.rho, perfect.low, perfect.high) == (1, None, None) and perfect.p is not None


def test_correlations_among_rows_of_a_kind() -> None:
    """The figures of one kind are held against rows of another, or Holm's p-values are smaller than the plain ones."""
    seen = []
    for i in range(40):
        for kinds in ((), ("IC1",), ("UE1",)):
            row = instance(f"{kinds}{i}", kinds)
            row.figures["search_space_log10"], row.figures["form_surprise"] = 10 + i % 7, float(i % 5)
            seen += [Seen(model, row, (6 - i % 7) / 6, 1) for model in ("a", "b")]
    found = estimated(seen, ["a", "b"]).correlations
    (space,) = [one for one in found if (one.model, one.among, one.measure) == ("a", "IC1", "search_space_log10")]
    assert (space.rows, space.rho) == (80, -1)
    assert {one.among for one in found} == {"IC1", "UE1", "all"}
    assert {one.model for one in found} == {"a", "b", "all models"}
    assert all(one.p is not None and one.p_holm is not None and one.p <= one.p_holm <= 1 for one in found if one.rho is not None)


def test_holms_correction_is_over_the_correlations_of_one_model() -> None:
    """A second file of replies makes the first model's p-values larger."""
    rng = stream("tests", "effects", "holm")
    seen = []
    for i in range(60):
        row = instance(f"r{i}", ("IC1",) if i % 2 else ())
        row.figures["search_space_log10"], row.figures["tier"] = float(i % 10), float(rng.below(4))
        seen += [Seen(model, row, min(1.0, (i % 10 + rng.below(12)) / 20), 1) for model in ("a", "b")]
    told = [one for one in estimated(seen, ["a", "b"]).correlations if one.p is not None]
    for model in ("a", "b", "all models"):
        some = [one for one in told if one.model == model]
        assert len(some) == 3  # the space among IC1, the space and the tier among all
        least = min(some, key=lambda one: one.p or 0)
        assert least.p is not None and least.p > 0 and least.p_holm == pytest.approx(min(1.0, 3 * least.p))


def test_a_missing_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not installed the extra gets a traceback."""
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    monkeypatch.setitem(sys.modules, "statsmodels.api", None)
    with pytest.raises(BadInput, match=r"^effects needs the package statsmodels: pip install 'puzzlemill\[analysis\]'$"):
        fit("f", "m", [cell("", 0.5)])
    with pytest.raises(BadParams, match="--cells: expected variant or row, got 'all'"):
        effects(None, [], "all")  # type: ignore[arg-type]


def test_the_page_tells_what_was_found_and_escapes_names() -> None:
    """Numbers of the page are others than those of the JSON, or a model's name is read as HTML."""
    rng = stream("tests", "effects", "page")
    found = estimated([*replies(rng, "<b>m</b>", 12), *replies(rng, "n", 12)], ["<b>m</b>", "n"])
    made = page(Release(None, {"release": "<i>"}, {}), found)  # type: ignore[arg-type]
    assert "<b>m" not in made and "&lt;b&gt;m&lt;/b&gt;" in made
    told = to_json(found)
    for one in told["regressions"]:
        for coefficient in one["coefficients"]:
            if coefficient["low"] is not None:
                assert f"<b>{100 * coefficient['value']:+.1f}</b>" in made
    assert [one["name"] for one in told["regressions"][0]["coefficients"]] == list(FACTORS)
    lines = to_text(found)
    assert "all models, a baseline each" in lines and "Spearman" in lines
    assert (p_words(None), p_words(0.25), p_words(3.2e-9), p_words(0.0)) == ("-", "0.250", "3e-09", "<1e-300")
