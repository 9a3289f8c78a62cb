"""Prompts of unsolvable puzzles and of those that they were made from, drawn but not proved, to measure what they tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from puzzlemill.analysis.surface import Seen
from puzzlemill.factory.build import drafts
from puzzlemill.factory.recipe import CANONICAL, Recipe
from puzzlemill.scoring.prompt import FORMATS, prompt

Look = Mapping[str, Any]  # a stratum without its counts


def look(family: str, transform: str = "clash", *rules: str, **params: int | str | bool | list[int]) -> Look:
    variant = {"name": "unsolvable", "transforms": [transform]}
    return {"family": family, "params": params, "rules": list(rules), "variants": [variant], "reply_formats": list(FORMATS)}


# Recipes have shallow clashes of hanoi on 5 and 6 pegs only: on 4 they are known by their looks (docs/design/surface.md).
_RIGHT: dict[str, Any] = {"pegs": [4, 5, 6], "disks": [5, 6, 7], "start": "random", "goal": "random"}
LOOKS: Mapping[str, Look] = {
    "acrostic": look("acrostic", letters=60, spread=10),
    "blood_relations": look("blood_relations", people=6),
    "binario": look("binario", rows=6, cols=8),
    "binario_extra": look("binario", "clash", "distinct", rows=6, cols=8),
    "coding": look("coding"),
    "coding_numbers": look("coding", task="numbers", decode=True),
    "coding_sentences": look("coding", task="sentences", samples=4),
    "coding_sums": look("coding", task="sums", samples=4),
    "crossword": look("crossword", size=5),
    "crossword_10": look("crossword", size=10),
    "crossword_deep": look("crossword", "deep_clash", size=7),
    "crossword_marked": look("crossword", "clash", "marked", size=5),
    "crossword_theme": look("crossword", "shallow_clash", size=7, theme="animal"),
    "crossword_checked": look("crossword", size=5, style="checked", lexicon="known"),
    "crypto": look("crypto", letters=15, task="pairs", samples=2),
    "crypto_deep": look("crypto", "deep_clash", letters=15, task="pairs", samples=2),
    "drop_quote": look("drop_quote", rows=3, cols=22),
    "drop_quote_givens": look("drop_quote", rows=3, cols=20, givens=8),
    "cryptogram": look("cryptogram"),
    "hanoi": look("hanoi", "clash", "right_only", **_RIGHT),
    "hanoi_deep": look("hanoi", "deep_clash", "right_only", **_RIGHT),
    "hanoi_shallow": look("hanoi", "shallow_clash", "right_only", **{**_RIGHT, "pegs": [5, 6]}),
    "hitori": look("hitori", rows=5, cols=6),
    "hitori_deep": look("hitori", "deep_clash", rows=4, cols=4),
    "kakurasu": look("kakurasu", rows=5, cols=6),
    "kumo": look("kumo", truths=6, actions=8, told=True),
    "logic_grid": look("logic_grid", categories=4, items=5),
    "minesweeper": look("minesweeper", rows=9, cols=9, mines=12, opened=50),
    "minesweeper_clusters": look("minesweeper", "clash", "clusters", rows=9, cols=9, mines=12, opened=50),
    "navigation": look("navigation", "cut", places=10, paths=28),
    "navigation_clash": look("navigation", places=10, paths=28),
    "ordering": look("ordering", persons=6),
    "ordering_tied": look("ordering", persons=6, ties=2),
    "seating": look("seating", persons=8),
    "seating_circle": look("seating", shape="circle", persons=8),
    "skyscraper_count": look("skyscraper", size=5, hint="count", clues=20),
    "skyscraper_sum": look("skyscraper", size=5, hint="sum", clues=20),
    "sudoku": look("sudoku", size=9, givens=36),
    "sudoku_minimal": look("sudoku", size=6),
    "zebra": look("zebra", positions=4, attributes=4),
}


def seen(of: Look, groups: int) -> list[Seen]:
    """Rows of so many groups, as readers see them; a group that cannot be drawn is left out."""
    return [row for some in drawn(of, groups) for row in some]


def drawn(of: Look, groups: int, first: int = 0) -> Iterator[list[Seen]]:
    """The rows of each group from this one on; [] of one that cannot be drawn."""
    recipe = Recipe.from_plain({"name": "surface", "seed": "surface", "strata": [{**of, "counts": {"train": groups}}]})
    (stratum,) = recipe.strata
    for index in range(first, groups):
        reply_format = FORMATS[index % len(FORMATS)]
        # groups are told apart by a hash elsewhere; 7919 is prime, so that neighbours fall into different fifths
        group = f"{index * 7919 % 10007:05}"
        puzzles = drafts(recipe, stratum, "train", index)
        yield [Seen(group, name != CANONICAL, prompt(each, reply_format), len(each.clues)) for name, each in puzzles.items()]
