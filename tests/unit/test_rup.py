"""The checker of refutations: what it accepts follows, what it refuses is named by its line, what it reads is bounded."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import pytest
from pysat.solvers import Solver

from puzzlemill.core.errors import BadFile
from puzzlemill.core.rng import Rng, stream
from puzzlemill.solvers import rup
from puzzlemill.solvers.rup import check, check_files, read_cnf, read_proof

SQUARE = [[1, 2], [-1, 2], [1, -2], [-1, -2]]


def steps(*clauses: list[int]) -> list[tuple[bool, list[int]]]:
    return [(False, clause) for clause in clauses]


def pigeons(holes: int) -> list[list[int]]:
    """holes + 1 pigeons, one to a hole: no answer, and propagation alone does not show it."""
    at = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    clauses = [list(row) for row in at]
    return clauses + [[-a[hole], -b[hole]] for a, b in combinations(at, 2) for hole in range(holes)]


def logged(clauses: list[list[int]], name: str = "glucose4") -> list[tuple[bool, list[int]]]:
    with Solver(name=name, bootstrap_with=clauses, with_proof=True) as solver:
        assert not solver.solve()
        lines = [line.split() for line in solver.get_proof()]
    told = [(line[0] == "d", [int(token) for token in line if token != "d"][:-1]) for line in lines]
    return told if (False, []) in told else [*told, (False, [])]


def test_a_proof_by_hand() -> None:
    """The smallest proof that needs a step is refused, or one without the step is accepted."""
    assert check(2, SQUARE, steps([2], [])) == ""
    assert check(2, SQUARE, steps([])) == "line 1: does not follow by unit propagation"
    assert check(2, SQUARE, steps([2])) == "it does not end in the empty clause"
    assert check(2, SQUARE, []) == "it does not end in the empty clause"
    assert check(2, SQUARE, steps([3], [])) == "line 1: names a variable that the clauses do not have"
    assert check(2, [[1], [-1]], steps([])) == ""
    assert check(2, [[]], steps([])) == ""
    assert check(2, [[1]], steps([])) == "line 1: does not follow by unit propagation"
    assert check(2, SQUARE, steps([1, -1], [2, 2], [])) == ""  # a step that always holds, and a literal said twice


def test_what_stands_after_the_empty_clause_is_not_read() -> None:
    """Solvers that clean up after their proof are refused."""
    assert check(2, SQUARE, [*steps([2], []), (True, [7])]) == ""


def test_deletions() -> None:
    """A clause that was taken out is still used, or taking one out that is not there goes unnoticed."""
    assert check(2, SQUARE, [(True, [1, 2]), *steps([2], [])]) == "line 2: does not follow by unit propagation"
    assert check(2, SQUARE, [(False, [2]), (True, [2, 1]), *steps([])]) == ""
    assert check(2, SQUARE, [(True, [1, 2]), (True, [1, 2])]) == "line 2: takes out a clause that is not there"
    twice = [*SQUARE, [2, 1]]
    assert check(2, twice, [(True, [1, 2]), *steps([2], [])]) == ""  # one of two equal ones
    # what forces a literal without any assumption stays
    assert check(3, [[1], [-1, 2], [-2, 3], [-3, -2]], [(True, [1]), *steps([])]) == ""
    assert check(3, [[1], [-1, 2], [-2, 3, -1], [-3, -2, 1]], [(True, [-1, 2]), *steps([3])]).startswith("it does not end")


@pytest.mark.parametrize("name", ["glucose4", "cadical153", "lingeling"])
@pytest.mark.parametrize("holes", [2, 4, 6])
def test_proofs_of_solvers_are_accepted(name: str, holes: int) -> None:
    """Deletions or units as solvers write them are misread. (These solvers' steps here are all RUP.)"""
    clauses = pigeons(holes)
    assert check(holes * (holes + 1), clauses, logged(clauses, name)) == ""


def random_clauses(rng: Rng, top: int, count: int) -> list[list[int]]:
    return [[v if rng.chance(1, 2) else -v for v in rng.sample(range(1, top + 1), rng.between(1, 3))] for _ in range(count)]


def brute_force(top: int, clauses: list[list[int]]) -> bool:
    """Whether some assignment keeps every clause."""
    return any(
        all(any((lit > 0) == bits[abs(lit) - 1] for lit in clause) for clause in clauses)
        for bits in product((False, True), repeat=top)
    )


def test_clauses_with_an_answer_have_no_proof() -> None:
    """The one thing that must never happen: a proof of something false is accepted."""
    rng = stream("tests", "rup")
    refuted = 0
    for _ in range(300):
        top = rng.between(3, 6)
        clauses = random_clauses(rng, top, rng.between(4, 16))
        proof = steps(*random_clauses(rng, top, rng.between(0, 4)), [])
        if rng.chance(1, 3):
            proof.insert(rng.below(len(proof)), (True, clauses[rng.below(len(clauses))]))
        if check(top, clauses, proof) == "":
            refuted += 1
            assert not brute_force(top, clauses)
    assert refuted > 20


def test_every_step_is_judged_as_plain_propagation_judges_it() -> None:
    """Watched literals miss a contradiction, or see one that is not there, after clauses came and went."""

    def propagated(clauses: list[list[int]], assumed: list[int]) -> bool:
        true = set(assumed)
        while True:
            open_ = [[lit for lit in clause if -lit not in true] for clause in clauses if not true & set(clause)]
            if not all(open_) or any(-lit in true for lit in true):
                return True
            forced = {clause[0] for clause in open_ if len(clause) == 1} - true
            if not forced:
                return False
            true |= forced

    rng = stream("tests", "rup", "steps")
    outcomes = [0, 0]
    for _ in range(120):
        top = rng.between(4, 9)
        clauses = random_clauses(rng, top, rng.between(4, 24))
        state = rup._Clauses(top)
        for clause in clauses:
            state.add(clause)
        for step in random_clauses(rng, top, 12):
            expected = propagated(clauses, [-lit for lit in step])
            assert state.follows(step) is expected
            outcomes[expected] += 1
            if expected:
                state.add(step)
                clauses.append(step)
    assert min(outcomes) > 100


# ---- spoilt proofs ----------------------------------------------------------------------------------------------------


def test_every_change_that_matters_is_refused() -> None:
    """A proof that is cut short, or of other clauses, is accepted; a line that is gone, changed or shortened is not noticed.

    A changed line may follow all the same, so that such a proof may still be right: what follows is then judged by propagation
    in test_every_step_is_judged_as_plain_propagation_judges_it. Here a line is at least named.
    """
    clauses = pigeons(4)
    proof = [step for step in logged(clauses) if not step[0]]
    assert len(proof) > 5
    assert check(20, clauses, proof) == ""
    assert check(20, clauses, proof[:-1]) == "it does not end in the empty clause"
    assert check(20, clauses, proof[-1:]) == "line 1: does not follow by unit propagation"
    for place in range(len(proof) - 1):
        flipped = [*proof[:place], (False, [-lit for lit in proof[place][1]]), *proof[place + 1 :]]
        weaker = [*proof[:place], (False, proof[place][1][:-1]), *proof[place + 1 :]]
        for spoilt in (flipped, weaker):
            said = check(20, clauses, spoilt)
            assert said == "" or said.startswith("line ")
    assert sum(check(20, clauses, proof[:i] + proof[i + 1 :]) != "" for i in range(len(proof))) >= 2
    for missing in range(len(clauses)):  # without any one clause there is an answer, so that no proof can be right
        said = check(20, clauses[:missing] + clauses[missing + 1 :], proof)
        assert said.startswith("line ")


# ---- files ------------------------------------------------------------------------------------------------------------


def test_files(tmp_path: Path) -> None:
    """Comments, signs or deletions are read wrongly."""
    cnf, proof = tmp_path / "a.cnf", tmp_path / "a.drat"
    cnf.write_text("c by hand\np cnf 2 4\n1 2 0\n-1 2 0\nc in between\n1 -2 0\n-1 -2 0\n")
    proof.write_text("2 0\nd 1 2 0\n0\n")
    assert read_cnf(cnf) == (2, SQUARE)
    assert list(read_proof(proof)) == [(False, [2]), (True, [1, 2]), (False, [])]
    assert check_files(cnf, proof) == ""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"", "not a DIMACS file"),
        (b"1 2 0\n", ":1: expected a comment or `p cnf VARIABLES CLAUSES`"),
        (b"p cnf 2 1\n1 3 0\n", ":2: names a variable above the 2 of the header"),
        (b"p cnf 2 2\n1 2 0\n", "the header promises 2 clauses, there are 1"),
        (b"p cnf 2 1\n1 2\n", ":2: expected literals and a 0 at the end"),
        (b"p cnf 2 1\n1 0 2 0\n", ":2: expected literals"),
        (b"p cnf 2 1\n\xd9\xa1 0\n", ":2: expected literals"),
        (b"p cnf 2 1\n01 0\n", ":2: expected literals"),
        (b"p cnf 99999999 1\n1 0\n", "99999999 variables; at most"),
        (b"p cnf 2 1\n" + b"9" * 5000 + b" 0\n", ":2: expected literals"),
        (b"p cnf 2 1\n1 0\x00\n", ":2: expected literals"),
        (b"p cnf 2 1\n" + b"1 " * (1 << 20) + b"0\n", ":2: too long; at most"),
    ],
)
def test_files_that_are_no_clauses(tmp_path: Path, text: bytes, problem: str) -> None:
    """What is not DIMACS fills the memory, ends in a traceback, or is read as something else."""
    path = tmp_path / "a.cnf"
    path.write_bytes(text)
    with pytest.raises(BadFile) as caught:
        read_cnf(path)
    assert problem in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("text", [b"a\x02\x04\x00", b"\x00\xff\xfe", b"d 1 2\n", b"d  0 0\n", b"1 2 0 3\n", b"x 1 0\n", b"\n"])
def test_files_that_are_no_proofs(tmp_path: Path, text: bytes) -> None:
    """DRAT's binary form, or no proof at all, is taken for one in text form."""
    path = tmp_path / "a.drat"
    path.write_bytes(text)
    with pytest.raises(BadFile, match=r"a\.drat:1: expected literals"):
        list(read_proof(path))
    with pytest.raises(BadFile, match="cannot be read"):
        list(read_proof(tmp_path / "none"))


def test_endless_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof of any size is read."""
    monkeypatch.setattr(rup, "MAX_BYTES", 100)
    path = tmp_path / "a.drat"
    path.write_text("1 2 0\n" * 100)
    with pytest.raises(BadFile, match="and 100 in all are read"):
        list(read_proof(path))
