"""Proof objects of puzzles: accepted by our checker and by independent ones, refused once spoilt; and Z3's figures of effort."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from puzzlemill.core.codec import loads
from puzzlemill.core.errors import BadInput, BadRow, EnginesDisagree
from puzzlemill.core.family import AnyFamily, puzzle_type
from puzzlemill.core.model import Slots
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyPuzzle, Status
from puzzlemill.factory.make import make
from puzzlemill.generators import family_named
from puzzlemill.solvers import rup, smt
from puzzlemill.solvers.certify import certify, efforts
from puzzlemill.solvers.drat import Proof, prove
from puzzlemill.solvers.engines import Budget
from puzzlemill.solvers.lower import lower
from puzzlemill.solvers.rup import check, check_files, read_cnf, read_proof

CASES: list[tuple[str, dict[str, Any], str]] = [
    ("sudoku", {"size": 6}, ""),
    ("sudoku", {"size": 9, "givens": 26}, "deep_clash"),
    ("sudoku", {"size": 9}, "shallow_clash"),
    ("sudoku", {"size": 16}, "deep_clash"),
    ("binario", {"rows": 6, "cols": 8}, ""),
    ("binario", {"rows": 10, "cols": 10}, "deep_clash"),
    ("zebra", {"positions": 4, "attributes": 4}, ""),
    ("zebra", {"positions": 4, "attributes": 4}, "deep_clash"),
]

NUMBERS = [pytest.param(n, marks=pytest.mark.slow if case[1] == {"size": 16} else ()) for n, case in enumerate(CASES)]
each_case = pytest.mark.parametrize("number", NUMBERS, ids=["-".join(map(str, case)) for case in CASES])
each_deep_clash = pytest.mark.parametrize("number", [number for number in NUMBERS if CASES[number.values[0]][2] == "deep_clash"])


@lru_cache(maxsize=16)
def _made(number: int) -> tuple[AnyFamily, AnyPuzzle, Any, Slots | None, dict[str, Any]]:
    name, params, transform = CASES[number]
    row = make(name, transforms=[transform] if transform else [], **params)
    family = family_named(name)
    puzzle: AnyPuzzle = loads(puzzle_type(family), row["puzzle"], "puzzle")
    if row["answer"] is None:
        return family, puzzle, None, None, row["proof"]
    answer = loads(family.answer, row["answer"], "answer")
    return family, puzzle, answer, family.form.values(puzzle.spec, puzzle.board, answer), row["proof"]


@lru_cache(maxsize=16)
def _proved(number: int) -> Proof:
    family, puzzle, _, slots, _ = _made(number)
    return prove(family, puzzle, slots, 200_000)


def written(proof: Proof, folder: Path) -> tuple[Path, Path]:
    cnf, drat = folder / "a.cnf", folder / "a.drat"
    cnf.write_text(proof.cnf, encoding="ascii")
    drat.write_text(proof.drat, encoding="ascii")
    return cnf, drat


@each_case
def test_proofs_are_accepted(number: int, tmp_path: Path) -> None:
    """A row's proof does not prove it, or says that it states something else."""
    proof = _proved(number)
    assert check_files(*written(proof, tmp_path)) == ""
    unsolvable = _made(number)[3] is None
    assert proof.cnf.startswith("c no answer" if unsolvable else "c no other answer")
    assert proof.drat.splitlines()[-1] == "0" and len(proof.drat.splitlines()) == proof.steps
    assert "d" not in proof.drat
    family, puzzle, _, slots, claim = _made(number)
    assert (proof.steps > 1) is (claim["depth"] == "deep") or not unsolvable  # a shallow clash needs no step but the last
    assert prove(family, puzzle, slots, 200_000) == proof


@each_case
def test_the_clauses_are_the_puzzles(number: int) -> None:
    """The clauses that are proved are not those of the puzzle, or the comments name other literals than the slots'."""
    family, puzzle, _, slots, _ = _made(number)
    cnf = lower(family, puzzle)
    assert cnf is not None
    lines = _proved(number).cnf.splitlines()
    named = [line.split(": ")[1] for line in lines if line.startswith("c slot ")]
    assert [[int(lit) for lit in line.split()] for line in named] == [list(lits) for lits in cnf.key]
    clauses = [[int(lit) for lit in line.split()[:-1]] for line in lines if line[0] not in "cp"]
    expected = [list(clause) for clause in cnf.all_clauses()]
    if slots is not None:
        expected.append([-lits[value] for lits, value in zip(cnf.key, slots, strict=True)])
    assert clauses == expected


def _independent() -> list[str]:
    return [name for name in ("drat-trim", "dratify") if shutil.which(name) or importlib.util.find_spec(name)]


@each_case
def test_independent_checkers_accept_the_proofs(number: int, tmp_path: Path) -> None:
    """Only our own checker reads our proofs."""
    if not _independent():
        pytest.skip("neither drat-trim (on PATH) nor the package dratify is installed")
    proof = _proved(number)
    cnf, drat = written(proof, tmp_path)
    if shutil.which("drat-trim"):
        done = subprocess.run(["drat-trim", str(cnf), str(drat)], capture_output=True, text=True, check=False, timeout=300)
        assert "s VERIFIED" in done.stdout, done.stdout
    if importlib.util.find_spec("dratify"):
        import dratify

        found = dratify.check_proof(dratify.parse_dimacs(proof.cnf), proof.drat)
        assert found.ok and found.reached_empty


@each_deep_clash
def test_spoilt_proofs_of_deep_clashes_are_refused(number: int, tmp_path: Path) -> None:
    """A proof that lacks steps, or one of other clauses, is accepted."""
    cnf, drat = written(_proved(number), tmp_path)
    top, clauses = read_cnf(cnf)
    steps = list(read_proof(drat))
    assert check(top, clauses, steps[:-1]) == "it does not end in the empty clause"  # truncated
    assert check(top, clauses, steps[-1:]).startswith("line 1: does not follow")  # every step but the last is gone
    # a literal of which propagation says nothing follows neither way, wherever it is put
    family, puzzle, _, _, claim = _made(number)
    lowered = lower(family, puzzle)
    assert lowered is not None
    state = rup._Clauses(top)
    for clause in clauses:
        state.add(clause)
    free = next(v for v in range(1, top + 1) if not state.follows([v]) and not state.follows([-v]))
    assert check(top, clauses, [(False, [free]), *steps]).startswith("line 1: does not follow")
    assert check(top, clauses, [(False, [-free]), *steps]).startswith("line 1: does not follow")
    # clauses of the clash are needed: without a clue of it there is an answer, so that no proof can be right
    said = [label for label in claim["unsat_core"] if any(clue.id == label for clue in puzzle.clues)]
    fewer = [clause for clause, label in (*lowered.rules, *lowered.clues) if label != said[0]]
    assert check(top, fewer, steps).startswith("line ")


def test_what_is_not_so_has_no_proof() -> None:
    """A puzzle with an answer is proved to have none, or one with two to have only one."""
    family, puzzle, _, slots, _ = _made(0)
    with pytest.raises(BadRow, match="the clauses have an answer"):
        prove(family, puzzle, None, 1000)
    with pytest.raises(BadRow, match="the clauses have an answer"):
        prove(family, puzzle.with_clues(puzzle.clues[1:]), slots, 1000)


def test_a_budget_is_kept_and_moves_have_no_clauses() -> None:
    """A proof takes as long as it likes, or a puzzle of moves ends in a traceback."""
    family, puzzle, _, slots, _ = _made(3)
    with pytest.raises(BadInput, match="no proof within 1 conflicts"):
        prove(family, puzzle, slots, 1)
    hanoi = family_named("hanoi")
    with pytest.raises(BadInput, match="no DRAT proof"):
        prove(hanoi, hanoi.examples()[0].puzzle, None, 1000)


# ---- effort of Z3 -----------------------------------------------------------------------------------------------------


@each_case
def test_z3_finds_what_is_proved_and_its_figures_do_not_depend_on_the_past(number: int) -> None:
    """Figures of effort change with what was asked before, or with the order of rows."""
    family, puzzle, _, slots, _ = _made(number)
    cnf = lower(family, puzzle)
    assert cnf is not None
    first = smt.effort(cnf, slots, 50_000_000)
    other = _made(0)
    other_cnf = lower(other[0], other[1])
    assert other_cnf is not None
    smt.effort(other_cnf, other[3], 50_000_000)
    smt.answers(family, puzzle, cnf, 2, 50_000_000)
    assert smt.effort(cnf, slots, 50_000_000) == first
    assert first[0] == (0 if slots is None else 1)
    assert list(first[1]) == ["smt_decisions", "smt_conflicts"] and min(first[1].values()) >= 0


def test_z3_tells_two_answers_and_a_spent_budget() -> None:
    """A third opinion that always agrees is none; a spent budget looks like an easy puzzle."""
    family, puzzle, _, slots, _ = _made(0)
    fewer = puzzle.with_clues(puzzle.clues[2:])
    cnf = lower(family, fewer)
    assert cnf is not None
    assert smt.effort(cnf, slots, 50_000_000)[0] == 2
    assert smt.effort(cnf, None, 50_000_000)[0] == 1
    assert smt.effort(cnf, slots, 1) == (None, {})


@each_case
def test_kept_z3_says_yes_to_the_one_answer_only(number: int) -> None:
    """Clues or refusals of one puzzle are left in the solver of the next, or a spent budget looks like a proof."""
    family, puzzle, _, slots, _ = _made(number)
    fewer = puzzle.with_clues(puzzle.clues[2:])
    right: list[Slots] = [] if slots is None else [slots]
    for _ in range(2):
        for each in (puzzle, fewer):
            cnf = lower(family, each)
            assert cnf is not None
            listed = smt.answers(family, each, cnf, 2, 50_000_000).answers
            assert smt.only(family, each, cnf, listed[:1], 50_000_000) is (len(listed) < 2)
            assert smt.only(family, each, cnf, right, 50_000_000) is (list(listed) == right)
            assert not listed or not smt.only(family, each, cnf, (), 50_000_000)
    cnf = lower(family, puzzle)
    assert cnf is not None
    smt.forget()
    assert not smt.only(family, puzzle, cnf, right, 1)


def test_effort_is_measured_apart_from_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every certificate pays for figures, or a disagreement of Z3 or a new SAT solver is passed over."""
    family, puzzle, answer, _, _ = _made(0)
    names = ["sat_decisions", "sat_conflicts"]
    assert list(efforts(family, puzzle, answer, Budget())) == [*names, "smt_decisions", "smt_conflicts"]
    assert list(efforts(family, puzzle, answer, replace(Budget(), rlimit=1))) == names
    assert list(efforts(family, puzzle, answer, replace(Budget(), conflicts=0))) == ["smt_decisions", "smt_conflicts"]
    monkeypatch.setattr(smt, "effort", lambda *_: (0, {}))
    assert certify(family, puzzle, answer, Budget()).status is Status.UNIQUE
    with pytest.raises(EnginesDisagree, match="model:smt says 0 answers"):
        efforts(family, puzzle, answer, Budget())
    with pytest.raises(EnginesDisagree, match="model:sat says 1 answers, proved says 0 answers"):
        efforts(family, puzzle, None, Budget())


def test_steps_with_a_changed_literal_are_judged_again(tmp_path: Path) -> None:
    """A literal added to the clauses, which makes them weaker, goes unnoticed where it matters."""
    cnf, drat = written(_proved(7), tmp_path)
    top, clauses = read_cnf(cnf)
    steps = list(read_proof(drat))
    rng = stream("tests", "drat", "literals")
    refused = 0
    for place in range(len(steps) - 1):
        lits = steps[place][1]
        changed = [*lits[:-1], -lits[-1]]
        refused += check(top, clauses, [*steps[:place], (False, changed), *steps[place + 1 :]]) != ""
    for _ in range(30):
        place = rng.below(len(clauses))
        weaker = [*clauses[:place], [*clauses[place], rng.between(1, top)], *clauses[place + 1 :]]
        refused += check(top, weaker, steps) != ""
    assert refused >= 3
