"""Effects of transforms on complexity: by hand, against planted differences, and how often intervals miss."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from puzzlemill.analysis import complexity as measuring
from puzzlemill.analysis import resample
from puzzlemill.analysis.complexity import Effect, Instance, Step, compared, links, steps, within_sizes
from puzzlemill.analysis.resample import Interval, t_point
from puzzlemill.core.errors import BadRow
from puzzlemill.core.rng import stream


def instance(name: str, group: str, parent: str | None = None, *, pairing: str = "exact", **figures: float) -> Instance:
    step = () if parent is None else ("letters",)
    kinds = () if parent is None else ("UE1",)
    return Instance(name, group, parent, pairing, "sudoku", "v", kinds, step, True, 81, dict(figures))


def step_of(pairs: Sequence[tuple[float, float]], paired: bool = True, measure: str = "smt_conflicts") -> Step:
    """One group for each (parent, child)."""
    made = []
    for i, (parent, child) in enumerate(pairs):
        one, other = instance(f"p{i}", f"g{i:03d}"), instance(f"c{i}", f"g{i:03d}", f"p{i}")
        one.figures[measure], other.figures[measure] = parent, child
        made.append((one, other))
    return Step("sudoku", "letters", ("UE1",), paired, tuple(made))


def effect(pairs: Sequence[tuple[float, float]], paired: bool = True, measure: str = "smt_conflicts") -> Effect:
    found = compared(step_of(pairs, paired, measure), measure)
    assert found is not None
    return found


def test_paired_by_hand() -> None:
    """Ties count as larger or smaller, or medians are of the differences of something else."""
    found = effect([(1, 3), (3, 3), (7, 3), (0, 1), (15, 31), (2, 2), (1, 7), (1, 1)])
    assert (found.pairs, found.groups, found.parent, found.child) == (8, 8, 1.5, 3)
    assert found.delta.value == (4 - 1) / 8
    # log2(1 + count) less that of the parent: 1 0 -1 1 1 0 2 0, in order -1 0 0 0 1 1 1 2
    assert found.shift.value == 0.5


def test_unpaired_by_hand() -> None:
    """Children are compared with their own parents only, or a parent of two children counts twice."""
    found = effect([(1, 2), (2, 2), (5, 9), (4, 0), (3, 3), (2, 2)], paired=False)
    parents, children = (1, 2, 5, 4, 3, 2), (2, 2, 9, 0, 3, 2)
    signs = [(c > p) - (c < p) for c in children for p in parents]
    assert found.delta.value == pytest.approx(sum(signs) / 36)
    step = step_of([(1, 2), (9, 0)], paired=False)
    twin = instance("twin", "g000", "p0", smt_conflicts=2)
    both = Step("sudoku", "letters", ("UE1",), False, (*step.pairs, (step.pairs[0][0], twin)))
    again = compared(both, "smt_conflicts")
    assert again is not None and (again.pairs, again.groups, again.parent) == (3, 2, 5)
    assert again.delta.value == pytest.approx(((1 - 1) + (1 - 1) + (-1 - 1)) / 6)


def test_a_planted_difference_is_found_and_none_is_not() -> None:
    """Verdicts do not follow from the intervals, or the direction is the other one."""
    rng = stream("tests", "complexity", "planted")
    larger = [(rng.below(100), 0) for _ in range(80)]
    assert effect([(a, a + 20 + rng.below(30)) for a, _ in larger]).words == "holds (large)"
    assert effect([(a + 20 + rng.below(30), a) for a, _ in larger]).words == "fails: smaller (large)"
    assert effect([(a, a) for a, _ in larger]).words == "fails: no difference"
    assert effect([(a, a) for a, _ in larger[:10]]).words == "undecided"
    assert effect([(0, 1)] * 5).words == "undecided: 5 groups are too few"
    assert effect([(0, 1)] * 6).verdict == "holds"
    even = effect([(rng.below(100), rng.below(100)) for _ in range(30)], paired=False)
    assert even.verdict == "undecided" and even.delta.low < 0 < even.delta.high


def test_only_an_interval_that_is_narrow_on_both_sides_says_that_there_is_no_difference() -> None:
    """What is hardly known at all fails because one end of its interval is near 0."""
    none = Interval(0.0, 0.0, 0.0)
    told = [(-0.1, 0.14), (-0.1, 0.2), (-0.2, 0.1), (0.01, 0.9), (-0.9, -0.01), (0.0, 0.5)]
    verdicts = [Effect(True, 9, 9, 1, 1, Interval((low + high) / 2, low, high), none).verdict for low, high in told]
    assert verdicts == ["fails", "undecided", "undecided", "holds", "fails", "undecided"]


def test_steps_without_an_answer_and_steps_that_change_nothing_claim_nothing() -> None:
    """A puzzle that was made unsolvable is told to have a larger search space."""
    pairs = step_of([(1, 2)] * 8, measure="search_space_log10").pairs
    claims = [
        list(measuring._claims(Step("sudoku", "x", kinds, True, pairs))) for kinds in (("IC1",), ("IC1", "UP"), ("SURFACE",))
    ]
    assert [[(one.kind, one.measure) for one in some] for some in claims] == [[("IC1", "search_space_log10")], [], []]


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("groups", [10, 40])
def test_intervals_hold_the_truth_about_as_often_as_they_say(monkeypatch: pytest.MonkeyPatch, groups: int, paired: bool) -> None:
    """Of intervals of 95 % far more than one in twenty miss."""
    monkeypatch.setattr(resample, "DRAWS", 300)
    resample._drawn.cache_clear()
    rng, held, cases = stream("tests", "complexity", "coverage", groups, int(paired)), 0, 120
    # child uniform on 0..9, parent on 0..5: P(larger) - P(smaller) = ((10 - 6) * 6) / 60 + 0 = 0.4
    truth = sum((c > p) - (c < p) for c in range(10) for p in range(6)) / 60
    for _ in range(cases):
        found = effect([(rng.below(6), rng.below(10)) for _ in range(groups)], paired).delta
        held += found.low <= truth <= found.high
    resample._drawn.cache_clear()
    assert 0.89 * cases <= held <= cases


def test_certainty_is_limited_by_the_number_of_groups() -> None:
    """Six of six children that are larger make an interval of no width."""
    slack = 1 - 0.025 ** (1 / 6)
    assert effect([(0, 1)] * 6).delta == Interval(1.0, 1 - 2 * slack, 1.0)
    assert effect([(1, 0)] * 6).delta == Interval(-1.0, -1.0, 2 * slack - 1)
    assert effect([(1, 1)] * 6).delta == Interval(0.0, -slack, slack)


def test_groups_are_what_is_resampled() -> None:
    """Nine rows of one group count as nine witnesses."""
    alone = step_of([(0, 1), (1, 0)] * 6)
    many = []
    for parent, child in alone.pairs:
        twins = [instance(f"{child.id}-{k}", child.group, parent.id, **child.figures) for k in range(9)]
        many += [(parent, twin) for twin in twins]
    one, other = compared(alone, "smt_conflicts"), compared(Step("sudoku", "x", (), True, tuple(many)), "smt_conflicts")
    assert one is not None and other is not None
    assert (other.pairs, other.groups) == (108, 12) and other.delta == one.delta


def test_scales() -> None:
    """A search space is told as a factor, or conflicts as orders of magnitude."""
    spaces = effect([(20.0, 23.5)] * 7, measure="search_space_log10")
    assert measuring.shift_words("log10", spaces.shift) == "x 10^3.5 (10^3.5 to 10^3.5)"
    assert measuring.shift_words("count", effect([(3, 15)] * 7).shift) == "x 4.00 (4.00 to 4.00)"
    assert compared(step_of([(1, 2)]), "tier") is None


def test_points_of_student() -> None:
    """The widening for few groups rests on them; from a table of Student's t."""
    for degrees, point in ((5, 2.5706), (10, 2.2281), (30, 2.0423), (99, 1.9842)):
        assert t_point(degrees) == pytest.approx(point, rel=2e-3)


def test_steps_are_what_a_child_has_beyond_its_parent() -> None:
    """A variant of a variant is compared with the canonical row, or under the kinds of its whole way."""
    root = instance("a", "g")
    first = instance("b", "g", "a", pairing="none")
    second = Instance("c", "g", "b", "same_answer", "sudoku", "w", ("UE1", "IC1", "UE2"), ("letters", "fewer", "rule"), True, 81)
    lost = instance("d", "g", "not there")
    found = steps({one.id: one for one in (root, first, second, lost)})
    assert [(s.name, s.kinds, s.paired, [(p.id, c.id) for p, c in s.pairs]) for s in found] == [
        ("fewer+rule", ("IC1", "UE2"), True, [("b", "c")]),
        ("letters", ("UE1",), False, [("a", "b")]),
    ]
    odd = Instance("e", "g", "b", "exact", "sudoku", "w", ("IC1",), ("fewer",), True, 81)
    with pytest.raises(BadRow, match="row e: is not made from its parent"):
        steps({one.id: one for one in (root, first, odd)})


def test_cells_to_find_are_compared_within_one_size() -> None:
    """Larger grids have more cells to find and take more effort: that says nothing about the cells."""
    told = [(f"g{size}{i}", size, float(i % 5), 1000.0 * size + i % 2) for size in (25, 36) for i in range(40)]
    found = within_sizes(told)
    assert found is not None and found.low < 0 < found.high
    rising = within_sizes([(group, size, x, 1000 * size + x) for group, size, x, _ in told])
    assert rising is not None and rising.value == pytest.approx(1)
    falling = within_sizes([(group, size, x, 100 * size - x * x) for group, size, x, _ in told])
    assert falling is not None and falling.value == pytest.approx(-1)
    assert within_sizes([("g", 25, 1.0, float(i)) for i in range(9)]) is None
    assert within_sizes([]) is None


def test_links_need_rows_of_one_size() -> None:
    """One row of each size is called a correlation."""
    some = [instance(str(i), f"g{i}", sought=float(i % 7), sat_conflicts=float(i % 7)) for i in range(30)]
    (link,) = links([Instance(**{**_fields(one), "family": "hitori"}) for one in some])
    assert (link.family, link.sought, link.measure, link.rows) == ("hitori", "erased cells", "sat_conflicts", 30)
    assert link.correlation.value == pytest.approx(1)
    assert links([Instance(**{**_fields(one), "family": "hitori", "size": i}) for i, one in enumerate(some)]) == []


def _fields(one: Instance) -> dict[str, object]:
    return {name: getattr(one, name) for name in Instance.__slots__}
