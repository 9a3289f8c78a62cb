"""Kept SAT solvers: they say what new ones say, in every order; what they hold is bounded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import Constraints, Finding, Slots
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyPuzzle, Clue, Spec
from puzzlemill.generators.logic_grid import FAMILY as LOGIC_GRID
from puzzlemill.generators.logic_grid import Params as GridParams
from puzzlemill.generators.sudoku import FAMILY as SUDOKU
from puzzlemill.rules.grids import Scales
from puzzlemill.solvers import kept, sat
from puzzlemill.solvers.engines import Budget, Engines
from puzzlemill.solvers.lower import lower
from strategies import every_case, minimized

ASK = 1_000_000  # conflicts, of which a kept solver may spend a hundredth
FAMILIES = (
    "sudoku",
    "skyscraper",
    "kakurasu",
    "hitori",
    "binario",
    "zebra",
    "blood_relations",
    "logic_grid",
    "seating",
    "ordering",
)
Asked = tuple[AnyFamily, AnyPuzzle, tuple[Slots, ...]]


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    kept.forget()
    yield
    kept.forget()


def fresh(family: AnyFamily, puzzle: AnyPuzzle, limit: int = 2) -> tuple[Slots, ...]:
    cnf = lower(family, puzzle)
    assert cnf is not None
    return sat.answers(cnf, limit, ASK)[0].answers


@lru_cache(maxsize=1)
def many() -> tuple[Asked, ...]:
    """Puzzles of many specs with all their answers, or two: unique ones, with a clue less, with a clue changed."""
    found: list[Asked] = []
    for case in [each for each in every_case() if each.family.name in FAMILIES]:
        drafts = [minimized(case, index).puzzle for index in range(3)]
        for index, puzzle in enumerate(drafts):
            rng = stream("kept tests", str(case), index)
            some = [puzzle]
            if puzzle.clues:
                gone = rng.pick(puzzle.clues)
                rest = [clue for clue in puzzle.clues if clue != gone]
                others = list(case.family.clues.alternatives(puzzle, gone, rng))[:1]
                some += [puzzle.with_clues(rest), *[puzzle.with_clues([*rest, other]) for other in others]]
            found += [(case.family, each, fresh(case.family, each)) for each in some]
    return tuple(found)


def says(asked: Asked, claimed: Sequence[Slots]) -> bool:
    return kept.only(asked[0], asked[1], claimed, ASK)


def test_a_kept_solver_says_yes_to_what_is_so_and_to_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clause of one puzzle is left in the solver of the next, or a false claim is confirmed."""
    monkeypatch.setattr(kept, "SOLVERS", 1_000)
    monkeypatch.setattr(kept, "SEEN", 1_000)
    puzzles = stream("kept tests", "order").shuffled(many())
    for each in puzzles:  # the first puzzle of each spec keeps nothing
        says(each, each[2])
    yes = no = 0
    for each in stream("kept tests", "again").shuffled(puzzles):
        answers = each[2]
        assert says(each, answers[:1]) is (len(answers) < 2), each[1]
        yes += len(answers) < 2
        if answers:
            assert not says(each, ())
        wrong = [a for other in puzzles if other[0] is each[0] and other[1].spec == each[1].spec for a in other[2]]
        for claim in [a for a in dict.fromkeys(wrong) if a not in answers][:2]:
            assert not says(each, [claim])
            no += 1
    assert yes > 100 and no > 200


def findings(puzzles: Sequence[Asked]) -> dict[int, tuple[tuple[Slots, ...], bool]]:
    kept.forget()
    found = {}
    for each in puzzles:
        family, puzzle, answers = each
        said = Engines(family, Budget(conflicts=ASK)).finding(puzzle, "sat", 2, answers)
        assert isinstance(said, Finding)
        found[id(each)] = said.answers, said.exhausted
    return found


def test_findings_do_not_depend_on_what_came_before() -> None:
    """Rows differ with the number of workers, or with the order of the strata: specs come one after the other, and mixed."""
    puzzles = list(many())
    assert len(puzzles) > 200
    first = findings(puzzles)
    for turn in range(2):
        assert findings(stream("kept tests", "mixed", turn).shuffled(puzzles)) == first
    assert first == {id(each): (each[2], len(each[2]) < 2) for each in puzzles}


def test_a_worn_solver_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one process holds grows with each row."""
    monkeypatch.setattr(kept, "ASKED", 3)
    puzzles = [each for each in many() if each[0].name == "sudoku"]
    places = {(each[1].spec, each[1].board) for each in puzzles}
    solvers = set()
    for _ in range(2):
        for each in puzzles:
            says(each, each[2])
            solvers |= {id(solver) for solver in kept._kept.values()}
            assert all(solver._asked <= 3 for solver in kept._kept.values())
    assert len(places) < len(solvers)
    monkeypatch.setattr(kept, "ASKED", 1_000)
    monkeypatch.setattr(kept, "GROWN", 1)
    monkeypatch.setattr(kept, "GROWTH", 0)
    assert all(solver.worn for solver in kept._kept.values())


def test_few_solvers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recipe of many specs keeps a solver for each, or large ones together fill the memory."""
    for each in (*many(), *many()):
        says(each, each[2])
        assert len(kept._kept) <= kept.SOLVERS and len(kept._seen) <= kept.SEEN
    assert len(kept._kept) == kept.SOLVERS
    monkeypatch.setattr(kept, "LITERALS", 1)
    says(many()[-1], many()[-1][2])
    assert len(kept._kept) == 1


def test_a_kept_solver_gets_a_hundredth_of_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A row is kept or thrown away by what a solver has learnt from others."""
    draft = next(each for each in many() if each[0] is SUDOKU and len(each[2]) == 1)
    budgets = []
    monkeypatch.setattr(kept._Kept, "_solve", lambda _self, _said, conflicts: budgets.append(conflicts))  # None: spent
    for conflicts in (99, 99, 99, 250, 250):
        assert not kept.only(SUDOKU, draft[1], draft[2], conflicts)
    assert budgets == [2]
    said = Engines(SUDOKU, Budget(conflicts=250)).finding(draft[1], "sat", 2, draft[2])
    assert isinstance(said, Finding) and said.answers == draft[2]  # a new one decides


class _Clues:
    def state(self, m: Constraints, spec: Any, board: Any, clue: Clue) -> None:
        """Slot x has this value, by way of a variable that says which. Its argument is 2 * x + value."""
        x, value = divmod(clue.ints()[0], 2)
        way, lit = m.var(), m.key[x][1]
        m.require(way if value else -way)
        m.require(-way, lit)
        m.require(way, -lit)


class _Toy:
    lexical = False
    clues = _Clues()

    def rules_board(self, board: Any) -> Any:
        return board

    def model(self, spec: Any, board: Any) -> Constraints:
        m = Constraints()
        for _ in range(2):
            m.slot(2)
        return m


def test_clues_that_are_alike_do_not_share_variables_where_both_hold() -> None:
    """Two clues that can hold together contradict each other by the variables of their own: a wrong proof."""
    toy: Any = _Toy()
    sudoku = next(each for each in many() if each[0] is SUDOKU)[1]

    def of(*said: tuple[int, int]) -> AnyPuzzle:
        return replace(sudoku, clues=tuple([Clue(f"c{i}", "c", (2 * x + value,)) for i, (x, value) in enumerate(said)]))

    assert not kept.only(toy, of((0, 1), (1, 0)), [(1, 0)], ASK)  # the first time
    assert kept.only(toy, of((0, 1), (1, 0)), [(1, 0)], ASK)
    assert not kept.only(toy, of((0, 1), (1, 0)), (), ASK)
    assert kept.only(toy, of((0, 0), (1, 1)), [(0, 1)], ASK)
    assert kept.only(toy, of((0, 0), (0, 1)), (), ASK)
    assert not kept.only(toy, of((0, 0)), [(0, 1)], ASK)


def test_clues_are_remembered_with_all_of_the_board_that_they_read() -> None:
    """Scales are no part of a logic grid's rules, but a difference of 10 on one scale is none on another."""
    spec = Spec(GridParams(3, 3, 1))
    clue = Clue("k", "exactly", (0, 0, 0, 1, 0, 5))
    puzzles = [LOGIC_GRID.puzzle(spec, (clue,), Scales((numbers,))) for numbers in ((0, 5, 10), (0, 3, 10)) * 2]
    found: list[Any] = [(sat.refuted(LOGIC_GRID, each), kept.only(LOGIC_GRID, each, (), ASK)) for each in puzzles]
    assert [bool(fresh(LOGIC_GRID, each)) for each in puzzles] == [True, False, True, False]
    assert found == [(False, False), (True, True), (False, False), (True, True)]


def test_a_new_solver_is_asked_where_the_claim_is_wrong() -> None:
    """A wrong answer of another engine is passed on as SAT's finding."""
    family, puzzle, answers = next(each for each in many() if each[0] is SUDOKU and len(each[2]) == 1)
    wrong = ((answers[0][1], answers[0][0], *answers[0][2:]),)
    for _ in range(3):
        said = Engines(family, Budget()).finding(puzzle, "sat", 2, wrong)
        assert isinstance(said, Finding) and said.answers == answers
