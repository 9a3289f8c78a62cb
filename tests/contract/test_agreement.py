"""Model, kernel table and plain checker are three statements of the same rules: they must have the same answers.

The model is lowered by tests/strategies.py, not by the library, so that a mistake there cannot hide one here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from puzzlemill.core.family import AnyFamily
from puzzlemill.core.model import BLANK, Graph, Move, Route, Slots, Space, State
from puzzlemill.core.types import AnyPuzzle, Clue
from puzzlemill.questions import asked
from puzzlemill.solvers import kept, kernels
from puzzlemill.solvers.engines import Budget, finding
from strategies import (
    BOUND,
    Case,
    bare,
    checker_answers,
    distances,
    edits,
    full,
    is_forced,
    is_graph,
    loosest,
    meaning,
    minimized,
    model_answers,
    model_forced,
    random_values,
    routes,
    shaken,
    walk,
)

MOST = 1_500  # answers that are compared one by one; at least one spec of each family has no more without any clue
FEWER = 300  # where each of many clues is laid beside all of them
OF_A_KIND = 15  # clues, about, of those many
BUDGET = 50_000_000


def kernel_answers(case: Case, puzzle: AnyPuzzle) -> set[Slots] | None:
    """The kernel's answers; None where the family has no table for this puzzle."""
    table = case.family.table(puzzle)
    if table is None:
        return None
    finding = kernels.answers(table, 100 * MOST, BUDGET)
    assert finding.exhausted
    assert len(set(finding.answers)) == len(finding.answers), "the kernel gave an answer twice"
    return set(finding.answers)


def test_a_small_spec_is_compared_without_clues(family: AnyFamily) -> None:
    """smallest() must name a spec whose answers can all be listed, so that the bare rules are compared in full."""
    cases = [Case(family, spec) for spec in family.smallest]
    assert any(is_graph(case) or not loosest(case, 0, MOST)[0].clues for case in cases)


def test_all_answers_of_the_bare_board_agree(slot_case: Case) -> None:
    """The rules alone: one of the three has a rule too many or too few. Boards with more answers get clues below."""
    puzzle = bare(slot_case)
    table = slot_case.family.table(puzzle)
    if table is not None and len(kernels.answers(table, MOST + 1, BUDGET).answers) > MOST:
        return
    by_model = model_answers(slot_case.family, puzzle, MOST + 1)
    assert by_model
    if len(by_model) <= MOST:
        by_kernel = kernel_answers(slot_case, puzzle)
        assert by_kernel is None or by_kernel == by_model
        first = next((spec for spec in slot_case.family.smallest if not spec.rules), None)
        bound = BOUND if slot_case.spec == first else 1 << 12  # every assignment is tried of one spec, the others are searched
        assert checker_answers(slot_case.family, puzzle, MOST + 1, bound) == by_model


@pytest.mark.parametrize("index", range(2))
def test_all_answers_under_some_clues_agree(slot_case: Case, index: int) -> None:
    """As few clues as leave 40 answers at most: one of the three reads a clue in its own way."""
    if not full(slot_case, index).puzzle.clues:
        pytest.skip("nothing but the bare board")
    puzzle, by_model = loosest(slot_case, index, 40)
    assert checker_answers(slot_case.family, puzzle, 41, 1 << 12) == by_model
    by_kernel = kernel_answers(slot_case, puzzle)
    assert by_kernel is None or by_kernel == by_model


def test_each_clue_means_the_same_to_all(slot_case: Case) -> None:
    """Clues of three full drafts, one at a time beside as few others as leave a list of answers: which of them keep it?

    Model, kernel and checker must keep the same ones. So a clue of a rare kind that is read apart shows even where no minimized
    puzzle happens to need it.
    """
    family = slot_case.family
    puzzle, listed = loosest(slot_case, 0, FEWER)
    drafts = [full(slot_case, index) for index in range(3)]  # where boards differ, a clue of another board means nothing here
    every = dict.fromkeys(clue for draft in drafts for clue in draft.puzzle.clues if draft.puzzle.board == puzzle.board)
    by_kind: dict[str, list[Clue]] = {}
    for clue in every:
        by_kind.setdefault(clue.kind, []).append(clue)
    for clue in [clue for alike in by_kind.values() for clue in alike[:: 1 + len(alike) // OF_A_KIND]]:
        alone = puzzle.with_clues([*(other for other in puzzle.clues if other.id != clue.id), replace(clue, id="asked")])
        if len(alone.clues) != len(puzzle.clues) + 1:
            continue  # stated already
        kept = {values for values in listed if accepts(slot_case, alone, values)}
        with meaning(family, alone) as reference:
            assert {values for values in listed if reference.allows(values)} == kept, clue
        by_kernel = kernel_answers(slot_case, alone)
        assert by_kernel is None or by_kernel == kept, clue


def test_the_kernel_counts_as_the_model_does_clue_by_clue(slot_case: Case) -> None:
    """Each clue of a puzzle left out in turn, up to 100 answers: the clue that the kernel and the model read apart shows."""
    puzzle = minimized(slot_case, 0).puzzle
    for clue in puzzle.clues:
        fewer = puzzle.with_clues([other for other in puzzle.clues if other != clue])
        table = slot_case.family.table(fewer)
        if table is not None:
            by_model = model_answers(slot_case.family, fewer, 100)
            by_kernel = set(kernels.answers(table, 100, BUDGET).answers)
            assert len(by_kernel) == len(by_model), clue.id
            assert len(by_model) == 100 or by_kernel == by_model, clue.id


@pytest.mark.parametrize("index", range(3))
def test_a_thinned_puzzle_has_its_answer_and_no_other(slot_case: Case, index: int) -> None:
    """Every row rests on this: leaving out clues must stop before a second answer appears."""
    draft = minimized(slot_case, index)
    family = slot_case.family
    only = {family.form.values(draft.puzzle.spec, draft.puzzle.board, draft.answer)}
    if is_forced(draft.puzzle):
        assert {model_forced(family, draft.puzzle)} == only
        assert asked(draft.puzzle).objections(family, draft.puzzle, draft.answer) == []
        return
    assert model_answers(family, draft.puzzle, 2) == only
    by_kernel = kernel_answers(slot_case, draft.puzzle)
    assert by_kernel is None or by_kernel == only
    assert family.broken_rules(draft.puzzle, draft.answer) == []


def test_a_kept_solver_says_what_the_model_says(slot_case: Case) -> None:
    """A clause of one puzzle is left in the solver of the next: here those of a puzzle with one clue less, in turn."""
    family = slot_case.family
    clauses = not family.lexical and not isinstance(family.model(slot_case.spec, bare(slot_case).board), Space)
    drafts = [minimized(slot_case, index).puzzle for index in range(2)]
    if not clauses:
        assert not any(kept.only(family, puzzle, answers, BUDGET) for puzzle in (*drafts, *drafts) for answers in ((), [()]))
        return
    fewer = [
        puzzle.with_clues([other for other in puzzle.clues if other != clue]) for puzzle in drafts for clue in puzzle.clues[:6]
    ]
    for puzzle in (*drafts, *fewer, *drafts):
        listed = sorted(model_answers(family, puzzle, 2))
        kept.only(family, puzzle, listed, BUDGET)  # the first puzzle of its rules keeps nothing
        assert kept.only(family, puzzle, listed[:1], BUDGET) == (len(listed) < 2)
        assert not listed or not kept.only(family, puzzle, (), BUDGET)


def test_a_thinned_puzzle_is_minimal(slot_case: Case) -> None:
    """clues.kept() == 0 promises that no clue can be left out any more."""
    if slot_case.family.clues.kept(slot_case.spec) != 0:
        return
    draft = minimized(slot_case, 0)
    absent = set(range(len(full(slot_case, 0).puzzle.clues))) - set(
        slot_case.family.clues.removal_order(full(slot_case, 0), slot_case.rng("thin", 0))
    )
    always = {full(slot_case, 0).puzzle.clues[i].id for i in absent}
    for clue in draft.puzzle.clues:
        if clue.id not in always:
            fewer = draft.puzzle.with_clues([other for other in draft.puzzle.clues if other != clue])
            assert len(model_answers(slot_case.family, fewer, 2)) == 2, f"clue {clue.id} is not needed"


def test_near_misses_agree(slot_case: Case) -> None:
    """All one- and two-slot edits of a right answer (at most 2,000 of them): checker and model must agree on each."""
    compare_edits(slot_case, most=2_000)


@pytest.mark.slow
def test_near_misses_agree_all(slot_case: Case) -> None:
    """The same with every edit, of another puzzle."""
    compare_edits(slot_case, most=10**9, index=1)


def compare_edits(case: Case, most: int, index: int = 0) -> None:
    family, draft = case.family, full(case, index)
    sizes = family.form.slots(draft.puzzle.spec, draft.puzzle.board)
    right = family.form.values(draft.puzzle.spec, draft.puzzle.board, draft.answer)
    changed = [*edits(right, sizes, 1), *edits(right, sizes, 2)]
    if len(changed) > most:
        changed = case.rng("edits").sample(changed, most)
    puzzle = minimized(case, index).puzzle
    with meaning(family, puzzle) as reference:
        for values in [right, *changed]:
            assert reference.allows(values) == accepts(case, puzzle, values), values


def accepts(case: Case, puzzle: AnyPuzzle, values: Slots, partial: bool = False) -> bool:
    answer = case.family.form.assemble(puzzle.spec, puzzle.board, values)
    return not case.family.broken_rules(puzzle, answer, partial=partial)


def test_random_assignments_agree(slot_case: Case) -> None:
    """1,000 assignments, half of them even draws, half a right answer shaken."""
    compare_random(slot_case, 1_000)


@pytest.mark.slow
def test_random_assignments_agree_many(slot_case: Case) -> None:
    """The same with 3,000."""
    compare_random(slot_case, 3_000)


def compare_random(case: Case, count: int) -> None:
    """Four blocks: without clues, and under three minimized puzzles' clues."""
    family, rng = case.family, case.rng("random", count)
    rights = [full(case, index) for index in range(8)]
    known = [family.form.values(case.spec, draft.puzzle.board, draft.answer) for draft in rights]
    for index in range(4):
        puzzle = minimized(case, index).puzzle if index else bare(case)
        sizes = family.form.slots(puzzle.spec, puzzle.board)
        alike = [values for values in known if len(values) == len(sizes)]  # boards of texts have cells of their own
        with meaning(family, puzzle) as reference:
            for i in range(count // 4):
                right = known[index] if i % 4 == 1 else alike[i % len(alike)]
                values = shaken(right, sizes, rng) if i % 2 else random_values(sizes, rng)
                assert reference.allows(values) == accepts(case, puzzle, values), values


def test_the_checker_never_blames_what_can_be_completed(slot_case: Case) -> None:
    """partial=True prunes the checker-driven search: a rule that counts as broken too early loses answers."""
    family, rng = slot_case.family, slot_case.rng("partial")
    for index in range(4):
        draft = minimized(slot_case, index)
        right = family.form.values(draft.puzzle.spec, draft.puzzle.board, full(slot_case, index).answer)
        for _ in range(60):
            some = tuple(v if rng.chance(1, 2) else BLANK for v in right)
            assert accepts(slot_case, draft.puzzle, some, partial=True), some


def test_filling_more_never_mends(slot_case: Case) -> None:
    """What is broken stays broken when blanks are filled (monotone), up to the full check."""
    family, rng = slot_case.family, slot_case.rng("monotone")
    puzzle = minimized(slot_case, 0).puzzle
    sizes = family.form.slots(puzzle.spec, puzzle.board)
    for _ in range(60):
        values = random_values(sizes, rng)
        shown = [False] * len(values)
        was_fine = True
        for s in rng.shuffled(range(len(values))):
            shown[s] = True
            some = tuple(v if known else BLANK for v, known in zip(values, shown, strict=True))
            fine = accepts(slot_case, puzzle, some, partial=True)
            assert was_fine or not fine, some
            was_fine = fine
        assert was_fine or not accepts(slot_case, puzzle, values)


def test_blanks_are_not_an_answer(slot_case: Case) -> None:
    """A partial answer handed in as a whole one breaks a rule, and does not raise."""
    puzzle = minimized(slot_case, 0).puzzle
    sizes = slot_case.family.form.slots(puzzle.spec, puzzle.board)
    assert not accepts(slot_case, puzzle, (BLANK,) * len(sizes))


# ---- move puzzles --------------------------------------------------------------------------------------------------


def graph_of(case: Case, index: int) -> tuple[AnyPuzzle, Graph]:
    puzzle = full(case, index).puzzle
    graph = case.family.model(puzzle.spec, puzzle.board)
    assert isinstance(graph, Graph)
    return puzzle, graph


@pytest.mark.parametrize("index", range(3))
def test_the_kernel_finds_the_shortest_distance(graph_case: Case, index: int) -> None:
    """Breadth-first search over the model, the kernel and the hidden answer must agree on the least number of moves."""
    puzzle, graph = graph_of(graph_case, index)
    least = distances(graph, graph.start)[graph.goal]
    route = finding(graph_case.family, puzzle, "kernel", 1, Budget(states=BUDGET))
    assert isinstance(route, Route)
    assert route.decided
    assert route.length == least
    answer = full(graph_case, index).answer
    assert graph_case.family.routes.cost(puzzle, answer) == least
    assert graph_case.family.broken_rules(puzzle, answer) == []


def test_every_shortest_route_is_right_and_no_shorter_one_exists(graph_case: Case) -> None:
    """An optimal reply that the checker refuses, or a short cut that only the checker knows."""
    puzzle, graph = graph_of(graph_case, 0)
    least = distances(graph, graph.start)[graph.goal]
    shortest = list(routes(graph, least))
    assert shortest
    for moves in shortest:
        assert graph_case.family.broken_rules(puzzle, moves) == []
        assert graph_case.family.routes.cost(puzzle, moves) == least
    for length in range(least):
        assert list(routes(graph, length)) == []


def test_the_checker_allows_the_moves_that_the_model_allows(graph_case: Case) -> None:
    """From every state that can be reached: the same moves are legal for both, so no illegal short cut is ever accepted."""
    puzzle, graph = graph_of(graph_case, 0)
    ways: dict[State, tuple[Move, ...]] = {graph.start: ()}
    for state in distances(graph, graph.start):  # in the order in which they are reached
        for move, other in graph.moves(state):
            ways.setdefault(other, (*ways[state], move))
    known = sorted({move for state in ways for move, _ in graph.moves(state)})
    for state, way in ways.items():
        legal = {move for move, _ in graph.moves(state)}
        by_checker = {move for move in known if not graph_case.family.broken_rules(puzzle, (*way, move), partial=True)}
        assert by_checker == legal, state


def test_the_checker_walks_as_the_model_does(graph_case: Case) -> None:
    """Every edit of a shortest route and random lists of moves: legal for the model exactly when legal for the checker."""
    puzzle, graph = graph_of(graph_case, 0)
    rng = graph_case.rng("moves")
    known = sorted({move for state in distances(graph, graph.start) for move, _ in graph.moves(state)})
    answer: Any = full(graph_case, 0).answer
    right = list(answer)
    tried = [[*right[:i], move, *right[i + 1 :]] for i in range(len(right)) for move in known]
    tried += [right[:i] + right[i + 1 :] for i in range(len(right))]
    tried += [[rng.pick(known) for _ in range(rng.between(0, 2 * len(right)))] for _ in range(500)]
    for _ in range(500):
        state, moves = graph.start, []
        for _ in range(rng.between(1, 2 * len(right))):
            if not (ways := list(graph.moves(state))):
                break  # one-way moves come to an end
            move, state = rng.pick(ways)
            moves.append(move)
        tried.append(moves)
    for moves in tried:
        arrives = walk(graph, moves) == graph.goal
        assert arrives == (graph_case.family.broken_rules(puzzle, tuple(moves)) == []), moves
