"""Bootstrap intervals, medians and ranks in plain Python: `stats --report` needs no extra.

A resample is a weight for each unit: how often it was drawn. Units are drawn from a fixed stream, so that the same data have the
same intervals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

from puzzlemill.core.rng import stream
from puzzlemill.scoring.metrics import BLOCKS, DRAWS, Z

Weights = Sequence[int]


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


def resamples(name: str, units: int, draws: int) -> Iterator[Weights]:
    """Draw so many resamples, the same for the same name and number of units."""
    rng = stream(name, "bootstrap", units)
    for _ in range(draws):
        weights = [0] * units
        for _ in range(units):
            weights[rng.below(units)] += 1
        yield weights


def percentiles(
    statistic: Callable[[Weights], float | None], units: int, drawn: Iterable[Weights], tail: float = 0.025
) -> Interval:
    """The statistic with its percentile interval. tail: the share of resamples to leave out on each side.

    Resamples in which the statistic has no value do not count; where it has none in any, the interval has no width.
    """
    value = statistic((1,) * units)
    assert value is not None
    found = sorted([other for weights in drawn if (other := statistic(weights)) is not None])
    if not found:
        return Interval(value, value, value)
    cut = min(len(found) // 2, int(tail * len(found)))
    return Interval(value, min(found[cut], value), max(found[-1 - cut], value))


def over_blocks(statistic: Callable[[Weights], float | None], blocks: int) -> Interval:
    """The statistic with its expanded percentile interval over blocks of groups; one of no width where there is one block."""
    return percentiles(statistic, blocks, _drawn(blocks) if blocks > 1 else (), _tail(blocks) if blocks > 1 else 0.0)


def blocks_of(groups: Iterable[str]) -> dict[str, int]:
    """The block of each group, BLOCKS of them at most. Names of groups are hashes: their order is a random one."""
    names = sorted(set(groups))
    return {group: i % BLOCKS for i, group in enumerate(names)}


@lru_cache(maxsize=4)
def _drawn(blocks: int) -> tuple[Weights, ...]:
    return tuple(resamples("complexity", blocks, DRAWS))


@lru_cache(maxsize=256)
def _tail(blocks: int) -> float:
    """The share of resamples to leave out on each side: Phi(-sqrt(n / (n - 1)) * t), t the 97.5 % point with n - 1 degrees."""
    return NormalDist().cdf(-sqrt(blocks / (blocks - 1)) * t_point(blocks - 1))


def t_point(degrees: int) -> float:
    """The 97.5 % point of Student's t (Abramowitz and Stegun, 26.7.5); within 1 % from 4 degrees on."""
    z, v = Z, degrees
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum([term / float(v) ** power for power, term in enumerate(terms, 1)])


def median(values: Sequence[tuple[int, float]], weights: Weights) -> float | None:
    """The median of (block, value) under a weight for each block, in the middle of two where there are two."""
    ordered = sorted([(value, weights[block]) for block, value in values if weights[block]])
    half, seen = sum([weight for _, weight in ordered]) / 2, 0
    for i, (value, weight) in enumerate(ordered):
        seen += weight
        if seen > half:
            return value
        if seen == half:
            return (value + ordered[i + 1][0]) / 2
    return None


def ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value from 1; ties share the mean of theirs."""
    times = Counter(values)
    rank: dict[float, float] = {}
    before = 0
    for value in sorted(times):
        rank[value] = before + (times[value] + 1) / 2
        before += times[value]
    return [rank[value] for value in values]
