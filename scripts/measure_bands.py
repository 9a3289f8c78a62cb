"""Bands of logic grids of one size, and how well their prompts tell them: `python scripts/measure_bands.py 4 5 --draws 3000`.

Prints the share of each band with its clues and steps; then of each two bands, matched on the number of clues and of scales (as
many puzzles of each number in both), the AUC of readers that see length, counts or grams (puzzlemill/analysis/surface.py), which
were trained on others; then the techniques beyond tiers 1 and 2 of the matched puzzles. Only puzzles with a
clue that leaves a choice are matched, as strata that state a number of clues have no others.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import mean
from typing import NamedTuple

from puzzlemill.analysis.surface import READERS, Bag, Seen, differing, told
from puzzlemill.core.errors import Discarded
from puzzlemill.core.rng import stream
from puzzlemill.core.types import Spec
from puzzlemill.factory.build import _draw
from puzzlemill.generators.logic_grid import CHOICES, FAMILY, Params
from puzzlemill.solvers.deduce import grade
from puzzlemill.solvers.deduce.grids import TECHNIQUES
from puzzlemill.solvers.engines import Engines

BANDS = ("easy", "medium", "hard")


class Drawn(NamedTuple):
    """A puzzle with its band."""

    band: str
    scales: int
    clues: int
    steps: int
    choice: bool
    techniques: frozenset[str]
    prompt: str


def drawn(categories: int, items: int, scales: Sequence[int], draws: int) -> Iterator[Drawn]:
    """So many puzzles, with each of these numbers of scales in turn."""
    engines = Engines(FAMILY)
    for index in range(draws):
        params = Params(categories, items, scales[index % len(scales)])
        try:
            draft = _draw(FAMILY, Spec(params), stream("bands", categories, items, index), engines, False)
        except Discarded:
            continue
        graded = grade(FAMILY, draft.puzzle, draft.answer)
        assert graded is not None
        names = frozenset(step.technique for step in graded.steps if TECHNIQUES[step.technique] > 2)
        prompt = FAMILY.render(draft.puzzle)
        choice = any(clue.kind in CHOICES for clue in draft.puzzle.clues)
        yield Drawn(graded.band, params.scales, len(draft.puzzle.clues), len(graded.steps), choice, names, prompt)


def length(row: Seen) -> Bag:
    """Characters, words and clues alone."""
    return {"length": len(row.prompt), "words": len(row.prompt.split()), "clues": row.clues}


def matched(one: Sequence[Drawn], two: Sequence[Drawn]) -> tuple[list[Drawn], list[Drawn]]:
    """As many of each number of clues and scales in both, the first ones."""
    many = [Counter([(row.scales, row.clues) for row in rows]) for rows in (one, two)]
    found: tuple[list[Drawn], list[Drawn]] = ([], [])
    for rows, kept in zip((one, two), found, strict=True):
        left = many[0] & many[1]
        for row in rows:
            if left[row.scales, row.clues]:
                left[row.scales, row.clues] -= 1
                kept.append(row)
    return found


def main() -> None:
    """Measure one size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("categories", type=int)
    parser.add_argument("items", type=int)
    parser.add_argument("--scales", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--draws", type=int, default=1_000)
    options = parser.parse_args()
    rows = list(drawn(options.categories, options.items, options.scales, options.draws))
    print(f"{options.categories}x{options.items}, {len(rows)} puzzles")
    for band in BANDS:
        mine = [row for row in rows if row.band == band]
        if mine:
            figures = f"{mean(row.clues for row in mine):.1f} clues, {mean(row.steps for row in mine):.0f} steps"
            print(f"{band}: {100 * len(mine) / len(rows):.0f} %, {figures}")
    for one, two in combinations(BANDS, 2):
        low, high = matched(*[[row for row in rows if row.band == band and row.choice] for band in (one, two)])
        seen = [Seen(str(i), row.band == two, row.prompt, row.clues) for i, row in enumerate([*low, *high])]
        auc = told("logic_grid", seen, {"length": length, "counts": READERS["counts"], "grams": READERS["grams"]}).readers
        shown = [f"{name} {each.value:.2f} ({each.low:.2f} to {each.high:.2f})" for name, each in auc.items()]
        print(f"{one}, {two}: {len(low)} of each; {', '.join(shown)}")
        if not low:
            continue
        print(f"  differ: {', '.join([f'{name!r} {apart:+.2f}' for name, apart in differing(seen, READERS['grams'])])}")
        every = Counter(name for row in high for name in row.techniques)
        print(f"  {two}: {', '.join([f'{name} {100 * many / len(high):.0f}' for name, many in every.most_common()])}")


if __name__ == "__main__":
    main()
