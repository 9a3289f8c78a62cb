"""Binario: which grids count, which puzzles are the same, how many there are, and what is said of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from math import log10, sqrt
from xml.etree import ElementTree

import numpy as np
import pytest

from puzzlemill.core.codec import dumps
from puzzlemill.core.family import Pairing
from puzzlemill.core.form import Grid
from puzzlemill.core.model import BLANK
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.types import AnyDraft, AnyPuzzle, Clue, Depth, Draft, Kind, NoBoard, Rule, Spec, Style
from puzzlemill.generators.binario import FAMILY, Params
from puzzlemill.rules.lines import KINDS
from puzzlemill.solvers import kernels
from puzzlemill.solvers.engines import Engines
from strategies import Reference, model_answers

ASK = Engines(FAMILY)
DISTINCT = (Rule("distinct"),)


def blank(rows: int, cols: int, rules: tuple[Rule, ...] = (), givens: int = 0) -> AnyPuzzle:
    spec = Spec(Params(rows, cols, givens), rules)
    FAMILY.validate(spec)
    zeros = tuple((0,) * cols for _ in range(rows))
    return FAMILY.make_puzzle(spec, zeros, stream("tests", "binario")).puzzle.with_clues(())


def made(spec: Spec[Params], index: int) -> tuple[AnyPuzzle, Grid]:
    """A puzzle as the factory makes it, and its answer."""
    rng = stream("tests", "binario", dumps(spec), index)
    grid = FAMILY.sample_solution(spec, rng.child("fill"), ASK)
    return posed(spec, grid, rng).puzzle, grid


def posed(spec: Spec[Params], hidden: Grid, rng: Rng) -> AnyDraft:
    """A grid's puzzle as the factory makes it."""
    draft = FAMILY.make_puzzle(spec, hidden, rng.child("pose"))
    kept = ASK.minimize(draft.puzzle, FAMILY.clues.removal_order(draft, rng.child("thin")), FAMILY.clues.kept(spec))
    draft = replace(draft, puzzle=draft.puzzle.with_clues([draft.puzzle.clues[i] for i in kept]))
    return FAMILY.clues.finish(draft, rng.child("finish"), ASK)


def grid(text: str) -> Grid:
    return tuple(tuple(BLANK if v == "." else int(v) for v in row) for row in text.split())


# ---- which grids count ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cols", "rules", "count"), [(4, (), 90), (4, DISTINCT, 72), (6, (), 642), (6, DISTINCT, 96)])
def test_grids_of_4_rows_are_as_many_as_is_known(cols: int, rules: tuple[Rule, ...], count: int) -> None:
    """A rule too many or too few in model, kernel and checker alike; that these agree is in the contract suite."""
    assert len(kernels.answers(FAMILY.table(blank(4, cols, rules)), 10_000, 100_000).answers) == count


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("0110 1001 0011 1100", []),
        ("0011 1100 0011 1100", ["distinct"]),
        ("0110 1001 0110 1001", ["distinct"]),
        ("0111 1001 0011 1100", ["balance", "triples"]),
        ("1111 0000 1111 0000", ["balance", "triples", "distinct"]),
        ("0101 0101 0101 1010", ["balance", "triples", "distinct"]),
    ],
)
def test_broken_rules_are_named(text: str, broken: list[str]) -> None:
    """A verdict that blames the wrong rule misleads whoever reads it."""
    assert FAMILY.broken_rules(blank(4, 4, DISTINCT), grid(text)) == broken
    assert FAMILY.broken_rules(blank(4, 4), grid(text)) == [name for name in broken if name != "distinct"]


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("...... ...... ...... ......", []),
        ("01.01. 0..... 1..... ......", []),
        ("0.0.0. ...... ...... ......", []),
        ("0.00.0 ...... ...... ......", ["balance"]),
        ("..000. ...... ...... ......", ["triples"]),
        ("..0... ..0... ..0... ......", ["balance", "triples"]),
        ("010101 ...... 010101 ......", ["distinct"]),
        ("010101 ...... 01010. ......", []),
        ("01.... 10.... 01.... 10....", []),
        ("0..0.. 1..1.. 1..1.. 0..0..", ["distinct"]),
    ],
)
def test_a_partial_grid_is_blamed_only_for_what_no_filling_mends(text: str, broken: list[str]) -> None:
    """The checker-driven search prunes by this: blame too early loses answers, blame too late never ends."""
    assert FAMILY.broken_rules(blank(4, 6, DISTINCT), grid(text), partial=True) == broken


def test_blanks_and_other_digits_are_no_answer() -> None:
    """A checker that only sums and looks for triples lets a 2 stand for a 0 and a 2, or for a 1 and a 1 (seen in peers)."""
    puzzle = blank(4, 4)
    for text in ("0011 0200 1001 1010", "0110 1001 0011 110.", "0110 1001 0011 1102"):
        assert FAMILY.broken_rules(puzzle, grid(text)) == ["malformed"]
    assert FAMILY.broken_rules(puzzle, grid("0011 0200 1001 1010"), partial=True) == ["malformed"]
    for shape in ("0110 1001 0011", "011 100 001 110", "0110 1001 0011 1100 0110", "0110 1001 0011 11001"):
        assert FAMILY.broken_rules(puzzle, grid(shape)) == ["malformed"]


def test_a_broken_given_is_named_by_its_cell() -> None:
    """Legal grids that contradict a given are wrong: the clue's id says where."""
    puzzle, answer = made(Spec(Params(6, 8), DISTINCT), 0)
    turned = tuple(tuple(1 - v for v in row) for row in answer)
    broken = FAMILY.broken_rules(puzzle, turned)
    assert broken == [clue.id for clue in puzzle.clues]
    cell = puzzle.clues[0].ints()[0]
    assert broken[0] == f"r{cell // 8 + 1}c{cell % 8 + 1}"


# ---- making ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(4, 6), (6, 14), (14, 6), (8, 20), (20, 20)])
def test_the_most_extreme_sizes_have_grids(size: tuple[int, int]) -> None:
    """validate lets these pass under distinct lines, so that fill must find grids: 6x14 needs every legal column once."""
    spec = Spec(Params(*size), DISTINCT)
    FAMILY.validate(spec)
    drawn = FAMILY.sample_solution(spec, stream("tests", "binario", "extreme", *size), ASK)
    assert FAMILY.broken_rules(blank(*size, DISTINCT), drawn) == []


def test_every_legal_6x6_grid_can_be_drawn() -> None:
    """3,000 draws of 11,222 grids: an even draw shows 2,632 different ones; generators that permute one grid show 98."""
    spec = Spec(Params(6, 6))
    drawn = {FAMILY.sample_solution(spec, stream("tests", "binario", "draw", i), ASK) for i in range(3_000)}
    few = (1 - 1 / 11_222) ** 3_000
    expected = 11_222 * (1 - few)
    spread = sqrt(11_222 * (11_221 * (1 - 2 / 11_222) ** 3_000 + few - 11_222 * few * few))
    assert int(expected) == 2_632
    assert abs(len(drawn) - expected) <= 5 * spread


@pytest.mark.parametrize("params", [Params(6, 8), Params(8, 6, 20), Params(8, 6, 47), Params(10, 12)])
def test_givens_are_as_many_as_asked_for(params: Params) -> None:
    """givens is where leaving out stops; 0 leaves a minimal set, whose every clue is needed."""
    for rules in ((), DISTINCT):
        puzzle, answer = made(Spec(params, rules), 1)
        assert model_answers(FAMILY, puzzle, 2) == {FAMILY.form.values(puzzle.spec, NoBoard(), answer)}
        if params.givens:
            assert len(puzzle.clues) == params.givens
            continue
        for clue in puzzle.clues:
            fewer = puzzle.with_clues([other for other in puzzle.clues if other != clue])
            assert len(model_answers(FAMILY, fewer, 2)) == 2


def test_a_flipped_given_never_makes_a_minimal_puzzle_unsolvable() -> None:
    """What the docstring of alternatives() says; an added given can."""
    puzzle, _ = made(Spec(Params(6, 8)), 5)
    rng = stream("tests", "binario", "flip")
    for i, clue in enumerate(puzzle.clues):
        (flipped,) = FAMILY.clues.alternatives(puzzle, clue, rng)
        assert flipped == replace(clue, args=(clue.args[0], 1 - clue.ints()[1]))
        assert ASK.count(puzzle.with_clues([*puzzle.clues[:i], flipped, *puzzle.clues[i + 1 :]]), 1) == 1
    more = list(FAMILY.clues.additions(puzzle, rng))
    assert len(more) == 2 * (48 - len(puzzle.clues))
    counts = Counter(ASK.count(puzzle.with_clues([*puzzle.clues, clue]), 2) for clue in more)
    assert counts == {0: len(more) // 2, 1: len(more) // 2}


# ---- extra constraints ----------------------------------------------------------------------------------------------


ALL_KINDS = [
    ("same", (5, 18), "Row 1 column 6 and row 4 column 1 hold the same digit."),
    ("differ", (5, 18), "Row 1 column 6 and row 4 column 1 hold different digits."),
    ("lines_same", (0, 1, 3), "Rows 2 and 4 are the same."),
    ("lines_differ", (1, 0, 5), "Columns 1 and 6 are not the same."),
    ("lines_opposite", (0, 1, 3), "Row 4 is row 2 with 0 and 1 swapped."),
    ("lines_mirrored", (1, 2, 3), "Column 4 read from bottom to top is the same as column 3 read from top to bottom."),
    ("lines_mirrored", (0, 2, 2), "Row 3 reads the same from left to right and from right to left."),
    ("count", (1, 2, 2, 4, 4), "In the block in rows 2 to 3 and columns 3 to 5, exactly four cells hold 1."),
    ("diagonal", (0, 1), "On the diagonal from the top left corner to the bottom right corner, exactly one cell holds 1."),
    ("diagonal", (1, 0), "On the diagonal from the top right corner to the bottom left corner, no cell holds 1."),
    ("parity", (1, 2, 2, 4, 1), "In the block in rows 2 to 3 and columns 3 to 5, the number of cells that hold 1 is odd."),
    (
        "more",
        (0, 1, 1, 3, 4, 0),
        "More cells hold 1 in the block in rows 1 to 2 and columns 2 to 4 than in the block in rows 5 to 6 and columns 1 to 3.",
    ),
    ("greater", (0, 3, 1, 0), "Rows 2 and 4 are not the same: read from left to right, row 4 holds 1 where they first differ."),
    (
        "greater",
        (1, 0, 1, 1),
        "Columns 1 and 2 are not the same: read from bottom to top, column 1 holds 1 where they first differ.",
    ),
]


def says(kind: str, args: tuple[int, ...], g: Grid) -> bool:
    """What the words say, cell by cell: written apart from everything in the family."""
    rows, cols = len(g), len(g[0])

    def cell(i: int) -> int:
        return g[i // cols][i % cols]

    def line(axis: int, i: int) -> list[int]:
        return [g[i][c] for c in range(cols)] if axis == 0 else [g[r][i] for r in range(rows)]

    def ones(top: int, left: int, bottom: int, right: int) -> int:
        return sum(g[r][c] for r in range(rows) for c in range(cols) if top <= r <= bottom and left <= c <= right)

    if kind in ("same", "differ"):
        return (cell(args[0]) == cell(args[1])) == (kind == "same")
    if kind in ("lines_same", "lines_differ"):
        return (line(*args[:2]) == line(args[0], args[2])) == (kind == "lines_same")
    if kind == "lines_opposite":
        return line(*args[:2]) == [1 - v for v in line(args[0], args[2])]
    if kind == "lines_mirrored":
        return line(*args[:2]) == list(reversed(line(args[0], args[2])))
    if kind == "greater":
        first, second = line(*args[:2]), line(args[0], args[2])
        return first[::-1] > second[::-1] if args[3] else first > second
    if kind == "diagonal":
        return sum(g[r][cols - 1 - r] if args[0] else g[r][r] for r in range(rows)) == args[1]
    if kind == "count":
        return ones(*args[:4]) == args[4]
    if kind == "parity":
        return ones(*args[:4]) % 2 == args[4]
    top, left, bottom, right, other_top, other_left = args
    return ones(*args[:4]) > ones(other_top, other_left, other_top + bottom - top, other_left + right - left)


@pytest.mark.parametrize(("kind", "args", "words"), ALL_KINDS)
def test_an_extra_constraint_means_what_it_says(kind: str, args: tuple[int, ...], words: str) -> None:
    """Words and kernel against a plain reading of each kind on every legal 6x6 grid, model and checker on 1,500 of them.

    On 6x4 ones for lines that are their own mirror image, which half of 4 cells can be and of 6 cannot.
    """
    assert {name for name, _, _ in ALL_KINDS} == set(KINDS)
    cols = 4 if kind == "lines_mirrored" and args[1] == args[2] else 6
    puzzle = blank(6, cols).with_clues([Clue("x1", kind, args)])
    assert FAMILY.describe(puzzle, "x1") == words
    assert f"3. {words}" in FAMILY.render(puzzle)
    listed = every_grid(6, cols)
    every = [FAMILY.form.assemble(puzzle.spec, NoBoard(), values) for values in listed]
    right = {FAMILY.form.values(puzzle.spec, NoBoard(), g) for g in every if says(kind, args, g)}
    assert 0 < len(right) < len(every)
    assert set(kernels.answers(FAMILY.table(puzzle), 20_000, 1_000_000).answers) == right
    with Reference(FAMILY, puzzle) as reference:
        for values in stream("tests", "binario", "says").sample(listed, min(len(listed), 1_500)):
            grid_of = FAMILY.form.assemble(puzzle.spec, NoBoard(), values)
            assert reference.allows(values) == (FAMILY.broken_rules(puzzle, grid_of) == []) == (values in right)


@cache
def every_grid(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    return kernels.answers(FAMILY.table(blank(rows, cols)), 20_000, 1_000_000).answers


@pytest.mark.parametrize(
    ("params", "rules"),
    [(Params(4, 6, 0, 1), ()), (Params(8, 8, 0, 6), ()), (Params(8, 6, 18, 3), DISTINCT), (Params(10, 10, 30, 2), ())],
)
def test_every_extra_constraint_is_needed(params: Params, rules: tuple[Rule, ...]) -> None:
    """One that says nothing new is padding; with givens asked for, so many come back as leave each of them needed."""
    spec = Spec(params, rules)
    kept = 0
    for index in range(4):
        puzzle, answer = made(spec, index)
        assert model_answers(FAMILY, puzzle, 2) == {FAMILY.form.values(spec, NoBoard(), answer)}
        extras = [clue for clue in puzzle.clues if clue.kind != "given"]
        assert [clue.id for clue in extras] == [f"x{i + 1}" for i in range(len(extras))]
        assert FAMILY.clues.usable(Draft(puzzle, answer, answer)) == bool(extras)
        kept += len(extras)
        for clue in extras if params.givens else puzzle.clues:
            fewer = puzzle.with_clues([other for other in puzzle.clues if other != clue])
            assert len(model_answers(FAMILY, fewer, 2)) == 2, clue
        if params.givens:
            assert len(puzzle.clues) - len(extras) == params.givens
    assert 4 <= kept <= 8 * params.extras


def test_extra_constraints_take_the_place_of_givens() -> None:
    """extra_constraint keeps the answer and poses it with fewer givens."""
    without = with_extras = 0
    (transform,) = [t for t in FAMILY.transforms if t.name == "extra_constraint"]
    assert (transform.kind, transform.pairing) == (Kind.IC2, Pairing.SAME_ANSWER)
    spec = Spec(Params(8, 8))
    assert transform.fits(FAMILY, spec)
    changed = transform.with_args({"extras": 5}).before(FAMILY, spec, stream("tests"))
    assert changed == Spec(Params(8, 8, 0, 5))
    assert not transform.fits(FAMILY, changed)
    assert not transform.with_args({"extras": 13}).fits(FAMILY, spec)
    for index in range(8):
        puzzle, answer = made(spec, index)
        child = posed(changed, answer, stream("tests", "binario", "child", index)).puzzle
        without += len(puzzle.clues)
        with_extras += sum(clue.kind == "given" for clue in child.clues)
    assert 3 * with_extras < 2 * without


def test_all_kinds_come_up() -> None:
    """Each kind is drawn, and each stays needed now and then; under distinct nothing is said that it says already."""
    for rules in ((), DISTINCT):
        kinds = Counter(clue.kind for i in range(30) for clue in made(Spec(Params(8, 8, 0, 6), rules), i)[0].clues)
        assert set(kinds) - {"given"} == set(KINDS) - ({"lines_same", "lines_differ"} if rules else set())


def test_a_clash_that_one_way_of_stating_a_clue_hides_is_shallow() -> None:
    """Row 1 begins with a 1, being greater than row 2, and with a 0, being less than row 3: the model's clauses do not say so."""
    given = [Clue("r2c1", "given", (6, 1)), Clue("r3c1", "given", (12, 0))]
    greater = [Clue("x1", "greater", (0, 0, 1, 0)), Clue("x2", "greater", (0, 2, 0, 0))]
    puzzle = FAMILY.puzzle(Spec(Params(6, 6)), [*given, *greater])
    engines = Engines(FAMILY)
    assert engines.count(puzzle, 1) == 0
    assert engines.depth(puzzle) is Depth.SHALLOW


def test_a_larger_puzzle_has_the_same_share_of_givens() -> None:
    """larger_grid goes up to 20 lines and never to a spec that has no puzzles."""
    assert FAMILY.larger(Spec(Params(6, 8, 24, 2), DISTINCT)) == Spec(Params(8, 10, 40, 2), DISTINCT)
    assert FAMILY.larger(Spec(Params(4, 6), DISTINCT)) == Spec(Params(6, 8), DISTINCT)
    assert FAMILY.larger(Spec(Params(20, 18))) is None
    assert FAMILY.larger(Spec(Params(18, 18))) == Spec(Params(20, 20))


@pytest.mark.parametrize(("params", "share"), [(Params(4, 4), 8), (Params(10, 10, 50), 14), (Params(14, 14), 14)])
def test_distinct_is_mostly_needed(params: Params, share: int) -> None:
    """Leaving out first what only distinct decides makes drafts that certify keeps; each rejected one costs a draw. Of 20."""
    spec = Spec(params, DISTINCT)
    needed = [ASK.count(replace(made(spec, i)[0], spec=Spec(params)), 2) == 2 for i in range(20)]
    assert sum(needed) >= share


def test_shapes_with_extra_constraints() -> None:
    """Turned over the diagonal of an oblong grid and with other words for the same: the same; another number: another puzzle."""

    def shape(rows: int, cols: int, kind: str, *args: int) -> object:
        return FAMILY.symmetry(blank(rows, cols).with_clues([Clue("x1", kind, args)]))

    assert shape(6, 8, "count", 0, 0, 1, 2, 2) == shape(8, 6, "count", 5, 4, 7, 5, 4) != shape(6, 8, "count", 0, 0, 1, 2, 3)
    assert (
        len({shape(6, 8, "count", 0, 0, 1, 2, 1), shape(8, 6, "count", 0, 0, 2, 1, 1), shape(8, 6, "count", 0, 0, 2, 1, 5)}) == 1
    )
    assert shape(6, 8, "greater", 0, 1, 3, 0) == shape(6, 8, "greater", 0, 3, 1, 1) != shape(6, 8, "greater", 0, 1, 4, 0)
    assert shape(6, 8, "lines_same", 0, 0, 1) != shape(6, 8, "lines_same", 1, 0, 1)
    assert shape(6, 6, "lines_same", 0, 0, 1) == shape(6, 6, "lines_same", 1, 4, 5)


def test_alternatives_change_an_extra_constraint_a_little() -> None:
    """Clashes are made of these: each is an ordinary constraint of the same lines, cells or block, or of one other line."""
    rng = stream("tests", "binario", "others")
    puzzle = blank(6, 6)
    for kind, args, _ in ALL_KINDS:
        clue = Clue("x1", kind, args)
        others = list(FAMILY.clues.alternatives(puzzle.with_clues([clue]), clue, rng))
        assert others
        for other in others:
            assert (other.id, other.kind in KINDS, other == clue) == ("x1", True, False)
            FAMILY.table(puzzle.with_clues([other]))
    added = list(FAMILY.clues.additions(blank_with_extras(), rng))
    assert {clue.kind for clue in added} > {"given", "count"}
    assert {clue.id for clue in added if clue.kind != "given"} == {"x1"}


@pytest.mark.parametrize("size", [(4, 6), (8, 6), (6, 6), (8, 8)])
def test_what_a_clash_adds_could_be_true(size: tuple[int, int]) -> None:
    """A constraint that no grid of this size keeps would tell an unsolvable puzzle at a glance. In 4x4 a few slip through."""
    puzzle = replace(blank(*size), spec=Spec(Params(*size, 0, 3)))
    rng = stream("tests", "binario", "could", *size)
    seen = {clue for i in range(30) for clue in FAMILY.clues.additions(puzzle, rng.child(i)) if clue.kind != "given"}
    seen |= {
        other
        for clue in sorted(seen, key=str)
        for other in FAMILY.clues.alternatives(puzzle.with_clues([clue]), clue, rng.child("other"))
    }
    assert len(seen) > 50
    for clue in seen:
        assert ASK.count(puzzle.with_clues([clue]), 1) == 1, clue


def blank_with_extras() -> AnyPuzzle:
    return replace(blank(8, 8), spec=Spec(Params(8, 8, 0, 3)))


def test_the_picture_tells_extra_constraints_and_marks() -> None:
    """Constraints stand below the grid; a clash's members are highlighted."""
    puzzle = blank(4, 6).with_clues([Clue("r1c1", "given", (0, 1)), Clue("x1", "lines_same", (0, 1, 3))])
    plain, marked = FAMILY.draw(puzzle), FAMILY.draw(puzzle, marked=("x1", "balance"))
    assert "Rows 2 and 4 are the same." in plain
    assert "#f6b6ae" not in plain
    assert "h36v36h-36z" in marked.partition('fill="#f6b6ae"')[0]
    assert "Every row contains" in marked
    assert "Every row contains" not in plain


# ---- which puzzles are the same -------------------------------------------------------------------------------------


def orders_that_keep_lines_legal(n: int) -> int:
    """How many orders of its cells carry the legal lines of n cells to legal lines."""
    legal = np.array(
        [
            line
            for line in product((0, 1), repeat=n)
            if 2 * sum(line) == n and all(a + b + c in (1, 2) for a, b, c in zip(line, line[1:], line[2:], strict=False))
        ]
    )
    worth = 1 << np.arange(n)
    known = np.zeros(1 << n, dtype=bool)
    known[legal @ worth] = True
    orders = np.array(list(permutations(range(n))))
    keeps = np.ones(len(orders), dtype=bool)
    for line in legal:
        keeps &= known[line[orders] @ worth]
    return int(keeps.sum())


@pytest.mark.parametrize(("n", "count"), [(4, 24), (6, 12), (8, 2)])
def test_lines_have_the_symmetries_that_the_shape_uses(n: int, count: int) -> None:
    """4 cells in any order, 6 as a ring both ways round, 8 only backwards: a symmetry that is missed here is a leak."""
    assert orders_that_keep_lines_legal(n) == count


def test_shapes_keep_puzzles_apart() -> None:
    """Another rule, another size, another clue: each is another puzzle, and a grid lying on its side is not."""
    lying, standing = blank(4, 8), blank(8, 4)
    assert FAMILY.symmetry(lying) == FAMILY.symmetry(standing)
    one = lying.with_clues([Clue("a", "given", (9, 1))])
    assert FAMILY.symmetry(one) == FAMILY.symmetry(standing.with_clues([Clue("b", "given", (5, 0))]))
    assert FAMILY.symmetry(one) != FAMILY.symmetry(standing.with_clues([Clue("b", "given", (9, 1))]))
    assert FAMILY.symmetry(one) != FAMILY.symmetry(lying)
    assert FAMILY.symmetry(blank(6, 6)) != FAMILY.symmetry(blank(6, 6, DISTINCT))
    assert FAMILY.symmetry(blank(6, 8)) != FAMILY.symmetry(blank(8, 8))


def carried(masks: np.ndarray, order: tuple[int, ...]) -> np.ndarray:
    """Sets of cells as bit masks, after cell order[i] has become cell i."""
    out = np.zeros_like(masks)
    for i, cell in enumerate(order):
        out |= (masks >> cell & 1) << i
    return out


@pytest.mark.parametrize("rules", [(), DISTINCT])
def test_capacities_of_4x4_are_the_numbers_of_classes(rules: tuple[Rule, ...]) -> None:
    """Counted without symmetry(): all sets of givens of one grid of each class, up to the symmetries that keep this grid.

    With k givens asked for, what can come out are the sets of k givens with one answer, and the minimal sets of more than k;
    under distinct, those of them that have more answers without it.
    """
    legal, free = (
        np.array(
            [sum(v << i for i, v in enumerate(a)) for a in kernels.answers(FAMILY.table(blank(4, 4, r)), 100, 10_000).answers]
        )
        for r in (rules, ())
    )
    orders = [
        tuple(4 * column[c] + row[r] if over else 4 * row[r] + column[c] for r in range(4) for c in range(4))
        for row in permutations(range(4))
        for column in permutations(range(4))
        for over in (False, True)
    ]
    images = [carried(legal, order) for order in orders]
    everything = np.arange(1 << 16)
    unique_by_size, minimal_by_size = Counter[int](), Counter[int]()
    left = set(legal.tolist())
    while left:
        i = int(np.flatnonzero(legal == min(left))[0])
        target = int(legal[i])
        left -= {int(image[i]) ^ flip for image in images for flip in (0, 0xFFFF)}
        unique = np.ones(1 << 16, dtype=bool)
        for other in legal[legal != target]:
            unique &= (everything & (target ^ other)) != 0
        minimal = unique.copy()
        for cell in range(16):
            minimal &= (everything >> cell & 1 == 0) | ~unique[everything & ~(1 << cell)]
        if rules:
            needed = np.zeros(1 << 16, dtype=bool)
            for other in free[free != target]:
                needed |= (everything & (target ^ other)) == 0
            unique &= needed
            minimal &= needed
        least = everything.copy()
        for order, image in zip(orders, images, strict=True):
            if int(image[i]) in (target, target ^ 0xFFFF):
                np.minimum(least, carried(everything, order), out=least)
        for found, by_size in ((unique, unique_by_size), (minimal, minimal_by_size)):
            by_size.update(int(mask).bit_count() for mask in np.unique(least[found]).tolist())
    for givens in range(13 if rules else 16):
        expected = (unique_by_size[givens] if givens else 0) + sum(
            count for size, count in minimal_by_size.items() if size > givens
        )
        assert FAMILY.small.puzzles(Spec(Params(4, 4, givens), rules)) == expected
    assert FAMILY.small.puzzles(Spec(Params(4, 6), rules)) is None
    assert FAMILY.small.puzzles(Spec(Params(4, 4, 0, 1), rules)) is None


# ---- text -----------------------------------------------------------------------------------------------------------


def test_the_prompt_tells_the_rules_in_force() -> None:
    """Counts per row and per column differ on oblong grids; the optional rule is told exactly when it is in force."""
    text = FAMILY.render(blank(6, 8))
    assert "Every row contains four 0s and four 1s; every column contains three 0s and three 1s." in text
    assert "No two rows" not in text
    assert "No two rows are the same, and no two columns are the same." in FAMILY.render(blank(6, 8, DISTINCT))
    assert "Every row and every column contains ten 0s and ten 1s." in FAMILY.render(blank(20, 20))


def test_the_prompt_shows_the_givens_where_they_are() -> None:
    """A puzzle whose drawing is transposed or shifted has another answer."""
    puzzle = blank(4, 6).with_clues([Clue("a", "given", (1, 0)), Clue("b", "given", (23, 1))])
    assert FAMILY.render(puzzle).split("\n")[-4:] == [". 0 . . . .", ". . . . . .", ". . . . . .", ". . . . . 1"]
    lettered = replace(puzzle, style=Style(symbols=("X", "O")))
    assert FAMILY.render(lettered).split("\n")[-4:] == [". X . . . .", ". . . . . .", ". . . . . .", ". . . . . O"]
    assert "with X or O" in FAMILY.render(lettered)
    assert FAMILY.search_space_log10(puzzle) == pytest.approx(22 * log10(2))
    assert FAMILY.clues.given_slots(puzzle) == (1, 23)


def test_the_picture_shows_givens_and_answer() -> None:
    """Every given stands in the picture; with the answer every cell is filled."""
    puzzle, answer = made(Spec(Params(4, 6)), 2)
    without, with_answer = (ElementTree.fromstring(FAMILY.draw(puzzle, a)) for a in (None, answer))
    texts = "{http://www.w3.org/2000/svg}text"
    assert len(without.findall(texts)) == len(puzzle.clues)
    assert [int(text.text or "") for text in with_answer.findall(texts)] == [v for row in answer for v in row]
