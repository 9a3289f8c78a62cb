"""Worked examples, diversity of answers, and what an almost right answer is worth."""

from __future__ import annotations

import ast
import re
from collections import Counter
from math import sqrt
from pathlib import Path

import pytest

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Slots
from puzzlemill.core.types import QuestionKind
from puzzlemill.generators import families
from puzzlemill.questions import asked
from puzzlemill.solvers import kernels
from strategies import POSSIBLE, Case, asking, bare, edits, full, is_forced, is_graph, minimized, model_answers, model_forced

DRAWS = 600
COUNTED = 15_000  # legal answers that are listed; 6x6 binario has 11,222
# families that draw a board for each answer, with the test in tests/unit/test_FAMILY.py that looks at how answers are spread
OWN_BOARD = {"crossword": "test_words_of_different_puzzles_differ"}
ANY_BOARD = ("logic_grid", "seating")  # families whose boards only clues speak of: without these all have the same answers


def test_worked_examples_are_right_and_proved(family: AnyFamily) -> None:
    """An example from a cited source that our rules refuse, or that has two answers, means that we misread the rules."""
    examples = family.examples()
    assert len(examples) >= 2
    for example in examples:
        assert example.source
        puzzle = example.puzzle
        family.validate(puzzle.spec)
        assert (puzzle.family, puzzle.version) == (family.name, family.version)
        assert asked(puzzle).objections(family, puzzle, example.answer) == []
        case = Case(family, puzzle.spec)
        table = family.table(puzzle)
        if is_graph(case):
            assert puzzle.question.kind is QuestionKind.LEAST
            assert table is not None
            assert asking(family).shortest_route(puzzle).length == family.routes.cost(puzzle, example.answer)
        elif is_forced(puzzle):
            right = family.form.values(puzzle.spec, puzzle.board, example.answer)
            assert model_forced(family, puzzle) == asking(family).backbone(puzzle) == right
        else:
            only = {family.form.values(puzzle.spec, puzzle.board, example.answer)}
            assert model_answers(family, puzzle, 2) == only
            if table is not None:
                assert set(kernels.answers(table, 2, 10_000_000).answers) == only


def test_every_one_slot_edit_is_wrong(slot_case: Case) -> None:
    """The puzzle has one answer, so every other one must break something, by name."""
    family = slot_case.family
    for index in range(3):
        draft = minimized(slot_case, index)
        puzzle = draft.puzzle
        if is_forced(puzzle):
            return  # its answer keeps no rules itself; the score of each edit is in test_rows
        sizes = family.form.slots(puzzle.spec, puzzle.board)
        for values in edits(family.form.values(puzzle.spec, puzzle.board, draft.answer), sizes, 1):
            broken = family.broken_rules(puzzle, family.form.assemble(puzzle.spec, puzzle.board, values))
            assert broken
            assert "malformed" not in broken


def test_broken_rules_are_names_the_reader_knows(slot_case: Case) -> None:
    """A report names optional rules, rules of the family's docstring, or clue ids; anything else cannot be looked up."""
    import sys

    family, rng = slot_case.family, slot_case.rng("names")
    puzzle = minimized(slot_case, 0).puzzle
    text = sys.modules[type(family).__module__].__doc__ or ""
    ids = {clue.id for clue in puzzle.clues}
    sizes = family.form.slots(puzzle.spec, puzzle.board)
    for _ in range(50):
        answer = family.form.assemble(puzzle.spec, puzzle.board, tuple(rng.below(n) for n in sizes))
        for name in family.broken_rules(puzzle, answer):
            assert name in ids or name in text, name


def draws(case: Case, count: int) -> Counter[Slots]:
    family = case.family
    ask = asking(family)
    board = bare(case).board
    hidden = Counter(family.sample_solution(case.spec, case.rng("draw", index).child("fill"), ask) for index in range(count))
    seen: Counter[Slots] = Counter()
    for solution, times in hidden.items():
        draft = family.make_puzzle(case.spec, solution, case.rng("posed", len(seen)))
        same = family.name in ANY_BOARD or draft.puzzle.board == board
        assert same, (
            f"{family.name} draws another board for another answer, so that its answers cannot be counted here: test how evenly "
            f"it draws in tests/unit/test_{family.name}.py, and name that test in OWN_BOARD of tests/contract/test_answers.py; "
            "where only clues speak of the board, so that any has the same answers, name the family in ANY_BOARD there"
        )
        seen[family.form.values(case.spec, board, draft.answer)] += times
    return seen


@pytest.mark.parametrize(("name", "test"), OWN_BOARD.items())
def test_families_that_are_not_counted_here_have_a_test_of_their_own(name: str, test: str) -> None:
    """A name in OWN_BOARD silences the next test; the family's own one must be there, and run."""
    path = Path(__file__).parents[1] / "unit" / f"test_{name}.py"
    found = [one for one in ast.parse(path.read_text()).body if isinstance(one, ast.FunctionDef) and one.name == test]
    assert found, f"{path} has no {test}, which OWN_BOARD names"
    assert any(isinstance(part, ast.Assert) for part in ast.walk(found[0])), f"{test} asserts nothing"
    marks = " ".join([ast.unparse(mark) for mark in found[0].decorator_list])
    assert not re.search(r"skip|xfail|slow", marks), f"{test} is left out: {marks}"
    assert name in families(), f"OWN_BOARD: there is no family {name}"


def test_answers_are_drawn_evenly(slot_case: Case) -> None:
    """Generators that only reach a sliver of the legal answers can be memorised.

    Of N legal answers (counted exactly) an even draw of n shows N(1-(1-1/N)^n) different ones; 5 standard deviations are
    allowed, at least 1. Where n >= 5N the chi-square statistic must also lie within 5 standard deviations of its mean.
    Where more than COUNTED answers are legal, N is not known, and there must be as many different ones as COUNTED would give.
    """
    family = slot_case.family
    if family.hypothesis_class or family.lexical or family.hidden is not None or family.name in OWN_BOARD:
        return  # every board has other answers; such a family's own test looks at them
    table = slot_case.family.table(bare(slot_case))
    many = (
        table is not None and len(kernels.answers(table, COUNTED, 10_000_000).answers) == COUNTED
    )  # which ones does not matter then
    legal = set() if many else model_answers(slot_case.family, bare(slot_case), COUNTED)
    possible = POSSIBLE.get(slot_case.family.name)
    if possible:
        legal = {values for values in legal if possible(bare(slot_case), values)}
    if many and possible and slot_case.spec.rules:  # a rule that must matter leaves fewer; those of a smaller size are counted
        seen = draws(slot_case, 100)
        assert all(possible(bare(slot_case), values) for values in seen) and len(seen) > 80
        return
    most, count = COUNTED if many else len(legal), DRAWS
    seen = draws(slot_case, count)
    absent = (1 - 1 / most) ** count
    both = (1 - 2 / most) ** count if most > 1 else 0.0
    expected = most * (1 - absent)
    spread = sqrt(max(0.0, most * (most - 1) * both + most * absent - (most * absent) ** 2))
    message = f"{len(seen)} different of {most}, an even draw gives {expected:.0f}"
    assert len(seen) >= expected - max(1.0, 5 * spread), message
    if most < COUNTED:
        assert set(seen) <= legal
        assert len(seen) <= expected + max(1.0, 5 * spread), message
    if count >= 5 * most and most > 1:
        mean = count / most
        chi = sum((seen[values] - mean) ** 2 / mean for values in legal)
        assert chi <= (most - 1) + 5 * sqrt(2 * (most - 1)), f"chi-square {chi:.0f} with {most - 1} degrees of freedom"


@pytest.mark.slow
def test_puzzles_of_one_spec_differ(case: Case) -> None:
    """200 streams give different puzzles, unless the class is declared small."""
    if case.family.small.puzzles(case.spec) is not None:
        return
    puzzles = {str(full(case, index).puzzle.clues) + str(full(case, index).puzzle.board) for index in range(200)}
    assert len(puzzles) >= 20
