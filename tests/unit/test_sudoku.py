"""Sudoku: what only this family promises. The contract suite checks what all families promise."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import product
from math import factorial
from xml.etree import ElementTree

import igraph
import pytest

from puzzlemill.core.form import Grid
from puzzlemill.core.model import BLANK
from puzzlemill.core.rng import Rng, stream
from puzzlemill.core.rules import resolved
from puzzlemill.core.types import Clue, NoBoard, Puzzle, Question, Rule, Spec, Style
from puzzlemill.factory.canonical import canonical_key, shape_hash
from puzzlemill.generators._sudoku import BOXES
from puzzlemill.generators.sudoku import FAMILY, Params
from puzzlemill.scoring.prompt import prompt
from puzzlemill.solvers import kernels
from puzzlemill.solvers.engines import Engines
from puzzlemill.transforms import transform_of
from strategies import scrambled

Sudokus = Puzzle[Params, NoBoard]
ASK = Engines(FAMILY)
LETTERS = transform_of(FAMILY, "letters", {})
GIVENS = {size: 313 if size == 25 else 110 if size == 16 else 0 for size in BOXES}  # quick to dig


def full(size: int, rng: Rng) -> tuple[Sudokus, Grid]:
    """A puzzle with all its cells given."""
    spec = Spec(Params(size, GIVENS[size]))
    FAMILY.validate(spec)
    draft = FAMILY.make_puzzle(spec, FAMILY.sample_solution(spec, rng.child("fill"), ASK), rng.child("pose"))
    assert draft.answer is not None
    return draft.puzzle, draft.answer


def dug(size: int, rng: Rng) -> tuple[Sudokus, Grid]:
    puzzle, answer = full(size, rng)
    kept = ASK.minimize(puzzle, rng.child("order").shuffled(range(size * size)), GIVENS[size])
    return puzzle.with_clues([puzzle.clues[i] for i in kept]), answer


def with_values(puzzle: Sudokus, cells: dict[int, int]) -> Sudokus:
    n = puzzle.spec.params.size
    return puzzle.with_clues([Clue(f"r{i // n + 1}c{i % n + 1}", "given", (i, v)) for i, v in sorted(cells.items())])


def values_of(puzzle: Sudokus) -> dict[int, int]:
    return {clue.ints()[0]: clue.ints()[1] for clue in puzzle.clues}


# ---- making -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", BOXES)
def test_every_size_gives_puzzles_with_one_answer(size: int) -> None:
    """A size that cannot be made, or whose box shape differs between the checker and the kernel."""
    puzzle, answer = dug(size, stream("sizes", size))
    assert FAMILY.broken_rules(puzzle, answer) == []
    assert ASK.count(puzzle) == 1
    assert len(puzzle.clues) >= GIVENS[size]
    assert len(set(answer)) == size


def test_givens_are_kept() -> None:
    """`givens` clues stay where one answer allows it: easier puzzles than minimal ones."""
    rng = stream("givens")
    puzzle, _ = full(9, rng)
    for givens in (40, 50, 80):
        assert len(ASK.minimize(puzzle, rng.shuffled(range(81)), givens)) == givens


def test_alternatives_change_the_value_and_nothing_else() -> None:
    """A clash edit must stand in the same cell under the same id."""
    puzzle, _ = dug(6, stream("alternatives"))
    clue = puzzle.clues[0]
    others = list(FAMILY.clues.alternatives(puzzle, clue, stream("x")))
    assert {(other.id, other.kind, other.ints()[0]) for other in others} == {(clue.id, clue.kind, clue.ints()[0])}
    assert sorted([clue.ints()[1], *[other.ints()[1] for other in others]]) == list(range(6))


# ---- meaning ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [6, 9, 12])
def test_the_checker_names_what_is_broken(size: int) -> None:
    """Partial credit and clashes are told in these names."""
    puzzle, answer = full(size, stream("names", size))
    high, wide = BOXES[size]
    blank = puzzle.with_clues(())

    def with_two(first: tuple[int, int], second: tuple[int, int]) -> list[str]:
        """Value 0 in two cells of an empty grid."""
        grid = tuple(tuple(0 if (r, c) in (first, second) else BLANK for c in range(size)) for r in range(size))
        return FAMILY.broken_rules(blank, grid, partial=True)

    assert with_two((0, 0), (0, wide)) == ["row"]
    assert with_two((0, 0), (high, 0)) == ["column"]
    assert with_two((0, 0), (high - 1, wide - 1)) == ["box"]
    assert with_two((0, wide - 1), (high - 1, wide)) == []
    assert with_two((high - 1, 0), (high, wide - 1)) == []
    assert with_two((0, 0), (0, 1)) == ["row", "box"]
    swapped = tuple(tuple(1 if v == 0 else 0 if v == 1 else v for v in row) for row in answer)
    changed = [clue.id for clue in puzzle.clues if clue.ints()[1] in (0, 1)]
    assert FAMILY.broken_rules(puzzle, swapped) == changed


@pytest.mark.parametrize("size", [4, 6, 9])
def test_search_space_is_that_of_the_paper(size: int) -> None:
    """M to the number of blanks (HardcoreLogic, complexity measures)."""
    puzzle, _ = dug(size, stream("space", size))
    blanks = size * size - len(puzzle.clues)
    assert 10 ** FAMILY.search_space_log10(puzzle) == pytest.approx(float(size**blanks))


# ---- symmetry -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [4, 6, 8, 9, 12])
def test_symmetric_puzzles_have_one_key(size: int) -> None:
    """A symmetric copy in another split would be a leak."""
    rng = stream("scramble", size)
    for index in range(5):
        puzzle, _ = dug(size, rng.child(index))
        assert {canonical_key(FAMILY, scrambled(puzzle, rng)) for _ in range(20)} == {canonical_key(FAMILY, puzzle)}


@pytest.mark.parametrize("size", [6, 9])
def test_other_puzzles_have_other_keys(size: int) -> None:
    """A key that is too coarse throws away good puzzles: rows swapped across bands, sides of oblong boxes, another given."""
    high, wide = BOXES[size]
    for index in range(10):
        puzzle, _ = dug(size, stream("other", size, index))
        cells = values_of(puzzle)
        changed = [
            {(size * {0: high, high: 0}.get(i // size, i // size) + i % size): v for i, v in cells.items()},  # rows 1 and high+1
            {i: v for i, v in cells.items() if i != min(cells)},
        ]
        if high != wide:
            changed.append({size * (i % size) + i // size: v for i, v in cells.items()})
        keys = [canonical_key(FAMILY, with_values(puzzle, other)) for other in changed]
        assert len({canonical_key(FAMILY, puzzle), *keys}) == len(changed) + 1


@pytest.mark.parametrize("size", BOXES)
def test_the_shape_has_the_symmetries_of_the_grid_and_no_others(size: int) -> None:
    """The automorphisms of the empty shape are the group of the grid; of 9x9 it has 1,218,998,108,160 elements."""
    puzzle, _ = full(4, stream("x"))
    empty = Puzzle(puzzle.family, puzzle.version, Spec(Params(size)), NoBoard(), (), Question(), puzzle.style)
    shape = FAMILY.symmetry(empty)
    graph = igraph.Graph(n=len(shape.colours), edges=shape.edges)
    high, wide = BOXES[size]
    bands, stacks = size // high, size // wide
    expected = factorial(size) * factorial(bands) * factorial(high) ** bands * factorial(stacks) * factorial(wide) ** stacks
    assert int(graph.count_automorphisms(color=list(shape.colours))) == expected * (2 if high == wide else 1)


def grids_4() -> list[tuple[int, ...]]:
    grids = []
    for rows in product([p for p in product(range(4), repeat=4) if len(set(p)) == 4], repeat=2):
        for more in product([p for p in product(range(4), repeat=4) if len(set(p)) == 4], repeat=2):
            grid = (*rows, *more)
            if all(len({row[c] for row in grid}) == 4 for c in range(4)) and all(
                len({grid[r + i][c + j] for i in (0, 1) for j in (0, 1)}) == 4 for r in (0, 2) for c in (0, 2)
            ):
                grids.append(tuple(v for row in grid for v in row))
    return grids


@pytest.mark.slow
def test_capacity_of_4x4_is_proved() -> None:
    """All 4x4 puzzles with one answer, by number of clues and up to symmetry: the capacities that splits rely on."""
    grids = grids_4()
    assert len(grids) == 288
    blank = full(4, stream("x"))[0]
    classes: dict[str, tuple[int, ...]] = {}
    for grid in grids:
        classes.setdefault(canonical_key(FAMILY, with_values(blank, dict(enumerate(grid)))), grid)
    assert len(classes) == 2
    keys: defaultdict[int, set[str]] = defaultdict(set)
    minimal: defaultdict[int, set[str]] = defaultdict(set)
    for grid in classes.values():
        others = [sum(1 << i for i in range(16) if grid[i] != other[i]) for other in grids if other != grid]
        unique = [all(cells & other for other in others) for cells in range(1 << 16)]
        for cells in range(1 << 16):
            if unique[cells]:
                clues = [i for i in range(16) if cells >> i & 1]
                key = canonical_key(FAMILY, with_values(blank, {i: grid[i] for i in clues}))
                keys[len(clues)].add(key)
                if not any(unique[cells ^ 1 << i] for i in clues):
                    minimal[len(clues)].add(key)
    assert {k: len(found) for k, found in minimal.items()} == {4: 13, 5: 22, 6: 1}
    for givens in (0, *range(4, 16)):
        exact = len(keys[givens]) if givens else 0
        more = sum(len(found) for k, found in minimal.items() if k > givens)
        assert FAMILY.small.puzzles(Spec(Params(4, givens))) == exact + more


def test_small_classes_are_reached() -> None:
    """A run that draws 4x4 puzzles long enough meets every one of the 36 minimal ones: the sampler hides none."""
    rng = stream("reach")
    seen = Counter[str]()
    for index in range(600):
        seen[canonical_key(FAMILY, dug(4, rng.child(index))[0])] += 1
    assert len(seen) == 36


# ---- text ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", BOXES)
def test_the_board_can_be_read_back_from_the_prompt(size: int) -> None:
    """The prompt must show every given in its place, and state rows and columns of boxes the right way round."""
    puzzle, _ = dug(size, stream("text", size))
    text = FAMILY.render(puzzle)
    board = [line.split() for line in text.split("\n\n")[-1].splitlines()]
    assert [len(line) for line in board] == [size] * size
    assert {size * r + c: int(s) - 1 for r, line in enumerate(board) for c, s in enumerate(line) if s != "."} == values_of(puzzle)
    high, wide = BOXES[size]
    assert f"{high} rows high and {wide} columns wide" in text


def test_the_prompt_of_an_oblong_grid() -> None:
    """The wording is part of the data: a change here is a change of every prompt."""
    puzzle, _ = full(6, stream("wording"))
    puzzle = puzzle.with_clues([clue for clue in puzzle.clues if clue.ints()[0] % 2])
    board = FAMILY.render(puzzle).split("\n\n")[-1]
    assert FAMILY.render(puzzle) == (
        "Solve this 6x6 Sudoku. Write a number from 1 to 6 in every empty cell, shown as a dot, so that each row, each column "
        "and each box contains every number from 1 to 6 exactly once. Numbers that are already in the grid stay as they are.\n\n"
        "The 6 boxes are 2 rows high and 3 columns wide: rows 1-2, 3-4 and 5-6 by columns 1-3 and 4-6. "
        "They are numbered 1 to 6, from left to right and from top to bottom.\n\n" + board
    )
    assert prompt(puzzle, "tags").startswith(FAMILY.render(puzzle))


# ---- optional rules -----------------------------------------------------------------------------------------------------


def ruled(size: int, *names: str, givens: int = 0) -> Spec[Params]:
    return Spec(Params(size, givens), tuple(Rule(name) for name in sorted(names)))


def zones_of(size: int, index: int) -> tuple[int, ...]:
    settled = resolved(FAMILY.rules, ruled(size, "zones"), stream("zones", size, index))
    FAMILY.validate(settled)  # n connected zones of n cells
    rule = settled.rule("zones")
    assert rule is not None
    assert isinstance(rule.args[0], tuple)
    return tuple(zone for zone in rule.args[0] if isinstance(zone, int))


@pytest.mark.parametrize("size", [6, 8, 9, 12])
def test_zones_are_irregular_and_mixed(size: int) -> None:
    """Zones that are boxes, or boxes with a few cells exchanged, make another puzzle in name only."""
    drawn = [zones_of(size, index) for index in range(8)]
    assert len(set(drawn)) == 8
    assert zones_of(size, 0) == drawn[0]
    high, wide = BOXES[size]
    boxes = tuple(i // size // high * (size // wide) + i % size // wide for i in range(size * size))

    def likeness(a: tuple[int, ...], b: tuple[int, ...]) -> float:
        """The share of pairs of cells side by side, in one zone of a, that are in one zone of b."""
        together = [(i, i + 1) for i in range(size * size) if i % size < size - 1]
        together += [(i, i + size) for i in range(size * size - size)]
        mine = [(i, j) for i, j in together if a[i] == a[j]]
        return sum(b[i] == b[j] for i, j in mine) / len(mine)

    for zones in drawn:
        for zone in range(size):
            cells = [i for i in range(size * size) if zones[i] == zone]
            rows, columns = {i // size for i in cells}, {i % size for i in cells}
            area = (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1)
            assert area > size, "a zone is a rectangle"
    assert sum(likeness(zones, boxes) for zones in drawn) / 8 < 0.85


def test_settled_rules_stay() -> None:
    """What a row has settled must not be drawn again by a transform."""
    settled = resolved(FAMILY.rules, ruled(6, "max_box", "zones"), stream("settled"))
    assert resolved(FAMILY.rules, settled, stream("another")) == settled


def test_larger_keeps_rules_and_the_share_of_givens() -> None:
    """A larger grid needs zones of its own size, and as much help as the smaller one gave."""
    settled = resolved(FAMILY.rules, ruled(9, "zones", givens=27), stream("larger"))
    assert FAMILY.larger(settled) == ruled(12, "zones", givens=48)
    assert FAMILY.larger(ruled(6)) == ruled(8)
    assert FAMILY.larger(ruled(16)) == ruled(25, givens=313)
    assert FAMILY.larger(ruled(16, "diagonals")) is None
    assert FAMILY.larger(ruled(25, givens=400)) is None


def under(size: int, *names: str, index: int = 0) -> tuple[Sudokus, Grid]:
    """A full puzzle under optional rules."""
    rng = stream("under", size, *names, index)
    spec = resolved(FAMILY.rules, ruled(size, *names), rng.child("settle"))
    draft = FAMILY.make_puzzle(spec, FAMILY.sample_solution(spec, rng.child("fill"), ASK), rng.child("pose"))
    assert draft.answer is not None
    assert FAMILY.broken_rules(draft.puzzle, draft.answer) == []
    return draft.puzzle, draft.answer


def test_the_checker_names_optional_rules() -> None:
    """Each rule by its own name, on grids that break nothing else."""
    plain = [full(9, stream("plain", index))[1] for index in range(12)]
    for name in ("diagonals", "nonconsecutive", "max_box"):
        puzzle = under(9, name)[0].with_clues(())
        assert {tuple(FAMILY.broken_rules(puzzle, grid)) for grid in plain} <= {(name,), ()}
        assert [name] in [FAMILY.broken_rules(puzzle, grid) for grid in plain]
    puzzle = under(9, "zones")[0].with_clues(())
    assert ["zones"] in [FAMILY.broken_rules(puzzle, grid) for grid in plain]


def test_max_box_is_scored_as_told() -> None:
    """Cells count 1 to n in reading order, numbers from 1: the scores computed here by hand, and ties do not win."""
    puzzle, answer = under(6, "max_box")
    rule = puzzle.spec.rule("max_box")
    assert rule is not None
    scores = []
    for top, left in ((0, 0), (0, 3), (2, 0), (2, 3), (4, 0), (4, 3)):
        numbers = [answer[top + r][left + c] + 1 for r in range(2) for c in range(3)]
        scores.append(sum(place * number for place, number in zip(range(1, 7), numbers, strict=True)))
    assert scores.index(max(scores)) == rule.args[0]
    assert scores.count(max(scores)) == 1


def test_prompts_tell_rules_and_zones() -> None:
    """A zone map that does not match the rule, or a box named wrongly, makes the puzzle unsolvable for a reader."""
    puzzle, _ = under(9, "zones")
    parts = FAMILY.render(puzzle).split("\n\n")
    shown = [line.split() for line in parts[2].splitlines()]
    rule = puzzle.spec.rule("zones")
    assert rule is not None
    assert isinstance(rule.args[0], tuple)
    assert ["ABCDEFGHI"[zone] for zone in rule.args[0] if isinstance(zone, int)] == [name for line in shown for name in line]
    letters = replace(puzzle, style=LETTERS.restyle(FAMILY, puzzle, stream("letters")))
    assert "zones 1 to 9" in FAMILY.render(letters)
    heavy = replace(under(9, "max_box")[0], spec=Spec(Params(9), (Rule("max_box", (5,)),)))
    assert "The box in rows 4-6 and columns 7-9 must have a higher score" in FAMILY.render(heavy)
    assert FAMILY.describe(heavy, "max_box") in FAMILY.render(heavy)
    assert FAMILY.describe(heavy, heavy.clues[0].id).startswith("Row 1 column 1 holds ")
    assert FAMILY.describe(letters, "row") == "Each row contains every letter exactly once."


def test_letters_are_drawn_from_several_alphabets() -> None:
    """Always A to I would be a code that is learnt once."""
    puzzle, _ = full(9, stream("letters"))
    looks = [LETTERS.restyle(FAMILY, puzzle, stream("letters", index)).symbols for index in range(60)]
    assert all(len(set(look)) == 9 and all(len(s) == 1 and "A" <= s <= "Z" for s in look) for look in looks)
    assert tuple("ABCDEFGHI") in looks
    assert len(set(looks)) > 30
    assert any(look != tuple(sorted(look)) for look in looks)


@pytest.mark.parametrize("names", [("diagonals",), ("zones",), ("max_box",), ("max_box", "zones")])
def test_pictures_show_rules_and_marks(names: tuple[str, ...]) -> None:
    """A clash is shown by what stands out."""
    puzzle, answer = under(6, *names)
    plain = FAMILY.draw(puzzle, answer)
    ElementTree.fromstring(plain)
    for label in (*names, puzzle.clues[3].id):
        marked = FAMILY.draw(puzzle, answer, marked=[label])
        ElementTree.fromstring(marked)
        assert marked != plain


def test_capacity_of_ruled_grids_is_not_that_of_plain_ones() -> None:
    """Only the counted class is a small one."""
    assert FAMILY.small.puzzles(Spec(Params(4))) == 36
    assert [name for name in FAMILY.rules if FAMILY.small.puzzles(ruled(6, name))] == ["nonconsecutive"]


def test_neighbours_anywhere_may_not_be_consecutive() -> None:
    """The checker leaves out the last cells of a line, and calls grids right that break the rule there."""
    puzzle = under(6, "nonconsecutive")[0].with_clues(())
    cells = range(6)
    for r, c, down, right in [(r, c, 0, 1) for r in cells for c in cells[:-1]] + [
        (r, c, 1, 0) for r in cells[:-1] for c in cells
    ]:
        for other, broken in ((3, ["nonconsecutive"]), (4, [])):
            grid = [[BLANK] * 6 for _ in cells]
            grid[r][c], grid[r + down][c + right] = 2, other
            assert FAMILY.broken_rules(puzzle, tuple(map(tuple, grid)), partial=True) == broken, (r, c)


def test_few_answers_are_counted() -> None:
    """Who replies with one of 48 grids is right more often than the baseline says."""
    spec = ruled(6, "nonconsecutive")
    blank = Puzzle(FAMILY.name, FAMILY.version, spec, NoBoard(), (), Question(), Style())
    found = kernels.answers(FAMILY.table(blank), 1_000, 1_000_000)
    assert found.exhausted
    assert len(found.answers) == FAMILY.small.answers(spec) == 48
    solutions = {shape_hash(FAMILY.solution(spec, FAMILY.form.assemble(spec, NoBoard(), values))) for values in found.answers}
    assert len(solutions) == FAMILY.small.solutions(spec) == 6
    assert FAMILY.small.answers(ruled(8, "nonconsecutive")) is None


def test_another_rule_may_come_with_another_number_of_givens() -> None:
    spec = Spec(Params(9, 53))
    plain, fewer = transform_of(FAMILY, "diagonals", {}), transform_of(FAMILY, "diagonals", {"givens": 20})
    assert plain.before(FAMILY, spec, stream("rule")) == Spec(Params(9, 53), (Rule("diagonals"),))
    assert fewer.before(FAMILY, spec, stream("rule")) == Spec(Params(9, 20), (Rule("diagonals"),))
    for name, givens in (("diagonals", 81), ("diagonals", -2), ("nonconsecutive", 0), ("max_box", 81)):
        assert not transform_of(FAMILY, name, {"givens": givens}).fits(FAMILY, spec)
