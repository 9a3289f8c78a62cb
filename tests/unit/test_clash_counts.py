"""Clashes cannot be told by counting: what is counted of an unsolvable puzzle is as it is in its parent."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from itertools import permutations
from typing import Any

import pytest

from puzzlemill.core.errors import Discarded
from puzzlemill.core.types import AnyPuzzle, Rule, Spec
from puzzlemill.generators import family_named
from puzzlemill.rules import sight
from puzzlemill.rules.ciphers import looks
from puzzlemill.transforms import transform_of
from strategies import Case, asking, drawn

Pair = tuple[AnyPuzzle, AnyPuzzle]

COUNT_5, SUM_5 = {"size": 5, "clues": 20}, {"size": 5, "hint": "sum", "clues": 20}


def pairs(name: str, params: dict[str, Any], count: int, transform: str = "clash", *rules: str) -> list[Pair]:
    """Puzzles as the factory keeps them, each with its unsolvable child."""
    family = family_named(name)
    case = Case(family, Spec(family.params(**params), tuple([Rule(rule) for rule in rules])))
    change, found = transform_of(family, transform, {}), list[Pair]()
    for number in range(20 * count):
        draft = drawn(case, number)
        if draft is None:
            continue
        with suppress(Discarded):
            child = change.edit(family, draft, case.rng(transform, number), asking(family))
            found.append((draft.puzzle, child.puzzle))
        if len(found) == count:
            return found
    raise AssertionError(f"fewer than {count} clashes of {name} {params}")


def values(puzzle: AnyPuzzle) -> Counter[Any]:
    """How often each clue says its last argument."""
    return Counter([clue.args[-1] for clue in puzzle.clues])


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("sudoku", {"size": 6}),
        ("binario", {"rows": 6, "cols": 6, "givens": 26}),
        ("hitori", {"rows": 5, "cols": 5}),
        ("minesweeper", {}),
        ("skyscraper", COUNT_5),
        ("skyscraper", SUM_5),
    ],
)
def test_every_value_is_shown_as_often_as_before(name: str, params: dict[str, Any]) -> None:
    """A digit that is shown ten times, a 7 among the numbers of mines, a tallest building too many: no more to be seen."""
    made = pairs(name, params, 6, "shallow_clash")
    assert sum(values(parent) == values(child) for parent, child in made) == len(made)


@pytest.mark.parametrize("params", [COUNT_5, SUM_5], ids=["counts", "sums"])
def test_the_hints_of_each_side_could_be_right(params: dict[str, Any]) -> None:
    """Each side of a skyscraper with all its hints says once that the tallest building comes first."""
    n, least = 5, 5 if "hint" in params else 1
    for _, child in pairs("skyscraper", params, 6, "shallow_clash"):
        said = dict([clue.ints() for clue in child.clues])
        for side in range(4):
            assert [said[n * side + k] for k in range(n)].count(least) == 1
        for front in (*range(n), *range(2 * n, 3 * n)):
            assert (said[front], said[front + n]) in sight.facing(n, least == n)


@pytest.mark.parametrize("summed", [False, True], ids=["counts", "sums"])
@pytest.mark.parametrize("n", [4, 5])
def test_which_hints_can_be_is_listed_right(n: int, summed: bool) -> None:
    """Against all ways to put up the buildings of a line."""

    def look(line: tuple[int, ...]) -> int:
        seen = [height for i, height in enumerate(line) if height == max(line[: i + 1])]
        return sum(seen) if summed else len(seen)

    lines = list(permutations(range(1, n + 1)))
    assert sight.facing(n, summed) == {(look(line), look(line[::-1])) for line in lines}
    for k in range(1, n * (n + 1) // 2 + 1):
        assert set(sight.begins(n, k, summed)) == {line[0] for line in lines if look(line) == k}
    assert sight.side_by_side(n, (n if summed else 1,), summed)
    assert not sight.side_by_side(n, (n if summed else 1,) * 2, summed)


@pytest.mark.parametrize(("size", "rules"), [(6, ()), (9, ()), (6, ("diagonals",))], ids=["6x6", "9x9", "6x6 with diagonals"])
def test_unsolvable_sudokus_are_seldom_two_equal_givens(size: int, rules: tuple[str, ...]) -> None:
    """Such a pair is seen without solving anything. It was every second one."""
    family = family_named("sudoku")
    seen = 0
    for _, child in pairs("sudoku", {"size": size, "givens": size * size * 3 // 8}, 6, "shallow_clash", *rules):
        shown = family.clues.in_sight(child)
        assert shown is not None
        seen += bool(family.broken_rules(child, family.form.assemble(child.spec, child.board, tuple(shown)), partial=True))
    assert seen <= 1


def test_samples_look_as_before() -> None:
    """Morse signs beside letters, or a sample that is longer than the other, gave the other method away."""
    for parent, child in pairs("crypto", {"letters": 15, "task": "pairs", "samples": 2}, 8):
        for before, after in zip(parent.clues, child.clues, strict=True):
            plain, old, new = str(before.args[0]), str(before.args[1]), str(after.args[1])
            assert after.args[0] == plain and looks(plain, old) == looks(plain, new)


@pytest.mark.parametrize(("transform", "least"), [("cut", 3), ("deep_clash", 7)])
def test_as_many_paths_lead_to_and_from_every_place(transform: str, least: int) -> None:
    """The place where a cut-off way starts was led to by one path in two more."""
    same = 0
    for parent, child in pairs("navigation", {"places": 10, "paths": 28}, 10, transform):
        ends = [[Counter([path[k] for path in puzzle.board.paths]) for k in (0, 1)] for puzzle in (parent, child)]
        same += ends[0] == ends[1]
    assert same >= least  # where no path that fits comes in from outside, one leads elsewhere
