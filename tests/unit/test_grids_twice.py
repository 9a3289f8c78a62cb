"""Logic grids in which one item occurs twice: one answer, and no clue that speaks of "the" entity with such an item."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product

import pytest

from puzzlemill.core.errors import BadParams, BadRow
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyDraft, Rule, Spec
from puzzlemill.factory import build
from puzzlemill.generators.logic_grid import FAMILY, Params
from puzzlemill.rules import grids, grids_twice
from puzzlemill.rules.grids_draw import Hidden
from puzzlemill.solvers.engines import Engines

RULE = (Rule(grids_twice.NAME),)


def drawn(params: Params, index: int) -> tuple[AnyDraft, grids.Size]:
    draft = build._draw(FAMILY, Spec(params, RULE), stream("tests", "twice", index), Engines(FAMILY), False)
    return draft, grids.size_of(params.categories, params.items, draft.puzzle.board, grids_twice.SHARED)


def arrangements(size: grids.Size) -> list[tuple[tuple[int, ...], ...]]:
    n = size.items
    rows = list(product(range(n), repeat=n))
    shared = [row for row in rows if sorted(Counter(row).values()) == [*[1] * (n - 2), 2]]
    plain = [row for row in rows if len(set(row)) == n]
    return list(product(shared, *[plain] * (size.categories - 2)))


@pytest.mark.parametrize(
    "params", [Params(3, 3), Params(2, 4, 0), Params(3, 4), Params(4, 3, 2), Params(3, 4, looser=True)], ids=str
)
def test_one_arrangement_of_all_fits(params: Params) -> None:
    """Counted by loops over every arrangement; each clue is needed, and nothing fits if no item occurs twice."""
    for index in range(3):
        draft, size = drawn(params, index)
        clues = [grids.read(clue, size) for clue in draft.puzzle.clues]
        fits = {cells: [Hidden(size, cells).true(said) for said in clues] for cells in arrangements(size)}
        assert [cells for cells, truths in fits.items() if all(truths)] == [draft.answer]
        for k in range(len(clues)):
            assert sum(all(truths[:k] + truths[k + 1 :]) for truths in fits.values()) > 1
        for cells, truths in list(fits.items())[::7]:
            broken = FAMILY.broken_rules(draft.puzzle, cells)
            assert broken == [clue.id for clue, truth in zip(draft.puzzle.clues, truths, strict=True) if not truth]


def test_engines_agree_on_puzzles_with_too_few_clues() -> None:
    """The clauses and the search that knows the plain checker alone: as many answers, and the same."""
    engines = Engines(FAMILY)
    for index in range(6):
        puzzle = drawn(Params(3, 4), index)[0].puzzle
        puzzle = puzzle.with_clues(puzzle.clues[1 + index % 2 :])
        one, two = [engines.finding(puzzle, engine, 10_000) for engine in ("sat", "checker")]
        assert one is not None and two is not None
        assert sorted(one.answers) == sorted(two.answers)
        assert len(one.answers) > 1


def test_what_breaks_the_rule() -> None:
    """A row in which no item is twice, two are, or one stands three times; blanks that cannot be filled."""
    rows = [(0, 1, 2, 3), (0, 0, 1, 1), (0, 0, 0, 1), (0, 0, 1, 2), (0, 0, 1, -1), (0, 1, -1, -1), (0, 0, 1, 1), (2, 2, 2, -1)]
    assert [grids_twice.breaks(row) for row in rows] == [True, True, True, False, False, False, True, True]


def test_no_clue_speaks_of_the_one_that_has_a_shared_item() -> None:
    """ "The kite from Peru" where two are from Peru."""
    size = grids.Size(3, 4, (), grids_twice.SHARED)
    a, b, x, y = (1, 0), (1, 1), (0, 0), (2, 3)
    right = [("is", (a, x)), ("is", (a, y)), ("either_or", (x, a, b)), ("either_or", (a, x, y)), ("pair", (x, y, a, b))]
    wrong = [("either_or", (x, a, y)), ("pair", (x, a, y, b)), ("different", (x, y, a)), ("pair", (x, (0, 1), a, y))]
    for kinds, expected in ((right, True), (wrong, False)):
        assert {grids.describes(grids.stated(kind, items), size) for kind, items in kinds} == {expected}
    with pytest.raises(BadRow, match="where two may have it"):
        grids.read(grids.stated("different", (x, y, a)).clue("k1"), size)
    for index in range(30):
        draft, size = drawn(Params(4, 4), index)
        text = FAMILY.render(draft.puzzle)
        names = draft.puzzle.style.names[1]
        clues = [line for line in text.split("\n") if re.match(r"\d+\. ", line)]
        assert sum(name in line for line in clues for name in names)
        wording = FAMILY.words(draft.puzzle)
        the = [wording.item(size.items + v) for v in range(size.items)]  # type: ignore[attr-defined]
        assert not [line for line in clues for noun in the if noun.casefold() in line.casefold() and noun.startswith("the ")]


def test_the_text_form() -> None:
    """A category that stands elsewhere, or none; two of them; one of numbers."""
    text = """logic_grid
kite: Zephyr, Hopper, Hummer
material: canvas, nylon, silk
country: Peru, Chile, Spain
twice(country)
is(Zephyr, Peru)
is(nylon, Peru)
is_not(Zephyr, nylon)
either_or(canvas, Hopper, Hummer)
is_not(canvas, Chile)
is(Hopper, nylon)
"""
    puzzle = FAMILY.text.parse(lines_of(text))
    assert puzzle.style.symbols[:3] == ("kite", "country", "material")
    assert Engines(FAMILY).answers(puzzle, 3) == ((0, 0, 2, 2, 1, 0),)
    assert FAMILY.text.parse(lines_of(FAMILY.text.format(puzzle))) == puzzle
    for wrong, message in (
        ("twice(kite)", "expected the title of a category but the first one"),
        ("twice(country)\ntwice(material)", "one category has an item twice"),
        ("twice(country)\ndifferent(Peru, Zephyr, nylon)", "but two may have it"),
    ):
        with pytest.raises(BadRow, match=message):
            FAMILY.text.parse(lines_of(text.replace("twice(country)", wrong)))


def test_what_does_not_go_with_it_is_refused() -> None:
    for params in (Params(5, 6), Params(2, 4), Params(3, 4, 2), Params(3, 3, implication=True)):
        with pytest.raises(BadParams, match="rules: twice"):
            FAMILY.validate(Spec(params, RULE))
    with pytest.raises(BadParams, match="does not go with twice"):
        FAMILY.validate(Spec(Params(3, 3), (Rule("false_clue"), *RULE)))
