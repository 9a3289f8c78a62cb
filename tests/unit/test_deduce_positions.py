"""Deduction of items at positions: techniques on tables made for them, traces through the checker of steps, and their words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any

import pytest

from puzzlemill.core.errors import Discarded
from puzzlemill.core.model import COMPOSITES, RELATIONS, PositionTable, Step
from puzzlemill.core.rng import stream
from puzzlemill.core.types import AnyDraft, Spec
from puzzlemill.factory.build import _draw
from puzzlemill.generators import family_named
from puzzlemill.rules.positions import Size
from puzzlemill.rules.positions_words import Wording
from puzzlemill.solvers import sat
from puzzlemill.solvers.deduce import explain, explain_all, grade, positions, supposition
from puzzlemill.solvers.deduce.check import wrong_step
from puzzlemill.solvers.deduce.positions_ahead import TOLD
from puzzlemill.solvers.deduce.positions_board import PROBES
from puzzlemill.solvers.deduce.positions_findings import (
    LONGEST,
    ByClue,
    Chain,
    Composite,
    Known,
    LookAhead,
    Merged,
    Part,
    Reach,
    Same,
    Subset,
)
from puzzlemill.solvers.deduce.positions_relations import forced, relation
from puzzlemill.solvers.deduce.positions_singles import subsets_in
from puzzlemill.solvers.deduce.positions_traces import first_uses
from puzzlemill.solvers.deduce.steps import UNTOLD, all_follow
from puzzlemill.solvers.engines import Engines
from puzzlemill.solvers.lower import lower
from puzzlemill.vocabulary.wordings import FIRST

FAMILY = family_named("zebra")
ENGINES = Engines(FAMILY)
CITED = re.compile(r"[Cc]lues? \d+(?:(?:, \d+)* and \d+)?")


def drawn(size: tuple[int, int], number: int, *ways: str) -> AnyDraft | None:
    spec = Spec(replace(FAMILY.params(), positions=size[0], attributes=size[1], **dict.fromkeys(ways, True)))
    try:
        return _draw(FAMILY, spec, stream("deduce positions", *size, number, *ways), ENGINES, False)
    except Discarded:
        return None


def row(kind: str, *items: tuple[int, int], d: int = 0) -> tuple[int, ...]:
    flat = [part for item in items for part in item]
    return (RELATIONS.index(kind), *flat, *(0,) * (6 - len(flat)), d)


def all_steps(n: int, m: int, *clues: tuple[int, ...], parts: tuple[tuple[int, ...], ...] = (), looks: int = 7) -> list[Step]:
    board = positions._Board(PositionTable(n, m, clues, parts), [f"k{i}" for i in range(len(clues))])
    board.run(looks)
    return board.steps


def test_a_clue_by_what_is_placed() -> None:
    steps = all_steps(4, 2, row("at", (0, 0), d=1), row("just_left", (0, 0), (1, 2)))
    assert steps[0] == Step("clue", ("k0",), ((1, 0),), found=ByClue(0, (0,), ()))
    # the item of attribute 1 stands at place 2, which is slot 4 + 2
    assert steps[1] == Step("clue", ("k1", "#1"), ((6, 2),), found=ByClue(1, (0, 6), (Known(0, 0b10, True),)))


def test_a_clue_by_itself_and_by_reach() -> None:
    steps = all_steps(4, 2, row("left", (0, 0), (1, 0)), row("not_at", (0, 0), d=0))
    assert steps[0] == Step("clue", ("k1",), (), ((0, 0),), found=ByClue(1, (0,), ()))
    assert steps[1].drops == ((3, 0), (4, 0))
    assert steps[2] == Step("reach", ("k0", "#1", "once"), (), ((5, 0),), found=Reach(0, (0, 4), (Known(0, 0b1, False),)))


def test_once() -> None:
    steps = all_steps(3, 1, row("not_at", (0, 0), d=0), row("not_at", (0, 0), d=1), row("not_at", (0, 1), d=0))
    assert {fact for step in steps for fact in step.sets} == {(0, 2), (1, 1), (2, 0)}


def test_items_that_are_one_are_merged_before_any_place_is_known() -> None:
    """(1, 0) is (0, 0), so that what clues say of either holds for both, and both are set in one step."""
    steps = all_steps(4, 2, row("at", (0, 1), d=2), row("same", (0, 0), (1, 0)), row("just_left", (1, 0), (0, 1)))
    step = next(step for step in steps if step.sets and step.uses[0] == "k2")
    assert set(step.sets) == {(1, 0), (5, 0)}
    assert step.found == ByClue(2, (4, 1), (Known(1, 0b100, True),), (), (Same(0, 4, (1,)),))  # (1, 0), which more clues name


def refuted(n: int, m: int, *clues: tuple[int, ...]) -> list[Step]:
    return positions.deduce(PositionTable(n, m, clues, ()), [f"k{i}" for i in range(len(clues))], None)


def test_contradictions_that_are_seen_at_once() -> None:
    """Clues that merge what cannot be one, or put items round in a circle, take one step among whatever other clues."""
    others = (row("next", (0, 2), (1, 1)), row("at", (1, 3), d=0), row("left", (0, 3), (0, 2)))
    two = refuted(4, 2, *others, row("same", (0, 0), (1, 0)), row("same", (0, 1), (1, 0)))
    assert two == [Step("same", ("k3", "k4", "once"), found=Merged(0, 1, (3, 4), -1))]
    both = refuted(4, 2, *others, row("same", (0, 0), (1, 0)), row("not_same", (0, 0), (1, 0)))
    assert both == [Step("same", ("k3", "k4", "once"), found=Merged(0, 4, (3,), 4))]
    right = refuted(4, 2, *others, row("just_left", (0, 0), (1, 0)), row("just_left", (0, 0), (1, 2)))
    assert [(step.technique, step.uses) for step in right] == [("clash", ("k3", "k4", "once"))]
    gaps = refuted(5, 2, *others, row("next", (0, 0), (1, 0)), row("apart", (0, 0), (1, 0), d=2))
    assert [(step.technique, step.uses) for step in gaps] == [("clash", ("k3", "k4", "once"))]
    orders = (row("left", (0, 0), (1, 0)), row("just_left", (1, 0), (0, 1)), row("left", (0, 1), (0, 0)))
    circle = refuted(4, 2, *others, *orders)
    assert [(step.technique, set(step.uses)) for step in circle] == [("chain", {"k3", "k4", "k5", "once"})]


@pytest.mark.parametrize("number", range(4))
def test_a_contradiction_that_stands_is_told_at_once(number: int) -> None:
    """Failing means that a trace goes on after two items have one place, or an item none, or a clue cannot hold any more."""
    draft = drawn((4, 4), number)
    assert draft is not None
    table, n = FAMILY.table(draft.puzzle), 4
    values = FAMILY.form.values(draft.puzzle.spec, draft.puzzle.board, draft.answer)
    moved = row("at", (0, values[0]), d=1)  # which is at place 0
    table = PositionTable(n, table.attributes, (*table.clues, moved), table.parts)
    ids = [f"k{i}" for i in range(len(table.clues))]
    steps = positions.deduce(table, ids, None)
    for after in range(len(steps) - 1):
        board = positions._Board(table, ids)
        board.resume(steps[:after])
        assert not any(board._unplaced(attribute) for attribute in range(table.attributes))
        assert not any(board._unheld(i) for i in board.used if board.kinds[i] != "same")


def test_what_is_tried_places_an_item_that_a_later_step_places() -> None:
    """Failing means that a worked reply tries what it has no use for, or follows what needs no supposition."""
    found = 0
    for number in range(4):
        draft = drawn((4, 5), number)
        assert draft is not None
        graded = grade(FAMILY, draft.puzzle, draft.answer)
        assert graded is not None
        for i in range(10):
            tried = supposition(FAMILY, draft.puzzle, graded.steps, stream("tried", number, i))
            if tried is not None:
                found += 1
                assert len(tried.step.sets) == 1 and not tried.step.drops
                assert tried.step.sets in [step.sets for step in graded.steps[tried.after :]]
    assert found > 5


def test_steps_of_a_story_that_lean_on_its_supposition() -> None:
    first, second, end = Step("a", ("?0",), ((0, 0),)), Step("b", ("k0", "#1"), ((1, 0),)), Step("c", ("?1", "?2"))
    assert not all_follow([first, second, end], "?")
    assert all_follow([first, replace(second, uses=("?1",)), end], "?")
    assert all_follow([first, second, replace(end, uses=("?1",))], "?")  # the second is not needed


def test_an_order_that_fills_the_row_places_its_items() -> None:
    steps = all_steps(3, 2, row("left", (0, 0), (1, 0)), row("left", (1, 0), (0, 1)))
    assert isinstance(steps[0].found, Chain)
    assert (set(steps[0].sets), steps[0].drops) == ({(0, 0), (4, 0), (2, 1)}, ())


def test_what_stands_at_a_place_is_the_reason_rather_than_what_was_ruled_out_there() -> None:
    """Failing means that steps are told for exclusions that follow from a place that is known."""
    clues = (row("not_at", (0, 0), d=1), row("at", (0, 1), d=1), row("at", (0, 2), d=0), row("at", (0, 3), d=3))
    steps = positions.deduce(PositionTable(4, 1, clues, ()), [f"k{i}" for i in range(4)], (2, 1, 0, 3))
    assert "k0" not in [use for step in steps for use in step.uses]


def test_an_order_of_several_items() -> None:
    steps = all_steps(4, 2, row("left", (0, 0), (1, 0)), row("left", (1, 0), (0, 1)))
    assert isinstance(steps[0].found, Chain)
    assert set(steps[0].drops) == {(2, 0), (3, 0), (4, 0), (7, 0), (0, 1), (1, 1)}


def test_a_composite_by_its_cases() -> None:
    """Either of two items next to one at an end: whichever is true of (0, 0), it is not at place 3."""
    parts = (row("at", (0, 0), d=0), row("at", (0, 0), d=1))
    table = PositionTable(4, 2, ((RELATIONS.index("either"), 0, 2, 0, 0, 0, 0, 0),), parts)
    board = positions._Board(table, ["k0"])
    board.run(7)
    assert [(step.technique, set(step.drops)) for step in board.steps] == [("cases", {(2, 0), (3, 0)})]


@pytest.mark.parametrize("ways", [(), ("exclusive_or",), ("one_of_three", "looser")])
def test_what_a_step_restates_implies_its_conclusion(ways: tuple[str, ...]) -> None:
    """A sentence leaves out a fact or a clue that its conclusion needs: its clues and the facts in it alone must be enough."""
    for number in range(2):
        draft = drawn((4, 4), number, *ways)
        if draft is None:
            continue
        graded = grade(FAMILY, draft.puzzle, draft.answer)
        assert graded is not None
        named = FAMILY.words(draft.puzzle).number
        clues = {clue.id: named(i) for i, clue in enumerate(draft.puzzle.clues)}
        for step, text in zip(graded.steps, explain_all(FAMILY, draft.puzzle, graded.steps), strict=True):
            assert len(text) <= (2 if step.within else 1) * LONGEST
            said = {int(number) for found in CITED.findall(text) for number in re.findall(r"\d+", found)}
            assert said == {clues[use] for use in step.uses if use in clues}, text
        cnf = lower(FAMILY, draft.puzzle)
        assert cnf is not None
        with sat.labelled(cnf, 200_000) as ask:
            tested = 0
            for step in graded.steps:
                for part in step.within or (step,):
                    if part.technique != "search" and not part.within:
                        tested += len(part.found.known)
                        assert follows(cnf.key, ask, step, part), part
            assert tested > 10


def follows(key: Sequence[Sequence[int]], ask: Any, step: Step, part: Step) -> bool:
    """Return whether the facts that part of a step restates, and the clues that the step names, imply what it concludes."""
    facts = []
    for fact in part.found.known:
        if isinstance(fact, Known):
            x, mask, there = fact
            facts += [key[x - x % 4 + p][x % 4] * (1 if there else -1) for p in range(4) if mask >> p & 1]
    claims = [key[slot][value] for slot, value in part.sets] + [-key[slot][value] for slot, value in part.drops]
    labels = [use for use in step.uses if not use.startswith("#")]
    return all(ask.holds(labels, [*facts, -claim] if claim else facts) is False for claim in claims or [0])


def test_subset() -> None:
    clues = [row("not_at", (0, v), d=p) for v in (0, 1) for p in (2, 3)]
    steps = all_steps(5, 1, *clues, row("not_at", (0, 0), d=4), row("not_at", (0, 1), d=4))
    step = next(step for step in steps if step.technique == "subset")
    assert isinstance(step.found, Subset)
    assert (step.found.places, step.found.items) == (0b11, (0, 1))
    assert set(step.drops) == {(p, v) for p in (0, 1) for v in (2, 3, 4)}
    assert set(step.uses) == {f"#{i}" for i in range(1, 7)} | {"once"}


@pytest.mark.parametrize("kind", COMPOSITES)
@pytest.mark.parametrize("states", list(product((None, True, False), repeat=3)))
def test_composites_against_truth_tables(kind: str, states: tuple[bool | None, ...]) -> None:
    """Parts whose truth other parts decide; a part is known to be true or false by where its item stands."""
    parts = (row("at", (0, 0), d=0), row("at", (1, 0), d=1), row("at", (2, 1), d=2))[: 3 if kind == "one_of" else 2]
    states = states[: len(parts)]
    table = PositionTable(3, 3, ((RELATIONS.index(kind), 0, len(parts), 0, 0, 0, 0, 0),), parts)
    board = positions._Board(table, ["k"])
    for part, state in zip(parts, states, strict=True):
        x, place = part[1] * 3 + part[2], part[7]
        if state is not None:
            board.places[x] = 1 << place if state else 7 & ~(1 << place)
    found = forced(kind, board.truths[0], board.places)
    right = [
        truths
        for truths in product((True, False), repeat=len(parts))
        if all(state in (None, truth) for state, truth in zip(states, truths, strict=True))
        and ((not truths[0] or truths[1]) if kind == "if" else sum(truths) == 1)
    ]
    if not right:
        assert [part for part, _, _ in found] == [-1]
    else:
        decided = {(k, int(right[0][k])) for k in range(len(parts)) if states[k] is None and len({t[k] for t in right}) == 1}
        assert {(part, truth) for part, truth, _ in found} == decided


@pytest.mark.parametrize("kind", [kind for kind in RELATIONS if kind not in COMPOSITES])
@pytest.mark.parametrize("truth", [True, False])
def test_narrowing_against_all_places(kind: str, truth: bool) -> None:
    n = 3 if kind == "between" else 4
    of_kind = relation(kind, 2, n, truth)
    for masks in product(range(1, 1 << n), repeat=of_kind.arity):
        left = [0] * of_kind.arity
        for places in of_kind.tuples:
            if all(mask >> p & 1 for mask, p in zip(masks, places, strict=True)):
                left = [mask | 1 << p for mask, p in zip(left, places, strict=True)]
        narrowed = [mask & each for mask, each in zip(masks, of_kind.narrowed(masks), strict=True)]
        assert narrowed == left or (of_kind.arity == 2 and not all(left))


def test_subsets_only_drop_what_no_permutation_has() -> None:
    for masks in product(range(1, 16), repeat=4):
        if sum(masks) % 7:
            continue  # a seventh of them will do
        fits = [places for places in permutations(range(4)) if all(mask >> p & 1 for mask, p in zip(masks, places, strict=True))]
        for kind, mask, values in subsets_in(masks, 4):
            for places in fits:
                inside = [v for v in range(4) if mask >> places[v] & 1]
                assert set(inside) <= set(values) if kind is Subset else all(mask >> places[v] & 1 for v in values)


def test_the_words_say_who_stands_where() -> None:
    puzzle = FAMILY.examples()[0].puzzle
    steps = positions.deduce(
        FAMILY.table(puzzle),
        [clue.id for clue in puzzle.clues],
        FAMILY.form.values(puzzle.spec, puzzle.board, FAMILY.examples()[0].answer),
    )
    told = [explain(FAMILY, puzzle, step) for step in steps]
    assert any("clue 8" in text.casefold() and "in house 3" in text for text in told)
    assert wrong_step(FAMILY, puzzle, steps) == ""


def test_parts_are_numbered_as_the_prompt_shows_them() -> None:
    """Failing means that "the first statement" is the second one that the reader sees."""
    draft = drawn((4, 4), 1, "exclusive_or")
    assert draft is not None
    seen = set()
    for phrasing in range(-1, 40):
        puzzle = replace(draft.puzzle, style=replace(draft.puzzle.style, phrasing=phrasing + FIRST * (phrasing > 9)))
        wording, turned = Wording(puzzle, Size(4, 4)), FAMILY.words(puzzle).turned
        for i, clue in enumerate(puzzle.clues):
            if clue.kind == "either":
                shown = [wording.clause(clue, k) for k in range(2)]
                if wording.formula(clue.id) in FAMILY.render(puzzle):
                    assert [turned(i, k) for k in range(2)] == [0, 1]
                else:
                    text = FAMILY.render(puzzle).casefold()
                    assert (text.index(shown[0].casefold()) < text.index(shown[1].casefold())) == (turned(i, 0) == 0)
                seen.add((turned(i, 0), wording.formula(clue.id) in FAMILY.render(puzzle)))
    assert seen == {(0, True), (0, False), (1, False)}


def test_what_was_found_before_is_not_shown_again() -> None:
    """A part that was decided before is told without its facts; where it was decided under a supposition only, with them."""
    decided = Composite(0, (Part(0, False, (Known(0, 1, True),)),), (), 1, True, ())
    first, other = Step("composite", (), ((4, 0),), found=decided), Step("composite", (), ((5, 1),), found=decided)
    marked = first_uses([Step("look_ahead", (), within=(first,), found=LookAhead(0, 0)), first, other], 4)
    assert [step.found.again for step in (*marked[0].within, *marked[1:])] == [False, False, True]


def test_long_stories_are_a_technique_of_their_own() -> None:
    """Failing means that a worked reply has a supposition that nobody can follow."""
    tiers = [
        positions.TECHNIQUES[name] for name in ("far_look_ahead", "long_look_ahead", "long_deep_look_ahead", "deep_look_ahead")
    ]
    assert tiers[0] == tiers[1] and tiers[2] == tiers[3] and {"long_look_ahead", "long_deep_look_ahead", "search"} <= set(UNTOLD)
    board = positions._Board(PositionTable(3, 2, (), ()), [])
    links = [Step("clue", ("#1",), ((0, 0),))] * TOLD
    board.rule_out(board.AHEAD[1], 0, 1, ([], links))
    board.rule_out(board.AHEAD[1], 0, 2, ([], [*links, links[0]]))
    assert [step.technique for step in board.steps] == ["far_look_ahead", "long_look_ahead"]


def test_a_story_that_runs_out_of_probes_is_not_told() -> None:
    """Deep suppositions share their probes with what tells of them, which may use up the last: no error, but a search."""
    draft = drawn((4, 4), 1, "looser")
    assert draft is not None
    board = positions._Board(FAMILY.table(draft.puzzle), [clue.id for clue in draft.puzzle.clues])
    values = FAMILY.form.values(draft.puzzle.spec, draft.puzzle.board, draft.answer)
    x, p = next(
        (x, p) for x, mask in enumerate(board.places) for p in range(4) if mask & mask - 1 and values[x - x % 4 + p] == x % 4
    )
    literal, deep = (x - x % 4 + p) * 4 + x % 4, board.AHEAD[2]
    with pytest.raises(AssertionError, match="quick look"):
        board.confirmed(literal, deep)  # what is right leads to no contradiction
    board.probes[0] = PROBES + 1
    assert board.confirmed(literal, deep) is None
