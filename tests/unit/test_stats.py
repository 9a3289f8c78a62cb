"""Figures over rows: rank correlations, spreads and the evenness of answers, against numbers worked out by hand."""

from __future__ import annotations

from itertools import permutations

import pytest

from puzzlemill.analysis.stats import Answers, Spread, correlations, even_limit, spearman
from puzzlemill.core.rng import stream


def test_spearman_by_hand() -> None:
    """The coefficient is Pearson's of the raw values, or ties are ranked as they come."""
    assert spearman([(1, 10), (2, 20), (3, 4000)]) == 1.0
    assert spearman([(1, 3), (2, 2), (3, 1)]) == -1.0
    # ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: 1 - differences over the mean 2.5: (2.25 + 0 + 0 + 2.25) / sqrt(4.5 * 5)
    assert spearman([(1, 1), (2, 2), (2, 3), (9, 4)]) == round(4.5 / (4.5 * 5) ** 0.5, 3)
    assert spearman([(1, 5), (1, 6), (1, 7)]) is None
    assert spearman([(1, 5), (2, 6)]) is None


def test_spearman_is_the_textbook_formula_without_ties() -> None:
    """1 - 6 * sum of squared differences / (n (n**2 - 1)) holds no longer."""
    for ranks in permutations(range(5)):
        squares = sum((a - b) ** 2 for a, b in enumerate(ranks))
        assert spearman([(a, b * b) for a, b in enumerate(ranks)]) == pytest.approx(1 - 6 * squares / 120, abs=5e-4)


def test_correlations_pass_over_what_was_not_measured() -> None:
    """A row without one figure is taken as zero."""
    rows = [(1, 1.0, 1, 5, None), (2, 2.0, 2, 6, 1), (3, 3.0, 3, 7, None), (4, 4.0, 4, None, 2)]
    assert correlations(rows) == {
        "tier": {"nodes": 1.0, "sat_conflicts": 1.0, "smt_conflicts": None},
        "score": {"nodes": 1.0, "sat_conflicts": 1.0, "smt_conflicts": None},
    }


def test_spread() -> None:
    """Median and mean are those of the different values instead of all, or nothing divides by zero."""
    spread = Spread()
    assert (str(spread), spread.to_json()) == ("-", None)
    for value in (4, 1, 1, 2.5, None):
        spread.add(value)
    assert str(spread) == "1 / 1 / 4"
    assert spread.to_json() == {"n": 4, "least": 1, "median": 1, "mean": 2.125, "greatest": 4}


def test_answers() -> None:
    """Equal answers count as different ones, or shares are not of the rows."""
    some = Answers((2, 3))
    for text, values in (("a", (0, 2)), ("b", (1, 2)), ("a", (0, 2)), ("c", (0, 1))):
        some.add(text, values)
    assert (some.rows, len(some.distinct), some.largest()) == (4, 3, 0.75)
    routes = Answers(())
    routes.add("a", ())
    assert (routes.largest(), routes.even()) == (None, None)


def test_the_limit_of_even_draws_by_hand() -> None:
    """P(more than c of n tosses) is summed wrongly."""
    assert even_limit(3, 2, 1) == 3  # three equal: 1/8
    assert even_limit(5, 2, 1) == 4  # five: 1/32; four or more: 6/32
    assert even_limit(5, 2, 2) == 5  # 2/32 is not below 0.05
    assert even_limit(10, 1, 1) == 10
    assert even_limit(1000, 9, 729) < 1000 * (1 / 9 + 0.06)


def test_even_draws_stay_within_the_limit() -> None:
    """Even answers are called uneven more often than once in twenty, or uneven ones pass."""
    rng = stream("tests", "stats")
    beyond = 0
    for _ in range(60):
        some = Answers((4,) * 10)
        for i in range(100):
            some.add(str(i), [rng.below(4) for _ in range(10)])
        largest, limit = some.largest(), some.even()
        assert largest is not None and limit is not None
        beyond += largest > limit
    assert beyond <= 6
    uneven = Answers((4,) * 10)
    for i in range(100):
        uneven.add(str(i), [0 if rng.chance(1, 2) else rng.below(4) for _ in range(10)])
    largest, limit = uneven.largest(), uneven.even()
    assert largest is not None and limit is not None and largest > limit
