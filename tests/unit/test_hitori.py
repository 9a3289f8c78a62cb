"""Hitori: what only this family promises; what all families promise is in tests/contract."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from pysat.solvers import Solver

from puzzlemill.core.model import BLANK, Constraints, ErasureTable
from puzzlemill.core.rng import stream
from puzzlemill.core.rules import resolved
from puzzlemill.core.text import lines_of
from puzzlemill.core.types import Clue, Depth, Puzzle, Rule, Spec, Status, Style
from puzzlemill.factory.canonical import canonical_key
from puzzlemill.generators.hitori import CIPHER, FAMILY, Params
from puzzlemill.scoring.prompt import prompt
from puzzlemill.solvers import kernels, sat
from puzzlemill.solvers.certify import certify
from puzzlemill.solvers.deduce import grade
from puzzlemill.solvers.drat import prove
from puzzlemill.solvers.engines import Budget, Engines
from puzzlemill.solvers.kernels import erase
from puzzlemill.solvers.kernels.random import state_of
from puzzlemill.solvers.lower import lower
from puzzlemill.transforms import transform_of

ASK = Engines(FAMILY)
SMALL = FAMILY.examples()[1]  # 5 rows, 6 columns


def drawn(rows: int, cols: int, index: int, rules: tuple[Rule, ...] = ()) -> tuple[Puzzle, tuple[tuple[int, ...], ...]]:  # type: ignore[type-arg]
    rng = stream("hitori", rows, cols, index)
    spec = resolved(FAMILY.rules, Spec(Params(rows, cols), rules), rng.child("settle"))
    draft = FAMILY.make_puzzle(spec, FAMILY.sample_solution(spec, rng.child("fill"), ASK), rng)
    assert draft.answer is not None
    return draft.puzzle, draft.answer


def grid(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple({".": 0, "#": 1, "?": BLANK}[sign] for sign in row) for row in text.split())


def test_the_rules_refuse_what_they_should() -> None:
    """broken_rules names the rule that is broken, and nothing else."""
    puzzle = SMALL.puzzle
    right = "#..#.. ....#. .#.#.. ..#.#. #....."
    assert FAMILY.broken_rules(puzzle, grid(right)) == []
    assert FAMILY.broken_rules(puzzle, grid(right.replace("#..#..", "...#..", 1))) == ["repeat"]
    assert FAMILY.broken_rules(puzzle, grid(right.replace("#..#..", "##.#..", 1))) == ["adjacent"]
    assert "connected" in FAMILY.broken_rules(puzzle, grid(".#.... #..... ...... ...... ......"))
    assert FAMILY.broken_rules(puzzle, grid("?????? ?????? ?????? ?????? ??????"), partial=True) == []
    assert FAMILY.broken_rules(puzzle, grid(right)[:4]) == ["malformed"]


def test_three_erased_cells_around_a_braced_one_are_the_most() -> None:
    """Four are one too many, and so is the braced cell itself."""
    rule = Rule("braced", ((14,),))  # row 3 column 3 of 5x6
    puzzle = replace(SMALL.puzzle.with_clues(()), spec=SMALL.puzzle.spec.with_rule(rule))
    around = [7, 9, 19, 21]
    for erased in product((0, 1), repeat=4):
        answer = [[0] * 6 for _ in range(5)]
        for cell, v in zip(around, erased, strict=True):
            answer[cell // 6][cell % 6] = v
        broken = FAMILY.broken_rules(puzzle, tuple(map(tuple, answer)))
        assert ("braced" in broken) == (sum(erased) == 4)
    assert "braced" in FAMILY.broken_rules(puzzle, grid("...... ...... ..#... ...... ......"))


def test_nothing_is_hidden_beside_the_answer() -> None:
    """A row's `hidden` is for what its answer does not say; the numbers are in the puzzle, and `verify` expects none."""
    spec = Spec(Params(4, 5))
    draft = FAMILY.make_puzzle(spec, FAMILY.sample_solution(spec, stream("hitori"), ASK), stream("hitori"))
    assert draft.hidden is None
    assert draft.answer is not None


def test_connection_in_clauses_means_connection() -> None:
    """Every set of vertices of a path, of rings and a grid: the clauses allow exactly the connected ones, also the empty one."""
    path = [(i, i + 1) for i in range(5)]
    square = [(r * 3 + c, r * 3 + c + 1) for r in range(3) for c in range(2)] + [(i, i + 3) for i in range(6)]
    for count, edges in ((6, path), (6, [*path, (0, 5)]), (5, [*path[:4], (0, 4)]), (9, square)):
        m = Constraints()
        lits = [m.slot(2)[1] for _ in range(count)]
        m.connected(lits, edges, count - 1, label="connected")
        with sat._solver([clause for clause, _ in m.clauses]) as solver:
            for chosen in product((False, True), repeat=count):
                inside = {i for i in range(count) if chosen[i]}
                reached = set(list(inside)[:1])
                for _ in range(count):
                    reached |= {b for pair in edges for a, b in (pair, pair[::-1]) if a in reached and b in inside}
                assumed = [lit if i in inside else -lit for i, lit in enumerate(lits)]
                assert solver.solve(assumptions=assumed) == (reached == inside), (count, sorted(inside))


def test_connection_is_decided_without_a_guess() -> None:
    """When every cell is set, unit propagation over the clauses must find what is cut off: nothing is searched for steps."""
    spec = Spec(Params(5, 6))
    puzzle = SMALL.puzzle.with_clues(())
    cnf = lower(FAMILY, replace(puzzle, spec=spec))
    assert cnf is not None
    cut = grid("..#... .#.... #..... ...... ......")
    with Solver(name=sat.PROPAGATING, bootstrap_with=cnf.all_clauses()) as solver:
        consistent, _ = solver.propagate([lits[v] for lits, v in zip(cnf.key, [v for row in cut for v in row], strict=True)])
    assert not consistent
    assert FAMILY.broken_rules(puzzle, cut) == ["connected"]


def test_the_longest_way_through_a_grid_is_within_reach() -> None:
    """The reach of the clauses must never be too short: a snake of kept cells between rows of erased ones."""
    rows, cols = 11, 12
    spec = Spec(Params(rows, cols))
    model = FAMILY.model(spec, SMALL.puzzle.board)
    snake = [[1 if r % 2 and c != (cols - 1 if r % 4 == 1 else 0) else 0 for c in range(cols)] for r in range(rows)]
    clauses = [clause for clause, label in model.clauses if label == "connected"]
    with sat._solver(clauses) as solver:
        assert solver.solve(assumptions=[model.key[r * cols + c][snake[r][c]] for r in range(rows) for c in range(cols)])


@pytest.mark.parametrize(("rows", "cols", "most"), [(4, 4, 110), (4, 5, 382)])
def test_the_number_of_answers_is_the_declared_one(rows: int, cols: int, most: int) -> None:
    """few_answers tells how often the best blind reply is right: legal erasures to which none can be added, listed by the kernel
    and judged by the plain checker."""
    table = ErasureTable(rows, cols, ())
    listed = kernels.answers(table, 10_000, 10**7)
    assert listed.exhausted
    puzzle = FAMILY.text.parse(lines_of("hitori\n" + (" ".join("." * cols) + "\n") * rows))
    legal = {
        values for values in listed.answers if not FAMILY.broken_rules(puzzle, FAMILY.form.assemble(puzzle.spec, None, values))
    }
    assert len(legal) == len(listed.answers)
    maximal = [
        values for values in legal if not any((*values[:i], 1, *values[i + 1 :]) in legal for i, v in enumerate(values) if not v)
    ]
    assert len(maximal) == most == FAMILY.small.answers(puzzle.spec)


@pytest.mark.parametrize(("rows", "cols"), [(4, 7), (7, 5), (8, 8), (12, 12)])
def test_drawn_puzzles_have_one_answer_by_clauses_too(rows: int, cols: int) -> None:
    """The kernel draws and proves with the same code: clauses that share nothing with it must agree at every size."""
    for index in range(1 if rows == 12 else 3):
        puzzle, answer = drawn(rows, cols, index)
        cnf = lower(FAMILY, puzzle)
        assert cnf is not None
        found, _ = sat.answers(cnf, 2, 200_000)
        assert found.exhausted
        assert found.answers == (FAMILY.form.values(puzzle.spec, puzzle.board, answer),)


def test_every_latin_square_comes_up() -> None:
    """Numbers from a sliver of the Latin squares would let a solver guess: all 576 of 4x4, and rectangles either way round."""
    seen = set()
    for index in range(6_000):
        symbols = np.zeros(16, dtype=np.int64)
        erase._latin(4, 4, state_of(stream("latin", index)), symbols)
        seen.add(tuple(symbols.tolist()))
    assert len(seen) == 576
    for rows, cols in ((4, 9), (9, 4), (12, 11), (11, 12)):
        for index in range(50):
            symbols = np.zeros(rows * cols, dtype=np.int64)
            erase._latin(rows, cols, state_of(stream("latin", rows, index)), symbols)
            square = symbols.reshape(rows, cols)
            assert all(len(set(line.tolist())) == len(line) for line in (*square, *square.T))
            assert 0 <= square.min() <= square.max() < max(rows, cols)


def test_braces_are_needed() -> None:
    """A puzzle under braced has other answers without the braces, proved; and the certificate says so."""
    proved = 0
    for index in range(6):
        puzzle, answer = drawn(6, 5, index, (Rule("braced"),))
        if ASK.count(replace(puzzle, spec=puzzle.spec.without_rule("braced"))) < 2:
            continue
        certificate = certify(FAMILY, puzzle, answer, Budget())
        assert certificate.status is Status.UNIQUE
        assert certificate.necessary == ("braced",)
        proved += 1
    assert proved >= 3


def test_a_puzzle_is_proved_by_drat() -> None:
    """The clauses of connection must do in a proof that others check."""
    puzzle, answer = SMALL.puzzle, SMALL.answer
    proof = prove(FAMILY, puzzle, FAMILY.form.values(puzzle.spec, puzzle.board, answer), 100_000)
    assert proof.drat.endswith("0\n")
    assert proof.steps > 0


def test_the_cipher_is_the_papers() -> None:
    """In row i (from 1), number k is the letter 'A' + (i + k - 2) mod n, and the prompt says so."""
    puzzle = SMALL.puzzle
    look = transform_of(FAMILY, CIPHER, {}).restyle(FAMILY, puzzle, stream("hitori"))
    told = FAMILY.render(replace(puzzle, style=look)).split("\n")[-5:]
    numbers = FAMILY.render(puzzle).split("\n")[-5:]
    for i, (row, plain) in enumerate(zip(told, numbers, strict=True), 1):
        assert row.split() == [chr(ord("A") + (i + int(k) - 2) % 6) for k in plain.split()]
    text = FAMILY.render(replace(puzzle, style=look))
    assert "In row 1, A is 1, B is 2, and so on to F, which is 6." in text
    assert "in row 2, B is 1, C is 2, F is 5 and A is 6." in text
    assert FAMILY.describe(replace(puzzle, style=look), "r2c1") == "Row 2 column 1 shows D, which is 3."


def test_a_renumbered_turned_puzzle_is_the_same() -> None:
    """Only which cells of a line are equal matters: other numbers that leave this as it is make no new puzzle."""
    puzzle = SMALL.puzzle
    key = canonical_key(FAMILY, puzzle)
    swap = [5, 0, 1, 2, 3, 4]
    turned = [Clue(clue.id, clue.kind, (29 - clue.ints()[0], swap[clue.ints()[1]])) for clue in puzzle.clues]
    assert canonical_key(FAMILY, puzzle.with_clues(turned)) == key
    other = next(FAMILY.clues.alternatives(puzzle, puzzle.clues[0], stream("hitori")))
    assert canonical_key(FAMILY, puzzle.with_clues([other, *puzzle.clues[1:]])) != key


def test_digits_may_stand_together() -> None:
    """Published puzzles are often written so."""
    assert FAMILY.text.parse(lines_of("hitori\n122\n213\n")) == FAMILY.text.parse(lines_of("hitori\n1 2 2\n2 1 3\n"))


def test_a_larger_grid_draws_its_braces_anew() -> None:
    """The cells of the smaller grid would be others in the larger one."""
    spec = Spec(Params(5, 6), (Rule("braced", ((3, 7),)),))
    larger = FAMILY.larger(spec)
    assert larger == Spec(Params(6, 7), (Rule("braced"),))
    assert FAMILY.larger(Spec(Params(11, 12))) is None


def test_a_clash_that_shows_at_a_glance_is_shallow() -> None:
    """What the easiest deductions refute must not be called deep; and without braces there are clashes of both depths."""
    depths = set()
    for index in range(4):
        puzzle, _ = drawn(4, 5, index)
        for edited in FAMILY.clues.changes(puzzle, stream("hitori", "changes", index)):
            if not ASK.count(edited, 1):
                graded = grade(FAMILY, edited, None)
                assert graded is not None
                depth = ASK.depth(edited)
                assert graded.tier > 1 or depth is Depth.SHALLOW
                depths.add(depth)
    assert depths == {Depth.SHALLOW, Depth.DEEP}


def test_what_two_rules_force_needs_both() -> None:
    """Clauses for what "repeat" and "adjacent" force together carry one label; without the other rule they must say nothing."""
    puzzle = FAMILY.text.parse(lines_of("hitori\n1 . 1 . 1\n" + ". . . . .\n" * 4))
    cnf = lower(FAMILY, puzzle)
    assert cnf is not None
    numbers = ["r1c1", "r1c3"]
    with sat.labelled(cnf, 1_000) as ask:
        middle = cnf.key[1][1]
        assert ask.holds([*numbers, "repeat", "adjacent"], [middle]) is False
        assert ask.holds([*numbers, "repeat"], [middle])
        assert ask.holds([*numbers, "adjacent"], [middle])


def test_the_prompt_shows_braces_in_line() -> None:
    """Brackets must not shift the columns, also with numbers of two digits."""
    puzzle, _ = drawn(10, 12, 0, (Rule("braced"),))
    rows = FAMILY.render(puzzle).split("\n")[-10:]
    assert all(len(row.replace("[", " ").replace("]", " ").split()) == 12 for row in rows)
    text = prompt(puzzle, "json")
    assert "4. A cell in square brackets stays" in text
    assert isinstance(puzzle.style, Style)
