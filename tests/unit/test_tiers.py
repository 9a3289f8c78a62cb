"""Tiers by kernels are those of the deducers, and rows without the steps of their deductions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import puzzlemill
from puzzlemill.core.errors import BadParams
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.types import AnyPuzzle, QuestionKind
from puzzlemill.factory.build import drafts
from puzzlemill.factory.recipe import Recipe
from puzzlemill.factory.settings import named_variant
from puzzlemill.generators import family_named
from puzzlemill.solvers import kernels
from puzzlemill.solvers.deduce import grade
from puzzlemill.solvers.engines import Engines


@dataclass(frozen=True)
class Sort:
    """Puzzles to compare: groups in the quick test and in the slow one; known: the least percent that the kernel knows."""

    family: str
    params: dict[str, Any]
    variants: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    quick: int = 4
    slow: int = 200
    known: int = 90

    def __str__(self) -> str:
        return "-".join([self.family, *[f"{name}={value}" for name, value in self.params.items()], *self.rules])


SORTS = (
    Sort("binario", {"rows": 8, "cols": 8}, ("unsolvable", "distinct", "extra_constraint"), quick=10, slow=250),
    Sort("binario", {"rows": [4, 6], "cols": [6, 8], "extras": 3}, ("unsolvable",), known=50),
    Sort("binario", {"rows": 6, "cols": 10}, ("deep_clash",), ("distinct",), slow=250),
    Sort("zebra", {}, ("unsolvable",), quick=10, slow=300, known=20),
    Sort("zebra", {"attributes": [3, 5], "positions": [3, 5]}, quick=6, slow=250, known=30),
    Sort("ordering", {}, quick=10, slow=300, known=55),
    Sort("minesweeper", {"rows": [6, 9], "cols": 9}, ("unsolvable",), quick=10, slow=300, known=30),
    Sort("hitori", {"rows": [5, 8], "cols": [6, 8]}, ("unsolvable",), quick=10, slow=300, known=40),
    Sort("binario", {"rows": 14, "cols": 14}, ("unsolvable",), ("distinct",), quick=1, slow=20, known=20),
    Sort("skyscraper", {"size": 6}, ("unsolvable",), quick=4, slow=100),
    Sort("skyscraper", {"size": [4, 5]}, ("unsolvable", "diagonal_hints"), quick=4, slow=200),
    Sort("skyscraper", {"size": [5, 6], "hint": "sum", "shown": 3}, ("deep_clash",)),
    Sort("skyscraper", {"size": [7, 8], "shown": [12, 20]}, ("unsolvable",), quick=1, slow=10, known=60),
    Sort("sudoku", {"size": 9}, ("unsolvable", "zones"), quick=5, slow=120, known=85),
    Sort("sudoku", {"size": 6}, ("unsolvable", "zones", "diagonals", "nonconsecutive"), quick=5, slow=200),
    Sort("sudoku", {"size": 9, "givens": 40}, ("diagonals", "nonconsecutive"), quick=1, slow=30),
    Sort("sudoku", {"size": 16, "givens": 120}, ("unsolvable",), quick=1, slow=10, known=50),
    Sort("kakurasu", {"rows": 8, "cols": 8}, ("unsolvable",), quick=6, slow=120, known=40),
    Sort("kakurasu", {"rows": [4, 5], "cols": [5, 6]}, ("unsolvable", "hide_hints", "blocked_cells"), slow=250, known=50),
    Sort("kakurasu", {"rows": 8, "cols": 8, "hidden": 4}, ("deep_clash",), ("blocked_cells",), quick=2, slow=60, known=15),
)


def recipe(sort: Sort, **more: Any) -> Recipe:
    stratum = {
        "family": sort.family,
        "params": sort.params,
        "rules": list(sort.rules),
        "variants": [named_variant(name, sort.family) for name in sort.variants],
        "counts": {"train": sort.slow},
        "lopsided": True,
        **more,
    }
    return Recipe.from_plain({"name": "tiers", "seed": "tiers", "strata": [stratum]})


def puzzles(sort: Sort, groups: int) -> Iterator[tuple[AnyFamily, AnyPuzzle]]:
    made = recipe(sort)
    for index in range(groups):
        for puzzle in drafts(made, made.strata[0], "train", index).values():
            yield family_named(puzzle.family), puzzle


def compared(sort: Sort, groups: int) -> Counter[tuple[int, int | None]]:
    """How often the deducer and the kernel find which tiers."""
    found: Counter[tuple[int, int | None]] = Counter()
    for family, puzzle in puzzles(sort, groups):
        engines = Engines(family)
        if puzzle.question.kind is QuestionKind.FORCED:
            backbone = engines.backbone(puzzle)
            answers = () if backbone is None else (backbone,)
        else:
            answers = engines.answers(puzzle, 2)
        assert len(answers) < 2
        answer = family.form.assemble(puzzle.spec, puzzle.board, answers[0]) if answers else None
        graded, table = grade(family, puzzle, answer), family.deduction_table(puzzle)
        assert graded is not None and table is not None
        tier = kernels.tier(table)
        assert tier in (None, graded.tier), f"{tier}, but the deducer finds {graded.tier}: {table}"
        bare = grade(family, puzzle, answer, trace=False)
        assert bare is not None and (bare.tier, bare.band, bare.steps) == (graded.tier, graded.band, ())
        assert bare.score == (None if bare.tier else 0.0)
        found[graded.tier, tier] += 1
    return found


@pytest.mark.parametrize("sort", SORTS, ids=str)
def test_kernels_find_the_deducers_tiers(sort: Sort) -> None:
    """A tier of a row without steps is not the one that its steps would have."""
    assert compared(sort, sort.quick)


@pytest.mark.slow
@pytest.mark.parametrize("sort", SORTS, ids=str)
def test_kernels_find_the_deducers_tiers_of_many(sort: Sort) -> None:
    """The same on thousands of puzzles, of which the kernel knows most."""
    found = compared(sort, sort.slow)
    known = sum(times for (_, tier), times in found.items() if tier is not None)
    assert 100 * known >= sort.known * found.total()


def test_every_table_of_tiers_is_compared() -> None:
    """A new kernel of tiers without a line in SORTS."""
    tables = {type(family.deduction_table(puzzle)) for sort in SORTS for family, puzzle in puzzles(sort, 1)}
    assert set(kernels.TIERS) <= tables


def test_rows_without_a_trace() -> None:
    """trace=False changes more of a row than its steps and score."""
    row, bare = puzzlemill.make("binario", seed="t"), puzzlemill.make("binario", seed="t", trace=False)
    assert bare["trace"] == [] and bare["difficulty"] == {**row["difficulty"], "score": None}
    apart = {"id", "trace", "difficulty", "canary"}
    assert {name: value for name, value in row.items() if name not in apart} == {
        name: value for name, value in bare.items() if name not in apart
    }


def test_a_step_is_not_asked_for_without_steps() -> None:
    """ask=step of a stratum whose rows have no steps; a text for true or false."""
    with pytest.raises(BadParams, match="asks: 'step' asks for a step, and trace: false leaves steps out"):
        puzzlemill.make("binario", trace=False, ask="step")
    with pytest.raises(BadParams, match="trace: expected true or false, got str 'no'"):
        puzzlemill.make("binario", trace="no")  # type: ignore[arg-type]


def test_recipes_that_say_nothing_of_traces_have_their_keys() -> None:
    """The setting changed the key of recipes that leave it as it is."""
    assert "trace" not in recipe(SORTS[0]).to_plain()["strata"][0]
    bare = recipe(SORTS[0], trace=False)
    assert bare.to_plain()["strata"][0]["trace"] is False
    assert Recipe.from_plain(bare.to_plain()) == bare
