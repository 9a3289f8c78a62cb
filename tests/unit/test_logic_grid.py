"""Logic grids: kinds of clues in model, kernel and checker; symmetry; the mix of clues; what changes keep; the text form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Any

import pytest

from puzzlemill.core.errors import Discarded
from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import GRID_COMPOSITES, GRID_RELATIONS
from puzzlemill.core.rng import stream
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Clue, Spec
from puzzlemill.factory import build
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.generators.logic_grid import FAMILY as LOGIC_GRID
from puzzlemill.generators.logic_grid import Params
from puzzlemill.rules.grids import Scales
from puzzlemill.solvers import kernels
from puzzlemill.solvers.engines import Engines
from strategies import model_answers

FAMILY: AnyFamily = LOGIC_GRID
BUDGET = 1_000_000
UNEVEN = Scales(((0, 2, 5),))
Said = tuple[str, tuple[Any, ...]]


def statements(m: int, n: int, numbers: Sequence[int]) -> list[Said]:
    """Every plain statement about items of m categories, the last of which is a scale, but for neither, pair and different."""
    items = list(product(range(m), range(n)))
    gaps = sorted({b - a for a, b in combinations(numbers, 2)})
    found: list[Said] = []
    for one, two in permutations(items, 2):
        found += [(kind, (*one, *two)) for kind in ("is", "is_not")]
        found.append(("before", (*one, *two, 0)))
        found += [(kind, (*one, *two, 0, d)) for kind in ("exactly", "apart", "at_least") for d in gaps]
    return found


def longer(m: int, n: int, many: int) -> list[Said]:
    """Random statements about three items and more, and composites."""
    rng, items = stream("logic_grid tests", "longer", m, n), list(product(range(m), range(n)))
    found: list[Said] = []
    short = statements(m, n, (0, 2, 5))
    for _ in range(many):
        kind = rng.pick(("either_or", "neither", "pair", "different", "between", *GRID_COMPOSITES))
        if kind in GRID_COMPOSITES:
            parts = rng.sample(short, 3 if kind == "one_of" else 2)
            found.append((kind, tuple((part, *args) for part, args in parts)))
            continue
        count = {"pair": 4, "different": rng.between(3, 5)}.get(kind, 3)
        flat = [part for item in rng.sample(items, count) for part in item]
        found.append((kind, (*flat, *[0] * (kind == "between"))))
    return found


@lru_cache(maxsize=64)
def drawn(index: int, *params: int, **asked: bool) -> AnyDraft:
    """A finished draft."""
    spec = Spec(Params(*params, **asked))
    FAMILY.validate(spec)
    return build._draw(FAMILY, spec, stream("logic_grid tests", index, str(spec)), Engines(FAMILY), False)


def bare(m: int = 3, n: int = 3, board: Scales = UNEVEN) -> AnyPuzzle:
    return FAMILY.puzzle(Spec(Params(m, n, len(board.numbers))), (), board)


# ---- meaning -------------------------------------------------------------------------------------------------------------


def test_every_clue_has_one_truth_table() -> None:
    """Model, kernel and checker disagree about what some clue says, with steps of a scale that are not even."""
    puzzle = bare()
    rows = list(product(permutations(range(3)), repeat=2))
    kinds = set()
    for kind, args in (*statements(3, 3, (0, 2, 5))[::5], *longer(3, 3, 120)):
        kinds.add(kind)
        one = puzzle.with_clues([Clue("k1", kind, args)])
        by_checker = {tuple(v for row in cells for v in row) for cells in rows if not FAMILY.broken_rules(one, cells)}
        finding = kernels.answers(FAMILY.table(one), len(rows) + 1, BUDGET)
        assert set(finding.answers) == by_checker, (kind, args)
        assert model_answers(FAMILY, one, len(rows) + 1) == by_checker, (kind, args)
    assert kinds == set(GRID_RELATIONS)


def test_two_scales_are_compared_each_by_its_own_numbers() -> None:
    """A comparison that takes the other scale's numbers, or the places of items for their numbers."""
    puzzle = bare(3, 4, Scales(((0, 1, 2, 10), (0, 5, 7, 8))))
    for clue, right in (
        (Clue("k1", "exactly", (0, 0, 0, 1, 0, 8)), {(2, 3)}),
        (Clue("k1", "exactly", (0, 0, 0, 1, 1, 8)), {(0, 3)}),
        (Clue("k1", "apart", (0, 0, 0, 1, 1, 2)), {(1, 2), (2, 1)}),
        (Clue("k1", "at_least", (0, 0, 0, 1, 0, 9)), {(0, 3), (1, 3)}),
    ):
        row = 0 if clue.args[4] == 0 else 4
        found = kernels.answers(FAMILY.table(puzzle.with_clues([clue])), 1000, BUDGET).answers
        assert {(values[row], values[row + 1]) for values in found} == right


# ---- symmetry ------------------------------------------------------------------------------------------------------------


def key(said: Sequence[Said], board: Scales = UNEVEN) -> str:
    return canonical_key(FAMILY, bare(3, 3, board).with_clues([Clue(f"k{i}", *one) for i, one in enumerate(said)]))


def test_renamed_and_turned_puzzles_have_one_key() -> None:
    """The same puzzle by other names, in other units or with its scale the other way round comes out twice in a release."""
    base = [("is", (0, 0, 1, 1)), ("exactly", (0, 1, 1, 2, 0, 2)), ("before", (0, 0, 0, 2, 0))]
    renamed = [("is", (0, 2, 1, 0)), ("exactly", (0, 0, 1, 1, 0, 2)), ("before", (0, 2, 0, 1, 0))]
    exchanged = [("is", (1, 0, 0, 1)), ("exactly", (1, 1, 0, 2, 0, 2)), ("before", (1, 0, 1, 2, 0))]
    turned = [("is", (0, 0, 1, 1)), ("exactly", (1, 2, 0, 1, 0, 2)), ("before", (0, 2, 0, 0, 0))]
    wider = [(kind, (*args[:-1], 20) if kind == "exactly" else args) for kind, args in base]
    assert key(base) == key(renamed) == key(exchanged) == key(base[::-1])
    assert key(base) == key(turned, Scales(((0, 3, 5),))) == key(wider, Scales(((0, 20, 50),)))
    for other in (turned, [*base[:2], ("before", (0, 2, 0, 0, 0))], [*base[:2], ("before", (0, 0, 1, 2, 0))]):
        assert key(other) != key(base)
    assert key(base, Scales(((0, 2, 4),))) != key(base)


def test_places_in_a_clue_are_told_apart() -> None:
    """Which item of an either-or is the one, and which two of a pair belong to one side."""
    assert key([("either_or", (0, 0, 1, 1, 2, 2))]) != key([("either_or", (2, 2, 0, 0, 1, 1))])
    assert key([("pair", (0, 0, 0, 1, 1, 0, 1, 1))]) != key([("pair", (0, 0, 1, 0, 0, 1, 1, 1))])
    one = [("if", (("is", 0, 0, 1, 1), ("is", 0, 0, 1, 2)))]
    assert key(one) != key([("if", (("is", 0, 0, 1, 1), ("is_not", 0, 0, 1, 2)))])


# ---- drawing -------------------------------------------------------------------------------------------------------------


def test_clues_have_a_mix_of_kinds() -> None:
    """One kind makes up most of the clues, or a kind is never needed; what an entity has is told outright too often."""
    kinds = Counter(clue.kind for index in range(60) for clue in drawn(index, 4, 5).puzzle.clues)
    shares = {kind: count / kinds.total() for kind, count in kinds.items()}
    plain = set(GRID_RELATIONS) - set(GRID_COMPOSITES)
    assert plain <= set(shares)
    assert max(shares.values()) < 0.25, shares
    assert all(shares[kind] > 0.01 for kind in plain), shares
    assert 0.04 < shares["is"] < 0.09


def test_two_scales_are_compared_in_one_clue_at_times() -> None:
    """Two units, no clue of which speaks of both."""
    assert any(clue.kind == "both" for index in range(12) for clue in drawn(index, 4, 5, 2).puzzle.clues)


def test_looser_clues_say_nothing_outright() -> None:
    for index in range(4):
        kinds = {clue.kind for clue in drawn(index, 4, 4, looser=True).puzzle.clues}
        assert not kinds & {"is", "pair", "exactly", "apart"}


@pytest.mark.parametrize(("name", "kind"), [("one_of_three", "one_of"), ("implication", "if"), ("exclusive_or", "either")])
def test_composites_are_there_if_asked_for(name: str, kind: str) -> None:
    for index in range(6):
        try:
            clues = drawn(index, 4, 4, **{name: True}).puzzle.clues
        except Discarded:
            continue
        assert sum(clue.kind == kind for clue in clues) >= 2


def test_the_number_of_clues_can_be_wanted() -> None:
    """Bands can have as many clues each, so that the number does not tell the band."""
    found = 0
    for index in range(40):
        try:
            found += len(drawn(index, 3, 4, 1, 5).puzzle.clues) == 5
        except Discarded:  # another number
            continue
    assert found >= 5


def test_spare_clues_are_true_and_not_needed() -> None:
    """Clues that a recipe asks for beyond those that are needed: one of them is false, said twice, or clashes by its id."""
    for index in range(6):
        draft = drawn(index, 4, 4, 1, 0, 3)
        clues = draft.puzzle.clues
        assert not FAMILY.broken_rules(draft.puzzle, draft.answer)
        assert len({clue.id for clue in clues}) == len({(clue.kind, clue.args) for clue in clues}) == len(clues)
        kept = Engines(FAMILY).minimize(draft.puzzle, range(len(clues)), 0)
        assert len(clues) - 4 <= len(kept) + 1 <= len(clues)  # those beyond may stand in for one another


def test_the_capacity_of_the_smallest_class() -> None:
    """A small class is used in one split only, and more of it is not promised than there is: draws come to all minimal sets."""
    spec = Spec(Params(2, 3, 0))
    keys = set()
    for index in range(4000):
        draft = build._draw(FAMILY, spec, stream("logic_grid tests", "small", index), Engines(FAMILY), False)
        keys.add(canonical_key(FAMILY, draft.puzzle))
    assert len(keys) == FAMILY.small.puzzles(spec)


# ---- changes -------------------------------------------------------------------------------------------------------------


def test_exchanges_keep_what_can_be_counted() -> None:
    """Unsolvable children are made of these first: a kind, an item or a number that is there more often would tell them."""

    def counts(puzzle: AnyPuzzle) -> list[Counter[Any]]:
        every = FAMILY.clues.all(puzzle)  # type: ignore[attr-defined]
        parts = [part for said in every for part in said.parts or (said,)]
        return [
            Counter(said.kind for said in every),
            Counter(item for part in parts for item in part.items),
            Counter((part.scale, part.number) for part in parts),
        ]

    for params, least in (((4, 5), 30), ((3, 4, 2), 2)):
        puzzle = drawn(0, *params).puzzle
        changed = list(FAMILY.clues.exchanges(puzzle, stream("logic_grid tests", "exchanges")))
        assert len(changed) > least
        assert all(counts(each) == counts(puzzle) and each.clues != puzzle.clues for each in changed)
        assert len({each.clues for each in changed}) > 0.9 * len(changed)


def test_the_printed_bound_stands_beside_the_number_of_answers() -> None:
    """(4!)^6 is no number of answers of 4x7, and no figure of ours; other sizes are not in the table."""
    found = {}
    for size in ((3, 4), (4, 4), (4, 5), (4, 6), (4, 7)):
        spec = Spec(Params(*size))
        puzzle = FAMILY.puzzle(spec, (), Scales((tuple(range(size[1])),)))
        found[size] = (round(10 ** FAMILY.search_space_log10(puzzle)), FAMILY.paper_bound(puzzle))
    assert found == {
        (3, 4): (24**2, ""),
        (4, 4): (24**3, "(4!)^3"),
        (4, 5): (120**3, "(4!)^4"),
        (4, 6): (720**3, "(4!)^5"),
        (4, 7): (5040**3, "(4!)^6"),
    }


# ---- text ----------------------------------------------------------------------------------------------------------------


def test_the_text_form_has_other_words_for_some_kinds() -> None:
    """People say after and at most; a scale that is the only one need not be named; items may be told by their category."""
    text = """logic_grid
person: Ana, Bo, Cy
pet: cat, dog, Ana
start (minutes): 7:30 pm = 450, 8:00 pm = 480, 8:10 pm = 490
"""
    for one, two in (
        ("after(Bo, Cy)", "before(Cy, Bo, start)"),
        ("at_most(Bo, Cy, 10)", "at_least(Cy, Bo, start, 10)"),
        ("is( person = ana , cat )", "is(cat, person=Ana)"),
        ("before(pet=Ana, Bo, START)", "before(pet=Ana, Bo)"),
    ):
        read = [FAMILY.text.parse(lines_of(text + line)) for line in (one, two)]
        assert read[0] == read[1]
        assert read[0].board == Scales(((0, 30, 40),))
        assert FAMILY.text.parse(lines_of(FAMILY.text.format(read[0]))) == read[0]


def test_numbers_are_read_off_where_they_can_be() -> None:
    """A scale whose names do not show its numbers would be read back with others."""
    draft = drawn(0, 3, 3)
    assert " = " not in FAMILY.text.format(style(draft, ("$5", "$7", "$10"), (0, 2, 5)))
    odd = style(draft, ("5 am", "noon", "2 pm"), (0, 7, 9))
    assert "5 am = 0, noon = 7, 2 pm = 9" in FAMILY.text.format(odd)


def style(draft: AnyDraft, names: tuple[str, ...], numbers: tuple[int, ...]) -> AnyPuzzle:
    """The puzzle without clues, in names of its own."""
    puzzle = draft.puzzle.with_clues(())
    named = replace(puzzle.style, theme="", symbols=("a", "b", "c", "unit"), names=(*puzzle.style.names[:2], names))
    return replace(puzzle, board=Scales((numbers,)), style=named)
